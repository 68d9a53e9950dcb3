"""What the checks read: a game, its names and types, the flow of its statements. Built once, never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, TypeVar, assert_never

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.inference import InferredTypes
from rulesrun.dsl.typing.names import DeclaredNames
from rulesrun.dsl.typing.notebook import LIMIT, calculate_bounds, is_disjoint, negate_bounds
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.dsl.typing.types import NumberOf, PlayerOf, TruthOf, WordOf

# ---- mentions
# What expressions depend on: what their names mean, and what the names behind those mean; which zone they name, and
# what is looked at to know which. Any reader of rules that knows what names mean asks here.


MeaningOf = Callable[[ast.Node], Meaning | None]
Read = tuple[ast.Node, bool]  # what is looked at, and whether for the one who is `player`


class NamesKnown(Protocol):
    def meaning(self, node: ast.Node) -> Meaning | None: ...

    def meaning_of_place(self, node: ast.Node | None) -> Meaning | None: ...


def walk_mentions(meaning_of: MeaningOf, *roots: ast.Node) -> Iterator[Meaning]:
    """What is named in these nodes, also by way of definitions, tables, actions; each once."""
    waiting, seen = list(roots), set[int]()
    while waiting:
        for part in walk(waiting.pop()):
            meaning = meaning_of(part)
            if meaning is not None and id(meaning) not in seen:
                seen.add(id(meaning))
                yield meaning
                waiting += nodes_behind_meaning(meaning)


def nodes_behind_meaning(meaning: Meaning) -> list[ast.Node]:
    """Where to look on for what a name depends on."""
    match meaning:
        case ast.Define(body=body):
            return [body]
        case ast.Table(entries=entries):
            return list(entries)
        case ast.ScoreLine(value=value):
            return [value]
        case ast.Action(choices=choices, needs=needs):
            return [*choices, *needs]
        case AttributeMeaning(attribute=ast.AttributeDecl(type=None), components=components):
            return list(components.rows)
        case ast.Zone() | ast.Variable() | ast.Memory() | ast.Option() | ast.Values() | ast.Components():
            return []
        case ast.Each(collection=ast.SetOf(items=(ast.Literal(parts=(value,)),))):
            return [value]  # it has a name and is this alone
        case ast.Step() | ast.Phase() | ast.Parameter() | ast.Choice() | ast.Each() | ast.Deal():
            return []
        case AllOf() | WordMeaning() | AttributeMeaning() | ItMeaning() | RowMeaning() | BuiltinMeaning():
            return []
        case _:
            assert_never(meaning)


# ---- places


def without_end(names: NamesKnown, node: ast.Node) -> ast.Node:
    """`stock` of `top of stock`."""
    match names.meaning(node.subject) if isinstance(node, ast.Of) else None:
        case BuiltinMeaning("top" | "bottom"):
            assert isinstance(node, ast.Of)
            return node.owner
        case _:
            return node


def zone_of(names: NamesKnown, node: ast.Node) -> ast.Zone | None:
    """The zone that is named, with or without keys, an owner, one of its ends."""
    meaning = names.meaning_of_place(without_end(names, node))
    return meaning if isinstance(meaning, ast.Zone) else None


def keys_read(names: NamesKnown, zone: ast.Node, own: bool) -> Iterator[Read]:
    """Which of several places it is: not what lies there, nor at which end."""
    zone = without_end(names, zone)
    if isinstance(zone, ast.Of):
        yield zone.owner, own
        zone = zone.subject
    if isinstance(zone, ast.Index):
        yield from ((key, own) for key in zone.keys)


def is_asked_of_player(names: NamesKnown, subject: ast.Node) -> bool:
    """Whether what stands before `of` is somebody's: a zone, a variable, a definition."""
    name = subject.name if isinstance(subject, ast.Call | ast.Index) else subject
    return isinstance(names.meaning(name), ast.Zone | ast.Variable | ast.Define | ast.ScoreLine)


# ---- control flow
# Where each statement stands: in which piece, under which conditions, in which loops; and who brings whom about.


PieceWithLines = ast.Setup | ast.Phase | ast.Step | ast.Action
Loop = ast.Turns | ast.Repeat | ast.EachPlayer | ast.ForEach
Condition = tuple[ast.Expr, bool]
MOST_CONDITIONS = 50


class OutOfPatience(Exception):
    """A rulebook too big for a check that looks far; the check is left out."""


@define(eq=False)
class Patience:
    """How many steps the checks may still take together, so that no file can keep them busy for long."""

    left: int = 2_000_000

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise OutOfPatience


