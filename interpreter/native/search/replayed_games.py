"""One game by given answers, as lines: the candidates of `search.candidates`. Stops as soon as it may have failed.

Takes the functions of a machine that asks, gives a function: 0 when the game certainly did not fail, else 1, and the
reference plays it. What an answer costs, how many choices there were, is noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from attrs import frozen

from rulesrun.interpreter.form.form import (
    NUMBER,
    Constants,
    Function,
    Value,
    as_number,
    binary,
    compare,
    local,
    logic,
    number,
)
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.model.random import SMALL
from rulesrun.interpreter.model.values import TEAM
from rulesrun.interpreter.native.flow import moments, random_games
from rulesrun.interpreter.native.flow.asked_games import OVER
from rulesrun.interpreter.native.flow.random_games import begin_streams
from rulesrun.interpreter.native.layout.machine import stream_names
from rulesrun.interpreter.native.layout.plan import Plan, Scope
from rulesrun.interpreter.play.game_loop import player_stream_name
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait, OrderWait, ValueWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.search.biased_search import TASTES

# ---- moments
# Moments of a game that is searched, as lines: how it begins, what is looked at, what is broken.
#
# Takes a scope, writes into it.


PROPERTIES = 64


def begin_game(scope: Scope) -> None:
    lines, fields = scope.lines, scope.plan.fields

    def below(limit: int, source: str) -> Value:
        return lines.bind(
            Value("below", NUMBER, (number(scope.plan.stream_number(source)), number(limit)), fields["streams"])
        )

    lines.store(fields["is rare"], as_number(compare("=", below(2, "rare"), number(0))))
    lines.store(fields["taste"], below(TASTES, "taste"))
    lines.store(fields["told"], number(0))
    for name, other in (("loves", None), ("first broken", None), ("used before", "used")):
        def set_one(at: Value, name: str = name, other: str | None = other) -> None:
            lines.store(fields[name], number(0) if other is None else lines.load(fields[other], at), at)

        lines.for_range(number(0), number(fields[name].amount - 1), set_one)


def has_fault(scope: Scope) -> Value:
    return compare("is not", scope.lines.load(scope.plan.fields["fault"]), number(0))


def check_position(scope: Scope, made: Value) -> None:
    lines, fields = scope.lines, scope.plan.fields
    lines.store(fields["decisions"], binary("add", lines.load(fields["decisions"]), number(1)))
    lines.emit("do", call(moments.property_check_function(scope.plan), lines.bind(lines.load(fields["player"]))))
    note_broken(scope, made)


def check_end(scope: Scope) -> None:
    player = scope.lines.bind(scope.lines.load(scope.plan.fields["player"]))
    for function in (
        moments.share_check_function,
        moments.component_count_function,
        random_games.agreement_function,
    ):
        scope.lines.emit("do", call(function(scope.plan), player))


def note_broken(scope: Scope, made: Value) -> None:
    """Of every property that is broken, how many choices there had been; one more, since 0 is none."""
    lines, place = scope.lines, scope.plan.fields["first broken"]

    def note(at: Value) -> None:
        with lines.when(compare("=", lines.load(place, at), number(0))):
            lines.store(place, binary("add", made, number(1)), at)

    lines.for_each_bit(lines.bind(lines.load(scope.plan.fields["broken"])), note, PROPERTIES)


# ---- replayed games


FIRST, AT_RANDOM, LEANING = range(3)  # what comes after the answers that are given
DRAWN, EVENLY = -1, -2  # how chance weighs; else where its weights stand among the faces
CERTAINLY_NOT, PERHAPS = 0, 1
PARAMETERS = ("answers", "many answers", "row", "many in row", "then", "limit", "most")
APART = -1  # in place of how many there are in the row: choices stand among the answers


@frozen(eq=False)
class AskingFunctions:
    """What a machine that asks is made of."""

    waits: Sequence[Wait]
    run: Function
    amount: Function
    settle: Function
    where: Function
    lean: Function


def lay_out_candidates(plan: Plan, waits: Sequence[Wait]) -> None:
    """Before the streams are counted: everybody who is asked has one."""
    for player in range(plan.bench.players + 1):
        plan.stream_number(player_stream_name(player))
    for wait in waits:
        if isinstance(wait, ChanceWait):
            for name in stream_names(plan.table, wait)[0]:
                plan.stream_number(name)
    for name in ("looked for", "tried answers", "tried choices", "tried width"):
        plan.add_scratch(name, 64, 1)


def candidate_function(plan: Plan, start: Constants, asking: AskingFunctions) -> Function:
    return CandidateWriter(plan, start, asking).write_function()


class CandidateWriter:
    def __init__(self, plan: Plan, start: Constants, asking: AskingFunctions) -> None:
        self.plan, self.start, self.asking, self.lines = plan, start, asking, Lines()
        self.scope = Scope(plan, self.lines, number(1))
        self.given = {name: local(name) for name in PARAMETERS}
        self.answered, self.made, self.at = (self.lines.variable(number(0), stem) for stem in ("n", "made", "at"))
        self.random = SeededAnswers(plan, self.lines, asking)

    def write_function(self) -> Function:
        lines, given = self.lines, self.given
        lines.emit("copy", extra=(0, len(self.start.values), self.start))
        if self.plan.work is not None:
            lines.store(self.plan.work, number(0))
        with lines.when(compare("is not", given["then"], number(FIRST))):
            begin_streams(self.scope, number(0))
        with lines.when(compare("=", given["then"], number(LEANING))):
            begin_game(self.scope)
        lines.store(self.plan.fields["tried width"], number(0))
        with lines.loop() as over:
            self.pass_question(over)
        for name, value in (("tried answers", self.answered), ("tried choices", self.made)):
            lines.store(self.plan.fields[name], value)
        lines.emit("return", number(CERTAINLY_NOT))
        return Function("tried", PARAMETERS, NUMBER, lines.lines, is_inner=False)

    def pass_question(self, over: str) -> None:
        """To the next one, and past it."""
        lines, given, plan, waits = self.lines, self.given, self.plan, self.asking.waits
        is_chance = plan.add_constants("chance", (0, *(int(isinstance(wait, ChanceWait)) for wait in waits)))
        lines.store(plan.fields["told"], number(0))
        asked = lines.bind(call(self.asking.run))
        self.return_perhaps_if(logic("or", compare("<", asked, number(OVER)), has_fault(self.scope)))
        here = lines.bind(local(asked.extra, NUMBER, 0, len(waits)))
        is_choice = lines.bind(compare("=", lines.look_up(is_chance, here), number(0)))
        with lines.when(is_choice):
            check_position(self.scope, self.made)
            self.return_perhaps_if(logic("or", has_fault(self.scope), self.is_broken()))
            with lines.when(compare("=", asked, number(OVER))):
                check_end(self.scope)
                self.return_perhaps_if(logic("or", has_fault(self.scope), self.is_broken()))
                lines.leave(over)
            lines.leave(over, compare(">=", self.made, given["limit"]))
        lines.leave(over, compare(">=", self.answered, given["most"]))
        which = lines.variable(number(0), "which")
        self.set_answer(is_choice, here, which)
        with lines.when(is_choice):
            lines.add_to(self.made, number(1))
        lines.add_to(self.answered, number(1))
        lines.emit("do", call(self.asking.settle, which))

    def return_perhaps_if(self, test: Value) -> None:
        with self.lines.when(test):
            self.lines.emit("return", number(PERHAPS))

    def is_broken(self) -> Value:
        fields, lines = self.plan.fields, self.lines
        found = Value("and", NUMBER, (lines.load(fields["broken"]), lines.load(fields["looked for"])))
        return compare("is not", found, number(0))

    # ---- answers

    def set_answer(self, is_choice: Value, here: Value, which: Value) -> None:
        lines, given = self.lines, self.given
        is_apart = compare("is not", given["many in row"], number(APART))
        with lines.when(logic("and", is_choice, is_apart)) as in_row:
            self.set_answer_from_row(which)
        with lines.otherwise(in_row), lines.when(compare("<", self.at, given["many answers"])) as is_written:
            lines.set(which, binary("mod", self.load_given("answers", self.at), self.count_answers()))
            lines.add_to(self.at, number(1))
        with lines.otherwise(is_written):
            with lines.when(compare("=", given["then"], number(LEANING))):
                lines.set(which, call(self.asking.lean))
            with lines.when(compare("=", given["then"], number(AT_RANDOM))):
                with lines.when(is_choice) as chosen:
                    self.random.pick_option(here, which, self.count_answers())
                with lines.otherwise(chosen):
                    self.random.pick_outcome(here, which)

    def set_answer_from_row(self, which: Value) -> None:
        lines, many = self.lines, self.given["many in row"]
        with lines.when(compare("<", self.made, many)):
            amount = self.count_answers()
            lines.set(which, binary("mod", self.load_given("row", self.made), amount))
            with lines.when(compare("=", binary("add", self.made, number(1)), many)):
                lines.store(self.plan.fields["tried width"], amount)

    def count_answers(self) -> Value:
        """Of the answers there are; at least one."""
        return self.lines.bind(call(self.asking.amount, low=1))

    def load_given(self, name: str, at: Value) -> Value:
        place = binary("add", self.given[name], binary("mul", at, number(8)))
        return self.lines.bind(Value("peek", NUMBER, (place,), 64, 0))


class SeededAnswers:
    """Choices and chance as in the random game of a seed: each from the stream of whose it is."""

    def __init__(self, plan: Plan, lines: Lines, asking: AskingFunctions) -> None:
        self.plan, self.lines, self.asking = plan, lines, asking
        kinds, faces, totals, first, told, many, teams = [0], [0], [0], [0], [0], [0], [0]
        for wait in asking.waits:
            teams.append(int(isinstance(wait, DecisionWait) and wait.is_team))
            names, place = (
                stream_names(plan.table, wait) if isinstance(wait, ChanceWait) else ((player_stream_name(TEAM),), 0)
            )
            first.append(plan.stream_number(names[0]))
            told.append(place)
            many.append(len(names))
            kinds.append(DRAWN if isinstance(wait, DrawWait) else EVENLY)
            totals.append(factorial(len(wait.values)) if isinstance(wait, OrderWait) else 0)
            if isinstance(wait, ValueWait) and not isinstance(wait, OrderWait):
                kinds[-1], totals[-1] = len(faces), sum(wait.weights)
                faces.extend(weight for weight in wait.weights if weight)
        rows = (("kinds", kinds), ("faces", faces), ("totals", totals), ("first", first), ("told", told),
                ("many", many), ("teams", teams))  # fmt: skip
        self.tables = {name: plan.add_constants(f"{name} of chance", tuple(row)) for name, row in rows}

    def look_up_question(self, name: str, at: Value) -> Value:
        return self.lines.bind(self.lines.look_up(self.tables[name], at))

    def pick_option(self, here: Value, which: Value, amount: Value) -> None:
        lines = self.lines
        seats = [self.plan.stream_number(player_stream_name(player)) for player in range(self.plan.bench.players + 1)]
        asked = lines.variable(lines.load(self.plan.fields["player"]), "p")
        with lines.when(compare("is not", self.look_up_question("teams", here), number(0))):
            lines.set(asked, number(TEAM))
        stream = lines.bind(lines.look_up(self.plan.add_constants("streams of players", tuple(seats)), asked))
        lines.set(which, Value("below", NUMBER, (stream, amount), self.plan.fields["streams"]))

    def pick_outcome(self, here: Value, which: Value) -> None:
        lines, telling = self.lines, self.plan.fields["telling"]
        stream = self.stream_of_question(here)
        amount = lines.bind(call(self.asking.amount))
        kind, last = self.look_up_question("kinds", here), lines.bind(binary("sub", amount, number(1)))
        total = lines.variable(self.look_up_question("totals", here), "t")
        weight = lines.variable(number(0), "w")

        def weigh(at: Value) -> None:
            with lines.when(compare("=", kind, number(DRAWN))) as drawn:
                lines.set(weight, lines.load(telling, binary("add", binary("mul", at, number(2)), number(1))))
            with lines.otherwise(drawn):
                lines.set(weight, lines.look_up(self.tables["faces"], binary("add", kind, at)))

        def add(at: Value) -> None:
            weigh(at)
            lines.add_to(total, weight)

        with lines.when(compare("=", kind, number(DRAWN))):
            lines.for_range(number(0), last, add)
        left = lines.variable(self.random_below(total, stream), "r")
        with lines.when(compare("=", kind, number(EVENLY))) as evenly:
            lines.set(which, left)
        with lines.otherwise(evenly), lines.loop() as found:
            weigh(which)
            lines.set(left, binary("sub", left, weight))
            lines.leave(found, compare("<", left, number(0)))
            lines.leave(found, compare(">=", which, last))
            lines.add_to(which, number(1))

    def stream_of_question(self, here: Value) -> Value:
        """Of several places of one name, the question tells whose chance it is."""
        lines, telling = self.lines, self.plan.fields["telling"]
        stream = lines.variable(self.look_up_question("first", here), "s")
        with lines.when(compare(">", self.look_up_question("many", here), number(1))):
            lines.emit("do", call(self.asking.where))
            lines.add_to(stream, lines.load(telling, self.look_up_question("told", here)))
        return stream

    def random_below(self, total: Value, stream: Value) -> Value:
        lines, streams = self.lines, self.plan.fields["streams"]
        found = lines.variable(number(0), "r")
        with lines.when(compare("<", total, number(SMALL))) as small:
            lines.set(found, Value("below", NUMBER, (stream, total), streams))
        with lines.otherwise(small):
            lines.set(found, Value("below many", NUMBER, (stream, total), streams))
        return found
