"""What everybody remembers, told by machine code: plays answers again as blocks, and reads the views from them.

Every option, every place is put into words once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulesrun.interpreter.form.form import NOTHING
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.positions.blocks import Blocks
from rulesrun.interpreter.native.views.pausing import stops
from rulesrun.interpreter.native.views.view_text import ViewTexts, dumped, number_at
from rulesrun.interpreter.play.player_memory import is_at_once
from rulesrun.interpreter.play.step import Option, PlayerDecision, Sheet
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.records.recall import Observation, Recall, chose, heard
from rulesrun.records.remembered import Remembered
from rulesrun.records.traces import option_json

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
    """One table; all its positions share what has been put into words.

    `blocks` play; what everybody remembers is told by a machine that stops at every moment, which `compile_moments`
    makes when somebody asks for the first time.
    """

    blocks: Blocks
    compile_moments: Callable[[], Blocks]
    _moments: Blocks | None = field(init=False, default=None)
    _texts: ViewTexts | None = field(init=False, default=None)
    _options: dict[tuple[int, ...], tuple[Option, str]] = field(init=False, factory=dict)
    _offers: dict[bytes, Offered] = field(init=False, factory=dict)

    @property
    def moments(self) -> Blocks:
        if self._moments is None:
            self._moments = self.compile_moments()
        return self._moments

    @property
    def texts(self) -> ViewTexts:
        if self._texts is None:
            self._texts = ViewTexts(self.moments.positions)
        return self._texts

    def observed(self, remembered: Remembered[bytes], player: int) -> Observation:
        memory, recall = remembered.asked(self)
        offered = self.offered(memory)
        is_asked = offered is not None and offered.chooser in (TEAM, player)
        now = self.texts.of(memory)[player - 1]
        return recall.observed(player, now, offered.text if offered is not None and is_asked else None)

    def begun(self) -> tuple[bytes, Recall]:
        form = self.moments.positions.form
        start = bytes(form.start.values)[: form.plan.size]
        return self.going_on(start, Recall.empty(self.moments.positions.table))

    def followed(self, told: tuple[bytes, Recall], index: int) -> tuple[bytes, Recall]:
        memory, recall = told
        offered = self.offered(memory)
        if offered is not None:
            option = offered.options[index]
            announced = heard(offered.wait, offered.chooser, offered.is_together, option)
            recall = recall.told(offered.chooser, (offered.text, chose(option)), announced)
        with self.moments.space() as space:
            memory = space.positions.settled(memory, index)
        return self.going_on(memory, recall)

    def going_on(self, settled: bytes, recall: Recall) -> tuple[bytes, Recall]:
        """Moment by moment to the next question."""
        shown, questions = 0, self.moments.positions.asked
        with self.moments.space() as space:
            for number, memory in stops(space.positions, settled):
                asked = questions.get(number)
                if asked is None or not is_at_once(asked[1]):
                    recall, shown = self.looked(memory, self.moments.counted(space.told()), recall, shown)
        if (asked is None or isinstance(asked[1], DecisionWait)) and not self.is_among_others(memory):
            recall = recall.asked(self.texts.of(memory))
        return memory, recall

    def looked(self, memory: bytes, sheets: Sequence[Sheet], recall: Recall, before: int) -> tuple[Recall, int]:
        recall = recall.looked(sheets, self.texts.of(memory))
        shown = self.texts.shown(memory)
        for to, text in shown[before:]:
            if to != NOTHING:
                seats = range(1, self.moments.positions.table.players + 1)
                recall = recall.showed([text if to in {0, seat} else None for seat in seats])
        return recall, len(shown)

    def is_among_others(self, memory: bytes) -> bool:
        """Asked when others have chosen at the same moment."""
        asked = self.moments.asked(memory)
        return asked is not None and asked[0].at is not None and number_at(memory, asked[0].at) > 0

    # ---- options

    def offered(self, memory: bytes) -> Offered | None:
        """None where nobody chooses."""
        found = self._offers.get(memory)
        asked = self.moments.asked(memory)
        if found is None and asked is not None and isinstance(asked[1], DecisionWait):
            if len(self._offers) >= MOST_OFFERS:
                self._offers.clear()
            found = self._offers[memory] = self.worded(memory, asked[0].number, asked[1])
        return found

    def worded(self, memory: bytes, number: int, wait: DecisionWait) -> Offered:
        keys = [(number, *row) for row in self.moments.rows(memory)]
        known = self._options
        if any(key not in known for key in keys):
            if len(known) >= MOST_KNOWN:
                known.clear()
            question = self.moments.question(memory)
            assert isinstance(question, PlayerDecision)
            known.update(
                (key, (option, dumped(option_json(option)))) for key, option in zip(keys, question.options, strict=True)
            )
        found = [known[key] for key in keys]
        chooser = TEAM if wait.is_team else self.moments.player(memory)
        text = f'{{"offered": [{", ".join([text for _, text in found])}]}}'
        return Offered(
            chooser, self.moments.together(memory) is not None, wait, tuple(option for option, _ in found), text
        )
