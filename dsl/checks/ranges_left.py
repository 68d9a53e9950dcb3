"""Numbers that leave their range: surely, or because nothing stops them."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import CONDITIONS, changed_place, footprint_of
from rulesrun.dsl.ast.named_values import name_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, Facts, StatementPlace
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.notebook import LIMIT, calculate_bounds, is_disjoint
from rulesrun.dsl.typing.program import Meaning
from rulesrun.dsl.typing.types import NumberOf

FEW_STEPS = 20


def check_ranges_left(reading: CheckedGame) -> Iterator[Diagnostic]:
    tested = _tested_meanings(reading)
    for place in reading.flow.places:
        if isinstance(place.statement, ast.Becomes | ast.Increases):
            yield from _check_change(reading, place, place.statement, tested)
    for variable in reading.pieces(ast.Variable):
        yield from _check_initial_value(reading, variable, variable.start)
    for option in reading.pieces(ast.Option):
        yield from _check_initial_value(reading, option, option.default)
    for node in reading.nodes:
        if isinstance(node, ast.Set | ast.GivenValue):
            name = node.name if isinstance(node, ast.Set) else name_of(node.target)
            thing = reading.meaning(name) if name is not None else None
            if isinstance(thing, ast.Option | ast.Variable):
                yield from _check_initial_value(reading, thing, node.value)


def _check_initial_value(
    reading: CheckedGame, thing: ast.Option | ast.Variable, value: ast.Expr | None
) -> Iterator[Diagnostic]:
    """A start, a default, a value in an example."""
    wanted = reading.inferred.declared.get(thing)
    found = reading.facts.bounds(value) if value is not None else None
    if isinstance(wanted, NumberOf) and found is not None and value is not None and is_disjoint(wanted, found):
        sentence = message(
            "`{thing}` must be in {low}..{high}, and this is "
            "not", thing=thing.name.text, low=wanted.low, high=wanted.high
        )
        yield Diagnostic(
            "leaves-range", sentence, value.span, message("choose a value in that range, or widen it")
        )


def _leaves_range_diagnostic(name: str, wanted: NumberOf, node: ast.Node) -> Diagnostic:
    return Diagnostic(
        "leaves-range",
        message(
            "`{name}` must stay in {low}..{high}; this always leaves that range",
            name=name, low=wanted.low, high=wanted.high),
        node.span,
        message("widen the range, or add `clamped` to stop at its bounds"),
    )


def _check_change(
    reading: CheckedGame, place: StatementPlace, node: ast.Becomes | ast.Increases, tested: set[Meaning]
) -> Iterator[Diagnostic]:
    variable = reading.meaning_of_place(node.target)
    if not isinstance(variable, ast.Variable):
        return
    wanted = reading.inferred.declared.get(variable)
    if not isinstance(wanted, NumberOf):
        return
    value = _value_after(reading.facts, node)
    if value is None:
        return
    if is_disjoint(value, wanted) and not variable.clamped:
        yield _leaves_range_diagnostic(variable.name.text, wanted, node)
    elif not variable.clamped and _can_leave_range(reading, place, node, variable, wanted, tested):
        yield Diagnostic(
            "may-leave-range",
            message(
                "`{variable}` must stay in {low}..{high}, but nothing keeps it there",
                variable=variable.name.text,
                low=wanted.low,
                high=wanted.high,
            ),
            node.span,
            message("put this below an `if`, widen the range, or add `clamped`"),
            "warning",
        )


def _value_after(facts: Facts, node: ast.Becomes | ast.Increases) -> NumberOf | None:
    """The bounds after the statement."""
    if isinstance(node, ast.Becomes):
        return facts.bounds(node.value)
    before, amount = facts.bounds(node.target), facts.bounds(node.amount)
    if before is None or amount is None:
        return None
    return calculate_bounds("+" if node.sign > 0 else "-", before, amount)


def _can_leave_range(
    reading: CheckedGame,
    place: StatementPlace,
    node: ast.Becomes | ast.Increases,
    variable: ast.Variable,
    wanted: NumberOf,
    tested: set[Meaning],
) -> bool:
    """A guard that is too weak, or a count that nothing ever looks at."""
    if not isinstance(node, ast.Increases) or _count_changes(reading, place, variable) > 1:
        return False
    facts = reading.facts
    for condition, holds in place.conditions:
        facts = facts.assume_condition(condition, holds)
    before, after = facts.bounds(node.target), _value_after(facts, node)
    if before is None or after is None:
        return False
    too_high = before.high < wanted.high < after.high
    too_low = after.low < wanted.low < before.low
    return too_high or too_low or (variable not in tested and _is_soon_out_of_range(reading, place, node, wanted))


def _count_changes(reading: CheckedGame, place: StatementPlace, variable: ast.Variable) -> int:
    """How many statements of the piece change the variable."""
    reading.flow.patience.spend(len(reading.flow.of_piece[place.piece]))
    return sum(_changed_variable(reading, other.statement) is variable for other in reading.flow.of_piece[place.piece])


def _changed_variable(reading: CheckedGame, statement: ast.Statement) -> Meaning | None:
    return reading.meaning_of_place(changed_place(statement))


def _is_soon_out_of_range(reading: CheckedGame, place: StatementPlace, node: ast.Increases, wanted: NumberOf) -> bool:
    """Whether an action, or a loop without an end of its own, leaves the range in a few steps."""
    amount = reading.facts.bounds(node.amount)
    if amount is None or amount.low < 1 or amount.high >= LIMIT:
        return False
    repeats = isinstance(place.piece, ast.Action) or any(
        isinstance(loop, ast.Turns | ast.Repeat) and loop.until is None and not _is_counted_loop(loop)
        for loop in place.loops
    )
    return repeats and (wanted.high - wanted.low) // amount.high < FEW_STEPS


def _is_counted_loop(loop: ast.Turns | ast.Repeat) -> bool:
    return loop.once if isinstance(loop, ast.Turns) else loop.times is not None


def _tested_meanings(reading: CheckedGame) -> set[Meaning]:
    """Everything that some condition or choice looks at: there may be a guard behind it."""
    found: set[Meaning] = set()
    for piece in reading.game.declarations:
        if isinstance(piece, ast.Property | ast.Figure | ast.Example | ast.Score | ast.Ranking):
            continue
        for node in walk(piece):
            for condition in _list_conditions(node):
                found |= reading.flow.collect_mentions(condition)
    return found


def _list_conditions(node: ast.Node) -> tuple[ast.Node, ...]:
    if isinstance(node, ast.Statement):
        return footprint_of(node).decided_by(CONDITIONS)
    if isinstance(node, ast.Phase | ast.Rounds):
        condition = node.when if isinstance(node, ast.Phase) else node.until
        return (condition,) if condition is not None else ()
    return (node,) if isinstance(node, ast.Needs | ast.Choice | ast.Filter | ast.IfElse) else ()
