"""What players that think leave out, however far they search: a table in, those of the kinds out that the table has.

Where search wins nothing, this may be why.
"""

from __future__ import annotations

from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.rollouts import run_to_decision
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.values import OPTIONS, Fault
from rulesrun.interpreter.play.visibility import can_see
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.table import Table

GAMES, LONGEST = 2, 300  # random games in which a lead is looked for, and their decisions
HIDDEN_NUMBERS, HIDDEN_COMPONENTS, AT_ONCE = "hidden numbers", "hidden components", "at once"


def find_blind_spots(table: Table) -> tuple[str, ...]:
    """`HIDDEN_NUMBERS`: they may be anything, whatever has been seen. `HIDDEN_COMPONENTS`: what others choose tells
    of each component by itself alone. `AT_ONCE`: where all choose at the same
    moment, nobody mixes what they choose so that others cannot foresee it."""
    found = {
        HIDDEN_NUMBERS: any(is_for_some_alone(room, table.players) for room in table.bench.variables.values()),
        HIDDEN_COMPONENTS: any(is_for_some_alone(room, table.players) for room in table.bench.zones.values()),
        AT_ONCE: table.players > 1 and any(isinstance(wait, TogetherWait) for wait in table.waits.values()),
    }
    return tuple(name for name, has_it in found.items() if has_it)


def has_chance(table: Table) -> bool:
    """Whether anything is drawn, thrown or mixed."""
    return any(isinstance(wait, ChanceWait) for wait in table.waits.values())


def shows_lead(table: Table) -> bool:
    """Whether anything tells who is ahead before the end: looked for in a few random games."""
    judge, chance = Judge(table), BotChance(0)
    return judge.is_common or any(shows_lead_in_game(table, judge, chance) for _ in range(GAMES))


def shows_lead_in_game(table: Table, judge: Judge, chance: BotChance) -> bool:
    S, below = table.new_slots(), chance.next_stretch()
    try:
        wait = run_to_decision(table, S, below)
        for _ in range(LONGEST):
            if not isinstance(wait, DecisionWait):
                return False
            if judge.shows_lead(S):
                return True
            wait.apply_answer(S, S[OPTIONS][below(len(S[OPTIONS]))])
            wait = run_to_decision(table, S, below)
    except Fault:
        return False
    return False


def is_for_some_alone(room: ZoneRoom | VariableRoom, players: int) -> bool:
    """Whether one player sees what another does not see."""
    seats = range(1, players + 1)
    return any(len({can_see(room, number, seat) for seat in seats}) > 1 for number in range(room.amount))
