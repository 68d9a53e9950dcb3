"""Which rules may be dead weight: a program in; conditions, score lines, options out, and the rules without each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.format_expressions import full
from rulesrun.dsl.program import Program
from rulesrun.dsl.source import Span
from rulesrun.interpreter.coverage_parts import Part, parts_of
from rulesrun.interpreter.domains import domain, outside
from rulesrun.interpreter.expressions import expression
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import Code, Run, Slots, constant
from rulesrun.interpreter.workbench import Workbench

MOST_VALUES = 5
# What a condition is without itself: a need is always met, an exception never.
WITHOUT = {"needs": True, "where": True, "condition": False, "skipping": False, "when": False, "result": False,
           "rule row": False, "definition": False, "criterion when": False}  # fmt: skip


@frozen(eq=False)
class Suspect:
    """`node` fixed to `value`, or the option `name` set to `value`; `text`: the rule as it is written."""

    what: str
    text: str
    span: Span
    node: ast.Expr | None
    value: object
    name: str = ""

    @property
    def is_condition(self) -> bool:
        return isinstance(self.value, bool) and self.node is not None

    def table(self, program: Program, players: int, options: Mapping[str, object]) -> Table:
        """The rules without it."""
        if self.node is None:
            return set_up(program, players, {**options, self.name: self.value})
        return set_up(program, players, options, Fixing({id(self.node): self.value}))


def suspects(program: Program, table: Table) -> list[Suspect]:
    return [*conditions(program), *score_lines(program), *options(program, table)]


def conditions(program: Program) -> Iterator[Suspect]:
    for part in parts_of(program):
        if part.what in WITHOUT and (part.is_condition or part.what == "rule row"):
            assert isinstance(part.node, ast.Expr)
            yield Suspect(part.what, text_of(part), part.span, part.node, WITHOUT[part.what])


def text_of(part: Part) -> str:
    """With the name of what it belongs to, so that one knows which."""
    assert isinstance(part.node, ast.Expr)
    word = {"condition": "if", "definition": "define", "rule row": "row"}.get(part.what, part.what)
    name = getattr(part.piece, "name", None)
    of = f"{name.text}: " if isinstance(name, ast.Name) else ""
    if part.what == "rule row" and isinstance(part.piece, ast.Components):
        row = next(one for one in part.piece.rows if part.node in one.cells)
        of = f"{row.name.text}: "
    return f"{of}{word} {full(part.node)}"


def score_lines(program: Program) -> Iterator[Suspect]:
    for piece in program.game.declarations:
        if isinstance(piece, ast.Score) and len(piece.lines) > 1:
            for line in piece.lines:
                yield Suspect("score line", f"{line.name.text} = {full(line.value)}", line.name.span, line.value, 0)


def options(program: Program, table: Table) -> Iterator[Suspect]:
    """Every other value of every option and reading."""
    for option in program.game.declarations:
        if not isinstance(option, ast.Option) or isinstance(option.type, ast.RowType):
            continue
        name = option.name.text
        values = [outside(table.bench, option.type, value) for value in domain(table.bench, option.type)]
        others = [value for value in values if value != table.options[name]]
        for value in others[:MOST_VALUES]:
            word = "reading" if option.is_reading else "option"
            yield Suspect(word, f"{name} = {value}", option.name.span, None, value, name)


@define(eq=False)
class Fixing:
    """Makes expressions ready, some of them as a value that never changes."""

    fixed: Mapping[int, object]

    def noting(self, node: ast.Node) -> Run:
        return lambda S: None

    def make_ready(self, bench: Workbench, node: ast.Expr) -> Code:
        if id(node) in self.fixed:
            return constant(self.fixed[id(node)])
        return expression(bench, node)


@define(eq=False)
class Asked:
    """Makes some conditions ready so that it is known whether they were true and false in a game."""

    watched: set[int]
    true: set[int] = field(factory=set)
    false: set[int] = field(factory=set)
    decided: set[int] = field(factory=set)  # by the options, before the game

    def noting(self, node: ast.Node) -> Run:
        return lambda S: None

    def make_ready(self, bench: Workbench, node: ast.Expr) -> Code:
        code = expression(bench, node)
        if id(node) not in self.watched:
            return code
        if code.is_constant:
            self.decided.add(id(node))
        yes, no, key, run = self.true.add, self.false.add, id(node), code.run

        def asked(S: Slots) -> object:
            found = run(S)
            (yes if found else no)(key)
            return found

        return Code(asked, code.is_constant, code.value)
