"""What the rules tell of secrets, by values and by the way the game goes. Takes a table, gives what comes to be made of
secrets, and the places where somebody learns what he cannot see.

This is information-flow analysis: a value is made of all that it was worked out from (explicit flow), and of all that
decided whether it was worked out at all (implicit flow). Everybody sees open values, how many components go from
where to where, who is asked, what ends. What decides that, tells.

What the rules themselves tell is no leak: somebody wrote it. Whether it was meant, and for these players, is for the
author to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import assert_never
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from rulesrun.dsl.flow.legality import is_legal_with_any
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom
from rulesrun.interpreter.model.core_lowering import (
    find_operation,
    list_operands_of_action,
    list_pieces,
    lower_statement,
    lower_statements,
)
from rulesrun.interpreter.model.known_constructs import find_unknown_construct
from rulesrun.interpreter.model.located_names import component_type_name
from rulesrun.interpreter.model.relevance import constant_truth, has_one_round, live_branches
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.just_shown import Shown, find_just_shown
from rulesrun.interpreter.secrecy.secrets import (
    KNOWS,
    NOBODYS,
    NONE,
    Names,
    Read,
    SecretContents,
    SecretSource,
    Sources,
    Thing,
    chosen_together,
    find_things_read,
    find_zone_named,
    is_hidden,
    is_own_place,
    list_which_read,
    own_names,
)

MOST_PASSES = 50
OPEN = {None, "public"}
BY_SOME = "seen by"  # what comes there is told; what lies there is a secret
SEEN = {None, "public", "public top", BY_SOME}


@frozen
class FlowReason:
    """What decided that the game came here, and of which secrets it was made."""

    node: Located = field(eq=id)
    sources: Sources


Reasons = tuple[FlowReason, ...]
VariableWrite = core.Assign | core.Adjust | core.DrawValue | core.DrawOrder


@frozen
class Disclosure:
    """Somebody learns of `things` at this place. `how`: shown, chosen, value, points, condition, count, which,
    unknown.
    `because`: the condition by which the game came here, where that tells.
    """

    node: Located = field(eq=id)
    how: str
    things: tuple[Thing, ...] = field(eq=lambda things: tuple(id(one) for one in things))
    because: Located | None = field(default=None, eq=id)


@frozen(eq=False)
class Flows:
    """`open_writes`: the statements that always give a variable a value which everybody can work out."""

    contents: SecretContents
    disclosures: tuple[Disclosure, ...]
    open_writes: frozenset[int] = frozenset()


_flows: WeakKeyDictionary[Table, Flows] = WeakKeyDictionary()


def flows_of(table: Table) -> Flows:
    """Worked out once for a table."""
    found = _flows.get(table)
    if found is None:
        found = _flows[table] = analyze_flows(table)
    return found


def is_open(table: Table, reads: Iterable[Read], is_team: bool = False, bound: Collection[int] = ()) -> bool:
    """Whether the one who is asked knows all of it, or everybody does. `bound`: choices that are just being made."""
    return all(
        id(thing) in bound or not is_secret(table, thing, own, is_team)
        for part, own in reads for thing, own in find_things_read(table, part, own)
    )  # fmt: skip


def is_secret(table: Table, thing: Thing, own: bool, is_team: bool) -> bool:
    return is_hidden(table, flows_of(table).contents, thing, own, is_team)


def analyze_flows(table: Table) -> Flows:
    """Goes through the rules again and again until nothing more is learned of what values are made of."""
    unknown = find_unknown_construct(table.bench, KNOWS)
    if unknown is not None:
        return Flows(assume_everything_secret(table), (Disclosure(unknown, "unknown", ()),))
    contents, shown, unchanged = SecretContents(), find_just_shown(table), find_unchanged_variables(table)
    for _ in range(MOST_PASSES):
        before = dict(contents.made_of), set(contents.told)
        following = TaintTracker(table, contents, shown, unchanged)
        following.track_rules()
        if before == (contents.made_of, contents.told):
            open_writes = frozenset(following.open_writes - following.closed_writes)
            return Flows(contents, tuple(dict.fromkeys(following.found)), open_writes)
    return Flows(assume_everything_secret(table), tuple(dict.fromkeys(following.found)))


def assume_everything_secret(table: Table) -> SecretContents:
    variables = (room.declaration for room in table.bench.variables.values())
    things: list[core.Variable | core.Memory] = [*variables, *table.bench.declared_memories]
    made_of = {id(one): frozenset({SecretSource(one, False)}) for one in things}
    return SecretContents(made_of, set(made_of))


@define(eq=False)
class TaintTracker:
    """Goes once through all statements that can be reached at the table."""

    table: Table
    contents: SecretContents
    shown: dict[int, Shown]
    unchanged: set[int]  # variables
    found: list[Disclosure] = field(factory=list)
    open_writes: set[int] = field(factory=set)
    closed_writes: set[int] = field(factory=set)
    _mine: Names = NOBODYS  # of the statement that is being looked at
    _said: set[int] = field(factory=set)  # what all see by the effects of what was chosen at once
    _together: frozenset[int] = field(init=False)
    _told: set[int] = field(factory=set)  # conditions of which everybody has learned
    _steps: set[tuple[int, Reasons]] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self._together = chosen_together(self.table)

    def track_rules(self) -> None:
        for piece in list_pieces(self.table.bench):
            match piece:
                case core.Setup(body=body):
                    self.track_body(body, ())
                case core.Phase(when=when, loop=loop, body=body) if constant_truth(self.table.bench, when) is not False:
                    self.track_phase(self.add_reason(when, ()), loop, body)
                case core.Action():
                    self.action(piece)
                case core.Rounds(count=count, until=until):
                    for one in (count, until):
                        self.disclose_reasons(piece, self.add_reason(one, ()))
                case core.Score(when="round" | "told", lines=lines) if not self.is_at_the_end(piece):
                    for line in lines:
                        self.disclose(line, "points", self.find_sources(line.value, False))
                case core.Score() | core.Ranking() | core.Result() | core.Property():
                    pass  # at the end there is nothing left to hide
                case core.Phase() | core.Step() | core.Define() | core.Table():
                    pass  # not carried out, or carried out and asked from there
                case core.Zone() | core.Variable() | core.Memory() | core.Components():
                    pass
                case _:
                    assert_never(piece)

    def action(self, action: core.Action) -> None:
        """That it was chosen is not seen of a secret one, nor where all choose at once; what is done then says so."""
        is_together = id(action) in self._together
        is_own = all(one.name.text != "player" for one in action.choices)
        reasons = (
            (FlowReason(action, frozenset({SecretSource(action, is_own)})),) if action.secret or is_together else ()
        )
        if is_together and not action.secret:
            self._said = {id(action), *(id(one) for one in action.choices)}
        self.track_body(action.body, reasons)
        self._said = set()

    def is_at_the_end(self, score: core.Score) -> bool:
        """The sheet of the only round."""
        return score.when == "round" and has_one_round(self.table.bench)

    def track_phase(
        self, reasons: Reasons, loop: core.Line | None, body: tuple[core.Line, ...]
    ) -> None:
        match lower_statement(self.table.bench, loop) if loop is not None else None:
            case core.Turns() as turns:
                self.track_body(body, self.add_turn_reasons(turns, reasons))
            case core.Repeat(times=times, until=until):
                self.track_body(body, self.add_reason(until, self.add_reason(times, reasons)))
            case None:
                self.track_body(body, reasons)
            case other:
                raise AssertionError(other)

    def add_turn_reasons(self, loop: core.Turns, reasons: Reasons) -> Reasons:
        for one in (loop.start, loop.excluded, loop.following, loop.skipping, loop.until):
            reasons = self.add_reason(one, reasons)
        return reasons_of_others(reasons)

    # ---- what is read

    def find_sources(self, node: core.Operand | None, own: bool = True, but_for: Collection[int] = ()) -> Sources:
        """The secrets of which a value is made; `own` ones are known to `player`."""
        if node is None:
            return NONE
        found = set()
        for thing, is_own in find_things_read(self.table, node, own, but_for, self._mine):
            if is_hidden(self.table, self.contents, thing, False, False):
                knows = is_own and not is_hidden(self.table, self.contents, thing, True, False)
                found.add(SecretSource(thing, knows))
        if self.table.players == 1:
            return frozenset(one for one in found if not one.own)
        return frozenset(found)

    def add_reason(self, condition: core.Operand | None, reasons: Reasons) -> Reasons:
        """One reason more: a condition that is made of secrets, but for what has just been shown."""
        shown = self.shown.get(id(condition), frozenset())
        found = frozenset(one for one in self.find_sources(condition) if not (one.own and id(one.thing) in shown))
        return (*reasons, FlowReason(condition, found)) if condition is not None and found else reasons

    # ---- what is told

    def disclose(
        self, node: Located, how: str, sources: Iterable[SecretSource], because: Located | None = None
    ) -> None:
        """To everybody."""
        told = sorted(self.unsaid(sources), key=lambda one: thing_name(one.thing))
        things = {id(one.thing): one.thing for one in told}
        if things:
            self.found.append(Disclosure(node, how, tuple(things.values()), because))

    def disclose_reasons(self, node: Located, reasons: Reasons) -> None:
        """That it comes to this tells of all that decided it; told once of each condition."""
        for reason in reasons:
            if id(reason.node) not in self._told:
                self._told.add(id(reason.node))
                self.disclose(node, "condition", reason.sources, reason.node)

    def unsaid(self, sources: Iterable[SecretSource]) -> Sources:
        return frozenset(one for one in sources if id(one.thing) not in self._said)

    # ---- statements

    def track_body(self, body: Iterable[core.Line], reasons: Reasons) -> None:
        outside = self._mine
        for statement in body:
            self._mine = own_names(self.table)[id(statement)]
            self.track_statement(statement, reasons)
        self._mine = outside

    def track_statement(self, node: core.Line, reasons: Reasons) -> None:
        done = lower_statement(self.table.bench, node)
        match done:
            case core.Assign(value=value) | core.Adjust(amount=value):
                self.track_write(done, self.find_sources(value), reasons)
            case core.DrawValue(place=place, chances=chances):
                weighed = frozenset(source for one in chances for source in self.find_sources(one))
                self.track_write(done, self.chance_sources(place) | weighed, reasons)
            case core.DrawOrder(place=place):
                self.track_write(done, self.chance_sources(place), reasons)
            case core.Mix() | core.Draw() | core.Move():
                self.disclose_reasons(node, reasons)
                self.track_components(done)
            case core.Show(what=what, to=to):
                self.found.append(Disclosure(node, "shown", ()))
                self.disclose(node, "chosen", self.picking_sources(what) | self.find_sources(to))
                self.disclose_reasons(node, reasons)
            case core.CountPoints():
                self.disclose_reasons(node, reasons)
            case core.End():
                self.disclose_reasons(node, reasons)  # that it does not come to this tells as well
            case core.Record(values=values, memory=memory):
                made_of = frozenset(one for value in values for one in self.find_sources(value, False))
                self.add_held_sources(memory, made_of | all_sources(reasons), False)
            case core.Do(step=step):
                self.track_step(step, reasons)
            case core.Choose():
                self.track_choose(done, reasons)
            case core.If() | core.ForEach() | core.EachPlayer() | core.Turns() | core.Repeat():
                self.track_flow(done, reasons)
            case _:
                assert_never(done)

    def track_flow(
        self, done: core.If | core.ForEach | core.EachPlayer | core.Turns | core.Repeat, reasons: Reasons
    ) -> None:
        match done:
            case core.If(_, branches):
                for branch in live_branches(self.table.bench, branches):
                    if constant_truth(self.table.bench, branch.condition) is None:
                        reasons = self.add_reason(branch.condition, reasons)
                    self.track_body(branch.body, reasons)
            case core.ForEach(body=body) if self.is_told_by_its_name(done):
                self.track_body(body, reasons)
            case core.ForEach(each=each, order=order, body=body):
                if find_zone_named(self.table, each.collection) is None:
                    reasons = self.add_reason(each.collection, reasons)
                elif which := self.place_sources(each.collection):  # all see how many there are, if they know where
                    reasons = (*reasons, FlowReason(each.collection, which))
                self.track_body(body, self.add_order_reason(order, each, reasons))
            case core.EachPlayer(start=start, condition=condition, order=order, body=body):
                reasons = self.add_reason(condition, self.add_reason(start, reasons))
                self.track_body(body, reasons_of_others(self.add_reason(order.key if order else None, reasons)))
            case core.Turns(body=body):
                self.track_body(body, self.add_turn_reasons(done, reasons))
            case core.Repeat(times=times, until=until, body=body):
                self.track_body(body, self.add_reason(until, self.add_reason(times, reasons)))
            case _:
                assert_never(done)

    def is_told_by_its_name(self, done: core.ForEach) -> bool:
        """Whether a value that got a name decides nothing by itself: the lines are done once, and what speaks of it
        says so. Which of several components it is shows in where that one goes: that is a reason like another."""
        if (value := done.named) is None:
            return False
        if component_type_name(self.table.bench.type_of(value)) is None or core.name_text(value):
            return True
        zone = find_zone_named(self.table, self.taken_from(value))
        is_end = isinstance(find_operation(self.table.bench, value), core.EndOf)
        return is_end and zone is not None and zone.sort_key is None

    def add_order_reason(self, order: core.Order | None, each: core.Each, reasons: Reasons) -> Reasons:
        """By what the elements show themselves nothing more is told than by what is done with them."""
        if order is None:
            return reasons
        found = self.find_sources(order.key, but_for=(id(each),))
        return (*reasons, FlowReason(order.key, found)) if found else reasons

    def track_step(self, step: core.Step, reasons: Reasons) -> None:
        if (id(step), reasons) not in self._steps:
            self._steps.add((id(step), reasons))
            self.track_body(step.body, reasons)

    def track_choose(self, done: core.Choose, reasons: Reasons) -> None:
        """Everybody sees who is asked."""
        for one in (done.condition, done.chooser):
            reasons = self.add_reason(one, reasons)
        if done.otherwise is not None or done.is_if_possible:
            reasons = self.add_possibility_reason(done, reasons)
        otherwise = lower_statement(self.table.bench, done.otherwise) if done.otherwise is not None else None
        if isinstance(otherwise, core.End) and otherwise.what == "game":
            return  # who could not choose has come to the end; who could shows it by what is chosen
        self.disclose_reasons(done.node, reasons)
        if done.otherwise is not None:
            self.track_body((done.otherwise,), reasons)

    def add_possibility_reason(self, done: core.Choose, reasons: Reasons) -> Reasons:
        """Whoever is passed over had nothing that could be done."""
        found: set[SecretSource] = set()
        for action in done.actions:
            if not (action.choices or action.needs):
                return reasons  # this one can always be done
            bound = {id(choice) for choice in action.choices}
            found |= {one for part, own in self.all_it_needs(action) for one in self.find_sources(part, own, bound)}
        return (*reasons, FlowReason(done.node, frozenset(found))) if found else reasons

    def all_it_needs(self, action: core.Action) -> list[Read]:
        """What decides whether it can be done. Where it is legal of whatever lies there (a suit is followed if it can
        be), that is whether that place is empty."""
        if len(action.choices) == 1 and action.choices[0].count is None:
            place = self.taken_from(action.choices[0].domain)
            if find_zone_named(self.table, place) is not None and is_legal_with_any(self.table.bench, action):
                return list(list_which_read(self.table, place, True))
        return [(part, True) for part in list_operands_of_action(action)]

    # ---- numbers and markers

    def chance_sources(self, place: core.Assigned) -> Sources:
        """What chance brought is known where it can be seen."""
        variable = variable_of(place)
        if variable is None or variable.visibility in OPEN:
            return NONE
        return frozenset(
            {SecretSource(variable, variable.visibility == "private" and is_own_place(self.table, place.node))}
        )

    def track_write(self, done: VariableWrite, value: Sources, reasons: Reasons) -> None:
        node, target = done.node, done.place.node
        variable, where = variable_of(done.place), self.place_sources(target)
        is_worked_out = isinstance(done, core.Assign) and not (value or where or reasons)
        (self.open_writes if is_worked_out else self.closed_writes).add(id(node))
        if variable is None or variable.visibility in OPEN:  # `starter` is open, too
            self.disclose(node, "value", value | where)
            self.disclose_reasons(node, reasons)
            if variable is not None and self.unsaid(value | where | all_sources(reasons)):
                self.contents.told.add(id(variable))
            return
        if id(variable) in self.unchanged:
            return
        is_own = variable.per_player and is_own_place(self.table, target)
        if variable.visibility == BY_SOME:
            self.disclose(node, "value", value | where)
            self.disclose_reasons(node, reasons)
        elif variable.visibility == "private" and variable.per_player:
            self.disclose_to_owner(node, value | where, reasons, is_own)
        self.add_held_sources(variable, value | where | all_sources(reasons), is_own)

    def disclose_to_owner(self, node: Located, value: Sources, reasons: Reasons, is_own: bool) -> None:
        """What one's own number is made of one knows, but for what one could not see."""
        self.disclose(node, "value", (one for one in value if is_news(one, is_own)))
        for reason in reasons:
            self.disclose(node, "condition", (one for one in reason.sources if is_news(one, is_own)), reason.node)

    def add_held_sources(self, thing: core.Variable | core.Memory, sources: Sources, is_own: bool) -> None:
        if sources:
            self.contents.told.add(id(thing))
            held = frozenset(SecretSource(one.thing, one.own and is_own) for one in sources)
            self.contents.made_of[id(thing)] = self.contents.made_of.get(id(thing), NONE) | held

    def place_sources(self, target: core.Operand) -> Sources:
        """Which of several places it is."""
        return frozenset(
            one for part, own in list_which_read(self.table, target, True) for one in self.find_sources(part, own)
        )

    # ---- components

    def track_components(self, done: core.Mix | core.Draw | core.Move) -> None:
        match done:
            case core.Mix(node, place, room, added):
                if added is None:
                    self.disclose(node, "chosen", learned(self.place_sources(place.node), room.declaration, False))
                else:
                    self.track_transfer(node, core.Transfer(added, core.Target(place, room, False), None))
            case core.Draw():
                self.track_draw(done)
            case core.Move(node, transfers):
                for transfer in transfers:
                    self.track_transfer(node, transfer)
            case _:
                assert_never(done)

    def track_draw(self, done: core.Draw) -> None:
        """How many come is seen by all, and by which condition they are chosen, where they can be seen."""
        node, origin, target = done.node, done.origin.node, done.target.place.node
        count = self.find_sources(done.count)
        if done.is_up_to and done.condition is not None:
            count |= self.find_sources(origin) | self.find_sources(done.condition)
        self.disclose(node, "count", count)
        which = self.place_sources(target) | self.place_sources(origin)
        if done.condition is not None:
            picked = self.find_sources(done.condition)
            which |= learned(picked, done.target.room.declaration, is_own_place(self.table, target))
            which |= learned(picked, done.room.declaration, is_own_place(self.table, origin))
        self.disclose(node, "which", which)

    def track_transfer(self, node: Located, transfer: core.Transfer) -> None:
        what, to = transfer.taken.what, transfer.target.place.node
        place, target = self.taken_from(what), transfer.target.room.declaration
        origin = find_zone_named(self.table, place)
        named = self.named_meanings(what)
        self.disclose(node, "count", self.amount_sources(transfer.taken))
        which = self.place_sources(to) if target.visibility not in OPEN else frozenset(
            one for part, own in list_which_read(self.table, to, True) for one in self.find_sources(part, own, named)
        )
        if origin is not None:  # how many lie there is seen as well
            which |= self.place_sources(place)
        choice = self.selection_sources(transfer.taken)
        which |= learned(choice | self.order_sources(transfer), target, is_own_place(self.table, to))
        which |= choice if origin is None else self.learned_where_it_lay(transfer.taken, choice, origin, place)
        self.disclose(node, "which", which)

    def learned_where_it_lay(
        self, taken: core.Taken, choice: Sources, origin: core.Zone, place: core.Operand
    ) -> Sources:
        """Whoever sees what lies there sees which one goes; its owner knows what else lies there."""
        if origin.visibility != "private":
            return learned(choice, origin, False)
        if isinstance(taken, core.TakeEverywhere | core.TakeFrom):
            return NONE  # how many go is seen by all
        return learned(self.picking_sources(taken.what), origin, is_own_place(self.table, place))

    def named_meanings(self, what: core.Operand) -> set[int]:
        """What is seen lying there afterwards."""
        meaning = self.table.bench.meaning(what)
        return {id(meaning)} if meaning is not None else set()

    def whole_behind(self, what: core.Operand) -> core.Operand | None:
        """That of which it is some, or one; None: all of it."""
        match find_operation(self.table.bench, what):
            case core.Best(each=each):
                return each.collection
            case core.Filter(_, inner) | core.ItemAt(collection=inner, is_index=False) | core.EndOf(collection=inner):
                return inner
            case core.ForPlayer(_, amount, inner) if self.is_amount(amount):
                return inner
            case core.Contents(owner=core.Operand() as inner) | core.Attribute(owner=core.Operand() as inner):
                return inner if self.is_amount(what) else None
            case _:
                return None

    def taken_from(self, what: core.Operand) -> core.Operand:
        """What the components that are meant lie in."""
        while (inner := self.whole_behind(what)) is not None:
            what = inner
        return what

    def picking_sources(self, what: core.Operand, with_rest: bool = False) -> Sources:
        """What decides which components of a place are meant, and which place; `with_rest`: what else lies there, too,
        where they are the best of all."""
        inner, found = self.whole_behind(what), NONE
        if inner is None:
            return self.sources_of_whole(what, with_rest)
        match find_operation(self.table.bench, what):
            case core.Best(key=key):
                found = self.find_sources(key) | (self.find_sources(inner) if with_rest else NONE)
            case core.Filter(condition=part) | core.ItemAt(position=part):
                found = self.find_sources(part)
        return found | self.picking_sources(inner, with_rest)

    def sources_of_whole(self, what: core.Operand, with_rest: bool) -> Sources:
        """Of a place which one it is; of what is put together what decides of its parts."""
        match find_operation(self.table.bench, what):
            case None | core.Contents() | core.Constant() | core.Register() | core.Element() | core.Attribute():
                return self.place_sources(what)
            case core.Joined(_, parts):
                return frozenset(source for part in parts for source in self.picking_sources(part, with_rest))
            case core.IfElse(_, condition, then, otherwise):
                of_parts = self.picking_sources(then, with_rest) | self.picking_sources(otherwise, with_rest)
                return self.find_sources(condition) | of_parts
            case core.Definition(arguments=()) as called:
                return self.picking_sources(called.body, with_rest)
            case _:
                return self.find_sources(what)  # all of it, whatever it is

    def is_one_by_order(self, what: core.Operand) -> bool:
        asked = find_operation(self.table.bench, what)
        return isinstance(asked, core.EndOf) or (isinstance(asked, core.ItemAt) and not asked.is_index)

    def amount_sources(self, taken: core.Taken) -> Sources:
        """What decides how many there are; of a whole place that is seen by all."""
        match taken:
            case core.TakeOne():
                return NONE
            case core.TakeSome(amount=amount):
                return self.find_sources(amount)
            case core.TakeEverywhere(what) | core.TakeFrom(what) | core.TakeListed(what):
                return NONE if self.is_whole_place(what) else self.find_sources(what)
            case _:
                assert_never(taken)

    def is_whole_place(self, what: core.Operand) -> bool:
        meaning = self.table.bench.meaning(what)
        return find_zone_named(self.table, what) is not None or isinstance(meaning, AllOf | core.Choice)

    def is_amount(self, node: core.Operand) -> bool:
        bench = self.table.bench
        return isinstance(find_operation(bench, node), core.Arithmetic) or bench.bounds_of(node) is not None

    def order_sources(self, transfer: core.Transfer) -> Sources:
        """What the order tells of: not the components that lie in it, but where only the top is seen."""
        order, zone = transfer.order, transfer.target.room.declaration
        if order is None or zone.kind not in {"pile", "row"}:
            return NONE
        unseen = self.find_sources(self.taken_from(transfer.taken.what)) if zone.visibility == "public top" else NONE
        return self.find_sources(order.key) | unseen

    def selection_sources(self, taken: core.Taken) -> Sources:
        """What decides which one is moved: not the one that was chosen, or lies on top, or is gone through."""
        what, found = taken.what, NONE
        place = self.taken_from(what)
        zone = find_zone_named(self.table, place)
        if zone is not None and zone.sort_key is not None and self.is_one_by_order(what):
            found |= self.find_sources(place)  # the least or the greatest
        is_whole = isinstance(taken, core.TakeEverywhere | core.TakeFrom)
        if is_whole or core.name_text(what) or find_zone_named(self.table, what) is not None:
            return found
        if isinstance(taken, core.TakeSome) or self.is_one_by_order(what):
            return found | self.picking_sources(what, with_rest=True)
        return found | self.find_sources(what)


