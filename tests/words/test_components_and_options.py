"""How many there are of each is worked out; components without attributes; options by list."""

from __future__ import annotations

import pytest

from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import set_up_table
from tests.words.twins import assert_alike, errors_of, is_laid_out, program_of, table_of

HEAD = 'rules 1\ngame "Made"\nplayers 2\n\n'
SEEDS = HEAD + """token Seed: 12

zone supply: set of Seed, public
zone house[1..4]: set of Seed, public
zone store of player: set of Seed, public

setup
  move all Seed to supply
  each h in 1..4
    move h of supply to house[h]

phase play: turns from 1 until every h in 1..4 has house[h] is empty
  choose take

action take(h in 1..4)
  needs house[h] is not empty
  move 1 of house[h] to store
  if count of house[h] > 1
    move 1 of house[h] to supply

score at end
  points = count of store

ranking: highest total, ties share

example "seeds lie where they are said to lie"
  given turn of 2
  given house[4]: Seed, Seed
  given house[1]: nothing
  when 2: take(4)
  then house[4] = {Seed}
  then store of 2 = {Seed}
"""


def test_seeds_are_tokens_that_nothing_tells_apart() -> None:
    old = SEEDS.replace("token Seed: 12", "token Seed: number 1..1, 12 of each").replace("Seed, Seed", "1, 1")
    assert_alike(SEEDS, old.replace("{Seed}", "{1}"))
    assert is_laid_out(SEEDS)


@pytest.mark.parametrize(
    ("copies", "amounts"),
    [
        ("rank of each", (1, 2, 3, 4)),
        ("copies(rank) of each", (4, 2, 2, 1)),
        ("players of each", (2, 2, 2, 2)),
        ("(5 - rank) of each", (4, 3, 2, 1)),
        ("rank * rank of each", (1, 4, 9, 16)),
        ("2 * players of each", (4, 4, 4, 4)),
    ],
)
def test_copies_by_any_expression(copies: str, amounts: tuple[int, ...]) -> None:
    text = HEAD + f"""table copies(r 1..4): 1: 4, 4: 1, otherwise: 2
card Card: rank 1..4, {copies}
zone heap: set of Card, public
setup
  move all Card to heap
always "so many": copies(1) = 4 and count of heap >= 7
"""
    table = table_of(text)
    (kinds,) = table.bench.kinds.values()
    assert kinds.copies == amounts


def test_options_by_list() -> None:
    text = HEAD + """option games: 1, 3 or 5 = 3
rounds games
number n: 0..9
phase play
  n becomes games
score at end
  points = n
ranking: highest total, ties share
"""
    program = program_of(text)
    for games in (1, 3, 5):
        assert set_up_table(program, 2, {"games": games}).options == {"games": games}
    for games in (0, 2, 4, 6):
        with pytest.raises(RefusedTable) as caught:
            set_up_table(program, 2, {"games": games})
        (found,) = caught.value.diagnostics
        assert isinstance(found, Diagnostic)
        assert found.code == "wrong-option"
    (found,) = errors_of(text.replace("= 3", "= 2"))
    assert (found.code, found.message) == ("leaves-range", "this is not in 1, 3, 5")
