"""Where lines come from: a terminal, with Tab and the arrow keys where Python has them, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulesrun.terminal.output import print_text

Complete = Callable[[str], list[str]]
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


@define(eq=False)
class LineReader:
    """`read` gives a line without its end, None where there is no more. `count`: how many were read."""

    is_terminal: bool = field(factory=lambda: sys.stdin.isatty() and sys.stdout.isatty())
    count: int = 0
    _complete: Complete = field(init=False, default=lambda text: [])
    _found: list[str] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        if self.is_terminal:
            self._begin_editing()

    def read(self, prompt: str, complete: Complete) -> str | None:
        self._complete = complete
        if self.is_terminal:
            try:
                line = input(prompt)
            except EOFError:
                print_text()
                return None
        else:
            print_text(prompt, end="")
            sys.stdout.flush()
            line = sys.stdin.readline()
            print_text(line.rstrip("\r\n"))
            if not line:
                return None
        self.count += 1
        return line.strip()

    def clear_screen(self) -> None:
        if self.is_terminal:
            print_text(CLEAR, end="")

    def _begin_editing(self) -> None:
        try:
            import readline
        except ImportError:  # not everywhere
            return
        readline.set_completer_delims("")
        readline.set_completer(self._complete_at)
        readline.parse_and_bind("tab: complete")

    def _complete_at(self, text: str, number: int) -> Any:
        if number == 0:
            self._found = self._complete(text)
        return self._found[number] if number < len(self._found) else None
