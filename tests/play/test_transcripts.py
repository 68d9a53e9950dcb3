"""What the documents show of a table is what comes out: every `text` block that begins with `$ … | rulesrun play …`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import run_here

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```text\n\$ printf '([^']*)' \| (rulesrun play [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def transcripts() -> list[tuple[str, str, str, str]]:
    found = []
    for document in (ROOT / "README.md", ROOT / "docs" / "table.md"):
        text = document.read_text("utf-8")
        for match in BLOCK.finditer(text):
            found.append((f"{document.name}:{text.count(chr(10), 0, match.start()) + 1}", match[1], match[2], match[3]))
    return found


@pytest.mark.parametrize(("typed", "command", "shown"), [one[1:] for one in transcripts()],
                         ids=[one[0] for one in transcripts()])  # fmt: skip
def test_a_game_that_is_shown_goes_so(typed: str, command: str, shown: str, tmp_path: Path) -> None:
    done = run_here(*shlex.split(command)[1:], folder=tmp_path, stdin=typed.replace("\\n", "\n"))
    lines = done.stdout.splitlines()
    expected = shown.splitlines()
    if expected[-1] == "…":
        assert lines[: len(expected) - 1] == expected[:-1]
    else:
        assert lines == expected
        assert (done.returncode, done.stderr) == (0, "")


def test_both_documents_show_a_game() -> None:
    assert {where.partition(":")[0] for where, *_ in transcripts()} == {"README.md", "table.md"}
