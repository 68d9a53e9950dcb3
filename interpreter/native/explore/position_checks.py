"""What is to be seen at new positions, as lines: properties, rules of single components, what kind of question it is.

As the reference's `BreadthFirstSearch.check_position`. A position at which something is broken, or a condition leads to
a fault, is noted for the reference, which tells what it is.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, Function, Value, compare, invert, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import HERE
from rulesrun.interpreter.model.relevance import unjudged
from rulesrun.interpreter.native.explore import rows
from rulesrun.interpreter.native.explore.arrays import KernelControl
from rulesrun.interpreter.native.explore.canonical_rows import CanonicalRows, unpack_position
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.flow import moments, random_games
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function

LOOKED = 4  # numbers of a note: the position, which properties do not hold, the fault, what has happened there first
ENDED = 1  # what is marked at a position


def position_check_function(form: ExploredForm, alike: CanonicalRows) -> Function:
    """`look(control)`: at the positions from `first` on, until `last` or until there is no room to note more."""
    plan, lines = form.plan, Lines()
    told = KernelControl(lines)
    which, last = lines.variable(told.load("first"), "which"), told.load("last")
    noted = lines.variable(number(0), "noted")
    chances = plan.add_constants(
        "is chance", (0, *(int(not one.is_choice) for one in form.questions))
    )
    lines.store(plan.fields["happened"], told.load("happened"))
    with lines.loop() as done:
        lines.leave(done, compare(">=", which, last))
        lines.leave(done, compare(">=", noted, told.load("event room")))
        unpack_position(form, alike, lines, told, which)
        happened = lines.bind(lines.load(plan.fields["happened"]))
        rows.copy_position(form, lines, HERE, told.load("stacks"))
        lines.store(plan.fields["happened"], happened)
        asked = lines.bind(lines.load(plan.fields["pc"]))
        with lines.block() as looked:
            is_chance = compare("is not", lines.look_up(chances, asked), number(0))
            with lines.when(is_chance):
                told.add_to("chances", number(1))
                lines.leave(looked)
            with lines.when(compare("=", asked, number(0))) as line:
                told.add_to("overs", number(1))
                told.array_at("marks", 8).store(lines, which, number(ENDED))
                lines.emit("do", call(moments.component_count_function(plan), number(1)))
                lines.emit("do", call(random_games.agreement_function(plan), number(1)))
            with lines.otherwise(line):
                told.add_to("decisions", number(1))
            player = lines.bind(lines.load(plan.fields["player"]))
            lines.emit("do", call(properties_function(plan), player))
            check_shares(plan, lines, asked, player)
            note_findings(form, lines, told, which, noted, happened)
        lines.add_to(which, number(1))
    told.store("reached", which)
    told.store("event count", noted)
    told.store("happened", lines.load(plan.fields["happened"]))
    lines.emit("return", number(0))
    return Function("look", ("control",), NUMBER, lines.lines, is_inner=False)


def check_shares(plan: Plan, lines: Lines, asked: Value, player: Value) -> None:
    """Properties of a part of all games happen at an end."""
    if any(one.declaration.share is not None for one in plan.table.watches.properties):
        with lines.when(compare("=", asked, number(0))):
            lines.emit("do", call(moments.share_check_function(plan), player))


def note_findings(
    form: ExploredForm, lines: Lines, told: KernelControl, which: Value, noted: Value, happened: Value
) -> None:
    """After a fault it is the reference that says what has happened there."""
    plan = form.plan
    fault = lines.bind(lines.load(plan.fields["fault"]))
    new = Value("and", NUMBER, (lines.load(plan.fields["broken"]), Value("not", NUMBER, (told.load("broken seen"),))))
    new = lines.bind(new)
    with lines.when(compare("is not", fault, number(0))) as line:
        lines.store(plan.fields["happened"], happened)
    with lines.otherwise(line):
        lines.emit("do", call(component_rules_function(plan), number(1)))
    news = lines.bind(Value("xor", NUMBER, (lines.load(plan.fields["happened"]), happened)))
    with lines.when(compare("is not", Value("or", NUMBER, (Value("or", NUMBER, (fault, new)), news)), number(0))):
        at = lines.bind(Value("mul", NUMBER, (noted, number(LOOKED))))
        for step, value in enumerate((which, new, fault, news)):
            told.array_at("events", 64).store(lines, Value("add", NUMBER, (at, number(step))), value)
        lines.add_to(noted, number(1))


def properties_function(plan: Plan) -> Function:
    """`always`, `never`, `can happen`: those that positions can be asked."""
    def write(scope: Scope, given: list[Value]) -> None:
        left_out = unjudged(plan.bench)
        for one in plan.table.watches.properties:
            declaration, bit = one.declaration, moments.property_bit(plan, one)
            if declaration in left_out:
                continue
            if declaration.word == "can happen":
                moments.note_if_happens(scope, declaration, bit)
            elif declaration.word in {"always", "never"}:
                holds = scope.lower_condition(declaration.condition)
                with scope.lines.when(invert(holds) if declaration.word == "always" else holds):
                    moments.set_property_bit(scope, "broken", bit)

    return position_function(plan, "explored properties", "properties", (), None, write)


def component_rules_function(plan: Plan) -> Function:
    """Each until it has held for somebody; one that leads to a fault does not hold."""
    held, fault, n = plan.fields["rules held"], plan.fields["fault"], plan.bench.players

    def write(scope: Scope, given: list[Value]) -> None:
        lines = scope.lines
        for at, (_, rule, _) in enumerate(plan.bench.list_component_rules()):
            with lines.when(compare("=", lines.load(held, number(at)), number(0))), lines.block() as over:
                for seat in range(1, n + 1):
                    holds = lines.bind(scope.for_player(number(seat)).lower_condition(rule))
                    with lines.when(compare("is not", lines.load(fault), number(0))):
                        lines.leave(over)
                    with lines.when(holds):
                        lines.store(held, number(1), number(at))
                        lines.leave(over)
            lines.store(fault, number(0))

    return position_function(plan, "explored rules", "rules of components", (), None, write)
