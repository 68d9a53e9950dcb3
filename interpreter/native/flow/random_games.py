"""The loop of random games as lines: begin, play, add up, again. Takes a table, gives functions and a layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Constants,
    Function,
    Value,
    as_number,
    binary,
    compare,
    number,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.model.core import Criterion
from rulesrun.interpreter.model.random import GOLDEN, hash_name
from rulesrun.interpreter.native.expressions import builtin_words, fractions, gathering, large_tables, names, numbers
from rulesrun.interpreter.native.expressions.collections import ValueList
from rulesrun.interpreter.native.expressions.lists import collect_values
from rulesrun.interpreter.native.flow import bodies, flow, memories, moments, scores
from rulesrun.interpreter.native.flow.scores import is_better
from rulesrun.interpreter.native.layout import stores
from rulesrun.interpreter.native.layout.machine import MOST_PROPERTIES, FlowHooks, Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope, plan_layout, position_function
from rulesrun.interpreter.play.game_loop import MOST_DECISIONS, player_stream_name
from rulesrun.interpreter.reference.table import Table

# ---- standings check
# Whether final places agree with what ranks them, as lines: pair by pair, apart from the module that ranks.
#
# As the reference's `play.final_standings`; a game in which they do not is left to the reference to tell.


DISAGREES = MOST_PROPERTIES + 2
Pair = tuple[int, int]


def agreement_function(plan: Plan) -> Function:
    def write(scope: Scope, given: list[Value]) -> None:
        criteria = large_tables.ranking_criteria(plan)
        if large_tables.needs_loops(plan, 1):
            with scope.lines.when(large_tables.has_disagreement(scope, criteria)):
                moments.set_property_bit(scope, "broken", DISAGREES)
            return
        pairs = list(combinations(range(plan.bench.players), 2))
        ahead = {pair: scope.lines.variable(number(0), "ahead") for pair in pairs}
        for criterion in criteria:
            if criterion is None or criterion.when is None:
                order_pairs(scope, criterion, ahead)
            else:
                with scope.lines.when(scope.lower_condition(criterion.when)):
                    order_pairs(scope, criterion, ahead)
        for pair, order in ahead.items():
            one, other = (scope.lines.bind(scope.lines.load(plan.fields["place"], number(seat))) for seat in pair)
            with scope.lines.when(
                compare("is not", order, order_sign(compare("<", one, other), compare(">", one, other)))
            ):
                moments.set_property_bit(scope, "broken", DISAGREES)

    return position_function(plan, "agree", "places agree", (), None, write)


def order_pairs(scope: Scope, criterion: Criterion | None, ahead: dict[Pair, Value]) -> None:
    """Who is ahead of those whom nothing has told apart yet: 1 the first, -1 the second of the pair."""
    values = [criterion_value(scope, criterion, seat) for seat in range(scope.bench.players)]
    order = ">" if criterion is None or criterion.direction == "highest" else "<"
    for (one, other), found in ahead.items():
        with scope.lines.when(compare("=", found, number(0))):
            is_first = is_better(scope, values[one], values[other], order)
            is_second = is_better(scope, values[other], values[one], order)
            scope.lines.set(found, order_sign(is_first, is_second))


def criterion_value(scope: Scope, criterion: Criterion | None, seat: int) -> Value | ValueList:
    whose = scope.for_player(number(seat + 1))
    if criterion is None:
        return scope.lines.bind(builtin_words.lower_total(whose))
    if names.is_collection(scope, criterion.value):
        return collect_values(whose, whose.lower_collection(criterion.value))
    return scope.lines.bind(fractions.lower_comparable(whose, criterion.value))


def order_sign(is_first: Value, is_second: Value) -> Value:
    return binary("sub", as_number(is_first), as_number(is_second))


# ---- random games


MOST_COUNTED = 7**6  # final places that are counted one by one; at larger tables they are noted game by game
MOST_NOTED = 1024  # games
MOST_STREAMS = 1 << 15
WORD = (1 << 64) - 1


@frozen(eq=False)
class RandomGamesForm:
    """A table in the small form: what may be shown, and what becomes machine code."""

    plan: Plan
    functions: tuple[Function, ...]
    start: Constants


def to_signed(value: int) -> int:
    """A word as the machine's number."""
    value &= WORD
    return value - (1 << 64) if value >> 63 else value


