"""`rulesrun compile`: the rules as machine code; `--show` prints the form between the two."""

from __future__ import annotations

from time import perf_counter

from rulesrun.files.loading import read_playable
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.flow.random_games import Form, random_games
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.engines import is_installed
from rulesrun.services.tables import seat_one
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json
from rulesrun.terminal.trouble import Trouble


def run(request: Request) -> int:
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    try:
        form = random_games(table)
    except CannotCompile as reason:
        raise Trouble(f"this runs on the reference engine alone: {reason}") from None
    if request.has("show"):
        from rulesrun.interpreter.form.form_printer import form_text

        plan = form.plan
        say(form_text(plan.fields.values(), form.functions, plan.size), end="")
        return 0
    told = figures(table, form)
    if request.json:
        say_json(told)
    else:
        say("\n".join(f"{name.replace('_', ' '):<22}{value}" for name, value in told.items()))
    return 0


def figures(table: Table, form: Form) -> dict[str, object]:
    """How large it is and, with the compiler installed, how long it takes."""
    told: dict[str, object] = {
        "players": table.players, "position_bytes": form.plan.size, "functions": len(form.functions),
    }
    if is_installed():
        from rulesrun.interpreter.native.flow.engine import engine_for

        began = perf_counter()
        engine_for(table)
        told["seconds_to_compile"] = round(perf_counter() - began, 3)
    return told
