"""The size of a game's tree, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from rulesrun.dsl.text.messages import Names, message
from rulesrun.interpreter.play.game_tree import Expectation, TreeCount
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.exact_tree import ChanceNode, ExactTree, NamedSet
from rulesrun.interpreter.solve.game_tree import CHANCE, END
from rulesrun.locale.language import say, spoken_language, translate
from rulesrun.report.figure_text import team_text
from rulesrun.report.solve_text import moment_text, option_text, seen_zones
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


# ---- gambit text
# A tree in the words of Gambit: extensive form (`.efg`), strategic form (`.nfg`); exact numbers, readable labels.


MOST_CELLS = 1 << 18
MOST_WORK = 1 << 24  # cells times ends of the tree

Payoffs = tuple[Fraction, ...]


def efg_lines(found: ExactTree, title: str) -> Iterator[str]:
    """Nodes from the root downwards, each with what follows it."""
    tree, names = found.tree, label_sets(found)
    yield f"EFG 2 R {quote(title)} {{ {' '.join(quote(name) for name in player_names(found))} }}"
    yield quote(f"{len(tree):,} nodes; written by rulesrun")
    yield ""
    numbers: list[dict[int, int]] = [{} for _ in range(tree.players + 1)]  # of each player's sets, as they come
    outcomes: dict[Payoffs, int] = {}
    chances: dict[str, int] = {}  # by what happens, how often so far
    waiting = [0]
    while waiting:
        node = waiting.pop()
        whose = tree.whose[node]
        if whose == END:
            payoffs = exact_payoffs(found, node)
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)
            yield f't "" {number} "" {{ {", ".join(str(one) for one in payoffs)} }}'
            continue
        waiting.extend(reversed(tree.children[node]))
        if whose == CHANCE:
            words = describe_chance(found.chances[node])
            chances[words] = chances.get(words, 0) + 1
            label = words if chances[words] == 1 else f"{words} ({chances[words]})"
            yield chance_line(found.chances[node], sum(chances.values()), label)
        else:
            own = tree.sets[node]
            number = numbers[whose].setdefault(own, len(numbers[whose]) + 1)
            options = " ".join(quote(name) for name in option_names(found.sets[own]))
            yield f'p "" {whose} {number} {quote(names[own])} {{ {options} }} 0'


def describe_chance(chance: ChanceNode) -> str:
    origin, target = chance.places
    return " ".join([chance.what, *([f"from {origin}"] if origin else []), *([f"to {target}"] if target else [])])


def chance_line(chance: ChanceNode, number: int, label: str) -> str:
    pairs = zip(make_unique(chance.outcomes), chance.odds, strict=True)
    outcomes = " ".join(f"{quote(name)} {odds}" for name, odds in pairs)
    return f'c "" {number} {quote(label)} {{ {outcomes} }} 0'


def nfg_lines(found: ExactTree, title: str) -> Iterator[str]:
    """Every strategy says what to do at every information set. Raises NoAnswer where there are too many."""
    players = range(1, found.tree.players + 1)
    own = {player: [at for at, one in enumerate(found.sets) if one.player == player] for player in players}
    sizes = {player: prod(len(found.sets[at].options) for at in own[player]) for player in players}
    cells = prod(sizes.values())
    if cells > MOST_CELLS or cells * found.tree.terminals > MOST_WORK:
        reason = message(
            "too many strategies for a table ({cells:,} cells); `--format efg` writes the tree instead",
            cells=cells)
        raise NoAnswer(reason)
    strategies = {
        player: list(product(*(range(len(found.sets[at].options)) for at in own[player]))) for player in players
    }
    yield f"NFG 1 R {quote(title)} {{ {' '.join(quote(name) for name in player_names(found))} }}"
    yield ""
    yield "{"
    for player in players:
        yield f"  {{ {' '.join(quote(name) for name in strategy_names(found, own[player], strategies[player]))} }}"
    yield "}"
    yield quote("written by rulesrun")
    yield ""
    ends = list(weigh_ends(found))
    for profile in product(*(strategies[player] for player in reversed(players))):
        chosen = {
            at: choice
            for player, strategy in zip(reversed(players), profile, strict=True)
            for at, choice in zip(own[player], strategy, strict=True)
        }
        yield " ".join(str(one) for one in expected_payoffs(ends, chosen, len(players)))


End = tuple[Fraction, dict[int, int], Payoffs]  # its odds, what is chosen on the way at which information set


def weigh_ends(found: ExactTree) -> Iterator[End]:
    tree = found.tree
    waiting: list[tuple[int, Fraction, dict[int, int]]] = [(0, Fraction(1), {})]
    while waiting:
        node, odds, chosen = waiting.pop()
        if tree.whose[node] == END:
            yield odds, chosen, exact_payoffs(found, node)
            continue
        for number, child in enumerate(tree.children[node]):
            if tree.whose[node] == CHANCE:
                waiting.append((child, odds * found.chances[node].odds[number], chosen))
            else:
                waiting.append((child, odds, {**chosen, tree.sets[node]: number}))


def expected_payoffs(ends: list[End], chosen: Mapping[int, int], players: int) -> Payoffs:
    sums = [Fraction(0)] * players
    for odds, needed, payoffs in ends:
        if all(chosen[at] == number for at, number in needed.items()):
            for seat, one in enumerate(payoffs):
                sums[seat] += odds * one
    return tuple(sums)


def strategy_names(found: ExactTree, own: list[int], strategies: list[tuple[int, ...]]) -> list[str]:
    options = {at: option_names(found.sets[at]) for at in own}
    return [
        "/".join(options[at][choice] for at, choice in zip(own, strategy, strict=True)) or "nothing to choose"
        for strategy in strategies
    ]


# ---- names


def player_names(found: ExactTree) -> list[str]:
    return [f"player {player}" for player in range(1, found.tree.players + 1)]


def label_sets(found: ExactTree) -> list[str]:
    """What lies before the player, what was heard, what was seen and is gone: no two of one player alike."""
    names = [f"{one.player}: {describe_set(found, one)}" for one in found.sets]
    return [name.partition(": ")[2] for name in make_unique(names)]


def describe_set(found: ExactTree, one: NamedSet) -> str:
    words = [
        *seen_zones(found.table, one.state, one.player), *(f"{player} chose {text}" for player, text in one.heard),
        *(moment_text(moment) for moment in one.seen),
    ]
    return ", ".join(words) or "the beginning"


def option_names(one: NamedSet) -> list[str]:
    return make_unique([option_text(option) for option in one.options])


def make_unique(names: list[str] | tuple[str, ...]) -> list[str]:
    """Of names that come again the later ones get a number."""
    counts: dict[str, int] = {}
    found = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        found.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return found


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def exact_payoffs(found: ExactTree, node: int) -> Payoffs:
    return tuple(Fraction(one) for one in found.tree.payoffs[node])
