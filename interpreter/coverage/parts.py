"""The parts of the rules that can be reached: takes a program, gives each with its place and how that is noticed."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.typing.types import TruthOf

NO_RULES = (ast.Example, ast.Property, ast.Words)
HELPERS = (ast.Define, ast.Table)
DONE, VALUE, CONDITION, FIXED = "done", "value", "condition", "fixed"


@frozen(eq=False)
class Part:
    """`role`: a statement is done, a value is asked for, a condition is asked and may be true or false.

    `fixed`: a condition that the options may decide before the game; then its `statement` tells whether it mattered.
    """

    what: str
    node: ast.Node
    role: str
    piece: ast.AnyDeclaration
    span: Span
    statement: ast.Node | None = None

    @property
    def is_condition(self) -> bool:
        return self.role in {CONDITION, FIXED}


def parts_of(program: Program) -> tuple[Part, ...]:
    """In the order of the rules, every expression that is looked at once however many things look at it."""
    found: list[Part] = []
    asked = asked_by_rules(program)
    for piece in program.game.declarations:
        if isinstance(piece, NO_RULES) or (isinstance(piece, HELPERS) and id(piece) not in asked):
            continue
        found += parts_of_piece(program, piece)
        found += conditional_expressions(piece)
    return tuple({id(part.node): part for part in found}.values())


def asked_by_rules(program: Program) -> set[int]:
    """The definitions and tables that rules ask for, through others too; what only properties ask for is no rule."""
    waiting: list[ast.Node] = [one for one in program.game.declarations if not isinstance(one, (*NO_RULES, *HELPERS))]
    asked: set[int] = set()
    while waiting:
        for node in walk(waiting.pop()):
            meaning = program.names.get(node) if isinstance(node, ast.Name) else None
            if isinstance(meaning, HELPERS) and id(meaning) not in asked:
                asked.add(id(meaning))
                waiting.append(meaning)
    return asked


def parts_of_piece(program: Program, piece: ast.AnyDeclaration) -> Iterator[Part]:
    match piece:
        case ast.Setup() | ast.Step():
            yield from statements(piece, piece.body)
        case ast.Phase():
            yield Part("phase", piece, DONE, piece, piece.name.span)
            if piece.when is not None:
                yield condition("when", piece.when, piece)
            if piece.loop is not None:
                yield from loop(piece.loop, piece)
            yield from statements(piece, piece.body)
        case ast.Action():
            yield Part("action", piece, DONE, piece, piece.name.span)
            for need in piece.needs:
                yield condition("needs", need.condition, piece)
            yield from statements(piece, piece.body)
        case ast.Define(_, _, body):
            role = CONDITION if isinstance(program.types.get(body), TruthOf) else VALUE
            yield Part("definition", body, role, piece, piece.name.span)
        case ast.Table():
            for entry in piece.entries:
                yield Part("entry", entry.value, VALUE, piece, entry.span)
        case ast.Components():
            yield from rule_rows(piece)
        case ast.Score():
            for line in piece.lines:
                yield Part("score line", line.value, VALUE, piece, line.name.span)
        case ast.Rounds(_, until, _) if until is not None:
            yield condition("rounds until", until, piece)
        case ast.Ranking():
            for criterion in piece.criteria:
                if criterion.when is not None:
                    yield condition("criterion when", criterion.when, piece)
        case ast.Result():
            for outcome in piece.outcomes:
                yield condition("result", outcome.when, piece)
        case _:
            return


def rule_rows(piece: ast.Components) -> Iterator[Part]:
    """The rules that stand in a table of components, row by row."""
    columns = [number for number, one in enumerate(piece.attributes) if one.type is None and one.value is None]
    for row in piece.rows:
        for column in columns:
            if column < len(row.cells):
                yield Part("rule row", row.cells[column], CONDITION, piece, row.name.span)


def statements(piece: ast.AnyDeclaration, body: tuple[ast.Statement, ...]) -> Iterator[Part]:
    """Every statement of a body, however deep, as written."""
    waiting: list[ast.Node] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If):
            for branch in node.branches:
                if branch.condition is not None:
                    span = branch.condition.span
                    yield Part("condition", branch.condition, FIXED, piece, span, node)
        elif not isinstance(node, ast.Branch):
            yield Part("statement", node, DONE, piece, node.span)
            yield from loop(node, piece)
        waiting.extend(reversed(bodies_of(node)))


def bodies_of(node: ast.Node) -> list[ast.Node]:
    """The statements (or branches) directly inside a statement."""
    match node:
        case ast.If(branches):
            return list(branches)
        case ast.Choose(otherwise=otherwise):
            return [otherwise] if otherwise is not None else []
        case ast.Branch() | ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat():
            return list(node.body)
        case _:
            return []


def loop(node: ast.Node, piece: ast.AnyDeclaration) -> Iterator[Part]:
    """The conditions in the header of a statement."""
    match node:
        case ast.Turns(_, _, _, skipping, until, _):
            named = [("skipping", skipping), ("until", until)]
        case ast.Repeat(_, until, _):
            named = [("until", until)]
        case ast.Choose(condition=where) | ast.EachPlayer(condition=where):
            named = [("where", where)]
        case _:
            named = []
    for what, expression in named:
        if expression is not None:
            yield condition(what, expression, piece)


def conditional_expressions(piece: ast.AnyDeclaration) -> Iterator[Part]:
    for node in walk(piece):
        if isinstance(node, ast.IfElse):
            yield condition("condition", node.condition, piece)


def condition(what: str, expression: ast.Expr, piece: ast.AnyDeclaration) -> Part:
    return Part(what, expression, CONDITION, piece, expression.span)
