"""`teams: 1 and 3, 2 and 4`: beside every deal and choice counted apart, on both engines, and what follows from it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun import loads
from rulesrun.dsl.typing.program import Program
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.play.step import ChanceDecision, GameOver, next_state, pending_decision, start_state
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.spaces.rewards import rewards_at_end
from rulesrun.interpreter.symmetry.symmetric_seats import keeps_teams
from tests.native.both import differences, quick_engine
from tests.words.twins import MOST, assert_alike, errors_of, is_laid_out, read, table_of

# Everybody has a card, and lays it for the team or keeps it.
PAIRS = """rules 1
game "Pairs"
players 4
teams: 1 and 3, 2 and 4

card Card: rank 1..4

zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone laid of player: set of Card, public

setup
  shuffle all Card into deck
  deal 1 from deck to each hand

phase play: one turn each from 1
  choose lay or keep

action lay(c from hand)
  move c to laid

action keep

score at end
  points = sum of (sum of rank over c in laid of p) over p in team

ranking: highest total, ties share
"""


def without_teams(text: str) -> str:
    """Spelled out by hand."""
    both = "over p in {player, left of left of player}"
    return text.replace("teams: 1 and 3, 2 and 4\n", "").replace("over p in team", both)


def every_game() -> tuple[Counter[tuple[int, int]], int]:
    """Written apart: what the two teams have, over all deals and choices."""
    found: Counter[tuple[int, int]] = Counter()
    for dealt in permutations(range(1, 5)):
        for lays in product((0, 1), repeat=4):
            laid = [rank * lay for rank, lay in zip(dealt, lays, strict=True)]
            found[laid[0] + laid[2], laid[1] + laid[3]] += 1
    return found, 24 * 16


def test_teams_win_together_and_share_a_place_only_with_teams() -> None:
    table, (games, all_games) = table_of(PAIRS, 4), every_game()
    ties = sum(many for (one, other), many in games.items() if one == other)
    for count in (count_tree(table, MOST), count_tree_natively(compile_tree_positions(table), MOST)):
        assert count.terminals == all_games
        found = count.expectation
        assert found is not None
        assert found.ties == Fraction(ties, all_games)
        assert found.win_shares == {seat: Fraction(1, 2) for seat in (1, 2, 3, 4)}
        mean = Fraction(sum(one * many for (one, _), many in games.items()), all_games)
        assert found.scores == dict.fromkeys((1, 2, 3, 4), mean)


def test_the_second_team_has_the_second_place() -> None:
    text = PAIRS + """
figure place_of_first: place of 1, at end of game
at most 1/2 of games "nobody is third": some p in players has place of p > 2
"""
    table, (games, all_games) = table_of(text, 4), every_game()
    behind = sum(many for (one, other), many in games.items() if one < other)
    for count in (count_tree(table, MOST), count_tree_natively(compile_tree_positions(table), MOST)):
        assert count.expectation is not None
        assert count.expectation.figures == {"place_of_first": 1 + Fraction(behind, all_games)}
        assert count.expectation.shares == {"nobody is third": 0}


def test_nothing_else_than_places_is_changed_by_it() -> None:
    """Spelled out by hand: the same positions, the same play."""
    alone = without_teams(PAIRS)
    new, old = (table_of(text, 4) for text in (PAIRS, alone))
    assert count_tree(new, MOST).information_sets == count_tree(old, MOST).information_sets
    assert differences(new, 60, seed=1, engine=quick_engine(new), limit=200) == []


def table_with_warnings(text: str, players: int = 4) -> Table:
    program = read(text)
    assert isinstance(program, Program), program
    return set_up_table(program, players, {})


def end_of(table: Table, seed: int) -> GameOver:
    state, streams = start_state(table), Streams(seed)
    while not isinstance(asked := pending_decision(table, state), GameOver):
        many = asked.size if isinstance(asked, ChanceDecision) else len(asked.options)
        state = next_state(table, state, streams.random_below(many, "any"))
    return asked


# ---- a law: any teams, any points


@st.composite
def seatings(draw: st.DrawFn) -> list[list[int]]:
    many, size = draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]))
    seats = draw(st.permutations(range(1, many * size + 1)))
    return [sorted(seats[at * size : (at + 1) * size]) for at in range(many)]


def text_of_teams(teams: list[list[int]], direction: str) -> str:
    told = ", ".join(" and ".join(map(str, team)) for team in teams)
    lines = []
    for team in teams:
        for seat in team:
            partners = [other for other in team if other != seat]
            rivals = sorted(other for others in teams if others != team for other in others)
            lines.append(f"  then team of {seat} = {{{', '.join(map(str, team))}}}")
            lines.append(f"  then opponents of {seat} = {{{', '.join(map(str, rivals))}}}")
            if len(partners) == 1:
                lines.append(f"  then partner of {seat} = {partners[0]}")
    return f"""rules 1
