"""Where it can be read off the rules that options give nothing away. Takes a table, gives what is proved.

The options at a choice are worked out from what its actions' choices and conditions read. When all of that lies
open, or is the chooser's own, they follow from what the chooser sees. The same goes for whether somebody is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesrun.interpreter.model.relevance import has_only_known_constructs
from rulesrun.interpreter.reference.decisions import DecisionWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.secrecy.information_flow import is_open
from rulesrun.interpreter.secrecy.open_flow import is_flow_open
from rulesrun.interpreter.secrecy.secrets import KNOWS, Read, parts_of_action


@frozen(eq=False)
class OpenChoices:
    """`proved`: the choices whose options follow from what the chooser sees; `flow`: so does who is asked at all."""

    choices: int
    proved: frozenset[int]  # by the number of their operation
    flow: bool


def prove_open_choices(table: Table) -> OpenChoices:
    waits = {pc: wait for pc, wait in table.waits.items() if isinstance(wait, DecisionWait)}
    if not has_only_known_constructs(table.bench, KNOWS):
        return OpenChoices(len(waits), frozenset(), False)
    proved = frozenset(
        pc for pc, wait in waits.items() if is_open(table, option_reads(wait), wait.is_team, choices_being_made(wait))
    )
    return OpenChoices(len(waits), proved, is_flow_open(table))


def choices_being_made(wait: DecisionWait) -> set[int]:
    """The choices themselves: who makes them knows them."""
    return {id(choice) for offer in wait.offers.values() for choice in offer.action.action.choices}


def option_reads(wait: DecisionWait) -> Iterator[Read]:
    for offer in wait.offers.values():
        ready = offer.action
        yield from ((part, not ready.rebinds_player) for part in parts_of_action(ready.action))
