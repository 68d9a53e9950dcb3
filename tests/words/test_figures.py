"""Figures that the rules declare: beside a program written apart, on both engines; no game is changed by them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_text
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.measure.duel import Duel, ReferenceMeasurer
from rulesrun.interpreter.measure.figures import estimate_figure
from rulesrun.interpreter.measure.totals import totals_to_json
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.reference.table import Table
from tests.words.twins import MOST, errors_of, is_laid_out, table_of

# Each draws a card, keeps it or drops it; when the deck is empty, what was dropped is shuffled into it.
DROPS = """rules 1
game "Drops"
players 2

card Card: rank 1..3

zone deck: pile of Card, hidden
zone drawn: place of Card, public
zone heap: pile of Card, public
zone kept of player: set of Card, public

number taken: 0..4 = 0

setup
  shuffle all Card into deck

phase play: turns from 1 until taken = 4 or (deck is empty and heap is empty)
  if deck is empty
    do reshuffle
  taken increases by 1
  draw 1 from deck to drawn
  choose keep or drop

step reshuffle
  shuffle heap into deck
  do note(taken)

step note(now 0..4)
  if now > 3
    taken becomes now

action keep
  move all drawn to kept
  if taken = 4
    end game

action drop
  move all drawn to heap

score at end
  points = sum of rank over c in kept

