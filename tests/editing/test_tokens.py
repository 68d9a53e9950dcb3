"""Semantic tokens: each comment, text, number and word has one; words are keywords where they are read so."""

from __future__ import annotations

import pytest

from rulesrun.dsl.parsing.blocks import read_blocks
from rulesrun.dsl.text.source import Source
from rulesrun.editing import list_tokens
from rulesrun.files.sources import bundled_names
from tests.editing.texts import open_bundled, words_of


@pytest.mark.parametrize("name", bundled_names())
def test_every_word_has_its_token(name: str) -> None:
    _, analysis = open_bundled(name)
    found = {}
    for token in list_tokens(analysis):
        start = analysis.lines.find_offset(token.start)
        found[start] = token
        assert token.length > 0
    for word, _ in words_of(analysis.text):
        assert word.start in found, word
    for comment in read_blocks(Source("", analysis.text)).comments:
        assert found[comment.span.start].kind == "comment"


def test_a_keyword_that_is_a_name_is_coloured_as_a_name() -> None:
    from tests.editing.texts import open_text

    text = 'rules 1\ngame "A"\nplayers 2\nnumber show: 0..3 = 0\nsetup\n  show becomes 1\n'
    _, analysis = open_text(text)
    kinds = {
        analysis.text[start : start + token.length]: token.kind
        for token in list_tokens(analysis)
        for start in [analysis.lines.find_offset(token.start)]
    }
    assert kinds["show"] == "variable"
    assert kinds["becomes"] == "keyword"
    assert kinds["number"] == "keyword"
