"""Explains an expression: takes it and a position, gives the value of every sub-expression, as it was asked.

Follows definitions with what they were asked of, and of `some`, `every`, `no`, `sum`, … the elements that made the
difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.dsl.typing.types import CollectionOf, NothingOf, TextOf, Type, Unknown, item_of
from rulesrun.interpreter.model.domains import spoken
from rulesrun.interpreter.model.values import PLAYER, Fault, Slots, State
from rulesrun.interpreter.reference.table import Table

MOST_VALUES = 60
MOST_ELEMENTS = 4
MOST_ADDED = 12
DEEPEST = 6
WITNESS = {"some": True, "every": False, "no": True}  # the element that decides is one for which the body is so
QUIET = (ast.Number, ast.Text, ast.Truth, ast.Nothing, ast.Each, ast.SetOf, ast.Literal)


@frozen
class Explained:
    """A stretch of the rules and what it is worth; the text is as people read it.

    `depth`: how far inside definitions and elements; `of`: the element or the player it was asked of.
    """

    span: Span
    value: Any
    text: str
    depth: int = 0
    of: str = ""


def explain(table: Table, state: State, node: ast.Expr) -> tuple[Explained, ...]:
    """The outermost first."""
    asking = Explaining(table, table.opened(state))
    asking.ask(node, 0, "")
    return tuple(asking.found)


@define(eq=False)
class Explaining:
    table: Table
    S: Slots
    found: list[Explained] = field(factory=list)
    _said: set[tuple[int, str]] = field(factory=set)

    def ask(self, node: ast.Node, depth: int, of: str) -> None:
        if len(self.found) >= MOST_VALUES or depth > DEEPEST:
            return
        worth = value_of(self.table, self.S, node)
        if worth is not None and self.is_new(node, worth):
            self.found.append(Explained(worth.span, worth.value, worth.text, depth, of))
        try:
            self.inside(node, depth, of)
        except (Fault, TypeError, IndexError, KeyError):
            return  # what cannot be asked has said so already

    def inside(self, node: ast.Node, depth: int, of: str) -> None:
        match node:
            case ast.Quantified():
                self.ask(node.each.collection, depth, of)
                self.elements(node, depth)
            case ast.Aggregate(_, _, body, each):
                self.ask(each.collection, depth, of)
                self.added_up(each, body, depth)
            case ast.Of(subject, owner) if self.definition(subject) is not None:
                self.ask(owner, depth, of)
                self.asked_of(subject, owner, depth)
            case ast.Name() | ast.Call() if self.definition(node) is not None:
                self.defined(node, depth)
            case ast.And(parts) | ast.Or(parts):
                for one in self.deciding(node, parts):
                    self.ask(one, depth, of)
            case ast.IfElse(condition, then, otherwise):
                self.ask(condition, depth, of)
                self.ask(then if self.run(condition) else otherwise, depth, of)
            case _:
                for part in parts_of(node):
                    self.ask(part, depth, of)

    def is_new(self, node: ast.Node, worth: Explained) -> bool:
        """What lies in a place is told once, of whichever element it is asked."""
        meaning = self.table.bench.meaning(node) if isinstance(node, ast.Name) else None
        if not isinstance(meaning, ast.Zone | ast.Variable):
            return True
        is_new = (id(meaning), worth.text) not in self._said
        self._said.add((id(meaning), worth.text))
        return is_new

    def run(self, node: ast.Node) -> Any:
        found = self.table.bench.ready.get(id(node))
        if found is None:
            raise KeyError(node)
        return found[1].run(self.S)

    def deciding(self, node: ast.And | ast.Or, parts: Iterable[ast.Expr]) -> list[ast.Expr]:
        """Of `and` that fails what fails, of `or` that holds what holds; else all."""
        ends_it = isinstance(node, ast.Or)
        if bool(self.run(node)) is not ends_it:
            return list(parts)
        deciding: list[ast.Expr] = []
        for part in parts:
            if part_is(self, part, ends_it):
                deciding.append(part)
                break
        return deciding

    # ---- definitions

    def definition(self, node: ast.Node) -> ast.Define | ast.ScoreLine | None:
        name = node.name if isinstance(node, ast.Call) else node
        meaning = self.table.bench.meaning(name) if isinstance(name, ast.Name) else None
        return meaning if isinstance(meaning, ast.Define | ast.ScoreLine) else None

    def defined(self, node: ast.Node, depth: int, of: str = "") -> None:
        meaning = self.definition(node)
        assert meaning is not None
        arguments = node.arguments if isinstance(node, ast.Call) else ()
        told = [of] if of else []
        if isinstance(meaning, ast.Define):
            values = [self.table.bench.expression(argument).run(self.S) for argument in arguments]
            for parameter, argument, value in zip(meaning.parameters, arguments, values, strict=True):
                self.S[self.table.bench.registers[id(parameter)]] = value
                words = in_words(self.table, self.table.bench.type_of(argument), value)
                told.append(f"{parameter.name.text} = {words}")
        body = meaning.body if isinstance(meaning, ast.Define) else meaning.value
        self.ask(body, depth + 1, ", ".join(told))

    def asked_of(self, subject: ast.Expr, owner: ast.Expr, depth: int) -> None:
        seat, kept = self.table.bench.expression(owner).run(self.S), self.S[PLAYER]
        self.S[PLAYER] = seat
        try:
            self.defined(subject, depth, f"player {seat}")
        finally:
            self.S[PLAYER] = kept

    # ---- elements

    def several(self, each: ast.Each) -> list[Any]:
        return list(self.run(each.collection))

    def elements(self, node: ast.Quantified, depth: int) -> None:
        """The first element that decides; where none does, the first few that do not."""
        slot, wanted = self.table.bench.registers[id(node.each)], WITNESS[node.word]
        elements = self.several(node.each)
        for element in elements:
            self.S[slot] = element
            if bool(self.run(node.body)) is wanted:
                self.each_one(node.each, node.body, [element], depth)
                return
        self.each_one(node.each, node.body, elements if node.word == "some" else [], depth)

    def added_up(self, each: ast.Each, body: ast.Expr, depth: int) -> None:
        """What each element gives, on one line; further in for the first few, where a definition gives it."""
        elements, item, shown = self.several(each), self.item_of(each), []
        for element in elements[:MOST_ADDED]:
            self.S[self.table.bench.registers[id(each)]] = element
            value = in_words(self.table, self.table.bench.type_of(body), self.body_of(body, element))
            shown.append(f"{value} for {in_words(self.table, item, element)}")
        more = f" and {len(elements) - MOST_ADDED} more" if len(elements) > MOST_ADDED else ""
        if shown:
            self.found.append(Explained(body.span, None, ", ".join(shown) + more, depth + 1))
        if any(self.definition(part) is not None for part in walk(body)):
            self.each_one(each, body, elements, depth)

    def body_of(self, body: ast.Expr, element: Any) -> Any:
        meaning = self.table.bench.meaning(body) if isinstance(body, ast.Name) else None
        if isinstance(meaning, AttributeMeaning):
            values = self.table.bench.kinds[id(meaning.components)].attributes.get(id(meaning.attribute))
            if values is not None:
                return values[element]
        return self.run(body)

    def item_of(self, each: ast.Each) -> Type | None:
        return item_of(self.table.bench.type_of(each.collection))

    def each_one(self, each: ast.Each, body: ast.Expr, elements: list[Any], depth: int) -> None:
        slot = self.table.bench.registers[id(each)]
        item = self.item_of(each)
        for element in elements[:MOST_ELEMENTS]:
            self.S[slot] = element
            words = in_words(self.table, item, element)
            self.ask(body, depth + 1, f"{each.name.text} = {words}" if each.name is not None else words)


def part_is(asking: Explaining, part: ast.Expr, wanted: bool) -> bool:
    try:
        return bool(asking.run(part)) is wanted
    except (Fault, TypeError, KeyError):
        return True


def parts_of(node: ast.Node) -> Iterator[ast.Node]:
    """The sub-expressions that have a value of their own, whatever the element."""
    match node:
        case ast.Best(_, each, _, _):
            yield each.collection
        case ast.Filter(collection, _):
            yield collection
        case ast.Of(subject, owner):
            yield from [owner] if isinstance(subject, ast.Name) else [subject, owner]
        case ast.Name() | ast.Literal() | ast.SetOf():
            return
        case ast.Call(_, arguments):
            yield from arguments
        case ast.Index(_, keys):
            yield from keys
        case _:
            yield from children(node)


def value_of(table: Table, S: list[Any], node: ast.Node) -> Explained | None:
    if isinstance(node, QUIET):
        return None
    found = table.bench.ready.get(id(node))
    if found is None or found[1].is_constant:
        return None
    try:
        value = found[1].run(S)
    except Fault as problem:
        return Explained(node.span, None, problem.diagnostic.message)
    except (TypeError, IndexError):
        return None
    return Explained(node.span, value, in_words(table, table.bench.type_of(node), value))


def in_words(table: Table, of_type: Type | None, value: Any) -> str:
    if value is None or isinstance(of_type, NothingOf):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if of_type is None or isinstance(of_type, (TextOf, Unknown)):
        return str(value)
    try:
        said = spoken(table.bench, of_type, value)
    except (TypeError, IndexError):
        return str(value)
    if isinstance(said, list):
        inner = ", ".join(str(one) for one in said)
        return f"{{{inner}}}" if isinstance(of_type, CollectionOf) else f"({inner})"
    return str(said)
