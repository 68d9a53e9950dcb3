"""Steadied figures: luck that is zero on average, weights from other games, intervals that still cover."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from rulesrun.dsl.differences import differences
from rulesrun.interpreter.chance import ChanceWait
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.measuring.choices import LOOKS, Choices, looks, stretches
from rulesrun.interpreter.measuring.duel import Duel
from rulesrun.interpreter.measuring.fitting import fits
from rulesrun.interpreter.measuring.outlook import SURE, Blur, Outlook, chances
from rulesrun.interpreter.measuring.paired import effects
from rulesrun.interpreter.measuring.pairs import GRAIN, pairs_from_plain, pairs_to_plain, sum_of_pairs
from rulesrun.interpreter.measuring.steady_duel import SteadyDuel, rehearsals, weights_by_reference
from rulesrun.interpreter.measuring.steadying import Weights, weights_from_plain, weights_to_plain
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import OPTIONS, Slots
from rulesrun.loading import read_text
from tests.interpreter.made import bundled, table
from tests.measuring.games import kuhn
from tests.measuring.test_pairs import renamed

GATHER = """
number got of player: 0..1000 = 0

phase gathering: repeat 4 times
  choose take, leave or gain

action take(n in 1..{})
  got increases by n

action leave

action gain
  got becomes got + {}

score at end
  points = got
ranking: highest total, ties share
"""


def gather(values: int, extra: int) -> Table:
    return table(GATHER.format(values, extra))


def blur_of(outlook: Outlook) -> Blur:
    """Shares and spreads that are all different."""
    lines = sum(outlook.lines)
    shares = tuple(tuple((3 * at + 5 * line) % 17 for line in range(lines)) for at in range(outlook.situations))
    return Blur(shares, (3, 17, 40, 200))


# ---------------------------------------------------------------- luck is zero on average


def zero_on_average(made: Table, seed: int) -> int:
    """Goes through a game and asks at every decision: all options, each as likely, add up to nothing."""
    outlook, random, decisions = Outlook(made), Random(seed), 0
    blur, S = blur_of(outlook), made.fresh()
    choices = Choices(outlook, blur, seed)
    while True:
        wait = made.run(S)
        if isinstance(wait, ChanceWait):
            wait.settle(S, wait.pick(S, random.randrange(wait.total(S))))
        elif isinstance(wait, DecisionWait):
            options = list(S[OPTIONS])
            if len(options) > 1:
                decisions += 1
                assert sum_over_options(choices, S, wait) == 0
            wait.settle(S, random.choice(options))
        else:
            return decisions


def sum_over_options(choices: Choices, S: Slots, wait: DecisionWait) -> int:
    """All numbers of all situations together, over all options and all beginnings: the largest that is left."""
    options = list(S[OPTIONS])
    many = max(ways for _, _, ways in stretches(options))
    found: dict[tuple[int, int], int] = {}
    for begin in range(many):
        own = Beginning(choices.outlook, choices.blur, begin)
        own.decide(S, wait, options)
        behind = Choices(choices.outlook, choices.blur, 0)
        for option in options:
            behind.add_behind(S, wait, option, own.waiting)
        for part, times in ((own.row, len(options)), (behind.row, 1)):
            for situation, numbers in part.items():
                for at, number in enumerate(numbers):
                    found[situation, at] = found.get((situation, at), 0) + times * number
    return max(map(abs, found.values()), default=0)


class Beginning(Choices):
    """Looks begin at a given option."""

    def word(self, action: int) -> int:
        return 2 * self.key


@pytest.mark.parametrize(("name", "players"), [("classics/kuhn", 2), ("classics/goofspiel", 2), ("hourglass", 2)])
def test_over_all_options_luck_adds_up_to_nothing(name: str, players: int) -> None:
    assert zero_on_average(set_up(bundled(name), players), 5) > 0


@pytest.mark.parametrize("values", [2, LOOKS, LOOKS + 1, 23])
def test_also_where_only_some_ways_are_looked_at(values: int) -> None:
    """Every beginning is as likely; each action's ways number the same in all, so all beginnings are gone through."""
    assert zero_on_average(gather(values, 5), 3) == 4


def test_every_way_is_looked_at_as_often_as_any_other() -> None:
    for ways in (1, 3, LOOKS, LOOKS + 1, 2 * LOOKS, 45, 100):
        seen = [at for begin in range(ways) for at in looks(ways, 2 * begin)]
        assert {seen.count(at) for at in range(ways)} == {min(ways, LOOKS) if ways > LOOKS else ways}


