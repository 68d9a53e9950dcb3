"""Who sits where: `--seats mcts,random` and a table in, a bot for each seat out; nothing when all play at random."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.bot_names import NoSuchBot, known_names, seat_bots
from rulesrun.interpreter.bots.solution import SolutionBot
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.solve import SolvingWork, solve_game
from rulesrun.run.bot_engines import make_think
from rulesrun.terminal.trouble import Trouble

CLOSE = 1e-3  # what a best response may still win, in points
BOOK_WORK = SolvingWork(positions=40_000, nodes=20_000, rounds=1_000, sequences=0)


def make_bots(seats: str | None, table: Table, engine: str = "auto") -> tuple[Bot, ...] | None:
    if seats is None:
        return None
    try:
        bots = seat_bots(table, seats, make_think(table, engine), cache(lambda: make_solution_bot(table)))
    except NoAnswer as reason:
        raise Trouble(f"`--seats {seats}`: nobody can play the solution: {reason}") from None
    except NoSuchBot as nobody:
        known = known_names(table)
        near = [near for name in seats.split(",") for near in get_close_matches(name.strip(), known, n=1)
                if name.strip() not in known]  # fmt: skip
        problem = message("`--seats {seats}`: {reason}", seats=seats, reason=nobody)
        if near:
            problem = join_messages([problem, message("did you mean `{near}`?", near=near[0])], "; ")
        raise Trouble(problem) from None
    return None if all(isinstance(bot, RandomBot) for bot in bots) else bots


def make_solution_bot(table: Table) -> Bot:
    """Raises NoAnswer where the game is none of those that are solved. The work is counted, so that the bot is the same
    everywhere."""
    try:
        book = solve_game(table, CLOSE, float("inf"), work=BOOK_WORK).book
    except Fault as fault:
        raise NoAnswer(message("the game can get stuck: {what}", what=fault.diagnostic.message)) from None
    assert book is not None
    return SolutionBot(book)
