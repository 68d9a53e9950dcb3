"""Trees of the bundled classics against the same games written in a few lines of Python each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from attrs import define, field

from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import bundled

# A node: ("end", score of 1) or (kind, [(odds, node to come)]) with kind decision, chance or together.
Node = tuple[str, "Fraction | list[tuple[Fraction, Callable[[], Node]]]"]


def equally(kind: str, nodes: list[Callable[[], Node]]) -> Node:
    if kind == "chance" and len(nodes) == 1:  # a certain outcome is no node
        return nodes[0]()
    return kind, [(Fraction(1, len(nodes)), node) for node in nodes]


@define
class Counts:
    kinds: dict[str, int] = field(factory=lambda: dict.fromkeys(("chance", "decision", "together", "end"), 0))

    def score(self, node: Node) -> Fraction:
        kind, below = node
        self.kinds[kind] += 1
        if isinstance(below, Fraction):
            return below
        return sum((odds * self.score(make()) for odds, make in below), Fraction(0))


def decisions(node: Node, players: int) -> Fraction:
    """How many are to be expected from here on; at the same moment everybody makes one."""
    kind, below = node
    if isinstance(below, Fraction):
        return Fraction(0)
    here = {"decision": 1, "together": players}.get(kind, 0)
    return here + sum((odds * decisions(make(), players) for odds, make in below), Fraction(0))


def pig(die: int, target: int, length: int) -> Node:
    def at(player: int, banked: tuple[int, int], gathered: int, used: int) -> Node:
        if used == length:
            return "end", Fraction(0)
        moves = [lambda: stop(player, banked, gathered, used + 1)]
        if banked[player] + gathered < target:
            moves.insert(0, lambda: roll(player, banked, gathered, used + 1))
        return equally("decision", moves)

    def roll(player: int, banked: tuple[int, int], gathered: int, used: int) -> Node:
        if used == length:  # not thrown any more
            return "end", Fraction(0)

        def thrown(face: int) -> Node:
            return at(1 - player, banked, 0, used) if face == 1 else at(player, banked, gathered + face, used)

        return equally("chance", [partial(thrown, face) for face in range(1, die + 1)])

    def stop(player: int, banked: tuple[int, int], gathered: int, used: int) -> Node:
        mine = banked[player] + gathered
        now = (mine, banked[1]) if player == 0 else (banked[0], mine)
        if mine >= target:
            return "end", Fraction(1 - 2 * player)
        return at(1 - player, now, 0, used)

    return at(0, (0, 0), 0, 0)


def goofspiel(cards: int, order: str) -> Node:
    def at(prizes: frozenset[int], hands: tuple[frozenset[int], ...], lead: int) -> Node:
        if not prizes:
            return "end", Fraction((lead > 0) - (lead < 0))
        turned = {"random": sorted(prizes), "descending": [max(prizes)], "ascending": [min(prizes)]}[order]
        return equally("chance", [partial(bid, prizes, hands, lead, prize) for prize in turned])

    def bid(prizes: frozenset[int], hands: tuple[frozenset[int], ...], lead: int, prize: int) -> Node:
        def after(one: int, two: int) -> Node:
            won = prize * ((one > two) - (one < two))
            return at(prizes - {prize}, (hands[0] - {one}, hands[1] - {two}), lead + won)

        pairs = list(product(*map(sorted, hands)))
        if len(pairs) == 1:  # played by itself
            return after(*pairs[0])
        return equally("together", [partial(after, *pair) for pair in pairs])

    every = frozenset(range(1, cards + 1))
    return at(every, (every, every), 0)


def nim(heaps: tuple[int, ...], misere: bool) -> Node:
    def at(player: int, left: tuple[int, ...]) -> Node:
        if not any(left):
            has_won = player if misere else 1 - player
            return "end", Fraction(1 - 2 * has_won)
        moves: list[Callable[[], Node]] = [
            partial(at, 1 - player, (*left[:at_], left[at_] - n, *left[at_ + 1 :]))
            for at_, heap in enumerate(left) for n in range(1, heap + 1)
        ]  # fmt: skip
        return equally("decision", moves)

    return at(0, heaps)


def betting(players: int) -> Iterator[tuple[str, ...]]:
    """Kuhn: everyone passes, or somebody bets and each of the others answers once."""
    yield ("pass",) * players
    for first in range(players):
        for answers in product(("fold", "call"), repeat=players - 1):
            yield ("pass",) * first + ("bet", *answers)


def kuhn(players: int) -> Node:
    every = list(betting(players))

    def dealt(hands: tuple[int, ...]) -> Node:
        if len(hands) == players:
            return at(hands, ())
        left = [card for card in range(1, players + 2) if card not in hands]
        return equally("chance", [partial(dealt, (*hands, card)) for card in left])

    def at(hands: tuple[int, ...], done: tuple[str, ...]) -> Node:
        if done in every:
            return "end", Fraction(won(hands, done))
        to_come = sorted({one[len(done)] for one in every if one[: len(done)] == done})
        return equally("decision", [partial(at, hands, (*done, move)) for move in to_come])

    def won(hands: tuple[int, ...], done: tuple[str, ...]) -> int:
        paid = [1] * players
        for turn, move in enumerate(done):
            paid[turn % players] += move in ("bet", "call")
        best = max(range(players), key=lambda seat: (paid[seat], hands[seat]))
        return sum(paid) - paid[0] if best == 0 else -paid[0]

    return dealt(())


@pytest.mark.parametrize(
    ("name", "players", "options", "by_hand"),
    [
        ("pig", 2, {"die": 2, "target": 4, "length": 6}, pig(2, 4, 6)),
        ("pig", 2, {"die": 3, "target": 5, "length": 5}, pig(3, 5, 5)),
        ("goofspiel", 2, {"cards": 4, "prizes": "descending"}, goofspiel(4, "descending")),
        ("goofspiel", 2, {"cards": 4, "prizes": "ascending"}, goofspiel(4, "ascending")),
        ("goofspiel", 2, {"cards": 3}, goofspiel(3, "random")),
        ("nim", 2, {"heaps": [1, 2, 3]}, nim((1, 2, 3), False)),
        ("nim", 2, {"heaps": [3, 2], "misere": True}, nim((3, 2), True)),
        ("kuhn", 2, {}, kuhn(2)),
        ("kuhn", 3, {}, kuhn(3)),
    ],
)
def test_the_tree_is_that_of_the_game_by_hand(
    name: str, players: int, options: dict[str, object], by_hand: Node
) -> None:
    hand = Counts()
    score = hand.score(by_hand)
    counted = count_tree(set_up_table(bundled(f"classics/{name}"), players, options))
    assert hand.kinds == {
        "chance": counted.chance, "decision": counted.decisions, "together": counted.together,
        "end": counted.terminals,
    }  # fmt: skip
    assert counted.expected_scores[1] == score
    assert counted.expectation is not None
    assert counted.expectation.decisions == decisions(by_hand, players)


def test_the_same_numbers_as_published() -> None:
    hand = Counts()
    assert hand.score(pig(2, 4, 6)) == Fraction(37, 1024)
    assert hand.kinds == {"chance": 92, "decision": 277, "together": 0, "end": 339}
