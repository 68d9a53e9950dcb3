"""Every position in machine code where the rules ask how often one has come: counted by other means, and whatever the
reference says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.native.exploring_code import exploring_code
from tests.exploring.made import small_table, table_of
from tests.native.explored import by_machine, differences

# ---- counted by other means

RING = """rules 1
game "Round and round"
players 2
number place: 0..{last} = 0
memory seen
phase walking: turns from 1
  record place in seen
  if times(seen) = {times}
    end game
  choose on or back
action on
  place becomes (place + 1) mod {places}
action back
  place becomes (place + {last}) mod {places}
score at end
  points = place
ranking: highest total, ties share
"""

Walk = tuple[int, tuple[tuple[int, int], ...]]


def ring(places: int, times: int) -> str:
    return RING.format(places=places, last=places - 1, times=times)


def walks(places: int, times: int) -> dict[Walk, list[Walk]]:
    """Where one stands and how often one has been everywhere; with what follows."""

    def arrived(place: int, visits: Counter[int]) -> Walk:
        return place, tuple(sorted((visits + Counter([place])).items()))

    def following(walk: Walk) -> Iterator[Walk]:
        place, visits = walk[0], Counter(dict(walk[1]))
        if visits[place] < times:
            for step in (1, -1):
                yield arrived((place + step) % places, visits)

    found: dict[Walk, list[Walk]] = {}
    waiting = [arrived(0, Counter())]
    while waiting:
        walk = waiting.pop()
        if walk not in found:
            found[walk] = list(following(walk))
            waiting += found[walk]
    return found


@pytest.mark.parametrize(("places", "times"), [(2, 2), (3, 3), (4, 3), (5, 3)])
def test_walks_on_a_ring(places: int, times: int) -> None:
    """Whose turn it is follows from how many steps there were."""
    expected = walks(places, times)
    for jobs in (1, 2):
        found = by_machine(table_of(ring(places, times)), jobs=jobs)
        assert found.engine == "native"
        assert found.is_complete
        assert found.size == found.whole == len(expected)
        assert found.transitions == sum(len(several) for several in expected.values())
        assert found.overs == sum(not several for several in expected.values())


def test_the_shortest_ring_by_hand() -> None:
    """From 0 to 1 and back to 0, whichever way: three positions, of which the last is the second 0."""
    found = by_machine(table_of(ring(2, 2)))
    assert (found.size, found.depth, found.overs, found.transitions) == (3, 2, 1, 4)


COLOURS = """rules 1
game "Colours again"
players 2
values Colour: red, blue, green
marker shown: Colour or nothing = nothing
memory seen
phase showing: turns from 1
  choose show
  record shown in seen
  if times(seen) = 2
    end game
action show(colour in Colour)
  shown becomes colour
score at end
  points = 0
ranking: highest total, ties share
"""


def test_words_that_are_alike_by_hand() -> None:
    """While no word has come twice: which ones have come, and which of them last; nothing, 3, 3 times 2, 3. The end is
    one of them once more: 3, 3 times 2, 3. Up to the names of the words each of these is one."""
    table = table_of(COLOURS)
    code = exploring_code(table)
    for jobs in (1, 2):
        plain, merged = by_machine(table, code=code, jobs=jobs), by_machine(table, merges=True, code=code, jobs=jobs)
        assert plain.size == merged.whole == 1 + 3 + 6 + 3 + 3 + 6 + 3
        assert merged.size == 4 + 3
        assert sorted(merged.sizes) == [1, 3, 3, 3, 3, 6, 6]


# ---- as the reference

TOKENS = ((0, 200_000), (1, 3_000))


@pytest.mark.parametrize(("number", "limit"), TOKENS)
def test_small_tables_of_a_bundled_game(number: int, limit: int) -> None:
    table = small_table("tokens", number, first="seat")
    code = exploring_code(table)
    assert differences(table, limit, jobs=2, code=code) == []
    assert differences(table, limit, merges=True, jobs=3, code=code) == []


def test_a_limit_stops_where_the_reference_stops() -> None:
    table = small_table("tokens", 0, first="seat")
    code = exploring_code(table)
    for limit, jobs, merges in ((1, 1, True), (50, 2, False), (777, 3, True), (777, 1, False)):
        assert differences(table, limit, jobs=jobs, merges=merges, code=code) == []
