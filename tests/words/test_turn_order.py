"""Turns to the right, and whose turn comes next by rule: beside a program written apart, and beside older words."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.secrecy.information_flow import flows_of
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from tests.native.both import differences, quick_engine
from tests.words.twins import MOST, assert_alike, errors_of, is_laid_out, table_of

# Cards one can turn round, jump over somebody, or lay plainly; who has laid all cards is passed over.
TURNED = """rules 1
game "Made"
players 3

values Way: on, back
values Kind: plain, turned, jump
piece Card: owner player, kind Kind

zone hand of player: set of Card, public
zone heap: pile of Card, public

marker way: Way
marker jumps: yes or no, each turn

define neighbour = if way = on then left of player else right of player

setup
  move all Card to heap
  each c in heap
    move c to hand of owner of c

phase play: turns from 2, next if jumps then neighbour of neighbour else neighbour skipping hand is empty
  choose lay

action lay(c from hand where owner = player)
  move c to heap
  if kind of c = turned
    way becomes if way = on then back else on
  jumps becomes kind of c = jump

score at end
  points = count of hand

ranking: lowest total, ties share
"""


def histories(hands: tuple[frozenset[str], ...], seat: int, way: int) -> tuple[int, Fraction]:
    """Written apart: games from here, and how many decisions a random one has. Nobody has cards: it is over."""
    looked = 0
    while not hands[seat] and looked < 3:
        seat, looked = (seat + way) % 3, looked + 1
    if looked == 3:
        return 1, Fraction(0)
    games, decisions = 0, Fraction(0)
    for card in hands[seat]:
        left = tuple(one - {card} if at == seat else one for at, one in enumerate(hands))
        turned = -way if card == "turned" else way
        after = (seat + turned * (2 if card == "jump" else 1)) % 3
        below, mean = histories(left, after, turned)
        games, decisions = games + below, decisions + (mean + 1) / len(hands[seat])
    return games, decisions


def test_direction_and_jumps_beside_a_program_written_apart() -> None:
    table = table_of(TURNED, 3)
    counted = count_tree(table, MOST)
    whole = frozenset({"plain", "turned", "jump"})
    games, decisions = histories((whole,) * 3, 1, 1)
    assert counted.terminals == games
    assert decisions == 9
    assert differences(table, 60, seed=1, engine=quick_engine(table), limit=200) == []


def test_it_is_laid_out_as_it_is_written() -> None:
    assert is_laid_out(TURNED)
    said = TURNED.replace("next if jumps then neighbour of neighbour else neighbour", "next right of player")
    assert not is_laid_out(said)
    assert is_laid_out(said.replace("next right of player", "to the right"))
    once = "one turn each from 2, to the right except 1"
    assert is_laid_out(said.replace("turns from 2, next right of player", once))
    assert not is_laid_out(said.replace("next right of player", "to the left"))


RIGHT = """rules 1
game "Made"
players 3

number chips of player: 0..9 = 1
number n: 0..9

phase play: one turn each from 2, to the right skipping chips > 2
  choose take or give

phase more: turns from left of starter, to the right skipping chips = 0 until n > 7
  choose take or give

action take
  n increases by 1
  chips becomes smallest(9, chips + 1)

action give
  needs chips > 0
  n increases by 1
  chips decreases by 1
  chips of right of player becomes smallest(9, chips of right of player + 1)

