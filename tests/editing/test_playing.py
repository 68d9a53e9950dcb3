"""Examples judged beside their lines, and changes that an author asks for."""

from __future__ import annotations

from rulesrun.editing import Position, Range, apply_edits
from rulesrun.editing.lenses import judge_examples
from rulesrun.editing.refactors import list_refactorings
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
