"""Hints for looks: read, laid out, merged with those of a variant, told to pages; the game is the same without them."""

from __future__ import annotations

import json

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.looks import LAYOUTS, fits_aspect
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import Reading, make_text_file, read_chain, read_text
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.locale.language import known_languages, list_labels
from rulesrun.records.traces import trace_random_game
from rulesrun.table.session import Session

RULES = """rules 1
game "Heap"
players 2
values Colour: red, blue
card Card: colour Colour, rank 1..3
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
number laid: 0..9 = 0
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: turns from 1 until stock is empty
  draw 1 from stock to hand
  choose lay, always possible
action lay(give from hand)
  move give to heap
  if laid < 9
    laid increases by 1
score at end
  points = count of hand
ranking: highest total, ties share
"""
LOOKS = """look colours
  red: "#8b1e3f"
  Card: "#c9b458"
look layout
  heap: "spread large"
  laid: "unseen"
look symbols
  red: "♥"
  heap: "▲"
words ru
  heap: "куча"
"""


def looks_of(reading: Reading) -> dict[str, dict[str, str]]:
    assert reading.game is not None
    assert not reading.diagnostics
    return reading.game.list_looks()


def lay_out(text: str) -> str:
    source = Source("x.rules", text)
    return format_file(source, parse_source(source))


def test_they_are_told_to_a_page() -> None:
    reading = read_text(RULES + LOOKS)
    session = Session.open(reading, 2, engine="reference")
    told = session.feed(0)[0]["look"]
    assert told == {
        "colours": {"red": "#8b1e3f", "Card": "#c9b458"}, "layout": {"heap": "spread large", "laid": "unseen"},
        "symbols": {"red": "♥", "heap": "▲"},
    }  # fmt: skip
    assert told == looks_of(reading)


def test_they_change_nothing_of_the_game() -> None:
    """Event by event; only the digest of the file is another."""
    traces = []
    for text in (RULES, RULES + LOOKS):
        reading = read_text(text)
        assert reading.program is not None
        lines = [json.loads(line) for line in trace_random_game(reading, set_up_table(reading.program, 2), 3)]
        traces.append([one | {"rules": ""} for one in lines])
    assert traces[0] == traces[1]


def test_they_are_no_language() -> None:
    game = read_text(RULES + LOOKS).game
    assert {"colours", "symbols", "layout"}.isdisjoint(known_languages([game]))
    assert list_labels(game, "colours") == {}
    assert list_labels(game, "ru") == {"heap": "куча"}


def test_fmt_lays_them_out_and_leaves_them_so() -> None:
    untidy = RULES + 'look   layout\n    heap :"large"\n'
    tidy = lay_out(untidy)
    assert 'look layout\n  heap: "large"\n' in tidy
    assert lay_out(tidy) == tidy


@pytest.mark.parametrize(("change", "colours"), [
    ('look colours\n  blue: "#000011"\n', {"red": "#8b1e3f", "Card": "#c9b458", "blue": "#000011"}),
    ('look colours\n  red: "#000011"\n', {"Card": "#c9b458", "red": "#000011"}),
    ("remove look colours\n", None), ('change look colours\n  blue: "#000011"\n', {"blue": "#000011"}),
])  # fmt: skip
def test_a_variant_adds_replaces_removes_them(change: str, colours: dict[str, str] | None) -> None:
    base = make_text_file("base.rules", RULES + LOOKS)
    variant = make_text_file("own.rules", f'rules 1\nvariant "Own" of "base.rules"\n{change}')
    looks = looks_of(read_chain(variant, [base, variant]))
    assert looks.get("colours") == colours
    assert looks["layout"]["laid"] == "unseen"


@pytest.mark.parametrize(("look", "code", "hint"), [
    ('look colors\n  red: "#112233"\n', "unknown-look", "did you mean `colours`?"),
    ('look colours\n  red: "reddish"\n', "unknown-look", "a colour is written as red, green and blue: `#c1303c`"),
    ('look symbols\n  red: "a long word"\n', "unknown-look", "a symbol is one sign, such as `♥`"),
    ('look layout\n  heap: "oval"\n', "unknown-look",
     f"the layouts are {', '.join(LAYOUTS)}; write several side by side"),
    ('look layout\n  haep: "large"\n', "unknown-label", "did you mean `heap`?"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_said(look: str, code: str, hint: str) -> None:
    reading = read_text(RULES + look)
    assert [(one.code, one.hint, one.severity) for one in reading.diagnostics] == [(code, hint, "warning")]
    assert reading.program is not None, "the game can be played all the same"
    assert reading.game is not None
    assert all(not hints or code == "unknown-label" for hints in reading.game.list_looks().values())


@pytest.mark.parametrize(("aspect", "text", "fits"), [
    ("colours", "#a1B2c3", True), ("colours", "#a1B2c", False), ("colours", "#a1B2c3;x", False), ("colours", "", False),
    ("symbols", "♥", True), ("symbols", "", False), ("symbols", "a b", False), ("layout", "large line", True),
    ("layout", "", False), ("layout", "large huge", False),
])  # fmt: skip
def test_what_fits(aspect: str, text: str, fits: bool) -> None:
    assert fits_aspect(aspect, text) == fits


def test_it_is_a_word_only_where_a_piece_begins() -> None:
    """A rulebook may call something so."""
    reading = read_text(RULES.replace("action lay(", "action look(").replace("choose lay", "choose look"))
    assert not reading.diagnostics


def test_below_small_it_does_not_belong() -> None:
    reading = read_text(RULES + 'small "x"\n  look colours\n    red: "#112233"\n')
    assert [one.code for one in reading.diagnostics] == ["misplaced-piece"]


def test_it_is_as_words_are() -> None:
    """Whoever leaves words aside leaves looks aside."""
    assert issubclass(ast.Look, ast.Words)
