"""`rulesrun check`: read and check, play nothing. With `--watch` again and again."""

from __future__ import annotations

import os
import sys
from time import strftime

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import Reading, read_rules
from rulesrun.files.watching import take_stamps, wait_for_change
from rulesrun.locale.language import translate
from rulesrun.report.check_text import check_json, check_text
from rulesrun.report.format_files import check_format_files, write_findings
from rulesrun.services.check import check_rules
from rulesrun.terminal.output import print_error, print_json, print_text
from rulesrun.terminal.requests import CheckRequest
from rulesrun.terminal.trouble import Trouble, WrongUse


def run(request: CheckRequest) -> int:
    check_format_files(request)
    return _watch_files(request) if request.watch else _check_files(request)[0]


def _check_files(request: CheckRequest) -> tuple[int, list[Reading]]:
    readings = [check_rules(read_rules(name, request.variants)) for name in request.files]
    if request.json:
        print_json({"files": [check_json(reading) for reading in readings]})
    elif request.printed_format is None:
        for reading in readings:
            print_text(check_text(reading, request.quiet), end="")
    if request.format:
        from rulesrun.report.findings import collect_findings_of_reading

        write_findings(request, [collect_findings_of_reading(one) for one in readings])
    return (1 if any(reading.has_errors for reading in readings) else 0), readings


def _watch_files(request: CheckRequest) -> int:
    """Until Ctrl-C; the exit code is that of the last check. A file that is away for a moment is waited for."""
    if request.json or request.format:
        raise WrongUse(message("`--watch` speaks to people: without `--json` and `--format`"))
    if "-" in (*request.files, *request.variants):
        raise WrongUse(message("`--watch` needs files; standard input does not change"))
    watched = {*request.files, *request.variants}
    code = 0
    try:
        while True:
            stamps = take_stamps(sorted(watched))
            try:
                code, readings = _check_files(request)
                watched |= {path for reading in readings for path in _paths_of(reading)}
                stamps = {**take_stamps(sorted(watched)), **stamps}
            except Trouble as trouble:
                print_error(f"rulesrun: {trouble}")
                code = 2
            print_text(translate(message("[{time}] waiting for changes; Ctrl-C ends", time=strftime("%H:%M:%S"))))
            sys.stdout.flush()
            wait_for_change(stamps)
    except KeyboardInterrupt:
        return code


def _paths_of(reading: Reading) -> list[str]:
    """The bases, too. What is bundled has no file here."""
    names = (link.file.name for link in reading.chain)
    return [name for name in names if os.path.isfile(name)]
