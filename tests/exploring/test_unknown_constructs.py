"""A proof that does not know a construct refuses: each construct in turn is taken for a new one, and each effect."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest
from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of, footprint_of_expression
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.check import check_game
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import AllOf, BuiltinMeaning, Program
from rulesrun.dsl.typing.types import Unknown
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.files.loading import read_rules
from rulesrun.interpreter.model import core, flow_decisions
from rulesrun.interpreter.model.core import Core, Move, Room, Statement
from rulesrun.interpreter.model.core_lowering import lower_statement, lower_statements
from rulesrun.interpreter.model.instructions import Do
from rulesrun.interpreter.model.known_constructs import (
    BOARDS,
    MIXED_KINDS,
    SEEN_BY_SOME,
    SETS,
    SINCE_EDITION_1,
    TEAMS,
    find_unknown_construct,
)
from rulesrun.interpreter.reference.table import Table, set_up_table
from rulesrun.interpreter.secrecy.information_flow import flows_of
from rulesrun.interpreter.secrecy.open_choices import prove_open_choices
from rulesrun.interpreter.symmetry.commutation import is_quiet
from rulesrun.interpreter.symmetry.renaming import NotAlike, PositionRenaming
from rulesrun.interpreter.symmetry.symmetric_places import find_symmetric_places
from rulesrun.interpreter.symmetry.symmetric_seats import find_seats_at_once
from rulesrun.interpreter.symmetry.symmetric_turns import find_seats_in_turn
from rulesrun.interpreter.symmetry.symmetric_words import WordSymmetryProof
from rulesrun.interpreter.symmetry.symmetries import find_seats_once_begun

GAMES = Path(__file__).parents[2] / "games" / "classics"
WORDS = """rules 1
game "Words"
players 2
values Colour: red, blue, green
card Card: colour Colour, rank 1..3
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone heap: set of Card, public
number laid: 0..9 = 0, each turn
setup
  draw lots for starter
  shuffle all Card into deck
  deal 2 from deck to each hand
phase play: turns from starter until deck is empty
  draw 1 from deck to hand
  choose lay or keep
action lay(give from hand)
  needs no c in heap has colour of c = colour of give
  move give to heap
  if laid = 0
    laid increases by 1
action keep
score at end
  points = sum of rank over c in heap where rank > 1
ranking: highest total, ties share
"""
PLACES = """rules 1
game "Three in a row"
players 2
board Square: 3 by 3
marker owner[Square]: player or nothing
marker first_row: player or nothing
phase play: turns from 1 until first_row is not nothing
  choose mark, else end phase
action mark(square in Square)
  needs owner[square] is nothing because "the square is taken"
  owner[square] becomes player
  if some line of 3 in Square has owner[it] = player
    first_row becomes player
score at end
  outcome = if first_row = player then 1 else if first_row is nothing then 0 else -1
