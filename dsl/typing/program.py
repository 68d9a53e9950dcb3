"""The checked program: the only thing that may be played. Made by `check` alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic
from rulesrun.dsl.text.source import Source
from rulesrun.dsl.typing.types import Type

Game: TypeAlias = ast.Game  # for who hands a rulebook on, and asks it nothing but what it says of itself


@frozen(eq=False)
class WordMeaning:
    """One word of a `values` declaration or of an option's own list; `index` counts from 0."""

    type_name: str
    word: str
    index: int


@frozen(eq=False)
class AttributeMeaning:
    """`rank` alone (of the element of `element`) or in `rank of c` (element None: the owner of the `Of`)."""

    components: ast.Components
    attribute: ast.AttributeDecl
    element: ast.Each | ast.Filter | ast.Deal | None


@frozen(eq=False)
class ItMeaning:
    """`it`: the element of the innermost unnamed `where` or binder."""

    element: ast.Each | ast.Filter | ast.Deal


@frozen(eq=False)
class RowMeaning:
    """A named row of a component table (`most_pink`): that component."""

    components: ast.Components
    row: ast.RowDecl


@frozen(eq=False)
class BuiltinMeaning:
    """A name of the language: `player`, `players`, `starter`, `round`, `count`, `top`, `left`, `total`, …"""

    name: str


@frozen(eq=False)
class AllOf:
    """A type used as a collection: `Colour`, `Card`."""

    declaration: ast.Values | ast.Components


Meaning = (
    ast.Zone | ast.Variable | ast.Option | ast.Define | ast.Table | ast.Memory | ast.Step | ast.Action | ast.Phase
    | ast.Parameter | ast.Choice | ast.Each | ast.Deal | ast.ScoreLine | ast.Values | ast.Components
    | AllOf | WordMeaning | AttributeMeaning | ItMeaning | RowMeaning | BuiltinMeaning
)


@frozen(eq=False)
class Program:
    """A rulebook without errors.

    `names` says what every `Name` node means, `types` what every expression gives. Both are keyed
    by node identity. `literals` says which component a `Literal` with attributes names; where the
    set depends on options it is resolved when a table is set up. `written` is the game as its author wrote it, with
    what is spelled out in `game` still short: to write it down, or to change it and check it again.
    `united`: the kinds of components that may lie in the same place.
    """

    game: ast.Game
    sources: tuple[Source, ...]
    names: Mapping[ast.Node, Meaning]
    types: Mapping[ast.Node, Type]
    warnings: tuple[Diagnostic, ...]
    written: ast.Game
    united: tuple[tuple[str, ...], ...] = ()

    @property
    def has_fractions(self) -> bool:
        """Whether a `/` stands anywhere, so that points may be no whole numbers."""
        parts = (part for piece in self.game.declarations for part in walk(piece))
        return any(isinstance(part, ast.Arithmetic) and "/" in part.operator for part in parts)


@frozen(eq=False)
class Rejected:
    diagnostics: tuple[Diagnostic, ...]
