"""What is noted of a game, on games short enough to follow by hand; totals that no split changes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesrun.interpreter.measure.catalogue import list_figures
from rulesrun.interpreter.measure.duel import ReferenceMeasurer, column_types, make_row
from rulesrun.interpreter.measure.measured_game import GameMeasurer
from rulesrun.interpreter.measure.totals import (
    Totals,
    compute_quantiles,
    merge_totals,
    round_to_digits,
    totals_from_json,
    totals_to_json,
)
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import bundled, program, table
from tests.measuring.games import kuhn

RACE = """
number points_of of player: 0..9 = 0
phase first_turns: one turn each from 1
  choose gain
phase twice: repeat 2 times
  choose rest
phase once
  choose rest or gain if possible
action gain
  needs player = 1 or points_of of 1 = 1 because "in turn"
  points_of increases by (if player = 1 then 1 else 2)
action rest
action never_done
  needs points_of of 1 = 9
score at end
  points = points_of
  nothing_at_all = 0
ranking: highest total, ties share
"""


def test_a_game_followed_by_hand() -> None:
    made = table(RACE.replace("choose rest or gain if possible", "choose rest"))
    record = GameMeasurer(made).play_game(Streams(0), 0)
    values = record.values
    assert record.decisions == values["length", "decisions"] == 5
    assert values["length", "turns"] == 5  # two, one for each time of `repeat`, one of the last phase
    assert values["length", "rounds"] == 1
    assert (values["options",], values["forced",]) == (5, 5)
    assert (values["score", "1"], values["score", "2"], values["margin",]) == (1, 2, 1)
    assert values["win", "2"] == 2  # of two parts
    assert ("win", "1") not in values
    assert (values["action", "gain"], values["action", "rest"]) == (2, 3)
    assert ("action", "never_done") not in values
    assert (values["ending", "rest"], values["ending", "in once"]) == (1, 1)
    # Seat 1 leads from its own turn on, seat 2 from the second decision to the end: one change, settled after 2 of 5.
    assert values["lead changes",] == 1
    assert values["settled",] == 4000
    assert values["line", "points"] == 3


def test_a_stuck_game_counts_as_stuck_and_adds_nothing_else() -> None:
    made = table("number n: 0..2 = 0\nphase p: repeat until n = 3\n  choose up\naction up\n  n increases by 1\n")
    totals = ReferenceMeasurer(made, 0).totals(0, 3)
    assert (totals.games, totals.finished, sum(totals.stuck.values())) == (3, 0, 3)
    assert not totals.sums


def test_any_split_into_ranges_adds_up_to_the_same() -> None:
    made = set_up_table(bundled("zero"), 3)
    whole = ReferenceMeasurer(made, 5).totals(0, 9)
    parts = Totals()
    for first, games in ((4, 5), (0, 1), (1, 3)):
        parts.merge(totals_from_json(totals_to_json(ReferenceMeasurer(made, 5).totals(first, games))))
    assert totals_to_json(parts) == totals_to_json(whole)
    assert parts == whole == merge_totals(whole, Totals())


def test_every_figure_of_a_record_is_in_the_catalogue() -> None:
    for name, players in (("zero", 2), ("collection", 2), ("tokens", 2), ("the_game", 2), ("classics/nim", 2)):
        made = set_up_table(bundled(name), players, {"goals": "round"} if name == "collection" else {})
        found = {
            key for key in ReferenceMeasurer(made, 0).totals(0, 2).sums if key[0] not in {"offered", "ending", "value"}
        }
        assert found <= set(list_figures(made)), name


def test_components_are_counted_when_chosen_and_when_kept() -> None:
    made = set_up_table(bundled("zero"), 2)
    values = GameMeasurer(made).play_game(Streams(3), 0).values
    exchanges = values["action", "exchange"]
    assert sum(count for key, count in values.items() if key[0] == "component") == 2 * exchanges
    assert sum(count for key, count in values.items() if key[0] == "kept") == 18


def test_rows_with_rules_are_asked_when_points_are_counted() -> None:
    made = set_up_table(bundled("collection"), 3, {"goals": "round"})
    totals = ReferenceMeasurer(made, 0).totals(0, 4)
    lying = sum(sums.total for key, sums in totals.sums.items() if key[0] == "row")
    met = sum(sums.total for key, sums in totals.sums.items() if key[0] == "met")
    assert lying == 4 * 3  # one a round
    assert 0 < met < 3 * lying


def test_random_play_is_that_of_trace_and_of_the_plain_form() -> None:
    from rulesrun.interpreter.play.random_games import simulate_games

    made = kuhn()
    plain = simulate_games(made, 0, 1, checks=False)
    assert ReferenceMeasurer(made, 0).totals(0, 1).decisions == plain.decisions


def test_quantiles_of_counts() -> None:
    shares = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
    assert compute_quantiles({1: 5, 2: 5, 7: 10}, shares) == (1, 2, 7)


@pytest.mark.parametrize("value", [0, 4095, -4095, 4096, 10**9 + 7, -(10**15)])
def test_large_values_keep_three_digits(value: int) -> None:
    off = Fraction(round_to_digits(value) - value)
    assert abs(off) <= abs(value) / 1000
    assert round_to_digits(value) == value or abs(value) >= 4096


def test_a_row_has_every_column() -> None:
    made = set_up_table(bundled("zero"), 2)
    columns = list(column_types([made, set_up_table(bundled("zero"), 4)]))
    row = make_row(GameMeasurer(made).play_game(Streams(0), 0), made, 0, columns)
    assert list(row) == columns
    assert row["place_1"] in (1, 2)
    assert row["score_4"] is None


def test_made_programs_are_fine() -> None:
    assert program(RACE)


def test_what_is_kept_does_not_grow_with_the_games() -> None:
    made = set_up_table(bundled("classics/pig"), 2, {"die": 2, "target": 4, "length": 6})
    few, many = (ReferenceMeasurer(made, 0).totals(0, games) for games in (300, 1500))
    assert few.sums.keys() == many.sums.keys()
    assert all(len(counts) <= 64 for key, counts in many.spreads.items() if key != ("settled",))
    assert all(len(counts) <= 2 * 4096 + 12 * 2048 for counts in many.spreads.values())


SAME_NAMES = """
card House: value 1..2
card Cheque: worth 2..3
zone houses: pile of House, hidden
zone cheques: pile of Cheque, hidden
zone hand of player: set of House, private
zone sold: set of House, public
zone earned of player: set of Cheque, public
setup
  shuffle all House into houses
  shuffle all Cheque into cheques
  deal 1 from houses to each hand
phase play: one turn each from 1
  choose sell
action sell(house from hand)
  move house to sold
  draw 1 from cheques to earned
score at end
  points = sum of worth over earned
ranking: highest total, ties share
"""


def test_components_of_two_kinds_with_the_same_written_name_are_two() -> None:
    """Everybody sells a house and earns a cheque: each is sold, none kept, and the other way round."""
    made = table(SAME_NAMES)
    known = [key for key in list_figures(made) if key[0] in ("component", "kept")]
    assert len(known) == len(set(known)) == 8
    values = GameMeasurer(made).play_game(Streams(3), 0).values
    told = {key: values[key] for key in known if key in values}
    assert told == {
        ("component", "1"): 1, ("component", "House 2"): 1, ("kept", "Cheque 2"): 1, ("kept", "3"): 1,
    }  # fmt: skip
