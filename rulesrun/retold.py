"""What everybody remembers, told by machine code: plays answers again as blocks, and reads the views from them.

Every option, every place is put into words once.
"""

from __future__ import annotations

from attrs import define, field, frozen

from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.native.asked_games import STUCK
from rulesrun.interpreter.native.blocks import Blocks, Sheets
from rulesrun.interpreter.native.view_text import ViewTexts, dumped
from rulesrun.interpreter.step import Option, PlayerDecision
from rulesrun.interpreter.values import TEAM
from rulesrun.recall import Observation, Recall, chose, heard
from rulesrun.remembered import Remembered
from rulesrun.traces import option_json

MOST_KNOWN = 1 << 16  # options that are kept in words
MOST_OFFERS = 64  # decisions of which all options together are


@frozen(eq=False)
class Offered:
    """The options of a decision: all of them as the chooser is told, each with its words."""

    chooser: int
    is_together: bool
    wait: DecisionWait
    options: tuple[Option, ...]
    text: str


@define(eq=False)
class Retold:
    """One table; all its positions share what has been put into words."""

    blocks: Blocks
    _texts: ViewTexts | None = field(init=False, default=None)
    _options: dict[tuple[int, ...], tuple[Option, str]] = field(init=False, factory=dict)
    _offers: dict[bytes, Offered] = field(init=False, factory=dict)

    @property
    def texts(self) -> ViewTexts:
        if self._texts is None:
            self._texts = ViewTexts(self.blocks.positions)
        return self._texts

    def observed(self, remembered: Remembered[bytes], memory: bytes, player: int) -> Observation:
        _, recall = remembered.asked(self)
        offered = self.offered(memory)
        is_asked = offered is not None and offered.chooser in (TEAM, player)
        return recall.observed(player, offered.text if offered is not None and is_asked else None)

    def begun(self) -> tuple[bytes, Recall]:
        memory, _, sheets, _, _ = self.blocks.begin()
        return self.seen(memory, sheets, Recall.empty(self.blocks.positions.table))

    def followed(self, told: tuple[bytes, Recall], index: int) -> tuple[bytes, Recall]:
        memory, recall = told
        offered = self.offered(memory)
        if offered is not None:
            option = offered.options[index]
            announced = heard(offered.wait, offered.chooser, offered.is_together, option)
            recall = recall.told(offered.chooser, (offered.text, chose(option)), announced)
        memory, amount, sheets = self.blocks.followed(memory, index, b"")
        assert amount != STUCK  # it has been there before
        return self.seen(memory, sheets, recall)

    def seen(self, memory: bytes, sheets: Sheets, recall: Recall) -> tuple[bytes, Recall]:
        return memory, recall.seeing(self.blocks.counted(sheets), self.texts.of(memory))

    # ---- options

    def offered(self, memory: bytes) -> Offered | None:
        """None where nobody chooses."""
        found = self._offers.get(memory)
        asked = self.blocks.asked(memory)
        if found is None and asked is not None and isinstance(asked[1], DecisionWait):
            if len(self._offers) >= MOST_OFFERS:
                self._offers.clear()
            found = self._offers[memory] = self.worded(memory, asked[0].number, asked[1])
        return found

    def worded(self, memory: bytes, number: int, wait: DecisionWait) -> Offered:
        keys = [(number, *row) for row in self.blocks.rows(memory)]
        known = self._options
        if any(key not in known for key in keys):
            if len(known) >= MOST_KNOWN:
                known.clear()
            question = self.blocks.question(memory)
            assert isinstance(question, PlayerDecision)
            known.update(
                (key, (option, dumped(option_json(option)))) for key, option in zip(keys, question.options, strict=True)
            )
        found = [known[key] for key in keys]
        chooser = TEAM if wait.is_team else self.blocks.player(memory)
        text = f'{{"offered": [{", ".join([text for _, text in found])}]}}'
        return Offered(
            chooser, self.blocks.together(memory) is not None, wait, tuple(option for option, _ in found), text
        )
