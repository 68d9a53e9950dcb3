"""`look at 3 of stock`, `show die to p`: beside histories counted apart, on both engines, and what follows from it."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from attrs import asdict
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun import load
from rulesrun.files.loading import read_text
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.explore.breadth_first import explore_table
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Slots
from rulesrun.interpreter.native.positions.positions import compile_positions
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.play.step import next_state, start_state
from rulesrun.interpreter.play.visibility import view_to_json
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import flows_of
from tests.bots.tables import watch
from tests.bots.twins import Ledger, play
from tests.native.both import differences, quick_engine
from tests.native.test_observed import nothing_else, walk
from tests.table.alike import SeatLedger, play_alike
from tests.words.twins import MOST, errors_of, is_laid_out, table_of

# Who has seen two cards takes the first, or lays it aside and takes the second.
SEER = """rules 1
game "Seer"
players 2

card Card: rank 1..5

zone stock: pile of Card, hidden
zone won of player: row of Card, public
zone under: pile of Card, hidden

setup
  shuffle all Card into stock

phase play: one turn each from 1
  look at 2 of stock
  choose take or leave

action take
  draw 1 from stock to won

action leave
  draw 1 from stock to under
  draw 1 from stock to won

score at end
  points = sum of rank over c in won

ranking: highest points, ties share
"""

# Everybody has thrown in secret; 2 has seen the die of 1; then each shows it to all, to one, or to nobody.
WHISPERS = """rules 1
game "Whispers"
players 3

number die of player: 1..3, private

setup
  each player
    roll die
  show die of 1 to 2

phase play: one turn each from 1
  choose tell, whisper or keep

action tell
  show die

action whisper(to in opponents)
  show die to to

action keep
  look at die

score at end
  points = die

