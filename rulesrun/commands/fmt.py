"""`rulesrun fmt`: one canonical layout. Writes the file anew, or with --check only shows the difference."""

from __future__ import annotations

import os
from difflib import unified_diff

from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import write_atomically
from rulesrun.files.loading import Reading, read_rules
from rulesrun.locale.language import say
from rulesrun.records.complaints import diagnostics_json, print_diagnostics
from rulesrun.terminal.output import print_error, print_json, print_text
from rulesrun.terminal.requests import FormatRequest
from rulesrun.terminal.trouble import Trouble, WrongUse


def run(request: FormatRequest) -> int:
    if request.variants and not request.expanded:
        raise WrongUse(message("`--with` needs `--expanded`"))
    if request.json and not (request.check or request.expanded):
        raise WrongUse(message("`rulesrun fmt --json` needs `--check` or `--expanded`"))
    if request.check and request.expanded:
        raise WrongUse(message("use `--check` or `--expanded`, not both"))
    readings = [read_rules(name, request.variants) for name in request.files]
    if request.expanded:
        return _print_expanded(request, readings)
    if request.check:
        return _show_differences(request, readings)
    return _rewrite_files(request, readings)


def _print_expanded(request: FormatRequest, readings: list[Reading]) -> int:
    from rulesrun.dsl.format.format import format_game, is_text_of_pieces, pieces_of_game

    documents = []
    for reading in readings:
        if reading.game is None or reading.has_errors:
            print_diagnostics(reading)
            documents.append({"file": reading.name, "text": None, "diagnostics": diagnostics_json(reading)})
            continue
        text = format_game(reading.game)
        if not is_text_of_pieces(text, pieces_of_game(reading.game)):
            raise _make_unfaithful_trouble(reading)
        documents.append({"file": reading.name, "text": text, "diagnostics": diagnostics_json(reading)})
        if not request.json:
            print_text(text, end="")
    if request.json:
        print_json({"files": documents})
    return 1 if any(document["text"] is None for document in documents) else 0


def _show_differences(request: FormatRequest, readings: list[Reading]) -> int:
    documents: list[dict[str, object]] = []
    for reading in readings:
        new = _canonical_text(reading)
        if new is None:
            print_diagnostics(reading)
            documents.append(
                {"file": reading.name, "ok": False, "diff": None, "diagnostics": diagnostics_json(reading)}
            )
            continue
        difference = _layout_diff(reading, new)
        documents.append({"file": reading.name, "ok": not difference, "diff": difference, "diagnostics": []})
        if not request.json:
            print_text(difference, end="")
    if request.json:
        print_json({"files": documents})
    return 0 if all(document["ok"] for document in documents) else 1


def _rewrite_files(request: FormatRequest, readings: list[Reading]) -> int:
    code = 0
    for reading in readings:
        new = _canonical_text(reading)
        if new is None:
            print_diagnostics(reading)
            code = 1
        elif reading.name == "-":
            print_text(new, end="")
        elif not os.path.exists(reading.name):
            raise Trouble(
                message(
                    "{file} is a bundled rulebook and cannot be changed; `--check` shows the difference",
                    file=reading.name)
            )
        elif new != reading.chain[-1].file.text:
            write_atomically(reading.name, new)
            if not request.quiet:
                print_error(message("{file}: formatted", file=reading.name))
    return code


def _canonical_text(reading: Reading) -> str | None:
    """None: the file has errors of syntax, so nobody knows what it says."""
    from rulesrun.dsl.format.format import format_file, is_same_rules

    link = reading.chain[-1]
    if any(found.severity == "error" for found in link.parsed.diagnostics):
        return None
    new = format_file(link.source, link.parsed)
    if not is_same_rules(link.parsed, new):
        raise _make_unfaithful_trouble(reading)
    return new


def _make_unfaithful_trouble(reading: Reading) -> Trouble:
    code = "unfaithful-layout"
    return Trouble(
        message(
            "{file} is unchanged: error[{code}]: in its new layout it would mean something else. This is a bug of "
            "rulesrun, not of the rules; please report it with the file",
            file=reading.name,
            code=code,
        )
    )


def _layout_diff(reading: Reading, new: str) -> str:
    old = reading.chain[-1].file.text
    lines = unified_diff(
        old.splitlines(True), new.splitlines(True), reading.name, say("{file} (canonical)", file=reading.name)
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ {say('no newline at the end')}\n" for line in lines)
