"""The names that may be meant at the cursor: of everything declared, of what is known there, and of what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid, place_name, read_place_name
from rulesrun.dsl.ast.looks import ASPECTS
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.typing.builtins import ALONE, BUILTINS
from rulesrun.dsl.typing.names import DeclaredNames, Thing
from rulesrun.dsl.typing.types import ComponentOf
from rulesrun.editing.cursor import HOLE
from rulesrun.editing.signatures import describe_thing, note_of
from rulesrun.editing.trials import Trial

USUAL_SIZE = 8
MOST_PLACES = 12  # in a row or column, as many as can be looked through
LANGUAGES = ("en", "ru", "de", "fr", "es", "it", "pl", "uk")
DECLARING = {
    ("Define", "name"), ("Option", "name"), ("Zone", "name"), ("Variable", "name"), ("Action", "name"),
    ("Phase", "name"), ("Values", "name"), ("Table", "name"), ("Step", "name"), ("Components", "name"),
    ("Memory", "name"), ("ScoreLine", "name"), ("RowDecl", "name"), ("AttributeDecl", "name"), ("Enumerator", "name"),
    ("WordsType", "words"), ("Persona", "name"), ("Figure", "name"),
}  # fmt: skip
BINDING = {("Parameter", "name"), ("Choice", "name"), ("Each", "name"), ("Deal", "alias")}


@frozen
class Candidate:
    """`is_certain`: nothing has to be tried, it may stand there. `fit` is what speaks for it from the start."""

    text: str
    kind: str
    detail: str = ""
    note: str = ""
    fit: float = 0.0
    is_certain: bool = False


def list_candidates(trial: Trial) -> Iterator[Candidate]:
    role = (type(trial.hole.parent).__name__, trial.hole.field_name)
    parents = trial.hole.parents
    line = _find_board_line(parents)
    if line is not None:
        yield from _list_next_places(line, trial.names)
        return
    if role in DECLARING and len(parents) == 2 and isinstance(parents[-1], ast.ChangePiece | ast.Small):
        yield from _list_changeable(trial)
        return
    if role in DECLARING or role in BINDING:
        yield from _list_missing_names(trial, is_local=role in BINDING)
        return
    match role:
        case ("Word", "name"):
            yield from _list_label_names(trial)
        case ("Look", "language"):
            yield from (Candidate(aspect, "aspect", is_certain=True) for aspect in ASPECTS)
        case ("Words", "language"):
            yield from (Candidate(code, "language", is_certain=True) for code in LANGUAGES)
        case ("Outcome", "word") | ("Result", "otherwise"):
            yield from (Candidate(text, "name", is_certain=True) for text in _list_labelled(trial, known_names(trial)))
        case _:
            yield from _list_by_role(trial, role)


def _list_by_role(trial: Trial, role: tuple[str, str]) -> Iterator[Candidate]:
    names = trial.names
    match role:
        case ("Choose", "actions") | ("Can" | "When" | "ThenCan" | "Property" | "Preference", "action"):
            yield from _name_pieces(names.actions, "action")
        case ("Do", "step"):
            yield from _name_pieces(names.steps, "step")
        case ("GivenPhase", "phase"):
            yield from _name_pieces(names.phases, "phase")
        case ("Set" | "Fix", "name"):
            yield from (one for one in _list_things(names) if one.kind in ("option", "reading"))
        case ("Record", "memory"):
            yield from (one for one in _list_things(names) if one.kind == "memory")
        case ("In", "collection") if isinstance(trial.hole.parent, ast.In) and trial.hole.parent.of_kind:
            yield from (one for one in _list_things(names) if one.kind == "component")
        case ("EitherType", _):
            yield from (one for one in _list_things(names) if one.kind == "component")
        case ("NamedType", "name"):
            yield from (one for one in _list_things(names) if one.kind in ("values", "component"))
        case ("Zone", "component") | ("ChangeRow" | "RemovePiece", "of"):
            yield from (one for one in _list_things(names) if one.kind == "component")
        case _:
            yield from _list_for_expressions(trial)


def _list_for_expressions(trial: Trial) -> Iterator[Candidate]:
    for name in dict.fromkeys(trial.scope.bound_names()):
        if name != HOLE:
            yield Candidate(name, "local", fit=2.0)
    names = trial.names
    if isinstance(trial.expected, ComponentOf):
        board = names.things.get(trial.expected.kind)
        if isinstance(board, ast.Components) and is_grid(board):
            is_example = isinstance(trial.hole.parents[-1], ast.Example)
            yield from _list_places(board, 0.0 if is_example else -3.0)
    yield from _list_things(names)
    for text, line in names.lines.items():
        yield Candidate(text, "line", "", " ".join(line.notes))
    for text, owners in names.words.items():
        yield Candidate(text, "value", ", ".join(owner.name.text for owner in owners))
    for text, row in names.rows.items():
        yield Candidate(text, "row", row.components.name.text)
    for components in names.components():
        for attribute in (*components.attributes, *components.computed):
            yield Candidate(attribute.name.text, "attribute", components.name.text)
    for text in names.phases:
        yield Candidate(text, "phase")
    for builtin in BUILTINS:
        yield Candidate(builtin.name, "word", builtin.gives, builtin.says)
    for text in ALONE:
        yield Candidate(text, "word")


def _list_places(board: ast.Components, fit: float) -> Iterator[Candidate]:
    """Of a grid; where a formula says its size, as many as are usual."""
    sizes = [one.type.high for one in board.attributes[:2] if isinstance(one.type, ast.RangeType)]
    rows, columns = (size.value if isinstance(size, ast.Number) else USUAL_SIZE for size in sizes)
    for row in range(1, min(rows, MOST_PLACES) + 1):
        for column in range(1, min(columns, MOST_PLACES) + 1):
            yield Candidate(place_name(row, column), "place", board.name.text, fit=fit, is_certain=True)


def _find_board_line(parents: Iterable[ast.Node]) -> ast.PlaceLine | None:
    boards = (one.board for one in parents if isinstance(one, ast.Components) and one.board is not None)
    lines = (line for board in boards for line in board.lines)
    return next((line for line in lines if any(name.text == HOLE for name in line.names)), None)


def _list_next_places(line: ast.PlaceLine, names: DeclaredNames) -> Iterator[Candidate]:
    """The places that go on straight, then all that there are."""
    texts = [one.text for one in line.names]
    at = texts.index(HOLE)
    places = [read_place_name(text) for text in texts]
    for first, second, far in ((at - 1, at + 1, 0.5), (at - 2, at - 1, 2.0), (at + 2, at + 1, 2.0)):
        if min(first, second) >= 0 and max(first, second) < len(places):
            one, other = places[first], places[second]
            if one is not None and other is not None:
                row, column = (round(a + far * (b - a)) for a, b in zip(one, other, strict=True))
                if row > 0 and column > 0:
                    yield Candidate(place_name(row, column), "place", fit=6.0, is_certain=True)
    for text in names.rows:
        if text not in texts:
            yield Candidate(text, "place", is_certain=True)


def _list_things(names: DeclaredNames) -> Iterator[Candidate]:
    for text, thing in names.things.items():
        if text != HOLE:
            yield Candidate(text, kind_of_thing(thing), describe_thing(thing), note_of(thing))


def kind_of_thing(thing: Thing) -> str:
    match thing:
        case ast.Zone():
            return "zone"
        case ast.Variable(word=word):
            return word
        case ast.Option(is_reading=is_reading):
            return "reading" if is_reading else "option"
        case ast.Define():
            return "define"
        case ast.Table():
            return "table"
        case ast.Memory():
            return "memory"
        case ast.Values():
            return "values"
        case ast.Components():
            return "component"
        case _:
            assert_never(thing)


def _list_changeable(trial: Trial) -> Iterator[Candidate]:
    """Behind `change zone`: the zones that there are."""
    kind, names = trial.hole.parent, trial.names
    match kind:
        case ast.Action():
            known: Iterable[str] = names.actions
        case ast.Step():
            known = names.steps
        case ast.Phase():
            known = names.phases
        case _:
            known = (text for text, thing in names.things.items() if _is_like(thing, kind))
    yield from (Candidate(text, "name", is_certain=True, fit=1.0) for text in known if text != HOLE)


def _is_like(thing: Thing, piece: ast.Node) -> bool:
    if isinstance(thing, ast.Variable) and isinstance(piece, ast.Variable):
        return thing.word == piece.word
    return type(thing) is type(piece)


def _name_pieces(pieces: Iterable[str], kind: str) -> Iterator[Candidate]:
    return (Candidate(text, kind) for text in pieces if text != HOLE)


def _list_label_names(trial: Trial) -> Iterator[Candidate]:
    """What has no label yet in this language."""
    block = next((node for node in trial.hole.parents if isinstance(node, ast.Words)), None)
    labelled = {word.name.text for word in block.items} if block is not None else set()
    names = trial.names
    before = {word.name.text for piece in trial.game.declarations if isinstance(piece, ast.Words)
              for word in piece.items}  # fmt: skip
    shown = {*names.words, *names.rows, *names.actions, *names.phases, *names.lines, *_list_outcomes(trial),
             *(text for text, thing in names.things.items() if isinstance(thing, ast.Option))}  # fmt: skip
    seen = {"game", *names.attribute_names(), *_list_choice_names(names), *(text for text, thing in names.things.items()
                                        if isinstance(thing, ast.Zone | ast.Variable))}  # fmt: skip
    for text in dict.fromkeys((
        "game", *(one.text for one in _list_things(names)), *names.words, *names.rows, *names.actions, *names.phases,
        *names.lines, *names.attribute_names(), *names.steps, *_list_choice_names(names), *_list_outcomes(trial),
        *_list_named(trial, ast.Persona), *_list_named(trial, ast.Figure),
    )):  # fmt: skip
        if text not in labelled and text != HOLE:
            fit = 3.0 * (text in before) + (3.0 if text in shown else 2.0 if text in seen else 0.0)
            yield Candidate(text, "name", fit=fit, is_certain=True)


def _list_choice_names(names: DeclaredNames) -> Iterator[str]:
    return (choice.name.text for action in names.actions.values() for choice in action.choices)


def _list_outcomes(trial: Trial) -> Iterator[str]:
    for piece in trial.game.declarations:
        if isinstance(piece, ast.Result):
            yield from (outcome.word.text for outcome in piece.outcomes)
            yield piece.otherwise.text


def _list_named(trial: Trial, kind: type[ast.Persona | ast.Figure]) -> Iterator[str]:
    return (piece.name.text for piece in trial.game.declarations if isinstance(piece, kind))


def _list_missing_names(trial: Trial, *, is_local: bool) -> Iterator[Candidate]:
    """What is used and declared nowhere: in the same piece alone, where the name is known there alone."""
    known = known_names(trial)
    pieces = trial.pieces if is_local else trial.game.declarations
    missing = dict.fromkeys(text for piece in pieces for text in _list_unbound(piece) if text not in known)
    labelled = () if is_local else _list_labelled(trial, known)
    for text in (*missing, *labelled):
        yield Candidate(text, "name", is_certain=True, fit=1.0)
    if is_local and not missing:
        yield from (Candidate(text, "name") for piece in pieces for text in sorted(_collect_bound(piece)))
        initial = _initial_of_type(trial.hole.parent)
        if initial is not None:
            yield Candidate(initial, "name", is_certain=True)


def _initial_of_type(parameter: ast.Node) -> str | None:
    """`c` of a Card."""
    kind = parameter.type if isinstance(parameter, ast.Parameter) else None
    return kind.name.text[:1].lower() if isinstance(kind, ast.NamedType) else None


def known_names(trial: Trial) -> set[str]:
    names = trial.names
    return {
        *names.things, *names.actions, *names.steps, *names.phases, *names.lines, *names.words, *names.rows,
        *names.attribute_names(), *(builtin.name for builtin in BUILTINS), *ALONE, *_list_outcomes(trial),
        *_list_named(trial, ast.Persona), *_list_named(trial, ast.Figure), *_list_choice_names(names),
    }  # fmt: skip


def _list_labelled(trial: Trial, known: set[str]) -> Iterator[str]:
    """What has a label and is declared nowhere."""
    labels = (word.name.text for piece in trial.game.declarations if type(piece) is ast.Words for word in piece.items)
    return (text for text in dict.fromkeys(labels) if text not in known and text != "game" and text != HOLE)


def _list_unbound(piece: ast.AnyDeclaration) -> Iterator[str]:
    if isinstance(piece, ast.Words):  # labels and languages
        return iter(())
    bound = _collect_bound(piece)
    names = (node.text for node in walk(piece) if isinstance(node, ast.Name))
    return (text for text in names if text not in bound and text != HOLE)


def _collect_bound(piece: ast.AnyDeclaration) -> set[str]:
    """The names that are given inside a piece."""
    return {
        name.text
        for node in walk(piece)
        for name in (
            getattr(node, "alias", None) if isinstance(node, ast.Deal) else None,
            node.name if isinstance(node, ast.Parameter | ast.Choice | ast.Each) else None,
        )
        if name is not None and name.text != HOLE
    }
