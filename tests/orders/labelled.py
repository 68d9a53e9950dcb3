"""Cards with labels in plain Python lists, and rulebooks that move equal cards about: every movement, every zone.

A rulebook is made up from a seed: some actions, each of a few movements. Each movement stands there twice, as a line of
the rules and as what it does to the lists; what the lists hold knows nothing of either engine. In a zone without order
equal cards lie as they came; of the part of a pile that was shuffled nobody knows which of equal ones is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from itertools import combinations
from random import Random

from attrs import define, field, frozen

RANKS = 3
ROWS = ("left", "right")
ORDERED = (*ROWS, "heap", "tidy")
ZONES = (*ORDERED, "bag", "deck")
MARKERS = ("found", "other")

Draw = Generator[tuple[str, str, list[int]], int, None]  # asks where from, where to, of what; is told the rank


@frozen
class Card:
    rank: int
    label: int


@define
class Lists:
    """What lies where. `mixed` is the shuffled part of the deck, with what lies under and on it."""

    zones: dict[str, list[Card]] = field(factory=dict)
    under: list[Card] = field(factory=list)
    mixed: list[Card] = field(factory=list)
    on: list[Card] = field(factory=list)
    markers: dict[str, Card | None] = field(factory=lambda: dict.fromkeys(MARKERS))
    followed: list[list[Card]] = field(factory=list)  # what is still to come, or to be moved by its name
    asked: list[int] = field(factory=list)  # what `position` gave, one after the other
    moved: int = 0
    decided: int = 0

    def put(self, card: Card, zone: str, at_bottom: bool = False) -> None:
        self.moved += 1
        if zone == "deck":
            if at_bottom:
                self.under.insert(0, card)
            else:
                self.on.append(card)
            return
        cards = self.zones[zone]
        if zone == "bag":
            cards.insert(sum(one.rank <= card.rank for one in cards), card)
        elif zone == "tidy":
            cards.insert(sum(one.rank < card.rank for one in cards), card)
        elif at_bottom:
            cards.insert(0, card)
        else:
            cards.append(card)

    def take(self, card: Card) -> Card:
        for cards in (*self.zones.values(), self.under, self.mixed, self.on):
            if card in cards:
                cards.remove(card)
                return card
        raise AssertionError("a card lies nowhere")

    def settle(self) -> None:
        """An unordered part of one card is known; what lies under it, then on it, is a pile like others."""
        if len(self.mixed) <= 1:
            self.under += self.mixed
            self.mixed = []
        if not self.mixed:
            self.on, self.under = self.under + self.on, []

    def draw(self, zone: str) -> Generator[tuple[str, str, list[int]], int, Card]:
        """From the top, or any of the shuffled part: of equal ones there, one that is remembered goes last."""
        self.settle()
        if self.on:
            card = self.on[-1]
            rank = yield "deck", zone, [card.rank]
            assert rank == card.rank
        else:
            rank = yield "deck", zone, sorted(one.rank for one in self.mixed)
            card = self.of_mixed(rank)
        self.take(card)
        self.put(card, zone)
        return card

    def of_mixed(self, rank: int) -> Card:
        """Of equal ones one that nobody remembers, while there is such a one; who remembers it means another left."""
        equal = [one for one in self.mixed if one.rank == rank]
        remembered = {*self.markers.values(), *(card for cards in self.followed for card in cards)}
        free = next((one for one in equal if one not in remembered), None)
        if free is None and len(equal) > 1:
            self.mean_another(equal[0], equal[1])
        return free or equal[0]

    def mean_another(self, card: Card, other: Card) -> None:
        for name, marked in self.markers.items():
            if marked == card:
                self.markers[name] = other
        for cards in self.followed:
            cards[:] = [other if one == card else one for one in cards]

    def everything(self, rank: int | None) -> list[Card]:
        """Every card, or every one of a rank, wherever it lies; of equal ones in the shuffled part the first."""
        for mixed in self.mixed:
            self.mean_another(mixed, next(one for one in self.mixed if one.rank == mixed.rank))
        lying = [*self.under, *self.mixed, *self.on, *(card for cards in self.zones.values() for card in cards)]
        return sorted((one for one in lying if rank in {None, one.rank}), key=lambda one: one.rank)

    def size(self, zone: str) -> int:
        return len(self.under) + len(self.mixed) + len(self.on) if zone == "deck" else len(self.zones[zone])

    def in_order(self, zone: str) -> list[Card]:
        return list(self.zones[zone])

    def deck(self) -> list[object]:
        self.settle()
        under, on = [one.rank for one in self.under], [one.rank for one in self.on]
        return [*under, *([sorted(one.rank for one in self.mixed)] if self.mixed else []), *on]


def place_of(card: Card, cards: list[Card]) -> int:
    """Of the very card where it lies there, else of the first equal one."""
    ranks = [one.rank for one in cards]
    if card in cards:
        return cards.index(card) + 1
    return ranks.index(card.rank) + 1 if card.rank in ranks else 0


# ---- one card, several cards, in words and in lists

One = Callable[[Lists], Card | None]
Several = Callable[[Lists], list[Card]]


@frozen
class Meant:
    """`guard`: when there is one."""

    words: str
    find: One
    guard: str
    is_there: Callable[[Lists], bool]


@define
class Author:
    """Writes a rulebook: lines and what they do to the lists."""

    chance: Random
    markers: bool = True  # whether markers remember cards
    draws: bool = True

    def one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def zone(self) -> str:
        return self.one(*ORDERED, "bag")

    def at_end(self, zone: str) -> tuple[str, bool]:
        """Where something goes, in words; whether it is the bottom."""
        if zone in {"heap", "deck"} and self.chance.random() < 0.4:
            return f"bottom of {zone}", True
        return zone, False

    def target(self) -> tuple[str, str, bool]:
        zone = self.one(*ZONES)
        words, at_bottom = self.at_end(zone)
        return zone, words, at_bottom

    def kinds(self) -> list[str]:
        markers, lists = ["marker"] * 3 if self.markers else [], ["listed", "braces"] if self.draws else []
        return ["end", "item", "best", "either", "define", *markers, *lists]

    def meant(self, movable: bool = True) -> Meant:
        match self.one("end", "item", "best") if movable else self.one(*self.kinds()):
            case "end":
                zone = self.one(*ROWS, "heap", "tidy")
                first, last = ("bottom", "top") if zone == "heap" else ("first", "last")
                is_last = self.chance.random() < 0.4
                return Meant(
                    f"{last if is_last else first} of {zone}",
                    lambda lists: lists.zones[zone][-1 if is_last else 0],
                    f"count of {zone} >= 1", lambda lists: lists.size(zone) >= 1,
                )
            case "item":
                zone, k = self.one(*ROWS, "tidy"), self.chance.randint(1, 5)
                return Meant(
                    f"item {k} of {zone}", lambda lists: lists.zones[zone][k - 1],
                    f"count of {zone} >= {k}", lambda lists: lists.size(zone) >= k,
                )
            case "best":
                zone, is_high = self.zone(), self.chance.random() < 0.5
                direction = "highest" if is_high else "lowest"

                def best(lists: Lists) -> Card:
                    ranks = [one.rank for one in lists.zones[zone]]
                    return lists.zones[zone][ranks.index(max(ranks) if is_high else min(ranks))]

                words = f"the c in {zone} with {direction} rank of c"
                return Meant(f"({words})", best, f"count of {zone} >= 1", lambda lists: lists.size(zone) >= 1)
            case "either":
                left, right, k = self.meant(), self.meant(), self.chance.randint(1, 4)
                return Meant(
                    f"(if count of bag < {k} then {left.words} else {right.words})",
                    lambda lists: left.find(lists) if lists.size("bag") < k else right.find(lists),
                    f"{left.guard} and {right.guard}", lambda lists: left.is_there(lists) and right.is_there(lists),
                )
            case "listed":
                return self.meant_of_list()
            case "braces":
                one, other, is_high = self.meant(), self.meant(), self.chance.random() < 0.5

                def better(lists: Lists) -> Card | None:
                    found = [one.find(lists), other.find(lists)]
                    ranks = [card.rank for card in found if card is not None]
                    return found[ranks.index(max(ranks) if is_high else min(ranks))]

                return Meant(
                    f"(the c in {{{one.words}, {other.words}}} with {'highest' if is_high else 'lowest'} rank of c)",
                    better, f"{one.guard} and {other.guard}",
                    lambda lists: one.is_there(lists) and other.is_there(lists),
                )
            case "define":
                zone = self.one(*ROWS)
                return Meant(
                    f"second_or_first_of_{zone}",
                    lambda lists: lists.zones[zone][min(1, lists.size(zone) - 1)],
                    f"count of {zone} >= 1", lambda lists: lists.size(zone) >= 1,
                )
            case _:
                name = self.one(*MARKERS)
                return Meant(
                    name, lambda lists: lists.markers[name], f"{name} is not nothing",
                    lambda lists: lists.markers[name] is not None,
                )

    def meant_of_list(self) -> Meant:
        """An item of a list, in the order of the zone or by rank, of equal ones perhaps the first alone."""
        zone, k = self.one(*ROWS, "tidy", "heap", "bag"), self.chance.randint(1, 4)
        word, distinct = self.one("list", "sorted"), self.one("", "distinct ")

        def listed(lists: Lists) -> list[Card]:
            cards = lists.zones[zone][:: 2]
            if distinct:
                cards = [card for at, card in enumerate(cards) if all(other.rank != card.rank for other in cards[:at])]
            return sorted(cards, key=lambda one: one.rank) if word == "sorted" else cards

        some = f"({word} of {distinct}c over c in {zone} where position(c, {zone}) mod 2 = 1)"
        return Meant(
            f"(item {k} of {some})", lambda lists: listed(lists)[k - 1],
            f"count of {some} >= {k}", lambda lists: len(listed(lists)) >= k,
        )

    def several(self) -> tuple[str, Several]:
        """Some of a zone, in its order."""
        zone = self.zone()
        name = f"c{self.chance.randint(0, 9)}"
        match self.one("all", "rank", "place", "best", "not first"):
            case "all":
                return zone, lambda lists: lists.in_order(zone)
            case "rank":
                rank = self.chance.randint(1, RANKS)
                return f"{zone} where rank = {rank}", lambda lists: [
                    one for one in lists.zones[zone] if one.rank == rank
                ]
            case "place":
                k = self.chance.randint(1, 4)
                return f"{zone} where position(it, {zone}) >= {k}", lambda lists: lists.zones[zone][k - 1 :]
            case "best":
                def best(lists: Lists) -> list[Card]:
                    top = max((one.rank for one in lists.zones[zone]), default=0)
                    return [one for one in lists.zones[zone] if one.rank == top]

                return f"those {name} in {zone} with highest rank of {name}", best
            case _:
                return f"{zone} where position(it, {zone}) mod 2 = 0", lambda lists: lists.zones[zone][1::2]


Step = Callable[[Lists], Draw]


@frozen
class Line:
    words: tuple[str, ...]
    step: Step


def nothing_drawn(change: Callable[[Lists], None]) -> Step:
    def step(lists: Lists) -> Draw:
        change(lists)
        return
        yield

    return step


class Writer(Author):
    def line(self, depth: int = 0) -> Line:
        kinds = ["move", "all", "each", "some", "draw", "shuffle", "ask", "pair", "order", "swap"]
        if not self.draws:
            kinds.remove("draw")
        if self.markers:
            kinds += ["mark", "mark"]
        if self.draws:
            kinds.append("everything")
        if depth:
            kinds = ["move", "ask", "all", "swap"]
        if depth == 1 and self.draws:
            kinds += ["draw", "everything"]
        line: Line = getattr(self, f"line_{self.one(*kinds)}")()
        return line

    def line_move(self) -> Line:
        meant, (zone, words, at_bottom) = self.meant(), self.target()

        def change(lists: Lists) -> None:
            if meant.is_there(lists):
                card = meant.find(lists)
                assert card is not None
                lists.put(lists.take(card), zone, at_bottom)

        return Line((f"if {meant.guard}", f"  move {meant.words} to {words}"), nothing_drawn(change))

    def line_pair(self) -> Line:
        """Two one after the other."""
        one, other = self.line_move(), self.line_move()

        def step(lists: Lists) -> Draw:
            yield from one.step(lists)
            yield from other.step(lists)

        return Line((*one.words, *other.words), step)

    def line_all(self) -> Line:
        (what, find), (zone, words, at_bottom) = self.several(), self.target()
        what = f"({what})" if " " in what else what

        def change(lists: Lists) -> None:
            cards = list(find(lists))
            for card in cards:
                lists.take(card)
            for card in cards:
                lists.put(card, zone, at_bottom)

        return Line((f"move all {what} to {words}",), nothing_drawn(change))

    def line_swap(self) -> Line:
        """Both are taken up before either is put down."""
        one, other = self.zone(), self.zone()

        def change(lists: Lists) -> None:
            ones, others = lists.in_order(one), lists.in_order(other) if one != other else []
            for card in (*ones, *others):
                lists.take(card)
            for cards, zone in ((ones, other), (others, one)):
                for card in cards:
                    lists.put(card, zone)

        return Line((f"swap {one} with {other}",), nothing_drawn(change))

    def line_everything(self) -> Line:
        """Every card, or every one of a rank, wherever it lies."""
        rank = self.chance.choice((None, None, *range(1, RANKS + 1)))
        what = "Card" if rank is None else f"(Card where rank = {rank})"
        is_mixed = self.chance.random() < 0.3
        zone, words, at_bottom = self.target()

        def change(lists: Lists) -> None:
            cards = lists.everything(rank)
            for card in cards:
                lists.take(card)
            if is_mixed:
                lists.moved += len(cards)
                lists.mixed = [*lists.under, *lists.mixed, *lists.on, *cards]
                lists.under, lists.on = [], []
                return
            for card in cards:
                lists.put(card, zone, at_bottom)

        line = f"shuffle all {what} into deck" if is_mixed else f"move all {what} to {words}"
        return Line((line,), nothing_drawn(change))

    def line_order(self) -> Line:
        source, (zone, words, at_bottom) = self.zone(), self.target()
        is_reverse = self.chance.random() < 0.5

        def change(lists: Lists) -> None:
            cards = sorted(lists.in_order(source), key=lambda one: one.rank, reverse=is_reverse)
            for card in cards:
                lists.take(card)
            for card in cards:
                lists.put(card, zone, at_bottom)

        order = "reverse order" if is_reverse else "order"
        return Line((f"move all {source} to {words} in {order} of rank",), nothing_drawn(change))

    def line_some(self) -> Line:
        source, rank, (zone, words, at_bottom) = self.zone(), self.chance.randint(1, RANKS), self.target()
        many = self.chance.randint(1, 2)

        def change(lists: Lists) -> None:
            cards = [one for one in lists.zones[source] if one.rank == rank][:many]
            if len(cards) == many:
                for card in cards:
                    lists.take(card)
                for card in cards:
                    lists.put(card, zone, at_bottom)

        some = f"{source} where rank = {rank}"
        return Line(
            (f"if (count of {some}) >= {many}", f"  move {many} of ({some}) to {words}"), nothing_drawn(change)
        )

    def line_each(self) -> Line:
        """What there is at the beginning is gone through, whatever else the body moves."""
        (what, find), (zone, words, at_bottom) = self.several(), self.target()
        other = self.line(1) if self.chance.random() < 0.5 else None
        rank, is_first = self.chance.randint(0, RANKS), self.chance.random() < 0.5
        by_place = f"position(c, {self.one(*ROWS)})"
        key = self.one("", "", " in order of rank of c", " in reverse order of rank of c", f" in order of {by_place}")

        def step(lists: Lists) -> Draw:
            cards = list(find(lists))
            if by_place in key:
                places = {card: place_of(card, lists.zones[key.split()[-1].rstrip(")")]) for card in cards}
                cards.sort(key=places.__getitem__)
            elif key:
                cards.sort(key=lambda one: one.rank, reverse="reverse" in key)
            now: list[Card] = []
            lists.followed += [cards, now]
            while cards:
                now[:] = [cards.pop(0)]
                if other is not None and is_first:
                    yield from other.step(lists)
                if now[0].rank > rank:
                    lists.put(lists.take(now[0]), zone, at_bottom)
                if other is not None and not is_first:
                    yield from other.step(lists)
            del lists.followed[-2:]

        body = (f"  if rank of c > {rank}", f"    move c to {words}")
        lines = tuple(f"  {line}" for line in other.words) if other is not None else ()
        return Line((f"each c in {what}{key}", *((*lines, *body) if is_first else (*body, *lines))), step)

    def line_draw(self) -> Line:
        target, (zone, words, at_bottom) = self.zone(), self.target()
        other = self.line(2)
        name = f"new{self.chance.randint(0, 9999)}"

        def step(lists: Lists) -> Draw:
            if lists.size("deck") < 1:
                return
            card = yield from lists.draw(target)
            drawn = [card]
            lists.followed.append(drawn)
            yield from other.step(lists)
            lists.put(lists.take(drawn[0]), zone, at_bottom)
            lists.followed.pop()

        lines = tuple(f"  {line}" for line in other.words)
        return Line(
            ("if deck is not empty", f"  draw 1 from deck to {target} as {name}", *lines, f"  move {name} to {words}"),
            step,
        )

    def line_shuffle(self) -> Line:
        source = self.one("deck", "deck", *ORDERED, "bag")

        def change(lists: Lists) -> None:
            cards = lists.in_order(source) if source != "deck" else []
            for card in cards:
                lists.take(card)
            lists.moved += len(cards)
            lists.mixed = [*lists.under, *lists.mixed, *lists.on, *cards]
            lists.under, lists.on = [], []

        return Line(("shuffle deck" if source == "deck" else f"shuffle {source} into deck",), nothing_drawn(change))

    def line_mark(self) -> Line:
        meant, name = self.meant(False), self.one(*MARKERS)

        def change(lists: Lists) -> None:
            if meant.is_there(lists):
                lists.markers[name] = meant.find(lists)

        return Line((f"if {meant.guard}", f"  {name} becomes {meant.words}"), nothing_drawn(change))

    def line_ask(self) -> Line:
        """`position`: of the one that is meant where it lies there, else of the first equal one."""
        meant, zone = self.meant(False), self.zone()

        def change(lists: Lists) -> None:
            if meant.is_there(lists):
                card = meant.find(lists)
                assert card is not None
                lists.asked = [place_of(card, lists.zones[zone])]

        return Line((f"if {meant.guard}", f"  asked becomes position({meant.words}, {zone})"), nothing_drawn(change))


@frozen
class Chosen:
    """What an action asks for: in words, what may be chosen, how many at once (none: one alone)."""

    words: str
    candidates: Several
    most: int | None

    def cards(self, lists: Lists, ranks: list[int]) -> list[Card]:
        """Of equal ones the first that could be chosen."""
        left, found = self.candidates(lists), []
        for rank in ranks:
            card = next(one for one in left if one.rank == rank)
            found.append(card)
            left = [one for one in left if one is not card]
        return found


@define
class Action:
    before: list[Line]
    after: list[Line]
    chosen: Chosen | None = None
    zone: str = ""
    words: str = ""
    at_bottom: bool = False
    by_rank: bool = False  # one after the other

    def lines(self) -> list[str]:
        found = [words for line in self.before for words in line.words]
        if self.chosen is not None and self.chosen.most is None:
            found.append(f"move c to {self.words}")
        elif self.by_rank:
            found += ["each c in cards in reverse order of rank of c", f"  move c to {self.words}"]
        elif self.chosen is not None:
            found.append(f"move all cards to {self.words}")
        return found + [words for line in self.after for words in line.words]

    def step(self, lists: Lists, ranks: list[int]) -> Draw:
        cards = self.chosen.cards(lists, ranks) if self.chosen is not None else []
        lists.followed.append(cards)
        for line in self.before:
            yield from line.step(lists)
        lists.followed.pop()
        if self.by_rank:
            for card in sorted(cards, key=lambda one: one.rank, reverse=True):
                lists.put(lists.take(card), self.zone, self.at_bottom)
        else:
            for card in cards:
                lists.take(card)
            for card in cards:
                lists.put(card, self.zone, self.at_bottom)
        for line in self.after:
            yield from line.step(lists)


class ActionWriter(Writer):
    def action(self, may_choose: bool) -> Action:
        lines = [self.line() for _ in range(self.chance.randint(1, 3))]
        if not may_choose or self.chance.random() < 0.5:
            return Action(lines, [])
        zone, words, at_bottom = self.target()
        most = self.chance.choice((None, None, 2))
        before = [self.line(1)] if self.chance.random() < 0.5 else []
        by_rank = most is not None and self.chance.random() < 0.5
        return Action(before, lines[:1], self.chosen(most), zone, words, at_bottom, by_rank)

    def chosen(self, most: int | None) -> Chosen:
        zone, k = self.zone(), self.chance.randint(1, 3)
        where, find = self.chance.choice((
            ("", lambda lists: lists.in_order(zone)),
            (f" where rank >= {k}", lambda lists: [one for one in lists.zones[zone] if one.rank >= k]),
            (f" where position(it, {zone}) >= {k}", lambda lists: lists.zones[zone][k - 1 :]),
        ))
        name = "c" if most is None else f"1..{most} cards"
        return Chosen(f"({name} from {zone}{where})", find, most)


@define
class Rulebook:
    text: str
    actions: list[Action]
    dealt: dict[str, int]
    copies: int
    decisions: int

    def lists(self) -> Lists:
        """Before the setup: all cards are in the shuffled deck."""
        cards = [Card(rank, number) for rank in range(1, RANKS + 1) for number in range(self.copies)]
        return Lists({zone: [] for zone in ZONES if zone != "deck"}, mixed=cards, asked=[0])

    def setup(self, lists: Lists) -> Draw:
        for zone, amount in self.dealt.items():
            for _ in range(amount):
                yield from lists.draw(zone)

    def action(self, number: int, ranks: list[int], lists: Lists) -> Draw:
        yield from self.actions[number].step(lists, ranks)

    def points(self, lists: Lists) -> int:
        return lists.asked[0] + sum(card.rank * at for at, card in enumerate(lists.zones["left"], start=1))

    def options(self, lists: Lists) -> set[tuple[int, tuple[int, ...]]]:
        """Every action with the ranks that may be chosen."""
        found: set[tuple[int, tuple[int, ...]]] = set()
        for number, action in enumerate(self.actions):
            if action.chosen is None:
                found.add((number, ()))
                continue
            ranks = [card.rank for card in action.chosen.candidates(lists)]
            for size in range(1, (action.chosen.most or 1) + 1):
                found |= {(number, tuple(sorted(some))) for some in combinations(ranks, size)}
        return found


def rulebook(
    seed: int, actions: int = 6, decisions: int = 20, markers: bool = True, draws: bool = True, cards: int = 4
) -> Rulebook:
    """`draws`: whether anything is drawn after the setup; `cards`: how many equal ones there are at most."""
    chance = Random(seed)
    writer = ActionWriter(chance, markers, draws)
    copies = chance.randint(2, cards)
    dealt = {zone: chance.randint(0, copies) for zone in ("left", "right", "heap", "tidy", "bag")}
    if cards == 2:
        dealt = {"left": 2, "right": 1, "heap": chance.randint(0, 1)}
    while sum(dealt.values()) > RANKS * copies:
        dealt = {zone: max(0, amount - 1) for zone, amount in dealt.items()}
    made = [writer.action(number > 0) for number in range(actions)]
    names = [f"do{number}" for number in range(actions)]
    joined = ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]
    parts = [
        f"card Card: rank 1..{RANKS}, {copies} of each",
        "zone deck: pile of Card, hidden",
        f"zone left: row of Card, {chance.choice(('public', 'hidden'))}",
        "zone right: row of Card, public",
        f"zone heap: pile of Card, {chance.choice(('public', 'public top'))}",
        "zone tidy: row of Card, public, sorted by rank",
        f"zone bag: set of Card, {chance.choice(('public', 'hidden'))}",
        *(f"marker {name}: Card or nothing" for name in MARKERS),
        "number asked: 0..99 = 0",
        *(f"define second_or_first_of_{zone} = if count of {zone} >= 2 then item 2 of {zone} else first of {zone}"
          for zone in ROWS),
        "setup", "  shuffle all Card into deck",
        *(f"  draw {amount} from deck to {zone}" for zone, amount in dealt.items() if amount),
        f"phase play: repeat {decisions} times", f"  choose {joined}",
    ]
    for name, own in zip(names, made, strict=True):
        asked = own.chosen.words if own.chosen is not None else ""
        parts += [f"action {name}{asked}", *(f"  {words}" for words in own.lines())]
    parts += [
        "score at end", "  points = asked + sum of (rank of c * position(c, left)) over c in left",
        "ranking: highest total, ties share",
    ]
    return Rulebook("\n".join(parts), made, dealt, copies, decisions)
