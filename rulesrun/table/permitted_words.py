"""What a seat may be told of why something is so: only what is worked out from what it sees.

A reason that looks at a hidden card would tell the card, be it by its words or by coming before another reason. So a
condition counts here only when all that it reads lies open to the seat; what the rules say (`because`, the line
itself) is everybody's knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import children
from rulesrun.dsl.flow.mentions import nodes_behind_meaning
from rulesrun.dsl.text.source import Span
from rulesrun.dsl.typing.program import BuiltinMeaning
from rulesrun.interpreter.model.values import PLAYER, Fault, Slots, State
from rulesrun.interpreter.play.refusals import text_at
from rulesrun.interpreter.play.step import argument_to_external
from rulesrun.interpreter.reference.options import CompiledAction, CompiledChoice
from rulesrun.interpreter.reference.table import Table
from rulesrun.interpreter.stories.reasons import comparable_text, is_true, list_chooses

DEEPEST = 40


@define(eq=False)
class OpenExpressions:
    """Which expressions of the rules read nothing that is hidden from whom they are asked of."""

    table: Table
    _known: dict[tuple[int, bool], bool] = field(init=False, factory=dict)

    def is_open(self, node: ast.Node, is_own: bool) -> bool:
        """`is_own`: it is worked out for the seat itself, so that its own places lie open."""
        key = id(node), is_own
        if key not in self._known:
            self._known[key] = False  # what comes back to itself
            self._known[key] = self._reads_open_things(node, is_own)
        return self._known[key]

    def _reads_open_things(self, node: ast.Node, is_own: bool) -> bool:
        match node:
            case ast.Before():
                return False
            case ast.Can(action=action):
                meant = next(one for one in self.table.bench.actions if one.name.text == action.text)
                asked = (*(one.domain for one in meant.choices), *(one.condition for one in meant.needs))
                return all(self.is_open(part, is_own) for part in asked)
            case ast.Name():
                return self._is_open_name(node, is_own)
            case ast.Of(subject, owner):
                if self.table.bench.is_word(subject, "count") and self._is_bare_zone(owner):
                    return True
                is_someones = isinstance(subject, ast.Name | ast.Index | ast.Call) and not isinstance(
                    self.table.bench.meaning(subject if isinstance(subject, ast.Name) else subject.name),
                    BuiltinMeaning,
                )
                return self.is_open(owner, is_own) and self.is_open(subject, is_own and not is_someones)
            case ast.IsEmpty():
                inner = tuple(children(node))
                if len(inner) == 1 and self._is_bare_zone(inner[0]):
                    return True
        return all(self.is_open(part, is_own) for part in children(node))

    def _is_open_name(self, node: ast.Name, is_own: bool) -> bool:
        meaning = self.table.bench.meaning(node)
        match meaning:
            case ast.Zone(visibility=visibility, per_player=per_player) | ast.Variable(
                visibility=visibility, per_player=per_player
            ):
                return visibility in {None, "public"} or (visibility == "private" and per_player and is_own)
            case ast.Memory():
                return False
            case None:
                return True
            case _:
                return all(self.is_open(part, is_own) for part in nodes_behind_meaning(meaning))

    def _is_bare_zone(self, node: ast.Node) -> bool:
        """How many lie there is seen by all."""
        if isinstance(node, ast.Of):
            return self._is_bare_zone(node.subject) and self.is_open(node.owner, False)
        if isinstance(node, ast.Index):
            return self._is_bare_zone(node.name) and all(self.is_open(key, False) for key in node.keys)
        return isinstance(node, ast.Name) and isinstance(self.table.bench.meaning(node), ast.Zone)


@frozen
class Reason:
    """`key` and `values`: the sentence; `because`: the author's own words in its place; `span`: the rule."""

    key: str
    values: Mapping[str, Any] = field(factory=dict)
    because: str | None = None
    span: Span | None = None


