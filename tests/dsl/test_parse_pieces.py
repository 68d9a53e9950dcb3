"""Pieces and statements: what each line of docs/language.md becomes."""

from __future__ import annotations

import pytest

from rulesrun.dsl import ast
from rulesrun.dsl.parsing.parse import parse_source
from rulesrun.dsl.text.source import Source
from tests.dsl.trees import example_line_of, piece_of, pieces_of, short, statement_of

PIECES = {
    'game "A b"': "(Title A b)",
    "players 2..5": "(Players 2 5)",
    "players 2": "(Players 2 2)",
    "rounds players, starter moves left": "(Rounds players - left)",
    "rounds until a = 3": "(Rounds - (Compare = a 3) -)",
    "values Sign: plus \"+\", minus": "(Values Sign [(Enumerator plus +) (Enumerator minus -)] -)",
    "values Stand: 1..n": "(Values Stand [] (RangeType 1 n []))",
    "token Token: colour Colour, 21 of each": "(Components token Token [(AttributeDecl colour "
    "(NamedType Colour) -)] [] [] 21 - -)",
    "card Stone: low 0..6, high 0..6 where low <= high, n of each": "(Components card Stone "
    "[(AttributeDecl low (RangeType 0 6 []) -) (AttributeDecl high (RangeType 0 6 []) -)] "
    "[] [] n (Compare <= low high) -)",
    "card Goal: letter Letter, bonus -9..9, rule met": "(Components card Goal [(AttributeDecl letter "
    "(NamedType Letter) -) (AttributeDecl bonus (RangeType (Negate 9) 9 []) -) (AttributeDecl met - -)] [] [] - - -)",
    "option first: lot, seat = lot": "(Option first (WordsType [lot seat] False) lot False -)",
    "option a: yes or no = no": "(Option a (TruthType) (Truth False) False -)",
    "option heaps: row of 0..9 up to 5 = {1, 3}": "(Option heaps (RowType (RangeType 0 9 []) 5) "
    "(SetOf [<1> <3>]) False -)",
    'reading when: now, later = now\n  "one"\n  "two"': "(Option when (WordsType [now later] False) now True one two)",
    'require players = 5 or not two because "no"': "(Require (Or [(Compare = players 5) (Not two)]) no)",
    "zone stock: pile of Card, hidden": "(Zone stock [] False pile Card hidden - - - -)",
    "zone row[Stand, 1..2] of player: row of Card, public top, up to 5, sorted by rank": "(Zone row "
    "[(NamedType Stand) (RangeType 1 2 [])] True row Card public top 5 rank - -)",
    "zone supply: set of Card": "(Zone supply [] False set Card - - - - -)",
    "number n[Colour] of player: 0..9 = 3, each round, private, clamped": "(Variable number n "
    "[(NamedType Colour)] True (RangeType 0 9 []) 3 round private True -)",
    "marker m: player or nothing, each turn": "(Variable "
    "marker m [] False (Optional (PlayerType)) - turn public False -)",
    "marker layout: order of 1..5": "(Variable "
    "marker layout [] False (OrderType (RangeType 1 5 [])) - - public False -)",
    "memory seen, each round": "(Memory seen round)",
    "memory seen": "(Memory seen -)",
    "table t(n 1..5): 1: 8, 2..4: 7, otherwise: 6": "(Table t [(Parameter n (RangeType 1 5 []))] "
    "[(Entry [1] False 8) (Entry [(Range 2 4)] False 7) (Entry - True 6)])",
    "table t(n 1..3): 8, 7, 6": "(Table t [(Parameter n (RangeType 1 3 []))] "
    "[(Entry - False 8) (Entry - False 7) (Entry - False 6)])",
    "table t(c Colour, n 1..3):\n  red 2: 5\n  -1: 4, otherwise: 0": "(Table t [(Parameter c (NamedType Colour)) "
    "(Parameter n (RangeType 1 3 []))] [(Entry [red 2] False 5) (Entry [(Negate 1)] False 4) (Entry - True 0)])",
    "define f(a player, b Card) = a": "(Define f [(Parameter a (PlayerType)) (Parameter b (NamedType Card))] a)",
    "phase p when a: turns from 1 skipping b until c\n  do s": "(Phase p a (Turns False 1 - b c [] - []) [(Do s)])",
    "phase p: one turn each from left of q except q\n  do s":
        "(Phase p - (Turns True (Of left q) q - - [] - []) [(Do s)])",
    "phase p: repeat 3 times\n  do s": "(Phase p - (Repeat 3 - []) [(Do s)])",
    "phase p\n  do s": "(Phase p - - [(Do s)])",
    "setup round\n  do s": "(Setup True [(Do s)])",
    'action a(give from hand where x, 2..4 cards from hand, n in 1..3), secret\n  needs n > 1 because "b"\n  needs c\n'
    "  do s": "(Action a [(Choice give from - (Filter hand x)) (Choice cards from (RangeType 2 4 []) hand) "
    "(Choice n in - (Range 1 3))] [(Needs (Compare > n 1) b) (Needs c -)] True [(Do s)])",
    "action pass": "(Action pass [] [] False [])",
    "score each round\n  a = 1\n  b = 2": "(Score round [(ScoreLine a 1) (ScoreLine b 2)])",
    "score at end\n  a = 1": "(Score end [(ScoreLine a 1)])",
    "score\n  a = 1": "(Score told [(ScoreLine a 1)])",
    "ranking: highest total when a, then lowest (b + c), ties share": "(Ranking [(Criterion highest total a) "
    "(Criterion lowest (Arithmetic + b c) -)] True)",
    "ranking: highest total": "(Ranking [(Criterion highest total -)] False)",
    "result: won when a, drawn when b, otherwise lost": "(Result [(Outcome won a) (Outcome drawn b)] lost)",
    'always "t": a': "(Property always - - t a - -)",
    'at end of round "t": a': "(Property at end round - t a - -)",
    'after zero "t": a': "(Property after - zero t a - -)",
    'can happen "t": a': "(Property can happen - - t a - -)",
    'ends within 9 rounds "t"': "(Property ends within rounds - t (Truth True) 9 -)",
    'at most 1/10 of games "t": a': "(Property at most - - t a - [1 10])",
    'words ru\n  game: "Зеро"\n  card: "Карта"': "(Words ru [(Word game Зеро) (Word card Карта)])",
    'variant "T" of "base.rules"': "(VariantOf T (Text base.rules))",
    "change phase p: turns from 1": "(ChangePiece (Phase p - (Turns False 1 - - - [] - []) []) True)",
    "change step s\n  do t": "(ChangePiece (Step s [(Do t)]) False)",
    "remove action zero": "(RemovePiece action zero -)",
    'remove always "a b"': "(RemovePiece always a b -)",
    "remove row a of Goal": "(RemovePiece row a Goal)",
    "remove setup round": "(RemovePiece setup round  -)",
    "add row mine of Goal: A, 4, a = 7": "(ChangeRow True (RowDecl mine [A 4 (Compare = a 7)] -) Goal)",
    "change row mine of Goal: A, 2 of each": "(ChangeRow False (RowDecl mine [A] 2) Goal)",
    "add line penalty: -passes": "(ChangeLine True (ScoreLine penalty (Negate passes)))",
    "set first_game = yes": "(Fix first_game (Truth True))",
}  # fmt: skip

