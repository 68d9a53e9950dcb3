"""What one learns from being asked, from how many cards go, from what was said: house rules, and what is so of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rulesrun.cli import main
from rulesrun.dsl.text.source import Span
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.secrecy.information_flow import find_laid_open
from rulesrun.interpreter.secrecy.leaks import Leak
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.services.stories import leak_text
from tests.interpreter.made import table
from tests.searching.made import HANDS, searched

FOLDER = Path(__file__).parent / "secrets"


def table_of(name: str) -> Table:
    program = read_rules(str(FOLDER / f"{name}.rules")).program
    assert program is not None
    return set_up_table(program, 2, {})


def told(name: str) -> set[tuple[str, str, tuple[str, ...]]]:
    reading = read_rules(str(FOLDER / f"{name}.rules"))
    texts = {file: source.text for file, source in reading.sources.items()}
    return {
        (texts[one.span.file][one.span.start : one.span.end], one.how, one.things)
        for one in find_laid_open(table_of(name))
    }


def leaks_met(made: Table, games: int = 40) -> list[Leak]:
    found = searched(made, games, leaks=True).found.values()
    return [failure.leak for game in found for failure in game.failures if failure.leak is not None]


def test_a_marker_set_behind_a_condition_tells_of_the_hand() -> None:
    assert ("passer becomes player", "condition", ("hand",)) in told("marker_behind_a_condition")


def test_how_many_cards_go_tells_what_they_are() -> None:
    assert ("move all (hand where rank = 8) to eights", "count", ("hand",)) in told("how_many_move")


def test_what_a_player_drew_is_known_to_that_player() -> None:
    assert not leaks_met(table_of("drawn_as_new"))


def test_that_a_player_may_choose_tells_the_others_of_the_card() -> None:
    assert {(how, things) for _, how, things in told("drawn_as_new")} == {("condition", ("new",))}


def test_what_was_said_aloud_is_known() -> None:
    made = table_of("said_aloud")
    proved = prove_open_choices(made)
    assert len(proved.proved) == proved.choices
    assert proved.flow
    assert not leaks_met(made)
    assert not told("said_aloud")


def test_of_two_equal_cards_the_one_that_was_chosen_is_known_to_who_chose_it() -> None:
    """The other one may lie in the neighbour's hand; what was chosen stays what it is."""
    text = HANDS.format(needs="", keep="").replace("rank 1..6", "rank 1..3, 2 of each")
    text = text.replace("zone table:", "zone away: set of Card, hidden\nzone table:")
    hidden = "  move card to away\n  if rank of card = 3\n    choose nod\naction nod"
    text = text.replace("  move card to table", hidden)
    assert not leaks_met(table(text))


PRIVATE = {
    "set back each turn": ("number peek: 0..6 = 0, each turn, hidden", "peek becomes highest of rank over deck"),
    "a word that can only be nothing": ("marker peek: Card or nothing, hidden", "peek becomes nothing"),
}


@pytest.mark.parametrize("name", PRIVATE)
def test_what_is_known_to_be_as_at_the_start_is_no_secret(name: str) -> None:
    declared, line = PRIVATE[name]
    need = "needs peek = 0" if "number" in declared else "needs peek is nothing"
    text = HANDS.format(needs=f"\n  {need}", keep="").replace("setup\n", f"{declared}\nsetup\n", 1)
    text = text.replace("choose lay or keep\n", f"choose lay or keep\n  if deck is not empty\n    {line}\n")
    assert not leaks_met(table(text))


def test_another_players_marker_that_was_never_changed_is_no_secret() -> None:
    """Only the first player's own has been changed when the second one is asked."""
    pieces = "marker friend of player: Card or nothing, private\nsetup\n"
    need = "\n  needs player = 2 or friend of 2 is nothing"
    text = HANDS.format(needs=need, keep="").replace("setup\n", pieces, 1)
    text = text.replace("  move card to table", "  friend becomes card\n  move card to table")
    assert not leaks_met(table(text))


@pytest.mark.parametrize(("most", "is_leak"), [(5, False), (2, True)])
def test_a_secret_bid_is_not_taken_for_what_nobody_may_bid(most: int, is_leak: bool) -> None:
    """Bids go from 1 to 3: whether the other's is below 5 tells nothing, whether it is below 2 does."""
    text = HANDS.format(needs=f"\n  needs offer of left of player < {most}", keep="")
    text = text.replace("setup\n", "number offer of player: 0..9 = 0, private\nsetup\n", 1)
    text = text.replace("phase play", "phase bidding: one turn each from 1\n  choose bid\nphase play")
    text = text.replace("action keep", "action bid(n in 1..3), secret\n  offer becomes n\naction keep")
    assert bool(leaks_met(table(text))) is is_leak


def test_a_card_chosen_from_what_a_definition_gives_is_as_hidden_as_in_the_hand() -> None:
    text = HANDS.format(needs="", keep="").replace("lay(card from hand)", "lay(card from low_ones)")
    text = text.replace("zone table:", "define low_ones = hand where rank < 6\nzone table:")
    text = text.replace("  move card to table", "  if rank of card = 3\n    choose nod\naction nod")
    assert [one.things for one in find_laid_open(table(text))] == [("card",)]


# ---- the sentence


def leak(**what: Any) -> Leak:
    nowhere = Span("a.rules", 0, 1)
    given: Mapping[str, Any] = {"player": 2, "option": None, "is_offered": True, "swapped": (), "span": nowhere, **what}
    return Leak(**given)


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (
            leak(swapped=(("6", "hand[1]"), ("3", "deck"))),
            "player 2 is offered a choice here, but would not be if `6` in `hand[1]` and `3` in `deck` had changed "
            "places; player 2 cannot see which is true",
        ),
        (
            leak(values=(("omen", "red", "blue"),), from_all=True),
            "player 2 is offered a choice here, but would not be if `omen` were blue, not red; "
            "nobody can see which is true",
        ),
        (
            leak(player=0, swapped=(("6", "a"), ("3", "b"), ("2", "a"))),
            "the team is offered a choice here, but would not be if other components lay in `a` and `b`; "
            "the team cannot see which is true",
        ),
    ],
)
def test_a_leak_is_told_in_a_sentence(one: Leak, text: str) -> None:
    assert leak_text(one) == text


# ---- the warning and the verdict


def test_what_is_warned_of_is_not_said_to_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A need that looks at the neighbour's hand, though it always holds: no game can show a leak."""
    file = tmp_path / "warned.rules"
    need = "\n  needs some c in hand of left of player has rank of c > 0 or count of hand of left of player = 0"
    file.write_text('rules 1\ngame "Warned"\nplayers 2\n' + HANDS.format(needs=need, keep="").lstrip("\n"), "utf-8")
    main([str(file), "--games", "20", "--json"])
    [found] = json.loads(capsys.readouterr().out)["files"]
    [secrets] = [one for one in found["unwritten"] if one["title"].startswith("no option gives")]
    assert secrets["verdict"] == "not known"
