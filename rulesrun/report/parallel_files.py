"""Several files examined at once by processes of their own; their reports come out in the order of the files.

A report crosses over as text and as plain data: programs and tables stay where they were made.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from attrs import frozen

from rulesrun.files.atomic_files import take_write_failures
from rulesrun.files.loading import Reading, read_files
from rulesrun.files.sources import open_rules
from rulesrun.locale.language import set_language, spoken_language
from rulesrun.report.formats import FileFindings, collect_findings_of_report
from rulesrun.report.report_json import report_json
from rulesrun.services.reports import FileReport, report_text
from rulesrun.terminal.garbage import collect_seldom
from rulesrun.terminal.interruption import block_interrupts_at_start, pass_on_interrupts, work_interruptibly
from rulesrun.terminal.output import force_colour, is_coloured
from rulesrun.terminal.requests import RunRequest
from rulesrun.terminal.trouble import Trouble

Examine = Callable[[Reading, RunRequest], FileReport]


@frozen
class FileResult:
    """What is left of a report once it is told."""

    text: str
    document: dict[str, object]
    holds: bool
    is_partial: bool
    games: int
    seconds: float
    engine: str
    unwritten: tuple[str, ...] = ()  # what could not be saved, as sentences
    findings: FileFindings | None = None  # with `--format`


def examine_file(name: str, request: RunRequest, examine: Examine) -> FileResult:
    report = examine(read_files(open_rules(name), [open_rules(one) for one in request.variants]), request)
    is_told = not request.json and request.printed_format is None
    return FileResult(
        report_text(report, request.quiet, request.all) if is_told else "",
        report_json(report) if request.json else {},
        report.holds, report.is_partial, report.games, report.seconds, engine_of(report), take_write_failures(),
        collect_findings_of_report(report) if request.format else None,
    )  # fmt: skip


def engine_of(report: FileReport) -> str:
    """`native` when any of the games were played by it."""
    return "native" if any(table.engine == "native" for table in report.tables) else "reference"


def process_count(request: RunRequest) -> int:
    """As many as were asked for, else as the machine has; never more than there are files."""
    if "-" in (*request.files, *request.variants):
        return 1
    return min(request.jobs or os.cpu_count() or 1, len(request.files))


def examine_files(request: RunRequest, examine: Examine) -> Iterator[FileResult]:
    """The report of every file; after an interruption those that are begun, as far as they are known."""
    count = process_count(request)
    if count <= 1:
        for name in request.files:
            report = examine_file(name, request, examine)
            yield report
            if report.is_partial:
                return
        return
    with ProcessPoolExecutor(count, get_context("spawn"), initializer=begin_process, initargs=as_here()) as pool:
        with block_interrupts_at_start():
            waiting = [pool.submit(examine_in_process, name, request, examine) for name in request.files]
        yield from collect_results(waiting)


def as_here() -> tuple[bool, str | None]:
    """What another process has to know to write as this one does."""
    return is_coloured(), spoken_language().code


def begin_process(is_painted: bool, code: str | None) -> None:
    """In each process, once."""
    collect_seldom(is_short=True)
    force_colour(is_painted)
    set_language(code)
    sys.unraisablehook = pass_on_interrupts(sys.unraisablehook)


def examine_in_process(name: str, request: RunRequest, examine: Examine) -> FileResult:
    return work_interruptibly(lambda: examine_file(name, request, examine))


def collect_results(waiting: list[Future[FileResult]]) -> Iterator[FileResult]:
    """Ctrl-C reaches the processes too: those at work tell what they know, the rest is not begun."""
    is_interrupted = False
    for one in waiting:
        answer: FileResult | None = None
        try:
            answer = one.result()
        except KeyboardInterrupt:
            is_interrupted = True
            for other in waiting:
                other.cancel()
            answer = result_if_begun(one)
        except (CancelledError, BrokenProcessPool) as problem:
            if not is_interrupted:
                message = "a process was ended from outside (too little memory?); `--jobs 1` needs no others"
                raise Trouble(message) from problem
        if answer is not None:
            yield answer


def result_if_begun(one: Future[FileResult]) -> FileResult | None:
    """None where it had not begun to work."""
    try:
        return one.result()
    except (KeyboardInterrupt, CancelledError, BrokenProcessPool):
        return None
