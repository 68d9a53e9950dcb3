"""A choice that somebody types though it is not offered: words in, the action and its values out, so that the rules can
be asked why not."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import Language
from rulesrun.table.option_words import component_words, is_begun, split_letters, tokens_of


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
