"""Thousands of rulebooks made up, each played by both engines. A crash of the process is seen, and whose it is.

`python -m tests.native.fuzzing FIRST AMOUNT` plays them in processes of some hundred each and prints what came of it.
"""

from __future__ import annotations

import contextlib
import json
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

GAMES = 8
DECISIONS = 100  # in a game; that it goes on is a fault like others
EVENTS = 60
EACH = 100  # rulebooks a process
MOST_SECONDS = 60  # of the processor, for one of them
MOST_MEMORY = 3 << 30
FULL_EVERY = 50  # how many of the rulebooks are compiled as carefully as for people
PLAYERS = (2, 4, 3, 2, 6, 4, 2, 3, 7, 4, 1)


@dataclass
class Found:
    """What came of some rulebooks."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # which, and how

    def add(self, told: dict[str, Any]) -> None:
        self.counts.update(told["counts"])
        self.refused.update(told["refused"])
        self.wrong.extend(told["wrong"])


def look_at(number: int, found: Found) -> None:
    """One rulebook: checked, compiled twice, played by both engines at random and question by question."""
    from rulesrun.interpreter.form.form import CannotCompile
    from rulesrun.interpreter.model.values import RefusedTable
    from rulesrun.interpreter.reference.table import set_up_table
    from tests.interpreter.made import program
    from tests.native.made_up import written

    found.counts["made up"] += 1
    try:
        players = PLAYERS[number % len(PLAYERS)]
        made = set_up_table(program(written(number, players), str(players)), players, {})
    except (AssertionError, RefusedTable):
        found.counts["not accepted"] += 1
        return
    try:
        played(number, made, found)
    except CannotCompile as reason:
        found.counts["refused by the compiler"] += 1
        found.refused[str(reason)] += 1


def played(number: int, made: Any, found: Found) -> None:
    from tests.native.both import differences, quick_engine, quick_positions
    from tests.native.test_positions import play_by_reference, stuck, walk

    care = 2 if number % FULL_EVERY == 0 else 0
    engine = quick_engine(made, care)
    for difference in differences(made, GAMES, seed=number, engine=engine, limit=DECISIONS):
        found.wrong.append(f"{number}: {difference[:300]}")
    found.counts["played at random"] += 1
    if number % 4 > 1:
        return
    positions = quick_positions(made, care)
    ours = stuck(lambda: for_a_while(lambda choose: walk(made, positions, choose), number))
    theirs = stuck(lambda: for_a_while(lambda choose: play_by_reference(made, choose), number))
    if ours != theirs and ours not in LEFT_TO_REFERENCE:
        found.wrong.append(f"{number}: stuck by {ours} instead of {theirs}")
    found.counts["played question by question"] += 1


def for_a_while(play: Callable[[Callable[[int], int]], object], seed: int) -> None:
    """Some events of a game; it may go on longer."""
    chance, left = Random(seed), iter(range(EVENTS))

    def choose(amount: int) -> int:
        next(left)
        return chance.randrange(amount)

    with contextlib.suppress(StopIteration):
        play(choose)


LEFT_TO_REFERENCE = {"endless", "left-to-reference"}  # no fault of the rules: machine code goes no further


def work(first: int, amount: int) -> None:
    """In a process of its own: a line before each rulebook, and at the end what was found."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    found = Found()
    for number in range(first, first + amount):
        tell(str(number))
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        try:
            look_at(number, found)
        except Exception as problem:  # told with its number, whatever it is
            found.wrong.append(f"{number}: {type(problem).__name__} {str(problem)[:300]}")
    signal.setitimer(signal.ITIMER_PROF, 0)
    tell(json.dumps({"counts": found.counts, "refused": found.refused, "wrong": found.wrong}))


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def look_at_many(first: int, amount: int) -> Found:
    """In processes one after the other; where one dies, the rulebook is noted and the others go on."""
    found, at, end = Found(), first, first + amount
    while at < end:
        many = min(EACH, end - at)
        command = [sys.executable, "-m", "tests.native.fuzzing", "--work", str(at), str(many)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if done.returncode == 0 and lines and lines[-1].startswith("{"):
            found.add(json.loads(lines[-1]))
            at += many
        else:
            last = int(lines[-1]) if lines and lines[-1].isdigit() else at
            found.wrong.append(f"{last}: the process died ({done.returncode}) {done.stderr[-300:]}")
            if last > at:
                found.add(told_by(at, last - at))
            at = last + 1
        if amount > EACH:
            sys.stderr.write(f"{at - first} {dict(found.counts)} {found.wrong[-3:]}\n")
    return found


def told_by(first: int, amount: int) -> dict[str, Any]:
    part = look_at_many(first, amount)
    return {"counts": part.counts, "refused": part.refused, "wrong": part.wrong}


def main(arguments: list[str]) -> None:
    if arguments[0] == "--work":
        work(int(arguments[1]), int(arguments[2]))
        return
    found = look_at_many(int(arguments[0]), int(arguments[1]))
    tell("\n".join([str(dict(found.counts)), str(dict(found.refused)), *found.wrong]))


if __name__ == "__main__":
    main(sys.argv[1:])
