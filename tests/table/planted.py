"""Leaks as somebody might build them in by mistake: each tells something of what lies hidden, however little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest

from rulesrun.table.course import Course
from rulesrun.table.messages import Happening, ViewFollower
from rulesrun.table.permitted_words import Reason
from rulesrun.table.session import Item, SeatFeed, Session

Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[str, tuple[Plant, str]] = {}  # with the game in which it is looked for


def hidden_bit(session: Session) -> int:
    """One bit of the whole position."""
    return crc32(repr(session._course.state.slots).encode()) & 1


def plant(name: str, game: str = "classics/leduc") -> Callable[[Plant], Plant]:
    def register(one: Plant) -> Plant:
        PLANTS[name] = one, game
        return one

    return register


def in_messages(
    name: str, kinds: str, change: Callable[[Session, dict[str, Any]], Any], game: str = "classics/leduc"
) -> None:
    """Messages of these kinds are changed; what `change` gives, where it gives anything, goes in their place."""
    def spoil(patch: pytest.MonkeyPatch) -> None:
        kept = Session._message

        def told(self: Session, feed: SeatFeed, item: Item, speech: Any) -> dict[str, Any]:
            message = kept(self, feed, item, speech)
            if message["kind"] in kinds.split():
                changed = change(self, message)
                return message if changed is None else changed
            return message

        patch.setattr(Session, "_message", told)

    PLANTS[name] = spoil, game


def in_options(name: str, change: Callable[[Session, list[Any]], Any]) -> None:
    def spoil(patch: pytest.MonkeyPatch) -> None:
        kept = Session._options_json

        def told(self: Session, seat: int, language: Any) -> list[Any]:
            options: list[Any] = list(kept(self, seat, language))
            return change(self, options) or options

        patch.setattr(Session, "_options_json", told)

    PLANTS[name] = spoil, "classics/leduc"


def in_replies(name: str, change: Callable[[Session, dict[str, Any]], Any]) -> None:
    def spoil(patch: pytest.MonkeyPatch) -> None:
        kept = Session._refusal

        def told(self: Session, seat: int, language: str, reason: Reason) -> Any:
            reply: Any = kept(self, seat, language, reason)
            change(self, reply)
            return reply

        patch.setattr(Session, "_refusal", told)

    PLANTS[name] = spoil, "classics/leduc"


def other_hand(session: Session) -> str:
    return repr(session._course.state.slots)


# ---- what stands in a message

in_messages("the whole position in a view", "view", lambda s, m: m.update(position=other_hand(s)))
in_messages("a hidden count", "view", lambda s, m: m["view"]["zones"].update(deck={"count": 3 + hidden_bit(s)}))
in_messages("an odd key", "view", lambda s, m: m.update(odd=True) if hidden_bit(s) else None)
in_messages("the order of keys", "view", lambda s, m: dict(reversed(m.items())) if hidden_bit(s) else None)
in_messages("a number as a fraction", "view", lambda s, m: m["view"].update(round=1.0) if hidden_bit(s) else None)
in_messages("the points of a hidden hand", "view", lambda s, m: m["view"]["scores"].update({"1": hidden_bit(s)}))
in_messages("a blank at the end of a log line", "chose heard", lambda s, m: m["log"].append(" " * hidden_bit(s)))
in_messages("one log line more", "view", lambda s, m: m["log"].append("…") if hidden_bit(s) else None)
in_messages(
    "the order of log lines", "view saw", lambda s, m: m.update(
        log=sorted([*m["log"], "a", "b"], reverse=hidden_bit(s) > 0)
    ),
)
in_messages("the chosen card in the announcement", "heard", lambda s, m: m.update(card=other_hand(s)))
in_messages("labels", "question", lambda s, m: m.update(label="red" if hidden_bit(s) else "blue"))
in_messages("a sum to compare views by", "view", lambda s, m: m.update(sum=crc32(other_hand(s).encode())))
in_messages("what was thrown", "view", lambda s, m: m.update(thrown=list(s.answers)))
in_messages("who is first, before the end", "view", lambda s, m: m.update(ahead=hidden_bit(s)))
in_messages("a flag on the question", "question", lambda s, m: m.update(open=bool(hidden_bit(s))))
in_messages("a question of other length", "question", lambda s, m: m.update(pad="." * hidden_bit(s)))
in_messages(
    "how long another has thought", "thinking", lambda s, m: m.update(after=crc32(str(s._chosen).encode())),
    "classics/goofspiel",
)
in_messages(
    "what another has chosen already", "thinking", lambda s, m: m.update(chosen=str(s._chosen)), "classics/goofspiel"
)
in_messages("the bits of the end", "end", lambda s, m: m.update(hands=other_hand(s)), "classics/kuhn")


# ---- options

in_options("the order of options", lambda s, options: options[::-1] if hidden_bit(s) else None)
in_options("the number of options", lambda s, options: options[: len(options) - hidden_bit(s)])
in_options("longer words of an option", lambda s, options: options[0].update(words="pass" + "!" * hidden_bit(s)))
in_options("numbers of options", lambda s, options: options[0].update(option=hidden_bit(s)))
in_options("an option that is marked", lambda s, options: options[-1].update(good=hidden_bit(s)))


# ---- refusals

in_replies("a refusal that names a hidden card", lambda s, reply: reply.update(reason=reply["reason"] + other_hand(s)))
in_replies("a longer refusal", lambda s, reply: reply.update(reason=reply["reason"] + "." * hidden_bit(s)))
in_replies("a refusal with another line", lambda s, reply: reply.update(line=hidden_bit(s)))
in_replies("a refusal without its rule", lambda s, reply: reply.pop("rule", None) if hidden_bit(s) else None)
in_replies("a refusal that accepts", lambda s, reply: reply.update(accepted=bool(hidden_bit(s))))


@plant("reasons that look into other hands", "the_game")
def spoil_reasons(patch: pytest.MonkeyPatch) -> None:
    for module in ("permitted_words", "score_sheets"):
        patch.setattr(f"rulesrun.table.{module}.is_told_whole", lambda table, node, own: True)


@plant("an end that is explained from other hands", "classics/kuhn")
def spoil_end(patch: pytest.MonkeyPatch) -> None:
    def explain(reading: Any, table: Any, state: Any, *more: Any) -> dict[str, Any]:
        return {"sheets": [], "lines": [{"because": repr(state.slots)}], "ranking": []}

    patch.setattr("rulesrun.table.session.explain_end", explain)


# ---- what is sent at all, and when

@plant("a message for each unseen choice", "secrets")
def spoil_count(patch: pytest.MonkeyPatch) -> None:
    kept = Session._send_all

    def send(self: Session) -> None:
        kept(self)
        if hidden_bit(self):
            self._feeds[1].items.append(Item("thinking", {"seats": []}))

    patch.setattr(Session, "_send_all", send)


@plant("numbers that count all events")
def spoil_numbers(patch: pytest.MonkeyPatch) -> None:
    kept = Session.feed
    patch.setattr(Session, "feed", lambda self, seat, since=0, language="en": [
        {**one, "n": one["n"] + crc32(repr(self.answers).encode()) % 7} for one in kept(self, seat, since, language)
    ])  # fmt: skip


@plant("numbers of questions that count others' questions", "secrets")
def spoil_questions(patch: pytest.MonkeyPatch) -> None:
    kept = Session._send_question

    def send(self: Session, feed: SeatFeed) -> None:
        if hidden_bit(self):
            feed.questions += 1
        kept(self, feed)

    patch.setattr(Session, "_send_question", send)


@plant("two messages in another order")
def spoil_order(patch: pytest.MonkeyPatch) -> None:
    kept = Session._send_all

    def send(self: Session) -> None:
        kept(self)
        if hidden_bit(self) and len(self._feeds[1].items) > 4:
            items = self._feeds[1].items
            items[-1], items[-2] = items[-2], items[-1]

    patch.setattr(Session, "_send_all", send)


@plant("a message left out")
def spoil_gap(patch: pytest.MonkeyPatch) -> None:
    kept = Session._send_entry

    def send(self: Session, feed: SeatFeed, entry: str) -> None:
        if not (entry.startswith('{"saw"') and hidden_bit(self)):
            kept(self, feed, entry)

    patch.setattr(Session, "_send_entry", send)


@plant("what another seat remembers")
def spoil_history(patch: pytest.MonkeyPatch) -> None:
    kept = Course.history
    patch.setattr(Course, "history", lambda self, seat: kept(self, 2 if seat == 1 else seat))


@plant("what the first player sees, for who watches", "classics/kuhn")
def spoil_watching(patch: pytest.MonkeyPatch) -> None:
    kept = Course.history
    patch.setattr(Course, "history", lambda self, seat: kept(self, seat or 1))


@plant("whether a choice may be taken back", "classics/leduc")
def spoil_undo(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Session, "_undo_kind", lambda self, seat: "freely" if hidden_bit(self) else "asking")


@plant("a component that has moved unseen")
def spoil_moves(patch: pytest.MonkeyPatch) -> None:
    kept = ViewFollower.follow
    seen: list[Any] = []

    def follow(self: ViewFollower, told: Any) -> tuple[Happening, ...]:
        """The hands of all seats are compared, not those of one."""
        seen.append(told.get("zones", {}))
        everything = {name: str(one) for zones in seen[-8:] for name, one in zones.items() if isinstance(one, list)}
        return (*kept(self, told), Happening("became", str(sorted(everything.items())), value=1))

    patch.setattr(ViewFollower, "follow", follow)


@plant("the same question anew when another has chosen in secret", "classics/goofspiel")
def spoil_repeats(patch: pytest.MonkeyPatch) -> None:
    kept = Session._hold_answer

    def hold(self: Session, seat: int, option: int) -> None:
        kept(self, seat, option)
        if option & 1:
            self._feeds[3 - seat].items.append(Item("thinking", {"seats": [3 - seat]}))

    patch.setattr(Session, "_hold_answer", hold)


@plant("an answer held where others see it", "classics/goofspiel")
def spoil_held(patch: pytest.MonkeyPatch) -> None:
    kept = Session._hold_answer

    def hold(self: Session, seat: int, option: int) -> None:
        kept(self, seat, option)
        self._feeds[3 - seat].items.append(Item("held", {"question": 1, "option": option}))

    patch.setattr(Session, "_hold_answer", hold)
