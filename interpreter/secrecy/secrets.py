"""What an expression reads that not everybody sees. Takes a table and expressions, gives the things they look at.

What some see and others do not is a secret. Of a place that is only counted the content is not looked at. What nobody
sees is known when all else of its kind lies open. What a hidden number or marker holds is known when everything that
ever came into it was.

Inside `each player`, inside turns, in an action that says who is `player`, somebody else is spoken of: of what has a
name (elements of loops, what was drawn, what was chosen) what was one's own outside is another's there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import assert_never
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench, ZoneRoom
from rulesrun.interpreter.model.core import Mix, Move, Operand, Statement, TakeEverywhere, Taken
from rulesrun.interpreter.model.core_lowering import (
    find_operation,
    list_operands_behind,
    list_pieces,
    lower_statement,
    lower_statements,
    walk_dependencies,
    walk_lines,
)
from rulesrun.interpreter.model.instructions import AskTogether
from rulesrun.interpreter.model.known_constructs import (
    BOARDS,
    MIXED_KINDS,
    SEEN_BY_SOME,
    SETS,
    SINCE_EDITION_1,
    TEAMS,
)
from rulesrun.interpreter.model.relevance import constant_truth
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import Table

KNOWS = SINCE_EDITION_1 | BOARDS | SEEN_BY_SOME | MIXED_KINDS | TEAMS | SETS
Thing = core.Zone | core.Variable | core.Memory | core.Deal | core.Choice | core.Action | BuiltinMeaning
Read = tuple[Operand, bool]  # what is looked at, and whether for the one who is `player`
Waiting = tuple[Operand, bool, frozenset[int]]  # and which choices are only tried there
OF_A_PLAYER = core.Contents | core.Definition
OPEN_WORDS = {
    "player", "players", "opponents", "starter", "round", "phase", "it", "count", "sum", "highest", "lowest", "list",
    "sorted", "top", "bottom", "first", "last", "left", "right", "total", "place", "smallest", "largest", "seat",
    "seats_from", "position", "times", "counted", "latest", "neighbours", "rays", "between", "distance",
    "lines", "lines_through", "connected",
}  # fmt: skip


@frozen
class SecretSource:
    """A thing that not everybody sees; of a secret action, whether it was chosen. `own`: it belongs to the one of whom
    is spoken, who sees it.
    """

    thing: Thing = field(eq=id)
    own: bool


Sources = frozenset[SecretSource]
NONE: Sources = frozenset()


@define(eq=False)
class SecretContents:
    """`made_of`: by variable or memory that is not open, the secrets of which its values were ever made; without any
    everybody can work them out. `told`: the variables, open or not, into which any secret came.
    """

    made_of: dict[int, Sources] = field(factory=dict)
    told: set[int] = field(factory=set)


def is_hidden(table: Table, contents: SecretContents, thing: Thing, own: bool, is_team: bool) -> bool:
    """Whether the one of whom is spoken (`own`), the team, or else some player cannot know it."""
    match thing:
        case core.Zone():
            if thing.visibility == "private" and thing.per_player:
                return not (own or is_team)
            return thing.visibility not in {None, "public"}
        case core.Variable() | core.Memory():
            return not is_known_value(thing, contents.made_of.get(id(thing), NONE), own, is_team)
        case core.Deal(target=target):  # what was drawn: where it came to, everybody saw it or not
            zone, whose = find_zone_named(table, target), own and not thing.each and is_own_place(table, target)
            return zone is None or is_hidden(table, contents, zone, whose, is_team)
        case core.Choice() | core.Action():
            return not own
        case BuiltinMeaning():
            return True
        case _:
            assert_never(thing)


def is_known_value(thing: core.Variable | core.Memory, made_of: Sources, own: bool, is_team: bool) -> bool:
    if not made_of or (isinstance(thing, core.Variable) and thing.visibility in {None, "public"}):
        return True
    if isinstance(thing, core.Variable) and thing.per_player and (own or is_team):
        return thing.visibility == "private" or all(one.own for one in made_of)
    return False


def is_own_place(table: Table, place: Operand) -> bool:
    """`hand`, `hand of player`, `bottom of hand`."""
    asked = without_end(table, find_operation(table.bench, place))
    match asked:
        case core.Contents(owner=core.Operand() as owner) | core.ForPlayer(owner=owner):
            return table.bench.is_word(owner, "player")
        case core.Contents() | core.Current():
            return True
        case _:
            return False


def without_end(table: Table, asked: core.Core | None) -> core.Core | None:
    """`stock` of `top of stock`."""
    is_end = isinstance(asked, core.EndOf) and asked.word in {"top", "bottom"}
    return find_operation(table.bench, asked.collection) if is_end and isinstance(asked, core.EndOf) else asked


def find_zone_named(table: Table, node: Operand) -> core.Zone | None:
    """The zone that is named, with or without keys, an owner, one of its ends."""
    asked = without_end(table, find_operation(table.bench, node))
    room = asked.room if isinstance(asked, core.Contents) else None
    return room.declaration if isinstance(room, ZoneRoom) else None


def list_which_read(table: Table, node: Operand, own: bool) -> list[Read]:
    """Which of several places it is: not what lies there, nor at which end."""
    asked = without_end(table, find_operation(table.bench, node))
    return [(one, own) for one in core.which_place(asked)] if isinstance(asked, core.Contents) else []


# ---- what is read


def find_things_read(
    table: Table, root: Operand, own: bool, but_for: Collection[int] = (), mine: Collection[int] | None = None,
    *, every_part: bool = False,
) -> Iterator[tuple[Thing, bool]]:
    """Zones, variables and memories that matter, also behind definitions; whether they are the chooser's own.

    `but_for`: choices and elements that everybody sees at that moment. `mine`: of the elements of loops, of what was
    drawn and chosen, those that are the player's own; without it all are. `every_part`: also what does not matter for
    the value, or follows from what lies open.
    """
    seen: set[tuple[int, bool, frozenset[int]]] = set()
    waiting: list[Waiting] = [(root, own, frozenset(but_for))]
    while waiting:
        node, is_own, ignored = waiting.pop()
        asked = find_operation(table.bench, node)
        if asked is None:
            things = (thing_of_meaning(table, one) for one in table.bench.mentions(node))
            yield from ((thing, False) for thing in things if thing is not None)  # nothing is known of it
            continue
        waiting += [(part, knows, ignored) for part, knows in parts_read(table, asked, is_own, every_part=every_part)]
        for meaning, knows in meanings_in(table, asked, is_own):
            if (id(meaning), knows, ignored) not in seen and id(meaning) not in ignored:
                seen.add((id(meaning), knows, ignored))
                knows = knows and is_bound_here(table, meaning, mine)
                thing = thing_of_meaning(table, meaning)
                if thing is not None:
                    yield thing, knows
                inside = ignored | tried_choices(meaning)
                behind = [*list_operands_behind(table.bench, asked), *loop_collections(table, meaning, ignored)]
                waiting += [(part, knows, inside) for part in behind]


def meanings_in(table: Table, asked: core.Core, own: bool) -> Iterator[tuple[Meaning, bool]]:
    """What an operation itself names, and whether it is asked of who is `player`."""
    match asked:
        case core.Contents(_, room, _, owner):
            yield room.declaration, own and (owner is None or table.bench.is_word(owner, "player"))
        case core.Definition(meaning=meaning):
            yield meaning, own
        case core.CaseLookup(table=looked):
            yield looked, own
        case core.Attribute(meaning=meaning):
            yield meaning, own
        case core.Can(action=action):
            yield action, own
        case core.Times(memory=memory):
            yield memory, own
        case core.Register(binder=binder):
            yield binder, own
        case core.Element(node):
            element = table.bench.meaning(node)
            if isinstance(element, ItMeaning):
                yield element, own
        case (
            core.Constant() | core.ForPlayer() | core.Current() | core.Opponents() | core.Points() | core.Standing()
            | core.Count() | core.Fold() | core.EndOf() | core.ItemAt() | core.Neighbour() | core.SeatsFrom()
            | core.Extreme() | core.PositionOf() | core.PlacesNear() | core.PlacesBetween() | core.Distance()
            | core.Lines() | core.Connected() | core.Filter() | core.Joined() | core.Combinations() | core.Range()
            | core.SetOf() | core.Literal() | core.Quantified() | core.Aggregate() | core.Best() | core.Compare()
            | core.In() | core.IsEmpty() | core.Arithmetic() | core.Negate() | core.Not() | core.Logic()
            | core.IfElse() | core.Before()
        ):
            return  # what is secret of it stands in its operands; points are told to all
        case _:
            assert_never(asked)


def is_told_whole(table: Table, root: Operand, own: bool) -> bool:
    """Whether a value may be told with all its parts: each lies open by its declaration, to everybody or to the one of
    whom is spoken."""
    return all(
        is_declared_open(thing, whose) for thing, whose in find_things_read(table, root, own, every_part=True)
    )


def is_declared_open(thing: Thing, own: bool) -> bool:
    match thing:
        case core.Zone() | core.Variable():
            is_private = thing.visibility == "private" and thing.per_player
            return thing.visibility in {None, "public"} or (is_private and own)
        case core.Memory():
            return False
        case core.Deal() | core.Choice() | core.Action() | BuiltinMeaning():
            return True
        case _:
            assert_never(thing)


def thing_of_meaning(table: Table, meaning: Meaning) -> Thing | None:
    match meaning:
        case core.Zone() | core.Variable() | core.Memory() | core.Deal():
            return meaning
        case core.Choice():
            return meaning if is_choice_unseen(table, meaning) else None
        case BuiltinMeaning(name=name):
            return None if name in OPEN_WORDS else meaning
        case (
            core.Option() | core.Define() | core.Table() | core.Step() | core.Action() | core.Phase() | core.Parameter()
            | core.Each() | core.ScoreLine() | core.Values() | core.Components()
        ):
            return None  # what is behind it is looked at by itself
        case AllOf() | WordMeaning() | AttributeMeaning() | ItMeaning() | RowMeaning():
            return None
        case _:
            assert_never(meaning)


def is_bound_here(table: Table, meaning: Meaning, mine: Collection[int] | None) -> bool:
    """Not an element, a draw, a choice of somebody who was `player` outside."""
    element = meaning.element if isinstance(meaning, ItMeaning | AttributeMeaning) else meaning
    is_bound = isinstance(element, core.Deal | core.Choice) or id(element) in loop_elements(table)
    return mine is None or not is_bound or id(element) in mine


def loop_collections(table: Table, meaning: Meaning, but_for: Collection[int]) -> Iterator[Operand]:
    """The collection to which an element belongs, where a loop around the expression goes through it."""
    element = meaning.element if isinstance(meaning, ItMeaning | AttributeMeaning) else meaning
    if isinstance(element, core.Each) and id(element) not in but_for and id(element) in loop_elements(table):
        yield element.collection


def tried_choices(meaning: Meaning) -> frozenset[int]:
    """What is only tried: whether there is a way to choose."""
    return frozenset(id(one) for one in meaning.choices) if isinstance(meaning, core.Action) else frozenset()


_loops: WeakKeyDictionary[Table, frozenset[int]] = WeakKeyDictionary()


def loop_elements(table: Table) -> frozenset[int]:
    """The elements of the loops that are statements."""
    found = _loops.get(table)
    if found is None:
        loops = (one for one in lower_statements(table.bench) if isinstance(one, core.ForEach))
        found = _loops[table] = frozenset(id(one.each) for one in loops)
    return found


_unseen: WeakKeyDictionary[Table, frozenset[int]] = WeakKeyDictionary()


def is_choice_unseen(table: Table, choice: core.Choice) -> bool:
    """Whether not everybody learns what was chosen: the action is secret, all choose at once, or a component stays out
    of sight."""
    found = _unseen.get(table)
    if found is None:
        found = _unseen[table] = frozenset(find_unseen_choices(table))
    return id(choice) in found


def chosen_together(table: Table) -> frozenset[int]:
    """The actions among which all choose at once: nobody sees what was chosen but by what it does."""
    asked = (one for one in table.flow.instructions if isinstance(one, AskTogether))
    return frozenset(id(offer.action) for one in asked for offer in one.offers)


def find_unseen_choices(table: Table) -> Iterator[int]:
    together = chosen_together(table)
    for action in table.bench.actions:
        moved = {id(name) for line in action.body for name in find_openly_moved(table, line)}
        for choice in action.choices:
            zones = (one for one in table.bench.mentions(choice.domain) if isinstance(one, core.Zone))
            is_out_of_sight = any(one.visibility not in {None, "public"} for one in zones)
            is_component = choice.word == "from" and is_out_of_sight
            if action.secret or id(action) in together or (is_component and id(choice) not in moved):
                yield id(choice)


def find_openly_moved(table: Table, line: core.Line) -> Iterator[Meaning]:
    """What is always put down where everybody sees it."""
    done = lower_statement(table.bench, line)
    if isinstance(done, core.ForEach) and done.named is not None:
        same = table.bench.meaning(done.named)
        for inner in done.body:
            for moved in find_openly_moved(table, inner):
                yield moved
                if moved is done.each and same is not None:
                    yield same
    for transfer in done.transfers if isinstance(done, Move) else ():
        what, target = transfer.taken.what, transfer.target
        meaning = table.bench.meaning(what)
        seen = {None, "public"} if target.is_bottom else {None, "public", "public top"}
        if target.room.declaration.visibility in seen and meaning is not None:
            yield meaning


def parts_read(table: Table, asked: core.Core, own: bool, *, every_part: bool = False) -> list[Read]:
    """What is looked at; of a place that is only counted, and of the top that lies open, the content is not."""
    match asked:
        case core.Logic() if not every_part and is_settled_by_options(table, asked):
            return []
        case core.Aggregate(body=body, each=each) | core.Quantified(body=body, each=each) if (
            not every_part and is_without_order(asked) and is_known_by_the_rest(table, each)
        ):
            return [(body, own)]
        case core.Count(_, several) | core.IsEmpty(_, several) if find_zone_named(table, several) is not None:
            return list_which_read(table, several, own)
        case core.EndOf(_, "top", several) if has_open_top(find_zone_named(table, several)):
            return list_which_read(table, several, own)
        case core.Contents(_, _, keys, owner):
            knows = own and (owner is None or table.bench.is_word(owner, "player"))
            return [*((key, knows) for key in keys), *((one, own) for one in core.present(owner))]
        case core.ForPlayer(_, subject, owner) if isinstance(find_operation(table.bench, subject), OF_A_PLAYER):
            return [(owner, own), (subject, own and table.bench.is_word(owner, "player"))]
        case _:  # all of it, whatever it is
            return [(part, own) for part in core.list_operands(asked)]


def has_open_top(zone: core.Zone | None) -> bool:
    return zone is not None and zone.visibility == "public top"


# ---- what is known all the same


def is_settled_by_options(table: Table, asked: core.Logic) -> bool:
    """Whether the options settle it before the game."""
    return any(constant_truth(table.bench, part) is (asked.word == "or") for part in asked.parts)


def is_without_order(asked: core.Aggregate | core.Quantified) -> bool:
    return isinstance(asked, core.Quantified) or asked.word != "list"


def is_known_by_the_rest(table: Table, each: core.Each) -> bool:
    """Whether this is the one place of its kind that not everybody sees, and nothing is left in the box.

    Its order stays unknown.
    """
    place = find_operation(table.bench, each.collection)
    room = place.room if isinstance(place, core.Contents) else None
    if not isinstance(room, ZoneRoom) or room.declaration.per_player or room.declaration.keys:
        return False
    others = [one for one in table.bench.zones.values() if one.kinds is room.kinds and one is not room]
    return all(one.declaration.visibility == "public" for one in others) and is_box_empty(table, room.kinds.declaration)


def is_box_empty(table: Table, kind: core.Components) -> bool:
    """Whether the first thing that happens to these components is that all of them go somewhere."""
    setups = (piece for piece in list_pieces(table.bench) if isinstance(piece, core.Setup))
    for setup in sorted(setups, key=lambda one: one.each_round):
        for line in setup.body:
            if any(is_all_of(taken, kind) for taken in list_taken(lower_statement(table.bench, line))):
                return True
            if any(may_be_of_kind(table, done, kind) for done in walk_lines(table.bench, (line,))):
                return False
    return False


def list_taken(done: Statement) -> list[Taken]:
    if isinstance(done, Mix):
        return [done.added] if done.added is not None else []
    return [one.taken for one in done.transfers] if isinstance(done, Move) else []


def is_all_of(taken: Taken, kind: core.Components) -> bool:
    return isinstance(taken, TakeEverywhere) and not taken.is_filtered and taken.kinds.declaration is kind


def may_be_of_kind(table: Table, done: Statement, kind: core.Components) -> bool:
    """Whether something of this kind may be meant there, or in what is done from there."""
    if isinstance(done, core.Do | core.Choose):
        return True
    try:
        asked = list(walk_dependencies(table.bench, core.list_operands_of(done)))
    except RefusedTable:
        return True  # nothing is known of it
    return any(is_of_kind(one, kind) for one in asked)


def is_of_kind(asked: core.Core, kind: core.Components) -> bool:
    match asked:
        case core.Contents(room=ZoneRoom(kinds=kinds)):
            return kinds.declaration is kind
        case core.Constant(meaning=AllOf(declaration)):
            return declaration is kind
        case _:
            return False


# ---- whose the elements of loops are, what was drawn and what was chosen


Names = frozenset[int]  # of loops, draws and choices, by identity
NOBODYS: Names = frozenset()

_names: WeakKeyDictionary[Table, Mapping[int, Names]] = WeakKeyDictionary()


def own_names(table: Table) -> Mapping[int, Names]:
    """Worked out once for a table. What a statement is not known to own it does not own."""
    found = _names.get(table)
    if found is None:
        scopes = Scopes(table.bench)
        for piece in list_pieces(table.bench):
            if isinstance(piece, core.Action):
                scopes.body(piece.body, chosen(piece))
            elif isinstance(piece, core.Setup | core.Phase | core.Step):
                scopes.body(piece.body, NOBODYS)
        found = _names[table] = scopes.by_statement
    return found


def chosen(action: core.Action) -> Names:
    """Whoever is made `player` by a choice has not made it."""
    if any(one.name.text == "player" for one in action.choices):
        return NOBODYS
    return frozenset(id(one) for one in action.choices)


@define(eq=False)
class Scopes:
    bench: Workbench
    by_statement: dict[int, Names] = field(factory=dict)

    def body(self, lines: tuple[core.Line, ...], mine: Names) -> Names:
        """What is the player's own after the last line."""
        for line in lines:
            mine = self.after(line, mine)
        return mine

    def after(self, line: core.Line, mine: Names) -> Names:
        self.by_statement[id(line)] = mine
        done = lower_statement(self.bench, line)
        if isinstance(done, core.Draw) and done.alias is not None:
            return mine | {id(done.node)}
        is_others = core.speaks_of_others(done)
        inside = NOBODYS if is_others else mine
        if isinstance(done, core.ForEach):
            inside |= {id(done.each)}
        drawn = [self.body(body, inside) for body in core.list_bodies(done)]
        return mine if is_others else mine.union(*drawn)
