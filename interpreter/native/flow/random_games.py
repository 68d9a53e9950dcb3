"""The loop of random games as lines: begin, play, add up, again. Takes a table, gives functions and a layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import frozen

from rulesrun.interpreter.form.form import NUMBER, CannotCompile, Constants, Function, X, both, compare, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.model.random import GOLDEN, name_number
from rulesrun.interpreter.native.expressions import fractions, gathering, numbers
from rulesrun.interpreter.native.flow import bodies, flow, memories, moments, scores, standings_check
from rulesrun.interpreter.native.layout import stores
from rulesrun.interpreter.native.layout.machine import Machine, Notes
from rulesrun.interpreter.native.layout.plan import Plan, Scope, planned
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS, player_source
from rulesrun.interpreter.reference.table import Table

MOST_COUNTED = 7**6  # final places that are counted one by one; at larger tables they are noted game by game
MOST_NOTED = 1024  # games
MOST_STREAMS = 1 << 15
WORD = (1 << 64) - 1


@frozen(eq=False)
class Form:
    """A table in the small form: what may be shown, and what becomes machine code."""

    plan: Plan
    functions: tuple[Function, ...]
    start: Constants


def signed(value: int) -> int:
    """A word as the machine's number."""
    value &= WORD
    return value - (1 << 64) if value >> 63 else value


def random_games(table: Table) -> Form:
    plan = laid_out(table)
    lay_out_counters(plan)
    play = play_function(plan, Notes())
    start = Constants("start", 8, start_bytes(plan))
    loop = games_loop(plan, play, start)
    return Form(plan, (*plan.functions, play, loop), start)


def laid_out(table: Table) -> Plan:
    """All that belongs to a position and to a thread that plays, before the flow is written."""
    plan = planned(table, lay_out)
    plan.scratch("streams", 64, MOST_STREAMS)
    for name in ("watching", "limit", "seed", "seeding", "told", "sheets told", "seen broken"):
        plan.scratch(name, 64, 1)
    return plan


def lay_out(plan: Plan) -> None:
    plan.expression, plan.collection, plan.fraction = numbers.value, gathering.several, fractions.exact
    for player in range(plan.bench.players + 1):
        plan.stream(player_source(player))
    stores.lay_out(plan)
    scores.lay_out(plan)
    memories.lay_out(plan)


def play_function(plan: Plan, notes: Notes) -> Function:
    """One game from its first position on."""
    machine = Machine(plan, False, bodies.statement, notes=notes)
    flow.whole_game(machine)
    return written_out(machine)


def lay_out_counters(plan: Plan) -> None:
    n = plan.bench.players
    for name, amount in (
        ("all games", 1), ("all decisions", 1), ("all scores", n), ("all results", 1024),
        ("all happened", 64), ("all broken", 64), ("all lengths", MOST_DECISIONS + 2),
    ):
        plan.scratch(name, 64, amount)
    if (n + 1) ** n <= MOST_COUNTED:
        plan.scratch("all places", 64, (n + 1) ** n)
        return
    plan.scratch("noted places", 8, n * MOST_NOTED)
    plan.scratch("noted games", 64)


def start_bytes(plan: Plan) -> tuple[int, ...]:
    size = (plan.size + 15) // 16 * 16
    return tuple(plan.starts.get(at, 0) for at in range(size))


def written_out(machine: Machine) -> Function:
    """The whole game as one function; it gives 1 when the game came to its end."""
    lines, plan = machine.lines, machine.plan
    machine.place("end")
    with lines.when(compare("is not", machine.load("watching"), number(0))):
        player = machine.scope().player
        lines.add("do", call(moments.looking(plan), player))
        lines.add("do", call(moments.looking_at_the_end(plan), player))
        lines.add("do", call(moments.keeping_count(plan), player))
        lines.add("do", call(standings_check.agreeing(plan), player))
    machine.look_at_work()
    lines.add("return", compare("=", machine.load("fault"), number(0)))
    machine.place("stuck")
    lines.add("return", compare("=", number(0), number(1)))
    return Function("play", (), "i1", lines.lines)


