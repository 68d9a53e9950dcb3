"""What may follow the beginning of a line, and how it is ended soonest. Takes words, asks the parser's own tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from typing import Any

from attrs import frozen
from lark.parsers.lalr_analysis import Shift

from rulesrun.dsl.mistakes.expected_words import TEXTS
from rulesrun.dsl.parsing.grammar import AcceptedTerminals, States, find_terminal, load_parser
from rulesrun.dsl.text.keywords import PHRASES_BY_FIRST_WORD
from rulesrun.dsl.text.lexer import Word

LONGEST_ENDING = 60
WRITTEN = {"NAME": "anything", "INT": "1", "STRING": '""'}
# What can always come once more, and never ends anything.
DETOURS = {"PLUS": 20, "MINUS": 20, "PRODUCT": 20, "LSQB": 20, "LPAR": 20, "WHERE": 3, "OF": 1}
Stack = tuple[int, ...]


@frozen
class Beginning:
    """How far the parser is after the words of a line, and what it can take next."""

    stack: Stack
    accepted: frozenset[str]

    @property
    def can_end(self) -> bool:
        return "$END" in self.accepted


def read_beginning(words: Sequence[Word], kind: str) -> Beginning | None:
    """None where the grammar does not take these words. `kind`: a start symbol of the grammar. A name may follow: only
    before one are `is a` one phrase.
    """
    terminals = read_terminals(words, kind, following=(Word("word", WRITTEN["NAME"], 0, 0),))
    stack = terminals[1] if terminals is not None else read_stack(words, kind)
    return None if stack is None else Beginning(stack, list_accepted(stack))


def read_stack(words: Sequence[Word], kind: str) -> Stack | None:
    terminals = read_terminals(words, kind)
    return None if terminals is None else terminals[1]


def read_terminals(
    words: Sequence[Word], kind: str, following: Sequence[Word] = ()
) -> tuple[tuple[str, ...], Stack] | None:
    """The terminal of every word (of a phrase, once for each of its words) and the stack behind them. `following`: what
    comes next, which is not read.
    """
    states = load_states()
    stack = [start_state(kind)]
    found: list[str] = []
    line = [*words, *following]
    while len(found) < len(words):
        if line[len(found)].kind in ("slip", "odd"):
            return None
        terminal, count = find_terminal(line, len(found), AcceptedTerminals(states, stack))
        if not shift_terminal(states, stack, terminal):
            return None
        found += [terminal] * count
    return tuple(found), tuple(stack)


def is_whole_line(words: Sequence[Word], kind: str) -> bool:
    stack = read_stack(words, kind)
    return stack is not None and "$END" in AcceptedTerminals(load_states(), list(stack))


@cache
def list_accepted(stack: Stack) -> frozenset[str]:
    states = load_states()
    accepted = AcceptedTerminals(states, list(stack))
    return frozenset(name for name in states[stack[-1]] if name.isupper() and name in accepted) | (
        {"$END"} if "$END" in accepted else frozenset()
    )


def follow_phrases(words: Sequence[Word], kind: str) -> Iterator[str]:
    """Where the last words begin a phrase of the language, what is left of it: after `draw lots`, `for`."""
    for first in range(max(0, len(words) - 4), len(words)):
        said = tuple(word.text for word in words[first:])
        for phrase, terminals in PHRASES_BY_FIRST_WORD.get(said[0], ()):
            if len(phrase) > len(said) and phrase[: len(said)] == said:
                before = read_beginning(words[:first], kind)
                if before is not None and before.accepted & {*terminals}:
                    yield " ".join(phrase[len(said) :])


def end_line(words: Sequence[Word], kind: str) -> tuple[str, ...] | None:
    """The fewest words that make a whole line of a beginning; None where there is no such line."""
    stack = read_stack(words, kind)
    ending = None if stack is None else find_ending(stack)
    return None if ending is None else tuple(WRITTEN.get(name) or TEXTS[name][0] for name in ending)


@cache
def find_ending(stack: Stack) -> tuple[str, ...] | None:
    """The terminals of a short ending; nothing is promised where the tables lead astray."""
    states, costs = load_states(), state_costs()
    now, ending = list(stack), list[str]()
    while len(ending) < LONGEST_ENDING:
        if "$END" in AcceptedTerminals(states, now):
            return tuple(ending)
        rules = [action[1] for action in states[now[-1]].values() if action[0] is not Shift]
        if rules:
            reduce_rule(states, now, min(rules, key=lambda rule: cost_after_reduction(states, now, rule)))
            continue
        row = [(name, argument) for name, (_, argument) in states[now[-1]].items() if name in least_yields()]
        if not row:
            return None
        best = min(row, key=lambda entry: (yield_cost(entry[0]) + costs[entry[1]], entry[0]))[0]
        for terminal in least_yields()[best]:
            if not shift_terminal(states, now, terminal):
                return None
            ending.append(terminal)
    return None


def cost_after_reduction(states: States, stack: Sequence[int], rule: Any) -> int:
    below = stack[: len(stack) - len(rule.expansion)]
    found = states[below[-1]].get(rule.origin.name)
    return state_costs()[found[1]] if found is not None else LONGEST_ENDING


def reduce_rule(states: States, stack: list[int], rule: Any) -> None:
    if rule.expansion:
        del stack[-len(rule.expansion) :]
    stack.append(states[stack[-1]][rule.origin.name][1])


def shift_terminal(states: States, stack: list[int], terminal: str) -> bool:
    """Moves the parser over one terminal; leaves the stack as it was where it is not taken."""
    if terminal not in AcceptedTerminals(states, stack):
        return False
    while True:
        action, argument = states[stack[-1]][terminal]
        if action is Shift:
            stack.append(argument)
            return True
        reduce_rule(states, stack, argument)


# ---- the tables


@cache
def load_states() -> States:
    states: States = _parse_table().states
    return states


def start_state(kind: str) -> int:
    start: int = _parse_table().start_states[kind]
    return start


@cache
def _parse_table() -> Any:
    frontend: Any = load_parser()
    return frontend.parser.parser._parse_table


@cache
def least_yields() -> Mapping[str, tuple[str, ...]]:
    """For every symbol the fewest terminals that make it; a name before all others of the same length."""
    frontend: Any = load_parser()
    yields: dict[str, tuple[str, ...]] = {
        name: (name,) for row in load_states().values() for name in row if name.isupper()
    }
    is_changing = True
    while is_changing:
        is_changing = False
        for rule in frontend.rules:
            parts = [yields.get(symbol.name) for symbol in rule.expansion]
            if all(part is not None for part in parts):
                found = tuple(name for part in parts for name in part or ())
                known = yields.get(rule.origin.name)
                if known is None or _rank_yield(found) < _rank_yield(known):
                    yields[rule.origin.name] = found
                    is_changing = True
    return yields


def _rank_yield(found: tuple[str, ...]) -> tuple[int, tuple[bool, ...], tuple[str, ...]]:
    return len(found), tuple(name != "NAME" for name in found), found


@cache
def yield_cost(symbol: str) -> int:
    return sum(1 + DETOURS.get(name, 0) for name in least_yields()[symbol])


@cache
def state_costs() -> Mapping[int, int]:
    """How many terminals are needed from a state until something is whole."""
    states = load_states()
    into: dict[int, list[tuple[int, str]]] = {state: [] for state in states}
    waiting: list[tuple[int, int]] = []
    for state, row in states.items():
        for name, (action, argument) in row.items():
            if action is Shift or not name.isupper():
                into[argument].append((state, name))
        if not row or any(action is not Shift for name, (action, _) in row.items() if name.isupper() or name == "$END"):
            heappush(waiting, (0, state))
    costs: dict[int, int] = {}
    while waiting:
        cost, state = heappop(waiting)
        if state not in costs:
            costs[state] = cost
            for before, name in into[state]:
                if name in least_yields():
                    heappush(waiting, (cost + yield_cost(name), before))
    return {state: costs.get(state, LONGEST_ENDING) for state in states}
