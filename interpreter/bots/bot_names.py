"""Bots by name. Takes words like `mcts:400` and a table, gives the bot; knows what names there are.

`random` · `first` · `last` · `greedy` · `mcts` · `mcts:400` (games a decision) · `mcts:0.5s` (seconds a decision) ·
`always:ACTION` · `solution`, of a small game · the name of a persona of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.bots.bot import Bot, FirstBot, HabitBot, LastBot, RandomBot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.persona import PersonaBot
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.reference.table import Table

PLAIN: Mapping[str, Callable[[Think], Bot]] = {
    "random": lambda think: RandomBot(), "first": lambda think: FirstBot(), "last": lambda think: LastBot(),
    "greedy": lambda think: GreedyBot(think=think), "mcts": lambda think: MctsBot(think=think),
}
SOLUTION = "solution"
MOST_GAMES = 1_000_000
MOST_SECONDS = 3600.0
ELLIPSES = {"…", "..."}


class NoSuchBot(Exception):
    """The message says what there is."""


def seat_bots(
    table: Table, written: str, think: Think = think_by_reference, solve: Callable[[], Bot] | None = None
) -> tuple[Bot, ...]:
    """`mcts,random,…`: a bot a seat; the last one sits at all seats that are left. `think`: how they do; `solve`: gives
    who plays the solution."""
    names = [name.strip() for name in written.split(",")]
    if len(names) > 1 and names[-1] in ELLIPSES:
        names.pop()
    if len(names) > table.players:
        raise NoSuchBot(
            message(
                "`{written}` names {names} players, but {players} play",
                written=written,
                names=len(names),
                players=table.players,
            )
        )
    bots = [find_bot(table, name, think, solve) for name in names]
    return (*bots, *[bots[-1]] * (table.players - len(bots)))


def find_bot(
    table: Table, name: str, think: Think = think_by_reference, solve: Callable[[], Bot] | None = None
) -> Bot:
    """A persona of the rules before a bot of that name."""
    for persona in table.program.game.personas:
        if persona.name.text == name:
            return PersonaBot(persona.name.text)
    if name == SOLUTION and solve is not None:
        return solve()
    if name in PLAIN:
        return PLAIN[name](think)
    word, colon, budget = name.partition(":")
    if word == "mcts" and colon:
        return parse_search_bot(name, budget, think)
    if word == "always" and colon:
        return find_habit_bot(table, budget)
    raise NoSuchBot(
        message("there is no player `{name}`; there are: {listed}", name=name, listed=", ".join(known_names(table)))
    )


def known_names(table: Table) -> list[str]:
    habits = [f"always:{action.name.text}" for action in table.bench.actions[:4]]
    personas = [persona.name.text for persona in table.program.game.personas]
    return [*PLAIN, SOLUTION, "mcts:400", "mcts:0.5s", *habits, *personas]


def parse_search_bot(name: str, budget: str, think: Think = think_by_reference) -> MctsBot:
    """`400`: games a decision; `0.5s`: seconds a decision."""
    try:
        if budget.endswith("s"):
            seconds = float(budget[:-1])
            if 0 < seconds <= MOST_SECONDS:
                return MctsBot(None, seconds, think=think)
        elif budget.isascii() and budget.isdigit() and 0 < int(budget[:9]) <= MOST_GAMES and len(budget) < 9:
            return MctsBot(int(budget), think=think)
    except ValueError:
        pass
    raise NoSuchBot(
        message("`{name}`: write a number of games, as in `mcts:400`, or of seconds, as in `mcts:0.5s`", name=name)
    )


def find_habit_bot(table: Table, action_name: str) -> HabitBot:
    for number, action in enumerate(table.bench.actions):
        if action.name.text == action_name:
            return HabitBot(number, action_name)
    names = ", ".join(action.name.text for action in table.bench.actions)
    raise NoSuchBot(
        message("there is no action `{action_name}`; there are: {names}", action_name=action_name, names=names)
    )
