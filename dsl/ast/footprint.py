"""What a statement does, said once for each kind: what it reads, writes, moves, shows, asks. Takes a statement, gives
its footprint.

Checks and proofs that ask "does anything in these rules move a component, change a number, ask somebody?" read the
footprint, so that a new statement is looked at by all of them as soon as it is described here.
"""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast


@frozen(eq=False)
class Footprint:
    """`reads`: what is worked out for the effect. `decides`: what is worked out to know whether, how often, for whom
    and in which order the bodies are done. `takes` and `puts`: what leaves a place, and the places where it arrives.
    `mixes`: what loses its order. `calls`: steps and actions.
    """

    reads: tuple[ast.Expr, ...] = ()
    decides: tuple[ast.Expr, ...] = ()
    writes: tuple[ast.Expr, ...] = ()
    takes: tuple[ast.Expr, ...] = ()
    puts: tuple[ast.Expr, ...] = ()
    mixes: tuple[ast.Expr, ...] = ()
    shows: tuple[ast.Expr, ...] = ()
    notes: tuple[ast.Name, ...] = ()
    calls: tuple[ast.Name, ...] = ()
    bodies: tuple[tuple[ast.Statement, ...], ...] = ()
    asks: bool = False
    draws: bool = False
    ends: bool = False
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


def footprint_of(statement: ast.Statement) -> Footprint:
    match statement:
        case ast.Shuffle() | ast.Deal() | ast.Move():
            return footprint_of_moving(statement)
        case ast.Becomes(target=target, value=value):
            return Footprint(writes=(target,), reads=(value,))
        case ast.Increases(target=target, amount=amount):
            return Footprint(writes=(target,), reads=(amount,))
        case ast.Roll(target=target, chances=chances):
            return Footprint(writes=(target,), reads=chances, draws=True)
        case ast.Lots(target=target):
            return Footprint(writes=(target,), draws=True)
        case ast.Show(what=what, to=to):
            return Footprint(shows=(what,), reads=drop_missing(to))
        case ast.Record(values=values, memory=memory):
            return Footprint(reads=values, notes=(memory,))
        case ast.CountPoints():
            return Footprint(counts_points=True)
        case ast.End():
            return Footprint(ends=True)
        case ast.Do(step=step):
            return Footprint(calls=(step,))
        case ast.Choose(chooser=chooser, condition=condition, actions=actions, otherwise=otherwise):
            body = (otherwise,) if otherwise is not None else ()
            return Footprint(decides=drop_missing(chooser, condition), calls=actions, asks=True, bodies=(body,))
        case ast.If() | ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat():
            return footprint_of_flow(statement)
        case _:
            assert_never(statement)


def footprint_of_moving(statement: ast.Shuffle | ast.Deal | ast.Move) -> Footprint:
    match statement:
        case ast.Shuffle(what=what, into=None):
            return Footprint(mixes=(what,), draws=True)
        case ast.Shuffle(what=what, into=into):
            return Footprint(takes=(what,), puts=drop_missing(into), mixes=drop_missing(into), draws=True)
        case ast.Deal(count=count, condition=condition, origin=origin, target=target):
            return Footprint(reads=drop_missing(count, condition), takes=(origin,), puts=(target,), draws=True)
        case ast.Move(what=what, target=target, order=order):
            return Footprint(reads=order_keys(order), takes=(what,), puts=(target,))
        case _:
            assert_never(statement)


def footprint_of_flow(statement: ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat) -> Footprint:
    match statement:
        case ast.If(branches=branches):
            conditions = drop_missing(*(one.condition for one in branches))
            return Footprint(decides=conditions, bodies=tuple(one.body for one in branches))
        case ast.ForEach(each=each, order=order, body=body):
            return Footprint(decides=(each.collection, *order_keys(order)), bodies=(body,))
        case ast.EachPlayer(start=start, condition=condition, order=order, body=body):
            return Footprint(decides=(*drop_missing(start, condition), *order_keys(order)), bodies=(body,))
        case ast.Turns(start=start, excluded=excluded, skipping=skipping, until=until, body=body):
            return Footprint(decides=(start, *drop_missing(excluded, skipping, until)), bodies=(body,))
        case ast.Repeat(times=times, until=until, body=body):
            return Footprint(decides=drop_missing(times, until), bodies=(body,))
        case _:
            assert_never(statement)


def drop_missing(*parts: ast.Expr | None) -> tuple[ast.Expr, ...]:
    return tuple(part for part in parts if part is not None)


def order_keys(order: ast.Order | None) -> tuple[ast.Expr, ...]:
    return (order.key,) if order is not None else ()
