"""A position in machine code: a flat block of bytes. Answers as the reference's position does, only sooner.

Where machine code leaves a game to the reference, so does it: the answers since the beginning are played again.
"""

from __future__ import annotations

from attrs import frozen

from rulesrun.api.errors import translate_faults
from rulesrun.api.moves import Asked, Chance, Decision, End, LegalAnswers
from rulesrun.api.position import Position, ReferencePosition, TableContext, resolve_chance
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import TEAM, Fault, State
from rulesrun.interpreter.native.flow.asked_games import STUCK
from rulesrun.interpreter.native.positions.blocks import Sheets
from rulesrun.interpreter.play.step import begin_game, next_state
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.records.native_memory import NativeRecall
from rulesrun.records.recall import AnswerHistory, Observation, Told, answers_of

END = End()


@frozen(eq=False, repr=False)
class NativePosition(Position):
    """`luck`: with a seed, how far each stream of chance has come."""

    _retold: NativeRecall
    _memory: bytes
    _amount: int
    _sheets: Sheets
    _seed: int | None
    _luck: bytes | None

    @staticmethod
    def begin_game(game: TableContext, retold: NativeRecall, seed: int | None) -> Position:
        try:
            memory, amount, sheets, luck, answers = retold.blocks.begin_game(seed)
        except Fault:
            amount = STUCK
        if amount == STUCK:
            return replay_by_reference(game, (), (), None if seed is None else Streams(seed))
        start: AnswerHistory[bytes] = AnswerHistory()
        remembered = start.extend(answers) if answers else start
        return NativePosition(game, remembered, retold, memory, amount, sheets, seed, None if seed is None else luck)

    @property
    def engine(self) -> str:
        return "native"

    @property
    def pending(self) -> Decision | Chance | End:
        blocks = self._retold.blocks
        asked = blocks.question_at(self._memory)
        if asked is None:
            return END
        _, wait = asked
        if isinstance(wait, TogetherWait):
            return Decision(blocks.player(self._memory), blocks.together_seats(self._memory) or ())
        if isinstance(wait, DecisionWait):
            return Decision(TEAM if wait.is_team else blocks.player(self._memory))
        assert isinstance(wait, ChanceWait)
        return Chance(wait.what, *blocks.place_names(self._memory, wait))

    def legal(self) -> LegalAnswers:
        return LegalAnswers(self._amount, self._pending_question)

    def _comparison_key(self) -> tuple[bytes, Sheets]:
        return self._retold.blocks.sameness.canonical_block(self._memory), self._sheets

    def _pending_question(self) -> Asked:
        return self._retold.blocks.describe_question(self._memory)

    def _apply_index(self, index: int) -> Position:
        if not 0 <= index < self._amount:
            raise self._refuse_index()
        if self._luck is not None:
            return self._apply_with_chance(index)
        retold = self._retold
        memory, amount, sheets = retold.blocks.follow_answer(self._memory, index, self._sheets)
        if amount == STUCK:
            return self._continue_by_reference(index)
        return NativePosition(
            self._game, self._remembered.extend((index,)), retold, memory, amount, sheets, None, None
        )

    def _apply_with_chance(self, index: int) -> Position:
        assert self._seed is not None
        assert self._luck is not None
        retold = self._retold
        memory, amount, sheets, luck, answers = retold.blocks.follow_with_chance(
            self._memory, index, self._luck, self._sheets, self._seed
        )
        if amount == STUCK:
            return self._continue_by_reference(index)
        return NativePosition(
            self._game, self._remembered.extend(answers), retold, memory, amount, sheets, self._seed, luck
        )

    def _continue_by_reference(self, index: int) -> Position:
        seed, marks = self._chance_state()
        streams = None if seed is None else Streams(seed).resume_at(marks)
        return replay_by_reference(self._game, answers_of(self._remembered.path), (index,), streams)

    def _observe_player(self, player: int) -> Observation:
        try:
            return self._retold.observe(self._remembered, player)
        except CannotCompile:
            return self._game.by_reference.observe(self._state_and_recall(), self._pending_question(), player)

    def _state_and_recall(self) -> Told:
        played: AnswerHistory[State] = AnswerHistory(None, answers_of(self._remembered.path))
        return played.replay_with(self._game.by_reference)

    def _chance_state(self) -> tuple[int | None, dict[str, int]]:
        if self._seed is None or self._luck is None:
            return None, {}
        return self._seed, self._retold.blocks.stream_states(self._luck, self._seed)


def replay_by_reference(
    game: TableContext, before: tuple[int, ...], answers: tuple[int, ...], streams: Streams | None
) -> ReferencePosition:
    """The game so far played again, and on from there: it tells what is wrong, or goes on where machine code is not
    sure."""
    with translate_faults(game.reading):
        state = begin_game(game.table).state
        for index in (*before, *answers):
            state = next_state(game.table, state, index)
        start: AnswerHistory[State] = AnswerHistory(None, before)
        return resolve_chance(game, start, answers, state, streams)
