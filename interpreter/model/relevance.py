"""Which parts of the rules can matter at a table: takes a table, gives the nodes that are ever worked out there.

What the options have settled before the game is left out: the words of a condition that is always false ask nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.typing.program import BuiltinMeaning, WordMeaning
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core_lowering import lower_expression, lower_statement
from rulesrun.interpreter.model.known_constructs import Known, find_unknown_construct

SILENT = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Players | ast.Teams | ast.Option | ast.Require | ast.Example
    | ast.Words | ast.Figure
)


def live_nodes(bench: Workbench, *, properties: bool = True) -> Iterator[ast.Node]:
    """Every node of the rules that is worked out while playing; examples and options are not."""
    waiting: list[ast.Node] = [
        one
        for one in bench.program.game.declarations
        if not isinstance(one, SILENT) and (properties or not isinstance(one, ast.Property))
    ]
    waiting.reverse()
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(live_parts(bench, node))))


def live_statements(bench: Workbench) -> Iterator[core.Statement]:
    return (lower_statement(bench, node) for node in live_nodes(bench) if isinstance(node, ast.Statement))


def live_operations(bench: Workbench) -> Iterator[core.Core]:
    """Every operation that is worked out while playing."""
    waiting = list(live_roots(bench))[::-1]
    while waiting:
        yield (lowered := lower_expression(bench, waiting.pop()))
        parts = [part for part in core.list_operands(lowered) if not is_constant_truth(bench, part)]
        waiting.extend(reversed(parts))


def live_roots(bench: Workbench) -> Iterator[core.Operand]:
    """What is worked out and is no part of another expression. A name that is none of a value, of a step or of what
    is just declared, is not worked out."""
    inside = set[int]()
    for node in live_nodes(bench):
        if id(node) in inside or isinstance(node, ast.Expr):
            inside.update(id(part) for part in children(node))
        if isinstance(node, ast.Expr) and id(node) not in inside and has_value(bench, node):
            yield node


def has_value(bench: Workbench, node: ast.Expr) -> bool:
    meaning = bench.meaning(node)
    is_none = meaning is None or isinstance(meaning, ast.Step | ast.Action | ast.Memory | ast.Table)
    return not (isinstance(node, ast.Name) and is_none)


def find_words_named(bench: Workbench, values: core.Values) -> set[str]:
    """The words of a list that are named in what is worked out while playing."""
    meanings = (bench.meaning(node) for node in live_nodes(bench))
    words = (one for one in meanings if isinstance(one, WordMeaning))
    return {one.word for one in words if one.type_name == values.name.text}


def live_parts(bench: Workbench, node: ast.Node) -> Iterator[ast.Node]:
    match node:
        case ast.If(branches=branches):
            yield from live_branches(bench, branches)
        case ast.Phase(when=when) if constant_truth(bench, when) is False:
            return
        case _:
            yield from (part for part in children(node) if not is_constant_truth(bench, part))


def live_branches(bench: Workbench, branches: Iterable[core.Branch]) -> Iterator[core.Branch]:
    """Those that the options have not shut out."""
    for branch in branches:
        settled = constant_truth(bench, branch.condition)
        if settled is not False:
            yield branch
        if settled is True:
            return


def is_constant_truth(bench: Workbench, node: ast.Node) -> bool:
    """Whether it is one of several parts, and its value is known before the game: then its own parts ask nothing.

    A name alone stays: that it is named may matter.
    """
    if isinstance(node, (ast.Name, ast.SetOf, ast.Literal)):
        return False
    known = bench.ready.get(id(node))
    return known is not None and known[1].is_constant and isinstance(known[1].value, bool)


def has_only_known_constructs(bench: Workbench, known: Known) -> bool:
    """Whether a proof knows all constructs of these rules. `known`: those that it was written for."""
    return find_unknown_construct(bench, known) is None


def constant_truth(bench: Workbench, condition: ast.Expression | None) -> bool | None:
    """What a condition comes to, where that is known before the game."""
    if condition is None:
        return None
    known = bench.ready.get(id(condition))
    return bool(known[1].value) if known is not None and known[1].is_constant else None


def has_one_round(bench: Workbench) -> bool:
    rounds = bench.rounds
    known = bench.ready.get(id(rounds.count)) if rounds is not None else None
    return rounds is None or (known is not None and known[1].is_constant and known[1].value == 1)


def find_words_asked(bench: Workbench, *words: str) -> set[str]:
    """Which of these words of the language the rules use while playing."""
    written = builtin_words_among(bench.program.names.values()) & {*words}
    if not written:
        return written
    return written & builtin_words_among(
        bench.meaning(node) for node in live_nodes(bench) if isinstance(node, ast.Name)
    )


def builtin_words_among(meanings: Iterable[object]) -> set[str]:
    return {meaning.name for meaning in meanings if isinstance(meaning, BuiltinMeaning)}


def find_memories_asked(bench: Workbench, *, properties: bool) -> set[int]:
    """The slots of the memories that `times` is asked of; of properties only those judged on the way."""
    found = set[int]()
    if not bench.memories:
        return found
    roots = live_nodes(bench, properties=False)
    moments = (one for one in bench.properties if one.word in {"at end", "after"} or properties)
    for node in [*roots, *(part for one in moments for part in walk(one))]:
        memory = find_memory_asked(bench, node)
        if memory is not None:
            found.add(bench.memories[id(memory)])
    return found


def find_memory_asked(bench: Workbench, node: ast.Node) -> ast.Memory | None:
    """The memory in `times(…)`."""
    if not isinstance(node, ast.Call) or not isinstance(bench.meaning(node.name), BuiltinMeaning):
        return None
    meaning = bench.meaning(node.arguments[0]) if node.arguments else None
    return meaning if isinstance(meaning, ast.Memory) else None


def unjudged(bench: Workbench) -> tuple[ast.Property, ...]:
    """Properties that ask how long a game has lasted, or how often a position has come where the rules themselves do
    not: positions stay the same whenever and however often they come, so that nothing can be said of these."""
    slots = find_memories_asked(bench, properties=True) - find_memories_asked(bench, properties=False)
    return tuple(
        one
        for one in bench.properties
        if one.bound is not None or (slots and asks_times(bench, one))
    )


def asks_times(bench: Workbench, one: ast.Property) -> bool:
    return one.word not in {"at end", "after"} and any(find_memory_asked(bench, part) is not None for part in walk(one))
