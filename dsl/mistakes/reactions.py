"""Reactions and effects as people say them: `ask opponents to …`, `do the effect of card`. Places in, mistakes out."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

WHOLE = ("opponents", "all", "every", "everyone", "everybody", "players", "opponent", "player", "others")
OTHERS = ("other", "others", "opponents", "another")
ASKED = ("opponent", "opponents", "other")
VERBS = ("may", "can", "must", "chooses", "choose", "to", "whether", "if")


def _diagnose_asked(place: StoppingPlace) -> Mistake | None:
    """`ask opponents: …`, `ask each other player: …`, `ask left of player: …`."""
    if place.kind != "statement" or place.first_word != "ask" or len(place.words) < 2 or place.at > 2:
        return None
    sentence = message("who is asked stands behind `ask each`")
    colon = next((at for at, word in enumerate(place.words) if word.text == ":"), None)
    if place.at == 1 and place.text not in WHOLE:
        who = " ".join(word.text for word in place.words[1:colon]) if colon is not None else "…"
        hint = message("one player is asked by `{who} chooses …`", who=who)
        return place.make_mistake("unexpected-word", sentence, hint)
    who = "player" if place.text in ("players", "player", "everyone", "everybody") else "opponent"
    found = place.make_mistake("unexpected-word", sentence, message("write `ask each {who}: …`", who=who))
    if colon is None:
        return found
    return found.with_edits(Edit(place.words[1].start, place.words[colon - 1].end, f"each {who}"))


def _diagnose_asking(place: StoppingPlace) -> Mistake | None:
    """`ask each opponent to challenge or allow`, `…: challenge, allow`, `…: may challenge`."""
    if place.kind != "statement" or place.first_word != "ask" or place.at < 3:
        return None
    if place.text in VERBS and "COLON" in place.expected:
        before = place.words[place.at - 1]
        found = place.make_mistake(
            "missing-colon", message("what may be done stands behind a colon"),
            message("write `:` in the place of `{place}`", place=place.text),
        )
        return found.with_edits(Edit(before.end, place.words[place.at].end, ":"))
    if place.text_before() in VERBS and place.text_before(2) == ":":
        found = place.make_mistake(
            "unexpected-word", message("the actions are named, joined by `or`"),
            message("remove `{before}`", before=place.text_before()),
        )
        return found.with_edits(place.leave_out(place.at - 1, place.at - 1))
    if place.word is None and place.text_before(2) == "," and ":" in [word.text for word in place.words]:
        comma = place.words[-2]
        found = place.make_mistake(
            "unfinished-line", message("the last action stands behind `or`"),
            message("write `or {last}`", last=place.words[-1].text),
        )
        return found.with_edits(Edit(comma.start, comma.end, " or"))
    return None


def _diagnose_opponents(place: StoppingPlace) -> Mistake | None:
    """`each opponent may challenge or allow`, `each opponent chooses challenge or allow`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or texts[:1] != ["each"] or len(texts) < 3 or texts[1] not in ASKED:
        return None
    at = 3 if texts[2] == "player" else 2
    if at >= len(texts) or texts[at] not in VERBS:
        return None
    names = " ".join(texts[at + 1 :])
    hint = message("write `ask each opponent: {names}`", names=names)
    found = place.make_mistake("unexpected-word", message("others are asked by `ask each`"), hint)
    return found.with_edits(Edit(place.words[0].start, place.words[at].end, "ask each opponent:"))


def _diagnose_effect(place: StoppingPlace) -> Mistake | None:
    """`do the effect of card`, `do card effect`, `do effect from card`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or place.first_word != "do" or place.at != 2 or len(texts) < 3:
        return None
    if texts[1] in ("the", "its", "all"):
        found = place.make_mistake(
            "unexpected-word", message("what is done stands right behind `do`"),
            message("remove `{word}`", word=texts[1]),
        )
        return found.with_edits(place.leave_out(1, 1))
    if place.text in ("from", "on", "for", "by", "in"):
        sentence, hint = message("whose step it is stands behind `of`"), message("write `of`")
        return place.make_mistake("unexpected-word", sentence, hint).with_replacement("of")
    if len(texts) == 3 and texts[2].isidentifier():
        hint = message("write `do {column} of {card}`", column=texts[2], card=texts[1])
        found = place.make_mistake("unexpected-word", message("the step comes first, whose it is behind `of`"), hint)
        return found.with_edits(Edit(place.words[1].start, place.words[2].end, f"{texts[2]} of {texts[1]}"))
    return None


def _diagnose_done_cell(place: StoppingPlace) -> Mistake | None:
    """`raid: 3, do lose_a_card`."""
    if place.kind != "component_line" or place.text_before() != "do" or place.word is None:
        return None
    found = place.make_mistake(
        "unexpected-word", message("a step is named in a row, not done"), message("remove `do`")
    )
    return found.with_edits(place.leave_out(place.at - 1, place.at - 1))


OF_REACTING = (_diagnose_asked, _diagnose_asking, _diagnose_opponents, _diagnose_effect, _diagnose_done_cell)
