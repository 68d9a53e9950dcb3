"""Examples judged beside their lines, what games show, and changes that an author asks for."""

from __future__ import annotations

from rulesrun.editing import Position, Range, apply_edits, hover, list_game_lenses, play_games
from rulesrun.editing.code_actions import list_refactorings
from rulesrun.editing.lenses import judge_examples
from tests.editing.test_completion import GAME
from tests.editing.texts import open_text, place_of

EXAMPLES = """\
example "a pass is counted"
  given turn of 1
  when 1: pass
  then passes = 1
example "it is not counted twice"
  given turn of 1
  when 1: pass
  then passes = 2
example "later"
  todo
"""


def test_examples_are_judged_one_at_a_time_and_remembered() -> None:
    _, analysis = open_text(GAME + EXAMPLES)
    first = next(judge_examples(analysis))
    assert (first.title, first.verdict, first.reason) == ("a pass is counted", "passed", None)
    assert first.range.start == Position(GAME.count("\n"), 0)
    found = list(judge_examples(analysis))
    assert [lens.verdict for lens in found] == ["passed", "failed", "todo"]
    assert found[1].reason
    assert found[0] is first


def test_rules_with_errors_are_not_played() -> None:
    _, analysis = open_text(GAME.replace("ranking:", "rankin:") + EXAMPLES)
    assert list(judge_examples(analysis)) == []


def test_a_condition_gets_a_reason() -> None:
    text = GAME.replace("  move given to heap", "  needs passes < 3\n  move given to heap")
    workspace, analysis = open_text(text)
    place = place_of(analysis, "needs pas|ses < 3")
    (found,) = list_refactorings(workspace, analysis, Range(place, place))
    assert 'needs passes < 3 because "' in apply_edits(text, found.edits)


def test_a_value_gets_a_name() -> None:
    workspace, analysis = open_text(GAME)
    selected = Range(place_of(analysis, "until |passes >= players\n"), place_of(analysis, "until passes >= players|\n"))
    (found,) = list_refactorings(workspace, analysis, selected)
    text = apply_edits(GAME, found.edits)
    assert "turns from starter until extracted\n" in text
    assert "\ndefine extracted = passes >= players\n" in text


def test_what_rests_on_a_choice_keeps_its_place() -> None:
    text = GAME.replace("  move given to heap", "  needs rank of given > 1\n  move given to heap")
    workspace, analysis = open_text(text)
    selected = Range(place_of(analysis, "needs |rank of given > 1"), place_of(analysis, "needs rank of given > 1|"))
    assert [one.kind for one in list_refactorings(workspace, analysis, selected)] == ["rewrite"]


# ---- games

PROMISES = """\
always "nobody passes twice": passes <= 1
can happen "somebody lays": count of heap > 0
never "the stock grows": count of stock > 99
"""


def test_games_say_what_they_showed_of_properties_and_actions() -> None:
    _, analysis = open_text(GAME + PROMISES)
    assert list_game_lenses(analysis) == ()
    assert sum(1 for _ in play_games(analysis)) == 100
    assert list(play_games(analysis)) == []
    found = {lens.name: lens for lens in list_game_lenses(analysis)}
    assert found["lay"].range.start == place_of(analysis, "|action lay(given")
    assert str(found["the stock grows"].text) == "held in 100 games"
    # With so many players so many passes end a game: each of them has a second pass.
    assert str(found["nobody passes twice"].text) == "broken in 100 of 100 games"
    assert [lens.name for lens in found.values() if lens.is_broken] == ["nobody passes twice"]
    assert str(found["somebody lays"].text).startswith("seen in ")


def test_shares_of_actions_are_those_of_chance() -> None:
    """Of two things that one may choose at random, each is chosen half the time; 5 standard deviations."""
    laying, idling = "action lay(given from hand)\n  move given to heap", "action lay\n  passes becomes passes"
    _, analysis = open_text(GAME.replace(laying, idling))
    list(play_games(analysis))
    found = {lens.name: str(lens.text) for lens in list_game_lenses(analysis)}
    shown = hover(analysis, place_of(analysis, "action l|ay"))
    assert shown is not None
    assert "Chosen at " in shown.text
    share, of = (int(found["lay"].split(word)[0].split()[-1]) for word in (" %", " decisions"))
    assert abs(share / 100 - 0.5) < 0.005 + 5 * (0.25 / of) ** 0.5


def test_a_failing_game_becomes_an_example_that_fails() -> None:
    workspace, analysis = open_text(GAME + PROMISES)
    place = place_of(analysis, "always \"nobody |passes")
    assert list_refactorings(workspace, analysis, Range(place, place)) == ()  # nothing was played yet
    list(play_games(analysis))
    (found,) = list_refactorings(workspace, analysis, Range(place, place))
    text = apply_edits(analysis.text, found.edits)
    assert text.startswith(GAME + PROMISES)
    workspace.open_document("game.rules", text, 2)
    (lens,) = judge_examples(workspace.analyse("game.rules"))
    assert lens.verdict == "failed"
    mended = text.replace("passes <= 1", "passes <= 4").replace("then passes <= 1", "then passes <= 4")
    workspace.open_document("game.rules", mended, 3)
    (lens,) = judge_examples(workspace.analyse("game.rules"))
    assert lens.verdict == "passed"


def test_rules_with_errors_play_no_games() -> None:
    _, analysis = open_text(GAME.replace("ranking:", "rankin:"))
    assert list(play_games(analysis)) == []
