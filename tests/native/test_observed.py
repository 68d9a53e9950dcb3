"""What a seat sees of a row: what the reference says that it sees, and not a byte that hangs on anything else."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

import numpy

from rulesrun.interpreter.form.form import NOTHING
from rulesrun.interpreter.model.places import flatten_content
from rulesrun.interpreter.native.layout.plan import Store
from rulesrun.interpreter.native.positions.batches import Batch
from rulesrun.interpreter.native.positions.positions import NativePositions, compile_positions, read_content
from rulesrun.interpreter.native.views.observations import BatchObserver
from rulesrun.interpreter.native.views.shown_components import compile_showing_positions
from rulesrun.interpreter.play.step import GameOver, begin_game, next_step, pending_decision
from rulesrun.interpreter.play.visibility import can_see, view_to_json
from rulesrun.interpreter.reference.table import Table
from tests.interpreter.made import table
from tests.native.bundled import TABLES, bundled
from tests.native.encoded import slices, writer
from tests.native.test_trees import SHOWN

TOPS = """
values Colour: red, blue
token Token: colour Colour, 3 of each
zone bag: pile of Token, hidden
zone waste: pile of Token, public top
zone bowl of player: set of Token, private
number secret of player: 0..9, private
number known of player: 0..9
setup
  shuffle all Token into bag
  deal 1 from bag to each bowl
phase play: turns from 1 until bag is empty
  choose draw_one or lay
  known becomes count of bowl
  secret becomes 9 - count of bowl
action draw_one
  draw 1 from bag to bowl
  if waste is not empty
    shuffle waste into bag
action lay(one from bowl)
  move one to waste
score at end
  points = count of bowl
