"""How many ways there are to play the first so many decisions: the histories of each length, without chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

import rulesrun


def count_rulebook_levels(name: str, options: Mapping[str, Any], depth: int) -> list[int]:
    many = rulesrun.load(name).many(2, dict(options))
    rows, counts = many.start(1), []
    for _ in range(depth):
        amounts = numpy.asarray(many.options(rows), numpy.int64)
        counts.append(int(amounts.sum()))
        if len(counts) == depth:
            break
        firsts = numpy.repeat(numpy.cumsum(amounts) - amounts, amounts)
        rows = numpy.repeat(rows, amounts, axis=0)
        assert (many.apply(rows, numpy.arange(len(rows)) - firsts) >= 0).all()
    return counts


def count_openspiel_levels(game: Any, depth: int) -> list[int]:
    level, counts = [game.new_initial_state()], []
    for _ in range(depth - 1):
        level = [state.child(action) for state in level for action in state.legal_actions()]
        counts.append(len(level))
    return [*counts, sum(len(state.legal_actions()) for state in level)]
