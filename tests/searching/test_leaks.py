"""Options that depend on what the chooser cannot see are found; those that depend on what one knows are not."""

from __future__ import annotations

import pytest

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import EVENTS
from rulesrun.interpreter.play.position_changes import zone_slots
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.search.answered_games import Failure, GameChecker, SeededAnswers
from rulesrun.interpreter.search.biased_search import search_failures
from rulesrun.interpreter.search.effort import Effort
from rulesrun.interpreter.search.shrink import shrink_game
from rulesrun.interpreter.secrecy.leaks import LeakWatcher
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from tests.interpreter.made import table
from tests.searching.made import HANDS, searched


def leaks_of(needs: str = "", keep: str = "", more: str = "", players: int = 2) -> list[Failure]:
    made = table(HANDS.format(needs=needs and f"\n  needs {needs}", keep=keep and f"\n  needs {keep}") + more, players)
    found = searched(made, 60, leaks=True).found
    return [
        failure for kind, game in found.items() if (failure := game.find_failure(kind)) and failure.leak is not None
    ]


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
    S = made.new_slots()
    S[EVENTS] = None
    watch = LeakWatcher(made, True)
    watch.begin_game()
    while not isinstance(wait := watch.run_to_question(S), DecisionWait):
        assert isinstance(wait, ChanceWait)
        watch.apply_answer(S, wait, wait.outcomes(S)[0][0])
    hand = next(slot for slot, (_, name) in zone_slots(made).items() if name == "hand[2]")
    following = watch.following
    assert all(mark < 0 for mark in following.observe_before(1).slots[hand])
    watch.apply_answer(S, wait, wait.list_options(S)[0])
    watch.run_to_question(S)
    assert 0 in following.observe_before(1).slots[hand]  # the first card drawn lay on the table
    assert all(kind >= 0 for kind in following.observe_before(2).slots[hand])


OTHERS = """
values Mark: cross, star, ring
card Card: rank 1..6
card Goal: worth 1..6
zone deck: pile of Card, hidden
zone goals: pile of Goal, hidden
zone away: set of Goal, hidden
zone aside: set of Card, hidden
zone heap: pile of Card, public top
zone open: row of Card, public
zone hand of player: set of Card, private
number pledge of player: 0..3 = 0, private
number clock: 0..5 = 0, hidden
marker omen: Mark, hidden
marker favourite of player: Card or nothing, private
setup
  shuffle all Card into deck
  shuffle all Goal into goals
  deal 2 from deck to each hand
  roll clock
  roll omen
  each player
    roll pledge
  draw 1 from deck to heap
  draw 1 from deck to aside
  draw 2 from goals to away
  move all aside to bottom of heap
phase play: one turn each from 1
  choose lay or keep
action lay(card from hand)
  needs {needs}
  move card to open
action keep
score at end
  points = 0
ranking: highest total, ties share
"""


def what_leaks(needs: str) -> tuple[set[str], set[str]]:
    """The hidden things that are told: places of components, names of values."""
    found = searched(table(OTHERS.format(needs=needs)), 60, leaks=True).found
    leaks = [failure.leak for kind, game in found.items() if (failure := game.find_failure(kind)) and failure.leak]
    places = {place for leak in leaks for _, place in leak.swapped}
    return places, {name for leak in leaks for name, _, _ in leak.values}


@pytest.mark.parametrize(
    ("needs", "name"),
    [
        ("pledge of left of player < 2", r"pledge["),
        ("clock > 2", "clock"),
        ("omen is not ring", "omen"),
        ("clock + pledge of left of player > 4", ""),
    ],
)
def test_hidden_and_private_values_are_looked_at(needs: str, name: str) -> None:
    places, values = what_leaks(needs)
    assert not places
    assert values
    assert all(one.startswith(name) for one in values)


@pytest.mark.parametrize(
    ("needs", "expected"),
    [
        ("rank of card > rank of bottom of heap", "heap"),
        ("no g in goals has worth of g = rank of card", "goals"),
    ],
)
def test_below_an_open_top_and_out_of_the_game(needs: str, expected: str) -> None:
    places, values = what_leaks(needs)
    assert not values
    assert expected in places


