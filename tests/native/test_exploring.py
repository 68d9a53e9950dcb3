"""Every position in machine code: the numbers that are known from elsewhere, and whatever the reference says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")

from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import rulesrun.interpreter.native
from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.native.explore.endings import analyze_endings_natively
from rulesrun.interpreter.native.explore.exploration import compile_exploration
from rulesrun.interpreter.native.explore.results import EnginesDisagree
from rulesrun.interpreter.native.layout.stores import INNER
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.symmetry.renaming import find_word_group
from rulesrun.run.explore_engines import Explorer, is_prefix_of
from rulesrun.terminal.trouble import Trouble
from tests.exploring import counted
from tests.exploring.made import EXCHANGES, bundled, table_of
from tests.exploring.test_alike import ALIKE, NOT_ALIKE
from tests.exploring.test_counts import GAMES
from tests.exploring.test_findings import COUNTING, TRAPPING
from tests.interpreter.made import program
from tests.native import both
from tests.native.explored import by_machine, differences
from tests.native.made_up import made_up


@pytest.mark.parametrize(("name", "options", "expected"), GAMES)
def test_positions_that_were_counted_apart(name: str, options: dict[str, Any], expected: dict[Any, list[Any]]) -> None:
    found = by_machine(bundled(name, **options))
    assert found.is_complete
    assert found.engine == "native"
    assert found.size == found.whole == len(expected)
    assert found.transitions == sum(len(following) for following in expected.values())
    assert found.overs == sum(not following for following in expected.values())


def test_colours_that_are_alike_add_up() -> None:
    expected, table = counted.exchanges(3, 2, 1, 2), table_of(EXCHANGES)
    code = compile_exploration(table)
    for jobs in (1, 2, 3):
        together = by_machine(table, merges=True, jobs=jobs, code=code)
        assert together.size == counted.up_to_colours(expected, 3)
        assert sum(together.sizes) == together.whole == len(expected)


# ---- as the reference

BUNDLED: list[tuple[str, dict[str, Any]]] = [
    ("zero", {}), ("the_game", {}), ("hourglass", {}), ("tokens", {"endless": "plays_on"}),
]


@pytest.mark.parametrize(("name", "options"), BUNDLED)
def test_the_same_positions_of_bundled_games(name: str, options: dict[str, Any]) -> None:
    table = bundled(name, **options)
    code = compile_exploration(table)
    assert differences(table, 1_500, code=code) == []
    assert differences(table, 300, merges=True, jobs=2, code=code) == []


LONGER: list[tuple[str, dict[str, Any]]] = [
    *BUNDLED, ("collection", {}), ("collection", {"goals": "round"}), ("classics/rock_paper_scissors", {}),
    ("classics/tic_tac_toe", {}), ("classics/leduc", {}), ("classics/goofspiel", {"cards": 4}), ("classics/pig", {}),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), LONGER)
def test_the_same_positions_of_bundled_games_further_on(name: str, options: dict[str, Any]) -> None:
    table = bundled(name, **options)
    code = compile_exploration(table)
    assert differences(table, 60_000, code=code) == []
    assert differences(table, 4_000, merges=True, jobs=2, code=code) == []


SOME = ("a marker for a colour", "one after the other, in any order", "all into a pile that is shuffled")


@pytest.mark.parametrize("name", [
    one if one in SOME else pytest.param(one, marks=pytest.mark.long) for one in (*ALIKE, *NOT_ALIKE)
])
def test_the_same_of_words_that_are_alike_or_not(name: str) -> None:
    table = table_of({**ALIKE, **NOT_ALIKE}[name])
    assert differences(table, 5_000, merges=True) == []


FAULTY = {
    "always": COUNTING + 'always "few": steps < 7\nnever "eight": steps = 8\n',
    "a moment": COUNTING + 'at end of turn "not five": steps is not 5\nafter two "small": before (steps) < 5\n',
    "a part of all games": COUNTING + 'at most 1/2 of games "often": steps = 8\n',
    "a range that is left": COUNTING.replace("0..9", "0..6"),
    "nothing to choose": COUNTING.replace("action one\n", "action one\n  needs steps < 3\n").replace(
        "action two\n", "action two\n  needs steps < 3\n"),
    "a tie": COUNTING.replace(", ties share", ""),
    "an empty pile": EXCHANGES.replace(
        "  passes increases by 1\n", "  passes increases by 1\n  draw 2 from stock to supply\n"),
    "a fault in a property": COUNTING + 'always "divided": 8 div (steps - 4) < 9\ncan happen "seven": steps = 7\n',
    "a trap": TRAPPING.replace("choose step_on or slip", "choose step_on, slip or turn").replace(
        "action turn\n", "action turn\n  needs place = 5\n"),
    "a circle": COUNTING.replace("choose one or two", "choose one, two or back").replace(
        "score at end", "action back\n  needs steps > 1\n  steps decreases by 2\nscore at end"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_the_same_findings(name: str) -> None:
    assert differences(table_of(FAULTY[name], 1 if name == "a trap" else 2), 5_000, jobs=2) == []


LAYING = """rules 1
game "Made"
players 2
values Suit: clubs, hearts, spades
card Card: suit Suit, rank 1..2
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone laid: set of Card, public
number points_laid: 0..20 = 0
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: one turn each from 1
  choose lay or keep
  draw up to 1 from stock to hand
