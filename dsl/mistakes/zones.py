"""Zones, numbers and markers: who sees them, how things lie there, what is kept for what. Takes places, gives
mistakes.
"""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.keywords import WORDS
from rulesrun.dsl.text.messages import message

VARIABLES = ("number", "marker")
# Who sees it, as people say it: two words, and the one of the language.
SEEN = {
    ("face", "down"): "hidden", ("face", "up"): "public", ("visible", "to"): "private",
    ("known", "to"): "private", ("owner", "only"): "private", ("only", "owner"): "private",
}  # fmt: skip
SAID_OF_SOMEBODY = (("visible", "to"), ("seen", "by"), ("known", "to"))
EVERYBODY = ("all", "everyone", "everybody", "players", "every", "each", "any")
NOBODY = ("nobody", "none", "no")
OWNERS = ("owner", "holder", "self", "me", "yourself", "oneself")
NOT_OWNER = {
    (said, word) for said, words in (("public", ("but", "except", "without", "not")), ("hidden", ("from", "to", "for")))
    for word in words
}


def _diagnose_missing_type(place: StoppingPlace) -> Mistake | None:
    """`number coins = 0`, `marker asked of player = no`, `number coins of player`, `number coins: 0`."""
    if place.first_word not in VARIABLES or place.kind != "declaration":
        return None
    example = "0..20" if place.first_word == "number" else "yes or no"
    start = f" = {place.text_after() or '…'}" if place.text == "=" else ""
    if "COLON" in place.expected and place.at >= 2 and (place.text in ("=", ",") or place.word is None):
        begin = " ".join(word.text for word in place.words[: place.at]) if place.at in (2, 4) else "…"
        hint = message(
            "write its values after a colon, as in `{begin}: {example}{start}`",
            begin=begin,
            example=example,
            start=start,
        )
        found = place.make_mistake("missing-colon", message("say what values this can have"), hint)
        behind = place.words[place.at - 1].end
        return found.with_edits(Edit(behind, behind, f": {example}"))
    if "COLON" in place.expected and place.text in ("starts", "starting", "begins", "start", "at") and place.at >= 2:
        amount = place.words[-1].text if place.words[-1].text.isdigit() else "0"
        written = f": {example} = {amount}" if place.first_word == "number" else f": {example}"
        hint = message("write its values after a colon, as in `{begin}`", begin=written)
        found = place.make_mistake("missing-colon", message("say what values this can have"), hint)
        return found.with_edits(Edit(place.words[place.at - 1].end, place.words[-1].end, written))
    if place.word is None and place.text_before(2) == ":" and place.text_before().isdigit():
        hint = message(
            "write its lowest and highest value, as in `0..20`, then its start: `= {before}`",
            before=place.text_before(),
        )
        return place.make_mistake("unfinished-line", message("one number is not a range"), hint)
    if place.word is None and place.text_before() == "..":
        hint = message("every number needs a highest value; write one that it never reaches")
        return place.make_mistake("unfinished-line", message("the highest value is missing"), hint)
    return None


def _diagnose_truth_words(place: StoppingPlace) -> Mistake | None:
    """`marker asked: true or false`."""
    truths = ("false", "true", "no", "yes", "empty", "none", "nobody", "null")
    if place.text_before() == "or" and place.text in truths and "NOTHING" in place.expected:
        if place.text_before(2) not in truths:
            found = place.make_mistake(
                "wrong-word", message("`{place}` cannot stand here", place=place.text), message("write `or nothing`")
            )
            return found.with_replacement("nothing")
        first, last = place.words[place.at - 2], place.words[place.at]
        sentence = message("`{first} or {last}` is not a type", first=first.text, last=last.text)
        return Mistake("wrong-word", sentence, first.start, last.end, message("write `yes or no`")).with_replacement(
            "yes or no"
        )
    return None


