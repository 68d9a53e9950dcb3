"""Ctrl-C, sent for real at a stage of the work: what is known is told, kept and marked as partial."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from subprocess import run
from time import monotonic
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.report import parallel_files
from rulesrun.terminal.interruption import reraise_interrupts

STAIRS = """rules 1
game "Stairs"
players 2
number steps: 0..30 = 0
phase play: turns from 1 until steps = 30
  choose climb or rest
action climb
  steps increases by 1
action rest
  steps increases by 1
score at end
  points = steps
ranking: highest total, ties share
"""
BROKEN = STAIRS + 'never "half way": steps = 15\n'


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """The signal comes when something has been called so many times."""

    def at(name: str, time: int = 1) -> None:
        place, _, what = name.rpartition(".")
        module, _, owner = place.partition(":")
        holder: Any = __import__(module, fromlist=["_"])
        holder = getattr(holder, owner) if owner else holder
        whole, calls = getattr(holder, what), [0]

        def interrupting(*given: Any, **more: Any) -> Any:
            calls[0] += 1
            if calls[0] == time:
                os.kill(os.getpid(), signal.SIGINT)
            return whole(*given, **more)

        monkeypatch.setattr(holder, what, interrupting)

    return at


def rules(folder: Path, text: str) -> str:
    (folder / "stairs.rules").write_text(text, "utf-8")
    return str(folder / "stairs.rules")


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


PLAIN = [
    ("rulesrun.services.play:RandomGamesRunner.play_some", 30),
    ("rulesrun.interpreter.search.biased_search:BiasedAnswers.pick_option", 40),
    ("rulesrun.interpreter.search.shrink:GameShrinker.keep_if_smaller", 3),
    ("rulesrun.examine.failure_search.tell_at_site", 1),
]


@pytest.mark.parametrize(("where", "time"), PLAIN)
def test_the_plain_form_keeps_what_it_found(
    where: str, time: int, interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted(where, time)
    file, trace = rules(tmp_path, BROKEN), str(tmp_path / "game.jsonl")
    words = [file, "--json", "--engine", "reference", "--trace", trace, "--save-example"]
    assert main(words) == 1
    told = document(capsys)
    assert told["partial"] is True
    assert told["files"][0]["games"] > 0
    [story] = told["files"][0]["stories"]
    assert len(story["moves"]) == 15
    assert 'example "found: half way"' in Path(file).read_text("utf-8")
    Path(file).write_text(BROKEN, "utf-8")
    assert main(["replay", file, trace, "--rules-only", "--quiet"]) == 0


@pytest.mark.parametrize(("where", "time"), PLAIN[:2])
def test_where_nothing_was_broken_the_exit_code_says_that_it_is_partial(
    where: str, time: int, interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted(where, time)
    assert main([rules(tmp_path, STAIRS), "--engine", "reference"]) == 2
    assert "interrupted: this report is partial" in capsys.readouterr().out


def test_simulate_names_the_tables_it_did_not_come_to(interrupted: Any, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted("rulesrun.services.measure.measure_table", 2)
    words = ["simulate", "zero", "--games", "3", "--engine", "reference"]
    assert main(words) == 2
    said = capsys.readouterr().out
    assert "not played yet: 4 players\n  not played yet: 5 players\n" in said
    interrupted("rulesrun.services.measure.measure_table", 2)
    main([*words, "--json"])
    assert document(capsys)["missing"] == [4, 5]


EXPLORING = [
    ("rulesrun.interpreter.play.successors:Successors.successors_of", 10),
    ("rulesrun.services.explore.find_observed_symmetries", 1),
    ("rulesrun.services.explore.find_never_happened", 1),
    ("rulesrun.run.explore_engines.analyze_endings", 1),
]


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("where", "time"), EXPLORING)
def test_exploring_tells_what_is_known(
    engine: str, where: str, time: int, interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if engine == "native":
        pytest.importorskip("llvmlite")
        search = "rulesrun.interpreter.native.explore.exploration:NativeSearch"
        native = {"Successors.successors_of": (f"{search}.visit_successors", 2)}
        native["explore_engines.analyze_endings"] = ("rulesrun.interpreter.native.explore.endings.find_circle", 1)
        where, time = next((new for old, new in native.items() if where.endswith(old)), (where, time))
    interrupted(where, time)
    assert main(["explore", rules(tmp_path, STAIRS), "--json", "--engine", engine]) == 2
    told = document(capsys)
    assert (told["partial"], told["ok"]) == (True, True)
    [table] = told["tables"]
    assert table["positions"] > 1
    assert table["engine"] if "engine" in table else told["engine"] == engine


@pytest.mark.parametrize(
    ("where", "time"),
    [
        ("rulesrun.interpreter.explore.breadth_first:BreadthFirstSearch.expand_position", 5),
        ("rulesrun.run.explore_engines.CodeCache", 1),
    ],
)
def test_between_the_first_positions_and_machine_code_it_is_not_lost(
    where: str, time: int, interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After the reference has looked up for the last time, and before machine code is there."""
    pytest.importorskip("llvmlite")
    monkeypatch.setattr("rulesrun.run.explore_engines.FEW_POSITIONS", 20)
    interrupted(where, time)
    assert main(["explore", rules(tmp_path, STAIRS), "--json", "--whole"]) == 2
    told = document(capsys)
    assert told["partial"] is True
    assert 1 < told["tables"][0]["positions"] < 60


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_what_was_broken_by_then_decides(
    engine: str, interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The property breaks before all positions have been looked at."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    interrupted("rulesrun.services.explore.find_never_happened")
    assert main(["explore", rules(tmp_path, BROKEN), "--engine", engine]) == 1
    said = capsys.readouterr().out
    assert "2 players, 15 moves" in said
    assert "does not hold" in said


def test_before_anything_is_known(interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted("rulesrun.services.explore.find_symmetry_group")
    assert main(["explore", rules(tmp_path, STAIRS)]) == 2
    assert "interrupted before any position was looked at" in capsys.readouterr().out


def test_while_other_options_are_tried(interrupted: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted("rulesrun.examine.other_options:OptionTrials.play_game")
    option = "option more: 0..3 = 0\n"
    text = STAIRS.replace("phase play", f"{option}phase play").replace("= 30\n  choose", "= 30 - more\n  choose")
    assert main([rules(tmp_path, text)]) == 2
    assert "everything holds so far (interrupted: this report is partial)" in capsys.readouterr().out


class Unfinished(Future[Any]):
    """Of a process: what asking for its answer comes to, one time after another."""

    def __init__(self, *comes: BaseException) -> None:
        super().__init__()
        self.comes = list(comes)
        self.set_running_or_notify_cancel()

    def result(self, timeout: float | None = None) -> Any:
        raise self.comes.pop(0)


def test_processes_that_are_interrupted_before_they_work_are_no_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C reaches them while they start: they end without an answer."""

    class Pool(Executor):
        def __init__(self, *given: object, **more: object) -> None:
            pass

        def submit(self, *given: Any, **more: Any) -> Any:
            return Unfinished(KeyboardInterrupt(), BrokenProcessPool())

    monkeypatch.setattr(parallel_files, "ProcessPoolExecutor", Pool)
    file = rules(tmp_path, STAIRS)
    assert main([file, file, "--jobs", "2"]) == 2
    assert capsys.readouterr().err == "rulesrun: interrupted; 2 of 2 files were not checked\n"
    monkeypatch.setattr(Pool, "submit", lambda *given: Unfinished(BrokenProcessPool()))
    assert main([file, file, "--jobs", "2"]) == 2
    assert "a bug of rulesrun" not in capsys.readouterr().err


SUBMITTING = """
import os, signal, sys, time
from concurrent.futures import ProcessPoolExecutor
from rulesrun.cli import main

submit = ProcessPoolExecutor.submit

def interrupted(self, *given):
    ProcessPoolExecutor.submit = submit
    answer = submit(self, *given)
    time.sleep(0.25)  # it reads its modules
    os.killpg(0, signal.SIGINT)
    return answer

ProcessPoolExecutor.submit = interrupted
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that can be held back")
@pytest.mark.parametrize("words", [["simulate", "FILE", "--games", "5000"], ["FILE", "FILE"]], ids=["games", "files"])
def test_processes_that_are_just_starting_end_without_a_word(words: list[str], tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to all of them at once."""
    file = rules(tmp_path, STAIRS)
    words = [file if word == "FILE" else word for word in words]
    code = [sys.executable, "-c", SUBMITTING, *words, "--jobs", "2", "--engine", "reference"]
    done = run(code, capture_output=True, text=True, start_new_session=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr


WHEN_THE_LAST_IS_DONE = """
import os, signal, sys, threading
from concurrent.futures import ProcessPoolExecutor
from rulesrun.cli import main

submit = ProcessPoolExecutor.submit

def interrupt_all(_):
    threading.Timer(4, os.killpg, (0, signal.SIGINT)).start()  # the other one plays by then

def submitted(self, work, name, *given):
    answer = submit(self, work, name, *given)
    if name == sys.argv[2]:
        answer.add_done_callback(interrupt_all)
    return answer

ProcessPoolExecutor.submit = submitted
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that can be held back")
def test_what_is_done_when_it_comes_is_told_whatever_stands_before_it(tmp_path: Path) -> None:
    """The first file is at work; the process of the second one waits for nothing, and does not hear it."""
    bad = tmp_path / "bad.rules"
    bad.write_text("rules 1\nzone heap of cards\n", "utf-8")
    words = ["zero", str(bad), "--jobs", "2", "--json", "--games", "9999999"]
    code = [sys.executable, "-c", WHEN_THE_LAST_IS_DONE, *words]
    done = run(code, capture_output=True, text=True, start_new_session=True, timeout=60, check=False)
    files = [Path(file["file"]).name for file in json.loads(done.stdout)["files"]]
    assert files == ["zero.rules", "bad.rules"]
    assert (done.returncode, done.stderr) == (1, "")


def test_an_interruption_while_something_is_cleaned_up_is_not_lost() -> None:
    """Python prints it and goes on, unless somebody raises it again."""

    class Rude:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    with reraise_interrupts():
        thing = Rude()
        del thing
        with pytest.raises(KeyboardInterrupt):
            work_for_seconds(10)


def work_for_seconds(seconds: float) -> None:
    until = monotonic() + seconds
    while monotonic() < until:
        pass


def test_other_things_that_go_wrong_while_cleaning_up_are_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: told.append(found.exc_type))

    class Rude:
        def __del__(self) -> None:
            raise ValueError

    with reraise_interrupts():
        thing = Rude()
        del thing
    assert told == [ValueError]
