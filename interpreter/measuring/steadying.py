"""How figures are steadied: what each owes to lucky choices is taken off, by weights found on other games.

Takes games that are told nowhere, gives `Weights`; takes these and a game, gives its steadied figures. As
the luck is zero on average and the weights know nothing of the games they are used on, what is left has the same mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from attrs import frozen

from rulesrun.interpreter.measuring.choices import UNIT, Row
from rulesrun.interpreter.measuring.estimates import Exact
from rulesrun.interpreter.measuring.fitting import LEAST_GAIN, covariance, fits
from rulesrun.interpreter.measuring.outlook import PARTS, SPREADS, Blur, Outlook
from rulesrun.interpreter.measuring.pairs import GRAIN
from rulesrun.interpreter.measuring.record import Key

FEWEST_GAMES = 20  # that must be finished before anything is weighed
LEAST_OFTEN = 0.04  # of the games, in which a number must say anything
WEIGHT = 1 << 16
COARSER = UNIT * WEIGHT // GRAIN
SEATED, COMMON = ("win", "score"), ("length", "line", "action")
LESS = 10  # bits that the numbers of a row are larger than is needed for weighing

REHEARSED = 600  # games that weights are found on
FIRST = 200  # of them, for the blur
WORTH = 0.9  # of the variance of a difference, that may be left where a figure is steadied

Values = Mapping[Key, Exact]
Game = tuple[Values, Row]
Place = tuple[int, int]  # the situation, where in its row


class Rehearsing(Protocol):
    """Plays games that are told nowhere, the same ones each time."""

    @property
    def outlook(self) -> Outlook: ...

    def games(self, blur: Blur, games: int) -> list[Game | None]:
        """None where a game got stuck."""


@frozen
class Weights:
    """`figures`: what a number of the row is worth to a figure, in parts of `WEIGHT`."""

    blur: Blur
    figures: dict[Key, dict[Place, int]]

    def steadied(self, key: Key, game: Game) -> int:
        """In parts of `GRAIN`."""
        values, row = game
        value, own = int(values.get(key, 0)), self.figures.get(key, {})
        luck = sum(weight * row[place[0]][place[1]] for place, weight in own.items() if place[0] in row)
        return (value * UNIT * WEIGHT - luck) // COARSER


def weights_of_both(left: Rehearsing, right: Rehearsing, named: Callable[[Key], Key]) -> tuple[Weights, Weights]:
    """For two tables that are played on the same deals; `named`: what the left one calls a figure of the right one.

    A figure whose difference is not narrower for it is left as it is.
    """
    (one, games), (other, others) = (weights_of(rehearsal) for rehearsal in (left, right))
    both = [(mine, yours) for mine, yours in zip(games, others, strict=True) if mine is not None and yours is not None]
    names = {named(key): key for _, yours in both for key in yours[0]} | {named(key): key for key in other.figures}
    for key in {*one.figures, *map(named, list(other.figures))}:
        own = names.get(key, key)
        plain = [int(yours[0].get(own, 0)) - int(mine[0].get(key, 0)) for mine, yours in both]
        steady = [other.steadied(own, yours) - one.steadied(key, mine) for mine, yours in both]
        if covariance(steady, steady, len(both)) > WORTH * GRAIN**2 * covariance(plain, plain, len(both)):
            one.figures.pop(key, None)
            other.figures.pop(own, None)
    return one, other


def weights_of(rehearsal: Rehearsing) -> tuple[Weights, list[Game | None]]:
    """First how much of the points on the table will count, then what everything is worth."""
    outlook = rehearsal.outlook
    blur = outlook.plain_blur()
    if outlook.has_chances:
        first = finished(rehearsal.games(blur, FIRST))
        blur = blurred(outlook, first) if len(first) >= FEWEST_GAMES else blur
    games = rehearsal.games(blur, REHEARSED)
    done = finished(games)
    if len(done) < FEWEST_GAMES:
        return Weights(blur, {}), games
    weighing = Weighing(outlook, done)
    return Weights(blur, {**weighing.of_seats(), **weighing.of_all()}), games


def finished(games: list[Game | None]) -> list[Game]:
    return [game for game in games if game is not None]


def blurred(outlook: Outlook, games: list[Game]) -> Blur:
    """From how the final scores hang on the points that lay there; from how far apart the scores are."""
    weighing = Weighing(outlook, games)
    lines = sum(outlook.lines)
    places = [(at, line) for at in weighing.often for line in range(lines + 1)]
    columns = [weighing.by_seat(place) for place in places]
    columns += [weighing.of_everybody((at, 0)) for at in weighing.often]
    found = fits(columns, [weighing.targets("score")])[0].weights
    shares = [[0] * lines for _ in range(outlook.situations)]
    for (at, line), weight in zip(places, found, strict=False):
        if line < lines:
            shares[at][line] = min(max(round(weight * PARTS * UNIT / (1 << LESS) / weighing.many), 0), 2 * PARTS)
    apart = sum(int(values.get(("margin",), 0)) for values, _ in games) * PARTS // len(games)
    spreads = tuple(max(apart >> (SPREADS - step), 1) for step in range(SPREADS))
    return Blur(tuple(map(tuple, shares)), spreads)


class Weighing:
    """Columns of numbers from the rows of games: of every game, or of every seat of every game."""

    def __init__(self, outlook: Outlook, games: list[Game]) -> None:
        self.outlook, self.games, self.many = outlook, games, len(games)
        self.seats = outlook.table.players
        counts: dict[int, int] = {}
        for _, row in games:
            for at, numbers in row.items():
                counts[at] = counts.get(at, 0) + any(numbers)
        self.often = sorted(at for at, count in counts.items() if count >= LEAST_OFTEN * self.many)

    def numbers(self, place: Place) -> list[int]:
        at, step = place
        return [row[at][step] >> LESS if at in row else 0 for _, row in self.games]

    def of_everybody(self, place: Place) -> list[int]:
        return [one for one in self.numbers(place) for _ in range(self.seats)]

    def by_seat(self, place: Place) -> list[int]:
        """`place`: among the numbers of a seat."""
        at, step = place
        own = [self.numbers((at, self.seat_place(seat, step))) for seat in range(self.seats)]
        return [column[game] for game in range(self.many) for column in own]

    def seat_place(self, seat: int, step: int) -> int:
        return 1 + seat * self.outlook.of_seat + step

    def targets(self, word: str) -> list[int]:
        """A figure of each seat, less its mean, so many times as large as there are games."""
        own = [[int(values.get((word, str(seat)), 0)) for values, _ in self.games] for seat in self.seat_numbers()]
        means = [sum(column) for column in own]
        return [
            column[game] * self.many - mean
            for game in range(self.many) for column, mean in zip(own, means, strict=True)
        ]  # fmt: skip

    def seat_numbers(self) -> range:
        return range(1, self.seats + 1)

    def of_seats(self) -> dict[Key, dict[Place, int]]:
        """All seats share the weights: what is one's own is worth to each what it is worth to any."""
        places = [(at, step) for at in self.often for step in range(self.outlook.of_seat)]
        columns = [self.by_seat(place) for place in places] + [self.of_everybody((at, 0)) for at in self.often]
        found: dict[Key, dict[Place, int]] = {}
        for word, fit in zip(SEATED, fits(columns, [self.targets(word) for word in SEATED]), strict=True):
            if fit.gain < LEAST_GAIN:
                continue
            whole = [round(one * self.many_times) for one in fit.weights]
            for seat in range(self.seats):
                there = [(at, self.seat_place(seat, step)) for at, step in places] + [(at, 0) for at in self.often]
                found[word, str(seat + 1)] = {
                    place: weight for place, weight in zip(there, whole, strict=True) if weight
                }  # fmt: skip
        return found

    @property
    def many_times(self) -> float:
        """From a weight for `targets` and `numbers` to one in parts of `WEIGHT`."""
        return UNIT / (1 << LESS) / self.many * WEIGHT

    def of_all(self) -> dict[Key, dict[Place, int]]:
        """Figures that belong to no seat: by the situations, and the points of all."""
        lines = range(sum(self.outlook.lines))
        sets = [[(at, 0)] for at in self.often]
        sets += [[(at, self.seat_place(seat, line)) for seat in range(self.seats)]
                 for at in self.often for line in lines]  # fmt: skip
        columns = [[sum(ones) for ones in zip(*map(self.numbers, places), strict=True)] for places in sets]
        keys = sorted({key for values, _ in self.games for key in values if key[0] in COMMON})
        targets = [[int(values.get(key, 0)) for values, _ in self.games] for key in keys]
        found: dict[Key, dict[Place, int]] = {}
        for key, fit in zip(keys, fits(columns, targets), strict=True):
            if fit.gain >= LEAST_GAIN:
                whole = [round(one * self.many_times * self.many) for one in fit.weights]
                found[key] = {place: weight for places, weight in zip(sets, whole, strict=True)
                              for place in places if weight}  # fmt: skip
        return found


# ---- as plain data, to be sent and kept


def weights_to_plain(weights: Weights) -> dict[str, Any]:
    figures = [[list(key), [[*place, one] for place, one in own.items()]] for key, own in weights.figures.items()]
    return {"shares": [list(one) for one in weights.blur.shares], "spreads": list(weights.blur.spreads),
            "figures": figures}  # fmt: skip


def weights_from_plain(document: Mapping[str, Any]) -> Weights:
    blur = Blur(tuple(tuple(one) for one in document["shares"]), tuple(document["spreads"]))
    figures = {
        tuple(key): {(at, step): weight for at, step, weight in own} for key, own in document["figures"]
    }  # fmt: skip
    return Weights(blur, figures)