ranking: highest total, ties share
"""
FIGURES = """
figure reshuffles: how often reshuffle
figure notes: how often note
figure large: how often rank of top of drawn > 2, at keep
figure second_empty: how often kept of 2 is empty, at end of game
figure best_dropped: highest rank of top of drawn, at drop
figure worst_kept: lowest rank of top of drawn, at keep
figure dropped: sum rank of top of drawn / 2, at drop
figure held: mean count of kept, at end of turn
figure rounds_held: mean count of kept of 1, at end of round
figure lead: total of 1 - total of 2, at end of game
figure left_over: mean count of heap, at reshuffle
"""
NAMES = [line.split()[1].rstrip(":") for line in FIGURES.split("\n") if line]


Cards = tuple[int, ...]
Seen = dict[str, list[Fraction]]  # all that each figure has looked at
Game = tuple[Fraction, Seen]


def games() -> Iterator[Game]:
    """Written apart: every game with its odds."""
    yield from play((1, 2, 3), (), ((), ()), 0, 0, Fraction(1), {})


def play(
    deck: Cards, heap: Cards, kept: tuple[Cards, ...], taken: int, seat: int, odds: Fraction, seen: Seen
) -> Iterator[Game]:
    if taken == 4 or not (deck or heap):
        yield from finish(kept, odds, noted(seen, rounds_held=len(kept[0])))
        return
    if not deck:
        deck, heap, seen = heap, (), noted(seen, reshuffles=1, notes=1, left_over=len(heap))
    for card in deck:
        rest, part = tuple(c for c in deck if c != card), odds / (2 * len(deck))
        after = tuple(k + (card,) * (at == seat) for at, k in enumerate(kept))
        now = noted(seen, large=int(card > 2), worst_kept=card)
        if taken == 3:  # the game is ended within the action: no end of a turn, none of a round
            yield from finish(after, part, now)
        else:
            now = noted(now, held=len(after[seat]))
            yield from play(rest, heap, after, taken + 1, 1 - seat, part, now)
        now = noted(seen, best_dropped=card, dropped=Fraction(card, 2), held=len(kept[seat]))
        yield from play(rest, (*heap, card), kept, taken + 1, 1 - seat, part, now)


def noted(seen: Seen, **more: int | Fraction) -> Seen:
    return {**seen, **{name: [*seen.get(name, []), Fraction(value)] for name, value in more.items()}}


def finish(kept: tuple[Cards, ...], odds: Fraction, seen: Seen) -> Iterator[Game]:
    yield odds, noted(seen, second_empty=int(not kept[1]), lead=sum(kept[0]) - sum(kept[1]))


def expected() -> dict[str, Fraction]:
    """What random play is to be expected to show."""
    known = list(games())
    assert sum(odds for odds, _ in known) == 1
    found = {}
    for name in NAMES:
        values = [(odds, seen.get(name, [])) for odds, seen in known]
        if name in ("held", "rounds_held", "left_over"):  # the mean of all moments
            above = [odds * sum(one) for odds, one in values]
            below = [odds * len(one) for odds, one in values]
        elif name in ("best_dropped", "worst_kept"):
            above = [odds * (max(one) if name == "best_dropped" else min(one)) for odds, one in values if one]
            below = [odds for odds, one in values if one]
        else:
            above, below = [odds * sum(one) for odds, one in values], [Fraction(1)]
        found[name] = Fraction(sum(above)) / sum(below)
    return found


@pytest.fixture(scope="module")
def counted() -> Table:
    return table_of(DROPS + FIGURES)


def natively(table: Table) -> NativeMeasurer:
    return NativeMeasurer(compile_measuring_engine(table), 7)


def test_the_tree_knows_them_exactly(counted: Table) -> None:
    tree = count_tree(counted, MOST)
    assert tree.expectation is not None
    assert tree.expectation.figures == expected()
    assert tree.histories == count_tree(table_of(DROPS), MOST).histories


def test_the_tree_in_machine_code_knows_the_same(counted: Table) -> None:
    tree = count_tree_natively(compile_tree_positions(counted), MOST)
    assert tree.expectation is not None
    assert tree.expectation.figures == expected()


def test_both_engines_measure_the_same_games(counted: Table) -> None:
    totals = natively(counted).totals(0, 3000)
    assert totals_to_json(totals) == totals_to_json(ReferenceMeasurer(counted, 7).totals(0, 3000))
    for name, value in expected().items():
        found = estimate_figure(totals, ("figure", name), 2)
        assert found.low is not None
        assert found.high is not None
        spread = (found.high - found.low) / 2
        assert abs(found.value - float(value)) <= 2.5 * spread + 1e-12, name  # about five standard errors


def test_nothing_of_a_game_follows_from_them(counted: Table) -> None:
    bare = table_of(DROPS)
    found, wanted = explore_table(counted, MOST), explore_table(bare, MOST)
    assert (found.levels, list(found.edges)) == (wanted.levels, list(wanted.edges))
    ours, theirs = (ReferenceMeasurer(one, 7).totals(0, 200).sums for one in (counted, bare))
    assert {key: sums for key, sums in ours.items() if key[0] not in ("figure", "moments")} == theirs


def test_two_rulebooks_are_compared_by_those_that_both_have() -> None:
    base = table_of(DROPS + "figure lead: total of 1 - total of 2, at end of game\nfigure one: how often keep\n")
    other = table_of(DROPS.replace("taken = 4 or", "taken = 3 or") + FIGURES)
    assert [key for key in Duel(base, other, 0).list_figures() if key[0] == "figure"] == [("figure", "lead")]


def test_they_are_laid_out_as_written() -> None:
    assert is_laid_out(DROPS + FIGURES)


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("how often resuffle", "unknown-action", message("did you mean `{near}`?", near="reshuffle")),
        ("taken", "when-counted", None),
        ("how often taken = 4", "when-counted", None),
        ("taken, at end of turn", "which-number",
         message("write `highest`, `lowest`, `mean` or `sum` before it: `mean {value}`", value="taken")),
        ("sum taken, at end of game", "which-number",
         message("remove `{word}`: `{value}, at end of game`", word="sum", value="taken")),
        ("list taken, at end of turn", "which-number", None),
        ("mean deck, at end of turn", "wrong-type", None),
        ("average taken, at end of turn", "wrong-word", message("write `{word}`", word="mean")),
        ("mean taken, after keep", "wrong-word", message("write `{written}`", written="at keep")),
        ("mean taken, each round", "wrong-word", message("write `{written}`", written="at end of round")),
        ("number of times keep", "wrong-word", message("write `how often {name}`", name="keep")),
        ("how often keep is chosen", "unexpected-word",
         message("write the name alone: `how often {name}`", name="keep")),
        ("taken, at end", "unfinished-line", message("write `at end of game`, `at end of round` or `at end of turn`")),
    ],
)  # fmt: skip
def test_slips_are_told(line: str, code: str, hint: str | None) -> None:
    found = errors_of(f"{DROPS}\nfigure f: {line}\n")
    assert [one.code for one in found] == [code]
    assert hint is None or found[0].hint == hint


@pytest.mark.parametrize(
    ("line", "code"),
    [('figure "how long": taken, at end of game', "unexpected-word"),
     ("figure kept_by of player: count of kept, at end of game", "unexpected-word"),
     ("statistic f: how often keep", "unknown-piece")],
)
def test_heads_of_other_kinds_are_told(line: str, code: str) -> None:
    found = errors_of(f"{DROPS}\n{line}\n")
    assert [one.code for one in found] == [code]


def test_two_of_one_name_are_told() -> None:
    reading = read_text(f"{DROPS}\nfigure f: how often keep\nfigure f: how often drop\n")
    assert [one.code for one in reading.diagnostics] == ["duplicate-name"]
