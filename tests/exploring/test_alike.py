"""Words that are alike: where the rules depend on them they are not merged, and whatever is merged adds up exactly."""

from __future__ import annotations

import pytest

from rulesrun.dsl import ast
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.symmetric_words import WordSymmetryProof
from tests.exploring.made import EXCHANGES, bundled, merged, plainly, table_of
from tests.interpreter.made import table as made_table

SCORE = "  points = count of distinct colour over hand\n"
PASSED = "  passes increases by 1\n"
ROW = "zone line: row of Card, public\n"
SEVERAL = "zone seen: set of Card, public\n" + ROW

PILE = """rules 1
game "A pile"
players 2
values Colour: red, blue, green
card Card: colour Colour, 1 of each
zone stock: pile of Card, hidden
zone line: row of Card, public
number mixed: 0..3 = 0
memory seen
setup
  shuffle all Card into stock
phase play: turns from 1 until mixed = 3
  choose out, back or mix
  record stock in seen
  if times(seen) = 2
    end phase
action out
  needs stock is not empty
  draw 1 from stock to line
  mixed increases by 1
action back
  needs line is not empty
  move top of line to stock
action mix
  shuffle stock
  mixed increases by 1
score at end
  points = mixed
ranking: highest total, ties share
"""


def with_score(value: str) -> str:
    return EXCHANGES.replace(SCORE, f"  points = {value}\n")


def on_pass(*lines: str, declared: str = "") -> str:
    return EXCHANGES.replace(PASSED, PASSED + "".join(f"  {line}\n" for line in lines)) + declared


ALIKE = {
    "as it is": EXCHANGES,
    "how many of the most": with_score("highest of (count of hand where colour = c) over c in Colour"),
    "sorted amounts": with_score("first of sorted of (count of hand where colour = c) over c in Colour"),
    "a marker for a colour": on_pass(
        "if hand is not empty and last is nothing", "  each c in hand", "    seen[colour of c] becomes yes",
        declared="marker last: Colour or nothing\nmarker seen[Colour]: yes or no = no\n",
    ),
    "a card is chosen and remembered": EXCHANGES.replace(
        "  move take to hand\n", "  move take to hand\n  last becomes colour of take\n"
    ) + "marker last: Colour or nothing\n",
    "the top of a row": on_pass("move (top of line) to hand", declared=ROW).replace(
        "  deal 2 from stock to supply\n", "  deal 2 from stock to supply\n  draw 2 from stock to line\n"
    ),
    "one after the other, in any order": on_pass(
        "each c in Colour where (count of supply where colour = c) > 0", "  counted[c] becomes 1",
        declared="number counted[Colour]: 0..1 = 0\n",
    ),
    "all into a pile that is shuffled": on_pass("move all hand to stock", "shuffle stock", "draw 1 from stock to hand"),
    "a memory of hands": on_pass("record hand, player in seen", declared="memory seen\n")
    + 'always "no more": times(seen) <= 9\n',
}

NOT_ALIKE = {
    "the first card": with_score("rank of first of hand"),
    "the first of the best": with_score(
        "rank of the c in supply with highest count of (supply where colour = colour of c)"
    ),
    "put down one after the other": on_pass("move all hand to line", "draw 1 from stock to hand", declared=ROW),
    "put down one after the other, chance asked in a loop before it is shuffled": on_pass(
        "move all supply to stock", "each k in 1..1", "  shuffle layout", "shuffle stock",
        declared="marker layout: order of 1..2\n",
    ),
    "put down one after the other, chance asked before it is shuffled": on_pass(
        "move all supply to stock", "shuffle layout", "shuffle stock", declared="marker layout: order of 1..2\n",
    ),
    "swapped away before what came instead is shuffled": on_pass(
        "each c in Colour", "  move all (supply where colour = c) to bag", "swap bag with heap", "shuffle bag",
        declared="zone bag: pile of Card, hidden\nzone heap: pile of Card, public\n",
    ),
    "gone through one after the other": on_pass("each c in supply", "  move c to line", declared=ROW),
    "a list in their order": with_score("first of list of (count of hand where colour = c) over c in Colour"),
    "a memory of a pile whose order is open": PILE,
    "a zone sorted by them": EXCHANGES.replace("zone supply: set of Card, public", "zone supply: row of Card, public, "
                                               "sorted by colour"),
    "chances": on_pass("roll fate with chances 1, 1, 2", declared="marker fate: Colour or nothing\n").replace(
        "or nothing\n", "= red\n"
    ),
}


def colours(table: Table) -> WordSymmetryProof:
    return WordSymmetryProof(table, table.bench.declarations(ast.Values)[0])


@pytest.mark.parametrize("name", ALIKE)
def test_what_does_not_look_at_colours_leaves_them_alike(name: str) -> None:
    table = table_of(ALIKE[name])
    assert colours(table).free_words == ("red", "blue", "green")
    together, apart = merged(table), plainly(table)
    assert together.whole == len(apart.keys)
    assert len(together.keys) < len(apart.keys)
    assert together.depth == apart.depth
    assert len(together.findings) == len(apart.findings)


