"""Games that are played to be judged: a table, bots and a seed in, what a designer asks about them out.

Like `bots.match`, with notes: who began, how long everybody waited, what could be chosen and what was, who led by
points known to all, and who wins when the rest of the game is played again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, Protocol, runtime_checkable

from attrs import define, evolve, field, frozen

from rulesrun.interpreter.bots.bot import Bot
from rulesrun.interpreter.bots.evaluation import Judge
from rulesrun.interpreter.bots.match import bot_of, choose_option, make_observer
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.bots.observer import Observer
from rulesrun.interpreter.measure.catalogue import TableFigures
from rulesrun.interpreter.measure.measured_game import Standings
from rulesrun.interpreter.measure.record import TOO_LONG
from rulesrun.interpreter.measure.summary import ArgumentFigures
from rulesrun.interpreter.model.random import Streams, game_seed
from rulesrun.interpreter.model.values import OPTIONS, PLACES, RESULT, ROUND, Fault, Slots, fault
from rulesrun.interpreter.play.game_loop import MOST_BY_CHANCE, MOST_DECISIONS, too_much_chance_fault
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.table import Table

# ---- option items
# What an option contains that may be worth it or not: an option in, its action, values and components out.


Item = tuple[str, ...]  # ("action", name) · ("value", action, choice, value) · ("component", name)
MOST_KNOWN = 100_000


@define(eq=False)
class OptionItems:
    table: Table
    figures: ArgumentFigures = field(init=False)
    names: dict[int, str] = field(init=False)
    _known: dict[OptionKey, frozenset[Item]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.figures = ArgumentFigures(TableFigures(self.table))
        self.names = {number: one.action.name.text for number, one in self.figures.actions.items()}

    def items_of(self, option: OptionKey) -> frozenset[Item]:
        found = self._known.get(option)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[option] = frozenset(self._list_items(option))
        return found

    def _list_items(self, option: OptionKey) -> Iterator[Item]:
        yield "action", self.names[option[0]]
        yield from self.figures.argument_keys(option)

    @property
    def actions(self) -> list[Item]:
        """In the order of the rules."""
        return [("action", action.name.text) for action in self.table.bench.actions]


@runtime_checkable
class ChoosingBot(Bot, Protocol):
    """A bot that can do without some options."""

    def choose_among(self, seen: Observation, allowed: Sequence[bool]) -> int: ...


@frozen(eq=False)
class AbstainingBot:
    """Plays as another, but never chooses what contains an item, as long as anything else can be chosen.

    Where the other would not have chosen it anyway, this one chooses the same: so a game in which it never comes to
    that is the same game.
    """

    bot: ChoosingBot
    item: Item
    items: OptionItems
    looks: bool = True

    @property
    def listens(self) -> bool:
        return self.bot.listens

    @property
    def name(self) -> str:
        return f"{self.bot.name} without {' '.join(self.item[1:])}"

    def choose(self, seen: Observation) -> int:
        chosen = self.bot.choose(seen)
        if self.item not in self.items.items_of(seen.options[chosen]):
            return chosen
        allowed = [self.item not in self.items.items_of(option) for option in seen.options]
        return self.bot.choose_among(seen, allowed) if any(allowed) else chosen


# ---- played games


QUARTERS = 4
ANOTHER = 0x5EED  # lies between the seed of a game and that of the rest, played again
MOST_COUNTED = 400  # options of a decision that are looked through for what they contain


class TimeIsOver(Exception):
    """Amid a game; it is none of those that count."""


@frozen
class PlayedGame:
    """One game. `starter`: who alone had the first choice, 0 where several chose at once; `waits`: of each time that
    somebody chose again, how many choices of others lay between. `leaders`: who led by points known to all after each
    quarter, where anybody did; `again`: the same game, played again from the first choice on and from after each
    quarter."""

    number: int
    stuck: str = ""
    winners: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    result: str | None = None
    starter: int = 0
    decisions: int = 0
    choices: int = 0  # decisions with more than one option
    moments: int = 0  # the same, what several choose at once counted once
    thinking: int = 0  # decisions of players that think
    turns: int = 0
    rounds: int = 0
    waits: tuple[int, int, int] = (0, 0, 0)  # how often, together, longest
    possible: Mapping[Item, int] = field(factory=dict)
    expected: Mapping[Item, float] = field(factory=dict)
    chosen: tuple[Mapping[Item, int], ...] = ()  # seat by seat
    leaders: tuple[tuple[int, ...], ...] = ()
    again: tuple[PlayedGame, ...] = ()
    team_size: int = 1
    team_of_starter: tuple[int, ...] = ()

    def share(self, seat: int) -> float:
        """Of the first place."""
        return self.team_size / len(self.winners) if seat in self.winners else 0.0


@define(eq=False)
class Notes:
    """Of the game at hand."""

    items: OptionItems | None
    players: int
    starter: int = 0
    choices: int = 0
    moments: int = 0
    thinking: int = 0
    turns: int = 0
    last: int = -1
    joint: bool = False  # the choice before was one of several at the same moment
    since: dict[int, int] = field(factory=dict)  # by seat, the moments there had been when it last chose
    waits: list[int] = field(factory=lambda: [0, 0, 0])
    possible: Counter[Item] = field(factory=Counter)
    expected: dict[Item, float] = field(factory=dict)
    chosen: list[Counter[Item]] = field(init=False)
    led: list[tuple[int, ...]] = field(factory=list)  # at every decision, by points known to all

    def __attrs_post_init__(self) -> None:
        self.chosen = [Counter() for _ in range(self.players)]

    def note_decision(self, S: Slots, wait: DecisionWait, player: int, number: int, thinks: bool) -> None:
        is_joint = isinstance(wait, TogetherWait)
        is_same_moment = isinstance(wait, TogetherWait) and self.joint and bool(S[wait.chosen])
        if number == 0 and player and not is_joint:
            self.starter = player
        self.turns += player != self.last and not is_same_moment
        self.last, self.joint = player, is_joint
        if len(S[OPTIONS]) < 2:
            return
        self.choices += 1
        self.thinking += thinks
        if not is_same_moment:
            self.moments += 1
        if player in self.since:
            between = max(self.moments - self.since[player] - 1, 0)
            if between or not is_joint:
                self.waits = [self.waits[0] + 1, self.waits[1] + between, max(self.waits[2], between)]
        self.since[player] = self.moments

    def note_options(self, options: Sequence[OptionKey], option: OptionKey, player: int) -> None:
        if self.items is None or len(options) < 2 or len(options) > MOST_COUNTED:
            return
        inside = Counter(item for one in options for item in self.items.items_of(one))
        actions = len({one[0] for one in options})
        for item, count in inside.items():
            if count < len(options):
                self.possible[item] += 1
                share = 1 / actions if item[0] == "action" else count / len(options)
                self.expected[item] = self.expected.get(item, 0.0) + share
        own = self.chosen[max(player, 1) - 1]
        own.update(item for item in self.items.items_of(option) if inside[item] < len(options))


@define(eq=False)
class GamePlayer:
    """Plays games of one table, all of the same chance for the same seed and number. `until`: on the clock."""

    table: Table
    seed: int
    items: OptionItems | None = None  # what is noted of options
    limit: int = MOST_DECISIONS
    until: float = float("inf")
    judge: Judge = field(init=False)
    standings: Standings = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.judge, self.standings = Judge(self.table), Standings(self.table)
        self.standings.at_end = []  # nobody knows yet what is counted at the end

    @property
    def has_known_points(self) -> bool:
        """Whether points are counted, and so known to all, before the end."""
        return self.standings.in_rounds

    def play_game(self, bots: Sequence[Bot], number: int, is_again: bool = False) -> PlayedGame:
        """`is_again`: it is played again from the first choice on, and after each quarter, with other chance."""
        streams = Streams(game_seed(self.seed, number))
        answers: list[Any] = []
        found, notes = self.play_on(bots, number, streams, [], answers)
        if found.stuck:
            return found
        points = [answer for answer, is_choice in answers if is_choice]
        again: tuple[PlayedGame, ...] = ()
        if is_again and found.choices:
            again = tuple(self.play_again(bots, number, answers, len(points), part) for part in range(QUARTERS))
        leaders = tuple(
            notes.led[part * len(notes.led) // QUARTERS] for part in range(1, QUARTERS)
        ) if notes.led else ()  # fmt: skip
        return evolve(found, leaders=leaders, again=again)

    def play_again(
        self, bots: Sequence[Bot], number: int, answers: list[tuple[Any, bool]], decisions: int, part: int
    ) -> PlayedGame:
        """The same up to so many quarters of the decisions; then chance and players begin anew."""
        kept, left = [], part * decisions // QUARTERS
        for answer, is_choice in answers:
            left -= is_choice
            if left < 0:
                break
            kept.append(answer)
        other = Streams(game_seed(self.seed ^ ANOTHER, number * QUARTERS + part))
        return self.play_on(bots, number, other, kept, [], is_noted=False)[0]

    def play_on(
        self, bots: Sequence[Bot], number: int, streams: Streams, kept: Sequence[Any],
        answers: list[tuple[Any, bool]], is_noted: bool = True,
    ) -> tuple[PlayedGame, Notes]:  # fmt: skip
        """`kept`: what was answered first; then bots and chance go on. `answers` is filled with all of them."""
        notes = Notes(self.items if is_noted else None, self.table.players)
        observer = make_observer(self.table, bots)
        S = self.table.new_slots()
        try:
            self._play_to_end(S, observer, bots, streams, list(kept), answers, notes)
        except Fault as problem:
            return PlayedGame(number, stuck=problem.diagnostic.code), notes
        return self.describe_end(S, number, notes, sum(is_choice for _, is_choice in answers)), notes

    def _play_to_end(
        self, S: Slots, observer: Observer, bots: Sequence[Bot], streams: Streams, kept: list[Any],
        answers: list[tuple[Any, bool]], notes: Notes,
    ) -> None:  # fmt: skip
        decisions = by_chance = 0
        while True:
            wait: Wait = observer.run_to_question(S)
            if isinstance(wait, ChanceWait):
                by_chance += 1
                if by_chance > MOST_BY_CHANCE:
                    raise too_much_chance_fault(wait.node.span, decisions)
                if len(answers) < len(kept):
                    value = kept[len(answers)]
                else:
                    value = wait.outcome_at(S, streams.random_below(wait.total_weight(S), wait.stream_name(S)))
            elif isinstance(wait, DecisionWait):
                if decisions >= self.limit:
                    raise fault(TOO_LONG, f"the game is not over after {self.limit} decisions", wait.node.span)
                if monotonic() > self.until:
                    raise TimeIsOver
                player = wait.chooser(S)
                bot = bot_of(bots, player)
                notes.note_decision(S, wait, player, decisions, bot.looks)
                decisions += 1
                if self.has_known_points:
                    notes.led.append(self.standings.find_leaders(S) or ())
                if len(answers) < len(kept):
                    value = kept[len(answers)]
                else:
                    value = S[OPTIONS][choose_option(self.table, observer, S, player, bot, streams)]
                notes.note_options(S[OPTIONS], value, player)
            else:
                return
            answers.append((value, isinstance(wait, DecisionWait)))
            observer.apply_answer(S, wait, value)

    def describe_end(self, S: Slots, number: int, notes: Notes, decisions: int) -> PlayedGame:
        scores = tuple(self.judge.sign * float(score) for score in self.table.scoring.scores(S).values())
        return PlayedGame(
            number, "", S[PLACES][0], scores, S[RESULT], notes.starter, decisions, notes.choices, notes.moments,
            notes.thinking, notes.turns, S[ROUND], (notes.waits[0], notes.waits[1], notes.waits[2]),
            dict(notes.possible), dict(notes.expected), tuple(dict(one) for one in notes.chosen),
            team_size=self.table.bench.team_size,
            team_of_starter=next((one for one in self.table.bench.teams if notes.starter in one), ()),
        )


def is_played_together(table: Table) -> bool:
    """All win or lose together, or one plays alone."""
    return table.players == 1 or bool(table.bench.results)
