"""`do effect of card`: the step that the card's row names. Takes a game, gives a game in which that is spelled out.

A column `step effect` says of each row which step is done, `nothing` for none. What is asked for is one of the rows:
the line becomes a case for each of them, and the column is gone.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, TypeVar

import attrs
from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.moving import copy_node
from rulesrun.dsl.ast.named_values import wrap_single_value
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.expansion.boards import PlaceNames
from rulesrun.dsl.expansion.rewriting import StatementRewriter
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span

Cells = tuple[tuple[ast.RowDecl, ast.Expr], ...]


def spell_out_effects(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where no cards carry steps."""
    carrying = [one for one in game.components if steps_of(one)]
    if not carrying and not any(isinstance(node, ast.DoEffect) for piece in game.declarations for node in walk(piece)):
        return game, []
    speller = EffectSpeller(PlaceNames.of_game(game))
    speller.steps = {one.name.text for one in game.pieces(ast.Step)}
    for kind in carrying:
        speller.note_kind(kind)
    pieces = tuple(speller.spell_piece(piece) for piece in game.declarations)
    speller.report_unused()
    return evolve(game, declarations=pieces), speller.found


def steps_of(kind: ast.Components) -> list[int]:
    """Which of its columns are steps."""
    return [at for at, attribute in enumerate(kind.attributes) if attribute.is_step]


