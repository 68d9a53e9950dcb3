"""What is chosen when in the course of a game: decisions of many games in, how often each action in each tenth out."""

from __future__ import annotations

from collections import Counter
from time import monotonic

from attrs import define, field

from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.reference.table import Table

PARTS = 10


@define(eq=False)
class ActionCourse:
    """`chosen[part, action]`: in the part of the game, from 0, how often the action was chosen."""

    games: int = 0
    chosen: Counter[tuple[int, str]] = field(factory=Counter)

    def count_in_part(self, part: int) -> int:
        return sum(count for (at, _), count in self.chosen.items() if at == part)

    def add_game(self, actions: list[str]) -> None:
        """A game of few decisions leaves tenths empty: a decision counts where it begins."""
        self.games += 1
        self.chosen.update((at * PARTS // len(actions), action) for at, action in enumerate(actions))


def measure_course(watcher: GameMeasurer, seed: int, games: int, until: float) -> ActionCourse:
    """Of the first games of a table, those that get stuck aside."""
    found, names = ActionCourse(), action_names(watcher.table)
    for number in range(games):
        watcher.sequence = []
        record = watcher.play_game(Streams(game_seed(seed, number)), number)
        if record.stuck is None and watcher.sequence:
            found.add_game([names[action] for action in watcher.sequence])
        if monotonic() > until:
            break
    return found


def action_names(table: Table) -> dict[int, str]:
    ready = [table.actions.compiled_action(action) for action in table.bench.actions]
    return {one.number: one.action.name.text for one in ready}
