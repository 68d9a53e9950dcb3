"""Games that lean towards what is rare, as lines: the answers of `searching.search.Leaning`, word for word.

Takes a table, gives functions. A game in which something new is to be told is left to the reference, with the counts
of what had been done before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from rulesrun.interpreter.form.form import (
    NUMBER,
    CannotCompile,
    Constants,
    Function,
    X,
    both,
    compare,
    logic,
    number,
    select,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.model.flow_graph import Wait
from rulesrun.interpreter.native.flow import bodies, chance, flow, questions
from rulesrun.interpreter.native.flow.asked_games import OVER, AskedForm, answers, laid_out, lists_of, machine_function
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import begin_streams, start_bytes
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.plan import Plan, Scope
from rulesrun.interpreter.native.search import replayed_games
from rulesrun.interpreter.native.search.moments import (
    PROPERTIES,
    begin_game,
    is_faulty,
    look,
    look_at_the_end,
    note_broken,
)
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import MOST_ANSWERS
from rulesrun.interpreter.search.biased_search import PRECISION

SOURCES = ("rare", "taste", "love", "action", "whim", "option", "chance")
MOST_ACTIONS = 500
SMALL = 1 << 32


def leaning_games(table: Table) -> AskedForm:
    plan = laid_out(table)
    for source in SOURCES:
        plan.stream(source)
    machine = Machine(plan, True, bodies.statement)
    flow.whole_game(machine)
    run = machine_function(machine)
    asked, waits = tuple(machine.waits), [wait for _, wait in sorted(table.waits.items())][:-1]
    if [id(wait.node) for wait in waits] != [id(one.node) for one in asked]:
        raise CannotCompile("the questions are not those of the reference")
    replayed_games.lay_out(plan, waits)
    wide = lay_out(plan, asked)
    amount, settle, where = answers(plan, asked)
    lean = Leaning(plan, asked, waits, wide).function()
    start = Constants("start", 8, start_bytes(plan))
    loop = games_loop(plan, start, (run, settle, lean), waits)
    tried = replayed_games.tried_game(plan, start, replayed_games.Asking(waits, run, amount, settle, where, lean))
    functions = (*plan.functions, run, amount, settle, where, lean, loop, tried)
    return AskedForm(plan, functions, asked, start, lists_of(machine))


def lay_out(plan: Plan, asked: Sequence[Question]) -> int:
    """Gives how many actions a question has at most."""
    wide = max((len(question.actions) for question in asked), default=0) or 1
    if wide > MOST_ACTIONS:
        raise CannotCompile("too many actions at one decision")
    actions = len(plan.table.actions.ready)
    for name, amount in (
        ("streams", len(plan.streams)), ("seed", 1), ("seeding", 1), ("is rare", 1), ("taste", 1),
        ("loves", actions), ("used", wide * (len(asked) + 1)), ("used before", wide * (len(asked) + 1)),
        ("weights", wide), ("counts", wide), ("first broken", PROPERTIES), ("least", PROPERTIES), ("cuts", 1),
        ("all games", 1), ("all decisions", 1), ("all happened", PROPERTIES),
    ):
        plan.scratch(name, 64, max(amount, 1))
    return wide


class Leaning:
    """Writes the function that answers the question at which the position stands."""

    def __init__(self, plan: Plan, asked: Sequence[Question], waits: Sequence[Wait], wide: int) -> None:
        self.plan, self.asked, self.waits, self.wide = plan, asked, waits, wide
        self.lines = Lines()
        self.scope = Scope(plan, self.lines, number(1))

    def function(self) -> Function:
        here = self.lines.kept(self.lines.load(self.plan.fields["pc"]))
        self.scope.player = self.lines.kept(self.lines.load(self.plan.fields["player"]))
        self.scope.player = X("local", NUMBER, (), self.scope.player.extra, 1, self.plan.bench.players)
        for question, wait in zip(self.asked, self.waits, strict=True):
            with self.lines.when(compare("=", here, number(question.number))):
                if isinstance(wait, ChanceWait):
                    self.chance(question, wait)
                else:
                    self.decision(question)
        self.lines.add("return", number(0))
        return Function("lean", (), NUMBER, self.lines.lines)

    def load(self, name: str, at: X | None = None) -> X:
        return self.lines.kept(self.lines.load(self.plan.fields[name], at))

    def below(self, limit: X, source: str) -> X:
        stream = number(self.plan.stream(source))
        return self.lines.kept(X("below", NUMBER, (stream, limit), self.plan.fields["streams"]))

    # ---- chance

    def chance(self, question: Question, wait: ChanceWait) -> None:
        lines = self.lines
        if isinstance(wait, OrderWait):
            limit = factorial(len(wait.values))
            if limit < SMALL:
                lines.add("return", self.below(number(limit), "chance"))
            else:
                stream = number(self.plan.stream("chance"))
                lines.add("return", chance.below_many(self.scope, limit, stream))
            return
        amount = lines.kept(call(question.amount, self.scope.player))
        with lines.when(compare("=", self.load("taste"), number(3))):
            whim = self.below(number(2), "whim")
            with lines.when(compare("is not", whim, number(0))):
                lines.add("return", both("sub", amount, number(1)))
        with lines.when(compare("=", amount, number(1))):
            lines.add("return", number(0))
        if isinstance(wait, DrawWait):
            self.weighted(amount, lambda at: lines.load(
                self.plan.fields["telling"], both("add", both("mul", at, number(2)), number(1))
            ))
            return
        assert isinstance(wait, ValueWait)
        faces = self.plan.table_of("weights", tuple(weight for weight in wait.weights if weight))
        self.weighted(amount, lambda at: lines.look_up(faces, at))

    def weighted(self, amount: X, weight: object) -> None:
        """Gives one of so many, by their weights."""
        lines = self.lines
        assert callable(weight)
        total, last = lines.variable(number(0), "t"), both("sub", amount, number(1))
        lines.count_through(number(0), last, lambda at: lines.add_to(total, weight(at)))
        left = lines.variable(self.below(total, "action"), "n")

        def look(at: X) -> None:
            lines.set(left, both("sub", left, weight(at)))
            with lines.when(X("<", "i1", (left, number(0)))):
                lines.add("return", at)

        lines.count_through(number(0), last, look)

    # ---- choices

    def decision(self, question: Question) -> None:
        lines, plan = self.lines, self.plan
        counts, weights = plan.fields["counts"], plan.fields["weights"]
        some = lines.variable(number(0), "n")
        total, only = lines.variable(number(0), "t"), lines.variable(number(0), "e")
        for entry, action in enumerate(question.actions):
            ways = lines.kept(questions.ways(self.scope, action))
            lines.store(counts, ways, number(entry))
            lines.store(weights, number(0), number(entry))
            with lines.when(compare(">", ways, number(0))):
                weight = self.weight(question, entry, plan.table.actions.of(action).number)
                lines.store(weights, weight, number(entry))
                lines.add_to(some, number(1))
                lines.add_to(total, weight)
                lines.set(only, number(entry))
        with lines.when(X(">", "i1", (some, number(1)))), lines.block() as done:
            left = lines.variable(self.below(total, "action"), "n")

            def look(at: X) -> None:
                lines.set(left, both("sub", left, lines.load(weights, at)))
                with lines.when(X("<", "i1", (left, number(0)))):
                    lines.set(only, at)
                    lines.leave(done)

            lines.count_through(number(0), number(len(question.actions) - 1), look)
        at = lines.kept(both("add", only, number(question.number * self.wide)))
        lines.store(plan.fields["used"], both("add", lines.load(plan.fields["used"], at), number(1)), at)
        self.one_of(only)

    def weight(self, question: Question, entry: int, action: int) -> X:
        lines, plan = self.lines, self.plan
        love = lines.variable(lines.load(plan.fields["loves"], number(action)), "l")
        with lines.when(X("=", "i1", (love, number(0)))):
            most = lines.kept(select(compare("=", self.load("taste"), number(0)), number(1), number(8)))
            powers = plan.table_of("powers", tuple(1 << step for step in range(8)))
            which = self.below(X("local", NUMBER, (), most.extra, 1, 8), "love")
            lines.set(love, lines.look_up(powers, X("local", NUMBER, (), which.extra, 0, 7)))
            lines.store(plan.fields["loves"], love, number(action))
        found = lines.variable(love, "w")
        with lines.when(compare("is not", self.load("is rare"), number(0))):
            used = self.load("used", number(question.number * self.wide + entry))
            share = both("div", both("mul", love, number(PRECISION)), both("add", used, number(1)))
            lines.set(found, both("add", share, number(1)))
        return found

    def one_of(self, entry: X) -> None:
        """Any option of this action; the first, or the last, for those with a taste for it."""
        lines, counts = self.lines, self.plan.fields["counts"]
        first = lines.variable(number(0), "o")
        lines.count_through(
            number(0), both("sub", entry, number(1)), lambda at: lines.add_to(first, lines.load(counts, at))
        )
        many, taste = lines.kept(lines.load(counts, entry)), self.load("taste")
        with lines.when(compare(">=", taste, number(2))):
            whim = self.below(number(4), "whim")
            with lines.when(compare("is not", whim, number(0))):
                with lines.when(compare("=", taste, number(2))):
                    lines.add("return", first)
                lines.add("return", both("sub", both("add", first, many), number(1)))
        lines.add("return", both("add", first, self.below(many, "option")))


# ---- the games


def games_loop(
    plan: Plan, start: Constants, functions: tuple[Function, Function, Function], waits: Sequence[Wait]
) -> Function:
    """Plays every `stride`-th game until one must be played by the reference; gives how many it has played."""
    lines = Lines()
    scope = Scope(plan, lines, number(1))
    given = {name: X("local", NUMBER, extra=name) for name in ("first", "amount", "stride")}
    done = lines.variable(number(0), "games")
    with lines.loop() as over:
        lines.leave(over, compare(">=", done, given["amount"]))
        lines.add("copy", extra=(0, len(start.values), start))
        begin_streams(scope, both("add", given["first"], both("mul", done, given["stride"])))
        begin_game(scope)
        made = lines.variable(number(0), "made")
        play(scope, functions, waits, made, over)
        add_up(scope, made, over)
        lines.add_to(done, number(1))
    lines.add("return", done)
    return Function("games", ("first", "amount", "stride"), NUMBER, lines.lines, is_inner=False)


def play(
    scope: Scope, functions: tuple[Function, Function, Function], waits: Sequence[Wait], made: X, over: str
) -> None:
    """One game to its end, or until it has been too long; what goes wrong leads out of the loop of games."""
    run, settle, lean = functions
    lines, plan = scope.lines, scope.plan
    is_chance = plan.table_of("chance", (0, *(int(isinstance(wait, ChanceWait)) for wait in waits)))
    answered = lines.variable(number(0), "answered")
    with lines.loop() as ended:
        lines.store(plan.fields["told"], number(0))
        asked = lines.kept(call(run))
        wrong = logic("or", compare("<", asked, number(OVER)), is_faulty(scope))
        lines.leave(over, wrong)
        at = X("local", NUMBER, (), asked.extra, 0, len(waits))
        with lines.when(compare("=", lines.look_up(is_chance, at), number(0))):
            look(scope, made)
            lines.leave(over, is_faulty(scope))
            with lines.when(compare("=", asked, number(OVER))):
                look_at_the_end(scope)
                note_broken(scope, made)
                lines.leave(over, is_faulty(scope))
                lines.leave(ended)
            cut = X(">=", "i1", (made, lines.load(plan.fields["limit"])))
            with lines.when(cut):
                lines.leave(over, compare("=", lines.load(plan.fields["cuts"]), number(0)))
                lines.leave(ended)
            lines.add_to(made, number(1))
        lines.add_to(answered, number(1))
        lines.leave(over, compare(">", answered, number(MOST_ANSWERS)))
        lines.add("do", call(settle, lines.kept(call(lean))))


def add_up(scope: Scope, made: X, over: str) -> None:
    """The reference tells of a property that is broken for the first time, or after fewer choices than ever."""
    lines, fields = scope.lines, scope.plan.fields
    first, least = fields["first broken"], fields["least"]

    def is_new(at: X) -> None:
        lines.leave(over, compare("<=", lines.load(first, at), lines.load(least, at)))

    lines.each_bit(lines.kept(lines.load(fields["broken"])), is_new, PROPERTIES)
    for name, value in (("all games", number(1)), ("all decisions", made)):
        lines.store(fields[name], both("add", lines.load(fields[name]), value))
    happened = fields["all happened"]
    lines.each_bit(
        lines.kept(lines.load(fields["happened"])),
        lambda at: lines.store(happened, both("add", lines.load(happened, at), number(1)), at), PROPERTIES,
    )
