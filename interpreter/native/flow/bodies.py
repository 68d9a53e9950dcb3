"""Statements one after another: `if`, `each`, `do` and the way to the other modules of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import CannotCompile, Line, as_number, constant_of, invert, number
from rulesrun.interpreter.model import core_lowering
from rulesrun.interpreter.model.core import (
    Adjust,
    Assign,
    CountPoints,
    Draw,
    DrawOrder,
    DrawValue,
    Effect,
    End,
    FlowForm,
    Mix,
    Move,
    Record,
    Show,
)
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

Changing = TypeVar("Changing", Move, Mix, Show)


def lower_statement(machine: Machine, node: ast.Statement) -> None:
    if id(node) in machine.plan.bench.left_out:
        return
    plan, own, at = machine.plan, machine.lines.lines, len(machine.lines.lines)
    try:
        done = core_lowering.lower_statement(plan.bench, node)
        if isinstance(done, FlowForm):
            lower_flow(machine, done)
        else:
            lower_effect(machine, done)
    except CannotCompile as reason:
        raise reason.with_node(node) from None
    if plan.lists_written:  # nobody needs a list longer than for one statement
        own.insert(at, Line("store", (number(0), number(0)), plan.heap[1]))


def lower_effect(machine: Machine, done: Effect) -> None:
    match done:
        case Mix():
            lower_as_function(machine, done, "shuffle", shuffling.lower_mix)
        case Move():
            lower_as_function(machine, done, "move", effects.lower_move)
        case Draw():
            chance.lower_draw(machine, done)
        case Assign():
            effects.lower_assign(machine.new_scope(), done)
        case Adjust():
            effects.lower_adjust(machine.new_scope(), done)
        case DrawValue():
            chance.lower_draw_value(machine, done)
        case DrawOrder():
            random_orders.lower_draw_order(machine, done)
        case Show():
            lower_show(machine, done)
        case Record():
            memories.lower_record(machine, done)
        case CountPoints():
            scores.count_points(machine, "told")
        case End():
            lower_end(machine, done)
        case _:
            assert_never(done)


def lower_flow(machine: Machine, node: FlowForm) -> None:
    match node:
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
        case _:
            assert_never(node)


def lower_show(machine: Machine, done: Show) -> None:
    """What is shown is not kept; but where it goes wrong to say what it is, or to whom, that is a fault."""
    is_plain = isinstance(done.what, ast.Name) and done.zone is not None
    if not is_plain or not (done.to is None or isinstance(done.to, ast.Name)):
        lower_as_function(machine, done, "show", lower_shown_value)


def lower_shown_value(scope: Scope, done: Show) -> None:
    if done.zone is not None:
        scope.lines.bind(places.place_index(scope, done.zone))
    elif isinstance(scope.bench.type_of(done.what), CollectionOf):
        scope.lower_collection(done.what).for_each(scope, lambda one: None)
    else:
        scope.lines.bind(as_number(scope.lower_value(done.what)))
    if done.to is not None:
        scope.lines.bind(as_number(scope.lower_value(done.to)))


def lower_as_function(
    machine: Machine, done: Changing, name: str, write: Callable[[Scope, Changing], None]
) -> None:
    """A change of the position is a function of its own, however often the flow comes by."""
    function = position_function(
        machine.plan, ("statement", id(done.node)), name, (), None, lambda inner, _: write(inner, done)
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


def lower_end(machine: Machine, done: End) -> None:
    target = machine.ends.find_end(done.what)
    if target is None:
        raise CannotCompile(message("there is no {what} to end here", what=done.what))
    machine.go_to(target)
