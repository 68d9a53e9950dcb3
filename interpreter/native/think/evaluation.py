"""How good a position is for everyone, in machine code: the numbers of `bots.evaluation`. Clobbers the position.

A game that is not over is looked at as if it ended now.
"""

from __future__ import annotations

from rulesrun.interpreter.bots.evaluation import FOR_POINTS, FOR_STAKES, MEMORY, MOST_POINTS, MOST_STAKES, ONE
from rulesrun.interpreter.form.form import Function, Value, binary, compare, number, select
from rulesrun.interpreter.model.core import Score
from rulesrun.interpreter.native.flow import bodies, scores
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.memory_access import (
    FunctionWriter,
    begin_function,
    finish_function,
    narrow_to_natural,
)
from rulesrun.interpreter.native.layout.plan import Plan


def lay_out_worths(plan: Plan) -> None:
    n = plan.bench.players
    for name, amount in (("worth", n), ("points", n), ("scale", 1), ("shown", 1)):
        plan.add_scratch(name, 64, amount)


def worth_now_function(plan: Plan, worth: Function) -> Function:
    """Every `score` is counted, then all are placed; what cannot be counted here is left out."""
    function, writing = begin_function(plan, "judge now", (), None)
    machine = Machine(plan, True, bodies.lower_instruction, draws=True, lines=writing.lines)
    counted = writing.lines.variable(number(0), "n")
    first = 0
    for which, score in enumerate(plan.bench.scores):
        count_score_safely(machine, writing, score, first, which, counted)
        first += len(score.lines)
    with writing.lines.when(compare(">", counted, number(0))) as some:
        scores.rank_players(machine)
        rankings = plan.bench.rankings
        scores.assign_places(machine, bool(rankings) and not rankings[0].ties_share)
        with writing.lines.when(compare("is not", writing.load("fault"), number(0))):
            set_equal_places(writing)
    with writing.lines.otherwise(some):
        set_equal_places(writing)
    writing.call_procedure(worth)
    writing.lines.emit("return")
    return finish_function(function, writing)


def count_score_safely(
    machine: Machine, writing: FunctionWriter, score: Score, first: int, which: int, counted: Value
) -> None:
    lines = writing.lines
    writing.store("fault", number(0))
    with lines.block() as done:
        scores.compute_lines(machine, score, first)
        lines.leave(done, compare("is not", writing.load("fault"), number(0)))
        scores.write_down_lines(machine, score, first)
        lines.set(counted, number(1))
    writing.store("fault", number(0))


def set_equal_places(writing: FunctionWriter) -> None:
    for seat in range(writing.plan.bench.players):
        writing.store("place", number(1), number(seat))


def worth_function(plan: Plan, is_common: bool, has_stakes: bool, sign: int) -> Function:
    """From points and places."""
    function, writing = begin_function(plan, "worth of all", (), None)
    lines, n = writing.lines, plan.bench.players
    for seat in range(n):
        points = binary("mul", lines.load(plan.fields["total"], number(seat)), number(sign))
        points = binary("min", binary("max", points, number(-MOST_POINTS)), number(MOST_POINTS))
        writing.store("points", points, number(seat))
    if is_common:
        value = lines.bind(binary("mul", writing.load("points"), number(FOR_POINTS)))
        for seat in range(n):
            writing.store("worth", value, number(seat))
    elif has_stakes:
        for seat in range(n):
            points = binary("max", writing.load("points", number(seat)), number(-MOST_STAKES))
            points = lines.bind(binary("min", points, number(MOST_STAKES)))
            worth = binary("add", binary("mul", points, number(FOR_STAKES)), number(ONE // 2))
            writing.store("worth", worth, number(seat))
    else:
        share_out_worth(writing, n)
    lines.emit("return")
    return finish_function(function, writing)


def share_out_worth(writing: FunctionWriter, n: int) -> None:
    """Three parts for the place, one for the lead."""
    lines = writing.lines
    total = lines.variable(number(0), "t")
    largest = lines.variable(number(0), "l")
    for seat in range(n):
        lines.add_to(total, writing.load("points", number(seat)))
    leads = []
    for seat in range(n):
        lead = binary("sub", binary("mul", writing.load("points", number(seat)), number(n)), total)
        leads.append(lines.bind(binary("mul", lead, number(FOR_POINTS))))
        lines.set(largest, binary("max", largest, absolute_value(leads[-1])))
    shown = lines.bind(binary("min", binary("add", writing.load("shown"), number(1)), number(MEMORY)))
    writing.store("shown", shown)
    writing.add_to(
        "scale", binary("div", binary("sub", largest, writing.load("scale")), binary("add", shown, number(1)))
    )
    for seat, lead in enumerate(leads):
        far = binary("add", binary("add", absolute_value(lead), writing.load("scale")), number(1))
        gained = binary("add", binary("div", binary("mul", lead, number(ONE // 2)), lines.bind(far)), number(ONE // 2))
        worth = binary("div", binary("add", binary("mul", place_worth(writing, seat, n), number(3)), gained), number(4))
        writing.store("worth", worth, number(seat))


def absolute_value(value: Value) -> Value:
    return select(compare("<", value, number(0)), binary("sub", number(0), value), value)


def place_worth(writing: FunctionWriter, seat: int, n: int) -> Value:
    """The share of the others who are behind; a tie counts half."""
    own, size = writing.load("place", number(seat)), writing.plan.bench.team_size
    alike: Value = number(0)
    for other in range(n):
        same = Value("=", "i1", (writing.load("place", number(other)), own))
        alike = binary("add", alike, Value("widen", "i64", (same,), None, 0, 1))
    if size > 1:  # so many players are in the teams before
        own = binary("add", binary("mul", binary("sub", own, number(1)), number(size)), number(1))
    behind = binary("sub", binary("mul", binary("sub", number(n + 1), own), number(2)), binary("add", alike, number(1)))
    return writing.lines.bind(binary("div", narrow_to_natural(binary("mul", behind, number(ONE))), number(2 * (n - 1))))


