"""Thinking on deals, in machine code: deals that fit, steps ahead, walks; as `bots.deliberation` and `bots.rollouts`.

Every deal begins a stretch of chance of its own, and one more for all steps that are compared on it.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesrun.interpreter.bots.bot import SOURCE
from rulesrun.interpreter.bots.deliberation import MOST_TRIES
from rulesrun.interpreter.bots.evaluation import FOR_POINTS, FOR_STAKES, MEMORY, MOST_POINTS, MOST_STAKES, ONE, Judge
from rulesrun.interpreter.bots.rollouts import STRETCH
from rulesrun.interpreter.form.form import NUMBER, Function, Value, binary, compare, logic, number, select
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model.core import Score
from rulesrun.interpreter.model.random import GOLDEN, hash_name
from rulesrun.interpreter.native.flow import bodies, scores
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout.machine import Machine
from rulesrun.interpreter.native.layout.memory_access import (
    FunctionWriter,
    begin_function,
    finish_function,
    narrow_to_natural,
)
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.native.positions import dealing
from rulesrun.interpreter.native.views.view_hashes import option_key

# ---- evaluation
# How good a position is for everyone, in machine code: the numbers of `bots.evaluation`. Clobbers the position.
#
# A game that is not over is looked at as if it ended now.


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


# ---- rollouts


ChooseAtOnce = Callable[[FunctionWriter, Value, Value], Value]  # of so many options; so many were asked before
MOST_ROOT = 4096  # options of a choice that is thought about
NONE = -1


@define(eq=False)
class RolloutSteps:
    """The functions that everything else is made of."""

    plan: Plan
    questions: tuple[Question, ...]
    run: Function
    amount: Function
    settle: Function
    worth_of_all: Function
    judge_now: Function
    option_key: Function
    is_common: bool
    size: int = 0

    def lay_out_rollouts(self) -> None:
        plan = self.plan
        self.size = (plan.size + 7) // 8 * 8
        for name in ("seed mixed", "chance", "root options", "root pc", "seat", "tries", "farthest", "at once"):
            plan.add_scratch(name, 64)
        plan.add_scratch("early", 64, plan.bench.players)
        for name in ("root keys", "root wanted", "root sum", "root count"):
            plan.add_scratch(name, 64, MOST_ROOT)
        for name in ("prepared", "before step", "before try"):
            plan.add_scratch(name, 64, self.size // 8)

    def load_chooser(self, writing: FunctionWriter) -> Value:
        """Whose decision it is; 0 is the team."""
        teams = [one.number for one in self.questions if one.is_team_choice]
        here, player = writing.load("pc"), writing.load("player")
        for team in teams:
            player = select(compare("=", here, number(team)), number(0), player)
        return writing.lines.bind(player)

    def worth_to(self, writing: FunctionWriter, chooser: Value) -> Value:
        """The team takes what is good for all."""
        lines, n = writing.lines, self.plan.bench.players
        found = lines.variable(number(0), "w")
        with lines.when(compare("is not", chooser, number(0))) as own:
            lines.set(found, lines.load(self.plan.fields["worth"], binary("sub", chooser, number(1))))
        with lines.otherwise(own):
            for seat in range(n):
                lines.add_to(found, writing.load("worth", number(seat)))
            lines.set(found, binary("div", found, number(n)))
        return found


def next_stretch_function(plan: Plan) -> Function:
    """As a new `Streams` with the next number."""
    function, writing = begin_function(plan, "fresh chance", (), None)
    used = writing.load("chance")
    writing.store("chance", binary("add", used, number(1)))
    step = Value("mul", NUMBER, (binary("add", used, number(1)), number(to_signed(GOLDEN))))
    key = Value("mix", NUMBER, (Value("add", NUMBER, (writing.load("seed mixed"), step)),))
    own = Value("mix", NUMBER, (Value("xor", NUMBER, (key, number(to_signed(hash_name(SOURCE))))),))
    writing.store("streams", own)
    writing.lines.emit("return")
    return finish_function(function, writing)


def run_to_decision_function(steps: RolloutSteps) -> Function:
    """To the next decision; gives its number, 0 at the end, `NONE` where the rules lead to a fault."""
    function, writing = begin_function(steps.plan, "go on", (), NUMBER)
    asked = writing.call(steps.run)
    bad = logic("or", compare("<", asked, number(0)), compare("is not", writing.load("fault"), number(0)))
    writing.lines.emit("return", select(bad, number(NONE), asked))
    return finish_function(function, writing)


# ---- deals


def choose_blindly(writing: FunctionWriter, amount: Value, asked: Value) -> Value:
    return writing.random_below(amount)


def deal_once_function(
    steps: RolloutSteps, functions: dict[str, Function], name: str, choose: ChooseAtOnce = choose_blindly
) -> Function:
    """1 when it leads to the question that the seat has; `choose`: for who is asked before, at the same moment."""
    function, writing = begin_function(steps.plan, name, (), NUMBER)
    lines = writing.lines
    writing.call_procedure(functions["fresh chance"])
    writing.move_bytes("memory 64", "prepared", steps.size)
    writing.call_procedure(functions["deal"])
    asked = lines.variable(number(0), "k")
    with lines.loop() as there:
        amount = writing.call(steps.amount)
        wrong = logic("or", compare("=", amount, number(0)), compare("is not", writing.load("fault"), number(0)))
        with lines.when(wrong):
            lines.emit("return", number(0))
        is_other = Value("is not", "i1", (steps.load_chooser(writing), writing.load("seat")))
        lines.leave(
            there, Value("not", "i1", (lines.bind(logic("and", is_other, is_together_question(steps, writing))),))
        )
        writing.call_procedure(steps.settle, choose(writing, amount, asked))
        lines.add_to(asked, number(1))
        with lines.when(compare("is not", writing.call(functions["go on"]), writing.load("root pc"))):
            lines.emit("return", number(0))
    writing.store("at once", asked)
    lines.emit("return", number(1))
    return finish_function(function, writing)


def together_questions(steps: RolloutSteps) -> list[Question]:
    return [one for one in steps.questions if one.at is not None]


def is_together_question(steps: RolloutSteps, writing: FunctionWriter) -> Value:
    here, found = writing.load("pc"), Value("const", "i1", extra=0)
    for question in together_questions(steps):
        found = logic("or", found, compare("=", here, number(question.number)))
    return found


def deal_fitting_function(steps: RolloutSteps, one: Function, name: str) -> Function:
    """1 when there is a deal; the options may be others than those of the seat when nothing fits better."""
    function, writing = begin_function(steps.plan, name, (), NUMBER)
    lines = writing.lines
    attempt = lines.variable(number(1), "a")
    with lines.loop() as over:
        lines.leave(over, compare(">", attempt, number(MOST_TRIES)))
        with lines.when(compare("is not", writing.call(one), number(0))):
            fits = logic("or", has_seat_options(steps, writing), compare("=", attempt, number(MOST_TRIES)))
            with lines.when(fits):
                lines.emit("return", number(1))
        lines.add_to(attempt, number(1))
    lines.emit("return", number(0))
    return finish_function(function, writing)


def has_seat_options(steps: RolloutSteps, writing: FunctionWriter) -> Value:
    """Whether the options are those that the seat has."""
    lines, found = writing.lines, writing.lines.variable(Value("const", "i1", extra=0), "f")
    amount = writing.call(steps.amount)
    with lines.block() as known, lines.when(compare("=", amount, writing.load("root options"))):
        def visit(at: Value) -> None:
            writing.call_procedure(steps.settle, at)
            other = compare("is not", writing.call(steps.option_key), lines.load(steps.plan.fields["root keys"], at))
            lines.leave(known, other)

        lines.for_range(number(0), binary("sub", amount, number(1)), visit)
        lines.set(found, Value("const", "i1", extra=1))
    return found


# ---- steps ahead


def rollout_function(steps: RolloutSteps, go_on: Function) -> Function:
    """So many more decisions, and on from there while nobody is ahead; then the worth of the position. 0 when it got
    stuck."""
    function, writing = begin_function(steps.plan, "walk", ("decisions", "soon"), NUMBER)
    lines = writing.lines
    decisions, soon = (Value("local", NUMBER, extra=name) for name in function.parameters)
    done, last = lines.variable(number(0), "n"), lines.variable(decisions, "l")
    with lines.loop():
        with lines.when(compare("=", writing.load("pc"), number(0))):
            writing.call_procedure(steps.worth_of_all)
            return_mean_worth(steps, writing, compare(">", done, soon), soon)
        with lines.when(compare("=", done, soon)):
            judge_early(steps, writing)
        with lines.when(compare(">=", done, last)):
            judge_late(steps, writing, done, soon)
            lines.add_to(last, number(STRETCH))
        amount = writing.call(steps.amount)
        choice = lines.variable(number(0), "c")
        is_free = logic("or", compare(">=", done, decisions), compare("=", amount, number(1)))
        is_free = logic("or", is_free, is_together_question(steps, writing))
        blindly = logic("or", compare("=", writing.load("tries"), number(1)), is_free)
        with lines.when(blindly) as blind:
            lines.set(choice, writing.random_below(amount))
        with lines.otherwise(blind):
            choose_best_of_few(steps, writing, go_on, amount, choice)
        writing.call_procedure(steps.settle, choice)
        return_if_stuck(writing, go_on)
        lines.add_to(done, number(1))
    return finish_function(function, writing)


def judge_early(steps: RolloutSteps, writing: FunctionWriter) -> None:
    writing.move_bytes("before try", "memory 64", steps.size)
    writing.call_procedure(steps.judge_now)
    for seat in range(steps.plan.bench.players):
        writing.store("early", writing.load("worth", number(seat)), number(seat))
    writing.move_bytes("memory 64", "before try", steps.size)


def judge_late(steps: RolloutSteps, writing: FunctionWriter, done: Value, soon: Value) -> None:
    """The end of a walk, unless nobody is ahead and it may go on."""
    lines = writing.lines
    with lines.block() as going_on:
        may_go_on = Value("const", "i1", extra=0) if steps.is_common else compare("<", done, writing.load("farthest"))
        may_go_on = lines.bind(may_go_on)
        with lines.when(may_go_on):
            writing.move_bytes("before try", "memory 64", steps.size)
        writing.call_procedure(steps.judge_now)
        lines.leave(going_on, lines.bind(logic("and", may_go_on, is_even(steps, writing))))
        return_mean_worth(steps, writing, compare(">=", done, soon), soon)
    writing.move_bytes("memory 64", "before try", steps.size)


def is_even(steps: RolloutSteps, writing: FunctionWriter) -> Value:
    found, first = Value("const", "i1", extra=1), writing.load("worth")
    for seat in range(1, steps.plan.bench.players):
        found = logic("and", found, compare("=", writing.load("worth", number(seat)), first))
    return found


def return_mean_worth(steps: RolloutSteps, writing: FunctionWriter, is_late: Value, soon: Value) -> None:
    """What it was worth soon and what it is worth now; the end of a walk."""
    lines = writing.lines
    with lines.when(logic("and", is_late, compare(">=", soon, number(0)))):
        for seat in range(steps.plan.bench.players):
            both_worths = binary("add", writing.load("worth", number(seat)), writing.load("early", number(seat)))
            writing.store("worth", binary("div", both_worths, number(2)), number(seat))
    lines.emit("return", number(1))


def return_if_stuck(writing: FunctionWriter, go_on: Function) -> None:
    with writing.lines.when(compare("<", writing.call(go_on), number(0))):
        writing.lines.emit("return", number(0))


def choose_best_of_few(
    steps: RolloutSteps, writing: FunctionWriter, go_on: Function, amount: Value, choice: Value
) -> None:
    """Options at random, judged right behind them."""
    lines = writing.lines
    writing.move_bytes("before try", "memory 64", steps.size)
    chooser, highest = steps.load_chooser(writing), lines.variable(number(-(1 << 62)), "h")

    def visit(_: Value) -> None:
        which = writing.random_below(amount)
        writing.call_procedure(steps.settle, which)
        return_if_stuck(writing, go_on)
        with lines.when(compare("=", writing.load("pc"), number(0))) as over:
            writing.call_procedure(steps.worth_of_all)
        with lines.otherwise(over):
            writing.call_procedure(steps.judge_now)
        worth = steps.worth_to(writing, chooser)
        with lines.when(compare(">", worth, highest)):
            lines.set(highest, worth)
            lines.set(choice, which)
        writing.move_bytes("memory 64", "before try", steps.size)

    lines.for_range(number(1), writing.load("tries"), visit)


def look_ahead_function(steps: RolloutSteps, functions: dict[str, Function]) -> Function:
    """So many deals; on each, every wanted option and what follows."""
    function, writing = begin_function(steps.plan, "look", ("deals", "ahead"), None, is_inner=False)
    lines = writing.lines
    deals = Value("local", NUMBER, extra="deals")

    def on_one(_: Value) -> None:
        with lines.when(compare("is not", writing.call(functions["dealt"]), number(0))):
            amount = writing.call(steps.amount)
            writing.move_bytes("before step", "memory 64", steps.size)
            writing.call_procedure(functions["fresh chance"])
            stretch = lines.bind(writing.load("streams"))
            lines.for_range(
                number(0),
                binary("sub", amount, number(1)),
                lambda at: look_at_option(steps, writing, functions, at, stretch),
            )

    lines.for_range(number(1), deals, on_one)
    lines.emit("return")
    return finish_function(function, writing)


def look_at_option(
    steps: RolloutSteps, writing: FunctionWriter, functions: dict[str, Function], at: Value, stretch: Value
) -> None:
    lines = writing.lines
    writing.call_procedure(steps.settle, at)
    which = lines.bind(call(functions["root number"], at))
    with lines.when(compare(">=", which, number(0))), lines.when(
        compare("is not", lines.load(steps.plan.fields["root wanted"], which), number(0))
    ):
        writing.store("streams", stretch)
        ahead = binary("add", Value("local", NUMBER, extra="ahead"), count_still_to_choose(steps, writing))
        ahead = lines.bind(ahead)
        with lines.when(compare(">=", writing.call(functions["go on"]), number(0))), lines.when(
            compare("is not", writing.call(functions["walk"], ahead, number(NONE)), number(0))
        ):
            writing.add_to("root sum", steps.worth_to(writing, writing.load("seat")), which)
            writing.add_to("root count", number(1), which)
    writing.move_bytes("memory 64", "before step", steps.size)


def root_number_function(steps: RolloutSteps) -> Function:
    """Which option of the seat it is that was taken up, as a rule the one at the same place; -1: none."""
    function, writing = begin_function(steps.plan, "root number", ("at",), NUMBER)
    lines, at = writing.lines, Value("local", NUMBER, extra="at")
    key, keys = writing.call(steps.option_key), steps.plan.fields["root keys"]
    inside = compare("<", at, writing.load("root options"))
    with lines.when(inside), lines.when(compare("=", lines.load(keys, at), key)):
        lines.emit("return", at)

    def visit(other: Value) -> None:
        with lines.when(compare("=", lines.load(keys, other), key)):
            lines.emit("return", other)

    lines.for_range(number(0), binary("sub", writing.load("root options"), number(1)), visit)
    lines.emit("return", number(-1))
    return finish_function(function, writing)


def count_still_to_choose(steps: RolloutSteps, writing: FunctionWriter) -> Value:
    """How many others choose at the same moment, after one has."""
    lines, here = writing.lines, writing.load("pc")
    found = lines.variable(number(0), "n")
    for question in together_questions(steps):
        assert question.seats_asked is not None
        assert question.at is not None
        with lines.when(compare("=", here, number(question.number))):
            left = binary("sub", lines.load(question.seats_asked), lines.load(question.at))
            lines.set(found, binary("sub", left, number(1)))
    return found


def make_steps(plan: Plan, questions: tuple[Question, ...], run: Function, amount: Function, settle: Function,
          judge: Judge) -> RolloutSteps:
    lay_out_worths(plan)
    worth = worth_function(plan, judge.is_common, judge.has_stakes, judge.sign)
    key = option_key(plan, questions)
    now = worth_now_function(plan, worth)
    steps = RolloutSteps(plan, questions, run, amount, settle, worth, now, key, judge.is_common)
    dealing.lay_out_dealing(plan)
    return steps


def make_functions(steps: RolloutSteps) -> dict[str, Function]:
    """By name, each made of those before it."""
    steps.lay_out_rollouts()
    found = {
        "fresh chance": next_stretch_function(steps.plan),
        "go on": run_to_decision_function(steps),
        "deal": dealing.deal_function(steps.plan),
    }
    found["one deal"] = deal_once_function(steps, found, "one deal")
    found["dealt"] = deal_fitting_function(steps, found["one deal"], "dealt")
    found["walk"] = rollout_function(steps, found["go on"])
    found["root number"] = root_number_function(steps)
    found["look"] = look_ahead_function(steps, found)
    return found
