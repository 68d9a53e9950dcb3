"""Each piece of a rulebook as it can be told: its name, its first line, what stands below it, the author's notes."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import kind_of
from rulesrun.dsl.format.format import (
    lines_of_body,
    text_of_criterion,
    text_of_expression,
    text_of_first_line,
    text_of_type,
)
from rulesrun.dsl.text.messages import Message, Names, message, message_in, template

Lines = tuple[tuple[int, str], ...]  # each with how deep it stands


@frozen
class ToldPiece:
    """`kind` is the word with which it begins, `variable` of numbers and markers, `score line` of a line of the score;
    `text` what its first line says behind that and the name. `body`: what is done there. `default` and `quote` are of
    options, `reasons` of actions, `rows` of components; `when` says when a line is scored, and `round` of a setup.
    """

    kind: str
    name: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()
    body: Lines = ()
    default: str = ""
    quote: str | None = None
    reasons: tuple[str, ...] = ()
    rows: int = 0
    when: str = ""


def tell_pieces(game: ast.Game) -> dict[str, list[ToldPiece]]:
    """By their kind, in the order of the file."""
    found: dict[str, list[ToldPiece]] = {}
    for piece in game.declarations:
        for told in _tell_piece(piece):
            found.setdefault(told.kind, []).append(told)
    return found


def _tell_piece(piece: ast.AnyDeclaration) -> Iterator[ToldPiece]:
    kind, notes = kind_of(piece), piece.notes
    match piece:
        case ast.Title():
            yield ToldPiece(kind, notes=notes)
        case ast.Players() | ast.Rounds():
            yield ToldPiece(kind, text=_text_behind(piece, f"{kind} "), notes=notes)
        case ast.Values(name=name):
            yield ToldPiece(kind, name.text, _text_behind_colon(piece), notes)
        case ast.Components(name=name, rows=rows):
            yield ToldPiece(kind, name.text, _text_behind_colon(piece), notes, rows=len(rows))
        case ast.Option(name=name):
            default = text_of_expression(piece.default)
            yield ToldPiece(kind, name.text, text_of_type(piece.type), notes, default=default, quote=piece.sentence)
        case ast.Zone() | ast.Variable():
            named, _, text = _text_behind(piece, f"{kind} ").partition(": ")
            yield ToldPiece("zone" if isinstance(piece, ast.Zone) else "variable", named, text, notes)
        case ast.Setup(body=body):
            when = "round" if piece.each_round else ""
            yield ToldPiece("setup", notes=notes, body=(*lines_of_body(body),), when=when)
        case ast.Phase(name=name, body=body) | ast.Step(name=name, body=body):
            text = _text_behind(piece, f"{kind} {name.text}").removeprefix(":").strip()
            yield ToldPiece(kind, name.text, text, notes, (*lines_of_body(body),))
        case ast.Action(name=name, needs=needs, body=body):
            text = _text_behind(piece, f"{kind} {name.text}")
            reasons = tuple(need.because for need in needs if need.because)
            yield ToldPiece(kind, name.text, text, notes, (*lines_of_body(body),), reasons=reasons)
        case ast.Define():
            named, _, text = _text_behind(piece, "define ").partition(" = ")
            yield ToldPiece(kind, named, text, notes)
        case ast.Table():
            named, _, text = _text_behind(piece, "table ").partition("): ")
            yield ToldPiece(kind, f"{named})", text, notes)
        case ast.Score(when=when, lines=lines):
            for line in lines:
                text = text_of_expression(line.value)
                yield ToldPiece("score line", line.name.text, text, line.notes or notes, when=when)
        case ast.Ranking(criteria=criteria, ties_share=ties_share):
            text = "; ".join(map(text_of_criterion, criteria)) + ("; ties share" if ties_share else "")
            yield ToldPiece(kind, text=text, notes=notes)
        case ast.Result():
            yield ToldPiece(kind, text=_text_behind_colon(piece), notes=notes)
        case _:
            pass


def _text_behind(piece: ast.AnyDeclaration, words: str) -> str:
    return text_of_first_line(piece).removeprefix(words)


def _text_behind_colon(piece: ast.AnyDeclaration) -> str:
    return text_of_first_line(piece).partition(": ")[2]


# ---- property words
# What a property is called by the words with which it begins. Takes properties, gives messages.


PROPERTY_WORDS: dict[str, Message] = {
    word: word
    for word in (
        message_in("property", "always"), message_in("property", "never"), message_in("property", "can happen"),
        message_in("property", "at most"), message_in("property", "at least"),
    )
}  # fmt: skip
LENGTHS = {
    "turns": template("ends within {bound} turns"), "rounds": template("ends within {bound} rounds"),
    "decisions": template("ends within {bound} decisions"),
}  # fmt: skip
MOMENTS = {
    "turn": message("at end of turn"), "round": message("at end of round"), "game": message("at end of game"),
}  # fmt: skip


def property_words(piece: ast.Property) -> str:
    """`always`, `at end of round`, `after exchange`, as it is written."""
    if piece.action is not None:
        return message("after {action}", action=Names(piece.action.text))
    if piece.bound is not None:
        return message(LENGTHS[str(piece.moment)], bound=Names(text_of_expression(piece.bound)))
    return MOMENTS[piece.moment] if piece.moment else PROPERTY_WORDS[piece.word]
