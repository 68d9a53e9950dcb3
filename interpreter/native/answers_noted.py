"""Measured games that note every answer of chance and players, so that they can be gone through again, step by step.

The games are those of `statistics_games`; only what answers is wrapped.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.measuring.luck import OptionLots
from rulesrun.interpreter.native.chances import Way
from rulesrun.interpreter.native.coupled_luck import Fits, NativeLuck
from rulesrun.interpreter.native.engine import Engine
from rulesrun.interpreter.native.form import Constants, Field, X, both, compare, number
from rulesrun.interpreter.native.games import laid_out, play_function, start_bytes
from rulesrun.interpreter.native.lowering import lowered
from rulesrun.interpreter.native.machine_code import Cache, compiled, has_pdep
from rulesrun.interpreter.native.plan import Scope, Store
from rulesrun.interpreter.native.statistics_figures import Figures
from rulesrun.interpreter.native.statistics_games import MeasuredForm, loop_with_rows
from rulesrun.interpreter.native.statistics_lines import Counting
from rulesrun.interpreter.native.to_llvm import ModuleText
from rulesrun.interpreter.table import Table

MOST_ANSWERS = 1 << 17  # of one game
ROWS = 1


@define(eq=False)
class NotedLuck(NativeLuck):
    answers: Field = field(init=False)
    noted: Field = field(init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.answers = self.plan.scratch("answers given", 64, MOST_ANSWERS)
        self.noted = self.plan.scratch("answers noted", 64)

    def note(self, scope: Scope, answer: X) -> None:
        """Where there are too many, they are still counted."""
        lines = scope.lines
        many = lines.kept(lines.load(self.noted))
        with lines.when(compare("<", many, number(MOST_ANSWERS))):
            lines.store(self.answers, answer, many)
        lines.store(self.noted, both("add", many, number(1)))

    def choice(self, scope: Scope, actions: list[ast.Action], total: X, chooser: X) -> X:
        found = super().choice(scope, actions, total, chooser)
        self.note(scope, found)
        return found

    def below(self, scope: Scope, limit: X, stream: X) -> X:
        found = super().below(scope, limit, stream)
        self.note(scope, found)
        return found

    def draw(self, scope: Scope, part: Store, index: X, fits: Fits, way: Way, kind: X, found: str) -> None:
        with scope.lines.block() as drawn:
            super().draw(scope, part, index, fits, way, kind, drawn)
        with scope.lines.when(compare(">=", kind, number(0))):
            self.note(scope, kind)
            scope.lines.leave(found)


def noted_games(table: Table, lots: OptionLots) -> MeasuredForm:
    """As `measured_games`, one game at a time."""
    plan = laid_out(table)
    counting = Counting(plan, Figures(plan))
    plan.luck = NotedLuck(plan, lots, counting.turns)
    play = play_function(plan, counting)
    plan.luck.finish()
    summing = counting.summing_up()
    start = Constants("start", 8, start_bytes(plan))
    plan.scratch("rows of figures", 64, ROWS * counting.figures.width)
    loop = loop_with_rows(counting, play, summing, start)
    return MeasuredForm(plan, (*plan.functions, play, loop), start, counting.figures, ROWS, lots)


def noting_engine(table: Table, lots: OptionLots, cache: Cache | None = None) -> Engine:
    """Raises `CannotCompile` with the reason when it cannot be."""
    form = lowered(table, lambda one: noted_games(one, lots), may_leave_out=True)
    return Engine(table, form, compiled(ModuleText(has_pdep()).whole(form.functions), cache))
