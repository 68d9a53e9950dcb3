"""Seats that are alike: what is merged adds up exactly, and where the rules tell seats apart nothing is merged."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from rulesrun.interpreter.explore.breadth_first import Explored, explore_table
from rulesrun.interpreter.explore.observed_symmetries import find_observed_symmetries
from rulesrun.interpreter.native.explore.exploration import compile_exploration, make_native_engine
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.symmetry.renaming import find_word_group
from rulesrun.interpreter.symmetry.symmetric_seats import find_seats_at_once
from rulesrun.interpreter.symmetry.symmetries import find_symmetry_group
from rulesrun.run.explore_engines import Explorer
from tests.exploring import counted
from tests.exploring.made import plainly, table_of
from tests.native.explored import told

SECRETS = """rules 1
game "Secrets"
players 2..4

values Colour: red, blue

card Card: owner player, rank 1..2

zone hand of player: set of Card, private
zone shown of player: set of Card, public

number wins of player: 0..3 = 0
marker liked of player: Colour or nothing

setup
  each player
    move all Card where owner = player to hand

phase play: repeat 2 times
  all choose lay
  each player
    if (sum of rank over shown) > 2
      wins increases by 1

action lay(card from hand, colour in Colour)
  move card to shown
  liked becomes colour

score at end
  points = wins

