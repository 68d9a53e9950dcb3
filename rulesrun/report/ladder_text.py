"""The ladder laid out: who is better than whom, in text and in JSON. Takes rungs, gives words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.measure.ladder import Rung
from rulesrun.interpreter.reference.table import Table
from rulesrun.services.ladder import Ladder
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word
from rulesrun.terminal.plurals import counted


def ladder_json(found: Ladder) -> dict[str, Any]:
    return {
        "players": found.table.players, "options": dict(found.table.options),
        "thinking": [rung_json(found.table, rung) for rung in found.thinking],
        "habits": [rung_json(found.table, rung) for rung in found.habits],
        "games": found.games,
        "engine": found.engine,
        "seconds": round(found.seconds, 3),
        "partial": found.is_partial,
    }  # fmt: skip


def rung_json(table: Table, rung: Rung) -> dict[str, Any]:
    low, high = rung.interval
    found: dict[str, Any] = {"player": rung.player.name, "against": rung.against.name, "games": rung.games}
    figure = {"gain": rung.gain} if rung.is_common else {"share": rung.share, "fair_share": 1 / table.players}
    found |= figure | {"interval": [finite_or_none(low), finite_or_none(high)], "verdict": rung.verdict(table.players)}
    if rung.verdict(table.players) == "not known":
        found["games_to_know"] = rung.games_to_know(table.players)
    return found | {"seconds_a_choice": rung.seconds / max(rung.choices, 1), "faults": rung.faults,
                    "stuck": rung.stuck, "going_on": going_on_json(rung.going_on, rung.long)}  # fmt: skip


def finite_or_none(number: float) -> float | None:
    return number if abs(number) < float("inf") else None


def ladder_text(found: Ladder) -> str:
    table, thinking, habits = found.table, found.thinking, found.habits
    is_common = any(rung.is_common for rung in thinking)
    head = f"{found.reading.title}, {counted(table.players, 'player')}"
    lines = [head, explanation_line(table, is_common), "", "Thinking"]
    lines += [line for rung in thinking for line in rung_lines(table, rung)]
    lines += ["", "Habits"]
    lines += [line for rung in habits for line in rung_lines(table, rung)]
    lines += ["", *verdict_sentences(table, thinking, habits)]
    if any(isinstance(rung.player, MctsBot) and rung.player.seconds is not None for rung in thinking):
        lines.append("Who thinks for a time thinks further on a faster machine: another run may tell other figures.")
    return "\n".join(lines) + "\n"


def explanation_line(table: Table, is_common: bool) -> str:
    if is_common:
        return "Everybody wins or loses together: how much better the score is, on the same deals. Intervals: 95%."
    fair = f"{1 / table.players:.0%}"
    return f"Games won by one of the first kind among others, at every seat; {fair} is a fair share. Intervals: 95%."


def rung_lines(table: Table, rung: Rung) -> Iterator[str]:
    """How it went; and the games of it that have no winner, which figures leave out."""
    yield rung_text(table, rung)
    if rung.stuck:
        yield f"    stuck: {counted(rung.stuck, 'game')}"
    if rung.long:
        yield f"    {going_on_word(rung.going_on)}: {counted(rung.long, 'game')} not over after very long"
        yield f"      {going_on_text(rung.going_on)}"


def rung_text(table: Table, rung: Rung) -> str:
    low, high = rung.interval
    if not rung.games:
        why = "no game comes to its end" if rung.is_hopeless else "not played"
        return f"  {rung.player.name:<18} against {rung.against.name:<10} {why}"
    figure = f"{rung.gain:+8.2f}  {low:+.2f} … {high:+.2f}" if rung.is_common else (
        f"{rung.share:8.1%}  {low:6.1%} … {high:6.1%}"
    )
    games = "game " if rung.games == 1 else "games"
    speed = f"{1000 * rung.seconds / max(rung.choices, 1):8.1f} ms a choice"
    return (
        f"  {rung.player.name:<18} against {rung.against.name:<10} {rung.games:5} {games} {figure}"
        f"  {rung.verdict(table.players):<9}{speed}"
    )


def verdict_sentences(table: Table, thinking: list[Rung], habits: list[Rung]) -> list[str]:
    """In words, only what the intervals bear."""
    found = [rung_sentence(table, thinking[0], "One step of thought (greedy)", "random play")]
    against_greedy = [rung for rung in thinking if isinstance(rung.against, GreedyBot)]
    if against_greedy:
        found.append(rung_sentence(table, against_greedy[-1], f"Search ({against_greedy[-1].player.name})", "one step"))
    winning = [rung.player.name for rung in habits if rung.verdict(table.players) == "better"]
    if winning:
        found.append(f"Habits that beat random play: {', '.join(winning)}.")
    elif any(rung.games for rung in habits):
        found.append("No naive habit was seen to beat random play.")
    return found


def rung_sentence(table: Table, rung: Rung, who: str, whom: str) -> str:
    if not rung.games:
        return f"{who} has not played {'a game to its end ' if rung.is_hopeless else ''}against {whom}."
    match rung.verdict(table.players):
        case "better":
            return f"{who} beats {whom}."
        case "worse":
            return f"{who} does worse than {whom}."
        case _:
            unknown = f"Whether {who[0].lower()}{who[1:]} beats {whom} is not known from {counted(rung.games, 'game')}."
            return "\n".join([unknown, *reason_unknown(table, rung)])


def reason_unknown(table: Table, rung: Rung) -> list[str]:
    """Why it is not known, and how many games would tell."""
    low, high = rung.interval
    if finite_or_none(low) is None:
        return []
    if rung.is_common:
        seen = f"  The mean gain is {rung.gain:+.2f}; anything from {low:+.2f} to {high:+.2f} fits."
    else:
        fair = f"{1 / table.players:.0%}"
        seen = f"  The share is {rung.share:.1%}; anything from {low:.1%} to {high:.1%} fits, and {fair} would be fair."
    more = rung.games_to_know(table.players)
    if more is None:
        return [seen, "  No edge is seen that more games would make clear."]
    return [seen, f"  If the edge is as large as it was seen, about {round_up(more):,} games would tell."]


def round_up(games: int) -> int:
    """Upwards, two digits."""
    step = int(10 ** max(len(str(games)) - 2, 0))
    return -(-games // step) * step
