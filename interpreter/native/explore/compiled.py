"""Everything that going through all positions of a table needs, as machine code. Takes a table, gives its functions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from attrs import define, field

from rulesrun.interpreter.form.form import Function
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import Cache, MachineCode, compiled, has_pdep
from rulesrun.interpreter.native.explore import visited_set
from rulesrun.interpreter.native.explore.arrays import Control
from rulesrun.interpreter.native.explore.canonical_rows import Alike
from rulesrun.interpreter.native.explore.machine import ExploredForm, explored_form
from rulesrun.interpreter.native.explore.position_checks import look_function, rules
from rulesrun.interpreter.native.explore.successors import Expanding, rooms_for_notes
from rulesrun.interpreter.native.layout.lowering import lowered
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

    def call(self, name: str, memory: int, control: Control) -> int:
        return self.functions[name](memory, control.address)


def exploring_text(form: ExploredForm) -> str:
    functions = kernels(form)
    inner = {id(one) for one in form.functions}
    written = [*form.functions, *(one for one in form.plan.functions if id(one) not in inner)]
    return ModuleText(has_pdep()).whole([*written, *functions])


def kernels(form: ExploredForm) -> tuple[Function, ...]:
    rooms_for_notes(form)
    form.plan.scratch("rules held", 8, max(len(rules(form.plan)), 1))
    alike = Alike(form)
    ways = (Expanding(form, alike).begin(), Expanding(form, alike).expand())
    return (*alike.functions, *ways, look_function(form, alike), *visited_set.visiting(form, alike.chains))


def exploring_code(table: Table, cache: Cache | None = None, care: int = 2) -> ExploringCode:
    """Raises `CannotCompile` with the reason when the reference alone can do it. `care`: see `compiled`."""
    form = lowered(table, explored_form)
    text = lowered(table, lambda _: exploring_text(form))
    return ExploringCode(form, compiled(text, cache, care))
