"""Findings as games: takes what was explored, gives for each finding the shortest game that shows it, as a story."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.explore.breadth_first import NONE, Explored, Finding
from rulesrun.interpreter.explore.endings import Circle
from rulesrun.interpreter.explore.lengths import LengthCheck
from rulesrun.interpreter.explore.retracing import RetracedGame, answers_to
from rulesrun.interpreter.model.values import PC
from rulesrun.interpreter.play.successors import Answers
from rulesrun.interpreter.search.answered_games import (
    AnsweredGame,
    Failure,
    FailureKind,
    GameChecker,
    ListedAnswers,
    fault_kind,
)
from rulesrun.interpreter.stories.story import Story, tell_story


@frozen(eq=False)
class CirclingStory:
    """A game that comes back to where it was: after its last move all is as it was after the first `until` moves."""

    story: Story
    until: int


def tell_finding(found: Explored, finding: Finding) -> Story | None:
    """None when it happens before there is anything to answer."""
    if finding.position == NONE:
        answers: Answers = finding.answers or ()
    else:
        answers = answers_to(found, finding.position, finding.answers or ())
    kind = FailureKind(finding.title, finding.span.file, finding.span.start)
    failure = GameChecker(found.table, len(answers) + 1, kind).play_game(ListedAnswers(answers)).find_failure(kind)
    if failure is None:
        return None
    game = cut_game(found, answers[: failure.answers])
    return tell_story(evolve(game, failures=(failure,)), failure)


def tell_length(found: Explored, length: LengthCheck) -> Story | None:
    """The shortest game that is longer than it may be."""
    span = length.declaration.span
    kind = FailureKind(length.declaration.title, span.file, span.start)
    walk = RetracedGame(found).walk_measured(length.steps, length.unit)
    answers = walk.answers
    failure = GameChecker(found.table, len(answers) + 1, kind).play_game(ListedAnswers(answers)).find_failure(kind)
    if failure is None:
        return None
    return tell_story(evolve(cut_game(found, answers[: failure.answers]), failures=(failure,)), failure)


def cut_game(found: Explored, answers: Answers) -> AnsweredGame:
    """The game that has come so far, and goes no further."""
    played = GameChecker(found.table, len(answers) + 1).play_game(ListedAnswers(answers))
    return AnsweredGame(found.table, answers, tuple(at for at in played.choices if at < len(answers)), ())


def tell_trap(found: Explored, trapped: Sequence[int]) -> Story:
    """The shortest game to a position from which the end cannot be reached."""
    walk = RetracedGame(found).walk_to(trapped[0])
    wait = found.table.waits[walk.S[PC]]
    diagnostic = Diagnostic(
        "no-way-out", message("from here the game cannot end"), wait.node.span, message("add a rule that ends it")
    )
    game = cut_game(found, walk.answers)
    failure = Failure(
        fault_kind(diagnostic), wait.node.span, found.table.to_state(walk.S), len(game.choices), len(walk.answers),
        diagnostic=diagnostic,
    )
    return evolve(tell_story(game, failure), trapped=len(trapped))


def tell_circle(found: Explored, circle: Circle) -> CirclingStory:
    walk = RetracedGame(found).walk_to(circle.positions[0])
    before = len(walk.answers)
    walk.walk_along([*circle.positions[1:], circle.positions[0]])
    game = cut_game(found, walk.answers)
    span = found.table.waits[walk.S[PC]].node.span
    failure = Failure(
        FailureKind("circle", span.file, span.start),
        span,
        found.table.to_state(walk.S),
        len(game.choices),
        len(walk.answers),
    )
    return CirclingStory(tell_story(game, failure), sum(at < before for at in game.choices))
