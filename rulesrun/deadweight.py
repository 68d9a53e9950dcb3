"""Dead weight: a rulebook in, for each of its rules what changes without it, played on the same deals."""

from __future__ import annotations

from collections import Counter
from time import monotonic

from attrs import define, field

from rulesrun.arguments import Request
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.paired import Effect, clear_effects, effects
from rulesrun.interpreter.measuring.fixed_conditions import Asked
from rulesrun.interpreter.measuring.suspects import Suspect, suspects
from rulesrun.interpreter.measuring.totals import Totals
from rulesrun.interpreter.measuring.watching import Watcher
from rulesrun.interpreter.random import Streams, game_seed
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import Fault, RefusedTable
from rulesrun.loading import Reading
from rulesrun.progress import Progress
from rulesrun.seats import bots_of
from rulesrun.tables import seat_all

SECONDS = 30
LOOKED = 4  # of the time, one part of so many goes into looking which conditions are ever met


@define(eq=False)
class Weighed:
    """One rule. `met`, `unmet`: games in which the condition was true, was false at some time."""

    suspect: Suspect
    met: int = 0
    unmet: int = 0
    duel: Duel | None = None
    clear: list[Effect] = field(factory=list)
    refused: str = ""
    is_decided: bool = False  # by the options: then the options are what to ask about

    @property
    def is_never_met(self) -> bool:
        """It was never what it is not without the rule: then nothing can change."""
        return self.suspect.is_condition and not (self.unmet if self.suspect.value else self.met)

    @property
    def verdict(self) -> str:
        if self.is_decided:
            return "decided by options"
        if self.refused:
            return "refused"
        if self.is_never_met:
            return "never met"
        if self.duel is None or not self.duel.pairs.games:
            return "not played"
        pairs = self.duel.pairs
        if pairs.stuck[1] > pairs.stuck[0]:
            return "needed"
        if not pairs.differing:
            return "no difference"
        return "effect" if self.clear else "no measurable effect"


@define(eq=False)
class Weighing:
    reading: Reading
    table: Table
    games: int = 0  # in which it was looked what is met
    totals: Totals = field(factory=Totals)
    weighed: list[Weighed] = field(factory=list)
    seconds: float = 0.0
    is_partial: bool = False

    @property
    def all_games(self) -> int:
        return self.games + sum(2 * one.duel.pairs.games for one in self.weighed if one.duel is not None)


def weigh(reading: Reading, request: Request) -> Weighing:
    """At the smallest table asked for. Ctrl-C leaves what is known by then."""
    assert reading.program is not None
    table = seat_all(reading, request).tables[0]
    found = Weighing(reading, table, weighed=[Weighed(one) for one in suspects(reading.program, table)])
    progress = Progress(reading.name, not (request.json or request.quiet))
    began = monotonic()
    asked = request.number("games")
    seconds = float("inf") if asked is not None else request.number("seconds") or SECONDS
    try:
        look(found, request, began + seconds / LOOKED, asked, progress)
        left = [one for one in found.weighed if not (one.is_never_met or one.is_decided)]
        for at, one in enumerate(left):
            now = monotonic()
            until = now + max(began + seconds - now, 0.0) / (len(left) - at)
            without(found, one, request, until, asked, progress)
    except KeyboardInterrupt:
        found.is_partial = True
    finally:
        progress.close()
        found.seconds = monotonic() - began
    return found


def look(found: Weighing, request: Request, until: float, games: int | None, progress: Progress) -> None:
    """Which conditions are ever true, ever false; how often everything is used."""
    program = found.reading.program
    assert program is not None
    by_node = {id(one.suspect.node): one for one in found.weighed if one.suspect.is_condition}
    notes = Asked(set(by_node))
    table = set_up(program, found.table.players, found.table.options, notes)
    watcher = Watcher(table, bots=bots_of(request.text("seats"), table))
    seed = request.number("seed") or 0
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    while (games is None or found.games < games) and (found.games == 0 or monotonic() < until):
        notes.true.clear()
        notes.false.clear()
        found.totals.add(watcher.play(Streams(game_seed(seed, found.games)), found.games))
        counts[0].update(notes.true)
        counts[1].update(notes.false)
        found.games += 1
        progress.tell(found.games)
    for node, one in by_node.items():
        one.met, one.unmet, one.is_decided = counts[0][node], counts[1][node], node in notes.decided


def without(
    found: Weighing, one: Weighed, request: Request, until: float, games: int | None, progress: Progress
) -> None:
    """The same deals with the rule and without it."""
    program, table = found.reading.program, found.table
    assert program is not None
    try:
        other = one.suspect.table(program, table.players, table.options)
    except (RefusedTable, Fault) as refusal:
        one.refused = str(refusal)
        return
    seats = request.text("seats")
    bots = bots_of(seats, table), bots_of(seats, other)
    duel = one.duel = Duel(table, other, request.number("seed") or 0, bots=bots)
    while (games is None or duel.pairs.games < games) and (duel.pairs.games == 0 or monotonic() < until):
        duel.play(duel.pairs.games)
        progress.tell(found.all_games)
    if duel.pairs.finished > 1:
        one.clear = clear_effects(effects(duel.pairs, duel.keys(), table.players))
