"""Completion in real shells, each asked what it offers; the manual page by mandoc's own lint."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulesrun.files.sources import bundled_names
from rulesrun.shell.bash import write_bash
from rulesrun.shell.fish import write_fish
from rulesrun.shell.manual import write_manual
from rulesrun.shell.zsh import write_zsh
from rulesrun.terminal.arguments import COMMANDS, OPTIONS
from tests.command_line import run_here

RULES = """rules 1
game "Small"
players 2
option first: lot, seat = lot
option bold: yes or no = no
persona hasty
  prefer pass
small "a small: one"
  players 2
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.rules").write_text(RULES, "utf-8")
    (tmp_path / "notes.txt").write_text("", "utf-8")
    (tmp_path / "more").mkdir()
    for name, write in (("bash", write_bash), ("fish", write_fish), ("zsh", write_zsh)):
        (tmp_path / f".{name}-script").write_text(write(), "utf-8")
    return tmp_path


def ask_bash(line: str, folder: Path) -> set[str]:
    """As bash itself breaks the line into words."""
    words = [word for word in re.split(r"(?<=[=:])|(?=[=:])|\s+", line) if word]
    if line.endswith((" ", "=")):
        words.append("")
    if words[-2:] == ["=", ""] and not line.endswith(" "):
        words.pop()
    script = f"""
      source .bash-script
      COMP_WORDS=({" ".join(f"'{word}'" for word in words)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
      COMP_LINE='{line}'; COMP_POINT={len(line)}
      _rulesrun; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return answers_of(["bash", "--norc", "-c", script], folder)


def ask_fish(line: str, folder: Path) -> set[str]:
    found = answers_of(["fish", "--no-config", "-c", f"source .fish-script; complete -C '{line}'"], folder)
    return {answer.partition("\t")[0] for answer in found}


def answers_of(command: list[str], folder: Path) -> set[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {command[0]}")
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=60, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert not done.stderr, done.stderr
    return {line for line in done.stdout.splitlines() if line}


Ask = Callable[[str, Path], set[str]]


@pytest.mark.parametrize("ask", [ask_bash, ask_fish])
def test_commands_and_rules_come_first(ask: Ask, folder: Path) -> None:
    named = set(COMMANDS) - {"run"}
    offered = ask("rulesrun ", folder)
    assert named <= offered
    assert {"mine.rules", *bundled_names()} <= offered
    assert "notes.txt" not in offered
    assert ask("rulesrun simu", folder) == {"simulate"}
    assert "mine.rules" in ask("rulesrun check mi", folder)


@pytest.mark.parametrize("ask", [ask_bash, ask_fish])
def test_what_only_the_rules_know(ask: Ask, folder: Path) -> None:
    assert ask("rulesrun simulate mine.rules --set fi", folder) >= {"first=lot", "first=seat"}
    assert "hasty" in ask("rulesrun simulate --games 5 mine.rules --seats ", folder)
    assert ask("rulesrun tree no_such.rules --set ", folder) == set()


def test_bash_puts_in_what_stands_behind_a_sign_at_which_it_breaks_words(folder: Path) -> None:
    assert ask_bash("rulesrun check mine.rules --format=sa", folder) == {"sarif"}
    assert ask_bash("rulesrun simulate mine.rules --set first=l", folder) == {"lot"}


def test_fish_takes_a_value_behind_a_sign_of_equality(folder: Path) -> None:
    assert "--format=sarif" in ask_fish("rulesrun check mine.rules --format=sa", folder)


@pytest.mark.parametrize("ask", [ask_bash, ask_fish])
def test_fixed_values_and_later_places(ask: Ask, folder: Path) -> None:
    assert ask("rulesrun simulate zero --engine ", folder) == {"auto", "reference", "native"}
    assert "notes.txt" in ask("rulesrun replay zero no", folder)
    assert ask("rulesrun explain undecided", folder) == {"undecided-tie"}


def test_every_option_of_every_command_is_offered_by_bash(folder: Path) -> None:
    asked = "source .bash-script\n" + "".join(f"echo = {name}; _rulesrun_options {name}\n" for name in COMMANDS)
    done = subprocess.run(["bash", "-c", asked], cwd=folder, capture_output=True, text=True, check=True, timeout=60)
    offered = {part.split()[0]: set(part.split()[1:]) for part in done.stdout.split("= ")[1:]}
    for name, command in COMMANDS.items():
        assert offered[name] == {f"--{option}" for option in (*command.options, "help")}


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_is_offered_by_fish(name: str, folder: Path) -> None:
    offered = ask_fish(f"rulesrun {'' if name == 'run' else name + ' '}mine.rules --", folder)
    assert offered >= {f"--{option}" for option in (*COMMANDS[name].options, "help")}


class Zsh:
    """A shell at a terminal: keys in, what the line became out."""

    def __init__(self, folder: Path) -> None:
        self.line = folder / "line"
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment() | {"PS1": "> "})
        self.read = b""
        self.run("stty cols 300; autoload -Uz compinit; compinit -u -D; source .zsh-script")
        self.run("tell() { print -r -- $BUFFER > line.new; mv line.new line; BUFFER=; zle -R }; zle -N tell")
        self.run("bindkey '^I' expand-or-complete; bindkey '^O' tell")

    def run(self, line: str) -> None:
        os.write(self.terminal, f"{line}; echo do''ne\r".encode())
        self.read_until(lambda: b"done" in self.read)

    def complete(self, line: str) -> str:
        """The line behind Tab, and what was listed below it."""
        self.line.unlink(missing_ok=True)
        self.read = b""
        os.write(self.terminal, f"{line}\t\x0f".encode())
        return self.read_until(self.line.exists) + self.line.read_text("utf-8")

    def read_until(self, is_there: Callable[[], bool]) -> str:
        until = time.monotonic() + 60
        while not is_there():
            assert time.monotonic() < until, self.read
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.read += os.read(self.terminal, 65536)
        while select.select([self.terminal], [], [], 0.3)[0]:  # what is still on its way
            self.read += os.read(self.terminal, 65536)
        text, self.read = self.read.decode(errors="replace"), b""
        return text

    def close(self) -> None:
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def test_zsh_completes_commands_options_values_and_what_rules_know(folder: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh")
    shell = Zsh(folder)
    try:
        assert "simulate " in shell.complete("rulesrun simu")
        assert "mine.rules" in shell.complete("rulesrun check mi")
        assert "--coverage" in shell.complete("rulesrun test --cov")
        assert "reference" in shell.complete("rulesrun simulate mine.rules --engine re")
        assert "first=lot" in shell.complete("rulesrun simulate mine.rules --set first=l")
        listed = shell.complete("rulesrun simulate mine.rules --seats ")
        assert all(name in listed for name in ("hasty", "greedy", "mcts"))
        assert "undecided-tie" in shell.complete("rulesrun explain undecided")
    finally:
        shell.close()


@pytest.mark.parametrize("write", [write_bash, write_zsh, write_fish])
def test_every_command_and_option_stands_in_every_script(write: Callable[[], str]) -> None:
    text = write()
    assert all(name in text for name in (*COMMANDS, *OPTIONS))


def test_the_command_prints_the_script(tmp_path: Path) -> None:
    assert run_here("completion", "bash", folder=tmp_path).stdout == write_bash()
    assert run_here("man", folder=tmp_path).stdout == write_manual()
    assert run_here("completion", "tcsh", folder=tmp_path).returncode == 2
    assert run_here("completion", "set", "no_such.rules", folder=tmp_path).stdout == ""


def test_the_manual_page_is_sound_and_names_everything() -> None:
    text = write_manual()
    assert all(f".It Fl -{option}" in text.splitlines() or f".It Fl -{option} Ar" in text for option in OPTIONS)
    assert all(f".It Cm {name}" in text for name in set(COMMANDS) - {"run"})
    if shutil.which("mandoc") is None:
        pytest.skip("needs mandoc")
    done = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning"], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("", "")
