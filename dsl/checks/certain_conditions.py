"""Comparisons that always or never hold, and conditions that contradict themselves."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import join_messages, message, template
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Meaning
from rulesrun.dsl.typing.types import NumberOf, Unknown

SAME = message("both sides are the same; if you mean the attribute of an element, write `… of it`")
PLACES_ON_A_SIDE = 3  # of a ring
SILENT_IN = (ast.Property, ast.Example, ast.Require, ast.Words)


def check_certain_conditions(reading: CheckedGame) -> Iterator[Diagnostic]:
    """Properties are left out: they are there to hold always."""
    for piece in reading.game.declarations:
        if not isinstance(piece, SILENT_IN):
            elsewhere = _nodes_reported_elsewhere(reading, piece)
            for node in walk(piece):
                if node not in elsewhere and not _is_settled_by_fewer_players(reading, node):
                    yield from _check_node(reading, node)


def _nodes_reported_elsewhere(reading: CheckedGame, piece: ast.AnyDeclaration) -> set[ast.Node]:
    """Needs and phases that never hold have messages of their own."""
    match piece:
        case ast.Action(needs=needs):
            conditions = [each.condition for each in needs]
        case ast.Phase(when=when) if when is not None:
            conditions = [when]
        case _:
            return set()
    return {node for each in conditions if reading.facts.truth(each) is False for node in walk(each)}


def _is_settled_by_fewer_players(reading: CheckedGame, node: ast.Node) -> bool:
    """A line of the base about `players`, in a variant for other numbers of them: it is right where it stands."""
    game = reading.game
    if game.base is None or node.span.file == game.file or not isinstance(node, ast.Compare):
        return False
    names = [reading.meaning(part) for part in walk(node) if isinstance(part, ast.Name)]
    return any(isinstance(one, BuiltinMeaning) and one.name == "players" for one in names)


def _check_node(reading: CheckedGame, node: ast.Node) -> Iterator[Diagnostic]:
    match node:
        case ast.Compare():
            yield from _check_comparison(reading, node)
        case ast.And(parts=parts):
            yield from _check_contradiction(reading, parts)
        case ast.If(branches=branches):
            for branch in branches:
                if isinstance(branch.condition, ast.Truth):
                    yield _certainty_diagnostic(branch.condition, branch.condition.value)
        case ast.Call(ast.Name("lines"), (ast.Name() as board, length)):
            yield from _check_line_length(reading, reading.meaning(board), length)
        case _:
            pass


def _check_comparison(reading: CheckedGame, node: ast.Compare) -> Iterator[Diagnostic]:
    if _has_unknown_type(reading, node.left) or _has_unknown_type(reading, node.right):
        return
    if isinstance(node.left, ast.Number) and isinstance(node.right, ast.Number):
        found = reading.facts.truth(node)
        if found is not None:
            yield _certainty_diagnostic(node, found)
        return
    if _is_same_thing(reading, node.left, node.right):
        yield _certainty_diagnostic(node, node.operator in {"=", "<=", ">="}, SAME)
        return
    found = reading.facts.truth(node)
    if found is not None:
        yield _certainty_diagnostic(node, found, _range_hint(reading, node))


def _has_unknown_type(reading: CheckedGame, node: ast.Expr) -> bool:
    return isinstance(reading.inferred.types.get(node), Unknown | None)


def _certainty_diagnostic(node: ast.Expr, holds: bool, hint: str | None = None) -> Diagnostic:
    if holds:
        return Diagnostic("always-true", message("this is always true"), node.span, hint, "warning")
    return Diagnostic("always-false", message("this is never true"), node.span, hint, "warning")


def _range_hint(reading: CheckedGame, node: ast.Compare) -> str | None:
    told = []
    for side in (node.left, node.right):
        bounds = reading.facts.bounds(side)
        if bounds is not None and isinstance(side, ast.Name | ast.Index | ast.Of | ast.Call) and bounds.high < 10**6:
            sentence = template("the left side is {low}..{high}") if side is node.left else template(
                "the right side is {low}..{high}"
            )
            told.append(message(sentence, low=bounds.low, high=bounds.high))
    return join_messages(told) if told else None


def _is_same_thing(reading: CheckedGame, left: ast.Expr, right: ast.Expr) -> bool:
    """Written alike and meaning the same at both sides."""
    if isinstance(left, ast.Number | ast.Truth) or repr(left) != repr(right):
        return False
    first = [reading.meaning(node) for node in walk(left) if isinstance(node, ast.Name)]
    second = [reading.meaning(node) for node in walk(right) if isinstance(node, ast.Name)]
    return all(a is b or repr(a) == repr(b) for a, b in zip(first, second, strict=True))


def _check_line_length(reading: CheckedGame, board: Meaning | None, length: ast.Expr) -> Iterator[Diagnostic]:
    """No board that is played on has a line of so many places."""
    wanted = reading.facts.bounds(length)
    longest = _find_longest_line(reading, board.declaration) if isinstance(board, AllOf) else None
    if wanted is not None and longest is not None and wanted.low > longest:
        sentence = message("no line of this board is so long")
        hint = message("write a number up to {most}", most=longest)
        yield Diagnostic("always-false", sentence, length.span, hint, "warning")


def _find_longest_line(reading: CheckedGame, board: ast.Values | ast.Components) -> int | None:
    if not isinstance(board, ast.Components) or board.board is None:
        return None
    if board.board.lines:
        return max(len(line.names) for line in board.board.lines)
    if board.board.rings is not None:  # on a side, and from ring to ring
        rings = reading.facts.bounds(board.board.rings)
        return max(PLACES_ON_A_SIDE, rings.high) if rings is not None else None
    sides = [one.type.high for one in board.attributes if isinstance(one.type, ast.RangeType)]
    known = [bounds.high for side in sides if (bounds := reading.facts.bounds(side)) is not None]
    return max(known) if sides and len(known) == len(sides) else None


def _check_contradiction(reading: CheckedGame, parts: tuple[ast.Expr, ...]) -> Iterator[Diagnostic]:
    """`x = 1 and x = 2`: each may hold, both together cannot."""
    facts = reading.facts
    for part in parts:
        if facts.truth(part) is False and reading.facts.truth(part) is None:
            yield Diagnostic(
                "always-false", message("this can never be true together with what comes before it"), part.span,
                message("perhaps one `and` should be `or`"), "warning",
            )
            return
        facts = facts.assume_condition(part, True)


# ---- impossible actions
# Actions that nobody can ever do: no `choose` names them, a need never holds, a choice is among nothing.


def check_never_offered(reading: CheckedGame) -> Iterator[Diagnostic]:
    offered = {
        reading.meaning(name) for node in reading.nodes if isinstance(node, ast.Choose) for name in node.actions
    }
    for name, action in reading.names.actions.items():
        if action not in offered:
            yield Diagnostic(
                "action-never-offered", message("no line offers the action `{name}`", name=name), action.name.span,
                message("write `choose {name}` in a phase or a step", name=name), "warning",
            )


def check_never_legal(reading: CheckedGame) -> Iterator[Diagnostic]:
    for action in reading.pieces(ast.Action):
        facts = reading.facts
        for needs in action.needs:
            if facts.truth(needs.condition) is False:
                yield _never_legal_diagnostic(action, needs.condition, message("this is never true"))
                break
            facts = facts.assume_condition(needs.condition, True)
        for choice in action.choices:
            if choice.count is not None and _is_asking_too_many(reading, choice):
                yield _never_legal_diagnostic(action, choice, message("there are never so many"))


def check_never_filled(reading: CheckedGame) -> Iterator[Diagnostic]:
    filled = {
        zone for node in reading.nodes if isinstance(node, ast.Statement) for zone in _filled_zones(reading, node)
    }
    for action in reading.pieces(ast.Action):
        for choice in action.choices:
            zone = reading.find_zone(choice.domain) if choice.word == "from" else None
            if zone is not None and zone not in filled:
                yield _never_legal_diagnostic(
                    action, choice.domain, message("nothing is ever put into `{zone}`", zone=zone.name.text)
                )


def _filled_zones(reading: CheckedGame, statement: ast.Statement) -> list[ast.Zone]:
    zones = (reading.find_zone(target) for target in footprint_of(statement).puts)
    return [zone for zone in zones if zone is not None]


def _is_asking_too_many(reading: CheckedGame, choice: ast.Choice) -> bool:
    low = reading.inferred.types.get(choice.count.low) if choice.count is not None else None
    kind = reading.inferred.types.get(choice)
    most = reading.inferred.kinds.get(getattr(kind, "kind", ""), None)
    return isinstance(low, NumberOf) and most is not None and low.low > most.high


def _never_legal_diagnostic(action: ast.Action, node: ast.Node, why: str) -> Diagnostic:
    return Diagnostic(
        "never-legal", message("`{action}` can never be chosen: {why}", action=action.name.text, why=why), node.span,
        message("change the condition, or remove the action"), "warning",
    )
