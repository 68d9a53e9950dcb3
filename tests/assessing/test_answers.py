"""Answers about games whose truth is known by mathematics: the right sign, or that it is not known."""

from __future__ import annotations

import json
import re
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, cast

import pytest
from attrs import evolve

import rulesrun
from rulesrun.interpreter.assess.answers import (
    IDLE,
    NEEDED,
    NO,
    NOT_KNOWN,
    TOGETHER,
    WORSE,
    YES,
    Refuted,
    SeatsAnswer,
    Step,
    is_upheld,
)
from rulesrun.interpreter.assess.plan import GamePrices, measure_prices
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.report.assess_text import (
    assessment_json,
    assessment_text,
    passed_over_sentences,
    refuted_sentences,
    seats_sentences,
    undecided_sentences,
)
from rulesrun.services import assess as assess_service
from rulesrun.services.assess import Games
from tests.assessing.known_games import GIFT, LUCK, PLAIN_SKILL, assess
from tests.assessing.known_games import TOGETHER as END_TOGETHER
from tests.command_line import run_here


def run(folder: Path, *words: str) -> CompletedProcess[str]:
    return run_here(*words, folder=folder)


def test_kuhn_is_judged_by_its_solution_not_by_random_players() -> None:
    """Kuhn, 1950: who begins loses a chip in eighteen hands. Random players win more when they begin."""
    found = assess("classics/kuhn", players="2", work=3e6)
    assert found.judge == "solution"
    assert found.seats is not None
    assert found.seats.verdict == YES
    assert found.seats.exact[0].points == pytest.approx(-1 / 18, abs=1e-3)
    assert found.seats.is_misled
    assert "loses 0.05" in assessment_text(found)
    assert "Random play would mislead you here" in assessment_text(found).replace("\n  ", " ")


def test_each_action_of_kuhn_is_worth_its_value() -> None:
    """Who may never call must fold to a bet: the other bets always, and one of three chips of the ante is lost each
    time. Solved by hand: who never folds, or always passes, loses too."""
    found = assess("classics/kuhn", players="2", work=1e6)
    assert found.worth is not None
    known = {one.item[1]: one.verdict for one in found.worth.items}
    assert known == dict.fromkeys(("pass", "bet", "fold", "call"), NEEDED)


@pytest.mark.parametrize(("given", "other"), [("--work", "--seconds"), ("--seconds", "--work")])
def test_what_is_not_known_names_the_option_that_was_given(tmp_path: Path, given: str, other: str) -> None:
    found = json.loads(run(tmp_path, "assess", "zero", "--json", given, "1").stdout)
    said = " ".join(one["says"] for one in found["tables"][0]["answers"].values())
    assert given in said
    assert other not in said


def test_tic_tac_toe_favours_nobody_though_random_players_say_so() -> None:
    found = assess("classics/tic_tac_toe", work=5e6)
    assert found.seats is not None
    assert found.seats.verdict == NO
    assert found.seats.is_misled
    assert found.skill is not None
    assert found.skill.verdict == YES
    assert found.decided is not None
    assert found.decided.verdict == NO  # it is a draw, whatever happens


def test_nim_is_decided_by_who_begins() -> None:
    """Bouton, 1901: the nim sum of the heaps."""
    found = assess("classics/nim")
    assert found.seats is not None
    assert (found.seats.verdict, found.seats.exact[0].points) == (YES, -1.0)
    assert "whoever begins loses" in assessment_text(found)


def test_nothing_but_luck() -> None:
    found = assess(LUCK)
    assert found.seats is not None
    assert found.seats.verdict == YES
    assert found.seats.exact[0].points == pytest.approx(0.5)  # three of four throws win
    assert found.skill is not None
    assert found.skill.verdict == NO
    assert "nobody ever has anything to choose" in assessment_text(found)


def test_what_is_never_worth_it() -> None:
    """Of three numbers chosen at once, of which the highest wins, the lower ones are never worth it."""
    found = assess(PLAIN_SKILL)
    assert found.worth is not None
    assert {one.item[-1]: one.verdict for one in found.worth.items} == {"1": IDLE, "2": IDLE}
    assert found.skill is not None
    assert found.skill.verdict == YES
    gift = assess(GIFT).worth
    assert gift is not None
    assert {one.item[1]: one.verdict for one in gift.items} == {"take": NEEDED, "leave": IDLE}


