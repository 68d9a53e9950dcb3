"""Findings for other tools: SARIF by its schema, JUnit by its counts, GitHub's annotations read back."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.command_line import run_here
from tests.highlighting.node import EDITORS

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = EDITORS / "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
MULTITOOL = EDITORS / "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"

BROKEN = """rules 1
game "Раздача"
players 2
values Colour: red, blue
card Card: colour Colour, rank 1..3
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
number laid: 0..9 = 0

setup
  shuffle all Card into deck
  deal 3 from deck to each hand

phase play: turns from 1 until laid = 6
  choose lay

action lay(card from hand)
  move card to deck
  laid increases by 1

score
  points = laid

ranking: highest points, ties share

always "no more than three": laid <= 3
can happen "two: a, 100 %": laid = 2
can happen "a hundred": laid = 9

example "one is three"
  when 1: lay(red 1)
  then laid = 3

example "later"
  todo
"""
UNREADABLE = "rules 1\ngame \"Two on a line\"\nplayers 2\nnumber a: 0..nowhere = elsewhere\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules here").mkdir()
    (tmp_path / "rules here/broken.rules").write_text(BROKEN, "utf-8")
    (tmp_path / "two.rules").write_text(UNREADABLE, "utf-8")
    return tmp_path


def sarif_of(folder: Path, *words: str) -> dict[str, Any]:
    done = run_here(*words, "--format", "sarif", folder=folder)
    document = json.loads(done.stdout)
    if SCHEMA.is_file():
        validate = pytest.importorskip("jsonschema").Draft7Validator(json.loads(SCHEMA.read_text("utf-8")))
        assert [error.message for error in validate.iter_errors(document)] == []
    run: dict[str, Any] = document["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    return run


def lines_of(locations: list[dict[str, Any]]) -> list[str]:
    """What the file says at each place, by its region alone."""
    lines = BROKEN.splitlines()
    regions = [one.get("location", one)["physicalLocation"]["region"] for one in locations]
    return [lines[at["startLine"] - 1][at["startColumn"] - 1 :] for at in regions]


def test_sarif_tells_a_broken_property_with_the_game_that_broke_it(folder: Path) -> None:
    run = sarif_of(folder, "test", "rules here/broken.rules", "--games", "20")
    found = next(one for one in run["results"] if one["ruleId"] == "broken-property")
    assert found["level"] == "error"
    assert lines_of(found["locations"]) == ['always "no more than three": laid <= 3']
    uri = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert uri == {"uri": "rules%20here/broken.rules", "uriBaseId": "%SRCROOT%"}
    (steps,) = (flow["locations"] for flow in found["codeFlows"][0]["threadFlows"])
    told = lines_of(steps)
    assert told[0] == "setup"
    assert told[1:5] == ["lay(card from hand)"] * 4  # the fourth is one too many
    assert told[-1].startswith('always "no more than three"')
    assert [step["executionOrder"] for step in steps] == list(range(1, len(steps) + 1))
    assert "4. player 2: lay(" in steps[4]["location"]["message"]["text"]


def test_sarif_explains_every_code_it_uses(folder: Path) -> None:
    run = sarif_of(folder, "check", "two.rules")
    for rule in run["tool"]["driver"]["rules"]:
        explained = run_here("explain", rule["id"], folder=folder).stdout
        assert rule["help"]["text"].rstrip() == explained.rstrip()


def test_two_findings_on_a_line_stay_two_and_keep_their_fingerprints_when_lines_are_added(folder: Path) -> None:
    def fingerprints() -> list[str]:
        results = sarif_of(folder, "check", "two.rules", "rules here/broken.rules")["results"]
        return [one["partialFingerprints"]["rulesrunFinding/v1"] for one in results]

    on_line_4 = [
        one for one in sarif_of(folder, "check", "two.rules")["results"]
        if one["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    ]  # fmt: skip
    assert len(on_line_4) == 2
    before = fingerprints()
    assert len(set(before)) == len(before)
    (folder / "two.rules").write_text(UNREADABLE.replace("players", "# more\n\n# lines\nplayers"), "utf-8")
    assert fingerprints() == before


def test_the_same_finding_twice_stays_two(folder: Path) -> None:
    (folder / "two.rules").write_text(UNREADABLE + "frobnicate\nfrobnicate\n", "utf-8")
    run = sarif_of(folder, "check", "two.rules")
    marks = [one["partialFingerprints"]["rulesrunFinding/v1"] for one in run["results"]]
    assert len({one["ruleId"] for one in run["results"]}) == 1
    assert len(set(marks)) == len(marks) == 2


def test_sarif_of_broken_rulebooks_is_valid(tmp_path: Path) -> None:
    names = sorted(str(path) for path in (ROOT / "tests/broken").glob("*.rules"))[::4]
    assert len(names) >= 7
    assert sarif_of(tmp_path, "check", *names)["results"] is not None


def complaints_of_multitool(folder: Path, document: dict[str, Any]) -> set[str]:
    """The rules that SARIF's own tool finds broken: its own and those of GitHub's code scanning; notes are wishes."""
    (folder / "asked.sarif").write_text(json.dumps(document), "utf-8")
    MULTITOOL.chmod(0o755)
    done = subprocess.run(
        [MULTITOOL, "validate", "asked.sarif", "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning",
         "--output", "told.sarif", "--log", "ForceOverwrite"],
        cwd=folder, env={"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (run,) = json.loads((folder / "told.sarif").read_text("utf-8-sig"))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is True
    return {one["ruleId"] for one in run["results"]}


def test_the_multitool_finds_nothing_wrong(folder: Path) -> None:
    """With a story, two findings on a line, and every broken rulebook; what is spoilt is found."""
    if not MULTITOOL.is_file():
        pytest.skip("needs @microsoft/sarif-multitool on Linux: .ci/tools")
    names = sorted(str(path) for path in (ROOT / "tests/broken").glob("*.rules"))
    told = [
        run_here(*words, "--format", "sarif", folder=folder).stdout
        for words in (("test", "rules here/broken.rules", "--games", "20"), ("check", "two.rules", *names))
    ]
    for text in told:
        assert complaints_of_multitool(folder, json.loads(text)) == set()
    spoilt = json.loads(told[0])
    spoilt["runs"][0]["results"][0]["ruleIndex"] = 99
    assert "SARIF1009" in complaints_of_multitool(folder, spoilt)


def test_a_file_elsewhere_is_named_by_its_whole_path(folder: Path) -> None:
    run = sarif_of(folder / "rules here", "check", "../two.rules")
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert uri == {"uri": (folder / "two.rules").as_uri()}


def test_junit_counts_what_it_lists(folder: Path) -> None:
    done = run_here("test", "rules here/broken.rules", "two.rules", "--games", "20", "--format", "junit", folder=folder)
    assert done.returncode == 1
    root = ElementTree.fromstring(done.stdout)
    assert [suite.get("name") for suite in root] == ["rules here/broken.rules", "two.rules"]
    for element in (root, *root):
        cases = list(element.iter("testcase"))
        assert element.get("tests") == str(len(cases))
        assert element.get("failures") == str(sum(case.find("failure") is not None for case in cases))
        assert element.get("skipped") == str(sum(case.find("skipped") is not None for case in cases))
    verdicts = {case.get("name"): [child.tag for child in case] for case in root[0]}
    assert verdicts['always "no more than three"'] == ["failure"]
    assert verdicts['example "one is three"'] == ["failure"]
    assert verdicts['example "later"'] == ["skipped"]
    assert verdicts['can happen "a hundred"'] == ["skipped"]
    assert verdicts['can happen "two: a, 100 %"'] == []
    assert [child.tag for child in root[1][0]] == ["failure"]


def test_junit_survives_signs_that_xml_has_not(folder: Path) -> None:
    (folder / "odd.rules").write_text('rules 1\ngame "\x01 <&> 🂡"\nplayers 2\n\x02\n', "utf-8")
    root = ElementTree.fromstring(run_here("check", "odd.rules", "--format", "junit", folder=folder).stdout)
    assert root.get("failures") == "1"


def test_annotations_can_be_read_back(folder: Path) -> None:
    done = run_here("test", "rules here/broken.rules", "--games", "20", "--format", "github", folder=folder)
    read = [re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line) for line in done.stdout.splitlines()]
    assert all(read)
    found = []
    for line in read:
        assert line is not None
        properties = dict(pair.split("=", 1) for pair in line[2].split(","))
        found.append((line[1], int(properties["line"]), line[3].split("%0A")[0]))
        assert properties["file"] == "rules here/broken.rules"
    lines = BROKEN.splitlines()
    broken = next(one for one in found if "no more than three" in one[2])
    assert broken[0] == "error"
    assert lines[broken[1] - 1].startswith("always")
    failed = next(one for one in found if "one is three" in one[2])
    assert lines[failed[1] - 1].strip() == "then laid = 3"


def test_a_format_with_a_file_leaves_the_report_where_it_is(folder: Path) -> None:
    words = ("check", "two.rules", "--format", "sarif=found.sarif", "--format", "junit=found.xml")
    done = run_here(*words, folder=folder)
    assert done.stdout == run_here("check", "two.rules", folder=folder).stdout
    printed = run_here("check", "two.rules", "--format", "sarif", folder=folder).stdout
    assert (folder / "found.sarif").read_text("utf-8") == printed
    assert ElementTree.parse(folder / "found.xml").getroot().get("failures") == "1"


@pytest.mark.parametrize("words", [
    ("--format", "xml"), ("--format", "sarif="), ("--format", "sarif", "--json"),
    ("--format", "sarif", "--format", "junit"), ("--format", "sarif=two.rules"), ("--watch", "--json"),
    ("--watch", "-"),
])  # fmt: skip
def test_what_cannot_be_asked_for(folder: Path, words: tuple[str, ...]) -> None:
    done = run_here("check", "two.rules", *words, folder=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("rulesrun: ")
    assert (folder / "two.rules").read_text("utf-8") == UNREADABLE


@pytest.mark.parametrize(("command", "code"), [
    (("check",), 0), (("--games", "2", "--quiet"), 1), (("assess", "--seconds", "1"), 0),
])  # fmt: skip
def test_watching_runs_again_when_the_base_changes(command: tuple[str, ...], code: int, folder: Path) -> None:
    base, variant = folder / "rules here/broken.rules", folder / "rules here/house.rules"
    variant.write_text('rules 1\nvariant "House" of "broken.rules"\nset nothing_such = 1\n', "utf-8")
    words = [sys.executable, "-m", "rulesrun", *command, "--watch", str(variant)]
    pipe, together = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(words, stdout=pipe, stderr=together, text=True, encoding="utf-8") as run:
        assert run.stdout is not None
        output = run.stdout

        def read_until_waiting() -> str:
            lines = []
            for line in output:
                lines.append(line)
                if "waiting for changes" in line:
                    break
            return "".join(lines)

        try:
            assert "error[" in read_until_waiting()
            base.write_text(BROKEN.replace("number laid", "option nothing_such: 1..2 = 2\nnumber laid"), "utf-8")
            assert "error[" not in read_until_waiting()
            run.send_signal(signal.SIGINT)
            assert run.wait(timeout=20) == code
            assert "Traceback" not in output.read()
        finally:
            run.kill()
