"""Rules that a game may do without: a program in; conditions, statements, actions, score lines, criteria out, each with
what it would be without itself. Whether games are another without one of them, whoever plays them finds out."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import kind_of
from rulesrun.dsl.contents.rule_parts import RulePart, find_parts
from rulesrun.dsl.format.format import text_of_criterion, text_of_expression
from rulesrun.dsl.format.statements import format_statement
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import Program

KEPT = (ast.Choose, ast.If, ast.Do, ast.Turns, ast.Repeat, ast.ForEach, ast.EachPlayer)
# What a condition is without itself: a need is always met, an exception never.
WITHOUT = {"needs": True, "where": True, "condition": False, "skipping": False, "when": False, "result": False,
           "rule row": False, "definition": False, "criterion when": False}  # fmt: skip


@frozen(eq=False)
class DoubtfulRule:
    """`node` fixed to `value`, or something left out; `text`: as it is written."""

    what: str
    text: str
    span: Span
    node: Located | None = None
    value: object = None
    name: str = ""
    left_out: object = None  # an identity
    twins: tuple[int, ...] = ()  # the same line of a step, where that is spelled out once more


def list_doubtful_rules(program: Program) -> list[DoubtfulRule]:
    """In the order in which people ask."""
    return [
        *doubt_conditions(program), *doubt_statements(program), *doubt_actions(program), *doubt_criteria(program),
        *doubt_score_lines(program),
    ]  # fmt: skip


def doubt_conditions(program: Program) -> Iterator[DoubtfulRule]:
    for part in find_parts(program):
        if part.what in WITHOUT and (part.is_condition or part.what == "rule row"):
            assert isinstance(part.node, ast.Expr)
            text, value, twins = format_condition_part(part), WITHOUT[part.what], ids_of_twins(part)
            yield DoubtfulRule(part.what, text, part.span, part.node, value, twins=twins)


def format_condition_part(part: RulePart) -> str:
    """With the name of what it belongs to, so that one knows which."""
    assert isinstance(part.node, ast.Expr)
    word = {"condition": "if", "definition": "define", "rule row": "row"}.get(part.what, part.what)
    name = getattr(part.piece, "name", None)
    of = f"{name.text}: " if isinstance(name, ast.Name) else ""
    if part.what == "rule row" and isinstance(part.piece, ast.Components):
        row = next(one for one in part.piece.rows if part.node in one.cells)
        of = f"{row.name.text}: "
    return f"{of}{word} {text_of_expression(part.node)}"


def doubt_statements(program: Program) -> Iterator[DoubtfulRule]:
    """What is done; questions stay, what only has a body, and draws whose component has a name: others speak of it."""
    for part in find_parts(program):
        node = part.node
        is_named = isinstance(node, ast.Deal) and node.alias is not None
        if part.what != "statement" or not isinstance(node, ast.Statement) or isinstance(node, KEPT) or is_named:
            continue
        text = format_piece_prefix(part.piece) + next(format_statement(node, 0)).text
        yield DoubtfulRule("statement", text, part.span, left_out=id(node), twins=ids_of_twins(part))


def ids_of_twins(part: RulePart) -> tuple[int, ...]:
    return tuple(id(twin.node) for twin in part.twins)


def doubt_actions(program: Program) -> Iterator[DoubtfulRule]:
    for piece in program.game.declarations:
        if isinstance(piece, ast.Action):
            name = piece.name
            yield DoubtfulRule("action", f"action {name.text}", name.span, left_out=id(piece), name=name.text)


def doubt_criteria(program: Program) -> Iterator[DoubtfulRule]:
    """What decides between those who are level."""
    for piece in program.game.declarations:
        if isinstance(piece, ast.Ranking):
            for one in piece.criteria[1:]:
                yield DoubtfulRule("criterion", f"ranking: {text_of_criterion(one)}", one.span, left_out=id(one))


def format_piece_prefix(piece: ast.AnyDeclaration) -> str:
    name = getattr(piece, "name", None)
    return f"{name.text}: " if isinstance(name, ast.Name) else f"{kind_of(piece)}: "


def doubt_score_lines(program: Program) -> Iterator[DoubtfulRule]:
    for piece in program.game.declarations:
        if isinstance(piece, ast.Score) and len(piece.lines) > 1:
            for line in piece.lines:
                told = f"{line.name.text} = {text_of_expression(line.value)}"
                yield DoubtfulRule("score line", told, line.name.span, line.value, 0)
