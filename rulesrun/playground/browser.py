"""What runs in the browser: a question of the page in, an answer out, both JSON. Editing, whole reports, a table."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulesrun.dsl.text.messages import Message, message
from rulesrun.editing import Workspace, answer_request, list_findings
from rulesrun.editing.contract import UnknownRequest
from rulesrun.files.loading import read_rules
from rulesrun.locale.language import set_language, translate
from rulesrun.terminal.trouble import Trouble, Unplayable

if TYPE_CHECKING:  # what plays is loaded when it is asked for: mistakes are shown before
    from rulesrun.table.session import Session

Question = Mapping[str, Any]
RULES, FOUND = "my.rules", "found.sarif"
SEEDS = 1 << 31


def speak(value: Any) -> Any:
    """Messages among plain data, in the language that is spoken now."""
    if isinstance(value, Message):
        return translate(value)
    if isinstance(value, Mapping):
        return {name: speak(one) for name, one in value.items()}
    return [speak(one) for one in value] if isinstance(value, list | tuple) else value


class Playground:
    """One page's Python. `main` is the command line: words in, exit code out."""

    def __init__(self, main: Callable[[Sequence[str]], int]) -> None:
        self._main = main
        self._workspace = Workspace()
        self._session: Session | None = None
        self._methods: dict[str, Callable[[Question], object]] = {
            "run": self._run, "check": self._check, "explore": self._explore, "compare": self._compare,
            "look": self._look, "sit": self._sit, "new": self._write_new,
            "answer": self._answer_at_table, "undo": self._undo, "agree": self._agree, "take_over": self._take_over,
            "why": self._why,
        }  # fmt: skip

    def answer(self, asked: str) -> str:
        """Never raises: what goes wrong is an answer, too."""
        question = json.loads(asked)
        told: dict[str, object] = {"id": question.get("id")}
        try:
            set_language(question.get("language") if question.get("language") != "en" else None)
            method = self._methods.get(question["method"])
            told["answer"] = speak(method(question) if method else answer_request(self._workspace, question))
        except (Trouble, UnknownRequest) as reason:
            told["error"] = str(reason)
        except Exception as fault:
            from rulesrun.interpreter.model.values import RefusedTable

            is_refused = isinstance(fault, RefusedTable)
            told["error"] = str(fault) if is_refused else f"{type(fault).__name__}: {fault}"
        return json.dumps(told, ensure_ascii=False)

    # ---- whole reports

    def _run(self, question: Question) -> object:
        """The report of the plain form, and its findings as SARIF."""
        Path(FOUND).unlink(missing_ok=True)
        report = self._command(question, RULES, "--games", str(question["games"]), "--format", f"sarif={FOUND}")
        found = Path(FOUND)
        return report | {"sarif": json.loads(found.read_text("utf-8")) if found.exists() else None}

    def _check(self, question: Question) -> object:
        return self._command(question, "check", RULES)

    def _explore(self, question: Question) -> object:
        return self._command(question, "explore", RULES)

    def _compare(self, question: Question) -> object:
        """By random players: those that think take minutes here."""
        games = ("--games", str(question["games"]), "--seats", "random")
        return self._command(question, "compare", question["base"], RULES, *games)

    def _write_new(self, question: Question) -> object:
        """A first rulebook; nothing is kept of it."""
        from rulesrun.services.new import make_first_text

        return {"text": make_first_text(question["name"], question.get("from"))}

    def _command(self, question: Question, *words: str) -> dict[str, object]:
        Path(RULES).write_text(question["text"], encoding="utf-8")
        language = question.get("language", "en")
        said = ("--lang", language) if language != "en" else ()
        out, complaints = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(complaints):
            code = self._main([*words, *said])
        return {"code": code, "text": out.getvalue() or complaints.getvalue()}

    # ---- a table

    def _look(self, question: Question) -> object:
        """What the page has to know before somebody sits down."""
        analysis = self._workspace.analyse(question["document"])
        program = analysis.reading.program
        if program is None:
            return {"players": [], "base": None, "errors": len(list_findings(analysis).findings)}
        from rulesrun.services.tables import allowed_players

        chain = analysis.reading.chain
        return {
            "players": list(allowed_players(program)),
            "base": chain[-2].file.name.removesuffix(".rules") if len(chain) > 1 else None,
            "title": analysis.reading.title,
        }

    def _sit(self, question: Question) -> object:
        Path(RULES).write_text(question["text"], encoding="utf-8")
        reading = read_rules(RULES)
        if reading.program is None:
            raise Unplayable(reading)
        from rulesrun.table.session import Session

        players = int(question["players"])
        bot: str | None = question.get("bot")
        seats = {} if bot is None else dict.fromkeys(range(2, players + 1), bot)
        self._session = Session.open(reading, players, seats, seed=question["seed"] % SEEDS, engine="reference")
        return self._tell(question)

    def _answer_at_table(self, question: Question) -> object:
        reply = self._sitting().answer(
            question["seat"], question["question"], question["option"], question.get("language", "en")
        )
        return self._tell(question) | {"reply": reply}

    def _why(self, question: Question) -> object:
        """Whether something may be chosen, and else why not. Nothing changes."""
        language = question.get("language", "en")
        return self._sitting().why_not(question["seat"], question["action"], question["arguments"], language)

    def _undo(self, question: Question) -> object:
        """Where one person plays all seats, the others agree."""
        session = self._sitting()
        reply = session.undo(question["seat"], question.get("language", "en"))
        for other in range(1, session.players + 1):
            if other != question["seat"] and session.bot_of(other) is None:
                session.agree(other, True)
        return self._tell(question) | {"reply": reply}

    def _agree(self, question: Question) -> object:
        reply = self._sitting().agree(question["seat"], question["yes"], question.get("language", "en"))
        return self._tell(question) | {"reply": reply}

    def _take_over(self, question: Question) -> object:
        reply = self._sitting().take_over(question["seat"], question["bot"], question.get("language", "en"))
        return self._tell(question) | {"reply": reply}

    def _sitting(self) -> Session:
        if self._session is None:
            raise Trouble(message("nobody sits at a table yet"))
        return self._session

    def _tell(self, question: Question) -> dict[str, object]:
        """Bots play until a person is asked; then what is new for the seat that looks on."""
        session = self._sitting()
        session.play_bots()
        waiting = sorted(seat for seat in session.waiting_for() if session.bot_of(seat) is None)
        seat = waiting[0] if waiting else question.get("at") or 1
        feed = session.feed(seat, language=question.get("language", "en"))
        return {"seat": seat, "waiting": waiting, "feed": feed, "over": session.is_over}
