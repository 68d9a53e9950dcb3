"""Measured games with the luck of their choices, in machine code: the records and rows of the reference's `Rehearsal`.

Each game is played once with all that is counted, noting the answers, and gone through a second time with those. A game
that either machine cannot say all of is played by the reference.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.measuring.choices import Row
from rulesrun.interpreter.measuring.outlook import Blur, Outlook
from rulesrun.interpreter.measuring.record import Record
from rulesrun.interpreter.measuring.rehearsing import Rehearsal, told
from rulesrun.interpreter.measuring.steadying import Game
from rulesrun.interpreter.native.answers_noted import MOST_ANSWERS, noting_engine
from rulesrun.interpreter.native.choices_again import AgainForm, games_again
from rulesrun.interpreter.native.engine import Engine
from rulesrun.interpreter.native.games import signed
from rulesrun.interpreter.native.lowering import lowered
from rulesrun.interpreter.native.machine_code import Cache, MachineCode, compiled, has_pdep
from rulesrun.interpreter.native.statistics import NativeWorker
from rulesrun.interpreter.native.to_llvm import ModuleText
from rulesrun.interpreter.random import MASK, game_seed, mix

Numbers = Any  # an array of whole numbers: the row of a game, situation after situation


@define(eq=False)
class Machines:
    """What is compiled of a table: games that note their answers, the same games again."""

    engine: Engine
    form: AgainForm
    code: MachineCode


@define(eq=False)
class NativeRehearsal:
    """Plays as a `Rehearsal` does; one game at a time."""

    reference: Rehearsal
    machines: Machines
    worker: NativeWorker = field(init=False)
    outlook: Outlook = field(init=False)
    _memory: Any = field(init=False)
    _at: int = field(init=False)
    _play: Callable[..., int] = field(init=False)
    _row: Numbers = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan = self.machines.form.plan
        self.worker = NativeWorker(self.machines.engine, self.reference.seed)
        self._memory = ctypes.create_string_buffer(plan.scratch_end + 128)
        self._at = (ctypes.addressof(self._memory) + 63) // 64 * 64
        self._play = self.machines.code.function("play again", ctypes.c_int64, ctypes.c_void_p)
        outlook = self.outlook = self.reference.outlook
        row = numpy.frombuffer(memoryview(self.numbers("row of luck")), numpy.int64)
        self._row = row.reshape(outlook.situations, outlook.width)
        self.blur(outlook.plain_blur())

    def numbers(self, name: str) -> Any:
        place = self.machines.form.plan.fields[name]
        return (ctypes.c_int64 * place.amount).from_address(self._at + place.at)

    def put(self, name: str, values: Sequence[int]) -> None:
        numbers = self.numbers(name)
        for at, value in enumerate(values):
            numbers[at] = value

    def blur(self, blur: Blur) -> None:
        self.put("shares of points", [one for shares in blur.shares for one in shares])
        self.put("spreads of points", blur.spreads)

    def numbers_of(self, number: int) -> tuple[Numbers, Numbers] | None:
        """The figures of a game and the luck of its choices, until the next game; None: the reference must play."""
        block = self.worker.blocks[0]
        block.numbers("answers noted")[0] = 0
        if not self.worker.engine.run(block, number, 1):
            return None
        many = block.numbers("answers noted")[0]
        if many > MOST_ANSWERS:
            return None
        noted, given = (form.plan.fields["answers given"] for form in (self.worker.form, self.machines.form))
        ctypes.memmove(self._at + given.at, block.address + noted.at, 8 * many)
        self.put("again key", [signed(mix(game_seed(self.reference.seed, number) & MASK))])
        if not self._play(self._at):
            return None
        return self.worker.rows_of(block)[0], self._row

    def play(self, blur: Blur, first: int, games: int) -> Iterator[tuple[Record, Row]]:
        self.blur(blur)
        for number in range(first, first + games):
            found = self.numbers_of(number)
            if found is None:
                yield from self.reference.play(blur, number, 1)
                continue
            figures, luck = found
            record = next(self.worker.records_of(number, figures[None, :], self.worker.form.figures.keys.keys()))
            yield record, {int(at): luck[at].tolist() for at in numpy.flatnonzero(luck.any(axis=1))}

    def games(self, blur: Blur, games: int) -> list[Game | None]:
        return list(told(self.play(blur, 0, games), self.reference.tell))


def machines_for(reference: Rehearsal, cache: Cache | None = None) -> Machines:
    """Raises `CannotCompile` with the reason when it cannot be."""
    engine = noting_engine(reference.table, reference.lots, cache)
    form = lowered(reference.table, games_again, may_leave_out=True)
    module = ModuleText(has_pdep())
    module.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    return Machines(engine, form, compiled(module.whole(form.functions), cache))
