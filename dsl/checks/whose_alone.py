"""What every player has, named without its owner where it is nobody's turn: whose is it?"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, StatementPlace
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import message

OF_OTHERS = ast.Quantified | ast.Filter | ast.Aggregate | ast.Best


def check_ownerless_names(reading: CheckedGame) -> Iterator[Diagnostic]:
    """In a `setup` and in a phase without turns in which nobody in particular chooses."""
    if reading.inferred.players.high == 1:
        return
    pieces: list[ast.Setup | ast.Phase] = [*reading.pieces(ast.Setup), *reading.pieces(ast.Phase)]
    for piece in pieces:
        places = reading.flow.of_piece.get(piece, [])
        if isinstance(piece, ast.Phase) and (isinstance(piece.loop, ast.Turns) or _has_player_choice(reading, places)):
            continue
        named = [
            found
            for place in places
            if _is_outside_turns(place)
            for found in _list_ownerless_names(reading, place.statement)
        ]
        yield from map(_ownerless_diagnostic, named[:1])


def _has_player_choice(reading: CheckedGame, places: list[StatementPlace]) -> bool:
    inside = (place.statement for place in reading.flow.walk_reachable(places))
    return any(isinstance(statement, ast.Choose) and statement.who == "player" for statement in inside)


def _is_outside_turns(place: StatementPlace) -> bool:
    return not any(isinstance(loop, ast.Turns | ast.EachPlayer) for loop in place.loops)


def _list_ownerless_names(reading: CheckedGame, statement: ast.Statement) -> Iterator[ast.Name]:
    """Names of what every player has, in the statement's own line."""
    if isinstance(statement, ast.Choose):
        return
    waiting: list[ast.Node] = [*_nodes_of_own_line(statement)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Of(subject=ast.Name() | ast.Index() | ast.Call(), owner=owner):
                waiting.append(owner)
            case ast.Name():
                meaning = reading.meaning(node)
                if isinstance(meaning, ast.Zone | ast.Variable) and meaning.per_player:
                    yield node
            case _ if not isinstance(node, OF_OTHERS):
                waiting.extend(children(node))


def _nodes_of_own_line(statement: ast.Statement) -> Iterator[ast.Node]:
    match statement:
        case ast.Deal(each=True, target=target):
            yield from (node for node in children(statement) if node is not target)
        case ast.If(branches=branches):
            yield from (branch.condition for branch in branches if branch.condition is not None)
        case ast.EachPlayer():
            return
        case ast.ForEach(each=each):
            yield each
        case ast.Turns(start=start):
            yield start
        case ast.Repeat(times=times):
            yield from () if times is None else (times,)
        case _:
            yield from children(statement)


def _ownerless_diagnostic(name: ast.Name) -> Diagnostic:
    written = text_of_expression(name)
    return Diagnostic(
        "whose-alone", message(
            "each player has a `{written}`, but here it is nobody's turn, so this means that of `starter`",
            written=written),
        name.span, message("say whose: `{written} of …`, or write `each player` above this line", written=written),
        "warning",
    )  # fmt: skip
