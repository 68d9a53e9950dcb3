"""What a player remembers, in machine code: as the reference has it, and as plain Python has it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.files.loading import read_text
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import TreeCount, count_tree
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.interpreter.remembering import SKETCHES, Sketch, information_sets, played
from tests.interpreter.test_player_memory import COUNTED, INFOSETS, SEEN_AND_GONE, rules_of
from tests.native.single import equal_alike, quick_blocks, started, walk

MOST = 3_000
MANY = pytest.param(300, marks=pytest.mark.long)


def counted(made: Table) -> TreeCount:
    return count_tree_natively(compile_tree_positions(made, None, 0), 1_000_000)


@pytest.mark.parametrize("name", COUNTED)
def test_information_sets_counted_by_hand(name: str) -> None:
    assert counted(rules_of(name)).information_sets == dict(enumerate(COUNTED[name], start=1))


def test_dealt_at_once_and_gone_again() -> None:
    assert counted(table(INFOSETS)).information_sets == {1: 3, 2: 6}
    assert counted(table(SEEN_AND_GONE, 1)).information_sets == {1: 2}


@pytest.mark.parametrize("examples", [5, MANY])
def test_both_engines_and_plain_python_agree(examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(SKETCHES)
    def agree(sketch: Sketch) -> None:
        made = table(sketch.text())
        theirs = count_tree(made, MOST)
        if theirs.is_complete:
            ours = counted(made)
            assert ours.information_sets == theirs.information_sets == information_sets(played(sketch), 2)
            assert (ours.histories, ours.terminals) == (theirs.histories, theirs.terminals)

    agree()


@pytest.mark.parametrize("examples", [5, MANY])
def test_both_engines_observe_the_same(examples: int) -> None:
    """Every player, at every step of a walk that goes back now and then, whole histories."""
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(SKETCHES)
    def observe(sketch: Sketch) -> None:
        reading = read_text(f'rules 1\ngame "Sketch"\nplayers 2\n{sketch.text()}', "sketch")
        assert reading.program is not None
        made = table(sketch.text())
        equal_alike(walk(started(reading, made, quick_blocks(made)), Random(1).randrange, 40))

    observe()
