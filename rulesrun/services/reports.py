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
from rulesrun.dsl.text.messages import Message, Names, join_messages, message, plural, template
from rulesrun.dsl.text.source import Source
from rulesrun.files.excerpts import excerpt, heading, place_text
from rulesrun.files.loading import Reading
from rulesrun.interpreter.search.endless import ENDLESS, MAY_GO_ON, NOT_OVER
from rulesrun.locale.language import say, say_plural, say_title, translate, use_words
from rulesrun.records.complaints import diagnostics_text
from rulesrun.services.adopt import find_unreadable_examples
from rulesrun.services.implicit_properties import (
    SECRETS,
    UnwrittenProperty,
    assurance_lines,
    is_warned_of_leaks,
    judge_unwritten,
    share_text,
    share_verdict,
)
from rulesrun.terminal.output import BOLD, GREEN, RED, YELLOW, is_coloured, labelled_row, paint_text, say_label
from rulesrun.terminal.plurals import count_decisions, count_examples, count_properties

if TYPE_CHECKING:
    from rulesrun.examine.saved_stories import SavedStory
    from rulesrun.interpreter.reference.table import Table
    from rulesrun.interpreter.search.endless import Trap
    from rulesrun.interpreter.secrecy.information_flow import LaidOpen
    from rulesrun.services.stories import StoryReport

MOST_TOLD = 5
WIDTH = 80
NO_LEAK = message("no choice gives away what is hidden")
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
    use_words(reading.game)
    lines = list(_diagnostic_lines(report))
    if is_quiet and report.holds:
        return "".join(f"{line}\n" for line in lines)
    lines = [head_line(reading), *lines]
    if not reading.has_errors:
        lines += [*_broken_lines(report), *_standing_lines(report, is_all), *_laid_open_lines(report)]
        lines += [*_game_lines(report), *_option_lines(report), *_small_lines(report)]
    else:
        lines += _base_lines(report)
    if report.is_faultless:
        lines += (labelled_row(label, translate(text)) for label, text in assurance_lines(report))
    lines.append(_verdict_line(report))
    return "".join(f"{line}\n" for line in lines)


def head_line(reading: Reading) -> str:
    """The file, and what the game is called."""
    return paint_text(reading.name, BOLD) + (f"  {say_title(reading.game)}" if reading.title else "")


def _broken_lines(report: FileReport) -> Iterator[str]:
    """What fails, each with its story where there is one, the stories last."""
    for example in report.examples:
        if example.is_fault:
            yield from _failure_lines(
                report, message('example "{title}" ({where})', title=example.title, where=example.where), example
            )
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
        listed = ", ".join(f'"{title}"' for title in titles)
        label = paint_text(say_label("base examples"), YELLOW)
        yield f"  {label}  {translate(base_examples_sentence(report))}: {listed}{_adopt_hint(report.reading)}"


def base_examples_sentence(report: FileReport) -> Message:
    amount = len(report.base_examples)
    if report.reading.has_errors:
        return plural(
            "{count} can no longer be read under this variant", "{count} can no longer be read under this variant",
            amount,
        )  # fmt: skip
    return plural(
        "{count} no longer holds under this variant", "{count} no longer hold under this variant", amount
    )


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
    told = [count_examples(passed)] * bool(passed) + [count_properties(held)] * bool(held)
    told += [plural("{count} built-in check", "{count} built-in checks", unwritten_ones)] * bool(unwritten_ones)
    if told:
        yield labelled_row("holds", say("{what} (--all lists them)", what=told))
    possible = [found for found in standing if found.can_happen]
    met = sum(bool(found.games or found.searched) for found in possible)
    if met:
        yield labelled_row(
            "seen",
            say_plural("{met} of {count} `can happen` property", "{met} of {count} `can happen` properties",
                       len(possible), met=met),
        )  # fmt: skip


