"""What keeps a command from doing its job: one sentence for people, told by the front door."""

from __future__ import annotations


class Trouble(Exception):
    """The command cannot do its job (exit code 2). The text is the whole message."""


class WrongUse(Trouble):
    """The command line itself is wrong."""


class Interrupted(Exception):
    """Ctrl-C came while a command was at work; what it knew by then has been printed."""
