"""What the checker looks for beyond names and types: a subject a module, a function over a read game for each check."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from rulesrun.dsl import ast
from rulesrun.dsl.checks.asked_too_early import check_asked_too_early
from rulesrun.dsl.checks.certain_conditions import (
    check_certain_conditions,
    check_never_filled,
    check_never_legal,
    check_never_offered,
)
from rulesrun.dsl.checks.doubles import check_doubles
from rulesrun.dsl.checks.elements_asked import check_elements_asked
from rulesrun.dsl.checks.empty_choices import check_empty_choices
from rulesrun.dsl.checks.hands_running_out import check_hands_running_out
from rulesrun.dsl.checks.hidden_tops import check_hidden_tops, unknown_places
from rulesrun.dsl.checks.identical_actions import check_identical_actions
from rulesrun.dsl.checks.known_labels import check_known_labels, check_known_looks
from rulesrun.dsl.checks.phases_left import check_never_left, check_never_reached
from rulesrun.dsl.checks.placed_components import check_enough_components, check_never_placed
from rulesrun.dsl.checks.ranges_left import check_ranges_left
from rulesrun.dsl.checks.ranking_said import check_nothing_scored, check_ranking
from rulesrun.dsl.checks.recursion import check_recursion
from rulesrun.dsl.checks.secret_leaks import check_secret_leaks
from rulesrun.dsl.checks.turns import check_nested_turns, check_turns_given
from rulesrun.dsl.checks.unreachable import check_unreachable
from rulesrun.dsl.checks.unused_names import check_shadowed_names, check_unused_names
from rulesrun.dsl.checks.visibility_said import check_visibility
from rulesrun.dsl.checks.whose_alone import check_ownerless_names
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.flow.checked_game import CheckedGame, OutOfPatience, build_checked_game
from rulesrun.dsl.typing.inference import InferredTypes
from rulesrun.dsl.typing.names import DeclaredNames

Check = Callable[[CheckedGame], Iterable[Diagnostic]]

ALWAYS: tuple[Check, ...] = (
    check_asked_too_early,
    check_shadowed_names,
    check_known_labels,
    check_known_looks,
    check_visibility,
    check_certain_conditions,
    check_never_legal,
    check_ranges_left,
    check_never_reached,
    check_identical_actions,
    check_doubles,
    check_unreachable,
    check_ranking,
    check_enough_components,
    check_hidden_tops,
)

# With an unknown name about, a wrong type or a line that is refused, these would blame what is only misspelt.
WHEN_ALL_IS_KNOWN: tuple[Check, ...] = (
    check_unused_names,
    check_nothing_scored,
    check_never_offered,
    check_never_filled,
    check_never_placed,
    check_never_left,
    check_elements_asked,
    check_empty_choices,
    check_hands_running_out,
    unknown_places,
    check_turns_given,
    check_nested_turns,
    check_ownerless_names,
    check_recursion,
    check_secret_leaks,
)


def run_checks(
    game: ast.Game, names: DeclaredNames, inferred: InferredTypes, *, is_spelled_out: bool
) -> list[Diagnostic]:
    """`is_spelled_out`: no line was refused before anybody looked at its names."""
    reading = build_checked_game(game, names, inferred)
    is_known = is_spelled_out and not (names.diagnostics or inferred.diagnostics)
    checks = ALWAYS + WHEN_ALL_IS_KNOWN if is_known else ALWAYS
    found: list[Diagnostic] = []
    for check in checks:
        with suppress(OutOfPatience):
            found.extend(check(reading))
    return found
