"""`teams: 1 and 3, 2 and 4`: who plays together. Takes a game, gives one in which `team`, `partner` and `opponents` are
definitions, and in which every game played tests that partners have the same points and the same place.

Where the teams sit alternately, everything is said by how many seats there are between two players: so a seat is as
good as any other, and what is known of seats stays known.
"""

from __future__ import annotations

from typing import Any

import attrs
from attrs import evolve

from rulesrun.dsl import ast
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span

OPPONENTS = "the opponents"  # no name that an author writes
ALIKE = "partners have the same points and the same place"


def spell_out_teams(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where everybody plays alone."""
    pieces = game.pieces(ast.Teams)
    if not pieces:
        return game, []
    found = [trouble for piece in pieces for trouble in find_troubles(game, piece)]
    speller = TeamSpeller(pieces[0].span, [] if found else pieces)
    used = {node.text for piece in game.declarations for node in walk(piece) if isinstance(node, ast.Name)}
    rest = tuple(rename_opponents(piece) for piece in game.declarations)
    return evolve(game, declarations=(*rest, *speller.declare(used))), found


# ---- what is wrong

MOST_SEATED = 12  # for whom teams are proposed


def find_troubles(game: ast.Game, piece: ast.Teams) -> list[Diagnostic]:
    seats = [seat for team in piece.teams for seat in team]
    size = len(piece.teams[0])
    if all(len(team) == 1 for team in piece.teams):
        hint = message("who plays alone needs no team: leave this out")
        return [refuse(piece, message("there is one player in each team"), hint).with_replacement("")]
    number = piece.number if piece.number is not None else max(piece.players, len(seats))
    if sorted(seats) != list(range(1, number + 1)):
        return [refuse_teams(piece, number, message("each player from 1 to {number} is in one team", number=number),
                             message("write each of them once: `teams: 1 and 3, 2 and 4`"))]  # fmt: skip
    if any(len(team) != size for team in piece.teams) or len(piece.teams) < 2:
        hint = message("who plays alone against others needs no teams: define who wins together")
        sentence = message("there are two teams or more, each of as many players, two or more")
        is_alone = any(len(team) == 1 for team in piece.teams)
        return [refuse(piece, sentence, hint) if is_alone else refuse_teams(piece, number, sentence, hint)]
    declared = next(iter(game.pieces(ast.Players)), None)
    if declared is None or not isinstance(declared.low, ast.Number) or not isinstance(declared.high, ast.Number):
        return []
    low, high = declared.low.value, declared.high.value
    if not low <= piece.players <= high:
        hint = message("leave it out, or let {number} play: `players …`", number=piece.players)
        return [refuse(piece, message("{number} players cannot play", number=piece.players), hint)]
    if piece.number is None and (low, high) != (piece.players, piece.players):
        hint = message("write `teams for {number}: …`, once for each number with teams", number=piece.players)
        end = piece.span.start + len("teams")
        found = refuse(piece, message("not every number of players has these teams"), hint)
        return [found.with_edits(Edit(end, end, f" for {piece.players}"))]
    return []


def refuse(piece: ast.Teams, sentence: Message, hint: Message | None) -> Diagnostic:
    return Diagnostic("bad-teams", sentence, piece.span, hint)


def refuse_teams(piece: ast.Teams, number: int, sentence: Message, hint: Message) -> Diagnostic:
    """With teams that so many players can have, as people sit at most tables: partners across."""
    size, rest = divmod(number, len(piece.teams))
    if rest or size < 2 or len(piece.teams) < 2 or number > MOST_SEATED:
        return refuse(piece, sentence, hint)
    told = ", ".join(
        " and ".join(str(seat) for seat in range(first, number + 1, len(piece.teams)))
        for first in range(1, len(piece.teams) + 1)
    )
    line = f"teams: {told}" if piece.number is None else f"teams for {piece.number}: {told}"
    return refuse(piece, sentence, message("write `{line}`", line=line)).with_replacement(line)


# ---- what is said instead


def rename_opponents(value: Any) -> Any:
    """`opponents`: who plays against `player`, no longer everybody else. The very node where nothing in it changes."""
    if isinstance(value, tuple):
        parts = tuple(rename_opponents(part) for part in value)
        return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    if not isinstance(value, ast.Node) or isinstance(value, ast.Small):
        return value
    if isinstance(value, ast.Name):
        return ast.Name(OPPONENTS, span=value.span) if value.text == "opponents" else value
    changed = {}
    for one in attrs.fields(type(value)):
        if one.name != "span" and isinstance(part := getattr(value, one.name), ast.Node | tuple):
            new = rename_opponents(part)
            if new is not part:
                changed[one.name] = new
    return evolve(value, **changed) if changed else value


@attrs.frozen
class TeamSpeller:
    """`pieces`: none of them where something is wrong with one."""

    span: Span
    pieces: list[ast.Teams]

    def declare(self, used: set[str]) -> list[ast.AnyDeclaration]:
        """Only what the rules speak of, and the test."""
        together = ast.Filter(self.name("players"), self.is_together(), span=self.span)
        apart = ast.Filter(self.name("players"), ast.Not(self.is_together(), span=self.span), span=self.span)
        found: list[ast.AnyDeclaration] = [ast.Define(self.name("team"), (), together, span=self.span)]
        if "partner" in used:
            found.append(ast.Define(self.name("partner"), (), self.partner(), span=self.span))
        if "opponents" in used:
            found.append(ast.Define(self.name(OPPONENTS), (), apart, span=self.span))
        return [*found, self.test()]

    def name(self, text: str) -> ast.Name:
        return ast.Name(text, span=self.span)

    def number(self, value: int) -> ast.Number:
        return ast.Number(value, span=self.span)

    def is_together(self) -> ast.Expr:
        """Whether `it` is in the team of `player`."""
        told: ast.Expr = self.equal(self.name("it"), self.name("player"))
        for piece in reversed(self.pieces):
            here = self.alternately(piece) if sits_alternately(piece) else self.side_by_side(piece)
            told = self.at_table(piece, here, told)
        return told

    def at_table(self, piece: ast.Teams, here: ast.Expr, elsewhere: ast.Expr) -> ast.Expr:
        if piece.number is None:
            return here
        is_so = self.equal(self.name("players"), self.number(piece.number))
        return ast.IfElse(is_so, here, elsewhere, span=self.span)

    def alternately(self, piece: ast.Teams) -> ast.Expr:
        seats = ast.Call(self.name("seats_from"), (self.name("player"), self.name("it")), span=self.span)
        rest = ast.Arithmetic("mod", seats, self.number(len(piece.teams)), span=self.span)
        return self.equal(rest, self.number(0))

    def side_by_side(self, piece: ast.Teams) -> ast.Expr:
        ways = tuple(
            ast.And((self.among("player", team), self.among("it", team)), span=self.span) for team in piece.teams
        )
        return ast.Or(ways, span=self.span)

    def among(self, word: str, team: tuple[int, ...]) -> ast.Expr:
        ways = tuple(self.equal(self.name(word), self.number(seat)) for seat in team)
        return ast.Or(ways, span=self.span)

    def partner(self) -> ast.Expr:
        """Of two the other one; where a team has more, nobody is the only one."""
        if self.pieces and all(sits_alternately(piece) and len(piece.teams[0]) == 2 for piece in self.pieces):
            told = self.seats_left(len(self.pieces[-1].teams))
            for piece in reversed(self.pieces[:-1]):
                told = self.at_table(piece, self.seats_left(len(piece.teams)), told)
            return told
        others = ast.Compare("is not", self.name("it"), self.name("player"), span=self.span)
        both = ast.And((others, self.is_together()), span=self.span)
        each = ast.Each(None, ast.Filter(self.name("players"), both, span=self.span), span=self.span)
        return ast.Best("the", each, "only", self.number(1), span=self.span)

    def seats_left(self, many: int) -> ast.Expr:
        told: ast.Expr = self.name("player")
        for _ in range(many):
            told = ast.Of(self.name("left"), told, span=self.span)
        return told

    def test(self) -> ast.Property:
        """At the end of every game."""
        def ask_of(word: str, whose: str) -> ast.Expr:
            return ast.Of(self.name(word), self.name(whose), span=self.span)

        same = tuple(self.equal(ask_of(word, "q"), ask_of(word, "p")) for word in ("total", "place"))
        alike = ast.And(same, span=self.span)
        team = ast.Each(self.name("q"), ask_of("team", "p"), span=self.span)
        inner = ast.Quantified("every", team, alike, span=self.span)
        everybody = ast.Each(self.name("p"), self.name("players"), span=self.span)
        outer = ast.Quantified("every", everybody, inner, span=self.span)
        return ast.Property("at end", "game", None, ALIKE, outer, span=self.span)

    def equal(self, left: ast.Expr, right: ast.Expr) -> ast.Expr:
        return ast.Compare("=", left, right, span=self.span)


def sits_alternately(piece: ast.Teams) -> bool:
    """Whether who sits so many seats on, as there are teams, is in the same one."""
    many = len(piece.teams)
    return all(len({seat % many for seat in team}) == 1 for team in piece.teams)
