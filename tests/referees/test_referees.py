"""Games of the tool before the referees, and the referees before games that somebody has tampered with."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from rulesrun.cli import main
from tests.referees import collection, hourglass, the_game, tokens, zero
from tests.referees.common import Line, options_allowed
from tests.referees.dealer import Dealer
from tests.referees.steering import GAMES, steered

Settings = Mapping[str, Any]
REFEREES: dict[str, ModuleType] = {
    "collection": collection, "the_game": the_game, "tokens": tokens, "hourglass": hourglass, "zero": zero
}  # fmt: skip
SETTINGS: dict[str, list[Settings]] = {
    "collection": [
        {},
        {"goals": "round", "goal_count": 4, "bonus_tiebreak": "positive"},
        {"goals": "round", "goal_count": 5, "most_when_none": "needs_one"},
        {"goals": "fixed", "goal_count": 5, "fixed_letters": "different"},
        {"goals": "fixed", "goal_count": 3},
    ],
    "the_game": [
        {},
        {"first": "seat", "fire": "yes"},
        {"fire": "yes", "fire_deadline": "next_card", "expert": "yes"},
        {"expert": "yes", "expert_hand": "yes", "stuck_when": "minimum"},
        {"fire": "yes", "expert_hand": "yes", "stuck_when": "minimum"},
    ],
    "tokens": [
        {},
        {"first": "seat", "matches": 2},
        {"excess_back": "each_bonus"},
        {"matches": 3, "excess_back": "each_bonus", "endless": "plays_on"},
    ],
    "hourglass": [
        {},
        {"first": "seat", "discard_when": "all_started"},
        {"two_decks": "yes"},
        {"two_decks": "yes", "second_deck_start": "first", "discard_when": "all_started"},
    ],
    "zero": [
        {},
        {"first": "seat", "first_game": "yes"},
        {"wrong_calls": "yes"},
        {"wrong_calls": "yes", "zero_when": "turn"},
        {"zero_when": "turn"},
    ],
}
DEFAULTS: dict[str, Settings] = {
    "collection": {
        "goals": "none", "goal_count": 1, "bonus_tiebreak": "net", "fixed_letters": "free", "most_when_none": "met"
    },
    "the_game": {
        "first": "team", "fire": "no", "expert": "no", "expert_hand": "no", "fire_deadline": "next_turn",
        "stuck_when": "card",
    },
    "tokens": {"first": "lot", "matches": 1, "excess_back": "turn_end", "endless": "third_time"},
    "hourglass": {"first": "lot", "two_decks": "no", "discard_when": "all_three", "second_deck_start": "next"},
    "zero": {"first": "lot", "first_game": "no", "wrong_calls": "no", "zero_when": "turn_or_exchange"},
}  # fmt: skip
Table = tuple[str, int, Settings]


def tables() -> Iterator[Table]:
    """Every game with every number of players and every line of its settings."""
    for game, referee in REFEREES.items():
        for players in referee.CARD.players:
            for settings in SETTINGS[game]:
                if "two_decks" not in settings or players == 5:
                    yield game, players, settings


TABLES = list(tables())
NAMES = ["-".join([game, str(players), *map(str, settings.values())]) for game, players, settings in TABLES]


def words_of(game: str, players: int, settings: Settings, seed: int) -> list[str]:
    chosen = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    return ["trace", str(GAMES / f"{game}.rules"), "--players", str(players), "--seed", str(seed), *chosen]


def trace_of(game: str, players: int, settings: Settings, seed: int) -> list[Line]:
    """The command line in this process."""
    written, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(complaints):
        code = main(words_of(game, players, settings, seed))
    assert code == 0, complaints.getvalue()
    return [json.loads(line) for line in written.getvalue().splitlines()]


@cache
def dealt(game: str) -> list[Line]:
    """A game that the tool knows nothing of, which its referee lets pass."""
    dealer = Dealer(REFEREES[game].CARD.players[1], {}, 3)
    REFEREES[game].Game(dealer).play()
    REFEREES[game].referee(dealer.lines)
    return dealer.lines


@pytest.mark.parametrize(("game", "players", "settings"), TABLES, ids=NAMES)
def test_random_games_of_the_tool_pass(game: str, players: int, settings: Settings) -> None:
    REFEREES[game].referee(trace_of(game, players, settings, seed=players))


@pytest.mark.parametrize(("game", "players", "settings"), TABLES, ids=NAMES)
def test_games_steered_into_rare_places_pass(game: str, players: int, settings: Settings) -> None:
    REFEREES[game].referee(steered(game, players, settings, seed=players))


@pytest.mark.long
@pytest.mark.parametrize("game", REFEREES)
@pytest.mark.parametrize("seed", range(25))
def test_the_wide_sweep(game: str, seed: int) -> None:
    """Every number of players, options and readings mixed at random."""
    card = REFEREES[game].CARD
    for players in card.players:
        settings = mixed_settings(game, players, seed)
        REFEREES[game].referee(trace_of(game, players, settings, seed))
        for more in range(3):
            REFEREES[game].referee(steered(game, players, settings, 100 * seed + more))


def mixed_settings(game: str, players: int, seed: int) -> dict[str, Any]:
    chance = random.Random(1000 * seed + players)
    allowed = options_allowed(REFEREES[game].CARD, players) | {"matches": [1, 2], "endless": ["third_time"]}
    own = REFEREES[game].CARD.options
    settings = {
        name: chance.choice([one for one in allowed[name] if name != "first" or isinstance(one, str)]) for name in own
    }
    if players < 5:
        settings.pop("two_decks", None)
    if settings.get("goals") == "none":
        settings.pop("goal_count")
    elif settings.get("goals") == "fixed":
        settings["goal_count"] = max(3, settings["goal_count"])
    return settings


@pytest.mark.parametrize("game", REFEREES)
def test_a_fresh_process_starts_with_the_defaults(game: str) -> None:
    players = REFEREES[game].CARD.players[0]
    words = words_of(game, players, {}, 5)
    done = subprocess.run(
        [sys.executable, "-m", "rulesrun", *words], capture_output=True, text=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["options"] == DEFAULTS[game]
    assert lines[0]["seed"] == 5
    REFEREES[game].referee(lines)


def test_three_goals_unless_told_when_they_stay() -> None:
    start = trace_of("collection", 2, {"goals": "fixed"}, 1)[0]
    assert start["options"]["goal_count"] == 3


@pytest.mark.parametrize(
    ("game", "players", "settings"),
    [
        ("hourglass", 4, {"two_decks": "yes"}),
        ("collection", 3, {"goals": "fixed", "goal_count": 2}),
        ("collection", 3, {"goals": "round", "goal_count": 6}),
    ],
)
def test_what_a_table_cannot_choose_is_refused(game: str, players: int, settings: Settings) -> None:
    complaints = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complaints):
        assert main(words_of(game, players, settings, 1)) == 2
    assert complaints.getvalue()


Change = Callable[[list[Line]], None]


def of_kind(lines: list[Line], event: str) -> Line:
    """A line of this kind from the middle of the game."""
    found = [line for line in lines if line["event"] == event]
    return found[len(found) // 2]


def change(event: str, key: str, value: Callable[[Any], Any]) -> Change:
    def altered(lines: list[Line]) -> None:
        line = of_kind(lines, event)
        line[key] = value(line[key])

    return altered


def one_point_more(sheet: Any) -> Any:
    return {seat: own | {"total": own["total"] + 1} for seat, own in sheet.items()}


CHANGES: dict[str, Change] = {
    "an option is missing": change("start", "options", lambda options: dict(list(options.items())[1:])),
    "an option too many": change("start", "options", lambda options: options | {"mood": "good"}),
    "an unknown value": change("start", "options", lambda options: options | {min(options): "perhaps"}),
    "too many players": change("start", "players", lambda players: players + 9),
    "a legal action is missing": change("decision", "legal", lambda legal: legal[1:]),
    "a legal action twice": change("decision", "legal", lambda legal: [*legal, legal[0]]),
    "a legal action too many": change("decision", "legal", lambda legal: [*legal, {"action": "cheat"}]),
    "an illegal choice": change("decision", "chosen", lambda chosen: chosen | {"card": "green-99"}),
    "another player": change("decision", "player", lambda player: player + 1),
    "other odds": change("chance", "odds", lambda odds: f"{odds}1"),
    "odds not in lowest terms": change("chance", "odds", lambda odds: f"2/{2 * int(odds.split('/')[1])}"),
    "an impossible outcome": change("chance", "outcome", lambda outcome: [*outcome[1:], "purple-0"]),
    "another kind of chance": change("chance", "what", lambda what: "whim"),
    "another number": change("chance", "i", lambda number: number + 1),
    "a point more": change("score", "sheet", one_point_more),
    "a round of its own": change("score", "round", lambda number: number + 20),
    "another final score": change("end", "scores", lambda scores: scores | {"1": scores["1"] + 1}),
    "other places": change("end", "places", lambda places: [*places, [9]]),
    "another result": change("end", "result", lambda result: "glorious"),
    "a line is missing": lambda lines: lines.remove(of_kind(lines, "decision")),
    "an unfinished game": lambda lines: lines.remove(lines[-1]),
    "a line too many": lambda lines: lines.append(lines[-1]),
    "a key too many": lambda lines: lines[-1].update(note="well played"),
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("game", REFEREES)
def test_a_game_tampered_with_is_refused(game: str, what: str) -> None:
    altered = copy.deepcopy(dealt(game))
    CHANGES[what](altered)
    with pytest.raises(AssertionError, match=r"^line \d+: expected .+, found .+"):
        REFEREES[game].referee(altered)


def test_the_line_is_named() -> None:
    lines = copy.deepcopy(dealt("zero"))
    lines[5]["odds"] = "1/2"
    with pytest.raises(AssertionError, match=r"^line 6: expected odds 1/53, found 1/2$"):
        zero.referee(lines)


def test_what_the_rulebooks_say_by_example() -> None:
    assert collection.colour_of(46) == "orange"
    assert collection.colour_of(37) == "blue"
    assert the_game.fits(37, "up1", 47)
    assert the_game.fits(75, "down1", 65)
    assert not the_game.fits(36, "up1", 47)
    stand = hourglass.Stand(1, "-", ["red-5"])
    assert stand.takes("red-3")
    assert not stand.takes("violet-3")
    assert hourglass.Stand(1, "-", ["red-3"]).takes("joker-3")
    assert not stand.takes("red-7")
    others = ["red-1", "red-2", "blue-3"]
    assert [zero.points([*(f"{c}-7" for c in zero.COLOURS[:n]), *others]) for n in (1, 2, 4)] == [13, 13, 13]
    assert zero.points([*(f"{colour}-7" for colour in zero.COLOURS[:5]), *others]) == 6
    combination = [*(f"red-{n}" for n in (1, 2, 3, 4)), *(f"{colour}-7" for colour in zero.COLOURS[:5])]
    assert zero.is_zero(combination)
    assert zero.points(combination) == 0
