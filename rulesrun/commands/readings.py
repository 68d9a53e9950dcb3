"""`rulesrun readings`: what the rulebook leaves open, and how much each way to read it changes the game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rulesrun.files.excerpts import line_of, place_text
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.play.shares import Share
from rulesrun.records.trace_differences import describe_parting
from rulesrun.services.readings import (
    ContrastReport,
    DifferingGame,
    ReadingPair,
    ReadingReport,
    Surrounding,
    list_readings,
    play_contrasts,
)
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word
from rulesrun.terminal.output import BOLD, one_line_json, paint_text, print_json, print_text
from rulesrun.terminal.plurals import counted
from rulesrun.terminal.progress import Progress
from rulesrun.terminal.requests import ReadingsRequest

MOST_VALUES = 12  # told of one reading


def run(request: ReadingsRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    report = list_readings(reading, request)
    play_contrasts(report, request, Progress(reading.name, not (request.json or request.quiet)))
    if request.json:
        print_json(_contrast_json(report, request))
    elif not request.quiet:
        print_text("\n".join(_contrast_lines(report, request)))
    if report.is_stuck:
        return 1
    return 2 if report.is_partial else 0


# ---------------------------------------------------------------- text


def _contrast_lines(report: ContrastReport, request: ReadingsRequest) -> Iterator[str]:
    yield paint_text(report.reading.name, BOLD) + f"  {report.reading.title}"
    if not report.readings:
        yield "  the rules have no `reading`: nothing is left open in them"
    for one in report.readings:
        yield from _reading_lines(report, one, request)
    if report.is_partial:
        yield "  interrupted: this report is partial"
    elif report.games:
        yield f"  {counted(report.games, 'game')} at random in {report.seconds:.1f} s, the same deals both ways"


def _reading_lines(report: ContrastReport, one: ReadingReport, request: ReadingsRequest) -> Iterator[str]:
    told = [_value_text(value) + (" (default)" if value == one.default else "") for value in one.values]
    values = ", ".join(told[:MOST_VALUES]) + (f" and {len(told) - MOST_VALUES} more" if len(told) > MOST_VALUES else "")
    place = place_text(one.declaration.span, report.reading.name, report.reading.sources)
    yield f"  {paint_text(one.name, BOLD)}: {values}  ({place})"
    if one.declaration.sentence:
        yield f'    "{" ".join(one.declaration.sentence.split())}"'
    yield f"    set in {one.examples} example{'s' * (one.examples != 1)}"
    for pair in one.pairs:
        yield f"    {_value_text(pair.left)} or {_value_text(pair.right)}:"
        if pair.surroundings:
            yield from _pair_lines(report, one, pair, request)
    if one.is_cut:
        yield "    other values were not compared; `--set` makes one of them the default"


def _pair_lines(
    report: ContrastReport, one: ReadingReport, pair: ReadingPair, request: ReadingsRequest
) -> Iterator[str]:
    first = pair.first
    told = [first, *(other for other in pair.others if _differs_clearly(first, other))]
    for surrounding in told:
        setting = "".join(f"with {name} = {_value_text(value)}: " for name, value in surrounding.setting.items())
        yield f"      {setting}{_verdict_text(surrounding)}"
        yield from _stuck_lines(pair, surrounding)
    best = next((found for found in told if found.differed), None)
    if best is not None:
        yield from _game_lines(report, one, pair, best, request)
    rest = [other for other in pair.others if other.games and other not in told]
    if rest:
        games = sum(other.games for other in rest)
        settings = f"{len(rest)} other setting{'s' * (len(rest) != 1)} of the options"
        same = "about as often" if first.differed else "never, too,"
        yield f"      {same} with {settings} ({counted(games, 'game')})"


def _differs_clearly(first: Surrounding, other: Surrounding) -> bool:
    """Whether the reading clearly matters more or less there than with the defaults."""
    if not first.differed:
        return other.differed > 0
    for here, there in zip(first.shares(), other.shares(), strict=True):
        if other.games and (here.interval[1] < there.interval[0] or there.interval[1] < here.interval[0]):
            return True
    return False


def _verdict_text(one: Surrounding) -> str:
    if not one.games:
        return "no game was played" + (" to its end in the time" if one.unfinished else "")
    differed, scores, winner = one.shares()
    if not one.differed:
        return (
            f"never differed in {counted(one.games, 'game')} (95 %: in fewer than "
            f"{_percent_text(differed.interval[1])})"
        )
    return (
        f"differed in {_share_text(differed)} of {counted(one.games, 'game')}, changed the scores in "
        f"{_share_text(scores)}, "
        f"changed the winner in {_share_text(winner)}"
    )


def _share_text(share: Share) -> str:
    low, high = share.interval
    return f"{_percent_text(share.value)} ({_percent_text(low)} to {_percent_text(high)})"


def _percent_text(value: float) -> str:
    return f"{value * 100:.2g} %" if value < 0.1 else f"{value * 100:.1f} %"


def _stuck_lines(pair: ReadingPair, one: Surrounding) -> Iterator[str]:
    for value, games in zip((pair.left, pair.right), one.stuck, strict=True):
        if games:
            yield f"      with {_value_text(value)} the game got stuck in {games:,} of {counted(one.games, 'game')}"
    for value, games, found in zip((pair.left, pair.right), one.long, one.going_on, strict=True):
        if games:
            word, of = going_on_word(found), counted(one.games, "game")
            yield f"      {word} with {_value_text(value)}: {games:,} of {of} not over after very long"
            yield f"        {going_on_text(found)}"


def _game_lines(
    report: ContrastReport, one: ReadingReport, pair: ReadingPair, found: Surrounding, request: ReadingsRequest
) -> Iterator[str]:
    games = [("shortest game that differs", found.shortest)]
    if found.shortest_winner is not found.shortest:
        games.append(("shortest with another winner", found.shortest_winner))
    for title, game in games:
        if game is None:
            continue
        after = f"{game.parting.decisions} decision{'s' * (game.parting.decisions != 1)}"
        size = f"{counted(game.players, 'player')}, {counted(game.decisions, 'decision')}"
        yield f"      {title}: {size}, the same for {after}, then"
        words = describe_parting(game.tables, game.parting)
        for value, said in zip((pair.left, pair.right), words, strict=True):
            yield f"        {_value_text(value)}: {said}"
        for value in (pair.left, pair.right):
            yield f"        again: {_trace_command(report, one, value, found, game, request)}"


def _trace_command(
    report: ContrastReport,
    one: ReadingReport,
    value: object,
    found: Surrounding,
    game: DifferingGame,
    request: ReadingsRequest,
) -> str:
    settings = {**request.settings, **found.setting, one.name: value}
    words = ["rulesrun", "trace", report.reading.name]
    words += [word for name in request.variants for word in ("--with", name)]
    words += ["--players", str(game.players)]
    words += [word for name, chosen in settings.items() for word in ("--set", f"{name}={_value_text(chosen)}")]
    return shlex.join([*words, "--seed", str(game.seed)])


def _value_text(value: object) -> str:
    if value is None:
        return "nothing"
    return value if isinstance(value, str) else one_line_json(value)


# ---------------------------------------------------------------- JSON


def _contrast_json(report: ContrastReport, request: ReadingsRequest) -> dict[str, object]:
    return {
        "file": report.reading.name,
        "title": report.reading.title,
        "readings": [
            {
                "name": one.name,
                "line": line_of(one.declaration.span, report.reading.sources),
                "values": list(one.values),
                "default": one.default,
                "sentence": one.declaration.sentence,
                "examples": one.examples,
                "pairs": [
                    {
                        "values": [pair.left, pair.right],
                        "played": [_surrounding_json(report, one, pair, found, request) for found in pair.surroundings],
                    }
                    for pair in one.pairs
                ],
            }
            for one in report.readings
        ],
        "games": report.games,
        "engine": report.looking.engine,
        "seconds": round(report.seconds, 3),
        "partial": report.is_partial,
    }


def _surrounding_json(
    report: ContrastReport, one: ReadingReport, pair: ReadingPair, found: Surrounding, request: ReadingsRequest
) -> dict[str, object]:
    return {
        "options": dict(found.setting),
        "games": found.games,
        "differed": _share_json(found.shares()[0]),
        "changed_scores": _share_json(found.shares()[1]),
        "changed_winner": _share_json(found.shares()[2]),
        "stuck": list(found.stuck),
        "going_on": [going_on_json(*side) for side in zip(found.going_on, found.long, strict=True)],
        "players": {
            str(players): {"games": games, "differed": differed, "changed_winner": winner}
            for players, (games, differed, winner) in sorted(found.players.items())
        },
        "shortest": _game_json(report, one, pair, found, found.shortest, request),
        "shortest_other_winner": _game_json(report, one, pair, found, found.shortest_winner, request),
    }


def _share_json(share: Share) -> dict[str, object]:
    return {"games": share.count, "share": share.value, "interval": list(share.interval)}


def _game_json(
    report: ContrastReport, one: ReadingReport, pair: ReadingPair, found: Surrounding, game: DifferingGame | None,
    request: ReadingsRequest,
) -> dict[str, object] | None:  # fmt: skip
    if game is None:
        return None
    return {
        "players": game.players,
        "seed": game.seed,
        "decisions": game.decisions,
        "same_decisions": game.parting.decisions,
        "then": list(describe_parting(game.tables, game.parting)),
        "repeat": [_trace_command(report, one, value, found, game, request) for value in (pair.left, pair.right)],
    }
