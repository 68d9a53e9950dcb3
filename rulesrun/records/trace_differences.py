"""What differs first between two records of the same deal, in words: two positions in, two lines out."""

from __future__ import annotations

from rulesrun.interpreter.measure.first_difference import Parting, has_same_components
from rulesrun.interpreter.model.values import PC, SHEETS, State
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    Option,
    PlayerDecision,
    Sheet,
    decode_sheet,
    outcome_name,
    pending_decision,
)
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.records.traces import value_to_json

MOST_TOLD = 3
Question = PlayerDecision | ChanceDecision | GameOver


def describe_parting(tables: tuple[Table, Table], parting: Parting) -> tuple[str, str]:
    """One line for each game."""
    left, right = tables
    if not has_same_components(left, right):
        return "other components", "other components"
    stuck = [moment[1] if moment is not None and moment[0] == "stuck" else None for moment in parting.moments]
    if any(stuck):
        told = [
            f"the game is stuck: {reason}" if reason is not None else "the game goes on"
            for reason in stuck
        ]
        return told[0], told[1]
    counted = _describe_scores(tables, parting.states)
    if counted is not None:
        return counted
    questions = pending_decision(left, parting.states[0]), pending_decision(right, parting.states[1])
    if isinstance(questions[0], PlayerDecision) and isinstance(questions[1], PlayerDecision):
        return _describe_decisions(questions[0], questions[1])
    if isinstance(questions[0], ChanceDecision) and isinstance(questions[1], ChanceDecision):
        return _describe_chance(left, parting, 0, questions[0]), _describe_chance(right, parting, 1, questions[1])
    return _describe_question(questions[0]), _describe_question(questions[1])


def _describe_chance(table: Table, parting: Parting, side: int, question: ChanceDecision) -> str:
    """What came, with its odds: one of the two is other in the other game."""
    state, moment = parting.states[side], parting.moments[side]
    wait = table.waits[state.slots[PC]]
    if moment is None or not isinstance(wait, ChanceWait):
        return _describe_question(question)
    value, weight, total = moment[3:6]
    brought = "an order" if wait.what == "order" else str(outcome_name(table, wait, value))
    return f"{_describe_question(question)} brings {brought}, {weight} in {total}"


def option_words(option: Option) -> str:
    """`exchange(red-7, blue-1)`."""
    values = ", ".join(_value_text(value) for _, value in option.arguments)
    return f"{option.action}({values})" if values else option.action


def _value_text(value: object) -> str:
    found = value_to_json(value)
    return "{" + ", ".join(str(one) for one in found) + "}" if isinstance(found, list) else str(found)


def _describe_decisions(left: PlayerDecision, right: PlayerDecision) -> tuple[str, str]:
    """Who chooses, or what one of them may choose that the other may not."""
    if left.player != right.player or left.together != right.together:
        return _describe_question(left), _describe_question(right)
    only_left = [option_words(one) for one in left.options if one not in right.options]
    only_right = [option_words(one) for one in right.options if one not in left.options]
    return _permission_text(left.player, only_left), _permission_text(right.player, only_right)


def _permission_text(player: int, options: list[str]) -> str:
    who = f"player {player}" if player else "the team"
    if not options:
        return f"{who} may not"
    more = f" and {len(options) - MOST_TOLD} more" if len(options) > MOST_TOLD else ""
    return f"{who} may {', '.join(options[:MOST_TOLD])}{more}"


def _describe_question(question: Question) -> str:
    match question:
        case PlayerDecision(player, _, options):
            who = f"player {player}" if player else "the team"
            actions = " or ".join(dict.fromkeys(option.action for option in options))
            return f"{who} chooses {actions}"
        case ChanceDecision(what, origin, target):
            places = " ".join([f"from {origin}" if origin else "", f"to {target}" if target else ""]).strip()
            return f"chance: {what} {places}".rstrip()
        case GameOver():
            return _describe_end(question)


def _describe_end(over: GameOver) -> str:
    scores = ", ".join(str(value_to_json(score)) for score in over.scores.values())
    first = " and ".join(str(player) for player in over.places[0])
    result = f", {over.result}" if over.result is not None else ""
    return f"the game is over: scores {scores}; first {first}{result}"


def _describe_scores(tables: tuple[Table, Table], states: tuple[State, State]) -> tuple[str, str] | None:
    """Points were counted in one game only, or otherwise."""
    sheets = states[0].slots[SHEETS], states[1].slots[SHEETS]
    shared = min(len(sheets[0]), len(sheets[1]))
    for at in range(shared):
        if sheets[0][at] != sheets[1][at]:
            return _sheet_text(decode_sheet(tables[0], sheets[0][at])), _sheet_text(
                decode_sheet(tables[1], sheets[1][at])
            )
    if len(sheets[0]) == len(sheets[1]):
        return None
    words = [
        _sheet_text(decode_sheet(table, own[shared])) if len(own) > shared else "points are not counted yet"
        for table, own in zip(tables, sheets, strict=True)
    ]
    return words[0], words[1]


def _sheet_text(sheet: Sheet) -> str:
    told = [
        f"player {player}: " + ", ".join(f"{line} {value_to_json(value)}" for line, value in lines.items())
        for player, lines in sheet.lines.items()
    ]
    return f"points of round {sheet.round}: " + "; ".join(told)
