"""Conditions said as people say them aloud: `any hand is empty`, `hand contains red 7`. From place to mistake."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

# Words that speak of some, all or none, and the words of the language for them.
SOME, EVERY, NO = "some", "every", "no"
AMOUNTS = {
    "any": SOME, "a": SOME, "an": SOME, "one": SOME, "somebody": SOME, "someone": SOME, "anybody": SOME,
    "anyone": SOME, "exists": SOME, "some": SOME, "all": EVERY, "each": EVERY, "every": EVERY, "everybody": EVERY,
    "everyone": EVERY, "both": EVERY, "no": NO, "nobody": NO, "none": NO, "neither": NO,
}  # fmt: skip
PEOPLE = ("player", "players", "opponent", "opponents")
ALONE = ("somebody", "someone", "anybody", "anyone", "everybody", "everyone", "nobody")
MATCHING = ("matches", "match", "fits", "follows", "beats", "suits")
HOLDS = ("has", "have", "contains", "contain", "includes", "include", "holds")
# After `is`, or alone: how two values compare.
COMPARING = {
    "equals": "=", "equal": "=", "same": "=", "greater": ">", "more": ">", "bigger": ">", "larger": ">", "higher": ">",
    "above": ">", "less": "<", "fewer": "<", "smaller": "<", "lower": "<", "below": "<", "least": ">=", "most": "<=",
    "exactly": "=", "exceeds": ">", "reaches": ">=",
}  # fmt: skip
LEADING = {
    ("at", "least"): ">=", ("at", "most"): "<=", ("more", "than"): ">", ("fewer", "than"): "<", ("less", "than"): "<",
}  # fmt: skip
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
STARTS_COMPARING = ("at", "the", "no", "not")
COUNTING = ("count", "sum", "highest", "lowest", "list", "sorted")


def diagnose_spoken_amount(place: StoppingPlace) -> Mistake | None:
    """`any hand is empty`, `each player has passed`, `nobody can play`."""
    word = place.words[place.at - 1] if place.at else None
    if word is None or place.word is None or place.word.kind != "word" or word.text not in AMOUNTS:
        return None
    if "COMPARISON" not in place.expected or place.text_after() == "in":
        return None
    if word.text in ("a", "an", "one") and place.text not in PEOPLE:
        return None
    amount = AMOUNTS[word.text]
    if word.text in ALONE or place.text in PEOPLE:
        hint = message("write `{amount} p in players has …`, then the condition `of p`", amount=amount)
    else:
        thing = place.text
        hint = message(
            "for players: `{amount} p in players has {thing} of p …`; for components: `{amount} c in {thing} has …`",
            amount=amount,
            thing=thing,
        )
    return Mistake(
        "wrong-word", message("`{word}` cannot begin a condition like this", word=word.text), word.start, word.end, hint
    )


def diagnose_holding(place: StoppingPlace) -> Mistake | None:
    """`hand contains red 7`."""
    if place.text not in HOLDS or place.at == 0 or "COMPARISON" not in place.expected:
        return None
    where = place.text_before()
    if where in ALONE:
        hint = message("write `{amount} p in players has …`, then the condition `of p`", amount=AMOUNTS[where])
        return place.make_mistake("wrong-word", message("`{place}` cannot stand here", place=place.text), hint)
    if where in ("player", "p"):
        hint = message("say what about the player: `hand is empty`, `some c in hand of p has …`")
        return place.make_mistake("wrong-word", message("`{place}` cannot stand here", place=place.text), hint)
    if place.text_after() == "no":
        hint = message("to say that there is none, write `no c in {where} has …`", where=where)
    else:
        hint = message(
            "to say that there are some, write `some c in {where} has …`; for how many, `count of {where}`", where=where
        )
    return place.make_mistake("wrong-word", message("`{place}` cannot stand here", place=place.text), hint)


def diagnose_matching(place: StoppingPlace) -> Mistake | None:
    """`needs card matches top of heap`."""
    if place.text not in MATCHING or place.at == 0 or "COMPARISON" not in place.expected:
        return None
    hint = message("say what is compared, as in `rank of {before} >= rank of top of …`", before=place.text_before())
    return place.make_mistake(
        "wrong-word", message("the language does not know what `{place}` means", place=place.text), hint
    )


def diagnose_some_such_things(place: StoppingPlace) -> Mistake | None:
    """`needs no red cards in hand`, `if any black card in hand`."""
    amount = AMOUNTS.get(place.text_before(2))
    is_said = place.text in ("card", "cards", "token", "tokens", "tile", "tiles") and place.text_after() == "in"
    if amount is None or not is_said or place.at + 2 >= len(place.words):
        return None
    where, what = place.words[place.at + 2].text, place.text_before()
    hint = message("write `{amount} c in {where} has … of c = {what}`, with the attribute", amount=amount, where=where,
                   what=what)  # fmt: skip
    return place.make_mistake("wrong-word", message("`{place}` cannot stand here", place=place.text), hint)


def diagnose_same_as(place: StoppingPlace) -> Mistake | None:
    """`needs same colour as top of heap`, `if the same rank as led`."""
    texts = [word.text for word in place.words]
    if place.text_before() != "same" or place.text_after() != "as" or place.at + 2 >= len(texts):
        return None
    rest = texts[place.at + 2 :]
    end = next((at for at, text in enumerate(rest) if text in ("because", "and", "or")), len(rest))
    what, other = place.text, " ".join(rest[:end])
    hint = message("write `{what} of … = {what} of {other}`, with what is chosen", what=what, other=other)
    return place.make_mistake("wrong-word", message("say what is compared"), hint)


def diagnose_bare_best(place: StoppingPlace) -> Mistake | None:
    """`highest rank in hand`, `sum rank of hand`."""
    word = place.text_before()
    goes_on = place.text_after() in ("in", "of", "among", "from")
    if word not in COUNTING[1:] or "OF" not in place.expected or not goes_on:
        return None
    hint = message("write `{word} of {what} over …`", word=word, what=place.text)
    found = place.make_mistake("unexpected-word", message("what is looked at comes after `over`"), hint)
    start, after = place.words[place.at].start, place.words[place.at + 1]
    return found.with_edits(Edit(start, start, "of "), Edit(after.start, after.end, "over"))


def diagnose_spoken_comparison(place: StoppingPlace) -> Mistake | None:
    """`count of hand is at least 3`, `passes equals 2`."""
    if place.at == 0 or not {"COMPARISON", "EMPTY"} & place.expected:
        return None
    begun = place.text_before() == "is"
    at = place.at + (place.text in STARTS_COMPARING)
    said = place.words[at].text if at < len(place.words) else ""
    if said not in COMPARING or (place.text in ("least", "most") and at == place.at):
        return None
    first = place.words[place.at - begun]
    hint = message("write `{comparing}`", comparing=COMPARING[said])
    found = Mistake("wrong-word", message("compare values with signs"), first.start, place.words[at].end, hint)
    more = [word.text for word in place.words[at + 1 : at + 2]]
    last = place.words[at + 1] if more in (["than"], ["as"], ["to"]) else place.words[at]
    return found.with_edits(Edit(found.start, last.end, COMPARING[said]))


def diagnose_leading_amount(place: StoppingPlace) -> Mistake | None:
    """`needs at least 2 cards in talon`, `if more than 3 in hand`."""
    begin = place.text_before(), place.text
    if begin not in LEADING or "COMPARISON" not in place.expected:
        return None
    rest = [word.text for word in place.words[place.at + 1 :]]
    number = rest[0] if rest else "…"
    where = rest.index("in") + 1 if "in" in rest[:3] else 0
    zone = rest[where] if 0 < where < len(rest) else "…"
    written = f"count of {zone} {LEADING[begin]} {number}"
    hint = message("write `{written}`", written=written)
    first = place.words[place.at - 1]
    found = Mistake("wrong-word", message("compare values with signs"), first.start, place.words[place.at].end, hint)
    if "…" in written or not number.isdigit() or rest[where + 1 : where + 2] not in ([], ["because"], ["and"], ["or"]):
        return found
    return found.with_edits(Edit(first.start, place.words[place.at + 1 + where].end, written))


def diagnose_must_be(place: StoppingPlace) -> Mistake | None:
    """`needs claim must be higher`, `needs rank of card should be above 3`."""
    said = [word.text for word in place.words[place.at + 1 : place.at + 4]]
    if place.text not in ("must", "should", "shall") or said[:1] != ["be"] or "COMPARISON" not in place.expected:
        return None
    sign = COMPARING.get(said[1] if len(said) > 1 else "", "=")
    hint = message("say what is compared, as in `{before} {sign} …`", before=place.text_before(), sign=sign)
    return place.make_mistake("wrong-word", message("compare values with signs"), hint)


def diagnose_only_so_many(place: StoppingPlace) -> Mistake | None:
    """`until only one player has lives`, `if exactly two players are in`."""
    if place.text_before() not in ("only", "exactly", "just") or place.text_after() not in PEOPLE:
        return None
    amount = str(NUMBERS.index(place.text) + 1) if place.text in NUMBERS else place.text
    if not amount.isdigit():
        return None
    word = place.words[place.at - 1]
    hint = message("count them: `count of (players where … of it > 0) = {amount}`, with a condition", amount=amount)
    sentence = message("`{word}` cannot begin a condition like this", word=word.text)
    return Mistake("wrong-word", sentence, word.start, word.end, hint)


def diagnose_scored_player(place: StoppingPlace) -> Mistake | None:
    """`left_over = lives of each player` on a score sheet."""
    is_owner = place.text in PEOPLE and place.text_before() in ("each", "every", "the", "this")
    if place.kind != "score_line" or not is_owner or place.text_before(2) != "of":
        return None
    owner = place.words[place.at - 2]
    what = place.text_before(3)
    sentence = message("a line of the score is counted for every player already")
    end = place.words[place.at].end
    found = Mistake("wrong-word", sentence, owner.start, end, message("write `{what}`", what=what))
    return found.with_edits(place.leave_out(place.at - 2, place.at))


def diagnose_missing_is(place: StoppingPlace) -> Mistake | None:
    """`stock empty`."""
    if place.text == "empty" and place.at and "IS" in place.expected:
        return place.make_mistake(
            "wrong-word",
            message("`is` is missing before `empty`"),
            message("write `{before} is empty`", before=place.text_before()),
        ).with_edits(place.insert_before("is"))
    return None


def diagnose_needless_article(place: StoppingPlace) -> Mistake | None:
    """`the count of hand`."""
    if place.text_before(2) == "the" and place.text_before() in COUNTING and place.text == "of":
        word = place.words[place.at - 2]
        said = message("`the` picks one of several, but `{before}` gives a number", before=place.text_before())
        found = Mistake("wrong-word", said, word.start, word.end, message("remove `the`"))
        return found.with_edits(place.leave_out(place.at - 2, place.at - 2))
    return None


def diagnose_misspelt_counting(place: StoppingPlace) -> Mistake | None:
    """`cuont of hand where colour = red`."""
    if place.text not in ("where", "over") or place.at == 0:
        return None
    for at in range(place.at - 2, -1, -1):
        word = place.words[at]
        near = get_close_matches(word.text[:40], COUNTING, n=1, cutoff=0.7) if word.kind == "word" else []
        if near and word.text not in COUNTING and place.words[at + 1].text == "of":
            sentence = message("`{word}` is not a word of the language", word=word.text)
            found = Mistake(
                "wrong-word", sentence, word.start, word.end, message("did you mean `{near}`?", near=near[0])
            )
            return found.with_replacement(near[0])
    return None


def diagnose_can_with_choices(place: StoppingPlace) -> Mistake | None:
    """`some c in Colour has can take(c)`, `can lay(red 3)`."""
    if place.text != "(" or place.text_before(2) != "can" or place.kind == "example_line":
        return None
    hint = message(
        "remove the brackets: `can {before}`; for a particular choice, write a `define`",
        before=place.text_before(),
    )
    found = place.make_mistake("unexpected-word", message("`can` asks whether there is any way to do an action"), hint)
    close = next((at for at in range(place.at, len(place.words)) if place.words[at].text == ")"), None)
    return found if close is None else found.with_edits(place.leave_out(place.at, close))


OF_SPEECH = (
    diagnose_leading_amount, diagnose_must_be, diagnose_only_so_many, diagnose_scored_player,
    diagnose_can_with_choices, diagnose_needless_article, diagnose_misspelt_counting,
    diagnose_some_such_things, diagnose_same_as, diagnose_bare_best, diagnose_matching, diagnose_spoken_comparison,
    diagnose_missing_is, diagnose_holding, diagnose_spoken_amount,
)  # fmt: skip
