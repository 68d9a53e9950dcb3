"""`X of Y`: what lies with a player, an attribute, a word of the language. The type of Y decides."""

from __future__ import annotations

import re

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.collections import attribute_type, infer_collection, suggest_kind_test
from rulesrun.dsl.typing.declared import type_of
from rulesrun.dsl.typing.name_uses import report_unknown_thing, zone_type
from rulesrun.dsl.typing.names import (
    CALLS,
    OF_WORDS,
    SAID_OTHERWISE,
    Scope,
    attributes_of,
    find_attribute,
    find_attribute_of_kind,
    find_local_name,
    find_suggestion,
)
from rulesrun.dsl.typing.notebook import (
    ANY,
    COUNT,
    PLAYER,
    UNKNOWN,
    Notebook,
    describe_type,
    find_marker_of_board,
    item_of,
    size_of,
    strip_optional,
    sum_bounds,
)
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, PlayerOf, Type, Unknown, component_of_kinds


def infer_of(book: Notebook, node: ast.Of, scope: Scope) -> Type:
    match node.subject:
        case ast.Name() as subject:
            return _infer_of_name(book, node, subject, scope)
        case ast.Index() | ast.Call() as subject:
            book.require_type(node.owner, scope, PLAYER)
            type = book.infer_type(subject, scope)
            _require_per_player(book, node, subject)
            return type
        case ast.Can(action):
            who = text_of_expression(node.owner)
            ways = message("`then {who} can {action}` or `then {who} cannot {action}`", who=who, action=action.text)
            hint = message("in an example, write {ways}; elsewhere `can` asks `player`", ways=ways)
            return book.report("wrong-type", message("write whose choice it is before `can`"), node, hint)
        case _ as subject:
            book.infer_type(subject, scope)
            book.infer_type(node.owner, scope)
            hint = message("a part of a zone can only be moved: `move 3 of hand to stock`")
            if isinstance(subject, ast.Can):
                hint = message(
                    "in an example: `then 1 can {action}`, `then 1 cannot {action}`", action=subject.action.text
                )
            return book.report("wrong-type", message("write a name before `of`"), subject, hint)


def _require_per_player(book: Notebook, node: ast.Of, subject: ast.Index | ast.Call) -> None:
    thing = book.meanings.get(subject.name)
    if isinstance(thing, ast.Zone | ast.Variable) and not thing.per_player:
        _report_not_per_player(book, node, subject.name)


def _report_not_per_player(book: Notebook, node: ast.Of, name: ast.Name) -> Type:
    return book.report(
        "not-per-player", message("all players share one `{name}`", name=name.text), name,
        message("remove the player, or declare it as `{name} of player`", name=name.text),
        edits=(Edit(node.subject.span.end, node.span.end, ""),),
    )


def _infer_of_name(book: Notebook, node: ast.Of, name: ast.Name, scope: Scope) -> Type:
    thing = book.names.things.get(name.text)
    is_theirs = isinstance(thing, ast.Zone | ast.Variable) and thing.per_player
    word = OF_WORDS.get(name.text)
    if word is not None and "player" not in word.takes and not is_theirs:
        book.record_meaning(name, BuiltinMeaning(word.name), UNKNOWN)
        return _infer_of_collection(book, node, word.name, scope)
    if isinstance(node.owner, ast.Number):
        written = _suggest_line(book, name, node.owner) if thing is None else None
        if written is not None:
            edits = (Edit(node.span.start, node.span.end, written),)
            sentence, hint = message("look for a line with `some`"), message("write `{line}`", line=written)
            return book.report("unknown-name", sentence, node, hint, edits=edits)
        book.require_type(node.owner, scope, PLAYER)
        return _infer_of_player(book, node, name)
    owner = strip_optional(book.infer_type(node.owner, scope))
    match owner:
        case ComponentOf():
            return _infer_attribute(book, node, name, owner)
        case PlayerOf():
            return _infer_of_player(book, node, name)
        case Unknown():
            return _infer_of_unknown(book, name)
        case _:
            return _infer_of_other(book, node, name, owner, scope)


