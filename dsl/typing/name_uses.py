"""What a name and a name with keys mean. Nearest first; words by the type that is expected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit, Related
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.mistakes.first_words import suggest_marker_of_action
from rulesrun.dsl.text.keywords import place_name, read_place_name
from rulesrun.dsl.text.messages import Message, join_messages, message, plural
from rulesrun.dsl.typing.boards import find_place, report_unknown_place
from rulesrun.dsl.typing.collections import attribute_type
from rulesrun.dsl.typing.declared import resolve_written_type, type_of, values_type
from rulesrun.dsl.typing.names import ALONE, NAMES, Scope, Thing, find_local_name, find_suggestion, unknown_diagnostic
from rulesrun.dsl.typing.notebook import (
    ANY,
    COUNT,
    PLAYER,
    PLAYERS,
    UNKNOWN,
    Notebook,
    is_disjoint,
    item_of,
    strip_optional,
)
from rulesrun.dsl.typing.program import AllOf, AttributeMeaning, BuiltinMeaning, ItMeaning, Meaning, WordMeaning
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, NumberOf, Type, Unknown, WordOf, component_of_kinds

NEARLY_THE_SAME = 0.8  # for names of another kind than what is wanted
TEAM_WORDS = ("partner", "partners", "team", "teammate", "teammates")
NEXT_ONE = "left of player"
DICE = ("dice", "die", "roll", "throw")
EQUAL_DICE = ("double", "doubles", "pair", "triple", "triples")
NO_TEAMS = message("say who plays together: `teams: 1 and 3, 2 and 4`")
NO_BOX = message("put what leaves the game into a zone of its own, and declare that zone")


def infer_name(book: Notebook, node: ast.Name, scope: Scope, hint: Type | None) -> Type:
    found = find_local_name(scope, node.text, book.names)
    if found is not None and not found.is_attribute:
        return book.record_meaning(node, found.meaning, found.type or UNKNOWN)
    word = find_expected_word(book, hint, node.text)
    if word is not None and hint is not None:
        return book.record_meaning(node, word, _word_type(hint))
    if found is not None and isinstance(found.meaning, AttributeMeaning):
        type = attribute_type(book, found.type, node) if found.type is not None else None
        return book.record_meaning(node, found.meaning, type or type_of(book, found.meaning.attribute, node))
    thing = book.names.things.get(node.text)
    if thing is not None:
        return infer_thing_alone(book, node, thing)
    if node.text in NAMES:
        return book.record_meaning(node, *_resolve_language_name(book, node, scope, hint))
    return _infer_remaining_name(book, node, scope, hint)


def _infer_remaining_name(book: Notebook, node: ast.Name, scope: Scope, hint: Type | None) -> Type:
    """Score lines, `total`, words of any type, rows of component tables; else it is unknown."""
    text = node.text
    if text in book.names.lines:
        line = book.names.lines[text]
        return book.record_meaning(node, line, type_of(book, line, node))
    if text in ALONE:
        return book.record_meaning(node, BuiltinMeaning(text), COUNT if text == "place" else ANY)
    owners = book.names.words.get(text, [])
    if len(owners) == 1:
        type = words_type(book, owners[0])
        return book.record_meaning(node, _make_word_meaning(type, text), type)
    if len(owners) > 1:
        several = join_of([f"`{owner.name.text}`" for owner in owners])
        return book.report(
            "ambiguous-word",
            message("`{text}` is a value of {several}", text=text, several=several),
            node,
            message("compare it with something"),
        )
    expected = strip_optional(hint) if hint is not None else None
    place = find_place(book, node, expected)
    if place is not None and (text not in book.names.rows or book.find_board(expected) is not None):
        return book.record_meaning(node, place, ComponentOf(place.components.name.text))
    if text in book.names.rows:
        row = book.names.rows[text]
        return book.record_meaning(node, row, ComponentOf(row.components.name.text))
    return _report_unknown_name(book, node, scope, hint)


def _report_unknown_name(book: Notebook, node: ast.Name, scope: Scope, hint: Type | None) -> Type:
    expected = strip_optional(hint) if hint is not None else None
    if isinstance(expected, WordOf):
        return _report_unknown_word(book, node, scope, expected)
    board = book.find_board(expected)
    if board is not None and is_grid(board) and read_place_name(node.text) is not None:
        return report_unknown_place(book, node, board)
    if isinstance(expected, CollectionOf) and expected.is_zone:
        found = unknown_diagnostic("unknown-zone", "zone", node, book.names.zone_names())
        is_box = node.text == "box" and not found.edits
        book.add_diagnostic(evolve(found, hint=NO_BOX) if is_box else _name_kind(book, node, found))
    elif node.text in book.names.attribute_names():
        if any(frame.has_attributes and isinstance(frame.type, Unknown) for frame in scope.frames()):
            return UNKNOWN  # of something that is not known either, and was told
        sentence = message("`{text}` is an attribute, but of which component?", text=node.text)
        book.report("unknown-name", sentence, node, message("write `{text} of …`", text=node.text))
    else:
        candidates = [*book.names.visible_names(), *book.names.attribute_names(), *scope.bound_names()]
        report_unknown_thing(book, node, candidates)
    return UNKNOWN


def report_unknown_thing(book: Notebook, name: ast.Name, candidates: Iterable[str]) -> None:
    found = _suggest_choice(book, name) or unknown_diagnostic("unknown-name", "thing called", name, candidates)
    if name.text in TEAM_WORDS and not any(isinstance(one, ast.Teams) for one in book.game.declarations):
        found = evolve(found, hint=NO_TEAMS, edits=())
    zone = _find_zone_of_dice(book) if name.text in (*DICE, *EQUAL_DICE) and not found.edits else None
    if zone is not None:
        found = evolve(found, hint=_say_what_dice_show(zone, name.text))
    elif name.text in book.names.actions and not found.edits:
        found = evolve(found, hint=suggest_marker_of_action(name.text))
    book.add_diagnostic(found)


def _say_what_dice_show(zone: str, said: str) -> Message:
    """`if roll = 1`, `if double`: the sum, one of them, all alike."""
    if said in EQUAL_DICE:
        return message("all dice show the same where `(count of distinct face over {zone}) = 1`", zone=zone)
    return message(
        "the dice lie in `{zone}`: `sum of face over {zone}` is what they show together, `some d in {zone} has face of "
        "d = 1` asks whether one shows it", zone=zone,
    )  # fmt: skip


def _find_zone_of_dice(book: Notebook) -> str | None:
    dice = {one.name.text for one in book.names.components() if one.noun == "die"}
    zones = [one.name.text for one in book.names.things.values()
             if isinstance(one, ast.Zone) and not one.is_box and {name.text for name in one.kinds} & dice]  # fmt: skip
    return zones[0] if len(zones) == 1 else None


def _name_kind(book: Notebook, node: ast.Name, found: Diagnostic) -> Diagnostic:
    """A zone that is not declared: the line that declares it, where there is one kind of components."""
    kinds = [one.name.text for one in book.names.components() if one.board is None]
    if found.edits or len(kinds) != 1:
        return found
    written = f"zone {node.text}: pile of {kinds[0]}, public"
    return evolve(found, hint=message("declare it: `{written}`, or `hidden`, or `of player`", written=written))


def _suggest_choice(book: Notebook, node: ast.Name) -> Diagnostic | None:
    """`card` in an action that does not say that one is chosen."""
    inside = (
        action for action in book.names.actions.values()
        if action.span.file == node.span.file and action.span.start <= node.span.start < action.span.end
    )  # fmt: skip
    action = next(inside, None)
    kind = next((one.name.text for one in book.names.components() if one.name.text.casefold() == node.text), None)
    if action is None or kind is None or action.choices:
        return None
    places = [one for one in book.names.things.values() if isinstance(one, ast.Zone)]
    zones = [one for one in places if any(name.text == kind for name in one.kinds)]
    zone = next((one for one in zones if one.per_player), zones[0] if zones else None)
    if zone is None:
        return None
    choice = f"({node.text} from {zone.name.text})"
    hint = message("say what is chosen: `action {name}{choice}`", name=action.name.text, choice=choice)
    missing = message("there is no thing called `{name}`", name=node.text)
    end = action.name.span.end
    return Diagnostic("unknown-name", missing, node.span, hint, edits=(Edit(end, end, choice),))


def _report_unknown_word(book: Notebook, node: ast.Name, scope: Scope, expected: WordOf) -> Type:
    candidates = [*expected.words, *book.names.visible_names(), *scope.bound_names()]
    if expected.name == "phase":
        book.add_diagnostic(unknown_diagnostic("unknown-phase", "phase", node, candidates))
        return UNKNOWN
    listed = message("it has {listed}", listed=', '.join(f'`{word}`' for word in expected.words[:8]))
    near = find_suggestion(node.text, expected.words)
    near = near if near.hint else find_suggestion(node.text, candidates, NEARLY_THE_SAME)
    sentence = message(
        "`{text}` is not a value of `{expected}`, and there is nothing else of "
        "that name", text=node.text, expected=expected.name
    )
    return book.report("unknown-word", sentence, node, near.hint or listed, edits=near.edits(node))


# ---------------------------------------------------------------- words


def _word_type(hint: Type) -> WordOf:
    type = strip_optional(hint)
    assert isinstance(type, WordOf)
    return type


def find_expected_word(book: Notebook, hint: Type | None, text: str) -> Meaning | None:
    """The word of the expected type, where it has one of that name."""
    type = strip_optional(hint) if hint is not None else None
    if not isinstance(type, WordOf) or text not in type.words:
        return None
    return book.names.phases[text] if type.name == "phase" else _make_word_meaning(type, text)


def _make_word_meaning(type: WordOf, text: str) -> WordMeaning:
    return WordMeaning(type.name, text, type.words.index(text))


def words_type(book: Notebook, owner: ast.Values | ast.Option) -> WordOf:
    type = values_type(book, owner) if isinstance(owner, ast.Values) else type_of(book, owner, owner)
    return type if isinstance(type, WordOf) else WordOf(owner.name.text, ())


def is_bare_word(book: Notebook, node: ast.Node, scope: Scope) -> bool:
    """Whether the other side has to say what this is: a number that may be a seat, a word, `nothing`."""
    if isinstance(node, ast.Number | ast.Nothing | ast.SetOf):
        return True
    if not isinstance(node, ast.Name):
        return False
    known = find_local_name(scope, node.text, book.names) or node.text in book.names.things or node.text in NAMES
    return not known and node.text not in book.names.lines


# ---------------------------------------------------------------- names of things


def _resolve_language_name(book: Notebook, node: ast.Name, scope: Scope, hint: Type | None) -> tuple[Meaning, Type]:
    match node.text:
        case "players":
            return BuiltinMeaning("players"), PLAYERS if isinstance(hint, CollectionOf) else book.players
        case "opponents":
            return BuiltinMeaning("opponents"), PLAYERS
        case "opponent":
            return BuiltinMeaning("opponent"), require_two_players(book, node)
        case "round":
            return BuiltinMeaning("round"), book.rounds
        case "phase":
            return BuiltinMeaning("phase"), book.phase_words()
        case "it":
            return _resolve_it(book, node, scope)
        case _:
            return BuiltinMeaning(node.text), PLAYER


def require_two_players(book: Notebook, node: ast.Name) -> Type:
    """At a table of two it is spelled out before; in a file that cannot be, it means what it says."""
    if (book.players.low, book.players.high) == (2, 2):
        return PLAYER
    sentence = message("`opponent` is the other one of two players; here others may play, too")
    hint = message("write `left of player`, or whom you mean; `opponents` are everyone but `player`")
    return book.report("unknown-name", sentence, node, hint, edits=(Edit(node.span.start, node.span.end, NEXT_ONE),))


def _resolve_it(book: Notebook, node: ast.Name, scope: Scope) -> tuple[Meaning, Type]:
    for frame in scope.frames():
        if frame.element is not None and not frame.is_named():
            return ItMeaning(frame.element), frame.type or UNKNOWN
    book.report(
        "no-element", message("`it` means the element of a `where` or an `over`; there is none here"), node
    )
    return BuiltinMeaning("it"), UNKNOWN


def infer_thing_alone(book: Notebook, node: ast.Name, thing: Thing) -> Type:
    """A declared thing named without keys or arguments."""
    match thing:
        case ast.Values():
            return book.record_meaning(node, AllOf(thing), CollectionOf(values_type(book, thing)))
        case ast.Components():
            return book.record_meaning(node, AllOf(thing), CollectionOf(ComponentOf(thing.name.text)))
        case ast.Zone():
            return _infer_without_keys(book, node, thing, zone_type(book, thing))
        case ast.Variable():
            return _infer_without_keys(book, node, thing, type_of(book, thing, node))
        case ast.Define() | ast.Table():
            book.meanings[node] = thing
            if thing.parameters:
                return _report_missing_arguments(book, node, thing)
            return book.record_meaning(node, thing, type_of(book, thing, node))
        case ast.Option():
            return book.record_meaning(node, thing, type_of(book, thing, node))
        case ast.Memory():
            book.meanings[node] = thing
            return book.report(
                "wrong-type",
                message("`{text}` is a memory", text=node.text),
                node,
                message("use it as `times({text})`", text=node.text),
            )


def zone_type(book: Notebook, zone: ast.Zone) -> Type:
    """Of an unknown kind of component (which is reported where the zone stands) the likeliest is taken."""
    kinds = [components.name.text for components in book.names.components()]
    found = []
    for name in zone.kinds:
        likely = [name.text] if name.text in kinds else get_close_matches(name.text, kinds, n=1, cutoff=0.5)
        found += likely or kinds[:1]
    return CollectionOf(component_of_kinds(found) if found else UNKNOWN, is_zone=True)


def _infer_without_keys(book: Notebook, node: ast.Name, thing: ast.Zone | ast.Variable, type: Type) -> Type:
    book.meanings[node] = thing
    if thing.keys:
        wanted = message("a key") if len(thing.keys) == 1 else count_keys(len(thing.keys))
        sentence = message(
            "there are several `{text}`: say which, with {wanted} in square brackets", text=node.text, wanted=wanted
        )
        if isinstance(thing, ast.Variable) and thing.of_kind:
            sentence = message("there are several `{text}`: say of which component", text=node.text)
            return book.report("missing-key", sentence, node, message("write `{text} of …`", text=node.text))
        return book.report("missing-key", sentence, node)
    return book.record_meaning(node, thing, type)


def _report_missing_arguments(book: Notebook, node: ast.Name, thing: ast.Define | ast.Table) -> Type:
    names = ", ".join(parameter.name.text for parameter in thing.parameters)
    sentence = message(
        "`{text}` needs its {arguments}", text=node.text, arguments=_what_is_missing(len(thing.parameters))
    )
    return book.report(
        "wrong-number-of-arguments", sentence, node, message("write `{text}({names})`", text=node.text, names=names)
    )


def _what_is_missing(arguments: int) -> Message:
    return message("argument") if arguments == 1 else plural("{count} argument", "{count} arguments", arguments)


def infer_index(book: Notebook, node: ast.Index, scope: Scope) -> Type:
    """`column[k]` of a keyed zone or variable; `layout[k]` of an order or a row."""
    found = find_local_name(scope, node.name.text, book.names)
    thing = book.names.things.get(node.name.text)
    if found is None and isinstance(thing, ast.Zone | ast.Variable) and thing.keys:
        type = zone_type(book, thing) if isinstance(thing, ast.Zone) else type_of(book, thing, node)
        book.record_meaning(node.name, thing, type)
        _infer_keys(book, node, thing, scope)
        return type
    type = book.infer_type(node.name, scope)
    if isinstance(type, Unknown):
        return UNKNOWN
    item = item_of(type)
    for key in node.keys:
        book.require_number(key, scope)
    if item is None or (isinstance(type, CollectionOf) and type.is_zone):
        return book.report(
            "wrong-type",
            message("`{name}` has no keys", name=node.name.text),
            node,
            *_suggest_without_keys(node, thing, type),
        )
    if len(node.keys) != 1:
        return book.report(
            "wrong-number-of-arguments", message("`{name}` has one place number", name=node.name.text), node
        )
    return item


def _suggest_without_keys(
    node: ast.Index, thing: Thing | None, type: Type
) -> tuple[str, tuple[Related, ...], tuple[Edit, ...]]:
    """What may be meant by `hand[1]`, `supply[2]`: said, and done."""
    name, key = node.name.text, text_of_expression(node.keys[0])
    item, instead = message("item {key} of {name}", key=key, name=name), name
    if isinstance(thing, ast.Zone | ast.Variable) and thing.per_player:
        instead = f"{name} of {key}"
    elif isinstance(thing, ast.Zone):
        instead = item if thing.kind == "row" else name
    elif isinstance(thing, ast.Define | ast.Table) or item_of(type) is not None:
        instead = item if item_of(type) is not None else f"{name}({key})"
    hint = message("write `{instead}`", instead=instead)
    if instead == name:
        reason = message(": there is one `{name}`", name=name) if isinstance(thing, ast.Zone) else (
            message("; keys are declared, as in `number {name}[1..6]: …`", name=name)
        )
        hint = message("remove `[{key}]`{reason}", key=key, reason=reason)
    return hint, (), (Edit(node.span.start, node.span.end, instead),)


def _infer_keys(book: Notebook, node: ast.Index, thing: ast.Zone | ast.Variable, scope: Scope) -> None:
    if len(node.keys) != len(thing.keys):
        book.report(
            "wrong-number-of-arguments",
            message(
                "`{name}` has {wanted}, found {keys}",
                name=node.name.text,
                wanted=count_keys(len(thing.keys)),
                keys=len(node.keys),
            ),
            node,
            _suggest_place(book, node, thing),
        )
        if book.find_board(resolve_written_type(book, thing.keys[0])) is not None:
            book.types.update(dict.fromkeys(node.keys, UNKNOWN))
            return
    for key, expected in zip(node.keys, thing.keys, strict=False):
        infer_argument(
            book, key, resolve_written_type(book, expected), scope, message("a key of `{name}`", name=node.name.text)
        )
    for key in node.keys[len(thing.keys) :]:
        book.infer_type(key, scope)


def _suggest_place(book: Notebook, node: ast.Index, thing: ast.Zone | ast.Variable) -> str | None:
    """`owner[1, 2]` of a board: the row, then the column."""
    key = resolve_written_type(book, thing.keys[0]) if len(thing.keys) == 1 and len(node.keys) == 2 else None
    board = book.find_board(key)
    if board is None or not is_grid(board):
        return None
    match node.keys:
        case ast.Number(row), ast.Number(column) if row and column:
            return message("write `{name}[{place}]`", name=node.name.text, place=place_name(row, column))
        case _:
            return message("one key is a place: `{name}[s]`, with `row of s` and `column of s`", name=node.name.text)


def infer_argument(book: Notebook, node: ast.Expr, expected: Type, scope: Scope, role: str) -> None:
    """A key or an argument: of the right type, and not surely outside its range."""
    found = book.require_type(node, scope, expected)
    if isinstance(expected, NumberOf) and isinstance(found, NumberOf) and is_disjoint(expected, found):
        book.report(
            "leaves-range",
            message("{role} must be in {low}..{high}; this never is", role=role, low=expected.low, high=expected.high),
            node,
        )


def join_of(parts: Sequence[str]) -> Message:
    """`a and of b and of c`"""
    first, *others = (join_messages([part]) for part in parts)
    for other in others:
        first = message("{first} and of {second}", first=first, second=other)
    return first


def count_keys(amount: int) -> Message:
    return message("one key") if amount == 1 else plural("{count} key", "{count} keys", amount)
