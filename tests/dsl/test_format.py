"""The laws of the canonical layout: it says the same, it is stable, it keeps every comment."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.dsl import ast
from rulesrun.dsl.format.expressions import WIDTH, fold_line, format_condition, remove_marks
from rulesrun.dsl.format.format import format_file, format_game, is_same_rules, text_of_expression
from rulesrun.dsl.parsing.parse import ParsedFile, parse_source
from rulesrun.dsl.text.source import Source, Span
from tests.dsl.derived import derived_file
from tests.dsl.made_expressions import EXPRESSION, PLACE

GAMES = sorted((Path(__file__).parents[2] / "games").rglob("*.rules"))
HEAD = 'rules 1\ngame "A game"\n\n'


def read(text: str) -> ParsedFile:
    parsed = parse_source(Source("a.rules", text))
    assert not parsed.diagnostics, (text, parsed.diagnostics)
    return parsed


def laid_out(text: str) -> str:
    return format_file(Source("a.rules", text), read(text))


def keeps_the_laws(text: str) -> str:
    once = laid_out(text)
    assert repr(read(once).declarations) == repr(read(text).declarations)
    assert sorted(comment.text for comment in read(once).comments) == sorted(
        comment.text for comment in read(text).comments
    )
    assert laid_out(once) == once
    return once


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_the_laws_hold_for_every_game(path: Path) -> None:
    keeps_the_laws(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_whole_game_as_one_file_has_the_same_pieces(path: Path) -> None:
    declarations = read(path.read_text(encoding="utf-8")).declarations
    game = ast.Game("", "", None, declarations, span=Span("", 0, 0))
    assert repr(read(format_game(game)).declarations) == repr(declarations)


CANONICAL = """
1 + 2 * 3
(1 + 2) * 3
1 - (2 - 3)
1 - 2 - 3
-(-a)
-a * b
-(a + b)
(a div b) mod c
a * b * c
(a and b) or c
a and (b or c)
not (a and b)
not a and b
not a = b
a is nothing
a is not nothing
(a = b) = c
hand is not empty
a in 1..3
a not in hand where rank = 3
(a in hand) = yes
count of hand of p
count of hand where rank = 3
(count of hand where rank = 3) >= 5
count of hand + 1
count of (1..3 where it = 2)
rank of top of hand of p
sum of distinct rank over c in hand where not worthless(c)
(sum of rank over hand) + 1
1 + sum of rank over hand
sum of (sum of rank) over hand
sum of count of hand of p over p in players
count of distinct rank over hand
some c in hand has rank of c = 3 and x
(some c in hand has x) or y
x or some c in hand has y
(some c in hand has x) or (some c in hand has y)
every r in 1..3 has every c in 1..3 has owner[r, c] is not nothing
if a then b else if c then d else e
if (if a then b else c) then d else e
(if a then b else c) + 1
not if a then b else c
the p in players where not folded of p with highest rank of top of hand of p
(those c in hand with lowest rank of c) where x
item 2 of row
item (a + 1) of row
{1, 3}
{red 7, blue 7}
{a + 1}
{}
f(a, 1..3)
f(hand where rank = 3)
a[1, b + 1]
can exchange
before (count of hand) + 1
hand where rank = 3
(hand where rank = 3) where x
(count of hand) where x
(a or b) where c
1..3
1..3 where it > 1
"""
EXPRESSIONS = CANONICAL.strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_brackets_stay_only_where_they_are_needed(expression: str) -> None:
    text = f"{HEAD}define x = {expression}\n"
    assert keeps_the_laws(text) == text


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("((1))", "1"),
        ("(a and b)", "a and b"),
        ("(a * b) + c", "a * b + c"),
        ("(not a) and (b = c)", "not a and b = c"),
        ("(count of hand) >= 5", "count of hand >= 5"),
        ("a and b or c", "(a and b) or c"),
        ("a=b", "a = b"),
        ("a = nothing", "a is nothing"),
        ("f( a,b )", "f(a, b)"),
        ("{ red  7,blue 7 }", "{red 7, blue 7}"),
        ("(1 + 2) + 3", "1 + 2 + 3"),
        ("a..b", "a..b"),
        ("count of (hand where rank = 3)", "count of hand where rank = 3"),
    ],
)
def test_needless_brackets_and_blanks_go(written: str, canonical: str) -> None:
    assert keeps_the_laws(f"{HEAD}define x = {written}\n") == f"{HEAD}define x = {canonical}\n"


def test_comments_keep_their_places() -> None:
    text = """\
