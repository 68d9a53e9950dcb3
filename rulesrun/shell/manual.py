"""The manual page, in the language of mdoc. `rulesrun man | man -l -` shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import rulesrun
from rulesrun.dsl.text.messages import message
from rulesrun.locale.language import say, translate
from rulesrun.shell.candidates import named_commands
from rulesrun.terminal.arguments import COMMANDS, OPTIONS, Option

DATE = "November 19, 2026"  # of this version
CODES = (
    ("0", message("Everything holds.")),
    ("1", message("Something in the rules does not hold: an error in a file, a failed example, a broken property.")),
    ("2", message("The command could not do its job: an unknown option, a missing file.")),
)
EXAMPLES = (
    (message("Check two files, play them, and print a report on each:"), "rulesrun my.rules house.rules"),
    (message("Play a thousand games of a bundled rulebook:"), "rulesrun simulate classics/pig --games 1000"),
    (message("Explain an error or a warning:"), "rulesrun explain undecided-tie"),
)


def write_manual() -> str:
    return "\n".join([*_head(), *_list_commands(), *_list_options(), *_tail()]) + "\n"


def _head() -> Iterator[str]:
    yield from (f".Dd {DATE}", ".Dt RULESRUN 1", ".Os", ".Sh NAME", ".Nm rulesrun")
    yield f".Nd {_text(say('check, play and analyse the rules of card and board games'))}"
    yield ".Sh SYNOPSIS"
    for command in COMMANDS.values():
        name = "" if command.name == "run" else f" Cm {command.name}"
        yield f".Nm{name} Oo Ar option ... Oc" + (f" Ar {_text(command.takes)}" if command.takes else "")
    yield from (".Sh DESCRIPTION", _text(say("A rules file is a rulebook that a machine can follow.")), ".Nm")
    yield _text(say("reads such files, checks them, runs their examples and plays them to test their properties."))
    yield ".Pp"
    yield _text(say("FILE is a rules file, `-`, or a bundled rulebook: `zero`, `classics/kuhn`."))


def _list_commands() -> Iterator[str]:
    yield from (".Sh COMMANDS", _text(say("Without a command, rulesrun runs:")), f"{_text(COMMANDS['run'].says)}.")
    yield ".Bl -tag -width simulate"
    for command in named_commands():
        yield f".It Cm {command.name}" + (f" Ar {_text(command.takes)}" if command.takes else "")
        yield f"{_text(command.says).rstrip('.')}."
        if command.options:
            yield from (".br", f"{_text(say('Options:'))} {', '.join(map(_dashes, command.options))}.")
    yield ".El"


def _list_options() -> Iterator[str]:
    yield from (".Sh OPTIONS", ".Bl -tag -width indent")
    for option in OPTIONS.values():
        yield _option_head(option)
        yield f"{_text(option.says)}."
    yield ".El"


def _option_head(option: Option) -> str:
    return f".It Fl -{option.name}" + (f" Ar {_text(option.takes)}" if option.takes is not None else "")


def _tail() -> Iterator[str]:
    yield from (".Sh ENVIRONMENT", ".Bl -tag -width indent")
    yield from (".It Ev NO_COLOR", _text(say("No colours, not even on a terminal.")))
    yield from (".It Ev COLUMNS", _text(say("How wide the terminal is.")))
    yield from (".It Ev RULESRUN_DEBUG", _text(say("Shows where a bug of rulesrun itself happened.")), ".El")
    yield from (".Sh EXIT STATUS", ".Bl -tag -width indent")
    for code, says in CODES:
        yield from (f".It {code}", _text(says))
    yield from (".El", ".Sh EXAMPLES")
    for number, (says, line) in enumerate(EXAMPLES):
        yield from ((".Pp",) if number else ())
        yield from (_text(says), f".Dl $ {_text(line)}")
    yield from (".Sh SEE ALSO", _text(say("Version {version}.", version=rulesrun.__version__)))
    yield _text(say("The pages in `docs/` of the project."))


def _dashes(name: str) -> str:
    return rf"\-\-{name.replace('-', chr(92) + '-')}"


def _text(text: str) -> str:
    """Words for people: quoted code in quotation marks, no line that begins like a command of mdoc."""
    said = re.sub(r"`([^`]*)`", r"«\1»", translate(text)).replace("\\", "\\e").replace("-", "\\-")
    said = said.replace("«", "\\(oq").replace("»", "\\(cq").replace("…", "...")
    said = "".join(sign if sign.isascii() else f"\\[u{ord(sign):04X}]" for sign in said)
    return f"\\&{said}" if said.startswith((".", "'")) else said
