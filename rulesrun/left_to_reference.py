"""What machine code could not be made of, and why. Takes the compiler's reasons, gives notes with their lines."""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.program import Program
from rulesrun.dsl.source import Span
from rulesrun.interpreter.native.form import CannotCompile
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import Fault, RefusedTable
from rulesrun.loading import Reading
from rulesrun.notes import add_note, notes_about

SLOWER = "the reference engine plays this, some hundred times slower than machine code"


def keep_reason(table: Table, reason: CannotCompile) -> str:
    """To be told when the command is over; the reason as text."""
    program = table.program
    message, place = f"{SLOWER}: {reason}", place_of(program, reason)
    note = Diagnostic("reference-engine", message, place, reason.instead, severity="note")
    add_note(note, {source.file: source for source in program.sources})
    return str(reason)


def place_of(program: Program, reason: CannotCompile) -> Span:
    if reason.node is not None:
        return reason.node.span
    match reason.__cause__:
        case Fault(diagnostic=diagnostic):
            return diagnostic.span
        case RefusedTable(diagnostics=(first, *_)):
            return first.span
        case _:
            return program.game.span


def look_for_reason(table: Table) -> None:
    """Whether machine code can be made of random games at this table. Needs no compiler."""
    from rulesrun.interpreter.native.games import random_games
    from rulesrun.interpreter.native.lowering import lowered

    try:
        lowered(table, random_games)
    except CannotCompile as reason:
        keep_reason(table, reason)


def with_notes(reading: Reading) -> Reading:
    """What was noted about this file beside its other diagnostics."""
    new = tuple(note for note in notes_about(reading.sources) if note not in reading.diagnostics)
    return evolve(reading, diagnostics=(*reading.diagnostics, *new)) if new else reading
