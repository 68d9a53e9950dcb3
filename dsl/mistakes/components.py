"""Slips of who says how many there are: copies of a component, ranges of numbers. Takes places, gives mistakes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from attrs import evolve

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.lexer import Word
from rulesrun.dsl.text.messages import message

COMPONENTS = ("card", "token", "tile", "piece", "die")
WITH_VALUES = (*COMPONENTS, "option", "reading", "number", "marker")
COPIES = ("copies", "copy", "times", "each", "x", "pieces", "cards", "tokens", "tiles")


def _diagnose_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank 1..10, copies 4`, `…, 4 copies`, `… x4`, `… each 4 times`."""
    if place.first_word not in COMPONENTS or place.kind != "declaration":
        return None
    first = last = min(place.at, len(place.words) - 1)
    said = place.words[last].text
    if said in COPIES and place.text_after().isdigit():
        last, amount = min(last + 2, len(place.words) - 1), place.text_after()
    elif said in COPIES and place.text_before().isdigit():
        first, amount = last - 1, place.text_before()
    elif place.word is None and said.isdigit() and place.text_before(2) in COPIES:
        first, amount = last - 1, said
    elif place.word and said[:1] in "xX" and said[1:].isdigit():
        amount = said[1:]
    else:
        return None
    while last + 1 < len(place.words) and place.words[last + 1].text in ("of", "each"):
        last += 1
    comma = "" if place.words[first - 1].text == "," else ", "
    sentence = message("the number of each comes at the end")
    hint = message("write `{comma}{amount} of each`", comma=comma, amount=amount)
    found = Mistake("unexpected-word", sentence, place.words[first].start, place.words[last].end, hint)
    return found.with_edits(Edit(place.words[first - 1].end, found.end, f"{comma or ' '}{amount} of each"))


