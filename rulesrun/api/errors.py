"""What the Python API raises. Takes what the folders below find, gives exceptions with the place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rulesrun.dsl.diagnostics.report import diagnostic_to_json
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.values import Fault

Json = dict[str, Any]


class RulesError(Exception):
    """There are errors in the rules, or in the options asked for. `diagnostics` has a dictionary for each."""

    def __init__(self, message: str, diagnostics: Sequence[Json]) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class RulesFault(RulesError):
    """While a game was played, the rules came to something that has no meaning. It says where in the file."""


class NoMachineCode(RuntimeError):
    """Machine code was asked for but cannot be made: the compiler is missing, or does not cover these rules."""


class IllegalChoice(ValueError):
    """This is not legal here; the message says which condition fails. The position stays as it is."""


@contextmanager
def translate_faults(reading: Reading) -> Iterator[None]:
    """Inside, a fault of the rules becomes a RulesFault with its place."""
    try:
        yield
    except Fault as problem:
        found = diagnostic_to_json(problem.diagnostic, reading.sources)
        raise RulesFault(problem.diagnostic.message, [found]) from None
