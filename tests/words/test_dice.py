"""Dice that are equal: odds and options beside plain mathematics and a program written apart."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.play.step import ChanceDecision, PlayerDecision, next_state, pending_decision, start_state
from rulesrun.interpreter.reference.table import Table
from tests.native.both import differences, quick_engine
from tests.words.twins import MOST, errors_of, is_laid_out, program_of, table_of, warnings_of

# A turn of throws: some dice are kept each time, and what is kept counts.
THROWS = """rules 1
game "Made"
players 1..2

die Die: 1..3, 2 of each

zone cup: set of Die, public
zone kept: set of Die, public

phase play: one turn each from 1
  roll all Die into cup
  repeat 2 times
    choose keep
    roll all cup
  move all cup to kept
  count points

action keep(0..2 dice from cup)
  move all dice to kept

score
  points = sum of face over kept

ranking: highest total, ties share
"""

FACES = (1, 2, 3)


def handfuls(count: int) -> dict[tuple[int, ...], Fraction]:
    """Written apart: every set of faces that so many dice show, with its chance."""
    thrown = Counter(tuple(sorted(faces)) for faces in product(FACES, repeat=count))
    return {faces: Fraction(often, 3**count) for faces, often in thrown.items()}


def keeps(cup: tuple[int, ...]) -> set[tuple[int, ...]]:
    """As players count them: which faces are kept, not which dice."""
    chosen = (tuple(face for face, is_kept in zip(cup, which, strict=True) if is_kept)
              for which in product((False, True), repeat=len(cup)))  # fmt: skip
    return set(chosen)


@cache
def expected_points(cup: tuple[int, ...], kept: int, choices: int) -> Fraction:
    """Under random play, from a cup that has been thrown."""
    if choices == 0:
        return Fraction(kept + sum(cup))
    total, options = Fraction(0), keeps(cup)
    for some in options:
        for after, chance in handfuls(len(cup) - len(some)).items():
            total += chance * expected_points(after, kept + sum(some), choices - 1)
    return total / len(options)


def sets_of_one_player() -> int:
    """Everything that can have been seen when somebody is to choose: cups and what was kept of them."""
    first = {(cup,) for cup in handfuls(2)}
    second = {(cup, some, after) for (cup,) in first for some in keeps(cup) for after in handfuls(2 - len(some))}
    return len(first) + len(second)


def test_odds_and_options_beside_a_program_written_apart() -> None:
    counted = count_tree(table_of(THROWS, 1), MOST)
    mean = sum(chance * expected_points(cup, 0, 2) for cup, chance in handfuls(2).items())
    assert expected_score(table_of(THROWS, 1)) == mean
    assert counted.information_sets[1] == sets_of_one_player()


def test_both_engines_throw_alike() -> None:
    table = table_of(THROWS, 2)
    assert differences(table, 100, seed=3, engine=quick_engine(table), limit=200) == []


@pytest.mark.parametrize("faces", [(1, 1, 1, 1, 1), (1, 2, 3, 4, 5), (2, 2, 3, 3, 3), (6, 6, 6, 6, 1)])
def test_the_options_of_keeping_from_five_dice(faces: tuple[int, ...]) -> None:
    """Of each face none to all: the product of one more than there are."""
    text = THROWS.replace("1..3, 2 of each", "1..6, 5 of each").replace("0..2 dice", "0..5 dice")
    wanted = 1
    for often in Counter(faces).values():
        wanted *= often + 1
    assert options_after(text, faces) == wanted


def options_after(text: str, faces: tuple[int, ...]) -> int:
    table = table_of(text, 1)
    state = start_state(table)
    for face in faces:
        thrown = pending_decision(table, state)
        assert isinstance(thrown, ChanceDecision)
        at = thrown.index_of([str(face)])
        assert at is not None
        state = next_state(table, state, at)
    asked = pending_decision(table, state)
    assert isinstance(asked, PlayerDecision)
    return len(asked)


def expected_score(table: Table) -> Fraction:
    """Of player 1 under random play."""
    counted = count_tree(table, MOST)
    assert counted.expectation is not None
    return counted.expectation.scores[1]


LIARS = """rules 1
game "Made"
players 2

values Side: blank, star
die Die: Side, 4 of each

zone cup of player: set of Die, private
zone lost: set of Die, public

setup
  each player
    roll 2 of Die into cup

phase play: turns from 1 until count of lost = 2
  choose lose, again or doubt

action lose(d from cup)
  move d to lost

action again(d from cup where face = blank)
  roll d
  end phase

action doubt
  each player
    roll all cup where face = star
  roll all Die into lost
  end phase

