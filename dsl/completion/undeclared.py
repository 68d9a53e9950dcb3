"""Names for what is declared at the cursor: what is used and not declared, and what such things are called elsewhere.

Takes a trial, gives names, each with what speaks for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import is_grid
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.completion.cursor import HOLE
from rulesrun.dsl.completion.trials import Trial
from rulesrun.dsl.text.keywords import read_place_name
from rulesrun.dsl.typing.names import ALONE, BUILTINS, NAMES, DeclaredNames

MOST_ELSEWHERE = 12
# What most rulebooks call such a thing.
USUAL = {
    ast.Phase: ("play",), ast.ScoreLine: ("points", "outcome"), ast.Action: ("pass", "play"),
    ast.Zone: ("hand", "deck", "discard"), ast.Components: ("Card", "Token", "Tile", "Square"),
    ast.Values: ("Suit", "Colour", "Rank"),
}  # fmt: skip
Binder = ast.Parameter | ast.Choice | ast.Each


# ---- pieces of a rulebook


def list_names_to_declare(trial: Trial) -> Iterator[tuple[str, float]]:
    """Of an action, a step or a phase those by which one is asked for; of others what means nothing yet."""
    piece, names = trial.hole.parent, trial.names
    own = find_pieces_of_kind(names, piece)
    used = [text for text in _list_used(trial, piece) if text not in own]
    yield from ((text, 3.0) for text in dict.fromkeys(used) if text != HOLE)
    alike = (*list_labelled(trial), *_list_next_in_order(trial), *_names_of_type(piece), *_names_of_counted(trial))
    yield from ((text, 1.0) for text in dict.fromkeys(alike))
    for kind, usual in USUAL.items():
        if isinstance(piece, kind) and not own:
            yield from ((text, 0.0) for text in usual)


def _names_of_counted(trial: Trial) -> Iterator[str]:
    """Of a line of the score what it looks at: `hand`, `in_hand`."""
    if not isinstance(trial.hole.parent, ast.ScoreLine):
        return
    for node in walk(trial.hole.parent.value):
        thing = trial.names.things.get(node.text) if isinstance(node, ast.Name) else None
        if isinstance(thing, ast.Zone):
            yield f"in_{thing.name.text}"
        if isinstance(thing, ast.Zone | ast.Variable):
            yield thing.name.text


def _list_next_in_order(trial: Trial) -> Iterator[str]:
    """`up3` behind `up1` and `up2`."""
    parent = trial.hole.parents[1] if isinstance(trial.hole.parent, ast.Enumerator) else trial.hole.parent
    match parent:
        case ast.Values(items=items):
            texts = [item.name.text for item in items]
        case ast.WordsType(words=words):
            texts = [name.text for name in words]
        case _:
            return
    before = re.fullmatch(r"(.*\D)(\d+)", texts[max(0, texts.index(HOLE) - 1)]) if HOLE in texts else None
    if before is not None:
        yield f"{before[1]}{int(before[2]) + 1}"


def find_pieces_of_kind(names: DeclaredNames, piece: ast.Node) -> dict[str, ast.Node]:
    """What is declared as such a piece: what this one changes, or would be a second time."""
    match piece:
        case ast.Action():
            known: Mapping[str, ast.Node] = names.actions
        case ast.Step():
            known = names.steps
        case ast.Phase():
            known = names.phases
        case ast.ScoreLine():
            known = names.lines
        case _:
            known = {text: thing for text, thing in names.things.items() if _is_like(thing, piece)}
    return {text: one for text, one in known.items() if text != HOLE}


def _is_like(thing: ast.Node, piece: ast.Node) -> bool:
    if isinstance(thing, ast.Variable) and isinstance(piece, ast.Variable):
        return thing.word == piece.word
    return type(thing) is type(piece)


def _list_used(trial: Trial, piece: ast.Node) -> Iterator[str]:
    nodes = (node for one in trial.game.declarations for node in walk(one))
    match piece:
        case ast.Action():
            yield from (name.text for node in nodes for name in _actions_of(node))
        case ast.Step():
            yield from (text for node in nodes for text in _steps_of(node))
        case ast.Phase():
            yield from (text for node in nodes for text in _phases_of(node))
        case _:
            known = known_names(trial)
            is_place = _is_place_of(trial.names)
            for one in trial.game.declarations:
                yield from (text for text in _list_unbound(one) if text not in known and not is_place(text))


def _actions_of(node: ast.Node) -> Iterator[ast.Name]:
    match node:
        case ast.Choose(actions=actions) | ast.Ask(actions=actions):
            yield from actions
        case ast.Can(action=action) | ast.When(action=action) | ast.ThenCan(action=action):
            yield action
        case ast.Preference(action=action):
            yield action
        case ast.Turns(without=actions):
            yield from actions
        case ast.Property(action=action) if action is not None:
            yield action
        case _:
            pass


def _steps_of(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.Do(step=step):
            yield step.text
        case ast.ForEach(called=ast.Call(name=name)):
            yield name.text
        case _:
            pass


def _phases_of(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.GivenPhase(phase=phase):
            yield phase.text
        case ast.Compare(left=ast.Name(text="phase"), right=ast.Name(text=text)):
            yield text
        case _:
            pass


def known_names(trial: Trial) -> set[str]:
    names = trial.names
    return {
        *_declared_names(trial), *(builtin.name for builtin in BUILTINS), *ALONE, *names.words, *names.rows,
        *names.attribute_names(), *list_choice_names(names),
    }  # fmt: skip


def _declared_names(trial: Trial) -> set[str]:
    names = trial.names
    return {
        *names.things, *names.actions, *names.steps, *names.phases, *names.lines, *list_outcomes(trial),
        *list_named(trial, ast.Persona), *list_named(trial, ast.Figure),
    }  # fmt: skip


def _is_place_of(names: DeclaredNames) -> Callable[[str], bool]:
    """`a1` means a place already where a board has rows and columns."""
    has_grid = any(is_grid(one) for one in names.components())
    return lambda text: has_grid and read_place_name(text) is not None


def list_labelled(trial: Trial) -> Iterator[str]:
    """What has a label and is declared nowhere."""
    names = trial.names
    known = {*_declared_names(trial), *names.words, *names.rows, *names.attribute_names(), *list_choice_names(names),
             "game", HOLE, *NAMES}  # fmt: skip
    labels = (word.name.text for piece in trial.game.words for word in piece.items)
    return (text for text in dict.fromkeys(labels) if text not in known)


def list_choice_names(names: DeclaredNames) -> Iterator[str]:
    return (choice.name.text for action in names.actions.values() for choice in action.choices)


def list_outcomes(trial: Trial) -> Iterator[str]:
    for piece in trial.game.pieces(ast.Result):
        yield from (outcome.word.text for outcome in piece.outcomes)
        yield piece.otherwise.text


def list_named(trial: Trial, kind: type[ast.Persona | ast.Figure]) -> Iterator[str]:
    return (piece.name.text for piece in trial.game.pieces(kind))


def _list_unbound(piece: ast.AnyDeclaration) -> Iterator[str]:
    if isinstance(piece, ast.Words):  # labels and languages
        return iter(())
    bound = {name.text for name, _ in _list_bound(piece)}
    names = (node.text for node in walk(piece) if isinstance(node, ast.Name))
    return (text for text in names if text not in bound and text != HOLE)


# ---- names inside of a piece


def list_names_to_bind(trial: Trial) -> Iterator[tuple[str, float]]:
    """What the piece speaks of and nobody knows; what stands for the same elsewhere; the type in lower case."""
    binder = trial.hole.parent
    taken = {*trial.names.things, *_list_bound_beside(trial), HOLE}
    yield from ((text, 4.0) for text in trial.list_unknown_names() if text not in taken)
    domain = _domain_of(binder)
    alike, others = Counter[str](), Counter[str]()
    for piece in trial.game.declarations:
        for name, node in _list_bound(piece):
            is_alike = domain is not None and _domain_of(node) == domain
            (alike if is_alike else others)[name.text] += 1
    for found, fit in ((alike, 2.0), (others, 0.0)):
        yield from ((text, fit) for text, _ in found.most_common(MOST_ELSEWHERE) if text not in taken)
    yield from ((text, 2.0 - len(text) / 5) for text in _names_of_type(binder) if text not in taken)


def _list_bound(piece: ast.AnyDeclaration) -> Iterator[tuple[ast.Name, ast.Node]]:
    """The names that are given inside a piece, and what gives them."""
    for node in walk(piece):
        match node:
            case ast.Parameter(name=name) | ast.Choice(name=name):
                yield name, node
            case ast.Each(name=ast.Name() as name) | ast.Deal(alias=ast.Name() as name):
                yield name, node
            case _:
                pass


def _list_bound_beside(trial: Trial) -> Iterator[str]:
    """Parameters and choices of the same piece: each has a name of its own."""
    if isinstance(trial.hole.parent, ast.Parameter | ast.Choice):
        beside = (node for piece in trial.pieces for node in walk(piece))
        yield from (node.name.text for node in beside if isinstance(node, ast.Parameter | ast.Choice))


def _domain_of(binder: ast.Node) -> str | None:
    match binder:
        case ast.Parameter(type=written):
            return repr(written)
        case ast.Choice(domain=domain):
            return repr(domain)
        case ast.Each(collection=collection):
            return repr(collection)
        case _:
            return None


def _names_of_type(binder: ast.Node) -> tuple[str, ...]:
    """`c` and `card` of a Card."""
    match binder:
        case ast.Parameter(type=ast.NamedType(name=kind)):
            return kind.text[:1].lower(), kind.text.lower()
        case ast.AttributeDecl(type=ast.NamedType(name=kind)):
            return (kind.text.lower(),)
        case ast.Choice(domain=ast.Name(text=kind)) | ast.Each(collection=ast.Name(text=kind)) if kind[:1].isupper():
            return kind[:1].lower(), kind.lower()
        case _:
            return ()