rules 1   # the edition
#first
game "A game"


# about the zone

# more about it
## a note
zone  a: pile of Card,hidden#tail
setup
      # before the first
      shuffle a   # now
      # inside
      if x
          # deeper
          end game
      # after the last
   # odd
# at the end
"""
    expected = """\
rules 1  # the edition
#first
game "A game"

# about the zone

# more about it
## a note
zone a: pile of Card, hidden  #tail

setup
  # before the first
  shuffle a  # now
  # inside
  if x
    # deeper
    end game
    # after the last
    # odd
# at the end
"""
    assert keeps_the_laws(text) == expected


def test_comments_inside_of_a_long_line_stand_above_it() -> None:
    text = HEAD + "values Colour: red,   # one\n    orange,   # two\n    # three\n    blue   # four\n"
    once = keeps_the_laws(text)
    assert once == HEAD + "# one\n# two\n# three\nvalues Colour: red, orange, blue  # four\n"


def test_blank_lines() -> None:
    text = """\
rules 1
game "A game"
players 2



option a: 1..2 = 1
option b: 1..2 = 1


option c: 1..2 = 1
zone a: pile of Card, hidden
action x
action y
  end turn
action z
score

  points = 1
  more = 2

  most = 3
"""
    expected = """\
rules 1
game "A game"
players 2

option a: 1..2 = 1
option b: 1..2 = 1

option c: 1..2 = 1

zone a: pile of Card, hidden

action x

action y
  end turn

action z

score
  points = 1
  more = 2

  most = 3
