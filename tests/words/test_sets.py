"""Definitions and steps that are told a set, and one name for several components."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.secrecy.information_flow import flows_of
from tests.native.both import differences, quick_engine
from tests.words.twins import assert_alike, errors_of, is_laid_out, program_of, table_of

HEAD = """rules 1
game "Made"
players 2

values Suit: clubs, hearts
card Card: suit Suit, rank 1..5

zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: row of Card, public

setup
  shuffle all Card into stock
  deal 3 from stock to each hand

phase play: turns from 1 until hand is empty
  choose lay

score at end
  points = most_of_a_suit(hand) - lost(heap, {1, 2})

ranking: highest total, ties share
"""
SETS = """
action lay(1..2 cards from hand)
  needs count of cards = 1 or is_run(cards)
  do put_down(cards)

step put_down(these set of Card)
  if is_run(these)
    move all these to heap
  otherwise
    each c in these
      move c to heap

define is_run(s set of Card) = (count of distinct suit over c in s) = 1
    and (highest of rank over s) - (lowest of rank over s) = count of s - 1
define most_of_a_suit(s set of Card) = highest of count of of_suit(s, x) over x in Suit
define of_suit(s set of Card, x Suit) = s where suit = x
define lost(s set of Card, low set of 1..5) = count of s where rank in low
"""
WITHOUT_SETS = """
action lay(1..2 cards from hand)
  needs count of cards = 1 or ((count of distinct suit over c in cards) = 1
      and (highest of rank over cards) - (lowest of rank over cards) = count of cards - 1)
  each c in cards
    move c to heap
"""
SUITS = ("clubs", "hearts")


def without_sets() -> str:
    most = "highest of (count of hand where suit = x) over x in Suit"
    return HEAD.replace("most_of_a_suit(hand)", f"({most})").replace(
        "lost(heap, {1, 2})", "(count of heap where rank in {1, 2})") + WITHOUT_SETS  # fmt: skip


def fails(text: str) -> list[object]:
    return [(one.verdict, one.diagnostic) for one in run_examples(program_of(text)) if one.verdict != "passed"]


def test_it_is_the_game_that_says_it_without_sets() -> None:
    new, old = (one.replace("1..5", "1..3").replace("deal 3", "deal 2") for one in (HEAD + SETS, without_sets()))
    assert_alike(new, old)


def test_it_is_laid_out() -> None:
    assert is_laid_out(HEAD + SETS)


def is_run(cards: list[tuple[str, int]]) -> bool:
    ranks = sorted(rank for _, rank in cards)
    return len({suit for suit, _ in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def test_what_definitions_say_of_sets_is_what_python_says() -> None:
    """Of two hundred hands dealt apart."""
    deck, chance, lines = [(suit, rank) for suit in SUITS for rank in range(1, 6)], Random(5), []
    said: Callable[[bool], str] = lambda holds: "" if holds else "not "  # noqa: E731
    for number in range(200):
        cards = chance.sample(deck, chance.randint(1, 5))
        told = ", ".join(f"{suit} {rank}" for suit, rank in cards)
        most = max(sum(suit == one for suit, _ in cards) for one in SUITS)
        low = sum(rank < 3 for _, rank in cards)
        lines.append(
            f'example "{number}"\n  given turn of 1\n  given hand of 1: {told}\n  given stock: \n'
            f"  then {said(is_run(cards))}is_run(hand) and {said(is_run(cards))}is_run({{{told}}})\n"
            f"  then most_of_a_suit(hand) = {most} and lost(hand, {{1, 2}}) = {low}\n"
        )
    text = HEAD + SETS + "\n".join(lines).replace("  given stock: \n", "")
    assert fails(text) == []


def test_sets_of_what_has_equals_of_players_and_of_many_kinds_are_told_alike_by_both_engines() -> None:
    """Components with copies, more than a word of the machine holds; players and numbers."""
    text = """rules 1
