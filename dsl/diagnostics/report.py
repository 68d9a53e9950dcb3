"""Findings as text for people and as JSON: diagnostics and their sources in, text or plain data out. Prints nothing."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.messages import Message, join_messages, message, plural
from rulesrun.dsl.text.source import Source, Span

WIDTH = 110
CONTEXT = 40
SHOWN_LINES = 4
TAB = 4

SEVERITIES = {"error": message("error"), "warning": message("warning"), "note": message("note")}
HINT = message("hint")

RED, YELLOW, BLUE, BOLD, PLAIN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"


def format_diagnostics(
    diagnostics: Sequence[Diagnostic],
    sources: Mapping[str, Source],
    *,
    colour: bool = False,
    translate: Callable[[str], str] = str,
) -> str:
    """Every finding with its excerpt, an empty line between two; without the summary. `translate` says messages."""
    return "\n".join(_format_diagnostic(diagnostic, sources, colour, translate) for diagnostic in diagnostics)


def summarize_diagnostics(diagnostics: Iterable[Diagnostic]) -> Message:
    """`2 errors, 1 warning`; `no errors` when there is nothing."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    errors, warnings = severities.count("error"), severities.count("warning")
    counted = [
        *([plural("{count} error", "{count} errors", errors)] if errors else []),
        *([plural("{count} warning", "{count} warnings", warnings)] if warnings else []),
    ]
    return join_messages(counted) if counted else message("no errors")


def diagnostic_to_json(diagnostic: Diagnostic, sources: Mapping[str, Source]) -> dict[str, object]:
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        **_span_to_json(diagnostic.span, sources),
        "hint": diagnostic.hint,
        "related": [{"message": other.message, **_span_to_json(other.span, sources)} for other in diagnostic.related],
    }


def _span_to_json(span: Span, sources: Mapping[str, Source]) -> dict[str, object]:
    source = sources.get(span.file)
    line, column = source.line_and_column(_clamp_offset(source, span.start)) if source else (1, 1)
    end_line, end_column = source.line_and_column(_clamp_offset(source, span.end)) if source else (1, 1)
    return {"file": span.file, "line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _clamp_offset(source: Source, offset: int) -> int:
    return min(max(offset, 0), len(source.text))


def _format_diagnostic(
    diagnostic: Diagnostic, sources: Mapping[str, Source], colour: bool, translate: Callable[[str], str]
) -> str:
    paint = {"warning": YELLOW, "note": BLUE}.get(diagnostic.severity, RED)
    head = _paint_text(f"{translate(SEVERITIES[diagnostic.severity])}[{diagnostic.code}]", paint, colour)
    lines = [head + _paint_text(f": {_make_visible(translate(diagnostic.message))}", BOLD, colour)]
    lines += _format_excerpt(diagnostic.span, sources, paint, colour)
    if diagnostic.hint:
        gutter = " " * _gutter_width(diagnostic.span, sources)
        hint = f"{translate(HINT)}: {_make_visible(translate(diagnostic.hint))}"
        lines.append(f"{gutter} {_paint_text('=', BLUE, colour)} {hint}")
    for other in diagnostic.related:
        note = translate(SEVERITIES["note"])
        lines.append(_paint_text(note, BLUE, colour) + f": {_make_visible(translate(other.message))}")
        lines += _format_excerpt(other.span, sources, BLUE, colour)
    return "\n".join(lines) + "\n"


def _paint_text(text: str, paint: str, colour: bool) -> str:
    return f"{paint}{text}{PLAIN}" if colour else text


def _gutter_width(span: Span, sources: Mapping[str, Source]) -> int:
    source = sources.get(span.file)
    return len(str(source.line_and_column(_clamp_offset(source, span.end))[0])) if source else 1


def _format_excerpt(span: Span, sources: Mapping[str, Source], paint: str, colour: bool) -> Iterator[str]:
    """The place, the lines it covers, and carets under exactly what is meant."""
    source = sources.get(span.file)
    gutter = " " * _gutter_width(span, sources)
    arrow = _paint_text("-->", BLUE, colour)
    if source is None:
        yield f"{gutter}{arrow} {_make_visible(span.file)}"
        return
    first, column = source.line_and_column(_clamp_offset(source, span.start))
    yield f"{gutter}{arrow} {_make_visible(span.file)}:{first}:{column}"
    bar = _paint_text("|", BLUE, colour)
    yield f"{gutter} {bar}"
    for number, start, end in _split_by_line(source, span):
        if number is None:
            yield f"{gutter} {_paint_text('…', BLUE, colour)}"
            continue
        text, carets = _format_marked_line(source.text_of_line(number), start, end)
        yield f"{_paint_text(f'{number:>{len(gutter)}} |', BLUE, colour)} {text}".rstrip()
        yield f"{gutter} {bar} {carets[0]}{_paint_text(carets[1], paint, colour)}"


def _split_by_line(source: Source, span: Span) -> Iterator[tuple[int | None, int, int]]:
    """Line by line: its number and the stretch of it that is meant; None where lines are left out."""
    first, column = source.line_and_column(_clamp_offset(source, span.start))
    last, end_column = source.line_and_column(_clamp_offset(source, max(span.end, span.start)))
    if last > first and end_column == 1:
        last -= 1
        end_column = len(source.text_of_line(last)) + 1
    for number in range(first, last + 1):
        if first + SHOWN_LINES - 2 < number < last and last - first >= SHOWN_LINES:
            if number == last - 1:
                yield None, 0, 0
            continue
        text = source.text_of_line(number)
        if not text.strip() and first < last:
            continue
        start = column - 1 if number == first else len(text) - len(text.lstrip())
        end = end_column - 1 if number == last else len(text)
        yield number, min(start, len(text)), end


def _format_marked_line(text: str, start: int, end: int) -> tuple[str, tuple[str, str]]:
    """A line as shown, cut around the stretch when it is long; the blanks before the carets, and the carets."""
    left, right = 0, len(text)
    if len(text) > WIDTH:
        left = max(0, min(start - CONTEXT, len(text) - WIDTH))
        right = min(len(text), left + WIDTH)
    before, meant, after = text[left:start], text[start : min(end, right)], text[min(max(end, start), right) : right]
    opening = "…" if left else ""
    closing = "…" if right < len(text) else ""
    shown_before = opening + _make_visible(before)
    shown_meant = _make_visible(meant, _count_columns(shown_before))
    blanks = " " * _count_columns(shown_before)
    carets = "^" * max(1, _count_columns(shown_meant))
    return shown_before + shown_meant + _make_visible(after) + closing, (blanks, carets)


def _make_visible(text: str, column: int = 0) -> str:
    """Tabs as blanks; what a terminal would obey or hide (control and format characters) as a replacement sign."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    for sign in text:
        if sign == "\t":
            shown.append(" " * (TAB - column % TAB))
        elif unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            shown.append("�")
        else:
            shown.append(sign)
        column += _count_columns(shown[-1])
    return "".join(shown)


def _count_columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide signs two, combining ones none."""
    return len(text) if text.isascii() else sum(map(_count_sign_columns, text))


def _count_sign_columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
