"""How many of the positions that are alike are reached, where the game begins at a certain seat. Takes what was found,
puts the number of positions that each stands for right.

All seats moved on by as many as there are players: what can follow a position that was moved on is what can follow the
position, moved on. So it is enough to know of each by how many seats the positions that are reached are moved on.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesrun.interpreter.explore.breadth_first import Explored

ITSELF = 0xFFFF  # in place of a number of seats: here nothing is merged by seats


def count_reached_positions(found: Explored) -> None:
    """A position that is itself again when all have moved on by some seats counts once for these."""
    seats_at, orbits = found.seats_at, found.orbits
    for number, moved in enumerate(find_reached_shifts(found)):
        if seats_at[number] != ITSELF:
            found.sizes[number] = len({by % orbits[number] for by in range(found.table.players) if moved >> by & 1})
    found.whole = sum(found.sizes)


def find_reached_shifts(found: Explored) -> list[int]:
    """For each position by how many seats it is reached moved on, a bit for each number."""
    n = found.table.players
    every = (1 << n) - 1
    moved = [0] * found.size
    if not moved:
        return moved
    moved[0] = 1
    waiting = deque([0])
    while waiting:
        number = waiting.popleft()
        here = moved[number]
        for edge in range(*edge_bounds(found, number)):
            following = found.edges[edge]
            by = shift_difference(found, edge, following)
            more = moved[following] | (here << by | here >> (n - by)) & every
            if more != moved[following]:
                moved[following] = more
                waiting.append(following)
    return moved


def edge_bounds(found: Explored, number: int) -> tuple[int, int]:
    return (found.offsets[number], found.offsets[number + 1]) if number < found.expanded else (0, 0)


def shift_difference(found: Explored, edge: int, following: int) -> int:
    """By how many seats that which follows is what stands for it, moved on."""
    first = found.seats_at[following]
    return 0 if first == ITSELF else (found.edge_seats[edge] - first) % found.table.players

