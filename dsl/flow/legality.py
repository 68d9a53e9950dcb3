"""Whether an action is legal as long as there is something to choose from, whatever lies there.

`suit of card = led or no c in hand has suit of c = led` leaves a card of any hand that is not empty: the condition
waives itself where no card meets it. This is decided by looking for a counterexample. A condition is read as a formula
over *atoms*: what is asked of the chosen component, and what is asked of the table. A hand is a set of kinds of
components (which atoms hold of them), and "some component there has …" follows from it. If in every hand and on every
table some component meets the condition, the action is legal. What is not understood is an atom of its own, which may
hold or not; so an answer of yes is never wrong.

A choice of several components that may be none (`0..5 dice from rolled`) is legal where its conditions hold of none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Protocol

import attrs
from attrs import field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AttributeMeaning, Meaning

MOST_ASKED_OF_A_COMPONENT = 3
MOST_ASKED_OF_THE_TABLE = 4
MOST_DEFINITIONS = 20
ELEMENT = "«element»"
OPPOSITES = {"is not": "=", ">=": "<", "<=": ">"}
NONE_OF = {("=", 0), ("<", 1), ("<=", 0)}
ANY_OF = {(message("is not"), 0), (">", 0), (">=", 1)}


class Meanings(Protocol):
    """Whoever knows what names mean."""

    def meaning(self, node: ast.Node) -> Meaning | None: ...


@frozen
class Atom:
    """A condition that is not looked into: how it is written, and whether it speaks of the component."""

    text: str
    is_of_component: bool


@frozen
class Negation:
    value: Formula


@frozen
class Junction:
    """All of them hold, or any of them."""

    is_all: bool
    parts: tuple[Formula, ...]


@frozen
class Somewhere:
    """Some component that lies where the chosen one lies has this."""

    value: Formula


Formula = Atom | Negation | Junction | Somewhere


@frozen
class FormulaScope:
    """What names stand for where a condition is read: the component's names, the arguments of a definition."""

    domain: str
    names: Mapping[str, str] = field(factory=dict)
    has_bare_attributes: bool = False
    depth: int = 0


def is_legal_with_any(reading: Meanings, action: ast.Action) -> bool:
    """Whether any place with something in it leaves a legal option of the action."""
    if len(action.choices) != 1:
        return False
    [choice] = action.choices
    if choice.count is not None:
        return not action.needs  # whether there are enough is for playing to tell
    collection, conditions = choice.domain, []
    while isinstance(collection, ast.Filter):
        conditions.append(collection.condition)
        collection = collection.collection
    reader = _FormulaReader(reading)
    domain = reader.canonical_text(collection, FormulaScope(""))
    inside = FormulaScope(domain, {"it": ELEMENT}, has_bare_attributes=True)
    named = FormulaScope(domain, {choice.name.text: ELEMENT})
    parts = [reader.read_formula(condition, inside) for condition in conditions]
    parts += [reader.read_formula(need.condition, named) for need in action.needs]
    return _is_always_satisfiable(Junction(True, tuple(parts)))


def is_legal_with_none(reading: Meanings, action: ast.Action) -> bool:
    """Whether choosing nothing at all is always a legal option: `keep(0..5 dice from rolled)`."""
    if not action.choices or not all(_can_be_none(choice) for choice in action.choices):
        return False
    names = {choice.name.text for choice in action.choices}
    return all(_truth_with_none(reading, need.condition, names) is True for need in action.needs)


def _can_be_none(choice: ast.Choice) -> bool:
    return choice.count is not None and isinstance(choice.count.low, ast.Number) and choice.count.low.value == 0


def _truth_with_none(reading: Meanings, condition: ast.Expr, names: set[str]) -> bool | None:
    """What a condition says when nothing was chosen; None where that depends on something else."""
    match condition:
        case ast.Truth(value=value):
            return value
        case ast.Not(value=value):
            inner = _truth_with_none(reading, value, names)
            return None if inner is None else not inner
        case ast.And(parts=parts) | ast.Or(parts=parts):
            decisive = isinstance(condition, ast.Or)
            truths = [_truth_with_none(reading, part, names) for part in parts]
            return decisive if decisive in truths else None if None in truths else not decisive
        case ast.Call(name=name, arguments=arguments):
            define = reading.meaning(name)
            if not isinstance(define, ast.Define):
                return None
            pairs = zip(define.parameters, arguments, strict=False)
            told = {parameter.name.text for parameter, argument in pairs if _is_chosen(argument, names)}
            return _truth_with_none(reading, define.body, told) if told else None
        case ast.Quantified(word=word, each=each) if _is_chosen(each.collection, names):
            return word != "some"
        case ast.IsEmpty(collection=collection, negated=negated) if _is_chosen(collection, names):
            return not negated
        case ast.Compare(operator=operator, left=left, right=ast.Number(value=value)) if _is_chosen_amount(left, names):
            return {"=": value == 0, "is not": value != 0, "<": value > 0, "<=": value >= 0,
                    ">": value < 0, ">=": value <= 0}[operator]  # fmt: skip
        case _:
            return None