ranking: highest total, ties share
"""
BESIDE = {
    ast.Node, ast.Expression, ast.Declaration, ast.File, ast.Game, ast.Example, *get_args(ast.ExampleLine),
    ast.ChangePiece, ast.ChangeLines, ast.RemovePiece, ast.ChangeRow, ast.ChangeLine, ast.Look, ast.Figure,
}  # no part of how a game goes: examples, looks, figures, and changes that have been carried out
# What entered the language later: a proof that has learned one names it in `KNOWS`.
LATER: set[type] = {
    ast.Board, ast.PlaceLine, ast.SeenBy, ast.EitherType, ast.Teams, ast.SetType, core.Joined, core.Combinations,
    core.PlacesNear, core.PlacesBetween, core.Distance, core.Lines, core.Connected,
}
CLASSES = {one for one in vars(ast).values() if inspect.isclass(one) and issubclass(one, ast.Node)}
WRITTEN = {*get_args(ast.Statement), *get_args(ast.Expr)}  # what they come to is what proofs know


def program_of(text: str, new: type[ast.Node] | None = None) -> Program:
    """The rules; with `new`, the nodes of this class are of a class of their own that is otherwise the same."""
    source = Source("made.rules", text)
    game = assemble_game("made.rules", [(source, parse_source(source))]).game
    if new is not None:
        unknown = type(f"New{new.__name__}", (new,), {})  # the engine takes it for what it was

        def change(node: ast.Node) -> ast.Node:
            if type(node) is not new:
                return node
            values = {one.name: getattr(node, one.name) for one in attrs.fields(new)}
            made: ast.Node = unknown(**values)
            return made

        pieces = game.declarations
        changed = tuple(one if isinstance(one, ast.Example) else replace_nodes(one, change) for one in pieces)
        game = attrs.evolve(game, declarations=changed, smalls=())
    found = check_game(game, (source,))
    assert isinstance(found, Program)
    return found


def table_of(text: str, new: type[ast.Node] | None = None, players: int = 2) -> Table:
    return set_up_table(program_of(text, new), players, {})


def classic(name: str) -> str:
    return (GAMES / f"{name}.rules").read_text("utf-8")


def are_words_free(table: Table) -> bool:
    return len(WordSymmetryProof(table, table.bench.declarations(ast.Values)[0]).free_words) > 1


def is_flow_proved(table: Table) -> bool:
    found = prove_open_choices(table)
    return found.flow and len(found.proved) == found.choices


def is_nothing_told(table: Table) -> bool:
    return not flows_of(table).disclosures


PROOFS: dict[str, tuple[str, Callable[[Table], bool]]] = {
    "words": (WORDS, are_words_free),
    "seats in turn": (WORDS, lambda table: find_seats_in_turn(table, 120) is not None),
    "seats once begun": (classic("nim"), lambda table: find_seats_once_begun(table, 120) is not None),
    "seats at once": (classic("rock_paper_scissors"), lambda table: find_seats_at_once(table, 120) is not None),
    "places": (PLACES, lambda table: bool(find_symmetric_places(table))),
    "options": (WORDS, lambda table: bool(prove_open_choices(table).proved)),
    "who is asked": (WORDS, is_flow_proved),
    "what is laid open": (WORDS, is_nothing_told),
}


@pytest.mark.parametrize("name", PROOFS)
def test_each_construct_taken_for_a_new_one_is_refused(name: str) -> None:
    text, proves = PROOFS[name]
    plain = table_of(text)
    assert proves(plain)
    pieces = [piece for piece in plain.program.game.declarations if not isinstance(piece, ast.Example)]
    classes = {type(node) for piece in pieces for node in walk(piece)} - WRITTEN
    assert len(classes) > 10
    for new in sorted(classes, key=lambda one: one.__name__):
        assert not proves(table_of(text, new)), new.__name__
    lowered = {type(done) for known in (plain.bench.core, plain.bench.effects) for _, done in known.values()}
    assert len(lowered) > 15
    for kind in lowered:
        assert not proves(with_new_kind(table_of(text), kind)), kind.__name__


@pytest.mark.parametrize("name", PROOFS)
def test_looks_stand_in_no_proof_s_way(name: str) -> None:
    """How a page draws things has no effect on the game."""
    text, proves = PROOFS[name]
    bench = table_of(text).bench
    rooms: list[Room] = [*bench.zones.values(), *bench.variables.values()]
    drawn = rooms[0].declaration.name.text
    assert proves(table_of(text + f'look layout\n  {drawn}: "large"\n'))


@pytest.mark.parametrize("name", PROOFS)
def test_figures_stand_in_no_proof_s_way(name: str) -> None:
    """Even where they tell words, places and seats apart."""
    text, proves = PROOFS[name]
    actions = [piece for piece in table_of(text).program.game.declarations if isinstance(piece, ast.Action)]
    lines = "".join(f"figure done_{one.name.text}: how often {one.name.text}\n" for one in actions)
    words = "figure red_laid: mean (count of heap where colour = red), at end of turn\n" if text is WORDS else ""
    seat = "figure first: highest (if player = 1 then 1 else 0), at end of round\n"
    assert proves(table_of(text + lines + words + seat))


def with_new_kind(table: Table, new: type[Any]) -> Table:
    """What expressions and statements come to, where it is of this class, is of one of its own that is otherwise the
    same."""
    unknown = type(f"New{new.__name__}", (new,), {})
    assert find_unknown_construct(table.bench, SINCE_EDITION_1 | LATER) is None  # all of them are lowered now
    changed, lowered = 0, tuple[dict[int, Any], ...]((table.bench.core, table.bench.effects))
    for known in lowered:
        for key, (node, done) in list(known.items()):
            if type(done) is new:
                values = {one.name: getattr(done, one.name) for one in attrs.fields(new)}
                known[key], changed = (node, unknown(**values)), changed + 1
    assert changed
    return table


def test_every_construct_is_one_that_the_proofs_were_read_for() -> None:
    """A new one belongs to `LATER`: then each proof has to learn it, or goes on to refuse it."""
    assert CLASSES - WRITTEN | {*get_args(Core), *get_args(Statement)} == SINCE_EDITION_1 | BESIDE | LATER
    assert BOARDS | MIXED_KINDS | SEEN_BY_SOME | SETS | TEAMS == LATER
    assert not SINCE_EDITION_1 & (BESIDE | LATER)


def written_nodes() -> list[ast.Node]:
    found = []
    for name in ("zero", "the_game", "collection", "tokens", "hourglass"):
        program = read_rules(name).program
        assert program is not None
        found += [node for piece in program.game.declarations for node in walk(piece)]
    return found


def test_of_each_statement_it_is_said_what_it_does() -> None:
    """What stands below a statement is in its footprint, as something that is read, changed, moved or done inside."""
    for one in (node for node in written_nodes() if isinstance(node, ast.Statement)):
        done = footprint_of(one)
        named = {
            id(part) for parts in (done.reads, [each.asked for each in done.decides], done.writes,
                                   done.takes, done.puts, done.mixes, done.shows,
                                   done.notes, done.calls) for whole in parts for part in walk(whole)
        }  # fmt: skip
        inside = {id(part) for body in done.bodies for line in body.lines for part in walk(line)}
        names = {id(part) for part in walk(one) if isinstance(part, ast.Name)}
        aliases = {id(one.alias)} if isinstance(one, ast.Deal) else set()
        aliases |= {id(part.name) for part in walk(one) if isinstance(part, ast.Each)}
        assert names - aliases <= named | inside, type(one).__name__


def test_of_each_expression_it_is_said_what_it_looks_at() -> None:
    """What stands below an expression is worked out once, or for every element of a collection."""
    expressions = [node for node in written_nodes() if isinstance(node, ast.Expr)]
    assert len({type(one) for one in expressions}) > 20
    for one in expressions:
        looked = footprint_of_expression(one)
        parts = [*looked.once, *(part for loop in looked.repeated for part in loop)]
        named = {id(part) for whole in parts for part in walk(whole)}
        binders = {id(part.name) for part in walk(one) if isinstance(part, ast.Each)}
        own = {id(one)} | ({id(one.action)} if isinstance(one, ast.Can) else set())
        names = {id(part) for part in walk(one) if isinstance(part, ast.Name)}
        assert names - binders - own <= named, type(one).__name__
        assert {id(part) for part in looked.gives} <= named


LARGE = ("zero", "the_game", "collection", "tokens", "hourglass", "gallery/durak", "gallery/hex", "gallery/gin_rummy")


@pytest.fixture(scope="module", params=LARGE)
def large(request: pytest.FixtureRequest) -> Table:
    program = read_rules(request.param).program
    assert program is not None
    table = set_up_table(program, 2, {})
    find_unknown_construct(table.bench, SINCE_EDITION_1 | LATER)  # all of it is lowered now
    return table


def own_things(lowered: Any) -> set[int]:
    """What an operation or a statement says itself, by identity."""
    values = [getattr(lowered, one.name) for one in attrs.fields(type(lowered))]
    several = [one for value in values if isinstance(value, tuple) for one in value]
    return {id(one) for one in (*values, *several, *(getattr(one, "declaration", None) for one in values))}


def names_outside(table: Table, node: ast.Node, parts: Iterable[ast.Node]) -> list[object]:
    """What is named in a node and in none of these parts."""
    inside = {id(part) for whole in parts for part in walk(whole)} | {id(node)}
    named = (table.bench.meaning(one) for one in walk(node) if isinstance(one, ast.Name) and id(one) not in inside)
    return [one for one in named if one is not None and not isinstance(one, BuiltinMeaning)]


def test_of_each_statement_of_the_core_what_it_works_out_and_what_stands_in_it_is_listed(large: Table) -> None:
    for done in lower_statements(large.bench):
        lines = [line for body in core.list_bodies(done) for line in body]
        own = own_things(done)
        for meaning in names_outside(large, done.node, [*core.list_operands_of(done), *lines]):
            assert id(meaning) in own, type(done).__name__


def test_of_each_operation_of_the_core_its_operands_are_listed(large: Table) -> None:
    """What else is named there is what it says itself: a place, a definition, an attribute, a line of the score."""
    for node, asked in list(large.bench.core.values()):
        own = own_things(asked)
        for meaning in names_outside(large, node, core.list_operands(asked)):
            named = meaning.declaration if isinstance(meaning, AllOf) else meaning
            is_number = isinstance(asked, core.Points | core.Constant)  # of a line of the score, of an option
            assert id(named) in own or is_number, type(asked).__name__


def test_where_a_type_is_not_known_it_may_be_anything() -> None:
    table = table_of(WORDS)
    proof = WordSymmetryProof(table, table.bench.declarations(ast.Values)[0])
    renaming = PositionRenaming(table, {"Colour": (1, 0, 2)})
    for of_type in (None, Unknown()):
        assert proof.has_words(of_type)
        with pytest.raises(NotAlike):
            renaming.change_of_type(of_type)


def test_of_an_effect_that_is_not_known_it_is_taken_that_somebody_is_asked() -> None:
    table = table_of(WORDS)
    lines = [node for piece in table.bench.actions for node in piece.body]
    change = next(one for one in lines if isinstance(lower_statement(table.bench, one), Move))
    assert is_quiet(table, change)
    assert not flow_decisions.may_ask_inside(table.flow, [change])
    (done,) = (one for one in table.flow.instructions if isinstance(one, Do) and one.node is change)
    assert not flow_decisions.may_ask(done)
    table.bench.effects[id(change)] = (change, object())
    assert not is_quiet(table, change)
    unknown: Any = object()
    table.flow.instructions[table.flow.instructions.index(done)] = evolve(done, effect=unknown)
    assert flow_decisions.may_ask_inside(table.flow, [change])
