"""What each diagnostic means: takes its code, gives a page for people.

A page is `pages/CODE.md`: what is wrong and what to do about it, then a wrong and a right example, which a test checks.
`pages/CODE.ru.md` says the same in Russian; the examples, being rules, stand in the English page alone.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from rulesrun.dsl.explain.page import Page, parse_page, parse_translation

FOLDER = Path(__file__).resolve().parent / "pages"


@cache
def list_codes() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md") if "." not in path.stem))


@cache
def read_page(code: str) -> Page | None:
    """None: there is no such code."""
    return parse_page((FOLDER / f"{code}.md").read_text("utf-8")) if code in list_codes() else None


def read_pages() -> list[Page]:
    return [page for code in list_codes() if (page := read_page(code)) is not None]


def read_translation(code: str, language: str) -> str | None:
    """What the page says in another language; None where nobody has written it."""
    path = FOLDER / f"{code}.{language}.md"
    return parse_translation(path.read_text("utf-8")) if path.exists() else None


def explain_code(code: str, language: str = "en", translate: Callable[[str], str] = str) -> str | None:
    """A page as text, in a language; None: there is no such code. `translate` puts messages into that language."""
    page = read_page(code)
    return page.format_page(read_translation(code, language), translate) if page is not None else None


def find_nearest_codes(code: str) -> tuple[str, ...]:
    """The codes that may have been meant, the nearest first."""
    return tuple(get_close_matches(code.strip().lower().replace("_", "-").replace(" ", "-"), list_codes(), n=3))
