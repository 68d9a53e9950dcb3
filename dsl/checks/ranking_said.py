"""Who wins: a ranking, and what becomes of a tie."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import BuiltinMeaning


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


def check_nothing_scored(reading: CheckedGame) -> Iterator[Diagnostic]:
    """Where several play, something makes one of them win. `wins` and `loses` are a score and a ranking here."""
    if reading.inferred.players.high < 2:
        return
    scores, rankings = list(reading.pieces(ast.Score)), list(reading.pieces(ast.Ranking))
    has_begun_only = not any(reading.pieces(ast.Action))
    if not (scores or rankings or has_begun_only or any(reading.pieces(ast.Result))):
        for title in reading.pieces(ast.Title):
            hint = message("write `player wins` where somebody has won; or count points with `score at end`")
            yield Diagnostic("no-ranking", message("nothing says who wins"), title.span, hint, "warning")
    for total in _list_totals(reading, rankings) if not scores else ():
        sentence = message("nothing is ever scored: `total` is 0 for everybody")
        hint = message("write `score at end`, and below it what counts: `points = …`")
        yield Diagnostic("nothing-scored", sentence, total.span, hint, "warning")
    are_counted = any(isinstance(node, ast.CountPoints) for node in reading.nodes)
    for score in scores if not are_counted else ():
        if score.when == "told":
            sentence = message("nothing is ever scored: no line says `count points`")
            hint = message("write `count points` where they are counted, or here `score at end`")
            end = score.span.start + len("score")
            found = Diagnostic("nothing-scored", sentence, score.span, hint, "warning")
            yield found.with_edits(Edit(end, end, " at end"))


def _list_totals(reading: CheckedGame, rankings: list[ast.Ranking]) -> Iterator[ast.Name]:
    for node in (node for ranking in rankings for node in walk(ranking)):
        meaning = reading.meaning(node) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Name) and isinstance(meaning, BuiltinMeaning) and meaning.name == "total":
            yield node
