"""Slips in a race, an auction, a game of sets, of dice and on a board: one hint, and as it says, the file is right."""

from __future__ import annotations

import pytest

from tests.dsl.test_newcomers_words import BOARD as FOUR
from tests.dsl.test_newcomers_words import CARDS
from tests.dsl.test_newcomers_words import DICE as PIG
from tests.editing.mending import find_errors, said_and_mended

RACE = """\
rules 1
game "Turtles"
players 2..4
die Die: 1..6
zone cup: set of Die, public
number field of player: 0..40 = 0, clamped
marker rests of player: yes or no = no
phase race: turns from starter until some p in players has field of p = 40
  if rests
    rests becomes no
    end turn
  roll all Die into cup
  choose run or wait
action run
  field increases by sum of face over cup
  each o in opponents
    if field of o = field
      field of o becomes 0
  if field in {7, 19}
    rests becomes yes
action wait
  needs field > 0 because "nobody waits at the start"
  field increases by 1
score at end
  points = field
ranking: highest total, ties share
"""
AUCTION = """\
rules 1
game "Auction"
players 3..5
card Lot: worth 1..12
zone stock: pile of Lot, hidden
zone offer: row of Lot, public
zone won of player: set of Lot, public
number money of player: 0..30 = 20
number offered of player: 0..30 = 0, private
number highest_bid: 0..30 = 0
marker leader: player or nothing
setup
  shuffle all Lot into stock
phase auctions: repeat until stock is empty
  draw 1 from stock to offer
  all choose make_bid, always possible
  highest_bid becomes highest of offered of q over q in players
  leader becomes the first p from starter where offered of p = highest_bid
  money of leader decreases by offered of leader
  move all offer to won of leader
  each player
    offered becomes 0
action make_bid(n in 0..30)
  needs n <= money because "you cannot pay it"
  offered becomes n
score at end
  lots = sum of worth over won
  left_over = money div 5
ranking: highest total, then highest money, ties share
"""
GEMS = """\
rules 1
game "Gems"
players 2..4
values Gem: ruby, emerald, opal, pearl
card Card: gem Gem, worth 1..3, 2 of each
zone stock: pile of Card, hidden
zone market: row of Card, public, up to 4
zone hand of player: set of Card, private
zone sets of player: set of Card, public
zone discard: pile of Card, public
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
  draw 4 from stock to market
phase collect: turns from starter until stock is empty
  choose take, meld or swap_one, else end turn
action take(card from market)
  move card to hand
  draw up to 1 from stock to market
action meld(3 cards from hand)
  needs (count of distinct gem over c in cards) = 1 because "three of one gem"
  move all cards to sets
  draw up to 1 from stock to hand
action swap_one(given from hand, taken from market)
  move given to discard
  move taken to hand
  draw up to 1 from stock to market
score at end
  gems = sum of worth over sets
  opals = if (count of sets where gem = opal) >= 3 then 5 else 0
ranking: highest total, ties share
"""
FIVES = """\
rules 1
game "Fives"
players 2..4
die Die: 1..6, 5 of each
zone cup: set of Die, public
zone kept of player: set of Die, public
number points_so_far of player: 0..500 = 0, clamped
number throws: 0..3 = 0, each turn
rounds 5
phase throw: one turn each from starter
  roll all Die into cup
  throws becomes 1
  repeat until throws = 3
    choose keep, else end turn
    throws increases by 1
    roll all cup
  points_so_far increases by sum of face over cup
action keep(1..5 dice from cup)
  needs (count of dice where face = 1) = 0
  move all dice to kept
score at end
  points = points_so_far
ranking: highest total, ties share
"""
WALLS = """\
rules 1
game "Walls"
players 2
board Cell: 5 by 5
marker pawn[Cell]: player or nothing
marker wall[Cell]: yes or no = no
number walls of player: 0..6 = 6
setup
  pawn[c1] becomes 1
  pawn[c5] becomes 2
phase play: turns from 1
  choose step or build, else player loses
action step(from in Cell where pawn = player, to in neighbours(from) where pawn is nothing)
  needs not wall[to] because "a wall stands there"
  move from to to
  if ahead(to) is empty
    player wins
action build(cell in Cell where pawn is nothing)
  needs walls > 0 and not wall[cell]
  wall[cell] becomes yes
  walls decreases by 1
"""
ROW = FIVES.replace("zone cup: set of Die", "zone cup: row of Die")