def _is_chosen(collection: ast.Expr, names: set[str]) -> bool:
    while isinstance(collection, ast.Filter):
        collection = collection.collection
    return isinstance(collection, ast.Name) and collection.text in names


def _is_chosen_amount(value: ast.Expr, names: set[str]) -> bool:
    """How many were chosen, or what they add up to."""
    match value:
        case ast.Of(subject=ast.Name(text="count"), owner=owner):
            return _is_chosen(owner, names)
        case ast.Aggregate(word="sum" | "count", each=each):
            return _is_chosen(each.collection, names)
        case _:
            return False


def _is_always_satisfiable(formula: Formula) -> bool:
    """Whether in every hand that is not empty, on every table, some component meets the condition."""
    atoms = list(dict.fromkeys(_list_atoms(formula)))
    asked = [atom.text for atom in atoms if atom.is_of_component]
    around = [atom.text for atom in atoms if not atom.is_of_component]
    if len(asked) > MOST_ASKED_OF_A_COMPONENT or len(around) > MOST_ASKED_OF_THE_TABLE:
        return False
    kinds = [dict(zip(asked, values, strict=True)) for values in product((True, False), repeat=len(asked))]
    tables = [dict(zip(around, values, strict=True)) for values in product((True, False), repeat=len(around))]
    hands = [[kind for at, kind in enumerate(kinds) if chosen >> at & 1] for chosen in range(1, 1 << len(kinds))]
    return all(
        any(_evaluate_formula(formula, kind, table, hand) for kind in hand) for hand in hands for table in tables
    )


def _list_atoms(formula: Formula) -> Iterator[Atom]:
    match formula:
        case Atom():
            yield formula
        case Negation(value=value) | Somewhere(value=value):
            yield from _list_atoms(value)
        case Junction(parts=parts):
            for part in parts:
                yield from _list_atoms(part)


def _evaluate_formula(
    formula: Formula, kind: Mapping[str, bool], table: Mapping[str, bool], hand: list[dict[str, bool]]
) -> bool:
    match formula:
        case Atom(text=text, is_of_component=is_of_component):
            return kind[text] if is_of_component else table[text]
        case Negation(value=value):
            return not _evaluate_formula(value, kind, table, hand)
        case Junction(is_all=True, parts=parts):
            return all(_evaluate_formula(part, kind, table, hand) for part in parts)
        case Junction(parts=parts):
            return any(_evaluate_formula(part, kind, table, hand) for part in parts)
        case Somewhere(value=value):
            return any(_evaluate_formula(value, other, table, hand) for other in hand)


