"""How dead weight shares its time: everybody gets a turn, what is settled gets no more, no deal is played twice."""

from __future__ import annotations

import os
from time import monotonic
from typing import Any

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.duel import WATCHED, Duel
from rulesrun.interpreter.measure.pairs import merge_pairs, pairs_from_json
from rulesrun.interpreter.measure.suspects import find_suspects
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.report.figure_text import percent_text
from rulesrun.run.engine_choice import is_compiler_installed
from rulesrun.run.pair_ranges import WeighOrder, play_without
from rulesrun.run.ranges import Crew, WorkOrder, make_order
from rulesrun.run.shared_work import ROUNDS, TimeShares, plan_rounds
from rulesrun.services.deadweight import Weighing, note_answer, weigh_rules
from rulesrun.services.measure import job_count_for_bots
from rulesrun.services.tables import seat_one
from rulesrun.terminal.requests import DeadweightRequest, SimulateRequest
from tests.interpreter.made import program
from tests.measuring.games import COIN, duel, kuhn


def order(name: str, engine: str = "reference") -> tuple[WorkOrder, list[str]]:
    reading = read_rules(name)
    table = seat_one(reading, DeadweightRequest(players="2"))
    assert reading.program is not None
    texts = [one.text for one in find_suspects(reading.program, table)]
    return make_order(reading, table, 5, None, (), engine), texts


def test_everybody_has_a_turn_when_a_round_is_late() -> None:
    past = monotonic() - 1
    late = TimeShares({3: 4, 1: 1, 2: 4}, 2, past, monotonic() + 100)
    assert list(late.time_slices()) == [(3, 0), (1, 0), (2, 0)]
    assert list(TimeShares({3: 4, 1: 1}, 2, past, past).time_slices()) == [(3, 0)]


def test_a_part_of_the_time_is_by_weight_and_grows_with_what_others_leave() -> None:
    turns = TimeShares({0: 4, 1: 1, 2: 3}, 2, monotonic() + 100, monotonic() + 100)
    found = turns.time_slices()
    assert next(found)[1] == pytest.approx(1000 * 100 * 2 * 4 / 8, rel=0.02)
    turns.left.pop(0)
    assert next(found)[1] == pytest.approx(1000 * 100 * 2 * 1 / 4, rel=0.02)


def test_rounds_ask_each_time_who_is_left() -> None:
    open_ones = [{0: 4, 1: 4, 2: 1}, {1: 4}, {1: 4}, {1: 4}]
    asked = iter(open_ones)
    assert [turns.weights for turns in plan_rounds(lambda: next(asked), monotonic() + 100, 1)] == open_ones[:ROUNDS]
    assert len(list(plan_rounds(lambda: {0: 4}, float("inf"), 1))) == 1
    assert not list(plan_rounds(dict, monotonic() + 100, 1))


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_further_round_plays_further_deals(engine: str) -> None:
    if engine == "native" and not is_compiler_installed():
        pytest.skip("needs machine code")
    side, texts = order("classics/kuhn", engine)
    number = texts.index("action bet")
    whole = pairs_from_json(play_without(WeighOrder(side, 30), number, 0)["pairs"])
    first = play_without(WeighOrder(side, 12), number, 0)["pairs"]
    rest = play_without(WeighOrder(side, 30, played=tuple(12 for _ in texts)), number, 0)["pairs"]
    assert whole.games == 30
    assert merge_pairs(pairs_from_json(first), pairs_from_json(rest)) == whole


def test_without_a_rule_no_property_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card fewer breaks a property of Zero; machine code would leave every such deal to the reference."""
    pytest.importorskip("llvmlite")
    side, texts = order("zero", "native")
    monkeypatch.setattr(Duel, "play_range", lambda *given: pytest.fail("the reference played"))
    found = pairs_from_json(play_without(WeighOrder(side, 20), texts.index("Card red-5"), 0)["pairs"])
    assert (found.finished, found.left.watched, found.right.broken.total()) == (20, 0, 0)


def test_the_reference_watches_as_many_deals_as_it_is_told() -> None:
    made = duel(kuhn(), kuhn(), 3)
    assert made.pairs.left.watched == 3
    assert made.watched == WATCHED
    unwatched = Duel(kuhn(), kuhn(), 0, watched=0)
    assert unwatched.play_range(0, 3).left.watched == 0


def test_what_is_asked_several_times_must_be_clearer() -> None:
    """So that all looks together claim something by chance no more often than one."""
    reading = read_rules("classics/kuhn")
    assert reading.program is not None
    found = weigh_rules(reading, DeadweightRequest(players="2", games=16, json=True), Crew(1))
    side, texts = order("classics/kuhn")
    number = texts.index("action bet")
    clear = []
    for looks in (1, 3, 10**9):
        one = Weighing(reading, found.table, weighed=list(found.weighed)).weighed[number]
        one.pairs = type(one.pairs)()
        note_answer(found, one, play_without(WeighOrder(side, 60), number, 0), looks)
        clear.append([effect.chance for effect in one.clear])
    assert clear[0]
    assert set(clear[2]) < set(clear[1]) | set(clear[0])
    assert set(clear[1]) <= set(clear[0])
    assert all(chance * 10**9 < 0.01 for chance in clear[2])


@pytest.mark.parametrize(("chosen", "is_alone"), [
    ({}, True), ({"games": 500}, True), ({"seats": "greedy", "games": 99}, True),
    ({"seats": "greedy", "games": 100}, False), ({"seats": "greedy"}, False),
])
def test_players_that_think_get_all_cores(chosen: dict[str, Any], is_alone: bool) -> None:
    asked = SimulateRequest(**chosen)
    assert job_count_for_bots(asked, 100) == (1 if is_alone else os.cpu_count())


def test_of_many_values_a_few_are_asked_about_evenly_taken() -> None:
    text = COIN.replace("heads_weight: 1..9 = 3", "heads_weight: 1..100 = 3")
    made = set_up_table(program(text), 2)
    found = [one.value for one in find_suspects(made.program, made) if one.name == "heads_weight"]
    assert found == [1, 22, 42, 62, 82]  # of the 99 others every twentieth
    few = set_up_table(program(COIN.replace("heads_weight: 1..9 = 3", "heads_weight: 1..4 = 3")), 2)
    assert [one.value for one in find_suspects(few.program, few) if one.name == "heads_weight"] == [1, 2, 4]


@pytest.mark.parametrize(("value", "told"), [
    (0.0, "0.00 %"), (1e-18, "0.00 %"), (0.0000137, "0.0014 %"), (-0.0000137, "-0.0014 %"), (0.000995, "0.10 %"),
    (0.0012, "0.12 %"), (0.0999, "9.99 %"), (0.5, "50.0 %"), (-1.0, "-100.0 %"),
])
def test_nothing_is_said_to_be_in_fewer_than_no_games(value: float, told: str) -> None:
    assert percent_text(value) == told
