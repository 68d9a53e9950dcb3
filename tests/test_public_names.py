"""Everything that is public is said in `docs/api.md` as it says itself, and what may change is said too."""

from __future__ import annotations

import pytest

import rulesrun
from tests.api_page import PAGE, public_members, write_page


@pytest.mark.long
def test_the_list_of_public_names_is_that_of_the_code() -> None:
    for tool in ("pettingzoo", "pyspiel"):
        pytest.importorskip(tool)
    text = PAGE.read_text("utf-8")
    assert text == write_page(text), "python -m tests.api_page writes it anew"


def test_every_public_name_is_said() -> None:
    text = PAGE.read_text("utf-8")
    assert not [name for name, _ in public_members() if name.rpartition(".")[2] not in text]
    assert set(rulesrun.__all__) == set(rulesrun.api.__all__)


def test_the_page_says_what_may_change() -> None:
    assert "## Stability" in PAGE.read_text("utf-8")
