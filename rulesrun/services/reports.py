"""What was found in one file: the data that commands collect, as text for people and as JSON."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.diagnostics.report import format_diagnostics, summarize_diagnostics
from rulesrun.dsl.text.source import Source
from rulesrun.files.excerpts import excerpt, place_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER
from rulesrun.records.complaints import diagnostics_text
from rulesrun.services.adopt import find_unreadable_examples
from rulesrun.services.implicit_properties import (
    SECRETS,
    UnwrittenProperty,
    assurance_lines,
    is_warned_of_leaks,
    judge_unwritten,
)
from rulesrun.services.share_verdicts import share_text, share_verdict
from rulesrun.terminal.output import BOLD, GREEN, RED, YELLOW, is_coloured, pad_label, paint_text
from rulesrun.terminal.plurals import counted

if TYPE_CHECKING:
    from rulesrun.examine.saved_stories import SavedStory
    from rulesrun.interpreter.reference.table import Table
    from rulesrun.interpreter.search.endless import Trap
    from rulesrun.interpreter.secrecy.laid_open import LaidOpen
    from rulesrun.services.stories import StoryReport

MOST_TOLD = 5
WIDTH = 80
NO_LEAK = "no choice gives away what is hidden"
FAULT_LABELS = {"secret-leak": "leaks", "no-way-out": ENDLESS, "endless": ENDLESS, "too-long": NOT_OVER}


@frozen
class ExampleReport:
    title: str
    verdict: str  # passed | failed | todo
    line: int
    where: str  # `line 7`, or `other.rules:7`
    diagnostic: Diagnostic | None = None
    values: tuple[str, ...] = ()
    repeat: str = ""
    notes: tuple[str, ...] = ()
    failing: tuple[int, ...] = ()  # the tables at which it does not hold, of those at which it is played
    is_base: bool = False  # of the rules that this is a variant of

    @property
    def is_fault(self) -> bool:
        """An example of the base may fail rightly: the variant can adopt that."""
        return self.verdict == "failed" and not self.is_base


@define
class PropertyReport:
    """One property of the rules over all games; `games` counts those in which it was broken, or met."""

    word: str
    title: str
    line: int
    where: str
    games: int = 0
    players: int | None = None  # at which table it was broken first
    values: tuple[str, ...] = ()
    repeat: str = ""
    share: tuple[int, int] | None = None  # of `at most 1/10 of games`
    finished: int = 0  # games that were played to their end
    searched: int = 0  # games of the search that broke it, when no other did
    found_on: str = ""  # where, when that is a small table

    @property
    def can_happen(self) -> bool:
        return self.word == "can happen"

    @property
    def is_counted(self) -> bool:
        """Whether `games` are those in which it was true, not those in which it was broken."""
        return self.can_happen or self.share is not None

    @property
    def verdict(self) -> str:
        """Of a share of all games: holds, broken, not known yet."""
        return share_verdict(self.word, self.share, self.games, self.finished) if self.share is not None else ""

    @property
    def is_broken(self) -> bool:
        if self.share is not None:
            return self.verdict == "broken"
        return self.games + self.searched > 0 and not self.can_happen


@define
class FaultReport:
    """Games that came to something the rules give no meaning to."""

    diagnostic: Diagnostic
    games: int
    repeat: str
    found_on: str = ""  # with which options, or on which small table, when no game of the table as it is came to it

    def is_same(self, other: Diagnostic) -> bool:
        """The same fault at the same place, whatever the values were."""
        return (self.diagnostic.code, self.diagnostic.span) == (other.code, other.span)


@define
class TableReport:
    players: int
    wanted: int
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    engine: str = "reference"
    finished: int = 0
    longest: int = 0  # decisions
    is_late: bool = False  # the clock stopped it


@frozen
class SearchReport:
    """Games beyond the plainly random ones: with rare choices, and with what is hidden dealt anew."""

    games: int
    dealt_anew: int
    decisions: int
    open: int  # decisions at which nothing lay hidden from the chooser
    seconds: float  # of work
    is_late: bool = False  # the clock stopped it


@frozen
class Openness:
    """At how many of all `choices` the options follow from what the chooser sees; `flow`: so does who is asked."""

    choices: int
    proved: int
    flow: bool

    @property
    def is_proved(self) -> bool:
        return self.flow and self.proved == self.choices


@frozen
class LastingReport:
    """Games may go on for ever, and nobody must. `games` of `of` were not over after very long; players who choose so
    come back after `moves` moves to where they were after `until`. From there `ends` of `tries` games came to the end.
    """

    games: int
    of: int
    ends: int
    tries: int
    moves: int = 0
    until: int = 0


@define
class OptionsReport:
    """How many values of options were tried, each alone, then in pairs of two options; `left`: the pairs that were not,
    for there was no time. Pairs that the rules forbid are not counted."""

    values: int = 0
    of_values: int = 0
    pairs: int = 0
    of_pairs: int = 0
    left: list[str] = field(factory=list)


@frozen
class SmallReport:
    """A small table that the rules declare: how many of its positions were looked at, and whether that are all.

    `told`: how many of the things that are `broken` there were not known before; `unreached`: actions that nobody can
    do there.
    """

    title: str
    where: str
    positions: int
    is_complete: bool
    broken: int
    told: int
    unreached: tuple[str, ...]


@define
class FileReport:
    reading: Reading
    examples: list[ExampleReport] = field(factory=list)
    properties: list[PropertyReport] = field(factory=list)
    faults: list[FaultReport] = field(factory=list)
    tables: list[TableReport] = field(factory=list)
    refused: list[tuple[int, str]] = field(factory=list)
    failing: list[tuple[Table, int]] = field(factory=list)  # a game for each failure: its table and seed
    openness: Openness | None = None
    laid_open: list[LaidOpen] = field(factory=list)
    search: SearchReport | None = None
    lasting: LastingReport | None = None
    options: OptionsReport | None = None
    small: list[SmallReport] = field(factory=list)
    small_left: list[str] = field(factory=list)  # small tables that were not looked at, and why
    traps: list[Trap] = field(factory=list)  # with other options: from where the end cannot be reached
    stories: list[StoryReport] = field(factory=list)
    saved: list[SavedStory] = field(factory=list)  # stories that became examples
    is_partial: bool = False

    @property
    def games(self) -> int:
        return sum(table.games for table in self.tables)

    @property
    def seconds(self) -> float:
        return sum(table.seconds for table in self.tables)

    @property
    def unknown_shares(self) -> int:
        """Shares of all games that are neither held nor broken by the games that were played."""
        return sum(found.verdict == "not known yet" for found in self.properties)

    @property
    def base_examples(self) -> list[str]:
        """The titles of those that no longer hold under this variant, or that cannot be read any more."""
        if self.reading.has_errors:
            return [example.title for example, _ in find_unreadable_examples(self.reading)]
        return [example.title for example in self.examples if example.verdict == "failed" and example.is_base]

    @property
    def is_faultless(self) -> bool:
        """Whether nothing is wrong but what the variant has not adopted."""
        return not (
            self.reading.has_errors
            or self.faults
            or any(example.is_fault for example in self.examples)
            or any(found.is_broken for found in self.properties)
        )

    @property
    def holds(self) -> bool:
        return self.is_faultless and not self.base_examples


# ---------------------------------------------------------------- text


def report_text(report: FileReport, is_quiet: bool = False, is_all: bool = False) -> str:
    """The whole report of a file: what is broken, then what holds, then what that rests on.

    Quiet: only what does not hold. All: every example and property by its name.
    """
    reading = report.reading
    lines = list(_diagnostic_lines(report))
    if is_quiet and report.holds:
        return "".join(f"{line}\n" for line in lines)
    head = paint_text(reading.name, BOLD) + (f"  {reading.title}" if reading.title else "")
    lines = [head, *lines]
    if not reading.has_errors:
        lines += [*_broken_lines(report), *_standing_lines(report, is_all), *_laid_open_lines(report)]
        lines += [*_game_lines(report), *_option_lines(report), *_small_lines(report)]
    else:
        lines += _base_lines(report)
    if report.is_faultless:
        lines += (_labelled_row(label, text) for label, text in assurance_lines(report))
    lines.append(_verdict_line(report))
    return "".join(f"{line}\n" for line in lines)


def _broken_lines(report: FileReport) -> Iterator[str]:
    """What fails, each with its story where there is one, the stories last."""
    for example in report.examples:
        if example.is_fault:
            yield from _failure_lines(report, f'example "{example.title}"', example)
    for found in report.properties:
        if found.is_broken:
            yield from _property_lines(report, found)
    yield from _fault_lines(report)
    yield from _base_lines(report)
    yield from _story_lines(report)


def _base_lines(report: FileReport) -> Iterator[str]:
    """What the variant may break rightly; where the examples cannot even be read, the errors say why."""
    titles = report.base_examples
    if titles:
        holding = "no longer holds" if len(titles) == 1 else "no longer hold"
        told = f"{len(titles)} {'can no longer be read' if report.reading.has_errors else holding} under this variant"
        listed = ", ".join(f'"{title}"' for title in titles)
        yield f"  {paint_text('base examples', YELLOW)}  {told}: {listed}{_adopt_hint(report.reading)}"


def _adopt_hint(reading: Reading) -> str:
    command = adopt_command(reading)
    return f" ({command})" if command else ""


def adopt_command(reading: Reading) -> str:
    """Of several variants laid side by side none can adopt what only all of them break."""
    if reading.laid_over and len(reading.chain) > 2:
        return ""
    return f"rulesrun adopt {shlex.quote(reading.chain[-1].file.name)}"


def _standing_lines(report: FileReport, is_all: bool) -> Iterator[str]:
    """What holds, in a line or one by one; what is not known; what nobody met."""
    standing = [found for found in report.properties if not found.is_broken]
    others = [one for one in judge_unwritten(report) if one.verdict != "fails"] if report.tables else []
    if is_all:
        yield from _example_lines(report)
        for found in standing:
            yield from _property_lines(report, found)
        yield from (_unwritten_line(report, one) for one in others)
    else:
        yield from _holding_line(report, standing, sum(one.verdict == "holds" for one in others))
        for found in standing:
            if found.verdict == "not known yet" or (found.can_happen and not found.games and not found.searched):
                yield from _property_lines(report, found)
        yield from (_unwritten_line(report, one) for one in others if one.verdict == "not known")
    yield from _lasting_lines(report)


def _holding_line(report: FileReport, standing: list[PropertyReport], unwritten_ones: int) -> Iterator[str]:
    passed = sum(example.verdict == "passed" for example in report.examples)
    held = sum(not found.can_happen and found.verdict in ("", "holds") for found in standing) if report.tables else 0
    told = [_amount_text(passed, "example", "examples"), _amount_text(held, "property", "properties")]
    told.append(f"{unwritten_ones} unwritten" if unwritten_ones else "")
    if any(told):
        yield _labelled_row("holds", f"{', '.join(one for one in told if one)} (--all lists them)")
    possible = [found for found in standing if found.can_happen]
    met = sum(bool(found.games or found.searched) for found in possible)
    if met:
        yield _labelled_row("happened", f"{met} of {_amount_text(len(possible), 'thing', 'things')} that can happen")


def _amount_text(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}" if number else ""


def _unwritten_line(report: FileReport, one: UnwrittenProperty) -> str:
    apart = ", apart from what the rules lay open" if one.title == SECRETS and report.laid_open else ""
    return _labelled_row(one.verdict, f"{one.title} ({'proved' if one.is_proved else 'not written'}{apart})")


def _lasting_lines(report: FileReport) -> Iterator[str]:
    """That games may go on for ever, and that nobody must."""
    found = report.lasting
    if found is None:
        return
    if found.games:
        yield _labelled_row(MAY_GO_ON, f"{found.games:,} of {found.of:,} games were not over after very long")
    else:
        yield _labelled_row(MAY_GO_ON, "players may go on for ever, if they choose so:")
        yield _labelled_row("", f"after move {found.moves} everything can be as it was after move {found.until}")
    yield _labelled_row("", f"nobody must: from there {found.ends} of {found.tries} games came to the end")


def _option_lines(report: FileReport) -> Iterator[str]:
    tried = report.options
    if tried is None or not tried.of_values:
        return
    yield _labelled_row("options", f"{tried.values} of {tried.of_values} other values tried alone")
    if tried.of_pairs:
        yield _labelled_row("", f"{tried.pairs} of {tried.of_pairs} pairs of other values tried")
    for left in tried.left[:MOST_TOLD]:
        yield _labelled_row("", f"not tried: {left}")
    if len(tried.left) > MOST_TOLD:
        yield _labelled_row("", f"and {len(tried.left) - MOST_TOLD} more")


def _small_lines(report: FileReport) -> Iterator[str]:
    for small in report.small:
        whole = "all there are" if small.is_complete else "not all"
        yield _labelled_row("small", f'"{small.title}": {small.positions:,} positions, {whole}')
        if small.broken > small.told:
            yield _labelled_row("", f"{small.broken - small.told} more broken there; `rulesrun explore` tells them")
        if small.unreached and small.is_complete:
            yield _labelled_row("", f"nobody can do there: {', '.join(small.unreached)}")
    for left in report.small_left:
        yield _labelled_row("small", left)


def failure_text(report: FileReport) -> str:
    """Only what does not hold, and the stories of it."""
    broken = evolve(report, properties=[found for found in report.properties if found.is_broken])
    lines = [paint_text(report.reading.name, BOLD) + f"  {report.reading.title}"]
    lines += _broken_lines(broken)
    return "".join(f"{line}\n" for line in lines)


def _diagnostic_lines(report: FileReport) -> Iterator[str]:
    text = diagnostics_text(report.reading)
    if text:
        yield text.rstrip("\n")


def _labelled_row(label: str, text: str) -> str:
    return f"  {pad_label(label, 11)}{text}"


def _example_lines(report: FileReport) -> Iterator[str]:
    verdicts = [example.verdict for example in report.examples if example.is_fault or example.verdict != "failed"]
    counts = [(verdicts.count(word), word) for word in ("passed", "failed", "todo")]
    told = ", ".join(f"{count} {word}" for count, word in counts if count)
    if told:
        yield _labelled_row("examples", paint_text(told, RED) if "failed" in verdicts else told)
    for example in report.examples:
        if example.verdict == "passed":
            yield _labelled_row("passed", f'example "{example.title}" ({example.where})')


def _failure_lines(report: FileReport, what: str, found: ExampleReport | PropertyReport) -> Iterator[str]:
    yield _labelled_row(paint_text("fails", RED), f"{what} ({found.where})")
    if isinstance(found, ExampleReport) and found.diagnostic is not None:
        head, _, below = format_diagnostics([found.diagnostic], report.reading.sources, colour=is_coloured()).partition(
            "\n"
        )
        yield _indent_text(f"{_fill_text(head)}\n{below}")
    for line in found.values:
        yield f"      {line}"
    if isinstance(found, ExampleReport):
        for note in found.notes:
            yield _indent_text(_fill_text(note, "- "))
    if found.repeat:
        yield f"    again: {found.repeat}"


def _fill_text(text: str, first: str = "", after: str = "  ") -> str:
    """In lines that a page has room for."""
    return textwrap.fill(text, WIDTH - 4, initial_indent=first, subsequent_indent=after, break_on_hyphens=False)


def _indent_text(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.rstrip("\n").split("\n"))


def _game_lines(report: FileReport) -> Iterator[str]:
    if not report.tables:
        return
    decisions = sum(table.decisions for table in report.tables)
    played = f"{report.games:,} at random, {counted(decisions, 'decision')}"
    yield _labelled_row("games", f"{played}, {report.seconds:.1f} s")
    wanted = max(table.wanted for table in report.tables)
    told = ", ".join(f"{table.games} with {table.players}" for table in report.tables)
    yield _labelled_row(
        "", f"{told} player{'s' * (report.tables[-1].players != 1)}{_fewer_games_reason(report, wanted)}"
    )
    for players, reason in report.refused:
        yield _labelled_row("", f"none with {players}: {reason}")
    if report.search is not None:
        told = f"and {report.search.games:,} that lean towards what is rare, {report.search.seconds:.1f} s"
        yield _labelled_row("", told + ("; time ran out" if report.search.is_late else ""))
        if report.search.dealt_anew:
            leaks = sum(fault.diagnostic.code == "secret-leak" for fault in report.faults)
            none = "no leak met, but one is warned of" if is_warned_of_leaks(report) else NO_LEAK
            told = f"{leaks} leak{'s' * (leaks != 1)}" if leaks else none
            looked = f"{counted(report.search.decisions, 'decision')} with what is unseen dealt anew"
            if report.search.open:
                looked += f", {report.search.open:,} at which nothing was unseen"
            yield _labelled_row("secrets", f"{told}: {looked}")


def _fewer_games_reason(report: FileReport, wanted: int) -> str:
    if any(table.is_late for table in report.tables):
        return f"; time ran out before {wanted} each"
    long = [table for table in report.tables if table.games < table.wanted and table.finished == table.games]
    return f"; fewer than {wanted} where games are long" if long and not report.is_partial else ""


def _property_lines(report: FileReport, found: PropertyReport) -> Iterator[str]:
    what = f'{found.word} "{found.title}"'
    if found.share is not None:
        yield from _share_lines(found)
    elif found.is_broken:
        often = f"in {found.games:,} of {report.games:,} games" if found.games else found.found_on or (
            "in a game that was searched for"
        )
        yield from _failure_lines(report, f"{what}: broken {often}", found)
    elif not found.can_happen:
        yield _labelled_row("holds", f"{what} ({found.where})")
    elif found.games:
        yield _labelled_row("happened", f"{what}: in {found.games:,} of {report.games:,} games ({found.where})")
    elif found.searched:
        leaning = report.search.games if report.search is not None else found.searched
        often = f"{found.searched:,} of the {leaning:,} games that lean towards what is rare"
        yield _labelled_row("happened", f"{what}: in {often}, in none of {report.games:,} at random ({found.where})")
    else:
        told = f"{what}: in none of {report.games:,} games; that proves nothing ({found.where})"
        yield _labelled_row(paint_text("not met", YELLOW), told)


def _share_lines(found: PropertyReport) -> Iterator[str]:
    assert found.share is not None
    part, whole = found.share
    label = {"holds": "holds", "broken": paint_text("fails", RED)}.get(found.verdict, paint_text("not known", YELLOW))
    told = share_text(found.share, found.games, found.finished)
    yield _labelled_row(label, f'{found.word} {part}/{whole} of games "{found.title}": {told} ({found.where})')


def _laid_open_lines(report: FileReport) -> Iterator[str]:
    """What is no leak, for somebody wrote it: the author may look whether it was meant."""
    sources = report.reading.sources
    for one in report.laid_open[:MOST_TOLD]:
        things = f" tells of {', '.join(f'`{name}`' for name in one.things)}" if one.things else ""
        place = place_text(one.span, report.reading.name, sources)
        yield _labelled_row(
            "lays open", f"`{excerpt(one.span, sources)}`{things}{_telling_text(one, sources)} ({place})"
        )
    if len(report.laid_open) > MOST_TOLD:
        yield _labelled_row("", f"and {len(report.laid_open) - MOST_TOLD} more")


def _telling_text(one: LaidOpen, sources: Mapping[str, Source]) -> str:
    """By which way, where it is not the value itself that tells."""
    if one.because is not None:
        return f": whether it comes to this hangs on `{excerpt(one.because, sources)}`"
    ways = {
        "count": ": everybody sees how many go", "which": ": which one it is tells",
        "unknown": ": what this tells is not known, nor what else may tell",
    }  # fmt: skip
    return ways.get(one.how, "")


def label_of(fault: FaultReport) -> str:
    """What a fault is called: only where nothing goes on is the game stuck."""
    return FAULT_LABELS.get(fault.diagnostic.code, "stuck")


def _fault_lines(report: FileReport) -> Iterator[str]:
    for fault in report.faults[:MOST_TOLD]:
        often = f"{fault.games:,} of {report.games:,} games" if fault.games else fault.found_on or "found by the search"
        label = label_of(fault)
        yield _labelled_row(paint_text(label, RED), often)
        yield _indent_text(format_diagnostics([fault.diagnostic], report.reading.sources, colour=is_coloured()))
        if fault.repeat:
            yield f"    again: {fault.repeat}"


def _story_lines(report: FileReport) -> Iterator[str]:
    from rulesrun.services.stories import story_lines

    for number, story in enumerate(report.stories, 1):
        yield from story_lines(story, number)
    for saved in report.saved:
        told = f"to {saved.file}" if saved.file else "not: this cannot be told exactly as an example"
        yield _labelled_row("saved", f'example "{saved.title}" {told}')


def _verdict_line(report: FileReport) -> str:
    partial = " so far (interrupted: this report is partial)" if report.is_partial else ""
    base = _base_examples_text(report)
    if not report.is_faultless:
        return f"  {paint_text('does not hold', RED)}: {', '.join(_failure_counts(report))}{partial}{base}"
    todo = sum(example.verdict == "todo" for example in report.examples)
    left = f", {todo} example{'s' * (todo != 1)} to do" if todo else ""
    if report.unknown_shares:
        told = f"{report.unknown_shares} share{'s' * (report.unknown_shares != 1)} of games not known yet"
        return f"  {paint_text('nothing broken', GREEN)}: {told}{partial}{left}{base}"
    holds = "the variant holds" if base else "everything holds"
    return f"  {paint_text(holds, GREEN)}{partial}{left}{base}"


def _base_examples_text(report: FileReport) -> str:
    count = len(report.base_examples) if not report.reading.has_errors else 0
    return f"; {counted_base_examples(count)}" if count else ""


def counted_base_examples(count: int) -> str:
    return f"{counted(count, 'example')} of its base no longer hold{'s' * (count == 1)}"


def _failure_counts(report: FileReport) -> Iterator[str]:
    if report.reading.has_errors:
        yield summarize_diagnostics(report.reading.diagnostics)
    labels = Counter(map(label_of, report.faults))
    counts = (
        (sum(example.is_fault for example in report.examples), "example"),
        (sum(found.is_broken for found in report.properties), "broken property"),
        (labels["stuck"], "way to get stuck"),
        (labels[ENDLESS], "way to go on for ever"),
        (labels[NOT_OVER], "game too long"),
        (labels["leaks"], "leak"),
    )
    plurals = {
        "broken property": "broken properties", "way to get stuck": "ways to get stuck",
        "way to go on for ever": "ways to go on for ever", "game too long": "games too long",
    }  # fmt: skip
    yield from (counted(count, what, plurals.get(what)) for count, what in counts if count)