def _diagnose_visibility(place: StoppingPlace) -> Mistake | None:
    """`…, face down`, `…, visible to owner`, `…, secret` for the hand of a player."""
    if place.kind != "declaration" or not place.can_be("hidden"):
        return None
    words = place.words[place.at : place.at + 2]
    said = SEEN.get((place.text, place.text_after()))
    whom = place.words[place.at + 2].text if place.at + 2 < len(place.words) else ""
    if said == "private" and whom in ("left", "right"):
        said = f"seen by {' '.join(word.text for word in place.words[place.at + 2 :])}"
    is_owned = any(word.text == "player" for word in place.words[: place.at])
    after = place.words[place.at + 3].text if place.at + 3 < len(place.words) else ""
    if said == "private" and whom in EVERYBODY:
        said = "public except player" if after in ("but", "except") else "public"
    elif said == "private" and whom in NOBODY:
        said = "hidden"
    if said is not None:
        sentence = message("`{place} {after}` cannot stand here", place=place.text, after=place.text_after())
        is_nobodys = said == "private" and not is_owned
        hint = (
            message("write `public` or `hidden`: it belongs to nobody")
            if is_nobodys
            else message("write `{said}`", said=said)
        )
        found = Mistake("wrong-word", sentence, words[0].start, words[-1].end, hint)
        has_whom = place.at + 2 < len(place.words) and (place.text, place.text_after()) in SAID_OF_SOMEBODY
        return found.with_edits(
            Edit(found.start, place.words[-1].end if has_whom else found.end, "hidden" if is_nobodys else said)
        )
    if place.text in ("secret", "concealed") and is_owned:
        hint = message("write `private` (its owner sees it) or `hidden` (nobody)")
        found = place.make_mistake("wrong-word", message("`{place}` cannot stand here", place=place.text), hint)
        return found.with_replacement("private")
    return None


def _diagnose_partial_visibility(place: StoppingPlace) -> Mistake | None:
    """`…, public but not owner`, `…, hidden from owner`, `…, seen by all except owner`, `…, private and left of X`."""
    if place.kind != "declaration" or place.first_word not in ("zone", *VARIABLES):
        return None
    said, first = place.text_before(), place.at - 1
    if said in EVERYBODY and place.text_before(2) in ("by", "to"):
        said, first = "public", place.at - 3
    rest = ["player" if word.text in OWNERS else word.text for word in place.words[place.at :]]
    if (said, place.text) in NOT_OWNER:
        written = "public except player"
    elif said == "private" and rest[:1] in (["and"], ["or"], ["to"], ["for"]) and rest[1:2] in (["left"], ["right"]):
        written = f"seen by player and {' '.join(rest[1:])}"
    elif said in ("hidden", "private", "public") and place.text in ("except", "but", "and", "or", "to", "for", "from"):
        hint = message("name those who see it, `seen by player and left of player`, or who does not, "
                       "`public except player`")
        return place.make_mistake("unexpected-word", message("who sees it is said in another way"), hint)
    else:
        return None
    sentence = message("who sees it is said in another way")
    start, end = place.words[first].start, place.words[-1].end
    hint = message("write `{written}`", written=written)
    return Mistake("wrong-word", sentence, start, end, hint).with_replacement(written)


def _diagnose_joined_seats(place: StoppingPlace) -> Mistake | None:
    """`…, seen by left of player or right of player`, `…, seen by left of player, right of player`."""
    texts = [word.text for word in place.words[: place.at]]
    if place.kind != "declaration" or not {"by", "except"} & {*texts} or not {"seen", "public"} & {*texts}:
        return None
    if place.text in ("or", "nor", "&"):
        start, end = place.words[place.at].start, place.words[place.at].end
    elif place.text_before() == "," and (place.text in ("left", "right") or place.text.isdigit()):
        start, end = place.words[place.at - 2].end, place.words[place.at].start
    else:
        return None
    hint = message("write `and` between them")
    found = Mistake("wrong-word", message("several seats are joined by `and`"), start, end, hint)
    return found.with_replacement("and" if place.text_before() != "," else " and ")


def _diagnose_visibility_first(place: StoppingPlace) -> Mistake | None:
    """`zone heap: public pile of Card`."""
    if place.first_word != "zone" or place.text not in ("public", "private", "hidden") or place.text_before() != ":":
        return None
    hint = message("write it at the end: `, {seen}`", seen=place.text)
    found = place.make_mistake("unexpected-word", message("who sees it is said at the end of the line"), hint)
    end = place.words[-1].end
    return found.with_edits(Edit(place.words[place.at].start, place.words[place.at + 1].start, ""), Edit(
        end, end, f", {place.text}")) if place.at + 1 < len(place.words) else found  # fmt: skip


