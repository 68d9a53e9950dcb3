"""Everything that the rules of a table are proved to treat alike: takes a table, gives the group of its symmetries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, evolve

from rulesrun.dsl.contents.written_values import kind_of_values
from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core import End, Line, Operand, Statement
from rulesrun.interpreter.model.core_lowering import list_pieces, lower_statement, lower_statements
from rulesrun.interpreter.model.known_constructs import SETS, SINCE_EDITION_1, TEAMS
from rulesrun.interpreter.model.relevance import find_memories_asked, has_one_round, has_only_known_constructs, unjudged
from rulesrun.interpreter.model.values import PLAYER, STARTER
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.canonical_positions import Relabelling, SymmetryGroup, map_distinct_members
from rulesrun.interpreter.symmetry.renaming import MOST_MEMBERS, NotAlike, find_word_group, has_unknown_slots_in_use
from rulesrun.interpreter.symmetry.seat_expressions import SeatExpressionCheck, TellsApart
from rulesrun.interpreter.symmetry.symmetric_places import (
    PlaceExchange,
    close_exchanges,
    find_symmetric_places,
    list_rooms,
)
from rulesrun.interpreter.symmetry.symmetric_seats import (
    SeatExchanges,
    find_moved_kinds,
    find_seats_at_once,
    keeps_teams,
    seat_orders,
)
from rulesrun.interpreter.symmetry.symmetric_turns import (
    TurnSymmetryCheck,
    find_seats_in_turn,
    find_slots_that_stay,
    has_turns,
    make_members_by_question,
    make_turn_relabelling,
)

# ---- symmetric openings
# Seats that are alike once a game has begun, though the beginning names one: takes a table, gives exchanges, or none.
#
# What happens once, before the first turns, may name seats: `turns from 1`. Of what comes after, all may move on by as
# many seats. `player` is a seat while somebody has a turn; outside of turns, and `starter` everywhere, it is what the
# beginning has left there, and nobody may ask for it. Not every position that is like one that is reached is reached,
# too: see `reached`.


BEGUN = message("all seats, moved on together, are symmetric once the game has begun (proved)")
KNOWS = SINCE_EDITION_1 | TEAMS | SETS
KEEPS_PLAYER = {"turns": 3, "player before": 0}  # which of the registers of the flow holds who was `player` before


def find_seats_once_begun(table: Table, most: int) -> SeatExchanges | None:
    """None where a seat can be told from another."""
    if not has_only_known_constructs(table.bench, KNOWS) or table.players > most or not keeps_teams(table, around=True):
        return None
    if not has_turns(table) or has_unknown_slots_in_use(table, seats=True) or not has_one_round(table.bench):
        return None
    first = next((one for one in table.bench.phases if loop_of(table, one) is not None), None)
    orders = seat_orders(table, around=True)
    try:
        rules = BegunSymmetryCheck(
            table, SeatExpressionCheck(table, find_moved_kinds(table, orders), around=True), first=first
        )
        rules.check_rules()
        return make_seat_exchanges(rules, [make_turn_relabelling(table, order) for order in orders])
    except (TellsApart, NotAlike, RecursionError):
        return None


def loop_of(table: Table, phase: core.Phase) -> core.Turns | None:
    """The turns of which it is made."""
    done = lower_statement(table.bench, phase.loop) if phase.loop is not None else None
    return done if isinstance(done, core.Turns) else None


# ---- the exchanges


def make_seat_exchanges(rules: BegunSymmetryCheck, members: list[Relabelling]) -> SeatExchanges:
    everything = tuple(range(len(rules.table.blank)))
    others = {
        pc: everything
        if pc < rules.begins_at
        else (STARTER, *find_player_slots_left(rules, pc), *find_slots_that_stay(rules, pc))
        for pc in rules.table.waits
    }
    is_dealing = any(pc >= rules.begins_at for pc in rules.dealing)
    return SeatExchanges(members, BEGUN, make_members_by_question(members, others), is_dealing, False, rules.begins_at)


def find_player_slots_left(rules: BegunSymmetryCheck, pc: int) -> Iterator[int]:
    """Where somebody is kept who was `player` outside of all turns; and `player`, where it is nobody's turn."""
    here = [
        (first, last, slots[KEEPS_PLAYER[what]])
        for _, what, slots in rules.table.flow.registers if what in KEEPS_PLAYER
        for first, last in rules.table.lives.get(slots[0], []) if first <= pc < last
    ]
    if not here and not rules.ends_in_turns:
        yield PLAYER
    for first, last, slot in here:
        if not any(one <= first and last <= other and (one, other) != (first, last) for one, other, _ in here):
            yield slot


