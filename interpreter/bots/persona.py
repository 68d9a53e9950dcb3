"""Plays as a persona of the rules says: takes any of the options that most of its lines speak for.

What is hidden from the seat is taken as in one deal that fits to all it has seen.
"""

from __future__ import annotations

from attrs import frozen

from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.deliberation import deal_fitting
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.model.values import PLAYER, Slots
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.table import Table


@frozen(eq=False)
class PersonaBot:
    name: str
    looks: bool = True
    listens: bool = False

    def choose(self, seen: Observation) -> int:
        if len(seen.options) == 1:
            return 0
        chance = BotChance.from_observation(seen)
        S = deal_fitting(Dealer(seen), chance) or Dealer(seen).deal(chance.next_stretch())
        liked = [count_preferences(seen.table, self.name, S, option) for option in seen.options]
        best = [number for number, one in enumerate(liked) if one == max(liked)]
        return best[chance.random_below(len(best))]


def count_preferences(table: Table, name: str, S: Slots, option: OptionKey) -> int:
    """How many lines speak for the option, less those that speak against it."""
    bench, total = table.bench, 0
    action = bench.actions[option[0]]
    ready = table.actions.compiled_action(action)
    tried = S.copy()
    for choice, value in zip(ready.choices, option[1:], strict=True):
        tried[choice.slot] = value
        if choice.is_player:
            tried[PLAYER] = value
    persona = next(one for one in table.program.game.personas if one.name.text == name)
    for line in persona.lines:
        if line.action.text != action.name.text:
            continue
        if line.when is None or table.evaluate(bench.compile(line.when).run, with_new_scratch(table, tried), line.when):
            total += 1 if line.word == "prefer" else -1
    return total


def with_new_scratch(table: Table, S: Slots) -> Slots:
    """An expression made ready late may need more room to be worked out in."""
    size = len(table.blank)
    return [*S[:size], *table.scratch_slots()]
