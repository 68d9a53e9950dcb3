"""The size of a game's tree, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.interpreter.play.game_tree import Expectation, TreeCount
from rulesrun.services.tree import CountedTree


def tree_text(found: CountedTree) -> str:
    counts = found.counts
    items: list[tuple[str, object]] = [(name, f"{count:,}") for name, count in counts_json(counts).items()]
    items += [(f"information sets {player}", f"{count:,}") for player, count in counts.information_sets.items()]
    items += [("max depth", counts.max_depth)]
    items += list(expected_items(counts.expectation)) if counts.expectation is not None else []
    return "".join(f"{name:<18}{shown!s:>12}\n" for name, shown in items)


def tree_json(found: CountedTree) -> dict[str, object]:
    counts = found.counts
    sets = {str(player): amount for player, amount in counts.information_sets.items()}
    document: dict[str, object] = {"information_sets": sets, "max_depth": counts.max_depth}
    how: dict[str, object] = {"engine": found.engine, "seconds": round(found.seconds, 3)}
    if not counts.is_complete:
        how["partial"] = True
    return counts_json(counts) | document | expectation_json(counts.expectation) | how


def expected_items(found: Expectation) -> Iterator[tuple[str, object]]:
    """Of random play."""
    yield from ((f"expected score {player}", score) for player, score in found.scores.items())
    yield "decisions a game", found.decisions
    yield from ((f"win share {player}", share) for player, share in found.win_shares.items())
    yield "ties", found.ties
    yield from ((f'"{title}"', share) for title, share in found.shares.items())


def expectation_json(found: Expectation | None) -> dict[str, object]:
    """Exact fractions, as text; of a part of a tree nothing is to be expected."""
    if found is None:
        return {"expected_scores": {}}
    return {
        "expected_scores": {str(player): str(score) for player, score in found.scores.items()},
        "expected_decisions": str(found.decisions),
        "win_shares": {str(player): str(share) for player, share in found.win_shares.items()},
        "ties": str(found.ties),
        "properties": {title: str(share) for title, share in found.shares.items()},
    }


def counts_json(found: TreeCount) -> dict[str, int]:
    return {
        "histories": found.histories,
        "decisions": found.decisions,
        "chance": found.chance,
        "together": found.together,
        "terminals": found.terminals,
    }
