"""A law of what is laid open: where two deals look alike to a player, and the same rules lead to tables that do not,
then the rules tell something, and the list of what they lay open is not empty. Rules are made up, deals gone through.

Cards are moved only from where nobody else sees them to where nobody else does, so that no card tells of itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rulesrun.interpreter.model.values import Fault, State
from rulesrun.interpreter.play.step import (
    ChanceDecision,
    GameOver,
    PlayerDecision,
    next_state,
    pending_decision,
    start_state,
)
from rulesrun.interpreter.play.visibility import PlayerViews
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import find_laid_open
from tests.interpreter.made import table

FEW, MANY = 60, 3_000
BASE = """
values Colour: red, blue
card Card: rank 1..4
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone aside of player: set of Card, private
zone away: set of Card, hidden
zone heap[1..2]: pile of Card, hidden
number told: 0..9 = 0, clamped
marker seen: yes or no = no
number mine of player: 0..9 = 0, private, clamped
number dark: 0..9 = 0, hidden, clamped
marker omen: Colour, hidden
setup
  shuffle all Card into deck
  roll omen
  deal 1 from deck to each hand
  draw 1 from deck to heap[1]
phase play
  choose begin
{lines}
  choose stop
action begin
action stop
action nod
step note
  seen becomes yes
define strength = sum of rank over c in hand
score at end
  points = 0
ranking: highest total, ties share
"""

LEFT = "left of player"
NUMBERS = (
    "sum of rank over hand", f"sum of rank over hand of {LEFT}", "count of hand", "count of deck", "told", "dark",
    "mine", f"mine of {LEFT}", "count of (hand where rank > 2)", "strength", f"strength of {LEFT}", "1", "2",
    "(if omen = red then 1 else 0)", "count of aside", "sum of rank over away",
)  # fmt: skip
CONDITIONS = (
    "some c in hand has rank of c > 2", f"no c in hand of {LEFT} has rank of c = 1", "omen = red", "told > 1",
    "dark > 1", "mine > 1", "seen", "aside is empty", "deck is empty", "player = 1", "strength > 2",
    f"strength > strength of {LEFT}", "count of away > 0",
)  # fmt: skip


def statements(random: Random, depth: int) -> list[str]:
    return [line for _ in range(random.randint(1, 3)) for line in statement(random, depth)]


def statement(random: Random, depth: int) -> list[str]:
    number, condition = random.choice(NUMBERS), random.choice(CONDITIONS)
    simple = (
        f"told becomes {number}", f"told increases by {number}", f"seen becomes {condition}", "seen becomes yes",
        "told becomes 3", f"mine becomes {number}", f"mine of {LEFT} becomes {number}", f"dark becomes {number}",
        "dark increases by 1", "mine becomes 2", "move all hand to aside", "move all aside to hand",
        "move all (hand where rank > 2) to aside", "move all (aside where rank < 3) to away", "do note", "choose nod",
        f"draw up to {number} from deck to away", "draw up to 1 from deck where rank > 2 to away",
        f"starter becomes if {condition} then 1 else 2", "end phase", "end game",
        f"move all heap[if {condition} then 1 else 2] to away",
    )  # fmt: skip
    if depth == 0 or random.random() < 0.5:
        return [random.choice(simple)]
    inner = [f"  {line}" for line in statements(random, depth - 1)]
    other = [f"  {line}" for line in statements(random, depth - 1)]
    another, which = random.choice(("each player", f"each player where {condition}")), f"if {condition} then 1 else 2"
    return random.choice((
        ["each c in hand", f"  {another}", "    mine becomes rank of c"],
        ["each c in hand", f"  {another}", "    if rank of c > 2", *(f"    {line}" for line in inner)],
        [f"each c in heap[{which}]", *inner],
        [f"if {condition}", *inner], [f"if {condition}", *inner, "otherwise", *other], ["each player", *inner],
        [f"each player where {condition}", *inner], ["each c in hand where rank of c > 2", *inner],
        ["each c in hand", "  if rank of c > 2", *(f"  {line}" for line in inner)],
        [f"repeat smallest(2, {number}) times", *inner],
    ))  # fmt: skip


def deals(made: Table, state: State) -> Iterator[State]:
    """Every position at the first choice."""
    waiting = [state]
    while waiting:
        here = waiting.pop()
        decision = pending_decision(made, here)
        if isinstance(decision, ChanceDecision):
            waiting.extend(next_state(made, here, index) for index in range(decision.size))
        else:
            yield here


def afterwards(made: Table, state: State) -> State:
    """Where the game comes to by its rules alone; of what is drawn nobody sees anything."""
    state = next_state(made, state, 0)
    while isinstance(pending_decision(made, state), ChanceDecision):
        state = next_state(made, state, 0)
    return state


def what_is_asked(made: Table, state: State) -> tuple[Any, ...]:
    decision = pending_decision(made, state)
    if isinstance(decision, GameOver):
        return ("over",)
    assert isinstance(decision, PlayerDecision)
    return (decision.player, tuple(option.action for option in decision.options))


def somebody_learns(made: Table) -> bool:
    """Whether a player can tell two deals apart afterwards that looked alike to that player before."""
    viewers = PlayerViews(made)
    for player in range(1, made.players + 1):
        looks: dict[Any, Any] = {}
        for before in deals(made, start_state(made)):
            after = afterwards(made, before)
            seen = (viewers.view(made.to_slots(after), player), what_is_asked(made, after))
            if looks.setdefault(viewers.view(made.to_slots(before), player), seen) != seen:
                return True
    return False


def check(seed: int) -> bool:
    """Whether the law said something: somebody learned."""
    random = Random(seed)
    few = [*statement(random, 1), *statement(random, 1)]  # of few lines each has to be the one that is listed
    lines = [f"  {line}" for line in (statements(random, 3) if seed % 4 == 0 else few)]
    made = table(BASE.format(lines="\n".join(lines)))
    try:
        learns = somebody_learns(made)
    except Fault:
        return False
    assert not learns or any(find_laid_open(made)), "\n".join(lines)
    return learns


def test_what_players_can_tell_apart_is_laid_open() -> None:
    assert sum(check(seed) for seed in range(FEW)) > FEW / 4


@pytest.mark.long
def test_what_players_can_tell_apart_is_laid_open_in_many_rules() -> None:
    assert sum(check(seed) for seed in range(FEW, MANY)) > MANY / 4
