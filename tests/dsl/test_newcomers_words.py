"""A newcomer's words in a card game, a board game and a dice game: one hint, and as it says, the file is right."""

from __future__ import annotations

import random

import pytest

from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import read_text
from tests.editing.mending import apply_fix

CARDS = """\
rules 1
game "Heap"
players 2..4
values Colour: red, blue, green
card Card: colour Colour, rank 1..6
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number passes: 0..20 = 0
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
phase play: turns from starter until passes >= players
  choose lay or pass
action lay(given from hand)
  needs heap is empty or rank of given <= rank of top of heap
  move given to heap
action pass
  passes increases by 1
score at end
  points = count of hand
ranking: lowest total, ties share
"""
BOARD = """\
rules 1
game "Four"
players 2
board Square: 4 by 4
marker stone[Square]: player or nothing
phase play: turns from 1
  choose place, else nobody wins
action place(cell in Square where stone is nothing)
  stone[cell] becomes player
  if some line of 4 in Square has stone = player
    player wins
"""
DICE = """\
rules 1
game "Pig"
players 2..4
die Die: 1..6, 2 of each
zone cup: set of Die, public
number banked of player: 0..200 = 0, clamped
number pot: 0..200 = 0, each turn, clamped
phase play: turns from starter until some p in players has banked of p >= 100
  roll all Die into cup
  repeat until pot = 200
    choose again or stop
action again
  roll all cup
  if some d in cup has face of d = 1
    pot becomes 0
    end turn
  pot increases by sum of face over cup
action stop
  banked increases by pot
  end turn
score at end
  points = banked
ranking: highest total, ties share
"""

