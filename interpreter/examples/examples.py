"""Worked examples: takes a program, plays each of its examples several times, gives what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.examples.acting import ExampleActor, ExampleFailure, format_list, format_value
from rulesrun.interpreter.examples.arranging import PositionArranger
from rulesrun.interpreter.examples.beginnings import (
    ATTEMPTS,
    Beginning,
    Beginnings,
    ExampleMoment,
    begin_turn,
    make_luck,
    run_to_operation,
)
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.core import Operand
from rulesrun.interpreter.model.domains import find_range, from_external, to_external
from rulesrun.interpreter.model.example_lowering import (
    CanChoose,
    Chosen,
    Example,
    GivenContents,
    GivenPhase,
    GivenTurn,
    GivenValue,
    Holds,
    IsOver,
    Line,
    NextChance,
    PhaseTurns,
    PlayedExample,
    StillHolds,
    find_phase_turns,
    lower_example,
)
from rulesrun.interpreter.model.places import compile_slot, flatten_content
from rulesrun.interpreter.model.table_options import option_value_in_rules
from rulesrun.interpreter.model.values import EVENTS, PLAYER, SHEETS, STARTER, Fault, RefusedTable, Slots, State, fault
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.play.refusals import text_at
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table, set_up_table

TABLES = 8  # at which an example is played
LATER = ATTEMPTS  # the chance behind the moment is another than that before it
MOST_BROUGHT = 6

ACTING = (Chosen, Holds, CanChoose, IsOver, StillHolds)
GIVEN = (GivenContents, GivenValue, GivenTurn, GivenPhase)


@frozen
class ExampleResult:
    """`verdict`: passed, failed (something does not hold), broken (the example cannot be played), todo.

    `failing`: at which of the tables it does not hold; `notes`: what else there is to know, a sentence each.
    """

    example: Example
    verdict: str
    diagnostic: Diagnostic | None = None
    values: tuple[ExplainedValue, ...] = ()
    table: Table | None = None
    state: State | None = None
    variation: int = 0
    failing: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


@define(eq=False)
class ExampleRunner:
    """Runs the examples of one program; a table is set up once for all that need the same."""

    program: Program
    players: int | None = None  # where an example does not say; else the smallest number
    options: Mapping[str, object] = field(factory=dict)
    _tables: dict[tuple[Any, ...], Table] = field(init=False, factory=dict)
    _beginnings: dict[int, Beginnings] = field(init=False, factory=dict)  # by table

    def run_all(self) -> tuple[ExampleResult, ...]:
        examples = self.program.game.examples
        return tuple(self.run_example(example) for example in examples)

    def run_titled(self, title: str) -> ExampleResult:
        return self.run_example(next(one for one in self.program.game.examples if one.title == title))

    def run_example(self, example: Example) -> ExampleResult:
        played = lower_example(self.program, example)
        if played.is_todo:
            return ExampleResult(example, "todo")
        try:
            table = self.find_table(played)
        except RefusedTable as refused:
            return ExampleResult(example, "broken", refused.diagnostics[0])
        passing: list[ExampleRun] = []
        for number in range(TABLES):
            run = ExampleRun(table, played, number, self.beginnings_at(table))
            result = run.play_example()
            if result.verdict == "broken":
                return result
            if result.verdict == "failed":
                return self.compare_tables(result, run, passing)
            passing.append(run)
        return ExampleResult(example, "passed")

    def compare_tables(self, first: ExampleResult, run: ExampleRun, passing: list[ExampleRun]) -> ExampleResult:
        """It may hold at other tables all the same: then what is left open decides."""
        failing = [run]
        for number in range(run.variation + 1, TABLES):
            other = ExampleRun(run.table, run.example, number, run.beginnings)
            (passing if other.play_example().verdict == "passed" else failing).append(other)
        notes = first.notes
        if passing:
            notes = (*notes, explain_open_difference(failing, passing))
        return evolve(first, failing=tuple(one.variation for one in failing), notes=notes)

    def beginnings_at(self, table: Table) -> Beginnings:
        if id(table) not in self._beginnings:
            self._beginnings[id(table)] = Beginnings(table)
        return self._beginnings[id(table)]

    def table_for(self, example: Example) -> Table:
        return self.find_table(lower_example(self.program, example))

    def find_table(self, example: PlayedExample) -> Table:
        players = max(smallest_player_count(self.program), example.least_players)
        players = players if self.players is None else self.players
        players = players if example.players is None else example.players
        options = dict(self.options)
        plain = self.table_at(players, {})
        for name, value in example.options:
            options[name] = read_option(plain, name, value)
        table = self.table_at(players, options)
        self.note_table(table)
        return table

    def note_table(self, table: Table) -> None:
        """An example is to be played at it."""

    def table_at(self, players: int, options: Mapping[str, object]) -> Table:
        key = (players, *sorted((name, str(value)) for name, value in options.items()))
        if key not in self._tables:
            self._tables[key] = set_up_table(self.program, players, options)
        return self._tables[key]


def smallest_player_count(program: Program) -> int:
    counts = program.game.player_counts
    return counts.start if counts is not None else 2


def read_option(plain: Table, name: str, written: Operand) -> object:
    """The value of an option as it is written outside."""
    option = next(one for one in plain.bench.options if one.name.text == name)
    value = option_value_in_rules(plain.bench, option, written)
    said = to_external(plain.bench, option.type, value)
    if find_range(plain.bench, option.type) is None:
        from_external(plain.bench, option.type, said)  # refuses what the option cannot be
    return said


@define(eq=False)
class ExampleRun:
    """An example played at one table. Chance and what is not said come from the number of the table."""

    table: Table
    example: PlayedExample
    variation: int
    beginnings: Beginnings = Factory(lambda self: Beginnings(self.table), takes_self=True)
    left_out: Line | None = None  # a `given` line, to see what comes of it
    S: Slots = field(init=False)
    acting: ExampleActor = field(init=False)
    opening: State | None = field(init=False, default=None)  # at the moment, as given
    played: Line | None = field(init=False, default=None)  # the last line that was begun

    def __attrs_post_init__(self) -> None:
        self.compile_questions()
        self.S = self.table.new_slots()
        self.acting = ExampleActor(self.table, self.S, make_luck(self.variation, LATER))

    def compile_questions(self) -> None:
        """Makes the questions ready before the position is made, so that they have their room in it."""
        bench = self.table.bench
        asked: list[Operand | None] = []
        for line in self.example.lines:
            match line:
                case Holds(condition=condition):
                    asked.append(condition)
                case GivenValue(target=target, value=value):
                    asked += [value, target]
                case GivenTurn(seat=seat):
                    asked.append(seat)
                case _:
                    pass
        for phase in bench.phases:
            asked.append(phase.when)
            turns = find_phase_turns(phase)
            asked += [turns.until, turns.skipping, turns.following] if turns is not None else []
        for node in asked:
            if node is not None:
                bench.compile(node)

    def play_example(self) -> ExampleResult:
        try:
            self.begin_example()
            if self.variation == 0 and not self.may_end_early:
                self.check_given_is_used()
            for line in self.example.lines[self.first_acting :]:
                if isinstance(line, Chosen) and line.if_possible and not self.is_possible(line):
                    break
                self.played = line
                self.play_line(line)
            self.check_all_used()
        except ExampleFailure as failure:
            if failure.diagnostic.code == "cannot-come" and self.may_end_early:
                return ExampleResult(self.example.declared, "passed")
            return self.make_result("failed", failure.diagnostic, failure.condition, failure.values)
        except Fault as problem:
            broken = problem.diagnostic.code == "impossible-given"
            return self.make_result("broken" if broken else "failed", problem.diagnostic, None)
        except RefusedTable as refused:
            return self.make_result("broken", refused.diagnostics[0], None)
        return ExampleResult(self.example.declared, "passed")

    def make_result(
        self, verdict: str, diagnostic: Diagnostic, condition: Operand | None,
        values: tuple[ExplainedValue, ...] = (),
    ) -> ExampleResult:
        state = self.table.to_state(self.S)
        values = explain_expression(self.table, state, condition) if condition is not None else values
        notes = tuple(self.write_notes(diagnostic)) if verdict == "failed" else ()
        return ExampleResult(
            self.example.declared, verdict, diagnostic, values, self.table, state, self.variation, notes=notes
        )

    def write_notes(self, diagnostic: Diagnostic) -> Iterator[str]:
        """Where one is: what chance has brought since the moment, and who chooses what."""
        brought = self.acting.brought
        if brought:
            left_out = "…, " if len(brought) > MOST_BROUGHT else ""
            yield "chance brought " + left_out + ", then ".join(brought[-MOST_BROUGHT:])
        elif diagnostic.code == "never-used" and not self.find_moment().is_named and self.has_given:
            yield "the example begins at the first decision; what comes before it is `given`, or free"
        if self.opening is not None and self.acting.is_asked:
            whose = self.acting.format_whose_choice()
            if whose not in diagnostic.message:
                yield whose

        if diagnostic.code == "empty-choice":
            yield self.describe_empty_choice()

    def describe_empty_choice(self) -> Message:
        """Play goes on to the next decision behind each `when`, even if nothing is said of it."""
        seat = int(self.S[PLAYER])
        if not isinstance(self.played, Chosen):
            return message("player {seat} has to choose first: give what is needed for it", seat=seat)
        return message(
            "after `{line}` play goes on to the next choice, by player {seat}: give what is needed for that, too",
            line=text_at(self.table, self.played.span), seat=seat,
        )  # fmt: skip

    # ---- the position

    @property
    def first_acting(self) -> int:
        lines = self.example.lines
        return next((number for number, line in enumerate(lines) if isinstance(line, ACTING)), len(lines))

    def begin_example(self) -> None:
        """To the moment; there everything is as given; then on to the next decision, with the chance that is named."""
        self.check_given()
        moment = self.find_moment()
        is_changed = self.has_given
        is_fed = any(isinstance(line, NextChance) for line in self.example.lines[: self.first_acting])
        if is_fed and not is_changed:
            found = Beginning(self.table.to_state(self.table.new_slots()))
        else:
            found = self.beginnings.beginning_at(moment, is_changed, self.variation)
        self.S = self.acting.S = self.table.to_slots(found.state)
        self.S[EVENTS] = None
        settings = self.arrange_given()
        for line in self.example.lines[: self.first_acting]:
            if isinstance(line, NextChance):
                self.acting.expect_outcomes(line.items)
        if found.phase is not None:
            self.begin_phase(moment, found.phase, settings)
        self.opening = self.table.to_state(self.S)
        self.acting.play_to_decision()
        self.check_turn(moment, found.phase)
        watched = any(isinstance(line, StillHolds) for line in self.example.lines)
        self.S[EVENTS] = [] if watched else None

    @property
    def has_given(self) -> bool:
        return any(isinstance(line, GIVEN) for line in self.example.lines)

    def find_moment(self) -> ExampleMoment:
        bench, S = self.table.bench, self.table.new_slots()
        number, phase, seat = None, None, None
        for line in self.example.lines:
            match line:
                case GivenPhase(phase=name):
                    phases = [one.name.text for one in bench.phases]
                    phase = phases.index(name)
                case GivenTurn(seat=player):
                    seat = int(bench.compile(player).run(S))
                case GivenValue(what="round", value=value):
                    number = int(bench.compile(value).run(S))
                case _:
                    pass
        return ExampleMoment(number, phase, seat)

    def check_given(self) -> None:
        """What would be given for nothing."""
        seen: set[object] = set()
        is_late = False
        for line in self.example.lines:
            is_late = is_late or isinstance(line, Chosen)
            if not isinstance(line, GIVEN):
                continue
            if is_late:
                raise fault(
                    "impossible-given", message("`given` lines stand before the first `when`"), line.span
                )
            what = text_at(self.table, line.target.span) if isinstance(line, GivenValue) else type(line)
            if what in seen and not isinstance(line, GivenContents):
                raise fault("impossible-given", message("this is given twice"), line.span)
            seen.add(what)

    def arrange_given(self) -> list[Callable[[Slots], None]]:
        """Components and values as given; the values may have to be set again."""
        arranging = PositionArranger(self.table, self.S)
        given = [line for line in self.example.lines if line is not self.left_out]
        arranging.arrange_components([line for line in given if isinstance(line, GivenContents)])
        self.acting.fixed = set(arranging.wanted)
        settings = [arranging.compile_given(line) for line in given if isinstance(line, GivenValue)]
        for setting in settings:
            setting(self.S)
        return settings

    def begin_phase(self, moment: ExampleMoment, phase: int, settings: list[Callable[[Slots], None]]) -> None:
        """The phase begins, and its first turn, or that of the player named."""
        declared, start = self.table.bench.phases[phase], self.table.phases[phase]
        when = declared.when
        if when is not None and not self.table.evaluate(self.table.bench.compile(when).run, self.S, when):
            condition = text_at(self.table, when.span)
            reason = f"phase `{declared.name.text}` does not begin here: `{condition}` does not hold"
            raise fault("impossible-given", reason, self.moment_span)
        if moment.seat is not None and start.turn is not None:
            begin_turn(self.table, self.S, phase, moment.seat)
        if not run_to_operation(self.table, self.S, start.body):
            if moment.seat is not None and start.turn is not None:
                told = explain_phase_over(self.table, declared.name.text, find_phase_turns(declared))
                raise ExampleFailure("not-the-turn", told, self.moment_span)
            return
        if moment.seat is not None and start.turn is not None and self.S[PLAYER] != moment.seat:
            told = self.explain_no_turn(find_phase_turns(declared), moment.seat)
            raise ExampleFailure("not-the-turn", told, self.moment_span)
        for setting in settings:
            setting(self.S)

    @property
    def moment_span(self) -> Span:
        named = [one for one in self.example.lines if isinstance(one, GivenTurn | GivenPhase)]
        first = next((one for one in named if isinstance(one, GivenTurn)), next(iter(named), None))
        return first.span if first is not None else self.example.declared.span

    def explain_no_turn(self, turns: PhaseTurns | None, seat: int) -> str:
        words = (("except", turns.excluded), ("skipping", turns.skipping)) if turns is not None else ()
        why = [f"`{word} {text_at(self.table, node.span)}`" for word, node in words if node is not None]
        because = f": {' or '.join(why)}" if why else ""
        return f"player {seat} has no turn here{because}; it is the turn of player {self.S[PLAYER]}"

    def check_given_is_used(self) -> None:
        """What is gone when somebody first chooses must have made a difference until then."""
        at_choice = self.table.to_state(self.S)
        for line in self.example.lines:
            if not self.is_given_gone(line):
                continue
            without = ExampleRun(self.table, self.example, self.variation, self.beginnings, line)
            try:
                without.begin_example()
            except (Fault, ExampleFailure, RefusedTable):
                continue
            if without.opening != self.opening and self.table.to_state(without.S) == at_choice:
                told = "the rules set this anew before anybody chooses: nothing comes of giving it"
                raise ExampleFailure("never-used", told, line.span)

    def is_given_gone(self, line: Line) -> bool:
        assert self.opening is not None
        bench, before = self.table.bench, self.table.to_slots(self.opening)
        match line:
            case GivenContents(place=place):
                slot = compile_slot(bench, place).run(self.S)
                return sorted(flatten_content(self.S[slot])) != sorted(flatten_content(before[slot]))
            case GivenValue(what="round"):
                return False
            case GivenValue(target=target):
                asked = bench.compile(target).run
                return bool(asked(self.S) != asked(before))
            case _:
                return False

    def check_turn(self, moment: ExampleMoment, phase: int | None) -> None:
        """Where a phase has no turns in its first line, the lines of the phase say whose turn it is."""
        if moment.seat is None or phase is None or self.table.phases[phase].turn is not None:
            return
        if self.S[PLAYER] != moment.seat and not isinstance(self.acting.current_decision(), TogetherWait):
            name = self.table.bench.phases[phase].name.text
            told = f"phase `{name}` has no turns in its first line; {self.acting.format_whose_choice()}"
            raise ExampleFailure("not-the-turn", told, self.moment_span)

    # ---- its lines

    def play_line(self, line: Line) -> None:
        match line:
            case NextChance(items=items):
                self.acting.expect_outcomes(items)
            case Chosen():
                self.acting.play_choice(line, self.evaluate_seat(line.seat), line.action, line.arguments)
            case CanChoose():
                self.check_can(line)
            case IsOver():
                if (self.acting.current_decision() is None) is not line.is_over:
                    raise ExampleFailure("failed-example", self.acting.format_whose_choice(), line.span)
            case Holds(condition=condition):
                if not self.table.evaluate(self.table.bench.compile(condition).run, self.S, line):
                    told, hint = message("this does not hold"), self.hint_at_uncounted(line)
                    raise ExampleFailure("failed-example", told, line.span, condition, hint=hint)
            case StillHolds():
                self.check_property(line)
            case _:
                pass

    def hint_at_uncounted(self, line: Holds) -> str | None:
        """`total` of a game whose points are counted later is 0."""
        lines = [line.name.text for score in self.table.bench.scores for line in score.lines]
        if not line.asks_total or self.S[SHEETS] or not lines:
            return None
        return message(
            "nothing has been counted yet, so `total` is 0; `{line} of 1` is what a line of the score is worth now",
            line=lines[0],
        )

    @property
    def may_end_early(self) -> bool:
        return any(isinstance(line, Chosen) and line.if_possible for line in self.example.lines)

    def is_possible(self, line: Chosen) -> bool:
        seat = self.evaluate_seat(line.seat)
        return self.acting.find_possible_option(seat, line.action, line.arguments) is not None

    def check_property(self, line: StillHolds) -> None:
        """At its moments since the first `when`; what holds always, here."""
        for judged in self.table.watches.properties:
            one = judged.declaration
            if one.title != line.title:
                continue
            if one.word in {"always", "never"}:
                holds = bool(self.table.evaluate(judged.code.run, self.S, line)) is (one.word == "always")
            else:
                holds = not any(event[0] == "broken" and event[1] is judged for event in self.S[EVENTS])
            if not holds:
                raise ExampleFailure("failed-example", message("this property does not hold"), line.span, one.condition)

    def evaluate_seat(self, player: Operand | None) -> int:
        return 0 if player is None else int(self.table.bench.compile(player).run(self.S))

    def check_can(self, line: CanChoose) -> None:
        seat = self.evaluate_seat(line.seat)
        action, arguments = line.action, line.arguments
        key = self.acting.find_possible_option(seat, action, arguments)
        if (key is not None) is line.can:
            return
        acting = self.acting
        told = acting.explain_can(seat, key) if key is not None else acting.explain_cannot(seat, action, arguments)
        raise ExampleFailure("failed-example", told[0], line.span, None, told[1])

    def check_all_used(self) -> None:
        """What chance was to bring, and what was chosen, must have happened; not where the rules may be mended ones."""
        if self.may_end_early:
            return
        waiting = self.acting.find_unfinished_choice()
        if waiting is not None:
            told = f"nothing comes of this yet: all choose at once, and {self.acting.format_whose_choice()}"
            raise ExampleFailure("never-used", told, waiting.span)
        if self.acting.expected:
            item = self.acting.expected[0]
            raise ExampleFailure("never-used", self.acting.explain_never_came(item), item.span)


def explain_phase_over(table: Table, phase: str, turns: PhaseTurns | None) -> str:
    until = turns.until if turns is not None else None
    why = f": `until {text_at(table, until.span)}` holds already" if until is not None else ""
    return f"no turn of phase `{phase}` begins here{why}"


# ---- what differs from table to table


def explain_open_difference(failing: list[ExampleRun], passing: list[ExampleRun]) -> str:
    """`it holds at 5 of 8 tables; not where starter is 2`."""
    count = f"it holds at {len(passing)} of {len(passing) + len(failing)} tables"
    bad, good = ([one.opening for one in runs if one.opening is not None] for runs in (failing, passing))
    for name, slot, told in open_slots(failing[0].table):
        there, here = ({state.slots[slot] for state in states} for states in (bad, good))
        if there and here and not there & here:
            return f"{count}; not where `{name}` is {format_list(sorted(str(told(one)) for one in there))}"
    return f"{count}; what the example leaves open decides"


def open_slots(table: Table) -> Iterator[tuple[str, int, Callable[[Any], Any]]]:
    yield "starter", STARTER, str
    for room in table.bench.variables.values():
        for number, name in enumerate(room.names):
            yield name, room.base + number, partial(format_external, table, room)


def format_external(table: Table, room: VariableRoom, value: Any) -> str:
    return format_value(to_external(table.bench, room.declaration.type, value))


def run_examples(program: Program, options: Mapping[str, object] | None = None) -> tuple[ExampleResult, ...]:
    return ExampleRunner(program, options=options or {}).run_all()
