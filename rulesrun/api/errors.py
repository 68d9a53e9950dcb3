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
    """The rules (or the options asked for) do not hold together. `diagnostics`: one dictionary each."""

    def __init__(self, message: str, diagnostics: Sequence[Json]) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class RulesFault(RulesError):
    """The rules came to something that has no meaning while they were played."""


class NoMachineCode(RuntimeError):
    """Machine code was asked for, and there is none: the compiler is not installed, or cannot say these rules."""


class IllegalChoice(ValueError):
    """This cannot be chosen here; the text says which condition fails. The position stays as it is."""


@contextmanager
def translate_faults(reading: Reading) -> Iterator[None]:
    """Inside, a fault of the rules becomes a RulesFault with its place."""
    try:
        yield
    except Fault as problem:
        found = diagnostic_to_json(problem.diagnostic, reading.sources)
        raise RulesFault(problem.diagnostic.message, [found]) from None
