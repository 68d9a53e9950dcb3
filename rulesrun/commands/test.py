"""`rulesrun test`: the examples, and the properties in a few games."""

from __future__ import annotations

from rulesrun.arguments import Request
from rulesrun.commands.run import examined, report_files
from rulesrun.trouble import Trouble

GAMES = 20


def run(request: Request) -> int:
    if request.has("coverage"):
        raise Trouble("`rulesrun test --coverage` is not available in this version")
    request.chosen.setdefault("games", GAMES)
    return report_files(request, examined)
