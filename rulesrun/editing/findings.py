"""What is wrong with a document, with the version that it is said of."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.editing.positions import Range
from rulesrun.editing.workspace import Analysis, Location


@frozen
class RelatedPlace:
    message: str
    location: Location


@frozen
class Finding:
    """`code` has a page: `rulesrun explain CODE`. `is_fixable`: the hint says what to write, see `list_fixes`."""

    range: Range
    severity: str  # error | warning | note
    code: str
    message: str
    hint: str | None
    related: tuple[RelatedPlace, ...]
    is_fixable: bool = False


@frozen
class Findings:
    """All that is to be said of one version of a document."""

    document: str
    version: int
    findings: tuple[Finding, ...]


def list_findings(analysis: Analysis) -> Findings:
    document = analysis.document
    return Findings(document.name, document.version, tuple(_place_diagnostics(analysis)))


def _place_diagnostics(analysis: Analysis) -> Iterator[Finding]:
    """Mistakes of the base are told once, in the line that names it."""
    elsewhere = []
    for diagnostic in analysis.reading.diagnostics:
        if diagnostic.span.file == analysis.document.name:
            yield make_finding(analysis, diagnostic)
        elif diagnostic.severity == "error":
            elsewhere.append(diagnostic)
    if elsewhere:
        yield _place_in_variant_line(analysis, elsewhere)


def make_finding(analysis: Analysis, diagnostic: Diagnostic) -> Finding:
    span = diagnostic.span
    places = tuple(
        RelatedPlace(other.message, analysis.locate(other.span.file, other.span.start, other.span.end))
        for other in diagnostic.related
    )
    place = analysis.lines_of(span.file).make_range(span.start, span.end)
    is_fixable = bool(diagnostic.edits)
    return Finding(place, diagnostic.severity, diagnostic.code, diagnostic.message, diagnostic.hint, places, is_fixable)


def _place_in_variant_line(analysis: Analysis, elsewhere: list[Diagnostic]) -> Finding:
    first = elsewhere[0]
    pieces = analysis.link.parsed.declarations
    variant = next((piece for piece in pieces if type(piece).__name__ == "VariantOf"), None)
    start, end = (variant.span.start, variant.span.end) if variant is not None else (0, 0)
    places = tuple(
        RelatedPlace(found.message, analysis.locate(found.span.file, found.span.start, found.span.end))
        for found in elsewhere[:10]
    )
    place = analysis.lines.make_range(start, end)
    return Finding(place, "error", first.code, first.message, first.hint, places)
