"""The reference of the language, run: every fenced fragment of docs/language.md, and that every construct occurs.

`rules whole` is a game; `rules pieces` stand in it beside, or instead of, its own; `rules lines` are paragraphs of
statements, each a turn, with the pieces of `rules pieces kept`; `rules variant` is a variant of what came before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.check import check_game
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.keywords import RESERVED
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.extend import assemble_game
from rulesrun.interpreter.examples.examples import ExampleRunner
from rulesrun.interpreter.model.random import Streams
from rulesrun.interpreter.play.game_loop import play_game, random_picker
from rulesrun.interpreter.reference.table import set_up_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "language.md"
TEXT = PAGE.read_text("utf-8")
FENCE = re.compile(r"^```rules (\w+( kept)?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADER = re.compile(r"^(setup round|score each round|score at end|at end of \w+|can happen|\w+)( (?:\w+|\"[^\"]*\"))?")
GOALS = """
card Goal: number 1..3, worth -9..9, rule met
  many_red: 1, 3, (count of hand where colour = red) >= 2
  short_hand: 2, -4, count of hand < 3
zone goals: set of Goal, public
option target: 1..9 = 2
always "goals stay": (count of goals where met of it) <= target
example "nothing done"
  then passes = 0
setup
  shuffle all Card into stock
  deal 4 from stock to each hand
  move all Goal to goals
score at end
  points = sum of rank over c in hand
  extra = 0
"""


def blocks_of(text: str) -> list[str]:
    """Pieces with what stands below them and the notes above."""
    return re.findall(r"(?:^#.*\n)*^[^\s#].*\n(?:[ \t].*\n|\n(?=[ \t]))*", text, re.MULTILINE)


def key_of(block: str) -> tuple[str, str]:
    first = next(line for line in block.splitlines() if not line.startswith("#"))
    found = HEADER.match(first)
    assert found is not None, first
    has_name = found[1] not in {"game", "players", "rounds", "rules", "setup", "setup round", "ranking", "result"}
    return found[1], (found[2] or "") if has_name and not found[1].startswith("score") else ""


def with_pieces(*texts: str) -> str:
    """Pieces of later texts take the place of those of the same name; phases and sheets of all that there are."""
    pieces: dict[tuple[str, str], str] = {}
    for text in texts:
        said = {key_of(block)[0].split()[0] for block in blocks_of(text)} & {"score", "phase"}
        pieces = {key: block for key, block in pieces.items() if key[0].split()[0] not in said}
        for at, block in enumerate(blocks_of(text)):
            key = key_of(block)
            pieces[key if key[0] not in {"require"} else (key[0], str(at))] = block
    return "\n".join(pieces.values())


FENCES = [(match[1], match[3], TEXT.count("\n", 0, match.start()) + 1) for match in FENCE.finditer(TEXT)]
(WHOLE,) = [text for kind, text, _ in FENCES if kind == "whole"]
KEPT = "".join(text for kind, text, _ in FENCES if kind == "pieces kept")


def turn_of(paragraph: str) -> str:
    lines = "".join(f"  {line}\n" for line in paragraph.splitlines())
    return f"phase play: one turn each from 1\n{lines}  choose lay or pass\n"


def files() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each fragment as files: its place on the page, and the base and the variants."""
    for kind, text, line in FENCES:
        match kind:
            case "whole":
                yield str(line), [("heap.rules", text)]
            case "pieces" | "pieces kept":
                yield str(line), [("heap.rules", with_pieces(WHOLE, text))]
            case "lines":
                for at, paragraph in enumerate(text.split("\n\n")):
                    yield f"{line}.{at}", [("heap.rules", with_pieces(WHOLE, KEPT, turn_of(paragraph)))]
            case "variant":
                base = with_pieces(WHOLE, GOALS) if "goals.rules" in text else WHOLE
                name = "goals.rules" if "goals.rules" in text else "heap.rules"
                yield str(line), [(name, base), ("ours.rules", text)]
            case _:
                raise AssertionError(f"line {line}: what are `rules {kind}`?")


