"""What can follow a position, as lines: every option, every outcome of chance, every joint choice, one after the other.

As the reference's `play.successors`: a certain outcome is followed at once, choices made at the same moment are one
way. Writes `expand`, which goes through some positions and leaves a row for every way. Where something is to be
told — a fault, a property that did not hold at its moment — the way is noted for the reference.
"""

from __future__ import annotations

from attrs import define, field

from rulesrun.interpreter.explore.breadth_first import length_units
from rulesrun.interpreter.form.form import NUMBER, Field, Function, Value, binary, compare, logic, number
from rulesrun.interpreter.form.lines import Lines, call
from rulesrun.interpreter.form.memory import HERE, MemoryArray
from rulesrun.interpreter.native.explore import rows, visited_set
from rulesrun.interpreter.native.explore.arrays import KernelControl
from rulesrun.interpreter.native.explore.canonical_rows import CanonicalRows, unpack_position
from rulesrun.interpreter.native.explore.machine import MOST_ACTIONS, MOST_SEATS, ExploredForm
from rulesrun.interpreter.native.explore.record_chains import reset_new_nodes
from rulesrun.interpreter.native.layout.plan import Plan, Scope, position_function
from rulesrun.interpreter.play.successors import MOST_CERTAIN, MOST_WAYS
from rulesrun.interpreter.reference.options import MOST_OPTIONS

STACK = MOST_SEATS + 1
ENTRIES = MOST_ACTIONS
AHEAD, FURTHER = 4, 96  # how many ways ahead memory is asked for: rows, single numbers
SMALL = (("hashes", 64), ("ways", 32), ("images", 16), ("sizes", 32))
EVENT = 4  # numbers of an event: parent, way, children before it, the fault; or less than 0: minus the broken ones


