"""How figures are told: names of figures for people, estimates as text and as JSON."""

from __future__ import annotations

from math import floor, log10

from rulesrun.dsl.text.messages import Message, Names, join_messages, message, template
from rulesrun.interpreter.measure.estimates import Estimate
from rulesrun.interpreter.measure.record import Key
from rulesrun.interpreter.reference.table import Table

SHARES = {"win", "tie", "forced", "settled", "result", "ending"}  # told in percent
NOISE = 1e-9  # in percent: what is smaller comes from reckoning


def seat_words(table: Table, seat: int) -> Message:
    """`seat 2`; where some play together, the team: `seats 1 + 3`."""
    if table.bench.team_size == 1:
        return message("seat {seat}", seat=seat)
    return message("seats {seats}", seats=team_text(table, seat))


def team_text(table: Table, seat: int) -> str:
    """`1 + 3`; who plays alone, alone."""
    return " + ".join(map(str, next(team for team in table.bench.teams if seat in team)))


ALONE = {
    ("tie",): message("shared first place"), ("margin",): message("gap between highest and lowest score"),
    ("options",): message("options in a decision"), ("forced",): message("decisions with one option"),
    ("settled",): message("the winner takes the lead for good after"), ("lead changes",): message("lead changes"),
    ("length", "decisions"): message("decisions in a game"), ("length", "turns"): message("turns in a game"),
    ("length", "rounds"): message("rounds in a game"),
}  # fmt: skip
OF_NAMES = {
    "figure": template("{name}"),
    "result": template("result {name}"), "line": template("points from {name}"), "action": template("{name} chosen"),
    "component": template("{name} chosen"), "kept": template("{name} kept"), "phase": template("phase {name}"),
    "row": template("{name} is revealed"), "met": template("{name} comes into play"),
}  # fmt: skip


def figure_name(key: Key) -> Message:
    match key:
        case ("win", seat):
            return message("seat {seat} wins", seat=seat)
        case ("score", seat):
            return message("score of seat {seat}", seat=seat)
        case ("ending", name):
            return message("ends {where}", where=ending_place(name))
        case ("value", action, choice, value):
            return message(
                "{action} with {choice} {value}", action=Names(action), choice=Names(choice), value=Names(value)
            )
        case (word, name) if word in OF_NAMES:
            return message(OF_NAMES[word], name=Names(name))
        case _:
            return ALONE[key] if key in ALONE else join_messages(key, " ")


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
        return message("always {value}", value=told(found.value))
    low, high = told(found.low).removesuffix(" %"), told(found.high)
    return message("{value} ({low} to {high})", value=told(found.value), low=low, high=high)


def estimate_json(found: Estimate) -> dict[str, object]:
    """What is not known is null."""
    return {
        "value": found.value if found.games else None,
        "interval": None if found.low is None else [found.low, found.high],
        "games": found.games,
    }
