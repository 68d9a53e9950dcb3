"""Examples of the base that a house rule breaks, and the variant's file without them. Takes a reading, or a text."""

from __future__ import annotations

from collections.abc import Collection

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format import format_file, says_the_same
from rulesrun.dsl.parse import parse
from rulesrun.dsl.source import Source
from rulesrun.excerpts import where
from rulesrun.interpreter.examples import run_examples
from rulesrun.loading import Reading
from rulesrun.trouble import Trouble


@frozen
class BrokenExample:
    """`message`: why it does not hold any more; `place`: where it stands in the base."""

    title: str
    place: str
    message: str


def broken_examples(reading: Reading) -> tuple[BrokenExample, ...]:
    """Those of the base alone; a mistake of another kind is trouble."""
    if reading.program is None:
        return _unreadable_examples(reading)
    failed = [found for found in run_examples(reading.program) if found.verdict in ("failed", "broken")]
    return tuple(
        _broken(reading, found.example, found.diagnostic.message if found.diagnostic else found.verdict)
        for found in failed
        if not _is_own(reading, found.example)
    )


def _unreadable_examples(reading: Reading) -> tuple[BrokenExample, ...]:
    """Examples that speak of what the house rule has taken away."""
    examples = [
        piece
        for link in reading.chain[:-1]
        for piece in link.parsed.declarations
        if isinstance(piece, ast.Example)
    ]
    found: dict[str, BrokenExample] = {}
    for error in (one for one in reading.diagnostics if one.severity == "error"):
        span = error.span
        inside = [one for one in examples if one.span.file == span.file and one.span.start <= span.start < one.span.end]
        if not inside:
            raise Trouble(f"{reading.name}: the rules have other errors; `rulesrun check {reading.name}` shows them")
        found.setdefault(inside[0].title, _broken(reading, inside[0], error.message))
    return tuple(found.values())


def _is_own(reading: Reading, example: ast.Example) -> bool:
    return example.span.file == reading.chain[-1].source.file


def _broken(reading: Reading, example: ast.Example, message: str) -> BrokenExample:
    return BrokenExample(example.title, where(example.span, reading.chain[-1].source.file, reading.sources), message)


def without_examples(text: str, titles: Collection[str]) -> str:
    """The variant with a line for each example that it takes away, in canonical layout."""
    lines = "".join(f'remove example "{title}"\n' for title in titles)
    source = Source("", f"{text.rstrip()}\n\n{lines}")
    parsed = parse(source)
    new = format_file(source, parsed)
    if not says_the_same(parsed, new):
        raise Trouble("the file stays as it is: laid out anew, it would not say the same; please report this")
    return new
