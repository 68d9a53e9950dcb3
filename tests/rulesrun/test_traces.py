"""Recorded games: the same bytes each time, every trace is accepted again, any altered one refused."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulesrun.files.sources import bundled_names
from tests.rulesrun.conftest import Run

GAMES = [("classics/kuhn", 2), ("classics/goofspiel", 2), ("classics/tic_tac_toe", 2), ("zero", 3)]


def trace_of(run: Run, game: str, players: int, *words: str, **environment: str) -> str:
    done = run("trace", game, "--players", str(players), *words, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def events_of(text: str) -> list[dict[str, Any]]:
    assert text.endswith("\n")
    assert "\r" not in text
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_trace_is_the_same_bytes_in_a_fresh_process(fresh: Run, game: str, players: int) -> None:
    first = trace_of(fresh, game, players, "--seed", "7", PYTHONHASHSEED="1")
    assert first == trace_of(fresh, game, players, "--seed", "7", PYTHONHASHSEED="2")
    assert first != trace_of(fresh, game, players, "--seed", "8")


def test_the_events_are_as_the_contract_says(run: Run) -> None:
    start, *events, end = events_of(trace_of(run, "zero", 4, "--seed", "7"))
    assert list(start) == ["event", "trace", "game", "file", "rules", "players", "options", "seed"]
    assert (start["game"], start["file"], start["players"], start["seed"]) == ("Zero", "zero.rules", 4, 7)
    assert start["rules"].startswith("sha256:")
    assert start["options"] == {
        "first": "lot", "first_game": "no", "wrong_calls": "no", "zero_when": "turn_or_exchange"
    }  # fmt: skip
    assert [event["i"] for event in (*events, end)] == list(range(len(events) + 1))
    lot, first_card = events[0], events[1]
    assert lot["what"] == "lot"
    assert lot["odds"] == "1/4"
    assert (first_card["from"], first_card["to"], first_card["odds"]) == ("stock", "hand[1]", "1/56")
    deals = [event["to"] for event in events if event.get("what") == "draw"][:36]
    assert deals == [f"hand[{seat}]" for seat in (1, 2, 3, 4) for _ in range(9)]
    assert sum(event["event"] == "score" for event in events) == 4
    for event in events:
        if event["event"] == "decision":
            assert event["chosen"] in event["legal"]
            assert len({json.dumps(option) for option in event["legal"]}) == len(event["legal"])
        elif event["event"] == "chance":
            assert isinstance(event["outcome"], list)
            assert 0 < Fraction(event["odds"]) <= 1
    assert set(end) == {"i", "event", "scores", "places", "result"}
    assert sorted(seat for place in end["places"] for seat in place) == [1, 2, 3, 4]
    sheets = [event["sheet"] for event in events if event["event"] == "score"]
    assert end["scores"] == {seat: sum(sheet[seat]["total"] for sheet in sheets) for seat in "1234"}


def test_joint_choices_are_one_event_a_player_with_one_number(run: Run) -> None:
    events = events_of(trace_of(run, "classics/goofspiel", 3, "--seed", "1"))
    joint = [(event["together"], event["player"]) for event in events if event["event"] == "decision"]
    assert [player for _, player in joint] == [1, 2, 3] * (len(joint) // 3)
    assert len({number for number, _ in joint}) == len(joint) // 3


@pytest.mark.parametrize(("game", "players"), GAMES)
@pytest.mark.parametrize("words", [[], ["--states"]])
def test_replay_accepts_what_trace_makes(run: Run, tmp_path: Path, game: str, players: int, words: list[str]) -> None:
    (tmp_path / "game.jsonl").write_text(trace_of(run, game, players, "--seed", "3", *words), "utf-8")
    done = run("replay", game, "game.jsonl")
    assert done.returncode == 0, done.stdout + done.stderr


def altered(
    events: list[dict[str, Any]], places: Iterable[int] | None = None
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Traces in which one event is gone, doubled or changed in one place, with the line where the change is."""
    for at in range(len(events)) if places is None else places:
        event = events[at]
        yield at, events[:at] + events[at + 1 :]
        yield at, [*events[: at + 1], *events[at:]]
        for key, value in event.items():
            for other in (one for one in other_values(key, value) if one != value):
                yield at, [*events[:at], {**event, key: other}, *events[at + 1 :]]
        yield at, [*events[:at], {**event, "remark": 1}, *events[at + 1 :]]


