"""The text of LLVM → machine code in memory. The only room that knows the compiler; imported when first needed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any, Protocol

import llvmlite
import llvmlite.binding as llvm
from attrs import define

from rulesrun.interpreter.native.form import CannotCompile

EDITION = "2"

LONG = 8000  # lines of text: what would be inlined twice over is compiled twice over
MOST_INLINED = 100  # of a long text, where the compiler itself would go up to 225


class Cache(Protocol):
    """Keeps machine code by its key; may forget. What it gives back is what was put there, or nothing."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, code: bytes) -> None: ...


@cache
def start() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def features() -> Any:
    return llvm.get_host_cpu_features()


def machine(care: int = 2) -> Any:
    """The description of this machine; a compiler takes it with it when it goes."""
    start()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features().flatten(), opt=care, jit=True
    )


def has_pdep() -> bool:
    return bool(features().get("bmi2", False))


def key_of(text: str) -> str:
    """What the machine code depends on: the text, the compiler, the machine."""
    parts = [EDITION, llvmlite.__version__, llvm.get_process_triple(), llvm.get_host_cpu_name(), features().flatten()]
    return sha256("\0".join([*parts, text]).encode()).hexdigest()


@define(eq=False)
class MachineCode:
    """Functions in memory; they live as long as this object."""

    engine: Any

    def function(self, name: str, gives: Any, *takes: Any) -> Callable[..., Any]:
        return ctypes.CFUNCTYPE(gives, *takes)(self.address(name))

    def address(self, name: str) -> int:
        found: int = self.engine.get_function_address(name)
        return found


def compiled(text: str, cache: Cache | None = None, care: int = 2) -> MachineCode:
    """`care`: 2 takes the time to make the code fast, 0 takes as little as can be; only the former is kept."""
    start()
    key = key_of(text)
    code = cache.get(key) if cache is not None else None
    if code is None:
        code = object_code(text, care)
        if cache is not None and care == 2:
            cache.put(key, code)
    return loaded(code)


def object_code(text: str, care: int = 2) -> bytes:
    try:
        module = llvm.parse_assembly(text)
        module.triple = llvm.get_process_triple()
        module.verify()
    except RuntimeError as problem:
        raise CannotCompile(f"the compiler refuses what was written for it: {problem}") from problem
    target = machine(care)
    if care:
        builder = llvm.create_pass_builder(target, tuning(text, care))
        builder.getModulePassManager().run(module, builder)
    found: bytes = target.emit_object(module)
    return found


def tuning(text: str, care: int) -> Any:
    """A long text takes a third less time with a little less care, and what comes of it is about as fast."""
    is_long = text.count("\n") > LONG
    found = llvm.create_pipeline_tuning_options(speed_level=1 if is_long else care)
    found.loop_vectorization = False  # gains nothing here, and ends the process on some loops (an assertion of LLVM)
    if is_long:
        found.inlining_threshold = MOST_INLINED
    return found


def loaded(code: bytes) -> MachineCode:
    empty = llvm.parse_assembly("")
    engine = llvm.create_mcjit_compiler(empty, machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return MachineCode(engine)
