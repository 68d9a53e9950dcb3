"""A failing game as a story: the deal that matters, the moves, what each changed, which rule did it.

Takes a game and its failure, gives data; how it looks is for others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl.contents.causes import (
    find_cause,
    find_definitions_within,
    find_named_zones,
    find_skipping_conditions,
)
from rulesrun.dsl.text.messages import Message, Names, join_messages, message
from rulesrun.dsl.text.source import Located, Span
from rulesrun.interpreter.model.compile_context import VariableRoom, ZoneRoom
from rulesrun.interpreter.model.domains import (
    argument_to_external,
    list_values,
    write_argument,
    write_component,
    write_value,
)
from rulesrun.interpreter.model.places import find_changed_room, flatten_content
from rulesrun.interpreter.model.values import EVENTS, PC, PLAYER, ROUND, STARTER, Code, Fault, Run, Slots, State
from rulesrun.interpreter.play.explanation import ExplainedValue, explain_expression
from rulesrun.interpreter.play.position_changes import MOST_NAMES, changed_zones, changes, format_components, zone_slots
from rulesrun.interpreter.play.refusals import text_at
from rulesrun.interpreter.play.step import Option, make_option
from rulesrun.interpreter.reference.chance import ChanceWait, DrawWait
from rulesrun.interpreter.reference.decisions import DecisionWait, TogetherWait
from rulesrun.interpreter.reference.flow_graph import Wait
from rulesrun.interpreter.reference.options import CompiledAction
from rulesrun.interpreter.reference.rounds import EndWait
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.search.answered_games import AnsweredGame, Failure, ListedAnswers, outcome_at

# ---- no legal option
# Why nothing is legal at a choice: of each action what it lacks. Takes a table and a position, gives data.
#
# The ways to do an action are gone through as when options are listed. Each is given up at the first choice that has
# no values, or at the first condition that does not hold; what gives up most of them comes first.


MOST_WAYS = 2_000
MOST_LACKS = 3


@frozen
class Lack:
    """What keeps an action from being legal: a condition that does not hold, or that there is nothing to choose from.

    `refused`: for which choices, as a trace writes them; `values`: what its parts are worth for the first of them.
    """

    action: str
    span: Span
    is_empty: bool
    because: str | None
    refused: tuple[str, ...]
    values: tuple[ExplainedValue, ...]


def find_lacks(table: Table, state: State, choose: Span) -> tuple[Lack, ...]:
    """For each action of the `choose` at this place, what it lacks; nothing when some option is legal."""
    wait = find_choice(table, choose)
    if wait is None:
        return ()
    found: list[Lack] = []
    for offer in wait.offers.values():
        search = _LackSearch(table, table.to_slots(state), offer.action)
        if search.has_legal_option():
            return ()
        found += search.list_lacks()
    return tuple(found)


def find_choice(table: Table, choose: Span) -> DecisionWait | None:
    waits = (one for one in table.waits.values() if isinstance(one, DecisionWait))
    return next((one for one in waits if one.node.span == choose), None)


@define(eq=False)
class _LackSearch:
    table: Table
    S: Slots
    ready: CompiledAction
    ways: int = 0
    empty: dict[int, tuple[Slots, list[str]]] = field(factory=dict)  # by the number of the choice
    failed: dict[int, tuple[Slots, list[str]]] = field(factory=dict)  # by the number of the need

    def has_legal_option(self) -> bool:
        return self.search_level(0, ())

    def search_level(self, level: int, chosen: tuple[str, ...]) -> bool:
        """Whether something is legal with these choices. Notes at what each way ends."""
        self.ways += 1
        if self.ways > MOST_WAYS:
            return False
        for number, (at, _need, code) in enumerate(self.ready.needs):
            if at == level and not self.is_true(code):
                self.note_end(self.failed, number, chosen)
                return False
        if level == len(self.ready.choices):
            return True
        choice, asked = self.ready.choices[level], self.S[PLAYER]
        try:
            values = list(choice.values(self.S))
        except (Fault, TypeError):
            values = []
        if not values:
            self.note_end(self.empty, level, chosen)
        is_legal = False
        for value in values:
            self.S[choice.slot] = value
            if choice.is_player:
                self.S[PLAYER] = value
            is_legal = self.search_level(level + 1, (*chosen, self.format_value(level, value))) or is_legal
            self.S[PLAYER] = asked
        self.S[choice.slot] = None
        return is_legal

    def is_true(self, code: Code) -> bool:
        try:
            return bool(code.run(self.S))
        except (Fault, TypeError, RecursionError, OverflowError):
            return False

    def format_value(self, level: int, value: Any) -> str:
        outside = argument_to_external(self.table.bench, self.ready.choices[level].choice, value)
        if isinstance(outside, list | tuple):
            return "{" + ", ".join(str(one) for one in outside) + "}"
        return str(outside)

    def note_end(self, ends: dict[int, tuple[Slots, list[str]]], number: int, chosen: tuple[str, ...]) -> None:
        text = f"({', '.join(chosen)})" if len(chosen) > 1 else "".join(chosen)
        ends.setdefault(number, (self.S.copy(), []))[1].append(text)

    def list_lacks(self) -> list[Lack]:
        """The conditions and choices at which the ways end, what ends most of them first."""
        ends = [(len(texts), self.make_need_lack(number, S, texts)) for number, (S, texts) in self.failed.items()]
        ends += [(len(texts), self.make_choice_lack(number, S, texts)) for number, (S, texts) in self.empty.items()]
        return [lack for _, lack in sorted(ends, key=lambda one: -one[0])[:MOST_LACKS]]

    def make_need_lack(self, number: int, S: Slots, texts: list[str]) -> Lack:
        _, need, _ = self.ready.needs[number]
        values = explain_expression(self.table, self.table.to_state(S), need.condition)
        refused = tuple(text for text in dict.fromkeys(texts) if text)
        return Lack(self.ready.action.name.text, need.condition.span, False, need.because, refused, values)

    def make_choice_lack(self, number: int, S: Slots, texts: list[str]) -> Lack:
        choice = self.ready.choices[number].choice
        values = explain_expression(self.table, self.table.to_state(S), choice.domain)
        refused = tuple(text for text in dict.fromkeys(texts) if text)
        return Lack(self.ready.action.name.text, choice.span, True, None, refused, values)


# ---- story


WHOLE = 14  # a place with more components is told by those that matter
MOST_STEPS = 50_000
LONG = 24  # moves: a story with more of them is summed up, but for the last ones
LAST_MOVES = 8
MOST_RULES = 4  # that are told as what did it
WORD = re.compile(r"[^\s,{}()]+")


@frozen
class StatementDraws:
    """A statement that took components out of a place, and how many in all."""

    span: Span
    components: int


@frozen(eq=False)
class StoryMove:
    """One choice and what it changed. `brought`: what chance brought afterwards, as it is written in a trace."""

    player: int
    option: Option
    changes: tuple[str, ...]
    together: bool
    brought: tuple[tuple[Located, Any], ...] = ()


@frozen
class RoundSummary:
    """Some moves of one round, told as a sum: how many, and how full the places were before and after."""

    round: int
    moves: int
    sizes: tuple[tuple[str, int, int], ...]


@frozen(eq=False)
class Story:
    """`first`: the position at the first choice. `fault_lines`: the rules that did it, the closest first.

    Of a long story `courses` sum up all moves but the last few, before which the table was like `later`.
    """

    game: AnsweredGame
    failure: Failure
    first: State
    deal: tuple[str, ...]
    moves: tuple[StoryMove, ...]
    values: tuple[ExplainedValue, ...]
    fault_lines: tuple[Span, ...]
    dealt: tuple[tuple[Located, Any], ...] = ()  # what chance brought before the first choice
    trapped: int | None = None  # how many positions can still follow, none of them the end
    circles: int | None = None  # the last position is the one after so many moves: so it can go on for ever
    lacks: tuple[Lack, ...] = ()  # of a choice among nothing, what each action lacks
    courses: tuple[RoundSummary, ...] = ()
    later: tuple[str, ...] = ()
    drawn: tuple[StatementDraws, ...] = ()  # of a pile that has run out, where its components went


@define(eq=False)
class StoryTeller:
    """Plays the game once more, operation by operation, and looks when the property stopped to hold."""

    game: AnsweredGame
    failure: Failure
    S: Slots = field(init=False)
    moves: list[StoryMove] = field(init=False, factory=list)
    first: tuple[Any, ...] | None = field(init=False, default=None)
    dealt: tuple[tuple[Located, Any], ...] = field(init=False, default=())
    culprit: Located | None = field(init=False, default=None)
    _holds: bool = field(init=False, default=True)
    _open: tuple[Option, int, bool, tuple[Any, ...]] | None = field(init=False, default=None)
    _brought: list[tuple[Located, Any]] = field(init=False, factory=list)
    _mattering: set[int] = field(init=False, factory=set)
    _before: list[tuple[Any, ...]] = field(init=False, factory=list)  # the position before each move
    _draws: list[tuple[Span, int]] = field(init=False, factory=list)  # statements, and the slot they draw from
    _deciding: frozenset[str] = field(init=False, default=frozenset())

    @property
    def table(self) -> Table:
        return self.game.table

    def make_story(self) -> Story:
        self.S = self.table.new_slots()
        self.S[EVENTS] = None
        judged, state = self.failure.judged, self.failure.state
        values = explain_expression(self.table, state, judged.declaration.condition) if judged is not None else ()
        lacks = self.find_lacks()
        said = (*values, *(value for lack in lacks for value in lack.values))
        self._deciding = frozenset(word for value in said for word in WORD.findall(f"{value.text} {value.of}"))
        listed = ListedAnswers(self.game.answers)
        try:
            wait = self.run_to_question()
            while listed.at < len(self.game.answers) and not isinstance(wait, EndWait):
                self.apply_next_answer(wait, listed)
                wait = self.run_to_question()
        except Fault:
            pass
        self.finish_move(self.failure.state.slots)
        first = self.first or self.failure.state.slots
        is_long = len(self.moves) > LONG
        return Story(
            self.game,
            self.failure,
            State(tuple(first)),
            self.describe_deal(first),
            tuple(self.moves),
            values,
            self.find_fault_lines(lacks),
            self.dealt,
            lacks=lacks,
            courses=self.summarize_rounds() if is_long else (),
            later=self.describe_deal(self._before[-LAST_MOVES], is_first=False) if is_long else (),
            drawn=self.count_draws(),
        )

    def find_lacks(self) -> tuple[Lack, ...]:
        diagnostic = self.failure.diagnostic
        if diagnostic is None or diagnostic.code != "empty-choice":
            return ()
        return find_lacks(self.table, self.failure.state, diagnostic.span)

    def summarize_rounds(self) -> tuple[RoundSummary, ...]:
        """All moves but the last few, round by round."""
        cut = len(self.moves) - LAST_MOVES
        starts = [at for at in range(cut) if at == 0 or self._before[at][ROUND] != self._before[at - 1][ROUND]]
        found = []
        for start, end in pairwise([*starts, cut]):
            before, after = self._before[start], self._before[end]
            sizes = tuple(
                (name, len(flatten_content(before[slot])), len(flatten_content(after[slot])))
                for slot, (_, name) in zone_slots(self.table).items()
                if len(flatten_content(before[slot])) != len(flatten_content(after[slot]))
            )
            found.append(RoundSummary(before[ROUND], end - start, sizes))
        return tuple(found)

    def count_draws(self) -> tuple[StatementDraws, ...]:
        """Where the components of the pile went that has run out, statement by statement."""
        diagnostic = self.failure.diagnostic
        if diagnostic is None or diagnostic.code != "empty-zone" or not self._draws:
            return ()
        emptied = next((slot for span, slot in reversed(self._draws) if span == diagnostic.span), None)
        drawn = Counter(span for span, slot in self._draws if slot == emptied)
        return tuple(StatementDraws(span, components) for span, components in drawn.items())

    # ---- playing

    def run_to_question(self) -> Wait:
        steps, pc, S = self.table.steps, self.S[PC], self.S
        test = make_property_test(self.failure)
        for _ in range(MOST_STEPS):
            here, pc = pc, steps[pc](S)
            if test is not None:
                self.check_property(test, here)
            if pc < 0:
                S[PC] = ~pc
                return self.table.waits[~pc]
        assert self.failure.diagnostic is not None
        raise Fault(self.failure.diagnostic)  # it goes on without end: that is what failed

    def check_property(self, test: Run, here: int) -> None:
        """On a copy: a test that has no meaning yet stops halfway, with another player in the place of `player`."""
        try:
            holds = bool(test(list(self.S)))
        except (Fault, TypeError, IndexError, KeyError):
            return
        if self._holds and not holds:
            self.culprit = self.table.operations[here].node
        self._holds = holds

    def apply_next_answer(self, wait: Wait, listed: ListedAnswers) -> None:
        S = self.S
        if isinstance(wait, DecisionWait):
            self.finish_move(tuple(S))
            if self.first is None:
                self.first, self.dealt = tuple(S), tuple(self._brought)
                self._brought.clear()
            options = wait.list_options(S)
            index = listed.pick_option(S, wait, options)
            option = make_option(self.table, wait, options[index])
            self._open = (option, wait.chooser(S), isinstance(wait, TogetherWait), tuple(S))
            self._before.append(tuple(S))
            wait.apply_answer(S, options[index])
        elif isinstance(wait, ChanceWait):
            self.note_draw(wait)
            value = outcome_at(S, wait, listed.pick_outcome(S, wait))
            self._brought.append((wait.node, value))
            wait.apply_answer(S, value)

    def note_draw(self, wait: ChanceWait) -> None:
        if isinstance(wait, DrawWait):
            self._draws.append((wait.node.span, wait.origin_slot(self.S)))

    def finish_move(self, after: tuple[Any, ...]) -> None:
        """The move before is over: what it changed is known."""
        if self._open is not None:
            option, player, together, before = self._open
            self._mattering |= changed_zones(self.table, before, after)
            told = changes(self.table, before, after, self._deciding)
            self.moves.append(StoryMove(player, option, told, together, tuple(self._brought)))
            self._brought.clear()
        self._open = None

    # ---- what matters

    def describe_deal(self, first: tuple[Any, ...], is_first: bool = True) -> tuple[str, ...]:
        """What lies then in the places that the moves or the property speak of."""
        named = find_zones_told(self.table, self.failure)
        leak = self.failure.leak
        unseen = {place for _, place in leak.swapped} if leak is not None else set()
        found = (
            [message("player {player} starts", player=first[STARTER])] if self.table.players > 1 and is_first else []
        )
        last = self.failure.state.slots
        for slot, (room, name) in zone_slots(self.table).items():
            content = flatten_content(first[slot])
            is_told = slot in self._mattering or name in unseen or (id(room.declaration) in named and content)
            if not is_told:
                continue
            if name in unseen and len(content) > MOST_NAMES:
                told = [Names(one) for one, place in leak.swapped if place == name] if leak is not None else []
                found.append(describe_part(name, len(content), join_messages(told)))
            elif len(content) <= WHOLE:
                there = format_components(room.kinds.names, content, self._deciding) or message("empty")
                found.append(join_messages([Names(name), there], ": "))
            else:
                gone = [kind for kind in set(content) if flatten_content(last[slot]).count(kind) < content.count(kind)]
                there = format_components(room.kinds.names, sorted(gone), self._deciding)
                found.append(describe_part(name, len(content), there) if there else describe_amount(name, len(content)))
        return tuple(found)

    def find_fault_lines(self, lacks: tuple[Lack, ...]) -> tuple[Span, ...]:
        """The rule that is the cause first: a condition that refuses, whom a loop asks, then the statement itself."""
        found = [find_cause(self.culprit)] if self.culprit is not None else []
        if self.failure.diagnostic is not None:
            found.insert(0, self.failure.diagnostic.span)
        elif self.moves and not found:
            name = self.moves[-1].option.action
            found += [one.span for one in self.table.bench.actions if one.name.text == name]
        causes = [lack.span for lack in lacks if not lack.is_empty]
        causes += [body for span in causes for body in find_definitions_within(self.table.program, span)]
        if self.failure.diagnostic is not None and self.failure.diagnostic.code == "empty-choice":
            causes += find_skipping_conditions(self.table.program.game, self.failure.diagnostic.span)
        return tuple(dict.fromkeys((*causes[: MOST_RULES - len(found)], *found)))


def describe_part(name: str, amount: int, there: Message) -> Message:
    """Of a place with many components: how many, and which of them matter."""
    return message("{zone}: {amount} components, among them {some}", zone=Names(name), amount=amount, some=there)


def describe_amount(name: str, amount: int) -> Message:
    return message("{zone}: {amount} components", zone=Names(name), amount=amount)


def make_property_test(failure: Failure) -> Run | None:
    """Whether the property holds; None for what is no written property, or speaks of the position before."""
    judged = failure.judged
    if judged is None or judged.values_before:
        return None
    return negate_run(judged.code.run) if judged.declaration.word == "never" else judged.code.run


def negate_run(run: Run) -> Run:
    return lambda S: not run(S)


def find_zones_told(table: Table, failure: Failure) -> set[int]:
    """The zones that what failed speaks of: a property, points, what was asked for of a choice among nothing, of one
    that gives something away."""
    program, found = table.program, set[int]()
    if failure.judged is not None:
        found |= find_named_zones(program, [failure.judged.declaration.condition])
    if failure.kind.name == "undecided-tie":
        found |= find_named_zones(program, [*table.bench.scores, *table.bench.rankings])
    if failure.leak is not None:
        needs = [need for one in table.bench.actions for need in one.needs]
        return found | find_named_zones(program, [need for need in needs if need.span == failure.span])
    waits = [one for one in table.waits.values() if isinstance(one, DecisionWait) and one.node.span == failure.span]
    for offer in (offer for wait in waits for offer in wait.offers.values() if failure.kind.name == "empty-choice"):
        found |= find_named_zones(program, [*offer.action.action.choices, *offer.action.action.needs])
    return found


def tell_story(game: AnsweredGame, failure: Failure) -> Story:
    return StoryTeller(game, failure).make_story()


# ---- example
# A story as a worked example: takes a Story, gives the lines of an `example` that fails now and holds once the rule
# is mended.
#
# Whoever saves it runs it first: what cannot be said exactly is noticed there.


def format_example(story: Story, title: str, is_turn: bool) -> list[str]:
    """`is_turn`: the position is that at the beginning of the first turn; else that at the first decision."""
    lines = [f'example "{title}"']
    lines += [f"  {line}" for line in (*format_table(story), *format_position(story, is_turn), *format_moves(story))]
    if story.failure.judged is not None:
        lines.append(f"  then {format_expectation(story)}")
    return lines


def format_expectation(story: Story) -> str:
    """What holds always can be asked here; what is judged at its moment is spoken of by its title."""
    judged = story.failure.judged
    is_asked = judged is not None and judged.declaration.word in {"always", "never"}
    return format_condition(story) if is_asked else f'still "{story.failure.title}"'


def format_table(story: Story) -> Iterator[str]:
    table = story.game.table
    yield f"players {table.players}"
    for option in table.bench.options:
        shown = table.bench.option_values[id(option)]
        if shown != table.bench.constant_value(option.default):
            yield f"set {option.name.text} = {write_value(table.bench, option.type, shown)}"


def format_position(story: Story, is_turn: bool) -> Iterator[str]:
    """Everything that lies open or in a hand; what is in hidden piles comes as it is drawn."""
    table, S = story.game.table, story.first.slots
    wait = table.waits[S[PC]]
    if is_turn and not isinstance(wait, TogetherWait) and story.moves and story.moves[0].player:
        yield f"given turn of {S[PLAYER]}"
    for slot, (room, _) in zone_slots(table).items():
        content = flatten_content(S[slot])
        if content and room.declaration.visibility != "hidden":
            place = format_place(table, room, slot - room.base)
            yield f"given {place}: {', '.join(write_component(table.bench, room.kinds, kind) for kind in content)}"
    yield from format_chance(table, story)


def format_chance(table: Table, story: Story) -> Iterator[str]:
    """Numbers and markers that chance has set before the first choice."""
    S = story.first.slots
    seen: set[int] = set()
    for node, _ in story.dealt:
        room = find_changed_room(table.bench, node)
        if isinstance(room, VariableRoom) and id(room) not in seen:
            seen.add(id(room))
            for number in range(room.amount):
                place = format_place(table, room, number)
                yield f"given {place} = {write_value(table.bench, room.declaration.type, S[room.base + number])}"


def format_place(table: Table, room: ZoneRoom | VariableRoom, number: int) -> str:
    """`column[3] of 1`."""
    declaration = room.declaration
    owner, inner = divmod(number, room.per_player)
    found: list[str] = []
    for written, values in reversed(list(zip(declaration.keys, room.keys, strict=True))):
        inner, at = divmod(inner, len(values))
        found.insert(0, write_value(table.bench, written, list_values(table.bench, written)[at]))
    if isinstance(room, VariableRoom) and room.declaration.of_kind:
        component = found[0] if " " not in found[0] else f"({found[0]})"
        return f"{declaration.name.text} of {component}"
    name = declaration.name.text + (f"[{', '.join(found)}]" if found else "")
    return f"{name} of {owner + 1}" if declaration.per_player else name


def format_moves(story: Story) -> Iterator[str]:
    """The rule may be mended so that a move is not legal any more: then the example ends before it."""
    table = story.game.table
    for move in story.moves:
        brought = [text for node, one in move.brought if (text := format_outcome(table, node, one))]
        if brought:
            yield f"next: {', '.join(brought)}"
        yield format_move(table, move) + " if possible"


def format_move(table: Table, move: StoryMove) -> str:
    declared = next(one for one in table.bench.actions if one.name.text == move.option.action)
    parts = [
        write_argument(table.bench, choice, one)
        for choice, one in zip(declared.choices, move.option.key[1:], strict=True)
    ]
    who = str(move.player) if move.player else "team"
    return f"when {who}: {move.option.action}" + (f"({', '.join(parts)})" if parts else "")


def format_outcome(table: Table, node: Located, one: Any) -> str:
    wait = next((each for each in table.waits.values() if each.node is node), None)
    if isinstance(wait, DrawWait):
        return write_component(table.bench, wait.origin.kinds, one)
    room = find_changed_room(table.bench, node)
    return write_value(table.bench, room.declaration.type, one) if isinstance(room, VariableRoom) else str(one)


def format_condition(story: Story) -> str:
    """The words of the property; of `never`, the opposite."""
    judged = story.failure.judged
    assert judged is not None
    words = text_at(story.game.table, judged.declaration.condition.span)
    return f"not ({words})" if judged.declaration.word == "never" else words