TRICKS = """\
rules 1
game "Tricks"
players 3
values Suit: clubs, hearts, spades
card Card: suit Suit, rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone played of player: place of Card, public
zone won of player: set of Card, public
marker led: Suit or nothing
setup
  shuffle all Card into deck
  deal 4 from deck to each hand
phase tricks: repeat 4 times
  led becomes nothing
  one turn each from starter
    choose follow
  each player
    move all played to won
action follow(card from hand)
  needs led is nothing or suit of card = led or no c in hand has suit of c = led
  led becomes suit of card
  move card to played
score at end
  cards = count of won
ranking: highest total, ties share
"""
BIDS = """\
rules 1
game "Bids"
players 3
number bid: 0..6 = 0
marker has_passed of player: yes or no = no
phase bidding: turns from starter skipping has_passed until every p in players has has_passed of p
  choose raise_it or pass
action raise_it
  needs bid < 6
  bid increases by 1
action pass
  has_passed becomes yes
score at end
  bids = bid
ranking: highest total, ties share
"""
FROGS = """\
rules 1
game "Frogs"
players 2
board Square: 5 by 5
marker frog[Square]: player or nothing
setup
  each s in Square where row = 1
    frog[s] becomes 1
  each s in Square where row = 5
    frog[s] becomes 2
phase play: turns from starter
  choose jump, else player loses
action jump(from in Square where frog = player, to in neighbours(from, 2) where frog is nothing)
  needs some s in between(from, to) has frog[s] = opponent
  clear all between(from, to)
  move from to to
"""

