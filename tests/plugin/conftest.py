"""Runs of pytest inside of tests: with the plugin of the rules alone, whatever else is installed here."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _without_other_plugins(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those for servers take hold of every test, also of those that are no functions. Needs `pytester`, which clears
    the options of the environment."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:asyncio -p no:pytest-lsp")
