"""Properties of the rules: looks at positions of a game, gives what does not hold. Changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import sqrt
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulesrun.dsl.text.source import Located, Span
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.layout import all_zone_slots
from rulesrun.interpreter.model.moments import JudgedProperty
from rulesrun.interpreter.model.places import count_components, flatten_content
from rulesrun.interpreter.model.values import EVENTS, PLACES, PLAYER, RESULT, ROUND, Run, Slots, State
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.reference.score_lookups import place_of
from rulesrun.interpreter.reference.table import Table

if TYPE_CHECKING:
    from rulesrun.interpreter.play.random_games import SimulationResult

# ---- final standings
# Whether the final places agree with scores, tie-breaks and result. Takes a finished game, gives what does not agree.
#
# Worked out pair by pair, apart from the module that ranks: who of two is ahead is said by the first criterion that
# tells them apart.


AGREE = "scores and final places agree"

Key = tuple[tuple[Any, bool], ...]  # for every criterion that applies what it gives, and whether the highest is best


def find_disagreement(table: Table, S: Slots) -> str | None:
    """What is wrong, in words; None: nothing is."""
    places = S[PLACES]
    seats = range(1, table.players + 1)
    if sorted(seat for group in places for seat in group) != list(seats):
        return "not every player has one place"
    keys = {seat: ranking_key(table, S, seat) for seat in seats}
    for one in seats:
        for other in range(one + 1, table.players + 1):
            expected, found = compare_keys(keys[one], keys[other]), place_of(places, other) - place_of(places, one)
            if (expected > 0) != (found > 0) or (expected < 0) != (found < 0):
                return f"the places of {one} and {other} are not as their scores and tie-breaks say"
    tells_apart = table.scoring.ranking is not None and not table.scoring.ranking.ties_share
    if tells_apart and not all(map(table.scoring.is_team, places)):
        return "a place is shared, though ties do not share"
    return None if S[RESULT] == expected_result(table, S) else "the result is not the first outcome that holds"


def ranking_key(table: Table, S: Slots, seat: int) -> Key:
    return tuple(
        (evaluate_for_player(S, one.value, seat), one.is_highest_first)
        for one in table.scoring.criteria
        if one.when is None or one.when(S)
    )


def evaluate_for_player(S: Slots, value: Run, seat: int) -> Any:
    kept, S[PLAYER] = S[PLAYER], seat
    found = value(S)
    S[PLAYER] = kept
    return found


def compare_keys(one: Key, other: Key) -> int:
    """Positive: the one is better; negative: the other; 0: nothing tells them apart."""
    for (own, is_highest), (theirs, _) in zip(one, other, strict=True):
        if own != theirs:
            return 1 if (own > theirs) is is_highest else -1
    return 0


def expected_result(table: Table, S: Slots) -> str | None:
    result = table.scoring.result
    if result is None:
        return None
    for declared, holds in zip(result.outcomes, table.scoring.outcomes, strict=True):
        if holds(S):
            return declared.word.text
    return result.otherwise.text


# ---- properties


@frozen
class BrokenProperty:
    """A property that did not hold, the position where, and what its parts were worth there."""

    title: str
    span: Span
    state: State
    values: tuple[ExplainedValue, ...]


@define(eq=False)
class PropertyGuard:
    """Watches one game after the other."""

    table: Table
    broken: dict[str, BrokenProperty] = field(init=False, factory=dict)
    happened: set[str] = field(init=False, factory=set)
    _always: list[tuple[JudgedProperty, Run, bool]] = field(init=False, factory=list)
    _possible: list[tuple[JudgedProperty, Run]] = field(init=False, factory=list)
    _shares: list[tuple[JudgedProperty, Run]] = field(init=False, factory=list)
    _bounds: list[tuple[JudgedProperty, int]] = field(init=False, factory=list)
    _decisions: int = field(init=False, default=0)
    _turns: int = field(init=False, default=0)
    # for every kind of component the places that hold them one by one, those that may hold unordered parts, the amount
    _components: list[tuple[Kinds, list[int], list[int], int]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        bench = self.table.bench
        for one in self.table.watches.properties:
            declared, run = one.declaration, one.code.run
            if declared.word in {"always", "never"}:
                self._always.append((one, run, declared.word == "always"))
            elif declared.word == "can happen":
                self._possible.append((one, run))
            if declared.share is not None:
                self._shares.append((one, run))
            if declared.bound is not None:
                self._bounds.append((one, bench.constant_number(declared.bound)))
        piles = [room for room in bench.zones.values() if room.is_shuffled]
        shuffled = {slot for room in piles for slot in range(room.base, room.base + room.amount)}
        for kinds in bench.kinds.values():
            slots = all_zone_slots(bench, kinds)
            plain, in_parts = [one for one in slots if one not in shuffled], [one for one in slots if one in shuffled]
            self._components.append((kinds, plain, in_parts, sum(kinds.copies)))

    def leave_out_properties(self, properties: Collection[Located]) -> None:
        """Does not look at these."""
        self._always = [entry for entry in self._always if entry[0].declaration not in properties]
        self._possible = [entry for entry in self._possible if entry[0].declaration not in properties]
        self._bounds = [entry for entry in self._bounds if entry[0].declaration not in properties]

    def begin_game(self) -> None:
        self.broken, self.happened = {}, set()
        self._decisions = self._turns = 0

    def check_position(self, S: Slots, at_end: bool = False) -> None:
        """At every decision and at the end."""
        ask = self.table.evaluate
        for judged, run, expected in self._always:
            declaration = judged.declaration
            if bool(ask(run, S, declaration)) is not expected and declaration.title not in self.broken:
                self.add_broken(judged, self.table.to_state(S))
        for judged, run in self._possible:
            declaration = judged.declaration
            if declaration.title not in self.happened and ask(run, S, declaration):
                self.happened.add(declaration.title)
        for kinds, plain, in_parts, amount in self._components:
            found = sum([len(S[slot]) for slot in plain]) + sum([count_components(S[slot]) for slot in in_parts])
            if found != amount or (at_end and has_changed_components(S, kinds, plain + in_parts)):
                self.add_lost_components(kinds, self.table.to_state(S))
        if S[EVENTS]:
            self.note_events(S[EVENTS])
            S[EVENTS].clear()
        self._decisions += not at_end
        if self._bounds:
            self.check_game_length(S)
        if at_end:
            self.judge_places(S)
        if at_end and self._shares:
            shares = ((judged.declaration, run) for judged, run in self._shares)
            self.happened.update(one.title for one, run in shares if ask(run, S, one))

    def check_game_length(self, S: Slots) -> None:
        """How long the game has been going on."""
        lengths = {"turns": self._turns, "rounds": S[ROUND], "decisions": self._decisions}
        for judged, most in self._bounds:
            declaration = judged.declaration
            if lengths[declaration.moment or "decisions"] > most and declaration.title not in self.broken:
                self.add_broken(judged, self.table.to_state(S))

    def note_events(self, events: list[tuple[Any, ...]]) -> None:
        for event in events:
            self._turns += event[0] == "turn"
            if event[0] == "broken" and event[1].declaration.title not in self.broken:
                self.add_broken(event[1], self.table.to_state(event[2]))

    def add_broken(self, judged: JudgedProperty, state: State) -> None:
        declaration = judged.declaration
        values = explain_expression(self.table, state, declaration.condition)
        self.broken[declaration.title] = BrokenProperty(declaration.title, declaration.span, state, values)

    def add_lost_components(self, kinds: Kinds, state: State) -> None:
        title = f"no {kinds.declaration.name.text} appears or vanishes"
        self.broken.setdefault(title, BrokenProperty(title, kinds.declaration.span, state, ()))

    def judge_places(self, S: Slots) -> None:
        wrong = find_disagreement(self.table, S)
        if wrong is not None:
            where = self.table.scoring.ranking or self.table.program.game
            told = (ExplainedValue(where.span, wrong, wrong),)
            self.broken.setdefault(AGREE, BrokenProperty(AGREE, where.span, self.table.to_state(S), told))

    def add_to_results(self, number: int, found: SimulationResult) -> None:
        """Adds what this game showed to what all have shown."""
        for title, broken in self.broken.items():
            found.broken_games[title] += 1
            if found.broken_games[title] == 1:
                found.broken.append((number, broken))
        found.happened.update(self.happened)


def has_changed_components(S: Slots, kinds: Kinds, slots: list[int]) -> bool:
    """Whether there are others, or more or fewer of a kind, than at the beginning."""
    counted = Counter(kind for slot in slots for kind in flatten_content(S[slot]))
    return any(counted[kind] != copies for kind, copies in enumerate(kinds.copies))


# ---- shares
# How often something happened in games played at random: takes counts, gives the share and its 95 % interval.


NORMAL_95 = 1.959963984540054


@frozen
class Share:
    """`count` of `games`. The interval is Wilson's: sound for small counts, and for none at all."""

    count: int
    games: int

    @property
    def value(self) -> float:
        return self.count / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.count, self.games)


def wilson_interval(count: float, games: float, z: float = NORMAL_95) -> tuple[float, float]:
    """The bounds of a share; a game may count in part, which never widens its spread."""
    if not games:
        return 0.0, 1.0
    p = count / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    low = 0.0 if count == 0 else max(middle - half, 0.0)
    return low, 1.0 if count == games else min(middle + half, 1.0)
