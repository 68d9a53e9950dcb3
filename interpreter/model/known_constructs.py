"""Which constructs a proof knows. Takes rules and the classes that a proof was written for, gives the first node of
another class: rules with such a node are beyond the proof, and it refuses.

Of expressions and statements the class of what they come to counts: a new word for operations and effects that a
proof knows is no news to it. What has no meaning at the table is nothing that it could know; whoever asks for it there
refuses.

`SINCE_EDITION_1` is what all proofs were read through for. It is never extended: a construct that enters the language
later is added to the set of each proof once that proof has learned it. Until then it says nothing of rules that use it.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core_lowering import find_operation, lower_statement

Known = frozenset[type]

EXPRESSIONS: Known = frozenset({
    core.Constant, core.Register, core.Element, core.Contents, core.Attribute, core.Definition, core.CaseLookup,
    core.ForPlayer, core.Current, core.Opponents, core.Points, core.Standing, core.Count, core.Fold, core.EndOf,
    core.ItemAt, core.Neighbour, core.SeatsFrom, core.Extreme, core.PositionOf, core.Times, core.Filter, core.Range,
    core.SetOf, core.Literal, core.Quantified, core.Aggregate, core.Best, core.Compare, core.In, core.IsEmpty,
    core.Arithmetic, core.Negate, core.Not, core.Logic, core.IfElse, core.Can, core.Before, ast.Each,
})
STATEMENTS: Known = frozenset({
    core.Move, core.Mix, core.Draw, core.Assign, core.Adjust, core.DrawValue, core.DrawOrder, core.Show, core.Record,
    core.CountPoints, core.End, core.Choose, core.If, core.ForEach, core.EachPlayer, core.Turns, core.Repeat, core.Do,
    ast.Order, ast.Branch,
})
WRITTEN_TYPES: Known = frozenset({
    ast.RangeType, ast.NamedType, ast.WordsType, ast.TruthType, ast.PlayerType, ast.OrderType, ast.RowType,
    ast.Optional,
})
PIECES: Known = frozenset({
    ast.Edition, ast.Title, ast.VariantOf, ast.Players, ast.Rounds, ast.Values, ast.Enumerator, ast.Components,
    ast.AttributeDecl, ast.RowDecl, ast.Option, ast.Require, ast.Zone, ast.Variable, ast.Memory, ast.Table,
    ast.Parameter, ast.Entry, ast.Define, ast.Setup, ast.Phase, ast.Step, ast.Action, ast.Choice, ast.Needs, ast.Score,
    ast.ScoreLine, ast.Ranking, ast.Criterion, ast.Result, ast.Outcome, ast.Property, ast.Persona, ast.Preference,
    ast.Words, ast.Word, ast.Small, ast.Fix,
})
SINCE_EDITION_1: Known = EXPRESSIONS | STATEMENTS | WRITTEN_TYPES | PIECES
# What came later, by what it is about.
BOARDS: Known = frozenset({
    ast.Board, ast.PlaceLine, core.PlacesNear, core.PlacesBetween, core.Distance, core.Lines, core.Connected,
})
MIXED_KINDS: Known = frozenset({ast.EitherType, core.Joined})
SEEN_BY_SOME: Known = frozenset({ast.SeenBy})
SETS: Known = frozenset({ast.SetType, core.Combinations})
TEAMS: Known = frozenset({ast.Teams})


def find_unknown_construct(bench: Workbench, known: Known) -> ast.Node | None:
    """Examples, looks and figures are no part of what is proved: they say nothing of how a game goes."""
    for piece in bench.program.game.declarations:
        if not isinstance(piece, ast.Example | ast.Look | ast.Figure):
            for node in walk(piece):
                construct = find_construct(bench, node)
                if construct is not None and type(construct) not in known:
                    return node
    return None


def find_construct(bench: Workbench, node: ast.Node) -> object:
    """What it comes to. None: it is a name for something that is declared or meant as a whole, or it has no meaning at
    this table."""
    if isinstance(node, ast.Statement):
        return lower_statement(bench, node)
    return find_operation(bench, node) if isinstance(node, ast.Expr) else node
