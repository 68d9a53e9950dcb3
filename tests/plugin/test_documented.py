"""The examples of docs/testing.md, run by pytest as a reader would run them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "testing.md").read_text("utf-8")


def test_the_tests_in_python_are_collected_and_pass(pytester: pytest.Pytester) -> None:
    strategies, machine = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    pytester.makepyfile(test_strategies=strategies, test_machine=machine)
    pytester.runpytest_subprocess("-W", "error").assert_outcomes(passed=3)


@pytest.mark.parametrize(
    "command", [line for line in re.findall(r"^\$ pytest (.*)$", TEXT, re.MULTILINE) if "-n 2" not in line]
)
def test_the_commands_collect_what_they_say(pytester: pytest.Pytester, command: str) -> None:
    (pytester.path / "games").mkdir()
    for name in ("zero", "hourglass"):
        shutil.copy(ROOT / "games" / f"{name}.rules", pytester.path / "games")
    words = re.findall(r'"[^"]*"|\S+', command)
    result = pytester.runpytest(*(word.strip('"') for word in words), "--collect-only", "-q")
    collected = [line for line in result.outlines if "::" in line]
    if "not rules" in command:
        assert not collected
    else:
        assert collected
        assert all(line.startswith("games/") for line in collected)
        if '"hourglass and example"' in words:
            assert all(line.startswith("games/hourglass.rules::example: ") for line in collected)


def test_the_table_names_every_kind_of_test(pytester: pytest.Pytester) -> None:
    (pytester.path / "zero.rules").write_text((ROOT / "games" / "zero.rules").read_text("utf-8"), "utf-8")
    result = pytester.runpytest("--collect-only", "-q")
    named = re.findall(r"`(check|example|unwritten|always|never|at end of|after|can happen)", TEXT)
    for line in (line for line in result.outlines if "::" in line):
        assert any(line.partition("::")[2].startswith(kind) for kind in named), line
