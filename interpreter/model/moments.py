"""Moments of the game: what is set back at a turn or round, and what is reported when a moment has come.

Properties are not judged here: a moment is noted among the events, for who watches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import lcm
from operator import add, eq, floordiv, gt, itemgetter, mul, sub
from typing import Any, Literal, assert_never

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.core import Before
from rulesrun.interpreter.model.values import EVENTS, FIGURES, PLAYER, Code, Run, Slots

# ---- figure terms
# How a figure is worked out, as data: the reference works a term out with numbers, machine code writes it as lines.
#
# A term speaks of quantities by their names; whoever counts gives them at the event.


Operator = Literal["add", "sub", "mul", "div", "min", "max", "=", ">"]
FUNCTIONS: dict[Operator, Callable[[Any, Any], Any]] = {
    "add": add, "sub": sub, "mul": mul, "div": floordiv, "min": min, "max": max, "=": eq, ">": gt,
}  # fmt: skip


@frozen
class Number:
    value: int


@frozen
class Quantity:
    name: str


@frozen
class Combination:
    operator: Operator
    left: Term
    right: Term


@frozen
class Either:
    test: Term
    one: Term
    other: Term


Term = Number | Quantity | Combination | Either

Reckoning = Callable[[Mapping[str, Any]], Any]

ONE = Number(1)


def compile_term(term: Term) -> Reckoning:
    """As a function of the quantities by their names."""
    match term:
        case Number(value):
            return lambda known: value
        case Quantity(name):
            return itemgetter(name)
        case Combination(operator, left, right):
            function, one, other = FUNCTIONS[operator], compile_term(left), compile_term(right)
            return lambda known: function(one(known), other(known))
        case Either(test, left, right):
            is_one, one, other = compile_term(test), compile_term(left), compile_term(right)
            return lambda known: one(known) if is_one(known) else other(known)
        case _:
            assert_never(term)


# ---- at the end of a game

WIN = Combination("mul", Quantity("won"), Combination("div", Quantity("parts"), Quantity("winners")))
TIE = Combination(">", Quantity("winners"), Quantity("team"))
MARGIN = Combination("sub", Quantity("highest"), Quantity("lowest"))
PARTS_OF_A_GAME = 10_000
SINCE = Combination("mul", Quantity("since"), Number(PARTS_OF_A_GAME))
SETTLED = Combination("div", SINCE, Combination("max", Quantity("decisions"), ONE))


def parts_of_a_win(players: int) -> int:
    """So many that any shared first place is a whole number of them."""
    return lcm(*range(1, players + 1))


# ---- figures that the rules declare, by their word: what one is with a value more, and how many values it has then

BEFORE, VALUE, TIMES = Quantity("before"), Quantity("value"), Quantity("times")
SUM, IS_FIRST = Combination("add", BEFORE, VALUE), Combination("=", TIMES, Number(0))
ALWAYS_THERE = {"how often", "sum"}  # has a value though its moment never came: what was not counted is none
COMBINED: dict[str | None, tuple[Term, Term]] = {
    "how often": (SUM, ONE),
    "sum": (SUM, ONE),
    "mean": (SUM, Combination("add", TIMES, ONE)),
    "highest": (Either(IS_FIRST, VALUE, Combination("max", BEFORE, VALUE)), ONE),
    "lowest": (Either(IS_FIRST, VALUE, Combination("min", BEFORE, VALUE)), ONE),
    None: (VALUE, ONE),
}
COMBINING = {word: (compile_term(together), compile_term(often)) for word, (together, often) in COMBINED.items()}


def combine_values(word: str | None, before: Any, value: Any, times: int) -> tuple[Any, int]:
    """What is only counted comes once in a game, however often."""
    known = {"before": before, "value": value, "times": times}
    together, often = COMBINING[word]
    return together(known), often(known)


# ---- moments


@define(eq=False)
class JudgedProperty:
    """A property made ready, with the values that `before` keeps."""

    declaration: ast.Property
    code: Code
    befores: list[tuple[int, Code]] = field(factory=list)

    @property
    def values_before(self) -> list[Before]:
        """Where `before` keeps a value for it."""
        return [Before(node, node.value) for node in walk(self.declaration.condition) if isinstance(node, ast.Before)]

    @property
    def asks_what_can_be_done(self) -> bool:
        return any(isinstance(node, ast.Can) for node in walk(self.declaration.condition))

    def is_idle_at(self, lives: Mapping[int, list[tuple[int, int]]], pc: int) -> bool:
        """Whether nobody is in the middle of the action at this operation: what `before` kept will not be read."""
        return not any(first <= pc < last for slot, _ in self.befores for first, last in lives.get(slot, []))


@define(eq=False)
class MeasuredFigure:
    """A figure of the rules made ready. What is known of it stands at `place` and behind: a number, and of how many."""

    declaration: ast.Figure
    code: Code
    place: int

    def note_value(self, S: Slots) -> None:
        """Where somebody measures."""
        known = S[FIGURES]
        if known is not None:
            value = self.code.run(S)
            before, times = known[self.place : self.place + 2]
            now = combine_values(self.declaration.word, before, value, times)
            S[FIGURES] = (*known[: self.place], *now, *known[self.place + 2 :])


@define(eq=False)
class MomentWriter:
    bench: Workbench
    properties: list[JudgedProperty]
    figures: list[MeasuredFigure] = field(factory=list)
    starts: dict[int, Run] = field(factory=dict)

    def empty_figures(self) -> tuple[Any, ...]:
        """At the beginning of a game that is measured. Nothing that was counted is none; no value is no value."""
        return tuple(
            part for one in self.figures for part in (0, int(one.declaration.word in ALWAYS_THERE))
        )

    def figures_at_end(self, moment: str) -> tuple[MeasuredFigure, ...]:
        return tuple(one for one in self.figures if one.declaration.moment == moment)

    def figures_with(self, piece: ast.Action | ast.Step | str) -> tuple[MeasuredFigure, ...]:
        """That are looked at when an action begins, a step, or a step that is told something (by its name)."""
        names = [(one, one.declaration.begins) for one in self.figures]
        if isinstance(piece, str):
            return tuple(
                one for one, name in names
                if name is not None and name.text == piece and not isinstance(self.meaning_of(name), ast.Action)
            )
        return tuple(one for one, name in names if name is not None and self.meaning_of(name) is piece)

    def meaning_of(self, name: ast.Name) -> object:
        return self.bench.program.names.get(name)

    def properties_after(self, action: ast.Action) -> list[JudgedProperty]:
        names = [(one, one.declaration.action) for one in self.properties]
        return [one for one, name in names if name is not None and self.bench.meaning(name) is action]

    # ---- what is set back

    def compile_forget_places(self, variable: ast.Variable) -> Callable[[Slots], None]:
        first = self.bench.marked[id(variable)]
        after = first + self.bench.variables[id(variable)].amount
        return lambda S: S.__setitem__(slice(first, after), [None] * (after - first))

    def compile_reset_variable(self, variable: ast.Variable) -> Callable[[Slots], None]:
        """Sets every instance to its start; the start of a player's own is asked of that player."""
        room = self.bench.variables[id(variable)]
        if variable.start is None:
            first = self.bench.blank[room.base]
            if room.amount == 1:
                only = room.base
                return lambda S: S.__setitem__(only, first)
            return compile_set_all(room, first)
        start = self.bench.compile(variable.start)
        if start.is_constant:
            return compile_set_all(room, start.value)
        run = start.run

        def change(S: Slots) -> None:
            kept = S[PLAYER]
            for number in range(room.amount):
                if variable.per_player:
                    S[PLAYER] = number // room.per_player + 1
                S[room.base + number] = run(S)
            S[PLAYER] = kept

        return change


