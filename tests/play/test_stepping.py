"""Recorded games and stories step by step; what lies behind the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rulesrun.dsl import ast
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.play.copied_examples import copy_position
from rulesrun.table.session import Session
from tests.command_line import run_here
from tests.table.games import RULEBOOKS, decisions_of, players_of, reading_of, recorded_game


def write_trace(folder: Path, name: str, players: int) -> list[str]:
    trace = recorded_game(name, players, 4)
    (folder / "game.jsonl").write_text("\n".join(trace) + "\n", encoding="utf-8")
    return trace


def test_forward_and_back_from_any_eyes(tmp_path: Path) -> None:
    trace = write_trace(tmp_path, "classics/leduc", 2)
    last = len(decisions_of(trace))
    done = run_here("play", "game.jsonl", folder=tmp_path, stdin="\nb\neyes 2\neyes 0\nall\nend\n99\nwhat\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    steps = done.stdout.split("\nstep ")
    assert steps[0].count("hand  1 face down") == 1  # of the other player
    assert steps[0].split("══")[1:] == steps[2].split("══")[1:]  # there and back
    assert "player 2 (you)" in steps[3]
    assert steps[4].count("1 face down") == 2
    assert "│" in steps[5]
    assert f"{last} of {last}>" in done.stdout
    assert f"There is no step 99; choose 0 to {last}." in done.stdout


def test_the_last_step_explains_the_end(tmp_path: Path) -> None:
    trace = write_trace(tmp_path, "classics/rock_paper_scissors", 2)
    done = run_here("play", "classics/rock_paper_scissors", "game.jsonl", folder=tmp_path, stdin="end\n")
    scores = json.loads(trace[-1])["scores"]
    assert f"score {scores['1']}" in done.stdout
    assert "By `highest total`" in done.stdout


def test_a_trace_of_other_rules(tmp_path: Path) -> None:
    write_trace(tmp_path, "classics/leduc", 2)
    other = run_here("play", "classics/kuhn", "game.jsonl", folder=tmp_path)
    assert (other.returncode, other.stdout) == (2, "")
    assert "rules other than" in other.stderr
    lines = (tmp_path / "game.jsonl").read_text("utf-8").splitlines()
    wrong = [line.replace('"raise"', '"fly"').replace('"call"', '"swim"') for line in lines]
    (tmp_path / "game.jsonl").write_text("\n".join(wrong), encoding="utf-8")
    broken = run_here("play", "game.jsonl", folder=tmp_path)
    assert broken.returncode == 2
    assert "does not follow the rules" in broken.stderr


def test_the_story_of_a_failure_is_walked_through(tmp_path: Path) -> None:
    rules = 'rules 1\ngame "Up"\nplayers 1\nnumber steps: 0..9 = 0\nphase on: repeat until steps = 9\n'
    rules += "  choose go or stay\naction go\n  steps increases by 1\naction stay\nscore at end\n  points = steps\n"
    rules += 'always "never more than three": steps <= 3\n'
    (tmp_path / "up.rules").write_text(rules, encoding="utf-8")
    run_here("up.rules", "--trace", "story.jsonl", folder=tmp_path)
    done = run_here("play", "story.jsonl", folder=tmp_path, stdin="\n" * 99)
    assert done.returncode == 0
    assert done.stdout.startswith("Step 4 breaks `never more than three`.\n")
    shown = done.stdout.split("\nstep ")
    told = "✗ `never more than three` does not hold here (line 12):"
    assert [at for at, step in enumerate(shown) if told in step] == [4]
    assert "steps 4" in shown[4]
    assert shown[4].endswith("     steps = 4")


def test_a_position_becomes_an_example_that_holds(tmp_path: Path) -> None:
    typed = "1\n1\nexample\nwhy zero\ngoto 1\ngoto\nall\nquit\n"
    done = run_here("play", "zero", "--seed", "3", "--players", "2", "--seats", "human,random", "--debug",
                    folder=tmp_path, stdin=typed)  # fmt: skip
    assert done.returncode == 0
    text = done.stdout
    start = text.index('example "')
    example = [line for line in text[start:].splitlines() if line.startswith(("example", "  players", "  given"))]
    rules = "\n".join(['rules 1', 'variant "Copied" of "zero.rules"', *example, "  then player = 1", ""])
    (tmp_path / "copied.rules").write_text(rules, encoding="utf-8")
    tested = run_here("test", "copied.rules", "--games", "1", folder=tmp_path)
    assert tested.returncode == 0, tested.stdout
    assert "callable = no" in text
    assert "The game goes back." in text
    assert "Decisions so far: " in text


def copied_examples(name: str, players: int, seed: int) -> Iterator[list[str]]:
    """Positions of a random game, some decisions apart."""
    session, chance = Session.open(reading_of(name), players, {}, {}, seed, engine="reference"), Random(seed)
    while not session.is_over and session.decisions < 40:
        if session.decisions % 13 == 3:
            yield copy_position(session)
        seat = session.waiting_for()[0]
        question = session.open_question(seat)
        assert question is not None
        session.answer(seat, question["question"], chance.randrange(len(question["options"])))


def check_copied_examples(folder: Path, name: str) -> int:
    """How many of them cannot be said exactly, and say so."""
    inexact = 0
    for players in {players_of(name)[0], players_of(name)[-1]}:
        for lines in copied_examples(name, players, 1):
            if lines[0].startswith("# An example begins with a turn"):
                inexact += 1
                continue
            (folder / "copied.rules").write_text("\n".join(["rules 1", f'variant "Copied" of "{name}"', *lines, ""]))
            read = read_rules(str(folder / "copied.rules"))
            assert read.program is not None, read.diagnostics
            example = next(one for one in read.program.game.declarations
                           if isinstance(one, ast.Example) and one.title.startswith("from the table"))  # fmt: skip
            assert ExampleRunner(read.program).run_example(example).verdict == "passed", lines
    return inexact


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/tic_tac_toe", "gallery/hex", "gallery/durak"])
def test_what_is_copied_can_be_played(tmp_path: Path, name: str) -> None:
    assert not check_copied_examples(tmp_path, name)


@pytest.mark.long
@pytest.mark.parametrize("name", RULEBOOKS)
def test_what_is_copied_of_any_rulebook_can_be_played(tmp_path: Path, name: str) -> None:
    assert check_copied_examples(tmp_path, name) <= 2


def test_without_debugging_nobody_looks_behind(tmp_path: Path) -> None:
    for typed in ("all", "goto 0", "example", "/all"):
        done = run_here("play", "classics/kuhn", "--seed", "1", folder=tmp_path, stdin=f"{typed}\nquit\n")
        assert "No: " in done.stdout
        assert "│" not in done.stdout