# The game, what stands there, what is written in its place, the hint.
SAID = [
    (CARDS, "  choose lay or pass",
     "  choose lay or pass twice each", "write `repeat 2 times`, and `choose lay or pass` below it, indented"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "phase play: twice each", "write `turns from starter, at most 2 * players turns`"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "phase play: turns from starter twice each", "write `, at most 2 * players turns`"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "phase play: 3 rounds",
     "write `turns from starter, at most 3 * players turns`; rounds of the whole game "
     "are a piece of their own, `rounds 3`"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "phase play: three rounds",
     "write `turns from starter, at most 3 * players turns`; rounds of the whole game "
     "are a piece of their own, `rounds 3`"),
    (CARDS, "  needs heap is empty", "  needs given is a red card or heap is empty", "write `colour of given = red`"),
    (CARDS, "  needs heap is empty", "  needs given is red or heap is empty", "write `colour of given = red`"),
    (CARDS, "ranking: lowest total, ties share",
     "ranking: the player with the most cards wins", "write `ranking: highest count of hand, ties share`"),
    (CARDS, "ranking: lowest total, ties share",
     "the player with the most cards wins", "write `ranking: highest count of hand, ties share`"),
    (CARDS, "ranking: lowest total, ties share",
     "winner: the player with the fewest cards", "write `ranking: lowest count of hand, ties share`"),
    (BOARD, "  stone[cell] becomes player", "  put stone of player on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  put stone on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  place stone on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  place a stone at cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  put player on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  put a stone of player in cell", "write `stone[cell] becomes player`"),
    (CARDS, "players 2..4", "players: 2-4", "write `players 2..4`"),
    (CARDS, "players 2..4", "2 to 4 players", "write `players 2..4`"),
    (CARDS, "players 2..4", "players 2 to 4", "write `..`"),
    (CARDS, "players 2..4", "number of players: 2..4", "write `players 2..4`"),
    (CARDS, "card Card: colour Colour, rank 1..6", "cards: colour Colour, rank 1..6", "write `card Card: …`"),
    (CARDS, "card Card: colour Colour, rank 1..6", "card Card: colour red/blue/green, rank 1..6", "write `Colour`"),
    (CARDS, "card Card: colour Colour, rank 1..6", "card Card: colour Colour, rank 1..6, twice", "write `2 of each`"),
    (CARDS, "card Card: colour Colour, rank 1..6",
     "card Card: colour Colour, rank 1..6, 2 copies of each", "write `2 of each`"),
    (CARDS, "zone heap: pile of Card, public", "pile heap: public", "write `zone heap: pile of Card, public`"),
    (CARDS, "zone heap: pile of Card, public",
     "zone heap: face-up pile of Card", "write `zone heap: pile of Card, public`"),
    (CARDS, "zone heap: pile of Card, public", "zone heap: pile of Card, face up", "write `public`"),
    (CARDS, "zone heap: pile of Card, public", "zone heap (public pile)", "write `zone heap: pile of Card, public`"),
    (CARDS, "zone heap: pile of Card, public", "discard pile heap: public", "write `zone heap: pile of Card, public`"),
    (CARDS, "zone hand of player: set of Card, private",
     "zone hand for each player: set of Card, private", "write `of player`"),
    (CARDS, "zone hand of player: set of Card, private",
     "zone hand of player: 4 cards, private",
     "write `set of Card`, or `pile`, `row`; how many there are is said where they are dealt"),
    (CARDS, "zone hand of player: set of Card, private",
     "each player has a hand of cards", "write `zone hand of player: set of Card, private`"),
    (CARDS, "  shuffle all Card into stock", "  shuffle Card", "write `shuffle all Card into stock`"),
    (CARDS, "  deal 4 from stock to each hand",
     "  each player draws 4 cards", "write `deal 4 from stock to each hand`"),
    (CARDS, "  deal 4 from stock to each hand",
     "  deal 4 cards to each player", "write `deal 4 from stock to each hand`"),
    (CARDS, "  deal 4 from stock to each hand", "  give each player 4 cards", "write `deal 4 from stock to each hand`"),
    (CARDS, "  deal 4 from stock to each hand",
     "  everyone gets 4 cards from stock", "write `deal 4 from stock to each hand`"),
    (CARDS, "  deal 4 from stock to each hand",
     "  flip top of stock to heap", "write `draw 1 from stock to heap`, with the place where it lies then"),
    (CARDS, "  choose lay or pass", "  the player chooses lay or pass", "write `choose lay or pass`"),
    (CARDS, "  choose lay or pass", "  player may lay or pass", "write `choose lay or pass`"),
    (CARDS, "  choose lay or pass", "  lay or pass", "write `choose lay or pass`"),
    (CARDS, "  choose lay or pass", "  choose one of lay, pass", "write `choose lay or pass`"),
    (CARDS, "  choose lay or pass", "  choose lay, otherwise pass", "write `choose lay or pass`"),
    (CARDS, "  choose lay or pass", "  must lay", "write `choose lay`"),
    (CARDS, "  choose lay or pass", "  draw a card\n  choose lay or pass", "write `draw 1 from stock to hand`"),
    (CARDS, "  choose lay or pass",
     "  draw 1 card from stock\n  choose lay or pass", "write `draw 1 from stock to hand`"),
    (CARDS, "  choose lay or pass",
     "  player draws 1 from stock\n  choose lay or pass", "write `draw 1 from stock to hand`"),
    (CARDS, "action lay(given from hand)", "action lay(given: Card from hand)", "write `given from hand`"),
    (CARDS, "action lay(given from hand)", "player can lay(given from hand)", "write `action lay(given from hand)`"),
    (CARDS, "action lay(given from hand)", "action lay: given from hand", "write `lay(given from hand)`"),
    (CARDS, "  move given to heap", "  play given to heap", "write `move given to heap`"),
    (CARDS, "  move given to heap", "  given goes to heap", "write `move given to heap`"),
    (CARDS, "  move given to heap",
     "  move given from hand to heap", "write `move given to heap`, without where it comes from"),
    (CARDS, "  move given to heap", "  move given to the heap", "remove `the`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  only if rank of given <= rank of top of heap", "write `needs …`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs given matches colour of top of heap", "write `colour of given = …`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs rank of given is 3", "write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs rank of given is between 2 and 4", "write `in 2..4`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs colour of given is the same as colour of top of heap", "write `=`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs player has 2 cards", "write `count of hand = 2`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs hand has a red card", "write `some c in hand has colour of c = red`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs hand contains red 3", "write `some c in hand has c in {red 3}`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs there are 3 cards in hand", "write `count of hand = 3`"),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap",
     "  needs hand size > 3", "write `count of hand`"),
    (CARDS, "  passes increases by 1", "  add 1 to passes", "write `passes increases by 1`"),
    (CARDS, "  passes increases by 1", "  passes + 1", "write `increases by`"),
    (CARDS, "  passes increases by 1", "  skip turn", "write `end turn`"),
    (CARDS, "  passes increases by 1",
     "  next player", "`end turn` ends a turn; the phase decides who is next: `turns from …`"),
    (CARDS, "  passes increases by 1", "  end the game", "remove `the`"),
    (CARDS, "  passes increases by 1", "  game over", "write `end game`"),
    (CARDS, "  passes increases by 1",
     "  play passes to the left", "`end turn` ends a turn; the phase decides who is next: `turns from …`"),
    (CARDS, "score at end\n  points = count of hand",
     "score\n  1 point per card in hand", "write `points = count of hand`"),
    (CARDS, "score at end\n  points = count of hand",
     "score: count of hand", "write `score at end`, and below it, indented, `points = …`"),
    (CARDS, "score at end\n  points = count of hand",
     "score at end\n  1 point for each card in hand", "write `points = count of hand`"),
    (CARDS, "score at end\n  points = count of hand",
     "score at end\n  points = number of red cards in hand", "write `count of hand where colour = red`"),
    (CARDS, "score at end\n  points = count of hand",
     "score at end\n  points = sum of hand", "write `sum of rank over hand`"),
    (CARDS, "score at end\n  points = count of hand",
     "score at end\n  points = total rank of hand", "write `sum of rank over hand`"),
    (CARDS, "score at end\n  points = count of hand", "score at the end\n  points = count of hand", "remove `the`"),
    (CARDS, "score at end\n  points = count of hand", "scoring\n  points = count of hand", "write `score at end`"),
    (CARDS, "score at end\n  points = count of hand",
     "score at end\n  points = 5 if hand is empty, else 0", "the condition comes first: `if … then 5 else …`"),
    (CARDS, "ranking: lowest total, ties share", "ranking: most points", "write `ranking: highest total, ties share`"),
    (CARDS, "ranking: lowest total, ties share",
     "ranking: most points wins", "write `ranking: highest total, ties share`"),
    (CARDS, "ranking: lowest total, ties share", "lowest score wins", "write `ranking: lowest total, ties share`"),
    (CARDS, "ranking: lowest total, ties share", "the lowest total wins", "write `ranking: lowest total, ties share`"),
    (CARDS, "ranking: lowest total, ties share",
     "winner is the player with the lowest score", "write `ranking: lowest total, ties share`"),
    (CARDS, "ranking: lowest total, ties share",
     "ranking: fewest cards in hand", "write `ranking: lowest count of hand, ties share`"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "phase play: each player takes a turn",
     "`turns from starter until …` goes round and round; with `one turn each from starter` everyone has one turn"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "phase play: 10 turns", "write `turns from starter, at most 10 turns`"),
    (CARDS, "phase play: turns from starter until passes >= players",
     "play until passes >= players", "write `phase play: turns from starter until passes >= players`"),
    (BOARD, "board Square: 4 by 4", "board: 4x4", "write `board Square: 4 by 4`"),
    (BOARD, "board Square: 4 by 4", "grid 4x4", "write `board Square: 4 by 4`"),
    (BOARD, "board Square: 4 by 4", "board Square 4 by 4", "after `Square`, write `:`"),
    (BOARD, "board Square: 4 by 4", "a board of 4 by 4 squares", "write `board Square: 4 by 4`"),
    (BOARD, "marker stone[Square]: player or nothing",
     "piece stone on Square", "write `marker stone[Square]: player or nothing`"),
    (BOARD, "marker stone[Square]: player or nothing",
     "stones on Square: black or white", "write `marker stone[Square]: player or nothing`"),
    (BOARD, "marker stone[Square]: player or nothing",
     "marker stone on Square: player or nothing", "write `stone[Square]`"),
    (BOARD, "marker stone[Square]: player or nothing",
     "marker stone of Square: player or nothing", "write `stone[Square]`"),
    (BOARD, "marker stone[Square]: player or nothing", "marker stone[Square]: player or empty", "write `or nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in empty Square)", "write `Square where stone is nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell from Square where stone is nothing)", "write `cell in …`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square if stone is nothing)", "write `where`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square where it is empty)", "write `stone[it] is nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square where cell is empty)", "write `stone[cell] is nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square)\n  needs cell is empty", "write `stone[cell] is nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square)\n  needs no stone on cell", "write `stone[cell] is nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square)\n  needs stone on cell is nothing", "write `stone[cell]`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square)\n  needs cell is free", "write `stone[cell] is nothing`"),
    (BOARD, "action place(cell in Square where stone is nothing)",
     "action place(cell in Square)\n  needs stone at cell = nothing", "write `stone[cell]`"),
    (BOARD, "  stone[cell] becomes player", "  stone of cell becomes player", "write `stone[cell]`"),
    (BOARD, "  stone[cell] becomes player", "  cell becomes player", "write `stone[cell]`"),
    (BOARD, "  stone[cell] becomes player", "  stone on cell becomes player", "write `stone[cell]`"),
    (BOARD, "  stone[cell] becomes player", "  stone at cell becomes player", "write `stone[cell]`"),
    (BOARD, "  stone[cell] becomes player", "  mark cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  mark cell with player", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  place player on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  put a stone on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  stone[cell] becomes player", "  stone[cell] = player", "to change something, write `becomes`"),
    (BOARD, "  stone[cell] becomes player", "  set stone on cell to player", "write `stone[cell] becomes player`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if there is a line of 4", "write `some line of 4 in Square has stone = player`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if 4 in a row", "write `some line of 4 in Square has stone = player`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if player has 4 in a row", "write `some line of 4 in Square has stone = player`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if some line of 4 has stone = player", "write `in Square`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if some line of 4 in Square is player", "write `has stone = …`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if the board is full", "write `no s in Square has stone[s] is nothing`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if Square is full", "write `no s in Square has stone[s] is nothing`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if no empty square", "write `no s in Square has stone[s] is nothing`"),
    (BOARD, "  stone[cell] becomes player", "  remove stone from cell", "write `clear cell`"),
    (BOARD, "  stone[cell] becomes player", "  remove cell", "write `clear cell`"),
    (BOARD, "  stone[cell] becomes player", "  capture stone on cell", "write `clear cell`"),
    (BOARD, "  stone[cell] becomes player", "  take opponent stone on cell", "write `clear cell`"),
    (BOARD, "  stone[cell] becomes player", "  flip stone on cell", "write `stone[cell] becomes player`"),
    (BOARD, "  choose place, else nobody wins", "  choose place, else draw", "write `choose place, else nobody wins`"),
    (BOARD, "  choose place, else nobody wins",
     "  choose place, otherwise nobody wins", "write `choose place, else nobody wins`"),
    (BOARD, "  choose place, else nobody wins",
     "  choose place or nobody wins", "write `choose place, else nobody wins`"),
    (BOARD, "  choose place, else nobody wins", "  choose place on empty Square", "write `choose place`"),
    (BOARD, "  choose place, else nobody wins", "  player places a stone", "write `choose place`"),
    (BOARD, "  choose place, else nobody wins", "  place", "write `choose place`"),
    (BOARD, "phase play: turns from 1",
     "phase play: players alternate",
     "`turns from starter until …` goes round and round; with `one turn each from starter` everyone has one turn"),
    (BOARD, "phase play: turns from 1", "phase play: turns from player 1", "write `1`"),
    (BOARD, "phase play: turns from 1",
     "phase play: turns alternate from 1", "remove `alternate`; a name of two words is one: `turns_alternate`"),
    (BOARD, "phase play: turns from 1",
     "phase play: turns from 1 until the board is full", "write `no s in Square has stone[s] is nothing`"),
    (BOARD, "phase play: turns from 1",
     "phase play: turns from 1 until Square is full", "write `no s in Square has stone[s] is nothing`"),
    (BOARD, "phase play: turns from 1", "phase play: white begins", "write `turns from 1`: who begins is player 1"),
    (BOARD, "  choose place, else nobody wins\naction place(cell in Square where stone is nothing)",
     "  choose step, else nobody wins\naction step(cell in Square where stone is player)",
     "write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`"),
    (DICE, "die Die: 1..6, 2 of each", "dice: 2", "write `die Die: 1..6, 2 of each`"),
    (DICE, "die Die: 1..6, 2 of each", "2 dice", "write `die Die: 1..6, 2 of each`"),
    (DICE, "die Die: 1..6, 2 of each", "dice 1..6", "write `die Die: 1..6`"),
    (DICE, "  roll all Die into cup\n  repeat", "  roll the dice\n  repeat", "write `roll all Die into cup`"),
    (DICE, "  roll all Die into cup\n  repeat", "  roll 2 dice\n  repeat", "write `roll all Die into cup`"),
    (DICE, "  roll all Die into cup\n  repeat", "  player rolls both dice\n  repeat", "write `roll all Die into cup`"),
    (DICE, "  roll all Die into cup\n  repeat", "  roll\n  repeat", "write `roll all Die into cup`"),
    (DICE, "  if some d in cup has face of d = 1", "  if any die is 1", "write `some d in cup has face of d = 1`"),
    (DICE, "  if some d in cup has face of d = 1", "  if a 1 is rolled", "write `some d in cup has face of d = 1`"),
    (DICE, "  if some d in cup has face of d = 1", "  if cup contains 1", "write `some d in cup has face of d = 1`"),
    (DICE, "  if some d in cup has face of d = 1", "  if both dice are 1", "write `every d in cup has face of d = 1`"),
    (DICE, "  if some d in cup has face of d = 1", "  if cup has a 1", "write `some d in cup has face of d = 1`"),
    (DICE, "  if some d in cup has face of d = 1",
     "  if both dice are equal", "write `(count of distinct face over cup) = 1`"),
    (DICE, "  pot increases by sum of face over cup", "  pot increases by cup", "for their number, write `count of …`"),
    (DICE, "  pot increases by sum of face over cup", "  pot increases by sum of cup", "write `sum of face over cup`"),
    (DICE, "  pot increases by sum of face over cup",
     "  pot = pot + sum of face over cup", "to change something, write `becomes`"),
    (DICE, "  pot increases by sum of face over cup",
     "  add sum of face over cup to pot", "write `pot increases by sum of face over cup`"),
    (DICE, "    pot becomes 0\n    end turn",
     "    pot becomes 0 and turn ends", "put what comes next on a line of its own, below"),
    (DICE, "  banked increases by pot", "  score pot", "write `banked increases by pot`"),
    (DICE, "until some p in players has banked of p >= 100",
     "until a player has 100 points", "write `some p in players has banked of p >= 100`"),
    (DICE, "until some p in players has banked of p >= 100",
     "until someone reaches 100", "write `some p in players has banked of p >= 100`"),
    (DICE, "until some p in players has banked of p >= 100",
     "until any player's banked >= 100", "write `some p in players has banked of p …`, with the condition"),
    (DICE, "until some p in players has banked of p >= 100",
     "until one player has banked >= 100", "write `some p in players has banked of p >= 100`"),
    (DICE, "number banked of player: 0..200 = 0, clamped",
     "score banked", "write `number banked of player: 0..200 = 0`"),
    (DICE, "number banked of player: 0..200 = 0, clamped",
     "each player has banked: 0..200", "write `number banked of player: 0..200`"),
    (DICE, "number banked of player: 0..200 = 0, clamped",
     "number banked of each player: 0..200", "write `number banked of player`"),
    (DICE, "number banked of player: 0..200 = 0, clamped",
     "number banked of player starts at 0", "write its values after a colon, as in `: 0..20 = 0`"),
    (DICE, "number banked of player: 0..200 = 0, clamped",
     "points banked of player", "write `number banked of player: 0..200 = 0`"),
    (DICE, "ranking: highest total, ties share", "ranking: highest banked wins", "remove `wins`"),
    (DICE, "ranking: highest total, ties share",
     "whoever has most points wins", "write `ranking: highest total, ties share`"),
    (DICE, "rules 1", "# Pig", "the first line of a file is `rules 1`"),
    (DICE, "  points = banked", "  banked", "write `points = banked`"),
    (BOARD, "phase play: turns from 1\n  choose place, else nobody wins",
     "choose place, else nobody wins", "indent it below a `setup`, a `phase`, a `step` or an `action`"),
    (BOARD, "phase play: turns from 1", "players take turns", "write `phase play: turns from starter`"),
    (BOARD, "phase play: turns from 1",
     "turns from 1", "indent it below a `setup`, a `phase`, a `step` or an `action`"),
    (CARDS, "score at end\n  points = count of hand",
     "score at end\n  points = -1 per card in hand", "write `* count of hand`"),
    (CARDS, "  move given to heap", "  reveal given", "write `show`"),
    (CARDS, "  move given to heap", "  give given to left of player", "write `move given to hand of left of player`"),
    (CARDS, "  move given to heap", "  take top card of heap", "write `move top of heap to hand`"),
    (CARDS, "  move given to heap", "  pick up heap", "write `move all heap to hand`"),
    (CARDS, "  move given to heap", "  player takes heap", "write `move all heap to hand`"),
    (CARDS, "  move given to heap", "  take all cards from heap", "write `move all heap to hand`"),
    (CARDS, "  move given to heap",
     "  steal a card from left of player", "write `draw 1 from hand of left of player to hand`"),
    (CARDS, "  move given to heap", "  move given to heap\n  if stock is out\n    end game", "write `stock is empty`"),
    (CARDS, "  move given to heap",
     "  move given to heap\n  if stock runs out\n    end game", "write `stock is empty`"),
    (CARDS, "  move given to heap", "  move given to heap\n  when hand is empty\n    end game", "write `if`"),
    (CARDS, "action lay(given from hand)",
     "action lay(Card given from hand)", "for a single choice, write `given from …`"),
    (CARDS, "action lay(given from hand)", "Action lay(given from hand)", "write `action`"),
    (CARDS, "zone stock: pile of Card, hidden", "zone stock: deck of Card, hidden", "write `pile`"),
    (CARDS, "zone stock: pile of Card, hidden", "zone stock: pile of cards, hidden", "did you mean `Card`?"),
    (CARDS, "zone stock: pile of Card, hidden", "zone stock is a pile of Card, hidden", "write `:`"),
    (CARDS, "number passes: 0..20 = 0",
     "number passes starts at 0", "write its values after a colon, as in `: 0..20 = 0`"),
    (CARDS, "number passes: 0..20 = 0", "passes = 0", "write `number passes: 0..20 = 0`"),
    (CARDS, "number passes: 0..20 = 0", "counter passes", "write `number passes of player: 0..200 = 0`"),
    (CARDS, "number passes: 0..20 = 0", "number passes: 0 to 20", "write `..`"),
    (CARDS, "number passes: 0..20 = 0", "number of passes: 0..20", "remove `of`"),
    (CARDS, "values Colour: red, blue, green", "colours: red, blue, green", "write `values Colour: red, blue, green`"),
    (CARDS, "values Colour: red, blue, green", "values Colour = red, blue, green", "write `:`"),
    (CARDS, "values Colour: red, blue, green", "Colour: red, blue, green", "write `values Colour: red, blue, green`"),
    (CARDS, "card Card: colour Colour, rank 1..6", "card: colour Colour, rank 1..6", "after `card`, write its name"),
    (CARDS, "card Card: colour Colour, rank 1..6", "card Card: colour Colour; rank 1..6", "write `,`"),
    (DICE, "  pot increases by sum of face over cup",
     "  player gets sum of face over cup points", "write `banked increases by sum of face over cup`"),
    (DICE, "  pot increases by sum of face over cup",
     "  score sum of face over cup", "write `banked increases by sum of face over cup`"),
    (DICE, "  pot increases by sum of face over cup", "  pot increases sum of face over cup", "write `by` before it"),
    (DICE, "  if some d in cup has face of d = 1\n    pot becomes 0",
     "  if a die shows 1\n    pot becomes 0", "write `some d in cup has face of d = 1`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if four in a row", "write `some line of 4 in Square has stone = player`"),
    (BOARD, "  if some line of 4 in Square has stone = player",
     "  if three in a line", "write `some line of 3 in Square has stone = player`"),
    (BOARD, "  choose place, else nobody wins",
     "  choose place, else game is a draw", "write `choose place, else nobody wins`"),
    (BOARD, "board Square: 4 by 4", "board 4 by 4", "name its places: `board Square: 4 by 4`"),
    (BOARD, "board Square: 4 by 4",
     "board Square: 4 rows, 4 columns", "write `4 by 4`: so many rows by so many columns"),
]  # fmt: skip


