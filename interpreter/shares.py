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
        if not self.games:
            return 0.0, 1.0
        n, p, z = self.games, self.value, NORMAL_95
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        low = 0.0 if self.count == 0 else max(middle - half, 0.0)
        return low, 1.0 if self.count == n else min(middle + half, 1.0)
