"""Games that lean towards what is rare, as lines: the answers of `search.biased_search.BiasedAnswers`, word for word.

Takes a table, gives functions. A game in which something new is to be told is left to the reference, with the counts
of what had been done before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Constants,
    Function,
    Value,
    binary,
    compare,
    logic,
    number,
    select,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.flow import bodies, chance, flow, questions
from rulesrun.interpreter.native.flow.asked_games import (
    OVER,
    AskedGamesForm,
    answer_functions,
    each_registers,
    machine_function,
    plan_asked_games,
)
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import begin_streams, start_bytes
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope
from rulesrun.interpreter.native.search import replayed_games
from rulesrun.interpreter.native.search.replayed_games import (
    PROPERTIES,
    begin_game,
    check_end,
    check_position,
    has_fault,
    note_broken,
)
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import MOST_ANSWERS
from rulesrun.interpreter.search.biased_search import PRECISION

SOURCES = ("rare", "taste", "love", "action", "whim", "option", "chance")
MOST_ACTIONS = 500
SMALL = 1 << 32


def lower_biased_games(table: Table) -> AskedGamesForm:
    plan = plan_asked_games(table)
    for source in SOURCES:
        plan.stream_number(source)
    machine = Machine(plan, True, bodies.lower_instruction)
    flow.lower_flow(machine)
    run = machine_function(machine)
    asked, waits = tuple(machine.waits), questions.list_waits(table, machine.waits)
    replayed_games.lay_out_candidates(plan, waits)
    wide = lay_out_biases(plan, asked)
    amount, settle, where = answer_functions(plan, asked)
    lean = BiasedAnswers(plan, asked, waits, wide).answer_function()
    start = Constants("start", 8, start_bytes(plan))
    loop = games_loop_function(plan, start, (run, settle, lean), waits)
    tried = replayed_games.candidate_function(
        plan, start, replayed_games.AskingFunctions(waits, run, amount, settle, where, lean)
    )
    functions = (*plan.functions, run, amount, settle, where, lean, loop, tried)
    return AskedGamesForm(plan, functions, asked, start, each_registers(machine))


def lay_out_biases(plan: Plan, asked: Sequence[Question]) -> int:
    """Gives how many actions a question has at most."""
    wide = max((len(question.actions) for question in asked), default=0) or 1
    if wide > MOST_ACTIONS:
        raise CannotCompile(message("too many actions at one decision"))
    actions = len(plan.table.actions.ready)
    for name, amount in (
        ("streams", len(plan.streams)), ("seed", 1), ("seeding", 1), ("is rare", 1), ("taste", 1),
        ("loves", actions), ("used", wide * (len(asked) + 1)), ("used before", wide * (len(asked) + 1)),
        ("weights", wide), ("counts", wide), ("first broken", PROPERTIES), ("least", PROPERTIES), ("cuts", 1),
        ("all games", 1), ("all decisions", 1), ("all happened", PROPERTIES),
    ):
        plan.add_scratch(name, 64, max(amount, 1))
    return wide


class BiasedAnswers:
    """Writes the function that answers the question at which the position stands."""

    def __init__(self, plan: Plan, asked: Sequence[Question], waits: Sequence[Wait], wide: int) -> None:
        self.plan, self.asked, self.waits, self.wide = plan, asked, waits, wide
        self.lines = Lines()
        self.scope = Scope(plan, self.lines, number(1))

    def answer_function(self) -> Function:
        here = self.lines.bind(self.lines.load(self.plan.fields["pc"]))
        self.scope.player = self.lines.bind(self.lines.load(self.plan.fields["player"]))
        self.scope.player = Value("local", NUMBER, (), self.scope.player.extra, 1, self.plan.bench.players)
        for question, wait in zip(self.asked, self.waits, strict=True):
            with self.lines.when(compare("=", here, number(question.number))):
                if isinstance(wait, ChanceWait):
                    self.pick_outcome(question, wait)
                else:
                    self.pick_option(question)
        self.lines.emit("return", number(0))
        return Function("lean", (), NUMBER, self.lines.lines)

    def load_field(self, name: str, at: Value | None = None) -> Value:
        return self.lines.bind(self.lines.load(self.plan.fields[name], at))

    def random_below(self, limit: Value, source: str) -> Value:
        stream = number(self.plan.stream_number(source))
        return self.lines.bind(Value("below", NUMBER, (stream, limit), self.plan.fields["streams"]))

    # ---- chance

    def pick_outcome(self, question: Question, wait: ChanceWait) -> None:
        lines = self.lines
        if isinstance(wait, OrderWait):
            limit = factorial(len(wait.values))
            if limit < SMALL:
                lines.emit("return", self.random_below(number(limit), "chance"))
            else:
                stream = number(self.plan.stream_number("chance"))
                lines.emit("return", chance.random_below_large(self.scope, limit, stream))
            return
        amount = lines.bind(call(question.amount, self.scope.player))
        with lines.when(compare("=", self.load_field("taste"), number(3))):
            whim = self.random_below(number(2), "whim")
            with lines.when(compare("is not", whim, number(0))):
                lines.emit("return", binary("sub", amount, number(1)))
        with lines.when(compare("=", amount, number(1))):
            lines.emit("return", number(0))
        if isinstance(wait, DrawWait):
            self.pick_weighted(amount, lambda at: lines.load(
                self.plan.fields["telling"], binary("add", binary("mul", at, number(2)), number(1))
            ))
            return
        assert isinstance(wait, ValueWait)
        faces = self.plan.add_constants("weights", tuple(weight for weight in wait.weights if weight))
        self.pick_weighted(amount, lambda at: lines.look_up(faces, at))

    def pick_weighted(self, amount: Value, weight: object) -> None:
        """Gives one of so many, by their weights."""
        lines = self.lines
        assert callable(weight)
        total, last = lines.variable(number(0), "t"), binary("sub", amount, number(1))
        lines.for_range(number(0), last, lambda at: lines.add_to(total, weight(at)))
        left = lines.variable(self.random_below(total, "action"), "n")

        def visit(at: Value) -> None:
            lines.set(left, binary("sub", left, weight(at)))
            with lines.when(Value("<", "i1", (left, number(0)))):
                lines.emit("return", at)

        lines.for_range(number(0), last, visit)

    # ---- choices

    def pick_option(self, question: Question) -> None:
        lines, plan = self.lines, self.plan
        counts, weights = plan.fields["counts"], plan.fields["weights"]
        some = lines.variable(number(0), "n")
        total, only = lines.variable(number(0), "t"), lines.variable(number(0), "e")
        for entry, action in enumerate(question.actions):
            ways = lines.bind(questions.count_ways(self.scope, action))
            lines.store(counts, ways, number(entry))
            lines.store(weights, number(0), number(entry))
            with lines.when(compare(">", ways, number(0))):
                weight = self.action_weight(question, entry, plan.table.actions.compiled_action(action).number)
                lines.store(weights, weight, number(entry))
                lines.add_to(some, number(1))
                lines.add_to(total, weight)
                lines.set(only, number(entry))
        with lines.when(Value(">", "i1", (some, number(1)))), lines.block() as done:
            left = lines.variable(self.random_below(total, "action"), "n")

            def visit(at: Value) -> None:
                lines.set(left, binary("sub", left, lines.load(weights, at)))
                with lines.when(Value("<", "i1", (left, number(0)))):
                    lines.set(only, at)
                    lines.leave(done)

            lines.for_range(number(0), number(len(question.actions) - 1), visit)
        at = lines.bind(binary("add", only, number(question.number * self.wide)))
        lines.store(plan.fields["used"], binary("add", lines.load(plan.fields["used"], at), number(1)), at)
        self.pick_index(only)

    def action_weight(self, question: Question, entry: int, action: int) -> Value:
        lines, plan = self.lines, self.plan
        love = lines.variable(lines.load(plan.fields["loves"], number(action)), "l")
        with lines.when(Value("=", "i1", (love, number(0)))):
            most = lines.bind(select(compare("=", self.load_field("taste"), number(0)), number(1), number(8)))
            powers = plan.add_constants("powers", tuple(1 << step for step in range(8)))
            which = self.random_below(Value("local", NUMBER, (), most.extra, 1, 8), "love")
            lines.set(love, lines.look_up(powers, Value("local", NUMBER, (), which.extra, 0, 7)))
            lines.store(plan.fields["loves"], love, number(action))
        found = lines.variable(love, "w")
        with lines.when(compare("is not", self.load_field("is rare"), number(0))):
            used = self.load_field("used", number(question.number * self.wide + entry))
            share = binary("div", binary("mul", love, number(PRECISION)), binary("add", used, number(1)))
            lines.set(found, binary("add", share, number(1)))
        return found

    def pick_index(self, entry: Value) -> None:
        """Any option of this action; the first, or the last, for those with a taste for it."""
        lines, counts = self.lines, self.plan.fields["counts"]
        first = lines.variable(number(0), "o")
        lines.for_range(
            number(0), binary("sub", entry, number(1)), lambda at: lines.add_to(first, lines.load(counts, at))
        )
        many, taste = lines.bind(lines.load(counts, entry)), self.load_field("taste")
        with lines.when(compare(">=", taste, number(2))):
            whim = self.random_below(number(4), "whim")
            with lines.when(compare("is not", whim, number(0))):
                with lines.when(compare("=", taste, number(2))):
                    lines.emit("return", first)
                lines.emit("return", binary("sub", binary("add", first, many), number(1)))
        lines.emit("return", binary("add", first, self.random_below(many, "option")))


# ---- the games


def games_loop_function(
    plan: Plan, start: Constants, functions: tuple[Function, Function, Function], waits: Sequence[Wait]
) -> Function:
    """Plays every `stride`-th game until one must be played by the reference; gives how many it has played."""
    lines = Lines()
    scope = Scope(plan, lines, number(1))
    given = {name: Value("local", NUMBER, extra=name) for name in ("first", "amount", "stride")}
    done = lines.variable(number(0), "games")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, given["amount"]))
        lines.emit("copy", extra=(0, len(start.values), start))
        begin_streams(scope, binary("add", given["first"], binary("mul", done, given["stride"])))
        begin_game(scope)
        made = lines.variable(number(0), "made")
        play_game(scope, functions, waits, made, over)
        count_game(scope, made, over)
        lines.add_to(done, number(1))
    lines.emit("return", done)
    return Function("games", ("first", "amount", "stride"), NUMBER, lines.lines, is_inner=False)


def play_game(
    scope: Scope, functions: tuple[Function, Function, Function], waits: Sequence[Wait], made: Value, over: str
) -> None:
    """One game to its end, or until it has been too long; what goes wrong leads out of the loop of games."""
    run, settle, lean = functions
    lines, plan = scope.lines, scope.plan
    is_chance = plan.add_constants("chance", (0, *(int(isinstance(wait, ChanceWait)) for wait in waits)))
    answered = lines.variable(number(0), "answered")
    with lines.loop() as ended:
        lines.store(plan.fields["told"], number(0))
        asked = lines.bind(call(run))
        wrong = logic("or", compare("<", asked, number(OVER)), has_fault(scope))
        lines.leave(over, wrong)
        at = Value("local", NUMBER, (), asked.extra, 0, len(waits))
        with lines.when(compare("=", lines.look_up(is_chance, at), number(0))):
            check_position(scope, made)
            lines.leave(over, has_fault(scope))
            with lines.when(compare("=", asked, number(OVER))):
                check_end(scope)
                note_broken(scope, made)
                lines.leave(over, has_fault(scope))
                lines.leave(ended)
            cut = Value(">=", "i1", (made, lines.load(plan.fields["limit"])))
            with lines.when(cut):
                lines.leave(over, compare("=", lines.load(plan.fields["cuts"]), number(0)))
                lines.leave(ended)
            lines.add_to(made, number(1))
        lines.add_to(answered, number(1))
        lines.leave(over, compare(">", answered, number(MOST_ANSWERS)))
        lines.emit("do", call(settle, lines.bind(call(lean))))


def count_game(scope: Scope, made: Value, over: str) -> None:
    """The reference tells of a property that is broken for the first time, or after fewer choices than ever."""
    lines, fields = scope.lines, scope.plan.fields
    first, least = fields["first broken"], fields["least"]

    def is_new(at: Value) -> None:
        lines.leave(over, compare("<=", lines.load(first, at), lines.load(least, at)))

    lines.for_each_bit(lines.bind(lines.load(fields["broken"])), is_new, PROPERTIES)
    for name, value in (("all games", number(1)), ("all decisions", made)):
        lines.store(fields[name], binary("add", lines.load(fields[name]), value))
    happened = fields["all happened"]
    lines.for_each_bit(
        lines.bind(lines.load(fields["happened"])),
        lambda at: lines.store(happened, binary("add", lines.load(happened, at), number(1)), at), PROPERTIES,
    )
