"""Every position in machine code where the rules ask how often one has come: counted by other means, and whatever the
reference says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.explore.breadth_first import BreadthFirstSearch, explore_table
from rulesrun.interpreter.native.explore.exploration import ExploringCode, NativeSearch, compile_exploration
from rulesrun.interpreter.native.explore.results import EnginesDisagree
from rulesrun.run.explore_engines import Explorer
from rulesrun.terminal.trouble import Trouble
from tests.exploring.counted_histories import all_positions, up_to_colours
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
    table = table_of(ring(places, times))
    code = compile_exploration(table, None, 0)
    for jobs in (1, 2):
        found = by_machine(table, jobs=jobs, code=code)
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
    code = compile_exploration(table)
    for jobs in (1, 2):
        plain, merged = by_machine(table, code=code, jobs=jobs), by_machine(table, merges=True, code=code, jobs=jobs)
        assert plain.size == merged.whole == 1 + 3 + 6 + 3 + 3 + 6 + 3
        assert merged.size == 4 + 3
        assert sorted(merged.sizes) == [1, 3, 3, 3, 3, 6, 6]


# ---- as the reference

@pytest.fixture(scope="module")
def compiled() -> ExploringCode:
    return compile_exploration(small_table("tokens", 0, first="seat"))


def test_a_small_table_of_a_bundled_game(compiled: ExploringCode) -> None:
    table = compiled.form.table
    assert differences(table, 200_000, jobs=2, code=compiled) == []
    assert differences(table, 200_000, merges=True, jobs=3, code=compiled) == []


def test_a_bundled_game_counted_by_a_program_of_its_own(compiled: ExploringCode) -> None:
    expected = all_positions()
    found = by_machine(compiled.form.table, code=compiled)
    assert (found.size, found.transitions, found.overs) == (
        len(expected), sum(len(several) for several in expected.values()),
        sum(not several for several in expected.values()))
    together = by_machine(compiled.form.table, merges=True, code=compiled)
    assert (together.size, together.whole) == (up_to_colours(expected), len(expected))


@pytest.mark.long
def test_a_larger_table_of_a_bundled_game() -> None:
    table = small_table("tokens", 1, first="seat")
    code = compile_exploration(table)
    assert differences(table, 60_000, jobs=2, code=code) == []
    assert differences(table, 60_000, merges=True, jobs=3, code=code) == []
    assert by_machine(table, merges=True, code=code).whole == 1_198_023


def test_a_limit_stops_where_the_reference_stops(compiled: ExploringCode) -> None:
    table, code = compiled.form.table, compiled
    for limit, jobs, merges in ((1, 1, True), (50, 2, False), (777, 3, True)):
        assert differences(table, limit, jobs=jobs, merges=merges, code=code) == []


KEEPING = """rules 1
game "Kept"
players 2
values Colour: red, blue, green
card Card: colour Colour, rank 1..2
token Token: kind Colour, 2 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, public
zone heap: pile of Card, public
zone bag: pile of Token, hidden
zone pool of player: set of Token, public
marker shown: Colour or nothing = nothing
number n: -2..200000 = 0
number half: 0..4 = 0
memory seen{reset}
memory others
setup
  shuffle all Card into stock
  shuffle all Token into bag
  deal 1 from stock to each hand
  draw 2 from stock to line
phase play: turns from 1 until half >= 4
{records}
  if times(seen) >= {times}
    end phase
  choose swap, show, draw_one or pass
action swap(give from hand, take from line)
  move give to line
  move take to hand
action show(colour in Colour)
  shown becomes colour
  n becomes 150000 - n
action draw_one
  needs count of bag > 3
  draw 1 from bag to pool
  move top of line to heap
action pass
  half increases by 1
score at end
  points = half
ranking: highest total, ties share
"""

TWO = """
  record line, heap in seen
  record shown, n in others
  if times(others) = 2 and times(seen) = 2
    end round
"""
OFTEN = """
  repeat 3 times
    record shown in seen
    n increases by times(seen)
  record n in seen
"""
GONE_THROUGH = """
  each c in Colour
    record c, count of hand where colour = c in seen
  each player
    record player, pool in seen
