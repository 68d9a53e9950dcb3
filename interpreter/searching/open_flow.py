"""Whether it can be read off the rules that it gives nothing away who is asked. Takes a table, gives what is proved.

All that decides which question comes next must follow from what lies open: it reads open things, or a hand that has
just been shown to all. A loop in which nobody is asked decides nothing; what it makes of secrets is kept in mind.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.program import Meaning
from rulesrun.dsl.walk import children, walk
from rulesrun.interpreter.exploring.relevance import living, truth_of
from rulesrun.interpreter.searching.secrets import Read, is_open, is_secret, things_read
from rulesrun.interpreter.table import Table

ASKING = ast.Choose | ast.Do | ast.End | ast.Turns
MOVING = ast.Move | ast.Deal | ast.Shuffle
Shown = frozenset[int]  # the zones that the player has just shown to all, by identity


def is_flow_open(table: Table) -> bool:
    """Whether everybody can see, or has just been shown, what decides who is asked what."""
    shown, made = shown_at(table), made_of_secrets(table)
    return all(is_steered_openly(table, part, own, shown.get(id(part), frozenset()), made) for part, own in flow(table))


def is_steered_openly(table: Table, part: ast.Node, own: bool, shown: Shown, made: set[int]) -> bool:
    for thing, is_own in things_read(table, part, own or bool(shown)):
        if id(thing) in made or is_secret(table, thing, is_own and (own or id(thing) in shown), False):
            return False
    return True


def flow(table: Table) -> Iterator[Read]:
    """All that decides which question comes next, and whether it is asked of who chooses there."""
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
            case ast.Phase(when=when) if when is not None and truth_of(table, when) is None:
                yield when, False
            case ast.ForEach() | ast.EachPlayer() if is_asked_inside(node):
                yield from ((part, False) for part in headed_by(node))
            case _:
                pass


def leads_straight_to_a_choice(node: ast.If) -> bool:
    """Whether the player of whom it is asked is the one who chooses below, and nothing else hangs on it."""
    inside = [part for branch in node.branches for statement in branch.body for part in walk(statement)]
    others = (ast.Do, ast.EachPlayer, ast.Turns, ast.End, ast.Becomes, ast.Deal, ast.Move)
    chooses = [part for part in inside if isinstance(part, ast.Choose)]
    return all(one.who == "player" for one in chooses) and not any(isinstance(part, others) for part in inside)


def headed_by(loop: ast.ForEach | ast.EachPlayer) -> Iterator[ast.Node]:
    """Over what a loop goes, and in which order."""
    body = {id(statement) for statement in loop.body}
    for part in children(loop):
        if id(part) not in body:
            yield part.key if isinstance(part, ast.Order) else part


def is_asked_inside(loop: ast.ForEach | ast.EachPlayer) -> bool:
    return any(isinstance(part, ASKING) for statement in loop.body for part in walk(statement))


# ---- what values are made of


def made_of_secrets(table: Table) -> set[int]:
    """The variables into which something comes that not everybody sees: what they told may be gone when one looks."""
    found: set[int] = set()
    for node in living(table, properties=False):
        match node:
            case ast.Becomes() | ast.Increases() if not is_open(table, ((part, False) for part in told_by(node))):
                found.update(id(one) for one in written(table, node))
            case ast.ForEach() | ast.EachPlayer() if not is_open(table, ((part, False) for part in headed_by(node))):
                inside = (part for statement in node.body for part in walk(statement))
                found.update(id(one) for part in inside for one in written(table, part))
            case _:
                pass
    return found


def told_by(node: ast.Becomes | ast.Increases) -> Iterator[ast.Node]:
    yield from (part for part in children(node) if part is not node.target)


def written(table: Table, node: ast.Node) -> list[Meaning]:
    """The variables that a statement writes to, also behind `do`."""
    match node:
        case ast.Becomes(target=target) | ast.Increases(target=target):
            names = [part for part in walk(target) if isinstance(part, ast.Name)]
            meanings = [table.bench.meaning(name) for name in names]
            return [one for one in meanings if isinstance(one, ast.Variable)]
        case ast.Do(step=name):
            step = table.bench.meaning(name)
            inside = (part for part in walk(step) if not isinstance(part, ast.Do)) if isinstance(step, ast.Step) else ()
            return [one for part in inside for one in written(table, part)]
        case _:
            return []


# ---- what has just been shown


@define(eq=False)
class Showing:
    """Goes through the statements of every piece; at each condition notes what has just been shown to all."""

    table: Table
    shown: dict[int, Shown] = field(factory=dict)
    _inside: list[int] = field(factory=list)  # the steps that are being gone through

    def piece(self, body: tuple[ast.Statement, ...]) -> None:
        self.after(body, frozenset())

    def after(self, body: tuple[ast.Statement, ...], shown: Shown) -> Shown:
        for statement in body:
            shown = self.after_one(statement, shown)
        return shown

    def after_one(self, statement: ast.Statement, shown: Shown) -> Shown:
        match statement:
            case ast.Show(what=ast.Name() as what, to=None):
                zone = self.table.bench.meaning(what)
                return shown | {id(zone)} if isinstance(zone, ast.Zone) else shown
            case ast.If(branches=branches):
                return self.after_if(branches, shown)
            case ast.Do(step=name):
                step = self.table.bench.meaning(name)
                if not isinstance(step, ast.Step) or id(step) in self._inside:
                    return frozenset()
                self._inside.append(id(step))
                shown = self.after(step.body, shown)
                self._inside.pop()
                return shown
            case ast.Becomes() | ast.Increases() | ast.Show() | ast.Record() | ast.End():
                return shown
            case ast.ForEach(body=body) | ast.EachPlayer(body=body) | ast.Turns(body=body) | ast.Repeat(body=body):
                self.after(body, frozenset())
                return frozenset()
            case _:
                return frozenset()

    def after_if(self, branches: tuple[ast.Branch, ...], shown: Shown) -> Shown:
        left = shown
        for branch in branches:
            if branch.condition is not None:
                known = self.shown.get(id(branch.condition), shown)
                self.shown[id(branch.condition)] = known & shown
            left &= self.after(branch.body, shown)
        return left


def shown_at(table: Table) -> dict[int, Shown]:
    """By condition what has just been shown to all, whichever way the game came there."""
    showing = Showing(table)
    for piece in table.program.game.declarations:
        if isinstance(piece, ast.Action | ast.Setup | ast.Phase):
            showing.piece(piece.body)
    return showing.shown
