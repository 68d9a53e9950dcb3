"""Whether options give away what the chooser cannot see. Takes positions of a game, gives the leaks.

At a decision everything that the chooser cannot see - components, numbers, words, what lies in the box - is as it might
be otherwise, for all that the chooser has seen; the same player must be asked and the same options must be legal. The
smallest change that makes a difference is what is told. While a game is made smaller, any deal that makes a difference
at the place in question is enough; the smallest change is looked for in the last game alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, takewhile
from typing import Any

from attrs import define, evolve, field, frozen

from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.bots.consistent_deals import Dealer
from rulesrun.interpreter.bots.observation import Observation
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import OPTIONS, PC, PLAYER, TEAM, Fault, Slots
from rulesrun.interpreter.play.position_changes import format_variable_value
from rulesrun.interpreter.play.step import Option, make_option
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.open_choices import OpenChoices, prove_open_choices
from rulesrun.interpreter.secrecy.redealing import (
    ComponentPlace,
    exchange_spots,
    exchangeable_pairs,
    find_hidden_variables,
    find_possible_values,
    find_unseen_spots,
    list_places,
    other_values,
)
from rulesrun.interpreter.secrecy.seat_knowledge import KnowledgeObserver

DEALS = 4
THOROUGH_DEALS = 8
SOUGHT_DEALS = 40  # where something else is given away than what is sought
SELDOM = 4
ENOUGH = 3  # leaks at one place in the rules of which the smallest change is looked for

Offered = tuple[int, tuple[OptionKey, ...]]  # where somebody is asked, and the options
RulePlace = tuple[str, int]  # a file, and where in it


@frozen(eq=False)
class Leak:
    """`option`: legal only as things are (or only otherwise); None: whether the player is asked at all.

    `swapped`: what lies where and would have to lie elsewhere; `values`: what is one thing and would be another.
    `from_all`: nobody can see it.
    """

    player: int
    option: Option | None
    is_offered: bool
    swapped: tuple[tuple[str, str], ...]
    span: Span
    values: tuple[tuple[str, str, str], ...] = ()
    from_all: bool = False


@frozen(eq=False)
class OtherPosition:
    """A position that the chooser could not tell from the real one, what is offered there, and what is different."""

    S: Slots
    offered: Offered
    swapped: tuple[tuple[str, str], ...] = ()
    values: tuple[tuple[str, str, str], ...] = ()


@frozen(eq=False)
class AskedDecision:
    """The decision as it is in the game. `before`: the position that might be otherwise; `seen`: what is known of it,
    by the player, or (`is_wide`) by all players together.
    """

    player: int
    wait: DecisionWait
    offered: Offered
    S: Slots
    seen: Observation
    before: Slots
    is_wide: bool = False


@define(eq=False)
class LeakWatcher:
    """Follows one game after the other, each for one seat; `is_thorough`: for all, and with more deals.

    `sought`: the place in the rules whose leak is meant, no other; `exchanges`: whether the smallest change is looked
    for.
    """

    table: Table
    is_thorough: bool = False
    sought: RulePlace | None = None
    exchanges: bool = True
    shown: tuple[OtherPosition, AskedDecision] | None = None  # by what deal the last leak at the place sought was found
    looked: int = 0  # decisions at which something was taken to be otherwise
    open: int = 0  # decisions at which nothing lay hidden from the chooser
    dealt: int = 0  # deals of what is unseen
    tried: int = 0  # positions that were looked at for the smallest change that tells something
    streams: Streams = field(init=False, factory=lambda: Streams(0))
    following: KnowledgeObserver = field(init=False)
    places: list[ComponentPlace] = field(init=False)
    asked_seats: tuple[int, ...] = field(init=False)
    proofs: OpenChoices = field(init=False)
    looks_wide: bool = field(init=False)  # whether what nobody can see decides who is asked
    possible: dict[int, tuple[Any, ...]] = field(init=False)  # by slot, where not all values of its type are
    found_at: Counter[Span] = field(factory=Counter)  # the watches of one search have one in common
    _games: int = 0
    _asked: int = 0

    def __attrs_post_init__(self) -> None:
        self.following = KnowledgeObserver(self.table, (1,))
        self.places = list_places(self.table)
        known = find_possible_values(self.table)
        self.possible = {
            slot: tuple(sorted(known[id(room.declaration)], key=repr))
            for room in self.table.bench.variables.values() if id(room.declaration) in known
            for slot in range(room.base, room.base + room.amount)
        }
        self.proofs = prove_open_choices(self.table)
        decisions = [wait for wait in self.table.waits.values() if isinstance(wait, DecisionWait)]
        seats = range(1, self.table.players + 1) if any(not wait.is_team for wait in decisions) else ()
        has_team = any(wait.is_team for wait in decisions)
        self.looks_wide = not has_team and not self.proofs.flow
        self.asked_seats = (*([TEAM] if has_team or self.looks_wide else []), *seats)

    def begin_game(self) -> None:
        """A new game; the next seat is followed."""
        self.streams = Streams(0)
        at = self._games % max(len(self.asked_seats), 1)
        self._games += 1
        self.following.begin_game(self.asked_seats if self.is_thorough else self.asked_seats[at : at + 1])

    def run_to_question(self, S: Slots) -> Any:
        return self.following.run_to_question(S)

    def apply_answer(self, S: Slots, wait: Any, value: Any) -> None:
        self.following.apply_answer(S, wait, value)

    def find_leak(self, S: Slots, wait: DecisionWait) -> Leak | None:
        """Deals anew a few times; the smallest change with which the player learns something."""
        player, before = wait.chooser(S), self.following.before
        found = None
        if player in self.following.beliefs and self.is_worth_checking(wait):
            seen = self.following.observe_before(player)
            found = self.search_leak(AskedDecision(player, wait, (S[PC], tuple(S[OPTIONS])), S, seen, before))
        if found is None and self.looks_wide and TEAM in self.following.beliefs:
            seen, before = self.following.observe_before(TEAM, True), self.following.earlier
            found = self.search_leak(AskedDecision(player, wait, (S[PC], ()), S, seen, before, True))
        return found

    def search_leak(self, asked: AskedDecision) -> Leak | None:
        dealer = self.make_dealer(asked.seen)
        if not dealer.gaps and not dealer.unknown:
            self.open += not asked.is_wide  # what all see together tells nothing of what the chooser does not
            return None
        self.looked += 1
        first: OtherPosition | None = None
        for number in range(SOUGHT_DEALS if self.sought is not None else THOROUGH_DEALS if self.is_thorough else DEALS):
            if number >= THOROUGH_DEALS and first is None:
                break
            other = self.find_difference_of_deal(dealer, number % 2 == 1, asked)
            if other is None:
                continue
            if self.sought is not None:
                first = first or other
                if self.shows_place(other, asked):
                    return self.find_sought_leak(other, asked)
            elif self.is_thorough or not self.is_well_known(other, asked):
                return self.find_smallest_leak(other, asked)
        return self.smallest_change(first, asked) if first is not None and self.exchanges else None

    def find_difference_of_deal(self, dealer: Dealer, is_sorted: bool, asked: AskedDecision) -> OtherPosition | None:
        self.dealt += 1
        try:
            dealt = self.deal_otherwise(dealer, is_sorted)
        except Fault:  # nothing fits to what others have chosen at the same moment
            return None
        return self.find_difference(dealt, asked)

    def shows_place(self, other: OtherPosition, asked: AskedDecision) -> bool:
        """Whether it is a leak, and at the place that is sought, where one is."""
        if self.sought is None:
            return self.is_allowed(other.S, asked)
        is_there = any(place_of(leak.span) == self.sought for leak in self.list_leaks(other, asked))
        return is_there and self.is_allowed(other.S, asked)

    def find_sought_leak(self, whole: OtherPosition, asked: AskedDecision) -> Leak | None:
        self.shown = whole, asked
        return self.smallest_change(whole, asked) if self.exchanges else self.make_leak(whole, asked)

    def find_smallest_of_shown(self) -> Leak | None:
        """Of the leak that was found last at the place sought."""
        return self.smallest_change(*self.shown) if self.shown is not None else None

    def is_well_known(self, other: OtherPosition, asked: AskedDecision) -> bool:
        """Whether the smallest change was found so often where the rules say this that once more tells nothing."""
        return self.found_at[self.make_leak(other, asked).span] >= ENOUGH

    def deal_otherwise(self, dealer: Dealer, is_sorted: bool) -> Slots:
        """At random; or sorted, so that one place gets what is alike."""
        if not is_sorted:
            return dealer.deal(lambda amount: self.streams.random_below(amount, "deal"))
        turned = []
        for group in dealer.seen.groups:
            at = self.streams.random_below(max(len(group), 1), "deal")
            turned.append((*group[at:], *group[:at]))
        return self.make_dealer(evolve(dealer.seen, groups=tuple(turned))).deal(lambda amount: amount - 1)

    def make_dealer(self, seen: Observation) -> Dealer:
        """It takes no number or marker for what it can never be."""
        found = Dealer(seen)
        found.unknown = [(slot, self.possible.get(slot, values)) for slot, values in found.unknown]
        return found

    def is_worth_checking(self, wait: DecisionWait) -> bool:
        """What is proved from the rules is looked at now and then all the same."""
        self._asked += 1
        is_proved = self.proofs.flow and wait.pc in self.proofs.proved
        return self.is_thorough or not is_proved or self._asked % SELDOM == 0

    # ---- the other position

    def find_difference(self, S: Slots, asked: AskedDecision, **what: Any) -> OtherPosition | None:
        """Where the game comes to from there, when that is something else; None when it is the same."""
        start = list(S)
        try:
            wait = self.following.run_to_choice(S, asked.is_wide)
        except (Fault, TypeError):
            return None
        is_same = isinstance(wait, DecisionWait) and wait.chooser(S) == asked.player
        offered: Offered = (S[PC], () if asked.is_wide else tuple(S[OPTIONS])) if is_same else (-1, ())
        return OtherPosition(start, offered, **what) if offered != asked.offered else None

    def find_smallest_leak(self, whole: OtherPosition, asked: AskedDecision) -> Leak | None:
        found = self.smallest_change(whole, asked)
        if found is not None and not self.is_thorough:
            self.found_at[self.make_leak(whole, asked).span] += 1
        return found

    def smallest_change(self, whole: OtherPosition, asked: AskedDecision) -> Leak | None:
        """One value, or an exchange of two, that makes a difference; else all that is different."""
        for other in chain(self.change_single_values(whole, asked), self.exchange_pairs(asked)):
            if self.shows_place(other, asked):
                return self.make_leak(other, asked)
        return self.make_leak(self.name_differences(whole, asked), asked) if self.shows_place(whole, asked) else None

    def change_single_values(self, whole: OtherPosition, asked: AskedDecision) -> Iterator[OtherPosition]:
        before = asked.before
        for slot, room, name in find_hidden_variables(self.table, asked.seen):
            others = [
                value for value in other_values(self.table, room, before[slot])
                if value in self.possible.get(slot, (value,))
            ]
            for value in sorted(others, key=lambda one: one != whole.S[slot]):
                S = list(before)
                S[slot] = value
                change = (
                    name,
                    format_variable_value(self.table, room, before[slot]),
                    format_variable_value(self.table, room, value),
                )
                self.tried += 1
                other = self.find_difference(S, asked, values=(change,))
                if other is not None:
                    yield other
                    break

    def exchange_pairs(self, asked: AskedDecision) -> Iterator[OtherPosition]:
        before = asked.before
        for one, other in exchangeable_pairs(find_unseen_spots(self.places, asked.seen, before)):
            swapped = tuple((spot.place.kinds.names[spot.kind], spot.place.name) for spot in (one, other))
            self.tried += 1
            found = self.find_difference(exchange_spots(before, one, other), asked, swapped=swapped)
            if found is not None:
                yield found

    def name_differences(self, whole: OtherPosition, asked: AskedDecision) -> OtherPosition:
        """What is different there, by name."""
        before, swapped, values = asked.before, [], []
        for place in self.places:
            gone = Counter(flatten_content(before[place.slot])) - Counter(flatten_content(whole.S[place.slot]))
            is_reordered = not gone and before[place.slot] != whole.S[place.slot]
            kinds = flatten_content(before[place.slot]) if is_reordered else sorted(gone.elements())
            swapped += [(place.kinds.names[kind], place.name) for kind in kinds]
        for room in self.table.bench.variables.values():
            for number, name in enumerate(room.names):
                now, then = before[room.base + number], whole.S[room.base + number]
                if now != then:
                    values.append(
                        (
                            name,
                            format_variable_value(self.table, room, now),
                            format_variable_value(self.table, room, then),
                        )
                    )
        return OtherPosition(whole.S, whole.offered, tuple(swapped), tuple(values))

    def is_allowed(self, S: Slots, asked: AskedDecision) -> bool:
        """Whether what always holds would hold there, too: else the player could work out how things lie.

        A property that asks what can be done says nothing of how things lie.
        """
        before = list(asked.before)
        for judged in self.table.watches.properties:
            if judged.declaration.word in {"always", "never"} and not judged.asks_what_can_be_done:
                expected = judged.declaration.word == "always"
                try:
                    if bool(judged.code.run(list(S))) is not expected and bool(judged.code.run(before)) is expected:
                        return False
                except (Fault, TypeError):
                    continue
        return True

    # ---- what is told

    def make_leak(self, other: OtherPosition, asked: AskedDecision) -> Leak:
        """At the place that is sought, when it shows there, else the first."""
        leaks = self.list_leaks(other, asked)
        first = next(leaks)
        if self.sought is None:
            return first
        return next((one for one in chain([first], leaks) if place_of(one.span) == self.sought), first)

    def list_leaks(self, other: OtherPosition, asked: AskedDecision) -> Iterator[Leak]:
        """Whether the player is asked at all; else every option that is legal here or there alone, those here first."""
        if other.offered[0] != asked.offered[0]:
            span = self.find_parting_condition(other, asked)
            yield Leak(asked.player, None, True, other.swapped, span, other.values, asked.is_wide)
            return
        here, there = set(asked.offered[1]), set(other.offered[1])
        for is_offered, keys in ((True, here - there), (False, there - here)):
            for key in sorted(keys, key=repr):
                option = make_option(self.table, asked.wait, key)
                start = list(other.S if is_offered else asked.S)
                start[PLAYER] = asked.S[PLAYER]
                span = find_withholding_rule(start, asked.wait, key)
                yield Leak(asked.player, option, is_offered, other.swapped, span, other.values)

    def find_parting_condition(self, other: OtherPosition, asked: AskedDecision) -> Span:
        """The condition from which on the game went on otherwise there."""
        ways: tuple[list[int], list[int]] = ([], [])
        for S, way in zip((asked.before, other.S), ways, strict=True):
            self.following.run_to_choice(list(S), asked.is_wide, way)
        same = takewhile(lambda both: both[0] == both[1], zip(*ways, strict=False))
        *_, (last, _) = same
        return self.table.operations[last].node.span


def place_of(span: Span) -> RulePlace:
    return span.file, span.start


def find_withholding_rule(S: Slots, wait: DecisionWait, key: OptionKey) -> Span:
    """The condition, or else the choice, for which the option is not legal there."""
    ready = wait.offers[key[0]].action
    for choice, value in zip(ready.choices, key[1:], strict=True):
        if value not in choice.values(S):
            return choice.choice.span
        S[choice.slot] = value
        if choice.is_player:
            S[PLAYER] = value
    failing = (need.span for _, need, code in ready.needs if not code.run(S))
    return next(failing, ready.action.span)
