"""Measured games in machine code: figures, rows and stops are the reference's, to the last digit."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.measure.duel import WATCHED, ReferenceMeasurer, column_types
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import Totals, totals_to_json
from rulesrun.interpreter.native.measure.figures import LARGEST
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.run.compiled import make_measurer
from rulesrun.run.measure_engines import ENOUGH
from rulesrun.services.measure import measure_rules
from rulesrun.terminal.requests import SimulateRequest
from rulesrun.terminal.trouble import Trouble
from tests.command_line import run_here
from tests.interpreter.made import bundled, program, table
from tests.measuring.games import KUHN_DECISIONS, KUHN_SCORE, kuhn
from tests.measuring.test_records import RACE, SAME_NAMES
from tests.native.made_up import made_up
from tests.native.same_games import all_tables, table_of

EVERY, FEW, MANY = 17, 6, 250  # tables of all; games of each


def natively(made: Table, seed: int = 0, jobs: int = 1) -> NativeMeasurer:
    return NativeMeasurer(compile_measuring_engine(made), seed, jobs)


def told(record: GameRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in GameRecord.__slots__ if not name.startswith("__")}


def unlike(made: Table, games: int, seed: int = 0) -> list[str]:
    """What the engines say differently: games in which properties are watched, and games after them."""
    ours, theirs = natively(made, seed), ReferenceMeasurer(made, seed)
    first = max(WATCHED - games // 2, 0)
    if totals_to_json(ours.totals(first, games)) == totals_to_json(theirs.totals(first, games)):
        return []
    pairs = zip(ours.records(first, games), theirs.records(first, games), strict=True)
    return [f"{told(one)} instead of {told(other)}" for one, other in pairs if told(one) != told(other)] or ["sums"]


@pytest.mark.parametrize(("name", "players", "options"), list(all_tables())[::EVERY])
def test_the_same_figures(name: str, players: int, options: dict[str, Any]) -> None:
    made = table_of(name, players, options)
    if made is not None:
        assert unlike(made, FEW, seed=4) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "options"), list(all_tables()))
def test_the_same_figures_for_long(name: str, players: int, options: dict[str, Any]) -> None:
    made = table_of(name, players, options)
    if made is not None:
        assert unlike(made, MANY, seed=5) == []


@pytest.mark.parametrize("number", range(6))
def test_the_same_of_rulebooks_made_up(number: int) -> None:
    assert unlike(set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {}), 30) == []


@pytest.mark.long
def test_the_same_of_many_made_up() -> None:
    for number in range(6, 306):
        assert unlike(set_up_table(program(made_up(number), "2..3"), 2 + number % 2, {}), 30) == [], (
            f"rulebook {number}"
        )


def test_two_kinds_with_the_same_written_name() -> None:
    assert unlike(table(SAME_NAMES), 20) == []


def test_the_same_record_of_every_game() -> None:
    made = set_up_table(bundled("collection"), 3, {"goals": "round"})
    pairs = zip(natively(made, 3).records(196, 8), ReferenceMeasurer(made, 3).records(196, 8), strict=True)
    assert all(told(one) == told(other) for one, other in pairs)


def test_a_game_followed_by_hand() -> None:
    """As on the reference: turns of all kinds, who leads when, how it ends."""
    made = table(RACE.replace("choose rest or gain if possible", "choose rest"))
    (record,) = natively(made).records(WATCHED, 1)
    values = record.values
    assert (values["length", "decisions"], values["length", "turns"], values["length", "rounds"]) == (5, 5, 1)
    assert (values["options",], values["forced",], values["win", "2"]) == (5, 5, 2)
    assert (values["lead changes",], values["settled",], values["line", "points"]) == (1, 4000, 3)
    assert (values["ending", "rest"], values["ending", "in once"]) == (1, 1)


def test_figures_known_from_the_tree() -> None:
    """A million games of Kuhn: within five standard errors of what the whole tree gives."""
    games = 1_000_000
    found = natively(kuhn(), 1, jobs=2).totals(WATCHED, games)
    for key, truth in ((("score", "1"), KUHN_SCORE), (("length", "decisions"), KUHN_DECISIONS)):
        sums = found.sums[key]
        error = ((sums.squares / games - (sums.total / games) ** 2) / games) ** 0.5
        assert abs(sums.total / games - float(truth)) < 5 * error


def test_any_split_and_any_number_of_threads_add_up_to_the_same() -> None:
    made = set_up_table(bundled("zero"), 3)
    whole, found = natively(made, 5).totals(0, 2500), Totals()
    for first, games in ((1000, 1500), (0, 1), (1, 999)):
        found.merge(natively(made, 5, jobs=3).totals(first, games))
    assert totals_to_json(found) == totals_to_json(whole)


LARGE = """
number gold of player: 0..2000000000 = 7
phase play: one turn each from 1
  choose dig or rest
action dig
  gold becomes 1100000000
action rest
score at end
  points = gold
ranking: highest total, ties share
"""


def test_large_figures_add_up_exactly() -> None:
    made = table(LARGE)
    found = natively(made).totals(0, 400)
    assert totals_to_json(found) == totals_to_json(ReferenceMeasurer(made, 0).totals(0, 400))
    assert found.sums["score", "1"].squares > LARGEST**2 * 100


STUCK = """
number n of player: 0..3 = 0
phase play: one turn each from 1
  choose one or more
action one
  n increases by 1
action more
  n increases by if player = 2 then 4 else 2
always "nobody has one": n of 1 is not 1
can happen "they are two apart": n of 1 = 2 and n of 2 = 0
score at end
  points = n
