"""Options that depend on what the chooser cannot see are found; those that depend on what one knows are not."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.searching.changes import zone_slots
from rulesrun.interpreter.searching.games import Failure
from rulesrun.interpreter.searching.known import Knowledge
from rulesrun.interpreter.values import EVENTS
from tests.interpreter.made import table
from tests.searching.made import HANDS, searched


def leaks_of(needs: str = "", keep: str = "", more: str = "", players: int = 2) -> list[Failure]:
    made = table(HANDS.format(needs=needs and f"\n  needs {needs}", keep=keep and f"\n  needs {keep}") + more, players)
    found = searched(made, 60, leaks=True).found
    return [failure for kind, game in found.items() if (failure := game.failure(kind)) and failure.leak is not None]


@pytest.mark.parametrize(
    "needs",
    [
        "some c in hand of left of player has rank of c > rank of card",
        "rank of card < highest of rank over deck",
        "no p in opponents has sum of rank over hand of p > 6",
    ],
)
def test_what_depends_on_hidden_cards_is_a_leak(needs: str) -> None:
    leaks = [failure.leak for failure in leaks_of(needs)]
    assert leaks
    for leak in leaks:
        assert leak is not None
        assert leak.option is None or leak.option.action == "lay"
        assert len(leak.swapped) >= 2
        places = {place for _, place in leak.swapped}
        assert f"hand[{leak.player}]" not in places


def test_whether_one_is_asked_is_a_leak_too() -> None:
    text = HANDS.format(needs="", keep="").replace(
        "  choose lay or keep\n",
        "  if some c in hand of left of player has rank of c = 6\n    choose lay\n"
        "  otherwise\n    choose lay or keep\n",
    )
    found = searched(table(text), 60, leaks=True).found
    assert {kind.name for kind in found} == {"secret-leak"}


@pytest.mark.parametrize(
    "needs",
    [
        "rank of card > 3",
        "count of hand of left of player = 2",
        "count of deck = 2",
        "table is empty or rank of card > rank of top of table",
        "(count of deck) + (sum of count of hand of p over p in players) + count of table = 6",
        "(sum of rank over hand of left of player) + (sum of rank over deck) < 30",
    ],
)
def test_what_everybody_can_see_or_work_out_is_none(needs: str) -> None:
    assert not leaks_of(needs)


def test_what_was_seen_going_into_a_hand_is_known_there() -> None:
    text = HANDS.format(needs="", keep="").replace("move card to table", "move top of table to hand of 2")
    text = text.replace("  deal 2", "  draw 1 from deck to table\n  deal 2").replace("lay(card from hand)", "lay")
    made = table(text)
    S = made.fresh()
    S[EVENTS] = None
    first, second = Knowledge(made, 1), Knowledge(made, 2)
    while not isinstance(wait := made.run(S), DecisionWait):
        assert isinstance(wait, ChanceWait)
        wait.settle(S, wait.outcomes(S)[0][0])
    for one in (first, second):
        one.look(S)
    hand = next(slot for slot, (_, name) in zone_slots(made).items() if name == "hand[2]")
    assert not first.known.get(hand)
    wait.settle(S, wait.options(S)[0])
    made.run(S)
    first.look(S)
    assert first.known[hand] == {0: 1}  # the first card drawn lay on the table
    assert hand not in second.unseen
