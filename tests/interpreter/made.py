"""Small rulebooks for tests: text in, programs and tables out; and ways to play them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulesrun.dsl import ast
from rulesrun.dsl.check import check_game
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    PlayerDecision,
    next_state,
    pending_decision,
    start_state,
)
from rulesrun.interpreter.reference.table import Table, set_up_table

GAMES = Path(__file__).parents[2] / "games"


def program(text: str, players: str = "2") -> Program:
    source = Source("made.rules", f'rules 1\ngame "Made"\nplayers {players}\n{text}')
    parsed = parse_source(source)
    assert not parsed.diagnostics, parsed.diagnostics
    found = check_game(assemble_game("made.rules", [(source, parsed)]).game, (source,))
    assert isinstance(found, Program), [one for one in found.diagnostics if one.severity == "error"]
    return found


def table(text: str, players: int = 2, **options: object) -> Table:
    return set_up_table(program(text, str(players)), players, options)


def bundled(name: str) -> Program:
    return text_program((GAMES / f"{name}.rules").read_text(), name)


def text_program(text: str, name: str = "made.rules") -> Program:
    source = Source(name, text)
    parsed = parse_source(source)
    assert not parsed.diagnostics, parsed.diagnostics
    found = check_game(assemble_game(name, [(source, parsed)]).game, (source,))
    assert isinstance(found, Program), found
    return found


def asked(question: str, pieces: str = "", players: int = 2, state: State | None = None) -> Any:
    """What an expression is worth at the first decision."""
    made = table(f"{pieces}\ndefine question = {question}\n{FLOW}", players)
    body = next(one.body for one in made.bench.declarations(ast.Define) if one.name.text == "question")
    return made.bench.compile(body).run(made.to_slots(state or start_state(made)))


FLOW = """
phase play
  choose stay
action stay
score at end
  points = 0
ranking: highest total, ties share
"""


def first_options(made: Table, state: State) -> list[tuple[Any, ...]]:
    decision = pending_decision(made, state)
    assert isinstance(decision, PlayerDecision)
    return [(option.action, *(value for _, value in option.arguments)) for option in decision.options]


def seats(made: Table, answers: dict[str, int] | None = None, most: int = 60) -> list[int]:
    """Who chooses, decision after decision, when always the first option (or outcome) is taken."""
    return [decision.player for decision in decisions(made, most)]


def decisions(made: Table, most: int = 60) -> Iterator[PlayerDecision]:
    state = start_state(made)
    for _ in range(most):
        decision = pending_decision(made, state)
        if isinstance(decision, GameOver):
            return
        if isinstance(decision, PlayerDecision):
            yield decision
        state = next_state(made, state, 0)


def choose(made: Table, state: State, action: str, *values: Any) -> State:
    return next_state(made, state, first_options(made, state).index((action, *values)))


def over(made: Table, state: State) -> GameOver:
    decision = pending_decision(made, state)
    assert isinstance(decision, GameOver), decision
    return decision


def chance(made: Table, state: State) -> ChanceDecision:
    decision = pending_decision(made, state)
    assert isinstance(decision, ChanceDecision), decision
    return decision


def odds(made: Table, state: State) -> dict[Any, int]:
    """The weights of all outcomes by their names."""
    decision = chance(made, state)
    return {decision.outcome(index)[0]: decision.weight(index) for index in range(decision.size)}