def test_chances_are_those_of_a_power_of_e() -> None:
    """A lead of one spread is worth a factor of e."""
    first, second, third = chances([160, 128, 0], 32)
    assert first / second == pytest.approx(2.71828, abs=0.02)
    assert first + second + third == pytest.approx(SURE, abs=3)
    assert chances([5, 5], 1) == [SURE // 2, SURE // 2]
    assert chances([100_000, 0], 1)[1] == 0


# ---------------------------------------------------------------- weights


def test_weights_are_numpys_least_squares() -> None:
    numpy = pytest.importorskip("numpy")
    random = Random(1)
    columns = [[random.randrange(-1000, 1000) for _ in range(400)] for _ in range(6)]
    target = [3 * a - 2 * b + random.randrange(-50, 50) for a, b in zip(columns[0], columns[4], strict=True)]
    (found,) = fits(columns, [target])
    matrix = numpy.column_stack([numpy.array(columns).T, numpy.ones(400)])
    expected = numpy.linalg.lstsq(matrix, numpy.array(target), rcond=None)[0]
    assert found.weights == pytest.approx(expected[:6].tolist(), abs=0.02)
    assert found.gain > 0.99


def test_what_says_nothing_gets_no_weight() -> None:
    random = Random(2)
    noise = [[random.randrange(100) for _ in range(300)] for _ in range(3)]
    (found,) = fits([*noise[:2], [7] * 300], [noise[2]])
    assert found.gain < 0.05
    assert found.weights[2] == 0


@cache
def gather_weights() -> tuple[Table, Table, tuple[Weights, Weights]]:
    left, right = gather(4, 5), gather(4, 9)
    return left, right, weights_by_reference(Duel(left, right, 1))


def gathered(games: int, seed: int = 0) -> SteadyDuel:
    left, right, weights = gather_weights()
    found = SteadyDuel(left, right, seed, weights=weights)
    for number in range(games):
        found.play(number)
    return found


def test_a_game_that_is_all_choices_has_no_luck_left() -> None:
    """Four choices of six options: 1 to 4, 0, and 5 or 9; on average 15/6 and 19/6."""
    found = gathered(60)
    (change,) = effects(found.pairs, [("score", "1")], 2)
    assert change.is_steady
    assert change.difference.half < change.unpaired / 20
    assert (change.left, change.right) == (pytest.approx(10, abs=0.2), pytest.approx(38 / 3, abs=0.2))


def test_plain_sums_stay_what_they_are_without() -> None:
    steady, plain = gathered(20), Duel(gather(4, 5), gather(4, 9), 0)
    for number in range(20):
        plain.play(number)
    assert plain.pairs.steady == {}
    steady.pairs.steady = {}
    assert steady.pairs == plain.pairs


def test_any_split_adds_up_to_the_same() -> None:
    found = gathered(30)
    duel = gathered(0)
    parts = [pairs_from_plain(pairs_to_plain(duel.range(first, 10))) for first in (0, 10, 20)]
    assert sum_of_pairs(sum_of_pairs(parts[2], parts[0]), parts[1]) == found.pairs
    weights = duel.weights[1]
    assert weights_from_plain(weights_to_plain(weights)) == weights


def test_sums_from_before_have_no_steadied_figures() -> None:
    plain = pairs_to_plain(gathered(12).pairs)
    del plain["steady"]
    assert pairs_from_plain(plain).steady == {}


@pytest.mark.parametrize("name", ["classics/kuhn"])
def test_other_names_for_the_same_rules_change_nothing(name: str) -> None:
    base, other = bundled(name), read_text(renamed(name)).program
    assert other is not None
    back = {new: old for old, new in differences(base.game, other.game).renamed.items()}
    duel = Duel(set_up(base, 2), set_up(other, 2), 1, back)
    found = SteadyDuel(duel.left, duel.right, 1, back, weights=weights_by_reference(duel))
    for number in range(40):
        found.play(number)
    assert all(one.difference.value == 0 for one in effects(found.pairs, found.keys(), 2))
    assert all(one.squares == 0 and one.left == one.right for one in found.pairs.steady.values())


def test_weights_do_not_come_from_the_deals_that_are_told() -> None:
    duel = Duel(kuhn(), kuhn(), 4)
    assert all(one.seed != duel.seed for one in rehearsals(duel))


# ---------------------------------------------------------------- intervals cover


def covered(runs: int, games: int) -> int:
    """10 and 38/3 points on average: a difference of 8/3 is known exactly."""
    found = 0
    for run in range(runs):
        (change,) = effects(gathered(games, 1000 + run).pairs, [("score", "1")], 2)
        assert change.difference.low is not None
        assert change.difference.high is not None
        found += change.difference.low <= Fraction(8, 3) <= change.difference.high
    return found


def test_the_planted_effect_is_covered() -> None:
    assert covered(20, 30) >= 16


@pytest.mark.long
def test_the_planted_effect_is_covered_in_95_of_100_runs_without_luck() -> None:
    assert 0.925 <= covered(500, 60) / 500 <= 0.975


def test_a_steadied_figure_is_in_grains() -> None:
    found = gathered(15).pairs
    assert found.steady["score", "1"].left / GRAIN / 15 == pytest.approx(10, abs=0.5)


def test_a_number_that_says_which_situation_it_is() -> None:
    made = table("number passes: 0..2 = 0\nnumber far: 0..100 = 0\nmarker said: yes or no = no, each turn\n"
                 + GATHER.format(3, 2))  # fmt: skip
    outlook = Outlook(made)
    assert [room.declaration.name.text for room in outlook.numbers] == ["passes"]
    assert outlook.situations == 2 * 8 * 3 + 1
