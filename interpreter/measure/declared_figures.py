"""Every kind of figure, declared once: what it is called, at which event it counts what, and how it is reckoned.

Both engines count what stands here and nothing else; whoever tells a figure asks it what it is. Which figures a table
has, and what they are called there, says `catalogue`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Literal

from attrs import frozen

from rulesrun.dsl.text.messages import template
from rulesrun.interpreter.model.moments import (
    MARGIN,
    ONE,
    PARTS_OF_A_GAME,
    SETTLED,
    TIE,
    WIN,
    Combination,
    Quantity,
    Term,
    parts_of_a_win,
)

Key = tuple[str, ...]  # names a figure: the kind's own words, then those of the rules
DECISIONS: Key = ("length", "decisions")
Scale = Literal["whole", "total", "line", "own"]  # fractions may come in points, in a line of the sheet, in a value


class Event(StrEnum):
    """When something is counted, with the quantities that are known then."""

    PHASE = "a phase begins"
    TURN = "a turn begins"
    DECISION = "somebody decides: options"
    POSSIBLE = "at a decision the action: possible, or not"
    CHOICE = "the action is chosen"
    VALUE = "a component, or another value, is chosen with it"
    NEW_LEADER = "another player leads: led, whether somebody did before"
    OPEN_ROW = "points are counted while the row lies open: players, of how many its rule holds"
    MOMENT = "the last moment of a figure of the rules is over: total, times"
    SEAT = "at the end, for each seat: won, parts, winners, total"
    LINE = "at the end, for each line of the sheet: points, of all players together"
    KEPT = "at the end the component lies with a player"
    RESULT = "at the end this is the result"
    LAST = "at the end this was the last action, the last phase"
    END = "the game is over: decisions, rounds, since, winners, team, highest, lowest"

    @property
    def is_single(self) -> bool:
        """Comes once in a game for each figure."""
        return self in (Event.MOMENT, Event.SEAT, Event.END)


@frozen(eq=False)
class Figure:
    """`words`: how its keys begin. `adds`: what the event adds to it. `called`: empty where it is never told alone.

    `against`: how the key of the figure begins that it is measured by. `is_ratio`: it is told as this ratio. `is_part`:
    it is a part of its measure. `is_share`: it is told in percent. `is_bounded`: a game adds between 0 and 1.
    `has_spread`: it is counted how often each value comes. `scale`: what says whether fractions come in it. `unit`: how
    many times what people count a game of so many players adds.
    """

    words: Key
    event: Event
    called: str = ""
    adds: Term = ONE
    against: Key = ()
    is_ratio: bool = False
    is_part: bool = False
    is_share: bool = False
    is_bounded: bool = False
    has_spread: bool = False
    scale: Scale = "whole"
    unit: Callable[[int], int] = lambda players: 1


FIGURES = (
    Figure(
        ("win",), Event.SEAT, template("seat {seat} wins"), WIN,
        is_share=True, is_bounded=True, unit=parts_of_a_win,
    ),
    Figure(
        ("score",), Event.SEAT, template("score of seat {seat}"), Quantity("total"), has_spread=True, scale="total"
    ),
    Figure(("tie",), Event.END, template("shared first place"), TIE, is_share=True, is_bounded=True),
    Figure(
        ("margin",), Event.END, template("gap between highest and lowest score"), MARGIN,
        has_spread=True, scale="total",
    ),
    Figure(
        DECISIONS, Event.END, template("decisions in a game"), Quantity("decisions"),
        has_spread=True,
    ),
    Figure(("length", "turns"), Event.TURN, template("turns in a game"), has_spread=True),
    Figure(
        ("length", "rounds"), Event.END, template("rounds in a game"), Quantity("rounds"),
        has_spread=True,
    ),
    Figure(
        ("options",), Event.DECISION, template("options in a decision"), Quantity("options"),
        against=DECISIONS, is_ratio=True,
    ),
    Figure(
        ("forced",), Event.DECISION, template("decisions with one option"), Combination("=", Quantity("options"), ONE),
        against=DECISIONS, is_ratio=True, is_part=True, is_share=True,
    ),
    Figure(
        ("settled",), Event.END, template("the winner takes the lead for good after"), SETTLED,
        is_share=True, has_spread=True, unit=lambda players: PARTS_OF_A_GAME,
    ),
    Figure(
        ("lead changes",), Event.NEW_LEADER, template("lead changes"), Quantity("led"),
        has_spread=True,
    ),
    Figure(
        ("figure",), Event.MOMENT, template("{name}"), Quantity("total"),
        against=("moments",), is_ratio=True, has_spread=True, scale="own",
    ),
    Figure(("moments",), Event.MOMENT, adds=Quantity("times")),
    Figure(("result",), Event.RESULT, template("result {name}"), is_share=True, is_bounded=True),
    Figure(("ending",), Event.LAST, template("ends {where}"), is_share=True, is_bounded=True),
    Figure(
        ("line",), Event.LINE, template("points from {name}"), Quantity("points"),
        scale="line", unit=lambda players: players,
    ),
    Figure(("action",), Event.CHOICE, template("{name} chosen"), against=("offered",), is_part=True),
    Figure(("offered",), Event.POSSIBLE, adds=Quantity("possible")),
    Figure(("phase",), Event.PHASE, template("phase {name}")),
    Figure(("value",), Event.VALUE, template("{action} with {choice} {value}")),
    Figure(("component",), Event.VALUE, template("{name} chosen")),
    Figure(("kept",), Event.KEPT, template("{name} kept")),
    Figure(("row",), Event.OPEN_ROW, template("{name} is revealed")),
    Figure(
        ("met",), Event.OPEN_ROW, template("{name} comes into play"), Quantity("players"),
        against=("row",), is_part=True, unit=lambda players: players,
    ),
)  # fmt: skip
BY_WORDS = {one.words: one for one in FIGURES}


@cache
def declared_figure(key: Key) -> Figure:
    """What this figure is; an error where it was never declared."""
    return BY_WORDS.get(key) or BY_WORDS[key[:1]]


@cache
def denominator_of(key: Key) -> Key | None:
    """What a figure is measured against: options by decisions, a chosen action by when it was possible."""
    declared = declared_figure(key)
    return (*declared.against, *key[len(declared.words) :]) if declared.against else None