def learned(choice: Sources, zone: core.Zone, is_own: bool) -> Sources:
    """What is news to those who see what lies in a zone. `is_own`: it belongs to the one of whom is spoken."""
    if zone.visibility in SEEN:
        return choice
    return frozenset(one for one in choice if is_news(one, is_own)) if zone.visibility == "private" else NONE


def is_news(source: SecretSource, is_own: bool) -> bool:
    """Whether the owner of a number did not know it: another's number is written, or a secret is another's."""
    return not (source.own and is_own)


def reasons_of_others(reasons: Reasons) -> Reasons:
    """Where somebody else is `player`, what was one's own is another's."""
    return tuple(
        FlowReason(one.node, frozenset(SecretSource(source.thing, False) for source in one.sources)) for one in reasons
    )


def all_sources(reasons: Reasons) -> Sources:
    return frozenset(source for one in reasons for source in one.sources)


def variable_of(place: core.Assigned) -> core.Variable | None:
    """None: `starter`."""
    return place.room.declaration if isinstance(place, core.Contents) and isinstance(place.room, VariableRoom) else None


def find_unchanged_variables(table: Table) -> set[int]:
    """Those into which nothing ever comes but what stands there from the start."""
    changed = set()
    for node in writing_statements(table):
        variable = variable_of(node.place)
        if variable is not None:
            start = table.blank[table.bench.variables[id(variable)].base]
            if not isinstance(node, core.Assign) or not is_constant_start(table, node.value, start):
                changed.add(id(variable))
    return {*table.bench.variables} - changed


