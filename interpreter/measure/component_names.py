"""What components are called in figures: takes a table, gives their names, kind by kind, no two alike.

They are written by their attributes alone, so that a House 2 and a Cheque 2 are both `2`: such ones are told with their
kind.
"""

from __future__ import annotations

from collections import Counter

from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.components import Kinds


def component_names(bench: Workbench) -> dict[str, tuple[str, ...]]:
    """By the name of their declaration."""
    often = Counter(name for kinds in bench.kinds.values() for name in set(kinds.names))
    return {kinds.declaration.name.text: tuple(distinct_name(kinds, kind, often) for kind in range(len(kinds)))
            for kinds in bench.kinds.values()}  # fmt: skip


def distinct_name(kinds: Kinds, kind: int, often: Counter[str]) -> str:
    name = kinds.names[kind]
    return name if often[name] == 1 else f"{kinds.part_with(kind).declaration.name.text} {name}"
