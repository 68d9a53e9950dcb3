"""Components that a seat cannot tell apart: groups with what is in them, and the marks that stand for one of a group.

A mark is the number of a kind where the seat knows it, else a `MarkGroup`. A group with n marks holds n
components, and every way to give them to the marks is as likely as another; of dice whose box has some of them, every
face is (`consistent_deals`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import define, field


@define(eq=False)
class MarkGroup:
    kinds: Counter[int]
    into: MarkGroup | None = field(default=None)  # the group it has become a part of

    def is_one_kind(self) -> bool:
        return len(self.kinds) == 1


Mark = int | MarkGroup


def resolve_mark(mark: Mark) -> Mark:
    """What a mark stands for now: groups may have become one, or may have one kind left."""
    while isinstance(mark, MarkGroup) and mark.into is not None:
        mark = mark.into
    if isinstance(mark, MarkGroup) and mark.is_one_kind():
        return next(iter(mark.kinds))
    return mark


def resolve_marks(marks: Iterable[Mark]) -> list[Mark]:
    """Of many marks, most of which stand for the same."""
    found: list[Mark] = []
    last, now = None, None
    for mark in marks:
        if type(mark) is int:
            found.append(mark)
            continue
        if mark is not last or now is None:
            last, now = mark, resolve_mark(mark)
        found.append(now)
    return found


def are_alike(marks: list[Mark]) -> bool:
    return marks.count(marks[0]) == len(marks)


def groups_in(marks: Iterable[Mark]) -> list[MarkGroup]:
    """Every group among them, once."""
    return list({id(mark): mark for mark in marks if isinstance(mark, MarkGroup)}.values())


def join_marks(marks: Iterable[Mark]) -> Mark:
    """All that these marks stand for becomes one group; the mark of it."""
    marks = resolve_marks(marks)
    known = Counter(mark for mark in marks if isinstance(mark, int))
    groups = groups_in(marks)
    together = MarkGroup(Counter(known))
    for group in groups:
        together.kinds.update(group.kinds)
        group.into = together
    return resolve_mark(together)


class MistakenBelief(Exception):
    """What was seen does not fit to what was believed."""


def take_mark(marks: list[Mark], kind: int) -> None:
    """A component of this kind, seen, leaves the marks: the one that is known, else one of a group."""
    if kind in marks:
        marks.remove(kind)
        return
    possible = [group for group in groups_in(marks) if group.kinds[kind] > 0]
    if not possible:
        raise MistakenBelief
    if len(possible) > 1:
        one = join_marks(possible)
        marks[:] = resolve_marks(marks)
    else:
        one = possible[0]
    marks.remove(one)
    use_up_mark(one, kind)


def use_up_mark(mark: Mark, kind: int) -> None:
    """One of the group has turned out to be of this kind."""
    if isinstance(mark, int):
        if mark != kind:
            raise MistakenBelief
        return
    if mark.kinds[kind] <= 0:
        raise MistakenBelief
    mark.kinds[kind] -= 1
    if not mark.kinds[kind]:
        del mark.kinds[kind]


def flatten_marks(content: Iterable[Mark | tuple[Mark, ...]]) -> list[Mark]:
    """All marks of a pile that may hold unordered parts."""
    found: list[Mark] = []
    for part in content:
        found.extend(resolve_marks(part)) if isinstance(part, tuple) else found.append(resolve_mark(part))
    return found


def sort_marks(marks: Iterable[Mark]) -> list[Mark]:
    """Known ones first, then groups by what is in them."""
    marks = list(marks)
    groups = {id(group): (group.kinds.total(), sorted(group.kinds.items())) for group in groups_in(marks)}
    if len(groups) <= 1:
        return [
            *sorted(mark for mark in marks if isinstance(mark, int)),
            *(m for m in marks if isinstance(m, MarkGroup)),
        ]
    return sorted(marks, key=lambda mark: (0, mark, []) if isinstance(mark, int) else (1, *groups[id(mark)]))
