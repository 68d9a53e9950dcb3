"""A finished page in another language: its texts by phrases, names of the rules by their `words`. Markup in and out.

Rules, excerpts, commands stay as they are; what the author wrote as a sentence stays, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from html import unescape

from rulesrun.files.loading import Reading
from rulesrun.locale.languages import Language, language_of
from rulesrun.pages.markup import text

TAG = re.compile(r"(<[^>]*>)")
SILENT = {"pre", "code", "script", "style", "blockquote"}
SPACES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)
NAMES = re.compile(r"\w+(-\w+)*(\[\w+\])?(:? \w+)?( \w+)?")
LABEL = re.compile(r'(aria-label=")([^"]*)(")')


def spoken(page: str, readings: Sequence[Reading], code: str) -> str:
    """Each article in the words of its own rules."""
    languages = [language_of(reading, code) for reading in readings]
    titles = {
        reading.title: language.label("game") for reading, language in zip(readings, languages, strict=True)
        if language.label("game") != "game"
    }  # fmt: skip
    now, article = languages[0] if len(languages) == 1 else Language(code, {}), 0
    told, silent = [], 0
    page = page.replace('lang="en"', f'lang="{code}"', 1)
    for piece in TAG.split(page):
        if not piece.startswith("<"):
            told.append(piece if silent else text(titles[piece]).html if piece in titles else said(piece, now))
            continue
        name = piece.strip("</>").partition(" ")[0]
        if name in SILENT and not piece.endswith("/>"):
            silent += -1 if piece.startswith("</") else 1
        if name == "article" and not piece.startswith("</"):
            now, article = languages[article], article + 1
        told.append(LABEL.sub(partial(labelled, now), piece))
    return "".join(told)


def labelled(language: Language, found: re.Match[str]) -> str:
    return found[1] + said(found[2], language) + found[3]


def said(escaped: str, language: Language) -> str:
    found = SPACES.fullmatch(escaped)
    assert found is not None
    plain = unescape(found[2])
    if not re.search(r"[^\W\d]{2}", plain):
        return escaped
    other = language.of_page(plain)
    if other == plain and "; " in plain:
        other = "; ".join(language.of_page(one) for one in plain.split("; "))
    if other == plain and NAMES.fullmatch(plain):
        other = language.named(plain)
    return found[1] + text(other).html + found[3]
