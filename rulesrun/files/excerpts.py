"""Words of the rules at a place, for reports."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from attrs import evolve

from rulesrun.dsl.text.messages import join_messages, message
from rulesrun.dsl.text.source import Source, Span
from rulesrun.interpreter.play.explanation import ExplainedValue

LONGEST = 90
WHOLE = 400  # characters: where somebody at a table asks for one rule, it is told whole


def excerpt(span: Span, sources: Mapping[str, Source], longest: int = LONGEST) -> str:
    """On one line, cut when it is long."""
    source = sources.get(span.file)
    words = " ".join(source.text[span.start : span.end].split()) if source else ""
    return words if len(words) <= longest else words[: longest - 1] + "…"


def heading(span: Span, sources: Mapping[str, Source]) -> str:
    """As an excerpt, but of an action its first line alone."""
    source = sources.get(span.file)
    if source is not None and source.text.startswith("action ", span.start):
        end = source.text.find("\n", span.start)
        span = evolve(span, end=min(span.end, end if end >= 0 else span.end))
    return excerpt(span, sources)


def line_of(span: Span, sources: Mapping[str, Source]) -> int:
    source = sources.get(span.file)
    return source.line_and_column(span.start)[0] if source else 0


def place_text(span: Span, file: str, sources: Mapping[str, Source]) -> str:
    """`line 7`; of another file than the one asked for: `base.rules:7`."""
    line = line_of(span, sources)
    return message("line {line}", line=line) if span.file == file else f"{os.path.basename(span.file)}:{line}"


def values_text(
    values: Sequence[ExplainedValue], sources: Mapping[str, Source], longest: int = LONGEST
) -> tuple[str, ...]:
    """`count of hand = 9`: what the parts of a condition were worth, the whole first; what it comes from further in."""
    found: dict[str, None] = {}
    for value in values:
        said = join_messages([excerpt(value.span, sources, longest), value.text], " = ")
        if said not in value.of.split(", "):  # `s = 1: s = 1`
            whole = join_messages([value.of, said], ": ") if value.of else said
            found[join_messages(["  " * value.depth, whole], "")] = None
    return tuple(found)
