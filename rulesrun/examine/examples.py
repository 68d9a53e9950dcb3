"""The worked examples of one file, run; their part of the report."""

from __future__ import annotations

import shlex

from rulesrun.files.excerpts import line_of, place_text, values_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.examples.examples import ExampleResult, ExampleRunner
from rulesrun.services.reports import ExampleReport, FileReport
from rulesrun.terminal.requests import Request


def run_examples(report: FileReport, request: Request) -> None:
    """Examples hold for the options as the rules have them and as they say themselves, whatever `--set` says."""
    assert report.reading.program is not None
    words = ["rulesrun", "test", report.reading.name, *(word for name in request.variants for word in ("--with", name))]
    for result in ExampleRunner(report.reading.program).run_all():
        report.examples.append(example_report(report.reading, result, shlex.join(words)))


def example_report(reading: Reading, result: ExampleResult, repeat: str) -> ExampleReport:
    span = result.example.span
    line, place = line_of(span, reading.sources), place_text(span, reading.name, reading.sources)
    if result.verdict in ("passed", "todo"):
        return ExampleReport(result.example.title, result.verdict, line, place)
    values = values_text(result.values, reading.sources)
    return ExampleReport(
        result.example.title, "failed", line, place, result.diagnostic, values, repeat, result.notes, result.failing,
        span.file != reading.chain[-1].source.file,
    )
