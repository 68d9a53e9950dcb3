"""Seats that the rules treat alike, where all choose at once: takes a table, gives exchanges of seats, or none.

Nothing may name a seat, nobody may be asked out of turn, and what seats do one after the other must come to the
same in any order. Whatever is not known here to be the same for every seat counts as telling them apart. Where all
exchanges do not leave the rules as they are, all may still move on by as many seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import factorial

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.known_constructs import SINCE_EDITION_1
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model.places import zone_meant
from rulesrun.interpreter.model.values import PC, PLACES, SHEETS
from rulesrun.interpreter.play.position_keys import Positions
from rulesrun.interpreter.play.relevance import is_known, living_parts, truth_of
from rulesrun.interpreter.play.successors import Ways
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Relabelling
from rulesrun.interpreter.symmetry.canonical_terms import WrittenOut
from rulesrun.interpreter.symmetry.renaming import NotAlike, Renaming
from rulesrun.interpreter.symmetry.seat_effects import any_order, at_most_one
from rulesrun.interpreter.symmetry.seat_expressions import SeatWords, TellsApart
from rulesrun.interpreter.symmetry.value_maps import Each, EachSorted, Renamed, ReseatedSheets

SILENT = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Require | ast.Example | ast.Words | ast.Values
    | ast.Persona | ast.Define | ast.Table | ast.Small | ast.Fix | ast.Option
)
KNOWS = SINCE_EDITION_1
SEATS = "all seats: the rules treat them alike (proved)"
AROUND = "all seats, moved on by as many: the rules treat them alike (proved)"
ASKS = (ast.Choose, ast.Deal, ast.Roll, ast.Lots, ast.Turns, ast.Shuffle)


@frozen(eq=False)
class SeatExchanges:
    """All of them but for the one that changes nothing. `goes_with`: words and places may be exchanged as well."""

    members: list[Relabelling]
    says: str
    elsewhere: Mapping[int, list[Relabelling]] = field(factory=dict)  # by question, as in `Group`
    merges_deals: bool = False
    goes_with_others: bool = True
    begun_at: int | None = None  # the first question for which seats are merged, where the beginning names one


def orders_of(table: Table, around: bool) -> list[tuple[int, ...]]:
    """What each seat becomes, from place 1 on."""
    n = table.players
    if around:
        return [(0, *((seat - 1 + by) % n + 1 for seat in range(1, n + 1))) for by in range(1, n)]
    return [(0, *order) for order in permutations(range(1, n + 1))][1:]


def seats_at_once(table: Table, most: int) -> SeatExchanges | None:
    """None where a seat can be told from another."""
    if not is_known(table, KNOWS) or not all_choose_at_once(table):
        return None
    for around in (False, True):
        if table.players <= most if around else factorial(table.players) <= most:
            orders = orders_of(table, around)
            try:
                found = [reseated(table, order) for order in orders]
                SeatsAlike(table, SeatWords(table, kinds_moved(table, orders), around)).look()
            except (TellsApart, NotAlike, RecursionError):
                continue
            exchanges = SeatExchanges(found, AROUND if around else SEATS)
            return exchanges if leave_the_beginning(table, exchanges) else None
    return None


def leave_the_beginning(table: Table, found: SeatExchanges) -> bool:
    way = next(iter(Ways(table).begin()))
    if way.problem is not None:
        return False
    beginning = Positions(table).settled(way.S)[: len(table.blank)]
    members = found.elsewhere.get(beginning[PC], found.members)
    return all(one.of(beginning) == beginning for one in members)


def all_choose_at_once(table: Table) -> bool:
    """Then whose turn it is stands nowhere in a position."""
    for wait in table.waits.values():
        if isinstance(wait, TogetherWait):
            node = wait.node
            if not isinstance(node, ast.Choose) or node.condition or node.if_possible or node.otherwise:
                return False
        elif isinstance(wait, DecisionWait):
            return False
    return any(isinstance(wait, TogetherWait) for wait in table.waits.values())


def reseated(table: Table, seats: tuple[int, ...]) -> Relabelling:
    whole = Renaming(table, {}, seats).relabelling()
    changes = list(whole.changes)
    changes[SHEETS], changes[PLACES] = ReseatedSheets(seats), Each(EachSorted(Renamed(seats)))
    return Relabelling(whole.sources, tuple(changes))


def kinds_moved(table: Table, orders: list[tuple[int, ...]]) -> set[str]:
    """The kinds of components of which some belong to a seat."""
    found = set()
    for seats in orders:
        becomes = Renaming(table, {}, seats).kinds
        found |= {
            kinds.declaration.name.text for kinds in table.bench.kinds.values()
            if becomes[id(kinds)] != tuple(range(len(kinds)))
        }
    return found


@define(eq=False)
class SeatsAlike:
    """Goes through the rules; `is_alone`: `player` is a seat that is known there, and no one is asked; `is_turned`:
    it is known everywhere."""

    table: Table
    words: SeatWords
    is_alone: bool = False
    is_turned: bool = False
    steps: set[tuple[int, bool]] = field(factory=set)

    @property
    def asked(self) -> bool:
        return self.is_alone or self.is_turned

    def look(self) -> None:
        written = WrittenOut(self.table)
        for piece in self.table.program.game.declarations:
            match piece:
                case ast.Setup(each_round=False, body=body) if not any(
                    written.asks(node) for line in body for node in written.with_steps(line)
                ):
                    pass  # it is over before the first position: that one is looked at
                case ast.Setup(body=body):
                    self.lines(body)
                case ast.Phase(when=when, loop=loop, body=body):
                    self.phase(when, loop, body)
                case ast.Action():
                    self.action(piece)
                case ast.Step():
                    pass  # looked at where it is done
                case _ if not isinstance(piece, SILENT):
                    self.declaration(piece)

    def phase(self, when: ast.Expr | None, loop: ast.Turns | ast.Repeat | None, body: Sequence[ast.Statement]) -> None:
        self.condition(when)
        if loop is not None:
            self.repeat(loop)
        self.lines(body)

    def condition(self, node: ast.Expr | None) -> None:
        """What the options have settled asks nobody."""
        if truth_of(self.table, node) is None:
            self.words.plain(node, self.asked)

    def repeat(self, loop: ast.Statement) -> None:
        if not isinstance(loop, ast.Repeat):
            raise TellsApart("turns")
        self.words.plain(loop.times, self.asked)
        self.words.plain(loop.until, self.asked)

    def action(self, action: ast.Action) -> None:
        for choice in action.choices:
            self.choice(choice)
            self.words.of(choice.domain, True)
            if choice.count is not None:
                self.words.plain(choice.count.low, True)
                self.words.plain(choice.count.high, True)
        for one in action.needs:
            self.words.plain(one.condition, True)

    def choice(self, choice: ast.Choice) -> None:
        if choice.name.text == "player":
            raise TellsApart("a choice that is a seat")

    # ---- declarations

    def declaration(self, piece: ast.Declaration) -> None:
        match piece:
            case ast.Rounds(count, until, None):
                self.words.plain(count, self.asked)
                self.words.plain(until, self.asked)
            case ast.Components(attributes=attributes, rows=rows):
                for at, _ in ((at, one) for at, one in enumerate(attributes) if one.type is None):
                    for row in rows:
                        self.words.plain(row.cells[at], True)
            case ast.Zone(capacity=capacity, sort_key=sort_key):
                self.words.keys(piece, (), False)
                self.words.plain(capacity, False)
                if sort_key is not None and piece.component.text in self.words.moved:
                    raise TellsApart("components of a seat are sorted")
            case ast.Variable():
                self.variable(piece)
            case ast.Score(lines=lines):
                for line in lines:
                    self.words.plain(line.value, True)
            case ast.Ranking(criteria=criteria):
                for one in criteria:
                    self.words.plain(one.value, True)
                    self.words.plain(one.when, self.asked)
            case ast.Result(outcomes=outcomes):
                for outcome in outcomes:
                    self.words.plain(outcome.when, self.asked)
            case ast.Property(word=word, condition=condition) if word != "after" or self.is_turned:
                self.words.plain(condition, self.asked)
            case _:
                raise TellsApart("a declaration that is not known here")

    def variable(self, piece: ast.Variable) -> None:
        """A seat that stands there by itself is looked at in the beginning; it must not come again later."""
        self.words.keys(piece, (), False)
        if self.words.sort_written(piece.type) != "plain" and piece.reset is not None:
            raise TellsApart("a seat that comes again by itself")
        self.words.plain(piece.start, False)

    # ---- statements outside of what seats do one after the other

    def lines(self, body: Sequence[ast.Statement]) -> None:
        for line in body:
            self.line(line)

    def line(self, line: ast.Statement) -> None:
        match line:
            case ast.If():
                for branch in living_parts(self.table, line):
                    assert isinstance(branch, ast.Branch)
                    self.condition(branch.condition)
                    self.branch(branch)
            case ast.ForEach(each, order, body):
                if any(isinstance(node, (*ASKS, ast.Do)) for one in body for node in walk(one)):
                    raise TellsApart("somebody is asked on the way through something")
                self.words.plain(each.collection, self.asked)
                self.words.plain(order.key if order else None, self.asked)
                self.lines(body)
            case ast.Becomes() | ast.Increases() | ast.Move():
                self.words.change(line, self.asked)
            case ast.CountPoints() | ast.End():
                if self.is_alone:
                    raise TellsApart("more than effects")
            case _ if self.is_alone:
                raise TellsApart("somebody is asked while one seat is looked at")
            case _:
                self.at_the_table(line)

    def branch(self, branch: ast.Branch) -> None:
        """`if (count of players where …) = 1`: then only one of them is meant."""
        body = branch.body
        first = body[0] if body else None
        if isinstance(first, ast.EachPlayer) and not self.is_alone and at_most_one(self.words, branch.condition, first):
            self.words.plain(first.condition, True)
            evolve(self, is_alone=True).lines(first.body)
            body = body[1:]
        self.lines(body)

    def at_the_table(self, line: ast.Statement) -> None:
        match line:
            case ast.EachPlayer(None, condition, None, body):
                self.words.plain(condition, True)
                any_order(self.words, body, ())
            case ast.Repeat(body=body):
                self.repeat(line)
                self.lines(body)
            case ast.Do(step):
                self.step(self.table.bench.meaning(step))
            case ast.Choose(who="all", actions=names):
                self.effects([self.table.bench.meaning(name) for name in names])
            case ast.Shuffle(what, _, into):
                self.shared(into or what)
                self.words.plain(what, self.asked)
            case ast.Deal(each=False, target=target, origin=origin, count=count, condition=condition):
                self.shared(origin)
                self.shared(target)
                self.words.plain(count, self.asked)
                self.words.plain(condition, self.asked)
            case ast.Roll(target, chances):
                for one in (target, *chances):
                    self.words.plain(one, self.asked)
            case _:
                raise TellsApart("something that is not known to be the same for every seat")

    def step(self, step: object) -> None:
        if not isinstance(step, ast.Step):
            raise TellsApart("an unknown step")
        if (id(step), self.is_turned) not in self.steps:
            self.steps.add((id(step), self.is_turned))
            self.lines(step.body)

    def effects(self, actions: Sequence[object]) -> None:
        """Of all that were chosen at the same moment."""
        known = [one for one in actions if isinstance(one, ast.Action)]
        if len(known) < len(actions):
            raise TellsApart("an unknown action")
        choices = [choice for one in known for choice in one.choices]
        any_order(self.words, [line for one in known for line in one.body], choices)

    def shared(self, place: ast.Expr) -> None:
        """A zone of nobody, of components of nobody."""
        if zone_meant(self.table.bench, place) is None or self.words.sort(place) != "plain":
            raise TellsApart("components of a seat, or no zone")
        self.words.plain(place, self.asked)

