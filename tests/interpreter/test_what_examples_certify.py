"""Examples certify only what is so: a moment begins as given, play runs from there, nothing is said in vain."""

from __future__ import annotations

import pytest

from rulesrun.dsl.check import check_game
from rulesrun.dsl.contents.rule_parts import find_parts
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Rejected
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.interpreter.coverage.coverage import note_examples
from rulesrun.interpreter.examples.examples import TABLES, ExampleResult, run_examples
from tests.interpreter.made import program

DRAW_FIRST = """
card Card: rank 1..6, 4 of each
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 3 from stock to each hand
phase play: turns from starter until some p in players has hand of p is empty
  choose lay, else do draw_one
step draw_one
  draw 1 from stock to hand
  choose keep
action lay(c from hand where rank is not 6)
  move c to heap
action keep
ends within 10000 decisions "it ends"
"""

TRICKS = """
card Card: rank 1..6
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: pile of Card, public
setup
  shuffle all Card into stock
  deal 2 from stock to each hand
phase play: repeat 2 times
  one turn each from 1
    choose lay
action lay(c from hand)
  move c to heap
"""

EIGHTS = """
values Suit: clubs, diamonds, hearts, spades
card Card: suit Suit, rank 1..13
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone discard: pile of Card, public
marker current_suit: Suit
define playable(c Card) = suit of c = current_suit or rank of c = rank of top of discard
setup
  shuffle all Card into stock
  deal 7 from stock to each hand
  draw 1 from stock to discard as turned_up
  current_suit becomes suit of turned_up
phase play: turns from starter until some p in players has hand of p is empty
  choose lay, else do draw_one
step draw_one
  if stock is not empty
    draw 1 from stock to hand
    if can lay
      choose lay or keep
action lay(card from hand)
  needs playable(card) because "it has neither the suit nor the rank"
  move card to discard
  current_suit becomes suit of card
action keep
"""

WAR = """
option suits: 1..4 = 4
option ranks: 1..13 = 13
option cap: 1..5000 = 2000
require (suits * ranks) mod 2 = 0 because "everybody gets half of the cards"
card Card: rank 1..ranks, suits of each
zone deck: pile of Card, hidden
zone pile of player: pile of Card, hidden
zone taken of player: set of Card, hidden
zone line of player: row of Card, public
zone under: set of Card, hidden
number battles: 0..cap = 0
marker winner: player or nothing
define rival = left of player
define turned_up = if line is empty then 0 else rank of last of line
define cards = count of pile + count of taken
setup
  shuffle all Card into deck
  deal (suits * ranks) div 2 from deck to each pile
  each player
    shuffle pile
phase battle: repeat until battles = cap
  battles increases by 1
  do turn_up
  repeat until turned_up of 1 is not turned_up of 2
    do lay_down
    do turn_up
  each player where turned_up > turned_up of rival
    move all line to taken
    move all line of rival to taken
    move all under to taken
phase counting
  each player where cards > cards of rival
    winner becomes player
step turn_up
  do look_at_supply
  each player
    draw 1 from pile to line
step lay_down
  do look_at_supply
  each player
    draw 1 from pile to under
step look_at_supply
  each player where pile is empty
    shuffle taken into pile
  if some p in players has pile of p is empty
    each player where pile is not empty
      winner becomes player
    end game
score at end
  won = if winner = player then 1 else 0
ranking: highest total, ties share
"""

TOGETHER = """
card Bid: owner player, worth 1..3
zone hand of player: set of Bid, private
zone bid of player: place of Bid, public
number counted_rounds: 0..9 = 0
rounds 3, starter moves left
setup round
  each player
    move all Bid where owner = player to hand
phase bidding
  all choose play
action play(card from hand)
  move card to bid
score each round
  points = worth of top of bid
ranking: highest total, ties share
"""

