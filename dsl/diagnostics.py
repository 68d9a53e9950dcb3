"""What the checker found, as data. No text for people is laid out here."""

from __future__ import annotations

from attrs import frozen

from rulesrun.dsl.source import Span


@frozen
class Related:
    """Another place that belongs to the finding."""

    message: str
    span: Span


@frozen
class Diagnostic:
    code: str
    message: str
    span: Span
    hint: str | None = None
    severity: str = "error"  # error | warning
    related: tuple[Related, ...] = ()