def games_loop(plan: Plan, play: Function, start: Constants) -> Function:
    """Plays games until one must be looked at more closely; gives how many it has played."""
    lines = Lines()
    scope = Scope(plan, lines, number(1))
    first, amount = X("local", NUMBER, extra="first"), X("local", NUMBER, extra="amount")
    done = lines.variable(number(0), "games")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, amount))
        if "noted games" in plan.fields:
            lines.leave(over, compare(">=", lines.load(plan.fields["noted games"]), number(MOST_NOTED)))
        lines.add("copy", extra=(0, len(start.values), start))
        if plan.work is not None:
            lines.store(plan.work, number(0))
        if plan.lists_written:
            lines.store(plan.heap[1], number(0))
        begin_streams(scope, both("add", first, done))
        ended = lines.kept(call(play), "ended")
        lines.leave(over, X("not", "i1", (ended,)))
        new = X("and", NUMBER, (
            lines.load(plan.fields["broken"]), X("not", NUMBER, (lines.load(plan.fields["seen broken"]),))
        ))
        lines.leave(over, compare("is not", new, number(0)))
        add_up(scope)
        lines.add_to(done, number(1))
    lines.add("return", done)
    return Function("games", ("first", "amount"), NUMBER, lines.lines, is_inner=False)


def begin_streams(scope: Scope, game: X) -> None:
    """Every zone, variable and player has a stream of its own; as the reference's `Streams`."""
    plan, lines = scope.plan, scope.lines
    seed, golden = lines.load(plan.fields["seed"]), number(signed(GOLDEN))
    key = lines.variable(number(0), "key")
    several = compare("=", lines.load(plan.fields["seeding"]), number(0))
    step = X("mul", NUMBER, (both("add", game, number(1)), golden))
    with lines.when(several) as line:
        lines.set(key, mix(X("add", NUMBER, (mix(seed), step))))
    with lines.otherwise(line):
        own = lines.variable(seed, "seed")
        with lines.when(compare("is not", game, number(0))):
            moved = X("mix_sum", NUMBER, (mix(seed), game))
            lines.set(own, X("and", NUMBER, (moved, number((1 << 53) - 1))))
        lines.set(key, mix(X("add", NUMBER, (mix(own), golden))))
    if plan.luck is not None:
        lines.store(plan.luck.fields["key"], key)
    if len(plan.streams) > MOST_STREAMS:
        raise CannotCompile("there are too many sources of chance")
    names = plan.table_of("sources", tuple(signed(name_number(name)) for name in plan.streams))
    lines.count_through(number(0), number(len(plan.streams) - 1), lambda at: lines.store(
        plan.fields["streams"], mix(X("xor", NUMBER, (key, lines.look_up(names, at)))), at
    ))


def mix(value: X) -> X:
    return X("mix", NUMBER, (value,))


def add_places(scope: Scope, add: Callable[[str, X, X | None], None]) -> None:
    """The final places by their number among all there can be, or one after the other, seat by seat."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    if "all places" in plan.fields:
        code = number(0)
        for seat in range(n):
            code = both("add", both("mul", code, number(n + 1)), lines.load(plan.fields["place"], number(seat)))
        add("all places", number(1), code)
        return
    base = lines.kept(both("mul", lines.load(plan.fields["noted games"]), number(n)))
    lines.count_through(number(0), number(n - 1), lambda seat: lines.store(
        plan.fields["noted places"], lines.load(plan.fields["place"], seat), both("add", base, seat)
    ))
    add("noted games", number(1), None)


def add_up(scope: Scope) -> None:
    """The game's part of all counts."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players

    def add(name: str, value: X, at: X | None = None) -> None:
        place = plan.fields[name]
        at = lines.kept(at) if at is not None else None
        lines.store(place, X("add", NUMBER, (lines.load(place, at), value)), at)

    decisions = lines.kept(lines.load(plan.fields["decisions"]))
    add("all games", number(1))
    add("all decisions", decisions)
    add("all lengths", number(1), both("min", decisions, number(MOST_DECISIONS + 1)))
    for seat in range(n):
        add("all scores", lines.load(plan.fields["total"], number(seat)), number(seat))
    add_places(scope, add)
    add("all results", number(1), lines.load(plan.fields["result"]))
    with lines.when(compare("is not", lines.load(plan.fields["watching"]), number(0))):
        for name in ("happened", "broken"):
            lines.each_bit(
                lines.load(plan.fields[name]), partial(add, f"all {name}", number(1)), 64
            )
