"""What every diagnostic means, with a wrong and a right example. Takes a code, gives text for people."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from rulesrun.dsl.explain.examples import PAGES as EXAMPLES
from rulesrun.dsl.explain.flow import PAGES as FLOW
from rulesrun.dsl.explain.layout import PAGES as LAYOUT
from rulesrun.dsl.explain.moving import PAGES as MOVING
from rulesrun.dsl.explain.names import PAGES as NAMES
from rulesrun.dsl.explain.pages import Page, read_pages
from rulesrun.dsl.explain.play import PAGES as PLAY
from rulesrun.dsl.explain.types import PAGES as TYPES
from rulesrun.dsl.explain.variants import PAGES as VARIANTS
from rulesrun.dsl.explain.words import PAGES as WORDS

GROUPS = (LAYOUT, WORDS, NAMES, TYPES, FLOW, VARIANTS, PLAY, MOVING, EXAMPLES)
PAGES: dict[str, Page] = {page.code: page for group in GROUPS for page in read_pages(group)}


def list_codes() -> tuple[str, ...]:
    return tuple(sorted(PAGES))


def explain_code(code: str, translate: Callable[[str], str] = str) -> str | None:
    """None: there is no such code. `translate` says messages."""
    page = PAGES.get(code)
    return page.format_page(translate) if page is not None else None


def find_nearest_codes(code: str) -> tuple[str, ...]:
    """The codes that may have been meant, the nearest first."""
    return tuple(get_close_matches(code.strip().lower().replace("_", "-").replace(" ", "-"), list_codes(), n=3))
