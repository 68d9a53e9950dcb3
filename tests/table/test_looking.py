"""What the log says of a player who looks at the top of a pile: nothing has moved."""

from __future__ import annotations

from rulesrun.files.loading import read_text
from rulesrun.play.line_table import log_lines
from rulesrun.play.seat_client import SeatClient
from rulesrun.table.session import Session

RULES = """rules 1
game "Peek"
players 2
card Card: rank 1..6
zone stock of player: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into stock of 1
  draw 3 from stock of 1 to stock of 2
phase play: turns from 1 until stock is empty
  choose peek or take
action peek
  look at 2 of stock
action take
  draw 1 from stock to hand
score at end
  points = sum of rank over hand
ranking: highest total, ties share
"""


def logs_after(session: Session, seat: int, action: str) -> list[str]:
    clients = [SeatClient(session, one, "en") for one in range(3)]
    for client in clients:
        client.update()
    option = next(one for one in clients[seat].options if one["action"] == action)
    question = clients[seat].question
    assert question is not None
    session.answer(seat, question["question"], option["option"])
    known = [len(client.messages) for client in clients]
    for client in clients:
        client.update()
    return ["\n".join(log_lines(client.messages[at:], 80)) for client, at in zip(clients, known, strict=True)]


def test_what_is_looked_at_has_not_moved() -> None:
    session = Session.open(read_text(RULES), 2, {}, {}, 5, engine="reference")
    everybody, looking, other = logs_after(session, 1, "peek")
    assert "On top of stock, from above: 1, 2" in looking
    assert "On top" not in other + everybody
    assert "Player 1: peek." in other
    assert not any(word in text for text in (everybody, looking, other) for word in ("unseen", "leave", "go to"))


def test_what_is_drawn_afterwards_is_told() -> None:
    session = Session.open(read_text(RULES), 2, {}, {}, 5, engine="reference")
    logs_after(session, 1, "peek")
    everybody, _, taking = logs_after(session, 2, "take")
    assert "1 unseen: stock of player 2 → hand of player 2" in everybody
    assert "stock (you) → hand (you)" in taking
