"""Made-up rulebooks that tell a secret, twenty by values, twenty by the way the game goes, twenty by how many cards
move; and look-alikes that tell nothing. Each is a few lines put into one small game.

What is told was reckoned by hand: which thing a player who may not see it can work out from what everybody sees.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

BASE = """rules 1
game "Planted"
players 2..3
values Colour: red, blue
card Card: colour Colour, rank 1..6
zone deck: pile of Card, hidden
zone hand of player: set of Card, private
zone open: set of Card, public
zone aside of player: set of Card, private
zone away: set of Card, hidden
number told: 0..60 = 0
marker seen: yes or no = no
number mine of player: 0..60 = 0, private
number dark: 0..60 = 0, hidden
marker omen: Colour, hidden
{more}
setup
  shuffle all Card into deck
  roll omen
  draw 1 from deck to away
  deal 3 from deck to each hand
{setup}
phase play: turns from 1 until deck is empty
{turn}
  choose lay or keep
{after}
action lay(give from hand)
{needs}
  move give to open
{lay}
  draw up to 1 from deck to hand
action keep
{keep}
  draw up to 1 from deck to hand
{pieces}
score at end
  points = sum of rank over c in hand
ranking: highest total, ties share
"""

HOLES = ("more", "setup", "turn", "after", "needs", "lay", "keep", "pieces")
INSIDE = {"setup", "turn", "after", "needs", "lay", "keep"}


def rulebook(parts: Mapping[str, str]) -> str:
    """`parts`: by hole the lines that stand there, without the indentation of the hole."""
    lines = {name: parts.get(name, "") for name in HOLES}
    for name in INSIDE:
        lines[name] = "\n".join(f"  {line}" for line in lines[name].split("\n") if line)
    return "\n".join(line for line in BASE.format(**lines).split("\n") if line.strip()) + "\n"


@frozen
class Planted:
    """`thing`: the place or value that is told of; `line`: a part of the line that tells it. A leak of options is found
    by games, the others are read off the rules."""

    name: str
    parts: Mapping[str, str]
    thing: str
    line: str


def planted(name: str, thing: str, line: str, **parts: str) -> Planted:
    return Planted(name, parts, thing, line)


LEFT = "hand of left of player"
HIGH = "some c in hand has rank of c = 6"

VALUES = (
    planted("a number set to a sum", "hand", "told becomes", turn="told becomes sum of rank over hand"),
    planted("the best card of a hand", "hand", "told becomes", turn="told becomes highest of rank over hand"),
    planted("a truth about a hand", "hand", "seen becomes", turn=f"seen becomes {HIGH}"),
    planted("a number of cards of a colour", "hand", "told becomes",
            turn="told becomes count of (hand where colour = red)"),
    planted("through a definition", "hand", "told becomes", turn="told becomes worth",
            pieces="define worth = sum of rank over hand"),
    planted("through a definition with a parameter", "hand", "told becomes", turn="told becomes held(red)",
            pieces="define held(c Colour) = count of hand where colour = c"),
    planted("through a table", "omen", "told becomes", turn="told becomes code(omen)",
            pieces="table code(c Colour): red: 1, blue: 2"),
    planted("another's hand to oneself", "hand", "mine becomes", turn=f"mine becomes sum of rank over {LEFT}"),
    planted("one's own hand to another", "hand", "mine of left of player becomes",
            turn="mine of left of player becomes sum of rank over hand"),
    planted("the deck to oneself", "deck", "mine becomes", turn="mine becomes highest of rank over deck"),
    planted("a hidden word", "omen", "seen becomes", turn="seen becomes omen = red"),
    planted("a hidden number on the way", "dark", "told becomes",
            turn="dark becomes sum of rank over hand\ntold becomes dark"),
    planted("a private number on the way", "mine", "told increases",
            turn="mine becomes count of (hand where rank > 3)\ntold increases by smallest(mine, 60 - told)"),
    planted("what lies out of the game", "away", "told becomes", turn="told becomes sum of rank over away"),
    planted("points before the end", "hand", "so_far", turn="if told = 0\n  count points",
            pieces="score\n  so_far = sum of rank over c in hand"),
    planted("what was drawn", "new", "told becomes",
            after="if deck is not empty\n  draw 1 from deck to hand as new\n  told becomes rank of new"),
    planted("a place in an order", "seat_order", "told becomes", more="marker seat_order: order of 1..3, hidden",
            setup="shuffle seat_order", turn="told becomes seat_order[1]"),
    planted("which of several numbers is set", "hand", "marks[", more="number marks[1..6]: 0..1 = 0",
            turn="marks[highest of rank over hand] becomes 1"),
    planted("the card moved is the highest", "hand", "with highest",
            turn="if count of hand > 1\n  move the c in hand with highest rank of c to open"),
    planted("options against the neighbour's hand", "hand", "needs some c",
            needs=f"needs some c in {LEFT} has rank of c < rank of give"),
)

FLOW = (
    planted("a marker behind a condition", "hand", "seen becomes", turn=f"if {HIGH}\n  seen becomes yes"),
    planted("a marker in the other branch", "hand", "seen becomes",
            turn=f"if {HIGH}\n  dark becomes 0\notherwise\n  seen becomes yes"),
    planted("a number that is raised", "hand", "told increases", turn=f"if {HIGH}\n  told increases by 60 - told"),
    planted("who begins", "hand", "starter becomes", setup=f"each player\n  if {HIGH}\n    starter becomes player"),
    planted("asked at all", "hand", "choose nod", turn=f"if {HIGH}\n  choose nod", pieces="action nod"),
    planted("asked because of the neighbour", "hand", "choose nod or shrug",
            turn=f"if some c in {LEFT} has rank of c = 6\n  choose nod or shrug", pieces="action nod\naction shrug"),
    planted("asked as often as", "hand", "choose nod",
            turn="repeat count of (hand where colour = red) times\n  choose nod", pieces="action nod"),
    planted("asked until", "dark", "told increases", setup="roll dark",
            turn="told becomes 0\nrepeat until told >= dark\n  told increases by 1\n  choose nod", pieces="action nod"),
    planted("a turn that ends", "hand", "end turn", turn=f"if {HIGH} and told = 0\n  end turn",
            after="told becomes 0", setup="told becomes 1"),
    planted("a turn that is passed over", "hand", "choose nod",
            after="one turn each from 1 skipping no c in hand has rank of c = 6\n  choose nod", pieces="action nod"),
    planted("each player of whom it holds", "hand", "choose nod",
            turn=f"each player where {HIGH}\n  choose nod", pieces="action nod"),
    planted("players in an order", "hand", "choose nod",
            turn="each player in order of sum of rank over hand\n  choose nod", pieces="action nod"),
    planted("a phase that comes", "omen", "choose nod", pieces="phase more when omen = red\n  choose nod\naction nod"),
    planted("a player who is found", "hand", "chief becomes", more="marker chief: player = 1",
            turn="chief becomes the p in players with highest sum of rank over hand of p\nchief chooses nod",
            pieces="action nod"),
    planted("passed over for want of cards", "hand", "choose high if possible", turn="choose high if possible",
            pieces="action high(c from hand where rank = 6)\n  move c to away"),
    planted("something else instead", "hand", "choose high, else",
            turn="choose high, else choose nod",
            pieces="action high(c from hand where rank = 6)\n  move c to away\naction nod"),
    planted("a show behind a condition", "hand", "show open", turn=f"if {HIGH}\n  show open"),
    planted("a step behind a condition", "hand", "seen becomes", turn=f"if {HIGH}\n  do note",
            pieces="step note\n  seen becomes yes"),
    planted("a loop over some cards", "hand", "told increases",
            turn="told becomes 0\neach c in hand where rank of c > 3\n  told increases by 1"),
    planted("a condition on an element of a loop", "hand", "told increases",
            turn="told becomes 0\neach c in hand\n  if rank of c > 3\n    told increases by 1"),
)

COUNTS = (
    planted("all of a number apart", "hand", "move all (hand where",
            setup="each player\n  move all (hand where rank = 6) to aside"),
    planted("all of a colour apart", "hand", "move all (hand where",
            setup="each player\n  move all (hand where colour = red) to aside"),
    planted("low ones out of the game", "hand", "move all (hand where", after="move all (hand where rank < 3) to away"),
    planted("one by one in a loop", "hand", "move c to aside",
            setup="each player\n  each c in hand where rank of c = 6\n    move c to aside"),
    planted("one by one behind a condition", "hand", "move c to aside",
            setup="each player\n  each c in hand\n    if rank of c = 6\n      move c to aside"),
    planted("through a definition", "hand", "move all (hand where",
            setup="each player\n  move all (hand where is_six(it)) to aside",
            pieces="define is_six(c Card) = rank of c = 6"),
    planted("the best ones", "hand", "move all (those",
            setup="each player\n  move all (those c in hand with highest rank of c) to aside"),
    planted("drawn for each red card", "hand", "draw up to",
            after="draw up to count of (hand where colour = red) from deck to aside"),
    planted("drawn while there are such", "deck", "draw up to 9 from deck where",
            after="draw up to 9 from deck where rank = 6 to aside"),
    planted("dealt behind a condition", "hand", "draw up to 1 from deck to aside",
            after=f"if {HIGH}\n  draw up to 1 from deck to aside"),
    planted("dealt for a hidden word", "omen", "draw up to 1 from deck to aside",
            after="if omen = red\n  draw up to 1 from deck to aside"),
    planted("as many as a private number", "mine", "draw up to mine",
            setup="each player\n  roll mine with chances " + ", ".join(["1"] * 3 + ["0"] * 58),
            after="draw up to mine from deck to aside"),
    planted("as many as a hidden number", "dark", "draw up to dark",
            setup="roll dark", after="draw up to dark from deck to aside"),
    planted("as many as the neighbour's best", "hand", "draw up to highest",
            after=f"if {LEFT} is not empty\n  draw up to highest of rank over {LEFT} from deck to aside"),
    planted("shuffled back", "hand", "shuffle (hand where",
            after="shuffle (hand where rank = 1) into deck\nif count of deck > 3\n  end game"),
    planted("put under the deck", "hand", "to bottom of deck",
            after="move all (hand where rank = 1) to bottom of deck\nif count of deck > 3\n  end game"),
    planted("from a place nobody sees", "away", "move all (away where",
            after="move all (away where colour = red) to aside"),
    planted("a hand for a hidden word", "omen", "move all hand to aside",
            after="if omen = red\n  move all hand to aside"),
    planted("while it lasts", "hand", "draw up to 1 from deck to aside",
            after="repeat until deck is empty or no c in hand has rank of c = 6\n  draw up to 1 from deck to aside\n"
                  "  draw up to 1 from deck to hand"),
    planted("in an action", "hand", "move all (hand where", keep="move all (hand where rank = give_up) to away",
            more="number give_up: 1..6 = 3"),
)

DRAWN = "if deck is not empty\n  draw 1 from deck to hand as new\n"
HEAPS = {"more": "zone a[1..2]: pile of Card, hidden",
         "setup": "draw 2 from deck to a[1]\ndraw 2 from deck to a[2]"}
WHICH = "if omen = red then 1 else 2"

ANOTHERS = (
    planted("what was drawn, to each player", "new", "mine becomes",
            after=f"{DRAWN}  each player\n    mine becomes rank of new"),
    planted("a condition on what was drawn, for each player", "new", "mine becomes",
            after=f"{DRAWN}  each player\n    if rank of new > 3\n      mine becomes 1"),
    planted("what was drawn, in turns inside a turn", "new", "mine becomes",
            turn=f"{DRAWN}  one turn each from left of player except player\n    mine becomes rank of new\n"
                 "    choose nod",
            pieces="action nod"),
    planted("asked all at once for what one has drawn", "new", "all choose nod",
            after=f"{DRAWN}  all choose nod where rank of new > 3", pieces="action nod"),
    planted("what was chosen, to each player", "c", "mine becomes", turn="choose hide",
            pieces="action hide(c from hand)\n  move c to away\n  each player\n    mine becomes rank of c"),
    planted("what was chosen, in turns inside an action", "c", "mine becomes", turn="choose hide",
            pieces="action nod\naction hide(c from hand)\n  move c to away\n"
                   "  one turn each from left of player except player\n    mine becomes rank of c\n    choose nod"),
    planted("what was chosen, to who is chosen", "c", "mine becomes", turn="choose tell",
            pieces="action tell(c from hand, player in players)\n  mine becomes rank of c"),
    planted("a card of a loop, to each player", "hand", "mine becomes",
            turn="each c in hand\n  each player\n    mine becomes rank of c"),
    planted("a condition on a card of a loop, by a definition, for each player", "hand", "mine becomes",
            turn="each c in hand\n  each player\n    if is_high(c)\n      mine becomes 1",
            pieces="define is_high(c Card) = rank of c > 3"),
)

TOGETHER = (
    planted("what all have said at once", "mine", "told becomes", turn="all choose bid",
            after="told becomes highest of mine of p over p in players",
            pieces="action bid(n in 0..3)\n  mine becomes n"),
    planted("asked for what all have said at once", "mine", "choose nod", turn="all choose bid",
            after="if mine of left of player > 1\n  choose nod",
            pieces="action bid(n in 0..3)\n  mine becomes n\naction nod"),
    planted("which of two all have chosen at once", "mine", "seen becomes", turn="all choose up or down",
            after="if mine of 1 = 1\n  seen becomes yes",
            pieces="action up\n  mine becomes 1\naction down\n  mine becomes 0"),
)

PLACES = (
    planted("which of two piles loses its top", "omen", "move top",
            turn=f"if a[1] is not empty and a[2] is not empty\n  move top of a[{WHICH}] to away", **HEAPS),
    planted("which of two piles goes away", "omen", "move all a", turn=f"move all a[{WHICH}] to away", **HEAPS),
    planted("how many lie in one of two piles", "omen", "told increases",
            turn=f"told becomes 0\neach c in a[{WHICH}]\n  told increases by 1",
            **(HEAPS | {"setup": "draw 2 from deck to a[1]\ndraw 1 from deck to a[2]"})),
    planted("which of an open row is taken", "omen", "move item", more="zone line: row of Card, public",
            setup="draw 3 from deck to line",
            turn=f"if count of line > 2\n  move item ({WHICH}) of line to away"),
    planted("how many of an open row are named by a hidden number", "dark", "move 1 of",
            more="zone line: row of Card, public", setup="draw 3 from deck to line\nroll dark",
            turn="move 1 of (line where rank = dark) to away"),
    planted("the least of a sorted hand", "line", "move first of line",
            more="zone line of player: row of Card, private, sorted by rank",
            setup="each player\n  draw 2 from deck to line",
            turn="if line is not empty\n  move first of line to aside of left of player"),
)

LINE = {"more": "zone line: row of Card, public\nzone rack of player: row of Card, private",
        "setup": "draw 4 from deck to line\neach player\n  draw 2 from deck to rack"}
LEFT_RACK = "rack of left of player"
SIGN, MY_SIGN = "(if omen = red then 1 else -1)", f"(if {HIGH} then 1 else -1)"


def draws_best(place: str, sign: str) -> str:
    """The highest or the lowest of a place."""
    condition = f"no c in {place} has rank of c * {sign} > rank * {sign}"
    return f"if {place} is not empty\n  draw 1 from {place} where {condition} to away"



SEEN_TO_GO = (
    planted("chance takes from an open row what a hidden word decides", "omen", "draw 1 from line",
            turn=draws_best("line", SIGN), **LINE),
    planted("chance takes from the neighbour's row what a hidden word decides", "omen", "draw 1 from rack",
            turn=draws_best(LEFT_RACK, SIGN), **LINE),
    planted("chance takes from the neighbour's row what one's own hand decides", "hand", "draw 1 from rack",
            turn=draws_best(LEFT_RACK, MY_SIGN), **LINE),
    planted("one's own hand decides which card the neighbour loses", "hand", "move item",
            turn=f"if count of {LEFT_RACK} > 1\n  move item (if {HIGH} then 1 else 2) of {LEFT_RACK} to away", **LINE),
    planted("one's own number decides which card the neighbour loses", "mine", "move the c",
            turn="mine becomes count of (hand where rank > 3)\n"
                 f"if {LEFT_RACK} is not empty\n  move the c in {LEFT_RACK} with highest rank of c * mine to away",
            **LINE),
    planted("a hidden word decides in which order cards are laid before the neighbour", "omen", "move all line",
            turn=f"move all line to {LEFT_RACK} in order of rank * {SIGN}", **LINE),
    planted("of cards in order only the top is seen", "hand", "move all hand",
            more="zone heap: pile of Card, public top", turn="move all hand to heap in order of rank\nend game"),
    planted("a hidden word decides from which open cards the first goes", "omen", "move first",
            turn=f"if count of line > 1\n  move first of (line where rank * {SIGN} > -7) to away", **LINE),
    planted("a hidden word decides which open pile is shuffled", "omen", "shuffle a",
            turn=f"shuffle a[{WHICH}]",
            **(HEAPS | {"more": "zone a[1..2]: pile of Card, public"})),
    planted("a hidden word decides which pile is shown", "omen", "show a", turn=f"show a[{WHICH}]", **HEAPS),
)

LOOK_ALIKES: tuple[tuple[str, Mapping[str, str]], ...] = (
    # values
    ("how many cards there are", {"turn": "told becomes count of hand"}),
    ("how many cards lie open", {"turn": "told becomes count of (open where colour = red)"}),
    ("the best of the open cards", {"turn": "if open is not empty\n  told becomes highest of rank over open"}),
    ("one's own hand to oneself", {"turn": "mine becomes sum of rank over hand"}),
    ("one's own hand to nobody", {"turn": "dark becomes sum of rank over hand"}),
    ("an open note of an open number", {"turn": "told becomes count of deck\nmine becomes told"}),
    ("a hidden note of an open number", {"turn": "dark becomes count of deck\ntold becomes dark"}),
    ("a hidden number that never changes", {"turn": "told becomes dark"}),
    ("a marker that can only be nothing",
     {"more": "marker friend of player: Card or nothing, private",
      "turn": "friend becomes nothing\nif friend of left of player is nothing\n  told becomes 1"}),
    ("a private note of what was said aloud",
     {"turn": "choose say", "pieces": "action say(n in 1..3)\n  mine becomes n",
      "after": "told becomes mine"}),
    ("what was said aloud decides what may be said",
     {"turn": "choose say",
      "pieces": "action say(n in 1..4)\n  needs no o in opponents has mine of o = n\n  mine becomes n"}),
    ("the card that was laid on an open top",
     {"more": "zone heap: pile of Card, public top", "pieces": "action toss(c from hand)\n  move c to heap\n"
      "  told becomes rank of c", "turn": "choose toss"}),
    ("the card that was laid", {"lay": "told becomes rank of give"}),
    ("a card drawn openly",
     {"after": "if deck is not empty\n  draw 1 from deck to open as new\n  told becomes rank of new"}),
    ("which card was laid decides where", {"more": "number marks[1..6]: 0..1 = 0",
     "lay": "marks[rank of give] becomes 1"}),
    ("the highest open card goes away",
     {"after": "if open is not empty\n  move the c in open with highest rank of c to away"}),
    ("options by one's own hand", {"needs": "needs some c in hand has rank of c >= rank of give"}),
    ("options by the size of a hand", {"needs": f"needs count of {LEFT} < 9"}),
    ("one's own cards in a loop of one's own",
     {"turn": "each player\n  each c in hand\n    mine becomes rank of c"}),
    ("what each draws, noted by each",
     {"after": "each player\n  if deck is not empty\n    draw 1 from deck to hand as new\n"
               "    mine becomes rank of new"}),
    ("which of two piles by an open number", {**HEAPS, "turn": "move all a[1 + told mod 2] to away"}),
    ("chance takes an open card that all can see to be meant",
     {**LINE, "turn": "if some c in line has rank of c = 1\n  draw 1 from line where rank = 1 to away"}),
    ("chance takes of one's own row what one's own hand decides",
     {**LINE, "turn": draws_best("rack", MY_SIGN)}),
    ("the neighbour's best card goes", {**LINE, "turn":
     f"if {LEFT_RACK} is not empty\n  move the c in {LEFT_RACK} with highest rank of c to away"}),
    ("one's own cards before oneself in an order of one's own",
     {**LINE, "turn": f"move all rack to rack in order of rank * {MY_SIGN}"}),
    ("an open pile is shuffled", {**LINE, "more": f"{LINE['more']}\nzone mess: pile of Card, public",
     "turn": "move all line to mess\nshuffle mess"}),
    ("the first of an open row goes out of the game",
     {"more": "zone line: row of Card, public, sorted by rank", "setup": "draw 3 from deck to line",
      "turn": "if line is not empty\n  move first of line to away"}),
    ("inside a turn everybody notes of himself",
     {"turn": "one turn each from left of player except player\n  mine becomes count of (hand where rank > 3)\n"
              "  choose nod", "pieces": "action nod"}),
    ("what all choose at once, said by what it does",
     {"more": "number called of player: 0..3 = 0\nmarker raised of player: yes or no = no",
      "turn": "all choose bid or fold", "after": "told becomes highest of called of p over p in players",
      "pieces": "action bid(n in 0..3)\n  called becomes n\naction fold\n  raised becomes yes"}),
    ("what one has said at once, oneself",
     {"turn": "all choose bid", "pieces": "action bid(n in 0..3)\n  mine becomes n",
      "needs": "needs mine < 9"}),
    # flow
    ("a marker behind an open condition", {"turn": "if count of deck < 5\n  seen becomes yes"}),
    ("a hidden note behind a condition", {"turn": f"if {HIGH}\n  dark becomes 1"}),
    ("one's own note behind a condition of one's own", {"turn": f"if {HIGH}\n  mine becomes 1"}),
    ("asked because of the number of cards", {"turn": f"if count of {LEFT} > 2\n  choose nod", "pieces": "action nod"}),
    ("asked as often as one has cards", {"turn": "repeat count of hand times\n  choose nod", "pieces": "action nod"}),
    ("a phase that comes for an open number", {"pieces": "phase more when told = 0\n  choose nod\naction nod"}),
    ("a turn that is passed over openly",
     {"after": "one turn each from 1 skipping hand is empty\n  choose nod", "pieces": "action nod"}),
    ("players in the order of open numbers",
     {"turn": "each player in order of count of hand\n  choose nod", "pieces": "action nod"}),
    ("always possible", {"turn": "choose high or nod if possible",
                         "pieces": "action high(c from hand where rank = 6)\n  move c to open\naction nod"}),
    ("a drawn card that its owner may use",
     {"after": "if deck is not empty\n  draw 1 from deck to hand as new\n  mine becomes rank of new"}),
    ("a suit that is followed if it can be",
     {"more": "zone trick: row of Card, public\ndefine led = colour of first of trick",
      "turn": "choose follow if possible", "pieces":
      "action follow(c from hand where trick is empty or colour = led or no d in hand has colour of d = led)\n"
      "  move c to trick"}),
    ("the points of the only round", {"pieces": "score each round\n  high = highest of rank over c in hand"}),
    # counts
    ("a whole hand apart", {"after": "move all hand to aside"}),
    ("one by one, all of them", {"after": "each c in hand\n  move c to aside"}),
    ("as many as lie open", {"after": "draw up to count of open from deck to aside"}),
    ("those that lie open", {"after": "move all (open where colour = red) to away"}),
    ("drawn behind an open condition", {"after": "if count of open > 2\n  draw up to 1 from deck to aside"}),
    ("a chosen card out of the game", {"pieces": "action hide(c from hand)\n  move c to away", "turn": "choose hide"}),
    ("a chosen card apart", {"pieces": "action hide(c from hand)\n  move c to aside", "turn": "choose hide"}),
    ("one drawn for a condition on it", {"after": "if count of deck > 8\n  draw 1 from deck where rank > 1 to aside"}),
    ("as many as were said aloud",
     {"pieces": "action say(n in 1..2)\n  mine becomes n", "turn": "choose say",
      "after": "draw up to mine from deck to aside"}),
    ("the top of the deck apart", {"after": "if deck is not empty\n  draw 1 from deck to away"}),
    ("under the deck",
     {"after": "if open is not empty\n  move 1 of (open where it = (the c in open with lowest rank of c)) to away"}),
    ("all shuffled again", {"after": "if count of deck < 3\n  shuffle all Card into deck\n  end game"}),
    ("some that are alike", {"after": "if count of open > 3\n  move all open to away"}),
    ("a reset in between", {"turn": "told becomes 0\nmine becomes 0\ndark becomes 0"}),
    ("a hidden word that nothing asks for", {"after": "roll omen"}),
    ("kept for a turn, set back again",
     {"more": "number peek: 0..6 = 0, each turn, hidden", "needs": "needs peek = 0",
      "after": "if hand is not empty\n  peek becomes highest of rank over hand"}),
)  # fmt: skip
