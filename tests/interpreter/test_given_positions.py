"""A law: a turn's beginning met in random play, written down as `given` lines, is that position.

From there the next decision is the same, with the same chance: whom it asks, what is offered, what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.examples.examples import ExampleRun, ExampleRunner
from rulesrun.interpreter.model.domains import write_component, write_value
from rulesrun.interpreter.model.example_lowering import lower_example
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, PC, PHASE, PLAYER, ROUND, SHEETS, STARTER, Fault, Jump, Slots
from rulesrun.interpreter.play.position_changes import zone_slots
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.score_lookups import total_points
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.stories.story import format_outcome, format_place
from tests.interpreter.made import GAMES, text_program

DRAWS = """rules 1
game "Draws"
players 2..3
rounds 2, starter moves left
values Colour: red, blue
card Card: colour Colour, rank 1..4, 2 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line of player: row of Card, public
zone best: place of Card, public
number laid: 0..9 = 0, each turn
number passes: 0..9 = 0, each round
number secret_bid of player: 0..9 = 0, private
marker last: Card or nothing
marker layout: order of 1..3
setup round
  shuffle all Card into stock
  shuffle layout
  deal 2 from stock to each hand
  draw lots for starter
phase bidding: one turn each from left of starter except starter
  roll secret_bid
  choose pass or lay
phase play: turns from starter skipping hand is empty until passes > 2
  draw up to 2 from stock to hand as new
  if passes > 0
    draw up to 1 from stock to line
  laid increases by 1
  choose lay or pass
action lay(card from hand)
  last becomes card
  move card to line
action pass
  passes increases by 1
score each round
  points = sum of rank over line
ranking: highest total, ties share
"""

TABLES: dict[str, tuple[int, dict[str, str]]] = {
    "zero": (3, {}), "hourglass": (3, {}), "tokens": (2, {}), "the_game": (2, {"first": "seat"}),
    "classics/kuhn": (3, {}), "classics/leduc": (2, {}), "classics/pig": (2, {}), "classics/nim": (2, {}),
    "classics/tic_tac_toe": (2, {}), "draws": (3, {}),
}  # fmt: skip


@cache
def text_of(name: str) -> str:
    return DRAWS if name == "draws" else (GAMES / f"{name}.rules").read_text("utf-8")


@cache
def table_of(name: str) -> Table:
    players, options = TABLES[name]
    return set_up_table(text_program(text_of(name)), players, options)


@frozen
class Met:
    """A turn's beginning, what chance brought from there, and the position in which somebody is asked, or nobody."""

    before: tuple[Any, ...]
    brought: tuple[str, ...]
    asked: Slots


def turns_begun(table: Table, streams: Streams) -> Iterator[Met]:
    """Of one game at random."""
    S = table.new_slots()
    begun: list[tuple[Any, ...]] = []
    brought: list[str] = []
    steps = noting_turns(table, begun, brought)
    while True:
        wait = table.run_to_question(S, steps)
        if isinstance(wait, ChanceWait):
            outcome = wait.outcome_at(S, streams.random_below(wait.total_weight(S), wait.stream_name(S)))
            if begun:
                brought.append(format_outcome(table, wait.node, outcome))
            wait.apply_answer(S, outcome)
            continue
        if begun:
            yield Met(begun[-1], tuple(brought), list(S))
        begun.clear()
        brought.clear()
        if not isinstance(wait, DecisionWait):
            return
        wait.apply_answer(S, S[OPTIONS][streams.random_below(len(S[OPTIONS]), "choices")])


def noting_turns(table: Table, begun: list[tuple[Any, ...]], brought: list[str]) -> list[Jump]:
    """Where the lines of a turn begin is noted; a loop that they begin with comes there again, within the turn."""
    steps = list(table.steps)
    is_new: list[int] = []

    def turn_comes(plain: Jump, body: int) -> Jump:
        def step(S: Slots) -> int:
            is_new[:] = [body]
            return plain(S)

        return step

    def lines_begin(plain: Jump, body: int) -> Jump:
        def step(S: Slots) -> int:
            if is_new == [body]:
                is_new.clear()
                brought.clear()
                begun[:] = [tuple(S[: len(table.blank)])]
            return plain(S)

        return step

    for start in table.phases.values():
        if start.turn is not None:
            steps[start.turn] = turn_comes(steps[start.turn], start.body)
            steps[start.body] = lines_begin(steps[start.body], start.body)
    return steps


