"""Which engine does a job: the reference at once, or machine code after it has been made.

The reference starts at once and is slow; machine code is some hundreds of times faster and must be made first. How long
a job takes the reference is known only by trying. So a job begins on the reference, and goes over when the work that is
left would take longer than making machine code: whatever the job turns out to be, it never takes much more than twice
the time of the better choice (the *ski rental* problem). Code can be made quickly, and again with care when so much is
left even for quick code that better code is worth another wait.

`COSTS` holds what making takes, for each kind of work: processor seconds on a server core of 2026, the geometric mean
over tables from tic-tac-toe to `tokens`. `python benchmarks/engine_costs.py` measures them again. `MARGIN` is for
larger tables and slower machines. What a job gives never depends on the choice, so nothing here need be exact.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from attrs import define, evolve, field, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading
from rulesrun.files.user_folders import find_cache_folder
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import Fault, RefusedTable
from rulesrun.interpreter.reference.table import Table
from rulesrun.terminal.output import add_final_check, add_note, notes_about
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.native.flow.engine import Engine

# ---- reference notes
# What machine code could not be made of, and why. Takes the compiler's reasons, gives notes with their lines.


LARGE = message(
    "numbers here grow too large or are not whole, or too much happens between two questions"
)
MANY = 10  # one in so many games
SLOWER = message("the reference engine plays this, about a hundred times slower than the native engine")


def note_reason(table: Table, reason: CannotCompile) -> str:
    """To be told when the command is over; the reason as text."""
    program = table.program
    says, place = join_messages([SLOWER, str(reason)], ": "), reason_place(program, reason)
    note = Diagnostic("reference-engine", says, place, reason.instead, severity="note")
    add_note(note, {source.file: source for source in program.sources})
    return str(reason)


def reason_place(program: Program, reason: CannotCompile) -> Span:
    if reason.node is not None:
        return reason.node.span
    match reason.__cause__:
        case Fault(diagnostic=diagnostic):
            return diagnostic.span
        case RefusedTable(diagnostics=(first, *_)):
            return first.span
        case _:
            return program.game.span


def watch_engine(engine: Engine) -> Engine:
    """When all is played: whether machine code has left many of its games to the reference."""

    def visit() -> None:
        left = engine.left.total()
        if left * MANY < engine.played + left or not left:
            return
        node, program = engine.left.most_common(1)[0][0], engine.table.program
        says = message(
            "the native engine left {left:,} of {games:,} games to the reference engine: {reason}", left=left,
            games=engine.played + left, reason=LARGE,
        )  # fmt: skip
        note = Diagnostic("reference-engine", says, node.span, severity="note")
        add_note(note, {source.file: source for source in program.sources})

    add_final_check(visit)
    return engine


def check_compilable(table: Table) -> None:
    """Whether machine code can be made of random games at this table. Needs no compiler."""
    from rulesrun.interpreter.native.flow.random_games import lower_random_games
    from rulesrun.interpreter.native.layout.lowering import lower_table

    try:
        lower_table(table, lower_random_games)
    except CannotCompile as reason:
        note_reason(table, reason)


def with_notes(reading: Reading) -> Reading:
    """What was noted about this file beside its other diagnostics."""
    new = tuple(note for note in notes_about(reading.sources) if note not in reading.diagnostics)
    return evolve(reading, diagnostics=(*reading.diagnostics, *new)) if new else reading


# ---- code cache
# Machine code kept between runs, in the user's own cache folder. A file that is damaged or not ours is not used.


MAGIC = b"rulesrun machine code 1\n"
MOST_FILES = 200
MOST_BYTES = 16 << 20


def cache_folder() -> Path | None:
    """Where the machine code lies; None when there is no home to keep it in."""
    folder = find_cache_folder()
    return None if folder is None else folder / "native"


@define(eq=False)
class CodeCache:
    """One file for every key: a mark, a hash over key and code, the code."""

    place: Path | None

    def get(self, key: str) -> bytes | None:
        if self.place is None:
            return None
        try:
            path = self.place / key
            if not is_owned_by_user(path) or path.stat().st_size > MOST_BYTES:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        code = data[len(MAGIC) + 32 :]
        return code if data == seal_code(key, code) else None

    def put(self, key: str, code: bytes) -> None:
        """Written aside and moved into place, so that nobody reads half a file; no place to write is no fault."""
        if self.place is None:
            return
        try:
            self.place.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not is_owned_by_user(self.place):
                return
            handle, name = tempfile.mkstemp(dir=self.place)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(seal_code(key, code))
                os.replace(name, self.place / key)
            except BaseException:
                os.unlink(name)
                raise
            self.remove_oldest()
        except OSError:
            return

    def remove_oldest(self) -> None:
        assert self.place is not None
        files = sorted(self.place.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in files[: max(len(files) - MOST_FILES, 0)]:
            path.unlink(missing_ok=True)


def seal_code(key: str, code: bytes) -> bytes:
    return MAGIC + sha256(key.encode() + b"\0" + code).digest() + code


def is_owned_by_user(path: Path) -> bool:
    """Whether nobody but this user can have written it; where there are no users, everything is."""
    if not hasattr(os, "getuid"):
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022


# ---- engine choice


MISSING = message("the compiler is not installed: `pip install rulesrun[native]`")
QUICKLY, BRIEFLY, CAREFULLY = 0, 1, 2  # how machine code is made
LOOK = 0.05  # seconds of work after which its pace is believed
MARGIN = 3.0  # so many times longer than making the code must the rest of the work take
CLEAR = 20.0  # times as long: then a pace is believed that was measured for less
FEW_POSITIONS = 1_000  # the reference goes through so many sooner than anything is compiled
FEW_HISTORIES = 2_000  # and counts so many
POSITIONS_WITH_CARE = 50_000  # from so many on, code made with care is worth it

Made = TypeVar("Made")
Costs = tuple[tuple[int, float], ...]  # care and seconds, in the order in which code is made

COSTS: dict[str, Costs] = {
    "games": ((QUICKLY, 0.04),),
    "figures": ((CAREFULLY, 0.31),),
    "pairs": ((QUICKLY, 0.11), (CAREFULLY, 1.12)),
    "contrasts": ((QUICKLY, 0.14),),
    "failures": ((QUICKLY, 0.04),),
    "thoughts": ((QUICKLY, 0.05), (CAREFULLY, 0.53)),
}


def is_compiler_installed() -> bool:
    return find_spec("llvmlite") is not None and find_spec("numpy") is not None


def try_compile(table: Table, make: Callable[[CodeCache], Made]) -> Made | str:
    """What is made of the table, or the reason why it cannot be."""
    if not is_compiler_installed():
        return MISSING
    try:
        return make(CodeCache(cache_folder()))
    except CannotCompile as reason:
        return note_reason(table, reason)


def require_compiled(found: Made | str, what: str = "play") -> Made:
    """As `--engine native` asks for; what cannot be compiled is trouble."""
    if isinstance(found, str):
        raise Trouble(message("`--engine native` cannot {what} this: {found}", what=what, found=found))
    return found


@define(eq=False)
class EngineChoice:
    """Of one job. `work`: its kind, as in `COSTS`; `asked`: the engine asked for. A job is done in units: games, deals,
    answers. `known_pace`: the seconds that one takes the reference, where that is known before.

    `is_settled`: whether it is known who does the job, as far as it can be known.
    """

    work: str
    asked: str = "auto"
    known_pace: float = 0.0
    is_settled: bool = field(init=False)
    seconds: float = field(init=False, default=0.0)  # of work by who works now
    compiling: float = field(init=False, default=0.0)  # seconds
    _units: int = field(init=False, default=0)
    _made: int = field(init=False, default=0)  # how often code was made

    def __attrs_post_init__(self) -> None:
        if self.asked == "auto" and not is_compiler_installed():
            self.asked = "reference"
        self.is_settled = self.asked != "auto"

    @property
    def pace(self) -> float:
        """Seconds that a unit takes who works now."""
        return self.seconds / self._units if self._units else self.known_pace

    def add_work(self, units: int, seconds: float) -> None:
        self._units, self.seconds = self._units + units, self.seconds + seconds

    def next_care(self, left: float, may_end_early: bool = False) -> int | None:
        """How machine code is to be made now; None: who works goes on. `left`: seconds that the rest of the job would
        take who works now; where it `may_end_early`, no pace is believed that was measured for a moment."""
        costs = COSTS[self.work]
        if self.asked == "reference" or self._made == len(costs):
            return None
        care, seconds = costs[self._made]
        if self.asked == "auto" or self._made:
            is_believed = self.known_pace or self.seconds >= LOOK or (left > CLEAR * seconds and not may_end_early)
            self.is_settled = self.is_settled or bool(is_believed)
            if not is_believed or left <= MARGIN * seconds:
                return None
        self._made += 1
        self.is_settled = True
        return care

    def make(self, compile_work: Callable[[], Made]) -> Made:
        """Makes the code and takes the time. Where it cannot be made, nobody tries again."""
        began = monotonic()
        found = compile_work()
        self.compiling += monotonic() - began
        if isinstance(found, str):
            if self.asked == "native":
                require_compiled(found)
            self.asked = "reference"
        else:
            self._units, self.seconds, self.known_pace = 0, 0.0, 0.0
        return found


@frozen
class ChunkSizes:
    """How much is done between two looks at the clock: about `seconds` of work, by what the last chunk took."""

    first: int
    most: int
    seconds: float
    growth: int = 8  # times as much as in the chunk before

    def next_size(self, done: int, seconds: float, left: float = float("inf")) -> int:
        """`done` units took so long; so many seconds are left."""
        fitting = int(done * min(self.seconds, max(left, 0.0)) / max(seconds, 1e-6))
        return max(min(fitting, self.growth * done, self.most), min(done, self.first))
