"""Machine code thinks as the reference does, to the last figure; and searching finds what is known to be best."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.bots.deliberation import Manner, Think
from rulesrun.interpreter.bots.greedy import GreedyBot
from rulesrun.interpreter.bots.match import play_match
from rulesrun.interpreter.bots.mcts import MctsBot
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.bots.tree_search import think_by_reference
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, PLAYER, Slots
from rulesrun.interpreter.native.think.thinking import Mind, NativeThought, compile_mind
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.run import bot_engines
from rulesrun.run.engine_choice import CAREFULLY, COSTS, QUICKLY
from tests.bots.tables import table_of, watch, win_share
from tests.interpreter.made import table

SECRETS = """
card Card: rank 1..5
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone line of player: row of Card, private, sorted by rank
zone used: pile of Card, public top
zone shown of player: row of Card, public
marker guess of player: 1..3, private
marker mood: 1..2, hidden
memory seen
setup
  shuffle all Card into deck
  deal 1 from deck to each hand
  deal 1 from deck to each line
  roll mood
phase secrets
  all choose think
phase play: repeat 2 times
  one turn each from 1
    record player, count of used in seen
    each player where count of hand > 0
      choose lay, keep or throw
phase last
  each c in used
    if times(seen) > 0
      choose take or leave
action think(n in 1..3), secret
  guess becomes n
action lay(c from hand)
  move c to shown
action keep(c from hand)
  move c to line
action throw(c from line)
  move c to used
action take
  guess becomes 1
action leave
score at end
  points = (sum of rank over c in shown) + guess
"""

TABLES = [
    ("zero", 2, {}), ("zero", 4, {"wrong_calls": "yes"}), ("collection", 3, {"goals": "round"}), ("the_game", 3, {}),
    ("tokens", 3, {}), ("hourglass", 2, {}), ("hourglass", 5, {"two_decks": "yes"}), ("classics/kuhn", 3, {}),
    ("classics/leduc", 2, {}), ("classics/goofspiel", 3, {}), ("classics/tic_tac_toe", 2, {}), ("classics/pig", 2, {}),
]


def thoughts(think: Think, seen: Observation, manner: Manner) -> list[object]:
    thought, wanted = think(seen, manner), [True] * len(seen.options)
    wanted[0] = len(wanted) < 4
    near, far = thought.evaluate_options(2, 0, wanted), thought.evaluate_options(1, 4, wanted)
    thought.begin_search(near, wanted, 30)
    thought.search_games(12)
    thought.search_games(18)
    return [near, far, thought.option_visits()]


def think_alike(made: Table, every: int, limit: int, manner: Manner, care: int = 2) -> int:
    """At every so many decisions of a random game; how many times machine code was asked."""
    mind, asked = compile_mind(made, care=care), [0, 0]

    def visit(observer: Observer, S: Slots, player: int) -> None:
        asked[0] += len(S[OPTIONS]) > 1
        if len(S[OPTIONS]) > 1 and asked[0] % every == 0:
            seen = observer.make_observation(S, player, asked[0])
            asked[1] += isinstance(mind.start_thought(seen, manner), NativeThought)
            assert thoughts(mind.start_thought, seen, manner) == thoughts(think_by_reference, seen, manner)

    watch(made, 3, visit, limit)
    return asked[1]


SOME = [pytest.param(*one, marks=[] if at % 2 == 0 else pytest.mark.long) for at, one in enumerate(TABLES)]


@pytest.mark.parametrize(("name", "players", "options"), SOME)
def test_machine_code_thinks_as_the_reference(name: str, players: int, options: dict[str, object]) -> None:
    assert think_alike(table_of(name, players, **options), 9 if "/" not in name else 1, 90, Manner()) > 0


@pytest.mark.parametrize("name", ["zero", "collection", "classics/goofspiel"])
def test_in_another_manner_too(name: str) -> None:
    assert think_alike(table_of(name), 7, 60, Manner(ahead=5, soon=2, tries=2, curiosity=9, hint=1)) > 0


@pytest.mark.parametrize("farthest", [0, 13, 200])
def test_where_nobody_is_ahead_both_play_on_alike(farthest: int) -> None:
    """Hex tells nothing before its end."""
    assert think_alike(table_of("gallery/hex", size=5), 3, 20, Manner(farthest=farthest)) > 0


@pytest.mark.parametrize("name", ["zero", "tokens", "classics/pig"])
def test_code_made_quickly_thinks_the_same(name: str) -> None:
    assert think_alike(table_of(name), 9, 60, Manner(), care=0) > 0


def test_players_change_over_to_careful_code_in_the_middle_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    made, cares, games = table_of("classics/leduc"), list[int](), list[list[int]]()

    def compile_noting(table: Table, care: int) -> Think:
        cares.append(care)
        return compile_mind(table).start_thought

    monkeypatch.setattr(bot_engines, "try_compile_think", compile_noting)
    for seconds in (0.0, 1e9):
        monkeypatch.setitem(COSTS, "thoughts", ((QUICKLY, 0.0), (CAREFULLY, seconds)))
        bot, answers = MctsBot(20, think=bot_engines.make_think(made)), list[int]()
        play_match(made, [bot, bot], Streams(4), answers=answers)
        games.append(answers)
    assert cares == [0, 2, 0]
    assert games[0] == games[1]


def test_hidden_values_sorted_hands_loops_and_memories() -> None:
    made = table(SECRETS)
    compile_mind(made)
    assert think_alike(made, 1, 60, Manner()) > 4


SEVERAL = """
card Card: rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone line of player: row of Card, public
setup
  shuffle all Card into deck
  deal 3 from deck to each hand
