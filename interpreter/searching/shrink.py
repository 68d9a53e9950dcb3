"""Makes a failing game as small as it will get. Takes a game and what fails, gives the smallest game found.

Fewer players first, then fewer decisions, fewer answers, first options and first outcomes; then options as the
rules have them, and lower numbers in them. Every candidate is played through the real rules and kept only when the
same failure comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import define, field

from rulesrun.interpreter.random import Streams
from rulesrun.interpreter.searching.effort import Effort, Part
from rulesrun.interpreter.searching.games import LEAK, Answering, Game, Kind, Listed, Player, Seeded, ThenRandom
from rulesrun.interpreter.searching.plainer import lowered, plainer
from rulesrun.interpreter.searching.search import Leaning
from rulesrun.interpreter.table import Table

ROLLOUTS = 4
FRESH_GAMES = 60
SHORT = 4  # decisions
PATIENCE = 3
FEW = 2
OTHER_GAMES = 100
LOOKED_AT = 3_000
SHARE_OF_SMALLER = 0.4
SHARE_OF_GAME = 0.75
SHARE_OF_OPTION = 0.15


@define(eq=False)
class Shrinking:
    """`best` ends with the failure. `effort`: how much may be tried."""

    kind: Kind
    best: Game
    effort: Part
    tried: int = 0
    _player: Player = field(init=False)
    _known: set[tuple[int, ...]] = field(init=False, factory=set)
    _random: int = 0

    def __attrs_post_init__(self) -> None:
        self._player = Player(self.best.table, 0, self.kind, self.kind.name == LEAK)

    @property
    def is_over(self) -> bool:
        return self.effort.is_over

    def attempt(self, answering: Answering, limit: int | None = None) -> bool:
        """Plays a candidate; true when it fails alike and is smaller."""
        self.tried += 1
        game = self.played(answering, self.decisions if limit is None else limit)
        failed = game.failure(self.kind)
        if failed is None or measure(game) >= measure(self.best):
            return False
        self.best = game
        return True

    def played(self, answering: Answering, limit: int) -> Game:
        before = self._player.spent
        game = self._player.play(answering, limit)
        self.effort.spend(self._player.spent - before)
        return game

    def answers(self, answers: Sequence[int]) -> bool:
        key = tuple(answers)
        if key in self._known:
            return False
        self._known.add(key)
        return self.attempt(Listed(key))

    @property
    def decisions(self) -> int:
        return len(self.best.choices)

    def smallest(self) -> Game:
        """All passes again and again, until nothing can be taken away or enough was tried.

        Of a game that is long still, other games are tried some more times.
        """
        taking_away = (self.without_parts, self.short_games, self.first_answers, self.lower_answers)
        fruitless, tidied = 0, None
        while fruitless < (1 if self.decisions <= SHORT else PATIENCE) and not self.is_over:
            before = self.best
            for one in (self.shorter_ends, self.fresh_games):
                one()
            if self.best is not tidied:
                for one in taking_away:
                    one()
                tidied = self.best
            fruitless = 0 if self.best is not before else fruitless + 1
        return self.best

    # ---- passes

    def fresh_games(self) -> None:
        """Other games, with another deal, that may not last as long."""
        tried, used = 0, Counter[tuple[int, int]]()
        while tried < FRESH_GAMES and self.decisions > 1 and not self.is_over:
            self._random += 1
            streams = Streams(self._random)
            answering = Leaning(streams, used) if self._random % 2 else Seeded(streams)
            tried = 0 if self.attempt(answering, self.decisions - 1) else tried + 1

    def shorter_ends(self) -> None:
        """The game as it was up to some decision, then at random: often there is a shorter way from there."""
        tried = 0
        while tried < ROLLOUTS * 8 and self.decisions > 1 and not self.is_over:
            self._random += 1
            at = self._random % self.decisions
            prefix = self.best.answers[: self.best.choices[at]]
            following = Seeded(Streams(self._random))
            tried = 0 if self.attempt(ThenRandom(Listed(prefix), following), self.decisions - 1) else tried + 1

    def without_parts(self) -> None:
        """Some decisions, with the chance that followed each, left out: half of them, a quarter, …, one."""
        size = max(self.decisions // 2, 1)
        while size and not self.is_over:
            at = self.decisions - size
            while at >= 0 and not self.is_over:
                if at + size <= self.decisions:
                    bounds = [*self.best.choices, len(self.best.answers)]
                    self.answers(self.best.answers[: bounds[at]] + self.best.answers[bounds[at + size] :])
                at -= size
            size //= 2

    def short_games(self) -> None:
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
                game = self.played(Choosing(start, row), depth)
                if game.failure(self.kind) is not None:
                    if measure(game) < measure(self.best):
                        self.best = game
                    return
                if len(game.choices) == depth and len(following) < LOOKED_AT:
                    following.extend((*row, index) for index in range(self._asked(start, row)))
            rows = following

    def _asked(self, start: tuple[int, ...], row: tuple[int, ...]) -> int:
        """How many options there are after these choices; 0 when the game is over."""
        looking = Choosing(start, (*row, 0))
        self.played(looking, len(row) + 1)
        return looking.width

    def first_answers(self) -> None:
        """First options and outcomes, many at a time, then one by one."""
        size = len(self.best.answers)
        while size and not self.is_over:
            for at in range(0, len(self.best.answers), size):
                part = self.best.answers[at : at + size]
                if any(part) and not self.is_over:
                    self.answers((*self.best.answers[:at], *(0 for _ in part), *self.best.answers[at + size :]))
            size //= 2

    def lower_answers(self) -> None:
        at = 0
        while at < len(self.best.answers) and not self.is_over:
            value = self.best.answers[at]
            for lower in sorted({1, value // 2, value - 1}):
                if 0 < lower < value and self.answers(
                    (*self.best.answers[:at], lower, *self.best.answers[at + 1 :])
                ):
                    break
            at += 1


@define(eq=False)
class Choosing:
    """The answers up to the first decision, then these choices; after that only first outcomes."""

    start: tuple[int, ...]
    row: tuple[int, ...]
    width: int = 0
    _at: int = 0
    _made: int = 0

    def option(self, S: object, wait: object, options: Sequence[object]) -> int:
        self._made += 1
        if self._made > len(self.row):
            return 0
        self.width = len(options) if self._made == len(self.row) else 0
        return self.row[self._made - 1] % len(options)

    def outcome(self, S: object, wait: object) -> int:
        self._at += 1
        return self.start[self._at - 1] if self._at <= len(self.start) else 0


def measure(game: Game) -> tuple[object, ...]:
    """What is smaller: fewer choices, fewer answers, fewer that are not the first, then lower ones."""
    return (len(game.choices), len(game.answers), sum(1 for one in game.answers if one), game.answers)


def shrink(game: Game, kind: Kind, smaller: Sequence[Table], effort: Effort) -> Game:
    """`smaller`: tables with fewer players, the smallest first; the failure may come there too."""
    return shrink_and_tell(game, kind, smaller, effort)[0]


def shrink_and_tell(game: Game, kind: Kind, smaller: Sequence[Table], effort: Effort) -> tuple[Game, bool]:
    """And whether all that could be taken away from the game itself has been tried."""
    share = effort.part(SHARE_OF_GAME)
    small = shrunk(game, kind, smaller, share)
    is_smallest = not share.is_over
    return with_less(small, kind, effort.part(1)), is_smallest


def shrunk(game: Game, kind: Kind, smaller: Sequence[Table], effort: Part) -> Game:
    failure = game.failure(kind)
    assert failure is not None
    elsewhere = effort.part(SHARE_OF_SMALLER)
    for number, table in enumerate(smaller):
        other = at_table(table, game, kind, elsewhere.part(1 / (len(smaller) - number)))
        if other is not None:
            return Shrinking(kind, other, effort).smallest()
    cut = Player(game.table, failure.decisions, kind, kind.name == LEAK).play(Listed(game.answers))
    return game if cut.failure(kind) is None else Shrinking(kind, cut, effort).smallest()


def with_less(game: Game, kind: Kind, effort: Part) -> Game:
    """Options one by one as the rules have them; then numbers lower, where that makes the game shorter."""
    game = with_usual_options(game, kind, effort)
    is_shorter = True
    while is_shorter and len(game.choices) > FEW and not effort.is_over:
        is_shorter = False
        for table in lowered(game.table):
            other = again_at(table, game, kind, effort)
            if other is not None and len(other.choices) < len(game.choices):
                game, is_shorter = other, True
                break
    return game


def with_usual_options(game: Game, kind: Kind, effort: Part) -> Game:
    tables = list(plainer(game.table))
    while tables and not effort.is_over:
        other = again_at(tables.pop(0), game, kind, effort)
        if other is not None:
            game, tables = other, list(plainer(other.table))
    return game


def again_at(table: Table, game: Game, kind: Kind, effort: Part) -> Game | None:
    """The same failure at another table, as small as it gets there; a part of what is left is given to it."""
    other = at_table(table, game, kind, effort.part(SHARE_OF_OPTION), OTHER_GAMES)
    return Shrinking(kind, other, effort).smallest() if other is not None else None


def at_table(table: Table, game: Game, kind: Kind, effort: Part, games: int | None = None) -> Game | None:
    """The same failure at another table: by the same answers, else by random games, so many at most."""
    limit = max(4 * len(game.choices), 200)
    player, used = Player(table, limit, kind, kind.name == LEAK), Counter[tuple[int, int]]()
    found = player.play(Listed(game.answers))
    number, known = 0, 0
    while found.failure(kind) is None:
        effort.spend(player.spent - known)
        known = player.spent
        if effort.is_over or number == games:
            return None
        number += 1
        found = player.play(Leaning(Streams(number), used))
    return found
