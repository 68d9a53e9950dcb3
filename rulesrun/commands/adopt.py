"""`rulesrun adopt VARIANT`: the examples of the base that a house rule breaks; drops them or records them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator

from attrs import frozen

from rulesrun.files.atomic_files import write_whole
from rulesrun.files.loading import Reading, read_rules
from rulesrun.services.adopt import BrokenExample, Unrecorded, adopted, broken_examples, recorded_anew
from rulesrun.terminal.arguments import Request
from rulesrun.terminal.output import say, say_json
from rulesrun.terminal.trouble import Trouble, WrongUse


@frozen
class Adoption:
    """`left`: what is broken still."""

    reading: Reading
    left: list[BrokenExample]
    dropped: list[str]
    recorded: list[str]
    unrecorded: tuple[Unrecorded, ...]


def run(request: Request) -> int:
    reading = read_rules(request.files[0])
    if len(reading.chain) < 2:
        raise WrongUse(f"{reading.name} is no variant: nothing is taken over from other rules")
    adoption = _adopt(request, reading)
    if request.json:
        say_json(_document(adoption))
    elif not request.quiet:
        say("".join(f"{line}\n" for line in _lines(adoption)), end="")
    return 1 if adoption.left else 0


def _adopt(request: Request, reading: Reading) -> Adoption:
    broken = broken_examples(reading)
    to_drop, to_record = _titles(request, [one.title for one in broken])
    if (to_drop or to_record) and not os.path.exists(reading.name):
        raise Trouble(f"{reading.name}: a bundled rulebook stays as it is; give a file of your own")
    recorded, unrecorded = recorded_anew(reading, to_record) if to_record else ({}, ())
    if to_drop or recorded:
        write_whole(reading.name, adopted(reading.chain[-1].file.text, to_drop, recorded.values()))
    left = [one for one in broken if one.title not in to_drop and one.title not in recorded]
    return Adoption(reading, left, to_drop, list(recorded), unrecorded)


def _titles(request: Request, known: list[str]) -> tuple[list[str], list[str]]:
    """What is to be dropped, and what is to be recorded anew: `all` means what the other does not name."""
    drop, record = _asked(request, "drop", known), _asked(request, "record", known)
    both = [title for title in drop if title in record]
    if both:
        raise WrongUse(f"`{both[0]}` is dropped or recorded anew, not both")
    if request.has("drop-all") and request.has("record-all"):
        raise WrongUse("`--drop-all` or `--record-all`, not both")
    if request.has("drop-all"):
        drop = [title for title in known if title not in record]
    if request.has("record-all"):
        record = [title for title in known if title not in drop]
    return drop, record


def _asked(request: Request, name: str, known: list[str]) -> list[str]:
    asked = list(dict.fromkeys(request.several(name)))
    for title in asked:
        if title not in known:
            raise Trouble(f"no example of the base called `{title}` is broken")
    return asked


def _document(adoption: Adoption) -> dict[str, object]:
    return {
        "file": adoption.reading.name,
        "broken": [{"title": one.title, "place": one.place, "message": one.message} for one in adoption.left],
        "dropped": adoption.dropped,
        "recorded": adoption.recorded,
        "not_recorded": [{"title": one.title, "reason": one.reason} for one in adoption.unrecorded],
    }


def _lines(adoption: Adoption) -> Iterator[str]:
    yield f"{adoption.reading.name}  {adoption.reading.title}"
    yield from (f'  dropped    "{title}"' for title in adoption.dropped)
    yield from (f'  recorded   "{title}"' for title in adoption.recorded)
    reasons = {one.title: one.reason for one in adoption.unrecorded}
    for one in adoption.left:
        yield f'  broken     "{one.title}" ({one.place})'
        reason = reasons.get(one.title)
        yield f"             {one.message}" if reason is None else f"             cannot be recorded anew: {reason}"
    if adoption.left:
        yield "             `--record NAME` or `--record-all` writes down what is true now,"
        yield "             `--drop NAME` or `--drop-all` removes what is rightly broken"
    elif not (adoption.dropped or adoption.recorded):
        yield "  every example of the base holds"
