"""Small rulebooks made up at random: every construct of the language, in random places. A number in, a text out.

They make little sense as games, and some are refused by the checker; both engines must make the same of the others.
Statements and actions are written by `made_up_lines`, expressions by `made_up_values`.
"""

from __future__ import annotations

import re
from collections import Counter

from rulesrun.interpreter.model.values import RefusedTable
from rulesrun.interpreter.reference.table import set_up_table
from tests.interpreter.made import program
from tests.native.made_up_lines import Lines

RINGS = ("3 rings", "size + 2 rings")  # with a1, b2 and c3, as the others
COLOURS = "red, blue, green"
PROPERTIES = ("always", "never", "can happen", "at end of", "after", "ends within", "at most")
SPARED = ("zone ", "number ", "marker ", "memory ", "table ", "define ", "values Stand", "option ")


class Author(Lines):
    """Writes one rulebook."""

    def condition_of_goal(self) -> str:
        return self.one("flag", "m > 2", "some c in hand has rank of c = n", "line is empty")

    def kept_values(self) -> str:
        """What stays with cards, where no two are equal."""
        if self.has_copies:
            return ""
        word = self.one("", ", each round", ", each turn", ", hidden")
        return f"marker told of Card: yes or no{word}\nnumber wear of Card: 0..3 = 1, clamped{self.one('', word)}\n"

    def mixed_zones(self) -> str:
        """Zones of two kinds, and what both are worth."""
        if not self.has_mixed_zones:
            return ""
        kind = self.one("row", "pile", "set")
        return f"""zone stall: {kind} of Card or Token, public
zone purse of player: set of Card or Token, {self.one("private", "public")}
zone sack: pile of Card or Token, hidden
marker found: Card or Token or nothing{self.one("", ", each round", ", each turn")}
define worth_of(c Card or Token) = {self.one("if c is a Card then rank of c else heft of c", "heft of c + n")}
define weight_of(s set of Card or Token) = sum of worth_of(t) over t in s{self.one("", " where t is not a Token")}
"""

    def pieces_on_board(self) -> str:
        if not self.has_pieces:
            return ""
        return f"""marker crowned[Square]: yes or no
marker hue[Square]: Colour or nothing
marker guard[Square]: Stand = {self.chance.randint(1, 3)}
marker home[Square]: Square = a1
number height[Square]: 0..3 = {self.one("0", "1")}, clamped
define own = Square where stone = player
"""

    # ---- the whole

    def pieces(self) -> str:
        copies = ", 2 of each" if self.has_copies else ""
        kind, limit = self.one("row", "pile"), self.one("", ", up to 4")
        is_sorted = ", sorted by rank" if kind == "row" and self.chance.random() < 0.4 else ""
        teams = f"teams: {self.teams}\n" if self.teams else ""
        return f"""
{teams}values Colour: {COLOURS}
values Stand: 1..3
option size: 1..3 = {self.chance.randint(1, 3)}
option mode: short, long = {self.one("short", "long")}
option heaps: row of 0..9 up to 4 = {{3, 1, 2}}
card Card: colour Colour, rank 1..3{copies}
  half 0..2 = rank div 2
  heft 0..2 = rank mod 2
token Token: kind Colour, 3 of each
  heft 0..2 = {self.one("1", "if kind = red then 2 else 1", "position(kind, {red, blue})")}
die Die: {self.one("1..3", "1..6")}, {self.one("2", "players")} of each
die Lot: Colour
card Goal: value 0..5, rule met, step reward
  many: 3, count of hand >= 2, helping
  low: {self.chance.randint(0, 5)}, {self.condition_of_goal()}, {self.one("nothing", "giving(2)")}
  never_met: 1, no, giving({self.chance.randint(1, 3)})
zone stock: pile of Card, hidden
zone reserve: pile of Card, hidden{self.one("", ", up to 6")}
zone hand of player: set of Card, private
zone line: {kind} of Card, public{is_sorted}{limit}
zone tidy: pile of Card, public, sorted by {self.one("rank", "colour")}
zone heap: pile of Card, {self.one("public", "public top")}
zone shelf: set of Card, public{limit}
zone rack[1..2] of player: row of Card, {self.one("private", "public")}
zone slot[Colour]: place of Card, public
zone bag: pile of Token, hidden
zone pool: set of Token, public
zone mine of player: set of Token, {self.one("public except player", "private")}
zone goals: set of Goal, public
zone dice: {self.one("set", "set", "row")} of Die, public
zone cup of player: {self.one("set", "set", "row")} of Die, {self.one("private", "public")}
zone lots: place of Lot, {self.one("public", "hidden")}
board Square: {self.one("3 by 4", "4 by 3, hexagonal", "3 by size + 2 where row + column < 7", *RINGS)}
marker stone[Square]: player or nothing
marker stone_at: Square{self.one("", ", each round")}
number n: 0..3 = {self.chance.randint(0, 3)}
number m of player: 0..9 = 1{self.one("", ", each round", ", each turn")}
number level: -3..3 = 0, clamped
number worth[Colour]: 0..9 = 1{self.one("", ", each round")}
number turns_taken: 0..40 = 0, each round
{self.kept_values()}{self.mixed_zones()}{self.pieces_on_board()}marker flag: yes or no = no
marker favourite: player or nothing
marker colour_of: Colour = green, hidden
marker stand: Stand
marker coin: 1..2
marker last: Card or nothing{self.one("", ", each round", ", each turn")}
marker favourites of player: Card or nothing, seen by left of player and 1
marker maybe_wish: order of Colour or nothing{self.one("", ", each round")}
marker wish: order of Colour
marker other_wish: order of Colour
memory seen{self.one("", ", each round")}
table hand_size(k 0..3): 0: 2, 1..2: {self.number(0)}, otherwise: 3
table price(c Colour, k 0..3): red 1: 5, blue: k + 1, otherwise: {self.chance.randint(0, 4)}
table some_of(c Colour): {{1, n}}, {{2, 3}}, {{{self.number(0)}}}
table behind(k 0..3, o order of Colour): 0: position(red, o), 1: {self.number(0)}, otherwise: position(colour_of, o) + k
define place_in(o order of Colour) = position(colour_of, o)
define twice(k -99..99) = 2 * k
define like(k 0..3) = m > k or flag
define worth_in(s set of Card) = {self.one("sum of rank over s", f"sum of rank over c in s where {self.truth(0)}")}
define alike(s set of Card, among set of Colour) = every c in s has colour of c in among
define reds_in(s set of Token) = count of s where kind = red
define rich(s set of player) = count of s where m of it > {self.number(0)}
define highest_place(s set of Card) = if s is empty then 0 else highest of position(c, line) over c in s
define low_ones = {self.cards()}
define share(k 1..3) = {self.number(1)} / k
define round_over = turns_taken >= {self.chance.randint(2, 6)}
"""

    def flow(self) -> str:
        choose = self.one(
            "choose one, two or rest",
            "choose one or rest",
            "all choose one or rest",
            "choose two if possible",
            "choose one, else choose rest",
            *(("choose two, else nobody wins", "choose one or two, else player loses") if self.has_winner else ()),
            "team chooses two or rest",
            f"all choose one or rest where {self.truth(0)}",
            f"ask each opponent: one or rest, until {self.truth(0)}",
            f"ask each {self.one('player', 'opponent from starter')} where {self.truth(0)}: two or rest",
        )
        loop = self.one(
            "repeat 3 times",
            "one turn each from 1",
            "one turn each from starter skipping flag",
            "turns from left of player, next if n = 2 then player else left of left of player until round_over",
            "one turn each from left of starter, to the right except 1",
            f"turns from starter skipping {self.truth(0)} until round_over",
            f"turns from starter, at most {self.one('3', 'size + 2', 'players')} turns{self.without()} until "
            "round_over",
            f"turns from 1, at most {self.chance.randint(1, 5)} turns{self.without()}",
        )
        rounds = self.one(
            f"rounds {self.chance.randint(1, 2)}", f"rounds until {self.truth(0)} or round > 2", "rounds size"
        )
        return f"""
{rounds}{self.one("", ", starter moves left", ", starter moves right")}
setup
  shuffle all Card into stock
  shuffle all Token into bag
  move all Goal to goals
{self.setup_of_things()}  deal {self.chance.randint(1, 2 if self.players < 5 else 1)} from stock to each hand
  deal 1 from bag to each mine
  if mode = long
    shuffle wish
setup round
{self.lines(2)}
phase play{self.one("", "", f" when {self.truth(0)}")}: {loop}
  if turns_taken < 40
    turns_taken increases by 1
{self.goal_line()}  {choose}
{self.lines(2)}
phase late: {self.one("one turn each from 1", "repeat until count of stock < 9 or n < 3")}
{self.lines(1)}
  choose rest
step handing(given Card, by 0..3)
  {self.one(self.changing(), self.moving(), self.drawing(), self.throwing())}
  move given to {self.one("heap", "shelf", "line")}
  n becomes by
step laying(these set of Card, by 0..3)
  {self.one(self.changing(), self.moving(), self.drawing(), self.throwing())}
  move all these to {self.one("heap", "shelf", "line", "bottom of stock")}
  n becomes by
{self.step_for_things()}step giving(more 1..3)
  m becomes smallest(m + more, 9)
step helping
  {self.one(self.changing(), self.moving(), self.drawing(), self.throwing())}
{self.action("one")}
{self.action("two")}
action rest
{self.lines(1, False)}
"""

    def without(self) -> str:
        return self.one("", " without one", " without one or two", " without rest")

    def setup_of_things(self) -> str:
        if not self.has_mixed_zones:
            return ""
        rank = self.chance.randint(1, 3)
        return f"  shuffle all Token into sack\n  shuffle all (Card where rank = {rank}) into sack\n"

    def goal_line(self) -> str:
        return f"  if {self.truth(1)}\n    {self.result()}\n" if self.has_winner else ""

    def step_for_things(self) -> str:
        if not self.has_mixed_zones:
            return ""
        return f"""step handing_over(these set of Card or Token)
  {self.one(self.changing(), self.drawing(), self.of_things(may_do=False), self.throwing())}
  move all these to {self.one("stall", "purse", "sack", "bottom of sack")}
"""

    def scores(self) -> str:
        told = f"score\n  told_line = {self.number(1)}\n" if self.chance.random() < 0.4 else ""
        ties = self.one(", ties share", ", ties share", "")
        criterion = self.one(
            "highest m",
            "lowest counted(first_line)",
            "highest (sorted of rank over hand)",
            "highest latest(total) when n > 1",
            "lowest share(2)",
        )
        of_all = "sum of value over g in goals where met of g"
        shared = ["sum of m of p over p in team"] * 2 if self.teams else []  # partners come to the same
        last = self.one(self.number(1), *shared, "counted(first_line) div 2", "share(3)", of_all)
        return f"""{told}score each round
  first_line = {self.number()}
  second_line = {self.number()}
score at end
  last_line = {last}
ranking: {self.one("highest", "lowest")} total, {criterion}{ties}
result: good when {self.truth(1)}, fair when {self.truth(0)}, otherwise bad
"""

    def end(self) -> str:
        after = self.one("n = before (n)", "count of shelf >= before (count of shelf)", "hand = before (hand)",
                         "n / 2 >= before (n / 2)", "{m / 3, n} = before ({m / 3, n})",
                         f"({self.lists()}) = before ({self.lists()})")
        return f"""
always "a property": {self.truth()}
never "a fault": {self.truth(1)}
can happen "another": {self.truth()}
at end of turn "a third": {self.truth(1)}
at end of round "a fourth": {self.truth(1)}
at end of game "a fifth": place of 1 = 1 or {self.truth(0)}
after one "a sixth": {after} or {self.truth(1)}
ends within {self.chance.randint(1, 9)} {self.one("turns", "rounds", "decisions")} "short"
at most 1/2 of games "often": {self.truth(0)}
{self.results() if self.has_winner else self.scores()}"""

    def results(self) -> str:
        return f"""at end of game "who won": winner is nothing or {self.truth(0)} or outcome of winner = 1
at end of game "nobody won": (sum of outcome of p over p in players) < {self.chance.randint(-1, 2)}
"""

    def some_properties(self, text: str) -> str:
        """Most rulebooks have few."""
        lines = text.split("\n")
        return "\n".join(line for line in lines if not line.startswith(PROPERTIES) or self.chance.random() < 0.4)

    def text(self) -> str:
        return mentioned(self.pieces(), self.flow() + self.some_properties(self.end()) + self.figures())

    def figures(self) -> str:
        """What is counted; nothing of a game follows from it."""
        moment, whole = self.one("turn", "round"), self.chance.randint(0, 5)
        begins = self.one("two", "helping", "end of turn")
        return f"""figure first_figure: how often {self.one("one", "rest", "helping", "handing")}
figure second_figure: how often {self.truth(1)}, at {self.one("one", "end of turn", "end of round", "end of game")}
figure third_figure: {self.one("highest", "lowest", "sum")} {self.number(1)}, at {begins}
figure fourth_figure: mean {self.one("n", "m", "count of shelf", f"{whole} - n")}, at end of {moment}
figure fifth_figure: {self.number(1)}, at end of game
"""


NEEDED = ("marker crowned",)  # so that something moves with `move`


def mentioned(pieces: str, rest: str) -> str:
    """The rulebook without pieces that nobody speaks of."""
    lines = pieces.split("\n")
    while True:
        text = "\n".join(lines) + rest
        words = Counter(re.findall(r"\w+", text))
        kept = [line for line in lines if not line.startswith(SPARED) or line.startswith(NEEDED)
                or words[re.split(r"\W+", line)[1]] > 1]  # fmt: skip
        if len(kept) == len(lines):
            return text
        lines = kept


def written(number: int, players: int | None = None) -> str:
    """A rulebook as it comes; the checker may refuse it. `players`: how many play; None: two or three."""
    return Author(number, players).text()


def made_up(number: int) -> str:
    """One that tables for two and three can be made of."""
    for attempt in range(100):
        text = written(number + attempt * 1_000_003)
        if is_accepted(text):
            return text
    raise AssertionError("a rulebook in a hundred is accepted")


def is_accepted(text: str) -> bool:
    try:
        found = program(text, "2..3")
        return all(set_up_table(found, players, {}).players == players for players in (2, 3))
    except (AssertionError, RefusedTable):
        return False
