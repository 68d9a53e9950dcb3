"""`ask each opponent from left: challenge or allow`: reactions within a turn. Takes a game, gives a game in which they
are spelled out: each player in turn, who chooses unless it is over. Nobody has a turn by it, and nothing is set back.
"""

from __future__ import annotations

from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import wrap_single_value
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.expansion.rewriting import StatementRewriter
from rulesrun.dsl.text.source import Span

WHO_ASKS = "who asks"  # no name that an author writes


def spell_out_reactions(game: ast.Game) -> ast.Game:
    """The very game where nobody is asked so."""
    if not any(isinstance(node, ast.Ask) for piece in game.declarations for node in walk(piece)):
        return game
    speller = ReactionSpeller(any(isinstance(piece, ast.Teams) for piece in game.declarations))
    return evolve(game, declarations=tuple(speller.rewrite_piece(piece) for piece in game.declarations))


class ReactionSpeller(StatementRewriter):
    def __init__(self, plays_in_teams: bool) -> None:
        self.plays_in_teams = plays_in_teams

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        return spell_ask(line, self.plays_in_teams) if isinstance(line, ast.Ask) else line


def spell_ask(asking: ast.Ask, plays_in_teams: bool) -> ast.ForEach:
    """Who it is about, and whether it is over, is looked at when it is somebody's time."""
    span = asking.span
    choose: ast.Statement = ast.Choose("player", None, None, asking.actions, False, None, span=span)
    if asking.until is not None:
        ended = ast.Branch(ast.Not(asking.until, span=asking.until.span), (choose,), span=span)
        choose = ast.If((ended,), span=span)
    if asking.condition is not None:
        choose = ast.If((ast.Branch(asking.condition, (choose,), span=span),), span=span)
    start = asking.start or ast.Of(name_at("left", span), name_at("player", span), span=span)
    others: ast.Expr | None = None
    if asking.who == "opponent" and plays_in_teams:
        against = ast.Of(name_at("opponents", span), name_at(WHO_ASKS, span), span=span)
        others = ast.In(name_at("player", span), against, False, span=span)
    elif asking.who == "opponent":
        others = ast.Compare("is not", name_at("player", span), name_at(WHO_ASKS, span), span=span)
    everybody = ast.EachPlayer(start, others, None, (choose,), span=span)
    each = ast.Each(name_at(WHO_ASKS, span), wrap_single_value(name_at("player", span)), span=span)
    return ast.ForEach(each, None, (everybody,), "ask", called=asking, span=span)


def name_at(text: str, span: Span) -> ast.Name:
    return ast.Name(text, span=span)