TURNS = """
option begins: lot, seat = lot
number passes: 0..9 = 0
number chips of player: 0..99 = 0
number laid: 0..9 = 0, each turn
number face: 1..6 = 1
setup
  if begins = lot
    draw lots for starter
phase auction: one turn each from 1
  choose bid or pass
phase play when some p in players has chips of p > 0: turns from starter skipping chips = 0 until passes > 1
  choose throw, pass or lay
phase rest
  laid increases by 1
action bid(n in 1..3)
  chips becomes n
action pass
  passes increases by 1
action throw
  needs face < 6 because "a six stays"
  roll face
action lay(n in 1..3)
  needs n <= chips because "so many chips there are not"
  laid becomes n
score at end
  points = chips
ranking: highest total, ties share
"""


def only(rules: str, lines: str, players: str = "2") -> ExampleResult:
    text = "\n".join(f"  {line}" for line in lines.strip().splitlines())
    [result] = run_examples(program(f'{rules}\nexample "it"\n{text}\n', players))
    return result


def told(result: ExampleResult) -> str:
    return "\n".join([result.diagnostic.message if result.diagnostic is not None else "", *result.notes])


HOLDING = [
    # the turn begins: who holds sixes alone draws, and then keeps
    (DRAW_FIRST, "given turn of 1\ngiven hand of 1: 6, 6\ngiven hand of 2: 1, 2, 3\nnext: 5\n"
                 "then 1 can keep\nthen count of hand of 1 = 3"),
    (EIGHTS, "given turn of 1\ngiven current_suit = hearts\ngiven discard: hearts 5\n"
             "given hand of 1: spades 9, spades 6, clubs 1, clubs 2\nnext: hearts 13\n"
             "then 1 can lay(hearts 13)\nthen 1 can keep"),
    # nobody decides
    (WAR, "given phase battle\ngiven pile of 1: 5\ngiven pile of 2: 3\ngiven taken of 1: nothing\n"
          "given taken of 2: nothing\nthen winner = 1\nthen battles = 2\nthen total of 1 = 1 and total of 2 = 0\n"
          "then the game is over"),
    (WAR, "given phase battle\ngiven pile of 1: 5, 2\ngiven pile of 2: 5\ngiven taken of 1: nothing\n"
          "given taken of 2: nothing\nnext: 5\nthen winner = 1 and battles = 1"),
    (WAR, "given pile of 1: 5\ngiven pile of 2: 5\ngiven taken of 1: nothing\ngiven taken of 2: nothing\n"
          "then winner is nothing and battles = 1\nthen total of 1 = 0 and total of 2 = 0"),
    (WAR, "set cap = 1\ngiven phase battle\ngiven pile of 1: 5, 5\ngiven pile of 2: 3, 4\ngiven taken of 1: nothing\n"
          "given taken of 2: nothing\nthen winner = 1 and battles = 1\nthen cards of 1 = 3 and cards of 2 = 1"),
    (WAR, "set suits = 1\nset ranks = 2\nnext: 2, 1\nthen winner = 1\nthen battles = 2\nthen cards of 1 = 2\n"
          "then total of 1 = 1 and total of 2 = 0"),
    (WAR, "set suits = 2\nset ranks = 1\nthen winner is nothing and battles = 1\n"
          "then total of 1 = 0 and total of 2 = 0"),
    (WAR, "set suits = 2\nset ranks = 3\nnext: 1, 2, 3, 1, 2, 3, 1, 1, 2, 2, 3, 3\n"
          "then winner is nothing and battles = 1"),
    (WAR, "set suits = 1\nset ranks = 4\nset cap = 1\nnext: 4, 1, 2, 3, 4, 2\nthen winner = 1 and battles = 1\n"
          "then cards of 1 = 3 and cards of 2 = 1"),
    # nothing is given: the game begins, and its setup draws what is named
    (DRAW_FIRST, "next: 1, 2, 3, 6, 6, 6\nthen (sum of rank over hand of 1) = 6 and hand of 2 = {6, 6, 6}"),
    (TURNS, "next: 2\nthen starter = 2"),
    # rounds and totals
    (TOGETHER, "given round = 3\ngiven total of 1 = 15\ngiven total of 2 = 14\nwhen 1: play(1 1)\n"
               "then the game goes on\nwhen 2: play(2 3)\nthen the game is over\nthen total of 1 = 16\n"
               "then total of 2 = 17\nthen place of 2 = 1"),
    (TOGETHER, "given round = 2\ngiven total of 1 = 15\nthen round = 2 and starter = 2 and total of 1 = 15\n"
               "then count of hand of 1 = 3"),
    # turns: of `one turn each`, those before have had theirs; who is skipped, and when it is over
    (TURNS, "given turn of 2\nwhen 2: bid(1)\nthen phase = play"),
    (TURNS, "given phase play\ngiven chips of 1 = 3\ngiven chips of 2 = 0\nthen 1 can lay(3)\nthen 2 cannot pass"),
    (TURNS, "given phase play\ngiven turn of 2\ngiven chips of 2 = 2\ngiven laid = 4\nthen laid = 4\n"
            "then 2 cannot lay(3)\nwhen 2: lay(2)\nthen laid = 0 or laid = 2"),
    (TURNS, "given phase play\ngiven turn of 2\ngiven chips of 2 = 2\ngiven face = 3\nnext: 6\nwhen 2: throw\n"
            "then face = 6"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "lines"), HOLDING)
