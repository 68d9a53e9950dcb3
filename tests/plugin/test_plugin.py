"""`pytest` over a folder with rules files: which tests there are, what they say, how pytest's options work."""

from __future__ import annotations

import tomllib
import xml.etree.ElementTree as Xml
from pathlib import Path

import pytest

from rulesrun.examine.test_items import TestedRules
from rulesrun.services.play import PlayBounds, play_tables
from rulesrun.services.reports import FileReport
from rulesrun.services.tables import Seating
from rulesrun.terminal.requests import RunRequest

pytest_plugins = ["pytester"]

SOUND = """rules 1
game "Sound"
players 2..3

card Card: rank 1..4

zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone table: row of Card, public

setup
  shuffle all Card into deck
  deal 1 from deck to each hand

phase play: one turn each from 1
  choose lay or keep

action lay(give from hand)
  move give to table

action keep

score at end
  points = sum of rank over c in hand

ranking: highest total, ties share

always "four cards at most": count of table <= 4
can happen "all lie there": count of table = players
can happen "nothing like it": count of table = 4

example "laying the four"
  given hand of 1: 4
  when 1: lay(4)
  then count of table = 1

example "later"
  todo
"""
BROKEN = SOUND.replace('always "four cards at most": count of table <= 4', 'always "nobody lays": table is empty')
BROKEN = BROKEN.replace("then count of table = 1", "then count of table = 2")
STUCK = SOUND.replace("  choose lay or keep", "  draw 2 from deck to table\n  choose lay or keep")


def lines_of(result: pytest.RunResult) -> str:
    return "\n".join(result.outlines)


def written(pytester: pytest.Pytester, **files: str) -> pytest.Pytester:
    for name, text in files.items():
        (pytester.path / f"{name}.rules").write_text(text, "utf-8")
    return pytester


def test_the_package_brings_the_plugin(pytestconfig: pytest.Config) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"rulesrun": "rulesrun.pytest_plugin"}
    assert pytestconfig.pluginmanager.has_plugin("rulesrun"), "an old installation: run `pip install -e .` again"


UNWRITTEN = (
    "no Card appears, vanishes or is in two places",
    "whoever must choose has a legal option",
    "the rules always say what happens next",
    "every game ends",
    "every position met can still reach the end",
    "no option gives away what is hidden from the player",
    "scores and final places agree",
)


def test_each_example_and_property_is_a_test_written_or_not(pytester: pytest.Pytester) -> None:
    result = written(pytester, sound=SOUND).runpytest("-v", "--rules-games", "20", "-rs")
    result.assert_outcomes(passed=11, skipped=2)
    for name in ("check", "example: laying the four", *(f"unwritten: {one}" for one in UNWRITTEN),
                 "always: four cards at most", "can happen: all lie there"):  # fmt: skip
        result.stdout.fnmatch_lines([f"sound.rules::{name} PASSED*"])
    result.stdout.fnmatch_lines(["*never in 40 random games; it may be rare, or impossible*"])
    result.stdout.fnmatch_lines(["*to do*"])


def test_failures_print_the_report_and_no_traceback(pytester: pytest.Pytester) -> None:
    result = written(pytester, broken=BROKEN).runpytest("--rules-games", "10")
    result.assert_outcomes(passed=9, skipped=2, failed=2)
    text = lines_of(result)
    assert 'fails      example "laying the four"' in text
    assert "count of table = 1" in text  # the value of a part
    assert 'always "nobody lays": broken in' in text
    assert "again: rulesrun broken.rules --players 2" in text
    assert "lay(" in text  # the story of the smallest game
    for word in ("Traceback", "tested.py", "pytest_plugin.py", "BrokenRules("):
        assert word not in text


COUNTED = SOUND.replace("zone deck", "number clock: 0..2 = 0\nzone deck")
WRONG = {
    "every number stays in its range": COUNTED.replace("  move give to table", "  clock increases by rank of give"),
    "whoever must choose has a legal option": SOUND.replace("  choose lay or keep", "  choose lay\n  choose lay"),
    "the rules always say what happens next": SOUND.replace("  choose", "  draw 2 from deck to table\n  choose"),
    "every game ends": SOUND.replace("one turn each from 1", "turns from 1 until players = 1"),
    "no option gives away what is hidden from the player": SOUND.replace(
        "  move give to table", "  needs some c in hand of left of player has rank of c < rank of give"
    ),
}
FOLLOW = {"every game ends": {"every position met can still reach the end"}}


