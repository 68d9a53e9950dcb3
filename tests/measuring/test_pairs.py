"""Two rulebooks on the same deals: planted effects, rules that only look different, how much pairing narrows."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest

from rulesrun.dsl.variants.differences import find_differences
from rulesrun.files.loading import read_rules, read_text
from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.measure.duel import Duel
from rulesrun.interpreter.measure.estimates import student_quantile
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.pairs import Effect, PairTotals, compute_effects, select_clear_effects
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import GAMES, bundled, program
from tests.measuring.games import COIN, coin, duel, kuhn

NULL = {  # new names, the same rules
    "classics/kuhn": {"deck": "heap", "paid": "stake", "bet": "raise_it", "rank": "height", "answers": "replies"},
    "classics/pig": {"gathered": "heaped", "banked": "saved", "face": "side"},
}


def effect_of(found: Duel, key: Key) -> Effect:
    return next(one for one in compute_effects(found.pairs, [key], found.left.players))


def clear(found: Duel) -> list[Effect]:
    return select_clear_effects(compute_effects(found.pairs, found.list_figures(), found.left.players))


def renamed(name: str) -> str:
    text = (GAMES / f"{name}.rules").read_text("utf-8")
    for old, new in NULL[name].items():
        text = re.sub(rf"\b{old}\b", new, text)
    return text


# ---------------------------------------------------------------- effects of known size


def planted(shift: int) -> Table:
    text = COIN.replace("points = if", f"bonus = if player = 2 then {shift} else 0\n  points = if")
    text = text.replace("heads_weight, tails_weight", "3, 1")
    return set_up_table(program(text), 2)


def test_points_given_to_everybody_always_are_seen_exactly() -> None:
    found = duel(planted(0), planted(2), 60)
    change = effect_of(found, ("score", "2"))
    assert (change.difference.low, change.difference.value, change.difference.high) == (2, 2, 2)
    assert change.key in {one.key for one in clear(found)}
    assert effect_of(found, ("score", "1")).moved == 0


@pytest.mark.parametrize("run", range(3))
def test_another_coin_changes_the_wins_by_a_quarter(run: int) -> None:
    found = duel(coin(3, 1), coin(1, 1), 200, seed=run)
    change = effect_of(found, ("win", "1")).difference
    assert change.low is not None
    assert change.high is not None
    assert change.low - 0.05 < -1 / 4 < change.high + 0.05
    assert ("win", "1") in {one.key for one in clear(found)}


@pytest.mark.long
def test_the_planted_effect_is_covered_in_95_of_100_runs() -> None:
    covered = 0
    for run in range(2000):
        change = effect_of(duel(coin(3, 1), coin(1, 1), 100, seed=1000 + run), ("win", "1")).difference
        assert change.low is not None
        assert change.high is not None
        covered += change.low <= -1 / 4 <= change.high
    assert 0.935 <= covered / 2000 <= 0.965


def test_where_every_game_changed_the_next_one_need_not() -> None:
    """Twenty wins of twenty changed: Wilson's lower bound of 20 in 20 is 0.839."""
    losing = coin(3, 1)
    won = duel(set_up_table(losing.program, 2), set_up_table(losing.program, 2), 0)
    for number in range(20):
        left, right = (
            won.watchers[0].play_game(Streams(number), number),
            won.watchers[1].play_game(Streams(number), number),
        )
        left.values = {("win", "1"): 2}
        right.values = {("win", "2"): 2}
        won.pairs.add_pair(left, right)
    change = effect_of(won, ("win", "1")).difference
    assert (change.value, change.low) == (-1, -1)
    assert change.high == pytest.approx(-0.678, abs=1e-3)


# ---------------------------------------------------------------- no effect at all


@pytest.mark.parametrize("name", NULL)
def test_other_names_are_told_as_names_and_the_games_are_the_same(name: str) -> None:
    base, other = read_rules(name).program, read_text(renamed(name)).program
    assert base is not None
    assert other is not None
    words = find_differences(base.game, other.game)
    assert dict(words.renamed) == NULL[name]
    assert words.pieces == ()
    players = 2
    found = Duel(
        set_up_table(base, players), set_up_table(other, players), 1, {new: old for old, new in words.renamed.items()}
    )
    for number in range(40):
        found.play_deal(number)
    assert found.pairs.differing == 0
    assert clear(found) == []


