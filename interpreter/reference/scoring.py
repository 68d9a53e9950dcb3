"""Points, final places, the result. Takes positions, fills in score sheets and ranks the players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, frozen

from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core import Criterion, Ranking, Result, ScoreLine, define_line
from rulesrun.interpreter.model.values import EVENTS, PLACES, PLAYER, RESULT, ROUND, SHEETS, Run, Slots, fault
from rulesrun.interpreter.reference.operations import compile_definition
from rulesrun.interpreter.reference.score_lookups import total_points

Places = tuple[tuple[int, ...], ...]


@frozen(eq=False)
class RankingStep:
    """One after the other, while they tell players apart. `criterion` None: the rules do not rank, points do."""

    criterion: Criterion | None
    value: Run
    when: Run | None

    @property
    def is_highest_first(self) -> bool:
        return self.criterion is None or self.criterion.direction == "highest"


@define(eq=False)
class Scoring:
    bench: Workbench
    lines: list[list[Run]]
    criteria: list[RankingStep]
    outcomes: list[Run]
    ranking: Ranking | None
    result: Result | None

    def compile_counting(self, number: int) -> Callable[[Slots], None]:
        """Fills in the sheet of one `score` for every player."""
        lines, n = self.lines[number], self.bench.players

        def count(S: Slots) -> None:
            kept = S[PLAYER]
            values = []
            for player in range(1, n + 1):
                S[PLAYER] = player
                values.append(tuple([line(S) for line in lines]))
            S[PLAYER] = kept
            sheet = (number, S[ROUND], tuple(values))
            S[SHEETS] = (*S[SHEETS], sheet)
            if S[EVENTS] is not None:
                S[EVENTS].append(("score", sheet))

        return count

    def finish_scoring(self, S: Slots) -> None:
        """Final places and the result."""
        S[PLACES] = self.rank_players(S)
        if self.result is not None:
            for number, outcome in enumerate(self.outcomes):
                if outcome(S):
                    S[RESULT] = self.result.outcomes[number].word.text
                    return
            S[RESULT] = self.result.otherwise.text

    def rank_players(self, S: Slots) -> Places:
        groups: list[tuple[int, ...]] = [tuple(range(1, self.bench.players + 1))]
        for one in self.criteria:
            if one.when is None or one.when(S):
                values = self.evaluate_for_all(S, one.value)
                groups = [part for group in groups for part in split_group(group, values, one.is_highest_first)]
        groups = merge_places(groups, self.bench.team_size)
        if self.ranking is not None and not self.ranking.ties_share:
            tie = next((group for group in groups if not self.is_team(group)), None)
            if tie is not None:
                names = " and ".join(str(player) for player in tie)
                raise fault(
                    "undecided-tie",
                    message("no criterion breaks the tie between players {names}", names=names),
                    self.ranking.span,
                    message("add a criterion, or `ties share`"),
                )
        return tuple(groups)

    def is_team(self, group: tuple[int, ...]) -> bool:
        """Whether nobody shares this place but partners."""
        return any(set(group) <= set(team) for team in self.bench.teams)

    def evaluate_for_all(self, S: Slots, value: Run) -> dict[int, Any]:
        kept, found = S[PLAYER], {}
        for player in range(1, self.bench.players + 1):
            S[PLAYER] = player
            found[player] = value(S)
        S[PLAYER] = kept
        return found

    def scores(self, S: Slots) -> dict[int, Any]:
        return {player: total_points(S[SHEETS], player) for player in range(1, self.bench.players + 1)}


def merge_places(groups: list[tuple[int, ...]], team_size: int) -> list[tuple[int, ...]]:
    """A place is for a team: who has as many teams before them, has the same."""
    if team_size == 1:
        return groups
    found: dict[int, tuple[int, ...]] = {}
    before = 0
    for group in groups:
        at = before // team_size
        found[at] = tuple(sorted((*found.get(at, ()), *group)))
        before += len(group)
    return list(found.values())


def split_group(group: tuple[int, ...], values: dict[int, Any], is_highest_first: bool) -> list[tuple[int, ...]]:
    """A group of equals, told apart by one more criterion."""
    if len(group) == 1:
        return [group]
    different = sorted({values[player] for player in group}, reverse=is_highest_first)
    return [tuple(player for player in group if values[player] == value) for value in different]


def compile_line(bench: Workbench, line: ScoreLine) -> Run:
    return compile_definition(bench, define_line(line)).run


def compile_scoring(bench: Workbench) -> Scoring:
    lines = [[compile_line(bench, line) for line in score.lines] for score in bench.scores]
    criteria = list[RankingStep]()
    rankings, results = bench.rankings, bench.results
    for ranking in rankings[:1]:
        for one in (one for one in ranking.criteria if id(one) not in bench.left_out):
            when = bench.compile(one.when).run if one.when is not None else None
            criteria.append(RankingStep(one, bench.compile(one.value).run, when))
    if not criteria:
        criteria.append(RankingStep(None, lambda S: total_points(S[SHEETS], S[PLAYER]), None))
    outcomes = [bench.compile(one.when).run for one in results[0].outcomes] if results else []
    return Scoring(
        bench, lines, criteria, outcomes, rankings[0] if rankings else None, results[0] if results else None
    )