"""
    assert keeps_the_laws(text) == expected


LONG = " and ".join(f"some_longer_name_{number} = {number}" for number in range(12))


@pytest.mark.parametrize(
    "piece",
    [
        f"define long = {LONG}",
        f"define long = f({LONG.replace(' and ', ', ').replace(' = ', ' + ')})",
        f'always "a title": {LONG.replace(" and ", " or ")}',
        "values Colour: " + ", ".join(f"colour_number_{number}" for number in range(30)),
        f'action a\n  needs {LONG} because "{"x" * 40}"',
        f"action a\n  if {LONG}\n    end turn\n  otherwise if {LONG}\n    end game",
        "define f = if " + " else if ".join(f"a_name = {number} then {number}" for number in range(9)) + " else 0",
        "define long = " + " + ".join(f"some_longer_name_{number}" for number in range(12)),
    ],
)
def test_long_lines_are_broken(piece: str) -> None:
    once = keeps_the_laws(f"{HEAD}{piece}\n")
    assert max(map(len, once.splitlines())) <= WIDTH


def test_a_text_is_never_broken() -> None:
    text = '"' + "a, b and c or d = e " * 12 + '"'
    assert text in "\n".join(fold_line(f"needs x because {text}", 1))


def test_a_long_table_has_a_line_for_each_case() -> None:
    cases = [f"{number}: some_longer_value_{number}" for number in range(9)]
    once = keeps_the_laws(f"{HEAD}table worth(n 0..8): {', '.join(cases)}\n")
    assert once == f"{HEAD}table worth(n 0..8):\n  " + "\n  ".join(cases) + "\n"
    assert keeps_the_laws(f"{HEAD}table worth(n 0..1):\n  0: 1\n  1: 2\n") == f"{HEAD}table worth(n 0..1): 0: 1, 1: 2\n"


def test_a_changed_table_keeps_its_cases_where_they_stood() -> None:
    head = 'rules 1\nvariant "A variant" of "base.rules"\n\n'
    for change in ("change table worth(n 0..1):\n  0: 1\n  1: 2\n", "change table worth(n 0..1): 0: 1, 1: 2\n"):
        assert keeps_the_laws(head + change) == head + change


def test_a_long_sentence_stands_on_several_lines() -> None:
    sentence = " ".join(f"word{number}" for number in range(60))
    once = keeps_the_laws(f'{HEAD}reading a: b, c = b\n  "{sentence}"\n')
    assert max(map(len, once.splitlines())) <= WIDTH
    (piece,) = read(once).declarations[2:]
    assert isinstance(piece, ast.Option)
    assert piece.sentence == sentence


DEEP = 45


@pytest.mark.parametrize(
    "deep",
    [
        "a and (b or (" * (DEEP // 2) + "c" + "))" * (DEEP // 2),
        "count of (count of hand where " * (DEEP // 4) + "a" + ")" * (DEEP // 4),
        "(count of " * (DEEP // 2) + "hand" + " where a)" * (DEEP // 2),
        "if " * 1 + "a then b else if " * DEEP + "c then d else e",
        "some a in hand has " * DEEP + "b",
        "-(" * DEEP + "1" + ")" * DEEP,
    ],
)
def test_what_is_nested_deep_is_laid_out_quickly(deep: str) -> None:
    started = process_time()
    keeps_the_laws(f"{HEAD}define x = {deep}\n")
    assert process_time() - started < 5


def test_other_ends_of_lines() -> None:
    text = HEAD + "# one\nvalues A: b, c\nsetup\n  end game  # two\n"
    assert laid_out(text.replace("\n", "\r\n")) == laid_out(text)
    assert laid_out("\ufeff" + text) == laid_out(text)


def test_nothing_is_no_line() -> None:
    assert format_game(ast.Game("", "", None, (), span=Span("", 0, 0))) == ""


# ---------------------------------------------------------------- any expression


@settings(max_examples=300, deadline=None)
@given(EXPRESSION)
def test_any_expression_reads_back_as_it_was(expression: ast.Expr) -> None:
    (piece,) = read(f"{HEAD}define x = {text_of_expression(expression)}\n").declarations[2:]
    assert isinstance(piece, ast.Define)
    assert repr(piece.body) == repr(expression)
    (other,) = read(f"{HEAD}require {remove_marks(format_condition(expression))}\n").declarations[2:]
    assert isinstance(other, ast.Require)
    assert repr(other.condition) == repr(expression)


@settings(max_examples=100, deadline=None)
@given(EXPRESSION, EXPRESSION)
def test_any_statement_keeps_the_laws(first: ast.Expr, second: ast.Expr) -> None:
    place, where = ast.Name("hand", span=PLACE), format_condition(second)
    deal = ast.Deal("draw", True, first, first, second, False, place, None, span=PLACE)
    each = ast.ForEach(ast.Each(place, first, span=PLACE), ast.Order(True, second, span=PLACE), (deal,), span=PLACE)
    player = ast.EachPlayer(first, second, None, (ast.Move(True, first, second, None, span=PLACE),), span=PLACE)
    turns = ast.Turns(True, first, second, first, second, (each,), span=PLACE)
    setup = ast.Setup(False, (turns, player, ast.Becomes(place, second, span=PLACE)), span=PLACE)
    game = ast.Game("", "", None, (ast.Edition(1, span=PLACE), setup), span=PLACE)
    assert where
    text = format_game(game)
    assert repr(read(text).declarations) == repr(game.declarations)
    assert laid_out(text) == text


# ---------------------------------------------------------------- comments anywhere

REMARKS = st.lists(
    st.tuples(st.integers(0, 10_000), st.sampled_from(["# a", "#b", "## c", "  # d", "      # e", "", " #f", "   "])),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([path for path in GAMES if path.stat().st_size < 6000]), REMARKS)
def test_comments_and_blank_lines_anywhere(path: Path, remarks: list[tuple[int, str]]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for at, remark in remarks:
        place = at % len(lines)
        if remark.startswith(" #") and lines[place]:
            lines[place] += remark
        else:
            lines.insert(place, remark)
    keeps_the_laws("\n".join(lines) + "\n")


def test_a_comment_below_let_stays_there() -> None:
    text = "rules 1\n\nsetup\n  let a = 1 + 1\n  # of a\n  let b = a  # at its end\n  # of both\n  told becomes a + b\n"
    assert keeps_the_laws(text) == text


# ---------------------------------------------------------------- files derived from the grammar


def keeps_the_laws_of_derived_files(seed: int, size: int) -> None:
    text = derived_file(Random(seed), size)
    once = keeps_the_laws(text)
    assert is_same_rules(read(text), once)
    assert remarks_in(text) == remarks_in(once)


def remarks_in(text: str) -> list[str]:
    return sorted(line.strip() for line in text.splitlines() if line.strip().startswith("#"))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_any_file_that_the_grammar_derives_keeps_the_laws(seed: int) -> None:
    keeps_the_laws_of_derived_files(seed, 4)


@pytest.mark.long
@settings(max_examples=4000, deadline=None)
@given(st.integers(0, 10**9))
def test_thousands_of_files_that_the_grammar_derives_keep_the_laws(seed: int) -> None:
    keeps_the_laws_of_derived_files(seed, 5)


def test_what_is_laid_out_otherwise_is_noticed() -> None:
    text = HEAD + "# a remark\ndefine x = a and (b or c)\n"
    assert is_same_rules(read(text), laid_out(text))
    for other in ("define x = (a and b) or c\n", "# a remark\ndefine x = (a and b) or c\n", "define x = (\n"):
        assert not is_same_rules(read(text), HEAD + other)


# ---------------------------------------------------------------- where a line is broken

LAID_OUT = """\
can happen "the third round decides a tie": hand is empty
    and some p in players has place of p > 1 and total of p = highest of total of o over o in players
