"""What each rule weighs, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.arguments import Request
from rulesrun.comparison_text import effect_text
from rulesrun.deadweight import Weighed, Weighing
from rulesrun.excerpts import line_of, where
from rulesrun.figure_text import estimate_json, percent, players_text
from rulesrun.interpreter.measuring.catalogue import catalogue
from rulesrun.interpreter.measuring.estimates import Estimate, share
from rulesrun.interpreter.measuring.figures import games_with
from rulesrun.output import BOLD, painted

ORDER = (
    ("never met", "never met: without these, not one game was another"),
    ("no difference", "met, but not one deal ended otherwise without them"),
    ("no measurable effect", "games differ without them, but no figure measurably"),
    ("effect", "figures change without them"),
    ("needed", "without these the game gets stuck"),
    ("refused", "the rules do not allow the table"),
    ("not played", "not looked at: the time was over"),
)


def lines(found: Weighing, request: Request) -> Iterator[str]:
    reading = found.reading
    yield painted(reading.name, BOLD) + f"  {reading.title}, {players_text(found.table.players)}"
    for verdict, title in ORDER:
        weighed = [one for one in found.weighed if one.verdict == verdict]
        if weighed:
            yield f"  {title}"
        for one in weighed:
            yield from rule_lines(found, one)
    yield from unused_lines(found)
    partial = "interrupted: this report is partial; " if found.is_partial else ""
    yield f"  {partial}{found.all_games:,} games in {found.seconds:.1f} s, the same deals with and without each rule"
    if request.text("seats") is None:
        yield "  everybody played at random: what only good players do may matter all the same (`--seats mcts`)"


def rule_lines(found: Weighing, one: Weighed) -> Iterator[str]:
    place = where(one.suspect.span, found.reading.name, found.reading.sources)
    yield f"    {one.suspect.text}  ({place})"
    if one.refused:
        yield f"      {one.refused}"
    elif one.is_never_met:
        most = share(0, found.games).high or 1.0
        yield f"      in none of {found.games:,} games (95 %: in fewer than {percent(most)})"
    elif one.duel is not None and one.duel.pairs.games:
        yield f"      {differing_text(one)}"
        yield from (f"      {effect_text(effect)}" for effect in one.clear[:3])


def differing_text(one: Weighed) -> str:
    assert one.duel is not None
    pairs = one.duel.pairs
    stuck = f"stuck without it in {pairs.stuck[1]:,} of {pairs.games:,} games; " if pairs.stuck[1] else ""
    found = share(pairs.differing, pairs.finished)
    if not pairs.finished:
        return stuck.removesuffix("; ")
    if not pairs.differing:
        return f"{stuck}none of {pairs.finished:,} deals differs (95 %: fewer than {percent(found.high or 1.0)})"
    low, high = (percent(bound or 0.0) for bound in (found.low, found.high))
    return f"{stuck}{percent(found.value)} of {pairs.finished:,} deals differ ({low} to {high})"


def unused_lines(found: Weighing) -> Iterator[str]:
    """Actions, values, components and rows that no game used."""
    for word, what in (("action", "actions never taken"), ("value", "values never chosen"),
                       ("component", "components never chosen"), ("kept", "components never kept"),
                       ("row", "rows that never lay open"), ("met", "rows that were never met")):  # fmt: skip
        names = unused(found, word)
        if names:
            most = share(0, found.totals.finished).high or 1.0
            told = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
            yield f"  {what}: {told} (95 %: each in fewer than {percent(most)} of the games)"


def unused(found: Weighing, word: str) -> list[str]:
    """Nothing where none at all was used: then the game does not know such a use."""
    keys = [key for key in catalogue(found.table) if key[0] == word]
    never = [key for key in keys if not games_with(found.totals, key).value]
    is_other_game = word in ("component", "kept") and len(never) == len(keys)
    return [] if is_other_game else [" ".join(key[1:]) for key in never]


def weighing_json(found: Weighing, request: Request) -> dict[str, object]:
    return {
        "file": found.reading.name,
        "title": found.reading.title,
        "players": found.table.players,
        "seats": request.text("seats") or "random",
        "rules": [rule_json(found, one) for one in found.weighed],
        "unused": {word: unused(found, word) for word in ("action", "value", "component", "kept", "row", "met")},
        "looked": found.games,
        "games": found.all_games,
        "engine": "reference",
        "seconds": round(found.seconds, 3),
        "partial": found.is_partial,
    }


def rule_json(found: Weighing, one: Weighed) -> dict[str, object]:
    pairs = one.duel.pairs if one.duel is not None else None
    never: Estimate | None = share(one.met, found.games) if one.suspect.is_condition else None
    return {
        "kind": one.suspect.what,
        "rule": one.suspect.text,
        "line": line_of(one.suspect.span, found.reading.sources),
        "without": one.suspect.value,
        "verdict": one.verdict,
        "met": None if never is None else estimate_json(never),
        "unmet_games": one.unmet if one.suspect.is_condition else None,
        "deals": 0 if pairs is None else pairs.games,
        "stuck": None if pairs is None else pairs.stuck[1],
        "differing": None if pairs is None else estimate_json(share(pairs.differing, pairs.finished)),
        "effects": [
            {"figure": list(effect.key), "with": effect.left, "without": effect.right,
             "difference": estimate_json(effect.difference)}
            for effect in one.clear
        ],
    }  # fmt: skip
