"""Words of the rules at a place, for reports."""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.dsl.source import Source, Span

LONGEST = 90


def excerpt(span: Span, sources: Mapping[str, Source]) -> str:
    """On one line, cut when it is long."""
    source = sources.get(span.file)
    words = " ".join(source.text[span.start : span.end].split()) if source else ""
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def line_of(span: Span, sources: Mapping[str, Source]) -> int:
    source = sources.get(span.file)
    return source.position(span.start)[0] if source else 0
