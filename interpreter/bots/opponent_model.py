"""What a choice tells of what the chooser holds: how likely each holding would have led to it.

Whoever chose is taken for somebody who searches a little, and chooses an option as often as such a search tries it.
Takes what everybody heard and knew, gives for each place into which only the chooser looks a weight for every kind;
nothing else goes in, so that nothing leaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from attrs import evolve

from rulesrun.interpreter.bots.bot import BotChance
from rulesrun.interpreter.bots.consistent_deals import (
    SHUFFLED,
    Dealer,
    count_thrown,
    fill_marks,
    shuffle_kinds,
    zones_by_slot,
)
from rulesrun.interpreter.bots.deliberation import Manner, Think
from rulesrun.interpreter.bots.observation import NEUTRAL, HeardChoice, Observation, SlotWeights
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.model.values import OPTIONS, PC, Fault
from rulesrun.interpreter.play.player_memory import announcement
from rulesrun.interpreter.reference.decisions import DecisionWait, OptionKey

HOLDINGS = 16  # that are tried for each choice
MOST_HELD = 8  # components in a hand: of more, few holdings tell by chance more than the choice does
FEWEST_GAMES, MOST_GAMES = 8, 64  # of the search for each of them: who is taken to play better is trusted too much
DEALS = 4  # of the first look
HASTY = Manner(tries=1)
SHARE = 1 << 16
LEAST, MOST = NEUTRAL // 32, NEUTRAL * 32


def weigh_hidden_components(seen: Observation, think: Think, games: int, until: float | None = None) -> Observation:
    """The same observation, with a weight for each kind that may lie where others look. `games`: of the search that
    asks; `until`: what is not weighed by then is not."""
    weights: dict[int, dict[int, int]] = {}
    for tell in reversed(seen.tells):
        if until is not None and monotonic() > until:
            break
        told = weigh_holdings(tell.heard, think, min(max(games // HOLDINGS, FEWEST_GAMES), MOST_GAMES))
        for slot, kept, size in tell.kept:
            own = weights.setdefault(slot, {})
            for kind, weight in told.get(slot, {}).items():
                mixed = (weight * kept + NEUTRAL * (size - kept)) // size
                own[kind] = min(max(own.get(kind, NEUTRAL) * mixed // NEUTRAL, LEAST), MOST)
    found = tuple((slot, tuple(sorted(own.items()))) for slot, own in sorted(weights.items()) if own)
    return evolve(seen, weights=found)


def weigh_holdings(heard: HeardChoice, think: Think, games: int) -> SlotWeights:
    """By place and kind, worked out once; `NEUTRAL` where a kind is as likely as before."""
    found = heard.weights.get(games)
    if found is None:
        found = heard.weights[games] = try_holdings(heard, think, games)
    return found


def try_holdings(heard: HeardChoice, think: Think, games: int) -> SlotWeights:
    before = pin_what_was_shown(heard)
    if any(thrown != SHUFFLED for thrown in count_thrown(before)):
        return {}
    places = [slot for slot in heard.places if any(mark < 0 for mark in flatten_content(before.slots[slot]))]
    sums, counts = dict[tuple[int, int], int](), dict[tuple[int, int], int]()
    is_large = sum(mark < 0 for slot in places for mark in flatten_content(before.slots[slot])) > MOST_HELD
    total = tried = 0
    chance = BotChance(heard.number)
    for _ in range(HOLDINGS if places else 0):
        held = hold_something(before, heard.chooser, places, chance)
        if held is None:
            continue
        share = share_of_choice(heard, held, think, 0 if is_large else games)
        total, tried = total + share, tried + 1
        for slot in places:
            for kind in set(flatten_content(held.slots[slot])):
                sums[slot, kind] = sums.get((slot, kind), 0) + share
                counts[slot, kind] = counts.get((slot, kind), 0) + 1
    if not total:
        return {slot: exclude_kinds(heard, before, slot, chance) for slot in places} if tried else {}
    if is_large:
        return {}
    found: dict[int, dict[int, int]] = {}
    for (slot, kind), one in sums.items():  # as if there were more of the mean: what is told of many is told of none
        more = sum(mark < 0 for mark in flatten_content(before.slots[slot]))
        weight = NEUTRAL * (one * tried + more * total) // ((counts[slot, kind] + more) * total)
        found.setdefault(slot, {})[kind] = min(max(weight, LEAST), MOST)
    return found


def pin_what_was_shown(heard: HeardChoice) -> Observation:
    """What came out of the hand was in it."""
    slots, groups = list(heard.before.slots), [list(group) for group in heard.before.groups]
    for slot, kind in heard.left:
        content = slots[slot]
        at = next((at for at, mark in enumerate(content)
                   if isinstance(mark, int) and mark < 0 and kind in groups[-mark - 1]), None)
        if kind not in content and at is not None:
            groups[-content[at] - 1].remove(kind)
            slots[slot] = (*content[:at], kind, *content[at + 1 :])
    return evolve(heard.before, slots=tuple(slots), groups=tuple(map(tuple, groups)))


def exclude_kinds(heard: HeardChoice, before: Observation, slot: int, chance: BotChance) -> dict[int, int]:
    """Where no holding that was tried fits: which kinds rule the choice out by themselves, beside what was shown."""
    shown = tuple(mark for mark in before.slots[slot] if isinstance(mark, int) and mark >= 0)
    if not fits_with(heard, before, slot, shown, chance):
        return {}
    kinds = {kind for mark in before.slots[slot] if isinstance(mark, int) and mark < 0
             for kind in before.groups[-mark - 1]}
    return {kind: LEAST for kind in sorted(kinds)
            if not fits_with(heard, before, slot, tuple(sorted((*shown, kind))), chance)}


def fits_with(heard: HeardChoice, before: Observation, slot: int, content: tuple[int, ...], chance: BotChance) -> bool:
    slots = (*before.slots[:slot], content, *before.slots[slot + 1 :])
    held = hold_something(evolve(before, slots=slots), heard.chooser, (), chance)
    return held is not None and any(is_as_heard(heard, option) for option in held.options)


def hold_something(before: Observation, chooser: int, places: Sequence[int], chance: BotChance) -> Observation | None:
    """What the chooser knew, were this the holding; nothing where that would not have been asked."""
    below, rooms = chance.next_stretch(), zones_by_slot(before.table)
    stacks = [shuffle_kinds(list(group), below) for group in before.groups]
    slots = list(before.slots)
    for slot in places:
        slots[slot] = fill_marks(slots[slot], stacks, rooms.get(slot))
    held = Observation(before.table, chooser, tuple(slots), tuple(tuple(sorted(one)) for one in stacks), (),
                       below(1 << 30))
    try:
        S = Dealer(held).deal(below)
        wait = before.table.run_to_question(S)
    except Fault:
        return None
    if not isinstance(wait, DecisionWait) or S[PC] != before.slots[PC]:
        return None
    return evolve(held, options=tuple(S[OPTIONS]))


def share_of_choice(heard: HeardChoice, held: Observation, think: Think, games: int) -> int:
    """How likely it would have been, in parts of `SHARE`; without games: whether it could have been."""
    fitting = [is_as_heard(heard, option) for option in held.options]
    if not any(fitting):
        return 0
    if all(fitting) or not games:
        return SHARE
    thought, wanted = think(held, HASTY), [True] * len(held.options)
    thought.begin_search(thought.evaluate_options(DEALS, 0, wanted), wanted, games)
    thought.search_games(games)
    visits = [one for one, _ in thought.option_visits()]
    tried = sum(one + 1 for one, fits in zip(visits, fitting, strict=True) if fits)
    return SHARE * tried // sum(one + 1 for one in visits)


def is_as_heard(heard: HeardChoice, option: OptionKey) -> bool:
    """Whether the others would have heard and seen the same."""
    wait = heard.before.table.waits[heard.before.slots[PC]]
    assert isinstance(wait, DecisionWait)
    if announcement(wait, option) != heard.said:
        return False
    choices = wait.offers[option[0]].action.choices
    named = [one for choice, value in zip(choices, option[1:], strict=True) if choice.is_component
             for one in listed(value)]
    return not heard.seen or all(kind in heard.seen for kind in named)


def listed(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
