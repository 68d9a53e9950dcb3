"""Command lines that nobody writes on purpose: contradictions, files in the way, records that were tampered with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.bots.bot import RandomBot
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.measure.ladder import Rung, play_rung
from rulesrun.interpreter.measure.suspects import find_suspects
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.run.engine_choice import CodeCache
from rulesrun.terminal.arguments import MOST_JOBS, read_command_line
from tests.rulesrun.conftest import TINY, Run

COIN = """rules 1
game "Coin"
players 1
number heads: 0..1
phase play
  roll heads
  choose go
action go
score at end
  points = heads
ranking: highest points
at most 1/2 of games "heads": heads = 1
"""
STUCK = """rules 1
game "Stuck"
players 1
reading further: one, two = one
  "Nobody knows."
number steps: 0..1
phase play: repeat 2 times
  choose go
action go
  if further = two or steps = 0
    steps increases by 1
score at end
  points = steps
ranking: highest points
"""


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["fmt", "--check", "--expanded", "tiny.rules"], "not both"),
        (["trace", "tiny.rules", "--seats", "greedy", "--engine", "native"], "remove `--engine native`"),
        (["trace", "tiny.rules", "--lang", "ru", "--engine", "native"], "уберите `--engine native`"),
        (["tiny.rules", "tiny.rules", "--trace", "found.jsonl"], "`--trace` takes only one FILE"),
        (["tiny.rules", "--trace", "tiny.rules"], "this is the file with the rules"),
        (["tiny.rules", "--trace", "nowhere/found.jsonl"], "cannot be written"),
        (["report", "tiny.rules", "--html", "tiny.rules"], "this is the file with the rules"),
        (["-", "--save-example"], "cannot be added to standard input"),
        (["simulate", "tiny.rules", "--games", "9" * 40], "expected a number of at most 19 digits"),
        (["trace", "tiny.rules", "--seed", str(2**63)], f"expected a number up to {2**63 - 1}"),
        (["simulate", "classics/nim", "--set", "heaps=2", "heaps=1"], "write `--set heaps=2,1`"),
        (["test", "tiny.rules", "--why", "1"], "no rule that could be reached"),
        (["test", "tiny.rules", "nowhere.rules", "--coverage"], "there is no such file"),
        (["replay", "tiny.rules", "tiny.rules"], "tiny.rules: line 1 is not a JSON object"),
    ],
)
def test_what_contradicts_itself_is_said_before_any_work(run: Run, tiny: Path, words: list[str], part: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr
    assert tiny.read_text("utf-8") == TINY


def test_options_that_do_not_go_together_are_told_with_their_values(run: Run, tmp_path: Path) -> None:
    require = 'option extra: 0..5 = 1\nrequire extra * players <= 4 because "there are four"\n'
    (tmp_path / "tiny.rules").write_text(TINY.replace("players 2..3\n", f"players 2\n{require}"), "utf-8")
    done = run("simulate", "tiny.rules", "--set", "extra=3")
    told = "there are four: extra = 3, 2 players, against `require extra * players <= 4` (line 5)"
    assert (done.returncode, done.stderr) == (2, f"rulesrun: {told}\n")


def test_a_list_of_codes_is_a_document_too(run: Run) -> None:
    codes = json.loads(run("explain", "--json").stdout)["codes"]
    assert codes == run("explain").stdout.split()


def test_quiet_says_nothing_where_nothing_is_to_be_complained_about(run: Run, tiny: Path) -> None:
    for words in (
        ["tree", "classics/kuhn", "--players", "2"], ["solve", "classics/kuhn", "--players", "2"],
        ["readings", "classics/pig", "--games", "1"], ["ladder", "classics/kuhn", "--games", "2", "--budget", "1"],
    ):  # fmt: skip
        done = run(*words, "--quiet")
        assert (done.returncode, done.stdout) == (0, ""), words


def test_games_that_get_stuck_with_one_reading_do_not_hold(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, "utf-8")
    done = run("readings", "stuck.rules", "--games", "3")
    assert done.returncode == 1
    assert "with two the game got stuck in 3 of 3 games" in done.stdout


def test_a_share_that_is_not_known_is_not_said_to_hold(run: Run, tmp_path: Path) -> None:
    """Half of the games: no number of games tells on which side of a half the share is."""
    (tmp_path / "coin.rules").write_text(COIN, "utf-8")
    done = run("coin.rules", "--games", "40")
    assert done.returncode == 0
    assert "nothing broken: 1 share of games not yet known" in done.stdout
    assert "everything holds" not in done.stdout


def test_no_more_processes_are_begun_than_can_be_of_use() -> None:
    request = read_command_line(["simulate", "x", "--jobs", "100000"])
    assert 0 < (request.jobs or 0) <= max(MOST_JOBS, 1024)
    assert read_command_line(["simulate", "x", "--jobs", "3"]).jobs == 3


def test_a_game_of_players_that_think_is_told_as_far_as_it_has_come(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stuck.rules").write_text(STUCK, "utf-8")
    done = run("trace", "stuck.rules", "--set", "further=two", "--seats", "first")
    assert done.returncode == 1
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["start", "decision", "decision"]
    assert "got stuck" in done.stderr


CHANGES: tuple[Callable[[dict[str, Any]], object], ...] = (
    lambda one: one.pop("tables"),
    lambda one: one.update(tables=[]),
    lambda one: one["tables"].update({"x": 3}),
    lambda one: one["tables"]["2"].pop("done"),
    lambda one: one["tables"]["2"].update(done="x"),
    lambda one: one["tables"]["2"].update(done=10**9),
    lambda one: one["tables"]["2"].update(totals=[1]),
    lambda one: one["tables"]["2"].update(totals={}),
    lambda one: one["tables"]["2"]["parts"].append([30, 1, "../../elsewhere"]),
)


@pytest.mark.parametrize("change", CHANGES)
def test_games_kept_in_a_damaged_folder_are_not_gone_on_from(
    run: Run, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    words = ["simulate", "classics/kuhn", "--players", "2", "--out", "games/", "--quiet", "--games"]
    assert run(*words, "30").returncode == 0
    file = tmp_path / "games" / "manifest.json"
    document = json.loads(file.read_text("utf-8"))
    change(document)
    file.write_text(json.dumps(document), "utf-8")
    done = run(*words, "40")
    assert done.returncode == 2
    assert "its manifest cannot be read" in done.stderr


def test_a_folder_whose_manifest_is_nested_without_end_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "manifest.json").write_text("[" * 200_000, "utf-8")
    assert "its manifest cannot be read" in run("simulate", "classics/kuhn", "--out", "games/").stderr


def test_code_that_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    """A folder of the code's name is in the way."""
    cache = CodeCache(tmp_path / "cache")
    (tmp_path / "cache" / "key").mkdir(parents=True)
    cache.put("key", b"code")
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["key"]


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x7f", "\u202e", "\u2066", "\u2028", "\r"])
def test_a_text_cannot_steer_the_terminal(run: Run, tmp_path: Path, sign: str) -> None:
    (tmp_path / "odd.rules").write_text(TINY.replace("Tiny", f"Ti{sign}ny"), "utf-8", newline="")
    done = run("check", "odd.rules")
    assert done.returncode == 1
    assert f"U+{ord(sign):04X}" in done.stdout
    assert sign not in done.stdout


