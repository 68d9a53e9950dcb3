"""What never happened: takes what was explored, gives the pieces and lines of the rules that nothing came of."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.contents.rule_parts import list_effect_lines
from rulesrun.dsl.text.source import Span
from rulesrun.interpreter.explore.breadth_first import Explored
from rulesrun.interpreter.model.relevance import unjudged
from rulesrun.interpreter.play.successors import Successors


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
