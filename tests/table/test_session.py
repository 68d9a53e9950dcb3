"""Whole games through a session: the same as anywhere else, restored event by event, refused in the rules' words."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.records.bot_traces import trace_seated_game
from rulesrun.run.seats import make_bots
from rulesrun.table.seated_bots import NoSuchBot
from rulesrun.table.session import BrokenEvents, Session
from rulesrun.table.session_traces import trace_session
from tests.table.games import all_tables, decisions_of, reading_of, recorded_game, table_of

FEW = [("classics/kuhn", 2), ("classics/leduc", 2), ("classics/tic_tac_toe", 2), ("classics/rock_paper_scissors", 2),
       ("zero", 2), ("the_game", 1), ("collection", 2), ("gallery/durak", 2)]  # fmt: skip


def question_of(session: Session, seat: int) -> Any:
    return session.open_question(seat)


def open_session(
    name: str, players: int, seed: int = 0, seats: dict[int, str] | None = None, **options: object
) -> Session:
    return Session.open(reading_of(name), players, seats or {}, options, seed, engine="reference")


def answer_recorded(session: Session, decision: dict[str, Any]) -> None:
    seat = decision["player"] or session.waiting_for()[-1]
    chosen = {key: value for key, value in decision["chosen"].items() if key != "action"}
    question = question_of(session, seat)
    option = next(one["option"] for one in question["options"]
                  if one["action"] == decision["chosen"]["action"] and one["arguments"] == chosen)  # fmt: skip
    assert session.answer(seat, question["question"], option)["accepted"]


def play_at_random(session: Session, seed: int, most: int = 100_000) -> None:
    chance = Random(seed)
    for _ in range(most):
        if session.is_over:
            return
        seat = chance.choice(session.waiting_for())
        question = question_of(session, seat)
        option = chance.randrange(len(question["options"]))
        assert session.answer(seat, question["question"], option)["accepted"]


@pytest.mark.parametrize(("name", "players"), [
    pytest.param(*one, marks=[] if one in FEW else [pytest.mark.long]) for one in all_tables()
])  # fmt: skip
def test_the_same_answers_give_the_same_trace(name: str, players: int) -> None:
    trace = recorded_game(name, players, 11)
    session = open_session(name, players, 11)
    for decision in decisions_of(trace):
        answer_recorded(session, decision)
    assert session.is_over
    assert list(trace_session(session)) == trace
    end = session.feed(1)[-1] if session.feed(1)[-1]["kind"] == "end" else session.feed(1)[-2]
    told = json.loads(trace[-1])
    assert (end["scores"], end["places"]) == (told["scores"], told["places"])


@pytest.mark.parametrize(("name", "players", "seats"), [
    ("classics/leduc", 2, "greedy,random"), ("classics/kuhn", 3, "mcts:20,first,greedy"),
    ("classics/goofspiel", 2, "mcts:5,random"), ("the_game", 1, "last"),
])  # fmt: skip
def test_bots_play_as_in_a_trace(name: str, players: int, seats: str) -> None:
    table = table_of(name, players)
    bots = make_bots(seats, table, "reference")
    assert bots is not None
    session = open_session(name, players, 5, dict(enumerate(seats.split(","), 1)))
    session.play_bots()
    assert session.is_over
    assert list(trace_session(session)) == list(trace_seated_game(reading_of(name), table, bots, 5, False))


@pytest.mark.parametrize(("name", "players"), FEW)
def test_events_make_the_same_session_again(name: str, players: int) -> None:
    session = open_session(name, players, 3, {players: "random"} if players > 1 else {})
    session.play_bots()
    chance = Random(4)
    for step in range(60):
        if session.is_over:
            break
        seat = chance.choice([one for one in session.waiting_for() if session.bot_of(one) is None])
        if step % 7 == 3:
            session.undo(seat)
        elif step % 11 == 5 and players > 1:
            session.take_over(seat, "first")
            session.play_bots()
            session.take_over(seat, None)
        else:
            question = question_of(session, seat)
            session.answer(seat, question["question"], chance.randrange(len(question["options"])))
        session.play_bots()
        if step % 13 == 0:
            kept = json.loads(json.dumps(session.events()))
            again = Session.restore(reading_of(name), kept, "reference")
            for one in range(players + 1):
                assert json.dumps(again.feed(one)) == json.dumps(session.feed(one))


def test_numbers_have_no_gaps_and_nothing_sent_changes() -> None:
    session = open_session("zero", 2, 3)
    before: list[Any] = []
    for seed in range(12):
        play_at_random(session, seed, 1)
        now = session.feed(1)
        assert [one["n"] for one in now] == list(range(1, len(now) + 1))
        for one, other in zip(before, now, strict=False):
            if one["kind"] != "question":
                assert one == other
        assert session.feed(1, 3) == now[3:]
        before = now


def test_refusals_are_in_the_words_of_the_rules() -> None:
    session = open_session("classics/tic_tac_toe", 2)
    assert session.answer_words(1, "mark b2")["accepted"]
    assert session.answer_words(1, "mark a1")["reason"] == "it is the turn of player 2"
    refused = session.answer_words(2, "mark b2")
    assert not refused["accepted"]
    assert refused["because"] == refused["reason"] == "already taken"
    assert refused["rule"].startswith("needs")
    assert refused["line"] > 1
    zero = open_session("zero", 2, 3, first="seat")
    assert zero.answer_words(1, "zero")["because"] == "the hand is not a Zero combination, or it was called already"
    assert "give from hand" in zero.answer_words(1, "exchange red 2, red 3")["reason"]
    reason = "“fly away” is not one of the options; they begin with `exchange`, `pass`"
    assert zero.answer_words(1, "fly away")["reason"] == reason
    assert zero.answer_words(1, "pass 3")["reason"] == "“3” cannot follow `pass`"
    assert "“exchange” could be any of these" in zero.answer_words(1, "exchange")["reason"]


def test_the_same_answer_twice_is_one_answer() -> None:
    session = open_session("classics/tic_tac_toe", 2)
    events = len(session.events())
    assert session.answer(1, 1, 4)["accepted"]
    assert session.answer(1, 1, 4)["accepted"]
    assert not session.answer(1, 1, 5)["accepted"]
    assert not session.answer(2, 7, 0)["accepted"]
    assert not session.answer(1, 0, 0)["accepted"]  # it is asked nothing
    assert not session.answer(9, 1, 0)["accepted"]
    assert len(session.events()) == events + 1


def test_several_at_once_answer_in_any_order_and_nothing_shows() -> None:
    one, other = open_session("classics/rock_paper_scissors", 2), open_session("classics/rock_paper_scissors", 2)
    one.answer(2, 1, 0)
    other.answer(2, 1, 2)
    assert one.feed(1) == other.feed(1)
    assert one.feed(0) == other.feed(0)
    assert one.feed(1)[-1]["seats"] == [1] or one.feed(1)[-2]["seats"] == [1]
    one.undo(2)
    assert one.waiting_for() == (1, 2)
    one.answer(2, 2, 1)
    one.answer(1, 1, 0)
    assert one.is_over


def test_taking_back_where_nothing_is_hidden() -> None:
    session = open_session("classics/tic_tac_toe", 2)
    session.answer(1, 1, 4)
    assert session.feed(1)[-1] == {"n": session.last_number(1), "kind": "undo", "may": "freely"}
    assert session.undo(1)["accepted"]
    assert session.waiting_for() == (1,)
    session.answer_words(1, "mark a1")
    session.answer_words(2, "mark b2")
    assert session.undo(1)["accepted"]  # asks: the other has chosen since
    assert session.waiting_for() == (1,)
    assert session.agree(2, False)["accepted"]
    assert session.undo(1)["accepted"]
    assert session.agree(2, True)["accepted"]
    assert session.waiting_for() == (1,)
    views = [one for one in session.feed(2) if one["kind"] == "view"]
    assert set(views[-1]["view"]["variables"].values()) == {None}


def test_after_chance_or_in_secret_others_are_asked() -> None:
    session = open_session("classics/pig", 2, 3)
    session.answer_words(1, "roll")
    assert session._undo_kind(1) == "asking"
    kuhn = open_session("classics/kuhn", 2)
    kuhn.answer_words(1, "bet")
    assert kuhn._undo_kind(1) == "asking"
    kuhn.undo(1)
    kuhn.agree(2)
    assert kuhn.waiting_for() == (1,)


def test_after_taking_back_chance_brings_the_same() -> None:
    session = open_session("classics/pig", 2, 3)
    play_at_random(session, 1, 30)
    kept = session.answers
    seat = next(iter(session.waiting_for()), 1)
    session.undo(seat)
    session.agree(3 - seat)
    assert session.answers == kept[: len(session.answers)]
    for _ in range(3):
        session.answer_words(session.waiting_for()[0], "roll") if not session.is_over else None
    assert len(session.answers) > 0


def test_a_bot_takes_over_and_gives_back() -> None:
    session = open_session("classics/leduc", 2, 3, {2: "greedy"})
    while not session.is_over and session.bot_of(1) is None:
        session.play_bots()
        if session.waiting_for() == (1,):
            session.take_over(1, "random")
    session.play_bots()
    assert session.is_over
    assert session.take_over(1, None)["accepted"]
    with pytest.raises(NoSuchBot):
        session.take_over(1, "gandalf")


def test_a_late_thought_counts_for_nothing() -> None:
    session = open_session("classics/leduc", 2, 3, {1: "greedy", 2: "first"})
    thought = session.next_thought()
    assert thought is not None
    session.take_over(1, None)
    assert not session.take_thought(thought, 0)
    session.take_over(1, "greedy")
    assert session.take_thought(thought, thought.choose())
    assert not session.take_thought(thought, 0)


def test_foreign_events_are_refused() -> None:
    session = open_session("classics/kuhn", 2)
    with pytest.raises(BrokenEvents):
        Session.restore(reading_of("classics/leduc"), session.events())
    too_early = {"event": "answer", "seat": 2, "question": 1, "option": 0}
    with pytest.raises(BrokenEvents):
        Session.restore(reading_of("classics/kuhn"), [*session.events(), too_early])
    with pytest.raises(BrokenEvents):
        Session.restore(reading_of("classics/kuhn"), [])


def attempt(session: Session, what: str, numbers: tuple[int, int, int], words: str) -> Any:
    match what:
        case "answer":
            return session.answer(*numbers)
        case "words":
            return session.answer_words(numbers[0], words)
        case "undo":
            return session.undo(numbers[0])
        case "agree":
            return session.agree(numbers[0])
        case "why":
            return session.why_not(numbers[0], words, {words: 1})
        case _:
            return session.take_over(numbers[0], None)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["answer", "words", "undo", "agree", "why", "seat"]), st.integers(-2, 9),
                          st.integers(-3, 40), st.integers(-3, 99), st.text(max_size=20)), max_size=30))  # fmt: skip
def test_nothing_that_is_sent_breaks_it(attempts: list[tuple[str, int, int, int, str]]) -> None:
    session = open_session("classics/leduc", 2, 1)
    for what, seat, question, option, words in attempts:
        before = [session.feed(one) for one in range(3)]
        reply = attempt(session, what, (seat, question, option), words)
        if not reply["accepted"]:
            assert reply["reason"]
            assert [session.feed(one) for one in range(3)] == before
    assert Session.restore(reading_of("classics/leduc"), session.events()).feed(1) == session.feed(1)
