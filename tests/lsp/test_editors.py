"""Editors of this machine with the configuration that the documentation gives: each shows a mistake, and mends it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.editing.test_completion import GAME

pytest.importorskip("pygls")

PAGE = Path(__file__).resolve().parents[2] / "docs/language-server.md"
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


def configuration(heading: str, language: str) -> list[str]:
    """The blocks below a heading of the page."""
    chapter = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```", chapter, re.MULTILINE | re.DOTALL)


def run_editor(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """With the `rulesrun` of this Python on the path."""
    (folder / "heap.rules").write_text(WRONG, "utf-8")
    inside = folder / "bin"
    inside.mkdir()
    (inside / "rulesrun").write_text(f'#!/bin/sh\nexec {sys.executable} -m rulesrun "$@"\n', "utf-8")
    (inside / "rulesrun").chmod(0o755)
    around = {**os.environ, "PATH": f"{inside}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    return subprocess.run(words, cwd=folder, env=around, capture_output=True, text=True, timeout=LONGEST)


def test_neovim(tmp_path: Path) -> None:
    neovim = shutil.which("nvim")
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
