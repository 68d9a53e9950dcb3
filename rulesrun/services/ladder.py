"""Does thinking pay, how fast, and does one naive habit win? A reading and a request in, a ladder of bots out."""

from __future__ import annotations

from time import monotonic, perf_counter

from attrs import define

from rulesrun.dsl.text.messages import message
from rulesrun.files.checkpoints import open_kept_sums
from rulesrun.files.loading import Reading
from rulesrun.interpreter.bots.bot import Bot, FirstBot, HabitBot, RandomBot
from rulesrun.interpreter.bots.bot_names import NoSuchBot, actions_of, parse_search_bot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.measure.ladder import Rung
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import compile_think_now, has_thought_natively, make_think
from rulesrun.run.ladder_games import LadderPlayer
from rulesrun.run.ranges import Crew, make_order
from rulesrun.services.tables import seat_one
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import LadderRequest
from rulesrun.terminal.trouble import WrongUse

SECONDS = 120
MOST_BUDGETS = 8
BUDGETS = ("25", "200", "2000")
GAMES = 40


@define(eq=False)
class Ladder:
    """Who is better than whom at one table."""

    reading: Reading
    table: Table
    thinking: list[Rung]
    habits: list[Rung]
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
    found.seconds, found.resume_advice = perf_counter() - began, kept.resume_advice
    found.engine = "native" if has_thought_natively(think) or player.has_compiled else "reference"
    return found


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
    actions = actions_of(table)
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
                "`--budget {written}`: expected numbers of games a decision, or seconds, as in `50,200` or `0.05s`",
                written=written,
            )
        ) from None
    budgets = {bot.name.partition(":")[2]: (bot.seconds or 0.0, bot.games or 0) for bot in searches.values()}
    return tuple(sorted(budgets, key=budgets.__getitem__))
