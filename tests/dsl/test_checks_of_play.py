"""What the checker finds in the course of a game: actions, phases, loops, choices, what nobody can see."""

from __future__ import annotations

import pytest

from tests.dsl.marked import CARDS, HEADER, PLAY, RANKING, TABLE, expect


def test_an_action_that_can_never_be_legal() -> None:
    expect(CARDS + PLAY.replace("  move", "  needs rank of given > 5 #! never-legal\n  move"))
    two_needs = "  needs rank of given > 3\n  needs rank of given < 2 #! never-legal\n  move"
    expect(CARDS + PLAY.replace("  move", two_needs))


def test_an_action_that_takes_from_where_nothing_ever_lies() -> None:
    text = PLAY.replace("given from hand)", "given from store where rank > 2) #! never-legal")
    expect(CARDS + "zone store: set of Card, public\n" + text)


def test_an_action_that_nobody_is_asked_for() -> None:
    expect(CARDS + PLAY + "action skip #! action-never-offered\n")


def test_a_phase_that_is_never_reached() -> None:
    expect(CARDS + PLAY + "phase more when players = 7 #! phase-never-reached\n  choose lay if possible\n")
    expect(CARDS + PLAY + "phase over_now\n  end game\nphase more #! phase-never-reached\n  choose lay if possible\n")
    expect(CARDS + PLAY + "phase maybe when players = 3\n  end game\nphase more\n  choose lay if possible\n")


@pytest.mark.parametrize(
    ("header", "mark"),
    [
        ("turns from 1", "phase-never-left"),
        ("turns from 1 until full = yes", "phase-never-left"),
        ("repeat until full = yes", "phase-never-left"),
        ("turns from 1 until stock is empty", None),
        ("turns from 1 skipping hand is empty", None),
        ("repeat 3 times", None),
        ("one turn each from 1", None),
    ],
)
def test_a_loop_that_is_never_left(header: str, mark: str | None) -> None:
    marked = f"#! {mark}" if mark else ""
    expect(CARDS + PLAY + f"marker full: yes or no\nphase more: {header} {marked}\n"
           + "  choose lay if possible\nphase after\n  full becomes yes\n  if full\n    end game\n")


def test_an_action_may_end_the_loop() -> None:
    expect(CARDS + PLAY + "phase more: turns from 1\n  choose stop\naction stop\n  end phase\n")


def test_every_zone_says_who_sees_it() -> None:
    expect(CARDS.replace("heap: pile of Card, public", "heap: pile of Card #! visibility-not-said") + PLAY)
    expect(CARDS.replace("heap: pile of Card, public", "heap: pile of Card, private #! nobody-owns-it") + PLAY)


def test_a_choice_that_can_be_empty() -> None:
    needs = PLAY.replace(", else end game", " #! empty-choice").replace("  move", "  needs rank of given > 3\n  move")
    expect(CARDS + needs)
    expect(CARDS + needs.replace(" #! empty-choice", " if possible"))
    expect(CARDS + needs.replace("choose lay #! empty-choice", "choose lay or wait") + "action wait\n")
    guarded = needs.replace("  choose lay #! empty-choice", "  if can lay\n    choose lay")
    expect(CARDS + guarded)


@pytest.mark.parametrize(
    ("needs", "is_silent"),
    [
        ("colour of given = red or no c in hand has colour of c = red", True),
        ("(no c in hand has colour = red) or colour of given = red", True),
        ("(no hand_card in hand has rank of hand_card > 3 and colour of hand_card = red)"
         " or rank of given > 3 and colour of given = red", True),
        ("colour of given = red or no c in hand has colour of c = blue", False),  # neither a red one nor no blue one
        ("colour of given = red or no c in heap has colour of c = red", False),  # another zone
        ("colour of given = red or some c in hand has colour of c = red", False),
        ("colour of given = red and no c in hand has colour of c = red", False),
        ("rank of given = rank of top of heap or no c in hand has rank of c = rank of bottom of heap", False),
        ("red = colour of given or not (some c in hand has colour = red)", True),
        ("colour of given = red or (count of hand where colour = red) = 0", True),
        ("colour of given = red or (count of hand where colour = red) < 2", False),
        ("colour of given = red or (hand where colour = red) is empty", True),
        ("colour of given = red or (hand where colour = red) is not empty", False),
        ("colour of given is not red or every c in hand has colour of c = red", True),
        ("colour of given is not red or every c in hand has colour of c is not red", False),
        ("if some c in hand has colour of c = red then colour of given = red else yes", True),
        ("if some c in hand has colour of c = red then colour of given = red else rank of given > 3", False),
        ("heap is empty or colour of given = red or no c in hand has colour of c = red", True),
        ("may_follow(given)", True),
        ("may_lead(given)", False),
        ("may_follow(given)\n  needs rank of given > 3 or every c in hand has rank of c <= 3", False),  # red 1, blue 5
        ("may_follow(given)\n  needs colour of given = red or no c in hand has colour of c = red", True),
    ],
)  # fmt: skip
def test_following_suit_always_leaves_a_card(needs: str, is_silent: bool) -> None:
    choose = "choose lay" if is_silent else "choose lay #! empty-choice"
    defined = "define may_follow(c Card) = colour of c = red or no d in hand has colour of d = red\n"
    defined += "define may_lead(c Card) = colour of c = red or no d in hand has rank of d = rank of c\n"
    defined += "never \"all\": (count of hand) = 2 and every c in hand has may_follow(c) and may_lead(c)\n"
    text = PLAY.replace("choose lay, else end game", choose).replace("  move", f"  needs {needs}\n  move")
    expect(CARDS + defined + text)


