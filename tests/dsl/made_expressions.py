"""Any expression, made up by Hypothesis: trees as the parser makes them."""

from __future__ import annotations

from hypothesis import strategies as st

from rulesrun.dsl import ast
from rulesrun.dsl.text.source import Span

PLACE = Span("", 0, 0)
WORDS = st.sampled_from(["a", "b", "hand", "player", "rank", "it"])


def node(kind: type[ast.Node], *parts: st.SearchStrategy[object]) -> st.SearchStrategy[ast.Node]:
    return st.tuples(*parts).map(lambda given: kind(*given, span=PLACE))


NAMES = node(ast.Name, WORDS)
ATOMS = st.one_of(
    node(ast.Number, st.integers(0, 20)), NAMES, node(ast.Truth, st.booleans()), node(ast.Can, NAMES)
)
COUNTED = st.sampled_from(["count", "sum", "highest", "lowest", "list", "sorted"])


def several(items: st.SearchStrategy[object], least: int = 2) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(items, min_size=least, max_size=3).map(tuple)


def larger(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    values = inner.filter(lambda expr: not isinstance(expr, ast.Arithmetic))
    named = node(ast.Each, NAMES, values)
    each = node(ast.Each, st.none() | NAMES, values)
    negated = st.booleans()
    single = node(ast.Literal, st.tuples(inner))
    pair = node(ast.Literal, st.tuples(NAMES, node(ast.Number, st.integers(0, 9))))
    aggregate = st.tuples(COUNTED, st.booleans()).map(lambda given: (given[0], given[1] or given[0] == "count"))
    return st.one_of(
        node(ast.Index, NAMES, several(inner, 1)),
        node(ast.Call, NAMES, several(inner, 1)),
        node(ast.Of, node(ast.Name, COUNTED) | NAMES | inner, inner),
        node(ast.Item, inner, inner),
        node(ast.Filter, inner, inner),
        node(ast.Range, inner, inner),
        node(ast.SetOf, several(single | pair, 0)),
        node(ast.Quantified, st.sampled_from(["some", "every", "no"]), named, inner),
        st.tuples(aggregate, inner, each).map(
            lambda given: ast.Aggregate(*given[0], given[1], given[2], span=PLACE)  # type: ignore[arg-type]
        ),
        node(ast.Best, st.sampled_from(["the", "those"]), named, st.sampled_from(["highest", "lowest"]), inner),
        node(ast.Compare, st.sampled_from(["=", "is not", "<", "<=", ">", ">="]), inner, inner),
        node(ast.Compare, st.sampled_from(["=", "is not"]), inner, node(ast.Nothing)),
        node(ast.In, inner, inner, negated),
        node(ast.IsEmpty, inner, negated),
        node(ast.Arithmetic, st.sampled_from(["+", "-", "*", "/", "div", "mod"]), inner, inner),
        node(ast.Negate, inner),
        node(ast.Not, inner),
        node(ast.And, several(inner)),
        node(ast.Or, several(inner)),
        node(ast.IfElse, inner, inner, inner),
        node(ast.Before, inner),
    )


EXPRESSION = st.recursive(ATOMS, larger, max_leaves=8)
