"""Slips of order: what the language knows, said at another place of the line. Takes places, gives mistakes."""

from __future__ import annotations

from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.mistakes.components import COMPONENTS
from rulesrun.dsl.mistakes.stopping_place import StoppingPlace
from rulesrun.dsl.mistakes.wrong_signs import Mistake
from rulesrun.dsl.text.messages import message


def diagnose_late_start(place: StoppingPlace) -> Mistake | None:
    """`number coins of player: 0..18, private = 18`."""
    texts = [word.text for word in place.words[: place.at]]
    if (
        place.first_word not in ("number", "marker")
        or place.text != "="
        or "," not in texts
        or "EQUAL" in place.expected
    ):
        return None
    hint = message("put it before the first comma: `… = …, {before}`", before=place.text_before())
    found = place.make_mistake("unexpected-word", message("the start comes after the values"), hint)
    comma = next(word for word in place.words if word.text == ",")
    start = " ".join(word.text for word in place.words[place.at :])
    rest = Edit(place.words[place.at - 1].end, place.words[-1].end, "")
    return found.with_edits(Edit(comma.start, comma.start, f" {start}"), rest)


def diagnose_late_condition(place: StoppingPlace) -> Mistake | None:
    """`card Card: rank 0..15, 2 of each where rank is not 1`."""
    if (
        place.first_word not in COMPONENTS
        or place.text != "where"
        or (place.text_before(2), place.text_before()) != ("of", "each")
    ):
        return None
    hint = message("write it before the comma: `… where …, {before} of each`", before=place.text_before(3))
    sentence = message("say which components before how many of each")
    found = place.make_mistake("unexpected-word", sentence, hint)
    comma = place.words[place.at - 4]
    if comma.text != ",":
        return found
    condition = " ".join(word.text for word in place.words[place.at :])
    rest = Edit(place.words[place.at - 1].end, place.words[-1].end, "")
    return found.with_edits(Edit(comma.start, comma.start, f" {condition}"), rest)


def diagnose_step_with_choices(place: StoppingPlace) -> Mistake | None:
    """`step take_cards(n in 1..3)`, `step put_down(card from hand)`, `step pay(to: player)`."""
    is_from = place.text_before() == "from" and place.at > 3
    if place.first_word not in ("step", "define", "table") or not (is_from or place.text in ("in", ":")):
        return None
    before_it = [word.text for word in place.words[: place.at]]
    if "(" not in before_it or ")" in before_it:
        return None
    before = place.text_before(2 if is_from else 1)
    hint = message("write the type after its name: `{name} 1..3`, `{name} Card`", name=before)
    sentence = message("nothing is chosen here: brackets take arguments")
    found = place.make_mistake("unexpected-word", sentence, hint)
    before_this, word = place.words[place.at - 1], place.words[place.at]
    if is_from:
        return found
    is_player = place.text_after() == "players"
    several = (Edit(place.words[place.at + 1].start, place.words[place.at + 1].end, "player"),) if is_player else ()
    return found.with_edits(Edit(before_this.end, word.end, ""), *several)


def diagnose_next_criterion(place: StoppingPlace) -> Mistake | None:
    """`ranking: lowest total then lowest count of taken`, `… and lowest …`, `… lowest …`."""
    goes_on = place.text in ("then", "and", "highest", "lowest")
    if place.kind != "declaration" or place.first_word != "ranking" or not goes_on or not place.can_be(","):
        return None
    after = place.text if place.text in ("highest", "lowest") else place.text_after()
    found = place.make_mistake(
        "missing-comma", message("a `,` is missing before `{place}`", place=place.text),
        message("write `, then {after} …`", after=after or "highest"),
    )
    start, end = place.words[place.at - 1].end, place.words[place.at].end
    written = f", then {place.text}" if place.text in ("highest", "lowest") else ", then"
    return found.with_edits(Edit(start, end, written))


def diagnose_shared_ties(place: StoppingPlace) -> Mistake | None:
    """`ranking: highest total, ties are shared`."""
    texts = [word.text for word in place.words]
    if place.first_word != "ranking" or place.text != "ties" or texts[place.at + 1 :] == ["share"]:
        return None
    found = place.make_mistake("unexpected-word", message("what a tie means is said like this"), message(
        "write `ties share`"))  # fmt: skip
    return found.with_edits(Edit(place.words[place.at].start, place.words[-1].end, "ties share"))


def diagnose_who_wins(place: StoppingPlace) -> Mistake | None:
    """`ranking: lowest total wins`."""
    if place.first_word != "ranking" or place.text not in ("wins", "win", "first", "winner") or place.at < 3:
        return None
    hint = message("remove `{word}`", word=place.text)
    found = place.make_mistake("unexpected-word", message("who is first in the ranking wins"), hint)
    return found.with_edits(place.leave_out(place.at, place.at))


OF_ORDER = (
    diagnose_shared_ties, diagnose_who_wins, diagnose_next_criterion, diagnose_late_start, diagnose_late_condition,
    diagnose_step_with_choices,
)  # fmt: skip
