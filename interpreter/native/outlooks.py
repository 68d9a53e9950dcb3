"""What a position promises, in machine code: the numbers of the reference's `Outlook`, added to a row.

The blur is put into memory before: shares by situation and line, spreads.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.measuring.outlook import FINE, MOST_POINTS, PARTS, SPREADS, SURE, WAYS, Outlook, span
from rulesrun.interpreter.native import bodies, scales, scores
from rulesrun.interpreter.native.form import CannotCompile, Function, X, both, compare, known, number
from rulesrun.interpreter.native.machine import Machine
from rulesrun.interpreter.native.plan import Plan
from rulesrun.interpreter.native.questions import Question
from rulesrun.interpreter.native.thinking_words import Writing, finished, positive, written

MOST_ADDED = 1 << 16  # numbers of a row, all situations together


@define(eq=False)
class OutlookLines:
    plan: Plan
    outlook: Outlook
    questions: tuple[Question, ...]

    def lay_out(self) -> None:
        plan, outlook, n = self.plan, self.outlook, self.plan.bench.players
        if scales.scale_of_total(plan) != 1 or outlook.situations * outlook.width > MOST_ADDED:
            raise CannotCompile("points in fractions, or too many situations: the reference looks at these")
        lines = max(sum(outlook.lines), 1)
        for name, amount in (
            ("row of luck", outlook.situations * outlook.width), ("shares of points", outlook.situations * lines),
            ("spreads of points", SPREADS), ("points now", lines * n), ("points had", n),
        ):
            plan.scratch(name, 64, amount)

    def adding(self) -> Function:
        """Adds the numbers of the position at hand, so many times, to the row."""
        function, writing = written(self.plan, "add outlook", ("times",), None)
        lines, n = writing.lines, self.plan.bench.players
        times = X("local", "i64", extra="times")
        situation = self.situation(writing)
        self.points(writing, situation)
        base = lines.kept(both("mul", situation, number(self.outlook.width)))

        def add(step: int, value: X) -> None:
            at = lines.kept(both("add", base, number(step)))
            writing.add("row of luck", both("mul", times, value), at)

        add(0, number(1))
        many = sum(self.outlook.lines)
        for seat in range(n):
            first = 1 + seat * self.outlook.of_seat
            for line in range(many):
                add(first + line, writing.load("points now", number(line * n + seat)))
            add(first + many, writing.load("points had", number(seat)))
        if self.outlook.has_chances:
            self.chances(writing, situation, add)
        lines.add("return")
        return finished(function, writing)

    def situation(self, writing: Writing) -> X:
        lines, outlook = writing.lines, self.outlook
        here = writing.load("pc")
        kinds = (0, *(int(not isinstance(one.node, ast.Choose)) for one in self.questions))
        found = lines.variable(number(outlook.situations - 1), "c")
        with lines.when(compare("is not", here, number(0))):
            at = lines.look_up(self.plan.table_of("kinds of questions", kinds), known(here, 0, len(kinds) - 1))
            round_ = both("min", both("max", writing.load("round"), number(0)), number(outlook.rounds - 1))
            at = both("add", both("mul", at, number(outlook.rounds)), round_)
            phase = both("min", writing.load("phase"), number(outlook.phases - 1))
            at = both("add", both("mul", at, number(outlook.phases)), phase)
            for room in outlook.numbers:
                assert room.low is not None
                value = lines.load(self.plan.variables[id(room.declaration)])
                step = both("sub", value, number(room.low))
                at = both("add", both("mul", at, number(span(room))), step)
            lines.set(found, at)
        return found

    def points(self, writing: Writing, situation: X) -> None:
        """As if they were counted now, which leaves the position as it is; what cannot be counted here is 0."""
        lines, n = writing.lines, self.plan.bench.players
        machine = Machine(self.plan, True, bodies.statement, lines=lines)
        for place in range(sum(self.outlook.lines) * n):
            writing.store("points now", number(0), number(place))
        with lines.when(compare("is not", situation, number(self.outlook.situations - 1))):
            first = 0
            for score in self.plan.bench.of_class(ast.Score):
                scores.work_out(machine, score, first)
                with lines.when(compare("=", writing.load("fault"), number(0))):
                    for place in range(first * n, (first + len(score.lines)) * n):
                        writing.store("points now", bounded(writing.load("sheet", number(place))), number(place))
                writing.store("fault", number(0))
                first += len(score.lines)
        for seat in range(n):
            writing.store("points had", bounded(writing.load("total", number(seat))), number(seat))

    def chances(self, writing: Writing, situation: X, add: Callable[[int, X], None]) -> None:
        """Who would win how surely: by the points that will count, then by all of them, each blurred more and more."""
        first = sum(self.outlook.lines) + 1
        for family in range(2):
            ahead = self.ahead(writing, situation, is_shared=not family)
            for at in range(SPREADS):
                spread = known(writing.load("spreads of points", number(at)), 1, None)
                for seat, chance in enumerate(self.blurred(writing, ahead, spread)):
                    add(1 + seat * self.outlook.of_seat + first + family * SPREADS + at, chance)

    def ahead(self, writing: Writing, situation: X, is_shared: bool) -> list[X]:
        """What every seat has and will have, in parts of a point; more is better."""
        lines, many, found = writing.lines, sum(self.outlook.lines), []
        shares: list[X] = [number(PARTS)] * many
        if is_shared:
            first = lines.kept(both("mul", situation, number(many)))
            shares = [writing.load("shares of points", both("add", first, number(line))) for line in range(many)]
        for seat in range(self.plan.bench.players):
            total = both("mul", writing.load("points had", number(seat)), number(PARTS))
            for line, share in enumerate(shares):
                point = writing.load("points now", number(line * self.plan.bench.players + seat))
                total = both("add", total, both("mul", share, point))
            found.append(lines.kept(both("mul", total, number(self.outlook.sign))))
        return found

    def blurred(self, writing: Writing, ahead: list[X], spread: X) -> list[X]:
        lines, table = writing.lines, self.plan.table_of("ways to win", WAYS)
        best = ahead[0]
        for one in ahead[1:]:
            best = lines.kept(both("max", best, one))
        ways, together = [], number(0)
        for one in ahead:
            far = both("div", positive(both("mul", both("sub", best, one), number(FINE))), spread)
            step = lines.kept(known(both("min", far, number(len(WAYS) - 1)), 0, len(WAYS) - 1))
            ways.append(lines.kept(lines.look_up(table, step)))
            together = both("add", together, ways[-1])
        together = lines.kept(known(together, 1, None))
        return [both("div", positive(both("mul", own, number(SURE))), together) for own in ways]


def bounded(points: X) -> X:
    return both("min", both("max", points, number(-MOST_POINTS)), number(MOST_POINTS))
