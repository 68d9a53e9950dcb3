"""A recorded game step by step, forward and back, from any seat's eyes, or all seats side by side."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesrun.dsl.text.messages import message, template
from rulesrun.files.excerpts import WHOLE, place_text, values_text
from rulesrun.locale.language import Language, say, translate
from rulesrun.play.end_sheets import end_lines
from rulesrun.play.line_table import log_lines
from rulesrun.play.saved_tables import RecordedGame
from rulesrun.play.seat_client import Json
from rulesrun.play.table_picture import TablePicture, join_columns
from rulesrun.play.typed_lines import LineReader
from rulesrun.terminal.output import print_text, terminal_width, wrap_report

HELP = (
    template("Enter, `n`      one step forward"),
    template("b               one step back"),
    template("12              to this step; `end` to the last"),
    template("eyes 2          what player 2 sees; 0: what everybody sees"),
    template("all             what each player sees, side by side"),
    template("quit            stop here"),
)


@define(eq=False)
class Stepper:
    game: RecordedGame
    reader: LineReader
    language: Language
    is_coloured: bool = False
    at: int = 0
    eyes: Sequence[int] = (1,)
    _messages: dict[int, Sequence[Json]] = field(init=False, factory=dict)

    @property
    def last(self) -> int:
        return len(self.game.marks) - 1

    def walk(self) -> None:
        """Until the lines end, or the last step was looked at."""
        for step, broken in self.game.broken.items():
            for one in broken:
                print_text(say("Step {step} breaks `{title}`.", step=step, title=one.title))
        self.show()
        while True:
            line = self.reader.read(say("step {at} of {last}> ", at=self.at, last=self.last), lambda text: [])
            if line is None or line.casefold() in ("q", "quit", "exit", "выход"):
                return
            self.obey(line.casefold())

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "" | "n" | "next":
                self.go_to(self.at + 1)
            case "b" | "back" | "назад":
                self.go_to(self.at - 1)
            case "end":
                self.go_to(self.last)
            case "eyes" | "глаза" if rest.isdecimal() and int(rest[:4]) <= self.game.session.players:
                self.eyes = (int(rest),)
                self.show()
            case "all" | "все":
                self.eyes = tuple(range(1, self.game.session.players + 1))
                self.show()
            case _ if word.isdecimal():
                self.go_to(int(word[:9]))
            case _:
                for one in HELP:
                    print_text(message(one))

    def go_to(self, step: int) -> None:
        if not 0 <= step <= self.last:
            print_text(say("There is no step {step}; choose 0 to {last}.", step=step, last=self.last))
            return
        self.at = step
        self.show()

    # ---- what is shown

    def show(self) -> None:
        width = min(terminal_width(), 120) if self.reader.is_terminal else 80
        if len(self.eyes) == 1:
            lines = self.seat_lines(self.eyes[0], width)
        else:
            inner = max(38, (width + 1) // len(self.eyes) - 1)
            across = max(1, (width + 1) // (inner + 1))
            columns = [self.seat_lines(seat, inner) for seat in self.eyes]
            lines = [line for start in range(0, len(columns), across)
                     for line in [*join_columns(columns[start : start + across], inner), ""]]  # fmt: skip
        for line in [*lines, *self.broken_lines(width)]:
            print_text(line)

    def broken_lines(self, width: int) -> list[str]:
        """The properties that this step breaks, with what their parts are worth."""
        lines, sources = [], self.game.session.reading.sources
        for one in self.game.broken.get(self.at, ()):
            place = place_text(one.span, self.game.session.reading.name, sources)
            lines += ["", say("✗ `{title}` does not hold here ({place}):", title=one.title, place=place)]
            lines += [f"     {translate(value)}" for value in values_text(one.values, sources, WHOLE)]
        return [part for line in lines for part in wrap_report(line, width).split("\n")]

    def seat_lines(self, seat: int, width: int) -> list[str]:
        """What has just happened, then the table, then the end."""
        sent = self.sent_to(seat)
        until = self.game.marks[self.at][seat]
        since = self.game.marks[self.at - 1][seat] if self.at else 0
        news = [line for text in log_lines(sent[since:until], width) for line in wrap_report(text, width).split("\n")]
        view = next((one["view"] for one in reversed(sent[:until]) if one["kind"] == "view"), None)
        end = next((one for one in sent[since:until] if one["kind"] == "end"), None)
        picture = TablePicture(sent[0], self.language, width, self.is_coloured)
        lines = [*news, ""]
        if view is not None:
            lines += picture.draw(view, end is not None)
        if end is not None and len(self.eyes) == 1:
            told = end_lines(end, picture.seat_name, self.language, seat)
            lines += ["", *(line for text in told for line in wrap_report(text, width).split("\n"))]
        return lines

    def sent_to(self, seat: int) -> Sequence[Json]:
        if seat not in self._messages:
            found: Sequence[Json] = [dict(one) for one in self.game.session.feed(seat, 0, self.language.code or "en")]
            self._messages[seat] = found
        return self._messages[seat]
