"""`simulate`, `compare`, `deadweight` as a person meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.rulesrun.conftest import TINY, Run


@pytest.fixture
def waste(tmp_path: Path) -> Path:
    """A condition that is never met, and an option that nothing asks for."""
    text = TINY.replace("  choose lay or keep", "  choose lay or keep\n  if heat > 7\n    end game")
    text = text.replace("zone deck", "number heat: 0..9 = 0\noption unused: yes or no = no\n\nzone deck")
    text = text.replace("  move give to table", "  move give to table\n  heat increases by 1")
    (tmp_path / "waste.rules").write_text(text, "utf-8")
    return tmp_path / "waste.rules"


def test_every_figure_has_an_interval_and_the_number_of_games(run: Run) -> None:
    document = json.loads(run("simulate", "classics/kuhn", "--games", "200", "--json").stdout)
    assert [table["stopped"] for table in document["tables"]] == ["games", "games"]
    for table in document["tables"]:
        assert {one["figure"][0] for one in table["figures"]} >= {"win", "score", "tie", "length", "options"}
        for one in table["figures"]:
            assert one["games"] == 200
            assert one["interval"] is None or one["interval"][0] <= one["value"] <= one["interval"][1]
    score = next(one for one in document["tables"][0]["figures"] if one["figure"] == ["score", "1"])
    assert score["quantiles"]["0.05"] == -2
    assert score["quantiles"]["0.95"] == 2


def test_simulate_says_why_it_stopped(run: Run) -> None:
    assert "the requested precision is reached" in run("simulate", "classics/kuhn", "--within", "5%").stdout
    assert "all requested games were played" in run("simulate", "classics/kuhn", "--games", "20").stdout
    assert "time ran out" in run("simulate", "classics/pig", "--seconds", "1").stdout


STUCK = """rules 1
game "Stuck"
players 2
number left_over: 0..3 = 0
phase talk: one turn each from 1
  choose take
action take(amount in 1..left_over)
  left_over decreases by amount
score at end
  points = left_over
