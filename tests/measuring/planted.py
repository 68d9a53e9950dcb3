"""Small games with a knob for every kind of house rule, so that it is known what a change of it does.

Who takes cards from the market in turn; who guesses what the other has put down. Sixty pairs of rulebooks with one
change each, and sixty that say the same game in other words or by other ways of chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from attrs import evolve, frozen


@frozen
class Draft:
    """Each takes `picks` cards of the market in turn; the sum counts. Two of each rank."""

    ranks: int = 6
    market: int = 6
    picks: int = 2
    rounds: int = 1
    bonus_seat: int = 0
    bonus: int = 0
    worthless: int = 0  # this rank counts nothing
    luck: int = 0  # a die of so many sides is added for everybody, ten times
    ties: str = "share"  # or who wins them: 1, 2
    deck: str = "deck"
    through: str = ""  # cards go through this pile
    twice: bool = False  # shuffled twice
    dummy: bool = False  # something is rolled that counts for nothing
    never: bool = False  # an action that is never legal

    def text(self) -> str:
        return "\n".join(self.lines()) + "\n"

    def lines(self) -> Iterator[str]:
        yield from ("rules 1", 'game "Draft"', "players 2", f"rounds {self.rounds}", "values Suit: red, blue")
        yield from (f"card Card: suit Suit, rank 1..{self.ranks}", f"zone {self.deck}: pile of Card, hidden")
        if self.through:
            yield f"zone {self.through}: pile of Card, hidden"
        yield from ("zone market: set of Card, public", "zone hand of player: set of Card, public")
        if self.luck:
            yield f"number luck of player: 1..{self.luck}"
        if self.dummy:
            yield "number dummy: 1..6"
        yield from ("setup round", f"  shuffle all Card into {self.deck}")
        if self.twice:
            yield f"  shuffle all {self.deck} into {self.deck}"
        if self.through:
            yield f"  deal {self.market} from {self.deck} to {self.through}"
        yield f"  deal {self.market} from {self.through or self.deck} to market"
        if self.dummy:
            yield "  roll dummy"
        yield f"phase play: turns from 1 until count of hand of 2 = {self.picks}"
        yield "  choose take or wait" if self.never else "  choose take"
        if self.luck:
            yield from ("phase fortune", "  each player", "    roll luck")
        yield from ("action take(c from market)", "  move c to hand")
        if self.never:
            yield from ("action wait", "  needs count of market > 99")
        yield f"define worth(c Card) = if rank of c = {self.worthless} then 0 else rank of c"
        yield f"define bonus = if player = {max(self.bonus_seat, 1)} then {self.bonus} else 0"
        yield f"define early = if player = {self.ties if self.ties != 'share' else 1} then 1 else 0"
        yield "score each round"
        yield "  points = (sum of worth(c) over c in hand) + bonus" + (" + 10 * luck" if self.luck else "")
        yield "ranking: highest total" + ("" if self.ties == "share" else ", then highest early") + ", ties share"


@frozen
class Guess:
    """One puts down a number, the other guesses it; `guesser` wins when it is right, else the other."""

    numbers: int = 3
    is_open: bool = False
    guesser_wins: bool = True
    rounds: int = 1

    def text(self) -> str:
        right, wrong = (1, 0) if self.guesser_wins else (0, 1)
        return (
            f'rules 1\ngame "Guess"\nplayers 2\nrounds {self.rounds}\n'
            f"number laid: 0..{self.numbers} = 0{'' if self.is_open else ', hidden'}\n"
            f"number said: 0..{self.numbers} = 0\n"
            "phase play: one turn each from 1\n  if player = 1\n    choose lay\n  otherwise\n    choose say\n"
            f"action lay(n in 1..{self.numbers}){'' if self.is_open else ', secret'}\n  laid becomes n\n"
            f"action say(n in 1..{self.numbers})\n  said becomes n\n"
            "score each round\n"
            f"  points = if player = 2 then (if said = laid then {right} else {wrong})"
            f" else (if said = laid then {1 - right} else {1 - wrong})\n"
            "ranking: highest total, ties share\n"
        )


@frozen
class Planted:
    """What a house rule does: `kind`, and what tells its direction."""

    kind: str
    base: Draft | Guess
    variant: Draft | Guess
    seat: int = 0  # who gains
    card: int = 0  # the rank that is worth nothing


SIZES = [(ranks, market, picks) for ranks, market, picks in product((5, 6, 7, 8, 9), (6, 8), (2,))]


def planted_rules() -> list[Planted]:
    found = []
    for at, (ranks, market, picks) in enumerate(SIZES):
        base, seat = Draft(ranks, market, picks), at % 2 + 1
        found.append(Planted("seat", base, evolve(base, bonus_seat=seat, bonus=ranks), seat=seat))
        found.append(Planted("card", base, evolve(base, worthless=ranks), card=ranks))
        longer = evolve(base, rounds=2) if at % 2 else evolve(base, market=2 * market, picks=2 * picks)
        found.append(Planted("length", evolve(base, ranks=9), evolve(longer, ranks=9)))
        found.append(Planted("luck", base, evolve(base, luck=6 + at)))
        guess = Guess(3 + at // 2)
        if at % 2:
            guess = Guess(2 + at // 2 % 4, guesser_wins=False, rounds=1 + at // 8 * 2)
        found.append(Planted("open", guess, evolve(guess, is_open=True), seat=2))
        small = evolve(base, ranks=3 + at % 3, market=4, picks=1)
        found.append(Planted("ties", evolve(small, ties=str(3 - seat)), evolve(small, ties=str(seat)), seat=seat))
    return found


def null_rules() -> list[tuple[Draft, Draft]]:
    """The same game, said or dealt in another way."""
    found = []
    for ranks, market, picks in SIZES:
        base = Draft(ranks, market, picks)
        found += [
            (base, evolve(base, deck="stock")), (base, evolve(base, through="tray")), (base, evolve(base, twice=True)),
            (base, evolve(base, dummy=True)), (base, evolve(base, never=True)),
            (base, evolve(base, deck="pool", through="stack", dummy=True)),
        ]
    return found
