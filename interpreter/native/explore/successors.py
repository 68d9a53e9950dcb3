"""What can follow a position, as lines: every option, every outcome of chance, every joint choice, one after the other.

As the reference's `exploring.ways`: a certain outcome is followed at once, choices made at the same moment are one
way. Writes `expand`, which goes through some positions and leaves a row for every way. Where something is to be
told — a fault, a property that did not hold at its moment — the way is noted for the reference.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.explore.breadth_first import units
from rulesrun.interpreter.form.form import NUMBER, Field, Function, X, both, compare, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.native.explore import rows, visited_set
from rulesrun.interpreter.native.explore.arrays import HERE, Array, Told
from rulesrun.interpreter.native.explore.canonical_rows import Alike, unpack
from rulesrun.interpreter.native.explore.machine import MOST_ACTIONS, MOST_SEATS, ExploredForm
from rulesrun.interpreter.native.explore.record_chains import begin_nodes
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function
from rulesrun.interpreter.play.successors import MOST_CERTAIN, MOST_WAYS
from rulesrun.interpreter.reference.options import MOST_OPTIONS

STACK = MOST_SEATS + 1
ENTRIES = MOST_ACTIONS
AHEAD, FURTHER = 4, 96  # how many ways ahead memory is asked for: rows, single numbers
SMALL = (("hashes", 64), ("ways", 32), ("images", 16), ("sizes", 32))
EVENT = 4  # numbers of an event: parent, way, children before it, the fault; or less than 0: minus the broken ones


@define(eq=False)
class Expanding:
    """Writes `expand` or `begin`: its locals, and one method for each of its steps."""

    form: ExploredForm
    alike: Alike
    lines: Lines = field(factory=Lines)
    told: Told = field(init=False)
    child: X = field(init=False)
    parent: X = field(init=False)
    way: X = field(init=False)
    full: X = field(init=False)
    noted: X = field(init=False)
    home: X = field(init=False)
    depth: X = field(init=False)
    work: Array = field(init=False)
    seen: X = field(init=False)
    round: X | None = None  # of the position that is followed
    units: list[str] = field(init=False)  # in which the length of games is asked for

    def __attrs_post_init__(self) -> None:
        self.units = units(self.form.table)

    @property
    def plan(self) -> Plan:
        return self.form.plan

    def function(self, name: str) -> Function:
        return next(one for one in self.form.functions if one.name == name)

    def load(self, name: str) -> X:
        return self.lines.load(self.plan.fields[name])

    def begin(self) -> Function:
        """`begin(control)`: the first position, as the only child of nobody."""
        self.open()
        rows.copy_position(self.form, self.lines, HERE, self.told.get("stacks"))
        self.home = number(-1)
        with self.lines.block() as one_way:
            self.follow(one_way)
        return self.close("begin")

    def open(self) -> None:
        lines = self.lines
        told = self.told = Told(lines)
        if self.form.memories:
            begin_nodes(lines, self.plan)
        self.work, self.seen = told.of("work", 64), told.get("broken seen")
        self.child, self.parent = lines.variable(number(0), "child"), lines.variable(told.get("first"), "parent")
        self.way, self.full = lines.variable(number(0), "way"), lines.variable(number(0), "full")
        self.noted, self.depth = lines.variable(number(0), "noted"), lines.variable(number(0), "depth")

    def close(self, name: str) -> Function:
        """What came of it is told."""
        for what, value in (("reached", self.parent), ("children", self.child), ("event count", self.noted)):
            self.told.put(what, value)
        visited_set.share_out(self.lines, self.told, self.child)
        self.lines.add("return", self.full)
        return Function(name, ("control",), NUMBER, self.lines.lines, is_inner=False)

    def expand(self) -> Function:
        """`expand(control)`: the positions from `first` on, until `last` or until there is no room for more."""
        self.open()
        lines, told = self.lines, self.told
        ends, first, last = told.of("ends", 64), told.get("first"), told.get("last")
        with lines.loop() as done:
            lines.leave(done, compare(">=", self.parent, last))
            began, events = lines.kept(self.child), lines.kept(self.noted)
            self.one_parent()
            with lines.when(compare("is not", self.full, number(0))):
                lines.set(self.child, began)
                lines.set(self.noted, events)
                lines.leave(done)
            ends.put(lines, both("sub", self.parent, first), self.child)
            lines.add_to(self.parent, number(1))
        return self.close("expand")

    # ---- one position

    def stack(self) -> X:
        """The position from which those choose that have not chosen yet."""
        return both("add", self.told.get("stacks"), both("mul", self.depth, number(rows.block_size(self.form))))

    def one_parent(self) -> None:
        lines = self.lines
        unpack(self.form, self.alike, lines, self.told, self.parent)
        rows.copy_position(self.form, lines, HERE, self.told.get("stacks"))
        self.home = lines.kept(self.load("pc"))
        self.round = lines.kept(self.load("round"))
        lines.set(self.depth, number(0))
        lines.set(self.way, number(0))
        self.ask()
        with lines.loop() as done:
            lines.leave(done, compare("is not", self.full, number(0)))
            at = lines.kept(both("mul", self.depth, number(2)))
            which = lines.kept(self.work.get(at))
            with lines.block() as one_way:
                with lines.when(compare(">=", which, self.work.get(both("add", at, number(1))))):
                    lines.set(self.depth, both("sub", self.depth, number(1)))
                    lines.leave(one_way)
                self.work.put(lines, at, both("add", which, number(1)))
                rows.copy_position(self.form, lines, HERE, lines.kept(self.stack()))
                if "turns" in self.units:
                    lines.store(self.plan.fields["turns"], number(0))
                lines.add("do", call(self.function("settle"), which))
                index = both("add", both("mul", self.home, number(ENTRIES)), self.load("entry"))
                lines.store(self.plan.fields["options taken"], number(1), lines.kept(index))
                self.follow(one_way)
            lines.leave(done, compare("<", self.depth, number(0)))

    def ask(self) -> None:
        """How many answers there are at this depth; none when the game is over."""
        lines, many = self.lines, self.lines.variable(number(0), "many")
        with lines.when(compare("is not", self.load("pc"), number(0))):
            lines.set(many, call(self.function("amount")))
        with lines.when(compare(">", many, number(MOST_OPTIONS))):
            self.told.put("gives up", number(1))
            lines.set(many, number(0))
        at = lines.kept(both("mul", self.depth, number(2)))
        self.work.put(lines, at, number(0))
        self.work.put(lines, both("add", at, number(1)), many)

    # ---- one way

    def follow(self, one_way: str) -> None:
        """On to the next question that has more than one answer."""
        lines, plan = self.lines, self.plan
        lines.store(plan.fields["told"], number(0))
        asked = lines.variable(call(self.form.run), "asked")
        self.certain(asked)
        self.is_there_room(one_way)
        fault = lines.kept(self.load("fault"))
        with lines.when(logic("or", compare("<", asked, number(0)), compare("is not", fault, number(0)))):
            self.event(both("max", fault, number(1)))
            lines.add_to(self.way, number(1))
            lines.leave(one_way)
        with lines.when(compare("is not", self.load("told"), number(0))):
            lines.add("do", call(noting_scores(plan), number(1)))
        self.joined(asked, one_way)
        new = lines.kept(X("and", NUMBER, (self.load("broken"), X("not", NUMBER, (self.seen,)))))
        with lines.when(compare("is not", new, number(0))):
            self.event(both("sub", number(0), new))
        self.arrive()
        lines.add_to(self.way, number(1))
        with lines.when(compare(">", self.way, number(MOST_WAYS))):
            self.told.put("gives up", number(1))
            lines.set(self.full, number(1))

    def is_there_room(self, one_way: str) -> None:
        """For what was recorded."""
        lines = self.lines
        if self.form.memories:
            with lines.when(compare("is not", self.load("records full"), number(0))):
                lines.set(self.full, number(1))
                lines.leave(one_way)

    def certain(self, asked: X) -> None:
        chances = [int(not isinstance(one.node, ast.Choose)) for one in self.form.questions]
        if not any(chances):
            return
        lines, times = self.lines, self.lines.variable(number(0), "times")
        is_chance = self.plan.table_of("is chance", (0, *chances))
        with lines.loop() as over:
            lines.leave(over, compare("<=", asked, number(0)))
            lines.leave(over, compare("is not", self.load("fault"), number(0)))
            lines.leave(over, compare("=", lines.look_up(is_chance, asked), number(0)))
            many = lines.kept(call(self.function("amount")))
            lines.leave(over, compare("is not", many, number(1)))
            lines.leave(over, compare(">", times, number(MOST_CERTAIN)))
            lines.add("do", call(self.function("settle"), number(0)))
            lines.set(asked, call(self.form.run))
            lines.add_to(times, number(1))

    def joined(self, asked: X, one_way: str) -> None:
        """Others are still to choose on the same position: one seat deeper."""
        lines = self.lines
        for question in self.form.questions:
            if question.at is None:
                continue
            is_same = logic("and", compare("=", asked, number(question.number)), compare("=", asked, self.home))
            with lines.when(logic("and", is_same, compare(">", lines.load(question.at), number(0)))):
                lines.add_to(self.depth, number(1))
                rows.copy_position(self.form, lines, lines.kept(self.stack()), HERE)
                self.ask()
                lines.leave(one_way)

    def event(self, what: X) -> None:
        """For the reference to tell."""
        lines, events = self.lines, self.told.of("events", 64)
        with lines.block() as noted:
            with lines.when(compare(">=", self.noted, self.told.get("event room"))):
                lines.set(self.full, number(1))
                lines.leave(noted)
            at = lines.kept(both("mul", self.noted, number(EVENT)))
            for step, value in enumerate((self.parent, self.way, self.child, what)):
                events.put(lines, both("add", at, number(step)), value)
            lines.add_to(self.noted, number(1))

    def arrive(self) -> None:
        lines, told = self.lines, self.told
        with lines.block() as there:
            with lines.when(compare(">=", self.child, told.get("room"))):
                lines.set(self.full, number(1))
                lines.leave(there)
            self.measure()
            lines.add("do", call(rows.settling(self.form), number(1)))
            width = number(8 * len(self.form.words))
            row = lines.kept(both("add", told.get("rows"), both("mul", self.child, width)))
            mixed = lines.variable(call(self.alike.row, row), "mixed")
            self.expect_next(row)
            self.keep_records()
            told.of("sizes", 32).put(lines, self.child, number(1))
            told.of("images", 16).put(lines, self.child, number(0))
            with lines.when(compare("is not", told.get("group"), number(0))):
                lines.set(mixed, call(self.alike.merge, X("local", NUMBER, extra="control"), self.child, row, mixed))
            told.of("hashes", 64).put(lines, self.child, mixed)
            told.of("ways", 32).put(lines, self.child, self.way)
            lines.add_to(self.child, number(1))


    def keep_records(self) -> None:
        """Where the last of what each memory holds lies."""
        for memory in self.form.memories:
            at = both("add", both("mul", self.child, number(len(self.form.memories))), number(memory.number))
            self.told.of("records", 64).put(self.lines, at, self.lines.load(memory.chain))

    def expect_next(self, row: X) -> None:
        """Another thread has looked at what lies here from the round before: to get it back takes a while."""
        ahead = both("add", row, number(AHEAD * 8 * len(self.form.words)))
        rows.expect_row(self.form, self.lines, ahead)
        for name, bits in SMALL:
            self.told.of(name, bits).expect(self.lines, both("add", self.child, number(FURTHER)))

    def measure(self) -> None:
        """By how much this way makes the game longer; the first position adds nothing."""
        for unit in self.units if self.round is not None else ():
            self.told.of(f"added {unit}", 32).put(self.lines, self.child, self.added(unit))

    def added(self, unit: str) -> X:
        if unit == "turns":
            return self.load("turns")
        if unit == "rounds":
            assert self.round is not None
            return both("sub", self.load("round"), self.round)
        chooses = (0, *(int(isinstance(one.node, ast.Choose)) for one in self.form.questions))
        is_choice = self.lines.look_up(self.plan.table_of("is choice", chooses), self.home)
        return both("mul", is_choice, both("add", self.depth, number(1)))


def noting_scores(plan: Plan) -> Function:
    """Which lines of the score sheets that were told had any points."""
    scores, n = plan.bench.of_class(ast.Score), plan.bench.players
    amounts = tuple(len(score.lines) for score in scores)
    firsts = tuple(sum(amounts[:at]) for at in range(len(amounts)))

    def write(scope: Scope, given: list[X]) -> None:
        if not scores:
            return
        lines, sheets, at = scope.lines, plan.fields["sheets told"], scope.lines.variable(number(0), "at")
        many, first = plan.table_of("lines", amounts), plan.table_of("first lines", firsts)
        with lines.loop() as done:
            lines.leave(done, compare(">=", at, lines.load(plan.fields["told"])))
            which = lines.kept(lines.load(sheets, at))
            values = lines.kept(both("mul", lines.look_up(many, which), number(n)))

            def one(step: X) -> None:
                value = lines.load(sheets, both("add", both("add", at, number(2)), step))
                with lines.when(compare("is not", value, number(0))):
                    line = both("add", lines.look_up(first, which), X("div", NUMBER, (step, number(n))))
                    lines.store(plan.fields["scored"], number(1), lines.kept(line))

            lines.count_through(number(0), lines.kept(both("sub", values, number(1))), one)
            lines.add_to(at, both("add", values, number(2)))

    return position_function(plan, "note scores", "note scores", (), None, write)


def rooms_for_notes(form: ExploredForm) -> tuple[Field, Field]:
    plan = form.plan
    lines = sum(len(score.lines) for score in plan.bench.of_class(ast.Score))
    scored = plan.scratch("scored", 8, max(lines, 1))
    return plan.scratch("options taken", 8, ENTRIES * (len(form.questions) + 1)), scored
