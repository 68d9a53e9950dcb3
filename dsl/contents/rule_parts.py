"""The parts of the rules that can be reached: takes a program, gives each with its place and how that is noticed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import CONDITIONS, footprint_of
from rulesrun.dsl.ast.pieces import list_rule_cells
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.flow.checked_game import walk_mentions
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import AttributeMeaning, Program
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


# ---- ways there
# What would have to happen for a part of the rules to be reached: a program and a part in, conditions in words out.


MOST_WAYS = 4
DEEPEST = 8


@frozen
class Reason:
    """One thing that must happen. `node` and `wanted`: the condition behind it and what it must be, where there is one.

    `ways`: what must happen for this in turn; one of them is enough.
    """

    text: str
    span: Span | None = None
    node: ast.Node | None = None
    wanted: bool | None = None
    ways: tuple[tuple[Reason, ...], ...] = ()


@define(eq=False)
class ReasonFinder:
    """Answers for one program. What was told once is not told again below."""

    program: Program
    _told: set[int] = field(factory=set, init=False)

    def reasons_for(self, part: RulePart) -> tuple[Reason, ...]:
        """The way to a part, from the outside in; then the part itself."""
        self._told = set()
        way = [*self.find_way(part.node, part.piece, 0)]
        if part.is_condition and part.what != "definition":
            way.append(
                Reason(message("`{text}` is asked there", text=self.text_at(part.node.span)), part.node.span, part.node)
            )
        return tuple(way)

    def find_way(self, node: ast.Node, piece: ast.AnyDeclaration, depth: int) -> list[Reason]:
        if depth > DEEPEST:
            return []
        return [*self.reasons_to_enter(piece, node, depth), *self.reasons_inside(piece, node)]

    # ---- a piece

    def reasons_to_enter(self, piece: ast.AnyDeclaration, node: ast.Node, depth: int) -> Iterator[Reason]:
        match piece:
            case ast.Setup(each_round, _):
                yield Reason(
                    message("every round begins so") if each_round else message("every game begins so"), piece.span
                )
            case ast.Phase(name, when, _, _):
                yield Reason(message("the phase `{name}` comes", name=name.text), name.span)
                if when is not None and node is not when:
                    yield self.condition_reason(when, True, message("it is reached only when"))
            case ast.Step(name, _):
                yield self.use_reason(message("`do {name}` is reached", name=name.text), piece, depth, ast.Do)
            case ast.Action(name, _, needs, _, _):
                if not any(node is need.condition for need in needs):
                    yield self.use_reason(
                        message("somebody chooses `{name}`", name=name.text), piece, depth, ast.Choose
                    )
                    for need in needs:
                        yield self.condition_reason(need.condition, True, message("it needs"))
                else:
                    yield self.use_reason(
                        message("somebody could choose `{name}`", name=name.text), piece, depth, ast.Choose
                    )
            case ast.Define(name, _, _) | ast.Table(name, _, _):
                yield self.use_reason(message("something asks for `{name}`", name=name.text), piece, depth, ast.Name)
            case ast.Score(when, _):
                moments = {
                    "round": message("a round ends"),
                    "end": message("the game ends"),
                    "told": message("`count points` is reached"),
                }
                yield Reason(message("points are counted: {moment}", moment=moments.get(when, when)), piece.span)
            case ast.Components():
                yield self.use_reason(message("a rule of this table is asked for"), piece, depth, ast.Name)
            case ast.Ranking() | ast.Result():
                yield Reason(message("the game ends"), piece.span)
            case ast.Rounds():
                yield Reason(message("a round ends"), piece.span)
            case _:
                return

    def use_reason(self, text: str, piece: ast.AnyDeclaration, depth: int, kind: type[ast.Node]) -> Reason:
        """Who leads here: every place that names the piece, each with its own way."""
        if id(piece) in self._told:
            return Reason(message("{text} (as above)", text=text), piece.span)
        self._told.add(id(piece))
        uses = list(self.find_uses(piece, kind))
        ways = [(*self.find_way(node, outer, depth + 1), self.place_reason(node)) for outer, node in uses[:MOST_WAYS]]
        if len(uses) > MOST_WAYS:
            ways.append((Reason(message("or in one of {amount} other places", amount=len(uses) - MOST_WAYS)),))
        return Reason(text, piece.span, ways=tuple(ways))

    def find_uses(
        self, piece: ast.AnyDeclaration, kind: type[ast.Node]
    ) -> Iterator[tuple[ast.AnyDeclaration, ast.Node]]:
        """The statements that lead to a piece, or the expressions that ask for it."""
        for outer in self.program.game.declarations:
            if isinstance(outer, (ast.Example, ast.Figure, ast.Property, ast.Words)):
                continue
            for node in walk(outer):
                if isinstance(node, kind) and any(self.is_name_of(name, piece) for name in names_in(node)):
                    yield outer, node

    def is_name_of(self, name: ast.Name, piece: ast.AnyDeclaration) -> bool:
        meaning = self.program.names.get(name)
        if isinstance(meaning, AttributeMeaning):
            return meaning.components is piece and meaning.attribute.type is None
        return meaning is piece

    def place_reason(self, node: ast.Node) -> Reason:
        return Reason(f"`{self.text_at(node.span)}`", node.span)

    # ---- inside a piece

    def reasons_inside(self, piece: ast.AnyDeclaration, node: ast.Node) -> Iterator[Reason]:
        """The headers and branches around a node, from the outside in."""
        loop = piece.loop if isinstance(piece, ast.Phase) else None
        if loop is not None and not contains_node(loop, node) and node is not piece:
            yield from self.header_reasons(loop)
        body: list[ast.Node] = list(getattr(piece, "body", ())) if not isinstance(piece, ast.Define) else []
        while body:
            around = next((one for one in body if contains_node(one, node)), None)
            if around is None or around is node:
                return
            if isinstance(around, ast.If):
                yield from self.branch_reasons(around, node)
            inner = inner_statements(around)
            if any(contains_node(one, node) for one in inner) and not isinstance(around, ast.If):
                yield from self.header_reasons(around)
            body = inner

    def branch_reasons(self, node: ast.If, target: ast.Node) -> Iterator[Reason]:
        """Every branch before it says no, its own says yes."""
        for branch in node.branches:
            if branch.condition is target:
                return
            if contains_node(branch, target):
                if branch.condition is not None and not contains_node(branch.condition, target):
                    yield self.condition_reason(branch.condition, True, message("if"))
                return
            if branch.condition is not None:
                yield self.condition_reason(branch.condition, False, message("not"))

    def header_reasons(self, node: ast.Node) -> Iterator[Reason]:
        match node:
            case ast.Turns(_, _, _, skipping, until, _):
                if until is not None:
                    yield self.condition_reason(until, False, message("a turn comes while not"))
                if skipping is not None:
                    yield self.condition_reason(skipping, False, message("of somebody who is not skipped by"))
            case ast.Repeat(_, until, _) if until is not None:
                yield self.condition_reason(until, False, message("again while not"))
            case ast.ForEach(each, _, _):
                yield Reason(message("there is something in `{text}`", text=self.text_at(each.span)), each.span)
            case ast.EachPlayer(condition=condition) if condition is not None:
                yield self.condition_reason(condition, True, message("for some player"))
            case ast.Choose():
                yield Reason(message("nothing of `{text}` is legal", text=self.text_at(node.span)), node.span)
            case _:
                return

    def condition_reason(self, condition: ast.Expr, wanted: bool, text: str) -> Reason:
        quoted = join_messages([text, f"`{self.text_at(condition.span)}`"], " ")
        return Reason(quoted, condition.span, condition, wanted)

    def text_at(self, span: Span) -> str:
        for source in self.program.sources:
            if source.file == span.file:
                words = " ".join(source.text[span.start : span.end].split())
                return words if len(words) <= 80 else words[:79] + "…"
        return ""


def names_in(node: ast.Node) -> tuple[ast.Name, ...]:
    match node:
        case ast.Choose(actions=actions):
            return actions
        case ast.Do(step):
            return (step,)
        case ast.Name():
            return (node,)
        case _:
            return ()


def contains_node(outer: ast.Node, inner: ast.Node) -> bool:
    """Whether a node lies within another; the same one does."""
    return any(one is inner for one in walk(outer))
