"""Dice as people say them: `dice Die: 6`, `roll 5 dice`, `roll all dice in the cup`. Takes places, gives mistakes."""

from __future__ import annotations

import re

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.declared_words import find_only
from rulesrun.dsl.text.messages import message

SEVERAL_DICE = re.compile(r"(\d+)[dDwW](\d+)")
TO = ("in", "to", "on", "onto", "at")
DICE = ("dice", "die", "them")


def _diagnose_dice_piece(place: StoppingPlace) -> Mistake | None:
    """`dice Die: 1..6`, `d6 Die`, `dice: 2`, `2 dice`, `dice 1..6`."""
    texts = [word.text for word in place.words]
    numbers = [text for text in texts if text.isdigit()]
    is_bare = place.kind == "declaration" and {*texts} - {*numbers} <= {"dice", "die", ":", "..", "a", "with", "sides"}
    if is_bare and place.at < 2 and {"dice", "die"} & {*texts} and 1 <= len(numbers) <= 2:
        amount = numbers[0] if len(numbers) == 1 or ".." not in texts else "1"
        faces = numbers[1] if len(numbers) == 2 else "6"
        line = f"die Die: 1..{faces}" + (f", {amount} of each" if amount != "1" else "")
        sentence, hint = message("declare what a single die is"), message("write `{line}`", line=line)
        found = place.make_mistake_at_start("unknown-piece", sentence, hint)
        return found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))
    if place.kind != "declaration" or place.at != 0 or place.first_word not in ("dice", "d6"):
        return None
    sentence, hint = message("declare what a single die is"), message("write `die Die: 1..6, 5 of each`")
    found = place.make_mistake_at_start("unknown-piece", sentence, hint)
    is_so = len(place.words) > 2 and place.words[2].text == ":"
    return found.with_replacement("die") if place.first_word == "dice" and is_so else found


def _diagnose_faces(place: StoppingPlace) -> Mistake | None:
    """`die Die: face 1..6`, `die Die: 6`, `die Die: 1-6`, `die Die: 1, 2, 3`, `die Die: 1..6, 5`."""
    if place.kind != "declaration" or place.first_word != "die" or place.at < 3:
        return None
    texts = [word.text for word in place.words]
    if place.at == 4 and place.text.isdigit() and ".." in texts and texts.index("..") > 4:
        hint = message("remove `{name}`: the value of a die is always called `face`", name=texts[3])
        found = place.make_mistake("unexpected-word", message("a die only has faces"), hint)
        return found.with_edits(place.leave_out(3, 3))
    at_end = message("the number of dice comes at the end")
    if place.word is None and texts[-1].isdigit() and texts[-2] == ",":
        found = place.make_mistake("unfinished-line", at_end, message("write `{amount} of each`", amount=texts[-1]))
        return found.with_edits(Edit(place.words[-1].end, place.words[-1].end, " of each"))
    if texts[-2:-1] == ["of"] and texts[-1] in ("them", "dice", "all") and texts[-3].isdigit():
        last = place.words[-1]
        found = place.make_mistake("unexpected-word", at_end, message("write `{amount} of each`", amount=texts[-3]))
        return found.with_edits(Edit(last.start, last.end, "each"))
    several = SEVERAL_DICE.fullmatch("".join(texts[3:]))
    if several is not None:
        written = f"1..{several[2]}, {several[1]} of each"
        found = place.make_mistake(
            "unexpected-word",
            message("the faces of a die are a range, or `values`"),
            message("write `{written}`", written=written),
        )
        return found.with_edits(Edit(place.words[3].start, place.words[-1].end, written))
    if ".." not in texts and len(texts) > 3 and (texts[3].isdigit() or texts[3] == "{"):
        said = texts[3 : texts.index("of") - 1] if "of" in texts else texts[3:]
        most = max((int(one) for one in said if one.isdigit()), default=6)
        hint = message(
            "write `die {name}: 1..{most}`; declare faces that are not numbers as `values`", name=texts[1], most=most
        )
        return place.make_mistake("unexpected-word", message("the faces of a die are a range, or `values`"), hint)
    return None


