"""Which smaller table to propose: takes a game, gives tables from a very small one on, each with more that happens.

Every dimension begins as small as can be. What makes more happen in a few random games grows, one at a time or two
together; when that does not help any more, what does no harm grows a little. Where actions, phases or score lines of
the whole table are still missing then, the whole table shrinks instead, one dimension after the other, as
long as they are all reached. No clock is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from random import Random

from attrs import define, field, frozen

from rulesrun.dsl.contents.small_tables import Dimension, Proposal, find_dimensions, make_proposal
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.explore.never_happened import Rule, find_rules_reached, play_at_random
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.table import Table

GAMES = 12
LONGEST_GAME = 150  # decisions
MOST_TRIED = 250
LARGER = 10  # tables that are a little larger still
MOST_SHRUNK = 120  # tables that are tried on the way down

Seat = Callable[[Program], Table | None]
Reached = frozenset[object]


@frozen
class TriedTable:
    """What a few random games at a table have shown; the more the better."""

    finished: int
    faults: int
    reached: Reached  # lines of the rules, actions, scores, what can happen

    @property
    def worth(self) -> tuple[int, int]:
        return (self.finished, len(self.reached))


def try_table(table: Table) -> TriedTable:
    ways, guard = Successors(table), PropertyGuard(table)
    guard.begin_game()
    ends = [play_at_random(ways, Random(game), LONGEST_GAME, guard.check_position).is_over for game in range(GAMES)]
    lines = {table.operations[number].node.span for number in ways.done}
    return TriedTable(
        ends.count(True), ends.count(None), frozenset([*lines, *ways.chosen, *ways.scored, *guard.happened])
    )


def grow_tables(
    program: Program, players: int, seat: Seat, wanted: frozenset[Rule] = frozenset()
) -> Iterator[Proposal]:
    """From the smallest on; each is made of rules without errors, and random games there come to their end."""
    growth = TableGrower(program, players, seat, find_dimensions(program))
    if not growth.can_be_played({one.name: one.least for one in growth.dimensions}):
        growth = TableGrower(program, players, seat, tuple(filter(growth.can_shrink, growth.dimensions)))
    last: Proposal | None = None
    for last in growth.propose_tables():
        yield last
    table = seat(last.program) if last is not None else None
    if table is None or not wanted <= find_rules_reached(table):
        yield from TableShrinker(program, players, seat, find_dimensions(program), wanted).propose_tables()


@define(eq=False)
class TableShrinker:
    """The whole table made smaller, as long as random games reach all that is wanted."""

    program: Program
    players: int
    seat: Seat
    dimensions: tuple[Dimension, ...]
    wanted: frozenset[Rule]
    left: int = MOST_SHRUNK

    def propose_tables(self) -> Iterator[Proposal]:
        sizes = {one.name: one.whole for one in self.dimensions}
        made: Proposal | None = None
        for _ in range(2):  # what could not shrink before something else did
            before = dict(sizes)
            for one in sorted(self.dimensions, key=lambda one: -one.whole):
                sizes[one.name], made = self.find_least_size(one, sizes, made)
            if sizes == before:
                break
        if made is not None:
            yield made

    def find_least_size(
        self, one: Dimension, sizes: Mapping[str, int], made: Proposal | None
    ) -> tuple[int, Proposal | None]:
        """The least size that still will do, as far as halving finds it."""
        low, high = one.least, sizes[one.name]
        tried_first = True
        while low < high and self.left > 0:
            middle = low if tried_first else (low + high) // 2
            tried_first = False
            reaching = self.propose_if_all_reached({**sizes, one.name: middle})
            if reaching is not None:
                high, made = middle, reaching
            else:
                low = middle + 1
        return high, made

    def propose_if_all_reached(self, sizes: Mapping[str, int]) -> Proposal | None:
        self.left -= 1
        made = make_proposal(self.program, self.players, sizes)
        table = self.seat(made.program) if made is not None else None
        if made is None or table is None or not self.wanted <= find_rules_reached(table):
            return None
        return made if try_table(table).finished == GAMES else None


@define(eq=False)
class TableGrower:
    program: Program
    players: int
    seat: Seat
    dimensions: tuple[Dimension, ...]
    left: int = MOST_TRIED
    known: dict[tuple[int, ...], tuple[Proposal, TriedTable] | None] = field(factory=dict)

    def can_be_played(self, sizes: Mapping[str, int]) -> bool:
        now = self.try_sizes(sizes)
        return now is not None and now[1].finished == GAMES

    def can_shrink(self, one: Dimension) -> bool:
        """Whether nothing goes wrong when it is a little smaller, and all else is as it is."""
        now = self.try_sizes({**{each.name: each.whole for each in self.dimensions}, one.name: one.whole - 1})
        return now is not None and now[1].faults == 0

    def propose_tables(self) -> Iterator[Proposal]:
        sizes: Mapping[str, int] = {one.name: one.least for one in self.dimensions}
        while True:
            now = self.try_sizes(sizes)
            if now is not None and now[1].finished == GAMES:
                yield now[0]
            better = self.find_better_sizes(sizes, now[1].worth if now is not None else (-1, 0))
            if better is None:
                break
            sizes = better
        if now is not None and now[1].finished == GAMES:
            yield from self.propose_larger_tables(sizes, now[1])

    def propose_larger_tables(self, sizes: Mapping[str, int], known: TriedTable) -> Iterator[Proposal]:
        """What does no harm grows by one."""
        for _ in range(LARGER):
            self.left = max(self.left, len(self.dimensions))
            before = sizes
            for one in self.dimensions:
                larger = {**sizes, one.name: min(sizes[one.name] + 1, one.whole)}
                now = self.try_sizes(larger)
                if larger != sizes and now is not None and now[1].worth >= known.worth:
                    sizes, known = larger, now[1]
                    yield now[0]
            if sizes == before:
                return

    def find_better_sizes(self, sizes: Mapping[str, int], worth: tuple[int, int]) -> Mapping[str, int] | None:
        """The least growth that makes more happen, of one dimension or of two together."""
        steps = [
            (one.name, size, (size + 1) / (sizes[one.name] + 1))
            for one in self.dimensions
            for size in self.larger_sizes(one, sizes[one.name])
        ]
        single = [(growth, {name: size}) for name, size, growth in steps]
        double = [(g * h, {a: one, b: other}) for (a, one, g), (b, other, h) in combinations(steps, 2) if a != b]
        for tries in (single, double):
            for _, one in sorted(tries, key=lambda each: each[0]):
                if self.worth_of_sizes({**sizes, **one}) > worth:
                    return {**sizes, **one}
        return None

    def larger_sizes(self, one: Dimension, size: int) -> list[int]:
        return sorted({min(size + 1, one.whole), min(size + 2, one.whole), min(2 * size, one.whole)} - {size})

    def worth_of_sizes(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        found = self.try_sizes(sizes)
        return found[1].worth if found is not None else (-1, 0)

    def try_sizes(self, sizes: Mapping[str, int]) -> tuple[Proposal, TriedTable] | None:
        key = tuple(sizes[one.name] for one in self.dimensions)
        if key not in self.known:
            if self.left <= 0:
                return None
            self.left -= 1
            made = make_proposal(self.program, self.players, sizes)
            table = self.seat(made.program) if made is not None else None
            self.known[key] = (made, try_table(table)) if made is not None and table is not None else None
        return self.known[key]