def find_open_reason(
    table: Table, open_parts: OpenExpressions, state: State, seat: int, action: str, arguments: Mapping[str, Any],
    offered: frozenset[str] = frozenset(),
) -> Reason:
    """Why this is not among the options of a seat that is asked, by what the seat itself can see. `offered`: actions
    that it may choose."""
    actions = {one.name.text: one for one in table.bench.actions}
    declared = actions.get(action)
    if declared is None:
        return Reason("no-such-action", {"action": action, "actions": ", ".join(actions)})
    elsewhere = find_other_offer(table, action, offered)
    if elsewhere is not None:
        return Reason("not-offered", span=elsewhere)
    S = table.to_slots(state)
    if seat:  # what is one's own is nobody's where the team is asked
        S[PLAYER] = seat
    ready = table.actions.compiled_action(declared)
    is_own = bool(seat) and not ready.rebinds_player
    found = _find_wrong_choice(table, open_parts, S, (ready, is_own), arguments)
    found = found or _find_failed_need(open_parts, S, ready, is_own)
    if found is None or found.key == "not-offered":
        key = "not-possible" if is_asked_for(table, action, offered) else "not-offered"
        return Reason(key, span=find_offer(table, declared))
    return found


def find_offer(table: Table, action: ast.Action) -> Span:
    """Where the rules offer it at all: that is the same whatever lies where."""
    return next((span for span, names in list_offers(table) if action.name.text in names), action.span)


def find_other_offer(table: Table, action: str, offered: frozenset[str]) -> Span | None:
    """The first place that may have asked for what is offered, where none of these asks for this action. It follows
    from what the seat is offered, not from where the game is."""
    fitting = [(span, names) for span, names in list_offers(table) if offered <= names] if offered else []
    if not fitting or any(action in names for _, names in fitting):
        return None
    return fitting[0][0]


def is_asked_for(table: Table, action: str, offered: frozenset[str]) -> bool:
    """Whether every place that may have asked for what is offered asks for this action, too."""
    fitting = [names for _, names in list_offers(table) if offered and offered <= names]
    return bool(fitting) and all(action in names for names in fitting)


def list_offers(table: Table) -> Iterator[tuple[Span, frozenset[str]]]:
    """Every `choose` of the rules, with its actions."""
    for choose, _ in list_chooses(table):
        yield choose.span, frozenset(name.text for name in choose.actions)


def _find_wrong_choice(
    table: Table, open_parts: OpenExpressions, S: Slots, of: tuple[CompiledAction, bool], arguments: Mapping[str, Any]
) -> Reason | None:
    ready, is_own = of
    names = [choice.choice.name.text for choice in ready.choices]
    action = ready.action.name.text
    unknown = [name for name in arguments if name not in names]
    if unknown:
        return Reason("no-such-choice", {"action": action, "choice": unknown[0]}, span=ready.action.span)
    for choice, name in zip(ready.choices, names, strict=True):
        is_open = open_parts.is_open(choice.choice.domain, is_own)
        if name not in arguments:
            if is_open and _is_empty(choice, S):
                rule = text_at(table, choice.choice.span)
                return Reason("choice-is-empty", {"choice": name, "rule": rule}, span=choice.choice.span)
            return Reason("choice-is-missing", {"action": action, "choice": name}, span=choice.choice.span)
        if not is_open:
            return Reason("not-offered", span=find_offer(table, ready.action))
        wanted = comparable_text(arguments[name])
        try:
            possible = choice.values(S)
        except (Fault, TypeError):
            return Reason("not-offered", span=find_offer(table, ready.action))
        for value in possible:
            if comparable_text(argument_to_external(table, choice.choice, value)) == wanted:
                S[choice.slot] = value
                if choice.locate is not None:
                    choice.locate(S, value)
                if choice.is_player:
                    S[PLAYER] = value
                break
        else:
            rule = text_at(table, choice.choice.span)
            told = {"choice": name, "value": arguments[name], "rule": rule}
            return Reason("choice-is-impossible", told, span=choice.choice.span)
    return None


def _is_empty(choice: CompiledChoice, S: Slots) -> bool:
    try:
        return not choice.values(S)
    except (Fault, TypeError):
        return False


def _find_failed_need(
    open_parts: OpenExpressions, S: Slots, ready: CompiledAction, is_own: bool
) -> Reason | None:
    for _level, need, code in ready.needs:
        if open_parts.is_open(need.condition, is_own) and not is_true(S, code):
            words = need.because or text_at(open_parts.table, need.condition.span)
            return Reason("because", because=words, span=need.span)
    return None