"""
RECORDS = {
    "sets and rows": "  record hand, line, heap in seen",
    "sets of all players": "  record list of pool of p over p in players, list of hand of p over p in players in seen",
    "two memories": TWO,
    "several at once": OFTEN,
    "in loops": GONE_THROUGH,
    "fractions": "  record half / 2, n / 3 in seen",
    "fractions and whole numbers": "  record half / 2 in seen\n  record half in seen\n  record half / 3 in seen",
    "a set and a list of the same": "  record pool in seen\n  record list of t over t in pool in seen",
    "one value and several": "  record half in seen\n  record half, half in seen\n  record half, half, shown in seen",
    "what lies in a pile": "  record stock, list of rank of c over c in line in seen",
    "one value or several": "  record half in seen\n  record line in seen",
    "large numbers": "  record n, n * 100000 in seen",
    "of some": "  record (hand where rank = 1), list of rank of c over c in line in seen",
}


def keeping(name: str, times: int = 2, reset: str = "") -> str:
    return KEEPING.format(records=RECORDS[name], times=times, reset=reset)


@pytest.mark.parametrize("name", RECORDS)
def test_the_same_of_what_is_recorded(name: str) -> None:
    table = table_of(keeping(name))
    code = compile_exploration(table, None, 0)
    assert code.form.memories
    assert differences(table, 300, jobs=2, code=code) == []
    assert differences(table, 200, merges=True, code=code) == []


@pytest.mark.long
@pytest.mark.parametrize("reset", ["", ", each turn", ", each round"])
@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("name", RECORDS)
def test_the_same_of_much_that_is_recorded(name: str, times: int, reset: str) -> None:
    table = table_of(keeping(name, times, reset))
    code = compile_exploration(table)
    assert differences(table, 6_000, jobs=3, code=code) == []
    assert differences(table, 3_000, merges=True, jobs=2, code=code) == []


ASKED = """
always "seldom": times(seen) < 3
never "with a word": times(seen) = 2 and shown is not nothing
can happen "again": times(seen) = 2
can happen "four times": times(seen) = 4
after pass "more often": times(seen) >= before (times(seen))
at end of turn "not twice": times(seen) < 2
at end of game "once": times(seen) = 1 or half < 4
"""


@pytest.mark.parametrize("name", ["two memories", pytest.param("sets of all players", marks=pytest.mark.long)])
def test_the_same_of_properties_that_ask(name: str) -> None:
    table = table_of(keeping(name, 4) + ASKED)
    code = compile_exploration(table, None, 0)
    assert differences(table, 4_000, merges=True, jobs=2, code=code) == []
    found = by_machine(table, 4_000, code=code)
    assert {one.title for one in found.findings if one.kind == "property"} >= {"with a word", "not twice"}
    assert "again" in found.happened


def test_a_memory_that_only_properties_ask() -> None:
    """Positions stay the same however often they come: these properties are not judged."""
    table = table_of(keeping("two memories").replace("if times(seen) >= 2", "if n > 200000").replace(
        "times(others) = 2 and times(seen) = 2", "n > 200000") + 'always "seldom": times(seen) < 2\n')
    code = compile_exploration(table, None, 0)
    assert not code.form.memories
    assert differences(table, 1_000, merges=True, code=code) == []


def test_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was recorded when there was no more room is followed again."""
    table = table_of(keeping("several at once", 9))
    code = compile_exploration(table, None, 0)
    monkeypatch.setattr("rulesrun.interpreter.native.explore.memory.MANY_WORDS", 1)
    monkeypatch.setattr("rulesrun.interpreter.native.explore.memory.FIRST_BLOCK", 64)
    monkeypatch.setattr("rulesrun.interpreter.native.explore.memory.LARGE_BLOCK", 256)
    for room in (1, 7, 64):
        monkeypatch.setattr("rulesrun.interpreter.native.explore.exploration.ROOM", room)
        monkeypatch.setattr(
            "rulesrun.interpreter.native.explore.exploration.large_room", lambda words, threads, room=room: room
        )
        assert differences(table, 400, jobs=3, code=code) == []
        assert differences(table, 400, code=code) == []


def test_more_often_than_is_counted() -> None:
    """It is left to the reference."""
    table = table_of(ring(5, 3).replace("  record place", "  repeat 1200 times\n    record place"))
    with pytest.raises(EnginesDisagree):
        by_machine(table, 20)
    with pytest.raises(Trouble, match="leaves this to the reference"):
        Explorer("native", 1).explore(table, 20, None)


def test_what_is_recorded_counts_as_memory(compiled: ExploringCode) -> None:
    """The sum of what belongs to positions, which is the same for any number of threads."""
    table, code, used = compiled.form.table, compiled, set()
    for jobs in (1, 2, 3):
        searches: list[NativeSearch] = []

        def engine(search: BreadthFirstSearch, jobs: int = jobs, searches: list[NativeSearch] = searches) -> None:
            searches.append(NativeSearch(search, code, jobs))
            searches[0].expand_all()

        explore_table(table, engine=engine)
        used.add(searches[0].visited.record_bytes)
        assert searches[0].visited.bytes_used > searches[0].visited.record_bytes
    assert len(used) == 1
    assert used.pop() >= 8 * 6
