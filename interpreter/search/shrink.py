"""Makes a failing game as small as it will get. Takes a game and what fails, gives the smallest game found.

Fewer players first, then fewer decisions, fewer answers, first options and first outcomes; then options as the
rules have them, and lower numbers in them. Every candidate is played through the real rules and kept only when the
same failure comes.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import (
    LEAK,
    MOST_ANSWERS,
    AnsweredGame,
    FailureKind,
    GameChecker,
    ListedAnswers,
)
from rulesrun.interpreter.search.candidates import (
    Candidate,
    CandidateJudge,
    Judges,
    TriedCandidate,
    make_deal_judge,
    make_reference_judge,
    tables_with_lower_option,
    tables_with_usual_option,
)
from rulesrun.interpreter.search.effort import Effort, EffortShare

ROLLOUTS = 4
FRESH_GAMES = 60
SHORT = 4  # decisions
MORE_ANSWERS = 200  # of a candidate than twice as many as the game has
PATIENCE = 3
FEW = 2
OTHER_GAMES = 100
LOOKED_AT = 3_000
SHARE_OF_SMALLER = 0.4
SHARE_OF_SMALLER_LEAKS = 0.15  # looking for a leak takes long where there is none
SHARE_OF_GAME = 0.75
SHARE_OF_OPTION = 0.15


@define(eq=False)
class GameShrinker:
    """`best` ends with the failure. `effort`: how much may be tried; `judges`: who tries it."""

    kind: FailureKind
    best: AnsweredGame
    effort: EffortShare
    judges: Judges = make_reference_judge
    _judge: CandidateJudge = field(init=False)
    _known: set[tuple[int, ...]] = field(init=False, factory=set)
    _random: int = 0

    def __attrs_post_init__(self) -> None:
        self._judge = self.judges(self.best.table, self.kind, self.effort)

    @property
    def is_over(self) -> bool:
        return self.effort.is_over

    def keep_if_smaller(self, candidate: Candidate, limit: int | None = None) -> bool:
        """Plays a candidate; true when it fails alike and is smaller."""
        game = self.try_candidate(candidate, self.decisions if limit is None else limit).failing_game(self.kind)
        if game is None or game_size(game) >= game_size(self.best):
            return False
        self.best = game
        return True

    def try_candidate(self, candidate: Candidate, limit: int) -> TriedCandidate:
        found = self._judge.try_candidate(candidate, limit, answer_limit(self.best))
        self.effort.spend(found.spent)
        return found

    def try_answers(self, answers: Sequence[int]) -> bool:
        key = tuple(answers)
        if key in self._known:
            return False
        self._known.add(key)
        return self.keep_if_smaller(Candidate(key))

    @property
    def decisions(self) -> int:
        return len(self.best.choices)

    def find_smallest(self) -> AnsweredGame:
        """All passes again and again, until nothing can be taken away or enough was tried.

        Of a game that is long still, other games are tried some more times.
        """
        taking_away = (self.try_without_parts, self.try_short_games, self.try_first_answers, self.try_lower_answers)
        fruitless, tidied = 0, None
        while fruitless < (1 if self.decisions <= SHORT else PATIENCE) and not self.is_over:
            before = self.best
            for one in (self.try_shorter_ends, self.try_fresh_games):
                one()
            if self.best is not tidied:
                for one in taking_away:
                    one()
                tidied = self.best
            fruitless = 0 if self.best is not before else fruitless + 1
        return self.best

    # ---- passes

    def try_fresh_games(self) -> None:
        """Other games, with another deal, that may not last as long."""
        tried = 0
        self._judge.reset_bias()
        while tried < FRESH_GAMES and self.decisions > 1 and not self.is_over:
            self._random += 1
            candidate = Candidate(seed=self._random, leans=bool(self._random % 2))
            tried = 0 if self.keep_if_smaller(candidate, self.decisions - 1) else tried + 1

    def try_shorter_ends(self) -> None:
        """The game as it was up to some decision, then at random: often there is a shorter way from there."""
        tried = 0
        while tried < ROLLOUTS * 8 and self.decisions > 1 and not self.is_over:
            self._random += 1
            at = self._random % self.decisions
            prefix = self.best.answers[: self.best.choices[at]]
            candidate = Candidate(prefix, seed=self._random)
            tried = 0 if self.keep_if_smaller(candidate, self.decisions - 1) else tried + 1

    def try_without_parts(self) -> None:
        """Some decisions, with the chance that followed each, left out: half of them, a quarter, …, one."""
        size = max(self.decisions // 2, 1)
        while size and not self.is_over:
            at = self.decisions - size
            while at >= 0 and not self.is_over:
                if at + size <= self.decisions:
                    bounds = [*self.best.choices, len(self.best.answers)]
                    self.try_answers(self.best.answers[: bounds[at]] + self.best.answers[bounds[at + size] :])
                at -= size
            size //= 2

    def try_short_games(self) -> None:
        """From the first decision on, every short sequence of choices, shortest first, with the first outcomes."""
        if not self.best.choices:
            return
        start = self.best.answers[: self.best.choices[0]]
        rows: list[tuple[int, ...]] = [()]
        looked = 0
        for depth in range(self.decisions):
            following: list[tuple[int, ...]] = []
            for row in rows:
                if looked > LOOKED_AT or self.is_over:
                    return
                looked += 1
                found = self.try_candidate(Candidate(start, row), depth)
                game = found.failing_game(self.kind)
                if game is not None:
                    if game_size(game) < game_size(self.best):
                        self.best = game
                    return
                if found.choices == depth and len(following) < LOOKED_AT:
                    following.extend((*row, index) for index in range(self._count_options_after(start, row)))
            rows = following

    def _count_options_after(self, start: tuple[int, ...], row: tuple[int, ...]) -> int:
        """How many options there are after these choices; 0 when the game is over."""
        return self.try_candidate(Candidate(start, (*row, 0)), len(row) + 1).width

    def try_first_answers(self) -> None:
        """First options and outcomes, many at a time, then one by one."""
        size = len(self.best.answers)
        while size and not self.is_over:
            for at in range(0, len(self.best.answers), size):
                part = self.best.answers[at : at + size]
                if any(part) and not self.is_over:
                    self.try_answers((*self.best.answers[:at], *(0 for _ in part), *self.best.answers[at + size :]))
            size //= 2

    def try_lower_answers(self) -> None:
        at = 0
        while at < len(self.best.answers) and not self.is_over:
            value = self.best.answers[at]
            for lower in sorted({1, value // 2, value - 1}):
                if 0 < lower < value and self.try_answers(
                    (*self.best.answers[:at], lower, *self.best.answers[at + 1 :])
                ):
                    break
            at += 1


def game_size(game: AnsweredGame) -> tuple[object, ...]:
    """What is smaller: fewer choices, fewer answers, fewer that are not the first, then lower ones."""
    return (len(game.choices), len(game.answers), sum(1 for one in game.answers if one), game.answers)


def answer_limit(game: AnsweredGame) -> int:
    """A candidate with so many more answers is no smaller game, or it goes on for ever."""
    return min(2 * len(game.answers) + MORE_ANSWERS, MOST_ANSWERS)


def shrink_game(
    game: AnsweredGame,
    kind: FailureKind,
    smaller: Sequence[Table],
    effort: Effort,
    judges: Judges = make_reference_judge,
) -> tuple[AnsweredGame, bool]:
    """`smaller`: tables with fewer players, the smallest first; the failure may come there too.

    And whether all that could be taken away from the game itself has been tried.
    """
    share = effort.take_share(SHARE_OF_GAME)
    if kind.name == LEAK and replay_leak(game, kind).find_failure(kind) is not None:
        judges = make_deal_judge
    small = shrink_with_fewer_players(game, kind, smaller, share, judges)
    is_smallest = not share.is_over
    small = shrink_options(small, kind, effort.take_share(1), judges)
    return (with_smallest_change(small, kind) if kind.name == LEAK else small), is_smallest


def make_leak_replayer(game: AnsweredGame, kind: FailureKind) -> GameChecker:
    """Stops at the leak; any deal that makes a difference there is enough."""
    failure = game.find_failure(kind)
    assert failure is not None
    return GameChecker(game.table, failure.decisions, kind, leaks=True, exchanges=False)


def replay_leak(game: AnsweredGame, kind: FailureKind) -> AnsweredGame:
    return make_leak_replayer(game, kind).play_game(ListedAnswers(game.answers))


def with_smallest_change(game: AnsweredGame, kind: FailureKind) -> AnsweredGame:
    """The game, ending at its leak, with the smallest change that tells something."""
    checker = make_leak_replayer(game, kind)
    again = checker.play_game(ListedAnswers(game.answers))
    failure = again.find_failure(kind)
    leak = checker.watch.find_smallest_of_shown() if checker.watch is not None else None
    if failure is None or leak is None:
        return game
    return evolve(again, failures=tuple(evolve(one, leak=leak) if one is failure else one for one in again.failures))


def shrink_with_fewer_players(
    game: AnsweredGame, kind: FailureKind, smaller: Sequence[Table], effort: EffortShare, judges: Judges
) -> AnsweredGame:
    failure = game.find_failure(kind)
    assert failure is not None
    elsewhere = effort.take_share(SHARE_OF_SMALLER_LEAKS if kind.name == LEAK else SHARE_OF_SMALLER)
    for number, table in enumerate(smaller):
        other = find_failure_at_table(table, game, kind, elsewhere.take_share(1 / (len(smaller) - number)), judges)
        if other is not None:
            return GameShrinker(kind, other, effort, judges).find_smallest()
    cutter = GameChecker(game.table, failure.decisions, kind, kind.name == LEAK, judges is not make_deal_judge)
    cut = cutter.play_game(ListedAnswers(game.answers))
    return game if cut.find_failure(kind) is None else GameShrinker(kind, cut, effort, judges).find_smallest()


def shrink_options(game: AnsweredGame, kind: FailureKind, effort: EffortShare, judges: Judges) -> AnsweredGame:
    """Options one by one as the rules have them; then numbers lower, where that makes the game shorter."""
    game = restore_usual_options(game, kind, effort, judges)
    is_shorter = True
    while is_shorter and len(game.choices) > FEW and not effort.is_over:
        is_shorter = False
        for table in tables_with_lower_option(game.table):
            other = shrink_at_table(table, game, kind, effort, judges)
            if other is not None and len(other.choices) < len(game.choices):
                game, is_shorter = other, True
                break
    return game


def restore_usual_options(game: AnsweredGame, kind: FailureKind, effort: EffortShare, judges: Judges) -> AnsweredGame:
    tables = list(tables_with_usual_option(game.table))
    while tables and not effort.is_over:
        other = shrink_at_table(tables.pop(0), game, kind, effort, judges)
        if other is not None:
            game, tables = other, list(tables_with_usual_option(other.table))
    return game


def shrink_at_table(
    table: Table, game: AnsweredGame, kind: FailureKind, effort: EffortShare, judges: Judges
) -> AnsweredGame | None:
    """The same failure at another table, as small as it gets there; a part of what is left is given to it."""
    other = find_failure_at_table(table, game, kind, effort.take_share(SHARE_OF_OPTION), judges, OTHER_GAMES)
    return GameShrinker(kind, other, effort, judges).find_smallest() if other is not None else None


def find_failure_at_table(
    table: Table, game: AnsweredGame, kind: FailureKind, effort: EffortShare, judges: Judges, games: int | None = None
) -> AnsweredGame | None:
    """The same failure at another table: by the same answers, else by random games, so many at most."""
    limit, most = max(4 * len(game.choices), 200), min(4 * len(game.answers) + 5 * MORE_ANSWERS, MOST_ANSWERS)
    judge, number = judges(table, kind, effort), 0
    judge.reset_bias()
    tried = judge.try_candidate(Candidate(game.answers), limit, most)
    while (found := tried.failing_game(kind)) is None:
        effort.spend(tried.spent)
        if effort.is_over or number == games:
            return None
        number += 1
        tried = judge.try_candidate(Candidate(seed=number, leans=True), limit, most)
    return found