@pytest.mark.parametrize("text", ["Ti\u00a0ny", "Ti\u200dny", "Ti\u00adny", "Ti\tny", "Tiny 😀", "Ти́ни"])
def test_texts_of_people_stay_as_they_are(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.rules").write_text(TINY.replace("Tiny", text), "utf-8")
    assert run("check", "odd.rules").returncode == 0


LARGE = """rules 1
game "Purses"
players 2
option most: 1..1000000000 = 5
number purse of player: 0..1000000000 = 5, private
phase play: one turn each from 1
  choose take
action take(n in 1..9)
  needs n < most
  purse increases by n
score at end
  points = purse
ranking: highest total, ties share
"""
ENDLESS = """rules 1
game "Endless"
players 2
number n: 0..9 = 0
phase play: turns from 1 until n > 9
  choose go or stay
action go
  n becomes 0
action stay
score at end
  points = n
ranking: highest total, ties share
"""


@pytest.mark.parametrize("words", [[], ["simulate", "--seats", "greedy,mcts:5", "--games", "2"], ["readings"]])
def test_what_is_hidden_may_be_one_of_very_many_numbers(run: Run, tmp_path: Path, words: list[str]) -> None:
    """Nobody goes through all of them."""
    (tmp_path / "large.rules").write_text(LARGE, "utf-8")
    done = run(*words, "large.rules")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_option_of_very_many_values_is_no_suspect() -> None:
    program = read_text(LARGE).program
    assert program is not None
    found = {one.what for one in find_suspects(program, set_up_table(program, 2, {}))}
    assert "condition" not in found
    assert "needs" in found
    assert "option" not in found


def test_nobody_waits_for_players_whose_game_has_no_end() -> None:
    program = read_text(ENDLESS).program
    assert program is not None
    rung = Rung(GreedyBot(), RandomBot(), 4)
    assert play_rung(set_up_table(program, 2, {}), rung, 0, monotonic(), longest=0.1)
    assert (rung.games, rung.faults) == (0, 0)


EARLY = """rules 1
game "Early"
players 2
card Card: rank 1..3
zone heap: pile of Card, public
zone hand of player: set of Card, public
number laid: 0..3 = 0
setup
  move all Card to hand of 1
phase play: turns from 1 skipping hand is empty until laid = 3
  choose lay or beat
action lay(c from hand)
  move c to heap
  laid increases by 1
action beat(c from hand)
  needs heap is not empty
  needs rank of c > rank of top of heap
  move c to heap
  laid increases by 1
score at end
  points = 6 div laid
ranking: highest total, ties share
"""


def test_why_is_answered_where_not_everything_can_be_asked_yet(run: Run, tmp_path: Path) -> None:
    """Before the first card nothing lies on top, and nothing can be divided by what was laid."""
    (tmp_path / "early.rules").write_text(EARLY, "utf-8")
    (tmp_path / "game.jsonl").write_text(run("trace", "early.rules").stdout, "utf-8")
    words = ["why", "early.rules", "game.jsonl", "--at", "0"]
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "it is not known who is ahead, because points cannot be counted here: this divides by zero" in done.stdout
    assert "points = not known here" in run(*words, "--score", "2").stdout
    refused = run(*words, "--option", "beat(2)")
    assert (refused.returncode, refused.stderr) == (0, "")
    assert "fails  needs heap is not empty" in refused.stdout


def test_players_that_the_rules_do_not_allow_are_named(run: Run) -> None:
    done = run("simulate", "zero", "--players", "2-9", "--games", "1")
    assert done.returncode == 0
    assert "`--players 2-9`: the rules are for 2 to 5 players; others are left out" in done.stderr
    assert "left out" not in run("simulate", "zero", "--players", "2-5", "--games", "1").stderr


def test_several_values_in_braces_that_a_shell_has_taken_apart(run: Run) -> None:
    done = run("tree", "classics/nim", "--set", "heaps=2", "heaps=1")
    assert done.returncode == 2
    assert "`heaps=1` is no file: of several values write `--set heaps=2,1`" in done.stderr


def test_how_exact_a_solution_is_to_be(run: Run) -> None:
    assert run("solve", "classics/nim", "--players", "2", "--within", "0.000001").returncode == 0
    for wrong in ("0", "x", "1e-30"):
        done = run("solve", "classics/nim", "--within", wrong)
        assert done.returncode == 2
        assert "expected a number of points" in done.stderr


LIMITED = """
option n: 1..4 = 2
require n is not 3 because "three is unlucky"
number taken: 0..9 = 0
phase play: one turn each from 1
  choose take
action take
  taken increases by n - 1
ends within players turns "everybody once"
score at end
  points = taken
ranking: highest total, ties share
"""


def test_a_bound_that_is_worked_out_is_told_as_it_is_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "limited.rules").write_text(f'rules 1\ngame "Limited"\nplayers 2\n{LIMITED}', "utf-8")
    said = run("limited.rules", "--games", "5", "--all").stdout
    assert 'holds      ends within players turns "everybody once"' in said
    told = run("limited.rules", "--games", "5", "--all", "--lang", "ru").stdout
    assert 'кончается, самое большее ходов: игроки "everybody once"' in told


def test_values_that_no_table_can_have_are_not_waited_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "limited.rules").write_text(f'rules 1\ngame "Limited"\nplayers 2\n{LIMITED}', "utf-8")
    said = run("test", "limited.rules", "--coverage", "--games", "2").stdout
    assert "n = 3" not in said
    assert "coverage   " in said
    assert "(100 %)" in said
