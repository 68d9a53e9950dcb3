"""`rulesrun readings`: what the rulebook leaves open, and how much each way to read it changes the game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rulesrun.dsl.text.messages import Message, Names, message, template
from rulesrun.files.excerpts import line_of, place_text
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.play.properties import Share
from rulesrun.locale.language import say, say_plural, translate, use_words
from rulesrun.records.traces import describe_parting
from rulesrun.services.readings import (
    ContrastReport,
    DifferingGame,
    ReadingPair,
    ReadingReport,
    Surrounding,
    list_readings,
    play_contrasts,
)
from rulesrun.services.reports import head_line
from rulesrun.services.unfinished_games import going_on_json, going_on_text, going_on_word
from rulesrun.terminal.output import BOLD, LABELS, one_line_json, paint_text, print_json, print_text
from rulesrun.terminal.plurals import count_decisions, count_games, count_players
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
    use_words(report.reading.game)
    yield head_line(report.reading)
    if not report.readings:
        yield "  " + say("the rules have no `reading`, so they leave nothing open")
    for one in report.readings:
        yield from _reading_lines(report, one, request)
    if report.is_partial:
        yield "  " + say("interrupted: this report is partial")
    elif report.games:
        yield "  " + say(
            "{games} at random in {seconds:.1f} s, the same deals under both readings", games=count_games(report.games),
            seconds=report.seconds,
        )  # fmt: skip


def _reading_lines(report: ContrastReport, one: ReadingReport, request: ReadingsRequest) -> Iterator[str]:
    told: list[str] = [
        message("{value} (default)", value=value_name(value)) if value == one.default else value_name(value)
        for value in one.values
    ]
    values = translate(told[:MOST_VALUES])
    if len(told) > MOST_VALUES:
        values = say("{values} and {amount} more", values=told[:MOST_VALUES], amount=len(told) - MOST_VALUES)
    place = translate(place_text(one.span, report.reading.name, report.reading.sources))
    yield f"  {paint_text(translate(Names(one.name)), BOLD)}: {values}  ({place})"
    if one.sentence:
        yield f'    "{" ".join(one.sentence.split())}"'
    yield "    " + say_plural("set in {count} example", "set in {count} examples", one.examples)
    for pair in one.pairs:
        yield "    " + say("{first} or {second}:", first=value_name(pair.left), second=value_name(pair.right))
        if pair.surroundings:
            yield from _pair_lines(report, one, pair, request)
    if one.is_cut:
        yield "    " + say("other values were not compared; make one of them the default with `--set`")


def _pair_lines(
    report: ContrastReport, one: ReadingReport, pair: ReadingPair, request: ReadingsRequest
) -> Iterator[str]:
    first = pair.first
    told = [first, *(other for other in pair.others if _differs_clearly(first, other))]
    for surrounding in told:
        setting = "".join(
            say("with {name} = {value}: ", name=Names(name), value=value_name(value))
            for name, value in surrounding.setting.items()
        )
        yield f"      {setting}{_verdict_text(surrounding)}"
        yield from _stuck_lines(pair, surrounding)
    best = next((found for found in told if found.differed), None)
    if best is not None:
        yield from _game_lines(report, one, pair, best, request)
    rest = [other for other in pair.others if other.games and other not in told]
    if rest:
        games = count_games(sum(other.games for other in rest))
        if first.differed:
            yield "      " + say_plural(
                "about as often with {count} other setting of the options ({games})",
                "about as often with {count} other settings of the options ({games})", len(rest), games=games,
            )  # fmt: skip
        else:
            yield "      " + say_plural(
                "never, too, with {count} other setting of the options ({games})",
                "never, too, with {count} other settings of the options ({games})", len(rest), games=games,
            )  # fmt: skip


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
        return say("no game ended in time") if one.unfinished else say("no game was played")
    differed, scores, winner = one.shares()
    if not one.differed:
        return say_plural(
            "never differed in {count:,} game (95 % certain: in fewer than {share})",
            "never differed in {count:,} games (95 % certain: in fewer than {share})", one.games,
            share=_percent_text(differed.interval[1]),
        )  # fmt: skip
    return say_plural(
        "differed in {differed} of {count:,} game, changed the scores in {scores}, changed the winner in {winner}",
        "differed in {differed} of {count:,} games, changed the scores in {scores}, changed the winner in {winner}",
        one.games, differed=_share_text(differed), scores=_share_text(scores), winner=_share_text(winner),
    )  # fmt: skip


def _share_text(share: Share) -> Message:
    low, high = share.interval
    return message(
        "{value} ({low} to {high})", value=_percent_text(share.value), low=_percent_text(low), high=_percent_text(high)
    )


def _percent_text(value: float) -> str:
    return f"{value * 100:.2g} %" if value < 0.1 else f"{value * 100:.1f} %"


def _stuck_lines(pair: ReadingPair, one: Surrounding) -> Iterator[str]:
    for value, games in zip((pair.left, pair.right), one.stuck, strict=True):
        if games:
            yield "      " + say_plural(
                "with {value} the game got stuck in {stuck:,} of {count:,} game",
                "with {value} the game got stuck in {stuck:,} of {count:,} games", one.games,
                value=value_name(value), stuck=games,
            )  # fmt: skip
    for value, games, found in zip((pair.left, pair.right), one.long, one.going_on, strict=True):
        if games:
            yield "      " + say_plural(
                "{verdict} with {value}: {long:,} of {count:,} game not over within the limit",
                "{verdict} with {value}: {long:,} of {count:,} games not over within the limit", one.games,
                verdict=LABELS[going_on_word(found)], value=value_name(value), long=games,
            )  # fmt: skip
            yield f"        {translate(going_on_text(found))}"


def _game_lines(
    report: ContrastReport, one: ReadingReport, pair: ReadingPair, found: Surrounding, request: ReadingsRequest
) -> Iterator[str]:
    games = [
        (template("shortest game that differs: {players}, {decisions}; the same for {same}, then"), found.shortest)
    ]
    if found.shortest_winner is not found.shortest:
        games.append((
            template("shortest game with another winner: {players}, {decisions}; the same for {same}, then"),
            found.shortest_winner,
        ))  # fmt: skip
    for sentence, game in games:
        if game is None:
            continue
        yield "      " + say(
            sentence, players=count_players(game.players), decisions=count_decisions(game.decisions),
            same=count_decisions(game.parting.decisions),
        )  # fmt: skip
        words = describe_parting(game.tables, game.parting)
        for value, said in zip((pair.left, pair.right), words, strict=True):
            yield f"        {translate(value_name(value))}: {translate(said)}"
        for value in (pair.left, pair.right):
            command = _trace_command(report, one, value, found, game, request)
            yield "        " + say("again: {command}", command=command)


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


def value_name(value: object) -> Names:
    return Names(_value_text(value))


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
                "line": line_of(one.span, report.reading.sources),
                "values": list(one.values),
                "default": one.default,
                "sentence": one.sentence,
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
