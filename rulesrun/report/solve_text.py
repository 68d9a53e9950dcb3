"""The answer for a small game, laid out: an answer in, text or JSON out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.step import Option
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.seen_moments import Moment
from rulesrun.interpreter.solve.solve import LocalStrategy, Solution
from rulesrun.records.traces import option_json, value_to_json
from rulesrun.services.solve import SolvedGame
from rulesrun.terminal.plurals import counted

MOST_SHOWN = 24  # information sets in the text; JSON has all of them
RARELY = 0.0005


def solved_json(found: SolvedGame) -> dict[str, Any]:
    how = {"engine": "reference", "seconds": round(found.seconds, 3), "partial": found.is_partial}
    return answer_json(found.table, found.answer) | how


def answer_json(table: Table, answer: Solution) -> dict[str, Any]:
    values = {str(player): value_to_json(value) for player, value in enumerate(answer.values, start=1)}
    return {
        "players": table.players,
        "options": dict(table.options),
        "method": "backward induction" if answer.is_exact else "CFR+",
        "exact": answer.is_exact,
        "values": values,
        "value_between": [value_to_json(bound) for bound in answer.between],
        "exploitability": answer.exploitability,
        "positions" if answer.is_exact else "nodes": answer.size,
        "information_sets": {str(player): count for player, count in enumerate(answer.information_sets, start=1)},
        "iterations": answer.rounds,
        "strategy": [play_json(table, play) for play in answer.plays],
    }


def play_json(table: Table, play: LocalStrategy) -> dict[str, Any]:
    return {
        "player": play.player,
        "sees": view_to_json(table, table.to_slots(play.state), play.player),
        "heard": [{"player": player, "chose": text} for player, text in play.heard],
        **({"seen": list(play.seen)} if play.seen else {}),
        "choose": [{"option": option_json(option), "share": round(share, 6)} for option, share in play.shares],
    }


def answer_text(table: Table, title: str, answer: Solution) -> str:
    lines = [f"{title}, {counted(table.players, 'player')}", *method_lines(answer), ""]
    lines += [f"  player {player}   {value_text(value)}" for player, value in enumerate(answer.values, start=1)]
    lines += ["", "First choice" if answer.is_exact else "How to play"]
    lines += [line for play in answer.plays[:MOST_SHOWN] for line in play_text(table, play)]
    if len(answer.plays) > MOST_SHOWN:
        lines.append(f"  … and {len(answer.plays) - MOST_SHOWN:,} more; --json has them all")
    return "\n".join(lines) + "\n"


def method_lines(answer: Solution) -> list[str]:
    if answer.is_exact:
        return [f"Nothing is hidden: exact, from the ends back through {answer.size:,} positions.",
                "When both play as well as they can:"]
    low, high = answer.between
    sets = " and ".join(f"{count:,}" for count in answer.information_sets)
    return [
        f"An equilibrium by CFR+: {answer.size:,} nodes, {sets} information sets, {answer.rounds:,} iterations.",
        f"A best response would win {answer.exploitability:.2g} from these strategies; the value to player 1 lies "
        "between "
        f"{low:.5f} and {high:.5f}.",
    ]


def value_text(value: Fraction | float) -> str:
    if isinstance(value, Fraction):
        return str(value) if value.denominator < 10_000 else f"{float(value):.6f}"
    return f"{value:+.5f}"


def play_text(table: Table, play: LocalStrategy) -> list[str]:
    shares = [
        f"{option_text(option)} {100 * share:.1f}%" for option, share in play.shares if share >= RARELY
    ]
    where = ", ".join([
        *seen_zones(table, play.state, play.player), *(f"{player} chose {text}" for player, text in play.heard),
        *(moment_text(moment) for moment in play.seen),
    ])
    return [f"  player {play.player}" + (f" ({where})" if where else "") + ": " + ", ".join(shares)]


def seen_zones(table: Table, state: State, player: int) -> list[str]:
    """What lies where, as far as the player sees it and there is something."""
    zones = view_to_json(table, table.to_slots(state), player)["zones"]
    return [
        f"{name} {content_text(content)}" for name, content in zones.items() if content and isinstance(content, list)
    ]


def moment_text(moment: Moment) -> str:
    """What was seen and may be gone again."""
    said = []
    for word, value in moment.items():
        match word:
            case "saw":
                said += [f"saw {name} {seen_text(content)}" for name, content in value.items()]
            case "shown":
                said += [f"was shown {content_text(entry['components'])}" for entry in value] or ["was shown nothing"]
            case "turn":
                said.append("all were to choose" if value is None else f"{value} was to choose")
            case "offered":
                said.append(f"was offered {', '.join(value)}")
            case _:
                said.append(f"{word} {value}")
    return ", ".join(said)


def seen_text(content: Any) -> str:
    """A place's content, how many lie there and which one is on top, or a value."""
    match content:
        case []:
            return "empty"
        case list():
            return content_text(content)
        case {"count": count, "top": top}:
            return f"of {count}" + (f" with {top} on top" if top is not None else "")
        case {"count": count}:
            return f"of {count}"
        case dict():
            return " ".join(f"{name}: {value}" for name, value in content.items())
        case _:
            return value_words(content)


def value_words(value: Any) -> str:
    return "nothing" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def content_text(content: list[Any]) -> str:
    """A part without order stands in brackets."""
    return " ".join(f"({content_text(one)})" if isinstance(one, list) else one for one in content)


def option_text(option: Option) -> str:
    values = [str(value) for _, value in option.arguments]
    return option.action + (f"({', '.join(values)})" if values else "")
