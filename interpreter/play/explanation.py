"""Explains an expression: takes it and a position, gives the value of every sub-expression, as it was asked.

Follows definitions with what they were asked of, and of `some`, `every`, `no`, `sum`, … the elements that made the
difference.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import Names, join_messages, message
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.types import CollectionOf, NothingOf, TextOf, Type, Unknown, item_of
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Each, Operand
from rulesrun.interpreter.model.core_lowering import lower_expression, walk_operations
from rulesrun.interpreter.model.domains import typed_to_external
from rulesrun.interpreter.model.locations import compile_told
from rulesrun.interpreter.model.values import PLAYER, Fault, Slots, State
from rulesrun.interpreter.reference.table import Table

MOST_VALUES = 60
MOST_ELEMENTS = 4
MOST_ADDED = 12
DEEPEST = 6
WITNESS = {"some": True, "every": False, "no": True}  # the element that decides is one for which the body is so
QUIET = (core.Constant, core.SetOf, core.Literal)


@frozen
class ExplainedValue:
    """A stretch of the rules and what it is worth; the text is as people read it.

    `depth`: how far inside definitions and elements; `of`: the element or the player it was asked of.
    """

    span: Span
    value: Any
    text: str
    depth: int = 0
    of: str = ""


def explain_expression(table: Table, state: State, node: Operand) -> tuple[ExplainedValue, ...]:
    """The outermost first."""
    asking = ExpressionExplainer(table, table.to_slots(state))
    asking.explain_node(node, 0, "")
    return tuple(asking.found)


@define(eq=False)
class ExpressionExplainer:
    table: Table
    S: Slots
    found: list[ExplainedValue] = field(factory=list)
    _said: set[tuple[int, str]] = field(factory=set)

    def explain_node(self, node: Operand, depth: int, of: str) -> None:
        if len(self.found) >= MOST_VALUES or depth > DEEPEST:
            return
        worth = explain_value(self.table, self.S, node)
        if worth is not None and self.is_new(node, worth):
            self.found.append(ExplainedValue(worth.span, worth.value, worth.text, depth, of))
        try:
            self.explain_parts(node, depth, of)
        except (Fault, TypeError, IndexError, KeyError):
            return  # what cannot be asked has said so already

    def explain_parts(self, node: Operand, depth: int, of: str) -> None:
        match self.lower(node):
            case core.Quantified() as asked:
                self.explain_node(asked.each.collection, depth, of)
                self.explain_quantified(asked, depth)
            case core.Aggregate(body=body, each=each):
                self.explain_node(each.collection, depth, of)
                self.explain_aggregate(each, body, depth)
            case core.ForPlayer(subject=subject, owner=owner) if (meant := self.find_definition(subject)) is not None:
                self.explain_node(owner, depth, of)
                self.explain_for_player(meant, owner, depth)
            case core.Definition() as meant if meant.is_written:
                self.explain_definition(meant, depth)
            case core.Points(line=(score, line)):  # what was counted once is told as it would be now
                self.explain_definition(core.define_line(self.table.bench.scores[score].lines[line]), depth)
            case core.Logic() as logic:
                for one in self.find_deciding_parts(logic):
                    self.explain_node(one, depth, of)
            case core.IfElse(condition=condition, then=then, otherwise=otherwise):
                self.explain_node(condition, depth, of)
                self.explain_node(then if self.evaluate(condition) else otherwise, depth, of)
            case other:
                for part in self.valued_parts(other):
                    self.explain_node(part, depth, of)

    def valued_parts(self, operation: core.Core) -> list[Operand]:
        """The operands that have a value of their own, whatever the element, whoever is asked."""
        match operation:
            case core.Best(each=each):
                return [each.collection]
            case core.Filter(collection=collection):
                return [collection]
            case core.ForPlayer(subject=subject, owner=owner):
                asked = self.lower(subject)
                return [subject, owner] if names_line(asked) or core.list_operands(asked) else [owner]
            case core.ItemAt(position=position, is_index=True):
                return [position]
            case core.Literal() | core.SetOf():
                return []
            case _:
                return core.list_operands(operation)

    def lower(self, node: Operand) -> core.Core:
        return lower_expression(self.table.bench, node)

    def is_new(self, node: Operand, worth: ExplainedValue) -> bool:
        """What lies in a place is told once, of whichever element it is asked."""
        match self.lower(node):
            case core.Contents(room=room, keys=(), owner=None):
                said = id(room), worth.text
            case _:
                return True
        is_new = said not in self._said
        self._said.add(said)
        return is_new

    def evaluate(self, node: Operand) -> Any:
        found = self.table.bench.ready.get(id(node))
        if found is None:
            raise KeyError(node)
        return found[1].run(self.S)

    def find_deciding_parts(self, logic: core.Logic) -> list[Operand]:
        """Of `and` that fails what fails, of `or` that holds what holds; else all."""
        ends_it = logic.word == "or"
        if bool(self.evaluate(logic.node)) is not ends_it:
            return list(logic.parts)
        deciding: list[Operand] = []
        for part in logic.parts:
            if has_truth_value(self, part, ends_it):
                deciding.append(part)
                break
        return deciding

    # ---- definitions

    def find_definition(self, node: Operand) -> core.Definition | None:
        meant = self.lower(node)
        return meant if isinstance(meant, core.Definition) and meant.is_written else None

    def explain_definition(self, meant: core.Definition, depth: int, of: str = "") -> None:
        told: list[str] = [of] if of else []
        pairs = list(zip(meant.parameters, meant.arguments, strict=True))
        values = [compile_told(self.table.bench, *pair)(self.S) for pair in pairs]
        for (parameter, argument), value in zip(pairs, values, strict=True):
            self.S[self.table.bench.registers[id(parameter)]] = value
            words = format_value(self.table, self.table.bench.type_of(argument), value)
            told.append(join_messages([Names(parameter.name.text), words], " = "))
        self.explain_node(meant.body, depth + 1, join_messages(told))

    def explain_for_player(self, meant: core.Definition, owner: Operand, depth: int) -> None:
        seat, kept = self.table.bench.compile(owner).run(self.S), self.S[PLAYER]
        self.S[PLAYER] = seat
        try:
            self.explain_definition(meant, depth, message("player {player}", player=seat))
        finally:
            self.S[PLAYER] = kept

    # ---- elements

    def list_elements(self, each: Each) -> list[Any]:
        return list(self.evaluate(each.collection))

    def explain_quantified(self, node: core.Quantified, depth: int) -> None:
        """The first element that decides; where none does, the first few that do not."""
        slot, wanted = self.table.bench.registers[id(node.each)], WITNESS[node.word]
        elements = self.list_elements(node.each)
        for element in elements:
            self.S[slot] = element
            if bool(self.evaluate(node.body)) is wanted:
                self.explain_elements(node.each, node.body, [element], depth)
                return
        self.explain_elements(node.each, node.body, elements if node.word == "some" else [], depth)

    def explain_aggregate(self, each: Each, body: Operand, depth: int) -> None:
        """What each element gives, on one line; further in for the first few, where a definition gives it."""
        elements, item, shown = self.list_elements(each), self.element_type(each), []
        for element in elements[:MOST_ADDED]:
            self.S[self.table.bench.registers[id(each)]] = element
            value = format_value(self.table, self.table.bench.type_of(body), self.evaluate_body(body, element))
            shown.append(message("{value} for {element}", value=value, element=format_value(self.table, item, element)))
        text = join_messages(shown)
        if len(elements) > MOST_ADDED:
            text = message("{values} and {amount} more", values=text, amount=len(elements) - MOST_ADDED)
        if shown:
            self.found.append(ExplainedValue(body.span, None, text, depth + 1))
        inside = walk_operations(self.table.bench, body)
        if any(names_line(one) or (isinstance(one, core.Definition) and one.is_written) for one in inside):
            self.explain_elements(each, body, elements, depth)

    def evaluate_body(self, body: Operand, element: Any) -> Any:
        match self.lower(body):
            case core.Attribute(meaning=meaning, owner=core.Element()):
                values = self.table.bench.kinds_of(meaning.components).attributes.get(id(meaning.attribute))
                if values is not None:
                    return values[element]
            case _:
                pass
        return self.evaluate(body)

    def element_type(self, each: Each) -> Type | None:
        return item_of(self.table.bench.type_of(each.collection))

    def explain_elements(self, each: Each, body: Operand, elements: list[Any], depth: int) -> None:
        slot = self.table.bench.registers[id(each)]
        item = self.element_type(each)
        for element in elements[:MOST_ELEMENTS]:
            self.S[slot] = element
            words = format_value(self.table, item, element)
            named = words if each.name is None else join_messages([Names(each.name.text), words], " = ")
            self.explain_node(body, depth + 1, named)


def has_truth_value(asking: ExpressionExplainer, part: Operand, wanted: bool) -> bool:
    try:
        return bool(asking.evaluate(part)) is wanted
    except (Fault, TypeError, KeyError):
        return True


def names_line(operation: core.Core) -> bool:
    """Whether it asks what one line of the score has given."""
    return isinstance(operation, core.Points) and operation.line is not None


def explain_value(table: Table, S: list[Any], node: Operand) -> ExplainedValue | None:
    if isinstance(lower_expression(table.bench, node), QUIET):
        return None
    found = table.bench.ready.get(id(node))
    if found is None or found[1].is_constant:
        return None
    try:
        value = found[1].run(S)
    except Fault as problem:
        return ExplainedValue(node.span, None, problem.diagnostic.message)
    except (TypeError, IndexError):
        return None
    return ExplainedValue(node.span, value, format_value(table, table.bench.type_of(node), value))


def format_value(table: Table, of_type: Type | None, value: Any) -> Names:
    return Names(_format_external(table, of_type, value))


def _format_external(table: Table, of_type: Type | None, value: Any) -> str:
    if value is None or isinstance(of_type, NothingOf):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if of_type is None or isinstance(of_type, (TextOf, Unknown)):
        return str(value)
    try:
        said = typed_to_external(table.bench, of_type, value)
    except (TypeError, IndexError):
        return str(value)
    if isinstance(said, list):
        inner = ", ".join(str(one) for one in said)
        return f"{{{inner}}}" if isinstance(of_type, CollectionOf) else f"({inner})"
    return str(said)