@pytest.mark.parametrize(
    "needs",
    [
        "pledge < 2",
        "rank of card > rank of top of heap",
        "count of heap = 2",
        "count of deck + count of heap + count of goals > 0",
    ],
)
def test_what_the_chooser_sees_of_them_is_none(needs: str) -> None:
    assert what_leaks(needs) == (set(), set())


@pytest.mark.parametrize("whom", ["", " to left of starter"])
def test_what_was_shown_may_be_used_by_who_saw_it(whom: str) -> None:
    """Seat 1 shows its hand to all, or to seat 2 alone: then seat 2 may use it, seat 3 only what everybody saw."""
    needs = "player = starter or some c in hand of starter has rank of c > rank of card"
    text = HANDS.format(needs=f"\n  needs {needs}", keep="")
    text = text.replace("  deal 2 from deck to each hand", f"  deal 2 from deck to each hand\n  show hand of 1{whom}")
    failures = searched(table(text, 3), 60, leaks=True).found.values()
    seats = {failure.leak.player for game in failures for failure in game.failures if failure.leak}
    assert seats == ({3} if whom else set())


@pytest.mark.parametrize(("needs", "leaks"), [("highest of rank over deck > 3", True), ("rank of card > 3", False)])
def test_the_team_knows_what_its_members_know(needs: str, leaks: bool) -> None:
    text = HANDS.format(needs="", keep="").replace("  choose lay or keep", "  team chooses send or wait")
    text = text.replace("action lay(card from hand)", f"action send(card from hand of 1)\n  needs {needs}")
    text = text.replace("action keep", "action wait").replace("setup\n", "zone aside: set of Card, hidden\nsetup\n")
    text = text.replace("  deal 2", "  draw 1 from deck to aside\n  deal 2").replace("rank 1..6", "rank 1..7")
    failures = [one for game in searched(table(text), 60, leaks=True).found.values() for one in game.failures]
    assert bool(failures) is leaks
    assert all(one.leak is not None and one.leak.player == 0 for one in failures)


def test_what_all_know_together_is_not_what_the_chooser_sees() -> None:
    """Three hands of two cards: nobody ever knows which of the other four lie where, all together know it."""
    text = """
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
setup
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: one turn each from 1
  choose nod
phase more when (sum of rank over hand of 1) > 100: one turn each from 1
  choose nod
action nod
score at end
  points = sum of rank over c in hand
"""
    made = table(text, 3)
    assert not prove_open_choices(made).flow
    found = search_failures([made], 0, Effort(100_000, 60.0), games=12, leaks=True)
    assert found.looked > 0
    assert found.open == 0


def test_each_leak_is_made_small_where_it_is() -> None:
    """Two places give something away; the story of each comes with an exchange that tells it there."""
    lay, keep = "some c in hand of left of player has rank of c > rank of card", "highest of rank over deck < 6"
    made = table(HANDS.format(needs=f"\n  needs {lay}", keep=f"\n  needs {keep}"))
    told = set()
    for kind, game in searched(made, 60, leaks=True).found.items():
        effort = Effort(4_000, 60)
        small, _ = shrink_game(game, kind, [], effort)
        failure = small.find_failure(kind)
        if failure is None or failure.leak is None or failure.leak.option is None:
            continue
        assert (failure.leak.span.file, failure.leak.span.start) == (kind.file, kind.start)
        assert len(failure.leak.swapped) == 2
        assert len(small.choices) <= len(game.choices)
        assert effort.spent > 0 or not small.choices
        told.add(failure.leak.option.action)
    assert told == {"lay", "keep"}


@pytest.mark.parametrize("exchanges", [False, True])
def test_deals_and_exchanges_are_effort(exchanges: bool) -> None:
    made = table(HANDS.format(needs="\n  needs rank of card < highest of rank over deck", keep=""))
    [kind, *_], _ = zip(*searched(made, 60, leaks=True).found.items(), strict=True)
    checker = GameChecker(made, 10, kind, leaks=True, exchanges=exchanges)
    answers = 0
    for number in range(20):
        answers += len(checker.play_game(SeededAnswers(Streams(number))).answers)
    watch = checker.watch
    assert watch is not None
    assert watch.dealt > 0
    assert (watch.tried > 0) is exchanges
    assert checker.spent >= answers + watch.dealt + watch.tried
