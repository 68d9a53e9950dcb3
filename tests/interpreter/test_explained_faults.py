"""What the catalogue says about faults at play, played."""

from __future__ import annotations

import pytest

from rulesrun.dsl.check import check_game
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.reference.table import set_up_table
from tests.explained import complete_file, read_pages

# Met when orders are listed, when a component is outside all zones, when every position is looked at, in compiled
# games, not behind the checker, or no fault at all.
NOT_PLAYED = {"unfaithful-layout", "reference-engine", "too-many-orders", "nowhere", "no-value", "no-way-out"}
IN_EXAMPLES = {"failed-example", "not-the-turn", "illegal-move", "cannot-come", "never-used", "impossible-given"}
PAGES = {page.code: page for page in read_pages()}
PLAYED = sorted({page.code for page in PAGES.values() if page.kind == "play"} - NOT_PLAYED - IN_EXAMPLES)


def program_of(pieces: str) -> Program:
    source = Source("a.rules", complete_file(pieces))
    program = check_game(assemble_game("a.rules", [(source, parse_source(source))]).game, (source,))
    assert isinstance(program, Program)
    return program


def faults(pieces: str) -> set[str]:
    """Of the first game that fails, if any of some does."""
    program = program_of(pieces)
    for seed in range(12):
        try:
            table = set_up_table(program, 2)
            for _ in play_game(table, random_picker(Streams(seed)), limit=200):
                pass
        except Fault as problem:
            return {problem.diagnostic.code}
        except RefusedTable as problem:
            return {diagnostic.code for diagnostic in problem.diagnostics}
    return set()


@pytest.mark.parametrize("code", PLAYED)
def test_the_wrong_example_fails_like_this_and_the_right_one_does_not(code: str) -> None:
    assert faults(PAGES[code].wrong) == {code}
    assert faults(PAGES[code].right) == set()


@pytest.mark.parametrize("code", sorted(IN_EXAMPLES))
def test_the_wrong_worked_example_comes_out_like_this_and_the_right_one_passes(code: str) -> None:
    wrong = [result.diagnostic for result in run_examples(program_of(PAGES[code].wrong))]
    assert [found.code for found in wrong if found is not None] == [code]
    assert [result.verdict for result in run_examples(program_of(PAGES[code].right))] == ["passed"]
