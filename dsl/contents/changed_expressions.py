"""Expressions that a house rule words otherwise than its base, and the rules in which both are asked in one place.

`needs rank of given < 15` instead of `< 14` is the same rule where ranks go to seven: that table proves nothing of it.
So rules are made that ask both, in the place of the one that was changed, for whoever plays them. Where the words of
the base mean nothing at a table, there are no such rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from difflib import SequenceMatcher
from typing import Any

import attrs
from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.check import check_game
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.expansion.step_calls import is_pattern
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import Program

UNWRITTEN = {  # what holds where such a condition is not written
    (ast.Phase, "when"): True, (ast.Turns, "skipping"): False, (ast.Turns, "until"): False,
    (ast.Repeat, "until"): False, (ast.Rounds, "until"): False, (ast.Criterion, "when"): True,
    (ast.Deal, "condition"): True, (ast.Choose, "condition"): True, (ast.EachPlayer, "condition"): True,
    (ast.Branch, "condition"): True,
}  # fmt: skip


@frozen(eq=False)
class ChangedExpression:
    """`parent`, `field`, `number`: where the new one stands, in a tuple at that number. `lines`: those of the base
    under the old one; before that number the question is asked in an `if` of its own, whose lines are never done."""

    old: ast.Expr
    new: ast.Expr
    parent: ast.Node
    field: str
    number: int | None = None
    lines: tuple[ast.Statement, ...] = ()

    def put_in_place(self, piece: ast.AnyDeclaration, put: ast.Expr) -> ast.AnyDeclaration:
        def change(node: ast.Node) -> ast.Node:
            if node is not self.parent:
                return node
            value: Any = put
            if self.field == "needs":
                value = (ast.Needs(put, None, span=put.span),)
            elif self.lines and self.number is not None:
                asked = ast.Not(put, span=put.span) if repr(self.new) == repr(say(True, put)) else put
                question = ast.If((ast.Branch(asked, self.lines, span=put.span),), span=put.span)
                before = getattr(node, self.field)
                value = (*before[: self.number], question, *before[self.number :])
            elif self.number is not None:
                parts = getattr(node, self.field)
                value = (*parts[: self.number], put, *parts[self.number + 1 :])
            return evolve(node, **{self.field: value})

        changed: ast.AnyDeclaration = replace_nodes(piece, change)
        return changed


def find_changed_expressions(old: ast.Node, new: ast.Node) -> Iterator[ChangedExpression]:
    """As whole as they stand in a line of the rules. Lines that only one of the two has are no expressions."""
    if type(old) is not type(new) or repr(old) == repr(new):
        return
    for name in (one.name for one in attrs.fields(type(new)) if one.name not in {"span", "notes", "name"}):
        before, now = getattr(old, name), getattr(new, name)
        if repr(before) == repr(now) or is_acted_on(new, name):
            continue
        if name == "needs":
            yield from compare_needs(before, now, new)
        elif isinstance(now, tuple) and isinstance(before, tuple):
            for first, second in pair_parts(before, now):
                yield from compare_parts(before[first], now[second], new, name, second)
            yield from find_new_conditions(before, now)
            yield from find_lost_conditions(before, now, new, name)
        else:
            yield from compare_parts(before, now, new, name, None)


def is_acted_on(node: ast.Node, name: str) -> bool:
    """Whether this part names what is acted on: acted on another one, the rule is another one."""
    if not isinstance(node, ast.Statement):
        return isinstance(node, ast.Entry) and name == "keys"
    done, part = footprint_of(node), getattr(node, name)
    places = (*done.writes, *done.puts, *done.mixes, *(done.takes if done.mixes or done.draws else ()))
    return any(part is place for place in places)


def compare_parts(old: Any, new: Any, parent: ast.Node, name: str, number: int | None) -> Iterator[ChangedExpression]:
    unwritten = UNWRITTEN.get((type(parent), name))
    if unwritten is not None:
        old = ast.Truth(unwritten, span=parent.span) if old is None else old
        new = ast.Truth(unwritten, span=parent.span) if new is None else new
    if isinstance(old, ast.Expr) and isinstance(new, ast.Expr):
        yield ChangedExpression(old, new, parent, name, number)
    elif isinstance(old, ast.Node) and isinstance(new, ast.Node):
        yield from find_changed_expressions(old, new)


def compare_needs(old: Sequence[ast.Needs], new: Sequence[ast.Needs], action: ast.Node) -> Iterator[ChangedExpression]:
    """What an action needs is needed together, in whatever lines it stands."""
    wholes = [
        ast.And(tuple(one.condition for one in (*needs, *[always_met(action)] * (2 - len(needs)))), span=action.span)
        for needs in (old, new)
    ]
    if repr([one.condition for one in old]) != repr([one.condition for one in new]):
        yield ChangedExpression(wholes[0], evolve(wholes[1], span=span_of_needs(old, new, action)), action, "needs")


def always_met(action: ast.Node) -> ast.Needs:
    return ast.Needs(ast.Truth(True, span=action.span), None, span=action.span)


def span_of_needs(old: Sequence[ast.Needs], new: Sequence[ast.Needs], action: ast.Node) -> Span:
    """The first one that the base does not have."""
    known = {repr(one.condition) for one in old}
    return next((one.condition.span for one in new if repr(one.condition) not in known), action.span)


def pair_parts(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """What stands for what: as many in the place of as many."""
    matcher = SequenceMatcher(None, [repr(one) for one in old], [repr(one) for one in new], autojunk=False)
    for word, first, last, begin, end in matcher.get_opcodes():
        if word == "replace" and last - first == end - begin:
            yield from zip(range(first, last), range(begin, end), strict=True)


def find_new_conditions(old: Sequence[Any], new: Sequence[Any]) -> Iterator[ChangedExpression]:
    """An `if` around lines that the base carries out always."""
    known = [repr(one) for one in old]
    for one in new:
        if isinstance(one, ast.If) and len(one.branches) == 1 and repr(one) not in known:
            branch = one.branches[0]
            inside = [repr(line) for line in branch.body]
            if branch.condition is not None and find_lines(known, inside) is not None:
                yield ChangedExpression(say(True, branch), branch.condition, branch, "condition")


def find_lost_conditions(
    old: Sequence[Any], new: Sequence[Any], parent: ast.Node, name: str
) -> Iterator[ChangedExpression]:
    """An `if` of the base whose lines are done always, or that is gone with its lines."""
    if not any(isinstance(one, ast.If) for one in old):
        return
    known = [repr(one) for one in new]
    matcher = SequenceMatcher(None, [repr(one) for one in old], known, autojunk=False)
    for word, first, last, begin, end in matcher.get_opcodes():
        if word not in {"delete", "replace"} or any(isinstance(one, ast.If) for one in new[begin:end]):
            continue  # an `if` in its place is compared with it
        for one in old[first:last]:
            if isinstance(one, ast.If) and len(one.branches) == 1 and one.branches[0].condition is not None:
                branch = one.branches[0]
                at = find_lines(known, [repr(line) for line in branch.body])
                truth = say(at is not None, new[begin] if begin < len(new) else parent)
                put = begin if at is None else at
                yield ChangedExpression(one.branches[0].condition, truth, parent, name, put, branch.body)


def find_lines(known: Sequence[str], inside: Sequence[str]) -> int | None:
    starts = range(len(known) - len(inside) + 1)
    return next((at for at in starts if list(known[at : at + len(inside)]) == list(inside)), None)


def say(truth: bool, where: ast.Node) -> ast.Truth:
    return ast.Truth(truth, span=where.span)


# ---- both in one place


@frozen(eq=False)
class Comparison:
    """A change as it stands in the rules of one table, `number` among those of its piece. `piece`: the one that stands
    for the new one there; what a small table words anew itself is not the house rule's."""

    number: int
    program: Program
    piece: ast.AnyDeclaration
    changed: ChangedExpression

    def ask_both(self) -> BothAsked | None:
        """None where the words of the base mean nothing."""
        asked = ask_both(self.changed)
        program = check_with(self.program, self.piece, self.changed, asked)
        return BothAsked(program, asked.condition) if program is not None else None

    def split(self) -> list[Comparison]:
        """What cannot be compared as a whole, as a collection, is compared in the parts in which it differs."""
        changed = self.changed
        if changed.field == "needs" or check_with(self.program, self.piece, changed, changed.old) is None:
            return []
        return [evolve(self, changed=part) for part in find_changed_expressions(changed.old, changed.new)]


