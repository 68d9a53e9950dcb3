"""Who wins: a ranking, and what becomes of a tie."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


def check_ranking(reading: CheckedGame) -> Iterator[Diagnostic]:
    rankings = list(reading.pieces(ast.Ranking))
    for ranking in rankings:
        if not ranking.ties_share and reading.inferred.players.high > 1:
            yield Diagnostic(
                "undecided-tie", message("nothing breaks a tie at the end"), ranking.span,
                message("add `, ties share`, or one more criterion before it"), "warning",
            ).with_edits(Edit(ranking.span.end, ranking.span.end, ", ties share"))
    scores = list(reading.pieces(ast.Score))
    has_result = any(reading.pieces(ast.Result))
    if scores and not rankings and not has_result:
        yield Diagnostic(
            "no-ranking", message(
                "the rules do not say who wins; the highest total wins, and ties share"
            ), scores[0].span,
            message("write `ranking: highest total, ties share`, or `lowest`"), "warning",
        ).with_edits(Edit(scores[0].span.end, scores[0].span.end, "\nranking: highest total, ties share"))
