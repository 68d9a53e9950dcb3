"""`rulesrun why`: conditions with their values, scores line by line, who is ahead by which criterion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main

RULES = """rules 1
game "Cards"
players 2
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: row of Card, public
number bonus of player: 0..9 = 0
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: one turn each from 1
  choose lay or keep
action lay(card from hand)
  needs high(card) because "only high cards"
  move card to table
  bonus becomes 3
action keep
  needs true_enough
define high(c Card) = rank of c > 4
define true_enough = count of hand = 2
score at end
  cards = sum of rank over hand
  extra = bonus
ranking: highest total, lowest bonus, ties share
example "start"
  given hand of 1: 1, 5
  given hand of 2: 2, 6
  when 1: lay(5)
  then bonus of 1 = 3
"""
DEAL = [["1", "hand[1]"], ["5", "hand[1]"], ["2", "hand[2]"], ["6", "hand[2]"]]


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[str, str]:
    """Player 1 holds 1 and 5 and lays the 5; player 2 holds 2 and 6 and keeps both."""
    rules, trace = tmp_path / "cards.rules", tmp_path / "game.jsonl"
    rules.write_text(RULES, "utf-8")
    events: list[dict[str, object]] = [{"event": "start", "trace": 1, "players": 2, "options": {}}]
    for number, (card, to) in enumerate(DEAL):
        events.append({"i": number, "event": "chance", "what": "draw", "from": "deck", "to": to, "outcome": [card]})
    events.append({"i": 4, "event": "decision", "player": 1, "chosen": {"action": "lay", "card": "5"}})
    events.append({"i": 5, "event": "decision", "player": 2, "chosen": {"action": "keep"}})
    trace.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return str(rules), str(trace)


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["why", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_why_an_option_is_not_legal(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", *recorded, "--at", "4", "--option", "lay(1)"]) == 0
    told = capsys.readouterr().out
    assert "not legal here: only high cards" in told
    assert "high(card) = no" in told


def test_why_an_option_is_legal(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    option = answered(capsys, *recorded, "--at", "4", "--option", "lay(5)")["option"]
    assert isinstance(option, dict)
    assert option["legal"] is True
    assert [need["holds"] for need in option["needs"]] == [True]


def test_what_cannot_be_chosen_at_all(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    option = answered(capsys, *recorded, "--at", "5", "--option", "lay(5)")["option"]
    assert isinstance(option, dict)
    assert option["legal"] is False
    assert "`card` cannot be 5" in option["reason"]


def test_how_a_score_comes_about(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    score = answered(capsys, *recorded, "--score", "1")["score"]
    assert isinstance(score, dict)
    assert [(line["name"], line["value"]) for line in score["lines"]] == [("cards", 1), ("extra", 3)]


@pytest.mark.parametrize(("at", "over", "totals"), [("4", False, {"1": 6, "2": 8}), (None, True, {"1": 4, "2": 8})])
def test_who_is_ahead(
    recorded: tuple[str, str], capsys: pytest.CaptureFixture[str], at: str | None, over: bool, totals: dict[str, int]
) -> None:
    winner = answered(capsys, *recorded, "--winner", *(["--at", at] if at else []))["winner"]
    assert isinstance(winner, dict)
    assert winner["over"] is over
    assert winner["criteria"][0]["values"] == totals
    assert winner["criteria"][0]["places"] == [[2], [1]]
    assert winner["first"] == [2]


def test_who_is_ahead_of_whom_and_by_which_criterion(
    recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why", *recorded, "--winner"]) == 0
    assert "player 2 is ahead of player 1 by `highest total`" in capsys.readouterr().out
    rules = Path(recorded[0])
    rules.write_text(RULES.replace("highest total, lowest bonus", "highest count of hand when no, highest 1"), "utf-8")
    assert main(["why", *recorded, "--winner"]) == 0
    said = capsys.readouterr().out
    assert "players 1 and 2 are tied: no criterion separates them" in said
    assert "is ahead" not in said


def test_the_score_says_what_each_card_gives(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", *recorded, "--score", "2"]) == 0
    assert "rank = 2 for 2, 6 for 6" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--option", "lie(1)"], ["--option", "lay(1, 2)"], ["--at", "99"], ["--score", "3"], ["--option", "("]]
)
def test_what_cannot_be_asked(recorded: tuple[str, str], capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["why", *recorded, *words]) == 2
    assert capsys.readouterr().err.startswith("rulesrun: ")


LATER = """phase play: one turn each from 1
  choose lay or keep
  if count of table > 1
    choose rest
  otherwise if bonus = 9
    choose lay, else choose rest
action rest
"""


def test_what_is_offered_elsewhere_says_where_and_what_is_not_so_there(
    recorded: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULES.replace("phase play: one turn each from 1\n  choose lay or keep\n", LATER)
    Path(recorded[0]).write_text(rules, "utf-8")
    option = answered(capsys, *recorded, "--at", "4", "--option", "rest")["option"]
    assert isinstance(option, dict)
    offers = [(one["text"], [(each["text"], each["holds"]) for each in one["conditions"]]) for one in option["offers"]]
    assert offers == [
        ("choose rest", [("count of table > 1", False)]),
        ("choose rest", [("count of table > 1", True), ("bonus = 9", False)]),
    ]
    assert main(["why", *recorded, "--at", "4", "--option", "rest"]) == 0
    said = capsys.readouterr().out
    assert "`rest` is not offered now\n  line 13: choose lay or keep\n  it is offered at line 15: choose rest" in said
    assert "count of table = 0" in said


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (1, "", "game.jsonl:1: this is not a trace"),
        (3, "[1]", "game.jsonl:3: this line is not a JSON object"),
        (1, '{"event": "start", "players": 7, "options": {}, "game": "Others"}', "the trace is of `Others`"),
        (6, '{"i": 4, "event": "decision", "chosen": {"action": "lay", "card": "1"}}', "game.jsonl:6: event 4"),
    ],
)
def test_traces_that_do_not_fit_are_told_with_their_line(
    recorded: tuple[str, str], capsys: pytest.CaptureFixture[str], line: int, text: str, said: str
) -> None:
    trace = Path(recorded[1])
    lines = trace.read_text("utf-8").split("\n")
    lines[line - 1] = text
    trace.write_text("\n".join(lines), "utf-8")
    assert main(["why", *recorded]) == 2
    assert said in capsys.readouterr().err
