"""Symmetries that no reading of the rules would show: takes everything that was explored, tries exchanges on all of it.

An exchange of rows, of columns, of seats is a symmetry when every position becomes a position, and what follows
the one becomes what follows the other. That is looked at for each position, so it is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.explore.findings import fill_in_keys
from rulesrun.interpreter.model.values import PC, PLACES, PLAYER, SHEETS, STARTER
from rulesrun.interpreter.play.position_keys import Key
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import EachMap, Relabelling, SheetMap, SortedMap, ValueMap
from rulesrun.interpreter.symmetry.renaming import NotAlike, PositionRenaming
from rulesrun.interpreter.symmetry.symmetric_places import list_candidate_exchanges

MOST_TRIED = 60_000


@frozen(eq=False)
class SymmetryCandidate:
    """`from_choice`: chance may name the seats, as in dealing to one after the other; choices and ends are compared."""

    says: str
    relabelling: Relabelling
    from_choice: bool = False


@frozen
class ProvedSymmetries:
    """The exchanges that are symmetries, and how many positions are left when they are taken to be the same."""

    says: tuple[str, ...]
    positions: int
    from_choice: bool  # positions of choices and ends alone


def find_observed_symmetries(found: Explored) -> tuple[ProvedSymmetries, ...]:
    """Only where everything was looked at and nothing merged."""
    if not found.is_complete or found.group.members or found.size > MOST_TRIED or found.findings:
        return ()
    fill_in_keys(found)
    trial = SymmetryTrial(found)
    proved = []
    for from_choice, candidates in ((False, place_candidates(found.table)), (True, seat_candidates(found.table))):
        good = [(one, moves) for one in candidates if (moves := trial.map_positions(one)) is not None]
        good = [(one, moves) for one, moves in good if any(at != to for at, to in moves.items())]
        if good:
            amount = count_orbits([moves for _, moves in good], trial.compared_positions(from_choice))
            proved.append(ProvedSymmetries(tuple(one.says for one, _ in good), amount, from_choice))
    return tuple(proved)


def count_orbits(exchanges: list[dict[int, int]], positions: Sequence[int]) -> int:
    """How many positions are left when those that an exchange makes of each other are one."""
    first = {number: number for number in positions}

    def root(number: int) -> int:
        while first[number] != number:
            first[number] = first[first[number]]
            number = first[number]
        return number

    for moves in exchanges:
        for number, becomes in moves.items():
            first[root(number)] = root(becomes)
    return sum(first[number] == number for number in positions)


@define(eq=False)
class SymmetryTrial:
    found: Explored
    index: dict[Key, int] = field(init=False)
    chances: set[int] = field(init=False)
    after_chance: dict[int, frozenset[int]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.index = {key: number for number, key in enumerate(self.found.keys)}
        waits = self.found.table.waits
        self.chances = {
            number for number in range(self.found.size) if isinstance(waits[self.slots_of(number)[PC]], ChanceWait)
        }

    def slots_of(self, number: int) -> list[Any]:
        return self.found.positions.slots_of_key(self.found.keys[number])

    def compared_positions(self, from_choice: bool) -> list[int]:
        return [number for number in range(self.found.size) if not (from_choice and number in self.chances)]

    def map_positions(self, candidate: SymmetryCandidate) -> dict[int, int] | None:
        """What each position becomes; None when it is no symmetry."""
        moves: dict[int, int] = {}
        for number in self.compared_positions(candidate.from_choice):
            becomes = self.index.get(self.found.positions.key_of(candidate.relabelling.relabel(self.slots_of(number))))
            if becomes is None or (becomes in self.found.ended) != (number in self.found.ended):
                return None
            moves[number] = becomes
        is_kept = self.has_same_next_choices if candidate.from_choice else self.has_same_successors
        return moves if all(is_kept(number, moves) for number in moves) else None

    def has_same_successors(self, number: int, moves: dict[int, int]) -> bool:
        following = sorted([moves[one] for one in self.found.successors_of(number)])
        return following == sorted(self.found.successors_of(moves[number]))

    def has_same_next_choices(self, number: int, moves: dict[int, int]) -> bool:
        following = {moves[one] for one in self.next_choices(number)}
        return following == self.next_choices(moves[number])

    def next_choices(self, number: int) -> frozenset[int]:
        """The choices and ends that follow, whatever chance does in between."""
        found: set[int] = set()
        for one in self.found.successors_of(number):
            found.update(self.choices_after_chance(one))
        return frozenset(found)

    def choices_after_chance(self, number: int) -> frozenset[int]:
        waiting = [number]
        while waiting:
            one = waiting[-1]
            following = list(self.found.successors_of(one)) if one in self.chances else []
            open_ones = [each for each in following if each in self.chances and each not in self.after_chance]
            if open_ones and not set(open_ones) & set(waiting):
                waiting.extend(open_ones)
                continue
            waiting.pop()
            known = (self.after_chance.get(each, frozenset((each,))) for each in following)
            self.after_chance[one] = frozenset().union(*known) if following else frozenset((one,))
        return self.after_chance[number]


def place_candidates(table: Table) -> Iterator[SymmetryCandidate]:
    """Also those that reading the rules does not prove."""
    return (SymmetryCandidate(one.says, one.relabelling) for one in list_candidate_exchanges(table))


# ---- seats


def seat_candidates(table: Table) -> Iterator[SymmetryCandidate]:
    players = table.players
    if players < 2:
        return
    around = (0, *(player % players + 1 for player in range(1, players + 1)))
    yield from make_seat_candidates(table, around, message("all players move on by one seat"))
    for one in range(1, players) if players > 2 else ():
        swapped = list(range(players + 1))
        swapped[one], swapped[one + 1] = one + 1, one
        yield from make_seat_candidates(
            table, tuple(swapped), message("players {first} and {second} change seats", first=one, second=one + 1)
        )


def make_seat_candidates(table: Table, seats: tuple[int, ...], says: str) -> Iterator[SymmetryCandidate]:
    try:
        whole = PositionRenaming(table, {}, seats).make_relabelling()
    except NotAlike:
        return
    changes = list(whole.changes)
    changes[SHEETS], changes[PLACES] = SheetMap(seats), EachMap(SortedMap(ValueMap(seats)))
    yield SymmetryCandidate(says, Relabelling(whole.sources, tuple(changes)), from_choice=True)
    for slot in (PLAYER, STARTER, *turn_registers(table)):
        changes[slot] = ValueMap(seats)
    yield SymmetryCandidate(says, Relabelling(whole.sources, tuple(changes)), from_choice=True)


def turn_registers(table: Table) -> list[int]:
    """Whose turn it is in a phase, who is left out, who was asked before."""
    turns = [one.slots for one in table.phases.values() if one.slots is not None]
    return [slot for one in turns for slot in (one.seat, one.excluded, one.before)]
