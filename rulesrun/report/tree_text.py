"""The size of a game's tree, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl.text.messages import Names, message
from rulesrun.interpreter.play.game_tree import Expectation, TreeCount
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import say, spoken_language, translate
from rulesrun.report.figure_text import team_text
from rulesrun.services.tree import CountedTree


def tree_text(found: CountedTree) -> str:
    counts = found.counts
    items: list[tuple[str, object]] = [
        (translate(COUNTS[name]), count) for name, count in counts_json(counts).items()
    ]
    items += [
        (say("information sets {player}", player=player), count) for player, count in counts.information_sets.items()
    ]
    items += [(say("max depth"), str(counts.max_depth))]
    items += list(expected_items(counts.expectation, found.table)) if counts.expectation is not None else []
    return "".join(f"{name:<18}{number_cell(shown):>12}\n" for name, shown in items)


COUNTS = {
    "histories": message("histories"), "decisions": message("decisions"), "chance": message("chance"),
    "together": message("together"), "terminals": message("terminals"),
}  # fmt: skip


def number_cell(shown: object) -> str:
    return spoken_language().format_number(shown, ",") if isinstance(shown, int) else str(shown)


def tree_json(found: CountedTree) -> dict[str, object]:
    counts = found.counts
    sets = {str(player): amount for player, amount in counts.information_sets.items()}
    document: dict[str, object] = {"information_sets": sets, "max_depth": counts.max_depth}
    how: dict[str, object] = {"engine": found.engine, "seconds": round(found.seconds, 3)}
    if not counts.is_complete:
        how["partial"] = True
    return counts_json(counts) | document | expectation_json(counts.expectation) | how


def expected_items(found: Expectation, table: Table) -> Iterator[tuple[str, object]]:
    """Of random play."""
    seats = {seat: team_text(table, seat) for seat in table.bench.first_seats}
    yield from ((say("expected score {player}", player=told), str(found.scores[seat])) for seat, told in seats.items())
    yield say("decisions a game"), str(found.decisions)
    yield from ((say("win share {player}", player=told), str(found.win_shares[seat])) for seat, told in seats.items())
    yield say("ties"), str(found.ties)
    yield from ((f'"{title}"', str(share)) for title, share in found.shares.items())
    for name, value in found.figures.items():
        yield translate(Names(name)), say("no value") if value is None else str(value)


def expectation_json(found: Expectation | None) -> dict[str, object]:
    """Exact fractions, as text; of a part of a tree nothing is to be expected."""
    if found is None:
        return {"expected_scores": {}}
    figures = {name: None if value is None else str(value) for name, value in found.figures.items()}
    return {
        "expected_scores": {str(player): str(score) for player, score in found.scores.items()},
        "expected_decisions": str(found.decisions),
        "win_shares": {str(player): str(share) for player, share in found.win_shares.items()},
        "ties": str(found.ties),
        "properties": {title: str(share) for title, share in found.shares.items()},
        **({"figures": figures} if figures else {}),
    }


def counts_json(found: TreeCount) -> dict[str, int]:
    return {
        "histories": found.histories,
        "decisions": found.decisions,
        "chance": found.chance,
        "together": found.together,
        "terminals": found.terminals,
    }
