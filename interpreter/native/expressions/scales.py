"""How many times as large a value is kept that may be a fraction: takes an expression, gives its scale.

1: the value is always whole. The scale hangs on the expression alone, so that its values can be compared as they are.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import NumberOf
from rulesrun.interpreter.form.form import CannotCompile
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.core_lowering import lower_expression
from rulesrun.interpreter.model.values import simplify_number
from rulesrun.interpreter.native.layout.plan import Plan

MOST_SCALE = 1 << 36
MOST_OF_POINTS = 1 << 20  # of points that hang on themselves
MOST_DIVISORS = 64  # different divisors of which the least common multiple is worked out
COMMON = 720_720  # divisible by 1 to 16: where there are more, a rest is left to the reference


class HangsOnItself(CannotCompile):
    """What it is added to is asked for on the way to it."""


def scale_of(plan: Plan, node: core.Operand | core.ScoreLine) -> int:
    """1: the value is always whole."""
    own = scale_of_points(plan)
    if own is not None and isinstance(node, core.ScoreLine):
        return own
    key = ("scale", id(node))
    if key not in plan.made:
        plan.made[key] = 1  # should something ask for itself
        found = compute_scale(plan, node.value if isinstance(node, core.ScoreLine) else node)
        if found != 1 and ("scale asked", id(node)) in plan.made:
            raise HangsOnItself("points in fractions hang on themselves, by many divisors: on the total that they are "
                                "added to", node, "count whole points, and divide in the ranking")
        plan.made[key] = found if found <= MOST_SCALE else COMMON
        plan.made[("node", id(node))] = node  # its number stays its own
    elif ("node", id(node)) not in plan.made:
        plan.made[("scale asked", id(node))] = True
    scale: int = plan.made[key]
    return scale


def scale_of_points(plan: Plan) -> int | None:
    """Of every line of the score, where one is a fraction of the sum that it is added to: no scale has room for all
    that may come of that. Most of it has room at a high power of the divisors; what has none is left to the reference.
    """
    if "scale of points" not in plan.made:
        plan.made["scale of points"] = None
        before = dict(plan.made)
        try:
            scale_of_total(plan)
        except HangsOnItself:
            plan.made = {**before, "scale of points": 1}
            values = [line.value for score in plan.bench.scores for line in score.lines]
            divisors = lcm(*[scale_of(plan, value) for value in values])
            plan.made = {**before, "scale of points": power_of(divisors)}
    found: int | None = plan.made["scale of points"]
    return found


def power_of(divisors: int) -> int | None:
    if divisors * divisors > MOST_SCALE:
        return None
    found = divisors
    while found * divisors <= MOST_OF_POINTS:
        found *= divisors
    return found


def compute_scale(plan: Plan, node: core.Operand) -> int:
    fixed = constant_number(plan, node)
    if fixed is not None:
        return fixed.denominator
    lowered = lower_expression(plan.bench, node)
    match lowered:
        case core.Arithmetic(left=left, operator=operator, right=right):
            return scale_of_arithmetic(plan, left, operator, right)
        case core.Negate(_, inner) | core.Before(_, inner):
            return scale_of(plan, inner)
        case core.IfElse(_, _, then, otherwise):
            return lcm(scale_of(plan, then), scale_of(plan, otherwise))
        case core.Aggregate(_, word, _, body):
            return scale_of(plan, body) if word != "count" else 1
        case core.SetOf(_, items):
            return lcm(*[scale_of(plan, item.parts[0]) for item in items if len(item.parts) == 1])
        case core.Filter(_, collection) | core.Best(each=core.Each(collection=collection)):
            return scale_of(plan, collection)
        case core.ItemAt(_, _, collection) | core.Fold(_, _, collection) | core.EndOf(_, _, collection):
            return scale_of(plan, collection)
        case core.ForPlayer(_, subject):
            return scale_of(plan, subject)
        case core.Definition():
            return scale_of(plan, lowered.line or lowered.body)
        case core.CaseLookup(_, table):
            return lcm(*[scale_of(plan, entry.value) for entry in table.entries])
        case core.Register(_, core.Each() as binder) | core.Element(_, core.Each() | core.FilterBinder() as binder):
            return scale_of(plan, binder.collection)
        case core.Attribute(_, meaning):
            values = plan.bench.kinds_of(meaning.components).attributes.get(id(meaning.attribute), ())
            return lcm(*[Fraction(one).denominator for one in values if isinstance(one, (int, Fraction))])
        case core.Points(_, _, line):
            return scale_of_total(plan) if line is None else scale_of(plan, score_line(plan, *line))
        case core.Extreme(_, _, arguments):
            return lcm(*[scale_of(plan, argument) for argument in arguments])
        case _:
            return 1


def score_line(plan: Plan, score: int, column: int) -> core.ScoreLine:
    found: core.ScoreLine = plan.bench.scores[score].lines[column]
    return found


def scale_of_arithmetic(plan: Plan, left: core.Operand, operator: str, right: core.Operand) -> int:
    one, other = scale_of(plan, left), scale_of(plan, right)
    match operator:
        case "div":
            return 1
        case "*":
            return one * other
        case "/":
            return one * common_multiple(plan, right, other)
        case _:
            return lcm(one, other)


def common_multiple(plan: Plan, divisor: core.Operand, scale: int) -> int:
    """A number that all divisors divide, or many of them."""
    fixed = constant_number(plan, divisor)
    if fixed is not None:
        return max(abs(int(fixed * scale)), 1)
    found = plan.bench.type_of(divisor)
    if isinstance(found, NumberOf) and (found.high - found.low) * scale <= MOST_DIVISORS:
        values = range(found.low * scale, found.high * scale + 1)
        common = lcm(*[abs(one) for one in values if one])
        return common if common <= MOST_SCALE else COMMON
    return COMMON


def refuse_fractions(plan: Plan, node: core.Operand, what: str) -> None:
    """Where several values are kept while the game goes on, or chosen from."""
    if scale_of(plan, node) != 1:
        raise CannotCompile(
            message("{what} with fractions", what=what), node, message("multiply them until they are whole")
        )


def scale_of_total(plan: Plan) -> int:
    """Of the sum of all lines of all sheets."""
    return lcm(*[scale_of(plan, line) for score in plan.bench.scores for line in score.lines])


def scale_of_figure(plan: Plan, figure: core.Figure) -> int:
    """Of what it comes to in a game."""
    return 1 if figure.word == "how often" else scale_of(plan, figure.value)


def constant_number(plan: Plan, node: core.Operand) -> Fraction | None:
    """A number that is known before the game."""
    ready = plan.bench.ready.get(id(node))
    if ready is not None:
        is_known = ready[1].is_constant and isinstance(ready[1].value, (int, Fraction))
        return Fraction(ready[1].value) if is_known else None
    lowered = lower_expression(plan.bench, node)
    known = lowered.value if isinstance(lowered, core.Constant) else None
    return Fraction(known) if isinstance(known, int) else None


def unscale(value: int, scale: int) -> Any:
    """The number that is kept so many times as large, as the reference has it."""
    return simplify_number(Fraction(value, scale)) if scale != 1 else value
