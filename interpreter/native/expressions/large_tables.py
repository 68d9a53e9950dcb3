"""Ranking the players of a large table, with loops where a small one is written out pair by pair.

Values go into an array by seat; lists are compared by a function of two seats.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NO, NUMBER, Field, Function, X, as_number, both, compare, known, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.native.expressions import builtin_words, fractions, list_values, names
from rulesrun.interpreter.native.expressions.lists import compare_listed, listed
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function

MOST_WRITTEN_OUT = 6
Criterion = ast.Criterion | None


def criteria_of(plan: Plan) -> tuple[Criterion, ...]:
    """What ranks the players; nothing but their points, where the rules do not say."""
    rankings = plan.bench.of_class(ast.Ranking)
    written = rankings[0].criteria if rankings else ()
    return tuple(one for one in written if id(one) not in plan.bench.left_out) or (None,)


def is_large(plan: Plan, criteria: int) -> bool:
    """Whether pairs are gone through; also where a rank by so many criteria would not fit into a word."""
    n = plan.bench.players
    return n > MOST_WRITTEN_OUT or (n + 1) ** criteria >= 1 << 60


def add_criterion(scope: Scope, criterion: Criterion) -> None:
    """As many are better: the rank grows; then ranks are made small again, without changing who is before whom."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    rank, better = plan.fields["rank"], plan.fields["better"]
    values = values_by_seat(scope, criterion)
    order = ">" if criterion is None or criterion.direction == "highest" else "<"

    def grow(own: X) -> None:
        count = counted(lines, n, lambda other: is_ahead(scope, criterion, values, other, own, order))
        had = both("mul", lines.load(rank, own), number(n + 1))
        lines.store(better, both("add", had, count), own)

    def shrink(own: X) -> None:
        lines.store(rank, counted(lines, n, lambda other: compare(
            "<", lines.load(better, other), lines.load(better, own)
        )), own)

    lines.count_through(number(0), number(n - 1), grow)
    lines.count_through(number(0), number(n - 1), shrink)


def place_all(scope: Scope) -> X:
    """Final places from the ranks; gives whether two players share one."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    rank, tied = plan.fields["rank"], lines.variable(NO, "tied")

    def one(own: X) -> None:
        before = counted(lines, n, lambda other: compare("<", lines.load(rank, other), lines.load(rank, own)))
        lines.store(plan.fields["place"], both("add", before, number(1)), own)
        alike = counted(lines, n, lambda other: compare("=", lines.load(rank, other), lines.load(rank, own)))
        with lines.when(compare(">", alike, number(1))):
            lines.set(tied, compare("=", number(0), number(0)))

    lines.count_through(number(0), number(n - 1), one)
    return tied


def counted(lines: Lines, n: int, test: Callable[[X], X]) -> X:
    """For how many seats, from 0, something holds."""
    total = lines.variable(number(0), "n")
    lines.count_through(number(0), number(n - 1), lambda at: lines.add_to(total, as_number(test(at))))
    return total


# ---- values


def values_by_seat(scope: Scope, criterion: Criterion) -> Field | Function:
    """What a criterion says of every seat: an array, or for lists a function that compares two seats."""
    plan, lines = scope.plan, scope.lines
    if criterion is not None and names.is_several(scope, criterion.value):
        list_values.refuse_lists(scope, criterion.value, "the ranking")
        return comparing_lists(plan, criterion)
    plan.names += 1
    values = plan.scratch(f"criterion {plan.names}", 64, scope.bench.players)

    def note(seat: X) -> None:
        whose = scope.asked_of(lines.kept(known(both("add", seat, number(1)), 1, scope.bench.players)))
        value = builtin_words.total(whose) if criterion is None else fractions.comparable(whose, criterion.value)
        lines.store(values, value, seat)

    lines.count_through(number(0), number(scope.bench.players - 1), note)
    return values


def comparing_lists(plan: Plan, criterion: ast.Criterion) -> Function:
    def write(scope: Scope, given: list[X]) -> X:
        other = scope.asked_of(known(given[0], 1, scope.bench.players))
        first = listed(scope, scope.several(criterion.value))
        second = listed(other, other.several(criterion.value))
        return compare_listed(scope, first, second)

    return position_function(plan, ("criterion", id(criterion)), "compare lists of", ("other",), NUMBER, write)


def is_ahead(scope: Scope, criterion: Criterion, values: Field | Function, one: X, other: X, order: str) -> X:
    lines = scope.lines
    if isinstance(values, Function):
        seats = [lines.kept(both("add", seat, number(1))) for seat in (one, other)]
        found = lines.kept(X("call", NUMBER, (seats[0], seats[1]), values))
        return compare(order, found, number(0))
    return compare(order, lines.load(values, one), lines.load(values, other))


# ---- whether places agree with what ranks them


def disagree(scope: Scope, criteria: tuple[Criterion, ...]) -> X:
    """Whether some pair stands otherwise than the first criterion says that tells it apart; by loops over pairs."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    ahead = plan.scratch("ahead", 64, n * n)
    wrong = lines.variable(NO, "wrong")
    lines.count_through(number(0), number(n * n - 1), lambda at: lines.store(ahead, number(0), at))
    for criterion in criteria:
        if criterion is None or criterion.when is None:
            tell_apart(scope, criterion, ahead)
        else:
            with lines.when(scope.condition(criterion.when)):
                tell_apart(scope, criterion, ahead)

    def check(pair: X, one: X, other: X) -> None:
        first, second = (lines.load(plan.fields["place"], seat) for seat in (one, other))
        stands = both("sub", as_number(compare("<", first, second)), as_number(compare(">", first, second)))
        with lines.when(compare("is not", lines.load(ahead, pair), stands)):
            lines.set(wrong, compare("=", number(0), number(0)))

    each_pair(lines, n, check)
    return wrong


def tell_apart(scope: Scope, criterion: Criterion, ahead: Field) -> None:
    lines, values = scope.lines, values_by_seat(scope, criterion)
    order = ">" if criterion is None or criterion.direction == "highest" else "<"

    def look(pair: X, one: X, other: X) -> None:
        with lines.when(compare("=", lines.load(ahead, pair), number(0))):
            first = as_number(is_ahead(scope, criterion, values, one, other, order))
            second = as_number(is_ahead(scope, criterion, values, other, one, order))
            lines.store(ahead, both("sub", first, second), pair)

    each_pair(lines, scope.bench.players, look)


def each_pair(lines: Lines, n: int, body: Callable[[X, X, X], None]) -> None:
    def of_one(one: X) -> None:
        one = lines.kept(one)

        def with_other(other: X) -> None:
            other = lines.kept(other)
            body(lines.kept(both("add", both("mul", one, number(n)), other)), one, other)

        lines.count_through(lines.kept(both("add", one, number(1))), number(n - 1), with_other)

    lines.count_through(number(0), number(n - 1), of_one)
