"""What symmetries do to the places of components: items for one store, one for each of its fields."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.interpreter.native.explore.canonical_rows import IN_ROW, PLAIN, SET
from rulesrun.interpreter.native.layout.plan import Store

Map = tuple[int, ...]


@frozen
class ValueSource:
    """For one symmetry: the byte where a field's value comes from, and what becomes of each value."""

    at: int
    becomes: Map | None = None
    length_at: int = 0


@frozen
class SymmetryItem:
    kind: int
    bits: int
    at: int
    sources: tuple[ValueSource, ...]
    count: int = 0
    length_bits: int = 0
    in_use: tuple[int, ...] = ()  # by question, where it is in use at some of them alone
    becomes: tuple[tuple[Map | None, ...], ...] = ()  # of records: by symmetry, by value

    @property
    def has_changes(self) -> bool:
        return any(any(maps) for maps in self.becomes) or any(one != self.sources[0] for one in self.sources)


def items_of_store(store: Store, at: int, sources: list[int], maps: list[Map | None]) -> Iterator[SymmetryItem]:
    pairs = list(zip(sources, maps, strict=True))
    if store.shape == "bag":
        for part in (store.bottom, store.inner, store.top):
            if part is not None:
                yield from items_of_store(part, at, sources, maps)
    elif store.shape == "bits":
        yield from items_of_bits(store, at, pairs)
    elif store.shape == "counts":
        yield from items_of_counts(store, at, pairs)
    else:
        yield from items_of_row(store, at, pairs)


def items_of_bits(store: Store, at: int, pairs: list[tuple[int, Map | None]]) -> Iterator[SymmetryItem]:
    assert store.members is not None
    first, step = store.members.at, store.members.bits // 8
    for word in range(step // 8):
        yield SymmetryItem(
            SET, 64, first + at * step + word * 8,
            tuple(ValueSource(first + source * step, becomes) for source, becomes in pairs),
            step // 8, word,
        )


def items_of_counts(store: Store, at: int, pairs: list[tuple[int, Map | None]]) -> Iterator[SymmetryItem]:
    assert store.members is not None
    assert store.size is not None
    kinds, members, size = len(store.kinds), store.members, store.size
    step, wide = members.bits // 8, size.bits // 8
    yield SymmetryItem(
        PLAIN, size.bits, size.at + at * wide, tuple(ValueSource(size.at + one * wide) for one, _ in pairs)
    )
    for kind in range(kinds):
        places = [
            source * kinds + (kind if becomes is None else becomes.index(kind)) for source, becomes in pairs
        ]
        yield SymmetryItem(
            PLAIN, members.bits, members.at + (at * kinds + kind) * step,
            tuple(ValueSource(members.at + place * step) for place in places),
        )


def items_of_row(store: Store, at: int, pairs: list[tuple[int, Map | None]]) -> Iterator[SymmetryItem]:
    assert store.items is not None
    assert store.length is not None
    items, length, many = store.items, store.length, max(store.capacity, 1)
    step, wide = items.bits // 8, length.bits // 8
    lengths = [length.at + source * wide for source, _ in pairs]
    yield SymmetryItem(PLAIN, length.bits, length.at + at * wide, tuple(ValueSource(one) for one in lengths))
    for place in range(many):
        sources = tuple(
            ValueSource(items.at + (source * many + place) * step, becomes, length_at)
            for (source, becomes), length_at in zip(pairs, lengths, strict=True)
        )
        yield SymmetryItem(IN_ROW, items.bits, items.at + (at * many + place) * step, sources, place, length.bits)
