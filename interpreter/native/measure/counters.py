"""What is counted in a game, as lines: at every decision, turn, phase and counting of points, and at the end.

Takes the places of the figures; the same notes as the reference takes.
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
    Value,
    as_number,
    binary,
    compare,
    count_bits,
    logic,
    narrow,
    number,
    select,
)
from rulesrun.interpreter.measure.record import PARTS_OF_A_GAME, parts_of_a_win
from rulesrun.interpreter.model.moments import MeasuredFigure
from rulesrun.interpreter.native.expressions import calls, combinations, scales
from rulesrun.interpreter.native.flow import bodies, moments, scores
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import FlowHooks, Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, call_for_player, position_function
from rulesrun.interpreter.native.measure.figures import ChoiceFigures, Figures, RuleFigures, is_consecutive

SHEETS = ("counted", "latest", "total", "latest total")


@define(eq=False)
class CountingHooks(FlowHooks):
    """Adds to the row of the game at hand."""

    plan: Plan
    figures: Figures
    row: Field = field(init=False)
    looks_in_rounds: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.row = self.plan.add_scratch("figures of a game", 64, self.figures.width)
        counted = self.plan.bench.declarations(ast.Score)
        self.looks_in_rounds = any(score.when != "end" for score in counted)
        for name in SHEETS:
            self.plan.add_scratch(f"{name} so far", 64, self.plan.fields[name].amount)

    # ---- the row

    def add_figure(self, scope: Scope, at: int | Value, value: Value) -> None:
        place = number(at) if isinstance(at, int) else scope.lines.bind(at)
        scope.lines.store(self.row, binary("add", scope.lines.load(self.row, place), value), place)

    def set_figure(self, scope: Scope, at: int, value: Value) -> None:
        scope.lines.store(self.row, value, number(at))

    def load_figure(self, scope: Scope, at: int) -> Value:
        return scope.lines.bind(scope.lines.load(self.row, number(at)))

    def load_mark(self, scope: Scope, name: str) -> Value:
        return self.load_figure(scope, self.figures.place_of_mark(name))

    def count_one_of(self, scope: Scope, places: tuple[int, ...], which: Value) -> None:
        """To the figure that stands for this one of several."""
        if is_consecutive(places):
            at = binary("add", which, number(places[0]))
        else:
            at = scope.lines.look_up(scope.plan.add_constants("figures", places), which)
        self.add_figure(scope, at, number(1))

    def load_turns(self, scope: Scope) -> Value:
        return self.load_figure(scope, self.figures.place_of_key(("length", "turns")))

    # ---- on the way

    def on_phase_begin(self, machine: Machine, number_: int) -> None:
        name = self.plan.bench.declarations(ast.Phase)[number_].name.text
        self.add_figure(machine.new_scope(), self.figures.place_of_key(("phase", name)), number(1))

    def on_turn_begin(self, machine: Machine) -> None:
        scope = machine.new_scope()
        self.add_figure(scope, self.figures.place_of_key(("length", "turns")), number(1))
        if not self.looks_in_rounds:
            scope.lines.emit("do", call_for_player(self.leaders_function(), scope))

    def on_figure(self, machine: Machine, figure: MeasuredFigure) -> None:
        scope, name = machine.new_scope(), figure.declaration.name.text
        places = [self.figures.place_of_key((word, name)) for word in ("figure", "moments")]
        known = [self.load_figure(scope, place) for place in places]
        for place, value in zip(places, moments.combine_value(machine, figure, *known), strict=True):
            self.set_figure(scope, place, value)

    def on_points_counted(self, machine: Machine) -> None:
        scope = machine.new_scope()
        if self.figures.rules:
            scope.lines.emit("do", call_for_player(self.rule_rows_function(), scope))
        if self.looks_in_rounds:
            scope.lines.emit("do", call_for_player(self.leaders_function(), scope))

    def on_options_counted(self, scope: Scope, actions: list[ast.Action], counts: list[Value]) -> None:
        total = counts[-1]
        self.add_figure(scope, self.figures.place_of_key(("options",)), total)
        self.add_figure(scope, self.figures.place_of_key(("forced",)), as_number(compare("=", total, number(1))))
        for action, ways in zip(actions, counts, strict=False):
            offered = self.figures.place_of_key(("offered", action.name.text))
            self.add_figure(scope, offered, as_number(compare(">", ways, number(0))))

    def on_option_chosen(self, scope: Scope, action: ast.Action) -> None:
        def write(inner: Scope, given: list[Value]) -> None:
            self.add_figure(inner, self.figures.place_of_key(("action", action.name.text)), number(1))
            for choice, told in zip(action.choices, self.figures.told[id(action)], strict=True):
                self.count_choice(inner, choice, told)
            at = self.plan.bench.declarations(ast.Action).index(action)
            self.set_figure(inner, self.figures.place_of_mark("last action"), number(at + 1))
            self.set_figure(
                inner, self.figures.place_of_mark("last phase"), inner.lines.load(self.plan.fields["phase"])
            )

        noted = position_function(self.plan, ("noted", id(action)), f"note {action.name.text}", (), None, write)
        scope.lines.emit("do", call_for_player(noted, scope))

    def count_choice(self, scope: Scope, choice: ast.Choice, told: ChoiceFigures) -> None:
        """Adds to the figure of the value that was chosen, if there is one; of each, where there are several."""
        if id(choice) in self.plan.lists:
            return  # a list is not told value by value
        if choice.count is None:
            self.count_chosen_value(scope, choice, told, scope.lines.load(self.plan.fixed_names[id(choice)]))
        elif told.figures:
            combinations.selected_values(scope, choice).for_each(
                scope, lambda one: self.count_chosen_value(scope, choice, told, one)
            )

    def count_chosen_value(self, scope: Scope, choice: ast.Choice, told: ChoiceFigures, chosen: Value) -> None:
        lines = scope.lines
        value = lines.bind(binary("sub", chosen, number(told.first)))
        is_known = logic("and", compare(">=", value, number(0)), compare("<", value, number(len(told.figures))))
        with lines.when(is_known) as line:
            if -1 in told.figures:
                at = lines.bind(lines.look_up(scope.plan.add_constants("figures", told.figures), value))
                with lines.when(compare(">=", at, number(0))):
                    self.add_figure(scope, at, number(1))
            else:
                self.count_one_of(scope, told.figures, narrow(value, 0, len(told.figures) - 1))
        if told.is_whole:
            with lines.otherwise(line):
                scope.emit_fault(LEFT, choice)

    # ---- who leads

    def leaders_function(self) -> Function:
        """Who leads, as if the game were over now; where nothing can be said, the reference must look."""
        return position_function(
            self.plan, "who leads", "who leads", (), None, lambda scope, _: self.note_leaders(scope)
        )

    def note_leaders(self, scope: Scope) -> None:
        lines, n = scope.lines, self.plan.bench.players
        machine = Machine(self.plan, False, bodies.lower_instruction, lines=lines)
        for name in SHEETS:
            copy_field(scope, self.plan.fields[name], self.plan.fields[f"{name} so far"])
        counted = self.plan.bench.declarations(ast.Score)
        scores.fill_in_sheets(machine, [at for at, score in enumerate(counted) if score.when == "end"])
        scores.rank_players(machine)
        for name in SHEETS:
            copy_field(scope, self.plan.fields[f"{name} so far"], self.plan.fields[name])
        leaders = lines.variable(self.best_players(scope), "m")
        with lines.when(logic("or", self.has_undecided_tie(scope), compare("=", count_bits(leaders), number(n)))):
            lines.set(leaders, number(0))
        before = self.load_mark(scope, "leading")
        is_new = logic("and", compare("is not", leaders, number(0)), compare("is not", leaders, before))
        with lines.when(is_new):
            self.add_figure(
                scope, self.figures.place_of_key(("lead changes",)), as_number(compare("is not", before, number(0)))
            )
            self.set_figure(scope, self.figures.place_of_mark("leading"), leaders)
            self.set_figure(scope, self.figures.place_of_mark("since"), lines.load(self.plan.fields["decisions"]))

    def load_ranks(self, scope: Scope) -> list[Value]:
        place, lines = self.plan.fields["rank"], scope.lines
        return [lines.bind(lines.load(place, number(seat))) for seat in range(self.plan.bench.players)]

    def best_players(self, scope: Scope) -> Value:
        """The players whom nobody is better than: a bit each."""
        ranks = self.load_ranks(scope)
        least, found = ranks[0], number(0)
        for one in ranks[1:]:
            least = binary("min", least, one)
        least = scope.lines.bind(least)
        for seat, one in enumerate(ranks):
            found = binary("add", found, binary("mul", as_number(compare("=", one, least)), number(1 << seat)))
        return found

    def has_undecided_tie(self, scope: Scope) -> Value:
        """Whether there is a tie that the rules leave undecided: then nobody can be said to lead."""
        rankings = self.plan.bench.declarations(ast.Ranking)
        found = NO
        if rankings and not rankings[0].ties_share:
            ranks = self.load_ranks(scope)
            for seat, one in enumerate(ranks):
                for other in ranks[:seat]:
                    found = logic("or", found, compare("=", one, other))
        return found

    # ---- rows with rules

    def rule_rows_function(self) -> Function:
        def write(scope: Scope, given: list[Value]) -> None:
            for rules in self.figures.rules:
                for room in rules.rooms:
                    store = self.plan.stores[id(room.declaration)]
                    for index in range(store.amount):
                        containers.for_each_member(
                            scope, store, number(index),
                            partial(self.count_rule_row, scope, rules),
                        )

        return position_function(self.plan, "rows", "rows that lie open", (), None, write)

    def count_rule_row(self, scope: Scope, rules: RuleFigures, kind: Value) -> None:
        self.count_one_of(scope, rules.row, kind)
        meaning = AttributeMeaning(rules.kinds.declaration, rules.column, None)
        for seat in range(1, self.plan.bench.players + 1):
            with scope.lines.when(calls.lower_rule_column(scope.for_player(number(seat)), meaning, kind)):
                self.count_one_of(scope, rules.met, kind)

    # ---- the end

    def sum_up_function(self) -> Function:
        """All that is known at the end of a game alone."""
        def write(scope: Scope, given: list[Value]) -> None:
            self.sum_up_places(scope)
            self.sum_up_sheets(scope)
            self.sum_up_course(scope)
            for room, places in self.figures.kept:
                store = self.plan.stores[id(room.declaration)]
                for index in range(store.amount):
                    containers.for_each_member(
                        scope, store, number(index),
                        partial(self.count_one_of, scope, places),
                    )

        return position_function(self.plan, "sum up", "sum up", (), None, write)

    def sum_up_places(self, scope: Scope) -> None:
        lines, n, parts = scope.lines, self.plan.bench.players, parts_of_a_win(self.plan.bench.players)
        winners, first, size = number(0), [], self.plan.bench.team_size
        for seat in range(1, n + 1):
            place = lines.bind(lines.load(self.plan.fields["place"], number(seat - 1)))
            self.set_figure(scope, self.figures.place_of_seat(seat), place)
            first.append(lines.bind(as_number(compare("=", place, number(1)))))
            winners = binary("add", winners, first[-1])
        winners = lines.bind(narrow(winners, 0, n))
        shares = scope.plan.add_constants("shares", (0, *(parts * size // max(many, size) for many in range(1, n + 1))))
        share, mask = lines.bind(lines.look_up(shares, winners)), number(0)
        for seat, won in enumerate(first, start=1):
            self.set_figure(scope, self.figures.place_of_key(("win", str(seat))), binary("mul", won, share))
            mask = binary("add", mask, binary("mul", won, number(1 << (seat - 1))))
        self.set_figure(scope, self.figures.place_of_key(("tie",)), as_number(compare(">", winners, number(size))))
        self.sum_up_settled(scope, lines.bind(mask))

    def sum_up_settled(self, scope: Scope, winners: Value) -> None:
        lines = scope.lines
        decisions = lines.bind(lines.load(self.plan.fields["decisions"]))
        led = compare("=", winners, self.load_mark(scope, "leading"))
        since = lines.bind(select(led, self.load_mark(scope, "since"), decisions))
        part = binary("div", narrow(binary("mul", since, number(PARTS_OF_A_GAME)), 0, 1 << 40),
                    narrow(binary("max", decisions, number(1)), 1, 1 << 20))
        self.set_figure(scope, self.figures.place_of_key(("settled",)), part)
        self.set_figure(scope, self.figures.place_of_key(("length", "decisions")), decisions)
        self.set_figure(scope, self.figures.place_of_mark("decisions"), decisions)
        self.set_figure(scope, self.figures.place_of_key(("length", "rounds")), lines.load(self.plan.fields["round"]))

    def sum_up_sheets(self, scope: Scope) -> None:
        lines, bench, n = scope.lines, self.plan.bench, self.plan.bench.players
        totals = [lines.bind(lines.load(self.plan.fields["total"], number(seat))) for seat in range(n)]
        low = high = totals[0]
        for seat, total in enumerate(totals, start=1):
            self.set_figure(scope, self.figures.place_of_key(("score", str(seat))), total)
            low, high = binary("min", low, total), binary("max", high, total)
        self.set_figure(scope, self.figures.place_of_key(("margin",)), binary("sub", high, low))
        first = 0
        for score in bench.declarations(ast.Score):
            for at, line in enumerate(score.lines, start=first):
                place = self.figures.place_of_key(("line", line.name.text))
                times = self.figures.scales.get(place, 1) // scales.scale_of(self.plan, line)
                for seat in range(n):
                    points = lines.load(self.plan.fields["counted"], number(at * n + seat))
                    self.add_figure(scope, place, binary("mul", points, number(times)))
            first += len(score.lines)

    def sum_up_course(self, scope: Scope) -> None:
        """How the game ended."""
        lines, bench, figures = scope.lines, self.plan.bench, self.figures
        result = lines.bind(lines.load(self.plan.fields["result"]))
        self.set_figure(scope, figures.place_of_mark("result"), result)
        for figure in self.plan.table.watches.figures:  # what is only counted has a value though it never came
            if figure.declaration.word in {"how often", "sum"}:
                self.set_figure(scope, figures.place_of_key(("moments", figure.declaration.name.text)), number(1))
        self.set_figure(scope, figures.place_of_mark("happened"), lines.load(self.plan.fields["happened"]))
        results = bench.declarations(ast.Result)
        if results:
            words = [*(one.word.text for one in results[0].outcomes), results[0].otherwise.text]
            places = tuple(figures.place_of_key(("result", word)) for word in words)
            self.count_one_of(scope, places, narrow(binary("sub", result, number(1)), 0, len(words) - 1))
        last, phase = self.load_mark(scope, "last action"), self.load_mark(scope, "last phase")
        actions = tuple(figures.place_of_key(("ending", one.name.text)) for one in bench.declarations(ast.Action))
        phases = tuple(figures.place_of_key(("ending", "in " + one.name.text)) for one in bench.declarations(ast.Phase))
        with lines.when(compare(">", last, number(0)) if actions else NO):
            self.count_one_of(scope, actions or (0,), narrow(binary("sub", last, number(1)), 0, len(actions) - 1))
            self.count_one_of(scope, phases or (figures.place_of_key(("ending", "in play")),), phase)


def copy_field(scope: Scope, source: Field, target: Field) -> None:
    scope.lines.for_range(
        number(0), number(source.amount - 1),
        lambda at: scope.lines.store(target, scope.lines.load(source, at), at),
    )
