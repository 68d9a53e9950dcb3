"""Two wordings of one game: the new words, and the old ones that everything was tested with."""

from __future__ import annotations

import pytest
from attrs import asdict

pytest.importorskip("llvmlite")

from rulesrun.dsl.check import check_game
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program, Rejected
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.native.both import differences, quick_engine

MOST = 100_000


def read(text: str) -> Program | Rejected:
    source = Source("made.rules", text)
    parsed = parse_source(source)
    if parsed.diagnostics:
        return Rejected(parsed.diagnostics)
    return check_game(assemble_game("made.rules", [(source, parsed)]).game, (source,))


def program_of(text: str) -> Program:
    found = read(text)
    assert isinstance(found, Program), found
    needless = ("nobody-chooses", "no-ranking", "nothing-scored")  # nobody plays it to win
    assert [one for one in found.warnings if one.code not in needless] == []
    return found


def errors_of(text: str) -> list[Diagnostic]:
    found = read(text)
    return [one for one in found.diagnostics if one.severity == "error"] if isinstance(found, Rejected) else []


def warnings_of(text: str) -> list[str]:
    found = read(text)
    assert isinstance(found, Program), found
    return [one.message for one in found.warnings]


def table_of(text: str, players: int = 2, **options: object) -> Table:
    return set_up_table(program_of(text), players, options)


def assert_alike(new: str, old: str, players: int = 2, **options: object) -> Table:
    """The same trees and the same positions; the new wording plays alike on both engines. Gives its table."""
    ours, theirs = (set_up_table(program_of(text), players, options) for text in (new, old))
    assert asdict(count_tree(ours, MOST)) == asdict(count_tree(theirs, MOST))
    found, wanted = explore_table(ours, MOST), explore_table(theirs, MOST)
    assert (found.levels, list(found.edges)) == (wanted.levels, list(wanted.edges))
    assert differences(ours, 60, seed=1, engine=quick_engine(ours), limit=200) == []
    return ours


def is_laid_out(text: str) -> bool:
    source = Source("made.rules", text)
    return format_file(source, parse_source(source)) == text
