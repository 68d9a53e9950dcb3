"""How often something happened in games played at random: takes counts, gives the share and its 95 % interval."""

from __future__ import annotations

from math import sqrt

from attrs import frozen

NORMAL_95 = 1.959963984540054


@frozen
class Share:
    """`count` of `games`. The interval is Wilson's: sound for small counts, and for none at all."""

    count: int
    games: int

    @property
    def value(self) -> float:
        return self.count / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.count, self.games)


def wilson_interval(count: float, games: float, z: float = NORMAL_95) -> tuple[float, float]:
    """The bounds of a share; a game may count in part, which never widens its spread."""
    if not games:
        return 0.0, 1.0
    p = count / games
    middle = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    low = 0.0 if count == 0 else max(middle - half, 0.0)
    return low, 1.0 if count == games else min(middle + half, 1.0)
