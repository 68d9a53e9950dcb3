"""What a house rule leaves out of its base, and the base at the sizes of a small table.

A small table of which every position was looked at proves nothing of a rule that is gone, where the base would never
have followed that rule there. So the base is made as small, for whoever plays it; then games must follow what is left
out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import attrs
from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import PieceKey, key_of, kind_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.check import check_game
from rulesrun.dsl.contents.rule_parts import DONE, parts_of_piece
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import Program

ENDINGS = ast.Rounds | ast.Ranking | ast.Result

Pieces = Mapping[PieceKey, ast.AnyDeclaration]


@frozen(eq=False)
class RemovedRule:
    """`node`: a statement, an action, a phase or the value of a score line, as the base says it."""

    node: ast.Node
    what: str
    span: Span


def list_removed_rules(base: ast.Game, game: ast.Game) -> Iterator[RemovedRule]:
    now = pieces_by_key(game)
    actions = {one.name.text: one for one in base.actions}
    for piece in base.declarations:
        key = key_of(piece)
        if key is None:
            continue
        new = now.get(key)
        what = f"{kind_of(piece)} {key.name}".strip()
        if new is None:
            yield from removed_with_piece(piece, what)
        elif repr(piece) != repr(new):
            yield from lines_removed(piece, new, what, counted_lines(new), actions)


def pieces_by_key(game: ast.Game) -> dict[PieceKey, ast.AnyDeclaration]:
    return {key: piece for piece in game.declarations if (key := key_of(piece)) is not None}


def removed_with_piece(piece: ast.AnyDeclaration, what: str) -> Iterator[RemovedRule]:
    """Of a piece that is gone. Steps, definitions and what holds something are missed by what asked for them, which is
    gone or changed too."""
    match piece:
        case ast.Phase() | ast.Action():
            yield RemovedRule(piece, what, piece.name.span)
        case ast.Setup():
            yield from (removed_line(one, what) for one in effects_of(piece.body))
        case ast.Score():
            yield from (RemovedRule(one.value, what, one.name.span) for one in piece.lines)
        case (
            ast.Step() | ast.Define() | ast.Table() | ast.Components() | ast.Option() | ast.Zone() | ast.Variable()
            | ast.Memory() | ast.Values() | ast.Players() | ast.Teams() | ast.Title() | ast.Figure() | ast.Property()
            | ast.Example() | ast.Small() | ast.Persona() | ast.Words()
        ):  # fmt: skip
            return
        case _:  # how a game ends; of another kind nothing is known
            yield RemovedRule(piece, what, piece.span)


def counted_lines(piece: ast.Node) -> Counter[str]:
    return Counter(repr(node) for node in walk(piece) if isinstance(node, ast.Statement | ast.ScoreLine))


def lines_removed(
    old: ast.Node, new: ast.Node, what: str, kept: Counter[str], actions: Mapping[str, ast.Action]
) -> Iterator[RemovedRule]:
    """`kept`: the lines of the new piece; one that stands elsewhere in it is not left out."""
    if type(old) is not type(new) or repr(old) == repr(new):
        return
    if isinstance(old, ast.Choose) and isinstance(new, ast.Choose):
        names = {one.text for one in new.actions}
        for name in old.actions:
            if name.text not in names and name.text in actions:
                yield RemovedRule(actions[name.text], what, name.span)
    for name in (one.name for one in attrs.fields(type(new)) if one.name != "span"):
        before, now = getattr(old, name), getattr(new, name)
        if isinstance(before, tuple) and isinstance(now, tuple):
            for one in lines_without_counterpart(before, now):
                yield from (line for line in rules_of_line(one, what) if not kept[repr(line_of_rule(line, one))])
            for first, second in paired_lines(before, now):
                yield from lines_removed(first, second, what, kept, actions)
        elif isinstance(before, ast.Node) and isinstance(now, ast.Node):
            yield from lines_removed(before, now, what, kept, actions)


def lines_without_counterpart(old: Sequence[Any], new: Sequence[Any]) -> Iterator[ast.Node]:
    for first, last, begin, end in differing_stretches(old, new):
        if last - first > end - begin:
            yield from (one for one in old[first:last] if isinstance(one, ast.Statement | ast.Branch | ast.ScoreLine))


def paired_lines(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[ast.Node, ast.Node]]:
    for first, last, begin, end in differing_stretches(old, new):
        if last - first == end - begin:
            pairs = zip(old[first:last], new[begin:end], strict=True)
            yield from ((one, two) for one, two in pairs if isinstance(one, ast.Node) and isinstance(two, ast.Node))


def differing_stretches(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int, int, int, int]]:
    matcher = SequenceMatcher(None, [repr(one) for one in old], [repr(one) for one in new], autojunk=False)
    yield from ((first, last, begin, end) for word, first, last, begin, end in matcher.get_opcodes() if word != "equal")


def rules_of_line(line: ast.Node, what: str) -> Iterator[RemovedRule]:
    if isinstance(line, ast.ScoreLine):
        yield RemovedRule(line.value, what, line.name.span)
        return
    yield from (removed_line(one, what) for one in effects_of((line,)))


def line_of_rule(rule: RemovedRule, line: ast.Node) -> ast.Node:
    return line if isinstance(line, ast.ScoreLine) else rule.node


def removed_line(node: ast.Node, what: str) -> RemovedRule:
    return RemovedRule(node, what, node.span)


def effects_of(lines: Iterable[ast.Node]) -> Iterator[ast.Node]:
    """The innermost statements: what they stand in only says whether, and how often."""
    for line in lines:
        inside = [node for node in walk(line) if isinstance(node, ast.Statement) and node is not line]
        if inside:
            yield from (node for node in inside if not any(isinstance(one, ast.Statement) for one in parts_below(node)))
        elif isinstance(line, ast.Statement):
            yield line


def parts_below(node: ast.Node) -> Iterator[ast.Node]:
    return (one for one in walk(node) if one is not node)


# ---- the base at a small table


@frozen(eq=False)
class SmallBase:
    """The base where a table of the game is small, and where everything stands that games may follow. `parts`: by the
    identity of a part; `roles`: how that is noticed, but for what is done; `endings`: followed when a game is over."""

    program: Program
    roles: Mapping[int, str]
    parts: Mapping[int, Span]
    endings: tuple[Span, ...]

    def choose_options(self, options: Mapping[str, object]) -> dict[str, object]:
        """Those that the base has, too."""
        known = {one.name.text for one in self.program.game.options}
        return {name: value for name, value in options.items() if name in known}


def make_small_base(here: Program, base: ast.Game, game: ast.Game) -> SmallBase | None:
    """`here`: the rules of the small table; `base`: in the words of the game. None where the base is no rules there."""
    changed = evolve(base, declarations=base_at_table(here, base, game), smalls=())
    program = check_game(changed, here.sources)
    if not isinstance(program, Program):
        return None
    parts = [part for piece in program.game.declarations for part in parts_of_piece(program, piece)]
    roles = {id(part.node): part.role for part in parts if part.role != DONE}
    places = {id(part.node): part.node.span for part in parts}
    endings = tuple(piece.span for piece in program.game.declarations if isinstance(piece, ENDINGS))
    return SmallBase(program, roles, places, endings)


def base_at_table(small: Program, base: ast.Game, game: ast.Game) -> tuple[ast.AnyDeclaration, ...]:
    """The pieces of the base; in the place of those that the table words anew, and added to them, the table's own."""
    here, whole = pieces_by_key(small.written), pieces_by_key(game)
    old = pieces_by_key(base)
    kept: list[ast.AnyDeclaration] = []
    for piece in base.declarations:
        key = key_of(piece)
        if isinstance(piece, ast.Example | ast.Words | ast.Small | ast.Property):
            continue
        if key is None:
            kept.append(piece)
        elif key in here and (key not in whole or repr(here[key]) != repr(whole[key])):
            kept.append(with_lines_of_base(here[key], whole.get(key), piece))
        else:
            kept.append(piece)
    kept += [piece for key, piece in here.items() if key not in old and key not in whole]
    return tuple(kept)


def with_lines_of_base(
    own: ast.AnyDeclaration, new: ast.AnyDeclaration | None, old: ast.AnyDeclaration
) -> ast.AnyDeclaration:
    """Of a phase, a small table may say how often alone; what happens in it stays that of the base."""
    match own, new, old:
        case ast.Phase(), ast.Phase(), ast.Phase() if repr(own.body) == repr(new.body):
            return evolve(own, body=old.body)
        case _:
            return own