FILES = dict(files())
PARSED = {place: [parse_source(Source(name, text)) for name, text in several] for place, several in FILES.items()}


def players_of(program: Program) -> int:
    (piece,) = [one for one in program.game.declarations if isinstance(one, ast.Players)]
    assert isinstance(piece.low, ast.Number)
    return piece.low.value


@pytest.mark.parametrize("place", FILES)
def test_a_fragment_holds(place: str) -> None:
    """It is read, checked, played; its examples pass."""
    sources = [Source(name, text) for name, text in FILES[place]]
    for source, parsed in zip(sources, PARSED[place], strict=True):
        assert parsed.diagnostics == (), (parsed.diagnostics, source.text)
    assembled = assemble_game(FILES[place][-1][0], list(zip(sources, PARSED[place], strict=True)))
    assert assembled.diagnostics == ()
    program = check_game(assembled.game, tuple(sources))
    assert isinstance(program, Program), program.diagnostics
    for result in ExampleRunner(program).run_all():
        assert result.verdict in ("passed", "todo"), (result.example.title, result.diagnostic, result.values)
    for seed in range(4):
        for _ in play_game(set_up_table(program, players_of(program)), random_picker(Streams(seed)), limit=500):
            pass


def nodes() -> Iterator[ast.Node]:
    for several in PARSED.values():
        for parsed in several:
            for declaration in parsed.declarations:
                yield declaration
                yield from walk(declaration)


def test_every_construct_occurs() -> None:
    everything = (*get_args(ast.Expr), *get_args(ast.Statement), *get_args(ast.TypeExpr), *get_args(ast.ExampleLine),
                  *get_args(ast.AnyDeclaration))
    there = {type(node).__name__ for node in nodes()} | {"Text", "ThenStill"}
    assert {kind.__name__ for kind in everything} - there == set()


WORDS = {
    ast.Components: ("noun", "card token tile piece die"),
    ast.Zone: ("kind", "pile row set place"),
    ast.End: ("what", "turn phase round game"),
    ast.Choose: ("who", "player all team named"),
    ast.Aggregate: ("word", "sum highest lowest list sorted count"),
    ast.Quantified: ("word", "some every no"),
    ast.Best: ("word", "the those"),
    ast.Arithmetic: ("operator", "+ - * div mod /"),
    ast.Compare: ("operator", "= < <= > >="),
    ast.Deal: ("word", "deal draw"),
    ast.Variable: ("reset", "round turn"),
    ast.Rounds: ("moves", "left"),
    ast.Score: ("when", "round end told"),
    ast.Criterion: ("direction", "highest lowest"),
    ast.Property: ("word", "always never after"),
    ast.Choice: ("word", "from in"),
}


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_of_a_family_occurs(kind: type[ast.Node]) -> None:
    field, words = WORDS[kind]
    assert set(words.split()) - {getattr(node, field) for node in nodes() if isinstance(node, kind)} == set()


def test_other_forms_occur() -> None:
    kinds = [node for node in nodes() if isinstance(node, ast.Zone)]
    assert {zone.visibility for zone in kinds} == {"hidden", "private", "public", "public top", "seen by"}
    found = [node for node in nodes() if isinstance(node, ast.Property)]
    assert {one.moment for one in found} >= {"turn", "round", "game"}
    assert "can happen" in {one.word for one in found}
    removed = {node.piece for node in nodes() if isinstance(node, ast.RemovePiece)}
    assert removed >= {"row", "line", "always", "example"}


def test_the_reserved_words_are_listed() -> None:
    (said,) = re.findall(r"cannot be names:\s*`([^`]*)`", TEXT)
    assert set(said.split()) == RESERVED


def test_the_page_can_be_read_in_one_go() -> None:
    assert len(TEXT.split()) <= 11_000
