"""The numbers of positions and transitions, against enumeration written apart from the interpreter."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rulesrun.interpreter.explore.observed_symmetries import find_observed_symmetries
from rulesrun.interpreter.model.values import EVENTS, PC
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from tests.exploring import counted
from tests.exploring.made import EXCHANGES, bundled, merged, plainly, small_table, table_of

GAMES: list[tuple[str, dict[str, Any], dict[Any, list[Any]]]] = [
    ("classics/tic_tac_toe", {}, counted.tic_tac_toe()),
    ("classics/nim", {"heaps": [1, 3, 5, 7]}, counted.nim((1, 3, 5, 7))),
    ("classics/nim", {"heaps": [3, 3, 3]}, counted.nim((3, 3, 3))),
    ("classics/kuhn", {}, counted.kuhn()),
    ("classics/leduc", {}, counted.leduc()),
    ("classics/goofspiel", {"cards": 3}, counted.goofspiel(3)),
    ("classics/goofspiel", {"cards": 4}, counted.goofspiel(4)),
]


@pytest.mark.parametrize(("name", "options", "expected"), GAMES)
def test_positions_transitions_and_ends(name: str, options: dict[str, Any], expected: dict[Any, list[Any]]) -> None:
    found = plainly(bundled(name, **options))
    assert found.is_complete
    assert len(found.keys) == found.whole == len(expected)
    assert found.transitions == sum(len(following) for following in expected.values())
    assert found.overs == sum(not following for following in expected.values())
    assert found.decisions + found.chances + found.overs == len(found.keys)


def test_tic_tac_toe_has_the_numbers_that_everybody_knows() -> None:
    found = plainly(bundled("classics/tic_tac_toe"))
    assert (len(found.keys), found.overs, found.depth) == (5478, 958, 9)
    (proved,) = find_observed_symmetries(found)
    assert proved.positions == 765 == len({min(counted.images_of_board(one)) for one in counted.tic_tac_toe()})
    assert not proved.from_choice


def test_equal_heaps_may_be_exchanged_and_different_ones_may_not() -> None:
    (proved,) = find_observed_symmetries(plainly(bundled("classics/nim", heaps=[3, 3, 3])))
    assert proved.positions == len({(tuple(sorted(heaps)), player) for heaps, player in counted.nim((3, 3, 3))})
    assert find_observed_symmetries(plainly(bundled("classics/nim", heaps=[1, 3, 5, 7]))) == ()


def test_seats_are_alike_where_all_choose_and_not_where_one_begins() -> None:
    (proved,) = find_observed_symmetries(plainly(bundled("classics/goofspiel", cards=3)))
    assert proved.from_choice
    positions = [one for one in counted.goofspiel(3) if one[0] is not None or not one[1][0]]
    images = {frozenset([one, (one[0], one[1][::-1], (one[2][1], one[2][0], one[2][2]))]) for one in positions}
    assert proved.positions == len(images)
    assert find_observed_symmetries(plainly(bundled("classics/kuhn"))) == ()


def test_colours_that_the_rules_treat_alike_add_up() -> None:
    expected = counted.exchanges(3, 2, 1, 2)
    table = table_of(EXCHANGES)
    apart, together = plainly(table), merged(table)
    assert len(apart.keys) == together.whole == len(expected)
    assert apart.transitions == sum(len(following) for following in expected.values())
    assert len(together.keys) == counted.up_to_colours(expected, 3)
    assert sum(together.sizes) == len(expected)
    assert apart.depth == together.depth
    assert "red, blue, green" in together.group.said[0]


@pytest.mark.parametrize(("number", "colours", "ranks", "wrong_calls"), [
    (1, 2, 4, True), pytest.param(0, 3, 3, False, marks=pytest.mark.long),
])
def test_a_small_zero(number: int, colours: int, ranks: int, wrong_calls: bool) -> None:
    expected = counted.zero(colours, ranks, wrong_calls=wrong_calls, notes_deals=number == 0)
    table = small_table("zero", number)
    apart, together = plainly(table, 300_000), merged(table)
    assert len(apart.keys) == together.whole == len(expected)
    assert apart.transitions == sum(len(following) for following in expected.values())
    assert apart.overs == sum(not following for following in expected.values())
    assert len(together.keys) == counted.zero_up_to_colours(expected, colours)
    assert sum(together.sizes) == len(expected)


@pytest.mark.parametrize(
    ("name", "options"),
    [("zero", {}), ("tokens", {}), ("hourglass", {}), ("collection", {"goals": "round"}), ("classics/leduc", {})],
)
def test_nothing_that_matters_is_left_out_of_a_position(name: str, options: dict[str, Any]) -> None:
    """A game goes on from a settled position exactly as from the position itself."""
    table, chance = bundled(name, **options), Random(7)
    positions = PositionKeys(table)
    for _ in range(6):
        S = table.new_slots()
        S[EVENTS] = None
        wait = table.run_to_question(S)
        other = positions.normalize_position(S.copy())
        for _ in range(150):
            assert positions.key_of(positions.normalize_position(S.copy())) == positions.key_of(
                positions.normalize_position(other.copy())
            )
            answer = any_answer(table, S, chance)
            if answer is None:
                break
            S, other = S.copy(), positions.slots_of_key(positions.key_of(positions.normalize_position(other)))
            for one in (S, other):
                one[EVENTS] = None
                settle(table, one, answer)
                wait = table.run_to_question(one)
            assert wait is table.waits[S[PC]]


def any_answer(table: Table, S: list[Any], chance: Random) -> int | None:
    wait = table.waits[S[PC]]
    if isinstance(wait, DecisionWait):
        return chance.randrange(len(wait.list_options(S.copy())))
    if isinstance(wait, ChanceWait):
        return chance.randrange(wait.total_weight(S.copy()))
    return None


def settle(table: Table, S: list[Any], answer: int) -> None:
    wait = table.waits[S[PC]]
    if isinstance(wait, DecisionWait):
        wait.apply_answer(S, wait.list_options(S)[answer])
    elif isinstance(wait, ChanceWait):
        wait.apply_answer(S, wait.outcome_at(S, answer))
