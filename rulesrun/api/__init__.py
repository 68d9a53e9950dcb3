"""The Python API: a checked rulebook, positions that never change, observations. Plain typed values outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulesrun.api.errors import IllegalChoice, Json, NoMachineCode, RulesError, RulesFault
from rulesrun.api.moves import Chance, Choice, Decision, End, Outcome, Result
from rulesrun.api.position import Position, ReferencePosition, TableContext
from rulesrun.dsl.diagnostics.report import diagnostic_to_json, format_diagnostics
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading, read_rules, read_text
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.saved_positions import state_from_json
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.records.recall import Observation, Recall
from rulesrun.records.remembered import AnswerHistory
from rulesrun.services.tables import allowed_players
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.api.batches import Many
    from rulesrun.records.native_memory import NativeRecall

__all__ = [
    "Chance", "Choice", "Decision", "End", "IllegalChoice", "NoMachineCode", "Observation", "Outcome", "Position",
    "Result", "Rulebook", "RulesError", "RulesFault", "load", "loads",
]
ENGINES = ("auto", "reference", "native")


def load(path: str, with_: Sequence[str] = ()) -> Rulebook:
    """A path or the name of a bundled rulebook, and variants to lay over it."""
    try:
        reading = read_rules(path, with_)
    except Trouble as trouble:
        raise OSError(str(trouble)) from None
    return _make_rulebook(reading)


def loads(text: str, name: str = "rules") -> Rulebook:
    """Rules from text; the base of a variant is looked for in the working folder and among the bundled ones."""
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
        return self._reading.title

    @property
    def players(self) -> range:
        """How many may play."""
        return allowed_players(self._program)

    @property
    def warnings(self) -> tuple[Json, ...]:
        """What the checker found that is no error."""
        return tuple(diagnostic_to_json(one, self._reading.sources) for one in self._reading.diagnostics)

    def start(
        self, players: int | None = None, options: Mapping[str, object] | None = None, seed: int | None = None,
        engine: str = "auto",
    ) -> Position:
        """The first position. With a seed chance happens by itself; without one it is a decision.

        `engine`: `reference`, `native` (compiled first, if need be), `auto`: native where it is compiled already.
        """
        if engine not in ENGINES:
            raise ValueError(f"there is no engine `{engine}`; there are: {', '.join(ENGINES)}")
        game = self._table_context(players, options)
        if engine == "native" or (engine == "auto" and game in self._compiled):
            from rulesrun.api.native_position import NativePosition

            return NativePosition.begin_game(game, self._compile_recall(game), seed)
        return ReferencePosition.begin_game(game, None if seed is None else Streams(seed))

    def many(self, players: int | None = None, options: Mapping[str, object] | None = None) -> Many:
        """Thousands of positions at a time, as rows of an array. Raises NoMachineCode where there is none."""
        from rulesrun.api.batches import Many

        return Many.of_positions(self._compile_recall(self._table_context(players, options)).blocks.positions)

    def position(self, document: Mapping[str, Any]) -> Position:
        """What `Position.to_json` gave, as a position again. Raises ValueError when it is none of these rules."""
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

    def _compile_recall(self, game: TableContext) -> NativeRecall:
        if game not in self._compiled:
            from rulesrun.run.engines import compile_moment_blocks, require_native_blocks

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
