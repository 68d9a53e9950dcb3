"""`rulesrun play`: people and bots at a table, line by line; saved games go on, recorded ones are walked through."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from random import SystemRandom
from typing import TYPE_CHECKING

from rulesrun.dsl.text.messages import message, template
from rulesrun.files.atomic_files import check_writable, write_atomically
from rulesrun.files.loading import read_playable
from rulesrun.locale.language import use_words
from rulesrun.terminal.output import print_error
from rulesrun.terminal.requests import PlayRequest
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.files.loading import Reading
    from rulesrun.locale.language import Language
    from rulesrun.play.saved_tables import Record
    from rulesrun.table.session import Session

PERSON = ("human", "person", "me")
DEFAULT_SEATS = "human,greedy"
SEEDS = 1 << 31


def run(request: PlayRequest) -> int:
    from rulesrun.play.saved_tables import find_record, find_saved_table, restore_table

    record = find_record(request.files[-1])
    if record is not None:
        return _step_through(record, request)
    if len(request.files) > 1:
        raise Trouble(message("{file} is not a recorded game", file=request.files[1]))
    if request.trace is not None:
        check_writable(request.trace)
    saved = find_saved_table(request.files[0])
    if saved is not None:
        session = restore_table(saved, request.files[0])
        return _play_on(session, request, saved.rules, saved.variants)
    return _play_on(_open_session(request), request, request.files[0], request.variants)


def _step_through(record: Record, request: PlayRequest) -> int:
    from rulesrun.play.stepping import Stepper
    from rulesrun.play.typed_lines import LineReader

    reading = record.read_rules(request.files[0] if len(request.files) > 1 else None, request.variants)
    game = record.play(reading)
    everybody = tuple(range(1, game.session.players + 1))
    eyes = everybody if request.debug else (1,)
    Stepper(game, LineReader(), _language(reading, request), _is_coloured(), 0, eyes).walk()
    return 0


def _language(reading: Reading, request: PlayRequest) -> Language:
    """Of this table; everything else is said in it, too."""
    from rulesrun.locale.catalogue import load_catalogue
    from rulesrun.locale.language import Language, list_labels

    use_words(reading.game)
    code = request.lang or "en"
    return Language(code, load_catalogue(code), list_labels(reading.game, code))


def _is_coloured() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _open_session(request: PlayRequest) -> Session:
    from rulesrun.services.tables import seat_one
    from rulesrun.table.seated_bots import NoSuchBot
    from rulesrun.table.session import Session

    reading = read_playable(request.files[0], request.variants)
    table = seat_one(reading, request)
    bots = _seat_bots(request.seats or DEFAULT_SEATS, table.players)
    seed = SystemRandom().randrange(SEEDS) if request.seed is None else request.seed
    try:
        return Session.open(
            reading, table.players, bots, dict(request.settings), seed, engine=request.engine or "auto"
        )
    except NoSuchBot as nobody:
        raise Trouble(message("`--seats {seats}`: {reason}", seats=request.seats, reason=str(nobody))) from None


def _seat_bots(written: str, players: int) -> dict[int, str]:
    """`human,mcts:200,…`: the last one sits at all seats that are left."""
    names = [name.strip() for name in written.split(",")]
    if len(names) > 1 and names[-1] in ("…", "..."):
        names.pop()
    if len(names) > players and written != DEFAULT_SEATS:
        text = template("`--seats {seats}` names {named} players, but {players} play")
        raise Trouble(message(text, seats=written, named=len(names), players=players))
    names += [names[-1]] * (players - len(names))
    return {seat: name for seat, name in enumerate(names[:players], 1) if name not in PERSON}


def _play_on(session: Session, request: PlayRequest, rules: str, variants: tuple[str, ...]) -> int:
    from rulesrun.play.line_table import LEFT, STUCK, LineTable, keep_left
    from rulesrun.play.typed_lines import LineReader
    from rulesrun.table.session_traces import trace_session

    people = [seat for seat in range(1, session.players + 1) if session.bot_of(seat) is None]
    language = _language(session.reading, request)
    if request.tui:
        return _play_on_screen(session, people, language, request)
    table = LineTable(session, people, LineReader(), language, rules, variants, _is_coloured(), request.debug)
    try:
        ended = table.play()
    except KeyboardInterrupt:
        keep_left(table)
        raise
    finally:
        if request.trace is not None:
            write_atomically(request.trace, (line + "\n" for line in trace_session(session)))
    if ended == LEFT and not table.has_quit:
        keep_left(table)
        return 2
    if ended == STUCK:
        print_error(message(
            "rulesrun: the rules do not say how the game goes on; `rulesrun {file}` shows why",
            file=rules))
        return 1
    return 0


def _play_on_screen(session: Session, people: Sequence[int], language: Language, request: PlayRequest) -> int:
    from rulesrun.table.session_traces import trace_session

    try:
        from rulesrun.play.screen_table import play_on_screen
    except ImportError:
        text = template("`--tui` needs an extra: `pip install 'rulesrun[tui]'`; without `--tui` you play line by line")
        raise Trouble(message(text)) from None
    play_on_screen(session, people, language, _is_coloured())
    if request.trace is not None:
        write_atomically(request.trace, (line + "\n" for line in trace_session(session)))
    return 0
