"""How figures are told: names of figures for people, estimates as text and as JSON."""

from __future__ import annotations

from math import floor, log10

from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.record import Key

SHARES = {"win", "tie", "forced", "settled", "result", "ending"}  # told in percent
NOISE = 1e-9  # in percent: what is smaller comes from reckoning


def figure_name(key: Key) -> str:
    match key:
        case ("win", seat):
            return f"seat {seat} wins"
        case ("score", seat):
            return f"score of seat {seat}"
        case ("tie",):
            return "shared first place"
        case ("margin",):
            return "highest minus lowest score"
        case ("length", what):
            return f"{what} in a game"
        case ("options",):
            return "options in a decision"
        case ("forced",):
            return "decisions with one option"
        case ("settled",):
            return "the winner is settled after"
        case ("lead changes",):
            return "changes of the lead"
        case ("result", word):
            return f"result {word}"
        case ("ending", name):
            return f"ends {name}" if name.startswith("in ") else f"ends after {name}"
        case ("line", name):
            return f"points from {name}"
        case ("action", name):
            return f"{name} chosen"
        case ("value", action, choice, value):
            return f"{action} with {choice} {value}"
        case ("component", name):
            return f"{name} chosen"
        case ("kept", name):
            return f"{name} kept"
        case ("phase", name):
            return f"phase {name}"
        case ("row", name):
            return f"{name} lies open"
        case ("met", name):
            return f"{name} met"
        case _:
            return " ".join(key)


def players_text(players: int) -> str:
    return f"{players} player{'s' * (players != 1)}"


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


def estimate_text(found: Estimate, is_share: bool) -> str:
    """`24.9 % (22.3 to 27.7)`."""
    told = percent_text if is_share else number_text
    if not found.games:
        return "not known"
    if found.low is None or found.high is None:
        return f"{told(found.value)} (interval not known)"
    if found.low == found.high:
        return f"always {told(found.value)}"
    low, high = told(found.low).removesuffix(" %"), told(found.high)
    return f"{told(found.value)} ({low} to {high})"


def estimate_json(found: Estimate) -> dict[str, object]:
    """What is not known is null."""
    return {
        "value": found.value if found.games else None,
        "interval": None if found.low is None else [found.low, found.high],
        "games": found.games,
    }
