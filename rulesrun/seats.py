"""Who sits where: `--seats mcts,random` and a table in, a bot for each seat out; nothing when all play at random."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.interpreter.bots.bot import Bot, FirstBot, LastBot, RandomBot
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.table import Table
from rulesrun.trouble import Trouble

NAMES = ("random", "greedy", "mcts", "first", "last")
MOST_GAMES = 1_000_000


def bots_of(seats: str | None, table: Table) -> tuple[Bot, ...] | None:
    """One name sits everywhere; else a name for each seat, the last ones again and again."""
    if seats is None:
        return None
    words = [word.strip() for word in seats.split(",")]
    if len(words) > table.players and len(words) > 1:
        raise Trouble(f"`--seats {seats}`: there are {table.players} seats at this table")
    bots = tuple(bot_of(words[seat % len(words)]) for seat in range(table.players))
    return None if all(isinstance(bot, RandomBot) for bot in bots) else bots


def bot_of(word: str) -> Bot:
    """`mcts:200` thinks for 200 games."""
    name, _, budget = word.partition(":")
    games = int(budget) if budget.isascii() and budget.isdigit() and len(budget) < 9 else None
    if (budget and (games is None or name != "mcts")) or (games is not None and not 0 < games <= MOST_GAMES):
        raise Trouble(f"`--seats {word}`: a budget is a number of games, as in `mcts:200`")
    match name:
        case "random":
            return RandomBot()
        case "greedy":
            return GreedyBot()
        case "mcts":
            return MctsBot(games) if games else MctsBot()
        case "first":
            return FirstBot()
        case "last":
            return LastBot()
    near = get_close_matches(name, NAMES, n=1)
    hint = f"; did you mean `{near[0]}`?" if near else f"; there are {', '.join(NAMES)}"
    raise Trouble(f"`--seats {word}`: nobody of that name plays{hint}")
