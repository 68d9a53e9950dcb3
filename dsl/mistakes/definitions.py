"""Definitions, tables, words, names and properties that are written in another way. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.mistakes.expected_words import STARTS_OF_TYPES
from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake

NAMED = ("zone", "number", "marker", "memory", "option", "reading", "phase", "action", "step", "define", "table")
MOST_LISTED = 100
KINDS = ("pile", "row", "set", "place")
BEHIND_NAMES = frozenset(("COLON", "EQUAL", "LPAR"))
COMPARING = ("=", "<", ">", "<=", ">=", "is", "in", "of", "not", "has", "and", "or", "+", "-", "*", "/")
HALVES = {"half": "1/2", "third": "1/3", "quarter": "1/4"}


def _name_of_two_words(place: Place) -> Mistake | None:
    """`zone draw pile: …`, `zone draw-pile: …`, `phase last turns: …`."""
    if place.kind != "declaration" or place.first not in NAMED or place.at != 2 or not BEHIND_NAMES & place.expected:
        return None
    at = place.at + (place.text == "-")
    word = place.words[at] if at < len(place.words) else None
    follows = place.words[at + 1].text if at + 1 < len(place.words) else ""
    ends = ("(", "=") if place.first == "define" else (":", "(", "=", "of", "[")
    if word is None or word.kind != "word" or follows not in ends or word.text in ("of", "player"):
        return None
    if word.text in KINDS and follows == "of":
        return None
    hint = f"a name is one word: `{place.before()}_{word.text}`"
    return Mistake("unexpected-word", "a name has no gap and no `-`", place.words[1].start, word.end, hint)


def _definition(place: Place) -> Mistake | None:
    """`define trump suit of card`, `define trump is …`, `define f(c) = …`."""
    if place.first not in ("define", "table") or place.kind != "declaration":
        return None
    goes_on = place.word is None or (place.word.kind == "word" and place.text != "of")
    if "EQUAL" in place.expected and "LPAR" in place.expected and place.at == 2 and goes_on:
        hint = f"write `define {place.before()} = …`, all of it on one line or in brackets"
        return place.mistake("unexpected-word" if place.word else "unfinished-line", "here a `=` is missing", hint)
    if place.text in (")", ",") and place.expected >= STARTS_OF_TYPES and place.before(2) in ("(", ","):
        hint = f"write what it can be behind it, as in `{place.before()} Card`, `{place.before()} 1..6`"
        return place.mistake("unexpected-word", f"behind `{place.before()}` a type is missing", hint)
    return None


def _of_several(place: Place) -> Mistake | None:
    """`define is_meld(s set of Card) = …`."""
    texts = [word.text for word in place.words[: place.at]]
    if place.first not in ("define", "table") or place.kind != "declaration" or "(" not in texts:
        return None
    if place.before(2) == "of" and place.before(3) in KINDS:
        begin, kind = place.at - 3, place.before(3)
    elif place.text == "of" and place.before() in KINDS:
        begin, kind = place.at - 1, place.before()
    else:
        return None
    hint = (
        f"leave it out: `define {texts[1]} = …` names the zone itself, and `{texts[1]} of p` asks it of a player; what "
        "is told in brackets is one value, as in `c Card`, `n 1..6`, `p player`"
    )
    last = place.words[min(place.at, len(place.words) - 1)]
    return Mistake("unexpected-word", f"no {kind} can be told in brackets", place.words[begin].start, last.start, hint)


def _else_in_a_table(place: Place) -> Mistake | None:
    """`table t(n 1..5): 1: 3, else: 5`."""
    if place.text in ("else", "default", "rest") and place.could_be("otherwise"):
        return place.mistake("wrong-word", f"`{place.text}` cannot stand here", "write `otherwise`")
    return None


def _words_of_values(place: Place) -> Mistake | None:
    """`values Suit: 1, 2, 3`, `values Suit: "clubs"`, `values Colour: light-blue, light blue`."""
    if place.first != "values" or place.at < 3 or place.kind != "declaration":
        return None
    said = [word.text for word in place.words[3:]]
    numbers = said[::2]
    if place.before().isdigit() and place.text == "," and all(text.isdigit() for text in numbers):
        values = [int(text[:9]) for text in numbers[:MOST_LISTED]]
        low, high = values[0], values[-1]
        is_range = len(numbers) < MOST_LISTED and values == [*range(low, high + 1)]
        hint = f"write `{low}..{high}`" if is_range else "write a range, as in `1..7`, or words, as in `one, three`"
        return place.mistake("unexpected-word", "numbers are not listed: they are a range", hint)
    if place.word is not None and place.word.kind == "string":
        value = "_".join(place.text.strip(chr(34)).split()) or "…"
        hint = f"write `{value}`; how it is shown may stand behind it, in quotes"
        return place.mistake("unexpected-word", "a value is a word, without quotes", hint)
    dash = next((at for at in range(3, place.at) if place.words[at].text == "-"), None)
    if dash is not None and dash + 1 < len(place.words):
        first, last = place.words[dash - 1], place.words[dash + 1]
        hint = f"write `{first.text}_{last.text}`"
        return Mistake("unexpected-word", "a value is one word", first.start, last.end, hint)
    if place.text in ("or", "and"):
        return place.mistake("unexpected-word", "values are told apart by `,`", f"write `,` in place of `{place.text}`")
    if place.word is not None and place.word.kind == "word" and place.words[place.at - 1].kind == "word":
        hint = f"write `, {place.text}`, or `{place.before()}_{place.text}` if it is one value"
        return place.mistake("missing-comma", f"a `,` is missing before `{place.text}`", hint)
    return None


def _court_cards(place: Place) -> Mistake | None:
    """`card Card: suit Suit, rank 2..10, J, Q, K, A`."""
    texts = [word.text for word in place.words[: place.at]]
    if place.kind != "declaration" or place.text not in (",", "") or texts.count("..") != 1 or len(texts) < 5:
        return None
    if not place.expected >= STARTS_OF_TYPES or place.before(2) != "," or not place.before(3).isdigit():
        return None
    hint = "write numbers alone, as in `rank 2..14`, or words alone: `values Rank: two, three, …, jack, queen`"
    return place.mistake("unexpected-word", "numbers and words do not stand in one range", hint)


def _title_of_a_property(place: Place) -> Mistake | None:
    """`always x = 3`, `because the pit is empty`."""
    if place.expected != {"STRING"} or place.word is None or place.word.kind == "string" or place.text == ":":
        return None
    if place.before() == "because":
        return place.mistake("unexpected-word", "a reason is a text", 'put it in quotes: `because "…"`')
    if place.kind == "declaration" and place.first in ("always", "never", "can", "ends", "at", "after"):
        hint = f'write `{" ".join(word.text for word in place.words[: place.at])} "…": …`'
        return place.mistake("unexpected-word", "a property has a title, in quotes", hint)
    return None


def _share(place: Place) -> Mistake | None:
    """`at most half of games`, `ends within 20 moves`."""
    if place.first == "at" and place.text in HALVES and place.kind == "declaration":
        return place.mistake("wrong-word", f"`{place.text}` is no number here", f"write `{HALVES[place.text]}`")
    if place.first == "ends" and place.text in ("moves", "choices", "actions"):
        return place.mistake("wrong-word", f"`{place.text}` cannot stand here", "write `decisions`")
    return None


def _preferred(place: Place) -> Mistake | None:
    """`prefer n <= 5` in a persona."""
    if place.kind != "persona_line" or place.at != 2 or not place.could_be("when"):
        return None
    if place.text in ("if", "where", "with"):
        return place.mistake("wrong-word", f"`{place.text}` cannot stand here", "write `when`")
    if place.text in COMPARING:
        hint = f"write `{place.first} …` with the name of the action, then `when {place.before()} {place.text} …`"
        return place.mistake("unexpected-word", f"`{place.first}` speaks of an action", hint)
    return None


OF_DEFINING = (
    _name_of_two_words, _definition, _of_several, _else_in_a_table, _words_of_values, _court_cards,
    _title_of_a_property, _share, _preferred,
)  # fmt: skip
