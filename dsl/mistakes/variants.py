"""Slips of small files that change a game: its file without quotes, a piece without its word. From place to mistake."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message

LINE_PLACES = {
    "instead of": ", in place of", "replacing": ", in place of", "replace": ", in place of",
    "in place of": ", in place of",
    "add after": ", after", "insert after": ", after", "behind": ", after", "following": ", after", "after": ", after",
    "add before": ", before", "insert before": ", before", "above": ", before", "before": ", before",
    "remove": ", without", "delete": ", without", "dropping": ", without", "without": ", without",
}  # fmt: skip
# How a piece that is meant begins, by the sign behind its name.
PIECE_BEFORE = {"=": "define", ":": "zone", "(": "action"}


def _diagnose_unquoted_base(place: StoppingPlace) -> Mistake | None:
    """`variant "Bigger hands" of zero`."""
    if place.first_word != "variant" or place.text_before() != "of" or place.word is None or place.word.kind != "word":
        return None
    hint = message(
        'in quotes: a bundled game as in `of "{place}"`, a file as in `of "{place}.rules"`', place=place.text
    )
    found = place.make_mistake("unexpected-word", message("name the file of the game to change"), hint)
    return found.with_edits(Edit(place.words[place.at].start, place.words[-1].end, f'"{_join(place)}"'))


def _diagnose_unnamed_variant(place: StoppingPlace) -> Mistake | None:
    """`variant of "zero"`."""
    if place.first_word != "variant" or place.at != 1 or place.text != "of":
        return None
    hint = message('write `variant "What it is called" of "….rules"`')
    found = place.make_mistake("unexpected-word", message("a variant has a name of its own"), hint)
    return found.with_edits(place.insert_before('"A variant"'))


def _diagnose_piece_without_word(place: StoppingPlace) -> Mistake | None:
    """`remove pass`, `change cards_dealt = 10`."""
    if place.kind == "statement":
        return _diagnose_removal(place)
    if place.first_word not in ("remove", "change") or place.at != 1 or place.word is None or place.word.kind != "word":
        return None
    if place.similar_words() and place.text_after() not in PIECE_BEFORE:
        return None
    name = place.text
    piece = PIECE_BEFORE.get(place.text_after(), "action" if place.first_word == "remove" else "define")
    hint = message(
        "say what it is, as in `{first_word} {piece} {name}`", first_word=place.first_word, piece=piece, name=name
    )
    found = place.make_mistake(
        "unexpected-word", message("the word for a piece is missing before `{name}`", name=name), hint
    )
    return found.with_edits(place.insert_before(piece))


def _diagnose_removal(place: StoppingPlace) -> Mistake | None:
    """`remove stone from board`, in an action."""
    if place.first_word not in ("remove", "delete", "destroy", "eliminate") or place.at != 1:
        return None
    hint = message("components stay in the game: `move … to …`, to a zone for those that are out; a marker is emptied "
                   "by `… becomes nothing`")
    sentence = message("no statement starts with `{first_word}`", first_word=place.first_word)
    return place.make_mistake_at_start("unknown-statement", sentence, hint)


def _diagnose_line_place(place: StoppingPlace) -> Mistake | None:
    """`change action ask, replace move c to heap`, `change action ask after …`, `…, after move c to heap: …`."""
    said = [word.text for word in place.words]
    if place.first_word != "change" or said[1:2] not in (["action"], ["step"], ["phase"], ["setup"]):
        return None
    if place.text == ":" and "," in said[: place.at]:
        hint = message("write it on the line below, indented")
        found = place.make_mistake("unexpected-word", message("new lines go below this one"), hint)
        return found.with_edits(place.begin_line_below(place.at, place.at + 1))
    first = place.at + (place.text == ",")
    for phrase, words in LINE_PLACES.items():
        length = len(phrase.split())
        if " ".join(said[first : first + length]) == phrase:
            last = place.words[first + length - 1]
            sentence = message("`{phrase}` cannot stand here", phrase=phrase)
            hint = message("write `{words}`", words=words)
            found = Mistake("unexpected-word", sentence, place.words[first].start, last.end, hint)
            before = place.words[first - 1]
            return found.with_edits(Edit(before.start if before.text == "," else before.end, last.end, words))
    return None


def _join(place: StoppingPlace) -> str:
    """`zero`, `house.rules`: what stands there, without blanks."""
    return "".join(word.text for word in place.words[place.at :])


OF_VARIANTS = (_diagnose_unquoted_base, _diagnose_unnamed_variant, _diagnose_piece_without_word, _diagnose_line_place)
