"""A position of a game as Python has it, and the one that the reference engine plays. Never changes."""

from __future__ import annotations

import operator
from typing import Any, NoReturn, SupportsIndex, cast

from attrs import field, frozen

from rulesrun.api.errors import IllegalChoice, Json, translate_faults
from rulesrun.api.moves import Asked, Chance, Choice, Decision, End, LegalAnswers, Outcome, Result
from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import PC, State
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, endless_chance_fault
from rulesrun.interpreter.play.refusals import find_refusal
from rulesrun.interpreter.play.saved_positions import state_to_json
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    PlayerDecision,
    begin_game,
    next_state,
    pending_decision,
)
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.recall import AnswerHistory, Observation, ReferenceRecall, Told


@frozen(eq=False)
class TableContext:
    """What all positions of one table share. `identity`: the rules, the number of players, the options."""

    reading: Reading
    table: Table
    identity: tuple[object, ...]
    by_reference: ReferenceRecall = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "by_reference", ReferenceRecall(self.table))

    @staticmethod
    def for_table(reading: Reading, table: Table) -> TableContext:
        return TableContext(reading, table, (reading.digest, table.players, repr(table.options)))


@frozen(eq=False)
class Position:
    """A position in a game. It never changes, so it can be compared, hashed, kept, and shared between threads."""

    _game: TableContext
    _remembered: AnswerHistory[Any]

    def __repr__(self) -> str:
        return f"<position of {self._game.reading.title!r}: {self.players} players, {self.pending}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What notebooks and Hypothesis show."""
        printer.text(repr(self))

    @property
    def players(self) -> int:
        """How many play."""
        return self._game.table.players

    @property
    def engine(self) -> str:
        """`reference` or `native`: which engine answers. Nothing else tells the two apart."""
        raise NotImplementedError

    @property
    def options(self) -> dict[str, object]:
        """Every option and reading of the rules, with its value at this table."""
        return dict(self._game.table.options)

    @property
    def pending(self) -> Decision | Chance | End:
        """What has to be answered next."""
        raise NotImplementedError

    def legal(self) -> LegalAnswers:
        """All legal answers, without duplicates, in the order of the rules. Empty when the game is over."""
        raise NotImplementedError

    def apply(self, answer: Choice | Outcome | int) -> Position:
        """The position after this answer. Raises IllegalChoice; this position stays as it is."""
        return self._apply_index(answer if type(answer) is int else self._index_of(answer))

    def observe(self, player: int) -> Observation:
        """All that this player may know: what lies open now, and everything seen and done so far."""
        if player not in range(1, self.players + 1):
            raise ValueError(f"there is no player {player}")
        return self._observe_player(int(player))

    def result(self) -> Result | None:
        """The scores and places once the game is over; None before."""
        question = self._pending_question()
        if not isinstance(question, GameOver):
            return None
        return Result(dict(question.scores), question.places, question.result)

    def to_json(self) -> Json:
        """Plain data from which `Rulebook.position` restores this position."""
        state, recall = self._state_and_recall()
        seed, marks = self._chance_state()
        return {
            "rules": self._game.reading.digest,
            "players": self.players,
            "options": dict(self._game.table.options),
            "seed": seed,
            "marks": dict(sorted(marks.items())),
            "state": state_to_json(self._game.table, state),
            "recall": recall.to_json(),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        if self is other:
            return True
        if type(self) is not type(other) or self._comparison_key() != other._comparison_key():
            return False
        return self._game is other._game or self._game.identity == other._game.identity

    def __hash__(self) -> int:
        return hash(self._comparison_key())

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, known: object) -> Position:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a position is kept as `to_json()` gives it; `Rulebook.position` makes it again")

    # ---- what each engine does in its own way

    def _comparison_key(self) -> object:
        """What tells positions of one table apart."""
        raise NotImplementedError

    def _pending_question(self) -> Asked:
        raise NotImplementedError

    def _apply_index(self, index: int) -> Position:
        raise NotImplementedError

    def _observe_player(self, player: int) -> Observation:
        raise NotImplementedError

    def _state_and_recall(self) -> Told:
        """As the reference has it, with what everybody remembers."""
        raise NotImplementedError

    def _chance_state(self) -> tuple[int | None, dict[str, int]]:
        """The seed, and how far each stream has come."""
        raise NotImplementedError

    # ---- refusals

    def _index_of(self, answer: object) -> int:
        question = self._pending_question()
        if isinstance(question, GameOver):
            raise IllegalChoice("the game is over")
        if isinstance(answer, (Choice, Outcome)):
            legal = self.legal()
            if answer in legal:
                return legal.index(answer)
        else:
            try:
                return operator.index(cast(SupportsIndex, answer))
            except TypeError:
                raise TypeError(f"an answer is a Choice, an Outcome or a number, not {answer!r}") from None
        if isinstance(answer, Choice) and isinstance(question, PlayerDecision):
            state, _ = self._state_and_recall()
            refusal = find_refusal(self._game.table, state, answer.action, dict(answer.arguments))
            raise IllegalChoice(f"{answer.action}: {refusal.reason if refusal else 'this is not offered here'}")
        raise IllegalChoice(f"{answer} cannot come here")

    def _refuse_index(self) -> IllegalChoice:
        """Of an index of which there is no answer."""
        amount = len(self.legal())
        if not amount:
            return IllegalChoice("the game is over")
        return IllegalChoice(f"there are {amount} ways to go on, numbered from 0")


