"""Correct rulebooks made up by a seed: a frame of a game and some of the parts below, in any order.

Nothing is wrong with any of them, and none tells what lies hidden: whatever is found there is a false alarm. That each
part is right was reckoned by hand; no part changes what another one needs.
"""

from __future__ import annotations

from random import Random

from attrs import frozen

FRAME = """rules 1
game "Made up {seed}"
players {players}
values Colour: red, blue, green
card Card: colour Colour, rank 1..{ranks}
zone deck: pile of Card, hidden
zone hand of player: {hand} of Card, private{sorting}
zone heap: {heap} of Card, public
{declared}
{setup_round}
  shuffle all Card into deck
  deal 3 from deck to each hand
{setup}
{turns}
{turn}
{actions}
{score}
  points = {points}
ranking: highest total, ties share
always "no card appears": count of deck + count of heap + (sum of count of hand of p over p in players) <= 3 * {ranks}
{properties}
"""


@frozen
class Part:
    name: str
    turn: str = ""
    declared: str = ""
    setup: str = ""
    actions: str = ""
    properties: str = ""


NOD = "action nod\n  nods increases by 1"
NODS = "number nods: 0..9 = 0, clamped"

PARTS = (
    Part("a suit is followed", "choose follow if possible",
         "zone trick: row of Card, public\ndefine led = colour of first of trick", "",
         "action follow(c from hand where trick is empty or colour = led or no d in hand has colour of d = led)\n"
         "  move c to trick\n  if count of trick = players\n    move all trick to heap"),
    Part("a card of a hand that is not empty follows", "if hand is not empty\n  choose follow_on",
         "marker wanted: Colour or nothing", "",
         "action follow_on(c from hand)\n"
         "  needs wanted is nothing or colour of c = wanted or no d in hand has colour of d = wanted\n"
         "  wanted becomes colour of c\n  move c to heap"),
    Part("any of the dice are kept, or none", "each d in Dice\n  roll eyes[d]\nchoose keep",
         "values Dice: 1..3\ntoken Die: number Dice\nzone rolled: set of Die, public\nzone kept: set of Die, public\n"
         "number eyes[Dice]: 1..6 = 1", "move all Die to rolled",
         "action keep(0..3 dice from rolled)\n  move all dice to kept\n  move all kept to rolled"),
    Part("rows that only names tell apart", "if box is not empty\n  draw 1 from box to coins",
         "token Coin: worth 0..2\n  copper: 1, 2 of each\n  fake: 0, 2 of each\n  lost: 0, 3 of each\n"
         "zone box: pile of Coin, hidden\nzone coins of player: set of Coin, public", "shuffle all Coin into box",
         "", 'always "no more than two": every p in players has (count of coins of p where it = fake) <= 2'),
    Part("a private note of what all see", "noted becomes count of deck\nshown becomes noted",
         "number noted of player: 0..60 = 0, private\nnumber shown: 0..60 = 0"),
    Part("a hidden note of what lies open",
         "under becomes count of (heap where colour = red)\nif under > 2\n  choose nod",
         f"number under: 0..60 = 0, hidden\n{NODS}", "", NOD),
    Part("what one draws one knows",
         "if deck is not empty\n  draw 1 from deck to hand as new\n  best becomes rank of new",
         "number best of player: 0..9 = 0, private"),
    Part("what one draws decides what one may lay",
         "if deck is not empty\n  draw 1 from deck to hand as new\n  last becomes rank of new\n"
         "  choose lay_it or leave_it",
         "number last of player: 0..9 = 0, private", "",
         "action lay_it(c from hand where rank > last)\n  move c to heap\naction leave_it"),
    Part("what was said aloud is known", "choose say\nheard becomes said",
         "number said of player: 0..3 = 0, private\nnumber heard: 0..3 = 0", "",
         "action say(n in 1..3)\n  said becomes n"),
    Part("what was said aloud may not be said again", "choose claim, always possible",
         "number claimed of player: 0..9 = 0, private", "",
         "action claim(n in 1..9)\n  needs no o in opponents has claimed of o = n\n  claimed becomes n"),
    Part("a marker that is nothing", "friend becomes nothing\nif friend is nothing\n  choose nod",
         f"marker friend of player: Card or nothing, private\n{NODS}", "", NOD),
    Part("a throw until it is six", "eye becomes 1\nrepeat until eye = 6\n  roll eye", "number eye: 1..6 = 1"),
    Part("asked until a throw comes", "luck becomes 1\nrepeat until luck = 2\n  choose nod\n  roll luck",
         f"number luck: 1..2 = 1\n{NODS}", "", NOD),
    Part("all bid at once", "all choose bid\ntop_bid becomes highest of bid_of of p over p in players",
         "number bid_of of player: 0..3 = 0\nnumber top_bid: 0..3 = 0", "",
         "action bid(n in 0..3)\n  bid_of becomes n"),
    Part("everybody nods inside a turn", "one turn each from left of player except player\n  choose nod", NODS, "",
         NOD),
    Part("cards of which nothing is known go round",
         "if deck is not empty\n  draw 1 from deck to pot\n  shuffle pot into deck", "zone pot: set of Card, hidden"),
    Part("a hand goes back and is dealt anew",
         "if count of hand > 1\n  move all hand to pit\n  shuffle pit into deck\n  draw up to 2 from deck to hand",
         "zone pit: set of Card, hidden"),
    Part("one's own cards counted for oneself", "high becomes count of (hand where rank > 1)",
         "number high of player: 0..30 = 0, private"),
    Part("the team says something", "team chooses nod", NODS, "", NOD),
    Part("who has most cards is asked",
         "most becomes the p in players with highest count of hand of p\nmost chooses nod",
         f"marker most: player = 1\n{NODS}", "", NOD),
    Part("an order that all see", "shuffle sequence\nif sequence[1] = 1\n  choose nod",
         f"marker sequence: order of 1..2\n{NODS}", "", NOD),
    Part("a row of what lies open is taken one by one",
         "if heap is not empty\n  each c in heap where rank of c > 1\n    move c to away",
         "zone away: set of Card, public"),
)  # fmt: skip
CHOICES = {
    "drop": "action drop(c from hand)\n  move c to heap",
    "wait": "action wait",
    "wish": "action wish(k in Colour)\n  wished becomes k",
}


