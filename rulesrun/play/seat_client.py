"""What one seat has been sent, kept as a client keeps it: the newest view, the question, who sits where, the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from rulesrun.table.messages import OptionJson
from rulesrun.table.session import Session

Json = Mapping[str, Any]


@define(eq=False)
class SeatClient:
    session: Session
    seat: int
    code: str
    table: Json = field(init=False, factory=dict)
    view: Json | None = field(init=False, default=None)
    question: Json | None = field(init=False, default=None)
    seats: Sequence[Json] = field(init=False, factory=list)
    end: Json | None = field(init=False, default=None)
    messages: list[Json] = field(init=False, factory=list)
    _fresh: int = field(init=False, default=0)  # so many were taken as news

    def update(self) -> None:
        """Whatever was sent since."""
        for one in self.session.feed(self.seat, len(self.messages), self.code):
            message: Any = one
            self.messages.append(message)
            match message["kind"]:
                case "table":
                    self.table = message
                case "seats":
                    self.seats = message["seats"]
                case "view":
                    self.view = message["view"]
                case "question":
                    self.question = message
                case "end":
                    self.end = message
                case "undone":
                    self.end = None

    def take_news(self) -> Sequence[Json]:
        """What has come since this was last asked."""
        self.update()
        news, self._fresh = self.messages[self._fresh :], len(self.messages)
        return news

    @property
    def options(self) -> list[OptionJson]:
        """Of the question that is open."""
        return list(self.question.get("options", ())) if self.question is not None else []
