"""Definitions and steps that are told a set, and one name for several components."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from math import comb
from random import Random

import pytest

from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.play.random_games import simulate_games
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
define poor(s set of player) = count of (s where worth_of(purse of it) < 3)
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


# ---- combinations


DECK = [(suit, rank) for suit in SUITS for rank in range(1, 6)]


def is_meld(cards: tuple[tuple[str, int], ...]) -> bool:
    return len({rank for _, rank in cards}) == 1 or is_run(list(cards))


def total(cards: Iterable[tuple[str, int]]) -> int:
    return sum(rank for _, rank in cards)


def write_cards(cards: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{suit} {rank}" for suit, rank in cards)


def in_order(cards: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(cards, key=DECK.index))


MELDS = HEAD.replace("most_of_a_suit(hand) - lost(heap, {1, 2})", "count of hand") + """
action lay(card from hand)
  move card to heap

define is_meld(s set of Card) = (count of distinct rank over s) = 1
    or (count of distinct suit over s) = 1 and (highest of rank over s) - (lowest of rank over s) = count of s - 1
define value_of(s set of Card) = sum of rank over s
define melds = combinations of 2..4 from hand where is_meld(it)
define least_left = lowest of value_of(hand where it not in s) over s in combinations of 0..5 from hand where
    s is empty or is_meld(s)
"""


def test_combinations_are_those_of_python() -> None:
    chance, lines = Random(8), []
    for number in range(150):
        cards = in_order(chance.sample(DECK, chance.randint(1, 6)))
        every = [one for size in range(2, 5) for one in combinations(cards, size)]
        melds = [one for one in every if is_meld(one)]
        goal = chance.randint(3, 12)
        left = min(total(cards) - total(one) for size in range(6) for one in combinations(cards, size)
                   if not one or is_meld(one))  # fmt: skip
        lines.append(
            f'example "{number}"\n  given turn of 1\n  given hand of 1: {write_cards(cards)}\n'
            f"  then (count of combinations of 2..4 from hand) = {len(every)} and count of melds = {len(melds)}\n"
            f"  then (count of combinations of 2..4 from hand where value_of(it) = {goal}) = "
            f"{sum(total(one) == goal for one in every)}\n"
            f"  then (sum of value_of(s) over s in melds) = {sum(map(total, melds))} and least_left = {left}\n"
            f"  then (list of count of s over s in melds) = {{{', '.join(str(len(one)) for one in melds)}}}\n"
        )
        if melds:
            best = max(melds, key=total)
            lines.append(
                f"  then (the s in melds with highest value_of(s)) = {{{write_cards(best)}}}\n"
                f"  then (count of those s in melds with highest value_of(s)) = "
                f"{sum(total(one) == total(best) for one in melds)}\n"
            )
    assert fails(MELDS + "\n" + "".join(lines)) == []


def test_of_equal_ones_each_way_counts_once() -> None:
    """As many ways as there are different handfuls; what `the … with` gives is taken from where it was found."""
    text = LET.replace("let several = hand where worth = 1", "let several = the s in combinations of 2 from hand with "
                       "lowest sum of worth over s")  # fmt: skip
    assert fails(text) == []
    purse = [1, 1, 1, 2, 2]
    ways = {tuple(one) for size in range(4) for one in combinations(purse, size)}
    count = text.replace("  when 2: pass\n", "").partition("  then hand of 1")[0].replace(
        "hand of 2: 1, 1, 2", "hand of 2: 1, 1, 1, 2, 2").replace("hand of 1: 1, 1", "hand of 1: 1").replace(
        "  given line: 2\n  given box: 2, 2\n", "") + (
        f"  then (count of combinations of 0..3 from hand) = {len(ways)}\n"
        f"  then (sum of (sum of worth over s) over s in combinations of 0..3 from hand) = {sum(map(sum, ways))}\n"
    )  # fmt: skip
    assert fails(count) == []


LONGER = (
    ("rank 1..5", "rank 1..9"),
    ("deal 3", "deal 6"),
    ("until hand is empty", "until count of hand < 2"),
    ("choose lay", "choose lay, else end phase"),
    ("points = count of hand",
     "points = least_left + count of combinations of 2..3 from heap where value_of(it) = 9"),
    ("action lay(card from hand)",
     "action lay(card from hand)\n  needs no s in melds has card in s or count of melds > 2"),
    ("  move card to heap",
     "  move card to heap\n"
     "  if count of hand > 3\n"
     "    let best = the s in combinations of 2 from hand with highest value_of(s)\n"
     "    move all best to heap"),
)  # fmt: skip


def test_both_engines_go_through_them_alike() -> None:
    text = MELDS
    for old, new in LONGER:
        assert old in text
        text = text.replace(old, new, 1)
    table = table_of(text)
    assert differences(table, 300, seed=4, engine=quick_engine(table)) == []


MANY = HEAD.replace("rank 1..5", "rank 1..20").replace("deal 3", "deal 18").replace(
    "most_of_a_suit(hand) - lost(heap, {1, 2})", "1") + """
