"""Commands that are part of the contract and not built yet: they say so."""

from __future__ import annotations

from rulesrun.arguments import COMMANDS, Request
from rulesrun.trouble import Trouble


def run(request: Request) -> int:
    command = COMMANDS[request.command]
    raise Trouble(f"`rulesrun {command.name}` ({command.says}) is not available in this version")
