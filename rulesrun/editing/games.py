"""What games of random players show of the rules: which properties they broke, how often each action was chosen.

Games are played one at a time, so that whoever waits for something else does not wait long. What was played of a
version is kept with it. Equal rules give equal games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from rulesrun.dsl.symbols.outline import list_entries
from rulesrun.dsl.text.messages import Message, message, plural
from rulesrun.dsl.text.source import Span
from rulesrun.editing.positions import Range, TextEdit
from rulesrun.editing.workspace import Analysis, Workspace

if TYPE_CHECKING:  # loaded where games are played: whoever asks what is wrong does not wait for it
    from rulesrun.interpreter.reference.decisions import DecisionWait
    from rulesrun.interpreter.reference.table import Table
    from rulesrun.interpreter.search.answered_games import AnsweredGame, Failure, FailureKind, SeededAnswers

MOST_GAMES = 100
MOST_TABLES = 3  # the smallest ones, in turn
MOST_DECISIONS = 300  # of one game
MOST_WORK = 20_000  # answers in all games
SHRINKING = 20_000  # answers that may be tried to make a failing game short
SHRINKING_SECONDS = 2.0
KEPT = "played games"
SHARES = ("at most", "at least")  # of games: a few say nothing of these


@frozen
class GameLens:
    """Beside a property or an action. `kind`: property or action; `text` says what games showed of it."""

    range: Range
    kind: str
    name: str
    text: Message
    is_broken: bool = False


@define(eq=False)
class CountedAnswers:
    """Random answers; counts which actions could be chosen, and which were."""

    answers: SeededAnswers
    offered: Counter[str]
    chosen: Counter[str]

    def pick_option(self, S: Any, wait: DecisionWait, options: Sequence[Any]) -> int:
        names = [wait.offers[option[0]].action.action.name.text for option in options]
        picked = self.answers.pick_option(S, wait, options)
        self.offered.update(set(names))
        self.chosen[names[picked]] += 1
        return picked

    def pick_outcome(self, S: Any, wait: Any) -> int:
        return self.answers.pick_outcome(S, wait)


@define(eq=False)
class PlayedGames:
    """All games of one version so far. `failing`: the shortest game for each failure."""

    tables: tuple[Table, ...]
    games: int = 0
    work: int = 0
    offered: Counter[str] = field(factory=Counter)
    chosen: Counter[str] = field(factory=Counter)
    broken: Counter[str] = field(factory=Counter)  # by the title of the property
    happened: Counter[str] = field(factory=Counter)
    failing: dict[FailureKind, tuple[AnsweredGame, Failure]] = field(factory=dict)

    @property
    def is_over(self) -> bool:
        return not self.tables or self.games >= MOST_GAMES or self.work >= MOST_WORK

    def play_next(self) -> None:
        from rulesrun.interpreter.model.random import Streams
        from rulesrun.interpreter.search.answered_games import GameChecker, SeededAnswers

        table = self.tables[self.games % len(self.tables)]
        answers = CountedAnswers(SeededAnswers(Streams(self.games)), self.offered, self.chosen)
        self.note_game(GameChecker(table, MOST_DECISIONS).play_game(answers, most=10 * MOST_DECISIONS))

    def note_game(self, game: AnsweredGame) -> None:
        self.games += 1
        self.work += 1 + len(game.answers)
        self.happened.update(game.happened)
        for failure in game.failures:
            self.broken[failure.title] += 1
            known = self.failing.get(failure.kind)
            if known is None or failure.decisions < known[1].decisions:
                self.failing[failure.kind] = game, failure


def play_games(analysis: Analysis) -> Iterator[PlayedGames]:
    """After each game what all have shown; nothing of rules with errors. What was played is not played again."""
    if KEPT not in analysis.kept:
        analysis.kept[KEPT] = PlayedGames(_set_up_tables(analysis))
    played: PlayedGames = analysis.kept[KEPT]
    while not played.is_over:
        played.play_next()
        yield played


def _set_up_tables(analysis: Analysis) -> tuple[Table, ...]:
    program = analysis.reading.program
    if program is None:
        return ()
    from rulesrun.interpreter.model.values import RefusedTable
    from rulesrun.interpreter.reference.table import set_up_table
    from rulesrun.services.tables import allowed_players

    tables: list[Table] = []
    for players in allowed_players(program):
        if len(tables) < MOST_TABLES:
            try:
                tables.append(set_up_table(program, players))
            except RefusedTable:
                continue
    return tuple(tables)


def list_game_lenses(analysis: Analysis) -> tuple[GameLens, ...]:
    """What has been played so far, beside the lines of the document itself."""
    played = find_played_games(analysis)
    return tuple(_list_lenses(analysis, played)) if played is not None else ()


def find_played_games(analysis: Analysis) -> PlayedGames | None:
    played: PlayedGames | None = analysis.kept.get(KEPT)
    return played if played is not None and played.games else None


def _list_lenses(analysis: Analysis, played: PlayedGames) -> Iterator[GameLens]:
    for piece in list_entries(analysis.rules.pieces):
        if piece.kind == "property" and piece.word not in SHARES:
            text, is_broken = describe_property(piece.name, piece.word, played)
            yield GameLens(_line_of(analysis, piece.span), "property", piece.name, text, is_broken)
        elif piece.kind == "action":
            text = describe_action(piece.name, played)
            yield GameLens(_line_of(analysis, piece.span), "action", piece.name, text)


def describe_property(title: str, word: str, played: PlayedGames) -> tuple[Message, bool]:
    """And whether it was broken."""
    games, broken = played.games, played.broken[title]
    if broken:
        return plural("broken in {broken} of {games} game", "broken in {broken} of {games} games", games, broken=broken,
                      games=games), True  # fmt: skip
    if word == "can happen":
        seen = played.happened[title]
        return plural("seen in {seen} of {games} game", "seen in {seen} of {games} games", games, seen=seen,
                      games=games), False  # fmt: skip
    return plural("held in {games} game", "held in {games} games", games, games=games), False


def describe_action(name: str, played: PlayedGames) -> Message:
    offered, chosen = played.offered[name], played.chosen[name]
    if not offered:
        return plural("never possible in {games} game", "never possible in {games} games", played.games,
                      games=played.games)  # fmt: skip
    share = round(100 * chosen / offered)
    return message("chosen at {share} % of {offered} decisions by random players", share=share, offered=offered)


def _line_of(analysis: Analysis, span: Span) -> Range:
    line = analysis.lines.find_position(span.start).line
    start = analysis.lines.start_of_line(line)
    return analysis.lines.make_range(start, start + len(analysis.lines.text_of_line(line)))


# ---- a failing game as an example


def find_failing_game(analysis: Analysis, start: int, end: int) -> tuple[AnsweredGame, Failure] | None:
    """What was played and broke what stands between two places; no game is played for it."""
    played = find_played_games(analysis)
    for game, failure in played.failing.values() if played is not None else ():
        span = failure.span
        line = analysis.lines.find_position(span.start).line if span.file == analysis.document.name else -1
        first, last = (analysis.lines.find_position(place).line for place in (start, end))
        if first <= line <= last:
            return game, failure
    return None


def write_failing_example(workspace: Workspace, analysis: Analysis, found: tuple[AnsweredGame, Failure]) -> str | None:
    """The smallest such game as lines of an example that fails now for the same reason; None: it cannot be said so."""
    from rulesrun.examine.saved_stories import fails_alike, free_title
    from rulesrun.interpreter.search.effort import Effort
    from rulesrun.interpreter.search.shrink import shrink_game
    from rulesrun.interpreter.stories.story import format_example, tell_story

    game, failure = found
    played: PlayedGames = analysis.kept[KEPT]
    smaller = [table for table in played.tables if table.players < game.table.players]
    small, _ = shrink_game(game, failure.kind, smaller, Effort(SHRINKING, SHRINKING_SECONDS))
    story = tell_story(small, small.find_failure(failure.kind) or failure)
    title = free_title(analysis.text, f"found: {failure.title or failure.kind.name}")
    for is_turn in (True, False):
        lines = "\n".join(format_example(story, title, is_turn))
        after = workspace.with_texts({analysis.document.name: append_piece(analysis.text, lines)})
        if fails_alike(after.analyse(analysis.document.name).reading, title, story):
            return lines
    return None


def append_piece(text: str, piece: str) -> str:
    return f"{text.rstrip()}\n\n{piece}\n"


def make_appending_edit(analysis: Analysis, piece: str) -> TextEdit:
    """As `append_piece`: what ends the text takes the place of blank lines there."""
    end = len(analysis.text.rstrip())
    return TextEdit(analysis.lines.make_range(end, len(analysis.text)), f"\n\n{piece}\n")

