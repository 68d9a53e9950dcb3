"""Every construct in every room: a small rulebook for each construct, a test for each thing that the tool does with it.

The rows are the files of `rulebooks/`. Each declares `can happen`, an example and `words ru`, and is small enough to be
explored whole. A new construct gets a file there, and its line in `CHANGES`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from attrs import asdict

pytest.importorskip("llvmlite")

import rulesrun
from rulesrun.files.loading import read_text
from rulesrun.interpreter.native.tree.counting import count_tree_natively
from rulesrun.interpreter.native.tree.levels import compile_tree_positions
from rulesrun.interpreter.play.game_tree import count_tree
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.services.tables import allowed_players
from tests.command_line import run_here
from tests.editing.test_completion import count_found_in
from tests.messages.test_spoken import assert_spoken
from tests.native.both import differences, quick_engine

RULEBOOKS = sorted((Path(__file__).parent / "rulebooks").glob("*.rules"))
NAMES = [path.stem for path in RULEBOOKS]
MOST = 200_000

# One line of each rulebook as a house rule, and the piece that the comparison names.
CHANGES = {
    "always_possible": "change zone line: row of Card, hidden",
    "boards": "change board Square: 4 by 3",
    "card_effects": "change row tax of Event: 2, pay(3)",
    "copies": "change card Card: rank 1..3, (rank + 1) of each",
    "dice": "change die Die: 1..4, 2 of each",
    "figures": "change figure best_dropped: lowest rank of top of drawn, at drop",
    "kept_values": "change marker told of Card: yes or no = yes, public",
    "looking": "change phase play, in place of look at 2 of stock\n  look at 1 of stock",
    "mixed_zones": "change action drop(thing from stall or basket)\n  move thing to market\n  end game",
    "names_in_steps": "change action lay, in place of if rank of c = best\n"
    "  if rank of c >= best - 1\n    move c to won",
    "pieces_on_boards": "change phase play: turns from 2, at most 4 turns",
    "reactions": "change action claim, in place of ask each opponent from left: doubt or trust, until doubted\n"
    "  ask each opponent from right: doubt or trust, until doubted",
    "results": "change action keep, in place of player wins\n  right of player wins",
    "rings": "change phase play: turns from 1, at most 6 turns",
    "seen_by_others": "change zone brow of player: place of Card, seen by left of player",
    "combinations": "change action count_up, in place of tens increases by count of combinations of 2..4 from hand "
    "where (sum of rank over it) = 5\n  tens increases by count of combinations of 2 from hand",
    "sets_in_teams": "change action give, in place of do hand_over(things, team)\n  do hand_over(things, opponents)",
    "sets_told": "change action sell, in place of needs are_alike(things)\n"
    "  needs are_alike(things) or worth_of(things) = 1",
    "steps_with_parameters": "change action place_guard, in place of do put_down(guard, 2)\n  do put_down(guard, 1)",
    "swaps": "change action rob, in place of swap hand with hand of left of player\n"
    "  swap middle with hand of left of player",
    "the_one": "change phase last_word, before leader chooses raise or stay\n  bid of 1 becomes 1",
    "turn_order": "change phase play: turns from 2, next right of player skipping hand is empty",
    "values_by_option":
    "change card Card: suit Suit, rank 1..3, (if suit = spades and suits = 2 then 0 else 1) of each",
}


@pytest.fixture(params=RULEBOOKS, ids=NAMES)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def table_of(path: Path) -> Table:
    program = read_text(path.read_text("utf-8"), path.name).program
    assert program is not None
    return set_up_table(program, max(allowed_players(program)), {})


def run(*words: str, folder: Path) -> str:
    done = run_here(*words, folder=folder)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def test_every_rulebook_has_a_house_rule() -> None:
    assert sorted(CHANGES) == NAMES


def test_check_finds_nothing(path: Path, tmp_path: Path) -> None:
    assert run("check", str(path), folder=tmp_path).endswith(": no errors\n")


def test_the_layout_is_kept(path: Path, tmp_path: Path) -> None:
    run("fmt", "--check", str(path), folder=tmp_path)


def test_spelled_out_it_is_the_same_game(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.rules"
    copy.write_text(run("fmt", "--expanded", str(path), folder=tmp_path), "utf-8")
    run("fmt", "--check", str(copy), folder=tmp_path)
    assert asdict(count_tree(table_of(path), MOST)) == asdict(count_tree(table_of(copy), MOST))


def test_both_engines_play_and_count_it_alike(path: Path) -> None:
    table = table_of(path)
    assert differences(table, 150, seed=7, engine=quick_engine(table)) == []
    assert asdict(count_tree_natively(compile_tree_positions(table), MOST)) == asdict(count_tree(table, MOST))


def test_every_position_is_explored_alike(path: Path, tmp_path: Path) -> None:
    """With symmetries and without, on both engines: the same verdicts, and each class counted as large as it is."""
    found = [
        json.loads(run("explore", str(path), "--whole", "--json", "--engine", engine, *more, folder=tmp_path))["tables"]
        for engine in ("reference", "native") for more in ((), ("--no-symmetry",))
    ]  # fmt: skip
    for tables in found:
        assert all(one["complete"] and not one["broken"] for one in tables)
        assert [one["whole"] for one in tables] == [one["positions"] for one in found[1]]
        assert [one["unwritten"] for one in tables] == [one["unwritten"] for one in found[1]]


def test_the_verdict_holds_and_nothing_leaks(path: Path, tmp_path: Path) -> None:
    told = run(str(path), "--games", "60", "--seed", "4", "--engine", "reference", folder=tmp_path)
    assert "everything holds" in told
    assert "does not know" not in told
    offered = re.search(r"at (\d+) of (\d+) choices?, (?:who is asked and )?what is offered", told)
    assert offered is not None
    assert offered[1] == offered[2]


def test_a_false_promise_has_a_story(path: Path, tmp_path: Path) -> None:
    """What can happen, forbidden: the failing game is found, told, and recorded so that it plays again."""
    copy, trace = tmp_path / "broken.rules", tmp_path / "failure.jsonl"
    copy.write_text(re.sub("^can happen ", "never ", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    done = run_here(str(copy), "--games", "200", "--trace", str(trace), "--engine", "reference", folder=tmp_path)
    assert done.returncode == 1
    assert "story 1" in done.stdout
    assert run_here("replay", str(copy), str(trace), folder=tmp_path).returncode == 1


def test_players_that_think_play_it(path: Path, tmp_path: Path) -> None:
    seats = "mcts:20,greedy,random"[: None if table_of(path).players == 3 else len("mcts:20,greedy")]
    words = ("simulate", str(path), "--seats", seats, "--games", "3", "--json", "--engine", "reference")
    assert json.loads(run(*words, folder=tmp_path))["tables"]


def test_figures_are_the_same_on_both_engines(path: Path, tmp_path: Path) -> None:
    ours, theirs = (
        json.loads(run("simulate", str(path), "--games", "120", "--json", "--engine", engine, folder=tmp_path))
        for engine in ("reference", "native")
    )
    assert ours["tables"] == theirs["tables"]


def test_every_answer_has_a_number_and_observations_say_what_is_legal(path: Path) -> None:
    book, chance = rulesrun.load(str(path)), Random(5)
    numbers = book.actions(book.players[-1])
    for seed in range(5):
        both = [book.start(book.players[-1], seed=seed, engine=engine) for engine in ("reference", "native")]
        while not isinstance(both[0].pending, rulesrun.End):
            legal = numbers.legal(both[0])
            assert legal == numbers.legal(both[1])
            assert [str(numbers[one]) for one in legal] == [str(one) for one in both[0].legal()]
            for player in book.players[-1:] if book.players[-1] == 1 else range(1, book.players[-1] + 1):
                assert both[0].observe(player) == both[1].observe(player)
            answer = chance.choice(legal)
            both = [numbers.apply(one, answer) for one in both]


def test_at_a_table_it_is_the_game_of_the_trace(path: Path, tmp_path: Path) -> None:
    trace = run("trace", str(path), "--seed", "6", folder=tmp_path)
    events = [json.loads(line) for line in trace.splitlines()]
    chosen = [str(one["legal"].index(one["chosen"]) + 1) for one in events if one["event"] == "decision"]
    words = ("play", str(path), "--seats", ",".join(["human"] * table_of(path).players), "--seed", "6")
    done = run_here(*words, "--trace", str(tmp_path / "played.jsonl"), folder=tmp_path, stdin="\n".join(chosen) + "\n")
    assert done.returncode == 0, done.stderr
    played = [json.loads(line) for line in (tmp_path / "played.jsonl").read_text("utf-8").splitlines()]
    assert played[1:] == events[1:]


def test_why_answers_after_every_decision(path: Path, tmp_path: Path) -> None:
    trace = tmp_path / "game.jsonl"
    trace.write_text(run("trace", str(path), "--seed", "2", folder=tmp_path), "utf-8")
    run("why", str(path), str(trace), "--score", "1", folder=tmp_path)
    run("why", str(path), str(trace), "--winner", folder=tmp_path)
    events = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    at = next(number for number, one in enumerate(events) if one["event"] == "decision")
    for option in events[at]["legal"]:
        values = [f"{{{', '.join(one)}}}" if isinstance(one, list) else str(one) for one in list(option.values())[1:]]
        written = f"{option['action']}({', '.join(values)})" if values else option["action"]
        run("why", str(path), str(trace), "--at", str(at), "--option", written, folder=tmp_path)


def test_it_is_told_in_russian(path: Path, tmp_path: Path) -> None:
    assert_spoken((str(path), "--games", "6", "--all", "--engine", "reference"), tmp_path)
    assert_spoken(("explore", str(path), "--whole", "--engine", "reference"), tmp_path)
    assert_spoken(("simulate", str(path), "--games", "8", "--engine", "reference"), tmp_path)
    assert_spoken(("trace", str(path), "--text"), tmp_path)


def test_a_house_rule_changes_one_line(path: Path, tmp_path: Path) -> None:
    base, variant = tmp_path / path.name, tmp_path / "house.rules"
    base.write_text(path.read_text("utf-8"), "utf-8")
    variant.write_text(f'rules 1\nvariant "House" of "{path.name}"\n\n{CHANGES[path.stem]}\n', "utf-8")
    run("check", str(variant), folder=tmp_path)
    whole = tmp_path / "whole.rules"
    whole.write_text(run("fmt", "--expanded", str(variant), folder=tmp_path), "utf-8")
    assert count_tree(table_of(whole), MOST).terminals > 0
    told = run_here(
        "compare", str(base), str(variant), "--games", "40", "--seats", "random", "--engine", "reference",
        folder=tmp_path,
    )
    assert told.returncode < 2, told.stderr
    assert re.search(r"^ *(?:changed|added|removed) ", told.stdout, re.MULTILINE)


def test_an_editor_knows_its_words(path: Path) -> None:
    found, all_words = count_found_in(path.name, path.read_text("utf-8"), 11)
    assert found >= 0.9 * all_words > 0