@define(eq=False)
class ExpandWriter:
    """Writes `expand` or `begin`: its locals, and one method for each of its steps."""

    form: ExploredForm
    alike: CanonicalRows
    lines: Lines = field(factory=Lines)
    told: KernelControl = field(init=False)
    child: Value = field(init=False)
    parent: Value = field(init=False)
    way: Value = field(init=False)
    full: Value = field(init=False)
    noted: Value = field(init=False)
    home: Value = field(init=False)
    depth: Value = field(init=False)
    work: MemoryArray = field(init=False)
    seen: Value = field(init=False)
    round: Value | None = None  # of the position that is followed
    units: list[str] = field(init=False)  # in which the length of games is asked for

    def __attrs_post_init__(self) -> None:
        self.units = length_units(self.form.table)

    @property
    def plan(self) -> Plan:
        return self.form.plan

    def find_function(self, name: str) -> Function:
        return next(one for one in self.form.functions if one.name == name)

    def load_field(self, name: str) -> Value:
        return self.lines.load(self.plan.fields[name])

    def begin_function(self) -> Function:
        """`begin(control)`: the first position, as the only child of nobody."""
        self.begin_kernel()
        rows.copy_position(self.form, self.lines, HERE, self.told.load("stacks"))
        self.home = number(-1)
        with self.lines.block() as one_way:
            self.follow_successor(one_way)
        return self.finish_kernel("begin")

    def begin_kernel(self) -> None:
        lines = self.lines
        told = self.told = KernelControl(lines)
        if self.form.memories:
            reset_new_nodes(lines, self.plan)
        self.work, self.seen = told.array_at("work", 64), told.load("broken seen")
        self.child, self.parent = lines.variable(number(0), "child"), lines.variable(told.load("first"), "parent")
        self.way, self.full = lines.variable(number(0), "way"), lines.variable(number(0), "full")
        self.noted, self.depth = lines.variable(number(0), "noted"), lines.variable(number(0), "depth")

    def finish_kernel(self, name: str) -> Function:
        """What came of it is told."""
        for what, value in (("reached", self.parent), ("children", self.child), ("event count", self.noted)):
            self.told.store(what, value)
        visited_set.share_children(self.lines, self.told, self.child)
        self.lines.emit("return", self.full)
        return Function(name, ("control",), NUMBER, self.lines.lines, is_inner=False)

    def expand_function(self) -> Function:
        """`expand(control)`: the positions from `first` on, until `last` or until there is no room for more."""
        self.begin_kernel()
        lines, told = self.lines, self.told
        ends, first, last = told.array_at("ends", 64), told.load("first"), told.load("last")
        with lines.loop() as done:
            lines.leave(done, compare(">=", self.parent, last))
            began, events = lines.bind(self.child), lines.bind(self.noted)
            self.expand_parent()
            with lines.when(compare("is not", self.full, number(0))):
                lines.set(self.child, began)
                lines.set(self.noted, events)
                lines.leave(done)
            ends.store(lines, binary("sub", self.parent, first), self.child)
            lines.add_to(self.parent, number(1))
        return self.finish_kernel("expand")

    # ---- one position

    def stack_address(self) -> Value:
        """The position from which those choose that have not chosen yet."""
        return binary("add", self.told.load("stacks"), binary("mul", self.depth, number(rows.block_size(self.form))))

    def expand_parent(self) -> None:
        lines = self.lines
        unpack_position(self.form, self.alike, lines, self.told, self.parent)
        rows.copy_position(self.form, lines, HERE, self.told.load("stacks"))
        self.home = lines.bind(self.load_field("pc"))
        self.round = lines.bind(self.load_field("round"))
        lines.set(self.depth, number(0))
        lines.set(self.way, number(0))
        self.count_answers()
        with lines.loop() as done:
            lines.leave(done, compare("is not", self.full, number(0)))
            at = lines.bind(binary("mul", self.depth, number(2)))
            which = lines.bind(self.work.load(at))
            with lines.block() as one_way:
                with lines.when(compare(">=", which, self.work.load(binary("add", at, number(1))))):
                    lines.set(self.depth, binary("sub", self.depth, number(1)))
                    lines.leave(one_way)
                self.work.store(lines, at, binary("add", which, number(1)))
                rows.copy_position(self.form, lines, HERE, lines.bind(self.stack_address()))
                if "turns" in self.units:
                    lines.store(self.plan.fields["turns"], number(0))
                lines.emit("do", call(self.find_function("settle"), which))
                index = binary("add", binary("mul", self.home, number(ENTRIES)), self.load_field("entry"))
                lines.store(self.plan.fields["options taken"], number(1), lines.bind(index))
                self.follow_successor(one_way)
            lines.leave(done, compare("<", self.depth, number(0)))

    def count_answers(self) -> None:
        """How many answers there are at this depth; none when the game is over."""
        lines, many = self.lines, self.lines.variable(number(0), "many")
        with lines.when(compare("is not", self.load_field("pc"), number(0))):
            lines.set(many, call(self.find_function("amount")))
        with lines.when(compare(">", many, number(MOST_OPTIONS))):
            self.told.store("gives up", number(1))
            lines.set(many, number(0))
        at = lines.bind(binary("mul", self.depth, number(2)))
        self.work.store(lines, at, number(0))
        self.work.store(lines, binary("add", at, number(1)), many)

    # ---- one way

    def follow_successor(self, one_way: str) -> None:
        """On to the next question that has more than one answer."""
        lines, plan = self.lines, self.plan
        lines.store(plan.fields["told"], number(0))
        asked = lines.variable(call(self.form.run), "asked")
        self.follow_certain(asked)
        self.leave_if_records_full(one_way)
        fault = lines.bind(self.load_field("fault"))
        with lines.when(logic("or", compare("<", asked, number(0)), compare("is not", fault, number(0)))):
            self.note_event(binary("max", fault, number(1)))
            lines.add_to(self.way, number(1))
            lines.leave(one_way)
        with lines.when(compare("is not", self.load_field("told"), number(0))):
            lines.emit("do", call(note_scores_function(plan), number(1)))
        self.descend_if_joint(asked, one_way)
        new = lines.bind(Value("and", NUMBER, (self.load_field("broken"), Value("not", NUMBER, (self.seen,)))))
        with lines.when(compare("is not", new, number(0))):
            self.note_event(binary("sub", number(0), new))
        self.add_child()
        lines.add_to(self.way, number(1))
        with lines.when(compare(">", self.way, number(MOST_WAYS))):
            self.told.store("gives up", number(1))
            lines.set(self.full, number(1))

    def leave_if_records_full(self, one_way: str) -> None:
        """For what was recorded."""
        lines = self.lines
        if self.form.memories:
            with lines.when(compare("is not", self.load_field("records full"), number(0))):
                lines.set(self.full, number(1))
                lines.leave(one_way)

    def follow_certain(self, asked: Value) -> None:
        chances = [int(not one.is_choice) for one in self.form.questions]
        if not any(chances):
            return
        lines, times = self.lines, self.lines.variable(number(0), "times")
        is_chance = self.plan.add_constants("is chance", (0, *chances))
        with lines.loop() as over:
            lines.leave(over, compare("<=", asked, number(0)))
            lines.leave(over, compare("is not", self.load_field("fault"), number(0)))
            lines.leave(over, compare("=", lines.look_up(is_chance, asked), number(0)))
            many = lines.bind(call(self.find_function("amount")))
            lines.leave(over, compare("is not", many, number(1)))
            lines.leave(over, compare(">", times, number(MOST_CERTAIN)))
            lines.emit("do", call(self.find_function("settle"), number(0)))
            lines.set(asked, call(self.form.run))
            lines.add_to(times, number(1))

    def descend_if_joint(self, asked: Value, one_way: str) -> None:
        """Others are still to choose on the same position: one seat deeper."""
        lines = self.lines
        for question in self.form.questions:
            if question.at is None:
                continue
            is_same = logic("and", compare("=", asked, number(question.number)), compare("=", asked, self.home))
            with lines.when(logic("and", is_same, compare(">", lines.load(question.at), number(0)))):
                lines.add_to(self.depth, number(1))
                rows.copy_position(self.form, lines, lines.bind(self.stack_address()), HERE)
                self.count_answers()
                lines.leave(one_way)

    def note_event(self, what: Value) -> None:
        """For the reference to tell."""
        lines, events = self.lines, self.told.array_at("events", 64)
        with lines.block() as noted:
            with lines.when(compare(">=", self.noted, self.told.load("event room"))):
                lines.set(self.full, number(1))
                lines.leave(noted)
            at = lines.bind(binary("mul", self.noted, number(EVENT)))
            for step, value in enumerate((self.parent, self.way, self.child, what)):
                events.store(lines, binary("add", at, number(step)), value)
            lines.add_to(self.noted, number(1))

    def add_child(self) -> None:
        lines, told = self.lines, self.told
        with lines.block() as there:
            with lines.when(compare(">=", self.child, told.load("room"))):
                lines.set(self.full, number(1))
                lines.leave(there)
            self.store_lengths()
            lines.emit("do", call(rows.settle_function(self.form), number(1)))
            width = number(8 * len(self.form.words))
            row = lines.bind(binary("add", told.load("rows"), binary("mul", self.child, width)))
            mixed = lines.variable(call(self.alike.row, row), "mixed")
            self.prefetch_next(row)
            self.keep_records()
            told.array_at("sizes", 32).store(lines, self.child, number(1))
            told.array_at("images", 16).store(lines, self.child, number(0))
            with lines.when(compare("is not", told.load("group"), number(0))):
                lines.set(
                    mixed, call(self.alike.merge, Value("local", NUMBER, extra="control"), self.child, row, mixed)
                )
            told.array_at("hashes", 64).store(lines, self.child, mixed)
            told.array_at("ways", 32).store(lines, self.child, self.way)
            lines.add_to(self.child, number(1))


    def keep_records(self) -> None:
        """Where the last of what each memory holds lies."""
        for memory in self.form.memories:
            at = binary("add", binary("mul", self.child, number(len(self.form.memories))), number(memory.number))
            self.told.array_at("records", 64).store(self.lines, at, self.lines.load(memory.chain))

    def prefetch_next(self, row: Value) -> None:
        """Another thread has looked at what lies here from the round before: to get it back takes a while."""
        ahead = binary("add", row, number(AHEAD * 8 * len(self.form.words)))
        rows.prefetch_row(self.form, self.lines, ahead)
        for name, bits in SMALL:
            self.told.array_at(name, bits).prefetch(self.lines, binary("add", self.child, number(FURTHER)))

    def store_lengths(self) -> None:
        """By how much this way makes the game longer; the first position adds nothing."""
        for unit in self.units if self.round is not None else ():
            self.told.array_at(f"added {unit}", 32).store(self.lines, self.child, self.added_length(unit))

    def added_length(self, unit: str) -> Value:
        if unit == "turns":
            return self.load_field("turns")
        if unit == "rounds":
            assert self.round is not None
            return binary("sub", self.load_field("round"), self.round)
        chooses = (0, *(int(one.is_choice) for one in self.form.questions))
        is_choice = self.lines.look_up(self.plan.add_constants("is choice", chooses), self.home)
        return binary("mul", is_choice, binary("add", self.depth, number(1)))


