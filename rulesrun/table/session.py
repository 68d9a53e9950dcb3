"""A table at which people and bots play one game: answers in, each seat's own messages out. No input or output.

Nothing here is random but the game, which follows from its seed; tokens are made by the caller. `events` is all there
is to keep: `Session.restore` makes the same session of them, message by message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from attrs import define, field, frozen

from rulesrun.files.excerpts import WHOLE, excerpt, line_of
from rulesrun.files.loading import Reading
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, State
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.score_lookups import place_of
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import Language
from rulesrun.records.traces import end_event, option_json
from rulesrun.run.bot_engines import make_think
from rulesrun.table.course import Course
from rulesrun.table.description import place_kinds, places_looked_at
from rulesrun.table.messages import (
    Happening,
    Json,
    Message,
    OptionJson,
    Reply,
    Speech,
    ViewFollower,
    arguments_of,
    entry_json,
    option_parts,
)
from rulesrun.table.option_words import WordedOption, choice_words, distinct_words, name_words, read_option, value_words
from rulesrun.table.permitted_words import Reason, find_open_reason
from rulesrun.table.score_sheets import explain_end
from rulesrun.table.seated_bots import SeatedBots, Thought
from rulesrun.table.shared_tables import share_description, share_table, share_wording

VERSION = 1
PERSON = None  # who plays a seat that no bot plays
MOST_WORDED = 8_192  # options that are kept in words, for each language


class BrokenEvents(ValueError):
    """These are not the events of a session of these rules; the message says which does not fit."""


@frozen(eq=False)
class Item:
    """One message before it is put into a language. `entry`: what was remembered, with what it has changed."""

    kind: str
    told: Json = field(factory=dict)
    entry: str = ""
    happenings: tuple[Happening, ...] = ()


@define(eq=False)
class SeatFeed:
    """What one seat was sent, and how far it is."""

    seat: int
    follower: ViewFollower
    items: list[Item] = field(factory=list)
    heard: int = 0  # entries of its history that were sent
    questions: int = 0  # that it was asked
    answered: dict[int, int] = field(factory=dict)  # question: option
    open: int = 0  # the question that it may answer now; 0: none
    may_undo: str = "no"


@define(eq=False)
class Session:
    """Made by `open` or `restore`."""

    reading: Reading
    table: Table
    seed: int
    tokens: Mapping[str, int]  # of seats; 0 is who only watches
    _think: Think
    _bots: dict[int, str] = field(init=False, factory=dict)
    _events: list[Json] = field(init=False, factory=list)
    _course: Course = field(init=False)
    _feeds: list[SeatFeed] = field(init=False)
    _chosen: dict[int, int] = field(init=False, factory=dict)  # of several at once, who has chosen
    _by_bot: set[int] = field(init=False, factory=set)  # and who of them is a bot
    _bot_decisions: list[bool] = field(init=False, factory=list)
    _asked_back: tuple[int, frozenset[int]] | None = field(init=False, default=None)  # who asks; who must agree
    _seated: SeatedBots = field(init=False)
    _shared: dict[str, Item] = field(init=False, factory=dict)  # of the moment, by what was seen
    _is_open_game: bool = field(init=False)
    _speeches: dict[tuple[int, str], Speech] = field(init=False, factory=dict)

    # ---- beginning

    @staticmethod
    def open(
        reading: Reading, players: int, seats: Mapping[int, str] | None = None,
        options: Mapping[str, Any] | None = None, seed: int = 0, tokens: Mapping[str, int] | None = None,
        engine: str = "auto", chance: Streams | None = None,
    ) -> Session:
        """`seats`: the bots by seat, as `{2: "greedy", 3: "mcts:200"}`; people play all others. `chance`: that of a
        recorded game; such a session cannot be restored. Raises RefusedTable, NoSuchBot."""
        assert reading.program is not None
        table = share_table(reading.program, players, options or {})
        session = Session(reading, table, seed, dict(tokens or {}), make_think(table, engine))
        session._begin(dict(sorted((seats or {}).items())), chance)
        return session

    @staticmethod
    def restore(reading: Reading, events: Iterable[Json], engine: str = "auto") -> Session:
        """The session whose `events` these are."""
        found = iter(events)
        first = next(found, None)
        if first is None or first.get("event") != "open" or first.get("version") != VERSION:
            raise BrokenEvents("the first event does not open a table")
        if first["rules"] != reading.digest:
            raise BrokenEvents("these are events of other rules")
        bots = {int(seat): name for seat, name in first["bots"].items()}
        session = Session.open(
            reading, first["players"], bots, first["options"], first["seed"], first["tokens"], engine
        )
        session.follow_events(found)
        return session

    def follow_events(self, events: Iterable[Json]) -> None:
        """What has happened at this table elsewhere since: in another process that shares it. Raises BrokenEvents."""
        for event in events:
            self._repeat_event(event)

    def _begin(self, bots: dict[int, str], chance: Streams | None) -> None:
        self._seated = SeatedBots(self.table, self._think)
        for seat, name in bots.items():
            self._check_seat(seat)
            self._seated.bot(name)
        self._bots = bots
        self._is_open_game = is_open_game(self.table)
        kinds, looked_at = place_kinds(self.table), places_looked_at(self.table)
        self._feeds = [SeatFeed(seat, ViewFollower(kinds, looked_at)) for seat in range(self.table.players + 1)]
        self._course = Course(self.table, self.seed, chance)
        self._events.append({
            "event": "open", "version": VERSION, "rules": self.reading.digest, "players": self.table.players,
            "options": dict(self.table.options), "seed": self.seed, "tokens": dict(self.tokens),
            "bots": {str(seat): name for seat, name in bots.items()},
        })  # fmt: skip
        for feed in self._feeds:
            feed.items += [Item("table"), Item("seats", {"seats": self._seats_json()})]
        self._send_all()

    def _repeat_event(self, event: Json) -> None:
        match event:
            case {"event": "answer", "seat": int(seat), "option": int(option), "bot": True}:
                reply = self._accept(seat, option, by_bot=True)
            case {"event": "answer", "seat": int(seat), "question": int(question), "option": int(option)}:
                reply = self.answer(seat, question, option)
            case {"event": "undo", "seat": int(seat)}:
                reply = self.undo(seat)
            case {"event": "agree", "seat": int(seat), "yes": bool(yes)}:
                reply = self.agree(seat, yes)
            case {"event": "rewind", "decisions": int(decisions)}:
                reply = self.rewind(decisions)
            case {"event": "seat", "seat": int(seat), "bot": str() | None as bot}:
                reply = self.take_over(seat, bot)
            case _:
                raise BrokenEvents(f"this is no event: {event}")
        if not reply["accepted"]:
            raise BrokenEvents(f"the rules do not allow event {len(self._events)}: {reply['reason']}")

    # ---- what is known of the session

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def is_over(self) -> bool:
        return self._course.asking is None

    @property
    def state(self) -> State:
        """The whole position, what is hidden included: for who debugs rules, never for a seat."""
        return self._course.state

    def events(self, since: int = 0) -> list[Json]:
        """All that has happened, to be kept and to be restored from. Nobody at the table may see them."""
        return self._events[since:]

    @property
    def answers(self) -> tuple[int, ...]:
        """The whole course of the game: of players the number of the option, of chance what was thrown."""
        return tuple(self._course.answers)

    @property
    def is_broken(self) -> bool:
        """The rules do not say how to go on."""
        return self._course.broken is not None

    @property
    def hides_nothing(self) -> bool:
        """Everything lies open, and nobody chooses in secret."""
        return self._is_open_game

    @property
    def decisions(self) -> int:
        """How many have been made."""
        return len(self._course.decided)

    @property
    def position(self) -> State:
        """The whole position: for who looks behind the table. Nobody at it may see it."""
        return self._course.state

    @property
    def asks_team(self) -> bool:
        """One answer is asked of all."""
        return self._course.asking is not None and 0 in self._course.asking.decisions

    def seat_of(self, token: str) -> int | None:
        return self.tokens.get(token)

    def bot_of(self, seat: int) -> str | None:
        return self._bots.get(seat)

    def waiting_for(self) -> tuple[int, ...]:
        """The seats that may answer now. Of the team every seat may."""
        return tuple(feed.seat for feed in self._feeds if feed.open)

    # ---- messages

    def feed(self, seat: int, since: int = 0, language: str = "en") -> list[Message]:
        """The messages of a seat after number `since`; 0: of who only watches."""
        self._check_seat(seat, 0)
        feed, found = self._feeds[seat], []
        speech = self._speech(seat, language)
        for number in range(max(since, 0), len(feed.items)):
            message: Any = {"n": number + 1} | self._message(feed, feed.items[number], speech)
            found.append(message)
        return found

    def open_question(self, seat: int, language: str = "en") -> Message | None:
        """The question that the seat may answer now, as its feed has it; without going through the feed."""
        feed = self._feeds[seat]
        if not feed.open:
            return None
        number = max(at for at, item in enumerate(feed.items) if item.kind == "question")
        told = self._question_json(feed, feed.items[number], self._speech(seat, language))
        return cast(Message, {"n": number + 1} | told)

    def last_number(self, seat: int) -> int:
        """Of the last message of a seat."""
        return len(self._feeds[seat].items)

    def _message(self, feed: SeatFeed, item: Item, speech: Speech) -> Json:
        match item.kind:
            case "table":
                return share_description(self.reading, self.table, feed.seat, speech.language.code or "en")
            case "entry":
                return entry_json(item.entry, item.happenings, speech)
            case "question":
                return self._question_json(feed, item, speech)
            case "end":
                return self._end_json(feed, speech)
            case "seats":
                return {"kind": "seats", **item.told, "log": self._seat_words(item.told, speech)}
            case "undone" | "undo-asked" | "undo-refused":
                key = "rewound" if item.told == {"by": 0} else item.kind
                said = speech.sentence(key, player=item.told.get("by", 0))
                return {"kind": item.kind, **item.told, "log": [said]}
            case "stopped":
                return {"kind": "stopped", **item.told, "log": [speech.sentence("stopped", **item.told)]}
            case _:
                return {"kind": item.kind, **item.told}

    def _question_json(self, feed: SeatFeed, item: Item, speech: Speech) -> Json:
        """A question that is answered is sent without its options."""
        told = {"kind": "question", **item.told, "open": feed.open == item.told["question"]}
        if not told["open"]:
            return told
        return told | {"options": self._options_json(feed.seat, speech.language)}

    def _options_json(self, seat: int, language: Language) -> list[OptionJson]:
        known = share_wording(self.table, language.code or "en").options
        if len(known) > MOST_WORDED:
            known.clear()
        found: list[WordedOption] = []
        for option in self._decision(seat).options:
            worded = known.get(option.key)
            if worded is None:
                worded = known[option.key] = WordedOption.put_into_words(language, option_parts(option_json(option)))
            found.append(worded)
        words = distinct_words(found)
        return [
            {"option": number, "action": one.action, "arguments": one.arguments, "words": words[number]}
            for number, one in enumerate(found)
        ]

    def _end_json(self, feed: SeatFeed, speech: Speech) -> Json:
        over = self._course.over
        if over is None:
            return {"kind": "end", "log": []}  # it was taken back since
        told = arguments_without(end_event(over), "event")
        size = self.table.bench.team_size
        place = {player: place_of(over.places, player, size) for group in over.places for player in group}
        log = [speech.sentence("end")]
        log += [
            speech.sentence("end-scores", player=player, score=score, place=place[int(player)])
            for player, score in told["scores"].items()
        ]
        if over.result is not None:
            log.append(speech.sentence("result", result=speech.language.label(over.result)))
        history = self._course.history(feed.seat)
        counted = [json.loads(entry)["score"] for entry in history if entry.startswith('{"score"')]
        sheet = explain_end(self.reading, self.table, self._course.state, feed.seat, counted)
        return {"kind": "end", **told, **sheet, "log": log}

    def _seat_words(self, told: Json, speech: Speech) -> list[str]:
        changed = told.get("changed")
        if changed is None:
            return []
        bot = next(one["bot"] for one in told["seats"] if one["seat"] == changed)
        return [speech.sentence("person-sits" if bot is None else "bot-sits", player=changed, bot=bot)]

    def _seats_json(self) -> list[Json]:
        return [{"seat": seat, "bot": self._bots.get(seat)} for seat in range(1, self.players + 1)]

    def _speech(self, seat: int, language: str) -> Speech:
        known = self._speeches
        if (seat, language) not in known:
            shared = share_wording(self.table, language)
            known[seat, language] = Speech(
                shared.language, seat, shared.owners, shared.types, shared.choices, shared.passing
            )
        return known[seat, language]

    # ---- what is sent

    def _send_all(self) -> None:
        """What each seat remembers and was not sent yet; then what it is asked."""
        course = self._course
        self._shared.clear()
        for feed in self._feeds:
            history = course.history(feed.seat)
            for entry in history[feed.heard :]:
                self._send_entry(feed, entry)
            feed.heard = len(history)
            self._send_question(feed)
        self._send_thinking()
        if course.over is not None:
            self._send_everybody(Item("end"))
        elif course.broken is not None:
            self._send_everybody(Item("stopped", self._fault_json(course.broken)))
        self._send_undo()

    def _send_entry(self, feed: SeatFeed, entry: str) -> None:
        """Seats that have seen the same of it share it."""
        happenings: tuple[Happening, ...] = ()
        if entry.startswith(('{"saw"', '{"view"')):
            happenings = feed.follower.follow_entry(entry)
        item = self._shared.get(entry)
        if item is None or item.happenings != happenings:
            item = self._shared[entry] = Item("entry", entry=entry, happenings=happenings)
        feed.items.append(item)

    def _send_question(self, feed: SeatFeed) -> None:
        feed.open = 0
        asked = self._asked_as(feed.seat)
        if asked is None or asked in self._chosen:
            return
        feed.questions += 1
        feed.open = feed.questions
        assert self._course.asking is not None
        feed.items.append(Item("question", {
            "question": feed.questions, "together": self._course.asking.is_together, "team": asked == 0,
        }))  # fmt: skip

    def _send_thinking(self) -> None:
        """Of several at once, who has not chosen yet: where everybody can know who is asked at all."""
        asking = self._course.asking
        if asking is not None and asking.is_together and asking.is_known_who:
            left = [seat for seat in asking.decisions if seat not in self._chosen]
            self._send_everybody(Item("thinking", {"seats": left}))

    def _send_everybody(self, item: Item) -> None:
        for feed in self._feeds:
            feed.items.append(item)

    def _send_undo(self) -> None:
        for feed in self._feeds[1:]:
            may = self._undo_kind(feed.seat)
            if may != feed.may_undo:
                feed.may_undo = may
                feed.items.append(Item("undo", {"may": may}))

    def _fault_json(self, problem: Fault) -> Json:
        """Where the rules are at fault; not what was worked out there, which may lie hidden."""
        span, sources = problem.diagnostic.span, self.reading.sources
        return {"code": problem.diagnostic.code, "rule": excerpt(span, sources, WHOLE), "line": line_of(span, sources)}

    def _asked_as(self, seat: int) -> int | None:
        """Whom a seat answers for: itself, 0 the team; None: it is not asked."""
        asking = self._course.asking
        if asking is None or not seat:
            return None
        return seat if seat in asking.decisions else 0 if 0 in asking.decisions else None

    def _decision(self, seat: int) -> Any:
        asking, asked = self._course.asking, self._asked_as(seat)
        assert asking is not None
        assert asked is not None
        return asking.decisions[asked]

    # ---- answers

    def answer(self, seat: int, question: int, option: int, language: str = "en") -> Reply:
        """An option by its number. The same answer twice is one answer."""
        refusal = self._refuse_seat(seat, language)
        if refusal is not None:
            return refusal
        feed = self._feeds[seat]
        if question in feed.answered:
            if feed.answered[question] == option:
                return {"accepted": True}
            return self._refusal(seat, language, Reason("question-is-closed", {"question": question}))
        if not feed.open or question != feed.open:
            known = "question-is-closed" if 0 < question <= feed.questions else "no-such-question"
            return self._refusal(seat, language, Reason(known, {"question": question}))
        if seat in self._bots:
            return self._refusal(seat, language, Reason("seat-is-taken", {"seat": seat, "bot": self._bots[seat]}))
        amount = len(self._decision(seat))
        if not 0 <= option < amount:
            return self._refusal(seat, language, Reason("no-such-option", {"option": option, "last": amount - 1}))
        return self._accept(seat, option, by_bot=False)

    def answer_words(self, seat: int, words: str, language: str = "en") -> Reply:
        """An option in words, as `exchange red 7, blue 1`; what is not offered is refused in the words of the rules."""
        refusal = self._refuse_seat(seat, language) or self._refuse_unasked(seat, language)
        if refusal is not None:
            return refusal
        speech = self._speech(seat, language).language
        offered = self._options_json(seat, speech)
        found = read_option(speech, offered, words)
        if len(found.options) == 1:
            return self.answer(seat, self._feeds[seat].open, found.options[0], language)
        if len(found.options) > 1:
            some = ", ".join(offered[number]["words"] for number in found.options[:6])
            some += ", …" if len(found.options) > 6 else ""
            return self._refusal(seat, language, Reason("several-options", {"words": words, "options": some}))
        return self._refusal(seat, language, self._reason_of_words(seat, words, speech))

    def explain_words(self, seat: int, words: str, language: str = "en") -> Reply:
        """Why typed words are no option: nothing is chosen, whatever they mean."""
        refusal = self._refuse_seat(seat, language) or self._refuse_unasked(seat, language)
        if refusal is not None:
            return refusal
        return self._refusal(seat, language, self._reason_of_words(seat, words, self._speech(seat, language).language))

    def why_not(self, seat: int, action: str, arguments: Mapping[str, Any], language: str = "en") -> Reply:
        """Whether a seat that is asked may choose this, and else why not: by what the seat can see. Nothing changes."""
        refusal = self._refuse_seat(seat, language) or self._refuse_unasked(seat, language)
        if refusal is not None:
            return refusal
        wanted = {name: _plain_value(value) for name, value in arguments.items()}
        for option in self._decision(seat).options:
            offered = {name: _plain_value(value) for name, value in arguments_of(option_json(option)).items()}
            if option.action == action and offered == wanted:
                return {"accepted": True}
        return self._refusal(seat, language, self._reason(seat, action, arguments, language))

    def _accept(self, seat: int, option: int, by_bot: bool) -> Reply:
        asking, asked = self._course.asking, self._asked_as(seat)
        if asking is None or asked is None or asked in self._chosen or not 0 <= option < len(asking.decisions[asked]):
            return {"accepted": False, "reason": f"seat {seat} cannot choose option {option}"}
        self._note_answer(seat, option, by_bot)
        self._asked_back = None
        if by_bot:
            self._seated.draw(self._course.streams, self._bots[seat], asked, len(asking.decisions[asked]))
            self._by_bot.add(asked)
        self._chosen[asked] = option
        if len(self._chosen) < len(asking.decisions):
            self._hold_answer(seat, option)
            return {"accepted": True}
        chosen, self._chosen = self._chosen, {}
        self._bot_decisions += [one in self._by_bot for one in asking.decisions]
        self._by_bot = set()
        self._course.apply(chosen)
        self._send_all()
        return {"accepted": True}

    def _note_answer(self, seat: int, option: int, by_bot: bool) -> None:
        feed = self._feeds[seat]
        event: Json = {"event": "answer", "seat": seat, "question": feed.open, "option": option}
        self._events.append(event | ({"bot": True} if by_bot else {}))
        for one in self._feeds if self._asked_as(seat) == 0 else [feed]:
            if one.open:
                one.answered[one.open] = option if one is feed else -1
                one.open = 0

    def _hold_answer(self, seat: int, option: int) -> None:
        """Others are still choosing: nothing happens before all have."""
        feed = self._feeds[seat]
        feed.items.append(Item("held", {"question": feed.questions, "option": option}))
        self._send_thinking()
        self._send_undo()

    # ---- refusals

    def _refuse_seat(self, seat: int, language: str) -> Reply | None:
        if 1 <= seat <= self.players:
            return None
        return self._refusal(0, language, Reason("no-such-seat", {"seat": seat}))

    def _refuse_unasked(self, seat: int, language: str) -> Reply | None:
        if self._feeds[seat].open:
            return None
        asking = self._course.asking
        if asking is None:
            return self._refusal(seat, language, Reason("game-over"))
        if asking.is_together:
            return self._refusal(seat, language, Reason("chosen-already" if seat in self._chosen else "others-choose"))
        return self._refusal(seat, language, Reason("not-your-turn", {"player": next(iter(asking.decisions))}))

    def _reason(self, seat: int, action: str, arguments: Mapping[str, Any], language: str) -> Reason:
        found = find_open_reason(
            self.table, self._course.state, self._asked_as(seat) or 0, action, arguments,
            frozenset(self._offered_actions(seat)),
        )
        if found.key in {"not-offered", "not-possible"}:
            words = choice_words(self._speech(seat, language).language, action, arguments)
            return Reason(found.key, {"choice": words}, span=found.span)
        return found

    def _reason_of_words(self, seat: int, words: str, language: Language) -> Reason:
        from rulesrun.table.option_words import parse_choice

        found = parse_choice(self.table, language, words)
        if found is None:
            offered = ", ".join(f"`{name_words(language, one)}`" for one in self._offered_actions(seat))
            return Reason("no-such-words", {"words": words, "actions": offered})
        if found.rest:
            return Reason("too-many-words", {"action": name_words(language, found.action), "words": found.rest})
        return self._reason(seat, found.action, found.arguments, language.code or "en")

    def _offered_actions(self, seat: int) -> dict[str, None]:
        return dict.fromkeys(one.action for one in self._decision(seat).options)

    def _refusal(self, seat: int, language: str, reason: Reason) -> Reply:
        speech = self._speech(seat, language)
        reply: Reply = {"accepted": False}
        if reason.because is not None:
            reply["reason"] = reply["because"] = reason.because
        else:
            values = {name: self._reason_value(speech.language, name, value) for name, value in reason.values.items()}
            reply["reason"] = speech.sentence(reason.key, **values)
        if reason.span is not None:
            reply["rule"] = excerpt(reason.span, self.reading.sources, WHOLE)
            reply["line"] = line_of(reason.span, self.reading.sources)
        return reply

    def _reason_value(self, language: Language, name: str, value: Any) -> str:
        if name in ("rule", "words", "options", "bot", "actions"):
            return str(value)
        return value_words(language, value) if name == "value" else language.label(str(value))

    # ---- taking back

    def undo(self, seat: int, language: str = "en") -> Reply:
        """Takes the seat's last choice back: at once where nobody has learnt anything by it, else when all agree."""
        refusal = self._refuse_seat(seat, language)
        if refusal is not None:
            return refusal
        kind = self._undo_kind(seat)
        if kind == "no":
            return self._refusal(seat, language, Reason("cannot-undo"))
        self._events.append({"event": "undo", "seat": seat})
        others = frozenset(one for one in range(1, self.players + 1) if one != seat and one not in self._bots)
        if kind == "freely" or not others:
            self._take_back(seat)
        else:
            self._asked_back = seat, others
            self._send_everybody(Item("undo-asked", {"by": seat, "waiting": sorted(others)}))
        return {"accepted": True}

    def agree(self, seat: int, yes: bool = True, language: str = "en") -> Reply:
        """Another seat wants to take a choice back: yes or no."""
        if self._asked_back is None or seat not in self._asked_back[1]:
            return self._refusal(seat, language, Reason("nothing-to-agree"))
        asker, waiting = self._asked_back
        self._events.append({"event": "agree", "seat": seat, "yes": yes})
        self._asked_back = (asker, waiting - {seat}) if yes else None
        if not yes:
            self._send_everybody(Item("undo-refused", {"by": asker}))
        elif waiting == {seat}:
            self._asked_back = None
            self._take_back(asker)
        return {"accepted": True}

    def _undo_kind(self, seat: int) -> str:
        """`freely`, `asking` or `no`; follows from what the seat itself knows."""
        if seat in self._bots:
            return "no"
        if seat in self._chosen:
            return "freely"
        last = self._last_decision(seat)
        if last is None or self._chosen:
            return "no" if last is None else "asking"
        course = self._course
        is_last = all(one.seat == seat for one in course.decided[last:])
        if is_last and not course.count_chance_since(last) and self._is_open_game:
            return "freely"
        return "asking"

    def _last_decision(self, seat: int) -> int | None:
        """The number of the last decision that a person at this seat has made, for itself or for the team."""
        decided = self._course.decided
        for number in range(len(decided) - 1, -1, -1):
            if decided[number].seat in (0, seat) and not self._bot_decisions[number]:
                return number
        return None

    def rewind(self, decisions: int) -> Reply:
        """To where so many decisions had been made, whoever has learnt what since: for who looks behind the table."""
        if not 0 <= decisions < len(self._course.decided):
            return self._refusal(0, "en", Reason("cannot-undo"))
        self._events.append({"event": "rewind", "decisions": decisions})
        self._asked_back = None
        self._go_back(decisions, 0)
        return {"accepted": True}

    def _take_back(self, seat: int) -> None:
        """Of several at once that have not all chosen nobody hears of it; else everybody has seen the choice."""
        if seat in self._chosen:
            del self._chosen[seat]
            self._by_bot.discard(seat)
            feed = self._feeds[seat]
            feed.items.append(Item("undone", {"by": seat}))
            self._send_question(feed)
            self._send_thinking()
            self._send_undo()
            return
        last = self._last_decision(seat)
        assert last is not None
        self._go_back(last, seat)

    def _go_back(self, last: int, seat: int) -> None:
        course = self._course
        while last and course.decided[last - 1].marks is course.decided[last].marks:
            last -= 1
        del self._bot_decisions[last:]
        course.go_back(last)
        self._chosen, self._by_bot = {}, set()
        for feed in self._feeds:
            feed.items.append(Item("undone", {"by": seat}))
            self._send_again(feed)
        self._send_all()

    def _send_again(self, feed: SeatFeed) -> None:
        """The view as it was when the choice had not been made."""
        history = self._course.history(feed.seat)
        feed.heard = len(history)
        feed.follower = ViewFollower(feed.follower.kinds, feed.follower.looked_at)
        views = [entry for entry in history if entry.startswith(('{"saw"', '{"view"'))]
        for entry in views:
            feed.follower.follow_entry(entry)
        if views:
            feed.items.append(Item("entry", entry=next(one for one in reversed(views) if one.startswith('{"view"'))))

    # ---- who plays

    def take_over(self, seat: int, bot: str | None, language: str = "en") -> Reply:
        """A bot plays the seat from now on; None: a person does again. Raises NoSuchBot."""
        refusal = self._refuse_seat(seat, language)
        if refusal is not None:
            return refusal
        if bot is not None:
            self._seated.bot(bot)
        if self._bots.get(seat) != bot:
            self._events.append({"event": "seat", "seat": seat, "bot": bot})
            if bot is None:
                del self._bots[seat]
            else:
                self._bots[seat] = bot
            self._asked_back = None
            self._send_everybody(Item("seats", {"seats": self._seats_json(), "changed": seat}))
            self._send_undo()
        return {"accepted": True}

    def next_thought(self) -> Thought | None:
        """What a bot has to think about now. `choose()` may take its time anywhere; then `take_thought`."""
        course = self._course
        for feed in self._feeds[1:]:
            asked = self._asked_as(feed.seat)
            if not feed.open or feed.seat not in self._bots or asked is None:
                continue
            if asked == 0 and len(self._bots) < self.players:
                return None  # the people at the table decide for the team
            return self._seated.begin_thought(
                self._bots[feed.seat], feed.seat, asked, feed.open, len(self._decision(feed.seat)), course.streams,
                course.answers,
            )
        return None

    def take_thought(self, thought: Thought, option: int) -> bool:
        """What the bot has chosen; False where the game has gone on without it."""
        feed = self._feeds[thought.seat]
        if feed.open != thought.question or self._bots.get(thought.seat) != thought.name:
            return False
        return self._accept(thought.seat, option, by_bot=True)["accepted"]

    def play_bots(self, most: int = 1_000_000) -> int:
        """All that bots have to choose before a person is asked; how many choices it were."""
        for number in range(most):
            thought = self.next_thought()
            if thought is None or not self.take_thought(thought, thought.choose()):
                return number
        return most

    def _check_seat(self, seat: int, first: int = 1) -> None:
        if not first <= seat <= self.players:
            raise ValueError(f"there is no seat {seat}")


def arguments_without(event: Json, name: str) -> Json:
    return {key: value for key, value in event.items() if key != name}


def _plain_value(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, list | tuple) else str(value)


def is_open_game(table: Table) -> bool:
    """Nothing is hidden from anybody, nobody chooses in secret or at once with others: who sees a choice sees all that
    comes of it."""
    bench = table.bench
    visibilities = {room.declaration.visibility for room in bench.zones.values()}
    visibilities |= {room.declaration.visibility for room in bench.variables.values()}
    return (
        visibilities <= {None, "public"}
        and not any(one.secret for one in bench.actions)
        and not any(isinstance(one, TogetherWait) for one in table.waits.values())
    )
