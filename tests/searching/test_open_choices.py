"""What is proved of options from the rules alone: only where nothing hidden is read, by any way."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.services.tables import allowed_players
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
    text = text.replace(header, MORE + header + "  record clock in moments\n")
    found = prove_open_choices(table(text.replace("setup\n", "setup\n  roll clock\n  each player\n    roll pledge\n")))
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
    assert prove_open_choices(table(text)).flow is proved


def test_a_rule_below_that_hangs_on_a_hidden_hand_is_not_proved_for_the_others() -> None:
    text = HANDS.format(needs="", keep="").replace(
        "  choose lay or keep\n", "  if some c in hand has rank of c = 6\n    end game\n  choose lay or keep\n"
    )
    assert not prove_open_choices(table(text)).flow


@pytest.mark.parametrize("path", sorted(BROKEN.glob("c*.rules")), ids=lambda path: path.stem[:3])
def test_nothing_is_proved_of_rules_that_leak(path: Path) -> None:
    program = read_rules(str(path)).program
    if program is not None:
        found = prove_open_choices(set_up_table(program, 2, {}))
        assert len(found.proved) < found.choices or not found.flow


@pytest.mark.parametrize("name", ["zero", "tokens", "hourglass", "collection", "the_game", "classics/leduc"])
def test_the_options_of_a_bundled_game_are_proved(name: str) -> None:
    program = read_rules(name).program
    assert program is not None
    found = prove_open_choices(set_up_table(program, 2, {}))
    assert len(found.proved) == found.choices


BUNDLED = ["zero", "tokens", "hourglass", "collection", "the_game", "classics/leduc"]


@pytest.mark.parametrize("name", BUNDLED)
def test_who_is_asked_is_proved_of_a_bundled_game(name: str) -> None:
    program = read_rules(name).program
    assert program is not None
    for players in allowed_players(program):
        assert prove_open_choices(set_up_table(program, players, {})).flow


OMEN = "marker omen: yes or no = no, hidden\nsetup\n  roll omen\n"
STEERED = HANDS.format(needs="", keep="").replace("setup\n", OMEN)
TURN = "  choose lay or keep\n"
HIGH = "some c in hand has rank of c = 6"


@pytest.mark.parametrize(
    ("old", "new", "proved"),
    [
        # a hand that has just been shown to all; shown to one, or with a card more, it is no longer known
        (TURN, f"  show hand\n  if {HIGH}\n    end game\n" + TURN, True),
        (TURN, f"  show hand to 1\n  if {HIGH}\n    end game\n" + TURN, False),
        (TURN, f"  show hand\n  draw 1 from deck to hand\n  if {HIGH}\n    end game\n" + TURN, False),
        (TURN, f"  if count of hand > 1\n    show hand\n  if {HIGH}\n    end game\n" + TURN, False),
        # what was drawn, where all can see it or not
        (TURN, "  draw 1 from deck to table as new\n  if rank of new = 6\n    end game\n" + TURN, True),
        (TURN, "  draw 1 from deck to hand as new\n  if rank of new = 6\n    end game\n" + TURN, False),
        # loops in which somebody is asked, and in which nobody is
        (TURN, "  each c in hand\n    move c to table\n  choose keep\n", True),
        (TURN, f"  each player where {HIGH}\n    choose lay or keep\n", False),
        (TURN, "  each player in order of sum of rank over hand\n    choose lay or keep\n", False),
        # a value that all see tells what it was made of, unless it is gone when they look
        (TURN, f"  if some_high\n    choose lay\n{TURN}", True),
        (TURN, f"  known becomes {HIGH}\n  if known\n    known becomes no\n    choose keep\n" + TURN, False),
        # what the options decide asks nothing; what nobody sees decides
        ("one turn each from 1", "one turn each from 1 skipping omen", False),
        ("phase play:", "phase play when omen:", False),
    ],
)
def test_what_steers_the_game(old: str, new: str, proved: bool) -> None:
    pieces = "marker known: yes or no = no\ndefine some_high = some c in table has rank of c = 6\n"
    text = STEERED.replace(old, new, 1).replace("phase play", pieces + "phase play", 1)
    assert prove_open_choices(table(text)).flow is proved


@pytest.mark.parametrize(
    ("condition", "box", "proved"),
    [
        ("some g in goals has worth of g = 3", "", True),
        ("(count of distinct worth over goals) < 3", "", True),
        ("item 1 of (list of worth of g over g in goals) = 3", "", False),
        ("some g in goals has worth of g = 3", "  draw 2 from goals to away\n", False),
    ],
)
def test_what_is_known_because_all_else_lies_open(condition: str, box: str, proved: bool) -> None:
    goals = "card Goal: worth 1..6\nzone goals: pile of Goal, hidden\nzone met: set of Goal, public\n"
    goals += "zone away: set of Goal, hidden\n" if box else ""
    text = HANDS.format(needs="", keep="").replace("setup\n", goals + "setup\n  shuffle all Goal into goals\n" + box)
    text = text.replace(TURN, f"  draw 1 from goals to met\n  if {condition}\n    end game\n{TURN}")
    assert prove_open_choices(table(text)).flow is proved