ranking: highest total, ties share
"""


def kinds_of(made: Table, name: str) -> list[str]:
    """Of a zone, or of a declaration of components."""
    rooms = [one.kinds for one in made.bench.zones.values() if name in one.names]
    return list((rooms or [one for one in made.bench.kinds.values() if one.declaration.name.text == name])[0].names)


def components(made: Table, name: str, seen: Any) -> list[str]:
    """The names of what lies in a zone, in order."""
    names = kinds_of(made, name)
    if seen.dtype == numpy.int16:
        return [names[kind] for kind in seen if kind >= 0]
    return [names[kind] for kind, amount in enumerate(seen) for _ in range(amount)]


def compare(made: Table, seen: Any, state: Any, player: int) -> None:
    """`view_to_json` is what the reference shows to people and programs."""
    S = made.to_slots(state)
    view = view_to_json(made, S, player)
    assert int(seen["whose turn"]) == (view["player"] or 0)
    assert (int(seen["round"]), int(seen["starter"])) == (view["round"], view["starter"])
    assert seen["total"].tolist() == [view["scores"][str(seat)] for seat in range(1, made.players + 1)]
    for name, zone in view["zones"].items():
        if isinstance(zone, list):
            assert components(made, name, seen[name]) == zone
            continue
        assert name not in seen.dtype.names
        assert int(seen[f"count of {name}"]) == zone["count"]
        if "top" in zone:
            top = int(seen[f"top of {name}"])
            assert (kinds_of(made, name)[top] if top >= 0 else None) == zone["top"]
    compare_shown(made, seen, view["shown"])
    hidden = 0
    for room in made.bench.variables.values():
        for at, name in enumerate(room.names):
            if name not in view["variables"]:
                hidden += 1
                assert name not in seen.dtype.names
                continue
            value = S[room.base + at]
            values = value if isinstance(value, tuple) else (value,)
            expected = [NOTHING if one is None else int(one) for one in values]
            known = [one for one in seen.dtype.names if one == name or one.startswith(f"{name} (")]
            assert expected in [numpy.atleast_1d(seen[one]).tolist() for one in known]
    assert len(view["variables"]) + hidden == sum(room.amount for room in made.bench.variables.values())


def compare_shown(made: Table, seen: Any, shown: list[dict[str, Any]]) -> None:
    """Of every zone what was shown last; nothing of what is shown to others."""
    told, shown = [one for one in shown if "variable" in one], [one for one in shown if "variable" not in one]
    for name in [name for room in made.bench.variables.values() for name in room.names]:
        if f"is shown {name}" in seen.dtype.names:
            said = [one["value"] for one in told if one["variable"] == name]
            assert bool(seen[f"is shown {name}"]) == bool(said)
            assert not said or not isinstance(said[-1], int) or int(seen[f"shown {name}"]) == said[-1]
    last = {one["zone"]: one["components"] for one in shown if one["zone"] is not None}
    parts = [name for one in shown if one["zone"] is None for name in one["components"]]
    if any(one["zone"] is None for one in shown):
        last["Card"] = sorted(parts, key=kinds_of(made, "Card").index)
    names = [name.removeprefix("is shown ") for name in seen.dtype.names if name.startswith("is shown ")]
    names = [name for name in names if not any(name in room.names for room in made.bench.variables.values())]
    assert set(last) <= set(names) or not names
    for name in names:
        assert bool(seen[f"is shown {name}"]) == (name in last)
        assert components(made, name, seen[f"shown {name}"]) == last.get(name, [])


def walk(made: Table, positions: NativePositions, choose: Any, every: int) -> list[Any]:
    """Compares what is seen after every so many events; gives the rows on the way."""
    batch = Batch(positions)
    views = [BatchObserver(batch, seat) for seat in range(1, made.players + 1)]
    ours, theirs = positions.begin_game(), begin_game(made)
    rows: list[Any] = []
    while not isinstance(question := pending_decision(made, theirs.state), GameOver):
        if len(rows) % every == 0:
            row = numpy.frombuffer(ours.state.memory, dtype=numpy.uint8)[None, :].copy()  # type: ignore[attr-defined]
            for seat, view in enumerate(views, start=1):
                compare(made, view.observe_rows(row)[0], theirs.state, seat)
        rows.append(numpy.frombuffer(ours.state.memory, dtype=numpy.uint8).copy())  # type: ignore[attr-defined]
        index = choose(len(question))
        theirs, ours = next_step(made, theirs.state, index), positions.next_step(ours.state, index)
    return rows


@pytest.mark.parametrize("at", range(len(TABLES)))
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 32))
def test_every_seat_sees_what_it_may_and_nothing_else(at: int, seed: int) -> None:
    made, positions = bundled(at)
    chance = Random(seed)
    rows = walk(made, positions, chance.randrange, 11)
    nothing_else(made, positions, rows, chance)


def test_the_top_of_a_pile() -> None:
    made = table(TOPS)
    positions = compile_positions(made)
    for seed in range(30):
        chance = Random(seed)
        nothing_else(made, positions, walk(made, positions, chance.randrange, 1), chance)


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_shown(players: int) -> None:
    made = table(SHOWN, players)
    positions = compile_showing_positions(made)
    for seed in range(8):
        chance = Random(seed)
        assert walk(made, positions, chance.randrange, 1)


def nothing_else(made: Table, positions: NativePositions, rows: list[Any], chance: Any) -> None:
    """All that a seat cannot see is dealt anew, every byte that it cannot see is another: it sees the same bytes."""
    batch = Batch(positions)
    some = numpy.array(rows[:: max(len(rows) // 12, 1)])
    for seat in range(1, made.players + 1):
        twins = numpy.array([otherwise(made, positions, row, seat, chance) for row in some])
        view = BatchObserver(batch, seat)
        assert view.observe_rows(some).tobytes() == view.observe_rows(twins).tobytes()
        assert (some != twins).any()


def otherwise(made: Table, positions: NativePositions, row: Any, seat: int, chance: Any) -> Any:
    plan, memory = positions.form.plan, bytearray(row.tobytes())
    kept = bytearray(len(memory))  # 1: a byte that is seen, or is a part of something of which the size is seen
    for name in ("pc", "player", "round", "starter", "phase", "counted", "latest", "total", "latest total"):
        place = plan.fields[name]
        kept[place.at : place.at + place.amount * place.bits // 8] = b"\1" * (place.amount * place.bits // 8)
    hidden: dict[int, list[tuple[Store, int, list[int]]]] = {}
    positions.load_block(bytes(memory))
    for room in made.bench.zones.values():
        store = plan.stores[id(room.declaration)]
        for number in range(room.amount):
            for part in slices(store, number):
                kept[part] = b"\1" * (part.stop - part.start)
            if can_see(room, number, seat) or room.declaration.visibility == "public top":
                continue
            for one in (store.bottom, store.inner, store.top) if store.shape == "bag" else (store,):
                if one is not None:
                    lying = list(flatten_content(read_content(one, positions.read_number, bytes(memory), number)))
                    hidden.setdefault(id(store.kinds), []).append((one, number, lying))
    for variable in made.bench.variables.values():
        place = plan.variables[id(variable.declaration)]
        each = place.amount // variable.amount * place.bits // 8
        for number in range(variable.amount):
            if can_see(variable, number, seat):
                kept[place.at + number * each : place.at + (number + 1) * each] = b"\1" * each
    for places in hidden.values():
        deal_anew(memory, places, chance)
    for at, is_kept in enumerate(kept):
        if not is_kept:
            memory[at] = chance.randrange(256)
    return numpy.frombuffer(bytes(memory), dtype=numpy.uint8)


def deal_anew(memory: bytearray, places: list[tuple[Store, int, list[int]]], chance: Any) -> None:
    kinds = [kind for _, _, lying in places for kind in lying]
    chance.shuffle(kinds)
    for store, number, lying in places:
        own, kinds = kinds[: len(lying)], kinds[len(lying) :]
        writer(store, number)(memory, tuple(own))


def test_another_card_of_ones_own_is_seen() -> None:
    made, positions = bundled(next(at for at, one in enumerate(TABLES) if one[0] == "classics/kuhn"))
    batch = Batch(positions)
    rows = batch.start(2)
    batch.apply_answers(rows, numpy.array([0, 1]))
    own, other = BatchObserver(batch, 1), BatchObserver(batch, 2)
    assert own.observe_rows(rows)[0] != own.observe_rows(rows)[1]
    assert other.observe_rows(rows)[0] == other.observe_rows(rows)[1]
    assert made.players == 2
