"""What is counted in a game, as lines: at every decision, turn, phase and counting of points, and at the end.

Takes the places of the figures; the same notes as the reference's `Watcher`, `Standings`, `RowWatch` and `Summary`.
"""

from __future__ import annotations

from functools import partial

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning
from rulesrun.interpreter.form.form import (
    NO,
    Field,
    Function,
    X,
    as_number,
    both,
    compare,
    how_many,
    known,
    logic,
    number,
    select,
)
from rulesrun.interpreter.measure.record import PARTS_OF_A_GAME, parts_of_a_win
from rulesrun.interpreter.native.expressions import calls, combinations, scales
from rulesrun.interpreter.native.flow import bodies, scores
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import Machine, Notes
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, ask, position_function
from rulesrun.interpreter.native.measure.figures import Figures, Rules, Told, in_a_row

SHEETS = ("counted", "latest", "total", "latest total")


@define(eq=False)
class Counting(Notes):
    """Adds to the row of the game at hand."""

    plan: Plan
    figures: Figures
    row: Field = field(init=False)
    looks_in_rounds: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.row = self.plan.scratch("figures of a game", 64, self.figures.width)
        counted = self.plan.bench.of_class(ast.Score)
        self.looks_in_rounds = any(score.when != "end" for score in counted)
        for name in SHEETS:
            self.plan.scratch(f"{name} so far", 64, self.plan.fields[name].amount)

    # ---- the row

    def add(self, scope: Scope, at: int | X, value: X) -> None:
        place = number(at) if isinstance(at, int) else scope.lines.kept(at)
        scope.lines.store(self.row, both("add", scope.lines.load(self.row, place), value), place)

    def put(self, scope: Scope, at: int, value: X) -> None:
        scope.lines.store(self.row, value, number(at))

    def get(self, scope: Scope, at: int) -> X:
        return scope.lines.kept(scope.lines.load(self.row, number(at)))

    def marked(self, scope: Scope, name: str) -> X:
        return self.get(scope, self.figures.mark(name))

    def add_one_of(self, scope: Scope, places: tuple[int, ...], which: X) -> None:
        """To the figure that stands for this one of several."""
        if in_a_row(places):
            at = both("add", which, number(places[0]))
        else:
            at = scope.lines.look_up(scope.plan.table_of("figures", places), which)
        self.add(scope, at, number(1))

    def turns(self, scope: Scope) -> X:
        return self.get(scope, self.figures.at(("length", "turns")))

    # ---- on the way

    def phase_begins(self, machine: Machine, number_: int) -> None:
        name = self.plan.bench.of_class(ast.Phase)[number_].name.text
        self.add(machine.scope(), self.figures.at(("phase", name)), number(1))

    def turn_begins(self, machine: Machine) -> None:
        scope = machine.scope()
        self.add(scope, self.figures.at(("length", "turns")), number(1))
        if not self.looks_in_rounds:
            scope.lines.add("do", ask(self.look(), scope))

    def counted(self, machine: Machine) -> None:
        scope = machine.scope()
        if self.figures.rules:
            scope.lines.add("do", ask(self.rows_looked_at(), scope))
        if self.looks_in_rounds:
            scope.lines.add("do", ask(self.look(), scope))

    def asked(self, scope: Scope, actions: list[ast.Action], counts: list[X]) -> None:
        total = counts[-1]
        self.add(scope, self.figures.at(("options",)), total)
        self.add(scope, self.figures.at(("forced",)), as_number(compare("=", total, number(1))))
        for action, ways in zip(actions, counts, strict=False):
            offered = self.figures.at(("offered", action.name.text))
            self.add(scope, offered, as_number(compare(">", ways, number(0))))

    def chosen(self, scope: Scope, action: ast.Action) -> None:
        def write(inner: Scope, given: list[X]) -> None:
            self.add(inner, self.figures.at(("action", action.name.text)), number(1))
            for choice, told in zip(action.choices, self.figures.told[id(action)], strict=True):
                self.tell(inner, choice, told)
            at = self.plan.bench.of_class(ast.Action).index(action)
            self.put(inner, self.figures.mark("last action"), number(at + 1))
            self.put(inner, self.figures.mark("last phase"), inner.lines.load(self.plan.fields["phase"]))

        noted = position_function(self.plan, ("noted", id(action)), f"note {action.name.text}", (), None, write)
        scope.lines.add("do", ask(noted, scope))

    def tell(self, scope: Scope, choice: ast.Choice, told: Told) -> None:
        """Adds to the figure of the value that was chosen, if there is one; of each, where there are several."""
        if id(choice) in self.plan.lists:
            return  # a list is not told value by value
        if choice.count is None:
            self.tell_one(scope, choice, told, scope.lines.load(self.plan.fixed_names[id(choice)]))
        elif told.figures:
            combinations.chosen(scope, choice).each(scope, lambda one: self.tell_one(scope, choice, told, one))

    def tell_one(self, scope: Scope, choice: ast.Choice, told: Told, chosen: X) -> None:
        lines = scope.lines
        value = lines.kept(both("sub", chosen, number(told.first)))
        is_known = logic("and", compare(">=", value, number(0)), compare("<", value, number(len(told.figures))))
        with lines.when(is_known) as line:
            if -1 in told.figures:
                at = lines.kept(lines.look_up(scope.plan.table_of("figures", told.figures), value))
                with lines.when(compare(">=", at, number(0))):
                    self.add(scope, at, number(1))
            else:
                self.add_one_of(scope, told.figures, known(value, 0, len(told.figures) - 1))
        if told.is_whole:
            with lines.otherwise(line):
                scope.fault(LEFT, choice)

    # ---- who leads

    def look(self) -> Function:
        """Who leads, as if the game were over now; where nothing can be said, the reference must look."""
        return position_function(self.plan, "who leads", "who leads", (), None, lambda scope, _: self.look_now(scope))

    def look_now(self, scope: Scope) -> None:
        lines, n = scope.lines, self.plan.bench.players
        machine = Machine(self.plan, False, bodies.statement, lines=lines)
        for name in SHEETS:
            copy(scope, self.plan.fields[name], self.plan.fields[f"{name} so far"])
        scores.count(machine, "end")
        scores.rank_all(machine)
        for name in SHEETS:
            copy(scope, self.plan.fields[f"{name} so far"], self.plan.fields[name])
        leaders = lines.variable(self.best(scope), "m")
        with lines.when(logic("or", self.tied(scope), compare("=", how_many(leaders), number(n)))):
            lines.set(leaders, number(0))
        before = self.marked(scope, "leading")
        is_new = logic("and", compare("is not", leaders, number(0)), compare("is not", leaders, before))
        with lines.when(is_new):
            self.add(scope, self.figures.at(("lead changes",)), as_number(compare("is not", before, number(0))))
            self.put(scope, self.figures.mark("leading"), leaders)
            self.put(scope, self.figures.mark("since"), lines.load(self.plan.fields["decisions"]))

    def ranks(self, scope: Scope) -> list[X]:
        place, lines = self.plan.fields["rank"], scope.lines
        return [lines.kept(lines.load(place, number(seat))) for seat in range(self.plan.bench.players)]

    def best(self, scope: Scope) -> X:
        """The players whom nobody is better than: a bit each."""
        ranks = self.ranks(scope)
        least, found = ranks[0], number(0)
        for one in ranks[1:]:
            least = both("min", least, one)
        least = scope.lines.kept(least)
        for seat, one in enumerate(ranks):
            found = both("add", found, both("mul", as_number(compare("=", one, least)), number(1 << seat)))
        return found

    def tied(self, scope: Scope) -> X:
        """Whether there is a tie that the rules leave undecided: then nobody can be said to lead."""
        rankings = self.plan.bench.of_class(ast.Ranking)
        found = NO
        if rankings and not rankings[0].ties_share:
            ranks = self.ranks(scope)
            for seat, one in enumerate(ranks):
                for other in ranks[:seat]:
                    found = logic("or", found, compare("=", one, other))
        return found

    # ---- rows with rules

    def rows_looked_at(self) -> Function:
        def write(scope: Scope, given: list[X]) -> None:
            for rules in self.figures.rules:
                for room in rules.rooms:
                    store = self.plan.stores[id(room.declaration)]
                    for index in range(store.amount):
                        containers.each_member(
                            scope, store, number(index),
                            partial(self.row_lies, scope, rules),
                        )

        return position_function(self.plan, "rows", "rows that lie open", (), None, write)

    def row_lies(self, scope: Scope, rules: Rules, kind: X) -> None:
        self.add_one_of(scope, rules.row, kind)
        meaning = AttributeMeaning(rules.kinds.declaration, rules.column, None)
        for seat in range(1, self.plan.bench.players + 1):
            with scope.lines.when(calls.rule_column(scope.asked_of(number(seat)), meaning, kind)):
                self.add_one_of(scope, rules.met, kind)

    # ---- the end

    def summing_up(self) -> Function:
        """All that is known at the end of a game alone."""
        def write(scope: Scope, given: list[X]) -> None:
            self.sum_up_places(scope)
            self.sum_up_sheets(scope)
            self.sum_up_course(scope)
            for room, places in self.figures.kept:
                store = self.plan.stores[id(room.declaration)]
                for index in range(store.amount):
                    containers.each_member(
                        scope, store, number(index),
                        partial(self.add_one_of, scope, places),
                    )

        return position_function(self.plan, "sum up", "sum up", (), None, write)

    def sum_up_places(self, scope: Scope) -> None:
        lines, n, parts = scope.lines, self.plan.bench.players, parts_of_a_win(self.plan.bench.players)
        winners, first = number(0), []
        for seat in range(1, n + 1):
            place = lines.kept(lines.load(self.plan.fields["place"], number(seat - 1)))
            self.put(scope, self.figures.place_of_seat(seat), place)
            first.append(lines.kept(as_number(compare("=", place, number(1)))))
            winners = both("add", winners, first[-1])
        winners = lines.kept(known(winners, 0, n))
        shares = scope.plan.table_of("shares", (0, *(parts // many for many in range(1, n + 1))))
        share, mask = lines.kept(lines.look_up(shares, winners)), number(0)
        for seat, won in enumerate(first, start=1):
            self.put(scope, self.figures.at(("win", str(seat))), both("mul", won, share))
            mask = both("add", mask, both("mul", won, number(1 << (seat - 1))))
        self.put(scope, self.figures.at(("tie",)), as_number(compare(">", winners, number(1))))
        self.sum_up_settled(scope, lines.kept(mask))

    def sum_up_settled(self, scope: Scope, winners: X) -> None:
        lines = scope.lines
        decisions = lines.kept(lines.load(self.plan.fields["decisions"]))
        led = compare("=", winners, self.marked(scope, "leading"))
        since = lines.kept(select(led, self.marked(scope, "since"), decisions))
        part = both("div", known(both("mul", since, number(PARTS_OF_A_GAME)), 0, 1 << 40),
                    known(both("max", decisions, number(1)), 1, 1 << 20))
        self.put(scope, self.figures.at(("settled",)), part)
        self.put(scope, self.figures.at(("length", "decisions")), decisions)
        self.put(scope, self.figures.mark("decisions"), decisions)
        self.put(scope, self.figures.at(("length", "rounds")), lines.load(self.plan.fields["round"]))

    def sum_up_sheets(self, scope: Scope) -> None:
        lines, bench, n = scope.lines, self.plan.bench, self.plan.bench.players
        totals = [lines.kept(lines.load(self.plan.fields["total"], number(seat))) for seat in range(n)]
        low = high = totals[0]
        for seat, total in enumerate(totals, start=1):
            self.put(scope, self.figures.at(("score", str(seat))), total)
            low, high = both("min", low, total), both("max", high, total)
        self.put(scope, self.figures.at(("margin",)), both("sub", high, low))
        first = 0
        for score in bench.of_class(ast.Score):
            for at, line in enumerate(score.lines, start=first):
                place = self.figures.at(("line", line.name.text))
                times = self.figures.scales.get(place, 1) // scales.scale_of(self.plan, line)
                for seat in range(n):
                    points = lines.load(self.plan.fields["counted"], number(at * n + seat))
                    self.add(scope, place, both("mul", points, number(times)))
            first += len(score.lines)

    def sum_up_course(self, scope: Scope) -> None:
        """How the game ended."""
        lines, bench, figures = scope.lines, self.plan.bench, self.figures
        result = lines.kept(lines.load(self.plan.fields["result"]))
        self.put(scope, figures.mark("result"), result)
        self.put(scope, figures.mark("happened"), lines.load(self.plan.fields["happened"]))
        results = bench.of_class(ast.Result)
        if results:
            words = [*(one.word.text for one in results[0].outcomes), results[0].otherwise.text]
            places = tuple(figures.at(("result", word)) for word in words)
            self.add_one_of(scope, places, known(both("sub", result, number(1)), 0, len(words) - 1))
        last, phase = self.marked(scope, "last action"), self.marked(scope, "last phase")
        actions = tuple(figures.at(("ending", one.name.text)) for one in bench.of_class(ast.Action))
        phases = tuple(figures.at(("ending", "in " + one.name.text)) for one in bench.of_class(ast.Phase))
        with lines.when(compare(">", last, number(0)) if actions else NO):
            self.add_one_of(scope, actions or (0,), known(both("sub", last, number(1)), 0, len(actions) - 1))
            self.add_one_of(scope, phases or (figures.at(("ending", "in play")),), phase)


def copy(scope: Scope, source: Field, target: Field) -> None:
    scope.lines.count_through(
        number(0), number(source.amount - 1),
        lambda at: scope.lines.store(target, scope.lines.load(source, at), at),
    )
