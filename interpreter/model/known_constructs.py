"""Which constructs a proof knows. Takes rules and the classes that a proof was written for, gives the first node of
another class: rules with such a node are beyond the proof, and it refuses.

Of statements the class of what they come to counts: a new word for effects that a proof knows is no news to it.

`SINCE_EDITION_1` is what all proofs were read through for. It is never extended: a construct that enters the language
later is added to the set of each proof once that proof has learned it. Until then it says nothing of rules that use it.
"""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import Workbench
from rulesrun.interpreter.model.core_lowering import lower_statement

Known = frozenset[type]

EXPRESSIONS: Known = frozenset({
    ast.Number, ast.Text, ast.Truth, ast.Nothing, ast.Name, ast.Index, ast.Call, ast.Of, ast.Item, ast.Filter,
    ast.Range, ast.SetOf, ast.Literal, ast.Each, ast.Quantified, ast.Aggregate, ast.Best, ast.Compare, ast.In,
    ast.IsEmpty, ast.Arithmetic, ast.Negate, ast.Not, ast.And, ast.Or, ast.IfElse, ast.Can, ast.Before,
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
BOARDS: Known = frozenset({ast.Board, ast.PlaceLine})
MIXED_KINDS: Known = frozenset({ast.EitherType, ast.Joined})
SEEN_BY_SOME: Known = frozenset({ast.SeenBy})
SETS: Known = frozenset({ast.SetType, ast.Combinations})
TEAMS: Known = frozenset({ast.Teams})


def find_unknown_construct(bench: Workbench, known: Known) -> ast.Node | None:
    """Examples, looks and figures are no part of what is proved: they say nothing of how a game goes."""
    for piece in bench.program.game.declarations:
        if not isinstance(piece, ast.Example | ast.Look | ast.Figure):
            for node in walk(piece):
                if type(lower_statement(bench, node) if isinstance(node, ast.Statement) else node) not in known:
                    return node
    return None
