"""The tables that are played in this process: people's choices in, each seat's own messages out, events into a store.

What has happened is kept before anybody hears of it. Whoever connects says how far it is, and gets what is missing.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from attrs import define, evolve, field

from rulesrun.dsl.contents.front_matter import read_front_matter
from rulesrun.dsl.format.format import text_of_type
from rulesrun.dsl.text.messages import template
from rulesrun.files.loading import Reading, make_text_file, parse_link, read_chain, read_playable, read_rules
from rulesrun.files.sources import bundled_names, open_rules
from rulesrun.interpreter.bots.bot_names import NoSuchBot
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table, list_option_values, set_up_table
from rulesrun.locale.catalogue import load_catalogue
from rulesrun.locale.language import Language, list_labels
from rulesrun.server.page_words import say_on_page
from rulesrun.server.stores import Json, Store, TableHead
from rulesrun.services.tables import allowed_players
from rulesrun.table.messages import Reply
from rulesrun.table.seated_bots import Thought
from rulesrun.table.session import BrokenEvents, Session
from rulesrun.terminal.trouble import Trouble

# ---- shelf
# What can be played here: names of rules in, their titles, options and bots out, as the lobby shows them.


BOTS = ("greedy", "mcts:200", "mcts:1000", "random")
MOST_VALUES = 40
KEPT_READINGS = 64


@define(eq=False)
class Shelf:
    """`names`: files that were asked for; none: everything that is bundled."""

    names: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    _readings: dict[str, Reading] = field(init=False, factory=dict)
    _kept: dict[tuple[tuple[str, str], ...], Reading] = field(init=False, factory=dict)
    _titles: dict[str, Json] = field(init=False, factory=dict)

    def all_names(self) -> tuple[str, ...]:
        return self.names or tuple(sorted(bundled_names(), key=lambda name: (name.count("/"), name)))

    def list_titles(self, language: str) -> list[Json]:
        return [
            {"name": name, "title": told["titles"].get(language, told["title"]), "variant": told["variant"],
             "kind": told["kind"], "players": told["players"]}
            for name in self.all_names() for told in [self._read_title(name)]
        ]  # fmt: skip

    def _read_title(self, name: str) -> Json:
        """From its own text alone: to check every file would take seconds."""
        if name not in self._titles:
            told = read_front_matter(parse_link(open_rules(name)).parsed)
            self._titles[name] = {
                "title": told.title if told.title is not None else name,
                "titles": dict(told.titles), "variant": told.is_variant,
                "kind": name.partition("/")[0] if "/" in name and name not in self.names else "",
                "players": write_players(told.players),
            }
        return self._titles[name]

    def read(self, name: str) -> Reading:
        """Raises KeyError where it does not stand here, Trouble where it cannot be played."""
        if name not in self.all_names():
            raise KeyError(name)
        if name not in self._readings:
            found = read_rules(name, self.variants)
            self._readings[name] = found if found.program is None else read_texts(found.name, texts_of(found))
        reading = self._readings[name]
        if reading.program is None:
            raise Trouble(f"{name}: {reading.diagnostics[0].message if reading.diagnostics else 'cannot be played'}")
        return reading

    def read_playable(self, name: str) -> Reading:
        """Before anybody plays: what is wrong with a file is told as every command tells it. Raises Unplayable."""
        found = read_playable(name, self.variants)
        self._readings[name] = read_texts(found.name, texts_of(found))
        return self._readings[name]

    def read_again(self, head: TableHead) -> Reading:
        """The rules as they were when the table was made."""
        found = self._kept.get(head.texts)
        if found is None:
            known = self._readings.get(head.rules)
            if known is not None and texts_of(known) == head.texts:
                return known
            found = read_texts(head.asked, head.texts)
            while len(self._kept) >= KEPT_READINGS:
                del self._kept[next(iter(self._kept))]
            self._kept[head.texts] = found
        return found

    def describe(self, name: str, players: int | None, language: str) -> Json:
        """All that is to be chosen before a game."""
        reading = self.read(name)
        assert reading.program is not None
        speech = speech_of(reading, language)
        allowed = [count for count in allowed_players(reading.program) if _may_sit(reading, count)]
        if not allowed:
            raise Trouble(f"{name}: the rules allow no table")
        table = set_up_table(reading.program, players if players in allowed else allowed[0])
        return {
            "name": name, "title": speech.labels.get("game", reading.title), "players": allowed,
            "options": list(describe_options(table, speech)),
            "bots": [
                *({"name": one.name.text, "label": speech.label(one.name.text), "notes": list(one.notes)}
                  for one in table.program.game.personas),
                *({"name": one, "label": one, "notes": []} for one in BOTS),
            ],
        }  # fmt: skip


def write_players(counts: range | None) -> str:
    """`2–5`, as far as plain numbers say it."""
    if counts is None:
        return ""
    low, high = counts.start, counts.stop - 1
    return str(low) if low == high else f"{low}–{high}"


def _may_sit(reading: Reading, players: int) -> bool:
    assert reading.program is not None
    try:
        set_up_table(reading.program, players)
    except RefusedTable:
        return False
    return True


def speech_of(reading: Reading, code: str) -> Language:
    return Language(code, load_catalogue(code), list_labels(reading.game, code))


def describe_options(table: Table, speech: Language) -> Iterator[Json]:
    """`values`: what may be chosen; none where it is to be typed."""
    for option in table.bench.options:
        values = list_option_values(table, option.name.text)
        is_listed = 1 < len(values) <= MOST_VALUES
        yield {
            "name": option.name.text, "label": speech.label(option.name.text), "is_reading": option.is_reading,
            "notes": [*option.notes, *([option.sentence] if option.sentence else [])],
            "value": write_value(table.options[option.name.text]), "domain": text_of_type(option.type),
            "values": [{"value": write_value(one), "label": label_value(one, speech)} for one in values]
            if is_listed else [],
        }  # fmt: skip


def write_value(value: object) -> str:
    """As `--set` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(write_value(one) for one in value)
    return "nothing" if value is None else str(value)


