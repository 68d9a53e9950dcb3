"""Lines of worked examples said otherwise: as if they held, the opposite, or with the values that are there now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_example_line
from rulesrun.dsl.parsing.parse import ParsedFile
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.types import Type

OPPOSITES = {"=": "is not", "is not": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
Edit = tuple[Span, str]  # these words instead of what stands there


class Compiled(Protocol):
    """An expression made ready; a constant one is known before the game."""

    @property
    def is_constant(self) -> bool: ...

    @property
    def run(self) -> Callable[[Any], Any]: ...


@frozen(eq=False)
class Valuation:
    """What expressions come to at a moment of a game. `write` puts a value into words, none where it has none."""

    compile: Callable[[ast.Expression], Compiled]
    type_of: Callable[[ast.Node], Type | None]
    slots: Any
    write: Callable[[Type | None, object], str]


def list_examples(parsed: ParsedFile) -> list[ast.Example]:
    """Those of one file; also those that it changes."""
    pieces = [one.declaration if isinstance(one, ast.ChangePiece) else one for one in parsed.declarations]
    return [one for one in pieces if isinstance(one, ast.Example)]


def silence_line(example: ast.Example, at: int) -> ast.Example:
    """As if what this line says were so."""
    line = example.lines[at]
    silent = (
        evolve(line, condition=ast.Truth(True, span=line.condition.span)) if isinstance(line, ast.Then)
        else negate_line(line)
    )  # fmt: skip
    return evolve(example, lines=(*example.lines[:at], silent, *example.lines[at + 1 :]))


def has_opposite(line: ast.ExampleLine) -> bool:
    return not isinstance(line, ast.ThenStill)


def write_opposite(line: ast.ExampleLine) -> str:
    return text_of_example_line(negate_line(line))


def negate_line(line: ast.ExampleLine) -> ast.ExampleLine:
    match line:
        case ast.Then(condition):
            return evolve(line, condition=negate_condition(condition))
        case ast.ThenCan(_, can):
            return evolve(line, can=not can)
        case ast.ThenOver(is_over):
            return evolve(line, is_over=not is_over)
        case _:
            raise AssertionError(line)


def negate_condition(condition: ast.Expr) -> ast.Expr:
    match condition:
        case ast.Compare(operator):
            return evolve(condition, operator=OPPOSITES[operator])
        case ast.In(_, _, negated) | ast.IsEmpty(_, negated):
            return evolve(condition, negated=not negated)
        case ast.Not(value):
            return value
        case _:
            return ast.Not(condition, span=condition.span)


def correct_line(line: ast.ExampleLine, known: Valuation) -> Iterator[Edit]:
    """What has to be written instead of what is not so."""
    if isinstance(line, ast.Then):
        yield from _correct_condition(line.condition, known)
    else:
        yield line.span, write_opposite(line)


def _correct_condition(condition: ast.Expr, known: Valuation) -> Iterator[Edit]:
    match condition:
        case ast.And(parts):
            for part in parts:
                if not known.compile(part).run(known.slots):
                    yield from _correct_condition(part, known)
        case ast.Compare("=", left, right) if known.compile(left).is_constant is not known.compile(right).is_constant:
            said, other = (right, left) if known.compile(right).is_constant else (left, right)
            words = known.write(known.type_of(other), known.compile(other).run(known.slots))
            yield (said.span, words) if words else _negating_edit(condition)
        case _:
            yield _negating_edit(condition)


def _negating_edit(condition: ast.Expr) -> Edit:
    line = ast.Then(negate_condition(condition), span=condition.span)
    return condition.span, text_of_example_line(line).removeprefix("then ")
