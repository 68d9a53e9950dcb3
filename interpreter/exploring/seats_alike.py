"""Seats that the rules treat alike, where all choose at once: takes a table, gives all exchanges of seats, or none.

Nothing may name a seat, nobody may be asked out of turn, and what seats do one after the other must come to the
same in any order. Whatever is not known here to be the same for every seat counts as telling them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.exploring.positions import Positions
from rulesrun.interpreter.exploring.relabelling import Relabelling
from rulesrun.interpreter.exploring.renaming import NotAlike, Renaming
from rulesrun.interpreter.exploring.seat_effects import any_order, at_most_one
from rulesrun.interpreter.exploring.seat_words import SeatWords, TellsApart
from rulesrun.interpreter.exploring.value_changes import Each, EachSorted, Renamed, ReseatedSheets
from rulesrun.interpreter.exploring.ways import Ways
from rulesrun.interpreter.exploring.written_out import WrittenOut
from rulesrun.interpreter.places import zone_meant
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.values import PLACES, SHEETS

SILENT = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Require | ast.Example | ast.Words | ast.Values
    | ast.Persona | ast.Define | ast.Table | ast.Small | ast.Fix
)
ASKS = (ast.Choose, ast.Deal, ast.Roll, ast.Lots, ast.Turns, ast.Shuffle)


def seats_alike(table: Table, most: int) -> list[Relabelling]:
    """All exchanges of seats but for the one that changes nothing; none where a seat can be told from another."""
    if table.players < 2 or factorial(table.players) > most or not all_choose_at_once(table):
        return []
    orders = list(permutations(range(1, table.players + 1)))[1:]
    try:
        found = [reseated(table, (0, *order)) for order in orders]
        moved = {name for order in orders for name in kinds_moved(table, (0, *order))}
        SeatsAlike(table, SeatWords(table, moved)).look()
    except (TellsApart, NotAlike, RecursionError):
        return []
    way = next(iter(Ways(table).begin()))
    if way.problem is not None:
        return []
    beginning = Positions(table).settled(way.S)[: len(table.blank)]
    return found if all(one.of(beginning) == beginning for one in found) else []


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


def kinds_moved(table: Table, seats: tuple[int, ...]) -> set[str]:
    """The kinds of components of which some belong to a seat."""
    becomes = Renaming(table, {}, seats).kinds
    return {
        kinds.declaration.name.text for kinds in table.bench.kinds.values()
        if becomes[id(kinds)] != tuple(range(len(kinds)))
    }


@define(eq=False)
class SeatsAlike:
    """Goes through the rules; `is_alone`: `player` is a seat that is known there, and no one is asked."""

    table: Table
    words: SeatWords
    is_alone: bool = False
    steps: set[int] = field(factory=set)

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
        self.words.plain(when, False)
        if loop is not None:
            self.repeat(loop)
        self.lines(body)

    def repeat(self, loop: ast.Statement) -> None:
        if not isinstance(loop, ast.Repeat):
            raise TellsApart("turns")
        self.words.plain(loop.times, False)
        self.words.plain(loop.until, False)

    def action(self, action: ast.Action) -> None:
        for choice in action.choices:
            if choice.name.text == "player":
                raise TellsApart("a choice that is a seat")
            self.words.of(choice.domain, True)
        for one in action.needs:
            self.words.plain(one.condition, True)

    # ---- declarations

    def declaration(self, piece: ast.Declaration) -> None:
        match piece:
            case ast.Rounds(count, until, None):
                self.words.plain(count, False)
                self.words.plain(until, False)
            case ast.Option(type=written):
                if self.words.sort_written(written) != "plain":
                    raise TellsApart("an option that names a seat")
            case ast.Components(attributes=attributes):
                if any(one.type is None for one in attributes):
                    raise TellsApart("rules on components")
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
                    self.words.plain(one.when, False)
            case ast.Result(outcomes=outcomes):
                for outcome in outcomes:
                    self.words.plain(outcome.when, False)
            case ast.Property(word=word, condition=condition) if word != "after":
                self.words.plain(condition, False)
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
            case ast.If(branches=branches):
                for branch in branches:
                    self.words.plain(branch.condition, self.is_alone)
                    self.branch(branch)
            case ast.ForEach(each, order, body):
                if any(isinstance(node, (*ASKS, ast.Do)) for one in body for node in walk(one)):
                    raise TellsApart("somebody is asked on the way through something")
                self.words.plain(each.collection, self.is_alone)
                self.words.plain(order.key if order else None, self.is_alone)
                self.lines(body)
            case ast.Becomes() | ast.Increases() | ast.Move():
                self.words.change(line, self.is_alone)
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
                self.words.plain(what, False)
            case ast.Deal(each=False, target=target, origin=origin, count=count, condition=condition):
                self.shared(origin)
                self.shared(target)
                self.words.plain(count, False)
                self.words.plain(condition, False)
            case ast.Roll(target, chances):
                for one in (target, *chances):
                    self.words.plain(one, False)
            case _:
                raise TellsApart("something that is not known to be the same for every seat")

    def step(self, step: object) -> None:
        if not isinstance(step, ast.Step):
            raise TellsApart("an unknown step")
        if id(step) not in self.steps:
            self.steps.add(id(step))
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
        self.words.plain(place, False)

