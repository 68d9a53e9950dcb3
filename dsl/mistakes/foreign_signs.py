"""Slips inside a line: signs and words that other languages use, or that are missing. Takes places, gives mistakes."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.articles import with_article
from rulesrun.dsl.text.messages import message

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


def _diagnose_other_word(place: StoppingPlace) -> Mistake | None:
    for word in OTHER_WORDS.get(place.text, ()):
        if place.can_be(word) and (word != ".." or place.text_before().isdigit()):
            found = place.make_mistake(
                "wrong-word",
                message("`{place}` cannot stand here", place=place.text),
                message("write `{word}`", word=word),
            )
            return found.with_replacement(word)
    return None


def _diagnose_the_highest(place: StoppingPlace) -> Mistake | None:
    """`the highest rank in hand`."""
    if place.text_before(2) != "the" or place.text_before() not in ("highest", "lowest"):
        return None
    best = place.text_before()
    hint = message("the value: `{best} of … over c in …`; who has it: `the c in … with {best} …`", best=best)
    return place.make_mistake(
        "unexpected-word", message("`the {best}` could mean the value or whoever has it", best=best), hint
    )


def _diagnose_other_quantifier(place: StoppingPlace) -> Mistake | None:
    """`any c in hand has …`."""
    if place.text_before() in QUANTIFIERS and place.text_after() == "in" and "IN" in place.expected:
        word = place.words[place.at - 1]
        hint = message("write `{quantifiers} {place} in …`", quantifiers=QUANTIFIERS[word.text], place=place.text)
        found = Mistake(
            "wrong-word", message("`{word}` cannot begin a condition", word=word.text), word.start, word.end, hint
        )
        return found.with_replacement(QUANTIFIERS[word.text])
    return None


def _diagnose_can_not(place: StoppingPlace) -> Mistake | None:
    if (place.text_before(2), place.text_before()) != ("can", "not"):
        return None
    word = place.words[place.at - 1]
    found = Mistake(
        "wrong-word",
        message("`cannot` is one word"),
        place.words[place.at - 2].start,
        word.end,
        message("write `cannot`"),
    )
    return found.with_replacement("cannot")


def _diagnose_needless_call(place: StoppingPlace) -> Mistake | None:
    """`count(hand)`, `action a()`."""
    if place.text == "(" and place.expected <= {"OF", "POINTS"} and place.expected:
        hint = message("write `{before} of …`", before=place.text_before())
        found = place.make_mistake(
            "wrong-sign", message("`{before}` takes no brackets", before=place.text_before()), hint
        )
        return found.with_replacement(" of (" if place.expected == {"OF"} else " points")
    if place.text == ")" and place.text_before() == "(":
        found = place.make_mistake("wrong-sign", message("these brackets are empty"), message("remove `()`"))
        return found.with_edits(place.leave_out(place.at - 1, place.at))
    return None


def _diagnose_then_after_if(place: StoppingPlace) -> Mistake | None:
    if place.kind == "statement" and place.first_word in ("if", "otherwise") and place.text == "then":
        hint = message("end the line before it, and write what happens below, indented")
        found = place.make_mistake("unexpected-word", message("`then` cannot stand here"), hint)
        return found.with_edits(place.begin_line_below(place.at, place.at + 1))
    return None


def _diagnose_cards_after_equals(place: StoppingPlace) -> Mistake | None:
    """`given hand of 1 = red 7`."""
    is_given = place.kind == "example_line" and place.first_word == "given" and "$END" in place.expected
    if is_given and any(word.text == "=" for word in place.words[: place.at]):
        equal = next(word for word in place.words if word.text == "=")
        hint = message("write `:` before what lies in a zone")
        found = place.make_mistake("unexpected-word", message("the value ends before this"), hint)
        return found.with_edits(Edit(equal.start, equal.end, ":"))
    return None


def _diagnose_final_colon(place: StoppingPlace) -> Mistake | None:
    if place.text == ":" and place.at == len(place.words) - 1 and "$END" in place.expected:
        found = place.make_mistake(
            "wrong-sign", message("this line does not end with `:`"), message("remove the `:`")
        )
        return found.with_edits(place.leave_out(place.at, place.at))
    return None


def _diagnose_needless_colon(place: StoppingPlace) -> Mistake | None:
    """`players: 2..5`, `define f: x`, `values: red`."""
    if place.text != ":" or place.at == 0:
        return None
    if place.kind == "statement" and place.first_word in ("if", "otherwise", "each", "repeat") and place.text_after():
        below = message("end the line before it, and write what happens below, indented")
        sentence = message("no `:` follows `{before}`", before=place.text_before())
        found = place.make_mistake("wrong-sign", sentence, below)
        return found.with_edits(place.begin_line_below(place.at, place.at + 1))
    hint = _suggest_instead_of_colon(place)
    if hint is None:
        return None
    found = place.make_mistake(
        "wrong-sign", message("no `:` follows `{before}`", before=place.text_before()), hint
    )
    if hint.startswith("remove"):
        return found.with_edits(place.leave_out(place.at, place.at))
    if place.expected == {"NAME"} and place.first_word in ("card", "token", "tile", "piece", "die") and place.at == 1:
        return found.with_edits(Edit(place.words[0].end, place.words[0].end, f" {place.first_word.capitalize()}"))
    instead = {"write `=`": " =", "write `then`": " then"}.get(hint)
    return found.with_replacement(instead) if instead is not None else found


def _suggest_instead_of_colon(place: StoppingPlace) -> str | None:
    behind = message("after `{before}`, write", before=place.text_before())
    if place.can_be("then"):
        return message("write `then`")
    if "EQUAL" in place.expected:
        return message("write `=`")
    if "STRING" in place.expected and not place.text_after().startswith('"'):
        return message("{behind} a text in quotes", behind=behind)
    if place.expected == {"NAME"}:
        return message("{behind} its name", behind=behind)
    if place.expected == {"LPAR"}:
        return message("{behind} in brackets what it depends on", behind=behind)
    return message("remove the `:`") if place.expected != {"OF"} else None


def _diagnose_braces(place: StoppingPlace) -> Mistake | None:
    if place.text != "{" or "LBRACE" in place.expected:
        return None
    hint = message("indent what belongs together, without `{{` and `}}`")
    return place.make_mistake("wrong-sign", message("`{{` cannot stand here, it begins a set"), hint)


def _diagnose_missing_colon(place: StoppingPlace) -> Mistake | None:
    if "COLON" not in place.expected or "COMPARISON" in place.expected or place.text in (",", ")", "]"):
        return None
    if place.text == "=":
        found = place.make_mistake(
            "missing-colon", message("`=` is written where `:` is needed"), message("write `:`")
        )
        return found.with_replacement(":")
    if place.text in ("is", "are") and place.text_after():
        last = place.at + (place.text_after() in ("a", "an"))
        sentence = message("`{place}` is written where `:` is needed", place=place.text)
        found = place.make_mistake("missing-colon", sentence, message("write `:`"))
        return found.with_edits(Edit(place.words[place.at - 1].end, place.words[last].end, ":"))
    if place.text == "player" and "OF" in place.expected:
        found = place.make_mistake(
            "unexpected-word", message("a word is missing before `player`"), message("write `of player`")
        )
        return found.with_edits(place.insert_before("of"))
    before = message(" before `{place}`", place=place.text) if place.word else message(" at the end of this line")
    hint = message("after `{words}`, write `:`", words=place.words[place.at - 1].text)
    behind = place.words[place.at - 1].end
    return place.make_mistake("missing-colon", message("a `:` is missing{before}", before=before), hint).with_edits(
        Edit(behind, behind, ":")
    )


def _diagnose_is_comparison(place: StoppingPlace) -> Mistake | None:
    """`phase is last_turns`."""
    if place.word and place.at > 0 and place.words[place.at - 1].text == "is" and "EMPTY" in place.expected:
        word = place.words[place.at - 1]
        near = get_close_matches(place.text, ("empty", "nothing", "not"), n=1, cutoff=0.7)
        if near:
            sentence = message("expected `{near}`, found `{word}`", near=near[0], word=place.text)
            hint = message("did you mean `{near}`?", near=near[0])
            return place.make_mistake("unexpected-word", sentence, hint).with_replacement(near[0])
        if place.text[:1].isupper():
            written = f"is {with_article(place.text)}"
            hint = message("for its kind, write `{words}`", words=written)
            asked = Mistake("wrong-word", message("`is` does not compare"), word.start, place.words[place.at].end, hint)
            return asked.with_replacement(written)
        hint = message("write `=`; `is` can only be followed by `not`, `nothing`, `empty` or `a`")
        return Mistake("wrong-word", message("`is` does not compare"), word.start, word.end, hint).with_replacement("=")
    return None


def _diagnose_missing_comma(place: StoppingPlace) -> Mistake | None:
    starts_another = place.word is not None and place.word.kind in ("word", "number", "string")
    if place.first_word == "rounds" and place.text != "starter":
        return None  # nothing else stands behind a comma there
    if starts_another and "COMMA" in place.expected and not place.similar_words():
        found = place.make_mistake(
            "missing-comma", message("a `,` is missing before `{place}`", place=place.text), None
        )
        behind = place.words[place.at - 1].end
        return found.with_edits(Edit(behind, behind, ","))
    return None


INSIDE = (
    _diagnose_final_colon,
    _diagnose_needless_colon,
    _diagnose_braces,
    _diagnose_can_not,
    _diagnose_needless_call,
    _diagnose_then_after_if,
    _diagnose_cards_after_equals,
    _diagnose_the_highest,
    _diagnose_other_quantifier,
    _diagnose_is_comparison,
    _diagnose_other_word,
    _diagnose_missing_colon,
    _diagnose_missing_comma,
)
