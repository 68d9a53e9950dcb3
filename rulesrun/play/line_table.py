"""The loop at the terminal: shows each person the table, reads what is typed, answers. Bots answer by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message, template
from rulesrun.locale.language import Language, say
from rulesrun.play.end_sheets import end_lines
from rulesrun.play.saved_tables import keep_unfinished_table, save_table
from rulesrun.play.seat_client import SeatClient
from rulesrun.play.table_picture import TablePicture, join_columns
from rulesrun.play.typed_lines import LineReader
from rulesrun.table.messages import OptionJson
from rulesrun.table.option_words import complete_words, name_words, parse_choice, read_option, value_words
from rulesrun.table.session import Session
from rulesrun.terminal.output import measure_width, print_error, print_text, terminal_width, wrap_report
from rulesrun.terminal.trouble import Trouble

# ---- option lists
# The options of a question as lines: each with its number where they are few, else what there is to choose from.


FEW = 20
MOST_LISTED = 60
WIDEST_COLUMN = 36


def option_lines(options: Sequence[OptionJson], language: Language, width: int) -> list[str]:
    """Every option on its number; many ways to do one action are summed up."""
    if len(options) <= FEW:
        return list_options(options, width)
    lines = []
    for _, group in groupby(options, lambda one: one["action"]):
        some = list(group)
        if len(some) <= 3:
            lines += list_options(some, width)
        else:
            lines += list(sum_up_action(some, language, width))
    return lines


def list_options(options: Sequence[OptionJson], width: int) -> list[str]:
    """In columns where the words are short; number by number along the rows."""
    told = [f"{one['option'] + 1:>4}  {one['words']}" for one in options]
    column = max(map(measure_width, told), default=0) + 2
    across = max(1, width // column) if column <= WIDEST_COLUMN and len(told) > 4 else 1
    rows = [told[start : start + across] for start in range(0, len(told), across)]
    return ["".join(one + " " * (column - measure_width(one)) for one in row).rstrip() for row in rows]


def sum_up_action(options: Sequence[OptionJson], language: Language, width: int) -> Iterator[str]:
    """`1–81  exchange GIVE, TAKE`, and below what each may be."""
    names = list(options[0]["arguments"])
    first, last = options[0]["option"] + 1, options[-1]["option"] + 1
    holes = ", ".join(name_words(language, name).upper() for name in names)
    yield f"{first:>4}–{last}  {name_words(language, options[0]['action'])} {holes}"
    for name in names:
        label = f"{'':>8}{name_words(language, name)}: "
        values = list(dict.fromkeys(value_words(language, one["arguments"][name]) for one in options))
        line = label
        for number, value in enumerate(values):
            part = value + ("," if number < len(values) - 1 else "")
            if measure_width(f"{line}{part}") > width and line.strip():
                yield line.rstrip()
                line = " " * measure_width(label)
            line += part + " "
        yield line.rstrip()


def meant_lines(options: Sequence[OptionJson], language: Language, width: int) -> list[str]:
    """Those that typed words may mean: all ways to do one action are summed up where they are many."""
    is_whole = options[-1]["option"] - options[0]["option"] == len(options) - 1
    return option_lines(options, language, width) if is_whole else list_some(options, width)


def list_some(options: Sequence[OptionJson], width: int) -> list[str]:
    """One by one, however many."""
    lines = list_options(options[:MOST_LISTED], width)
    if len(options) > MOST_LISTED:
        lines.append("      " + say("and {amount} more", amount=len(options) - MOST_LISTED))
    return lines


# ---- line table


COMMAND_WORDS: Mapping[str, tuple[str, ...]] = {
    "help": ("?", "help", "помощь"),
    "why": ("why", "почему"),
    "undo": ("undo", "back", "назад"),
    "log": ("log", "журнал"),
    "score": ("score", "очки", "счёт", "счет"),
    "save": ("save", "сохранить"),
    "table": ("table", "look", "стол"),
    "options": ("options", "список"),
    "all": ("all", "все"),
    "goto": ("goto",),
    "example": ("example", "пример"),
    "quit": ("quit", "exit", "выход", "выйти"),
}
HELP = (
    template("a number, or words         choose: `12`, `exchange red 7, blue 1`, or shortened: `ex r7 b1`"),
    template("options [WORDS]            all options, or those that begin with WORDS"),
    template("why WORDS                  why an option is legal or not"),
    template("undo                       take your last choice back"),
    template("table · log · score        the table again; what has happened so far; the points so far"),
    template("save FILE                  keep the game; `rulesrun play FILE` goes on with it"),
    template("quit                       stop here"),
    template("With `/` in front, a word is always a command, even if an option has that name."),
)
DEBUG_HELP = (
    template("all                        what each player sees, side by side, then the whole table"),
    template("why WORDS                  every condition, with the values of its parts, hidden ones too"),
    template("goto 12                    the table after 12 decisions"),
    template("example                    print this position as an example for the rules"),
)
LEFT, OVER, STUCK = "left", "over", "stuck"


@define(eq=False)
class LineTable:
    """`people`: the seats that are played here. `rules`, `variants`: as they were asked for, to save the game with."""

    session: Session
    people: Sequence[int]
    reader: LineReader
    language: Language
    rules: str
    variants: Sequence[str] = ()
    is_coloured: bool = False
    is_debug: bool = False  # whoever sits here may look behind the table
    _clients: dict[int, SeatClient] = field(init=False, factory=dict)
    _last_shown: int = field(init=False, default=0)  # the seat that looks at the screen
    _stopped: bool = field(init=False, default=False)
    has_quit: bool = field(init=False, default=False)  # and not run out of lines

    @property
    def code(self) -> str:
        return self.language.code or "en"

    @property
    def width(self) -> int:
        return min(terminal_width(), 100) if self.reader.is_terminal else 80

    # ---- the loop

    def play(self) -> str:
        """Until the game is over, the rules are stuck, or there are no more lines: `over`, `stuck`, `left`."""
        while not self._stopped:
            self.session.play_bots()
            if self.session.is_over:
                break
            seat = self._next_person()
            self._show_turn(seat)
            self._ask(seat)
        if not self.session.is_over:
            return LEFT
        self._show_end()
        return STUCK if self.session.is_broken else OVER

    def _next_person(self) -> int:
        """Who looks already, if it is asked; else the first."""
        waiting = [seat for seat in self.session.waiting_for() if seat in self.people]
        return self._last_shown if self._last_shown in waiting else waiting[0]

    def _show_turn(self, seat: int) -> None:
        if len(self.people) > 1 and seat != self._last_shown:
            self._pass_keyboard(seat)
        self._last_shown = seat
        self._client(0).take_news()  # at the end only what is new is told
        self._print_news(seat)
        self._print_table(seat)
        self._print_options(seat)

    def _pass_keyboard(self, seat: int) -> None:
        """What lies hidden is for one pair of eyes."""
        if self.session.hides_nothing:
            return
        if self._last_shown:
            self.reader.clear_screen()
        print_text(say("── Pass the keyboard to player {player}; everybody else, look away. ──", player=seat))
        if self.reader.is_terminal:
            self.reader.read(say("Player {player}, press Enter: ", player=seat), lambda text: [])
            self.reader.clear_screen()

    def _ask(self, seat: int) -> None:
        """Lines, until something was chosen."""
        number = self._question_number(seat)
        while not self._stopped:
            line = self.reader.read(self._prompt(seat), lambda text: self._complete(seat, text))
            if line is None:
                self._stopped = True
                return
            self._obey(seat, line)
            if self._question_number(seat) != number:
                return

    def _question_number(self, seat: int) -> int:
        """0: it is not asked."""
        question = self._client(seat).question
        return 0 if question is None or seat not in self.session.waiting_for() else int(question["question"])

    def _prompt(self, seat: int) -> str:
        return say("player {player}> ", player=seat) if len(self.people) > 1 else "> "

    # ---- what is typed

    def _obey(self, seat: int, line: str) -> None:
        command, rest = self._split_command(seat, line)
        actions: dict[str, Callable[[int, str], None]] = {
            "help": self._help, "why": self._why, "undo": self._undo, "log": self._log, "score": self._score,
            "save": self._save, "table": self._table_again, "options": self._list, "quit": self._quit,
            "all": self._all_eyes, "goto": self._go_to, "example": self._example,
        }  # fmt: skip
        if command in actions:
            actions[command](seat, rest)
        elif line:
            self._choose(seat, line)

    def _split_command(self, seat: int, line: str) -> tuple[str, str]:
        """What is exactly an option is no command, unless a stroke says so."""
        word, _, rest = line.removeprefix("/").partition(" ")
        command = next((name for name, words in COMMAND_WORDS.items() if word.casefold() in words), "")
        if command in ("all", "goto", "example") and not self.is_debug:
            return "none", ""
        if line.startswith("/") or not command:
            return command, rest.strip()
        found = read_option(self.language, self._client(seat).options, line)
        return ("", "") if found.is_exact else (command, rest.strip())

    def _choose(self, seat: int, line: str) -> None:
        options = self._client(seat).options
        if line.isdecimal():
            if not 1 <= int(line[:9]) <= len(options):
                self._say(say("There is no option {number}; choose 1 to {last}.", number=line, last=len(options)))
                return
            self._answer(seat, int(line) - 1)
            return
        found = read_option(self.language, options, line)
        if len(found.options) == 1:
            self._answer(seat, found.options[0])
        elif found.options:
            self._say(say("That could be any of these:"))
            self._print(meant_lines([options[number] for number in found.options], self.language, self.width))
        else:
            self._refuse(self.session.answer_words(seat, line, self.code))

    def _answer(self, seat: int, option: int) -> None:
        self._refuse(self.session.answer(seat, self._question_number(seat), option, self.code))

    def _refuse(self, reply: Mapping[str, Any]) -> None:
        if not reply["accepted"]:
            reason = reply["reason"]
            self._say(say("No: {reason}", reason=reason))
            if "rule" in reply and "because" not in reply and reply["rule"] not in reason:
                self._say(say("  line {line}: {rule}", line=reply["line"], rule=reply["rule"]))

    def _help(self, seat: int, rest: str) -> None:
        self._print([message(line) for line in (*HELP, *(DEBUG_HELP if self.is_debug else ()))])

    def _why(self, seat: int, rest: str) -> None:
        options = self._client(seat).options
        if not rest:
            self._say(say("Why what? As in `why {words}`.", words=options[0]["words"]))
            return
        if self.is_debug:
            self._explain_all(seat, rest)
            return
        found = read_option(self.language, options, rest)
        if found.options:
            for one in found.options[:3]:
                words = options[one]["words"]
                self._say(say("`{words}` is legal: it is option {number}.", words=words, number=one + 1))
            if len(found.options) > 3:
                self._say(say("and {amount} more", amount=len(found.options) - 3))
            return
        self._refuse(self.session.explain_words(seat, rest, self.code))

    def _explain_all(self, seat: int, words: str) -> None:
        from rulesrun.play.debugging import reason_lines

        meant = parse_choice(self.session.table, self.language, words)
        if meant is None:
            self._say(say("There is no action of that name: {words}", words=words))
            return
        for line in reason_lines(self.session, seat, meant.action, meant.arguments):
            self._say(line)

    def _all_eyes(self, seat: int, rest: str) -> None:
        from rulesrun.play.debugging import whole_view

        blocks = []
        for one in range(1, self.session.players + 1):
            client = self._client(one)
            picture = TablePicture(client.table, self.language, 39, self.is_coloured, client.seats)
            blocks.append(picture.draw(client.view, self.session.is_over) if client.view is not None else [])
        for start in range(0, len(blocks), 2):
            self._print([*join_columns(blocks[start : start + 2], 39), ""])
        picture = TablePicture(self._client(0).table, self.language, self.width, self.is_coloured)
        self._print(picture.draw(whole_view(self.session)))

    def _go_to(self, seat: int, rest: str) -> None:
        if not rest.isdecimal():
            self._say(say("Decisions so far: {amount}; `goto 0` goes to the first.", amount=self.session.decisions))
            return
        self._refuse(self.session.rewind(int(rest[:9])))

    def _example(self, seat: int, rest: str) -> None:
        from rulesrun.play.copied_examples import copy_position

        self._print(copy_position(self.session))

    def _undo(self, seat: int, rest: str) -> None:
        """At one keyboard whoever sits there agrees aloud."""
        reply = self.session.undo(seat, self.code)
        self._refuse(reply)
        if reply["accepted"]:
            for other in self.people:
                if other != seat:
                    self.session.agree(other)

    def _log(self, seat: int, rest: str) -> None:
        self._print_log(self._client(seat).messages)

    def _score(self, seat: int, rest: str) -> None:
        client, picture = self._client(seat), self._picture(seat)
        self._print([line for one in client.messages if one["kind"] == "score" for line in one["log"]])
        now = client.view["scores"] if client.view is not None else {}
        self._print([f"{picture.seat_name(int(player))}: {score}" for player, score in now.items()])

    def _save(self, seat: int, rest: str) -> None:
        if not rest:
            self._say(say("Save where? As in `save evening.game`."))
            return
        try:
            save_table(rest, self.session, self.rules, self.variants)
        except Trouble as trouble:
            self._say(str(trouble))
            return
        self._say(say("Saved. To continue: `rulesrun play {file}`", file=rest))

    def _table_again(self, seat: int, rest: str) -> None:
        self._print_table(seat)
        self._print_options(seat)

    def _list(self, seat: int, rest: str) -> None:
        options = self._client(seat).options
        found = read_option(self.language, options, rest).options if rest else range(len(options))
        self._print(list_some([options[number] for number in found], self.width))

    def _quit(self, seat: int, rest: str) -> None:
        self._stopped = self.has_quit = True

    def _complete(self, seat: int, text: str) -> list[str]:
        return complete_words(self.language, self._client(seat).options, text)

    # ---- what is shown

    def _client(self, seat: int) -> SeatClient:
        """Kept up to date."""
        client = self._clients.get(seat)
        if client is None:
            client = self._clients[seat] = SeatClient(self.session, seat, self.code)
        client.update()
        return client

    def _picture(self, seat: int) -> TablePicture:
        client = self._client(seat)
        return TablePicture(client.table, self.language, self.width, self.is_coloured, client.seats)

    def _print_news(self, seat: int) -> None:
        self._print_log(self._client(seat).take_news())

    def _print_log(self, messages: Sequence[Mapping[str, Any]]) -> None:
        for line in log_lines(messages, self.width):
            self._say(line)

    def _print_table(self, seat: int) -> None:
        view = self._client(seat).view
        if view is not None:
            print_text()
            self._print(self._picture(seat).draw(view, self.session.is_over))

    def _print_options(self, seat: int) -> None:
        self._print(option_lines(self._client(seat).options, self.language, self.width))

    def _show_end(self) -> None:
        seat = self._last_shown or (self.people[0] if self.people else 0)
        if len(self.people) > 1 and not self.session.hides_nothing:
            seat = 0  # what lies open to all
        self._print_news(seat)
        self._print_table(seat)
        end = self._client(seat).end
        if end is not None:
            print_text()
            for line in end_lines(end, self._picture(seat).seat_name, self.language, seat):
                self._say(line)

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            print_text(line)

    def _say(self, text: str) -> None:
        print_text(wrap_report(text, self.width))


def log_lines(messages: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    """What has happened: a line for each choice, what came of it together on the next ones."""
    lines: list[str] = []
    waiting: list[str] = []
    for one in messages:
        told = list(one.get("log", ())) if one["kind"] != "end" else []
        if one["kind"] in ("saw", "view"):
            waiting += told
        else:
            lines += [*join_parts(waiting, width), *told]
            waiting = []
    return [*lines, *join_parts(waiting, width)]


def join_parts(parts: Sequence[str], width: int) -> Iterator[str]:
    """Several short happenings on one line."""
    line = ""
    for part in parts:
        if line and len(line) + len(part) + 4 > width:
            yield f"   {line}"
            line = ""
        line += (" · " if line else "") + part
    if line:
        yield f"   {line}"


def keep_left(table: LineTable) -> None:
    """The lines have ended before the game, or somebody pressed Ctrl-C: the game is kept."""
    kept = keep_unfinished_table(table.session, table.rules, table.variants)
    amount = table.reader.count
    print_error(
        say("rulesrun: the input ended after line {amount}, before the game did", amount=amount) + "\n"
        + say("The game is saved. To continue: `rulesrun play {file}`", file=kept)
    )
