"""Rulebooks whose turns stand within turns, made up at random, and a plain interpreter of their loops.

A loop is data: (header, lines). The same data is written as rules and followed by plain Python, with no part in common.
Everybody always has the one option, so that a game is a list: who is asked, with what `kept` (each turn), `lasting` and
`own` (set back by hand) were at that moment.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from attrs import define, field

Line = tuple[Any, ...]
MOST_ASKED = 300


# ---- made up


def made_up(seed: int) -> tuple[int, list[Line]]:
    """The number of players, and phases, setup first."""
    chance = random.Random(seed)
    players = chance.randint(2, 4)
    steps = [("body", lines(chance, players, 1, "step"))] if chance.random() < 0.5 else []
    phases = [("phase", header(chance, players, at_top=True), lines(chance, players, 3)) for _ in range(2)]
    return players, [*steps, *phases]


def header(chance: random.Random, players: int, at_top: bool = False) -> Line:
    start = chance.choice(["player", "left", 1, players])
    except_for = chance.choice([None, "player", 2])
    skipping = chance.choice([None, None, None, 1, 2])
    each = ("each", start, except_for, skipping)
    around = ("turns", start, skipping, chance.randint(3, 12))
    if not at_top:
        return chance.choice([each, each, around])
    return chance.choice([each, around, around, ("repeat", chance.randint(1, 3)), ("once",)])


def lines(chance: random.Random, players: int, depth: int, where: str = "phase") -> list[Line]:
    found = [line(chance, players, depth, where) for _ in range(chance.randint(1, 3))]
    return [*found, ("ask",)] if chance.random() < 0.7 else [("ask",), *found]


def line(chance: random.Random, players: int, depth: int, where: str) -> Line:
    plain: list[Line] = [
        ("ask",), ("add", "kept"), ("add", "lasting"), ("back", "own"), ("add", "own"), ("end when", "turn", "kept"),
        ("end when", "turn", "own"), ("end when", chance.choice(["phase", "round", "game"]), "lasting"),
    ]  # fmt: skip
    if depth == 0 or chance.random() < 0.4:
        return chance.choice(plain)
    inner = lines(chance, players, depth - 1, where)
    return chance.choice([
        ("loop", header(chance, players), inner), ("loop", header(chance, players), inner),
        ("each player", inner), ("again", chance.randint(1, 2), inner), ("when odd", "kept", inner),
        ("do",) if where == "phase" else ("ask",),
    ])  # fmt: skip


# ---- as rules


def rules(made: list[Line]) -> str:
    steps = [one for one in made if one[0] == "body"]
    text = [
        "number kept: 0..9999 = 0, each turn", "number lasting: 0..9999 = 0", "number own: 0..9999 = 0",
        "number asked: 0..9999 = 0", "action go", "  asked increases by 1",
        "step helping", *(written(steps[0][1], "  ") if steps else ["  lasting increases by 1"]),
        'at end of turn "odd": kept mod 3 is not 1', 'ends within 5 turns "short"',
        "score at end", "  points = lasting", "ranking: highest total, ties share",
    ]  # fmt: skip
    for number, (_, head, body) in enumerate(one for one in made if one[0] == "phase"):
        named = f"phase number_{number}"
        said = headed(head)
        text += [f"{named}: {said}" if said else named, *written(body, "  ")]
    return "\n".join(text) + "\n"


def headed(head: Line) -> str:
    match head:
        case ("each", start, except_for, skipping):
            out = f" except {except_for}" if except_for is not None else ""
            return f"one turn each from {begun(start)}{out}{skipped(skipping)}"
        case ("turns", start, skipping, most):
            return f"turns from {begun(start)}{skipped(skipping)} until asked mod 13 = {most} or asked > {MOST_ASKED}"
        case ("repeat", times):
            return f"repeat {times} times"
        case _:
            return ""


def begun(start: Any) -> str:
    return "left of player" if start == "left" else str(start)


def skipped(skipping: int | None) -> str:
    return f" skipping player = {skipping}" if skipping is not None else ""


def written(body: list[Line], indent: str) -> Iterator[str]:
    for one in body:
        match one:
            case ("ask",):
                yield f"{indent}choose go"
            case ("add", name):
                yield f"{indent}{name} increases by 1"
            case ("back", name):
                yield f"{indent}{name} becomes 0"
            case ("end when", what, name):
                yield f"{indent}if {name} mod 5 = 3"
                yield f"{indent}  end {what}"
            case ("loop", head, inner):
                yield f"{indent}{headed(head)}"
                yield from written(inner, indent + "  ")
            case ("each player", inner):
                yield f"{indent}each player"
                yield from written(inner, indent + "  ")
            case ("again", times, inner):
                yield f"{indent}repeat {times} times"
                yield from written(inner, indent + "  ")
            case ("when odd", name, inner):
                yield f"{indent}if {name} mod 2 = 1"
                yield from written(inner, indent + "  ")
            case ("do",):
                yield f"{indent}do helping"


# ---- followed


class Ended(Exception):
    def __init__(self, what: str) -> None:
        self.what = what


class Endless(Exception):
    """More is asked, or done, than a test wants to follow."""


@define(eq=False)
class Followed:
    players: int
    made: list[Line]
    player: int = 1
    numbers: dict[str, int] = field(factory=lambda: {"kept": 0, "lasting": 0, "own": 0})
    asked: list[tuple[int, ...]] = field(factory=list)
    turns: int = 0
    ended: list[int] = field(factory=list)  # `kept` at the end of every turn
    done: int = 0
    in_turn: bool = False

    def game(self) -> None:
        try:
            for one in self.made:
                if one[0] == "phase":
                    self.phase(one[1], one[2])
        except Ended as end:
            if end.what not in ("round", "game"):
                raise

    def phase(self, head: Line, body: list[Line]) -> None:
        self.player = 1
        try:
            if head[0] in ("each", "turns"):
                self.loop(head, body)
            else:
                for _ in range(head[1] if head[0] == "repeat" else 1):
                    self.time(body)
        except Ended as end:
            if end.what != "phase":
                raise

    def time(self, body: list[Line]) -> None:
        """A time of a phase without turns: a turn, unless turns stand in its lines."""
        self.numbers["kept"] = 0
        if self.holds_turns(body):
            self.go(body)
        else:
            self.turns += 1
            self.go(body)
            self.ended.append(self.numbers["kept"])

    def holds_turns(self, body: list[Line]) -> bool:
        helping = [one[1] for one in self.made if one[0] == "body"]
        for one in body:
            inner = helping[0] if one == ("do",) and helping else one[-1] if isinstance(one[-1], list) else []
            if one[0] == "loop" or self.holds_turns(inner):
                return True
        return False

    def go(self, body: list[Line]) -> None:
        """What `end turn` ends."""
        try:
            self.lines(body)
        except Ended as end:
            if end.what != "turn":
                raise

    def loop(self, head: Line, body: list[Line]) -> None:
        before, is_outermost = self.player, not self.in_turn
        once = head[0] == "each"
        skipping = head[3] if once else head[2]
        left_out = {"player": before}.get(head[2], head[2]) if once else None
        self.player = seat = self.player % self.players + 1 if head[1] == "left" else self.seat(head[1])
        looked = 0
        while True:
            if not once and (len(self.asked) % 13 == head[3] or len(self.asked) > MOST_ASKED):
                break
            if once and looked == self.players:
                break
            self.player = seat
            if seat not in (left_out, skipping):
                self.one_go(body, is_outermost)
            elif not once:
                seat = seat % self.players + 1
                continue
            seat, looked = seat % self.players + 1, looked + 1
        self.player = before

    def one_go(self, body: list[Line], is_outermost: bool) -> None:
        if not is_outermost:
            self.go(body)
            return
        self.numbers["kept"] = 0
        self.turns += 1
        self.in_turn = True
        try:
            self.go(body)
        finally:
            self.in_turn = False
        self.ended.append(self.numbers["kept"])

    def seat(self, start: Any) -> int:
        return self.player if start == "player" else int(start)

    def lines(self, body: list[Line]) -> None:
        for one in body:
            self.done += 1
            if self.done > 20_000:
                raise Endless
            self.line(one)

    def line(self, one: Line) -> None:
        match one:
            case ("ask",):
                self.asked.append((self.player, *self.numbers.values()))
                if len(self.asked) > MOST_ASKED * 3:
                    raise Endless
            case ("add", name):
                self.numbers[name] += 1
            case ("back", name):
                self.numbers[name] = 0
            case ("end when", what, name):
                if self.numbers[name] % 5 == 3:
                    raise Ended(what)
            case ("loop", head, inner):
                self.loop(head, inner)
            case ("each player", inner):
                before = self.player
                for seat in range(1, self.players + 1):
                    self.player = seat
                    self.lines(inner)
                self.player = before
            case ("again", times, inner):
                for _ in range(times):
                    self.lines(inner)
            case ("when odd", name, inner):
                if self.numbers[name] % 2 == 1:
                    self.lines(inner)
            case ("do",):
                helping = [step[1] for step in self.made if step[0] == "body"]
                self.lines(helping[0] if helping else [("add", "lasting")])
