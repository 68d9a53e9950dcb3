"""`X of Y`: what lies with a player, an attribute, a word of the language. The type of Y decides."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.typing.builtins import OF_WORDS
from rulesrun.dsl.typing.collections import infer_collection
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.intervals import ANY, COUNT, repeated
from rulesrun.dsl.typing.name_uses import zone_type
from rulesrun.dsl.typing.names import Scope, attribute_of, attributes_of, did_you_mean, find, unknown
from rulesrun.dsl.typing.notebook import Book
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning
from rulesrun.dsl.typing.relations import PLAYER, UNKNOWN, bare, describe, item_of
from rulesrun.dsl.typing.sizes import size_of
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, PlayerOf, Type, Unknown


def infer_of(book: Book, node: ast.Of, scope: Scope) -> Type:
    match node.subject:
        case ast.Name() as subject:
            return _of_name(book, node, subject, scope)
        case ast.Index() | ast.Call() as subject:
            book.require(node.owner, scope, PLAYER)
            type = book.infer(subject, scope)
            _must_have_players(book, subject)
            return type
        case ast.Can(action):
            who = text_of_expression(node.owner)
            ways = f"`then {who} can {action.text}` or `then {who} cannot {action.text}`"
            hint = f"in an example, write {ways}; elsewhere `can` asks `player`"
            return book.report("wrong-type", "whose choice it is stands in front of `can`", node, hint)
        case _ as subject:
            book.infer(subject, scope)
            book.infer(node.owner, scope)
            hint = "some of a zone can only be moved: `move 3 of hand to stock`"
            if isinstance(subject, ast.Can):
                hint = f"in an example: `then 1 can {subject.action.text}`, `then 1 cannot {subject.action.text}`"
            return book.report("wrong-type", "what stands before `of` must be a name", subject, hint)


def _must_have_players(book: Book, subject: ast.Index | ast.Call) -> None:
    thing = book.meanings.get(subject.name)
    if isinstance(thing, ast.Zone | ast.Variable) and not thing.per_player:
        _not_per_player(book, subject.name)


def _not_per_player(book: Book, name: ast.Name) -> Type:
    return book.report(
        "not-per-player", f"`{name.text}` is one for all players", name,
        f"leave out the player, or declare it as `{name.text} of player`",
    )


def _of_name(book: Book, node: ast.Of, name: ast.Name, scope: Scope) -> Type:
    thing = book.names.things.get(name.text)
    is_theirs = isinstance(thing, ast.Zone | ast.Variable) and thing.per_player
    word = OF_WORDS.get(name.text)
    if word is not None and "player" not in word.takes and not is_theirs:
        book.means(name, BuiltinMeaning(word.name), UNKNOWN)
        return _of_collection(book, node, word.name, scope)
    if isinstance(node.owner, ast.Number):
        book.require(node.owner, scope, PLAYER)
        return _of_player(book, name)
    owner = bare(book.infer(node.owner, scope))
    match owner:
        case ComponentOf():
            return _attribute(book, name, owner)
        case PlayerOf():
            return _of_player(book, name)
        case Unknown():
            return _of_unknown(book, name)
        case _:
            return _of_other(book, node, name, owner, scope)


def _attribute(book: Book, name: ast.Name, owner: ComponentOf) -> Type:
    found = attribute_of(owner, name.text, book.names)
    if found is not None:
        type = type_of(book, found[1], name)
        return book.means(name, AttributeMeaning(*found, None), type)
    kind = book.kind(owner)
    known = [attribute.name.text for attribute in attributes_of(kind)] if kind is not None else []
    listed = ", ".join(f"`{attribute}`" for attribute in known)
    hint = did_you_mean(name.text, known) or (f"it has {listed}" if listed else None)
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Define | ast.Table) and name.text not in known:
        hint = f"a definition is told what it is asked of in brackets: `{name.text}(…)`"
    return book.report("unknown-attribute", f"{with_article(owner.kind)} has no `{name.text}`", name, hint)


def _of_player(book: Book, name: ast.Name) -> Type:
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Zone | ast.Variable):
        return _of_thing(book, name, thing)
    if name.text in {"left", "right"}:
        return book.means(name, BuiltinMeaning(name.text), PLAYER)
    if isinstance(thing, ast.Define) and not thing.parameters:
        return book.means(name, thing, type_of(book, thing, name))
    if thing is not None:
        book.meanings[name] = thing
        return _not_per_player(book, name) if not isinstance(thing, ast.Define | ast.Table) else book.report(
            "wrong-number-of-arguments", f"`{name.text}` must be told its arguments", name, f"write `{name.text}(…) of`"
        )
    if name.text in book.names.lines:
        line = book.names.lines[name.text]
        return book.means(name, line, type_of(book, line, name))
    if name.text in {"total", "place"}:
        return book.means(name, BuiltinMeaning(name.text), COUNT if name.text == "place" else ANY)
    candidates = [*book.names.things, *book.names.lines, *OF_WORDS]
    book.complain(unknown("unknown-name", "thing called", name, candidates))
    return UNKNOWN


def _of_thing(book: Book, name: ast.Name, thing: ast.Zone | ast.Variable) -> Type:
    book.meanings[name] = thing
    if not thing.per_player:
        return _not_per_player(book, name)
    if thing.keys:
        return book.report(
            "missing-key", f"there are several `{name.text}`", name, f"say which: `{name.text}[…] of …`"
        )
    type = zone_type(book, thing) if isinstance(thing, ast.Zone) else type_of(book, thing, name)
    return book.means(name, thing, type)


def _of_unknown(book: Book, name: ast.Name) -> Type:
    """The owner is a mistake already reported; the subject still counts as used."""
    thing = book.names.things.get(name.text)
    if thing is not None:
        book.meanings[name] = thing
    for components in book.names.components():
        found = attribute_of(ComponentOf(components.name.text), name.text, book.names)
        if found is not None:
            book.meanings[name] = AttributeMeaning(*found, None)
    return UNKNOWN


def _of_one_or_all(book: Book, node: ast.Of, name: ast.Name) -> str:
    chosen = book.meanings.get(node.owner) if isinstance(node.owner, ast.Name) else None
    if isinstance(chosen, ast.Choice) and isinstance(chosen.count, ast.RangeType):
        low, high = chosen.count.low, chosen.count.high
        if isinstance(low, ast.Number) and isinstance(high, ast.Number) and low.value == high.value == 1:
            return f"a choice of one has no number: `{chosen.name.text} {chosen.word} …`"
    return f"`{name.text} of top of …` for one of them, `{name.text} over … in …` for all"


def _of_other(book: Book, node: ast.Of, name: ast.Name, owner: Type, scope: Scope) -> Type:
    _of_unknown(book, name)
    local = find(scope, name.text, book.names)
    if local is not None and not local.is_attribute:
        book.meanings[name] = local.meaning
        hint = "for a number of them put brackets: `(… of …) of …`"
        return book.report("wrong-type", f"`{name.text}` belongs to nobody and has no `of`", name, hint)
    item = item_of(owner)
    if isinstance(item, ComponentOf) and attribute_of(item, name.text, book.names):
        hint = _of_one_or_all(book, node, name)
        return book.report("wrong-type", f"expected one {item.kind}, found {describe(owner)}", node.owner, hint)
    if name.text not in book.names.things and name.text not in OF_WORDS and name.text not in book.names.lines:
        if name not in book.meanings:
            candidates = [*book.names.things, *book.names.attributes(), *book.names.lines, *OF_WORDS]
            book.complain(unknown("unknown-name", "thing called", name, candidates))
            return UNKNOWN
        return book.report("wrong-type", f"expected a component, found {describe(owner)}", node.owner)
    return book.wrong_type(node.owner, PLAYER, owner)


def _of_collection(book: Book, node: ast.Of, word: str, scope: Scope) -> Type:
    item = infer_collection(book, node.owner, scope)
    match word:
        case "count":
            return size_of(book, node.owner) if node.owner in book.types else COUNT
        case "sum":
            if not isinstance(item, NumberOf | Unknown):
                hint = "say what is added up, as in `sum of rank over hand`" if isinstance(item, ComponentOf) else None
                message = f"expected numbers, found {describe(CollectionOf(item))}"
                return book.report("wrong-type", message, node.owner, hint)
            return repeated(item, size_of(book, node.owner).high) if isinstance(item, NumberOf) else ANY
        case "list" | "sorted":
            return CollectionOf(item)
        case _:
            return item