# ---- the rules


@define(eq=False)
class BegunSymmetryCheck(TurnSymmetryCheck):
    """`first`: the phase whose turns begin what is looked at. `is_turned`: somebody has a turn."""

    first: core.Phase | None = None
    ends_in_turns: bool = False  # always; else never

    def check_rules(self) -> None:
        first = self.first
        if first is None:
            raise TellsApart("no phase has turns")
        starts = (at for at, one in enumerate(self.table.operations) if one.node is first.loop)
        self.begins_at = next(at for at in starts if self.table.operations[at].kind == "turns-begin") + 1
        self.memories = find_memories_asked(self.table.bench, properties=False)
        self.ends_in_turns = self.has_endless_turns(first)
        left_out, has_begun = unjudged(self.table.bench), False
        for piece in list_pieces(self.table.bench):
            match piece:
                case core.Phase(when=when, loop=loop, body=body) if has_begun or piece is first:
                    has_begun = True
                    self.check_phase(when if piece is not first else None, loop, body)
                case core.Action():
                    inside = evolve(self, is_turned=True)
                    inside.check_action(piece)
                    inside.check_lines(piece.body)
                case core.Setup() | core.Phase() | core.Step() | core.Memory() | core.Rounds():
                    pass  # over before it begins, or looked at where it is done
                case core.Define() | core.Table():
                    pass  # looked at where it is asked
                case _ if piece not in left_out:
                    self.check_declaration(piece)

    def has_endless_turns(self, first: core.Phase) -> bool:
        """Turns that only the end of the game ends."""
        loop = loop_of(self.table, first)
        assert loop is not None
        ends = {one.what for one in lower_statements(self.table.bench) if isinstance(one, End)}
        is_endless = not loop.is_once and loop.until is None and loop.skipping is None
        return is_endless and not ends & {"phase", "round"}

    def check_declaration(self, piece: core.Declared) -> None:
        is_after = isinstance(piece, core.Property) and piece.word == "after"
        super(BegunSymmetryCheck, evolve(self, is_turned=True) if is_after else self).check_declaration(piece)

    def check_variable(self, piece: core.Variable) -> None:
        """What stands there from the start belongs to the beginning."""
        if piece.reset == "turn":
            super().check_variable(piece)
        self.words.check_keys(piece, (), False)
        self.words.sort_of_written_type(piece.type)

    def check_phase(self, when: Operand | None, loop: Line | None, body: Sequence[Line]) -> None:
        self.check_condition(when)
        turns = lower_statement(self.table.bench, loop) if loop is not None else None
        if isinstance(turns, core.Turns):
            self.check_turns(turns, body, begins=self.first is not None and loop is self.first.loop)
        else:
            super().check_phase(None, loop, body)

    def check_turns(self, loop: core.Turns, body: Sequence[Line], begins: bool = False) -> None:
        evolve(self, is_turned=True).check_next_turn(loop)
        if not begins:
            self.check_seat(loop.start)
        if loop.excluded is not None and not begins:
            self.check_seat(loop.excluded)
        self.words.check_plain(loop.skipping, True)
        self.words.check_plain(loop.until, True)
        evolve(self, is_turned=True).check_lines(body)

    def check_line(self, line: Line) -> None:
        """Nobody may leave all turns but by their end, for then `player` would be somebody."""
        done = lower_statement(self.table.bench, line)
        leaves = isinstance(done, End) and done.what in {"round", "game"}
        if leaves and self.is_turned and not self.ends_in_turns:
            raise TellsApart("the game ends in the middle of a turn, or not")
        super().check_line(line)

    def check_table_line(self, done: Statement) -> None:
        if isinstance(done, core.Turns):
            if not self.is_turned:
                raise TellsApart("turns inside of a phase that has none")
            self.check_turns(done, done.body)
        else:
            super().check_table_line(done)

    def check_choose(self, line: core.Choose) -> None:
        if not self.is_turned:
            raise TellsApart("somebody chooses out of turn")
        super().check_choose(line)


