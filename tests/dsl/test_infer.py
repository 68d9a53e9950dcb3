"""Types: what fits where, the bounds of numbers, and that everything has a type and a meaning."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.notebook import calculate_bounds
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.typing.types import CollectionOf, NumberOf, OptionalOf, PlayerOf, Type
from tests.dsl.marked import CARDS, HEADER, PLAY, checked, complaints, expect, program

GAMES = sorted((Path(__file__).parents[2] / "games").glob("*.rules"))
GAMES += sorted((Path(__file__).parents[2] / "games" / "classics").glob("*.rules"))


def type_of_line(expression: str, pieces: str = "") -> Type:
    """The type of `define x = …`."""
    found = program(CARDS + PLAY + pieces + f"define x = {expression}\n")
    [define] = [piece for piece in found.game.declarations if isinstance(piece, ast.Define) and piece.name.text == "x"]
    return found.types[define.body]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_expression_of_a_bundled_game_has_a_type_and_every_name_a_meaning(path: Path) -> None:
    found = checked(path.read_text(encoding="utf-8"))
    assert isinstance(found, Program), [one.message for one in found.diagnostics]
    assert found.warnings == ()
    silent = {node for node in walk(found.game) if isinstance(node, ast.Words | ast.Option | ast.Result)}
    expressions = get_args(ast.Expr)
    for piece in found.game.declarations:
        if piece in silent:
            continue
        declared = {getattr(node, "name", None) for node in walk(piece) if not isinstance(node, ast.Index | ast.Call)}
        for node in walk(piece):
            if isinstance(node, ast.Name):
                assert node in found.names or node in declared, node
            elif isinstance(node, expressions):
                assert node in found.types, node


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("players + 1", 3, 5),
        ("2 * players - 1", 3, 7),
        ("-players", -4, -2),
        ("players mod 3", 0, 2),
        ("players div 2", 1, 2),
        ("count of hand", 0, 15),
        ("count of Card", 15, 15),
        ("count of Colour", 3, 3),
        ("sum of rank over hand", 0, 75),
        ("highest of rank over heap", 1, 5),
        ("smallest(players, 3)", 2, 3),
        ("if stock is empty then 1 else players", 1, 4),
        ("rank of top of heap", 1, 5),
        ("count of (heap where colour = red)", 0, 15),
    ],
)
def test_bounds_follow_from_what_is_declared(expression: str, low: int, high: int) -> None:
    assert type_of_line(expression) == NumberOf(low, high)


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("-", (0, 3), (1, 2), (-2, 2)),
        ("*", (-2, 3), (-5, 4), (-15, 12)),
        ("div", (-7, 7), (2, 2), (-4, 3)),
        ("mod", (-7, 7), (3, 3), (0, 2)),
        ("mod", (1, 2), (5, 9), (1, 2)),
        ("/", (1, 3), (2, 2), (0, 2)),
    ],
)
def test_arithmetic_of_bounds_holds_every_result(
    operator: str, left: tuple[int, int], right: tuple[int, int], expected: tuple[int, int]
) -> None:
    found = calculate_bounds(operator, NumberOf(*left), NumberOf(*right))
    assert found == NumberOf(*expected)
    whole = {"-": int.__sub__, "*": int.__mul__, "div": int.__floordiv__, "mod": int.__mod__}
    if operator in whole:
        results = [
            whole[operator](a, b)
            for a in range(left[0], left[1] + 1)
            for b in range(right[0], right[1] + 1)
            if b or operator in {"-", "*"}
        ]
        assert found.low <= min(results)
        assert max(results) <= found.high


def test_a_number_is_a_seat_where_a_player_is_expected() -> None:
    assert type_of_line("count of hand of 1") == NumberOf(0, 15)
    expect(CARDS + PLAY + "define x = count of hand of 5 #! no-such-seat\n")


def test_nothing_is_for_optional_things_alone() -> None:
    assert type_of_line("if stock is empty then nothing else player") == OptionalOf(PlayerOf())
    text = "define x(n 1..3) = n is nothing #! never-nothing\n"
    expect(CARDS + PLAY + text)


def test_lists_and_sets() -> None:
    assert type_of_line("sorted of rank over hand") == CollectionOf(NumberOf(1, 5))
    assert isinstance(type_of_line("those p in players with highest count of hand of p"), CollectionOf)
    assert type_of_line("1 in {1, 3}") == type_of_line("heap is empty")
    assert type_of_line("(the c in heap with highest rank) in {red 1, blue 5}") == type_of_line("heap is empty")


@pytest.mark.parametrize(
    "line",
    [
        "  move all heap to 3 #! not-a-zone",
        "  move 3 to heap #! wrong-type",
        "  move hand to heap #! wrong-type",
        "  deal stock from stock to each hand #! wrong-type",
        "  deal 1 from stock to each heap #! not-per-player",
        "  each c in players + 1 #! not-a-collection\n    end game",
        "  starter becomes red #! wrong-type",
        "  stock becomes 3 #! not-assignable",
        "  if heap #! wrong-type\n    end game",
        "  if rank of hand = 1 #! wrong-type\n    end game",
        "  if count of heap of player = 1 #! not-per-player\n    end game",
        "  if count of stock = red #! wrong-type\n    end game",
        "  if colour of top of heap > red #! wrong-type\n    end game",
        "  if 3 div 0 = 1 #! division-by-zero\n    end game",
        "  if before (count of heap) = 1 #! before-outside-after\n    end game",
        "  if it = player #! no-element\n    end game",
        "  show 3 #! wrong-type",
        "  each c in Card\n    move c to heap #! not-movable",
        "  roll heap #! not-assignable",
        "  repeat until 3 #! wrong-type\n    end game",
    ],
)
def test_what_does_not_fit_is_said_at_its_place(line: str) -> None:
    expect(CARDS + PLAY + f"phase more\n{line}\n")


@pytest.mark.parametrize("line", ["shuffle all Card into spot #! not-shuffled", "shuffle tidy #! not-shuffled",
                                  "shuffle all Card into rack of 1 #! not-shuffled"])
def test_only_what_may_lie_in_any_order_is_shuffled(line: str) -> None:
    zones = "zone spot: place of Card, public\nzone tidy: pile of Card, hidden, sorted by rank\n"
    rack = "zone rack of player: row of Card, private\n"
    expect(CARDS + PLAY + zones + rack + f"phase more\n  {line}\n")


def test_components_go_only_where_they_belong() -> None:
    text = "token Chip: colour Colour\nzone chips: set of Chip, public\nsetup round\n  move all Chip to chips\n"
    expect(CARDS + PLAY + text + "  move all Chip to heap #! wrong-zone-component\n")


def test_definitions_cannot_rest_on_themselves() -> None:
    text = "define one = two + 1\ndefine two = one #! recursive-definition\n"
    assert [one.code for one in complaints(CARDS + PLAY + text)] == ["recursive-definition"]


def test_steps_and_actions_cannot_do_themselves() -> None:
    text = "step again #! recursive-definition\n  do again\nphase more\n  do again\n"
    expect(CARDS + PLAY + text)
    expect(CARDS + PLAY.replace("move given to heap", "move given to heap\n  choose lay if possible").replace(
        "action lay(given from hand)", "action lay(given from hand) #! recursive-definition"))


def test_an_action_cannot_ask_for_itself() -> None:
    text = PLAY.replace("  move given", "  needs possible\n  move given")
    text = text.replace("hand)", "hand) #! recursive-definition")
    expect(CARDS + text + "define possible = can lay\n")


def test_a_long_chain_of_definitions_is_no_trouble() -> None:
    chain = "".join(f"define d{n} = d{n + 1} + 1\n" for n in range(2000))
    program(CARDS + PLAY + chain + "define d2000 = 1\nscore at end\n  x = d0\n")


def test_a_knot_of_deep_definitions_ends_in_a_diagnostic() -> None:
    opening, closing = "(1 + " * 25, ")" * 25
    knot = "".join(f"define d{n} = {opening}d{(n + 1) % 300}{closing}\n" for n in range(300))
    assert {one.code for one in complaints(CARDS + PLAY + knot)} & {"recursive-definition", "too-deep"}


@pytest.mark.parametrize(
    "pieces",
    [
        "card Big: a 1..1000, b 1..1000, c 1..1000 #! too-many-components",
        "token Many: colour Colour, 1000000 of each #! too-many-components",
        "number much[1..1000, 1..1000]: 0..1 #! too-many-keys",
    ],
)
def test_sets_without_measure_are_refused_by_arithmetic(pieces: str) -> None:
    expect(CARDS + PLAY + pieces + "\n")


def test_a_range_without_measure_is_refused() -> None:
    expect(CARDS + PLAY + "score at end\n  x = count of (1..100000000 where it mod 7 = 0) #! too-many-values\n")


def test_a_table_needs_a_case_for_each_key() -> None:
    expect(CARDS + PLAY + "table t(n 1..3): 4, 5 #! wrong-number-of-cases\nscore at end\n  x = t(1)\n")


def test_players_must_make_sense() -> None:
    text = HEADER + "players 5..2 #! wrong-players\nphase p: one turn each from 1\n  choose a\naction a\n"
    expect(text)


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("(count of ({1, 2} where hand of it is empty)) = 1", "`players`"),
        ("hand of 1 > 3", "`count of …`"),
        ("(some c in hand of 1 has c > 3)", "`rank of …`"),
    ],
)
def test_what_was_meant_by_another_type_is_said(condition: str, says: str) -> None:
    found = [one for one in complaints(f'{CARDS}{PLAY}never "this": {condition}\n') if one.code == "wrong-type"]
    assert len(found) == 1
    assert says in (found[0].hint or "")


def told(line: str) -> str:
    """What is said of one mistake in this line, which no other follows."""
    (one,) = expect(CARDS + PLAY + line)
    return f"{one.message} {one.hint}"


def test_arguments_in_another_order_are_one_mistake() -> None:
    action = "phase two: one turn each from 1\n  choose guess\naction guess(c from hand, p in players)\n"
    action += "  move c to heap\n"
    assert "`guess(c, p)`" in told(f'{action}example "x"\n  when 1: guess(2, red 1) #! wrong-type\n')
    assert "`guess(c, p)`" in told(f'{action}example "x"\n  when 1: guess(2) #! wrong-number-of-arguments\n')


def test_a_word_that_is_not_declared_is_not_taken_for_a_thing_of_another_kind() -> None:
    assert "did you mean" not in told("define x(c Card) = colour of c = ha #! unknown-word\n")
    assert "did you mean `green`?" in told("define x(c Card) = colour of c = gren #! unknown-word\n")


def test_a_player_is_not_a_number() -> None:
    assert "player or nothing" in told("define x = count of heap = player #! wrong-type\n")


def test_a_letter_of_another_script_is_named() -> None:
    assert "U+0435" in told("define x = count of h\u0435ap #! unknown-name\n")


def test_attributes_in_another_order_and_joined_ones_are_put_right() -> None:
    given = 'example "x"\n  given hand of 1: {} #! unknown-component\n'
    assert "write `red 3`" in told(given.format("3 red"))
    assert "`red 3`" in told(given.format("red-3"))
    assert "order" not in told(given.format("red 9"))


def test_one_is_chosen_without_a_number() -> None:
    play = PLAY.replace("  move given to heap", "  needs rank of given > 1\n  move given to heap")
    for word, code, at in (("any", "wrong-word", "action"), ("1", "wrong-type", "needs")):
        text = CARDS + play.replace("lay(given from", f"lay({word} given from")
        marked = "\n".join(f"{line} #! {code}" if line.strip().startswith(at) else line for line in text.split("\n"))
        (one,) = expect(marked)
        assert "`given from …`" in f"{one.hint}"


def test_a_definition_is_not_an_attribute() -> None:
    worth = "define worth(c Card) = rank of c\n"
    assert "`worth(…)`" in told(f"{worth}define x(c Card) = worth of c #! unknown-attribute\n")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("define x = count of heap = 3 or 7 #! wrong-type\n", "write `count of heap in {3, 7}`"),
        ("define x = sum of heap #! wrong-type\n", "`sum of rank over heap`"),
        ("define x(n 1..3) = n + (heap is empty) #! wrong-type\n", "`if … then 1 else 0`"),
    ],
)
def test_what_was_meant_by_another_type(line: str, says: str) -> None:
    assert says in told(line)
