"""Where it can be read off the rules that options give nothing away. Takes a table, gives what is proved.

The options at a choice are worked out from what its actions' choices and conditions read. When all of that lies
open, or is the chooser's own, they follow from what the chooser sees. The same goes for whether somebody is asked.

All that decides which question comes next must follow from what lies open: it reads open things, or a hand that has
just been shown to all. A loop in which nobody is asked decides nothing; what it makes of secrets is kept in mind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import frozen

from rulesrun.interpreter.model.core_lowering import list_operands_of_action
from rulesrun.interpreter.model.flow_decisions import (
    decisions_of,
    instructions_before_choices,
    instructions_inside,
    labels_of,
)
from rulesrun.interpreter.model.instructions import (
    Ask,
    BeginTogether,
    BeginTurns,
    CountDown,
    GatherElements,
    GatherSeats,
    Instruction,
    Jump,
    KeepPlayer,
    LoopBack,
    Reach,
    Scope,
    SetTimes,
    Unless,
    Until,
)
from rulesrun.interpreter.model.relevance import has_only_known_constructs
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import flows_of, is_open, is_secret
from rulesrun.interpreter.secrecy.just_shown import Shown, find_just_shown
from rulesrun.interpreter.secrecy.secrets import (
    KNOWS,
    NOBODYS,
    Names,
    Read,
    find_things_read,
    own_names,
)


@frozen(eq=False)
class OpenChoices:
    """`proved`: the choices whose options follow from what the chooser sees; `flow`: so does who is asked at all."""

    choices: int
    proved: frozenset[int]  # by the number of their operation
    flow: bool


def prove_open_choices(table: Table) -> OpenChoices:
    waits = {pc: wait for pc, wait in table.waits.items() if isinstance(wait, DecisionWait)}
    if not has_only_known_constructs(table.bench, KNOWS):
        return OpenChoices(len(waits), frozenset(), False)
    proved = frozenset(
        pc for pc, wait in waits.items() if is_open(table, option_reads(wait), wait.is_team, choices_being_made(wait))
    )
    return OpenChoices(len(waits), proved, is_flow_open(table))


def choices_being_made(wait: DecisionWait) -> set[int]:
    """The choices themselves: who makes them knows them."""
    return {id(choice) for offer in wait.offers.values() for choice in offer.action.action.choices}


def option_reads(wait: DecisionWait) -> Iterator[Read]:
    for offer in wait.offers.values():
        ready = offer.action
        yield from ((part, not ready.rebinds_player) for part in list_operands_of_action(ready.action))


# ---- whether it gives anything away who is asked


CONDITIONS = Reach | Unless | Jump | SetTimes | CountDown | Until | LoopBack  # lead on, and do nothing else


def is_flow_open(table: Table) -> bool:
    """Whether everybody can see, or has just been shown, what decides who is asked what."""
    shown, told = find_just_shown(table), flows_of(table).contents.told
    return all(
        is_steered_openly(table, read, shown.get(id(read[0]), frozenset()), told, mine)
        for read, mine in flow_reads(table)
    )


def is_steered_openly(table: Table, read: Read, shown: Shown, told: Collection[int], mine: Names) -> bool:
    """A value into which a secret came is not enough, though all see it: it may be gone when they look."""
    part, own = read
    for thing, is_own in find_things_read(table, part, own or bool(shown), (), mine):
        if id(thing) in told or is_secret(table, thing, is_own and (own or id(thing) in shown), False):
            return False
    return True


def flow_reads(table: Table) -> Iterator[tuple[Read, Names]]:
    """All that decides which question comes next, whether it is asked of who chooses there, and which names in it are
    the player's own."""
    flow, names = table.flow, own_names(table)
    for at, one in enumerate(flow.instructions):
        asked = decisions_of(one)
        if not asked or (isinstance(one, GatherElements | GatherSeats) and not decides_questions(table, at)):
            continue
        scope = flow.scopes[at]
        of_each = isinstance(one, Ask | BeginTogether | KeepPlayer)  # who may be asked was not the player before
        statement = scope.statement if scope is not None and not of_each else None
        mine = names.get(id(statement), NOBODYS)
        is_own = isinstance(one, Unless) and leads_straight_to_a_choice(table, at)
        own = is_own or isinstance(one, Ask | BeginTogether)
        yield from (((decision.asked, own), mine) for decision in asked)


def decides_questions(table: Table, at: int) -> bool:
    """Whether somebody may be asked in the loop, or how the game goes on may change. What has a name for some lines is
    found once; what speaks of it is looked at there."""
    loop, flow = table.flow.instructions[at], table.flow
    if isinstance(loop, GatherElements) and loop.is_single:
        return False
    scope = flow.scopes[at]
    assert scope is not None
    inside = instructions_inside(flow, scope)
    return any(isinstance(one, Ask | BeginTogether | BeginTurns) or leads_out(one, scope) for one in inside)


def leads_out(one: Instruction, scope: Scope) -> bool:
    return any(not scope.first <= label.at <= scope.last for label in labels_of(one))


def leads_straight_to_a_choice(table: Table, at: int) -> bool:
    """Whether the player of whom it is asked is the one who chooses below, and nothing else hangs on it."""
    scope = table.flow.scopes[at]
    if scope is None or scope.statement is None:
        return False
    return all(
        (isinstance(one, CONDITIONS) and not leads_out(one, scope))
        or (isinstance(one, Ask) and one.who == "player")
        for one in instructions_before_choices(table.flow, scope)
    )
