"""How long machine code must follow which of equal components is meant: only while nobody is asked anything.

Takes a table; gives the statements that move components meanwhile, or refuses rules that ask in between: what is
followed lies outside a position. The reference follows components through questions too.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.walk import walk
from rulesrun.interpreter.moving import base_of, kinds_meant
from rulesrun.interpreter.native.form import CannotCompile
from rulesrun.interpreter.places import room_meant, zone_meant
from rulesrun.interpreter.spots import base_zone, is_by_place
from rulesrun.interpreter.table import Table
from rulesrun.interpreter.whereabouts import Finding, asks_for_position, component_of
from rulesrun.interpreter.workbench import VariableRoom, Workbench, ZoneRoom

QUESTIONS = (ast.Choose, ast.Deal, ast.Roll, ast.Lots)
LOOPS = (ast.ForEach, ast.EachPlayer, ast.Repeat, ast.Turns)
BETWEEN = "which of equal components is meant is followed through a question"
SOONER = "move the component before anything is drawn or asked"


@frozen
class Watched:
    """The ids of the statements during which a component is followed, and of the choices that are."""

    statements: frozenset[int]
    choices: frozenset[int]


def watched_statements(table: Table) -> Watched:
    bench = table.bench
    if bench.marked:
        marker = next(one for one in bench.of_class(ast.Variable) if id(one) in bench.marked)
        raise CannotCompile(
            "a marker is asked for the position of its component, of which there are equal ones", marker,
            "ask for the position when the marker is set, and keep it as a number",
        )
    found: set[int] = set()
    chosen = dict(chosen_and_followed(bench))
    choices = [node for one in bench.of_class(ast.Action) for node in one.choices if id(node) in chosen]
    for node, body in (*extents(bench), *((choice, chosen[id(choice)]) for choice in choices)):
        if id(node) in bench.left_out:
            continue
        for one in body:
            for line in statements_in(bench, one):
                look_at(bench, line)
                found.add(id(line))
    return Watched(frozenset(found), frozenset(chosen))


# ---- choices


def chosen_and_followed(bench: Workbench) -> Iterator[tuple[int, tuple[ast.Statement, ...]]]:
    """The choices after which something may move before their component does, and the statements until then.

    Of others the first such component in its zone is still the one that was chosen.
    """
    for action in bench.of_class(ast.Action):
        for choice in action.choices:
            if id(choice) in bench.located and base_zone(bench, choice.domain) is not None:
                lines = until_last_use(bench, action.body, choice)
                before = [one for line in lines for one in statements_in(bench, line)]
                used = [at for at, one in enumerate(before) if uses(bench, one, choice)]
                is_last = bool(used) and not isinstance(lines[-1], LOOPS)
                before = before[: used[-1]] if is_last else before
                if used and (is_by_place(bench, choice) or any(disturbs(bench, one, choice) for one in before)):
                    yield id(choice), lines


def until_last_use(
    bench: Workbench, body: tuple[ast.Statement, ...], choice: ast.Choice
) -> tuple[ast.Statement, ...]:
    used = [at for at, line in enumerate(body) if any(uses(bench, one, choice) for one in statements_in(bench, line))]
    return body[: used[-1] + 1] if used else ()


def uses(bench: Workbench, node: ast.Node, choice: ast.Choice) -> bool:
    """Whether it is the component that lies there that is meant, not only what is written on it."""
    finding = Finding(bench, [])
    match node:
        case ast.Move(what=what) | ast.Shuffle(what=what):
            finding.mean(what)
        case ast.ForEach(each=each):
            finding.mean(each.collection)
        case ast.Call() if asks_for_position(bench, node):
            finding.mean(node.arguments[0])
        case ast.Call():
            for argument in node.arguments:
                finding.mean(argument)
        case _:
            return False
    return id(choice) in finding.found


def disturbs(bench: Workbench, node: ast.Node, choice: ast.Choice) -> bool:
    """Whether another may be the first such component in its zone afterwards."""
    kind = component_of(bench.type_of(choice.domain))
    match node:
        case ast.Move(what=what) | ast.Shuffle(what=what):
            return component_of(bench.type_of(what)) == kind
        case ast.Deal(origin=origin):
            room, own = zone_meant(bench, origin), zone_meant(bench, base_zone(bench, choice.domain) or choice.domain)
            return room is None or own is None or room is own or own.sort_key is not None
        case ast.Choose():
            return True
        case _:
            return False


# ---- loops and draws


def extents(bench: Workbench) -> Iterator[tuple[ast.Node, tuple[ast.Statement, ...]]]:
    """Every loop and every draw whose component is followed, and the statements meanwhile."""
    for declaration in bench.program.game.declarations:
        for node in walk(declaration):
            if isinstance(node, ast.ForEach) and id(node.each) in bench.located:
                yield node, node.body
            for body in bodies_of(node):
                for at, line in enumerate(body):
                    if isinstance(line, ast.Deal) and id(line) in bench.located:
                        yield line, meanwhile(bench, line, body[at + 1 :])


def bodies_of(node: ast.Node) -> Iterator[tuple[ast.Statement, ...]]:
    body = getattr(node, "body", None)
    if isinstance(body, tuple):
        yield body


def meanwhile(
    bench: Workbench, draw: ast.Deal, following: tuple[ast.Statement, ...]
) -> tuple[ast.Statement, ...]:
    """From the draw to the last line that speaks of what was drawn."""
    count = bench.expression(draw.count)
    if draw.up_to or not count.is_constant or count.value < 1:
        raise CannotCompile("what was drawn may be of an earlier time, and of equal components another is meant", draw,
                            "draw a number that is fixed, without `up to`")
    speaks = [at for at, line in enumerate(following) if speaks_of(bench, line, draw)]
    return following[: speaks[-1] + 1] if speaks else ()


def speaks_of(bench: Workbench, line: ast.Statement, draw: ast.Deal) -> bool:
    return any(isinstance(one, ast.Name) and bench.meaning(one) is draw for one in walk(line))


def statements_in(bench: Workbench, node: ast.Node) -> Iterator[ast.Node]:
    """A statement, those below it, and those of steps that it does."""
    for one in walk(node):
        yield one
        if isinstance(one, ast.Do):
            step = bench.meaning(one.step)
            assert isinstance(step, ast.Step)
            for line in step.body:
                yield from statements_in(bench, line)


def look_at(bench: Workbench, node: ast.Node) -> None:
    if id(node) in bench.left_out:
        return
    if isinstance(node, QUESTIONS):
        raise CannotCompile(BETWEEN, node, SOONER)
    if isinstance(node, ast.Shuffle) and isinstance(room_meant(bench, node.what), VariableRoom):
        raise CannotCompile(BETWEEN, node, SOONER)
    if isinstance(node, (ast.Move, ast.Shuffle)) and kinds_meant(bench, base_of(node.what)) is not None:
        raise CannotCompile("all components are moved while one of equal ones is followed", node,
                            "move them afterwards")
    if isinstance(node, ast.Move) and node.all and is_shuffled(bench, node.what) and is_shuffled(bench, node.target):
        raise CannotCompile("a pile is put on another while one of equal components is followed", node,
                            "move it afterwards")


def is_shuffled(bench: Workbench, node: ast.Expr) -> bool:
    if isinstance(node, ast.Of) and zone_meant(bench, node) is None:
        node = node.owner
    room = zone_meant(bench, node)
    return isinstance(room, ZoneRoom) and room.is_shuffled
