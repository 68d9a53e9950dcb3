"""How figures are told: names of figures for people, estimates as text and as JSON."""

from __future__ import annotations

from math import floor, log10

from rulesrun.dsl.text.messages import Message, Names, message
from rulesrun.interpreter.measure.declared_figures import Event, Key, declared_figure
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.reference.table import Table

NOISE = 1e-9  # in percent: what is smaller comes from reckoning


def seat_words(table: Table, seat: int) -> Message:
    """`seat 2`; where some play together, the team: `seats 1 + 3`."""
    if table.bench.team_size == 1:
        return message("seat {seat}", seat=seat)
    return message("seats {seats}", seats=team_text(table, seat))


def team_text(table: Table, seat: int) -> str:
    """`1 + 3`; who plays alone, alone."""
    return " + ".join(map(str, next(team for team in table.bench.teams if seat in team)))


def figure_name(key: Key) -> Message:
    declared = declared_figure(key)
    match key[len(declared.words) :]:
        case ():
            return message(declared.called)
        case (name,) if declared.event is Event.SEAT:
            return message(declared.called, seat=name)
        case (name,) if declared.event is Event.LAST:
            return message(declared.called, where=ending_place(name))
        case (name,):
            return message(declared.called, name=Names(name))
        case (action, choice, value):
            return message(declared.called, action=Names(action), choice=Names(choice), value=Names(value))
        case _:
            raise KeyError(key)


def ending_place(name: str) -> Message:
    """`in sale`: in this phase; else after an action."""
    phase = name.removeprefix("in ")
    if phase != name:
        return message("in {phase}", phase=Names(phase))
    return message("after {action}", action=Names(name))


def number_text(value: float, digits: int = 3) -> str:
    """About so many digits, no more than make sense."""
    if value == int(value) and abs(value) < 10**9:
        return f"{int(value):,}"
    size = abs(value)
    places = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else digits
    return f"{value:,.{places}f}"


def percent_text(value: float) -> str:
    """Two figures at least of what is small, so that nothing is said to be in fewer than 0.00 %."""
    size = abs(value) * 100
    if NOISE < size < 0.01:
        return f"{value * 100:.{1 - floor(log10(size))}f} %"
    return f"{value * 100:.2f} %" if size < 10 else f"{value * 100:.1f} %"


def estimate_text(found: Estimate, is_share: bool) -> Message:
    """`24.9 % (22.3 to 27.7)`."""
    told = percent_text if is_share else number_text
    if not found.games:
        return message("not known")
    if found.low is None or found.high is None:
        return message("{value} (interval not known)", value=told(found.value))
    if found.low == found.high:
        value = told(found.value)
        return message("{value}", value=value) if is_share else message("always {value}", value=value)
    low, high = told(found.low).removesuffix(" %"), told(found.high)
    return message("{value} ({low} to {high})", value=told(found.value), low=low, high=high)


def estimate_json(found: Estimate) -> dict[str, object]:
    """What is not known is null."""
    return {
        "value": found.value if found.games else None,
        "interval": None if found.low is None else [found.low, found.high],
        "games": found.games,
    }


def round_up(games: int) -> int:
    """Upwards, two digits."""
    step = int(10 ** max(len(str(games)) - 2, 0))
    return -(-games // step) * step
