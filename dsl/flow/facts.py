"""What is certain about conditions: bounds of expressions, and what a condition that holds says about them.

Words and truth values are followed as numbers (their place in their type), so one arithmetic serves all.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.typing.inference import Inferred
from rulesrun.dsl.typing.intervals import LIMIT, calculated, disjoint, negated
from rulesrun.dsl.typing.program import WordMeaning
from rulesrun.dsl.typing.types import NumberOf, PlayerOf, TruthOf, WordOf

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "is not": "is not"}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "is not", "is not": "="}


@frozen(eq=False)
class Facts:
    """Narrower bounds of some expressions, keyed by how they are written."""

    inferred: Inferred
    known: Mapping[str, NumberOf] = field(factory=dict)

    def bounds(self, node: ast.Expr) -> NumberOf | None:
        """The bounds of a number, a word, a seat or a truth value; None for anything else."""
        found = self._bounds(node)
        if found is None or not is_place(node):
            return found
        narrowed = self.known.get(repr(node))
        if narrowed is None or disjoint(found, narrowed):
            return found
        return NumberOf(max(found.low, narrowed.low), min(found.high, narrowed.high))

    def _bounds(self, node: ast.Expr) -> NumberOf | None:
        match node:
            case ast.Number(value=value):
                return NumberOf(value, value)
            case ast.Truth(value=value):
                return NumberOf(int(value), int(value))
            case ast.Negate(value=value):
                inner = self.bounds(value)
                return None if inner is None else negated(inner)
            case ast.Arithmetic(operator=operator, left=left, right=right):
                first, second = self.bounds(left), self.bounds(right)
                return None if first is None or second is None else calculated(operator, first, second)
            case ast.Name() if isinstance(meaning := self.inferred.meanings.get(node), WordMeaning):
                return NumberOf(meaning.index, meaning.index)
            case _:
                return self._bounds_of_type(node)

    def _bounds_of_type(self, node: ast.Expr) -> NumberOf | None:
        match self.inferred.types.get(node):
            case NumberOf() as found:
                return found
            case WordOf(words=words):
                return NumberOf(0, len(words) - 1)
            case PlayerOf():
                return NumberOf(1, self.inferred.players.high)
            case TruthOf():
                return NumberOf(0, 1)
            case _:
                return None

    def truth(self, node: ast.Expr) -> bool | None:
        """Whether the condition always or never holds; None when it may do either."""
        match node:
            case ast.Truth(value=value):
                return value
            case ast.Not(value=value):
                inner = self.truth(value)
                return None if inner is None else not inner
            case ast.And(parts=parts):
                return self._all(parts)
            case ast.Or(parts=parts):
                found = [self.truth(part) for part in parts]
                return True if True in found else False if all(each is False for each in found) else None
            case ast.Compare(operator=operator, left=left, right=right):
                return compared(operator, self.bounds(left), self.bounds(right))
            case _:
                found_bounds = self.known.get(repr(node)) if is_place(node) else None
                return None if found_bounds is None or found_bounds.low != found_bounds.high else bool(found_bounds.low)

    def _all(self, parts: tuple[ast.Expr, ...]) -> bool | None:
        facts, is_certain = self, True
        for part in parts:
            found = facts.truth(part)
            if found is False:
                return False
            is_certain = is_certain and found is True
            facts = facts.assuming(part, True)
        return True if is_certain else None

    def assuming(self, condition: ast.Expr, holds: bool) -> Facts:
        """These facts and what follows from the condition."""
        match condition:
            case ast.Not(value=value):
                return self.assuming(value, not holds)
            case ast.And(parts=parts) if holds:
                return self._assuming_each(parts, True)
            case ast.Or(parts=parts) if not holds:
                return self._assuming_each(parts, False)
            case ast.Compare(operator=operator, left=left, right=right):
                operator = operator if holds else OPPOSITE[operator]
                return self._narrowed(left, operator, right)._narrowed(right, MIRRORED[operator], left)
            case _ if is_place(condition):
                return self._with(repr(condition), NumberOf(int(holds), int(holds)))
            case _:
                return self

    def _assuming_each(self, parts: tuple[ast.Expr, ...], holds: bool) -> Facts:
        facts = self
        for part in parts:
            facts = facts.assuming(part, holds)
        return facts

    def _narrowed(self, place: ast.Expr, operator: str, other: ast.Expr) -> Facts:
        bounds, limit = self.bounds(place), self.bounds(other)
        if not is_place(place) or bounds is None or limit is None:
            return self
        low, high = bounds.low, bounds.high
        match operator:
            case "=":
                low, high = max(low, limit.low), min(high, limit.high)
            case "<":
                high = min(high, limit.high - 1)
            case "<=":
                high = min(high, limit.high)
            case ">":
                low = max(low, limit.low + 1)
            case ">=":
                low = max(low, limit.low)
            case _ if limit.low == limit.high:
                low = low + 1 if low == limit.low else low
                high = high - 1 if high == limit.low else high
        return self._with(repr(place), NumberOf(low, high)) if low <= high else self

    def knowing(self, place: ast.Expr, bounds: NumberOf) -> Facts:
        """These facts, and narrower bounds of one place."""
        return self._with(repr(place), bounds)

    def _with(self, key: str, bounds: NumberOf) -> Facts:
        return Facts(self.inferred, {**self.known, key: bounds})


def is_place(node: ast.Expr) -> bool:
    """What keeps its value while a condition is looked at: a name, keys, an attribute, a count."""
    match node:
        case ast.Name():
            return True
        case ast.Index(keys=keys):
            return all(is_place(key) or isinstance(key, ast.Number) for key in keys)
        case ast.Of(subject=subject, owner=owner):
            return is_place(subject) and (is_place(owner) or isinstance(owner, ast.Number))
        case _:
            return False


def compared(operator: str, left: NumberOf | None, right: NumberOf | None) -> bool | None:
    if left is None or right is None:
        return None
    match operator:
        case "=":
            return _same(left, right)
        case "is not":
            same = _same(left, right)
            return None if same is None else not same
        case "<":
            return _below(left, right, strictly=True)
        case "<=":
            return _below(left, right, strictly=False)
        case ">":
            return _below(right, left, strictly=True)
        case _:
            return _below(right, left, strictly=False)


def _same(left: NumberOf, right: NumberOf) -> bool | None:
    if disjoint(left, right):
        return False
    return True if left.low == left.high == right.low == right.high else None


def _below(left: NumberOf, right: NumberOf, strictly: bool) -> bool | None:
    """Bounds that were cut off at the limit of what is followed prove nothing."""
    if left.high < right.low or (not strictly and left.high <= right.low):
        return None if left.high <= -LIMIT or right.low >= LIMIT else True
    if left.low > right.high or (strictly and left.low >= right.high):
        return None if left.low >= LIMIT or right.high <= -LIMIT else False
    return None
