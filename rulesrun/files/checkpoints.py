"""What a long run adds up, kept in a file: `--out sums.json` and a run in; the same command goes on where it stopped.

It is written every few seconds and at the end. What is added up is exact, so a run in pieces comes to the same as
one that was never interrupted, to the last digit.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import write_atomically
from rulesrun.files.loading import Reading
from rulesrun.terminal.requests import MeasureRequest
from rulesrun.terminal.trouble import Trouble

PAUSE = 2.0  # seconds from one writing to the next
SUFFIX = ".json"

Plain = dict[str, Any]


@define(eq=False)
class KeptSums:
    """`path`: None where nothing is kept; `identity`: what must be the same for sums to belong together."""

    path: str | None
    identity: Plain
    sums: Plain = field(init=False, factory=dict)  # by name
    _written: float = field(init=False, factory=monotonic)

    def __attrs_post_init__(self) -> None:
        if self.path is None:
            return
        if not self.path.endswith(SUFFIX):
            raise Trouble(
                message(
                    "`--out {path}`: a comparison or a ladder keeps its sums in a file NAME.json", path=self.path
                )
            )
        self.sums = self._load_sums(self.path)
        self.write_file()  # if it cannot be written, that is known before anything is played

    def _load_sums(self, path: str) -> Plain:
        try:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            same, sums = document["sums_of"] == self.identity, document["sums"]
            if not isinstance(sums, dict):
                raise TypeError
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise Trouble(
                message("{path} holds no sums to continue from; choose another name to start anew", path=path)
            ) from None
        if not same:
            raise Trouble(
                message("{path} holds sums for other rules, options, players or seed; choose another name", path=path)
            )
        return sums

    def read_sums(self, name: str, read: Callable[[Any], Any]) -> Any:
        """What is kept under a name, as `read` understands it; None where nothing is."""
        if name not in self.sums:
            return None
        try:
            return read(self.sums[name])
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, ZeroDivisionError):
            raise Trouble(
                message("{path} holds no sums to continue from; choose another name to start anew", path=self.path)
            ) from None

    def note_sums(self, name: str, sums: Callable[[], Any], *, now: bool = False) -> None:
        """Written when the last time is some seconds ago."""
        if self.path is None or not (now or monotonic() - self._written >= PAUSE):
            return
        self.sums[name] = sums()
        self.write_file()

    def write_file(self) -> None:
        if self.path is None:
            return
        write_atomically(self.path, json.dumps({"sums_of": self.identity, "sums": self.sums}, ensure_ascii=False))
        self._written = monotonic()

    @property
    def resume_advice(self) -> str:
        """After an interruption."""
        if self.path is None:
            return message("with `--out NAME{ending}` a run can continue where it was interrupted", ending=SUFFIX)
        return message("run the same command again to continue from {file}", file=self.path)


def open_kept_sums(request: MeasureRequest, of: str, reading: Reading) -> KeptSums:
    """`of`: what is added up."""
    identity = {
        "of": of, "rules": reading.digest, "title": reading.title, "settings": dict(request.settings),
        "seed": request.seed, "seats": request.seats,
    }  # fmt: skip
    return KeptSums(request.out, identity)
