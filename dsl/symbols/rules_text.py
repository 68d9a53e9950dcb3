"""One file of rules as an editor has it, with what it builds on: its pieces now, and as they could be read last."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.pieces import key_of, kind_of
from rulesrun.dsl.parsing.parse import ParsedFile
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.extend import assemble_game


@define(eq=False, slots=False)
class RulesText:
    """`chain`: the files, the base first, of which the one called `name` is `own`. `before`: that one as it could be
    read last, where it cannot be read whole now. `path_of`: where a file of the chain lies.
    """

    name: str
    chain: tuple[tuple[Source, ParsedFile], ...]
    own: ParsedFile
    program: Program | None
    before: ParsedFile | None
    path_of: Callable[[str], str]
    kept: dict[str, Any] = field(factory=dict)  # answers that are worked out once

    @property
    def pieces(self) -> tuple[ast.AnyDeclaration, ...]:
        return self.own.declarations

    @cached_property
    def game(self) -> ast.Game:
        """All that can be read now; pieces that cannot are those of the last sound reading."""
        return self.assemble(self.known_pieces)

    @property
    def known_pieces(self) -> tuple[ast.AnyDeclaration, ...]:
        """The file's own pieces, as they are now or as they were when they could be read last."""
        if self.before is None:
            return self.pieces
        keys = {key_of(piece) for piece in self.pieces}
        return (*self.pieces, *(piece for piece in self.before.declarations if key_of(piece) not in keys))

    @property
    def known_kinds(self) -> set[str]:
        """The words with which its pieces begin, those of its base included."""
        return {kind_of(piece) for piece in (*self.game.declarations, *self.pieces)}

    def assemble(self, pieces: tuple[ast.AnyDeclaration, ...]) -> ast.Game:
        """The rulebook with these pieces in the file's place."""
        chain = [
            (source, evolve(parsed, declarations=pieces) if parsed is self.own else parsed)
            for source, parsed in self.chain
        ]
        return assemble_game(self.name, chain).game

    def list_all_pieces(self) -> list[ast.AnyDeclaration]:
        """Of all files of the chain, as they are written."""
        return [piece for _, parsed in self.chain for piece in parsed.declarations]
