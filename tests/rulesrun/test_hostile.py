"""Files from strangers through the command line: an answer within ten seconds and one gigabyte, never a traceback."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rulesrun.files.sources import bundled_names, bundled_path
from tests.rulesrun.conftest import TINY

SECONDS = 10
MEMORY = 1 << 30


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def answer(folder: Path, text: str | bytes, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "strange.rules").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    done = subprocess.run(
        [sys.executable, "-m", "rulesrun", *words, "strange.rules"],
        cwd=folder, capture_output=True, text=True, timeout=SECONDS, preexec_fn=bounded, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
    assert "bug of rulesrun" not in done.stderr, done.stderr
    return done


STRANGE: dict[str, str | bytes] = {
    "nested_brackets": TINY.replace("sum of rank over c in hand", "(" * 10_000 + "1" + ")" * 10_000),
    "nested_words": TINY.replace("sum of rank over c in hand", "not " * 10_000 + "yes"),
    "nested_blocks": TINY.replace(
        "action keep", "action keep\n" + "".join("  " * n + "if yes\n" for n in range(1, 5_000))
    ),
    "five_megabytes": TINY + "# a comment that goes on and on\n" * 160_000,
    "one_long_line": TINY.replace("sum of rank over c in hand", "1 + " * 400_000 + "1"),
    "a_billion_cards": TINY.replace("rank 1..4", "rank 1..1000, other 1..1000, third 1..1000"),
    "a_billion_copies": TINY.replace("rank 1..4", "rank 1..4, 1000000000 of each"),
    "division_by_zero": TINY.replace("sum of rank over c in hand", "1 div count of hand"),
    "never_ends": TINY.replace("action keep\n", "action keep\n  repeat until no\n    show hand\n"),
    "never_ends_with_choices": TINY.replace("one turn each from 1", "turns from 1 until no").replace(
        "choose lay or keep", "choose keep"
    ),
    "large_numbers": TINY.replace("sum of rank over c in hand", " * ".join(["9999999999"] * 200)),
    "many_players": TINY.replace("2..3", "2..1000000000"),
    "many_zones": TINY.replace("zone table:", "zone table[1..100000, 1..100000]:"),
    "long_repeat": TINY.replace("action keep\n", "action keep\n  repeat 1000000000 times\n    show hand\n"),
    "calls_itself": TINY.replace("sum of rank over c in hand", "f(1)") + "\ndefine f(n 1..9) = f(n)\n",
    "nothing": "",
    "zeros": "\0" * 1000,
    "surrogate_like": TINY.encode() + b"\xed\xa0\x80",
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_file_gets_an_answer(tmp_path: Path, name: str) -> None:
    done = answer(tmp_path, STRANGE[name], "--games", "20")
    assert done.returncode in (1, 2), done.stdout[-2000:]


def mutated(text: str, chance: Random) -> str:
    """Some pieces cut out, doubled, swapped or spoilt."""
    for _ in range(chance.randint(1, 4)):
        at, length = chance.randrange(len(text)), chance.randint(1, 30)
        piece = text[at : at + length]
        text = (
            text[:at]
            + chance.choice(["", piece * 2, piece[::-1], chance.choice('()[]{}:=,."#\t é')])
            + text[at + length :]
        )
    return text


def strange_text(seed: int) -> str | bytes:
    chance = Random(seed)
    path = bundled_path(chance.choice(bundled_names()))
    assert path is not None
    text = Path(path).read_text("utf-8")
    match seed % 4:
        case 0:
            return chance.randbytes(chance.randint(0, 400))
        case 1:
            words = text.split()
            return "rules 1\n" + "".join(chance.choice(words) + chance.choice(" \n") for _ in range(120))
        case 2:
            return text[: chance.randrange(len(text))]
        case _:
            return mutated(text, chance)


def test_spoilt_files_get_an_answer_in_this_process(request: pytest.FixtureRequest) -> None:
    """Read and checked as the command line does it; some of them played, too."""
    from rulesrun.files.loading import read_text
    from rulesrun.files.sources import decode_text
    from rulesrun.terminal.trouble import Trouble

    for seed in range(20_000 if request.config.getoption("--long") else 200):
        text = strange_text(seed)
        try:
            reading = read_text(text if isinstance(text, str) else decode_text("strange", text))
        except Trouble:
            continue
        assert reading.program is not None or reading.diagnostics, f"seed {seed}"
