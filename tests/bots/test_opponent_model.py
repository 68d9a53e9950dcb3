"""What others choose tells what they may hold: likelier and less likely cards, and nothing where nothing is heard."""

from __future__ import annotations

from collections import Counter

import pytest
from attrs import evolve

from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.deliberation import Manner
from rulesrun.interpreter.bots.evaluation import has_stakes
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observation import NEUTRAL, Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.bots.opponent_model import LEAST, weigh_hidden_components
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import OPTIONS, Slots
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from tests.bots.tables import table_of, watch
from tests.interpreter.made import table

JACK, QUEEN, KING = range(3)


def observe_after(made: Table, actions: list[str], drawn: list[int]) -> Observation:
    """What the next player is given, after these choices; `drawn`: what chance brings, by the number of the outcome."""
    observer = Observer(made, tuple(range(1, made.players + 1)), listens=True)
    S, left, draws = made.new_slots(), list(actions), list(drawn)
    while True:
        wait = observer.run_to_question(S)
        if isinstance(wait, ChanceWait):
            observer.apply_answer(S, wait, wait.outcome_at(S, draws.pop(0) if draws else 0))
            continue
        assert isinstance(wait, DecisionWait)
        if not left:
            return observer.make_observation(S, wait.chooser(S), seed=5)
        name = left.pop(0)
        option = next(one for one in S[OPTIONS] if wait.offers[one[0]].action.action.name.text == name)
        observer.apply_answer(S, wait, option)


def weights_of(seen: Observation) -> dict[int, int]:
    """Of the one place of which something is told."""
    ((_, own),) = weigh_hidden_components(seen, think_by_reference, 640).weights
    return dict(own)


@pytest.mark.parametrize(("said", "likely", "unlikely"), [("bet", KING, JACK), ("pass", JACK, KING)])
def test_who_bets_at_kuhn_rather_holds_the_king(said: str, likely: int, unlikely: int) -> None:
    """To bet with a king is never worse, and with a jack it loses more against a king than it wins otherwise."""
    weights = weights_of(observe_after(table_of("classics/kuhn"), [said], []))
    assert weights[likely] > weights[unlikely]


CLAIM = """
card Card: rank 1..{ranks}
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
marker claimed of player: yes or no = no
setup
  shuffle all Card into deck
  deal {many} from deck to each hand
phase play: one turn each from 1
  choose claim or wait
action claim{how}
  needs every c in hand has rank of c > {half}
  claimed becomes yes{draw}
action wait
score at end
  points = if claimed then 1 else 0
"""


