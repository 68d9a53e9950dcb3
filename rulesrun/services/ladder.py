"""Does thinking pay, how fast, and does one naive habit win? A reading and a request in, a ladder of bots out."""

from __future__ import annotations

from time import monotonic, perf_counter

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.checkpoints import open_kept_sums
from rulesrun.files.loading import Reading
from rulesrun.interpreter.bots.bot import Bot, FirstBot, HabitBot, RandomBot
from rulesrun.interpreter.bots.bot_names import NoSuchBot, parse_search_bot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.measure.ladder import Rung
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.exploitability import (
    FEWEST_TRIES,
    MOST_TRIES,
    Exploitability,
    ExploitabilityMeter,
)
from rulesrun.run.bot_engines import compile_think_now, has_thought_natively, make_think
from rulesrun.run.bot_games import LadderPlayer
from rulesrun.run.ranges import Crew, make_order
from rulesrun.services.tables import seat_one
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import LadderRequest
from rulesrun.terminal.trouble import WrongUse

SECONDS = 120
MOST_BUDGETS = 8
BUDGETS = ("25", "200", "2000")
GAMES = 40
EXPLOITED_NODES = 20_000
EXPLOITED_GAMES = 2_400_000  # of search, to learn how a bot chooses


@frozen
class ExploitedBot:
    """What a best response wins from a bot; `found` is None where that was more work than is allowed."""

    bot: Bot
    found: Exploitability | None


@define(eq=False)
class Ladder:
    """Who is better than whom at one table."""

    reading: Reading
    table: Table
    thinking: list[Rung]
    habits: list[Rung]
    exploited: list[ExploitedBot] = field(factory=list)  # of a small game of two players
    engine: str = "reference"
    seconds: float = 0.0
    is_interrupted: bool = False
    resume_advice: str = ""

    @property
    def rungs(self) -> list[Rung]:
        return [*self.thinking, *self.habits]

    @property
    def games(self) -> int:
        return sum(rung.games for rung in self.rungs)

    @property
    def is_partial(self) -> bool:
        return self.is_interrupted or any(not rung.is_done for rung in self.rungs)


def climb_ladder(reading: Reading, request: LadderRequest) -> Ladder:
    """Ctrl-C leaves what is known by then."""
    table = seat_one(reading, request)
    engine, jobs = request.engine or "auto", request.jobs or 1
    think = make_think(table, engine)
    if jobs == 1:
        compile_think_now(think)
    found = Ladder(reading, table, *make_rungs(table, parse_budgets(request.budget), request.games or GAMES, think))
    kept = open_kept_sums(request, f"ladder, {table.players} players", reading)
    began = perf_counter()
    order = make_order(reading, table, request.seed, None, ())
    with Crew(jobs) as crew:
        player = LadderPlayer(table, order, engine, crew, kept)
        found.is_interrupted = _play_rungs(player, found.rungs, request)
    if not found.is_interrupted:
        try:
            found.exploited = exploit_bots(table, [rung.player for rung in found.rungs], request.seconds or SECONDS)
        except KeyboardInterrupt:
            found.is_interrupted = True
    found.seconds, found.resume_advice = perf_counter() - began, kept.resume_advice
    found.engine = "native" if has_thought_natively(think) or player.has_compiled else "reference"
    return found


def exploit_bots(table: Table, bots: list[Bot], seconds: float) -> list[ExploitedBot]:
    """Each kind once, random players first, in an eighth of the time more; nothing where the game is not small, can
    get stuck, or one does not win what the other loses."""
    try:
        meter = ExploitabilityMeter.of_table(table, EXPLOITED_NODES)
    except (NoAnswer, Fault):
        return []
    kinds = {bot.name: bot for bot in (RandomBot(), *bots)}
    until = monotonic() + seconds / 8
    return [ExploitedBot(bot, exploit_bot(meter, bot, until)) for bot in kinds.values()]


def exploit_bot(meter: ExploitabilityMeter, bot: Bot, until: float) -> Exploitability | None:
    """Asked as often as the work of its search allows."""
    tries = MOST_TRIES
    if isinstance(bot, MctsBot):
        if bot.games is None:
            return None  # who has a time may choose otherwise tomorrow
        tries = min(EXPLOITED_GAMES // (bot.games * len(meter.observations)) // 2 * 2, MOST_TRIES)
    return meter.measure(bot, tries, until) if tries >= FEWEST_TRIES else None


def make_rungs(table: Table, budgets: tuple[str, ...], games: int, think: Think) -> tuple[list[Rung], list[Rung]]:
    """Thinking, from the least to the most; habits."""
    greedy = GreedyBot(think=think)
    thinking = [Rung(greedy, RandomBot(), games)]
    below: Bot = greedy
    for budget in budgets:
        search = parse_search_bot(f"mcts:{budget}", budget, think)
        thinking += [Rung(search, RandomBot(), games), Rung(search, below, games)]
        below = search
    if len(budgets) > 1:
        thinking.append(Rung(below, greedy, games))
    habits: list[Bot] = [FirstBot()]
    actions = table.bench.actions
    if len(actions) > 1:
        habits += [HabitBot(number, action.name.text) for number, action in enumerate(actions)]
    return thinking, [Rung(habit, RandomBot(), max(games, 200)) for habit in habits]


def _play_rungs(player: LadderPlayer, rungs: list[Rung], request: LadderRequest) -> bool:
    """Every rung gets a like share of the time that is left; yes when interrupted."""
    until = monotonic() + (request.seconds or SECONDS)
    progress = Progress("ladder", not (request.json or request.quiet))
    try:
        for at, rung in enumerate(rungs):
            share = max(until - monotonic(), 0.0) / (len(rungs) - at)
            player.play_rung(rung, monotonic() + share)
            progress.update(sum(one.games for one in rungs))
    except KeyboardInterrupt:
        return True
    finally:
        progress.close()
    return False


def parse_budgets(written: str | None) -> tuple[str, ...]:
    """`50,200,0.05s`: games a decision, or seconds, for each search; the least first, times behind."""
    if written is None:
        return BUDGETS
    parts = [part.strip() for part in written.split(",")]
    try:
        if len(parts) > MOST_BUDGETS:
            raise NoSuchBot
        searches = {part: parse_search_bot(part, part) for part in parts}
    except NoSuchBot:
        raise WrongUse(
            message(
                "`--budget {written}`: write games per decision, or seconds, as in `50,200` or `0.05s`",
                written=written,
            )
        ) from None
    budgets = {bot.name.partition(":")[2]: (bot.seconds or 0.0, bot.games or 0) for bot in searches.values()}
    return tuple(sorted(budgets, key=budgets.__getitem__))
