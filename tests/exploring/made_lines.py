"""Small games with lines picked by lot, among them such as look at the order in which something was put down."""

from __future__ import annotations

from random import Random

HEAD = """rules 1
game "Lines"
players {players}

values Colour: red, blue{more}
card Card: colour Colour, {ranks}

zone stock: pile of Card, hidden
zone line: row of Card, public
zone heap: pile of Card, public
zone bag: pile of Card, hidden
zone supply: set of Card, public
zone hand of player: set of Card, private

number used: 0..2 = 0
number told: 0..3 = 0
number counted[Colour]: 0..3 = 0
number chips of player: 0..2 = 1
marker last: Colour or nothing
marker someone: player or nothing

setup
  shuffle all Card into stock
{opening}
phase play: turns from {start} until used = 2
  choose {offered}
"""
OPENINGS = ("  deal 1 from stock to each hand", "  draw 1 from stock to supply", "  draw 1 from stock to line",
            "  draw lots for starter", "  draw 1 from stock to heap")
FOLLOWING = ("starter, next (if chips > 1 then player else left of player)",
             "starter, next (the first p from left of player where chips of p > 0 or p = player)",
             "1, next (if told = 1 then 1 else right of player)")
TAIL = """
score at end
  points = count of hand + chips

ranking: highest total, ties share
"""


class LineMaker:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = 0

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def new_name(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def game(self) -> str:
        openings = "".join(one + "\n" for one in self.random.sample(OPENINGS, self.random.randrange(1, 4)))
        head = HEAD.format(
            players=self.random.choice((2, 2, 3)), more=self.pick("", "", ", green"),
            ranks=self.pick("rank 1..2", "rank 1..3", "rank 1..2, 2 of each"), opening=openings,
            start=self.pick("1", "starter", "starter", "starter, to the right", *FOLLOWING),
            offered=self.pick("lay or go", "go", "go or take"),
        )
        actions = "\n".join((
            self.action("lay(c from hand)", ["move c to " + self.pick("line", "heap", "bottom of heap", "supply")]),
            self.action("take(c from supply)", ["move c to hand"]), self.action("go", []),
        ))
        return head + actions + TAIL

    def action(self, name: str, first: list[str]) -> str:
        needs = self.pick("", "", f"  needs {self.condition()}\n")
        lines = ["used increases by 1", *first, *self.body(self.random.randrange(1, 5), 1)]
        return f"action {name}\n{needs}" + "".join(f"  {line}\n" for line in lines)

    def body(self, amount: int, depth: int) -> list[str]:
        return [line for _ in range(amount) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        simple = self.random.random() < 0.7 or depth > 2
        if simple:
            return [self.simple()]
        kind = self.random.randrange(6)
        inside = [f"  {line}" for line in self.body(self.random.randrange(1, 3), depth + 1)]
        name = self.new_name()
        match kind:
            case 0:
                return [f"if {self.condition()}", *inside]
            case 1:
                own = self.pick(
                    f"move {name} to {self.place()}", f"last becomes colour of {name}", "told increases by 1"
                )
                return [f"each {name} in {self.pick('supply', 'line', 'heap', 'hand')}", f"  {own}", *inside]
            case 2:
                own = self.pick(
                    f"move all (supply where colour = {name}) to {self.place()}", f"counted[{name}] becomes 1",
                    f"last becomes {name}", f"move all (hand where colour = {name}) to {self.place()}",
                )
                return [f"each {name} in Colour", f"  {own}", *inside]
            case 3:
                return [f"each player {self.pick('', 'from left of player ')}".rstrip(), *inside]
            case 4:
                value = self.pick("top of heap", "first of line", "last of line")
                return [f"if {value.split(' of ')[1]} is not empty", f"  let {name} = {value}",
                        f"  {self.pick(f'move {name} to {self.place()}', f'last becomes colour of {name}')}", *inside]
            case _:
                return [f"let {name} = {self.value()}", f"told becomes smallest({name}, 3)"]

    def simple(self) -> str:
        return self.pick(
            f"move all {self.pick('supply', 'line', 'heap', 'hand', 'bag', 'Card')} to {self.place()}",
            f"move all ({self.pick('supply', 'line', 'heap', 'hand')} where rank = 1) to {self.place()}",
            f"move {self.pick('top', 'bottom')} of {self.pick('bag', 'heap', 'line')} to {self.place()}",
            f"move item 1 of {self.pick('bag', 'heap', 'line')} to {self.place()}",
            f"swap {self.pick('bag', 'heap')} with {self.pick('bag', 'heap')}",
            f"swap {self.pick('supply', 'hand')} with {self.pick('hand of left of player', 'supply')}",
            f"shuffle {self.pick('stock', 'bag', 'bag')}",
            f"shuffle all {self.pick('supply', 'hand', 'line')} into {self.pick('stock', 'bag')}",
            f"draw up to 1 from {self.pick('stock', 'bag')} to {self.pick('hand', 'line', 'supply', 'heap')}",
            f"told becomes smallest({self.value()}, 3)",
            "chips becomes 2", "chips of left of player becomes 0", "chips becomes chips of right of player",
            "last becomes nothing", "roll last", "draw lots for starter",
            f"someone becomes {self.pick('player', 'left of player', 'nothing', 'starter')}",
            f"someone becomes the first p from {self.pick('player', 'starter')} where chips of p > 0 or p = player",
        )

    def place(self) -> str:
        return self.pick(
            "line", "heap", "bag", "bag", "supply", "hand", "bottom of heap", "stock", "hand of left of player"
        )

    def value(self) -> str:
        return self.pick(
            "count of line", "count of distinct colour over line", "chips",
            "if line is empty then 0 else rank of first of line", "count of (supply where rank = 1)",
            "highest of counted[q] over q in Colour", "seats_from(starter, player)",
        )

    def condition(self) -> str:
        return self.pick(
            "line is not empty", "heap is empty", "told > 1", "last is nothing", "chips > 0", "player = starter",
            "some c in supply has colour of c = last", "someone is nothing", "count of line > count of heap",
            "every c in Colour has counted[c] = 0", "line is not empty and last = colour of first of line",
            "some p in players has chips of p > 1", "someone is not nothing and chips of someone = 0",
        )
