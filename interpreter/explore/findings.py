"""Findings as games: takes what was explored, gives for each finding the shortest game that shows it, as a story."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.interpreter.explore.breadth_first import NONE, Explored, Finding
from rulesrun.interpreter.explore.endings import Circle
from rulesrun.interpreter.explore.lengths import Length
from rulesrun.interpreter.explore.retracing import Walk, answers_to
from rulesrun.interpreter.model.values import PC
from rulesrun.interpreter.play.successors import Answers
from rulesrun.interpreter.search.answered_games import Failure, Game, Kind, Listed, Player, kind_of
from rulesrun.interpreter.stories.story import Story, tell


@frozen(eq=False)
class Circling:
    """A game that comes back to where it was: after its last move all is as it was after the first `until` moves."""

    story: Story
    until: int


def story_of(found: Explored, finding: Finding) -> Story | None:
    """None when it happens before there is anything to answer."""
    if finding.position == NONE:
        answers: Answers = finding.answers or ()
    else:
        answers = answers_to(found, finding.position, finding.answers or ())
    kind = Kind(finding.title, finding.span.file, finding.span.start)
    failure = Player(found.table, len(answers) + 1, kind).play(Listed(answers)).failure(kind)
    if failure is None:
        return None
    game = cut(found, answers[: failure.answers])
    return tell(evolve(game, failures=(failure,)), failure)


def story_of_length(found: Explored, length: Length) -> Story | None:
    """The shortest game that is longer than it may be."""
    span = length.declaration.span
    kind = Kind(length.declaration.title, span.file, span.start)
    walk = Walk(found).measured(length.steps, length.unit)
    answers = walk.answers
    failure = Player(found.table, len(answers) + 1, kind).play(Listed(answers)).failure(kind)
    if failure is None:
        return None
    return tell(evolve(cut(found, answers[: failure.answers]), failures=(failure,)), failure)


def cut(found: Explored, answers: Answers) -> Game:
    """The game that has come so far, and goes no further."""
    played = Player(found.table, len(answers) + 1).play(Listed(answers))
    return Game(found.table, answers, tuple(at for at in played.choices if at < len(answers)), ())


def story_without_end(found: Explored, trapped: Sequence[int]) -> Story:
    """The shortest game to a position from which the end cannot be reached."""
    walk = Walk(found).to(trapped[0])
    wait = found.table.waits[walk.S[PC]]
    diagnostic = Diagnostic("no-way-out", "from here on the game cannot end", wait.node.span, "say what ends it then")
    game = cut(found, walk.answers)
    failure = Failure(
        kind_of(diagnostic), wait.node.span, found.table.closed(walk.S), len(game.choices), len(walk.answers),
        diagnostic=diagnostic,
    )
    return evolve(tell(game, failure), trapped=len(trapped))


def story_of_circle(found: Explored, circle: Circle) -> Circling:
    walk = Walk(found).to(circle.positions[0])
    before = len(walk.answers)
    walk.along([*circle.positions[1:], circle.positions[0]])
    game = cut(found, walk.answers)
    span = found.table.waits[walk.S[PC]].node.span
    failure = Failure(
        Kind("circle", span.file, span.start), span, found.table.closed(walk.S), len(game.choices), len(walk.answers)
    )
    return Circling(tell(game, failure), sum(at < before for at in game.choices))
