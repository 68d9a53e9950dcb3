"""A position in machine code: a flat block of bytes. Answers as the reference's position does, only sooner.

Where machine code leaves a game to the reference, so does it: the answers since the beginning are played again.
"""

from __future__ import annotations

from attrs import frozen

from rulesrun.api.errors import faults_told
from rulesrun.api.moves import Answers, Asked, Chance, Decision, End
from rulesrun.api.position import Game, Position, ReferencePosition, settled
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import TEAM, Fault, State
from rulesrun.interpreter.native.flow.asked_games import STUCK
from rulesrun.interpreter.native.positions.blocks import Sheets
from rulesrun.interpreter.play.step import advance, begin
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.records.native_memory import Retold
from rulesrun.records.recall import Observation
from rulesrun.records.remembered import Remembered, Told, answers_of

END = End()


@frozen(eq=False, repr=False)
class NativePosition(Position):
    """`luck`: with a seed, how far each stream of chance has come."""

    _retold: Retold
    _memory: bytes
    _amount: int
    _sheets: Sheets
    _seed: int | None
    _luck: bytes | None

    @staticmethod
    def begun(game: Game, retold: Retold, seed: int | None) -> Position:
        try:
            memory, amount, sheets, luck, answers = retold.blocks.begin(seed)
        except Fault:
            amount = STUCK
        if amount == STUCK:
            return by_reference(game, (), (), None if seed is None else Streams(seed))
        start: Remembered[bytes] = Remembered()
        remembered = start.then(answers) if answers else start
        return NativePosition(game, remembered, retold, memory, amount, sheets, seed, None if seed is None else luck)

    @property
    def engine(self) -> str:
        return "native"

    @property
    def pending(self) -> Decision | Chance | End:
        blocks = self._retold.blocks
        asked = blocks.asked(self._memory)
        if asked is None:
            return END
        _, wait = asked
        if isinstance(wait, TogetherWait):
            return Decision(blocks.player(self._memory), blocks.together(self._memory) or ())
        if isinstance(wait, DecisionWait):
            return Decision(TEAM if wait.is_team else blocks.player(self._memory))
        assert isinstance(wait, ChanceWait)
        return Chance(wait.what, *blocks.places(self._memory, wait))

    def legal(self) -> Answers:
        return Answers(self._amount, self._question)

    def _held(self) -> tuple[bytes, Sheets]:
        return self._retold.blocks.sameness.of(self._memory), self._sheets

    def _question(self) -> Asked:
        return self._retold.blocks.question(self._memory)

    def _after(self, index: int) -> Position:
        if not 0 <= index < self._amount:
            raise self._refused()
        if self._luck is not None:
            return self._after_with_luck(index)
        retold = self._retold
        memory, amount, sheets = retold.blocks.followed(self._memory, index, self._sheets)
        if amount == STUCK:
            return self._by_reference(index)
        return NativePosition(
            self._game, self._remembered.then((index,)), retold, memory, amount, sheets, None, None
        )

    def _after_with_luck(self, index: int) -> Position:
        assert self._seed is not None
        assert self._luck is not None
        retold = self._retold
        memory, amount, sheets, luck, answers = retold.blocks.followed_with_luck(
            self._memory, index, self._luck, self._sheets, self._seed
        )
        if amount == STUCK:
            return self._by_reference(index)
        return NativePosition(
            self._game, self._remembered.then(answers), retold, memory, amount, sheets, self._seed, luck
        )

    def _by_reference(self, index: int) -> Position:
        seed, marks = self._chance()
        streams = None if seed is None else Streams(seed).resumed(marks)
        return by_reference(self._game, answers_of(self._remembered.path), (index,), streams)

    def _observed(self, player: int) -> Observation:
        try:
            return self._retold.observed(self._remembered, player)
        except CannotCompile:
            return self._game.by_reference.observed(self._told(), self._question(), player)

    def _told(self) -> Told:
        played: Remembered[State] = Remembered(None, answers_of(self._remembered.path))
        return played.asked(self._game.by_reference)

    def _chance(self) -> tuple[int | None, dict[str, int]]:
        if self._seed is None or self._luck is None:
            return None, {}
        return self._seed, self._retold.blocks.marks(self._luck, self._seed)


def by_reference(
    game: Game, before: tuple[int, ...], answers: tuple[int, ...], streams: Streams | None
) -> ReferencePosition:
    """The game so far played again, and on from there: it tells what is wrong, or goes on where machine code is not
    sure."""
    with faults_told(game.reading):
        state = begin(game.table).state
        for index in (*before, *answers):
            state = advance(game.table, state, index)
        start: Remembered[State] = Remembered(None, before)
        return settled(game, start, answers, state, streams)
