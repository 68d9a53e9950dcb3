"""The front door of the command line: words in, exit code out. The last word on every error."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from time import monotonic

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.files.atomic_files import take_write_failures
from rulesrun.locale.catalogue import list_languages
from rulesrun.locale.language import known_languages, set_language
from rulesrun.terminal.arguments import COMMANDS, help_of, overview, read_command_line
from rulesrun.terminal.garbage import collect_seldom
from rulesrun.terminal.interruption import reraise_interrupts
from rulesrun.terminal.output import (
    forget_notes,
    has_printed_json,
    make_portable,
    note_lines,
    open_closed_streams,
    prefixed,
    print_error,
    print_json,
    print_text,
    reset_json,
)
from rulesrun.terminal.progress import clock
from rulesrun.terminal.requests import HelpRequest, Request, VersionRequest
from rulesrun.terminal.trouble import Trouble, Unplayable, WrongUse

HOLDS, FAILS, CANNOT = 0, 1, 2
# Commands that can play on either engine.
NATIVE = {
    "assess", "compare", "deadweight", "explore", "ladder", "readings", "report", "run", "simulate", "trace", "tree",
}  # fmt: skip
REPORTS = {"check", "run", "test"}  # notes stand in what they say of each file
LONG = 2.0  # seconds after which it is worth a sentence that there is no compiler
TIMED = NATIVE - {"run", "trace"} | {"solve", "test", "adopt"}  # the plain form has a clock of its own
TELLING = {"trace", "explain", "completion", "man", "lsp"}  # and judge nothing
SHORT = {"check", "explain", "completion", "man"}  # over before collecting garbage could win anything


def main(words: Sequence[str] | None = None) -> int:
    open_closed_streams()
    make_portable(sys.stdout)
    make_portable(sys.stderr)
    reset_json()
    try:
        with reraise_interrupts():
            code = _run_catching_errors(sys.argv[1:] if words is None else words)
        sys.stdout.flush()
    except BrokenPipeError:
        return _handle_closed_pipe(sys.argv[1:] if words is None else words)
    except OSError as reason:
        return _handle_unwritable_output(reason)
    finally:
        set_language(None)
    return code


def _run_catching_errors(words: Sequence[str]) -> int:
    try:
        return _run_words(words)
    except WrongUse as wrong:
        named = f"{words[0]} " if words and words[0] in COMMANDS and words[0] != "run" else ""
        help_command = f"rulesrun {named}--help"
        reason, more = str(wrong), ["\n", message("{command} shows what is available.", command=help_command)]
    except Trouble as trouble:
        reason, more = str(trouble), []
    except KeyboardInterrupt:
        reason, more = message("interrupted"), []
    except OSError:
        raise
    except Exception as fault:  # the last resort: a person should never see a traceback
        if os.environ.get("RULESRUN_DEBUG"):
            raise
        reason, more = _fault_message(fault), []
    print_error(join_messages([prefixed(reason), *more], ""))
    if "--json" in words and words[0] != "trace" and not has_printed_json():
        print_json({"error": reason})
    return CANNOT


def _fault_message(fault: Exception) -> str:
    from rulesrun.interpreter.model.values import RefusedTable

    if isinstance(fault, RefusedTable):
        return message("the rules are too much for this command: {reason}", reason=str(fault))
    return message(
        "this is a bug of rulesrun, not of the rules ({kind}: {text}). Please report it with the command and the "
        "rules file; RULESRUN_DEBUG=1 shows where it happened.",
        kind=type(fault).__name__, text=str(fault)[:200],
    )  # fmt: skip


def _run_words(words: Sequence[str]) -> int:
    if not words:
        print_error(overview().rstrip("\n"))
        return CANNOT
    request = read_command_line(words)
    if isinstance(request, VersionRequest):
        from rulesrun import __version__

        print_text(f"rulesrun {__version__}")
        return HOLDS
    if isinstance(request, HelpRequest):
        set_language(request.lang if request.lang in list_languages() else None)
        print_text(_help_text(request.topic), end="")
        return HOLDS
    if request.engine == "native" and request.command not in NATIVE:
        raise Trouble(
            message(
                "`rulesrun {command}` has no native engine in this version; "
                "`--engine reference` gives the same answers",
                command=request.command,
            )
        )
    if sum("=" not in name for name in request.format) + request.json > 1:
        raise WrongUse(
            message("only one document can go to standard output; give the others a file, as in `--format sarif=FILE`")
        )
    if request.command in SHORT:
        gc.disable()
    else:
        collect_seldom(is_short=request.command == "run")
    return _run_command(request)


def _run_command(request: Request) -> int:
    set_language(None)
    forget_notes()
    take_write_failures()
    if request.lang is not None:
        _choose_language(request)
    began = monotonic()
    try:
        command = import_module(COMMANDS[request.command].module)
        with clock(f"rulesrun {request.command}", request.command in TIMED and not is_for_tools(request)):
            code: int = command.run(request)
    except Unplayable as refusal:
        from rulesrun.records.complaints import diagnostics_json, print_diagnostics

        print_diagnostics(refusal.reading)
        if is_one_document(request):
            print_json({"file": refusal.reading.name, "ok": False, "diagnostics": diagnostics_json(refusal.reading)})
        return FAILS
    _print_notes(request, monotonic() - began)
    lost = take_write_failures()
    for reason in lost:
        print_error(prefixed(reason))
    return CANNOT if lost else code


def is_one_document(request: Request) -> bool:
    """With `--json` standard output is one JSON document, whatever happens; a trace is a line for each event."""
    return request.json and request.command != "trace"


def is_for_tools(request: Request) -> bool:
    return request.json or request.quiet or request.printed_format is not None


def _print_notes(request: Request, seconds: float) -> None:
    """JSON and the reports of files have them already. That there is no compiler is told where it would have paid."""
    if request.quiet or request.printed_format is not None:
        return
    if not (request.json or request.command in REPORTS):
        for line in note_lines():
            print_error(line)
    if request.command in NATIVE and request.engine is None and seconds > LONG and not request.json:
        from rulesrun.run.engine_choice import MISSING, is_compiler_installed

        if not is_compiler_installed():
            print_error(message(
                "rulesrun: the native engine would be about a hundred times faster, but {reason}", reason=MISSING
            ))  # fmt: skip


def _choose_language(request: Request) -> None:
    """Reports in another language; a trace has its words beside what is in every trace. JSON has the same in all."""
    code = request.lang or ""
    if code not in list_languages():
        _check_language(request, code)
    is_for_people = not request.json and request.printed_format is None
    if is_for_people or request.command == "trace":
        set_language(code)


def _check_language(request: Request, code: str) -> None:
    """One that has no catalogue: at least the rules have words for it."""
    from rulesrun.files.loading import read_rules

    rules = {"explain": 0, "man": 0, "new": 0, "play": 1, "playground": 0, "replay": 1, "why": 1}
    files = rules.get(request.command, len(request.files))
    known = known_languages(read_rules(name, request.variants).game for name in request.files[:files])
    if code not in known:
        raise Trouble(
            message(
                "`--lang {code}`: there is no such language here; there are {known}", code=code, known=tuple(known)
            )
        )


def _help_text(command: str) -> str:
    return overview() if command == "run" else help_of(COMMANDS[command])


def _handle_closed_pipe(words: Sequence[str]) -> int:
    """Who read our output went away: nothing more to say, and nothing to complain about at exit. Of what judges nothing
    they have all they wanted."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return HOLDS if words and words[0] in TELLING else CANNOT


def _handle_unwritable_output(reason: OSError) -> int:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    where = f"{reason.filename}: " if reason.filename else ""
    print_error(message(
        "rulesrun: the result cannot be written: {where}{reason}", where=where, reason=reason.strerror or str(reason)
    ))  # fmt: skip
    return CANNOT


if __name__ == "__main__":
    sys.exit(main())
