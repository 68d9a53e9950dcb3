"""Moments of the game: what is set back at a turn or round, which properties are looked at, and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NOTHING,
    NUMBER,
    CannotCompile,
    Field,
    Function,
    Value,
    as_number,
    as_truth,
    binary,
    compare,
    invert,
    narrow,
    number,
    select,
)
from rulesrun.interpreter.model.core import Operand, Property, Variable
from rulesrun.interpreter.model.instructions import (
    BeginRound,
    FillSheets,
    Judge,
    JudgeAfter,
    KeepBefore,
    MomentStep,
    NoteFigures,
    ResetForTurn,
)
from rulesrun.interpreter.model.moments import (
    COMBINED,
    Combination,
    Either,
    JudgedProperty,
    MeasuredFigure,
    Number,
    Quantity,
    Term,
)
from rulesrun.interpreter.native.expressions import fractions, kept_lists, lists, locations, names, scales
from rulesrun.interpreter.native.flow import scores
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import MOST_PROPERTIES, Machine, bits_of
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function

LENGTHS = {"turns": "turns", "rounds": "round", "decisions": "decisions"}


def lower_moment(machine: Machine, one: MomentStep) -> None:
    match one:
        case ResetForTurn():
            lower_reset(machine, one)
        case FillSheets():
            scores.fill_in_sheets(machine, one.scores)
        case Judge():
            lower_judge(machine, one)
        case KeepBefore(_, properties):
            for judged in properties:
                for kept in judged.values_before:
                    keep_before(machine, kept.node, kept.value)
        case JudgeAfter(_, properties):
            for judged in properties:
                judge_property(machine, judged)
                for kept in judged.values_before:
                    place = machine.plan.made[("before", id(kept.value))]
                    machine.forget_fields(*([place] if isinstance(place, Field) else place[:2]))
        case NoteFigures(_, figures):
            for figure in figures:
                machine.notes.on_figure(machine, figure)
        case _:
            assert_never(one)


# ---- what is set back


def lower_reset(machine: Machine, one: BeginRound | ResetForTurn) -> None:
    for variable in one.variables:
        reset_variable(machine, variable)
    for memory in one.memories:
        machine.forget_fields(
            *[machine.plan.fields[f"{word} of {memory.name.text}"] for word in ("first", "second")]
        )
        machine.store(f"records in {memory.name.text}", number(0))
        machine.store(f"times in {memory.name.text}", number(0))


def reset_variable(machine: Machine, variable: Variable) -> None:
    """Every instance to its start; the start of a player's own is asked of that player."""
    plan, lines = machine.plan, machine.lines
    room, place = plan.bench.variables[id(variable)], plan.variables[id(variable)]
    locations.unmark(plan, lines, variable)
    if room.holds_order:
        reset_order(machine, variable)
        return
    fixed = constant_start(plan, variable)
    for at in range(room.amount) if fixed is not None and room.amount <= 16 else ():
        lines.store(place, number(fixed or 0), number(at))
    if fixed is not None and room.amount > 16:
        lines.for_range(number(0), number(room.amount - 1), lambda at: lines.store(place, number(fixed), at))
    if fixed is not None:
        return
    assert variable.start is not None
    scope = machine.new_scope()
    for at in range(room.amount):
        whose = number(at // room.per_player + 1) if variable.per_player else scope.player
        lines.store(place, as_number(scope.for_player(whose).lower_value(variable.start)), number(at))


def constant_start(plan: Plan, variable: Variable) -> int | None:
    """The value every instance begins with, where it is known before the game."""
    if variable.start is None:
        first = plan.bench.blank[plan.bench.variables[id(variable)].base]
        return NOTHING if first is None else int(first)
    code = plan.bench.compile(variable.start)
    if not code.is_constant:
        return None
    return NOTHING if code.value is None else int(code.value)


def reset_order(machine: Machine, variable: Variable) -> None:
    plan, lines = machine.plan, machine.lines
    room, place = plan.bench.variables[id(variable)], plan.variables[id(variable)]
    values = plan.bench.blank[room.base]
    if variable.start is not None:
        code = plan.bench.compile(variable.start)
        if not code.is_constant:
            raise CannotCompile(message("an order begins with what is not known before the game"))
        values = code.value
    if values is None:
        lines.for_range(number(0), number(place.amount - 1), lambda at: lines.store(place, number(NOTHING), at))
        return
    for at in range(room.amount):
        for step, value in enumerate(values):
            lines.store(place, number(int(value)), number(at * len(values) + step))


# ---- properties


def property_bit(plan: Plan, judged: JudgedProperty) -> int:
    return bits_of(plan.table)[plan.table.watches.properties.index(judged)]


def set_property_bit(scope: Scope, field: str, bit: int) -> None:
    place = scope.plan.fields[field]
    had = scope.lines.load(place)
    scope.lines.store(place, Value("or", NUMBER, (had, number(1 << bit))))


def lower_judge(machine: Machine, one: Judge) -> None:
    """`at end of …` properties, when somebody watches. How many turns there were tells no positions apart."""
    if one.counts_turn and (not machine.asks or machine.notes.measures):
        machine.store("turns", binary("add", machine.load("turns"), number(1)))
    for judged in one.properties:
        judge_property(machine, judged)


def combine_value(machine: Machine, figure: MeasuredFigure, before: Value, times: Value) -> tuple[Value, Value]:
    """What a figure comes to with its value here, in its scale, and of how many it is then."""
    scope, declaration = machine.new_scope(), figure.declaration
    if declaration.word == "how often":
        value = as_number(scope.lower_condition(declaration.value))
    else:
        if declaration.word == "mean":
            scales.refuse_fractions(machine.plan, declaration.value, message("a mean"))
        value = machine.lines.bind(fractions.lower_comparable(scope, declaration.value))
    together, often = COMBINED[declaration.word]
    known = {"before": before, "value": value, "times": times}
    return lower_term(together, known), lower_term(often, known)


def lower_term(term: Term, known: Mapping[str, Value]) -> Value:
    match term:
        case Number(value):
            return number(value)
        case Quantity(name):
            return known[name]
        case Combination("=" | ">" as operator, left, right):
            return as_number(compare(operator, lower_term(left, known), lower_term(right, known)))
        case Combination(operator, left, right):
            return binary(operator, lower_term(left, known), lower_term(right, known))
        case Either(test, one, other):
            return select(as_truth(lower_term(test, known)), lower_term(one, known), lower_term(other, known))
        case _:
            assert_never(term)


def judge_property(machine: Machine, one: JudgedProperty) -> None:
    lines, bit = machine.lines, property_bit(machine.plan, one)
    with lines.when(compare("is not", machine.load("watching"), number(0))):
        scope = machine.new_scope()
        with lines.when(invert(scope.lower_condition(one.declaration.condition))):
            set_property_bit(scope, "broken", bit)


def keep_before(machine: Machine, node: Operand, value: Operand) -> None:
    plan, lines, scope = machine.plan, machine.lines, machine.new_scope()
    key = ("before", id(value))
    if not names.is_collection(scope, value):
        if key not in plan.made:
            plan.made[key] = plan.add_field("before", 64)
        lines.store(plan.made[key], fractions.lower_comparable(scope, value))
        return
    levels = lists.list_depth_of(scope, value)
    if levels > 1:
        if key not in plan.made:
            found = kept_lists.lengths(plan, value, levels)
            plan.made[key] = kept_lists.lay_out(plan, node, "before", found).cells
        kept_lists.keep_list(scope, scope.lower_value(value), plan.lists[id(node)], node)
        return
    collection = scope.lower_collection(value)
    if key not in plan.made:
        plan.made[key] = (
            plan.add_field("before", 64, collection.limit + 1),
            plan.add_field("before", 32),
            collection.limit,
        )
    items, length, _ = plan.made[key]
    lines.store(length, number(0))

    def note_one(value: Value) -> None:
        at = lines.bind(lines.load(length))
        lines.store(items, as_number(value), at)
        lines.store(length, binary("add", at, number(1)))

    collection.for_each(scope, note_one)


def property_check_function(plan: Plan) -> Function:
    """`always`, `never`, `can happen`: looked at at every decision and at the end."""
    def write(scope: Scope, given: list[Value]) -> None:
        for one in plan.table.watches.properties:
            declaration, bit = one.declaration, property_bit(plan, one)
            if declaration.word == "always":
                with scope.lines.when(invert(scope.lower_condition(declaration.condition))):
                    set_property_bit(scope, "broken", bit)
            elif declaration.word == "never":
                with scope.lines.when(scope.lower_condition(declaration.condition)):
                    set_property_bit(scope, "broken", bit)
            elif declaration.word == "can happen":
                note_if_happens(scope, declaration, bit)
            elif declaration.bound is not None:
                check_game_length(scope, declaration, declaration.bound, bit)

    return position_function(plan, "look", "look", (), None, write)


def check_game_length(scope: Scope, declaration: Property, bound: Operand, bit: int) -> None:
    """`ends within`: how long the game has been going on."""
    long = scope.lines.load(scope.plan.fields[LENGTHS[declaration.moment or "decisions"]])
    with scope.lines.when(compare(">", long, number(scope.bench.constant_number(bound)))):
        set_property_bit(scope, "broken", bit)


def can_happen_function(plan: Plan) -> Function:
    """`can happen` alone."""
    def write(scope: Scope, given: list[Value]) -> None:
        for one in plan.table.watches.properties:
            if one.declaration.word == "can happen":
                note_if_happens(scope, one.declaration, property_bit(plan, one))

    return position_function(plan, "look for what can happen", "look for what can happen", (), None, write)


def share_check_function(plan: Plan) -> Function:
    """`at most 1/10 of games`: whether this game is one of them."""
    def write(scope: Scope, given: list[Value]) -> None:
        for one in plan.table.watches.properties:
            if one.declaration.share is not None:
                note_if_happens(scope, one.declaration, property_bit(plan, one))

    return position_function(plan, "look at end", "look at the end", (), None, write)


def note_if_happens(scope: Scope, declaration: Property, bit: int) -> None:
    lines = scope.lines
    had = Value("and", NUMBER, (lines.load(scope.plan.fields["happened"]), number(1 << bit)))
    with lines.when(compare("=", had, number(0))), lines.when(scope.lower_condition(declaration.condition)):
        set_property_bit(scope, "happened", bit)


def component_count_function(plan: Plan) -> Function:
    """Whether every kind of component is there as often as at the beginning."""
    def write(scope: Scope, given: list[Value]) -> None:
        for number_, kinds in enumerate(plan.bench.kinds.values()):
            stores = [plan.stores[key] for key, room in plan.bench.zones.items() if room.kinds is kinds]
            total = number(0)
            for store in [*stores, plan.stores[id(kinds.declaration)]]:
                for index in range(store.amount):
                    total = binary("add", total, containers.size_of(scope, store, number(index)))
            with scope.lines.when(compare("is not", narrow(total, None, None), number(sum(kinds.copies)))):
                set_property_bit(scope, "broken", MOST_PROPERTIES + min(number_, 1))

    return position_function(plan, "kept", "all are there", (), None, write)
