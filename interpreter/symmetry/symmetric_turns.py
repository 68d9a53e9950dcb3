"""Seats that the rules treat alike where they have turns: takes a table, gives exchanges of seats, or none.

`player` and `starter` are seats of a position like any other, so that the one who begins must have been drawn. Where
it matters who sits left of whom, all may only move on by as many seats. A deal to one hand after the other names the
seats while it goes on: in the middle of it what was dealt stays where it is.

It does not matter who is dealt to first from a pile of which nothing is known, to places that were all empty before:
lines are followed one after the other to know of such piles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import factorial

from attrs import define, evolve, field

from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.core import Assign, Current, Draw, DrawValue, Line, Operand, Record, Show, Statement
from rulesrun.interpreter.model.core_lowering import list_pieces, lower_statement
from rulesrun.interpreter.model.flow_decisions import is_over_before_questions
from rulesrun.interpreter.model.known_constructs import SETS, SINCE_EDITION_1, TEAMS
from rulesrun.interpreter.model.relevance import (
    constant_truth,
    find_memories_asked,
    has_only_known_constructs,
    live_branches,
    unjudged,
)
from rulesrun.interpreter.model.values import PLAYER, STARTER
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Relabelling, ValueMap
from rulesrun.interpreter.symmetry.renaming import NotAlike, has_unknown_slots_in_use
from rulesrun.interpreter.symmetry.seat_expressions import SeatExpressionCheck, TellsApart
from rulesrun.interpreter.symmetry.symmetric_seats import (
    AROUND,
    SEATS,
    SeatExchanges,
    SeatSymmetryCheck,
    find_moved_kinds,
    has_fixed_beginning,
    keeps_teams,
    make_seat_relabelling,
    seat_orders,
)

KNOWS = SINCE_EDITION_1 | TEAMS | SETS
HOLD_SEATS = {"turns": (0, 2, 3), "player before": (0,)}  # which registers of the flow are seats


def find_seats_in_turn(table: Table, most: int) -> SeatExchanges | None:
    """None where a seat can be told from another."""
    if (
        not has_only_known_constructs(table.bench, KNOWS)
        or not has_turns(table)
        or has_unknown_slots_in_use(table, seats=True)
    ):
        return None
    for around in (False, True):
        if (table.players if around else factorial(table.players)) > most or not keeps_teams(table, around):
            continue
        orders = seat_orders(table, around)
        try:
            rules = TurnSymmetryCheck(
                table, SeatExpressionCheck(table, find_moved_kinds(table, orders), around, True), is_turned=True
            )
            rules.check_rules()
            return make_seat_exchanges(rules, orders)
        except (TellsApart, NotAlike, RecursionError):
            continue
    return None


def has_turns(table: Table) -> bool:
    waits = table.waits.values()
    choices = [wait for wait in waits if isinstance(wait, DecisionWait)]
    return table.players > 1 and bool(choices) and not any(isinstance(wait, TogetherWait) for wait in choices)


# ---- the exchanges


def make_seat_exchanges(rules: TurnSymmetryCheck, orders: list[tuple[int, ...]]) -> SeatExchanges | None:
    table = rules.table
    members = [make_turn_relabelling(table, order) for order in orders]
    others = {pc: find_slots_that_stay(rules, pc) for pc in table.waits if pc < rules.begins_at or pc in rules.dealing}
    elsewhere = make_members_by_question(members, others)
    is_first_known = all(pc >= rules.known_from for pc in rules.dealing)
    found = SeatExchanges(
        members, AROUND if rules.words.around else SEATS, elsewhere, bool(rules.dealing),
        not rules.dealing or (is_first_known and (rules.words.around or table.players == 2)),
    )
    return found if has_fixed_beginning(table, found) else None


def make_turn_relabelling(table: Table, seats: tuple[int, ...]) -> Relabelling:
    """Who is `player`, who began, whose turn is next: they are seats, too."""
    one = make_seat_relabelling(table, seats)
    changes = list(one.changes)
    for slot in (PLAYER, STARTER, *seat_registers(table)):
        changes[slot] = ValueMap(seats)
    return Relabelling(one.sources, tuple(changes))


def seat_registers(table: Table) -> Iterator[int]:
    for _, what, slots in table.flow.registers:
        yield from (slots[at] for at in HOLD_SEATS.get(what, ()))


def find_slots_that_stay(rules: TurnSymmetryCheck, pc: int) -> tuple[int, ...]:
    """Before the first round nobody is `player`, nor `starter` before they are drawn; what is being dealt stays."""
    zone = rules.dealing.get(pc)
    dealt = range(zone.base, zone.base + zone.amount) if zone is not None else ()
    return (*(PLAYER,) * (pc < rules.begins_at), *(STARTER,) * (pc < rules.known_from), *dealt)


def make_members_by_question(
    members: list[Relabelling], others: Mapping[int, tuple[int, ...]]
) -> dict[int, list[Relabelling]]:
    """By question what the members do there: for those where the same stays, the same list."""
    made = {stays: [keep_slots(one, stays) for one in members] for stays in set(others.values())}
    return {pc: made[stays] for pc, stays in others.items()}


def keep_slots(one: Relabelling, slots: tuple[int, ...]) -> Relabelling:
    sources, changes = list(one.sources), list(one.changes)
    for slot in slots:
        sources[slot], changes[slot] = slot, None
    return Relabelling(tuple(sources), tuple(changes))


# ---- the rules


@define(eq=False)
class TurnSymmetryCheck(SeatSymmetryCheck):
    """`begins_at`: where the first round begins; `known_from`: where the one who begins has been drawn."""

    begins_at: int = 0
    known_from: int = 0
    dealing: dict[int, ZoneRoom] = field(factory=dict)  # by question: the zone that is dealt to, seat by seat
    memories: set[int] = field(factory=set)  # that `times` is asked of

    def check_rules(self) -> None:
        self.memories = find_memories_asked(self.table.bench, properties=False)
        self.begins_at = self.known_from = [one.kind for one in self.table.operations].index("round-begins")
        left_out = unjudged(self.table.bench)
        for piece in list_pieces(self.table.bench):
            match piece:
                case core.Setup(each_round=False, body=body):
                    self.check_first_setup(body)
                case core.Setup(body=body):
                    self.check_lines(body)
                case core.Phase(when=when, loop=loop, body=body):
                    self.check_phase(when, loop, body)
                case core.Action():
                    self.check_action(piece)
                    self.check_lines(piece.body)
                case core.Step() | core.Memory() | core.Define() | core.Table():
                    pass  # looked at where it is done; `times` is not known
                case _ if piece not in left_out:
                    self.check_declaration(piece)

    def check_first_setup(self, body: Sequence[Line]) -> None:
        """`player` means nobody there, and `starter` does once the one who begins was drawn."""
        if is_over_before_questions(self.table.flow, body):
            return  # it is over before the first position: that one is looked at
        words = evolve(self.words, knows_starter=False, known=set())
        setup = FirstSetupCheck(
            self.table, words, begins_at=self.begins_at, known_from=self.begins_at, memories=self.memories
        )
        setup.check_lines(list(flatten_lines(self.table, body)))
        if not words.knows_starter:
            raise TellsApart("the one who begins is not drawn")
        self.known_from, self.dealing = setup.known_from, {**self.dealing, **setup.dealing}

    # ---- declarations

    def check_declaration(self, piece: core.Declared) -> None:
        if isinstance(piece, core.Rounds) and piece.moves is not None:
            self.require_no_neighbours()
            piece = evolve(piece, moves=None)
        super().check_declaration(piece)

    def check_variable(self, piece: core.Variable) -> None:
        """A seat that comes again by itself must be the same for all: nothing, or what the rules say."""
        if piece.reset is None or self.words.sort_of_written_type(piece.type) == "plain":
            super().check_variable(piece)
            return
        self.words.check_keys(piece, (), False)
        if piece.start is not None:
            self.words.check_expression(piece.start, piece.per_player)
        is_nothing = piece.start is None and self.words.may_be_nothing(piece.type)
        if not is_nothing and (
            piece.start is None or self.words.sort_of_node(piece.start) not in {"player", "nothing"}
        ):
            raise TellsApart("a seat that comes again by itself")

    def check_choice(self, choice: core.Choice) -> None:
        """Whoever is chosen may be `player` inside."""

    # ---- statements

    def check_lines(self, body: Sequence[Line]) -> None:
        piles = MixedPiles(self.table)
        for line in body:
            done = lower_statement(self.table.bench, line)
            if isinstance(done, Draw) and done.is_each and not self.is_alone:
                self.check_deal(done, piles)
            else:
                self.check_line(line)
            piles.note_line(done)

    def check_deal(self, done: Draw, piles: MixedPiles) -> None:
        """To one place after the other; where these belong to seats, they are what changes last."""
        zone = done.target.room
        self.check_shared_zone(done.origin.node)
        self.words.check_plain(done.count, False)
        is_plain = not done.target.place.keys and done.target.place.owner is None
        if not is_plain or done.condition is not None:
            raise TellsApart("a deal that is not known here")
        if zone.declaration.per_player:
            if not piles.are_mixed_for(done, zone):
                raise TellsApart("a deal from a pile of which something may be known")
            if any(one.bound is not None for one in self.table.bench.properties):
                raise TellsApart("how long games go on is followed through deals")
            for pc, wait in self.table.waits.items():
                if wait.node is done.node:
                    self.dealing[pc] = zone

    def check_table_line(self, done: Statement) -> None:
        match done:
            case core.EachPlayer(_, start, condition, order, body) if start is not None:
                self.require_no_neighbours()
                self.check_seat(start)
                self.words.check_plain(condition, True)
                self.words.check_plain(order.key if order else None, True)
                evolve(self, is_alone=True).check_lines(body)
            case core.Turns(body=body):
                self.check_loop(done)
                self.check_lines(body)
            case DrawValue(place=place, what="lot"):
                self.check_seat(place.node)
            case core.Choose():
                self.check_choose(done)
            case Show(what=what, to=to):
                self.words.check_expression(what, self.is_player_known)
                if to is not None:
                    self.check_seat(to)
            case Record(memory=memory):
                if self.table.bench.memories[id(memory)] in self.memories:
                    raise TellsApart("positions are remembered")
            case _:
                super().check_table_line(done)

    def check_choose(self, line: core.Choose) -> None:
        """The actions are looked at by themselves."""
        if line.who == "all" or line.condition is not None:
            raise TellsApart("all choose at once")
        if line.chooser is not None:
            self.check_seat(line.chooser)
        if line.otherwise is not None:
            self.check_line(line.otherwise)

    def check_loop(self, loop: Statement) -> None:
        if not isinstance(loop, core.Turns):
            super().check_loop(loop)
            return
        self.check_next_turn(loop)
        self.check_seat(loop.start)
        if loop.excluded is not None:
            self.check_seat(loop.excluded)
        self.words.check_plain(loop.skipping, True)
        self.words.check_plain(loop.until, True)

    def check_next_turn(self, loop: core.Turns) -> None:
        if loop.following is None:
            self.require_no_neighbours()
        else:
            self.check_seat(loop.following)

    def require_no_neighbours(self) -> None:
        if not self.words.around and self.table.players > 2:
            raise TellsApart("one sits left of another")

    def check_seat(self, node: Operand) -> None:
        self.words.check_expression(node, self.is_player_known)
        if self.words.sort_of_node(node) != "player":
            raise TellsApart("a seat is named")


@define(eq=False)
class FirstSetupCheck(TurnSymmetryCheck):
    """What happens once, before the first round: nobody has a turn, nobody chooses."""

    depth: int = 0  # of lines inside of others

    def check_lines(self, body: Sequence[Line]) -> None:
        self.depth += 1
        super().check_lines(body)
        self.depth -= 1

    def check_choose(self, line: core.Choose) -> None:
        raise TellsApart("somebody chooses before anybody has begun")

    def check_loop(self, loop: Statement) -> None:
        raise TellsApart("something is repeated before anybody has begun")

    def check_line(self, line: Line) -> None:
        done = lower_statement(self.table.bench, line)
        is_start = isinstance(done, Assign | DrawValue) and isinstance(done.place, Current)
        if not is_start or self.words.knows_starter:
            super().check_line(line)
            return
        if self.depth > 1:
            raise TellsApart("the one who begins may be drawn or not")
        if isinstance(done, Assign):
            self.check_seat(done.value)
        self.words.knows_starter = True
        self.known_from = [one.node for one in self.table.operations].index(line) + 1


def flatten_lines(table: Table, body: Sequence[Line]) -> Iterator[Line]:
    """Line after line: steps are looked into, and what the options have settled."""
    for line in body:
        done = lower_statement(table.bench, line)
        branches = list(live_branches(table.bench, done.branches)) if isinstance(done, core.If) else []
        if isinstance(done, core.Do):
            yield from flatten_lines(table, done.step.body)
        elif isinstance(done, core.If) and all(is_branch_certain(table, one) for one in branches):
            for branch in branches:
                yield from flatten_lines(table, branch.body)
        else:
            yield line


def is_branch_certain(table: Table, branch: core.Branch) -> bool:
    """Of those that are left: the last one, or one that is known to hold."""
    return branch.condition is None or constant_truth(table.bench, branch.condition) is True


# ---- piles of which nothing is known: it does not matter who is dealt to first


@define(eq=False)
class MixedPiles:
    """`mixed`: by pile, the zones that something was dealt to since all was shuffled into it."""

    table: Table
    mixed: dict[int, set[int]] = field(factory=dict)

    def note_line(self, done: core.Statement) -> None:
        match done:
            case core.Mix(room=pile, added=core.TakeEverywhere(kinds=kinds, is_filtered=False)):
                self.mixed.clear()  # all of them, wherever they were
                if pile.kinds is kinds and pile.amount == 1:
                    self.mixed[id(pile.declaration)] = set()
            case core.Draw(target=core.Target(room=room)):
                if id(room.declaration) in self.mixed:
                    self.mixed.clear()
                else:
                    for dealt in self.mixed.values():
                        dealt.add(id(room.declaration))
            case core.Assign() | core.Adjust() | core.DrawValue() | core.Show() | core.Record():
                pass  # no component is moved
            case _:
                self.mixed.clear()

    def are_mixed_for(self, deal: core.Draw, target: ZoneRoom) -> bool:
        """To each place as many, from a pile that was shuffled with all that lay in these places."""
        pile = deal.room
        if pile.kinds is not target.kinds or deal.is_up_to or deal.alias is not None:
            return False
        known = self.table.bench.ready.get(id(deal.count))
        dealt = self.mixed.get(id(pile.declaration))
        is_sure = known is not None and known[1].is_constant
        return is_sure and dealt is not None and id(target.declaration) not in dealt
