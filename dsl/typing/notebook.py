"""What is found out about a game while its expressions are read: the side tables, and the complaints."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.intervals import COUNT
from rulesrun.dsl.typing.names import DeclaredNames, Scope
from rulesrun.dsl.typing.program import Meaning
from rulesrun.dsl.typing.relations import UNKNOWN, describe_type, is_assignable
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, PlayerOf, TruthOf, Type, WordOf, split_kinds

Infer = Callable[["Notebook", ast.Expr, Scope, Type | None], Type]
TOP = Scope()
ONE = NumberOf(1, 1)
DEEPEST = 110
MOST_COMPLAINTS = 100


class TooManyComplaints(Exception):
    """The rest of the game is not looked at."""



@define(eq=False)
class Notebook:
    """`infer_expression` is set once by the module that can read every expression; the others need not know it."""

    game: ast.Game
    names: DeclaredNames
    infer_expression: Infer
    meanings: dict[ast.Node, Meaning] = field(factory=dict)
    types: dict[ast.Node, Type] = field(factory=dict)
    declared: dict[ast.Node, Type] = field(factory=dict)
    busy: list[ast.Node] = field(factory=list)
    diagnostics: list[Diagnostic] = field(factory=list)
    players: NumberOf = ONE
    rounds: NumberOf = COUNT
    kind_counts: dict[str, NumberOf] = field(factory=dict)
    oversized: set[ast.Components] = field(factory=set)
    boards_read: set[str] = field(factory=set)  # whose sizes are being read
    level: int = 0

    def report(
        self, code: str, sentence: str, node: ast.Node, hint: str | None = None, related: tuple[Related, ...] = (),
        edits: tuple[Edit, ...] = (),
    ) -> Type:  # fmt: skip
        """An error; gives the type that suppresses followers."""
        self.add_diagnostic(Diagnostic(code, sentence, node.span, hint, related=related, edits=edits))
        return UNKNOWN

    def add_diagnostic(self, found: Diagnostic) -> None:
        """Keeps it; gives up when there are too many, since every one of them costs a search for what was meant."""
        self.diagnostics.append(found)
        if len(self.diagnostics) >= MOST_COMPLAINTS:
            raise TooManyComplaints

    def infer_type(self, node: ast.Expr, scope: Scope, hint: Type | None = None) -> Type:
        """What the expression gives. The hint helps to choose among words of the same name; it demands nothing."""
        if self.level > DEEPEST:
            return self.report(
                "too-deep", message("this uses too many nested definitions or brackets"), node, message(
                    "split it into steps"
                )
            )
        self.level += 1
        found = self.infer_expression(self, node, scope, hint)
        self.level -= 1
        self.types[node] = found
        return found

    def require_type(self, node: ast.Expr, scope: Scope, expected: Type) -> Type:
        """As `infer_type`, and a complaint when it does not fit."""
        found = self.infer_type(node, scope, expected)
        if not is_assignable(expected, found):
            return self.report_wrong_type(node, expected, found)
        return found

    def report_wrong_type(self, node: ast.Expr, expected: Type, found: Type) -> Type:
        sentence = message(
            "expected {expected_type}, found {found_type}",
            expected_type=describe_type(expected),
            found_type=describe_type(found),
        )
        hint = suggest_conversion(found, expected)
        return self.report("wrong-type", sentence, node, hint, edits=convert_by_edits(node, found, expected))

    def require_number(self, node: ast.Expr, scope: Scope) -> NumberOf:
        """A number is required here; its bounds."""
        found = self.require_type(node, scope, COUNT)
        return found if isinstance(found, NumberOf) else COUNT

    def record_meaning(self, name: ast.Name, meaning: Meaning, type: Type) -> Type:
        self.meanings[name] = meaning
        self.types[name] = type
        return type

    def meaning_of_place(self, node: ast.Expr) -> Meaning | None:
        """Of the name behind `x`, `x[k]`, `x of p`."""
        name = name_of(node)
        return self.meanings.get(name) if name is not None else None

    def phase_words(self) -> WordOf:
        return WordOf("phase", tuple(self.names.phases))

    def copies_of_kind(self, kind: str) -> NumberOf:
        """How many components of a kind there are, over all tables."""
        found = [self.kind_counts.get(one, COUNT) for one in split_kinds(kind)]
        return NumberOf(sum(one.low for one in found), min(COUNT.high, sum(one.high for one in found)))

    def find_kind(self, type: Type) -> ast.Components | None:
        """The declaration of a component type."""
        found = self.names.things.get(type.kind) if isinstance(type, ComponentOf) else None
        return found if isinstance(found, ast.Components) else None


    def find_board(self, type: Type | None) -> ast.Components | None:
        """The declaration of the board that a place belongs to."""
        found = self.find_kind(type) if type is not None else None
        return found if found is not None and found.board is not None else None


def find_marker_of_board(book: Notebook, type: Type | None) -> str | None:
    """The only marker that says what stands on the places of a board."""
    board = book.find_board(type)
    found = [
        thing.name.text for thing in book.names.things.values()
        if board is not None and isinstance(thing, ast.Variable) and thing.word == "marker" and len(thing.keys) == 1
        and isinstance(thing.keys[0], ast.NamedType) and thing.keys[0].name.text == board.name.text
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def convert_by_edits(node: ast.Expr, found: Type, expected: Type) -> tuple[Edit, ...]:
    """As `suggest_conversion` says, where it can be written around what stands there."""
    start, end = node.span.start, node.span.end
    match expected, found:
        case CollectionOf(item), _ if found == item:
            return Edit(start, start, "{"), Edit(end, end, "}")
        case NumberOf(), TruthOf():
            return Edit(start, start, "(if "), Edit(end, end, " then 1 else 0)")
        case NumberOf(), CollectionOf() if isinstance(node, ast.Name | ast.Of | ast.Index | ast.Call | ast.SetOf):
            return (Edit(start, start, "count of "),)
        case NumberOf(), CollectionOf():
            return Edit(start, start, "count of ("), Edit(end, end, ")")
        case _:
            return ()


def suggest_conversion(found: Type, expected: Type) -> str | None:
    """What people mean who write the one where the other belongs."""
    match expected, found:
        case PlayerOf(), NumberOf():
            return message("the players themselves are `players`, as in `some p in players has …`")
        case PlayerOf(), CollectionOf(item=PlayerOf()):
            return message("one of them is `left of player`; to do it for all, write `each p in …` above this line")
        case TruthOf(), NumberOf():
            return message("a condition compares, as in `n = 3`; one of several values: `n in {{3, 7}}`")
        case NumberOf(), TruthOf():
            return message("as a number: `if … then 1 else 0`")
        case CollectionOf(item), _ if found == item:
            return message("a single one is a set in braces: `{{…}}`")
        case NumberOf(), CollectionOf():
            return message("for their number, write `count of …`")
        case NumberOf(), ComponentOf():
            return message("for a number, name the attribute, as in `rank of …`")
        case _:
            return None
