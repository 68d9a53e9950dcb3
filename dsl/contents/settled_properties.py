"""Properties that the smaller sizes of a table settle by themselves. Takes programs, gives the properties.

`never "a fifteen": some c in heap has rank of c = 15` holds where ranks go to seven, whatever the rules say. Where the
bounds of a table settle what those of the whole rules do not, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Collection

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.flow.checked_game import Facts, compare_bounds
from rulesrun.dsl.typing.inference import infer_types
from rulesrun.dsl.typing.names import collect_names
from rulesrun.dsl.typing.notebook import is_disjoint
from rulesrun.dsl.typing.program import BuiltinMeaning, Program
from rulesrun.dsl.typing.types import NumberOf

JUDGED = {"always", "never", "at end", "after"}


def find_settled_properties(program: Program, smaller: Collection[Program]) -> tuple[ast.Property, ...]:
    """Of those that stand at any of the smaller tables, the ones that each of these tables settles by its sizes."""
    asked = [one for one in program.game.properties if one.word in JUDGED]
    whole = SettledConditions(program)
    tables = [(SettledConditions(one), properties_by_title(one)) for one in smaller]
    found = []
    for piece in asked:
        there = [(settled, own[piece.title]) for settled, own in tables if piece.title in own]
        is_settled = there and all(settled.truth(own.condition) is not None for settled, own in there)
        if is_settled and whole.truth(piece.condition) is None:
            found.append(piece)
    return tuple(found)


def properties_by_title(program: Program) -> dict[str, ast.Property]:
    return {one.title: one for one in program.game.properties}


@define(eq=False)
class SettledConditions:
    """What is certain of conditions by the sizes of things alone. None: not known."""

    program: Program
    facts: Facts = field(init=False)
    inside: set[int] = field(init=False, factory=set)  # definitions that are being gone into

    def __attrs_post_init__(self) -> None:
        game = self.program.game
        self.facts = Facts(infer_types(game, collect_names(game)))

    def truth(self, node: ast.Expr) -> bool | None:
        match node:
            case ast.Not(value=value):
                return negate(self.truth(value))
            case ast.And(parts=parts):
                return self.facts.truth(node) if (found := self.all_hold(parts)) is None else found
            case ast.Or(parts=parts):
                return negate(all_of([negate(self.truth(part)) for part in parts]))
            case ast.IfElse(condition=condition, then=then, otherwise=otherwise):
                first, second = self.truth(then), self.truth(otherwise)
                chosen = self.truth(condition)
                return (first if chosen else second) if chosen is not None else first if first is second else None
            case ast.Quantified():
                return self.truth_of_quantified(node)
            case ast.IsEmpty(collection=collection, negated=negated):
                return (not negated) if self.is_always_empty(collection) else None
            case ast.In(item=item, collection=ast.SetOf(items=items), negated=negated) if self.is_outside(item, items):
                return negated
            case ast.Compare(operator=operator, left=left, right=right):
                return compare_bounds(operator, self.bounds(left), self.bounds(right))
            case ast.Before(value=value):
                return self.truth(value)
            case ast.Name() | ast.Call() | ast.Of() if (body := self.body_of(node)) is not None:
                return self.truth_of_body(body)
            case _:
                return self.facts.truth(node)

    def all_hold(self, parts: tuple[ast.Expr, ...]) -> bool | None:
        return all_of([self.truth(part) for part in parts])

    def truth_of_quantified(self, node: ast.Quantified) -> bool | None:
        """`some` of none is false, `every` and `no` of none are true."""
        inner = self.truth(node.body)
        if self.is_always_empty(node.each.collection):
            return node.word != "some"
        match node.word:
            case "some" | "no":
                return (node.word == "no") if inner is False else None
            case "every":
                return True if inner is True else None
            case _:
                return None

    def is_always_empty(self, collection: ast.Expr) -> bool:
        match collection:
            case ast.Filter(collection=inner, condition=condition):
                return self.truth(condition) is False or self.is_always_empty(inner)
            case _:
                return False

    def is_outside(self, item: ast.Expr, items: tuple[ast.Literal, ...]) -> bool:
        here = self.bounds(item)
        others = [self.bounds(one.parts[0]) if len(one.parts) == 1 else None for one in items]
        return here is not None and all(one is not None and is_disjoint(here, one) for one in others)

    def bounds(self, node: ast.Expr) -> NumberOf | None:
        match node:
            case ast.Of(subject=ast.Name() as name, owner=owner) if self.is_count(name) and self.is_always_empty(owner):
                return NumberOf(0, 0)
            case ast.Aggregate(word="count", body=body, each=each) if (
                self.is_always_empty(each.collection) or self.truth(body) is False
            ):
                return NumberOf(0, 0)
            case _:
                return self.facts.bounds(node)

    def is_count(self, name: ast.Name) -> bool:
        meaning = self.program.names.get(name)
        return isinstance(meaning, BuiltinMeaning) and meaning.name == "count"

    def body_of(self, node: ast.Name | ast.Call | ast.Of) -> ast.Expr | None:
        """What a definition comes to, for any arguments."""
        name = node.name if isinstance(node, ast.Call) else node.subject if isinstance(node, ast.Of) else node
        meaning = self.program.names.get(name)
        return meaning.body if isinstance(meaning, ast.Define) else None

    def truth_of_body(self, body: ast.Expr) -> bool | None:
        if id(body) in self.inside:
            return None
        self.inside.add(id(body))
        found = self.truth(body)
        self.inside.discard(id(body))
        return found


def negate(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def all_of(truths: list[bool | None]) -> bool | None:
    return False if False in truths else None if None in truths else True