def _unwritten_line(report: FileReport, one: UnwrittenProperty) -> str:
    if one.title == SECRETS and report.laid_open:
        note = message(
            "built-in, proved; what the rules reveal on purpose is listed under “reveals”"
        ) if one.is_proved else message(
            "built-in; what the rules reveal on purpose is listed under “reveals”"
        )
    else:
        note = message("built-in, proved") if one.is_proved else message("built-in")
    return labelled_row(one.verdict, f"{translate(one.title)} ({translate(note)})")


def _lasting_lines(report: FileReport) -> Iterator[str]:
    """That games may go on for ever, and that nobody must."""
    found = report.lasting
    if found is None:
        return
    if found.games:
        yield labelled_row(
            MAY_GO_ON,
            say("{games:,} of {total:,} games did not end within the limit", games=found.games, total=found.of),
        )
    else:
        yield labelled_row(MAY_GO_ON, say("players can keep the game going for ever, if they want to:"))
        yield labelled_row("", say(
            "after move {last} the table can be exactly as it was after move "
            "{first}", last=found.moves, first=found.until
        ))  # fmt: skip
    yield labelled_row("", say(
        "nobody has to: from there, {ends} of {tries} games ended", ends=found.ends, tries=found.tries
    ))  # fmt: skip


def _option_lines(report: FileReport) -> Iterator[str]:
    tried = report.options
    if tried is None or not tried.of_values:
        return
    yield labelled_row(
        "options", say(
            "{tried} of {total} other values tried, one at a time",
            tried=tried.values, total=tried.of_values)
    )
    if tried.of_pairs:
        yield labelled_row(
            "", say("{tried} of {total} pairs of other values tried", tried=tried.pairs, total=tried.of_pairs)
        )
    for left in tried.left[:MOST_TOLD]:
        yield labelled_row("", say("not tried: {what}", what=left))
    if len(tried.left) > MOST_TOLD:
        yield labelled_row("", say("and {amount} more", amount=len(tried.left) - MOST_TOLD))


def _small_lines(report: FileReport) -> Iterator[str]:
    for small in report.small:
        if small.is_complete:
            told = say('"{title}": all {positions:,} positions checked', title=small.title,
                       positions=small.positions)  # fmt: skip
        else:
            told = say(
                '"{title}": {positions:,} positions checked, not all',
                title=small.title, positions=small.positions)
        yield labelled_row("small", told)
        if small.broken > small.told:
            yield labelled_row(
                "", say("{amount} more broken there; `rulesrun explore` shows them", amount=small.broken - small.told)
            )
        if small.unreached and small.is_complete:
            yield labelled_row("", say("never possible there: {actions}", actions=list(map(Names, small.unreached))))
    for left in report.small_left:
        yield labelled_row("small", translate(left))


def failure_text(report: FileReport) -> str:
    """Only what does not hold, and the stories of it."""
    use_words(report.reading.game)
    broken = evolve(report, properties=[found for found in report.properties if found.is_broken])
    lines = [paint_text(report.reading.name, BOLD) + f"  {say_title(report.reading.game)}"]
    lines += _broken_lines(broken)
    return "".join(f"{line}\n" for line in lines)


def _diagnostic_lines(report: FileReport) -> Iterator[str]:
    text = diagnostics_text(report.reading)
    if text:
        yield text.rstrip("\n")


def _example_lines(report: FileReport) -> Iterator[str]:
    verdicts = [example.verdict for example in report.examples if example.is_fault or example.verdict != "failed"]
    passed, failed, todo = (verdicts.count(word) for word in ("passed", "failed", "todo"))
    told = [plural("{count} passed", "{count} passed", passed)] * bool(passed)
    told += [plural("{count} failed", "{count} failed", failed)] * bool(failed)
    told += [plural("{count} to do", "{count} to do", todo)] * bool(todo)
    if told:
        text = translate(told)
        yield labelled_row("examples", paint_text(text, RED) if failed else text)
    for example in report.examples:
        if example.verdict == "passed":
            yield labelled_row("passed", say('example "{title}" ({where})', title=example.title, where=example.where))


