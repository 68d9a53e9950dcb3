"""Statements one after another: `if`, `each`, `do` and the way to the other modules of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import CannotCompile, Line, as_number, constant_of, invert, number
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.places import find_room, find_zone
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
from rulesrun.interpreter.native.layout.plan import Scope, call_for_player, position_function

Changing = TypeVar("Changing", ast.Move, ast.Shuffle)


def lower_statement(machine: Machine, node: ast.Statement) -> None:
    if id(node) in machine.plan.bench.left_out:
        return
    plan, own, at = machine.plan, machine.lines.lines, len(machine.lines.lines)
    try:
        lower_statement_node(machine, node)
    except CannotCompile as reason:
        raise reason.with_node(node) from None
    if plan.lists_written:  # nobody needs a list longer than for one statement
        own.insert(at, Line("store", (number(0), number(0)), plan.heap[1]))


def lower_statement_node(machine: Machine, node: ast.Statement) -> None:
    match node:
        case ast.Shuffle():
            room = find_room(machine.plan.bench, node.what)
            if isinstance(room, VariableRoom):
                random_orders.lower_random_order(machine, node, room)
            else:
                lower_as_function(machine, node, "shuffle", shuffling.lower_shuffle)
        case ast.Deal():
            chance.lower_deal(machine, node)
        case ast.Move():
            lower_as_function(machine, node, "move", effects.lower_move)
        case ast.Becomes():
            effects.lower_becomes(machine.new_scope(), node)
        case ast.Increases():
            effects.lower_increases(machine.new_scope(), node)
        case ast.Roll():
            chance.lower_roll(machine, node)
        case ast.Lots():
            chance.lower_lots(machine, node)
        case ast.Choose(who="all"):
            simultaneous.lower_together(machine, node)
        case ast.Choose():
            decisions.lower_choose(machine, node)
        case ast.If():
            lower_if(machine, node)
        case ast.ForEach():
            flow.lower_for_each(machine, node)
        case ast.EachPlayer():
            flow.lower_each_player(machine, node)
        case ast.Turns():
            flow.lower_turns(machine, node, node.body, machine.new_label("turns over"))
        case ast.Repeat():
            flow.lower_repeat(machine, node, node.body)
        case ast.Do(step):
            meaning = machine.plan.bench.meaning(step)
            assert isinstance(meaning, ast.Step)
            machine.lower_body(meaning.body)
        case ast.End():
            lower_end(machine, node)
        case ast.Show():
            lower_show(machine, node)
        case ast.CountPoints():
            scores.count_points(machine, "told")
        case ast.Record():
            memories.lower_record(machine, node)
        case _:
            assert_never(node)


def lower_show(machine: Machine, node: ast.Show) -> None:
    """What is shown is not kept; but where it goes wrong to say what it is, or to whom, that is a fault."""
    is_plain = isinstance(node.what, ast.Name) and find_zone(machine.plan.bench, node.what) is not None
    if is_plain and (node.to is None or isinstance(node.to, ast.Name)):
        return
    function = position_function(
        machine.plan, ("statement", id(node)), "show", (), None, lambda inner, _: lower_shown_value(inner, node)
    )
    machine.lines.emit("do", call_for_player(function, machine.new_scope()))


def lower_shown_value(scope: Scope, node: ast.Show) -> None:
    if find_zone(scope.bench, node.what) is not None:
        scope.lines.bind(places.instance_index(scope, node.what))
    elif isinstance(scope.bench.type_of(node.what), CollectionOf):
        scope.lower_collection(node.what).for_each(scope, lambda one: None)
    else:
        scope.lines.bind(as_number(scope.lower_value(node.what)))
    if node.to is not None:
        scope.lines.bind(as_number(scope.lower_value(node.to)))


def lower_as_function(
    machine: Machine, node: Changing, name: str, write: Callable[[Scope, Changing], None]
) -> None:
    """A change of the position is a function of its own, however often the flow comes by."""
    function = position_function(
        machine.plan, ("statement", id(node)), name, (), None, lambda inner, _: write(inner, node)
    )
    machine.lines.emit("do", call_for_player(function, machine.new_scope()))


def lower_if(machine: Machine, node: ast.If) -> None:
    done = machine.new_label("after if")
    for branch in node.branches:
        if branch.condition is None:
            machine.lower_body(branch.body)
            break
        test = machine.new_scope().lower_condition(branch.condition)
        if constant_of(test) == 0:
            continue
        if constant_of(test) == 1:
            machine.lower_body(branch.body)
            break
        following = machine.new_label("otherwise")
        machine.go_if(invert(test), following)
        machine.lower_body(branch.body)
        machine.go_to(done)
        machine.place_label(following)
    machine.place_label(done)


def lower_end(machine: Machine, node: ast.End) -> None:
    ends = machine.ends
    target = {"turn": ends.turn, "phase": ends.phase, "round": ends.round, "game": ends.game}[node.what]
    if target is None:
        raise CannotCompile(message("there is no {what} to end here", what=node.what))
    machine.go_to(target)
