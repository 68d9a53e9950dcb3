"""What is counted in a game, as lines: at every decision, turn, phase and counting of points, and at the end.

At each event stands what `declared_figures` says is counted then, in the places of the figures.
"""

from __future__ import annotations

from functools import partial, reduce

from attrs import define, field

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
from rulesrun.interpreter.measure.declared_figures import Event
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.moments import ALWAYS_THERE, MeasuredFigure, parts_of_a_win
from rulesrun.interpreter.native.expressions import calls, combinations, scales
from rulesrun.interpreter.native.flow import bodies, moments, scores
from rulesrun.interpreter.native.flow.moments import lower_term
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.machine import FlowHooks, Machine
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, call_for_player, position_function
from rulesrun.interpreter.native.measure.figures import ChoiceFigures, Figures, RuleFigures, is_consecutive

ONE = number(1)
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
        counted = self.plan.bench.scores
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

    def note(self, scope: Scope, event: Event, which: int | Value = 0, of: str = "", **known: Value) -> None:
        """To the figures that count what has happened."""
        for row in self.figures.rows[event, of]:
            adds = lower_term(row.figure.adds, known)
            if isinstance(which, Value):
                self.count_one_of(scope, row.places, which, adds)
            elif event.is_single:
                self.set_figure(scope, row.places[which], adds)
            else:
                self.add_figure(scope, row.places[which], adds)

    def count_one_of(self, scope: Scope, places: tuple[int, ...], which: Value, adds: Value = ONE) -> None:
        """To the figure that stands for this one of several."""
        if is_consecutive(places):
            at = binary("add", which, number(places[0]))
        else:
            at = scope.lines.look_up(scope.plan.add_constants("figures", places), which)
        self.add_figure(scope, at, adds)

    def load_turns(self, scope: Scope) -> Value:
        (row,) = self.figures.rows[Event.TURN, ""]
        return self.load_figure(scope, row.places[0])

    # ---- on the way

    def on_phase_begin(self, machine: Machine, number_: int) -> None:
        self.note(machine.new_scope(), Event.PHASE, number_)

    def on_turn_begin(self, machine: Machine) -> None:
        scope = machine.new_scope()
        self.note(scope, Event.TURN)
        if not self.looks_in_rounds:
            scope.lines.emit("do", call_for_player(self.leaders_function(), scope))

    def on_figure(self, machine: Machine, figure: MeasuredFigure) -> None:
        scope, at = machine.new_scope(), self.plan.table.watches.figures.index(figure)
        before, times = (self.load_figure(scope, row.places[at]) for row in self.figures.rows[Event.MOMENT, ""])
        total, times = moments.combine_value(machine, figure, before, times)
        self.note(scope, Event.MOMENT, at, total=total, times=times)

    def on_points_counted(self, machine: Machine) -> None:
        scope = machine.new_scope()
        if self.figures.rules:
            scope.lines.emit("do", call_for_player(self.rule_rows_function(), scope))
        if self.looks_in_rounds:
            scope.lines.emit("do", call_for_player(self.leaders_function(), scope))

    def on_options_counted(self, scope: Scope, actions: list[core.Action], counts: list[Value]) -> None:
        total = counts[-1]
        self.note(scope, Event.DECISION, options=total)
        declared = self.plan.bench.actions
        for action, ways in zip(actions, counts, strict=False):
            is_possible = as_number(compare(">", ways, number(0)))
            self.note(scope, Event.POSSIBLE, declared.index(action), possible=is_possible)

    def on_option_chosen(self, scope: Scope, action: core.Action) -> None:
        def write(inner: Scope, given: list[Value]) -> None:
            at = self.plan.bench.actions.index(action)
            self.note(inner, Event.CHOICE, at)
            for choice, told in zip(action.choices, self.figures.told[id(action)], strict=True):
                self.count_choice(inner, choice, told)
            self.set_figure(inner, self.figures.place_of_mark("last action"), number(at + 1))
            self.set_figure(
                inner, self.figures.place_of_mark("last phase"), inner.lines.load(self.plan.fields["phase"])
            )

        noted = position_function(self.plan, ("noted", id(action)), f"note {action.name.text}", (), None, write)
        scope.lines.emit("do", call_for_player(noted, scope))

    def count_choice(self, scope: Scope, choice: core.Choice, told: ChoiceFigures) -> None:
        """Adds to the figure of the value that was chosen, if there is one; of each, where there are several."""
        if id(choice) in self.plan.lists:
            return  # a list is not told value by value
        if choice.count is None:
            self.count_chosen_value(scope, choice, told, scope.lines.load(self.plan.fixed_names[id(choice)]))
        elif told.figures:
            combinations.selected_values(scope, choice).for_each(
                scope, lambda one: self.count_chosen_value(scope, choice, told, one)
            )

    def count_chosen_value(self, scope: Scope, choice: core.Choice, told: ChoiceFigures, chosen: Value) -> None:
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
        counted = self.plan.bench.scores
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
            self.note(scope, Event.NEW_LEADER, led=as_number(compare("is not", before, number(0))))
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
        rankings = self.plan.bench.rankings
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
        declaration, players = rules.kinds.declaration, number(0)
        for seat in range(1, self.plan.bench.players + 1):
            holds = calls.lower_rule_column(scope.for_player(number(seat)), rules.rule, kind)
            players = scope.lines.bind(binary("add", players, as_number(holds)))
        self.note(scope, Event.OPEN_ROW, kind, declaration.name.text, players=players)

    # ---- the end

    def sum_up_function(self) -> Function:
        """All that is known at the end of a game alone."""
        def write(scope: Scope, given: list[Value]) -> None:
            totals = [scope.lines.bind(scope.lines.load(self.plan.fields["total"], number(seat))) for seat in range(n)]
            winners, mask = self.sum_up_seats(scope, totals)
            self.sum_up_end(scope, totals, winners, mask)
            self.sum_up_lines(scope)
            self.sum_up_course(scope)
            for room in self.figures.kept:
                store = self.plan.stores[id(room.declaration)]
                for index in range(store.amount):
                    containers.for_each_member(
                        scope, store, number(index),
                        partial(self.note, scope, Event.KEPT, of=room.kinds.declaration.name.text),
                    )

        n = self.plan.bench.players

        return position_function(self.plan, "sum up", "sum up", (), None, write)

    def sum_up_seats(self, scope: Scope, totals: list[Value]) -> tuple[Value, Value]:
        """Gives how many have won, and who: a bit each."""
        lines, n, size = scope.lines, self.plan.bench.players, self.plan.bench.team_size
        winners, mask, first = number(0), number(0), []
        for seat in range(1, n + 1):
            place = lines.bind(lines.load(self.plan.fields["place"], number(seat - 1)))
            self.set_figure(scope, self.figures.place_of_seat(seat), place)
            first.append(lines.bind(as_number(compare("=", place, number(1)))))
            winners = binary("add", winners, first[-1])
            mask = binary("add", mask, binary("mul", first[-1], number(1 << (seat - 1))))
        winners = lines.bind(narrow(binary("max", winners, number(1)), 1, n))
        parts = number(parts_of_a_win(n) * size)
        for at, (won, total) in enumerate(zip(first, totals, strict=True)):
            self.note(scope, Event.SEAT, at, won=won, parts=parts, winners=winners, total=total)
        return winners, lines.bind(mask)

    def sum_up_end(self, scope: Scope, totals: list[Value], winners: Value, mask: Value) -> None:
        lines, fields = scope.lines, self.plan.fields
        decisions = lines.bind(narrow(lines.load(fields["decisions"]), 0, 1 << 20))
        led = compare("=", mask, self.load_mark(scope, "leading"))
        since = lines.bind(narrow(select(led, self.load_mark(scope, "since"), decisions), 0, 1 << 20))
        self.note(
            scope, Event.END, decisions=decisions, rounds=lines.load(fields["round"]), since=since, winners=winners,
            team=number(self.plan.bench.team_size), highest=reduce(partial(binary, "max"), totals),
            lowest=reduce(partial(binary, "min"), totals),
        )  # fmt: skip
        self.set_figure(scope, self.figures.place_of_mark("decisions"), decisions)

    def sum_up_lines(self, scope: Scope) -> None:
        (row,), n = self.figures.rows[Event.LINE, ""], self.plan.bench.players
        lines = [line for score in self.plan.bench.scores for line in score.lines]
        for at, (line, place) in enumerate(zip(lines, row.places, strict=True)):
            times = self.figures.scales.get(place, 1) // scales.scale_of(self.plan, line)
            points = number(0)
            for seat in range(n):
                points = binary("add", points, scope.lines.load(self.plan.fields["counted"], number(at * n + seat)))
            self.note(scope, Event.LINE, at, points=binary("mul", points, number(times)))

    def sum_up_course(self, scope: Scope) -> None:
        """How the game ended."""
        lines, figures = scope.lines, self.figures
        result = lines.bind(lines.load(self.plan.fields["result"]))
        self.set_figure(scope, figures.place_of_mark("result"), result)
        of_rules = figures.rows[Event.MOMENT, ""][1]
        for figure, place in zip(self.plan.table.watches.figures, of_rules.places, strict=True):
            if figure.declaration.word in ALWAYS_THERE:
                self.set_figure(scope, place, number(1))
        self.set_figure(scope, figures.place_of_mark("happened"), lines.load(self.plan.fields["happened"]))
        self.note_one_of(scope, Event.RESULT, binary("sub", result, number(1)))
        last, phase = self.load_mark(scope, "last action"), self.load_mark(scope, "last phase")
        with lines.when(compare(">", last, number(0))):
            self.note_one_of(scope, Event.LAST, binary("sub", last, number(1)), "action")
            self.note_one_of(scope, Event.LAST, phase, "phase")

    def note_one_of(self, scope: Scope, event: Event, which: Value, of: str = "") -> None:
        """Where there are any; `which` is one of them."""
        amount = len(self.figures.rows[event, of][0].places)
        if amount:
            self.note(scope, event, narrow(which, 0, amount - 1), of)


def copy_field(scope: Scope, source: Field, target: Field) -> None:
    scope.lines.for_range(
        number(0), number(source.amount - 1),
        lambda at: scope.lines.store(target, scope.lines.load(source, at), at),
    )