def _failure_lines(report: FileReport, what: Message, found: ExampleReport | PropertyReport) -> Iterator[str]:
    yield labelled_row("fails", translate(what), RED)
    if isinstance(found, ExampleReport) and found.diagnostic is not None:
        head, _, below = _diagnostic_text(report, found.diagnostic).partition("\n")
        yield _indent_text(f"{_fill_text(head)}\n{below}")
    for line in found.values:
        yield f"      {translate(line)}"
    if isinstance(found, ExampleReport):
        for note in found.notes:
            yield _indent_text(_fill_text(translate(note), "- "))
    if found.repeat:
        yield _repeat_line(found.repeat)


def _repeat_line(command: str) -> str:
    return "    " + say("again: {command}", command=command)


def _diagnostic_text(report: FileReport, diagnostic: Diagnostic) -> str:
    return format_diagnostics([diagnostic], report.reading.sources, colour=is_coloured(), translate=translate)


def _fill_text(text: str, first: str = "", after: str = "  ") -> str:
    """In lines that a page has room for."""
    return textwrap.fill(text, WIDTH - 4, initial_indent=first, subsequent_indent=after, break_on_hyphens=False)


def _indent_text(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.rstrip("\n").split("\n"))


def _game_lines(report: FileReport) -> Iterator[str]:
    if not report.tables:
        return
    decisions = count_decisions(sum(table.decisions for table in report.tables))
    yield labelled_row("games", translate(_table_amounts(report)) + _fewer_games_reason(report))
    yield labelled_row("", say("{decisions} in {seconds:.1f} s", decisions=decisions, seconds=report.seconds))
    for players, reason in report.refused:
        yield labelled_row("", say("none with {players}: {reason}", players=players, reason=reason))
    if report.search is not None:
        yield from _search_lines(report, report.search)


def _table_amounts(report: FileReport) -> Message:
    """`60 random games: 40 with 2, 20 with 3 players`"""
    *before, last = report.tables
    if not before:
        return plural(
            "{games:,} random games with {count} player", "{games:,} random games with {count} players", last.players,
            games=last.games,
        )  # fmt: skip
    if all(table.games == last.games for table in before):
        return message(
            "{games:,} random games: {each:,} each with {players} and {last} players", games=report.games,
            each=last.games, players=[table.players for table in before], last=last.players,
        )  # fmt: skip
    told = [message("{games:,} with {players}", games=table.games, players=table.players) for table in before]
    told.append(plural("{games:,} with {count} player", "{games:,} with {count} players", last.players,
                       games=last.games))  # fmt: skip
    return message("{games:,} random games: {tables}", games=report.games, tables=told)


def _fewer_games_reason(report: FileReport) -> str:
    wanted = max(table.wanted for table in report.tables)
    if any(table.is_late for table in report.tables):
        return say("; time ran out before {wanted:,} each", wanted=wanted)
    long = [table for table in report.tables if table.games < table.wanted and table.finished == table.games]
    return say("; fewer than {wanted:,} where games are long", wanted=wanted) if long and not report.is_partial else ""


def _search_lines(report: FileReport, search: SearchReport) -> Iterator[str]:
    told = say(
        "{games:,} more that prefer rare choices, in {seconds:.1f} s", games=search.games, seconds=search.seconds
    )
    yield labelled_row("", told + (say("; time ran out") if search.is_late else ""))
    if not search.dealt_anew:
        return
    leaks = sum(fault.diagnostic.code == "secret-leak" for fault in report.faults)
    none = message("no leak seen, but there is a warning of one") if is_warned_of_leaks(report) else NO_LEAK
    verdict = plural("{count} leak", "{count} leaks", leaks) if leaks else none
    decisions = count_decisions(search.decisions)
    if search.open:
        looked = say(
            "{verdict}: what is hidden was dealt anew at {decisions}; at {open:,} more nothing was hidden",
            verdict=verdict, decisions=decisions, open=search.open,
        )  # fmt: skip
    else:
        looked = say("{verdict}: what is hidden was dealt anew at {decisions}", verdict=verdict, decisions=decisions)
    yield labelled_row("secrets", looked)


