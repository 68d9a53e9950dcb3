"""Lowers the flow of a checked program at a table to instructions: what leads from one statement to another, said once.

The slots in which the flow keeps something between two questions are handed out here, with the stretches of
instructions in which each of them is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, assert_never

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model import core, instructions
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import CountPoints, Draw, Effect, End, FlowForm
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.instructions import (
    EVERYWHERE,
    MOST_INSTRUCTIONS,
    EachSlots,
    Ending,
    Flow,
    Instruction,
    Label,
    Moment,
    PhaseLabels,
    Scope,
    Slot,
    TogetherSlots,
    TurnLabels,
    TurnSlots,
)
from rulesrun.interpreter.model.located_names import names_several
from rulesrun.interpreter.model.moments import MeasuredFigure, MomentWriter
from rulesrun.interpreter.model.values import PLAYER

Body = tuple[ast.Statement, ...]


@define(eq=False)
class EndLabels:
    """Where `end turn`, `end phase`, `end round` and `end game` lead to from here."""

    turn: Label | None = None
    phase: Label | None = None
    round: Label | None = None
    game: Label | None = None

    def find_end(self, what: Ending) -> Label | None:
        return {"turn": self.turn, "phase": self.phase, "round": self.round, "game": self.game}[what]


def lower_flow(bench: Workbench, watches: MomentWriter) -> Flow:
    writer = FlowLowering(bench, watches)
    writer.lower_game()
    return writer.flow


@define(eq=False)
class FlowLowering:
    bench: Workbench
    watches: MomentWriter
    flow: Flow = field(init=False, factory=Flow)
    ends: EndLabels = field(init=False, factory=EndLabels)
    scope: Scope | None = field(init=False, default=None)
    in_turn: bool = field(init=False, default=False)  # a turn of the game is being written
    turns_begun: int = field(init=False, default=0)

    # ---- the list

    def emit(self, instruction: Instruction) -> None:
        if len(self.flow.instructions) >= MOST_INSTRUCTIONS:
            raise self.bench.refusal(
                "too-large", message("the rules are too large with all their steps written out"), instruction.node
            )
        self.flow.instructions.append(instruction)
        self.flow.scopes.append(self.scope)

    def place_label(self, label: Label) -> None:
        label.at = len(self.flow.instructions)
        self.flow.labels.setdefault(label.at, []).append(label)

    @contextmanager
    def new_scope(self, statement: ast.Statement | None) -> Iterator[None]:
        """What gets a slot inside is used inside alone."""
        first_slot, outer = len(self.bench.blank), self.scope
        self.scope = scope = Scope(statement, len(self.flow.instructions))
        if statement is not None:
            self.flow.of_statements.setdefault(id(statement), []).append(scope)
        yield
        self.scope, scope.last = outer, len(self.flow.instructions)
        for slot in range(first_slot, len(self.bench.blank)):
            self.flow.lives.setdefault(slot, [(scope.first, scope.last)])

    def mark_live(self, slot: Slot, first: int | None) -> None:
        """A slot that several places share is used from this instruction to here, too; None: everywhere."""
        here = EVERYWHERE if first is None else (first, len(self.flow.instructions))
        self.flow.lives.setdefault(slot, []).append(here)

    def mark_dead(self, slot: Slot, first: int) -> None:
        """What the slot held does not matter between this instruction and here: it is about to be overwritten."""
        here = (first, len(self.flow.instructions))
        self.flow.lives[slot] = [one for one in self.flow.lives.get(slot, []) if one != here]

    def record_registers(self, node: ast.Node, what: str, *slots: Slot) -> None:
        self.flow.registers.append((node, what, slots))

    # ---- the game

    def lower_game(self) -> None:
        game, bench = self.bench.program.game, self.bench
        again, round_over, game_over = Label("again"), Label("round over"), Label("game over")
        setups, rounds = bench.declarations(ast.Setup), bench.declarations(ast.Rounds)
        self.ends.game = game_over
        self.emit(instructions.BeginGame(game, tuple(bench.declarations(ast.Variable))))
        for setup in setups:
            if not setup.each_round:
                self.lower_body(setup.body)
        self.place_label(again)
        step = {"left": 1, "right": -1}.get(rounds[0].moves or "", 0) if rounds else 0
        self.emit(instructions.BeginRound(game, *self.list_reset("round"), step))
        self.ends.round = round_over
        for setup in setups:
            if setup.each_round:
                self.lower_body(setup.body)
        for number, phase in enumerate(bench.phases):
            with self.new_scope(None):
                self.lower_phase(phase, number)
        self.ends.round = None
        self.place_label(round_over)
        self.judge_at_moment(game, "round")
        self.fill_sheets(game, "round")
        count, until = (rounds[0].count, rounds[0].until) if rounds else (None, None)
        self.emit(instructions.NextRound(game, again, count, until))
        self.place_label(game_over)
        self.fill_sheets(game, "end")
        self.emit(instructions.Rank(game))
        self.judge_at_moment(game, "game")
        self.emit(instructions.Over(game))

    def lower_phase(self, node: ast.Phase, number: int) -> None:
        over, labels = Label("after phase"), PhaseLabels(Label("phase"))
        self.flow.phases[number] = labels
        if node.when is not None:
            self.emit(instructions.Unless(node, node.when, over))
        self.place_label(labels.entry)
        self.emit(instructions.EnterPhase(node, number))
        self.emit(instructions.Reach(node))
        self.ends.phase = over
        loop = lower_statement(self.bench, node.loop) if node.loop is not None else None
        match loop:
            case core.Turns():
                self.ends.phase = inside = Label("phase over")
                self.lower_turns(loop, node.body, inside, labels)
            case core.Repeat():
                self.lower_repeat(loop, node.body, labels)
            case None:
                self.lower_phase_body(node, node.body, labels)
            case _:
                raise AssertionError(loop)
        self.ends.phase = None
        self.place_label(over)

    def lower_phase_body(self, node: ast.Node, body: Body, labels: PhaseLabels) -> None:
        """The lines of a phase whose header has no turns are a turn, unless they hold turns."""
        at, already = len(self.flow.instructions), self.turns_begun
        self.emit(begins := instructions.BeginTurn(node))
        self.reset_for_turn(node)
        self.place_label(labels.body)
        self.lower_turn_body(body)
        if self.turns_begun == already:
            self.turns_begun += 1
            self.judge_at_moment(node, "turn")
        else:
            self.flow.instructions[at] = evolve(begins, is_of_game=False)

    # ---- moments

    def list_reset(self, moment: Moment) -> tuple[tuple[ast.Variable, ...], tuple[ast.Memory, ...]]:
        """What begins anew with it."""
        variables = (one for one in self.bench.declarations(ast.Variable) if one.reset == moment)
        memories = (one for one in self.bench.declared_memories if one.reset == moment)
        return tuple(variables), tuple(memories)

    def reset_for_turn(self, node: ast.Node) -> None:
        variables, memories = self.list_reset("turn")
        if variables or memories:
            self.emit(instructions.ResetForTurn(node, variables, memories))

    def judge_at_moment(self, node: ast.Node, moment: Moment) -> None:
        """`at end of turn|round` properties are judged here, when somebody watches."""
        everything = [judged.declaration for judged in self.watches.properties]
        judged = tuple(one for one in self.watches.properties if one.declaration.moment == moment)
        counts_turn = moment == "turn" and any(one.moment == "turns" for one in everything)
        if judged or counts_turn:
            self.emit(instructions.Judge(node, moment, judged, counts_turn))
        self.note_figures(node, self.watches.figures_at_end(moment))

    def note_figures(self, node: ast.Node, figures: tuple[MeasuredFigure, ...]) -> None:
        if figures:
            self.emit(instructions.NoteFigures(node, figures))

    def fill_sheets(self, node: ast.Statement | ast.Game, when: str) -> None:
        scores = self.bench.scores
        if numbers := tuple(number for number, score in enumerate(scores) if score.when == when):
            self.emit(instructions.FillSheets(node, numbers, when == "told"))

    # ---- statements

    def lower_body(self, lines: Body) -> None:
        drawn: list[tuple[Draw, int]] = []
        for line in lines:
            first = len(self.flow.instructions)
            self.lower_statement(line)
            done = lower_statement(self.bench, line)
            if isinstance(done, Draw) and done.alias is not None:
                reserve_drawn_name(self.bench, done)  # left out, it still has a name, of nothing
                for slot in list_name_slots(self.bench, done):
                    self.mark_dead(slot, first)
                drawn.append((done, len(self.flow.instructions)))
        for draw, first in drawn:
            self.mark_drawn_live(draw, first)

    def mark_drawn_live(self, draw: Draw, first: int) -> None:
        """What was drawn has a name until the body is over; longer, when the draw may bring nothing new."""
        count = self.bench.compile(draw.count)
        always_draws = not draw.is_up_to and count.is_constant and count.value > 0
        for slot in list_name_slots(self.bench, draw):
            self.mark_live(slot, first if always_draws else None)

    def lower_statement(self, node: ast.Statement) -> None:
        if id(node) in self.bench.left_out:
            return
        with self.new_scope(node):
            self.emit(instructions.Reach(node, footprint_of(node).has_effect))
            done = lower_statement(self.bench, node)
            if isinstance(done, FlowForm):
                self.lower_form(done)
            else:
                self.lower_effect(done)

    def lower_effect(self, done: Effect) -> None:
        match done:
            case Draw():
                left = self.bench.new_slot(0)
                seat = self.bench.new_slot(0) if done.is_each else None
                reserve_drawn_name(self.bench, done)
                self.emit(instructions.DrawComponents(done.node, done, left, seat))
            case CountPoints(node):
                self.fill_sheets(node, "told")
            case End(node, what):
                label = self.ends.find_end(what)
                if label is None:
                    sentence = message("there is no {what} to end here", what=what)
                    raise self.bench.refusal("nothing-to-end", sentence, node)
                self.emit(instructions.Jump(node, label, what))
            case _:
                self.emit(instructions.Do(done.node, done))

    def lower_form(self, form: FlowForm) -> None:
        match form:
            case core.Choose():
                self.lower_choose(form)
            case core.If():
                self.lower_if(form)
            case core.ForEach():
                self.lower_for_each(form)
            case core.EachPlayer():
                self.lower_each_player(form)
            case core.Turns():
                self.lower_turns(form, form.body, Label("turns over"))
            case core.Repeat():
                self.lower_repeat(form, form.body)
            case core.Do(node, step):
                self.note_figures(node, self.watches.figures_with(step))
                self.lower_body(step.body)
            case _:
                assert_never(form)

    def lower_if(self, form: core.If) -> None:
        done = Label("after if")
        for branch in form.branches:
            test = self.bench.compile(branch.condition) if branch.condition is not None else None
            if branch.condition is None or test is None or (test.is_constant and test.value):
                self.lower_body(branch.body)
                break
            if test.is_constant:
                continue
            following = Label("otherwise")
            self.emit(instructions.Unless(branch, branch.condition, following))
            self.lower_body(branch.body)
            self.emit(instructions.Jump(branch, done))
            self.place_label(following)
        self.place_label(done)

    # ---- one after the other

    def lower_for_each(self, form: core.ForEach) -> None:
        bench, each, is_single = self.bench, form.each, form.named is not None
        if form.called is not None:
            self.note_figures(form.node, self.watches.figures_with(form.called))
        element = bench.registers.setdefault(id(each), bench.new_slot(None))
        is_several = names_several(bench, each, is_single)
        if id(each) in bench.located and element not in bench.wheres:
            bench.wheres[element] = bench.new_slot(None)
            follow = bench.following.follow_all if is_several else bench.following.follow
            follow(element, bench.wheres[element])
        where, first = bench.wheres.get(element), len(self.flow.instructions)
        is_several, left = is_several and where is not None, bench.new_slot(())
        slots = EachSlots(left, element)
        if is_several:
            slots = EachSlots(left, element, None, where)
        elif where is not None and where > 0:
            slots = EachSlots(left, element, bench.new_slot(()), where)
            assert slots.wheres is not None
            bench.following.follow_all(left, slots.wheres)
        named = form.ordered if form.ordered is not None else form.named
        several = named if is_several else None
        self.emit(instructions.GatherElements(form.node, slots, each, form.order, is_single, several))
        self.lower_each_loop(form, slots, each, is_several)
        for slot in (slots.where, element):
            if slot is not None:
                self.mark_live(slot, first)

    def lower_each_player(self, form: core.EachPlayer) -> None:
        node, kept = form.node, self.bench.new_slot(None)
        self.record_registers(node, "player before", kept)
        slots = EachSlots(self.bench.new_slot(()), PLAYER, before=kept)
        self.emit(instructions.GatherSeats(node, slots, form.start, form.condition, form.order))
        self.lower_each_loop(form, slots)

    def lower_each_loop(
        self, form: core.ForEach | core.EachPlayer, slots: EachSlots, binder: core.Each | None = None,
        is_several: bool = False,
    ) -> None:
        """The body once for each of the values, which are worked out at the beginning."""
        node, again, done = form.node, Label("each"), Label("all done")
        self.record_registers(node, "each", slots.left)
        self.place_label(again)
        self.emit(instructions.NextElement(node, slots, done, binder))
        self.lower_body(form.body)
        self.emit(instructions.LoopBack(node, again))
        self.place_label(done)
        self.emit(instructions.EndEach(node, slots, binder, is_several))

    def lower_repeat(self, form: core.Repeat, body: Body, phase: PhaseLabels | None = None) -> None:
        """A number of times, or until something holds; looked at before each time. `phase`: the one that it is."""
        node, again, done = form.node, Label("once more"), Label("enough")
        left = self.bench.new_slot(0) if form.times is not None else None
        if form.times is not None and left is not None:
            self.record_registers(node, "repeat", left)
            self.emit(instructions.SetTimes(node, form.times, left))
        self.place_label(again)
        if left is not None:
            self.emit(instructions.CountDown(node, left, done))
        if form.until is not None:
            self.emit(instructions.Until(node, form.until, done))
        if phase is not None:
            self.lower_phase_body(node, body, phase)
        else:
            self.lower_body(body)
        self.emit(instructions.LoopBack(node, again))
        self.place_label(done)

    # ---- turns

    def lower_turns(self, form: core.Turns, body: Body, done: Label, phase: PhaseLabels | None = None) -> None:
        """Clockwise from a player; `one turn each` stops after everyone has been looked at once. The turns of the game
        are the outermost ones: turns inside a turn ask players, and the outer turn goes on."""
        bench, node, again = self.bench, form.node, Label("turn")
        slots = TurnSlots(bench.new_slot(None), bench.new_slot(0), bench.new_slot(None), bench.new_slot(None))
        self.record_registers(node, "turns", slots.seat, slots.looked, slots.excluded, slots.before)
        begin = instructions.BeginTurns(node, slots, form.start, form.excluded)
        move_on = instructions.MoveOn(node, slots, form.is_once, form.following)
        self.emit(begin)
        self.place_label(again)
        if phase is not None:
            phase.turns = TurnLabels(again, begin, move_on)
        if form.until is not None:
            self.emit(instructions.Until(node, form.until, done))
        self.emit(instructions.FindTurn(
            node, slots, done, form.is_once, form.excluded is not None, form.skipping, form.following
        ))
        self.lower_turn(node, body, phase)
        self.emit(move_on)
        self.emit(instructions.LoopBack(node, again))
        self.place_label(done)
        self.emit(instructions.EndTurns(node, slots))

    def lower_turn(self, node: ast.Node, body: Body, phase: PhaseLabels | None) -> None:
        """Of one player: a turn of the game, or a part of the turn around it."""
        is_turn = not self.in_turn
        if is_turn:
            self.turns_begun += 1
            self.emit(instructions.BeginTurn(node))
            self.reset_for_turn(node)
        if phase is not None:
            self.place_label(phase.body)
        self.in_turn = True
        self.lower_turn_body(body)
        self.in_turn = not is_turn
        if is_turn:
            self.judge_at_moment(node, "turn")

    def lower_turn_body(self, body: Body) -> None:
        """`end turn` leads behind the lines."""
        turn_over = Label("turn over")
        outer, self.ends.turn = self.ends.turn, turn_over
        self.lower_body(body)
        self.ends.turn = outer
        self.place_label(turn_over)

    # ---- choices

    def lower_choose(self, form: core.Choose) -> None:
        """`bettor chooses …`: inside, `player` is that player."""
        match form.who:
            case "all":
                self.lower_together(form)
            case "named":
                node, kept = form.node, self.bench.new_slot(None)
                self.record_registers(node, "player before", kept)
                assert form.chooser is not None
                self.emit(instructions.KeepPlayer(node, kept, form.chooser))
                self.lower_decision(form, "named")
                self.emit(instructions.RestorePlayer(node, kept))
            case "player" | "team" as who:
                self.lower_decision(form, who)
            case _:
                raise AssertionError(form.who)

    def lower_decision(self, form: core.Choose, who: Literal["player", "named", "team"]) -> None:
        node, done, otherwise = form.node, Label("chosen"), Label("else") if form.otherwise is not None else None
        offers = self.list_offers(form)
        self.emit(instructions.Ask(node, offers, otherwise, done, who, form.is_if_possible, form.is_promised))
        self.emit(instructions.Jump(node, done))
        for offer in offers:
            self.place_label(offer.entry)
            self.lower_effects(offer.action)
            self.emit(instructions.Jump(node, done))
        self.lower_otherwise(form, otherwise)
        self.place_label(done)

    def lower_otherwise(self, form: core.Choose, otherwise: Label | None) -> None:
        if form.otherwise is not None and otherwise is not None:
            self.place_label(otherwise)
            self.lower_statement(form.otherwise)

    def list_offers(self, form: core.Choose) -> tuple[instructions.Offer, ...]:
        """In the order of the file, without doubles, whatever the order in the `choose`."""
        meant = set(map(id, form.actions))
        actions = [action for action in self.bench.actions if id(action) in meant]
        return tuple(instructions.Offer(action, Label(action.name.text)) for action in actions)

    def lower_together(self, form: core.Choose) -> None:
        bench, node = self.bench, form.node
        next_effect, over, done = Label("effect"), Label("effects done"), Label("together")
        otherwise, offers = Label("nobody") if form.otherwise is not None else None, self.list_offers(form)
        slots = TogetherSlots(bench.new_slot(None), bench.new_slot(()), bench.new_slot(0), bench.new_slot(None))
        self.record_registers(node, "together", slots.seats, slots.before, slots.done)
        self.emit(instructions.BeginTogether(node, slots, form.condition))
        next_effect.at = len(self.flow.instructions)  # where everyone has chosen
        self.emit(instructions.AskTogether(
            node, slots, offers, otherwise, done, next_effect, over, form.condition, form.is_if_possible,
            form.is_promised,
        ))
        self.emit(instructions.Jump(node, done))
        for offer in offers:
            self.place_label(offer.entry)
            self.lower_effects(offer.action)
            self.emit(instructions.LoopBack(node, next_effect))
        self.place_label(over)
        self.emit(instructions.EndTogether(node, slots, done, otherwise is not None))
        self.lower_otherwise(form, otherwise)
        self.place_label(done)

    def lower_effects(self, action: ast.Action) -> None:
        """What the action does; its choices are forgotten afterwards."""
        bench, first = self.bench, len(self.flow.instructions)
        self.emit(instructions.Reach(action))
        self.emit(instructions.BeginAction(action))
        own = next((choice for choice in action.choices if choice.name.text == "player"), None)
        kept = bench.new_slot(None) if own is not None else None
        if own is not None and kept is not None:
            self.record_registers(action, "player before", kept)
            self.emit(instructions.KeepPlayer(action, kept, own))
        judged = tuple(self.watches.properties_after(action))
        if judged:
            self.emit(instructions.KeepBefore(action, judged))
        self.note_figures(action, self.watches.figures_with(action))
        self.lower_body(action.body)
        if judged:
            self.emit(instructions.JudgeAfter(action, judged))
        if kept is not None:
            self.emit(instructions.RestorePlayer(action, kept))
        chosen = [bench.registers[id(choice)] for choice in action.choices]
        slots = (*chosen, *(bench.wheres[slot] for slot in chosen if slot in bench.wheres))
        self.emit(instructions.EndAction(action, slots))
        befores = (slot for one in judged for slot, _ in one.befores)
        for slot in (*slots, *((kept,) if kept is not None else ()), *befores):
            self.mark_live(slot, first)


# ---- what was drawn has a name


def reserve_drawn_name(bench: Workbench, done: Draw) -> None:
    """The slots of what is drawn, and of where it lies; once for all uses of the statement."""
    node = done.node
    if id(node) not in bench.registers:
        bench.registers[id(node)] = bench.new_slot(None)
        if id(node) in bench.located:
            bench.wheres[bench.registers[id(node)]] = bench.new_slot(None)
            bench.following.follow(bench.registers[id(node)], bench.wheres[bench.registers[id(node)]])


def list_name_slots(bench: Workbench, done: Draw) -> list[Slot]:
    register = bench.registers[id(done.node)]
    return [register, bench.wheres[register]] if register in bench.wheres else [register]
