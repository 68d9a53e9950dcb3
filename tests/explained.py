"""The pages of the catalogue, and the small game around each of their examples: a whole file that can be checked."""

from __future__ import annotations

import re

from rulesrun.dsl.explain import list_codes, read_page
from rulesrun.dsl.explain.page import REPEATED, REPEATED_WORDS, Page

COMPONENTS = "(?:card|token|tile|piece|board) "

# Each piece, and what must not stand in the example for it to be added.
SKELETON: tuple[tuple[str, str], ...] = (
    ("rules ", "rules 1"),
    ("game |variant ", 'game "A small game"'),
    ("players ", "players 2"),
    (f"{COMPONENTS}|values Colour", "values Colour: red, blue"),
    (COMPONENTS, "card Card: colour Colour, rank 1..4"),
    (f"{COMPONENTS}|zone stock", "zone stock: pile of Card, hidden"),
    (f"{COMPONENTS}|zone hand", "zone hand of player: set of Card, private"),
    (f"{COMPONENTS}|setup$", "setup\n  shuffle all Card into stock\n  deal 2 from stock to each hand"),
    ("phase ", "phase play: one turn each from 1\n  choose pass"),
    (r"action pass\b", "action pass"),
    ("score", "score at end\n  points = 1"),
    ("ranking|result", "ranking: highest total, ties share"),
)


def complete_file(pieces: str) -> str:
    """A file with these pieces, and those of a small game that they do not say themselves."""
    added = [text for absent, text in SKELETON if not re.search(f"^(?:{absent})", pieces, re.MULTILINE)]
    has_pass = re.search(r"choose\w* .*\bpass\b", "\n".join([pieces, *added]))
    if not has_pass:
        added = [text for text in added if text != "action pass"]
    return "\n\n".join([*added, pieces])


def complete_variant(pieces: str) -> str:
    return f'rules 1\nvariant "A variant" of "base.rules"\n\n{pieces}'


def read_pages() -> list[Page]:
    return [page for code in list_codes() if (page := read_page(code)) is not None]


def expand_example(example: str) -> str:
    """With what is only hinted at."""
    lines = REPEATED.sub(lambda found: "\n".join([found[2]] * int(found[1])), example)
    return REPEATED_WORDS.sub(lambda found: " ".join([found[2]] * int(found[1])), lines)
