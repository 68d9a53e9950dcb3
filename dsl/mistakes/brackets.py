"""Slips of expressions that want brackets around a part. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

COMPARING = ("=", "<", "<=", ">", ">=")
ADDING = ("count", "sum", "highest", "lowest", "list", "sorted")


def _diagnose_where_brackets(place: StoppingPlace) -> Mistake | None:
    """`count of hand where colour = red >= 5`: the condition swallowed what follows."""
    if not _is_second_comparison(place):
        return None
    depth = 0
    for at in range(place.at - 1, -1, -1):
        text = place.words[at].text
        depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
        if depth < 0:
            break
        if text in ("where", "has") and depth == 0:
            sentence = message(
                "`{text}` takes in the rest of the line, `{place}` included",
                text=text, place=place.text)
            hint = message(
                "end that part before `{place}` with brackets: `(… {text} …) {place} …`",
                place=place.text,
                text=text,
            )
            return place.make_mistake("missing-brackets", sentence, hint)
    found = place.make_mistake(
        "chained-comparison", message("two comparisons in a row"), message("join two comparisons with `and`")
    )
    first = _find_comparison_before(place)
    if first is None or place.text not in COMPARING:
        return found
    between = " ".join(word.text for word in place.words[first + 1 : place.at])
    return found.with_edits(place.insert_before(f"and {between}"))


def _find_comparison_before(place: StoppingPlace) -> int | None:
    """The comparison whose right side is the left side of this one, too: `1 < n < 3`."""
    depth = 0
    for at in range(place.at - 1, 0, -1):
        text = place.words[at].text
        depth += (text in (")", "]", "}")) - (text in ("(", "[", "{"))
        if depth < 0:
            return None
        if depth == 0 and text in COMPARING and at < place.at - 1:
            return at
    return None


def _is_second_comparison(place: StoppingPlace) -> bool:
    is_comparison = place.text in (*COMPARING, "is", "in")
    return is_comparison and "AND" in place.expected and "COMPARISON" not in place.expected


def _diagnose_over_brackets(place: StoppingPlace) -> Mistake | None:
    """`sum of 2 * rank over hand`."""
    if place.text != "over" or "PLUS" not in place.expected:
        return None
    hint = message("put brackets around what stands between `of` and `over`")
    found = place.make_mistake(
        "missing-brackets", message("`over` must follow a single value or a bracket"), hint
    )
    texts = [word.text for word in place.words[: place.at]]
    begin = next((at for at in reversed(range(1, len(texts))) if texts[at] == "of" and texts[at - 1] in ADDING), None)
    if begin is None:
        return found
    first = begin + 1 + (texts[begin + 1 : begin + 2] == ["distinct"])
    start, end = place.words[first].start, place.words[place.at - 1].end
    return found.with_edits(Edit(start, start, "("), Edit(end, end, ")"))


def _diagnose_inner_if(place: StoppingPlace) -> Mistake | None:
    """`1 + if a then 2 else 3`."""
    is_open = place.text in ("if", "not", "some", "every", "no") and "LPAR" in place.expected
    if is_open and "IF" not in place.expected and "EACH" not in place.expected:
        sentence = message("`{place}` cannot stand inside a sum or a comparison", place=place.text)
        hint = message("put brackets around everything that belongs to `{place}`", place=place.text)
        found = place.make_mistake("missing-brackets", sentence, hint)
        start, end = place.words[place.at].start, place.words[-1].end
        return found.with_edits(Edit(start, start, "("), Edit(end, end, ")"))
    return None


def _diagnose_range_after_of(place: StoppingPlace) -> Mistake | None:
    """`if count of 1..passes = 2`."""
    if (
        place.text != ".."
        or place.text_before(2) != "of"
        or not place.text_before().isdigit()
        or not place.text_after()
    ):
        return None
    words = place.words[place.at - 1 : place.at + 2]
    word, values = place.text_before(3), f"{place.text_before()}..{place.text_after()}"
    hint = message(
        "put brackets around it: `{word} of ({values})`, `{word} of ({values} where …)`", word=word, values=values
    )
    sentence = message("`{word} of` takes only the first number", word=word)
    found = Mistake("missing-brackets", sentence, words[0].start, words[-1].end, hint)
    is_filtered = place.at + 2 < len(place.words) and place.words[place.at + 2].text == "where"
    end = place.words[-1].end if is_filtered else found.end
    return found.with_edits(Edit(found.start, found.start, "("), Edit(end, end, ")"))


IN_BRACKETS = (_diagnose_range_after_of, _diagnose_where_brackets, _diagnose_over_brackets, _diagnose_inner_if)
