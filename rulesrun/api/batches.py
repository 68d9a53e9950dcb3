"""Thousands of positions at a time, as rows of an array: for learners and search. Arrays in, arrays out.

Needs the compiler. Positions of one table; a row is one of them, and may be copied and kept, and compared as bytes
once it is `settled`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulesrun.api.actions import Actions
from rulesrun.api.moves import Choice, Outcome
from rulesrun.interpreter.play.step import ChanceDecision, PlayerDecision

if TYPE_CHECKING:
    from rulesrun.interpreter.native.positions.action_rows import ActionRows
    from rulesrun.interpreter.native.positions.batches import Batch, Numbers, Rows
    from rulesrun.interpreter.native.positions.blocks import BlockCanonicalizer
    from rulesrun.interpreter.native.positions.positions import NativePositions
    from rulesrun.interpreter.native.views.number_views import LayoutPart, NumberView
    from rulesrun.interpreter.native.views.observations import BatchObserver, Seen

CHANCE, TEAM, NOBODY = -1, 0, -2
EVERYBODY = 0


@define(eq=False)
class Many:
    """Many positions of one table at a time. Made by `Rulebook.many`; every thread needs its own."""

    _batch: Batch
    _number_actions: Callable[[], Actions]
    _observed: dict[int, BatchObserver] = field(factory=dict, init=False)
    _sameness: BlockCanonicalizer | None = field(default=None, init=False)
    _actions: Actions | None = field(default=None, init=False)
    _action_rows: ActionRows | None = field(default=None, init=False)
    _views: dict[tuple[int, bool], NumberView] = field(factory=dict, init=False)

    @staticmethod
    def of_positions(positions: NativePositions, number_actions: Callable[[], Actions]) -> Many:
        from rulesrun.interpreter.native.positions.batches import Batch

        return Many(Batch(positions), number_actions)

    @property
    def players(self) -> int:
        """How many play."""
        return self._batch.positions.table.players

    @property
    def size(self) -> int:
        """How many bytes a position takes."""
        return self._batch.size

    def start(self, amount: int) -> Rows:
        """This many games at their first question: an array of bytes, one row each."""
        return self._batch.start(amount)

    def options(self, rows: Rows) -> Numbers:
        """How many answers each row has; 0 when the game is over."""
        return self._batch.options(rows)

    def mask(self, rows: Rows, width: int | None = None) -> Any:
        """The same as truth values, a column for each answer; as wide as needed, unless told."""
        import numpy

        amounts = self.options(rows)
        width = int(amounts.max(initial=0)) if width is None else width
        return numpy.arange(width)[None, :] < amounts[:, None]

    def deciding(self, rows: Rows) -> Numbers:
        """Who decides: a seat, 0 for the team, -1 for chance, -2 when the game is over."""
        return self._batch.deciding(rows)

    def at_random(self, rows: Rows, words: Any) -> Numbers:
        """A random answer for each row, from a random 64-bit word each: of chance by the odds, of players any."""
        return self._batch.at_random(rows, words)

    def apply(self, rows: Rows, answers: Any) -> Numbers:
        """Answers the question of every row, in place. Gives for each 1 if the game goes on, 0 if it is over, -1 if the
        rules come to a fault, -2 if there is no such answer: then the row stays as it was."""
        import numpy

        found: Numbers = numpy.minimum(self._batch.apply_answers(rows, answers), 1)
        return found

    def settled(self, rows: Rows) -> Rows:
        """The same positions in a canonical form: they are equal exactly if their bytes are. Compare, count and look up
        by it; play on from `rows`."""
        import numpy

        self._batch.check_rows(rows)
        if self._sameness is None:
            from rulesrun.interpreter.native.positions.blocks import BlockCanonicalizer

            self._sameness = BlockCanonicalizer(self._batch.positions)
        if not self._sameness.is_needed or not len(rows):
            return rows.copy()
        one_way = b"".join([self._sameness.canonical_block(row.tobytes()) for row in rows])
        return numpy.frombuffer(bytearray(one_way), dtype=numpy.uint8).reshape(rows.shape)

    def is_over(self, rows: Rows) -> Any:
        """Which games are over."""
        return self._batch.is_over(rows)

    def scores(self, rows: Rows) -> Any:
        """The score of each player, by seat; final once the game is over."""
        return self._batch.scores(rows)

    def places(self, rows: Rows) -> Any:
        """The final place of each player, by seat, from 1; 0 while the game goes on."""
        return self._batch.places(rows)

    def observe(self, rows: Rows, player: int) -> Seen:
        """What this player sees now: an array with named fields. Nothing unseen has any influence on it."""
        return self._observer(player).observe_rows(rows)

    def layout(self, player: int, relative: bool = False) -> tuple[LayoutPart, ...]:
        """What the columns of `observe_numbers` mean. `relative`: seats are counted from the player's own, so that the
        columns are the same for all."""
        return self._number_view(player, relative).layout

    def observe_numbers(self, rows: Rows, player: int, relative: bool = False) -> Any:
        """What `observe` gives, as rows of whole numbers: one part after the other, as `layout` lists them."""
        return self._number_view(player, relative).observe_rows(rows)

    @property
    def actions(self) -> Actions:
        """The fixed numbers of all answers, as `Rulebook.actions` gives them."""
        if self._actions is None:
            self._actions = self._number_actions()
        return self._actions

    def action_numbers(self, rows: Rows) -> tuple[Any, Numbers]:
        """The fixed numbers of each row's answers, in the order of the rules, and how many there are; what stands
        behind the last means nothing. There are none where chance decides and when the game is over."""
        return self._numbered().number_options(rows)

    def play_on(self, rows: Rows, answers: Any, streams: Any) -> Numbers:
        """Like `apply`, followed by everything that chance decides. An answer below zero means chance alone. `streams`:
        an unsigned 64-bit word for each row, any to begin with; they are moved on."""
        import numpy

        found: Numbers = numpy.minimum(self._batch.play_on(rows, answers, streams), 1)
        return found

    def observe_movers(self, rows: Rows) -> Any:
        """What the player who is to choose sees in each row, counted from that seat: the same columns for all. Where
        the team or chance decides, and at the end, it is what the first seat sees."""
        import numpy

        whose = numpy.maximum(self.deciding(rows) - 1, 0)
        return self._number_view(EVERYBODY, True).observe_rows(rows, whose)

    def _observer(self, player: int) -> BatchObserver:
        if player not in range(1, self.players + 1):
            raise ValueError(f"there is no player {player}")
        if player not in self._observed:
            from rulesrun.interpreter.native.views.observations import BatchObserver

            self._observed[player] = BatchObserver(self._batch, player)
        return self._observed[player]

    def _number_view(self, player: int, relative: bool) -> NumberView:
        if (player, relative) not in self._views:
            from rulesrun.interpreter.native.views.number_views import NumberView, SeatParts
            from rulesrun.run.engine_choice import CodeCache, cache_folder

            seats = range(1, self.players + 1) if player == EVERYBODY else (player,)
            parts = tuple(SeatParts(self._observer(seat), relative) for seat in seats)
            self._views[player, relative] = NumberView(parts, CodeCache(cache_folder()))
        return self._views[player, relative]

    def _numbered(self) -> ActionRows:
        if self._action_rows is None:
            from rulesrun.interpreter.native.positions.action_rows import ActionRows

            self._action_rows = ActionRows(self._batch, self.actions._numbers)
        return self._action_rows

    def legal(self, rows: Rows, at: int) -> tuple[Choice, ...] | tuple[Outcome, ...]:
        """The answers of one row in words: `Choice`s, or `Outcome`s with their odds."""
        from rulesrun.interpreter.native.positions.positions import Position

        self._batch.check_rows(rows)
        question = self._batch.positions.pending_decision(Position(rows[at].tobytes()))
        if isinstance(question, PlayerDecision):
            return tuple(Choice.from_option(option) for option in question.options)
        if isinstance(question, ChanceDecision):
            return tuple(Outcome.from_question(question, index) for index in range(len(question)))
        return ()
