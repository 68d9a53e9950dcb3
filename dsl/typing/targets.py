"""What can be changed: variables and the starter; and where components can be put."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.builtins import NAMES
from rulesrun.dsl.typing.mixed_kinds import suggest_kind_test
from rulesrun.dsl.typing.names import Scope, find_local_name
from rulesrun.dsl.typing.notebook import Notebook, find_marker_of_board
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.typing.relations import PLAYER, UNKNOWN, describe_type, strip_optional
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, Type, Unknown, split_kinds

ZONE = CollectionOf(UNKNOWN, is_zone=True)


def infer_target(book: Notebook, node: ast.Expr, scope: Scope) -> Type:
    """The type of what is changed; a complaint when it cannot be."""
    name = name_of(node)
    if name is not None and _is_undeclared(book, name, scope):
        return _report_undeclared(book, name)
    found = book.infer_type(node, scope)
    meaning = book.meanings.get(name) if name is not None else None
    if isinstance(meaning, ast.Variable) and _is_whole_variable(node, meaning):
        return found
    if isinstance(meaning, BuiltinMeaning) and meaning.name == "starter":
        return found
    if isinstance(found, Unknown):
        return UNKNOWN
    sentence = message("{name_or_this} cannot be changed", name_or_this=_name_or_this(name, meaning))
    marker = find_marker_of_board(book, found)
    if marker is not None:
        written = f"{marker}[{text_of_expression(node)}]"
        edits = (Edit(node.span.start, node.span.end, written),)
        return book.report("not-assignable", sentence, node, message("write `{written}`", written=written), edits=edits)
    return book.report("not-assignable", sentence, node, _suggest_target(meaning))


def _is_undeclared(book: Notebook, name: ast.Name, scope: Scope) -> bool:
    is_known = name.text in book.names.visible_names() or find_local_name(scope, name.text, book.names) is not None
    return not is_known and name.text not in NAMES


def _report_undeclared(book: Notebook, name: ast.Name) -> Type:
    """What is changed must be declared; a winner is told otherwise."""
    variables = [text for text, thing in book.names.things.items() if isinstance(thing, ast.Variable)]
    near = get_close_matches(name.text, [*variables, "starter"], n=1, cutoff=0.6)
    hint = message(
        "declare it: `number {name}: 0..20`, or a marker, as in `marker {name}: player or nothing`", name=name.text
    )
    if name.text in ("winner", "winners", "loser"):
        kept = message("marker {name}: player or nothing", name=name.text)
        hint = message("the `ranking` decides who is first; to keep a player, declare `{kept}`", kept=kept)
    edits = _declare_by_edit(book, name) if name.text not in ("winner", "winners", "loser") else ()
    if near:
        hint, edits = message("did you mean `{near}`?", near=near[0]), (Edit(name.span.start, name.span.end, near[0]),)
    return book.report(
        "unknown-name", message("there is no thing called `{name}`", name=name.text), name, hint, edits=edits
    )


def _declare_by_edit(book: Notebook, name: ast.Name) -> tuple[Edit, ...]:
    """Below what is declared last in the same file."""
    declared = (ast.Zone, ast.Variable, ast.Memory, ast.Components, ast.Players)
    ends = [
        piece.span.end for piece in book.game.declarations
        if isinstance(piece, declared) and piece.span.file == name.span.file and piece.span.end < name.span.start
    ]  # fmt: skip
    return (Edit(max(ends), max(ends), f"\nnumber {name.text}: 0..20 = 0"),) if ends else ()


def _is_whole_variable(node: ast.Expr, variable: ast.Variable) -> bool:
    """Not a place of an order: `layout[2]`."""
    index = node.subject if isinstance(node, ast.Of) else node
    return not isinstance(index, ast.Index) or bool(variable.keys)


def _name_or_this(name: ast.Name | None, meaning: Meaning | None) -> str:
    return f"`{name.text}`" if name is not None and meaning is not None else "this"


def _suggest_target(meaning: Meaning | None) -> str:
    match meaning:
        case ast.Zone():
            return message("use `move … to …` for components")
        case ast.Option():
            return message("options are fixed before the game; to change a value, use a `marker` or a `number`")
        case AllOf(declaration=ast.Components(noun="die", name=name)):
            return message("write `roll all {die} into …`, with the zone where they land", die=name.text)
        case _:
            return message("only a `number`, a `marker` or `starter` can change")


def infer_zone(book: Notebook, node: ast.Expr, scope: Scope) -> str | None:
    """A zone is required here; the kind of its components."""
    found = book.infer_type(node, scope, ZONE)
    if isinstance(found, CollectionOf) and found.is_zone:
        return found.item.kind if isinstance(found.item, ComponentOf) else None
    if not isinstance(found, Unknown):
        book.report(
            "not-a-zone",
            message("expected a zone, found {found_type}", found_type=describe_type(found)),
            node,
            _suggest_zone(book, node, found),
        )
    return None


def _suggest_zone(book: Notebook, node: ast.Expr, found: Type) -> str | None:
    """Where a player stands, or a component: a zone that is theirs."""
    zones = [thing for thing in book.names.things.values() if isinstance(thing, ast.Zone) and not thing.is_box]
    theirs = next((zone.name.text for zone in zones if zone.per_player and not zone.keys), None)
    if strip_optional(found) == PLAYER and theirs is not None:
        return message(
            "name the zone: `{theirs} of {of_expression}`; everyone's is `each {theirs}`",
            theirs=theirs,
            of_expression=text_of_expression(node),
        )
    return (
        message("a zone is one of {listed}", listed=", ".join(f"`{zone.name.text}`" for zone in zones[:6]))
        if zones
        else None
    )


def infer_destination(book: Notebook, node: ast.Expr, scope: Scope) -> str | None:
    """A zone, or the `top` or `bottom` of one."""
    if isinstance(node, ast.Of) and isinstance(node.subject, ast.Name) and node.subject.text in {"top", "bottom"}:
        kind = infer_zone(book, node.owner, scope)
        book.record_meaning(node.subject, BuiltinMeaning(node.subject.text), UNKNOWN)
        book.types[node] = book.types[node.owner]
        return kind
    return infer_zone(book, node, scope)


def require_same_kind(book: Notebook, node: ast.Expr, moved: str | None, wanted: str | None) -> bool:
    if moved is None or wanted is None:
        return True
    strangers = [one for one in split_kinds(moved) if one not in split_kinds(wanted)]
    if strangers:
        sentence = message("this zone is for `{wanted}`, not for `{moved}`", wanted=wanted, moved=strangers[0])
        hint = suggest_kind_test(ComponentOf(moved), [one for one in split_kinds(moved) if one not in strangers])
        book.report("wrong-zone-component", sentence, node, hint)
    return not strangers
