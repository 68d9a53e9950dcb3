"""What holds at every table without being written. Takes the report of a file, gives a verdict for each such property,
and what of it all is proved, what is evidence.

Without a game the titles are the same, and nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import lgamma, log
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulesrun.dsl.text.messages import Message, Names, message, plural, template
from rulesrun.interpreter.play.properties import AGREE
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.terminal.plurals import count_decisions, count_games

if TYPE_CHECKING:
    from rulesrun.services.reports import FaultReport, FileReport, PropertyReport

IN_RANGE = message("every number stays in its range")
CAN_CHOOSE = message("whoever must choose has a legal option")
SAY_WHAT_HAPPENS = message("the rules always say what happens next")
ENDS = message("every game ends")
CAN_END = message("every position met can still reach the end")
SECRETS = message("no option gives away what is hidden from the player")
SCORES_AGREE = message("scores and final places agree")
RANGE = {"leaves-range"}
EMPTY = {"empty-choice"}
ENDLESS = {"too-long", "endless", "no-way-out"}
TRAPPED = {"no-way-out"}
LEAKS = {"secret-leak"}
MANY = 30
SURE = 3  # with three times as many games as it is rare, something is missed once in twenty


@frozen
class UnwrittenProperty:
    """`verdict`: holds, fails, may go on (for ever, if players want it), not known. `games`: how many were watched
    for it. What failed, when something did."""

    title: str
    verdict: str
    games: int
    is_proved: bool = False
    faults: tuple[FaultReport, ...] = ()
    properties: tuple[PropertyReport, ...] = ()


def judge_unwritten(report: FileReport) -> Iterator[UnwrittenProperty]:
    game = report.reading.program.game if report.reading.program is not None else None
    codes = {fault.diagnostic.code for fault in report.faults}
    for kind in (one for one in (game.components if game is not None else ()) if one.board is None):
        yield judge_by_property(report, say_conserved(kind.name.text), f"no {kind.name.text} appears or vanishes")
    if game is not None and game.variables:
        yield judge_by_faults(report, IN_RANGE, RANGE)
    yield judge_by_faults(report, CAN_CHOOSE, EMPTY)
    yield judge_by_faults(report, SAY_WHAT_HAPPENS, codes - RANGE - EMPTY - ENDLESS - LEAKS)
    yield judge_endings(report, codes)
    yield judge_by_faults(report, CAN_END, TRAPPED, not codes - LEAKS)
    yield judge_secrets(report)
    yield judge_by_property(report, SCORES_AGREE, AGREE, any(table.finished for table in report.tables))


def say_conserved(kind: str) -> Message:
    return message("no {kind} appears, vanishes or is in two places", kind=Names(kind))


def judge_endings(report: FileReport, codes: set[str]) -> UnwrittenProperty:
    """That games may go on for ever, if players want it, is no fault; that they must is one."""
    found = judge_by_faults(report, ENDS, ENDLESS, not codes - LEAKS)
    if report.lasting is not None and found.verdict != "fails":
        return evolve(found, verdict=MAY_GO_ON)
    return found


def judge_by_property(report: FileReport, title: str, broken: str, is_known: bool = True) -> UnwrittenProperty:
    """What is watched as a property: its failures have a name."""
    found = tuple(one for one in report.properties if one.is_broken and one.title == broken)
    return make_unwritten(report, title, is_known, properties=found)


def judge_by_faults(report: FileReport, title: str, codes: set[str], is_known: bool = True) -> UnwrittenProperty:
    """What a game with one of these faults breaks."""
    found = tuple(fault for fault in report.faults if fault.diagnostic.code in codes)
    return make_unwritten(report, title, is_known, faults=found)


def make_unwritten(
    report: FileReport, title: str, is_known: bool, faults: tuple[FaultReport, ...] = (),
    properties: tuple[PropertyReport, ...] = (),
) -> UnwrittenProperty:  # fmt: skip
    games = watched_games(report)
    verdict = "fails" if faults or properties else "holds" if is_known and games else "not known"
    return UnwrittenProperty(title, verdict, games, faults=faults, properties=properties)


def judge_secrets(report: FileReport) -> UnwrittenProperty:
    """Views show what lies open and one's own, nothing else; what is left are the options."""
    looked = report.search.decisions + report.search.open if report.search is not None else 0
    found = tuple(fault for fault in report.faults if fault.diagnostic.code in LEAKS)
    if found:
        return UnwrittenProperty(SECRETS, "fails", looked, faults=found)
    if is_warned_of_leaks(report):
        return UnwrittenProperty(SECRETS, "not known", looked)
    is_proved = report.openness is not None and report.openness.is_proved
    return UnwrittenProperty(SECRETS, "holds" if looked or is_proved else "not known", looked, is_proved)


