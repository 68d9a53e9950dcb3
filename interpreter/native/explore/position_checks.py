"""What is to be seen at new positions, as lines: properties, rules of single components, what kind of question it is.

As the reference's `Search.look_at`. A position at which something is broken, or a condition leads to a fault, is
noted for the reference, which tells what it is.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NUMBER, Function, X, compare, inverted, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.explore import rows
from rulesrun.interpreter.native.explore.arrays import HERE, Told
from rulesrun.interpreter.native.explore.canonical_rows import Alike, unpack
from rulesrun.interpreter.native.explore.machine import ExploredForm
from rulesrun.interpreter.native.flow import moments, standings_check
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function
from rulesrun.interpreter.play.relevance import unjudged

LOOKED = 4  # numbers of a note: the position, which properties do not hold, the fault, what has happened there first
ENDED = 1  # what is marked at a position


def look_function(form: ExploredForm, alike: Alike) -> Function:
    """`look(control)`: at the positions from `first` on, until `last` or until there is no room to note more."""
    plan, lines = form.plan, Lines()
    told = Told(lines)
    which, last = lines.variable(told.get("first"), "which"), told.get("last")
    noted = lines.variable(number(0), "noted")
    chances = plan.table_of("is chance", (0, *(int(not isinstance(one.node, ast.Choose)) for one in form.questions)))
    lines.store(plan.fields["happened"], told.get("happened"))
    with lines.loop() as done:
        lines.leave(done, compare(">=", which, last))
        lines.leave(done, compare(">=", noted, told.get("event room")))
        unpack(form, alike, lines, told, which)
        happened = lines.kept(lines.load(plan.fields["happened"]))
        rows.copy_position(form, lines, HERE, told.get("stacks"))
        lines.store(plan.fields["happened"], happened)
        asked = lines.kept(lines.load(plan.fields["pc"]))
        with lines.block() as looked:
            is_chance = compare("is not", lines.look_up(chances, asked), number(0))
            with lines.when(is_chance):
                told.add("chances", number(1))
                lines.leave(looked)
            with lines.when(compare("=", asked, number(0))) as line:
                told.add("overs", number(1))
                told.of("marks", 8).put(lines, which, number(ENDED))
                lines.add("do", call(moments.keeping_count(plan), number(1)))
                lines.add("do", call(standings_check.agreeing(plan), number(1)))
            with lines.otherwise(line):
                told.add("decisions", number(1))
            player = lines.kept(lines.load(plan.fields["player"]))
            lines.add("do", call(properties(plan), player))
            look_at_shares(plan, lines, asked, player)
            note(form, lines, told, which, noted, happened)
        lines.add_to(which, number(1))
    told.put("reached", which)
    told.put("event count", noted)
    told.put("happened", lines.load(plan.fields["happened"]))
    lines.add("return", number(0))
    return Function("look", ("control",), NUMBER, lines.lines, is_inner=False)


def look_at_shares(plan: Plan, lines: Lines, asked: X, player: X) -> None:
    """Properties of a part of all games happen at an end."""
    if any(one.declaration.share is not None for one in plan.table.watches.properties):
        with lines.when(compare("=", asked, number(0))):
            lines.add("do", call(moments.looking_at_the_end(plan), player))


def note(form: ExploredForm, lines: Lines, told: Told, which: X, noted: X, happened: X) -> None:
    """After a fault it is the reference that says what has happened there."""
    plan = form.plan
    fault = lines.kept(lines.load(plan.fields["fault"]))
    new = X("and", NUMBER, (lines.load(plan.fields["broken"]), X("not", NUMBER, (told.get("broken seen"),))))
    new = lines.kept(new)
    with lines.when(compare("is not", fault, number(0))) as line:
        lines.store(plan.fields["happened"], happened)
    with lines.otherwise(line):
        lines.add("do", call(rules_of_components(plan), number(1)))
    news = lines.kept(X("xor", NUMBER, (lines.load(plan.fields["happened"]), happened)))
    with lines.when(compare("is not", X("or", NUMBER, (X("or", NUMBER, (fault, new)), news)), number(0))):
        at = lines.kept(X("mul", NUMBER, (noted, number(LOOKED))))
        for step, value in enumerate((which, new, fault, news)):
            told.of("events", 64).put(lines, X("add", NUMBER, (at, number(step))), value)
        lines.add_to(noted, number(1))


def properties(plan: Plan) -> Function:
    """`always`, `never`, `can happen`: those that positions can be asked."""
    def write(scope: Scope, given: list[X]) -> None:
        left_out = unjudged(plan.table)
        for one in plan.table.watches.properties:
            declaration, bit = one.declaration, moments.bit_of(plan, one)
            if declaration in left_out:
                continue
            if declaration.word == "can happen":
                moments.look_once(scope, declaration, bit)
            elif declaration.word in {"always", "never"}:
                holds = scope.condition(declaration.condition)
                with scope.lines.when(inverted(holds) if declaration.word == "always" else holds):
                    moments.note(scope, "broken", bit)

    return position_function(plan, "explored properties", "properties", (), None, write)


def rules(plan: Plan) -> list[tuple[str, ast.Expr]]:
    """The rules that single components carry, by the names that `RuleColumns` gives them."""
    found: dict[str, ast.Expr] = {}
    for components in plan.bench.of_class(ast.Components):
        columns = [at for at, one in enumerate(components.attributes) if one.type is None]
        for row in components.rows:
            for column in columns:
                if id(row.cells[column]) in plan.bench.calls:
                    found[f"{components.attributes[column].name.text} of {row.name.text}"] = row.cells[column]
    return list(found.items())


def rules_of_components(plan: Plan) -> Function:
    """Each until it has held for somebody; one that leads to a fault does not hold."""
    held, fault, n = plan.fields["rules held"], plan.fields["fault"], plan.bench.players

    def write(scope: Scope, given: list[X]) -> None:
        lines = scope.lines
        for at, (_, rule) in enumerate(rules(plan)):
            with lines.when(compare("=", lines.load(held, number(at)), number(0))), lines.block() as over:
                for seat in range(1, n + 1):
                    holds = lines.kept(scope.asked_of(number(seat)).condition(rule))
                    with lines.when(compare("is not", lines.load(fault), number(0))):
                        lines.leave(over)
                    with lines.when(holds):
                        lines.store(held, number(1), number(at))
                        lines.leave(over)
            lines.store(fault, number(0))

    return position_function(plan, "explored rules", "rules of components", (), None, write)
