"""`rulesrun compile`: the rules as machine code; `--show` prints what stands between the two."""

from __future__ import annotations

from time import perf_counter

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.form.form_printer import format_form
from rulesrun.interpreter.model.core_printer import format_core, format_flow
from rulesrun.interpreter.native.flow.random_games import RandomGamesForm, lower_random_games
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import translate
from rulesrun.run.engine_choice import is_compiler_installed
from rulesrun.services.tables import seat_one
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import CompileRequest
from rulesrun.terminal.trouble import Trouble


def run(request: CompileRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    if request.show == "core":
        print_text("\n".join([*format_core(table.bench), "", *format_flow(table.bench, table.flow)]))
        return 0
    try:
        form = lower_random_games(table)
    except CannotCompile as reason:
        raise Trouble(message("this runs only on the reference engine: {reason}", reason=reason)) from None
    if request.show is not None:
        print_text(format_code(form, request.show), end="")
        return 0
    told = measure_code(table, form)
    if request.json:
        print_json(told)
    else:
        print_text("\n".join(f"{translate(SIZES[name]):<22}{value}" for name, value in told.items()))
    return 0


SIZES = {
    "players": message("players"), "position_bytes": message("position bytes"), "functions": message("functions"),
    "seconds_to_compile": message("seconds to compile"),
}  # fmt: skip


def format_code(form: RandomGamesForm, show: str) -> str:
    """`form`: the small form; `llvm`: what the compiler is given."""
    if show == "form":
        return format_form(form.plan.fields.values(), form.functions, form.plan.size)
    from rulesrun.interpreter.form.llvm import ModuleText
    from rulesrun.interpreter.form.machine_code import has_pdep

    return ModuleText(has_pdep()).format_module(form.functions)


def measure_code(table: Table, form: RandomGamesForm) -> dict[str, object]:
    """How large it is and, with the compiler installed, how long it takes."""
    told: dict[str, object] = {
        "players": table.players, "position_bytes": form.plan.size, "functions": len(form.functions),
    }
    if is_compiler_installed():
        from rulesrun.interpreter.native.flow.engine import compile_engine

        began = perf_counter()
        compile_engine(table)
        told["seconds_to_compile"] = round(perf_counter() - began, 3)
    return told
