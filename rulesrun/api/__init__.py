"""The Python API: a checked rulebook, positions that never change, observations. Plain typed values outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulesrun.api.actions import Actions, Steps, TooManyActions
from rulesrun.api.errors import IllegalChoice, Json, NoMachineCode, RulesError, RulesFault
from rulesrun.api.game_bounds import MOST_LOOKED_AT, GameBounds, find_bounds
from rulesrun.api.moves import Chance, Choice, Decision, End, Outcome, Result
from rulesrun.api.position import Position, ReferencePosition, TableContext
from rulesrun.api.reports import Report, translate_errors, write_players, write_settings
from rulesrun.dsl.diagnostics.report import diagnostic_to_json, format_diagnostics
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading, read_rules, read_text
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.saved_positions import state_from_json
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.spaces.action_numbers import MOST_ACTIONS
from rulesrun.records.recall import AnswerHistory, Observation, Recall
from rulesrun.services.tables import allowed_players
from rulesrun.terminal.requests import (
    Asked,
    AssessRequest,
    CompareRequest,
    DeadweightRequest,
    ExploreRequest,
    LadderRequest,
    SimulateRequest,
    SolveRequest,
    TestRequest,
    TreeRequest,
)
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.api.batches import Many
    from rulesrun.records.native_memory import NativeRecall
    from rulesrun.services.assess import Assessment
    from rulesrun.services.compare import Comparison
    from rulesrun.services.deadweight import Weighing
    from rulesrun.services.explore import Exploration
    from rulesrun.services.ladder import Ladder
    from rulesrun.services.measure import MeasuredFile
    from rulesrun.services.reports import FileReport
    from rulesrun.services.solve import SolvedGame
    from rulesrun.services.tree import CountedTree

Players: TypeAlias = "int | range | tuple[int, int] | str | None"
Options: TypeAlias = "Mapping[str, object] | None"

__all__ = [
    "Actions", "Chance", "Choice", "Decision", "End", "GameBounds", "IllegalChoice", "NoMachineCode", "Observation",
    "Outcome", "Position", "Report", "Result", "Rulebook", "RulesError", "RulesFault", "Steps", "TooManyActions",
    "load", "loads",
]
ENGINES = ("auto", "reference", "native")


def load(path: str, with_: Sequence[str] = ()) -> Rulebook:
    """Reads and checks a rulebook: a path, or the name of a bundled one. `with_`: variants to lay over it. Raises
    RulesError, or OSError if there is no such file."""
    try:
        reading = read_rules(path, with_)
    except Trouble as trouble:
        raise OSError(str(trouble)) from None
    return _make_rulebook(reading)


def loads(text: str, name: str = "rules") -> Rulebook:
    """The same from text. The base of a variant is looked for in the working folder, then among the bundled ones."""
    return _make_rulebook(read_text(text, name))


def _make_rulebook(reading: Reading) -> Rulebook:
    if reading.program is None:
        found = [diagnostic_to_json(one, reading.sources) for one in reading.diagnostics]
        raise RulesError(format_diagnostics(reading.diagnostics, reading.sources), found)
    return Rulebook(reading, reading.program)


@define(eq=False)
class Rulebook:
    """A checked rulebook. Made by `load` and `loads`."""

    _reading: Reading
    _program: Program
    _games: dict[tuple[int, str], TableContext] = field(factory=dict, init=False)
    _compiled: dict[TableContext, NativeRecall] = field(factory=dict, init=False)

    @property
    def title(self) -> str:
        """What the game is called."""
        return self._reading.title

    @property
    def players(self) -> range:
        """How many players the rules allow."""
        return allowed_players(self._program)

    @property
    def warnings(self) -> tuple[Json, ...]:
        """What the checker found besides errors, a dictionary each."""
        return tuple(diagnostic_to_json(one, self._reading.sources) for one in self._reading.diagnostics)

    def start(
        self, players: int | None = None, options: Mapping[str, object] | None = None, seed: int | None = None,
        engine: str = "auto",
    ) -> Position:
        """The first position. With a seed, chance answers by itself; without one, you answer for it.

        `players`: the fewest allowed, unless told. `options`: by name, as the rules write them. `engine`: `reference`;
        `native`, which compiles the table first if need be; `auto`, native if the table has been compiled already.
        """
        if engine not in ENGINES:
            raise ValueError(f"there is no engine `{engine}`; there are: {', '.join(ENGINES)}")
        game = self._table_context(players, options)
        if engine == "native" or (engine == "auto" and game in self._compiled):
            from rulesrun.api.native_position import NativePosition

            return NativePosition.begin_game(game, self._compile_recall(game), seed)
        return ReferencePosition.begin_game(game, None if seed is None else Streams(seed))

    def many(self, players: int | None = None, options: Mapping[str, object] | None = None) -> Many:
        """Thousands of positions of one table at a time, as rows of an array. Raises NoMachineCode."""
        from rulesrun.api.batches import Many

        game = self._table_context(players, options)
        return Many.of_positions(self._compile_recall(game).blocks.positions, lambda: self._number_actions(game))

    def actions(self, players: int | None = None, *, limit: int = MOST_ACTIONS, **options: object) -> Actions:
        """All answers that the declared domains of a table allow, each with a fixed number. Raises TooManyActions if
        there are more than `limit`, or if a domain has no bounds."""
        return self._number_actions(self._table_context(players, options), limit)

    def action_steps(self, players: int | None = None, **options: object) -> Steps:
        """The same answers in steps, first the action, then each of its values: for tables with too many of them."""
        game = self._table_context(players, options)
        return Steps.of_table(game.table, game.identity)

    def bounds(self, players: int | None = None, *, limit: int = MOST_LOOKED_AT, **options: object) -> GameBounds:
        """How long games can be, which scores are possible, whether they always add up to the same. All of it is
        proved, by looking at every position; nothing is said of a table with more than `limit` of them."""
        return find_bounds(self.many(players, options), limit)

    def _number_actions(self, game: TableContext, limit: int = MOST_ACTIONS) -> Actions:
        return Actions.of_table(game.table, game.identity, limit)

    def position(self, document: Mapping[str, Any]) -> Position:
        """Restores what `Position.to_json` gave. Raises ValueError if it is no position of these rules."""
        try:
            if document["rules"] != self._reading.digest:
                raise ValueError("this is a position of other rules")
            game = self._table_context(document["players"], document["options"])
            streams = None if document["seed"] is None else Streams(document["seed"]).resume_at(document["marks"])
            state = state_from_json(game.table, document["state"])
            told = state, Recall.from_json(game.table, document["recall"])
            return ReferencePosition(game, AnswerHistory(told=told), state, streams)
        except (KeyError, TypeError, AttributeError, RulesError) as problem:
            raise ValueError(f"this is no position of these rules: {problem}") from None

    # ---- what the command line can do; each gives a report

    def check(self) -> Report[Reading]:
        """What the checker found besides errors: rules with errors are not loaded in the first place."""
        from rulesrun.report.check_text import check_json, check_text
        from rulesrun.services.check import check_rules

        with translate_errors(self._reading):
            reading = check_rules(self._reading)
        return Report(reading, True, lambda: check_text(reading), lambda: check_json(reading))

    def test(
        self, players: Players = None, options: Options = None, games: int = 20, seed: int = 0
    ) -> Report[FileReport]:
        """Runs the worked examples, and tests the properties in a few random games at every table."""
        from rulesrun.examine.examination import examined
        from rulesrun.report.report_json import report_json
        from rulesrun.services.reports import report_text

        request = self._request(TestRequest, players, options, games=games, seed=seed)
        with translate_errors(self._reading):
            found = examined(self._reading, request)
        return Report(found, found.holds, lambda: report_text(found), lambda: report_json(found))

    def simulate(
        self, players: Players = None, options: Options = None, games: int | None = None, within: float | None = None,
        seconds: int | None = None, seats: str | None = None, seed: int = 0, jobs: int | None = None,
        engine: str = "auto",
    ) -> Report[MeasuredFile]:
        """Plays many games and gives their figures, with intervals.

        `within`: play until shares are known this precisely, such as `0.01`. `seats`: who plays, such as `"greedy"`.
        """
        from rulesrun.report.measure_json import measurement_json
        from rulesrun.report.measure_text import measurement_lines
        from rulesrun.services.measure import measure_rules

        request = self._request(
            SimulateRequest, players, options, games=games, within=within, seconds=seconds, seats=seats, seed=seed,
            jobs=jobs, engine=engine,
        )
        with translate_errors(self._reading):
            found = measure_rules(self._reading, request)
        return Report(
            found, found.holds, lambda: "\n".join(measurement_lines(found, request)),
            lambda: measurement_json(found, request, with_components=False),
        )

    def compare(
        self, *variants: Rulebook | str, players: Players = None, options: Options = None, games: int | None = None,
        seconds: int | None = None, seats: str | None = None, seed: int = 0, jobs: int | None = None,
        engine: str = "auto",
    ) -> Report[list[Comparison]]:
        """What variants change: in the rules, and in games on the same deals. A variant is a path, a name or a
        Rulebook."""
        from rulesrun.report.compare_text import comparison_lines, comparisons_json
        from rulesrun.services.compare import compare_variants

        others = [load(one)._reading if isinstance(one, str) else one._reading for one in variants]
        if not others:
            raise ValueError("`compare` needs a variant to compare the rules with")
        request = self._request(
            CompareRequest, players, options, games=games, seconds=seconds, seats=seats, seed=seed, jobs=jobs,
            engine=engine,
        )
        with translate_errors(self._reading):
            found = list(compare_variants(self._reading, others, request))
        return Report(
            found, all(one.holds for one in found),
            lambda: "\n\n".join("\n".join(comparison_lines(one, request)) for one in found),
            lambda: comparisons_json(found, request),
        )

    def explore(
        self, players: Players = None, options: Options = None, limit: int | None = None, memory: int | None = None,
        whole: bool = False, symmetry: bool = True, jobs: int | None = None, engine: str = "auto",
    ) -> Report[Exploration]:
        """Checks every reachable position of a small table.

        `limit`: how many positions at most. `whole`: take the table as the rules have it, not a smaller one.
        """
        from rulesrun.report.explore_json import exploration_json
        from rulesrun.report.explore_text import exploration_text
        from rulesrun.services.explore import explore_rules

        request = self._request(
            ExploreRequest, players, options, limit=limit, memory=memory, whole=whole, no_symmetry=not symmetry,
            jobs=jobs, engine=engine,
        )
        with translate_errors(self._reading):
            found = explore_rules(self._reading, request)
        return Report(found, found.holds, lambda: exploration_text(found), lambda: exploration_json(found))

    def tree(
        self, players: Players = None, options: Options = None, small: str | None = None, jobs: int | None = None,
        engine: str = "auto",
    ) -> Report[CountedTree]:
        """Counts the tree of a small game exactly: its ends, its information sets, what random play comes to."""
        from rulesrun.report.tree_text import tree_json, tree_text
        from rulesrun.services.tree import count_tree

        request = self._request(TreeRequest, players, options, small=small, jobs=jobs, engine=engine)
        with translate_errors(self._reading):
            found = count_tree(self._reading, request)
        return Report(found, True, lambda: tree_text(found), lambda: tree_json(found))

    def solve(
        self, players: Players = None, options: Options = None, within: float | None = None, seconds: int | None = None
    ) -> Report[SolvedGame]:
        """The value of a small game for two, and how to play it. Raises ValueError if there is no answer."""
        from rulesrun.report.solve_text import answer_text, solved_json
        from rulesrun.services.solve import solve_rules

        request = self._request(SolveRequest, players, options, within=within, seconds=seconds)
        with translate_errors(self._reading):
            found = solve_rules(self._reading, request)
        return Report(
            found, True, lambda: answer_text(found.table, found.reading.title, found.answer), lambda: solved_json(found)
        )

    def ladder(
        self, players: Players = None, options: Options = None, budget: str | None = None, games: int | None = None,
        seconds: int | None = None, seed: int = 0, jobs: int | None = None, engine: str = "auto",
    ) -> Report[Ladder]:
        """Does thinking pay, how soon, and does a simple habit win? `budget`: rollouts a decision, such as
        `"50,200"`."""
        from rulesrun.report.ladder_text import ladder_json, ladder_text
        from rulesrun.services.ladder import climb_ladder

        request = self._request(
            LadderRequest, players, options, budget=budget, games=games, seconds=seconds, seed=seed, jobs=jobs,
            engine=engine,
        )
        with translate_errors(self._reading):
            found = climb_ladder(self._reading, request)
        return Report(found, True, lambda: ladder_text(found), lambda: ladder_json(found))

    def assess(
        self, players: Players = None, options: Options = None, seconds: int | None = None, work: int | None = None,
        choice_seconds: float | None = None, seed: int = 0, jobs: int | None = None, engine: str = "auto",
    ) -> Report[Assessment]:
        """Answers five questions of a designer with good players: who is favoured, how long it takes, whether skill
        matters, which options are worthless, when the game is decided. The findings have an answer each: `seats`,
        `length`, `skill`, `worth`, `decided`. `work`: as much as is done in so many seconds, but without a clock."""
        from rulesrun.report.assess_text import assessment_json, assessment_text
        from rulesrun.services.assess import assess_rules

        request = self._request(
            AssessRequest, players, options, seconds=seconds, work=work, choice_seconds=choice_seconds, seed=seed,
            jobs=jobs, engine=engine,
        )
        with translate_errors(self._reading):
            found = assess_rules(self._reading, request)
        return Report(found, True, lambda: assessment_text(found), lambda: assessment_json(found))

    def deadweight(
        self, players: Players = None, options: Options = None, games: int | None = None, seconds: int | None = None,
        seats: str | None = None, seed: int = 0, jobs: int | None = None, engine: str = "auto",
    ) -> Report[Weighing]:
        """What changes without each rule, exception and option."""
        from rulesrun.report.deadweight_text import weighing_json, weighing_lines
        from rulesrun.services.deadweight import weigh_all_rules

        request = self._request(
            DeadweightRequest, players, options, games=games, seconds=seconds, seats=seats, seed=seed, jobs=jobs,
            engine=engine,
        )
        with translate_errors(self._reading):
            found = weigh_all_rules(self._reading, request)
        return Report(
            found, True, lambda: "\n".join(weighing_lines(found, request)), lambda: weighing_json(found, request)
        )

    def _request(self, kind: type[Asked], players: Players, options: Options, **asked: Any) -> Asked:
        return kind(
            files=(self._reading.name,), players=write_players(players), settings=write_settings(options), quiet=True,
            **asked,
        )

    def _compile_recall(self, game: TableContext) -> NativeRecall:
        if game not in self._compiled:
            from rulesrun.run.compiled import compile_moment_blocks, require_native_blocks

            try:
                blocks = require_native_blocks(game.table)
            except Trouble as trouble:
                raise NoMachineCode(str(trouble)) from None
            from rulesrun.records.native_memory import NativeRecall

            self._compiled[game] = NativeRecall(blocks, lambda: compile_moment_blocks(game.table))
        return self._compiled[game]

    def _set_up_table(self, players: int, options: Mapping[str, object]) -> Table:
        return self._table_context(players, options).table

    def _table_context(self, players: int | None, options: Mapping[str, object] | None) -> TableContext:
        players, options = self.players[0] if players is None else players, options or {}
        key = (players, repr(sorted(options.items())))
        if key not in self._games:
            try:
                self._games[key] = TableContext.for_table(self._reading, set_up_table(self._program, players, options))
            except RefusedTable as refusal:
                found = [diagnostic_to_json(one, self._reading.sources) for one in refusal.diagnostics]
                raise RulesError("; ".join(one.message for one in refusal.diagnostics), found) from None
        return self._games[key]
