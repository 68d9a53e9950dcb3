"""Seats that the rules treat alike, where all choose at once: takes a table, gives exchanges of seats, or none.

Nothing may name a seat, nobody may be asked out of turn, and what seats do one after the other must come to the
same in any order. Whatever is not known here to be the same for every seat counts as telling them apart. Where all
exchanges do not leave the rules as they are, all may still move on by as many seats.

What a seat changes when it comes to the same in any order must belong to the seat itself, and no other seat may look at
it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import factorial
from typing import Any, assert_never

from attrs import define, evolve, field, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import Adjust, Assign, Line, Move, Operand
from rulesrun.interpreter.model.core_lowering import list_operands_behind, list_pieces, lower_statement, walk_lines
from rulesrun.interpreter.model.flow_decisions import is_over_before_questions, may_ask_inside
from rulesrun.interpreter.model.instructions import Ask, AskTogether
from rulesrun.interpreter.model.known_constructs import SETS, SINCE_EDITION_1, TEAMS
from rulesrun.interpreter.model.places import find_zone
from rulesrun.interpreter.model.relevance import constant_truth, has_only_known_constructs, live_branches
from rulesrun.interpreter.model.values import PC, PLACES, SHEETS
from rulesrun.interpreter.play.position_keys import PositionKeys
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import EachMap, Relabelling, SheetMap, SortedMap, ValueMap
from rulesrun.interpreter.symmetry.renaming import NotAlike, PositionRenaming
from rulesrun.interpreter.symmetry.seat_expressions import (
    SeatExpressionCheck,
    TellsApart,
    collection_taken,
)

KNOWS = SINCE_EDITION_1 | TEAMS | SETS
SEATS = message("all seats are symmetric (proved)")
AROUND = message("all seats, moved on together, are symmetric (proved)")


@frozen(eq=False)
class SeatExchanges:
    """All but the one that changes nothing. `goes_with_others`: words and places may be exchanged as well."""

    members: list[Relabelling]
    says: str
    elsewhere: Mapping[int, list[Relabelling]] = field(factory=dict)  # by question, as in `SymmetryGroup`
    merges_deals: bool = False
    goes_with_others: bool = True
    begun_at: int | None = None  # the first question for which seats are merged, where the beginning names one


def seat_orders(table: Table, around: bool) -> list[tuple[int, ...]]:
    """What each seat becomes, from place 1 on."""
    n = table.players
    if around:
        return [(0, *((seat - 1 + by) % n + 1 for seat in range(1, n + 1))) for by in range(1, n)]
    return [(0, *order) for order in permutations(range(1, n + 1))][1:]


def keeps_teams(table: Table, around: bool) -> bool:
    """Whether partners stay partners in every order of the seats that is looked at."""
    n, teams = table.players, {frozenset(team) for team in table.bench.teams}
    if table.bench.team_size == 1:
        return True
    return around and all(frozenset(seat % n + 1 for seat in team) in teams for team in teams)


def find_seats_at_once(table: Table, most: int) -> SeatExchanges | None:
    """None where a seat can be told from another."""
    if not has_only_known_constructs(table.bench, KNOWS) or not all_choose_at_once(table):
        return None
    for around in (False, True):
        is_small = table.players <= most if around else factorial(table.players) <= most
        if is_small and keeps_teams(table, around):
            orders = seat_orders(table, around)
            try:
                found = [make_seat_relabelling(table, order) for order in orders]
                SeatSymmetryCheck(
                    table, SeatExpressionCheck(table, find_moved_kinds(table, orders), around)
                ).check_rules()
            except (TellsApart, NotAlike, RecursionError):
                continue
            exchanges = SeatExchanges(found, AROUND if around else SEATS)
            return exchanges if has_fixed_beginning(table, exchanges) else None
    return None


def has_fixed_beginning(table: Table, found: SeatExchanges) -> bool:
    way = next(iter(Successors(table).first_successors()))
    if way.problem is not None:
        return False
    beginning = PositionKeys(table).normalize_position(way.S)[: len(table.blank)]
    members = found.elsewhere.get(beginning[PC], found.members)
    return all(one.relabel(beginning) == beginning for one in members)


def all_choose_at_once(table: Table) -> bool:
    """Then whose turn it is stands nowhere in a position."""
    asked = [one for one in table.flow.instructions if isinstance(one, Ask | AskTogether)]
    return bool(asked) and all(isinstance(one, AskTogether) and is_everybody_asked(one) for one in asked)


def is_everybody_asked(one: AskTogether) -> bool:
    return one.condition is None and one.otherwise is None and not one.if_possible


def make_seat_relabelling(table: Table, seats: tuple[int, ...]) -> Relabelling:
    whole = PositionRenaming(table, {}, seats).make_relabelling()
    changes = list(whole.changes)
    changes[SHEETS], changes[PLACES] = SheetMap(seats), EachMap(SortedMap(ValueMap(seats)))
    return Relabelling(whole.sources, tuple(changes))


def find_moved_kinds(table: Table, orders: list[tuple[int, ...]]) -> set[str]:
    """The kinds of components of which some belong to a seat."""
    found = set()
    for seats in orders:
        becomes = PositionRenaming(table, {}, seats).kinds
        found |= {
            kinds.declaration.name.text for kinds in table.bench.kinds.values()
            if becomes[id(kinds)] != tuple(range(len(kinds)))
        }
    return found


@define(eq=False)
class SeatSymmetryCheck:
    """Goes through the rules; `is_alone`: `player` is a seat that is known there, and no one is asked; `is_turned`:
    it is known everywhere."""

    table: Table
    words: SeatExpressionCheck
    is_alone: bool = False
    is_turned: bool = False
    steps: set[tuple[int, bool]] = field(factory=set)

    @property
    def is_player_known(self) -> bool:
        return self.is_alone or self.is_turned

    def check_rules(self) -> None:
        for piece in list_pieces(self.table.bench):
            match piece:
                case core.Setup(each_round=False, body=body) if is_over_before_questions(self.table.flow, body):
                    pass  # it is over before the first position: that one is looked at
                case core.Setup(body=body):
                    self.check_lines(body)
                case core.Phase(when=when, loop=loop, body=body):
                    self.check_phase(when, loop, body)
                case core.Action():
                    self.check_action(piece)
                case core.Step() | core.Define() | core.Table():
                    pass  # looked at where it is done, or asked
                case _:
                    self.check_declaration(piece)

    def check_phase(self, when: core.Operand | None, loop: core.Line | None, body: Sequence[core.Line]) -> None:
        self.check_condition(when)
        if loop is not None:
            self.check_loop(lower_statement(self.table.bench, loop))
        self.check_lines(body)

    def check_condition(self, node: core.Operand | None) -> None:
        """What the options have settled asks nobody."""
        if constant_truth(self.table.bench, node) is None:
            self.words.check_plain(node, self.is_player_known)

    def check_loop(self, loop: core.Statement) -> None:
        if not isinstance(loop, core.Repeat):
            raise TellsApart("turns")
        self.words.check_plain(loop.times, self.is_player_known)
        self.words.check_plain(loop.until, self.is_player_known)

    def check_action(self, action: core.Action) -> None:
        for choice in action.choices:
            self.check_choice(choice)
            self.words.check_expression(choice.domain, True)
            if choice.count is not None:
                self.words.check_plain(choice.count.low, True)
                self.words.check_plain(choice.count.high, True)
        for one in action.needs:
            self.words.check_plain(one.condition, True)

    def check_choice(self, choice: core.Choice) -> None:
        if choice.name.text == "player":
            raise TellsApart("a choice that is a seat")

    # ---- declarations

    def check_declaration(self, piece: core.Declared) -> None:
        match piece:
            case core.Rounds(count, until, None):
                self.words.check_plain(count, self.is_player_known)
                self.words.check_plain(until, self.is_player_known)
            case core.Components(attributes=attributes, rows=rows):
                for at, _ in ((at, one) for at, one in enumerate(attributes) if one.type is None):
                    for row in rows:
                        self.words.check_plain(row.cells[at], True)
            case core.Zone(capacity=capacity, sort_key=sort_key):
                self.words.check_keys(piece, (), False)
                self.words.check_plain(capacity, False)
                if sort_key is not None and any(one.text in self.words.moved for one in piece.kinds):
                    raise TellsApart("components of a seat are sorted")
            case core.Variable():
                self.check_variable(piece)
            case core.Score(lines=lines):
                for line in lines:
                    self.words.check_plain(line.value, True)
            case core.Ranking(criteria=criteria):
                for one in criteria:
                    self.words.check_plain(one.value, True)
                    self.words.check_plain(one.when, self.is_player_known)
            case core.Result(outcomes=outcomes):
                for outcome in outcomes:
                    self.words.check_plain(outcome.when, self.is_player_known)
            case core.Property(word=word, condition=condition) if word != "after" or self.is_turned:
                self.words.check_plain(condition, self.is_player_known)
            case _:
                raise TellsApart("a declaration that is not known here")  # also a memory, a step of so many seats

    def check_variable(self, piece: core.Variable) -> None:
        """A seat that stands there by itself is looked at in the beginning; it must not come again later."""
        self.words.check_keys(piece, (), False)
        if self.words.sort_of_written_type(piece.type) != "plain" and piece.reset is not None:
            raise TellsApart("a seat that comes again by itself")
        self.words.check_plain(piece.start, False)

    # ---- statements outside of what seats do one after the other

    def check_lines(self, body: Sequence[core.Line]) -> None:
        for line in body:
            self.check_line(line)

    def check_line(self, line: core.Line) -> None:
        done = lower_statement(self.table.bench, line)
        match done:
            case core.If(_, branches):
                for branch in live_branches(self.table.bench, branches):
                    self.check_condition(branch.condition)
                    self.check_branch(branch)
            case core.ForEach(each=each, order=order, body=body):
                if may_ask_inside(self.table.flow, body):
                    raise TellsApart("somebody is asked on the way through something")
                self.words.check_plain(each.collection, self.is_player_known)
                self.words.check_plain(order.key if order else None, self.is_player_known)
                self.check_lines(body)
            case core.Assign() | core.Adjust() | core.Move():
                self.words.check_change(done, self.is_player_known)
            case core.CountPoints() | core.End():
                if self.is_alone:
                    raise TellsApart("more than effects")
            case _ if self.is_alone:
                raise TellsApart("somebody is asked while one seat is looked at")
            case _:
                self.check_table_line(done)

    def check_branch(self, branch: core.Branch) -> None:
        """`if (count of players where …) = 1`: then only one of them is meant."""
        body = branch.body
        first = lower_statement(self.table.bench, body[0]) if body else None
        if (
            isinstance(first, core.EachPlayer)
            and not self.is_alone
            and is_loop_for_one(self.words, branch.condition, first)
        ):
            self.words.check_plain(first.condition, True)
            evolve(self, is_alone=True).check_lines(first.body)
            body = body[1:]
        self.check_lines(body)

    def check_table_line(self, done: core.Statement) -> None:
        match done:
            case core.EachPlayer(_, None, condition, None, body):
                self.words.check_plain(condition, True)
                check_any_order(self.words, body, ())
            case core.Repeat(body=body):
                self.check_loop(done)
                self.check_lines(body)
            case core.Do(_, step):
                self.check_step(step)
            case core.Choose(who="all", actions=actions):
                self.check_effects(actions)
            case core.Mix(place=place, added=added):
                self.check_shared_zone(place.node)
                self.words.check_plain(added.what if added is not None else None, self.is_player_known)
            case core.Draw(is_each=False, target=target, origin=origin, count=count, condition=condition):
                self.check_shared_zone(origin.node)
                self.check_shared_zone(target.place.node)
                self.words.check_plain(count, self.is_player_known)
                self.words.check_plain(condition, self.is_player_known)
            case core.DrawValue(place=place, what="roll", chances=chances):
                for one in (place.node, *chances):
                    self.words.check_plain(one, self.is_player_known)
            case _:
                raise TellsApart("something that is not known to be the same for every seat")

    def check_step(self, step: core.Step) -> None:
        if (id(step), self.is_turned) not in self.steps:
            self.steps.add((id(step), self.is_turned))
            self.check_lines(step.body)

    def check_effects(self, actions: Sequence[core.Action]) -> None:
        """Of all that were chosen at the same moment."""
        choices = [choice for one in actions for choice in one.choices]
        check_any_order(self.words, [line for one in actions for line in one.body], choices)

    def check_shared_zone(self, place: core.Operand) -> None:
        """A zone of nobody, of components of nobody."""
        if find_zone(self.table.bench, place) is None or self.words.sort_of_node(place) != "plain":
            raise TellsApart("components of a seat, or no zone")
        self.words.check_plain(place, self.is_player_known)


# ---- what seats do one after the other


Rooms = set[int]  # by zone or variable


def check_any_order(words: SeatExpressionCheck, lines: Sequence[Line], choices: Sequence[core.Choice]) -> None:
    changes = tuple(find_changing_lines(words, lines))
    changed = {
        id(require_own_room(words, place)) for one in changes for place in find_changed_places(words, one, choices)
    }
    for change in changes:
        words.check_change(change, True)
    for done in walk_lines(words.table.bench, lines):
        for one in core.list_operands_of(done):
            check_reads_own(words, one, changed)


def find_changing_lines(words: SeatExpressionCheck, lines: Sequence[Line]) -> Iterator[Assign | Adjust | Move]:
    for line in lines:
        done = lower_statement(words.table.bench, line)
        match done:
            case core.If(_, branches):
                for branch in live_branches(words.table.bench, branches):
                    if constant_truth(words.table.bench, branch.condition) is None:
                        words.check_plain(branch.condition, True)
                    yield from find_changing_lines(words, branch.body)
            case Assign() | Adjust() | Move():
                yield done
            case _:
                raise TellsApart("seats do something one after the other that is not known here")


def find_changed_places(
    words: SeatExpressionCheck, done: Assign | Adjust | Move, choices: Sequence[core.Choice]
) -> Iterator[Operand]:
    match done:
        case Assign(place=place) | Adjust(place=place):
            yield place.node
        case Move(transfers=transfers):
            for transfer in transfers:
                yield transfer.target.place.node
                yield find_source_place(words, collection_taken(transfer.taken), choices)
        case _:
            assert_never(done)


def find_source_place(words: SeatExpressionCheck, what: Operand, choices: Sequence[core.Choice]) -> Operand:
    """Where that which is moved comes from."""
    while isinstance(asked := words.lower(what), core.Filter):
        what = asked.collection
    chosen = asked.binder if isinstance(asked, core.Register) else None
    if isinstance(chosen, core.Choice) and any(one is chosen for one in choices):
        return find_source_place(words, chosen.domain, ())
    return what


def require_own_room(words: SeatExpressionCheck, place: Operand) -> core.Zone | core.Variable:
    """The zone or variable; `player` has one of them, and it is that one."""
    asked = words.lower(place)
    if not isinstance(asked, core.Contents) or asked.owner is not None or not asked.room.declaration.per_player:
        raise TellsApart("seats change one after the other what belongs to all of them")
    return asked.room.declaration


def check_reads_own(words: SeatExpressionCheck, node: Operand, changed: Rooms) -> None:
    """What is changed may be looked at where it belongs to `player`, through definitions as well."""
    asked = words.lower(node)
    match asked:
        case core.Contents(owner=core.Operand() as owner) if is_of_another(words, owner):
            check_none_of(words, asked, changed)
        case core.ForPlayer(subject=subject, owner=owner) if is_of_another(words, owner):
            check_reads_none(words, subject, changed)
        case _:
            pass  # `check_expression` has refused what is not known; another seat is spoken of in no other way
    for part in list_parts(words, asked):
        check_reads_own(words, part, changed)


def is_of_another(words: SeatExpressionCheck, owner: Operand) -> bool:
    """Of a seat, and that is not said to be `player`."""
    return words.sort_of_node(owner) == "player" and not words.table.bench.is_word(owner, "player")


def check_reads_none(words: SeatExpressionCheck, node: Operand, changed: Rooms) -> None:
    asked = words.lower(node)
    check_none_of(words, asked, changed)
    for part in list_parts(words, asked):
        check_reads_none(words, part, changed)


def check_none_of(words: SeatExpressionCheck, asked: core.Core, changed: Rooms) -> None:
    if isinstance(asked, core.Contents):
        if id(asked.room.declaration) in changed:
            raise TellsApart("a seat looks at what another one has just changed")
        for key in asked.keys:
            check_reads_none(words, key, changed)


def list_parts(words: SeatExpressionCheck, asked: core.Core) -> list[Operand]:
    """What it is worked out from, and what it stands for."""
    is_line = isinstance(asked, core.Definition) and isinstance(asked.meaning, core.ScoreLine)
    if is_line or isinstance(asked, core.Points | core.Standing):
        raise TellsApart("seats look at points")
    return [*core.list_operands(asked), *list_operands_behind(words.table.bench, asked)]


# ---- a loop for one of them


def is_loop_for_one(words: SeatExpressionCheck, condition: Operand | None, loop: core.EachPlayer) -> bool:
    """`if (count of players where A of it = B) = 1`, then `each player where A = B`."""
    held = find_only_condition(words, condition) if condition is not None else None
    if loop.start is not None or loop.order is not None or held is None or loop.condition is None:
        return False
    one, other = comparison_key(words, held, True), comparison_key(words, loop.condition, False)
    return one is not None and one == other


def find_only_condition(words: SeatExpressionCheck, condition: Operand) -> Operand | None:
    """What it says of one player alone; None: it says something else."""
    match words.lower(condition):
        case core.Compare(_, "=", counted, number):
            count, one = words.lower(counted), words.lower(number)
        case _:
            return None
    match count, one:
        case core.Count(_, collection), core.Constant(_, 1, None):
            several = words.lower(collection)
        case _:
            return None
    is_of_all = isinstance(several, core.Filter) and words.table.bench.is_word(several.collection, "players")
    return several.condition if is_of_all and isinstance(several, core.Filter) else None


def comparison_key(words: SeatExpressionCheck, node: Operand, by_it: bool) -> tuple[Any, ...] | None:
    """A comparison of names, those of the seat that is meant apart from those of nobody; None: not understood."""
    asked = words.lower(node)
    if not isinstance(asked, core.Compare):
        return None
    sides = (side_key(words, asked.left, by_it), side_key(words, asked.right, by_it))
    return None if None in sides else (asked.operator, *sides)


def side_key(words: SeatExpressionCheck, node: Operand, by_it: bool) -> tuple[Any, ...] | None:
    asked = words.lower(node)
    if isinstance(asked, core.Constant) and asked.meaning is None and type(asked.value) is int:
        return ("number", asked.value)
    if by_it and (own := find_own_of_it(words, asked)) is not None:
        return ("own", own)
    named = find_named(asked, None)
    if named is None:
        return None
    is_of_nobody = is_known_of_nobody(words, node)
    kind = "own" if not by_it and not is_of_nobody else "shared"
    return (kind, named) if kind == "own" or is_of_nobody else None


def find_own_of_it(words: SeatExpressionCheck, asked: core.Core) -> int | None:
    """What is asked of `it`, by identity."""
    match asked:
        case core.Contents(owner=core.Operand() as owner) if is_it(words, owner):
            return find_named(asked, owner)
        case core.ForPlayer(subject=subject, owner=owner) if is_it(words, owner):
            return find_named(words.lower(subject), None)
        case _:
            return None


def is_it(words: SeatExpressionCheck, owner: Operand) -> bool:
    return isinstance(words.lower(owner), core.Element)


def find_named(asked: core.Core, owner: Operand | None) -> int | None:
    """A zone, a number, a definition or an option by its name alone, by identity."""
    match asked:
        case core.Contents(_, room, (), whose) if whose is owner:
            return id(room.declaration)
        case core.Definition(_, core.Define() as meaning, ()):
            return id(meaning)
        case core.Constant(_, _, core.Option() as meaning):
            return id(meaning)
        case _:
            return None


def is_known_of_nobody(words: SeatExpressionCheck, node: Operand) -> bool:
    try:
        words.check_expression(node, False)
    except TellsApart:
        return False
    return True
