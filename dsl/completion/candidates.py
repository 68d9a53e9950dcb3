"""The names that may be meant at the cursor: of everything declared, of what is known there, and of what is missing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, assert_never

from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.completion.cursor import HOLE
from rulesrun.dsl.completion.trials import Hole, Trial
from rulesrun.dsl.completion.undeclared import (
    find_pieces_of_kind,
    list_choice_names,
    list_labelled,
    list_named,
    list_names_to_bind,
    list_names_to_declare,
    list_outcomes,
)
from rulesrun.dsl.expansion.step_calls import find_values
from rulesrun.dsl.format.format import text_of_first_line
from rulesrun.dsl.text.keywords import place_name, read_place_name
from rulesrun.dsl.text.looks import ASPECTS
from rulesrun.dsl.typing.names import ALONE, BUILTINS, DeclaredNames, Thing, find_attribute
from rulesrun.dsl.typing.notebook import PLAYER, strip_optional
from rulesrun.dsl.typing.types import ComponentOf

# ---- signatures
# A declared thing in one line, and the author's note of it.


def describe_thing(thing: ast.AnyDeclaration) -> str:
    """Its first line in the canonical layout, shortened."""
    text = text_of_first_line(thing)
    return text if len(text) <= 100 else text[:99] + "…"


def note_of(thing: ast.AnyDeclaration) -> str:
    return " ".join(thing.notes)


# ---- board places
# The places of a board, and which of them an example is likely to speak of next.


USUAL_SIZE = 8
MOST_PLACES = 13  # in a row or column, as many as can be looked through
NEIGHBOUR, ALIGNED = 3.0, 1.5
OF_NUMBERS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "div": operator.floordiv, "mod": operator.mod,
}  # fmt: skip
OF_TWO: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "is not": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
Value = int | bool | str


def list_places(trial: Trial, board: ast.Components) -> list[str]:
    """Those that there are with the options of the example, elsewhere with those that hold where nothing is said. Where
    it is not known how large a grid is, as many as are usual.
    """
    if not is_grid(board):
        return [row.name.text for row in board.rows]
    known = _choose_options(trial)
    sizes = [_evaluate(one.type.high, known) for one in board.attributes[:2] if isinstance(one.type, ast.RangeType)]
    rows, columns = (min(MOST_PLACES, size if isinstance(size, int) else USUAL_SIZE) for size in sizes)
    return [
        place_name(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)
        if board.condition is None
        or _evaluate(board.condition, {**known, "row": row, "column": column}) is not False
    ]  # fmt: skip


def _choose_options(trial: Trial) -> dict[str, Value]:
    """What each option is, and how many play at least."""
    example = trial.hole.parents[-1]
    known: dict[str, Value] = {word: word for word in trial.names.words}
    lines = example.lines if isinstance(example, ast.Example) else ()
    said = (
        *(("players", one.low) for one in trial.game.pieces(ast.Players)),
        *((one.name.text, one.default) for one in trial.game.options),
        *((one.name.text, one.value) for one in lines if isinstance(one, ast.Set)),
    )
    values = ((name, _evaluate(value, known)) for name, value in said)
    return known | {name: value for name, value in values if value is not None}


def _evaluate(node: ast.Expr, known: Mapping[str, Value]) -> Value | None:
    """What an expression comes to before the game; None where more has to be known."""
    match node:
        case ast.Number(value=value) | ast.Truth(value=value):
            return value
        case ast.Name(text=text):
            return known.get(text)
        case ast.Not(value=part):
            found = _evaluate(part, known)
            return None if found is None else not found
        case ast.And(parts=parts) | ast.Or(parts=parts):
            decisive = isinstance(node, ast.Or)
            values = [_evaluate(part, known) for part in parts]
            return decisive if decisive in values else None if None in values else not decisive
        case ast.IfElse(condition=condition, then=then, otherwise=otherwise):
            is_so = _evaluate(condition, known)
            return None if is_so is None else _evaluate(then if is_so else otherwise, known)
        case ast.Arithmetic(left=left, right=right) | ast.Compare(left=left, right=right):
            return _combine(node.operator, _evaluate(left, known), _evaluate(right, known))
        case _:
            return None


def _combine(sign: str, left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None:
        return None
    if isinstance(left, str) or isinstance(right, str):
        return OF_TWO[sign](left, right) if sign in ("=", "is not") else None
    if sign in OF_TWO:
        return OF_TWO[sign](left, right)
    is_by_nothing = sign in ("div", "mod") and not right
    return OF_NUMBERS[sign](left, right) if sign in OF_NUMBERS and not is_by_nothing else None


def rate_places(trial: Trial, board: ast.Components, places: Sequence[str]) -> Mapping[str, float] | None:
    """What speaks for each in an example: that it lies beside those of the same line, or beside what was named last.
    What has been given already is left out. None where the hole is in no example.
    """
    example = trial.hole.parents[-1]
    if not isinstance(example, ast.Example) or len(trial.hole.parents) < 2:
        return None
    own = trial.hole.parents[-2]
    at = next((at for at, line in enumerate(example.lines) if line is own), len(example.lines))
    known = set(places)
    here = _list_named([own], known)
    above = _list_named(example.lines[:at], known)
    below = _list_named(example.lines[at + 1 :], known)
    given = _list_given(example, own, known)
    anchors = here or above[-1:] or below[:1]
    ways = Ways(board)
    return {
        text: max((ways.rate(anchor, text) for anchor in anchors), default=0.0)
        + ALIGNED * (text in above) + (text in below)
        for text in places
        if text not in given
    }  # fmt: skip


def _list_named(lines: Sequence[ast.Node], known: set[str]) -> list[str]:
    return [node.text for line in lines for node in walk(line) if isinstance(node, ast.Name) and node.text in known]


def _list_given(example: ast.Example, own: ast.Node, known: set[str]) -> set[str]:
    """Nothing is given twice."""
    target = own.target if isinstance(own, ast.GivenValue) else None
    if not isinstance(target, ast.Index) or len(target.keys) != 1:
        return set()
    return {
        text
        for line in example.lines
        if line is not own and isinstance(line, ast.GivenValue) and isinstance(line.target, ast.Index)
        and line.target.name.text == target.name.text
        for text in _list_named([line.target], known)
    }  # fmt: skip


class Ways:
    """How near places of a board are to each other."""

    def __init__(self, board: ast.Components) -> None:
        lines = board.board.lines if board.board is not None else ()
        self.lines = [[name.text for name in line.names] for line in lines]
        self.steps = {frozenset(pair) for line in self.lines for pair in pairwise(line)}

    def rate(self, one: str, other: str) -> float:
        if one == other:
            return 0.0
        if self.lines:
            is_aligned = any(one in line and other in line for line in self.lines)
            return NEIGHBOUR if {one, other} in self.steps else ALIGNED if is_aligned else 0.0
        distances = _measure(one, other)
        if distances is None:
            return 0.0
        rows, columns = distances
        is_aligned = rows == 0 or columns == 0 or rows == columns
        return (ALIGNED if is_aligned else 0.0) + (NEIGHBOUR - ALIGNED) / max(rows, columns)


def _measure(one: str, other: str) -> tuple[int, int] | None:
    first, second = read_place_name(one), read_place_name(other)
    if first is None or second is None:
        return None
    return abs(first[0] - second[0]), abs(first[1] - second[1])


# ---- candidates


IN_PLAY = ("zone", "number", "marker", "memory", "line", "phase")
WORDS_IN_PLAY = ("player", "opponents", "starter", "round", "phase", "it", "total", "place")
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
    """`is_certain`: nothing has to be tried, it may stand there. `fit` is what speaks for it from the start.
    `is_met_once`: after what it stands elsewhere says nothing, for it does not come twice.
    """

    text: str
    kind: str
    detail: str = ""
    note: str = ""
    fit: float = 0.0
    is_certain: bool = False
    is_met_once: bool = False


def list_candidates(trial: Trial) -> Iterator[Candidate]:
    """The nearest of each name; without what has none in a file: it is there because something is spelled out."""
    is_settled, seen = _is_settled_before_play(trial.hole), {_name_of_piece(trial.hole)}
    for one in _list_by_place(trial):
        is_refused = is_settled and (one.kind in IN_PLAY or one.text in WORDS_IN_PLAY)
        if " " in one.text or one.text in seen or is_refused:
            continue
        seen.add(one.text)
        yield evolve(one, fit=one.fit + 2.0) if is_settled and one.kind in ("option", "reading") else one


def _name_of_piece(hole: Hole) -> str | None:
    """What is declared there is not said by itself."""
    fixed = next((one for one in hole.parents if isinstance(one, ast.Fix | ast.Set)), None)
    match fixed or hole.parents[-1]:
        case ast.Fix(name=name) | ast.Set(name=name):
            return name.text
        case ast.Option(name=name) | ast.Define(name=name) | ast.Table(name=name):
            return name.text
        case ast.Variable(name=name) | ast.Zone(name=name):
            return name.text
        case _:
            return None


def _is_settled_before_play(hole: Hole) -> bool:
    """How many rounds, copies, players, and the ends of ranges: nothing that changes can stand there."""
    node: ast.Node = hole.name
    for parent in hole.parents:
        match parent:
            case ast.RangeType() | ast.Option() | ast.Players():
                return True
            case ast.Choice():
                return False
            case (
                ast.Rounds(count=part) | ast.Turns(limit=part) | ast.Components(copies=part) | ast.RowDecl(copies=part)
            ) if part is node:
                return True
            case _:
                node = parent
    return False


def _list_by_place(trial: Trial) -> Iterator[Candidate]:
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
        found = list_names_to_bind(trial) if role in BINDING else list_names_to_declare(trial)
        yield from (Candidate(text, "name", fit=fit, is_certain=True, is_met_once=True) for text, fit in found)
        return
    match role:
        case ("Word", "name"):
            yield from _list_label_names(trial)
        case ("Wins", "who"):
            fit = 0.0 if trial.hole.is_ending_made_up else 2.0
            yield from (evolve(one, fit=one.fit + fit) for one in _list_for_expressions(trial) if _may_win(trial, one))
        case ("Criterion", "value"):
            yield from (evolve(one, fit=one.fit + 3.0 * (one.kind == "line" or one.text == "total"))
                        for one in _list_for_expressions(trial))
        case ("Look", "language"):
            yield from (Candidate(aspect, "aspect", is_certain=True) for aspect in ASPECTS)
        case ("Words", "language"):
            yield from (Candidate(code, "language", is_certain=True) for code in LANGUAGES)
        case ("Outcome", "word") | ("Result", "otherwise"):
            yield from (Candidate(text, "name", is_certain=True) for text in list_labelled(trial))
        case _:
            yield from _list_by_role(trial, role)


def _may_win(trial: Trial, one: Candidate) -> bool:
    """Who it is said of; where the line has only begun, what may change instead."""
    thing = trial.names.things.get(one.text)
    if isinstance(thing, ast.Variable):
        return trial.hole.is_ending_made_up and thing.name.span != thing.span  # `winner` is not set but by this line
    found = trial.infer_name(one.text)
    return found is not None and strip_optional(found) == PLAYER


def _list_by_role(trial: Trial, role: tuple[str, str]) -> Iterator[Candidate]:
    names = trial.names
    match role:
        case (
            ("Choose" | "Ask", "actions") | ("Turns", "without")
            | ("Can" | "When" | "ThenCan" | "Property" | "Preference", "action")
        ):  # fmt: skip
            yield from _name_pieces(names.actions, "action")
        case ("ChangeLines", "name") if isinstance(trial.hole.parent, ast.ChangeLines):
            kind = trial.hole.parent.kind
            known = {"action": (*names.actions,), "step": (*names.steps,), "phase": (*names.phases,)}
            yield from _name_pieces(known.get(kind, ()), kind)
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
    for frame in trial.scope.frames():
        if frame.has_attributes and isinstance(frame.type, ComponentOf):
            for text in _list_attributes(frame.type, names):
                yield Candidate(text, "attribute", frame.type.kind, fit=2.0)
            for text, value in find_values(trial.game).items():
                if _is_type_called(value.keys[0], frame.type.kind):
                    yield Candidate(text, value.word, describe_thing(value), note_of(value), 2.0, is_certain=True)
    if isinstance(trial.expected, ComponentOf):
        board = names.things.get(trial.expected.kind)
        if isinstance(board, ast.Components) and board.board is not None:
            yield from _list_places(trial, board)
    yield from _list_things(names)
    for text, line in names.lines.items():
        yield Candidate(text, "line", "", " ".join(line.notes))
    for text, owners in names.words.items():
        yield Candidate(text, "value", ", ".join(owner.name.text for owner in owners))
    for text, row in names.rows.items():
        if row.components.board is None:
            yield Candidate(text, "row", row.components.name.text)
        elif not isinstance(trial.expected, ComponentOf):
            yield Candidate(text, "place", row.components.name.text, fit=-3.0)
    for components in names.components():
        for attribute in (*components.attributes, *components.computed):
            yield Candidate(attribute.name.text, "attribute", components.name.text)
    for text in names.phases:
        yield Candidate(text, "phase")
    for builtin in BUILTINS:
        yield Candidate(builtin.name, "word", builtin.gives, builtin.says)
    for text in ALONE:
        yield Candidate(text, "word")


def _is_type_called(written: ast.TypeExpr, kind: str) -> bool:
    return isinstance(written, ast.NamedType) and written.name.text == kind


def _list_attributes(type: ComponentOf, names: DeclaredNames) -> Iterator[str]:
    """What all of these kinds have."""
    for text in dict.fromkeys(names.attribute_names()):
        if find_attribute(type, text, names) is not None:
            yield text


def _list_places(trial: Trial, board: ast.Components) -> Iterator[Candidate]:
    """In an example those first that lie beside what it speaks of; elsewhere they are seldom named."""
    places = list_places(trial, board)
    fits = rate_places(trial, board, places)
    for text in places:
        if fits is None:
            yield Candidate(text, "place", board.name.text, fit=-3.0, is_certain=True, is_met_once=True)
        elif text in fits:
            yield Candidate(text, "place", board.name.text, fit=fits[text], is_certain=True, is_met_once=True)


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
    """Behind `change zone`: the zones that there are; of steps and the like first those that are told the same."""
    told = _list_told(trial.hole.parent)
    for text, piece in find_pieces_of_kind(trial.names, trial.hole.parent).items():
        yield Candidate(text, "name", is_certain=True, fit=2.0 if told and _list_told(piece) == told else 1.0)


def _list_told(piece: ast.Node) -> list[str]:
    """The names of what it is told, or of what is chosen for it."""
    match piece:
        case ast.Define(parameters=given) | ast.Table(parameters=given) | ast.Step(parameters=given):
            return [one.name.text for one in given]
        case ast.Action(choices=choices):
            return [one.name.text for one in choices]
        case _:
            return []


def _name_pieces(pieces: Iterable[str], kind: str) -> Iterator[Candidate]:
    return (Candidate(text, kind) for text in pieces if text != HOLE)


def _list_label_names(trial: Trial) -> Iterator[Candidate]:
    """What has no label yet in this language; first what players see, and what is declared behind the one above."""
    block = next((node for node in trial.hole.parents if isinstance(node, ast.Words)), None)
    labelled = [word.name.text for word in block.items] if block is not None else []
    above = labelled[labelled.index(HOLE) - 1] if HOLE in labelled[1:] else None
    before = {word.name.text for piece in trial.game.pieces(ast.Words) for word in piece.items}
    names = list(dict.fromkeys(text for text in _list_labelable(trial) if text != HOLE))
    at = names.index(above) if above in names else -1
    for place, text in enumerate(names):
        if text not in labelled:
            seen = _rate_as_drawn(trial, text) if isinstance(block, ast.Look) else _rate_as_seen(trial, text)
            fit = 3.0 * (text in before) + seen + (2.0 / (place - at) if place > at else 0.0)
            yield Candidate(text, "name", fit=fit, is_certain=True, is_met_once=True)


def _list_labelable(trial: Trial) -> Iterator[str]:
    names = trial.names
    yield "game"
    yield from (one.text for one in _list_things(names))
    for group in (names.words, names.rows, names.actions, names.phases, names.lines):
        yield from group
    yield from names.attribute_names()
    yield from names.steps
    yield from list_choice_names(names)
    yield from list_outcomes(trial)
    yield from (*list_named(trial, ast.Persona), *list_named(trial, ast.Figure))


def _rate_as_seen(trial: Trial, text: str) -> float:
    """What stands at the table and in what is told of a game; places of a board are told as they are."""
    names = trial.names
    row, thing = names.rows.get(text), names.things.get(text)
    groups = (names.words, names.actions, names.phases, names.lines)
    is_row = row is not None and row.components.board is None
    if is_row or isinstance(thing, ast.Option) or any(text in one for one in groups) or text in list_outcomes(trial):
        return 3.0
    is_asked = text in names.attribute_names() or text in list_choice_names(names)
    return 2.0 if text == "game" or isinstance(thing, ast.Zone | ast.Variable) or is_asked else 0.0


def _rate_as_drawn(trial: Trial, text: str) -> float:
    """Of what lies on a table its layout is said, of words and kinds a colour or a sign."""
    look = next((node for node in trial.hole.parents if isinstance(node, ast.Look)), None)
    is_laid_out = isinstance(trial.names.things.get(text), ast.Zone | ast.Variable)
    is_layout = look is not None and look.language.text == "layout"
    return 4.0 if is_laid_out == is_layout and not (is_layout and text == "game") else 0.0