@define
class EffectSpeller(StatementRewriter):
    places: PlaceNames
    columns: dict[tuple[str, str], Cells] = field(factory=dict)  # by kind and column
    kinds: dict[str, ast.Components] = field(factory=dict)  # as they are played, without the columns
    names: dict[tuple[str, str], ast.Name] = field(factory=dict)
    done: set[tuple[str, str]] = field(factory=set)
    steps: set[str] = field(factory=set)
    found: list[Diagnostic] = field(factory=list)

    # ---- the columns

    def note_kind(self, kind: ast.Components) -> None:
        steps = steps_of(kind)
        whole = [row for row in kind.rows if self.has_all_cells(kind, row)]
        for at in steps:
            key = kind.name.text, kind.attributes[at].name.text
            self.names[key] = kind.attributes[at].name
            self.columns[key] = tuple((row, row.cells[at]) for row in whole if self.is_step(row.cells[at]))
        if not kind.rows:
            hint = message("write a row for each below: `name: …`, a value for each column")
            self.report("wrong-type", message("which step it is stands in rows"), kind.attributes[steps[0]].span, hint)
        rows = tuple(evolve(row, cells=drop_parts(row.cells, steps)) for row in whole)
        self.kinds[kind.name.text] = evolve(kind, attributes=drop_parts(kind.attributes, steps), rows=rows)

    def has_all_cells(self, kind: ast.Components, row: ast.RowDecl) -> bool:
        if len(row.cells) == len(kind.attributes):
            return True
        columns = ", ".join(attribute.name.text for attribute in kind.attributes)
        sentence = message(
            "`{row}` has {cells} values, and there are {columns} columns", row=row.name.text, cells=len(row.cells),
            columns=len(kind.attributes),
        )  # fmt: skip
        hint = message("its columns are {columns}", columns=columns)
        self.report("wrong-number-of-cells", sentence, row.name.span, hint)
        return False

    def is_step(self, cell: ast.Expr) -> bool:
        if isinstance(cell, ast.Name | ast.Call | ast.Nothing):
            return True
        hint = message("write the name of a step, as in `gain` or `pay(2)`; `nothing` where nothing is done")
        self.report("wrong-type", message("expected a step"), cell.span, hint)
        return False

    def report_unused(self) -> None:
        for key, name in self.names.items():
            if key not in self.done and not self.found:
                sentence = message("the step `{name}` of {kind} is never done", name=name.text, kind=key[0])
                hint = message("write `do {name} of …`, or leave the column out", name=name.text)
                self.found.append(Diagnostic("unused-name", sentence, name.span, hint, "warning"))

    # ---- the lines

    def spell_piece(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration:
        if isinstance(piece, ast.Components):
            return self.kinds.get(piece.name.text, piece)
        self.places.enter_piece(piece)
        return self.rewrite_piece(piece)

    def rewrite_statement(self, line: ast.Statement) -> ast.Statement:
        with self.places.inside(line):
            return super().rewrite_statement(line)

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        if isinstance(line, ast.Do) and line.step.text not in self.steps:
            return self.refuse_bare_step(line)
        if not isinstance(line, ast.DoEffect):
            return line
        key = self.find_column(line)
        if key is None:
            return line
        is_first = key not in self.done
        self.done.add(key)
        card = ast.Name("card with a step", span=line.owner.span)
        branches = tuple(
            make_branch(card, row, cell if is_first else copy_node(cell), line.span)
            for row, cell in self.columns[key] if not isinstance(cell, ast.Nothing)
        )
        body = (ast.If(branches, span=line.span),) if branches else ()
        each = ast.Each(card, wrap_single_value(line.owner), span=line.owner.span)
        return ast.ForEach(each, None, body, "effect", called=line, span=line.span)

    def refuse_bare_step(self, line: ast.Do) -> ast.Statement:
        """`do effect(card)`: a column is no step by itself."""
        name = line.step.text
        if not any(key[1] == name for key in self.columns):
            return line
        said = text_of_expression(line.arguments[0]) if len(line.arguments) == 1 else "…"
        hint = message("write `do {name} of {card}`", name=name, card=said)
        sentence = message("`{name}` is a column: it is not said whose step it is", name=name)
        self.report("unknown-step", sentence, line.step.span, hint)
        return ast.DoEffect(line.step, ast.Nothing(span=line.span), span=line.span)

    def find_column(self, line: ast.DoEffect) -> tuple[str, str] | None:
        """Of the kind that lies there; where that is not known, of the only kind that has such a column."""
        name = line.column.text
        known = (self.places.find_kind(line.owner) or "", name)
        if known in self.columns:
            return known
        several = [key for key in self.columns if key[1] == name]
        if len(several) == 1:
            return several[0]
        if several:
            sentence = message("several kinds have a step `{name}`, it is not known which of them this is", name=name)
            self.report("wrong-type", sentence, line.owner.span, message("take it from a zone, by a choice or `each`"))
            return None
        near = get_close_matches(name, sorted(key[1] for key in self.columns), n=1)
        hint = message("name it as a column, `card …: step {name}`, and in each row a step", name=name)
        if near:
            hint = message("did you mean `{near}`?", near=near[0])
        self.report("unknown-step", message("no card carries a step `{name}`", name=name), line.column.span, hint)
        return None

    def report(self, code: str, sentence: Message, span: Span, hint: Message) -> None:
        self.found.append(Diagnostic(code, sentence, span, hint))


Part = TypeVar("Part")


def drop_parts(parts: tuple[Part, ...], dropped: list[int]) -> tuple[Part, ...]:
    return tuple(part for at, part in enumerate(parts) if at not in dropped)


def make_branch(card: ast.Name, row: ast.RowDecl, cell: ast.Expr, span: Span) -> ast.Branch:
    is_it = ast.Compare("=", copy_node(card), ast.Name(row.name.text, span=card.span), span=card.span)
    called = ast.Do(cell.name, cell.arguments, span=cell.span) if isinstance(cell, ast.Call) else None
    if called is None:
        assert isinstance(cell, ast.Name)
        called = ast.Do(cell, span=cell.span)
    return ast.Branch(is_it, (called,), span=span)


# ---- kept values
# `marker told of Card`: what stays with a component wherever it goes. Takes a game, gives a game in which it is
# spelled out: a marker with a key, the component. `told of c` is the one of c.


def spell_out_kept_values(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nothing stays with a component."""
    kept = {one.name.text for one in game.variables if one.of_kind}
    if not kept:
        return game, []
    double = find_double_names(game, kept)
    boards = {one.name.text for one in game.components if one.board is not None}
    misplaced = {
        one.name.text for one in game.variables if one.of_kind
        for key in one.keys if isinstance(key, ast.NamedType) and key.name.text in boards
    }  # fmt: skip
    speller = KeptValueSpeller(kept - {name for name, _ in double}, misplaced)
    pieces = tuple(speller.spell(piece) for piece in game.declarations)
    return evolve(game, declarations=pieces), [*speller.found, *(one for _, one in double)]


def find_double_names(game: ast.Game, kept: set[str]) -> list[tuple[str, Diagnostic]]:
    """`rank of c` cannot be an attribute and a marker: what is wrong, by name."""
    attributes = [
        one.name for piece in game.declarations if isinstance(piece, ast.Components)
        for one in (*piece.attributes, *piece.computed) if one.name.text in kept
    ]  # fmt: skip
    return [(one.text, describe_double_name(one)) for one in attributes]


def describe_double_name(name: ast.Name) -> Diagnostic:
    sentence = message("`{name}` is an attribute here, and also a value that stays with components", name=name.text)
    return Diagnostic("duplicate-name", sentence, name.span, message("choose another name for one of them"))


@define
class KeptValueSpeller:
    kept: set[str]
    misplaced: set[str]  # declared with `of` where brackets are meant: that is said there
    found: list[Diagnostic] = field(factory=list)

    def spell(self, value: Any) -> Any:
        """The very node where nothing in it changes."""
        if isinstance(value, tuple):
            parts = tuple(self.spell(part) for part in value)
            return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
        if not isinstance(value, ast.Node) or isinstance(value, ast.Small):
            return value
        changed = {}
        for one in attrs.fields(type(value)):
            if one.name != "span" and isinstance(part := getattr(value, one.name), ast.Node | tuple):
                new = self.spell(part)
                if new is not part:
                    changed[one.name] = new
        return self.spell_node(evolve(value, **changed) if changed else value)

    def spell_node(self, node: ast.Node) -> ast.Node:
        match node:
            case ast.Of(ast.Name(text) as name, owner) if text in self.kept:
                return ast.Index(name, (owner,), of=True, span=node.span)
            case ast.Index(ast.Name(text), keys, of=False) if text in self.kept:
                self.refuse_brackets(node, text, keys)
                return evolve(node, of=True)
            case _:
                return node

    def refuse_brackets(self, node: ast.Index, name: str, keys: tuple[ast.Expr, ...]) -> None:
        if name in self.misplaced:
            return
        instead = text_of_expression(evolve(node, keys=keys[:1], of=True))
        sentence = message("`{name}` stays with a component: it has no brackets", name=name)
        edit = Edit(node.span.start, node.span.end, instead)
        hint = message("write `{instead}`", instead=instead)
        self.found.append(Diagnostic("wrong-type", sentence, node.span, hint, edits=(edit,)))
