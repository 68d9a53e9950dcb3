"""Games told by a generator, a small program apart from the rules: what it asks, whom, and what comes of it.

It yields a `Question` and is sent the answer; chance is asked as seat 0, an answer as often as it is likely. It
returns the scores. `follow_rules` walks a game of the rules and of the generator side by side: who is asked, among
what, and the scores must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy

import rulesrun
from tests.gallery.card_facts import Facts, Means

Question = tuple[int, Sequence[str]]
Told = Generator[Question, str, Sequence[Fraction | int]]
Telling = Callable[[], Told]
Taste = Callable[[int, list[str]], list[str]]  # of a seat's answers those that it may give, or none: then any


def play_told(tell: Telling, games: int, seed: int = 1) -> Means:
    """Random games; forced answers count as decisions."""
    chance, rows = Random(seed), []
    for _ in range(games):
        told, decisions = tell(), 0
        try:
            seat, answers = next(told)
            while True:
                decisions += seat > 0
                seat, answers = told.send(chance.choice(answers))
        except StopIteration as end:
            rows.append([decisions, *map(float, end.value)])
    return Means(numpy.array(rows, float))


def facts_of_told(tell: Telling) -> Facts:
    """The whole tree, each history told from the beginning."""
    found = Facts()
    waiting: list[tuple[tuple[str, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        said, odds = waiting.pop()
        try:
            seat, answers = reach(tell(), said)
        except StopIteration as end:
            found.terminals += 1
            for at, score in enumerate(end.value, 1):
                found.scores[at] = found.scores.get(at, Fraction(0)) + odds * score
            continue
        found.decisions += seat > 0
        for answer in dict.fromkeys(answers):
            waiting.append(((*said, answer), odds * Fraction(answers.count(answer), len(answers))))
    return found


def reach(told: Told, said: Sequence[str]) -> Question:
    asked = next(told)
    for answer in said:
        asked = told.send(answer)
    return asked


def follow_rules(position: rulesrun.Position, told: Told, chance: Random, taste: Taste | None = None) -> None:
    """One random game of both."""
    scores: Sequence[Fraction | int] = ()
    try:
        seat, answers = next(told)
        while not isinstance(position.pending, rulesrun.End):
            options = position.legal()
            said = [write(option) for option in options]
            player = position.pending.player if isinstance(position.pending, rulesrun.Decision) else 0
            assert (player, sorted(said)) == (seat, sorted(set(answers))), position.to_json()
            chosen = said.index(chance.choice((taste(seat, said) if taste else []) or said))
            position = position.apply(options[chosen])
            seat, answers = told.send(said[chosen])
    except StopIteration as end:
        scores = end.value
    result = position.result()
    assert result is not None
    assert list(result.scores.values()) == list(scores)


def write(option: Any) -> str:
    if isinstance(option, rulesrun.Choice):
        return " ".join([option.action, *(flat(value) for _, value in option.arguments)])
    return flat(option.values)


def flat(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
