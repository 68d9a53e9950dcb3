"""The Python API: a checked rulebook, positions that never change, observations. Plain typed values outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulesrun.api.errors import IllegalChoice, Json, NoMachineCode, RulesError, RulesFault
from rulesrun.api.moves import Chance, Choice, Decision, End, Outcome, Result
from rulesrun.api.position import Game, Position, ReferencePosition
from rulesrun.dsl.diagnostics.report import to_json, to_text
from rulesrun.dsl.typing.program import Program
from rulesrun.files.loading import Reading, read_rules, read_text
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.play.saved_positions import state_from_json
from rulesrun.interpreter.reference.table import Table, set_up
from rulesrun.records.recall import Observation, Recall
from rulesrun.records.remembered import Remembered
from rulesrun.services.tables import allowed_players
from rulesrun.terminal.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.api.batches import Many
    from rulesrun.records.native_memory import Retold

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
    return _rulebook(reading)


def loads(text: str, name: str = "rules") -> Rulebook:
    """Rules from text; the base of a variant is looked for in the working folder and among the bundled ones."""
    return _rulebook(read_text(text, name))


def _rulebook(reading: Reading) -> Rulebook:
    if reading.program is None:
        found = [to_json(one, reading.sources) for one in reading.diagnostics]
        raise RulesError(to_text(reading.diagnostics, reading.sources), found)
    return Rulebook(reading, reading.program)


@define(eq=False)
class Rulebook:
    """A checked rulebook. Made by `load` and `loads`."""

    _reading: Reading
    _program: Program
    _games: dict[tuple[int, str], Game] = field(factory=dict, init=False)
    _compiled: dict[Game, Retold] = field(factory=dict, init=False)

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
        return tuple(to_json(one, self._reading.sources) for one in self._reading.diagnostics)

    def start(
        self, players: int | None = None, options: Mapping[str, object] | None = None, seed: int | None = None,
        engine: str = "auto",
    ) -> Position:
        """The first position. With a seed chance happens by itself; without one it is a decision.

        `engine`: `reference`, `native` (compiled first, if need be), `auto`: native where it is compiled already.
        """
        if engine not in ENGINES:
            raise ValueError(f"there is no engine `{engine}`; there are: {', '.join(ENGINES)}")
        game = self._game(players, options)
        if engine == "native" or (engine == "auto" and game in self._compiled):
            from rulesrun.api.native_position import NativePosition

            return NativePosition.begun(game, self._natively(game), seed)
        return ReferencePosition.begun(game, None if seed is None else Streams(seed))

    def many(self, players: int | None = None, options: Mapping[str, object] | None = None) -> Many:
        """Thousands of positions at a time, as rows of an array. Raises NoMachineCode where there is none."""
        from rulesrun.api.batches import Many

        return Many.of(self._natively(self._game(players, options)).blocks.positions)

    def position(self, document: Mapping[str, Any]) -> Position:
        """What `Position.to_json` gave, as a position again. Raises ValueError when it is none of these rules."""
        try:
            if document["rules"] != self._reading.digest:
                raise ValueError("this is a position of other rules")
            game = self._game(document["players"], document["options"])
            streams = None if document["seed"] is None else Streams(document["seed"]).resumed(document["marks"])
            state = state_from_json(game.table, document["state"])
            told = state, Recall.from_json(game.table, document["recall"])
            return ReferencePosition(game, Remembered(told=told), state, streams)
        except (KeyError, TypeError, AttributeError, RulesError) as problem:
            raise ValueError(f"this is no position of these rules: {problem}") from None

    def _natively(self, game: Game) -> Retold:
        if game not in self._compiled:
            from rulesrun.run.engines import moment_blocks, native_blocks

            try:
                blocks = native_blocks(game.table)
            except Trouble as trouble:
                raise NoMachineCode(str(trouble)) from None
            from rulesrun.records.native_memory import Retold

            self._compiled[game] = Retold(blocks, lambda: moment_blocks(game.table))
        return self._compiled[game]

    def _table(self, players: int, options: Mapping[str, object]) -> Table:
        return self._game(players, options).table

    def _game(self, players: int | None, options: Mapping[str, object] | None) -> Game:
        players, options = self.players[0] if players is None else players, options or {}
        key = (players, repr(sorted(options.items())))
        if key not in self._games:
            try:
                self._games[key] = Game.of(self._reading, set_up(self._program, players, options))
            except RefusedTable as refusal:
                found = [to_json(one, self._reading.sources) for one in refusal.diagnostics]
                raise RulesError("; ".join(one.message for one in refusal.diagnostics), found) from None
        return self._games[key]