def compile_set_all(room: VariableRoom, value: Any) -> Callable[[Slots], None]:
    first, after = room.base, room.base + room.amount
    values = [value] * room.amount

    def change(S: Slots) -> None:
        S[first:after] = values

    return change


def compile_store(slot: int, run: Run) -> Callable[[Slots], None]:
    return lambda S: S.__setitem__(slot, run(S))


def note_turn_end(S: Slots) -> None:
    """Noted for who counts turns."""
    if S[EVENTS] is not None:
        S[EVENTS].append(("turn",))


def compile_judge_property(judged: JudgedProperty) -> Callable[[Slots], None]:
    """Notes a property that does not hold at its moment, with the position as it is."""
    run = judged.code.run

    def judge(S: Slots) -> None:
        if S[EVENTS] is not None and not run(S):
            S[EVENTS].append(("broken", judged, list(S)))

    return judge


def make_moment_writer(bench: Workbench) -> MomentWriter:
    found = []
    for declaration in bench.properties:
        if declaration.bound is not None:
            bench.constant_number(declaration.bound)  # refused here, where it goes wrong
        bench.befores = []
        code = bench.compile(declaration.condition)
        found.append(JudgedProperty(declaration, code, bench.befores))
        bench.befores = None
    figures = bench.figures
    measured = [MeasuredFigure(one, bench.compile(one.value), 2 * at) for at, one in enumerate(figures)]
    return MomentWriter(bench, found, measured)
