"""The language that is spoken now: messages in, sentences out, names of the rules by their `words`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any, Protocol

from attrs import evolve, frozen

from rulesrun.dsl.text.messages import Message, Names, message, message_in, plural
from rulesrun.locale.catalogue import Catalogue, list_languages, load_catalogue

NAME = re.compile(r"[^\W\d]\w*")
WORD = "word of the rules"
LANGUAGE_WORDS = (
    message_in("word of the rules", "player"), message_in("word of the rules", "players"),
    message_in("word of the rules", "total"), message_in("word of the rules", "yes"),
    message_in("word of the rules", "no"), message_in("word of the rules", "nothing"),
    message_in("word of the rules", "starter"), message_in("word of the rules", "round"),
    message_in("word of the rules", "phase"), message_in("word of the rules", "or"),
)  # fmt: skip
"""Names that the language of rules brings itself; a catalogue has them as rules have their `words`."""
THOUSANDS = message_in("between thousands", ",")


class Worded(Protocol):
    """Rules that say what their names are called."""

    @property
    def title(self) -> str: ...

    @property
    def languages(self) -> frozenset[str]: ...

    def list_labels(self, language: str) -> dict[str, str]: ...


@frozen(eq=False)
class Language:
    """`code` is None where nobody asked for a language: English, and names as the rules have them."""

    code: str | None = None
    catalogue: Catalogue | None = None
    labels: Mapping[str, str] = {}

    def translate(self, value: object) -> str:
        """A message as a sentence, names by their labels, several values with commas; any other text as it is."""
        match value:
            case Message():
                filled = {name: _Value(inner, self) for name, inner in value.values.items()}
                return self._find_sentence(value).format_map(filled)
            case Names():
                return NAME.sub(lambda found: self.label(found[0]), value)
            case tuple() | list():
                return ", ".join(map(self.translate, value))
            case _:
                return str(value)

    def label(self, name: str) -> str:
        if name in self.labels:
            return self.labels[name]
        return name if self.catalogue is None else self.catalogue.find_sentence(name, WORD)

    def format_number(self, number: Any, form: str) -> str:
        text = format(number, form)
        if self.catalogue is None or "," not in form:
            return text
        return text.replace(",", self.catalogue.find_sentence(THOUSANDS.template, THOUSANDS.context))

    def _find_sentence(self, value: Message) -> str:
        if self.catalogue is None:
            return value.template if value.many is None or value.values["count"] == 1 else value.many
        if value.many is None:
            return self.catalogue.find_sentence(value.template, value.context)
        return self.catalogue.find_plural(value.template, value.many, value.values["count"], value.context)


@frozen(eq=False)
class _Value:
    """What is put into a hole: said in the language, then laid out as the hole asks."""

    value: Any
    language: Language

    def __format__(self, form: str) -> str:
        if isinstance(self.value, str | tuple | list):
            return format(self.language.translate(self.value), form)
        return self.language.format_number(self.value, form)


ENGLISH = Language()
_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def set_language(code: str | None) -> None:
    """From now on everything is said in this one; None: in English, names as they are."""
    _spoken.set(Language(code, None if code is None else load_catalogue(code)))


def use_words(game: Worded | None) -> None:
    """From now on names are those of this game."""
    now = _spoken.get()
    if now.code is not None:
        _spoken.set(evolve(now, labels=list_labels(game, now.code)))


def list_labels(game: Worded | None, code: str) -> dict[str, str]:
    """What the rules call their names in a language."""
    return game.list_labels(code) if game is not None else {}


def spoken_language() -> Language:
    return _spoken.get()


def label_words() -> dict[str, str]:
    """What the names that the language of rules brings itself are called, where a catalogue says so."""
    words = {str(word.template): _spoken.get().label(word.template) for word in LANGUAGE_WORDS}
    return {word: label for word, label in words.items() if label != word}


def translate(value: object) -> str:
    """A message, names, several of them, or any text, in the language that is spoken now."""
    return _spoken.get().translate(value)


def say(sentence: str, /, **values: Any) -> str:
    """`say("in {games:,} of {total:,} games", games=…, total=…)` in the language that is spoken now."""
    return translate(message(sentence, **values))


def say_plural(one: str, many: str, count: int, /, **values: Any) -> str:
    return translate(plural(one, many, count, **values))


def say_title(game: Worded | None) -> str:
    """What the game is called."""
    return spoken_language().labels.get("game", game.title) if game is not None else ""


def known_languages(games: Iterable[Worded | None]) -> list[str]:
    """English, those that have a catalogue, and those that the rules have words for."""
    return sorted({"en", *list_languages()}.union(*(game.languages for game in games if game is not None)))
