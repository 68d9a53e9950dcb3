"""`look at 3 of stock`: the top of a pile, seen by `player` alone. Takes a game, gives a game in which it is
spelled out.

Nobody knows the order of a shuffled pile, so chance decides now what lies on top: the components are drawn, shown, and
put back one after the other, the last one first. For that moment they lie in a row that no author has declared and that
no table has. `look at hand of target` is `show hand of target to player`.
"""

from __future__ import annotations

from attrs import define, evolve, field

from rulesrun.dsl import ast
from rulesrun.dsl.ast.moving import copy_node
from rulesrun.dsl.ast.named_values import wrap_single_value
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.expansion.boards import name_of_place
from rulesrun.dsl.expansion.rewriting import StatementRewriter
from rulesrun.dsl.format.format import text_of_expression
from rulesrun.dsl.text.keywords import ASIDE
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span

ENDS = ("top", "bottom", "first", "last")
HOW_MANY = "how many are looked at"  # no name that an author writes


def spell_out_looking(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nobody looks at anything."""
    if not any(isinstance(node, ast.LookAt) for piece in game.declarations for node in walk(piece)):
        return game, []
    speller = LookSpeller({one.name.text: one for one in game.zones})
    pieces = tuple(speller.rewrite_piece(piece) for piece in game.declarations)
    return evolve(game, declarations=(*pieces, *map(declare_aside, speller.looked_at.values()))), speller.found


def declare_aside(pile: ast.Zone) -> ast.Zone:
    span = pile.name.span
    component = ast.Name(pile.component.text, span=pile.component.span)
    aside = name_at(ASIDE + pile.name.text, span)
    others = copy_node(pile.others) if pile.others is not None else None
    return ast.Zone(aside, (), False, "row", component, "hidden", None, None, None, others, span=span)


@define
class LookSpeller(StatementRewriter):
    zones: dict[str, ast.Zone]
    looked_at: dict[str, ast.Zone] = field(factory=dict)  # the piles
    found: list[Diagnostic] = field(factory=list)

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        return self.spell_look(line) if isinstance(line, ast.LookAt) else line

    def spell_look(self, line: ast.LookAt) -> ast.Statement:
        what = line.what
        origin = what.owner if isinstance(what, ast.Of) else None
        name = (name_of_place(origin) if origin is not None else None) or ""
        is_part = name in self.zones and (name_of_place(what) or "") not in self.zones
        if not is_part or origin is None or not isinstance(what, ast.Of):
            if isinstance(what, ast.Of) and isinstance(what.subject, ast.Number):
                return ast.Show(what.owner, name_at("player", line.span), span=line.span)  # there is no such pile
            if not line.is_up_to:
                return ast.Show(what, name_at("player", line.span), span=line.span)
            return self.refuse(
                line, message("`up to` stands before a number"), what.span,
                message("write `look at up to 3 of {zone}`", zone=text_of_expression(what)),
            )
        amount, zone = what.subject, self.zones[name]
        if isinstance(amount, ast.Name) and amount.text in ENDS:
            return self.spell_end(line, amount, zone, origin)
        trouble = self.find_trouble(line, zone, origin)
        if trouble is not None:
            return trouble
        self.looked_at[name] = zone
        return join_look(line, amount, origin, name)

    def spell_end(self, line: ast.LookAt, end: ast.Name, zone: ast.Zone, origin: ast.Expr) -> ast.Statement:
        if end.text == "top" and zone.kind == "pile" and zone.visibility == "hidden":
            pile = text_of_expression(origin)
            hint, instead = message("write `look at 1 of {pile}`", pile=pile), f"look at 1 of {pile}"
            return self.refuse(line, message("nobody may know yet which one is on top"), end.span, hint, instead)
        return ast.Show(line.what, name_at("player", line.span), span=line.span)

    def find_trouble(self, line: ast.LookAt, zone: ast.Zone, origin: ast.Expr) -> ast.Statement | None:
        name, written = zone.name.text, text_of_expression(origin)
        if zone.kind != "pile":
            sentence = message("`{zone}` is a {kind}: only a pile has a top to look at", zone=name, kind=zone.kind)
            hint = message("write `look at {zone}`", zone=written)
            return self.refuse(line, sentence, line.what.span, hint, f"look at {written}")
        if zone.visibility != "hidden":
            sentence = message("`{zone}` is not hidden: others would see what is looked at, too", zone=name)
            hint = message("declare the pile `hidden`")
            return self.refuse(line, sentence, line.what.span, hint)
        return None

    def refuse(self, line: ast.LookAt, sentence: Message, span: Span, hint: Message, instead: str = "") -> ast.LookAt:
        """What is wrong is said once: nobody looks at the line any more."""
        edits = (Edit(line.span.start, line.span.end, instead),) if instead else ()
        self.found.append(Diagnostic("wrong-type", sentence, span, hint, edits=edits))
        return ast.LookAt(False, ast.Nothing(span=span), span=line.span)


def join_look(line: ast.LookAt, amount: ast.Expr, origin: ast.Expr, name: str) -> ast.ForEach:
    """How many they are is settled before the first is taken up."""
    span = line.span

    def aside() -> ast.Name:
        return name_at(ASIDE + name, span)

    draw = ast.Deal(
        "draw", line.is_up_to, name_at(HOW_MANY, span), origin, None, False, aside(), None, span=span
    )
    show = ast.Show(aside(), name_at("player", span), span=span)
    last = ast.Of(name_at("last", span), aside(), span=span)
    back = ast.Move(False, last, copy_node(origin), None, span=span)
    count = ast.Of(name_at("count", span), aside(), span=span)
    each = ast.Each(name_at(HOW_MANY, span), wrap_single_value(amount), span=amount.span)
    repeat = ast.Repeat(count, None, (back,), span=span)
    return ast.ForEach(each, None, (draw, show, repeat), "look", called=line, span=span)


def name_at(text: str, span: Span) -> ast.Name:
    return ast.Name(text, span=span)


# ---- reactions
# `ask each opponent from left: challenge or allow`: reactions within a turn. Takes a game, gives a game in which they
# are spelled out: each player in turn, who chooses unless it is over. Nobody has a turn by it, and nothing is set
# back.


WHO_ASKS = "who asks"  # no name that an author writes


def spell_out_reactions(game: ast.Game) -> ast.Game:
    """The very game where nobody is asked so."""
    if not any(isinstance(node, ast.Ask) for piece in game.declarations for node in walk(piece)):
        return game
    speller = ReactionSpeller(any(isinstance(piece, ast.Teams) for piece in game.declarations))
    return evolve(game, declarations=tuple(speller.rewrite_piece(piece) for piece in game.declarations))


class ReactionSpeller(StatementRewriter):
    def __init__(self, plays_in_teams: bool) -> None:
        self.plays_in_teams = plays_in_teams

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        return spell_ask(line, self.plays_in_teams) if isinstance(line, ast.Ask) else line


def spell_ask(asking: ast.Ask, plays_in_teams: bool) -> ast.ForEach:
    """Who it is about, and whether it is over, is looked at when it is somebody's time."""
    span = asking.span
    choose: ast.Statement = ast.Choose("player", None, None, asking.actions, False, None, span=span)
    if asking.until is not None:
        ended = ast.Branch(ast.Not(asking.until, span=asking.until.span), (choose,), span=span)
        choose = ast.If((ended,), span=span)
    if asking.condition is not None:
        choose = ast.If((ast.Branch(asking.condition, (choose,), span=span),), span=span)
    start = asking.start or ast.Of(name_at("left", span), name_at("player", span), span=span)
    others: ast.Expr | None = None
    if asking.who == "opponent" and plays_in_teams:
        against = ast.Of(name_at("opponents", span), name_at(WHO_ASKS, span), span=span)
        others = ast.In(name_at("player", span), against, False, span=span)
    elif asking.who == "opponent":
        others = ast.Compare("is not", name_at("player", span), name_at(WHO_ASKS, span), span=span)
    everybody = ast.EachPlayer(start, others, None, (choose,), span=span)
    each = ast.Each(name_at(WHO_ASKS, span), wrap_single_value(name_at("player", span)), span=span)
    return ast.ForEach(each, None, (everybody,), "ask", called=asking, span=span)
