"""What stands behind a name or a literal: a register, an element, a value known before the game."""

from __future__ import annotations

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.types import CollectionOf, OrderOf, Type
from rulesrun.interpreter.form.form import NOTHING, NUMBER, CannotCompile, Value, compare, number, truth
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.native.expressions import kept_lists, told_sets
from rulesrun.interpreter.native.layout.plan import Scope
from rulesrun.interpreter.reference.collections import compile_literal as reference_literal
from rulesrun.interpreter.reference.expressions import FixedConditions


def constant_value(scope: Scope, node: Operand) -> Value | None:
    """A value that the reference has found to depend on options and players alone."""
    ready = scope.bench.ready.get(id(node))
    if ready is None or not ready[1].is_constant:
        return None
    found = ready[1].value
    if isinstance(found, bool):
        return truth(found)
    if isinstance(found, int):
        return number(found)
    return number(NOTHING) if found is None else None


def is_condition_fixed(scope: Scope, node: Operand) -> bool:
    """Whether the rules are played without this condition: with a value in its place that never changes."""
    watcher = scope.bench.watcher
    return isinstance(watcher, FixedConditions) and id(node) in watcher.fixed


def is_collection(scope: Scope, node: Operand) -> bool:
    found: Type | None = scope.bench.type_of(node)
    if isinstance(found, (CollectionOf, OrderOf)):
        return True
    return isinstance(lower_expression(scope.bench, node), core.SetOf | core.Range)


def load_name(scope: Scope, meaning: Located) -> Value:
    """The value of a choice, a parameter, an element: in a local, or kept in the position."""
    require_no_line(scope, meaning)
    if id(meaning) in scope.sets:
        return told_sets.as_list(scope, scope.sets[id(meaning)])
    if id(meaning) in scope.names:
        return scope.names[id(meaning)]
    place = scope.plan.fixed_names.get(id(meaning))
    if place is None:
        raise CannotCompile(message("a name has no value here"))
    if id(meaning) in scope.plan.lists:
        return kept_lists.recalled(scope, scope.plan.lists[id(meaning)])
    return (
        load_drawn(scope, meaning, scope.lines.load(place))
        if isinstance(meaning, core.Deal)
        else scope.lines.load(place)
    )


def require_no_line(scope: Scope, binder: object) -> None:
    """A line of a board is a number here, which means nothing outside of its loop."""
    if id(binder) in scope.plan.lines_of_boards:
        raise CannotCompile(message("a line of a board is passed on as a value"))


def load_drawn(scope: Scope, node: core.Deal, value: Value) -> Value:
    """What `as` remembers; nothing, when nothing has been drawn yet."""
    value = scope.lines.bind(value)
    is_nothing = compare("=", value, number(NOTHING))
    scope.emit_fault_if(is_nothing, "nothing-used", node)
    return scope.lines.bind(Value("select", NUMBER, (is_nothing, number(0), value)))


def load_element(scope: Scope, node: object | None) -> Value:
    """What an attribute standing alone, or `it`, speaks of."""
    require_no_line(scope, node)
    if node is not None and id(node) in scope.sets:
        return told_sets.as_list(scope, scope.sets[id(node)])
    if node is not None and id(node) in scope.names:
        return scope.names[id(node)]
    if node is not None and id(node) in scope.plan.lists:
        return kept_lists.recalled(scope, scope.plan.lists[id(node)])
    if node is not None and id(node) in scope.plan.fixed_names:
        return scope.lines.load(scope.plan.fixed_names[id(node)])
    if not scope.elements:
        raise CannotCompile(message("an attribute needs a component here"))
    return scope.elements[-1][1]


def lower_literal(scope: Scope, asked: core.Literal) -> Value:
    code = reference_literal(scope.bench, asked.node)
    if code.is_constant and isinstance(code.value, int):
        return number(code.value)
    return scope.lower_value(asked.parts[0])