def claim(many: int = 1, how: str = "", draw: str = "", ranks: int = 6) -> Table:
    drawn = f"\n  draw {draw} from deck to hand" if draw else ""
    return table(CLAIM.format(ranks=ranks, half=ranks // 2, many=many, how=how, draw=drawn))


def test_what_rules_allow_tells_most() -> None:
    weights = weights_of(observe_after(claim(), ["claim"], [5, 0]))
    low, high = ([weights.get(kind, NEUTRAL) for kind in kinds] for kinds in (range(3), range(3, 6)))
    assert max(low) < NEUTRAL // 2
    assert min(high) > NEUTRAL


def test_where_no_holding_that_is_tried_fits_kinds_are_ruled_out_one_by_one() -> None:
    """All seven high cards of fourteen: one holding of 3432."""
    weights = weights_of(observe_after(claim(7, ranks=14), ["claim"], [13, 12, 11, 10, 9, 8, 7]))
    assert weights == dict.fromkeys(range(7), LEAST)


def test_of_a_large_hand_only_what_rules_out_kinds_is_told() -> None:
    """Nine cards of eighteen: to claim takes all the high ones, to wait may be done with any."""
    dealt = list(range(17, 8, -1))
    assert weights_of(observe_after(claim(9, ranks=18), ["claim"], dealt)) == dict.fromkeys(range(9), LEAST)
    waited = observe_after(claim(9, ranks=18), ["wait"], dealt)
    assert weigh_hidden_components(waited, think_by_reference, 640).weights == ()


def test_what_is_secret_tells_nothing() -> None:
    assert observe_after(claim(how=", secret"), ["claim"], [5, 0]).tells == ()


@pytest.mark.parametrize(("draw", "kept"), [("", (1, 1)), ("1", (1, 2)), ("2", (1, 3))])
def test_what_comes_after_the_choice_is_not_told_of(draw: str, kept: tuple[int, int]) -> None:
    (tell,) = observe_after(claim(draw=draw), ["claim"], [5, 0, 0, 0]).tells
    assert [(left, size) for _, left, size in tell.kept] == [kept]


def test_half_of_what_lies_there_is_half_told() -> None:
    whole, half = (weights_of(observe_after(claim(draw=draw), ["claim"], [5, 0, 0])) for draw in ("", "1"))
    for kind in (0, 1, 2):
        assert half[kind] == pytest.approx((whole[kind] + NEUTRAL) / 2, abs=1)


@pytest.mark.parametrize("odds", [1, 3, 15])
def test_deals_are_made_as_often_as_the_weights_say(odds: int) -> None:
    """Two cards are left for the other hand, and one of them is so many times likelier."""
    seen = observe_after(table_of("classics/kuhn"), ["bet"], [0, 1])
    place = next(slot for slot, _, _ in seen.tells[0].kept)
    low, high = sorted(seen.groups[0])
    dealer, chance = Dealer(evolve(seen, weights=((place, ((low, 4), (high, 4 * odds))),))), BotChance(1)
    found = Counter(flatten_content(dealer.deal(chance.next_stretch())[place])[0] for _ in range(4000))
    assert found[high] / 4000 == pytest.approx(odds / (odds + 1), abs=0.03)


def test_machine_code_thinks_the_same_with_weights() -> None:
    thinking = pytest.importorskip("rulesrun.interpreter.native.think.thinking")
    from tests.bots.test_native_thinking import thoughts

    for made in (table_of("classics/leduc"), table_of("hourglass"), claim(2, draw="1")):
        mind, weighed = thinking.compile_mind(made), list[int]()

        def visit(observer: Observer, S: Slots, player: int) -> None:
            if len(weighed) >= 6 or len(S[OPTIONS]) < 2:  # noqa: B023
                return
            seen = observer.make_observation(S, player, 3)
            natively = weigh_hidden_components(seen, mind.start_thought, 160)  # noqa: B023
            for tell in seen.tells:
                tell.heard.weights.clear()
            assert natively.weights == weigh_hidden_components(seen, think_by_reference, 160).weights
            if natively.weights:
                weighed.append(len(natively.weights))  # noqa: B023
                assert isinstance(mind.start_thought(natively, Manner()), thinking.NativeThought)  # noqa: B023
                assert thoughts(mind.start_thought, natively, Manner()) == thoughts(  # noqa: B023
                    think_by_reference, natively, Manner()
                )

        for seed in range(4):
            watch(made, seed, visit, 60)
        assert weighed, made


@pytest.mark.parametrize(("name", "stakes"), [
    ("classics/kuhn", True), ("classics/leduc", True), ("classics/tic_tac_toe", False), ("classics/goofspiel", False),
    ("classics/nim", False), ("zero", False), ("the_game", False), ("gallery/spades", False),
    ("gallery/block_dominoes", True), ("gallery/othello", False), ("gallery/battleship", False),  # these tell a lead
])  # fmt: skip
def test_who_plays_for_points(name: str, stakes: bool) -> None:
    assert has_stakes(table_of(name, 4 if name == "gallery/spades" else 2)) is stakes


LOST = """
number paid of player: 0..9 = 1
phase play: one turn each from 1
  if player = 1
    choose pay or fold
action pay
  paid becomes 8
action fold
score at end
  points = if player = 2 then paid of 1 else -paid
"""


@pytest.mark.parametrize(("points", "stakes"), [
    ("if player = 2 then paid of 1 else -paid", True),  # who folds pays less
    ("paid - paid of opponent", False), ("paid of player - paid of opponent", False),
    ("if paid > 5 then paid of opponent - paid else paid - paid of opponent", False),
])  # fmt: skip
def test_a_lead_is_not_paid(points: str, stakes: bool) -> None:
    """Who has more than the other has won; by how much, nobody pays for."""
    assert has_stakes(table(LOST.replace("if player = 2 then paid of 1 else -paid", points))) is stakes


def test_who_cannot_win_loses_as_little_as_can_be() -> None:
    made = table(LOST)
    chosen: list[int] = []

    def visit(observer: Observer, S: Slots, player: int) -> None:
        seen = observer.make_observation(S, player, 3)
        chosen.append(S[OPTIONS][MctsBot(40).choose(seen)][0])

    watch(made, 1, visit)
    assert chosen == [1]
