"""From a game's tree to a program that may be played, or to all that is wrong with it: the chain, in order."""

from __future__ import annotations

from collections.abc import Iterable

from rulesrun.dsl import ast
from rulesrun.dsl.checks import run_checks
from rulesrun.dsl.diagnostics import Diagnostic
from rulesrun.dsl.infer import infer
from rulesrun.dsl.names import collect
from rulesrun.dsl.program import Program, Rejected
from rulesrun.dsl.source import Source
from rulesrun.dsl.walk import depth

DEEPEST = 200


def check(game: ast.Game, sources: tuple[Source, ...]) -> Program | Rejected:
    level, deepest = depth(game)
    if level > DEEPEST:
        return Rejected((Diagnostic("too-deep", "this is nested too deeply", deepest.span, "say it in several steps"),))
    names = collect(game)
    inferred = infer(game, names)
    found = _sorted([*names.diagnostics, *inferred.diagnostics, *run_checks(game, names, inferred)], sources)
    if any(diagnostic.severity == "error" for diagnostic in found):
        return Rejected(found)
    return Program(game, sources, inferred.meanings, inferred.types, found)


def _sorted(found: Iterable[Diagnostic], sources: tuple[Source, ...]) -> tuple[Diagnostic, ...]:
    """By file and place; what was found twice at one place stands once."""
    files = {source.file: index for index, source in enumerate(sources)}
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda found: (files.get(found.span.file, 0), found.span.start, found.span.end)))
