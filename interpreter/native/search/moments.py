"""Moments of a game that is searched, as lines: how it begins, what is looked at, what is broken.

Takes a scope, writes into it.
"""

from __future__ import annotations

from rulesrun.interpreter.form.form import NUMBER, X, as_number, both, compare, number
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.native.flow import moments, standings_check
from rulesrun.interpreter.native.layout.plan import Scope
from rulesrun.interpreter.search.biased_search import TASTES

PROPERTIES = 64


def begin_game(scope: Scope) -> None:
    lines, fields = scope.lines, scope.plan.fields

    def below(limit: int, source: str) -> X:
        return lines.kept(X("below", NUMBER, (number(scope.plan.stream(source)), number(limit)), fields["streams"]))

    lines.store(fields["is rare"], as_number(compare("=", below(2, "rare"), number(0))))
    lines.store(fields["taste"], below(TASTES, "taste"))
    lines.store(fields["told"], number(0))
    for name, other in (("loves", None), ("first broken", None), ("used before", "used")):
        def set_one(at: X, name: str = name, other: str | None = other) -> None:
            lines.store(fields[name], number(0) if other is None else lines.load(fields[other], at), at)

        lines.count_through(number(0), number(fields[name].amount - 1), set_one)


def is_faulty(scope: Scope) -> X:
    return compare("is not", scope.lines.load(scope.plan.fields["fault"]), number(0))


def look(scope: Scope, made: X) -> None:
    lines, fields = scope.lines, scope.plan.fields
    lines.store(fields["decisions"], both("add", lines.load(fields["decisions"]), number(1)))
    lines.add("do", call(moments.looking(scope.plan), lines.kept(lines.load(fields["player"]))))
    note_broken(scope, made)


def look_at_the_end(scope: Scope) -> None:
    player = scope.lines.kept(scope.lines.load(scope.plan.fields["player"]))
    for function in (moments.looking_at_the_end, moments.keeping_count, standings_check.agreeing):
        scope.lines.add("do", call(function(scope.plan), player))


def note_broken(scope: Scope, made: X) -> None:
    """Of every property that is broken, how many choices there had been; one more, since 0 is none."""
    lines, place = scope.lines, scope.plan.fields["first broken"]

    def note(at: X) -> None:
        with lines.when(compare("=", lines.load(place, at), number(0))):
            lines.store(place, both("add", made, number(1)), at)

    lines.each_bit(lines.kept(lines.load(scope.plan.fields["broken"])), note, PROPERTIES)