game "Teams"
players {sum(map(len, teams))}
teams: {told}

number die of player: 0..2

setup
  each player
    roll die

phase play: one turn each from 1
  choose pass

action pass
  starter becomes player

score at end
  points = sum of die of p over p in team

ranking: {direction} total, ties share

example "who plays with whom"
{chr(10).join(lines)}
"""


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seatings(), st.sampled_from(["highest", "lowest"]), st.integers(0, 1000))
def test_places_are_those_of_the_teams(teams: list[list[int]], direction: str, seed: int) -> None:
    text = text_of_teams(teams, direction)
    table = table_of(text, sum(map(len, teams)))
    over = end_of(table, seed)
    points = {tuple(team): over.scores[team[0]] for team in teams}
    assert all(over.scores[seat] == points[tuple(team)] for team in teams for seat in team)
    order = sorted(set(points.values()), reverse=direction == "highest")
    wanted = [tuple(sorted(seat for team, own in points.items() if own == value for seat in team)) for value in order]
    assert list(over.places) == wanted
    assert differences(table, 20, seed=seed, engine=quick_engine(table), limit=100) == []
    assert loads(text).test().holds


# ---- what follows from it


def test_partners_must_come_to_the_same() -> None:
    broken = PAIRS.replace("sum of (sum of rank over c in laid of p) over p in team", "sum of rank over c in laid")
    found = loads(broken).test()
    assert not found.holds
    assert "partners have the same points and the same place" in str(found)
    assert loads(PAIRS).test().holds
    table = table_of(broken, 4)
    assert differences(table, 60, seed=1, engine=quick_engine(table), limit=200) == []


def test_only_teams_tie() -> None:
    strict = PAIRS.replace(", ties share", ", then highest count of laid of 1")
    table = table_with_warnings(strict.replace("highest count of laid of 1", "lowest (if 1 in team then 0 else 1)"), 4)
    places = {end_of(table, seed).places for seed in range(40)}
    assert places == {((1, 3), (2, 4)), ((2, 4), (1, 3))}
    assert differences(table, 60, seed=1, engine=quick_engine(table), limit=200) == []


def test_teams_for_some_numbers_of_players() -> None:
    text = PAIRS.replace("players 4\nteams: 1 and 3, 2 and 4", "players 3..4\nteams for 4: 1 and 2, 3 and 4")
    assert is_laid_out(text)
    assert table_of(text, 4).bench.teams == ((1, 2), (3, 4))
    assert table_of(text, 3).bench.teams == ((1,), (2,), (3,))
    assert {end_of(table_of(text, 4), seed).places for seed in range(60)} == {
        ((1, 2), (3, 4)), ((3, 4), (1, 2)), ((1, 2, 3, 4),)
    }  # fmt: skip


def test_only_opponents_are_asked() -> None:
    base = """rules 1
game "Doubt"
players 4
teams: 1 and 3, 2 and 4
number doubts of player: 0..9 = 0
phase play: one turn each from 1
  ask each opponent: doubt or pass
  choose pass
action doubt
  doubts increases by 1
action pass
score at end
  points = sum of doubts of p over p in team
