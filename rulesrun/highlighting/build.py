"""Writes the colours beside the editors: `python -m rulesrun.highlighting.build` after a change of the words.

With `--check` nothing is written, and the exit code is 1 where a file is not what it should be.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from rulesrun.highlighting.grammars import write_codemirror, write_textmate

FILES: Mapping[str, Callable[[], str]] = {
    "editors/vscode/syntaxes/rules.tmLanguage.json": write_textmate,
    "rulesrun/playground/static/patterns.js": write_codemirror,
}


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
    for name in stale:
        sys.stdout.write(f"{name} {'differs from' if '--check' in words else 'now has'} the words of the language\n")
    return 1 if stale and "--check" in words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