ranking: highest points, ties share
"""


def seen_by_the_seers() -> dict[int, set[object]]:
    """Written apart: what each has seen when it chooses, over all orders of five cards."""
    known: dict[int, set[object]] = {1: set(), 2: set()}
    for order in permutations(range(1, 6)):
        known[1].add(order[:2])
        known[2].add(("take", order[0], order[1:3]))
        known[2].add(("leave", order[1], order[2:4]))
    return known


def seen_by_the_whisperers() -> dict[int, set[object]]:
    known: dict[int, set[object]] = {1: set(), 2: set(), 3: set()}
    ways = {1: ("all", 2, 3, 0), 2: ("all", 1, 3, 0)}
    for dice in product((1, 2, 3), repeat=3):
        known[1].add(dice[0])
        for first in ways[1]:
            known[2].add((dice[1], dice[0], first))
            for second in ways[2]:
                heard = [way if way not in ("all", 3) else (way, dice[at]) for at, way in enumerate((first, second))]
                known[3].add((dice[2], *heard))
    return known


def engines_count(table: Table) -> list[dict[int, int]]:
    return [
        count_tree(table, MOST).information_sets,
        count_tree_natively(compile_tree_positions(table), MOST).information_sets,
    ]


@pytest.fixture(scope="module")
def seer() -> Table:
    return table_of(SEER)


@pytest.fixture(scope="module")
def whispers() -> Table:
    return table_of(WHISPERS, 3)


def test_what_each_seat_remembers(seer: Table, whispers: Table) -> None:
    for table, known in ((seer, seen_by_the_seers()), (whispers, seen_by_the_whisperers())):
        assert engines_count(table) == [{seat: len(seen) for seat, seen in known.items()}] * 2


def test_the_tree_is_that_of_the_cards_looked_at(seer: Table) -> None:
    """5 · 4 ways to look; who takes leaves one known card on top, who lays aside leaves none."""
    tree = count_tree(seer, MOST)
    assert (tree.decisions, tree.terminals) == (20 + 20 * 3 + 20 * 6, 2 * 20 * (3 + 6))
    assert tree.expected_scores == {1: 3, 2: 3}  # any card is as likely as any other


def test_cards_stay_where_they_are(seer: Table) -> None:
    state = start_state(seer)
    for _ in range(2):
        state = next_state(seer, state, 0)
    views = {seat: view_to_json(seer, seer.to_slots(state), seat) for seat in (1, 2)}
    assert all(view["zones"]["stock"] == {"count": 5} and set(view["zones"]) == {"stock", "won[1]", "won[2]", "under"}
               for view in views.values())
    assert views[1]["shown"] == [{"zone": "top of stock", "components": ["1", "2"]}]
    assert views[2]["shown"] == []
    assert seer.to_slots(state)[next(iter(seer.bench.zones.values())).base][-2:] == (1, 0)  # the first lies on top


def test_both_engines_play_and_see_alike(seer: Table, whispers: Table) -> None:
    for table in (seer, whispers):
        assert differences(table, 60, seed=1, engine=quick_engine(table), limit=200) == []
        positions = compile_positions(table)
        for seed in range(6):
            chance = Random(seed)
            nothing_else(table, positions, walk(table, positions, chance.randrange, 1), chance)


def test_bots_know_what_their_seat_remembers_and_no_more(seer: Table, whispers: Table) -> None:
    for table in (seer, whispers):
        ledger = Ledger(table)
        for seed in range(200):
            play(ledger, None, Streams(seed), None, 1000)
        assert ledger.ambiguous() >= 6


@pytest.mark.parametrize("text", [SEER, WHISPERS])
def test_bots_deal_what_they_have_seen(text: str) -> None:
    """A deal that a seat imagines has the cards on top that it looked at, and the value that it was told."""
    table = table_of(text, 2 if text is SEER else 3)
    zones, values = list(table.bench.zones.values()), list(table.bench.variables.values())
    slot, rng, tried = zones[0].base if text is SEER else values[0].base, Random(5), set[object]()

    def visit(observer: Observer, S: Slots, player: int) -> None:
        if player != (1 if text is SEER else 2):
            return
        dealer = Dealer(observer.make_observation(S, player))
        dealt = {dealer.deal(rng.randrange)[slot] for _ in range(12)}
        known = {one[-2:] for one in dealt} if text is SEER else dealt
        assert known == {S[slot][-2:] if text is SEER else S[slot]}
        tried.update(dealt)

    for seed in range(20):
        watch(table, seed, visit)
    assert len(tried) > 2


def test_no_byte_at_a_table_tells_more(seer: Table, whispers: Table) -> None:
    for text, table in ((SEER, seer), (WHISPERS, whispers)):
        ledger = SeatLedger(read_text(text), table, {})
        for seed in range(10):
            play_alike(ledger, seed, table.players, 99)
        assert not ledger.differences, ledger.differences[0]
        assert ledger.ambiguous() > 0


def test_it_is_told_that_something_is_laid_open(seer: Table, whispers: Table) -> None:
    assert {one.how for table in (seer, whispers) for one in flows_of(table).disclosures} >= {"shown"}


def test_exploring_comes_to_an_end(seer: Table) -> None:
    assert explore_table(seer, MOST).is_complete


# ---- a law: looks, draws and shuffles in any order

Act = tuple[str, int, int]


def text_of_acts(acts: list[Act]) -> str:
    lines = []
    for what, seat, amount in acts:
        if what == "shuffle":
            lines.append("  shuffle stock")
        elif what == "draw":
            lines.append("  draw up to 1 from stock to open_row")
        else:
            lines += [f"  each player where player = {seat}", f"    look at up to {amount} of stock"]
    return f"""rules 1
game "Acts"
players 2
card Card: rank 1..4
zone stock: pile of Card, hidden
zone open_row: row of Card, public
setup
  shuffle all Card into stock
{chr(10).join(lines)}
phase play: one turn each from 1
  choose pass
action pass
  move all open_row to open_row