def test_what_is_so_holds(rules: str, lines: str) -> None:
    result = only(rules, lines)
    assert result.verdict == "passed", told(result)


FAILING = [
    (DRAW_FIRST, "given turn of 1\ngiven hand of 1: 6, 6\ngiven hand of 2: 1, 2, 3\nnext: 5\nthen 1 can keep\n"
                 "then count of hand of 1 = 2", ["does not hold", "chance brought 5 from stock to hand[1]"]),
    (DRAW_FIRST, "given turn of 1\ngiven hand of 1: 1, 2\ngiven hand of 2: 1, 2, 3\nnext: 5, 4, 3\n"
                 "then 1 can lay(1)", ["5 was never drawn"]),
    (EIGHTS, "given turn of 1\ngiven current_suit = hearts\ngiven discard: hearts 8\n"
             "given hand of 1: spades 9, clubs 1\nnext: hearts 8\nthen 1 can keep", ["hearts-8 lies in `discard`"]),
    (EIGHTS, "given turn of 1\ngiven current_suit = hearts\ngiven discard: hearts 5\n"
             "given hand of 1: spades 9, hearts 2\nnext: hearts 8\nthen 1 cannot lay(hearts 2)",
     ["this can be done: lay(hearts 2)", "it is player 1's choice: lay"]),
    (EIGHTS, "given turn of 1\ngiven current_suit = hearts\ngiven discard: hearts 5\n"
             "given hand of 1: spades 9, hearts 2\nthen 1 can lay(spades 9)", ["it has neither the suit nor the rank"]),
    (EIGHTS, "given turn of 1\ngiven current_suit = hearts\ngiven discard: hearts 5\n"
             "given hand of 1: spades 9, hearts 2\nthen 1 can keep", ["`keep` is not offered", "choice: lay"]),
    (TOGETHER, "when 1: play(1 1)\nthen hand of 1 is not empty", ["player 2's choice"]),
    (TURNS, "set begins = seat\ngiven phase play\ngiven turn of 2\ngiven chips of 2 = 1\n"
            "given passes = 2\nthen 2 can pass", ["until passes > 1"]),
    (TURNS, "given phase play\ngiven turn of 2\ngiven chips of 2 = 0\ngiven chips of 1 = 1\nthen 2 can pass",
     ["player 2 has no turn here", "skipping chips = 0", "player 1"]),
    (TURNS.replace("from 1", "from 1 except 1"), "given phase auction\ngiven turn of 1\nthen 1 can pass",
     ["player 1 has no turn here: `except 1`"]),
    (TURNS, "given passes = 0\nnext: 2\nthen player = 1", ["the example begins at the first decision"]),
    (TURNS, "given turn of 1\nthen 2 can pass", ["it is player 1's choice: bid or pass"]),
    (TURNS, "given turn of 1\nthen the game is over", ["it is player 1's choice: bid or pass"]),
    (TURNS, "given turn of 1\nwhen 1: pass\nnext: 3\nwhen 2: bid(1)", ["3 never came"]),
    (TRICKS, "given phase play\ngiven hand of 1: 3\ngiven hand of 2: 4\nwhen 1: lay(3)\nwhen 2: lay(4)\n"
             "then count of heap = 2",
     ["after `when 2: lay(4)` play goes on to the next choice, by player 1: give what is needed for that, too"]),
    (TRICKS, "given phase play\ngiven hand of 1: nothing\nwhen 1: lay(3)",
     ["player 1 has to choose first: give what is needed for it"]),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "lines", "words"), FAILING)