def lower_random_games(table: Table) -> RandomGamesForm:
    plan = plan_random_games(table)
    lay_out_counters(plan)
    play = play_function(plan, FlowHooks())
    start = Constants("start", 8, start_bytes(plan))
    loop = games_loop(plan, play, start)
    return RandomGamesForm(plan, (*plan.functions, play, loop), start)


def plan_random_games(table: Table) -> Plan:
    """All that belongs to a position and to a thread that plays, before the flow is written."""
    plan = plan_layout(table, lay_out_position)
    plan.add_scratch("streams", 64, MOST_STREAMS)
    for name in ("watching", "limit", "seed", "seeding", "told", "sheets told", "seen broken"):
        plan.add_scratch(name, 64, 1)
    return plan


def lay_out_position(plan: Plan) -> None:
    plan.expression, plan.collection, plan.fraction = (
        numbers.lower_value,
        gathering.lower_collection,
        fractions.lower_exact,
    )
    for player in range(plan.bench.players + 1):
        plan.stream_number(player_stream_name(player))
    stores.lay_out_position(plan)
    scores.lay_out_scores(plan)
    memories.lay_out_memories(plan)


def play_function(plan: Plan, notes: FlowHooks) -> Function:
    """One game from its first position on."""
    machine = Machine(plan, False, bodies.lower_instruction, notes=notes)
    flow.lower_flow(machine)
    return game_function(machine)


def lay_out_counters(plan: Plan) -> None:
    n = plan.bench.players
    for name, amount in (
        ("all games", 1), ("all decisions", 1), ("all scores", n), ("all results", 1024),
        ("all happened", 64), ("all broken", 64), ("all lengths", MOST_DECISIONS + 2),
    ):
        plan.add_scratch(name, 64, amount)
    if (n + 1) ** n <= MOST_COUNTED:
        plan.add_scratch("all places", 64, (n + 1) ** n)
        return
    plan.add_scratch("noted places", 8, n * MOST_NOTED)
    plan.add_scratch("noted games", 64)


def start_bytes(plan: Plan) -> tuple[int, ...]:
    size = (plan.size + 15) // 16 * 16
    return tuple(plan.starts.get(at, 0) for at in range(size))


def game_function(machine: Machine) -> Function:
    """The whole game as one function; it gives 1 when the game came to its end."""
    lines, plan = machine.lines, machine.plan
    machine.place_label("end")
    with lines.when(compare("is not", machine.load("watching"), number(0))):
        player = machine.new_scope().player
        lines.emit("do", call(moments.property_check_function(plan), player))
        lines.emit("do", call(moments.share_check_function(plan), player))
        lines.emit("do", call(moments.component_count_function(plan), player))
        lines.emit("do", call(agreement_function(plan), player))
    machine.check_work()
    lines.emit("return", compare("=", machine.load("fault"), number(0)))
    machine.place_label("stuck")
    lines.emit("return", compare("=", number(0), number(1)))
    return Function("play", (), "i1", lines.lines)


def games_loop(plan: Plan, play: Function, start: Constants) -> Function:
    """Plays games until one must be looked at more closely; gives how many it has played."""
    lines = Lines()
    scope = Scope(plan, lines, number(1))
    first, amount = Value("local", NUMBER, extra="first"), Value("local", NUMBER, extra="amount")
    done = lines.variable(number(0), "games")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, amount))
        if "noted games" in plan.fields:
            lines.leave(over, compare(">=", lines.load(plan.fields["noted games"]), number(MOST_NOTED)))
        lines.emit("copy", extra=(0, len(start.values), start))
        if plan.work is not None:
            lines.store(plan.work, number(0))
        if plan.lists_written:
            lines.store(plan.heap[1], number(0))
        begin_streams(scope, binary("add", first, done))
        ended = lines.bind(call(play), "ended")
        lines.leave(over, Value("not", "i1", (ended,)))
        new = Value("and", NUMBER, (
            lines.load(plan.fields["broken"]), Value("not", NUMBER, (lines.load(plan.fields["seen broken"]),))
        ))
        lines.leave(over, compare("is not", new, number(0)))
        count_game(scope)
        lines.add_to(done, number(1))
    lines.emit("return", done)
    return Function("games", ("first", "amount"), NUMBER, lines.lines, is_inner=False)


