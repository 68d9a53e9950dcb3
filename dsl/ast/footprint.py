"""What a statement does and an expression looks at, said once for each kind. Takes a node, gives its footprint.

Checks and proofs that ask "does anything in these rules move a component, change a number, ask somebody?" read the
footprint, so that a new kind of node is looked at by all of them as soon as it is described here. Every match here
names all kinds: the type checker reports the place where one is missing.
"""

from __future__ import annotations

from typing import Literal, assert_never
from weakref import WeakKeyDictionary

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.source import Located

Role = Literal[
    "if", "where", "chooser", "start", "except", "next", "skipping", "until", "times", "collection", "order"
]
RECURRING: frozenset[Role] = frozenset({"next", "skipping", "until", "times"})  # how often, and who is left out
CONDITIONS: frozenset[Role] = frozenset({"if", "where", "skipping", "until"})


@frozen(eq=False)
class Decision:
    """Worked out to know whether, how often, for whom and in which order bodies are done."""

    role: Role
    asked: ast.Expression


@frozen(eq=False)
class Body:
    """Statements inside a statement. `condition`: the branch's own."""

    lines: tuple[ast.Statement, ...]
    condition: ast.Expr | None = None


@frozen(eq=False)
class Footprint:
    """`reads`: what is worked out for the effect. `takes` and `puts`: what leaves a place, and the places where it
    arrives. `mixes`: what loses its order. `calls`: steps and actions.
    """

    reads: tuple[ast.Expr, ...] = ()
    decides: tuple[Decision, ...] = ()
    writes: tuple[ast.Expr, ...] = ()
    takes: tuple[ast.Expr, ...] = ()
    puts: tuple[ast.Expr, ...] = ()
    mixes: tuple[ast.Expr, ...] = ()
    shows: tuple[ast.Expr, ...] = ()
    notes: tuple[ast.Name, ...] = ()
    calls: tuple[ast.Name, ...] = ()
    bodies: tuple[Body, ...] = ()
    asks: bool = False
    draws: bool = False
    counts_points: bool = False

    @property
    def moves_components(self) -> bool:
        """Whether components may come to lie elsewhere, or in another order."""
        return bool(self.takes or self.puts or self.mixes)

    @property
    def has_effect(self) -> bool:
        """Whether it does something by itself, apart from what stands inside of it or is called."""
        effects = (self.writes, self.takes, self.puts, self.mixes, self.shows, self.notes)
        return any(effects) or self.asks or self.counts_points

    @property
    def changed(self) -> tuple[ast.Expr, ...]:
        """Places whose value changes: numbers, markers, orders, memories, piles that are mixed."""
        return (*self.writes, *self.mixes, *self.notes)

    def decided_by(self, roles: frozenset[Role]) -> tuple[ast.Expression, ...]:
        return tuple(one.asked for one in self.decides if one.role in roles)


def footprint_of(statement: ast.Statement) -> Footprint:
    match statement:
        case ast.Shuffle() | ast.Deal() | ast.Move():
            return footprint_of_moving(statement)
        case ast.Swap(one=one, other=other):
            return Footprint(takes=(one, other), puts=(other, one))
        case ast.Becomes(target=target, value=value):
            return Footprint(writes=(target,), reads=(value,))
        case ast.Increases(target=target, amount=amount):
            return Footprint(writes=(target,), reads=(amount,))
        case ast.Roll(target=target, chances=chances):
            return Footprint(writes=(target,), reads=chances, draws=True)
        case ast.Throw(what=what, into=into):
            return Footprint(takes=(what,), puts=drop_missing(into or what), draws=True)
        case ast.Lots(target=target):
            return Footprint(writes=(target,), draws=True)
        case ast.Show(what=what, to=to):
            return Footprint(shows=(what,), reads=drop_missing(to))
        case ast.LookAt(what=what):
            return Footprint(shows=(what,))
        case ast.Record(values=values, memory=memory):
            return Footprint(reads=values, notes=(memory,))
        case ast.CountPoints():
            return Footprint(counts_points=True)
        case ast.End():
            return Footprint()
        case ast.Clear(what=what):
            return Footprint(writes=(what,))
        case ast.Wins(who=who):
            return Footprint(reads=drop_missing(who))
        case ast.Do(step=step):
            return Footprint(calls=(step,))
        case ast.DoEffect(owner=owner):
            return Footprint(reads=(owner,))
        case ast.Ask(start=start, condition=condition, actions=actions, until=until):
            asked = decisions(("start", start), ("where", condition), ("until", until))
            return Footprint(decides=asked, calls=actions, asks=True)
        case ast.Choose(chooser=chooser, condition=condition, actions=actions, otherwise=otherwise):
            bodies = (Body((otherwise,)),) if otherwise is not None else ()
            asked = decisions(("where", condition), ("chooser", chooser))
            return Footprint(decides=asked, calls=actions, asks=True, bodies=bodies)
        case ast.If() | ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat():
            return footprint_of_flow(statement)
        case _:
            assert_never(statement)


def statements_of(game: ast.Game) -> tuple[tuple[ast.Statement, Footprint], ...]:
    """Every statement of the rules, as written, with its footprint. Every table asks, so the answer is kept."""
    known = _STATEMENTS.get(game)
    if known is None:
        nodes = (node for declaration in game.declarations for node in walk(declaration))
        statements = (node for node in nodes if isinstance(node, ast.Statement))
        known = _STATEMENTS[game] = tuple((statement, footprint_of(statement)) for statement in statements)
    return known


_STATEMENTS: WeakKeyDictionary[ast.Game, tuple[tuple[ast.Statement, Footprint], ...]] = WeakKeyDictionary()


