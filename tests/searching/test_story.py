"""What a story tells: the deal that matters, moves and what they changed, the rule that did it; endless games."""

from __future__ import annotations

from rulesrun.interpreter.search.answered_games import GameChecker, ListedAnswers
from rulesrun.interpreter.search.effort import Effort
from rulesrun.interpreter.search.endless import find_game_circle, find_trap
from rulesrun.interpreter.search.shrink import shrink_game
from rulesrun.interpreter.stories.story import Story, tell_story
from tests.interpreter.made import table
from tests.searching.made import COUNTER, HANDS, searched


def story_of(text: str) -> Story:
    [(kind, game)] = searched(table(text)).found.items()
    small, _ = shrink_game(game, kind, [], Effort(60_000, 20))
    failure = small.find_failure(kind)
    assert failure is not None
    return tell_story(small, failure)


def words_at(text: str, story: Story) -> list[str]:
    whole = f'rules 1\ngame "Made"\nplayers 2\n{text}'
    return [whole[span.start : span.end] for span in story.fault_lines]


def test_the_moves_and_only_what_changed() -> None:
    story = story_of(COUNTER)
    assert [move.option.action for move in story.moves] == ["climb"] * 4
    assert [move.changes for move in story.moves] == [(f"height: {n} to {n + 1}",) for n in range(4)]
    assert [value.text for value in story.values] == ["no", "4"]


def test_the_rule_that_did_it() -> None:
    story = story_of(COUNTER)
    assert words_at(COUNTER, story)[0] == "height increases by 1"


def test_the_deal_that_matters() -> None:
    story = story_of(HANDS.format(needs="", keep="") + 'always "nobody lays": table is empty\n')
    assert story.deal == ("player 1 starts", "hand[1]: 1, 2", "table: empty")
    assert story.moves[0].changes == ("1: hand[1] to table",)


def test_what_vanishes_is_said() -> None:
    text = HANDS.format(needs="", keep="") + 'always "two cards each": every p in players has count of hand of p = 2\n'
    story = story_of(text)
    assert words_at(text, story)[0] == "move card to table"


ENDLESS = """
number place: 1..4 = 1
phase play: turns from 1 until place = 4
  choose step or jump
action step
  needs place in {1, 2}
  place becomes 3 - place
action jump
  needs place = 1
  place becomes WHERE
score at end
  points = place
ranking: highest total, ties share
"""


def test_a_position_without_a_way_to_the_end() -> None:
    text = ENDLESS.replace("phase play", "action wander\n  place becomes 3\nphase play").replace(
        "step or jump", "step, jump or wander"
    )
    made = table(text.replace("WHERE", "4").replace("action wander\n", "action wander\n  needs place > 1\n"))
    game = GameChecker(made, 12).play_game(ListedAnswers([0] * 12))
    assert game.is_cut
    found = find_trap(game, Effort(40_000, 20))
    assert found is not None
    assert len(found.game.choices) == 2  # to 2, then to 3, where one wanders for ever
    assert found.positions == 2  # the two players in turn


def test_where_the_end_can_be_reached_there_is_no_trap() -> None:
    game = GameChecker(table(ENDLESS.replace("WHERE", "4")), 12).play_game(ListedAnswers([0] * 12))
    assert game.is_cut
    assert find_trap(game, Effort(40_000, 20)) is None


def test_the_shortest_way_to_go_in_circles() -> None:
    """A step and a step back bring the same player to the same place."""
    found = find_game_circle(table(ENDLESS.replace("WHERE", "4")))
    assert found is not None
    assert (found.until, len(found.game.choices)) == (0, 2)


def test_a_game_that_always_goes_on_has_no_circle() -> None:
    assert find_game_circle(table(COUNTER.replace("climb, slide or rest", "climb"))) is None