@frozen(eq=False)
class _FormulaReader:
    """Conditions as formulas, through definitions; the same text for the same question, whatever names it uses."""

    reading: Meanings

    def read_formula(self, node: ast.Expr, scope: FormulaScope) -> Formula:
        match node:
            case ast.Truth(value=value):
                return Junction(value, ())
            case ast.Not(value=value):
                return Negation(self.read_formula(value, scope))
            case ast.And(parts=parts) | ast.Or(parts=parts):
                return Junction(isinstance(node, ast.And), tuple(self.read_formula(part, scope) for part in parts))
            case ast.IfElse(condition=condition, then=then, otherwise=otherwise):
                test, yes, no = (self.read_formula(part, scope) for part in (condition, then, otherwise))
                return Junction(False, (Junction(True, (test, yes)), Junction(True, (Negation(test), no))))
            case ast.Name() | ast.Call():
                return self._read_definition(node, scope) or self._read_atom(node, scope)
            case _:
                return self._read_existence(node, scope) or self._read_atom(node, scope)

    def _read_definition(self, node: ast.Name | ast.Call, scope: FormulaScope) -> Formula | None:
        """What a definition says, with its arguments put in."""
        name, arguments = (node, ()) if isinstance(node, ast.Name) else (node.name, node.arguments)
        define = self.reading.meaning(name)
        if not isinstance(define, ast.Define) or scope.depth >= MOST_DEFINITIONS or name.text in scope.names:
            return None
        names = {
            parameter.name.text: self.canonical_text(argument, scope)
            for parameter, argument in zip(define.parameters, arguments, strict=False)
        }
        return self.read_formula(define.body, FormulaScope(scope.domain, names, False, scope.depth + 1))

    def _read_existence(self, node: ast.Expr, scope: FormulaScope) -> Formula | None:
        """Questions after some component of the same place, in the words there are for that."""
        match node:
            case ast.Quantified(word=word, each=each, body=body):
                inner = self._read_somewhere(each, body, scope, negated=word == "every")
                return inner if inner is None or word == "some" else Negation(inner)
            case ast.IsEmpty(collection=ast.Filter() as filtered, negated=negated):
                inner = self._read_filtered(filtered, scope)
                return inner if inner is None or negated else Negation(inner)
            case ast.Compare(operator=operator, right=ast.Number(value=value)) if (operator, value) in NONE_OF | ANY_OF:
                inner = self._read_count(node.left, scope)
                return inner if inner is None or (operator, value) in ANY_OF else Negation(inner)
            case _:
                return None

    def _read_count(self, node: ast.Expr, scope: FormulaScope) -> Formula | None:
        match node:
            case ast.Of(subject=ast.Name(text="count"), owner=ast.Filter() as filtered):
                return self._read_filtered(filtered, scope)
            case _:
                return None

    def _read_filtered(self, filtered: ast.Filter, scope: FormulaScope) -> Formula | None:
        each = ast.Each(None, filtered.collection, span=filtered.span)
        return self._read_somewhere(each, filtered.condition, scope, negated=False)

    def _read_somewhere(self, each: ast.Each, body: ast.Expr, scope: FormulaScope, negated: bool) -> Formula | None:
        collection, conditions = each.collection, []
        while isinstance(collection, ast.Filter):
            conditions.append(collection.condition)
            collection = collection.collection
        if self.canonical_text(collection, scope) != scope.domain or ELEMENT in scope.names.values():
            return self._read_apart_from_chosen(each, body, scope, negated)
        inside = FormulaScope(scope.domain, {**scope.names, "it": ELEMENT}, True, scope.depth)
        named = inside if each.name is None else FormulaScope(
            scope.domain, {**scope.names, each.name.text: ELEMENT}, True, scope.depth
        )
        asked = self.read_formula(body, named)
        parts = [self.read_formula(condition, inside) for condition in conditions]
        return Somewhere(Junction(True, (*parts, Negation(asked) if negated else asked)))

    def _read_apart_from_chosen(
        self, each: ast.Each, body: ast.Expr, scope: FormulaScope, negated: bool
    ) -> Formula | None:
        """The same question where the chosen component has a name already: it must not speak of that one."""
        plain = {name: text for name, text in scope.names.items() if text != ELEMENT}
        taken = {name for name, text in scope.names.items() if text == ELEMENT}
        if len(plain) == len(scope.names) or self._has_name_among(each, taken) or self._has_name_among(body, taken):
            return None
        without = FormulaScope(scope.domain, plain, False, scope.depth)
        return self._read_somewhere(each, body, without, negated)

    def _has_name_among(self, node: ast.Node, names: set[str]) -> bool:
        waiting: list[ast.Node] = [node]
        while waiting:
            part = waiting.pop()
            if isinstance(part, ast.Name) and part.text in names:
                return True
            waiting.extend(children(part))
        return False

    def _read_atom(self, node: ast.Expr, scope: FormulaScope) -> Formula:
        if isinstance(node, ast.Compare):
            operator = OPPOSITES.get(node.operator, node.operator)
            left, right = self.canonical_text(node.left, scope), self.canonical_text(node.right, scope)
            if operator == "=":
                left, right = sorted((left, right))
            if operator == ">":
                operator, left, right = "<", right, left
            text = f"{left} {operator} {right}"
            found = Atom(text, ELEMENT in text)
            return Negation(found) if node.operator in OPPOSITES else found
        text = self.canonical_text(node, scope)
        return Atom(text, ELEMENT in text)

    def canonical_text(self, node: ast.Node, scope: FormulaScope) -> str:
        """How an expression is written, with names put in; inner elements keep what they are called."""
        match node:
            case ast.Name(text=name) if name in scope.names:
                return scope.names[name]
            case ast.Name(text=name) if scope.has_bare_attributes and self._is_attribute(node):
                return f"{name} of {ELEMENT}"
            case ast.Name(text=name):
                return name
            case ast.Of(subject=ast.Name() as subject, owner=owner) if self._is_attribute(subject):
                return f"{subject.text} of {self.canonical_text(owner, scope)}"
            case ast.Quantified() | ast.Aggregate() | ast.Best() | ast.Filter():
                scope = FormulaScope(scope.domain, scope.names, False, scope.depth)
            case _:
                pass
        plain = [
            repr(value) for name in (each.name for each in attrs.fields(type(node)))
            if name != "span" and isinstance(value := getattr(node, name), str | int | bool)
        ]  # fmt: skip
        inner = [self.canonical_text(child, scope) for child in children(node)]
        return f"{type(node).__name__}({', '.join((*plain, *inner))})"

    def _is_attribute(self, name: ast.Name) -> bool:
        return isinstance(self.reading.meaning(name), AttributeMeaning)
