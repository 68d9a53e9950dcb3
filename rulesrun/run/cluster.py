"""Ranges of games played by a Dask cluster: an address in, the same parts out as from processes of this machine.

Dask plays a range again when its worker is lost. What is sent back is plain data; a worker must have the same rulesrun.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

from attrs import define, field

from rulesrun import __version__
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.measure.totals import totals_from_json
from rulesrun.run.measure_engines import ChangeoverMeasurer
from rulesrun.run.ranges import CHUNK, Answer, CrewLost, Play, PlayedRange, Range, WorkOrder, play_range, split_games
from rulesrun.terminal.trouble import Trouble

ADDRESS = re.compile(r"inproc://\S+|([a-z]+://)?[^\s/]+:\d{1,5}")
PATIENCE = 10  # seconds until an address that says nothing is given up
AHEAD = 3  # ranges for each thread that wait on the cluster
MOST_CHUNK = 2500  # games of the native engine that a worker is sent
LOOK = 2  # seconds from one look at the cluster to the next, while a range is not back
DEAF = 20  # seconds without any worker after which nobody is waited for any more


def worker_version() -> str:
    """Asked of every worker."""
    from rulesrun import __version__ as version

    return version


@define(eq=False)
class ClusterCrew:
    """`with ClusterCrew(address) as crew`: the connection ends with the block."""

    address: str
    engine: str = field(init=False, default="reference")  # that has played last
    client: Any = field(init=False, default=None)  # a `distributed.Client`

    @property
    def jobs(self) -> int:
        """Threads of all workers."""
        found: int = sum(self.client.nthreads().values())
        return max(found, 1)

    def __enter__(self) -> ClusterCrew:
        if not ADDRESS.fullmatch(self.address):
            raise Trouble(
                message(
                    "`--cluster {address}`: write an address with a port, as in `tcp://127.0.0.1:8786`",
                    address=self.address,
                )
            )
        if find_spec("distributed") is None:
            raise Trouble(message("`--cluster` needs Dask: `pip install rulesrun[cluster]`"))
        connect = import_module("distributed").Client
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told once, by us
        try:
            self.client = connect(self.address, timeout=PATIENCE, set_as_default=False)
            self._check_workers()
        except (OSError, ValueError) as reason:
            self.__exit__()
            raise Trouble(
                message(
                    "--cluster {address}: no answer ({reason})",
                    address=self.address,
                    reason=_reason_text(reason),
                )
            ) from None
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.client is not None:
            try:
                self.client.close(timeout=2)
            except Exception:
                logging.getLogger(__name__).debug("the connection was broken before it was closed")

    def _check_workers(self) -> None:
        """There are some, and they play by the same rules as we do."""
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
            answers = self.client.run(worker_version, on_error="return").values()
        except TimeoutError:
            raise Trouble(
                message("--cluster {address}: there is a scheduler, but no worker", address=self.address)
            ) from None
        versions = {one for one in answers if not isinstance(one, OSError)}  # a worker may just be going
        for reason in versions:
            if isinstance(reason, Exception):
                raise Trouble(
                    message(
                        "--cluster {address}: a worker has no rulesrun ({reason})",
                        address=self.address,
                        reason=_reason_text(reason),
                    )
                )
        if versions != {__version__}:
            told = ", ".join(sorted(versions))
            raise Trouble(
                message(
                    "--cluster {address}: the workers have rulesrun {told}, this is {version}",
                    address=self.address,
                    told=told,
                    version=__version__,
                )
            )

    def play_parts(self, order: WorkOrder, worker: ChangeoverMeasurer, first: int, last: int) -> Iterator[PlayedRange]:
        """The games from `first` up to `last`, in order, whoever is ready first."""
        size = CHUNK if order.engine == "reference" else min(max((last - first) // AHEAD, CHUNK), MOST_CHUNK)
        for at, games, (totals, rows, engine) in self.play_ranges(play_range, order, split_games(first, last, size)):
            self.engine = engine
            yield PlayedRange(at, games, totals_from_json(totals), rows)

    def play_ranges(self, play: Play, order: object, ranges: Iterable[Range]) -> Iterator[Answer]:
        """What `play` gives for each range, in order."""
        client = self.client
        waiting: deque[tuple[int, int, Any]] = deque()
        left = iter(ranges)
        try:
            sent = client.scatter(order, broadcast=True, hash=False)
            most = AHEAD * self.jobs
            while True:
                for at, games in islice(left, max(most - len(waiting), 0)):
                    waiting.append((at, games, client.submit(play, sent, at, games, pure=False, retries=3)))
                if not waiting:
                    return
                at, games, answer = waiting.popleft()
                yield at, games, self._await_answer(answer)
        except (KeyboardInterrupt, GeneratorExit, CrewLost):
            raise
        except Exception as reason:
            raise CrewLost(
                message(
                    "the cluster at {address} went away ({reason})", address=self.address, reason=_reason_text(reason)
                )
            ) from None
        finally:
            for _, _, answer in waiting:
                answer.release()

    def _await_answer(self, answer: Any) -> Any:
        """Waits, and looks now and then whether there is anybody to wait for."""
        silent = 0
        while True:
            try:
                return answer.result(timeout=LOOK)
            except TimeoutError:
                if answer.done() and answer.status != "finished":
                    raise CrewLost(
                        message(
                            "the cluster at {address} went away ({status})", address=self.address, status=answer.status
                        )
                    ) from None
                silent = 0 if self.client.nthreads() else silent + LOOK
                if silent >= DEAF:
                    raise CrewLost(
                        message("the cluster at {address} has no worker any more", address=self.address)
                    ) from None


def _reason_text(reason: BaseException) -> str:
    return (str(reason) or type(reason).__name__).split("\n")[0][:120]
