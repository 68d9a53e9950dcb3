"""Lark's tree of a line below a piece → a node: rows, entries, lines of a sheet, of an example, of a word list."""

from __future__ import annotations

from typing import Any

from lark import Token

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.parsing.to_ast_declarations import DeclarationsToAst
from rulesrun.dsl.parsing.to_ast_statements import unquote_token
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span


class ToAst(DeclarationsToAst):
    """Every rule of the grammar has its method here or in what this is built on."""

    def row(self, span: Span, name: ast.Name, cells: tuple[Any, ...]) -> ast.RowDecl:
        *values, copies = cells
        if copies is None and values and _is_of_each(values[-1]):
            hint = message("put brackets around it, as in `(2 * players) of each`")
            place = values[-1].span
            end = place.end - len(message(" of each"))
            around = Edit(place.start, place.start, "("), Edit(end, end, ")")
            self.report("missing-brackets", message("the number of each is a formula"), place, hint, *around)
        return ast.RowDecl(name, tuple(values), copies, span=span)

    def computed(self, span: Span, name: ast.Name, type_: ast.TypeExpr, value: ast.Expr) -> ast.AttributeDecl:
        return ast.AttributeDecl(name, type_, value, span=span)

    def computed_rule(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.AttributeDecl:
        return ast.AttributeDecl(name, None, value, span=span)

    def line_of_places(self, span: Span, *names: ast.Name) -> ast.PlaceLine:
        return ast.PlaceLine(names, span=span)

    def cells(self, span: Span, *parts: ast.Expr | None) -> tuple[ast.Expr | None, ...]:
        return parts

    def entries(self, span: Span, *entries: ast.Entry) -> tuple[ast.Entry, ...]:
        return entries

    def bare_entry(self, span: Span, value: ast.Expr) -> ast.Entry:
        return ast.Entry(None, False, value, span=span)

    def keyed_entry(self, span: Span, keys: ast.Expr | tuple[ast.Expr, ...], value: ast.Expr) -> ast.Entry:
        return ast.Entry(keys if isinstance(keys, tuple) else (keys,), False, value, span=span)

    def other_entry(self, span: Span, value: ast.Expr) -> ast.Entry:
        return ast.Entry(None, True, value, span=span)

    def keys_side_by_side(self, span: Span, *keys: ast.Expr) -> tuple[ast.Expr, ...]:
        return keys

    def score_line(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.ScoreLine:
        return ast.ScoreLine(name, value, span=span)

    def sentence(self, span: Span, text: Token) -> str:
        return unquote_token(text)

    def persona_line(self, span: Span, word: Token, action: ast.Name, when: ast.Expr | None) -> ast.Preference:
        return ast.Preference(str(word), action, when, span=span)

    def words_line(self, span: Span, name: ast.Name, text: Token) -> ast.Word:
        return ast.Word(name, unquote_token(text), span=span)

    # ---- examples

    def for_players(self, span: Span, count: ast.Expr) -> ast.ForPlayers:
        return ast.ForPlayers(count, span=span)

    def set_option(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.Set:
        return ast.Set(name, value, span=span)

    def given_cards(self, span: Span, zone: ast.Expr, items: tuple[ast.Literal, ...] | None) -> ast.GivenCards:
        return ast.GivenCards(zone, items or (), span=span)

    def given_value(self, span: Span, target: ast.Expr, value: ast.Expr) -> ast.GivenValue:
        return ast.GivenValue(target, value, span=span)

    def given_component(self, span: Span, target: ast.Expr, *parts: ast.Expr) -> ast.GivenValue:
        first, last = parts[0].span, parts[-1].span
        return ast.GivenValue(target, ast.Literal(parts, span=Span(first.file, first.start, last.end)), span=span)

    def given_turn(self, span: Span, player: ast.Expr) -> ast.GivenTurn:
        return ast.GivenTurn(player, span=span)

    def given_phase(self, span: Span, phase: ast.Name) -> ast.GivenPhase:
        return ast.GivenPhase(phase, span=span)

    def next_chance(self, span: Span, items: tuple[ast.Literal, ...]) -> ast.NextChance:
        return ast.NextChance(items, span=span)

    def when(
        self, span: Span, player: ast.Expr, action: ast.Name, arguments: tuple[ast.Literal, ...] | None,
        if_possible: Token | None,
    ) -> ast.When:  # fmt: skip
        return ast.When(_player_or_team(player), action, arguments or (), if_possible is not None, span=span)

    def then(self, span: Span, condition: ast.Expr) -> ast.Then:
        return ast.Then(condition, span=span)

    def then_still(self, span: Span, title: Token) -> ast.ThenStill:
        return ast.ThenStill(unquote_token(title), span=span)

    def then_over(self, span: Span, state: Token) -> ast.ThenOver:
        return ast.ThenOver(str(state).split()[-1] == "over", span=span)

    def then_can(
        self, span: Span, player: ast.Expr, can: Token, action: ast.Name,
        arguments: tuple[ast.Literal, ...] | None,
    ) -> ast.ThenCan:  # fmt: skip
        return ast.ThenCan(_player_or_team(player), can == "can", action, arguments, span=span)

    def todo(self, span: Span) -> ast.Todo:
        return ast.Todo(span=span)


def _is_of_each(cell: ast.Expr) -> bool:
    """`players * 2 of each`: `of` took the last part alone."""
    while isinstance(cell, ast.Arithmetic):
        cell = cell.right
    return isinstance(cell, ast.Of) and isinstance(cell.owner, ast.Name) and cell.owner.text == "each"


def _player_or_team(player: ast.Expr) -> ast.Expr | None:
    """None for the team: all players."""
    return None if isinstance(player, ast.Name) and player.text == "team" else player