def without_effect(seed: int, games: int) -> bool:
    """Games that have nothing to do with each other, as if they were pairs."""
    table = kuhn()
    watcher, pairs = GameMeasurer(table), PairTotals()
    for number in range(games):
        left = watcher.play_game(Streams(seed, number), number)
        right = watcher.play_game(Streams(seed + 10_000, number), number)
        pairs.add_pair(left, right)
    return not select_clear_effects(compute_effects(pairs, Duel(table, table, 0).list_figures(), 2))


def test_the_same_rules_on_other_deals_are_without_effect() -> None:
    assert sum(without_effect(seed, 100) for seed in range(8)) >= 7


@pytest.mark.long
def test_the_same_rules_on_other_deals_are_without_effect_in_95_of_100_runs() -> None:
    assert sum(without_effect(1000 + seed, 400) for seed in range(100)) >= 95


# ---------------------------------------------------------------- narrower than two separate runs


def house_rule(name: str, games: int) -> Duel:
    variant = read_rules(f"variants/{name}").program
    assert variant is not None
    return duel(set_up_table(bundled("zero"), 3), set_up_table(variant, 3), games)


def test_open_hands_change_nothing_at_random() -> None:
    assert house_rule("zero_open_hands", 6).pairs.differing == 0


def test_calls_that_cost_leave_exchanges_and_points_as_they_were() -> None:
    """An extra question and an extra option do not move anything else."""
    found = house_rule("zero_wrong_call_penalty", 12)
    for key in (("line", "points"), ("length", "turns"), ("action", "exchange")):
        change = effect_of(found, key)
        assert change.moved == 0
        assert change.unpaired > 0
    assert ("line", "penalty") in {one.key for one in clear(found)}


def test_a_third_pass_lengthens_the_game_and_pairing_halves_the_interval() -> None:
    change = effect_of(house_rule("zero_three_passes", 60), ("length", "turns"))
    assert change.difference.low is not None
    assert change.difference.low > 0
    assert change.difference.half_width <= change.unpaired / 2


def test_an_extra_option_keeps_the_other_choices() -> None:
    """An option more takes a share of the choices for itself and leaves the rest where it was."""
    many = "phase p: repeat 30 times\n  choose pick\naction pick(n in 1..{})\nscore at end\n  points = 0\n"
    many += "ranking: highest total, ties share\n"
    left, right = (set_up_table(program(many.format(size)), 2) for size in (8, 9))
    found = duel(left, right, 100)
    moved = effect_of(found, ("value", "pick", "n", "7"))
    assert moved.difference.half_width < moved.unpaired / 2


# ---------------------------------------------------------------- the difference in words


def words_of(name: str) -> list[tuple[str, str]]:
    base, other = read_rules("zero").program, read_rules(f"variants/{name}").program
    assert base is not None
    assert other is not None
    return [(one.word, one.what) for one in find_differences(base.game, other.game).pieces if one.is_rule]


def test_what_the_house_rules_say_otherwise() -> None:
    assert words_of("zero_open_hands") == [("changed", "zone hand")]
    assert words_of("zero_three_passes") == [("changed", "number passes"), ("changed", "phase exchanges")]
    assert words_of("zero_wrong_call_penalty") == [
        ("changed", "option wrong_calls"), ("changed", "step judge_call"), ("changed", "score each round"),
        ("added", "number wrong"),
    ]  # fmt: skip


def test_another_layout_and_other_comments_are_no_difference(tmp_path: Path) -> None:
    text = (GAMES / "zero.rules").read_text("utf-8")
    other = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("passes = 2", "passes  =  2")
    base, same = read_rules("zero").program, read_text(other).program
    assert base is not None
    assert same is not None
    found = find_differences(base.game, same.game)
    assert (found.pieces, dict(found.renamed)) == ((), {})


def test_a_name_that_both_use_is_no_renaming() -> None:
    text = "zone a: pile of Card, hidden\nzone b: pile of Card, hidden\ncard Card: rank 1..3\nphase p\n  choose go\n"
    text += "action go\n  move all Card to {}\nscore at end\n  points = 0\nranking: highest total, ties share\n"
    left, right = program(text.format("a")), program(text.format("b"))
    found = find_differences(left.game, right.game)
    assert dict(found.renamed) == {}
    assert [(one.what, one.old, one.new) for one in found.pieces] == [
        ("action go", ("  move all Card to a",), ("  move all Card to b",))
    ]