# The game, what stands there; what is written in its place, the hint.
GROUPS: list[tuple[str, str, list[tuple[str, str]]]] = [
    (PIG, "  banked increases by pot", [
        ("  bank pot", "write `banked increases by pot`"),
    ]),
    (PIG, "  if some d in cup has face of d = 1", [
        ("  if roll is 1", "write `some d in cup has face of d = 1`"),
        ("  if highest die = 1", "write `(highest of face over cup)`"),
        ("  if sum of face over cup is 7", "write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`"),
        ("  if double 6", "write `every d in cup has face of d = 6`"),
        ("  if two dice are equal", "write `(count of distinct face over cup) = 1`"),
        ("  if rolled a 1", "write `some d in cup has face of d = 1`"),
        ("  if a die shows 1", "write `some d in cup has face of d = 1`"),
        ("  if 1 is rolled", "write `some d in cup has face of d = 1`"),
        ("  if player rolls a 1", "write `some d in cup has face of d = 1`"),
    ]),
    (FOUR, "  if some line of 4 in Square has stone = player", [
        ("  if line of 4", "write `some line of 4 in Square has stone = player`"),
        ("  if player has line of 4", "write `some line of 4 in Square has stone = player`"),
        ("  if there is a line of 4", "write `some line of 4 in Square has stone = player`"),
        ("  if line of 4 stones", "write `some line of 4 in Square has stone = player`"),
        ("  if player makes a line of 4", "write `some line of 4 in Square has stone = player`"),
    ]),
    (CARDS, "number passes: 0..20 = 0", [
        ("number passes: 0..20 = 0\noption most: {1, 3} = 3\nalways \"few\": passes <= players * most",
         "write `option most: 1 or 3 = …`"),
    ]),
    (CARDS, "values Colour: red, blue, green", [
        ("3 colours", "write `values Colour: red, blue, green`"),
        ("three colours: red, blue, green", "write `values Colour: red, blue, green`"),
        ("colours: 3", "write `values Colour: red, blue, green`"),
    ]),
    (PIG, "  pot increases by sum of face over cup", [
        ("  pot increases by highest die", "write `(highest of face over cup)`"),
    ]),
    (RACE, "  field increases by sum of face over cup", [
        ("  move player forward by sum of face over cup", "write `field increases by sum of face over cup`"),
        ("  field of player moves forward 3", "write `field increases by 3`"),
        ("  advance field by sum of face over cup", "write `field increases by sum of face over cup`"),
    ]),
    (RACE, "number field of player: 0..40 = 0, clamped", [
        ("each player starts at field 0", "write `number field of player: 0..100 = 0, clamped`"),
        ("track: 40 fields", "write `number field of player: 0..40 = 0, clamped`"),
    ]),
    (RACE, "phase race: turns from starter until some p in players has field of p = 40", [
        ("phase race: turns from starter until a player reaches field 40",
         "write `some p in players has field of p >= 40`"),
        ("phase race: turns from starter until the first player reaches 40",
         "write `some p in players has field of p >= 40`"),
    ]),
    (RACE, "  if rests", [
        ("  if player rests", "write `rests`"),
    ]),
    (RACE, "    rests becomes no\n    end turn", [
        ("    rests becomes no\n    skip turn", "write `end turn`"),
    ]),
    (RACE, "  if field in {7, 19}", [
        ("  if field = 7 or 19", "write `field in {7, 19}`"),
        ("  if player lands on 7", "write `field = 7`"),
    ]),
    (RACE, "    if field of o = field\n      field of o becomes 0", [
        ("    if o is on the same field\n      field of o becomes 0", "write `field of o = field`"),
        ("    if field of o = field\n      send o back to start", "write `field of o becomes 0`"),
    ]),
    (AUCTION, "  all choose make_bid, always possible", [
        ("  all players bid secretly", "write `all choose make_bid`"),
        ("  everyone chooses make_bid at the same time", "write `all choose make_bid`"),
    ]),
    (AUCTION, "  leader becomes the first p from starter where offered of p = highest_bid", [
        ("  leader becomes player with highest offered", "write `the p in players with highest offered of p`"),
    ]),
    (AUCTION, "  money of leader decreases by offered of leader", [
        ("  leader pays offered of leader", "write `money of leader decreases by offered of leader`"),
    ]),
    (AUCTION, "  move all offer to won of leader", [
        ("  leader takes offer", "write `move all offer to won of leader`"),
    ]),
    (AUCTION, "  needs n <= money because \"you cannot pay it\"", [
        ("  needs n is not more than money", "write `<=`"),
    ]),
    (AUCTION, "number money of player: 0..30 = 20", [
        ("money of player: 20", "write `number money of player: 0..100 = 20, clamped`"),
        ("players start with 20 money", "write `number money of player: 0..100 = 20, clamped`"),
    ]),
    (AUCTION, "  left_over = money div 5", [
        ("  left_over = 1 point per 5 money", "write `left_over = money div 5`"),
    ]),
    (GEMS, "zone market: row of Card, public, up to 4", [
        ("zone market: row of 4 cards, public", "write `zone market: row of Card, public, up to 4`"),
        ("market: 4 face up cards", "write `zone market: row of Card, public, up to 4`"),
    ]),
    (GEMS, "  move card to hand\n  draw up to 1 from stock to market", [
        ("  move card to hand\n  refill market to 4", "write `draw up to 4 - count of market from stock to market`"),
        ("  move card to hand\n  refill the market", "write `draw up to 1 from stock to market`"),
    ]),
    (GEMS, "  needs (count of distinct gem over c in cards) = 1 because \"three of one gem\"", [
        ("  needs all cards have the same gem", "write `(count of distinct gem over cards) = 1`"),
        ("  needs cards are same gem", "write `(count of distinct gem over cards) = 1`"),
    ]),
    (GEMS, "action meld(3 cards from hand)", [
        ("action meld(three cards from hand)", "write `3`"),
        ("action meld(3 cards of the same gem from hand)",
         "remove it here, and write `needs (count of distinct gem over cards) = 1` below, indented"),
    ]),
    (GEMS, "action take(card from market)", [
        ("action take(one card from the market)", "remove `one`"),
        ("action take a card from market", "write `take(card from market)`"),
    ]),
    (GEMS, "  choose take, meld or swap_one, else end turn", [
        ("  choose two of take, meld or swap_one",
         "write `repeat 2 times`, and `choose take, meld or swap_one` below it, indented"),
        ("  choose one of: take, meld, swap_one", "write `choose take, meld or swap_one`"),
    ]),
    (FIVES, "    roll all cup", [
        ("    reroll the rest", "write `roll all cup`"),
        ("    roll remaining dice", "write `roll all cup`"),
    ]),
    (FIVES, "  repeat until throws = 3", [
        ("  up to 3 times", "write `repeat 3 times`"),
        ("  repeat up to 3 times", "write `repeat 3 times`"),
    ]),
    (FIVES, "action keep(1..5 dice from cup)", [
        ("action keep(any dice from cup)", "write `1..9 dice from …`, with as many as there can be"),
        ("action keep(some dice)", "write `1..5 dice from cup`"),
    ]),
    (FIVES, "  needs (count of dice where face = 1) = 0", [
        ("  needs no ones in dice", "write `no d in cup has face of d = 1`"),
        ("  needs no die shows 1", "write `no d in cup has face of d = 1`"),
    ]),
    (FIVES, "  points_so_far increases by sum of face over cup", [
        ("  score the sum of all dice", "write `points_so_far increases by sum of face over cup`"),
    ]),
    (FIVES, "rounds 5", [
        ("play 5 rounds", "write `rounds 5`"),
    ]),
    (WALLS, "action step(from in Cell where pawn = player, to in neighbours(from) where pawn is nothing)", [
        ("action step(move pawn to neighbour)",
         "write `from in Cell where pawn = player, to in neighbours(from) where pawn is nothing`"),
    ]),
    (WALLS, "  needs not wall[to] because \"a wall stands there\"", [
        ("  needs no wall on to", "write `not wall[to]`"),
        ("  needs to has no wall", "write `not wall[to]`"),
    ]),
    (WALLS, "  move from to to", [
        ("  move pawn from from to to", "write `move from to to`"),
    ]),
    (WALLS, "  if ahead(to) is empty", [
        ("  if pawn reaches the last row", "write `ahead(to) is empty`"),
        ("  if to is in the last row", "write `ahead(to) is empty`"),
        ("  if to is on row 5", "write `row of to = 5`"),
    ]),
    (WALLS, "  pawn[c1] becomes 1", [
        ("  place pawn of 1 on c1", "write `pawn[c1] becomes 1`"),
        ("  pawn of 1 starts at c1", "write `pawn[c1] becomes 1`"),
    ]),
    (WALLS, "  wall[cell] becomes yes", [
        ("  place wall on cell", "write `wall[cell] becomes yes`"),
        ("  build a wall on cell", "write `wall[cell] becomes yes`"),
    ]),
    (WALLS, "  walls decreases by 1", [
        ("  player loses a wall", "write `walls decreases by 1`"),
        ("  use a wall", "write `walls decreases by 1`"),
    ]),
    (RACE, "  choose run or wait", [
        ("  player may run or wait", "write `choose run or wait`"),
    ]),
    (RACE, "  roll all Die into cup", [
        ("  roll one die", "write `roll all Die into cup`"),
        ("  throw the die", "write `roll all Die into cup`"),
    ]),
    (RACE, "    if field of o = field", [
        ("    if field of o is same as field", "write `=`"),
    ]),
    (AUCTION, "phase auctions: repeat until stock is empty", [
        ("phase auctions: for each card in stock", "write `repeat until stock is empty`"),
    ]),
    (AUCTION, "  each player\n    offered becomes 0", [
        ("  all offered becomes 0", "write `each player`, and `offered becomes 0` below it, indented"),
    ]),
    (AUCTION, "  lots = sum of worth over won", [
        ("  lots = total worth of won", "write `sum of worth over won`"),
    ]),
    (AUCTION, "ranking: highest total, then highest money, ties share", [
        ("ranking: highest total, tie broken by money", "write `then highest money, ties share`"),
        ("ranking: highest total, then most money", "write `highest`"),
    ]),
    (GEMS, "  move card to hand", [
        ("  add card to hand", "write `move card to hand`"),
        ("  card goes to hand", "write `move card to hand`"),
    ]),
    (GEMS, "zone sets of player: set of Card, public", [
        ("zone sets in front of player: set of Card, public", "write `of player`"),
    ]),
    (GEMS, "  deal 3 from stock to each hand", [
        ("  each player gets 3 cards", "write `deal 3 from stock to each hand`"),
    ]),
    (GEMS, "ranking: highest total, ties share", [
        ("most points wins", "write `ranking: highest total, ties share`"),
    ]),
    (FIVES, "die Die: 1..6, 5 of each", [
        ("5 dice with 6 sides", "write `die Die: 1..6, 5 of each`"),
    ]),
    (FIVES, "    choose keep, else end turn", [
        ("    choose which dice to keep", "write `choose keep`"),
        ("    choose keep or end turn", "write `choose keep, else end turn`"),
    ]),
    (WALLS, "  choose step or build, else player loses", [
        ("  player must step or build", "write `choose step or build`"),
    ]),
    (WALLS, "    player wins", [
        ("    game over, player wins", "write `player wins`"),
        ("    player is the winner", "write `player wins`"),
    ]),
    (WALLS, "number walls of player: 0..6 = 6", [
        ("each player has 6 walls", "write `number walls of player: 0..6 = 6`"),
    ]),
    (WALLS, "  needs walls > 0 and not wall[cell]", [
        ("  needs player has walls left and not wall[cell]", "write `walls > 0`"),
    ]),
    (WALLS, "  needs not wall[to] because \"a wall stands there\"", [
        ("  needs to is not a wall", "write `not wall[to]`"),
        ("  needs to is not a pawn", "write `pawn[to] is nothing`"),
    ]),
    (WALLS, "  move from to to", [
        ("  move pawn to to", "write `move from to to`"),
    ]),
    (WALLS, "action step(from in Cell where pawn = player, to in neighbours(from) where pawn is nothing)", [
        ("action step(to in empty neighbours of from)",
         "write `from in Cell where pawn = player, to in neighbours(from) where pawn is nothing`"),
    ]),
    (WALLS, "marker pawn[Cell]: player or nothing", [
        ("each player has one pawn", "write `marker pawn[Cell]: player or nothing`"),
    ]),
    (ROW, "  needs (count of dice where face = 1) = 0", [
        ("  needs first die = 1", "write `face of first of cup`"),
        ("  needs the second die is 6", "write `face of item 2 of cup = 6`"),
    ]),
    (GEMS, "card Card: gem Gem, worth 1..3, 2 of each", [
        ("24 cards: gem Gem, worth 1..3, 2 of each", "write `card Card: gem Gem, worth 1..3, 2 of each`"),
        ("24 cards: gem Gem, worth 1 to 3", "write `card Card: gem Gem, worth 1..3, 2 of each`"),
        ("24 cards: 4 gems, worth 1..3", "write `card Card: gem Gem, worth 1..3, 2 of each`"),
        ("card Card: gem Gem, worth 1..3, 2 have of each", "remove `have`"),
        ("card Card: gem Gem, worth 1..3, have 2 of each", "remove `have`"),
    ]),
    (CARDS.replace("rank of given <= rank", "colour of given = colour").replace("sum of rank over", "count of"),
     "card Card: colour Colour, rank 1..6", [
        ("card Card: 6 of each colour", "write `card Card: colour Colour, 6 of each`"),
    ]),
    (GEMS, "phase collect: turns from starter until stock is empty", [
        ("phase collect: until the stock is empty",
         "write `turns from starter until …`, or `repeat until …` where nobody has turns"),
    ]),
    (GEMS, "  deal 3 from stock to each hand", [
        ("  deal 3 Card to each hand", "write `from stock`"),
        ("  deal 3 Piece to each hand", "write `from stock`"),
    ]),
    (GEMS, "  move all cards to sets\n  draw up to 1 from stock to hand", [
        ("  move all cards to sets\n  move 1 from stock to hand", "write `draw 1 from stock to hand`"),
    ]),
    (AUCTION, "  lots = sum of worth over won", [
        ("  lots = worth of all won", "write `sum of worth over won`"),
        ("  lots = total worth of all won", "write `sum of worth over won`"),
        ("  lots = sum of worth of all cards in won", "write `sum of worth over won`"),
    ]),
    (AUCTION, "  each player\n    offered becomes 0", [
        ("  reset all offered", "write `each player`, and `offered becomes 0` below it, indented"),
        ("  reset highest_bid", "write `highest_bid becomes 0`"),
    ]),
    (AUCTION, "  needs n <= money because \"you cannot pay it\"", [
        ("  needs n <= money otherwise pass",
         "remove `otherwise pass`; say it where the action is offered: `choose …, else end turn`"),
    ]),
    (TRICKS, "  needs led is nothing or suit of card = led or no c in hand has suit of c = led", [
        ("  needs suit of card = led if possible", "write `or no c in hand has suit of c = led`"),
    ]),
    (TRICKS, "  deal 4 from deck to each hand", [
        ("  deal all cards", "write `deal count of deck div players from deck to each hand`"),
    ]),
    (FROGS, "  clear all between(from, to)", [
        ("  capture the frog between from and to", "write `clear all between(from, to)`"),
        ("  remove frog between from and to", "write `clear all between(from, to)`"),
    ]),
    (FROGS, "  needs some s in between(from, to) has frog[s] = opponent", [
        ("  needs opponent between from and to", "write `some s in between(from, to) has frog[s] = opponent`"),
    ]),
    (FROGS, "  each s in Square where row = 1\n    frog[s] becomes 1", [
        ("  fill row 1 with frogs of 1",
         "write `each s in Square where row = 1`, and below it, indented, `frog[s] becomes 1`"),
        ("  place frogs of 1 on row 1",
         "write `each s in Square where row = 1`, and below it, indented, `frog[s] becomes 1`"),
    ]),
    (FROGS, "phase play: turns from starter", [
        ("phase play: turns", "write `turns from starter`"),
        ("phase play: turns from starter, draw after 60 turns", "write `, at most 60 turns`"),
    ]),
    (BIDS, "until every p in players has has_passed of p", [
        ("until everyone has passed", "write `every p in players has has_passed of p`"),
        ("until all players have passed", "write `every p in players has has_passed of p`"),
        ("until all but one have passed", "write `(count of players where not has_passed of it) <= 1`"),
        ("until only one player has not passed", "write `(count of players where not has_passed of it) <= 1`"),
    ]),
]  # fmt: skip
SAID = [(game, right, said, hint) for game, right, rows in GROUPS for said, hint in rows]

