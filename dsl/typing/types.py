"""The finite types of the language. Frozen data, no behaviour."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen


@frozen
class NumberOf:
    """A bounded number. The bounds hold for every table (all options, all player counts)."""

    low: int
    high: int


@frozen
class TruthOf:
    pass


@frozen
class PlayerOf:
    pass


@frozen
class WordOf:
    """One of a fixed list of words: a `values` declaration or an option's own words.

    `name` is the declared name, or the option's name for words written in place.
    """

    name: str
    words: tuple[str, ...]


@frozen
class ComponentOf:
    """A component of one declared kind; of one of several: `Card or Coin`."""

    kind: str

    @property
    def members(self) -> tuple[str, ...]:
        return split_kinds(self.kind)


@frozen
class OrderOf:
    """A permutation of all values of `item`; `item k of layout`, `layout[k]` give the k-th."""

    item: Type


@frozen
class CollectionOf:
    """Several values: a zone's content, a set, a list, a range, all players. `is_zone`: cards can be moved to it."""

    item: Type
    is_zone: bool = False


@frozen
class OptionalOf:
    """A value or `nothing`."""

    item: Type


@frozen
class NothingOf:
    pass


@frozen
class TextOf:
    pass


@frozen
class Unknown:
    """After a mistake already reported: fits everything, so that one mistake makes one message."""


EITHER = " or "  # no name has blanks in it


def split_kinds(kind: str) -> tuple[str, ...]:
    """`Card or Coin`: Card, and Coin."""
    return tuple(kind.split(EITHER))


def component_of_kinds(kinds: Iterable[str]) -> ComponentOf:
    """A component of one of these kinds, whichever way round they are written."""
    return ComponentOf(EITHER.join(sorted(set(kinds))))


Type = (
    NumberOf | TruthOf | PlayerOf | WordOf | ComponentOf | OrderOf | CollectionOf | OptionalOf | NothingOf
    | TextOf | Unknown
)


def item_of(found: Type | None) -> Type | None:
    """What each of several values is: of a zone, a list, an order; None for a single value."""
    return found.item if isinstance(found, (CollectionOf, OrderOf)) else None
