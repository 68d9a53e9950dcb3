"""`do put_down(guard)`: the lines of the step, with what its parameters stand for. Takes a game, gives a game.

A step without parameters stays a step. One with parameters is spelled out wherever it is done; it stays among the
pieces, for its names and types, until `remove_patterns` takes it away.
"""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.moving import copy_node
from rulesrun.dsl.ast.named_values import sort_set, wrap_single_value
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.expansion.rewriting import StatementRewriter, change_parts
from rulesrun.dsl.text.messages import message

MOST_LINES = 20_000
DEEPEST = 20


def spell_out_steps(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where no step takes anything."""
    steps = (piece for piece in game.pieces(ast.Step) if piece.parameters)
    patterns = {step.name.text: step for step in steps}
    if not patterns:
        return game, []
    speller = StepSpeller(patterns)
    pieces = tuple(piece if is_pattern(piece) else speller.spell_piece(piece) for piece in game.declarations)
    speller.find_circles()
    return evolve(game, declarations=(*pieces, *speller.ranges.values())), speller.found


def is_pattern(piece: ast.AnyDeclaration) -> bool:
    return isinstance(piece, ast.Step) and bool(piece.parameters)


def remove_patterns(game: ast.Game) -> ast.Game:
    """What is played: steps with parameters are where they are done."""
    if not any(is_pattern(piece) for piece in game.declarations):
        return game
    return evolve(game, declarations=tuple(piece for piece in game.declarations if not is_pattern(piece)))


@define
class StepSpeller(StatementRewriter):
    patterns: dict[str, ast.Step]
    inside: tuple[str, ...] = ()  # the steps that these lines are of, the outermost first
    found: list[Diagnostic] = field(factory=list)
    lines: int = 0
    ranges: dict[str, ast.Define] = field(factory=dict)  # of the parameters that are told numbers

    def spell_piece(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration:
        self.inside = ()
        return self.rewrite_piece(piece)

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        return self.spell_call(line, self.inside) if isinstance(line, ast.Do) else line

    def spell_body(self, body: tuple[ast.Statement, ...], inside: tuple[str, ...]) -> tuple[ast.Statement, ...]:
        before, self.inside = self.inside, inside
        spelled = self.rewrite_body(body)
        self.inside = before
        return spelled

    def spell_call(self, call: ast.Do, inside: tuple[str, ...]) -> ast.Statement:
        """What is told too little or too much stays as it is written: its types say so."""
        step = self.patterns.get(call.step.text)
        if step is None or len(step.parameters) != len(call.arguments) or step.name.text in inside:
            return call
        if len(inside) >= DEEPEST:
            self.report_depth(call)
            return call
        self.lines += sum(isinstance(node, ast.Statement) for node in walk(step))
        if self.lines > MOST_LINES:
            self.report_length(call)
            return call
        body = self.spell_body(copy_node(step).body, (*inside, step.name.text))
        for parameter, argument in reversed(list(zip(step.parameters, call.arguments, strict=True))):
            name = copy_node(parameter.name)
            told = self.spell_argument(step, parameter, argument)
            each = ast.Each(name, wrap_single_value(told), span=argument.span)
            body = (ast.ForEach(each, None, body, "do", span=call.span),)
        (outer,) = body
        assert isinstance(outer, ast.ForEach)
        return evolve(outer, called=ast.Call(call.step, call.arguments, span=call.span))

    def spell_argument(self, step: ast.Step, parameter: ast.Parameter, argument: ast.Expr) -> ast.Expr:
        """What a parameter is told: a set in declared order, a number as a definition with that range gives it."""
        if isinstance(parameter.type, ast.SetType):
            return sort_set(argument)
        written = parameter.type.item if isinstance(parameter.type, ast.Optional) else parameter.type
        if not isinstance(written, ast.RangeType) or isinstance(argument, ast.Number):
            return argument
        name = f"{parameter.name.text} of {step.name.text}"  # no name that an author writes
        self.ranges.setdefault(name, ast.Define(
            evolve(parameter.name, text=name), (copy_node(parameter),), copy_node(parameter.name), span=parameter.span
        ))
        return ast.Call(ast.Name(name, span=argument.span), (argument,), span=argument.span)

    def report_length(self, call: ast.Do) -> None:
        if not self.found:
            sentence = message(
                "with all its steps written out, this is more than {most_statements} "
                "statements", most_statements=MOST_LINES
            )
            hint = message("steps that do steps multiply")
            self.found.append(Diagnostic("too-long", sentence, call.span, hint))

    def report_depth(self, call: ast.Do) -> None:
        if not self.found:
            sentence = message("steps with arguments call each other more than {deepest} levels deep", deepest=DEEPEST)
            hint = message("nest fewer of them")
            self.found.append(Diagnostic("too-deep", sentence, call.span, hint))

    def find_circles(self) -> None:
        """Steps that come to do themselves."""
        for name, step in self.patterns.items():
            seen: set[str] = set()
            waiting: list[ast.Step] = [step]
            while waiting:
                for node in walk(waiting.pop()):
                    called = self.patterns.get(node.step.text) if isinstance(node, ast.Do) else None
                    if called is step:
                        sentence = message("`{name}` does itself again", name=name)
                        hint = message("rules cannot call themselves: use `repeat`, `turns` or a table")
                        self.found.append(Diagnostic("recursive-definition", sentence, step.name.span, hint))
                        return
                    if called is not None and called.name.text not in seen:
                        seen.add(called.name.text)
                        waiting.append(called)


# ---- values alone
# `Square where stone = player`: a marker or a number of places, or of cards, stands alone where one of them is looked
# at, as an attribute does. Takes a game, gives a game in which it has its key: `stone[it]`.


def spell_out_values_alone(game: ast.Game) -> ast.Game:
    """The very game where none stands alone."""
    values = find_values(game)
    if not values:
        return game
    return evolve(game, declarations=tuple(spell_piece(piece, values) for piece in game.declarations))


def find_values(game: ast.Game) -> dict[str, ast.Variable]:
    """Of one key, a place or a card; without those that are called like an attribute or a word."""
    kinds = {one.name.text for one in game.components}
    taken = {name.text for piece in game.declarations for name in list_other_names(piece)}
    return {
        one.name.text: one for one in game.declarations
        if isinstance(one, ast.Variable) and one.name.text not in taken and len(one.keys) == 1
        and isinstance(key := one.keys[0], ast.NamedType) and key.name.text in kinds
    }  # fmt: skip


def list_other_names(piece: ast.AnyDeclaration) -> list[ast.Name]:
    match piece:
        case ast.Components(attributes=attributes, computed=computed, rows=rows):
            return [*(one.name for one in (*attributes, *computed)), *(row.name for row in rows)]
        case ast.Values(name=own) | ast.Option(name=own):
            return [node for node in walk(piece) if isinstance(node, ast.Name) and node is not own]
        case _:
            return []


def spell_piece(piece: ast.AnyDeclaration, values: dict[str, ast.Variable]) -> ast.AnyDeclaration:
    """What has a name of its own in the piece is that."""
    if isinstance(piece, ast.Words | ast.Variable):
        return piece
    local = {name.text for node in walk(piece) if (name := name_given_by(node)) is not None}
    known = {name: one for name, one in values.items() if name not in local}
    spelled: ast.AnyDeclaration = ElementSpeller(known, None).spell(piece) if known else piece
    return spelled


def name_given_by(node: ast.Node) -> ast.Name | None:
    match node:
        case ast.Parameter(name=name) | ast.Choice(name=name) | ast.Each(name=name) | ast.Deal(alias=name):
            return name
        case _:
            return None


@frozen
class ElementSpeller:
    """`element`: what is looked at here, the innermost one."""

    values: dict[str, ast.Variable]
    element: str | None

    def inside(self, name: ast.Name | None) -> ElementSpeller:
        return evolve(self, element=name.text if name is not None else "it")

    def spell(self, value: Any) -> Any:
        match value:
            case ast.Name(text) if self.element is not None and text in self.values:
                key = ast.Name(self.element, span=value.span)
                return ast.Index(value, (key,), of=self.values[text].of_kind, span=value.span)
            case ast.Index(_, keys):
                spelled = self.spell(keys)
                return evolve(value, keys=spelled) if spelled is not keys else value
            case ast.Call(_, arguments):
                spelled = self.spell(arguments)
                return evolve(value, arguments=spelled) if spelled is not arguments else value
            case ast.Can():
                return value
            case ast.Of(ast.Name(text), owner) if text in self.values and not self.values[text].per_player:
                spelled = self.spell(owner)
                return evolve(value, owner=spelled) if spelled is not owner else value
            case ast.Filter() | ast.Quantified() | ast.Aggregate() | ast.Best() | ast.Deal():
                return self.spell_elements(value)
            case _:
                return change_parts(value, self.spell)

    def spell_elements(self, node: ast.Filter | ast.Quantified | ast.Aggregate | ast.Best | ast.Deal) -> ast.Node:
        """The collection is looked at from outside, what is asked of each element from inside."""
        match node:
            case ast.Filter(collection, condition):
                parts: dict[str, Any] = {"collection": self.spell(collection)}
                parts["condition"] = self.inside(None).spell(condition)
            case ast.Deal(condition=condition):
                parts = {"condition": self.inside(None).spell(condition) if condition is not None else None}
                parts |= {"count": self.spell(node.count), "origin": self.spell(node.origin)}
            case ast.Best(each=each, key=key):
                parts = {"each": self.spell(each), "key": self.inside(each.name).spell(key)}
            case ast.Quantified(each=each, body=body) | ast.Aggregate(each=each, body=body):
                parts = {"each": self.spell(each), "body": self.inside(each.name).spell(body)}
        is_same = all(new is getattr(node, name) for name, new in parts.items())
        return node if is_same else evolve(node, **parts)
