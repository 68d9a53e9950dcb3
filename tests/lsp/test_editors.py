"""Editors of this machine with the configuration that the documentation gives: each shows a mistake, and mends it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.editing.test_completion import GAME

pytest.importorskip("pygls")

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/language-server.md"
WRONG = GAME.replace("move given to heap", "move given to haep")
LONGEST = 120  # seconds

ASK_NEOVIM = """
local function wait(what) if not vim.wait(60000, what, 50) then vim.cmd('cquit 3') end end
wait(function() return #vim.diagnostic.get(0) > 0 end)
local told = vim.diagnostic.get(0)[1]
local place = { line = told.lnum, character = told.col }
local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = place, ['end'] = place },
  context = { diagnostics = {} },
}, 60000)
local _, actions = next(answer)
vim.lsp.util.apply_workspace_edit(actions.result[1].edit, 'utf-16')
wait(function() return #vim.diagnostic.get(0) == 0 end)
io.stdout:write(vim.fn.json_encode({ message = told.message, line = vim.fn.getline(told.lnum + 1) }))
vim.cmd('qall!')
"""
ASK_EMACS = """
(require 'eglot)
(setq eglot-sync-connect 60)
(find-file "heap.rules")
(call-interactively #'eglot)
(flymake-mode 1)
(let ((tries 0))
  (while (and (not (progn (flymake-start) (flymake-diagnostics))) (< tries 600))
    (accept-process-output nil 0.1)
    (setq tries (1+ tries))))
(princ (flymake-diagnostic-text (car (flymake-diagnostics))))
"""


ASK_KAKOUNE = """
hook -once buffer BufSetOption lint_error_count=1 %{
  echo -to-file told.txt %opt{lint_messages}
  execute-keys '%shaep<ret>cheap<esc>'
  format
  write
  kill!
}
lint-buffer
"""
ESCAPES = re.compile(rb"\x1b\[[0-9;?<>= ]*[a-zA-Z]")


def configuration(heading: str, language: str) -> list[str]:
    """The blocks below a heading of the page."""
    chapter = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL)


def prepare(folder: Path) -> dict[str, str]:
    """A wrong file, and the environment of a user who has the `rulesrun` of this Python on the path."""
    (folder / "heap.rules").write_text(WRONG, "utf-8")
    inside = folder / "bin"
    inside.mkdir()
    (inside / "rulesrun").write_text(f'#!/bin/sh\nexec {sys.executable} -m rulesrun "$@"\n', "utf-8")
    (inside / "rulesrun").chmod(0o755)
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    path = f"{inside}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(folder), "XDG_CACHE_HOME": cache, "TERM": "xterm-256color"}


def run_editor(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    around = prepare(folder)
    return subprocess.run(words, cwd=folder, env=around, capture_output=True, text=True, timeout=LONGEST)


def fetched(name: str) -> str:
    """A program of `.ci`, which fetches it where it is not installed."""
    program = ROOT / ".ci" / name
    if subprocess.run([program, "--version"], capture_output=True, timeout=400).returncode:
        pytest.skip(f"needs {name}: {program}")
    return str(program)


def drive_terminal(folder: Path, around: dict[str, str], words: list[str], steps: list[tuple[bytes, bytes]]) -> bytes:
    """Types the keys of each step as soon as its text is on the screen; gives what was drawn."""
    command = f"stty rows 40 cols 140; exec {shlex.join(words)}"
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("sh", ["sh", "-c", command], around)
    drawn, begin, last = b"", 0, time.monotonic() + LONGEST
    while time.monotonic() < last:
        if select.select([terminal], [], [], 0.3)[0]:
            try:
                drawn += os.read(terminal, 65_536)
            except OSError:  # it has ended
                break
        elif steps and steps[0][0] in ESCAPES.sub(b"", drawn[begin:]):  # it is quiet again
            begin = len(drawn)
            os.write(terminal, steps.pop(0)[1])
    os.close(terminal)
    os.waitpid(child, 0)
    assert steps == [], ESCAPES.sub(b" ", drawn)[-2_000:]
    return drawn


@pytest.mark.parametrize("which", ["installed", "new"])
def test_neovim(which: str, tmp_path: Path) -> None:
    neovim = fetched("neovim") if which == "new" else shutil.which("nvim")
    if neovim is None:
        pytest.skip("needs Neovim")
    version = subprocess.run([neovim, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"v(\d+)\.(\d+)", version)
    assert found is not None
    new, old = configuration("Neovim", "lua")
    is_new = (int(found[1]), int(found[2])) >= (0, 11)
    (tmp_path / "init.lua").write_text(new if is_new else old, "utf-8")
    (tmp_path / "ask.lua").write_text(ASK_NEOVIM, "utf-8")
    words = ("--headless", "--clean", "-u", "init.lua", "heap.rules", "-c", "luafile ask.lua")
    done = run_editor(tmp_path, neovim, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert "there is no zone `haep`" in told["message"]
    assert told["line"] == "  move given to heap"


def test_emacs(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("needs Emacs")
    has_eglot = [emacs, "--batch", "--eval", "(kill-emacs (if (require 'eglot nil t) 0 1))"]
    if subprocess.run(has_eglot, capture_output=True).returncode:
        pytest.skip("needs Eglot: Emacs 29, or `elpa-eglot`")
    (block,) = configuration("Emacs", "elisp")
    (tmp_path / "ask.el").write_text(block + ASK_EMACS, "utf-8")
    done = run_editor(tmp_path, emacs, "--batch", "-l", "ask.el")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "there is no zone `haep`" in done.stdout


def test_helix(tmp_path: Path) -> None:
    helix, around = fetched("helix"), prepare(tmp_path)
    (tmp_path / ".config/helix").mkdir(parents=True)
    words, colours = configuration("Helix", "toml")
    grammar = colours.replace("/path/to/rulesrun", str(ROOT))
    (tmp_path / ".config/helix/languages.toml").write_text(f"{words}\n{grammar}", "utf-8")
    (script,) = configuration("Helix", "sh")
    if shutil.which("cc") is not None:
        in_place = script.replace("/path/to/rulesrun", str(ROOT)).replace("hx ", f"{helix} ")
        subprocess.run(["sh", "-ec", in_place], cwd=tmp_path, env=around, check=True, timeout=LONGEST)
        told = subprocess.run([helix, "--health", "rules"], env=around, capture_output=True, text=True).stdout
        assert re.search("Tree-sitter parser:.*✓", told), told
        assert re.search("Highlight queries:.*✓", told), told
    steps = [(b"there is no zone", b"]d"), (b"", b" a"), (b"heap", b"\r"), (b"", b":wq\r")]
    drawn = drive_terminal(tmp_path, around, [helix, "heap.rules"], steps)
    assert b"there is no zone `haep`" in ESCAPES.sub(b"", drawn)
    assert (tmp_path / "heap.rules").read_text("utf-8") == GAME


def test_kakoune(tmp_path: Path) -> None:
    kakoune = shutil.which("kak")
    if kakoune is None:
        pytest.skip("needs Kakoune")
    alone, _ = configuration("Kakoune", "kak")
    (tmp_path / ".config/kak").mkdir(parents=True)
    (tmp_path / ".config/kak/kakrc").write_text(alone, "utf-8")
    done = run_editor(tmp_path, kakoune, "-ui", "dummy", "-e", ASK_KAKOUNE, "heap.rules")
    assert done.returncode == 0, done.stdout + done.stderr
    told = (tmp_path / "told.txt").read_text("utf-8")
    assert re.search(r"16\|error: there is no zone `haep`; hint: did you mean `heap`\?\(col 17\)", told), told
    mended = (tmp_path / "heap.rules").read_text("utf-8")
    assert [line for line in mended.splitlines() if line] == GAME.splitlines()
