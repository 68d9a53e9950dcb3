"""Options of the test run: `--long` for the long mode, `--update-golden` to write the golden files anew."""

from __future__ import annotations

import signal

import pytest

collect_ignore_glob = ["*.rules"]  # rules under test, some of them broken on purpose; they are run by tests


def pytest_configure() -> None:
    """A run started in the background ignores Ctrl-C, and so would all that it starts; tests interrupt on purpose."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _no_fault_of_the_compiler_hides() -> None:
    """What goes wrong while rules are compiled would leave them to the reference without a word."""
    from rulesrun.interpreter.native.layout import lowering

    lowering.UNFORESEEN = ()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long mode too: thousands of hostile files and games")
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; read the difference")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="long mode: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