STATEMENTS = {
    "shuffle all Card into stock": "(Shuffle Card True stock)",
    "shuffle stock": "(Shuffle stock False -)",
    "shuffle (3 of hand) into stock": "(Shuffle (Of 3 hand) False stock)",
    "deal 9 from stock to each hand": "(Deal deal False 9 stock - True hand -)",
    "draw up to 2 from stock[1] of p where a to hand as new": "(Deal "
    "draw True 2 (Of (Index stock [1]) p) a False hand new)",
    "move give to supply": "(Move False give supply -)",
    "move all hand to bottom of stock in order of rank": "(Move True hand (Of bottom stock) (Order False rank))",
    "move all Bid where owner = player to hand in reverse order of rank": "(Move True "
    "(Filter Bid (Compare = owner player)) hand (Order True rank))",
    "move (n - 7) of (collection where a) to reserve": "(Move False (Of (Arithmetic - n 7) (Filter collection a)) "
    "reserve -)",
    "passes becomes 0": "(Becomes passes 0)",
    "owner[r, c] becomes player": "(Becomes (Index owner [r c]) player)",
    "chips of p decreases by 2": "(Increases (Of chips p) -1 2)",
    "passes increases by 1": "(Increases passes 1 1)",
    "show becomes 1": "(Becomes show 1)",
    "turns[2] of p increases by 1": "(Increases (Of (Index turns [2]) p) 1 1)",
    "choose a or b, else x becomes 1": "(Choose player - - [a b] False (Becomes x 1) False)",
    "roll coin with chances 2, 1": "(Roll coin [2 1])",
    "roll face": "(Roll face [])",
    "draw lots for starter": "(Lots starter)",
    "choose a": "(Choose player - - [a] False - False)",
    "choose a, b or c if possible": "(Choose player - - [a b c] True - False)",
    "choose a or b, else end game": "(Choose player - - [a b] False (End game) False)",
    "all choose bid where not folded": "(Choose all - (Not folded) [bid] False - False)",
    "team chooses begin": "(Choose team - - [begin] False - False)",
    "left of p chooses a or b": "(Choose named (Of left p) - [a b] False - False)",
    "do a_turn": "(Do a_turn)",
    "end phase": "(End phase)",
    "show hand to p": "(Show hand p)",
    "show hand": "(Show hand -)",
    "count points": "(CountPoints)",
    "record centre, list of collection of p over p in players, player in seen": "(Record [centre (Aggregate list False "
    "(Of collection p) (Each p players)) player] seen)",
    "if a\n  do s\notherwise if b\n  do t\notherwise\n  do u": "(If [(Branch a [(Do s)]) (Branch b [(Do t)]) "
    "(Branch - [(Do u)])])",
    "each c in hand where folded in order of rank\n  do s": "(ForEach (Each c (Filter hand folded)) (Order False rank) "
    "[(Do s)])",
    "each player\n  do s": "(EachPlayer - - - [(Do s)])",
    "each player from starter where a in reverse order of b\n  do s": "(EachPlayer starter a (Order True b) [(Do s)])",
    "repeat until a\n  do s": "(Repeat - a [(Do s)])",
    "turns from 1 until a skipping b\n  do s": "(Turns False 1 - b a [(Do s)] - [])",
}  # fmt: skip

