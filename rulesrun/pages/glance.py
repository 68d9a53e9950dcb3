"""The rules at a glance: pieces of a rulebook and one of its tables in, what there is, who acts and what counts out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulesrun.dsl.contents.told_pieces import Lines, ToldPiece
from rulesrun.dsl.text.messages import Names, join_messages, message, message_in
from rulesrun.interpreter.reference.table import Table
from rulesrun.locale.language import translate
from rulesrun.pages.markup import Child, Markup, element, join_markup, paragraph, text_with_code

WHEN = {"round": message("each round"), "end": message("at the end"), "": message("when the rules say so")}
Row = tuple[Child, Child, Sequence[str]]  # with the author's notes
Told = Mapping[str, list[ToldPiece]]


def glance_section(told: Told, base: str | None, table: Table | None) -> Markup:
    """`base`: what the rules build on."""
    groups = (
        (message("The table"), head_rows(told, base)),
        (message("Components"), component_rows(told, table)),
        (message("Options"), option_rows(told, "option")),
        (message("Readings: where the rulebook is unclear"), option_rows(told, "reading")),
        (message("Places"), map(place_row, told.get("zone", ()))),
        (message("Numbers and markers"), map(place_row, told.get("variable", ()))),
        (message("How it goes"), [*setup_rows(told), *phase_rows(told), *map(step_row, told.get("step", ()))]),
        (message("Actions"), map(action_row, told.get("action", ()))),
        (message("Points and victory"), score_rows(told)),
        (message("What the words mean"), word_rows(told)),
    )
    return element("div", *(piece_group(title, rows) for title, rows in groups), class_="glance")


def piece_group(title: str, rows: Iterable[Row]) -> Markup | None:
    parts: list[Markup] = []
    for name, said, notes in rows:
        note = paragraph(text_with_code(" ".join(notes)), class_="note") if notes else None
        parts += [element("dt", name), element("dd", said, note)]
    if not parts:
        return None
    return element("div", element("h4", title), element("dl", *parts), class_="group")


def say_name(name: str) -> str:
    """By its label, or with gaps for strokes: `last_turns`."""
    return translate(Names(name)).replace("_", " ")


def code_element(words: str) -> Markup:
    return element("code", words)


def head_rows(told: Told, base: str | None) -> Iterator[Row]:
    for title in told.get("game", ()):
        if title.notes:
            yield message("about"), None, title.notes
    for players in told.get("players", ()):
        yield message_in("column", "players"), code_element(players.text.replace("..", "–")), players.notes
    for rounds in told.get("rounds", ()):
        yield message_in("part of rules", "rounds"), code_element(rounds.text), rounds.notes
    if base is not None:
        yield message("builds on"), code_element(base), ()


def component_rows(told: Told, table: Table | None) -> Iterator[Row]:
    amounts = {
        part.declaration.name.text: sum(kinds.copies[kind] for kind in part.numbers)
        for kinds in (table.bench.kinds.values() if table else ()) for part in kinds.parts
    }  # fmt: skip
    for values in told.get("values", ()):
        yield say_name(values.name), code_element(values.text), values.notes
    for piece in told.get("component", ()):
        amount = amounts.get(piece.name)
        said: list[str] = [message("{amount:,} in all", amount=amount)] if amount is not None else []
        said += [message("{amount} by name", amount=piece.rows)] if piece.rows else []
        about = element("span", join_messages(said), class_="amount")
        yield say_name(piece.name), join_markup((code_element(piece.text), about)), piece.notes


def option_rows(told: Told, kind: str) -> Iterator[Row]:
    for piece in told.get(kind, ()):
        usual = element("span", message("by default:"), " ", code_element(piece.default), class_="amount")
        quote = element("blockquote", piece.quote) if piece.quote else None
        yield say_name(piece.name), join_markup((code_element(piece.text), usual, quote)), piece.notes


def place_row(piece: ToldPiece) -> Row:
    """`hand of player`, and what else its line says."""
    owned = piece.name.removesuffix(" of player")
    is_owned = owned != piece.name
    title = message("{place} of player", place=say_name(owned)) if is_owned else say_name(piece.name)
    return title, code_element(piece.text), piece.notes


def setup_rows(told: Told) -> Iterator[Row]:
    for piece in told.get("setup", ()):
        title = message("setup of a round") if piece.when == "round" else message("setup")
        yield title, list_lines(piece.body), piece.notes


def phase_rows(told: Told) -> Iterator[Row]:
    """`phase exchanges`: `turns from starter until passes = 2`, and what happens then."""
    for piece in told.get("phase", ()):
        title = message("phase {phase}", phase=say_name(piece.name))
        yield title, join_markup((header_line(piece), list_lines(piece.body))), piece.notes


def step_row(piece: ToldPiece) -> Row:
    return say_name(piece.name), join_markup((header_line(piece), list_lines(piece.body))), piece.notes


def header_line(piece: ToldPiece) -> Markup | None:
    return line_element(piece.text) if piece.text else None


def list_lines(body: Lines) -> Markup | None:
    """What is done, one after the other; what belongs to a line stands below it."""
    return nest_lines(body, 0) if body else None


def nest_lines(lines: Lines, depth: int) -> Markup:
    starts = [at for at, (deep, _) in enumerate(lines) if deep == depth]
    items = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        below = lines[start + 1 : end]
        items.append(element("li", line_element(lines[start][1]), nest_lines(below, depth + 1) if below else None))
    return element("ul", *items, class_="steps")


def line_element(words: str) -> Markup:
    """A line of the rules as one would say it."""
    return element("code", words.replace("_", " "), class_="line", lang="en")


def action_row(piece: ToldPiece) -> Row:
    reasons = (element("li", message("otherwise refused: “{reason}”", reason=reason)) for reason in piece.reasons)
    only = element("ul", *reasons) if piece.reasons else None
    return say_name(piece.name), join_markup((header_line(piece), only, list_lines(piece.body))), piece.notes


def word_rows(told: Told) -> Iterator[Row]:
    """What is defined: the author's names for a value, and tables."""
    for piece in (*told.get("define", ()), *told.get("table", ())):
        yield name_word(piece.name), line_element(piece.text), piece.notes


def name_word(name: str) -> Child:
    """Where it takes arguments, these are said as the rules say them."""
    return line_element(name) if "(" in name else say_name(name)


def score_rows(told: Told) -> Iterator[Row]:
    for line in told.get("score line", ()):
        when = element("span", WHEN.get(line.when, WHEN[""]), class_="amount")
        yield say_name(line.name), join_markup((line_element(line.text), when)), line.notes
    for ranking in told.get("ranking", ()):
        yield message("who wins"), code_element(ranking.text), ranking.notes
    for result in told.get("result", ()):
        yield message_in("part of rules", "result"), code_element(result.text), result.notes
