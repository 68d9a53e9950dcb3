"""The machine being written: its lines and labels, whose turn it is, where the ends lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.form.form import NUMBER, CannotCompile, Field, Value, binary, compare, narrow, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.instructions import Instruction, Label, Slot
from rulesrun.interpreter.model.instructions import Scope as FlowScope
from rulesrun.interpreter.model.moments import JudgedProperty, MeasuredFigure
from rulesrun.interpreter.model.places import find_changed_room
from rulesrun.interpreter.model.values import MOST_WORK
from rulesrun.interpreter.native.layout.plan import Plan, Scope
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.table import Table

A_CHANCE = 1 << 32  # how `steps` counts an event of chance, above what is done between two of them


class FlowHooks:
    """What is noted on the way of a game, for who counts; here, nothing.

    `measures`: how long a game is, is asked even of a machine that stops at every question.
    """

    measures = False

    def before_question(self, machine: Machine, question: Any) -> None:
        """This question is about to be asked."""

    def on_game_end(self, machine: Machine) -> None:
        """The game is over."""

    def on_phase_begin(self, machine: Machine, number_: int) -> None: ...

    def on_turn_begin(self, machine: Machine) -> None: ...

    def on_figure(self, machine: Machine, figure: MeasuredFigure) -> None:
        """The moment has come at which a figure of the rules is looked at."""

    def on_points_counted(self, machine: Machine) -> None: ...

    def on_options_counted(self, scope: Scope, actions: list[core.Action], counts: list[Value]) -> None: ...

    def on_option_chosen(self, scope: Scope, action: core.Action) -> None: ...


@define(eq=False)
class Machine:
    """`asks`: it stops at every question; else it answers them itself, at random. `draws`: what chance
    decides it answers itself, even where it asks the players."""

    plan: Plan
    asks: bool
    lower: Callable[[Machine, Instruction], None]
    draws: bool = False
    lines: Lines = field(factory=Lines)
    instruction: Instruction | None = None  # that is being written
    scope: FlowScope | None = None  # the innermost statement or phase around it
    is_reached: bool = True  # what comes next
    names: dict[int, str] = field(factory=dict)  # of labels, by their ids
    led_to: set[int] = field(factory=set)  # ids of labels
    waits: list[Any] = field(factory=list)  # the questions, where it asks
    resumes: list[tuple[int, str]] = field(factory=list)  # where it goes on after each
    used: dict[str, int] = field(factory=dict)
    notes: FlowHooks = field(factory=FlowHooks)
    registers: dict[Slot, tuple[Field, ...]] = field(factory=dict)  # by the slot that the flow names
    asked_before: list[int] = field(factory=list)  # by instruction: how many questions stand before it

    @property
    def asks_chance(self) -> bool:
        return self.asks and not self.draws

    def __attrs_post_init__(self) -> None:
        self.lines.work = self.plan.work

    def new_scope(self) -> Scope:
        """An expression of the player whose turn it is now."""
        lines = self.lines
        player = lines.bind(narrow(lines.load(self.plan.fields["player"]), 1, self.plan.bench.players), "player")
        return Scope(self.plan, lines, player)

    def new_label(self, stem: str) -> str:
        self.used[stem] = self.used.get(stem, 0) + 1
        return f"{stem} {self.used[stem]}"

    def name_of(self, label: Label | str) -> str:
        """As it is called in the lines."""
        if isinstance(label, str):
            return label
        if id(label) not in self.names:
            self.names[id(label)] = self.new_label(label.name)
        return self.names[id(label)]

    def place_label(self, label: Label | str) -> None:
        self.lines.emit("label", extra=self.name_of(label))

    def come_to(self, labels: Iterable[Label]) -> None:
        """What stands behind labels is reached from before, or by one of them."""
        here = list(labels)
        self.is_reached = self.is_reached or any(id(label) in self.led_to for label in here)
        for label in here if self.is_reached else ():
            self.place_label(label)

    def go_to(self, label: Label | str) -> None:
        if isinstance(label, Label):
            self.led_to.add(id(label))
        self.lines.emit("goto", extra=self.name_of(label))

    def skip_to(self, label: Label) -> None:
        """What comes before it is never done."""
        self.led_to.add(id(label))
        self.is_reached = False

    def go_if(self, test: Value, label: Label | str) -> None:
        if test.op == "const" and not test.extra:
            return
        with self.lines.when(test):
            self.go_to(label)

    def load(self, name: str) -> Value:
        return self.lines.load(self.plan.fields[name])

    def store(self, name: str, value: Value) -> None:
        self.lines.store(self.plan.fields[name], value)

    def new_register(self, stem: str, start: int = 0) -> Field:
        return self.plan.add_field(f"{stem} #{len(self.plan.fields)}", 32, 1, start)

    def keep(self, slot: Slot, stem: str, start: int = 0) -> Field:
        """The field for what the flow keeps in a slot."""
        self.registers[slot] = (place := self.new_register(stem, start),)
        return place

    def forget_fields(self, *places: Field) -> None:
        """Set back, where positions are compared: what is over must not tell equal ones apart."""
        for place in places if self.asks else ():
            start = number(self.plan.start_value(place))
            if place.amount <= 4:
                for at in range(place.amount):
                    self.lines.store(place, start, number(at))
            else:
                self.reset_array(place, start)

    def reset_array(self, place: Field, start: Value) -> None:
        self.lines.for_range(
            number(0), number(place.amount - 1), lambda at: self.lines.store(place, start, at)
        )

    def loop_back(self, label: Label | str, cost: int) -> None:
        """Leads back through a loop; a game that goes round and round is left to the reference."""
        self.charge_work(cost)
        self.check_work()
        self.go_to(label)

    def charge_work(self, cost: int) -> None:
        """So much is done at most, beside what is done once."""
        lines = self.lines
        steps = lines.bind(binary("add", self.load("steps"), number(cost)))
        self.store("steps", steps)
        since = Value("and", NUMBER, (steps, number(A_CHANCE - 1)))
        with lines.when(compare(">", since, number(self.plan.costs.most_loop_cost))):
            self.stop_as_endless()

    def note_chance(self, events: Value) -> None:
        """Where it answers for chance itself: what was done until then no longer counts, but that chance was asked."""
        self.check_work()
        lines, high = self.lines, binary("mul", events, number(A_CHANCE))
        before = self.chance_steps()
        steps = lines.bind(binary("add", before, high))
        self.store("steps", steps)
        self.reset_work()
        with lines.when(compare(">", steps, number(MOST_BY_CHANCE * A_CHANCE))):
            self.stop_as_endless()

    def chance_steps(self) -> Value:
        """All up to now, each counted as `A_CHANCE` steps."""
        return Value("and", NUMBER, (self.load("steps"), number(-A_CHANCE)))

    def check_work(self) -> None:
        """Where loops are counted: whether there have been too many since the last question."""
        if self.plan.work is not None:
            with self.lines.when(compare(">", self.lines.load(self.plan.work), number(MOST_WORK))):
                self.stop_as_endless()

    def stop_as_endless(self) -> None:
        self.store("fault", number(self.plan.add_fault("endless", self.plan.bench.program.game)))
        self.go_to("stuck")

    def restart_work_count(self) -> None:
        """A question has come: what was done until then no longer counts."""
        self.check_work()
        self.store("steps", number(0))
        self.reset_work()

    def restart_work_at_choice(self) -> None:
        """A player chooses, and the game goes on here: events of chance still count, for a game has so many at most."""
        self.check_work()
        self.store("steps", self.chance_steps())
        self.reset_work()

    def reset_work(self) -> None:
        if self.plan.work is not None:
            self.lines.store(self.plan.work, number(0))


# ---- property bits
# Which bit of a word stands for which property: takes a table, gives the bits.
#
# A word has room for sixty, and some of its own. Where there are more, each that says what has happened keeps a bit,
# and the last of the others share one: whenever it is set, the reference looks which of them is meant.


MOST_PROPERTIES = 60
SOONER = "those that need not be looked at together can go into variants"
SHARED = MOST_PROPERTIES - 1


def happens(judged: JudgedProperty) -> bool:
    """Whether games are counted in which it was true."""
    return judged.declaration.word == "can happen" or judged.declaration.share is not None


def bits_of(table: Table) -> tuple[int, ...]:
    """Of every property, in their order."""
    properties = table.watches.properties
    if len(properties) <= MOST_PROPERTIES:
        return tuple(range(len(properties)))
    counted = [judged for judged in properties if happens(judged)]
    if len(counted) > SHARED:
        raise CannotCompile(
            message("there are too many properties that count games: more than {shared}", shared=SHARED),
            counted[SHARED].declaration,
            SOONER,
        )
    numbers, others = iter(range(len(counted))), iter(range(len(counted), SHARED))
    return tuple([next(numbers) if happens(judged) else next(others, SHARED) for judged in properties])


def by_bit(table: Table) -> Iterator[tuple[int, JudgedProperty]]:
    """Every property with its bit."""
    yield from zip(bits_of(table), table.watches.properties, strict=True)


def bit_of_several(table: Table) -> int:
    """The bit that stands for several, as a word; none, where each has its own."""
    return 1 << SHARED if len(table.watches.properties) > MOST_PROPERTIES else 0


# ---- chance names
# What the streams of a question of chance are called. Takes a table and the question.


def stream_names(table: Table, wait: ChanceWait) -> tuple[tuple[str, ...], int]:
    """And which of the numbers that it tells says whose of them it is."""
    if isinstance(wait, DrawWait):
        return wait.origin.names, 0
    room = find_changed_room(table.bench, wait.node)
    return (("starter",), 1) if room is None else (room.names, 1)
