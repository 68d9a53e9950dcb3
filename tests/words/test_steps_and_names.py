"""`let x = …` and steps that are told something."""

from __future__ import annotations

import pytest

from rulesrun.dsl.contents.rule_parts import find_parts
from rulesrun.dsl.text.messages import message
from rulesrun.interpreter.secrecy.information_flow import flows_of
from tests.words.twins import assert_alike, errors_of, is_laid_out, program_of, table_of, warnings_of

HEAD = """rules 1
game "Made"
players 2

values Colour: red, blue
card Card: colour Colour, rank 1..2, 2 of each

zone stock: pile of Card, hidden
zone line: row of Card, public
zone heap: pile of Card, public
zone hand of player: set of Card, private

number n: 0..99
number chips of player: 0..20 = 5

setup
  shuffle all Card into stock
  deal 1 from stock to each hand
  draw 2 from stock to line

phase play: turns from starter until every p in players has hand of p is empty
  choose lay or wait

score at end
  points = chips

ranking: highest total, ties share
"""
SHORT = HEAD + """
action lay(c from hand)
  let rank_of_last = rank of last of line
  let last_one = last of line
  move c to line
  do put_away(last_one, rank_of_last)
  do pay(left of player, 2)

action wait(c from hand)
  let lower = line where rank < rank of c
  move c to heap
  n increases by count of lower
  do pay(player, 1)
  do put_away(first of line, n)

step pay(to player, amount 0..5)
  chips decreases by amount
  chips of to increases by amount
  if to is not player
    do note(amount)

step note(c 0..99)
  n becomes c

step put_away(c Card, n_now 0..99)
  move c to heap
  do note(smallest(9, n_now + rank of c))
"""
LONG = HEAD + """
action lay(c from hand)
  each rank_of_last in {rank of last of line}
    each last_one in (line where position(it, line) = count of line)
      move c to line
      move last_one to heap
      n becomes smallest(9, rank_of_last + rank of last_one)
      chips decreases by 2
      chips of left of player increases by 2
      if left of player is not player
        n becomes 2

action wait(c from hand)
  each lower in {count of (line where rank < rank of c)}
    move c to heap
    n increases by lower
  chips decreases by 1
  chips increases by 1
  each n_now in {n}
    each first_one in (line where position(it, line) = 1)
      move first_one to heap
      n becomes smallest(9, n_now + rank of first_one)
"""


def test_the_same_game_said_without_them_has_the_same_tree() -> None:
    assert_alike(SHORT, LONG)


def test_they_are_laid_out_as_they_are_written() -> None:
    assert is_laid_out(SHORT)


def test_nothing_is_new_to_proofs() -> None:
    """`put_away` lays `c` open: no more is told of it than where the same is written out."""
    short, long = (flows_of(table_of(text)).disclosures for text in (SHORT, LONG))
    assert {one.how for one in short} <= {one.how for one in long}


def test_what_a_step_is_told_is_worked_out_where_it_is_done() -> None:
    """Names of the place are no names of the step, and the other way round: they change places."""
    swapped = HEAD + """
action lay(c from hand)
  let a = 1
  let b = 2
  move c to heap
  do both(b, a)

action wait(c from hand)
  move c to heap
  n becomes 12

step both(a 1..2, b 1..2)
  n becomes 10 * a + b

after lay "the first is the second": n = 21
"""
    old = swapped.replace("do both(b, a)", "n becomes 20 + a + b - 2")
    assert_alike(swapped, old[: old.index("step both")] + old[old.index("after lay") :])


def test_a_choice_of_the_same_name_stays_outside() -> None:
    text = HEAD + """
action lay(colour from hand)
  move colour to heap
  do note(2)

action wait(c from hand)
  move c to heap

step note(most 1..2)
  n becomes count of (heap where colour = red and rank <= most)

always "red cards alone": n <= 4
"""
    old = text.replace("do note(2)", "do note_2").replace("step note(most 1..2)", "step note_2")
    assert_alike(text, old.replace(" and rank <= most", ""))


