"""`rulesrun explore` on the command line: what it says, what it gives as JSON, its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from tests.command_line import run_here
from tests.exploring.made import EXCHANGES

ROOT = Path(__file__).resolve().parents[2]
PLAYS_ON = """rules 1
variant "Tokens, plays on" of "tokens.rules"
set endless = plays_on
remove small "three colours, three of each"
"""


@pytest.fixture
def rules(tmp_path: Path) -> Any:
    def write(text: str, name: str = "made.rules") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


def explored(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["explore", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_game_that_holds_is_told_so_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "classics/tic_tac_toe"]) == 0
    said = capsys.readouterr().out
    assert "765: 627 decisions, 0 chance events, 138 ends" in said
    assert "left and right mirrored (proved: the rules stay the same)" in said
    assert "without symmetries there would be 5,478 positions" in said
    assert "every reachable position was checked" in said
    assert "everything holds: proved for the full table" in said


def test_without_symmetry_every_position_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "classics/tic_tac_toe", "--no-symmetry"]) == 0
    assert "5,478: 4,520 decisions, 0 chance events, 958 ends" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = explored(capsys, "classics/leduc")
    (table,) = document["tables"]
    assert (code, document["ok"], table["complete"]) == (0, True, True)
    assert (table["positions"], table["transitions"], table["whole"]) == (1057, 1218, 1057)
    assert table["decisions"] + table["chance"] + table["ends"] == 1057


def test_a_game_that_goes_wrong_at_its_first_choice_is_told(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    """There is no position to go on from: the story is all there is to tell."""
    made = rules(
        'rules 1\ngame "Heaps"\nplayers 2\nnumber heap[1..3]: 0..3 = 3\n'
        "phase play: turns from 1 until heap[1] = 0\n  choose take\n"
        "action take(from_heap in 1..3)\n  needs heap[from_heap] > 0\n  heap[from_heap] decreases by 1\n"
        'ends within 9 turns "soon"\nsmall "two heaps"\n  number heap[1..2]: 0..3 = 3\n'
    )
    assert main(["explore", made]) == 1
    said = capsys.readouterr().out
    assert "no game ends" in said
    assert "[no-such-place]" in said
    assert 'ends within 9 turns "soon" (line 10): no game gets as far as its first choice' in said
    assert "game ends within" not in said


def test_endless_play_is_found_on_a_small_table_and_told(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    """The end is out of reach once the tokens of two colours all lie in the centre: nobody can match a third."""
    code, document = explored(capsys, rules(PLAYS_ON))
    (table,) = document["tables"]
    assert (code, document["ok"], table["complete"]) == (1, False, True)
    assert table["without_end"] > 0
    (story,) = table["stories"]
    assert story["code"] == "no-way-out"
    assert all(move["chosen"]["action"] == "reveal" for move in story["moves"])
    assert len(story["moves"]) == 8
    apart = explored(capsys, rules(PLAYS_ON), "--no-symmetry")[1]["tables"][0]
    assert apart["positions"] == apart["whole"] == table["whole"]
    assert apart["without_end"] == table["without_end"]
    assert apart["positions"] > 5 * table["positions"]


def test_with_the_stopping_reading_the_same_table_ends(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    smaller = PLAYS_ON.replace("plays_on", "third_time").replace("three of each", "four of each")
    code, document = explored(capsys, rules(smaller))
    (table,) = document["tables"]
    assert (code, table["complete"], table["without_end"], table["circles"]) == (0, True, 0, 0)


def test_the_empty_reserve_is_reached(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    text = PLAYS_ON + 'can happen "the reserve is empty": reserve is empty\n'
    (table,) = explored(capsys, rules(text))[1]["tables"]
    assert {"the reserve is empty", "a pass"} <= {one["name"] for one in table["happens"]}
    assert "the reserve is empty" not in {one["name"] for one in table["never"]}


def test_a_table_is_proposed_where_none_is_declared(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    text = (ROOT / "games" / "classics" / "pig.rules").read_text("utf-8")
    code, document = explored(capsys, rules(text[: text.index("\nsmall ")]))
    whole, smaller = document["tables"]
    assert code == 0
    assert (whole["complete"], whole["stopped"], whole["shrunk"]) == (False, "limit", [])
    assert smaller["complete"]
    assert smaller["shrunk"]


def test_a_limit_is_kept_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "classics/tic_tac_toe", "--limit", "300"]) == 0
    said = capsys.readouterr().out
    assert "stopped at the limit of positions" in said
    assert "evidence, not proof" in said


def test_a_broken_rule_is_told_with_the_shortest_game(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    text = EXCHANGES.replace("  move take to hand\n", "  move take to hand\n  draw 1 from stock to supply\n")
    assert main(["explore", rules(text)]) == 1
    said = capsys.readouterr().out
    assert "`stock` is empty: there is nothing to draw [empty-zone]" in said
    assert "2 players, 3 moves" in said


def test_several_small_tables_are_all_looked_at(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    text = EXCHANGES + "".join(
        f'\nsmall "{amount}"\n  values Colour: {", ".join(["red", "blue", "green"][:amount])}\n' for amount in (2, 3)
    ).replace("deal 2", "deal 1")
    text = text.replace("deal 2 from stock to supply", "deal 1 from stock to supply")
    code, document = explored(capsys, rules(text))
    assert code == 0
    assert [table["table"] for table in document["tables"]] == ['the small table "2"', 'the small table "3"']
    assert document["tables"][0]["whole"] < document["tables"][1]["whole"]
    assert [table["table"] for table in explored(capsys, rules(text), "--whole")[1]["tables"]] == ["the full table"]


def test_a_small_table_for_others_is_left_out(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    text = EXCHANGES.replace("players 2\n", "players 2..3\n").replace("rank 1..2", "rank 1..3")
    text = rules(text + '\nsmall "for two"\n  players 2\n  card Card: colour Colour, rank 1..2\n')
    assert [one["table"] for one in explored(capsys, text)[1]["tables"]] == ['the small table "for two"']
    code, document = explored(capsys, text, "--players", "3")
    assert code == 0
    assert document["tables"][0]["table"] == "the full table"
    assert "is left out: `--players 3`" in document["said"][0]


def test_where_something_always_goes_wrong_no_game_ends(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    text = EXCHANGES.replace("ranking: highest total, ties share", "ranking: highest total * 0")
    assert main(["explore", rules(text)]) == 1
    assert "no game ends: something goes wrong first" in capsys.readouterr().out


def unwritten(table: dict[str, Any]) -> dict[str, str]:
    return {one["title"]: one["verdict"] for one in table["unwritten"]}


def test_what_nobody_wrote_is_listed(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    (board,) = explored(capsys, "classics/tic_tac_toe")[1]["tables"]
    assert len(unwritten(board)) == 7
    assert set(unwritten(board).values()) == {"holds"}
    (part,) = explored(capsys, "classics/tic_tac_toe", "--limit", "300")[1]["tables"]
    assert set(unwritten(part).values()) == {"not broken", "holds"}  # secrets are read off the rules
    text = EXCHANGES.replace("  move take to hand\n", "  move take to hand\n  draw 1 from stock to supply\n")
    (stuck,) = explored(capsys, rules(text))[1]["tables"]
    failed = [title for title, verdict in unwritten(stuck).items() if verdict == "fails"]
    assert failed == ["the rules always say what happens next"]
    (endless,) = explored(capsys, rules(PLAYS_ON))[1]["tables"]
    failed = [title for title, verdict in unwritten(endless).items() if verdict == "fails"]
    assert failed == ["every position met can still reach the end", "every game ends"]


def test_proof_and_evidence_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "classics/tic_tac_toe"]) == 0
    whole = capsys.readouterr().out
    assert "proved     the full table: 1 property and 7 built-in checks hold at every one of its 765" in whole
    assert main(["explore", "classics/tic_tac_toe", "--limit", "300"]) == 0
    part = capsys.readouterr().out
    assert "  proved " not in part
    assert "positions; there are more" in part


@pytest.mark.parametrize(("engine", "megabytes"), [("reference", 2), ("native", 64)])
def test_a_full_memory_gives_what_is_known(
    capsys: pytest.CaptureFixture[str], engine: str, megabytes: int
) -> None:
    """The table as it is has far more positions than fit into so little."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    words = ("zero", "--whole", "--players", "2", "--memory", str(megabytes), "--limit", "10000000", "--no-symmetry")
    assert main(["explore", *words, "--engine", engine]) == 0
    said = capsys.readouterr().out
    assert "stopped because the memory for positions was full" in said
    assert "evidence, not proof" in said
    (positions,) = [line.split()[1].rstrip(":") for line in said.splitlines() if line.startswith("  positions")]
    assert 1_000 < int(positions.replace(",", "")) < 1_000_000


