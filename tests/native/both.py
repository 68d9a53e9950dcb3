"""The same games on both engines, and what must be alike in what was found."""

from __future__ import annotations

from typing import Any

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import compile_text, has_pdep
from rulesrun.interpreter.native.flow.asked_games import lower_asked_games
from rulesrun.interpreter.native.flow.engine import Engine, compile_engine, simulate
from rulesrun.interpreter.native.flow.random_games import lower_random_games
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.native.positions.positions import NativePositions, format_positions
from rulesrun.interpreter.play import random_games as reference
from rulesrun.interpreter.play.random_games import SimulationResult
from rulesrun.interpreter.reference.table import Table

ALIKE = (
    "games", "decisions", "wins", "results", "places", "score_sums", "lengths", "happened", "broken_games",
    "faulty_games",
)


def findings(found: SimulationResult) -> dict[str, Any]:
    told = {name: getattr(found, name) for name in ALIKE}
    told["faults"] = [(number, diagnostic, state) for number, diagnostic, state in found.faults]
    told["broken"] = sorted((number, one.title, one.state.slots) for number, one in found.broken)
    return told


def differences(table: Table, games: int, seed: int = 0, engine: Engine | None = None, **settings: Any) -> list[str]:
    """What the two engines say differently of the same games; nothing, when all is well."""
    engine = engine or compile_engine(table)
    jobs = settings.pop("jobs", 1)
    ours = findings(simulate(engine, seed, games, jobs=jobs, **settings))
    theirs = findings(reference.simulate_games(table, seed, games, **settings))
    return [f"{name}: {ours[name]} instead of {theirs[name]}" for name in theirs if ours[name] != theirs[name]]


def quick_engine(table: Table, care: int = 0) -> Engine:
    """Compiled with as little care as can be: much sooner ready than fast."""
    form = lower_table(table, lower_random_games)
    return Engine(table, form, compile_text(ModuleText(has_pdep()).format_module(form.functions), None, care))


def quick_positions(table: Table, care: int = 0) -> NativePositions:
    form = lower_table(table, lower_asked_games)
    return NativePositions(table, form, compile_text(format_positions(form), None, care))
