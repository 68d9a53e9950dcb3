"""`rulesrun man`: the manual page."""

from __future__ import annotations

from rulesrun.shell.manual import write_manual
from rulesrun.terminal.output import print_text
from rulesrun.terminal.requests import ManualRequest


def run(request: ManualRequest) -> int:
    print_text(write_manual(), end="")
    return 0
