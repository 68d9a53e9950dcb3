"""Of equal components the one that lies there is meant: random movements beside plain lists of labelled cards."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.examples.examples import run_examples
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.model.values import State
from rulesrun.interpreter.play.game_tree import TreeCount, count_tree
from rulesrun.interpreter.play.random_games import simulate_games
from rulesrun.interpreter.play.saved_positions import state_from_json, state_to_json
from rulesrun.interpreter.play.step import GameOver, PlayerDecision, next_state, pending_decision, start_state
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.table import Table, set_up_table
from tests.interpreter.made import program, table
from tests.orders.labelled import rulebook
from tests.orders.playing import Counted, Native, Player, Reference, brute_force, made, play, positions

RULES = Path(__file__).parent / "rules"


def bundled(name: str) -> Table:
    read = read_rules(str(RULES / f"{name}.rules"))
    assert read.program is not None
    return set_up_table(read.program, 1, {})


def engine_of(kind: Any, rules: Table) -> Player:
    if kind is Native:
        pytest.importorskip("llvmlite")
    found: Player = kind(rules)
    return found


# ---- random movements


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 40), game=st.integers(0, 1000))
def test_random_movements(seed: int, game: int) -> None:
    book = rulebook(seed)
    rules = made(book)
    play(book, rules, Reference(rules), game)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 1 << 40), game=st.integers(0, 1000))
def test_random_movements_in_machine_code(seed: int, game: int) -> None:
    pytest.importorskip("llvmlite")
    book = rulebook(seed)
    rules = made(book)
    play(book, rules, Native(rules), game)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_half_a_million_movements(part: int) -> None:
    """With as many in machine code a million in all; each part says how many it had."""
    moved, seed = 0, part * 100_000
    while moved < 50_000:
        book = rulebook(seed)
        rules = made(book)
        moved += sum(play(book, rules, Reference(rules), game) for game in range(4))
        seed += 1


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_half_a_million_movements_in_machine_code(part: int) -> None:
    pytest.importorskip("llvmlite")
    moved, seed = 0, 10_000_000 + part * 100_000
    while moved < 50_000:
        book, seed = rulebook(seed), seed + 1
        rules = made(book)
        engine = Native(rules)
        moved += sum(play(book, rules, engine, game) for game in range(20))


@pytest.mark.parametrize("seed", range(3))
def test_random_games_in_machine_code(seed: int) -> None:
    """Machine code that answers for chance and players itself."""
    pytest.importorskip("llvmlite")
    from tests.native.both import differences, quick_engine

    rules = made(rulebook(seed + 100))
    assert differences(rules, 10, engine=quick_engine(rules)) == []


# ---- whole trees, all positions


@pytest.mark.parametrize("seed", range(8))
def test_whole_trees_by_brute_force(seed: int) -> None:
    book = rulebook(seed, actions=3, decisions=2, cards=2, markers=seed % 2 == 0)
    counted, expected = brute_force(book)
    found = count_tree(made(book))
    assert Counted(found.decisions, found.chance, found.terminals) == counted
    assert found.expected_scores == {1: expected}


@pytest.mark.parametrize("seed", range(8))
def test_all_positions_by_brute_force(seed: int) -> None:
    book = rulebook(seed, actions=3, decisions=3, cards=2, markers=False, draws=False)
    assert explore_table(made(book)).size == positions(book)


def tree_by_machine(rules: Table) -> TreeCount:
    pytest.importorskip("numpy")
    from rulesrun.interpreter.native.tree.counting import count_tree_natively
    from rulesrun.interpreter.native.tree.levels import compile_tree_positions

    return count_tree_natively(compile_tree_positions(rules, care=0), 1_000_000)


@pytest.mark.parametrize("seed", [2, 10, 14])
def test_what_is_followed_belongs_to_positions_in_machine_code(seed: int) -> None:
    pytest.importorskip("llvmlite")
    pytest.importorskip("numpy")
    from tests.native.explored import by_machine

    book = rulebook(seed, actions=3, decisions=2, cards=2)
    rules = made(book)
    counted, expected = brute_force(book)
    found = tree_by_machine(rules)
    assert Counted(found.decisions, found.chance, found.terminals) == counted
    assert found.expected_scores == {1: expected}
    assert by_machine(rules, 100_000).size == explore_table(rules).size


@pytest.mark.parametrize("seed", range(2))
def test_whole_trees_and_all_positions_in_machine_code(seed: int) -> None:
    pytest.importorskip("llvmlite")
    pytest.importorskip("numpy")
    from tests.native.explored import by_machine

    book = rulebook(seed, actions=3, decisions=2, cards=2, markers=False, draws=False)
    counted, expected = brute_force(book)
    found = tree_by_machine(made(book))
    assert Counted(found.decisions, found.chance, found.terminals) == counted
    assert found.expected_scores == {1: expected}
    assert by_machine(made(book), 100_000).size == positions(book)


def test_loops_on_which_the_compiler_ended_the_process() -> None:
    pytest.importorskip("llvmlite")
    from tests.native.explored import by_machine

    book = rulebook(39, actions=3, decisions=2, cards=2, markers=False, draws=False)
    assert by_machine(made(book)).size == positions(book)


# ---- files that showed the fault


def of_row(rules: Table, state: State, zone: str) -> list[str]:
    names: list[str] = state_to_json(rules, state)["zones"][zone]
    return names


@pytest.mark.parametrize("kind", [Reference, Native])
@pytest.mark.parametrize("name", ["item", "item_drawn_later", "item_of_four"])
def test_the_item_that_is_meant_goes(name: str, kind: Any) -> None:
    rules = bundled(name)
    engine = engine_of(kind, rules)
    for seed in range(25):
        chance, position = Random(seed), engine.begin()
        while True:
            state = engine.state(position)
            question = pending_decision(rules, state)
            assert not isinstance(question, GameOver)
            index = chance.randrange(len(question))
            if isinstance(question, PlayerDecision) and question.options[0].action == "take":
                break
            position = engine.follow(position, index)
        before = of_row(rules, state, "line")
        after = engine.state(engine.follow(position, index))
        assert of_row(rules, after, "line") == before[:index] + before[index + 1 :]
        assert of_row(rules, after, "out") == [before[index]]
        assert view_to_json(rules, rules.to_slots(after), 1)["zones"]["line"] == before[:index] + before[index + 1 :]


@pytest.mark.parametrize("kind", [Reference, Native])
def test_a_row_from_which_any_is_taken_is_as_it_was_told(kind: Any) -> None:
    rules = bundled("item_taken_and_filled")
    engine, asked = engine_of(kind, rules), 0
    for seed in range(50):
        chance, position = Random(seed), engine.begin()
        while not isinstance(question := pending_decision(rules, engine.state(position)), GameOver):
            state = engine.state(position)
            if isinstance(question, PlayerDecision):
                told = state_to_json(rules, state)["variables"]
                line = of_row(rules, state, "line")
                assert line == [told[f"told[{k}]"] for k in range(1, len(line) + 1)]
                asked += 1
            position = engine.follow(position, chance.randrange(len(question)))
    assert asked == 250


def test_the_first_of_a_queue() -> None:
    assert count_tree(bundled("queue")).expected_scores == {1: 1}


def test_the_first_of_a_queue_in_machine_code() -> None:
    pytest.importorskip("llvmlite")
    assert tree_by_machine(bundled("queue")).expected_scores == {1: 1}


def test_examples_of_a_row_hold_for_its_order_alone() -> None:
    """Each of the examples fails once two different letters of what is expected are exchanged."""
    read = read_rules(str(RULES / "item_of_four.rules"))
    assert read.program is not None
    assert {one.verdict for one in run_examples(read.program)} == {"passed"}
    text = (RULES / "item_of_four.rules").read_text()
    wrong = re.sub(r"= \{(.), (.), (.)\}", exchanged, text)
    changed = [one for one, other in zip(text.split("example"), wrong.split("example"), strict=True) if one != other]
    results = run_examples(program(wrong.split("\n", 3)[3], "1"))
    assert Counter(one.verdict for one in results) == {"failed": len(changed), "passed": 24 - len(changed)}
    assert len(changed) == 22


def exchanged(found: re.Match[str]) -> str:
    """The first two neighbours that differ change places."""
    letters = list(found.groups())
    for at in range(2):
        if letters[at] != letters[at + 1]:
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
            break
    return "= {" + ", ".join(letters) + "}"


# ---- one by one


CARDS = """
card Card: rank 1..3, 3 of each
zone deck: pile of Card, hidden
zone line: row of Card, public
zone out: row of Card, public
zone bag: set of Card, public
setup
  move all Card to deck
  move all Card to line