ranking: highest total, ties share
"""


def test_simulate_stops_where_no_game_comes_to_its_end(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, "utf-8")
    done = run("simulate", str(tmp_path / "stuck.rules"))
    assert "no game comes to its end" in done.stdout
    assert done.returncode == 1


def test_figures_of_single_components_are_told_when_asked_for(run: Run) -> None:
    words = ("simulate", "zero", "--players", "2", "--games", "3", "--json")
    (brief,), (whole,) = (json.loads(run(*words, *more).stdout)["tables"] for more in ((), ("--figures", "all")))
    kinds = [{one["figure"][0] for one in found["figures"]} for found in (brief, whole)]
    assert kinds[1] - kinds[0] == {"component", "kept"}
    assert (brief["figures_left_out"], whole["figures_left_out"]) == (112, 0)  # 56 cards, chosen and kept
    assert len(whole["figures"]) - len(brief["figures"]) == 112
    assert run("simulate", "zero", "--figures", "some").returncode == 2


def test_figures_say_of_how_many_games_they_are(run: Run, tmp_path: Path) -> None:
    half = STUCK.replace("choose take", "roll left_over\n  choose take").replace("left_over: 0..3", "left_over: 0..1")
    (tmp_path / "half.rules").write_text(half, "utf-8")
    said = run("simulate", str(tmp_path / "half.rules"), "--games", "400").stdout
    stuck = int(re.findall(r"stuck .*: ([\d.]+) %", said)[0].split(".")[0])
    (of,) = re.findall(r"figures    of the (\d+) games that ended", said)
    assert abs(400 - int(of) - 4 * stuck) <= 4


def test_simulate_refuses_what_it_cannot_do(run: Run) -> None:
    for words in (["--within", "2"], ["--within", "x"], ["--out", "games.doc"], ["--seats", "gready"], ["--jobs", "0"],
                  ["--engine", "native", "--seats", "greedy"]):  # fmt: skip
        done = run("simulate", "classics/kuhn", *words)
        assert done.returncode == 2, words
        assert "Traceback" not in done.stderr
    assert "did you mean `greedy`?" in run("simulate", "classics/kuhn", "--seats", "gready").stderr


def test_seats_change_who_plays_and_not_what_is_dealt(run: Run) -> None:
    words = ("simulate", "classics/tic_tac_toe", "--games", "40", "--json")
    alike = [json.loads(run(*words, *more).stdout)["tables"][0]["wins"] for more in ((), ("--seats", "random"))]
    assert alike[0] == alike[1]
    first = json.loads(run(*words, "--seats", "first,random").stdout)["tables"][0]["wins"]
    assert first != alike[0]


def test_compare_tells_words_and_effects(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY, "utf-8")
    variant = 'rules 1\nvariant "Double" of "tiny.rules"\nchange line points: 2 * (sum of rank over c in hand)\n'
    (tmp_path / "double.rules").write_text(variant, "utf-8")
    done = run("compare", "tiny.rules", "double.rules", "--players", "2", "--games", "80")
    assert done.returncode == 0
    assert "+ points = 2 * " in done.stdout
    assert "A player scores" in done.stdout
    assert "score of seat 1" not in done.stdout
    every = run("compare", "tiny.rules", "double.rules", "--players", "2", "--games", "80", "--figures", "all").stdout
    assert "score of seat 1" in every
    document = json.loads(run("compare", "tiny.rules", "double.rules", "--games", "80", "--json").stdout)
    (compared,) = document["comparisons"]
    effects = {tuple(one["figure"]): one for one in compared["tables"][0]["effects"]}
    assert effects["score", "1"]["variant"] == 2 * effects["score", "1"]["base"]
    assert effects["score", "1"]["clear"] is True
    assert (effects["win", "1"]["moved"], effects["win", "1"]["clear"]) == (0, False)


def test_compare_names_what_fails_now(run: Run, tmp_path: Path) -> None:
    more = 'example "a kept card counts"\n  given hand of 1: 3\n  then points of 1 = 3\n'
    more += 'at end of game "nobody has more than four": every p in players has total of p <= 4\n'
    (tmp_path / "tiny.rules").write_text(TINY + more, "utf-8")
    variant = 'rules 1\nvariant "Double" of "tiny.rules"\nchange line points: 2 * (sum of rank over c in hand)\n'
    (tmp_path / "double.rules").write_text(variant, "utf-8")
    done = run("compare", "tiny.rules", "double.rules", "--players", "2", "--games", "30")
    assert done.returncode == 1
    assert 'example "a kept card counts"' in done.stdout
    assert "nobody has more than four" in done.stdout


def test_compare_needs_rules_for_the_same_numbers_of_players(run: Run) -> None:
    done = run("compare", "classics/tic_tac_toe", "collection", "--players", "3")
    assert done.returncode == 2


def test_dead_weight_is_found(run: Run, waste: Path) -> None:
    done = run("deadweight", waste.name, "--players", "2", "--games", "30", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    document = json.loads(done.stdout)
    verdicts = {one["rule"]: one["verdict"] for one in document["rules"]}
    assert verdicts["play: if heat > 7"] == "never met"
    assert verdicts["unused = yes"] == "no difference"
    assert verdicts["lay: heat increases by 1"] == "no difference"
    assert verdicts["setup: shuffle all Card into deck"] == "needed"
    assert verdicts["action lay"] == "effect"
    text = run("deadweight", waste.name, "--players", "2", "--games", "30").stdout
    assert "in none of 30 games (95 % certain: in fewer than 11.4 %)" in text  # Wilson's 3.8416 / 33.8416


def test_what_a_rule_is_good_for_is_told(run: Run, tmp_path: Path) -> None:
    text = TINY.replace("action lay(give from hand)", "action lay(give from hand)\n  needs rank of give > 2")
    (tmp_path / "tiny.rules").write_text(text, "utf-8")
    document = json.loads(run("deadweight", "tiny.rules", "--players", "2", "--games", "60", "--json").stdout)
    rule = next(one for one in document["rules"] if one["rule"] == "lay: needs rank of give > 2")
    assert rule["verdict"] == "effect"
    assert rule["differing"]["value"] > 0.3
    assert "1" in document["unused"]["component"]


def test_compare_does_not_hold_where_games_get_stuck(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, "utf-8")
    done = run("compare", str(tmp_path / "stuck.rules"), str(tmp_path / "stuck.rules"), "--games", "3")
    assert done.returncode == 1
    assert f"why games get stuck: rulesrun {tmp_path / 'stuck.rules'}" in done.stdout


def test_dead_weight_is_the_same_in_any_number_of_processes(run: Run) -> None:
    documents = []
    for jobs in ("1", "2"):
        words = ["deadweight", "classics/kuhn", "--players", "2", "--games", "12", "--jobs", jobs, "--json"]
        document = json.loads(run(*words).stdout)
        del document["seconds"], document["engine"]  # who plays hangs on the clock
        documents.append(document)
    assert documents[0] == documents[1]
    assert documents[0]["good_players"]["games"] == 12
    assert {one["kind"] for one in documents[0]["rules"]} >= {"action", "component", "condition", "statement"}


UP_AND_DOWN = """rules 1
game "Up and down"
players 2
number height: 0..121 = 0
phase play: turns from 1 until height > 120
  choose climb or fall
action climb
  needs height < {highest}
  height increases by 1
action fall
  height becomes largest(height - 1, 0)
score at end
  points = height
