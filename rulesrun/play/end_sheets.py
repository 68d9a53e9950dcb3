"""The end of a game, line by line: the `end` message in, lines out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulesrun.locale.language import Language, say
from rulesrun.table.option_words import name_words
from rulesrun.terminal.output import measure_width

Json = Mapping[str, Any]
Names = Callable[[int], str]
FEW = 3  # players whose points are all explained; of more, one's own and those of the first


def end_lines(end: Json, name_seat: Names, language: Language, you: int = 0) -> Iterator[str]:
    """Who has won, every counting, where the last points come from, and which criterion decides."""
    name_seat = name_teams(end, name_seat)
    if end.get("result") is not None:
        yield say("Result: {result}", result=language.label(str(end["result"])))
    place = 1
    for group in end["places"]:
        first = [seat for seat in group if seat in first_seats(end, group)]
        for seat in first:
            score = say("score {score}", score=end["scores"][str(seat)])
            yield f" {place}.  {name_seat(seat)} · {score}"
        place += len(first)
    yield ""
    yield from sheet_lines(end, name_seat, language)
    best = end["places"][0]
    is_short = len(end["lines"]) <= FEW
    told = [one for one in end["lines"] if is_short or you in team_of(end, one["player"]) or one["player"] in best]
    yield from reason_lines(told, name_seat)
    yield from ranking_lines(end)


def first_seats(end: Json, seats: Sequence[int]) -> list[int]:
    """Of each team the first: its sheet is that of its partners."""
    return [team[0] for team in end["teams"]] if "teams" in end else list(seats)


def team_of(end: Json, seat: int) -> list[int]:
    return next((team for team in end.get("teams", ()) if seat in team), [seat])


def name_teams(end: Json, name_seat: Names) -> Names:
    """Partners by all their names."""
    return lambda seat: " + ".join(map(name_seat, team_of(end, seat)))


def sheet_lines(end: Json, name_seat: Names, language: Language) -> Iterator[str]:
    """A column for each counting; a row for each player, and for each line of the sheet where there are several."""
    sheets = end["sheets"]
    if not sheets or not any(one["lines"] for one in end["lines"]):
        return
    is_long = len(sheets) > 1
    heads = [say("round {round}", round=one["round"]) for one in sheets] if is_long else [say("score")]
    rows = [["", *heads, *([say("total")] if is_long else [])]]
    for one in end["lines"]:
        own = [sheet["players"][str(one["player"])] for sheet in sheets]
        names = [*dict.fromkeys(name for sheet in own for name in sheet if name != "total"), "total"]
        if len(names) == 2 and all(sheet.get(names[0]) == sheet["total"] for sheet in own):
            names = names[:1]  # one line, and the total says the same
        if len(names) > 1:
            rows.append([f" {name_seat(one['player'])}", *[""] * (len(rows[0]) - 1)])
        for name in names:
            values = [sheet.get(name, "") for sheet in own]
            label = f" {name_seat(one['player'])}" if len(names) == 1 else f"   {name_words(language, name)}"
            counted = [value for value in values if value != ""]
            sums = [str(sum(counted)) if all(isinstance(value, int) for value in counted) else ""] if is_long else []
            rows.append([label, *map(str, values), *sums])
    yield from aligned_rows(rows)
    yield ""


def aligned_rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, numbers to the right."""
    wide = [max(measure_width(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = ["  " + " " * (room - measure_width(cell)) + cell for cell, room in zip(row[1:], wide[1:], strict=True)]
        yield (row[0] + " " * (wide[0] - measure_width(row[0])) + "".join(cells)).rstrip()


def reason_lines(told: Sequence[Json], name_seat: Names) -> Iterator[str]:
    """The rule of each line once, with what the book says; below it what its parts were worth, player by player."""
    if not told or not told[0]["lines"]:
        return
    for at, line in enumerate(told[0]["lines"]):
        yield say("Line {line}: {rule}", line=line["line"], rule=line["rule"])
        if not at or line["notes"] != told[0]["lines"][at - 1]["notes"]:
            yield from (f"   {note}" for note in line["notes"])
        for one in told:
            own = one["lines"][at]
            if own["because"]:
                yield f"   {name_seat(one['player'])}:"
                yield from (f"     {reason}" for reason in own["because"])
    yield ""


def ranking_lines(end: Json) -> Iterator[str]:
    """Criterion by criterion, until nobody is level."""
    for one in end["ranking"]:
        if not one["applies"]:
            continue
        seats = {str(seat) for seat in first_seats(end, [seat for group in one["places"] for seat in group])}
        told = ", ".join(say("{value} for player {player}", value=value, player=player)
                         for player, value in one["values"].items() if player in seats)  # fmt: skip
        places = say(" before ").join(say(" and ").join(map(str, group)) for group in one["places"])
        is_decided = all(sum(str(seat) in seats for seat in group) == 1 for group in one["places"])
        if told:
            yield say("By `{criterion}`: {places} ({values})", criterion=one["text"], places=places, values=told)
        else:
            yield say("By `{criterion}`: {places}", criterion=one["text"], places=places)
        if is_decided:
            return