phase play: one turn each from 1
  choose lay
  choose give if possible
action lay(c from hand)
  move c to line
action give(1..2 cards from hand)
  needs sum of rank over c in cards > 2
  move all cards to line of left of player
score at end
  points = (sum of rank over c in line) - count of hand
"""


def test_several_things_chosen_at_once_are_thought_about() -> None:
    """By machine code, where they are chosen and before it."""
    made = table(SEVERAL)
    mind = compile_mind(made)
    ways: set[tuple[bool, bool]] = set()

    def visit(observer: Observer, S: Slots, player: int) -> None:
        if len(S[OPTIONS]) > 1:
            seen = observer.make_observation(S, player, 3)
            at_once = any(isinstance(value, tuple) for option in S[OPTIONS] for value in option[1:])
            ways.add((at_once, isinstance(mind.start_thought(seen, Manner()), NativeThought)))
            assert thoughts(mind.start_thought, seen, Manner()) == thoughts(think_by_reference, seen, Manner())

    for seed in range(4):
        watch(made, seed, visit, 20)
    assert ways == {(False, True), (True, True)}


PASSING = """
values Suit: red, blue
card Card: suit Suit, rank 1..4COPIES
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone passed of player: set of Card, private
setup
  shuffle all Card into deck
  deal 4 from deck to each hand
phase passing
  all choose pass_on
phase arrival
  each player
    move all passed to hand of left of player
phase play: one turn each from 1
  choose show
action pass_on(2..3 cards from hand), secret
  move all cards to passed
action show(c from hand)
  move c to passed
score at end
  points = (sum of rank over c in passed) - count of hand
