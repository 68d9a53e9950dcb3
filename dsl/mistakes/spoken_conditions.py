"""Conditions said as people say them aloud: `any hand is empty`, `hand contains red 7`. From place to mistake."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake

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
STARTS_COMPARING = ("at", "the", "no", "not")
COUNTING = ("count", "sum", "highest", "lowest", "list", "sorted")


def amount_of(place: Place) -> Mistake | None:
    """`any hand is empty`, `each player has passed`, `nobody can play`."""
    word = place.words[place.at - 1] if place.at else None
    if word is None or place.word is None or place.word.kind != "word" or word.text not in AMOUNTS:
        return None
    if "COMPARISON" not in place.expected or place.after() == "in":
        return None
    if word.text in ("a", "an", "one") and place.text not in PEOPLE:
        return None
    amount = AMOUNTS[word.text]
    if word.text in ALONE or place.text in PEOPLE:
        hint = f"write `{amount} p in players has …`, and in it what holds `of p`"
    else:
        thing = place.text
        hint = f"of players: `{amount} p in players has {thing} of p …`; of things: `{amount} c in {thing} has …`"
    return Mistake("wrong-word", f"`{word.text}` cannot begin a condition like this", word.start, word.end, hint)


def holding(place: Place) -> Mistake | None:
    """`hand contains red 7`."""
    if place.text not in HOLDS or place.at == 0 or "COMPARISON" not in place.expected:
        return None
    where = place.before()
    if where in ("player", "p"):
        hint = "a player is asked for what belongs to it: `hand is empty`, `some c in hand of p has …`"
        return place.mistake("wrong-word", f"`{place.text}` cannot stand here", hint)
    hint = f"that none like it lies there: `no c in {where} has …`" if place.after() == "no" else ""
    hint = hint or f"that some like it lie there: `some c in {where} has …`; how many: `count of {where}`"
    return place.mistake("wrong-word", f"`{place.text}` cannot stand here", hint)


def matching(place: Place) -> Mistake | None:
    """`needs card matches top of heap`."""
    if place.text not in MATCHING or place.at == 0 or "COMPARISON" not in place.expected:
        return None
    hint = f"say what is compared, as in `rank of {place.before()} >= rank of top of …`"
    return place.mistake("wrong-word", f"the language does not know what `{place.text}` means", hint)


def comparing(place: Place) -> Mistake | None:
    """`count of hand is at least 3`, `passes equals 2`."""
    if place.at == 0 or not {"COMPARISON", "EMPTY"} & place.expected:
        return None
    begun = place.before() == "is"
    at = place.at + (place.text in STARTS_COMPARING)
    said = place.words[at].text if at < len(place.words) else ""
    if said not in COMPARING or (place.text in ("least", "most") and at == place.at):
        return None
    first = place.words[place.at - begun]
    hint = f"write `{COMPARING[said]}`"
    return Mistake("wrong-word", "values are compared by signs", first.start, place.words[at].end, hint)


def is_missing(place: Place) -> Mistake | None:
    """`stock empty`."""
    if place.text == "empty" and place.at and "IS" in place.expected:
        return place.mistake("wrong-word", "`is` is missing before `empty`", f"write `{place.before()} is empty`")
    return None


def needless_article(place: Place) -> Mistake | None:
    """`the count of hand`."""
    if place.before(2) == "the" and place.before() in COUNTING and place.text == "of":
        word = place.words[place.at - 2]
        said = f"`the` chooses one of several, `{place.before()}` gives a number"
        return Mistake("wrong-word", said, word.start, word.end, "leave `the` out")
    return None


def counting_misspelt(place: Place) -> Mistake | None:
    """`cuont of hand where colour = red`."""
    if place.text not in ("where", "over") or place.at == 0:
        return None
    for at in range(place.at - 2, -1, -1):
        word = place.words[at]
        near = get_close_matches(word.text[:40], COUNTING, n=1, cutoff=0.7) if word.kind == "word" else []
        if near and word.text not in COUNTING and place.words[at + 1].text == "of":
            message = f"`{word.text}` is no word of the language"
            return Mistake("wrong-word", message, word.start, word.end, f"did you mean `{near[0]}`?")
    return None


def asked_with_choices(place: Place) -> Mistake | None:
    """`some c in Colour has can take(c)`, `can lay(red 3)`."""
    if place.text != "(" or place.before(2) != "can" or place.kind == "example_line":
        return None
    hint = f"leave the brackets out: `can {place.before()}`; whether a choice is legal, say by a `define` of its own"
    return place.mistake("unexpected-word", "`can` asks whether there is any way to do an action", hint)


def best_of_what(place: Place) -> Mistake | None:
    """`the p in players where hand of p is empty`."""
    texts = [word.text for word in place.words]
    best = next((at for at, text in enumerate(texts[:-3]) if text in ("the", "those") and texts[at + 2] == "in"), None)
    if best is None or "WITH" not in place.expected:
        return None
    name, among = texts[best + 1], texts[best + 3]
    message = f"`{texts[best]}` chooses by a number, which stands behind `with`"
    filtered = f"{among} where …" if "where" in texts else among
    hint = (
        f"write `… with highest …` or `… with lowest …`; whether there is one: `some {name} in {among} has …`; all of "
        f"them: `{filtered}`"
    )
    return place.mistake("unfinished-line" if place.word is None else "unexpected-word", message, hint)


OF_SPEECH = (
    asked_with_choices, best_of_what, needless_article, counting_misspelt, matching, comparing, is_missing, holding,
    amount_of,
)  # fmt: skip
