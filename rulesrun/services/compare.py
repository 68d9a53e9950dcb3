"""A rulebook and a variant of it, compared: what is said otherwise, what that changes in play, what fails now."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.variants.differences import Differences, changes_knowledge_only, find_differences
from rulesrun.files.checkpoints import KeptSums, open_kept_sums
from rulesrun.files.loading import Reading
from rulesrun.interpreter.assess.intervals import estimate_paired_difference, estimate_share_of_wins
from rulesrun.interpreter.assess.plan import NATIVE, PILOT, price_of_choices
from rulesrun.interpreter.assess.played_games import PlayedGame, is_played_together
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.pairs import (
    Effect,
    compute_effects,
    pairs_from_json,
    pairs_to_json,
    select_clear_effects,
)
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS, play_game, random_picker
from rulesrun.interpreter.play.step import PlayerDecision
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.endless import GoingOn
from rulesrun.run.bot_engines import try_compile_think
from rulesrun.run.bot_games import GamesOrder, play_ordered_games
from rulesrun.run.engine_choice import QUICKLY, is_compiler_installed
from rulesrun.run.measure_engines import ChangeoverDuel
from rulesrun.run.pair_ranges import PairOrder, add_pairs, play_parts
from rulesrun.run.ranges import Crew, CrewLost, make_order
from rulesrun.run.seats import make_bots
from rulesrun.services.measure import job_count_for_bots, make_crew
from rulesrun.services.tables import seat_all
from rulesrun.services.unfinished_games import is_fault
from rulesrun.terminal.output import print_error
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import CompareRequest
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.run.cluster import ClusterCrew

THINKING_DEALS, LONG = 40, 8  # deals, seconds: for less, processes would hardly have started
SECONDS = 20
RANDOM_PART = 0.35  # of the time, for random players; the rest is for good ones
GOOD_PLAYER, GOOD_SEARCH = "mcts:100", 100
GOOD_DEALS, MOST_GOOD_DEALS = 40, 100  # with `--games`: the more the shorter the games are
NATIVE_WORK = 4e6  # in microseconds, for that
FEWEST_GOOD_DEALS = 16
REFERENCE_WORK = 60e6  # in microseconds of a usual machine, of both cores: for good players without machine code
HOPELESS = 0.05  # of the games
GOOD_LIMIT = 3000  # decisions of a game in which somebody thinks about each
DUEL_PART = 0.75  # of the time for good players; the rest is for good ones among random ones
SKILL_DEALS, SKILL_GAMES_ASKED, SKILL_CHUNK = 200, 20, 4
PILOT_SEED = 0x9107  # so that the games of the plan are none of those that count
PATIENCE = 20.0  # seconds for which players that think are waited for once more


@define(eq=False)
class ComparedTable:
    """At tables of one size. `clear`: the effects that are certain, the clearest first."""

    duel: Duel
    found: list[Effect] = field(factory=list)
    clear: list[Effect] = field(factory=list)
    continued: int = 0  # deals that were there from an earlier run
    going_on: tuple[GoingOn | None, GoingOn | None] = (None, None)  # of games that were not over after very long

    @property
    def stuck(self) -> tuple[int, int]:
        """Games of the base and of the variant that got stuck; those that were only long have a word of their own."""
        stuck, long = self.duel.pairs.stuck, self.duel.pairs.long
        return stuck[0] - long[0], stuck[1] - long[1]

    @property
    def has_faults(self) -> bool:
        """Whether games got stuck, or went on and on and nobody knows that they only may."""
        long = zip(self.duel.pairs.long, self.going_on, strict=True)
        return any(self.stuck) or any(games and is_fault(found) for games, found in long)

    @property
    def is_hopeless(self) -> bool:
        """Whether many games do not come to their end. A few that get stuck are left out, by whoever plays."""
        return max(self.duel.pairs.stuck) > HOPELESS * self.duel.pairs.games

    @property
    def players(self) -> int:
        return self.duel.left.players


@frozen
class SkillChange:
    """How often one good player among random ones wins: with the base, with the variant; the difference on the same
    deals."""

    players: int
    base: Estimate
    variant: Estimate
    difference: Estimate


@frozen
class GoodPlan:
    """Who plays how many deals; nobody where even the weakest player would be too much work. `deals`: None: as the time
    allows."""

    player: str
    deals: int | None
    is_reduced: bool = False


@define(eq=False)
class Comparison:
    base: Reading
    variant: Reading
    words: Differences
    tables: list[ComparedTable] = field(factory=list)
    good_player: str = ""  # who judges beside random players
    is_reduced: bool = False  # without machine code good players look less far, play fewer deals, or are not asked
    good: list[ComparedTable] = field(factory=list)  # the same tables, by good players
    skill: list[SkillChange] = field(factory=list)
    is_knowledge_only: bool = False  # it changes what players see alone: random ones play alike
    failing_examples: list[str] = field(factory=list)  # that hold in the base
    broken: list[str] = field(factory=list)  # properties that hold in the base
    engine: str = "reference"
    seconds: float = 0.0
    is_partial: bool = False
    advice: str = ""  # how an interrupted run can go on

    @property
    def players(self) -> list[int]:
        """Tables of which sizes were looked at."""
        return sorted({one.players for one in (*self.tables, *self.good)})

    @property
    def games(self) -> int:
        """Of this run and of earlier ones."""
        duels = sum(2 * one.duel.pairs.games for one in (*self.tables, *self.good))
        return duels + sum(2 * one.players * one.difference.games for one in self.skill)

    @property
    def holds(self) -> bool:
        has_faults = any(one.has_faults for one in (*self.tables, *self.good))
        return not (self.failing_examples or self.broken or has_faults)


def compare_variants(base: Reading, variants: Sequence[Reading], request: CompareRequest) -> Iterator[Comparison]:
    """One after the other, each with its part of the time; the first that is interrupted is the last."""
    seconds = (request.seconds or SECONDS) / len(variants)
    kept = open_kept_sums(request, "comparisons", base)
    jobs = job_count_for_bots(request, THINKING_DEALS) if seconds >= LONG else 1
    with make_crew(request, jobs) as crew:
        for variant in variants:
            found = compare_rulebooks(base, variant, request, seconds, crew, kept)
            yield found
            if found.is_partial:
                return


def compare_rulebooks(
    base: Reading, variant: Reading, request: CompareRequest, seconds: float, crew: Crew | ClusterCrew, kept: KeptSums
) -> Comparison:
    """Ctrl-C leaves what is known by then, marked as partial."""
    assert base.program is not None
    assert variant.program is not None
    found = Comparison(base, variant, find_differences(base.program.written, variant.program.written))
    found.advice = kept.resume_advice
    written = base.program.written, variant.program.written
    found.is_knowledge_only = request.seats is None and changes_knowledge_only(*written)
    duels = [] if found.is_knowledge_only else make_duels(found, request)
    progress = Progress(variant.name, not (request.json or request.quiet))
    began = monotonic()
    try:
        chance = seconds if request.seats is not None else seconds * RANDOM_PART
        for at, duel in enumerate(duels):
            share = began + chance * (at + 1) / len(duels)
            until = share if request.games is None else float("inf")
            play_duel(found, found.tables, duel, request, until, crew, kept, progress)
        if request.seats is None:
            compare_by_good_players(found, request, began + seconds, progress)
        found.failing_examples = find_newly_failing(base, variant)
        for one in (*found.tables, *found.good):
            one.going_on = one.duel.judge_long_game(0, PATIENCE), one.duel.judge_long_game(1, PATIENCE)
    except KeyboardInterrupt:
        found.is_partial = True
    except CrewLost as lost:
        print_error(message("rulesrun: {lost}; what was played before is told", lost=lost))
        found.is_partial = True
    finally:
        progress.close()
        found.seconds += monotonic() - began
    note_broken(found)
    return found


def compare_by_good_players(
    found: Comparison, request: CompareRequest, until: float, progress: Progress
) -> None:
    """The same deals by players who search, and whether they win as often from random ones. Every table gets a like
    part of the time that is left. Where random games do not come to their end, nobody thinks about them either."""
    plan = plan_good_players(found, request)
    found.is_reduced = plan.is_reduced
    if not plan.player:
        return
    asked = plan.deals
    good = request.but(seats=plan.player, games=asked, engine=None, out=None)
    found.good_player = plan.player
    kept = open_kept_sums(good, "comparisons by good players", found.base)
    duels = [duel for duel in make_duels(found, good) if duel.left.players not in hopeless_tables(found)]
    jobs = request.jobs or (os.cpu_count() or 1 if asked is None or asked >= THINKING_DEALS else 1)
    with Crew(jobs) as crew:
        for at, duel in enumerate(duels):
            now = monotonic()
            if request.games is None and now > until:
                return
            share = float("inf") if request.games is not None else now + (until - now) / (len(duels) - at)
            play_duel(found, found.good, duel, good, now + (share - now) * DUEL_PART, crew, kept, progress)
            found.skill += compare_skill(found, duel, good, crew, share, progress)


def hopeless_tables(found: Comparison) -> set[int]:
    """Where good players are not asked."""
    return {one.players for one in found.tables if one.is_hopeless}


def plan_good_players(found: Comparison, request: CompareRequest) -> GoodPlan:
    """In machine code as the time allows. On the reference the work is counted, not timed, from a few random games."""
    duels = [duel for duel in make_duels(found, request) if duel.left.players not in hopeless_tables(found)]
    tables = [table for duel in duels for table in (duel.left, duel.right)]
    asked = None if request.games is None else min(request.games, GOOD_DEALS)
    if all(can_think_natively(table) for table in tables):
        if request.games is not None and request.games > GOOD_DEALS:
            asked = min(request.games, count_good_deals(tables, request.seed))
        return GoodPlan(GOOD_PLAYER, asked)
    pilots = [count_options(table, request.seed) for table in tables]
    for player, search in ((GOOD_PLAYER, GOOD_SEARCH), ("greedy", 0)):
        price = sum(price_of_choices(options, search) for options in pilots) / PILOT
        deals = int(REFERENCE_WORK * DUEL_PART / max(price, 1.0))
        if deals >= FEWEST_GOOD_DEALS:
            return GoodPlan(player, min(deals, asked or GOOD_DEALS), deals < (asked or GOOD_DEALS) or search == 0)
    return GoodPlan("", 0, True)


def count_good_deals(tables: Sequence[Table], seed: int) -> int:
    """In machine code: of short games more deals than of long ones, for so much work."""
    choices = sum(len(count_options(table, seed, 2)) / 2 for table in tables)
    price = choices * (NATIVE.decision + NATIVE.thought + GOOD_SEARCH * NATIVE.search)
    return max(min(int(NATIVE_WORK / max(price, 1.0)), MOST_GOOD_DEALS), GOOD_DEALS)


def can_think_natively(table: Table) -> bool:
    return is_compiler_installed() and not isinstance(try_compile_think(table, QUICKLY), str)


def count_options(table: Table, seed: int, games: int = PILOT) -> list[int]:
    """At each choice of a few random games."""
    found: list[int] = []
    for number in range(games):
        pick = random_picker(Streams(game_seed(seed ^ PILOT_SEED, number)))
        with suppress(Fault):
            for step in islice(play_game(table, pick), GOOD_LIMIT):
                if isinstance(step.question, PlayerDecision) and len(step.question) > 1:
                    found.append(len(step.question))
    return found


def compare_skill(
    found: Comparison, duel: Duel, request: CompareRequest, crew: Crew, until: float, progress: Progress
) -> list[SkillChange]:
    """One good player among random ones, on the same deals with both rules. Where all win together, nobody is among
    others. The deal at hand when the time is over is left out."""
    players, tables = duel.left.players, (duel.left, duel.right)
    if any(is_played_together(table) for table in tables):
        return []
    sides = [
        make_order(reading, table, request.seed, None, (), "auto")
        for reading, table in zip((found.base, found.variant), tables, strict=True)
    ]
    orders = [
        GamesOrder(side, found.good_player, against="random", until=until, is_hurried=True) for side in sides
    ]
    most = SKILL_DEALS if request.games is None else min(request.games, SKILL_GAMES_ASKED)
    shares: list[tuple[float, float]] = []
    for deal in range(0, most, SKILL_CHUNK):
        ranges = [(number * players, players) for number in range(deal, min(deal + SKILL_CHUNK, most))]
        both = [[played for _, _, played in crew.play_ranges(play_ordered_games, order, ranges)] for order in orders]
        for left, right in zip(*both, strict=True):
            is_whole = len(left) == len(right) == players
            if is_whole and not any(one.stuck for one in (*left, *right)):
                shares.append((mean_share(left), mean_share(right)))
        progress.update(len(shares))
        if monotonic() > until:
            break
    left, right = ([one[at] for one in shares] for at in (0, 1))
    difference = estimate_paired_difference([b - a for a, b in shares], 1.0)
    return [SkillChange(players, estimate_share_of_wins(left), estimate_share_of_wins(right), difference)]


def mean_share(around: Sequence[PlayedGame]) -> float:
    """Of the wins of who sat at the first seat in the first game, at the second in the next."""
    return sum(one.share(seat) for seat, one in enumerate(around, start=1)) / len(around)


def play_duel(
    found: Comparison, tables: list[ComparedTable], duel: Duel, request: CompareRequest, until: float,
    crew: Crew | ClusterCrew, kept: KeptSums, progress: Progress,
) -> None:  # fmt: skip
    """Goes on where an earlier run stopped."""
    name, asked = f"{found.variant.digest}, {duel.left.players} players", request.games
    duel.pairs = kept.read_sums(name, pairs_from_json) or duel.pairs
    one = ComparedTable(duel, continued=duel.pairs.games)
    tables.append(one)
    if duel.bots[0] is not None:
        duel.watchers[1].limit = GOOD_LIMIT
    here = make_changeover_duel(duel, request, crew, asked, until)
    try:
        order = make_pair_order(found, duel, request)
        played = play_parts(crew, order, duel, asked, here)
        add_pairs(duel, played, until, progress, lambda: kept.note_sums(name, lambda: pairs_to_json(duel.pairs)))
    finally:
        found.seconds -= here.choice.compiling
        found.engine = here.name if here.native is not None else found.engine
        judge_effects(one)
        kept.note_sums(name, lambda: pairs_to_json(duel.pairs), now=True)


def make_duels(found: Comparison, request: CompareRequest) -> list[Duel]:
    """Every number of players that both allow."""
    unknown = request.settings.keys() - option_names(found.base) - option_names(found.variant)
    if unknown:
        raise Trouble(message("neither rulebook has an option `{name}`", name=min(unknown)))
    left, right = (tables_by_players(one, request) for one in (found.base, found.variant))
    counts = [players for players in left if players in right]
    if not counts:
        raise Trouble(
            message(
                "{base} and {variant} are for different numbers of players",
                base=found.base.name,
                variant=found.variant.name,
            )
        )
    back = {new: old for old, new in found.words.renamed.items()}
    seed, seats = request.seed, request.seats
    return [
        Duel(left[n], right[n], seed, back, (make_bots(seats, left[n]), make_bots(seats, right[n]))) for n in counts
    ]


def make_changeover_duel(
    duel: Duel, request: CompareRequest, crew: Crew | ClusterCrew, deals: int | None, until: float
) -> ChangeoverDuel:
    """On a cluster, the reference plays."""
    engine = request.engine or "auto"
    if not isinstance(crew, Crew):
        return ChangeoverDuel(duel, "reference", deals, until)
    return ChangeoverDuel(duel, engine, deals, until, request.jobs or os.cpu_count() or 1)


def make_pair_order(found: Comparison, duel: Duel, request: CompareRequest) -> PairOrder:
    seats = request.seats
    left, right = (
        make_order(reading, table, duel.seed, seats, ())
        for reading, table in ((found.base, duel.left), (found.variant, duel.right))
    )
    limit = MOST_DECISIONS if duel.bots[0] is None else GOOD_LIMIT
    return PairOrder(left, right, tuple(sorted(duel.back.items())), limit)


def tables_by_players(reading: Reading, request: CompareRequest) -> dict[int, Table]:
    """An option is set in the rules that have it."""
    known = option_names(reading)
    settings = {name: value for name, value in request.settings.items() if name in known}
    return {table.players: table for table in seat_all(reading, request.but(settings=settings)).tables}


def option_names(reading: Reading) -> set[str]:
    assert reading.program is not None
    return {piece.name.text for piece in reading.program.game.options}


def judge_effects(one: ComparedTable) -> None:
    if one.duel.pairs.finished > 1:
        one.found = compute_effects(one.duel.pairs, one.duel.list_figures(), one.players)
        one.clear = select_clear_effects(one.found)


def find_newly_failing(base: Reading, variant: Reading) -> list[str]:
    failed = []
    for reading in (base, variant):
        assert reading.program is not None
        results = ExampleRunner(reading.program).run_all()
        failed.append([one.example.title for one in results if one.verdict == "failed"])
    return [title for title in failed[1] if title not in failed[0]]


def note_broken(found: Comparison) -> None:
    for one in (*found.tables, *found.good):
        left, right = one.duel.pairs.left.broken, one.duel.pairs.right.broken
        found.broken += [title for title in right if title not in left and title not in found.broken]