@frozen(eq=False)
class StatementPlace:
    """A statement, what must hold for it to be reached (condition, and whether it holds), and the loops around it."""

    statement: ast.Statement
    piece: PieceWithLines
    conditions: tuple[Condition, ...] = ()
    loops: tuple[Loop, ...] = ()


@frozen(eq=False)
class ControlFlow:
    """All statements of a game. `callers`: where a step or an action is brought about."""

    places: tuple[StatementPlace, ...]
    of_piece: Mapping[PieceWithLines, list[StatementPlace]]
    callers: Mapping[ast.Step | ast.Action, list[StatementPlace]]
    inferred: InferredTypes
    patience: Patience = field(factory=Patience)

    def find_surroundings(self, place: StatementPlace) -> tuple[list[ast.Expr], list[Loop]]:
        """All conditions and loops around a statement, those of its callers included."""
        conditions: list[ast.Expr] = []
        loops: list[Loop] = []
        waiting, seen = [place], {place.piece}
        while waiting:
            here = waiting.pop()
            self.patience.spend()
            conditions.extend(condition for condition, _ in here.conditions)
            loops.extend(here.loops)
            if isinstance(here.piece, ast.Step | ast.Action):
                fresh = [caller for caller in self.callers.get(here.piece, ()) if caller.piece not in seen]
                waiting.extend(fresh)
                seen.update(caller.piece for caller in fresh)
        return conditions, loops

    def walk_reachable(self, places: list[StatementPlace]) -> Iterator[StatementPlace]:
        """These statements and all that they bring about."""
        waiting, seen = list(places), set()
        while waiting:
            place = waiting.pop()
            self.patience.spend()
            yield place
            for called in list_called(place.statement, self.inferred):
                if called not in seen:
                    seen.add(called)
                    waiting.extend(self.of_piece.get(called, []))

    def collect_mentions(self, node: ast.Node) -> set[Meaning]:
        """What an expression depends on, through definitions and actions."""
        return set(walk_mentions(self.charged_meaning, node))

    def charged_meaning(self, node: ast.Node) -> Meaning | None:
        self.patience.spend()
        return self.inferred.meanings.get(node)


def list_called(statement: ast.Statement, inferred: InferredTypes) -> Iterator[ast.Step | ast.Action]:
    for name in footprint_of(statement).calls:
        meaning = inferred.meanings.get(name)
        if isinstance(meaning, ast.Step | ast.Action):
            yield meaning


def build_control_flow(game: ast.Game, inferred: InferredTypes) -> ControlFlow:
    places = tuple(place for piece in game.declarations for place in _list_piece_places(piece))
    of_piece: dict[PieceWithLines, list[StatementPlace]] = {}
    callers: dict[ast.Step | ast.Action, list[StatementPlace]] = {}
    for place in places:
        of_piece.setdefault(place.piece, []).append(place)
        for called in list_called(place.statement, inferred):
            callers.setdefault(called, []).append(place)
    return ControlFlow(places, of_piece, callers, inferred)


def _list_piece_places(piece: ast.AnyDeclaration) -> Iterator[StatementPlace]:
    match piece:
        case ast.Setup(body=body) | ast.Step(body=body):
            yield from _list_body_places(body, piece, (), ())
        case ast.Phase(body=body, when=when, loop=loop):
            conditions: tuple[Condition, ...] = ((when, True),) if when is not None else ()
            loops = (loop,) if loop is not None else ()
            yield from _list_body_places(body, piece, (*conditions, *_loop_conditions(loop)), loops)
        case ast.Action(body=body, needs=needs):
            yield from _list_body_places(body, piece, tuple((each.condition, True) for each in needs), ())
        case _:
            pass


def _loop_conditions(loop: Loop | None) -> tuple[Condition, ...]:
    match loop:
        case ast.Turns(skipping=skipping, until=until):
            return tuple((each, False) for each in (skipping, until) if each is not None)
        case ast.Repeat(until=until):
            return ((until, False),) if until is not None else ()
        case ast.EachPlayer(condition=condition):
            return ((condition, True),) if condition is not None else ()
        case ast.ForEach() | None:
            return ()
        case _:
            assert_never(loop)


