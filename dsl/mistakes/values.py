"""Values and conditions in everyday words: `2 x tricks`, `between 3 and 7`. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.moves import THINGS
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.keywords import RESERVED
from rulesrun.dsl.text.messages import message

SIGNS = {"plus": "+", "minus": "-", "times": "*", "x": "*", "X": "*", "over": "/", "divided": "/", "modulo": "mod"}
AMOUNTS = ("number", "count", "amount")
ADDING = ("sum", "highest", "lowest", "list", "sorted")
QUANTIFIERS = ("every", "some", "no")
PROPERTIES = ("always", "never", "can", "at", "after")


def _diagnose_value_if(place: StoppingPlace) -> Mistake | None:
    """`bonus = 10 if won`, `bonus = if won then 10`."""
    is_value = place.kind in ("score_line", "declaration") and place.first_word != "action"
    if place.text == "if" and place.at > 1 and "PLUS" in place.expected and is_value:
        return _diagnose_late_if(place)
    if place.word is None and "ELSE" in place.expected and place.kind in ("score_line", "declaration"):
        sentence = message("the line ends too early: `else` is missing")
        otherwise = {"score_line": "`else 0`"}.get(place.kind, "`else yes`" if place.first_word in PROPERTIES else
                                                   "`else 0`, `else no`")
        return place.make_mistake(
            "unfinished-line", sentence, message("write what it is otherwise, as in {otherwise}", otherwise=otherwise)
        )
    return None


def _diagnose_late_if(place: StoppingPlace) -> Mistake:
    """`points = 5 if hand is empty, else 0`."""
    is_plain = place.text_before(2) == "="
    value = place.text_before() if is_plain else "…"
    hint = message("the condition comes first: `if … then {value} else …`", value=value)
    found = place.make_mistake("wrong-word", message("`if` cannot follow a value"), hint)
    texts = [word.text for word in place.words]
    at = next((at for at, text in enumerate(texts) if text in ("else", "otherwise") and at > place.at), None)
    if not is_plain:
        return found
    stop = place.words[at - 1 - (texts[at - 1] == ",")].end if at is not None else place.words[-1].end
    first, word = place.words[place.at - 1], place.words[place.at]
    rest = " else" if at is not None else " else 0"
    behind = Edit(stop, place.words[at].end if at is not None else stop, f" then {value}{rest}")
    return found.with_edits(Edit(first.start, word.end, "if"), behind)


def _diagnose_spoken_sign(place: StoppingPlace) -> Mistake | None:
    """`n plus 1`, `2 x tricks`, `2 tricks`, `2 for each trick`."""
    if not place.at or place.word is None or "PLUS" not in place.expected:
        return None
    if place.text in SIGNS and place.text != "over" and not place.can_be(place.text):
        found = place.make_mistake(
            "wrong-word",
            message("`{place}` cannot stand here", place=place.text),
            message("write `{signs}`", signs=SIGNS[place.text]),
        )
        return found.with_replacement(SIGNS[place.text])
    is_value = place.kind == "score_line" and place.words[place.at - 1].kind == "number" and place.word.kind == "word"
    if is_value and place.text in ("point", "points") and place.text_after() == "if":
        sentence = message("`{place}` cannot stand here", place=place.text)
        hint = message("remove `{word}`", word=place.text)
        return place.make_mistake("unexpected-word", sentence, hint).with_edits(place.leave_out(place.at, place.at))
    rest = [word.text for word in place.words[place.at :]]
    counted = [text for text in rest if text not in ("point", "points", "per", "for", "each", "every", "a")]
    if is_value and len(counted) == 3 and counted[0] in THINGS and counted[1] == "in" and counted != rest:
        written = f"* count of {counted[2]}"
        return place.write_words(place.at, -1, "unexpected-word", message("count what is in the zone"), written)
    is_other = not place.can_be(place.text) and place.text not in (*RESERVED, *SIGNS, "when", "if")
    if is_value and (place.text in ("for", "per", "point", "points", "each") or is_other):
        per = place.text in ("for", "per", "point", "points", "each")
        hint = message(
            "write `{before} * {place}`", before=place.text_before(), place="count of …" if per else place.text
        )
        found = place.make_mistake(
            "unexpected-word", message("a sign is missing after `{before}`", before=place.text_before()), hint
        )
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
            sentence = message("count what is in the zone")
            found = Mistake(
                "wrong-word",
                sentence,
                place.words[at].start,
                end,
                message("write `count of {said}`", said=said[at + 4]),
            )
            return found.with_replacement(f"count of {said[at + 4]}")
    return None


def _diagnose_such_things(place: StoppingPlace) -> Mistake | None:
    """`number of red cards in hand`, `count of red cards in hand`, `total rank of hand`, `1 point per card in hand`."""
    texts = [word.text for word in place.words]
    attributes = place.declared.things.attribute_of
    for at in range(min(place.at + 1, len(texts) - 5)):
        if texts[at] in AMOUNTS and texts[at + 1] == "of" and texts[at + 2] in attributes and texts[at + 4] == "in":
            word = texts[at + 2]
            written = f"count of {texts[at + 5]} where {attributes[word]} = {word}"
            written = written if place.words[at + 5] is place.words[-1] else f"({written})"
            return place.write_words(at, at + 5, "wrong-word", message("count what is in the zone"), written)
    attribute = place.text
    is_total = place.text_before() == "total" and attribute in place.declared.before_of
    if is_total and place.text_after() in ("of", "in", "over") and place.at + 2 < len(texts):
        written = f"sum of {attribute} over {texts[place.at + 2]}"
        start, end = place.words[place.at - 1].start, place.words[place.at + 2].end
        found = Mistake("wrong-word", message("what is looked at comes after `over`"), start, end,
                        message("write `{it}`", it=written))  # fmt: skip
        return found.with_replacement(written)
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
    hint = message("say what, and over which, as in `{before} of rank over hand`", before=place.text_before(3))
    return Mistake("wrong-word", message("`{word}` cannot stand here", word=word.text), word.start, word.end, hint)


def _diagnose_between(place: StoppingPlace) -> Mistake | None:
    """`if n between 3 and 7`, `if n in (3, 7)`."""
    if place.text == "between" and place.at and "IN" in place.expected:
        said = [word.text for word in place.words[place.at + 1 : place.at + 5]]
        is_plain = len(said) > 2 and said[1] == "and" and said[3:] in ([], ["then"], ["and"], ["or"])
        low, high = (said[0], said[2]) if is_plain else ("…", "…")
        found = place.make_mistake(
            "wrong-word",
            message("`between` cannot stand here"),
            message("write `in {low}..{high}`", low=low, high=high),
        )
        if not is_plain:
            return found
        return found.with_edits(
            Edit(found.start, place.words[place.at + 3].end, f"in {low}..{high}")
        )
    if place.text == "," and place.text_before(3) == "in" and place.text_before(2) == "(":
        hint = message("write a set in braces: `in {{{before}, …}}`", before=place.text_before())
        return place.make_mistake("wrong-sign", message("these are the wrong brackets"), hint)
    return None


def _diagnose_spoken_is(place: StoppingPlace) -> Mistake | None:
    """`if n is even`, `if n is either 3 or 7`, `if hand not empty`."""
    if place.text == "empty" and place.text_before() == "not" and place.at > 1:
        word = place.words[place.at - 1]
        what = f"{place.text_before(2)} " if place.text_before(3) in ("if", "and", "or", "until", "needs", ":") else ""
        found = Mistake("wrong-word", message("`is` is missing before `not empty`"), word.start,
                        place.words[place.at].end,
                        message("write `{what}is not empty`", what=what))  # fmt: skip
        return found.with_replacement("is not empty")
    if place.text_before() != "is" or "EMPTY" not in place.expected:
        return None
    said = [word.text for word in place.words[place.at + 1 : place.at + 4]]
    if place.text == "between" and len(said) == 3 and said[1] == "and":
        written = f"in {said[0]}..{said[2]}"
        end = place.words[place.at + 3].end
        sentence = message("`is {place}` is not a comparison", place=place.text)
        hint = message("write `{way}`", way=written)
        return Mistake("wrong-word", sentence, place.words[place.at - 1].start, end, hint).with_replacement(written)
    ways = {
        "even": "mod 2 = 0",
        "odd": "mod 2 = 1",
        "either": "in {…, …}",
        "one": "in {…, …}",
        "between": "in …..…",
    }
    if place.text not in ways:
        return None
    first = place.words[place.at - 1]
    sentence = message("`is {place}` is not a comparison", place=place.text)
    way = ways[place.text]
    found = Mistake("wrong-word", sentence, first.start, place.words[place.at].end, message("write `{way}`", way=way))
    return found if "…" in way else found.with_replacement(way)


def _diagnose_every_player_has(place: StoppingPlace) -> Mistake | None:
    """`until every player has passed`."""
    if place.text not in ("has", "have", "is", "can") or place.text_before(2) not in QUANTIFIERS:
        return None
    if "IN" not in place.expected:
        return None
    amount, thing = place.text_before(2), place.text_before()
    if thing in ("player", "players"):
        hint = message("write `{amount} p in players has …`, then the condition `of p`", amount=amount)
    else:
        hint = message("write `{amount} {thing} in … has …`", amount=amount, thing=thing)
    word = place.words[place.at - 2]
    return Mistake("wrong-word", message("`{amount}` needs a name and where to look", amount=amount),
                    word.start, place.words[place.at].end,
                   hint)  # fmt: skip


def _diagnose_random(place: StoppingPlace) -> Mistake | None:
    """`face becomes random 1..6`."""
    near = [word for word in place.words[max(place.at - 1, 1) : place.at + 1] if word.text == "random"]
    if not near or place.kind != "statement":
        return None
    word = near[0]
    if place.first_word in ("draw", "deal", "move"):
        hint = message("`draw 1 from …` and `deal 1 from …` are by chance")
    else:
        hint = message(
            "chance is a statement: `roll {first_word}` gives any of its values, all equally likely",
            first_word=place.first_word,
        )
    return Mistake("wrong-word", message("`random` is not a value"), word.start, word.end, hint)


OF_VALUES = (
    _diagnose_such_things,
    _diagnose_how_many_in, _diagnose_sum_of_all, _diagnose_value_if, _diagnose_spoken_sign, _diagnose_between,
    _diagnose_spoken_is, _diagnose_every_player_has, _diagnose_random,
)  # fmt: skip
