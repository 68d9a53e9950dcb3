"""Exact totals of many games: takes records one by one, gives sums that any split into ranges adds up to alike.

Integers and fractions only. What is kept grows with the number of different figures, not of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import define, field

from rulesrun.interpreter.measure.declared_figures import Key, declared_figure, denominator_of
from rulesrun.interpreter.measure.estimates import Exact
from rulesrun.interpreter.measure.record import GameRecord
from rulesrun.interpreter.model.values import simplify_number

FINE = 4096  # values below this are counted one by one; above, to three or four digits


@define(eq=True)
class Sums:
    """Of one figure over all games: what it adds up to, its squares, how many games add anything, its products."""

    total: Exact = 0
    squares: Exact = 0
    games: int = 0
    product: Exact = 0  # with the figure it is measured against

    def add_value(self, value: Exact, against: Exact) -> None:
        self.total += value
        self.squares += value * value
        self.games += 1
        self.product += value * against

    def merge(self, other: Sums) -> None:
        self.total += other.total
        self.squares += other.squares
        self.games += other.games
        self.product += other.product


@define(eq=True)
class Totals:
    games: int = 0
    finished: int = 0
    decisions: int = 0
    sums: dict[Key, Sums] = field(factory=dict)
    spreads: dict[Key, Counter[Exact]] = field(factory=dict)
    stuck: Counter[str] = field(factory=Counter)
    broken: Counter[str] = field(factory=Counter)
    happened: Counter[str] = field(factory=Counter)
    watched: int = 0  # games in which the properties were looked at
    first_of: dict[str, int] = field(factory=dict)  # the first game of each kind of trouble

    def add_record(self, record: GameRecord) -> None:
        self.games += 1
        self.decisions += record.decisions
        self.watched += record.is_watched
        self.happened.update(record.happened)
        for title in record.broken:
            self._note_trouble(self.broken, title, record.number)
        if record.stuck is not None:
            self._note_trouble(self.stuck, record.stuck, record.number)
            return
        self.finished += 1
        values = record.values
        for key, value in values.items():
            sums = self.sums.get(key)
            if sums is None:
                sums = self.sums[key] = Sums()
            against = denominator_of(key)
            sums.add_value(value, 0 if against is None else values.get(against, 0))
            if declared_figure(key).has_spread:
                self.spreads.setdefault(key, Counter())[round_to_digits(value)] += 1

    def _note_trouble(self, counts: Counter[str], name: str, number: int) -> None:
        counts[name] += 1
        self.first_of[name] = min(number, self.first_of.get(name, number))

    def merge(self, other: Totals) -> None:
        self.games += other.games
        self.finished += other.finished
        self.decisions += other.decisions
        self.watched += other.watched
        for key, sums in other.sums.items():
            self.sums.setdefault(key, Sums()).merge(sums)
        for key, counts in other.spreads.items():
            self.spreads.setdefault(key, Counter()).update(counts)
        for mine, others in ((self.stuck, other.stuck), (self.broken, other.broken), (self.happened, other.happened)):
            mine.update(others)
        for name, number in other.first_of.items():
            self.first_of[name] = min(number, self.first_of.get(name, number))

    def value_counts(self, key: Key) -> Counter[Exact]:
        """How often each value came; games that add nothing are zeros."""
        counts = Counter(self.spreads.get(key, {}))
        counts[0] += self.finished - counts.total()
        return +counts

    def compute_quantiles(self, key: Key, shares: tuple[Fraction, ...]) -> tuple[Exact, ...]:
        return compute_quantiles(self.value_counts(key), shares)


def merge_totals(one: Totals, other: Totals) -> Totals:
    found = Totals()
    found.merge(one)
    found.merge(other)
    return found


def round_to_digits(value: Exact) -> Exact:
    """Three or four digits of a large value, the same one in every split; a fraction to 1/16."""
    if isinstance(value, Fraction):
        return simplify_number(Fraction(round(value * 16), 16))
    if -FINE < value < FINE:
        return value
    unit: int = 1 << (abs(value).bit_length() - FINE.bit_length() + 1)
    return value // unit * unit


def compute_quantiles(counts: Mapping[Exact, int], shares: tuple[Fraction, ...]) -> tuple[Exact, ...]:
    """The smallest value that at least this share of the games does not exceed."""
    games, found = sum(counts.values()), []
    for share in shares:
        passed, reached = 0, Fraction(0)
        for value, count in sorted(counts.items()):
            passed, reached = passed + count, Fraction(value)
            if passed >= share * games:
                break
        found.append(simplify_number(reached))
    return tuple(found)


# ---- as plain data, to be sent and kept


def totals_to_json(totals: Totals) -> dict[str, Any]:
    return {
        "games": totals.games,
        "finished": totals.finished,
        "decisions": totals.decisions,
        "watched": totals.watched,
        "sums": [
            [*key, number_to_json(one.total), number_to_json(one.squares), one.games, number_to_json(one.product)]
            for key, one in sorted(totals.sums.items())
        ],
        "spreads": [
            [list(key), [[number_to_json(value), count] for value, count in sorted(counts.items())]]
            for key, counts in sorted(totals.spreads.items())
        ],
        "stuck": dict(sorted(totals.stuck.items())),
        "broken": dict(sorted(totals.broken.items())),
        "happened": dict(sorted(totals.happened.items())),
        "first_of": dict(sorted(totals.first_of.items())),
    }


def totals_from_json(document: Mapping[str, Any]) -> Totals:
    totals = Totals(document["games"], document["finished"], document["decisions"], watched=document["watched"])
    for *key, total, squares, games, product in document["sums"]:
        totals.sums[tuple(key)] = Sums(
            number_from_json(total), number_from_json(squares), games, number_from_json(product)
        )
    for key, counts in document["spreads"]:
        totals.spreads[tuple(key)] = Counter({number_from_json(value): count for value, count in counts})
    for name in ("stuck", "broken", "happened"):
        getattr(totals, name).update(document[name])
    totals.first_of.update(document["first_of"])
    return totals


def number_to_json(value: Exact) -> int | str:
    value = simplify_number(value)  # whatever split it came from
    return str(value) if isinstance(value, Fraction) else value


def number_from_json(value: int | str) -> Exact:
    return simplify_number(Fraction(value)) if isinstance(value, str) else value


def list_keys(totals: Totals, word: str) -> Iterator[Key]:
    """All figures of one sort, in order."""
    return (key for key in sorted(totals.sums) if key[0] == word)
