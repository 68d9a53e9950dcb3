"""What an exploration found, as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from rulesrun.dsl.text.source import Source
from rulesrun.files.excerpts import line_of
from rulesrun.report.explore_text import count_represented, make_story_report
from rulesrun.services.explore import Exploration, SiteReport, judge_unwritten_at
from rulesrun.services.stories import story_json


def exploration_json(report: Exploration) -> dict[str, object]:
    return {
        "file": report.reading.name,
        "title": report.reading.title,
        "ok": report.holds,
        "partial": report.is_interrupted,
        "engine": "native" if any(site.found.engine == "native" for site in report.sites) else "reference",
        "games": 0,
        "seconds": round(sum(site.found.seconds for site in report.sites), 3),
        "said": report.said,
        "not_reached": [
            {"kind": one.kind, "name": one.name, "line": line_of(one.span, report.reading.sources)}
            for one in report.not_reached
        ],
        "tables": [site_json(report, site) for site in report.sites],
    }


def site_json(report: Exploration, site: SiteReport) -> dict[str, object]:
    found, table, sources = site.found, site.site.table, report.reading.sources
    return {
        "table": site.site.name,
        "shrunk": list(site.site.shrunk),
        "players": table.players,
        "options": dict(table.options),
        "complete": found.is_complete,
        "stopped": found.stopped,
        "positions": found.size,
        "whole": found.whole,
        "decisions": found.decisions,
        "chance": found.chances,
        "ends": found.overs,
        "transitions": found.transitions,
        "depth": found.depth,
        "seconds": round(found.seconds, 3),
        "alike": list(found.group.said),
        "symmetries": [
            {"exchanges": list(one.says), "positions": one.positions, "choices_and_ends": one.from_choice}
            for one in site.proved
        ],
        **judged_json(site, sources),
        "without_end": count_represented(site, site.trapped),
        "circles": site.circle.members if site.circle is not None else 0,
        "happens": [
            {"name": title, "steps": found.distance_of(number)} for title, number in sorted(found.happened.items())
        ],
        "never": [{"kind": one.kind, "name": one.name, "line": line_of(one.span, sources)} for one in site.nevers],
        "not_judged": [
            one.title for one in site.site.table.bench.properties
            if one.title in site.unjudged and (one.bound is None or not site.lengths)
        ],
        "stories": [
            story_json(make_story_report(report, finding, story))
            for finding, story in site.stories
            if story is not None
        ],
    }


def judged_json(site: SiteReport, sources: Mapping[str, Source]) -> dict[str, object]:
    """What was broken, what became of what nobody wrote, how long games are."""
    return {
        "broken": [
            {"kind": one.kind, "name": one.title, "message": one.message, "line": line_of(one.span, sources)}
            for one in site.found.findings
        ],
        "unwritten": [
            {"title": one.title, "verdict": one.verdict, "note": one.note or None} for one in judge_unwritten_at(site)
        ],
        "lengths": [
            {"name": one.declaration.title, "unit": one.unit, "bound": one.bound, "longest": one.longest,
             "known": one.is_known}
            for one in site.lengths
        ],
    }
