"""Who plays the games that are judged: this process or several. An order as plain data in, played games out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from time import monotonic

from attrs import define, field, frozen

from rulesrun.interpreter.assess.option_items import AbstainingBot, ChoosingBot, Item, OptionItems
from rulesrun.interpreter.assess.played_games import GamePlayer, PlayedGame, TimeIsOver
from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.bot_names import SOLUTION, find_bot
from rulesrun.interpreter.bots.deliberation import Think
from rulesrun.interpreter.bots.solution import Book, SolutionBot
from rulesrun.interpreter.reference.table import Table
from rulesrun.run.bot_engines import compile_think_now, make_think
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