WORDS = (
    ("highest", "lowest"), ("left", "right"), ("top", "bottom"), ("public", "hidden"), ("private", "hidden"),
    ("smallest", "largest"), ("some", "every"), ("no", "some"), ("increases", "decreases"), ("and", "or"),
    ("yes", "no"), ("pile", "row"), ("set", "row"), ("turn", "round"), ("sum", "highest"), ("always", "never"),
)  # fmt: skip
SMALL_GAMES = sorted((Path(__file__).parent.parent / "words" / "rulebooks").glob("*.rules"))


@pytest.mark.parametrize("path", SMALL_GAMES, ids=lambda path: path.stem)
def test_another_word_of_the_language_is_never_a_renaming(path: Path) -> None:
    """Wherever such a word stands once, and all of them together, where the rules can be read afterwards."""
    text = re.sub("^#.*\n", "", path.read_text("utf-8").split("\nexample ")[0] + "\n", flags=re.MULTILINE)
    numbers = count(1)
    text = re.sub('"[^"]*"', lambda _: f'"Named {next(numbers)}"', text)
    base, tried = read_text(text).program, 0
    assert base is not None
    for one, other in (pair for both in WORDS for pair in (both, both[::-1])):
        places = [found.span() for found in re.finditer(rf"\b{one}\b", text)]
        changed = {text[:start] + other + text[end:] for start, end in places} | {re.sub(rf"\b{one}\b", other, text)}
        for different in changed - {text}:
            program = read_text(different).program
            if program is None:
                continue
            found = find_differences(base.written, program.written)
            assert dict(found.renamed) == {}, (one, other)
            assert found.pieces, (one, other)
            tried += 1
    assert tried > 0


def test_the_difference_of_ratios_has_the_error_of_its_games() -> None:
    """Against the same numbers worked out game by game."""
    found = house_rule("zero_wrong_call_penalty", 3)
    tables = found.left, found.right
    rows = []
    for table, watcher in zip(tables, found.watchers, strict=True):
        games = [watcher.play_game(Streams(number), number).values for number in range(14)]
        rows.append([(one["options",], one["length", "decisions"]) for one in games])
        assert table.players == 3
    pairs = PairTotals()
    for number in range(14):
        records = [watcher.play_game(Streams(number), number) for watcher in found.watchers]
        pairs.add_pair(*records)
    (change,) = compute_effects(pairs, [("options",)], 3)
    added = []
    ratios = [sum(x for x, _ in one) / sum(y for _, y in one) for one in rows]
    means = [sum(y for _, y in one) / 14 for one in rows]
    for (x, y), (u, v) in zip(*rows, strict=True):
        added.append((u - ratios[1] * v) / means[1] - (x - ratios[0] * y) / means[0])
    error = (sum(one * one for one in added) / 14 / 14) ** 0.5
    assert change.difference.value == pytest.approx(ratios[1] - ratios[0])
    assert change.difference.half_width == pytest.approx(student_quantile(0.975, 13) * error, rel=0.05)


def test_paired_intervals_and_odds_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    found = Duel(coin(3, 1), coin(1, 1), 9)
    records = [found.play_deal(number) for number in range(300)]
    change = effect_of(found, ("score", "1"))
    left, right = ([one.values.get(("score", "1"), 0) for one in side] for side in zip(*records, strict=True))
    test = stats.ttest_rel(right, left)
    interval = test.confidence_interval(0.95)
    assert (change.difference.low, change.difference.high) == pytest.approx((interval.low, interval.high), rel=1e-6)
    assert change.chance == pytest.approx(test.pvalue, rel=0.2, abs=1e-6)
    alone = stats.norm.ppf(0.975) * ((stats.tvar(left) + stats.tvar(right)) / 300) ** 0.5
    assert change.unpaired == pytest.approx(alone)


def test_no_pairing_is_narrower_than_the_least() -> None:
    """A coin that is thrown in one game only: the same deals bring nothing, and the least says so."""
    found = duel(planted(0), coin(3, 1), 200)
    for change in compute_effects(found.pairs, found.list_figures(), 2):
        if change.moved >= 10:
            assert change.least <= change.unpaired * (1 + 1e-9)
            assert change.difference.half_width >= change.least * 0.98
    never = coin(3, 1)
    sure = set_up_table(program(COIN.replace("coin = heads then 1", "coin = heads then 0")), 2)
    change = effect_of(duel(sure, never, 200), ("score", "1"))
    assert change.least == pytest.approx(change.unpaired)
    assert change.difference.half_width == pytest.approx(change.unpaired, rel=0.02)
