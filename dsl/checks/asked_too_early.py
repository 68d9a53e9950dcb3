"""What is settled before the game asks for no more than is known by then: players, options above it, components that do
not rest on it. Nothing lies on the table yet, and it is nobody's turn. That goes for declarations, and for what stays
the same all game long in the middle of a rule: how long a line is, the chances of a roll, the keys of a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, Meaning, RowMeaning
from rulesrun.dsl.typing.types import ComponentOf

IN_PLAY = frozenset(
    {"player", "opponents", "starter", "round", "phase", "total", "place", "counted", "latest", "times"}
)
Thing = (
    ast.Option | ast.Values | ast.Components | ast.AttributeDecl | ast.Define | ast.Table | ast.Zone | ast.Variable
    | ast.Memory | ast.ScoreLine | ast.Action | BuiltinMeaning
)
CHANGING = ast.Action | ast.Zone | ast.Variable | ast.Memory | ast.ScoreLine | BuiltinMeaning
Local = ast.Parameter | ast.Choice | ast.Each | ast.Filter | ast.Deal
BEFORE = message("this is fixed before the game starts: it can only use players, options and components")


@frozen(eq=False)
class SettledThing:
    """Something that is settled before the game. `thing`: what it belongs to, where that has a name."""

    parts: tuple[ast.Node, ...]
    thing: Thing | None = None


def check_asked_too_early(reading: CheckedGame) -> Iterator[Diagnostic]:
    asking = EarlyReferences(reading)
    for settled in _list_settled(reading):
        for part in settled.parts:
            found = asking.find_early_reference(settled, part)
            if found is not None:
                yield found
    for fixed in _list_fixed_in_rules(reading):
        changing = asking.find_changing_name(fixed)
        if changing is not None:
            sentence = message("this must stay the same for the whole game, and `{name}` does not",
                               name=changing.text)  # fmt: skip
            hint = message("write a number, or an option that players set before the game")
            yield Diagnostic("asked-too-early", sentence, changing.span, hint)
    for players in reading.pieces(ast.Players):
        for node in walk(players):
            if isinstance(node, ast.Name):
                sentence = message("the number of players is fixed before anything else")
                yield Diagnostic("asked-too-early", sentence, node.span, message("write numbers"))


# ---- what is settled before the game


def _list_settled(reading: CheckedGame) -> Iterator[SettledThing]:
    for piece in reading.game.declarations:
        match piece:
            case ast.Option(type=type, default=default):
                yield SettledThing((*_type_bounds(type), default), piece)
            case ast.Values(range=ast.RangeType() as range):
                yield SettledThing(_type_bounds(range), piece)
            case ast.Components():
                yield SettledThing(_component_parts(piece), piece)
                for attribute in piece.computed:
                    inner = (attribute.value,) if attribute.value is not None else ()
                    yield SettledThing((*inner, *_type_bounds(attribute.type)), attribute)
            case ast.Require(condition=condition):
                yield SettledThing((condition,))
            case ast.Zone(keys=keys, capacity=capacity, sort_key=sort_key):
                alone = tuple(part for part in (capacity, sort_key) if part is not None)
                yield SettledThing((*(bound for key in keys for bound in _type_bounds(key)), *alone))
            case ast.Variable(keys=keys, type=type):
                yield SettledThing(tuple(bound for one in (*keys, type) for bound in _type_bounds(one)))
            case ast.Define(is_written=False):
                pass  # the range of a step's parameter is looked at with the step
            case ast.Table(parameters=parameters) | ast.Define(parameters=parameters):
                yield SettledThing(tuple(bound for one in parameters for bound in _type_bounds(one.type)), piece)
            case ast.Example(lines=lines):
                yield SettledThing(tuple(line.value for line in lines if isinstance(line, ast.Set)))
            case ast.Property(bound=ast.Node() as bound):
                yield SettledThing((bound,))
            case _:
                pass


def _list_fixed_in_rules(reading: CheckedGame) -> Iterator[ast.Node]:
    """What stands in the middle of a rule and is the same all game long."""
    for step in reading.names.steps.values():
        yield from (bound for one in step.parameters for bound in _type_bounds(one.type))
    for node in reading.nodes:
        match node:
            case ast.Call(ast.Name("lines" | "lines_through"), (_, length)):
                yield length
            case ast.Call(ast.Name("neighbours"), (_, how_far)):
                yield how_far
            case ast.Roll(chances=chances):
                yield from chances
            case ast.Entry(keys=(_, *_) as keys):
                yield from keys
            case ast.Literal(parts=(_, *_) as parts) if isinstance(reading.inferred.types.get(node), ComponentOf):
                yield from (part for part in parts if not is_component(reading, part))
            case _:
                pass


def is_component(reading: CheckedGame, part: ast.Expr) -> bool:
    return isinstance(reading.inferred.types.get(part), ComponentOf)


def _component_parts(piece: ast.Components) -> tuple[ast.Node, ...]:
    """Of the components themselves: which there are, and how many."""
    found: list[ast.Node] = [bound for attribute in piece.attributes for bound in _type_bounds(attribute.type)]
    for row in piece.rows:
        cells = zip(row.cells, piece.attributes, strict=False)
        found += [cell for cell, attribute in cells if attribute.type is not None]
        found += [row.copies] if row.copies is not None else []
    return (*found, *(part for part in (piece.copies, piece.condition) if part is not None))


def _type_bounds(written: ast.TypeExpr | None) -> tuple[ast.Node, ...]:
    """What a type rests on."""
    match written:
        case ast.RangeType(low, high):
            return low, high
        case ast.OrderType(item) | ast.Optional(item):
            return _type_bounds(item)
        case ast.RowType(item, capacity):
            return (*_type_bounds(item), capacity)
        case ast.NamedType(name):
            return (name,)
        case _:
            return ()


# ---- what it asks for


@define(eq=False)
class EarlyReferences:
    reading: CheckedGame
    _behind: dict[Thing, list[Thing]] = field(factory=dict)
    _reached: dict[Thing, list[Thing]] = field(factory=dict)
    _order: dict[ast.Option, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._order = {option: at for at, option in enumerate(self.reading.pieces(ast.Option))}

    def find_early_reference(self, settled: SettledThing, part: ast.Node) -> Diagnostic | None:
        """The first thing in this part that is not known in time."""
        for node, thing in self.list_references(part, settled.thing):
            for reached in self.collect_references(thing):
                why = self.explain_too_early(settled.thing, reached)
                if why is not None:
                    called, hint = why
                    asks = message("`{display}` uses {called}", display=_display_name(node, thing), called=called)
                    said = message("{called} is used", called=called) if reached is thing else asks
                    return Diagnostic(
                        "asked-too-early", message("{said} before it exists", said=said), node.span, hint
                    )
        return None

    def find_changing_name(self, part: ast.Node) -> ast.Name | None:
        """The first name in it that says something else in the course of a game: by what it rests on, or because it
        stands for what is chosen, gone through or told.
        """
        inside = tuple(walk(part))
        for name in (node for node in inside if isinstance(node, ast.Name)):
            meaning = self.reading.meaning(name)
            thing = _thing_of_meaning(meaning)
            reached = self.collect_references(thing) if thing is not None else []
            if any(isinstance(one, CHANGING) for one in reached):
                return name
            bound = meaning.element if isinstance(meaning, ItMeaning | AttributeMeaning) else meaning
            if isinstance(bound, Local) and bound not in inside:
                return name
        return None

    def explain_too_early(self, settled: Thing | None, reached: Thing) -> tuple[str, str] | None:
        """What is not known yet, and what can be done."""
        called = f"`{_display_name(None, reached)}`"
        match reached:
            case ast.Action():
                return f"`can {reached.name.text}`", BEFORE
            case _ if isinstance(reached, CHANGING):
                return called, BEFORE
            case _ if reached is settled and not isinstance(reached, ast.Define | ast.Table):
                return called, message("it depends on itself")
            case ast.Option() if isinstance(settled, ast.Option) and self._order[reached] > self._order[settled]:
                return called, message("put the option below {called}", called=called)
            case ast.AttributeDecl() if isinstance(settled, ast.AttributeDecl) and self.is_declared_below(
                settled, reached
            ):
                return called, message("a computed attribute can use the ones above it")
            case _:
                return None

    def is_declared_below(self, settled: ast.AttributeDecl, reached: ast.AttributeDecl) -> bool:
        for piece in self.reading.pieces(ast.Components):
            if settled in piece.computed and reached in piece.computed:
                return piece.computed.index(reached) >= piece.computed.index(settled)
        return False

    def list_references(self, part: ast.Node, settled: Thing | None) -> Iterator[tuple[ast.Node, Thing]]:
        for node in walk(part):
            self.reading.flow.patience.spend()
            if isinstance(node, ast.Name):
                thing = _thing_of_meaning(self.reading.meaning(node))
                if thing is not None:
                    yield node, thing
            elif isinstance(node, ast.Literal) and settled is not self.component_kind(node):
                kind = self.component_kind(node)
                if kind is not None:
                    yield node, kind

    def component_kind(self, node: ast.Literal) -> ast.Components | None:
        found = self.reading.inferred.types.get(node)
        kind = found.kind if isinstance(found, ComponentOf) else None
        return next((one for one in self.reading.pieces(ast.Components) if one.name.text == kind), None)

    def collect_references(self, thing: Thing) -> list[Thing]:
        """The thing, and all that it rests on."""
        if thing not in self._reached:
            found, seen = [thing], {thing}
            for here in found:
                for further in self.direct_references(here):
                    self.reading.flow.patience.spend()
                    if further not in seen:
                        seen.add(further)
                        found.append(further)
            self._reached[thing] = found
        return self._reached[thing]

    def direct_references(self, thing: Thing) -> list[Thing]:
        if thing not in self._behind:
            self._behind[thing] = [
                found for part in self.list_parts(thing) for _, found in self.list_references(part, None)
            ]
            if isinstance(thing, ast.AttributeDecl):
                self._behind[thing] += [one for one in self.reading.pieces(ast.Components) if thing in one.computed]
        return self._behind[thing]

    def list_parts(self, thing: Thing) -> tuple[ast.Node, ...]:
        match thing:
            case ast.Option():
                return (*_type_bounds(thing.type), thing.default)
            case ast.Values(range=range):
                return _type_bounds(range)
            case ast.Components():
                return _component_parts(thing)
            case ast.AttributeDecl(value=value) if value is not None:
                return (value,)
            case ast.AttributeDecl():
                return self.rule_cells(thing)
            case ast.Define(body=body):
                return (body,)
            case ast.Table(entries=entries):
                return (*entries, *(bound for one in thing.parameters for bound in _type_bounds(one.type)))
            case _:
                return ()

    def rule_cells(self, attribute: ast.AttributeDecl) -> tuple[ast.Node, ...]:
        """Of a `rule` column: what it says for each row."""
        for piece in self.reading.pieces(ast.Components):
            if attribute.type is None and attribute in piece.attributes:
                column = piece.attributes.index(attribute)
                return tuple(row.cells[column] for row in piece.rows if column < len(row.cells))
        return ()


def _thing_of_meaning(meaning: Meaning | None) -> Thing | None:
    match meaning:
        case AllOf(declaration=declaration):
            return declaration
        case RowMeaning(components=components):
            return components
        case AttributeMeaning(attribute=attribute) if attribute.type is None or attribute.value is not None:
            return attribute
        case BuiltinMeaning(name=name):
            return meaning if name in IN_PLAY else None
        case ast.Zone() | ast.Variable() | ast.Memory() | ast.ScoreLine() | ast.Action():
            return meaning
        case ast.Option() | ast.Define() | ast.Table() | ast.Values():
            return meaning
        case _:
            return None


def _display_name(node: ast.Node | None, thing: Thing) -> str:
    if isinstance(node, ast.Name):
        return node.text
    return thing.name if isinstance(thing, BuiltinMeaning) else thing.name.text