@pytest.mark.parametrize("game", [CARDS, BOARD, DICE])
def test_the_games_are_right(game: str) -> None:
    assert read_text(game).diagnostics == ()


@pytest.mark.parametrize(("game", "right", "said", "hint"), SAID)
def test_what_a_newcomer_writes_is_mended_at_once(game: str, right: str, said: str, hint: str) -> None:
    assert game.count(right) == 1
    text = game.replace(right, said)
    (found,) = (one for one in read_text(text).diagnostics if one.severity == "error")
    assert found.hint == hint
    assert [one for one in read_text(apply_fix(text, found)).diagnostics if one.severity == "error"] == []


SIGNS = (":", ",", "(", ")", "[", "]", "..", "=", "1", "0", "-", "/", "x", "of", "in")
WORDS = sorted({word for _, _, said, _ in SAID for word in said.split()} | {*SIGNS})


def spoil(line: str, chance: random.Random) -> str:
    """Words left out, put in, exchanged; the line cut off."""
    words = line.split()
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(words))
        match chance.randrange(4):
            case 0:
                words[at : at + 1] = []
            case 1:
                words.insert(at, chance.choice(WORDS))
            case 2:
                words[at : at + 1] = [chance.choice(WORDS)]
            case _:
                words = words[:at]
    return line[: len(line) - len(line.lstrip())] + " ".join(words)


