"""What the checker looks for beyond names and types: one rule a module, each a function over a read game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from rulesrun.dsl import ast
from rulesrun.dsl.checks.asked_too_early import asked_too_early
from rulesrun.dsl.checks.certain_conditions import certain_conditions
from rulesrun.dsl.checks.doubles import doubles
from rulesrun.dsl.checks.elements_asked import elements_asked
from rulesrun.dsl.checks.empty_choices import empty_choices
from rulesrun.dsl.checks.hands_running_out import hands_running_out
from rulesrun.dsl.checks.hidden_tops import hidden_tops, unknown_places
from rulesrun.dsl.checks.identical_actions import identical_actions
from rulesrun.dsl.checks.known_labels import known_labels
from rulesrun.dsl.checks.never_legal import never_filled, never_legal
from rulesrun.dsl.checks.never_offered import never_offered
from rulesrun.dsl.checks.phases_left import never_left, never_reached
from rulesrun.dsl.checks.placed_components import enough_components, never_placed
from rulesrun.dsl.checks.ranges_left import ranges_left
from rulesrun.dsl.checks.ranking_said import ranking_said
from rulesrun.dsl.checks.recursion import recursion
from rulesrun.dsl.checks.secret_leaks import secret_leaks
from rulesrun.dsl.checks.shadowed_names import shadowed_names
from rulesrun.dsl.checks.turns_given import turns_given
from rulesrun.dsl.checks.turns_within_turns import turns_within_turns
from rulesrun.dsl.checks.unreachable import unreachable
from rulesrun.dsl.checks.unused_names import unused_names
from rulesrun.dsl.checks.visibility_said import visibility_said
from rulesrun.dsl.checks.whose_alone import whose_alone
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import Reading, read
from rulesrun.dsl.flow.control_flow import OutOfPatience
from rulesrun.dsl.typing.inference import Inferred
from rulesrun.dsl.typing.names import Names

Check = Callable[[Reading], Iterable[Diagnostic]]

ALWAYS: tuple[Check, ...] = (
    asked_too_early,
    shadowed_names,
    known_labels,
    visibility_said,
    certain_conditions,
    never_legal,
    ranges_left,
    never_reached,
    identical_actions,
    doubles,
    unreachable,
    ranking_said,
    enough_components,
    hidden_tops,
    secret_leaks,
)

# With an unknown name about, these would blame what is only misspelt.
WHEN_ALL_IS_KNOWN: tuple[Check, ...] = (
    unused_names,
    never_offered,
    never_filled,
    never_placed,
    never_left,
    elements_asked,
    empty_choices,
    hands_running_out,
    unknown_places,
    turns_given,
    turns_within_turns,
    whose_alone,
    recursion,
)


def run_checks(game: ast.Game, names: Names, inferred: Inferred) -> list[Diagnostic]:
    reading = read(game, names, inferred)
    is_known = not (names.diagnostics or inferred.diagnostics)
    checks = ALWAYS + WHEN_ALL_IS_KNOWN if is_known else ALWAYS
    found: list[Diagnostic] = []
    for check in checks:
        with suppress(OutOfPatience):
            found.extend(check(reading))
    return found
