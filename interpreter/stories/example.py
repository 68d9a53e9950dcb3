"""A story as a worked example: takes a Story, gives the lines of an `example` that fails now and holds once the rule
is mended.

Whoever saves it runs it first: what cannot be said exactly is noticed there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesrun.dsl.text.source import Located
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import list_values, write_argument, write_component, write_value
from rulesrun.interpreter.model.places import find_changed_room, flatten_content
from rulesrun.interpreter.model.values import PC, PLAYER
from rulesrun.interpreter.play.position_changes import zone_slots
from rulesrun.interpreter.play.refusals import text_at
from rulesrun.interpreter.reference.chance import DrawWait
from rulesrun.interpreter.reference.decisions import TogetherWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.stories.story import Story, StoryMove


def format_example(story: Story, title: str, is_turn: bool) -> list[str]:
    """`is_turn`: the position is that at the beginning of the first turn; else that at the first decision."""
    lines = [f'example "{title}"']
    lines += [f"  {line}" for line in (*format_table(story), *format_position(story, is_turn), *format_moves(story))]
    if story.failure.judged is not None:
        lines.append(f"  then {format_expectation(story)}")
    return lines


def format_expectation(story: Story) -> str:
    """What holds always can be asked here; what is judged at its moment is spoken of by its title."""
    judged = story.failure.judged
    is_asked = judged is not None and judged.declaration.word in {"always", "never"}
    return format_condition(story) if is_asked else f'still "{story.failure.title}"'


def format_table(story: Story) -> Iterator[str]:
    table = story.game.table
    yield f"players {table.players}"
    for option in table.bench.options:
        shown = table.bench.option_values[id(option)]
        if shown != table.bench.constant_value(option.default):
            yield f"set {option.name.text} = {write_value(table.bench, option.type, shown)}"


def format_position(story: Story, is_turn: bool) -> Iterator[str]:
    """Everything that lies open or in a hand; what is in hidden piles comes as it is drawn."""
    table, S = story.game.table, story.first.slots
    wait = table.waits[S[PC]]
    if is_turn and not isinstance(wait, TogetherWait) and story.moves and story.moves[0].player:
        yield f"given turn of {S[PLAYER]}"
    for slot, (room, _) in zone_slots(table).items():
        content = flatten_content(S[slot])
        if content and room.declaration.visibility != "hidden":
            place = format_place(table, room, slot - room.base)
            yield f"given {place}: {', '.join(write_component(table.bench, room.kinds, kind) for kind in content)}"
    yield from format_chance(table, story)


def format_chance(table: Table, story: Story) -> Iterator[str]:
    """Numbers and markers that chance has set before the first choice."""
    S = story.first.slots
    seen: set[int] = set()
    for node, _ in story.dealt:
        room = find_changed_room(table.bench, node)
        if isinstance(room, VariableRoom) and id(room) not in seen:
            seen.add(id(room))
            for number in range(room.amount):
                place = format_place(table, room, number)
                yield f"given {place} = {write_value(table.bench, room.declaration.type, S[room.base + number])}"


def format_place(table: Table, room: ZoneRoom | VariableRoom, number: int) -> str:
    """`column[3] of 1`."""
    declaration = room.declaration
    owner, inner = divmod(number, room.per_player)
    found: list[str] = []
    for written, values in reversed(list(zip(declaration.keys, room.keys, strict=True))):
        inner, at = divmod(inner, len(values))
        found.insert(0, write_value(table.bench, written, list_values(table.bench, written)[at]))
    if isinstance(room, VariableRoom) and room.declaration.of_kind:
        component = found[0] if " " not in found[0] else f"({found[0]})"
        return f"{declaration.name.text} of {component}"
    name = declaration.name.text + (f"[{', '.join(found)}]" if found else "")
    return f"{name} of {owner + 1}" if declaration.per_player else name


def format_moves(story: Story) -> Iterator[str]:
    """The rule may be mended so that a move is not legal any more: then the example ends before it."""
    table = story.game.table
    for move in story.moves:
        brought = [text for node, one in move.brought if (text := format_outcome(table, node, one))]
        if brought:
            yield f"next: {', '.join(brought)}"
        yield format_move(table, move) + " if possible"


def format_move(table: Table, move: StoryMove) -> str:
    declared = next(one for one in table.bench.actions if one.name.text == move.option.action)
    parts = [
        write_argument(table.bench, choice, one)
        for choice, one in zip(declared.choices, move.option.key[1:], strict=True)
    ]
    who = str(move.player) if move.player else "team"
    return f"when {who}: {move.option.action}" + (f"({', '.join(parts)})" if parts else "")


def format_outcome(table: Table, node: Located, one: Any) -> str:
    wait = next((each for each in table.waits.values() if each.node is node), None)
    if isinstance(wait, DrawWait):
        return write_component(table.bench, wait.origin.kinds, one)
    room = find_changed_room(table.bench, node)
    return write_value(table.bench, room.declaration.type, one) if isinstance(room, VariableRoom) else str(one)


def format_condition(story: Story) -> str:
    """The words of the property; of `never`, the opposite."""
    judged = story.failure.judged
    assert judged is not None
    words = text_at(story.game.table, judged.declaration.condition.span)
    return f"not ({words})" if judged.declaration.word == "never" else words