@pytest.mark.parametrize(
    ("action", "is_silent"),
    [
        ("keep(0..2 cards from hand)", True),
        ("keep(0..2 cards from hand)\n  needs every c in cards has rank of c = 2", True),
        ("keep(0..2 cards from hand)\n  needs no c in cards has rank of c = 2 and colour of c = red", True),
        ("keep(0..2 cards from hand)\n  needs cards is empty or (count of distinct rank over c in cards) = 1", True),
        ("keep(0..2 cards from hand)\n  needs sum of rank over cards <= 5 and count of cards <= 1", True),
        ("keep(0..2 cards from hand)\n  needs some c in cards has rank of c = 2", False),
        ("keep(0..2 cards from hand)\n  needs sum of rank over cards > 3", False),
        ("keep(1..2 cards from hand)\n  needs every c in cards has rank of c = 2", False),
    ],
)
def test_choosing_none_may_always_be_legal(action: str, is_silent: bool) -> None:
    choose = "choose keep" if is_silent else "choose keep #! empty-choice"
    play = f"phase play: one turn each from 1\n  {choose}\naction {action}\n  move all cards to heap\n"
    expect(CARDS + play)


def test_a_promise_that_something_is_legal() -> None:
    promised = PLAY.replace("lay, else end game", "lay, always possible")
    expect(CARDS + promised.replace("  move", "  needs rank of given > 3\n  move"))


RUNNING_OUT = """phase laying: repeat 4 times
  one turn each from 1
    choose lay{mark}
action lay(given from hand)
  move given to heap
"""


@pytest.mark.parametrize(
    ("setup", "change", "is_silent"),
    [
        ("deal 3 from stock to each hand", ("", ""), False),
        ("deal 4 from stock to each hand", ("", ""), True),
        ("deal 3 from stock to each hand", ("repeat 4 times", "repeat 3 times"), True),
        ("deal 3 from stock to each hand", ("repeat 4 times", "repeat players times"), True),  # two players may play
        ("deal 2 from stock to each hand\n  deal up to 1 from stock to each hand", ("", ""), False),
        ("deal 2 from stock to each hand\n  deal 2 from stock to each hand", ("", ""), True),
        ("deal 3 from stock to each hand", ("  move given", "  draw 1 from stock to hand\n  move given"), True),
        ("deal 3 from stock to each hand", ("  one", "  draw 1 from stock to hand of 1\n  one"), True),
        ("deal 3 from stock to each hand", ("    choose", "    draw 1 from stock to hand\n    choose"), True),
        ("deal 3 from stock to each hand", ("choose lay", "choose lay if possible"), True),
        ("deal 3 from stock to each hand", ("from 1\n", "from 1 skipping hand is empty\n"), True),
        ("deal 3 from stock to each hand", ("  one turn each from 1\n    choose", "  all choose"), False),
    ],
)  # fmt: skip
def test_more_is_asked_for_than_a_hand_holds(setup: str, change: tuple[str, str], is_silent: bool) -> None:
    text = RUNNING_OUT.format(mark="").replace(*change) if change[0] else RUNNING_OUT.format(mark="")
    if not is_silent:
        text = text.replace("choose lay\n", "choose lay #! choice-runs-out\n")
    head, _, tail = CARDS.replace("rank 1..5", "rank 1..8").partition("  deal ")
    expect(head + "  " + setup + "\n" + tail.partition("\n")[2] + text)


