"""Rules written out as terms: equal terms are one number, parts whose order says nothing are sorted.

Takes what a term is made of, gives its number; gives the number of a term after places were exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field

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