ranking: highest total, ties share
"""


def histories_of_acts(acts: list[Act]) -> dict[int, set[object]]:
    """All that can be seen, by seat: over every order of the pile, and every order after each shuffle."""
    found: dict[int, set[object]] = {1: set(), 2: set()}

    def follow(left: tuple[Act, ...], pile: tuple[int, ...], seen: dict[int, tuple[object, ...]]) -> None:
        if not left:
            for seat in found:
                found[seat].add(seen[seat])
            return
        (what, seat, amount), rest = left[0], left[1:]
        if what == "shuffle":
            for order in set(permutations(pile)):
                follow(rest, order, seen)
            return
        if what == "draw":
            follow(rest, pile[1:], {one: (*told, pile[:1]) for one, told in seen.items()})
            return
        follow(rest, pile, {**seen, seat: (*seen[seat], pile[:amount])})

    for order in permutations(range(4)):
        follow(tuple(acts), order, {1: (), 2: ()})
    return found


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(["look", "look", "draw", "shuffle"]), st.integers(1, 2), st.integers(1, 3)),
                max_size=4).filter(lambda acts: sum(one[0] == "shuffle" for one in acts) < 2))
def test_looking_is_remembered(acts: list[Act]) -> None:
    table = table_of(text_of_acts(acts))
    assert engines_count(table) == [{seat: len(seen) for seat, seen in histories_of_acts(acts).items()}] * 2


# ---- and of values that are thrown and told

Told = tuple[str, int, int]


def text_of_told(acts: list[Told]) -> str:
    lines = []
    for what, whose, to in acts:
        if what == "roll":
            lines.append(f"  roll die of {whose}")
        else:
            lines.append(f"  show die of {whose}" + (f" to {to}" if to else ""))
    return f"""rules 1
game "Told"
players 3
number die of player: -1..1, private
setup
{chr(10).join(["  roll die of 1", *lines])}
phase play: one turn each from 1
  choose pass
action pass
  starter becomes 1
ranking: highest total, ties share
"""


def histories_told(acts: list[Told]) -> dict[int, set[object]]:
    found: dict[int, set[object]] = {1: set(), 2: set(), 3: set()}

    def follow(left: tuple[Told, ...], dice: dict[int, int], seen: dict[int, tuple[object, ...]]) -> None:
        if not left:
            for seat in found:
                found[seat].add(seen[seat])
            return
        (what, whose, to), rest = left[0], left[1:]
        if what == "show":
            told = {one: (*now, (whose, dice[whose]) if to in (0, one) else None) for one, now in seen.items()}
            follow(rest, dice, told)
            return
        for face in (-1, 0, 1):
            now = seen[whose] if face == dice[whose] else (*seen[whose], face)
            follow(rest, {**dice, whose: face}, {**seen, whose: now})

    follow((("roll", 1, 0), *acts), {1: -1, 2: -1, 3: -1}, {1: (), 2: (), 3: ()})
    return found


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(["roll", "show", "show"]), st.integers(1, 3), st.integers(0, 3)),
                min_size=1, max_size=4))
def test_what_is_told_is_remembered(acts: list[Told]) -> None:
    table = table_of(text_of_told(acts), 3)
    assert engines_count(table) == [{seat: len(seen) for seat, seen in histories_told(acts).items()}] * 2
    assert differences(table, 10, seed=2, engine=quick_engine(table), limit=50) == []


# ---- in examples and house rules


def test_an_example_says_what_lies_on_top_and_a_house_rule_changes_the_line(tmp_path: Path) -> None:
    (tmp_path / "seer.rules").write_text(SEER, "utf-8")
    variant = tmp_path / "three.rules"
    variant.write_text("""rules 1
variant "Three" of "seer.rules"
change phase play, in place of look at 2 of stock
  look at up to 3 of stock
example "the top is seen, and drawn"
  given turn of 1
  next: 4, 2, 5
  when 1: leave
  then won of 1 = {2} and under = {4} and player = 2
