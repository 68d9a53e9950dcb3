"""Slips between two words: one is missing there, or the first of them is misspelt. Takes places, gives mistakes."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.mistakes.components import COMPONENTS
from rulesrun.dsl.mistakes.expected_words import STARTS_OF_TYPES, texts_of
from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.keywords import RESERVED, WORDS

PEOPLE = ("player", "players")
COMPARED = ("=", "in", "not")


def first_player(place: Place) -> Mistake | None:
    """`turns from first player`."""
    if place.text not in PEOPLE or place.before() not in ("first", "starting"):
        return None
    word = place.words[place.at - 1]
    hint = "who begins the round is `starter`, seat 1 is `1`"
    return Mistake("unexpected-word", "a player is not named like this", word.start, place.words[place.at].end, hint)


def component_without_braces(place: Place) -> Mistake | None:
    """`red 7 in hand`, `top of heap = red 7`."""
    is_pair = place.at > 0 and place.words[place.at - 1].kind == "word" and place.text.isdigit()
    begins = place.before(2) in COMPARED or (place.after() in COMPARED and place.before(2) != "of")
    if not is_pair or not begins or not {"OF", "PLUS"} & place.expected:
        return None
    thing = f"{place.before()} {place.text}"
    word = place.words[place.at - 1]
    hint = f"that it lies there: `some c in … has c in {{{thing}}}`; that it is the top: `top of … in {{{thing}}}`"
    message = f"a component stands in braces: `{{{thing}}}`"
    return Mistake("unexpected-word", message, word.start, place.words[place.at].end, hint)


def of_is_missing(place: Place) -> Mistake | None:
    """`rank given <= 3`, `count of hand 1`, `top of heap rank`."""
    if not _after_a_name(place) or place.word is None or place.word.kind not in ("word", "number"):
        return None
    if place.near_words() or (place.after() in ("from", "to") and place.could_be(place.after())):
        return None
    if RESERVED & {place.text, place.before()}:
        return None
    before, text = place.before(), place.text
    hint = f"write `{before} of {text}`"
    if place.before(2) == "of" and place.word.kind == "word":
        hint = f"write `{before} of {text}`; if `{text}` is asked for, it stands in front: `{text} of …`"
    return place.mistake("unexpected-word", f"between `{before}` and `{text}` a word is missing", hint)


def attribute_without_type(place: Place) -> Mistake | None:
    """`card Card: colour, rank 1..6`."""
    if place.first not in COMPONENTS or not place.expected >= STARTS_OF_TYPES:
        return None
    hint = "an attribute has a name and a type, as in `rank 1..6` or `colour Colour`"
    return place.mistake("unexpected-word", f"after `{place.before()}` stands what it can be", hint)


def reserved_choice(place: Place) -> Mistake | None:
    """`action bid(count in 1..6)`."""
    if place.first != "action" or place.text not in ("in", "from") or place.before() not in RESERVED:
        return None
    word = place.words[place.at - 1]
    message = f"`{word.text}` is a word of the language, nothing can be called so"
    hint = f"choose another name, or put it together with another word, as in `first_{word.text}`"
    return Mistake("reserved-word", message, word.start, word.end, hint)


def definition_of_player(place: Place) -> Mistake | None:
    """`define points of player = …`."""
    if place.first not in ("define", "table") or place.text != "of":
        return None
    hint = "leave it out; a definition is asked of a player where it is used: `… of p`"
    return place.mistake("unexpected-word", "a definition belongs to nobody", hint)


def misspelt_before(place: Place) -> Mistake | None:
    """`given form hand`: the misspelt word was taken for a name."""
    if place.word is None or place.at < 2 or place.words[place.at - 1].kind != "word" or place.before() in WORDS:
        return None
    near = get_close_matches(place.before()[:40].lower(), texts_of(place.expected), n=1, cutoff=0.7)
    if not near or place.near_words():
        return None
    word = place.words[place.at - 1]
    message = f"here can stand `{near[0]}`, not `{word.text}`"
    return Mistake("unexpected-word", message, word.start, word.end, f"did you mean `{near[0]}`?")


def brackets_behind_an_action(place: Place) -> Mistake | None:
    """`then 1 can lay red 7`."""
    if place.word is None or place.word.kind not in ("word", "number") or "LPAR" not in place.expected:
        return None
    if place.before(2) not in ("can", "cannot") and (place.first, place.before(2)) != ("when", ":"):
        return None
    hint = f"write `{place.before()}({place.text} …)`"
    return place.mistake("unexpected-word", f"what is chosen by `{place.before()}` stands in brackets", hint)


def named_as_people_do(place: Place) -> Mistake | None:
    """`given hand of 1: seven of hearts`."""
    colons = [word.text for word in place.words[: place.at]].count(":")
    if place.kind != "example_line" or place.text != "of" or not colons or place.first not in ("given", "next"):
        return None
    first, last = place.words[place.at - 1], place.words[min(place.at + 1, len(place.words) - 1)]
    hint = "its attributes stand side by side, as they are declared: `hearts 7`; or it is the name of its row"
    return Mistake("unexpected-word", "a component is not named like this", first.start, last.end, hint)


def _after_a_name(place: Place) -> bool:
    return place.at > 0 and place.words[place.at - 1].kind == "word" and {"OF", "PLUS"} <= place.expected


BETWEEN = (
    reserved_choice, definition_of_player, first_player, attribute_without_type, component_without_braces,
    of_is_missing, misspelt_before, brackets_behind_an_action,
)  # fmt: skip