def is_warned_of_leaks(report: FileReport) -> bool:
    """What the check of the text warns of is not said to hold, though no game has shown it."""
    program = report.reading.program
    return program is not None and any(one.code == "secret-leak" for one in program.warnings)


def watched_games(report: FileReport) -> int:
    return report.games + (report.search.games + report.search.dealt_anew if report.search is not None else 0)


# ---- proof and evidence


def assurance_lines(report: FileReport) -> Iterator[tuple[str, Message]]:
    """Of rules in which no fault was found: what is proved, what is evidence and how good, what was not met."""
    passed = sum(example.verdict == "passed" for example in report.examples)
    if passed:
        yield "proved", plural("{count} example comes out as written", "{count} examples come out as written", passed)
    found = report.openness
    if found is not None and found.choices:
        sentence = template(
            "at {proved} of {choices} choices, who is asked and what is offered depend only on what that player sees"
        ) if found.flow else template(
            "at {proved} of {choices} choices, what is offered depends only on what that player sees"
        )
        yield "" if passed else "proved", message(sentence, proved=found.proved, choices=found.choices)
    if report.games:
        yield "evidence", played_evidence(report)
    if report.games >= MANY:
        rare = report.games // SURE
        yield "", message(
            "a fault in 1 of {games:,} random games would have been seen (95 % certain)", games=rare
        )
    if report.games and not report.reading.name.startswith("-"):
        yield "next", message(
            "look at every position of a small table: rulesrun explore {file}", file=report.reading.name
        )


def played_evidence(report: FileReport) -> Message:
    games, played = watched_games(report), report.games
    longest = count_decisions(max(table.longest for table in report.tables))
    if games == played:
        return message(
            "{games} without a fault; the longest had {decisions}", games=count_games(games), decisions=longest
        )
    return message(
        "{games} without a fault; the longest of the {random:,} random ones had {decisions}", games=count_games(games),
        random=played, decisions=longest,
    )  # fmt: skip


# ---- share verdicts
# Whether a share of all games is as the rules promise: counts in, a verdict with the interval it rests on out.
#
# The interval holds at 99 % however often one looks: after more games, and again, until it says something. Where the
# share lies on the bound, a verdict comes in one of a hundred series of looks at most, however long they are. A share
# is left out when the games are a hundred times likelier under all shares together, each as likely as any other, than
# under it (Ville's inequality). What lies wholly on one side of the bound is decided; else it is not known yet.


DOUBT = 0.01
STEPS = 60  # halvings


def share_interval(count: int, games: int) -> tuple[float, float]:
    if not games:
        return 0.0, 1.0
    limit = log(1 / DOUBT) + log(games + 1) + lgamma(games + 1) - lgamma(count + 1) - lgamma(games - count + 1)

    def is_left_out(share: float) -> bool:
        hits = count * log(share) if count else 0.0
        misses = (games - count) * log(1 - share) if count < games else 0.0
        return -hits - misses >= limit

    low = 0.0 if count == 0 else find_interval_end(is_left_out, 0.0, count / games)
    return low, 1.0 if count == games else find_interval_end(is_left_out, 1.0, count / games)


def find_interval_end(is_left_out: Callable[[float], bool], outside: float, inside: float) -> float:
    """Where what is left out begins, between the two."""
    for _ in range(STEPS):
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            break
        outside, inside = (middle, inside) if is_left_out(middle) else (outside, middle)
    return inside


def share_verdict(word: str, share: tuple[int, int], count: int, games: int) -> str:
    """`holds`, `broken` or `not known yet`, of `at most 1/10` or `at least 1/10`."""
    low, high = share_interval(count, games)
    bound = share[0] / share[1]
    if word == "at most":
        return "holds" if high <= bound else "broken" if low > bound else "not known yet"
    return "holds" if low >= bound else "broken" if high < bound else "not known yet"


def share_text(share: tuple[int, int], count: int, games: int) -> Message:
    low, high = share_interval(count, games)
    if not games:
        return message("no game ended")
    return message(
        "in {met:,} of {games:,} games, {share:.1f} %; 99 % interval {low:.1f} to {high:.1f} %",
        met=count, games=games, share=100 * count / games, low=100 * low, high=100 * high,
    )  # fmt: skip
