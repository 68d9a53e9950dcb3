"""Trees and tables for Gambit: read by a reader of our own and, where it is installed, by Gambit, which solves them."""

from __future__ import annotations

import io
import random
import re
from fractions import Fraction
from typing import Any

import pytest

import rulesrun
from rulesrun.bridges.gambit import write_game
from tests.bridges.linear_program import solve_by_program
from tests.command_line import run_here

MADE_UP = """
rules 1
game "Made up"
players 2
option worths: row of -9..9 up to 18 = {{{worths}}}
number die: 1..2 = 1
number a: 0..3 = 0{hidden}
number b: 0..3 = 0{hidden}
setup
  roll die
phase naming: {flow}
  {choose}
action name(n in 1..3){secret}
  if player = 1
    a becomes n
  otherwise
    b becomes n
define worth = item (9 * (die - 1) + 3 * (a - 1) + b) of worths
score at end
  chips = if player = 1 then worth else -worth
ranking: highest total, ties share
"""


def make_up(seed: int, is_open: bool) -> str:
    chance = random.Random(seed)
    worths = ", ".join(str(chance.randint(-9, 9)) for _ in range(18))
    flow, choose = ("one turn each from 1", "choose name") if is_open else ("repeat until a > 0", "all choose name")
    return MADE_UP.format(worths=worths, hidden="", flow=flow, choose=choose, secret="")


# ---- a reader of our own


Node = tuple[str, int, Any]  # c, p or t; whose; what follows
TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|([{}])|([^\s{},]+)')


def read_lines(text: str) -> list[list[str]]:
    return [[one[0] or one[1] or one[2] for one in TOKEN.findall(line)] for line in text.splitlines()[3:] if line]


def read_tree(text: str) -> Node:
    lines = iter(read_lines(text))
    assert text.startswith('EFG 2 R "')

    def node() -> Node:
        parts = next(lines)
        inner = parts[parts.index("{") + 1 : parts.index("}")]
        if parts[0] == "t":
            return "t", 0, tuple(Fraction(one) for one in inner)
        if parts[0] == "c":
            odds = [Fraction(one) for one in inner[1::2]]
            assert sum(odds) == 1
            assert len(set(inner[::2])) == len(inner) // 2
            return "c", int(parts[2]), [(one, node()) for one in odds]
        assert len(set(inner)) == len(inner)
        return "p", int(parts[2]) * 1000 + int(parts[3]), [(name, node()) for name in inner]

    root = node()
    assert next(lines, None) is None
    return root


def count_nodes(node: Node) -> tuple[int, set[int]]:
    """Ends, and information sets of players."""
    kind, whose, following = node
    if kind == "t":
        return 1, set()
    counted = [count_nodes(one) for _, one in following]
    own = {whose} if kind == "p" else set()
    return sum(ends for ends, _ in counted), own.union(*(sets for _, sets in counted))


