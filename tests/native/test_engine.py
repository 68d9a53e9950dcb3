"""What the engine tells of faults and broken properties, what it refuses, threads, and code kept on disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

from rulesrun.interpreter.form import machine_code
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.form.form_printer import format_form
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.native.flow.engine import compile_engine, simulate
from rulesrun.interpreter.native.flow.random_games import lower_random_games
from rulesrun.interpreter.reference.table import set_up_table
from rulesrun.run.engine_choice import CodeCache
from tests.interpreter.made import bundled, table
from tests.native.both import differences

CARDS = """
card Card: rank 1..6
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
"""


def test_a_property_broken_in_some_games_is_told_as_the_reference_tells_it() -> None:
    made = table(CARDS + """
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: one turn each from 1
  choose play
action play(card from hand)
  move card to bottom of stock
always "nobody holds the six": no c in hand of 1 has rank of c = 6
at end of round "the sum is even": (sum of rank over hand of 1) mod 2 = 0
can happen "two low ones": every p in players has every c in hand of p has rank of c < 4
score at end
  points = sum of rank over hand
""")
    assert differences(made, 300) == []


def test_a_number_that_leaves_its_range_is_the_same_fault() -> None:
    made = table("""
number sum_so_far: 0..9 = 0
number die: 1..6
phase play: turns from 1 until sum_so_far = 9
  choose go
action go
  roll die
  sum_so_far increases by die
score at end
  points = sum_so_far
""")
    assert differences(made, 200) == []


def test_a_full_place_an_empty_pile_and_nobody_to_choose_for() -> None:
    made = table(CARDS + """
zone shelf: row of Card, public, up to 2
number die: 1..3
setup
  shuffle all Card into stock
phase play: repeat 3 times
  choose one, two or three
  roll die
action one
  needs die < 3
  draw 1 from stock to shelf
action two
  needs die = 2
  draw 4 from stock to hand
action three(card from hand where rank = die)
  move card to shelf
score at end
  points = count of hand
""")
    assert differences(made, 300) == []


def test_a_loop_without_end_is_left_to_the_reference() -> None:
    made = table("""
number n: 0..3 = 0
phase play: repeat until n = 3
  n becomes 1
score at end
  points = n
""")
    assert differences(made, 1) == []


def test_the_limit_of_decisions() -> None:
    made = table("""
number n: 0..30 = 0
phase play: turns from 1 until n = 30
  choose go or stay
action go
  n increases by 1
action stay
score at end
  points = n
""")
    assert differences(made, 100, limit=60) == []


def test_two_threads_find_what_one_finds() -> None:
    made = table("""
number n: 0..9 = 0
phase play: turns from 1 until n > 5
  choose go(1..3)
action go(by in 1..3)
  n increases by by
always "never seven": n is not 7
score at end
  points = if n = 6 then 1 else 0
""".replace("choose go(1..3)", "choose go"))
    assert differences(made, 500, jobs=2) == []


def test_what_cannot_be_compiled_says_why() -> None:
    properties = "\n".join(f'can happen "property {number}": n < {number}' for number in range(10, 75))
    made = table(f"""
number n: 0..3
phase play: one turn each from 1
  choose go
action go
{properties}
score at end
  points = n
""")
    with pytest.raises(CannotCompile, match="too many properties"):
        lower_random_games(made)


def test_the_form_can_be_read() -> None:
    made = table("number n: 0..3 = 2\nphase play: one turn each from 1\n  choose go\naction go\n  n becomes 1\n")
    form = lower_random_games(made)
    text = format_form(form.plan.fields.values(), form.functions, form.plan.size)
    assert "n: 1 x 8 bits" in text
    assert "n becomes 2" in text  # its start
    assert "n becomes 1" in text


# ---- code kept on disk


def test_kept_code_is_used_and_damaged_code_is_not(tmp_path: Path) -> None:
    cache = CodeCache(tmp_path)
    cache.put("key", b"code")
    assert cache.get("key") == b"code"
    assert cache.get("other") is None
    path = tmp_path / "key"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert cache.get("key") is None
    (tmp_path / "other").write_bytes(b"")
    assert cache.get("other") is None


def test_code_of_another_key_is_not_used(tmp_path: Path) -> None:
    cache = CodeCache(tmp_path)
    cache.put("one", b"code")
    (tmp_path / "one").rename(tmp_path / "two")
    assert cache.get("two") is None


def test_code_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    cache = CodeCache(tmp_path)
    cache.put("key", b"code")
    (tmp_path / "key").chmod(0o666)
    assert cache.get("key") is None


def test_an_engine_from_the_cache_plays_the_same(tmp_path: Path) -> None:
    made = table("number die: 1..6\nphase play: repeat 5 times\n  roll die\nscore at end\n  points = die\n")
    first = simulate(compile_engine(made, CodeCache(tmp_path)), 5, 100)
    assert len(list(tmp_path.iterdir())) == 1
    again = simulate(compile_engine(made, CodeCache(tmp_path)), 5, 100)
    assert again.score_sums == first.score_sums
    assert differences(made, 100, engine=compile_engine(made, CodeCache(tmp_path))) == []


def test_long_code_is_made_with_less_and_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made = set_up_table(bundled("zero"), 2, {})
    monkeypatch.setattr("tests.native.conftest.WITH_CARE", 1)
    short = machine_code.compile_object_code(
        ModuleText(machine_code.has_pdep()).format_module(lower_random_games(made).functions)
    )
    monkeypatch.setattr(machine_code, "LONG", 100)
    long = machine_code.compile_object_code(
        ModuleText(machine_code.has_pdep()).format_module(lower_random_games(made).functions)
    )
    assert len(long) < len(short)
    assert differences(made, 40, engine=compile_engine(made)) == []


def test_importing_rulesrun_does_not_import_the_compiler() -> None:
    script = "import sys, rulesrun, rulesrun.cli, rulesrun.run.engine_choice; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
