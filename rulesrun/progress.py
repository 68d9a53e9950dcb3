"""A line of progress on a terminal while long work goes on; silent everywhere else."""

from __future__ import annotations

import sys
from time import monotonic

PAUSE = 0.1
PATIENCE = 0.5


class Progress:
    """Promises: nothing is written before half a second has passed, and nothing of it stays behind."""

    def __init__(self, what: str, is_wanted: bool = True) -> None:
        self.what = what
        self.is_shown = is_wanted and sys.stderr.isatty()
        self.next_time = monotonic() + PATIENCE
        self.has_written = False

    def tell(self, done: int, whole: int | None = None) -> None:
        if not self.is_shown or monotonic() < self.next_time:
            return
        self.next_time = monotonic() + PAUSE
        self.has_written = True
        sys.stderr.write(f"\r\x1b[K{self.what}: {done:,}" + (f" of {whole:,}" if whole else ""))
        sys.stderr.flush()

    def close(self) -> None:
        if self.has_written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
