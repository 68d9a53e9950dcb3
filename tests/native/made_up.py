"""Small rulebooks made up at random: every kind of zone, random conditions and values. A number in, a text out.

They make little sense as games; both engines must make the same of them.
"""

from __future__ import annotations

from random import Random

ZONES = {"hand": "set", "line": "row", "heap": "pile", "shelf": "set"}  # hand is a player's own


class Author:
    """Writes one rulebook."""

    def __init__(self, number: int) -> None:
        self.chance = Random(number)
        self.has_copies = self.chance.random() < 0.4

    def one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    # ---- expressions

    def zone(self, whose: str | None = None) -> str:
        name = self.one("hand", "line", "heap", "shelf")
        return f"hand of {whose}" if name == "hand" and whose else name

    def number(self, depth: int = 2) -> str:
        simple = [str(self.chance.randint(0, 4)), "n", "m", "round", "players", "m of left of player"]
        if depth == 0:
            return self.chance.choice(simple)
        inner = self.number(depth - 1)
        return self.chance.choice([
            *simple,
            f"({inner} + {self.number(depth - 1)})", f"({inner} - {self.number(depth - 1)})",
            f"({inner} * 2)", f"({inner} div 3)", f"({inner} mod 3)", f"smallest({inner}, 3)", f"largest({inner}, n)",
            f"count of {self.zone()}", f"(count of ({self.cards()}))",
            f"(sum of rank over c in ({self.cards()}))", f"(count of distinct rank over c in ({self.cards()}))",
            f"(if {self.truth(depth - 1)} then {inner} else {self.number(depth - 1)})",
            f"(sum of (m of p) over p in {self.one('players', 'opponents')})",
            "(highest of (count of hand of p) over p in players)",
            f"twice({inner})", f"position(red, wish) + {inner}",
        ])

    def cards(self) -> str:
        zone = self.zone()
        return self.one(
            zone, f"{zone} where colour = {self.one('red', 'blue')}", f"{zone} where rank {self.one('<', '>=')} 2",
            f"{zone} where colour = red or rank = {self.chance.randint(1, 3)}",
            f"{zone} where not (rank in {{1, 3}})", f"{zone} where rank = n and colour is not red",
            f"{zone} where it in hand", f"{zone} where some d in line has rank of d = rank of it",
        )

    def truth(self, depth: int = 2) -> str:
        simple = ["flag", "not flag", f"n {self.one('<', '=', '>=')} {self.chance.randint(0, 3)}",
                  f"{self.zone()} is {self.one('empty', 'not empty')}", "favourite is nothing",
                  f"favourite {self.one('=', 'is not')} player"]
        if depth == 0:
            return self.chance.choice(simple)
        return self.chance.choice([
            *simple,
            f"({self.truth(depth - 1)} {self.one('and', 'or')} {self.truth(depth - 1)})",
            f"({self.number(depth - 1)} {self.one('<', '=', '>', 'is not')} {self.number(depth - 1)})",
            f"(some c in {self.zone()} has rank of c = {self.number(0)})",
            f"(every c in ({self.cards()}) has {self.truth(0)} or colour of c = red)",
            f"(no p in opponents has m of p > {self.number(0)})",
            f"({self.number(depth - 1)} in 0..3)",
            f"({self.zone()} is not empty and some c in {self.zone()} has colour of c = blue)",
            "like(n)",
        ])

    # ---- statements

    def line(self, indent: str = "  ", depth: int = 1) -> str:
        plain = [
            f"n becomes (({self.number(1)}) mod 4)", f"m becomes smallest(largest({self.number(1)}, 0), 9)",
            f"flag becomes {self.one('yes', 'no', 'n = 2')}", "favourite becomes player", "favourite becomes nothing",
            f"move all hand where rank = {self.chance.randint(1, 3)} to {self.one('line', 'heap', 'shelf')}",
            f"move all {self.one('line', 'shelf', 'heap')} to {self.one('hand', 'shelf', 'heap', 'line')}",
            f"move all hand to {self.one('line', 'bottom of heap')} in {self.one('', 'reverse ')}order of rank",
            "draw up to 1 from stock to hand", "draw up to 1 from stock where colour = red to line",
            f"draw up to {self.chance.randint(1, 2)} from {self.one('stock', 'shelf', 'heap', 'line')} to hand",
            "roll n", "shuffle wish", "n increases by 1",
        ]
        if depth == 0:
            return indent + self.chance.choice(plain)
        inner = self.line(indent + "  ", depth - 1)
        return self.chance.choice([
            *[indent + one for one in plain],
            f"{indent}if {self.truth(1)}\n{inner}\n{indent}otherwise\n{self.line(indent + '  ', 0)}",
            f"{indent}each player\n{inner}", f"{indent}repeat 2 times\n{inner}",
            f"{indent}each player from left of player where {self.truth(0)}\n{inner}",
            f"{indent}each c in ({self.cards()})\n{indent}  m becomes smallest(m + rank of c, 9)",
            f"{indent}if line is not empty\n{indent}  move {self.one('top', 'bottom')} of line to "
            f"{self.one('shelf', 'hand', 'bottom of heap')}",
        ])

    def lines(self, most: int) -> str:
        return "\n".join(self.line() for _ in range(self.chance.randint(1, most)))

    def action(self, name: str) -> str:
        choices = self.one("", "(card from hand)", f"(card from hand, other from {self.zone()})",
                           "(by in 0..2)", "(card from hand, by in 1..3)", f"(card from {self.zone()})")
        needs = f"\n  needs {self.truth(1)}" if self.chance.random() < 0.6 else ""
        if "by in" in choices and self.chance.random() < 0.5:
            needs += f"\n  needs by {self.one('<', 'is not', '>=')} {self.number(0)}"
        if "card" in choices and self.chance.random() < 0.5:
            needs += f"\n  needs rank of card {self.one('<', 'is not', '>=')} {self.number(0)}"
        if "other" in choices and self.chance.random() < 0.7:
            needs += "\n  needs other is not card"
        body = self.lines(2)
        if "card from hand" in choices:
            body = f"  move card to {self.one('line', 'heap', 'shelf', 'bottom of heap')}\n{body}"
        return f"action {name}{choices}{needs}\n{body}"

    def text(self) -> str:
        copies = ", 2 of each" if self.has_copies else ""
        choose = self.one("choose one, two or rest", "choose one or rest", "all choose one or rest",
                          "choose two if possible", "choose one, else choose rest")
        loop = self.one("repeat 3 times", "one turn each from 1", "one turn each from starter skipping flag",
                        "turns from left of player until round_over", "one turn each from left of starter except 1")
        kind = self.one("row", "pile")
        return f"""
rounds {self.chance.randint(1, 2)}{self.one('', ', starter moves left', ', starter moves right')}
values Colour: red, blue, green
card Card: colour Colour, rank 1..3{copies}
zone stock: pile of Card, hidden
zone hand of player: set of Card, private
zone line: {kind} of Card, public{', sorted by rank' if kind == 'row' and self.chance.random() < 0.5 else ''}
zone heap: pile of Card, public
zone shelf: set of Card, public
number n: 0..3 = {self.chance.randint(0, 3)}
number m of player: 0..9 = 1{self.one('', ', each round', ', each turn')}
number turns_taken: 0..40 = 0, each round
marker flag: yes or no = no
marker favourite: player or nothing
marker wish: order of Colour
define twice(k -99..99) = 2 * k
define like(k 0..3) = m > k or flag
define round_over = turns_taken >= {self.chance.randint(2, 6)}
setup
  shuffle all Card into stock
  deal {self.chance.randint(1, 3)} from stock to each hand
setup round
{self.lines(2)}
phase play: {loop}
  turns_taken increases by 1
  {choose}
{self.lines(2)}
{self.action('one')}
{self.action('two')}
action rest
{self.lines(1)}
always "a property": {self.truth()}
can happen "another": {self.truth()}
at end of turn "a third": {self.truth(1)}
after one "a fourth": n = before (n) or {self.truth(1)}
score each round
  first_line = {self.number()}
  second_line = {self.number()}
ranking: {self.one('highest', 'lowest')} total, {self.one('highest m', 'lowest counted(first_line)')}, ties share
result: good when {self.truth(1)}, otherwise bad
"""


def made_up(number: int) -> str:
    return Author(number).text()
