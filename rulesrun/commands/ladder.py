"""`rulesrun ladder`: does thinking pay, how fast, and does one naive habit win?"""

from __future__ import annotations

from time import monotonic, perf_counter

from rulesrun.files.checkpoints import open_kept_sums
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.bots.bot_names import NoSuchBot, parse_search_bot
from rulesrun.interpreter.measure.ladder import Rung
from rulesrun.report.ladder_text import BUDGETS, GAMES, ladder_text, make_rungs, rung_json
from rulesrun.run.bot_engines import compile_think_now, has_thought_natively, make_think
from rulesrun.run.ladder_games import LadderPlayer
from rulesrun.run.ranges import Crew, make_order
from rulesrun.services.tables import seat_one
from rulesrun.terminal.output import print_error, print_json, print_text
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import LadderRequest
from rulesrun.terminal.trouble import WrongUse

SECONDS = 120
MOST_BUDGETS = 8


def run(request: LadderRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    engine = request.engine or "auto"
    think, jobs = make_think(table, engine), request.jobs or 1
    if jobs == 1:
        compile_think_now(think)
    budgets = parse_budgets(request.budget)
    thinking, habits = make_rungs(table, budgets, request.games or GAMES, think)
    kept = open_kept_sums(request, f"ladder, {table.players} players", reading)
    began = perf_counter()
    order = make_order(reading, table, request.seed, None, ())
    with Crew(jobs) as crew:
        climbers = LadderPlayer(table, order, engine, crew, kept)
        is_interrupted = _play_all_rungs(climbers, [*thinking, *habits], request)
    seconds = perf_counter() - began
    rungs = [*thinking, *habits]
    is_partial = is_interrupted or any(not rung.is_done for rung in rungs)
    if request.json:
        print_json({
            "players": table.players, "options": dict(table.options),
            "thinking": [rung_json(table, rung) for rung in thinking],
            "habits": [rung_json(table, rung) for rung in habits],
            "games": sum(rung.games for rung in rungs),
            "engine": "native" if has_thought_natively(think) or climbers.has_compiled else "reference",
            "seconds": round(seconds, 3),
            "partial": is_partial,
        })
    elif not request.quiet:
        print_text(ladder_text(table, reading.title, thinking, habits), end="")
    if is_partial:
        print_error(
            "rulesrun: out of time: fewer games than asked for were played (--seconds allows more)"
            if not is_interrupted
            else f"rulesrun: interrupted; what is known so far is partial; {kept.resume_advice}"
        )
    return 2 if is_interrupted else 0


def _play_all_rungs(climbers: LadderPlayer, rungs: list[Rung], request: LadderRequest) -> bool:
    """Every rung gets a like share of the time that is left; yes when interrupted."""
    until = monotonic() + (request.seconds or SECONDS)
    progress = Progress("ladder", not (request.json or request.quiet))
    try:
        for at, rung in enumerate(rungs):
            share = max(until - monotonic(), 0.0) / (len(rungs) - at)
            climbers.play_rung(rung, monotonic() + share)
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
            f"`--budget {written}`: expected numbers of games a decision, or seconds, as in `50,200` or `0.05s`"
        ) from None
    budgets = {bot.name.partition(":")[2]: (bot.seconds or 0.0, bot.games or 0) for bot in searches.values()}
    return tuple(sorted(budgets, key=budgets.__getitem__))
