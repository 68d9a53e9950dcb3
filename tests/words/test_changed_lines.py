"""One line of a piece is changed by a variant: the same rules as when the piece is written anew."""

from __future__ import annotations

import pytest

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.format.format import format_file, format_game
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.variants.extend import AssembledGame, assemble_game
from tests.words.twins import assert_alike

BASE = """rules 1
game "Base"
players 2

values Colour: red, blue
card Card: colour Colour, rank 1..2

zone stock: pile of Card, hidden
zone heap: pile of Card, public
zone hand of player: set of Card, private

number laid of player: 0..20, clamped
number n: 0..9

setup
  shuffle all Card into stock
  deal 1 from stock to each hand

phase play: turns from 1 until hand of 1 is empty and hand of 2 is empty
  if hand is not empty
    choose lay

action lay(c from hand)
  needs heap is empty or c is not top of heap because "it is low"
  let worth = rank of c
  move c to heap
  if worth > 1
    n becomes worth
  laid increases by 1

score at end
  points = laid + n

ranking: highest total, ties share

example "one"
  given turn of 1
  given hand of 1: red 1
  when 1: lay(red 1)
  then laid of 1 = 1
"""
HEAD = 'rules 1\nvariant "V" of "base.rules"\n'


def merged(*variants: str) -> AssembledGame:
    sources = [Source("base.rules", BASE)]
    sources += [Source(f"v{number}.rules", HEAD + text) for number, text in enumerate(variants)]
    parsed = [parse_source(source) for source in sources]
    assert all(one.diagnostics == () for one in parsed), parsed
    return assemble_game("v.rules", list(zip(sources, parsed, strict=True)))


def laid_out(*variants: str) -> str:
    found = merged(*variants)
    assert found.diagnostics == ()
    return format_game(found.game)


def same_but(*changes: tuple[str, str]) -> str:
    text = BASE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    source = Source("base.rules", text)
    return format_game(assemble_game("base.rules", [(source, parse_source(source))]).game).replace('"Base"', '"V"')


@pytest.mark.parametrize(
    ("variant", "old", "new"),
    [
        ("change action lay, after move c to heap\n  n becomes 1", "to heap\n", "to heap\n  n becomes 1\n"),
        ("change action lay, before move c to heap\n  n becomes 1", "  move c", "  n becomes 1\n  move c"),
        ("change action lay, in place of laid increases by 1\n  laid increases by 2", "laid increases by 1",
         "laid increases by 2"),
        ("change action lay, without move c to heap", "  move c to heap\n", ""),
        ("change action lay, after let worth = rank of c\n  n becomes worth", "rank of c\n  move",
         "rank of c\n  n becomes worth\n  move"),
        ("change action lay, in place of let worth = rank of c\n  n becomes 0\n  let worth = 2\n  n becomes 1",
         "let worth = rank of c", "n becomes 0\n  let worth = 2\n  n becomes 1"),
        ("change action lay, without if worth > 1", "  if worth > 1\n    n becomes worth\n", ""),
        ("change action lay, after if worth > 1\n  n becomes 1", "becomes worth\n", "becomes worth\n  n becomes 1\n"),
        ("change action lay, before n becomes worth\n  end game", "    n becomes", "    end game\n    n becomes"),
        ("change action lay, without needs heap is empty or c is not top of heap",
         '  needs heap is empty or c is not top of heap because "it is low"\n', ""),
        ("change action lay, in place of needs heap is empty or c is not top of heap\n  needs rank of c > 1",
         'needs heap is empty or c is not top of heap because "it is low"', "needs rank of c > 1"),
        ("change phase play, after choose lay\n  end turn", "choose lay\n", "choose lay\n    end turn\n"),
        ("change setup, before shuffle all Card into stock\n  n becomes 2", "  shuffle", "  n becomes 2\n  shuffle"),
        ("remove examples", BASE[BASE.index("example") :], ""),
    ],
)  # fmt: skip
def test_it_is_as_if_the_piece_were_written_anew(variant: str, old: str, new: str) -> None:
    assert laid_out(variant) == same_but((old, new))
    source = Source("v.rules", HEAD + variant + "\n")
    text = format_file(source, parse_source(source))
    again = Source("v.rules", text)
    assert format_file(again, parse_source(again)) == text


def test_two_variants_change_two_lines() -> None:
    first = "change action lay, after move c to heap\n  n becomes 1"
    second = "change action lay, without laid increases by 1"
    assert laid_out(first, second) == laid_out(second, first)
    both = same_but(("to heap\n", "to heap\n  n becomes 1\n"), ("  laid increases by 1\n", ""))
    assert laid_out(first, second) == both.replace('"V"', '"V + V"')


def test_it_is_played_as_it_is_written_anew() -> None:
    variant = "change action lay, in place of laid increases by 1\n  laid increases by worth\nremove examples"
    assert_alike(laid_out(variant), same_but(("laid increases by 1", "laid increases by worth")))


@pytest.mark.parametrize(
    ("variant", "code", "told"),
    [
        ("change action lay, after move c to stock\n  n becomes 1", "nothing-to-change", "`move c to heap`?"),
        ("change action lie, after move c to heap\n  n becomes 1", "nothing-to-change", ""),
        ("change action lay, after n becomes worth\n  needs n > 2", "misplaced-needs", ""),
        ("change phase play, without choose lay", "empty-body", "change that line"),
        ("change phase play, without if hand is not empty", "empty-body", "change that line"),
        ('remove examples "one"', "nothing-to-change", "write `remove example` before a title"),
        ("remove example", "nothing-to-change", "write `remove examples` for all of them"),
        ("change action lay, without move c to heap\nchange action lay\n  n becomes 2", "changed-twice", ""),
    ],
)
def test_slips(variant: str, code: str, told: str) -> None:
    (found,) = merged(variant).diagnostics
    assert (found.code, told in message(found.hint or "")) == (code, True), found


def test_a_line_that_stands_there_twice() -> None:
    twice = "change action lay, before move c to heap\n  n becomes worth\n"
    (found,) = merged(twice, "change action lay, without n becomes worth").diagnostics
    assert (found.code, len(found.related)) == ("nothing-to-change", 2)


@pytest.mark.parametrize(
    ("variant", "mended"),
    [
        ("change action lay, replacing move c to heap\n  n becomes 1", "change action lay, in place of move c"),
        ("change action lay, replace move c to heap\n  n becomes 1", "change action lay, in place of move c"),
        ("change action lay, instead of move c to heap\n  n becomes 1", "change action lay, in place of move c"),
        ("change action lay after move c to heap\n  n becomes 1", "change action lay, after move c to heap"),
        ("change action lay, insert before move c to heap\n  n becomes 1", "change action lay, before move c to heap"),
        ("change action lay, delete move c to heap", "change action lay, without move c to heap"),
        ("change action lay, after end turn: n becomes 1", "change action lay, after end turn\n  n becomes 1"),
    ],
)
def test_what_is_said_otherwise_is_mended(variant: str, mended: str) -> None:
    text = HEAD + variant + "\n"
    (found, *_) = parse_source(Source("v.rules", text)).diagnostics
    assert HEAD + mended in apply(text, found)


def apply(text: str, found: Diagnostic) -> str:
    for edit in sorted(found.edits, key=lambda one: -one.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