def _infer_attribute(book: Notebook, node: ast.Of, name: ast.Name, owner: ComponentOf) -> Type:
    found = find_attribute(owner, name.text, book.names)
    if found is not None:
        type = attribute_type(book, owner, name) or type_of(book, found[1], name)
        return book.record_meaning(name, AttributeMeaning(*found, None), type)
    having = [one for one in owner.members if find_attribute_of_kind(one, name.text, book.names)]
    if having:
        others = describe_type(component_of_kinds(one for one in owner.members if one not in having))
        sentence = message("{others} has no `{name}`", others=others, name=name.text)
        return book.report("unknown-attribute", sentence, name, suggest_kind_test(owner, having))
    kind = book.find_kind(owner)
    known = [attribute.name.text for attribute in attributes_of(kind)] if kind is not None else []
    listed = ", ".join(f"`{attribute}`" for attribute in known)
    near = find_suggestion(name.text, known)
    hint, edits = near.hint or (message("it has {listed}", listed=listed) if listed else None), near.edits(name)
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Define | ast.Table) and name.text not in known:
        hint, edits = message("give a definition its arguments in brackets: `{name}(…)`", name=name.text), ()
    elif isinstance(thing, ast.Variable) and kind is not None and is_kept_of(thing, kind):
        written = f"{name.text}[{text_of_expression(node.owner)}]"
        hint = message("write `{written}`", written=written)
        edits = (Edit(node.span.start, node.span.end, written),)
    elif name.text in CALLS and name.text not in known:
        written = f"{name.text}({text_of_expression(node.owner)})"
        several = len(CALLS[name.text].takes) > 1
        hint = message("write `{written}`", written=f"{written[:-1]}, …)" if several else written)
        edits = () if several else (Edit(node.span.start, node.span.end, written),)
    return book.report(
        "unknown-attribute",
        message("{with_article} has no `{name}`", with_article=describe_type(owner), name=name.text),
        name,
        hint,
        edits=edits,
    )


def is_kept_of(thing: ast.Variable, kind: ast.Components) -> bool:
    """`marker stone[Square]`: of each place."""
    return [one.name.text for one in thing.keys if isinstance(one, ast.NamedType)] == [kind.name.text]


def _suggest_line(book: Notebook, name: ast.Name, length: ast.Number) -> str | None:
    """`if line of 4`, where what stands on a board is kept by one marker: that line of the player."""
    boards = [one.name.text for one in book.names.components() if one.board is not None]
    marker = find_marker_of_board(book, ComponentOf(boards[0])) if len(boards) == 1 and name.text == "line" else None
    return f"some line of {length.value} in {boards[0]} has {marker} = player" if marker is not None else None


def _infer_of_player(book: Notebook, node: ast.Of, name: ast.Name) -> Type:
    thing = book.names.things.get(name.text)
    if isinstance(thing, ast.Zone | ast.Variable):
        return _infer_of_thing(book, node, name, thing)
    if name.text in {"left", "right"}:
        return book.record_meaning(name, BuiltinMeaning(name.text), PLAYER)
    if isinstance(thing, ast.Define) and not thing.parameters:
        return book.record_meaning(name, thing, type_of(book, thing, name))
    if thing is not None:
        book.meanings[name] = thing
        return (
            _report_not_per_player(book, node, name)
            if not isinstance(thing, ast.Define | ast.Table)
            else book.report(
                "wrong-number-of-arguments",
                message("`{name}` needs its arguments", name=name.text),
                name,
                message("write `{name}(…) of`", name=name.text),
            )
        )
    if name.text in book.names.lines:
        line = book.names.lines[name.text]
        return book.record_meaning(name, line, type_of(book, line, name))
    if name.text in {"total", "place"}:
        return book.record_meaning(name, BuiltinMeaning(name.text), COUNT if name.text == "place" else ANY)
    candidates = [*book.names.things, *book.names.lines, *OF_WORDS]
    _report_unknown_subject(book, name, candidates)
    return UNKNOWN


def _report_unknown_subject(book: Notebook, name: ast.Name, candidates: list[str]) -> None:
    """`size of hand`: the word that stands for it here."""
    said = re.fullmatch(r"`(\w+) of …`", SAID_OTHERWISE.get(name.text.casefold(), ""))
    if said is None:
        report_unknown_thing(book, name, candidates)
        return
    edits = (Edit(name.span.start, name.span.end, said[1]),)
    sentence = message("there is no thing called `{name}`", name=name.text)
    book.report("unknown-name", sentence, name, message("write {what}", what=said[0]), edits=edits)


def _infer_of_thing(book: Notebook, node: ast.Of, name: ast.Name, thing: ast.Zone | ast.Variable) -> Type:
    book.meanings[name] = thing
    if not thing.per_player:
        return _report_not_per_player(book, node, name)
    if thing.keys:
        return book.report(
            "missing-key",
            message("there are several `{name}`", name=name.text),
            name,
            message("say which: `{name}[…] of …`", name=name.text),
        )
    type = zone_type(book, thing) if isinstance(thing, ast.Zone) else type_of(book, thing, name)
    return book.record_meaning(name, thing, type)


def _infer_of_unknown(book: Notebook, name: ast.Name) -> Type:
    """The owner is a mistake already reported; the subject still counts as used."""
    thing = book.names.things.get(name.text)
    if thing is not None:
        book.meanings[name] = thing
    for components in book.names.components():
        found = find_attribute(ComponentOf(components.name.text), name.text, book.names)
        if found is not None:
            book.meanings[name] = AttributeMeaning(*found, None)
    return UNKNOWN


