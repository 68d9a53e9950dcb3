"""For commands that only the reference engine serves: a request in, a complaint when another one is asked for."""

from __future__ import annotations

from rulesrun.arguments import Request
from rulesrun.trouble import Trouble


def insist(request: Request) -> None:
    if request.text("engine") == "native":
        raise Trouble(f"`rulesrun {request.command}` plays with the reference engine only: `--engine reference`")
