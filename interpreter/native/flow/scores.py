"""Score sheets, final places and the result. Writes what fills them in."""

from __future__ import annotations

from collections.abc import Container

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import NO, CannotCompile, Value, as_number, binary, compare, logic, narrow, number
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Criterion, Score, ScoreLine, define_line
from rulesrun.interpreter.native.expressions import builtin_words, calls, fractions, large_tables, lists, names, scales
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values, compare_lists
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, limit_magnitude, type_bounds

MOST_OUTCOMES = 1000
MOST_POINTS = 1 << 40


def lay_out_scores(plan: Plan) -> None:
    n = plan.bench.players
    lines = sum(len(score.lines) for score in plan.bench.scores)
    plan.add_field("counted", 64, max(lines, 1) * n)
    plan.add_field("latest", 64, max(lines, 1) * n)
    plan.add_field("total", 64, n)
    plan.add_field("latest total", 64, n)
    plan.add_scratch("sheet", 64, max(lines, 1) * n)
    plan.add_scratch("rank", 64, n)
    plan.add_scratch("better", 64, n)


def fill_in_sheets(machine: Machine, scores: Container[int]) -> None:
    """Those with these numbers, in the order of the file."""
    first = 0
    for number_, score in enumerate(machine.plan.bench.scores):
        if number_ in scores:
            fill_in_sheet(machine, score, first, number_)
        first += len(score.lines)


def fill_in_sheet(machine: Machine, score: Score, first: int, number_: int) -> None:
    """All lines of all players are worked out before any is written down."""
    compute_lines(machine, score, first)
    write_down_lines(machine, score, first)
    if machine.asks_chance:
        tell_sheet(machine, score, first, number_)
    machine.notes.on_points_counted(machine)


def compute_lines(machine: Machine, score: Score, first: int) -> None:
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    sheet, scope = plan.fields["sheet"], machine.new_scope()

    def of_one(player: Value) -> None:
        whose = scope.for_player(player)
        for at, line in enumerate(score.lines):
            value = as_number(calls.call_definition(whose, define_line(line)))
            lines.store(sheet, value, binary("add", binary("sub", player, number(1)), number((first + at) * n)))

    lines.for_range(number(1), number(n), of_one)


