"""How good a position is for everyone, in machine code: the same whole numbers as `bots.worth`. Clobbers the position.

A game that is not over is looked at as if it ended now.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.interpreter.bots.evaluation import FOR_POINTS, MEMORY, MOST_POINTS, ONE
from rulesrun.interpreter.form.form import Function, X, both, compare, number, select
from rulesrun.interpreter.native.flow import bodies, scores
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.memory_access import Writing, finished, positive, written
from rulesrun.interpreter.native.layout.plan import Plan


def lay_out(plan: Plan) -> None:
    n = plan.bench.players
    for name, amount in (("worth", n), ("points", n), ("scale", 1), ("shown", 1)):
        plan.scratch(name, 64, amount)


def judging_now(plan: Plan, worth: Function) -> Function:
    """Every `score` is counted, then all are placed; what cannot be counted here is left out."""
    function, writing = written(plan, "judge now", (), None)
    machine = Machine(plan, True, bodies.statement, draws=True, lines=writing.lines)
    counted = writing.lines.variable(number(0), "n")
    first = 0
    for which, score in enumerate(plan.bench.of_class(ast.Score)):
        count_safely(machine, writing, score, first, which, counted)
        first += len(score.lines)
    with writing.lines.when(compare(">", counted, number(0))) as some:
        scores.rank_all(machine)
        rankings = plan.bench.of_class(ast.Ranking)
        scores.place(machine, bool(rankings) and not rankings[0].ties_share)
        with writing.lines.when(compare("is not", writing.load("fault"), number(0))):
            all_alike(writing)
    with writing.lines.otherwise(some):
        all_alike(writing)
    writing.do(worth)
    writing.lines.add("return")
    return finished(function, writing)


def count_safely(machine: Machine, writing: Writing, score: ast.Score, first: int, which: int, counted: X) -> None:
    lines = writing.lines
    writing.store("fault", number(0))
    with lines.block() as done:
        scores.work_out(machine, score, first)
        lines.leave(done, compare("is not", writing.load("fault"), number(0)))
        scores.write_down(machine, score, first)
        lines.set(counted, number(1))
    writing.store("fault", number(0))


def all_alike(writing: Writing) -> None:
    for seat in range(writing.plan.bench.players):
        writing.store("place", number(1), number(seat))


def worth_of_all(plan: Plan, is_common: bool, sign: int) -> Function:
    """From points and places."""
    function, writing = written(plan, "worth of all", (), None)
    lines, n = writing.lines, plan.bench.players
    for seat in range(n):
        points = both("mul", lines.load(plan.fields["total"], number(seat)), number(sign))
        points = both("min", both("max", points, number(-MOST_POINTS)), number(MOST_POINTS))
        writing.store("points", points, number(seat))
    if is_common:
        value = lines.kept(both("mul", writing.load("points"), number(FOR_POINTS)))
        for seat in range(n):
            writing.store("worth", value, number(seat))
    else:
        share_out(writing, n)
    lines.add("return")
    return finished(function, writing)


def share_out(writing: Writing, n: int) -> None:
    """Three parts for the place, one for the lead."""
    lines = writing.lines
    total = lines.variable(number(0), "t")
    largest = lines.variable(number(0), "l")
    for seat in range(n):
        lines.add_to(total, writing.load("points", number(seat)))
    leads = []
    for seat in range(n):
        lead = both("sub", both("mul", writing.load("points", number(seat)), number(n)), total)
        leads.append(lines.kept(both("mul", lead, number(FOR_POINTS))))
        lines.set(largest, both("max", largest, size_of(leads[-1])))
    shown = lines.kept(both("min", both("add", writing.load("shown"), number(1)), number(MEMORY)))
    writing.store("shown", shown)
    writing.add("scale", both("div", both("sub", largest, writing.load("scale")), both("add", shown, number(1))))
    for seat, lead in enumerate(leads):
        far = both("add", both("add", size_of(lead), writing.load("scale")), number(1))
        gained = both("add", both("div", both("mul", lead, number(ONE // 2)), lines.kept(far)), number(ONE // 2))
        worth = both("div", both("add", both("mul", placed(writing, seat, n), number(3)), gained), number(4))
        writing.store("worth", worth, number(seat))


def size_of(value: X) -> X:
    return select(compare("<", value, number(0)), both("sub", number(0), value), value)


def placed(writing: Writing, seat: int, n: int) -> X:
    """The share of the others who are behind; a tie counts half."""
    own = writing.load("place", number(seat))
    alike: X = number(0)
    for other in range(n):
        same = X("=", "i1", (writing.load("place", number(other)), own))
        alike = both("add", alike, X("widen", "i64", (same,), None, 0, 1))
    behind = both("sub", both("mul", both("sub", number(n + 1), own), number(2)), both("add", alike, number(1)))
    return writing.lines.kept(both("div", positive(both("mul", behind, number(ONE))), number(2 * (n - 1))))


