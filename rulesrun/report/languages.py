"""Texts of a page in another language: phrases by a table, names of the rules by their `words`. Text in, text out.

A line that no phrase fits stays as it is: titles of properties and what rules say are the author's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.files.loading import Reading
from rulesrun.report.russian import NAMES, NAMES_ALONE
from rulesrun.report.russian import PHRASES as RUSSIAN
from rulesrun.report.russian_figures import COMPARE, DEADWEIGHT, FIGURES, GOING_ON, MEASURED, OF_NAMES, SOLVE
from rulesrun.report.russian_pages import PAGES

PHRASES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (),
    "ru": (*MEASURED, *RUSSIAN, *OF_NAMES, *NAMES_ALONE),
    "ru page": (*PAGES, *FIGURES, *COMPARE, *DEADWEIGHT, *SOLVE, *GOING_ON),
}
OWN_NAMES: Mapping[str, Mapping[str, str]] = {"ru": NAMES}
COUNTED = re.compile(r" (?:more |random )?(?:game|deal|decision|player|position|choice|card|step|round|turn|move)s\b")
HOLE = re.compile(r"\{([ntwpl])(\d)\}")
# n: a number, t: any text as it is, w: names of the rules, p: a phrase of the table, l: several with commas
PATTERNS = {"n": r"[\d,.e%+-]+(?: %)?", "t": r".+", "w": r".+?", "p": r".+?", "l": r".+?"}
DEEPEST = 6


@frozen(eq=False)
class Language:
    """What names of one rulebook are called in a language."""

    code: str
    labels: Mapping[str, str]

    def label(self, name: str) -> str:
        return self.labels.get(name, name)

    def translate_names(self, text: str) -> str:
        """Every name in a text by its label: `exchange(give red-7)` → `обмен(отдать красная-7)`."""
        return re.sub(r"[^\W\d]\w*", lambda found: self.label(found[0]), text)

    def translate_line(self, line: str, depth: int = 0) -> str:
        """One line in this language."""
        for pattern, phrase in _compile_phrases(self.code):
            found = pattern.fullmatch(line)
            if found is not None:
                return self._fill_phrase(phrase, found.groupdict(), depth)
        return line

    def translate_page_text(self, text: str) -> str:
        """What stands on a page, where single words are headings and verdicts."""
        for pattern, phrase in _compile_phrases(f"{self.code} page"):
            found = pattern.fullmatch(text)
            if found is not None:
                return self._fill_phrase(phrase, found.groupdict(), 0)
        return text

    def _fill_phrase(self, phrase: str, said: Mapping[str, str], depth: int) -> str:
        return HOLE.sub(lambda hole: self._fill_hole(hole[1], said[hole[1] + hole[2]], depth), phrase)

    def _fill_hole(self, kind: str, text: str, depth: int) -> str:
        if kind == "w":
            return self.translate_names(text)
        if kind in "pl" and depth < DEEPEST:
            parts = text.split(", ") if kind == "l" else [text]
            return ", ".join(self.translate_line(part, depth + 1) for part in parts)
        return text


@lru_cache(maxsize=8)
def _compile_phrases(code: str) -> Sequence[tuple[re.Pattern[str], str]]:
    return [(_compile_phrase(english), phrase) for english, phrase in PHRASES.get(code, ())]


def _compile_phrase(english: str) -> re.Pattern[str]:
    parts, last = [], 0
    for hole in HOLE.finditer(english):
        parts += [_escaped(english[last : hole.start()], last > 0), f"(?P<{hole[1]}{hole[2]}>{PATTERNS[hole[1]]})"]
        last = hole.end()
    return re.compile("".join([*parts, _escaped(english[last:], last > 0)]))


def _escaped(text: str, follows_a_hole: bool) -> str:
    """What is counted may be one: `1 game` is put as `2 games` is."""
    found = COUNTED.match(text) if follows_a_hole else None
    if found is None:
        return re.escape(text)
    return re.escape(found[0][:-1]) + "s?" + re.escape(text[found.end() :])


def language_of(reading: Reading, code: str) -> Language:
    """The labels of one rulebook; a variant's own come before those of its base."""
    labels: dict[str, str] = dict(OWN_NAMES.get(code, {}))
    for piece in reading.game.declarations if reading.game is not None else ():
        if type(piece) is ast.Words and piece.language.text == code:
            labels |= {word.name.text: word.text for word in piece.items}
    return Language(code, labels)
