"""Who plays the games that are judged: this process or several. An order as plain data in, played games out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic

from attrs import define, field, frozen

from rulesrun.files.checkpoints import KeptSums
from rulesrun.interpreter.assess.played_games import (
    AbstainingBot,
    ChoosingBot,
    GamePlayer,
    Item,
    OptionItems,
    PlayedGame,
    TimeIsOver,
)
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.bot_names import SOLUTION, find_bot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.match import OutOfTime
from rulesrun.interpreter.bots.solution import Book, SolutionBot
from rulesrun.interpreter.measure.ladder import LONGEST_GAME, GameOutcome, Rung, play_numbered_game, play_rung
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import compile_think_now, has_thought_natively, make_think
from rulesrun.run.ranges import Crew, Range, WorkOrder, set_up_ordered_table

LONGEST = 3000  # decisions of a game in which players think


@frozen
class GamesOrder:
    """Games of one kind. `player` sits everywhere, or at one seat among `against`, or does without `item` at one seat;
    then a game's number is that of its deal, times the players, and the seat. The rest of the first `again` games is
    played again. What is not over when the time is over is left out, and all games after it."""

    side: WorkOrder
    player: str
    against: str = ""
    item: Item = ()
    again: int = 0
    is_noted: bool = False  # what is possible and chosen
    until: float = float("inf")  # on the clock, which all processes share
    is_hurried: bool = False  # so few games that machine code made quickly will do


@define(eq=False)
class AssessTools:
    """What a process keeps ready for one table."""

    table: Table
    engine: str
    seed: int
    book: Book | None = None
    think: Think = field(init=False)
    items: OptionItems = field(init=False)
    bots: dict[str, Bot] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.think, self.items = make_think(self.table, self.engine), OptionItems(self.table)

    def find_player(self, name: str, is_hurried: bool = False) -> Bot:
        if name not in self.bots:
            if not is_hurried:
                compile_think_now(self.think)
            if name == SOLUTION and self.book is not None:
                self.bots[name] = SolutionBot(self.book)
            else:
                self.bots[name] = find_bot(self.table, name, self.think)
        return self.bots[name]

    def seat_players(self, order: GamesOrder, seat: int) -> Sequence[Bot]:
        player = self.find_player(order.player, order.is_hurried)
        if not (order.against or order.item):
            return [player] * self.table.players
        if order.against:
            other = self.find_player(order.against, order.is_hurried)
            return [player if at == seat else other for at in range(self.table.players)]
        assert isinstance(player, ChoosingBot)
        without = AbstainingBot(player, order.item, self.items)
        return [without if at == seat else player for at in range(self.table.players)]

    def play(self, order: GamesOrder, first: int, games: int) -> list[PlayedGame]:
        player = GamePlayer(self.table, self.seed, self.items if order.is_noted else None, LONGEST, order.until)
        found: list[PlayedGame] = []
        for number in range(first, first + games):
            deal, seat = divmod(number, self.table.players) if order.against or order.item else (number, 0)
            if monotonic() > order.until:
                return found
            bots = self.seat_players(order, seat)
            try:
                found.append(player.play_game(bots, deal, number < order.again))
            except TimeIsOver:
                return found
        return found


_known: dict[object, AssessTools] = {}


def play_ordered_games(order: GamesOrder, first: int, games: int) -> list[PlayedGame]:
    """In another process."""
    key = order.side.files, order.side.players, repr(sorted(order.side.options.items())), order.side.engine
    if key not in _known:
        _known[key] = AssessTools(set_up_ordered_table(order.side), order.side.engine, order.side.seed)
    tools = _known[key]
    tools.seed = order.side.seed
    return tools.play(order, first, games)


@define(eq=False)
class AssessCrew:
    """`here`: who plays by a book plays in this process, which has it."""

    crew: Crew
    here: AssessTools

    def get_ready(self, order: GamesOrder) -> None:
        """Processes start and read the rules now, so that no kind of games loses its part of the time to that."""
        if self.crew.jobs > 1 and self.here.book is None:
            for _ in self.crew.play_ranges(play_ordered_games, order, [(0, 0)] * self.crew.jobs):
                pass

    def play_ranges(self, order: GamesOrder, ranges: Iterable[Range]) -> Iterator[tuple[int, list[PlayedGame]]]:
        """In the order of the ranges, whoever plays them: the first number, the games."""
        if self.crew.jobs == 1 or self.here.book is not None:
            yield from ((first, self.here.play(order, first, games)) for first, games in ranges)
            return
        for first, _, played in self.crew.play_ranges(play_ordered_games, order, ranges):
            yield first, played


# ---- ladder games
# Who plays the games of a ladder: this process or several. Takes rungs, fills them; alike for any number of jobs.


CHUNK = 4  # games that a process is sent to play


@frozen
class LadderPair:
    """Two kinds of players by name, and the table at which they play."""

    order: WorkOrder
    player: str
    against: str
    engine: str
    until: float  # by the clock that all processes of a machine share
    longest: float


_known_tables: dict[object, tuple[Table, Think]] = {}


def play_pair(pair: LadderPair, first: int, games: int) -> tuple[list[GameOutcome], bool]:
    """In another process: games by their numbers, fewer when one takes too long; whether machine code has thought."""
    key = pair.order.files, pair.order.players, repr(sorted(pair.order.options.items())), pair.engine
    if key not in _known_tables:
        table = set_up_ordered_table(pair.order)
        _known_tables[key] = (table, make_think(table, pair.engine))
        compile_think_now(_known_tables[key][1])
    table, think = _known_tables[key]
    player, against = (find_bot(table, name, think) for name in (pair.player, pair.against))
    found: list[GameOutcome] = []
    for number in range(first, first + games):
        last = max(pair.until, monotonic() + pair.longest)
        try:
            found.append(play_numbered_game(table, player, against, pair.order.seed, number, last))
        except OutOfTime:
            break
    return found, has_thought_natively(think)


@define(eq=False)
class LadderPlayer:
    """Plays rung after rung; what does not fit into the time is left out."""

    table: Table
    order: WorkOrder
    engine: str
    crew: Crew
    kept: KeptSums
    has_compiled: bool = False
    longest: float = LONGEST_GAME  # once somebody has waited so long in vain, nobody waits again
    in_points: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.in_points = Judge(self.table).in_points

    def play_rung(self, rung: Rung, until: float) -> None:
        """Goes on where an earlier run stopped."""
        name = f"{command_line_name(rung.player)} {command_line_name(rung.against)}"
        rung.in_points = self.in_points
        self.kept.read_sums(name, rung.resume_from)
        try:
            self._play_rung(rung, until, lambda: self.kept.note_sums(name, rung.to_json))
        finally:
            self.kept.note_sums(name, rung.to_json, now=True)

    def _play_rung(self, rung: Rung, until: float, noted: Callable[[], None]) -> None:
        if self.crew.jobs == 1:
            if play_rung(self.table, rung, self.order.seed, until, noted, self.longest):
                self.longest = 0.0
            return
        names = command_line_name(rung.player), command_line_name(rung.against)
        pair = LadderPair(self.order, *names, self.engine, until, self.longest)
        while rung.goes_on(self.table.players, until):
            last = rung.games_played + rung.wanted - rung.games
            ranges = [(at, min(CHUNK, last - at)) for at in range(rung.games_played, last, CHUNK)]
            for _, games, (outcomes, has_compiled) in self.crew.play_ranges(play_pair, pair, ranges):
                self.has_compiled |= has_compiled
                for one in outcomes:
                    rung.add_outcome(one)
                noted()
                if len(outcomes) < games:
                    self.longest = 0.0
                    return
                if not rung.goes_on(self.table.players, until):
                    return


def command_line_name(bot: Bot) -> str:
    """As it is written on the command line."""
    return bot.name.replace("always ", "always:")
