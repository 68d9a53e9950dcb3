"""What is wrong with a line that the grammar does not take, in the author's words. Takes the place, gives a mistake.

The wordings are learnt from real mistakes: each is a function in one of the tables, tried in order. Where none of
them knows, the message says what could stand there.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.boards import OF_BOARDS
from rulesrun.dsl.mistakes.changes import OF_CHANGE_SIGNS, OF_CHANGES
from rulesrun.dsl.mistakes.choices import OF_CHOOSING, OF_REACTING
from rulesrun.dsl.mistakes.components import OF_COMPONENTS, OF_DICE
from rulesrun.dsl.mistakes.conditions import OF_SPEECH, SAID_WHOLE
from rulesrun.dsl.mistakes.definitions import OF_DEFINING, OF_FIGURES, OF_VARIANTS
from rulesrun.dsl.mistakes.expected_words import describe_terminals, texts_of_terminals
from rulesrun.dsl.mistakes.first_words import AT_FIRST
from rulesrun.dsl.mistakes.flow import OF_FLOW
from rulesrun.dsl.mistakes.moves import OF_LOOKING, OF_MOVING
from rulesrun.dsl.mistakes.scoring import OF_SCORING
from rulesrun.dsl.mistakes.signs import OF_OTHER_LANGUAGES
from rulesrun.dsl.mistakes.stopping_place import Mistake, StoppingPlace
from rulesrun.dsl.mistakes.values import OF_VALUES
from rulesrun.dsl.mistakes.word_order import IN_BRACKETS, OF_MISSING_WORDS, OF_ORDER, diagnose_spoken_component
from rulesrun.dsl.mistakes.zones import OF_KEPT_VALUES, OF_ZONES
from rulesrun.dsl.text.keywords import RESERVED, SIGNS, WORDS
from rulesrun.dsl.text.lexer import scan_line
from rulesrun.dsl.text.lookalikes import LOOKS_LIKE, suggest_latin_word
from rulesrun.dsl.text.messages import message

CONNECTING = ("of", "from", "in", "to", "on", "at", "by", "for", "with", "into", "onto")


def _diagnose_lookalike(place: StoppingPlace) -> Mistake | None:
    """`move card tо hand`, with a Cyrillic letter."""
    hint = suggest_latin_word(place.text, texts_of_terminals(place.expected))
    if hint is None:
        return None
    found = place.make_mistake("wrong-word", message("`{place}` is not a word of the language", place=place.text), hint)
    return found.with_replacement(place.text.translate(LOOKS_LIKE))


KNOWN: tuple[Callable[[StoppingPlace], Mistake | None], ...] = (
    _diagnose_lookalike, diagnose_spoken_component, *OF_KEPT_VALUES, *OF_LOOKING, *OF_DICE, *OF_FIGURES,
    *OF_REACTING, *OF_COMPONENTS, *OF_BOARDS, *SAID_WHOLE, *OF_CHANGES, *OF_SCORING, *OF_VALUES, *OF_FLOW, *OF_CHOOSING,
    *OF_MOVING, *OF_ZONES, *OF_DEFINING, *OF_VARIANTS, *OF_ORDER, *OF_CHANGE_SIGNS, *AT_FIRST, *IN_BRACKETS, *OF_SPEECH,
    *OF_OTHER_LANGUAGES, *OF_MISSING_WORDS,
)  # fmt: skip


def diagnose_syntax_error(place: StoppingPlace) -> Mistake:
    for known in KNOWN:
        mistake = known(place)
        if mistake is not None and not _is_written_so(place, mistake.edits):
            return mistake
    return _describe_unexpected(place)


def _is_written_so(place: StoppingPlace, edits: tuple[Edit, ...]) -> bool:
    """Whether what would be written is what stands there: then something else is wrong."""
    return bool(edits) and all(
        (written := [word.text for word in scan_line(edit.text, 0, len(edit.text)).words]) and written == [
            word.text for word in place.words if edit.start <= word.start and word.end <= edit.end
        ]
        for edit in edits
    )  # fmt: skip


def _describe_unexpected(place: StoppingPlace) -> Mistake:
    possible = describe_terminals(place.expected)
    if place.word is None:
        sentence = (
            message("the line ends too early: {possible} is missing", possible=possible)
            if possible
            else message("the line ends too early")
        )
        found = place.make_mistake("unfinished-line", sentence)
        word = _single_word(possible)
        return found.with_edits(place.insert_before(word)) if word is not None else found
    shown = place.text if len(place.text) <= 40 else place.text[:40] + "…"
    shown = shown if place.word.kind == "string" else f"`{shown}`"
    hint, *edits = _suggest_correction(place, possible) or (None,)
    if possible == "the end of the line":
        return place.make_mistake(
            "unexpected-word", message("the line could end before {shown}", shown=shown), hint
        ).with_edits(*edits)
    sentence = (
        message("expected {possible}, found {shown}", possible=possible, shown=shown)
        if possible
        else message("{shown} cannot stand here", shown=shown)
    )
    return place.make_mistake("unexpected-word", sentence, hint).with_edits(*edits)


def _single_word(possible: str | None) -> str | None:
    """`of`, where nothing else can stand."""
    word = (possible or "").strip("`")
    return word if word.isalpha() and possible == f"`{word}`" else None


def _suggest_correction(place: StoppingPlace, possible: str | None) -> tuple[str, Edit] | tuple[str] | None:
    """What to write, said and done."""
    assert place.word is not None
    start, end = place.word.start, place.word.end
    near = place.similar_words()
    if near:
        return message("did you mean `{near}`?", near=near[0]), Edit(start, end, near[0])
    following = {**WORDS, **SIGNS}.get(place.text_after(), ())
    if place.at > 0 and set(following) & place.expected:
        joined = (
            message("; a name of two words is one: `{before}_{place}`", before=place.text_before(), place=place.text)
            if _is_pair_of_names(place)
            else ""
        )
        return message("remove `{place}`{joined}", place=place.text, joined=joined), place.leave_out(
            place.at, place.at
        )
    whole = [text for text in texts_of_terminals(place.expected) if text.startswith(f"{place.text} ")]
    if whole:
        return message("write `{whole}`", whole=whole[0]), Edit(start, end, whole[0])
    word = _single_word(possible)
    if word is None or place.word.kind == "sign":
        return (message("write {possible} before it", possible=possible),) if word is not None else None
    if place.text in CONNECTING:
        return message("write {possible} instead", possible=possible), Edit(start, end, word)
    return message("write {possible} before it", possible=possible), place.insert_before(word)


def _is_pair_of_names(place: StoppingPlace) -> bool:
    """Two words that may be the halves of one name."""
    halves = place.words[place.at - 1 : place.at + 1]
    return all(word.kind == "word" and word.text not in RESERVED for word in halves)
