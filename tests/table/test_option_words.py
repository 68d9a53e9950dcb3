"""What is typed means the option that is written so, or the only one that begins so; every option can be typed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesrun.locale.language import ENGLISH, Language
from rulesrun.table.option_words import complete_words, read_option, tokens_of, words_of_options

RUSSIAN = Language("ru", None, {"exchange": "обмен", "red": "красная", "blue": "синяя", "pass": "пас"})
EXCHANGES: list[Any] = [
    {"action": "exchange", "arguments": {"give": give, "take": take}}
    for give in ("red-7", "red-1", "blue-7") for take in ("blue-1", "red-2")
] + [{"action": "pass", "arguments": {}}]  # fmt: skip
SIGNS: list[Any] = [
    {"action": "start", "arguments": {"sign": sign, "card": card}} for sign in "+-" for card in ("red-3", "red-5")
]
NUMBERS: list[Any] = [{"action": "bid_now", "arguments": {"n": n}} for n in (-3, 3, 13)]

SQUARES: list[Any] = [{"action": "mark", "arguments": {"square": one}} for one in ("a1", "b1", "b10")]


@pytest.mark.parametrize(("options", "typed", "meant"), [
    (EXCHANGES, "exchange red 7, blue 1", (0,)), (EXCHANGES, "EXCHANGE(red-7, blue-1)", (0,)),
    (EXCHANGES, "exchange give red 7, take red 2", (1,)), (EXCHANGES, "ex r7 b1", (0,)), (EXCHANGES, "p", (6,)),
    (EXCHANGES, "exchange red 7", (0, 1)), (EXCHANGES, "exchange", (0, 1, 2, 3, 4, 5)), (EXCHANGES, "fly", ()),
    (EXCHANGES, "exchange red 77", ()), (EXCHANGES, "", ()), (EXCHANGES, "…", ()),
    (SIGNS, "start -, red 5", (3,)), (SIGNS, "start + red 3", (0,)), (SIGNS, "st - r3", (2,)),
    (NUMBERS, "bid now -3", (0,)), (NUMBERS, "bid_now 3", (1,)), (NUMBERS, "b 13", (2,)),
    (SQUARES, "m b1", (1,)), (SQUARES, "mark b10", (2,)), (SQUARES, "m b", (1, 2)),
])  # fmt: skip
def test_what_is_typed(options: list[Any], typed: str, meant: tuple[int, ...]) -> None:
    assert read_option(ENGLISH, options, typed).options == meant


def test_names_of_the_rules_are_understood_in_every_language() -> None:
    assert read_option(RUSSIAN, EXCHANGES, "обмен красная 7, синяя 1").options == (0,)
    assert read_option(RUSSIAN, EXCHANGES, "об к7 с1").options == (0,)
    assert read_option(RUSSIAN, EXCHANGES, "exchange red 7 blue 1").options == (0,)
    assert words_of_options(RUSSIAN, EXCHANGES)[-1] == "пас"


NAMES = st.sampled_from(["red-7", "red-1", "blue-17", "joker", "-", "+", "a_b", "Ж-3", "x-y-z", 4, -4, 14, "yes", None])
OPTIONS = st.lists(
    st.tuples(st.sampled_from(["play", "play_on", "pass", "take"]), st.lists(NAMES, max_size=3)),
    min_size=1, max_size=12, unique_by=repr,
)


@settings(deadline=None)
@given(OPTIONS)
def test_every_option_can_be_typed_as_it_is_written(made: list[tuple[str, list[Any]]]) -> None:
    options = [{"action": name, "arguments": dict(zip("abc", values, strict=False))} for name, values in made]
    words = words_of_options(ENGLISH, options)
    for number, one in enumerate(words):
        found = read_option(ENGLISH, options, one)
        assert number in found.options
        assert found.is_exact
        assert {tokens_of(words[other]) for other in found.options} == {tokens_of(one)} or len(found.options) == 1
    assert complete_words(ENGLISH, options, "") == words


@settings(deadline=None)
@given(st.text(max_size=40))
def test_nothing_that_is_typed_breaks_it(text: str) -> None:
    read_option(ENGLISH, EXCHANGES, text)
    complete_words(ENGLISH, EXCHANGES, text)
