"""Games that fail are found, kept apart and made as short as they get."""

from __future__ import annotations

from itertools import product

from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, GameChecker, ListedAnswers, SeededAnswers
from rulesrun.interpreter.search.effort import Effort
from rulesrun.interpreter.search.endless import cut_game, list_states
from rulesrun.interpreter.search.shrink import game_size, shrink_game
from tests.interpreter.made import table
from tests.searching.made import COUNTER, HANDS, replayed, searched


def shortest(made: Table, most: int) -> int:
    """By trying every sequence of choices, shortest first."""
    for length in range(most + 1):
        for answers in product(range(3), repeat=length):
            if GameChecker(made, length).play_game(ListedAnswers(answers)).failures:
                return length
    raise AssertionError("no game is so short")


def test_a_failing_game_gets_as_short_as_the_shortest_there_is() -> None:
    made = table(COUNTER)
    [(kind, game)] = searched(made).found.items()
    small, _ = shrink_game(game, kind, [], Effort(60_000, 20))
    assert len(small.choices) == shortest(made, 5) == 4
    failure = replayed(small, kind)
    assert failure is not None
    assert failure.decisions == 4


def test_fewer_players_come_first() -> None:
    text = HANDS.format(needs="", keep="\n  needs count of hand = 3")
    three, two = table(text, 3), table(text, 2)
    [(kind, game)] = searched(table(text.replace("choose lay or keep", "choose keep"), 3)).found.items()
    assert kind.name == "empty-choice"
    assert (game.table.players, three.players, two.players) == (3, 3, 2)
    small, _ = shrink_game(
        game, kind, [table(text.replace("choose lay or keep", "choose keep"), 2)], Effort(60_000, 20)
    )
    assert small.table.players == 2


def test_different_faults_are_kept_apart() -> None:
    made = table(COUNTER + 'never "rested": height = 2\nat end of game "high": height < 9\n')
    titles = {kind.name for kind in searched(made, 60).found}
    assert titles == {"not too high", "rested", "high"}


def test_deals_get_simple_where_they_do_not_matter() -> None:
    made = table(HANDS.format(needs="", keep="") + 'always "nobody lays": table is empty\n')
    [(kind, game)] = searched(made).found.items()
    small, _ = shrink_game(game, kind, [], Effort(60_000, 20))
    assert small.answers == (0, 0, 0, 0, 0)
    assert len(small.choices) == 1


def test_a_deal_that_matters_stays() -> None:
    made = table(HANDS.format(needs="", keep="") + 'always "no six is laid": no c in table has rank of c = 6\n')
    [(kind, game)] = searched(made).found.items()
    small, _ = shrink_game(game, kind, [], Effort(60_000, 20))
    assert len(small.choices) == 1
    assert replayed(small, kind) is not None
    assert sum(1 for one in small.answers if one) == 2  # the six is dealt, and chosen to be laid


def test_answers_beyond_the_options_go_round_the_end() -> None:
    made = table(COUNTER)
    whole = GameChecker(made, 4).play_game(ListedAnswers([3, 6, 8, 5]))
    assert all(answer < 3 for answer in whole.answers)


def test_smaller_means_fewer_choices_first() -> None:
    made = table(COUNTER)

    def game(*answers: int) -> AnsweredGame:
        return AnsweredGame(made, answers, tuple(range(len(answers))), ())

    assert game_size(game(2)) < game_size(game(0, 0)) < game_size(game(0, 1)) < game_size(game(1, 1))


TOWER = COUNTER.replace("height < 4", "height < goal") + """
option goal: 2..6 = 5
option extra: yes or no = no
reading calm: quiet, loud = quiet
  "Nobody says."
"""


def test_options_come_back_to_what_the_rules_have_and_numbers_get_lower() -> None:
    made = table(TOWER, goal=6, extra="yes", calm="loud")
    [(kind, game)] = searched(made).found.items()
    small, _ = shrink_game(game, kind, [], Effort(60_000, 20))
    assert (small.table.options["extra"], small.table.options["calm"]) == ("no", "quiet")
    assert small.table.options["goal"] == 2
    assert len(small.choices) == 2


def test_an_option_that_matters_stays() -> None:
    text = COUNTER.replace("height < 4", "not extra or height < 4") + "option extra: yes or no = no\n"
    made = table(text, extra="yes")
    [(kind, game)] = searched(made).found.items()
    small, _ = shrink_game(game, kind, [], Effort(60_000, 20))
    assert small.table.options["extra"] == "yes"
    assert len(small.choices) == 4


UNTIL_SIX = """
number laid: 0..20 = 0
number face: 1..6
phase play: turns from 1 until laid > 9
  choose lay or pass
  face becomes 1
  repeat until face = 6
    roll face
action lay
  laid increases by 1
action pass
  laid increases by 2
score at end
  points = laid
ranking: highest total, ties share
always "few": laid < 5
"""


def test_a_die_that_never_shows_a_six_comes_to_no_end_and_is_no_smaller_game() -> None:
    """First outcomes alone are a one for ever."""
    made = table(UNTIL_SIX)
    [(kind, game)] = searched(made, 5).found.items()
    small, is_smallest = shrink_game(game, kind, [], Effort(60_000, 20))
    assert is_smallest
    assert len(small.choices) == 3
    assert GameChecker(made, 3).play_game(ListedAnswers(()), most=50).is_cut


def test_a_game_in_which_chance_alone_goes_on_is_cut() -> None:
    made = table(UNTIL_SIX.replace("face = 6", "face = 6 and laid = 0"))
    game = GameChecker(made, 10).play_game(ListedAnswers(()), most=500)
    assert (game.is_cut, len(game.choices), len(game.answers)) == (True, 1, 500)


def test_a_game_that_was_cut_knows_where() -> None:
    made = table(COUNTER.replace("height = 9", "height = 10"))
    game = GameChecker(made, 30).play_game(SeededAnswers(Streams(3)))
    states = list_states(game)
    assert game.is_cut
    assert len(states) == len(game.choices) + 1
    assert states[-1] == game.stopped_at
    for at in (0, 7, 30):
        assert list_states(cut_game(game, at))[-1] == states[at]
