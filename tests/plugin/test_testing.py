"""`rulesrun.testing`: what the strategies draw is lawful, and a failing test shrinks to the shortest game."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, run_state_machine_as_test

from rulesrun.api import End, load, loads
from rulesrun.api.moves import Decision
from rulesrun.files.loading import read_rules
from rulesrun.records.replays import replay_lines
from rulesrun.testing import Game, PropertyBroken, games, machine_of, positions, starts, traces
from tests.plugin.test_plugin import BROKEN, SOUND

FEW = settings(
    max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, phases=[Phase.generate]
)
QUICK = ["classics/kuhn", "classics/nim", "classics/pig", "classics/rock_paper_scissors", "the_game"]


@pytest.mark.parametrize("game", QUICK)
def test_positions_are_decisions_or_ends_of_allowed_tables(game: str) -> None:
    rulebook = load(game)

    @FEW
    @given(positions(rulebook, most=8))
    def holds(position: Any) -> None:
        assert position.players in rulebook.players
        assert isinstance(position.pending, Decision | End)
        assert bool(position.legal()) == isinstance(position.pending, Decision)

    holds()


@pytest.mark.parametrize("game", QUICK)
def test_games_come_to_their_end(game: str) -> None:
    @FEW
    @given(games(game, most=8))
    def holds(played: Game) -> None:
        *_, last = played.positions()
        assert isinstance(last.pending, End)
        assert last.result() == played.result
        assert sorted(seat for place in played.result.places for seat in place) == list(range(1, played.players + 1))

    holds()


@pytest.mark.parametrize("game", ["classics/kuhn", "classics/pig", "the_game"])
def test_replay_accepts_every_drawn_trace(game: str) -> None:
    reading = read_rules(game)

    @FEW
    @given(traces(game, most=8))
    def holds(events: list[dict[str, Any]]) -> None:
        assert replay_lines(reading, [json.dumps(event) for event in events], rules_only=True) == len(events)

    holds()


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_position_is_shown_in_a_line(engine: str) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
    position = load("classics/kuhn").start(2, engine=engine)
    assert position.engine == engine
    assert repr(position).startswith("<position of 'Kuhn")
    assert len(repr(position)) < 200


def test_players_and_options_may_be_fixed() -> None:
    drawn = set()

    @settings(FEW, max_examples=60)
    @given(starts("zero"), starts("zero", 3, {"first": "seat"}))
    def holds(free: Any, fixed: Any) -> None:
        assert (fixed.players, fixed.options["first"], fixed.options["first_game"]) == (3, "seat", "no")
        drawn.add((free.players, free.options["first_game"]))

    holds()
    assert {players for players, _ in drawn} == {2, 3, 4, 5}
    assert {option for _, option in drawn} == {"yes", "no"}


@pytest.mark.parametrize("game", ["hourglass", "collection"])
def test_options_that_do_not_go_together_are_not_drawn_together(game: str) -> None:
    """Two decks are for five players alone; the number of goals belongs to one mode."""

    rulebook = load(game)

    @settings(FEW, max_examples=30)
    @given(starts(rulebook))
    def holds(position: Any) -> None:
        assert rulebook.start(position.players, position.options) == position

    holds()


def test_a_failing_game_shrinks_to_the_shortest() -> None:
    """Two cards on the table need two players who lay; of the lowest cards, for nothing says otherwise."""
    found = find(
        positions(loads(SOUND)),
        lambda position: sum(_laid(position)) >= 3,
        settings=settings(max_examples=2000, derandomize=True, database=None),
    )
    assert found.players == 2
    assert _laid(found) == [1, 2]


def _laid(position: Any) -> list[int]:
    return [int(card) for card in position.observe(1).now["zones"]["table"]]


def test_the_machine_of_sound_rules_passes() -> None:
    run_state_machine_as_test(machine_of(loads(SOUND)), settings=FEW)


def test_the_machine_finds_a_broken_property_with_one_move() -> None:
    with pytest.raises(PropertyBroken, match="nobody lays") as caught:
        run_state_machine_as_test(
            machine_of(loads(BROKEN)), settings=settings(FEW, max_examples=100, phases=[Phase.generate, Phase.shrink])
        )
    notes = caught.value.__notes__
    assert [line for line in notes if line.startswith("player ")] == ["player 1: lay(1)"]
    assert "2 players, {}" in notes
    assert "chance: draw 1 from deck to hand[1]" in notes
    assert "table is empty = no" in str(caught.value)


def test_the_machine_of_a_moment_that_is_broken() -> None:
    text = SOUND + '\nafter lay "nothing is laid": before (count of hand) = count of hand\n'
    with pytest.raises(PropertyBroken, match="nothing is laid"):
        run_state_machine_as_test(machine_of(loads(text)), settings=FEW)


def test_a_subclass_adds_its_own_invariant() -> None:
    class Mine(machine_of(loads(SOUND))):  # type: ignore[misc]
        @invariant()
        def one_card_at_most(self) -> None:
            assert self.walk is None or len(_laid(self.position)) <= 1

    with pytest.raises(AssertionError):
        run_state_machine_as_test(Mine, settings=FEW)


@FEW
@given(st.data())
def test_the_way_to_go_on_is_always_the_same(data: st.DataObject) -> None:
    game = data.draw(games("zero", 2, {}, most=3))
    again = data.draw(games("zero", 2, {}, most=0))
    assert again.drawn <= game.drawn
    assert again.answers[again.drawn :][:5] == (0, 0, 0, 0, 0)