def write_down_lines(machine: Machine, score: Score, first: int) -> None:
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    sheet, scale = plan.fields["sheet"], scales.scale_of_total(plan)

    def of_one(player: Value) -> None:
        seat = lines.bind(binary("sub", player, number(1)))
        total = number(0)
        for at in range(len(score.lines)):
            place = lines.bind(binary("add", seat, number((first + at) * n)))
            value = limit_points(machine.new_scope(), score.lines[at], lines.bind(lines.load(sheet, place)))
            times = number(scale // scales.scale_of(plan, score.lines[at]))
            total = binary("add", total, binary("mul", value, times))
            lines.store(plan.fields["latest"], value, place)
            lines.store(plan.fields["counted"], binary("add", lines.load(plan.fields["counted"], place), value), place)
        total = lines.bind(total)
        lines.store(plan.fields["latest total"], total, seat)
        lines.store(plan.fields["total"], binary("add", lines.load(plan.fields["total"], seat), total), seat)

    lines.for_range(number(1), number(n), of_one)


def limit_points(scope: Scope, line: ScoreLine, value: Value) -> Value:
    """Points that may be too large to be added up in a word are left to the reference."""
    low, high = type_bounds(scope.plan, scope.bench.type_of(line.value))
    scale = scales.scale_of(scope.plan, line)
    if low is not None and high is not None:
        value = narrow(value, low * scale, high * scale)
    return limit_magnitude(scope, value, MOST_POINTS, line)


def tell_sheet(machine: Machine, score: Score, first: int, number_: int) -> None:
    """The sheet for who records the game: its number, the round, the values."""
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    used = lines.bind(machine.load("told"))
    room = plan.fields["sheets told"].amount - (2 + len(score.lines) * n)
    with lines.when(compare("<", used, number(room))):
        lines.store(plan.fields["sheets told"], number(number_), used)
        lines.store(plan.fields["sheets told"], machine.load("round"), binary("add", used, number(1)))
        for at in range(len(score.lines) * n):
            value = lines.load(plan.fields["sheet"], number(first * n + at))
            lines.store(plan.fields["sheets told"], value, binary("add", used, number(2 + at)))
        machine.store("told", binary("add", used, number(2 + len(score.lines) * n)))


# ---- places


def finish_scoring(machine: Machine) -> None:
    """Final places and the result."""
    rankings = machine.plan.bench.rankings
    rank_players(machine)
    assign_places(machine, bool(rankings) and not rankings[0].ties_share)
    lower_outcome(machine)


def rank_players(machine: Machine) -> None:
    """A number for each player that grows with every criterion in which others are better."""
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    rank = plan.fields["rank"]
    for seat in range(n):
        lines.store(rank, number(0), number(seat))
    criteria = large_tables.ranking_criteria(plan)
    is_large = large_tables.needs_loops(plan, len(criteria))
    for criterion in criteria:
        scope = machine.new_scope()
        if criterion is None or criterion.when is None:
            rank_by_criterion(machine, criterion, is_large)
        else:
            with lines.when(scope.lower_condition(criterion.when)):
                rank_by_criterion(machine, criterion, is_large)


def rank_by_criterion(machine: Machine, criterion: Criterion | None, is_large: bool) -> None:
    scope, n, lines = machine.new_scope(), machine.plan.bench.players, machine.lines
    if is_large:
        large_tables.rank_by_criterion(scope, criterion)
        return
    rank = machine.plan.fields["rank"]
    is_list = criterion is not None and names.is_collection(scope, criterion.value)
    if criterion is not None:
        lists.refuse_nested_lists(scope, criterion.value, "the ranking")
    is_highest = criterion is None or criterion.direction == "highest"
    values: list[Value | ValueList] = []
    for seat in range(n):
        whose = scope.for_player(number(seat + 1))
        if criterion is None:
            values.append(lines.bind(builtin_words.lower_total(whose)))
        elif is_list:
            values.append(collect_values(whose, whose.lower_collection(criterion.value)))
        else:
            values.append(lines.bind(fractions.lower_comparable(whose, criterion.value)))
    for seat, own in enumerate(values):
        better = number(0)
        for other, theirs in enumerate(values):
            if other != seat:
                order = "<" if is_highest else ">"
                better = binary("add", better, as_number(is_better(scope, own, theirs, order)))
        had = binary("mul", lines.load(rank, number(seat)), number(n + 1))
        lines.store(rank, binary("add", had, better), number(seat))


def is_better(scope: Scope, own: Value | ValueList, theirs: Value | ValueList, order: str) -> Value:
    if isinstance(own, ValueList) and isinstance(theirs, ValueList):
        return scope.lines.bind(compare(order, compare_lists(scope, own, theirs), number(0)))
    assert isinstance(own, Value)
    assert isinstance(theirs, Value)
    return compare(order, own, theirs)


def assign_places(machine: Machine, no_ties: bool) -> None:
    plan, lines, n = machine.plan, machine.lines, machine.plan.bench.players
    if n > large_tables.MOST_WRITTEN_OUT:
        shared = large_tables.assign_places(machine.new_scope())
        if no_ties:
            machine.new_scope().emit_fault_if(is_tie_certain(machine, shared), "undecided-tie", plan.bench.program.game)
        machine.store("over", number(1))
        return
    ranks = [lines.bind(lines.load(plan.fields["rank"], number(seat))) for seat in range(n)]
    tied, size = NO, plan.bench.team_size
    for seat, own in enumerate(ranks):
        better = number(1 if size == 1 else 0)
        for other, theirs in enumerate(ranks):
            if other != seat:
                better = binary("add", better, as_number(compare("<", theirs, own)))
                is_rival = no_ties and not are_partners(plan.bench, seat + 1, other + 1)
                tied = logic("or", tied, compare("=", theirs, own)) if is_rival else tied
        if size > 1:  # so many teams, and one more
            better = binary("add", binary("div", lines.bind(narrow(better, 0, n)), number(size)), number(1))
        lines.store(plan.fields["place"], better, number(seat))
    if no_ties:
        machine.new_scope().emit_fault_if(
            is_tie_certain(machine, lines.bind(tied)), "undecided-tie", plan.bench.program.game
        )
    machine.store("over", number(1))


def are_partners(bench: Workbench, one: int, other: int) -> bool:
    return any(one in team and other in team for team in bench.teams)


def is_tie_certain(machine: Machine, tied: Value) -> Value:
    """Where points could not be told, whether they are equal is not known either: the reference tells."""
    return logic("and", tied, compare("=", machine.load("fault"), number(0)))


def lower_outcome(machine: Machine) -> None:
    """The first outcome that holds, by its number from 1; one more for `otherwise`."""
    results = machine.plan.bench.results
    if not results:
        return
    lines = machine.lines
    if len(results[0].outcomes) > MOST_OUTCOMES:
        raise CannotCompile(message("the table can end in too many ways"))
    with lines.block() as done:
        for number_, one in enumerate(results[0].outcomes, start=1):
            test = machine.new_scope().lower_condition(one.when)
            with lines.when(test):
                machine.store("result", number(number_))
                lines.leave(done)
        machine.store("result", number(len(results[0].outcomes) + 1))