# Where a hint leaves something to its reader: the game, what stands there, what is said, a part of the hint, what is
# written then.
FOLLOWED = [
    (PIG, "  if some d in cup has face of d = 1", "  if double",
     "`(count of distinct face over cup) = 1`", "  if (count of distinct face over cup) = 1"),
    (PIG, "  if some d in cup has face of d = 1", "  if roll = 1",
     "`some d in cup has face of d = 1`", "  if some d in cup has face of d = 1"),
    (PIG, "  if some d in cup has face of d = 1", "  if roll = 7",
     "`sum of face over cup`", "  if sum of face over cup = 7"),
    (PIG, "  repeat until pot = 200\n    choose again or stop\naction again",
     "  repeat until stop\n    choose again or stop\naction again",
     "`marker is_done: yes or no = no, each turn`, below the action `is_done becomes yes`, and here `is_done`",
     "  repeat until is_done\n    choose again, stop or leave\nmarker is_done: yes or no = no, each turn\n"
     "action leave\n  is_done becomes yes\naction again"),
    (PIG, "  repeat until pot = 200\n    choose again or stop\naction again",
     "  repeat until player stops\n    choose again or stop\naction again",
     "`marker is_done: yes or no = no, each turn`, below the action `is_done becomes yes`, and here `is_done`",
     "  repeat until is_done\n    choose again, stop or leave\nmarker is_done: yes or no = no, each turn\n"
     "action leave\n  is_done becomes yes\naction again"),
    (FOUR, "  if some line of 4 in Square has stone = player\n    player wins", "  if player has won\n    end game",
     "ask how it comes to that, as in `if hand is empty`, and write `player wins` below it, indented",
     "  if some line of 4 in Square has stone = player\n    player wins"),
    (FOUR, "  choose place, else nobody wins\n", "  choose place, else nobody wins\n  jump over stone\n",
     "choose where it begins and ends, `action jump(from in Square where stone = player, to in neighbours(from, 2) ",
     "  choose place or jump, else nobody wins\n"
     "action jump(from in Square where stone = player, to in neighbours(from, 2) where stone is nothing)\n"
     "  move from to to\n  clear all between(from, to)\n"),
    (WALLS, "  choose step or build, else player loses", "  choose step or build, else player loses\n"
     "  if player cannot move player loses", "`choose …, else player loses`",
     "  choose step or build, else player loses"),
    (AUCTION, "  money of leader decreases by offered of leader", "  leader pays his bid",
     "write `money of leader decreases by …`", "  money of leader decreases by offered of leader"),
    (AUCTION, "  move all offer to won of leader", "  leader gets the card",
     "to won of leader`, with the zone it comes to", "  move all offer to won of leader"),
    (RACE, "    rests becomes yes", "    skip next turn",
     "keep in a marker that somebody waits: `marker rests of player: yes or no = no`", "    rests becomes yes"),
    (WALLS, "  choose step or build, else player loses",
     "  choose step or build\n  if no move is possible player loses", "`choose …, else player loses`",
     "  choose step or build, else player loses"),
    (FIVES, "  move all dice to kept", "  set dice aside",
     "write `move dice to …`, with the zone where it lies then", "  move all dice to kept"),
    (GEMS, "  opals = if (count of sets where gem = opal) >= 3 then 5 else 0", "  opals = 5 for 3 opals",
     "write `if (count of … where …) >= 3 then 5 else 0`",
     "  opals = if (count of sets where gem = opal) >= 3 then 5 else 0"),
    (GEMS, "action swap_one(given from hand, taken from market)\n  move given to discard",
     "action swap_one(taken from market)\n  move 1 from hand to discard",
     "choose in the brackets of the action, `(card from hand)`, and write `move card to discard`",
     "action swap_one(card from hand, taken from market)\n  move card to discard"),
    (AUCTION, "  each player\n    offered becomes 0", "  reset all bids",
     "write `each player`, and below it, indented, what becomes of it: `money becomes 20`, `offered becomes 0`",
     "  each player\n    offered becomes 0"),
    (WALLS, "setup\n", "each player has one pawn\nsetup\n",
     "say in the `setup` where it begins: `pawn[…] becomes 1`, `pawn[…] becomes 2`", "setup\n"),
    (FIVES, "zone cup: set of Die, public\n", "zone cup: set of Die, public\nnever \"one\": first die = 7\n",
     "declare `zone cup: row of Die, public`, and write `face of first of cup` here",
     "zone cup: row of Die, public\nnever \"one\": face of first of cup = 7\n"),
]  # fmt: skip


@pytest.mark.parametrize("game", [RACE, AUCTION, GEMS, FIVES, WALLS, TRICKS, BIDS, FROGS])
def test_the_games_are_right(game: str) -> None:
    assert find_errors(game) == []


@pytest.mark.parametrize(("game", "right", "said", "hint"), SAID)
def test_what_is_said_is_mended_at_once(game: str, right: str, said: str, hint: str) -> None:
    assert said_and_mended(game, right, said) == (hint, [])


@pytest.mark.parametrize(("game", "right", "said", "hint", "written"), FOLLOWED)
def test_a_hint_leads_to_a_right_file(game: str, right: str, said: str, hint: str, written: str) -> None:
    assert game.count(right) == 1
    (found,) = find_errors(game.replace(right, said))
    assert hint in (found.hint or "")
    assert find_errors(game.replace(right, written)) == []
