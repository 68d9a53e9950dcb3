"""What keeps a command from doing its job: one sentence for people, told by the front door."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesrun.files.loading import Reading


class Trouble(Exception):
    """The command cannot do its job (exit code 2). The text is the whole message."""


class WrongUse(Trouble):
    """The command line itself is wrong."""


class Unplayable(Exception):
    """The rules allow no table at all: something in them does not hold (exit code 1)."""

    def __init__(self, reading: Reading) -> None:
        super().__init__("the rules allow no table")
        self.reading = reading
