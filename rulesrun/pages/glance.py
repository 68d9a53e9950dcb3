"""The rules at a glance: a program and one of its tables in, what there is, who acts how and what counts out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_criterion, text_of_expression, text_of_first_line, text_of_type
from rulesrun.interpreter.reference.table import Table
from rulesrun.pages.markup import Child, Markup, element, join_markup, paragraph, text_with_code

Piece = TypeVar("Piece", bound=ast.Declaration)
Row = tuple[Child, Child, ast.AnyDeclaration | ast.ScoreLine | None]


def glance_section(game: ast.Game, table: Table | None) -> Markup:
    groups = (
        ("The table", head_rows(game)),
        ("Components", component_rows(game, table)),
        ("Options", option_rows(game, is_reading=False)),
        ("Readings: what the rulebook leaves open", option_rows(game, is_reading=True)),
        ("Places", plain_rows(game, ast.Zone)),
        ("Course", [*plain_rows(game, ast.Setup), *plain_rows(game, ast.Phase)]),
        ("Actions", action_rows(game)),
        ("Points and victory", score_rows(game)),
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
            yield "about", None, title
    for players in pieces_of_class(game, ast.Players):
        yield (
            "players",
            code_element(text_of_first_line(players).removeprefix("players ").replace("..", " to ")),
            players,
        )
    for rounds in pieces_of_class(game, ast.Rounds):
        yield "rounds", code_element(text_of_first_line(rounds).removeprefix("rounds ")), rounds
    if game.base is not None:
        yield "builds on", code_element(game.base), None


def component_rows(game: ast.Game, table: Table | None) -> Iterator[Row]:
    amounts = {kinds.declaration.name.text: sum(kinds.copies) for kinds in table.bench.kinds.values()} if table else {}
    for values in pieces_of_class(game, ast.Values):
        yield values.name.text, code_element(text_of_first_line(values).partition(": ")[2]), values
    for piece in pieces_of_class(game, ast.Components):
        amount = amounts.get(piece.name.text)
        told = f"{amount:,} in all" if amount is not None else ""
        said = text_of_first_line(piece).partition(": ")[2]
        rows = f"{len(piece.rows)} by name" if piece.rows else ""
        about = element("span", " ".join(filter(None, (told, rows))), class_="amount")
        yield f"{piece.noun} {piece.name.text}", join_markup((code_element(said), about)), piece


def option_rows(game: ast.Game, is_reading: bool) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Option):
        if piece.is_reading == is_reading:
            usual = element("span", "unless told: ", code_element(text_of_expression(piece.default)), class_="amount")
            quote = element("blockquote", piece.sentence) if piece.sentence else None
            yield piece.name.text, join_markup((code_element(text_of_type(piece.type)), usual, quote)), piece


def plain_rows(game: ast.Game, kind: type[ast.Zone] | type[ast.Setup] | type[ast.Phase]) -> Iterator[Row]:
    """By their first lines: `phase exchanges: turns from starter until passes = 2`."""
    for piece in pieces_of_class(game, kind):
        opening, _, rest = text_of_first_line(piece).partition(": ")
        yield opening.removeprefix("zone "), code_element(rest) if rest else None, piece


def action_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Action):
        choices = text_of_first_line(piece).removeprefix(f"action {piece.name.text}")
        needs = [need.because for need in piece.needs if need.because]
        only = element("ul", *(element("li", f"refused otherwise: {reason}") for reason in needs)) if needs else None
        yield piece.name.text, join_markup((code_element(choices) if choices else None, only)), piece


def score_rows(game: ast.Game) -> Iterator[Row]:
    for score in pieces_of_class(game, ast.Score):
        when = {"round": "each round", "end": "at the end"}.get(score.when, "when told")
        for line in score.lines:
            value = join_markup((code_element(text_of_expression(line.value)), element("span", when, class_="amount")))
            yield line.name.text, value, line if line.notes else score
    for ranking in pieces_of_class(game, ast.Ranking):
        said = "; ".join(map(text_of_criterion, ranking.criteria)) + ("; ties share" if ranking.ties_share else "")
        yield "who wins", code_element(said), ranking
    for result in pieces_of_class(game, ast.Result):
        yield "result", code_element(text_of_first_line(result).partition(": ")[2]), result