def test_what_is_not_so_fails_with_its_reason(rules: str, lines: str, words: list[str]) -> None:
    result = only(rules, lines)
    assert result.verdict == "failed"
    assert [one for one in words if one not in told(result)] == []


BROKEN = [
    (TURNS, "given phase play\ngiven chips of 1 = 0\ngiven chips of 2 = 0\nthen passes = 0", "does not begin here"),
    (TURNS, "given passes = 1\ngiven passes = 2\nthen passes = 2", "given twice"),
    (TURNS, "given turn of 1\nwhen 1: pass\ngiven passes = 0\nwhen 2: pass", "before the first `when`"),
    (DRAW_FIRST, "given total of 1 = 3\nthen total of 1 = 3", "nothing is counted"),
]


@pytest.mark.parametrize(("rules", "lines", "words"), BROKEN)
def test_what_cannot_be_given(rules: str, lines: str, words: str) -> None:
    result = only(rules, lines)
    assert result.verdict == "broken"
    assert words in told(result)


def test_what_the_rules_set_anew_is_given_in_vain() -> None:
    rules = TURNS.replace("phase rest\n", "phase rest\n  passes becomes 5\n  choose bid\n")
    result = only(rules, "given phase rest\ngiven passes = 3\nthen passes = 5")
    assert result.diagnostic is not None
    assert result.diagnostic.code == "never-used"
    assert only(rules, "given phase rest\nthen passes = 5").verdict == "passed"


def test_what_the_setup_of_the_round_deals_anew_is_given_in_vain() -> None:
    rules = DRAW_FIRST.replace("setup\n", "rounds 2\nsetup round\n")
    result = only(rules, "given round = 2\ngiven hand of 1: 6, 6, 6\nthen count of hand of 1 = 3")
    assert result.diagnostic is not None
    assert result.diagnostic.code == "never-used"
    dealt = "given round = 2\nnext: 1, 2, 3, 6, 6, 6\nthen (sum of rank over hand of 1) = 6 and hand of 2 = {6, 6, 6}"
    assert only(rules, dealt).verdict == "passed"


def test_by_luck_is_not_enough_and_it_is_said_where() -> None:
    """Who begins is drawn by lot: every seat begins somewhere."""
    result = only(TURNS, "given phase play\ngiven chips of 1 = 1\ngiven chips of 2 = 1\nthen player = 1")
    assert result.verdict == "failed"
    assert 0 < len(result.failing) < TABLES
    assert "not where `starter` is 2" in told(result)
    assert only(TURNS, "set begins = seat\ngiven phase play\ngiven chips of 1 = 1\nthen player = 1").verdict == "passed"


@pytest.mark.parametrize("face", range(1, 7))
def test_a_throw_that_is_not_said_comes_in_every_way(face: int) -> None:
    lines = f"given phase play\ngiven turn of 1\ngiven chips of 1 = 2\nwhen 1: throw\nthen face is not {face}"
    result = only(TURNS, lines)
    assert result.verdict == "failed"
    assert len(result.failing) < TABLES


def test_totals_of_the_rounds_before_are_free() -> None:
    assert only(TOGETHER, "given round = 3\nthen total of 1 = total of 2").verdict == "failed"
    assert only(TOGETHER, "given round = 3\nthen total of 1 >= 2 and total of 2 >= 2").verdict == "passed"


