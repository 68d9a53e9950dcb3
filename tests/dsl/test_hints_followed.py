"""What people wrote, what they were told, and the file when they did as they were told: it has no errors."""

from __future__ import annotations

import re

import pytest

from rulesrun.files.loading import Reading, read_text
from tests.editing.mending import apply_fix
from tests.heap_game import write_heap

BASE = write_heap(
    'heap is empty or rank of given <= rank of top of heap because "it is higher than the top card"'
)
LONE = ("rules", "players", "ranking", "setup", "score")


def pieces_in(text: str) -> list[str]:
    return re.findall(r"^\S.*\n(?: .*\n)*", text, re.MULTILINE)


def name_of(piece: str) -> tuple[str, ...]:
    words = re.findall(r'"[^"]*"|\w+', piece.splitlines()[0])
    return tuple(words[:1] if words[0] in LONE else words[:2])


def read(pieces: str) -> Reading:
    """These pieces in the game above, in the place of those of the same name."""
    new = pieces_in(pieces if pieces.endswith("\n") else f"{pieces}\n")
    names = {name_of(piece) for piece in new}
    return read_text("".join([*(piece for piece in pieces_in(BASE) if name_of(piece) not in names), *new]))


# What was written, the code, a part of the hint, what is written then.
FOLLOWED = [
    pytest.param(
        "action lay(given from hand)\n  needs heap is empty else \"it is full\"\n  move given to heap",
        "unexpected-word", "write `because \"it is full\"`",
        "action lay(given from hand)\n  needs heap is empty because \"it is full\"\n  move given to heap",
        id="needs … else",
    ),
    pytest.param(
        "action pass(what: Colour)\n  passes increases by 1", "unexpected-word", "write `what in Colour`",
        "action pass(what in Colour)\n  passes increases by 1", id="a choice with a type",
    ),
    pytest.param(
        "board Square: 3 by 3\nmarker stone on each Square: player or nothing\n"
        "always \"a\": no s in Square has stone[s] = 1", "unexpected-word", "write `stone[Square]`",
        "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
        "always \"a\": no s in Square has stone[s] = 1", id="a marker on each place",
    ),
    pytest.param(
        "option size: 3..5 = 3\nboard Square: size x size, hexagonal\nalways \"a\": count of Square < 30",
        "unfinished-line", "write `size by size`",
        "option size: 3..5 = 3\nboard Square: size by size, hexagonal\nalways \"a\": count of Square < 30",
        id="a hexagonal board of n x n",
    ),
    pytest.param(
        "phase play: for 3 times\n  starter chooses lay or pass", "wrong-word", "write `repeat`",
        "phase play: repeat 3 times\n  starter chooses lay or pass", id="for 3 times",
    ),
    pytest.param(
        "phase play: while passes < 3\n  starter chooses lay or pass", "wrong-word",
        "write `repeat until` with the opposite condition, or `turns from starter until …`",
        "phase play: repeat until passes >= 3\n  starter chooses lay or pass", id="while in a phase",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  each players\n    show hand", "unfinished-line", "write `each player`",
        "action pass\n  passes increases by 1\n  each player\n    show hand", id="each players",
    ),
    pytest.param(
        "card Card: colour Colour, rank 1..6\n  ace: red, 1, 20\n  two: blue, 2, 20 of each", "wrong-number-of-cells",
        "its columns are colour, rank; for 20 copies write `20 of each`",
        "card Card: colour Colour, rank 1..6\n  ace: red, 1, 20 of each\n  two: blue, 2, 20 of each",
        id="copies in a row",
    ),
    pytest.param(
        "card Card: colour Colour, rank 1..6, rank - 1 of each", "missing-brackets", "`(rank - 1) of each`",
        "card Card: colour Colour, rank 1..6, (rank - 1) of each", id="copies by a formula",
    ),
    pytest.param(
        "card Card: colour Colour, rank 1..6 each 2 times", "unexpected-word", "write `, 2 of each`",
        "card Card: colour Colour, rank 1..6, 2 of each", id="each 2 times",
    ),
    pytest.param(
        "card Card: colour Colour, rank {1, 2, 3, 5, 8}", "unexpected-word",
        "write `rank 1..8`, and behind the last attribute `where rank in {1, 2, 3, 5, 8}`",
        "card Card: colour Colour, rank 1..8 where rank in {1, 2, 3, 5, 8}", id="listed numbers",
    ),
    pytest.param(
        "card Card: rank 1..6, colour {red, blue}, 2 of each", "unexpected-word",
        "write `values Colour: red, blue` on a line of its own, and here `colour Colour`",
        "values Colour: red, blue\ncard Card: rank 1..6, colour Colour, 2 of each", id="listed words",
    ),
    pytest.param(
        "option rounds_played: {1, 3} = 3", "unexpected-word", "write `option rounds_played: 1 or 3 = …`",
        "option rounds_played: 1 or 3 = 3\nrounds rounds_played", id="option of a set",
    ),
    pytest.param(
        "option rounds_played: 1, 3 = 3", "unexpected-word", "write `option rounds_played: 1 or 3 = …`",
        "option rounds_played: 1 or 3 = 3\nrounds rounds_played", id="option of numbers",
    ),
    pytest.param(
        "token Seed: 48 of each\nzone pit: set of Seed, public\nphase begin\n  move all Seed to pit",
        "unexpected-word", "write `token Seed: …`, the number alone",
        "token Seed: 48\nzone pit: set of Seed, public\nphase begin\n  move all Seed to pit",
        id="alike",
    ),
    pytest.param(
        "token Seed of player: 48 of each\nzone pit: set of Seed, public\nphase begin\n  move all Seed to pit",
        "unexpected-word", "write `token Seed: owner player, 48 of each`",
        "token Seed: owner player, 48 of each\nzone pit: set of Seed, public\nphase begin\n  move all Seed to pit",
        id="components of player",
    ),
    pytest.param(
        "zone hand of player: row of Card, public except owner", "bad-visibility", "write `player`",
        "zone hand of player: row of Card, public except player", id="public except owner",
    ),
    pytest.param(
        "card Coin: worth 1..3\nzone purse: set of Coin and Card, public\nphase begin\n  move all Coin to purse",
        "wrong-word", "write `Coin or Card`",
        "card Coin: worth 1..3\nzone purse: set of Coin or Card, public\nphase begin\n  move all Coin to purse",
        id="a zone of two kinds",
    ),
    pytest.param(
        "action lay(given from hand and heap)\n  move given to heap", "wrong-word", "write `hand or heap`",
        "action lay(given from hand or heap)\n  move given to heap", id="from two zones",
    ),
    pytest.param(
        "define some_of = count of 1..passes where it > 3\nalways \"few\": some_of < 30", "missing-brackets",
        "`count of (1..passes where …)`",
        "define some_of = count of (1..passes where it > 3)\nalways \"few\": some_of < 30", id="count of a range",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  if count of 1..passes = 2\n    end game", "missing-brackets",
        "`count of (1..passes)`",
        "action pass\n  passes increases by 1\n  if count of (1..passes) = 2\n    end game", id="if count of a range",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  if count of heap > 9\n    move 1 of heap where colour = red to hand",
        "missing-brackets", "put brackets around the components to take from: `1 of (heap where …)`",
        "action pass\n  passes increases by 1\n  if count of heap > 9\n    move 1 of (heap where colour = red) to hand",
        id="some of a filter",
    ),
    pytest.param(
        "define reds_of(c Colour) = hand where colour = c\naction pass\n  passes increases by 1\n"
        "  each other in opponents\n    move all reds_of(red) of other to hand",
        "not-movable", "`move all (hand of other where colour = red) to …`",
        "action pass\n  passes increases by 1\n"
        "  each other in opponents\n    move all (hand of other where colour = red) to hand", id="a named filter",
    ),
    pytest.param(
        "define reds = hand where colour = red\naction pass\n  passes increases by 1\n  move all reds to heap",
        "not-movable", "`move all (hand where colour = red) to …`",
        "action pass\n  passes increases by 1\n  move all (hand where colour = red) to heap", id="a name for a filter",
    ),
    pytest.param(
        'always "few": count of hand[1] < 9', "wrong-type", "write `hand of 1`", 'always "few": count of hand of 1 < 9',
        id="a player as a key",
    ),
    pytest.param(
        "zone table_cards: row of Card, public\n"
        'always "a": table_cards is empty or rank of table_cards[1] > 0\n'
        "phase begin\n  draw 2 from stock to table_cards", "wrong-type", "write `item 1 of table_cards`",
        "zone table_cards: row of Card, public\n"
        'always "a": table_cards is empty or rank of item 1 of table_cards > 1\n'
        "phase begin\n  draw 2 from stock to table_cards", id="a place of a row",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  swap hand of 1 and hand of 2", "unknown-statement",
        "`move all hand of 1 to aside`, `move all hand of 2 to hand of 1`, `move all aside to hand of 2`",
        "zone aside: set of Card, hidden\naction pass\n  passes increases by 1\n  move all hand of 1 to aside\n"
        "  move all hand of 2 to hand of 1\n  move all aside to hand of 2", id="swap",
    ),
    pytest.param(
        "action pass\n  var kept = passes\n  passes increases by 1 + kept - kept", "unknown-statement",
        "write `let kept = …`",
        "action pass\n  let kept = passes\n  passes increases by 1 + kept - kept", id="var",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  each opponent\n    show hand", "unfinished-line",
        "write `each o in opponents`, and below `… of o`",
        "action pass\n  passes increases by 1\n  each o in opponents\n    show hand of o", id="each opponent",
    ),
    pytest.param(
        "phase play: turns from 1 until passes >= players\n  if passes = 1\n    do pass\n  choose lay or pass",
        "unknown-step", "`pass` is an action: write `choose pass`",
        "phase play: turns from 1 until passes >= players\n  if passes = 1\n    choose pass\n  choose lay or pass",
        id="do an action",
    ),
    pytest.param(
        "step add_one\n  passes increases by 1\n"
        "phase play: turns from starter until passes >= players\n  choose add_one\n  choose lay or pass",
        "unknown-action", "`add_one` is a step: write `do add_one`",
        "step add_one\n  passes increases by 1\n"
        "phase play: turns from starter until passes >= players\n  do add_one\n  choose lay or pass",
        id="choose a step",
    ),
    pytest.param(
        "define is_meld(s list of Card) = count of s = 3\nalways \"a\": is_meld(hand) or passes < 30",
        "unexpected-word",
        "write `s set of Card`",
        "define is_meld(s set of Card) = count of s = 3\nalways \"a\": is_meld(hand) or passes < 30",
        id="a parameter of several",
    ),
    pytest.param(
        "phase play: turns from starter skip hand is empty until passes >= players\n  choose lay or pass",
        "wrong-word", "write `skipping`",
        "phase play: turns from starter skipping hand is empty until passes >= players\n  choose lay or pass",
        id="skip",
    ),
    pytest.param(
        "setup\n  shuffle all Card into stock\n  deal 2 from stock to hand of each player", "unexpected-word",
        "write `to each hand`", "setup\n  shuffle all Card into stock\n  deal 2 from stock to each hand",
        id="hand of each player",
    ),
    pytest.param(
        "setup\n  shuffle all Card into stock\n  deal 2 from stock to each player", "not-a-zone",
        "everyone's is `each hand`", "setup\n  shuffle all Card into stock\n  deal 2 from stock to each hand",
        id="to each player",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  draw from heap to hand", "unexpected-word",
        "write `draw 1 from heap to hand`",
        "action pass\n  passes increases by 1\n  if heap is not empty\n    draw 1 from heap to hand", id="draw from",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  winner becomes player", "unknown-name",
        "declare `marker winner: player or nothing`",
        "marker winner: player or nothing\naction pass\n  passes increases by 1\n  winner becomes player", id="winner",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  coins increases by 1", "unknown-name",
        "declare it: `number coins: 0..20`",
        "number coins: 0..20\naction pass\n  passes increases by 1\n  coins increases by 1", id="not declared",
    ),
    pytest.param(
        'example "a"\n  given turn of 1\n  then not can pass of 1', "wrong-type",
        "`then 1 can pass` or `then 1 cannot pass`",
        'example "a"\n  given turn of 1\n  then 2 cannot pass', id="not can of",
    ),
    pytest.param(
        "action pass\n  needs not can lay(red 3)\n  passes increases by 1", "unexpected-word",
        "remove the brackets: `can lay`", "action pass\n  needs not can lay or passes < 30\n  passes increases by 1",
        id="can with brackets",
    ),
    pytest.param(
        "ranking: lowest total then lowest count of hand", "missing-comma", "write `, then lowest …`",
        "ranking: lowest total, then lowest count of hand", id="the next criterion",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  when stock is empty\n    end game", "unknown-statement", "write `if`",
        "action pass\n  passes increases by 1\n  if stock is empty\n    end game", id="when",
    ),
    pytest.param(
        "step lose(n 1..2)\n  passes increases by n\naction pass\n  lose(1)", "unknown-statement",
        "write `do lose(1)`", "step lose(n 1..2)\n  passes increases by n\naction pass\n  do lose(1)", id="a step",
    ),
    pytest.param(
        "action pass\n  needs at least 2 cards in stock because \"x\"\n  passes increases by 1", "wrong-word",
        "write `count of stock >= 2`",
        "action pass\n  needs count of stock >= 2 because \"x\"\n  passes increases by 1", id="at least",
    ),
    pytest.param(
        "die Die: 2d6\nzone cup: set of Die, public\nphase begin\n  move all Die to cup", "unexpected-word",
        "write `1..6, 2 of each`",
        "die Die: 1..6, 2 of each\nzone cup: set of Die, public\nphase begin\n  roll all Die into cup", id="2d6",
    ),
    pytest.param(
        "option size: 3..5 = 4\nboard Point: size * size\nmarker stone[Point]: player or nothing\n"
        "action pass\n  passes increases by 1\n  stone[a1] becomes player", "unfinished-line", "write `size by size`",
        "option size: 3..5 = 4\nboard Point: size by size\nmarker stone[Point]: player or nothing\n"
        "action pass\n  passes increases by 1\n  stone[a1] becomes player", id="the size of a board",
    ),
    pytest.param(
        "score at end\n  points = passes of each player\nnumber passes of player: 0..20 = 0\n"
        "phase play: turns from starter until passes of starter > 3\n  choose lay or pass", "wrong-word",
        "write `passes`",
        "score at end\n  points = passes\nnumber passes of player: 0..20 = 0\n"
        "phase play: turns from starter until passes of starter > 3\n  choose lay or pass", id="each player's score",
    ),
    pytest.param(
        "rounds until only one player has lives\nnumber lives of player: 0..3 = 3", "wrong-word",
        "`count of (players where … of it > 0) = 1`",
        "rounds until count of (players where lives of it > 0) = 1\nnumber lives of player: 0..3 = 3", id="only one",
    ),
    pytest.param(
        "marker leader: player or nothing\naction pass\n  needs leader is not empty because \"x\"\n"
        "  passes increases by 1\n  leader becomes player", "not-a-collection", "write `leader is not nothing`",
        "marker leader: player or nothing\naction pass\n  needs leader is not nothing because \"x\"\n"
        "  passes increases by 1\n  leader becomes player", id="a marker is not empty",
    ),
    pytest.param(
        "action lay(given from hand)\n  needs colour of given = red or blue because \"x\"\n  move given to heap",
        "wrong-type", "write `colour of given in {red, blue}`",
        "action lay(given from hand)\n  needs colour of given in {red, blue} because \"x\"\n  move given to heap",
        id="one of several values",
    ),
    pytest.param(
        "action lay(given from hand)\n  needs given = red because \"x\"\n  move given to heap",
        "wrong-type", "write `colour of given = red`",
        "action lay(given from hand)\n  needs colour of given = red because \"x\"\n  move given to heap",
        id="the attribute that is meant",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  show hand where colour = red", "missing-brackets",
        "`show (hand where …)`",
        "action pass\n  passes increases by 1\n  show (hand where colour = red)", id="show some",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  move all heap to away", "unknown-zone",
        "declare it: `zone away: pile of Card, public`",
        "zone away: pile of Card, public\naction pass\n  passes increases by 1\n  move all heap to away",
        id="a zone that is not declared",
    ),
    pytest.param(
        "phase play: turns from starter until passes >= players\n  choose lay, pass or resign", "unknown-action",
        "declare it: `action resign`",
        "phase play: turns from starter until passes >= players\n  choose lay, pass or resign\n"
        "action resign\n  end game", id="an action that is not declared",
    ),
    pytest.param(
        "action lay\n  move card to heap", "unknown-name", "say what is chosen: `action lay(card from hand)`",
        "action lay(card from hand)\n  move card to heap", id="a choice that is not said",
    ),
    pytest.param(
        "board Square: 3 by 3\nmarker stone of Square: player or nothing\n"
        "action pass\n  passes increases by 1\n  stone[a1] becomes player", "wrong-type", "write `stone[Square]`",
        "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
        "action pass\n  passes increases by 1\n  stone[a1] becomes player", id="a marker of a board",
    ),
    pytest.param(
        "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
        "action pass(to in Square where count of (neighbours of it) > 2)\n  stone[to] becomes player",
        "unknown-attribute", "write `neighbours(it)`",
        "board Square: 3 by 3\nmarker stone[Square]: player or nothing\n"
        "action pass(to in Square where count of (neighbours(it)) > 2)\n  stone[to] becomes player",
        id="neighbours of",
    ),
    pytest.param(
        "score at end\n  points = number of cards in hand", "wrong-type", "write `count of hand`",
        "score at end\n  points = count of hand", id="number of cards in",
    ),
    pytest.param(
        "score at end\n  points = count of red in hand", "wrong-type", "write `count of hand where colour = red`",
        "score at end\n  points = count of hand where colour = red", id="count of a colour in",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  look at top of stock", "wrong-type", "write `look at 1 of stock`",
        "action pass\n  passes increases by 1\n  look at 1 of stock", id="look at top of",
    ),
    pytest.param(
        "die Die: 1..6, 3 of each\nzone cup: set of Die, public\naction pass\n  shuffle all Die into cup\n"
        "  passes increases by 1", "wrong-type", "write `roll all Die into cup`",
        "die Die: 1..6, 3 of each\nzone cup: set of Die, public\naction pass\n  roll all Die into cup\n"
        "  passes increases by 1", id="dice are shuffled",
    ),
    pytest.param(
        "score at end\n  points = size of hand", "unknown-name", "write `count of …`",
        "score at end\n  points = count of hand", id="size of",
    ),
    pytest.param(
        "action pass\n  passes increases by 1\n  if hand of opponent is empty\n    end game", "unknown-name",
        "write `left of player`",
        "action pass\n  passes increases by 1\n  if hand of left of player is empty\n    end game", id="opponent",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("written", "code", "hint", "followed"), FOLLOWED)
def test_a_hint_that_is_followed_leads_to_a_file_without_errors(
    written: str, code: str, hint: str, followed: str
) -> None:
    found = [one for one in read(written).diagnostics if one.severity == "error"]
    assert [one.code for one in found] == [code]
    assert hint in (found[0].hint or "")
    assert [one for one in read(followed).diagnostics if one.severity == "error"] == []


@pytest.mark.parametrize("line", ["look at top of stock", "look at 2 of hand", "roll cup", "move all Die to cup"])
def test_a_quick_fix_writes_the_line_that_the_hint_says(line: str) -> None:
    pieces = f"die Die: 1..6, 3 of each\nzone cup: set of Die, public\naction pass\n  {line}\n  passes increases by 1"
    reading = read(pieces)
    (found,) = (one for one in reading.diagnostics if one.severity == "error")
    text = apply_fix(reading.chain[0].source.text, found)
    assert [one for one in read_text(text).diagnostics if one.severity == "error"] == []


DEAL = "deal 4 from stock to each hand"
# As people say it at the table, and a part of the hint; what the quick fix writes has no errors.
SAID_AT_THE_TABLE = [
    ("zone the discard pile: pile of Card, public", "a name is one word: `discard_pile`"),
    ("zone the aside: pile of Card, public", "remove `the`"),
    ("zone heap: public pile of Card", "write it at the end: `, public`"),
    ("discard_pile: pile of Card, public", "write `zone discard_pile`"),
    ("values Colour: red; blue; green", "write `,`"),
    ("card Card: Colour, rank 1..6", "write `colour Colour`"),
    ("card Card: colour Colour, rank 1..6, 2 copies of each", "`2 of each`"),
    ("option hand_size: 3..7", "`= 3`"),
    ("option open_hands: yes or no", "`= no`"),
    ("number passes: 0 = 0..20", "write `: 0..20 = 0`"),
    ("setup\n  shuffle all Card into stock\n  deal each player 4 cards from stock", f"write `{DEAL}`"),
    ("setup\n  shuffle all Card into stock\n  deal 4 from stock", f"write `{DEAL}`"),
    ("phase play: turns from starter until someone's hand is empty\n  choose lay or pass", "`some p in players has"),
    ("phase play: turns from starter until a player's hand is empty\n  choose lay or pass", "`some p in players has"),
    ("action lay(given from their hand)\n  move given to heap", "remove `their`"),
    ("action lay(given from hand) where rank of given > 2\n  move given to heap", "write `needs …` below it"),
    ("action pass if heap is empty\n  passes increases by 1", "write `needs …` below it"),
    ("action lay(given from hand)\n  place given on top of the heap", "write `move given to heap`"),
    ("action lay(given from hand)\n  put given onto heap", "write `move given to heap`"),
    ("action lay(given from hand)\n  move given to heap\n  flip top of stock to heap", "`draw 1 from stock to heap`"),
    ("action pass\n  draw card from stock to hand\n  passes increases by 1", "write how many: `draw 1 from …`"),
    ("action pass\n  add 1 to passes", "write `passes increases by 1`"),
    ("action pass\n  increase passes by 1", "write `passes increases by 1`"),
    ("action pass\n  set passes to 1", "write `passes becomes 1`"),
    ("score at end\n  points = sum of ranks in hand", "write `sum of rank over hand`"),
    ("score at end\n  points = sum of rank of hand", "write `sum of rank over hand`"),
    ("score at end\n  points = highest rank in hand", "write `highest of rank over …`"),
    ("score at end\n  points is count of hand", "write `=`"),
    ("ranking: lowest total wins, ties share", "remove `wins`"),
    ("ranking: lowest total, ties are shared", "write `ties share`"),
    ("ranking: lowest score, ties share", "write `total`"),
    ("zone aside: pile of Card, public, max 4", "write `up to 4`"),
    ("zone hand of player: set of Card, only visible to player", "write `private`"),
    ("action pass\n  look at opponents hand\n  passes increases by 1", "write `hand of left of player`"),
    ("action pass\n  passes increases by 1\n  the round is over", "write `end round`"),
    ("score at end\n  points = hand size", "write `count of hand`"),
    ("action pass\n  draw 1 from stock\n  passes increases by 1", "write `draw 1 from stock to hand`"),
    ("action lay(1 or 2 cards from hand)\n  move all cards to heap", "write `1..2 cards from …`"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "hint"), SAID_AT_THE_TABLE)
def test_what_is_said_at_the_table_is_mended_at_once(written: str, hint: str) -> None:
    reading = read(written)
    (found,) = (one for one in reading.diagnostics if one.severity == "error")
    assert hint in (found.hint or "")
    text = apply_fix(reading.chain[0].source.text, found)
    assert [one for one in read_text(text).diagnostics if one.severity == "error"] == []


@pytest.mark.parametrize(("written", "hint", "followed"), [
    ("phase play: turns from starter until passes >= players\n  may choose lay, pass", "write `choose lay or pass`",
     "phase play: turns from starter until passes >= players\n  choose lay or pass"),
    ("action lay(given from hand)\n  discard given", "write `move given to …`",
     "action lay(given from hand)\n  move given to heap"),
    ("action lay(given from hand)\n  move given to heap\n  turn over the top card of stock",
     "write `draw 1 from stock to …`",
     "action lay(given from hand)\n  move given to heap\n  draw 1 from stock to heap"),
    ("action lay(given from hand)\n  needs same colour as top of heap\n  move given to heap",
     "write `colour of … = colour of top of heap`",
     "action lay(given from hand)\n  needs heap is empty or colour of given = colour of top of heap\n"
     "  move given to heap"),
    ("phase play: turns from dealer until passes >= players\n  choose lay or pass", "declare `marker dealer: player`",
     "marker dealer: player\nphase play: turns from dealer until passes >= players\n  choose lay or pass"),
    ("action pass\n  score 5 points\n  passes increases by 1", "write `points increases by 5`",
     "number points of player: 0..200 = 0\naction pass\n  points increases by 5\n  passes increases by 1\n"
     "score at end\n  laid = points"),
    ("action lay(given from hand)\n  needs no red cards in hand\n  move given to heap",
     "write `no c in hand has … of c = red`",
     "action lay(given from hand)\n  needs no c in hand has colour of c = red\n  move given to heap"),
    ("action lay(any number of cards from hand)\n  move all cards to heap", "write `1..9 cards from …`",
     "action lay(1..9 cards from hand)\n  move all cards to heap"),
    ("action give(given from hand, player)\n  move given to heap", "write `to in opponents`",
     "action give(given from hand, to in opponents)\n  move given to hand of to\n"
     "phase play: turns from starter until passes >= players\n  choose give or pass"),
    ("rounds until someone has 100 points", "write `some p in players has …`",
     "rounds until some p in players has total of p >= 100"),
    ("values Rank: 2, 3, jack", "write words, as in `two, three, jack`", "values Rank: two, three, jack"),
    ("action pass\n  winner is player", "write `player wins`", None),
    ("action lay a card(given from hand)\n  move given to heap", "a name is one word: `lay_card`",
     "action lay_card(given from hand)\n  move given to heap\nphase play: turns from starter until passes >= players\n"
     "  choose lay_card or pass"),
])  # fmt: skip
def test_what_is_said_at_the_table_has_a_hint(written: str, hint: str, followed: str | None) -> None:
    (found,) = (one for one in read(written).diagnostics if one.severity == "error" and one.code != "unknown-action")
    assert hint in (found.hint or "")
    if followed is not None:  # else the game's own score would say it, too
        assert [one for one in read(followed).diagnostics if one.severity == "error"] == []


@pytest.mark.parametrize("line", [
    "look at up to extra", "look at 2 of extra", "look at top of extra", "roll cup", "move all Die to cup",
])  # fmt: skip
def test_what_a_refused_line_speaks_of_is_used(line: str) -> None:
    """The zone is named in this line alone."""
    cup = "die Die: 1..6, 3 of each\nzone cup: set of Die, public\n" if "extra" not in line else ""
    extra = f"zone extra: {'row' if '2 of' in line else 'pile'} of Card, hidden\n" if "extra" in line else ""
    found = read(f"{cup}{extra}action pass\n  passes increases by 1\n  {line}").diagnostics
    assert [one.code for one in found] == ["wrong-type"]


def test_brackets_behind_a_marker_of_places_are_a_slip() -> None:
    head = 'rules 1\ngame "G"\nplayers 2\nboard Square: 3 by 3\nmarker disc[Square]: player or nothing\n'
    play = "phase play: turns from 1, at most 9 turns\n  choose lay\n"
    lay = "action lay(s in Square where disc(it) is nothing)\n  disc[s] becomes player\n  nobody wins\n"
    (found,) = read_text(f"{head}{play}{lay}").diagnostics
    assert (found.code, found.hint) == ("not-callable", "write `disc[…]`")


@pytest.mark.parametrize("asked", [
    "(count of Square where disc is a disc) = 1", "some line of 3 in Square has it is a disc",
    "no s in (Square where it is a disc) has disc[s] = 1",
])  # fmt: skip
def test_a_marker_of_places_is_no_kind_of_component(asked: str) -> None:
    head = 'rules 1\ngame "G"\nplayers 2\nboard Square: 3 by 3\nmarker disc[Square]: player or nothing\n'
    found = [(one.code, one.message) for one in read_text(f'{head}always "so": {asked}\n').diagnostics]
    assert ("wrong-type", "this is no kind of component") in found


def test_whose_it_is_where_it_is_nobodys_turn() -> None:
    phase = "zone won of player: set of Card, public\nphase begin\n  draw 1 from stock to won"
    (found,) = read(phase).diagnostics
    assert (found.severity, found.code) == ("warning", "whose-alone")
    assert found.hint == "say whose: `won of …`, or write `each player` above this line"
    assert read(f"{phase} of starter").diagnostics == ()
    each = "zone won of player: set of Card, public\nphase begin\n  each player\n    draw 1 from stock to won"
    assert read(each).diagnostics == ()


@pytest.mark.parametrize("lines", [
    "deal 1 from stock to each hand", "each c in hand of 1\n    show c",
    "turns from 1 until hand is empty\n    choose lay",
    "show heap to the p in players with highest count of hand of p", "choose lay\n  show hand",
])  # fmt: skip
def test_no_question_of_whose_where_it_is_said(lines: str) -> None:
    assert "whose-alone" not in [one.code for one in read(f"phase begin\n  {lines}").diagnostics]


def test_what_is_there_already_is_spoken_of_with_its_article() -> None:
    """`an example`, `a property`: as it is said aloud."""
    head = 'rules 1\ngame "G"\nplayers 2\n'
    for piece, said in (
        ('example "x"\n  then n = 0\n', 'an example'), ('always "x": n = 0\n', "a property"),
        ('can happen "x": n = 0\n', "a property"),
    ):
        text = head + "number n: 0..9 = 0\n" + piece + piece
        found = [one.message for one in read_text(text).diagnostics if one.code == "duplicate-name"]
        assert found, text
        assert found[0].startswith(f"there is {said} ")


def test_a_hand_that_its_owner_does_not_see_is_one_mistake_of_its_declaration() -> None:
    found = [one for one in read("zone hand of player: set of Card, hidden").diagnostics if one.code == "secret-leak"]
    assert [one.hint for one in found] == ["declare it `private`: then its owner sees it"]
    assert "secret-leak" not in [one.code for one in read("zone hand of player: set of Card, private").diagnostics]
