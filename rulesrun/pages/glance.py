"""The rules at a glance: a program and one of its tables in, what there is, who acts how and what counts out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import (
    lines_of_body,
    text_of_criterion,
    text_of_expression,
    text_of_first_line,
    text_of_type,
)
from rulesrun.dsl.text.messages import Names, join_messages, message, message_in
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import translate
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
        (message("Places"), zone_rows(game)),
        (message("Numbers and markers"), variable_rows(game)),
        (message("How it goes"), [*setup_rows(game), *phase_rows(game), *step_rows(game)]),
        (message("Actions"), action_rows(game)),
        (message("Points and victory"), score_rows(game)),
        (message("What the words mean"), word_rows(game)),
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


def say_name(name: str) -> str:
    """By its label, or with gaps for strokes: `last_turns`."""
    return translate(Names(name)).replace("_", " ")


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
            code_element(text_of_first_line(players).removeprefix("players ").replace("..", "–")),
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
        yield say_name(values.name.text), code_element(text_of_first_line(values).partition(": ")[2]), values
    for piece in pieces_of_class(game, ast.Components):
        amount = amounts.get(piece.name.text)
        told: list[str] = [message("{amount:,} in all", amount=amount)] if amount is not None else []
        said = text_of_first_line(piece).partition(": ")[2]
        told += [message("{amount} by name", amount=len(piece.rows))] if piece.rows else []
        about = element("span", join_messages(told), class_="amount")
        yield say_name(piece.name.text), join_markup((code_element(said), about)), piece


def option_rows(game: ast.Game, is_reading: bool) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Option):
        if piece.is_reading == is_reading:
            default = code_element(text_of_expression(piece.default))
            usual = element("span", message("by default:"), " ", default, class_="amount")
            quote = element("blockquote", piece.sentence) if piece.sentence else None
            yield say_name(piece.name.text), join_markup((code_element(text_of_type(piece.type)), usual, quote)), piece


def zone_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Zone):
        yield name_place(piece, "zone ")


def variable_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Variable):
        yield name_place(piece, f"{piece.word} ")


def name_place(piece: ast.Zone | ast.Variable, word: str) -> Row:
    """`hand of player`, and what else its line says."""
    name, _, rest = text_of_first_line(piece).removeprefix(word).partition(": ")
    owned = name.removesuffix(" of player")
    title = message("{place} of player", place=say_name(owned)) if owned != name else say_name(name)
    return title, code_element(rest), piece


def setup_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Setup):
        title = message("setup of a round") if piece.each_round else message("setup")
        yield title, list_lines(piece.body), piece


def phase_rows(game: ast.Game) -> Iterator[Row]:
    """`phase exchanges`: `turns from starter until passes = 2`, and what happens then."""
    for piece in pieces_of_class(game, ast.Phase):
        rest = text_of_first_line(piece).removeprefix(f"phase {piece.name.text}").removeprefix(":").strip()
        header = line_element(rest) if rest else None
        title = message("phase {phase}", phase=say_name(piece.name.text))
        yield title, join_markup((header, list_lines(piece.body))), piece


def step_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Step):
        given = text_of_first_line(piece).removeprefix(f"step {piece.name.text}")
        header = line_element(given) if given else None
        yield say_name(piece.name.text), join_markup((header, list_lines(piece.body))), piece


def list_lines(body: tuple[ast.Statement, ...]) -> Markup | None:
    """What is done, one after the other; what belongs to a line stands below it."""
    return nest_lines(lines_of_body(body), 0) if body else None


def nest_lines(lines: list[tuple[int, str]], depth: int) -> Markup:
    starts = [at for at, (deep, _) in enumerate(lines) if deep == depth]
    items = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        below = lines[start + 1 : end]
        items.append(element("li", line_element(lines[start][1]), nest_lines(below, depth + 1) if below else None))
    return element("ul", *items, class_="steps")


def line_element(words: str) -> Markup:
    """A line of the rules as one would say it."""
    return element("code", words.replace("_", " "), class_="line", lang="en")


def action_rows(game: ast.Game) -> Iterator[Row]:
    for piece in pieces_of_class(game, ast.Action):
        choices = text_of_first_line(piece).removeprefix(f"action {piece.name.text}")
        needs = [need.because for need in piece.needs if need.because]
        reasons = (element("li", message("otherwise refused: “{reason}”", reason=reason)) for reason in needs)
        only = element("ul", *reasons) if needs else None
        header = line_element(choices) if choices else None
        yield say_name(piece.name.text), join_markup((header, only, list_lines(piece.body))), piece


def word_rows(game: ast.Game) -> Iterator[Row]:
    """What is defined: the author's names for a value, and tables."""
    for define in pieces_of_class(game, ast.Define):
        name, _, rest = text_of_first_line(define).removeprefix("define ").partition(" = ")
        yield name_word(name), line_element(rest), define
    for table in pieces_of_class(game, ast.Table):
        name, _, rest = text_of_first_line(table).removeprefix("table ").partition("): ")
        yield name_word(f"{name})"), line_element(rest), table


def name_word(name: str) -> Child:
    """Where it takes arguments, these are said as the rules say them."""
    return line_element(name) if "(" in name else say_name(name)


def score_rows(game: ast.Game) -> Iterator[Row]:
    for score in pieces_of_class(game, ast.Score):
        when = WHEN.get(score.when, WHEN[""])
        for line in score.lines:
            value = join_markup((line_element(text_of_expression(line.value)), element("span", when, class_="amount")))
            yield say_name(line.name.text), value, line if line.notes else score
    for ranking in pieces_of_class(game, ast.Ranking):
        said = "; ".join(map(text_of_criterion, ranking.criteria)) + ("; ties share" if ranking.ties_share else "")
        yield message("who wins"), code_element(said), ranking
    for result in pieces_of_class(game, ast.Result):
        yield message_in("part of rules", "result"), code_element(text_of_first_line(result).partition(": ")[2]), result
