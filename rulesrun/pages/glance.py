"""The rules at a glance: a program and one of its tables in, what there is, who acts how and what counts out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_criterion, text_of_expression, text_of_first_line, text_of_type
from rulesrun.dsl.text.messages import Names, join_messages, message, message_in
from rulesrun.interpreter.reference.table import Table
from rulesrun.pages.markup import Child, Markup, element, join_markup, paragraph, text_with_code

WHEN = {"round": message("each round"), "end": message("at the end"), "": message("when the rules say so")}
Piece = TypeVar("Piece", bound=ast.Declaration)
Row = tuple[Child, Child, ast.AnyDeclaration | ast.ScoreLine | None]


def glance_section(game: ast.Game, table: Table | None) -> Markup:
    groups = (
        (message("The table"), head_rows(game)),
        (message("Components"), component_rows(game, table)),
        (message("Options"), option_rows(game, is_reading=False)),
        (message("Readings: where the rulebook is unclear"), option_rows(game, is_reading=True)),
        (message("Places"), plain_rows(game, ast.Zone)),
        (message("How it goes"), [*plain_rows(game, ast.Setup), *plain_rows(game, ast.Phase)]),
        (message("Actions"), action_rows(game)),
        (message("Points and victory"), score_rows(game)),
    )
    told = [piece_group(title, list(rows)) for title, rows in groups]
    return element("div", *told, class_="glance")


def piece_group(title: str, rows: list[Row]) -> Markup | None:
    if not rows:
        return None
    parts: list[Markup] = []
    for name, said, piece in rows:
        notes = piece.notes if piece is not None else ()
        note = paragraph(text_with_code(" ".join(notes)), class_="note") if notes else None
        parts += [element("dt", name), element("dd", said, note)]
    return element("div", element("h4", title), element("dl", *parts), class_="group")


def code_element(words: str) -> Markup:
    return element("code", words)


def pieces_of_class(game: ast.Game, kind: type[Piece]) -> list[Piece]:
    return [piece for piece in game.declarations if isinstance(piece, kind)]


def head_rows(game: ast.Game) -> Iterator[Row]:
    for title in pieces_of_class(game, ast.Title):
        if title.notes:
            yield message("about"), None, title
    for players in pieces_of_class(game, ast.Players):
        yield (
            message_in("column", "players"),
            code_element(text_of_first_line(players).removeprefix("players ").replace("..", " to ")),
            players,
        )
    for rounds in pieces_of_class(game, ast.Rounds):
        said = code_element(text_of_first_line(rounds).removeprefix("rounds "))
        yield message_in("part of rules", "rounds"), said, rounds
    if game.base is not None:
        yield message("builds on"), code_element(game.base), None


def component_rows(game: ast.Game, table: Table | None) -> Iterator[Row]:
    amounts = {
        part.declaration.name.text: sum(kinds.copies[kind] for kind in part.numbers)
        for kinds in (table.bench.kinds.values() if table else ()) for part in kinds.parts
    }  # fmt: skip
    for values in pieces_of_class(game, ast.Values):
        yield Names(values.name.text), code_element(text_of_first_line(values).partition(": ")[2]), values
    for piece in pieces_of_class(game, ast.Components):
        amount = amounts.get(piece.name.text)
        told: list[str] = [message("{amount:,} in all", amount=amount)] if amount is not None else []
        said = text_of_first_line(piece).partition(": ")[2]
        told += [message("{amount} by name", amount=len(piece.rows))] if piece.rows else []
        about = element("span", join_messages(told), class_="amount")
        yield Names(piece.name.text), join_markup((code_element(said), about)), piece


def option_rows(game: ast.Game, is_reading: bool) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Option):
        if piece.is_reading == is_reading:
            default = code_element(text_of_expression(piece.default))
            usual = element("span", message("by default:"), " ", default, class_="amount")
            quote = element("blockquote", piece.sentence) if piece.sentence else None
            yield Names(piece.name.text), join_markup((code_element(text_of_type(piece.type)), usual, quote)), piece


def plain_rows(game: ast.Game, kind: type[ast.Zone] | type[ast.Setup] | type[ast.Phase]) -> Iterator[Row]:
    """By their first lines: `phase exchanges: turns from starter until passes = 2`."""
    for piece in pieces_of_class(game, kind):
        name, rest = name_piece(piece, text_of_first_line(piece))
        yield name, code_element(rest) if rest else None, piece


def name_piece(piece: ast.Zone | ast.Setup | ast.Phase, line: str) -> tuple[str, str]:
    """What it is called, and what else its first line says."""
    match piece:
        case ast.Zone():
            name, _, rest = line.removeprefix("zone ").partition(": ")
            owned = name.removesuffix(" of player")
            return (message("{place} of player", place=Names(owned)) if owned != name else Names(name)), rest
        case ast.Phase():
            rest = line.removeprefix(f"phase {piece.name.text}").removeprefix(":").strip()
            return message("phase {phase}", phase=Names(piece.name.text)), rest
        case ast.Setup():
            return (message("setup of a round") if piece.each_round else message("setup")), ""


def action_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Action):
        choices = text_of_first_line(piece).removeprefix(f"action {piece.name.text}")
        needs = [need.because for need in piece.needs if need.because]
        reasons = (element("li", message("otherwise refused: “{reason}”", reason=reason)) for reason in needs)
        only = element("ul", *reasons) if needs else None
        yield Names(piece.name.text), join_markup((code_element(choices) if choices else None, only)), piece


def score_rows(game: ast.Game) -> Iterator[Row]:
    for score in pieces_of_class(game, ast.Score):
        when = WHEN.get(score.when, WHEN[""])
        for line in score.lines:
            value = join_markup((code_element(text_of_expression(line.value)), element("span", when, class_="amount")))
            yield Names(line.name.text), value, line if line.notes else score
    for ranking in pieces_of_class(game, ast.Ranking):
        said = "; ".join(map(text_of_criterion, ranking.criteria)) + ("; ties share" if ranking.ties_share else "")
        yield message("who wins"), code_element(said), ranking
    for result in pieces_of_class(game, ast.Result):
        yield message_in("part of rules", "result"), code_element(text_of_first_line(result).partition(": ")[2]), result