def test_a_line_of_a_step_is_one_part_of_the_rules() -> None:
    """Spelled out at three places, it stands once in the file."""
    spans = [part.span for part in find_parts(program_of(SHORT)) if part.what == "statement"]
    assert len(spans) == len(set(spans))
    whole = SHORT.replace("    do note(amount)", "    n becomes amount")
    told = [part for part in find_parts(program_of(whole)) if whole[part.span.start :].startswith("chips of to")]
    assert [len(part.nodes) for part in told] == [2]


@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        ("do pay(player, 1)", "do pay(player)", "wrong-number-of-arguments", "takes 2 arguments, found 1"),
        ("do pay(player, 1)", "do pay", "wrong-number-of-arguments", "takes 2 arguments, found 0"),
        ("do pay(player, 1)", "do pay(1, player)", "wrong-type", "expected a number"),
        ("do pay(player, 1)", "do pay(player, 7)", "leaves-range", "`amount` of `pay` must be in 0..5; this never is"),
        ("do pay(player, 1)", "do pays(player, 1)", "unknown-step", "there is no step `pays`"),
        ("do pay(player, 1)", "do lay(player, 1)", "unknown-step", "there is no step `lay`"),
        ("    do note(amount)", "    do pay(to, amount)", "recursive-definition", "`pay` does itself again"),
        ("n_now 0..99)", "n_now Shade)", "unknown-type", "Shade"),
        ("n_now 0..99)", "c 0..99)", "duplicate-name", "`c`"),
        ("  let rank_of_last =", "  let rank_of_last be", "wrong-sign", "a name must come before `=`"),
        ("do note(smallest(9, n_now + rank of c))", "let z = c", "empty-body", "no line follows"),
        ("move c to heap\n  do note", "move card to heap\n  do note", "unknown-name", "card"),
        ("  let last_one =", "  last_one =", "", ""),
        ("  let last_one =", "  var last_one =", "unknown-statement", "no statement begins so"),
    ],
)
def test_slips(old: str, new: str, code: str, told: str) -> None:
    assert old in SHORT
    found = errors_of(SHORT.replace(old, new, 1))
    assert not code or any(one.code == code for one in found), found
    assert any(told in message(one.message) for one in found), found


def test_a_step_without_parameters_takes_nothing() -> None:
    text = HEAD + """
action lay(c from hand)
  move c to heap
  do stop(1)

action wait(c from hand)
  move c to line

step stop
  n increases by 1
"""
    (found,) = errors_of(text)
    assert (found.code, found.message) == ("wrong-number-of-arguments", "the step `stop` takes nothing in brackets")
    assert [one.text for one in found.edits] == ["do stop"]


def test_what_is_never_used_is_told() -> None:
    text = SHORT.replace("move c to heap\n  do note", "do note")
    text = text.replace("  chips of to increases by amount\n  if to is not player\n", "  if amount > 0\n")
    assert warnings_of(text) == ["`to` of `pay` is never used"]
    unused = SHORT.replace("do put_away(last_one, rank_of_last)", "do put_away(last_one, 1)")
    assert warnings_of(unused) == ["`rank_of_last` is never used"]


def test_old_files_may_call_something_let() -> None:
    text = HEAD.replace("number n: 0..99", "number let: 0..99") + """
action lay(c from hand)
  let becomes rank of c
  move c to heap

action wait(c from hand)
  let increases by 1
  move c to line
"""
    program_of(text)


@pytest.mark.parametrize(("steps", "indents", "codes"), [
    (20, 1, []), (21, 1, ["too-deep"]), (1_500, 1, ["too-deep"]), (19, 10, ["too-deep"]),
])
def test_steps_inside_steps_go_only_so_deep(steps: int, indents: int, codes: list[str]) -> None:
    """Written out, a chain of steps is nested lines: as deep as a reader can follow, never as deep as Python goes."""
    chain = []
    for number in range(steps):
        chain.append(f"step s{number}(k 0..9)")
        chain.extend("  " * depth + "if k = 0" for depth in range(1, indents))
        chain.append("  " * indents + (f"do s{number + 1}(k)" if number < steps - 1 else "n becomes k") + "\n")
    text = HEAD + "\naction lay(c from hand)\n  move c to heap\n\naction wait\n  do s0(1)\n\n" + "\n".join(chain)
    assert [one.code for one in errors_of(text)] == codes
