"""Conditions as people say them aloud: `any hand is empty`, `hand contains red 7`. Takes places, gives mistakes."""

from __future__ import annotations

from difflib import get_close_matches

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace, join_texts
from rulesrun.dsl.text.declared_words import ALWAYS_BEFORE_OF, find_only
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
BEFORE_CONDITIONS = ("if", "needs", "until", "and", "or", "not", "where")
LANDING = ("lands", "is", "stands", "stops", "land", "stop")
BEST = {"highest": "highest", "most": "highest", "biggest": "highest", "largest": "highest", "best": "highest",
        "lowest": "lowest", "fewest": "lowest", "least": "lowest", "smallest": "lowest"}  # fmt: skip
STARTS_COMPARING = ("at", "the", "no", "not")
COUNTING = ("count", "sum", "highest", "lowest", "list", "sorted")
SOMEBODY = ("somebody", "someone", "anybody", "anyone", "whoever")
NOTHING_THERE = ("no", "0")
THINGS = ("card", "cards", "token", "tokens", "tile", "tiles", "stone", "stones", "piece", "pieces", "point", "points")
OUT = (("runs", "out"), ("ran", "out"), ("run", "out"), ("has", "nothing"))
USED_UP = ("out", "used", "exhausted", "gone", "finished", "over")
ENDS = ("because", "and", "or", ",", "then")


def read_number(text: str) -> int:
    """`3`, `three`; 0 where it is no number."""
    return int(text[:9]) if text.isdigit() else NUMBERS.index(text) + 1 if text in NUMBERS else 0


def _cut_at_end(words: list[str]) -> list[str]:
    end = next((at for at, text in enumerate(words) if text in ENDS), len(words))
    return words[:end]


def diagnose_somebody_has(place: StoppingPlace) -> Mistake | None:
    """`until someone has no cards`, `until a player has 100 points`, `until someone reaches 100`, `a hand is empty`."""
    texts = [word.text for word in place.words]
    first = next((at for at in range(max(place.at - 3, 1), min(place.at + 1, len(texts)))
                  if texts[at] in (*SOMEBODY, "a", "any", "one", "the")), 0)  # fmt: skip
    if not first or texts[first - 1] not in ("until", "if", "needs", "and", "or", "not", ":", "has", "when"):
        return None
    things = place.declared.things
    begin = first
    if texts[first] == "the":
        if texts[first : first + 3] != ["the", "first", "player"]:
            return None
        first += 1
    is_alone = texts[first] in SOMEBODY
    said = _cut_at_end(texts[first + (1 if is_alone else 2) :])
    hand, number = "hand" if "hand" in things.hands else find_only(things.hands), find_only(things.counted)
    whose = "" if is_alone else texts[first + 1] if first + 1 < len(texts) else ""
    condition = ""
    if whose in things.hands and said in (["is", "empty"], ["empty"]):
        condition = f"{whose} of p is empty"
    elif not is_alone and whose != "player":
        return None
    elif said[:1] == ["has"] and {*said[1:2]} & {*NOTHING_THERE} and said[2:3] in (["cards"], ["card"]):
        condition = f"{hand} of p is empty" if hand else ""
    elif said[:1] in (["has"], ["reaches"], ["gets"], ["scores"]) and said[1:2] and said[1].isdigit():
        what = said[2:3]
        counted = f"count of {hand}" if what in (["cards"], ["card"]) and hand else number
        condition = f"{counted} of p >= {said[1]}" if counted and len(said) < 4 else ""
    elif said[:1] == ["reaches"] and said[1:2] and said[1] in things.counted and said[2:] and said[2].isdigit():
        condition = f"{said[1]} of p >= {said[2]}"
    elif said[:1] == ["has"] and said[1:2] and said[1] in (*things.counted, *things.hands):
        condition = " ".join((said[1], "of", "p", *said[2:]))
    if not condition:
        return None
    written = f"some p in players has {condition}"
    end = place.words[first + (0 if is_alone else 1) + len(said)].end
    sentence = message("`{word}` cannot begin a condition like this", word=texts[first])
    found = Mistake("wrong-word", sentence, place.words[begin].start, end, message("write `{it}`", it=written))
    return found.with_replacement(written)


