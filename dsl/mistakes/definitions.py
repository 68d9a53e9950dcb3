"""Definitions, tables, words, names and properties that are written in another way. Takes places, gives mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.expected_words import STARTS_OF_TYPES
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.messages import message

NAMED = ("zone", "number", "marker", "memory", "option", "reading", "phase", "action", "step", "define", "table")
ARTICLES = ("the", "a", "an")
NOT_IN_NAMES = ("of", "player", "per", "for", "each", "every", "from", "in", "with", "when", "where", "if", "by", "to")
MOST_LISTED = 100
KINDS = ("pile", "row", "set", "place")
SEVERAL = (*KINDS, "sets", "list", "several", "many", "some", "all", "any", "collection", "group")
BEHIND_NAMES = frozenset(("COLON", "EQUAL", "LPAR"))
COMPARING = ("=", "<", ">", "<=", ">=", "is", "in", "of", "not", "has", "and", "or", "+", "-", "*", "/")
HALVES = {"half": "1/2", "third": "1/3", "quarter": "1/4"}


def _diagnose_two_word_name(place: StoppingPlace) -> Mistake | None:
    """`zone draw pile: …`, `zone draw-pile: …`, `phase last turns: …`, `zone the heap: …`, `action lay a card(…)`."""
    if (
        place.kind != "declaration"
        or place.first_word not in NAMED
        or place.at != 2
        or not BEHIND_NAMES & place.expected
    ):
        return None
    last = next((at for at, word in enumerate(place.words) if at and not _is_part_of_name(word)), len(place.words))
    parts = [word.text for word in place.words[1:last] if word.text not in ("-", *ARTICLES)]
    follows = place.words[last].text if last < len(place.words) else ""
    ends = ("(", "=") if place.first_word == "define" else (":", "(", "=", "of", "[")
    if last < 3 or not parts or follows not in (*ends, "" if place.first_word in ("action", "step") else ":"):
        return None
    if parts[-1] in KINDS and follows == "of":
        return None
    name, start, end = "_".join(parts), place.words[1].start, place.words[last - 1].end
    if len(parts) == 1:
        hint = message("remove `{word}`", word=place.words[1].text)
        return Mistake("unexpected-word", message("a name has no article"), start, end, hint).with_replacement(name)
    hint = message("a name is one word: `{name}`", name=name)
    sentence = message("a name has no spaces and no `-`")
    return Mistake("unexpected-word", sentence, start, end, hint).with_replacement(name)


def _is_part_of_name(word: Word) -> bool:
    return word.text == "-" or (word.kind == "word" and word.text not in NOT_IN_NAMES)


def _diagnose_definition(place: StoppingPlace) -> Mistake | None:
    """`define trump suit of card`, `define trump is …`, `define f(c) = …`."""
    if place.first_word not in ("define", "table") or place.kind != "declaration":
        return None
    goes_on = place.word is None or (place.word.kind == "word" and place.text != "of")
    if "EQUAL" in place.expected and "LPAR" in place.expected and place.at == 2 and goes_on:
        hint = message("write `define {before} = …`, all of it on one line or in brackets", before=place.text_before())
        code = "unexpected-word" if place.word else "unfinished-line"
        return place.make_mistake(code, message("`=` is missing here"), hint).with_edits(place.insert_before("="))
    if place.text in (")", ",") and place.expected >= STARTS_OF_TYPES and place.text_before(2) in ("(", ","):
        hint = message(
            "write its type after it, as in `{before} Card` or `{before} 1..6`", before=place.text_before()
        )
        return place.make_mistake(
            "unexpected-word", message("a type is missing after `{before}`", before=place.text_before()), hint
        )
    return None


def _diagnose_collection_parameter(place: StoppingPlace) -> Mistake | None:
    """`define is_meld(s pile of Card) = …`, `(s list of Card)`, `(s several Card)`, `(s sets of Card)`."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(4, len(texts)) if texts[at] in SEVERAL and texts[at - 2] in ("(", ",")), None)
    if place.first_word not in ("define", "step", "table") or place.kind != "declaration" or at is None:
        return None
    last = at + 1 + (texts[at + 1 : at + 2] == ["of"])
    if place.at < at or last >= len(texts) or place.words[last].kind != "word":
        return None
    hint = message("write `{name} set of {kind}`", name=texts[at - 1], kind=texts[last])
    begin, end = place.words[at].start, place.words[last].end
    found = Mistake("unexpected-word", message("several values are told as a set"), begin, end, hint)
    return found.with_replacement(f"set of {texts[last]}")


def _diagnose_kept_set(place: StoppingPlace) -> Mistake | None:
    """`marker found: set of Card`."""
    texts = [word.text for word in place.words]
    at = texts.index(":") + 1 if ":" in texts else 0
    is_set = texts[at : at + 2] == ["set", "of"] and at + 2 < len(texts) and place.words[at + 2].kind == "word"
    if place.first_word != "marker" or place.kind != "declaration" or not is_set or place.at <= at:
        return None
    hint = message("components lie in a zone: `zone {name}: set of {kind}, public`", name=texts[1], kind=texts[at + 2])
    begin, end = place.words[at].start, place.words[at + 2].end
    return Mistake("unexpected-word", message("a marker keeps one value, not a set"), begin, end, hint)


def _diagnose_table_else(place: StoppingPlace) -> Mistake | None:
    """`table t(n 1..5): 1: 3, else: 5`."""
    if place.text in ("else", "default", "rest") and place.can_be("otherwise"):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `otherwise`")
        )
        return found.with_replacement("otherwise")
    return None