def label_value(value: object, speech: Language) -> str:
    return speech.label(write_value(value))


def texts_of(reading: Reading) -> tuple[tuple[str, str], ...]:
    return tuple((link.file.name, link.file.text) for link in reading.chain)


def read_texts(asked: str, texts: Sequence[tuple[str, str]]) -> Reading:
    """Rules by their texts alone: the same whether they come from files or from the store."""
    files = [make_text_file(name, text) for name, text in texts]
    return read_chain(next(one for one in files if one.name == asked), files)


def check_options(reading: Reading, players: int, options: Mapping[str, str]) -> Table:
    """Raises RefusedTable."""
    assert reading.program is not None
    return set_up_table(reading.program, players, dict(options))


# ---- live tables


PACE = 0.6  # seconds between a question to a bot and its answer, or a multiple: how long it thinks tells nothing
STAND_IN = "greedy"  # who plays for somebody who is not there
LAST_RESORT = "random"  # who plays on where a bot has failed: it needs neither an observation nor thinking
MOST_PATIENCE = 30.0  # seconds before what has failed is tried again
LOG = logging.getLogger("rulesrun.server")
PROBLEMS = {
    "bot-failed": template("{bot} could not continue for player {player}; {other} takes over."),
}
MOST_TRIES = 5  # when other processes answer at the same moment
IDLE_SECONDS = 600.0  # after which a table that nobody looks at is put away
HEARTBEAT = 15.0  # seconds between two words of who is there, to other processes
TOKEN_BYTES = 12


