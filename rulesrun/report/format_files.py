"""Where findings for other tools go: standard output, or the files that `--format NAME=FILE` names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulesrun.files.atomic_files import check_writable, write_atomically
from rulesrun.terminal.output import print_text
from rulesrun.terminal.requests import Request

if TYPE_CHECKING:  # reading a report is not worth its time to a plain `check`
    from rulesrun.report.formats import FileFindings


def write_findings(request: Request, files: Sequence[FileFindings]) -> None:
    """For other tools: into the files that were named, or to standard output."""
    if not request.format:
        return
    from rulesrun.report.formats import write_format

    for one in request.format:
        name, _, file = one.partition("=")
        text = write_format(name, files)
        if file:
            write_atomically(file, text)
        else:
            print_text(text, end="")


def check_format_files(request: Request) -> None:
    """Said before the work, not after it."""
    for one in request.format:
        if file := one.partition("=")[2]:
            check_writable(file, (*request.files, *request.variants))