def _suggest_one_or_all(book: Notebook, node: ast.Of, name: ast.Name) -> str:
    chosen = book.meanings.get(node.owner)
    if isinstance(chosen, ast.Choice) and isinstance(chosen.count, ast.RangeType):
        low, high = chosen.count.low, chosen.count.high
        if isinstance(low, ast.Number) and isinstance(high, ast.Number) and low.value == high.value == 1:
            return message(
                "write a single choice without a number: `{chosen} {word} …`", chosen=chosen.name.text, word=chosen.word
            )
    return message("`{name} of top of …` for one of them, `sum of {name} over …` for all", name=name.text)


def _infer_of_other(book: Notebook, node: ast.Of, name: ast.Name, owner: Type, scope: Scope) -> Type:
    _infer_of_unknown(book, name)
    local = find_local_name(scope, name.text, book.names)
    if local is not None and not local.is_attribute:
        book.meanings[name] = local.meaning
        brackets = message("to take several, put brackets: `(… of …) of …`")
        return book.report(
            "wrong-type", message("`{name}` belongs to nobody and has no `of`", name=name.text), name, brackets
        )
    item = item_of(owner)
    if isinstance(item, ComponentOf) and find_attribute(item, name.text, book.names):
        hint = _suggest_one_or_all(book, node, name)
        return book.report(
            "wrong-type",
            message("expected one {kind}, found {owner_type}", kind=item.kind, owner_type=describe_type(owner)),
            node.owner,
            hint,
        )
    if name.text not in book.names.things and name.text not in OF_WORDS and name.text not in book.names.lines:
        if name not in book.meanings:
            candidates = [*book.names.things, *book.names.attribute_names(), *book.names.lines, *OF_WORDS]
            _report_unknown_subject(book, name, candidates)
            return UNKNOWN
        return book.report(
            "wrong-type",
            message("expected a component, found {owner_type}", owner_type=describe_type(owner)),
            node.owner,
        )
    return book.report_wrong_type(node.owner, PLAYER, owner)


def _is_attribute_of_several(book: Notebook, owner: ast.Expr, scope: Scope) -> bool:
    """`rank of hand`, where `hand` is a zone."""
    match owner:
        case ast.Of(ast.Name(text), ast.Name(several)) if isinstance(book.names.things.get(several), ast.Zone):
            zone = book.names.things[several]
            kinds = zone.kinds if isinstance(zone, ast.Zone) and zone.kind != "place" else ()
            is_local = find_local_name(scope, several, book.names) is not None
            known = (find_attribute(ComponentOf(one.text), text, book.names) for one in kinds)
            return not is_local and text not in book.names.things and any(one is not None for one in known)
        case _:
            return False


def _write_what_is_added(book: Notebook, owner: ast.Expr, item: Type) -> tuple[str | None, tuple[Edit, ...]]:
    """`sum of hand`: of the attribute that is a number, where there is one alone."""
    if not isinstance(item, ComponentOf):
        return None, ()
    kind = book.names.things.get(item.kind)
    attributes = attributes_of(kind) if isinstance(kind, ast.Components) else ()
    numbers = [one.name.text for one in attributes if isinstance(one.type, ast.RangeType)]
    if len(numbers) != 1 or not isinstance(owner, ast.Name | ast.Of):
        return message("say what to add up, as in `sum of rank over hand`"), ()
    written = f"{numbers[0]} over {text_of_expression(owner)}"
    hint = message("write `{said}`", said=f"sum of {written}")
    return hint, (Edit(owner.span.start, owner.span.end, written),)


def _infer_of_collection(book: Notebook, node: ast.Of, word: str, scope: Scope) -> Type:
    if word in ("sum", "highest", "lowest", "list", "sorted") and _is_attribute_of_several(book, node.owner, scope):
        said = text_of_expression(node.owner).replace(" of ", " over ", 1)
        edits = (Edit(node.owner.span.start, node.owner.span.end, said),)
        sentence, instead = message("what is looked at comes after `over`"), f"{word} of {said}"
        return book.report("wrong-type", sentence, node.owner, message("write `{said}`", said=instead), edits=edits)
    item = infer_collection(book, node.owner, scope)
    match word:
        case "count":
            return size_of(book, node.owner) if node.owner in book.types else COUNT
        case "sum":
            if not isinstance(item, NumberOf | Unknown):
                added, done = _write_what_is_added(book, node.owner, item)
                sentence = message("expected numbers, found {found_type}", found_type=describe_type(CollectionOf(item)))
                return book.report("wrong-type", sentence, node.owner, added, edits=done)
            return sum_bounds(item, size_of(book, node.owner).high) if isinstance(item, NumberOf) else ANY
        case "list" | "sorted":
            return CollectionOf(item)
        case _:
            return item
