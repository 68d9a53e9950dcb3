"""Which rules may be dead weight: a program in; conditions, statements, actions, score lines, options, components out,
and the rules without each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import asdict, frozen

from rulesrun.dsl.contents.doubtful_rules import DoubtfulRule, list_doubtful_rules
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.model.domains import list_values, to_external
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.expressions import FixedConditions
from rulesrun.interpreter.reference.table import Table, set_up_table

MOST_VALUES = 5  # of one option, evenly taken
MOST_COMPONENTS = 64  # of one declaration


@frozen(eq=False)
class Suspect(DoubtfulRule):
    """Such a rule, the option `name` set to `value`, or a component that is not there."""

    @property
    def is_condition(self) -> bool:
        return isinstance(self.value, bool) and self.node is not None

    @property
    def is_component(self) -> bool:
        return self.what == "component"

    def is_said_by(self, key: Key) -> bool:
        """Whether a figure only says that what was left out does not come any more."""
        match self.what, key:
            case "component", ("component" | "kept" | "row" | "met", name):
                return name in (self.name, self.text)
            case "action", ("action" | "offered" | "ending" | "value", name, *_):
                return name == self.name
            case "action", ("options" | "forced",):
                return True
            case "score line", ("line", name):
                return self.text.startswith(f"{name} = ")
            case _:
                return False

    def set_up_table(self, program: Program, players: int, options: Mapping[str, object]) -> Table:
        """The rules without it."""
        if self.left_out is not None:
            return set_up_table(program, players, options, left_out=frozenset({self.left_out, *self.twins}))
        if self.node is None:
            return set_up_table(program, players, {**options, self.name: self.value})
        fixed = dict.fromkeys((id(self.node), *self.twins), self.value)
        return set_up_table(program, players, options, FixedConditions(fixed))


def find_suspects(program: Program, table: Table) -> list[Suspect]:
    """In the order in which people ask: rules first, then what there is of it."""
    return [
        *map(suspect_rule, list_doubtful_rules(program)), *suspect_options(table), *suspect_components(table),
    ]


def suspect_rule(rule: DoubtfulRule) -> Suspect:
    return Suspect(**asdict(rule, recurse=False))


def suspect_components(table: Table) -> Iterator[Suspect]:
    """Every kind of component, all its copies; of very many a few, evenly taken."""
    for kinds in table.bench.kinds.values():
        step = -(-len(kinds) // MOST_COMPONENTS)
        for kind, copies in list(enumerate(kinds.copies))[::step]:
            declaration = kinds.part_with(kind).declaration
            name = kinds.names[kind].removeprefix(f"{declaration.name.text}-" if kinds.joined else "")
            row = next((one for one in declaration.rows if one.name.text == name), None)
            told = f"{declaration.name.text} {name}" + (f", all {copies}" if copies > 1 else "")
            span = declaration.name.span if row is None else row.name.span
            yield Suspect("component", told, span, left_out=(id(declaration), name), name=name)


def suspect_options(table: Table) -> Iterator[Suspect]:
    """Every other value of every option and reading; of very many a few."""
    for option in table.bench.options:
        name = option.name.text
        try:
            values = [to_external(table.bench, option.type, value) for value in list_values(table.bench, option.type)]
        except RefusedTable:  # too many to go through, as rows are
            continue
        others = [value for value in values if value != table.options[name]]
        for value in others[:: -(-len(others) // MOST_VALUES) or 1]:
            word = "reading" if option.is_reading else "option"
            yield Suspect(word, f"{name} = {value}", option.name.span, None, value, name)
