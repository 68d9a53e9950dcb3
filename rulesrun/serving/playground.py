"""`rulesrun playground DIR`: rules in a browser tab, as a folder of files that any server may serve."""

from __future__ import annotations

from rulesrun.dsl.text.messages import message
from rulesrun.locale.language import translate
from rulesrun.playground.assembly import write_playground
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.requests import PlaygroundRequest


def run(request: PlaygroundRequest) -> int:
    made = write_playground(request.files[0], request.pyodide)
    if request.json:
        print_json({"folder": made.folder, "bytes": made.size, "compiled": made.is_compiled})
    elif not request.quiet:
        megabytes = f"{made.size / 1_000_000:.1f}"
        print_text(translate(message("{folder}: {megabytes} MB", folder=made.folder, megabytes=megabytes)))
        if not made.is_compiled:
            print_text(translate(message("Node.js was not found, so pages take a second longer to start")))
        print_text(
            translate(message("to open it: python3 -m http.server --directory {folder}", folder=made.folder))
        )
    return 0
