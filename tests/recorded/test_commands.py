"""What every command says of the bundled rulebooks is what it was, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.files.sources import bundled_names
from tests.recorded.commands import QUICK, commands_of, digests, general_commands, recorded


def test_help_and_pages_are_what_they_were(tmp_path: Path) -> None:
    assert digests(general_commands(), tmp_path) == recorded()[""]


@pytest.mark.parametrize("name", QUICK)
def test_commands_say_what_they_said(name: str, tmp_path: Path) -> None:
    assert digests(commands_of(name), tmp_path) == recorded()[name]


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in bundled_names() if name not in QUICK])
def test_commands_say_what_they_said_of_every_rulebook(name: str, tmp_path: Path) -> None:
    assert digests(commands_of(name), tmp_path) == recorded()[name]
