"""Conditions said as people say them aloud: `any hand is empty`, `hand contains red 7`. From place to mistake."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
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
        hint = f"write `{amount} p in players has …`, and in it what holds `of p`"
    else:
        thing = place.text
        hint = f"of players: `{amount} p in players has {thing} of p …`; of things: `{amount} c in {thing} has …`"
    return Mistake("wrong-word", f"`{word.text}` cannot begin a condition like this", word.start, word.end, hint)


def diagnose_holding(place: StoppingPlace) -> Mistake | None:
    """`hand contains red 7`."""
    if place.text not in HOLDS or place.at == 0 or "COMPARISON" not in place.expected:
        return None
    where = place.text_before()
    if where in ("player", "p"):
        hint = "a player is asked for what belongs to it: `hand is empty`, `some c in hand of p has …`"
        return place.make_mistake("wrong-word", f"`{place.text}` cannot stand here", hint)
    hint = f"that none like it lies there: `no c in {where} has …`" if place.text_after() == "no" else ""
    hint = hint or f"that some like it lie there: `some c in {where} has …`; how many: `count of {where}`"
    return place.make_mistake("wrong-word", f"`{place.text}` cannot stand here", hint)


def diagnose_matching(place: StoppingPlace) -> Mistake | None:
    """`needs card matches top of heap`."""
    if place.text not in MATCHING or place.at == 0 or "COMPARISON" not in place.expected:
        return None
    hint = f"say what is compared, as in `rank of {place.text_before()} >= rank of top of …`"
    return place.make_mistake("wrong-word", f"the language does not know what `{place.text}` means", hint)


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
    hint = f"write `{COMPARING[said]}`"
    found = Mistake("wrong-word", "values are compared by signs", first.start, place.words[at].end, hint)
    more = [word.text for word in place.words[at + 1 : at + 2]]
    last = place.words[at + 1] if more in (["than"], ["as"], ["to"]) else place.words[at]
    return found.with_edits(Edit(found.start, last.end, COMPARING[said]))


def diagnose_missing_is(place: StoppingPlace) -> Mistake | None:
    """`stock empty`."""
    if place.text == "empty" and place.at and "IS" in place.expected:
        return place.make_mistake(
            "wrong-word", "`is` is missing before `empty`", f"write `{place.text_before()} is empty`"
        ).with_edits(place.insert_before("is"))
    return None


def diagnose_needless_article(place: StoppingPlace) -> Mistake | None:
    """`the count of hand`."""
    if place.text_before(2) == "the" and place.text_before() in COUNTING and place.text == "of":
        word = place.words[place.at - 2]
        said = f"`the` chooses one of several, `{place.text_before()}` gives a number"
        found = Mistake("wrong-word", said, word.start, word.end, "leave `the` out")
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
            message = f"`{word.text}` is no word of the language"
            found = Mistake("wrong-word", message, word.start, word.end, f"did you mean `{near[0]}`?")
            return found.with_replacement(near[0])
    return None


def diagnose_can_with_choices(place: StoppingPlace) -> Mistake | None:
    """`some c in Colour has can take(c)`, `can lay(red 3)`."""
    if place.text != "(" or place.text_before(2) != "can" or place.kind == "example_line":
        return None
    hint = (
        f"leave the brackets out: `can {place.text_before()}`; whether a choice is legal, say by a `define` of its own"
    )
    found = place.make_mistake("unexpected-word", "`can` asks whether there is any way to do an action", hint)
    close = next((at for at in range(place.at, len(place.words)) if place.words[at].text == ")"), None)
    return found if close is None else found.with_edits(place.leave_out(place.at, close))


def diagnose_best_of_what(place: StoppingPlace) -> Mistake | None:
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
    return place.make_mistake("unfinished-line" if place.word is None else "unexpected-word", message, hint)


OF_SPEECH = (
    diagnose_can_with_choices, diagnose_best_of_what, diagnose_needless_article, diagnose_misspelt_counting,
    diagnose_matching, diagnose_spoken_comparison, diagnose_missing_is, diagnose_holding,
    diagnose_spoken_amount,
)  # fmt: skip