def _property_lines(report: FileReport, found: PropertyReport) -> Iterator[str]:
    what = join_messages([found.word, f'"{found.title}"'], " ")
    if found.share is not None:
        yield from _share_lines(found)
    elif found.is_broken:
        yield from _failure_lines(report, _broken_sentence(report, found, what), found)
    elif not found.can_happen:
        yield labelled_row("holds", f"{translate(what)} ({translate(found.where)})")
    elif found.games:
        yield labelled_row("seen", say(
            "{what}: in {met:,} of {games:,} games ({where})", what=what, met=found.games, games=report.games,
            where=found.where,
        ))  # fmt: skip
    elif found.searched:
        leaning = report.search.games if report.search is not None else found.searched
        yield labelled_row("seen", say(
            "{what}: in {met:,} of {searched:,} games that prefer "
            "rare choices, in none of {games:,} random ones ({where})", what=what, met=found.searched, searched=leaning,
            games=report.games, where=found.where,
        ))  # fmt: skip
    else:
        yield labelled_row("not seen", say(
            "{what} ({where}): never in {games:,} games; it may be rare, or impossible", what=what, games=report.games,
            where=found.where,
        ), YELLOW)  # fmt: skip


def _broken_sentence(report: FileReport, found: PropertyReport, what: Message) -> Message:
    if found.games:
        return message(
            "{what}: broken in {broken:,} of {games:,} games ({where})", what=what, broken=found.games,
            games=report.games, where=found.where,
        )  # fmt: skip
    if found.found_on:
        return message("{what}: broken {how} ({where})", what=what, how=found.found_on, where=found.where)
    return message("{what}: broken in a game that the search found ({where})", what=what, where=found.where)


def _share_lines(found: PropertyReport) -> Iterator[str]:
    assert found.share is not None
    part, whole = found.share
    label, paint = {"holds": ("holds", None), "broken": ("fails", RED)}.get(found.verdict, ("not known", YELLOW))
    values = {
        "part": part, "whole": whole, "title": found.title, "where": found.where,
        "found": share_text(found.share, found.games, found.finished),
    }  # fmt: skip
    if found.word == "at most":
        told = say('at most {part}/{whole} of games "{title}": {found} ({where})', **values)
    else:
        told = say('at least {part}/{whole} of games "{title}": {found} ({where})', **values)
    yield labelled_row(label, told, paint)


def _laid_open_lines(report: FileReport) -> Iterator[str]:
    """What is no leak, for somebody wrote it: the author may look whether it was meant."""
    sources = report.reading.sources
    for at, one in enumerate(report.laid_open[:MOST_TOLD]):
        if not at:
            yield labelled_row("reveals", say("things that not everybody sees; check that you mean it:"))
        place = translate(place_text(one.span, report.reading.name, sources))
        yield labelled_row("", f"{place}: {translate(laid_open_sentence(one, sources))}")
    if len(report.laid_open) > MOST_TOLD:
        yield labelled_row("", say("and {amount} more", amount=len(report.laid_open) - MOST_TOLD))


def laid_open_sentence(one: LaidOpen, sources: Mapping[str, Source]) -> Message:
    """What tells of what; and by which way, where it is not the value itself that tells."""
    text, things = excerpt(one.span, sources), [f"`{name}`" for name in one.things]
    quoted = join_messages([f"`{text}`"])
    head = message("`{text}` says something about {things}", text=text, things=things) if things else quoted
    if one.because is not None:
        because = heading(one.because, sources)
        return message("{head}: whether it is reached depends on `{because}`", head=head, because=because)
    ways = {
        "count": template("{head}: everybody sees how many are moved"), "which": template(
            "{head}: which one is moved gives it away"
        ), "chosen": template("{head}: which one it is gives it away"),
        "unknown": template("{head}: the check does not know what this reveals, nor what else may reveal it"),
    }  # fmt: skip
    return message(ways[one.how], head=head) if one.how in ways else head