ranking: highest count of cup where face = star, ties share
"""


def test_hidden_dice_of_words() -> None:
    table = table_of(LIARS)
    counted = count_tree(table, MOST)
    # A cup shows none, one or two stars; player 2 has seen the die that player 1 lost, too.
    assert counted.information_sets == {1: 3, 2: 6}
    assert differences(table, 60, seed=4, engine=quick_engine(table), limit=200) == []


def test_it_is_laid_out_as_it_is_written() -> None:
    assert is_laid_out(THROWS)
    assert is_laid_out(LIARS)
    assert is_laid_out(THROWS.replace("roll all cup", "roll (round + 1) of cup into kept"))


def test_more_dice_than_there_are_is_a_fault() -> None:
    table = table_of(LIARS.replace("4 of each", "3 of each"))
    with pytest.raises(Exception, match="all of these dice are already on the table"):
        count_tree(table, MOST)


SLIPS = {
    "  roll all Die into cup": {
        "  move all Die to cup": "roll all Die into cup",
        "  shuffle all Die into cup": "roll all Die into cup",
        "  roll all Die": "roll … into cup",
        "  roll all (Die where face < 3) into cup": "roll all (cup where …)",
        "  roll cup": "roll all Die into cup",
        "  roll all dice": "roll all cup",
        "  roll all cup to kept": "into",
        "  roll all dice in cup": "into",
        "  roll 5 dice": "roll 5 of Die into …",
        "  roll 2 Die into cup": "roll 2 of Die into cup",
        "  roll 2 of Die": "roll 2 of Die into …",
        "  roll 1 of cup": "roll 1 of cup into cup",
        "  roll the dice": "roll all cup",
        "  throw all cup": "roll",
        "  reroll cup": "roll",
    },
    "die Die: 1..3, 2 of each": {
        "die Die: face 1..3, 2 of each": "remove `face`",
        "dice Die: 1..3, 2 of each": "die Die",
        "die Die: 3, 2 of each": "die Die: 1..3",
        "die Die: 1-3, 2 of each": "die Die: 1..3",
        "die Die: 1, 2, 3": "die Die: 1..3",
        "die Die: {1, 2, 3}": "die Die: 1..3",
        "die Die: 1..3, 2": "2 of each",
        "die Die: 1..3, 2 of them": "2 of each",
    },
}


@pytest.mark.parametrize(("right", "wrong"), [(right, wrong) for right, slips in SLIPS.items() for wrong in slips])
def test_slips_are_told_what_to_write(right: str, wrong: str) -> None:
    found = errors_of(THROWS.replace(right, wrong, 1))
    assert len(found) == 1
    assert SLIPS[right][wrong] in str(found[0].hint)


def test_dice_that_are_never_thrown_are_told() -> None:
    text = THROWS.replace("  roll all Die into cup\n", "")
    assert "no Die ever leaves the box" in warnings_of(text)


# Luck that is pressed: dice that score are set aside, the others thrown again; a throw that is worth nothing takes all.
PRESSED = """rules 1
game "Made"
players 1

die Die: 1..3, 3 of each

zone cup: set of Die, public
zone aside: set of Die, public

number pot: 0..99 = 0, each turn
number banked of player: 0..99

define points_of(f 1..3, n 0..3) = if n = 3 then 5 * f else if f = 1 then n else 0
define worth_of_cup = sum of points_of(f, count of cup where face = f) over f in 1..3

phase play: one turn each from 1
  roll all Die into cup
  do look_at_it
  repeat until cup is empty
    choose set_aside or bank
  banked increases by pot

step look_at_it
  if cup is not empty and worth_of_cup = 0
    end turn

action set_aside(1..3 dice from cup)
  needs every f in 1..3 has
      points_of(f, count of dice where face = f) > 0 or no d in dice has face of d = f
  pot increases by sum of points_of(f, count of dice where face = f) over f in 1..3
  move all dice to aside
  roll all cup
  do look_at_it

action bank
  needs pot > 0
  move all cup to aside

score at end
  points = banked

ranking: highest total, ties share
"""


def points_of(face: int, often: int) -> int:
    return 5 * face if often == 3 else often if face == 1 else 0


def worth(dice: tuple[int, ...]) -> int:
    return sum(points_of(face, often) for face, often in Counter(dice).items())


@cache
def expected_turn(dice: int, pot: int) -> Fraction:
    """Written apart: what a turn brings at random, before so many dice are thrown."""
    if dice == 0:
        return Fraction(pot)
    return sum((chance * expected_after(cup, pot) for cup, chance in handfuls(dice).items()), Fraction(0))


def expected_after(cup: tuple[int, ...], pot: int) -> Fraction:
    if worth(cup) == 0:
        return Fraction(0)
    some = [one for one in keeps(cup) if one and all(points_of(*pair) for pair in Counter(one).items())]
    options = [expected_turn(len(cup) - len(one), pot + worth(one)) for one in some]
    return sum([*options, *([Fraction(pot)] if pot else [])], Fraction(0)) / (len(options) + bool(pot))


def test_pressed_luck_beside_a_program_written_apart() -> None:
    table = table_of(PRESSED, 1)
    assert expected_score(table) == expected_turn(3, 0)
    assert differences(table, 200, seed=5, engine=quick_engine(table), limit=200) == []


GIVEN = {
    "given lost: star": ("broken", None),  # one, beside the four in the cups
    "given lost: star\n  given cup of 1: blank": ("passed", None),
    "given cup of 1: star, star, star": ("broken", "given cup of 2: nothing"),
    "given cup of 1: star, star, star\n  given cup of 2: nothing": ("passed", None),
    "given cup of 1: star, star, star\n  given cup of 2: blank, blank": ("broken", None),
}


@pytest.mark.parametrize("given", GIVEN)
def test_an_example_gives_no_more_dice_than_there_are(given: str) -> None:
    text = f'{LIARS}\nexample "given"\n  given turn of 1\n  {given}\n  then count of lost < 3\n'
    (result,) = run_examples(program_of(text))
    verdict, hint = GIVEN[given]
    assert result.verdict == verdict, result.diagnostic
    if verdict == "broken":
        assert result.diagnostic is not None
        assert result.diagnostic.message == "there are only 4 of Die"
        assert hint is None or hint in str(result.diagnostic.hint)
