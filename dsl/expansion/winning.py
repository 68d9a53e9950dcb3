"""`player wins`, `player loses`, `nobody wins`: the game is over, and this is the result. Takes a game, gives a game in
which `winner` is a marker, and the score and the ranking follow from it.
"""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import wrap_single_value
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.expansion.rewriting import StatementRewriter, change_parts
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span

# ---- opponents
# `opponent`, at a table of two: the other one. Takes a game, gives a game in which it is `left of player`.


OPPONENT = "opponent"


def spell_out_opponent(game: ast.Game) -> ast.Game:
    """The very game where nobody is called so, the rules call something else so, or others may play, too."""
    nodes = [node for piece in game.declarations for node in walk(piece)]
    is_said = any(isinstance(node, ast.Name) and node.text == OPPONENT for node in nodes)
    if not is_said or not is_for_two(game) or any(map(declares_opponent, nodes)):
        return game
    return evolve(game, declarations=tuple(spell(piece) for piece in game.declarations))


def is_for_two(game: ast.Game) -> bool:
    players = next(iter(game.pieces(ast.Players)), None)
    both = (players.low, players.high) if players is not None else ()
    return bool(both) and all(isinstance(one, ast.Number) and one.value == 2 for one in both)


def declares_opponent(node: ast.Node) -> bool:
    """Its own `opponent`: a definition, a marker, a choice, whatever has a name."""
    name = node.alias if isinstance(node, ast.Deal) else getattr(node, "name", None)
    return isinstance(name, ast.Name) and name.text == OPPONENT and not isinstance(node, ast.Word)


def spell(value: Any) -> Any:
    match value:
        case ast.Name(text) if text == OPPONENT:
            return left_of(ast.Name("player", span=value.span), value.span)
        case ast.Of(ast.Name(text), owner) if text == OPPONENT:
            return left_of(spell(owner), value.span)
        case ast.Words():
            return value
        case _:
            return change_parts(value, spell)


def left_of(player: ast.Expr, span: Span) -> ast.Of:
    return ast.Of(ast.Name("left", span=span), player, span=span)


# ---- winning


WINNER, OUTCOME = "winner", "outcome"
LOSER, WHOSE = "the one who lost", "whose result it is"  # no names that an author writes