def test_all_win_or_lose_together() -> None:
    found = assess(END_TOGETHER)
    assert found.seats is not None
    assert found.seats.verdict == TOGETHER
    assert found.skill is not None
    assert found.skill.verdict == YES
    assert found.skill.in_points
    assert found.worth is not None
    assert {one.item[1]: one.verdict for one in found.worth.items}["careful"] == NEEDED


def test_the_same_question_gets_the_same_bytes() -> None:
    """Of work that is counted, the clock changes nothing."""
    texts = [assessment_text(assess(PLAIN_SKILL, seed=seed)) for seed in (0, 0, 1)]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.long
@pytest.mark.parametrize("name", ["classics/goofspiel", "zero", "the_game"])
def test_the_number_of_processes_changes_nothing(name: str) -> None:
    texts = [assessment_text(assess(name, work=3e6, players="2", jobs=jobs)) for jobs in (1, 2)]
    assert texts[0] == texts[1]


def test_the_solution_can_be_seated(tmp_path: Path) -> None:
    """Nobody wins from a perfect player of Nim who comes second."""
    done = run(tmp_path, "simulate", "classics/nim", "--seats", "random,solution", "--games", "20", "--json")
    found = json.loads(done.stdout)
    assert found["tables"][0]["wins"]["2"] == 20
    refused = run(tmp_path, "simulate", "zero", "--players", "2", "--seats", "solution", "--games", "1")
    assert refused.returncode == 2
    assert "nobody can play the solution" in refused.stderr


def test_in_russian_nothing_is_left_in_english(tmp_path: Path) -> None:
    """But commands to copy, the file's name, and names of the rules without a word for them."""
    found = run(tmp_path, "assess", "classics/kuhn", "--players", "2", "--work", "3", "--lang", "ru").stdout
    said = [line for line in found.split("\n")[1:] if not line.strip().startswith("rulesrun ")]
    words = set(re.findall(r"[A-Za-z]{2,}", "\n".join(said)))
    assert words <= {"pass", "bet", "fold", "call", "work"}


def test_the_library_gives_typed_answers() -> None:
    found = rulesrun.load("classics/kuhn").assess(players=2, work=1)
    assert found.findings.table.players == 2
    assert found.to_json()["tables"][0]["witness"] == "solve"
    assert assessment_json(found.findings)["tables"][0]["witness"] == "solve"
    assert repr(found).startswith("classics/kuhn")


def test_the_document_has_what_others_read() -> None:
    found = assess("classics/kuhn", 2e6, players="2")
    told = assessment_json(found)
    table = told["tables"][0]
    assert (told["file"], table["players"], table["witness"]) == ("classics/kuhn.rules", 2, "solve")
    assert set(table["answers"]) == {"start", "length", "skill", "worth", "decided"}
    assert all(isinstance(one["says"], str) and isinstance(one["known"], bool) for one in table["answers"].values())
    start = table["answers"]["start"]
    value, low, high = start["lead"]
    assert low <= -1 / 9 <= high  # minus an eighteenth for who begins, an eighteenth for the other
    assert abs(value + 1 / 9) < 1e-3
    assert start["wins"][1] <= start["wins"][0] <= start["wins"][2]


def test_prices_that_were_measured_are_not_beaten_by_the_search_twice_as_far() -> None:
    expected = GamePrices(100.0, 100.0, 1.0)
    assert measure_prices(expected, (50, 1000.0), None).price_of(100) == 2000
    found = measure_prices(expected, (50, 1000.0), (400, 2750.0))
    assert (found.price_of(50), found.price_of(400)) == (1000, 2750)
    assert found.price_of(800) == 2750 + 2000


