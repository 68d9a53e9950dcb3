"""The text of LLVM → machine code in memory. The only room that knows the compiler; it is imported when first needed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as llvm
from attrs import define


def machine() -> Any:
    """The description of this machine; a compiler takes it with it when it goes."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=2, jit=True
    )


@cache
def has_pdep() -> bool:
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


@define(eq=False)
class MachineCode:
    """Functions in memory; they live as long as this object."""

    engine: Any

    def function(self, name: str, gives: Any, *takes: Any) -> Callable[..., Any]:
        return ctypes.CFUNCTYPE(gives, *takes)(self.engine.get_function_address(name))


def compiled(text: str, level: int = 2) -> MachineCode:
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_process_triple()
    module.verify()
    target = machine()
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(target, tuning)
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()
    return MachineCode(engine)
