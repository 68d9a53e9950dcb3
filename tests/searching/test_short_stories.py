"""A story is at most one and a half times as long as the shortest game there is, which exploration gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulesrun.cli import main
from rulesrun.examine.examination import examined
from rulesrun.files.loading import read_rules
from rulesrun.terminal.requests import RunRequest

BROKEN = sorted((Path(__file__).parents[1] / "broken").glob("*.rules"))
WHOLE = ("a08", "a09", "a10", "b08", "b09", "b10")  # those of which the whole table can be explored
PROPERTIES = {
    "both_have_paid": ("classics/kuhn", "", "every p in players has paid of p = 2"),
    "folded_after_a_bet": ("classics/kuhn", "", "(some p in players has folded of p) and paid of 1 = 2"),
    "few_left": ("classics/nim", "", "(sum of left_in[n] over n in 1..6) = 2"),
    "one_heap_left": ("classics/nim", "set heaps = {2, 3, 2}", "left_in[1] = 0 and left_in[2] = 0 and left_in[3] = 1"),
    "three_in_the_corner": ("classics/tic_tac_toe", "",
                            "owner[a1] = 1 and owner[c1] = 2 and owner[a3] = 1 and owner[c3] = 1"),
    "full_without_three": ("classics/tic_tac_toe", "", "full and not three"),
    "raised_twice": ("classics/leduc", "", "raises = 2 and board is not empty"),
    "high_stake": ("classics/leduc", "", "stake = 13"),
    "three_prizes": ("classics/goofspiel", "set cards = 4", "count of won of 2 = 3"),
    "all_alike": ("classics/rock_paper_scissors", "set throws = 3",
                  "every p in players has shown of p is not nothing and shown of 1 = shown of 2 and round = 3"),
}  # fmt: skip


@pytest.fixture
def variant(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A bundled game, unchanged, of which something is said that is not so."""
    base, more, condition = PROPERTIES[request.param]
    file = tmp_path / "said.rules"
    file.write_text(f'rules 1\nvariant "Said" of "{base}"\n{more}\nnever "{request.param}": {condition}\n', "utf-8")
    return str(file)


def story_lengths(name: str, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Of each failure the moves of its story, and those of the shortest game."""
    assert main(["explore", name, "--whole", "--json", "--players", "2"]) == 1
    [table] = json.loads(capsys.readouterr().out)["tables"]
    assert table["complete"]
    shortest = {title_of(story["what"]): len(story["moves"]) for story in table["stories"]}
    report = examined(read_rules(name), RunRequest(files=(name,), players="2"))
    return {title_of(one.what): len(one.story.moves) for one in report.stories}, shortest


def title_of(what: str) -> str:
    """Of a property its title; a fault as it is told."""
    return what.split('"')[1] if '"' in what else what


def assert_short(found: dict[str, int], shortest: dict[str, int]) -> None:
    assert found.keys() == shortest.keys()
    for title, moves in found.items():
        assert moves <= 1.5 * shortest[title], title


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "a08" else [pytest.mark.long]) for name in WHOLE]
)
def test_stories_of_broken_rules(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(one for one in BROKEN if one.stem.startswith(name))
    assert_short(*story_lengths(str(path), capsys))


@pytest.mark.parametrize(
    "variant",
    [pytest.param(name, marks=[] if name in {"both_have_paid"} else [pytest.mark.long]) for name in PROPERTIES],
    indirect=True,
)
def test_stories_of_the_classics(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_short(*story_lengths(variant, capsys))
