"""What people get wrong: one message each, at the exact words, and as many as there are mistakes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rulesrun.dsl.parse import parse
from rulesrun.dsl.source import Source
from tests.dsl.trees import found_in

# The text, the code, the words that are marked, a part of the message or the hint.
MISTAKES = [
    ("zone stock pile of Card, hidden", "missing-colon", "pile", "after `stock`, write `:`"),
    ("zone stock: pile Card, hidden", "unexpected-word", "Card", "`of`"),
    ("zone stock: piles of Card, hidden", "unexpected-word", "piles", "did you mean `pile`?"),
    ("Zone stock: pile of Card, hidden", "wrong-word", "Zone", "write `zone`"),
    ("zone stock: pile of Card, Hidden", "wrong-word", "Hidden", "write `hidden`"),
    ("zone count: pile of Card, hidden", "reserved-word", "count", "is a word of the language"),
    ("zone stock: pile of Card, hidden, hidden", "said-twice", "hidden", "said twice"),
    ("zone stock: pile of Card, private top", "bad-visibility", "private top", "public top"),
    ("zones stock: pile of Card", "unknown-piece", "zones", "did you mean `zone`?"),
    ("deck stock: pile of Card", "unknown-piece", "deck", "write `zone`"),
    ("deal 5 from stock to hand", "misplaced-statement", "deal", "indent it"),
    ("passes becomes 0", "misplaced-statement", "passes", "indent it"),
    ("points = 3", "unknown-piece", "points", "indented"),
    ("game “Zero”", "curly-quotes", "“", 'write `"`'),
    ("game Zero", "unexpected-word", "Zero", "a text in quotes"),
    ('game "Zero', "unclosed-text", '"Zero', "on the line where it begins"),
    ("players 2-6", "wrong-sign", "2-6", "`2..6`"),
    ("number coins: 0..18, private = 18", "unexpected-word", "=", "before the first comma"),
    ("card Card: rank 0..15, 2 of each where rank > 1", "unexpected-word", "where", "… where …, 2 of each"),
    ("step take(n 1..3)", "unexpected-word", "(", "a step takes nothing"),
    ("players 2...5", "wrong-sign", "...", "1..5"),
    ("values Colour: red orange", "missing-comma", "orange", "`,` is missing"),
    ("option first: lot, seat", "unfinished-line", "", "`=`"),
    ("define x = a == b", "wrong-sign", "==", "`=` compares"),
    ("define x = a != b", "wrong-sign", "!=", "`is not`"),
    ("define x = a <> b", "wrong-sign", "<>", "`is not`"),
    ("define x = a ≠ b", "wrong-sign", "≠", "`is not`"),
    ("define x = a && b", "wrong-sign", "&&", "`and`"),
    ("define x = a;", "wrong-sign", ";", "ends by itself"),
    ("define x = a = b = c", "chained-comparison", "=", "`and`"),
    ("define x = 1 < n < 3", "chained-comparison", "<", "`and`"),
    ("define x = count of hand where colour = red >= 5", "missing-brackets", "hand where colour = red", "brackets"),
    ("define x = some c in hand has a > 1 = b", "missing-brackets", "=", "(… has …) = …"),
    ("define x = 1 + if a then 2 else 3", "missing-brackets", "if", "brackets"),
    ("define x = sum of 2 * rank over hand", "missing-brackets", "over", "brackets"),
    ("define x = sum of rank over hand + 1", "missing-brackets", "hand + 1", "brackets"),
    ("define x = phase is last", "wrong-word", "is", "write `=`"),
    ("define x = any hand is empty", "wrong-word", "any", "some p in players has hand of p"),
    ("define x = nobody can play", "wrong-word", "nobody", "no p in players"),
    ("define x = count of hand is at least 3", "wrong-word", "is at least", "write `>=`"),
    ("define x = n is greater than 3", "wrong-word", "is greater", "write `>`"),
    ("define x = n equals 3", "wrong-word", "equals", "write `=`"),
    ("define x = hand contains red", "wrong-word", "contains", "some c in hand has"),
    ("define x = stock empty", "wrong-word", "empty", "stock is empty"),
    ("define x = (the count of hand)", "wrong-word", "the", "leave `the` out"),
    ("setup\n  if cuont of hand where colour = red", "wrong-word", "cuont", "`count`"),
    ("define x = 0.5 * y", "decimal-number", "0.5", "`1 / 2`"),
    ("define x = c.colour", "wrong-sign", ".", "`colour of c`"),
    ("define x = (a + b", "unclosed-bracket", "(", "`)`"),
    ("define x = a + b)", "unclosed-bracket", ")", "closes nothing"),
    ("define x = (a + b]", "unclosed-bracket", "(", "closed by `]`"),
    ("define x = a AND b", "wrong-word", "AND", "write `and`"),
    ("define x = a and", "unfinished-line", "", "a value is missing"),
    ("define x = if a then b", "unfinished-line", "", "`else`"),
    ("define x = hand – 1", "pasted-sign", "–", "PDF"),
    ("define x = hand\u00a0+ 1", "pasted-sign", "\u00a0", "PDF"),
    ("define x = ha\u00adnd", "pasted-sign", "\u00ad", "PDF"),
    ("define x = ﬁrst of b", "pasted-sign", "ﬁrst", "PDF"),
    ("define x = 99999999999999999999", "number-too-large", "99999999999999999999", "too large"),
    ("define f(a) = 3", "unexpected-word", ")", "a type"),
    ("setup\nshuffle stock", "misplaced-statement", "shuffle", "indent it"),
    ("define x = a\nand b", "unknown-piece", "and", "stands deeper"),
    ("define x = a\n  + b", "unexpected-indentation", "+ b", "end the line above with `+`"),
    ("setup\n  if x\n do s", "uneven-indentation", "do s", "exactly like"),
    ("setup:\n  shuffle stock", "wrong-sign", ":", "leave the `:` out"),
    ("setup {\n  shuffle stock\n}", "wrong-sign", "{", "indented"),
    ("setup\n  shufle stock", "unknown-statement", "shufle", "did you mean `shuffle`?"),
    ("setup\n  deal 9 stock to hand", "unexpected-word", "stock", "`from`"),
    ("setup\n  deal 9 from stock", "unfinished-line", "", "`to`"),
    ("setup\n  x = 3", "wrong-sign", "=", "write `becomes`"),
    ("setup\n  x := 3", "wrong-sign", ":=", "write `becomes`"),
    ("setup\n  x increase by 1", "unexpected-word", "increase", "did you mean `increases`?"),
    ("setup\n  pass", "unknown-statement", "pass", "`choose pass`"),
    ("setup\n  while x", "unknown-statement", "while", "`repeat until`"),
    ("setup\n  if x\n    do s\n  else\n    do t", "unknown-statement", "else", "write `otherwise`"),
    ("setup\n  otherwise\n    do s", "misplaced-otherwise", "otherwise", "belongs to no `if`"),
    ("setup\n  if x\n  do s", "empty-body", "if x", "indented"),
    ("setup\n  zone x: pile of Card", "misplaced-piece", "zone", "at the very left"),
    ("setup\n  turns from 1 except 2\n    do s", "misplaced-except", "except 2", "skipping"),
    ("setup\n\tshuffle stock", "tab-in-indentation", "\t", "spaces"),
    ("setup\n    do s\n  do t", "uneven-indentation", "do t", "exactly like"),
    ("setup\n  do s\n    do t", "unexpected-indentation", "do t", "like the line above"),
    ("action a\n  do s\n  needs x", "misplaced-needs", "needs x", "first below"),
    ('example "a"\n  give hand: red 7', "unknown-line", "give", "did you mean `given`?"),
    ('example "a"\n  when 1 pass', "missing-colon", "pass", "after `1`"),
    ("score each round\n  points: 3", "wrong-sign", ":", "`=`"),
    ("ranking highest total", "missing-colon", "highest", "after `ranking`"),
    ("number n: 0..2, each rounds", "unexpected-word", "rounds", "did you mean `round`?"),
    ("values Colour = red, blue", "missing-colon", "=", "write `:`"),
    ("players: 2..5", "wrong-sign", ":", "leave the `:` out"),
    ("players 2 to 5", "wrong-word", "to", "write `..`"),
    ("values: red, blue", "wrong-sign", ":", "its name"),
    ("always: x", "wrong-sign", ":", "a text in quotes"),
    ("define f: x", "wrong-sign", ":", "write `=`"),
    ("define x = if a: b else c", "wrong-sign", ":", "write `then`"),
    ("zone stock: deck of Card", "wrong-word", "deck", "write `pile`"),
    ("zone stock: a pile of Card", "unexpected-word", "a", "leave `a` out"),
    ("setup\n  deal 9 cards from a to b", "unexpected-word", "cards", "leave `cards` out"),
    ("setup\n  deal 9 from a to every b", "wrong-word", "every", "write `each`"),
    ("setup\n  passes + 1", "wrong-sign", "+", "`increases by`"),
    ("setup\n  set passes to 0", "unknown-statement", "set", "becomes"),
    ("setup\n  if a then do b", "unexpected-word", "then", "below"),
    ("action a()", "wrong-sign", ")", "leave `()` out"),
    ("add action a", "unknown-piece", "add", "`add row`"),
    ("define x = any c in hand has y", "wrong-word", "any", "write `some c in …`"),
    ("define x = rank given <= 3", "unexpected-word", "given", "write `rank of given`"),
    ("define x = count of hand 1 = 3", "unexpected-word", "1", "write `hand of 1`"),
    ("define x = a with b", "unexpected-word", "with", "`with`"),
    ("define x = a < top of heap rank", "unexpected-word", "rank", "`rank of …`"),
    ("define x = red 1 in hand", "unexpected-word", "red 1", "`some c in … has c in {red 1}`"),
    ("define x = top of heap = red 1", "unexpected-word", "red 1", "`top of … in {red 1}`"),
    ("define x = sum rank over c in hand", "unexpected-word", "rank", "write `of` before it"),
    ("card Card: colour, rank 1..6", "unexpected-word", ",", "a name and a type"),
    ("action lay(given form hand)", "unexpected-word", "form", "did you mean `from`?"),
    ("zone hand player: set of Card, private", "unexpected-word", "player", "write `of player`"),
    ("phase p: turns from first player", "unexpected-word", "first player", "`starter`"),
    ("ranking: lowest total, ties shared", "unexpected-word", "ties", "write `ties share`"),
    ("setup\n  shuffle all Card in stock", "wrong-word", "in", "write `into`"),
    ("setup\n  x increases 1", "unexpected-word", "1", "write `by` before it"),
    ('example "x"\n  then 1 can lay red 1', "unexpected-word", "red", "write `lay(red …)`"),
    ('example "x"\n  red 1 in hand', "unknown-line", "red", "`given` says how things lie"),
    ("action bid(count in 1..6)", "reserved-word", "count", "first_count"),
    ("define x of player = 3", "unexpected-word", "of", "leave it out"),
    ("define x(n 1..3) of player = 3", "unexpected-word", "of", "leave it out"),
    ("define x = count(hand)", "wrong-sign", "(", "write `count of …`"),
    ("define x = the highest rank in hand", "unexpected-word", "rank", "with highest"),
    ("define x = if a then b otherwise c", "wrong-word", "otherwise", "write `else`"),
    ('example "x"\n  then 1 can not pass', "wrong-word", "can not", "write `cannot`"),
    ('example "x"\n  given hand of 1 = red 7', "unexpected-word", "7", "write `:`"),
    ("card Card: rank 1..10, copies 4", "unexpected-word", "copies 4", "write `4 of each`"),
    ("card Card: rank 1..10, 4 times", "unexpected-word", "4 times", "write `4 of each`"),
    ("card Card: rank 1..10 x4", "unexpected-word", "x4", "write `, 4 of each`"),
    ("4 card Card: rank 1..10", "unknown-piece", "4", "at the end of the line: `, 4 of each`"),
    ("card Card: rank 1-10", "wrong-sign", "1-10", "write `1..10`"),
    ("number n: 0-5 = 0", "wrong-sign", "0-5", "write `0..5`"),
    ("token Pawn: 4 of each player", "unexpected-word", "4", "`token Pawn: number 1..4`"),
    ("action bid(n 0..20)", "unexpected-word", "0", "`n in 0..20`"),
    ("action bid(n: 0..20)", "unexpected-word", ":", "`n in 0..20`"),
    ("action bid(n between 0 and 20)", "unexpected-word", "0", "`n in 0..20`"),
    ("action bid(0..20)", "unexpected-word", ")", "`n in 0..20`"),
    ("action bid n in 0..20", "unexpected-word", "n", "write `bid(n in …)`"),
    ("setup\n  each player chooses bid", "unexpected-word", "player", "`all choose bid`"),
    ("setup\n  all players choose bid", "unexpected-word", "players", "`all choose bid`"),
    ("setup\n  choose bid simultaneously", "unexpected-word", "simultaneously", "`all choose bid`"),
    ("setup\n  roll d in 1..6", "unexpected-word", "in", "`number die: 1..6`"),
    ("setup\n  roll 2 dice", "unexpected-word", "2", "`number die: 1..6`"),
    ("setup\n  each p in players with highest bid of p", "unexpected-word", "with", "each p in those p in players"),
    ('variant "a" of zero', "unexpected-word", "zero", '`of "zero.rules"`'),
    ("remove pass", "unexpected-word", "pass", "`remove action pass`"),
    ("change cards = 10", "unexpected-word", "cards", "`change define cards`"),
    ("extends zero", "unknown-piece", "extends", '`variant "…" of "….rules"`'),
    ("change zon x: pile of Card, hidden", "unknown-piece", "zon", "did you mean `zone`?"),
    ("setup\n  deal 9 cards to each player", "unexpected-word", "cards", "`deal 9 from … to each hand`"),
    ("setup\n  draw a card from a to b", "unexpected-word", "card", "`draw 1 from a to b`"),
    ("setup\n  draw card from a", "unfinished-line", "", "`draw 1 from a to …`"),
    ("setup\n  draw top of a to b", "unexpected-word", "top", "`draw 1 from a to …`"),
    ("setup\n  move 1 from a to b", "unexpected-word", "from", "`draw 1 from a to b`"),
    ("setup\n  move c from a to b", "unexpected-word", "from", "`move c to b`"),
    ("setup\n  move all cards from a to b", "unexpected-word", "from", "`move all a to b`"),
    ("setup\n  move top card of a to b", "unexpected-word", "card", "`top of …`"),
    ("setup\n  shuffle the deck", "wrong-word", "the", "leave `the` out"),
    ('example "x"\n  given the hand of 1: red 7', "wrong-word", "the", "leave `the` out"),
    ("setup\n  each player draws 2 from a", "unexpected-word", "draws", "below it, indented"),
    ("setup\n  each player in a\n    do s", "unexpected-word", "in", "`each p in a`"),
    ("setup\n  draw 1 from a to b and show b", "unexpected-word", "and", "a line of its own"),
    ("setup\n  if x is nothing then y becomes 1", "unexpected-word", "then", "below, indented"),
    ("setup\n  if x is nothing then\n    y becomes 1", "unexpected-word", "then", "below, indented"),
    ("setup\n  choose between lay and keep", "unexpected-word", "lay", "`choose lay or keep`"),
    ("setup\n  choose lay and keep", "unexpected-word", "and", "`choose lay or keep`"),
    ("setup\n  choose lay, keep", "unexpected-word", "", "`choose lay or keep`"),
    ("setup\n  choose lay, keep, else end game", "unexpected-word", "end", "`choose lay or keep, else …`"),
    ("setup\n  player chooses to lay or keep", "unexpected-word", "lay", "`player chooses lay or keep`"),
    ("setup\n  choose a card from hand", "unexpected-word", "card", "`action lay(card from …)`"),
    ("setup\n  choose an action", "unexpected-word", "action", "`choose lay or pass`"),
    ("setup\n  player may lay or keep", "unknown-statement", "may", "`choose lay or keep`"),
    ("setup\n  game ends", "unknown-statement", "game", "`end game`"),
    ("setup\n  player wins", "unknown-statement", "player", "`ranking`"),
    ("setup\n  next player", "unknown-statement", "next", "`end turn`"),
    ("setup\n  - do s", "wrong-sign", "-", "leave it out"),
    ("setup\n  1. do s", "wrong-sign", "1.", "leave `1.` out"),
    ("// a text", "wrong-sign", "//", "`#`"),
    ("define x = a's b", "wrong-sign", "a's", "`b of a`"),
    ("define x = a\u2019s b", "wrong-sign", "a\u2019s", "`b of a`"),
    ("зона stock: pile of Card, hidden", "unknown-piece", "зона", "are English"),
    ("z\u043ene stock: pile of Card, hidden", "wrong-word", "z\u043ene", "U+043E"),
    ("setup\n  move c t\u043e b", "wrong-word", "t\u043e", "U+043E"),
    ("setup\n  mische stock", "unknown-statement", "mische", "such as `shuffle`"),
    ("number n of player = 0", "missing-colon", "=", "`number n of player: 0..20 = 0`"),
    ("number n", "missing-colon", "", "`number n: 0..20`"),
    ("number n: 0", "unfinished-line", "", "`= 0`"),
    ("number n: 0..", "unfinished-line", "", "a highest value"),
    ("marker m = no", "missing-colon", "=", "`marker m: yes or no = no`"),
    ("marker m: true or false", "wrong-word", "true or false", "`yes or no`"),
    ("zone a of player: set of Card, visible to owner", "wrong-word", "visible to", "`private`"),
    ("zone a of player: set of Card, visible to everyone", "wrong-word", "visible to", "`public`"),
    ("zone a of player: set of Card, secret", "wrong-word", "secret", "`private`"),
    ("zone a: pile of Card, face down", "wrong-word", "face down", "`hidden`"),
    ("zone a per player: set of Card, private", "unexpected-word", "per player", "`of player`"),
    ("players 2, 3 or 4", "unexpected-word", "players 2, 3 or 4", "`players 2..4`"),
    ("3 players", "unexpected-word", "3 players", "`players 3`"),
    ("score at end\n  tricks", "unfinished-line", "tricks", "a name"),
    ("score at end\n  + tricks", "unfinished-line", "+", "a name"),
    ('example "x"\n  given hand of 1: seven of hearts', "unexpected-word", "seven of hearts", "side by side"),
    ("action a(c from hand)\n  needs c matches top of heap", "wrong-word", "matches", "`rank of c >= rank of"),
    ("4 rounds", "unknown-piece", "4 rounds", "`rounds 4`"),
    ("rounds 4, dealer moves left", "unexpected-word", "dealer", "`starter`"),
    ("rounds 4, starter moves clockwise", "unexpected-word", "clockwise", "write `left`"),
    ("phase p: each player one turn", "unexpected-word", "each", "`one turn each from starter`"),
    ("phase p: one turn each starting with 1", "unexpected-word", "starting", "write `from`"),
    ("phase p: repeat while a < 3", "wrong-word", "while", "write `until`"),
    ("phase p: repeat until a is 17 or more", "wrong-word", "is 17 or more", "`>= 17`"),
    ("setup\n  for k = 1 to 6", "unknown-statement", "for", "`each k in 1..6`"),
    ("setup\n  each 1..6", "unexpected-word", "1", "`each n in 1..6`"),
    ("setup\n  each c of hand", "wrong-word", "of", "`each c in …`"),
    ("setup\n  if a = 1, b = 2\n    do s", "unexpected-word", ",", "write `and`"),
    ('action a\n  needs if b > 1 because "x"', "wrong-word", "if", "leave `if` out"),
    ("action a\n  requires b > 1", "unknown-statement", "requires", "`needs`"),
    ("action a\n  needs b > 1 because it is full", "unexpected-word", "it", 'because "…"'),
    ("action a(up to 3 cards from hand)", "unexpected-word", "3", "`0..3 cards from …`"),
    ("define trump suit of card", "unexpected-word", "suit", "`define trump = …`"),
    ("define trump is red", "unexpected-word", "is", "`define trump = …`"),
    ("define trump\n  red", "unfinished-line", "", "`define trump = …`"),
    ("table t(n 1..3): 1: 2, else: 5", "wrong-word", "else", "`otherwise`"),
    ("always a = 1", "unexpected-word", "a", '`always "…": …`'),
    ('must "x": a = 1', "unknown-piece", "must", "`always`"),
    ('ends within 20 moves "x"', "wrong-word", "moves", "`decisions`"),
    ('at most 50% of games "x": a', "wrong-sign", "50%", "`1/2`"),
    ('at most half of games "x": a', "wrong-word", "half", "`1/2`"),
    ("persona p\n  prefer n <= 5", "unexpected-word", "<=", "`when n <= …`"),
    ("values Suit: 1, 2, 3", "unexpected-word", ",", "`1..3`"),
    ('values Suit: "clubs", "hearts"', "unexpected-word", '"clubs"', "`clubs`"),
    ("values Suit: light-blue, red", "unexpected-word", "light-blue", "`light_blue`"),
    ("values Suit: light blue, red", "missing-comma", "blue", "`light_blue`"),
    ("card Card: suit Suit, rank 2..10, J, Q", "unexpected-word", ",", "`rank 2..14`"),
    ("zone draw pile: pile of Card, hidden", "unexpected-word", "draw pile", "`draw_pile`"),
    ("zone draw-pile: pile of Card, hidden", "unexpected-word", "draw-pile", "`draw_pile`"),
    ("setup\n  draw 1 from draw pile to hand", "unexpected-word", "pile", "`draw_pile`"),
    ("setup\n  starter becomes next player", "unexpected-word", "next player", "`left of player`"),
    ("setup\n  a becomes player to the left of b", "unexpected-word", "player to the left", "`left of …`"),
    ("line points: 3", "unknown-piece", "line", "`change line`"),
    ('example "x"\n  given hand of player 1: red 7', "unexpected-word", "player 1", "write `1`"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "marked", "says"), MISTAKES)
def test_a_mistake_is_said_in_the_authors_words(text: str, code: str, marked: str, says: str) -> None:
    found = found_in(text)
    assert [one.code for one in found] == [code]
    (one,) = found
    assert f"rules 1\n{text}\n"[one.span.start : one.span.end] == marked
    assert says in f"{one.message} {one.hint}"


@pytest.mark.parametrize(("text", "code", "marked", "says"), MISTAKES)
def test_no_message_speaks_of_the_parser(text: str, code: str, marked: str, says: str) -> None:
    for one in found_in(text):
        words = f"{one.message} {one.hint}"
        assert not any(name in words for name in ("LPAR", "COLON", "NAME", "INT", "__", "Token", "$END", "[]"))


def test_neighbours_of_a_mistake_are_still_read_and_each_mistake_is_said_once() -> None:
    setup = "setup\n  shufle a\n  do s\n  deal 3 to b\n"
    parsed = parse(Source("t", f"rules 1\nzone a pile of B, hidden\nplayers 2\n{setup}game x\nphase p\n  do s\n"))
    assert [one.code for one in parsed.diagnostics] == [
        "missing-colon", "unknown-statement", "unexpected-word", "unexpected-word",
    ]  # fmt: skip
    assert [type(piece).__name__ for piece in parsed.declarations] == ["Edition", "Players", "Setup", "Phase"]


def test_what_stands_below_a_bad_line_is_left_alone() -> None:
    assert [one.code for one in found_in("phase 7\n  shufle x\n  zone")] == ["unexpected-word"]


def test_an_unclosed_bracket_does_not_swallow_the_next_piece() -> None:
    parsed = parse(Source("t", "rules 1\ndefine x = (a\nplayers 2\n"))
    assert [one.code for one in parsed.diagnostics] == ["unclosed-bracket"]
    assert len(parsed.declarations) == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "missing-edition"), ("# x\n", "missing-edition"), ("players 2\n", "missing-edition"),
     ("rules 2\n", "unknown-edition"), ("rules 1\nrules 1\n", "said-twice"), ("Rules 1\n", "wrong-word"),
     ("rules\n", "unfinished-line")],
)  # fmt: skip
def test_the_first_line_says_the_edition(text: str, code: str) -> None:
    assert [one.code for one in parse(Source("t", text)).diagnostics] == [code]


def test_a_reserved_word_is_reported_once() -> None:
    assert [one.code for one in found_in("marker every: yes or no\nsetup\n  do every")] == ["reserved-word"]


def test_findings_come_in_the_order_of_the_file() -> None:
    found = found_in("setup\n\tdo s\n  foo bar\nzone x\nplayers 2 3\ngame")
    assert all(one.span.start <= other.span.start for one, other in pairwise(found))
