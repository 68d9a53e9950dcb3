"""What machine code could not be made of, and why. Takes the compiler's reasons, gives notes with their lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.reference.table import Table
from rulesrun.terminal.notes import add_final_check, add_note, notes_about

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine

LARGE = message(
    "numbers here grow too large or are not whole, or too much happens between two questions"
)
MANY = 10  # one in so many games
SLOWER = message("the reference engine plays this, about a hundred times slower than the native engine")


def note_reason(table: Table, reason: CannotCompile) -> str:
    """To be told when the command is over; the reason as text."""
    program = table.program
    says, place = join_messages([SLOWER, str(reason)], ": "), reason_place(program, reason)
    note = Diagnostic("reference-engine", says, place, reason.instead, severity="note")
    add_note(note, {source.file: source for source in program.sources})
    return str(reason)


def reason_place(program: Program, reason: CannotCompile) -> Span:
    if reason.node is not None:
        return reason.node.span
    match reason.__cause__:
        case Fault(diagnostic=diagnostic):
            return diagnostic.span
        case RefusedTable(diagnostics=(first, *_)):
            return first.span
        case _:
            return program.game.span


def watch_engine(engine: Engine) -> Engine:
    """When all is played: whether machine code has left many of its games to the reference."""

    def visit() -> None:
        left = engine.left.total()
        if left * MANY < engine.played + left or not left:
            return
        node, program = engine.left.most_common(1)[0][0], engine.table.program
        says = message(
            "the native engine left {left:,} of {games:,} games to the reference engine: {reason}", left=left,
            games=engine.played + left, reason=LARGE,
        )  # fmt: skip
        note = Diagnostic("reference-engine", says, node.span, severity="note")
        add_note(note, {source.file: source for source in program.sources})

    add_final_check(visit)
    return engine


def check_compilable(table: Table) -> None:
    """Whether machine code can be made of random games at this table. Needs no compiler."""
    from rulesrun.interpreter.native.flow.random_games import lower_random_games
    from rulesrun.interpreter.native.layout.lowering import lower_table

    try:
        lower_table(table, lower_random_games)
    except CannotCompile as reason:
        note_reason(table, reason)


def with_notes(reading: Reading) -> Reading:
    """What was noted about this file beside its other diagnostics."""
    new = tuple(note for note in notes_about(reading.sources) if note not in reading.diagnostics)
    return evolve(reading, diagnostics=(*reading.diagnostics, *new)) if new else reading