@frozen(eq=False)
class BothAsked:
    """Rules that ask, wherever the new expression is asked for, whether the old one is the same. `question`: what
    says so."""

    program: Program
    question: Located


def compare_in(
    program: Program, old: ast.AnyDeclaration, new: ast.AnyDeclaration, own: ast.AnyDeclaration
) -> Iterator[Comparison]:
    """The changes of a piece that stand in these rules, with the numbers that they have in the whole rules."""
    here, is_alike = list_compared(old, own), repr(own) == repr(new)
    for number, one in enumerate(list_compared(old, new)):
        same = here[number : number + 1] if is_alike else [each for each in here if each.new.span == one.new.span]
        yield from (Comparison(number, program, own, each) for each in same)


def list_compared(old: ast.AnyDeclaration, new: ast.AnyDeclaration) -> list[ChangedExpression]:
    """Of components, the rules that stand in their rows: the other cells say which components there are."""
    if isinstance(new, ast.Components):
        columns = {
            number for number, one in enumerate(new.attributes) if one.type is None and one.value is None
        }
        return [one for one in find_changed_expressions(old, new) if one.field == "cells" and one.number in columns]
    return list(find_changed_expressions(old, new))


def ask_both(changed: ChangedExpression) -> ast.IfElse:
    """The new expression, and before it the question whether the old one is the same."""
    new, span = changed.new, changed.new.span
    asked = ast.Compare("=", deepcopy(new), deepcopy(changed.old), span=span)
    return ast.IfElse(asked, deepcopy(new), deepcopy(new), span=span)


def check_with(
    program: Program, piece: ast.AnyDeclaration, changed: ChangedExpression, put: ast.Expr
) -> Program | None:
    """The rules with another expression in that place; None where it means nothing there."""
    own = changed.put_in_place(piece, put)
    declarations = tuple(own if one is piece else one for one in program.game.declarations)
    patterns = tuple(one for one in program.written.declarations if is_pattern(one))
    checked = check_game(evolve(program.game, declarations=(*declarations, *patterns)), program.sources)
    return checked if isinstance(checked, Program) else None