phase play
  choose go
score at end
  points = 0
"""


def went(body: str, pieces: str = "") -> dict[str, Any]:
    """What lies where, and what variables hold, after the first option; the line is 1 1 1 2 2 2 3 3 3 before."""
    rules = table(f"{CARDS}{pieces}\naction go{body}", 1)
    state = start_state(rules)
    while not isinstance(pending_decision(rules, state), GameOver):
        state = next_state(rules, state, 0)
    found = state_to_json(rules, state)
    return {**found["zones"], **found["variables"]}


def test_a_chosen_one_is_the_first_that_could_be_chosen() -> None:
    after = went("(c from line where position(it, line) >= 5)\n  move first of line to bag\n  move c to out")
    assert after["out"] == ["2"]
    assert after["line"] == ["1", "1", "2", "2", "3", "3", "3"]


def test_a_chosen_one_is_the_same_when_it_has_been_moved() -> None:
    after = went("(c from line)\n  move first of line to bag\n  move c to out")
    assert (after["bag"], after["out"], len(after["line"])) == ([], ["1"], 8)


def test_what_is_drawn_is_followed() -> None:
    after = went(
        "\n  move item 4 of line to deck\n  draw 1 from deck to line as new\n  move item 4 of line to line"
        "\n  at becomes position(new, line)\n  move new to out",
        "number at: 0..9 = 0\n",
    )
    assert (after["at"], after["line"], after["out"]) == (8, ["1", "1", "1", "2", "3", "3", "3", "2"], ["2"])


def test_a_marker_stands_on_the_very_one() -> None:
    after = went(
        "\n  found becomes item 3 of line\n  move first of line to out\n  at becomes position(found, line)"
        "\n  move all line to out\n  also becomes position(found, out)",
        "marker found: Card or nothing\nnumber at: 0..9 = 0\nnumber also: 0..9 = 0\n",
    )
    assert (after["at"], after["also"]) == (2, 3)


@pytest.mark.parametrize("kind", [Reference, Native])
@pytest.mark.parametrize(("several", "places"), [
    ("{item 5 of line, item 2 of line}", [5, 2]),
    ("(list of c over c in line where position(c, line) mod 2 = 0)", [2, 4, 6, 8]),
    ("(list of (item (10 - position(c, line)) of line) over c in line)", [9, 8, 7, 6, 5, 4, 3, 2, 1]),
    ("(sorted of c over c in {item 8 of line, item 3 of line, item 2 of line})", [3, 2, 8]),
    ("(list of distinct c over c in line where position(c, line) mod 3 = 2)", [2, 5, 8]),
    ("(if count of bag = 0 then (line where position(it, line) > 7) else line)", [8, 9]),
    ("(those c in {item 6 of line, item 5 of line, first of line} with highest rank of c)", [6, 5]),
])
def test_those_in_a_list_lie_where_they_were_found(several: str, places: list[int], kind: Any) -> None:
    pieces = "number at: 0..999999999 = 0\nnumber also: 0..99 = 0\n"
    body = f"""
  also becomes position(item 2 of {several}, line)
  each c in {several}
    at becomes position(c, line) + 10 * at"""
    rules = table(f"{CARDS}{pieces}\naction go{body}", 1)
    engine = engine_of(kind, rules)
    after = state_to_json(rules, engine.state(engine.follow(engine.begin(), 0)))["variables"]
    assert after["at"] == int("".join(map(str, places)))
    assert after["also"] == places[1]


def test_an_equal_one_elsewhere_has_the_place_of_the_first() -> None:
    after = went(
        "\n  move item 2 of line to out\n  at becomes position(first of out, line)", "number at: 0..9 = 0\n"
    )
    assert after["at"] == 1


@pytest.mark.parametrize(("comparison", "holds"), [
    ("line = {2, 1}", False), ("line = {1, 2}", True), ("bag = {3, 2}", True), ("{2, 1} = {1, 2}", True),
    ("(list of rank over line) = {2, 1}", False), ("(list of rank over bag) = {3, 2}", True),
    ("(sorted of rank over bag) = {3, 2}", False),
    ("(line where rank > 0) = {2, 1}", False), ("both = {2, 1}", False), ("line is not {2, 1}", True),
])
def test_braces_are_compared_in_order_with_what_has_one(comparison: str, holds: bool) -> None:
    after = went(
        f"\n  move all line to deck\n  move bottom of deck to line\n  move 1 of (deck where rank = 2) to line"
        f"\n  move 1 of (deck where rank = 2) to bag\n  move top of deck to bag\n  is_so becomes {comparison}",
        "marker is_so: yes or no\ndefine both = line where rank < 3\n",
    )
    assert after["is_so"] == ("yes" if holds else "no")


ASKED_OF_EACH = """
  each c in line where rank of c < 3 in reverse order of position(c, line)
    choose keep or give
    if gives
      move c to out
