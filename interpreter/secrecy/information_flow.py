"""What the rules tell of secrets, by values and by the way the game goes. Takes a table, gives what comes to be made of
secrets, and the places where somebody learns what he cannot see.

This is information-flow analysis: a value is made of all that it was worked out from (explicit flow), and of all that
decided whether it was worked out at all (implicit flow). Everybody sees open values, how many components go from
where to where, who is asked, what ends. What decides that, tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import assert_never
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.known_constructs import first_unknown
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.flow.legality import is_legal_of_any
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.typing.types import CollectionOf
from rulesrun.interpreter.play.relevance import has_one_round, living_parts, truth_of
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.just_shown import Shown, shown_at
from rulesrun.interpreter.secrecy.name_owners import NOBODYS, Names, own_names
from rulesrun.interpreter.secrecy.secrets import (
    KNOWS,
    NONE,
    Contents,
    Read,
    Source,
    Sources,
    Thing,
    chosen_together,
    is_builtin,
    is_hidden,
    is_own_place,
    keys,
    parts_of_action,
    things_read,
    zone_of,
)
from rulesrun.interpreter.symmetry.symmetric_words import ENDS

MOST_PASSES = 50
OPEN = {None, "public"}
SEEN = {None, "public", "public top"}


@frozen
class Reason:
    """What decided that the game came here, and of which secrets it was made."""

    node: ast.Node = field(eq=id)
    sources: Sources


Reasons = tuple[Reason, ...]


@frozen
class Disclosure:
    """Somebody learns of `things` at this place. `how`: shown, value, points, condition, count, which, unknown.
    `because`: the condition by which the game came here, where that tells.
    """

    node: ast.Node = field(eq=id)
    how: str
    things: tuple[Thing, ...] = field(eq=lambda things: tuple(id(one) for one in things))
    because: ast.Node | None = field(default=None, eq=id)


@frozen(eq=False)
class Flows:
    """`open_writes`: the statements that always give a variable a value which everybody can work out."""

    contents: Contents
    disclosures: tuple[Disclosure, ...]
    open_writes: frozenset[int] = frozenset()


_flows: WeakKeyDictionary[Table, Flows] = WeakKeyDictionary()


def flows_of(table: Table) -> Flows:
    """Worked out once for a table."""
    found = _flows.get(table)
    if found is None:
        found = _flows[table] = followed(table)
    return found


def is_open(table: Table, reads: Iterable[Read], is_team: bool = False, bound: Collection[int] = ()) -> bool:
    """Whether the one who is asked knows all of it, or everybody does. `bound`: choices that are just being made."""
    return all(
        id(thing) in bound or not is_secret(table, thing, own, is_team)
        for part, own in reads for thing, own in things_read(table, part, own)
    )  # fmt: skip


def is_secret(table: Table, thing: Thing, own: bool, is_team: bool) -> bool:
    return is_hidden(table, flows_of(table).contents, thing, own, is_team)


def followed(table: Table) -> Flows:
    """Goes through the rules again and again until nothing more is learned of what values are made of."""
    unknown = first_unknown(table.program.game.declarations, KNOWS)
    if unknown is not None:
        return Flows(everything_secret(table), (Disclosure(unknown, "unknown", ()),))
    contents, shown, unchanged = Contents(), shown_at(table), unchanged_variables(table)
    for _ in range(MOST_PASSES):
        before = dict(contents.made_of), set(contents.told)
        following = TaintTracking(table, contents, shown, unchanged)
        following.go()
        if before == (contents.made_of, contents.told):
            open_writes = frozenset(following.open_writes - following.closed_writes)
            return Flows(contents, tuple(dict.fromkeys(following.found)), open_writes)
    return Flows(everything_secret(table), tuple(dict.fromkeys(following.found)))


def everything_secret(table: Table) -> Contents:
    variables = [*table.bench.of_class(ast.Variable), *table.bench.of_class(ast.Memory)]
    made_of = {id(one): frozenset({Source(one, False)}) for one in variables}
    return Contents(made_of, set(made_of))


@define(eq=False)
class TaintTracking:
    """Goes once through all statements that can be reached at the table."""

    table: Table
    contents: Contents
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

    def go(self) -> None:
        for piece in self.table.program.game.declarations:
            match piece:
                case ast.Setup(body=body):
                    self.body(body, ())
                case ast.Phase(when=when, loop=loop, body=body) if truth_of(self.table, when) is not False:
                    self.phase(piece, self.because(when, ()), loop, body)
                case ast.Action():
                    self.action(piece)
                case ast.Rounds(count=count, until=until):
                    for one in (count, until):
                        self.disclose_reasons(piece, self.because(one, ()))
                case ast.Score(when="round" | "told", lines=lines) if not self.is_at_the_end(piece):
                    for line in lines:
                        self.disclose(line, "points", self.sources(line.value, False))
                case _:
                    pass  # not carried out, or carried out from there; at the end there is nothing left to hide

    def action(self, action: ast.Action) -> None:
        """That it was chosen is not seen of a secret one, nor where all choose at once; what is done then says so."""
        is_together = id(action) in self._together
        is_own = all(one.name.text != "player" for one in action.choices)
        reasons = (Reason(action, frozenset({Source(action, is_own)})),) if action.secret or is_together else ()
        if is_together and not action.secret:
            self._said = {id(action), *(id(one) for one in action.choices)}
        self.body(action.body, reasons)
        self._said = set()

    def is_at_the_end(self, score: ast.Score) -> bool:
        """The sheet of the only round."""
        return score.when == "round" and has_one_round(self.table)

    def phase(
        self, phase: ast.Phase, reasons: Reasons, loop: ast.Turns | ast.Repeat | None, body: tuple[ast.Statement, ...]
    ) -> None:
        match loop:
            case ast.Turns():
                self.body(body, self.turns(loop, reasons))
            case ast.Repeat(times=times, until=until):
                self.body(body, self.because(until, self.because(times, reasons)))
            case None:
                self.body(body, reasons)
            case _:
                assert_never(loop)

    def turns(self, loop: ast.Turns, reasons: Reasons) -> Reasons:
        for one in (loop.start, loop.excluded, loop.skipping, loop.until):
            reasons = self.because(one, reasons)
        return of_others(reasons)

    # ---- what is read

    def sources(self, node: ast.Node | None, own: bool = True, but_for: Collection[int] = ()) -> Sources:
        """The secrets of which a value is made; `own` ones are known to `player`."""
        if node is None:
            return NONE
        found = set()
        for thing, is_own in things_read(self.table, node, own, but_for, self._mine):
            if is_hidden(self.table, self.contents, thing, False, False):
                knows = is_own and not is_hidden(self.table, self.contents, thing, True, False)
                found.add(Source(thing, knows))
        if self.table.players == 1:
            return frozenset(one for one in found if not one.own)
        return frozenset(found)

    def because(self, condition: ast.Expr | None, reasons: Reasons) -> Reasons:
        """One reason more: a condition that is made of secrets, but for what has just been shown."""
        shown = self.shown.get(id(condition), frozenset())
        found = frozenset(one for one in self.sources(condition) if not (one.own and id(one.thing) in shown))
        return (*reasons, Reason(condition, found)) if condition is not None and found else reasons

    # ---- what is told

    def disclose(self, node: ast.Node, how: str, sources: Iterable[Source], because: ast.Node | None = None) -> None:
        """To everybody."""
        told = sorted(self.unsaid(sources), key=lambda one: name_of(one.thing))
        things = {id(one.thing): one.thing for one in told}
        if things:
            self.found.append(Disclosure(node, how, tuple(things.values()), because))

    def disclose_reasons(self, node: ast.Node, reasons: Reasons) -> None:
        """That it comes to this tells of all that decided it; told once of each condition."""
        for reason in reasons:
            if id(reason.node) not in self._told:
                self._told.add(id(reason.node))
                self.disclose(node, "condition", reason.sources, reason.node)

    def unsaid(self, sources: Iterable[Source]) -> Sources:
        return frozenset(one for one in sources if id(one.thing) not in self._said)

    # ---- statements

    def body(self, body: Iterable[ast.Statement], reasons: Reasons) -> None:
        outside = self._mine
        for statement in body:
            self._mine = own_names(self.table)[id(statement)]
            self.statement(statement, reasons)
        self._mine = outside

    def statement(self, node: ast.Statement, reasons: Reasons) -> None:
        match node:
            case ast.Becomes(target=target, value=value) | ast.Increases(target=target, amount=value):
                self.write(node, target, self.sources(value), reasons)
            case ast.Roll(target=target, chances=chances):
                weighed = frozenset(source for one in chances for source in self.sources(one))
                self.write(node, target, self.chance(target) | weighed, reasons)
            case ast.Lots(target=target):
                self.write(node, target, self.chance(target), reasons)
            case ast.Shuffle(what=what, into=None) if zone_of(self.table, what) is None:
                self.write(node, what, self.chance(what), reasons)
            case ast.Shuffle() | ast.Deal() | ast.Move():
                self.disclose_reasons(node, reasons)
                self.moving(node)
            case ast.Show(what=what):
                self.found.append(Disclosure(node, "shown", ()))
                self.disclose_reasons(node, reasons)
            case ast.CountPoints():
                self.disclose_reasons(node, reasons)
            case ast.End():
                self.disclose_reasons(node, reasons)  # that it does not come to this tells as well
            case ast.Record(values=values, memory=memory):
                made_of = frozenset(one for value in values for one in self.sources(value, False))
                self.hold(self.table.bench.meaning(memory), made_of | all_of(reasons), False)
            case ast.Do(step=name):
                self.step(self.table.bench.meaning(name), reasons)
            case ast.Choose():
                self.choose(node, reasons)
            case ast.If() | ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat():
                self.flow(node, reasons)
            case _:
                assert_never(node)

    def flow(self, node: ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat, reasons: Reasons) -> None:
        match node:
            case ast.If():
                for branch in living_parts(self.table, node):
                    assert isinstance(branch, ast.Branch)
                    if truth_of(self.table, branch.condition) is None:
                        reasons = self.because(branch.condition, reasons)
                    self.body(branch.body, reasons)
            case ast.ForEach(each=each, order=order, body=body):
                if zone_of(self.table, each.collection) is None:
                    reasons = self.because(each.collection, reasons)
                elif which := self.where(each.collection):  # all see how many there are, if they know where
                    reasons = (*reasons, Reason(each.collection, which))
                self.body(body, self.in_order(order, each, reasons))
            case ast.EachPlayer(start=start, condition=condition, order=order, body=body):
                reasons = self.because(condition, self.because(start, reasons))
                self.body(body, of_others(self.because(order.key if order else None, reasons)))
            case ast.Turns(body=body):
                self.body(body, self.turns(node, reasons))
            case ast.Repeat(times=times, until=until, body=body):
                self.body(body, self.because(until, self.because(times, reasons)))
            case _:
                assert_never(node)

    def in_order(self, order: ast.Order | None, each: ast.Each, reasons: Reasons) -> Reasons:
        """By what the elements show themselves nothing more is told than by what is done with them."""
        if order is None:
            return reasons
        found = self.sources(order.key, but_for=(id(each),))
        return (*reasons, Reason(order.key, found)) if found else reasons

    def step(self, step: Meaning | None, reasons: Reasons) -> None:
        if isinstance(step, ast.Step) and (id(step), reasons) not in self._steps:
            self._steps.add((id(step), reasons))
            self.body(step.body, reasons)

    def choose(self, node: ast.Choose, reasons: Reasons) -> None:
        """Everybody sees who is asked."""
        for one in (node.condition, node.chooser):
            reasons = self.because(one, reasons)
        if node.otherwise is not None or node.if_possible:
            reasons = self.because_possible(node, reasons)
        if isinstance(node.otherwise, ast.End) and node.otherwise.what == "game":
            return  # who could not choose has come to the end; who could shows it by what is chosen
        self.disclose_reasons(node, reasons)
        if node.otherwise is not None:
            self.body((node.otherwise,), reasons)

    def because_possible(self, node: ast.Choose, reasons: Reasons) -> Reasons:
        """Whoever is passed over had nothing that could be done."""
        found: set[Source] = set()
        for name in node.actions:
            action = self.table.bench.meaning(name)
            if not isinstance(action, ast.Action) or not (action.choices or action.needs):
                return reasons  # this one can always be done
            bound = {id(choice) for choice in action.choices}
            lacking = self.all_it_needs(action) or parts_of_action(action)
            found |= {one for part in lacking for one in self.sources(part, True, bound)}
        return (*reasons, Reason(node, frozenset(found))) if found else reasons

    def all_it_needs(self, action: ast.Action) -> list[ast.Node]:
        """Where an action is legal of whatever lies there (a suit is followed if it can be): whether that is empty."""
        if len(action.choices) != 1 or action.choices[0].count is not None:
            return []
        place = self.taken_from(action.choices[0].domain)
        is_enough = zone_of(self.table, place) is not None and is_legal_of_any(self.table.bench, action)
        return [ast.IsEmpty(place, False, span=place.span)] if is_enough else []

    # ---- numbers and markers

    def chance(self, target: ast.Expr) -> Sources:
        """What chance brought is known where it can be seen."""
        variable = variable_of(self.table, target)
        if variable is None or variable.visibility in OPEN:
            return NONE
        return frozenset({Source(variable, variable.visibility == "private" and is_own_place(self.table, target))})

    def write(self, node: ast.Statement, target: ast.Expr, value: Sources, reasons: Reasons) -> None:
        variable, where = variable_of(self.table, target), self.where(target)
        is_worked_out = isinstance(node, ast.Becomes) and not (value or where or reasons)
        (self.open_writes if is_worked_out else self.closed_writes).add(id(node))
        if variable is None or variable.visibility in OPEN:  # `starter` is open, too
            self.disclose(node, "value", value | where)
            self.disclose_reasons(node, reasons)
            if variable is not None and self.unsaid(value | where | all_of(reasons)):
                self.contents.told.add(id(variable))
            return
        if id(variable) in self.unchanged:
            return
        is_own = variable.per_player and is_own_place(self.table, target)
        if variable.visibility == "private" and variable.per_player:
            self.tell_owner(node, value | where, reasons, is_own)
        self.hold(variable, value | where | all_of(reasons), is_own)

    def tell_owner(self, node: ast.Statement, value: Sources, reasons: Reasons, is_own: bool) -> None:
        """What one's own number is made of one knows, but for what one could not see."""
        self.disclose(node, "value", (one for one in value if is_news(one, is_own)))
        for reason in reasons:
            self.disclose(node, "condition", (one for one in reason.sources if is_news(one, is_own)), reason.node)

    def hold(self, thing: Meaning | None, sources: Sources, is_own: bool) -> None:
        assert isinstance(thing, ast.Variable | ast.Memory)
        if sources:
            self.contents.told.add(id(thing))
            held = frozenset(Source(one.thing, one.own and is_own) for one in sources)
            self.contents.made_of[id(thing)] = self.contents.made_of.get(id(thing), NONE) | held

    def where(self, target: ast.Expr) -> Sources:
        """Which of several places it is."""
        return frozenset(one for part, own in keys(self.table, target, True) for one in self.sources(part, own))

    # ---- components

    def moving(self, node: ast.Shuffle | ast.Deal | ast.Move) -> None:
        match node:
            case ast.Shuffle(into=None):
                pass
            case ast.Shuffle(what=what, into=into, all=is_all) if into is not None:
                self.disclose(node, "count", self.amount_of(what, is_all))
                self.disclose(node, "which", self.where(into))
            case ast.Deal():
                self.dealing(node)
            case ast.Move():
                self.put_down(node)
            case _:
                raise AssertionError(node)

    def dealing(self, node: ast.Deal) -> None:
        """How many come is seen by all, and by which condition they are chosen, where they can be seen."""
        count = self.sources(node.count)
        if node.up_to and node.condition is not None:
            count |= self.sources(node.origin) | self.sources(node.condition)
        self.disclose(node, "count", count)
        which = self.where(node.target) | self.where(node.origin)
        zone = zone_of(self.table, node.target)
        if node.condition is not None and zone is not None:
            picked = self.sources(node.condition)
            if zone.visibility in SEEN:
                which |= picked
            elif zone.visibility == "private":
                which |= frozenset(one for one in picked if is_news(one, is_own_place(self.table, node.target)))
        self.disclose(node, "which", which)

    def put_down(self, node: ast.Move) -> None:
        place = self.taken_from(node.what)
        target, origin = zone_of(self.table, node.target), zone_of(self.table, place)
        is_seen = any(one is not None and one.visibility in SEEN for one in (target, origin))
        named = self.named(node.what)
        lies_open = target is not None and target.visibility in OPEN
        self.disclose(node, "count", self.amount_of(node.what, node.all))
        which = self.where(node.target) if not lies_open else frozenset(
            one for part, own in keys(self.table, node.target, True) for one in self.sources(part, own, named)
        )
        if origin is not None:  # how many lie there is seen as well
            which |= self.where(place)
        choice = self.sort_of(node)
        if is_seen:
            which |= choice
        elif target is not None and target.visibility == "private":
            which |= {one for one in choice if is_news(one, is_own_place(self.table, node.target))}
        if origin is not None and origin.visibility == "private":  # its owner sees which one goes
            which |= {one for one in choice if not one.own and one.thing is not origin}
        self.disclose(node, "which", which)

    def named(self, what: ast.Expr) -> set[int]:
        """What is seen lying there afterwards."""
        meaning = self.table.bench.meaning(what) if isinstance(what, ast.Name) else None
        return {id(meaning)} if meaning is not None else set()

    def taken_from(self, what: ast.Expr) -> ast.Expr:
        """What the components that are meant lie in."""
        while True:
            match what:
                case ast.Best(each=each):
                    what = each.collection
                case ast.Filter(collection=inner) | ast.Item(collection=inner):
                    what = inner
                case ast.Of(subject=subject, owner=inner) if self.is_amount(subject) or self.is_end(what):
                    what = inner
                case _:
                    return what

    def is_end(self, what: ast.Expr) -> bool:
        return isinstance(what, ast.Of) and is_builtin(self.table, what.subject, ENDS)

    def amount_of(self, what: ast.Expr, is_all: bool) -> Sources:
        """What decides how many there are; of a whole place that is seen by all."""
        if is_all:
            return NONE if self.is_whole(what) else self.sources(what)
        if isinstance(what, ast.Of) and self.is_amount(what.subject):
            return self.sources(what.subject)
        several = isinstance(self.table.bench.type_of(what), CollectionOf)
        return self.sources(what) if several and not isinstance(what, ast.Name) else NONE

    def is_whole(self, what: ast.Expr) -> bool:
        meaning = self.table.bench.meaning(what) if isinstance(what, ast.Name) else None
        return zone_of(self.table, what) is not None or isinstance(meaning, AllOf | ast.Choice)

    def is_amount(self, node: ast.Expr) -> bool:
        if isinstance(node, ast.Number | ast.Arithmetic):
            return True
        return self.table.bench.bounds_of(node) is not None

    def sort_of(self, node: ast.Move) -> Sources:
        """What decides which one is moved: not the one that was chosen, or lies on top, or is gone through."""
        what, order = node.what, node.order
        found = self.sources(order.key) if order is not None and order_matters(self.table, node, order) else NONE
        place = self.taken_from(what)
        zone = zone_of(self.table, place)
        if zone is not None and zone.sort_key is not None and (isinstance(what, ast.Item) or self.is_end(what)):
            found |= self.sources(place)  # the least or the greatest
        if node.all or isinstance(what, ast.Name) or zone_of(self.table, what) is not None:
            return found
        if isinstance(what, ast.Of) and self.is_amount(what.subject):
            owner = what.owner
            inner = self.sources(owner.condition) if isinstance(owner, ast.Filter) else NONE
            return found | frozenset(one for one in inner if one.thing is not zone)
        if self.is_end(what):
            return found
        return found | self.sources(what.position if isinstance(what, ast.Item) else what)