action lay(card from hand)
  needs (count of combinations of 1..SIZE from hand) > 0
  move card to heap
"""  # fmt: skip


def test_too_many_are_a_fault_of_the_rules_on_both_engines() -> None:
    """Of 18 cards there are 63,003 ways to take up to seven, and 106,761 to take up to eight."""
    ways = [sum(comb(18, size) for size in range(1, most + 1)) for most in (7, 8)]
    assert ways == [63_003, 106_761]
    few, many = (table_of(MANY.replace("SIZE", size)) for size in ("7", "8"))
    found = simulate_games(many, 1, 2)
    assert {one.code for _, one, _ in found.faults} == {"too-many-combinations"}
    assert differences(many, 2, seed=1, engine=quick_engine(many)) == []
    assert simulate_games(few, 1, 1).faults == []


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("always \"a\": (count of combinations of 9 from Card) > 1", "too-many-combinations",
         "take fewer at once, or from fewer: `combinations of 2 from (… where …)`"),
        ("always \"a\": (count of combinations of 3..2 from heap) > 1", "empty-range", "the lower bound comes first"),
        ("always \"a\": (count of combinations of 2 from combinations of 2 from heap) > 1", "wrong-type", None),
    ],
)  # fmt: skip
def test_what_cannot_be_gone_through_is_told_before_play(line: str, code: str, hint: str | None) -> None:
    text = MELDS.replace("rank 1..5", "rank 1..20")
    (found,) = errors_of(f"{text}\n{line}\n")
    assert (found.code, found.hint) == (code, hint)


@pytest.mark.parametrize(
    ("written", "code", "hint"),
    [
        ("some s in sets of 2 from hand has is_meld(s)", "unexpected-word", "write `combinations of 2 from …`"),
        ("some s in subsets of 2..3 from hand has is_meld(s)", "unexpected-word",
         "write `combinations of 2..3 from …`"),
        ("some s in all combinations of 2 from hand has is_meld(s)", "unexpected-word",
         "remove `all`: they are all ways"),
        ("some s in combinations of 2 of hand has is_meld(s)", "unexpected-word",
         "write `combinations of 2..3 from …`: how many, and what they are taken from"),
        ("(count of combinations of hand) > 1", "unexpected-word",
         "write `combinations of 2..3 from …`: how many, and what they are taken from"),
        ("some s in combinations(hand, 2) has is_meld(s)", "unknown-name",
         "ways to take some of several are `combinations of 2..3 from …`"),
        ("some 2 cards from hand has is_meld(cards)", "unexpected-word",
         "write `some s in combinations of 2 from … has …`"),
    ],
)  # fmt: skip
def test_other_words_for_combinations_get_a_hint(written: str, code: str, hint: str) -> None:
    (found,) = errors_of(f'{MELDS}\nalways "a": {written}\n')
    assert (found.code, found.hint) == (code, hint)


def test_several_are_chosen_with_their_number_in_front() -> None:
    (found,) = errors_of(MELDS.replace("lay(card from hand)", "lay(card in combinations of 2 from hand)"))
    assert found.code == "wrong-type"
    assert found.hint is not None
    assert "`2..3 card from …`" in found.hint