def label_of(fault: FaultReport) -> str:
    """What a fault is called: only where nothing goes on is the game stuck."""
    return FAULT_LABELS.get(fault.diagnostic.code, "stuck")


def _fault_lines(report: FileReport) -> Iterator[str]:
    for fault in report.faults[:MOST_TOLD]:
        if fault.games:
            often = say("{met:,} of {games:,} games", met=fault.games, games=report.games)
        else:
            often = translate(fault.found_on) or say("found by the search")
        yield labelled_row(label_of(fault), often, RED)
        yield _indent_text(_diagnostic_text(report, fault.diagnostic))
        if fault.repeat:
            yield _repeat_line(fault.repeat)


def _story_lines(report: FileReport) -> Iterator[str]:
    from rulesrun.services.stories import story_lines

    for number, story in enumerate(report.stories, 1):
        yield from story_lines(story, number)
    for saved in report.saved:
        if saved.file:
            told = say('example "{title}" to {file}', title=saved.title, file=saved.file)
        else:
            told = say('example "{title}" is not saved: no example can say exactly this', title=saved.title)
        yield labelled_row("saved", told)


def _verdict_line(report: FileReport) -> str:
    partial = say(" so far (interrupted: this report is partial)") if report.is_partial else ""
    base = _base_examples_text(report)
    if not report.is_faultless:
        failures = translate(list(_failure_counts(report)))
        verdict = say("cannot be played yet") if report.reading.has_errors else say("does not hold")
        return f"  {paint_text(verdict, RED)}: {failures}{partial}{base}"
    todo = sum(example.verdict == "todo" for example in report.examples)
    left = say_plural(", {count} example to do", ", {count} examples to do", todo) if todo else ""
    if report.unknown_shares:
        told = say_plural(
            "{count} share of games not yet known", "{count} shares of games not yet known", report.unknown_shares
        )
        return f"  {paint_text(say('nothing broken'), GREEN)}: {told}{partial}{left}{base}"
    holds = say("the variant holds") if base else say("everything holds")
    return f"  {paint_text(holds, GREEN)}{partial}{left}{base}"


def _base_examples_text(report: FileReport) -> str:
    count = len(report.base_examples) if not report.reading.has_errors else 0
    return f"; {translate(count_base_examples(count))}" if count else ""


def count_base_examples(count: int) -> Message:
    return plural(
        "{count:,} example of its base no longer holds", "{count:,} examples of its base no longer hold", count
    )


def _failure_counts(report: FileReport) -> Iterator[Message]:
    if report.reading.has_errors:
        yield summarize_diagnostics(report.reading.diagnostics)
    examples = sum(example.is_fault for example in report.examples)
    if examples:
        yield count_examples(examples)
    broken = sum(found.is_broken for found in report.properties)
    if broken:
        yield plural("{count} broken property", "{count} broken properties", broken)
    labels = Counter(map(label_of, report.faults))
    yield from count_faults(labels)


def count_faults(labels: Mapping[str, int]) -> Iterator[Message]:
    """By the labels of faults."""
    if labels["stuck"]:
        yield plural("{count} way to get stuck", "{count} ways to get stuck", labels["stuck"])
    if labels[ENDLESS]:
        yield plural("{count} way to go on for ever", "{count} ways to go on for ever", labels[ENDLESS])
    if labels[NOT_OVER]:
        yield plural("{count} game too long", "{count} games too long", labels[NOT_OVER])
    if labels["leaks"]:
        yield plural("{count} leak", "{count} leaks", labels["leaks"])