def thing_name(thing: Thing) -> str:
    match thing:
        case core.Deal(alias=alias):
            return alias.text if alias is not None else "what was drawn"
        case BuiltinMeaning(name=name):
            return name
        case core.Zone() | core.Variable() | core.Memory() | core.Choice() | core.Action():
            return thing.name.text
        case _:
            assert_never(thing)


def writing_statements(table: Table) -> Iterator[VariableWrite]:
    for done in lower_statements(table.bench):
        match done:
            case core.Assign() | core.Adjust() | core.DrawValue() | core.DrawOrder():
                yield done
            case core.Move() | core.Mix() | core.Draw() | core.Show() | core.Record() | core.CountPoints() | core.End():
                pass  # no variable
            case core.Choose() | core.If() | core.ForEach() | core.EachPlayer() | core.Turns() | core.Repeat():
                pass  # the statements in them come by themselves
            case core.Do():
                pass
            case _:
                assert_never(done)


def is_constant_start(table: Table, value: core.Operand, start: object) -> bool:
    known = table.bench.ready.get(id(value))
    return known is not None and known[1].is_constant and known[1].value == start


# ---- what the rules themselves tell


@frozen
class LaidOpen:
    """`things`: the places and values that are told of; none for what is shown whole. `how`: shown, chosen, value,
    points, condition, count, which. `because`: the condition by which the game comes to this line, where that tells.
    """

    span: Span
    things: tuple[str, ...]
    how: str = "shown"
    because: Span | None = None


def find_laid_open(table: Table) -> Iterator[LaidOpen]:
    """What is shown, what all see that is made of secrets or hangs on them, points counted before the end."""
    for one in flows_of(table).disclosures:
        because = one.because.span if one.because is not None else None
        yield LaidOpen(one.node.span, tuple(dict.fromkeys(map(thing_name, one.things))), one.how, because)
