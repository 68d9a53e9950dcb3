"""Options in words, and words as options: `exchange red 7, blue 1`. Names are those of the rules, or their `words`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from attrs import frozen

from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import ENGLISH, Language

Option = Mapping[str, Any]  # `action` and `arguments`, as a question lists it
TOKEN = re.compile(r"\w+|[^\w\s]")
SEPARATORS = frozenset(",.;:()[]{}–—\"'«»“”`")


def name_words(language: Language, name: str) -> str:
    """By its label; a name without one has gaps for strokes: `last_turns`."""
    label = language.label(name)
    return label.replace("_", " ") if label == name else label


@lru_cache(maxsize=8_192)
def component_words(language: Language, name: str) -> str:
    """`red-7` is `red 7`."""
    if name.startswith("-"):
        return name
    return " ".join(name_words(language, part) for part in name.split("-"))


def value_words(language: Language, value: Any) -> str:
    if isinstance(value, list | tuple):
        return " + ".join(value_words(language, one) for one in value) or language.label("nothing")
    if value is None:
        return language.label("nothing")
    return component_words(language, value) if isinstance(value, str) else str(value)


def choice_words(language: Language, action: str, arguments: Mapping[str, Any], is_long: bool = False) -> str:
    """A number is told with its name, a component or a word stands for itself; `is_long`: each with its name."""
    parts = [
        f"{name_words(language, name)} {value_words(language, value)}"
        if is_long or (isinstance(value, int) and (len(arguments) > 1 or name == "player"))
        else value_words(language, value)
        for name, value in arguments.items()
    ]
    return f"{name_words(language, action)} {', '.join(parts)}".rstrip()


@frozen(eq=False)
class WordedOption:
    """One option in the words of a language: in short, and with every name."""

    action: str
    arguments: dict[str, Any]
    short: str
    long: str

    @staticmethod
    def put_into_words(language: Language, option: Option) -> WordedOption:
        action, arguments = option["action"], dict(option["arguments"])
        short, long = (choice_words(language, action, arguments, is_long) for is_long in (False, True))
        return WordedOption(action, arguments, short, long)


def distinct_words(options: Sequence[WordedOption]) -> list[str]:
    """Each in words that no other has: the short ones, else those with every name."""
    short = [one.short for one in options]
    return short if len(set(short)) == len(short) else [one.long for one in options]


def words_of_options(language: Language, options: Sequence[Option]) -> list[str]:
    return distinct_words([WordedOption.put_into_words(language, one) for one in options])


# ---- what somebody types


@frozen
class Reading:
    """The options that typed words may mean; several: it is not clear which."""

    options: tuple[int, ...]
    is_exact: bool = False


def tokens_of(text: str) -> tuple[str, ...]:
    """Words and numbers, small letters. Commas and brackets count for nothing; `red-7` is `red 7`, other signs do."""
    text = re.sub(r"(?<=\w)-(?=\w)", " ", text.replace("_", " "))
    return tuple(one.casefold() for one in TOKEN.findall(text) if one not in SEPARATORS)


def read_option(language: Language, options: Sequence[Option], text: str) -> Reading:
    """Exactly as an option is written; else what begins so; else with words left out or shortened."""
    typed = tokens_of(text)
    if not typed:
        return Reading(())
    written = [ways_to_write(language, one) for one in options]
    for fits in (is_written_so, begins_so, is_shortened_so):
        found = tuple(number for number, ways in enumerate(written) if any(fits(typed, way) for way in ways))
        if found:
            return Reading(found, fits is is_written_so)
    return Reading(())


def ways_to_write(language: Language, option: Option) -> tuple[tuple[str, ...], ...]:
    """Short and long, by labels and by the names of the rules."""
    return tuple(dict.fromkeys(
        tokens_of(choice_words(speech, option["action"], option["arguments"], is_long))
        for speech in (language, ENGLISH) for is_long in (False, True)
    ))  # fmt: skip


def is_written_so(typed: tuple[str, ...], way: tuple[str, ...]) -> bool:
    return typed == way


def begins_so(typed: tuple[str, ...], way: tuple[str, ...]) -> bool:
    """`exchange red` begins many options; `pa` begins `pass`."""
    return len(typed) <= len(way) and way[: len(typed) - 1] == typed[:-1] and is_begun(typed[-1], way[len(typed) - 1])


def is_shortened_so(typed: tuple[str, ...], way: tuple[str, ...]) -> bool:
    """Every typed word begins a word of the option, in order: `ex r7 b1` is `exchange red 7, blue 1`."""
    return is_in_order(typed, way) or is_in_order([part for one in typed for part in split_letters(one)], way)


def is_in_order(parts: Iterable[str], way: tuple[str, ...]) -> bool:
    left = iter(way)
    return all(any(is_begun(part, word) for word in left) for part in parts)


def is_begun(part: str, word: str) -> bool:
    """Numbers are whole."""
    return part == word if part[-1:].isdigit() or word.isdigit() else word.startswith(part)


def split_letters(word: str) -> list[str]:
    """`r7` is `r` and `7`."""
    return re.findall(r"\d+|\D+", word)


def complete_words(language: Language, options: Sequence[Option], text: str) -> list[str]:
    """How the words may go on: whole options that begin with what is typed."""
    typed = tokens_of(text)
    words = words_of_options(language, options)
    if not typed:
        return words
    return [one for one in words if begins_so(typed, tokens_of(one))]


# ---- typed choices
# A choice that somebody types though it is not offered: words in, the action and its values out, so that the rules can
# be asked why not.


@frozen
class TypedChoice:
    """`rest`: words behind the last value."""

    action: str
    arguments: dict[str, Any]
    rest: str


def parse_choice(table: Table, language: Language, words: str) -> TypedChoice | None:
    """None where no action is meant. A value that cannot be read stays as it was typed."""
    typed = tokens_of(words)
    named = [
        (len(name), action) for action in table.bench.actions
        for name in (tokens_of(language.label(action.name.text)), tokens_of(action.name.text))
        if name and typed[: len(name)] == name
    ]  # fmt: skip
    if named:  # the longest: `lay up` is not `lay` with a card called `up`
        length, action = max(named, key=lambda one: one[0])
        return _parse_values(table, language, action.name.text, typed[length:])
    for action in table.bench.actions:
        if typed and any(is_begun(typed[0], one) for one in tokens_of(language.label(action.name.text))[:1]):
            return _parse_values(table, language, action.name.text, typed[1:])
    return None


def _parse_values(table: Table, language: Language, name: str, typed: tuple[str, ...]) -> TypedChoice:
    found: dict[str, Any] = {}
    names = all_names(table.bench, language)
    action = next(one for one in table.bench.actions if one.name.text == name)
    for choice in action.choices:
        for label in (tokens_of(language.label(choice.name.text)), tokens_of(choice.name.text)):
            if typed[: len(label)] == label:
                typed = typed[len(label) :]
        if not typed:
            break
        several: list[str] = []
        while typed and (not several or choice.count is not None):
            value, used = _next_value(names, typed)
            several.append(value)
            typed = typed[used:]
        found[choice.name.text] = several if choice.count is not None else several[0]
    return TypedChoice(name, found, " ".join(typed))


def all_names(bench: Workbench, language: Language) -> dict[tuple[str, ...], str]:
    """Every component as it may be typed, and as the rules write it."""
    found: dict[tuple[str, ...], str] = {}
    for kinds in bench.kinds.values():
        for name in kinds.names:
            found.setdefault(tokens_of(component_words(language, name)), name)
            found.setdefault(tokens_of(name), name)
    for declared in bench.enumerations:
        for one in declared.items:
            for word in (language.label(one.name.text), one.name.text, one.label or ""):
                if word:
                    found.setdefault(tokens_of(word) or (word,), one.label or one.name.text)
    return found


def _next_value(names: dict[tuple[str, ...], str], typed: tuple[str, ...]) -> tuple[str, int]:
    """The longest name that stands at the beginning; else the only one that is so shortened: `r7`."""
    for length in range(min(6, len(typed)), 0, -1):
        if typed[:length] in names:
            return names[typed[:length]], length
    for length in range(min(3, len(typed)), 0, -1):
        parts = [part for one in typed[:length] for part in split_letters(one)]
        meant = {
            name for way, name in names.items()
            if len(way) == len(parts) and all(map(is_begun, parts, way))
        }  # fmt: skip
        if len(meant) == 1:
            return meant.pop(), length
    return typed[0], 1
