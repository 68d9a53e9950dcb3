"""Tables for tests of bots, and games watched at every decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, Slots
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table, set_up_table

GAMES = Path(__file__).parents[2] / "games"


def table_of(name: str, players: int = 2, **options: object) -> Table:
    program = read_rules(str(GAMES / f"{name}.rules")).program
    assert program is not None
    return set_up_table(program, players, options)


def watch(table: Table, seed: int, look: Callable[[Observer, Slots, int], None], limit: int = 10_000) -> None:
    """Plays a random game; looks at every decision with who chooses."""
    seats = tuple(range(table.players + 1))
    observer, S, streams = Observer(table, seats, listens=True), table.new_slots(), Streams(seed)
    for _ in range(limit):
        wait = observer.run_to_question(S)
        if isinstance(wait, ChanceWait):
            observer.apply_answer(S, wait, wait.outcome_at(S, streams.random_below(wait.total_weight(S), "chance")))
        elif isinstance(wait, DecisionWait):
            look(observer, S, wait.chooser(S))
            observer.apply_answer(S, wait, S[OPTIONS][streams.random_below(len(S[OPTIONS]), "choice")])
        else:
            return


def win_share(table: Table, one: Bot, others: Bot, games: int, seed: int = 1) -> float:
    """How much of the first places the one gets, at each seat in turn."""
    return sum(one_share(table, one, others, number, seed) for number in range(games)) / games


def one_share(table: Table, one: Bot, others: Bot, number: int, seed: int) -> float:
    seat = number % table.players
    bots: Sequence[Bot] = [one if at == seat else others for at in range(table.players)]
    return play_match(table, bots, Streams(seed, number)).win_share(seat + 1)
