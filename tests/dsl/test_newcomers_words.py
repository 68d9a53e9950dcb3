"""A newcomer's words in a card game, a board game and a dice game: one hint, and as it says, the file is right."""

from __future__ import annotations

import random

import pytest

from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import read_text
from tests.editing.mending import said_and_mended
from tests.heap_game import write_heap

CARDS = write_heap("heap is empty or rank of given <= rank of top of heap")
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

# The game, what stands there; what is written in its place, the hint.
GROUPS: list[tuple[str, str, list[tuple[str, str]]]] = [
    (CARDS, "  choose lay or pass", [
        ("  choose lay or pass twice each", "write `repeat 2 times`, and `choose lay or pass` below it, indented"),
        ("  the player chooses lay or pass", "write `choose lay or pass`"),
        ("  player may lay or pass", "write `choose lay or pass`"),
        ("  lay or pass", "write `choose lay or pass`"),
        ("  choose one of lay, pass", "write `choose lay or pass`"),
        ("  choose lay, otherwise pass", "write `choose lay or pass`"),
        ("  must lay", "write `choose lay`"),
        ("  draw a card\n  choose lay or pass", "write `draw 1 from stock to hand`"),
        ("  draw 1 card from stock\n  choose lay or pass", "write `draw 1 from stock to hand`"),
        ("  player draws 1 from stock\n  choose lay or pass", "write `draw 1 from stock to hand`"),
    ]),
    (CARDS, "phase play: turns from starter until passes >= players", [
        ("phase play: twice each", "write `turns from starter, at most 2 * players turns`"),
        ("phase play: turns from starter twice each", "write `, at most 2 * players turns`"),
        ("phase play: 3 rounds",
         "write `turns from starter, at most 3 * players turns`; rounds of the whole game are a piece of "
         "their own, `rounds 3`"),
        ("phase play: three rounds",
         "write `turns from starter, at most 3 * players turns`; rounds of the whole game are a piece of "
         "their own, `rounds 3`"),
        ("phase play: each player takes a turn",
         "`turns from starter until …` goes round and round; with `one turn each from starter` everyone "
         "has one turn"),
        ("phase play: 10 turns", "write `turns from starter, at most 10 turns`"),
        ("play until passes >= players", "write `phase play: turns from starter until passes >= players`"),
    ]),
    (CARDS, "  needs heap is empty", [
        ("  needs given is a red card or heap is empty", "write `colour of given = red`"),
        ("  needs given is red or heap is empty", "write `colour of given = red`"),
    ]),
    (CARDS, "ranking: lowest total, ties share", [
        ("ranking: the player with the most cards wins", "write `ranking: highest count of hand, ties share`"),
        ("the player with the most cards wins", "write `ranking: highest count of hand, ties share`"),
        ("winner: the player with the fewest cards", "write `ranking: lowest count of hand, ties share`"),
        ("ranking: most points", "write `ranking: highest total, ties share`"),
        ("ranking: most points wins", "write `ranking: highest total, ties share`"),
        ("lowest score wins", "write `ranking: lowest total, ties share`"),
        ("the lowest total wins", "write `ranking: lowest total, ties share`"),
        ("winner is the player with the lowest score", "write `ranking: lowest total, ties share`"),
        ("ranking: fewest cards in hand", "write `ranking: lowest count of hand, ties share`"),
    ]),
    (BOARD, "  stone[cell] becomes player", [
        ("  put stone of player on cell", "write `stone[cell] becomes player`"),
        ("  put stone on cell", "write `stone[cell] becomes player`"),
        ("  place stone on cell", "write `stone[cell] becomes player`"),
        ("  place a stone at cell", "write `stone[cell] becomes player`"),
        ("  put player on cell", "write `stone[cell] becomes player`"),
        ("  put a stone of player in cell", "write `stone[cell] becomes player`"),
        ("  stone of cell becomes player", "write `stone[cell]`"),
        ("  cell becomes player", "write `stone[cell]`"),
        ("  stone on cell becomes player", "write `stone[cell]`"),
        ("  stone at cell becomes player", "write `stone[cell]`"),
        ("  mark cell", "write `stone[cell] becomes player`"),
        ("  mark cell with player", "write `stone[cell] becomes player`"),
        ("  place player on cell", "write `stone[cell] becomes player`"),
        ("  put a stone on cell", "write `stone[cell] becomes player`"),
        ("  stone[cell] = player", "to change something, write `becomes`"),
        ("  set stone on cell to player", "write `stone[cell] becomes player`"),
        ("  remove stone from cell", "write `clear cell`"),
        ("  remove cell", "write `clear cell`"),
        ("  capture stone on cell", "write `clear cell`"),
        ("  take opponent stone on cell", "write `clear cell`"),
        ("  flip stone on cell", "write `stone[cell] becomes player`"),
    ]),
    (CARDS, "players 2..4", [
        ("players: 2-4", "write `players 2..4`"),
        ("2 to 4 players", "write `players 2..4`"),
        ("players 2 to 4", "write `..`"),
        ("number of players: 2..4", "write `players 2..4`"),
    ]),
    (CARDS, "card Card: colour Colour, rank 1..6", [
        ("cards: colour Colour, rank 1..6", "write `card Card: …`"),
        ("card Card: colour red/blue/green, rank 1..6", "write `colour Colour`"),
        ("card Card: colour Colour, rank 1..6, twice", "write `2 of each`"),
        ("card Card: colour Colour, rank 1..6, 2 copies of each", "write `2 of each`"),
        ("card: colour Colour, rank 1..6", "after `card`, write its name"),
        ("card Card: colour Colour; rank 1..6", "write `,`"),
    ]),
    (CARDS, "zone heap: pile of Card, public", [
        ("pile heap: public", "write `zone heap: pile of Card, public`"),
        ("zone heap: face-up pile of Card", "write `zone heap: pile of Card, public`"),
        ("zone heap: pile of Card, face up", "write `public`"),
        ("zone heap (public pile)", "write `zone heap: pile of Card, public`"),
        ("discard pile heap: public", "write `zone heap: pile of Card, public`"),
    ]),
    (CARDS, "zone hand of player: set of Card, private", [
        ("zone hand for each player: set of Card, private", "write `of player`"),
        ("zone hand of player: 4 cards, private",
         "write `set of Card`, or `pile`, `row`; how many there are is said where they are dealt"),
        ("each player has a hand of cards", "write `zone hand of player: set of Card, private`"),
    ]),
    (CARDS, "  shuffle all Card into stock", [
        ("  shuffle Card", "write `shuffle all Card into stock`"),
    ]),
    (CARDS, "  deal 4 from stock to each hand", [
        ("  each player draws 4 cards", "write `deal 4 from stock to each hand`"),
        ("  deal 4 cards to each player", "write `deal 4 from stock to each hand`"),
        ("  give each player 4 cards", "write `deal 4 from stock to each hand`"),
        ("  everyone gets 4 cards from stock", "write `deal 4 from stock to each hand`"),
        ("  flip top of stock to heap", "write `draw 1 from stock to heap`, with the place where it lies then"),
    ]),
    (CARDS, "action lay(given from hand)", [
        ("action lay(given: Card from hand)", "write `given from hand`"),
        ("player can lay(given from hand)", "write `action lay(given from hand)`"),
        ("action lay: given from hand", "write `lay(given from hand)`"),
        ("action lay(Card given from hand)", "for a single choice, write `given from …`"),
        ("Action lay(given from hand)", "write `action`"),
    ]),
    (CARDS, "  move given to heap", [
        ("  play given to heap", "write `move given to heap`"),
        ("  given goes to heap", "write `move given to heap`"),
        ("  move given from hand to heap", "write `move given to heap`, without where it comes from"),
        ("  move given to the heap", "remove `the`"),
        ("  reveal given", "write `show`"),
        ("  give given to left of player", "write `move given to hand of left of player`"),
        ("  take top card of heap", "write `move top of heap to hand`"),
        ("  pick up heap", "write `move all heap to hand`"),
        ("  player takes heap", "write `move all heap to hand`"),
        ("  take all cards from heap", "write `move all heap to hand`"),
        ("  steal a card from left of player", "write `draw 1 from hand of left of player to hand`"),
        ("  move given to heap\n  if stock is out\n    end game", "write `stock is empty`"),
        ("  move given to heap\n  if stock runs out\n    end game", "write `stock is empty`"),
        ("  move given to heap\n  when hand is empty\n    end game", "write `if`"),
    ]),
    (CARDS, "  needs heap is empty or rank of given <= rank of top of heap", [
        ("  only if rank of given <= rank of top of heap", "write `needs …`"),
        ("  needs given matches colour of top of heap", "write `colour of given = …`"),
        ("  needs rank of given is 3", "write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`"),
        ("  needs rank of given is between 2 and 4", "write `in 2..4`"),
        ("  needs colour of given is the same as colour of top of heap", "write `=`"),
        ("  needs player has 2 cards", "write `count of hand = 2`"),
        ("  needs hand has a red card", "write `some c in hand has colour of c = red`"),
        ("  needs hand contains red 3", "write `some c in hand has c in {red 3}`"),
        ("  needs there are 3 cards in hand", "write `count of hand = 3`"),
        ("  needs hand size > 3", "write `count of hand`"),
    ]),
    (CARDS, "  passes increases by 1", [
        ("  add 1 to passes", "write `passes increases by 1`"),
        ("  passes + 1", "write `increases by`"),
        ("  skip turn", "write `end turn`"),
        ("  next player", "`end turn` ends a turn; the phase decides who is next: `turns from …`"),
        ("  end the game", "remove `the`"),
        ("  game over", "write `end game`"),
        ("  play passes to the left", "`end turn` ends a turn; the phase decides who is next: `turns from …`"),
    ]),
    (CARDS, "score at end\n  points = count of hand", [
        ("score\n  1 point per card in hand", "write `points = count of hand`"),
        ("score: count of hand", "write `score at end`, and below it, indented, `points = …`"),
        ("score at end\n  1 point for each card in hand", "write `points = count of hand`"),
        ("score at end\n  points = number of red cards in hand", "write `count of hand where colour = red`"),
        ("score at end\n  points = sum of hand", "write `sum of rank over hand`"),
        ("score at end\n  points = total rank of hand", "write `sum of rank over hand`"),
        ("score at the end\n  points = count of hand", "remove `the`"),
        ("scoring\n  points = count of hand", "write `score at end`"),
        ("score at end\n  points = 5 if hand is empty, else 0", "the condition comes first: `if … then 5 else …`"),
        ("score at end\n  points = -1 per card in hand", "write `* count of hand`"),
    ]),
    (BOARD, "board Square: 4 by 4", [
        ("board: 4x4", "write `board Square: 4 by 4`"),
        ("grid 4x4", "write `board Square: 4 by 4`"),
        ("board Square 4 by 4", "after `Square`, write `:`"),
        ("a board of 4 by 4 squares", "write `board Square: 4 by 4`"),
        ("board 4 by 4", "name its places: `board Square: 4 by 4`"),
        ("board Square: 4 rows, 4 columns", "write `4 by 4`: so many rows by so many columns"),
    ]),
    (BOARD, "marker stone[Square]: player or nothing", [
        ("piece stone on Square", "write `marker stone[Square]: player or nothing`"),
        ("stones on Square: black or white", "write `marker stone[Square]: player or nothing`"),
        ("marker stone on Square: player or nothing", "write `stone[Square]`"),
        ("marker stone of Square: player or nothing", "write `stone[Square]`"),
        ("marker stone[Square]: player or empty", "write `or nothing`"),
    ]),
    (BOARD, "action place(cell in Square where stone is nothing)", [
        ("action place(cell in empty Square)", "write `Square where stone is nothing`"),
        ("action place(cell from Square where stone is nothing)", "write `cell in …`"),
        ("action place(cell in Square if stone is nothing)", "write `where`"),
        ("action place(cell in Square where it is empty)", "write `stone[it] is nothing`"),
        ("action place(cell in Square where cell is empty)", "write `stone[cell] is nothing`"),
        ("action place(cell in Square)\n  needs cell is empty", "write `stone[cell] is nothing`"),
        ("action place(cell in Square)\n  needs no stone on cell", "write `stone[cell] is nothing`"),
        ("action place(cell in Square)\n  needs stone on cell is nothing", "write `stone[cell]`"),
        ("action place(cell in Square)\n  needs cell is free", "write `stone[cell] is nothing`"),
        ("action place(cell in Square)\n  needs stone at cell = nothing", "write `stone[cell]`"),
    ]),
    (BOARD, "  if some line of 4 in Square has stone = player", [
        ("  if there is a line of 4", "write `some line of 4 in Square has stone = player`"),
        ("  if 4 in a row", "write `some line of 4 in Square has stone = player`"),
        ("  if player has 4 in a row", "write `some line of 4 in Square has stone = player`"),
        ("  if some line of 4 has stone = player", "write `in Square`"),
        ("  if some line of 4 in Square is player", "write `has stone = …`"),
        ("  if the board is full", "write `no s in Square has stone[s] is nothing`"),
        ("  if Square is full", "write `no s in Square has stone[s] is nothing`"),
        ("  if no empty square", "write `no s in Square has stone[s] is nothing`"),
        ("  if four in a row", "write `some line of 4 in Square has stone = player`"),
        ("  if three in a line", "write `some line of 3 in Square has stone = player`"),
    ]),
    (BOARD, "  choose place, else nobody wins", [
        ("  choose place, else draw", "write `choose place, else nobody wins`"),
        ("  choose place, otherwise nobody wins", "write `choose place, else nobody wins`"),
        ("  choose place or nobody wins", "write `choose place, else nobody wins`"),
        ("  choose place on empty Square", "write `choose place`"),
        ("  player places a stone", "write `choose place`"),
        ("  place", "write `choose place`"),
        ("  choose place, else game is a draw", "write `choose place, else nobody wins`"),
    ]),
    (BOARD, "phase play: turns from 1", [
        ("phase play: players alternate",
         "`turns from starter until …` goes round and round; with `one turn each from starter` everyone "
         "has one turn"),
        ("phase play: turns from player 1", "write `1`"),
        ("phase play: turns alternate from 1", "remove `alternate`; a name of two words is one: `turns_alternate`"),
        ("phase play: turns from 1 until the board is full", "write `no s in Square has stone[s] is nothing`"),
        ("phase play: turns from 1 until Square is full", "write `no s in Square has stone[s] is nothing`"),
        ("phase play: white begins", "write `turns from 1`: who begins is player 1"),
        ("players take turns", "write `phase play: turns from starter`"),
        ("turns from 1", "indent it below a `setup`, a `phase`, a `step` or an `action`"),
    ]),
    (BOARD, "  choose place, else nobody wins\naction place(cell in Square where stone is nothing)", [
        ("  choose step, else nobody wins\naction step(cell in Square where stone is player)",
         "write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`"),
    ]),
    (DICE, "die Die: 1..6, 2 of each", [
        ("dice: 2", "write `die Die: 1..6, 2 of each`"),
        ("2 dice", "write `die Die: 1..6, 2 of each`"),
        ("dice 1..6", "write `die Die: 1..6`"),
    ]),
    (DICE, "  roll all Die into cup\n  repeat", [
        ("  roll the dice\n  repeat", "write `roll all Die into cup`"),
        ("  roll 2 dice\n  repeat", "write `roll all Die into cup`"),
        ("  player rolls both dice\n  repeat", "write `roll all Die into cup`"),
        ("  roll\n  repeat", "write `roll all Die into cup`"),
    ]),
    (DICE, "  if some d in cup has face of d = 1", [
        ("  if any die is 1", "write `some d in cup has face of d = 1`"),
        ("  if a 1 is rolled", "write `some d in cup has face of d = 1`"),
        ("  if cup contains 1", "write `some d in cup has face of d = 1`"),
        ("  if both dice are 1", "write `every d in cup has face of d = 1`"),
        ("  if cup has a 1", "write `some d in cup has face of d = 1`"),
        ("  if both dice are equal", "write `(count of distinct face over cup) = 1`"),
    ]),
    (DICE, "  pot increases by sum of face over cup", [
        ("  pot increases by cup", "for their number, write `count of …`"),
        ("  pot increases by sum of cup", "write `sum of face over cup`"),
        ("  pot = pot + sum of face over cup", "to change something, write `becomes`"),
        ("  add sum of face over cup to pot", "write `pot increases by sum of face over cup`"),
        ("  player gets sum of face over cup points", "write `banked increases by sum of face over cup`"),
        ("  score sum of face over cup", "write `banked increases by sum of face over cup`"),
        ("  pot increases sum of face over cup", "write `by` before it"),
    ]),
    (DICE, "    pot becomes 0\n    end turn", [
        ("    pot becomes 0 and turn ends", "put what comes next on a line of its own, below"),
    ]),
    (DICE, "  banked increases by pot", [
        ("  score pot", "write `banked increases by pot`"),
    ]),
    (DICE, "until some p in players has banked of p >= 100", [
        ("until a player has 100 points", "write `some p in players has banked of p >= 100`"),
        ("until someone reaches 100", "write `some p in players has banked of p >= 100`"),
        ("until any player's banked >= 100", "write `some p in players has banked of p …`, with the condition"),
        ("until one player has banked >= 100", "write `some p in players has banked of p >= 100`"),
    ]),
    (DICE, "number banked of player: 0..200 = 0, clamped", [
        ("score banked", "write `number banked of player: 0..200 = 0`"),
        ("each player has banked: 0..200", "write `number banked of player: 0..200`"),
        ("number banked of each player: 0..200", "write `number banked of player`"),
        ("number banked of player starts at 0", "write its values after a colon, as in `: 0..20 = 0`"),
        ("points banked of player", "write `number banked of player: 0..200 = 0`"),
    ]),
    (DICE, "ranking: highest total, ties share", [
        ("ranking: highest banked wins", "remove `wins`"),
        ("whoever has most points wins", "write `ranking: highest total, ties share`"),
    ]),
    (DICE, "rules 1", [
        ("# Pig", "the first line of a file is `rules 1`"),
    ]),
    (DICE, "  points = banked", [
        ("  banked", "write `points = banked`"),
    ]),
    (BOARD, "phase play: turns from 1\n  choose place, else nobody wins", [
        ("choose place, else nobody wins", "indent it below a `setup`, a `phase`, a `step` or an `action`"),
    ]),
    (CARDS, "zone stock: pile of Card, hidden", [
        ("zone stock: deck of Card, hidden", "write `pile`"),
        ("zone stock: pile of cards, hidden", "did you mean `Card`?"),
        ("zone stock is a pile of Card, hidden", "write `:`"),
    ]),
    (CARDS, "values Colour: red, blue, green", [
        ("values Colour: red, blue, green\nzone column of Colour: pile of Card, public", "write `column[Colour]`"),
        ("values Colour: red, blue, green\nzone column per Colour: pile of Card, public", "write `column[Colour]`"),
        ("values Colour: red, blue, green\nzone won of Colour of player: set of Card, public", "write `won[Colour]`"),
    ]),
    (CARDS, "number passes: 0..20 = 0", [
        ("number passes starts at 0", "write its values after a colon, as in `: 0..20 = 0`"),
        ("passes = 0", "write `number passes: 0..20 = 0`"),
        ("counter passes", "write `number passes of player: 0..200 = 0`"),
        ("number passes: 0 to 20", "write `..`"),
        ("number of passes: 0..20", "remove `of`"),
    ]),
    (CARDS, "values Colour: red, blue, green", [
        ("colours: red, blue, green", "write `values Colour: red, blue, green`"),
        ("values Colour = red, blue, green", "write `:`"),
        ("Colour: red, blue, green", "write `values Colour: red, blue, green`"),
    ]),
    (DICE, "  if some d in cup has face of d = 1\n    pot becomes 0", [
        ("  if a die shows 1\n    pot becomes 0", "write `some d in cup has face of d = 1`"),
    ]),
]  # fmt: skip
SAID = [(game, right, said, hint) for game, right, rows in GROUPS for said, hint in rows]


@pytest.mark.parametrize("game", [CARDS, BOARD, DICE])
def test_the_games_are_right(game: str) -> None:
    assert read_text(game).diagnostics == ()


@pytest.mark.parametrize(("game", "right", "said", "hint"), SAID)
def test_what_a_newcomer_writes_is_mended_at_once(game: str, right: str, said: str, hint: str) -> None:
    assert said_and_mended(game, right, said) == (hint, [])


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
