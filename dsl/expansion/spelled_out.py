"""All that is spelled out, in order: what one spells out may hold what the next one does."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.expansion.dice import spell_out_dice
from rulesrun.dsl.expansion.effects import spell_out_effects
from rulesrun.dsl.expansion.kept_values import spell_out_kept_values
from rulesrun.dsl.expansion.looking import spell_out_looking
from rulesrun.dsl.expansion.opponents import spell_out_opponent
from rulesrun.dsl.expansion.reactions import spell_out_reactions
from rulesrun.dsl.expansion.step_calls import spell_out_steps
from rulesrun.dsl.expansion.teams import spell_out_teams
from rulesrun.dsl.expansion.values_alone import spell_out_values_alone
from rulesrun.dsl.expansion.winning import spell_out_winning


def spell_out(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nothing is written short."""
    with_results, of_results = spell_out_winning(game)
    with_values, of_values = spell_out_kept_values(spell_out_opponent(with_results))
    with_teams, of_teams = spell_out_teams(spell_out_reactions(spell_out_values_alone(with_values)))
    with_dice, of_dice = spell_out_dice(with_teams)
    with_looking, of_looking = spell_out_looking(with_dice)
    with_effects, of_effects = spell_out_effects(with_looking)
    with_steps, of_steps = spell_out_steps(with_effects)
    return with_steps, [*of_results, *of_values, *of_teams, *of_dice, *of_looking, *of_effects, *of_steps]
