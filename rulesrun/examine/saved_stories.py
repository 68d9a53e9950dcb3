"""Keeps what was found: a story as a worked example in the rules file, or as a trace. Nothing else adds to rules.

An example is run before it is written down: it must fail now, and for the reason the story tells.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from rulesrun.files.atomic_files import write_atomically
from rulesrun.files.loading import Reading, read_files
from rulesrun.files.sources import SUFFIX, TextFile, open_rules
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.model.values import Fault
from rulesrun.interpreter.play.game_loop import random_picker
from rulesrun.interpreter.play.step import ChanceDecision, PlayerDecision
from rulesrun.interpreter.search.answered_games import AnsweredGame
from rulesrun.interpreter.stories.story import Story, format_example
from rulesrun.records.traces import record_game, start_event
from rulesrun.services.stories import StoryReport
from rulesrun.terminal.output import one_line_json
from rulesrun.terminal.requests import RunRequest


@frozen
class SavedStory:
    """`file`: where the example stands now; None: the story cannot be told exactly as an example."""

    title: str
    file: str | None


def save_examples(reading: Reading, stories: list[StoryReport], request: RunRequest) -> list[SavedStory]:
    return [save_example(reading, report, request) for report in stories]


def save_example(reading: Reading, report: StoryReport, request: RunRequest) -> SavedStory:
    variants = [open_rules(name) for name in request.variants]
    file = target_file(reading)
    title = free_title(file.text, f"found: {report.story.failure.title or report.story.failure.kind.name}")
    for is_turn in (True, False):  # a turn that draws before anybody chooses begins with another position
        lines = format_example(report.whole_table_story, title, is_turn)
        text = file.text.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n"
        changed = TextFile(file.name, text, file.folder, hashlib.sha256(text.encode()).hexdigest())
        if fails_alike(read_files(changed, variants), title, report.whole_table_story):
            write_atomically(file.name, text)
            return SavedStory(title, file.name)
    return SavedStory(title, None)


def target_file(reading: Reading) -> TextFile:
    """The file itself; for a bundled rulebook or standard input a variant beside, which has only examples."""
    if os.path.exists(reading.name):
        return open_rules(reading.name)
    base = reading.name.removesuffix(SUFFIX)
    beside = f"{os.path.basename(base)}_found{SUFFIX}"
    if os.path.exists(beside):
        return open_rules(beside)
    text = f'rules 1\nvariant "{reading.title}, what was found" of "{base}"\n'
    return TextFile(beside, text, os.curdir, "")


def free_title(text: str, title: str) -> str:
    title = title.replace('"', "'")
    number, found = 1, title
    while f'example "{found}"' in text:
        number += 1
        found = f"{title} ({number})"
    return found


def fails_alike(reading: Reading, title: str, story: Story) -> bool:
    """Whether the example can be read, can be played, and does not hold for the reason of the story."""
    if reading.program is None:
        return False
    example = next((one for one in reading.program.game.examples if one.title == title), None)
    if example is None:
        return False
    result = ExampleRunner(reading.program).run_example(example)
    if result.verdict != "failed" or result.diagnostic is None:
        return False
    expected = story.failure.diagnostic
    if expected is not None:
        return (result.diagnostic.code, result.diagnostic.span) == (expected.code, expected.span)
    return result.diagnostic.code == "failed-example"


# ---- traces


def trace_lines(reading: Reading, game: AnsweredGame) -> Iterator[str]:
    """The whole game; after the failure it goes on at random, to the end or to where the rules get stuck."""
    yield one_line_json(start_event(reading, game.table, None))
    answers, following = list(reversed(game.answers)), random_picker(Streams(0))

    def pick(question: PlayerDecision | ChanceDecision) -> int:
        return answers.pop() if answers else following(question)

    try:
        for event in record_game(game.table, pick):
            yield one_line_json(event)
    except Fault:
        return


def read_saved(reading: Reading, saved: Iterable[SavedStory], variants: Sequence[str]) -> Reading:
    """The rules as they stand in their file now: a trace belongs to the rules that it can be played again by."""
    if all(one.file != reading.name for one in saved):
        return reading
    return read_files(open_rules(reading.name), [open_rules(name) for name in variants])


def save_trace(path: str, reading: Reading, game: AnsweredGame) -> None:
    write_atomically(path, (f"{line}\n" for line in trace_lines(reading, game)))
