"""Symmetries as data for machine code."""

from __future__ import annotations

from rulesrun.interpreter.exploring.relabelling import Group
from rulesrun.interpreter.native.exploring_memory import Worker
from rulesrun.interpreter.native.form import CannotCompile


def lay_out_group(worker: Worker, group: Group) -> None:
    if group.members:
        raise CannotCompile("symmetries")
