"""The answer for a small game, laid out: an answer in, text or JSON out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulesrun.dsl.text.messages import Message, Names, join_and, join_messages, message
from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.step import Option
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.seen_moments import Moment
from rulesrun.interpreter.solve.solve import LocalStrategy, Solution
from rulesrun.locale.language import say, spoken_language, translate, use_words
from rulesrun.records.traces import option_json, value_to_json
from rulesrun.services.solve import SolvedGame
from rulesrun.terminal.plurals import count_players

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
        "exact_value": None if answer.exact_value is None else value_to_json(answer.exact_value),
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
    use_words(table.program.game)
    title = spoken_language().labels.get("game", title)
    lines = [f"{title}, {translate(count_players(table.players))}", *method_lines(answer), ""]
    lines += [
        "  " + say("player {player}   {value}", player=player, value=value_text(value))
        for player, value in enumerate(answer.values, start=1)
    ]
    lines += ["", say("First choice") if answer.is_exact else say("How to play")]
    lines += [line for play in answer.plays[:MOST_SHOWN] for line in play_text(table, play)]
    if len(answer.plays) > MOST_SHOWN:
        lines.append("  " + say("… and {amount:,} more; --json has them all", amount=len(answer.plays) - MOST_SHOWN))
    return "\n".join(lines) + "\n"


def method_lines(answer: Solution) -> list[str]:
    if answer.is_exact:
        return [
            say(
                "Nothing is hidden, so this is exact: worked out backwards from the ends through {positions:,} "
                "positions.",
                positions=answer.size),
            say("If both play perfectly:"),
        ]
    low, high = answer.between
    sets = join_and([f"{count:,}" for count in answer.information_sets])
    return [
        say(
            "An equilibrium, found by CFR+: {nodes:,} nodes, {sets} information sets, {rounds:,} iterations.",
            nodes=answer.size, sets=sets, rounds=answer.rounds,
        ),
        say("The best response to these strategies would win {gap:.2g}.", gap=answer.exploitability)
        + " "
        + (
            say("The game is worth between {low:.5f} and {high:.5f} to player 1.", low=low, high=high)
            if answer.exact_value is None
            else say("The game is worth exactly {value} to player 1.", value=str(answer.exact_value))
        ),
    ]  # fmt: skip


def value_text(value: Fraction | float) -> str:
    if isinstance(value, Fraction):
        return str(value) if value.denominator < 10_000 else f"{float(value):.6f}"
    return f"{value:+.5f}"


def play_text(table: Table, play: LocalStrategy) -> list[str]:
    shares = [
        Names(f"{option_text(option)} {100 * share:.1f}%") for option, share in play.shares if share >= RARELY
    ]
    heard = [message("{player} chose {option}", player=player, option=Names(text)) for player, text in play.heard]
    zones = seen_zones(table, play.state, play.player)
    where = translate([*zones, *heard, *(part for one in play.seen for part in moment_parts(one))])
    player = say("player {player}", player=play.player) + (f" ({where})" if where else "")
    return [f"  {player}: {translate(shares)}"]


def seen_zones(table: Table, state: State, player: int) -> list[str]:
    """What lies where, as far as the player sees it and there is something."""
    zones = view_to_json(table, table.to_slots(state), player)["zones"]
    return [
        Names(f"{name} {content_text(content)}")
        for name, content in zones.items() if content and isinstance(content, list)
    ]


def moment_parts(moment: Moment) -> list[Message]:
    """What was seen and may be gone again."""
    said: list[Message] = []
    for word, value in moment.items():
        match word:
            case "saw":
                said += [
                    message("saw {zone} {content}", zone=Names(name), content=seen_text(content))
                    for name, content in value.items()
                ]
            case "shown":
                said += [
                    message("was shown {components}", components=Names(shown_text(entry)))
                    for entry in value
                ] or [message("was shown nothing")]
            case "turn" if value is None:
                said.append(message("everybody had to choose"))
            case "turn":
                said.append(message("{player} had to choose", player=value))
            case "offered":
                said.append(message("was offered {actions}", actions=list(map(Names, value))))
            case _:
                said.append(join_messages([word, str(value)], " "))
    return said


def shown_text(entry: dict[str, Any]) -> str:
    if "variable" in entry:
        return f"{entry['variable']} {seen_text(entry['value'])}"
    return content_text(entry["components"])


def moment_text(moment: Moment) -> str:
    """The same as one text, in English."""
    return ", ".join(moment_parts(moment))


def seen_text(content: Any) -> str:
    """A place's content, how many lie there and which one is on top, or a value."""
    match content:
        case []:
            return message("empty")
        case list():
            return Names(content_text(content))
        case {"count": count, "top": top} if top is not None:
            return message("of {amount} with {component} on top", amount=count, component=Names(top))
        case {"count": count}:
            return message("of {amount}", amount=count)
        case dict():
            return Names(" ".join(f"{name}: {value}" for name, value in content.items()))
        case _:
            return value_words(content)


def value_words(value: Any) -> str:
    if isinstance(value, bool):
        return Names("yes" if value else "no")
    return Names("nothing" if value is None else str(value))


def content_text(content: list[Any]) -> str:
    """A part without order stands in brackets."""
    return " ".join(f"({content_text(one)})" if isinstance(one, list) else one for one in content)


def option_text(option: Option) -> str:
    values = [str(value) for _, value in option.arguments]
    return option.action + (f"({', '.join(values)})" if values else "")