@pytest.mark.parametrize("title", WRONG)
def test_what_is_not_written_fails_under_its_own_name_with_its_story(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    monkeypatch.setattr("rulesrun.examine.test_items.PATIENCE", 0.2)  # that is enough for games as small as these
    text = WRONG[title]
    if "turns from" in text:
        text = text.replace("  choose lay or keep", "  choose keep")
    text = text.partition("can happen")[0]
    result = written(pytester, wrong=text).runpytest("-v", "--rules-games", "8", "-k", "unwritten")
    failed = {line.partition("unwritten: ")[2] for line in result.outlines if line.startswith("FAILED")}
    assert {one.partition(" - ")[0] for one in failed} == {title, *FOLLOW.get(title, set())}
    said = lines_of(result)
    assert "story 1" in said
    assert "rule line " in said


def test_one_play_of_the_games_serves_all_tests_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sound.rules").write_text(BROKEN, "utf-8")
    plays: list[str] = []

    def play_noting(report: FileReport, seating: Seating, request: RunRequest, bounds: PlayBounds) -> None:
        plays.append(report.reading.name)
        play_tables(report, seating, request, bounds)

    monkeypatch.setattr("rulesrun.examine.test_items.PATIENCE", 0.1)
    monkeypatch.setattr("rulesrun.examine.test_items.play_tables", play_noting)
    for test in TestedRules(str(tmp_path / "sound.rules"), 5).list_tests():
        test.run()
    assert len(plays) == 1


def test_a_file_with_errors_has_one_failing_test(pytester: pytest.Pytester) -> None:
    wrong = written(pytester, wrong=SOUND.replace("from deck to each", "from dekc to each")).runpytest()
    wrong.assert_outcomes(failed=1)
    assert "there is no zone `dekc`" in lines_of(wrong)
    assert "wrong.rules:13:" in lines_of(wrong)


def test_a_file_that_cannot_be_read_fails_with_a_sentence(pytester: pytest.Pytester) -> None:
    (pytester.path / "bytes.rules").write_bytes(b"rules 1\n\xff\xfe")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    assert "this is not UTF-8 text" in lines_of(result)


def test_choosing_by_name_marker_and_node(pytester: pytest.Pytester) -> None:
    written(pytester, sound=SOUND, other=SOUND)
    pytester.makepyfile(test_plain="def test_plain(): pass")
    pytester.runpytest("-k", "laying and other").assert_outcomes(passed=1, deselected=26)
    pytester.runpytest("-m", "not rules", "--strict-markers").assert_outcomes(passed=1, deselected=26)
    pytester.runpytest("sound.rules::example: laying the four").assert_outcomes(passed=1)


def test_several_processes_and_a_report_in_xml(pytester: pytest.Pytester) -> None:
    written(pytester, sound=SOUND, broken=BROKEN)
    result = pytester.runpytest_subprocess("-n", "2", "--junitxml=found.xml", "--rules-games", "5")
    result.assert_outcomes(passed=20, skipped=4, failed=2)
    cases = {(one.get("classname"), one.get("name")): one for one in _cases(pytester.path / "found.xml")}
    assert len(cases) == 26
    (failed,) = (one.find("failure") for (_, name), one in cases.items() if one.find("failure") is not None
                 and name == "always: nobody lays")  # fmt: skip
    assert failed is not None
    assert "broken in" in (failed.text or "")


def _cases(path: Path) -> list[Xml.Element]:
    return list(Xml.parse(path).getroot().iter("testcase"))


LEAKING = SOUND.replace(
    "  move give to table",
    "  needs some p in players has p is not player and some c in hand of p has rank of c < rank of give\n"
    "  move give to table",
)


def test_an_option_that_gives_away_a_hand_is_found(pytester: pytest.Pytester) -> None:
    """One may lay only what beats a card that nobody but its owner can see."""
    result = written(pytester, leaking=LEAKING).runpytest("-k", "gives")
    result.assert_outcomes(failed=1, deselected=12)
    assert "secret-leak" in lines_of(result)


SHARES = SOUND + """
at most 9/10 of games "everybody always lays": count of table = players
at least 9/10 of games "nobody ever lays": table is empty
at most 1/4 of games "two of two lay": count of table = players
"""


def test_shares_of_games_hold_are_broken_or_are_not_known_yet(pytester: pytest.Pytester) -> None:
    """Of two players at random both lay in a quarter of the games, of three in an eighth: 3/16 altogether."""
    result = written(pytester, shares=SHARES).runpytest("-v", "-rs", "-k", "lay and not laying", "--rules-games", "60")
    result.stdout.fnmatch_lines(["*everybody always lays PASSED*", "*nobody ever lays FAILED*"])


def test_the_seed_makes_the_games(tmp_path: Path) -> None:
    """With the same seed the same number of games breaks the property."""
    (tmp_path / "broken.rules").write_text(BROKEN, "utf-8")
    broken = []
    for seed in (1, 1, 2):
        tested = TestedRules(str(tmp_path / "broken.rules"), 40, seed)
        assert "check" in {test.name for test in tested.list_tests()}
        report = tested.watch_games()
        broken.append(next(one.games for one in report.properties if one.title == "nobody lays"))
    assert broken[0] == broken[1] != broken[2]


def test_a_project_without_rules_pays_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_loaded():
            assert "rulesrun.pytest_plugin" in sys.modules
            assert not [name for name in sys.modules if name.startswith("rulesrun.dsl")]
            assert "lark" not in sys.modules
            assert "hypothesis" not in sys.modules
        """
    )
    pytester.runpytest_subprocess("-W", "error", "-p", "no:hypothesispytest").assert_outcomes(passed=1)


FOREIGN = {
    "udev": 'SUBSYSTEM=="usb", MODE="0666"\n',
    "alerts": "groups:\n  - name: example\n",
    "iptables": "*filter\n:INPUT ACCEPT [0:0]\n",
    "empty": "",
}


def test_rules_files_of_other_programs_are_left_alone(pytester: pytest.Pytester) -> None:
    """Unless one is named: then somebody means it."""
    written(pytester, sound=SOUND, forgotten=SOUND.removeprefix("rules 1\n"), **FOREIGN)
    result = pytester.runpytest("--collect-only", "-q")
    files = {line.partition("::")[0] for line in result.outlines if "::" in line}
    assert files == {"sound.rules", "forgotten.rules"}
    pytester.runpytest("udev.rules").assert_outcomes(failed=1)


def test_no_games_at_all_cannot_be_asked_for(pytester: pytest.Pytester) -> None:
    result = written(pytester, sound=SOUND).runpytest("--rules-games", "0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
