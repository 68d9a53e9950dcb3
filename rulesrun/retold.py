"""What everybody remembers, told by machine code: plays answers again as blocks, and reads the views from them."""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.native.asked_games import STUCK
from rulesrun.interpreter.native.blocks import Blocks, Sheets
from rulesrun.interpreter.native.view_text import ViewTexts
from rulesrun.interpreter.step import PlayerDecision
from rulesrun.recall import Observation, Recall
from rulesrun.remembered import Remembered


@define(eq=False)
class Retold:
    """One table; all its positions share what has been put into words."""

    blocks: Blocks
    _texts: ViewTexts | None = field(init=False, default=None)

    @property
    def texts(self) -> ViewTexts:
        if self._texts is None:
            self._texts = ViewTexts(self.blocks.positions)
        return self._texts

    def observed(self, remembered: Remembered[bytes], memory: bytes, player: int) -> Observation:
        _, recall = remembered.asked(self)
        return recall.observation(self.blocks.question(memory), player)

    def begun(self) -> tuple[bytes, Recall]:
        memory, _, sheets, _, _ = self.blocks.begin()
        return self.seen(memory, sheets, Recall.empty(self.blocks.positions.table))

    def followed(self, told: tuple[bytes, Recall], index: int) -> tuple[bytes, Recall]:
        memory, recall = told
        asked = self.blocks.asked(memory)
        if asked is not None and isinstance(asked[1], DecisionWait):
            question = self.blocks.question(memory)
            assert isinstance(question, PlayerDecision)
            recall = recall.chosen(asked[1], question, index)
        memory, amount, sheets = self.blocks.followed(memory, index, b"")
        assert amount != STUCK  # it has been there before
        return self.seen(memory, sheets, recall)

    def seen(self, memory: bytes, sheets: Sheets, recall: Recall) -> tuple[bytes, Recall]:
        return memory, recall.seeing(self.blocks.counted(sheets), self.texts.of(memory))
