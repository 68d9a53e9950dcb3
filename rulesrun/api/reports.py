"""What the services of the Python API give: typed findings that print as the command line prints them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import Generic, TypeVar
from warnings import warn

from attrs import frozen

from rulesrun.api.errors import Json, NoMachineCode, RulesError, translate_faults
from rulesrun.dsl.diagnostics.report import diagnostic_to_json, format_diagnostics
from rulesrun.files.loading import Reading
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.terminal.output import forget_notes, redirect_errors
from rulesrun.terminal.trouble import Trouble, Unplayable

Found = TypeVar("Found")


@frozen(eq=False, repr=False)
class Report(Generic[Found]):
    """What was found out about a rulebook.

    `findings` has the data, `holds` says whether the rules are sound. `str(report)` is the text that the command line
    prints, `to_json()` the document that it prints with `--json`.
    """

    findings: Found
    holds: bool
    _text: Callable[[], str]
    _document: Callable[[], Mapping[str, object]]

    def __repr__(self) -> str:
        return self._text().rstrip("\n")

    def _repr_html_(self) -> str:
        return f'<pre class="rulesrun">{escape(repr(self))}</pre>'

    def to_json(self) -> Json:
        """Ready for `json.dumps`; docs/commands.md describes it."""
        return dict(self._document())


@contextmanager
def translate_errors(reading: Reading) -> Iterator[None]:
    """Inside, what keeps a command from its work is raised as an exception of the API; what it says beside its result
    becomes a warning."""
    forget_notes()
    try:
        with translate_faults(reading), redirect_errors(_warn):
            yield
    except Unplayable as refusal:
        found = refusal.reading
        diagnostics = [diagnostic_to_json(one, found.sources) for one in found.diagnostics]
        raise RulesError(format_diagnostics(found.diagnostics, found.sources), diagnostics) from None
    except NoAnswer as reason:
        raise ValueError(str(reason)) from None
    except Trouble as trouble:
        if "--engine native" in str(trouble):
            raise NoMachineCode(str(trouble)) from None
        raise ValueError(str(trouble)) from None


def _warn(text: str) -> None:
    """Where the method of the rulebook was called."""
    warn(text.removeprefix("rulesrun: "), stacklevel=_outside_of_the_package())


def _outside_of_the_package() -> int:
    """How many callers stand between `warn` and the code of whoever uses the library."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("rulesrun"):
        level, frame = level + 1, frame.f_back
    return level


def write_players(players: int | range | tuple[int, int] | str | None) -> str | None:
    """`3`, `range(2, 5)` or `(2, 4)` as the command line has it: `3`, `2-4`."""
    if players is None or isinstance(players, str):
        return players
    if isinstance(players, int):
        return str(players)
    first, last = (players[0], players[-1]) if len(players) else (0, 0)
    return f"{first}-{last}"


def write_settings(options: Mapping[str, object] | None) -> dict[str, str]:
    """Values of options as the rules write them: `True` is `yes`, a list is `2,1`."""
    return {name: _write_value(value) for name, value in (options or {}).items()}


def _write_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(_write_value(one) for one in value)
    return "nothing" if value is None else str(value)
