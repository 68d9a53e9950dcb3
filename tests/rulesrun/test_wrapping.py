"""Reports on a terminal: lines that fit, hanging under their text; through a pipe nothing is broken."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.terminal.output import COLOUR, measure_width, wrap_line, wrap_report
from tests.rulesrun.conftest import Run
from tests.rulesrun.test_reports import on_a_terminal

RED, PLAIN = "\x1b[1;31m", "\x1b[0m"
ROW = "  holds      whoever must choose has something to choose, whatever came before (not written)"
PAINTED = f"{RED}holds{PLAIN}"
TURN = "     12. player 1: play("
SHOWN = [
    (ROW, ROW.removesuffix(" (not written)"), "(not written)", 13),
    (ROW.replace("holds", PAINTED), ROW.removesuffix(" (not written)").replace("holds", PAINTED), "(not written)", 13),
    (" " * 13 + "of them " * 12, " " * 13 + "of them " * 8 + "of", "them of them of them of them", 13),
    ("    length     " + "of them " * 12, "    length     " + "of them " * 8, "of them of them of them of them", 15),
    (" " * 15 + "of them " * 12, " " * 15 + "of them " * 8, "of them of them of them of them", 15),
    (TURN + "card 2, " * 8 + "row 3)", TURN + "card 2, " * 7, "card 2, row 3)", 9),
    ("   = hint: " + "say it " * 12, "   = hint: " + "say it " * 10, "say it say it", 11),
    ("  = hint: " + "say it " * 12, "  = hint: " + "say it " * 10, "say it say it", 10),
    ("    stock = " + "12, " * 20, "    stock = " + "12, " * 17, "12, 12, 12,", 6),
]


@pytest.mark.parametrize(("line", "first", "second", "hang"), SHOWN)
def test_a_line_goes_on_under_its_text(line: str, first: str, second: str, hang: int) -> None:
    assert wrap_line(line.rstrip(), 80) == [first.rstrip(), " " * hang + second]


@pytest.mark.parametrize("line", [
    "104 |   " + "give from hand where " * 6, "    |   " + "^" * 90,
    "    again: rulesrun " + "long_name " * 9 + "--seed 1", "  --> " + "folder/" * 12 + "game.rules:104:8",
])
def test_excerpts_and_commands_to_copy_stay_whole(line: str) -> None:
    assert wrap_line(line, 80) == [line]


def test_what_is_between_backticks_stays_together() -> None:
    line = "  further    more positions than the machine has memory for may be had with the option `--memory MB` said"
    assert wrap_line(line, 87)[1] == " " * 13 + "`--memory MB` said"


PARTS = ["a", "b ", "  ", " ", "`", "(", ":", "12. ", "Ж", "語", "wordy", f"{RED}x{PLAIN}"]
TEXT = st.lists(st.sampled_from(PARTS), max_size=150).map("".join)


@given(TEXT, st.integers(60, 120))
def test_no_word_is_lost_and_no_line_is_too_wide_without_need(text: str, width: int) -> None:
    lines = wrap_line(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        widest = max(map(measure_width, line.split()), default=0)
        assert measure_width(line) <= width or widest >= width // 2 or measure_width(text.rstrip()) <= width


@pytest.mark.parametrize(("language", "columns", "narrow"), [("en", "80", 80), ("ru", "80", 80), ("ru", "40", 60)])
def test_a_report_fits_a_terminal(language: str, columns: str, narrow: int, tmp_path: Path) -> None:
    words = ("tokens", "--games", "4", "--all", "--lang", language)
    seen = COLOUR.sub("", on_a_terminal(*words, folder=tmp_path, COLUMNS=columns)).replace("\r", "\n").split("\n")
    told = [line for line in seen if line.startswith("  ")]
    assert told
    assert max(map(len, told)) <= narrow
    assert any(re.match(r" {13}\S", line) for line in told)


def test_a_wide_terminal_and_a_pipe_have_whole_lines(run: Run, tmp_path: Path) -> None:
    words = ("explore", "classics/kuhn", "--lang", "ru")
    wide = COLOUR.sub("", on_a_terminal(*words, folder=tmp_path, COLUMNS="400"))
    whole = run(*words).stdout
    longest = max(whole.splitlines(), key=len)
    assert len(longest) > 80
    assert longest in wide
    assert longest not in COLOUR.sub("", on_a_terminal(*words, folder=tmp_path, COLUMNS="80"))


def test_a_report_that_fits_is_left_as_it_is() -> None:
    assert wrap_report(f"{ROW}\n\n  x\n", 200) == f"{ROW}\n\n  x\n"


def test_figures_fit_a_terminal(tmp_path: Path) -> None:
    words = ("simulate", "classics/kuhn", "--games", "20")
    seen = COLOUR.sub("", on_a_terminal(*words, folder=tmp_path, COLUMNS="80")).replace("\r", "\n")
    told = [line for line in seen.split("\n") if line.startswith("  ")]
    assert max(map(len, told)) <= 80
    assert "at always" not in seen
