"""Thinking on deals, in machine code: deals that fit, steps ahead, walks; as `bots.thought` and `bots.walking`.

Every deal and every step begins a stretch of chance of its own.
"""

from __future__ import annotations

from attrs import define

from rulesrun.dsl import ast
from rulesrun.interpreter.bots.bot import SOURCE
from rulesrun.interpreter.bots.deliberation import MOST_TRIES
from rulesrun.interpreter.form.form import NUMBER, Function, X, both, compare, logic, number, select
from rulesrun.interpreter.form.lines import call
from rulesrun.interpreter.model.random import GOLDEN, name_number
from rulesrun.interpreter.native.flow.questions import Question
from rulesrun.interpreter.native.flow.random_games import signed
from rulesrun.interpreter.native.layout.memory_access import Writing, finished, written
from rulesrun.interpreter.native.layout.plan import Plan
from rulesrun.interpreter.native.positions import dealing
from rulesrun.interpreter.native.think import evaluation
from rulesrun.interpreter.native.views.view_hashes import option_key

MOST_ROOT = 4096  # options of a choice that is thought about
NONE = -1


@define(eq=False)
class Steps:
    """The functions that everything else is made of."""

    plan: Plan
    questions: tuple[Question, ...]
    run: Function
    amount: Function
    settle: Function
    worth_of_all: Function
    judge_now: Function
    option_key: Function
    size: int = 0

    def lay_out(self) -> None:
        plan = self.plan
        self.size = (plan.size + 7) // 8 * 8
        for name in ("seed mixed", "chance", "root options", "root pc", "seat", "tries"):
            plan.scratch(name, 64)
        plan.scratch("early", 64, plan.bench.players)
        for name in ("root keys", "root wanted", "root sum", "root count"):
            plan.scratch(name, 64, MOST_ROOT)
        for name in ("prepared", "before step", "before try"):
            plan.scratch(name, 64, self.size // 8)

    def chooser(self, writing: Writing) -> X:
        """Whose decision it is; 0 is the team."""
        teams = [one.number for one in self.questions if isinstance(one.node, ast.Choose) and one.node.who == "team"]
        here, player = writing.load("pc"), writing.load("player")
        for team in teams:
            player = select(compare("=", here, number(team)), number(0), player)
        return writing.lines.kept(player)

    def worth_to(self, writing: Writing, chooser: X) -> X:
        """The team takes what is good for all."""
        lines, n = writing.lines, self.plan.bench.players
        found = lines.variable(number(0), "w")
        with lines.when(compare("is not", chooser, number(0))) as own:
            lines.set(found, lines.load(self.plan.fields["worth"], both("sub", chooser, number(1))))
        with lines.otherwise(own):
            for seat in range(n):
                lines.add_to(found, writing.load("worth", number(seat)))
            lines.set(found, both("div", found, number(n)))
        return found


def fresh_chance(plan: Plan) -> Function:
    """As a new `Streams` with the next number."""
    function, writing = written(plan, "fresh chance", (), None)
    used = writing.load("chance")
    writing.store("chance", both("add", used, number(1)))
    step = X("mul", NUMBER, (both("add", used, number(1)), number(signed(GOLDEN))))
    key = X("mix", NUMBER, (X("add", NUMBER, (writing.load("seed mixed"), step)),))
    own = X("mix", NUMBER, (X("xor", NUMBER, (key, number(signed(name_number(SOURCE))))),))
    writing.store("streams", own)
    writing.lines.add("return")
    return finished(function, writing)


def going_on(steps: Steps) -> Function:
    """To the next decision; gives its number, 0 at the end, `NONE` where the rules lead to a fault."""
    function, writing = written(steps.plan, "go on", (), NUMBER)
    asked = writing.ask(steps.run)
    bad = logic("or", compare("<", asked, number(0)), compare("is not", writing.load("fault"), number(0)))
    writing.lines.add("return", select(bad, number(NONE), asked))
    return finished(function, writing)


# ---- deals


def one_deal(steps: Steps, deal: Function, go_on: Function, fresh: Function) -> Function:
    """1 when it leads to the question that the seat has."""
    function, writing = written(steps.plan, "one deal", (), NUMBER)
    lines = writing.lines
    writing.do(fresh)
    writing.move("memory 64", "prepared", steps.size)
    writing.do(deal)
    with lines.loop() as there:
        amount = writing.ask(steps.amount)
        wrong = logic("or", compare("=", amount, number(0)), compare("is not", writing.load("fault"), number(0)))
        with lines.when(wrong):
            lines.add("return", number(0))
        is_other = X("is not", "i1", (steps.chooser(writing), writing.load("seat")))
        lines.leave(there, X("not", "i1", (lines.kept(logic("and", is_other, is_together(steps, writing))),)))
        writing.do(steps.settle, writing.below(amount))
        asked = writing.ask(go_on)
        with lines.when(compare("is not", asked, writing.load("root pc"))):
            lines.add("return", number(0))
    lines.add("return", number(1))
    return finished(function, writing)


def together_questions(steps: Steps) -> list[Question]:
    return [one for one in steps.questions if one.at is not None]


def is_together(steps: Steps, writing: Writing) -> X:
    here, found = writing.load("pc"), X("const", "i1", extra=0)
    for question in together_questions(steps):
        found = logic("or", found, compare("=", here, number(question.number)))
    return found


def dealt(steps: Steps, one: Function) -> Function:
    """1 when there is a deal; the options may be others than those of the seat when nothing fits better."""
    function, writing = written(steps.plan, "dealt", (), NUMBER)
    lines = writing.lines
    attempt = lines.variable(number(1), "a")
    with lines.loop() as over:
        lines.leave(over, compare(">", attempt, number(MOST_TRIES)))
        with lines.when(compare("is not", writing.ask(one), number(0))):
            fits = logic("or", as_the_seat_has(steps, writing), compare("=", attempt, number(MOST_TRIES)))
            with lines.when(fits):
                lines.add("return", number(1))
        lines.add_to(attempt, number(1))
    lines.add("return", number(0))
    return finished(function, writing)


def as_the_seat_has(steps: Steps, writing: Writing) -> X:
    """Whether the options are those that the seat has."""
    lines, found = writing.lines, writing.lines.variable(X("const", "i1", extra=0), "f")
    amount = writing.ask(steps.amount)
    with lines.block() as known, lines.when(compare("=", amount, writing.load("root options"))):
        def look(at: X) -> None:
            writing.do(steps.settle, at)
            other = compare("is not", writing.ask(steps.option_key), lines.load(steps.plan.fields["root keys"], at))
            lines.leave(known, other)

        lines.count_through(number(0), both("sub", amount, number(1)), look)
        lines.set(found, X("const", "i1", extra=1))
    return found


# ---- steps ahead


def walking(steps: Steps, go_on: Function) -> Function:
    """So many more decisions; then the worth of the position. 0 when it got stuck."""
    function, writing = written(steps.plan, "walk", ("decisions", "soon"), NUMBER)
    lines = writing.lines
    decisions, soon = (X("local", NUMBER, extra=name) for name in function.parameters)
    done = lines.variable(number(0), "n")
    with lines.loop():
        with lines.when(compare("=", writing.load("pc"), number(0))):
            writing.do(steps.worth_of_all)
            mean_of_both(steps, writing, compare(">", done, soon), soon)
        with lines.when(compare("=", done, soon)):
            look_early(steps, writing)
        with lines.when(compare(">=", done, decisions)):
            writing.do(steps.judge_now)
            mean_of_both(steps, writing, compare(">=", done, soon), soon)
        amount = writing.ask(steps.amount)
        choice = lines.variable(number(0), "c")
        blindly = logic("or", compare("=", writing.load("tries"), number(1)), compare("=", amount, number(1)))
        with lines.when(blindly) as blind:
            lines.set(choice, writing.below(amount))
        with lines.otherwise(blind):
            best_of_few(steps, writing, go_on, amount, choice)
        writing.do(steps.settle, choice)
        stop_when_stuck(writing, go_on)
        lines.add_to(done, number(1))
    return finished(function, writing)


def look_early(steps: Steps, writing: Writing) -> None:
    writing.move("before try", "memory 64", steps.size)
    writing.do(steps.judge_now)
    for seat in range(steps.plan.bench.players):
        writing.store("early", writing.load("worth", number(seat)), number(seat))
    writing.move("memory 64", "before try", steps.size)


def mean_of_both(steps: Steps, writing: Writing, is_late: X, soon: X) -> None:
    """What it was worth soon and what it is worth now; the end of a walk."""
    lines = writing.lines
    with lines.when(logic("and", is_late, compare(">=", soon, number(0)))):
        for seat in range(steps.plan.bench.players):
            both_worths = both("add", writing.load("worth", number(seat)), writing.load("early", number(seat)))
            writing.store("worth", both("div", both_worths, number(2)), number(seat))
    lines.add("return", number(1))


def stop_when_stuck(writing: Writing, go_on: Function) -> None:
    with writing.lines.when(compare("<", writing.ask(go_on), number(0))):
        writing.lines.add("return", number(0))


def best_of_few(steps: Steps, writing: Writing, go_on: Function, amount: X, choice: X) -> None:
    """Options at random, judged right behind them."""
    lines = writing.lines
    writing.move("before try", "memory 64", steps.size)
    chooser, highest = steps.chooser(writing), lines.variable(number(-(1 << 62)), "h")

    def look(_: X) -> None:
        which = writing.below(amount)
        writing.do(steps.settle, which)
        stop_when_stuck(writing, go_on)
        with lines.when(compare("=", writing.load("pc"), number(0))) as over:
            writing.do(steps.worth_of_all)
        with lines.otherwise(over):
            writing.do(steps.judge_now)
        worth = steps.worth_to(writing, chooser)
        with lines.when(compare(">", worth, highest)):
            lines.set(highest, worth)
            lines.set(choice, which)
        writing.move("memory 64", "before try", steps.size)

    lines.count_through(number(1), writing.load("tries"), look)


def looking(steps: Steps, functions: dict[str, Function]) -> Function:
    """So many deals; on each, every wanted option and what follows."""
    function, writing = written(steps.plan, "look", ("deals", "ahead"), None, is_inner=False)
    lines = writing.lines
    deals = X("local", NUMBER, extra="deals")

    def on_one(_: X) -> None:
        with lines.when(compare("is not", writing.ask(functions["dealt"]), number(0))):
            amount = writing.ask(steps.amount)
            writing.move("before step", "memory 64", steps.size)
            lines.count_through(
                number(0), both("sub", amount, number(1)), lambda at: look_at(steps, writing, functions, at)
            )

    lines.count_through(number(1), deals, on_one)
    lines.add("return")
    return finished(function, writing)


def look_at(steps: Steps, writing: Writing, functions: dict[str, Function], at: X) -> None:
    lines = writing.lines
    writing.do(steps.settle, at)
    which = lines.kept(call(functions["root number"], at))
    with lines.when(compare(">=", which, number(0))), lines.when(
        compare("is not", lines.load(steps.plan.fields["root wanted"], which), number(0))
    ):
        writing.do(functions["fresh chance"])
        ahead = both("add", X("local", NUMBER, extra="ahead"), still_to_choose(steps, writing))
        ahead = lines.kept(ahead)
        with lines.when(compare(">=", writing.ask(functions["go on"]), number(0))), lines.when(
            compare("is not", writing.ask(functions["walk"], ahead, number(NONE)), number(0))
        ):
            writing.add("root sum", steps.worth_to(writing, writing.load("seat")), which)
            writing.add("root count", number(1), which)
    writing.move("memory 64", "before step", steps.size)


def root_number(steps: Steps) -> Function:
    """Which option of the seat it is that was taken up, as a rule the one at the same place; -1: none."""
    function, writing = written(steps.plan, "root number", ("at",), NUMBER)
    lines, at = writing.lines, X("local", NUMBER, extra="at")
    key, keys = writing.ask(steps.option_key), steps.plan.fields["root keys"]
    inside = compare("<", at, writing.load("root options"))
    with lines.when(inside), lines.when(compare("=", lines.load(keys, at), key)):
        lines.add("return", at)

    def look(other: X) -> None:
        with lines.when(compare("=", lines.load(keys, other), key)):
            lines.add("return", other)

    lines.count_through(number(0), both("sub", writing.load("root options"), number(1)), look)
    lines.add("return", number(-1))
    return finished(function, writing)


def still_to_choose(steps: Steps, writing: Writing) -> X:
    """How many others choose at the same moment, after one has."""
    lines, here = writing.lines, writing.load("pc")
    found = lines.variable(number(0), "n")
    for question in together_questions(steps):
        assert question.seats_asked is not None
        assert question.at is not None
        with lines.when(compare("=", here, number(question.number))):
            left = both("sub", lines.load(question.seats_asked), lines.load(question.at))
            lines.set(found, both("sub", left, number(1)))
    return found


def basic(plan: Plan, questions: tuple[Question, ...], run: Function, amount: Function, settle: Function,
          is_common: bool, sign: int) -> Steps:
    evaluation.lay_out(plan)
    worth = evaluation.worth_of_all(plan, is_common, sign)
    key = option_key(plan, questions)
    steps = Steps(plan, questions, run, amount, settle, worth, evaluation.judging_now(plan, worth), key)
    dealing.lay_out(plan)
    return steps


def all_steps(steps: Steps) -> dict[str, Function]:
    """By name, each made of those before it."""
    steps.lay_out()
    found = {"fresh chance": fresh_chance(steps.plan), "go on": going_on(steps), "deal": dealing.dealing(steps.plan)}
    found["one deal"] = one_deal(steps, found["deal"], found["go on"], found["fresh chance"])
    found["dealt"] = dealt(steps, found["one deal"])
    found["walk"] = walking(steps, found["go on"])
    found["root number"] = root_number(steps)
    found["look"] = looking(steps, found)
    return found
