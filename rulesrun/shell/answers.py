"""What the rules on a command line know: values of their options, who may sit at a table, titles. A line each.

Asked for while somebody types, so trouble is no trouble: a file that cannot be read has no answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.contents.written_values import list_written_values
from rulesrun.files.loading import Reading, read_rules
from rulesrun.locale.language import known_languages
from rulesrun.terminal.trouble import Trouble

BOTS = ("random", "greedy", "mcts")


def list_answers(subject: str, files: tuple[str, ...]) -> list[str]:
    games = [reading.game for reading in _read_all(files) if reading.game]
    match subject:
        case "set":
            return [f"{name}={value}" for name, value in list_written_values(games)]
        case "seats":
            return [*BOTS, *(piece.name.text for game in games for piece in game.personas)]
        case "small":
            return [small.title for game in games for small in game.smalls]
        case "example":
            return [piece.title for game in games for piece in game.examples]
        case "lang":
            return known_languages(games)
        case _:
            return []


def _read_all(files: tuple[str, ...]) -> Iterator[Reading]:
    for name in files:
        if name != "-":
            try:
                yield read_rules(name)
            except Trouble:
                continue
