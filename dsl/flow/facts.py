"""What is certain about conditions: bounds of expressions, and what a condition that holds says about them.

Words and truth values are followed as numbers (their place in their type), so one arithmetic serves all.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.inference import InferredTypes
from rulesrun.dsl.typing.intervals import LIMIT, calculate_bounds, is_disjoint, negate_bounds
from rulesrun.dsl.typing.program import WordMeaning
from rulesrun.dsl.typing.types import NumberOf, PlayerOf, TruthOf, WordOf

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "is not": message("is not")}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": message("is not"), "is not": "="}


@frozen(eq=False)
class Facts:
    """Narrower bounds of some expressions, keyed by how they are written."""

    inferred: InferredTypes
    known: Mapping[str, NumberOf] = field(factory=dict)

    def bounds(self, node: ast.Expr) -> NumberOf | None:
        """The bounds of a number, a word, a seat or a truth value; None for anything else."""
        found = self._compute_bounds(node)
        if found is None or not is_place(node):
            return found
        narrowed = self.known.get(repr(node))
        if narrowed is None or is_disjoint(found, narrowed):
            return found
        return NumberOf(max(found.low, narrowed.low), min(found.high, narrowed.high))

    def _compute_bounds(self, node: ast.Expr) -> NumberOf | None:
        match node:
            case ast.Number(value=value):
                return NumberOf(value, value)
            case ast.Truth(value=value):
                return NumberOf(int(value), int(value))
            case ast.Negate(value=value):
                inner = self.bounds(value)
                return None if inner is None else negate_bounds(inner)
            case ast.Arithmetic(operator=operator, left=left, right=right):
                first, second = self.bounds(left), self.bounds(right)
                return None if first is None or second is None else calculate_bounds(operator, first, second)
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
                return self._truth_of_all(parts)
            case ast.Or(parts=parts):
                found = [self.truth(part) for part in parts]
                return True if True in found else False if all(each is False for each in found) else None
            case ast.Compare(operator=operator, left=left, right=right):
                return compare_bounds(operator, self.bounds(left), self.bounds(right))
            case _:
                found_bounds = self.known.get(repr(node)) if is_place(node) else None
                return None if found_bounds is None or found_bounds.low != found_bounds.high else bool(found_bounds.low)

    def _truth_of_all(self, parts: tuple[ast.Expr, ...]) -> bool | None:
        facts, is_certain = self, True
        for part in parts:
            found = facts.truth(part)
            if found is False:
                return False
            is_certain = is_certain and found is True
            facts = facts.assume_condition(part, True)
        return True if is_certain else None

    def assume_condition(self, condition: ast.Expr, holds: bool) -> Facts:
        """These facts and what follows from the condition."""
        match condition:
            case ast.Not(value=value):
                return self.assume_condition(value, not holds)
            case ast.And(parts=parts) if holds:
                return self._assume_each(parts, True)
            case ast.Or(parts=parts) if not holds:
                return self._assume_each(parts, False)
            case ast.Compare(operator=operator, left=left, right=right):
                operator = operator if holds else OPPOSITE[operator]
                return self._narrow_bounds(left, operator, right)._narrow_bounds(right, MIRRORED[operator], left)
            case _ if is_place(condition):
                return self._with_known(repr(condition), NumberOf(int(holds), int(holds)))
            case _:
                return self

    def _assume_each(self, parts: tuple[ast.Expr, ...], holds: bool) -> Facts:
        facts = self
        for part in parts:
            facts = facts.assume_condition(part, holds)
        return facts

    def _narrow_bounds(self, place: ast.Expr, operator: str, other: ast.Expr) -> Facts:
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
        return self._with_known(repr(place), NumberOf(low, high)) if low <= high else self

    def with_bounds(self, place: ast.Expr, bounds: NumberOf) -> Facts:
        """These facts, and narrower bounds of one place."""
        return self._with_known(repr(place), bounds)

    def _with_known(self, key: str, bounds: NumberOf) -> Facts:
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


def compare_bounds(operator: str, left: NumberOf | None, right: NumberOf | None) -> bool | None:
    if left is None or right is None:
        return None
    match operator:
        case "=":
            return _compare_equal(left, right)
        case "is not":
            same = _compare_equal(left, right)
            return None if same is None else not same
        case "<":
            return _compare_below(left, right, strictly=True)
        case "<=":
            return _compare_below(left, right, strictly=False)
        case ">":
            return _compare_below(right, left, strictly=True)
        case _:
            return _compare_below(right, left, strictly=False)


def _compare_equal(left: NumberOf, right: NumberOf) -> bool | None:
    if is_disjoint(left, right):
        return False
    return True if left.low == left.high == right.low == right.high else None


def _compare_below(left: NumberOf, right: NumberOf, strictly: bool) -> bool | None:
    """Bounds that were cut off at the limit of what is followed prove nothing."""
    if left.high < right.low or (not strictly and left.high <= right.low):
        return None if left.high <= -LIMIT or right.low >= LIMIT else True
    if left.low > right.high or (strictly and left.low >= right.high):
        return None if left.low >= LIMIT or right.high <= -LIMIT else False
    return None
