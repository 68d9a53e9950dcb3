"""Somebody must choose, and everybody must get a turn."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, StatementPlace
from rulesrun.dsl.text.messages import message


def check_turns_given(reading: CheckedGame) -> Iterator[Diagnostic]:
    choices = [place for place in reading.flow.places if isinstance(place.statement, ast.Choose)]
    if not choices:
        title = next(iter(reading.pieces(ast.Title)), reading.game)
        yield Diagnostic(
            "nobody-chooses", message("nobody ever chooses anything in this game"), title.span,
            message("write `choose …` in a phase, with the actions to choose from"), "warning",
        )
        return
    seats: set[int] = set()
    for place in choices:
        seat = _find_only_seat(reading, place)
        if seat is None:
            return
        seats.add(seat)
    missing = [seat for seat in range(1, reading.inferred.players.high + 1) if seat not in seats]
    if missing:
        listed = ", ".join(str(seat) for seat in missing)
        yield Diagnostic(
            "player-without-turn",
            message("player {listed} never gets a turn", listed=listed),
            choices[0].statement.span,
            message("`turns from …`, `one turn each from …`, `each player` or `all choose …` give everybody a turn"),
            "warning",
        )


def _find_only_seat(reading: CheckedGame, place: StatementPlace) -> int | None:
    """The one seat that is asked here, where that is certain."""
    choose = place.statement
    if isinstance(choose, ast.Choose) and choose.who == "named":
        return choose.chooser.value if isinstance(choose.chooser, ast.Number) else None
    if isinstance(choose, ast.Choose) and choose.who != "player":
        return None
    _, loops = reading.flow.find_surroundings(place)
    goes_round = any(isinstance(loop, ast.Turns | ast.EachPlayer) for loop in loops)
    moves_on = any(reading.pieces(ast.Rounds)) or any(_is_starter_change(node) for node in reading.nodes)
    return None if goes_round or moves_on else 1


def _is_starter_change(node: ast.Node) -> bool:
    changed = footprint_of(node).changed if isinstance(node, ast.Statement) else ()
    return any(isinstance(place, ast.Name) and place.text == "starter" for place in changed)
