"""What is known while a table is being set up: slots handed out, kinds, option values, registers of names."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from attrs import Factory, define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.ast.pieces import list_rule_cells
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import walk_mentions
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import BuiltinMeaning, Meaning, Program
from rulesrun.dsl.typing.types import NumberOf, Type, split_kinds
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.location_updates import FollowedPlaces
from rulesrun.interpreter.model.values import FIRST_SCRATCH, MOST_WORK, WORK, Code, RefusedTable, Run, fault

MOST_SLOTS = 50_000


@frozen(eq=False)
class ZoneRoom:
    """Where the instances of a zone lie: player by player, key by key, from slot `base`."""

    declaration: ast.Zone
    kinds: Kinds
    base: int
    keys: tuple[tuple[Any, ...], ...]  # the values of each key
    amount: int  # how many instances
    per_player: int  # how many instances a player has (all of them for a common zone)
    names: tuple[str, ...]
    capacity: int | None
    is_shuffled: bool  # some statement shuffles it: it may hold an unordered part
    sort_key: tuple[Any, ...] | None
    seers: tuple[frozenset[int], ...] = ()  # by instance who sees it, where seats are named


@frozen(eq=False)
class VariableRoom:
    declaration: ast.Variable
    base: int
    keys: tuple[tuple[Any, ...], ...]
    amount: int
    per_player: int
    names: tuple[str, ...]
    low: int | None
    high: int | None
    seers: tuple[frozenset[int], ...] = ()  # as of a zone

    # of what it holds
    is_optional: bool = field(init=False, default=Factory(
        lambda self: isinstance(self.declaration.type, ast.Optional), takes_self=True
    ))
    holds_truth: bool = field(init=False, default=Factory(
        lambda self: isinstance(self.held_type, ast.TruthType), takes_self=True
    ))
    holds_order: bool = field(init=False, default=Factory(  # an order, or an order or nothing
        lambda self: isinstance(self.held_type, ast.OrderType), takes_self=True
    ))

    @property
    def is_order(self) -> bool:
        """Always one, never nothing."""
        return self.holds_order and not self.is_optional

    @property
    def held_type(self) -> ast.TypeExpr:
        """Of what it holds when it holds something."""
        written = self.declaration.type
        return written.item if isinstance(written, ast.Optional) else written

    @property
    def item_type(self) -> ast.TypeExpr:
        """Of what it holds: of an order, of what stands at each place."""
        written = self.declaration.type
        return written.item if isinstance(written, ast.OrderType) else written


Declared = TypeVar("Declared", bound=ast.Declaration)


class Watcher(Protocol):
    """Is told which parts of the rules are reached in a game; asked for while a table is being set up."""

    def compile_expression(self, bench: Workbench, node: ast.Expression) -> Code: ...

    def note_effect(self, node: ast.Node) -> Run: ...


@define(eq=False)
class Workbench:
    program: Program
    players: int
    make_ready: Callable[[Workbench, ast.Expression], Code]
    lay_out_kinds: Callable[[ast.Components], None] = field(init=False)
    lister_of_action: Callable[[ast.Action], Callable[[list[Any]], list[tuple[Any, ...]]]] = field(init=False)
    option_values: dict[int, Any] = field(factory=dict)  # id(option) -> value
    kinds: dict[int, Kinds] = field(factory=dict)  # id(components) -> kinds
    shared: dict[int, Kinds] = field(factory=dict)  # id(components) -> those of which they are a part
    boxes: dict[int, int] = field(factory=dict)  # id(components) -> slot of the box
    zones: dict[int, ZoneRoom] = field(factory=dict)
    box_rooms: dict[int, ZoneRoom] = field(factory=dict)  # id(zone) -> a box from which faces of dice are drawn
    variables: dict[int, VariableRoom] = field(factory=dict)
    memories: dict[int, int] = field(factory=dict)
    registers: dict[int, int] = field(factory=dict)  # id(binder, choice, alias, parameter) -> slot
    draws: dict[int, tuple[int, Run]] = field(factory=dict)  # id(draw) -> register of its element, its condition
    elements: list[tuple[int, str | None]] = field(factory=list)  # slots of unnamed elements, innermost last
    calls: dict[int, Code] = field(factory=dict)
    blank: list[Any] = field(factory=lambda: [0, 1, 0, 1, 0, (), (), None, None])
    is_charged: bool = True  # until it is known that there is little to charge for
    scratch: int = FIRST_SCRATCH
    ready: dict[int, tuple[ast.Expression, Code]] = field(factory=dict)
    core: dict[int, tuple[ast.Expression, Any]] = field(factory=dict)  # id(expression) -> its operation
    effects: dict[int, tuple[ast.Statement, Any]] = field(factory=dict)  # id(statement) -> what it does
    befores: list[tuple[int, Code]] | None = None
    blank_names: dict[int, str] = field(factory=dict)
    watcher: Watcher | None = None
    equals: frozenset[str] = frozenset()  # components of which equal ones may lie in an order
    located: frozenset[int] = frozenset()  # ids of what must know where its component lies
    wheres: dict[int, int] = field(factory=dict)  # register of a component -> register of where it lies
    marked: dict[int, int] = field(factory=dict)  # id(variable) -> the first slot of where its components lie
    following: FollowedPlaces = field(factory=FollowedPlaces)
    finders: dict[tuple[str, int], tuple[ast.Expression, Any]] = field(factory=dict)
    left_out: Container[object] = ()  # of the rules: id(statement, action, criterion), (id(components), name)
    declared: dict[type[Any], list[Any]] = field(factory=dict)  # the declarations of a kind, in the order of the rules

    # ---- slots

    def new_slot(self, initial: Any, name: str = "") -> int:
        """A slot that belongs to the position."""
        self.blank.append(initial)
        if len(self.blank) > MOST_SLOTS:
            raise self.refusal("too-large", message("the table has too many zones and numbers"))
        if name:
            self.blank_names[len(self.blank) - 1] = name
        return len(self.blank) - 1

    def new_scratch_slot(self) -> int:
        """A slot that is only used while an expression is worked out."""
        self.scratch -= 1
        return self.scratch + 1

    def scratch_size(self) -> int:
        return -self.scratch - 1

    def setup_position(self) -> list[Any]:
        """A position as it stands while the table is being set up, to work out what is fixed."""
        return [*self.blank, *self.scratch_slots()]

    def scratch_slots(self) -> list[Any]:
        slots: list[Any] = [None] * (self.scratch_size() + 1)
        slots[WORK] = MOST_WORK
        return slots

    def compile_charged(self, several: Run, node: Located) -> Run:
        """Going through a collection, charged for where these rules may make it long."""
        if not self.is_charged:
            return several

        def run(S: list[Any]) -> Any:
            found = several(S)
            S[WORK] -= len(found) + 1
            if S[WORK] < 0:
                raise fault("too-much-work", message("this takes too long to work out"), node.span)
            return found

        return run

    # ---- the program

    def meaning(self, node: ast.Node) -> Meaning | None:
        return self.program.names.get(node)

    def meaning_of_place(self, node: ast.Node | None) -> Meaning | None:
        """Of the name behind `x`, `x[k]`, `x of p`."""
        name = name_of(node)
        return self.meaning(name) if name is not None else None

    def names_in(self, node: ast.Node) -> list[Meaning]:
        """What is named there itself."""
        found = (self.meaning(part) for part in walk(node) if isinstance(part, ast.Name))
        return [one for one in found if one is not None]

    def mentions(self, *nodes: ast.Node) -> Iterator[Meaning]:
        """What is named there, also by way of definitions, tables, actions."""
        return walk_mentions(self.meaning, *nodes)

    def names_secrets(self, node: ast.Node) -> bool:
        """Whether a zone or variable that is not public is named there, or in what is named there."""
        things = (one for one in self.mentions(node) if isinstance(one, ast.Zone | ast.Variable))
        return any(one.visibility not in {None, "public"} for one in things)

    def is_word(self, node: ast.Node, *words: str) -> bool:
        """Whether it is one of these words of the language."""
        meaning = self.meaning(node)
        return isinstance(meaning, BuiltinMeaning) and meaning.name in words

    def type_of(self, node: ast.Node) -> Type | None:
        return self.program.types.get(node)

    def kinds_of(self, components: ast.Components) -> Kinds:
        """They are worked out when they are first asked for: an option or a requirement may speak of them."""
        if id(components) not in self.shared and id(components) not in self.kinds:
            self.lay_out_kinds(components)
        return self.shared.get(id(components)) or self.kinds[id(components)]

    def is_joined(self, components: ast.Components) -> bool:
        """Whether components of other declarations may lie in the same places."""
        return any(components.name.text in one for one in self.program.united)

    def kinds_called(self, kind: str) -> Kinds:
        """By the name of a type: `Card`, `Card or Coin`."""
        name = split_kinds(kind)[0]
        return self.kinds_of(next(one for one in self.declarations(ast.Components) if one.name.text == name))

    def bounds_of(self, node: ast.Node) -> tuple[int, int] | None:
        found = self.type_of(node)
        return (found.low, found.high) if isinstance(found, NumberOf) else None

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """Who wins together at this table; everybody alone where the rules do not say it."""
        declared = [one.teams for one in self.declarations(ast.Teams) if one.players == self.players]
        return declared[0] if declared else tuple((seat,) for seat in range(1, self.players + 1))

    @property
    def team_size(self) -> int:
        return len(self.teams[0]) if self.teams else 1

    @property
    def first_seats(self) -> list[int]:
        """Of each team the first seat: what is so of it is so of its partners."""
        return [team[0] for team in self.teams]

    @property
    def is_won_at_once(self) -> bool:
        """By `player wins` and its like, from which the score follows."""
        return any(not line.is_written for score in self.scores for line in score.lines)

    @property
    def zones_at_table(self) -> list[ZoneRoom]:
        """Those that there are for players: not where what is looked at lies for a moment."""
        return [room for room in self.zones.values() if not room.declaration.is_aside]

    def declarations(self, kind: type[Declared]) -> list[Declared]:
        if kind not in self.declared:
            self.declared[kind] = self.program.game.pieces(kind)
        return self.declared[kind]

    @property
    def actions(self) -> list[ast.Action]:
        return self.declarations(ast.Action)

    @property
    def phases(self) -> list[ast.Phase]:
        return self.declarations(ast.Phase)

    @property
    def scores(self) -> list[ast.Score]:
        return self.declarations(ast.Score)

    @property
    def rankings(self) -> list[ast.Ranking]:
        return self.declarations(ast.Ranking)

    @property
    def results(self) -> list[ast.Result]:
        return self.declarations(ast.Result)

    @property
    def options(self) -> list[ast.Option]:
        return self.declarations(ast.Option)

    @property
    def components(self) -> list[ast.Components]:
        return self.declarations(ast.Components)

    @property
    def properties(self) -> list[ast.Property]:
        return self.declarations(ast.Property)

    @property
    def enumerations(self) -> list[ast.Values]:
        return self.declarations(ast.Values)

    @property
    def declared_memories(self) -> list[ast.Memory]:
        return self.declarations(ast.Memory)

    @property
    def rounds(self) -> ast.Rounds | None:
        return next(iter(self.declarations(ast.Rounds)), None)

    @property
    def figures(self) -> list[ast.Figure]:
        return self.declarations(ast.Figure)

    def refusal(self, code: str, sentence: str, node: Located | None = None) -> RefusedTable:
        span = (node or self.program.game).span
        return RefusedTable((Diagnostic(code, sentence, span),))

    def compile(self, node: ast.Expression) -> Code:
        """The expression made ready to run; once for every node."""
        if id(node) not in self.ready:
            self.ready[id(node)] = (node, self.make_ready(self, node))
        return self.ready[id(node)][1]

    def list_component_rules(self) -> list[tuple[str, ast.Expression, Span]]:
        """The rules that single components carry and that are asked for at this table, with what they are called."""
        cells = (cell for components in self.components for cell in list_rule_cells(components))
        asked = (cell for cell in cells if id(cell[2]) in self.calls)
        return [(f"{column.name.text} of {row.name.text}", rule, row.span) for column, row, rule in asked]

    # ---- what does not change while playing

    def compile_player(self, node: ast.Expression) -> Run:
        """A seat; where nobody is meant the rules go wrong here."""
        run, span = self.compile(node).run, node.span

        def seat(S: list[Any]) -> int:
            player: int | None = run(S)
            if player is None:
                raise fault("nothing-used", message("a player is needed here, but there is nobody"), span)
            return player

        return seat

    def constant_value(self, expression: ast.Expression) -> Any:
        """The value of an expression that depends on options and players alone."""
        code = self.compile(expression)
        return code.value if code.is_constant else code.run(self.setup_position())

    def constant_number(self, expression: ast.Expression) -> int:
        value = self.constant_value(expression)
        if not isinstance(value, int):
            raise self.refusal("not-fixed", message(
                "this must be a whole number that is known before the game"
            ), expression)
        return int(value)

    @contextmanager
    def element_scope(self, node: object, slot: int) -> Iterator[None]:
        """Inside, `it` and attributes standing alone speak of this slot."""
        self.registers[id(node)] = slot
        self.elements.append((slot, None))
        try:
            yield
        finally:
            self.elements.pop()

    def reserve_element_slot(self, node: object) -> int:
        """The register of what a node goes through: the same one however often the node is written out."""
        if id(node) not in self.registers:
            self.registers[id(node)] = self.new_scratch_slot()
        return self.registers[id(node)]

    def element_slot(self, node: object | None) -> int:
        if node is not None and id(node) in self.registers:
            return self.registers[id(node)]
        return self.elements[-1][0]


Options = Mapping[str, object]
