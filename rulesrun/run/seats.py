"""Who sits where: `--seats mcts,random` and a table in, a bot for each seat out; nothing when all play at random."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.bot_names import NoSuchBot, known_names, seat_bots
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import make_think
from rulesrun.terminal.trouble import Trouble


def make_bots(seats: str | None, table: Table, engine: str = "auto") -> tuple[Bot, ...] | None:
    if seats is None:
        return None
    try:
        bots = seat_bots(table, seats, make_think(table, engine))
    except NoSuchBot as nobody:
        known = known_names(table)
        near = [near for name in seats.split(",") for near in get_close_matches(name.strip(), known, n=1)
                if name.strip() not in known]  # fmt: skip
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise Trouble(f"`--seats {seats}`: {nobody}{hint}") from None
    return None if all(isinstance(bot, RandomBot) for bot in bots) else bots