def spell_out_winning(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nobody wins so."""
    said = [node for piece in game.declarations for node in walk(piece) if isinstance(node, ast.Wins)]
    if not said:
        return game, []
    found = find_troubles(game)
    has_teams = any(isinstance(one, ast.Teams) for one in game.declarations)
    speller = WinningSpeller(said[0].span, is_for_two(game), has_teams)
    pieces = tuple(speller.rewrite_piece(piece) for piece in game.declarations)
    added = speller.declare() if not found else speller.declare_markers(game)
    return evolve(game, declarations=(*pieces, *added)), [*found, *speller.found]


def find_troubles(game: ast.Game) -> list[Diagnostic]:
    """The result is said once, and what follows from it has its names."""
    found: list[Diagnostic] = []
    for piece in game.declarations:
        if isinstance(piece, ast.Score | ast.Ranking | ast.Result):
            sentence = message("who wins is said here, and by `wins` or `loses` in the rules")
            hint = message("leave this out; or keep it, and let the rules say `end game` where they say who wins")
            found.append(Diagnostic("said-twice", sentence, piece.span, hint).with_replacement(""))
            continue
        name = getattr(piece, "name", None)
        if isinstance(name, ast.Name) and name.text in (WINNER, OUTCOME):
            found.append(Diagnostic("duplicate-name", TAKEN[name.text], name.span, message("choose another name")))
    return found


SEVERAL = ("everyone", "everybody", "all", "both", "players", "opponents", "nobody")
TAKEN: dict[str, Message] = {
    WINNER: message("`winner` is who has won, as `wins` and `loses` say it"),
    OUTCOME: message("`outcome` is what `wins` and `loses` count: 1, 0 or -1"),
}


@define
class WinningSpeller(StatementRewriter):
    """`span`: of the first line that says who wins."""

    span: Span
    is_for_two: bool
    has_teams: bool
    has_loser: bool = False
    found: list[Diagnostic] = field(factory=list)

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        match line:
            case ast.Wins(ast.Name(text)) if text in SEVERAL:
                hint = message("where nobody is ahead of anybody, write `nobody wins`")
                return self.refuse(line, message("`wins` and `loses` say it of one player"), hint)
            case ast.Wins():
                return self.spell_wins(line)
            case ast.Becomes(ast.Name(text), who) if text == WINNER:
                winner = text_of_expression(who)
                hint = message("write `{who} wins`, which ends the game, too", who=winner)
                return self.refuse(line, message("nobody becomes the winner like this"), hint, f"{winner} wins")
            case _:
                return line

    def refuse(self, line: ast.Statement, sentence: Message, hint: Message, instead: str = "") -> ast.Statement:
        """What is wrong is said once: nobody looks at the line any more."""
        edits = (Edit(line.span.start, line.span.end, instead),) if instead else ()
        self.found.append(Diagnostic("wrong-type", sentence, line.span, hint, edits=edits))
        return ast.End("game", span=line.span)

    def spell_wins(self, line: ast.Wins) -> ast.Statement:
        """Of two, who loses lets the other one win."""
        span = line.span
        end = ast.End("game", span=span)
        if line.who is None:
            return end
        who, marker = line.who, WINNER
        if line.is_loss and self.is_for_two:
            who = ast.Of(ast.Name("left", span=span), who, span=who.span)
        elif line.is_loss:
            self.has_loser, marker = True, LOSER
        each = ast.Each(ast.Name(WHOSE, span=span), wrap_single_value(who), span=who.span)
        note = ast.Becomes(ast.Name(marker, span=span), ast.Name(WHOSE, span=span), span=span)
        return ast.ForEach(each, None, (note, end), "wins", called=line, span=span)

    def declare(self) -> tuple[ast.AnyDeclaration, ...]:
        line = ast.ScoreLine(self.name(OUTCOME), self.outcome(), span=self.span)
        criterion = ast.Criterion("highest", self.name("total"), None, span=self.span)
        return (
            *map(self.declare_marker, self.list_markers()),
            ast.Score("end", (line,), span=self.span),
            ast.Ranking((criterion,), True, span=self.span),
        )

    def declare_markers(self, game: ast.Game) -> tuple[ast.Variable, ...]:
        """Where the result is said twice: what the lines speak of, and nothing more is complained of."""
        taken = {name.text for one in game.declarations if isinstance(name := getattr(one, "name", None), ast.Name)}
        return tuple(self.declare_marker(name) for name in self.list_markers() if name not in taken)

    def list_markers(self) -> tuple[str, ...]:
        return (WINNER, LOSER) if self.has_loser else (WINNER,)

    def declare_marker(self, name: str) -> ast.Variable:
        type = ast.Optional(ast.PlayerType(span=self.span), span=self.span)
        return ast.Variable("marker", self.name(name), (), False, type, None, None, "public", False, span=self.span)

    def outcome(self) -> ast.Expr:
        """1 for who wins, -1 for who loses, 0 where nobody did."""
        has_won: ast.Expr = self.is_one_of_us(WINNER, True)
        nobody: ast.Expr = self.equal(WINNER, ast.Nothing(span=self.span))
        if self.has_loser:
            is_other = self.is_one_of_us(LOSER, False)
            is_some = ast.Compare("is not", self.name(LOSER), ast.Nothing(span=self.span), span=self.span)
            has_won = ast.Or((has_won, ast.And((is_some, is_other), span=self.span)), span=self.span)
            nobody = ast.And((nobody, self.equal(LOSER, ast.Nothing(span=self.span))), span=self.span)
        lost = ast.Negate(self.number(1), span=self.span)
        otherwise = ast.IfElse(nobody, self.number(0), lost, span=self.span)
        return ast.IfElse(has_won, self.number(1), otherwise, span=self.span)

    def is_one_of_us(self, name: str, is_so: bool) -> ast.Expr:
        """Partners win and lose together."""
        if self.has_teams:
            return ast.In(self.name(name), self.name("team"), not is_so, span=self.span)
        return ast.Compare("=" if is_so else "is not", self.name(name), self.name("player"), span=self.span)

    def equal(self, name: str, value: ast.Expr) -> ast.Compare:
        return ast.Compare("=", self.name(name), value, span=self.span)

    def name(self, text: str) -> ast.Name:
        return ast.Name(text, span=self.span)

    def number(self, value: int) -> ast.Number:
        return ast.Number(value, span=self.span)
