"""A table: the rules for one number of players and one choice of options, ready to be played.

Takes a checked program, gives a `Table`, or refuses options and numbers of players that the rules do not allow.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.model.compile_context import Watcher, Workbench
from rulesrun.interpreter.model.flow_lowering import lower_flow
from rulesrun.interpreter.model.instructions import Flow, Instruction
from rulesrun.interpreter.model.layout import lay_out_kinds, lay_out_position
from rulesrun.interpreter.model.moments import MomentWriter, make_moment_writer
from rulesrun.interpreter.model.table_options import (
    check_players,
    check_requirements,
    choose_options,
    list_written_values,
    write_usual_value,
)
from rulesrun.interpreter.model.values import (
    MOST_STEPS,
    MOST_WORK,
    PC,
    WORK,
    Fault,
    Jump,
    RefusedTable,
    Run,
    Slots,
    State,
    fault,
)
from rulesrun.interpreter.model.work_bounds import is_much_work
from rulesrun.interpreter.reference import expressions
from rulesrun.interpreter.reference.bodies import FlowCompiler
from rulesrun.interpreter.reference.flow_graph import FlowGraph, Operation, PhaseStart, Wait
from rulesrun.interpreter.reference.loops import compile_first_and_left_out
from rulesrun.interpreter.reference.options import ActionBook
from rulesrun.interpreter.reference.scoring import Scoring, compile_scoring


@frozen(eq=False)
class Table:
    program: Program
    players: int
    options: Mapping[str, object]  # as they are written outside
    bench: Workbench
    flow: Flow
    operations: tuple[Operation, ...]
    steps: tuple[Jump, ...]
    waits: Mapping[int, Wait]
    actions: ActionBook
    scoring: Scoring
    watches: MomentWriter
    blank: tuple[Any, ...]
    phases: Mapping[int, PhaseStart]
    lives: Mapping[int, list[tuple[int, int]]]  # by slot: between which operations it is used
    loops: Mapping[int, int]  # by id of the instruction that ends a loop: how many operations it has
    _waits_of: dict[int, Wait] = field(init=False, factory=dict, repr=False)
    named: dict[tuple[Any, ...], Any] = field(init=False, factory=dict, repr=False)  # options in words, by their keys

    def wait_at(self, instruction: Instruction) -> Wait:
        """Where this instruction of the flow needs an answer."""
        if not self._waits_of:
            self._waits_of.update((id(one.instruction), one.wait) for one in self.operations if one.wait is not None)
        return self._waits_of[id(instruction)]

    def new_slots(self) -> Slots:
        """A position before the first operation, to be worked on."""
        return [*self.blank, *self.scratch_slots()]

    def to_slots(self, state: State) -> Slots:
        """A position to be worked on; the state stays as it is."""
        return [*state.slots, *self.scratch_slots()]

    def scratch_slots(self) -> list[Any]:
        """Room for working expressions out; questions made ready later may need more."""
        return self.bench.scratch_slots()

    def to_state(self, S: Slots) -> State:
        return State(tuple(S[: len(self.blank)]))

    def run_to_question(self, S: Slots, steps: Sequence[Jump] | None = None) -> Wait:
        """Goes on to where an answer is needed, or to the end; `steps` may be wrapped to see which are done."""
        steps, pc = steps or self.steps, S[PC]
        S[WORK] = MOST_WORK
        try:
            for _ in range(MOST_STEPS):
                pc = steps[pc](S)
                if pc < 0:
                    S[PC] = ~pc
                    return self.waits[~pc]
        except (TypeError, RecursionError, OverflowError) as problem:
            raise self.translate_error(problem, self.operations[pc].node) from problem
        raise fault("endless", message("this goes on for ever without asking anybody"), self.operations[pc].node.span)

    def evaluate(self, run: Run, S: Slots, node: Located) -> Any:
        """What an expression is worth, outside the flow of the game."""
        try:
            return run(S)
        except (TypeError, RecursionError, OverflowError) as problem:
            raise self.translate_error(problem, node) from problem

    def translate_error(self, problem: Exception, node: Located) -> Exception:
        """Python's complaint about a `None` is the rules' use of `nothing`; about a fraction, of what is not whole."""
        if isinstance(problem, TypeError) and "'Fraction'" in str(problem):
            return fault(
                "not-whole", message("a whole number is needed somewhere here, but there is a fraction"), node.span
            )
        if isinstance(problem, TypeError) and "NoneType" not in str(problem):
            return problem
        if isinstance(problem, TypeError):
            return fault(
                "nothing-used", message("a value is needed somewhere here, but there is nothing"), node.span
            )
        return fault("too-large", message("the numbers here grow too large"), node.span)


def set_up_table(
    program: Program, players: int, options: Mapping[str, object] | None = None, watcher: Watcher | None = None,
    left_out: Container[object] = (),
) -> Table:
    """`watcher` is told what is reached in every game at this table; `left_out`: what the rules are played without."""
    bench = Workbench(
        program, players, watcher.compile_expression if watcher is not None else expressions.compile_expression
    )
    bench.watcher, bench.left_out = watcher, left_out
    bench.lay_out_kinds = partial(lay_out_kinds, bench)
    try:
        check_players(bench)
        shown = choose_options(bench, options or {})
        check_requirements(bench)
        lay_out_position(bench)
        bench.is_charged = is_much_work(bench)
        return build_table(bench, shown)
    except Fault as problem:
        raise RefusedTable((problem.diagnostic,)) from problem
    except RecursionError as problem:
        raise bench.refusal("too-deep", message("definitions in these rules are nested too deeply")) from problem


def build_table(bench: Workbench, shown: Mapping[str, object]) -> Table:
    actions = ActionBook(bench, {}, {})
    bench.lister_of_action = actions.option_lister
    for action in bench.actions:
        actions.compiled_action(action)
    watches = make_moment_writer(bench)
    scoring, flow = compile_scoring(bench), lower_flow(bench, watches)
    graph = FlowGraph(bench, flow)
    FlowCompiler(bench, graph, actions, scoring, watches).compile_flow()
    for action in bench.actions:
        actions.option_lister(action)
    steps = tuple(graph.link_steps())
    waits = {number: one.wait for number, one in enumerate(graph.operations) if one.wait is not None}
    bench.blank[PC] = 0
    return Table(
        bench.program, bench.players, shown, bench, flow, tuple(graph.operations), steps, waits, actions,
        scoring, watches, tuple(bench.blank), start_phases(graph), graph.list_lives(), graph.loops,
    )


def start_phases(graph: FlowGraph) -> dict[int, PhaseStart]:
    found = {}
    for number, labels in graph.flow.phases.items():
        entry, body = (graph.starts[label.at] for label in (labels.entry, labels.body))
        start = found[number] = PhaseStart(graph.final_destination(entry), graph.final_destination(body))
        if (turns := labels.turns) is not None:
            start.turn, start.slots = graph.final_destination(graph.starts[turns.turn.at]), turns.begin.slots
            start.is_once, start.is_to_the_left = turns.move_on.is_once, turns.move_on.following is None
            start.first, start.left_out = compile_first_and_left_out(graph.bench, turns.begin)
    return found


def list_option_values(table: Table, name: str) -> tuple[object, ...]:
    """As they are written outside; where there are too many to list, only what is set now."""
    return list_written_values(table.bench, name) or (table.options[name],)


def usual_option(table: Table, name: str) -> object:
    """As it is written outside."""
    return write_usual_value(table.bench, name)