def _diagnose_bare_throw(place: StoppingPlace) -> Mistake | None:
    """`roll`, `roll the dice`, `roll 2 dice`, `player rolls both dice`, where it is plain which dice are meant."""
    said = [word.text for word in place.words if word.text != "player"]
    things = place.declared.things
    kind, cup = find_only(things.dice), find_only(things.cups)
    if (
        place.kind != "statement"
        or not {*said[:1]} & {"roll", "rolls", "throw", "throws", "reroll"}
        or not kind
        or not cup
    ):
        return None
    amounts = {"all", "the", "both", "each", "every", "his", "her", "their", "a", "one", "of", "again"}
    rest = [text for text in said[1:] if text not in amounts]
    numbers = [text for text in rest if text.isdigit()]
    if not {*rest} - {*numbers} <= {*DICE, kind} or len(numbers) > 1 or said == ["roll", "all", kind]:
        return None
    is_some = bool(numbers) and numbers[0] != str(things.dice_of_each)
    line = f"roll {numbers[0]} of {kind} into {cup}" if is_some else f"roll all {kind} into {cup}"
    sentence, hint = message("say how many dice, which, and where they land"), message("write `{line}`", line=line)
    found = place.make_mistake_at_start("unexpected-word", sentence, hint)
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, line))


def _diagnose_asked_dice(place: StoppingPlace) -> Mistake | None:
    """`if any die is 1`, `if both dice are 1`, `if a 1 is rolled`, `if cup contains 1`, `if both dice are equal`."""
    cup = find_only(place.declared.things.cups)
    texts = [word.text for word in place.words]
    begin = next((at + 1 for at, text in enumerate(texts) if text in ("if", "until", "needs")), 0)
    end = next(
        (at for at, text in enumerate(texts) if at > begin and text in ("and", "or", "because", ",")), len(texts)
    )
    said = texts[begin:end]
    if not cup or not begin or not begin <= place.at <= end or not 2 < len(said) < 6:
        return None
    number = next((text for text in said if text.isdigit()), "")
    asked = {"any", "a", "one", "some"} & {said[0]} and {"die", "dice", "rolled", "thrown"} & {*said}
    if {"both", "all", "every", "each", "the"} & {said[0]} and {"dice", "die"} & {*said[1:2]}:
        written = f"every d in {cup} has face of d = {number}" if number else f"(count of distinct face over {cup}) = 1"
        if not number and not {"equal", "same", "alike", "match"} & {*said}:
            return None
    elif number and (asked or (said[0] == cup and said[1] in ("contains", "has", "shows", "holds"))):
        written = f"some d in {cup} has face of d = {number}"
    else:
        return None
    start, stop = place.words[begin].start, place.words[end - 1].end
    sentence = message("what dice show is asked of each")
    return Mistake("wrong-word", sentence, start, stop, message("write `{it}`", it=written)).with_replacement(written)


def _diagnose_throw(place: StoppingPlace) -> Mistake | None:
    """`roll 5 dice`, `roll 2 Die into cup`, `roll 2 of cup`, `roll all dice in cup`, `roll the dice`."""
    if place.kind != "statement" or place.first_word != "roll" or len(place.words) < 2:
        return None
    texts = [word.text for word in place.words]
    if place.text in TO and "INTO" in place.expected and ".." not in texts:
        found = place.make_mistake("unexpected-word", message("`into` says where dice land"), message("write `into`"))
        return found.with_replacement("into")
    if texts[1].isdigit() and place.at == 2 and len(texts) > 2:
        kind = place.text if place.text not in (*DICE, "from") and place.word is not None else "Die"
        where = " ".join(texts[texts.index("into") + 1 :]) if "into" in texts[:-1] else "…"
        hint = message(
            "write `roll {amount} of {kind} into {where}`; dice are declared: `die {kind}: 1..6, {amount} of each`",
            amount=texts[1], kind=kind, where=where,
        )  # fmt: skip
        return place.make_mistake("unexpected-word", message("say how many dice, which, and where they land"), hint)
    if texts[1].isdigit() and texts[2:3] == ["of"] and len(texts) == 4 and place.word is None:
        where = "…" if texts[3][0].isupper() else texts[3]
        hint = message("write `roll {amount} of {what} into {where}`", amount=texts[1], what=texts[3], where=where)
        return place.make_mistake("unfinished-line", message("say where these dice land"), hint)
    if texts[1] in ("all", "the", "each", "every"):
        zone = texts[-1] if texts[-1] not in (*DICE, *texts[:2]) else "cup"
        hint = message("write `roll all {zone}`, the zone where they lie", zone=zone)
        return place.make_mistake("unexpected-word", message("`roll all` needs the zone where the dice lie"), hint)
    return None


OF_DICE = (_diagnose_dice_piece, _diagnose_faces, _diagnose_bare_throw, _diagnose_asked_dice, _diagnose_throw)
