"""`ahead(s)`: the neighbours of a place in the next row, as player 1 sees a board from row 1, and player 2 from the
other side; `ahead(s, 2)` two rows on, in a straight line. Takes a game, gives a game in which each is a definition.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.expansion.opponents import is_for_two
from rulesrun.dsl.expansion.rewriting import change_parts
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span

AHEAD = "ahead"


def spell_out_ahead(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nobody asks so, or where the rules call something else so."""
    if any(getattr(getattr(piece, "name", None), "text", None) == AHEAD for piece in game.declarations):
        return game, []
    calls = [node for piece in game.declarations for node in walk(piece)
             if isinstance(node, ast.Call) and node.name.text == AHEAD]  # fmt: skip
    boards = [one for one in game.components if one.board is not None]
    if not calls or not boards:
        return game, []
    span = calls[0].name.span
    if not is_for_two(game) or len(boards) > 1:
        sentence = message("`ahead` is for two players on one board, who sit at its two ends")
        hint = message("define it: `define ahead(s {board}) = neighbours(s) where row = row of s + 1`",
                       board=boards[0].name.text)  # fmt: skip
        return game, [Diagnostic("not-a-board", sentence, span, hint)]
    farther = [node.arguments[1] for node in calls if len(node.arguments) == 2]
    if any(isinstance(one, ast.Number) and one.value < 1 for one in farther):
        return game, []  # refused with its types
    unfit = next((one for one in farther if not isinstance(one, ast.Number)), None)
    if unfit is not None:
        sentence = message("`ahead` needs the number of steps as a number")
        return game, [Diagnostic("asked-too-early", sentence, unfit.span, message("write it out: `ahead(s, 2)`"))]
    steps = {one.value for one in farther if isinstance(one, ast.Number)}
    if len(farther) < len(calls):
        steps.add(1)
    defined = [declare_ahead(boards[0].name.text, span, one) for one in sorted(steps)]
    pieces = tuple(name_farther_calls(piece) for piece in game.declarations) if farther else game.declarations
    return evolve(game, declarations=(*pieces, *defined)), []


def name_definition(steps: int) -> str:
    return AHEAD if steps == 1 else f"{AHEAD} {steps}"  # no name that an author writes


def name_farther_calls(value: Any) -> Any:
    """With `ahead(s, 2)` as a call of the definition for two steps."""
    if isinstance(value, ast.Call) and value.name.text == AHEAD and len(value.arguments) == 2:
        place, steps = value.arguments
        assert isinstance(steps, ast.Number)
        name = evolve(value.name, text=name_definition(steps.value))
        return evolve(value, name=name, arguments=(change_parts(place, name_farther_calls),))
    return change_parts(value, name_farther_calls)


def declare_ahead(board: str, span: Span, steps: int = 1) -> ast.Define:
    def name(text: str) -> ast.Name:
        return ast.Name(text, span=span)

    def number(value: int) -> ast.Number:
        return ast.Number(value, span=span)

    upwards = ast.Compare("=", name("player"), number(1), span=span)
    step = ast.IfElse(upwards, number(steps), ast.Negate(number(steps), span=span), span=span)
    following = ast.Arithmetic("+", ast.Of(name("row"), name("place"), span=span), step, span=span)
    how_far = (number(steps),) if steps > 1 else ()
    beside = ast.Call(name("neighbours"), (name("place"), *how_far), span=span)
    value = ast.Filter(beside, ast.Compare("=", name("row"), following, span=span), span=span)
    parameter = ast.Parameter(name("place"), ast.NamedType(name(board), span=span), span=span)
    return ast.Define(name(name_definition(steps)), (parameter,), value, span=span)
