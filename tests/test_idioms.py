"""The games of docs/idioms.md: nothing to complain of, laid out as the formatter does, examples pass, games end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesrun.dsl.format.format import format_file
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.files.loading import read_text
from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.reference.table import set_up_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "idioms.md"
GAMES = re.findall(r"^```rules\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", GAMES, ids=[re.findall('game "(.*)"', text)[0] for text in GAMES])
def test_a_game_of_the_page_holds(text: str) -> None:
    source = Source("a.rules", text)
    assert format_file(source, parse_source(source)) == text
    reading = read_text(text)
    assert reading.diagnostics == ()
    assert reading.program is not None
    assert {result.verdict for result in run_examples(reading.program)} <= {"passed"}
    players = int(re.findall(r"^players (\d)", text, re.MULTILINE)[0])
    for seed in range(3):
        assert list(play_game(set_up_table(reading.program, players), random_picker(Streams(seed)), limit=2000))
