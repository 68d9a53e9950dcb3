"""Some tables of the bundled rulebooks, with options that change the game; each compiled once for all tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from rulesrun.files.loading import read_rules
from rulesrun.interpreter.native.positions.positions import NativePositions, compile_positions
from rulesrun.interpreter.reference.table import Table, set_up_table

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("classics/tic_tac_toe", 2, {}),
    ("classics/kuhn", 2, {}), ("classics/kuhn", 3, {}),
    ("classics/leduc", 2, {}),
    ("classics/goofspiel", 2, {}), ("classics/goofspiel", 4, {"last_by_itself": "no"}),
    ("classics/goofspiel", 3, {"cards": 5, "prizes": "ascending"}),
    ("classics/pig", 2, {}), ("classics/pig", 4, {"die": 2, "target": 4, "length": 6}),
    ("classics/nim", 2, {}), ("classics/nim", 2, {"misere": "yes", "heaps": "{2, 3}"}),
    ("classics/rock_paper_scissors", 2, {"throws": 5}),
    ("zero", 2, {}), ("zero", 3, {"wrong_calls": "yes", "zero_when": "turn"}), ("zero", 5, {"first_game": "yes"}),
    ("variants/zero_three_passes", 3, {}), ("variants/zero_wrong_call_penalty", 4, {}),
    ("the_game", 1, {}), ("the_game", 4, {}), ("the_game", 3, {"fire": "yes", "expert": "yes"}),
    ("the_game", 2, {"stuck_when": "minimum", "expert_hand": "yes"}),
    ("tokens", 2, {}), ("tokens", 4, {"excess_back": "each_bonus"}), ("tokens", 3, {"matches": 2, "first": "seat"}),
    ("hourglass", 2, {}), ("hourglass", 5, {"two_decks": "yes", "second_deck_start": "first"}),
    ("hourglass", 4, {"discard_when": "all_started"}),
    ("collection", 2, {}), ("collection", 6, {"goals": "round"}),
    ("collection", 4, {"goals": "fixed", "fixed_letters": "different", "goal_count": "5"}),
]


@cache
def bundled(at: int) -> tuple[Table, NativePositions]:
    name, players, options = TABLES[at]
    rules = read_rules(name).program
    assert rules is not None
    made = set_up_table(rules, players, options)
    return made, compile_positions(made)
