"""Statements one after another: `if`, `each`, `do` and the way to the other rooms of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import CannotCompile, Line, as_number, constant_of, inverted, number
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.places import room_meant, zone_meant
from rulesrun.interpreter.native.expressions import places
from rulesrun.interpreter.native.flow import (
    chance,
    decisions,
    effects,
    flow,
    memories,
    random_orders,
    scores,
    shuffling,
    simultaneous,
)
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, ask, position_function

Changing = TypeVar("Changing", ast.Move, ast.Shuffle)


def statement(machine: Machine, node: ast.Statement) -> None:
    if id(node) in machine.plan.bench.left_out:
        return
    plan, own, at = machine.plan, machine.lines.lines, len(machine.lines.lines)
    try:
        write(machine, node)
    except CannotCompile as reason:
        raise reason.at(node) from None
    if plan.lists_written:  # nobody needs a list longer than for one statement
        own.insert(at, Line("store", (number(0), number(0)), plan.heap[1]))


def write(machine: Machine, node: ast.Statement) -> None:
    match node:
        case ast.Shuffle():
            room = room_meant(machine.plan.bench, node.what)
            if isinstance(room, VariableRoom):
                random_orders.random_order(machine, node, room)
            else:
                once_written(machine, node, "shuffle", shuffling.shuffle)
        case ast.Deal():
            chance.deal(machine, node)
        case ast.Move():
            once_written(machine, node, "move", effects.move)
        case ast.Becomes():
            effects.becomes(machine.scope(), node)
        case ast.Increases():
            effects.increases(machine.scope(), node)
        case ast.Roll():
            chance.roll(machine, node)
        case ast.Lots():
            chance.lots(machine, node)
        case ast.Choose(who="all"):
            simultaneous.together(machine, node)
        case ast.Choose():
            decisions.choose(machine, node)
        case ast.If():
            branches(machine, node)
        case ast.ForEach():
            flow.for_each(machine, node)
        case ast.EachPlayer():
            flow.each_player(machine, node)
        case ast.Turns():
            flow.turns(machine, node, node.body, machine.label("turns over"))
        case ast.Repeat():
            flow.repeat(machine, node, node.body)
        case ast.Do(step):
            meaning = machine.plan.bench.meaning(step)
            assert isinstance(meaning, ast.Step)
            machine.body(meaning.body)
        case ast.End():
            end(machine, node)
        case ast.Show():
            show(machine, node)
        case ast.CountPoints():
            scores.count(machine, "told")
        case ast.Record():
            memories.record(machine, node)
        case _:
            assert_never(node)


def show(machine: Machine, node: ast.Show) -> None:
    """What is shown is not kept; but where it goes wrong to say what it is, or to whom, that is a fault."""
    is_plain = isinstance(node.what, ast.Name) and zone_meant(machine.plan.bench, node.what) is not None
    if is_plain and (node.to is None or isinstance(node.to, ast.Name)):
        return
    function = position_function(
        machine.plan, ("statement", id(node)), "show", (), None, lambda inner, _: looked_at(inner, node)
    )
    machine.lines.add("do", ask(function, machine.scope()))


def looked_at(scope: Scope, node: ast.Show) -> None:
    if zone_meant(scope.bench, node.what) is not None:
        scope.lines.kept(places.index_of(scope, node.what))
    elif isinstance(scope.bench.type_of(node.what), CollectionOf):
        scope.several(node.what).each(scope, lambda one: None)
    else:
        scope.lines.kept(as_number(scope.value(node.what)))
    if node.to is not None:
        scope.lines.kept(as_number(scope.value(node.to)))


def once_written(
    machine: Machine, node: Changing, name: str, write: Callable[[Scope, Changing], None]
) -> None:
    """A change of the position is a function of its own, however often the flow comes by."""
    function = position_function(
        machine.plan, ("statement", id(node)), name, (), None, lambda inner, _: write(inner, node)
    )
    machine.lines.add("do", ask(function, machine.scope()))


def branches(machine: Machine, node: ast.If) -> None:
    done = machine.label("after if")
    for branch in node.branches:
        if branch.condition is None:
            machine.body(branch.body)
            break
        test = machine.scope().condition(branch.condition)
        if constant_of(test) == 0:
            continue
        if constant_of(test) == 1:
            machine.body(branch.body)
            break
        following = machine.label("otherwise")
        machine.go_when(inverted(test), following)
        machine.body(branch.body)
        machine.go(done)
        machine.place(following)
    machine.place(done)


def end(machine: Machine, node: ast.End) -> None:
    ends = machine.ends
    target = {"turn": ends.turn, "phase": ends.phase, "round": ends.round, "game": ends.game}[node.what]
    if target is None:
        raise CannotCompile(f"there is no {node.what} to end here")
    machine.go(target)
