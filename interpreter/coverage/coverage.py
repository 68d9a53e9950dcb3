"""Which parts of the rules were reached: sets up tables that note it, plays examples and random games at them.

Nothing of this is in a table that is set up without a `Notes`: plain games do not pay for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from attrs import define, field

from rulesrun.dsl.contents.rule_parts import CONDITION, FIXED, VALUE, RulePart
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.examples.beginnings import Beginnings
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Code, Run, Slots
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.play.random_games import SimulationResult, simulate_game
from rulesrun.interpreter.reference.expressions import compile_expression
from rulesrun.interpreter.reference.table import Table, set_up_table


@define(eq=False)
class CoverageNotes:
    """What was reached, by the identity of nodes; `tables` are the settings that were played."""

    roles: Mapping[int, str]
    done: set[int] = field(factory=set)
    true: set[int] = field(factory=set)
    false: set[int] = field(factory=set)
    settings: set[tuple[str, str]] = field(factory=set)
    fixed: list[dict[int, bool]] = field(factory=list)  # by table: conditions decided before the game

    def note_effect(self, node: Located) -> Run:
        """An effect that notes a statement, an action or a phase."""
        add, key = self.done.add, id(node)
        return lambda S: add(key)

    def compile_expression(self, bench: Workbench, node: Operand) -> Code:
        code = compile_expression(bench, node)
        match self.roles.get(id(node)):
            case "value":
                return Code(self.watch_value(node, code.run))
            case "condition":
                return Code(self.watch_truth(node, code.run))
            case "fixed":
                if code.is_constant:
                    self.fixed[-1][id(node)] = bool(code.value)
                return Code(self.watch_truth(node, code.run), code.is_constant, code.value)
            case _:
                return code

    def watch_value(self, node: Located, run: Run) -> Run:
        add, key = self.done.add, id(node)

        def watched(S: Slots) -> Any:
            add(key)
            return run(S)

        return watched

    def watch_truth(self, node: Located, run: Run) -> Run:
        yes, no, key = self.true.add, self.false.add, id(node)

        def watched(S: Slots) -> Any:
            found = run(S)
            (yes if found else no)(key)
            return found

        return watched

    def set_up_table(self, program: Program, players: int, options: Mapping[str, object]) -> Table:
        """A table that notes what is reached at it."""
        self.fixed.append({})
        return set_up_table(program, players, options, self)

    @contextmanager
    def without_noting(self) -> Iterator[None]:
        """What is reached meanwhile is not noted."""
        noted = (self.done, self.true, self.false)
        kept = [set(one) for one in noted]
        yield
        for one, before in zip(noted, kept, strict=True):
            one.intersection_update(before)

    def note_settings(self, table: Table) -> None:
        """The values of the options count once something was played at a table."""
        self.settings |= {(name, repr(value)) for name, value in table.options.items()}

    def note_fixed_conditions(self, parts: Iterable[RulePart]) -> None:
        """A branch that options decide was true or false wherever its `if` was reached."""
        for part in (one for several in parts for one in (several, *several.twins)):
            if part.role == FIXED and part.statement is not None and id(part.statement) in self.done:
                for fixed in self.fixed:
                    if id(part.node) in fixed:
                        (self.true if fixed[id(part.node)] else self.false).add(id(part.node))


@define(eq=False)
class CoverageRunner(ExampleRunner):
    """Runs the worked examples at tables that note what is reached."""

    notes: CoverageNotes = field(kw_only=True)

    def table_at(self, players: int, options: Mapping[str, object]) -> Table:
        key = (players, *sorted((name, str(value)) for name, value in options.items()))
        if key not in self._tables:
            self._tables[key] = self.notes.set_up_table(self.program, players, options)
        return self._tables[key]

    def beginnings_at(self, table: Table) -> Beginnings:
        if id(table) not in self._beginnings:
            self._beginnings[id(table)] = Beginnings(table, self.notes.without_noting)
        return self._beginnings[id(table)]

    def note_table(self, table: Table) -> None:
        self.notes.note_settings(table)


def new_notes(parts: Iterable[RulePart]) -> CoverageNotes:
    watched = [part for part in parts if part.role in {VALUE, CONDITION, FIXED}]
    return CoverageNotes({id(node): part.role for part in watched for node in part.nodes})


def note_examples(program: Program, parts: Iterable[RulePart]) -> CoverageNotes:
    notes = new_notes(parts)
    CoverageRunner(program, notes=notes).run_all()
    notes.note_fixed_conditions(parts)
    return notes


def note_game(notes: CoverageNotes, table: Table, seed: int, until: float) -> None:
    """One random game; what goes wrong in it is told elsewhere."""
    notes.note_settings(table)
    simulate_game(table, Streams(seed), 0, None, SimulationResult(), MOST_DECISIONS, until)