def _diagnose_spoken_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: colour Colour, rank 1..6, twice`, `…, two of each`."""
    often = {"twice": 2, "thrice": 3, "once": 1, "double": 2}
    last = place.words[-1]
    if place.first_word not in COMPONENTS or place.kind != "declaration" or last.text not in often:
        return None
    if place.at < len(place.words) - 1:
        return None
    written = f"{often[last.text]} of each"
    sentence = message("the number of each comes at the end")
    found = Mistake("unexpected-word", sentence, last.start, last.end, message("write `{it}`", it=written))
    return found.with_replacement(written)


def _diagnose_slashed_values(place: StoppingPlace) -> Mistake | None:
    """`card Card: colour red/blue/green, rank 1..6`."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(4, len(texts)) if texts[at] == "/"), 0)
    if place.first_word not in COMPONENTS or place.kind != "declaration" or not at or place.at < at:
        return None
    last = at + 1
    while texts[last + 1 : last + 2] == ["/"] and last + 2 < len(texts):
        last += 2
    words, name = texts[at - 1 : last + 1 : 2], texts[at - 2]
    if not all(word.isidentifier() for word in (*words, name)):
        return None
    known = {place.declared.things.kind_of.get(word, "") for word in words}
    kind = name.capitalize() if len(known) > 1 or "" in known else known.pop()
    values = f"values {kind}: {', '.join(words)}"
    hint = message(
        "write `{values}` on a line of its own above, and here `{typed}`", values=values, typed=f"{name} {kind}"
    )
    start, end = place.words[at - 1].start, place.words[last].end
    found = Mistake("unexpected-word", message("words are declared before they are used"), start, end, hint)
    if kind in place.declared.things.kind_of.values():
        return evolve(found, hint=message("write `{kind}`", kind=kind)).with_replacement(kind)
    return found.with_edits(Edit(place.margin, place.margin, f"{values}\n"), Edit(start, end, kind))


def _diagnose_many_components(place: StoppingPlace) -> Mistake | None:
    """`cards: colour Colour, rank 1..6`."""
    noun = place.first_word.removesuffix("s")
    is_plural = noun in COMPONENTS and place.first_word != noun
    if place.kind != "declaration" or not is_plural or [word.text for word in place.words[1:2]] != [":"]:
        return None
    written = f"{noun} {noun.capitalize()}"
    found = place.make_mistake_at_start(
        "unknown-piece", message("components have a name"), message("write `{it}: …`", it=written)
    )
    return found.with_replacement(written)


def _diagnose_amount_first(place: StoppingPlace) -> Mistake | None:
    """`4 card Card: rank 1..10`."""
    if (
        place.at == 0
        and place.kind == "declaration"
        and place.first_word.isdigit()
        and place.text_after() in COMPONENTS
    ):
        hint = message(
            "write the number of each at the end of the line: `, {first_word} of each`",
            first_word=place.first_word,
        )
        return place.make_mistake_at_start(
            "unknown-piece", message("no piece of a rulebook starts with a number"), hint
        )
    return None


def _diagnose_dashed_range(place: StoppingPlace) -> Mistake | None:
    """`rank 1-10`."""
    if place.text_before(2) != "-" or not place.can_be(".."):
        return None
    low, high = place.text_before(3), place.text_before()
    if not (low.isdigit() and high.isdigit()):
        return None
    words = place.words[place.at - 3 : place.at]
    hint = message("write `{low}..{high}`", low=low, high=high)
    found = Mistake("wrong-sign", message("write a range with two dots"), words[0].start, words[-1].end, hint)
    return found.with_replacement(f"{low}..{high}")


def _diagnose_bare_amount(place: StoppingPlace) -> Mistake | None:
    """`token Pawn: 4 of each player`."""
    texts = [word.text for word in place.words]
    if place.first_word not in COMPONENTS or texts[2:3] != [":"] or texts[-3:] != ["of", "each", "player"]:
        return None
    amount = " ".join(texts[3:-3])
    first, last = place.words[3], place.words[-1]
    hint = message("write `{begin}: owner player, {place} of each`", begin=" ".join(texts[:2]), place=amount)
    sentence = message("components need an attribute that tells them apart")
    found = Mistake("unexpected-word", sentence, first.start, last.end, hint)
    return found.with_replacement(f"owner player, {amount} of each")


def _diagnose_component_owner(place: StoppingPlace) -> Mistake | None:
    """`token Seed of player: 48 of each`."""
    if place.first_word not in COMPONENTS or place.kind != "declaration" or place.at != 2 or place.text != "of":
        return None
    amount = next(
        (message(", {word} of each", word=word.text) for word in place.words[place.at :] if word.text.isdigit()), ""
    )
    hint = message(
        "write `{first_word} {before}: owner player{amount}`; zones say in whose hands it is",
        first_word=place.first_word,
        before=place.text_before(),
        amount=amount,
    )
    found = place.make_mistake("unexpected-word", message("the owner of a component is one of its attributes"), hint)
    begin = place.words[place.at - 1].end
    return found.with_edits(Edit(begin, place.words[-1].end, f": owner player{amount}"))


def _diagnose_computed_copies(place: StoppingPlace) -> Mistake | None:
    """`card Card: kind Kind, copies(kind) of each`, `…, players * 2 of each`."""
    texts = [word.text for word in place.words]
    if place.first_word not in COMPONENTS or place.kind != "declaration" or texts[-2:] != ["of", "each"]:
        return None
    depth, begin = 0, len(texts) - 3
    while begin > 0 and not (depth == 0 and texts[begin] in (",", ":")):
        depth += (texts[begin] in (")", "]", "}")) - (texts[begin] in ("(", "[", "{"))
        begin -= 1
    if place.at <= begin + 1 or begin + 1 > len(texts) - 3:
        return None
    first, last = place.words[begin + 1], place.words[-3]
    hint = message("put brackets around it: `({join}) of each`", join=_join_words(place.words[begin + 1 : -2]))
    found = Mistake("missing-brackets", message("the number of each is a formula"), first.start, last.end, hint)
    return found.with_edits(Edit(first.start, first.start, "("), Edit(last.end, last.end, ")"))


def _join_words(words: Sequence[Word]) -> str:
    """As they would be written."""
    text = " ".join(word.text for word in words)
    return re.sub(r" ([,)\]}])| ?([(\[]) ?", r"\1\2", text)


def _diagnose_listed_values(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank {1, 2, 3, 5, 8}`, `option rounds: {1, 3} = 3`, `option rounds: 1, 3 = 3`."""
    if place.first_word not in WITH_VALUES or place.kind != "declaration":
        return None
    texts = [word.text for word in place.words]
    if (
        place.text in (",", "or")
        and place.text_before().isdigit()
        and place.text_after().isdigit()
        and ".." not in texts
    ):
        begin = place.at - 1
    elif place.text == "=" and place.text_before(2) == "," and place.text_before().isdigit() and ":" in texts:
        begin = texts.index(":") + 1
    elif "{" in texts[: place.at] and "}" in texts[: place.at] and "DOTS" in place.expected:
        begin = texts.index("{") + 1
    else:
        return None
    values = list(takewhile(lambda text: text == "," or text.replace("_", "a").isalnum(), texts[begin:]))[::2]
    name = next((text for text in reversed(texts[:begin]) if text.isidentifier()), "")
    last = place.words[min(begin + 2 * len(values) - (texts[begin - 1] != "{") - 1, len(texts) - 1)]
    sentence = message("an attribute is a range, or the name of some `values`")
    hint = _suggest_values(place.first_word, name, values)
    return Mistake("unexpected-word", sentence, place.words[begin].start, max(last.end, place.words[begin].end), hint)


def _suggest_values(first: str, name: str, values: list[str]) -> str:
    if not values or not all(value.isdigit() for value in values):
        words = ", ".join(values)
        kind = name.capitalize() if name else "Kind"
        if first in ("option", "reading"):
            return message(
                "write the words without braces: `{first} {name}: {words} = …`", first=first, name=name, words=words
            )
        return message(
            "write `values {kind}: {words}` on a line of its own, and here `{name} {kind}`",
            kind=kind,
            words=words,
            name=name,
        )
    numbers = sorted(int(value[:9]) for value in values)
    low, high = numbers[0], numbers[-1]
    listed = message("{name} in {{{listed}}}", name=name, listed=", ".join(values))
    if numbers == [*range(low, high + 1)] or first in ("number", "marker"):
        return message("write `{low}..{high}`", low=low, high=high)
    if first in COMPONENTS:
        return message(
            "write `{name} {low}..{high}`, and behind the last attribute `where {listed}`",
            name=name,
            low=low,
            high=high,
            listed=listed,
        )
    return message(
        "write `{first} {name}: {several} or {last} = …`",
        first=first,
        name=name,
        several=", ".join(values[:-1]),
        last=values[-1],
    )


OF_COMPONENTS = (
    _diagnose_bare_amount,
    _diagnose_component_owner,
    _diagnose_many_components,
    _diagnose_spoken_copies,
    _diagnose_slashed_values,
    _diagnose_copies,
    _diagnose_listed_values,
    _diagnose_computed_copies,
    _diagnose_amount_first,
    _diagnose_dashed_range,
)
