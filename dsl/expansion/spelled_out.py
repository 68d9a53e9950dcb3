"""All that is spelled out, in order: what one spells out may hold what the next one does."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.expansion.boards import spell_out_ahead, spell_out_board_moves
from rulesrun.dsl.expansion.dice import spell_out_dice
from rulesrun.dsl.expansion.effects import spell_out_effects, spell_out_kept_values
from rulesrun.dsl.expansion.looking import spell_out_looking, spell_out_reactions
from rulesrun.dsl.expansion.step_calls import spell_out_steps, spell_out_values_alone
from rulesrun.dsl.expansion.teams import spell_out_teams
from rulesrun.dsl.expansion.turn_limits import spell_out_turn_limits
from rulesrun.dsl.expansion.winning import spell_out_opponent, spell_out_winning


def spell_out(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nothing is written short."""
    with_limits, of_limits = spell_out_turn_limits(game)
    with_results, of_results = spell_out_winning(with_limits)
    with_ahead, of_ahead = spell_out_ahead(with_results)
    with_moves, of_moves = spell_out_board_moves(with_ahead)
    with_values, of_values = spell_out_kept_values(spell_out_opponent(with_moves))
    with_teams, of_teams = spell_out_teams(spell_out_reactions(spell_out_values_alone(with_values)))
    with_dice, of_dice = spell_out_dice(with_teams)
    with_looking, of_looking = spell_out_looking(with_dice)
    with_effects, of_effects = spell_out_effects(with_looking)
    with_steps, of_steps = spell_out_steps(with_effects)
    of_boards = [*of_limits, *of_ahead, *of_moves]
    return with_steps, [*of_results, *of_boards, *of_values, *of_teams, *of_dice, *of_looking, *of_effects, *of_steps]