def diagnose_value_said(place: StoppingPlace) -> Mistake | None:
    """`needs given is a red card`, `if given is red`, `given is not red`."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(min(place.at, len(texts) - 1), 1, -1) if texts[at] == "is"), 0)
    if not at or texts[at - 2] in ("of", "[", "]", ".") or place.words[at - 1].kind != "word":
        return None
    first = at + 1 + (texts[at + 1 : at + 2] == ["not"])
    value = first + (texts[first : first + 1] in (["a"], ["an"], ["the"]))
    attribute = place.declared.things.attribute_of.get(texts[value]) if value < len(texts) else None
    if attribute is None or place.at > value + 1 or texts[at - 1] in place.declared.before_of:
        return None
    last = value + (texts[value + 1 : value + 2] in (["card"], ["one"], ["token"], ["tile"], ["piece"]))
    sign = "is not" if first > at + 1 else "="
    written = f"{attribute} of {texts[at - 1]} {sign} {texts[value]}"
    sentence = message("say what is compared")
    return place.write_words(at - 1, last, "wrong-word", sentence, written)


def diagnose_there_are(place: StoppingPlace) -> Mistake | None:
    """`needs there are 3 cards in hand`, `if there is no card in stock`, `needs player has at least 2 cards`."""
    texts = [word.text for word in place.words]
    first = next((at for at in range(1, len(texts) - 2)
                  if (texts[at] == "there" and texts[at + 1] in ("are", "is"))
                  or (texts[at] == "player" and texts[at + 1] == "has")), 0)  # fmt: skip
    if not first or not first <= place.at <= first + 4:
        return None
    said = _cut_at_end(texts[first + 2 :])
    sign, rest = next(((LEADING[pair], said[2:]) for pair in LEADING if said[:2] == [*pair]), ("=", said))
    amount, rest = rest[:1], [text for text in rest[1:] if text not in ("the", "left", "their", "his", "her")]
    number = amount[0] if amount and amount[0].isdigit() else "0" if amount and amount[0] in ("no", "none") else ""
    in_zone = rest[2:] if rest[1:2] == ["in"] else rest[1:]
    hands = place.declared.things.hands
    default = "hand" if "hand" in hands else find_only(hands)
    zone = in_zone[0] if len(in_zone) == 1 else default if not in_zone and texts[first] == "player" else ""
    if not number or not zone or rest[:1] == [] or rest[0] not in THINGS[:10]:
        return None
    written = f"{zone} is empty" if number == "0" and sign == "=" else f"count of {zone} {sign} {number}"
    return place.write_words(first, first + 1 + len(said), "wrong-word", message("count what is in the zone"), written)


def diagnose_run_out(place: StoppingPlace) -> Mistake | None:
    """`if stock runs out`, `until stock is used up`, `if no cards left in hand`."""
    texts = [word.text for word in place.words]
    things = {*THINGS[:10]}
    first = next((at for at in range(1, len(texts)) if texts[at] == "no" and things & {*texts[at + 1 : at + 2]}), 0)
    said = [text for text in _cut_at_end(texts[first + 2 :]) if text not in ("left", "remain", "remaining", "the")]
    if first and place.at - first in range(1, 5) and said[:1] in (["in"], ["on"]) and len(said) == 2:
        zone, last = said[1], first + 1 + len(_cut_at_end(texts[first + 2 :]))
    elif place.text_before() in place.declared.things.zones and (place.text, place.text_after()) in OUT:
        zone, first, last = place.text_before(), place.at - 1, place.at + 1
    elif place.text_before() == "is" and place.text_before(2) in place.declared.things.zones and place.text in USED_UP:
        zone, first = place.text_before(2), place.at - 2
        last = place.at + (place.text_after() in ("up", "of"))
    else:
        return None
    written = f"{zone} is empty"
    sentence = message("that nothing lies there is said by `is empty`")
    return place.write_words(first, last, "wrong-word", sentence, written)


def diagnose_what_it_holds(place: StoppingPlace) -> Mistake | None:
    """`needs hand has a red card`, `if hand contains red`, `needs hand contains red 3`."""
    if place.text not in HOLDS or place.at == 0 or place.text_before() not in place.declared.things.zones:
        return None
    said = _cut_at_end([word.text for word in place.words[place.at + 1 :]])
    rest = [text for text in said if text not in ("a", "an", "the", "some", "any", "card", "cards", "one")]
    if not rest or rest[0] not in place.declared.things.attribute_of or len(rest) > 2 or place.at < 1:
        return None
    where, word = place.text_before(), rest[0]
    is_whole = len(rest) == 2 and rest[1].isdigit()
    if len(rest) == 2 and not is_whole:
        return None
    of_it = f"c in {{{' '.join(rest)}}}" if is_whole else f"{place.declared.things.attribute_of[word]} of c = {word}"
    written = f"some c in {where} has {of_it}"
    sentence = message("`{place}` cannot stand here", place=place.text)
    return place.write_words(place.at - 1, place.at + len(said), "wrong-word", sentence, written)


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
    asked = place.words[place.at + 2].text if place.at + 2 < len(place.words) else ""
    if place.text_after() in ("no", "a") and asked in place.declared.things.truths:
        sentence = message("what stands on a place is asked with square brackets")
        negated = "not " if place.text_after() == "no" else ""
        return place.write_words(place.at - 1, place.at + 2, "wrong-word", sentence, f"{negated}{asked}[{where}]")
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
    behind = [word.text for word in place.words[place.at + 1 : place.at + 3]]
    if behind[1:] == ["of"] and behind[0] in place.declared.before_of - ALWAYS_BEFORE_OF:
        written = f"{place.text_after()} of {place.text_before()} ="
        found = Mistake(
            "wrong-word", message("say what is compared"), place.words[place.at - 1].start, place.words[place.at].end,
            message("write `{it} …`", it=written),
        )  # fmt: skip
        return found.with_replacement(written)
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
    if place.text_before() in ALONE:
        return None
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


def diagnose_not_more(place: StoppingPlace) -> Mistake | None:
    """`n is not more than money`, `n is no less than 3`."""
    texts = [word.text for word in place.words[: place.at + 2]]
    at = next((at for at in range(len(texts) - 2, 0, -1) if texts[at] in ("not", "no")), 0)
    sign = {">": "<=", "<": ">="}.get(COMPARING.get(texts[at + 1], "")) if at else None
    if sign is None or texts[at - 1] != "is" or at + 2 >= len(place.words) or place.words[at + 2].text != "than":
        return None
    return place.write_words(at - 1, at + 2, "wrong-word", message("compare values with signs"), sign)


def diagnose_all_the_same(place: StoppingPlace) -> Mistake | None:
    """`needs all cards have the same colour`, `needs cards are same colour`, `if all cards are different ranks`."""
    texts = [word.text for word in place.words]
    begin = next((at + 1 for at in range(place.at, -1, -1) if at < len(texts) and texts[at] in BEFORE_CONDITIONS), 0)
    said = _cut_at_end(texts[begin:])
    rest = [text for text in said if text not in ("all", "the", "of", "a", "have", "has", "are", "is", "must", "be")]
    if not begin or len(rest) != 3 or rest[1] not in ("same", "different", "share") or len(said) < 4:
        return None
    what, before = rest[0], place.declared.before_of
    asked = next((one for one in (rest[2], rest[2].removesuffix("s")) if one in before), "")
    if not asked or not what.isidentifier() or what in ("player", "players"):
        return None
    right = "1" if rest[1] != "different" else f"count of {what}"
    written = f"(count of distinct {asked} over {what}) = {right}"
    return place.write_words(begin, begin + len(said) - 1, "wrong-word", message("count the different ones"), written)


def diagnose_best_player(place: StoppingPlace) -> Mistake | None:
    """`leader becomes the player with the highest bid`, `player with most coins wins`: of what each of them has."""
    texts = [word.text for word in place.words]
    at = next((at for at in range(place.at, max(place.at - 4, -1), -1) if texts[at : at + 1] == ["player"]), -1)
    if at < 0 or place.kind == "declaration" or texts[at - 1] in ("each", "every", "all"):
        return None
    if texts[at + 1 : at + 2] not in (["with"], ["who"], ["whose"]):
        return None
    rest = [text for text in _cut_at_end(texts[at + 2 :]) if text not in ("the", "has", "is", "of")]
    best = BEST.get(rest[0]) if rest else None
    if best is None or len(rest) > 2:
        return None
    things = place.declared.things
    what = rest[1] if len(rest) == 2 else ""
    value = what if what in things.counted else f"count of {what}" if what in things.zones else ""
    if what in ("card", "cards") and find_only(things.hands):
        value = f"count of {find_only(things.hands)}"
    written = f"the p in players with {best} {value or '…'} of p"
    first = at - (texts[at - 1] == "the")
    sentence = message("who has the most is asked of all players")
    found = place.write_words(first, at + 1 + len(_cut_at_end(texts[at + 2 :])), "wrong-word", sentence, written)
    return found if value else found.with_edits()


def diagnose_all_of_zone(place: StoppingPlace) -> Mistake | None:
    """`lots = worth of all won`, `total worth of all cards in won`, `sum of worth of all won`: their sum."""
    texts, things = [word.text for word in place.words], place.declared.things
    at = next((at for at in range(2, len(texts) - 1) if texts[at] == "all" and texts[at - 1] == "of"), 0)
    if not at or not at - 3 <= place.at <= at + 3 or texts[at - 2] not in place.declared.before_of:
        return None
    behind = [text for text in texts[at + 1 : at + 5] if text not in (*THINGS, "in", "the")]
    if behind[:1] == [] or behind[0] not in things.zones or texts[at - 2] in ("count", *COUNTING, "total"):
        return None
    last = at + 1 + texts[at + 1 :].index(behind[0])
    first = at - 2
    while texts[first - 1] in ("sum", "total", "of", "the") and first > 1:
        first -= 1
    written = f"sum of {texts[at - 2]} over {behind[0]}"
    return place.write_words(first, last, "wrong-word", message("what is added up stands behind `over`"), written)


def diagnose_followed_if_possible(place: StoppingPlace) -> Mistake | None:
    """`needs suit of card = led if possible`: or nothing in the hand would do."""
    texts, hands = [word.text for word in place.words], place.declared.things.hands
    hand = "hand" if "hand" in hands else find_only(hands)
    at = next((at for at in range(5, len(texts) - 1) if texts[at : at + 2] == ["if", "possible"]), 0)
    if texts[0] != "needs" or not at or texts[2] != "of" or texts[4] != "=" or not hand:
        return None
    if texts[at + 2 : at + 3] not in ([], ["because"]) or texts[1] not in place.declared.before_of:
        return None
    written = f"or no c in {hand} has {texts[1]} of c = {join_texts(texts[5:at])}"
    sentence = message("what must be done where it can is said of the whole hand")
    return place.write_words(at, at + 1, "wrong-word", sentence, written)


HAVE_DONE = {
    "everyone has": "every p in players has {name} of p", "everybody has": "every p in players has {name} of p",
    "all have": "every p in players has {name} of p", "all players have": "every p in players has {name} of p",
    "nobody has": "no p in players has {name} of p", "somebody has": "some p in players has {name} of p",
    "someone has": "some p in players has {name} of p", "a player has": "some p in players has {name} of p",
    "all but one have": "(count of players where not {name} of it) <= 1",
    "all but one has": "(count of players where not {name} of it) <= 1",
    "all but one player has": "(count of players where not {name} of it) <= 1",
    "all but one player have": "(count of players where not {name} of it) <= 1",
    "only one player has not": "(count of players where not {name} of it) <= 1",
}  # fmt: skip


def diagnose_everybody_has_done(place: StoppingPlace) -> Mistake | None:
    """`until everyone has passed`, `until all but one have passed`: of a marker that is kept of each player."""
    texts = [word.text for word in place.words]
    last = min(place.at, len(texts) - 1)
    begin = next((at + 1 for at in range(last, -1, -1) if texts[at] in BEFORE_CONDITIONS[:3]), 0)
    said = _cut_at_end(texts[begin:])
    written = HAVE_DONE.get(" ".join(said[:-1]))
    if not begin or written is None:
        return None
    kept = tuple(name for name in place.declared.things.truths if f"_{name}".endswith(f"_{said[-1]}"))
    name = find_only(kept)
    if name not in place.declared.before_of:
        return None
    sentence = message("what somebody has done is kept in a marker")
    return place.write_words(begin, begin + len(said) - 1, "wrong-word", sentence, written.format(name=name))


def diagnose_on_track(place: StoppingPlace) -> Mistake | None:
    """`if player lands on 7`, `if o is on the same field`, `if player has enough money`: of the numbers they have."""
    texts = [word.text for word in place.words]
    begin = next((at + 1 for at in range(place.at, -1, -1) if at < len(texts) and texts[at] in BEFORE_CONDITIONS), 0)
    said = [text for text in _cut_at_end(texts[begin:]) if text not in ("the", "field", "space", "square")]
    counted = place.declared.things.counted
    kept = next((name for name in counted if name in said or name in texts), find_only(counted))
    if not begin or len(said) < 3 or not said[0].isidentifier() or place.at > begin + 3 or not kept:
        return None
    whose = "" if said[0] == "player" else f" of {said[0]}"
    last = begin + len(_cut_at_end(texts[begin:])) - 1
    if said[1] in LANDING and said[2] in ("on", "at") and len(said) == 4 and (said[3].isdigit() or said[3] == "same"):
        written = f"{kept} of {said[0]} = {kept}" if said[3] == "same" else f"{kept}{whose} = {said[3]}"
        sentence = message("how far somebody is on a track is a number")
        return place.write_words(begin, last, "wrong-word", sentence, written)
    if said[:2] == ["player", "has"] and said[2] in counted and said[3:] in ([], ["left"]):
        return place.write_words(begin, last, "wrong-word", message("compare values with signs"), f"{said[2]} > 0")
    if said[1:3] == ["has", "enough"]:
        hint = message("write `{number}{whose} >= …`, with what is needed", number=kept, whose=whose)
        return place.make_mistake("wrong-word", message("say how much is enough"), hint)
    return None


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
    amount = read_number(place.text)
    if not amount:
        return None
    word = place.words[place.at - 1]
    hint = message("count them: `count of (players where … of it > 0) = {amount}`, with a condition", amount=amount)
    sentence = message("`{word}` cannot begin a condition like this", word=word.text)
    return Mistake("wrong-word", sentence, word.start, word.end, hint)


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


# Asked before others: what is meant can be written whole.
SAID_WHOLE = (
    diagnose_not_more, diagnose_everybody_has_done, diagnose_followed_if_possible, diagnose_all_of_zone,
    diagnose_all_the_same, diagnose_best_player, diagnose_on_track, diagnose_run_out,
    diagnose_somebody_has, diagnose_value_said, diagnose_there_are, diagnose_what_it_holds,
)  # fmt: skip
OF_SPEECH = (
    diagnose_leading_amount, diagnose_must_be, diagnose_only_so_many,
    diagnose_can_with_choices, diagnose_needless_article, diagnose_misspelt_counting,
    diagnose_some_such_things, diagnose_same_as, diagnose_bare_best, diagnose_matching, diagnose_spoken_comparison,
    diagnose_missing_is, diagnose_holding, diagnose_spoken_amount,
)  # fmt: skip
