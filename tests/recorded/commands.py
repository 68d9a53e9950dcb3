"""Digests of what every command says of the bundled rulebooks: text, Russian text and JSON, without the time it took.

`python -m tests.recorded.commands` records them anew. Read the difference before you commit it; the commit says why.
`python -m tests.recorded.commands --show WORD…` prints what one command says, as it is recorded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from rulesrun.dsl.explain import list_codes
from rulesrun.files.sources import bundled_names
from rulesrun.terminal.arguments import COMMANDS
from tests.command_line import run_here

RECORDED = Path(__file__).resolve().with_name("commands.json")
Command = tuple[str, ...]
SOLVABLE = ("classics/kuhn", "classics/rock_paper_scissors", "classics/tic_tac_toe")
COUNTABLE = ("classics/kuhn", "classics/rock_paper_scissors", "classics/nim")
FORMS: tuple[Command, ...] = ((), ("--json",), ("--lang", "ru"))
QUICK = ("classics/kuhn", "classics/pig")
TIMES = (
    (re.compile(r'"(seconds|compiling)": [0-9.e-]+'), r'"\1": 0'),
    (re.compile(r"\b\d[\d.,\u00a0]* (s|с|seconds?|секунд[аы]?)\b"), r"# \1"),
    (re.compile(r"\b\d[\d,]* positions a second|позиций в секунду \d[\d\u00a0]*"), "# a second"),
)


def commands_of(name: str) -> Iterator[Command]:
    """What is asked about one rulebook. Amounts are given, so that no clock decides."""
    played = ("--engine", "reference", "--seed", "3")
    yield ("check", name)
    yield ("check", name, "--json")
    yield ("fmt", "--expanded", name)
    for form in FORMS:
        yield (name, "--games", "6", "--all", *played, *form)
        yield ("test", name, "--games", "2", *played, *form)
        yield ("simulate", name, "--games", "8", *played, *form)
        yield ("explore", name, "--limit", "600", "--jobs", "1", "--engine", "reference", *form)
    yield ("simulate", name, "--games", "8", "--figures", "all", "--json", *played)
    yield ("trace", name, "--seed", "5", "--states")
    yield ("trace", name, "--seed", "5", "--lang", "ru")
    yield ("readings", name, "--games", "1", *played, "--json")
    if name in SOLVABLE:
        yield from (("solve", name, *form) for form in FORMS)
    if name in COUNTABLE:
        yield from (("tree", name, "--players", "2", "--engine", "reference", *form) for form in ((), ("--json",)))
    if name.startswith("variants/"):
        base = base_of(name)
        for form in FORMS:
            yield ("compare", base, name, "--games", "4", *played, *form)


def base_of(name: str) -> str:
    """`variants/the_game_six_rows` → `the_game`, `variants/checkers_…` → `gallery/checkers`."""
    own = name.removeprefix("variants/")
    return next(base for base in bundled_names() if own.startswith(f"{base.rpartition('/')[2]}_"))


def general_commands() -> Iterator[Command]:
    yield ("--help",)
    yield from ((name, "--help") for name in COMMANDS if name != "run")
    yield from (("explain", code) for code in list_codes())
    yield ("explain", "--json", "missing-edition")


def digest_of(command: Command, folder: Path) -> str:
    return hashlib.sha256(answer(command, folder).encode()).hexdigest()[:24]


def answer(command: Command, folder: Path) -> str:
    """Its exit code and what it wrote, without the time it took."""
    done = run_here(*command, folder=folder)
    text = f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    for pattern, put in TIMES:
        text = pattern.sub(put, text)
    return text


def recorded() -> dict[str, dict[str, str]]:
    found: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    return found


def digests(commands: Iterator[Command], folder: Path) -> dict[str, str]:
    return {" ".join(command): digest_of(command, folder) for command in commands}


def digests_of(name: str) -> dict[str, str]:
    """Of all commands about one rulebook; without a name, of those about none."""
    with tempfile.TemporaryDirectory() as folder:
        return digests(commands_of(name) if name else general_commands(), Path(folder))


def main() -> None:
    words = argparse.ArgumentParser(prog="python -m tests.recorded.commands", description=__doc__)
    words.add_argument("--show", nargs=argparse.REMAINDER, metavar="WORD", help="print what one command says")
    asked = words.parse_args()
    if asked.show is not None:
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(answer(tuple(asked.show), Path(folder)))
        return
    names = ["", *bundled_names()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(names, pool.map(digests_of, names), strict=True))
    RECORDED.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
