"""Amounts in words: a number and a noun in, the noun in its number out."""

from __future__ import annotations


def counted(amount: int, noun: str, plural: str | None = None) -> str:
    """`1 game`, `2,000 games`; `plural` where more than an `s` is added."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"
