"""What names mean: the nearest thing, words by the expected type, and what is said of names that mean nothing."""

from __future__ import annotations

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.typing.program import AttributeMeaning, BuiltinMeaning, ItMeaning, RowMeaning, WordMeaning
from tests.dsl.marked import CARDS, PLAY, complaints, expect, names_called, program


def test_a_parameter_is_nearer_than_what_is_declared() -> None:
    text = "define same(given Card) = given in hand\nscore at end\n  x = count of (hand where same(it))\n"
    found = program(CARDS + PLAY + text)
    meanings = [type(found.names[name]) for name in names_called(found, "given")]
    assert ast.Parameter in meanings
    assert ast.Choice in meanings


def test_attributes_stand_alone_inside_where_only() -> None:
    expect(CARDS + PLAY + "score at end\n  x = count of hand where rank = 3\n  y = rank #! unknown-name\n")


def test_the_attribute_of_the_nearest_element_is_meant() -> None:
    text = "score at end\n  x = count of (hand where some c in heap has rank > 3)\n"
    found = program(CARDS + PLAY + text)
    [rank] = [name for name in names_called(found, "rank") if isinstance(found.names[name], AttributeMeaning)]
    meaning = found.names[rank]
    assert isinstance(meaning, AttributeMeaning)
    assert isinstance(meaning.element, ast.Each)


def test_it_is_the_element_without_a_name() -> None:
    text = "score at end\n  x = count of (hand where some c in heap has c = it)\n"
    found = program(CARDS + PLAY + text)
    [it] = names_called(found, "it")
    meaning = found.names[it]
    assert isinstance(meaning, ItMeaning)
    assert isinstance(meaning.element, ast.Filter)


def test_a_binder_is_known_in_its_own_where() -> None:
    text = "score at end\n  x = sum of rank of c over c in hand where rank of c > 2\n"
    found = program(CARDS + PLAY + text)
    kinds = {type(found.names[name]) for name in names_called(found, "c")}
    assert kinds == {ast.Each, ItMeaning}


def test_words_of_the_same_name_are_told_apart_by_the_type() -> None:
    text = (
        "values Fruit: red, apple\nmarker fruit: Fruit\n"
        "score at end\n  x = if fruit = red then 1 else 0\n  y = count of hand where red = colour\n"
    )
    found = program(CARDS + PLAY + text)
    words = [found.names[name] for name in names_called(found, "red")]
    assert [word.type_name for word in words if isinstance(word, WordMeaning)] == ["Fruit", "Colour"]


def test_a_word_is_nearer_than_a_name_of_the_language_where_it_is_expected() -> None:
    text = "option goals: none, round = none\nscore at end\n  x = if goals = round then round else 0\n"
    found = program(CARDS + PLAY + text)
    first, second = (found.names[name] for name in names_called(found, "round"))
    assert isinstance(first, WordMeaning)
    assert isinstance(second, BuiltinMeaning)


def test_a_word_with_two_types_and_no_help_is_refused() -> None:
    expect(CARDS + PLAY + "values Fruit: red, apple\nmarker fruit: Fruit\n"
           "score at end\n  x = if fruit = apple and red = red then 1 else 0 #! ambiguous-word, ambiguous-word\n")


def test_a_phase_is_a_value_of_phase() -> None:
    found = program(CARDS + PLAY + "score at end\n  x = if phase = play then 1 else 0\n")
    [play] = names_called(found, "play")
    assert isinstance(found.names[play], ast.Phase)


def test_players_are_a_number_and_after_in_the_players() -> None:
    text = "score at end\n  x = players + count of (players where count of hand of it = 0)\n"
    found = program(CARDS + PLAY + text)
    number, several = names_called(found, "players")
    assert type(found.types[number]).__name__ == "NumberOf"
    assert type(found.types[several]).__name__ == "CollectionOf"


def test_a_choice_called_player_is_that_player_inside() -> None:
    text = "marker chosen: player or nothing\nphase more: one turn each from 1\n  choose name_one\n"
    found = program(CARDS + PLAY + text + "action name_one(player in players)\n  chosen becomes player\n")
    assert isinstance(found.names[names_called(found, "player")[-1]], ast.Choice)


def test_a_row_is_a_component() -> None:
    text = (
        "card Goal: worth 1..9\n  small: 1\n  big: 9\nzone goals: set of Goal, public\n"
        "setup round\n  move all Goal to goals\nscore at end\n  x = count of goals where it in {big}\n"
    )
    found = program(CARDS + PLAY + text)
    assert isinstance(found.names[names_called(found, "big")[0]], RowMeaning)


def test_steps_actions_and_things_have_name_spaces_of_their_own() -> None:
    expect(CARDS + PLAY + "step lay_more\n  heap_size becomes count of heap\nnumber heap_size: 0..15\n"
           "step heap\n  do lay_more\nsetup round\n  do heap\n")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("  move all heap to stok #! unknown-zone", "did you mean `stock`?"),
        ("  shuffle all Cart into stock #! unknown-name", "did you mean `Card`?"),
        ("  do lya #! unknown-step", "declare it: `step lya`, and indented below it what is done"),
        ("  choose lya #! unknown-action", "did you mean `lay`?"),
        ("  if phase = paly #! unknown-phase\n    end game", "did you mean `play`?"),
        ("  if colour of top of heap = gren #! unknown-word\n    end game", "did you mean `green`?"),
        ("  if rnk of top of heap = 1 #! unknown-attribute\n    end game", "did you mean `rank`?"),
    ],
)
def test_what_is_unknown_is_said_with_what_may_be_meant(line: str, hint: str | None) -> None:
    [found] = expect(CARDS + PLAY + f"phase more\n{line}\n")
    assert found.hint == hint


def test_a_name_unknown_at_several_places_is_one_mistake() -> None:
    text = CARDS + PLAY + "phase more\n  move all heap to stok #! unknown-zone\n  move all heap to stok\n"
    [found] = expect(text)
    assert len(found.related) == 1


def test_declared_twice_names_both_places() -> None:
    [found] = expect(CARDS + PLAY + "zone heap: set of Card, public #! duplicate-name\n")
    assert len(found.related) == 1


@pytest.mark.parametrize("name", ["player", "players", "round", "starter", "phase"])
def test_names_of_the_language_are_taken(name: str) -> None:
    found = complaints(CARDS + PLAY + f"option {name}: yes or no = no\n")
    assert "reserved-name" in {one.code for one in found}
