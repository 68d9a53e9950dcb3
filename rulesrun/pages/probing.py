"""What a page tells beyond single games: who beats whom, dead weight, the exact answer. A reading and seconds in."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from time import monotonic

from attrs import define, field

from rulesrun.files.loading import Reading
from rulesrun.interpreter.bots.bot import Bot, RandomBot
from rulesrun.interpreter.measure.ladder import LONGEST_GAME, Rung, play_rung
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.solve.bounds import NoAnswer
from rulesrun.interpreter.solve.solve import Solution, solve_game
from rulesrun.run.ranges import Crew
from rulesrun.run.seats import make_bots
from rulesrun.services.deadweight import Weighing, weigh_rules
from rulesrun.terminal.requests import DeadweightRequest, ReportRequest

GAMES = 40  # of players that think, one kind against another
HABIT_GAMES = 200
SEARCH = "mcts:50"
SOLVING_SECONDS = 2.0
WITHIN = 0.02  # the equilibrium of a page: a best response wins no more
MOST_HABITS = 6
SKILL, WEIGHT = 0.3, 0.7  # parts of the time
LONG = 4  # seconds


@define(eq=False)
class ProbeResult:
    """At one table, the smallest of two players or more."""

    table: Table
    thinking: list[Rung] = field(factory=list)
    personas: list[Rung] = field(factory=list)
    habits: list[Rung] = field(factory=list)
    weighing: Weighing | None = None
    answer: Solution | None = None

    @property
    def rungs(self) -> list[Rung]:
        return [*self.thinking, *self.personas, *self.habits]


def probe_rules(reading: Reading, request: ReportRequest, tables: list[Table], seconds: float) -> ProbeResult:
    """Filled as far as the time goes; Ctrl-C ends it."""
    several = [table for table in tables if table.players > 1]
    found = ProbeResult((several or tables)[0])
    add_solution(found, min(SOLVING_SECONDS, seconds / 4))
    if several:
        add_rungs(found)
        play_rungs(found, request, seconds * SKILL)
    asked = DeadweightRequest(
        files=request.files, variants=request.variants, settings=request.settings, seed=request.seed,
        seats=request.seats, players=str(found.table.players), seconds=max(int(seconds * WEIGHT), 1), json=True,
    )  # fmt: skip
    jobs = (os.cpu_count() or 1) if seconds >= LONG else 1  # in a shorter time processes would hardly have started
    with Crew(jobs) as crew:
        found.weighing = weigh_rules(reading, asked, crew)
    return found


def add_solution(found: ProbeResult, seconds: float) -> None:
    """Where there is no exact answer in the time, or a game gets stuck, the page goes without."""
    with suppress(NoAnswer, Fault):
        found.answer = solve_game(found.table, WITHIN, seconds)


def add_rungs(found: ProbeResult) -> None:
    table, anybody = found.table, RandomBot()
    greedy, search = make_bot("greedy", table), make_bot(SEARCH, table)
    found.thinking = [Rung(greedy, anybody, GAMES), Rung(search, anybody, GAMES), Rung(search, greedy, GAMES)]
    found.personas = [
        Rung(make_bot(one.name.text, table), other, GAMES)
        for one in table.program.game.personas for other in (anybody, greedy)
    ]
    names = ["first", *(f"always:{action.name.text}" for action in table.bench.actions[:MOST_HABITS])]
    found.habits = [Rung(make_bot(name, table), anybody, HABIT_GAMES) for name in names]


def make_bot(name: str, table: Table) -> Bot:
    bots = make_bots(name, table)
    assert bots is not None
    return bots[0]


def play_rungs(found: ProbeResult, request: ReportRequest, seconds: float) -> None:
    seed = request.seed
    play_rung(found.table, Rung(found.rungs[0].player, RandomBot(), 1), seed, monotonic())  # makes them ready to think
    until, longest = monotonic() + seconds, LONGEST_GAME
    most = request.games
    for at, rung in enumerate(found.rungs):
        rung.wanted = min(rung.wanted, most or rung.wanted)
        share = max(until - monotonic(), 0.0) / (len(found.rungs) - at)
        if play_rung(found.table, rung, seed, monotonic() + share, longest=longest):
            longest = 0.0


def seed_words(request: ReportRequest) -> list[str]:
    return ["--seed", str(request.seed)]


def section_command(found: ProbeResult, reading: Reading, request: ReportRequest, verb: str, *words: str) -> str:
    """What shows this section alone."""
    told = ["rulesrun", verb, reading.name, "--players", str(found.table.players)]
    told += [word for name in request.variants for word in ("--with", name)]
    told += [word for name, value in request.settings.items() for word in ("--set", f"{name}={value}")]
    return shlex.join([*told, *words])
