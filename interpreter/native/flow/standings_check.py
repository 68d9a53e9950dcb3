"""Whether final places agree with what ranks them, as lines: pair by pair, apart from the room that ranks.

As the reference's `standings`; a game in which they do not is left to the reference to tell.
"""

from __future__ import annotations

from itertools import combinations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import Function, X, as_number, both, compare, number
from rulesrun.interpreter.native.expressions import builtin_words, fractions, large_tables, names
from rulesrun.interpreter.native.expressions.collections import Listed
from rulesrun.interpreter.native.expressions.lists import listed
from rulesrun.interpreter.native.flow import moments
from rulesrun.interpreter.native.flow.scores import is_better
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function
from rulesrun.interpreter.native.layout.property_bits import MOST_PROPERTIES

DISAGREES = MOST_PROPERTIES + 2
Pair = tuple[int, int]


def agreeing(plan: Plan) -> Function:
    def write(scope: Scope, given: list[X]) -> None:
        criteria = large_tables.criteria_of(plan)
        if large_tables.is_large(plan, 1):
            with scope.lines.when(large_tables.disagree(scope, criteria)):
                moments.note(scope, "broken", DISAGREES)
            return
        pairs = list(combinations(range(plan.bench.players), 2))
        ahead = {pair: scope.lines.variable(number(0), "ahead") for pair in pairs}
        for criterion in criteria:
            if criterion is None or criterion.when is None:
                tell_apart(scope, criterion, ahead)
            else:
                with scope.lines.when(scope.condition(criterion.when)):
                    tell_apart(scope, criterion, ahead)
        for pair, order in ahead.items():
            one, other = (scope.lines.kept(scope.lines.load(plan.fields["place"], number(seat))) for seat in pair)
            with scope.lines.when(compare("is not", order, sign(compare("<", one, other), compare(">", one, other)))):
                moments.note(scope, "broken", DISAGREES)

    return position_function(plan, "agree", "places agree", (), None, write)


def tell_apart(scope: Scope, criterion: ast.Criterion | None, ahead: dict[Pair, X]) -> None:
    """Who is ahead of those whom nothing has told apart yet: 1 the first, -1 the second of the pair."""
    values = [value_of(scope, criterion, seat) for seat in range(scope.bench.players)]
    order = ">" if criterion is None or criterion.direction == "highest" else "<"
    for (one, other), found in ahead.items():
        with scope.lines.when(compare("=", found, number(0))):
            is_first = is_better(scope, values[one], values[other], order)
            is_second = is_better(scope, values[other], values[one], order)
            scope.lines.set(found, sign(is_first, is_second))


def value_of(scope: Scope, criterion: ast.Criterion | None, seat: int) -> X | Listed:
    whose = scope.asked_of(number(seat + 1))
    if criterion is None:
        return scope.lines.kept(builtin_words.total(whose))
    if names.is_several(scope, criterion.value):
        return listed(whose, whose.several(criterion.value))
    return scope.lines.kept(fractions.comparable(whose, criterion.value))


def sign(is_first: X, is_second: X) -> X:
    return both("sub", as_number(is_first), as_number(is_second))
