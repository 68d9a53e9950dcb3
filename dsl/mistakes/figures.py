"""Figures of one's own that are written in another way. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

WORDS = {
    "average": "mean", "avg": "mean", "maximum": "highest", "max": "highest", "largest": "highest", "most": "highest",
    "longest": "highest", "minimum": "lowest", "min": "lowest", "smallest": "lowest", "least": "lowest",
    "total": "sum", "all": "sum",
}  # fmt: skip
COUNTING = ("times", "count", "number", "how", "often", "frequency", "every")
MOMENTS = ("after", "before", "when", "whenever", "on", "in", "during", "every", "each", "per", "by", "for")
PARTS = ("turn", "round", "game")
BEING = ("is", "was", "gets", "happens", "chosen", "done", "made", "played", "taken")


def _is_figure(place: StoppingPlace) -> bool:
    return place.kind == "declaration" and place.first_word == "figure" and len(place.words) > 2


def _diagnose_named_figure(place: StoppingPlace) -> Mistake | None:
    """`figure "reshuffles": …`."""
    if place.kind != "declaration" or place.first_word != "figure" or place.at != 1:
        return None
    if place.word is None or place.word.kind != "string":
        return None
    name = place.text.strip('"').replace(" ", "_")
    hint = message("write a name without quotes: `figure {name}: …`", name=name)
    found = place.make_mistake("unexpected-word", message("a figure has a name, not a title in quotes"), hint)
    return found.with_replacement(name) if name.isidentifier() else found


def _diagnose_figure_of_players(place: StoppingPlace) -> Mistake | None:
    """`figure laid of player: …`."""
    if not _is_figure(place) or place.at != 2 or place.text != "of":
        return None
    hint = message("remove `of …`, and say whose after the colon: `sum of … over p in players`, `… of starter`")
    colon = next((at for at, word in enumerate(place.words) if word.text == ":"), None)
    found = place.make_mistake("unexpected-word", message("a figure is one number of a game"), hint)
    return found.with_edits(place.leave_out(2, colon - 1)) if colon is not None else found


def _diagnose_counting(place: StoppingPlace) -> Mistake | None:
    """`number of times pass`, `times pass`, `count pass`, `how many pass`."""
    if not _is_figure(place) or len(place.words) < 5 or place.at < 4 or place.words[2].text != ":":
        return None
    said = [one.text for one in place.words[3:5]]
    if said == ["how", "often"] or said[0] not in COUNTING:
        return None
    if place.text in ("at", ",") or "at" in (one.text for one in place.words):
        return None
    name = place.words[-1]
    if name.kind != "word":
        return None
    hint = message("write `how often {name}`", name=name.text)
    sentence = message("write `how often` to count something")
    found = Mistake("wrong-word", sentence, place.words[3].start, name.end, hint)
    return found.with_replacement(f"how often {name.text}")


def _diagnose_other_word(place: StoppingPlace) -> Mistake | None:
    """`average count of hand`, `max total of 1`."""
    if not _is_figure(place) or place.at != 4 or place.words[2].text != ":" or place.text_before() not in WORDS:
        return None
    said = place.words[3]
    word = WORDS[said.text]
    sentence = message("`{said}` cannot stand here", said=said.text)
    found = Mistake("wrong-word", sentence, said.start, said.end, message("write `{word}`", word=word))
    return found.with_replacement(word)


def _diagnose_of(place: StoppingPlace) -> Mistake | None:
    """`mean of count of hand`: here it goes through moments, not through components."""
    if not _is_figure(place) or place.at != 4 or place.text != "of" or place.text_before() != "mean":
        return None
    hint = message("remove `of`: `mean …, at end of turn`")
    found = place.make_mistake("unexpected-word", message("`mean` is followed by the value"), hint)
    return found.with_edits(place.leave_out(4, 4))


def _diagnose_moment(place: StoppingPlace) -> Mistake | None:
    """`…, after pass`, `…, each turn`, `…, at end`, `… at end of turn` without its comma."""
    if not _is_figure(place) or place.at < 4:
        return None
    last = place.words[-1].text
    if place.word is None and [one.text for one in place.words[-2:]] == ["at", "end"]:
        hint = message("write `at end of game`, `at end of round` or `at end of turn`")
        found = place.make_mistake("unfinished-line", message("the end of what?"), hint)
        return found.with_edits(place.insert_before("of game"))
    if place.text_before() != "," or place.text not in MOMENTS:
        return None
    written = f"at end of {last}" if last in PARTS else f"at {last}"
    hint = message("write `{written}`", written=written)
    sentence = message("`at` says when a figure is measured")
    found = Mistake("wrong-word", sentence, place.words[place.at].start, place.words[-1].end, hint)
    return found.with_replacement(written)


def _diagnose_being_done(place: StoppingPlace) -> Mistake | None:
    """`how often pass is chosen`."""
    texts = [one.text for one in place.words]
    if not _is_figure(place) or texts[3:5] != ["how", "often"] or "," in texts or len(texts) < 7:
        return None
    if texts[6] not in BEING:
        return None
    hint = message("write the name alone: `how often {name}`", name=texts[5])
    sentence = message("nothing can follow the name of an action or step")
    found = Mistake("unexpected-word", sentence, place.words[6].start, place.words[-1].end, hint)
    return found.with_edits(Edit(place.words[5].end, place.words[-1].end, ""))


OF_FIGURES = (
    _diagnose_named_figure, _diagnose_figure_of_players, _diagnose_counting, _diagnose_other_word, _diagnose_of,
    _diagnose_being_done, _diagnose_moment,
)  # fmt: skip
