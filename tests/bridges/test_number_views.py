"""Observations as rows of numbers: the same as the named ones, within their bounds, alike for every seat."""

from __future__ import annotations

from typing import Any

import pytest

import rulesrun
from rulesrun.interpreter.native.views.part_kernel import BITS, COPY, join_copies

numpy = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

NOTHING = -(1 << 31)
TABLES = [("classics/kuhn", 3), ("classics/leduc", 2), ("zero", 3), ("tokens", 2), ("collection", 2), ("the_game", 2)]


def played_rows(many: Any, amount: int, steps: int, seed: int = 0) -> Any:
    chance = numpy.random.default_rng(seed)
    rows, streams = many.start(amount), chance.integers(0, 1 << 63, amount, dtype=numpy.uint64)
    answers = numpy.full(amount, -1)
    for _ in range(steps):
        many.play_on(rows, answers, streams)
        amounts = many.options(rows)
        answers = numpy.where(amounts > 0, (chance.random(amount) * amounts).astype(numpy.int64), -1)
    return rows


def test_joined_copies_put_the_same_numbers_in_the_same_columns() -> None:
    """By hand: four numbers that lie side by side, one further away, one that has a gate, one that is turned."""
    rest, gated, turned = (0, -5, 0, 0, 0, 0, 0), (0, -5, 7, 0, 1, 0, 0), (0, -5, 0, 0, 0, 1, 3)
    plain = [(COPY, to, 1, 40 + 8 * to, 8, *rest) for to in range(4)]
    apart = [(COPY, 4, 1, 80, 8, *rest), (COPY, 5, 1, 88, 8, *gated), (COPY, 6, 1, 96, 8, *turned)]
    assert join_copies([*plain, *apart]) == [(COPY, 0, 4, 40, 8, *rest), *apart]
    assert join_copies([(BITS, 0, 1, 40, 8, *rest), *plain[1:2]]) == [(BITS, 0, 1, 40, 8, *rest), plain[1]]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_numbers_are_what_the_named_parts_say(name: str, players: int) -> None:
    many = rulesrun.load(name).many(players)
    rows = numpy.concatenate([played_rows(many, 20, steps) for steps in (1, 4, 12)])
    for player in range(1, players + 1):
        named, numbers = many.observe(rows, player), many.observe_numbers(rows, player)
        assert numbers.shape[1] == sum(part.amount for part in many.layout(player))
        for part in many.layout(player):
            own = numbers[:, part.offset : part.offset + part.amount]
            told = named[part.name].reshape(len(rows), -1).astype(numpy.int64)
            assert (own == numpy.where(told == NOTHING, part.low, told)).all(), part
            assert (own >= part.low).all(), part
            assert (own <= part.high).all(), part


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_seen_from_the_seat_every_seat_has_the_same_layout(name: str, players: int) -> None:
    many = rulesrun.load(name).many(players)
    assert len({many.layout(player, relative=True) for player in range(1, players + 1)}) == 1


def test_seen_from_the_seat_the_own_things_come_first() -> None:
    many = rulesrun.load("classics/kuhn").many(3)
    rows = many.start(1)
    for card in (3, 0, 0):  # the fourth card, then the first, then the second
        many.apply(rows, [card])
    names = {part.name: part for part in many.layout(2, relative=True)}
    assert [name for name in names if name.startswith("paid")] == ["paid[me]", "paid[left 1]", "paid[left 2]"]
    assert names["hand[me]"].kind == "kind"
    own = many.observe_numbers(rows, 2, relative=True)[0]
    assert own[names["hand[me]"].offset] == 0
    assert own[names["whose turn"].offset] == 3  # player 1 is the second to the left of player 2
    assert many.observe_numbers(rows, 1, relative=True)[0][names["whose turn"].offset] == 1


def test_nothing_unseen_has_a_say_in_the_numbers() -> None:
    """The others' cards are changed: player 1's numbers stay."""
    many = rulesrun.load("classics/kuhn").many(3)
    seen = []
    for second, third in ((0, 0), (1, 1), (0, 1), (2, 0)):
        rows = many.start(1)
        for card in (1, second, third):
            many.apply(rows, [card])
        seen.append(many.observe_numbers(rows, 1).tobytes())
    assert len(set(seen)) == 1