def _list_body_places(
    body: tuple[ast.Statement, ...], piece: PieceWithLines, conditions: tuple[Condition, ...], loops: tuple[Loop, ...]
) -> Iterator[StatementPlace]:
    """The statements and those below them, in the order of the file; depth is bounded by the checker's limit."""
    for statement in body:
        yield StatementPlace(statement, piece, conditions, loops)
        inside, around = conditions, loops
        if isinstance(statement, ast.Turns | ast.Repeat | ast.EachPlayer | ast.ForEach):
            inside, around = (*conditions, *_loop_conditions(statement)), (*loops, statement)
        for inner in footprint_of(statement).bodies:
            yield from _list_body_places(inner.lines, piece, _add_condition(inside, inner.condition, True), around)
            inside = _add_condition(inside, inner.condition, False)


def _add_condition(conditions: tuple[Condition, ...], condition: ast.Expr | None, holds: bool) -> tuple[Condition, ...]:
    """One condition more; of very many the nearest are enough."""
    return conditions if condition is None else (*conditions, (condition, holds))[-MOST_CONDITIONS:]


# ---- facts
# What is certain about conditions: bounds of expressions, and what a condition that holds says about them.
#
# Words and truth values are followed as numbers (their place in their type), so one arithmetic serves all.


MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "is not": message("is not")}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": message("is not"), "is not": "="}


@frozen(eq=False)
class Facts:
    """Narrower bounds of some expressions, keyed by how they are written."""

    inferred: InferredTypes
    known: Mapping[str, NumberOf] = field(factory=dict)

    def bounds(self, node: ast.Expr) -> NumberOf | None:
        """The bounds of a number, a word, a seat or a truth value; None for anything else."""
        found = self._compute_bounds(node)
        if found is None or not is_place(node):
            return found
        narrowed = self.known.get(repr(node))
        if narrowed is None or is_disjoint(found, narrowed):
            return found
        return NumberOf(max(found.low, narrowed.low), min(found.high, narrowed.high))

    def _compute_bounds(self, node: ast.Expr) -> NumberOf | None:
        match node:
            case ast.Number(value=value):
                return NumberOf(value, value)
            case ast.Truth(value=value):
                return NumberOf(int(value), int(value))
            case ast.Negate(value=value):
                inner = self.bounds(value)
                return None if inner is None else negate_bounds(inner)
            case ast.Arithmetic(operator=operator, left=left, right=right):
                first, second = self.bounds(left), self.bounds(right)
                return None if first is None or second is None else calculate_bounds(operator, first, second)
            case ast.Name() if isinstance(meaning := self.inferred.meanings.get(node), WordMeaning):
                return NumberOf(meaning.index, meaning.index)
            case _:
                return self._bounds_of_type(node)

    def _bounds_of_type(self, node: ast.Expr) -> NumberOf | None:
        match self.inferred.types.get(node):
            case NumberOf() as found:
                return found
            case WordOf(words=words):
                return NumberOf(0, len(words) - 1)
            case PlayerOf():
                return NumberOf(1, self.inferred.players.high)
            case TruthOf():
                return NumberOf(0, 1)
            case _:
                return None

    def truth(self, node: ast.Expr) -> bool | None:
        """Whether the condition always or never holds; None when it may do either."""
        match node:
            case ast.Truth(value=value):
                return value
            case ast.Not(value=value):
                inner = self.truth(value)
                return None if inner is None else not inner
            case ast.And(parts=parts):
                return self._truth_of_all(parts)
            case ast.Or(parts=parts):
                found = [self.truth(part) for part in parts]
                return True if True in found else False if all(each is False for each in found) else None
            case ast.Compare(operator=operator, left=left, right=right):
                return compare_bounds(operator, self.bounds(left), self.bounds(right))
            case _:
                found_bounds = self.known.get(repr(node)) if is_place(node) else None
                return None if found_bounds is None or found_bounds.low != found_bounds.high else bool(found_bounds.low)

    def _truth_of_all(self, parts: tuple[ast.Expr, ...]) -> bool | None:
        facts, is_certain = self, True
        for part in parts:
            found = facts.truth(part)
            if found is False:
                return False
            is_certain = is_certain and found is True
            facts = facts.assume_condition(part, True)
        return True if is_certain else None

    def assume_condition(self, condition: ast.Expr, holds: bool) -> Facts:
        """These facts and what follows from the condition."""
        match condition:
            case ast.Not(value=value):
                return self.assume_condition(value, not holds)
            case ast.And(parts=parts) if holds:
                return self._assume_each(parts, True)
            case ast.Or(parts=parts) if not holds:
                return self._assume_each(parts, False)
            case ast.Compare(operator=operator, left=left, right=right):
                operator = operator if holds else OPPOSITE[operator]
                return self._narrow_bounds(left, operator, right)._narrow_bounds(right, MIRRORED[operator], left)
            case _ if is_place(condition):
                return self._with_known(repr(condition), NumberOf(int(holds), int(holds)))
            case _:
                return self

    def _assume_each(self, parts: tuple[ast.Expr, ...], holds: bool) -> Facts:
        facts = self
        for part in parts:
            facts = facts.assume_condition(part, holds)
        return facts

    def _narrow_bounds(self, place: ast.Expr, operator: str, other: ast.Expr) -> Facts:
        bounds, limit = self.bounds(place), self.bounds(other)
        if not is_place(place) or bounds is None or limit is None:
            return self
        low, high = bounds.low, bounds.high
        match operator:
            case "=":
                low, high = max(low, limit.low), min(high, limit.high)
            case "<":
                high = min(high, limit.high - 1)
            case "<=":
                high = min(high, limit.high)
            case ">":
                low = max(low, limit.low + 1)
            case ">=":
                low = max(low, limit.low)
            case _ if limit.low == limit.high:
                low = low + 1 if low == limit.low else low
                high = high - 1 if high == limit.low else high
        return self._with_known(repr(place), NumberOf(low, high)) if low <= high else self

    def with_bounds(self, place: ast.Expr, bounds: NumberOf) -> Facts:
        """These facts, and narrower bounds of one place."""
        return self._with_known(repr(place), bounds)

    def _with_known(self, key: str, bounds: NumberOf) -> Facts:
        return Facts(self.inferred, {**self.known, key: bounds})