STARTING = ("start", "starts", "begin", "begins")
AROUND_START = ("a", "the", "has", "have", "at", "with", "on", "of", ":", "=")
SEEN_SAID = {"up": "public", "public": "public", "open": "public", "down": "hidden", "hidden": "hidden"}
SEEN_FIRST = {"open": "public", "visible": "public", "shared": "public", "closed": "hidden", "secret": "hidden",
              "public": "public", "private": "private", "hidden": "hidden"}  # fmt: skip
PLACES = {"deck": "pile", "pile": "pile", "stack": "pile", "hand": "set", "row": "row", "line": "row", "set": "set"}


def _diagnose_seen_first(place: StoppingPlace) -> Mistake | None:
    """`zone heap: face-up pile of Card`, `zone heap: open pile of Card`, `zone heap (public pile)`."""
    texts = [word.text for word in place.words if word.text not in ("(", ")", "-", "a", "the")]
    if place.first_word != "zone" or place.kind != "declaration" or not 2 <= place.at <= 4 or len(texts) < 4:
        return None
    rest = texts[3:] if texts[2] == ":" else texts[2:]
    if rest[:2] in (["face", "up"], ["face", "down"]):
        seen, rest = "public" if rest[1] == "up" else "hidden", rest[2:]
    else:
        seen, rest = SEEN_FIRST.get(rest[0], ""), rest[1:]
    shape = PLACES.get(rest[0]) if rest else None
    kind = rest[2] if rest[1:2] == ["of"] and len(rest) == 3 else find_only(place.declared.things.kinds)
    kind = find_only(place.declared.things.kinds) or kind if kind.lower() in ("cards", "card") else kind
    if not seen or shape is None or not kind or len(rest) not in (1, 3) or (texts[2] == ":" and len(rest) == 1):
        return None
    if place.text in ("public", "private", "hidden") and rest[0] == shape:
        return None
    line = f"zone {texts[1]}: {shape} of {kind}, {seen}"
    hint = message("write `{line}`", line=line)
    found = place.make_mistake("unexpected-word", message("who sees it is said at the end of the line"), hint)
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _diagnose_zone_by_shape(place: StoppingPlace) -> Mistake | None:
    """`pile heap: public`, `discard pile heap: public`, `deck stock: hidden`, `hand of player: private`."""
    texts = [word.text for word in place.words]
    colon = texts.index(":") if ":" in texts else 0
    shape = next((PLACES[text] for text in texts[:colon] if text in PLACES), "")
    seen = [text for text in texts[colon + 1 :] if text != ","]
    kind = find_only(place.declared.things.kinds)
    if place.kind == "declaration" and colon == 1 and texts[0] in PLACES and {"card", "cards"} & {*texts}:
        hint = message("cards are declared by `card Card: …`, where they lie by `zone {name}: {shape} of Card, hidden`",
                       name=texts[0], shape=shape)  # fmt: skip
        return place.make_mistake_at_start("unknown-piece", message("cards, and where they lie, are two pieces"), hint)
    if place.kind != "declaration" or place.at > 1 or not colon or not shape or not kind or len(seen) != 1:
        return None
    if seen[0] not in ("public", "private", "hidden") or texts[0] == "zone":
        return None
    begin = [text for text in texts[:colon] if text not in ("a", "the")]
    owner = " of player" if begin[-2:] == ["of", "player"] else ""
    begin = begin[:-2] if owner else begin
    line = f"zone {begin[-1]}{owner}: {shape} of {kind}, {seen[0]}"
    sentence = message("where components lie is a `zone`")
    return place.write_line("unknown-piece", sentence, line)


def _diagnose_counted_zone(place: StoppingPlace) -> Mistake | None:
    """`zone hand of player: 4 cards, private`, `zone heap: cards, public`."""
    texts = [word.text for word in place.words]
    kind = find_only(place.declared.things.kinds)
    if place.first_word != "zone" or place.kind != "declaration" or place.text_before() != ":" or not kind:
        return None
    last = place.at + place.text.isdigit()
    if texts[last : last + 1] not in (["card"], ["cards"], ["tokens"], ["tiles"], ["pieces"], [kind]):
        return None
    written = f"set of {kind}"
    hint = message("write `{it}`, or `pile`, `row`; how many there are is said where they are dealt", it=written)
    start, end = place.words[place.at].start, place.words[last].end
    found = Mistake("unexpected-word", message("say how they lie there"), start, end, hint)
    return found.with_replacement(written)


