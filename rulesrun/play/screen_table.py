"""The table drawn on the whole terminal (`--tui`): the same session, pictures and words as in line mode."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from rulesrun.locale.language import Language, say
from rulesrun.play.end_sheets import end_lines
from rulesrun.play.line_table import log_lines
from rulesrun.play.seat_client import SeatClient
from rulesrun.play.table_picture import TablePicture
from rulesrun.table.messages import OptionJson
from rulesrun.table.option_words import read_option
from rulesrun.table.session import Session
from rulesrun.terminal.output import wrap_report

MOST_LISTED = 200
NARROWEST = 40


class KeyboardScreen(ModalScreen[None]):
    """Nothing of a hand is shown before its owner is there."""

    CSS = "KeyboardScreen { align: center middle; background: $background; }"

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def compose(self) -> ComposeResult:
        yield Button(say("Player {player}, press Enter: ", player=self.seat).rstrip(": "), id="here")

    def on_button_pressed(self) -> None:
        self.dismiss()


class TableApp(App[str]):
    """`people`: the seats that are played here."""

    CSS = """
    Screen { overflow: hidden; }
    #table-box { height: 1fr; }
    #below { height: 9; }
    #options { height: 100%; width: 1fr; border: none; padding: 0; background: $surface; }
    #log-box { height: 100%; width: 1fr; padding-left: 1; color: $text-muted; }
    #words { height: 1; border: none; padding: 0 1; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+z", "take_back", "undo"), ("ctrl+q", "quit", "quit"), ("escape", "focus_words", "words"),
    ]  # fmt: skip

    def __init__(self, session: Session, people: Sequence[int], language: Language, is_coloured: bool = True) -> None:
        super().__init__()
        self.session, self.people, self.language, self.is_coloured = session, people, language, is_coloured
        self.clients = {seat: SeatClient(session, seat, language.code or "en") for seat in range(session.players + 1)}
        self.seat = 0  # who looks at the screen
        self.listed: list[OptionJson] = []

    def compose(self) -> ComposeResult:
        yield VerticalScroll(Static(id="table"), id="table-box")
        with Horizontal(id="below"):
            yield OptionList(id="options")
            yield VerticalScroll(Static(id="log"), id="log-box")
        yield Input(placeholder=say("a number or words, as in {words}", words="`1`"), id="words")
        yield Footer()

    async def on_mount(self) -> None:
        await self.go_on()

    async def go_on(self) -> None:
        """Bots think beside the screen; then the next person sees the table."""
        while (thought := self.session.next_thought()) is not None:
            option = await asyncio.to_thread(thought.choose)
            self.session.take_thought(thought, option)
        waiting = [seat for seat in self.session.waiting_for() if seat in self.people]
        if self.session.is_over or not waiting:
            self.show_table(self.seat or (self.people[0] if len(self.people) == 1 else 0))
            return
        following = self.seat if self.seat in waiting else waiting[0]
        if len(self.people) > 1 and following != self.seat and not self.session.hides_nothing:
            self.clear()
            self.push_screen(KeyboardScreen(following), lambda _: self.show_table(following))
        else:
            self.show_table(following)

    # ---- what is shown

    def clear(self) -> None:
        for name in ("#table", "#log"):
            self.query_one(name, Static).update("")
        self.query_one(OptionList).clear_options()

    def show_table(self, seat: int) -> None:
        self.seat = seat
        client = self.clients[seat]
        client.update()
        width = max(self.size.width - 4, NARROWEST)
        picture = TablePicture(client.table, self.language, width, self.is_coloured, client.seats)
        lines = picture.draw(client.view, self.session.is_over) if client.view is not None else []
        if client.end is not None:
            told = end_lines(client.end, picture.seat_name, self.language, seat)
            lines += ["", *(wrap_report(line, width) for line in told)]
        self.query_one("#table", Static).update(Text.from_ansi("\n".join(lines)))
        narrow = max(width // 2 - 2, NARROWEST // 2)
        log = [wrap_report(line, narrow) for line in log_lines(client.messages, narrow)]
        self.query_one("#log", Static).update(Text("\n".join(log[-200:])))
        self.query_one("#log-box", VerticalScroll).scroll_end(animate=False)
        self.list_options("")
        self.query_one(Input).focus()

    def list_options(self, typed: str) -> None:
        """Those that the words may mean; without words all."""
        options = self.clients[self.seat].options if self.seat in self.session.waiting_for() else []
        found = read_option(self.language, options, typed).options if typed else range(len(options))
        self.listed = [options[number] for number in found][:MOST_LISTED]
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options([Option(Text(f"{one['option'] + 1:>4}  {one['words']}")) for one in self.listed])

    # ---- what is typed and chosen

    def on_input_changed(self, event: Input.Changed) -> None:
        self.list_options("" if event.value.isdecimal() else event.value)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        options = self.clients[self.seat].options
        if typed.isdecimal() and 1 <= int(typed[:9]) <= len(options):
            await self.answer(int(typed) - 1)
        elif len(self.listed) == 1:
            await self.answer(self.listed[0]["option"])
        elif typed:
            self.show_reply(self.session.answer_words(self.seat, typed, self.language.code or "en"))

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self.answer(self.listed[event.option_index]["option"])

    async def answer(self, option: int) -> None:
        question = self.clients[self.seat].question
        number = 0 if question is None else int(question["question"])
        self.show_reply(self.session.answer(self.seat, number, option, self.language.code or "en"))
        self.query_one(Input).value = ""
        await self.go_on()

    async def action_take_back(self) -> None:
        reply = self.session.undo(self.seat, self.language.code or "en")
        self.show_reply(reply)
        for other in self.people:
            if other != self.seat and reply["accepted"]:
                self.session.agree(other)
        await self.go_on()

    def action_focus_words(self) -> None:
        self.query_one(Input).focus()

    def show_reply(self, reply: Any) -> None:
        if not reply["accepted"]:
            self.notify(str(reply["reason"]), severity="warning")


def play_on_screen(session: Session, people: Sequence[int], language: Language, is_coloured: bool) -> None:
    TableApp(session, people, language, is_coloured).run()
