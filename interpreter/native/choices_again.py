"""How lucky the choices of a game were, in machine code: a game whose answers are known is gone through again.

At every decision the options are tried, as the reference's `Choices` does, with the same numbers.
"""

from __future__ import annotations

from attrs import define, frozen

from rulesrun.dsl import ast
from rulesrun.interpreter.domains import domain
from rulesrun.interpreter.measuring.choices import LOOKS, STRETCH, UNIT
from rulesrun.interpreter.measuring.outlook import Outlook
from rulesrun.interpreter.native import bodies, flow, places, questions
from rulesrun.interpreter.native.answers_noted import MOST_ANSWERS
from rulesrun.interpreter.native.asked_games import STUCK, laid_out, machine_function
from rulesrun.interpreter.native.form import (
    NUMBER,
    CannotCompile,
    Constants,
    Function,
    X,
    both,
    compare,
    constant_of,
    known,
    logic,
    number,
)
from rulesrun.interpreter.native.games import mix, signed, start_bytes
from rulesrun.interpreter.native.lines import Lines
from rulesrun.interpreter.native.machine import Machine
from rulesrun.interpreter.native.outlooks import OutlookLines
from rulesrun.interpreter.native.plan import Plan, Scope
from rulesrun.interpreter.native.questions import Question
from rulesrun.interpreter.native.thinking_words import Writing, finished, positive, raw_fields, written
from rulesrun.interpreter.random import GOLDEN, SMALL
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.workbench import VariableRoom

MOST_FACES = 4096


@frozen(eq=False)
class AgainForm:
    plan: Plan
    functions: tuple[Function, ...]
    outlook: Outlook


def games_again(table: Table) -> AgainForm:
    plan, outlook = laid_out(table), Outlook(table)
    raw_fields(plan)
    machine = Machine(plan, True, bodies.statement)
    flow.whole_game(machine)
    run = machine_function(machine)
    asked: tuple[Question, ...] = tuple(machine.waits)
    amount = questions.dispatch(plan, list(asked), "amount", (), NUMBER)
    settle = questions.dispatch(plan, list(asked), "settle", ("which",), None)
    looking = OutlookLines(plan, outlook, asked)
    looking.lay_out()
    for name, many in (("answers given", MOST_ANSWERS), ("answers noted", 1), ("again key", 1),
                       ("ways of actions", len(plan.bench.of_class(ast.Action)))):  # fmt: skip
        plan.scratch(name, 64, many)
    again = Again(plan, asked, run, amount, settle, looking.adding())
    play = again.playing()
    return AgainForm(plan, (*plan.functions, run, amount, settle, play), outlook)


