"""Random games of the five rulebooks and of their house rules: no fault, no stuck position, no broken property."""

from __future__ import annotations

import pytest

import rulesrun
from rulesrun.dsl import ast
from rulesrun.interpreter.examples.examples import ExampleRun
from rulesrun.interpreter.model.example_lowering import lower_example
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.properties import PropertyGuard
from rulesrun.interpreter.play.random_games import SimulationResult, play_to_end, simulate_games
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.games.measure import FIVE, GAMES, VARIANTS, Settings, one_at_a_time, pairwise, players_of, program_of

FEW = 2
MANY = 10_000
LONGEST = 4_000
TABLES = [(name, players) for name in FIVE for players in players_of(name)]


def table_of(name: str, players: int, settings: Settings) -> Table | None:
    """None where the rulebook does not allow it: the pile is used twice by five players only."""
    try:
        return set_up_table(program_of(name), players, settings)
    except RefusedTable:
        assert (name == "hourglass" and players < 5 and settings["two_decks"] == "yes") or (
            name == "collection" and settings == {"goals": "fixed", "goal_count": 1}
        )
        return None


def play(name: str, players: int, settings: Settings, games: int) -> SimulationResult | None:
    table = table_of(name, players, settings)
    if table is None:
        return None
    found = simulate_games(table, 17, games, limit=LONGEST)
    faults = {code: games for code, games in found.faulty_games.items() if not may_be_endless(code, settings)}
    assert not faults, [diagnostic.message for _, diagnostic, _ in found.faults]
    assert not found.broken_games
    return found


def may_be_endless(code: str, settings: Settings) -> bool:
    """A match that goes in circles is found and told where nothing is agreed that ends it."""
    return code == "too-long" and settings.get("endless") == "plays_on"


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_value_of_every_option_plays(name: str, players: int) -> None:
    for settings in one_at_a_time(name):
        play(name, players, settings, FEW)


@pytest.mark.parametrize("name", FIVE)
def test_all_pairs_of_values_play(name: str) -> None:
    for at, settings in enumerate(pairwise(name)):
        play(name, players_of(name)[at % len(players_of(name))], settings, FEW)


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_ten_thousand_games_of_all_pairs(name: str, players: int) -> None:
    for settings in [{}, *pairwise(name)]:
        table = table_of(name, players, settings)
        if table is None:
            continue
        found = natively(table, MANY)
        faults = {code: games for code, games in found.faulty_games.items() if not may_be_endless(code, settings)}
        assert not faults, (settings, [diagnostic.message for _, diagnostic, _ in found.faults])
        assert not found.broken_games, settings
        assert found.games == MANY


def natively(table: Table, games: int) -> SimulationResult:
    """Many games in machine code, which tells the same as the reference."""
    engine = pytest.importorskip("rulesrun.interpreter.native.flow.engine")
    made = engine.compile_engine(table)
    found = SimulationResult()
    played = engine.GameBatch(
        made,
        lambda number: Streams(17, number),
        [made.new_memory(17, True, LONGEST, False)],
        found,
        PropertyGuard(table),
        LONGEST,
    )
    played.play_games(0, games)
    played.collect_counts()
    return found


@pytest.mark.parametrize("name", VARIANTS)
def test_house_rules_play(name: str) -> None:
    for players in players_of(f"variants/{name}"):
        play(f"variants/{name}", players, {}, FEW)


def test_a_match_in_circles_is_found_when_nothing_ends_it() -> None:
    """The position of the worked example, in which every move is forced: told, instead of played for ever."""
    table = set_up_table(program_of("tokens"), 2, {"endless": "plays_on"})
    (example,) = [one for one in table.bench.declarations(ast.Example) if one.title.startswith("endless plays_on")]
    run = ExampleRun(table, lower_example(table.program, example), 0)
    assert run.play_example().verdict == "passed"
    with pytest.raises(Fault) as told:
        play_to_end(table, run.S, Streams(5), None, SimulationResult(), LONGEST, None)
    assert told.value.diagnostic.code == "too-long"


@pytest.mark.parametrize("name", [name for name in FIVE if name != "collection"])
@pytest.mark.parametrize(("said", "seat"), [("seat", 1), ("2", 2), ("3", 3)])
def test_a_seat_may_be_said_to_begin(name: str, said: str, seat: int) -> None:
    position = rulesrun.load(str(GAMES / f"{name}.rules")).start(3, {"first": said}, seed=1)
    assert isinstance(position.pending, rulesrun.Decision)
    assert position.pending.player == seat


def test_all_ends_of_the_game_are_words_of_the_rules() -> None:
    found = play("the_game", 1, {"fire": "yes"}, 200)
    assert found is not None
    assert set(found.results) <= {"beaten", "excellent", "ended", "burnt"}
    assert found.results["burnt"] > 0