def correct_rulebook(seed: int) -> str:
    random = Random(seed)
    parts = random.sample(PARTS, random.randint(1, 4))
    turns, is_drawn = random.choice((
        ("phase play: turns from starter until rounds_left = 0", False), ("phase play: one turn each from 1", False),
        ("phase play: turns from 1 skipping is_out until rounds_left = 0", False),
        ("phase play: turns from left of starter until rounds_left = 0", True),
    ))  # fmt: skip
    hand = random.choice(("set", "row"))
    chosen = ["wait", *(name for name in ("drop", "wish") if random.random() < 0.5)]
    declared = [part.declared for part in parts] + ["marker wished: Colour = green"] * ("wish" in chosen)
    is_counted = "rounds_left" in turns
    declared += ["number rounds_left: 0..6 = 6"] * is_counted
    declared += ["marker is_out of player: yes or no = no"] * ("is_out" in turns)
    asked = f"choose {', '.join(chosen[:-1])} or {chosen[-1]}" if len(chosen) > 1 else "choose wait"
    turn = [*(line for part in parts for line in part.turn.split("\n")), asked]
    turn += ["rounds_left decreases by 1"] * is_counted
    actions = [*(part.actions for part in parts), *(CHOICES[name] for name in chosen)]
    setup = [line for part in parts for line in part.setup.split("\n")] + ["draw lots for starter"] * is_drawn
    text = FRAME.format(
        seed=seed, players=random.choice(("2", "2..3", "2..4", "3")), ranks=random.randint(4, 6), hand=hand,
        sorting=", sorted by rank" if hand == "row" and random.random() < 0.5 else "",
        heap=random.choice(("set", "pile", "row")), declared=pieces(declared), setup_round="setup",
        setup=indented(setup), turns=turns, turn=indented(turn), actions=pieces(actions),
        score=random.choice(("score at end", "score each round")),
        points=random.choice(("sum of rank over c in hand", "count of hand", "0 - count of hand", "count of heap")),
        properties=pieces([part.properties for part in parts]),
    )  # fmt: skip
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


def pieces(told: list[str]) -> str:
    """Each but once: parts may share a number or an action."""
    lines: dict[str, None] = {}
    for piece in told:
        if piece.startswith("action"):
            lines.setdefault(piece)
        else:
            lines.update(dict.fromkeys(piece.split("\n")) if piece else {})
    return "\n".join(lines)


def indented(lines: list[str]) -> str:
    return "\n".join(f"  {line}" for line in lines if line)