SEVERAL = """
card Die: number 1..6
zone cup: set of Die, public
zone aside: set of Die, public
setup
  move all Die to cup
phase play: turns from 1 until count of aside > 2
  choose keep or sort
action keep(2..4 dice from cup)
  needs (sum of number over d in dice) < 12 because "too much"
  move all dice to aside
action sort(one from cup, 1..2 others from cup, n in 1..2)
  move one to aside
"""


def test_several_stand_side_by_side_or_in_braces() -> None:
    assert only(SEVERAL, "then 1 can keep(1, 2, 3)\nthen 1 can keep({1, 2, 3})\nthen 1 cannot keep(4, 5, 6)\n"
                "then 1 cannot keep({1, 2, 3, 4, 5})\nthen 1 can sort(1, 2, 3, 2)\nthen 1 can sort(1, {2, 3}, 2)\n"
                "when 1: keep(3, 1, 2)\nthen aside = {1, 2, 3}").verdict == "passed"  # fmt: skip
    result = only(SEVERAL, "then 1 can keep(4, 5, 6)")
    assert "too much" in told(result)
    assert "15" in [value.text for value in result.values]


MARKED = """
values Colour: red, blue
card Card: colour Colour, rank 1..3
token Stone: number 1..4
zone hand of player: set of Card, private
marker last: Card or nothing
marker stone: Stone or nothing
phase play: one turn each from 1
  choose lay if possible
action lay(card from hand where last is nothing or rank of card > rank of last)
  last becomes card
"""


def test_a_marker_can_be_given_a_component() -> None:
    lines = "given turn of 1\ngiven hand of 1: red 1, blue 3\ngiven last = red 2\ngiven stone = 4\n"
    lines += "then number of stone = 4\nthen 1 cannot lay(red 1)\nwhen 1: lay(blue 3)"
    assert only(MARKED, lines).verdict == "passed"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("then not can lay of 1", "`then 1 cannot lay`"),
        ("then the game is not over", "write `then the game goes on`"),
        ("then game is over", "write `then the game is over`"),
        ("then the game has ended", "write `then the game is over`"),
        ("then the game continues", "write `then the game goes on`"),
        ("given total = 3", "`given total of 1 = …`"),
    ],
)
def test_what_is_said_otherwise_is_told(lines: str, says: str) -> None:
    source = Source("made.rules", f'rules 1\ngame "Made"\nplayers 2\n{TURNS}\nexample "it"\n  {lines}\n')
    parsed = parse_source(source)
    found = parsed.diagnostics
    if not found:
        refused = check_game(assemble_game("made.rules", [(source, parsed)]).game, (source,))
        assert isinstance(refused, Rejected)
        found = refused.diagnostics
    hints = [one.hint or "" for one in found if one.severity == "error"]
    assert says in hints[0]


def test_games_on_the_way_to_a_moment_count_for_no_coverage() -> None:
    """Nobody bids in the example: that the second phase is reached does not come of it."""
    made = program(TURNS + 'example "it"\n  given phase play\n  given turn of 1\n  when 1: pass\n')
    parts = find_parts(made)
    notes = note_examples(made, parts)
    reached = {type(part.node).__name__ + getattr(getattr(part.node, "name", None), "text", "")
               for part in parts if id(part.node) in notes.done}  # fmt: skip
    assert "Actionpass" in reached
    assert "Actionbid" not in reached


def test_a_total_that_is_not_counted_yet_gets_a_hint() -> None:
    found = only(DRAW_FIRST + "score at end\n  points = count of hand\nranking: lowest total, ties share\n",
                 "given hand of 1: 1, 2\nthen total of 1 = 2").diagnostic  # fmt: skip
    assert found is not None
    assert found.hint is not None
    assert "`total` is 0; `points of 1`" in found.hint
    assert only(DRAW_FIRST + "score at end\n  points = count of hand\nranking: lowest total, ties share\n",
                "given hand of 1: 1, 2\nthen points of 1 = 2").diagnostic is None  # fmt: skip
