"""The rules of a table written out as terms. Takes a table, gives a term for each piece that is worked out while
playing; gives the number of a term after places were exchanged.

What goes through numbers or words known before the game stands there once for each of them. Equal terms are one
number; parts whose order says nothing are sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, assert_never

import attrs
from attrs import define, field

from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, Meaning, RowMeaning, WordMeaning
from rulesrun.interpreter.model import boards, core
from rulesrun.interpreter.model.core_lowering import list_pieces, lower_expression, lower_statement
from rulesrun.interpreter.model.flow_decisions import is_anything_asked_in, is_over_before_questions
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.expressions import is_compared_unordered
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.commutation import find_shuffled_afterwards, is_commutative

# ---- terms


MOST_TERMS = 60_000
FOLDED: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "=": lambda a, b: a == b, "is not": lambda a, b: a != b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}
ANY_ORDER = frozenset({"and", "or", "+", "*", "=", "is not", "some of", "set", "all", "instances"})

Term = int
Places = Mapping[int, Sequence[int]]
"""By zone or variable that takes part in an exchange: for each of its places the one that what lies there goes to."""


class NotWrittenOut(Exception):
    """These rules say something that is not understood here, or too much of it."""


@define(eq=False)
class Terms:
    """A term is a word, what goes with it, and its parts; `place` and `pick` name a zone or a variable."""

    numbers: dict[tuple[str, Any, tuple[Term, ...]], Term] = field(factory=dict)
    nodes: list[tuple[str, Any, tuple[Term, ...]]] = field(factory=list)

    def make_term(self, word: str, what: Any = None, parts: Sequence[Term] = ()) -> Term:
        ordered = tuple(sorted(parts)) if word in ANY_ORDER else tuple(parts)
        node = (word, what, ordered)
        number = self.numbers.get(node)
        if number is None:
            number = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            if number > MOST_TERMS:
                raise NotWrittenOut("the rules grow too large when they are written out")
        return number

    def make_value(self, value: Any) -> Term:
        return self.make_term("value", (type(value).__name__, value))

    def is_value(self, term: Term) -> bool:
        return self.nodes[term][0] == "value"

    def value_of(self, term: Term) -> Any:
        return self.nodes[term][1][1]

    # ---- what comes to the same is one term

    def make_guarded(self, condition: Term | None, body: Term) -> Term:
        return body if condition is None else self.make_term("if", None, [condition, body])

    def make_aggregate(self, word: str, distinct: bool, parts: Sequence[Term]) -> Term:
        """A sum of sums is one sum."""
        what = (word, distinct)
        if what == ("sum", False):
            parts = self.flatten_parts("some of", what, parts)
        return self.make_term("in order" if word == "list" else "some of", what, parts)

    def flatten_parts(self, word: str, what: Any, parts: Sequence[Term]) -> list[Term]:
        nodes = [(part, self.nodes[part]) for part in parts]
        return [one for part, node in nodes for one in (node[2] if node[:2] == (word, what) else (part,))]

    def fold_operation(self, word: str, left: Term, right: Term) -> Term:
        if word in FOLDED and self.is_value(left) and self.is_value(right):
            return self.make_value(FOLDED[word](self.value_of(left), self.value_of(right)))
        return self.make_term(word, None, [left, right])

    def make_logic(self, word: str, parts: Sequence[Term]) -> Term:
        """What is true anyway says nothing in `and`, what is false anyway nothing in `or`."""
        known = {bool(self.value_of(part)) for part in parts if self.is_value(part)}
        settles = word == "or"
        left = [part for part in parts if not self.is_value(part)]
        if settles in known or not left:
            return self.make_value(settles if settles in known else not settles)
        return left[0] if len(left) == 1 else self.make_term(word, None, self.flatten_parts(word, None, left))

    def make_not(self, term: Term) -> Term:
        if self.is_value(term):
            return self.make_value(not self.value_of(term))
        return self.make_term("not", None, [term])

    def make_and(self, one: Term | None, other: Term) -> Term:
        return other if one is None else self.make_logic("and", [one, other])

    def make_implication(self, condition: Term, body: Term) -> Term:
        return self.make_logic("or", [self.make_not(condition), body])

    # ---- exchanges

    def exchange_places(self, term: Term, places: Places, known: dict[Term, Term]) -> Term:
        """The same term when everything stands at its new place."""
        waiting = [term]
        while waiting:
            one = waiting[-1]
            word, what, parts = self.nodes[one]
            missing = [part for part in parts if part not in known]
            if one in known or missing:
                waiting.extend(missing)
                if not missing:
                    waiting.pop()
                continue
            waiting.pop()
            if word == "pick" and what in places:
                raise NotWrittenOut("which place is meant is only known while playing")
            if word == "place" and what[0] in places:
                what = (what[0], places[what[0]][what[1]])
            known[one] = self.make_term(word, what, [known[part] for part in parts])
        return known[term]


# ---- rules


LONGEST_DOMAIN = 64
LOOKS_AT_PLACES = (
    core.Contents | core.Definition | core.CaseLookup | core.Times | core.Can | core.Points | core.Standing
    | core.Before
)
WITHOUT_VALUE = core.Step | core.Action | core.Memory | core.Table
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
        for piece in list_pieces(self.table.bench):
            match piece:
                case core.Components(rows=rows, attributes=attributes):
                    rules = [at for at, one in enumerate(attributes) if one.type is None]
                    yield from (self.write_cell(row.cells[at]) for row in rows for at in rules)
                case core.Action():
                    yield self.write_action(piece)
                case core.Setup(each_round=False, body=body) if is_over_before_questions(self.table.flow, body):
                    pass  # it is over before the first position: that one is looked at
                case core.Define() | core.Table() | core.Zone() | core.Variable() | core.Memory():
                    pass  # written where it is asked; the beginning is looked at
                case core.Setup(body=body) | core.Step(body=body):
                    yield self.terms.make_term("lines", id(piece), [self.write_body(body, {})])
                case core.Phase(when=when, loop=loop, body=body):
                    around = [self.write_line(loop, {})] if loop is not None else []
                    yield self.write_piece(piece, [when], [*around, self.write_body(body, {})])
                case core.Rounds(count=count, until=until):
                    yield self.write_piece(piece, [count, until])
                case core.Score(lines=lines):
                    yield self.write_piece(piece, [one.value for one in lines])
                case core.Ranking(criteria=criteria):
                    yield self.write_piece(piece, [part for one in criteria for part in (one.value, one.when)])
                case core.Result(outcomes=outcomes):
                    yield self.write_piece(piece, [one.when for one in outcomes])
                case core.Property(condition=condition, bound=limit):
                    yield self.write_piece(piece, [condition, limit])
                case _:
                    assert_never(piece)

    def write_piece(self, piece: core.Piece, asked: Sequence[core.Operand | None], inside: Sequence[Term] = ()) -> Term:
        """What is said in words there stays as it is."""
        parts = [self.write_value(one, {}) if one is not None else self.terms.make_term("none") for one in asked]
        return self.terms.make_term("piece", id(piece), [*parts, *inside])

    def write_cell(self, node: core.Operand) -> Term:
        """A rule of a component, or the step that it names."""
        meaning = self.table.bench.meaning(node)
        if core.name_text(node) is not None and (meaning is None or isinstance(meaning, WITHOUT_VALUE)):
            return self.terms.make_term("element", id(meaning) if meaning is not None else core.name_text(node))
        return self.write_value(node, {})

    def write_action(self, action: core.Action) -> Term:
        """Once for each way to choose what can be known before the game."""
        known = [(choice, self.list_cases(choice.domain, {})) for choice in action.choices if choice.count is None]
        fixed = [(choice, cases) for choice, cases in known if cases is not None and all(c is None for _, c in cases)]
        if fixed and is_anything_asked_in(self.table.flow, action):
            raise NotWrittenOut("an action that remembers its choices while chance or players are asked")
        instances = []
        for values in product(*([value for value, _ in cases] for _, cases in fixed)):
            bound = {id(choice): self.terms.make_value(value) for (choice, _), value in zip(fixed, values, strict=True)}
            left = [self.write_value(one.domain, bound) for one in action.choices if id(one) not in bound]
            needs = self.terms.make_logic("and", [self.write_value(one.condition, bound) for one in action.needs])
            instances.append(
                self.terms.make_term("instance", None, [*left, needs, self.write_body(action.body, bound)])
            )
        return self.terms.make_term("instances", action.name.text, instances)

    # ---- statements

    def write_body(self, lines: Sequence[core.Line], bound: Bound) -> Term:
        return self.terms.make_term("body", None, [self.write_line(line, bound) for line in lines])

    def write_line(self, line: core.Line, bound: Bound) -> Term:
        done = lower_statement(self.table.bench, line)
        return self.write_for_each(done, bound) if isinstance(done, core.ForEach) else self.write_as_it_is(done, bound)

    def write_as_it_is(self, done: core.Statement, bound: Bound) -> Term:
        """Whatever it does, it does the same with parts that mean the same."""
        parts = [self.write_value(one, bound) for one in core.list_operands_of(done)]
        inside = [self.write_body(body, bound) for body in core.list_bodies(done)]
        return self.terms.make_term(type(done).__name__, traits_of(done), [*parts, *inside])

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
            case None | core.Option():
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
            self.require_no_places(called.table)
            return self.terms.make_term("call", called.table.name.text, arguments)
        if isinstance(called.meaning, core.ScoreLine):
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

    def require_no_places(self, table: core.Table) -> None:
        """What stands in it follows from what it is asked with."""
        waiting: list[core.Operand] = [one for entry in table.entries for one in (*(entry.keys or ()), entry.value)]
        while waiting:
            asked = self.lower(waiting.pop())
            if isinstance(asked, LOOKS_AT_PLACES) or (isinstance(asked, core.Attribute) and asked.is_rule):
                raise NotWrittenOut("a table that looks at places")
            waiting.extend(core.list_operands(asked))

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

    def write_for_each(self, done: core.ForEach, bound: Bound) -> Term:
        parts = None if done.order else self.write_for_each_case(
            done.each, lambda inner: self.write_body(done.body, inner), bound
        )
        if parts is None:
            return self.write_as_it_is(done, bound)
        told = [self.terms.make_guarded(condition, body) for condition, body in parts]
        return self.terms.make_term("all" if is_commutative(self.table, done, self.shuffled) else "body", None, told)

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


def is_fixed_domain(declaration: core.Values | core.Components) -> bool:
    """Words, numbers, places: there are always the same."""
    return isinstance(declaration, core.Values) or declaration.board is not None


def traits_of(done: core.Statement) -> tuple[Hashable, ...]:
    """What tells a statement from another of its kind, apart from its operands and the lines in it."""
    match done:
        case core.Move(_, transfers):
            return tuple(traits_of_transfer(one) for one in transfers)
        case core.Mix(added=added):
            return (type(added).__name__,)
        case core.Draw(is_up_to=is_up_to, condition=condition, is_each=is_each, alias=alias, is_thrown=is_thrown):
            return is_up_to, condition is None, is_each, alias.text if alias is not None else None, is_thrown
        case core.Adjust(sign=sign):
            return (sign,)
        case core.DrawValue(what=what) | core.End(what=what):
            return (what,)
        case core.Show(zone=zone, to=to, value=value):
            return zone is None, to is None, value is None
        case core.Record(memory=memory):
            return (id(memory),)
        case core.Assign() | core.DrawOrder() | core.CountPoints():
            return ()
        case core.Choose() | core.If() | core.ForEach() | core.EachPlayer() | core.Turns() | core.Repeat() | core.Do():
            return traits_of_flow(done)
        case _:
            assert_never(done)


def traits_of_transfer(one: core.Transfer) -> tuple[Hashable, ...]:
    return type(one.taken).__name__, one.target.is_bottom, direction_of(one.order)


def direction_of(order: core.Order | None) -> bool | None:
    return order.reverse if order is not None else None


def traits_of_flow(done: core.FlowForm) -> tuple[Hashable, ...]:
    """Of what may be missing also whether it is: then the operands are fewer."""
    match done:
        case core.Choose(_, who, chooser, condition, actions, is_if_possible, otherwise):
            offered = tuple(map(id, actions))
            return who, chooser is None, condition is None, offered, is_if_possible, otherwise is None
        case core.If(_, branches):
            return tuple(one.condition is None for one in branches)
        case core.ForEach(each=each, order=order, word=word):
            return each.name.text if each.name is not None else None, direction_of(order), word
        case core.EachPlayer(_, start, condition, order):
            return start is None, condition is None, direction_of(order)
        case core.Turns(_, is_once, _, excluded, following, skipping, until):
            return is_once, excluded is None, following is None, skipping is None, until is None
        case core.Repeat(_, times, until):
            return times is None, until is None
        case core.Do(_, step):
            return (id(step),)
        case _:
            assert_never(done)
