"""What may stand behind an option, and behind a command. Takes the table of options, gives kinds of candidates."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulesrun.terminal.arguments import COMMANDS, FORMAT_NAMES, OPTIONS, TREE_FORMATS, Command, Option


@frozen
class Words:
    """One of these."""

    words: tuple[str, ...]


@frozen
class RulesFile:
    """A rules file, or a bundled rulebook by its name."""


@frozen
class AnyFile:
    pass


@frozen
class Folder:
    pass


@frozen
class FromRules:
    """What the rules on the command line know: `rulesrun completion SUBJECT FILE` tells it."""

    subject: str


@frozen
class Anything:
    """A number, a title: nothing to offer."""


Candidates = Words | RulesFile | AnyFile | Folder | FromRules | Anything

SHELLS = ("bash", "zsh", "fish")
SUBJECTS: Mapping[str, str] = {
    "set": "set", "seats": "seats", "small": "small", "lang": "lang", "drop": "example", "record": "example",
}  # fmt: skip
"""Options whose values the rules know, and under which name they are asked for."""

FIXED: Mapping[str, tuple[str, ...]] = {
    "engine": ("auto", "reference", "native"),
    "figures": ("main", "all"),
    "format": (*FORMAT_NAMES, *TREE_FORMATS),
    "players": ("all",),
}
PLACES: Mapping[str, Candidates] = {
    "FILE": RulesFile(), "VARIANT": RulesFile(), "BASE": RulesFile(), "TRACE": AnyFile(), "DIR": Folder(),
    "FOLDER": Folder(), "SHELL": Words(SHELLS),
}  # fmt: skip
"""What stands behind a command, by the word that its usage has for it."""


def find_option_candidates(option: Option) -> Candidates:
    if option.name == "from":
        from rulesrun.services.new import list_origins

        return Words(list_origins())
    if option.name in FIXED:
        return Words(FIXED[option.name])
    if option.name in SUBJECTS:
        return FromRules(SUBJECTS[option.name])
    if option.name in ("with", "compare"):
        return RulesFile()
    if option.takes in ("FILE", "FOLDER", "DIR"):
        return AnyFile()
    return Anything()


def list_places(command: Command) -> tuple[Candidates, ...]:
    """What stands behind a command, one after the other; the last again and again where it may."""
    words = [word.strip("[]").removesuffix("…") for word in command.takes.split()]
    return tuple(_find_place(word) for word in words)


def _find_place(word: str) -> Candidates:
    if word == "CODE":
        from rulesrun.dsl.explain import list_codes

        return Words(list_codes())
    return PLACES.get(word, Anything())


def list_options(command: Command) -> list[Option]:
    """Those that a command takes, `--help` among them."""
    return [OPTIONS[name] for name in dict.fromkeys((*command.options, "help"))]


def named_commands() -> list[Command]:
    """Those with a name; the plain form has none."""
    return [command for command in COMMANDS.values() if command.name != "run"]


def list_valued_options() -> list[str]:
    return [f"--{option.name}" for option in OPTIONS.values() if option.takes is not None]
