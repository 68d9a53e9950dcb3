"""What moves components: shuffle, deal, draw, move, show."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from attrs import evolve, fields

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.collections import infer_collection, narrow_element, suggest_kind_test
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.names import NAMES, OF_WORDS, Scope, Thing, find_local_name
from rulesrun.dsl.typing.notebook import (
    PLAYER,
    TRUTH,
    UNKNOWN,
    Notebook,
    describe_type,
    find_marker_of_board,
    item_of,
    strip_optional,
)
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, OrderOf, Type, Unknown, split_kinds

# ---- targets
# What can be changed: variables and the starter; and where components can be put.


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


# ---- moves


def infer_shuffle(book: Notebook, node: ast.Shuffle, scope: Scope) -> None:
    if node.into is not None:
        moved = _component_kind(_infer_several(book, node.what, scope))
        require_same_kind(book, node.into, moved, infer_destination(book, node.into, scope))
        _can_be_shuffled(book, node, node.into)
        return
    whole = _write_first_shuffle(book, node.what)
    if whole is not None:
        sentence = message("say what is shuffled, and into which pile")
        edits = (Edit(node.what.span.start, node.what.span.end, whole.removeprefix("shuffle ")),)
        book.report("wrong-type", sentence, node.what, message("write `{line}`", line=whole), edits=edits)
        return
    found = book.infer_type(node.what, scope)
    if not isinstance(found, OrderOf | Unknown) and not (isinstance(found, CollectionOf) and found.is_zone):
        book.report(
            "wrong-type",
            message("expected a pile or an order to shuffle, found {found_type}", found_type=describe_type(found)),
            node.what,
        )
    _can_be_shuffled(book, node, node.what)


def _write_first_shuffle(book: Notebook, what: ast.Expr) -> str | None:
    """`shuffle Card`, `shuffle deck`: of a kind, or of what is declared nowhere, where one pile can be meant."""
    things = book.names.things
    if not isinstance(what, ast.Name) or (what.text not in ("deck", "cards") and what.text not in things):
        return None
    thing = things.get(what.text)
    kinds = [one for one in book.names.components() if one.board is None and one.noun != "die"]
    piles = [one for one in things.values()
             if isinstance(one, ast.Zone) and one.kind == "pile" and not one.per_player and not one.keys]  # fmt: skip
    if not (thing is None or thing in kinds) or len(kinds) != 1:
        return None
    hidden = [one for one in piles if one.visibility == "hidden"] or piles
    return f"shuffle all {kinds[0].name.text} into {hidden[0].name.text}" if len(hidden) == 1 else None


def _can_be_shuffled(book: Notebook, node: ast.Shuffle, target: ast.Expr) -> None:
    """A set has no order anyway; a row, a place and a pile that is sorted always have the order that they show."""
    zone = book.meaning_of_place(target)
    if not isinstance(zone, ast.Zone) or (zone.kind in {"pile", "set"} and zone.sort_key is None):
        return
    called = zone.name.text
    if zone.sort_key is None:
        book.report(
            "not-shuffled",
            message("`{called}` is a {kind}: only piles are shuffled", called=called, kind=zone.kind),
            node,
            message("make it a pile, or shuffle a pile and deal from it to `{called}`", called=called),
        )
        return
    book.report(
        "not-shuffled",
        message("`{called}` is always sorted, so it cannot be shuffled", called=called),
        node,
        message("remove `sorted by` where `{called}` is declared, or write `move all … to {called}`", called=called),
    )


def _component_kind(item: Type) -> str | None:
    return item.kind if isinstance(item, ComponentOf) else None


def infer_deal(book: Notebook, node: ast.Deal, scope: Scope) -> None:
    if not _is_amount_forgotten(book, node, scope):
        book.require_number(node.count, scope)
    kind = infer_zone(book, node.origin, scope)
    item: Type = ComponentOf(kind) if kind is not None else UNKNOWN
    if node.condition is not None:
        inside = scope.with_element(node, item)
        book.require_type(node.condition, inside, TRUTH)
        item = narrow_element(inside, node, node.condition, item)
    require_same_kind(book, node.target, _component_kind(item), infer_destination(book, node.target, scope))
    if node.each:
        _require_per_player(book, node)
    if node.alias is not None:
        book.record_meaning(node.alias, node, item)


def _is_amount_forgotten(book: Notebook, node: ast.Deal, scope: Scope) -> bool:
    """`draw card from stock to hand`: which one is not for anybody to say."""
    count = node.count
    kinds = {one.name.text.casefold() for one in book.names.components()}
    if not isinstance(count, ast.Name) or count.text.casefold() not in (*kinds, "card", "cards"):
        return False
    if find_local_name(scope, count.text, book.names) is not None or count.text in book.names.things:
        return False
    edits = (Edit(count.span.start, count.span.end, "1"),)
    hint = message("write how many: `{word} 1 from …`", word=node.word)
    book.report("wrong-type", message("how many is a number"), count, hint, edits=edits)
    return True


def _require_per_player(book: Notebook, node: ast.Deal) -> None:
    zone = book.meaning_of_place(node.target)
    if isinstance(zone, ast.Zone) and not zone.per_player:
        book.report(
            "not-per-player",
            message("all players share one `{zone}`: there is no `each {zone}`", zone=zone.name.text),
            node.target,
            message("remove `each`, or declare it as `{zone} of player`", zone=zone.name.text),
            edits=(Edit((node.condition or node.origin).span.end, node.target.span.start, " to "),),
        )


def infer_move(book: Notebook, node: ast.Move, scope: Scope) -> None:
    item = _infer_moved(book, node, scope)
    require_same_kind(book, node.target, _component_kind(item), infer_destination(book, node.target, scope))
    if node.order is not None:
        book.infer_type(node.order.key, scope.with_attributes(item))


def _infer_moved(book: Notebook, node: ast.Move, scope: Scope) -> Type:
    """What is moved: all of a collection, some of one, or one component."""
    some = node.what.collection if isinstance(node.what, ast.Filter) else None
    if isinstance(some, ast.Of) and _is_amount(book, some, scope):
        amount, collection = text_of_expression(some.subject), text_of_expression(some.owner)
        hint = message(
            "put brackets around the components to take from: `{amount} of ({collection} where …)`",
            amount=amount,
            collection=collection,
        )
        sentence = message("here `where` belongs to the whole line, not to the components")
        return book.report("missing-brackets", sentence, node.what, hint)
    if node.all or _is_amount(book, node.what, scope):
        return _infer_several(book, node.what, scope)
    found = book.infer_type(node.what, scope)
    item = item_of(found)
    if isinstance(found, CollectionOf) and found.is_zone:
        start, sentence = node.what.span.start, message("expected one component, found a zone")
        edits = (Edit(start, start, "all "),)
        return book.report("wrong-type", sentence, node.what, message("write `move all …`"), edits=edits)
    if item is not None:
        if not isinstance(item, Unknown):
            _require_place(book, node.what)
        return item
    if not isinstance(strip_optional(found), ComponentOf):
        return book.report(
            "wrong-type",
            message("expected a component, found {found_type}", found_type=describe_type(found)),
            node.what,
        )
    _require_place(book, node.what)
    return strip_optional(found)


def _is_amount(book: Notebook, node: ast.Expr, scope: Scope) -> bool:
    """`3 of hand`, `(n - 7) of (…)`, `n of hand`: not an attribute, not a word of the language."""
    if not isinstance(node, ast.Of):
        return False
    if isinstance(node.subject, ast.Call):
        thing = book.names.things.get(node.subject.name.text)
        return isinstance(thing, ast.Define | ast.Table) and _has_number_type(book, thing, node.subject.name)
    if isinstance(node.subject, ast.Index):
        counted = book.names.things.get(node.subject.name.text)
        is_theirs = isinstance(counted, ast.Variable) and counted.per_player
        return isinstance(counted, ast.Variable | ast.Option) and not is_theirs and _is_number_type(counted.type)
    if not isinstance(node.subject, ast.Name):
        return True
    text = node.subject.text
    local = find_local_name(scope, text, book.names)
    if local is not None and not local.is_attribute:
        return True
    thing = book.names.things.get(text)
    is_value = isinstance(thing, ast.Variable | ast.Option | ast.Define)
    return text not in OF_WORDS and thing is not None and is_value and _has_number_type(book, thing, node.subject)


def _has_number_type(book: Notebook, thing: Thing, name: ast.Name) -> bool:
    return isinstance(type_of(book, thing, name), NumberOf | Unknown)


def _is_number_type(written: ast.TypeExpr) -> bool:
    return isinstance(written, ast.RangeType) or (isinstance(written, ast.RowType) and _is_number_type(written.item))


def _infer_several(book: Notebook, node: ast.Expr, scope: Scope) -> Type:
    """The kind of what is moved together; `3 of hand` is some of it."""
    if isinstance(node, ast.Of) and _is_amount(book, node, scope):
        book.require_number(node.subject, scope)
        item = infer_collection(book, node.owner, scope)
        book.types[node] = CollectionOf(item)
        return _require_components(book, node.owner, item)
    return _require_components(book, node, infer_collection(book, node, scope))


def _require_components(book: Notebook, node: ast.Expr, item: Type) -> Type:
    if not isinstance(item, ComponentOf | Unknown):
        return book.report(
            "wrong-type",
            message("expected components, found {found_type}", found_type=describe_type(CollectionOf(item))),
            node,
        )
    if isinstance(item, ComponentOf) and not _is_whole_kind(book, node):
        _require_place(book, node)
    return item


def _is_whole_kind(book: Notebook, node: ast.Expr) -> bool:
    """`Card`, `Card where …`: wherever they are."""
    while isinstance(node, ast.Filter):
        node = node.collection
    return isinstance(node, ast.Name) and isinstance(book.meanings.get(node), AllOf)


def _require_place(book: Notebook, node: ast.Expr) -> None:
    if not has_place(book, node):
        hint = message(
            "move a component that was chosen `from` a zone, drawn, is the `top of` a zone, or comes from `each … in` "
            "a zone; use `move all …` for components still in the box"
        )
        formula = _expand_definition(book, node)
        if formula is not None:
            written = text_of_expression(formula)
            hint = message(
                "a definition does not say where its components lie: write the formula here, `move all ({written}) to "
                "…`",
                written=written,
            )
        book.report("not-movable", message("it is not known where this component lies"), node, hint)


def _expand_definition(book: Notebook, node: ast.Expr) -> ast.Expr | None:
    """What `cards_of(wanted) of other` stands for, written out: `hand of other where colour = wanted`."""
    named, owner = (node.subject, node.owner) if isinstance(node, ast.Of) else (node, None)
    name, arguments = (named.name, named.arguments) if isinstance(named, ast.Call) else (named, ())
    meaning = book.meanings.get(name)
    if not isinstance(meaning, ast.Define):
        return None
    told = {one.name.text: argument for one, argument in zip(meaning.parameters, arguments, strict=False)}
    for thing in book.names.things.values() if owner is not None else ():
        if isinstance(thing, ast.Zone | ast.Variable) and thing.per_player and not thing.keys and owner is not None:
            told[thing.name.text] = ast.Of(thing.name, owner, span=node.span)
    formula: ast.Expr = _substitute_names(meaning.body, told)
    return formula


def _substitute_names(node: Any, told: dict[str, ast.Expr]) -> Any:
    """The same with these expressions in the place of names."""
    match node:
        case ast.Name(text=text):
            return told.get(text, node)
        case ast.Of(subject=ast.Name(), owner=owner):
            return evolve(node, owner=_substitute_names(owner, told))
        case ast.Node():
            parts = {one.name: getattr(node, one.name) for one in fields(type(node))}
            return evolve(node, **{name: _substitute_names(part, told) for name, part in parts.items()})
        case tuple():
            return tuple(_substitute_names(part, told) for part in node)
        case _:
            return node


def has_place(book: Notebook, node: ast.Expr) -> bool:
    """Whether it is known where these components lie: a zone stands behind them."""
    while True:
        match node:
            case ast.Filter(collection=inner) | ast.Item(collection=inner):
                node = inner
            case ast.Best(each=each):
                node = each.collection
            case ast.Combinations(collection=inner):
                node = inner
            case ast.Aggregate("list" | "sorted", False, ast.Name("it"), ast.Each(None, inner)):
                node = inner
            case ast.Of(subject=ast.Name(text=word), owner=owner) if word in {"top", "bottom", "first", "last"}:
                node = owner
            case ast.Joined(parts=(first, *others)):
                if not all(has_place(book, one) for one in others):
                    return False
                node = first
            case ast.Name():
                meaning = book.meanings.get(node)
                if isinstance(meaning, ast.Deal) or meaning is None:
                    return True
                if isinstance(meaning, ast.Zone | ast.Parameter):
                    return True  # of what a step is told, where it is spelled out
                if isinstance(meaning, ast.Choice):
                    node = meaning.domain
                elif isinstance(meaning, ast.Each):
                    node = meaning.collection
                else:
                    return False
            case ast.SetOf(items=(first, *others)):
                if not all(has_place(book, one) for one in others):
                    return False
                node = first
            case ast.Literal(parts=(inner,)):
                node = inner
            case _:
                found = book.types.get(node)
                return isinstance(found, Unknown) or (isinstance(found, CollectionOf) and found.is_zone)


def _is_value(book: Notebook, what: ast.Expr) -> bool:
    """`bid`, `bid of p`, `bid[2]`: what a number or marker says."""
    while isinstance(what, ast.Of | ast.Index):
        what = what.subject if isinstance(what, ast.Of) else what.name
    return isinstance(what, ast.Name) and isinstance(book.meanings.get(what), ast.Variable)


EVERYBODY = ("everybody", "everyone", "players")


def infer_show(book: Notebook, node: ast.Show, scope: Scope) -> None:
    found = book.infer_type(node.what, scope)
    item = item_of(found)
    shown = item if item is not None else strip_optional(found)
    if isinstance(found, OrderOf) or (not isinstance(shown, ComponentOf | Unknown) and not _is_value(book, node.what)):
        sentence = message(
            "expected a zone, a component, a number or a marker to show, found {found_type}",
            found_type=describe_type(found),
        )
        hint = message("keep it in a number or a marker that is `hidden` or `private`, and show that")
        book.report("wrong-type", sentence, node.what, hint)
    if isinstance(node.to, ast.Name) and node.to.text in EVERYBODY and node.to.text not in book.names.things:
        told = node.to.text
        hint = message("remove `to {told}`: `show` shows it to everybody", told=told)
        edit = Edit(node.what.span.end, node.to.span.end, "")
        book.report("wrong-type", message("everybody sees what is shown"), node.to, hint, edits=(edit,))
    elif node.to is not None:
        book.require_type(node.to, scope, PLAYER)