@define(eq=False)
class Again:
    plan: Plan
    questions: tuple[Question, ...]
    run: Function
    amount: Function
    settle: Function
    add: Function
    size: int = 0

    def playing(self) -> Function:
        """1 when the game came to its end."""
        counting = self.counting_ways()
        self.size = (self.plan.size + 7) // 8 * 8
        self.plan.scratch("position before", 64, self.size // 8)
        start = Constants("start again", 8, start_bytes(self.plan))
        function = Function("play again", (), NUMBER, is_inner=False)
        writing = Writing(self.plan, Lines())
        lines = writing.lines
        lines.add("copy", extra=(0, len(start.values), start))
        row = self.plan.fields["row of luck"]
        lines.count_through(number(0), number(row.amount - 1), lambda at: lines.store(row, number(0), at))
        for name in ("answers noted", "told"):
            writing.store(name, number(0))
        decisions, waiting = lines.variable(number(0), "d"), lines.variable(number(0), "w")
        with lines.loop():
            asked = writing.ask(self.run)
            with lines.when(self.is_bad(writing, asked)):
                lines.add("return", number(0))
            with lines.when(compare("is not", waiting, number(0))):
                writing.do(self.add, waiting)
                lines.set(waiting, number(0))
            with lines.when(compare("=", asked, number(0))):
                lines.add("return", number(1))
            many = writing.ask(counting)
            with lines.when(compare(">=", many, number(0))):
                lines.add_to(decisions, number(1))
            with lines.when(compare(">", many, number(1))):
                self.decide(writing, decisions, waiting, many)
            self.answer(writing)
        function.body = lines.lines
        return function


    def is_bad(self, writing: Writing, asked: X) -> X:
        bad = logic("or", compare("=", asked, number(STUCK)), compare("is not", writing.load("fault"), number(0)))
        return writing.lines.kept(bad)

    # ---- decisions

    def counting_ways(self) -> Function:
        """How many options there are, action by action and together; -1 where chance is asked."""
        function, writing = written(self.plan, "count ways", (), NUMBER)
        lines, here = writing.lines, writing.load("pc")
        actions = self.plan.bench.of_class(ast.Action)
        for at in range(len(actions)):
            writing.store("ways of actions", number(0), number(at))
        machine = Machine(self.plan, True, bodies.statement, lines=lines)
        for question in self.questions:
            if not isinstance(question.node, ast.Choose):
                continue
            with lines.when(compare("=", here, number(question.number))):
                scope, total = machine.scope(), number(0)
                for action in question.actions:
                    ways = lines.kept(questions.ways(scope, action))
                    writing.store("ways of actions", ways, number(actions.index(action)))
                    total = both("add", total, ways)
                lines.add("return", total)
        lines.add("return", number(-1))
        return finished(function, writing)

    def decide(self, writing: Writing, decisions: X, waiting: X, many: X) -> None:
        """All that might have been, action by action."""
        lines = writing.lines
        writing.move("position before", "memory 64", self.size)
        whole = both("div", number(UNIT), positive(both("mul", many, number(LOOKS))))
        whole = lines.kept(both("max", whole, number(1)))
        first = lines.variable(number(0), "f")
        word_of = both("mul", decisions, number(STRETCH))

        def of_action(action: X) -> None:
            ways = writing.load("ways of actions", action)
            with lines.when(compare(">", ways, number(0))):
                is_few = lines.kept(compare("<=", ways, number(LOOKS)))
                times = lines.variable(both("mul", whole, ways), "t")
                begin = lines.variable(number(0), "b")
                with lines.when(is_few) as few:
                    lines.set(times, both("mul", whole, number(LOOKS)))
                with lines.otherwise(few):
                    lines.set(begin, self.beginning(writing, both("add", word_of, action), ways))
                looks = lines.kept(both("min", ways, number(LOOKS)))

                def look(step: X) -> None:
                    far = both("div", positive(both("mul", step, ways)), looks)
                    at = both("mod", positive(both("add", begin, far)), known(ways, 1, None))
                    self.look_behind(writing, both("add", first, at), times)

                lines.count_through(number(0), both("sub", looks, number(1)), look)
            lines.add_to(first, ways)

        actions = self.plan.bench.of_class(ast.Action)
        lines.count_through(number(0), number(len(actions) - 1), of_action)
        lines.set(waiting, both("mul", both("mul", whole, number(LOOKS)), many))

    def beginning(self, writing: Writing, step: X, ways: X) -> X:
        moved = both("mul", both("add", step, number(1)), number(signed(GOLDEN)))
        word = mix(X("add", NUMBER, (writing.load("again key"), moved)))
        half = positive(X("lshr", NUMBER, (word, number(1))))
        return both("mod", half, known(ways, 1, None))

    def look_behind(self, writing: Writing, which: X, times: X) -> None:
        """What leads to a fault promises nothing."""
        lines = writing.lines
        writing.do(self.settle, which)
        asked = writing.ask(self.run)
        with lines.when(X("not", "i1", (self.is_bad(writing, asked),))):
            writing.do(self.add, both("sub", number(0), times))
        writing.move("memory 64", "position before", self.size)
        writing.store("fault", number(0))

    # ---- answers

    def answer(self, writing: Writing) -> None:
        lines, here = writing.lines, writing.load("pc")
        at = writing.load("answers noted")
        given = writing.load("answers given", at)
        writing.store("answers noted", both("add", at, number(1)))
        for question in self.questions:
            with lines.when(compare("=", here, number(question.number))):
                writing.do(self.settle, self.which(writing, question, given))

    def which(self, writing: Writing, question: Question, given: X) -> X:
        """The number of the answer among those that may come."""
        lines, node = writing.lines, question.node
        if isinstance(node, ast.Shuffle):
            self.look_at_order(question)
        if isinstance(node, (ast.Choose, ast.Shuffle)):  # a random order is drawn as its number
            return given
        if isinstance(node, ast.Deal):
            amount, found = writing.ask(self.amount), lines.variable(number(0), "w")

            def look(step: X) -> None:
                kind = writing.load("telling", both("mul", step, number(2)))
                with lines.when(compare("=", kind, given)):
                    lines.set(found, step)

            lines.count_through(number(0), both("sub", amount, number(1)), look)
            return found
        faces = self.faces(node)
        return lines.look_up(self.plan.table_of("faces below", faces), given)

    def look_at_order(self, question: Question) -> None:
        amount = next((line.args[0] for line in question.amount.body if line.op == "return"), None)
        many = constant_of(amount) if amount is not None else None
        if many is None or many >= SMALL:
            raise CannotCompile("a random order of so many values is gone through again by the reference")

    def faces(self, node: ast.Node) -> tuple[int, ...]:
        """For every number below the sum of the weights, which of the values it means."""
        bench = self.plan.bench
        if isinstance(node, ast.Lots):
            return tuple(range(bench.players))
        assert isinstance(node, ast.Roll)
        room = places.room_of(Scope(self.plan, Lines(), number(1)), node.target)
        assert isinstance(room, VariableRoom)
        declared = room.declaration.type
        values = domain(bench, declared.item if isinstance(declared, ast.Optional) else declared)
        weights = [bench.fixed_number(one) for one in node.chances] or [1] * len(values)
        possible = [weight for weight in weights if weight]
        if sum(possible) > MOST_FACES:
            raise CannotCompile("the chances are too fine to be gone through again")
        return tuple(at for at, weight in enumerate(possible) for _ in range(weight))
