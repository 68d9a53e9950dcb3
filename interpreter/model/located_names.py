"""Which names must say where their component lies, not only which one it is. Takes a table being set up, gives nodes.

Equal components are one kind. Where several of them lie in rows and piles, a name that is moved, or whose `position`
is asked, means the one that lies there: such names are found here, once for the whole table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of, footprint_of_expression
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.program import ItMeaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OptionalOf, OrderOf, Type, split_kinds
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.core import Operand

Named = ast.Each | ast.Filter | ast.Deal | ast.Choice | ast.Parameter | ast.Variable


def component_type_name(found: Type | None) -> str | None:
    """The declaration's name, of a component or of several."""
    while isinstance(found, (CollectionOf, OptionalOf, OrderOf)):
        found = found.item
    return found.kind if isinstance(found, ComponentOf) else None


def find_component_kinds(bench: Workbench, node: ast.Node) -> Kinds | None:
    name = component_type_name(bench.type_of(node))
    return bench.kinds_called(name) if name is not None else None


def base_of_filters(node: Operand) -> Operand:
    while isinstance(node, ast.Filter):
        node = node.collection
    return node


def is_combination(named: object) -> bool:
    """Whether it stands for one combination after the other: a set of its own, wherever its components lie."""
    if not isinstance(named, ast.Each | ast.Filter):
        return False
    return isinstance(base_of_filters(named.collection), ast.Combinations)


def names_several(bench: Workbench, each: ast.Each, is_single: bool) -> bool:
    """Whether `let`, or a step, gives one name to several components. `is_single`: the lines are done once."""
    found = bench.type_of(each.collection)
    is_list = isinstance(found, CollectionOf) and isinstance(found.item, CollectionOf)
    return is_single and is_list and has_equals(bench, each.collection)


@frozen(eq=False)
class ComponentName:
    """What stands for a component that may be followed. `binder`: what operations name; `is_several`: one name for
    several, one after the other or at once; `marker`: a variable that stands on components."""

    binder: ast.Each | ast.Deal | ast.Choice | ast.Variable
    is_several: bool = False
    marker: VariableRoom | None = None

    @property
    def is_choice(self) -> bool:
        return isinstance(self.binder, ast.Choice)


def list_component_names(bench: Workbench) -> Iterator[ComponentName]:
    """Choices, markers, elements that an `each` goes through, what was drawn; in the order of the rules."""
    for declaration in bench.program.game.declarations:
        for node in walk(declaration):
            match node:
                case ast.Choice(count=count):
                    yield ComponentName(node, count is not None)
                case ast.Variable():
                    yield ComponentName(node, marker=bench.variables.get(id(node)))
                case ast.ForEach(each=each):
                    yield ComponentName(each, True)
                case ast.Deal():
                    yield ComponentName(node)
                case _:
                    pass


def find_element(bench: Workbench, node: object) -> ast.Each | None:
    """Of an `each` what it goes through, one after the other; not of what gives one name to several."""
    if not isinstance(node, ast.ForEach) or names_several(bench, node.each, node.word != "each"):
        return None
    return node.each


def kinds_with_equals(bench: Workbench) -> frozenset[str]:
    """Declarations of which equal components may lie in an order somewhere."""
    zones = [zone for zone in bench.declarations(ast.Zone) if zone.kind in {"row", "pile"}]
    ordered = [bench.kinds_called(zone.component.text) for zone in zones]
    found = [one for one in bench.kinds.values() if one in ordered and max(one.copies, default=0) > 1]
    names = {part.declaration.name.text for one in found for part in one.parts}
    return frozenset(names | {one.declaration.name.text for one in found})


def moved_parts(node: ast.Statement) -> tuple[Operand, ...]:
    done = footprint_of(node)
    return (*done.takes, *done.mixes)


def asks_for_position(bench: Workbench, node: ast.Call) -> bool:
    return bench.is_word(node.name, "position") and has_equals(bench, node.arguments[0])


def has_equals(bench: Workbench, node: ast.Node) -> bool:
    name = component_type_name(bench.type_of(node))
    return name is not None and split_kinds(name)[0] in bench.equals


def find_located_names(bench: Workbench) -> frozenset[int]:
    """The ids of the binders, choices, draws, parameters and variables whose component's place matters."""
    if not bench.equals:
        return frozenset()
    nodes = (node for one in bench.program.game.declarations for node in walk(one))
    finding = LocatedNameSearch(bench, [node for node in nodes if isinstance(node, ast.Statement | ast.Call)])
    finding.mark_moved()
    known = -1
    while known != len(finding.found):
        known = len(finding.found)
        finding.mark_assigned()
    return frozenset(finding.found)


@define(eq=False)
class LocatedNameSearch:
    bench: Workbench
    nodes: list[ast.Node]
    found: dict[int, Named] = field(factory=dict)
    seen: set[int] = field(factory=set)  # ids of the expressions gone through

    def mark_moved(self) -> None:
        for node in self.nodes:
            if isinstance(node, ast.Statement):
                self.mark_all(one for one in moved_parts(node) if has_equals(self.bench, one))
            elif isinstance(node, ast.Call) and asks_for_position(self.bench, node):
                self.mark_expression(node.arguments[0])

    def mark_assigned(self) -> None:
        """What is put into a variable, or given for a parameter, whose place matters."""
        for node in self.nodes:
            if isinstance(node, ast.Statement):
                done = footprint_of(node)
                if any(self.is_found(place) for place in done.writes):
                    self.mark_all(done.reads)
            elif isinstance(node, ast.Call):
                meaning = self.bench.meaning(node.name)
                if isinstance(meaning, ast.Define):
                    for parameter, argument in zip(meaning.parameters, node.arguments, strict=False):
                        if id(parameter) in self.found:
                            self.mark_expression(argument)

    def is_found(self, target: Operand) -> bool:
        while isinstance(target, (ast.Of, ast.Index)):
            target = target.subject if isinstance(target, ast.Of) else target.name
        return isinstance(target, ast.Name) and id(self.bench.meaning(target)) in self.found

    def mark_all(self, nodes: Iterable[Operand]) -> None:
        for node in nodes:
            self.mark_expression(node)

    def mark_expression(self, node: Operand) -> None:
        """The component, or the components, that an expression gives are meant as they lie."""
        if id(node) in self.seen:
            return
        self.seen.add(id(node))
        if isinstance(node, ast.Name):
            self.mark_name(node)
        else:
            assert isinstance(node, ast.Expr)
            self.mark_all(footprint_of_expression(node).gives)

    def mark_name(self, node: ast.Name) -> None:
        meaning = self.bench.meaning(node)
        named = meaning.element if isinstance(meaning, ItMeaning) else meaning
        match named:
            case ast.Each() | ast.Filter() if is_combination(named):
                pass
            case ast.Define(body=body):
                self.mark_expression(body)
            case ast.Each(_, collection):
                self.add_if_has_equals(named, node)
                self.mark_expression(collection)
            case ast.Choice():
                self.add_if_has_equals(named, node)
                self.mark_expression(named.domain)
            case ast.Filter() | ast.Deal() | ast.Parameter() | ast.Variable():
                self.add_if_has_equals(named, node)
            case _:
                pass

    def add_if_has_equals(self, meaning: Named, node: ast.Name) -> None:
        if has_equals(self.bench, node):
            self.found[id(meaning)] = meaning
