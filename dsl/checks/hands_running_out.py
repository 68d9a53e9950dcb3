"""Choices that are asked for more often than there is something to choose: four cards to lay, hands of three.

The first round is gone through once. Counted is how many components each player's zone can hold at most, less what
every choice surely takes. Only what is certain counts: loops of a known number, turns that everybody has, actions that
all take one component from the zone and put it elsewhere. Whatever else could fill the zone ends the search.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, list_called
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import NumberOf

MOST_REPETITIONS = 500
DEEPEST = 20


class _CannotFollow(Exception):
    """Something else may fill the zone, or the count cannot be followed further."""


def check_hands_running_out(reading: CheckedGame) -> Iterator[Diagnostic]:
    owned = [zone for zone in reading.pieces(ast.Zone) if zone.per_player and not zone.keys]
    for zone in owned:
        if any(zone is _action_source_zone(reading, action) for action in reading.pieces(ast.Action)):
            yield from _HandCounter(reading, zone).count_first_round()


@define(eq=False)
class _HandCounter:
    """At most how many components lie in the zone of each player, while the first round is gone through."""

    reading: CheckedGame
    zone: ast.Zone
    most: int = 0
    most_ever: int = 0
    asked: int = 0
    is_certain: bool = True  # whether what stands here surely happens
    is_own_turn: bool = False
    patience: int = 5_000  # statements
    depth: int = 0  # steps in steps
    reported: list[Diagnostic] = field(factory=list)

    def count_first_round(self) -> list[Diagnostic]:
        try:
            for setup in sorted(self.reading.pieces(ast.Setup), key=lambda setup: setup.each_round):
                if any(isinstance(node, ast.End) for node in self._reachable_nodes(setup.body)):
                    return []
                self._count_body(setup.body)
            for phase in self.reading.pieces(ast.Phase):
                self._count_phase(phase)
                if self.reported:
                    break
        except _CannotFollow:
            pass
        return self.reported

    def _count_phase(self, phase: ast.Phase) -> None:
        if phase.when is not None or any(isinstance(node, ast.End) for node in self._reachable_nodes(phase.body)):
            self._require_no_fill(phase.body)
        elif isinstance(phase.loop, ast.Turns):
            self._count_turns(phase.loop, phase.body)
        elif isinstance(phase.loop, ast.Repeat):
            self._count_repeat(phase.loop, phase.body)
        else:
            self._count_body(phase.body)

    def _reachable_nodes(self, body: tuple[ast.Statement, ...]) -> Iterator[ast.Node]:
        """All statements below, those of the actions and steps that they bring about included."""
        waiting: list[ast.Node] = list(body)
        seen: set[ast.Node] = set()
        while waiting:
            for node in walk(waiting.pop()):
                yield node
                if not isinstance(node, ast.Choose | ast.Do):
                    continue
                for called in list_called(node, self.reading.inferred):
                    if called not in seen:
                        seen.add(called)
                        waiting.extend(called.body)

    def _require_no_fill(self, body: tuple[ast.Statement, ...]) -> None:
        """What may happen or not: it must not fill the zone, and what it takes does not count."""
        if any(self._can_fill_zone(node) for node in self._reachable_nodes(body)):
            raise _CannotFollow

    def _can_fill_zone(self, node: ast.Node) -> bool:
        if not isinstance(node, ast.Statement):
            return False
        done = footprint_of(node)
        return any(self._is_or_hides_zone(place) for place in (*done.puts, *done.mixes))

    def _is_or_hides_zone(self, target: ast.Expr) -> bool:
        """Whether this is the zone, or may be without our seeing it."""
        zone = self.reading.find_zone(target)
        return zone is None or zone is self.zone

    def _count_body(self, body: tuple[ast.Statement, ...]) -> None:
        for statement in body:
            self._count_statement(statement)
            if self.reported:
                return

    def _count_statement(self, statement: ast.Statement) -> None:
        self.patience -= 1
        if self.patience < 0 or self.depth > DEEPEST:
            raise _CannotFollow  # steps that do steps that do steps, or themselves
        match statement:
            case ast.Turns():
                self._count_turns(statement, statement.body)
            case ast.Repeat():
                self._count_repeat(statement, statement.body)
            case ast.EachPlayer(start=None, condition=None, body=body):
                self._count_each_player(body)
            case ast.Deal(count=count, each=each, target=target) if self.reading.find_zone(target) is self.zone:
                if not isinstance(target, ast.Name) or each == self.is_own_turn:
                    raise _CannotFollow  # to somebody's alone, or to everybody's in each turn
                self.most += self._require_bounds(count).high
                self.most_ever = max(self.most_ever, self.most)
            case ast.Choose(who="player") if self.is_own_turn:
                self._count_choice(statement)
            case ast.Choose(who="all", condition=None) if not self.is_own_turn:
                self._count_choice(statement)
            case ast.Do(step=step) if isinstance(called := self.reading.meaning(step), ast.Step):
                self.depth += 1
                self._count_body(called.body)
                self.depth -= 1
            case _:
                self._require_no_fill((statement,))

    def _count_turns(self, loop: ast.Turns, body: tuple[ast.Statement, ...]) -> None:
        if loop.once and loop.excluded is None and loop.skipping is None and loop.until is None:
            self._count_each_player(body)
        else:
            self._require_no_fill(body)

    def _count_each_player(self, body: tuple[ast.Statement, ...]) -> None:
        if self.is_own_turn:  # turns inside turns
            self._require_no_fill(body)
            return
        self.is_own_turn = True
        self._count_body(body)
        self.is_own_turn = False

    def _count_repeat(self, loop: ast.Repeat, body: tuple[ast.Statement, ...]) -> None:
        if loop.times is None:
            self._require_no_fill(body)
            return
        times, before = self._require_bounds(loop.times), self.most
        if times.high > MOST_REPETITIONS:
            raise _CannotFollow
        for _ in range(times.low):
            self._count_body(body)
            if self.reported:
                return
        if times.high > times.low and (self.most > before or times.low <= 0):
            self._require_no_fill(body)

    def _count_choice(self, choose: ast.Choose) -> None:
        actions = [meaning for name in choose.actions if isinstance(meaning := self.reading.meaning(name), ast.Action)]
        takes = all(_action_source_zone(self.reading, action) is self.zone for action in actions)
        if not takes or len(actions) < len(choose.actions) or choose.if_possible or choose.otherwise is not None:
            self._require_no_fill((choose,))
            return
        self.asked += 1
        if self.most < 1:
            self._report_empty_zone(choose, actions)
            return
        if not all(_is_giving_away(self.reading, action, self.zone) for action in actions):
            raise _CannotFollow
        self.most -= 1

    def _report_empty_zone(self, choose: ast.Choose, actions: list[ast.Action]) -> None:
        names = " or ".join(f"`{action.name.text}`" for action in actions)
        zone = self.zone.name.text
        self.reported.append(Diagnostic(
            "choice-runs-out",
            message(
                "by the {ordinal} time {names} is chosen, `{zone}` is empty: it never gets more than {most_ever}",
                names=names, ordinal=_format_ordinal(self.asked), zone=zone, most_ever=self.most_ever),
            choose.span, message("deal more, offer the choice less often, or add `if possible`"), "warning",
        ))  # fmt: skip

    def _require_bounds(self, number: ast.Expr) -> NumberOf:
        bounds = self.reading.facts.bounds(number)
        if bounds is None:
            raise _CannotFollow
        return bounds


def _format_ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number % 100 not in (11, 12, 13) else 0, "th")
    return f"{number}{ending}"


def _action_source_zone(reading: CheckedGame, action: ast.Action) -> ast.Zone | None:
    """The own zone that one component is chosen from, whatever else is chosen."""
    zones = (_choice_source_zone(reading, choice) for choice in action.choices)
    return next((zone for zone in zones if zone is not None), None)


def _choice_source_zone(reading: CheckedGame, choice: ast.Choice) -> ast.Zone | None:
    domain = choice.domain
    while isinstance(domain, ast.Filter):
        domain = domain.collection
    if choice.word != "from" or choice.count is not None or not isinstance(domain, ast.Name):
        return None
    meaning = reading.meaning(domain)
    return meaning if isinstance(meaning, ast.Zone) else None


def _is_giving_away(reading: CheckedGame, action: ast.Action, zone: ast.Zone) -> bool:
    """Whether the action surely moves the chosen component out of the zone, and brings nothing into it."""
    chosen = {choice.name.text for choice in action.choices if _choice_source_zone(reading, choice) is zone}
    gone = False
    for statement in action.body:
        match statement:
            case ast.Move(all=False, what=ast.Name(text=name), target=target) if name in chosen:
                other = reading.find_zone(target)
                if other is None or other is zone:
                    return False
                gone = True
            case ast.Becomes() | ast.Increases() | ast.Show() | ast.Record() | ast.CountPoints() | ast.Roll():
                pass
            case ast.Move(target=target) | ast.Deal(target=target):
                other = reading.find_zone(target)
                if other is None or other is zone:
                    return False
            case _:
                return False
    return gone