def best_worth(node: Node) -> tuple[Fraction, ...]:
    """Backward induction, where nothing is hidden."""
    kind, whose, following = node
    if kind == "t":
        found: tuple[Fraction, ...] = following
        return found
    worths = [(one, best_worth(child)) for one, child in following]
    if kind == "c":
        return tuple(sum((odds * worth[at] for odds, worth in worths), Fraction(0)) for at in range(2))
    return max((worth for _, worth in worths), key=lambda worth: worth[whose // 1000 - 1])


@pytest.mark.parametrize(("name", "players"), [("classics/kuhn", 2), ("classics/kuhn", 3), ("classics/leduc", 2)])
def test_the_tree_is_as_large_as_the_rules_make_it(name: str, players: int) -> None:
    tree = rulesrun.load(name).tree(players=players).to_json()
    ends, sets = count_nodes(read_tree(write_game(name, players)))
    assert ends == tree["terminals"]
    assert len(sets) == sum(tree["information_sets"].values())


@pytest.mark.parametrize("seed", range(10))
def test_open_games_are_worth_what_solving_says(seed: int) -> None:
    rules = rulesrun.loads(make_up(seed, True))
    assert best_worth(read_tree(write_game(rules)))[0] == rules.solve().findings.answer.values[0]


def test_every_payoff_of_the_table_is_exact() -> None:
    """Rock-paper-scissors, by hand; the first player's signs change fastest."""
    lines = write_game("classics/rock_paper_scissors", form="nfg").splitlines()
    assert lines[0] == 'NFG 1 R "Rock-paper-scissors" { "player 1" "player 2" }'
    assert lines[3:5] == ['  { "throw(rock)" "throw(paper)" "throw(scissors)" }'] * 2
    assert lines[-9:] == ["0 0", "1 -1", "-1 1", "-1 1", "0 0", "1 -1", "1 -1", "-1 1", "0 0"]


def test_labels_say_what_a_player_sees() -> None:
    text = write_game("classics/kuhn")
    assert 'p "" 2 3 "hand[2] 3, 1 chose pass" { "pass" "bet" } 0' in text
    assert 'c "" 1 "draw from deck to hand[1]" { "1" 1/3 "2" 1/3 "3" 1/3 } 0' in text
    labels = re.findall(r'^p "" (\d+) (\d+) "([^"]*)"', text, re.MULTILINE)
    assert len({(player, label) for player, _, label in labels}) == len({(player, at) for player, at, _ in labels})


def test_what_has_no_tree_is_refused_with_a_reason() -> None:
    with pytest.raises(ValueError, match="too large"):
        write_game("zero", 2, limit=1_000)
    with pytest.raises(ValueError, match="the team decides"):
        write_game("the_game", 2)
    with pytest.raises(ValueError, match="too many strategies"):
        write_game("classics/leduc", form="nfg")


def test_the_command_writes_what_the_library_writes(tmp_path: Any) -> None:
    done = run_here("export", "classics/kuhn", "--players", "2", "--format", "efg", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, write_game("classics/kuhn"))
    file = tmp_path / "kuhn.nfg"
    into_file = run_here("export", "classics/kuhn", "--players", "2", f"--format=nfg={file}", folder=tmp_path)
    assert into_file.returncode == 0
    assert file.read_text("utf-8") == write_game("classics/kuhn", form="nfg")
    wrong = run_here("export", "classics/kuhn", "--format", "sarif", folder=tmp_path)
    assert wrong.returncode == 2
    assert "`efg` or `nfg`" in wrong.stderr


# ---- Gambit itself


def solve_by_gambit(text: str, is_exact: bool = True) -> Fraction:
    gambit = pytest.importorskip("pygambit", "17.0.0b1")
    game = gambit.read_nfg(io.StringIO(text)) if text.startswith("NFG") else gambit.read_efg(io.StringIO(text))
    if not text.startswith("NFG"):
        assert game.is_perfect_recall
    return Fraction(str(gambit.nash.lp_solve(game, rational=is_exact).equilibrium.payoffs["player 1"]))


def solved_exactly(rules: rulesrun.Rulebook) -> Fraction:
    value = rules.solve(players=2, within=0.1).findings.answer.exact_value
    assert isinstance(value, Fraction)
    return value


def test_gambit_and_solving_find_the_known_values() -> None:
    for name, value in (("classics/kuhn", Fraction(-1, 18)), ("classics/rock_paper_scissors", Fraction(0))):
        rules = rulesrun.load(name)
        assert solve_by_gambit(write_game(rules)) == solve_by_gambit(write_game(rules, form="nfg")) == value
        assert solved_exactly(rules) == value


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "hidden"])
def test_gambit_and_solving_agree_exactly(seed: int, is_open: bool) -> None:
    """Of the hidden ones the value is seldom a number that floats would hit: 127/126, 114/793."""
    rules = rulesrun.loads(make_up(seed, is_open))
    assert solve_by_gambit(write_game(rules)) == solved_exactly(rules)
    if not is_open:
        assert solve_by_gambit(write_game(rules, form="nfg")) == solved_exactly(rules)


@pytest.mark.parametrize("name", ["classics/kuhn", "classics/rock_paper_scissors"])
def test_a_linear_program_and_solving_agree(name: str) -> None:
    rules = rulesrun.load(name)
    assert solve_by_program(read_tree(write_game(rules, 2))) == pytest.approx(float(solved_exactly(rules)), abs=1e-9)


def reverse_choices(text: str) -> str:
    """The same game; each player's choices are listed the other way round."""
    head, lines = text.splitlines()[:3], iter(text.splitlines()[3:])

    def node() -> list[str]:
        line = next(lines)
        before, inner, behind = re.split("[{}]", line)
        names = re.findall('"[^"]*"', inner)  # an end has none
        following = [node() for _ in names]
        if line.startswith("p"):
            line, following = f"{before}{{ {' '.join(reversed(names))} }}{behind}", following[::-1]
        return [line, *(own for one in following for own in one)]

    return "\n".join([*head, *node()]) + "\n"


def test_choices_in_another_order_are_the_same_game() -> None:
    """Kuhn, with Gambit where it is."""
    text = write_game("classics/kuhn", 2)
    turned = reverse_choices(text)
    assert reverse_choices(turned) == text != turned
    assert count_nodes(read_tree(turned)) == count_nodes(read_tree(text))
    assert solve_by_gambit(turned) == Fraction(-1, 18)


@pytest.mark.long
def test_gambit_finds_the_value_of_leduc() -> None:
    """In floating point, and with the choices the other way round: in the written order `lp_solve` of 17.0.0b2 stops at
    -0.268, where its own measure of regret says 3.25."""
    gambit = pytest.importorskip("pygambit", "17.0.0b1")
    game = gambit.read_efg(io.StringIO(reverse_choices(write_game("classics/leduc", 2))))
    assert game.is_perfect_recall
    found = gambit.nash.lp_solve(game, rational=False).equilibrium
    assert float(found.max_regret()) < 1e-9
    value = float(found.payoffs["player 1"])
    assert value == pytest.approx(-0.0856064, abs=1e-7)  # Leduc's published value


@pytest.mark.long
def test_a_linear_program_and_solving_agree_on_leduc() -> None:
    rules = rulesrun.load("classics/leduc")
    value = solve_by_program(read_tree(write_game(rules, 2)))
    low, high = rules.solve(within=1e-6, seconds=900).findings.answer.between
    assert low - 1e-6 <= value <= high + 1e-6
    assert value == pytest.approx(-0.0856064, abs=1e-6)  # Leduc's published value
