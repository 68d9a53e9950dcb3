"""What each diagnostic means: takes its code, gives a page for people.

A page is `pages/CODE.md`: what is wrong and what to do about it, then a wrong and a right example, which a test checks.
`pages/CODE.ru.md` says the same in Russian; the examples, being rules, stand in the English page alone. In the wheel
`pages.json` holds all of them, which `setup.py` makes: so many small files would weigh more than what they say.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from rulesrun.dsl.explain.page import Page, parse_page, parse_translation

FOLDER = Path(__file__).resolve().parent / "pages"
PACKED = FOLDER.with_suffix(".json")


@cache
def read_packed() -> dict[str, str]:
    """The pages by their names without `.md`; empty where they lie in their folder."""
    pages: dict[str, str] = json.loads(PACKED.read_text("utf-8")) if PACKED.is_file() else {}
    return pages


def read_text(name: str) -> str | None:
    path = FOLDER / f"{name}.md"
    return path.read_text("utf-8") if path.is_file() else read_packed().get(name)


@cache
def list_codes() -> tuple[str, ...]:
    names = (*(path.stem for path in FOLDER.glob("*.md")), *read_packed())
    return tuple(sorted(name for name in names if "." not in name))


@cache
def read_page(code: str) -> Page | None:
    """None: there is no such code."""
    text = read_text(code) if code in list_codes() else None
    return parse_page(text) if text is not None else None


def read_translation(code: str, language: str) -> str | None:
    """What the page says in another language; None where nobody has written it."""
    text = read_text(f"{code}.{language}")
    return parse_translation(text) if text is not None else None


def explain_code(code: str, language: str = "en", translate: Callable[[str], str] = str) -> str | None:
    """A page as text, in a language; None: there is no such code. `translate` puts messages into that language."""
    page = read_page(code)
    return page.format_page(read_translation(code, language), translate) if page is not None else None


def find_nearest_codes(code: str) -> tuple[str, ...]:
    """The codes that may have been meant, the nearest first."""
    return tuple(get_close_matches(code.strip().lower().replace("_", "-").replace(" ", "-"), list_codes(), n=3))
