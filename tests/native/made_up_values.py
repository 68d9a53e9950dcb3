"""Expressions made up at random, for rulebooks that have the pieces of `made_up`: numbers, truths, several cards."""

from __future__ import annotations

from random import Random

TEAMS = {
    4: ("1 and 3, 2 and 4", "1 and 2, 3 and 4", "1 and 3, 2 and 4"),
    6: ("1 and 3 and 5, 2 and 4 and 6", "1 and 4, 2 and 5, 3 and 6", "1 and 2, 3 and 6, 4 and 5"),
}


class Values:
    """`players`: how many play; None where there may be two or three."""

    def __init__(self, number: int, players: int | None = None) -> None:
        self.chance = Random(number)
        self.has_copies = self.chance.random() < 0.4
        self.has_fractions = self.chance.random() < 0.3
        self.has_mixed_zones = self.chance.random() < 0.4
        self.has_pieces = self.chance.random() < 0.5  # on the board
        self.has_winner = self.chance.random() < 0.25
        self.players, self.is_for_two = players or 3, players == 2
        self.teams = self.one("", *TEAMS[players]) if players in TEAMS else ""
        self.has_partners = bool(self.teams) and self.teams.split(",")[0].count("and") == 1

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
            "seats_from(player, starter)",
            "count of dice",
            "count of cup of left of player",
        ]
        if not self.has_copies:
            simple += ["wear of (blue 2)", "(count of Card where told of it)", "(sum of wear of c over c in hand)"]
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
            f"(sum of face over {self.one('dice', 'cup', 'd in dice where face of d > 1')})",
            "(count of dice where face = 2)",
            f"(count of lots where face = {self.colour()})",
            "total of 1",
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
                f"(sum of (list of (rank / 2) over c in ({self.cards()})))",
                "(if hand is empty then 0 else highest of (sorted of (rank / 3) over hand))",
                "position(n / 2, (list of (rank / 2) over hand))",
                "(sum of x over x in {n / 2, 1, m / 3} where x > 1 / 2)",
                f"(sum of (if {self.truth(depth - 1)} then {{n / 2, 1}} else {{m / 3}}))",
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
            f"(count of (if {self.truth(0)} then ({cards}) else {self.zone()}))",
            f"(sum of rank over c in (if {self.truth(0)} then {self.zone()} else ({cards})))",
            *self.of_lists(),
            *self.of_sets(),
            *self.of_places(),
            *self.of_boards(),
            *(self.of_mixed_zones() if self.has_mixed_zones else []),
            *(self.of_pieces() if self.has_pieces else []),
            *(self.of_teams() if self.teams else []),
        ]

    def squares(self) -> str:
        """Several places of the board."""
        at = self.one("stone_at", "a1", "b2")
        if self.has_pieces and self.chance.random() < 0.5:
            return self.squares_with_pieces(at)
        return self.one(
            "Square", "Square where stone[it] = player", "Square where stone[it] is nothing and row > n",
            f"neighbours({at})", f"rays({at})", f"between({at}, {self.one('a1', 'c3', 'stone_at')})",
            f"connected({{{at}}}, Square where stone[it] is nothing)",
            f"connected(neighbours({at}), {self.one('rays(b2)', 'Square where column is not 2')})",
        )  # fmt: skip

    def squares_with_pieces(self, at: str) -> str:
        """What stands there stands alone."""
        of_two = (f"ahead({at})", f"ahead({at}) where stone is nothing") * 2 if self.is_for_two else ()
        return self.one(
            "own", "Square where crowned", f"Square where hue = {self.colour()}", f"connected({{{at}}}, own)",
            f"Square where height {self.one('>', '=')} {self.number(0)}",
            "Square where stone is nothing and height < 2",
            f"{self.one('neighbours', 'rays')}({at}) where stone is {self.one('nothing', 'not nothing')}",
            "Square where home = it and guard < 3", *of_two,
        )  # fmt: skip

    def of_boards(self) -> list[str]:
        return [
            f"count of ({self.squares()})",
            f"(sum of (row * column) over ({self.squares()}))",
            f"distance(stone_at, {self.one('a1', 'b2', 'stone_at')})",
            f"(count of ({self.squares()} where stone[it] is nothing))",
            "(if rays(b2) is empty then 0 else row of (the s in rays(stone_at) with highest column of s))",
            "(if player = 1 then row of stone_at else column of stone_at)",
        ]

    def of_pieces(self) -> list[str]:
        ends = ["(if ahead(stone_at) is empty then 3 else 1)"] if self.is_for_two else []
        return [
            "(count of own)",
            f"(count of ({self.squares_with_pieces('b2')}) where stone is {self.one('nothing', 'not nothing')})",
            "(sum of height over own)",
            "(sum of height over s in Square where crowned)",
            "(sum of distance(home[it], it) over own)",
            "(if home[stone_at] = stone_at then guard[stone_at] else height[home[stone_at]])",
            "(count of (lines(Square, 3) where some s in it has stone[s] = player))",
            *ends,
        ]

    def truths_of_pieces(self) -> list[str]:
        place = self.one("in Square", "through stone_at", "through c3")
        of_each = self.one(
            "stone = player", "stone is nothing", "height > n", "crowned", "hue = colour_of", "it in own"
        )  # fmt: skip
        return [
            f"({self.one('some', 'no', 'every')} line of {self.one('2', '3')} {place} has {of_each})",
            f"({self.one('some', 'no', 'every')} s in ({self.squares()}) has "
            f"{self.one('crowned', 'stone = player', 'hue is nothing', 'guard > 1', 'home = s', 'height[s] = n')})",
            "(own is empty)",
            f"(stone_at in own {self.one('and', 'or')} crowned[stone_at])",
        ]  # fmt: skip

    def mixed_zone(self) -> str:
        return self.one("stall", "purse", "stall", "purse of left of player")

    def things(self) -> str:
        """Several of which some are cards, some tokens."""
        zone = self.mixed_zone()
        return self.one(
            zone, zone, f"{zone} where it is a Token", f"{zone} where it is a Card and rank > {self.number(0)}",
            f"{zone} where it is {self.one('a Token', 'not a Card')} or rank of it < 3", f"{zone} where heft = 1",
            f"{zone} where (if it is a Card then rank of it > n else kind of it = {self.colour()})",
            f"{zone} where heft of it {self.one('<', '=', '>=')} {self.number(0)} and it is not a Card",
            f"{zone} where it = found", f"{zone} where worth_of(it) > 1",
        )  # fmt: skip

    def of_mixed_zones(self) -> list[str]:
        things, zone = self.things(), self.mixed_zone()
        return [
            f"count of {zone}",
            f"(count of ({things}))",
            f"(sum of worth_of(t) over t in ({things}))",
            f"(sum of (if t is a Card then rank of t else 2) over t in {zone})",
            f"(sum of (if t is a Token then 1 else rank of t) over t in {zone} where t is a Token or half of t > 0)",
            f"(sum of heft over t in ({things}))",
            "(if found is nothing then 0 else worth_of(found))",
            f"(if stall is empty then 0 else worth_of({self.one('first', 'last', 'item 1')} of stall))",
            f"weight_of({things})",
            "weight_of(hand)",
            f"(count of combinations of {self.one('1', '2', '0..2')} from ({things}) where weight_of(it) > n)",
            f"(count of distinct worth_of(t) over t in {zone})",
            f"(if {zone} is empty then 0 else "
            f"worth_of(the t in {zone} with {self.one('highest', 'lowest')} worth_of(t)))",
            "position(found, stall)",
        ]  # fmt: skip

    def truths_of_mixed_zones(self) -> list[str]:
        zone = self.mixed_zone()
        return [
            f"({self.one('some', 'no', 'every')} t in {zone} has t is "
            f"{self.one('a', 'not a')} {self.one('Card', 'Token')})",
            f"({self.one('some', 'no')} t in ({self.things()}) has t is a Card and rank of t {self.one('<', '=')} n)",
            f"({zone} is {self.one('empty', 'not empty')})",
            f"(found is {self.one('nothing', 'not nothing')})",
            "(found is not nothing and found is a Token)",
            f"(found in {zone})",
            f"(some s in combinations of 1..2 from {zone} has weight_of(s) = 2)",
            f"(some t in {zone} has t in {{red 1, green 2}})",
        ]  # fmt: skip

    def of_teams(self) -> list[str]:
        of_two = ["m of partner", "count of hand of partner", "m of partner of left of player"]
        return [
            f"(count of {self.one('team', 'opponents', 'team of left of player')})",
            f"(sum of (m of p) over p in {self.one('team', 'team of starter', 'opponents of left of player')})",
            f"(highest of (count of hand of p) over p in {self.one('team', 'opponents')})",
            "rich(team)",
            *(of_two if self.has_partners else []),
        ]

    def truths_of_teams(self) -> list[str]:
        of_two = ["(favourite = partner)", "(partner of partner = player)", "(partner = starter)"]
        return [
            f"({self.one('starter', 'favourite', 'left of player')} {self.one('in', 'not in')} "
            f"{self.one('team', 'opponents', 'team of 2')})",
            f"({self.one('some', 'no', 'every')} p in {self.one('team', 'opponents')} has m of p > {self.number(0)})",
            "(some s in combinations of 2 from team has every p in s has hand of p is not empty)",
            *(of_two if self.has_partners else []),
        ]

    def truths_of_boards(self) -> list[str]:
        where = self.one("in Square", "through stone_at", "through b2")
        return [
            f"({self.one('some', 'no', 'every')} line of {self.one('2', '3', 'size')} {where} has "
            f"{self.one('stone[it] = player', 'stone[it] is nothing', 'row > n', 'distance(it, stone_at) < 2')})",
            f"(some s in ({self.squares()}) has stone[s] {self.one('=', 'is not')} player)",
            f"(stone_at in ({self.squares()}))",
            "(some l in lines(Square, 3) has (count of (l where stone[it] = player)) > n)",
            f"(({self.squares()}) is empty)",
        ]

    def of_places(self) -> list[str]:
        """Where the very component lies that a marker stands on, or that was taken a moment ago."""
        zone = self.one("line", "heap", "shelf", "tidy", "hand")
        return [
            f"position(last, {zone})",
            f"position(favourites, ({zone} where rank > 1))",
            f"(if line is empty then 0 else position(first of line, {self.one('heap', 'rack[1]', 'stock')}))",
            "(if maybe_wish = wish then 1 else 2)",
            "(if maybe_wish is nothing then 0 else 3)",
            f"behind({self.one('n', '1', '3 - n')}, {self.one('wish', 'other_wish')})",
        ]

    def of_lists(self) -> list[str]:
        """Lists among lists, the better of two, lists as parameters and from tables."""
        hands = f"({self.one('list', 'sorted')} of {self.one('rank', 'colour')} over hand of p) over p in players"
        return [
            f"(count of distinct {hands})",
            f"(count of (list of distinct {hands}))",
            f"(count of ({self.one('highest', 'lowest')} of {hands}))",
            f"(sum of (sum of h) over h in {{{{1, {self.number(0)}}}, {{m, 2, 3}}, heaps}})",
            "position((sorted of rank over hand), (list of (sorted of rank over hand of p) over p in players))",
            "place_in(wish)",
            "place_in(other_wish)",
            "(sum of some_of(colour_of))",
            f"(count of (if {self.truth(0)} then {{1, n}} else some_of(red)))",
        ]

    def of_sets(self) -> list[str]:
        """What is told several, and ways to take some of several."""
        amount, cards = self.one("1", "2", "0..2", "1..2", "n", "n..2"), self.cards()
        return [
            f"worth_in({cards})",
            f"(count of combinations of {amount} from ({cards}))",
            f"(count of combinations of {amount} from ({cards}) where worth_in(it) > {self.number(0)})",
            f"(sum of worth_in(s) over s in combinations of {amount} from {self.zone()})",
            "(if hand is empty then 0 else highest of worth_in(s) over s in combinations of 1..2 from hand)",
            "(count of combinations of 2 from players where rich(it) > 1)",
            f"rich({self.one('players', 'opponents', '{player, starter}')})",
            f"reds_in({self.one('mine', 'pool')})",
            f"highest_place({cards})",
            f"(count of distinct worth_in(s) over s in combinations of 2 from ({cards}))",
            f"(if {self.zone()} is empty then 1 else worth_in(the s in combinations of 0..1 from line with highest "
            f"worth_in(s) + count of s))",
            f"(sum of (sum of s) over s in combinations of {amount} from {{n, 2, m}})",
        ]  # fmt: skip

    def truths_of_sets(self) -> list[str]:
        amount, cards = self.one("1", "2", "0..2"), self.cards()
        return [
            f"alike({cards}, {{red, {self.colour()}}})",
            f"({self.one('some', 'no', 'every')} s in combinations of {amount} from ({cards}) has worth_in(s) = n)",
            f"(some s in combinations of 2 from hand has {self.one('some c in s has c in shelf', 'alike(s, Colour)')})",
            f"({{red 1}} in combinations of 1 from ({cards}))",
        ]

    def lists(self) -> str:
        """Lists of numbers among lists."""
        return self.one(
            f"{{{{1, {self.number(0)}}}, {{m, 2}}, {{{self.number(0)}}}}}",
            f"{self.one('list', 'sorted')} of (sorted of rank over hand of p) over p in players",
            f"list of (list of rank over {self.zone()}) over p in {self.one('players', 'opponents')}",
            f"(if {self.truth(0)} then {{{{n}}, {{2, m}}}} else {{heaps, {{1, 2}}}})",
            "list of distinct {n, m of p} over p in players",
        )

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
                *self.truths_of_lists(),
                *self.truths_of_sets(),
                *self.truths_of_boards(),
                *(self.truths_of_pieces() if self.has_pieces else []),
                *(self.truths_of_mixed_zones() if self.has_mixed_zones else []),
                *(self.truths_of_teams() if self.teams else []),
                *(["winner is nothing", "winner = player"] if self.has_winner else []),
            ]
        )

    def truths_of_lists(self) -> list[str]:
        found = [
            f"({{n, {self.number(0)}}} in {{{{1, 2}}, {{m, 3}}, {{2, 2}}}})",
            f"((sorted of rank over {self.zone()}) in {{{{1, 2}}, {{2, 3}}, {{1}}}})",
            "(wish in {{red, green, blue}, other_wish})",
            "(some h in (list of (list of rank over hand of p) over p in players) has n in h)",
            f"((the p in players with {self.one('highest', 'lowest')} (sorted of rank over hand of p)) = player)",
            "({{n, m}, {2, 3}} = {{2, 3}, {m, n}})",
            "((if flag then {1, n} else {2, 3}) = {n, 3})",
            "((list of (sorted of rank over hand of p) over p in players) = (list of {1, n} over p in players))",
            "(some_of(colour_of) = some_of(red))",
        ]
        if self.has_fractions:
            found += ["(n / 2 in {1 / 2, m / 3, 1})", "((list of (rank / 2) over hand) = {1 / 2, 1})"] * 3
        return found