"""


@pytest.mark.parametrize("copies", ["", ", 2 of each"])
def test_all_pass_several_cards_at_once(copies: str) -> None:
    """In the middle of choosing at once, too; also where cards have equals."""
    made = table(PASSING.replace("COPIES", copies), 2)
    assert think_alike(made, 1, 30, Manner()) > 3


def test_the_same_choices_with_either() -> None:
    made = table_of("classics/leduc")
    mind = compile_mind(made)
    games = []
    for think in (mind.start_thought, think_by_reference):
        answers: list[int] = []
        play_match(made, [MctsBot(60, think=think), MctsBot(20, think=think)], Streams(4), answers=answers)
        games.append(answers)
    assert games[0] == games[1]


def test_nothing_is_left_of_a_thought() -> None:
    """The same observation, the same thought, whatever was thought about in between."""
    made = table_of("zero", 3)
    mind, kept = compile_mind(made), list[tuple[Observation, list[list[object]]]]()

    def visit(observer: Observer, S: Slots, player: int) -> None:
        seen = observer.make_observation(S, player, len(kept))
        kept.append((seen, [thoughts(mind.start_thought, seen, Manner(ahead=len(kept) % 3)) for _ in range(2)]))

    watch(made, 2, visit, 45)
    assert len(kept) > 6
    for at, (seen, found) in reversed(list(enumerate(kept))):
        assert found[0] == found[1] == thoughts(mind.start_thought, seen, Manner(ahead=at % 3))


# ---- what is best is known

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def value(board: tuple[int, ...], player: int) -> int:
    """Of tic-tac-toe, for who is to move: by looking at everything."""
    if any(all(board[at] == 3 - player for at in line) for line in LINES):
        return -1
    if 0 not in board:
        return 0
    return max(-value(laid(board, at, player), 3 - player) for at in range(9) if not board[at])


def laid(board: tuple[int, ...], at: int, player: int) -> tuple[int, ...]:
    return (*board[:at], player, *board[at + 1 :])


def test_search_plays_tic_tac_toe_perfectly() -> None:
    """At every position of games against random and perfect players the choice is worth as much as the position."""
    made = table_of("classics/tic_tac_toe")
    mind, games = compile_mind(made), 0
    for number in range(24):
        streams, seat, S = Streams(8, number), number % 2 + 1, made.new_slots()
        board: tuple[int, ...] = (0,) * 9
        observer, is_perfect = Observer(made, (seat,)), number % 4 > 1
        wait = observer.run_to_question(S)
        while isinstance(wait, DecisionWait):
            player, places = S[PLAYER], [at for at in range(9) if not board[at]]
            worths = [-value(laid(board, at, player), 3 - player) for at in places]
            if player == seat:
                which = MctsBot(4000, think=mind.start_thought).choose(observer.make_observation(S, seat, number))
                assert worths[which] == max(worths), (board, places[which])
            else:
                best = [at for at, worth in enumerate(worths) if worth == max(worths) or not is_perfect]
                which = best[streams.random_below(len(best), "other")]
            board = laid(board, places[which], player)
            observer.apply_answer(S, wait, S[OPTIONS][which])
            wait = observer.run_to_question(S)
        games += 1
    assert games == 24


def at_nim(made: Table, heaps: tuple[int, ...], seed: int) -> Observation:
    observer, S = Observer(made, (1,)), made.new_slots()
    observer.run_to_question(S)
    room = next(room for room in made.bench.variables.values() if room.declaration.name.text == "left_in")
    for at, left in enumerate(heaps):
        S[room.base + at] = left
    observer.run_to_question(S)
    return observer.make_observation(S, 1, seed)


def taken_well(mind: Mind, made: Table, heaps: tuple[int, ...]) -> bool:
    seen = at_nim(made, heaps, sum(heaps))
    _, heap, amount = seen.options[MctsBot(30_000, think=mind.start_thought).choose(seen)]
    left = [many - amount if at == heap - 1 else many for at, many in enumerate(heaps)]
    return nim_sum(left) == 0


def nim_sum(heaps: list[int] | tuple[int, ...]) -> int:
    total = 0
    for heap in heaps:
        total ^= heap
    return total


def test_search_wins_every_won_position_of_nim(request: pytest.FixtureRequest) -> None:
    """All that can follow from the heaps of the bundled game, 1, 3, 5, 7; a part of them in the short run."""
    made = table_of("classics/nim")
    mind = compile_mind(made)
    won = [heaps for heaps in product(range(2), range(4), range(6), range(8)) if nim_sum(heaps)]
    every = 1 if request.config.getoption("--long") else 8
    assert len(won) == 336
    assert [heaps for heaps in won[::every] if not taken_well(mind, made, heaps)] == []


def test_search_sees_what_only_the_end_tells() -> None:
    """Hex of seven by seven: who looks six decisions ahead from the first stone sees no end. Nine of ten won by luck
    among equals come once in a hundred times."""
    made = table_of("gallery/hex", size=7)
    think = compile_mind(made).start_thought
    assert win_share(made, MctsBot(100, think=think), GreedyBot(think=think), 10) >= 0.9


def test_a_random_player_hardly_stands_a_chance() -> None:
    """Search wins 98 of 100 games: three lost ones of twelve come once in five hundred times."""
    made = table_of("collection")
    mind = compile_mind(made)
    won = 0.0
    for number in range(12):
        bots: list[Bot] = [MctsBot(200, think=mind.start_thought), RandomBot()]
        won += play_match(made, bots if number % 2 else bots[::-1], Streams(2, number)).win_share(2 - number % 2)
    assert won >= 10


SEVERAL_LATER = """
values Colour: red, blue
card Card: colour Colour, rank 1..3
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone line of player: row of Card, public
number got of player: 0..99 = 0
setup
  shuffle all Card into deck
  deal 3 from deck to each hand
phase play: repeat 2 times
  one turn each from 1
    choose begin
    choose lay or take
action begin(n in 1..3)
  got increases by n
action lay(1..2 cards from hand)
  each c in cards
    move c to line
  got increases by sum of rank over cards
action take(run in {{1, 2}, {2, 1}, {1, 9}, {got, 1}})
  got becomes (got + 3 * (item 2 of run)) mod 50
score at end
  points = got
"""


def test_options_that_begin_alike_are_different_options() -> None:
    """Several cards, lists: which come after what is asked now."""
    assert think_alike(table(SEVERAL_LATER, 2), 1, 30, Manner()) > 0
