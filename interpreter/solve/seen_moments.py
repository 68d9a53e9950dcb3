"""What a player remembers and no longer sees: takes information sets that look alike, gives what tells them apart.

Two positions at which the same lies open and the same was heard are told apart by what was seen between, and is gone.
Of a group of such sets every memory is gone through again, moment by moment; what all of them have in common is left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from attrs import define, field

from rulesrun.interpreter.model.compile_context import ZoneRoom
from rulesrun.interpreter.model.domains import argument_to_external, number_to_external, to_external
from rulesrun.interpreter.model.values import PC, PHASE, ROUND, SHEETS, STARTER
from rulesrun.interpreter.play.player_memory import PlayerMemories
from rulesrun.interpreter.play.visibility import can_see, shown_entry_to_json, visible_slots, zone_to_json
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.score_lookups import total_points
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.game_tree import Heard, InformationSet

Moment = dict[str, Any]  # what it was by one word: saw, shown, turn, offered, chose, heard


def find_telling_moments(
    table: Table, memories: PlayerMemories, sets: Sequence[InformationSet]
) -> dict[int, tuple[Moment, ...]]:
    """By the number of the set, of those that look like another one."""
    groups: dict[Any, list[InformationSet]] = {}
    for one in sets:
        groups.setdefault((one.player, seen_now(table, one), one.heard), []).append(one)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return {}
    histories = memories.recall_histories([one.memory for group in alike for one in group])
    found: dict[int, tuple[Moment, ...]] = {}
    for group in alike:
        writer = MomentWriter(table, group[0].player)
        told = [list(writer.write_moments(one, histories[one.memory])) for one in group]
        found.update(zip((one.number for one in group), leave_out_common(told), strict=True))
    return found


def seen_now(table: Table, one: InformationSet) -> tuple[Any, ...]:
    """What lies before the player's eyes."""
    slots = table.to_slots(one.state)
    return tuple(
        slots[room.base + number]
        for room in table.bench.zones.values()
        for number in range(room.amount)
        if room.declaration.visibility != "public top" and can_see(room, number, one.player)
    )


def leave_out_common(told: Sequence[list[Moment]]) -> Iterator[tuple[Moment, ...]]:
    """Of histories as long as each other, what differs in the moments in which any two differ; else what is left
    between a common beginning and a common end."""
    if len({len(one) for one in told}) == 1:
        columns = [narrow_moments(column) for column in zip(*told, strict=True) if differ(column)]
        yield from (tuple(column[number] for column in columns if column[number]) for number in range(len(told)))
        return
    shortest = min(map(len, told))
    first = next((n for n in range(shortest) if differ([one[n] for one in told])), shortest)
    most = shortest - first
    last = next((n for n in range(most) if differ([one[-1 - n] for one in told])), most)
    yield from (tuple(one[first : len(one) - last]) for one in told)


def differ(moments: Sequence[Moment]) -> bool:
    return any(one != moments[0] for one in moments)


def narrow_moments(moments: Sequence[Moment]) -> Sequence[Moment]:
    """Of what was seen at one moment, the places and numbers that were not the same for all."""
    if not all("saw" in one for one in moments):
        return moments
    names = dict.fromkeys(name for one in moments for name in one["saw"])
    first = moments[0]["saw"]
    kept = {name for name in names if any(one["saw"].get(name, ...) != first.get(name, ...) for one in moments)}
    told = [{name: value for name, value in one["saw"].items() if name in kept} for one in moments]
    return [{"saw": one} if one else {} for one in told]


@define(eq=False)
class MomentWriter:
    """Puts what one player remembers into names."""

    table: Table
    player: int
    slots: list[int] = field(init=False)  # in the order of a view
    names: dict[int, str] = field(init=False)
    formats: dict[int, Callable[[Any], Any]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        table = self.table
        whole, sizes, tops = visible_slots(table, self.player)
        self.slots = [*whole, *sizes, *tops]
        phases = [one.name.text for one in table.bench.phases]
        self.names = {ROUND: "round", STARTER: "starter", PHASE: "phase", SHEETS: "scores"}
        self.formats = {
            ROUND: int, STARTER: int, SHEETS: self.write_scores,
            PHASE: lambda number: phases[number] if phases else None,
        }  # fmt: skip
        for zone in table.bench.zones.values():
            for slot, name in enumerate(zone.names, start=zone.base):
                self.names[slot] = name
                self.formats[slot] = format_size if slot in sizes else partial(format_content, zone)
        for variable in table.bench.variables.values():
            for slot, name in enumerate(variable.names, start=variable.base):
                self.names[slot] = name
                self.formats[slot] = partial(to_external, table.bench, variable.declaration.type)

    def write_scores(self, sheets: Any) -> dict[str, Any]:
        seats = range(1, self.table.players + 1)
        return {str(player): number_to_external(total_points(sheets, player)) for player in seats}

    def write_moments(self, one: InformationSet, history: Sequence[Any]) -> Iterator[Moment]:
        """In the order in which they came. What was chosen stands in the set by name, choice after choice."""
        own = [*(choice for choice in one.heard if choice[1] == self.player), (one.state.slots[PC], self.player, ())]
        others = iter([choice for choice in one.heard if choice[1] != self.player])
        before: dict[str, Any] = {}
        shown: tuple[Any, ...] = ()  # what lies shown, as far as it was told
        made = 0
        for thing in history:
            match thing:
                case ("shown", entries):
                    yield {"shown": self.write_shown(entries)}
                    shown += entries
                case ("asks", whose, entries):
                    yield {"turn": whose or None} | ({"shown": self.write_shown(entries)} if entries != shown else {})
                    shown = entries
                case ("options", *options):
                    yield {"offered": [name_choice(self.table, (own[made][0], self.player, key)) for key in options]}
                case ("own", _):
                    yield {"chose": name_choice(self.table, own[made])}
                    made += 1
                case ("heard", *_):
                    yield {"heard": name_choice(self.table, next(others))}
                case _:
                    now = self.write_view(thing)
                    yield {"saw": {name: value for name, value in now.items() if before.get(name, ...) != value}}
                    before = now

    def write_shown(self, entries: tuple[tuple[int, Any], ...]) -> list[dict[str, Any]]:
        return [shown_entry_to_json(self.table, slot, content) for slot, content in entries]

    def write_view(self, view: tuple[Any, ...]) -> dict[str, Any]:
        """Every place and number that lies open, by its name."""
        return {self.names[slot]: self.formats[slot](value) for slot, value in zip(self.slots, view, strict=True)}


def format_size(size: int) -> dict[str, int]:
    return {"count": size}


def format_content(zone: ZoneRoom, content: tuple[Any, ...]) -> Any:
    """What lies there; of a pile with an open top, how many and which one is on top."""
    if zone.declaration.visibility == "public top":
        count, top = content
        return {"count": count, "top": None if top is None else zone.kinds.names[top]}
    return zone_to_json(zone, content, True)


def name_choice(table: Table, heard: Heard) -> str:
    """`take(2, 1)`; of what was not told only what was."""
    wait = table.waits[heard[0]]
    assert isinstance(wait, DecisionWait)
    ready = wait.offers[heard[2][0]].action
    told = [choice.choice for choice in ready.choices]
    if len(told) > len(heard[2]) - 1:
        told = [choice.choice for choice in ready.choices if not choice.is_component]
    values = [
        str(argument_to_external(table.bench, choice, value)) for choice, value in zip(told, heard[2][1:], strict=True)
    ]
    return ready.action.name.text + (f"({', '.join(values)})" if values else "")
