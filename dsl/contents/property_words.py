"""What a property is called by the words with which it begins. Takes properties, gives messages."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import Message, Names, message, message_in, template

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
