"""Where it can be read off the rules that options give nothing away. Takes a table, gives what is proved.

The options at a choice are worked out from what its actions' choices and conditions read. When all of that lies
open, or is the chooser's own, they follow from what the chooser sees. The same goes for whether somebody is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.program import AttributeMeaning, BuiltinMeaning, Meaning
from rulesrun.dsl.walk import children, walk
from rulesrun.interpreter.decisions import DecisionWait
from rulesrun.interpreter.exploring.relevance import living
from rulesrun.interpreter.table import Table

Read = tuple[ast.Node, bool]  # what is worked out, and whether it is asked of who chooses
COUNTED = {"counted", "latest"}


@frozen(eq=False)
class OpenChoices:
    """`proved`: the choices whose options follow from what the chooser sees; `flow`: so does who is asked at all."""

    choices: int
    proved: frozenset[int]  # by the number of their operation
    flow: bool


def open_choices(table: Table) -> OpenChoices:
    waits = {pc: wait for pc, wait in table.waits.items() if isinstance(wait, DecisionWait)}
    proved = frozenset(pc for pc, wait in waits.items() if is_open(table, offered(wait), wait.is_team))
    return OpenChoices(len(waits), proved, is_open(table, flow(table)))


def offered(wait: DecisionWait) -> Iterator[Read]:
    for offer in wait.offers.values():
        ready = offer.action
        yield from ((part, not ready.rebinds_player) for part in parts_of_action(ready.action))


def parts_of_action(action: ast.Action) -> Iterator[ast.Node]:
    for choice in action.choices:
        yield choice.domain
        if choice.count is not None:
            yield choice.count
    yield from (need.condition for need in action.needs)


def flow(table: Table) -> Iterator[Read]:
    """All that decides which question comes next."""
    for node in living(table, properties=False):
        match node:
            case ast.If(branches):
                own = leads_straight_to_a_choice(node)
                yield from ((one.condition, own) for one in branches if one.condition is not None)
            case ast.Choose():
                yield from ((part, own) for part, own in ((node.condition, True), (node.chooser, False)) if part)
            case ast.Turns():
                parts = (node.start, node.excluded, node.skipping, node.until)
                yield from ((part, False) for part in parts if part is not None)
            case ast.Repeat():
                yield from ((part, False) for part in (node.times, node.until) if part is not None)
            case ast.Rounds():
                yield from ((part, False) for part in (node.count, node.until) if part is not None)
            case ast.Phase(when=when) if when is not None:
                yield when, False
            case ast.ForEach(each=each):
                yield each, False
            case ast.EachPlayer():
                yield from ((part, False) for part in children(node) if isinstance(part, ast.Expr))
            case _:
                pass


def leads_straight_to_a_choice(node: ast.If) -> bool:
    """Whether the player of whom it is asked is the one who chooses below, and nothing else hangs on it."""
    inside = [part for branch in node.branches for statement in branch.body for part in walk(statement)]
    others = (ast.Do, ast.EachPlayer, ast.Turns, ast.End, ast.Becomes, ast.Deal, ast.Move)
    chooses = [part for part in inside if isinstance(part, ast.Choose)]
    return all(one.who == "player" for one in chooses) and not any(isinstance(part, others) for part in inside)


# ---- what is read


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
            waiting += [(part, is_own) for part in behind(meaning)]
        elif meaning is None:
            waiting += parts(table, node, is_own)


def behind(meaning: Meaning) -> list[ast.Node]:
    match meaning:
        case ast.Define(body=body):
            return [body]
        case ast.Table(entries=entries):
            return list(entries)
        case ast.ScoreLine(value=value):
            return [value]
        case ast.Action():
            return list(parts_of_action(meaning))
        case AttributeMeaning(attribute=ast.AttributeDecl(type=None), components=components):
            return list(components.rows)
        case _:
            return []


def parts(table: Table, node: ast.Node, own: bool) -> list[Read]:
    """What is looked at; of a place that is only counted, and of the top that lies open, the content is not."""
    match node:
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
