"""The Python API: a checked rulebook, positions that never change, observations. Plain typed values outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from rulesrun.dsl.program import Program
from rulesrun.dsl.report import to_json, to_text
from rulesrun.interpreter.play import chance_source
from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.refusals import why_not
from rulesrun.interpreter.saved import state_from_json, state_to_json
from rulesrun.interpreter.step import ChanceDecision, GameOver, PlayerDecision
from rulesrun.interpreter.table import Table, set_up
from rulesrun.interpreter.values import Fault, RefusedTable
from rulesrun.loading import Reading, read_rules, read_text
from rulesrun.moves import Chance, Choice, Decision, End, Outcome, Result
from rulesrun.recall import Observation, Recall
from rulesrun.remembered import Remembered
from rulesrun.tables import allowed_players
from rulesrun.traces import Reference, Stepping
from rulesrun.trouble import Trouble

if TYPE_CHECKING:
    from rulesrun.interpreter.native.positions import Positions
    from rulesrun.many import Many

Json = dict[str, Any]
ENGINES = ("auto", "reference", "native")


class RulesError(Exception):
    """The rules (or the options asked for) do not hold together. `diagnostics`: one dictionary each."""

    def __init__(self, message: str, diagnostics: Sequence[Json]) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class RulesFault(RulesError):
    """The rules came to something that has no meaning while they were played."""


class NoMachineCode(RuntimeError):
    """Machine code was asked for, and there is none: the compiler is not installed, or cannot say these rules."""


class IllegalChoice(ValueError):
    """This cannot be chosen here; the text says which condition fails. The position stays as it is."""


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
    _tables: dict[tuple[int, str], Table] = field(factory=dict, init=False)
    _compiled: dict[Table, Positions] = field(factory=dict, init=False)

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
        table = self._table(self.players[0] if players is None else players, options or {})
        streams = None if seed is None else Streams(seed)
        stepping = self._stepping(table, engine)
        remembered = Remembered(table)
        with _told(self._reading):
            try:
                held = stepping.begin().state
            except Fault:  # the reference tells what is wrong, or goes on where machine code is not sure
                held, stepping = remembered.asked()[0], Reference(table)
            return Position(self, table, stepping, held, remembered, streams)._settled()

    def many(self, players: int | None = None, options: Mapping[str, object] | None = None) -> Many:
        """Thousands of positions at a time, as rows of an array. Raises NoMachineCode where there is none."""
        from rulesrun.many import Many

        table = self._table(self.players[0] if players is None else players, options or {})
        return Many.of(self._natively(table))

    def position(self, document: Mapping[str, Any]) -> Position:
        """What `Position.to_json` gave, as a position again. Raises ValueError when it is none of these rules."""
        try:
            if document["rules"] != self._reading.digest:
                raise ValueError("this is a position of other rules")
            table = self._table(document["players"], document["options"])
            streams = None if document["seed"] is None else Streams(document["seed"]).resumed(document["marks"])
            told = state_from_json(table, document["state"]), Recall.from_json(table, document["recall"])
            return Position(self, table, Reference(table), told[0], Remembered(table, told=told), streams)
        except (KeyError, TypeError, AttributeError, RulesError) as problem:
            raise ValueError(f"this is no position of these rules: {problem}") from None

    def _stepping(self, table: Table, engine: str) -> Stepping:
        if engine not in ENGINES:
            raise ValueError(f"there is no engine `{engine}`; there are: {', '.join(ENGINES)}")
        if engine == "native" or (engine == "auto" and table in self._compiled):
            return self._natively(table)
        return Reference(table)

    def _natively(self, table: Table) -> Positions:
        if table not in self._compiled:
            from rulesrun.engines import native_positions

            try:
                self._compiled[table] = native_positions(table)
            except Trouble as trouble:
                raise NoMachineCode(str(trouble)) from None
        return self._compiled[table]

    def _table(self, players: int, options: Mapping[str, object]) -> Table:
        key = (players, repr(sorted(options.items())))
        if key not in self._tables:
            try:
                self._tables[key] = set_up(self._program, players, options)
            except RefusedTable as refusal:
                found = [to_json(one, self._reading.sources) for one in refusal.diagnostics]
                raise RulesError("; ".join(one.message for one in refusal.diagnostics), found) from None
        return self._tables[key]


@frozen(eq=False)
class Position:
    """A position of a game. Never changes; may be compared, hashed and kept."""

    _rulebook: Rulebook
    _table: Table
    _stepping: Stepping
    _held: Any  # a position as its engine has it
    _remembered: Remembered
    _streams: Streams | None
    _asked: list[PlayerDecision | ChanceDecision | GameOver] = field(factory=list, init=False)  # once it is known

    def __repr__(self) -> str:
        return f"<position of {self._rulebook.title!r}: {self.players} players, {self.pending}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What notebooks and Hypothesis show."""
        printer.text(repr(self))

    @property
    def players(self) -> int:
        return self._table.players

    @property
    def engine(self) -> str:
        """`reference` or `native`: who answers. Nothing else tells the two apart."""
        return "reference" if isinstance(self._stepping, Reference) else "native"

    @property
    def options(self) -> Mapping[str, object]:
        """Every option and reading with its value."""
        return dict(self._table.options)

    @property
    def pending(self) -> Decision | Chance | End:
        """What must be answered here."""
        question = self._question()
        if isinstance(question, PlayerDecision):
            return Decision(question.player, question.together or ())
        if isinstance(question, ChanceDecision):
            return Chance(question.what, question.origin, question.target)
        return End()

    def legal(self) -> tuple[Choice, ...] | tuple[Outcome, ...]:
        """Everything that may be answered, without repetition, in the order of the rules; at the end nothing."""
        question = self._question()
        if isinstance(question, PlayerDecision):
            return tuple(Choice.of_option(option) for option in question.options)
        if isinstance(question, ChanceDecision):
            return tuple(Outcome.of(question, index) for index in range(len(question)))
        return ()

    def apply(self, answer: Choice | Outcome | int) -> Position:
        """The position after it. Raises IllegalChoice; this position stays as it is."""
        index = answer if isinstance(answer, int) else self._index(answer)
        try:
            with _told(self._rulebook._reading):
                return self._followed(index)._settled()
        except IndexError:
            question = self._question()
            if isinstance(question, GameOver):
                raise IllegalChoice("the game is over") from None
            raise IllegalChoice(f"there are {len(question)} ways to go on, numbered from 0") from None

    def observe(self, player: int) -> Observation:
        """What this player may know: what lies open now, and everything seen and done before."""
        if player not in range(1, self.players + 1):
            raise ValueError(f"there is no player {player}")
        _, recall = self._remembered.asked()
        return recall.observation(self._question(), player)

    def result(self) -> Result | None:
        """The scores and places once the game is over."""
        question = self._question()
        if not isinstance(question, GameOver):
            return None
        return Result(dict(question.scores), question.places, question.result)

    def to_json(self) -> Json:
        """Plain data from which `Rulebook.position` makes this position again."""
        state, recall = self._remembered.asked()
        return {
            "rules": self._rulebook._reading.digest,
            "players": self.players,
            "options": dict(self._table.options),
            "seed": None if self._streams is None else self._streams.seed,
            "marks": {} if self._streams is None else self._streams.marks(),
            "state": state_to_json(self._table, state),
            "recall": recall.to_json(),
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __copy__(self) -> Position:
        return self

    def _identity(self) -> tuple[object, ...]:
        return self._rulebook._reading.digest, self.players, repr(self._table.options), self._held

    def _question(self) -> PlayerDecision | ChanceDecision | GameOver:
        if not self._asked:
            with _told(self._rulebook._reading):
                self._asked.append(self._stepping.pending(self._held))
        return self._asked[0]

    def _index(self, answer: Choice | Outcome) -> int:
        question = self._question()
        if isinstance(question, GameOver):
            raise IllegalChoice("the game is over")
        legal: tuple[Any, ...] = self.legal()
        if answer in legal:
            return legal.index(answer)
        if isinstance(answer, Choice) and isinstance(question, PlayerDecision):
            state, _ = self._remembered.asked()
            refusal = why_not(self._table, state, answer.action, dict(answer.arguments))
            raise IllegalChoice(f"{answer.action}: {refusal.reason if refusal else 'this is not offered here'}")
        raise IllegalChoice(f"{answer} cannot come here")

    def _followed(self, index: int) -> Position:
        remembered, stepping = self._remembered.then(index), self._stepping
        try:
            held = stepping.follow(self._held, index).state
        except Fault:  # the reference tells what is wrong, or goes on where machine code is not sure
            held, stepping = remembered.asked()[0], Reference(self._table)
        return evolve(self, stepping=stepping, held=held, remembered=remembered)

    def _settled(self) -> Position:
        """With a seed: after all chance."""
        position, streams = self, self._streams
        if streams is None:
            return self
        streams = streams.resumed(streams.marks())
        while isinstance(question := position._question(), ChanceDecision):
            number = streams.below(question.total, chance_source(question.origin, question.target))
            position = position._followed(question.index_at(number))
        return evolve(position, streams=streams)


@define(eq=False)
class _told:
    """Inside, a fault of the rules becomes a RulesFault with its place."""

    reading: Reading

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, Fault):
            found = to_json(problem.diagnostic, self.reading.sources)
            raise RulesFault(problem.diagnostic.message, [found]) from None