@pytest.mark.parametrize(
    ("needs", "is_silent"),
    [
        ("not can lay", True),
        ("not can lay and not can draw_one", True),
        ("not can lay or stock is empty", True),
        ("can lay", False),
        ("not can lay and stock is not empty", False),
    ],
)
def test_who_can_do_nothing_else_may_pass(needs: str, is_silent: bool) -> None:
    choose = "choose lay, draw_one or wait" if needs.count("can") > 1 else "choose lay or wait"
    text = PLAY.replace("choose lay, else end game", choose if is_silent else f"{choose} #! empty-choice")
    text = text.replace("  move", "  needs rank of given > 3\n  move") + f"action wait\n  needs {needs}\n"
    drawing = "action draw_one\n  needs rank of top of heap > 3\n  draw 1 from stock to hand\n"
    expect(CARDS + text + (drawing if "draw_one" in needs else ""))


def test_a_card_to_lay_in_a_loop_that_waits_for_something_else() -> None:
    endless = PLAY.replace("one turn each from 1", "turns from 1 until full")
    endless = endless.replace(", else end game", " #! empty-choice")
    text = CARDS + "marker full: yes or no\n" + endless + "  full becomes rank of given = 5\n"
    expect(text)
    expect(text.replace("until full", "until full or hand is empty").replace(" #! empty-choice", ""))


def test_actions_that_look_the_same() -> None:
    [found] = expect(
        CARDS + PLAY.replace("choose lay, else end game", "choose lay, wait or pass")
        + "action wait\naction pass #! identical-actions\n"
    )
    assert len(found.related) == 1


def test_rows_with_the_same_values_are_told_apart_by_their_names() -> None:
    rows = "card Goal: worth 1..9\n  small: 1\n  tiny: 1, 3 of each\n  big: 9, 2 of each\n"
    zone = "zone goals: set of Goal, public\nsetup round\n  move all Goal to goals\n"
    expect(CARDS + PLAY + rows + zone)


def test_a_case_that_never_counts() -> None:
    table = "table sizes(n 1..3): 1: 5, 1: 6, otherwise: 7 #! unreachable\nscore at end\n  x = sizes(players - 1)\n"
    expect(CARDS + PLAY + table)


def test_statements_after_an_end() -> None:
    expect(CARDS + PLAY + "phase more\n  end game\n  move all heap to stock #! unreachable\n")


THROWING = (
    TABLE + "number throws: 0..3 = 0, each turn\n{}\n  one turn each from left of player except player\n"
    "{}    repeat until throws >= 2\n      choose throw\n{}action throw\n  throws increases by 1{}\n"
)


@pytest.mark.parametrize(
    ("header", "first", "rest", "mark"),
    [
        ("phase play: one turn each from 1", "", "", True),
        ("phase play: one turn each from 1", "    throws becomes 0\n", "", False),  # each begins anew
        ("phase play: one turn each from 1\n  throws becomes 0", "", "", False),  # they share it
        ("phase play: one turn each from 1", "", "  choose throw\n", False),  # it is the outer turn's, too
        ("phase play: repeat 2 times", "", "", False),  # these are the turns
        ("phase play: one turn each from 1\n  do ask\nstep ask", "", "", True),
    ],
)
def test_what_is_kept_each_turn_in_turns_within_a_turn(header: str, first: str, rest: str, mark: bool) -> None:
    expect(THROWING.format(header, first, rest, " #! turn-within-turn" if mark else ""))


@pytest.mark.parametrize(("value", "mark"), [("1", True), ("0", False)])
def test_what_a_phase_sets_and_its_turns_set_back(value: str, mark: bool) -> None:
    said = f"phase play: repeat 2 times\n  throws becomes {value}{' #! turn-within-turn' if mark else ''}"
    expect(THROWING.format(said, "", "", ""))


def test_somebody_must_choose() -> None:
    expect(HEADER.replace('"A test"', '"A test" #! nobody-chooses') + "players 2\nphase p\n  end game\n")


def test_everybody_must_get_a_turn() -> None:
    expect(TABLE + "phase p\n  choose a #! player-without-turn\naction a\n")
    expect(TABLE + "phase p: one turn each from 1\n  choose a\naction a\n")
    expect(TABLE + "phase p\n  all choose a\naction a\n")


def test_who_wins_is_said() -> None:
    without = CARDS.replace(RANKING, "")
    expect(without + PLAY + "score at end #! no-ranking\n  x = count of hand\n")
    expect(CARDS.replace(", ties share", " #! undecided-tie") + PLAY)


