"""A line of progress on a terminal while long work goes on; silent everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic

from attrs import define, field

PAUSE = 0.1
PATIENCE = 0.5
SILENCE = 2.0  # seconds in which nothing was written: then it is said what goes on, and for how long
TICK = 1.0
CLEARED = "\r\x1b[K"


class Progress:
    """Promises: nothing is written before half a second has passed, and nothing of it stays behind."""

    def __init__(self, what: str, is_wanted: bool = True) -> None:
        self.what = what
        self.is_shown = is_wanted and sys.stderr.isatty()
        self.next_time = monotonic() + PATIENCE
        self.has_written = False

    def update(self, done: int, whole: int | None = None) -> None:
        if not self.is_shown or monotonic() < self.next_time:
            return
        self.next_time = monotonic() + PAUSE
        self.has_written = True
        line.write(f"{self.what}: {done:,}" + (f" of {whole:,}" if whole else ""))

    def close(self) -> None:
        if self.has_written:
            line.clear()


@define(eq=False)
class Line:
    """The one line of the terminal that is written over. What is written in its place clears it first."""

    is_there: bool = False
    written: float = 0.0
    _lock: Lock = field(factory=Lock)

    def write(self, text: str) -> None:
        with self._lock:
            self.is_there, self.written = True, monotonic()
            sys.stderr.write(CLEARED + text)
            sys.stderr.flush()

    def clear(self) -> None:
        self.written = monotonic()
        if self.is_there:
            with self._lock:
                self.is_there = False
                sys.stderr.write(CLEARED)
                sys.stderr.flush()


line = Line()


@define(eq=False)
class Clock:
    """Says what goes on where nobody else has said anything for a while."""

    what: str
    _began: float = field(init=False, factory=monotonic)
    _is_over: Event = field(init=False, factory=Event)

    def tick(self) -> None:
        line.written = monotonic()
        while not self._is_over.wait(TICK):
            if monotonic() - line.written >= SILENCE - TICK / 2:
                written = line.written
                line.write(f"{self.what}: {monotonic() - self._began:.0f} s")
                line.written = written

    def end(self) -> None:
        self._is_over.set()


_clock: Clock | None = None


@contextmanager
def clock(what: str, is_wanted: bool = True) -> Iterator[None]:
    """Around work of which nobody knows how long it takes. `stage` says what it has come to."""
    global _clock
    if not is_wanted or _clock is not None or not sys.stderr.isatty():
        yield
        return
    _clock = Clock(what)
    ticking = Thread(target=_clock.tick, daemon=True)
    ticking.start()
    try:
        yield
    finally:
        _clock.end()
        ticking.join()
        _clock = None
        line.clear()


def stage(what: str) -> None:
    if _clock is not None:
        _clock.what = what
