"""`rulesrun lsp`: the language server, over standard input and output."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout

from rulesrun.dsl.text.messages import message
from rulesrun.terminal.requests import LspRequest
from rulesrun.terminal.trouble import Trouble


def run(request: LspRequest) -> int:
    try:
        from rulesrun.lsp.server import make_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] in ("pygls", "lsprotocol", "cattrs"):
            raise Trouble(message("the language server needs an extra: `pip install 'rulesrun[lsp]'`")) from None
        raise
    from rulesrun import __version__

    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output, redirect_stdout(sys.stderr):
        make_server(__version__).start_io(None, output)  # what is printed by mistake is no message
    return 0