def _diagnose_everybody_has(place: StoppingPlace) -> Mistake | None:
    """`each player has a hand of cards`, `each player has banked: 0..200`, `score banked`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or place.at > 3:
        return None
    line, kind = "", find_only(place.declared.things.kinds)
    if texts[:3] in (["each", "player", "has"], ["every", "player", "has"], ["players", "have", "a"]):
        rest = [text for text in texts[3:] if text not in ("a", "an")]
        if rest[1:2] == [":"] and len(rest) > 2:
            line = f"number {rest[0]} of player: {' '.join(rest[2:])}".replace(" .. ", "..").replace(" ,", ",")
        elif rest[1:2] == ["of"] and kind:
            line = f"zone {rest[0]} of player: set of {kind}, private"
    elif texts[0] in ("score", "points", "counter", "money", "integer", "int") and len(texts) > 1:
        is_name = place.words[1].kind == "word" and texts[2:] in ([], ["of", "player"], ["per", "player"])
        name = texts[1] if is_name and texts[1] not in ("at", "each", "of", "is") else ""
        line = f"number {name} of player: 0..200 = 0" if name else ""
    if not line:
        return None
    sentence = message("what there is of each player is declared like this")
    return place.write_line("unknown-piece", sentence, line)


def _diagnose_so_many_cards(place: StoppingPlace) -> Mistake | None:
    """`zone market: row of 4 cards, public`, `market: 4 face up cards`: how many fit is said at the end."""
    texts = [word.text for word in place.words]
    first = 1 + (texts[0] == "zone")
    kind, said = find_only(place.declared.things.kinds), texts[first + 1 :]
    amount = next((text for text in said if text.isdigit()), "")
    if place.kind != "declaration" or texts[first : first + 1] != [":"] or not kind or not amount or ".." in texts:
        return None
    if not said or {"cards", "card"}.isdisjoint(said) or not place.words[first - 1].text.isidentifier():
        return None
    seen = next((word for text, word in SEEN_SAID.items() if text in said), "")
    shape = next((PLACES[text] for text in said if text in PLACES), "row")
    rest = {*said} - {amount, "cards", "card", "of", ",", "face", "the", "a", *SEEN_SAID, *PLACES}
    if rest or not seen:
        return None
    line = f"zone {texts[first - 1]}: {shape} of {kind}, {seen}, up to {amount}"
    sentence = message("how many fit is said at the end of the line")
    return place.write_line("unknown-piece", sentence, line)


def _diagnose_start_amount(place: StoppingPlace) -> Mistake | None:
    """`players start with 20 money`, `money of player: 20`, `each player starts at field 0`, `track: 40 fields`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or place.at > 3 or len(texts) < 4:
        return None
    amounts = [text for text in texts if text.isdigit()]
    said = [text for text in texts if text not in (*AROUND_START, *amounts)]
    is_start = {*STARTING} & {*said}
    names = [text for text in said if text not in (*STARTING, "player", "players", "each", "every")]
    if texts[:2] == ["track", ":"] and len(amounts) == 1 and len(texts) == 4:
        line = f"number field of player: 0..{amounts[0]} = 0, clamped"
        return place.write_line("unknown-piece", message("how far somebody is on a track is a number"), line)
    if {*names} & {*PLACES} or len(amounts) != 1 or len(names) != 1 or not names[0].isidentifier() or ".." in texts:
        return None
    if not (is_start and texts[0] in (*EVERYBODY, "player")) and texts[1:4] != ["of", "player", ":"]:
        return None
    start = int(amounts[0][:6])
    line = f"number {names[0]} of player: 0..{max(100, 2 * start)} = {start}, clamped"
    return place.write_line("unknown-piece", message("what there is of each player is declared like this"), line)


def _diagnose_capacity(place: StoppingPlace) -> Mistake | None:
    """`zone trick: pile of Card, public, max 4`, `…, at most 4`."""
    texts = [word.text for word in place.words]
    rest = [text for text in texts[place.at :] if text not in ("max", "maximum", "most", "of", "at", "limit", "cards")]
    is_said = place.text in ("max", "maximum", "at", "most", "limit") and place.text_before() == ","
    if place.first_word != "zone" or not is_said or len(rest) != 1:
        return None
    hint = message("write `up to {amount}`", amount=rest[0])
    found = place.make_mistake("unexpected-word", message("how many fit is said in another way"), hint)
    return found.with_edits(Edit(place.words[place.at].start, place.words[-1].end, f"up to {rest[0]}"))


