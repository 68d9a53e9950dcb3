"""Options: complete, without doubles, in the order of the file; and why something is refused."""

from __future__ import annotations

from rulesrun.interpreter.play.refusals import find_refusal
from rulesrun.interpreter.play.step import start_state
from tests.interpreter.made import first_options, table

CARDS = """
values Colour: red, blue
token Token: colour Colour, 2 of each
card Card: colour Colour, rank 1..2
zone board: set of Token, public
zone hand of player: set of Card, private
number target: 0..4 = 2
setup
  move all Token to board
  move all Card to hand
score at end
  points = 0
ranking: highest total, ties share
phase play
  choose take, name or pick
"""


def test_equal_components_are_one_option_and_components_come_in_declared_order() -> None:
    made = table(CARDS + """
action name(number_named in 1..4, colour_named in Colour)
  needs number_named >= target because "too small"
action pick(card from hand where rank = 2, other from hand)
  needs other is not card
action take(token from board)
""")
    assert first_options(made, start_state(made)) == [
        ("name", 2, "red"), ("name", 2, "blue"), ("name", 3, "red"), ("name", 3, "blue"),
        ("name", 4, "red"), ("name", 4, "blue"),
        ("pick", "red-2", "red-1"), ("pick", "red-2", "blue-1"), ("pick", "red-2", "blue-2"),
        ("pick", "blue-2", "red-1"), ("pick", "blue-2", "red-2"), ("pick", "blue-2", "blue-1"),
        ("take", "red"), ("take", "blue"),
    ]


def test_several_at_once_are_listed_by_size_and_then_element_by_element() -> None:
    made = table(CARDS + """
action name
action pick
action take(1..2 tokens from board)
""")
    assert first_options(made, start_state(made))[2:] == [
        ("take", ["red"]), ("take", ["blue"]), ("take", ["red", "red"]), ("take", ["red", "blue"]),
        ("take", ["blue", "blue"]),
    ]


REFUSALS = CARDS + """
action name(number_named in 1..4)
  needs number_named > 1
  needs number_named >= target because "too small for the target"
action pick(card from hand)
  needs rank of card = target because "not the rank"
action take(token from board)
  needs target = 0
action hidden_one
"""


def test_the_condition_that_fails_is_told() -> None:
    made = table(REFUSALS)
    state = start_state(made)
    kept = state.slots

    def reason(action: str, **values: object) -> str | None:
        refusal = find_refusal(made, state, action, values)
        return refusal.reason if refusal is not None else None

    assert reason("name", number_named=3) is None
    assert reason("name", number_named=1) == "number_named > 1"
    assert reason("pick", card="red-1") == "not the rank"
    assert reason("pick", card="red-2") is None
    assert reason("take", token="red") == "target = 0"
    assert "cannot be 9" in str(reason("name", number_named=9))
    assert "not offered" in str(reason("hidden_one"))
    assert "no action" in str(reason("fly"))
    assert "not chosen" in str(reason("pick"))
    assert "called `x`" in str(reason("pick", card="red-2", x=1))
    assert state.slots == kept


def test_a_later_choice_may_speak_of_an_earlier_one() -> None:
    made = table(CARDS + """
action name(low in 1..3, high in low..3)
action pick
action take
""")
    assert [one for one in first_options(made, start_state(made)) if one[0] == "name"] == [
        ("name", 1, 1), ("name", 1, 2), ("name", 1, 3), ("name", 2, 2), ("name", 2, 3), ("name", 3, 3),
    ]


def test_can_looks_for_a_way_without_disturbing_the_action() -> None:
    made = table("""
number tokens: 0..9 = 3
phase play: repeat until tokens = 0
  choose take
action take(amount in 1..3)
  needs amount <= tokens
  if can bonus
    tokens decreases by amount
  otherwise
    tokens becomes 0
action bonus(amount in 1..3)
  needs amount < tokens
score at end
  points = tokens
ranking: highest total, ties share
""")
    assert first_options(made, start_state(made)) == [("take", 1), ("take", 2), ("take", 3)]


def test_a_choice_called_player_is_made_anew_for_every_choice_before_it() -> None:
    made = table(CARDS + """
action name(low in 1..2, player in opponents, other in opponents)
action pick
action take
""", 3)
    assert [one for one in first_options(made, start_state(made)) if one[0] == "name"] == [
        ("name", low, player, other)
        for low in (1, 2) for player in (2, 3) for other in (1, 2, 3) if other != player
    ]
