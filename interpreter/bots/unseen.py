"""Components that a seat cannot tell apart: groups with what is in them, and the marks that stand for one of a group.

A mark is the number of a kind where the seat knows it, else a `Group`. A group with n marks holds n
components, and every way to give them to the marks is as likely as another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import define, field


@define(eq=False)
class Group:
    kinds: Counter[int]
    into: Group | None = field(default=None)  # the group it has become a part of

    def is_one_kind(self) -> bool:
        return len(self.kinds) == 1


Mark = int | Group


def meant(mark: Mark) -> Mark:
    """What a mark stands for now: groups may have become one, or may have one kind left."""
    while isinstance(mark, Group) and mark.into is not None:
        mark = mark.into
    if isinstance(mark, Group) and mark.is_one_kind():
        return next(iter(mark.kinds))
    return mark


def all_meant(marks: Iterable[Mark]) -> list[Mark]:
    """Of many marks, most of which stand for the same."""
    found: list[Mark] = []
    last, now = None, None
    for mark in marks:
        if type(mark) is int:
            found.append(mark)
            continue
        if mark is not last or now is None:
            last, now = mark, meant(mark)
        found.append(now)
    return found


def are_alike(marks: list[Mark]) -> bool:
    return marks.count(marks[0]) == len(marks)


def groups_in(marks: Iterable[Mark]) -> list[Group]:
    """Every group among them, once."""
    return list({id(mark): mark for mark in marks if isinstance(mark, Group)}.values())


def joined(marks: Iterable[Mark]) -> Mark:
    """All that these marks stand for becomes one group; the mark of it."""
    marks = all_meant(marks)
    known = Counter(mark for mark in marks if isinstance(mark, int))
    groups = groups_in(marks)
    together = Group(Counter(known))
    for group in groups:
        together.kinds.update(group.kinds)
        group.into = together
    return meant(together)


class Mistaken(Exception):
    """What was seen does not fit to what was believed."""


def taken_out(marks: list[Mark], kind: int) -> None:
    """A component of this kind, seen, leaves the marks: the one that is known, else one of a group."""
    if kind in marks:
        marks.remove(kind)
        return
    possible = [group for group in groups_in(marks) if group.kinds[kind] > 0]
    if not possible:
        raise Mistaken
    if len(possible) > 1:
        one = joined(possible)
        marks[:] = all_meant(marks)
    else:
        one = possible[0]
    marks.remove(one)
    used_up(one, kind)


def used_up(mark: Mark, kind: int) -> None:
    """One of the group has turned out to be of this kind."""
    if isinstance(mark, int):
        if mark != kind:
            raise Mistaken
        return
    if mark.kinds[kind] <= 0:
        raise Mistaken
    mark.kinds[kind] -= 1
    if not mark.kinds[kind]:
        del mark.kinds[kind]


def flat_marks(content: Iterable[Mark | tuple[Mark, ...]]) -> list[Mark]:
    """All marks of a pile that may hold unordered parts."""
    found: list[Mark] = []
    for part in content:
        found.extend(all_meant(part)) if isinstance(part, tuple) else found.append(meant(part))
    return found


def in_group_order(marks: Iterable[Mark]) -> list[Mark]:
    """Known ones first, then groups by what is in them."""
    marks = list(marks)
    groups = {id(group): (group.kinds.total(), sorted(group.kinds.items())) for group in groups_in(marks)}
    if len(groups) <= 1:
        return [*sorted(mark for mark in marks if isinstance(mark, int)), *(m for m in marks if isinstance(m, Group))]
    return sorted(marks, key=lambda mark: (0, mark, []) if isinstance(mark, int) else (1, *groups[id(mark)]))
