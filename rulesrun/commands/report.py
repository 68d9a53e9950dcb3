"""`rulesrun report`: one self-contained page on rulebooks, written whole or not at all."""

from __future__ import annotations

import shlex
from time import monotonic

from rulesrun import __version__
from rulesrun.dsl.text.messages import message
from rulesrun.files.atomic_files import check_writable, postpone_write_failures, write_atomically
from rulesrun.files.loading import Reading, read_playable, read_rules
from rulesrun.locale.language import say, translate
from rulesrun.pages.collecting import ALL_SECONDS, FILE_SECONDS, CollectedFile, collect_file
from rulesrun.pages.page import make_page
from rulesrun.report.measure_json import measurement_json
from rulesrun.report.report_json import report_json
from rulesrun.terminal.output import print_json, print_text
from rulesrun.terminal.plurals import count_games
from rulesrun.terminal.requests import ReportRequest
from rulesrun.terminal.trouble import Unplayable, WrongUse


def run(request: ReportRequest) -> int:
    path = request.html
    if path is None:
        raise WrongUse(message("`rulesrun report` needs `--html FILE`, the page to write"))
    if request.compare and len(request.files) > 1:
        raise WrongUse(message("`--compare` takes only one FILE"))
    began = monotonic()
    readings = [read_rules(name, request.variants) for name in request.files]
    variants = [read_playable(name, request.variants) for name in request.compare]
    check_writable(path, (*request.files, *request.variants, *request.compare))
    collected = collect_files(readings, request, variants)
    made = make_page(collected, page_command(request), __version__)
    with postpone_write_failures(path):
        write_atomically(path, made)
    print_result(path, collected, request, monotonic() - began)
    if not all(found.holds for found in collected):
        return 1
    return 2 if is_partial(collected, request) else 0


def collect_files(readings: list[Reading], request: ReportRequest, variants: list[Reading]) -> list[CollectedFile]:
    """An interruption ends with the files that are known by then."""
    collected: list[CollectedFile] = []
    end = monotonic() + (request.seconds * len(readings) if request.seconds else ALL_SECONDS)
    for at, reading in enumerate(readings):
        until = monotonic() + min((end - monotonic()) / (len(readings) - at), request.seconds or FILE_SECONDS)
        try:
            collected.append(collect_file(reading, request, variants, until))
        except Unplayable as refusal:
            collected.append(collect_file(refusal.reading, request, [], until))
        if collected[-1].is_partial:
            break
    return collected


def is_partial(collected: list[CollectedFile], request: ReportRequest) -> bool:
    return len(collected) < len(request.files) or any(found.is_partial for found in collected)


def page_command(request: ReportRequest) -> str:
    words = ["rulesrun", "report", *request.files]
    for name in request.variants:
        words += ["--with", name]
    for name, value in request.settings.items():
        words += ["--set", f"{name}={value}"]
    for variant in request.compare:
        words += ["--compare", variant]
    for name in ("players", "seed", "games", "seconds", "seats", "lang", "html"):
        value = getattr(request, name)
        if value:
            words += [f"--{name}", str(value)]
    within = request.within
    return shlex.join(words + (["--within", f"{within * 100:g}%"] if within is not None else []))


def engine_of(collected: list[CollectedFile]) -> str:
    """That has played the figures."""
    is_native = any(found.measured is not None and found.measured.engine == "native" for found in collected)
    return "native" if is_native else "reference"


def print_result(path: str, collected: list[CollectedFile], request: ReportRequest, seconds: float) -> None:
    games = sum(found.games for found in collected)
    if request.json:
        print_json({
            "html": path,
            "files": [file_json(found, request) for found in collected],
            "games": games, "engine": engine_of(collected), "seconds": round(seconds, 3),
            "partial": is_partial(collected, request),
        })  # fmt: skip
    elif not request.quiet:
        partial = say("; interrupted: this report is partial") if is_partial(collected, request) else ""
        for found in collected:
            sound = say("nothing broken so far") if found.report.unknown_shares else say("everything holds")
            verdict = sound if found.holds else say("does not hold")
            print_text(f"{found.reading.name}  {verdict}, {translate(count_games(found.games))}")
        print_text(
            say("{file}: {games} in {seconds:.1f} s", file=path, games=count_games(games), seconds=seconds) + partial
        )


def file_json(found: CollectedFile, request: ReportRequest) -> dict[str, object]:
    figures = None if found.measured is None else measurement_json(found.measured, request)
    return {"verdicts": report_json(found.report), "figures": figures}
