"""`a` or `an` before a word, as it is spoken."""

from __future__ import annotations

LIKE_YOU = ("uni", "use", "usu", "uti", "eu", "one")  # begin with a vowel that is not spoken as one
SILENT_H = ("hour", "honest", "honour", "honor", "heir")


def with_article(words: str) -> str:
    """`a zone`, `an option`; signs before the first letter are not spoken."""
    spoken = words.lstrip("`\"' ").casefold()
    is_vowel = spoken.startswith(SILENT_H) or (
        spoken[:1] in {"a", "e", "i", "o", "u"} and not spoken.startswith(LIKE_YOU)
    )
    return f"{'an' if is_vowel else 'a'} {words}"
