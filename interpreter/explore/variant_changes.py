"""What a house rule says otherwise than its base, and whether a small table has anything of it.

A small table of which every position was looked at proves nothing of a definition that it never asks for, of an entry
that it never looks up, of a range whose new end it never comes to, of a kind that it replaces by a smaller one, of a
condition that comes to the same there as the one of the base, of a line that the base would not follow there. What is
reached is what some random games there have met; of the rest nothing is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from attrs import define, field

from rulesrun.dsl.contents.rule_changes import BothAsked, ChangedPiece, Comparison, Demand, NewRange, RuleChanges
from rulesrun.dsl.contents.rule_parts import FIXED
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.coverage.coverage import CoverageNotes
from rulesrun.interpreter.explore.never_happened import NeverHappened, play_at_random
from rulesrun.interpreter.model.domains import list_values
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import Fault, RefusedTable, Slots
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.table import Table

GAMES = 200
MOST_DECISIONS = 6_000  # of all these games together


def changed_and_not_reached(changes: RuleChanges, tables: Collection[Table]) -> tuple[NeverHappened, ...]:
    """What the game says otherwise than its base, and none of these tables has met or tells from what the base says."""
    missing: dict[tuple[str, str], NeverHappened] | None = None
    for table in tables:
        here = {(one.kind, one.name): one for one in Meeting(table, changes).list_missing()}
        missing = here if missing is None else {key: one for key, one in missing.items() if key in here}
    unmet = tuple((missing or {}).values())
    met = [one for one in changes.list_worded_otherwise() if not any(contains(one.span, each.span) for each in unmet)]
    untold = (one for piece in met for one in find_untold_changes(changes, piece, tables))
    return (*unmet, *untold, *find_unreached_removals(changes, tables))


def contains(whole: Span, part: Span) -> bool:
    return whole.file == part.file and whole.start <= part.start and part.end <= whole.end


# ---- what is met


@define(eq=False)
class Meeting:
    """Random games at one table, and what they meet."""

    table: Table
    changes: RuleChanges
    notes: CoverageNotes = field(init=False)
    values: dict[int, set[Any]] = field(init=False, factory=dict)  # by slot
    ends: int = field(init=False, default=0)

    def list_missing(self) -> list[NeverHappened]:
        program = self.table.program
        self.play(self.changes.list_roles(program))
        demands = self.changes.list_demands(program)
        return [NeverHappened(one.kind, one.name, one.span) for one in demands if not self.is_met(one)]

    def play(self, roles: dict[int, str]) -> None:
        self.notes = CoverageNotes(roles)
        table = self.notes.set_up_table(self.table.program, self.table.players, self.table.options)
        ways, chance, left = Successors(table), Random(0), MOST_DECISIONS
        self.values = {slot: set() for slot in range(len(table.blank))}
        for _ in range(GAMES):
            game = play_at_random(ways, chance, left, self.note_values)
            left -= game.decisions + (game.is_over is None)
            if left <= 0:
                break

    def note_values(self, S: Slots, is_over: bool) -> None:
        self.ends += is_over
        for slot, seen in self.values.items():
            seen.add(S[slot])

    def is_met(self, demand: Demand) -> bool:
        if not demand.is_possible or (demand.needs_end and not self.ends):
            return False
        reached = self.notes.done | self.notes.true | self.notes.false
        return (
            all(part in reached for part in demand.parts)
            and (demand.variable is None or self.comes_to_new_ends(demand.variable))
            and (demand.used_zone is None or self.is_used(demand.used_zone))
        )

    def comes_to_new_ends(self, new: NewRange) -> bool:
        room = self.table.bench.variables[new.variable]
        seen = set().union(*(self.values[room.base + number] for number in range(room.amount)))
        if room.low is None or room.high is None:
            return set(list_values(self.table.bench, room.declaration.type)) <= seen
        ends = {room.low, room.high}
        ends -= {room.low} if not new.is_low_new else set()
        ends -= {room.high} if not new.is_high_new else set()
        return ends <= seen

    def is_used(self, zone: int) -> bool:
        """Whether anything has ever lain there."""
        room = self.table.bench.zones[zone]
        slots = range(room.base, room.base + room.amount)
        return any(flatten_content(content) for slot in slots for content in self.values[slot])


# ---- what is worded otherwise


def find_untold_changes(
    changes: RuleChanges, piece: ChangedPiece, tables: Collection[Table]
) -> Iterator[NeverHappened]:
    """Where it is worded otherwise, and comes to the same at all these tables."""
    compared = [(table, changes.compare_at(table.program, piece)) for table in tables]
    there = [(table, found) for table, found in compared if found is not None]
    if piece.is_definition and not there:
        return
    told: set[int] = set()
    for table, found in there:
        for one in found:
            if one.number not in told and can_tell_apart(table, one):
                told.add(one.number)
    for number, span in enumerate(piece.changes):
        if number not in told:
            yield NeverHappened("change", piece.title, span)


def can_tell_apart(table: Table, compared: Comparison) -> bool:
    """Whether the two ever have another value where the new one is asked for."""
    both = compared.ask_both()
    if both is not None:
        return is_ever_different(table, both)
    return any(can_tell_apart(table, part) for part in compared.split())


def is_ever_different(table: Table, both: BothAsked) -> bool:
    notes = CoverageNotes({id(both.question): FIXED})
    try:
        ways = Successors(notes.set_up_table(both.program, table.players, table.options))
    except (Fault, RefusedTable):
        return False
    chance, left = Random(0), MOST_DECISIONS
    for _ in range(GAMES):
        if notes.false or any(not holds for one in notes.fixed for holds in one.values()):
            return True
        game = play_at_random(ways, chance, left)
        left -= game.decisions + (game.is_over is None)
        if left <= 0:
            break
    return bool(notes.false)


# ---- what is left out


def find_unreached_removals(changes: RuleChanges, tables: Collection[Table]) -> Iterator[NeverHappened]:
    """What the base says and the game does not, and the base follows at none of these tables."""
    left = {one.span for one in changes.removed}
    for table in tables:
        if left:
            followed = spans_followed(table, changes)
            left -= {one.span for one in changes.removed if one.node.span in followed}
    yield from (NeverHappened("removed", one.what, one.span) for one in changes.removed if one.span in left)


def spans_followed(table: Table, changes: RuleChanges) -> set[Span]:
    """What random games of the base follow at this table. Where it cannot be set up there, nothing is known."""
    base = changes.make_small_base(table.program)
    if base is None:
        return set()
    notes = CoverageNotes(base.roles)
    try:
        settings = base.choose_options(table.options)
        ends = play_random_games(Successors(notes.set_up_table(base.program, table.players, settings)))
    except (Fault, RefusedTable):
        return set()
    met = {base.parts[node] for node in notes.done | notes.true | notes.false if node in base.parts}
    return met | {*base.endings} if ends else met


def play_random_games(ways: Successors) -> int:
    """How many came to their end."""
    chance, left, ends = Random(0), MOST_DECISIONS, 0
    for _ in range(GAMES):
        game = play_at_random(ways, chance, left)
        ends += bool(game.is_over)
        left -= game.decisions + (game.is_over is None)
        if left <= 0:
            break
    return ends