ranking: highest chips, ties share
"""


Chips = tuple[int, ...]


def ways_to_choose(chips: Chips, seat: int) -> list[Chips]:
    """Written apart: to take a chip, or to give one to the right."""
    taken = tuple(min(9, have + (at == seat)) for at, have in enumerate(chips))
    to = (seat - 1) % 3
    given = tuple(have - (at == seat) + (at == to) for at, have in enumerate(chips))
    return [taken] if not chips[seat] else [taken, given]


def ends_after_one_turn_each(chips: Chips, order: tuple[int, ...], n: int) -> int:
    if not order:
        return ends_after_more(chips, 2, n)
    if chips[order[0]] > 2:
        return ends_after_one_turn_each(chips, order[1:], n)
    return sum(ends_after_one_turn_each(one, order[1:], n + 1) for one in ways_to_choose(chips, order[0]))


def ends_after_more(chips: Chips, seat: int, n: int) -> int:
    if n > 7:
        return 1
    here = next((seat - step) % 3 for step in range(3) if chips[(seat - step) % 3] > 0)  # somebody has chips
    return sum(ends_after_more(one, (here - 1) % 3, n + 1) for one in ways_to_choose(chips, here))


def test_to_the_right_beside_a_program_written_apart() -> None:
    text = RIGHT.replace("left of starter", "3")
    table = table_of(text, 3)
    assert count_tree(table, MOST).terminals == ends_after_one_turn_each((1, 1, 1), (1, 0, 2), 0)
    assert differences(table, 100, seed=2, engine=quick_engine(table), limit=200) == []


def test_to_the_right_is_whoever_sits_right_of_the_player() -> None:
    assert_alike(RIGHT, RIGHT.replace("starter, to the right", "starter, next right of player"), 3)


ROUND = """rules 1
game "Made"
players 3

values Way: on, back

number chips of player: 0..3 = 1

marker way: Way

setup
  draw lots for starter

phase play: turns from starter, next if way = on then left of player else right of player until some p in players has
    chips of p = 3
  choose take or turn_round

action take
  chips increases by 1

action turn_round
  needs way = on
  way becomes back

ranking: highest chips, ties share
"""


@pytest.mark.parametrize(
    ("following", "members"),
    [
        ("if way = on then left of player else right of player", 3),
        ("the q in players with lowest chips of q", 1),  # of several the first: seats are told apart
        ("if way = on then 1 else left of player", 1),
        ("if way = on then starter else player", 6),
    ],
)
def test_seats_are_alike_where_whose_turn_comes_next_is_said_alike(following: str, members: int) -> None:
    text = ROUND.replace("if way = on then left of player else right of player", following)
    table = table_of(text, 3)
    found = find_symmetry_group(table)
    assert len(found.members) + 1 == members
    plain = explore_table(table)
    assert explore_table(table, group=found).whole == plain.whole


@pytest.mark.parametrize(
    ("old", "new", "code", "edited"),
    [
        (", to the right until", " to the right until", "unexpected-word", ", to the right until"),
        (", to the right until", ", counterclockwise until", "unexpected-word", ", to the right until"),
        (", to the right until", " anti-clockwise until", "unexpected-word", ", to the right until"),
        (", to the right until", " clockwise until", "unexpected-word", ", to the left until"),
        (", to the right until", " next starter until", "unexpected-word", ", next starter until"),
        (", to the right until", ", to the right, next 1 until", "said-twice", ""),
        (", to the right until", ", next chips until", "wrong-type", ""),
        ("turns from 1, to the right", "turns to the right from 1", "unexpected-word", ""),
        ("turns from 1, to the right", "one turn each from 1, next starter", "misplaced-next", ""),
    ],
)
def test_slips(old: str, new: str, code: str, edited: str) -> None:
    text = RIGHT.replace("left of starter", "1").replace(" skipping chips = 0 until", " until")
    assert old in text
    found = errors_of(text.replace(old, new, 1))
    assert [one.code for one in found][:1] == [code], [message(one.message) for one in found]
    if edited:
        assert text.replace(old, edited) == apply(text.replace(old, new, 1), found[0])


def apply(text: str, found: Diagnostic) -> str:
    for edit in sorted(found.edits, key=lambda one: -one.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def test_what_nobody_sees_decides_whose_turn_it_is() -> None:
    text = ROUND.replace("marker way: Way", "marker way: Way, hidden").replace("  draw lots", "  roll way\n  draw lots")
    assert any(one.how == "condition" for one in flows_of(table_of(text, 3)).disclosures)
