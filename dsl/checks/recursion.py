"""Nothing may rest on itself: steps that do themselves, actions that are asked for in their own conditions."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, PieceWithLines, StatementPlace, list_called
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import AttributeMeaning

MOST_STATEMENTS = 50_000


def check_recursion(reading: CheckedGame) -> Iterator[Diagnostic]:
    done: dict[ast.Node, list[ast.Node]] = {
        piece: [called for place in places for called in list_called(place.statement, reading.inferred)]
        for piece, places in reading.flow.of_piece.items()
    }
    circle = _find_cycle(done)
    if circle is not None:
        yield _recursion_diagnostic(circle, message("does itself again"))
    else:
        yield from _check_expanded_size(reading)
    circle = _find_cycle(_build_dependencies(reading))
    if circle is not None:
        yield _recursion_diagnostic(circle, message("depends on itself"))


def _recursion_diagnostic(piece: ast.Node, what: str) -> Diagnostic:
    name = getattr(piece, "name", piece)
    called = f"`{name.text}` " if isinstance(name, ast.Name) else "this "
    return Diagnostic(
        "recursive-definition",
        f"{called}{what}",
        name.span,
        message("rules cannot call themselves: use `repeat`, `turns` or a table"),
    )


def _build_dependencies(reading: CheckedGame) -> dict[ast.Node, list[ast.Node]]:
    """Definitions, tables, score lines, rule columns, and what decides whether an action is legal."""
    parts: dict[ast.Node, list[ast.Node]] = {line: [line.value] for line in reading.names.lines.values()}
    for piece in reading.game.declarations:
        match piece:
            case ast.Define(body=body):
                parts[piece] = [body]
            case ast.Table(entries=entries):
                parts[piece] = list(entries)
            case ast.Action(choices=choices, needs=needs):
                parts[piece] = [*choices, *needs]
            case ast.Components(rows=rows, computed=computed):
                parts[piece] = [*rows, *computed]
            case _:
                pass
    return {piece: _direct_dependencies(reading, below, parts) for piece, below in parts.items()}


def _direct_dependencies(
    reading: CheckedGame, below: list[ast.Node], parts: dict[ast.Node, list[ast.Node]]
) -> list[ast.Node]:
    found: dict[ast.Node, None] = {}
    for part in below:
        for node in walk(part):
            meaning = reading.meaning(node)
            if isinstance(meaning, AttributeMeaning):
                if meaning.attribute.type is None:
                    found[meaning.components] = None
            elif isinstance(meaning, ast.Node) and meaning in parts:
                found[meaning] = None
    return list(found)


def _find_cycle(edges: dict[ast.Node, list[ast.Node]]) -> ast.Node | None:
    """A node that leads back to itself. Without recursion, so a long chain is fine."""
    finished: set[ast.Node] = set()
    for start in edges:
        path: list[ast.Node] = []
        waiting: list[tuple[ast.Node, bool]] = [(start, False)]
        on_path: set[ast.Node] = set()
        while waiting:
            node, leaves = waiting.pop()
            if leaves:
                path.pop()
                on_path.discard(node)
                finished.add(node)
            elif node in on_path:
                return node
            elif node not in finished:
                path.append(node)
                on_path.add(node)
                waiting.append((node, True))
                waiting.extend((other, False) for other in edges.get(node, ()))
    return None


def _check_expanded_size(reading: CheckedGame) -> Iterator[Diagnostic]:
    """Steps in steps in steps: how many statements there are when every one is written out."""
    sizes: dict[ast.Node, int] = {}
    waiting: list[ast.Node] = list(reading.flow.of_piece)
    while waiting:
        piece = waiting[-1]
        called = _list_called_pieces(reading, piece)
        missing = [each for each in called if each not in sizes]
        if missing and piece not in sizes:
            waiting.extend(missing)
            continue
        waiting.pop()
        if piece not in sizes:
            own = len(_places_in_piece(reading, piece))
            sizes[piece] = min(10 * MOST_STATEMENTS, own + sum(sizes[each] for each in called))
            if sizes[piece] > MOST_STATEMENTS:
                yield Diagnostic(
                    "too-long",
                    message(
                        "with all its steps written out, this is more than "
                        "{most_statements} statements", most_statements=MOST_STATEMENTS
                    ),
                    piece.span,
                    message("steps that do steps multiply"),
                )
                return


def _places_in_piece(reading: CheckedGame, piece: ast.Node) -> list[StatementPlace]:
    return reading.flow.of_piece.get(piece, []) if isinstance(piece, PieceWithLines) else []


def _list_called_pieces(reading: CheckedGame, piece: ast.Node) -> list[ast.Step | ast.Action]:
    places = _places_in_piece(reading, piece)
    return [called for place in places for called in list_called(place.statement, reading.inferred)]
