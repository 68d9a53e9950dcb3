"""A figure is declared once: both engines count what is declared for a table, all of it and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.measure import catalogue, declared_figures
from rulesrun.interpreter.measure.catalogue import TableFigures, list_figures
from rulesrun.interpreter.measure.declared_figures import FIGURES, Event, Figure, declared_figure
from rulesrun.interpreter.measure.duel import WATCHED, ReferenceMeasurer
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.measure.totals import Totals, totals_to_json
from rulesrun.interpreter.model.moments import Combination, Either, Number, Quantity, Term
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.native.flow.random_games import plan_random_games
from rulesrun.interpreter.native.measure.figures import Figures
from rulesrun.interpreter.native.measure.measurement import NativeMeasurer, compile_measuring_engine
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.games.measure import GAMES
from tests.interpreter.made import table
from tests.measuring.games import kuhn

FILES = sorted(str(path.relative_to(GAMES).with_suffix("")) for path in GAMES.rglob("*.rules"))


def smallest_table(name: str) -> Table:
    program = read_rules(name).program
    assert program is not None
    for players in range(1, 9):
        try:
            return set_up_table(program, players, {})
        except RefusedTable:
            continue
    raise AssertionError(name)


@pytest.mark.parametrize("name", FILES)
def test_both_engines_count_what_is_declared(name: str) -> None:
    made = smallest_table(name)
    declared = TableFigures(made)
    try:
        natively = Figures(plan_random_games(made)).keys
    except CannotCompile:
        pytest.skip("it is not counted natively")
    (record,) = ReferenceMeasurer(made, 0).records(WATCHED, 1)
    assert record.values.keys() <= natively.keys()
    rows = {key for event in Event for of in declared.names_at(event) for row in declared.rows_at(event, of)
            for key in row.keys}  # fmt: skip
    assert {key for key in natively if key[0] != "value"} <= rows
    assert set(list_figures(made)) <= natively.keys() | rows


def test_a_figure_that_is_not_declared_cannot_be_counted() -> None:
    with pytest.raises(KeyError):
        declared_figure(("luck", "1"))
    with pytest.raises(KeyError):
        Totals().add_record(GameRecord(0, {("luck",): 1}))


def test_one_declaration_is_all_that_both_engines_need(monkeypatch: pytest.MonkeyPatch) -> None:
    adds = Combination("=", Quantity("options"), Number(2))
    few = Figure(("few",), Event.DECISION, "decisions with two options", adds)
    monkeypatch.setitem(declared_figures.BY_WORDS, few.words, few)
    monkeypatch.setattr(catalogue, "FIGURES", (*FIGURES, few))
    made = kuhn()
    found = NativeMeasurer(compile_measuring_engine(made), 0).totals(WATCHED, 50)
    assert totals_to_json(found) == totals_to_json(ReferenceMeasurer(made, 0).totals(WATCHED, 50))
    assert found.sums["few",].total == found.sums["length", "decisions"].total


def quantities(term: Term) -> Iterator[str]:
    match term:
        case Quantity(name):
            yield name
        case Combination(_, left, right):
            yield from (*quantities(left), *quantities(right))
        case Either(test, one, other):
            yield from (*quantities(test), *quantities(one), *quantities(other))
        case Number():
            pass


@pytest.mark.parametrize("figure", FIGURES, ids=lambda one: " ".join(one.words))
def test_a_figure_speaks_of_quantities_that_its_event_names(figure: object) -> None:
    (one,) = (each for each in FIGURES if each is figure)
    assert set(quantities(one.adds)) <= set(re.findall(r"\w+", one.event.value.partition(":")[2]))


def test_a_value_too_large_to_be_counted_is_not_listed_as_never_chosen() -> None:
    made = table("""
number bid: 0..200 = 0
phase play: one turn each from 1
  choose say
action say(amount in {5, 100, 200})
  bid becomes amount
score at end
  points = bid
ranking: highest total, ties share
""")
    assert [key for key in list_figures(made) if key[0] == "value"] == [("value", "say", "amount", "5")]