def test_what_cannot_be_done_is_said(capsys: pytest.CaptureFixture[str], rules: Any) -> None:
    assert main(["explore", rules("rules 1\n")]) == 1
    assert main(["explore", "classics/kuhn", "--players", "9"]) == 2
    assert main(["explore", "classics/kuhn", "--limit", "none"]) == 2


COUNTED = """rules 1
game "Counted"
players 2
number most: 0..9 = 4
number taken: 0..9 = 0
phase play: turns from 1 until taken >= most
  choose take
action take
  taken increases by 1
score at end
  points = taken
ranking: highest total, ties share
small "four"
  always "four at most": taken <= 4
"""
MORE = """rules 1
variant "More" of "counted.rules"
change action take
  taken increases by {step}
"""


@pytest.mark.parametrize(("step", "fits"), [(1, True), (3, False)])
def test_a_small_table_of_the_base_is_no_judge_of_a_variant(tmp_path: Any, step: int, fits: bool) -> None:
    """Where properties alone are broken on it: three and three are more than the base ever takes."""
    (tmp_path / "counted.rules").write_text(COUNTED)
    (tmp_path / "more.rules").write_text(MORE.format(step=step))
    done = run_here("explore", "more.rules", "--json", folder=tmp_path)
    document = json.loads(done.stdout)
    assert (done.returncode, document["ok"]) == (0, True)
    assert ('"four"' in document["tables"][0]["table"]) == fits
    assert any('"four at most"' in line for line in document["said"]) != fits
