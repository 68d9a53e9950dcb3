"""`rulesrun adopt VARIANT`: the examples of the base that a house rule breaks, and drops them where that is asked."""

from __future__ import annotations

import os

from rulesrun.adopting import BrokenExample, broken_examples, without_examples
from rulesrun.arguments import Request
from rulesrun.loading import Reading, read_rules
from rulesrun.output import say, say_json
from rulesrun.trouble import Trouble, WrongUse
from rulesrun.whole_files import write_whole


def run(request: Request) -> int:
    reading = read_rules(request.files[0])
    if len(reading.chain) < 2:
        raise WrongUse(f"{reading.name} is no variant: nothing is taken over from other rules")
    broken = broken_examples(reading)
    titles = _titles_to_drop(request, broken)
    if titles:
        _drop(reading, titles)
    left = [one for one in broken if one.title not in titles]
    if request.json:
        say_json({"file": reading.name, "broken": [_json(one) for one in left], "dropped": titles})
    elif not request.quiet:
        say(_text(reading, left, titles), end="")
    return 1 if left else 0


def _titles_to_drop(request: Request, broken: tuple[BrokenExample, ...]) -> list[str]:
    known = [one.title for one in broken]
    if request.has("drop-all"):
        return known
    asked = list(dict.fromkeys(request.several("drop")))
    for title in asked:
        if title not in known:
            raise Trouble(f"no example of the base called `{title}` is broken")
    return asked


def _drop(reading: Reading, titles: list[str]) -> None:
    if not os.path.exists(reading.name):
        raise Trouble(f"{reading.name}: a bundled rulebook stays as it is; give a file of your own")
    write_whole(reading.name, without_examples(reading.chain[-1].file.text, titles))


def _json(one: BrokenExample) -> dict[str, str]:
    return {"title": one.title, "place": one.place, "message": one.message}


def _text(reading: Reading, left: list[BrokenExample], dropped: list[str]) -> str:
    lines = [f'dropped    "{title}"' for title in dropped]
    for one in left:
        lines += [f'broken     "{one.title}" ({one.place})', f"           {one.message}"]
    if left:
        lines.append("           `--drop NAME` or `--drop-all` removes what is rightly broken")
    elif not dropped:
        lines.append("every example of the base holds")
    return "".join(f"{line}\n" for line in (f"{reading.name}  {reading.title}", *(f"  {line}" for line in lines)))
