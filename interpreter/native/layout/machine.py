"""The machine being written: its lines and labels, whose turn it is, where the ends lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import NUMBER, Field, X, both, compare, known, number
from rulesrun.interpreter.form.lines import Lines
from rulesrun.interpreter.model.values import MOST_WORK
from rulesrun.interpreter.native.layout.plan import Plan, Scope
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE

A_CHANCE = 1 << 32  # how `steps` counts an event of chance, above what is done between two of them


@define(eq=False)
class Ends:
    """Where `end turn`, `end phase`, `end round`, `end game` lead to from here."""

    turn: str | None = None
    phase: str | None = None
    round: str | None = None
    game: str | None = None


class Notes:
    """What is noted on the way of a game, for who counts; here, nothing.

    `measures`: how long a game is, is asked even of a machine that stops at every question.
    """

    measures = False

    def happens(self, machine: Machine) -> None:
        """Something is about to happen that may be seen."""

    def happened(self, machine: Machine) -> None: ...

    def stops(self, machine: Machine, question: Any) -> None:
        """This question is about to be asked."""

    def ends(self, machine: Machine) -> None:
        """The game is over."""

    def phase_begins(self, machine: Machine, number_: int) -> None: ...

    def turn_begins(self, machine: Machine) -> None: ...

    def counted(self, machine: Machine) -> None: ...

    def asked(self, scope: Scope, actions: list[ast.Action], counts: list[X]) -> None: ...

    def chosen(self, scope: Scope, action: ast.Action) -> None: ...


@define(eq=False)
class Machine:
    """`asks`: it stops at every question; else it answers them itself, at random. `draws`: what chance
    decides it answers itself, even where it asks the players."""

    plan: Plan
    asks: bool
    statement: Callable[[Machine, ast.Statement], None]
    draws: bool = False
    lines: Lines = field(factory=Lines)
    ends: Ends = field(factory=Ends)
    in_turn: bool = False  # a turn of the game is being written
    waits: list[Any] = field(factory=list)  # the questions, where it asks
    resumes: list[tuple[int, str]] = field(factory=list)  # where it goes on after each
    used: dict[str, int] = field(factory=dict)
    notes: Notes = field(factory=Notes)
    registers: list[tuple[ast.Node, str, tuple[Field, ...]]] = field(factory=list)  # as `Table.registers`

    @property
    def asks_chance(self) -> bool:
        return self.asks and not self.draws

    def registered(self, node: ast.Node, what: str, *places: Field) -> None:
        self.registers.append((node, what, places))

    def __attrs_post_init__(self) -> None:
        self.lines.work = self.plan.work

    def scope(self) -> Scope:
        """An expression of the player whose turn it is now."""
        lines = self.lines
        player = lines.kept(known(lines.load(self.plan.fields["player"]), 1, self.plan.bench.players), "player")
        return Scope(self.plan, lines, player)

    def label(self, stem: str) -> str:
        self.used[stem] = self.used.get(stem, 0) + 1
        return f"{stem} {self.used[stem]}"

    def place(self, label: str) -> None:
        self.lines.add("label", extra=label)

    def go(self, label: str) -> None:
        self.lines.add("goto", extra=label)

    def go_when(self, test: X, label: str) -> None:
        if test.op == "const" and not test.extra:
            return
        with self.lines.when(test):
            self.go(label)

    def load(self, name: str) -> X:
        return self.lines.load(self.plan.fields[name])

    def store(self, name: str, value: X) -> None:
        self.lines.store(self.plan.fields[name], value)

    def register(self, stem: str, start: int = 0) -> Field:
        return self.plan.field(f"{stem} #{len(self.plan.fields)}", 32, 1, start)

    def forget(self, *places: Field) -> None:
        """Set back, where positions are compared: what is over must not tell equal ones apart."""
        for place in places if self.asks else ():
            start = number(self.plan.start_of(place))
            if place.amount <= 4:
                for at in range(place.amount):
                    self.lines.store(place, start, number(at))
            else:
                self.set_back(place, start)

    def set_back(self, place: Field, start: X) -> None:
        self.lines.count_through(
            number(0), number(place.amount - 1), lambda at: self.lines.store(place, start, at)
        )

    def back(self, label: str, cost: int) -> None:
        """Leads back through a loop; a game that goes round and round is left to the reference."""
        self.charge(cost)
        self.look_at_work()
        self.go(label)

    def charge(self, cost: int) -> None:
        """So much is done at most, beside what is done once."""
        lines = self.lines
        steps = lines.kept(both("add", self.load("steps"), number(cost)))
        self.store("steps", steps)
        since = X("and", NUMBER, (steps, number(A_CHANCE - 1)))
        with lines.when(compare(">", since, number(self.plan.costs.most))):
            self.too_much()

    def chance_came(self, events: X) -> None:
        """Where it answers for chance itself: what was done until then no longer counts, but that chance was asked."""
        self.look_at_work()
        lines, high = self.lines, both("mul", events, number(A_CHANCE))
        before = self.events_of_chance()
        steps = lines.kept(both("add", before, high))
        self.store("steps", steps)
        self.forget_work()
        with lines.when(compare(">", steps, number(MOST_BY_CHANCE * A_CHANCE))):
            self.too_much()

    def events_of_chance(self) -> X:
        """All up to now, each counted as `A_CHANCE` steps."""
        return X("and", NUMBER, (self.load("steps"), number(-A_CHANCE)))

    def look_at_work(self) -> None:
        """Where loops are counted: whether there have been too many since the last question."""
        if self.plan.work is not None:
            with self.lines.when(compare(">", self.lines.load(self.plan.work), number(MOST_WORK))):
                self.too_much()

    def too_much(self) -> None:
        self.store("fault", number(self.plan.fault_number("endless", self.plan.bench.program.game)))
        self.go("stuck")

    def begin_anew(self) -> None:
        """A question has come: what was done until then no longer counts."""
        self.look_at_work()
        self.store("steps", number(0))
        self.forget_work()

    def ask_here(self) -> None:
        """A player chooses, and the game goes on here: events of chance still count, for a game has so many at most."""
        self.look_at_work()
        self.store("steps", self.events_of_chance())
        self.forget_work()

    def forget_work(self) -> None:
        if self.plan.work is not None:
            self.lines.store(self.plan.work, number(0))

    def body(self, body: tuple[ast.Statement, ...]) -> None:
        for line in body:
            self.statement(self, line)
