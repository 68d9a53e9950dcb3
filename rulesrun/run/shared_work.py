"""Pieces of work that a process forked from this one takes turns in, so that a report is worked out on two cores.

Takes named pieces that give plain data; gives what each gives. Whoever is free takes the next piece, so nothing that is
said depends on who did it. Where there is one core, no fork, or the other process is ended, all is done here.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from types import FrameType
from typing import Any

from attrs import define, field

MOST_TICKETS = 256  # a byte each; what has none is done by the first process
GRACE = 1.0  # seconds in which the other process may tell what it knows when somebody interrupts


@define(eq=False)
class SharedWork:
    """`pieces`: the longest first. Their answers can be pickled."""

    pieces: Mapping[str, Callable[[], Any]]
    _known: dict[str, Any] = field(init=False, factory=dict)
    _names: tuple[str, ...] = field(init=False)
    _tickets: int = field(init=False, default=-1)  # a pipe with a byte for each piece that nobody has taken yet
    _answers: Connection | None = field(init=False, default=None)
    _process: int | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._names = tuple(self.pieces)

    def begin(self) -> None:
        """Only where nobody else is at work in this process: a fork takes their locks along, and not them."""
        if not hasattr(os, "fork") or threading.active_count() > 1:
            return
        self._tickets, filling = os.pipe()
        os.write(filling, bytes(range(min(len(self._names), MOST_TICKETS))))
        os.close(filling)
        here, there = Pipe(duplex=False)
        gc.freeze()
        self._process = os.fork()
        if self._process == 0:
            self._work_apart(there)
        there.close()
        self._answers = here

    # ---- in the other process

    def _work_apart(self, answers: Connection) -> None:
        """It ends in here, whatever happens: what was begun before the fork belongs to the first process."""
        code = 1
        try:
            signal.signal(signal.SIGINT, interrupt_once)
            while (name := self._next()) is not None:
                answers.send((name, self.pieces[name]()))
            code = 0
        except BaseException:  # the first process does what is missing, and meets the same
            code = 1
        finally:
            os._exit(code)

    # ---- in both

    def _next(self) -> str | None:
        ticket = os.read(self._tickets, 1) if self._tickets >= 0 else b""
        return self._names[ticket[0]] if ticket else None

    # ---- in the first

    def result(self, name: str) -> Any:
        """Pieces that nobody has begun are done here, until it is known."""
        while name not in self._known:
            other = self._next()
            if other is not None:
                self._known[other] = self.pieces[other]()
            elif not self._hear():
                self._known[name] = self.pieces[name]()
        return self._known[name]

    def _hear(self) -> bool:
        """Whether the other process has told anything more."""
        if self._answers is None:
            return False
        try:
            self._answers.poll(None)
        except KeyboardInterrupt:
            if not self._heard_at_last():
                raise
        try:
            name, found = self._answers.recv()
        except (EOFError, OSError):
            self.end()
            return False
        self._known[name] = found
        return True

    def _heard_at_last(self) -> bool:
        """What it was at, as far as it had come."""
        assert self._answers is not None
        if self._process is not None:
            os.kill(self._process, signal.SIGINT)
        return self._answers.poll(GRACE)

    def end(self) -> None:
        """Nobody waits for the other process any more."""
        if self._process is not None:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = None
            gc.unfreeze()
        if self._answers is not None:
            self._answers.close()
            self._answers = None
        if self._tickets >= 0:
            os.close(self._tickets)
            self._tickets = -1


def interrupt_once(number: int, frame: FrameType | None) -> None:
    """The terminal sends it to both processes, and the first one passes it on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


# ---- time shares
# Whose turn it is to be played without: rules in, their numbers out, each with its part of the time.
#
# Every rule gets a short time at first. Those of which all is said then get no more; the others share what is left, in
# further rounds, so that most of the time goes to what is hard to see.


PARTS = (0.25, 0.5, 1.0)  # of the time that is left, by round; in the first, getting everybody ready takes its own
ROUNDS = len(PARTS)  # what changes without a rule is asked so often, and must be so much clearer each time
LEAST_SECONDS = 1.0  # for less there is no other round

Turn = tuple[int, int]  # a rule's number, milliseconds


@define(eq=False)
class TimeShares:
    """Of one round. `weights`: by number, what part each gets; those that were asked for are taken out as they end.
    When the round is over, the others get as little as can be; nothing when all time is over."""

    weights: dict[int, int]
    hands: int
    end: float
    all_ends: float
    left: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.left = dict(self.weights)

    def time_slices(self) -> Iterator[Turn]:
        for at, (number, weight) in enumerate(self.weights.items()):
            now = monotonic()
            if at and now > self.all_ends:
                return
            share = max(self.end - now, 0.0) * self.hands * weight / max(sum(self.left.values()), 1)
            yield number, int(min(1000 * share, 1 << 40))


def plan_rounds(weights: Callable[[], dict[int, int]], end: float, hands: int) -> Iterator[TimeShares]:
    """One, where time has no end. `weights`: of whom something is still to be said."""
    for part in PARTS:
        now, still = monotonic(), weights()
        if not still or (part != PARTS[0] and end - now < LEAST_SECONDS):
            return
        yield TimeShares(still, hands, end if end == float("inf") else now + part * (end - now), end)
        if end == float("inf"):
            return