def note_scores_function(plan: Plan) -> Function:
    """Which lines of the score sheets that were told had any points."""
    scores, n = plan.bench.scores, plan.bench.players
    amounts = tuple(len(score.lines) for score in scores)
    firsts = tuple(sum(amounts[:at]) for at in range(len(amounts)))

    def write(scope: Scope, given: list[Value]) -> None:
        if not scores:
            return
        lines, sheets, at = scope.lines, plan.fields["sheets told"], scope.lines.variable(number(0), "at")
        many, first = plan.add_constants("lines", amounts), plan.add_constants("first lines", firsts)
        with lines.loop() as done:
            lines.leave(done, compare(">=", at, lines.load(plan.fields["told"])))
            which = lines.bind(lines.load(sheets, at))
            values = lines.bind(binary("mul", lines.look_up(many, which), number(n)))

            def one(step: Value) -> None:
                value = lines.load(sheets, binary("add", binary("add", at, number(2)), step))
                with lines.when(compare("is not", value, number(0))):
                    line = binary("add", lines.look_up(first, which), Value("div", NUMBER, (step, number(n))))
                    lines.store(plan.fields["scored"], number(1), lines.bind(line))

            lines.for_range(number(0), lines.bind(binary("sub", values, number(1))), one)
            lines.add_to(at, binary("add", values, number(2)))

    return position_function(plan, "note scores", "note scores", (), None, write)


def lay_out_notes(form: ExploredForm) -> tuple[Field, Field]:
    plan = form.plan
    lines = sum(len(score.lines) for score in plan.bench.scores)
    scored = plan.add_scratch("scored", 8, max(lines, 1))
    return plan.add_scratch("options taken", 8, ENTRIES * (len(form.questions) + 1)), scored