@frozen(eq=False, repr=False)
class ReferencePosition(Position):
    """A position of the reference engine: it is a state."""

    _state: State
    _streams: Streams | None
    _asked: list[Asked] = field(factory=list, init=False)  # once it is known

    @staticmethod
    def begin_game(game: TableContext, streams: Streams | None) -> ReferencePosition:
        with translate_faults(game.reading):
            return resolve_chance(game, AnswerHistory(), (), begin_game(game.table).state, streams)

    @property
    def engine(self) -> str:
        return "reference"

    @property
    def pending(self) -> Decision | Chance | End:
        question = self._pending_question()
        if isinstance(question, PlayerDecision):
            return Decision(question.player, question.together or ())
        if isinstance(question, ChanceDecision):
            return Chance(question.what, question.origin, question.target)
        return End()

    def legal(self) -> LegalAnswers:
        question = self._pending_question()
        return LegalAnswers(0 if isinstance(question, GameOver) else len(question), lambda: question)

    def _comparison_key(self) -> State:
        """Without what `before` kept in an action that was left before it was over."""
        table, slots = self._game.table, self._state.slots
        stale = [
            slot for judged in table.watches.properties for slot, _ in judged.befores
            if slots[slot] is not None and judged.is_idle_at(table.lives, slots[PC])
        ]
        if not stale:
            return self._state
        return State(tuple([None if slot in stale else value for slot, value in enumerate(slots)]))

    def _pending_question(self) -> Asked:
        if not self._asked:
            with translate_faults(self._game.reading):
                self._asked.append(pending_decision(self._game.table, self._state))
        return self._asked[0]

    def _apply_index(self, index: int) -> ReferencePosition:
        game = self._game
        if not 0 <= index < len(self.legal()):
            raise self._refuse_index()
        with translate_faults(game.reading):
            state = next_state(game.table, self._state, index)
            return resolve_chance(game, self._remembered, (index,), state, self._streams)

    def _observe_player(self, player: int) -> Observation:
        return self._game.by_reference.observe(self._state_and_recall(), self._pending_question(), player)

    def _state_and_recall(self) -> Told:
        return self._remembered.replay_with(self._game.by_reference)

    def _chance_state(self) -> tuple[int | None, dict[str, int]]:
        return (None, {}) if self._streams is None else (self._streams.seed, self._streams.stream_states())


def resolve_chance(
    game: TableContext, before: AnswerHistory[State], answers: tuple[int, ...], state: State, streams: Streams | None
) -> ReferencePosition:
    """With a seed: after all chance. Only now it is known what has led here."""
    if streams is None:
        return ReferencePosition(game, before.extend(answers) if answers else before, state, None)
    streams = streams.resume_at(streams.stream_states())
    found = list(answers)
    while isinstance(question := pending_decision(game.table, state), ChanceDecision):
        if len(found) > MOST_BY_CHANCE:
            raise endless_chance_fault(game.table.program.game.span)
        number = streams.random_below(question.total, question.stream)
        found.append(question.index_at_weight(number))
        state = next_state(game.table, state, found[-1])
    position = ReferencePosition(game, before.extend(tuple(found)) if found else before, state, streams)
    position._asked.append(question)
    return position