def order_matters(table: Table, node: ast.Move, order: ast.Order) -> bool:
    """Cards that lie in an order which everybody sees tell only of what put them there besides themselves."""
    zone = zone_of(table, node.target)
    return zone is not None and zone.kind in {"pile", "row"} and zone.visibility in OPEN


def is_news(source: Source, is_own: bool) -> bool:
    """Whether the owner of a number did not know it: another's number is written, or a secret is another's."""
    return not (source.own and is_own)


def of_others(reasons: Reasons) -> Reasons:
    """Where somebody else is `player`, what was one's own is another's."""
    return tuple(
        Reason(one.node, frozenset(Source(source.thing, False) for source in one.sources)) for one in reasons
    )


def all_of(reasons: Reasons) -> Sources:
    return frozenset(source for one in reasons for source in one.sources)


def variable_of(table: Table, target: ast.Expr) -> ast.Variable | None:
    subject = target.subject if isinstance(target, ast.Of) else target
    name = subject.name if isinstance(subject, ast.Index) else subject
    meaning = table.bench.meaning(name) if isinstance(name, ast.Name) else None
    return meaning if isinstance(meaning, ast.Variable) else None


def unchanged_variables(table: Table) -> set[int]:
    """Those into which nothing ever comes but what stands there from the start."""
    changed = set()
    for node in statements(table):
        variable = variable_of(table, written_to(node))
        if variable is not None:
            start = table.blank[table.bench.variables[id(variable)].base]
            if not isinstance(node, ast.Becomes) or not is_constant(table, node.value, start):
                changed.add(id(variable))
    return {id(one) for one in table.bench.of_class(ast.Variable)} - changed


def name_of(thing: Thing) -> str:
    match thing:
        case ast.Deal(alias=alias):
            return alias.text if alias is not None else "what was drawn"
        case BuiltinMeaning(name=name):
            return name
        case ast.Zone() | ast.Variable() | ast.Memory() | ast.Choice() | ast.Action():
            return thing.name.text
        case _:
            assert_never(thing)


def statements(table: Table) -> Iterator[ast.Becomes | ast.Increases | ast.Roll | ast.Lots | ast.Shuffle]:
    for piece in table.program.game.declarations:
        for node in walk(piece):
            if isinstance(node, ast.Becomes | ast.Increases | ast.Roll | ast.Lots | ast.Shuffle):
                yield node


def written_to(node: ast.Becomes | ast.Increases | ast.Roll | ast.Lots | ast.Shuffle) -> ast.Expr:
    return node.what if isinstance(node, ast.Shuffle) else node.target


def is_constant(table: Table, value: ast.Expr, start: object) -> bool:
    known = table.bench.ready.get(id(value))
    return known is not None and known[1].is_constant and known[1].value == start
