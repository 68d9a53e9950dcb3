"""Score sheets, final places and the result. Writes what fills them in."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NO, CannotCompile, X, as_number, both, compare, known, logic, number
from rulesrun.interpreter.native.expressions import (
    builtin_words,
    calls,
    fractions,
    large_tables,
    list_values,
    names,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import Listed
from rulesrun.interpreter.native.expressions.lists import compare_listed, listed
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, bounds, kept_below

MOST_OUTCOMES = 1000
MOST_POINTS = 1 << 40


def lay_out(plan: Plan) -> None:
    n = plan.bench.players
    lines = sum(len(score.lines) for score in plan.bench.of_class(ast.Score))
    plan.field("counted", 64, max(lines, 1) * n)
    plan.field("latest", 64, max(lines, 1) * n)
    plan.field("total", 64, n)
    plan.field("latest total", 64, n)
    plan.scratch("sheet", 64, max(lines, 1) * n)
    plan.scratch("rank", 64, n)
    plan.scratch("better", 64, n)


def count(machine: Machine, when: str) -> None:
    if all(score.when != when for score in machine.plan.bench.of_class(ast.Score)):
        return
    machine.notes.happens(machine)
    first = 0
    for number_, score in enumerate(machine.plan.bench.of_class(ast.Score)):
        if score.when == when:
            fill_in(machine, score, first, number_)
        first += len(score.lines)
    machine.notes.happened(machine)


def fill_in(machine: Machine, score: ast.Score, first: int, number_: int) -> None:
    """All lines of all players are worked out before any is written down."""
    work_out(machine, score, first)
    write_down(machine, score, first)
    if machine.asks_chance:
        tell(machine, score, first, number_)
    machine.notes.counted(machine)


def work_out(machine: Machine, score: ast.Score, first: int) -> None:
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    sheet, scope = plan.fields["sheet"], machine.scope()

    def of_one(player: X) -> None:
        whose = scope.asked_of(player)
        for at, line in enumerate(score.lines):
            value = as_number(calls.ask_named(whose, line))
            lines.store(sheet, value, both("add", both("sub", player, number(1)), number((first + at) * n)))

    lines.count_through(number(1), number(n), of_one)


def write_down(machine: Machine, score: ast.Score, first: int) -> None:
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    sheet, scale = plan.fields["sheet"], scales.scale_of_total(plan)

    def of_one(player: X) -> None:
        seat = lines.kept(both("sub", player, number(1)))
        total = number(0)
        for at in range(len(score.lines)):
            place = lines.kept(both("add", seat, number((first + at) * n)))
            value = small(machine.scope(), score.lines[at], lines.kept(lines.load(sheet, place)))
            times = number(scale // scales.scale_of(plan, score.lines[at]))
            total = both("add", total, both("mul", value, times))
            lines.store(plan.fields["latest"], value, place)
            lines.store(plan.fields["counted"], both("add", lines.load(plan.fields["counted"], place), value), place)
        total = lines.kept(total)
        lines.store(plan.fields["latest total"], total, seat)
        lines.store(plan.fields["total"], both("add", lines.load(plan.fields["total"], seat), total), seat)

    lines.count_through(number(1), number(n), of_one)


def small(scope: Scope, line: ast.ScoreLine, value: X) -> X:
    """Points that may be too large to be added up in a word are left to the reference."""
    low, high = bounds(scope.plan, scope.bench.type_of(line.value))
    scale = scales.scale_of(scope.plan, line)
    if low is not None and high is not None:
        value = known(value, low * scale, high * scale)
    return kept_below(scope, value, MOST_POINTS, line)


def tell(machine: Machine, score: ast.Score, first: int, number_: int) -> None:
    """The sheet for who records the game: its number, the round, the values."""
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    used = lines.kept(machine.load("told"))
    room = plan.fields["sheets told"].amount - (2 + len(score.lines) * n)
    with lines.when(compare("<", used, number(room))):
        lines.store(plan.fields["sheets told"], number(number_), used)
        lines.store(plan.fields["sheets told"], machine.load("round"), both("add", used, number(1)))
        for at in range(len(score.lines) * n):
            value = lines.load(plan.fields["sheet"], number(first * n + at))
            lines.store(plan.fields["sheets told"], value, both("add", used, number(2 + at)))
        machine.store("told", both("add", used, number(2 + len(score.lines) * n)))


# ---- places


def finish(machine: Machine) -> None:
    """Final places and the result."""
    rankings = machine.plan.bench.of_class(ast.Ranking)
    rank_all(machine)
    place(machine, bool(rankings) and not rankings[0].ties_share)
    outcome(machine)


def rank_all(machine: Machine) -> None:
    """A number for each player that grows with every criterion in which others are better."""
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    rank = plan.fields["rank"]
    for seat in range(n):
        lines.store(rank, number(0), number(seat))
    criteria = large_tables.criteria_of(plan)
    is_large = large_tables.is_large(plan, len(criteria))
    for criterion in criteria:
        scope = machine.scope()
        if criterion is None or criterion.when is None:
            add_criterion(machine, criterion, is_large)
        else:
            with lines.when(scope.condition(criterion.when)):
                add_criterion(machine, criterion, is_large)


def add_criterion(machine: Machine, criterion: ast.Criterion | None, is_large: bool) -> None:
    scope, n, lines = machine.scope(), machine.plan.bench.players, machine.lines
    if is_large:
        large_tables.add_criterion(scope, criterion)
        return
    rank = machine.plan.fields["rank"]
    is_list = criterion is not None and names.is_several(scope, criterion.value)
    if criterion is not None:
        list_values.refuse_lists(scope, criterion.value, "the ranking")
    is_highest = criterion is None or criterion.direction == "highest"
    values: list[X | Listed] = []
    for seat in range(n):
        whose = scope.asked_of(number(seat + 1))
        if criterion is None:
            values.append(lines.kept(builtin_words.total(whose)))
        elif is_list:
            values.append(listed(whose, whose.several(criterion.value)))
        else:
            values.append(lines.kept(fractions.comparable(whose, criterion.value)))
    for seat, own in enumerate(values):
        better = number(0)
        for other, theirs in enumerate(values):
            if other != seat:
                order = "<" if is_highest else ">"
                better = both("add", better, as_number(is_better(scope, own, theirs, order)))
        had = both("mul", lines.load(rank, number(seat)), number(n + 1))
        lines.store(rank, both("add", had, better), number(seat))


def is_better(scope: Scope, own: X | Listed, theirs: X | Listed, order: str) -> X:
    if isinstance(own, Listed) and isinstance(theirs, Listed):
        return scope.lines.kept(compare(order, compare_listed(scope, own, theirs), number(0)))
    assert isinstance(own, X)
    assert isinstance(theirs, X)
    return compare(order, own, theirs)


def place(machine: Machine, no_ties: bool) -> None:
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    if n > large_tables.MOST_WRITTEN_OUT:
        shared = large_tables.place_all(machine.scope())
        if no_ties:
            machine.scope().fault_when(unless_left(machine, shared), "undecided-tie", plan.bench.program.game)
        machine.store("over", number(1))
        return
    ranks = [lines.kept(lines.load(plan.fields["rank"], number(seat))) for seat in range(n)]
    tied: X = NO
    for seat, own in enumerate(ranks):
        better = number(1)
        for other, theirs in enumerate(ranks):
            if other != seat:
                better = both("add", better, as_number(compare("<", theirs, own)))
                tied = logic("or", tied, compare("=", theirs, own)) if no_ties else tied
        lines.store(plan.fields["place"], better, number(seat))
    if no_ties:
        machine.scope().fault_when(unless_left(machine, lines.kept(tied)), "undecided-tie", plan.bench.program.game)
    machine.store("over", number(1))


def unless_left(machine: Machine, tied: X) -> X:
    """Where points could not be told, whether they are equal is not known either: the reference tells."""
    return logic("and", tied, compare("=", machine.load("fault"), number(0)))


def outcome(machine: Machine) -> None:
    """The first outcome that holds, by its number from 1; one more for `otherwise`."""
    results = machine.plan.bench.of_class(ast.Result)
    if not results:
        return
    lines = machine.lines
    if len(results[0].outcomes) > MOST_OUTCOMES:
        raise CannotCompile("the table can end in too many ways")
    with lines.block() as done:
        for number_, one in enumerate(results[0].outcomes, start=1):
            test = machine.scope().condition(one.when)
            with lines.when(test):
                machine.store("result", number(number_))
                lines.leave(done)
        machine.store("result", number(len(results[0].outcomes) + 1))
