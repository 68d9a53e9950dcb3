"""What all but one see, or only some: beside histories counted apart, on both engines, and what follows from it."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from rulesrun.files.loading import read_text
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.play.step import next_state, start_state
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import flows_of
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.interpreter.solve.backward_induction import has_open_information
from rulesrun.interpreter.symmetry.symmetric_seats import find_seats_at_once
from rulesrun.interpreter.symmetry.symmetric_turns import find_seats_in_turn
from rulesrun.table.session import is_open_game
from tests.bots.twins import Ledger, play
from tests.exploring.test_unknown_constructs import WORDS, are_words_free
from tests.exploring.test_unknown_constructs import table_of as table_with_warnings
from tests.native.both import differences, quick_engine
from tests.native.test_observed import nothing_else, walk
from tests.table.alike import SeatLedger, play_alike
from tests.words.twins import MOST, errors_of, is_laid_out, table_of, warnings_of

# Everybody sees the others' cards, nobody their own; a fourth card is seen by two; what is called, by the left alone.
BROWS = """rules 1
game "Brows"
players 3

values Colour: red, blue
card Card: colour Colour, rank 1..2

zone deck: pile of Card, hidden
zone brow of player: row of Card, public except player
zone peek: place of Card, seen by 2 and 3
zone heap: pile of Card, public

number called of player: 0..2, seen by left of player

setup
  shuffle all Card into deck
  deal 1 from deck to each brow
  draw 1 from deck to peek

phase play: one turn each from 1
  choose lay or call

action lay(at in 1..count of brow), secret
  move item at of brow to heap

action call(n in 1..2), secret
  called becomes n

score at end
  points = (sum of rank over c in heap) + called

ranking: highest total, ties share
"""


def sets_of_histories() -> dict[int, int]:
    """Written apart: by seat, what it may know when it is asked."""
    known: dict[int, set[object]] = {1: set(), 2: set(), 3: set()}
    for one, two, three, peek in permutations(("r1", "r2", "b1", "b2")):
        known[1].add((two, three))
        for first, second in product(("lay", "1", "2"), repeat=2):
            known[2].add((one, three, peek, first))  # left of 1: what 1 calls is seen
            known[3].add((one, two, peek, "lay" if first == "lay" else "call", second))
    return {seat: len(seen) for seat, seen in known.items()}


@pytest.fixture(scope="module")
def brows() -> Table:
    return table_of(BROWS, 3)


def test_what_each_seat_remembers(brows: Table) -> None:
    assert count_tree(brows, MOST).information_sets == sets_of_histories()
    assert count_tree_natively(compile_tree_positions(brows), MOST).information_sets == sets_of_histories()


def test_what_each_seat_sees(brows: Table) -> None:
    state = start_state(brows)
    for _ in range(4):
        state = next_state(brows, state, 0)
    for seat in (1, 2, 3):
        view = view_to_json(brows, brows.to_slots(state), seat)
        assert {at: isinstance(view["zones"][f"brow[{at}]"], list) for at in (1, 2, 3)} == {
            at: at != seat for at in (1, 2, 3)
        }
        assert isinstance(view["zones"]["peek"], list) is (seat != 1)
        assert set(view["variables"]) == {f"called[{(seat - 2) % 3 + 1}]"}
    nobody = view_to_json(brows, brows.to_slots(state), 0)  # who only watches
    assert not any(isinstance(nobody["zones"][f"brow[{at}]"], list) for at in (1, 2, 3))


def test_both_engines_play_and_see_alike(brows: Table) -> None:
    assert differences(brows, 60, seed=1, engine=quick_engine(brows), limit=200) == []
    positions = compile_positions(brows)
    for seed in range(8):
        chance = Random(seed)
        nothing_else(brows, positions, walk(brows, positions, chance.randrange, 1), chance)


def test_bots_know_what_their_seat_remembers_and_no_more(brows: Table) -> None:
    ledger = Ledger(brows)
    for seed in range(300):
        play(ledger, None, Streams(seed), None, 1000)
    assert ledger.ambiguous() >= 6


def test_no_byte_at_a_table_tells_more(brows: Table) -> None:
    ledger = SeatLedger(read_text(BROWS), brows, {})
    for seed in range(12):
        play_alike(ledger, seed, 3, 99)
    assert not ledger.differences, ledger.differences[0]
    assert ledger.ambiguous() > 0


def test_it_is_no_open_game(brows: Table) -> None:
    assert not is_open_game(brows)
    assert not has_open_information(brows)


def test_proofs_know_who_sees_it_or_refuse() -> None:
    some = table_with_warnings(WORDS.replace("set of Card, private", "set of Card, public except player"))
    assert not prove_open_choices(some).proved  # one's own cards are chosen, and not seen
    assert not flows_of(some).disclosures
    assert find_seats_in_turn(some, 120) is None
    assert find_seats_at_once(some, 120) is None
    assert are_words_free(some)  # colours are as they were: that somebody sees less tells none of them apart


def test_who_chooses_from_what_only_others_see_is_warned() -> None:
    open_choice = BROWS.replace("lay(at in 1..count of brow), secret", "lay(c from brow), secret")
    found = warnings_of(open_choice.replace("move item at of brow to heap", "move c to heap"))
    assert len(found) == 1
    assert "its owner does not see" in found[0]
    assert warnings_of(BROWS) == []


def test_it_is_laid_out_as_written() -> None:
    assert is_laid_out(BROWS)


@pytest.mark.parametrize(
    ("said", "code", "hint"),
    [
        ("public except owner", "bad-visibility", "write `player`: it is the one whose it is"),
        ("seen by left of owner", "bad-visibility", "write `player`: it is the one whose it is"),
        ("seen by owner", "bad-visibility", "write `private`"),
        ("seen by everybody", "bad-visibility", "write `public`"),
        ("seen by nobody", "bad-visibility", "write `hidden`"),
        ("seen by opponents", "bad-visibility", "write `public except player`"),
        ("seen by everyone except owner", "wrong-word", "write `public except player`"),
        ("visible to all but owner", "wrong-word", "write `public except player`"),
        ("visible to left of player", "wrong-word", "write `seen by left of player`"),
        ("hidden from owner", "wrong-word", "write `public except player`"),
        ("private and left of owner", "wrong-word", "write `seen by player and left of player`"),
        ("seen by player or left of player", "wrong-word", "write `and` between them"),
        ("seen by left of player, right of player", "wrong-word", "write `and` between them"),
        ("seen by 9", "no-such-seat", None),
        ("seen by starter", "bad-visibility",
         "name seats: `player` (whose it is), `left of player`, `right of player`, or a number"),
    ],
)  # fmt: skip
def test_slips_are_told(said: str, code: str, hint: str | None) -> None:
    found = errors_of(BROWS.replace("public except player", said))
    assert [one.code for one in found] == [code]
    assert hint is None or found[0].hint == hint


def test_whose_seat_is_meant_where_it_is_nobodys() -> None:
    found = errors_of(BROWS.replace("seen by 2 and 3", "seen by player and 3"))
    assert [one.code for one in found] == ["nobody-owns-it"]


def test_another_word_is_another_game() -> None:
    change = "zone brow of player: row of Card, private"
    private = table_of(BROWS.replace("zone brow of player: row of Card, public except player", change), 3)
    assert count_tree(private, MOST).information_sets[1] == 4
