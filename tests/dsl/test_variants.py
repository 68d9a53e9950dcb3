"""A base and its variants: what changes, what stays, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import format_game
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.variants.extend import AssembledGame, assemble_game

BASE = """\
rules 1
game "The base"
players 2..5

card Goal: letter 1..3, worth 1..9
  first: 1, 2
  second: 2, 3

option fast: yes or no = no
reading when: now, later = now

zone stock: pile of Goal, hidden

number passes: 0..2 = 0, each round

define doubled(n 1..9) = 2 * n

setup
  shuffle all Goal into stock

## Once.
phase main: turns from 1 until passes = 2
  choose pass or go

action pass
  passes increases by 1

action go
  needs passes = 0
  end turn

score at end
  points = 1
  bonus = 2

ranking: highest total, ties share

always "few passes": passes <= 2

example "nothing"
  then passes = 0

words ru
  pass: "пас"
"""


def together(*variants: str, base: str = BASE) -> AssembledGame:
    """Variants are named v1.rules, v2.rules …; each says of which file it is one."""
    files = [("base.rules", base)]
    files += [(f"v{at}.rules", f"rules 1\n{text}") for at, text in enumerate(variants, 1)]
    chain = []
    for name, text in files:
        source = Source(name, text)
        parsed = parse_source(source)
        assert not parsed.diagnostics, parsed.diagnostics
        chain.append((source, parsed))
    return assemble_game(files[-1][0], chain)


def variant(text: str, of: str = "base.rules") -> str:
    return f'variant "A variant" of "{of}"\n{text}\n'


def expanded(*variants: str) -> str:
    assembled = together(*variants)
    assert not assembled.diagnostics, assembled.diagnostics
    return format_game(assembled.game)


def codes(*variants: str) -> list[str]:
    return [found.code for found in together(*variants).diagnostics]


def test_a_base_alone_stays_as_it_is() -> None:
    assembled = together()
    assert not assembled.diagnostics
    assert (assembled.game.title, assembled.game.file, assembled.game.base) == ("The base", "base.rules", None)
    assert format_game(assembled.game) == BASE


def test_the_title_and_the_files() -> None:
    game = together(variant("set fast = yes")).game
    assert (game.title, game.file, game.base) == ("A variant", "v1.rules", "base.rules")
    assert format_game(game) == BASE.replace("The base", "A variant").replace("yes or no = no", "yes or no = yes")


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        ("change number passes: 0..3 = 0, each round", "number passes: 0..2", "number passes: 0..3"),
        ("change players 3", "players 2..5", "players 3"),
        (
            "change phase main: turns from 2 until passes = 3",
            "turns from 1 until passes = 2",
            "turns from 2 until passes = 3",
        ),
        (
            "change phase main\n  choose pass",
            "## Once.\nphase main: turns from 1 until passes = 2\n  choose pass or go",
            "phase main\n  choose pass",
        ),
        ("change action go(n in 1..3)", "action go\n", "action go(n in 1..3)\n"),
        ("change action go\n  end game", "  needs passes = 0\n  end turn", "  end game"),
        ("change reading when: now, later = later", "later = now", "later = later"),
        ("change define doubled(n 1..9) = n + n", "2 * n", "n + n"),
        ("change setup\n  shuffle stock", "shuffle all Goal into stock", "shuffle stock"),
        ("change ranking: lowest total", "highest total, ties share", "lowest total"),
        ('change always "few passes": passes <= 3', "passes <= 2\n", "passes <= 3\n"),
        ('change example "nothing"\n  todo', "then passes = 0", "todo"),
        ("change score each round", "score at end", "score each round"),
        ("change line points: 5", "points = 1", "points = 5"),
        ("add line more: 5", "bonus = 2\n", "bonus = 2\n  more = 5\n"),
        ("remove line bonus", "  bonus = 2\n", ""),
        ("change row first of Goal: 3, 3", "first: 1, 2", "first: 3, 3"),
        ("add row third of Goal: 3, 4", "second: 2, 3\n", "second: 2, 3\n  third: 3, 4\n"),
        ("remove row first of Goal", "  first: 1, 2\n", ""),
        ("remove option fast", "option fast: yes or no = no\n", ""),
        ('remove always "few passes"', 'always "few passes": passes <= 2\n\n', ""),
        ('remove property "few passes"', 'always "few passes": passes <= 2\n\n', ""),
        ('remove example "nothing"', 'example "nothing"\n  then passes = 0\n\n', ""),
        ("remove card Goal", "card Goal: letter 1..3, worth 1..9\n  first: 1, 2\n  second: 2, 3\n\n", ""),
        ("remove ranking", "ranking: highest total, ties share\n\n", ""),
        ("option more: 1..3 = 1", "or no = no\n", "or no = no\noption more: 1..3 = 1\n"),
        ('words ru\n  go: "ход"\n  pass: "нет"', 'pass: "пас"', 'go: "ход"\n  pass: "нет"'),
    ],
)
def test_what_a_variant_changes_and_nothing_else(change: str, before: str, after: str) -> None:
    titled = BASE.replace("The base", "A variant")
    assert before in titled
    assert expanded(variant(change)) == titled.replace(before, after)


def test_a_new_piece_stands_after_those_of_its_kind() -> None:
    text = expanded(variant("action extra\n  end turn"))
    assert text == BASE.replace("The base", "A variant").replace("\nscore at", "\naction extra\n  end turn\n\nscore at")


def test_notes_of_the_change_replace_the_old_ones() -> None:
    assert "## Twice.\nphase main: turns from 2 until passes = 2" in expanded(
        variant("## Twice.\nchange phase main: turns from 2 until passes = 2")
    )


def test_a_variant_of_a_variant_may_change_the_same_piece_again() -> None:
    first = variant("change number passes: 0..3 = 0")
    second = variant("change number passes: 0..4 = 0", of="v1.rules")
    assert "number passes: 0..4 = 0\n" in expanded(first, second)
    game = together(first, second).game
    assert game.base == "v1.rules"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("change number passes: 0..3 = 0", "change number passes: 0..4 = 0"),
        ("change number passes: 0..3 = 0", "remove number passes"),
        ("remove number passes", "change number passes: 0..3 = 0"),
        ("set fast = yes", "change option fast: yes or no = yes"),
        ("action extra", "action extra"),
        ("change row first of Goal: 3, 3", "remove row first of Goal"),
        ("change line points: 3", "change line points: 4"),
        ("change line points: 3", "change score at end\n  points = 7"),
        ("remove card Goal", "change row first of Goal: 3, 3"),
    ],
)
def test_two_variants_side_by_side_must_not_touch_the_same_piece(first: str, second: str) -> None:
    found = together(variant(first), variant(second)).diagnostics
    assert [one.code for one in found] == ["conflicting-variants"]
    assert found[0].span.file == "v2.rules"
    assert [other.span.file for other in found[0].related] == ["v1.rules"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("change line points: 3", "add line more: 4"),
        ("change row first of Goal: 3, 3", "add row third of Goal: 3, 4"),
        ("change action pass\n  end game", "change action go\n  end game"),
        ("set fast = yes", "set when = later"),
    ],
)
def test_two_variants_may_touch_different_pieces(first: str, second: str) -> None:
    assert not together(variant(first), variant(second)).diagnostics


@pytest.mark.parametrize(
    ("change", "code", "hint"),
    [
        ("change number pases: 0..3 = 0", "nothing-to-change", "did you mean `passes`?"),
        (
            "change marker passes: player or nothing", "nothing-to-change",
            "`passes` is a number: write `change number passes`",
        ),
        ("remove action pas", "nothing-to-change", "did you mean `pass`?"),
        ("remove result", "nothing-to-change", None),
        ("set fastt = yes", "nothing-to-change", "did you mean `fast`?"),
        ("change row fist of Goal: 1, 1", "nothing-to-change", "did you mean `first`?"),
        ("change line point: 1", "nothing-to-change", "did you mean `points`?"),
        ("remove row first", "nothing-to-change", "say which components: `remove row first of …`"),
        ("remove line nothing_like_it", "nothing-to-change", None),
        ("action pass", "duplicate-name", "to replace it, write `change` before it"),
        ('always "few passes": 1 = 1', "duplicate-name", "to replace it, write `change` before it"),
        ("setup\n  shuffle stock", "duplicate-name", "to replace it, write `change` before it"),
        ('game "Another"', "duplicate-name", "the title is in the line `variant`"),
        ("add row first of Goal: 1, 1", "duplicate-name", "to replace it, write `change row`"),
        ("add line points: 1", "duplicate-name", "to replace it, write `change line`"),
        ("remove action go\nchange action go\n  end game", "changed-twice", None),
    ],
)
def test_what_does_not_fit_the_base(change: str, code: str, hint: str | None) -> None:
    found = together(variant(change)).diagnostics
    assert [(one.code, one.hint) for one in found] == [(code, hint)]
    assert found[0].span.file == "v1.rules"


def test_only_a_variant_changes_things() -> None:
    assert [one.code for one in together(base=BASE + "\nset fast = yes\n").diagnostics] == ["not-a-variant"]
    assert codes('game "No variant"\nset fast = yes') == ["not-a-variant"]
    assert [one.code for one in together(base=f"rules 1\n{variant('set fast = yes')}").diagnostics] == ["missing-base"]


def test_words_of_one_language_are_one_piece() -> None:
    game = together(base=BASE + '\nwords ru\n  go: "ход"\n').game
    (words,) = [piece for piece in game.declarations if isinstance(piece, ast.Words)]
    assert [item.name.text for item in words.items] == ["pass", "go"]


GAMES = Path(__file__).parents[2] / "games"


@pytest.mark.parametrize("path", sorted(GAMES.glob("variants/*.rules")), ids=lambda path: path.stem)
def test_a_bundled_variant_as_one_file_has_the_same_pieces(path: Path) -> None:
    chain = []
    base = re.search(r'^variant ".*" of "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert base is not None
    for name in ((path.parent / base[1]).resolve(), path):
        source = Source(str(name.relative_to(GAMES)), name.read_text(encoding="utf-8"))
        chain.append((source, parse_source(source)))
    assembled = assemble_game(path.name, chain)
    assert not assembled.diagnostics
    text = format_game(assembled.game)
    parsed = parse_source(Source("whole.rules", text))
    assert not parsed.diagnostics
    assert repr(parsed.declarations) == repr((*assembled.game.declarations, *assembled.game.smalls))


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ('game "Again"', "said-twice"),
        ("players 3", "said-twice"),
        ("setup\n  shuffle stock", "said-twice"),
        ("setup round\n  shuffle stock\n\nsetup round\n  shuffle stock", "said-twice"),
        ("score at end\n  more = 2", "said-twice"),
        ("ranking: lowest total", "said-twice"),
        ('never "few passes": passes > 2', "duplicate-name"),
        ('example "nothing"\n  todo', "duplicate-name"),
    ],
)
def test_what_can_be_said_once(extra: str, code: str) -> None:
    found = together(base=f"{BASE}\n{extra}\n").diagnostics
    assert [one.code for one in found] == [code]
    assert BASE.count("\n") <= found[0].span.start
    assert found[0].related[0].span.start < found[0].span.start


def test_what_a_rulebook_needs() -> None:
    assert [one.code for one in together(base=BASE.replace('game "The base"', "")).diagnostics] == ["missing-title"]