ranking: highest total, ties share
"""


def test_games_that_get_stuck_and_broken_properties_are_the_reference_s() -> None:
    made = table(STUCK)
    found, expected = natively(made).totals(0, 300), ReferenceMeasurer(made, 0).totals(0, 300)
    assert totals_to_json(found) == totals_to_json(expected)
    assert 0 < found.broken["nobody has one"] < found.watched == WATCHED
    assert 0 < found.stuck["leaves-range"] < 300


FRACTIONS = """
values Colour: red, blue
card Card: colour Colour, rank 1..4
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: set of Card, public
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
phase play: one turn each from 1
  choose lay
action lay(1..3 given from hand)
  move all given to heap
score at end
  points = (sum of rank over c in hand) / 3
  more = (count of hand) / 7
ranking: highest total, ties share
"""


MAY_GO_ON = """phase play: turns from 1 until steps = 12
  choose climb or fall
action climb
  steps increases by 1
action fall
  steps becomes 0
number steps: 0..12 = 0
can happen "half way": steps = 6
never "nearly there": steps = 11
score at end
  points = steps
ranking: highest total, ties share
"""


def test_games_that_are_only_too_long_are_told_by_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = MAY_GO_ON.replace("steps = 11", "steps = 13 - 14")
    for text in (MAY_GO_ON, quiet):
        assert unlike(set_up_table(program(text, "2"), 2, {}), 8) == []
    monkeypatch.delattr(ReferenceMeasurer, "records")  # the reference plays none
    found = natively(set_up_table(program(quiet, "2"), 2, {})).totals(0, 40)
    assert found.games == 40
    assert found.stuck["too-long"] + found.finished == 40
    assert 0 < found.stuck["too-long"] < 40


def test_points_in_fractions_and_several_components_at_once() -> None:
    made = table(FRACTIONS)
    assert unlike(made, 400, seed=2) == []
    found = natively(made).totals(0, 50)
    assert isinstance(found.sums["score", "1"].total, Fraction)
    assert sum(one.total for key, one in found.sums.items() if key[0] == "component") > 100


def test_rows_of_a_file_are_the_same() -> None:
    for name, players in (("zero", 3), ("the_game", 2), ("classics/kuhn", 3)):
        made = set_up_table(bundled(name), players, {})
        columns = list(column_types([made]))
        ours, theirs = natively(made, 2), ReferenceMeasurer(made, 2)
        assert ours.totals_and_rows(190, 20, columns)[1] == theirs.totals_and_rows(190, 20, columns)[1]


# ---------------------------------------------------------------- the command


def asked(**chosen: Any) -> SimulateRequest:
    return SimulateRequest(**{"json": True, **chosen})


def test_it_stops_at_the_same_game_whichever_engine_and_however_many_jobs() -> None:
    reading = read_rules("classics/leduc")
    found = [
        measure_rules(reading, asked(players="2", within=0.03, seed=6, **how))
        for how in ({"engine": "reference"}, {"engine": "native", "jobs": 1}, {"engine": "native", "jobs": 2}, {})
    ]
    assert [one.engine for one in found[:3]] == ["reference", "native", "native"]
    assert all(one.tables[0].totals == found[0].tables[0].totals for one in found)
    assert found[0].tables[0].stopped == "precision"


def test_a_table_where_every_game_gets_stuck_is_left_at_once(tmp_path: Path) -> None:
    path = tmp_path / "stuck.rules"
    rules = "number n: 0..2 = 0\nphase p: repeat until n = 3\n  choose up\naction up\n  n increases by 1\n"
    path.write_text(f'rules 1\ngame "Stuck"\nplayers 2\n{rules}', "utf-8")
    for how in ({"engine": "reference"}, {"engine": "native"}, {"engine": "reference", "jobs": 2}):
        (one,) = measure_rules(read_rules(str(path)), asked(games=500, **how)).tables
        assert (one.stopped, one.totals.games) == ("stuck", ENOUGH)


def test_files_of_rows_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for engine in ("reference", "native"):
        measure_rules(read_rules("classics/leduc"), asked(players="2", games=500, engine=engine, out=f"{engine}.csv"))
    assert Path("native.csv").read_bytes() == Path("reference.csv").read_bytes()


def test_it_says_which_engine_has_played() -> None:
    def document(*words: str) -> Any:
        command = ["simulate", "classics/kuhn", "--players", "2", "--json", *words]
        return json.loads(run_here(*command, folder=Path()).stdout)

    short, natively_played = document("--games", "30"), document("--games", "30", "--engine", "native")
    assert (short.pop("engine"), natively_played.pop("engine")) == ("reference", "native")
    del short["seconds"], natively_played["seconds"]
    assert short == natively_played


def test_players_that_think_are_left_to_the_reference() -> None:
    reading = read_rules("classics/kuhn")
    found = measure_rules(reading, asked(players="2", games=40, seats="greedy,random"))
    assert found.engine == "reference"


def test_without_the_compiler_the_reference_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesrun.run.engine_choice.is_compiler_installed", lambda: False)
    assert make_measurer(kuhn(), 0, engine="auto").name == "reference"
    with pytest.raises(Trouble, match="compiler is not installed"):
        make_measurer(kuhn(), 0, engine="native")


@pytest.mark.long
def test_a_million_games_with_all_figures_within_a_minute_of_processor_time() -> None:
    from time import process_time

    worker, began = natively(set_up_table(bundled("zero"), 4)), process_time()
    assert worker.totals(0, 1_000_000).finished == 1_000_000
    assert process_time() - began < 60
