"""`rulesrun why`: at a position of a trace, why an option is legal or not, how a score comes about, who is ahead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import Message, Names, join_and, join_messages, message, plural
from rulesrun.files.excerpts import excerpt, place_text, values_text
from rulesrun.files.loading import Reading, read_playable
from rulesrun.files.sources import read_trace
from rulesrun.interpreter.model.values import PLAYER, Fault, State
from rulesrun.interpreter.play.step import PlayerDecision, pending_decision
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.stories.reasons import (
    CriterionReasons,
    LineReasons,
    NeedReasons,
    explain_option,
    explain_score,
    explain_winner,
)
from rulesrun.interpreter.stories.story import find_lacks
from rulesrun.locale.language import translate, use_words
from rulesrun.records.recorded_positions import find_recorded_position
from rulesrun.services.stories import lack_json, lack_lines, option_text, player_text
from rulesrun.terminal.output import LABELS, print_json, print_text
from rulesrun.terminal.requests import WhyRequest
from rulesrun.terminal.trouble import Trouble

MOST_OPTIONS = 12


def run(request: WhyRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    use_words(reading.game)
    lines = [line for line in read_trace(request.files[1]).split("\n") if line]
    table, state, stuck = find_recorded_position(reading, lines, request.at, request.files[1])
    parts = list(explain_position(reading, table, state, stuck, request))
    if request.json:
        print_json({"file": reading.name, "trace": request.files[1]} | {name: document for name, document, _ in parts})
    else:
        for _, _, text in parts:
            print_text("\n".join(map(translate, text)))
    return 0


Part = tuple[str, object, list[Message]]


def explain_position(
    reading: Reading, table: Table, state: State, stuck: Diagnostic | None, request: WhyRequest
) -> Iterator[Part]:
    """What was asked for; without a question, whose choice it is and who is ahead."""
    option, seat = request.option, request.score
    if option is not None:
        yield option_part(reading, table, state, option)
    if seat is not None:
        if seat > table.players:
            raise Trouble(message("`--score {seat}`: there are only {players}", seat=seat, players=table.players))
        yield score_part(reading, explain_score(table, state, seat), seat)
    if option is None and seat is None:
        yield turn_part(table, state) if stuck is None else stuck_part(reading, table, state, stuck)
    if request.winner or (option is None and seat is None):
        yield winner_part_now(reading, table, state)


def turn_part(table: Table, state: State) -> Part:
    question = pending_decision(table, state)
    if not isinstance(question, PlayerDecision):
        return "asked", None, [message("nobody is asked to choose here")]
    options = [option_text(one.action, dict(one.arguments)) for one in question.options]
    shown: object = list(map(Names, options[:MOST_OPTIONS]))
    if len(options) > MOST_OPTIONS:
        shown = message("{values} and {amount} more", values=shown, amount=len(options) - MOST_OPTIONS)
    told = message("{who} chooses: {options}", who=player_text(question.player), options=shown)
    return "asked", {"player": question.player, "legal": options}, [told]


def stuck_part(reading: Reading, table: Table, state: State, stuck: Diagnostic) -> Part:
    """The game cannot go on here: of each action, what it lacks."""
    lacks = find_lacks(table, state, stuck.span)
    place = place_text(stuck.span, reading.name, reading.sources)
    lines = [in_place(join_messages([player_text(state.slots[PLAYER]), stuck.message], ": "), place)]
    lines += [indent(2, line) for lack in lacks for line in lack_lines(lack, reading.sources)]
    document = {
        "player": state.slots[PLAYER], "legal": [], "reason": stuck.message,
        "lacks": [lack_json(lack, reading.sources) for lack in lacks],
    }  # fmt: skip
    return "asked", document, lines


# ---- options


def option_part(reading: Reading, table: Table, state: State, text: str) -> Part:
    action, arguments = parse_option(table, state, text)
    reasons = explain_option(table, state, action, arguments)
    refusal = reasons.refusal
    option_name = Names(text)
    lines = [message("{option} is legal here", option=option_name) if refusal is None else message(
        "{option} is not legal here: {reason}", option=option_name, reason=refusal.reason
    )]  # fmt: skip
    if refusal is not None and not reasons.needs and refusal.span != table.program.game.span:
        place = place_text(refusal.span, reading.name, reading.sources)
        lines.append(indent(2, join_messages([place, excerpt(refusal.span, reading.sources)], ": ")))
        lines += [indent(11, line) for line in values_text(reasons.possible, reading.sources)]
    lines += need_lines(reading, reasons.needs)
    for offer in reasons.offers:
        place = place_text(offer.span, reading.name, reading.sources)
        lines.append(indent(2, message(
            "it is offered at {place}: {text}", place=place, text=excerpt(offer.span, reading.sources)
        )))  # fmt: skip
        lines += need_lines(reading, offer.conditions, 2)
    document = {
        "option": text,
        "legal": refusal is None,
        "reason": None if refusal is None else refusal.reason,
        "possible": list(values_text(reasons.possible, reading.sources)),
        "needs": needs_json(reading, reasons.needs),
        "offers": [
            {"text": excerpt(offer.span, reading.sources), "conditions": needs_json(reading, offer.conditions)}
            for offer in reasons.offers
        ],
    }  # fmt: skip
    return "option", document, lines


def needs_json(reading: Reading, needs: tuple[NeedReasons, ...]) -> list[dict[str, object]]:
    return [
        {
            "text": excerpt(need.span, reading.sources), "holds": need.holds,
            "values": list(values_text(need.values, reading.sources)),
        }
        for need in needs
    ]  # fmt: skip


def need_lines(reading: Reading, needs: tuple[NeedReasons, ...], depth: int = 0) -> Iterator[Message]:
    for need in needs:
        place = place_text(need.span, reading.name, reading.sources)
        label = LABELS["holds" if need.holds else "fails"]
        text = in_place(excerpt(need.span, reading.sources), place)
        yield indent(depth + 2, join_messages([label, text], "  "))
        if not need.holds:
            yield from (indent(depth + 11, line) for line in values_text(need.values, reading.sources))


def indent(columns: int, line: str) -> Message:
    return join_messages([" " * columns, line], "")


def in_place(text: str, place: str) -> Message:
    """`count of hand > 0 (line 7)`"""
    return join_messages([text, " (", place, ")"], "")


def parse_option(table: Table, state: State, text: str) -> tuple[str, dict[str, Any]]:
    """`exchange(red-7, blue-1)`, also with the names of the choices; values as they are written in a trace."""
    found = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", text)
    if found is None:
        raise Trouble(message("`--option {text}`: write an action, as in `exchange(red-7, blue-1)`", text=text))
    name, inner = found.group(1), found.group(2) or ""
    declared = next((one for one in table.bench.actions if one.name.text == name), None)
    if declared is None:
        known = tuple(one.name.text for one in table.bench.actions)
        raise Trouble(
            message(
                "`--option {text}`: there is no action `{name}`; there are: {known}", text=text, name=name, known=known
            )
        )
    written = [part.strip() for part in re.findall(r"\{[^}]*\}|[^,]+", inner) if part.strip()]
    choices = [choice.name.text for choice in declared.choices]
    if len(written) != len(choices):
        if not choices:
            raise Trouble(message("`--option {text}`: nothing is chosen with `{name}`; write `{name}` alone",
                                  text=text, name=name))  # fmt: skip
        form = f"{name}({', '.join(choices)})"
        raise Trouble(message("`--option {text}`: write a value for each choice: `{form}`", text=text, form=form))
    return name, {choice: parse_value(part, choice) for choice, part in zip(choices, written, strict=True)}


def parse_value(text: str, choice: str) -> Any:
    text = text.removeprefix(f"{choice} ").strip()
    if text.startswith("{"):
        return [parse_value(part.strip(), "") for part in text.strip("{}").split(",") if part.strip()]
    return text


# ---- scores and winners


def score_part(reading: Reading, reasons: tuple[LineReasons, ...], seat: int) -> Part:
    lines = [message("the score of player {seat}, counted now", seat=seat)]
    for one in reasons:
        value = message("not known here") if one.value is None else str(one.value)
        worth = join_messages([Names(one.name), value], " = ")
        lines.append(indent(2, in_place(worth, place_text(one.span, reading.name, reading.sources))))
        lines += [indent(11, line) for line in values_text(one.values, reading.sources)]
    document = {
        "player": seat,
        "lines": [
            {"name": one.name, "value": one.value, "values": list(values_text(one.values, reading.sources))}
            for one in reasons
        ],
    }
    return "score", document, lines


def winner_part_now(reading: Reading, table: Table, state: State) -> Part:
    try:
        return winner_part(*explain_winner(table, state))
    except Fault as fault:
        found = fault.diagnostic
        place = place_text(found.span, reading.name, reading.sources)
        lines = [message(
            "it is not known who is ahead, because points cannot be counted here: {problem} "
            "({place})", problem=found.message,
            place=place,
        )]  # fmt: skip
        return "winner", {"over": False, "first": [], "criteria": [], "reason": found.message}, lines


def winner_part(is_over: bool, criteria: tuple[CriterionReasons, ...]) -> Part:
    lines = [message("final places") if is_over else message("who would be ahead if points were counted now")]
    for one in criteria:
        shown = [
            message("{points} for {player}", points=str(value), player=player) for player, value in one.values.items()
        ]
        text: str = one.text if one.used else message("{criterion} (does not apply)", criterion=one.text)
        standing = join_messages([join_messages(shown), format_standing(one.groups)], "; ")
        lines.append(indent(2, join_messages([text, standing], ": ")))
    lines += [indent(2, line) for line in ranking_lines(criteria)]
    document = {
        "over": is_over,
        "first": list(criteria[-1].groups[0]) if criteria else [],
        "criteria": [
            {
                "text": one.text, "applies": one.used, "values": keys_to_text(one.values),
                "places": [list(group) for group in one.groups],
            }
            for one in criteria
        ],
    }  # fmt: skip
    return "winner", document, lines


def ranking_lines(criteria: tuple[CriterionReasons, ...]) -> Iterator[Message]:
    """Who is ahead of whom, and by which criterion; who is level."""
    told: set[tuple[int, int]] = set()
    for one in criteria:
        place = {player: number for number, group in enumerate(one.groups) for player in group}
        for better, other in pairwise(one.groups):
            if one.used and not any((a in better and b in other) for a, b in told):
                yield plural(
                    "{better} is ahead of {other} by `{criterion}`", "{better} are ahead of {other} by `{criterion}`",
                    len(better), better=players_phrase(better), other=players_phrase(other), criterion=one.text,
                )  # fmt: skip
        told |= {(a, b) for a in place for b in place if place[a] < place[b]}
    for group in criteria[-1].groups if criteria else ():
        if len(group) > 1:
            yield message("{players} are tied: no criterion separates them", players=players_phrase(group))


def players_phrase(group: tuple[int, ...]) -> Message:
    who = join_and([str(player) for player in group])
    return plural("player {players}", "players {players}", len(group), players=who)


def keys_to_text(values: Mapping[int, Any]) -> dict[str, Any]:
    return {str(player): value for player, value in values.items()}


def format_standing(groups: tuple[tuple[int, ...], ...]) -> Message:
    """`2 before 1 and 3`."""
    first, *others = (join_and([str(player) for player in group]) for group in groups)
    for other in others:
        first = message("{first} before {second}", first=first, second=other)
    return first