EXAMPLE_LINES = {
    "players 3": "(ForPlayers 3)",
    "set a = yes": "(Set a (Truth True))",
    "given hand of 1: red 7, 46, A -3": "(GivenCards (Of hand 1) [<red 7> <46> <A (Negate 3)>])",
    "given hand of 1:": "(GivenCards (Of hand 1) [])",
    "given owner[1, 2] = player": "(GivenValue (Index owner [1 2]) player)",
    "given turn of 2": "(GivenTurn 2)",
    "given phase p": "(GivenPhase p)",
    "next: red 7, 3": "(NextChance [<red 7> <3>])",
    "when 1: exchange(red 7, {blue 1, 2})": "(When 1 exchange [<red 7> <(SetOf [<blue 1> <2>])>] False)",
    "when team: begin(2)": "(When - begin [<2>] False)",
    "when 2: pass": "(When 2 pass [] False)",
    "when 2: pass if possible": "(When 2 pass [] True)",
    "then phase = last": "(Then (Compare = phase last))",
    "then 1 cannot exchange(red 7, red 7)": "(ThenCan 1 False exchange [<red 7> <red 7>])",
    "then the game is over": "(ThenOver True)",
    "then the game goes on": "(ThenOver False)",
    "then 1 can zero": "(ThenCan 1 True zero -)",
    "then can zero": "(Then (Can zero))",
    "todo": "(Todo)",
}


@pytest.mark.parametrize("text", PIECES)
def test_piece(text: str) -> None:
    assert short(piece_of(text)) == PIECES[text]


@pytest.mark.parametrize("text", STATEMENTS)
def test_statement(text: str) -> None:
    assert short(statement_of(text)) == STATEMENTS[text]


@pytest.mark.parametrize("text", EXAMPLE_LINES)
def test_example_line(text: str) -> None:
    assert short(example_line_of(text)) == EXAMPLE_LINES[text]


def test_rows_and_computed_attributes_stand_below_their_components() -> None:
    text = "card C: n 1..60\n  colour Colour = item n of Colour\n  rule met = n > 3\n  a: 1, yes\n  b: 2, 5 of each"
    piece = piece_of(text)
    assert isinstance(piece, ast.Components)
    assert [short(attribute) for attribute in piece.computed] == [
        "(AttributeDecl colour (NamedType Colour) (Item n Colour))",
        "(AttributeDecl met - (Compare > n 3))",
    ]
    assert [short(row) for row in piece.rows] == ["(RowDecl a [1 (Truth True)] -)", "(RowDecl b [2] 5)"]


def test_notes_belong_to_pieces_and_score_lines_and_all_else_is_comment() -> None:
    text = (
        "rules 1\n## one\n# plain\n## two\nscore at end  # tail\n  ## inner\n  a = 1\n"
        'setup\n  ## loose\n  do s\ngame "#1"\n'
    )
    parsed = parse_source(Source("t", text))
    score = parsed.declarations[1]
    assert isinstance(score, ast.Score)
    assert score.notes == ("one", "two")
    assert score.lines[0].notes == ("inner",)
    shown = [(comment.text, comment.line, comment.own_line) for comment in parsed.comments]
    assert shown == [("# plain", 3, True), ("# tail", 5, False), ("## loose", 9, True)]
    assert all(text[one.span.start : one.span.end] == one.text for one in parsed.comments)


@pytest.mark.parametrize(
    "text",
    [
        "define x =\n  a\n  and b",
        "define x = a and\n  b",
        "define x = (a\n  and b\n)",
        "define x = a  # why\n\n  # between\n    and b",
        "define x =\r\n  a\r\n    and b\r",
        "define x = a and (\n  b)",
    ],
)
def test_a_line_goes_on_below(text: str) -> None:
    assert short(piece_of(text)) == "(Define x [] (And [a b]))"


def test_then_below_an_example_is_a_line_of_it() -> None:
    piece = piece_of('example "e"\n  then a\n  when 1: p\n  then b')
    assert isinstance(piece, ast.Example)
    assert [type(line).__name__ for line in piece.lines] == ["Then", "When", "Then"]


def test_a_byte_order_mark_is_no_sign() -> None:
    assert parse_source(Source("t", "\ufeffrules 1\nplayers 2\n")).diagnostics == ()


def test_blocks_lie_three_deep() -> None:
    (piece,) = pieces_of("setup\n  each player\n    if a\n      each c in hand\n        do s\n    do t\n  do u")
    assert short(piece) == (
        "(Setup False [(EachPlayer - - - [(If [(Branch a [(ForEach (Each c hand) - [(Do s)])])]) (Do t)]) (Do u)])"
    )
