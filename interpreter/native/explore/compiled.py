"""Everything that going through all positions of a table needs, as machine code. Takes a table, gives its functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from attrs import define, field

from rulesrun.interpreter.form.form import Function
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compile_text, has_pdep
from rulesrun.interpreter.native.explore import visited_set
from rulesrun.interpreter.native.explore.arrays import Control
from rulesrun.interpreter.native.explore.canonical_rows import CanonicalRows
from rulesrun.interpreter.native.explore.machine import ExploredForm, lower_exploration
from rulesrun.interpreter.native.explore.position_checks import position_check_function
from rulesrun.interpreter.native.explore.successors import ExpandWriter, lay_out_notes
from rulesrun.interpreter.native.layout.lowering import lower_table
from rulesrun.interpreter.reference.table import Table

OF_POSITIONS = ("begin", "expand", "look")
OF_ROWS = ("look up", "number", "enter", "link", "grow")


@define(eq=False)
class ExploringCode:
    """Each function takes the memory of a thread and a control; outside Python's lock."""

    form: ExploredForm
    code: MachineCode
    functions: dict[str, Callable[[int, int], int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_int64
        self.functions = {
            name: self.code.function(name, number, pointer, number) for name in (*OF_POSITIONS, *OF_ROWS)
        }

    def call_kernel(self, name: str, memory: int, control: Control) -> int:
        return self.functions[name](memory, control.address)


def format_exploration(form: ExploredForm) -> str:
    functions = make_kernels(form)
    inner = {id(one) for one in form.functions}
    written = [*form.functions, *(one for one in form.plan.functions if id(one) not in inner)]
    return ModuleText(has_pdep()).format_module([*written, *functions])


def make_kernels(form: ExploredForm) -> tuple[Function, ...]:
    lay_out_notes(form)
    form.plan.add_scratch("rules held", 8, max(len(form.plan.bench.list_component_rules()), 1))
    alike = CanonicalRows(form)
    ways = (ExpandWriter(form, alike).begin_function(), ExpandWriter(form, alike).expand_function())
    return (
        *alike.functions,
        *ways,
        position_check_function(form, alike),
        *visited_set.visited_set_functions(form, alike.chains),
    )


def compile_exploration(table: Table, cache: Cache | None = None, care: int = 2) -> ExploringCode:
    """Raises `CannotCompile` with the reason when the reference alone can do it. `care`: see `compiled`."""
    form = lower_table(table, lower_exploration)
    text = lower_table(table, lambda _: format_exploration(form))
    return ExploringCode(form, compile_text(text, cache, care))
