"""The instructions of the flow as lines of the small form: one function for each kind, named as in the reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, assert_never

from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.form.form import CannotCompile, Line, as_number, constant_of, invert, number
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    BeginAction,
    ChoiceStep,
    CountDown,
    Do,
    DrawComponents,
    EachStep,
    EndAction,
    EndEach,
    GameStep,
    Instruction,
    Jump,
    LoopBack,
    MomentStep,
    MoveOn,
    NextElement,
    Reach,
    RepeatStep,
    RestorePlayer,
    TurnStep,
    Unless,
    Until,
)
from rulesrun.interpreter.native.expressions import places
from rulesrun.interpreter.native.flow import chance, decisions, effects, flow, memories, moments
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Scope, call_for_player, position_function

Changing = TypeVar("Changing", core.Move, core.Mix, core.Show)
LEADS_ON = (
    Reach, Jump, LoopBack, Until, CountDown, NextElement, EndEach, MoveOn, RestorePlayer, BeginAction, EndAction,
)  # fmt: skip


def lower_instruction(machine: Machine, one: Instruction) -> None:
    plan, own, at = machine.plan, machine.lines.lines, len(machine.lines.lines)
    statement = machine.scope.statement if machine.scope is not None else None
    try:
        lower_kind(machine, one)
    except CannotCompile as reason:
        raise reason if statement is None else reason.with_node(statement) from None
    if plan.lists_written and statement is not None and not isinstance(one, LEADS_ON):
        own.insert(at, Line("store", (number(0), number(0)), plan.heap[1]))  # nobody needs a list any longer


def lower_kind(machine: Machine, one: Instruction) -> None:
    if isinstance(one, Do):
        lower_effect(machine, one.effect)
    elif isinstance(one, DrawComponents):
        chance.lower_draw(machine, one)
    elif isinstance(one, Reach):
        pass  # who counts that has a writer of their own
    elif isinstance(one, Unless):
        lower_unless(machine, one)
    elif isinstance(one, Jump):
        machine.go_to(one.label)
        machine.is_reached = False
    elif isinstance(one, LoopBack):
        machine.loop_back(one.label, machine.plan.costs.loop_cost(one))
        machine.is_reached = False
    elif isinstance(one, GameStep):
        flow.lower_game(machine, one)
    elif isinstance(one, MomentStep):
        moments.lower_moment(machine, one)
    elif isinstance(one, TurnStep):
        flow.lower_turns(machine, one)
    elif isinstance(one, RepeatStep):
        flow.lower_repeat(machine, one)
    elif isinstance(one, EachStep):
        flow.lower_each(machine, one)
    elif isinstance(one, ActionStep):
        decisions.lower_action(machine, one)
    elif isinstance(one, ChoiceStep):
        decisions.lower_choice(machine, one)
    else:
        assert_never(one)


def lower_unless(machine: Machine, one: Unless) -> None:
    test = machine.new_scope().lower_condition(one.condition)
    if constant_of(test) == 0:
        machine.skip_to(one.label)
    elif constant_of(test) is None:
        machine.go_if(invert(test), one.label)


def lower_effect(machine: Machine, done: core.Effect) -> None:
    match done:
        case core.Mix():
            lower_as_function(machine, done, "shuffle", effects.lower_mix)
        case core.Move():
            lower_as_function(machine, done, "move", effects.lower_move)
        case core.Assign():
            effects.lower_assign(machine.new_scope(), done)
        case core.Adjust():
            effects.lower_adjust(machine.new_scope(), done)
        case core.DrawValue():
            chance.lower_draw_value(machine, done)
        case core.DrawOrder():
            chance.lower_draw_order(machine, done)
        case core.Show():
            lower_show(machine, done)
        case core.Record():
            memories.lower_record(machine, done)
        case core.Draw() | core.CountPoints() | core.End():
            raise AssertionError("these have instructions of their own")
        case _:
            assert_never(done)


def lower_show(machine: Machine, done: core.Show) -> None:
    """What is shown is not kept; but where it goes wrong to say what it is, or to whom, that is a fault."""
    is_plain = core.name_text(done.what) is not None and (done.zone is not None or done.value is not None)
    if not is_plain or not (done.to is None or core.name_text(done.to) is not None):
        lower_as_function(machine, done, "show", lower_shown_value)


def lower_shown_value(scope: Scope, done: core.Show) -> None:
    place = done.zone or done.value
    if place is not None:
        scope.lines.bind(places.place_index(scope, place))
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
