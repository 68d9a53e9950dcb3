"""Machine code does what the small form says: the same random games in plain Python, with the same bytes at the end."""

from __future__ import annotations

import ctypes

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.native.flow.engine import compile_engine
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import bundled
from tests.native.form_in_python import FormMachine

QUICK = [("classics/kuhn", 2, 40), ("classics/tic_tac_toe", 2, 3), ("classics/leduc", 2, 10), ("classics/nim", 2, 3)]
LONG = [("classics/goofspiel", 3, 20), ("classics/pig", 2, 5), ("zero", 2, 2), ("the_game", 2, 3), ("hourglass", 3, 2),
        ("collection", 2, 2), ("tokens", 2, 1)]  # fmt: skip


def differing_fields(table: Table, seed: int, games: int) -> list[str]:
    """What is another in memory after so many games: of the position, and of all that was counted."""
    engine = compile_engine(table, None, 0)
    block = engine.new_memory(seed, True, MOST_DECISIONS, True)
    size = block.form.plan.scratch_end
    plain = FormMachine(bytearray(ctypes.string_at(block.address, size)))
    play = next(function for function in block.form.functions if function.name == "games")
    played = engine._run(block.address, 0, games)
    assert plain.call(play, 0, games) == played == games
    native = ctypes.string_at(block.address, size)
    fields = block.form.plan.fields.values()
    return [one.name for one in fields if not same_bytes(native, plain.memory, one.at, one.bits // 8 * one.amount)]


def same_bytes(one: bytes, other: bytearray, at: int, size: int) -> bool:
    return one[at : at + size] == bytes(other[at : at + size])


@pytest.mark.parametrize(("name", "players", "games"), QUICK)
def test_the_same_games(name: str, players: int, games: int) -> None:
    assert differing_fields(set_up_table(bundled(name), players), 7, games) == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "games"), LONG)
def test_the_same_games_of_larger_rulebooks(name: str, players: int, games: int) -> None:
    assert differing_fields(set_up_table(bundled(name), players), 8, games) == []
