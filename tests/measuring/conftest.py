"""The command line as a person runs it, as in `tests/rulesrun`."""

from __future__ import annotations

from tests.rulesrun.conftest import run

__all__ = ["run"]
