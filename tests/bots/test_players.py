"""How the bots play where the right way to play is known, and that chance is theirs alone."""

from __future__ import annotations

from typing import Any

import pytest

from rulesrun.interpreter.bots.bot import FirstBot, HabitBot, RandomBot
from rulesrun.interpreter.bots.bot_names import NoSuchBot, find_bot, seat_bots
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.match import play_match, replay_picker
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.bots.persona import PersonaBot
from rulesrun.interpreter.measure.ladder import GameOutcome, Rung, play_rung
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import PLAYER, Slots
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.play.properties import wilson_interval
from rulesrun.interpreter.play.step import GameOver, PlayerDecision
from rulesrun.interpreter.reference.table import Table
from tests.bots.tables import table_of, watch, win_share
from tests.interpreter.made import table


@pytest.mark.parametrize(("heaps", "best"), [([1, 2], (2, 1)), ([4], (1, 4)), ([1, 1, 3], (3, 3))])
def test_search_finds_the_winning_choice_in_nim(heaps: list[int], best: tuple[int, int]) -> None:
    """What leaves the heaps with a nim sum of nothing; on the reference."""
    made = table_of("classics/nim", heaps=heaps)
    for seed in range(2):
        answers: list[int] = []
        play_match(made, [MctsBot(300), RandomBot()], Streams(seed), answers=answers)
        first = next(iter(play_game(made, replay_picker(answers)))).question
        assert isinstance(first, PlayerDecision)
        assert tuple(value for _, value in first.options[answers[0]].arguments) == best


def test_search_wins_every_won_game_of_nim() -> None:
    made = table_of("classics/nim", heaps=[1, 3])
    for seed in range(4):
        assert play_match(made, [MctsBot(300), RandomBot()], Streams(seed)).places[0] == (1,)


def test_thinking_pays_where_it_can() -> None:
    """Ten cards in hand, one laid a turn for its rank: greedy takes the best, random the mean."""
    made = table_of("collection", 2)
    assert win_share(made, GreedyBot(3), RandomBot(), 12) >= 0.75
    kuhn = table_of("classics/kuhn")
    assert win_share(kuhn, MctsBot(60), RandomBot(), 60) > 0.6
    assert win_share(table_of("classics/tic_tac_toe"), MctsBot(60), GreedyBot(), 40) > 0.55


def test_search_does_not_fold_the_best_card() -> None:
    """Kuhn's game: with the king one calls, with the jack one does not."""
    made = table_of("classics/kuhn")
    room = next(room for room in made.bench.zones.values() if room.declaration.name.text == "hand")
    checked = set[int]()

    def visit(observer: Observer, S: Slots, player: int) -> None:
        seen = observer.make_observation(S, player, 3)
        own, actions = S[room.base + player - 1][0], [made.bench.declarations(type_of_action)[option[0]].name.text
                                                       for option in seen.options]
        if "fold" in actions and own in (0, 2):
            checked.add(own)
            assert actions[MctsBot(100).choose(seen)] == ("call" if own == 2 else "fold")

    from rulesrun.dsl import ast

    type_of_action = ast.Action
    for seed in range(30):
        watch(made, seed, visit)
    assert checked == {0, 2}


def test_a_game_among_random_players_is_the_random_game() -> None:
    made = table_of("zero", 3)
    found = play_match(made, [RandomBot()] * 3, Streams(5, 2))
    *_, last = play_game(made, random_picker(Streams(5, 2)))
    assert isinstance(last.question, GameOver)
    assert (last.question.places, tuple(last.question.scores.values())) == (found.places, found.scores)


def test_a_match_can_be_played_again() -> None:
    made = table_of("the_game", 2)
    answers: list[int] = []
    found = play_match(made, [GreedyBot(2), FirstBot()], Streams(3), answers=answers)
    *_, last = play_game(made, replay_picker(answers))
    assert isinstance(last.question, GameOver)
    assert tuple(last.question.scores.values()) == found.scores
    assert answers == replayed(made)


def replayed(made: Table) -> list[int]:
    answers: list[int] = []
    play_match(made, [GreedyBot(2), FirstBot()], Streams(3), answers=answers)
    return answers


def test_a_budget_of_time_is_kept() -> None:
    from time import monotonic

    made = table_of("classics/tic_tac_toe")
    began = monotonic()
    play_match(made, [MctsBot(None, 0.02), RandomBot()], Streams(1))
    assert monotonic() - began < 5


# ---- by name

PERSONAS = """
card Card: rank 1..9
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
phase play: one turn each from 1
  choose lay or pass
action lay(given from hand)
  move given to heap
action pass
score at end
  points = sum of rank over c in heap
persona high
  prefer lay when every c in hand has rank of c <= rank of given
persona low
  prefer lay when every c in hand has rank of c >= rank of given
  avoid lay when heap is not empty
persona sly
  prefer pass when some o in opponents has some c in hand of o has rank of c = 9
"""


def test_personas_do_what_they_say() -> None:
    made = table(PERSONAS)
    heap = next(room for room in made.bench.zones.values() if room.declaration.name.text == "heap")
    hand = next(room for room in made.bench.zones.values() if room.declaration.name.text == "hand")
    low, high = (find_bot(made, name) for name in ("low", "high"))
    assert isinstance(low, PersonaBot)

    def visit(observer: Any, S: Slots, player: int) -> None:
        seen: Observation = observer.make_observation(S, player)
        own = S[hand.base + S[PLAYER] - 1]
        assert seen.options[high.choose(seen)][1:] == (max(own),)
        option = seen.options[low.choose(seen)]
        assert option[1:] == ((min(own),) if not S[heap.base] else option[1:])
        assert not S[heap.base] or option in seen.options

    for seed in range(5):
        watch(made, seed, visit)


