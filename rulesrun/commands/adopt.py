"""`rulesrun adopt VARIANT`: the examples of the base that a house rule breaks; drops them or records them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import write_atomically
from rulesrun.files.loading import Reading, read_rules
from rulesrun.locale.language import say, say_title, translate, use_words
from rulesrun.services.adopt import BrokenExample, Unrecorded, adopted_text, find_broken_examples, record_anew
from rulesrun.terminal.output import labelled_row, print_json, print_text
from rulesrun.terminal.requests import AdoptRequest
from rulesrun.terminal.trouble import Trouble, WrongUse


@frozen
class Adoption:
    """`left`: what is broken still."""

    reading: Reading
    left: list[BrokenExample]
    dropped: list[str]
    recorded: list[str]
    unrecorded: tuple[Unrecorded, ...]


def run(request: AdoptRequest) -> int:
    reading = read_rules(request.files[0])
    if len(reading.chain) < 2:
        raise WrongUse(message("{file} is not a variant: it takes nothing from other rules", file=reading.name))
    adoption = _adopt_examples(request, reading)
    if request.json:
        print_json(_adoption_json(adoption))
    elif not request.quiet:
        print_text("".join(f"{line}\n" for line in _adoption_lines(adoption)), end="")
    return 1 if adoption.left else 0


def _adopt_examples(request: AdoptRequest, reading: Reading) -> Adoption:
    broken = find_broken_examples(reading)
    to_drop, to_record = _chosen_titles(request, [one.title for one in broken])
    if (to_drop or to_record) and not os.path.exists(reading.name):
        raise Trouble(message(
            "{file} is a bundled rulebook and cannot be changed; copy it to a file of your own",
            file=reading.name))
    recorded, unrecorded = record_anew(reading, to_record) if to_record else ({}, ())
    if to_drop or recorded:
        write_atomically(reading.name, adopted_text(reading.chain[-1].file.text, to_drop, recorded.values()))
    left = [one for one in broken if one.title not in to_drop and one.title not in recorded]
    return Adoption(reading, left, to_drop, list(recorded), unrecorded)


def _chosen_titles(request: AdoptRequest, known: list[str]) -> tuple[list[str], list[str]]:
    """What is to be dropped, and what is to be recorded anew: `all` means what the other does not name."""
    drop, record = _asked_titles(request.drop, known), _asked_titles(request.record, known)
    both = [title for title in drop if title in record]
    if both:
        raise WrongUse(message("drop `{title}` or update it, not both", title=both[0]))
    if request.drop_all and request.record_all:
        raise WrongUse(message("`--drop-all` or `--record-all`, not both"))
    if request.drop_all:
        drop = [title for title in known if title not in record]
    if request.record_all:
        record = [title for title in known if title not in drop]
    return drop, record


def _asked_titles(titles: tuple[str, ...], known: list[str]) -> list[str]:
    asked = list(dict.fromkeys(titles))
    for title in asked:
        if title not in known:
            raise Trouble(message("no example of the base called `{title}` is broken", title=title))
    return asked


def _adoption_json(adoption: Adoption) -> dict[str, object]:
    return {
        "file": adoption.reading.name,
        "broken": [{"title": one.title, "place": one.place, "message": one.message} for one in adoption.left],
        "dropped": adoption.dropped,
        "recorded": adoption.recorded,
        "not_recorded": [{"title": one.title, "reason": one.reason} for one in adoption.unrecorded],
    }


def _adoption_lines(adoption: Adoption) -> Iterator[str]:
    use_words(adoption.reading.game)
    yield f"{adoption.reading.name}  {say_title(adoption.reading.game)}"
    yield from (labelled_row("dropped", f'"{title}"') for title in adoption.dropped)
    yield from (labelled_row("recorded", f'"{title}"') for title in adoption.recorded)
    reasons = {one.title: one.reason for one in adoption.unrecorded}
    for one in adoption.left:
        yield labelled_row("broken", f'"{one.title}" ({translate(one.place)})')
        reason = reasons.get(one.title)
        why = translate(one.message) if reason is None else say("cannot be updated: {reason}", reason=reason)
        yield labelled_row("", why)
    if adoption.left:
        yield labelled_row("", say("to keep what is true now: `--record NAME` or `--record-all`"))
        yield labelled_row("", say("to remove what is rightly broken: `--drop NAME` or `--drop-all`"))
    elif not (adoption.dropped or adoption.recorded):
        yield "  " + say("every example of the base holds")
