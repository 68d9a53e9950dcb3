"""The kinds of components: takes their declaration, gives every different one with its attributes and copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import list_rule_cells


@frozen(eq=False)
class Part:
    """The kinds of one declaration among all that may lie in the same places."""

    declaration: ast.Components
    numbers: range
    written: tuple[tuple[Any, ...], ...]  # the values of the written attributes, one after the other
    by_written: dict[tuple[Any, ...], int]  # the number of each


@frozen(eq=False)
class Kinds:
    """All components of one declaration, or of several that may lie in the same places (`parts`). Equal components are
    one kind; a kind is its number in declared order.

    The places of a board are kinds without a component: they are named and asked, and nothing of them lies anywhere.
    """

    declaration: ast.Components
    written: tuple[tuple[Any, ...], ...]  # the values of the written attributes, by kind
    copies: tuple[int, ...]
    names: tuple[str, ...]
    attributes: dict[int, tuple[Any, ...]] = field(factory=dict)  # id(attribute) -> its value by kind
    by_written: dict[tuple[Any, ...], int] = field(factory=dict)
    worked_out: dict[tuple[object, ...], Any] = field(factory=dict)  # of a board: what lies beside what, and the like
    first: int = 0  # the numbers below are those of other declarations
    joined: tuple[Part, ...] = ()

    def __len__(self) -> int:
        return len(self.written)

    @property
    def parts(self) -> tuple[Part, ...]:
        """By declaration."""
        numbers = range(self.first, len(self.written))
        return self.joined or (Part(self.declaration, numbers, self.written[self.first :], self.by_written),)

    def list_rules(self) -> Iterator[tuple[str, ast.Expr]]:
        """The rules that stand in its rows, each with the name of the row."""
        return ((row.name.text, rule) for _, row, rule in list_rule_cells(self.declaration))

    def part_of(self, declaration: ast.Components) -> Part:
        return next(one for one in self.parts if one.declaration is declaration)

    def part_with(self, kind: int) -> Part:
        return next(one for one in self.parts if kind in one.numbers)

    def all_components(self) -> tuple[int, ...]:
        """Every component, copies included, in declared order."""
        return tuple(kind for kind, copies in enumerate(self.copies) for _ in range(copies))


@define(eq=False)
class KindCollector:
    """Collects the kinds of a declaration; a repeated one adds to the copies of the first."""

    declaration: ast.Components
    written: list[tuple[Any, ...]] = field(factory=list)
    copies: list[int] = field(factory=list)
    names: list[str] = field(factory=list)
    seen: dict[object, int] = field(factory=dict)
    first: int = 0

    def add_kind(self, key: object, written: tuple[Any, ...], copies: int, name: str) -> int:
        at = self.seen.get(key)
        if at is None:
            at = self.seen[key] = len(self.written)
            self.written.append(written)
            self.copies.append(copies)
            self.names.append(name)
        else:
            self.copies[at] += copies
        return at

    def build_kinds(self) -> Kinds:
        before = self.first
        kinds = Kinds(
            self.declaration, (*[()] * before, *self.written), (*[0] * before, *self.copies),
            (*[""] * before, *self.names), first=before,
        )  # fmt: skip
        for number, written in enumerate(self.written, start=before):
            kinds.by_written.setdefault(written, number)
        plain = [one for one in self.declaration.attributes if one.type is not None]
        for column, attribute in enumerate(plain):
            kinds.attributes[id(attribute)] = (*[None] * before, *(written[column] for written in self.written))
        return kinds


def join_kinds(declaration: ast.Components, members: list[Kinds]) -> Kinds:
    """What may lie in the same places, one declaration after the other. Asked of another kind, an attribute has some
    value: nobody asks."""
    doubles = find_doubles([name for one in members for name in one.names[one.first :]])
    names = tuple(
        f"{one.declaration.name.text}-{name}" if name in doubles else name
        for one in members for name in one.names[one.first :]
    )  # fmt: skip
    joined = Kinds(
        declaration, tuple(written for one in members for written in one.written[one.first :]),
        tuple(copies for one in members for copies in one.copies[one.first :]), names,
        joined=tuple(part for one in members for part in one.parts),
    )  # fmt: skip
    for one in members:
        for attribute in (*one.declaration.attributes, *one.declaration.computed):
            if id(attribute) in one.attributes:
                joined.attributes[id(attribute)] = spread_attribute(attribute, one, members)
    return joined


def find_doubles(names: list[str]) -> set[str]:
    return {name for name, often in Counter(names).items() if often > 1}


def spread_attribute(attribute: ast.AttributeDecl, owner: Kinds, members: list[Kinds]) -> tuple[Any, ...]:
    """Its values over all members: what others call the same is the same."""
    own = owner.attributes[id(attribute)][owner.first :]
    found: list[Any] = []
    for one in members:
        same = [
            values[one.first :] for other in (*one.declaration.attributes, *one.declaration.computed)
            if is_same_attribute(attribute, other) and (values := one.attributes.get(id(other))) is not None
        ]  # fmt: skip
        found += same[0] if same else (next(iter(own), 0),) * (len(one) - one.first)
    return tuple(found)


def is_same_attribute(one: ast.AttributeDecl, other: ast.AttributeDecl) -> bool:
    if one.name.text != other.name.text or type(one.type) is not type(other.type):
        return False
    if isinstance(one.type, ast.NamedType) and isinstance(other.type, ast.NamedType):
        return one.type.name.text == other.type.name.text
    return True
