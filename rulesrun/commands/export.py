"""`rulesrun export`: a small game as a file for Gambit and whatever else reads its trees and tables."""

from __future__ import annotations

from rulesrun.files.atomic_files import check_writable, write_atomically
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.records.complaints import print_fault
from rulesrun.report.tree_text import efg_lines, nfg_lines
from rulesrun.services.export import export_rules
from rulesrun.terminal.output import print_text
from rulesrun.terminal.requests import ExportRequest
from rulesrun.terminal.trouble import Trouble

WRITERS = {"efg": efg_lines, "nfg": nfg_lines}


def run(request: ExportRequest) -> int:
    formats = [one.partition("=")[::2] for one in request.format or ("efg",)]
    for _, file in formats:
        if file:
            check_writable(file, keep=request.files)
    reading = read_playable(request.files[0], request.variants)
    try:
        found = export_rules(reading, request)
        for name, file in formats:
            text = "\n".join(WRITERS[name](found.tree, reading.title)) + "\n"
            if file:
                write_atomically(file, text)
            else:
                print_text(text, end="")
    except NoAnswer as reason:
        raise Trouble(reason.args[0]) from None
    except Fault as fault:
        print_fault(reading, fault)
        return 1
    return 0
