"""What an expression reads that not everybody sees. Takes a table and expressions, gives the things they look at.

Of a place that is only counted the content is not looked at. What nobody sees is known when all else of its
kind lies open.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.flow import behind
from rulesrun.dsl.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.walk import children, walk
from rulesrun.interpreter.exploring.relevance import living, truth_of
from rulesrun.interpreter.table import Table

Read = tuple[ast.Node, bool]  # what is worked out, and whether it is asked of who chooses
COUNTED = {"counted", "latest"}


def is_open(table: Table, reads: Iterator[Read], is_team: bool = False) -> bool:
    return all(
        not is_secret(table, thing, own, is_team) for part, own in reads for thing, own in things_read(table, part, own)
    )


def is_secret(table: Table, thing: Meaning, own: bool, is_team: bool) -> bool:
    match thing:
        case ast.Zone() | ast.Variable():
            if thing.visibility == "private" and thing.per_player:
                return not (own or is_team)
            return thing.visibility not in {None, "public"}
        case ast.Memory():
            records = [one for one in living(table, properties=False) if isinstance(one, ast.Record)]
            own_records = [one for one in records if table.bench.meaning(one.memory) is thing]
            return not is_open(table, ((value, False) for one in own_records for value in one.values))
        case ast.Deal(target=target):  # what was drawn: where it came to, everybody saw it or not
            zone = zone_of(table, target)
            return zone is None or zone.visibility != "public"
        case _:
            return True


def things_read(table: Table, root: ast.Node, own: bool) -> Iterator[tuple[Meaning, bool]]:
    """Zones, variables and memories that matter, also behind definitions; whether they are the chooser's own."""
    seen: set[tuple[int, bool]] = set()
    waiting: list[Read] = [(root, own)]
    while waiting:
        node, is_own = waiting.pop()
        meaning = table.bench.meaning(node) if isinstance(node, ast.Name) else None
        if isinstance(meaning, ast.Zone | ast.Variable | ast.Memory):
            yield meaning, is_own
        elif isinstance(meaning, ast.Deal):
            yield meaning, is_own  # what was drawn, and has gone somewhere since
        elif meaning is not None and (id(meaning), is_own) not in seen:
            seen.add((id(meaning), is_own))
            looked = parts_of_action(meaning) if isinstance(meaning, ast.Action) else behind(meaning)
            waiting += [(part, is_own) for part in looked]
        elif meaning is None:
            waiting += parts(table, node, is_own)


def parts(table: Table, node: ast.Node, own: bool) -> list[Read]:
    """What is looked at; of a place that is only counted, and of the top that lies open, the content is not."""
    match node:
        case ast.And() | ast.Or() if is_decided(table, node):
            return []
        case ast.Aggregate() | ast.Quantified() if is_without_order(node) and is_known_by_the_rest(table, node.each):
            return [(node.body, own)]
        case ast.Of(subject=ast.Name(text="count"), owner=owner) if zone_of(table, owner) is not None:
            return keys(owner, own)
        case ast.IsEmpty(collection=owner) if zone_of(table, owner) is not None:
            return keys(owner, own)
        case ast.Of(subject=ast.Name(text="top"), owner=owner) if has_open_top(zone_of(table, owner)):
            return keys(owner, own)
        case ast.Call(name=name, arguments=arguments) if is_builtin(table, name, COUNTED):
            return [(part, own) for part in arguments if not isinstance(part, ast.Name)]
        case ast.Of(subject=subject, owner=owner) if is_somebodys(table, subject):
            return [(owner, own), (subject, own and is_the_player(table, owner))]
        case _:
            return [(child, own) for child in children(node)]


def keys(zone: ast.Expr, own: bool) -> list[Read]:
    found: list[Read] = []
    if isinstance(zone, ast.Of):
        found.append((zone.owner, own))
        zone = zone.subject
    if isinstance(zone, ast.Index):
        found += [(key, own) for key in zone.keys]
    return found


def zone_of(table: Table, node: ast.Node) -> ast.Zone | None:
    subject = node.subject if isinstance(node, ast.Of) else node
    name = subject.name if isinstance(subject, ast.Index) else subject
    meaning = table.bench.meaning(name) if isinstance(name, ast.Name) else None
    return meaning if isinstance(meaning, ast.Zone) else None


def has_open_top(zone: ast.Zone | None) -> bool:
    return zone is not None and zone.visibility == "public top"


def is_builtin(table: Table, name: ast.Node, names: set[str]) -> bool:
    meaning = table.bench.meaning(name) if isinstance(name, ast.Name) else None
    return isinstance(meaning, BuiltinMeaning) and meaning.name in names


def is_somebodys(table: Table, subject: ast.Node) -> bool:
    """Whether what stands before `of` is asked of a player."""
    name = subject.name if isinstance(subject, ast.Call | ast.Index) else subject
    meaning = table.bench.meaning(name) if isinstance(name, ast.Name) else None
    return isinstance(meaning, ast.Zone | ast.Variable | ast.Define | ast.ScoreLine)


def is_the_player(table: Table, node: ast.Node) -> bool:
    return is_builtin(table, node, {"player"})


# ---- what is known all the same


def is_decided(table: Table, node: ast.And | ast.Or) -> bool:
    """Whether the options settle it before the game."""
    return any(truth_of(table, part) is isinstance(node, ast.Or) for part in node.parts)


def is_without_order(node: ast.Aggregate | ast.Quantified) -> bool:
    return isinstance(node, ast.Quantified) or node.word != "list"


def is_known_by_the_rest(table: Table, each: ast.Each) -> bool:
    """Whether this is the one place of its kind that not everybody sees, and nothing is left in the box.

    Its order stays unknown.
    """
    zone = table.bench.meaning(each.collection) if isinstance(each.collection, ast.Name) else None
    if not isinstance(zone, ast.Zone) or zone.per_player or zone.keys:
        return False
    room = table.bench.zones[id(zone)]
    others = [one for one in table.bench.zones.values() if one.kinds is room.kinds and one is not room]
    return all(one.declaration.visibility == "public" for one in others) and is_box_empty(table, room.kinds.declaration)


def is_box_empty(table: Table, kind: ast.Components) -> bool:
    """Whether the first thing that happens to these components is that all of them go somewhere."""
    for setup in sorted(table.bench.of_class(ast.Setup), key=lambda one: one.each_round):
        for statement in setup.body:
            if isinstance(statement, ast.Shuffle | ast.Move) and statement.all and is_all_of(table, statement, kind):
                return True
            if any(isinstance(part, ast.Do | ast.Choose) or is_named(table, part, kind) for part in walk(statement)):
                return False
    return False


def is_all_of(table: Table, statement: ast.Shuffle | ast.Move, kind: ast.Components) -> bool:
    meaning = table.bench.meaning(statement.what) if isinstance(statement.what, ast.Name) else None
    return isinstance(meaning, AllOf) and meaning.declaration is kind


def is_named(table: Table, part: ast.Node, kind: ast.Components) -> bool:
    """Whether something of this kind may be meant."""
    meaning = table.bench.meaning(part) if isinstance(part, ast.Name) else None
    if isinstance(meaning, ast.Zone):
        return table.bench.zones[id(meaning)].kinds.declaration is kind
    return isinstance(meaning, AllOf) and meaning.declaration is kind


def parts_of_action(action: ast.Action) -> Iterator[ast.Node]:
    for choice in action.choices:
        yield choice.domain
        if choice.count is not None:
            yield choice.count
    yield from (need.condition for need in action.needs)
