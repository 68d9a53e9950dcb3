"""`turns from 1, at most 40 turns without jump`: a phase that is over after so many turns, or after so many in which
none of some actions was chosen. Takes a game, gives a game in which they are counted.
"""

from __future__ import annotations

from difflib import get_close_matches

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.moving import copy_node
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span


def spell_out_turn_limits(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where no turns are limited."""
    limited = [node for piece in game.declarations for node in walk(piece)
               if isinstance(node, ast.Turns) and node.limit is not None]  # fmt: skip
    if not limited:
        return game, []
    phases = [one for one in game.phases if one.loop in limited]
    within = {id(one.loop) for one in phases if isinstance(one.loop, ast.Turns) and not one.loop.once}
    actions = {one.name.text for one in game.actions}
    found = [refuse(one) for one in limited if id(one) not in within]
    found += [refuse_name(name, actions) for one in limited for name in one.without if name.text not in actions]
    pieces = game.declarations
    for phase in phases if not found else ():
        pieces = limit_phase(pieces, phase)
    return evolve(game, declarations=pieces), found


def refuse(loop: ast.Turns) -> Diagnostic:
    sentence = message("only the `turns` of a phase can be limited")
    return Diagnostic("wrong-type", sentence, loop.span, message("count them in a number, and write `until …`"))


def refuse_name(name: ast.Name, actions: set[str]) -> Diagnostic:
    near = get_close_matches(name.text, sorted(actions), n=1)
    hint = message("did you mean `{near}`?", near=near[0]) if near else message("name an action, or leave it out")
    return Diagnostic("unknown-action", message("there is no action called `{name}`", name=name.text), name.span, hint)


def name_counter(phase: ast.Phase, loop: ast.Turns) -> str:
    """No name that an author writes."""
    without = " or ".join(name.text for name in loop.without)
    return f"turns of {phase.name.text}" + (f" without {without}" if without else "")


def limit_phase(pieces: tuple[ast.AnyDeclaration, ...], phase: ast.Phase) -> tuple[ast.AnyDeclaration, ...]:
    """Every turn is one more; a turn in which one of the actions is chosen is none."""
    loop = phase.loop
    assert isinstance(loop, ast.Turns)
    assert loop.limit is not None
    span, counter = loop.limit.span, name_counter(phase, loop)
    is_over: ast.Expr = ast.Compare("=", ast.Name(counter, span=span), copy_node(loop.limit), span=span)
    until = ast.Or((loop.until, is_over), span=span) if loop.until is not None else is_over
    one_more = ast.Increases(ast.Name(counter, span=span), 1, ast.Number(1, span=span), span=span)
    spelled = evolve(
        phase, loop=evolve(loop, until=until, limit=None, without=()), body=(one_more, *phase.body)
    )
    named = {name.text for name in loop.without}
    changed = (
        spelled if one is phase
        else restart(one, counter, span) if isinstance(one, ast.Action) and one.name.text in named
        else one for one in pieces
    )  # fmt: skip
    return (*changed, *declare(counter, loop.limit, span))


def restart(action: ast.Action, counter: str, span: Span) -> ast.Action:
    none = ast.Becomes(ast.Name(counter, span=span), ast.Number(0, span=span), span=span)
    return evolve(action, body=(none, *action.body))


def declare(counter: str, limit: ast.Expr, span: Span) -> tuple[ast.AnyDeclaration, ...]:
    """Nobody needs to be told how it counts."""
    range = ast.RangeType(ast.Number(0, span=span), copy_node(limit), span=span)
    name = ast.Name(counter, span=span)
    number = ast.Variable("number", name, (), False, range, None, "round", "public", False, span=span)
    word = ast.Word(ast.Name(counter, span=span), "unseen", span=span)
    return number, ast.Look(ast.Name("layout", span=span), (word,), span=span)