def other_values(key: str, value: Any) -> list[Any]:
    match value:
        case bool() | None:
            return [0]
        case int():
            return [value + 1, str(value), value + (1 << 64), None]
        case str():
            return [value + "x", "2/3" if key == "odds" else ""]
        case list():
            return [value[:-1], [*value, value[-1]]]
        case dict():
            return [{**value, "x": 1}, dict(list(value.items())[:-1])]
    raise AssertionError(value)


@pytest.mark.parametrize(("game", "players"), [("classics/kuhn", 2), ("classics/leduc", 2)])
def test_replay_refuses_a_trace_with_any_one_event_altered(game: str, players: int) -> None:
    from rulesrun.records.replays import RefusedEvent, replay_lines
    from tests.rulesrun.made import recorded

    reading, lines = recorded(game, players, seed=5)
    events = [json.loads(line) for line in lines]
    replay_lines(reading, [json.dumps(event) for event in events])
    for at, changed in altered(events):
        with pytest.raises(RefusedEvent) as refused:
            replay_lines(reading, [json.dumps(event) for event in changed])
        assert refused.value.line >= at - 1, (at, changed)


def test_a_game_recorded_elsewhere_is_held_to_the_rules_alone(run: Run, tmp_path: Path) -> None:
    start, *events = trace_of(run, "classics/kuhn", 2, "--seed", "3").splitlines()
    elsewhere = [json.dumps(json.loads(start) | {"seed": None, "file": "my.rules"}), *events]
    (tmp_path / "game.jsonl").write_text("\n".join(elsewhere) + "\n", "utf-8")
    assert run("replay", "classics/kuhn", "game.jsonl").returncode == 1
    assert run("replay", "classics/kuhn", "game.jsonl", "--rules-only").returncode == 0


def test_replay_refuses_another_lawful_outcome_and_another_lawful_choice() -> None:
    from rulesrun.records.replays import RefusedEvent, replay_lines
    from tests.rulesrun.made import recorded

    reading, lines = recorded("classics/kuhn", 2, seed=5)
    events = [json.loads(line) for line in lines]
    for at, event in enumerate(events):
        for option in event.get("legal", []):
            if option != event["chosen"]:
                changed = copy.deepcopy(events)
                changed[at]["chosen"] = option
                with pytest.raises(RefusedEvent):
                    replay_lines(reading, [json.dumps(one) for one in changed])
        if event["event"] == "chance":
            for card in "123":
                if event["outcome"] != [card] and event["outcome"] != [int(card)]:
                    changed = copy.deepcopy(events)
                    changed[at]["outcome"] = [card]
                    with pytest.raises(RefusedEvent):
                        replay_lines(reading, [json.dumps(one) for one in changed])


@pytest.mark.parametrize("text", ["", "{", "[1]\n", "\0\n", "9" * 5000 + "\n", "[" * 5000 + "\n"])
def test_what_is_no_trace_is_told_with_exit_code_2(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "game.jsonl").write_text(text, "utf-8")
    done = run("replay", "classics/kuhn", "game.jsonl")
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stderr


