"""Slips of who says what is kept for a component or a place: `marker told of Card`. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

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


OF_KEPT_VALUES = (_diagnose_of_each, _diagnose_marker_of_places, _diagnose_component_of_two_words)