def _diagnose_only_owner(place: StoppingPlace) -> Mistake | None:
    """`…, only visible to player`, `…, only the owner sees it`."""
    texts = [word.text for word in place.words]
    is_theirs = place.text == "only" and {"player", "owner"} & {*texts[place.at :]}
    if place.kind != "declaration" or not place.can_be("hidden") or not is_theirs:
        return None
    sentence = message("who sees it is said in another way")
    found = place.make_mistake("wrong-word", sentence, message("write `{written}`", written="private"))
    return found.with_edits(Edit(place.words[place.at].start, place.words[-1].end, "private"))


def _diagnose_zone_without_word(place: StoppingPlace) -> Mistake | None:
    """`hand of player: set of Card, private`, `discard: pile of Card, public`."""
    texts = [word.text for word in place.words]
    if place.kind != "declaration" or place.at > 0 or texts[1:2] not in ([":"], ["of"]) or ":" not in texts:
        return None
    if texts[texts.index(":") + 1 :][:1] not in (["set"], ["pile"], ["row"], ["place"]):
        return None
    name = texts[0]
    sentence, hint = message("the first word is missing"), message("write `zone {name}`", name=name)
    found = place.make_mistake_at_start("unknown-piece", sentence, hint)
    return found.with_edits(Edit(place.words[0].start, place.words[0].start, "zone "))


def _diagnose_start_first(place: StoppingPlace) -> Mistake | None:
    """`number passes: 0 = 0..20`."""
    if place.first_word not in VARIABLES or place.text != "=" or not place.text_before().isdigit():
        return None
    rest = " ".join(word.text for word in place.words[place.at + 1 :]).replace(" .. ", "..")
    if ".." not in rest or place.text_before(2) != ":":
        return None
    line = f"{rest} = {place.text_before()}"
    hint = message("write `: {line}`", line=line)
    found = place.make_mistake("unexpected-word", message("its values come before its start"), hint)
    return found.with_edits(Edit(place.words[place.at - 1].start, place.words[-1].end, line))


def is_capital_name(text: str) -> bool:
    """`Coin`; not `Hidden`."""
    return text[:1].isupper() and text.casefold() not in WORDS


def _diagnose_mixed_zone(place: StoppingPlace) -> Mistake | None:
    """`zone heap: set of Card and Coin, public`, `zone heap: set of Card, Coin, public`."""
    if place.kind != "declaration" or place.first_word != "zone":
        return None
    sentence = message("several kinds are joined by `or`")
    if place.text == "and" and place.text_before(2) in ("of", "or") and place.text_after().isidentifier():
        hint = message("write `{kinds}`", kinds=f"{place.text_before()} or {place.text_after()}")
        return place.make_mistake("wrong-word", sentence, hint).with_replacement("or")
    if place.text_before() == "," and place.text_before(3) in ("of", "or") and is_capital_name(place.text):
        start, end = place.words[place.at - 2].end, place.words[place.at].start
        hint = message("write `{kinds}`", kinds=f"{place.text_before(2)} or {place.text}")
        return Mistake("wrong-word", sentence, start, end, hint).with_replacement(" or ")
    return None


def _diagnose_per_player(place: StoppingPlace) -> Mistake | None:
    """`zone hand per player: …`, `zone hand for each player: …`."""
    is_before = [word.text for word in place.words[2:4]] in (["in", "front"], ["before", "each"])
    if place.first_word not in ("zone", *VARIABLES) or place.at != 2:
        return None
    if place.text not in ("per", "for", "each", "every") and not is_before:
        return None
    end = next((word.end for word in place.words[place.at :] if word.text in ("player", "players")), None)
    if end is None:
        return None
    sentence = message("`of player` says that every player has one")
    found = Mistake("unexpected-word", sentence, place.words[place.at].start, end, message("write `of player`"))
    return found.with_replacement("of player")


def _diagnose_seat(place: StoppingPlace) -> Mistake | None:
    """`given hand of player 1: red 7`, `if hand of player 2 is empty`."""
    if place.text_before() not in ("player", "seat") or not place.text.isdigit() or place.kind == "declaration":
        return None
    first = place.words[place.at - 1]
    sentence = message("write a player as the number of the seat")
    found = Mistake(
        "unexpected-word",
        sentence,
        first.start,
        place.words[place.at].end,
        message("write `{place}`", place=place.text),
    )
    return found.with_replacement(place.text)