ranking: highest total, ties share
"""


@pytest.mark.parametrize(("highest", "may"), [(121, True), (120, False)])
def test_only_games_that_must_go_on_are_stuck(tmp_path: Path, run: Run, highest: int, may: bool) -> None:
    """At random it takes some 120 * 121 moves to come so high, more than a game may have; a climber needs 121."""
    (tmp_path / "up.rules").write_text(UP_AND_DOWN.format(highest=highest), "utf-8")
    done = run("simulate", str(tmp_path / "up.rules"), "--games", "6", "--json")
    table = json.loads(done.stdout)["tables"][0]
    assert table["finished"] < 6
    assert (done.returncode, table["stuck"]) == ((0, {}) if may else (1, {"too-long": 6}))
    assert (table["lasting"] or {}).get("games") == (6 - table["finished"] if may else None)


@pytest.fixture
def up_and_down(tmp_path: Path) -> tuple[str, str]:
    """Rules by which players may go on, and the same with a top that nobody reaches: all 2 * 121 positions follow, and
    none is the end."""
    names = tmp_path / "up.rules", tmp_path / "never.rules"
    for path, highest in zip(names, (121, 120), strict=True):
        path.write_text(UP_AND_DOWN.format(highest=highest), "utf-8")
    return str(names[0]), str(names[1])


MAY, MUST = {"verdict": "may go on", "positions": None}, {"verdict": "endless", "positions": 242}


def is_known(found: dict[str, Any], known: dict[str, Any]) -> bool:
    return all(found[name] == value for name, value in known.items())


@pytest.mark.parametrize("seats", [[], ["--seats", "random,random"]])
def test_who_may_go_on_and_who_must_are_told_apart(
    up_and_down: tuple[str, str], run: Run, seats: list[str]
) -> None:
    may, must = (run("simulate", name, "--games", "3", "--seed", "1", *seats, "--json") for name in up_and_down)
    assert (may.returncode, must.returncode) == (0, 1)
    assert is_known(json.loads(may.stdout)["tables"][0]["going_on"], MAY)
    assert is_known(json.loads(must.stdout)["tables"][0]["going_on"], MUST)


@pytest.mark.parametrize("engine", ["reference", "auto"])
def test_a_comparison_tells_them_apart(up_and_down: tuple[str, str], run: Run, engine: str) -> None:
    done = run("compare", *up_and_down, "--games", "4", "--engine", engine, "--json")
    table = json.loads(done.stdout)["comparisons"][0]["tables"][0]
    assert (done.returncode, table["stuck"]) == (1, [0, 0])
    assert is_known(table["going_on"][0], MAY)
    assert is_known(table["going_on"][1], MUST)
    assert table["going_on"][1]["games"] == table["deals"]
    told = run("compare", *up_and_down, "--games", "4", "--engine", engine).stdout
    assert "    may go on: the base" in told
    assert "    endless: the variant" in told
    assert "stuck" not in told
    again = run("compare", up_and_down[0], up_and_down[0], "--games", "4", "--engine", engine)
    assert again.returncode == 0, again.stdout


def test_without_a_rule_players_may_go_on_or_must(up_and_down: tuple[str, str], run: Run) -> None:
    done = run("deadweight", up_and_down[0], "--games", "5", "--json")
    verdicts = {one["rule"]: one for one in json.loads(done.stdout)["rules"]}
    climbing = verdicts["climb: height increases by 1"]
    assert (climbing["verdict"], climbing["stuck"]) == ("endless", 0)


def test_habits_that_go_on_are_not_stuck(up_and_down: tuple[str, str], run: Run) -> None:
    done = run("ladder", up_and_down[0], "--budget", "1", "--games", "2", "--seconds", "4", "--json")
    falling = next(one for one in json.loads(done.stdout)["habits"] if one["player"] == "always fall")
    assert falling["stuck"] == 0
    assert falling["faults"] == falling["going_on"]["games"] > 0
    assert falling["going_on"]["verdict"] == "may go on"


@pytest.mark.parametrize(("work", "says"), [
    (1e9, None), (4e6, "good players (greedy) think less"), (1.0, "Good players were left out"),
])  # fmt: skip
def test_without_a_compiler_good_players_have_so_much_work_to_do(
    work: float, says: str | None, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work is counted, so the same is said on every machine."""
    (tmp_path / "ours.rules").write_text('rules 1\nvariant "Ours" of "classics/pig"\nset die = 4\n', "utf-8")
    monkeypatch.setattr("rulesrun.services.compare.can_think_natively", lambda table: False)
    monkeypatch.setattr("rulesrun.services.compare.REFERENCE_WORK", work)
    words = ("compare", "classics/pig", "ours.rules", "--players", "2", "--games", "2", "--set", "target=8")
    said = " ".join(run(*words).stdout.split())
    assert ("pip install rulesrun[native]" in said) is (says is not None)
    assert says is None or says in said
