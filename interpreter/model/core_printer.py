"""The core as text for people: `rulesrun compile --show core`. Every expression of the rules, with what it means."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.core import Constant, Element, Register
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.model.work_bounds import root_expressions

SILENT = ast.Example | ast.Words | ast.Players | ast.Title | ast.Edition | ast.Persona


def format_core(bench: Workbench) -> Iterator[str]:
    """A line for each expression that stands in no other: its place, then its operation."""
    for declaration in bench.program.game.declarations:
        if isinstance(declaration, SILENT):
            continue
        for root in root_expressions(declaration):
            if bench.ready.get(id(root)) is not None or not isinstance(root, ast.Name):
                yield f"{root.span.file}:{locate_line(bench, root)}  {format_expression(bench, root)}"


def locate_line(bench: Workbench, node: ast.Node) -> int:
    text = next((one.text for one in bench.program.sources if one.file == node.span.file), "")
    return text.count("\n", 0, node.span.start) + 1


def format_expression(bench: Workbench, node: ast.Expr) -> str:
    try:
        core = lower_expression(bench, node)
    except RefusedTable:
        return f"({type(node).__name__.lower()})"  # no value: what a statement moves, a step
    if isinstance(core, Constant):
        return repr(core.value)
    if isinstance(core, Register | Element):
        name = getattr(core.binder, "alias" if isinstance(core.binder, ast.Deal) else "name", None)
        return name.text if isinstance(core, Register) and isinstance(name, ast.Name) else "it"
    names = [one.name for one in attrs.fields(type(core)) if one.name not in {"node", "span"}]
    parts = [format_part(bench, name, getattr(core, name)) for name in names]
    return f"({' '.join([type(core).__name__.lower(), *filter(None, parts)])})"


def format_part(bench: Workbench, name: str, part: object) -> str:
    """Of what is so or not, the name says what it is."""
    if isinstance(part, ast.Expr):
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
        case Element():
            return "it"
        case ast.Each():
            called = f"{part.name.text} in " if part.name is not None else ""
            return f"{called}{format_expression(bench, part.collection)}"
        case ast.Node():
            named = getattr(part, "name", None)
            return named.text if isinstance(named, ast.Name) else type(part).__name__.lower()
        case _:
            return str(part).lower()
