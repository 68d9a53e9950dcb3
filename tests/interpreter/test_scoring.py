"""Score sheets, ranking by several criteria, places, results."""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.step import GameOver, Sheet, next_state, next_step, pending_decision, start_state
from tests.interpreter.made import over, table


def ranked(ranking: str, players: int = 3, pieces: str = "") -> GameOver:
    made = table(
        f"number strength of player: 0..9\nnumber gold of player: 0..9\n{pieces}\n"
        "setup\n  each player\n    strength becomes if player = 2 then 5 else 3\n"
        "    gold becomes if player = 3 then 4 else 1\n"
        "phase play\n  choose stay\naction stay\nscore at end\n  points = strength\n" + ranking,
        players,
    )
    return over(made, next_state(made, start_state(made), 0))


@pytest.mark.parametrize(
    ("ranking", "places"),
    [
        ("ranking: highest total, ties share", ((2,), (1, 3))),
        ("ranking: lowest total, ties share", ((1, 3), (2,))),
        ("ranking: highest total, highest gold, ties share", ((2,), (3,), (1,))),
        ("ranking: highest total when players = 2, lowest gold, ties share", ((1, 2), (3,))),
        ("ranking: highest (sorted of {strength, gold}), ties share", ((3,), (2,), (1,))),
        ("ranking: highest 1, ties share", ((1, 2, 3),)),
    ],
)
def test_places(ranking: str, places: tuple[tuple[int, ...], ...]) -> None:
    assert ranked(ranking).places == places


def test_a_tie_that_nobody_decides_is_a_fault() -> None:
    with pytest.raises(Fault) as found:
        ranked("ranking: highest total")
    assert found.value.diagnostic.code == "undecided-tie"
    assert ranked("ranking: highest total, highest gold").places == ((2,), (3,), (1,))


def test_a_word_for_the_whole_table() -> None:
    result = "result: won when strength of 2 = 5, lost when gold of 1 = 1, otherwise ended\n"
    assert ranked(result + "ranking: highest total, ties share").result == "won"
    result = "result: won when strength of 2 = 6, otherwise ended\n"
    assert ranked(result + "ranking: highest total, ties share").result == "ended"


ROUNDS = """
rounds 3
number won of player: 0..9 = 0
phase play
  choose stay
action stay
  won increases by round
score each round
  base = won
  extra = if round = 2 then 10 else 0
score at end
  last = counted(base) + latest(total) + total
ranking: highest total, ties share
"""


def test_sheets_are_added_up() -> None:
    made = table(ROUNDS)
    state, sheets = start_state(made), []
    while not isinstance(pending_decision(made, state), GameOver):
        step = next_step(made, state, 0)
        state = step.state
        sheets += [event for event in step.events if isinstance(event, Sheet)]
    # player 1 chooses each round: 1, 1 + 2, 1 + 2 + 3 points
    first: list[dict[str, Any]] = [sheet.lines[1] for sheet in sheets]
    assert first[:3] == [
        {"base": 1, "extra": 0, "total": 1}, {"base": 3, "extra": 10, "total": 13}, {"base": 6, "extra": 0, "total": 6},
    ]
    # counted(base) = 1 + 3 + 6, latest(total) = 6, total = 1 + 13 + 6
    assert first[3] == {"last": 36, "total": 36}
    assert over(made, state).scores[1] == 56
    assert [sheet.round for sheet in sheets] == [1, 2, 3, 3]