action keep
  gives becomes no
action give
  move last of line to bag
  gives becomes yes
"""


@pytest.mark.parametrize("kind", [Reference, Native])
def test_what_is_gone_through_is_followed_while_somebody_is_asked(kind: Any) -> None:
    """And kept in a saved position."""
    text = CARDS.replace("  choose go\n", ASKED_OF_EACH.lstrip("\n").split("action")[0])
    actions = "action" + ASKED_OF_EACH.split("action", 1)[1]
    rules = table(text + "marker gives: yes or no\n" + actions, 1)
    engine = engine_of(kind, rules)
    for seed in range(30):
        chance, line = Random(seed), [(rank, label) for rank in (1, 2, 3) for label in range(3)]
        position = engine.begin()
        out: list[tuple[int, int]] = []
        for card in [one for one in reversed(line) if one[0] < 3]:
            state = engine.state(position)
            document = json.loads(json.dumps(state_to_json(rules, state)))
            assert kind is Native or state_from_json(rules, document) == state
            give = bool(line) and chance.random() < 0.5
            position = engine.follow(position, int(give))
            state = engine.state(position)
            if give:
                line.pop()
                line = [one for one in line if one != card]
                out.append(card)
            assert of_row(rules, state, "line") == [str(rank) for rank, _ in line]
            assert of_row(rules, state, "out") == [str(rank) for rank, _ in out]


def test_where_a_component_lies_unseen_is_no_seat_s_knowledge() -> None:
    text = CARDS.replace("zone line: row of Card, public", "zone line: row of Card, hidden")
    pieces = "marker found: Card or nothing\nnumber at: 0..9 = 0\n"
    rules = table(
        text.replace("  choose go\n", "  found becomes item 3 of line\n  choose go\n")
        + pieces + "action go\n  at becomes position(found, line)",
        1,
    )
    observer, S = Observer(rules, (1,)), rules.new_slots()
    observer.run_to_question(S)
    where = rules.bench.marked[next(iter(rules.bench.marked))]
    assert S[where] is not None
    assert observer.make_observation(S, 1).slots[where] is None


def test_what_an_action_chose_is_forgotten_when_it_is_over() -> None:
    """Several equal tokens are chosen and moved; later all of them move on, in another action."""
    rules = table("""
card Token: kind 1..2, 3 of each
zone mine of player: set of Token, public
zone pool: set of Token, public
zone bag: pile of Token, hidden
number turns_taken: 0..9 = 0
setup
  move all Token to mine of 1
phase play: turns from 1 until turns_taken > 6
  choose lay or rest
action lay(1..2 tokens from mine)
  move all tokens to pool
  turns_taken increases by 1
  if pool is not empty
    end turn
  move all tokens to bag
action rest
  turns_taken increases by 1
  move all pool to bag
score at end
  points = count of bag
ranking: highest total, ties share
""")
    assert not simulate_games(rules, 0, 20).faulty_games
