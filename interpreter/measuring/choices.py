"""How lucky the choices of a game were. Takes positions of players at random, gives a row of whole numbers a game.

At every decision: what the position promises behind the option that was taken, less what it promises on average behind
all options. As every option is as likely as any other, each number of the row is zero on average, whatever an `Outlook`
says. Where an action can be done in many ways, the average is taken over `LOOKS` of them, evenly apart from a random
beginning; that leaves the mean at zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.graph import Wait
from rulesrun.interpreter.measuring.luck import CoupledLuck
from rulesrun.interpreter.measuring.outlook import Blur, Outlook
from rulesrun.interpreter.measuring.record import Record
from rulesrun.interpreter.measuring.watching import Counts, Watcher
from rulesrun.interpreter.play import MOST_BY_CHANCE, too_much_chance
from rulesrun.interpreter.random import GOLDEN, MASK, Streams, mix
from rulesrun.interpreter.values import EVENTS, Fault, Slots

LOOKS = 7
UNIT = 1 << 20  # what a position counts for, about
STRETCH = 1 << 16  # numbers of chance for a decision

Row = dict[int, list[int]]  # by situation, as an `Outlook` gives it


@define(eq=False)
class Choices:
    """Of the game at hand."""

    outlook: Outlook
    blur: Blur
    key: int
    row: Row = field(factory=dict)
    decisions: int = 0
    waiting: int = 0  # what the next position counts for: it lies behind the option that was taken

    def arrive(self, S: Slots, wait: Wait) -> None:
        if self.waiting:
            self.add(S, wait, self.waiting)
            self.waiting = 0

    def add(self, S: Slots, wait: Wait, times: int) -> None:
        situation, numbers = self.outlook.look(S, wait, self.blur)
        known = self.row.setdefault(situation, [0] * len(numbers))
        for at, number in enumerate(numbers):
            known[at] += times * number

    def decide(self, S: Slots, wait: DecisionWait, options: list[OptionKey]) -> None:
        """Before the option is taken: all that might have been."""
        self.decisions += 1
        if len(options) == 1:
            return
        whole = max(UNIT // (LOOKS * len(options)), 1)
        for action, first, ways in stretches(options):
            times = whole * (LOOKS if ways <= LOOKS else ways)
            for at in looks(ways, self.word(action)):
                self.add_behind(S, wait, options[first + at], -times)
        self.waiting = whole * LOOKS * len(options)

    def word(self, action: int) -> int:
        return mix(self.key + (self.decisions * STRETCH + action + 1) * GOLDEN & MASK)

    def add_behind(self, S: Slots, wait: DecisionWait, option: OptionKey, times: int) -> None:
        """What leads to a fault promises nothing."""
        tried = S.copy()
        tried[EVENTS] = None
        try:
            wait.settle(tried, option)
            then = self.outlook.table.run(tried)
        except Fault:
            return
        self.add(tried, then, times)


def stretches(options: list[OptionKey]) -> Iterator[tuple[int, int, int]]:
    """Action by action: its number, its first option, how many it has."""
    first = 0
    for at in range(1, len(options) + 1):
        if at == len(options) or options[at][0] != options[first][0]:
            yield options[first][0], first, at - first
            first = at


def looks(ways: int, word: int) -> list[int]:
    if ways <= LOOKS:
        return list(range(ways))
    first = (word >> 1) % ways
    return [(first + step * ways // LOOKS) % ways for step in range(LOOKS)]


@define(eq=False)
class ChoiceWatcher(Watcher):
    """Plays as a `Watcher`, at random; `choices.row` is that of the last game."""

    outlook: Outlook = field(kw_only=True)
    blur: Blur = field(kw_only=True)
    choices: Choices = field(init=False)

    def play(self, streams: Streams, number: int) -> Record:
        self.choices = Choices(self.outlook, self.blur, mix(streams.seed & MASK))
        return super().play(streams, number)

    def _play_out(self, S: Slots, streams: Streams, counts: Counts) -> None:
        assert self.lots is not None
        luck, choices, guard = CoupledLuck(streams, self.lots), self.choices, self.guard
        by_chance = 0
        while True:
            wait = self.table.run(S, self.steps)
            choices.arrive(S, wait)
            if isinstance(wait, DecisionWait):
                options: list[OptionKey] = self.asked(S, wait, counts)
                option = luck.option(S, options, wait.chooser(S), counts.turns)
                choices.decide(S, wait, options)
                self.chosen(S, option, counts)
                wait.settle(S, option)
            elif isinstance(wait, ChanceWait):
                by_chance += 1
                if by_chance > MOST_BY_CHANCE:
                    raise too_much_chance(wait.node.span, counts.decisions)
                wait.settle(S, luck.outcome(S, wait, counts.turns))
            else:
                if guard is not None:
                    guard.look(S, at_end=True)
                return