def test_something_must_make_somebody_win() -> None:
    """Points are counted, somebody wins, or all win and lose together; who is alone needs nobody to win against."""
    play = "phase p: one turn each from 1\n  choose a\naction a\n"
    title, number = HEADER.replace('"A test"', '"A test" #! no-ranking'), "number coins of player: 0..3 = 0\n"
    expect(title + "players 2\n" + play)
    expect(HEADER + "players 1\n" + play)
    expect(HEADER + "players 2\n" + play + "  player wins\n")
    expect(HEADER + "players 2\n" + play + "  nobody wins\n")
    expect(HEADER + "players 2\nresult: won when starter = 1, otherwise lost\n" + play)
    expect(HEADER + "players 2\n" + number + play + "  coins becomes 1\nranking: highest coins, ties share\n")
    by_total = "ranking: highest coins, highest total, ties share #! nothing-scored\n"
    expect(HEADER + "players 2\n" + number + play + "  coins becomes 1\n" + by_total)
    told = "score #! nothing-scored\n  x = count of hand\n"
    expect(CARDS + PLAY + told)
    expect(CARDS + PLAY.replace("action", "  count points\naction", 1) + told.replace(" #! nothing-scored", ""))


def test_dealing_more_than_there_is() -> None:
    deal = "deal 2 from stock to each hand"
    expect(CARDS.replace(deal, "deal 4 from stock to each hand #! not-enough-components") + PLAY)
    expect(CARDS.replace(deal, "deal 3 from stock to each hand") + PLAY)


def test_components_that_stay_in_the_box() -> None:
    expect(CARDS + PLAY + "token Chip: colour Colour #! never-placed\nzone chips: set of Chip, public\n"
           "score at end\n  x = count of chips\n")


def test_the_top_of_a_hidden_pile_cannot_be_looked_at() -> None:
    expect(CARDS + PLAY + "score at end\n  x = rank of top of stock #! top-of-hidden\n")
    expect(CARDS + PLAY + "phase more\n  move top of stock to heap\n")


@pytest.mark.parametrize(
    ("needs", "mark"),
    [
        ("some c in stock has rank of c = 1", "secret-leak"),
        ("some c in hand of left of player has rank of c = 1", "secret-leak"),
        ("lucky of left of player", "secret-leak"),
        ("some c in hand has rank of c = 1", None),
        ("lucky", None),
        ("lucky of player", None),
        ("some c in heap has rank of c = 1", None),
        ("count of hand of left of player = 1", None),
        ("stock is empty", None),
    ],
)
def test_an_option_that_gives_a_secret_away(needs: str, mark: str | None) -> None:
    marked = f" #! {mark}" if mark else ""
    text = PLAY.replace("  move", f"  needs {needs}{marked}\n  move")
    used = "define lucky = some c in hand has rank of c = 1\nscore at end\n  x = if lucky then 1 else 0\n"
    expect(CARDS + text + used)


@pytest.mark.parametrize(
    ("condition", "mark"),
    [
        ("some c in stock has rank of c = 1", "secret-leak"),
        ("some c in heap has rank of c = 1", None),
        ("some c in hand has rank of c = 1", None),  # whoever it is can say so
        ("stock is empty", None),
    ],
)
@pytest.mark.parametrize("place", ["phase more when {}\n  move all heap to stock\n",
                                   "phase more: repeat until {}\n  draw up to 1 from stock to heap\n"])
def test_a_game_that_goes_on_as_nobody_can_see(place: str, condition: str, mark: str | None) -> None:
    head, _, rest = place.format(condition).partition("\n")
    expect(CARDS + PLAY + head + (f" #! {mark}" if mark else "") + "\n" + rest)


def test_taking_from_a_hand_that_one_cannot_see() -> None:
    expect(CARDS + PLAY.replace("given from hand)", "given from hand of left of player) #! secret-leak"))


@pytest.mark.parametrize(
    ("one", "other", "mark"),
    [
        ("passes > 2", "not passes > 2", ""),
        ("passes > 2", "passes <= 2", ""),
        ("passes = 2 or full", "passes is not 2 and not full", ""),
        ("passes > 2 and full", "passes <= 2", " #! empty-choice"),
        ("passes > 2", "passes < 2", " #! empty-choice"),
    ],
)
def test_actions_whose_conditions_leave_nothing_out(one: str, other: str, mark: str) -> None:
    expect(CARDS + "number passes: 0..9 = 0\nmarker full: yes or no = no\n" + PLAY
           + f"phase more: repeat 2 times\n  choose climb or rest{mark}\n"
           + f"action climb\n  needs {one}\n  passes becomes 3\n  full becomes yes\n"
           + f"action rest\n  needs {other}\n  passes becomes 1\n")
