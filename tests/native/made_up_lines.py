"""Statements and actions made up at random, for rulebooks that have the pieces of `made_up`."""

from __future__ import annotations

from tests.native.made_up_values import Values


class Lines(Values):
    # ---- statements

    def plain(self) -> str:
        """One statement on one line."""
        group = self.chance.choice(
            [
                self.changing,
                self.changing,
                self.moving,
                self.moving,
                self.drawing,
                self.throwing,
                self.of_tokens,
                self.rest,
                *([self.of_pieces_moving] * 2 if self.has_pieces else []),
                *([self.of_things] * 2 if self.has_mixed_zones else []),
                *([self.of_partners] if self.teams else []),
            ]
        )
        return group()

    def place(self) -> str:
        return self.one("stone_at", "a1", "b2", "(the s in Square with highest (row of s * n - column of s))")

    def of_pieces_moving(self) -> str:
        here, there = self.place(), self.place()
        return self.one(
            f"move {here} to {there}",
            f"move {here} to {there}",
            f"clear {here}",
            f"clear all ({self.squares_with_pieces('b2')})",
            f"clear all {self.one('neighbours', 'rays')}({here})",
            f"stone[{here}] becomes {self.one('player', 'left of player', 'starter')}",
            f"crowned[{here}] becomes {self.truth(0)}",
            f"hue[{here}] becomes {self.one(self.colour(), 'nothing')}",
            f"guard[{here}] becomes {self.chance.randint(1, 3)}",
            f"home[{here}] becomes {there}",
            f"height[{here}] increases by {self.one('1', 'n', 'height[b2]')}",
            f"stone_at becomes {self.one('home[stone_at]', 'home[b2]', 'c3')}",
        )

    def of_things(self, may_do: bool = True) -> str:
        target = self.one("stall", "purse", "sack", "bottom of sack", "purse of left of player")
        return self.one(
            f"draw up to {self.one('1', '2', 'n')} from sack{self.one('', '', ' where it is a Token')} to {target}",
            "deal up to 1 from sack to each purse",
            f"move all ({self.things()}) to {target}",
            f"move all ({self.mixed_zone()} where it is a Card) to "
            f"{self.one('hand', 'line', 'heap', 'shelf', 'stock')}",
            f"move all ({self.mixed_zone()} where it is a Token) to {self.one('mine', 'pool', 'bag')}",
            f"move all {self.one('hand', 'mine', 'pool', 'shelf', 'line', 'stock', 'bag')} to {target}",
            f"move all {self.mixed_zone()} to {target} in {self.one('', 'reverse ')}order of "
            f"{self.one('heft', '(heft + n) mod 3')}",
            f"shuffle all {self.one('Card', 'Token', f'({self.things()})')} into sack",
            "shuffle sack",
            f"swap {self.one('stall', 'purse')} with {self.one('purse of left of player', 'sack')}",
            f"found becomes {self.one('nothing', f'the t in {self.mixed_zone()} with highest worth_of(t)')}",
            f"do handing_over({self.one(self.things(), 'hand', 'mine')})" if may_do else "n becomes 0",
            self.one("show stall", "show purse to left of player", "look at up to 2 of sack", "show found"),
            f"record {self.mixed_zone()}, found in seen",
        )  # fmt: skip

    def of_partners(self) -> str:
        of_two = (
            "favourite becomes partner", "swap hand with hand of partner", "m of partner becomes smallest(m + 1, 9)",
            "draw up to 1 from stock to hand of partner", "show hand to partner", "starter becomes partner",
        ) if self.has_partners else ()  # fmt: skip
        return self.one(
            "favourite becomes the first p from left of player where p in team",
            f"favourite becomes the p in {self.one('team', 'opponents')} with {self.one('highest', 'lowest')} m of p",
            f"m becomes smallest(sum of (m of p) over p in {self.one('team', 'opponents')}, 9)",
            *of_two,
        )

    def changing(self) -> str:
        if not self.has_copies and self.chance.random() < 0.15:
            return self.changing_kept_value()
        return self.one(
            f"n becomes (({self.number(1)}) mod 4)",
            f"m becomes smallest(largest({self.number(1)}, 0), 9)",
            f"m of left of player becomes {self.chance.randint(0, 9)}",
            "n increases by 1",
            "m decreases by 2",
            f"level increases by {self.number(0)}",
            f"level becomes {self.number(1)}",
            f"worth[{self.colour()}] becomes n",
            f"worth[colour_of] increases by {self.one('1', 'n', 'm')}",
            f"flag becomes {self.one('yes', 'no', 'n = 2', self.truth(1))}",
            "favourite becomes player",
            f"favourite becomes {self.one('nothing', 'right of player', 'starter')}",
            f"favourite becomes the first p from {self.one('player', 'starter')} where m of p >= {self.one('0', 'n')}",
            "starter becomes left of starter",
            f"stone[{self.one('stone_at', 'b2', 'a1')}] becomes {self.one('player', 'nothing')}",
            f"stone_at becomes {self.one('a1', 'b2', 'the s in Square with highest (row of s + n * column of s)')}",
            f"colour_of becomes {self.colour()}",
            f"last becomes {self.one('nothing', 'the c in shelf with highest rank of c')}",
            "wish becomes other_wish",
            "other_wish becomes {green, red, blue}",
            f"maybe_wish becomes {self.one('nothing', 'wish', 'other_wish', '{red, green, blue}')}",
            f"favourites of left of player becomes {self.one('last', 'nothing', 'favourites')}",
            f"stand becomes {self.chance.randint(1, 3)}",
        )

    def changing_kept_value(self) -> str:
        card = self.one("(red 2)", "(the c in Card with highest rank of c)", f"({self.colour_of_card()} 1)")
        return self.one(
            f"told of {card} becomes {self.one('yes', 'no', f'not told of {card}')}",
            f"wear of {card} increases by {self.one('1', 'n')}",
            f"wear of {card} becomes wear of (blue 3)",
            f"roll wear of {card}",
        )

    def colour_of_card(self) -> str:
        return self.one("red", "blue", "green")

    def moving(self) -> str:
        target = self.one(
            "line",
            "heap",
            "shelf",
            "hand",
            "bottom of heap",
            "stock",
            "bottom of stock",
            "rack[1]",
            "hand of left of player",
        )
        return self.one(
            f"move all hand where rank = {self.chance.randint(1, 3)} to {target}",
            f"move all {self.one('line', 'shelf', 'heap', 'rack[2]')} to {target}",
            f"move all ({self.cards()}) to {target}",
            f"move all hand to {self.one('line', 'heap', 'bottom of heap')} in {self.one('', 'reverse ')}order of "
            f"{self.one('rank', '(rank + n) mod 3', 'rank / 2')}",
            f"move all (Card where rank = {self.chance.randint(1, 3)}) to {target}",
            "move all Card to stock",
            f"swap {self.one('hand', 'line', 'shelf')} with "
            f"{self.one('hand of left of player', 'heap', 'rack[1]', 'stock')}",
            "shuffle all Card into stock",
            "shuffle stock",
            "shuffle hand into stock",
            "shuffle line into reserve",
            f"move all stock to {self.one('reserve', 'bottom of reserve', 'line')}",
            "move all reserve to bottom of stock",
            f"move all {self.one('stock', 'heap', 'line')} to tidy",
            f"move all tidy to {self.one('bottom of stock', 'heap', 'line')}",
            "shuffle all (hand where colour = red) into stock",
        )

    def drawing(self) -> str:
        origin, amount = self.one("stock", "stock", "shelf", "heap", "line", "reserve"), self.chance.randint(1, 2)
        condition = self.one(
            "", "", f" where colour = {self.colour()}", f" where rank {self.one('<', '>=')} {self.one('2', 'n')}"
        )
        target = self.one("hand", "line", "shelf", "heap", "reserve", "rack[2]")
        up_to = "up to " if self.chance.random() < 0.9 else ""
        return self.one(
            f"draw {up_to}{amount} from {origin}{condition} to {target}",
            "deal up to 1 from stock to each hand",
            f"draw up to {self.one('n', 'm mod 3')} from {origin} to {target}",
        )

    def throwing(self) -> str:
        return self.one(
            "roll n",
            "roll coin with chances 2, 1",
            "roll stand",
            "roll worth[blue]",
            "roll colour_of",
            "draw lots for favourite",
            "draw lots for starter",
            "shuffle wish",
            "shuffle other_wish",
            "roll flag",
            "roll m",
            "roll favourite",
            "roll all Die into dice",
            f"roll all Die into {self.one('dice', 'cup', 'cup of left of player')}",
            "roll all dice",
            f"roll all (dice where face {self.one('< 3', '= n', '>= 2')})",
            f"roll all {self.one('dice', 'cup')} into {self.one('dice', 'cup')}",
            "move all dice to cup",
            "move all (cup where face > 1) to dice",
            "roll all Lot into lots",
            "roll all lots",
        )

    def of_tokens(self) -> str:
        return self.one(
            "draw up to 2 from bag to pool",
            "shuffle all Token into bag",
            f"move all (pool where kind = {self.colour()}) to bag",
            "shuffle bag",
            f"draw up to 1 from bag where kind = {self.colour()} to mine",
            "move all mine to pool",
            f"draw up to {self.chance.randint(1, 3)} from pool to mine",
            "move all pool to bag",
        )

    def rest(self) -> str:
        return self.one(
            "record n, count of hand, colour_of in seen",
            "record list of hand of p over p in players, wish in seen",
            "count points" if not self.has_winner else "m becomes 0",
            "show hand",
            "show line to left of player",
            self.one("look at hand of left of player", "look at up to 2 of stock", "look at up to 1 of reserve"),
            self.one("show m", "look at m of left of player", "look at colour_of", "show favourite", "show flag to 1"),
            "do helping",
            f"do reward of the g in goals with {self.one('highest', 'lowest')} value of g",
            "record shelf, m / 2 in seen",
            f"record {self.lists()}, {self.lists()} in seen",
        )

    def line(self, indent: str = "  ", depth: int = 1, may_ask: bool = True) -> str:
        if depth == 0 or self.chance.random() < 0.6:
            return indent + self.plain()
        deeper = indent + "  "
        inner = self.line(deeper, depth - 1, may_ask)
        asking = [
            f"one turn each from {self.one('player, to the right', 'starter', 'left of player')}"
            f"{self.one('', ' except player')} skipping {self.truth(0)}\n{deeper}choose rest",
            f"choose {self.one('rest', 'one if possible', 'two, else end turn', 'one or two, else choose rest')}",
            f"{self.one('left of player', 'starter', 'right of player')} chooses rest",
            "all choose rest",
            f"all choose two or rest where {self.truth(0)}",
            "team chooses rest",
        ]
        return indent + self.chance.choice(
            [
                *(asking if may_ask else []),
                f"if {self.truth(1)}\n{inner}\n{indent}otherwise\n{self.line(deeper, 0, may_ask)}",
                f"if {self.truth(1)}\n{inner}\n{indent}otherwise if {self.truth(0)}\n{self.line(deeper, 0)}",
                f"each player\n{inner}",
                f"repeat {self.one('2', 'n', 'count of hand')} times\n{inner}",
                f"each player from left of player where {self.truth(0)}"
                f"{self.one('', ' in order of m', ' in reverse order of count of hand')}\n{inner}",
                f"each c in ({self.cards()}){self.one('', ' in order of rank of c')}\n"
                f"{deeper}m becomes smallest(m + rank of c, 9)",
                f"each c in hand where rank of c > {self.one('1', 'n')}\n"
                f"{deeper}move c to {self.one('line', 'heap', 'shelf')}",
                f"each c in Colour\n{deeper}if worth[c] > 1\n{deeper}  worth[c] decreases by 1",
                f"each t in mine where kind of t = {self.colour()}\n{deeper}move t to pool",
                f"if line is not empty\n{deeper}move {self.one('top', 'bottom', 'first')} of line to "
                f"{self.one('shelf', 'hand', 'bottom of heap')}",
                f"if (count of mine where kind = red) > 1\n"
                f"{deeper}move 2 of (mine where kind = red) to {self.one('pool', 'bag')}",
                f"if slot[{self.colour()}] is empty and hand is not empty\n"
                f"{deeper}move (the c in hand with highest rank of c) to slot[{self.colour()}]",
                f"if {self.truth(0)}\n{deeper}end {self.one('turn', 'phase', 'round', 'game')}",
                f"draw up to 1 from stock to hand as new\n"
                f"{indent}if hand is not empty and count of stock < 5\n{deeper}n becomes rank of (item 1 of hand)",
                f"each h in ({self.lists()}){self.one('', ' in order of count of h', ' in reverse order of h')}\n"
                f"{deeper}m becomes smallest(m + count of h, 9)\n{inner}",
                *self.following(deeper, may_ask),
                f"each part in {{n / 2, m / 3, {self.number(0)}}}{self.one('', ' in reverse order of part')}\n"
                f"{deeper}if part > 1 / 2\n{deeper}  m becomes smallest((part * 2) div 1, 9)\n{inner}"
                if self.has_fractions else f"repeat {self.one('1', 'n')} times\n{inner}",
                f"repeat until n = {self.chance.randint(0, 3)}\n{deeper}n becomes (n + 1) mod 4",
                *(self.over_pieces(deeper, inner) if self.has_pieces else []),
                *(self.over_things(deeper, inner) if self.has_mixed_zones else []),
                *([f"each p in {self.one('team', 'opponents')}\n{deeper}m of p becomes {self.one('n', '2')}\n{inner}"]
                  if self.teams else []),
                *([f"if {self.truth(1)}\n{deeper}{self.result()}"] if self.has_winner else []),
            ]
        )

    def over_pieces(self, deeper: str, inner: str) -> list[str]:
        return [
            f"each s in ({self.squares_with_pieces('b2')})\n"
            f"{deeper}{self.one('crowned[s] becomes yes', 'clear s')}\n{inner}",
            f"each s in own in order of height[s]\n{deeper}move s to {self.place()}\n{inner}",
            f"let there = {self.place()}\n{deeper[2:]}{self.of_pieces_moving()}\n"
            f"{deeper[2:]}{self.one('move there to b2', 'move a1 to there', 'clear there')}",
        ]  # fmt: skip

    def over_things(self, deeper: str, inner: str) -> list[str]:
        zone = self.mixed_zone()
        target = self.one("stall", "purse", "sack", "bottom of sack")
        return [
            f"each t in ({self.things()})\n{deeper}{inner.strip()}\n{deeper}move t to {target}",
            f"each t in {zone} where t is a Card\n{deeper}m becomes smallest(m + rank of t, 9)\n{deeper}move t to "
            f"{self.one('hand', 'line', 'heap', 'stall', 'sack')}",
            f"each t in {zone}\n{deeper}if t is a Token\n{deeper}  move t to {self.one('mine', 'pool', 'stall')}\n"
            f"{deeper}otherwise\n{deeper}  move t to {self.one('hand', 'tidy', 'purse')}",
            f"if stall is not empty\n{deeper}found becomes {self.one('first', 'last', 'item 1')} of stall\n{inner}",
            f"if {zone} is not empty\n{deeper}let best = the t in {zone} with highest worth_of(t)\n{inner}\n"
            f"{deeper}move best to {target}",
            f"draw up to 1 from sack to stall as new\n{deeper[2:]}{self.one(self.plain(), 'move new to purse')}",
            f"let several = {self.things()}\n{inner[2:]}\n{deeper[2:]}move all several to {target}",
        ]  # fmt: skip

    def result(self) -> str:
        return self.one("player wins", "left of player loses", "nobody wins", "player loses", "starter wins")

    def following(self, deeper: str, may_ask: bool) -> list[str]:
        """Components that are meant while others move, and while somebody is asked or chance decides."""
        indent, zone = deeper[2:], self.one("line", "heap", "shelf", "tidy", "hand")
        goal = self.one("heap", "shelf", "bottom of stock", "line", "tidy")
        name = self.one("last", "favourites")
        between = self.one(self.drawing(), "roll n", "move all Card to stock", self.moving(), self.moving(),
                           *(["choose rest"] if may_ask else []))
        return [
            f"if {zone} is not empty\n{deeper}{name} becomes {self.one('item 1', 'last')} of {zone}",
            f"if {zone} is not empty\n{deeper}{name} becomes top of {zone}\n{deeper}{between.splitlines()[0]}\n"
            f"{deeper}m becomes position({name}, {self.one('line', 'heap', 'shelf', 'tidy')}) mod 10",
            f"each c in {zone}{self.one('', ' in order of rank of c')}\n{deeper}{between}\n{deeper}move c to {goal}",
            f"if stock is not empty\n{deeper}draw up to {self.one('1', '2')} from stock to {zone} as new\n"
            f"{deeper}{between}\n{deeper}move new to {goal}",
            f"draw 1 from stock to {zone} as new\n{indent}{between}\n{indent}move new to {goal}",
            f"let kept = {self.number(1)}\n{indent}{between}\n{indent}m becomes smallest(largest(kept, 0), 9)",
            f"if {zone} is not empty\n{deeper}let kept = {self.one('top', 'bottom')} of {zone}\n{deeper}{between}\n"
            f"{deeper}move kept to {goal}",
            f"let several = {self.cards()}\n{indent}{between}\n"
            f"{indent}m becomes smallest(count of several + n, 9)",
            f"if {zone} is not empty\n{deeper}do handing(item 1 of {zone}, n)",
            f"let several = {self.cards()}\n{indent}{between}\n{indent}move all several to {goal}",
            f"do laying({self.cards()}, n)",
            f"if {zone} is not empty\n{deeper}let best = the s in combinations of 1..2 from {zone} with "
            f"{self.one('highest', 'lowest')} worth_in(s)\n{deeper}{between}\n{deeper}move all best to {goal}",
            f"each s in combinations of {self.one('1', '0..1', '2')} from {zone}\n"
            f"{deeper}m becomes smallest(m + worth_in(s), 9)",
        ]

    def lines(self, most: int, may_ask: bool = True) -> str:
        return "\n".join(self.line("  ", 1, may_ask) for _ in range(self.chance.randint(1, most)))

    # ---- actions

    def action(self, name: str) -> str:
        choices = self.one(
            "",
            "(card from hand)",
            f"(card from hand, other from {self.zone()})",
            "(by in 0..2)",
            "(card from hand, by in 1..3)",
            f"(card from {self.zone()})",
            f"(card from ({self.cards()}))",
            "(who in players)",
            "(player in players)",
            "(who in opponents, by in {1, 3})",
            "(tint in Colour)",
            "(tint in Colour, card from hand where colour = tint)",
            f"({self.one('1', '2', '1..2', '0..2', '2..3')} cards from "
            f"{self.one('hand', 'line', 'shelf', 'hand where rank > 1')})",
            "(1..2 cards from hand, by in 0..1)",
            "(by in 0..2, 1..size cards from hand)",
            "(1..2 tokens from mine)",
            "(thing from pool)",
            "(card in Card where rank = n)",
            "(goal in Goal where met of goal)",
            "(1..2 numbers in 1..3)",
            "(tint in {red, blue})",
            f"(square in {self.squares()})",
            f"(square in Square where stone[it] is nothing, other in {self.one('neighbours', 'rays')}(square))",
            f"(run in ({self.lists()}))",
            f"(run in ({self.lists()}), card from hand)",
            f"(deep in {{({self.lists()}), {{{{1}}, heaps}}}})",
            f"(card from {self.one('hand', 'line')} or {self.one('shelf', 'heap', 'rack[1]')}"
            f"{self.one('', ' where rank > 1')})",
            *(self.choices_of_pieces() if self.has_pieces else []),
            *(self.choices_of_things() if self.has_mixed_zones else []),
            *((f"(who in {self.one('team', 'opponents', 'team where it is not player')})",) * 2 if self.teams else ()),
        )
        needs = f"\n  needs {self.truth(1)}" if self.chance.random() < 0.4 else ""
        for choice, condition in (
            ("by in", f"by {self.one('<', 'is not', '>=')} {self.number(0)}"),
            ("card from", f"rank of card {self.one('<', 'is not', '>=')} {self.number(0)}"),
            ("other from", "other is not card"),
            (
                "cards from",
                self.one(
                    "(count of distinct colour over c in cards) = 1",
                    "(count of distinct rank over c in (cards where colour = red)) = 1",
                    "(sum of distinct (rank of c - 1) over c in cards) = 1",
                    f"(sum of {self.one('', 'distinct ')}rank over c in cards) <= {self.number(0)}",
                    "no c in (cards where rank > n) has colour of c = blue",
                    "alike(cards, {red, blue}) and worth_in(cards) < 4",
                    "(sum of rank over c in cards) > 2",
                    "every c in cards has rank of c < 3",
                    "some c in cards has c in shelf or rank of c = n",
                ),
            ),
            ("tint", f"worth[tint] < {self.chance.randint(2, 5)}"),
            ("who in", "m of who < 9"),
            ("square in", self.one("stone[square] is nothing", "distance(square, stone_at) < 3")),
            ("numbers in", "sum of numbers < 4"),
            ("run in", self.one("n in run", "sum of run > 2", "count of run < 3")),
            ("deep in", "{1} in deep or count of deep = 2"),
            ("from in", self.one("some s in between(from, to) has stone = left of player", "distance(from, to) < 3",
                                 "crowned[from] or row of to > row of from", "to is not from")),
            ("spots in", "(sum of row of s over s in spots) < 6"),
            ("(thing from", self.one("worth_of(thing) > 1", "weight_of({thing}) < 3", "heft of thing = 1")),
            ("(thing from stall)", self.one("thing is a Token or rank of thing > 1", "thing is not a Card")),
            ("things from", self.one("weight_of(things) < 4", "every t in things has worth_of(t) = 1")),
        ):
            if choice in choices and self.chance.random() < 0.5:
                needs += f"\n  needs {condition}"
        if self.chance.random() < 0.1 and name == "one":
            needs += f"\n  needs {self.one('can rest', 'not can two')}"
        return (
            f"action {name}{choices}{self.one('', '', ', secret')}{needs}\n{self.doing(choices)}{self.lines(2, False)}"
        )

    def choices_of_pieces(self) -> list[str]:
        ways = self.one("neighbours", "rays", *(["ahead", "ahead"] if self.is_for_two else []))
        free = self.one(" where stone is nothing", "", " where stone is not player and height < 3")
        return [
            f"(from in own, to in {ways}(from){free})",
            "(from in own, to in Square where stone is nothing and distance(from, it) = 2)",
            f"(from in Square where stone = player, to in Square{free})",
            f"(1..2 spots in {self.one('own', 'Square where stone is nothing and row < 3')})",
        ]

    def choices_of_things(self) -> list[str]:
        amount = self.one("1", "1..2", "0..2")
        return [
            f"(thing from {self.mixed_zone()})",
            f"(thing from {self.one('purse', 'stall')} or "
            f"{self.one('purse of left of left of player', 'purse of left of player')})",
            "(coin from purse where it is a Token, thing from stall where it is a Card and rank > 1)",
            f"(thing from ({self.things()}))",
            f"({amount} things from {self.mixed_zone()})",
            f"({amount} things from {self.one('purse', 'stall')} or "
            f"{self.one('hand', 'mine', 'purse of left of player')})",
        ]  # fmt: skip

    def doing(self, choices: str) -> str:
        """What is done with what was chosen."""
        target = self.one("line", "heap", "shelf", "bottom of heap")
        if " cards from" in choices and self.chance.random() < 0.8:
            return self.one(
                f"  move all cards to {target}\n",
                f"  {self.moving()}\n  move all cards to {target}\n",
                f"  move cards to {target}\n",
                f"  each c in cards\n    move c to {target}\n",
            )
        if "(card from hand" in choices or "card from hand" in choices:
            before = self.one("", "", f"  {self.moving()}\n", f"  {self.drawing()}\n")
            return f"{before}  move card to {target}\n"
        if "tokens" in choices:
            return "  move all tokens to pool\n"
        if "run in" in choices:
            return "  m becomes smallest(sum of run, 9)\n"
        if "deep" in choices:
            return "  each h in deep\n    level increases by count of h\n"
        if "things from" in choices:
            return self.one("  move all things to stall\n", "  do handing_over(things)\n",
                            "  each t in things\n    move t to purse\n")  # fmt: skip
        if "thing from" in choices and "pool" not in choices:
            other = "  move coin to stall\n" if "coin" in choices else ""
            return f"{other}  move thing to {self.one('stall', 'purse', 'sack')}\n"
        if "thing from" in choices:
            return "  move thing to mine\n"
        if "from in" in choices:
            before = self.one("", "", f"  {self.of_pieces_moving()}\n", "  clear all between(from, to)\n")
            return f"{before}  {self.one('move from to to', 'clear from')}\n"
        if "spots" in choices:
            return self.one("  clear all spots\n", "  each s in spots\n    stone[s] becomes player\n")
        if "square" in choices:
            return "  stone[square] becomes player\n  stone_at becomes square\n"
        if "who" in choices:
            return "  m of who becomes n\n"
        return "  worth[tint] becomes 2\n" if "tint" in choices else ""
