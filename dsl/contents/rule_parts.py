"""The parts of the rules that can be reached: takes a program, gives each with its place and how that is noticed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import CONDITIONS, footprint_of
from rulesrun.dsl.ast.pieces import list_rule_cells
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.flow.checked_game import walk_mentions
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.typing.types import TruthOf

NO_RULES = (ast.Example, ast.Figure, ast.Property, ast.Words)
HELPERS = (ast.Define, ast.Table)
DONE, VALUE, CONDITION, FIXED = "done", "value", "condition", "fixed"


@frozen(eq=False)
class RulePart:
    """`role`: a statement is done, a value is asked for, a condition is asked and may be true or false.

    `fixed`: a condition that the options may decide before the game; then its `statement` tells whether it mattered.
    """

    what: str
    node: ast.Node
    role: str
    piece: ast.AnyDeclaration
    span: Span
    statement: ast.Node | None = None
    twins: tuple[RulePart, ...] = ()  # the same line of a step, where that is spelled out once more

    @property
    def nodes(self) -> tuple[ast.Node, ...]:
        return (self.node, *(twin.node for twin in self.twins))

    def is_among(self, ids: Container[int]) -> bool:
        return any(id(node) in ids for node in self.nodes)

    @property
    def is_condition(self) -> bool:
        return self.role in {CONDITION, FIXED}


def find_parts(program: Program) -> tuple[RulePart, ...]:
    """In the order of the rules, every expression that is looked at once however many things look at it."""
    found: list[RulePart] = []
    asked = find_helpers_in_use(program)
    for piece in program.game.declarations:
        if isinstance(piece, NO_RULES) or (isinstance(piece, HELPERS) and id(piece) not in asked):
            continue
        found += parts_of_piece(program, piece)
        found += parts_of_conditionals(piece)
    return join_twins({id(part.node): part for part in found}.values())


def join_twins(parts: Iterable[RulePart]) -> tuple[RulePart, ...]:
    """A line of a step is one part, however often it is spelled out."""
    by_place: dict[tuple[str, Span], list[RulePart]] = {}
    for part in parts:
        by_place.setdefault((part.what, part.span), []).append(part)
    return tuple(
        evolve(first, twins=tuple(others)) if others else first
        for first, *others in by_place.values()
    )


def find_helpers_in_use(program: Program) -> set[int]:
    """The definitions and tables that rules ask for, through others too; what only properties ask for is no rule."""
    rules = (one for one in program.game.declarations if not isinstance(one, (*NO_RULES, *HELPERS)))
    return {id(one) for one in walk_mentions(program.names.get, *rules) if isinstance(one, HELPERS)}


def parts_of_piece(program: Program, piece: ast.AnyDeclaration) -> Iterator[RulePart]:
    match piece:
        case ast.Setup() | ast.Step():
            yield from parts_of_body(piece, piece.body)
        case ast.Phase():
            yield RulePart("phase", piece, DONE, piece, piece.name.span)
            if piece.when is not None:
                yield make_condition_part("when", piece.when, piece)
            if piece.loop is not None:
                yield from parts_of_header(piece.loop, piece)
            yield from parts_of_body(piece, piece.body)
        case ast.Action():
            yield RulePart("action", piece, DONE, piece, piece.name.span)
            for need in piece.needs:
                yield make_condition_part("needs", need.condition, piece)
            yield from parts_of_body(piece, piece.body)
        case ast.Define(_, _, body):
            role = CONDITION if isinstance(program.types.get(body), TruthOf) else VALUE
            yield RulePart("definition", body, role, piece, piece.name.span)
        case ast.Table():
            for entry in piece.entries:
                yield RulePart("entry", entry.value, VALUE, piece, entry.span)
        case ast.Components():
            yield from parts_of_rule_rows(piece)
        case ast.Score():
            for line in piece.lines:
                yield RulePart("score line", line.value, VALUE, piece, line.name.span)
        case ast.Rounds(_, until, _) if until is not None:
            yield make_condition_part("rounds until", until, piece)
        case ast.Ranking():
            for criterion in piece.criteria:
                if criterion.when is not None:
                    yield make_condition_part("criterion when", criterion.when, piece)
        case ast.Result():
            for outcome in piece.outcomes:
                yield make_condition_part("result", outcome.when, piece)
        case _:
            return


def parts_of_rule_rows(piece: ast.Components) -> Iterator[RulePart]:
    """The rules that stand in a table of components, row by row."""
    for column, row, rule in list_rule_cells(piece):
        if column.value is None:
            yield RulePart("rule row", rule, CONDITION, piece, row.name.span)


def parts_of_body(piece: ast.AnyDeclaration, body: tuple[ast.Statement, ...]) -> Iterator[RulePart]:
    """Every statement of a body, however deep, as written."""
    waiting: list[ast.Node] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If):
            for branch in node.branches:
                if branch.condition is not None:
                    span = branch.condition.span
                    yield RulePart("condition", branch.condition, FIXED, piece, span, node)
        elif not isinstance(node, ast.Branch):
            yield RulePart("statement", node, DONE, piece, node.span)
            yield from parts_of_header(node, piece)
        waiting.extend(reversed(inner_statements(node)))


def inner_statements(node: ast.Node) -> list[ast.Node]:
    """The statements (or branches) directly inside a statement."""
    if isinstance(node, ast.Branch | ast.If):
        return list(node.body if isinstance(node, ast.Branch) else node.branches)
    bodies = footprint_of(node).bodies if isinstance(node, ast.Statement) else ()
    return [line for body in bodies for line in body.lines]


def parts_of_header(node: ast.Node, piece: ast.AnyDeclaration) -> Iterator[RulePart]:
    """The conditions in the header of a statement."""
    for one in footprint_of(node).decides if isinstance(node, ast.Statement) else ():
        if one.role in CONDITIONS:
            yield make_condition_part(one.role, one.asked, piece)


def parts_of_conditionals(piece: ast.AnyDeclaration) -> Iterator[RulePart]:
    for node in walk(piece):
        if isinstance(node, ast.IfElse):
            yield make_condition_part("condition", node.condition, piece)


def make_condition_part(what: str, expression: ast.Expression, piece: ast.AnyDeclaration) -> RulePart:
    return RulePart(what, expression, CONDITION, piece, expression.span)


# ---- lines that do something


@frozen(eq=False)
class EffectLine:
    """A statement that changes something, not only what stands in it. `word`: what it is called; `piece`: what it
    stands in, `name`: the name of that."""

    node: Located
    word: str
    piece: Span
    name: Span | None

    @property
    def span(self) -> Span:
        return self.node.span


def list_effect_lines(game: ast.Game) -> Iterator[EffectLine]:
    """As they are played: what is spelled out twice is there twice."""
    for piece in game.declarations:
        if isinstance(piece, ast.Setup | ast.Phase | ast.Step | ast.Action):
            name = None if isinstance(piece, ast.Setup) else piece.name.span
            for node in walk(piece):
                if isinstance(node, ast.Statement) and footprint_of(node).has_effect:
                    yield EffectLine(node, type(node).__name__.lower(), piece.span, name)