@pytest.mark.parametrize(("share", "verdict", "says", "not_said"), [
    (Estimate(0.49, 0.42, 0.56, 200), NOT_KNOWN, ("200 deals", "42 to 56", "1,100 would tell"), "no better"),
    (Estimate(0.5, 0.48, 0.52, 2000), NO, ("are no better", "48 to 52", "50 would be fair"), "would tell"),
    (Estimate(0.4, 0.35, 0.45, 400), WORSE, ("did not beat them", "40 of 100"), "would tell"),
])  # fmt: skip
def test_who_was_passed_over_is_told_with_what_is_known(
    share: Estimate, verdict: str, says: tuple[str, ...], not_said: str
) -> None:
    """A half width of 7 becomes one of 3 with (7 / 3)² times the deals: 1,089."""
    found = assess(PLAIN_SKILL)
    step = Step("mcts:400", "greedy", share, 0.5, verdict)
    text = " ".join(map(str, passed_over_sentences(found, step)))
    assert all(part in text for part in says), text
    assert not_said not in text
    assert ("no better" if verdict == NO else "It is not known") in " ".join(map(str, undecided_sentences(found, step)))


@pytest.mark.parametrize(("seen", "other", "is_upheld_by_it"), [
    ((0.7, 0.6, 0.8), (0.7, 0.6, 0.8), True), ((0.7, 0.6, 0.8), (0.58, 0.51, 0.65), True),  # clear, if less
    ((0.7, 0.6, 0.8), (0.63, 0.48, 0.78), True), ((0.7, 0.6, 0.8), (0.55, 0.45, 0.65), False),
    ((0.7, 0.6, 0.8), (0.3, 0.2, 0.4), False), ((0.2, 0.1, 0.3), (0.25, 0.2, 0.3), True),
    ((0.2, 0.1, 0.3), (0.49, 0.4, 0.58), False),
])  # fmt: skip
def test_another_kind_of_player_upholds_what_was_seen_or_does_not(
    seen: tuple[float, float, float], other: tuple[float, float, float], is_upheld_by_it: bool
) -> None:
    assert is_upheld(Estimate(*seen, 100), Estimate(*other, 100), 0.5) is is_upheld_by_it


@pytest.mark.parametrize(("behind", "starter", "player", "who", "how"), [
    (0, True, "greedy", "whoever begins wins 70", "looks one step ahead"),
    (2, True, "mcts:50", "whoever plays third wins 70", "tries out 50 games"),
    (1, False, "mcts:50", "seat 2 wins 70", "tries out 50 games"),
])  # fmt: skip
def test_who_is_not_called_favoured_and_why(behind: int, starter: bool, player: str, who: str, how: str) -> None:
    seen, other = Estimate(0.7, 0.6, 0.8, 100), Estimate(0.5, 0.4, 0.6, 100)
    refuted = Refuted(player, behind, seen, other)
    answer = SeatsAnswer(NOT_KNOWN, 0.5, seen if starter else None, (), (), refuted=refuted)
    text = " ".join(map(str, refuted_sentences(answer, refuted)))
    assert f"Not known: {who} of 100 games between these players; 50 would be fair." in text
    assert f"But it is 50 when whoever is worse off {how}" in text


@pytest.mark.parametrize(("shares", "verdict", "is_checked"), [
    ([1.0, 1.0, 0.0] * 30, YES, True), ([0.0, 1.0] * 60, NOT_KNOWN, True), ([1.0, 1.0, 0.0] * 5, NOT_KNOWN, False),
    ([], NOT_KNOWN, False),
])  # fmt: skip
def test_nobody_is_called_favoured_whom_players_of_one_kind_alone_favour(
    monkeypatch: pytest.MonkeyPatch, shares: list[float], verdict: str, is_checked: bool
) -> None:
    found = evolve(assess(PLAIN_SKILL), solution=None)
    seen = Estimate(0.75, 0.65, 0.85, 100)
    clear = SeatsAnswer(YES, 0.5, seen, (seen, Estimate(0.25, 0.15, 0.35, 100)), ())
    monkeypatch.setattr(assess_service, "play_challenge", lambda *_: shares)
    answer = assess_service.challenge_seats(Games(found, cast(Any, None), cast(Any, None), 0.0, cast(Any, None)), clear)
    assert (answer.verdict, answer.unchecked is None) == (verdict, is_checked)
    if not is_checked:
        text = " ".join(map(str, seats_sentences(found, answer)))
        assert "Not known: whoever begins wins 75 of 100 games between these players; 50 would be fair." in text
        assert "There was no time to see whether players of other kinds fare alike." in text
