"""Reproducible chance: the answer depends on seed, game, who asks, and how often they have asked before.

Every zone, variable and player has a stream of its own, so a rule that draws once more somewhere
does not change what comes elsewhere. Integers only: the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from attrs import define, field

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
SMALL = 1 << 32
JSON_SAFE = (1 << 53) - 1


def mix_word(value: int) -> int:
    """Spreads every bit of a number over 64 bits (the last step of splitmix64)."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of many: the first has the seed itself, so that `trace` shows any of them."""
    return seed if number == 0 else mix_word(mix_word(seed & MASK) + number * GOLDEN) & JSON_SAFE


@lru_cache(maxsize=65536)
def hash_name(name: str) -> int:
    """A number for a name, the same in every process (FNV-1a)."""
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = (number ^ byte) * 0x100000001B3 & MASK
    return number


@define(eq=False)
class Streams:
    """The chance of one game."""

    seed: int
    game: int = 0
    _key: int = field(init=False)
    _next: dict[str, int] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._key = mix_word((mix_word(self.seed & MASK) + (self.game + 1) * GOLDEN) & MASK)

    def random_below(self, limit: int, source: str) -> int:
        """A number from 0 to limit - 1; large limits take as many words as they need."""
        following = self._next
        at = following.get(source)
        if at is None:
            at = mix_word(self._key ^ hash_name(source))
        at = following[source] = (at + GOLDEN) & MASK
        word = (at ^ (at >> 30)) * 0xBF58476D1CE4E5B9 & MASK  # `mix`, without a call
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
        word ^= word >> 31
        if limit < SMALL:
            return word * limit >> 64
        bits = 64
        while limit >> (bits - 32):
            at = following[source] = (at + GOLDEN) & MASK
            word, bits = word << 64 | mix_word(at), bits + 64
        return word * limit >> bits

    def random_word(self, name: str) -> int:
        """64 bits that hang on the name alone, however often anything was asked before."""
        return mix_word(mix_word(self._key ^ hash_name(name)) + GOLDEN & MASK)

    def stream_states(self) -> dict[str, int]:
        """How far each stream has come."""
        return dict(self._next)

    def resume_at(self, marks: Mapping[str, int]) -> Streams:
        """The same chance, going on from these marks; this one stays where it is."""
        streams = Streams(self.seed, self.game)
        streams._next.update(marks)
        return streams
