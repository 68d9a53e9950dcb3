"""A table in a file, to go on with later: a line on where the rules are, then a line for each event."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.text.messages import message, template
from rulesrun.files.atomic_files import translate_write_errors, write_atomically
from rulesrun.files.loading import Reading, read_playable
from rulesrun.files.sources import bundled_names, read_trace
from rulesrun.files.user_folders import find_data_folder
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS, OPTIONS, Fault, RefusedTable
from rulesrun.interpreter.play.properties import BrokenProperty, PropertyGuard
from rulesrun.interpreter.play.step import ChanceDecision, GameOver, next_state, pending_decision, start_state
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.records.traces import option_json
from rulesrun.table.session import BrokenEvents, Session
from rulesrun.terminal.output import one_line_json
from rulesrun.terminal.trouble import Trouble

VERSION = 1


@frozen(eq=False)
class SavedTable:
    """`rules` and `variants`: as they were asked for."""

    rules: str
    variants: tuple[str, ...]
    events: tuple[dict[str, object], ...]

    def restore(self) -> Session:
        reading = read_playable(self.rules, self.variants)
        return Session.restore(reading, self.events)


def save_table(path: str, session: Session, rules: str, variants: Sequence[str]) -> None:
    where = os.path.abspath(rules) if os.path.exists(rules) else rules
    with translate_write_errors(path):
        write_atomically(path, _table_lines(session, where, variants))


def keep_unfinished_table(session: Session, rules: str, variants: Sequence[str]) -> str:
    """Beside the user's other data, under a name that is free; the name."""
    folder = find_data_folder() or Path(tempfile.gettempdir())
    stem = Path(rules).name.removesuffix(".rules")
    names = (f"{stem}.game" if number == 1 else f"{stem}-{number}.game" for number in count(1))
    path = next(folder / "unfinished" / name for name in names if not (folder / "unfinished" / name).exists())
    with translate_write_errors(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
    save_table(str(path), session, rules, variants)
    return str(path)


def _table_lines(session: Session, rules: str, variants: Sequence[str]) -> Iterator[str]:
    yield one_line_json({"saved": VERSION, "rules": rules, "with": list(variants)}) + "\n"
    for event in session.events():
        yield one_line_json(event) + "\n"


def find_saved_table(path: str) -> SavedTable | None:
    """None where the file is no saved table."""
    if not os.path.isfile(path):
        return None
    lines = [line for line in read_trace(path).split("\n") if line.strip()]
    try:
        head = json.loads(lines[0]) if lines and lines[0].startswith("{") else {}
        if not isinstance(head, dict) or head.get("saved") != VERSION:
            return None
        return SavedTable(str(head["rules"]), tuple(map(str, head["with"])), tuple(map(json.loads, lines[1:])))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def restore_table(saved: SavedTable, path: str) -> Session:
    try:
        return saved.restore()
    except (BrokenEvents, KeyError, TypeError, ValueError) as reason:
        raise Trouble(message(
            "{file}: this game cannot be continued: {reason}",
            file=path, reason=str(reason))) from None


# ---- recorded games
# A trace, or the story of a failing game, as a table that can be watched: every step from every seat's eyes.


Json = Mapping[str, Any]


class RecordedChance(Streams):
    """What came in a recorded game, in its order."""

    def __init__(self, numbers: Sequence[int], at: int = 0) -> None:
        super().__init__(0)
        self.numbers, self.at = numbers, at

    def random_below(self, limit: int, source: str) -> int:
        self.at += 1
        return self.numbers[self.at - 1] if self.at <= len(self.numbers) else 0

    def stream_states(self) -> dict[str, int]:
        return {"at": self.at}

    def resume_at(self, marks: Mapping[str, int]) -> RecordedChance:
        return RecordedChance(self.numbers, marks.get("at", self.at))


@define(eq=False)
class RecordedGame:
    """`marks`: after each step, how many messages each seat had been sent (0: who watches); `broken`: the properties
    that a step breaks."""

    session: Session
    marks: list[tuple[int, ...]] = field(factory=list)
    broken: dict[int, list[BrokenProperty]] = field(factory=dict)

    def note_step(self, broken: Mapping[int, Sequence[BrokenProperty]]) -> None:
        """`broken`: by how many decisions had been made."""
        known = [one for some in self.broken.values() for one in some]
        for made in sorted(broken):
            if made <= self.session.decisions:
                new = [one for one in broken[made] if one not in known]
                if new:
                    self.broken.setdefault(len(self.marks), []).extend(new)
        self.marks.append(tuple(map(self.session.last_number, range(self.session.players + 1))))


@frozen(eq=False)
class Record:
    """The events of a trace, and where its rules are."""

    events: tuple[Json, ...]
    name: str

    def read_rules(self, rules: str | None, variants: Sequence[str]) -> Reading:
        """Those that were named, else those of the trace: beside it, or bundled."""
        start = self.events[0]
        asked = rules if rules is not None else self._find_rules(str(start.get("file", "")))
        laid = tuple(variants) or tuple(map(str, start.get("with", ())))
        reading = read_playable(asked, laid)
        if start.get("rules") != f"sha256:{reading.digest}":
            text = template("{trace}: this was recorded with rules other than `{rules}`; give its rules first")
            raise Trouble(message(text, trace=self.name, rules=asked))
        return reading

    def _find_rules(self, file: str) -> str:
        beside = os.path.join(os.path.dirname(self.name), os.path.basename(file))
        if os.path.isfile(beside):
            return beside
        short = os.path.basename(file).removesuffix(".rules")
        found = [name for name in bundled_names() if os.path.basename(name) == short]
        if not found:
            text = template(
                "{trace}: its rules `{file}` are not beside it; give them first: `rulesrun play RULES {trace}`"
            )
            raise Trouble(message(text, trace=self.name, file=file))
        return found[0]

    def play(self, reading: Reading) -> RecordedGame:
        table = self._set_up_table(reading)
        numbers = list(self._number_answers(table))
        chance = RecordedChance([number for is_chance, number in numbers if is_chance])
        session = Session.open(
            reading, table.players, {}, dict(table.options), engine="reference", chance=chance
        )
        game, broken = RecordedGame(session), find_broken_properties(table, numbers)
        game.note_step(broken)
        left = [number for is_chance, number in numbers if not is_chance]
        while left and not session.is_over:
            for seat in session.waiting_for()[:1] if session.asks_team else session.waiting_for():
                question = session.open_question(seat)
                if left and question is not None:
                    session.answer(seat, question["question"], left.pop(0))
            game.note_step(broken)
        return game

    def _set_up_table(self, reading: Reading) -> Table:
        assert reading.program is not None
        try:
            return set_up_table(reading.program, self.events[0]["players"], self.events[0]["options"])
        except (RefusedTable, KeyError, TypeError) as reason:
            raise Trouble(message(
                "{trace}: this is not a trace: {reason}",
                trace=self.name, reason=str(reason))) from None

    def _number_answers(self, table: Table) -> Iterator[tuple[bool, int]]:
        """Of each answer whether it is chance's, and its number as a table takes it; as far as the rules go along."""
        state = start_state(table)
        for event in self.events[1:]:
            if event.get("event") not in ("chance", "decision"):
                continue
            question = pending_decision(table, state)
            index: int | None = None
            if isinstance(question, ChanceDecision):
                index = question.index_of(event["outcome"]) if "outcome" in event else None
            elif not isinstance(question, GameOver):
                options = [option_json(one) for one in question.options]
                index = options.index(event["chosen"]) if event.get("chosen") in options else None
            if index is None:
                text = template("{trace}: event {number} does not follow the rules; `rulesrun replay` says more")
                raise Trouble(message(text, trace=self.name, number=event.get("i", "?")))
            if isinstance(question, ChanceDecision) and question.what != "order":
                yield True, sum(map(question.weight, range(index)))
            else:
                yield isinstance(question, ChanceDecision), index
            try:
                state = next_state(table, state, index)
            except Fault:
                return


def find_broken_properties(table: Table, numbers: Sequence[tuple[bool, int]]) -> dict[int, list[BrokenProperty]]:
    """Those that a recorded game breaks, by how many decisions had been made."""
    guard, S, left = PropertyGuard(table), table.new_slots(), list(numbers)
    S[EVENTS] = []
    found: dict[int, list[BrokenProperty]] = {}
    made = known = 0

    def note_broken() -> None:
        nonlocal known
        if len(guard.broken) > known:
            found.setdefault(made, []).extend(list(guard.broken.values())[known:])
            known = len(guard.broken)

    try:
        while True:
            wait = table.run_to_question(S)
            if isinstance(wait, ChanceWait):
                if not left:
                    return found
                wait.apply_answer(S, wait.outcome_at(S, left.pop(0)[1]))
                continue
            guard.check_position(S, at_end=isinstance(wait, EndWait))
            note_broken()
            if not isinstance(wait, DecisionWait) or not left:
                return found
            wait.apply_answer(S, S[OPTIONS][left.pop(0)[1]])
            made += 1
    except Fault:
        guard.note_events(S[EVENTS])
        note_broken()
        return found


def find_record(path: str) -> Record | None:
    """None where the file is no trace."""
    if not os.path.isfile(path):
        return None
    lines = [line for line in read_trace(path).split("\n") if line.strip()]
    if not lines or not lines[0].startswith("{"):
        return None
    try:
        events = tuple(json.loads(line) for line in lines)
    except (ValueError, RecursionError):
        return None
    is_trace = all(isinstance(one, dict) for one in events) and events[0].get("event") == "start"
    return Record(events, path) if is_trace else None
