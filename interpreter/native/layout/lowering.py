"""A table written in the small form, or refused: whatever goes wrong on the way leaves it to the reference.

Takes a table and who writes it. Needs no compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.reference.expressions import FixedConditions
from rulesrun.interpreter.reference.table import Table

Written = TypeVar("Written")
# What should never happen while a table is written. Tests let it through: no fault of ours hides behind the reference.
UNFORESEEN: tuple[type[Exception], ...] = (
    LookupError, AssertionError, AttributeError, TypeError, ValueError, RecursionError,
)  # fmt: skip


def lower_table(table: Table, write: Callable[[Table], Written], may_leave_out: bool = False) -> Written:
    """The small form; where writing it goes wrong, the table is left to the reference like what cannot be said.

    `may_leave_out`: also of rules that are played without a part of them.
    """
    is_watched = table.bench.watcher is not None and not isinstance(table.bench.watcher, FixedConditions)
    if is_watched or (not may_leave_out and (table.bench.watcher is not None or table.bench.left_out)):
        raise CannotCompile(
            message("rules that are watched, or from which something is left out, need the reference engine")
        )
    try:
        return write(table)
    except UNFORESEEN as problem:
        raise CannotCompile(
            message("the compiler does not know what to make of this ({name})", name=type(problem).__name__)
        ) from problem
    except (Fault, RefusedTable) as problem:
        raise CannotCompile(str(problem)) from problem
