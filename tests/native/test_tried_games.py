"""Candidates for a smaller game: machine code and the reference say the same of each, and so of the smallest game."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import define, field

pytest.importorskip("llvmlite")

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.native.search.biased_search import compile_biased_games
from rulesrun.interpreter.native.search.candidates import NativeJudge
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.search.answered_games import LEAK, AnsweredGame, FailureKind
from rulesrun.interpreter.search.biased_search import search_failures
from rulesrun.interpreter.search.candidates import Candidate, Judges, ReferenceJudge, TriedCandidate
from rulesrun.interpreter.search.effort import Effort, EffortShare
from rulesrun.interpreter.search.shrink import shrink_game
from rulesrun.run.compiled import CompiledTables
from rulesrun.run.search_engines import AllJudges, ChangeoverJudge
from tests.interpreter.made import program, table
from tests.native.made_up import made_up
from tests.searching.made import COUNTER

FOR_EVER = 1e18
BROKEN = sorted((Path(__file__).parents[1] / "broken").glob("*.rules"))
QUICK = {"a09", "a10", "b10"}
FILES = [
    pytest.param(path, id=path.stem, marks=[] if path.stem[:3] in QUICK else [pytest.mark.long]) for path in BROKEN
]
ANYTHING = FailureKind("no such property", "", 0)


@define(eq=False)
class Both:
    """A judge that asks both, and fails where they differ."""

    reference: ReferenceJudge
    native: NativeJudge
    certain: int = field(init=False, default=0)

    def reset_bias(self) -> None:
        self.reference.reset_bias()
        self.native.reset_bias()

    def try_candidate(self, candidate: Candidate, limit: int, most: int) -> TriedCandidate:
        kind, found = self.reference.kind, self.reference.try_candidate(candidate, limit, most)
        ours = self.native.try_candidate(candidate, limit, most)
        assert said(ours, kind) == said(found, kind), (candidate, limit, most)
        if candidate.leans:
            used = self.native.games.field_numbers("used")
            assert {key: used[at] for at, key in self.native.games._places if used[at]} == dict(self.reference.used)
        self.certain += ours.game is None
        return found


def said(tried: TriedCandidate, kind: FailureKind) -> tuple[Any, ...]:
    game = tried.failing_game(kind)
    return tried.spent, tried.choices, tried.width, game and (game.answers, game.choices)


def both(made: Table, kind: FailureKind) -> Both:
    return Both(ReferenceJudge(made, kind), NativeJudge(compile_biased_games(made), ReferenceJudge(made, kind)))


def random_candidate(chance: Random) -> Candidate:
    answers = tuple(chance.choice((0, 1, chance.randrange(9), chance.randrange(2**40)))
                    for _ in range(chance.randrange(25)))
    row = tuple(chance.randrange(12) for _ in range(chance.randrange(5)))
    match chance.randrange(4):
        case 0:
            return Candidate(answers)
        case 1:
            return Candidate(answers[: chance.randrange(9)], seed=chance.randrange(2**62))
        case 2:
            return Candidate(seed=chance.randrange(1000), leans=True)
        case _:
            return Candidate((), row)


def compare(made: Table, kind: FailureKind, amount: int, seed: int) -> Both:
    judge, chance = both(made, kind), Random(seed)
    for _ in range(amount):
        judge.try_candidate(random_candidate(chance), chance.choice((0, 1, 3, 60)), chance.choice((5, 40, 600)))
        if not chance.randrange(20):
            judge.reset_bias()
    return judge


# ---- candidate by candidate


CHANCE = """
values Colour: red, green, blue
card Card: colour Colour, rank 1..3, 2 of each
zone deck: pile of Card, hidden
zone bag of player: pile of Card, hidden
zone hand of player: set of Card, private
zone shown: row of Card, public
marker layout: order of Colour
marker side of player: Colour
number face[Colour]: 1..6
number times_: 0..30 = 0
setup
  shuffle all Card into deck
  draw lots for starter
  deal 2 from deck to each bag
  each player
    shuffle bag
  deal 1 from deck to each hand
phase play: turns from starter until times_ > 8 or deck is empty
  shuffle layout
  roll side with chances 3, 0, 2
  roll face[side]
  draw up to 1 from deck where colour = side to shown
  draw up to 1 from bag to hand
  times_ increases by 1
  choose lay, keep or mix if possible
  if face[side] = 6 and times_ mod 2 = 0
    all choose bid
  if face[side] = 5
    team chooses rest
