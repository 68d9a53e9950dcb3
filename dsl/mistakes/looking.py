"""Looking and showing as people say it: `look at the top 3 cards of stock`, `tell bid to p`. Places in,
mistakes out.
"""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import Message, message

LOOKS = ("look", "looks", "peek", "peeks", "see", "sees", "inspect", "spy", "view")
BETWEEN = ("at", "into", "in", "on", "to")
FILLERS = ("the", "card", "cards", "tile", "tiles", "token", "tokens", "component", "components", "piece", "pieces")


def _diagnose_look(place: StoppingPlace) -> Mistake | None:
    """`peek at 2 of stock`, `look at the top 2 cards of stock`, `player looks at 2 of stock`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or place.at > 6:
        return None
    if len(texts) > 2 and texts[1] in LOOKS and texts[1] not in ("look", "see", "view", "spy"):
        found = place.make_mistake_at_start(
            "unexpected-word", message("who looks is not said"), message("write `look at …`: it is `player` who looks")
        )
        return found.with_edits(Edit(place.words[0].start, place.words[1].end, "look"))
    if texts[0] not in LOOKS or len(texts) < 2 or texts[1] in ("becomes", "increases", "decreases", "chooses", "["):
        return None
    first = 2 if texts[1] in BETWEEN else 1
    kept = _leave_out_fillers(texts[first:])
    if not kept:
        return None
    if "from" in kept and "of" not in kept and texts[:2] == ["look", "at"] and place.text == "from":
        sentence, hint = message("where it lies stands behind `of`"), message("write `of`")
        return place.make_mistake("unexpected-word", sentence, hint).with_replacement("of")
    instead = f"look at {_join(kept)}"
    if instead == _join(texts):
        return None
    return _with_line(place, message("nobody but `player` sees what `look at` names"), instead)


def _leave_out_fillers(texts: list[str]) -> list[str]:
    """`the top 2 cards of stock`: `2 of stock`."""
    end = texts.index("of") if "of" in texts else 0
    counted = [text for text in texts[:end] if text not in FILLERS]
    if counted == ["top"] and end and len(texts[:end]) > 1 and any(text in FILLERS[1:] for text in texts[:end]):
        counted = ["1"]
    if len(counted) > 1 and counted[0] == "top":
        counted = counted[1:]
    return [*counted, *texts[end:]]


def _join(texts: list[str]) -> str:
    text = " ".join(texts)
    for sign in ("(", "["):
        text = text.replace(f"{sign} ", sign)
    for sign in (")", "]", ","):
        text = text.replace(f" {sign}", sign)
    return text.replace(" [", "[")


def _with_line(place: StoppingPlace, sentence: Message, instead: str) -> Mistake:
    found = place.make_mistake("unexpected-word", sentence, message("write `{instead}`", instead=instead))
    return found.with_edits(Edit(place.words[0].start, place.words[-1].end, instead))


def _diagnose_show(place: StoppingPlace) -> Mistake | None:
    """`tell bid to left of player`, `show left of player bid`."""
    texts = [word.text for word in place.words]
    if place.kind != "statement" or texts[0] not in ("show", "tell", "reveal") or len(texts) < 3:
        return None
    if texts[0] in ("tell", "reveal") and "to" in texts[1:] and place.at == 1:
        return _with_line(place, message("what is told is shown"), _join(["show", *texts[1:]]))
    if texts[0] == "show" and place.at == len(texts) - 1 and "to" not in texts:
        instead = _join(["show", texts[-1], "to", *texts[1:-1]])
        return _with_line(place, message("what is shown comes first"), instead)
    return None


def _diagnose_shown_filter(place: StoppingPlace) -> Mistake | None:
    """`show hand where suit = red`."""
    if place.kind != "statement" or place.first_word != "show" or place.text != "where":
        return None
    last = next((at for at in range(len(place.words) - 1, place.at, -1) if place.words[at].text == "to"), None)
    end = place.words[last - 1] if last is not None else place.words[-1]
    what = _join([word.text for word in place.words[1 : place.at]])
    hint = message("put brackets around it: `show ({what} where …)`", what=what)
    found = place.make_mistake("missing-brackets", message("`where` belongs to what is shown"), hint)
    start = place.words[1].start
    return found.with_edits(Edit(start, start, "("), Edit(end.end, end.end, ")"))


OF_LOOKING = (_diagnose_look, _diagnose_show, _diagnose_shown_filter)
