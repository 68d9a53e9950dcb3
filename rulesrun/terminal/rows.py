"""Rows of a report: what a verdict or a label is called, and the text behind it. Words in, a line out."""

from __future__ import annotations

from rulesrun.dsl.text.messages import Message, message_in
from rulesrun.locale.language import translate
from rulesrun.terminal.output import pad_label, paint_text

LABELS: dict[str, Message] = {
    label: label
    for label in (
        message_in("label", "holds"), message_in("label", "fails"), message_in("label", "passed"),
        message_in("label", "examples"), message_in("label", "seen"),
        message_in("label", "not known"), message_in("label", "not broken"), message_in("label", "not judged"),
        message_in("label", "not seen"), message_in("label", "not proved"), message_in("label", "never"),
        message_in("label", "reveals"), message_in("label", "games"), message_in("label", "secrets"),
        message_in("label", "options"), message_in("label", "small"), message_in("label", "saved"),
        message_in("label", "stuck"), message_in("label", "leaks"), message_in("label", "may go on"),
        message_in("label", "endless"), message_in("label", "too long"), message_in("label", "proved"),
        message_in("label", "evidence"), message_in("label", "next"),
        message_in("label", "table"), message_in("label", "positions"), message_in("label", "complete"),
        message_in("label", "partial"), message_in("label", "symmetry"), message_in("label", "ends"),
        message_in("label", "happens"), message_in("label", "coverage"), message_in("label", "threshold"),
        message_in("label", "broken"), message_in("label", "figures"), message_in("label", "together"),
        message_in("label", "length"), message_in("label", "choices"), message_in("label", "course"),
        message_in("label", "counted"),
        message_in("label", "actions"), message_in("label", "phases"), message_in("label", "points"),
        message_in("label", "values"), message_in("label", "rows"), message_in("label", "chosen"),
        message_in("label", "kept"), message_in("label", "base examples"), message_in("label", "changed"),
        message_in("label", "added"), message_in("label", "removed"), message_in("label", "renamed"),
        message_in("label", "dropped"), message_in("label", "recorded"),
        message_in("label", "fails now"), message_in("label", "broken now"),
    )
}  # fmt: skip
"""Every word that stands before a row; verdicts are among them."""


def say_label(label: str) -> str:
    return translate(LABELS.get(label, label))


def labelled_row(label: str, text: str, paint: str | None = None) -> str:
    """`  holds      always "…" (line 7)`"""
    said = say_label(label)
    return f"  {pad_label(said if paint is None else paint_text(said, paint), 11)}{text}"