def test_a_refusal_names_the_line(run: Run, tmp_path: Path) -> None:
    lines = trace_of(run, "classics/kuhn", 2, "--seed", "3").splitlines()
    lines[2] = lines[2].replace('"odds":"1/2"', '"odds":"1/3"')
    (tmp_path / "game.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    done = run("replay", "classics/kuhn", "game.jsonl")
    assert done.returncode == 1
    assert "game.jsonl:3" in done.stdout
    assert '"1/2"' in done.stdout


@pytest.mark.parametrize("game", [name for name in bundled_names() if not name.startswith("variants/")])
def test_any_game_is_refused_when_an_event_of_it_is_altered(game: str, request: pytest.FixtureRequest) -> None:
    """At the beginning and a little later; in the long mode to the end."""
    from rulesrun.records.replays import RefusedEvent, replay_lines
    from tests.rulesrun.made import recorded

    reading, lines = recorded(game, None, seed=2)
    replay_lines(reading, lines)
    events = [json.loads(line) for line in lines]
    last = len(events) - 1
    later = {last // 4, last // 2, last - 1, last} if request.config.getoption("--long") else {last // 8}
    for _, changed in altered(events, sorted({0, 1, *later})):
        with pytest.raises(RefusedEvent):
            replay_lines(reading, [json.dumps(event) for event in changed])


DICE = """rules 1
game "Dice"
players 2
number die[1..2] of player: 1..6
number one: 1..6
setup
  roll one
  each player
    each k in 1..2
      roll die[k]
phase play: one turn each from 1
  choose pass
action pass
score at end
  points = die[1] + die[2] + one
ranking: highest total, ties share
"""


def test_of_several_dice_it_is_said_which(run: Run, tmp_path: Path) -> None:
    (tmp_path / "dice.rules").write_text(DICE, "utf-8")
    text = trace_of(run, str(tmp_path / "dice.rules"), 2, "--seed", "1")
    rolls = [event for event in events_of(text) if event.get("what") == "roll"]
    assert [event.get("of") for event in rolls] == [None, "die[1,1]", "die[1,2]", "die[2,1]", "die[2,2]"]
    (tmp_path / "dice.jsonl").write_text(text, "utf-8")
    assert run("replay", str(tmp_path / "dice.rules"), str(tmp_path / "dice.jsonl")).returncode == 0


def moved_so(text: str, move: int) -> dict[str, list[str]]:
    """What lies in the hands and in the supply before a move, as the told game has it."""
    lying: dict[str, list[str]] = {}
    for line in text.partition(f" {move}. player")[0].splitlines():
        what, _, where = line.strip().partition(": ")
        before, _, after = where.partition(" to ")
        if what in ("hand[1]", "hand[2]", "supply"):
            lying[what] = where.split(", ")
        elif before in lying and after in lying:
            for one in what.split(", "):
                lying[before].remove(one)
                lying[after].append(one)
    return lying


def test_a_game_can_be_read(run: Run) -> None:
    """The same choices, points and end as in the events; who follows what is told has the cards of the position."""
    events = events_of(trace_of(run, "zero", 2, "--seed", "5", "--states"))
    text = trace_of(run, "zero", 2, "--seed", "5", "--text")
    told = re.findall(r"^ *(\d+)\. player (\d): (\w+)", text, re.MULTILINE)
    chosen = [one for one in events if one["event"] == "decision"]
    assert told == [(str(at), str(one["player"]), one["chosen"]["action"]) for at, one in enumerate(chosen, 1)]
    counted = next(at for at, one in enumerate(events) if one["event"] == "score")
    asked = [at for at, one in enumerate(events[:counted]) if one["event"] == "decision"]
    for move, at in enumerate(asked, 1):
        lying = moved_so(text, move)
        assert len(lying) == 3
        for place, cards in lying.items():
            assert sorted(cards) == sorted(events[at - 1]["zones"][place])
    scores = ", ".join(f"{seat} – {score}" for seat, score in events[-2]["scores"].items())
    assert f"the game is over; scores: {scores};" in text.splitlines()[-1]
    assert text.count("Rulebook, Exchange: a card for a different one of those that lay there.") == 1


def test_a_game_can_be_read_in_russian_and_of_who_thinks(run: Run) -> None:
    told = trace_of(run, "zero", 2, "--text", "--lang", "ru", "--seats", "greedy,random")
    said = [line for line in told.splitlines() if not line.lstrip().startswith("|")]
    assert not re.search(r"[A-Za-z]{2,}", "\n".join(said))
    pig = trace_of(run, "classics/pig", 2, "--text")
    assert re.search(r"\n {6}face is rolled: (\d)\n(?! {6}face: )", pig)


def test_a_read_game_that_gets_stuck_says_why(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(
        'rules 1\ngame "Stuck"\nplayers 2\ncard Card: rank 1..2\nzone hand of player: set of Card, private\n'
        "zone table: row of Card, public\nphase play: repeat 2 times\n  one turn each from 1\n    choose lay\n"
        "action lay(c from hand)\n  move c to table\n"
    )
    done = run("trace", "stuck.rules", "--text")
    assert done.returncode == 1
    assert "error[empty-choice]" in done.stderr
    assert run("trace", "zero", "--text", "--states").returncode == 2
