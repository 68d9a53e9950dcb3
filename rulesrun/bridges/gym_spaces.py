"""The spaces of a table for Gymnasium and PettingZoo: what is seen, and what may be answered."""

from __future__ import annotations

from typing import Any

import numpy

from rulesrun.bridges.extras import import_tool
from rulesrun.bridges.games import Games

spaces = import_tool("gymnasium.spaces", "gymnasium")


def observed_space(games: Games) -> Any:
    """Whole numbers, each between its bounds."""
    low, high = numpy.empty(games.width, numpy.int32), numpy.empty(games.width, numpy.int32)
    for part in games.layout:
        own = slice(part.offset, part.offset + part.amount)
        low[own], high[own] = part.low, part.high
    return spaces.Box(low, high, dtype=numpy.int32)


def masked_space(games: Games) -> Any:
    """What is seen, with the mask beside."""
    mask = spaces.Box(0, 1, (len(games.actions),), dtype=numpy.int8)
    return spaces.Dict({"observation": observed_space(games), "action_mask": mask})


def action_space(games: Games) -> Any:
    return spaces.Discrete(len(games.actions))
