"""What is known by playing: whether each example holds. Worked out one example at a time, so that it can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from rulesrun.editing.positions import Range
from rulesrun.editing.workspace import Analysis

if TYPE_CHECKING:  # loaded where it is used: whoever asks what is wrong does not wait for it
    from rulesrun.interpreter.examples.examples import ExampleResult

MOST_EXAMPLES = 100


@frozen
class Lens:
    """Beside the first line of an example. `verdict`: passed, failed or todo; `reason` says why it failed."""

    range: Range
    title: str
    verdict: str
    reason: str | None


def judge_examples(analysis: Analysis) -> Iterator[Lens]:
    """The examples of the document itself, of rules without errors; nobody waits for more than one at a time.

    What was judged of the same version is given again.
    """
    program = analysis.reading.program
    if program is None:
        return
    from rulesrun.interpreter.examples.examples import ExampleRunner

    known: list[Lens] = analysis.kept.setdefault("examples", [])
    yield from list(known)
    runner = analysis.kept.setdefault("example runner", ExampleRunner(program))
    own = analysis.document.name
    examples = [one for one in program.game.examples if one.span.file == own]
    for example in examples[len(known) : MOST_EXAMPLES]:
        lens = _make_lens(analysis, runner.run_example(example))
        known.append(lens)
        yield lens


def _make_lens(analysis: Analysis, result: ExampleResult) -> Lens:
    span = result.example.span
    line = analysis.lines.find_position(span.start).line
    start = analysis.lines.start_of_line(line)
    place = analysis.lines.make_range(start, start + len(analysis.lines.text_of_line(line)))
    reason = result.diagnostic.message if result.diagnostic is not None else None
    return Lens(place, result.example.title, result.verdict, reason)
