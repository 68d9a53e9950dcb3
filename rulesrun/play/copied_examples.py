"""A position at a table as a worked example, to be pasted into the rules. It is run before it is shown: what the rules
set anew before anybody chooses is left out, for an example may not give what nothing comes of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.files.loading import Reading, make_text_file, read_chain
from rulesrun.files.sources import TextFile
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import default_start, write_component, write_value
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import PC, PHASE, PLAYER, ROUND
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.stories.story import format_place
from rulesrun.locale.language import say, translate
from rulesrun.table.session import Session

HEAD = 'rules 1\nvariant "Copied" of "the table"\n'


def copy_position(session: Session) -> list[str]:
    """The lines of an example that can be read and played."""
    return leave_out_unused(session.reading, list(position_lines(session)))


def leave_out_unused(reading: Reading, lines: list[str]) -> list[str]:
    """Without lines that nothing comes of. An example begins with a turn: what lies within one may not be said exactly,
    then a comment says why."""
    while True:
        copied = make_text_file("copied", HEAD + "\n".join(lines) + "\n")
        wrong = run_copied(reading, copied)
        if wrong is None:
            return lines
        if wrong.code != "never-used" or wrong.span.file != copied.name:
            reason = translate(wrong.message)
            said = say("An example begins with a turn, this position does not: {reason}", reason=reason)
            return [f"# {said}", *lines]
        del lines[copied.text[: wrong.span.start].count("\n") - HEAD.count("\n")]


def run_copied(reading: Reading, copied: TextFile) -> Diagnostic | None:
    """What is wrong with the example that was copied from these rules."""
    read = read_chain(copied, (*(link.file for link in reading.chain), copied))
    if read.program is None:
        return next(one for one in read.diagnostics if one.severity == "error")
    example = next(one for one in read.program.game.examples if one.span.file == copied.name)
    return ExampleRunner(read.program).run_example(example).diagnostic


def position_lines(session: Session) -> Iterator[str]:
    """What lies in hidden piles comes as `next` says."""
    table, S = session.table, session.position.slots
    yield f'example "from the table, after {session.decisions} decisions"'
    yield f"  players {table.players}"
    for option in table.bench.options:
        shown = table.bench.option_values[id(option)]
        if shown != table.bench.constant_value(option.default):
            yield f"  set {option.name.text} = {write_value(table.bench, option.type, shown)}"
    phases, wait = table.bench.phases, table.waits[S[PC]]
    is_turn = isinstance(wait, DecisionWait) and not isinstance(wait, TogetherWait) and not wait.is_team
    if len(phases) > 1:
        yield f"  given phase {phases[S[PHASE]].name.text}"
    if S[ROUND] > 1:
        yield f"  given round = {S[ROUND]}"
    if is_turn:
        yield f"  given turn of {S[PLAYER]}"
    for room in table.bench.zones.values():
        yield from (f"  given {line}" for line in zone_lines(table, room, S))
    for variable in table.bench.variables.values():
        yield from (f"  given {line}" for line in variable_lines(table, variable, S))


def zone_lines(table: Table, room: ZoneRoom, S: tuple[Any, ...]) -> Iterator[str]:
    if room.declaration.visibility == "hidden":
        return
    for number in range(room.amount):
        content = flatten_content(S[room.base + number])
        place = format_place(table, room, number)
        told = ", ".join(write_component(table.bench, room.kinds, kind) for kind in content)
        yield f"{place}: {told or 'nothing'}"


def variable_lines(table: Table, room: VariableRoom, S: tuple[Any, ...]) -> Iterator[str]:
    """What is not as it is at the beginning of a turn."""
    declared = room.declaration
    if declared.reset == "turn":
        return
    start = table.blank[room.base] if declared.start is not None else default_start(table.bench, declared.type)
    for number in range(room.amount):
        value = S[room.base + number]
        if value != start:
            place = format_place(table, room, number)
            yield f"{place} = {write_value(table.bench, declared.type, value)}"
