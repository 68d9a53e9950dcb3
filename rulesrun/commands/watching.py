"""`--watch`: a command that runs again whenever one of its files changes, until Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from time import strftime

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_rules
from rulesrun.files.watching import take_stamps, wait_for_change
from rulesrun.locale.language import translate
from rulesrun.records.complaints import print_diagnostics
from rulesrun.terminal.output import print_error, print_text
from rulesrun.terminal.requests import Request
from rulesrun.terminal.trouble import Trouble, Unplayable, WrongUse


def run_again_and_again(request: Request, run_once: Callable[[], tuple[int, bool]]) -> int:
    """The exit code is that of the last run. A file that is away for a moment is waited for. `run_once` gives its exit
    code, and whether it was interrupted."""
    if request.json or getattr(request, "format", None):
        raise WrongUse(message("`--watch` cannot be used with `--json` or `--format`"))
    if "-" in (*request.files, *request.variants):
        raise WrongUse(message("`--watch` needs files; standard input does not change"))
    watched = {*request.files, *request.variants}
    code = 0
    try:
        while True:
            watched |= set(_list_bases(request))
            stamps = take_stamps(sorted(watched))
            try:
                code, is_interrupted = run_once()
                if is_interrupted:
                    return code
            except Trouble as trouble:
                print_error(f"rulesrun: {trouble}")
                code = 2
            except Unplayable as refusal:
                print_diagnostics(refusal.reading)
                code = 1
            print_text(translate(message("[{time}] waiting for changes; Ctrl-C to stop", time=strftime("%H:%M:%S"))))
            sys.stdout.flush()
            wait_for_change(stamps)
    except KeyboardInterrupt:
        return code


def _list_bases(request: Request) -> Iterator[str]:
    """The files that the rules extend. What is bundled has no file here; what cannot be read is told by the run."""
    for name in request.files:
        try:
            reading = read_rules(name, request.variants)
        except Trouble:
            continue
        yield from (link.file.name for link in reading.chain if os.path.isfile(link.file.name))
