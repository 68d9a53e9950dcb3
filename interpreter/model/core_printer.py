"""The core as text for people: `rulesrun compile --show core`. What expressions mean, what statements do, the flow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.instructions import Do, DrawComponents, Flow, Instruction, Label, Offer, Reach
from rulesrun.interpreter.model.moments import JudgedProperty, MeasuredFigure
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.model.work_bounds import root_expressions

KEPT = ("slots", "left", "seat", "before", "binder", "several")  # in which slots, and what is said before
SAID = ("count", "until", "excluded", "skipping", "following")  # of instructions, with the name before it
SILENT = ast.Example | ast.Words | ast.Players | ast.Teams | ast.Title | ast.Edition | ast.Persona


def format_core(bench: Workbench) -> Iterator[str]:
    """A line for each effect, and for each expression that stands in none and in no other: its place, what it is."""
    for declaration in bench.program.game.declarations:
        if isinstance(declaration, SILENT):
            continue
        told, inside = list[tuple[ast.Node, str]](), set[int]()
        for node in walk(declaration):
            effect = bench.effects[id(node)][1] if id(node) in bench.effects else None
            if effect is not None and not isinstance(effect, core.FlowForm):
                inside.update(id(part) for part in walk(node))
                told.append((node, format_record(bench, effect)))
        for root in root_expressions(declaration):
            if id(root) not in inside and (bench.ready.get(id(root)) is not None or not isinstance(root, ast.Name)):
                told.append((root, format_expression(bench, root)))
        for node, text in sorted(told, key=lambda one: one[0].span.start):
            yield f"{node.span.file}:{locate_line(bench, node)}  {text}"


def format_flow(bench: Workbench, flow: Flow) -> Iterator[str]:
    """A line for each instruction: its number, its place in the file, what it is and which numbers it may lead to."""
    for number, one in enumerate(flow.instructions):
        if not isinstance(one, Reach):
            place = f"{one.node.span.file}:{locate_line(bench, one.node)}"
            done = one.effect if isinstance(one, Do | DrawComponents) else one
            yield f"{number:>4}  {place}  {format_record(bench, done)}"


def locate_line(bench: Workbench, node: ast.Node) -> int:
    text = next((one.text for one in bench.program.sources if one.file == node.span.file), "")
    return text.count("\n", 0, node.span.start) + 1


def format_expression(bench: Workbench, node: core.Operand) -> str:
    try:
        lowered = lower_expression(bench, node)
    except RefusedTable:
        return f"({type(node).__name__.lower()})"  # no value: what a statement moves, a step
    if isinstance(lowered, core.Constant):
        return repr(lowered.value)
    if isinstance(lowered, core.Register | core.Element):
        name = getattr(lowered.binder, "alias" if isinstance(lowered.binder, ast.Deal) else "name", None)
        return name.text if isinstance(lowered, core.Register) and isinstance(name, ast.Name) else "it"
    return format_record(bench, lowered)


def format_record(bench: Workbench, lowered: Any) -> str:
    """The room of a place, and all of it that is taken, are said by the place."""
    hidden = {"node", "span"} | (set() if isinstance(lowered, core.Contents) else {"room"})
    hidden |= {"is_index", "is_filtered"} | set(KEPT if isinstance(lowered, Instruction) else ())
    if isinstance(lowered, core.TakeEverywhere | core.TakeFrom) and not lowered.is_filtered:
        hidden.add("what")
    names = [one.name for one in attrs.fields(type(lowered)) if one.name not in hidden]
    parts = [format_part(bench, name, getattr(lowered, name)) for name in names]
    if isinstance(lowered, Instruction):
        parts = [f"{name}:{part}" if part and name in SAID else part for name, part in zip(names, parts, strict=True)]
    kind = [] if isinstance(lowered, core.Logic) else [type(lowered).__name__.lower()]
    return f"({' '.join([*kind, *filter(None, parts)])})"


def format_part(bench: Workbench, name: str, part: object) -> str:
    """Of what is so or not, the name says what it is."""
    if isinstance(part, core.Operand):
        return format_expression(bench, part)
    match part:
        case None | False:
            return ""
        case True:
            return name.removeprefix("is_")
        case tuple():
            return " ".join(format_part(bench, name, one) for one in part)
        case ZoneRoom(declaration) | VariableRoom(declaration):
            return declaration.name.text
        case AttributeMeaning(attribute=attribute):
            return attribute.name.text
        case core.Element():
            return "it"
        case Kinds(declaration=declaration):
            return declaration.name.text
        case core.Contents() | core.Current() | core.Target() | core.Transfer() | core.Literal():
            return format_record(bench, part)
        case Label(at=at):
            return f"{name}:{at}"
        case Offer(action, entry):
            return f"{action.name.text}:{entry.at}"
        case JudgedProperty(declaration) | MeasuredFigure(declaration):
            return format_part(bench, name, declaration)
        case core.TakeEverywhere() | core.TakeFrom() | core.TakeListed() | core.TakeSome() | core.TakeOne():
            return format_record(bench, part)
        case ast.Order(reverse, key):
            return f"({'down' if reverse else 'up'} {format_expression(bench, key)})"
        case ast.Each():
            called = f"{part.name.text} in " if part.name is not None else ""
            return f"{called}{format_expression(bench, part.collection)}"
        case ast.Node():
            named = getattr(part, "name", None)
            return named.text if isinstance(named, ast.Name) else type(part).__name__.lower()
        case _:
            return str(part).lower()
