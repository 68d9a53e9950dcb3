"""What chance answers in a measured game. Plain: as everywhere. Coupled: so that two rulebooks meet the same luck.

Coupled luck is keyed by the round, the phase, whose turn of the phase it is and the decision in the turn. An
option and a component are drawn by lots that hang on themselves, a component for the place where it goes. So an
extra question, an extra option, one card more or another name leaves all else as it was; each game alone is still a
game at random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from attrs import define, field

from rulesrun.interpreter.model.random import MASK, Streams, mix, name_number
from rulesrun.interpreter.model.values import PHASE, PLAYER, ROUND, Slots
from rulesrun.interpreter.play.game_loop import player_source
from rulesrun.interpreter.play.step import argument_outside
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.options import ReadyAction
from rulesrun.interpreter.reference.table import Table

Renamed = Callable[[str], str]


class Luck(Protocol):
    def option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey: ...

    def outcome(self, S: Slots, wait: ChanceWait, turn: int) -> Any: ...

    def seed(self, S: Slots, chooser: int, turn: int) -> int:
        """For a bot's own chance at one decision."""
        ...


@define(eq=False)
class PlainLuck:
    streams: Streams

    def option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey:
        return options[self.streams.below(len(options), player_source(chooser))]

    def outcome(self, S: Slots, wait: ChanceWait, turn: int) -> Any:
        return wait.pick(S, self.streams.below(wait.total(S), wait.source(S)))

    def seed(self, S: Slots, chooser: int, turn: int) -> int:
        return self.streams.below(MASK, player_source(chooser))


@define(eq=False)
class OptionLots:
    """A number for every option and component of a table, from its names alone: the same at two tables that call it
    the same."""

    table: Table
    actions: dict[int, ReadyAction]
    renamed: Renamed
    phases: tuple[str, ...]
    with_turns: tuple[bool, ...]  # phases in which players have turns
    known: dict[OptionKey, int] = field(factory=dict)
    components: dict[str, int] = field(factory=dict)

    def of(self, option: OptionKey) -> int:
        found = self.known.get(option)
        if found is None:
            ready = self.actions[option[0]]
            words = [ready.action.name.text]
            for choice, value in zip(ready.choices, option[1:], strict=True):
                words.append(str(argument_outside(self.table, choice.choice, value)))
            found = self.known[option] = mix(name_number(" ".join(self.renamed(word) for word in words)))
        return found

    def of_component(self, name: str, copy: int) -> int:
        """Copies that nothing tells apart have a number each."""
        key = f"{name} {copy}"
        found = self.components.get(key)
        if found is None:
            found = self.components[key] = mix(name_number(f"{self.renamed(name)} {copy}"))
        return found


@define(eq=False)
class Lots:
    """The lots of one seat in one turn.

    An option that was beaten keeps its lot: when only beaten ones are offered next, the best of them is as random as
    any. New options have lots of their own. Where both are offered together new lots are cast.
    """

    word: int
    turn: int
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


Moment = tuple[int, int, int]  # round, phase, turn


@define(eq=False)
class CoupledLuck:
    """Of one game."""

    streams: Streams
    lots: OptionLots
    moments: dict[int, tuple[Moment, int]] = field(factory=dict)  # by seat: the last one, its turns in the phase
    cast: dict[int, Lots] = field(factory=dict)  # by seat
    drawn: Counter[str] = field(factory=Counter)  # components that went to a place, by time

    def option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey:
        place = f"{player_source(chooser)} {self.time(S)} {self.number(S, chooser, turn)}"
        lots = self.cast.get(chooser)
        if lots is None or lots.place != place or lots.turn != turn:
            lots = self.cast[chooser] = Lots(self.streams.word(f"{place} 0"), turn, place)
        if len(options) == 1:
            return options[0]
        if not lots.may_serve(options):
            word = self.streams.word(f"{place} {lots.cast + 1}")
            lots = self.cast[chooser] = Lots(word, turn, place, lots.cast + 1)
        best = highest(lots.word, options, self.lots)
        lots.note(options, best)
        return best

    def outcome(self, S: Slots, wait: ChanceWait, turn: int) -> Any:
        source, time = self.named(wait.source(S)), self.time(S)
        if S[PHASE] < len(self.lots.with_turns) and self.lots.with_turns[S[PHASE]]:
            time = f"{time} {player_source(S[PLAYER])} {self.number(S, S[PLAYER], turn)}"
        if isinstance(wait, DrawWait):
            return self.component(S, wait, f"{source} {time}")
        return wait.pick(S, self.streams.below(wait.total(S), f"{source} {time}"))

    def component(self, S: Slots, wait: DrawWait, place: str) -> int:
        """The one with the highest lot among those that may come, for the place where it goes."""
        place = f"{place} to {self.named(wait.places(S)[1] or '')}"
        self.drawn[place] += 1
        word = self.streams.word(f"{place} {self.drawn[place]}")
        names, copies = wait.origin.kinds.names, Counter[int]()
        best, most = -1, -1
        for kind in wait.candidates(S)[1]:
            copies[kind] += 1
            lot = mix(word ^ self.lots.of_component(names[kind], copies[kind]))
            if lot > most:
                best, most = kind, lot
        return best

    def seed(self, S: Slots, chooser: int, turn: int) -> int:
        place = f"seed {player_source(chooser)} {self.time(S)} {self.number(S, chooser, turn)}"
        return self.streams.below(MASK, place)

    def number(self, S: Slots, seat: int, turn: int) -> int:
        """Which turn of the seat in this phase of this round it is."""
        moment = S[ROUND], S[PHASE], turn
        known = self.moments.get(seat)
        if known is None or known[0] != moment:
            is_same_phase = known is not None and known[0][:2] == moment[:2]
            known = self.moments[seat] = moment, known[1] + 1 if known is not None and is_same_phase else 0
        return known[1]

    def named(self, source: str) -> str:
        """A name of the other table, without what stands in brackets behind it."""
        name, bracket, rest = source.partition("[")
        return f"{self.lots.renamed(name)}{bracket}{rest}"

    def time(self, S: Slots) -> str:
        phases = self.lots.phases
        return f"{S[ROUND]} {phases[S[PHASE]] if S[PHASE] < len(phases) else ''}"


def highest(word: int, options: Sequence[OptionKey], lots: OptionLots) -> OptionKey:
    """The option with the highest lot."""
    known, of = lots.known, lots.of
    best, most = options[0], -1
    for option in options:
        lot = word ^ (known.get(option) or of(option))
        lot = (lot ^ (lot >> 30)) * 0xBF58476D1CE4E5B9 & MASK  # `mix`, without a call
        lot = (lot ^ (lot >> 27)) * 0x94D049BB133111EB & MASK
        lot ^= lot >> 31
        if lot > most:
            best, most = option, lot
    return best