def _diagnose_value_words(place: StoppingPlace) -> Mistake | None:
    """`values Suit: 1, 2, 3`, `values Suit: "clubs"`, `values Colour: light-blue, light blue`."""
    if place.first_word != "values" or place.at < 3 or place.kind != "declaration":
        return None
    said = [word.text for word in place.words[3:]]
    numbers = said[::2]
    if place.text_before().isdigit() and place.text == "," and all(text.isdigit() for text in numbers):
        values = [int(text[:9]) for text in numbers[:MOST_LISTED]]
        low, high = values[0], values[-1]
        is_range = len(numbers) < MOST_LISTED and values == [*range(low, high + 1)]
        hint = message("write a range, as in `1..7`, or words, as in `one, three`")
        if is_range:
            hint = message("write `{low}..{high}`", low=low, high=high)
        found = place.make_mistake("unexpected-word", message("write numbers as a range, not a list"), hint)
        whole = Edit(place.words[3].start, place.words[-1].end, f"{low}..{high}")
        return found.with_edits(whole) if is_range else found
    if place.word is not None and place.word.kind == "string":
        value = "_".join(place.text.strip(chr(34)).split()) or "…"
        hint = message("write `{value}`; a label can follow it in quotes", value=value)
        found = place.make_mistake("unexpected-word", message("a value is a word, without quotes"), hint)
        return found.with_edits(*_unquote_values(place))
    dash = next((at for at in range(3, place.at) if place.words[at].text == "-"), None)
    if dash is not None and dash + 1 < len(place.words):
        first, last = place.words[dash - 1], place.words[dash + 1]
        hint = message("write `{first}_{last}`", first=first.text, last=last.text)
        found = Mistake("unexpected-word", message("a value is one word"), first.start, last.end, hint)
        return found.with_replacement(f"{first.text}_{last.text}")
    if place.text in ("or", "and"):
        hint = message("write `,` in place of `{place}`", place=place.text)
        found = place.make_mistake("unexpected-word", message("separate values with `,`"), hint)
        return found.with_edits(Edit(place.words[place.at - 1].end, place.words[place.at].end, ","))
    if place.word is not None and place.word.kind == "word" and place.words[place.at - 1].kind == "word":
        hint = message(
            "write `, {place}`, or `{before}_{place}` if it is one value", place=place.text, before=place.text_before()
        )
        sentence = message("a `,` is missing before `{place}`", place=place.text)
        found = place.make_mistake("missing-comma", sentence, hint)
        behind = place.words[place.at - 1].end
        return found.with_edits(Edit(behind, behind, ","))
    return None


