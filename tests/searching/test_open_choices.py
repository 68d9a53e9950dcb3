"""What is proved of options from the rules alone: only where nothing hidden is read, by any way."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.interpreter.searching.open_choices import open_choices
from rulesrun.interpreter.table import set_up
from rulesrun.loading import read_rules
from tests.interpreter.made import table
from tests.searching.made import HANDS

BROKEN = Path(__file__).parents[1] / "broken"
MORE = """
number pledge of player: 0..3 = 0, private
number clock: 0..5 = 0, hidden
memory moments
define high(n 1..6) = some c in hand has rank of c >= n
define bold = pledge > 1
table late(n 0..5): 0: clock, otherwise: n
"""


@pytest.mark.parametrize(
    ("needs", "proved"),
    [
        ("rank of card > 3", True),
        ("high(3)", True),
        ("bold and count of deck = 2", True),
        ("deck is empty or table is empty", True),
        ("count of hand of left of player = 2", True),
        ("not bold of left of player", False),
        ("no p in opponents has high(5) of p", False),
        ("late(0) = 3", False),
        ("can keep", False),
        ("points of player > points of left of player", False),
        ("times(moments) = 0", False),
        ("rank of card < highest of rank over deck", False),
    ],
)
def test_what_is_read_decides(needs: str, proved: bool) -> None:
    text = HANDS.format(needs=f"\n  needs {needs}", keep="\n  needs clock < 6" if needs == "can keep" else "")
    header = "phase play: one turn each from 1\n"
    found = open_choices(table(text.replace(header, MORE + header + "  record clock in moments\n")))
    assert (len(found.proved) == found.choices) is proved
    assert found.flow


@pytest.mark.parametrize(
    ("condition", "proved"),
    [("count of hand = 2", True), ("some c in hand has rank of c = 6", True),
     ("some c in hand of left of player has rank of c = 6", False)],
)
def test_who_is_asked(condition: str, proved: bool) -> None:
    text = HANDS.format(needs="", keep="").replace(
        "  choose lay or keep\n", f"  if {condition}\n    choose lay\n  otherwise\n    choose lay or keep\n"
    )
    assert open_choices(table(text)).flow is proved


def test_a_rule_below_that_hangs_on_a_hidden_hand_is_not_proved_for_the_others() -> None:
    text = HANDS.format(needs="", keep="").replace(
        "  choose lay or keep\n", "  if some c in hand has rank of c = 6\n    end game\n  choose lay or keep\n"
    )
    assert not open_choices(table(text)).flow


@pytest.mark.parametrize("path", sorted(BROKEN.glob("c*.rules")), ids=lambda path: path.stem[:3])
def test_nothing_is_proved_of_rules_that_leak(path: Path) -> None:
    program = read_rules(str(path)).program
    if program is not None:
        found = open_choices(set_up(program, 2, {}))
        assert len(found.proved) < found.choices or not found.flow


@pytest.mark.parametrize("name", ["zero", "tokens", "hourglass", "collection", "the_game", "classics/leduc"])
def test_the_options_of_a_bundled_game_are_proved(name: str) -> None:
    program = read_rules(name).program
    assert program is not None
    found = open_choices(set_up(program, 2, {}))
    assert len(found.proved) == found.choices
