"""The options of a question as lines: each with its number where they are few, else what there is to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rulesrun.locale.language import Language, say
from rulesrun.table.messages import OptionJson
from rulesrun.table.option_words import name_words, value_words
from rulesrun.terminal.wrapping import measure_width

FEW = 20
MOST_LISTED = 60
WIDEST_COLUMN = 36


def option_lines(options: Sequence[OptionJson], language: Language, width: int) -> list[str]:
    """Every option on its number; many ways to do one action are summed up."""
    if len(options) <= FEW:
        return list_options(options, width)
    lines = []
    for _, group in groupby(options, lambda one: one["action"]):
        some = list(group)
        if len(some) <= 3:
            lines += list_options(some, width)
        else:
            lines += list(sum_up_action(some, language, width))
    return lines


def list_options(options: Sequence[OptionJson], width: int) -> list[str]:
    """In columns where the words are short; number by number along the rows."""
    told = [f"{one['option'] + 1:>4}  {one['words']}" for one in options]
    column = max(map(measure_width, told), default=0) + 2
    across = max(1, width // column) if column <= WIDEST_COLUMN and len(told) > 4 else 1
    rows = [told[start : start + across] for start in range(0, len(told), across)]
    return ["".join(one + " " * (column - measure_width(one)) for one in row).rstrip() for row in rows]


def sum_up_action(options: Sequence[OptionJson], language: Language, width: int) -> Iterator[str]:
    """`1–81  exchange GIVE, TAKE`, and below what each may be."""
    names = list(options[0]["arguments"])
    first, last = options[0]["option"] + 1, options[-1]["option"] + 1
    holes = ", ".join(name_words(language, name).upper() for name in names)
    yield f"{first:>4}–{last}  {name_words(language, options[0]['action'])} {holes}"
    for name in names:
        label = f"{'':>8}{name_words(language, name)}: "
        values = list(dict.fromkeys(value_words(language, one["arguments"][name]) for one in options))
        line = label
        for number, value in enumerate(values):
            part = value + ("," if number < len(values) - 1 else "")
            if measure_width(f"{line}{part}") > width and line.strip():
                yield line.rstrip()
                line = " " * measure_width(label)
            line += part + " "
        yield line.rstrip()


def meant_lines(options: Sequence[OptionJson], language: Language, width: int) -> list[str]:
    """Those that typed words may mean: all ways to do one action are summed up where they are many."""
    is_whole = options[-1]["option"] - options[0]["option"] == len(options) - 1
    return option_lines(options, language, width) if is_whole else list_some(options, width)


def list_some(options: Sequence[OptionJson], width: int) -> list[str]:
    """One by one, however many."""
    lines = list_options(options[:MOST_LISTED], width)
    if len(options) > MOST_LISTED:
        lines.append("      " + say("and {amount} more", amount=len(options) - MOST_LISTED))
    return lines
