"""Expressions made up at random, for rulebooks that have the pieces of `made_up`: numbers, truths, several cards."""

from __future__ import annotations

from random import Random


class Values:
    def __init__(self, number: int) -> None:
        self.chance = Random(number)
        self.has_copies = self.chance.random() < 0.4
        self.has_fractions = self.chance.random() < 0.3

    def one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def colour(self) -> str:
        return self.one("red", "blue", "green", "colour_of", "item 1 of wish")

    def zone(self) -> str:
        return self.one("hand", "line", "heap", "shelf", "hand", "rack[1]", "hand of left of player", "slot[red]")

    # ---- numbers

    def number(self, depth: int = 2) -> str:
        simple = [
            str(self.chance.randint(0, 4)),
            "n",
            "m",
            "round",
            "players",
            "m of left of player",
            "level",
            "size",
            "coin",
            "stand",
            "worth[red]",
            "worth[colour_of]",
            "heaps[2]",
            "count of bag",
            "turns_taken",
        ]
        if depth == 0:
            return self.chance.choice(simple)
        inner, other = self.number(depth - 1), self.number(depth - 1)
        found = [
            *simple,
            f"({inner} + {other})",
            f"({inner} - {other})",
            f"({inner} * 2)",
            f"({inner} div 3)",
            f"({inner} mod 3)",
            f"(-{inner})",
            f"smallest({inner}, 3)",
            f"largest({inner}, n)",
            f"twice({inner})",
            "hand_size(n)",
            f"price({self.colour()}, n)",
            f"position({self.colour()}, wish) + {inner}",
            f"(if {self.truth(depth - 1)} then {inner} else {other})",
            "times(seen)",
            "round" if self.has_fractions else "total of 1",  # a fraction of the sum it is added to is refused
            "count of heaps",
            "item 2 of heaps",
            *self.of_several(),
        ]
        if self.has_fractions:
            found += [
                f"({inner} / 2)",
                f"({inner} / players)",
                f"({inner} / (1 + n))",
                "share(2)",
                f"({inner} / 3 + {other} / 4)",
                f"(({inner} / 2) mod 1)",
                f"(({inner} / 3) div (1 / 2))",
                f"({inner} * (2 / 3))",
                f"(sum of (rank / 2) over c in ({self.cards()}))",
                "(highest of (m of p / 3) over p in players)",
            ] * 2
        return self.chance.choice(found)

    def of_several(self) -> list[str]:
        cards = self.cards()
        return [
            f"count of {self.zone()}",
            f"(count of ({cards}))",
            f"(sum of rank over c in ({cards}))",
            f"(count of distinct {self.one('rank', 'colour', '(rank * 100)')} over c in ({cards}))",
            f"(sum of distinct {self.one('rank', '(rank * 1000)')} over c in ({cards}))",
            "count of low_ones",
            "(sum of half over low_ones)",
            f"(sum of (m of p) over p in {self.one('players', 'opponents')})",
            "(highest of (count of hand of p) over p in players)",
            f"(if ({cards}) is empty then 0 else {self.one('highest', 'lowest')} of rank over c in ({cards}))",
            f"(count of mine where kind = {self.colour()})",
            f"(count of (list of distinct rank over c in ({cards})))",
            "(sum of x over x in {n, 2, m})",
            f"(sum of x over x in 1..{self.one('n', 'm', 'players', 'size')})",
            "(if hand is empty then 0 else rank of (the c in hand with highest rank of c))",
            "(count of those c in hand with lowest rank of c)",
            "(if line is empty then 0 else rank of top of line)",
            "(if heap is empty then 0 else rank of bottom of heap)",
            "(if hand is empty then 0 else item 1 of (sorted of rank over c in hand))",
            "(sum of (rank of c * position(c, line)) over c in line)",
            "(sum of value over g in goals where met of g)",
            "(sum of (count of slot[c]) over c in Colour)",
        ]

    def cards(self) -> str:
        zone = self.zone()
        return self.one(
            zone,
            f"{zone} where colour = {self.colour()}",
            f"{zone} where rank {self.one('<', '>=')} {self.one('2', 'n', 'm')}",
            f"{zone} where colour = red or rank = {self.chance.randint(1, 3)}",
            f"{zone} where not (rank in {{1, 3}})",
            f"{zone} where rank = n and colour is not red",
            f"{zone} where it in hand",
            f"{zone} where some d in line has rank of d = rank of it",
            f"{zone} where rank in 2..{self.one('3', 'n')}",
            f"{zone} where (if flag then rank = 1 else colour = {self.colour()})",
            f"{zone} where like(rank)",
            f"{zone} where half = 1",
            f"{zone} where last is nothing or rank = 2",
            f"{zone} where worth[colour] > 1",
            f"{zone} where it = last",
            f"{zone} where it in {{red 1, green 2}}",
            f"{zone} where rank mod 2 = n mod 2",
            f"{zone} where colour in {{red, blue}}",
        )

    # ---- truths

    def truth(self, depth: int = 2) -> str:
        simple = [
            "flag",
            "not flag",
            f"n {self.one('<', '=', '>=', 'is not')} {self.chance.randint(0, 3)}",
            f"{self.zone()} is {self.one('empty', 'not empty')}",
            "favourite is nothing",
            f"favourite {self.one('=', 'is not')} player",
            "mode = long",
            f"colour_of = {self.colour()}",
            "last is nothing",
            f"player {self.one('=', 'is not')} starter",
            "stand = 2",
            "phase = play",
            "pool is empty",
            "level < 0",
        ]
        if depth == 0:
            return self.chance.choice(simple)
        one, other = self.truth(depth - 1), self.truth(depth - 1)
        number, second = self.number(depth - 1), self.number(depth - 1)
        return self.chance.choice(
            [
                *simple,
                f"({one} {self.one('and', 'or')} {other})",
                f"not ({one})",
                f"({number} {self.one('<', '=', '>', 'is not', '<=', '>=')} {second})",
                f"(some c in {self.zone()} has rank of c = {self.number(0)})",
                f"(every c in ({self.cards()}) has {self.truth(0)} or colour of c = red)",
                f"(no p in {self.one('opponents', 'players')} has m of p > {self.number(0)})",
                f"({number} in 0..3)",
                f"({number} not in {{1, 2, 4}})",
                f"({self.zone()} is not empty and some c in {self.zone()} has colour of c = blue)",
                "like(n)",
                f"(some c in {self.zone()} has c in {{red 1, blue 3}})",
                "(list of rank over hand) = (list of rank over hand of left of player)",
                "(sorted of rank over c in hand) < (sorted of rank over c in shelf)",
                "wish = other_wish",
                "wish[1] = red",
                f"(hand where colour = red) {self.one('=', 'is not')} (hand where rank > 1)",
                "last in {red 1, blue 3}",
                "last in hand",
                "times(seen) > 1",
                f"(if {one} then {other} else flag)",
                "(some c in Colour has worth[c] > 1)",
                f"(every t in mine has kind of t = {self.colour()})",
                "(no g in goals has met of g)",
                "(some g in goals has met of g)",
                "2 in heaps",
            ]
        )