""", "utf-8")
    rulebook = load(str(variant))
    assert rulebook.test().holds
    assert rulebook.tree(players=2).findings.counts.information_sets[1] == 5 * 4 * 3


# ---- one way to say it


def test_it_is_laid_out_as_written() -> None:
    assert is_laid_out(SEER)
    assert is_laid_out(WHISPERS)


def test_show_to_player_is_written_look_at() -> None:
    new, old = WHISPERS, WHISPERS.replace("look at die", "show die to player")
    assert is_laid_out(new)
    assert not is_laid_out(old)
    assert asdict(count_tree(table_of(new, 3), MOST)) == asdict(count_tree(table_of(old, 3), MOST))


def test_looks_at_what_lies_anywhere() -> None:
    for what in ("hand of left of player", "top of heap", "item 1 of line", "(hand where rank > 2)", "3 of stock",
                 "up to players of stock", "(players + 1) of stock", "bid of left of player", "told of (red 1)",
                 "2 of deck[red]"):  # fmt: skip
        text = PIECES.replace("look at hand", f"look at {what}")
        assert errors_of(text) == [], what
        assert is_laid_out(text), what


PIECES = """rules 1
game "Pieces"
players 2..3

values Colour: red, blue
card Card: colour Colour, rank 1..6

zone stock: pile of Card, hidden
zone deck[Colour]: pile of Card, hidden
zone hand of player: set of Card, private
zone line: row of Card, hidden
zone heap: pile of Card, public

number bid of player: 0..9, private
marker told of Card: yes or no, hidden

setup
  shuffle all Card into stock
  draw 2 from stock to deck[red]
  draw 2 from stock to line
  draw 1 from stock to heap
  deal 1 from stock to each hand

phase play: one turn each from 1
  look at hand
  choose call

action call(n in 0..3)
  bid becomes n
  each c in hand
    told of c becomes yes

score at end
  points = bid

ranking: highest points, ties share
"""


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("look at top of stock", "write `look at 1 of stock`"),
        ("look at up to stock", "write `look at up to 3 of stock`"),
        ("look at 2 of line", "write `look at line`"),
        ("look at 2 of hand of left of player", "write `look at hand of left of player`"),
        ("look at 2 of heap", "declare the pile `hidden`"),
        ("look at 2 from stock", "write `of`"),
        ("look at the top 2 of stock", "write `look at 2 of stock`"),
        ("look at the top 2 cards of stock", "write `look at 2 of stock`"),
        ("look at top 2 of stock", "write `look at 2 of stock`"),
        ("look at 2 cards of stock", "write `look at 2 of stock`"),
        ("look at top card of stock", "write `look at 1 of stock`"),
        ("look at the top card of stock", "write `look at 1 of stock`"),
        ("player looks at 2 of stock", "write `look at …`: it is `player` who looks"),
        ("peek at 2 of stock", "write `look at 2 of stock`"),
        ("peek 2 of stock", "write `look at 2 of stock`"),
        ("see hand of left of player", "write `look at hand of left of player`"),
        ("look 2 of stock", "write `look at 2 of stock`"),
        ("look into stock", "write `look at stock`"),
        ("reveal bid", "write `show`"),
        ("show bid to all", "write `move all … to …` for all that lie there, `show …` alone for everybody"),
        ("show bid to everybody", "remove `to everybody`: `show` shows it to everybody"),
        ("show bid to players", "remove `to players`: `show` shows it to everybody"),
        ("show left of player bid", "write `show bid to left of player`"),
        ("tell bid to left of player", "write `show bid to left of player`"),
        ("show bid + 1", "keep it in a number or a marker that is `hidden` or `private`, and show that"),
    ],
)  # fmt: skip
def test_slips_are_told(said: str, hint: str) -> None:
    assert [one.hint for one in errors_of(PIECES.replace("look at hand", said))] == [hint]
