"""The kinds of components: takes their declaration, gives every different one with its attributes and copies."""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast


@frozen(eq=False)
class Kinds:
    """All components of one declaration. Equal components are one kind; a kind is its number in declared order.

    The places of a board are kinds without a component: they are named and asked, and nothing of them lies anywhere.
    """

    declaration: ast.Components
    written: tuple[tuple[Any, ...], ...]  # the values of the written attributes, by kind
    copies: tuple[int, ...]
    names: tuple[str, ...]
    attributes: dict[int, tuple[Any, ...]] = field(factory=dict)  # id(attribute) -> its value by kind
    by_written: dict[tuple[Any, ...], int] = field(factory=dict)
    worked_out: dict[tuple[object, ...], Any] = field(factory=dict)  # of a board: what lies beside what, and the like

    def __len__(self) -> int:
        return len(self.written)

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
        kinds = Kinds(self.declaration, tuple(self.written), tuple(self.copies), tuple(self.names))
        for number, written in enumerate(self.written):
            kinds.by_written.setdefault(written, number)
        plain = [one for one in self.declaration.attributes if one.type is not None]
        for column, attribute in enumerate(plain):
            kinds.attributes[id(attribute)] = tuple(written[column] for written in self.written)
        return kinds
