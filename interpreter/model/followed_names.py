"""How long it must be followed which of equal components is meant. Takes a table and its flow; gives the statements
that move components meanwhile.

Where nobody is asked anything until then, what is followed lies outside a position, and few statements need to tell of
what they move. Where somebody is, or a marker remembers a component, it belongs to the position, and every movement
tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import statements_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core_lowering import lower_statement
from rulesrun.interpreter.model.flow_decisions import instructions_of, may_ask
from rulesrun.interpreter.model.instructions import Flow, GatherElements, Instruction, Reach
from rulesrun.interpreter.model.located_names import LocatedNameSearch, asks_for_position, find_component_kinds
from rulesrun.interpreter.model.locations import find_base_zone, find_choice_source, is_chosen_by_place
from rulesrun.interpreter.model.places import find_zone

Lines = tuple[ast.Statement, ...]
LOOPS = (core.ForEach, core.EachPlayer, core.Repeat, core.Turns)


@frozen
class FollowedStatements:
    """The ids of the statements during which a component is followed, and of the choices that are. `always`: some are
    followed from one question to the next."""

    statements: frozenset[int]
    choices: frozenset[int]
    always: bool


def find_followed_statements(bench: Workbench, flow: Flow) -> FollowedStatements:
    found, always, chosen = set[int](), bool(bench.marked), dict(followed_choices(bench))
    for meanwhile in followed_stretches(bench, flow, chosen.values()):
        always = always or any(map(may_ask, meanwhile))
        found.update(id(one.node) for one in meanwhile if isinstance(one, Reach))
    always = always or any(may_be_of_earlier(bench, draw) for draw in located_draws(bench))
    return FollowedStatements(frozenset(found), frozenset(chosen), always)


def followed_stretches(bench: Workbench, flow: Flow, chosen: Iterable[Lines]) -> Iterator[list[Instruction]]:
    """What is done while a component is followed: one that is gone through, or was drawn, or `chosen`."""
    for at, one in enumerate(flow.instructions if bench.located else ()):
        if isinstance(one, GatherElements) and id(one.each) in bench.located:
            scope = flow.scopes[at]
            assert scope is not None
            yield flow.instructions[at : scope.last]
    for lines in (*draw_extents(bench), *chosen):
        yield list(instructions_of(flow, lines))


# ---- choices


def followed_choices(bench: Workbench) -> Iterator[tuple[int, Lines]]:
    """The choices after which something may move before their component does, and the statements until then.

    Of others the first such component in its zone is still the one that was chosen.
    """
    for action in bench.actions:
        for choice in action.choices:
            if id(choice) in bench.located and find_choice_source(bench, choice) is not None:
                lines = lines_until_last_use(bench, action.body, choice)
                before = [one for line in lines for one in nested_statements(bench, line)]
                used = [at for at, one in enumerate(before) if uses_choice(bench, one, choice)]
                is_last = bool(used) and not isinstance(lower_statement(bench, lines[-1]), LOOPS)
                before = before[: used[-1]] if is_last else before
                if used and (
                    is_chosen_by_place(bench, choice) or any(disturbs_choice(bench, one, choice) for one in before)
                ):
                    yield id(choice), lines


def lines_until_last_use(bench: Workbench, body: Lines, choice: ast.Choice) -> Lines:
    used = [
        at
        for at, line in enumerate(body)
        if any(uses_choice(bench, one, choice) for one in nested_statements(bench, line))
    ]
    return body[: used[-1] + 1] if used else ()


def uses_choice(bench: Workbench, node: ast.Node, choice: ast.Choice) -> bool:
    """Whether it is the component that lies there that is meant, not only what is written on it."""
    finding = LocatedNameSearch(bench, [])
    if isinstance(node, ast.Statement):
        finding.mark_all(list_located_in(bench, lower_statement(bench, node)))
    elif isinstance(node, ast.Call):
        finding.mark_all(node.arguments[:1] if asks_for_position(bench, node) else node.arguments)
    return id(choice) in finding.found


def list_located_in(bench: Workbench, done: core.Statement) -> tuple[core.Operand, ...]:
    """Of what expressions the components are meant as they lie."""
    match done:
        case core.Move(transfers=transfers):
            return tuple(one.taken.what for one in transfers)
        case core.Mix(place=place, added=added):
            return (added.what if added is not None else place.node,)
        case core.Assign(place=core.Contents(room=room), value=value) if id(room.declaration) in bench.marked:
            return (value,)
        case core.ForEach(each=each):
            return (each.collection,)
        case core.Assign() | core.Adjust() | core.Draw() | core.DrawValue() | core.DrawOrder() | core.Show():
            return ()
        case core.Record() | core.CountPoints() | core.End():
            return ()
        case core.Choose() | core.If() | core.EachPlayer() | core.Turns() | core.Repeat() | core.Do():
            return ()
        case _:
            assert_never(done)


def disturbs_choice(bench: Workbench, node: ast.Node, choice: ast.Choice) -> bool:
    """Whether another may be the first such component in its zone afterwards."""
    if not isinstance(node, ast.Statement):
        return False
    done, kinds = lower_statement(bench, node), find_component_kinds(bench, choice.domain)
    match done:
        case core.Move() | core.Mix():
            return any(find_component_kinds(bench, what) is kinds for what in list_located_in(bench, done))
        case core.Draw(room=room):
            own = find_zone(bench, find_base_zone(bench, choice.domain) or choice.domain)
            return own is None or room is own or own.sort_key is not None
        case core.Choose():
            return True
        case core.Assign() | core.Adjust() | core.DrawValue() | core.DrawOrder() | core.Show():
            return False
        case core.Record() | core.CountPoints() | core.End():
            return False
        case core.If() | core.ForEach() | core.EachPlayer() | core.Turns() | core.Repeat() | core.Do():
            return False  # the statements in it come by themselves
        case _:
            assert_never(done)


# ---- draws


def draw_extents(bench: Workbench) -> Iterator[Lines]:
    """Of every draw whose component is followed the lines from there to the last that speaks of it."""
    nodes = (node for one in bench.program.game.declarations for node in walk(one)) if bench.located else ()
    for body in (body for node in nodes for body in bodies_of(node)):
        for at, line in enumerate(body):
            if isinstance(line, ast.Deal) and id(line) in bench.located and id(line) not in bench.left_out:
                speaks = [after for after in range(at + 1, len(body)) if mentions_draw(bench, body[after], line)]
                yield body[at + 1 : speaks[-1] + 1] if speaks else ()


def bodies_of(node: ast.Node) -> Iterator[Lines]:
    body = getattr(node, "body", None)
    if isinstance(body, tuple):
        yield body


def mentions_draw(bench: Workbench, line: ast.Statement, draw: ast.Deal) -> bool:
    return any(isinstance(one, ast.Name) and bench.meaning(one) is draw for one in walk(line))


def nested_statements(bench: Workbench, node: ast.Node) -> Iterator[ast.Node]:
    """A statement, those below it, and those of steps that it does."""
    for one in walk(node):
        yield one
        done = lower_statement(bench, one) if isinstance(one, ast.Statement) else None
        for line in done.step.body if isinstance(done, core.Do) else ():
            yield from nested_statements(bench, line)


def located_draws(bench: Workbench) -> Iterator[ast.Deal]:
    for node, _ in statements_of(bench.program.game) if bench.located else ():
        if isinstance(node, ast.Deal) and id(node) in bench.located and id(node) not in bench.left_out:
            yield node


def may_be_of_earlier(bench: Workbench, draw: ast.Deal) -> bool:
    """What was drawn here may be what an earlier draw brought, and has been moved since."""
    count = bench.compile(draw.count)
    return draw.up_to or not count.is_constant or count.value < 1