def is_sayable(table: Table, S: tuple[Any, ...]) -> bool:
    """A pile that is mixed in part alone cannot be written down."""
    contents = [S[slot] for slot in zone_slots(table)]
    return all(len(one) < 2 or not any(isinstance(part, tuple) for part in one) for one in contents)


def given_lines(table: Table, options: dict[str, str], met: Met) -> Iterator[str]:
    S = met.before
    yield f"players {table.players}"
    yield from (f"set {name} = {chosen}" for name, chosen in options.items())
    yield f"given phase {table.bench.phases[S[PHASE]].name.text}"
    yield f"given turn of {S[PLAYER]}"
    yield f"given round = {S[ROUND]}"
    yield f"given starter = {S[STARTER]}"
    for slot, (room, _) in zone_slots(table).items():
        place = format_place(table, room, slot - room.base)
        yield (
            f"given {place}: "
            f"{', '.join(write_component(table.bench, room.kinds, kind) for kind in flatten_content(S[slot]))}"
        )
    for variable in table.bench.variables.values():
        for number in range(variable.amount):
            place = format_place(table, variable, number)
            yield f"given {place} = {write_value(table.bench, variable.declaration.type, S[variable.base + number])}"
    if S[SHEETS]:
        for player in range(1, table.players + 1):
            yield f"given total of {player} = {total_points(S[SHEETS], player)}"
    if met.brought:
        yield f"next: {', '.join(met.brought)}"
    yield "then 1 = 1"


def seen(table: Table, S: Slots) -> dict[str, Any]:
    totals = [total_points(S[SHEETS], player) for player in range(1, table.players + 1)]
    return {
        "asked": (S[PC], S[PLAYER], S[OPTIONS] if isinstance(table.waits[S[PC]], DecisionWait) else None),
        "totals": totals, "round": S[ROUND], "starter": S[STARTER], "phase": S[PHASE],
        "views": [view_to_json(table, S, player) for player in range(1, table.players + 1)],
        "contents": [S[slot] for slot in zone_slots(table)],
    }  # fmt: skip


def written(name: str, seed: int) -> tuple[Program, list[Met]]:
    table = table_of(name)
    found: list[Met] = []
    with suppress(Fault):
        found += (met for met in turns_begun(table, Streams(seed)) if is_sayable(table, met.before))
    chosen = found[:: max(1, len(found) // 4)]
    examples = [
        "\n".join([f'example "law {number}"', *(f"  {line}" for line in given_lines(table, TABLES[name][1], met))])
        for number, met in enumerate(chosen)
    ]
    return text_program("\n".join([text_of(name), *examples, ""])), chosen


@pytest.mark.parametrize("name", [name for name in TABLES if "/" in name or name == "draws"])
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 1 << 20))
def test_a_turn_that_is_written_down_is_the_turn(name: str, seed: int) -> None:
    hold_law(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_many_turns_that_are_written_down(name: str) -> None:
    for seed in range(60):
        hold_law(name, seed)


def hold_law(name: str, seed: int) -> None:
    program, chosen = written(name, seed)
    runner = ExampleRunner(program)
    examples = [
        one for one in program.game.declarations if isinstance(one, ast.Example) and one.title.startswith("law ")
    ]
    for example, met in zip(examples, chosen, strict=True):
        table = runner.table_for(example)
        run = ExampleRun(table, lower_example(program, example), seed % 8, runner.beginnings_at(table))
        run.begin_example()
        assert not run.acting.expected
        assert seen(table, run.S) == seen(table, met.asked)