def is_place(node: ast.Expr) -> bool:
    """What keeps its value while a condition is looked at: a name, keys, an attribute, a count."""
    match node:
        case ast.Name():
            return True
        case ast.Index(keys=keys):
            return all(is_place(key) or isinstance(key, ast.Number) for key in keys)
        case ast.Of(subject=subject, owner=owner):
            return is_place(subject) and (is_place(owner) or isinstance(owner, ast.Number))
        case _:
            return False


def compare_bounds(operator: str, left: NumberOf | None, right: NumberOf | None) -> bool | None:
    if left is None or right is None:
        return None
    match operator:
        case "=":
            return _compare_equal(left, right)
        case "is not":
            same = _compare_equal(left, right)
            return None if same is None else not same
        case "<":
            return _compare_below(left, right, strictly=True)
        case "<=":
            return _compare_below(left, right, strictly=False)
        case ">":
            return _compare_below(right, left, strictly=True)
        case _:
            return _compare_below(right, left, strictly=False)


def _compare_equal(left: NumberOf, right: NumberOf) -> bool | None:
    if is_disjoint(left, right):
        return False
    return True if left.low == left.high == right.low == right.high else None


def _compare_below(left: NumberOf, right: NumberOf, strictly: bool) -> bool | None:
    """Bounds that were cut off at the limit of what is followed prove nothing."""
    if left.high < right.low or (not strictly and left.high <= right.low):
        return None if left.high <= -LIMIT or right.low >= LIMIT else True
    if left.low > right.high or (strictly and left.low >= right.high):
        return None if left.low >= LIMIT or right.high <= -LIMIT else False
    return None


# ---- checked game


Piece = TypeVar("Piece", bound=ast.Declaration)


@frozen(eq=False)
class CheckedGame:
    game: ast.Game
    names: DeclaredNames
    inferred: InferredTypes
    flow: ControlFlow
    facts: Facts
    nodes: tuple[ast.Node, ...]

    def pieces(self, kind: type[Piece]) -> Iterator[Piece]:
        return iter(self.game.pieces(kind))

    def meaning(self, node: ast.Node) -> Meaning | None:
        return self.inferred.meanings.get(node)

    def meaning_of_place(self, node: ast.Node | None) -> Meaning | None:
        """Of the name behind `x`, `x[k]`, `x of p`."""
        name = name_of(node)
        return self.meaning(name) if name is not None else None

    def find_zone(self, node: ast.Expr) -> ast.Zone | None:
        """The zone of `hand where …`, `bottom of stock`, `row[k] of p`."""
        while isinstance(node, ast.Filter):
            node = node.collection
        return zone_of(self, node)


def build_checked_game(game: ast.Game, names: DeclaredNames, inferred: InferredTypes) -> CheckedGame:
    return CheckedGame(game, names, inferred, build_control_flow(game, inferred), Facts(inferred), tuple(walk(game)))
