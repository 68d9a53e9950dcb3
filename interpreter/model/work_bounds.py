"""How much work an expression can be at most: takes the expressions of a program, gives bounds from above.

A stranger's rules may be finite and still take for ever. Where the bound is large, going through
collections is charged for while playing; small rules are spared that.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of_expression
from rulesrun.dsl.ast.walk import children, walk
from rulesrun.dsl.typing.notebook import MOST_COMBINATIONS, count_combinations
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning, Meaning, Program
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, PlayerOf, TruthOf, Type, WordOf
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Node, Operand
from rulesrun.interpreter.model.core_lowering import lower_statement

MUCH_WORK = 2_000
UNKNOWN_SIZE = 1_000
FOR_EVERYONE = (core.Turns, core.EachPlayer, core.Choose)
ASIDE = (ast.Example, ast.Words, ast.Persona)


@define(eq=False)
class WorkBounds:
    bench: Workbench
    _known: dict[int, int] = field(init=False, factory=dict)

    def work_of(self, node: Operand) -> int:
        """The steps it takes to work out an expression once, at most."""
        if id(node) not in self._known:
            self._known[id(node)] = 0  # should something ask for itself after all
            self._known[id(node)] = min(self.measure_work(node), 10**15)
        return self._known[id(node)]

    def measure_work(self, node: Operand) -> int:
        if isinstance(node, ast.Name):
            return 1 + self.meaning_work(self.bench.meaning(node))
        if isinstance(node, ast.Can):
            meaning = self.bench.meaning(node.action)
            return self.listing_work(meaning) if isinstance(meaning, ast.Action) else 1
        assert isinstance(node, ast.Expr)
        done = footprint_of_expression(node)
        loops = sum(self.loop_work(collection, body) for collection, body in done.repeated)
        made = self.collection_size(node) if isinstance(node, ast.Combinations) else 0
        return 1 + sum(map(self.work_of, done.once)) + loops + made

    def loop_work(self, collection: Operand, body: Operand) -> int:
        return self.work_of(collection) + self.collection_size(collection) * (1 + self.work_of(body))

    def meaning_work(self, meaning: Meaning | None) -> int:
        """What a name stands for, when that has to be worked out."""
        match meaning:
            case ast.Define():
                return self.work_of(meaning.body)
            case ast.ScoreLine():
                return self.work_of(meaning.value)
            case ast.Table():
                return max((self.work_of(entry.value) for entry in meaning.entries), default=0)
            case AttributeMeaning(components, attribute) if attribute.type is None and components.rows:
                column = components.attributes.index(attribute) if attribute in components.attributes else 0
                return max(self.work_of(row.cells[column]) for row in components.rows if column < len(row.cells))
            case _:
                return 0

    def collection_size(self, node: Operand) -> int:
        """How many elements there can be."""
        if isinstance(node, ast.Filter):
            return self.collection_size(node.collection)
        if isinstance(node, ast.Joined):
            return sum(map(self.collection_size, node.parts))
        if isinstance(node, ast.Combinations):
            low, high = self.bench.bounds_of(node.low), self.bench.bounds_of(node.high)
            several = self.collection_size(node.collection)
            return min(count_combinations(several, low[0], high[1]), MOST_COMBINATIONS) if low and high else several
        if isinstance(node, ast.SetOf):
            return len(node.items)
        if isinstance(node, ast.Range):
            low, high = self.bench.bounds_of(node.low), self.bench.bounds_of(node.high)
            return min(max(high[1] - low[0] + 1, 0), 100_000) if low and high else 100_000
        meaning = self.bench.meaning(node)
        if isinstance(meaning, BuiltinMeaning):
            return self.bench.players
        if isinstance(meaning, ast.Define):
            return self.collection_size(meaning.body)
        found = self.bench.type_of(node)
        return self.count_type_values(found.item) if isinstance(found, CollectionOf) else UNKNOWN_SIZE

    def count_type_values(self, of_type: Type) -> int:
        """How many different values a type has; of components how many there are, of places each once."""
        match of_type:
            case NumberOf(low, high):
                return min(high - low + 1, 100_000)
            case WordOf(_, words):
                return len(words)
            case ComponentOf(kind):
                return sum(max(copies, 1) for copies in self.bench.kinds_called(kind).copies)
            case PlayerOf():
                return self.bench.players
            case TruthOf():
                return 2
            case _:
                return UNKNOWN_SIZE

    def listing_work(self, action: ast.Action) -> int:
        """Going through all values of all choices, with the needs asked of each."""
        work = 1 + sum(self.work_of(need.condition) for need in action.needs)
        for choice in reversed(action.choices):
            # several at once are limited by the number of selections, not here
            size = 1 if choice.count is not None else self.collection_size(choice.domain)
            work = 1 + self.work_of(choice.domain) + size * work
        return work

    def statement_work(self, node: Node) -> int:
        """All that a statement asks, but for the statements in it; where it may, of everyone."""
        if not isinstance(node, ast.Statement):
            return 0
        is_of_everyone = isinstance(lower_statement(self.bench, node), FOR_EVERYONE)
        return (self.bench.players if is_of_everyone else 1) * self.declaration_work(node)

    def declaration_work(self, node: Node) -> int:
        """All that is asked in it, but for the statements in it."""
        return sum(map(self.work_of, header_expressions(node)))


def header_expressions(node: ast.Node) -> Iterator[Operand]:
    for child in children(node):
        if isinstance(child, Operand):
            yield child
        elif not isinstance(child, ast.Statement):
            yield from header_expressions(child)


def root_expressions(node: ast.Node) -> Iterator[Operand]:
    """The expressions that do not stand in other expressions."""
    for part in walk(node):
        if not isinstance(part, Operand):
            yield from (child for child in children(part) if isinstance(child, Operand))


_roots: WeakKeyDictionary[Program, tuple[Operand, ...]] = WeakKeyDictionary()


def list_roots(program: Program) -> tuple[Operand, ...]:
    """Of all declarations; gone through once for all tables of a program."""
    found = _roots.get(program)
    if found is None:
        declarations = program.game.declarations
        found = _roots[program] = tuple(root for one in declarations for root in root_expressions(one))
    return found


def list_played_roots(program: Program) -> list[Operand]:
    """Without those of declarations that say nothing of how a game goes."""
    declarations = (one for one in program.game.declarations if not isinstance(one, ASIDE))
    return [root for one in declarations for root in root_expressions(one)]


def is_much_work(bench: Workbench) -> bool:
    """Whether something in these rules can be so much work that it must be charged for."""
    work = WorkBounds(bench)
    if any(work.work_of(root) > MUCH_WORK for root in list_roots(bench.program)):
        return True
    return any(work.listing_work(action) > MUCH_WORK for action in bench.actions)