# ---- symmetries


def find_symmetry_group(table: Table, most: int = MOST_MEMBERS) -> SymmetryGroup:
    """Words, places and seats. No more than `most` in all; none where it is remembered which of equal ones is meant."""
    if table.bench.following.is_used:
        return SymmetryGroup(table, ())
    found = find_word_and_place_group(table, most)
    room = most // (len(found.members) + 1)
    seats = find_seats_at_once(table, room) or find_seats_in_turn(table, room) or find_seats_once_begun(table, room)
    if seats is None or (found.members and not seats.goes_with_others):
        return found
    whole = extend_group(found, seats.members, seats.says)
    whole.elsewhere = map_distinct_members(seats.elsewhere, lambda those: compose_all(found.members, those))
    whole.merges_deals, whole.unless_fault = seats.merges_deals, found
    if seats.begun_at is not None:
        whole.begun_at, whole.shifts = seats.begun_at, tuple(range(table.players))
    return whole


def find_word_and_place_group(table: Table, most: int) -> SymmetryGroup:
    """Words and places; where words are what places are called by, whichever gives more."""
    words = find_word_group(table, most)
    if has_unknown_slots_in_use(table, seats=False):
        return words
    moved = {slot for one in words.members for slot, source in enumerate(one.sources) if slot != source}
    taken = {room.base for room in list_rooms(table) if not moved.isdisjoint(range(room.base, room.base + room.amount))}
    first = add_place_exchanges(
        words, *close_exchanges(find_symmetric_places(table, taken), most // (len(words.members) + 1))
    )
    if not taken:
        return first
    proved, places = close_exchanges(find_symmetric_places(table), most)
    others = find_word_group(table, most // (len(places) + 1), find_words_of_places(table, proved))
    second = add_place_exchanges(others, proved, places)
    return second if len(second.members) > len(first.members) else first


def find_words_of_places(table: Table, proved: tuple[PlaceExchange, ...]) -> set[str]:
    """The words by which the places are called."""
    moved = {room for one in proved for room in one.places}
    rooms = (room for room in list_rooms(table) if id(room.declaration) in moved)
    return {kind_of_values(key) for room in rooms for key in room.declaration.keys}


def add_place_exchanges(
    words: SymmetryGroup, proved: tuple[PlaceExchange, ...], places: list[Relabelling]
) -> SymmetryGroup:
    """All ways to do one and the other; they do not get in each other's way."""
    if not places:
        return words
    exchanges = join_messages([one.says for one in proved], "; ")
    return extend_group(
        words, places, message("{exchanges} (proved: the rules stay the same)", exchanges=exchanges)
    )


def extend_group(group: SymmetryGroup, others: list[Relabelling], says: str) -> SymmetryGroup:
    return SymmetryGroup(group.table, compose_all(group.members, others), (*group.said, says))


def compose_all(members: Sequence[Relabelling], others: Sequence[Relabelling]) -> list[Relabelling]:
    return [*members, *others, *(one.compose_with(other) for one in members for other in others)]