def _diagnose_zone_for_keys(place: StoppingPlace) -> Mistake | None:
    """`zone pile of Suit: …`, `zone pile of each Suit: …`, `zone pile per Suit: …`: one for every value or place."""
    words = [word.text for word in place.words]
    if place.first_word != "zone" or place.at not in (2, 3) or words[2:3] not in (["of"], ["per"], ["for"]):
        return None
    last = 4 if words[3:4] in (["each"], ["every"], ["a"], ["one"]) else 3
    if words[last + 1 : last + 2] not in ([":"], ["of"]) or not words[last][:1].isupper():
        return None
    sentence = message("the key of several zones stands in square brackets")
    return place.write_words(1, last, "unexpected-word", sentence, f"{words[1]}[{words[last]}]")


AT_PLACES = ("on", "in", "at", "for", "of", "per", "each", "every", "a", "the")
NO_ATTRIBUTES = ("player", "players", "each", "all", "the", "seat", "item")


def _diagnose_of_each(place: StoppingPlace) -> Mistake | None:
    """`marker told of each Card`, `marker told of Card of player`."""
    if place.kind != "declaration" or place.first_word not in ("marker", "number"):
        return None
    words = [word.text for word in place.words]
    if words[2:4] == ["of", "each"] and place.at in (3, 4) and len(words) > 4:
        hint = message("write `{word} {name} of {kind}`", word=words[0], name=words[1], kind=words[4])
        found = Mistake("unexpected-word", message("`each` cannot stand here"), *_span(place, 3, 3), hint)
        return found.with_edits(place.leave_out(3, 3))
    if words[2:3] == ["of"] and words[4:6] == ["of", "player"] and place.at == 4:
        hint = message("leave `of player` out")
        sentence = message("what stays with a component belongs to no player")
        return Mistake("unexpected-word", sentence, *_span(place, 4, 5), hint).with_edits(place.leave_out(4, 5))
    return None


def _diagnose_marker_of_places(place: StoppingPlace) -> Mistake | None:
    """`marker stone on each Square: player or nothing`, `number seeds in each Pit: 0..40`."""
    words = [word.text for word in place.words]
    if place.kind != "declaration" or place.first_word not in ("marker", "number") or place.at != 2:
        return None
    behind = next((at for at in range(2, len(words)) if words[at] not in AT_PLACES), len(words))
    if behind == 2 or words[behind + 1 : behind + 2] != [":"] or place.words[behind].kind != "word":
        return None
    written = f"{words[1]}[{words[behind]}]"
    sentence = message("what a {word} is kept for stands in square brackets", word=place.first_word)
    found = place.make_mistake("unexpected-word", sentence, message("write `{written}`", written=written))
    return found.with_edits(Edit(place.words[1].start, place.words[behind].end, written))


def _diagnose_component_of_two_words(place: StoppingPlace) -> Mistake | None:
    """`told of red 3`."""
    first, second = place.text_before(), place.text
    is_component = first.isidentifier() and first not in NO_ATTRIBUTES and second.isdigit()
    if place.text_before(2) != "of" or not is_component or place.kind == "declaration":
        return None
    component = f"({first} {second})"
    hint = message("write `of {component}`, in brackets", component=component)
    start, end = _span(place, place.at - 1, place.at)
    sentence = message("it is not clear where this component ends")
    return Mistake("missing-brackets", sentence, start, end, hint).with_edits(Edit(start, end, component))


def _span(place: StoppingPlace, first: int, last: int) -> tuple[int, int]:
    return place.words[first].start, place.words[last].end


OF_ZONES = (
    _diagnose_so_many_cards, _diagnose_start_amount,
    _diagnose_seen_first, _diagnose_zone_by_shape, _diagnose_counted_zone, _diagnose_everybody_has,
    _diagnose_visibility_first, _diagnose_zone_without_word, _diagnose_capacity, _diagnose_only_owner,
    _diagnose_start_first, _diagnose_missing_type, _diagnose_truth_words, _diagnose_visibility,
    _diagnose_partial_visibility, _diagnose_joined_seats, _diagnose_mixed_zone, _diagnose_zone_for_keys,
    _diagnose_per_player, _diagnose_seat,
)  # fmt: skip
OF_KEPT_VALUES = (_diagnose_of_each, _diagnose_marker_of_places, _diagnose_component_of_two_words)
