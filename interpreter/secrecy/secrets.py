"""What an expression reads that not everybody sees. Takes a table and expressions, gives the things they look at.

What some see and others do not is a secret. Of a place that is only counted the content is not looked at. What nobody
sees is known when all else of its kind lies open. What a hidden number or marker holds is known when everything that
ever came into it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import assert_never
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import statements_of
from rulesrun.dsl.ast.named_values import single_value
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.flow.mentions import Read, is_asked_of_player, keys_read, nodes_behind_meaning, zone_of
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    Meaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.interpreter.model.core import Mix, Move, Operand, Statement, TakeEverywhere, Taken
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.instructions import AskTogether
from rulesrun.interpreter.model.known_constructs import SINCE_EDITION_1
from rulesrun.interpreter.model.relevance import constant_truth
from rulesrun.interpreter.reference.table import Table

KNOWS = SINCE_EDITION_1 | {
    ast.Board, ast.PlaceLine, ast.SeenBy, ast.EitherType, ast.Joined, ast.Teams, ast.SetType, ast.Combinations,
}
Thing = ast.Zone | ast.Variable | ast.Memory | ast.Deal | ast.Choice | ast.Action | BuiltinMeaning
COUNTED = {"counted", "latest"}
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
        case ast.Zone():
            if thing.visibility == "private" and thing.per_player:
                return not (own or is_team)
            return thing.visibility not in {None, "public"}
        case ast.Variable() | ast.Memory():
            return not is_known_value(thing, contents.made_of.get(id(thing), NONE), own, is_team)
        case ast.Deal(target=target):  # what was drawn: where it came to, everybody saw it or not
            zone, whose = zone_of(table.bench, target), own and not thing.each and is_own_place(table, target)
            return zone is None or is_hidden(table, contents, zone, whose, is_team)
        case ast.Choice() | ast.Action():
            return not own
        case BuiltinMeaning():
            return True
        case _:
            assert_never(thing)


def is_known_value(thing: ast.Variable | ast.Memory, made_of: Sources, own: bool, is_team: bool) -> bool:
    if not made_of or (isinstance(thing, ast.Variable) and thing.visibility in {None, "public"}):
        return True
    if isinstance(thing, ast.Variable) and thing.per_player and (own or is_team):
        return thing.visibility == "private" or all(one.own for one in made_of)
    return False


def is_own_place(table: Table, place: Operand) -> bool:
    """`hand`, `hand of player`, `bottom of hand`."""
    if isinstance(place, ast.Of) and table.bench.is_word(place.subject, "top", "bottom"):
        place = place.owner
    return not isinstance(place, ast.Of) or table.bench.is_word(place.owner, "player")


# ---- what is read


def find_things_read(
    table: Table, root: ast.Node, own: bool, but_for: Collection[int] = (), mine: Collection[int] | None = None,
    *, every_part: bool = False,
) -> Iterator[tuple[Thing, bool]]:
    """Zones, variables and memories that matter, also behind definitions; whether they are the chooser's own.

    `but_for`: choices and elements that everybody sees at that moment. `mine`: of the elements of loops, of what was
    drawn and chosen, those that are the player's own; without it all are. `every_part`: also what does not matter for
    the value, or follows from what lies open.
    """
    seen: set[tuple[int, bool]] = set()
    waiting: list[Read] = [(root, own)]
    while waiting:
        node, is_own = waiting.pop()
        meaning = table.bench.meaning(node)
        if meaning is None:
            waiting += parts_read(table, node, is_own, every_part=every_part)
        elif (id(meaning), is_own) not in seen and id(meaning) not in but_for:
            seen.add((id(meaning), is_own))
            is_own = is_own and is_bound_here(table, meaning, mine)
            thing = thing_of_meaning(table, meaning)
            if thing is not None:
                yield thing, is_own
            looked = parts_of_action(meaning) if isinstance(meaning, ast.Action) else nodes_behind_meaning(meaning)
            seen |= {(id(one), known) for one in tried_choices(meaning) for known in (True, False)}
            waiting += [(part, is_own) for part in looked]
            waiting += [(part, is_own) for part in loop_collections(table, meaning, but_for)]


def is_told_whole(table: Table, root: ast.Node, own: bool) -> bool:
    """Whether a value may be told with all its parts: each lies open by its declaration, to everybody or to the one of
    whom is spoken."""
    return all(
        is_declared_open(thing, whose) for thing, whose in find_things_read(table, root, own, every_part=True)
    )


def is_declared_open(thing: Thing, own: bool) -> bool:
    match thing:
        case ast.Zone() | ast.Variable():
            is_private = thing.visibility == "private" and thing.per_player
            return thing.visibility in {None, "public"} or (is_private and own)
        case ast.Memory():
            return False
        case ast.Deal() | ast.Choice() | ast.Action() | BuiltinMeaning():
            return True
        case _:
            assert_never(thing)


def thing_of_meaning(table: Table, meaning: Meaning) -> Thing | None:
    match meaning:
        case ast.Zone() | ast.Variable() | ast.Memory() | ast.Deal():
            return meaning
        case ast.Choice():
            return meaning if is_choice_unseen(table, meaning) else None
        case BuiltinMeaning(name=name):
            return None if name in OPEN_WORDS else meaning
        case (
            ast.Option() | ast.Define() | ast.Table() | ast.Step() | ast.Action() | ast.Phase() | ast.Parameter()
            | ast.Each() | ast.ScoreLine() | ast.Values() | ast.Components()
        ):
            return None  # what is behind it is looked at by itself
        case AllOf() | WordMeaning() | AttributeMeaning() | ItMeaning() | RowMeaning():
            return None
        case _:
            assert_never(meaning)


def is_bound_here(table: Table, meaning: Meaning, mine: Collection[int] | None) -> bool:
    """Not an element, a draw, a choice of somebody who was `player` outside."""
    element = meaning.element if isinstance(meaning, ItMeaning | AttributeMeaning) else meaning
    is_bound = isinstance(element, ast.Deal | ast.Choice) or id(element) in loop_elements(table)
    return mine is None or not is_bound or id(element) in mine


def loop_collections(table: Table, meaning: Meaning, but_for: Collection[int]) -> Iterator[ast.Node]:
    """The collection to which an element belongs, where a loop around the expression goes through it."""
    element = meaning.element if isinstance(meaning, ItMeaning | AttributeMeaning) else meaning
    if isinstance(element, ast.Each) and id(element) not in but_for and id(element) in loop_elements(table):
        yield element.collection


def tried_choices(meaning: Meaning) -> tuple[ast.Choice, ...]:
    """What is only tried: whether there is a way to choose."""
    return meaning.choices if isinstance(meaning, ast.Action) else ()


_loops: WeakKeyDictionary[Table, frozenset[int]] = WeakKeyDictionary()


def loop_elements(table: Table) -> frozenset[int]:
    """The elements of the loops that are statements."""
    found = _loops.get(table)
    if found is None:
        statements = (one for one, _ in statements_of(table.program.game))
        found = _loops[table] = frozenset(id(one.each) for one in statements if isinstance(one, ast.ForEach))
    return found


_unseen: WeakKeyDictionary[Table, frozenset[int]] = WeakKeyDictionary()


def is_choice_unseen(table: Table, choice: ast.Choice) -> bool:
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
            zones = (one for one in table.bench.mentions(choice.domain) if isinstance(one, ast.Zone))
            is_out_of_sight = any(one.visibility not in {None, "public"} for one in zones)
            is_component = choice.word == "from" and is_out_of_sight
            if action.secret or id(action) in together or (is_component and id(choice) not in moved):
                yield id(choice)


def find_openly_moved(table: Table, line: ast.Statement) -> Iterator[Meaning]:
    """What is always put down where everybody sees it."""
    if isinstance(line, ast.ForEach) and line.word != "each":
        value = single_value(line)
        same = table.bench.meaning(value)
        for inner in line.body:
            for moved in find_openly_moved(table, inner):
                yield moved
                if moved is line.each and same is not None:
                    yield same
    done = lower_statement(table.bench, line)
    for transfer in done.transfers if isinstance(done, Move) else ():
        what, target = transfer.taken.what, transfer.target
        meaning = table.bench.meaning(what)
        seen = {None, "public"} if target.is_bottom else {None, "public", "public top"}
        if target.room.declaration.visibility in seen and meaning is not None:
            yield meaning


def parts_read(table: Table, node: ast.Node, own: bool, *, every_part: bool = False) -> list[Read]:
    """What is looked at; of a place that is only counted, and of the top that lies open, the content is not."""
    match node:
        case ast.And() | ast.Or() if not every_part and is_settled_by_options(table, node):
            return []
        case ast.Aggregate() | ast.Quantified() if (
            not every_part and is_without_order(node) and is_known_by_the_rest(table, node.each)
        ):
            return [(node.body, own)]
        case ast.Of(subject=ast.Name(text="count"), owner=owner) if zone_of(table.bench, owner) is not None:
            return list(keys_read(table.bench, owner, own))
        case ast.IsEmpty(collection=owner) if zone_of(table.bench, owner) is not None:
            return list(keys_read(table.bench, owner, own))
        case ast.Of(subject=ast.Name(text="top"), owner=owner) if has_open_top(zone_of(table.bench, owner)):
            return list(keys_read(table.bench, owner, own))
        case ast.Call(name=name, arguments=arguments) if table.bench.is_word(name, *COUNTED):
            return [(part, own) for part in arguments if not isinstance(part, ast.Name)]
        case ast.Of(subject=subject, owner=owner) if is_asked_of_player(table.bench, subject):
            return [(owner, own), (subject, own and table.bench.is_word(owner, "player"))]
        case _:  # all of it, whatever it is
            return [(child, own) for child in children(node)]


def has_open_top(zone: ast.Zone | None) -> bool:
    return zone is not None and zone.visibility == "public top"


# ---- what is known all the same


def is_settled_by_options(table: Table, node: ast.And | ast.Or) -> bool:
    """Whether the options settle it before the game."""
    return any(constant_truth(table.bench, part) is isinstance(node, ast.Or) for part in node.parts)


def is_without_order(node: ast.Aggregate | ast.Quantified) -> bool:
    return isinstance(node, ast.Quantified) or node.word != "list"


def is_known_by_the_rest(table: Table, each: ast.Each) -> bool:
    """Whether this is the one place of its kind that not everybody sees, and nothing is left in the box.

    Its order stays unknown.
    """
    zone = table.bench.meaning(each.collection)
    if not isinstance(zone, ast.Zone) or zone.per_player or zone.keys:
        return False
    room = table.bench.zones[id(zone)]
    others = [one for one in table.bench.zones.values() if one.kinds is room.kinds and one is not room]
    return all(one.declaration.visibility == "public" for one in others) and is_box_empty(table, room.kinds.declaration)


def is_box_empty(table: Table, kind: ast.Components) -> bool:
    """Whether the first thing that happens to these components is that all of them go somewhere."""
    for setup in sorted(table.bench.declarations(ast.Setup), key=lambda one: one.each_round):
        for statement in setup.body:
            if any(is_all_of(taken, kind) for taken in list_taken(lower_statement(table.bench, statement))):
                return True
            if any(
                isinstance(part, ast.Do | ast.Choose) or is_kind_named(table, part, kind) for part in walk(statement)
            ):
                return False
    return False


def list_taken(done: Statement) -> list[Taken]:
    if isinstance(done, Mix):
        return [done.added] if done.added is not None else []
    return [one.taken for one in done.transfers] if isinstance(done, Move) else []


def is_all_of(taken: Taken, kind: ast.Components) -> bool:
    return isinstance(taken, TakeEverywhere) and not taken.is_filtered and taken.kinds.declaration is kind


def is_kind_named(table: Table, part: ast.Node, kind: ast.Components) -> bool:
    """Whether something of this kind may be meant."""
    meaning = table.bench.meaning(part)
    if isinstance(meaning, ast.Zone):
        return table.bench.zones[id(meaning)].kinds.declaration is kind
    return isinstance(meaning, AllOf) and meaning.declaration is kind


def parts_of_action(action: ast.Action) -> Iterator[ast.Node]:
    for choice in action.choices:
        yield choice.domain
        if choice.count is not None:
            yield choice.count
    yield from (need.condition for need in action.needs)
