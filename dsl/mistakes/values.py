"""Values and conditions in everyday words: `2 x tricks`, `between 3 and 7`. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.moves import THINGS
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.keywords import RESERVED

SIGNS = {"plus": "+", "minus": "-", "times": "*", "x": "*", "X": "*", "over": "/", "divided": "/", "modulo": "mod"}
AMOUNTS = ("number", "count", "amount")
ADDING = ("sum", "highest", "lowest", "list", "sorted")
QUANTIFIERS = ("every", "some", "no")
PROPERTIES = ("always", "never", "can", "at", "after")


def _diagnose_value_if(place: StoppingPlace) -> Mistake | None:
    """`bonus = 10 if won`, `bonus = if won then 10`."""
    if place.text == "if" and place.at > 1 and "PLUS" in place.expected and place.kind in ("score_line", "declaration"):
        value = place.text_before() if place.text_before(2) == "=" else "…"
        hint = f"the condition comes first: `if … then {value} else …`"
        return place.make_mistake("wrong-word", "`if` cannot stand behind a value", hint)
    if place.word is None and "ELSE" in place.expected and place.kind in ("score_line", "declaration"):
        message = "the line ends too early: `else` is missing"
        otherwise = {"score_line": "`else 0`"}.get(place.kind, "`else yes`" if place.first_word in PROPERTIES else
                                                   "`else 0`, `else no`")
        return place.make_mistake("unfinished-line", message, f"write what it is otherwise, as in {otherwise}")
    return None


def _diagnose_spoken_sign(place: StoppingPlace) -> Mistake | None:
    """`n plus 1`, `2 x tricks`, `2 tricks`, `2 for each trick`."""
    if not place.at or place.word is None or "PLUS" not in place.expected:
        return None
    if place.text in SIGNS and place.text != "over" and not place.can_be(place.text):
        found = place.make_mistake("wrong-word", f"`{place.text}` cannot stand here", f"write `{SIGNS[place.text]}`")
        return found.with_replacement(SIGNS[place.text])
    is_value = place.kind == "score_line" and place.words[place.at - 1].kind == "number" and place.word.kind == "word"
    is_other = not place.can_be(place.text) and place.text not in (*RESERVED, *SIGNS, "when", "if")
    if is_value and (place.text in ("for", "per", "point", "points", "each") or is_other):
        per = place.text in ("for", "per", "point", "points", "each")
        hint = f"write `{place.text_before()} * {'count of …' if per else place.text}`"
        found = place.make_mistake("unexpected-word", f"behind `{place.text_before()}` a sign is missing", hint)
        return found if per else found.with_edits(place.insert_before("*"))
    return None


def _diagnose_how_many_in(place: StoppingPlace) -> Mistake | None:
    """`number of cards in hand of p <= 3`."""
    said = [word.text for word in place.words]
    for at in range(min(place.at, len(said) - 4)):
        if said[at] in AMOUNTS and said[at + 1] == "of" and said[at + 3] == "in" and place.kind != "example_line":
            zone, end = place.words[at + 4], place.words[at + 4].end
            if zone.kind != "word" or zone.text in RESERVED or (said[at] == "count" and said[at + 2] not in THINGS):
                return None
            message = "how many lie there is counted by the zone"
            found = Mistake("wrong-word", message, place.words[at].start, end, f"write `count of {said[at + 4]}`")
            return found.with_replacement(f"count of {said[at + 4]}")
    return None


def _diagnose_sum_of_all(place: StoppingPlace) -> Mistake | None:
    """`sum of all values in hand`."""
    if (
        place.text_before() not in ("all", "every", "each")
        or place.text_before(2) != "of"
        or place.text_before(3) not in ADDING
    ):
        return None
    word = place.words[place.at - 1]
    hint = f"say what, and over which, as in `{place.text_before(3)} of rank over hand`"
    return Mistake("wrong-word", f"`{word.text}` cannot stand here", word.start, word.end, hint)


def _diagnose_between(place: StoppingPlace) -> Mistake | None:
    """`if n between 3 and 7`, `if n in (3, 7)`."""
    if place.text == "between" and place.at and "IN" in place.expected:
        said = [word.text for word in place.words[place.at + 1 : place.at + 5]]
        is_plain = len(said) > 2 and said[1] == "and" and said[3:] in ([], ["then"], ["and"], ["or"])
        low, high = (said[0], said[2]) if is_plain else ("…", "…")
        found = place.make_mistake("wrong-word", "`between` cannot stand here", f"write `in {low}..{high}`")
        if not is_plain:
            return found
        return found.with_edits(Edit(found.start, place.words[place.at + 3].end, f"in {low}..{high}"))
    if place.text == "," and place.text_before(3) == "in" and place.text_before(2) == "(":
        hint = f"a set stands in braces: `in {{{place.text_before()}, …}}`"
        return place.make_mistake("wrong-sign", "these are the wrong brackets", hint)
    return None


def _diagnose_spoken_is(place: StoppingPlace) -> Mistake | None:
    """`if n is even`, `if n is either 3 or 7`, `if hand not empty`."""
    if place.text == "empty" and place.text_before() == "not" and place.at > 1:
        word = place.words[place.at - 1]
        what = f"{place.text_before(2)} " if place.text_before(3) in ("if", "and", "or", "until", "needs", ":") else ""
        found = Mistake("wrong-word", "`is` is missing before `not empty`", word.start, place.words[place.at].end,
                        f"write `{what}is not empty`")  # fmt: skip
        return found.with_replacement("is not empty")
    if place.text_before() != "is" or "EMPTY" not in place.expected:
        return None
    ways = {"even": "mod 2 = 0", "odd": "mod 2 = 1", "either": "in {…, …}", "one": "in {…, …}", "between": "in …..…"}
    if place.text not in ways:
        return None
    first = place.words[place.at - 1]
    message = f"`is {place.text}` is no comparison"
    way = ways[place.text]
    found = Mistake("wrong-word", message, first.start, place.words[place.at].end, f"write `{way}`")
    return found if "…" in way else found.with_replacement(way)


def _diagnose_every_player_has(place: StoppingPlace) -> Mistake | None:
    """`until every player has passed`."""
    if place.text not in ("has", "have", "is", "can") or place.text_before(2) not in QUANTIFIERS:
        return None
    if "IN" not in place.expected:
        return None
    amount, thing = place.text_before(2), place.text_before()
    if thing in ("player", "players"):
        hint = f"write `{amount} p in players has …`, and in it what holds `of p`"
    else:
        hint = f"write `{amount} {thing} in … has …`"
    word = place.words[place.at - 2]
    return Mistake("wrong-word", f"`{amount}` wants a name and where it looks", word.start, place.words[place.at].end,
                   hint)  # fmt: skip


def _diagnose_random(place: StoppingPlace) -> Mistake | None:
    """`face becomes random 1..6`."""
    near = [word for word in place.words[max(place.at - 1, 1) : place.at + 1] if word.text == "random"]
    if not near or place.kind != "statement":
        return None
    word = near[0]
    if place.first_word in ("draw", "deal", "move"):
        hint = "`draw 1 from …` and `deal 1 from …` are by chance"
    else:
        hint = f"chance is a statement: `roll {place.first_word}` gives any of its values, all equally likely"
    return Mistake("wrong-word", "`random` is no value", word.start, word.end, hint)


OF_VALUES = (
    _diagnose_how_many_in, _diagnose_sum_of_all, _diagnose_value_if, _diagnose_spoken_sign, _diagnose_between,
    _diagnose_spoken_is, _diagnose_every_player_has, _diagnose_random,
)  # fmt: skip
