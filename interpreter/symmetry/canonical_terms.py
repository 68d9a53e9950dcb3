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
from rulesrun.interpreter.model import boards, core
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.domains import list_declared_values
from rulesrun.interpreter.model.flow_decisions import is_anything_asked_in, is_over_before_questions
from rulesrun.interpreter.reference.comparisons import is_compared_unordered
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.commutation import find_shuffled_afterwards, is_commutative
from rulesrun.interpreter.symmetry.terms import NotWrittenOut, Term, Terms

LONGEST_DOMAIN = 64
BOARD_WORDS = {"neighbours", "rays", "between", "distance", "lines", "lines_through"}
SILENT = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Teams | ast.Option | ast.Require | ast.Example
    | ast.Words | ast.Values | ast.Persona | ast.Define | ast.Table | ast.Zone | ast.Variable | ast.Memory | ast.Small
    | ast.Fix | ast.Figure
)
Bound = Mapping[int, Term]  # by id of what binds a name: its value
Case = tuple[Any, Term | None]  # a value of a domain, and the condition under which it belongs to it


@define(eq=False)
class TermWriter:
    table: Table
    terms: Terms = field(factory=Terms)
    shuffled: dict[int, set[int]] = field(init=False)
    open_definitions: list[int] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.shuffled = find_shuffled_afterwards(self.table)

    def write_pieces(self) -> Iterator[Term]:
        for piece in self.table.program.game.declarations:
            match piece:
                case ast.Components(rows=rows, attributes=attributes):
                    rules = [at for at, one in enumerate(attributes) if one.type is None]
                    yield from (self.write_term(row.cells[at], {}) for row in rows for at in rules)
                case ast.Action():
                    yield self.write_action(piece)
                case ast.Setup(each_round=False, body=body) if is_over_before_questions(self.table.flow, body):
                    pass  # it is over before the first position: that one is looked at
                case _ if not isinstance(piece, SILENT):
                    yield self.write_term(piece, {})

    def write_action(self, action: ast.Action) -> Term:
        """Once for each way to choose what can be known before the game."""
        known = [(choice, self.list_cases(choice.domain, {})) for choice in action.choices if choice.count is None]
        fixed = [(choice, cases) for choice, cases in known if cases is not None and all(c is None for _, c in cases)]
        if fixed and is_anything_asked_in(self.table.flow, action):
            raise NotWrittenOut("an action that remembers its choices while chance or players are asked")
        instances = []
        for values in product(*([value for value, _ in cases] for _, cases in fixed)):
            bound = {id(choice): self.terms.make_value(value) for (choice, _), value in zip(fixed, values, strict=True)}
            left = [self.write_term(one.domain, bound) for one in action.choices if id(one) not in bound]
            needs = self.terms.make_logic("and", [self.write_term(one.condition, bound) for one in action.needs])
            instances.append(
                self.terms.make_term("instance", None, [*left, needs, self.write_body(action.body, bound)])
            )
        return self.terms.make_term("instances", action.name.text, instances)

    # ---- any node

    def write_term(self, node: Any, bound: Bound) -> Term:
        read = READERS.get(type(node), TermWriter.write_word_for_word)
        return read(self, node, bound)

    def write_word_for_word(self, node: ast.Node, bound: Bound) -> Term:
        """Word for word: whatever it means, it means the same of parts that mean the same."""
        what, parts = [], []
        for one in attrs.fields(type(node)):
            value = getattr(node, one.name)
            if one.name in {"span", "notes", "title"}:
                continue
            if isinstance(value, ast.Node):
                parts.append(self.write_term(value, bound))
            elif isinstance(value, tuple) and one.name == "body":
                parts.append(self.write_body(value, bound))
            elif isinstance(value, tuple) and all(isinstance(part, ast.Node) for part in value):
                parts.append(self.terms.make_term("row", None, [self.write_term(part, bound) for part in value]))
            else:
                what.append((one.name, repr(value)))
        return self.terms.make_term(type(node).__name__, tuple(what), parts)

    def write_body(self, lines: Sequence[ast.Statement], bound: Bound) -> Term:
        return self.terms.make_term("body", None, [self.write_term(line, bound) for line in lines])

    # ---- values

    def write_number(self, node: ast.Number, bound: Bound) -> Term:
        return self.terms.make_value(node.value)

    def write_truth(self, node: ast.Truth, bound: Bound) -> Term:
        return self.terms.make_value(node.value)

    def write_nothing(self, node: ast.Nothing, bound: Bound) -> Term:
        return self.terms.make_value(None)

    def write_name(self, node: ast.Name, bound: Bound) -> Term:
        meaning = self.table.bench.meaning(node)
        key = id(meaning.element) if isinstance(meaning, ItMeaning) else id(meaning)
        if key in bound:
            return bound[key]
        match meaning:
            case ast.Zone() | ast.Variable():
                return self.write_place(node, (), None, bound)
            case ast.Option():
                return self.terms.make_value(self.table.bench.option_values[id(meaning)])
            case WordMeaning(type_name, _, index):
                return self.terms.make_term("value", (type_name, index))
            case ast.Define(parameters=()):
                return self.write_definition(meaning, ())
            case BuiltinMeaning(name):
                return self.terms.make_term("name", name)
            case AttributeMeaning(element=element):
                owner = bound.get(id(element), self.terms.make_term("element", id(element)))
                return self.write_attribute(meaning, owner)
            case AllOf(declaration):
                return self.terms.make_term("every", declaration.name.text)
            case RowMeaning(components, row) if components.board is not None:
                return self.terms.make_value(self.table.bench.kinds_of(components).names.index(row.name.text))
            case RowMeaning(components, row):
                return self.terms.make_term("row of", (id(components), row.name.text))
            case ItMeaning(element):
                return self.terms.make_term("element", id(element))
            case _:
                return self.terms.make_term("element", id(meaning) if meaning is not None else node.text)

    def write_definition(self, meaning: ast.Define, arguments: tuple[Term, ...]) -> Term:
        """What a definition says; what is only known while playing stays outside, for there another player is meant."""
        if id(meaning) in self.open_definitions:
            raise NotWrittenOut("a definition that uses itself")
        self.open_definitions.append(id(meaning))
        pairs = list(zip(meaning.parameters, arguments, strict=True))
        known = {id(parameter): one for parameter, one in pairs if self.terms.is_value(one)}
        body = self.write_term(meaning.body, known)
        self.open_definitions.pop()
        left = [one for one in arguments if not self.terms.is_value(one)]
        return self.terms.make_term("given", meaning.name.text, [body, *left]) if left else body

    def write_call(self, node: ast.Call, bound: Bound) -> Term:
        meaning = self.table.bench.meaning(node.name)
        arguments = tuple(self.write_term(one, bound) for one in node.arguments)
        if isinstance(meaning, ast.Define):
            return self.write_definition(meaning, arguments)
        if isinstance(meaning, ast.Table) and any(self.is_place(part) for part in walk(meaning)):
            raise NotWrittenOut("a table that looks at places")
        if self.table.bench.is_word(node.name, *BOARD_WORDS):
            found = self.write_board_call(node, arguments)
            if found is not None:
                return found
        return self.terms.make_term("call", node.name.text, arguments)

    def write_board_call(self, node: ast.Call, arguments: tuple[Term, ...]) -> Term | None:
        """What is asked of places that are known."""
        asked = lower_expression(self.table.bench, node)
        places = [self.terms.value_of(one) for one in arguments if self.terms.is_value(one)]
        is_known = len(places) == len(arguments) and None not in places
        match asked:
            case core.Lines(board=board, through=None, length=length):
                return self.terms.make_value(boards.list_lines(board, length))
            case core.Lines(board=board, length=length) if is_known:
                return self.terms.make_value(boards.list_lines_through(board, length)[places[0]])
            case core.PlacesNear(board=board, what=what, steps=steps) if is_known:
                return self.terms.make_value(boards.list_near(board, what, steps)[places[0]])
            case core.PlacesBetween(board=board) if is_known:
                return self.terms.make_value(boards.list_between(board).get((places[0], places[1]), ()))
            case core.Distance(board=board) if is_known:
                return self.terms.make_value(boards.list_distances(board)[places[0]][places[1]])
            case _:
                return None

    def write_attribute(self, meaning: AttributeMeaning, owner: Term) -> Term:
        """Of a place that is known it is known."""
        kinds = self.table.bench.kinds_of(meaning.components)
        values = kinds.attributes.get(id(meaning.attribute))
        if meaning.components.board is not None and values is not None and self.terms.is_value(owner):
            place = self.terms.value_of(owner)
            return self.terms.make_value(values[place]) if place is not None else self.terms.make_term("no such place")
        return self.terms.make_term("attribute", (id(meaning.components), meaning.attribute.name.text), [owner])

    def is_several(self, term: Term) -> bool:
        """A line, or the places beside one: known before the game."""
        return self.terms.is_value(term) and isinstance(self.terms.value_of(term), tuple)

    def is_place(self, node: ast.Node) -> bool:
        meaning = self.table.bench.meaning(node)
        return isinstance(meaning, ast.Zone | ast.Variable | ast.Define | ast.ScoreLine | ast.Memory)

    # ---- places

    def write_place(self, name: ast.Name, keys: tuple[Term, ...], owner: Term | None, bound: Bound) -> Term:
        room = self.find_room(name)
        whose = [owner if owner is not None else self.terms.make_term("name", "player")] * room.declaration.per_player
        if not all(self.terms.is_value(key) for key in keys):
            return self.terms.make_term("pick", id(room.declaration), [*keys, *whose])
        number = 0
        for values, key in zip(room.keys, keys, strict=True):
            if self.terms.value_of(key) not in values:
                return self.terms.make_term("no such place", name.text, keys)
            number = number * len(values) + values.index(self.terms.value_of(key))
        return self.terms.make_term("place", (id(room.declaration), number), whose)

    def find_room(self, name: ast.Name) -> core.Room:
        meaning, bench = self.table.bench.meaning(name), self.table.bench
        found = bench.zones.get(id(meaning)) or bench.variables.get(id(meaning))
        if found is None:
            raise NotWrittenOut("not a place")
        return found

    def write_index(self, node: ast.Index, bound: Bound) -> Term:
        keys = tuple(self.write_term(key, bound) for key in node.keys)
        meaning = self.table.bench.meaning(node.name)
        if isinstance(meaning, ast.Zone | ast.Variable) and meaning.keys:
            return self.write_place(node.name, keys, None, bound)
        return self.terms.make_term("item", None, [self.write_term(node.name, bound), *keys])

    def write_of(self, node: ast.Of, bound: Bound) -> Term:
        name = node.subject.name if isinstance(node.subject, ast.Index) else node.subject
        meaning = self.table.bench.meaning(name)
        if self.table.bench.is_word(name, "count") and (cases := self.list_cases(node.owner, bound)) is not None:
            one = self.terms.make_value(1)
            return self.terms.make_aggregate("sum", False, [self.terms.make_guarded(known, one) for _, known in cases])
        owner = self.write_term(node.owner, bound)
        if isinstance(meaning, ast.Zone | ast.Variable) and isinstance(name, ast.Name):
            keys = node.subject.keys if isinstance(node.subject, ast.Index) else ()
            return self.write_place(name, tuple(self.write_term(key, bound) for key in keys), owner, bound)
        if isinstance(meaning, AttributeMeaning):
            return self.write_attribute(meaning, owner)
        return self.terms.make_term("asked of", None, [self.write_term(node.subject, bound), owner])

    # ---- what is known before the game stands there for each value

    def list_cases(self, node: core.Operand, bound: Bound) -> list[Case] | None:
        """The values a collection goes through, each with the condition that it must fulfil; None: not known yet."""
        values: Sequence[Any] | None = None
        match node:
            case ast.Filter(collection, condition):
                inner = self.list_cases(collection, bound)
                return (
                    None
                    if inner is None
                    else [
                        (
                            value,
                            self.terms.make_and(
                                known, self.write_term(condition, {**bound, id(node): self.terms.make_value(value)})
                            ),
                        )
                        for value, known in inner
                    ]
                )
            case ast.Range(low, high):
                first, last = self.write_term(low, bound), self.write_term(high, bound)
                if self.terms.is_value(first) and self.terms.is_value(last):
                    values = range(self.terms.value_of(first), self.terms.value_of(last) + 1)
            case ast.Name():
                meaning = self.table.bench.meaning(node)
                if isinstance(meaning, AllOf) and is_fixed_domain(meaning.declaration):
                    values = list_declared_values(self.table.bench, meaning.declaration)
                elif self.is_several(one := self.write_name(node, bound)):
                    values = self.terms.value_of(one)
            case ast.Call() if self.is_several(one := self.write_call(node, bound)):
                values = self.terms.value_of(one)
            case _:
                pass
        return [(value, None) for value in values] if values is not None and len(values) <= LONGEST_DOMAIN else None

    def write_for_each_case(
        self, each: ast.Each, body: ast.Node, bound: Bound
    ) -> list[tuple[Term | None, Term]] | None:
        """The body for each value of the collection, with its condition."""
        keys, collection = [id(each)], each.collection
        while isinstance(collection, ast.Filter):
            keys.append(id(collection))
            collection = collection.collection
        plain = self.list_cases(collection, bound)
        if plain is None:
            return None
        found = []
        for value, _ in plain:
            inner = {**bound, **dict.fromkeys(keys, self.terms.make_value(value))}
            filters = self.write_filter_conditions(each.collection, inner)
            found.append((filters, self.write_term(body, inner)))
        return found

    def write_filter_conditions(self, node: core.Operand, bound: Bound) -> Term | None:
        if not isinstance(node, ast.Filter):
            return None
        return self.terms.make_and(
            self.write_filter_conditions(node.collection, bound), self.write_term(node.condition, bound)
        )

    def write_quantified(self, node: ast.Quantified, bound: Bound) -> Term:
        parts = self.write_for_each_case(node.each, node.body, bound)
        if parts is None:
            return self.write_word_for_word(node, bound)
        every = node.word == "every"
        join = self.terms.make_implication if every else self.terms.make_and
        told = [body if condition is None else join(condition, body) for condition, body in parts]
        found = self.terms.make_logic("and" if every else "or", told)
        return self.terms.make_not(found) if node.word == "no" else found

    def write_aggregate(self, node: ast.Aggregate, bound: Bound) -> Term:
        parts = self.write_for_each_case(node.each, node.body, bound)
        if parts is None:
            return self.write_word_for_word(node, bound)
        told = [self.terms.make_guarded(condition, body) for condition, body in parts]
        return self.terms.make_aggregate(node.word, node.distinct, told)

    def write_for_each(self, node: ast.ForEach, bound: Bound) -> Term:
        parts = None if node.order else self.write_for_each_case(node.each, ast.If(
            (ast.Branch(None, node.body, span=node.span),), span=node.span), bound)
        if parts is None:
            return self.write_word_for_word(node, bound)
        told = [self.terms.make_guarded(condition, body) for condition, body in parts]
        return self.terms.make_term("all" if is_commutative(self.table, node, self.shuffled) else "body", None, told)

    # ---- arithmetic and truth

    def write_comparison(self, node: ast.Compare, bound: Bound) -> Term:
        asked = lower_expression(self.table.bench, node)
        assert isinstance(asked, core.Compare)
        if is_compared_unordered(self.table.bench, asked):
            sides = [self.write_unordered(side, bound) for side in (node.left, node.right)]
            return self.terms.make_term("same members", node.operator, sides)
        return self.terms.fold_operation(
            node.operator, self.write_term(node.left, bound), self.write_term(node.right, bound)
        )

    def write_unordered(self, node: core.Operand, bound: Bound) -> Term:
        if isinstance(node, ast.SetOf):
            return self.terms.make_term("set", None, [self.write_term(one, bound) for one in node.items])
        return self.write_term(node, bound)

    def write_arithmetic(self, node: ast.Arithmetic, bound: Bound) -> Term:
        return self.terms.fold_operation(
            node.operator, self.write_term(node.left, bound), self.write_term(node.right, bound)
        )

    def write_logic(self, node: ast.And | ast.Or, bound: Bound) -> Term:
        word = "and" if isinstance(node, ast.And) else "or"
        return self.terms.make_logic(word, [self.write_term(part, bound) for part in node.parts])

    def write_not(self, node: ast.Not, bound: Bound) -> Term:
        return self.terms.make_not(self.write_term(node.value, bound))

    def write_if_else(self, node: ast.IfElse, bound: Bound) -> Term:
        condition = self.write_term(node.condition, bound)
        if self.terms.is_value(condition):
            return self.write_term(node.then if self.terms.value_of(condition) else node.otherwise, bound)
        return self.terms.make_term(
            "if", None, [condition, self.write_term(node.then, bound), self.write_term(node.otherwise, bound)]
        )

    def write_membership(self, node: ast.In, bound: Bound) -> Term:
        item = self.write_term(node.item, bound)
        if isinstance(node.collection, ast.SetOf) and self.terms.is_value(item):
            items = [self.write_term(one, bound) for one in node.collection.items]
            if all(self.terms.is_value(one) for one in items):
                is_there = self.terms.value_of(item) in [self.terms.value_of(one) for one in items]
                return self.terms.make_value(is_there is not node.negated)
        if isinstance(node.collection, ast.SetOf):
            return self.terms.make_term("in", node.negated, [item, self.write_unordered(node.collection, bound)])
        return self.write_word_for_word(node, bound)

    def write_literal(self, node: ast.Literal, bound: Bound) -> Term:
        return self.write_term(node.parts[0], bound) if len(node.parts) == 1 else self.write_word_for_word(node, bound)

    def write_set(self, node: ast.SetOf, bound: Bound) -> Term:
        """In the order in which it is written: it may be gone through, or its first be asked for."""
        return self.terms.make_term("in braces", None, [self.write_term(one, bound) for one in node.items])


def is_fixed_domain(declaration: ast.Values | ast.Components) -> bool:
    """Words, numbers, places: there are always the same."""
    return isinstance(declaration, ast.Values) or declaration.board is not None


READERS: dict[type[ast.Node], Callable[[TermWriter, Any, Bound], Term]] = {
    ast.Number: TermWriter.write_number,
    ast.Truth: TermWriter.write_truth,
    ast.Nothing: TermWriter.write_nothing,
    ast.Name: TermWriter.write_name,
    ast.Call: TermWriter.write_call,
    ast.Index: TermWriter.write_index,
    ast.Of: TermWriter.write_of,
    ast.Quantified: TermWriter.write_quantified,
    ast.Aggregate: TermWriter.write_aggregate,
    ast.ForEach: TermWriter.write_for_each,
    ast.Compare: TermWriter.write_comparison,
    ast.Arithmetic: TermWriter.write_arithmetic,
    ast.And: TermWriter.write_logic,
    ast.Or: TermWriter.write_logic,
    ast.Not: TermWriter.write_not,
    ast.IfElse: TermWriter.write_if_else,
    ast.In: TermWriter.write_membership,
    ast.SetOf: TermWriter.write_set,
    ast.Literal: TermWriter.write_literal,
}
