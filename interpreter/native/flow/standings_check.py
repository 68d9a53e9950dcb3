"""Whether final places agree with what ranks them, as lines: pair by pair, apart from the module that ranks.

As the reference's `play.final_standings`; a game in which they do not is left to the reference to tell.
"""

from __future__ import annotations

from itertools import combinations

from rulesrun.interpreter.form.form import Function, Value, as_number, binary, compare, number
from rulesrun.interpreter.model.core import Criterion
from rulesrun.interpreter.native.expressions import builtin_words, fractions, large_tables, names
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values
from rulesrun.interpreter.native.flow import moments
from rulesrun.interpreter.native.flow.scores import is_better
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function
from rulesrun.interpreter.native.layout.property_bits import MOST_PROPERTIES

DISAGREES = MOST_PROPERTIES + 2
Pair = tuple[int, int]


def agreement_function(plan: Plan) -> Function:
    def write(scope: Scope, given: list[Value]) -> None:
        criteria = large_tables.ranking_criteria(plan)
        if large_tables.needs_loops(plan, 1):
            with scope.lines.when(large_tables.has_disagreement(scope, criteria)):
                moments.set_property_bit(scope, "broken", DISAGREES)
            return
        pairs = list(combinations(range(plan.bench.players), 2))
        ahead = {pair: scope.lines.variable(number(0), "ahead") for pair in pairs}
        for criterion in criteria:
            if criterion is None or criterion.when is None:
                order_pairs(scope, criterion, ahead)
            else:
                with scope.lines.when(scope.lower_condition(criterion.when)):
                    order_pairs(scope, criterion, ahead)
        for pair, order in ahead.items():
            one, other = (scope.lines.bind(scope.lines.load(plan.fields["place"], number(seat))) for seat in pair)
            with scope.lines.when(
                compare("is not", order, order_sign(compare("<", one, other), compare(">", one, other)))
            ):
                moments.set_property_bit(scope, "broken", DISAGREES)

    return position_function(plan, "agree", "places agree", (), None, write)


def order_pairs(scope: Scope, criterion: Criterion | None, ahead: dict[Pair, Value]) -> None:
    """Who is ahead of those whom nothing has told apart yet: 1 the first, -1 the second of the pair."""
    values = [criterion_value(scope, criterion, seat) for seat in range(scope.bench.players)]
    order = ">" if criterion is None or criterion.direction == "highest" else "<"
    for (one, other), found in ahead.items():
        with scope.lines.when(compare("=", found, number(0))):
            is_first = is_better(scope, values[one], values[other], order)
            is_second = is_better(scope, values[other], values[one], order)
            scope.lines.set(found, order_sign(is_first, is_second))


def criterion_value(scope: Scope, criterion: Criterion | None, seat: int) -> Value | ValueList:
    whose = scope.for_player(number(seat + 1))
    if criterion is None:
        return scope.lines.bind(builtin_words.lower_total(whose))
    if names.is_collection(scope, criterion.value):
        return collect_values(whose, whose.lower_collection(criterion.value))
    return scope.lines.bind(fractions.lower_comparable(whose, criterion.value))


def order_sign(is_first: Value, is_second: Value) -> Value:
    return binary("sub", as_number(is_first), as_number(is_second))