action lay(card from hand where rank > 1)
  move card to shown
action keep(n in 1..3)
  needs n <= count of hand
action mix
  shuffle shown into deck
action bid(n in 1..2)
  times_ increases by n
action rest
score at end
  points = count of hand
ranking: highest total, ties share
never "three alike": times_ > 4 and (count of shown where colour = layout[1]) > 3
"""


@pytest.mark.parametrize("players", [3, pytest.param(2, marks=pytest.mark.long)])
def test_every_source_of_chance(players: int) -> None:
    made = table(CHANCE, players)
    span = made.watches.properties[0].declaration.span
    judge = compare(made, FailureKind("three alike", span.file, span.start), 400, players)
    assert 100 < judge.certain < 400
    assert compare(made, ANYTHING, 200, players).certain > 150


def test_an_endless_die_is_cut_alike() -> None:
    text = CHANCE.replace("  roll face[side]\n", "  repeat until face[side] = 6\n    roll face[side]\n")
    made = table(text)
    judge = both(made, ANYTHING)
    found = judge.try_candidate(Candidate(), 50, 333)
    assert (found.spent, judge.certain) == (334, 1)


@pytest.mark.parametrize("number", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 300))])
def test_rules_made_up(number: int) -> None:
    rules = program(made_up(number), "2..3")
    for players in (2, 3):
        try:
            made = set_up_table(rules, players, {})
            compare(made, ANYTHING, 60, number)
        except (RefusedTable, CannotCompile):
            continue


# ---- the smallest game


def smallest(game: AnsweredGame, kind: FailureKind, smaller: list[Table], judges: Judges) -> tuple[Any, ...]:
    effort = Effort(20_000, FOR_EVER)
    small, is_smallest = shrink_game(game, kind, smaller, effort, judges)
    options = repr(small.table.options)
    return small.answers, small.choices, small.table.players, options, is_smallest, effort.spent


@define(eq=False)
class After:
    """Changes over when so many candidates have been tried."""

    code: CompiledTables
    until: int

    def judge(self, made: Table, kind: FailureKind, effort: EffortShare) -> ChangeoverJudge:
        found = AllJudges(self.code).make_judge(made, kind, effort)
        assert isinstance(found, ChangeoverJudge)
        return Waiting(self.code, found.reference, effort, found.choice, until=self.until)


@define(eq=False)
class Waiting(ChangeoverJudge):
    until: int = field(kw_only=True)
    _seen: int = field(init=False, default=0)

    def should_change(self) -> bool:
        self._seen += 1
        return self._seen > self.until


@pytest.mark.parametrize("path", FILES)
def test_the_smallest_game_is_the_same_whoever_judges(path: Path) -> None:
    rules = read_rules(str(path)).program
    if rules is None:
        return  # refused before anything is played
    tables = []
    for players in (1, 2, 3):
        try:
            tables.append(set_up_table(rules, players, {}))
        except RefusedTable:
            continue
    code = CompiledTables("native")
    for kind, game in search_failures(tables, 3, Effort(6_000, FOR_EVER)).found.items():
        smaller = [one for one in tables if one.players < game.table.players]
        theirs = smallest(game, kind, smaller, AllJudges(CompiledTables("reference")).make_judge)
        for until in (0, 1, 40):
            assert smallest(game, kind, smaller, After(code, until).judge) == theirs


def test_leaks_stay_on_the_reference() -> None:
    made, effort = table(COUNTER), Effort(1, 1).take_share(1)
    assert isinstance(
        AllJudges(CompiledTables("native")).make_judge(made, FailureKind(LEAK, "", 0), effort), ReferenceJudge
    )
    assert isinstance(AllJudges(CompiledTables("native")).make_judge(made, ANYTHING, effort), ChangeoverJudge)
    assert isinstance(AllJudges(CompiledTables("reference")).make_judge(made, ANYTHING, effort), ReferenceJudge)


def test_it_begins_on_the_reference_and_changes_over_when_it_pays() -> None:
    made = table(COUNTER)
    judge = AllJudges(CompiledTables()).make_judge(made, ANYTHING, Effort(10**9, FOR_EVER).take_share(1))
    assert isinstance(judge, ChangeoverJudge)
    assert judge.try_candidate(Candidate(seed=1), 20, 400).game is not None
    judge.choice.add_work(10, 10.0)
    assert judge.try_candidate(Candidate(seed=1), 20, 400).game is None
