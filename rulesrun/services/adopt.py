"""Examples of the base that a house rule breaks, and the variant's file without them, or with what is true now.

Takes a reading, or a text. An example that is recorded anew is played before it is trusted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial

from attrs import evolve, frozen

from rulesrun.dsl.contents.example_lines import (
    Edit,
    Valuation,
    correct_line,
    has_opposite,
    list_examples,
    silence_line,
    write_opposite,
)
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.format.format import format_file, is_same_rules
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located, Source, Span, Titled
from rulesrun.dsl.typing import types
from rulesrun.files.excerpts import place_text
from rulesrun.files.loading import Reading, read_chain, read_files
from rulesrun.interpreter.examples.examples import ExampleResult, ExampleRunner, run_examples
from rulesrun.interpreter.model.domains import write_typed_value
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.reference.table import Table
from rulesrun.terminal.trouble import Trouble


@frozen
class BrokenExample:
    """`message`: why it does not hold any more; `place`: where it stands in the base."""

    title: str
    place: str
    message: str


@frozen
class Unrecorded:
    """An example that stays as it is, and why."""

    title: str
    reason: str


def find_broken_examples(reading: Reading) -> tuple[BrokenExample, ...]:
    """Those of the base alone; a mistake of another kind is trouble."""
    readable, unreadable = _drop_unreadable(reading)
    assert readable.program is not None
    failed = [found for found in run_examples(readable.program) if found.verdict in ("failed", "broken")]
    return unreadable + tuple(
        _make_broken_example(reading, found.example, found.diagnostic.message if found.diagnostic else found.verdict)
        for found in failed
        if not _is_own_example(reading, found.example)
    )


def _drop_unreadable(reading: Reading) -> tuple[Reading, tuple[BrokenExample, ...]]:
    """The rules without the examples that cannot be read any more, and those examples."""
    found: tuple[BrokenExample, ...] = ()
    readable = reading
    while readable.program is None:
        unreadable = find_unreadable_examples(readable)
        if not unreadable:
            raise Trouble(
                message("{file}: the rules have other errors; `rulesrun check {file}` shows them", file=reading.name)
            )
        found += tuple(_make_broken_example(reading, example, error.message) for example, error in unreadable)
        readable = _reread_with_text(reading, adopted_text(reading.chain[-1].file.text, [one.title for one in found]))
    return readable, found


def _reread_with_text(reading: Reading, text: str) -> Reading:
    """The variant as if this stood in its file."""
    file = evolve(reading.chain[-1].file, text=text, digest=hashlib.sha256(text.encode()).hexdigest())
    return read_files(file, [])


def find_unreadable_examples(reading: Reading) -> tuple[tuple[Titled, Diagnostic], ...]:
    """Examples of the base that speak of what the house rule has taken away; none where the rules have other errors."""
    examples = [example for link in reading.chain[:-1] for example in list_examples(link.parsed)]
    found: dict[str, tuple[Titled, Diagnostic]] = {}
    for error in (one for one in reading.diagnostics if one.severity == "error"):
        span = error.span
        inside = [one for one in examples if one.span.file == span.file and one.span.start <= span.start < one.span.end]
        if not inside:
            return ()
        found.setdefault(inside[0].title, (inside[0], error))
    return tuple(found.values()) if found and not _read_base(reading).has_errors else ()


def _read_base(reading: Reading) -> Reading:
    files = [link.file for link in reading.chain[:-1]]
    return read_chain(files[-1], files)


def _is_own_example(reading: Reading, example: Located) -> bool:
    return example.span.file == reading.chain[-1].source.file


def _make_broken_example(reading: Reading, example: Titled, message: str) -> BrokenExample:
    return BrokenExample(
        example.title, place_text(example.span, reading.chain[-1].source.file, reading.sources), message
    )


def adopted_text(text: str, dropped: Collection[str], recorded: Iterable[str] = ()) -> str:
    """The variant with a line for each example that it takes away and those recorded anew, in canonical layout."""
    lines = "".join(f'remove example "{title}"\n' for title in dropped)
    source = Source("", "\n\n".join(part for part in (text.rstrip(), lines.rstrip(), *recorded) if part) + "\n")
    parsed = parse_source(source)
    new = format_file(source, parsed)
    if parsed.diagnostics or not is_same_rules(parsed, new):
        raise Trouble(message(
            "the file is unchanged: in its new layout it would mean something else; please report this"
        ))
    return new


# ---- recorded anew


def record_anew(reading: Reading, titles: Collection[str]) -> tuple[dict[str, str], tuple[Unrecorded, ...]]:
    """By its title each example as the variant has to say it; and those of which that cannot be said."""
    readable, unreadable = _drop_unreadable(reading)
    assert readable.program is not None
    found: dict[str, str] = {}
    left = [Unrecorded(one.title, one.message) for one in unreadable if one.title in titles]
    for title in (one.title for one in readable.program.game.examples if one.title in titles):
        new = _record_example(readable, title)
        if isinstance(new, Unrecorded):
            left.append(new)
        else:
            found[title] = new
    return found, tuple(left)


def _record_example(reading: Reading, title: str) -> str | Unrecorded:
    """With the values that are there now; where these differ from table to table, with the opposite of what failed."""
    failed = _find_failing_lines(reading, title)
    if isinstance(failed, Unrecorded):
        return failed
    assert reading.program is not None
    example = next(one for one in reading.program.game.examples if one.title == title)
    body = evolve(example.span, start=example.lines[0].span.start)
    valued = set(failed)
    while True:
        edits = [edit for at, result in failed.items() for edit in _edit_line(result, at, at in valued)]
        words = _apply_edits(title, body, reading.sources[body.file].text, edits)
        trial = _try_example(reading, title, words)
        if isinstance(trial, str):
            return Unrecorded(title, trial)
        if trial.verdict == "passed":
            return words
        at = _find_failing_line(trial)
        if at not in valued:
            span = example.lines[at].span if at is not None else example.span
            return Unrecorded(title, _failure_reason(reading, trial, span))
        valued.remove(at)


def _try_example(reading: Reading, title: str, words: str) -> ExampleResult | str:
    """What comes of the example as it is said now, or why it cannot be read."""
    changed = _reread_with_text(reading, f"{reading.chain[-1].file.text.rstrip()}\n\n{words}\n")
    if changed.program is None:
        return next(one.message for one in changed.diagnostics if one.severity == "error")
    return ExampleRunner(changed.program).run_titled(title)


def _find_failing_lines(reading: Reading, title: str) -> dict[int, ExampleResult] | Unrecorded:
    """By its number each `then` line that fails, as if those before it said what is true now."""
    assert reading.program is not None
    example = next(one for one in reading.program.game.examples if one.title == title)
    runner = ExampleRunner(reading.program)
    with suppress(RefusedTable):  # whoever runs the example is told
        runner.players = runner.table_for(example).players  # also where no line speaks of the last seat any more
    failed: dict[int, ExampleResult] = {}
    while (result := runner.run_example(example)).verdict != "passed":
        at = _find_failing_line(result)
        if at is None or at in failed or not has_opposite(example.lines[at]):
            span = result.diagnostic.span if result.diagnostic is not None else example.span
            return Unrecorded(title, _failure_reason(reading, result, span))
        failed[at] = result
        example = silence_line(example, at)
    return failed


def _find_failing_line(result: ExampleResult) -> int | None:
    """The number of the line that says what is not so; None where the example did not come that far."""
    found = result.diagnostic
    if found is None or found.code != "failed-example":
        return None
    return next((at for at, line in enumerate(result.example.lines) if line.span == found.span), None)


def _failure_reason(reading: Reading, result: ExampleResult, span: Span) -> str:
    if result.diagnostic is None:
        return result.verdict
    place = place_text(span, reading.chain[-1].source.file, reading.sources)
    return ". ".join((f"{result.diagnostic.message} ({place})", *result.notes))


# ---- what is true now


def _edit_line(result: ExampleResult, at: int, with_values: bool) -> Iterator[Edit]:
    line = result.example.lines[at]
    if with_values and result.table is not None and result.state is not None:
        table, bench = result.table, result.table.bench
        known = Valuation(bench.compile, bench.type_of, table.to_slots(result.state), partial(_value_in_words, table))
        try:
            yield from list(correct_line(line, known))
            return
        except Fault:  # a part that may not be asked now
            pass
    yield line.span, write_opposite(line)


def _value_in_words(table: Table, of_type: types.Type | None, value: object) -> str:
    """As an example writes it; empty where it has no words for it."""
    match of_type:
        case types.OptionalOf(item):
            return "nothing" if value is None else _value_in_words(table, item, value)
        case types.CollectionOf(item) | types.OrderOf(item):
            assert isinstance(value, Iterable)
            parts = [_value_in_words(table, item, one) for one in value]
            return "{" + ", ".join(parts) + "}" if parts and all(parts) else ""
        case types.NumberOf() | types.TruthOf() | types.PlayerOf() | types.WordOf() | types.ComponentOf():
            return write_typed_value(table.bench, of_type, value)
        case types.NothingOf() | types.TextOf() | types.Unknown() | None:
            return ""


def _apply_edits(title: str, span: Span, text: str, edits: Iterable[Edit]) -> str:
    """`span`: its lines."""
    body = text[span.start : span.end]
    for place, words in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        body = body[: place.start - span.start] + words + body[place.end - span.start :]
    return f'change example "{title}"\n  {body.rstrip()}'
