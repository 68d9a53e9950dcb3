"""What the compiler had to learn late: several chosen at once, fractions, large tables, orders, piles put on piles.

Each in a rulebook of its own: the same findings, questions and positions on both engines.
"""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.flow.asked_games import lower_asked_games
from rulesrun.interpreter.native.flow.engine import simulate
from rulesrun.interpreter.native.flow.random_games import lower_random_games
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import program, table
from tests.native.both import differences, quick_engine, quick_positions
from tests.native.test_positions import play_by_reference, stuck, walk

CARDS = """
values Colour: red, blue
card Card: colour Colour, rank 1..5{copies}
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, public
number n: 0..100000
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
phase play: one turn each from 1
"""

RULEBOOKS = {
    "several components at once": """
  choose go, other or pass
action go(2..3 cards from hand)
  move all cards to line
action other(1..2 cards from hand where colour = red, c from hand)
  needs c not in cards
  needs (count of distinct rank over d in cards) = count of cards
  move cards to line
  move c to stock
action pass
always "few lie there": count of line <= 9
score at end
  points = sum of rank over c in line
""",
    "several at once, all together": """
  all choose go, one or pass
action go(2 cards from hand)
  needs (sum of rank over c in cards) > 4
  each c in cards where rank of c > 2
    move c to line
action one(c from hand)
  move c to line
action pass
after go "as many": count of line >= before (count of line)
score at end
  points = sum of rank over c in hand
""",
    "none at once, as many as another choice says, values at once": """
  choose go, some_values or pass
  if can go
    choose go
action go(k in 0..2, 0..count of hand cards from hand)
  needs count of cards <= k
  move all cards to line
action some_values(1..2 ks in 1..4, 1..2 cs in Colour)
  needs no k in ks has k in {2, 3}
  n becomes sum of ks
  if red in cs
    n increases by 1
action pass
score at end
  points = n + sum of rank over c in hand
""",
    "fractions": """
  if average > 5 / 2 or average + 1 / 3 in 2..4
    choose go
  otherwise
    choose go or pass
define average = if hand is empty then 0 else (sum of rank over hand) / (count of hand)
action go(c from hand)
  needs rank of c / 2 < average
  move c to line
action pass
always "an average": average <= 5 and average * 2 = average + average
can happen "alike": average of 1 = average of 2
score at end
  points = average
  more = count of hand / 2 + players / 3
ranking: highest average, highest more, ties share
""",
    "fractions through tables, definitions, sheets": """
  roll m
  choose go or pass
rounds 3
number m: 0..20
table price(c Colour): red: 1 / 2, blue: 3 / 4
define share(k 1..4) = m / k
action go(k in 1..4)
  needs share(k) mod 1 = 0
  m becomes m / k
action pass
  m becomes m div (3 / 2)
score each round
  points = -share(3) * share(2) + price(red)
  q = largest(price(red), price(blue), m / 7) + (if m > 3 then 1 / 2 else m)
score at end
  r = counted(points) / 2 + latest(q)
  s = (sum of (rank / 2) over c in hand) - (highest of (rank / 3) over hand)
ranking: highest latest(total), lowest counted(q), ties share
result: good when (some p in players has total of p > 7 / 2), otherwise bad
""",
    "distinct of anything": """
  choose go
action go(c from hand)
  move c to line
  n becomes count of distinct (rank * 1000) over d in hand
  n increases by sum of distinct (rank * 1000) over d in hand
  n increases by count of (list of distinct rank over hand) + count of distinct (rank / 2) over d in hand
score at end
  points = n + highest of (sorted of distinct rank over d in line)
""",
    "orders given to others": """
  shuffle k
  shuffle w[2]
  m becomes k
  w[1] becomes w[2]
  choose go
  m becomes {2, 3, 1}
marker m: order of 1..3
marker k: order of 1..3
marker w[1..2]: order of Colour
action go
score at end
  points = m[1] * 10 + k[1] + (if w[1] = w[2] then 100 else 0) + (if item 1 of w[1] = red then 1000 else 0)
""",
    "some shuffled in, all that fit from everywhere": """
  if (count of hand where colour = red) > 1
    shuffle 1 of (hand where colour = red and rank = rank of (the c in hand with highest rank of c)) into stock
  choose go
action go(c from hand)
  move all (Card where rank = rank of c or rank = 2) to stock
  draw up to 4 from stock to line
score at end
  points = count of hand + sum of rank over c in line
""",
    "shuffled piles put on and under one another": """
  choose go
  roll b
  if b
    move all stock to other
    choose more or less
    draw up to 4 from other to hand
    move all other to bottom of stock
  move all hand to stock
  draw up to 3 from stock to line
  move all line to bottom of other
  move all stock to bottom of other
  draw up to 3 from other to line
  draw up to 2 from other where rank > 2 to third
  shuffle third
  draw up to 1 from third to line
zone other: pile of Card, hidden
zone third: pile of Card, hidden, up to 30
marker b: yes or no
action go(c from hand)
  move c to bottom of other
action more(c from hand)
  move c to other
action less
  shuffle other
  shuffle stock
score at end
  points = sum of (rank of c * position(c, line)) over c in line
""",
    "tables asked with nothing, long ranges, nothing in a zone": """
  choose go or come
  n becomes t(who, 1) + t(who, 2) + count of ((0..(n mod 1000) + 3000) where it mod 7 = 0)
  if last in hand
    n increases by 1
marker who: player or nothing
marker last: Card or nothing
table t(p player or nothing, k 1..2): nothing: 5 + k, 1: 7, otherwise: 3 + k
action go(c from hand)
  move c to line
  last becomes c
action come
  who becomes player
score at end
  points = n
  long = sum of x over x in 1..2000
""",
}


