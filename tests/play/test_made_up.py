"""Made-up rulebooks at the table: drawn, typed, taken back, restored, explained."""

from __future__ import annotations

from random import Random

import pytest

from rulesrun.files.loading import Reading, read_text
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.locale.language import ENGLISH
from rulesrun.play.copied_examples import copy_position
from rulesrun.play.debugging import reason_lines, whole_view
from rulesrun.play.end_sheets import end_lines
from rulesrun.play.line_table import log_lines, option_lines
from rulesrun.play.seat_client import SeatClient
from rulesrun.play.table_picture import TablePicture
from rulesrun.table.messages import OptionJson
from rulesrun.table.option_words import read_option
from rulesrun.table.session import Session
from rulesrun.table.session_traces import trace_session
from rulesrun.terminal.output import measure_width
from tests.native.made_up import written

WIDTH = 80


@pytest.mark.parametrize("number", [
    pytest.param(number, marks=[] if number < 24 or number == 136 else [pytest.mark.long]) for number in range(400)
])  # fmt: skip
def test_a_made_up_game_at_the_table(number: int) -> None:
    reading = read_text(f'rules 1\ngame "Made"\nplayers 2..3\n{written(number)}')
    if reading.program is None:
        return
    try:
        session = Session.open(reading, 2, {}, seed=number, engine="reference")
    except RefusedTable:
        return
    clients = [SeatClient(session, seat, "en") for seat in range(3)]
    chance = Random(number)
    for _ in range(25):
        look(clients)
        if session.is_over:
            break
        seat = chance.choice(session.waiting_for())
        client = clients[seat]
        client.update()
        option = chance.choice(client.options)
        option_lines(client.options, ENGLISH, WIDTH)
        assert option["option"] in read_option(ENGLISH, client.options, option["words"]).options
        if chance.random() < 0.1:
            look_behind(session, seat, clients[0], option)
            session.undo(seat)
            session.agree(3 - seat)
            continue
        assert client.question is not None
        assert session.answer(seat, client.question["question"], option["option"])["accepted"]
    look(clients)
    check_records(reading, session)


def look(clients: list[SeatClient]) -> None:
    for client in clients:
        log_lines(client.take_news(), WIDTH)
        picture = TablePicture(client.table, ENGLISH, WIDTH, False, client.seats)
        if client.view is not None:
            assert max(map(measure_width, picture.draw(client.view))) <= WIDTH
        if client.end is not None:
            assert list(end_lines(client.end, picture.seat_name, ENGLISH))


def look_behind(session: Session, seat: int, client: SeatClient, option: OptionJson) -> None:
    assert copy_position(session)
    assert next(reason_lines(session, seat, option["action"], option["arguments"])) == "It is legal here."
    TablePicture(client.table, ENGLISH, WIDTH).draw(whole_view(session))


def check_records(reading: Reading, session: Session) -> None:
    assert list(trace_session(session))
    again = Session.restore(reading, session.events(), "reference")
    assert [again.feed(seat) for seat in range(3)] == [session.feed(seat) for seat in range(3)]
