"""Places and edits as editors count them: the model is the text in UTF-16."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulesrun.editing import Position, Range, TextEdit, TextLines, apply_edits

SIGNS = ["a", "Ж", "🂡", "é", "\u0301", "\n", "\r\n", "\r", " ", "\u2028", "\ufeff"]
TEXTS = st.lists(st.sampled_from(SIGNS), max_size=30).map("".join)


def split_into_units(text: str) -> list[list[str]]:
    """Lines, each as a list of its units; a sign of two units is a sign and an empty text."""
    lines: list[list[str]] = [[]]
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        for sign in line:
            lines[-1] += [sign, ""] if len(sign.encode("utf-16-le")) == 4 else [sign]
        lines.append([])
    return lines[:-1]


@given(TEXTS)
def test_every_offset_comes_back_from_its_position(text: str) -> None:
    lines = TextLines(text)
    for offset in range(len(text) + 1):
        found = lines.find_offset(lines.find_position(offset))
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        assert found == (offset - 1 if inside_line_end else offset)


@given(TEXTS)
def test_characters_are_units_of_utf_16(text: str) -> None:
    lines, model = TextLines(text), split_into_units(text)
    assert lines.count_lines() == len(model)
    for number, units in enumerate(model):
        assert lines.find_position(lines.find_offset(Position(number, len(units)))) == Position(number, len(units))
        for character in range(len(units)):
            if units[character]:
                offset = lines.find_offset(Position(number, character))
                assert text[offset] == units[character]


def test_beyond_a_line_is_its_end() -> None:
    lines = TextLines("ab\ncd")
    assert lines.find_offset(Position(0, 9)) == 2
    assert lines.find_offset(Position(7, 0)) == 5


def test_edits_speak_of_the_text_as_it_is() -> None:
    edits = [TextEdit(Range(Position(0, 3), Position(0, 3)), "!"), TextEdit(Range(Position(0, 0), Position(0, 2)), "ж")]
    assert apply_edits("🂡b\n", edits) == "жb!\n"