def made(name: str, copies: str) -> Table:
    return table(CARDS.replace("{copies}", copies) + RULEBOOKS[name].lstrip("\n"))


@pytest.mark.parametrize("copies", ["", ", 2 of each"])
@pytest.mark.parametrize("name", list(RULEBOOKS))
def test_the_same_on_both_engines(name: str, copies: str) -> None:
    rules = made(name, copies)
    assert differences(rules, 30, seed=2, engine=quick_engine(rules)) == []
    positions = quick_positions(rules)
    for seed in range(2):
        chance, again = Random(seed), Random(seed)
        ours = stuck(partial(walk, rules, positions, chance.randrange))
        assert ours == stuck(partial(play_by_reference, rules, again.randrange))


@pytest.mark.parametrize("length", [12, 13, 21, 52])
def test_orders_of_many_values(length: int) -> None:
    rules = table(f"""
marker w: order of 1..{length}
phase play: repeat 2 times
  shuffle w
  choose go
action go
score at end
  points = w[1] * 7 + w[2] + position(3, w)
  all_of_it = sum of (k * w[k]) over k in 1..{length}
""")
    assert differences(rules, 8, engine=quick_engine(rules)) == []


def test_fine_chances() -> None:
    rules = table("""
marker w: 1..4
marker v: 1..4
marker u: 1..2
phase play: repeat 2 times
  roll w with chances 2, 0, 3000, 3
  roll v with chances 1, 100000000000, 3, 100000000000
  roll u with chances 4294967296, 1
  choose go
action go
score at end
  points = w * 100 + v * 10 + u
""")
    assert differences(rules, 60, engine=quick_engine(rules)) == []


MANY_SEATS = """
number bid of player: 0..20
number die of player: 1..6
zone hand of player: set of Card, private
card Card: rank 1..200
zone stock: pile of Card, hidden
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase throw: one turn each from starter
  roll die
phase play
  all choose go or give
action go(k in 0..2)
  bid becomes k
action give(c from hand)
  move c to bottom of stock
score at end
  points = bid + die
ranking: highest points, lowest count of hand, highest (sorted of rank over hand) when players mod 2 = 0, ties share
always "one": no p in players has die of p = 6 and bid of p = 2 and p = 3
"""


@pytest.mark.parametrize("players", [6, 7, 12])
def test_many_players(players: int) -> None:
    rules = set_up_table(program(MANY_SEATS, str(players)), players, {})
    assert differences(rules, 30, engine=quick_engine(rules)) == []
    chance = Random(players)
    assert walk(rules, quick_positions(rules), chance.randrange) > 3 * players


def test_so_many_games_of_many_players_that_their_places_are_read_in_between() -> None:
    rules = set_up_table(program("number die of player: 1..2\nphase play: one turn each from 1\n  roll die\n"
                           "score at end\n  points = die\n", "7"), 7, {})
    found = simulate(quick_engine(rules), 3, 3000)
    assert sum(found.places.values()) == 3000
    assert differences(rules, 1500, engine=quick_engine(rules)) == []


def test_a_position_of_more_than_64_kilobytes() -> None:
    rules = table("""
card Card: rank 1..200, k 1..10, 3 of each
zone stock: pile of Card, hidden
zone line[1..3] of player: row of Card, public
setup
  shuffle all Card into stock
  deal 3 from stock to each line
phase play: one turn each from 1
  choose take
action take(c from line[1])
  move c to line[2]
score at end
  points = sum of rank over c in line[2]
""".replace("deal 3 from stock to each line", "draw 3 from stock to line[1]"))
    assert lower_table(rules, lower_random_games).plan.size > 1 << 16
    assert differences(rules, 4, engine=quick_engine(rules)) == []


# ---- what is refused


REFUSED = {
    "more than sixty things that can happen": (lower_random_games, "too many properties", """
number n: 0..3
phase play: one turn each from 1
  choose go
action go
""" + "\n".join(f'can happen "property {number}": n < {number}' for number in range(10, 75))),
    "questions about an order of more than twenty values": (lower_asked_games, "an order of 21 values", """
marker w: order of 1..21
phase play
  shuffle w
  choose go
action go
"""),
    "points in fractions that hang on their own sum": (lower_random_games, "hang on themselves", """
number n: 1..300
rounds 2
phase play
  choose go
action go
score each round
  more = latest(total) / n
score at end
  points = 1
""".replace("latest(total) / n", "total / n")),
    "a thousand components at once": (lower_random_games, "chosen at once", """
token Token: kind 1..2, 2000 of each
zone pool: set of Token, public
setup
  move all Token to pool
phase play
  choose go
action go(1..2000 tokens from pool)
"""),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_is_refused_says_why(name: str) -> None:
    write, reason, text = REFUSED[name]
    if "score" not in text:
        text += "\nscore at end\n  points = 1\n"
    rules = table(text)
    with pytest.raises(CannotCompile, match=reason):
        lower_table(rules, write)
