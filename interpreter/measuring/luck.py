"""What chance answers in a measured game. Plain: as everywhere. Coupled: so that two rulebooks meet the same luck.

Coupled luck is keyed by the round, the phase, whose turn of the phase it is and the decision in the turn, and an
option is drawn by lots that hang on the option itself. So an extra question, an extra option or another name
leaves all else as it was; each game alone is still a game at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import define, field

from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import OptionKey
from rulesrun.interpreter.options import ReadyAction
from rulesrun.interpreter.play import player_source
from rulesrun.interpreter.random import MASK, Streams, mix, name_number
from rulesrun.interpreter.step import argument_outside
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import PHASE, ROUND, Slots

Renamed = Callable[[str], str]


class Luck(Protocol):
    def option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey: ...

    def outcome(self, S: Slots, wait: ChanceWait) -> Any: ...


@define(eq=False)
class PlainLuck:
    streams: Streams

    def option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey:
        return options[self.streams.below(len(options), player_source(chooser))]

    def outcome(self, S: Slots, wait: ChanceWait) -> Any:
        return wait.pick(S, self.streams.below(wait.total(S), wait.source(S)))


@define(eq=False)
class OptionLots:
    """A number for every option of a table, from its names alone: the same at two tables that call it the same."""

    table: Table
    actions: dict[int, ReadyAction]
    renamed: Renamed
    phases: tuple[str, ...]
    known: dict[OptionKey, int] = field(factory=dict)

    def of(self, option: OptionKey) -> int:
        found = self.known.get(option)
        if found is None:
            ready = self.actions[option[0]]
            words = [ready.action.name.text]
            for choice, value in zip(ready.choices, option[1:], strict=True):
                words.append(str(argument_outside(self.table, choice.choice, value)))
            found = self.known[option] = mix(name_number(" ".join(self.renamed(word) for word in words)))
        return found


@define(eq=False)
class Lots:
    """The lots of one seat in one turn.

    An option that was beaten keeps its lot: when only beaten ones are offered next, the best of them is as random as
    any. New options have lots of their own. Where both are offered together new lots are cast.
    """

    word: int
    moment: tuple[int, int, int]  # round, phase, turn
    place: str
    cast: int = 0
    seen: set[OptionKey] = field(factory=set)
    beaten: set[OptionKey] = field(factory=set)

    def may_serve(self, options: Sequence[OptionKey]) -> bool:
        return self.beaten.issuperset(options) or self.seen.isdisjoint(options)

    def note(self, options: Sequence[OptionKey], drawn: OptionKey) -> None:
        self.seen.update(options)
        self.beaten = set(options)
        self.beaten.discard(drawn)


@define(eq=False)
class CoupledLuck:
    """Of one game."""

    streams: Streams
    lots: OptionLots
    turns: dict[int, int] = field(factory=dict)  # by seat: its turns in this phase of this round
    cast: dict[int, Lots] = field(factory=dict)  # by seat

    def option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey:
        lots = self.cast.get(chooser)
        moment = S[ROUND], S[PHASE], turn
        if lots is None or lots.moment != moment:
            is_same_phase = lots is not None and lots.moment[:2] == moment[:2]
            number = self.turns[chooser] = self.turns[chooser] + 1 if is_same_phase else 0
            place = f"{player_source(chooser)} {self.time(S)} {number}"
            lots = self.cast[chooser] = Lots(self.streams.word(f"{place} 0"), moment, place)
        if len(options) == 1:
            return options[0]
        if not lots.may_serve(options):
            again = f"{lots.place} {lots.cast + 1}"
            lots = self.cast[chooser] = Lots(self.streams.word(again), lots.moment, lots.place, lots.cast + 1)
        drawn = self.drawn(options, lots.word)
        lots.note(options, drawn)
        return drawn

    def drawn(self, options: Sequence[OptionKey], word: int) -> OptionKey:
        """The option with the highest lot."""
        known, of = self.lots.known, self.lots.of
        best, highest = options[0], -1
        for option in options:
            lot = word ^ (known.get(option) or of(option))
            lot = (lot ^ (lot >> 30)) * 0xBF58476D1CE4E5B9 & MASK  # `mix`, without a call
            lot = (lot ^ (lot >> 27)) * 0x94D049BB133111EB & MASK
            lot ^= lot >> 31
            if lot > highest:
                best, highest = option, lot
        return best

    def outcome(self, S: Slots, wait: ChanceWait) -> Any:
        name, bracket, rest = wait.source(S).partition("[")
        source = f"{self.lots.renamed(name)}{bracket}{rest} {self.time(S)}"
        return wait.pick(S, self.streams.below(wait.total(S), source))



    def time(self, S: Slots) -> str:
        phases = self.lots.phases
        return f"{S[ROUND]} {phases[S[PHASE]] if S[PHASE] < len(phases) else ''}"
