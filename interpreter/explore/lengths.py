"""How long games can go on: takes the positions and what each way adds, gives for a bound the longest game there is.

Positions know nothing of time, so each is looked at with every length it can have.
"""

from __future__ import annotations

from collections import deque

from attrs import frozen

from rulesrun.dsl.text.source import Titled
from rulesrun.interpreter.explore.breadth_first import Explored

MOST_STATES = 2_000_000  # positions, each with every length


@frozen(eq=False)
class LengthCheck:
    """`longest`: of the games that were followed; beyond the bound, its first excess. `steps`: positions after the
    first one, with what each adds. `is_known`: every game was followed."""

    declaration: Titled
    unit: str
    bound: int
    longest: int
    is_known: bool
    steps: tuple[tuple[int, int], ...] = ()

    @property
    def is_broken(self) -> bool:
        return self.longest > self.bound


def check_lengths(found: Explored) -> list[LengthCheck]:
    """Of every `ends within`."""
    bench = found.table.bench
    bounds = [one for one in bench.properties if one.bound is not None]
    return [
        find_longest_game(found, one, one.moment or "decisions", bench.constant_number(one.bound))
        for one in bounds
        if one.bound is not None and found.size
    ]


def find_longest_game(found: Explored, declaration: Titled, unit: str, bound: int) -> LengthCheck:
    """Breadth first over positions with lengths, so that what goes beyond is reached in as few steps as can be."""
    added = found.lengths[unit]
    first = 1 if unit == "rounds" else 0
    wide = bound + 2
    came: dict[int, int] = {first: -1}  # position * wide + length: where from
    waiting, most = deque(came), first
    while waiting and len(came) <= MOST_STATES:
        state = waiting.popleft()
        number, length = divmod(state, wide)
        most = max(most, length)
        if length > bound:
            return LengthCheck(declaration, unit, bound, length, found.is_complete, trace_steps(state, came, wide))
        if number >= found.expanded:
            continue
        for edge in range(found.offsets[number], found.offsets[number + 1]):
            after = found.edges[edge] * wide + min(length + added[edge], bound + 1)
            if after not in came:
                came[after] = state
                waiting.append(after)
    return LengthCheck(declaration, unit, bound, most, found.is_complete and not waiting)


def trace_steps(state: int, came: dict[int, int], wide: int) -> tuple[tuple[int, int], ...]:
    steps: list[tuple[int, int]] = []
    while came[state] >= 0:
        before = came[state]
        steps.append((state // wide, state % wide - before % wide))
        state = before
    return tuple(reversed(steps))
