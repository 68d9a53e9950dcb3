"""`rulesrun tree`: the exact size of a small game's tree."""

from __future__ import annotations

from rulesrun.dsl.text.messages import message
from rulesrun.files.loading import read_playable
from rulesrun.interpreter.model.values import Fault
from rulesrun.records.complaints import print_fault
from rulesrun.report.tree_text import tree_json, tree_text
from rulesrun.services import tree
from rulesrun.terminal.output import prefixed, print_error, print_json, print_text
from rulesrun.terminal.requests import TreeRequest


def run(request: TreeRequest) -> int:
    reading = read_playable(request.files[0], request.variants)
    try:
        found = tree.count_tree(reading, request)
    except Fault as fault:
        print_fault(reading, fault)
        return 1
    if found.left_to_reference:
        print_error(prefixed(found.left_to_reference))
    if not (found.counts.is_complete or request.json):
        print_error(message(
            "rulesrun: these counts are partial (at most {most:,} histories are counted)", most=tree.MOST_HISTORIES
        ))  # fmt: skip
    if request.json:
        print_json(tree_json(found))
    elif not request.quiet:
        print_text(tree_text(found), end="")
    return 0 if found.counts.is_complete else 2
