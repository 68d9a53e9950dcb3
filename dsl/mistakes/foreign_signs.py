"""Slips inside a line: signs and words that other languages use, or that are missing. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake

# What people write, and the words of the language that may say it, where the grammar takes one of them.
OTHER_WORDS = {
    "every": ("each",), "all": ("each", "every"), "otherwise": ("else",), "if": ("when", "where"), "none": ("nothing",),
    "for": ("over", "to"), "into": ("to",), "onto": ("to",), "in": ("into", "to", "over"), "to": ("..", "by"),
    "and": (",",),
    "while": ("until",), "unless": ("skipping",), "most": ("highest",), "best": ("highest",), "least": ("lowest",),
    "fewest": ("lowest",), "deck": ("pile",), "stack": ("pile",), "heap": ("pile",), "list": ("row",), "line": ("row",),
    "bag": ("set",), "slot": ("place",), "visible": ("public",), "open": ("public",), "secret": ("hidden", "private"),
    "concealed": ("hidden",), "extends": ("of",), "changes": ("of",),
}  # fmt: skip
QUANTIFIERS = {"any": "some", "all": "every", "each": "every", "exists": "some"}


def _other_word(place: Place) -> Mistake | None:
    for word in OTHER_WORDS.get(place.text, ()):
        if place.could_be(word) and (word != ".." or place.before().isdigit()):
            return place.mistake("wrong-word", f"`{place.text}` cannot stand here", f"write `{word}`")
    return None


def _the_highest(place: Place) -> Mistake | None:
    """`the highest rank in hand`."""
    if place.before(2) != "the" or place.before() not in ("highest", "lowest"):
        return None
    best = place.before()
    hint = f"the value: `{best} of … over c in …`; who has it: `the c in … with {best} …`"
    return place.mistake("unexpected-word", f"`the {best}` can be the value or who has it", hint)


def _other_quantifier(place: Place) -> Mistake | None:
    """`any c in hand has …`."""
    if place.before() in QUANTIFIERS and place.after() == "in" and "IN" in place.expected:
        word = place.words[place.at - 1]
        hint = f"write `{QUANTIFIERS[word.text]} {place.text} in …`"
        return Mistake("wrong-word", f"`{word.text}` cannot begin a condition", word.start, word.end, hint)
    return None


def _can_not(place: Place) -> Mistake | None:
    if (place.before(2), place.before()) != ("can", "not"):
        return None
    word = place.words[place.at - 1]
    return Mistake("wrong-word", "`cannot` is one word", place.words[place.at - 2].start, word.end, "write `cannot`")


def _called(place: Place) -> Mistake | None:
    """`count(hand)`, `action a()`."""
    if place.text == "(" and place.expected <= {"OF", "POINTS"} and place.expected:
        hint = f"write `{place.before()} of …`"
        return place.mistake("wrong-sign", f"`{place.before()}` takes no brackets", hint)
    if place.text == ")" and place.before() == "(":
        return place.mistake("wrong-sign", "nothing stands in these brackets", "leave `()` out")
    return None


def _statement_behind_if(place: Place) -> Mistake | None:
    if place.kind == "statement" and place.first in ("if", "otherwise") and place.text == "then":
        hint = "end the line before it; what is done stands below, indented"
        return place.mistake("unexpected-word", "`then` cannot stand here", hint)
    return None


def _cards_behind_equals(place: Place) -> Mistake | None:
    """`given hand of 1 = red 7`."""
    is_given = place.kind == "example_line" and place.first == "given" and "$END" in place.expected
    if is_given and any(word.text == "=" for word in place.words[: place.at]):
        return place.mistake("unexpected-word", "a value ends before this", "write `:` before what lies in a zone")
    return None


def _colon_at_end(place: Place) -> Mistake | None:
    if place.text == ":" and place.at == len(place.words) - 1 and "$END" in place.expected:
        return place.mistake("wrong-sign", "this line does not end with `:`", "leave the `:` out")
    return None


def _needless_colon(place: Place) -> Mistake | None:
    """`players: 2..5`, `define f: x`, `values: red`."""
    if place.text != ":" or place.at == 0:
        return None
    hint = _instead_of_colon(place)
    if hint is None:
        return None
    return place.mistake("wrong-sign", f"after `{place.before()}` stands no `:`", hint)


def _instead_of_colon(place: Place) -> str | None:
    behind = f"after `{place.before()}`, write"
    if place.could_be("then"):
        return "write `then`"
    if "EQUAL" in place.expected:
        return "write `=`"
    if "STRING" in place.expected and not place.after().startswith('"'):
        return f"{behind} a text in quotes"
    if place.expected == {"NAME"}:
        return f"{behind} its name"
    if place.expected == {"LPAR"}:
        return f"{behind} in brackets what it depends on"
    return "leave the `:` out" if place.expected != {"OF"} else None


def _braces(place: Place) -> Mistake | None:
    if place.text != "{" or "LBRACE" in place.expected:
        return None
    hint = "what belongs together is indented, without `{` and `}`"
    return place.mistake("wrong-sign", "`{` cannot stand here, it begins a set", hint)


def _missing_colon(place: Place) -> Mistake | None:
    if "COLON" not in place.expected or "COMPARISON" in place.expected or place.text in (",", ")", "]"):
        return None
    if place.text == "=":
        return place.mistake("missing-colon", "here stands `=` where a `:` must stand", "write `:`")
    if place.text == "player" and "OF" in place.expected:
        return place.mistake("unexpected-word", "before `player` a word is missing", "write `of player`")
    before = f" before `{place.text}`" if place.word else " at the end of this line"
    hint = f"after `{place.words[place.at - 1].text}`, write `:`"
    return place.mistake("missing-colon", f"a `:` is missing{before}", hint)


def _is_without_not(place: Place) -> Mistake | None:
    """`phase is last_turns`."""
    if place.word and place.at > 0 and place.words[place.at - 1].text == "is" and "EMPTY" in place.expected:
        word = place.words[place.at - 1]
        hint = "write `=`; after `is` can only stand `not`, `nothing` or `empty`"
        return Mistake("wrong-word", "`is` does not compare", word.start, word.end, hint)
    return None


def _missing_comma(place: Place) -> Mistake | None:
    starts_another = place.word is not None and place.word.kind in ("word", "number", "string")
    if starts_another and "COMMA" in place.expected and not place.near_words():
        return place.mistake("missing-comma", f"a `,` is missing before `{place.text}`", None)
    return None


INSIDE = (
    _colon_at_end,
    _needless_colon,
    _braces,
    _can_not,
    _called,
    _statement_behind_if,
    _cards_behind_equals,
    _the_highest,
    _other_quantifier,
    _is_without_not,
    _other_word,
    _missing_colon,
    _missing_comma,
)
