"""A kernel carried out twice on the same memory: as machine code, and in plain Python as the small form says it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy
from attrs import define, field

from rulesrun.interpreter.form.form import Function
from rulesrun.interpreter.form.llvm import ModuleText
from rulesrun.interpreter.form.machine_code import compile_text, has_pdep
from tests.native.form_in_python import FormMachine, signed

LINE = 64


@define(eq=False)
class KernelMemory:
    """Arrays one after the other. What stands at an address stands there for both."""

    size: int = 1 << 14
    bytes: Any = field(init=False)
    used: int = 0
    functions: dict[int, Callable[..., int]] = field(factory=dict)  # by address; of a position, and numbers
    kept: list[Any] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.bytes = ctypes.create_string_buffer(self.size)

    @property
    def base(self) -> int:
        return ctypes.addressof(self.bytes)

    def put(self, values: Any, kind: Any = numpy.int64) -> Any:
        """An array in this memory with these values; its address is `array.ctypes.data`."""
        given = numpy.array(values, dtype=kind)
        self.used += -(self.base + self.used) % LINE
        found = numpy.frombuffer(self.bytes, given.dtype, given.size, self.used).reshape(given.shape)
        found[:] = given
        self.used += given.nbytes
        return found

    def add_function(self, function: Callable[..., int], numbers: int) -> int:
        """The address of a function in Python that a kernel calls: it takes a position, and so many numbers."""

        def called(address: int, *given: int) -> int:
            skipped = address - self.base
            return function(memoryview(self.bytes).cast("B")[skipped:], *given)

        self.kept.append(ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * (1 + numbers))(called))
        found = int(ctypes.cast(self.kept[-1], ctypes.c_void_p).value or 0)
        self.functions[found] = function
        return found

    def run(self, functions: Sequence[Function], name: str, *given: Any) -> int:
        """Both ways; all bytes are the same afterwards. Arrays are given by their addresses."""
        numbers = [one if isinstance(one, int) else int(one.ctypes.data) for one in given]
        function = next(one for one in functions if one.name == name)
        machine = FormMachine(bytearray(self.bytes.raw), self.base)
        machine.position = numbers[0] - self.base if function.has_position else 0
        position = memoryview(machine.memory)[machine.position :]
        machine.functions = {address: partial(one, position) for address, one in self.functions.items()}
        told = machine.call(function, *numbers[function.has_position :])
        code = compile_text(ModuleText(has_pdep()).format_module(functions))
        takes, gives = [ctypes.c_int64] * len(numbers), ctypes.c_int64 if function.gives else None
        result = code.function(name, gives, *takes)(*numbers)
        assert bytes(machine.memory) == self.bytes.raw
        if function.gives:
            assert signed(told, 64) == result
        return int(result or 0)
