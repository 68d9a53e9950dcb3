"""A reply that can be made in one way alone is thought of, however many ways there are to make another.

The expectation is worked out by hand: any claim but 1 can be doubted, and whoever claimed it loses; whoever raises
instead of doubting loses, whatever the raise.
"""

from __future__ import annotations

from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.model.values import Slots
from tests.bots.tables import watch
from tests.bots.test_joint_choices import engines
from tests.interpreter.made import table

CLAIMS = """
number claimed: 0..30 = 0
phase claiming: turns from 1
  if claimed = 0
    choose claim
  otherwise
    choose raise or doubt
action claim(n in 1..30)
  claimed becomes n
action raise(n in 1..30)
  player loses
action doubt
  if claimed = 1
    player loses
  player wins
"""


def test_nobody_claims_what_one_reply_of_many_refutes() -> None:
    made = table(CLAIMS)
    for think in engines(made):
        found = list[int]()

        def visit(observer: Observer, S: Slots, player: int, think: Think = think, found: list[int] = found) -> None:
            for seed in range(12 if player == 1 and not found else 0):
                seen = observer.make_observation(S, player, seed)
                found.append(seen.options[MctsBot(200, think=think).choose(seen)][1])

        watch(made, 1, visit, made.players)
        assert found == [1] * 12
