"""A finished page in another language: its texts by phrases, names of the rules by their `words`. Markup in and out.

Rules, excerpts, commands stay as they are; what the author wrote as a sentence stays, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from html import unescape

from rulesrun.files.loading import Reading
from rulesrun.pages.markup import escape_text
from rulesrun.report.languages import Language, language_of

TAG = re.compile(r"(<[^>]*>)")
SILENT = {"pre", "code", "script", "style", "blockquote"}
SPACES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)
NAMES = re.compile(r"\w+(-\w+)*(\[\w+\])?(:? \w+)?( \w+)?")
LABEL = re.compile(r'(aria-label=")([^"]*)(")')


def translate_page(page: str, readings: Sequence[Reading], code: str) -> str:
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
            told.append(
                piece
                if silent
                else escape_text(titles[piece]).html
                if piece in titles
                else translate_escaped(piece, now)
            )
            continue
        name = piece.strip("</>").partition(" ")[0]
        if name in SILENT and not piece.endswith("/>"):
            silent += -1 if piece.startswith("</") else 1
        if name == "article" and not piece.startswith("</"):
            now, article = languages[article], article + 1
        told.append(LABEL.sub(partial(translate_label, now), piece))
    return "".join(told)


def translate_label(language: Language, found: re.Match[str]) -> str:
    return found[1] + translate_escaped(found[2], language) + found[3]


def translate_escaped(escaped: str, language: Language) -> str:
    found = SPACES.fullmatch(escaped)
    assert found is not None
    plain = unescape(found[2])
    if not re.search(r"[^\W\d]{2}", plain):
        return escaped
    other = language.translate_page_text(plain)
    if other == plain and "; " in plain:
        other = "; ".join(language.translate_page_text(one) for one in plain.split("; "))
    if other == plain and NAMES.fullmatch(plain):
        other = language.translate_names(plain)
    return found[1] + escape_text(other).html + found[3]
