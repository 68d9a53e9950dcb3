"""The rules of a table written out: what goes through numbers or words known before the game stands there once for
each of them. Takes a table, gives a term for each piece that is worked out while playing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import attrs
from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, RowMeaning, WordMeaning
from rulesrun.interpreter.model.domains import named_domain
from rulesrun.interpreter.model.places import Room, zone_meant
from rulesrun.interpreter.reference.comparisons import is_without_order
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.commutation import commutes, shuffled_afterwards
from rulesrun.interpreter.symmetry.terms import NotWrittenOut, Term, Terms

LONGEST_DOMAIN = 64
SILENT = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Option | ast.Require | ast.Example | ast.Words
    | ast.Values | ast.Persona | ast.Define | ast.Table | ast.Zone | ast.Variable | ast.Memory | ast.Small | ast.Fix
)
ASKS = ast.Choose | ast.Deal | ast.Roll | ast.Lots | ast.Turns
Bound = Mapping[int, Term]  # by id of what binds a name: its value
Case = tuple[Any, Term | None]  # a value of a domain, and the condition under which it belongs to it


@define(eq=False)
class WrittenOut:
    table: Table
    terms: Terms = field(factory=Terms)
    shuffled: dict[int, set[int]] = field(init=False)
    open_definitions: list[int] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.shuffled = shuffled_afterwards(self.table)

    def pieces(self) -> Iterator[Term]:
        for piece in self.table.program.game.declarations:
            match piece:
                case ast.Components(rows=rows, attributes=attributes):
                    rules = [at for at, one in enumerate(attributes) if one.type is None]
                    yield from (self.of(row.cells[at], {}) for row in rows for at in rules)
                case ast.Action():
                    yield self.action(piece)
                case ast.Setup(each_round=False, body=body) if not any(
                    self.asks(node) for line in body for node in self.with_steps(line)
                ):
                    pass  # it is over before the first position: that one is looked at
                case _ if not isinstance(piece, SILENT):
                    yield self.of(piece, {})

    def asks(self, node: ast.Node) -> bool:
        """Whether players or chance may be asked there; a pile is shuffled without being looked at."""
        if isinstance(node, ast.Shuffle):
            return node.into is None and zone_meant(self.table.bench, node.what) is None
        return isinstance(node, ASKS)

    def with_steps(self, line: ast.Node) -> Iterator[ast.Node]:
        for node in walk(line):
            yield node
            step = self.table.bench.meaning(node.step) if isinstance(node, ast.Do) else None
            if isinstance(step, ast.Step):
                for inner in step.body:
                    yield from self.with_steps(inner)

    def action(self, action: ast.Action) -> Term:
        """Once for each way to choose what can be known before the game."""
        known = [(choice, self.cases(choice.domain, {})) for choice in action.choices if choice.count is None]
        fixed = [(choice, cases) for choice, cases in known if cases is not None and all(c is None for _, c in cases)]
        if fixed and any(self.asks(node) for line in action.body for node in self.with_steps(line)):
            raise NotWrittenOut("an action that remembers its choices while chance or players are asked")
        instances = []
        for values in product(*([value for value, _ in cases] for _, cases in fixed)):
            bound = {id(choice): self.terms.value(value) for (choice, _), value in zip(fixed, values, strict=True)}
            left = [self.of(one.domain, bound) for one in action.choices if id(one) not in bound]
            needs = self.terms.joined("and", [self.of(one.condition, bound) for one in action.needs])
            instances.append(self.terms.make("instance", None, [*left, needs, self.body(action.body, bound)]))
        return self.terms.make("instances", action.name.text, instances)

    # ---- any node

    def of(self, node: Any, bound: Bound) -> Term:
        read = READERS.get(type(node), WrittenOut.as_written)
        return read(self, node, bound)

    def as_written(self, node: ast.Node, bound: Bound) -> Term:
        """Word for word: whatever it means, it means the same of parts that mean the same."""
        what, parts = [], []
        for one in attrs.fields(type(node)):
            value = getattr(node, one.name)
            if one.name in {"span", "notes", "title"}:
                continue
            if isinstance(value, ast.Node):
                parts.append(self.of(value, bound))
            elif isinstance(value, tuple) and one.name == "body":
                parts.append(self.body(value, bound))
            elif isinstance(value, tuple) and all(isinstance(part, ast.Node) for part in value):
                parts.append(self.terms.make("row", None, [self.of(part, bound) for part in value]))
            else:
                what.append((one.name, repr(value)))
        return self.terms.make(type(node).__name__, tuple(what), parts)

    def body(self, lines: Sequence[ast.Statement], bound: Bound) -> Term:
        return self.terms.make("body", None, [self.of(line, bound) for line in lines])

    # ---- values

    def number(self, node: ast.Number, bound: Bound) -> Term:
        return self.terms.value(node.value)

    def truth(self, node: ast.Truth, bound: Bound) -> Term:
        return self.terms.value(node.value)

    def nothing(self, node: ast.Nothing, bound: Bound) -> Term:
        return self.terms.value(None)

    def name(self, node: ast.Name, bound: Bound) -> Term:
        meaning = self.table.bench.meaning(node)
        key = id(meaning.element) if isinstance(meaning, ItMeaning) else id(meaning)
        if key in bound:
            return bound[key]
        match meaning:
            case ast.Zone() | ast.Variable():
                return self.place(node, (), None, bound)
            case ast.Option():
                return self.terms.value(self.table.bench.option_values[id(meaning)])
            case WordMeaning(type_name, _, index):
                return self.terms.make("value", (type_name, index))
            case ast.Define(parameters=()):
                return self.defined(meaning, ())
            case BuiltinMeaning(name):
                return self.terms.make("name", name)
            case AttributeMeaning(components, attribute, element):
                owner = bound.get(id(element), self.terms.make("element", id(element)))
                return self.terms.make("attribute", (id(components), attribute.name.text), [owner])
            case AllOf(declaration):
                return self.terms.make("every", declaration.name.text)
            case RowMeaning(components, row):
                return self.terms.make("row of", (id(components), row.name.text))
            case ItMeaning(element):
                return self.terms.make("element", id(element))
            case _:
                return self.terms.make("element", id(meaning) if meaning is not None else node.text)

    def defined(self, meaning: ast.Define, arguments: tuple[Term, ...]) -> Term:
        """What a definition says; what is only known while playing stays outside, for there another player is meant."""
        if id(meaning) in self.open_definitions:
            raise NotWrittenOut("a definition that uses itself")
        self.open_definitions.append(id(meaning))
        pairs = list(zip(meaning.parameters, arguments, strict=True))
        known = {id(parameter): one for parameter, one in pairs if self.terms.is_value(one)}
        body = self.of(meaning.body, known)
        self.open_definitions.pop()
        left = [one for one in arguments if not self.terms.is_value(one)]
        return self.terms.make("given", meaning.name.text, [body, *left]) if left else body

    def call(self, node: ast.Call, bound: Bound) -> Term:
        meaning = self.table.bench.meaning(node.name)
        arguments = tuple(self.of(one, bound) for one in node.arguments)
        if isinstance(meaning, ast.Define):
            return self.defined(meaning, arguments)
        if isinstance(meaning, ast.Table) and any(self.is_place(part) for part in walk(meaning)):
            raise NotWrittenOut("a table that looks at places")
        return self.terms.make("call", node.name.text, arguments)

    def is_place(self, node: ast.Node) -> bool:
        meaning = self.table.bench.meaning(node) if isinstance(node, ast.Name) else None
        return isinstance(meaning, ast.Zone | ast.Variable | ast.Define | ast.ScoreLine | ast.Memory)

    # ---- places

    def place(self, name: ast.Name, keys: tuple[Term, ...], owner: Term | None, bound: Bound) -> Term:
        room = self.room(name)
        whose = [owner if owner is not None else self.terms.make("name", "player")] * room.declaration.per_player
        if not all(self.terms.is_value(key) for key in keys):
            return self.terms.make("pick", id(room.declaration), [*keys, *whose])
        number = 0
        for values, key in zip(room.keys, keys, strict=True):
            if self.terms.value_of(key) not in values:
                return self.terms.make("no such place", name.text, keys)
            number = number * len(values) + values.index(self.terms.value_of(key))
        return self.terms.make("place", (id(room.declaration), number), whose)

    def room(self, name: ast.Name) -> Room:
        meaning, bench = self.table.bench.meaning(name), self.table.bench
        found = bench.zones.get(id(meaning)) or bench.variables.get(id(meaning))
        if found is None:
            raise NotWrittenOut("not a place")
        return found

    def index(self, node: ast.Index, bound: Bound) -> Term:
        keys = tuple(self.of(key, bound) for key in node.keys)
        meaning = self.table.bench.meaning(node.name)
        if isinstance(meaning, ast.Zone | ast.Variable) and meaning.keys:
            return self.place(node.name, keys, None, bound)
        return self.terms.make("item", None, [self.of(node.name, bound), *keys])

    def of_owner(self, node: ast.Of, bound: Bound) -> Term:
        name = node.subject.name if isinstance(node.subject, ast.Index) else node.subject
        meaning = self.table.bench.meaning(name) if isinstance(name, ast.Name) else None
        is_count = isinstance(meaning, BuiltinMeaning) and meaning.name == "count"
        if is_count and (cases := self.cases(node.owner, bound)) is not None:
            one = self.terms.value(1)
            return self.terms.gathered("sum", False, [self.terms.guarded(known, one) for _, known in cases])
        owner = self.of(node.owner, bound)
        if isinstance(meaning, ast.Zone | ast.Variable) and isinstance(name, ast.Name):
            keys = node.subject.keys if isinstance(node.subject, ast.Index) else ()
            return self.place(name, tuple(self.of(key, bound) for key in keys), owner, bound)
        if isinstance(meaning, AttributeMeaning):
            return self.terms.make("attribute", (id(meaning.components), meaning.attribute.name.text), [owner])
        return self.terms.make("asked of", None, [self.of(node.subject, bound), owner])

    # ---- what is known before the game stands there for each value

    def cases(self, node: ast.Expr, bound: Bound) -> list[Case] | None:
        """The values a collection goes through, each with the condition that it must fulfil; None: not known yet."""
        values: Sequence[Any] | None = None
        match node:
            case ast.Filter(collection, condition):
                inner = self.cases(collection, bound)
                return None if inner is None else [
                    (value, self.terms.both(known, self.of(condition, {**bound, id(node): self.terms.value(value)})))
                    for value, known in inner
                ]
            case ast.Range(low, high):
                first, last = self.of(low, bound), self.of(high, bound)
                if self.terms.is_value(first) and self.terms.is_value(last):
                    values = range(self.terms.value_of(first), self.terms.value_of(last) + 1)
            case ast.Name():
                meaning = self.table.bench.meaning(node)
                if isinstance(meaning, AllOf) and isinstance(meaning.declaration, ast.Values):
                    values = named_domain(self.table.bench, meaning.declaration)
            case _:
                pass
        return [(value, None) for value in values] if values is not None and len(values) <= LONGEST_DOMAIN else None

    def gone_through(self, each: ast.Each, body: ast.Node, bound: Bound) -> list[tuple[Term | None, Term]] | None:
        """The body for each value of the collection, with its condition."""
        keys, collection = [id(each)], each.collection
        while isinstance(collection, ast.Filter):
            keys.append(id(collection))
            collection = collection.collection
        plain = self.cases(collection, bound)
        if plain is None:
            return None
        found = []
        for value, _ in plain:
            inner = {**bound, **dict.fromkeys(keys, self.terms.value(value))}
            filters = self.conditions(each.collection, inner)
            found.append((filters, self.of(body, inner)))
        return found

    def conditions(self, node: ast.Expr, bound: Bound) -> Term | None:
        if not isinstance(node, ast.Filter):
            return None
        return self.terms.both(self.conditions(node.collection, bound), self.of(node.condition, bound))

    def quantified(self, node: ast.Quantified, bound: Bound) -> Term:
        parts = self.gone_through(node.each, node.body, bound)
        if parts is None:
            return self.as_written(node, bound)
        every = node.word == "every"
        join = self.terms.either if every else self.terms.both
        told = [body if condition is None else join(condition, body) for condition, body in parts]
        found = self.terms.joined("and" if every else "or", told)
        return self.terms.negated(found) if node.word == "no" else found

    def aggregate(self, node: ast.Aggregate, bound: Bound) -> Term:
        parts = self.gone_through(node.each, node.body, bound)
        if parts is None:
            return self.as_written(node, bound)
        told = [self.terms.guarded(condition, body) for condition, body in parts]
        return self.terms.gathered(node.word, node.distinct, told)

    def foreach(self, node: ast.ForEach, bound: Bound) -> Term:
        parts = None if node.order else self.gone_through(node.each, ast.If(
            (ast.Branch(None, node.body, span=node.span),), span=node.span), bound)
        if parts is None:
            return self.as_written(node, bound)
        told = [self.terms.guarded(condition, body) for condition, body in parts]
        return self.terms.make("all" if commutes(self.table, node, self.shuffled) else "body", None, told)

    # ---- arithmetic and truth

    def compare(self, node: ast.Compare, bound: Bound) -> Term:
        if is_without_order(self.table.bench, node):
            sides = [self.unordered(side, bound) for side in (node.left, node.right)]
            return self.terms.make("same members", node.operator, sides)
        return self.terms.folded(node.operator, self.of(node.left, bound), self.of(node.right, bound))

    def unordered(self, node: ast.Expr, bound: Bound) -> Term:
        if isinstance(node, ast.SetOf):
            return self.terms.make("set", None, [self.of(one, bound) for one in node.items])
        return self.of(node, bound)

    def arithmetic(self, node: ast.Arithmetic, bound: Bound) -> Term:
        return self.terms.folded(node.operator, self.of(node.left, bound), self.of(node.right, bound))

    def all_of(self, node: ast.And | ast.Or, bound: Bound) -> Term:
        word = "and" if isinstance(node, ast.And) else "or"
        return self.terms.joined(word, [self.of(part, bound) for part in node.parts])

    def not_so(self, node: ast.Not, bound: Bound) -> Term:
        return self.terms.negated(self.of(node.value, bound))

    def ifelse(self, node: ast.IfElse, bound: Bound) -> Term:
        condition = self.of(node.condition, bound)
        if self.terms.is_value(condition):
            return self.of(node.then if self.terms.value_of(condition) else node.otherwise, bound)
        return self.terms.make("if", None, [condition, self.of(node.then, bound), self.of(node.otherwise, bound)])

    def is_in(self, node: ast.In, bound: Bound) -> Term:
        item = self.of(node.item, bound)
        if isinstance(node.collection, ast.SetOf) and self.terms.is_value(item):
            items = [self.of(one, bound) for one in node.collection.items]
            if all(self.terms.is_value(one) for one in items):
                is_there = self.terms.value_of(item) in [self.terms.value_of(one) for one in items]
                return self.terms.value(is_there is not node.negated)
        if isinstance(node.collection, ast.SetOf):
            return self.terms.make("in", node.negated, [item, self.unordered(node.collection, bound)])
        return self.as_written(node, bound)

    def literal(self, node: ast.Literal, bound: Bound) -> Term:
        return self.of(node.parts[0], bound) if len(node.parts) == 1 else self.as_written(node, bound)

    def setof(self, node: ast.SetOf, bound: Bound) -> Term:
        """In the order in which it is written: it may be gone through, or its first be asked for."""
        return self.terms.make("in braces", None, [self.of(one, bound) for one in node.items])


READERS: dict[type[ast.Node], Callable[[WrittenOut, Any, Bound], Term]] = {
    ast.Number: WrittenOut.number, ast.Truth: WrittenOut.truth, ast.Nothing: WrittenOut.nothing,
    ast.Name: WrittenOut.name, ast.Call: WrittenOut.call, ast.Index: WrittenOut.index, ast.Of: WrittenOut.of_owner,
    ast.Quantified: WrittenOut.quantified, ast.Aggregate: WrittenOut.aggregate, ast.ForEach: WrittenOut.foreach,
    ast.Compare: WrittenOut.compare, ast.Arithmetic: WrittenOut.arithmetic, ast.And: WrittenOut.all_of,
    ast.Or: WrittenOut.all_of, ast.Not: WrittenOut.not_so, ast.IfElse: WrittenOut.ifelse, ast.In: WrittenOut.is_in,
    ast.SetOf: WrittenOut.setof, ast.Literal: WrittenOut.literal,
}
