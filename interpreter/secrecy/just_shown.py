"""Which zones have just been shown to all where a condition is looked at. Takes a table, gives them by condition.

Goes through the instructions of the flow once. Where something else leads than a condition or the end of its lines, as
back in a loop or to what was chosen, nothing is taken to be shown.
"""

from __future__ import annotations

from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.core import Adjust, Assign, Contents, Record, Show
from rulesrun.interpreter.model.flow_decisions import labels_of, naming_word
from rulesrun.interpreter.model.instructions import (
    ActionStep,
    ChoiceStep,
    Do,
    DrawComponents,
    EndEach,
    FillSheets,
    GameStep,
    GatherElements,
    GatherSeats,
    Instruction,
    Judge,
    JudgeAfter,
    Jump,
    KeepBefore,
    LoopBack,
    NextElement,
    NoteFigures,
    Reach,
    RepeatStep,
    ResetForTurn,
    TurnStep,
    Unless,
)
from rulesrun.interpreter.reference.table import Table

Shown = frozenset[int]  # the zones that the player has just shown to all, by identity
NOTHING: Shown = frozenset()


def find_just_shown(table: Table) -> dict[int, Shown]:
    """By condition what has just been shown to all, whichever way the game came there."""
    flow, found = table.flow, dict[int, Shown]()
    led: dict[int, Shown] = {}  # by label what is shown wherever it is led there from
    for one in flow.instructions:
        if not isinstance(one, Unless | Jump) and not is_naming(one):
            led.update((id(label), NOTHING) for label in labels_of(one))
    shown: Shown | None = NOTHING  # None: nothing leads here from the line before
    for at, one in enumerate(flow.instructions):
        for label in flow.labels.get(at, []):
            there = led.get(id(label))
            shown = there if shown is None else shown if there is None else shown & there
        if isinstance(one, Unless):
            found[id(one.condition)] = found.get(id(one.condition), shown or NOTHING) & (shown or NOTHING)
        if isinstance(one, Unless | Jump):
            before = led.get(id(one.label))
            led[id(one.label)] = (shown or NOTHING) if before is None else before & (shown or NOTHING)
        leads_on = not isinstance(one, Jump | LoopBack) or is_naming(one)
        shown = shown_after(one, shown or NOTHING) if leads_on else None
    return found


def shown_after(one: Instruction, shown: Shown) -> Shown:
    match one:
        case Do(effect=Show(zone=Contents(room=ZoneRoom(zone), keys=(), owner=None), to=None)):
            return shown | {id(zone)}
        case Do(effect=Assign() | Adjust() | Show() | Record()):
            return shown
        case Unless() | Reach() | Jump() | LoopBack() | Judge() | JudgeAfter() | KeepBefore() | NoteFigures():
            return shown
        case GatherElements() | NextElement() | EndEach() if is_naming(one):
            return shown
        case Do() | DrawComponents() | FillSheets() | ResetForTurn():
            return NOTHING
        case GatherElements() | GatherSeats() | NextElement() | EndEach():
            return NOTHING
        case _:
            return shown_after_step(one)


def shown_after_step(one: GameStep | TurnStep | RepeatStep | ChoiceStep | ActionStep) -> Shown:
    """Somebody else may be `player`, or is about to choose."""
    return NOTHING


def is_naming(one: Instruction) -> bool:
    """Of a value that gets a name for the lines below: they are done once, by the same player."""
    return naming_word(one) in {"let", "do"}
