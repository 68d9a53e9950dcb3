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

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import CannotCompile

EDITION = "2"

LONG = 8000  # lines of text: what would be inlined twice over is compiled twice over
FEW_PASSES = ("add_sroa_pass", "add_instruction_combine_pass", "add_simplify_cfg_pass")
MOST_INLINED = 100  # of a long text, where the compiler itself would go up to 225


class Cache(Protocol):
    """Keeps machine code by its key; may forget. What it gives back is what was put there, or nothing."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, code: bytes) -> None: ...


@cache
def initialize_llvm() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def cpu_features() -> Any:
    return llvm.get_host_cpu_features()


def target_machine(care: int = 2) -> Any:
    """The description of this machine; a compiler takes it with it when it goes."""
    initialize_llvm()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=cpu_features().flatten(), opt=care, jit=True
    )


def has_pdep() -> bool:
    return bool(cpu_features().get("bmi2", False))


def cache_key(text: str, care: int = 2) -> str:
    """What the machine code depends on: the text, the compiler, the machine, and how it was made."""
    edition = EDITION if care == 2 else f"{EDITION} {care}"
    parts = [
        edition,
        llvmlite.__version__,
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        cpu_features().flatten(),
    ]
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


def compile_text(text: str, cache: Cache | None = None, care: int = 2) -> MachineCode:
    """`care`: 2 takes the time to make the code fast; 1 takes a third of it, for code that is little slower where not
    much can be inlined; 0 takes as little as can be, and what it makes is not kept."""
    initialize_llvm()
    key = cache_key(text)
    for kept in (key, cache_key(text, 1)) if care < 2 else (key,):
        code = cache.get(kept) if cache is not None else None
        if code is not None:
            return load_object_code(code)
    code = compile_object_code(text, care)
    if cache is not None and care:
        cache.put(key if care == 2 else cache_key(text, care), code)
    return load_object_code(code)


def compile_object_code(text: str, care: int = 2) -> bytes:
    try:
        module = llvm.parse_assembly(text)
        module.triple = llvm.get_process_triple()
        module.verify()
    except RuntimeError as problem:
        raise CannotCompile(
            message("the compiler rejects the generated code: {problem}", problem=problem)
        ) from problem
    target = target_machine(care)
    if care == 1:
        run_few_passes(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=1)))
    elif care:
        builder = llvm.create_pass_builder(target, tuning_options(text, care))
        builder.getModulePassManager().run(module, builder)
    found: bytes = target.emit_object(module)
    return found


def run_few_passes(module: Any, builder: Any) -> None:
    """Memory into registers, and what then becomes simple: the passes that are worth most of what all are. A compiler
    that does not offer them one by one runs all."""
    passes = llvm.create_new_module_pass_manager()
    if not all(hasattr(passes, name) for name in FEW_PASSES):
        passes = builder.getModulePassManager()
    else:
        for name in FEW_PASSES:
            getattr(passes, name)()
    passes.run(module, builder)


def tuning_options(text: str, care: int) -> Any:
    """A long text takes a third less time with a little less care, and what comes of it is about as fast."""
    is_long = text.count("\n") > LONG
    found = llvm.create_pipeline_tuning_options(speed_level=1 if is_long else care)
    found.loop_vectorization = False  # gains nothing here, and ends the process on some loops (an assertion of LLVM)
    if is_long:
        found.inlining_threshold = MOST_INLINED
    return found


def load_object_code(code: bytes) -> MachineCode:
    empty = llvm.parse_assembly("")
    engine = llvm.create_mcjit_compiler(empty, target_machine())
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return MachineCode(engine)
