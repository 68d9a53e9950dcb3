"""Rules that single components carry. Takes positions as they come, keeps those rules that have held for nobody."""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.model.values import PLAYER, Fault, Run, Slots
from rulesrun.interpreter.reference.table import Table


@define(eq=False)
class UnmetRules:
    """The rules of single components (`rule met`), until each has held for somebody."""

    table: Table
    waiting: dict[str, tuple[Run, Span]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        calls = self.table.bench.calls
        rules = self.table.bench.list_component_rules()
        self.waiting.update({name: (calls[id(rule)].run, span) for name, rule, span in rules})

    def drop_met_rules(self, S: Slots) -> None:
        kept = S[PLAYER]
        for name in [name for name, (run, _) in self.waiting.items() if self.is_met(S, run)]:
            del self.waiting[name]
        S[PLAYER] = kept

    def is_met(self, S: Slots, run: Run) -> bool:
        try:
            for S[PLAYER] in range(1, self.table.players + 1):
                if run(S):
                    return True
        except (Fault, TypeError):
            return False
        return False
