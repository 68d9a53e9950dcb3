"""Rulebooks that can be played: check them, play them, ask them.

The public names: `load` gives a `Rulebook`, its `start` a `Position`; `RulesError` and `IllegalChoice` say no.
They are imported when they are first used, so that the command line starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesrun.api import IllegalChoice, NoMachineCode, Position, Rulebook, RulesError, RulesFault, load, loads
    from rulesrun.api.actions import Actions, Steps, TooManyActions
    from rulesrun.api.game_bounds import GameBounds
    from rulesrun.api.moves import Chance, Choice, Decision, End, Outcome, Result
    from rulesrun.api.reports import Report
    from rulesrun.records.recall import Observation

__version__ = "0.1.0"
__all__ = [
    "Actions",
    "Chance",
    "Choice",
    "Decision",
    "End",
    "GameBounds",
    "IllegalChoice",
    "NoMachineCode",
    "Observation",
    "Outcome",
    "Position",
    "Report",
    "Result",
    "Rulebook",
    "RulesError",
    "RulesFault",
    "Steps",
    "TooManyActions",
    "load",
    "loads",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        from rulesrun import api

        return getattr(api, name)
    raise AttributeError(f"module `rulesrun` has no name `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
