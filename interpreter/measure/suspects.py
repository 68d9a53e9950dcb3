"""Which rules may be dead weight: a program in; conditions, statements, actions, score lines, options, components out,
and the rules without each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import kind_of
from rulesrun.dsl.contents.rule_parts import RulePart, find_parts
from rulesrun.dsl.format.format import text_of_criterion, text_of_expression
from rulesrun.dsl.format.statements import format_statement
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.measure.declared_figures import Key
from rulesrun.interpreter.model.domains import list_values, to_external
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.fixed_conditions import FixedConditions
from rulesrun.interpreter.reference.table import Table, set_up_table

MOST_VALUES = 5  # of one option, evenly taken
MOST_COMPONENTS = 64  # of one declaration
KEPT = (ast.Choose, ast.If, ast.Do, ast.Turns, ast.Repeat, ast.ForEach, ast.EachPlayer)
# What a condition is without itself: a need is always met, an exception never.
WITHOUT = {"needs": True, "where": True, "condition": False, "skipping": False, "when": False, "result": False,
           "rule row": False, "definition": False, "criterion when": False}  # fmt: skip


@frozen(eq=False)
class Suspect:
    """`node` fixed to `value`, the option `name` set to `value`, or something left out; `text`: as it is written."""

    what: str
    text: str
    span: Span
    node: ast.Expr | None = None
    value: object = None
    name: str = ""
    left_out: object = None  # as `Workbench.left_out` has it
    twins: tuple[int, ...] = ()  # the same line of a step, where that is spelled out once more

    @property
    def is_condition(self) -> bool:
        return isinstance(self.value, bool) and self.node is not None

    @property
    def is_component(self) -> bool:
        return self.what == "component"

    def is_said_by(self, key: Key) -> bool:
        """Whether a figure only says that what was left out does not come any more."""
        match self.what, key:
            case "component", ("component" | "kept" | "row" | "met", name):
                return name in (self.name, self.text)
            case "action", ("action" | "offered" | "ending" | "value", name, *_):
                return name == self.name
            case "action", ("options" | "forced",):
                return True
            case "score line", ("line", name):
                return self.text.startswith(f"{name} = ")
            case _:
                return False

    def set_up_table(self, program: Program, players: int, options: Mapping[str, object]) -> Table:
        """The rules without it."""
        if self.left_out is not None:
            return set_up_table(program, players, options, left_out=frozenset({self.left_out, *self.twins}))
        if self.node is None:
            return set_up_table(program, players, {**options, self.name: self.value})
        fixed = dict.fromkeys((id(self.node), *self.twins), self.value)
        return set_up_table(program, players, options, FixedConditions(fixed))


def find_suspects(program: Program, table: Table) -> list[Suspect]:
    """In the order in which people ask: rules first, then what there is of it."""
    return [
        *suspect_conditions(program), *suspect_statements(program), *suspect_actions(program),
        *suspect_criteria(program), *suspect_score_lines(program),
        *suspect_options(program, table), *suspect_components(table),
    ]  # fmt: skip


def suspect_conditions(program: Program) -> Iterator[Suspect]:
    for part in find_parts(program):
        if part.what in WITHOUT and (part.is_condition or part.what == "rule row"):
            assert isinstance(part.node, ast.Expr)
            text, value, twins = format_condition_part(part), WITHOUT[part.what], ids_of_twins(part)
            yield Suspect(part.what, text, part.span, part.node, value, twins=twins)


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


def suspect_statements(program: Program) -> Iterator[Suspect]:
    """What is done; questions stay, what only has a body, and draws whose component has a name: others speak of it."""
    for part in find_parts(program):
        node = part.node
        is_named = isinstance(node, ast.Deal) and node.alias is not None
        if part.what != "statement" or not isinstance(node, ast.Statement) or isinstance(node, KEPT) or is_named:
            continue
        text = format_piece_prefix(part.piece) + next(format_statement(node, 0)).text
        yield Suspect("statement", text, part.span, left_out=id(node), twins=ids_of_twins(part))


def ids_of_twins(part: RulePart) -> tuple[int, ...]:
    return tuple(id(twin.node) for twin in part.twins)


def suspect_actions(program: Program) -> Iterator[Suspect]:
    for piece in program.game.declarations:
        if isinstance(piece, ast.Action):
            name = piece.name
            yield Suspect("action", f"action {name.text}", name.span, left_out=id(piece), name=name.text)


def suspect_criteria(program: Program) -> Iterator[Suspect]:
    """What decides between those who are level."""
    for piece in program.game.declarations:
        if isinstance(piece, ast.Ranking):
            for one in piece.criteria[1:]:
                yield Suspect("criterion", f"ranking: {text_of_criterion(one)}", one.span, left_out=id(one))


def suspect_components(table: Table) -> Iterator[Suspect]:
    """Every kind of component, all its copies; of very many a few, evenly taken."""
    for kinds in table.bench.kinds.values():
        step = -(-len(kinds) // MOST_COMPONENTS)
        for kind, copies in list(enumerate(kinds.copies))[::step]:
            declaration = kinds.part_with(kind).declaration
            name = kinds.names[kind].removeprefix(f"{declaration.name.text}-" if kinds.joined else "")
            row = next((one for one in declaration.rows if one.name.text == name), None)
            told = f"{declaration.name.text} {name}" + (f", all {copies}" if copies > 1 else "")
            span = declaration.name.span if row is None else row.name.span
            yield Suspect("component", told, span, left_out=(id(declaration), name), name=name)


def format_piece_prefix(piece: ast.AnyDeclaration) -> str:
    name = getattr(piece, "name", None)
    return f"{name.text}: " if isinstance(name, ast.Name) else f"{kind_of(piece)}: "


def suspect_score_lines(program: Program) -> Iterator[Suspect]:
    for piece in program.game.declarations:
        if isinstance(piece, ast.Score) and len(piece.lines) > 1:
            for line in piece.lines:
                told = f"{line.name.text} = {text_of_expression(line.value)}"
                yield Suspect("score line", told, line.name.span, line.value, 0)


def suspect_options(program: Program, table: Table) -> Iterator[Suspect]:
    """Every other value of every option and reading; of very many a few."""
    for option in program.game.declarations:
        if not isinstance(option, ast.Option) or isinstance(option.type, ast.RowType):
            continue
        name = option.name.text
        try:
            values = [to_external(table.bench, option.type, value) for value in list_values(table.bench, option.type)]
        except RefusedTable:  # too many to go through
            continue
        others = [value for value in values if value != table.options[name]]
        for value in others[:: -(-len(others) // MOST_VALUES) or 1]:
            word = "reading" if option.is_reading else "option"
            yield Suspect(word, f"{name} = {value}", option.name.span, None, value, name)
