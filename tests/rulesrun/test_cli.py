"""The command line: exit codes, where text goes, errors in words, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rulesrun.conftest import TINY, Run

WRONG = TINY.replace("from deck to each hand", "from dekc to each hand")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["chek"], "did you mean `rulesrun check`"),
        (["check"], "needs FILE"),
        (["check", "nothing/here.rules"], "there is no such file"),
        (["check", "zeroo"], "`zero`"),
        (["check", "--jsno", "zero"], "did you mean `--json`"),
        (["zero", "--players", "many"], "expected a number"),
        (["zero", "--players", "9"], "2 to 5"),
        (["zero", "--set", "first"], "NAME=VALUE"),
        (["zero", "--set", "first=second"], "second"),
        (["zero", "--set", "frist=seat"], "frist"),
        (["zero", "--games", "0"], "from 1"),
        (["compare", "zero"], "BASE VARIANT"),
        (["explain", "unknown-zon"], "unknown-zone"),
        (["tree", "zero", "classics/kuhn"], "takes only"),
        (["tree", "zero"], "too deep to count"),
        (["tree", "zero", "--foo"], "rulesrun tree --help"),
        (["replay", "zero"], "FILE TRACE"),
        (["."], "folder"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line_with_exit_code_2(run: Run, words: list[str], part: str) -> None:
    done = run(*words)
    assert done.returncode == 2, done.stderr
    assert part in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_without_words_it_shows_a_short_help(fresh: Run) -> None:
    done = fresh()
    assert done.returncode == 2
    assert "rulesrun check FILE" in done.stderr


def test_help_is_a_result(fresh: Run) -> None:
    for words in (["--help"], ["trace", "--help"]):
        done = fresh(*words)
        assert done.returncode == 0
        assert "--seed" in done.stdout


def test_a_sound_file_is_0_and_a_wrong_one_1(fresh: Run, tiny: Path) -> None:
    assert fresh("check", "tiny.rules").returncode == 0
    tiny.write_text(WRONG, "utf-8")
    done = fresh("check", "tiny.rules")
    assert done.returncode == 1
    assert "tiny.rules:13:15" in done.stdout
    assert "did you mean `deck`?" in done.stdout


def test_a_diagnostic_as_json_counts_from_1(run: Run, tiny: Path) -> None:
    tiny.write_text(WRONG, "utf-8")
    done = run("check", "--json", "tiny.rules")
    (file,) = json.loads(done.stdout)["files"]
    assert file["ok"] is False
    found = file["diagnostics"][0]
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (13, 15, 13, 19)
    assert set(found) == {
        "severity", "code", "message", "file", "line", "column", "end_line", "end_column", "hint", "related"
    }  # fmt: skip


def test_rules_come_from_standard_input_too(fresh: Run) -> None:
    assert fresh("check", "-", stdin=TINY).returncode == 0
    assert fresh("check", "-", stdin=WRONG).returncode == 1


def test_bytes_that_are_no_text_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "latin.rules").write_bytes("rules 1\n# Übung".encode("latin-1"))
    done = run("check", "latin.rules")
    assert done.returncode == 2
    assert "UTF-8" in done.stderr


def test_an_unreadable_file_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop.rules").symlink_to("loop.rules")
    done = run("check", "loop.rules")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_variant_builds_on_the_file_beside_it(run: Run, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "variant.rules").write_text(
        'rules 1\nvariant "No laying" of "tiny.rules"\nremove action lay\n', "utf-8"
    )
    done = run("check", "variant.rules")
    assert done.returncode == 1  # the phase still offers it
    (tmp_path / "variant.rules").write_text(
        'rules 1\nvariant "Many" of "tiny.rules"\nchange players: 2..4\n'.replace("players: ", "players "), "utf-8"
    )
    assert run("check", "variant.rules").returncode == 0
    assert run("check", "tiny.rules", "--with", "variant.rules").returncode == 0


@pytest.mark.parametrize("base", ["self.rules", "nowhere.rules", "/etc/passwd"])
def test_a_base_that_is_not_there_or_the_file_itself_is_an_error_in_the_file(
    run: Run, tmp_path: Path, base: str
) -> None:
    (tmp_path / "self.rules").write_text(f'rules 1\nvariant "Round" of "{base}"\n', "utf-8")
    done = run("check", "self.rules")
    assert done.returncode == 1
    assert "base" in done.stdout


def test_nothing_is_coloured_outside_a_terminal(run: Run, tiny: Path) -> None:
    tiny.write_text(WRONG, "utf-8")
    assert "\x1b" not in run("check", "tiny.rules").stdout


def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    command = f"{sys.executable} -m rulesrun trace zero --seed 1 | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert json.loads(done.stdout)["event"] == "start"
    strict = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, timeout=60)
    assert strict.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    command = f"{sys.executable} -m rulesrun check zero > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_closed_stream_is_no_fault(tmp_path: Path, closed: str) -> None:
    command = f"{sys.executable} -m rulesrun check classics/kuhn {closed}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr == ""


def test_importing_and_checking_stay_light() -> None:
    """`check` looks whether there is machine code, but loads no compiler; `--help` not even the language."""
    code = "import sys; from rulesrun.cli import main; main(sys.argv[1:]); print(sorted(sys.modules), file=sys.stderr)"
    checking = ["check", "zero"]
    for words, absent in ((checking, "llvmlite"), (checking, "numpy"), (["--help"], "rulesrun.dsl.ast")):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60)
        assert absent not in done.stderr


def test_fmt_writes_one_layout_and_check_only_shows_it(run: Run, tiny: Path) -> None:
    untidy = TINY.replace("players 2..3", "players   2 .. 3   # few").replace("\n", "\r\n")
    tiny.write_bytes(untidy.encode())
    shown = run("fmt", "--check", "tiny.rules")
    assert shown.returncode == 1
    assert "+players 2..3  # few" in shown.stdout
    assert tiny.read_bytes() == untidy.encode()
    assert run("fmt", "tiny.rules").returncode == 0
    assert tiny.read_bytes().decode() == TINY.replace("players 2..3", "players 2..3  # few")
    again = run("fmt", "--check", "tiny.rules")
    assert (again.returncode, again.stdout) == (0, "")


def test_fmt_leaves_a_file_alone_that_it_cannot_read(run: Run, tiny: Path) -> None:
    broken = TINY.replace("players 2..3", "players 2..")
    tiny.write_text(broken, "utf-8")
    done = run("fmt", "tiny.rules")
    assert done.returncode == 1
    assert "tiny.rules:3" in done.stderr
    assert tiny.read_text("utf-8") == broken


def test_fmt_leaves_a_file_alone_when_the_layout_would_say_something_else(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tiny.read_text("utf-8") + "\n\n\n# the last remark\n"
    tiny.write_text(text, "utf-8")
    monkeypatch.setattr("rulesrun.dsl.format.format.format_file", lambda *_: 'rules 1\ngame "Another"\n')
    done = run("fmt", "tiny.rules")
    assert done.returncode == 2
    assert "error[unfaithful-layout]" in done.stderr
    assert tiny.read_text("utf-8") == text


def test_fmt_does_not_touch_bundled_rulebooks(run: Run) -> None:
    assert run("fmt", "zero").returncode == 2


def test_expanded_shows_the_whole_rulebook_of_a_variant(run: Run) -> None:
    done = run("fmt", "--expanded", "variants/zero_three_passes")
    assert done.returncode == 0
    assert "passes = 3" in done.stdout
    assert "variant" not in done.stdout


def test_two_variants_that_touch_the_same_piece_name_both_places(run: Run, tiny: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        text = f'rules 1\nvariant "{name}" of "tiny.rules"\nremove action keep\n'
        (tmp_path / f"{name}.rules").write_text(text, "utf-8")
    (tmp_path / "two.rules").write_text(
        'rules 1\nvariant "two" of "tiny.rules"\nchange action keep\n  end game\n', "utf-8"
    )
    done = run("check", "tiny.rules", "--with", "one.rules", "--with", "two.rules", "--json")
    assert done.returncode == 1
    (found,) = [one for one in json.loads(done.stdout)["files"][0]["diagnostics"] if one["related"]]
    assert {found["file"], found["related"][0]["file"]} == {"one.rules", "two.rules"}


def test_rules_that_allow_no_table_do_not_hold(run: Run, tiny: Path) -> None:
    tiny.write_text(TINY.replace("players 2..3", "players 2..3\nrequire players > 3"), "utf-8")
    for command in ([], ["trace"], ["tree"], ["simulate"]):
        done = run(*command, "tiny.rules")
        assert done.returncode == 1
        assert "tiny.rules:4" in done.stdout + done.stderr
