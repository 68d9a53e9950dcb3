"""The services of the Python API say what the command line says, and print nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import rulesrun
from rulesrun.terminal.arguments import COMMANDS, OPTIONS
from rulesrun.terminal.requests import REQUESTS
from tests.rulesrun.conftest import Run

KUHN = "classics/kuhn"
Asked = Callable[[rulesrun.Rulebook], "rulesrun.Report[Any]"]
SERVICES: list[tuple[tuple[str, ...], Asked]] = [
    (("simulate", KUHN, "--players", "2", "--games", "40"), lambda rules: rules.simulate(players=2, games=40)),
    (("explore", KUHN, "--players", "2"), lambda rules: rules.explore(players=2)),
    (("tree", KUHN, "--players", "2"), lambda rules: rules.tree(players=2)),
    (("solve", KUHN, "--within", "0.01"), lambda rules: rules.solve(within=0.01)),
    (("compare", KUHN, KUHN, "--players", "2", "--games", "5"), lambda rules: rules.compare(KUHN, players=2, games=5)),
]


def without_time(text: str) -> str:
    """Also without how quickly it went."""
    text = re.sub(r'"(seconds|compiling)": [0-9.e-]+', r'"\1": 0', text)
    return re.sub(r"[\d.,]+ (s|positions a second)\b", r"# \1", text)


@pytest.mark.parametrize(("words", "ask"), SERVICES, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_service_says_what_the_command_says(
    words: tuple[str, ...], ask: Asked, run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    said, document = run(*words), run(*words, "--json")
    report = ask(rulesrun.load(KUHN))
    assert capfd.readouterr() == ("", "")
    assert without_time(str(report)) == without_time(said.stdout.rstrip("\n"))
    made = json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n"
    assert without_time(made) == without_time(document.stdout)
    assert report.holds
    assert report._repr_html_().startswith("<pre")


def test_examples_and_properties_are_tested() -> None:
    report = rulesrun.load("zero").test(players=2, games=1)
    assert report.holds
    assert {example.verdict for example in report.findings.examples} == {"passed"}


def test_options_are_written_as_rules_write_them() -> None:
    zero = rulesrun.load("zero")
    tables = zero.simulate(players=range(2, 4), options={"first": "seat", "first_game": True}, games=1).findings.tables
    assert [(one.table.players, one.table.options["first_game"]) for one in tables] == [(2, "yes"), (3, "yes")]


@pytest.mark.parametrize("ask", [
    lambda rules: rules.simulate(players=99), lambda rules: rules.simulate(options={"nothing": 1}),
    lambda rules: rules.compare(), lambda rules: rules.ladder(budget="much"),
])
def test_what_cannot_be_asked_is_a_value_error(ask: Asked) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        ask(rulesrun.load(KUHN))


def test_what_a_command_says_beside_its_result_is_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(UserWarning, match="others are left out") as warned:
        rulesrun.load(KUHN).simulate(players="2-9", games=1)
    assert [one.filename for one in warned] == [__file__]
    assert capfd.readouterr() == ("", "")


def test_every_option_of_a_command_is_a_field_of_its_request() -> None:
    """And the other way round: a field that no option fills would never be anything but its default."""
    elsewhere = {"with": "variants", "set": "settings", "from": "origin"}
    for name, command in COMMANDS.items():
        fields = REQUESTS[name].field_names()
        assert {elsewhere.get(option, option.replace("-", "_")) for option in command.options} <= fields
    offered = {elsewhere.get(option, option.replace("-", "_")) for option in OPTIONS} - {"help"}
    assert offered == {one for kind in REQUESTS.values() for one in kind.field_names()} - {"files"}
