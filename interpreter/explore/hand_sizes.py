"""How many components each is dealt, and what is done as often: every trick takes one of each hand.

Takes pieces of the rules, gives their numbers, and the piece with fewer times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.typing.program import Program


def deal_counts(piece: ast.Setup) -> list[int]:
    deals = [node for line in piece.body for node in walk(line) if isinstance(node, ast.Deal)]
    return [deal.count.value for deal in deals if isinstance(deal.count, ast.Number)]


def format_setup(piece: ast.Setup) -> str:
    return "setup round" if piece.each_round else "setup"


def find_hand_sizes(program: Program) -> dict[int, str]:
    """How many each is dealt at most, with the dimension that it belongs to."""
    setups = [piece for piece in program.written.declarations if isinstance(piece, ast.Setup) and deal_counts(piece)]
    return {max(deal_counts(piece)): f"deals of the {format_setup(piece)}" for piece in setups}


def find_hand_sizes_used(piece: ast.Phase | ast.Step, hands: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Those of which a loop in the piece lasts as long."""
    for whole, name in hands.items():
        if whole > 1 and any(has_loop_length(node, whole) for node in walk(piece)):
            yield whole, name


def has_loop_length(node: ast.Node, whole: int) -> bool:
    if isinstance(node, ast.Repeat) and node.times is not None:
        return is_number(node.times, whole)
    until = node.until if isinstance(node, ast.Repeat | ast.Turns) else None
    return until is not None and any(is_number(part, whole) for part in walk(until))


def is_number(node: ast.Node, value: int) -> bool:
    return isinstance(node, ast.Number) and node.value == value


def change_loop_length(piece: ast.Phase | ast.Step, whole: int, size: int) -> ast.AnyDeclaration:
    """The piece with loops that last so long instead."""

    def number(node: ast.Node) -> ast.Node:
        return ast.Number(size, span=node.span) if is_number(node, whole) else node

    def loop(node: ast.Node) -> ast.Node:
        if not isinstance(node, ast.Repeat | ast.Turns) or not has_loop_length(node, whole):
            return node
        if isinstance(node, ast.Repeat) and node.times is not None:
            return evolve(node, times=ast.Number(size, span=node.times.span))
        return evolve(node, until=replace_nodes(node.until, number))

    changed: ast.AnyDeclaration = replace_nodes(piece, loop)
    return changed