always "all is well": (every p in players has some_longer_condition_of(p) and another_condition of p)
    and (some p in players has
      some_longer_condition_of(p)
      and another_condition of p > some_longer_value_of_a_player
      and (out of p or another_condition of p))
    and phase = play

define matching_dice =
    count of 1..dice_left_to_the_player where die_of_player[it] = face_that_was_said or die[it] = sides
define first_of_several_that_fit(c Card, r Row) = some d in hand has some s in Row has
    d is not c and goes_on(number of d, after(c, r, s), s) and (minimum = 2 or third(c, r, d, s))
define worth_of_all =
    (sum of worth_of_a_thing(c) over c in everything_that_lies_open where c in hand of player) +
    the_number_of_things_that_have_no_worth * what_they_would_be_worth_if_they_had_any

at end of game "sums": (sum of count of won of p over p in players) + count of lost +
    count of prize_pile_left = all_the_cards
"""


def test_a_line_is_broken_at_what_is_outermost_and_what_is_inside_stands_deeper() -> None:
    assert keeps_the_laws(HEAD + LAID_OUT) == HEAD + LAID_OUT


def test_no_phrase_is_broken() -> None:
    words = " ".join(f"a_long_name_number_{number} of" for number in range(9))
    line = f"define x = {words} hand and item 3 of {words} row and the c in {words} hand with highest {words} c"
    phrases = keeps_the_laws(f"{HEAD}{line}\n").splitlines()[3:]
    assert [phrase.split()[0] for phrase in phrases] == ["define", "and", "and"]


def test_copies_keep_their_brackets() -> None:
    for copies in ("largest(wagers, 1)", "(a + 1)", "wagers", "4", "(wagers[1])"):
        text = f"{HEAD}card Card: number 1..3, {copies} of each\n"
        assert keeps_the_laws(text) == text


def test_what_is_removed_keeps_its_quotes() -> None:
    text = 'rules 1\nvariant "A variant" of "base.rules"\n\nremove zone hand\nremove table "or"\nremove never "a, 2"\n'
    assert keeps_the_laws(text) == text


def test_a_note_inside_of_a_sentence_is_not_a_note_of_the_reading() -> None:
    keeps_the_laws(f'{HEAD}reading a: b, c = b\n  #b "x"\n  "one"\n  ## two\n  "three"\n')


@pytest.mark.parametrize("piece", [
    "players (count of distinct a over b)..3",
    "card Card: rank 1..(count of Colour) where rank > 2",
    "card Card: rank 1..count of Colour",
    "option a: row of 0..9 up to (sum of a over b where c) = {1}",
    "setup\n  record a, (sum of a over b where c) in seen",
    'example "some"\n  given (sum of a over b where c) = 3',
])  # fmt: skip
def test_what_would_take_in_what_follows_keeps_its_brackets(piece: str) -> None:
    text = f"{HEAD}{piece}\n"
    assert keeps_the_laws(text) == text


def test_a_note_among_the_cases_of_a_table_stays_there() -> None:
    text = f"{HEAD}table worth(n 0..1):\n  0: 1\n  ## the last\n  1: 2\n"
    assert keeps_the_laws(text) == text


def test_nobody_else_gets_the_marks() -> None:
    """Who shows a formula to people takes it from `dsl.format`, or rows, whose text has no marks."""
    marked = re.compile(r"from rulesrun[.]dsl[.]format[.](?:expressions|statements|pieces|examples) import (.*)")
    root = Path(__file__).parents[2]
    others = [path for room in ("dsl", "interpreter", "rulesrun") for path in (root / room).rglob("*.py")]
    for path in others:
        if path.parent.name != "format":
            names = {name.strip() for found in marked.findall(path.read_text("utf-8")) for name in found.split(",")}
            assert names <= {"format_piece", "format_statement"}, path
