"""What never happened: takes what was explored, gives the pieces and lines of the rules that nothing came of.

A small table of which every position was looked at proves what holds there, and nothing about rules that no position of
it reaches. So what random games reach at the whole table, and what a house rule words anew, is asked of small tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random

from attrs import frozen

from rulesrun.dsl.contents.rule_parts import list_effect_lines
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.model.instructions import BeginAction, EnterPhase, Unless
from rulesrun.interpreter.model.relevance import constant_truth, live_nodes, unjudged
from rulesrun.interpreter.model.values import EVENTS, Fault, Slots
from rulesrun.interpreter.play.successors import Successors
from rulesrun.interpreter.reference.chance import ChanceWait
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table

# ---- random play
# Random games that note what is reached in them. Takes ways and chance, gives how long a game was and how it ended.
#
# A game is left when it is long, by its choices or by what chance brings in it, so that none goes on for ever.


MOST_BY_CHANCE = 10_000  # answers of one game

Look = Callable[[Slots, bool], None]  # at a position in which somebody chooses, or at the end


@frozen
class RandomGame:
    """`is_over`: at its end; None: something went wrong."""

    decisions: int
    is_over: bool | None


def play_at_random(ways: Successors, chance: Random, most_decisions: int, look: Look | None = None) -> RandomGame:
    table, decisions, by_chance = ways.table, 0, 0
    S = table.new_slots()
    try:
        while decisions < most_decisions and by_chance < MOST_BY_CHANCE:
            S[EVENTS] = []
            wait = table.run_to_question(S)
            ways.collect_broken(S)
            S[EVENTS] = None
            if look is not None and not isinstance(wait, ChanceWait):
                look(S, not isinstance(wait, DecisionWait))
            if isinstance(wait, DecisionWait):
                decisions += 1
                option = chance.choice(wait.list_options(S))
                ways.chosen.add(option[0])
                wait.apply_answer(S, option)
            elif isinstance(wait, ChanceWait):
                by_chance += 1
                wait.apply_answer(S, wait.outcome_at(S, chance.randrange(wait.total_weight(S))))
            else:
                return RandomGame(decisions, True)
    except Fault:
        return RandomGame(decisions, None)
    return RandomGame(decisions, False)


# ---- never happened


GAMES = 60
MOST_DECISIONS = 1_500  # of all these games together

Rule = tuple[str, str | Span]  # its kind and its name; a statement has its place instead


@frozen
class NeverHappened:
    kind: str  # action | phase | score line | rule | can happen | line; change | property: nothing that would tell;
    # removed: the base would not do it either
    name: str
    span: Span


def find_never_happened(found: Explored) -> tuple[NeverHappened, ...]:
    table = found.table
    ways = found.ways
    nevers = [*actions_never_chosen(ways), *phases_never_entered(ways), *score_lines_never_counted(ways)]
    nevers += [NeverHappened("rule", name, span) for name, (_, span) in found.rules.waiting.items()]
    unasked = unjudged(table.bench)
    for judged in table.watches.properties:
        one = judged.declaration
        if one.word == "can happen" and one not in unasked and one.title not in found.guard.happened:
            nevers.append(NeverHappened("can happen", one.title, one.span))
    return (*nevers, *lines_never_carried_out(found, nevers))


def actions_never_chosen(ways: Successors) -> Iterator[NeverHappened]:
    for number, action in enumerate(ways.table.bench.actions):
        if number not in ways.chosen:
            yield NeverHappened("action", action.name.text, action.name.span)


def phases_never_entered(ways: Successors) -> Iterator[NeverHappened]:
    operations = ways.table.operations
    entered = {id(operations[number].node) for number in ways.done if operations[number].kind == "phase"}
    for phase in ways.table.bench.phases:
        if id(phase) not in entered:
            yield NeverHappened("phase", phase.name.text, phase.name.span)


def score_lines_never_counted(ways: Successors) -> Iterator[NeverHappened]:
    """Lines that were 0 for everybody, whenever they were counted."""
    for number, score in enumerate(ways.table.bench.scores):
        for column, line in enumerate(score.lines):
            if (number, column) not in ways.scored:
                yield NeverHappened("score line", line.name.text, line.name.span)


def lines_never_carried_out(found: Explored, nevers: list[NeverHappened]) -> Iterator[NeverHappened]:
    """Statements that were never carried out, but for those of actions and phases that never were."""
    table = found.table
    done = {table.operations[number].node.span for number in found.ways.done}  # a step spelled out twice has one line
    written = {id(operation.node) for operation in table.operations}
    told = {never.span for never in nevers}
    for line in list_effect_lines(table.program.game):
        if line.name not in told and id(line.node) in written and line.span not in done:
            yield NeverHappened("line", line.word, line.span)


# ---- which rules a table reaches: its actions, phases and score lines, and the statements of a house rule


def find_rules_reached(table: Table) -> frozenset[Rule]:
    """What some random games reach, of actions, phases and score lines."""
    ways, chance, left = Successors(table), Random(0), MOST_DECISIONS
    for _ in range(GAMES):
        game = play_at_random(ways, chance, left)
        left -= game.decisions + (game.is_over is None)
        if left <= 0:
            break
    return list_rules(ways.table) - find_missing_rules(ways)


def rules_possible(table: Table) -> frozenset[Rule]:
    """The actions that are offered somewhere, and the phases, but for what the options leave out."""
    found, over = set[Rule](), 0
    for at, one in enumerate(table.flow.instructions):
        match one:
            case _ if at < over:
                pass
            case Unless(is_of_phase=True, condition=when) if constant_truth(table.bench, when) is False:
                over = one.label.at
            case EnterPhase(node=phase):
                found.add(("phase", phase.name.text))
            case BeginAction(node=action):
                found.add(("action", action.name.text))
    return frozenset(found)


def list_rules(table: Table) -> frozenset[Rule]:
    return find_missing_rules(Successors(table))


def find_missing_rules(ways: Successors) -> frozenset[Rule]:
    nevers = [*actions_never_chosen(ways), *phases_never_entered(ways), *score_lines_never_counted(ways)]
    return frozenset((never.kind, never.name) for never in nevers)


def find_unreached_rules(
    wanted: Collection[Rule], changed_in: Collection[str], looked_at: Iterable[Explored]
) -> tuple[NeverHappened, ...]:
    """The rules that no position of these tables reaches: wanted ones, and statements of the files named."""
    missing: dict[Rule, NeverHappened] | None = None
    for found in looked_at:
        here = {rule_key(never): never for never in (*find_never_happened(found), *lines_left_out(found, changed_in))}
        missing = here if missing is None else {rule: never for rule, never in missing.items() if rule in here}
    return tuple(
        never for rule, never in (missing or {}).items()
        if rule in wanted or (never.span.file in changed_in and never.kind in {"action", "phase", "score line", "line"})
    )  # fmt: skip


def lines_left_out(found: Explored, files: Collection[str]) -> Iterator[NeverHappened]:
    """Statements of these files that are none at a table with such options and so many players."""
    table = found.table
    alive = {id(node) for node in live_nodes(table.bench)}
    for line in list_effect_lines(table.program.game):
        if line.piece.file in files and id(line.node) not in alive:
            yield NeverHappened("line", line.word, line.span)


def rule_key(never: NeverHappened) -> Rule:
    return (never.kind, never.span if never.kind == "line" else never.name)