def test_no_line_of_such_words_breaks_the_reader() -> None:
    chance = random.Random(1)
    for _ in range(500):
        game, right, said, _ = chance.choice(SAID)
        lines = said.split("\n")
        at = chance.randrange(len(lines))
        lines[at] = spoil(lines[at], chance)
        other = chance.choice([game, game, CARDS, BOARD, DICE])
        text = game.replace(right, "\n".join(lines)) if other is game else other + "\n".join(lines)
        for found in parse_source(Source("f", text)).diagnostics:
            assert 0 <= found.span.start <= found.span.end <= len(text)
            assert all(edit.start <= edit.end <= len(text) for edit in found.edits)


def test_of_an_unknown_die_one_thing_is_said() -> None:
    head = 'rules 1\ngame "G"\nplayers 2\ndie Die: 1..6, 2 of each\nzone cup: set of Dice, public\n'
    found = read_text(f"{head}phase play: one turn each from 1\n  roll all cup\n").diagnostics
    assert [one.code for one in found] == ["unknown-component"]


@pytest.mark.parametrize("size", ["a1 by 3", "3 by b2", "a1 by a1"])
def test_a_board_is_not_as_large_as_one_of_its_places(size: str) -> None:
    text = f'rules 1\ngame "G"\nplayers 2\nboard Square: {size}\nphase play: one turn each from 1\n  player wins\n'
    assert "unknown-name" in [one.code for one in read_text(text).diagnostics]