game "Made"
players 3
values Suit: a, b, c, d, e
card Card: suit Suit, rank 1..14
token Coin: worth 1..3, 3 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: row of Card, public
zone bag: pile of Coin, hidden
zone purse of player: row of Coin, public
zone till: row of Coin, public
setup
  shuffle all Card into stock
  shuffle all Coin into bag
  deal 4 from stock to each hand
  deal 2 from bag to each purse
phase play: turns from 1 until count of hand < 2
  choose lay or pay
action lay(1..2 cards from hand)
  needs count of cards = 1 or are_close(cards, {1, 2, 3})
  do put_down(cards, purse)
action pay(1..2 coins from purse)
  needs coins = {2} or worth_of(coins) > 2 or place_of(coins) = 0
  do hand_on(coins, players where count of hand of it > 1)
  move first of hand to heap
step put_down(these set of Card, gold set of Coin)
  move all these to heap
  if worth_of(gold) > 4
    move all gold to till
step hand_on(these set of Coin, to set of player)
  move all till to purse
  if player in to
    move all these to purse of left of player
  otherwise
    move all these to till
define are_close(s set of Card, apart set of 0..20) =
    (highest of rank over s) - (lowest of rank over s) in apart and (s where rank > 9) is empty
define worth_of(s set of Coin) = sum of worth over s
define place_of(s set of Coin) = highest of position(c, purse) over c in s
define poor(s set of player) = count of (s where worth_of(purse) < 3)
score at end
  points = worth_of(purse) + poor(players) - poor(opponents) + dear(purse)
define dear(s set of Coin) = if s is empty then 0 else worth of (the c in s with highest worth of c)
ranking: highest total, ties share
"""
    table = table_of(text, players=3)
    assert differences(table, 400, seed=2, engine=quick_engine(table)) == []


LET = """rules 1
game "Made"
players 2

token Coin: worth 1..2, 4 of each

zone box: set of Coin, public
zone hand of player: set of Coin, public
zone line: row of Coin, public

setup
  move all Coin to box

phase play: one turn each from 2
  choose pass
  let several = hand where worth = 1
  swap line with hand of left of player
  move all several to line

action pass

example "whose"
  given turn of 2
  given hand of 1: 1, 1
  given hand of 2: 1, 1, 2
  given line: 2
  given box: 2, 2
  when 2: pass
  then hand of 1 = {2}
  then hand of 2 = {2}
  then count of line = 4
"""


def test_of_equal_ones_those_move_that_got_the_name() -> None:
    """Others like them lie in another hand, and move meanwhile."""
    assert fails(LET) == []
    told = LET.replace("  let several = hand where worth = 1\n", "").replace(
        "  swap line", "  do pay(hand where worth = 1)\n\nstep pay(several set of Coin)\n  swap line")  # fmt: skip
    assert fails(told) == []


def test_a_step_that_is_told_a_set_is_known_to_the_check_of_secrets() -> None:
    table = table_of(HEAD + SETS)
    assert not [one for one in flows_of(table).disclosures if one.how == "unknown"]


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("define f(s pile of Card) = count of s", "unexpected-word", "write `s set of Card`"),
        ("define f(n 1..2, s list of Card) = n", "unexpected-word", "write `s set of Card`"),
        ("define f(s several Card) = count of s", "unexpected-word", "write `s set of Card`"),
        ("step f(s sets of Card)", "unexpected-word", "write `s set of Card`"),
        ("table f(s set of Card): otherwise: 3", "wrong-type",
         "write a definition: `define f(…) = if … then … else …`"),
        ("marker kept: set of Card", "unexpected-word", "components lie in a zone: `zone kept: set of Card, public`"),
        ("always \"a\": is_run(first of heap)", "wrong-type", "a single one is a set in braces: `{…}`"),
    ],
)  # fmt: skip
def test_what_is_written_in_another_way_gets_a_hint(line: str, code: str, hint: str) -> None:
    (found,) = errors_of(f"{HEAD}{SETS}\n{line}\n")
    assert (found.code, found.hint) == (code, hint)
