"""Games that a seat cannot tell apart, played through a session: every byte to that seat must be the same.

A recorded game is played again with two components swapped wherever they are drawn and chosen. What a seat remembers
is numbered by `PlayerMemories`, which knows nothing of sessions and messages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any

from attrs import define, field

from rulesrun.files.loading import Reading
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER
from rulesrun.interpreter.play.player_memory import PlayerMemories
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    PlayerDecision,
    next_step,
    pending_decision,
    start_state,
)
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.traces import option_json
from rulesrun.table.session import Session

Answer = tuple[str, Any]  # "chance" and what came, "option" and what was chosen
Numbers = list[tuple[bool, int]]  # whether it is chance's; the number of the option, or the number thrown


class Unlike(Exception):
    """The swapped game cannot be played."""


class ForcedChance(Streams):
    """Gives the numbers that a record says; a bot draws beside it."""

    def __init__(self, numbers: list[int], at: int = 0) -> None:
        super().__init__(1)
        self.numbers, self.at = numbers, at

    def random_below(self, limit: int, source: str) -> int:
        self.at += 1
        assert self.numbers[self.at - 1] < limit
        return self.numbers[self.at - 1]

    def stream_states(self) -> dict[str, int]:
        return {"at": self.at}

    def resume_at(self, marks: Mapping[str, int]) -> ForcedChance:
        return ForcedChance(self.numbers, marks.get("at", self.at))


def record_game(table: Table, seed: int, limit: int) -> list[Answer]:
    """A random game, as far as so many answers, and on to the next decision."""
    chance, state = Random(seed), start_state(table)
    found: list[Answer] = []
    while not isinstance(question := pending_decision(table, state), GameOver):
        if len(found) >= limit and isinstance(question, PlayerDecision):
            break
        if isinstance(question, ChanceDecision):
            index = question.index_at_weight(chance.randrange(question.total))
            found.append(("chance", question.outcome(index)))
        else:
            index = chance.randrange(len(question))
            found.append(("option", option_json(question.options[index])))
        state = next_step(table, state, index).state
    return found


def swap_names(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [swap_names(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


def number_answers(table: Table, answers: list[Answer], names: Mapping[str, str]) -> Numbers:
    """The record with names exchanged, as the table takes it: as far as the game goes the same way, and there to the
    last decision."""
    state, asked = start_state(table), 0
    found: Numbers = []
    for what, value in answers:
        question = pending_decision(table, state)
        index, number = -1, -1
        if isinstance(question, ChanceDecision) and what == "chance":
            wanted = swap_names(value, names) if question.what in ("draw", "order") else value
            came = question.index_of(wanted)
            if came is None:
                return found[:asked]
            index, number = came, sum(question.weight(one) for one in range(came)) if question.what != "order" else came
        elif isinstance(question, PlayerDecision) and what == "option":
            asked = len(found)
            try:
                index = number = find_option(question, value, names)
            except Unlike:
                return found
        else:
            return found if isinstance(question, PlayerDecision) else found[:asked]
        found.append((what == "chance", number))
        state = next_step(table, state, index).state
    return found[:asked] if isinstance(pending_decision(table, state), ChanceDecision) else found


def choose_otherwise(table: Table, answers: list[Answer], chance: Random) -> Numbers:
    """The record with one other choice, as far as the answers behind it can be given."""
    at = chance.choice([number for number, (what, _) in enumerate(answers) if what == "option"])
    found: Numbers = []
    state, asked = start_state(table), 0
    for number, (what, value) in enumerate(answers):
        question = pending_decision(table, state)
        if isinstance(question, PlayerDecision) and what == "option":
            asked = number
            try:
                index = chance.randrange(len(question)) if number == at else find_option(question, value, {})
            except Unlike:
                return found
            found.append((False, index))
        elif isinstance(question, ChanceDecision) and what == "chance" and question.what not in ("draw", "order"):
            came = question.index_of(value)
            assert came is not None
            index = came
            found.append((True, sum(question.weight(one) for one in range(index))))
        else:
            return found[:asked]
        state = next_step(table, state, index).state
    return found[:asked] if isinstance(pending_decision(table, state), ChanceDecision) else found


def find_option(question: PlayerDecision, value: dict[str, Any], names: Mapping[str, str]) -> int:
    wanted = {key: one if key == "action" else swap_names(one, names) for key, one in value.items()}
    alike = {json.dumps(canonical(option_json(one))): number for number, one in enumerate(question.options)}
    found = alike.get(json.dumps(canonical(wanted)))
    if found is None:
        raise Unlike
    return found


def canonical(option: dict[str, Any]) -> dict[str, Any]:
    return {key: sorted(one) if isinstance(one, list) else one for key, one in option.items()}


def memories_along(table: Table, memories: PlayerMemories, numbers: Numbers) -> Iterator[tuple[Any, ...]]:
    """What everybody remembers before each decision, the options of who is asked included; last at the end. Inside of a
    choice made together nothing is given."""
    S, known = table.new_slots(), memories.empty_memories()
    at, before, asked = 0, known, known
    while True:
        wait, known = memories.run_to_question(S, known)
        if isinstance(wait, DecisionWait):
            is_first = not isinstance(wait, TogetherWait) or not S[wait.chosen]
            if is_first:
                before, told = known, asked_memories(table, memories, wait, S, known)
                yield told
            asked = memories.remember_options(before, S[OPTIONS])
        elif not isinstance(wait, ChanceWait):
            question = pending_decision(table, table.to_state(S))
            assert isinstance(question, GameOver)
            yield tuple((one, repr(question)) for one in known)
            return
        if at == len(numbers):
            return
        is_chance, number = numbers[at]
        at += 1
        if isinstance(wait, ChanceWait):
            wait.apply_answer(S, wait.outcome_at(S, number))
            continue
        assert isinstance(wait, DecisionWait)
        assert not is_chance
        value = S[OPTIONS][number]
        if isinstance(wait, TogetherWait):
            known = memories.remember_own_choice(known, asked, S[PLAYER], value)
        else:
            choosers = tuple(range(1, table.players + 1)) if wait.is_team else (S[PLAYER],)
            known = memories.remember_choice(known, asked, choosers, wait, value)
        wait.apply_answer(S, value)


def asked_memories(table: Table, memories: PlayerMemories, wait: DecisionWait, S: Any, known: Any) -> tuple[Any, ...]:
    """Who is asked knows the options, too."""
    if not isinstance(wait, TogetherWait):
        asked = memories.remember_options(known, S[OPTIONS])
        chooser = wait.chooser(S)
        return tuple(
            ("asked", asked[seat - 1]) if chooser in (0, seat) else one for seat, one in enumerate(known, 1)
        )
    found = list(known)
    for seat in S[wait.seats]:
        own = S.copy()
        own[PLAYER] = seat
        options = wait.list_options(own)
        if options:
            found[seat - 1] = ("asked", memories.remember_options(known, options)[seat - 1])
    return tuple(found)


@define(eq=False)
class SeatLedger:
    """For every seat and everything that it may remember: the bytes that it was sent, which must be one."""

    reading: Reading
    table: Table
    options: Mapping[str, Any] = field(factory=dict)
    memories: PlayerMemories = field(init=False)
    sent: dict[tuple[int, Any], tuple[bytes, str]] = field(init=False, factory=dict)  # a digest of all, the end of it
    positions: dict[tuple[int, Any], set[int]] = field(init=False, factory=dict)  # their hashes
    differences: list[str] = field(init=False, factory=list)
    compared: int = field(init=False, default=0)  # positions that a seat could not tell from one before
    futures: dict[tuple[int, Any], set[tuple[int, ...]]] = field(init=False, factory=dict)  # what chance brought later
    foretold: int = field(init=False, default=0)  # how often that was otherwise than before

    def __attrs_post_init__(self) -> None:
        self.memories = PlayerMemories(self.table)

    def follow(self, numbers: Numbers) -> None:
        """One game through a session; what each seat was sent is noted before each decision."""
        session = self.open_session(numbers)
        sent = [""] * (self.table.players + 1)
        since = [0] * (self.table.players + 1)
        at = 0
        for told in memories_along(self.table, self.memories, numbers):
            self.note_all(session, told, sent, since)
            at = self.answer(session, numbers, at, partial(self.note_together, session, sent, since), told)

    def note_together(self, session: Session, sent: list[str], since: list[int], told: tuple[Any, ...]) -> None:
        self.note_all(session, told, sent, since)

    def note_all(self, session: Session, told: tuple[Any, ...], sent: list[str], since: list[int]) -> None:
        for seat in range(self.table.players + 1):
            messages = session.feed(seat, since[seat])
            since[seat] += len(messages)
            sent[seat] += json.dumps(messages, ensure_ascii=False) if messages else ""
            if seat:
                self.note(seat, told[seat - 1], sent[seat] + self.refusals(session, seat), session)
                self.note(0, (seat, told[seat - 1]), sent[0], session)  # who watches knows no more than any player

    def open_session(self, numbers: Numbers) -> Session:
        forced = ForcedChance([number for is_chance, number in numbers if is_chance])
        return Session.open(
            self.reading, self.table.players, {}, dict(self.options), engine="reference", chance=forced
        )

    def answer(
        self, session: Session, numbers: Numbers, at: int, look: Callable[[tuple[Any, ...]], None],
        told: tuple[Any, ...],
    ) -> int:
        """The next decision, of all who are asked at once. While some of them still think, nobody knows more than its
        own choice, and how many have chosen."""
        while at < len(numbers) and numbers[at][0]:
            at += 1
        asking = session._course.asking
        if asking is None or at == len(numbers):
            return at
        own: dict[int, int] = {}
        for seat in asking.decisions:
            if own:
                look(tuple((one, len(own), own.get(who)) for who, one in enumerate(told, 1)))
            if at == len(numbers):
                break
            own[seat] = numbers[at][1]
            who = seat or session.waiting_for()[0]
            open_one = session.open_question(who)
            assert open_one is not None
            reply = session.answer(who, open_one["question"], numbers[at][1])
            assert reply["accepted"], reply
            at += 1
        return at

    def refusals(self, session: Session, seat: int) -> str:
        """What it is told when it tries what it may not."""
        said: list[Any] = [session.answer(seat, 10_000, 0), session.answer(seat, 1, 77_777)]
        for action, arguments in attempts(self.table):
            said.append(session.why_not(seat, action, arguments))
        said.append(session.agree(seat, True))
        said.append(session.undo(seat) if session._undo_kind(seat) == "no" else None)
        return json.dumps(said, ensure_ascii=False)

    def note(self, seat: int, memory: Any, sent: str, session: Session) -> None:
        key = seat, memory
        known = self.sent.setdefault(key, told := (sha256(sent.encode()).digest(), sent[-600:]))
        if known[0] != told[0]:
            self.differences.append(f"seat {seat}: …{known[1]} | …{told[1]}")
        position = hash((session._course.state, tuple(session._chosen.items())))
        alike = self.positions.setdefault(key, set())
        self.compared += bool(alike) and position not in alike
        alike.add(position)
        chance = session._course.streams
        assert isinstance(chance, ForcedChance)
        later, futures = tuple(chance.numbers[chance.at :]), self.futures.setdefault(key, set())
        self.foretold += bool(futures) and later not in futures
        futures.add(later)

    def ambiguous(self) -> int:
        """How many memories go with more than one position."""
        return sum(len(states) > 1 for states in self.positions.values())


def asked_names(table: Table) -> list[str]:
    return [name for kinds in table.bench.kinds.values() for name in (kinds.names[0], kinds.names[-1])]


def attempts(table: Table) -> list[tuple[str, dict[str, Any]]]:
    """Every action with the first and last components, whoever holds them."""

    names = asked_names(table)
    found: list[tuple[str, dict[str, Any]]] = [("fly", {})]
    for action in table.bench.actions:
        choices = [one.name.text for one in action.choices]
        found += [(action.name.text, dict.fromkeys(choices, value)) for value in (*names[:2], 1)]
    return found


def play_until_compared(ledger: SeatLedger, positions: int, games: int, swaps: int, limit: int) -> None:
    """Games until so many positions were compared that a seat cannot tell apart, or a leak was found."""
    for seed in range(games):
        if ledger.compared >= positions or ledger.differences:
            return
        play_alike(ledger, seed, swaps, limit)


def joint_choices(table: Table, numbers: Numbers) -> Iterator[tuple[int, int]]:
    """Where the first of several who choose at once chooses, and among how many."""
    state = start_state(table)
    for at, (is_chance, number) in enumerate(numbers):
        question, wait = pending_decision(table, state), table.waits[state.slots[PC]]
        if isinstance(wait, TogetherWait) and not state.slots[wait.chosen]:
            yield at, len(question)  # type: ignore[arg-type]
        index = question.index_at_weight(number) if is_chance and isinstance(question, ChanceDecision) else number
        state = next_step(table, state, index).state


def play_alike(ledger: SeatLedger, seed: int, swaps: int, limit: int) -> None:
    """A random game; the same with components exchanged; the same as far as somebody chooses something else while the
    others still think."""
    chance = Random(seed)
    record = record_game(ledger.table, seed, limit)
    numbers = number_answers(ledger.table, record, {})
    ledger.follow(numbers)
    for at, amount in list(joint_choices(ledger.table, numbers))[: 2 * swaps]:
        ledger.follow([*numbers[:at], (False, chance.randrange(amount))])
    names = [name for kinds in ledger.table.bench.kinds.values() for name in kinds.names]
    if not names:
        for _ in range(swaps):
            ledger.follow(choose_otherwise(ledger.table, record, chance))
    came = {one for what, value in record if what == "chance" for one in drawn_names(value)}
    drawn = sorted(came & {*names}) or names
    asked = asked_names(ledger.table)  # what is asked for must be among what is exchanged: every other time
    for number in range(swaps if names else 0):
        one, other = chance.choice(asked if number % 2 else drawn), chance.choice(names)
        if len(exchanged := number_answers(ledger.table, record, {one: other, other: one})) > 1:
            ledger.follow(exchanged)


def drawn_names(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)]