ranking: highest total, ties share
"""
LIKED = "  liked becomes colour\n"
RANKING = "ranking: highest total, ties share\n"


def changed(old: str, new: str) -> str:
    assert old in SECRETS
    return SECRETS.replace(old, new)


def rules_of(name: str) -> str:
    """A bundled game without its examples."""
    text = (counted.GAMES / "classics" / f"{name}.rules").read_text("utf-8")
    return text[: text.index("\nexample ")] + "\n"


def goofspiel(**options: object) -> Table:
    return table_of(rules_of("goofspiel"), 2, **options)


def rock_paper_scissors(throws: int) -> Table:
    """Without the property that asks for the latest round: else the latest sheet would be part of a position."""
    lines = rules_of("rock_paper_scissors").splitlines()
    return table_of("\n".join(line for line in lines if "latest(" not in line) + "\n", 2, throws=throws)


def together(table: Table) -> Explored:
    return explore_table(table, group=find_symmetry_group(table))


def seats_of(table: Table) -> int:
    found = find_seats_at_once(table, 120)
    return len(found.members) + 1 if found is not None else 1


# ---- counted by hand


@pytest.mark.parametrize("cards", [2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_goofspiel_is_the_same_with_the_seats_exchanged(cards: int) -> None:
    found, every = together(goofspiel(cards=cards)), counted.goofspiel(cards)
    assert found.whole == sum(found.sizes) == len(every)
    assert found.size == len({frozenset({one, seats_exchanged(one)}) for one in every})


def seats_exchanged(position: counted.Position) -> counted.Position:
    prize, hands, taken = position
    return prize, hands[::-1], (taken[1], taken[0], taken[2])


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_rock_paper_scissors_is_the_same_with_the_seats_exchanged(throws: int) -> None:
    """A position: how many throws are over, the sums of both, at the end what was shown last."""
    sums = {(0, 0)}
    every: set[tuple[int, int, int, tuple[int, int] | None]] = {(0, 0, 0, None)}
    for number in range(1, throws + 1):
        now = set()
        for (one, other), first, second in product(sums, range(3), range(3)):
            won = (0, 1, -1)[(first - second) % 3]
            now.add((one + won, other - won))
            shown = (first, second) if number == throws else None
            every.add((number, one + won, other - won, shown))
        sums = now
    found = together(rock_paper_scissors(throws))
    assert found.whole == len(every)
    pairs = {frozenset({one, (one[0], one[2], one[1], one[3] and one[3][::-1])}) for one in every}
    assert found.size == len(pairs)


@pytest.mark.parametrize("players", [2, 3])
def test_seats_and_words_together(players: int) -> None:
    """What each has laid, whether it was the lower card first, what it likes, whether it has won a point."""
    every: set[tuple[tuple[object, ...], ...]] = {((),) * players}
    for cards in product(product((1, 2), "rb"), repeat=players):
        every.add(tuple((rank, colour) for rank, colour in cards))
    every |= {tuple(("both", colour) for colour in colours) for colours in product("rb", repeat=players)}
    found = together(table_of(SECRETS, players))
    assert len(found.group.members) + 1 == 2 * (2 if players == 2 else 6)
    assert found.whole == len(every)
    assert found.size == orbits(every)


def orbits(every: Iterable[tuple[tuple[object, ...], ...]]) -> int:
    other = {"r": "b", "b": "r"}
    images = {
        one: frozenset(
            image for order in permutations(one)
            for image in (order, tuple(tuple(other.get(part, part) for part in own) for own in order))  # type: ignore[call-overload]
        )
        for one in every
    }
    return len(set(images.values()))


# ---- in both directions

ALIKE = {
    "as it is": SECRETS,
    "another one is looked at in the score": changed(
        "points = wins", "points = count of opponents where wins of it < 1"
    ),
    "a coin of nobody": changed("  all choose lay\n", "  roll coin\n  all choose lay\n") + "marker coin: 1..2\n",
    "what is chosen is counted afterwards": changed("repeat 2 times\n", "repeat until most >= 3\n")
    + "define laid = sum of rank over shown\ndefine most = highest of laid of p over p in players\n",
    "somebody is marked alone": changed(
        "  each player\n    if (sum of rank over shown) > 2\n      wins increases by 1\n",
        "  if (count of players where laid of it = most) = 1\n    each player where laid = most\n"
        "      best becomes player\n",
    ) + "marker best: player or nothing\ndefine laid = sum of rank over shown\n"
    "define most = highest of laid of p over p in players\n",
    "nobody is named in a property": SECRETS + 'never "two have won": some p in players has wins of p = 3\n',
}
NOT_ALIKE = {
    "a tie is broken for a seat": changed(
        RANKING, "ranking: highest total, then lowest (if player = 1 then 0 else 1), ties share\n"
    ),
    "a property names a seat": SECRETS + 'never "it": wins of 2 = 2\n',
    "something that can happen names a seat": SECRETS + 'can happen "it": wins of 1 = 1\n',
    "the last of them counts": changed(LIKED, f"{LIKED}  fashion becomes colour\n")
    + "marker fashion: Colour or nothing\n",
    "one looks at what another has just changed": changed(
        LIKED, f"{LIKED}  if liked of left of player = colour and wins < 3\n    wins increases by 1\n"
    ),
    "through a definition": changed(
        LIKED, f"{LIKED}  if others_like >= 1 and wins < 3\n    wins increases by 1\n"
    ) + "define others_like = count of opponents where liked of it is not nothing\n",
    "what lies in the middle is taken by who comes first": changed(
        LIKED, f"{LIKED}  if pot > 0\n    wins increases by 1\n    pot becomes 0\n"
    ) + "number pot: 0..1 = 1\n",
    "the first one is marked": changed(LIKED, f"{LIKED}  if first is nothing\n    first becomes player\n")
    + "marker first: player or nothing\n",
    "another begins": changed("    move all Card where owner = player to hand\n",
                              "    move all Card where owner = player to hand\n  wins of 1 becomes 1\n"),
    "a seat that stands there from the start": changed(LIKED, f"{LIKED}  if dealer = player\n    wins becomes 0\n")
    + "marker dealer: player\n",
    "`player` of the table": changed("  all choose lay\n", "  all choose lay\n  if wins > 0\n    extra becomes 1\n")
    + "number extra: 0..1 = 0\n",
    "the beginner moves on": SECRETS + "rounds 2, starter moves left\n",
    "a seat takes part or not": changed("all choose lay", "all choose lay where wins = 0"),
    "chance for one after the other": changed(
        "    if (sum of rank over shown) > 2\n      wins increases by 1\n", "    roll luck\n"
    ) + "number luck of player: 1..2\n",
    "one after the other chooses": changed("phase play: repeat 2 times\n  all choose lay\n",
                                           "phase play: turns from 1 until wins > 0\n  choose lay\n"),
    "a table of seats": changed("points = wins", "points = weight(player)")
    + "table weight(p player): 1: 1, otherwise: 2\n",
}


@pytest.mark.parametrize("name", ALIKE)
def test_what_does_not_name_seats_leaves_them_alike(name: str) -> None:
    """What is merged is also what trying the exchanges on every position shows."""
    table = table_of(ALIKE[name])
    merged, apart = explore_table(table, group=find_symmetry_group(table)), plainly(table)
    assert seats_of(table) == 2
    assert merged.whole == apart.size > merged.size
    assert merged.depth == apart.depth
    assert [one.title for one in merged.findings] == [one.title for one in apart.findings]
    assert any(
        "change" in says or "move on by one seat" in says
        for one in find_observed_symmetries(apart) for says in one.says
    )


@pytest.mark.parametrize("name", NOT_ALIKE)
def test_what_tells_seats_apart_keeps_them_apart(name: str) -> None:
    assert seats_of(table_of(NOT_ALIKE[name])) == 1


def test_cards_dealt_seat_by_seat_are_left_as_they_are() -> None:
    """Half of a deal names a seat: nothing is claimed."""
    text = changed("    move all Card where owner = player to hand\n", "    liked becomes nothing\n"
                   "  shuffle all Card into stock\n  deal 2 from stock to each hand\n")
    text += "zone stock: pile of Card, hidden\n"
    assert seats_of(table_of(text)) == 1


@pytest.mark.parametrize("table", [goofspiel(cards=3), rock_paper_scissors(2), table_of(SECRETS, 3)])
def test_machine_code_says_the_same(table: Table) -> None:
    theirs = explore_table(table, group=find_symmetry_group(table))
    ours = explore_table(
        table, group=find_symmetry_group(table), engine=make_native_engine(compile_exploration(table), 1)
    )
    assert theirs.group.members
    assert told(ours) == told(theirs)


def test_where_somebody_is_stuck_seats_are_counted_one_by_one() -> None:
    """Stuck before anybody has chosen, or after the first one has: that depends on the seat."""
    text = changed("  all choose lay\n", "  all choose lay\n  each player\n    if (sum of rank over shown) = 1\n"
                   "      move all hand to shown\n")
    table = table_of(text)
    assert seats_of(table) == 2
    found, _ = Explorer("reference", 1).explore(table, 10_000, find_symmetry_group(table))
    apart = explore_table(table, group=find_word_group(table))
    assert [one.title for one in found.findings] == ["empty-choice"]
    assert found.size == apart.size
    assert found.whole == plainly(table).size


# ---- ways to take some

SUMS = """rules 1
game "Sums"
players 2..3
card Card: rank 1..4
zone stock: pile of Card, hidden
zone shown: set of Card, public
number wins of player: 0..30 = 0
setup
  shuffle all Card into stock
PHASE
  draw up to 1 from stock to shown
action one
  wins increases by smallest(WAYS, 2)
action two
  needs wins < 6
  wins increases by count of combinations of 2 from shown where (sum of rank over it) > 4
score at end
  points = wins
ranking: highest total, ties share
"""
AT_ONCE = "phase play: repeat 2 times\n  all choose one or two"
BY_TURNS = "phase play: turns from 1, at most 4 turns\n  choose one or two"


@pytest.mark.parametrize(("ways", "members"), [
    ("(count of combinations of 1..2 from shown where (sum of rank over it) = 3)", 1),
    ("(if some s in combinations of 2 from {wins, 1, 2} has sum of s = 3 then 1 else 0)", 1),
    ("(count of combinations of 2 from players where (sum of wins of p over p in it) > 2)", 0),
])
@pytest.mark.parametrize("phase", [AT_ONCE, BY_TURNS])
def test_ways_to_take_some_are_alike_where_they_are_nobodys(ways: str, members: int, phase: str) -> None:
    """Of players nothing is said: sets of seats are not known there."""
    table = table_of(SUMS.replace("WAYS", ways).replace("PHASE", phase), 2)
    found = together(table)
    assert len(found.group.members) == members
    assert found.whole == plainly(table).size
