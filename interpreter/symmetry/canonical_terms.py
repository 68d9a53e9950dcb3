"""The rules of a table written out: what goes through numbers or words known before the game stands there once for
each of them. Takes a table, gives a term for each piece that is worked out while playing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, assert_never

import attrs
from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, Meaning, RowMeaning, WordMeaning
from rulesrun.interpreter.model import boards, core
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.flow_decisions import is_anything_asked_in, is_over_before_questions
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.comparisons import is_compared_unordered
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.commutation import find_shuffled_afterwards, is_commutative
from rulesrun.interpreter.symmetry.terms import NotWrittenOut, Term, Terms

LONGEST_DOMAIN = 64
WITHOUT_VALUE = ast.Step | ast.Action | ast.Memory | ast.Table
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

    def write_term(self, node: ast.Node, bound: Bound) -> Term:
        if isinstance(node, ast.ForEach):
            return self.write_for_each(node, bound)
        meaning = self.table.bench.meaning(node)
        if isinstance(node, ast.Name) and (meaning is None or isinstance(meaning, WITHOUT_VALUE)):
            return self.terms.make_term("element", id(meaning) if meaning is not None else node.text)
        if isinstance(node, core.Operand):
            return self.write_value(node, bound)
        return self.write_word_for_word(node, bound)

    def write_word_for_word(self, node: ast.Node, bound: Bound) -> Term:
        """Word for word: whatever it means, it means the same of parts that mean the same."""
        what, parts = [], []
        for one in attrs.fields(type(node)):
            value = getattr(node, one.name)
            if one.name in {"span", "notes", "title", "called"}:  # what a step is told is spelled out besides
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

    def lower(self, node: core.Operand) -> core.Core:
        try:
            return lower_expression(self.table.bench, node)
        except RefusedTable:
            raise NotWrittenOut("it has no meaning at this table") from None

    def write_value(self, node: core.Operand, bound: Bound) -> Term:
        asked = self.lower(node)
        match asked:
            case core.Constant() | core.Register() | core.Element() | core.Current() | core.Opponents():
                return self.write_name(asked, bound)
            case core.Contents():
                return self.write_place(asked, bound)
            case core.Attribute(_, meaning, core.Element() as owner):
                return self.write_attribute(meaning, self.write_name(owner, bound))
            case core.Attribute(_, meaning, core.Operand() as owner):
                return self.write_attribute(meaning, self.write_value(owner, bound))
            case core.Definition() | core.CaseLookup():
                return self.write_call(asked, bound)
            case core.Lines() | core.PlacesNear() | core.PlacesBetween() | core.Distance():
                parts = [self.write_value(one, bound) for one in core.list_operands(asked)]
                found = self.write_board_call(asked, parts)
                return found if found is not None else self.write_parts(asked, bound)
            case core.Quantified() | core.Aggregate() | core.Count():
                return self.write_loop(asked, bound)
            case core.Compare() | core.Arithmetic() | core.Logic() | core.Not() | core.IfElse() | core.In():
                return self.write_worked_out(asked, bound)
            case core.Literal(_, (part,)):
                return self.write_value(part, bound)
            case _:
                return self.write_parts(asked, bound)

    def write_parts(self, asked: core.Core, bound: Bound) -> Term:
        """Whatever it means, it means the same of parts that mean the same. `{a, b}` stays in the order in which it is
        written: it may be gone through, or its first be asked for."""
        fields = [one for one in attrs.fields(type(asked)) if one.name != "node" and not core.holds_operands(one)]
        values = [getattr(asked, one.name) for one in fields]
        what = tuple(value if isinstance(value, str | int | None) else id(value) for value in values)
        parts = [self.write_value(one, bound) for one in core.list_operands(asked)]
        return self.terms.make_term(type(asked).__name__, what, parts)

    def write_name(
        self, asked: core.Constant | core.Register | core.Element | core.Current | core.Opponents, bound: Bound
    ) -> Term:
        match asked:
            case core.Register(_, binder) | core.Element(_, binder):
                known = bound.get(id(binder))
                return known if known is not None else self.terms.make_term("element", id(binder))
            case core.Constant(_, value, meaning):
                return self.write_constant(value, meaning)
            case core.Current(_, what):
                return self.terms.make_term("name", what)
            case core.Opponents():
                return self.terms.make_term("name", "opponents")
            case _:
                assert_never(asked)

    def write_constant(self, value: Any, meaning: Meaning | None) -> Term:
        match meaning:
            case None | ast.Option():
                return self.terms.make_value(value)
            case WordMeaning(type_name, _, index):
                return self.terms.make_term("value", (type_name, index))
            case AllOf(declaration):
                return self.terms.make_term("every", declaration.name.text)
            case RowMeaning(components) if components.board is not None:
                return self.terms.make_value(value)
            case RowMeaning(components, row):
                return self.terms.make_term("row of", (id(components), row.name.text))
            case BuiltinMeaning(name):
                return self.terms.make_term("name", (name, value))
            case _:
                return self.terms.make_term("element", id(meaning))

    def write_call(self, called: core.Definition | core.CaseLookup, bound: Bound) -> Term:
        arguments = tuple(self.write_value(one, bound) for one in called.arguments)
        if isinstance(called, core.CaseLookup):
            if any(self.is_place(part) for part in walk(called.table)):
                raise NotWrittenOut("a table that looks at places")
            return self.terms.make_term("call", called.table.name.text, arguments)
        if isinstance(called.meaning, ast.ScoreLine):
            return self.terms.make_term("element", id(called.meaning))
        return self.write_definition(called, arguments)

    def write_definition(self, called: core.Definition, arguments: tuple[Term, ...]) -> Term:
        """What a definition says; what is only known while playing stays outside, for there another player is meant."""
        meaning = called.meaning
        if id(meaning) in self.open_definitions:
            raise NotWrittenOut("a definition that uses itself")
        self.open_definitions.append(id(meaning))
        pairs = list(zip(called.parameters, arguments, strict=True))
        known = {id(parameter): one for parameter, one in pairs if self.terms.is_value(one)}
        body = self.write_value(called.body, known)
        self.open_definitions.pop()
        left = [one for one in arguments if not self.terms.is_value(one)]
        return self.terms.make_term("given", meaning.name.text, [body, *left]) if left else body

    def write_board_call(self, asked: core.Core, arguments: Sequence[Term]) -> Term | None:
        """What is asked of places that are known."""
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

    def write_place(self, place: core.Contents, bound: Bound) -> Term:
        room, bench = place.room, self.table.bench
        if room is not bench.zones.get(id(room.declaration)) and room is not bench.variables.get(id(room.declaration)):
            raise NotWrittenOut("not a place")
        keys = [self.write_value(key, bound) for key in place.keys]
        owner = self.write_value(place.owner, bound) if place.owner is not None else None
        whose = [owner if owner is not None else self.terms.make_term("name", "player")] * room.declaration.per_player
        if not all(self.terms.is_value(key) for key in keys):
            return self.terms.make_term("pick", id(room.declaration), [*keys, *whose])
        number = 0
        for values, key in zip(room.keys, keys, strict=True):
            if self.terms.value_of(key) not in values:
                return self.terms.make_term("no such place", room.declaration.name.text, keys)
            number = number * len(values) + values.index(self.terms.value_of(key))
        return self.terms.make_term("place", (id(room.declaration), number), whose)

    # ---- what is known before the game stands there for each value

    def list_cases(self, node: core.Operand, bound: Bound) -> list[Case] | None:
        """The values a collection goes through, each with the condition that it must fulfil; None: not known yet."""
        values: Sequence[Any] | None = None
        asked = self.lower(node)
        match asked:
            case core.Filter(_, collection, condition):
                inner = self.list_cases(collection, bound)
                return None if inner is None else [
                    (value, self.terms.make_and(known, self.write_value(
                        condition, {**bound, id(asked.binder): self.terms.make_value(value)}
                    )))
                    for value, known in inner
                ]
            case core.Range(_, low, high):
                first, last = self.write_value(low, bound), self.write_value(high, bound)
                if self.terms.is_value(first) and self.terms.is_value(last):
                    values = range(self.terms.value_of(first), self.terms.value_of(last) + 1)
            case core.Constant(_, known_values, AllOf(declaration)):
                values = known_values if is_fixed_domain(declaration) else None
            case (
                core.Constant() | core.Register() | core.Element() | core.Definition() | core.Lines()
                | core.PlacesNear() | core.PlacesBetween()
            ):
                one = self.write_value(node, bound)
                values = self.terms.value_of(one) if self.is_several(one) else None
            case _:
                pass
        return [(value, None) for value in values] if values is not None and len(values) <= LONGEST_DOMAIN else None

    def write_for_each_case(
        self, each: core.Each, write: Callable[[Bound], Term], bound: Bound
    ) -> list[tuple[Term | None, Term]] | None:
        """What is written for each value of the collection, with its condition."""
        keys, filters = [id(each)], list[core.Operand]()
        collection: core.Operand = each.collection
        while isinstance(asked := self.lower(collection), core.Filter):
            keys.append(id(asked.binder))
            filters.append(asked.condition)
            collection = asked.collection
        plain = self.list_cases(collection, bound)
        if plain is None:
            return None
        found = []
        for value, _ in plain:
            inner = {**bound, **dict.fromkeys(keys, self.terms.make_value(value))}
            condition: Term | None = None
            for one in reversed(filters):
                condition = self.terms.make_and(condition, self.write_value(one, inner))
            found.append((condition, write(inner)))
        return found

    def write_loop(self, asked: core.Quantified | core.Aggregate | core.Count, bound: Bound) -> Term:
        if isinstance(asked, core.Count):
            cases, one = self.list_cases(asked.collection, bound), self.terms.make_value(1)
            if cases is None:
                return self.write_parts(asked, bound)
            return self.terms.make_aggregate("sum", False, [self.terms.make_guarded(known, one) for _, known in cases])
        parts = self.write_for_each_case(asked.each, lambda inner: self.write_value(asked.body, inner), bound)
        if parts is None:
            return self.write_parts(asked, bound)
        if isinstance(asked, core.Aggregate):
            told = [self.terms.make_guarded(condition, body) for condition, body in parts]
            return self.terms.make_aggregate(asked.word, asked.distinct, told)
        every = asked.word == "every"
        join = self.terms.make_implication if every else self.terms.make_and
        told = [body if condition is None else join(condition, body) for condition, body in parts]
        found = self.terms.make_logic("and" if every else "or", told)
        return self.terms.make_not(found) if asked.word == "no" else found

    def write_for_each(self, node: ast.ForEach, bound: Bound) -> Term:
        parts = None if node.order else self.write_for_each_case(
            node.each, lambda inner: self.write_body(node.body, inner), bound
        )
        if parts is None:
            return self.write_word_for_word(node, bound)
        told = [self.terms.make_guarded(condition, body) for condition, body in parts]
        return self.terms.make_term("all" if is_commutative(self.table, node, self.shuffled) else "body", None, told)

    # ---- arithmetic and truth

    def write_worked_out(
        self, asked: core.Compare | core.Arithmetic | core.Logic | core.Not | core.IfElse | core.In, bound: Bound
    ) -> Term:
        match asked:
            case core.Compare(_, operator, left, right) if is_compared_unordered(self.table.bench, asked):
                sides = [self.write_unordered(side, bound) for side in (left, right)]
                return self.terms.make_term("same members", operator, sides)
            case core.Compare(_, operator, left, right) | core.Arithmetic(_, operator, left, right):
                return self.terms.fold_operation(
                    operator, self.write_value(left, bound), self.write_value(right, bound)
                )
            case core.Logic(_, word, parts):
                return self.terms.make_logic(word, [self.write_value(part, bound) for part in parts])
            case core.Not(_, value):
                return self.terms.make_not(self.write_value(value, bound))
            case core.IfElse():
                return self.write_if_else(asked, bound)
            case core.In():
                return self.write_membership(asked, bound)
            case _:
                assert_never(asked)

    def write_unordered(self, node: core.Operand, bound: Bound) -> Term:
        asked = self.lower(node)
        if isinstance(asked, core.SetOf):
            return self.terms.make_term("set", None, [self.write_value(one.node, bound) for one in asked.items])
        return self.write_value(node, bound)

    def write_if_else(self, asked: core.IfElse, bound: Bound) -> Term:
        condition = self.write_value(asked.condition, bound)
        if self.terms.is_value(condition):
            return self.write_value(asked.then if self.terms.value_of(condition) else asked.otherwise, bound)
        return self.terms.make_term(
            "if", None, [condition, self.write_value(asked.then, bound), self.write_value(asked.otherwise, bound)]
        )

    def write_membership(self, asked: core.In, bound: Bound) -> Term:
        several = self.lower(asked.collection)
        if not isinstance(several, core.SetOf):
            return self.write_parts(asked, bound)
        item = self.write_value(asked.item, bound)
        items = [self.write_value(one.node, bound) for one in several.items]
        if self.terms.is_value(item) and all(self.terms.is_value(one) for one in items):
            is_there = self.terms.value_of(item) in [self.terms.value_of(one) for one in items]
            return self.terms.make_value(is_there is not asked.negated)
        return self.terms.make_term("in", asked.negated, [item, self.terms.make_term("set", None, items)])


def is_fixed_domain(declaration: ast.Values | ast.Components) -> bool:
    """Words, numbers, places: there are always the same."""
    return isinstance(declaration, ast.Values) or declaration.board is not None
