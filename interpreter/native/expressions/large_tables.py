"""Ranking the players of a large table, with loops where a small one is written out pair by pair.

Values go into an array by seat; lists are compared by a function of two seats.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    Field,
    Function,
    Value,
    as_number,
    binary,
    compare,
    narrow,
    number,
)
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model import core
from rulesrun.interpreter.native.expressions import builtin_words, fractions, lists, names
from rulesrun.interpreter.native.expressions.lists import collect_values, compare_lists
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function

MOST_WRITTEN_OUT = 6


def ranking_criteria(plan: Plan) -> tuple[core.Criterion | None, ...]:
    """What ranks the players; nothing but their points, where the rules do not say."""
    rankings = plan.bench.rankings
    written = rankings[0].criteria if rankings else ()
    return tuple(one for one in written if id(one) not in plan.bench.left_out) or (None,)


def needs_loops(plan: Plan, criteria: int) -> bool:
    """Whether pairs are gone through; also where a rank by so many criteria would not fit into a word."""
    n = plan.bench.players
    return n > MOST_WRITTEN_OUT or (n + 1) ** criteria >= 1 << 60


def rank_by_criterion(scope: Scope, criterion: core.Criterion | None) -> None:
    """As many are better: the rank grows; then ranks are made small again, without changing who is before whom."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    rank, better = plan.fields["rank"], plan.fields["better"]
    values = values_by_seat(scope, criterion)
    order = ">" if criterion is None or criterion.direction == "highest" else "<"

    def grow(own: Value) -> None:
        count = count_seats(lines, n, lambda other: is_ahead(scope, criterion, values, other, own, order))
        had = binary("mul", lines.load(rank, own), number(n + 1))
        lines.store(better, binary("add", had, count), own)

    def shrink(own: Value) -> None:
        lines.store(rank, count_seats(lines, n, lambda other: compare(
            "<", lines.load(better, other), lines.load(better, own)
        )), own)

    lines.for_range(number(0), number(n - 1), grow)
    lines.for_range(number(0), number(n - 1), shrink)


def assign_places(scope: Scope) -> Value:
    """Final places from the ranks; gives whether two players share one."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    rank, tied, size = plan.fields["rank"], lines.variable(NO, "tied"), scope.bench.team_size

    def one(own: Value) -> None:
        before = count_seats(lines, n, lambda other: compare("<", lines.load(rank, other), lines.load(rank, own)))
        teams = before if size == 1 else lines.bind(binary("div", narrow(lines.bind(before), 0, n), number(size)))
        lines.store(plan.fields["place"], binary("add", teams, number(1)), own)
        alike = count_seats(lines, n, lambda other: compare("=", lines.load(rank, other), lines.load(rank, own)))
        with lines.when(compare(">", alike, number(size))):
            lines.set(tied, compare("=", number(0), number(0)))

    lines.for_range(number(0), number(n - 1), one)
    return tied


def count_seats(lines: Lines, n: int, test: Callable[[Value], Value]) -> Value:
    """For how many seats, from 0, something holds."""
    total = lines.variable(number(0), "n")
    lines.for_range(number(0), number(n - 1), lambda at: lines.add_to(total, as_number(test(at))))
    return total


# ---- values


def values_by_seat(scope: Scope, criterion: core.Criterion | None) -> Field | Function:
    """What a criterion says of every seat: an array, or for lists a function that compares two seats."""
    plan, lines = scope.plan, scope.lines
    if criterion is not None and names.is_collection(scope, criterion.value):
        lists.refuse_nested_lists(scope, criterion.value, "the ranking")
        return list_comparison_function(plan, criterion)
    plan.names += 1
    values = plan.add_scratch(f"criterion {plan.names}", 64, scope.bench.players)

    def note(seat: Value) -> None:
        whose = scope.for_player(lines.bind(narrow(binary("add", seat, number(1)), 1, scope.bench.players)))
        value = (
            builtin_words.lower_total(whose)
            if criterion is None
            else fractions.lower_comparable(whose, criterion.value)
        )
        lines.store(values, value, seat)

    lines.for_range(number(0), number(scope.bench.players - 1), note)
    return values


def list_comparison_function(plan: Plan, criterion: core.Criterion) -> Function:
    def write(scope: Scope, given: list[Value]) -> Value:
        other = scope.for_player(narrow(given[0], 1, scope.bench.players))
        first = collect_values(scope, scope.lower_collection(criterion.value))
        second = collect_values(other, other.lower_collection(criterion.value))
        return compare_lists(scope, first, second)

    return position_function(plan, ("criterion", id(criterion)), "compare lists of", ("other",), NUMBER, write)


def is_ahead(
    scope: Scope, criterion: core.Criterion | None, values: Field | Function, one: Value, other: Value, order: str
) -> Value:
    lines = scope.lines
    if isinstance(values, Function):
        seats = [lines.bind(binary("add", seat, number(1))) for seat in (one, other)]
        found = lines.bind(Value("call", NUMBER, (seats[0], seats[1]), values))
        return compare(order, found, number(0))
    return compare(order, lines.load(values, one), lines.load(values, other))


# ---- whether places agree with what ranks them


def has_disagreement(scope: Scope, criteria: tuple[core.Criterion | None, ...]) -> Value:
    """Whether some pair stands otherwise than the first criterion says that tells it apart; by loops over pairs."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    ahead = plan.add_scratch("ahead", 64, n * n)
    wrong = lines.variable(NO, "wrong")
    lines.for_range(number(0), number(n * n - 1), lambda at: lines.store(ahead, number(0), at))
    for criterion in criteria:
        if criterion is None or criterion.when is None:
            order_pairs(scope, criterion, ahead)
        else:
            with lines.when(scope.lower_condition(criterion.when)):
                order_pairs(scope, criterion, ahead)

    def check(pair: Value, one: Value, other: Value) -> None:
        first, second = (lines.load(plan.fields["place"], seat) for seat in (one, other))
        stands = binary("sub", as_number(compare("<", first, second)), as_number(compare(">", first, second)))
        with lines.when(compare("is not", lines.load(ahead, pair), stands)):
            lines.set(wrong, compare("=", number(0), number(0)))

    for_each_pair(lines, n, check)
    return wrong


def order_pairs(scope: Scope, criterion: core.Criterion | None, ahead: Field) -> None:
    lines, values = scope.lines, values_by_seat(scope, criterion)
    order = ">" if criterion is None or criterion.direction == "highest" else "<"

    def visit(pair: Value, one: Value, other: Value) -> None:
        with lines.when(compare("=", lines.load(ahead, pair), number(0))):
            first = as_number(is_ahead(scope, criterion, values, one, other, order))
            second = as_number(is_ahead(scope, criterion, values, other, one, order))
            lines.store(ahead, binary("sub", first, second), pair)

    for_each_pair(lines, scope.bench.players, visit)


def for_each_pair(lines: Lines, n: int, body: Callable[[Value, Value, Value], None]) -> None:
    def of_one(one: Value) -> None:
        one = lines.bind(one)

        def with_other(other: Value) -> None:
            other = lines.bind(other)
            body(lines.bind(binary("add", binary("mul", one, number(n)), other)), one, other)

        lines.for_range(lines.bind(binary("add", one, number(1))), number(n - 1), with_other)

    lines.for_range(number(0), number(n - 1), of_one)
