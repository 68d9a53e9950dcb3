"""What everybody remembers, told by machine code: plays answers again as blocks, and reads the views from them.

Every option, every place is put into words once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulesrun.interpreter.form.form import NOTHING
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.positions.blocks import Blocks
from rulesrun.interpreter.native.views.pausing import iterate_pauses
from rulesrun.interpreter.native.views.view_text import ViewTexts, dump_json, read_number
from rulesrun.interpreter.play.player_memory import is_seen_at_once
from rulesrun.interpreter.play.step import Option, PlayerDecision, Sheet
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.records.recall import AnswerHistory, Observation, Recall, chosen_entry, heard_entries
from rulesrun.records.traces import option_json

MOST_KNOWN = 1 << 16  # options that are kept in words
MOST_OFFERS = 64  # decisions of which all options together are


@frozen(eq=False)
class OfferedOptions:
    """The options of a decision: all of them as the chooser is told, each with its words."""

    chooser: int
    is_together: bool
    wait: DecisionWait
    options: tuple[Option, ...]
    text: str


@define(eq=False)
class NativeRecall:
    """One table; all its positions share what has been put into words.

    `blocks` play; what everybody remembers is told by a machine that stops at every moment, which `compile_moments`
    makes when somebody asks for the first time.
    """

    blocks: Blocks
    compile_moments: Callable[[], Blocks]
    _moments: Blocks | None = field(init=False, default=None)
    _texts: ViewTexts | None = field(init=False, default=None)
    _options: dict[tuple[int, ...], tuple[Option, str]] = field(init=False, factory=dict)
    _offers: dict[bytes, OfferedOptions] = field(init=False, factory=dict)

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

    def observe(self, remembered: AnswerHistory[bytes], player: int) -> Observation:
        memory, recall = remembered.replay_with(self)
        offered = self.offered_options(memory)
        is_asked = offered is not None and offered.chooser in (TEAM, player)
        now = self.texts.write_all_sights(memory)[player - 1]
        return recall.make_observation(player, now, offered.text if offered is not None and is_asked else None)

    def begin_game(self) -> tuple[bytes, Recall]:
        form = self.moments.positions.form
        start = bytes(form.start.values)[: form.plan.size]
        return self.run_to_question(start, Recall.empty(self.moments.positions.table))

    def follow_answer(self, told: tuple[bytes, Recall], index: int) -> tuple[bytes, Recall]:
        memory, recall = told
        offered = self.offered_options(memory)
        if offered is not None:
            option = offered.options[index]
            announced = heard_entries(offered.wait, offered.chooser, offered.is_together, option)
            recall = recall.with_announcement(offered.chooser, (offered.text, chosen_entry(option)), announced)
        with self.moments.borrow_memory() as space:
            memory = space.positions.apply_answer(memory, index)
        return self.run_to_question(memory, recall)

    def run_to_question(self, settled: bytes, recall: Recall) -> tuple[bytes, Recall]:
        """Moment by moment to the next question."""
        shown, questions = 0, self.moments.positions.questions_by_number
        with self.moments.borrow_memory() as space:
            for number, memory in iterate_pauses(space.positions, settled):
                asked = questions.get(number)
                if asked is None or not is_seen_at_once(asked[1]):
                    recall, shown = self.add_moment(
                        memory, self.moments.to_reference_sheets(space.read_sheet_bytes()), recall, shown
                    )
        if (asked is None or isinstance(asked[1], DecisionWait)) and not self.is_asked_among_others(memory):
            recall = recall.with_question(self.texts.write_all_sights(memory))
        return memory, recall

    def add_moment(self, memory: bytes, sheets: Sequence[Sheet], recall: Recall, before: int) -> tuple[Recall, int]:
        recall = recall.with_moment(sheets, self.texts.write_all_sights(memory))
        shown = self.texts.shown_texts(memory)
        for to, text in shown[before:]:
            if to != NOTHING:
                seats = range(1, self.moments.positions.table.players + 1)
                recall = recall.with_shown([text if to in {0, seat} else None for seat in seats])
        return recall, len(shown)

    def is_asked_among_others(self, memory: bytes) -> bool:
        """Asked when others have chosen at the same moment."""
        asked = self.moments.question_at(memory)
        return asked is not None and asked[0].at is not None and read_number(memory, asked[0].at) > 0

    # ---- options

    def offered_options(self, memory: bytes) -> OfferedOptions | None:
        """None where nobody chooses."""
        found = self._offers.get(memory)
        asked = self.moments.question_at(memory)
        if found is None and asked is not None and isinstance(asked[1], DecisionWait):
            if len(self._offers) >= MOST_OFFERS:
                self._offers.clear()
            found = self._offers[memory] = self.describe_options(memory, asked[0].number, asked[1])
        return found

    def describe_options(self, memory: bytes, number: int, wait: DecisionWait) -> OfferedOptions:
        keys = [(number, *row) for row in self.moments.option_rows(memory)]
        known = self._options
        if any(key not in known for key in keys):
            if len(known) >= MOST_KNOWN:
                known.clear()
            question = self.moments.describe_question(memory)
            assert isinstance(question, PlayerDecision)
            known.update(
                (key, (option, dump_json(option_json(option))))
                for key, option in zip(keys, question.options, strict=True)
            )
        found = [known[key] for key in keys]
        chooser = TEAM if wait.is_team else self.moments.player(memory)
        text = f'{{"offered": [{", ".join([text for _, text in found])}]}}'
        return OfferedOptions(
            chooser, self.moments.together_seats(memory) is not None, wait, tuple(option for option, _ in found), text
        )