class BotFailed(Exception):
    """The bot of this seat cannot choose."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"the bot of seat {seat}")
        self.seat = seat


@define(eq=False)
class Link:
    """One connection: who sits behind it, how far it is. `wake` is set when there may be something to send."""

    seat: int
    since: int
    language: str
    wake: asyncio.Event = field(factory=asyncio.Event)
    notices: list[Json] = field(factory=list)  # beside the feed: who is there, where the next game is played


@define(eq=False)
class LiveTable:
    head: TableHead
    session: Session
    store: Store
    workers: ThreadPoolExecutor
    pace: float
    kept: int = 0  # events that are in the store
    links: set[Link] = field(factory=set)
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    touched: float = field(factory=time.monotonic)
    left_at: dict[int, float] = field(factory=dict)  # people who were here and are gone
    elsewhere: dict[str, tuple[float, frozenset[int]]] = field(factory=dict)  # by process: when it said who is there
    next_table: str | None = None
    _thinking: asyncio.Task[None] | None = None

    # ---- who is there

    def present_seats(self) -> set[int]:
        """People with a connection, to this process or another."""
        now = time.monotonic()
        here = {link.seat for link in self.links if link.seat}
        for said_at, seats in self.elsewhere.values():
            if now - said_at < 3 * HEARTBEAT:
                here |= seats
        return here

    def absent_seats(self) -> list[int]:
        present = self.present_seats()
        return [
            seat for seat in range(1, self.session.players + 1)
            if seat not in present and self.session.bot_of(seat) is None
        ]  # fmt: skip

    def has_stand_in(self, seat: int) -> bool:
        """A bot plays for a person, and gives way when the person is back."""
        session = self.session
        return seat > 0 and session.bot_of(seat) is not None and str(seat) not in session.events()[0]["bots"]

    async def add_link(self, link: Link) -> None:
        self.links.add(link)
        self.touched = time.monotonic()
        self.left_at.pop(link.seat, None)
        if self.has_stand_in(link.seat):
            await self.act(lambda session: session.take_over(link.seat, None))
        link.notices.append({"absent": self.absent_seats(), "next": self.next_table, "over": self.session.is_over})
        link.wake.set()
        await self.tell_present()
        self.think()

    async def remove_link(self, link: Link) -> None:
        self.links.discard(link)
        self.touched = time.monotonic()
        if link.seat and all(other.seat != link.seat for other in self.links):
            self.left_at[link.seat] = time.monotonic()
        await self.tell_present()

    async def tell_present(self) -> None:
        self.notify({"absent": self.absent_seats()})
        if self.store.is_shared:
            here = sorted({link.seat for link in self.links if link.seat})
            await self.store.publish_news(self.head.id, {"present": here})

    def notify(self, notice: Json) -> None:
        for link in self.links:
            link.notices.append(notice)
            link.wake.set()

    def expect_people(self) -> None:
        """After a table has come back from the store: who does not come back is away from now on."""
        now = time.monotonic()
        self.left_at = {seat: now for seat in range(1, self.session.players + 1) if self.session.bot_of(seat) is None}

    # ---- what happens

    async def act(self, do: Callable[[Session], Reply]) -> Reply:
        """One thing that somebody does: kept first, then heard of by all."""
        async with self.lock:
            for _ in range(MOST_TRIES):
                await self._catch_up()
                reply = do(self.session)
                if await self._keep():
                    break
            else:
                raise TimeoutError("other processes are always faster")
        self.wake_all()
        self.think()
        return reply

    async def follow_news(self, news: Json) -> None:
        """Another process has added events, or says who is there."""
        if "present" in news:
            self.elsewhere[news["process"]] = time.monotonic(), frozenset(news["present"])
            self.notify({"absent": self.absent_seats()})
            return
        if "next" in news:
            self.next_table = news["next"]
            self.notify({"next": self.next_table})
            return
        async with self.lock:
            await self._catch_up()
        self.wake_all()
        self.think()

    async def _catch_up(self) -> None:
        if not self.store.is_shared:
            return
        missing = await self.store.events(self.head.id, self.kept)
        if missing:
            self.session.follow_events(missing)
            self.kept += len(missing)

    async def _keep(self) -> bool:
        """What is new in the session goes into the store; where another process was faster, the session begins anew."""
        new = self.session.events(self.kept)
        if not new:
            return True
        if await self.store.append(self.head.id, self.kept, new):
            self.kept += len(new)
            return True
        events = await self.store.events(self.head.id)
        self.session = Session.restore(self.session.reading, events)
        self.kept = len(events)
        return False

    def wake_all(self) -> None:
        for link in self.links:
            link.wake.set()

    # ---- bots

    def think(self) -> None:
        if self._thinking is None or self._thinking.done():
            self._thinking = asyncio.get_running_loop().create_task(self._think_on())

    async def _think_on(self) -> None:
        """Bots choose until a person is asked. One process leads a table; only there they think. Where something goes
        wrong, the game goes on: another bot takes the seat, or the same is tried again."""
        failures = 0
        while True:
            try:
                if not await self._play_next_bot():
                    return
                failures = 0
            except Exception as problem:  # whatever it is: nobody else would hear of it
                failures += 1
                LOG.exception("table %s: a bot could not go on", self.head.id)
                failed = problem.seat if isinstance(problem, BotFailed) else 0
                if not failed or not await self._replace_bot(failed):
                    await asyncio.sleep(min(MOST_PATIENCE, float(1 << min(failures, 6))))

    async def _play_next_bot(self) -> bool:
        """Whether one was asked, here."""
        try:
            thought = self.session.next_thought()
        except Exception as problem:
            raise BotFailed(next(filter(self.session.bot_of, self.session.waiting_for()), 0)) from problem
        if thought is None or not await self.store.lead(self.head.id):
            return False
        try:
            option = await self._think_in_time(thought)
        except Exception as problem:
            raise BotFailed(thought.seat) from problem
        async with self.lock:
            await self._catch_up()
            is_taken = self.session.take_thought(thought, option)
            is_kept = await self._keep()
        if is_taken and is_kept:
            self.wake_all()
        return True

    async def _replace_bot(self, seat: int) -> bool:
        """A bot that needs no thinking plays on, and everybody is told."""
        name = self.session.bot_of(seat)
        if name in (None, LAST_RESORT):
            return False
        try:
            await self.stand_in(seat, LAST_RESORT)
        except Exception:  # the store does not answer: later
            LOG.exception("table %s: nobody plays for seat %s", self.head.id, seat)
            return False
        for link in self.links:
            told = say_on_page(link.language, PROBLEMS["bot-failed"], bot=name, player=seat, other=LAST_RESORT)
            link.notices.append({"trouble": told})
            link.wake.set()
        return True

    async def _think_in_time(self, thought: Thought) -> int:
        loop = asyncio.get_running_loop()
        began = loop.time()
        option = await loop.run_in_executor(self.workers, thought.choose)
        if self.pace:
            left = self.pace - (loop.time() - began) % self.pace
            await asyncio.sleep(left)
        return option

    async def mind_absent(self) -> None:
        """A bot plays for who has been away for long while the game waits."""
        if self.head.away is None:
            return
        now = time.monotonic()
        present = self.present_seats()
        for seat in self.session.waiting_for():
            left = self.left_at.get(seat)
            if left is None or now - left < self.head.away or seat in present or self.session.bot_of(seat):
                continue
            await self.stand_in(seat, STAND_IN)

    async def stand_in(self, seat: int, bot: str | None) -> Reply:
        reply = await self.act(lambda session: session.take_over(seat, bot))
        await self.tell_present()
        return reply


@define(eq=False)
class LiveTables:
    """All tables of this process, by number."""

    shelf: Shelf
    store: Store
    engine: str = "auto"
    pace: float = PACE
    tables: dict[str, LiveTable] = field(init=False, factory=dict)
    workers: ThreadPoolExecutor = field(init=False, factory=lambda: ThreadPoolExecutor(2, "bot"))
    _opening: dict[str, asyncio.Lock] = field(init=False, factory=dict)
    _minder: asyncio.Task[None] | None = field(init=False, default=None)
    _news: set[asyncio.Task[None]] = field(init=False, factory=set)

    async def start(self) -> None:
        await self.store.start(self._hear_news)
        self._minder = asyncio.get_running_loop().create_task(self._mind_tables())

    async def stop(self) -> None:
        if self._minder is not None:
            self._minder.cancel()
        for table in self.tables.values():
            if table._thinking is not None:
                table._thinking.cancel()
        self.workers.shutdown(wait=False, cancel_futures=True)
        await self.store.stop()

    async def make(
        self, rules: str, reading: Reading, players: int, seats: Mapping[int, str], options: Mapping[str, str],
        seed: int, away: float | None, tokens: Mapping[str, int] | None = None,
    ) -> LiveTable:
        """Raises RefusedTable, NoSuchBot. `tokens`: those of the game before, so that links go on."""
        chosen = tokens or {secrets.token_urlsafe(TOKEN_BYTES): seat for seat in range(1, players + 1)}
        session = Session.open(reading, players, seats, options, seed, chosen, self.engine)
        head = TableHead(secrets.token_urlsafe(9), rules, reading.name, texts_of(reading), away, time.time())
        await self.store.make(head, session.events())
        table = self._add(head, session)
        table.think()
        return table

    async def make_from(self, table: LiveTable, events: Sequence[Json]) -> LiveTable:
        """A new table at which so much has happened already."""
        head = evolve(table.head, id=secrets.token_urlsafe(9), made=time.time())
        session = Session.restore(table.session.reading, events, self.engine)
        await self.store.make(head, session.events())
        return self._add(head, session)

    def _add(self, head: TableHead, session: Session) -> LiveTable:
        table = LiveTable(head, session, self.store, self.workers, self.pace, len(session.events()))
        self.tables[head.id] = table
        return table

    async def find_table(self, number: str) -> LiveTable | None:
        """A table that is played here, or one that is in the store."""
        if number in self.tables:
            return self.tables[number]
        lock = self._opening.setdefault(number, asyncio.Lock())
        try:
            async with lock:
                if number in self.tables:
                    return self.tables[number]
                head = await self.store.head(number)
                if head is None:
                    return None
                events = await self.store.events(number)
                session = Session.restore(self.shelf.read_again(head), events, self.engine)
                table = self._add(head, session)
                table.expect_people()
                return table
        finally:
            if not lock.locked():
                self._opening.pop(number, None)

    async def play_again(self, table: LiveTable) -> LiveTable:
        """A new game with the same rules, seats and links. Asked twice, it is one game."""
        async with table.lock:
            if table.next_table is not None:
                known = await self.find_table(table.next_table)
                if known is not None:
                    return known
            first = table.session.events()[0]
            bots = {int(seat): name for seat, name in first["bots"].items()}
            again = await self.make(
                table.head.rules, table.session.reading, first["players"], bots, first["options"],
                secrets.randbits(40), table.head.away, first["tokens"],
            )
            table.next_table = again.head.id
        table.notify({"next": again.head.id})
        await self.store.publish_news(table.head.id, {"next": again.head.id})
        return again

    def _hear_news(self, number: str, news: Json) -> None:
        table = self.tables.get(number)
        if table is not None:
            task = asyncio.get_running_loop().create_task(table.follow_news(news))
            self._news.add(task)
            task.add_done_callback(self._news.discard)

    async def _mind_tables(self) -> None:
        """Bots for who is away; tables that nobody looks at are put away, and come back from the store."""
        beats = 0
        while True:
            await asyncio.sleep(1.0)
            beats += 1
            for table in list(self.tables.values()):
                try:
                    await table.mind_absent()
                    if self.store.is_shared and table.links and beats % int(HEARTBEAT) == 0:
                        await table.tell_present()
                except (TimeoutError, BrokenEvents, NoSuchBot, OSError):
                    continue
                if not table.links and time.monotonic() - table.touched > IDLE_SECONDS:
                    del self.tables[table.head.id]
                    await self.store.leave(table.head.id)


def find_seat(table: LiveTable, token: Any) -> int | None:
    """The seat of a token, 0 for who only watches; None: a token that is not of this table."""
    if token is None:
        return 0
    if not isinstance(token, str):
        return None
    return table.session.seat_of(token)