def test_a_persona_cannot_peek() -> None:
    """It takes the hidden nine as lying where it might: both choices come up, whatever the deal is."""
    made = table(PERSONAS)
    sly = find_bot(made, "sly")
    found: dict[bool, set[str]] = {True: set(), False: set()}
    hand = next(room for room in made.bench.zones.values() if room.declaration.name.text == "hand")

    def visit(observer: Any, S: Slots, player: int) -> None:
        if player == 1 and 8 not in S[hand.base]:
            for seed in range(30):
                seen: Observation = observer.make_observation(S, player, seed)
                found[8 in S[hand.base + 1]].add("pass" if len(seen.options[sly.choose(seen)]) == 1 else "lay")

    for seed in range(12):
        watch(made, seed, visit)
    assert found == {True: {"pass", "lay"}, False: {"pass", "lay"}}


def test_seats() -> None:
    made = table_of("zero", 3)
    assert [bot.name for bot in seat_bots(made, "mcts:50,random,…")] == ["mcts:50", "random", "random"]
    assert [bot.name for bot in seat_bots(made, "greedy")] == ["greedy"] * 3
    assert [bot.name for bot in seat_bots(made, "always:pass, mcts:0.5s,first")] == [
        "always pass",
        "mcts:0.5s",
        "first",
    ]
    for wrong in ("genius", "mcts:", "mcts:-1", "mcts:0", "mcts:xs", "always:fly", "random,random,random,random", ""):
        with pytest.raises(NoSuchBot):
            seat_bots(made, wrong)


def test_the_ladder_counts_fairly() -> None:
    """Alike players get a fair share; where all win together, nothing is gained."""
    rung = Rung(RandomBot("other"), RandomBot(), 60)
    play_rung(table_of("classics/kuhn", 3), rung, 1, float("inf"))
    low, high = rung.interval
    assert rung.games == 60
    assert low < 1 / 3 < high
    common = Rung(RandomBot("other"), RandomBot(), 20)
    play_rung(table_of("the_game", 2), common, 1, float("inf"))
    assert common.in_points
    assert common.gains == [0.0] * 20
    assert common.verdict(2) == "not known"


@pytest.mark.parametrize(("won", "games", "players"), [(12, 20, 2), (9, 40, 3), (16, 50, 4), (3.5, 10, 2)])
def test_how_many_games_would_tell(won: float, games: int, players: int) -> None:
    """The first number of games at which the interval of the same share leaves the fair one out."""
    rung = Rung(RandomBot("other"), RandomBot(), games)
    rung.games, rung.won = games, won
    assert rung.verdict(players) == "not known"
    told = rung.games_to_know(players)
    assert told is not None

    def leaves_out(number: int) -> bool:
        low, high = wilson_interval(won / games * number, number)
        return not low <= 1 / players <= high

    assert leaves_out(told)
    assert not leaves_out(told - 1)


def test_three_of_three_games_say_nothing() -> None:
    """Of three seats one wins so in every 27th ladder by chance alone; the interval of Wilson does not see it."""
    rung = Rung(RandomBot("other"), RandomBot(), 3)
    rung.games, rung.won = 3, 3
    assert rung.interval[0] > 1 / 3
    assert (rung.verdict(3), rung.games_to_know(3)) == ("not known", 10)


@pytest.mark.parametrize(("won", "games", "verdict"), [
    (500, 1000, "not known"), (600, 1200, "alike"), (1225, 2500, "alike"),
    (1300, 2500, "better"), (1200, 2500, "worse"),
])  # fmt: skip
def test_alike_is_what_nobody_would_notice(won: float, games: int, verdict: str) -> None:
    """Three games in a hundred; the interval of half of n games is about 0.98 / sqrt(n) wide on each side."""
    rung = Rung(RandomBot("other"), RandomBot(), games)
    rung.games, rung.won = games, won
    assert rung.verdict(2) == verdict


def test_no_edge_needs_no_number_of_games() -> None:
    even = Rung(RandomBot("other"), RandomBot(), 20)
    even.games, even.won = 20, 10
    assert even.games_to_know(2) is None
    common = Rung(RandomBot("other"), RandomBot(), 20, in_points=True)
    for number in range(20):
        common.add_outcome(GameOutcome(1.0 if number % 3 else -1.5))
    low, high = common.interval
    assert low < 0 < high
    told = common.games_to_know(2)
    assert told is not None
    assert (high - low) / 2 * (20 / told) ** 0.5 <= common.gain < (high - low) / 2 * (20 / (told - 1)) ** 0.5


def test_a_habit_does_its_action_whenever_it_can() -> None:
    made = table_of("classics/kuhn")
    habit = find_bot(made, "always:bet")
    assert isinstance(habit, HabitBot)
    for seed in range(20):
        answers: list[int] = []
        play_match(made, [habit, RandomBot()], Streams(seed), answers=answers)
        asked = ((step.question, step.answer) for step in play_game(made, replay_picker(answers)))
        options, answer = next((one.options, at) for one, at in asked if isinstance(one, PlayerDecision))
        assert answer is not None
        assert options[answer].action == "bet"
