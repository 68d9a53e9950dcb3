"""Statements after an end: they are never done."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame
from rulesrun.dsl.text.messages import message


def check_unreachable(reading: CheckedGame) -> Iterator[Diagnostic]:
    for node in reading.nodes:
        match node:
            case ast.Setup(body=body) | ast.Phase(body=body) | ast.Step(body=body) | ast.Action(body=body):
                yield from _check_after_end(body)
            case ast.Branch(body=body) | ast.ForEach(body=body) | ast.EachPlayer(body=body):
                yield from _check_after_end(body)
            case ast.Turns(body=body) | ast.Repeat(body=body):
                yield from _check_after_end(body)
            case ast.Result(outcomes=outcomes):
                yield from _check_after_certain(reading, outcomes)
            case _:
                pass


def _check_after_end(body: tuple[ast.Statement, ...]) -> Iterator[Diagnostic]:
    for statement, following in pairwise(body):
        if isinstance(statement, ast.End):
            yield Diagnostic(
                "unreachable",
                message("this line is never reached: `end {what}` comes before it", what=statement.what),
                following.span,
                severity="warning",
            )
            return


def _check_after_certain(reading: CheckedGame, outcomes: tuple[ast.Outcome, ...]) -> Iterator[Diagnostic]:
    for outcome, following in pairwise(outcomes):
        if reading.facts.truth(outcome.when) is True:
            yield Diagnostic(
                "unreachable",
                message(
                    "`{word}` is never the result: `{word_2}` always is",
                    word=following.word.text,
                    word_2=outcome.word.text,
                ),
                following.span,
                severity="warning",
            )
            return