action lay(1..2 cards from hand)
  do put_down(cards)
action keep
step put_down(things set of Card)
  points_laid increases by sum of rank over things
  move all things to laid
score at end
  points = count of hand
ranking: highest total, ties share
"""


def test_a_step_that_is_told_a_set_is_compiled_where_words_are_alike() -> None:
    table = table_of(LAYING)
    group = find_word_group(table)
    assert group is not None
    assert len(group.members) == 3 * 2 * 1 - 1
    assert differences(table, 5_000, merges=True) == []


@settings(
    max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
)
@given(number=st.integers(0, 10_000), limit=st.integers(1, 3_000), jobs=st.integers(1, 3))
def test_the_same_of_a_rulebook_made_up(number: int, limit: int, jobs: int) -> None:
    assert of_made(number, limit, jobs) == []


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(4))
def test_the_same_of_many(hundred: int) -> None:
    for number in range(100 * hundred, 100 * hundred + 100):
        assert of_made(number, 12_000, 1 + number % 3) == [], f"rulebook {number}"


def of_made(number: int, limit: int, jobs: int) -> list[str]:
    """Nothing, too, where only the reference can go through the positions."""
    table = set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {})
    try:
        code = compile_exploration(table)
    except CannotCompile as reason:
        return [] if str(reason).startswith(("the rules ask", "a memory keeps")) else [str(reason)]
    return differences(table, limit, merges=True, jobs=jobs, code=code)


NEVER_ASKED = EXCHANGES.replace("setup\n", """setup
  if 3 in 0..3
    passes becomes 0
  otherwise
    draw up to 2 from supply to stock
    each c in Colour
      draw 1 from supply to stock
""")


def test_questions_behind_a_condition_that_never_holds_are_no_hindrance() -> None:
    assert "draw up to 2" in NEVER_ASKED
    assert differences(table_of(NEVER_ASKED), 3_000, jobs=2) == []


# ---- any number of threads, any limit


def test_a_limit_stops_where_the_reference_stops() -> None:
    table = bundled("classics/tic_tac_toe")
    code = compile_exploration(table)
    for limit, jobs in ((1, 1), (50, 2), (777, 3), (777, 1), (2_000, 4)):
        assert differences(table, limit, jobs=jobs, code=code) == []


# ---- which engine


def auto(table: Table, limit: int, engine: str = "auto") -> Explored:
    return Explorer(engine, 1).explore(table, limit, None)[0]


def test_machine_code_is_taken_when_it_pays() -> None:
    table = bundled("classics/tic_tac_toe")
    assert auto(bundled("classics/kuhn"), 200_000).engine == "reference"
    assert auto(table, 1_000).engine == "reference"
    assert auto(table, 200_000).engine == "native"


def test_machine_code_that_says_something_else_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = bundled("classics/tic_tac_toe")
    known, found = explore_table(table, 3_000), by_machine(table)
    assert is_prefix_of(known, found)
    for name in ("parents", "sizes", "edges"):
        changed = getattr(found, name)[:]
        changed[10] += 1
        assert not is_prefix_of(known, evolve(found, **{name: changed}))
    monkeypatch.setattr("rulesrun.run.explore_engines.is_prefix_of", lambda known, found: False)
    assert auto(table, 200_000).engine == "reference"


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_are_compared_when_their_hashes_are_the_same(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.interpreter.native.explore.rows.mix_into_hash", lambda lines, mixed, value: None)
    with pytest.raises(EnginesDisagree, match="the same hash"):
        by_machine(bundled("classics/tic_tac_toe"), jobs=jobs)


def test_what_only_the_reference_goes_through_is_said() -> None:
    table = table_of(COUNTING.replace("score at end", "score each round\n  so_far = steps\nscore at end").replace(
        "highest total", "highest total, highest latest(total)"))
    assert auto(table, 4_000).engine == "reference"
    with pytest.raises(Trouble, match="the latest points of several sheets"):
        auto(table, 4_000, "native")


# ---- names


def test_fields_that_are_found_by_name_are_never_called_as_the_rules_call_theirs() -> None:
    folder = Path(rulesrun.interpreter.native.__file__).parent
    text = "\n".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    named = set(re.findall(r'(?:fields\[|machine\.load\(|machine\.store\(|block\.numbers\()"([a-z]+)"', text))
    assert named <= INNER


def test_rules_may_use_the_names_of_the_machine() -> None:
    rules = COUNTING.replace("steps", "total") + "number counted of player: 0..1 = 1\nnumber told: 0..1 = 0\n"
    assert differences(table_of(rules), 5_000) == []
    assert both.differences(table_of(rules), 100) == []


def test_ends_of_a_game_that_is_not_followed_to_its_end() -> None:
    found = by_machine(bundled("classics/tic_tac_toe"), 500)
    assert not found.is_complete
    assert analyze_endings_natively(found).trapped == []
