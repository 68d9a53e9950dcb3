"""When a choice may be taken back freely: checked at every step of many games against what everybody has seen."""

from __future__ import annotations

import json
from random import Random

import pytest

from rulesrun.table.session import Session
from tests.table.games import all_tables
from tests.table.test_session import FEW, open_session


def sights(session: Session, seat: int) -> str:
    """All that a seat has learnt: not who still thinks, nor what it may take back."""
    quiet = {"thinking", "undo", "question", "undone"}
    return json.dumps([
        {key: value for key, value in one.items() if key != "n"}
        for one in session.feed(seat) if one["kind"] not in quiet
    ])  # fmt: skip


@pytest.mark.parametrize(("name", "players"), [
    pytest.param(*one, marks=[] if one in FEW and one[0] != "zero" else [pytest.mark.long]) for one in all_tables()
])  # fmt: skip
def test_freely_means_that_nobody_has_learnt_anything(name: str, players: int) -> None:
    chance = Random(7)
    offered = 0
    for seed in range(3):
        session = open_session(name, players, seed)
        for _ in range(40):
            if session.is_over:
                break
            seat = chance.choice(session.waiting_for())
            question = session.open_question(seat)
            assert question is not None
            others = [one for one in range(players + 1) if one != seat]
            before = {one: sights(session, one) for one in others}
            thrown, made = len(session.answers) - session.decisions, session.decisions
            option = chance.randrange(len(question["options"]))
            session.answer(seat, question["question"], option)
            after = {one: sights(session, one) for one in others}
            if session._undo_kind(seat) != "freely":
                if session.decisions == made:
                    pytest.fail("others are still choosing: it could be taken back")
                assert not session.hides_nothing or len(session.answers) - session.decisions > thrown
                continue
            offered += 1
            assert len(session.answers) - session.decisions == thrown, "chance has decided something"
            if not session.hides_nothing:
                assert after == before, "somebody has seen something"
            if chance.random() < 0.5:
                assert session.undo(seat)["accepted"]
                assert session.decisions == made
                if not session.hides_nothing:
                    assert {one: sights(session, one) for one in others} == before
    assert offered or name not in {"classics/tic_tac_toe", "classics/rock_paper_scissors", "classics/nim", "collection"}
