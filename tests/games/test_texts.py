"""The texts of the rulebooks: their length, their notes, their labels, what they exemplify."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulesrun.dsl import ast
from tests.games.measure import FIVE, GAMES, VARIANTS, options_of, pieces, program_of, rule_lines

LONGEST = {"zero": 90, "the_game": 90, "tokens": 110, "hourglass": 110, "collection": 130}
LONGEST_VARIANT = 10
GOALS = (
    "orange_1_or_3", "blue_2_or_4", "green_last", "violet_at_least_orange", "fewest_pink", "orange_on_value",
    "green_on_value", "five_colours", "blue_most", "most_pink", "most_violet", "three_colours", "pile_of_three",
    "pile_of_four",
)  # fmt: skip


@pytest.mark.parametrize("name", FIVE)
def test_a_rulebook_is_short(name: str) -> None:
    assert len(rule_lines(text_of(name))) <= LONGEST[name]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_house_rule_is_shorter(name: str) -> None:
    edition, base, *lines = rule_lines(text_of(f"variants/{name}"))
    assert edition.startswith("rules ")
    assert base.startswith("variant ")
    assert len(lines) <= LONGEST_VARIANT


@pytest.mark.parametrize("name", FIVE)
def test_every_game_has_house_rules(name: str) -> None:
    assert len([one for one in VARIANTS if one.startswith(f"{name}_")]) >= 2


def test_what_counts_as_a_line() -> None:
    rules = "card C: n 1..2\n  one: 1\n  half 1 = n\n\n# a comment\naction a\n  move c to d\n"
    text = f'{rules}table t(n 1..2): 1\n  2\nexample "e"\n  todo\nwords en\n  a: "A"\n'
    assert rule_lines(text) == ["card C: n 1..2", "  half 1 = n", "action a", "  move c to d"]


@pytest.mark.parametrize("name", FIVE)
def test_every_phase_action_and_score_has_a_note_above_it(name: str) -> None:
    lines = text_of(name).splitlines()
    for number, line in enumerate(lines):
        if line.startswith(("phase ", "action ", "score", "option ", "setup", "result:")):
            assert lines[number - 1].startswith("## "), line


@pytest.mark.parametrize("name", FIVE)
def test_a_reading_quotes_the_sentence_in_doubt(name: str) -> None:
    for option in pieces(name, ast.Option):
        assert isinstance(option, ast.Option)
        assert bool(option.sentence) is option.is_reading


@pytest.mark.parametrize("name", FIVE)
def test_both_values_of_a_reading_have_an_example(name: str) -> None:
    titles = [one.title for one in pieces(name, ast.Example) if isinstance(one, ast.Example)]
    for option in pieces(name, ast.Option):
        assert isinstance(option, ast.Option)
        if not option.is_reading:
            continue
        for value in options_of(name)[option.name.text]:
            named = [title for title in titles if title.startswith(f"{option.name.text} {value}")]
            assert named or has_default_example(name, option.name.text, value), (option.name.text, value)


def has_default_example(name: str, option: str, value: object) -> bool:
    """The default is shown by an example that does not name the reading; the other value by one that sets it."""
    examples = [one for one in pieces(name, ast.Example) if isinstance(one, ast.Example)]
    sets = [line for one in examples for line in one.lines if isinstance(line, ast.Set) and line.name.text == option]
    is_default = options_of(name)[option][0] == value
    return is_default or any(isinstance(line.value, ast.Name) and line.value.text == value for line in sets)


def test_every_goal_card_is_shown_met_and_not_met() -> None:
    titles = [one.title for one in pieces("collection", ast.Example) if isinstance(one, ast.Example)]
    (goals,) = [one for one in pieces("collection", ast.Components) if isinstance(one, ast.Components) and one.rows]
    assert tuple(row.name.text for row in goals.rows) == GOALS
    for goal in GOALS:
        assert any(title.startswith(f"goal {goal}:") for title in titles), goal


@pytest.mark.parametrize("name", FIVE)
def test_at_least_five_properties_and_a_rare_thing(name: str) -> None:
    words = [one.word for one in pieces(name, ast.Property) if isinstance(one, ast.Property)]
    assert len([word for word in words if word != "can happen"]) >= 5
    assert "can happen" in words


@pytest.mark.parametrize("name", FIVE)
def test_everything_that_is_shown_has_a_russian_label(name: str) -> None:
    (words,) = [one for one in pieces(name, ast.Words) if isinstance(one, ast.Words) and one.language.text == "ru"]
    labelled = {item.name.text for item in words.items}
    assert set(shown(name)) - labelled == set()


@pytest.mark.parametrize("name", FIVE)
def test_labels_name_what_is_there(name: str) -> None:
    for words in pieces(name, ast.Words):
        assert isinstance(words, ast.Words)
        for item in words.items:
            assert item.name.text in {*shown(name), *hidden_behind(name)}, item.name.text


def shown(name: str) -> Iterator[str]:
    """What a report or a trace may show."""
    yield "game"
    for piece in program_of(name).game.declarations:
        match piece:
            case ast.Action(name=action, choices=choices):
                yield action.text
                yield from (choice.name.text for choice in choices)
            case ast.Zone(name=zone) | ast.Variable(name=zone):
                yield zone.text
            case ast.Values(items=items):
                yield from (item.name.text for item in items if len(item.name.text) > 1)
            case ast.Option(name=option, type=type_):
                yield option.text
                yield from (word.text for word in type_.words) if isinstance(type_, ast.WordsType) else ()
            case ast.Components(rows=rows):
                yield from (row.name.text for row in rows)
            case ast.Score(lines=lines):
                yield from (line.name.text for line in lines)
            case ast.Result(outcomes=outcomes, otherwise=otherwise):
                yield from (outcome.word.text for outcome in outcomes)
                yield otherwise.text
            case _:
                pass


def hidden_behind(name: str) -> Iterator[str]:
    """What may be labelled too: phases, types, attributes, memories, players."""
    yield "player"
    for piece in program_of(name).game.declarations:
        match piece:
            case ast.Phase(name=named) | ast.Memory(name=named) | ast.Values(name=named):
                yield named.text
            case ast.Components(attributes=attributes, computed=computed):
                yield from (one.name.text for one in (*attributes, *computed))
            case _:
                pass


def text_of(name: str) -> str:
    return (GAMES / f"{name}.rules").read_text("utf-8")
