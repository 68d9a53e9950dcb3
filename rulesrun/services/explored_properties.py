"""What holds without being written, at a table of which positions were looked at; and what of it all is proof.

Takes what was found at a table, gives a verdict for each such property, and lines that say how far it reaches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import frozen

from rulesrun.dsl.text.messages import Message, message, plural
from rulesrun.interpreter.play.final_standings import AGREE
from rulesrun.interpreter.search.endless import MAY_GO_ON
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.services import implicit_properties
from rulesrun.services.explore import Exploration, SiteReport

COUNTED_APART = {"at most", "at least"}  # shares of games: positions say nothing of them


@frozen
class UnwrittenAtSite:
    """`verdict`: holds (at every position), not broken (as far as was looked), fails, not known, not judged."""

    title: str
    verdict: str
    note: str = ""


def judge_unwritten_at(site: SiteReport) -> Iterator[UnwrittenAtSite]:
    found, game = site.found, site.site.table.program.game
    codes = {one.title for one in found.findings if one.kind == "fault"}
    titles = {one.title for one in found.findings if one.kind == "property"}

    def judged(title: str, is_broken: bool) -> UnwrittenAtSite:
        return UnwrittenAtSite(title, "fails" if is_broken else "holds" if found.is_complete else "not broken")

    for kind in (one for one in game.components if one.board is None):
        is_broken = f"no {kind.name.text} appears or vanishes" in titles
        yield judged(implicit_properties.say_conserved(kind.name.text), is_broken)
    if game.variables:
        yield judged(implicit_properties.IN_RANGE, bool(codes & implicit_properties.RANGE))
    yield judged(implicit_properties.CAN_CHOOSE, bool(codes & implicit_properties.EMPTY))
    others = codes - implicit_properties.RANGE - implicit_properties.EMPTY - implicit_properties.ENDLESS
    yield judged(implicit_properties.SAY_WHAT_HAPPENS, bool(others))
    yield judged(implicit_properties.CAN_END, bool(site.trapped))
    yield judge_endings(site)
    yield judge_secrets(site)
    yield judged(implicit_properties.SCORES_AGREE, AGREE in titles)


def judge_endings(site: SiteReport) -> UnwrittenAtSite:
    """By themselves, whatever the players choose."""
    if site.trapped or "endless" in {one.title for one in site.found.findings}:
        return UnwrittenAtSite(implicit_properties.ENDS, "fails")
    if site.circle is not None:
        return UnwrittenAtSite(implicit_properties.ENDS, MAY_GO_ON, message("players can go round in a cycle"))
    return UnwrittenAtSite(implicit_properties.ENDS, "holds" if site.found.is_complete else "not broken")


def judge_secrets(site: SiteReport) -> UnwrittenAtSite:
    """Read off the rules; where that is no proof, games in which the unseen is dealt anew look for leaks."""
    proofs = prove_open_choices(site.site.table)
    if proofs.flow and len(proofs.proved) == proofs.choices:
        return UnwrittenAtSite(implicit_properties.SECRETS, "holds", message("proved from the text of the rules"))
    return UnwrittenAtSite(
        implicit_properties.SECRETS, "not judged", message(
            "positions alone cannot show this; random games look for leaks"
        ),
    )


def assurance_lines(report: Exploration) -> Iterator[tuple[str, Message]]:
    """Of rules in which nothing was broken: what is proved, for which tables, and what is evidence."""
    settled = {one.name for one in report.not_reached if one.kind == "property"}
    for site in report.sites:
        written = count_judged(site, settled)
        free = sum(one.verdict in {"holds", "not broken"} for one in judge_unwritten_at(site))
        which = plural(
            "{count} property and {unwritten} built-in checks",
            "{count} properties and {unwritten} built-in checks", written, unwritten=free,
        )  # fmt: skip
        if site.found.is_complete:
            yield "proved", message(
                "{table}: {properties} hold at every one of its {positions:,} "
                "positions", table=site.site.name, properties=which,
                positions=site.found.size,
            )  # fmt: skip
        else:
            yield "evidence", message(
                "{table}: {properties} hold at {positions:,} positions; there are more", table=site.site.name,
                properties=which, positions=site.found.expanded,
            )  # fmt: skip
    if any(site.found.is_complete for site in report.sites):
        is_small = any(site.site.shrunk for site in report.sites)
        yield "evidence", message(
            "for every other table: larger ones, other numbers of players, other options"
        ) if is_small else message("for every other table: other numbers of players, other options")
    if not report.reading.name.startswith("-"):
        yield "next", message(
            "play random games at the full table and look for leaks: rulesrun {file}", file=report.reading.name
        )


def count_judged(site: SiteReport, settled: Collection[str]) -> int:
    """How many properties were looked at there; `settled`: titles of others."""
    return sum(
        one.word not in {"can happen", *COUNTED_APART} and one.title not in settled
        and (one.title not in site.unjudged or (one.bound is not None and bool(site.lengths)))
        for one in site.site.table.bench.properties
    )  # fmt: skip
