"""Writes the colours beside the editors: `python -m rulesrun.highlighting.build` after a change of the words.

The parser of tree-sitter is made of its grammar by tree-sitter's command line: the installed one (0.25 or newer),
or the one that `.ci/tree-sitter` fetches.
With `--check` nothing is written, and the exit code is 1 where a file is not what it should be.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

from rulesrun.highlighting.grammars import write_codemirror, write_textmate
from rulesrun.highlighting.tree_sitter import write_grammar, write_queries

FILES: Mapping[str, Callable[[], str]] = {
    "editors/vscode/syntaxes/rules.tmLanguage.json": write_textmate,
    "rulesrun/playground/static/patterns.js": write_codemirror,
    "editors/tree-sitter/grammar.json": write_grammar,
    "editors/tree-sitter/queries/highlights.scm": write_queries,
}
TREE_SITTER = "editors/tree-sitter"


def main(words: list[str]) -> int:
    folder = Path.cwd()
    stale = []
    for name, write in FILES.items():
        path, text = folder / name, write()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in words:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if not is_parser_fresh(folder) and ("--check" in words or not make_parser(folder)):
        stale.append(f"{TREE_SITTER}/src/parser.c")
    for name in stale:
        sys.stdout.write(f"{name} {'differs from' if '--check' in words else 'now has'} the words of the language\n")
    return 1 if stale and "--check" in words else 0


def is_parser_fresh(folder: Path) -> bool:
    """The last line of the parser says of which grammar it was made."""
    path = folder / TREE_SITTER / "src/parser.c"
    return path.is_file() and path.read_text(encoding="utf-8").endswith(_sign_grammar())


def make_parser(folder: Path) -> bool:
    """Whether it could be made."""
    command = [str(folder / ".ci/tree-sitter"), "generate", "grammar.json"]
    if subprocess.run(command, cwd=folder / TREE_SITTER, check=False).returncode != 0:
        sys.stdout.write("the parser of tree-sitter is not made anew: its command line could not be had\n")
        return False
    with (folder / TREE_SITTER / "src/parser.c").open("a", encoding="utf-8") as parser:
        parser.write(_sign_grammar())
    return True


def _sign_grammar() -> str:
    return f"// of the grammar {sha256(write_grammar().encode()).hexdigest()}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
