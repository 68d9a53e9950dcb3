"""Amounts in words: a number in, a message with the noun in its number out."""

from __future__ import annotations

from rulesrun.dsl.text.messages import Message, plural


def count_games(amount: int) -> Message:
    return plural("{count:,} game", "{count:,} games", amount)


def count_random_games(amount: int) -> Message:
    return plural("{count:,} random game", "{count:,} random games", amount)


def count_deals(amount: int) -> Message:
    return plural("{count:,} deal", "{count:,} deals", amount)


def count_players(amount: int) -> Message:
    return plural("{count} player", "{count} players", amount)


def count_decisions(amount: int) -> Message:
    return plural("{count:,} decision", "{count:,} decisions", amount)


def count_moves(amount: int) -> Message:
    return plural("{count} move", "{count} moves", amount)


def count_positions(amount: int) -> Message:
    return plural("{count:,} position", "{count:,} positions", amount)


def count_examples(amount: int) -> Message:
    return plural("{count} example", "{count} examples", amount)


def count_properties(amount: int) -> Message:
    return plural("{count} property", "{count} properties", amount)
