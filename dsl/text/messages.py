"""Messages: a sentence with named holes, and the values that fill them. Data in, data out; English by itself.

A `Message` is a string, the English sentence, so whoever does not care about languages needs to know nothing. It also
keeps its template and its values: the front door looks the template up in a catalogue, puts names of the rules by their
`words`, counts by the plurals of the language, and fills the same values in. What is cut out of a message, or glued to
it, is English text and no message any more. So a message is a whole sentence, and what varies in it is a value.

Templates stand as literals inside of `message`, `plural` and `template`: there they are found for the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any


class Names(str):
    """A text in which every word is a name of the rules: `give red-7`. It is put by the `words` of the rules."""

    __slots__ = ()


class Message(str):
    """English text that knows what it was made of. `many` is the template for more than one, of `values["count"]`."""

    __slots__ = ("context", "many", "template", "values")

    template: str
    values: Mapping[str, Any]
    many: str | None
    context: str

    def __new__(
        cls, template: str, values: Mapping[str, Any], many: str | None = None, context: str = ""
    ) -> Message:
        values = {name: str(value) if isinstance(value, Exception) else value for name, value in values.items()}
        chosen = template if many is None or values["count"] == 1 else many
        self = super().__new__(cls, chosen.format_map({name: _say_plainly(value) for name, value in values.items()}))
        self.template, self.values, self.many, self.context = template, values, many, context
        return self

    def __str__(self) -> Message:
        """`str(error)` of an exception made with a message is that message."""
        return self

    def __reduce__(self) -> tuple[type[Message], tuple[object, ...]]:
        return Message, (self.template, self.values, self.many, self.context)

    def map_texts(self, change: Callable[[str], str]) -> Message:
        """The same message with each text among its values changed."""
        values = {name: _map_value(value, change) for name, value in self.values.items()}
        return Message(self.template, values, self.many, self.context)


def _say_plainly(value: object) -> object:
    """Several values are told with commas."""
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else value


def _map_value(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, Message):
        return value.map_texts(change)
    if isinstance(value, tuple | list):
        return tuple(_map_value(inner, change) for inner in value)
    return type(value)(change(value)) if isinstance(value, str) else value


def message(sentence: str, /, **values: Any) -> Message:
    """`message("there is no zone `{name}`", name=…)`. A value is a number, a text, a message, or several of them."""
    return Message(sentence, values)


def message_in(context: str, sentence: str, /, **values: Any) -> Message:
    """Where one English text has several meanings; the context says which, to who translates it."""
    return Message(sentence, values, context=context)


def plural(one: str, many: str, count: int, /, **values: Any) -> Message:
    """`plural("{count} game", "{count:,} games", games)`: other languages have more forms."""
    return Message(one, {"count": count, **values}, many)


def join_messages(parts: Iterable[str], between: str = ", ") -> Message:
    """Several messages, one behind the other; each stays a message."""
    values = {f"part_{number}": part for number, part in enumerate(parts)}
    return Message(between.join(f"{{{name}}}" for name in values), values)


def join_and(parts: Iterable[str]) -> Message:
    """`a and b and c`"""
    first, *others = (join_messages([part]) for part in parts)
    for other in others:
        first = message("{first} and {second}", first=first, second=other)
    return first


def template(sentence: str) -> str:
    """A sentence of a table, to be filled later: `message(SENTENCES[kind], name=…)`."""
    return sentence


