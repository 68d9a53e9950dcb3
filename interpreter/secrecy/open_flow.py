"""Whether it can be read off the rules that it gives nothing away who is asked. Takes a table, gives what is proved.

All that decides which question comes next must follow from what lies open: it reads open things, or a hand that has
just been shown to all. A loop in which nobody is asked decides nothing; what it makes of secrets is kept in mind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.play.relevance import constant_truth, live_nodes
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import flows_of, is_secret
from rulesrun.interpreter.secrecy.just_shown import Shown, find_just_shown
from rulesrun.interpreter.secrecy.name_owners import NOBODYS, Names, own_names
from rulesrun.interpreter.secrecy.secrets import Read, find_things_read


def is_flow_open(table: Table) -> bool:
    """Whether everybody can see, or has just been shown, what decides who is asked what."""
    shown, told = find_just_shown(table), flows_of(table).contents.told
    return all(
        is_steered_openly(table, part, own, shown.get(id(part), frozenset()), told, mine)
        for (part, own), mine in flow_reads(table)
    )


def is_steered_openly(
    table: Table, part: ast.Node, own: bool, shown: Shown, told: Collection[int], mine: Names
) -> bool:
    """A value into which a secret came is not enough, though all see it: it may be gone when they look."""
    for thing, is_own in find_things_read(table, part, own or bool(shown), (), mine):
        if id(thing) in told or is_secret(table, thing, is_own and (own or id(thing) in shown), False):
            return False
    return True


def flow_reads(table: Table) -> Iterator[tuple[Read, Names]]:
    """All that decides which question comes next, whether it is asked of who chooses there, and which names in it are
    the player's own."""
    for node in live_nodes(table, properties=False):
        if isinstance(node, ast.Statement):
            of_each = isinstance(node, ast.Choose)  # who may be asked was not the player before
            mine = NOBODYS if of_each else own_names(table).get(id(node), NOBODYS)
            yield from ((read, mine) for read in steering_reads(node))
        elif isinstance(node, ast.Rounds):
            yield from (((part, False), NOBODYS) for part in (node.count, node.until) if part is not None)
        elif isinstance(node, ast.Phase) and node.when is not None and constant_truth(table, node.when) is None:
            yield (node.when, False), NOBODYS


def steering_reads(node: ast.Statement) -> Iterator[Read]:
    """A loop in which nobody is asked decides nothing of this; what is done in its body is looked at there."""
    done = footprint_of(node)
    if isinstance(node, ast.ForEach | ast.EachPlayer) and not is_asked_inside(node):
        return
    if isinstance(node, ast.ForEach) and node.word != "each":
        return  # done once, whatever it is that has a name; what speaks of it is looked at there
    own = isinstance(node, ast.If) and leads_straight_to_a_choice(node)
    for one in done.decides:
        yield one.asked, own or (done.asks and one.role == "where")


def leads_straight_to_a_choice(node: ast.If) -> bool:
    """Whether the player of whom it is asked is the one who chooses below, and nothing else hangs on it."""
    inside = [part for branch in node.branches for statement in branch.body for part in walk(statement)]
    statements = [part for part in inside if isinstance(part, ast.Statement)]
    return all(isinstance(one, ast.If | ast.Repeat) or (isinstance(one, ast.Choose) and one.who == "player")
               for one in statements)  # fmt: skip


def is_asked_inside(loop: ast.ForEach | ast.EachPlayer) -> bool:
    """Or whether it may be, or how the game goes on may change."""
    inside = [part for statement in loop.body for part in walk(statement) if isinstance(part, ast.Statement)]
    done = [footprint_of(one) for one in inside]
    return any(one.asks or one.calls or one.ends for one in done) or any(isinstance(one, ast.Turns) for one in inside)
