"""Work that two processes share comes out as if one had done it, whatever becomes of the other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.run.shared_work import SharedWork

BROKEN = Path(__file__).parents[1] / "broken"


def answered(pieces: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    work = SharedWork(pieces)
    work.begin()
    try:
        return {name: work.result(name) for name in pieces}
    finally:
        work.end()


def test_every_piece_is_done() -> None:
    def square_of(number: int) -> Callable[[], int]:
        return lambda: number * number

    squares = {str(number): square_of(number) for number in range(40)}
    assert answered(squares) == {str(number): number * number for number in range(40)}


MEETING = """
import os, sys, time
from functools import partial
from pathlib import Path
from tests.rulesrun.test_shared_work import answered

def met():
    Path(str(os.getpid())).touch()
    until = time.monotonic() + 20
    while len(os.listdir()) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    return os.getpid()

sys.exit(len(set(answered({"one": met, "other": met}).values())))
"""


def test_two_processes_work_at_once(tmp_path: Path) -> None:
    """Each piece waits until somebody else has come, too. In a process without threads: another would not be forked."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", MEETING], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, check=False
    )
    assert done.returncode == 2


def test_what_the_other_process_leaves_undone_is_done_here() -> None:
    here = os.getpid()

    def killed() -> str:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"

    def slow() -> str:
        time.sleep(0.3 if os.getpid() == here else 0)
        return "done"

    assert answered({"first": killed, "second": slow, "third": slow}) == dict.fromkeys(
        ("first", "second", "third"), "done"
    )


def test_an_error_is_met_in_the_first_process() -> None:
    def wrong() -> int:
        raise ValueError("as it is written")

    with pytest.raises(ValueError, match="as it is written"):
        answered({"one": wrong})


@pytest.mark.parametrize(
    "name", ["a08_kuhn_fold_at_once", "b08_nim_moves_around", "b10_tic_tac_toe_until_three", "c08_kuhn_call_to_win"]
)
def test_one_process_and_two_say_the_same(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for jobs in ("1", "2"):
        assert main([str(BROKEN / f"{name}.rules"), "--json", "--jobs", jobs]) == 1
        said.append(without_clocks(json.loads(capsys.readouterr().out)))
    assert said[0] == said[1]


def without_clocks(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: without_clocks(value) for key, value in found.items() if key not in {"seconds", "engine"}}
    if isinstance(found, list):
        return [without_clocks(value) for value in found]
    return found


def test_more_pieces_than_a_byte_can_name() -> None:
    assert answered({str(number): partial(int, number) for number in range(300)}) == {
        str(number): number for number in range(300)
    }
