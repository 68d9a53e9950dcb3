"""Somebody must choose, and everybody must get a turn."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import changed_place, footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, PieceWithLines, StatementPlace
from rulesrun.dsl.format.format import text_of_expression
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


# ---- turns within turns
# What is kept each turn belongs to the outermost turn: where an author may take it to begin anew in turns within it,
# and where a phase sets it though its turns set it back.


Kept = ast.Variable | ast.Memory
WATCHING = (ast.Property, ast.Figure, ast.Example, ast.Small, ast.Persona, ast.Words)


def check_nested_turns(reading: CheckedGame) -> Iterator[Diagnostic]:
    kept: list[Kept] = [
        one for one in reading.game.declarations if isinstance(one, ast.Variable | ast.Memory) and one.reset == "turn"
    ]
    loops = [place for place in reading.flow.places if isinstance(place.statement, ast.Turns)]
    if not kept or not loops:
        return
    nested = [
        place for place in loops if any(isinstance(one, ast.Turns) for one in reading.flow.find_surroundings(place)[1])
    ]
    for place in nested:
        yield from _check_not_reset(reading, place, kept)
    for phase in reading.pieces(ast.Phase):
        if not isinstance(phase.loop, ast.Turns):
            yield from _check_lost_assignments(reading, phase, kept)


# ---- turns within a turn


def _check_not_reset(reading: CheckedGame, place: StatementPlace, kept: list[Kept]) -> Iterator[Diagnostic]:
    """Changed in these turns, and spoken of nowhere else: each of them is likely meant to begin with the start."""
    loop = place.statement
    assert isinstance(loop, ast.Turns)
    inside = {node for part in [*loop.body, *_pieces_only_inside(reading, loop)] for node in walk(part)}
    watching = {node for one in reading.game.declarations if isinstance(one, WATCHING) for node in walk(one)}
    for one in kept:
        reading.flow.patience.spend(len(reading.nodes))
        named = [node for node in reading.nodes if isinstance(node, ast.Name) and reading.meaning(node) is one]
        elsewhere = [node for node in named if node not in inside and node not in watching and node is not one.name]
        changed = [node for node in inside if _assigned_thing(reading, node) is one]
        if (
            changed
            and not elsewhere
            and not any(_assigned_thing(reading, line) is one for line in _opening_assignments(loop))
        ):
            first = min(changed, key=lambda node: node.span.start)
            yield Diagnostic(
                "turn-within-turn",
                message(
                    "`{name}` is reset only before the outer turn: in these inner turns, each player continues with "
                    "what the previous one left",
                    name=one.name.text,
                ),
                first.span,
                _suggest_reset(one),
                "warning",
            )


def _suggest_reset(one: Kept) -> str:
    if isinstance(one, ast.Memory):
        return message("remove `each turn` if it should last longer")
    start = text_of_expression(one.start) if one.start is not None else "…"
    line = f"`{one.name.text} becomes {start}`"
    return message(
        "if each inner turn starts afresh, write {line} as its first line; if they share it, write it above "
        "them", line=line
    )


def _opening_assignments(loop: ast.Turns) -> Iterator[ast.Statement]:
    """The lines with which everybody begins."""
    for line in loop.body:
        if not isinstance(line, ast.Becomes):
            return
        yield line


def _pieces_only_inside(reading: CheckedGame, loop: ast.Turns) -> set[PieceWithLines]:
    """Steps and actions that these turns alone bring about."""
    flow = reading.flow
    flow.patience.spend(len(flow.places))
    below = [place for place in flow.places if loop in place.loops]
    found: set[PieceWithLines] = {
        one.piece for one in flow.walk_reachable(below) if isinstance(one.piece, ast.Step | ast.Action)
    }
    found -= {place.piece for place in below}
    while True:
        outside = {
            piece for piece in found if isinstance(piece, ast.Step | ast.Action)
            and any(loop not in one.loops and one.piece not in found for one in flow.callers.get(piece, ()))
        }  # fmt: skip
        if not outside:
            return found
        found -= outside


def _assigned_thing(reading: CheckedGame, line: ast.Node) -> Kept | None:
    found = reading.meaning_of_place(changed_place(line))
    return found if isinstance(found, ast.Variable | ast.Memory) else None


# ---- turns within the lines of a phase


def _check_lost_assignments(reading: CheckedGame, phase: ast.Phase, kept: list[Kept]) -> Iterator[Diagnostic]:
    """Set in the lines of a phase, and set back before each of the turns below, where it is spoken of."""
    for at, line in enumerate(phase.body):
        one = _assigned_thing(reading, line)
        if one not in kept or isinstance(one, ast.Memory) or _is_start_value(line, one):
            continue
        for loop in phase.body[at + 1 :]:
            if isinstance(loop, ast.Turns) and one in _mentioned_meanings(reading, loop):
                yield Diagnostic(
                    "turn-within-turn",
                    message(
                        "`{name}` is reset before each of the turns below, so this value is lost", name=one.name.text
                    ),
                    line.span,
                    message("remove `each turn` and reset it here"),
                    "warning",
                )
                break


def _is_start_value(line: ast.Statement, one: ast.Variable) -> bool:
    return isinstance(line, ast.Becomes) and one.start is not None and repr(line.value) == repr(one.start)


def _mentioned_meanings(reading: CheckedGame, loop: ast.Turns) -> set[object]:
    reading.flow.patience.spend(len(reading.flow.places))
    below = [place for place in reading.flow.places if loop in place.loops]
    pieces = {one.piece for one in reading.flow.walk_reachable(below)} - {place.piece for place in below}
    return {meaning for part in [*loop.body, *pieces] for meaning in reading.flow.collect_mentions(part)}
