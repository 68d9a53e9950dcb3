"""What differs first between two records of the same deal, in words: two positions in, two lines out."""

from __future__ import annotations

from rulesrun.dsl.text.messages import Message, Names, join_and, join_messages, message, message_in
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
NOT_COUNTED = message("points are not counted yet")
Question = PlayerDecision | ChanceDecision | GameOver


def describe_parting(tables: tuple[Table, Table], parting: Parting) -> tuple[str, str]:
    """One line for each game."""
    left, right = tables
    if not has_same_components(left, right):
        return message("other components"), message("other components")
    stuck = [moment[1] if moment is not None and moment[0] == "stuck" else None for moment in parting.moments]
    if any(stuck):
        told = [
            message("the game is stuck: {reason}", reason=reason) if reason is not None else message("the game goes on")
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
    brought = message("an order") if wait.what == "order" else Names(outcome_name(table, wait, value))
    return message(
        "{question} brings {outcome}, {weight} in {total}", question=_describe_question(question), outcome=brought,
        weight=weight, total=total,
    )  # fmt: skip


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
    who = _chooser(player)
    if not options:
        return message("{who} may not", who=who)
    shown = list(map(Names, options[:MOST_TOLD]))
    if len(options) > MOST_TOLD:
        return message(
            "{who} may {options} and {amount} more", who=who, options=shown, amount=len(options) - MOST_TOLD
        )
    return message("{who} may {options}", who=who, options=shown)


def _chooser(player: int) -> Message:
    return message("player {player}", player=player) if player else message("the team")


def _describe_question(question: Question) -> str:
    match question:
        case PlayerDecision(player, _, options):
            actions = Names(" or ".join(dict.fromkeys(option.action for option in options)))
            return message("{who} chooses {actions}", who=_chooser(player), actions=actions)
        case ChanceDecision(what, _, origin, target):
            return _describe_chance_question(CHANCES[what], origin, target)
        case GameOver():
            return _describe_end(question)


CHANCES = {
    "draw": message_in("chance", "draw"), "roll": message_in("chance", "roll"), "lot": message_in("chance", "lot"),
    "order": message_in("chance", "order"),
}  # fmt: skip


def _describe_chance_question(what: Message, origin: str | None, target: str | None) -> Message:
    if origin and target:
        return message(
            "chance: {what} from {origin} to {target}", what=what, origin=Names(origin), target=Names(target)
        )
    if origin:
        return message("chance: {what} from {origin}", what=what, origin=Names(origin))
    if target:
        return message("chance: {what} to {target}", what=what, target=Names(target))
    return message("chance: {what}", what=what)


def _describe_end(over: GameOver) -> str:
    scores = ", ".join(str(value_to_json(score)) for score in over.scores.values())
    first = join_and([str(player) for player in over.places[0]])
    if over.result is None:
        return message("the game is over: scores {scores}; first {first}", scores=scores, first=first)
    return message(
        "the game is over: scores {scores}; first {first}, {result}", scores=scores, first=first,
        result=Names(over.result),
    )  # fmt: skip


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
        _sheet_text(decode_sheet(table, own[shared])) if len(own) > shared else NOT_COUNTED
        for table, own in zip(tables, sheets, strict=True)
    ]
    return words[0], words[1]


def _sheet_text(sheet: Sheet) -> str:
    told = [
        message(
            "player {player}: {points}", player=player,
            points=[Names(f"{line} {value_to_json(value)}") for line, value in lines.items()],
        )
        for player, lines in sheet.lines.items()
    ]  # fmt: skip
    return message("points of round {round}: {points}", round=sheet.round, points=join_messages(told, "; "))
