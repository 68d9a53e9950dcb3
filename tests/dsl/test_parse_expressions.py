"""Expressions: what binds to what, as docs/language.md says."""

from __future__ import annotations

import pytest

from rulesrun.dsl import ast
from tests.dsl.trees import codes_in, expression_of, short

READS_AS = {
    # strength
    "1 + 2 * 3": "(Arithmetic + 1 (Arithmetic * 2 3))",
    "1 - 2 - 3": "(Arithmetic - (Arithmetic - 1 2) 3)",
    "(1 - 2) * 3": "(Arithmetic * (Arithmetic - 1 2) 3)",
    "7 div 2 mod 3": "(Arithmetic mod (Arithmetic div 7 2) 3)",
    "-a of b": "(Negate (Of a b))",
    "a or b and not c = d": "(Or [a (And [b (Not (Compare = c d))])])",
    "a and b and c": "(And [a b c])",
    "a < b + 1": "(Compare < a (Arithmetic + b 1))",
    "not a and b": "(And [(Not a) b])",
    "if a or b then 1 else 2 + 3": "(IfElse (Or [a b]) 1 (Arithmetic + 2 3))",
    "if a then 1 else if b then 2 else 3": "(IfElse a 1 (IfElse b 2 3))",
    "(if a then 1 else 2) + 3": "(Arithmetic + (IfElse a 1 2) 3)",
    # of
    "rank of top of hand of p": "(Of rank (Of top (Of hand p)))",
    "column[3] of p": "(Of (Index column [3]) p)",
    "owner[row, column]": "(Index owner [row column])",
    "f(x, y) of p": "(Of (Call f [x y]) p)",
    "item k + 1 of r": None,
    "item (k + 1) of r": "(Item (Arithmetic + k 1) r)",
    "count of hand": "(Of count hand)",
    "counted(bonus) of p": "(Of (Call counted [bonus]) p)",
    # where belongs to what is counted, not to the player
    "count of hand of p where rank = 3": "(Of count (Filter (Of hand p) (Compare = rank 3)))",
    "hand of p where a and b": "(Filter (Of hand p) (And [a b]))",
    "1 + count of hand where a": "(Arithmetic + 1 (Of count (Filter hand a)))",
    "(count of hand where a) >= 5": "(Compare >= (Of count (Filter hand a)) 5)",
    "count of (1..3 where it = 2)": "(Of count (Filter (Range 1 3) (Compare = it 2)))",
    # over: the element has a name or is `it`
    "sum of rank over c in hand": "(Aggregate sum False rank (Each c hand))",
    "sum of rank over hand where a": "(Aggregate sum False rank (Each - (Filter hand a)))",
    "sum of distinct rank over c in hand": "(Aggregate sum True rank (Each c hand))",
    "count of distinct rank over c in hand": "(Aggregate count True rank (Each c hand))",
    "sum of (2 * rank) over hand": "(Aggregate sum False (Arithmetic * 2 rank) (Each - hand))",
    "sum of count of hand of p over p in players": "(Aggregate sum False (Of count (Of hand p)) (Each p players))",
    "highest of offer of p over p in players": "(Aggregate highest False (Of offer p) (Each p players))",
    "highest sorted of amount(c) over c in Colour": None,
    "sum of x of r over r in 1..n": "(Aggregate sum False (Of x r) (Each r (Range 1 n)))",
    # quantifiers
    "some c in hand has a and b": "(Quantified some (Each c hand) (And [a b]))",
    "every r in 1..3 has every c in 1..3 has a": "(Quantified every (Each r (Range 1 3)) "
    "(Quantified every (Each c (Range 1 3)) a))",
    "a or no p in players has b": "(Or [a (Quantified no (Each p players) b)])",
    "not some c in hand where a has b": "(Not (Quantified some (Each c (Filter hand a)) b))",
    "if every o in opponents has a > b then 1 else 0": "(IfElse (Quantified every (Each o opponents) "
    "(Compare > a b)) 1 0)",
    "no": "(Truth False)",
    "no or yes": "(Or [(Truth False) (Truth True)])",
    "winner = the p in players where not out of p with highest rank of top of hand of p": "(Compare = winner "
    "(Best the (Each p (Filter players (Not (Of out p)))) highest (Of rank (Of top (Of hand p)))))",
    "those c in hand with lowest rank": "(Best those (Each c hand) lowest rank)",
    # comparisons
    "x is nothing": "(Compare = x (Nothing))",
    "x is not nothing": "(Compare is not x (Nothing))",
    "x is not y": "(Compare is not x y)",
    "hand is empty": "(IsEmpty hand False)",
    "hand is not empty": "(IsEmpty hand True)",
    "a - b in 0..1": "(In (Arithmetic - a b) (Range 0 1) False)",
    "x not in {1, 3}": "(In x (SetOf [<1> <3>]) True)",
    "{red 7, blue 7}": "(SetOf [<red 7> <blue 7>])",
    "{n + 1, hand of p}": "(SetOf [<(Arithmetic + n 1)> <(Of hand p)>])",
    "{}": "(SetOf [])",
    "a < b < c": None,
    "a = b = c": None,
    # words
    "can exchange and a": "(And [(Can exchange) a])",
    "before (count of hand) + 1": "(Arithmetic + (Before (Of count hand)) 1)",
    "smallest(a, b) / 2": "(Arithmetic / (Call smallest [a b]) 2)",
    "position(x, r)": "(Call position [x r])",
    "left of p": "(Of left p)",
    "first of r": "(Of first r)",
}


@pytest.mark.parametrize("text", READS_AS)
def test_binds_as_the_reference_says(text: str) -> None:
    tree = READS_AS[text]
    if tree is None:
        assert codes_in(f"define x = {text}")
    else:
        assert short(expression_of(text)) == tree


def test_words_of_the_language_are_names_where_no_keyword_can_stand() -> None:
    text = "place of turn + round - first + row of game + secret[turns] + to"
    assert short(expression_of(text)).count("(Of ") == 2


def test_names_are_compared_after_normalisation() -> None:
    composed, apart = expression_of("caf\u00e9"), expression_of("cafe\u0301")
    assert isinstance(composed, ast.Name)
    assert isinstance(apart, ast.Name)
    assert composed.text == apart.text


@pytest.mark.parametrize("name", ["цвет", "色", "कार्ड", "x1_y", "größe"])
def test_names_are_of_any_script(name: str) -> None:
    assert short(expression_of(name)) == name


def test_spans_are_exact() -> None:
    body = expression_of("(count of hand where colour = red) >= 5 + limit")
    text = "rules 1\ndefine x = (count of hand where colour = red) >= 5 + limit\n"
    assert isinstance(body, ast.Compare)
    assert isinstance(body.left, ast.Of)
    assert text[body.span.start : body.span.end] == "(count of hand where colour = red) >= 5 + limit"
    assert text[body.left.span.start : body.left.span.end] == "count of hand where colour = red"
    assert text[body.left.subject.span.start : body.left.subject.span.end] == "count"
    assert text[body.left.owner.span.start : body.left.owner.span.end] == "hand where colour = red"
    assert text[body.right.span.start : body.right.span.end] == "5 + limit"
