"""The coverage of a file as text for people and as JSON; why a line was not reached."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rulesrun.dsl.contents.rule_parts import Reason, ReasonFinder, RulePart
from rulesrun.dsl.text.messages import Message, message, message_in, template
from rulesrun.files.excerpts import place_text
from rulesrun.files.loading import Reading
from rulesrun.locale.language import say, translate, use_words
from rulesrun.services.coverage import Coverage, CoverageSide, coverable_lines
from rulesrun.terminal.output import GREEN, RED, YELLOW, labelled_row, paint_text
from rulesrun.terminal.plurals import count_games
from rulesrun.terminal.trouble import Trouble

MISSING = {
    "done": message("never done"), "asked": message("never asked"), "true": message("never true"),
    "false": message("never false"), "played": message("never played"),
}  # fmt: skip
MET = {
    "done": template("done in {where}"), "asked": template("asked in {where}"), "true": template("true in {where}"),
    "false": template("false in {where}"), "played": template("played in {where}"),
}  # fmt: skip
PARTS: dict[str, Message] = {
    part: part
    for part in (
        message_in("part", "phase"), message_in("part", "when"), message_in("part", "action"),
        message_in("part", "needs"), message_in("part", "definition"), message_in("part", "entry"),
        message_in("part", "score line"), message_in("part", "rounds until"), message_in("part", "criterion when"),
        message_in("part", "result"), message_in("part", "rule row"), message_in("part", "condition"),
        message_in("part", "statement"), message_in("part", "skipping"), message_in("part", "until"),
        message_in("part", "where"), message_in("part", "option"), message_in("part", "reading"),
    )
}  # fmt: skip


def coverage_text(coverage: Coverage, threshold: int | None, has_listing: bool) -> str:
    lines: list[str] = []
    use_words(coverage.reading.game)
    if has_listing:
        lines += _listing_lines(coverage)
    for side in coverage.never_met:
        lines.append(labelled_row("never", f"{translate(side.where)}: {_side_head(side)}: {_missing(side)}", YELLOW))
    lines.append(_summary_line(coverage))
    if threshold is not None:
        holds = coverage.share() >= threshold
        if holds:
            verdict = paint_text(say("at least {percent} %", percent=threshold), GREEN)
        else:
            verdict = paint_text(say("below {percent} %", percent=threshold), RED)
        lines.append(labelled_row("threshold", verdict))
    return "".join(f"{line}\n" for line in lines)


def _summary_line(coverage: Coverage) -> str:
    met = sum(side.is_met for side in coverage.sides)
    partial = say(" so far (interrupted)") if coverage.is_partial else ""
    told = say(
        "{met} of {total} ({share}): by examples {examples}, by random games {random} ({games}, {seconds:.1f} s)",
        met=met, total=len(coverage.sides), share=_percent_text(coverage.share()),
        examples=_percent_text(coverage.share("examples")), random=_percent_text(coverage.share("games")),
        games=count_games(coverage.games), seconds=coverage.seconds,
    )  # fmt: skip
    return labelled_row("coverage", told + partial)


def _side_head(side: CoverageSide) -> str:
    """What part of the rules it is, as it is written."""
    text = side.text if side.part is None else f"`{side.text}`"
    return f"{translate(PARTS.get(side.what, side.what))} {text}"


def _missing(side: CoverageSide) -> str:
    return translate(MISSING[side.side])


def _percent_text(share: float) -> str:
    """Never rounded up to a hundred."""
    return f"{min(share, 99.9) if share < 100 else share:.1f} %".replace("100.0", "100")


def _listing_lines(coverage: Coverage) -> Iterator[str]:
    """Every line of the rules: e for reached by examples, g by random games, ! something was never met."""
    for link in coverage.reading.chain:
        if len(coverage.reading.chain) > 1:
            yield f"  {link.source.file}"
        for number in range(1, link.source.count_lines() + 1):
            marks = _line_marks(
                [side for side in coverage.sides if (side.file, side.line) == (link.source.file, number)]
            )
            yield f"  {marks} {number:>4}  {link.source.text_of_line(number)}".rstrip()


def _line_marks(sides: list[CoverageSide]) -> str:
    if not sides:
        return "   "
    by_examples, by_games = any(side.by_examples for side in sides), any(side.by_games for side in sides)
    missing = any(not side.is_met for side in sides)
    return ("e" if by_examples else "-") + ("g" if by_games else "-") + ("!" if missing else " ")


def coverage_json(coverage: Coverage, threshold: int | None) -> dict[str, object]:
    return {
        "percent": coverage.share(),
        "percent_by_examples": coverage.share("examples"),
        "percent_by_games": coverage.share("games"),
        "threshold": threshold,
        "games": coverage.games,
        "seconds": round(coverage.seconds, 3),
        "partial": coverage.is_partial,
        "parts": [
            {
                "what": side.what, "side": side.side, "text": side.text, "file": side.file, "line": side.line,
                "by_examples": side.by_examples, "by_games": side.by_games,
            }
            for side in coverage.sides
        ],
    }  # fmt: skip


# ---------------------------------------------------------------- why


def line_reasons_text(coverage: Coverage, asked: str) -> str:
    """What would have to happen for this line: `68`, or `base.rules:68`."""
    sides = _sides_at(coverage, asked)
    use_words(coverage.reading.game)
    lines = [f"{translate(sides[0].where)}: {_line_text(coverage, sides[0])}"]
    for part in dict.fromkeys(side.part for side in sides):
        own = [side for side in sides if side.part is part]
        lines += [f"  {_side_text(side)}" for side in own]
        if part is not None:
            lines += _part_reason_lines(coverage, part)
        else:
            lines.append("    " + say("set it: `--set NAME=VALUE`, or `set NAME = VALUE` in an example"))
    return "".join(f"{line}\n" for line in lines)


def check_line(reading: Reading, asked: str) -> None:
    """Before anything is played: a rule stands there."""
    wanted, number = _find_files(reading, asked)
    lines = sorted({line for file, line in coverable_lines(reading) if file in wanted})
    if number not in lines:
        near = min(lines, key=lambda line: abs(line - number), default=None)
        if near is None:
            raise Trouble(message("`--why {line}`: that line has no rule that could be reached", line=asked))
        raise Trouble(message(
            "`--why {line}`: that line has no rule that could be reached; the nearest that has one is {near}",
            line=asked, near=near,
        ))  # fmt: skip


def _find_files(reading: Reading, asked: str) -> tuple[set[str], int]:
    file, _, number = asked.rpartition(":")
    files = {link.source.file for link in reading.chain}
    if not file and reading.name in files:
        return {reading.name}, int(number)
    return {one for one in files if file in ("", one, os.path.basename(one))}, int(number)


def _sides_at(coverage: Coverage, asked: str) -> list[CoverageSide]:
    wanted, number = _find_files(coverage.reading, asked)
    return [side for side in coverage.sides if side.file in wanted and side.line == number]


def _line_text(coverage: Coverage, side: CoverageSide) -> str:
    return coverage.reading.sources[side.file].text_of_line(side.line).strip()


def _side_text(side: CoverageSide) -> str:
    if side.by_examples and side.by_games:
        where = message("examples and in random games")
    elif side.by_examples or side.by_games:
        where = message("examples") if side.by_examples else message("random games")
    else:
        return f"{_side_head(side)}: {_missing(side)}"
    return f"{_side_head(side)}: {say(MET[side.side], where=where)}"


def _part_reason_lines(coverage: Coverage, part: RulePart) -> Iterator[str]:
    assert coverage.reading.program is not None
    reasons = ReasonFinder(coverage.reading.program).reasons_for(part)
    yield "    " + say("it is reached when")
    yield from _reason_lines(coverage, reasons, 6)


def _reason_lines(coverage: Coverage, reasons: tuple[Reason, ...], indent: int) -> Iterator[str]:
    pad = " " * indent
    for reason in reasons:
        place = f"  ({translate(_reason_place(coverage, reason))})" if reason.span is not None else ""
        yield f"{pad}{translate(reason.text)}{_seen_text(coverage, reason)}{place}"
        for number, way in enumerate(reason.ways, 1):
            if len(reason.ways) > 1:
                yield f"{pad}  {number}."
            yield from _reason_lines(coverage, way, indent + 4)


def _reason_place(coverage: Coverage, reason: Reason) -> str:
    assert reason.span is not None
    return place_text(reason.span, coverage.reading.name, coverage.reading.sources)


def _seen_text(coverage: Coverage, reason: Reason) -> str:
    """Whether the condition was ever so; where it was not, it is what is missing."""
    if reason.wanted is None or coverage.notes is None:
        return ""
    key = id(reason.node)
    met = [key in (notes.true if reason.wanted else notes.false) for notes in coverage.notes]
    if any(met):
        return ""
    return paint_text(say(" — never true so far") if reason.wanted else say(" — never false so far"), YELLOW)
