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

from rulesrun.interpreter.model.domains import argument_to_external
from rulesrun.interpreter.model.random import MASK, Streams, hash_name, mix_word
from rulesrun.interpreter.model.values import PHASE, PLAYER, ROUND, Slots
from rulesrun.interpreter.play.game_loop import player_stream_name
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.decisions import OptionKey
from rulesrun.interpreter.reference.options import CompiledAction
from rulesrun.interpreter.reference.table import Table

Renamed = Callable[[str], str]


class LuckSource(Protocol):
    def pick_option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey: ...

    def pick_outcome(self, S: Slots, wait: ChanceWait, turn: int) -> Any: ...

    def seed_for_bot(self, S: Slots, chooser: int, turn: int) -> int:
        """For a bot's own chance at one decision."""
        ...


@define(eq=False)
class PlainLuck:
    streams: Streams

    def pick_option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey:
        return options[self.streams.random_below(len(options), player_stream_name(chooser))]

    def pick_outcome(self, S: Slots, wait: ChanceWait, turn: int) -> Any:
        return wait.outcome_at(S, self.streams.random_below(wait.total_weight(S), wait.stream_name(S)))

    def seed_for_bot(self, S: Slots, chooser: int, turn: int) -> int:
        return self.streams.random_below(MASK, player_stream_name(chooser))


@define(eq=False)
class OptionLots:
    """A number for every option and component of a table, from its names alone: the same at two tables that call it
    the same."""

    table: Table
    actions: dict[int, CompiledAction]
    renamed: Renamed
    phases: tuple[str, ...]
    with_turns: tuple[bool, ...]  # phases in which players have turns
    known: dict[OptionKey, int] = field(factory=dict)
    components: dict[str, int] = field(factory=dict)

    def lot_of_option(self, option: OptionKey) -> int:
        found = self.known.get(option)
        if found is None:
            ready = self.actions[option[0]]
            words = [ready.action.name.text]
            for choice, value in zip(ready.choices, option[1:], strict=True):
                words.append(str(argument_to_external(self.table.bench, choice.choice, value)))
            found = self.known[option] = mix_word(hash_name(" ".join(self.renamed(word) for word in words)))
        return found

    def lot_of_component(self, name: str, copy: int) -> int:
        """Copies that nothing tells apart have a number each."""
        key = f"{name} {copy}"
        found = self.components.get(key)
        if found is None:
            found = self.components[key] = mix_word(hash_name(f"{self.renamed(name)} {copy}"))
        return found


@define(eq=False)
class TurnLots:
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

    def can_serve(self, options: Sequence[OptionKey]) -> bool:
        return self.beaten.issuperset(options) or self.seen.isdisjoint(options)

    def note_drawn(self, options: Sequence[OptionKey], drawn: OptionKey) -> None:
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
    cast: dict[int, TurnLots] = field(factory=dict)  # by seat
    drawn: Counter[str] = field(factory=Counter)  # components that went to a place, by time

    def pick_option(self, S: Slots, options: Sequence[OptionKey], chooser: int, turn: int) -> OptionKey:
        place = f"{player_stream_name(chooser)} {self.format_time(S)} {self.turn_number(S, chooser, turn)}"
        lots = self.cast.get(chooser)
        if lots is None or lots.place != place or lots.turn != turn:
            lots = self.cast[chooser] = TurnLots(self.streams.random_word(f"{place} 0"), turn, place)
        if len(options) == 1:
            return options[0]
        if not lots.can_serve(options):
            word = self.streams.random_word(f"{place} {lots.cast + 1}")
            lots = self.cast[chooser] = TurnLots(word, turn, place, lots.cast + 1)
        best = pick_highest_lot(lots.word, options, self.lots)
        lots.note_drawn(options, best)
        return best

    def pick_outcome(self, S: Slots, wait: ChanceWait, turn: int) -> Any:
        source, time = self.rename_source(wait.stream_name(S)), self.format_time(S)
        if S[PHASE] < len(self.lots.with_turns) and self.lots.with_turns[S[PHASE]]:
            time = f"{time} {player_stream_name(S[PLAYER])} {self.turn_number(S, S[PLAYER], turn)}"
        if isinstance(wait, DrawWait):
            return self.draw_component(S, wait, f"{source} {time}")
        return wait.outcome_at(S, self.streams.random_below(wait.total_weight(S), f"{source} {time}"))

    def draw_component(self, S: Slots, wait: DrawWait, place: str) -> int:
        """The one with the highest lot among those that may come, for the place where it goes."""
        place = f"{place} to {self.rename_source(wait.place_names(S)[1] or '')}"
        self.drawn[place] += 1
        word = self.streams.random_word(f"{place} {self.drawn[place]}")
        names, copies = wait.origin.kinds.names, Counter[int]()
        best, most = -1, -1
        for kind in wait.candidates(S)[1]:
            copies[kind] += 1
            lot = mix_word(word ^ self.lots.lot_of_component(names[kind], copies[kind]))
            if lot > most:
                best, most = kind, lot
        return best

    def seed_for_bot(self, S: Slots, chooser: int, turn: int) -> int:
        place = f"seed {player_stream_name(chooser)} {self.format_time(S)} {self.turn_number(S, chooser, turn)}"
        return self.streams.random_below(MASK, place)

    def turn_number(self, S: Slots, seat: int, turn: int) -> int:
        """Which turn of the seat in this phase of this round it is."""
        moment = S[ROUND], S[PHASE], turn
        known = self.moments.get(seat)
        if known is None or known[0] != moment:
            is_same_phase = known is not None and known[0][:2] == moment[:2]
            known = self.moments[seat] = moment, known[1] + 1 if known is not None and is_same_phase else 0
        return known[1]

    def rename_source(self, source: str) -> str:
        """A name of the other table, without what stands in brackets behind it."""
        name, bracket, rest = source.partition("[")
        return f"{self.lots.renamed(name)}{bracket}{rest}"

    def format_time(self, S: Slots) -> str:
        phases = self.lots.phases
        return f"{S[ROUND]} {phases[S[PHASE]] if S[PHASE] < len(phases) else ''}"


def pick_highest_lot(word: int, options: Sequence[OptionKey], lots: OptionLots) -> OptionKey:
    """The option with the highest lot."""
    known, of = lots.known, lots.lot_of_option
    best, most = options[0], -1
    for option in options:
        lot = word ^ (known.get(option) or of(option))
        lot = (lot ^ (lot >> 30)) * 0xBF58476D1CE4E5B9 & MASK  # `mix`, without a call
        lot = (lot ^ (lot >> 27)) * 0x94D049BB133111EB & MASK
        lot ^= lot >> 31
        if lot > most:
            best, most = option, lot
    return best