@pytest.mark.parametrize("name", NOT_ALIKE)
def test_what_depends_on_the_order_of_colours_keeps_them_apart(name: str) -> None:
    table = table_of(NOT_ALIKE[name])
    assert len(colours(table).free_words) < 3
    together, apart = merged(table), plainly(table)
    assert together.whole == len(apart.keys)


@pytest.mark.parametrize("named", ["red", "blue"])
def test_a_colour_that_is_named_stands_apart(named: str) -> None:
    table = table_of(EXCHANGES + f'can happen "it": some c in hand of 1 has colour of c = {named}\n')
    assert set(colours(table).free_words) == {"red", "blue", "green"} - {named}
    assert merged(table).whole == len(plainly(table).keys)


def test_examples_name_colours_without_harm() -> None:
    table = table_of(EXCHANGES + 'example "it"\n  given hand of 1: red 1\n  then 1 can pass\n')
    assert len(colours(table).free_words) == 3


@pytest.mark.parametrize("name", ["zero", "tokens"])
def test_the_colours_of_bundled_games(name: str) -> None:
    proof = colours(bundled(name))
    assert len(proof.free_words) == len(proof.values.items)


def test_jokers_are_named_in_the_hourglass() -> None:
    assert len(colours(bundled("hourglass")).free_words) < 2


def test_values_that_are_a_range_have_no_words_to_exchange() -> None:
    table = table_of(EXCHANGES + "values Stand: 1..3\nmarker stand: Stand\n")
    assert merged(table).whole == len(plainly(table).keys)


BEFORE = """rules 1
game "Before"
players 2
values Colour: red, blue, green
card Card: colour Colour, rank 1..2
zone stock: pile of Card, hidden
zone heap: pile of Card, public
number laid: 0..2 = 0
setup
  shuffle all Card into stock
  draw 1 from stock to heap
phase play: turns from 1 until laid = 2
  choose lay
action lay
  laid increases by 1
  draw 1 from stock to heap
after lay "another one": KEPT
score at end
  points = laid
"""


@pytest.mark.parametrize(("kept", "members"), [
    ("count of heap > before (count of heap)", 5), ("top of heap is not before (top of heap)", 0),
])
def test_what_is_kept_while_chance_is_asked_is_counted(kept: str, members: int) -> None:
    """Of a number it is known that it stays; where a card is kept, words are left as they are."""
    table = table_of(BEFORE.replace("KEPT", kept))
    found = merged(table)
    assert len(found.group.members) == members
    assert found.whole == sum(found.sizes) == plainly(table).size


EQUALS = """rules 1
game "Equals"
players 2
values Suit: clubs, hearts, spades
card Card: suit Suit, rank 1..2, COPIES of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone laid: row of Card, public
marker best: Card or nothing
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: one turn each from 1
  choose lay
action lay(card from hand)
  LINES
score at end
  points = WORTH
ranking: highest total, ties share
"""


@pytest.mark.parametrize(("lines", "worth"), [
    (("draw up to 1 from stock to hand", "move card to laid"), "count of hand"),
    (("best becomes card", "draw up to 1 from stock to hand", "if count of laid < 2", "  move card to laid"),
     "if best is nothing then 0 else position(best, laid)"),
])
@pytest.mark.parametrize("copies", [1, 2])
def test_which_of_several_equal_cards_is_meant_is_counted(lines: tuple[str, ...], worth: str, copies: int) -> None:
    """Where the one that is meant lies among others depends on their order, so words are left as they are."""
    text = EQUALS.replace("LINES", "\n  ".join(lines)).replace("WORTH", worth).replace("COPIES", str(copies))
    table = table_of(text)
    found = merged(table)
    assert len(found.group.members) == (5 if copies == 1 else 0)
    assert found.whole == plainly(table).size


SHOWN_CARDS = """
values Colour: red, blue, green
card Card: colour Colour, rank 1..2
zone stock: pile of Card, hidden
zone front of player: place of Card, public
{option}
setup
  shuffle all Card into stock
  deal 1 from stock to each front
phase play: one turn each from 1
  {line}
  choose wait
action wait
score at end
  points = rank of top of front
ranking: highest total, ties share
"""


@pytest.mark.parametrize(
    ("option", "line", "message"),
    [
        ("", "each player in order of rank of top of front\n    choose wait", None),
        ("", "each player in order of colour of top of front\n    choose wait", "players are put in their order"),
        ("option o: Colour = blue", "if colour of top of front = o\n    choose wait", "an option is one of them"),
    ],
)
def test_players_in_the_order_of_their_colours_and_colours_of_options(
    option: str, line: str, message: str | None
) -> None:
    found = colours(made_table(SHOWN_CARDS.format(option=option, line=line)))
    assert (found.obstacle.message if found.obstacle is not None else None) == message
    assert len(found.free_words) == (3 if message is None else 0)
