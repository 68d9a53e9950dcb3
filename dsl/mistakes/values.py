"""Values and conditions in everyday words: `2 x tricks`, `between 3 and 7`. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.mistakes.moves import THINGS
from rulesrun.dsl.mistakes.stopping_place import Place
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.keywords import RESERVED

SIGNS = {"plus": "+", "minus": "-", "times": "*", "x": "*", "X": "*", "over": "/", "divided": "/", "modulo": "mod"}
AMOUNTS = ("number", "count", "amount")
ADDING = ("sum", "highest", "lowest", "list", "sorted")
QUANTIFIERS = ("every", "some", "no")
PROPERTIES = ("always", "never", "can", "at", "after")


def _value_if(place: Place) -> Mistake | None:
    """`bonus = 10 if won`, `bonus = if won then 10`."""
    if place.text == "if" and place.at > 1 and "PLUS" in place.expected and place.kind in ("score_line", "declaration"):
        value = place.before() if place.before(2) == "=" else "…"
        hint = f"the condition comes first: `if … then {value} else …`"
        return place.mistake("wrong-word", "`if` cannot stand behind a value", hint)
    if place.word is None and "ELSE" in place.expected and place.kind in ("score_line", "declaration"):
        message = "the line ends too early: `else` is missing"
        otherwise = {"score_line": "`else 0`"}.get(place.kind, "`else yes`" if place.first in PROPERTIES else
                                                   "`else 0`, `else no`")
        return place.mistake("unfinished-line", message, f"write what it is otherwise, as in {otherwise}")
    return None


def _sign_in_words(place: Place) -> Mistake | None:
    """`n plus 1`, `2 x tricks`, `2 tricks`, `2 for each trick`."""
    if not place.at or place.word is None or "PLUS" not in place.expected:
        return None
    if place.text in SIGNS and place.text != "over" and not place.could_be(place.text):
        return place.mistake("wrong-word", f"`{place.text}` cannot stand here", f"write `{SIGNS[place.text]}`")
    is_value = place.kind == "score_line" and place.words[place.at - 1].kind == "number" and place.word.kind == "word"
    is_other = not place.could_be(place.text) and place.text not in (*RESERVED, *SIGNS, "when", "if")
    if is_value and (place.text in ("for", "per", "point", "points", "each") or is_other):
        per = place.text in ("for", "per", "point", "points", "each")
        hint = f"write `{place.before()} * {'count of …' if per else place.text}`"
        return place.mistake("unexpected-word", f"behind `{place.before()}` a sign is missing", hint)
    return None


def _how_many_in(place: Place) -> Mistake | None:
    """`number of cards in hand of p <= 3`."""
    said = [word.text for word in place.words]
    for at in range(min(place.at, len(said) - 4)):
        if said[at] in AMOUNTS and said[at + 1] == "of" and said[at + 3] == "in" and place.kind != "example_line":
            zone, end = place.words[at + 4], place.words[at + 4].end
            if zone.kind != "word" or zone.text in RESERVED or (said[at] == "count" and said[at + 2] not in THINGS):
                return None
            message = "how many lie there is counted by the zone"
            return Mistake("wrong-word", message, place.words[at].start, end, f"write `count of {said[at + 4]}`")
    return None


def _all_added(place: Place) -> Mistake | None:
    """`sum of all values in hand`."""
    if place.before() not in ("all", "every", "each") or place.before(2) != "of" or place.before(3) not in ADDING:
        return None
    word = place.words[place.at - 1]
    hint = f"say what, and over which, as in `{place.before(3)} of rank over hand`"
    return Mistake("wrong-word", f"`{word.text}` cannot stand here", word.start, word.end, hint)


def _between(place: Place) -> Mistake | None:
    """`if n between 3 and 7`, `if n in (3, 7)`."""
    if place.text == "between" and place.at and "IN" in place.expected:
        said = [word.text for word in place.words[place.at + 1 : place.at + 5]]
        is_plain = len(said) > 2 and said[1] == "and" and said[3:] in ([], ["then"], ["and"], ["or"])
        low, high = (said[0], said[2]) if is_plain else ("…", "…")
        return place.mistake("wrong-word", "`between` cannot stand here", f"write `in {low}..{high}`")
    if place.text == "," and place.before(3) == "in" and place.before(2) == "(":
        hint = f"a set stands in braces: `in {{{place.before()}, …}}`"
        return place.mistake("wrong-sign", "these are the wrong brackets", hint)
    return None


def _is_said(place: Place) -> Mistake | None:
    """`if n is even`, `if n is either 3 or 7`, `if hand not empty`."""
    if place.text == "empty" and place.before() == "not" and place.at > 1:
        word = place.words[place.at - 1]
        what = f"{place.before(2)} " if place.before(3) in ("if", "and", "or", "until", "needs", ":") else ""
        return Mistake("wrong-word", "`is` is missing before `not empty`", word.start, place.words[place.at].end,
                       f"write `{what}is not empty`")  # fmt: skip
    if place.before() != "is" or "EMPTY" not in place.expected:
        return None
    ways = {"even": "mod 2 = 0", "odd": "mod 2 = 1", "either": "in {…, …}", "one": "in {…, …}", "between": "in …..…"}
    if place.text not in ways:
        return None
    first = place.words[place.at - 1]
    message = f"`is {place.text}` is no comparison"
    return Mistake("wrong-word", message, first.start, place.words[place.at].end, f"write `{ways[place.text]}`")


def _every_player_has(place: Place) -> Mistake | None:
    """`until every player has passed`."""
    if place.text not in ("has", "have", "is", "can") or place.before(2) not in QUANTIFIERS:
        return None
    if "IN" not in place.expected:
        return None
    amount, thing = place.before(2), place.before()
    if thing in ("player", "players"):
        hint = f"write `{amount} p in players has …`, and in it what holds `of p`"
    else:
        hint = f"write `{amount} {thing} in … has …`"
    word = place.words[place.at - 2]
    return Mistake("wrong-word", f"`{amount}` wants a name and where it looks", word.start, place.words[place.at].end,
                   hint)  # fmt: skip


def _random(place: Place) -> Mistake | None:
    """`face becomes random 1..6`."""
    near = [word for word in place.words[max(place.at - 1, 1) : place.at + 1] if word.text == "random"]
    if not near or place.kind != "statement":
        return None
    word = near[0]
    if place.first in ("draw", "deal", "move"):
        hint = "`draw 1 from …` and `deal 1 from …` are by chance"
    else:
        hint = f"chance is a statement: `roll {place.first}` gives any of its values, all equally likely"
    return Mistake("wrong-word", "`random` is no value", word.start, word.end, hint)


OF_VALUES = (
    _how_many_in, _all_added, _value_if, _sign_in_words, _between, _is_said, _every_player_has, _random,
)  # fmt: skip