def footprint_of_moving(statement: ast.Shuffle | ast.Deal | ast.Move) -> Footprint:
    match statement:
        case ast.Shuffle(what=what, into=None):
            return Footprint(mixes=(what,), draws=True)
        case ast.Shuffle(what=what, into=into):
            return Footprint(takes=(what,), puts=drop_missing(into), mixes=drop_missing(into), draws=True)
        case ast.Deal(count=count, condition=condition, origin=origin, target=target):
            return Footprint(reads=drop_missing(count, condition), takes=(origin,), puts=(target,), draws=True)
        case ast.Move(what=what, target=target, order=order):
            return Footprint(reads=drop_missing(order_key(order)), takes=(what,), puts=(target,))
        case _:
            assert_never(statement)


def footprint_of_flow(statement: ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat) -> Footprint:
    match statement:
        case ast.If(branches=branches):
            asked = decisions(*(("if", one.condition) for one in branches))
            return Footprint(decides=asked, bodies=tuple(Body(one.body, one.condition) for one in branches))
        case ast.ForEach(each=each, order=order, body=body):
            asked = decisions(("collection", each.collection), ("order", order_key(order)))
            return Footprint(decides=asked, bodies=(Body(body),))
        case ast.EachPlayer(start=start, condition=condition, order=order, body=body):
            asked = decisions(("start", start), ("where", condition), ("order", order_key(order)))
            return Footprint(decides=asked, bodies=(Body(body),))
        case ast.Turns(start=start, excluded=excluded, skipping=skipping, until=until, body=body, following=following):
            first = decisions(("start", start), ("except", excluded), ("next", following))
            asked = (*first, *decisions(("skipping", skipping), ("until", until)))
            return Footprint(decides=asked, bodies=(Body(body),))
        case ast.Repeat(times=times, until=until, body=body):
            return Footprint(decides=decisions(("times", times), ("until", until)), bodies=(Body(body),))
        case _:
            assert_never(statement)


def drop_missing(*parts: ast.Expr | None) -> tuple[ast.Expr, ...]:
    return tuple(part for part in parts if part is not None)


def order_key(order: ast.Order | None) -> ast.Expr | None:
    return order.key if order is not None else None


def decisions(*asked: tuple[Role, ast.Expression | None]) -> tuple[Decision, ...]:
    return tuple(Decision(role, one) for role, one in asked if one is not None)


def changed_place(node: Located) -> ast.Expr | None:
    """The number, marker or order whose value a statement changes: what chance decides of it, where chance does."""
    return next(iter(footprint_of(node).changed), None) if isinstance(node, ast.Statement) else None


# ---- expressions


@frozen(eq=False)
class ExpressionFootprint:
    """`once`: what is worked out once to know the value; `repeated`: collections, with what is worked out for each of
    their elements. `gives`: the parts whose values are handed on, whole or some of them, as the value."""

    once: tuple[ast.Expr, ...] = ()
    repeated: tuple[tuple[ast.Expr, ast.Expr], ...] = ()
    gives: tuple[ast.Expr, ...] = ()


def footprint_of_expression(node: ast.Expr) -> ExpressionFootprint:
    """What a name stands for has a footprint of its own."""
    match node:
        case ast.Number() | ast.Text() | ast.Truth() | ast.Nothing() | ast.Name() | ast.Can():
            return ExpressionFootprint()
        case ast.Index(name, keys):
            return ExpressionFootprint(once=(name, *keys), gives=(name,))
        case ast.Call(name, arguments):
            return ExpressionFootprint(once=(name, *arguments), gives=(name,))
        case ast.Of(subject, owner):
            is_named = isinstance(subject, (ast.Name, ast.Index, ast.Call))
            return ExpressionFootprint(once=(subject, owner), gives=(subject, owner) if is_named else (owner,))
        case ast.Item(position, collection):
            return ExpressionFootprint(once=(position, collection), gives=(collection,))
        case ast.Literal(parts):
            return ExpressionFootprint(once=parts, gives=parts if len(parts) == 1 else ())
        case ast.SetOf(items):
            return ExpressionFootprint(once=items, gives=items)
        case ast.IfElse(condition, then, otherwise):
            return ExpressionFootprint(once=(condition, then, otherwise), gives=(then, otherwise))
        case ast.Filter() | ast.Quantified() | ast.Aggregate() | ast.Best():
            return footprint_of_elements(node)
        case (
            ast.Range(left, right) | ast.Compare(_, left, right) | ast.Arithmetic(_, left, right) | ast.In(left, right)
        ):
            return ExpressionFootprint(once=(left, right))
        case ast.IsEmpty(value) | ast.Negate(value) | ast.Not(value) | ast.Before(value):
            return ExpressionFootprint(once=(value,))
        case ast.Joined(parts):
            return ExpressionFootprint(once=parts, gives=parts)
        case ast.Combinations(low, high, collection):
            return ExpressionFootprint(once=(low, high, collection))
        case ast.And(parts) | ast.Or(parts):
            return ExpressionFootprint(once=parts)
        case _:
            assert_never(node)


def footprint_of_elements(node: ast.Filter | ast.Quantified | ast.Aggregate | ast.Best) -> ExpressionFootprint:
    match node:
        case ast.Filter(collection, condition):
            return ExpressionFootprint(repeated=((collection, condition),), gives=(collection,))
        case ast.Quantified(_, each, body):
            return ExpressionFootprint(repeated=((each.collection, body),))
        case ast.Aggregate(_, _, body, each):
            return ExpressionFootprint(repeated=((each.collection, body),), gives=(body, each.collection))
        case ast.Best(_, each, _, key):
            return ExpressionFootprint(repeated=((each.collection, key),), gives=(each.collection,))
        case _:
            assert_never(node)