def _unquote_values(place: StoppingPlace) -> Iterator[Edit]:
    """Every text that stands where a value stands."""
    for before, word in pairwise(place.words):
        if word.kind == "string" and before.text in (":", ","):
            yield Edit(word.start, word.end, "_".join(word.text.strip(chr(34)).split()))


def _diagnose_court_cards(place: StoppingPlace) -> Mistake | None:
    """`card Card: suit Suit, rank 2..10, J, Q, K, A`."""
    texts = [word.text for word in place.words[: place.at]]
    if place.kind != "declaration" or place.text not in (",", "") or texts.count("..") != 1 or len(texts) < 5:
        return None
    if not place.expected >= STARTS_OF_TYPES or place.text_before(2) != "," or not place.text_before(3).isdigit():
        return None
    hint = message("write only numbers, as in `rank 2..14`, or only words: `values Rank: two, three, …, jack, queen`")
    return place.make_mistake("unexpected-word", message("a range has either numbers or words"), hint)


def _diagnose_reason(place: StoppingPlace) -> Mistake | None:
    """`needs heap is empty else "it is full"`, `needs heap is empty, "it is full"`."""
    word = place.words[place.at + 1] if place.at + 1 < len(place.words) else place.word
    if place.first_word != "needs" or word is None or word.kind != "string" or not place.can_be("because"):
        return None
    sentence, hint = message("a reason stands behind `because`"), message("write `because {text}`", text=word.text)
    found = place.make_mistake("unexpected-word", sentence, hint)
    if place.word is word:
        return found.with_edits(place.insert_before("because"))
    return found.with_edits(Edit(place.words[place.at - 1].end, word.start, " because "))


def _diagnose_missing_title(place: StoppingPlace) -> Mistake | None:
    """`always x = 3`, `because the pit is empty`."""
    if place.expected != {"STRING"} or place.word is None or place.word.kind == "string" or place.text == ":":
        return None
    if place.text_before() == "because":
        found = place.make_mistake(
            "unexpected-word", message("a reason is a text"), message('put it in quotes: `because "…"`')
        )
        start, end = place.words[place.at].start, place.words[-1].end
        has_quotes = any(word.kind == "string" for word in place.words[place.at :])
        return found if has_quotes else found.with_edits(Edit(start, start, '"'), Edit(end, end, '"'))
    if place.kind == "declaration" and place.first_word in ("always", "never", "can", "ends", "at", "after"):
        hint = message('write `{listed} "…": …`', listed=' '.join(word.text for word in place.words[:place.at]))
        return place.make_mistake("unexpected-word", message("a property has a title, in quotes"), hint)
    return None


def _diagnose_share(place: StoppingPlace) -> Mistake | None:
    """`at most half of games`, `ends within 20 moves`."""
    if place.first_word == "at" and place.text in HALVES and place.kind == "declaration":
        found = place.make_mistake(
            "wrong-word",
            message("`{place}` is no number here", place=place.text),
            message("write `{halves}`", halves=HALVES[place.text]),
        )
        return found.with_replacement(HALVES[place.text])
    if place.first_word == "ends" and place.text in ("moves", "choices", "actions"):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `decisions`")
        )
        return found.with_replacement("decisions")
    return None


def _diagnose_preference(place: StoppingPlace) -> Mistake | None:
    """`prefer n <= 5` in a persona."""
    if place.kind != "persona_line" or place.at != 2 or not place.can_be("when"):
        return None
    if place.text in ("if", "where", "with"):
        found = place.make_mistake(
            "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `when`")
        )
        return found.with_replacement("when")
    if place.text in COMPARING:
        hint = message(
            "write `{first_word} …` with the name of the action, then `when {before} {place} …`",
            first_word=place.first_word,
            before=place.text_before(),
            place=place.text,
        )
        return place.make_mistake(
            "unexpected-word", message("`{first_word}` is about an action", first_word=place.first_word), hint
        )
    return None


OF_DEFINING = (
    _diagnose_reason, _diagnose_two_word_name, _diagnose_definition, _diagnose_collection_parameter, _diagnose_kept_set,
    _diagnose_table_else,
    _diagnose_value_words, _diagnose_court_cards,
    _diagnose_missing_title, _diagnose_share, _diagnose_preference,
)  # fmt: skip
