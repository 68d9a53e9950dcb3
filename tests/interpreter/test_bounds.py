"""Everything ends: rules that would take for ever, or too much room, come to a diagnostic soon."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import program, table

END = "score at end\n  points = 0\nranking: highest total, ties share\n"
LONG = "(some a in 1..5000 has some b in 1..5000 has some c in 1..5000 has a * b * c = -turns_taken)"
NUMBER = "number turns_taken: 0..9 = 1\n"


def fault_of(text: str) -> str:
    """The code of what goes wrong."""
    code = ""
    try:
        for _ in play_game(table(text), random_picker(Streams(1)), limit=1000):
            pass
    except Fault as problem:
        code = problem.diagnostic.code
    except RefusedTable as problem:
        code = problem.diagnostics[0].code
    return code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            f"{NUMBER}phase play\n  if {LONG}\n    turns_taken becomes 2\n  choose stay\naction stay\n{END}",
            "too-much-work",
        ),
        (f"{NUMBER}phase play\n  choose stay\naction stay\n  needs not {LONG}\n{END}", "too-much-work"),
        (
            f"{NUMBER}phase play\n  choose stay\naction stay(a in 1..1000, b in 1..1000, c in 1..1000)\n"
            f"  needs a + b + c = turns_taken\n{END}",
            "too-much-work",
        ),
        (f"phase play\n  choose stay\naction stay(a in 1..1000, b in 1..1000)\n{END}", "too-many-options"),
        (
            "card Card: rank 1..40\nzone hand of player: set of Card, private\nsetup\n  move all Card to hand\n"
            f"phase play\n  choose stay\naction stay(10..20 cards from hand)\n{END}",
            "too-many-options",
        ),
    ],
)
def test_too_much_is_told_soon(text: str, code: str) -> None:
    assert fault_of(text) == code


def test_a_long_chain_of_definitions_is_refused_or_played() -> None:
    chain = "".join(f"define d{n} = d{n + 1} + 1\n" for n in range(400))
    text = f"number top_of: 0..1000 = 0\n{chain}define d400 = top_of\n"
    text += "phase play\n  top_of becomes d0\n  choose stay\naction stay\n" + END
    assert fault_of(text) in {"", "too-deep"}


def test_a_table_of_wrong_size_is_refused() -> None:
    made = program("phase play\n  choose stay\naction stay\n" + END, "2..3")
    with pytest.raises(RefusedTable) as found:
        set_up_table(made, 4)
    assert found.value.diagnostics[0].code == "wrong-players"


OPTIONS = """
option size: 1..5 = 3
option mode: short, long = long
option fancy: yes or no = no
option heaps: row of 0..9 up to 3 = {1, 2}
require size > 1 or mode = short because "a long game needs two"
number total_size: 0..20 = 0
setup
  total_size becomes size + (if mode = long then 10 else 0) + (if fancy then 1 else 0) + heaps[1]
phase play
  choose stay
action stay
score at end
  points = total_size
ranking: highest total, ties share
"""


def test_options_are_taken_as_they_are_written_outside() -> None:
    assert table(OPTIONS).options == {"size": 3, "mode": "long", "fancy": "no", "heaps": [1, 2]}
    chosen = table(OPTIONS, size="5", mode="short", fancy="yes", heaps="{4, 0}")
    assert chosen.options == {"size": 5, "mode": "short", "fancy": "yes", "heaps": [4, 0]}


def test_an_option_may_have_more_values_than_can_be_gone_through() -> None:
    large = OPTIONS.replace("option size: 1..5 = 3", "option size: 1..1000000000 = 3")
    assert large != OPTIONS
    assert table(large, size=999_999_999).options["size"] == 999_999_999


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"size": 6}, "wrong-option"),
        ({"size": "many"}, "wrong-option"),
        ({"size": "05"}, "wrong-option"),
        ({"size": True}, "wrong-option"),
        ({"size": "9" * 5000}, "wrong-option"),
        ({"mode": "middle"}, "wrong-option"),
        ({"fancy": "maybe"}, "wrong-option"),
        ({"heaps": [1, 2, 3, 4]}, "wrong-option"),
        ({"heaps": [10]}, "wrong-option"),
        ({"colour": "red"}, "unknown-option"),
        ({"size": 1}, "not-allowed-together"),
    ],
)
def test_options_that_are_not_allowed_are_refused(options: dict[str, object], code: str) -> None:
    with pytest.raises(RefusedTable) as found:
        table(OPTIONS, 2, **options)
    assert [one.code for one in found.value.diagnostics] == [code]
