"""Ctrl-C where it does no harm: noted when it comes, raised when work that must not stop half done asks for it.

A second one comes at once.
"""

from __future__ import annotations

import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from attrs import define

SOON = 0.01  # seconds

Found = TypeVar("Found")


@contextmanager
def reraise_interrupts() -> Iterator[None]:
    """Where it comes while something is cleaned up Python would print it and go on; here it comes again, soon."""
    before = sys.unraisablehook
    sys.unraisablehook = pass_on_interrupts(before)
    try:
        yield
    finally:
        sys.unraisablehook = before


def pass_on_interrupts(others: Callable[[Any], object]) -> Callable[[Any], object]:
    def pass_on(found: Any) -> None:
        if issubclass(found.exc_type, KeyboardInterrupt):
            soon = threading.Timer(SOON, interrupt_main)  # not in here: it would be swallowed again
            soon.daemon = True
            soon.start()
        else:
            others(found)

    return pass_on


@contextmanager
def block_interrupts_at_start() -> Iterator[None]:
    """Processes that are started in here do not hear it while they start, half ready, but in `work_interruptibly`.

    The pool that starts them is made before it: what Python starts along with the first one undoes this.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def work_interruptibly(work: Callable[[], Found]) -> Found:
    """In such a process, while it works: between two pieces of work nobody is there to answer, so it is not heard.

    What was done when it comes is not lost.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return work()
    done: list[Found] = []
    try:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            done.append(work())
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    except KeyboardInterrupt:
        if not done:
            raise
    return done[0]


@define(eq=False)
class DeferredInterrupt:
    """Around such work; outside the main thread it changes nothing, for Ctrl-C does not come there."""

    is_asked: bool = False
    _before: Any = None

    def __enter__(self) -> DeferredInterrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self.note_signal)
        return self

    def __exit__(self, *given: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def note_signal(self, number: int, frame: FrameType | None) -> None:
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True

    def raise_if_asked(self) -> None:
        """Here it may come."""
        if self.is_asked:
            raise KeyboardInterrupt
