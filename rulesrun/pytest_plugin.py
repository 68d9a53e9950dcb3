"""The pytest plugin: every `.rules` file that is collected gives a test for its check, each example, each property.

Active as soon as the package is installed. Costs nothing where there is no `.rules` file: the rest of
rulesrun is imported when the first one is collected.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rulesrun.examine.test_items import TestedRules

SUFFIX = ".rules"
LONGEST_HEAD = 10_000


class BrokenRules(Exception):
    """Something in the rules does not hold. The text is the whole report."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rulesrun", "tests of .rules files")
    group.addoption(
        "--rules-games", type=_positive_number, default=None, metavar="N",
        help="random games for each number of players (else 30, stopped after a second)",
    )  # fmt: skip
    group.addoption("--rules-seed", type=int, default=0, metavar="N", help="where chance begins (0)")


def _positive_number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("a number from 1")
    return number


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rules: a test of a .rules file, made by rulesrun")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix != SUFFIX or not (parent.session.isinitpath(file_path) or is_rulebook_file(file_path)):
        return None
    found: RulesFile = RulesFile.from_parent(parent, path=file_path)
    return found


def is_rulebook_file(path: Path) -> bool:
    """Other programs have `.rules` files too: ours say `rules 1` before anything but notes."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = file.read(LONGEST_HEAD).removeprefix("\ufeff").split("\n")
    except OSError:
        return True
    said = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return said.split()[:1] in (["rules"], ["game"], ["variant"])


class RulesFile(pytest.File):
    """One rules file. What its tests need is worked out once and kept."""

    def collect(self) -> Iterator[pytest.Item]:
        from rulesrun.examine.test_items import TestedRules

        config = self.config
        name = os.path.relpath(self.path, config.invocation_params.dir)
        tested = TestedRules(name, config.getoption("--rules-games"), config.getoption("--rules-seed"))
        for test in tested.list_tests():
            yield RulesItem.from_parent(self, name=test.name, tested=tested, run=test.run, line=test.line)


class RulesItem(pytest.Item):
    def __init__(
        self, *, tested: TestedRules, run: Callable[[], tuple[str, str]], line: int, **others: Any
    ) -> None:
        super().__init__(**others)
        self.tested = tested
        self.run = run
        self.line = line
        self.add_marker("rules")

    def runtest(self) -> None:
        """The verdict of a test: it passes, there is nothing to say yet, or it fails with the report."""
        verdict, text = self.run()
        if verdict == "open":
            pytest.skip(text)
        if verdict == "fails":
            raise BrokenRules(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, BrokenRules):
            return str(excinfo.value).rstrip("\n")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, max(self.line - 1, 0), f"{self.tested.name}: {self.name}"