def begin_streams(scope: Scope, game: Value) -> None:
    """Every zone, variable and player has a stream of its own; as the reference's `Streams`."""
    plan, lines = scope.plan, scope.lines
    seed, golden = lines.load(plan.fields["seed"]), number(to_signed(GOLDEN))
    key = lines.variable(number(0), "key")
    several = compare("=", lines.load(plan.fields["seeding"]), number(0))
    step = Value("mul", NUMBER, (binary("add", game, number(1)), golden))
    with lines.when(several) as line:
        lines.set(key, mix_word(Value("add", NUMBER, (mix_word(seed), step))))
    with lines.otherwise(line):
        own = lines.variable(seed, "seed")
        with lines.when(compare("is not", game, number(0))):
            moved = Value("mix_sum", NUMBER, (mix_word(seed), game))
            lines.set(own, Value("and", NUMBER, (moved, number((1 << 53) - 1))))
        lines.set(key, mix_word(Value("add", NUMBER, (mix_word(own), golden))))
    if plan.luck is not None:
        lines.store(plan.luck.fields["key"], key)
    if len(plan.streams) > MOST_STREAMS:
        raise CannotCompile(message("there are too many sources of chance"))
    names = plan.add_constants("sources", tuple(to_signed(hash_name(name)) for name in plan.streams))
    lines.for_range(number(0), number(len(plan.streams) - 1), lambda at: lines.store(
        plan.fields["streams"], mix_word(Value("xor", NUMBER, (key, lines.look_up(names, at)))), at
    ))


def mix_word(value: Value) -> Value:
    return Value("mix", NUMBER, (value,))


def count_places(scope: Scope, add: Callable[[str, Value, Value | None], None]) -> None:
    """The final places by their number among all there can be, or one after the other, seat by seat."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players
    if "all places" in plan.fields:
        code = number(0)
        for seat in range(n):
            code = binary("add", binary("mul", code, number(n + 1)), lines.load(plan.fields["place"], number(seat)))
        add("all places", number(1), code)
        return
    base = lines.bind(binary("mul", lines.load(plan.fields["noted games"]), number(n)))
    lines.for_range(number(0), number(n - 1), lambda seat: lines.store(
        plan.fields["noted places"], lines.load(plan.fields["place"], seat), binary("add", base, seat)
    ))
    add("noted games", number(1), None)


def count_game(scope: Scope) -> None:
    """The game's part of all counts."""
    plan, lines, n = scope.plan, scope.lines, scope.bench.players

    def add(name: str, value: Value, at: Value | None = None) -> None:
        place = plan.fields[name]
        at = lines.bind(at) if at is not None else None
        lines.store(place, Value("add", NUMBER, (lines.load(place, at), value)), at)

    decisions = lines.bind(lines.load(plan.fields["decisions"]))
    add("all games", number(1))
    add("all decisions", decisions)
    add("all lengths", number(1), binary("min", decisions, number(MOST_DECISIONS + 1)))
    for seat in range(n):
        add("all scores", lines.load(plan.fields["total"], number(seat)), number(seat))
    count_places(scope, add)
    add("all results", number(1), lines.load(plan.fields["result"]))
    with lines.when(compare("is not", lines.load(plan.fields["watching"]), number(0))):
        for name in ("happened", "broken"):
            lines.for_each_bit(
                lines.load(plan.fields[name]), partial(add, f"all {name}", number(1)), 64
            )
