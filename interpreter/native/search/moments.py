"""Moments of a game that is searched, as lines: how it begins, what is looked at, what is broken.

Takes a scope, writes into it.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, Value, as_number, binary, compare, number
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.native.flow import moments, standings_check
from rulesrun.interpreter.native.layout.plan import Scope
from rulesrun.interpreter.search.biased_search import TASTES

PROPERTIES = 64


def begin_game(scope: Scope) -> None:
    lines, fields = scope.lines, scope.plan.fields

    def below(limit: int, source: str) -> Value:
        return lines.bind(
            Value("below", NUMBER, (number(scope.plan.stream_number(source)), number(limit)), fields["streams"])
        )

    lines.store(fields["is rare"], as_number(compare("=", below(2, "rare"), number(0))))
    lines.store(fields["taste"], below(TASTES, "taste"))
    lines.store(fields["told"], number(0))
    for name, other in (("loves", None), ("first broken", None), ("used before", "used")):
        def set_one(at: Value, name: str = name, other: str | None = other) -> None:
            lines.store(fields[name], number(0) if other is None else lines.load(fields[other], at), at)

        lines.for_range(number(0), number(fields[name].amount - 1), set_one)


def has_fault(scope: Scope) -> Value:
    return compare("is not", scope.lines.load(scope.plan.fields["fault"]), number(0))


def check_position(scope: Scope, made: Value) -> None:
    lines, fields = scope.lines, scope.plan.fields
    lines.store(fields["decisions"], binary("add", lines.load(fields["decisions"]), number(1)))
    lines.emit("do", call(moments.property_check_function(scope.plan), lines.bind(lines.load(fields["player"]))))
    note_broken(scope, made)


def check_end(scope: Scope) -> None:
    player = scope.lines.bind(scope.lines.load(scope.plan.fields["player"]))
    for function in (
        moments.share_check_function,
        moments.component_count_function,
        standings_check.agreement_function,
    ):
        scope.lines.emit("do", call(function(scope.plan), player))


def note_broken(scope: Scope, made: Value) -> None:
    """Of every property that is broken, how many choices there had been; one more, since 0 is none."""
    lines, place = scope.lines, scope.plan.fields["first broken"]

    def note(at: Value) -> None:
        with lines.when(compare("=", lines.load(place, at), number(0))):
            lines.store(place, binary("add", made, number(1)), at)

    lines.for_each_bit(lines.bind(lines.load(scope.plan.fields["broken"])), note, PROPERTIES)