ranking: highest total, ties share
"""
    by_hand = """each p in {player}
    each player from left of p where player = left of p or player = right of p
      choose doubt or pass"""
    old = without_teams(base).replace("ask each opponent: doubt or pass", by_hand)
    new_table, old_table = table_with_warnings(base), table_with_warnings(old)
    assert count_tree(new_table, MOST).decisions == count_tree(old_table, MOST).decisions
    assert count_tree(new_table, MOST).information_sets == count_tree(old_table, MOST).information_sets


@pytest.mark.parametrize(("teams", "is_kept"), [
    ("1 and 3, 2 and 4", True), ("1 and 2, 3 and 4", False), ("1 and 4, 2 and 3", False),
])  # fmt: skip
def test_seats_turn_round_only_where_partners_stay_partners(teams: str, is_kept: bool) -> None:
    table = table_of(PAIRS.replace("1 and 3, 2 and 4", teams), 4)
    assert keeps_teams(table, around=True) is is_kept
    assert not keeps_teams(table, around=False)  # in any other order somebody sits with another partner


def test_rewards_are_the_same_for_partners() -> None:
    over = end_of(table_of(PAIRS, 4), 3)
    for kind in ("score", "place", "win"):
        found = rewards_at_end(kind, 1, over.scores, over.places)
        assert found[1] == found[3]
        assert found[2] == found[4]


def test_a_team_is_told_once() -> None:
    found = loads(PAIRS).simulate(games=50)
    assert "seats 1 + 3" in str(found)
    assert "seat 3" not in str(found)
    (table,) = found.to_json()["tables"]
    assert table["teams"] == [[1, 3], [2, 4]]


def test_teams_may_be_listed_in_any_order() -> None:
    assert is_laid_out(PAIRS)
    assert_alike(PAIRS, PAIRS.replace("teams: 1 and 3, 2 and 4", "teams: 2 and 4, 3 and 1"), 4)


ALONE = "who plays alone against others needs no teams: define who wins together"


@pytest.mark.parametrize(
    ("said", "code", "hint"),
    [
        ("teams: 1 and 2 and 3, 4", "bad-teams", ALONE),
        ("teams: 1, 2, 3, 4", "bad-teams", "who plays alone needs no team: leave this out"),
        ("teams: 1 and 3, 2 and 3", "bad-teams", "write `teams: 1 and 3, 2 and 4`"),
        ("teams: 1 and 3 and 4, 2 and 5", "bad-teams", ALONE),
        ("teams: 1 and 2", "bad-teams", ALONE),
        ("teams: 1 and 4, 2 and 5, 3 and 6", "bad-teams", "leave it out, or let 6 play: `players …`"),
        ("teams: {1, 3}, {2, 4}", None, "write `teams: 1 and 3, 2 and 4`"),
        ("teams: [[1, 3], [2, 4]]", None, "write `teams: 1 and 3, 2 and 4`"),
        ("teams = [(1, 3), (2, 4)]", None, "write `teams: 1 and 3, 2 and 4`"),
        ("teams: 1 + 3, 2 + 4", None, "write `teams: 1 and 3, 2 and 4`"),
        ("teams 1 and 3 vs 2 and 4", None, "write `teams: 1 and 3, 2 and 4`"),
        ("teams: 1 and 3 against 2 and 4", None, "write `teams: 1 and 3, 2 and 4`"),
        ("partners: 1 and 3, 2 and 4", None, "write `teams: 1 and 3, 2 and 4`"),
        ("team: 1 and 3, 2 and 4", None, "write `teams: 1 and 3, 2 and 4`"),
        ("", "unknown-name", "say who plays together: `teams: 1 and 3, 2 and 4`"),
    ],
)  # fmt: skip
def test_slips_are_told(said: str, code: str | None, hint: str) -> None:
    found = errors_of(PAIRS.replace("teams: 1 and 3, 2 and 4\n", said + "\n" if said else ""))
    assert hint in [one.hint for one in found]
    assert code is None or [one.code for one in found] == [code]
