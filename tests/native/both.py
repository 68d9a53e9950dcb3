"""The same games on both engines, and what must be alike in what was found."""

from __future__ import annotations

from typing import Any

from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import compiled, has_pdep
from rulesrun.interpreter.native.flow.asked_games import asked_games
from rulesrun.interpreter.native.flow.engine import Engine, engine_for, simulate
from rulesrun.interpreter.native.flow.random_games import random_games
from rulesrun.interpreter.native.layout.lowering import lowered
from rulesrun.interpreter.native.positions.positions import Positions, text_of
from rulesrun.interpreter.play import random_games as reference
from rulesrun.interpreter.play.random_games import Simulated
from rulesrun.interpreter.reference.table import Table

ALIKE = (
    "games", "decisions", "wins", "results", "places", "score_sums", "lengths", "happened", "broken_games",
    "faulty_games",
)


def findings(found: Simulated) -> dict[str, Any]:
    told = {name: getattr(found, name) for name in ALIKE}
    told["faults"] = [(number, diagnostic, state) for number, diagnostic, state in found.faults]
    told["broken"] = sorted((number, one.title, one.state.slots) for number, one in found.broken)
    return told


def differences(table: Table, games: int, seed: int = 0, engine: Engine | None = None, **settings: Any) -> list[str]:
    """What the two engines say differently of the same games; nothing, when all is well."""
    engine = engine or engine_for(table)
    jobs = settings.pop("jobs", 1)
    ours = findings(simulate(engine, seed, games, jobs=jobs, **settings))
    theirs = findings(reference.simulate(table, seed, games, **settings))
    return [f"{name}: {ours[name]} instead of {theirs[name]}" for name in theirs if ours[name] != theirs[name]]


def quick_engine(table: Table, care: int = 0) -> Engine:
    """Compiled with as little care as can be: much sooner ready than fast."""
    form = lowered(table, random_games)
    return Engine(table, form, compiled(ModuleText(has_pdep()).whole(form.functions), None, care))


def quick_positions(table: Table, care: int = 0) -> Positions:
    form = lowered(table, asked_games)
    return Positions(table, form, compiled(text_of(form), None, care))
