"""`roll all cup`: dice are thrown. Takes a game, gives a game in which that is spelled out.

Of each die there is every face, as often as there are dice; the faces that nobody sees lie in the box. Who throws dice
puts them back into the box and draws as many faces from it, each face as likely as any other. So a handful of dice is a
set of faces, in which equal ones are alike, and nothing that knows sets has to know dice.
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
from rulesrun.dsl.text.keywords import BOX
from rulesrun.dsl.text.messages import Message, message
from rulesrun.dsl.text.source import Span


def spell_out_dice(game: ast.Game) -> tuple[ast.Game, list[Diagnostic]]:
    """The very game where nothing is thrown and no dice are declared."""
    kinds = {one.name.text: one for one in game.components if one.noun == "die"}
    thrown = [node for piece in game.declarations for node in walk(piece) if isinstance(node, ast.Throw)]
    if not kinds and not thrown:
        return game, []
    zones = {one.name.text: one.component.text for one in game.zones}
    speller = DiceSpeller(
        kinds, zones, any(one.into is not None for one in thrown), frozenset(one.name.text for one in game.components)
    )
    pieces = tuple(speller.spell_piece(piece) for piece in game.declarations)
    boxes = tuple(declare_box(one) for one in kinds.values())
    return evolve(game, declarations=(*pieces, *boxes)), speller.found


def declare_box(kind: ast.Components) -> ast.Zone:
    span = kind.name.span
    name, component = ast.Name(BOX + kind.name.text, span=span), ast.Name(kind.name.text, span=span)
    return ast.Zone(name, (), False, "set", component, "hidden", None, None, span=span)


@define
class DiceSpeller(StatementRewriter):
    """`is_filled`: some line says where dice come to lie. `named`: where what has a name here was taken from."""

    kinds: dict[str, ast.Components]
    zones: dict[str, str]  # by name, what lies there
    is_filled: bool
    components: frozenset[str]
    named: dict[str, ast.Expr] = field(factory=dict)
    found: list[Diagnostic] = field(factory=list)

    def spell_piece(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration:
        self.named = {one.name.text: one.domain for one in piece.choices} if isinstance(piece, ast.Action) else {}
        return self.rewrite_piece(piece)

    def rewrite_statement(self, line: ast.Statement) -> ast.Statement:
        if isinstance(line, ast.ForEach) and line.word == "each" and line.each.name is not None:
            before, self.named = self.named, {**self.named, line.each.name.text: line.each.collection}
            line = super().rewrite_statement(line)
            self.named = before
            return line
        return super().rewrite_statement(line)

    def rewrite_line(self, line: ast.Statement) -> ast.Statement:
        match line:
            case ast.Throw():
                return self.spell_throw(line)
            case ast.Roll(ast.Name(name) as die) if self.find_kind(self.named.get(name)) is not None:
                return self.spell_throw(ast.Throw(False, die, None, span=line.span))
            case ast.Roll(ast.Of(ast.Name("face"), ast.Name(name) as die)) if self.find_kind(self.named.get(name)):
                sentence, hint = message("a roll takes the die itself"), message("write `roll {name}`", name=name)
                return self.refuse(line, sentence, die.span, hint, f"roll {name}")
            case ast.Roll(target) if self.zones.get(name_of_place(target) or "") in self.kinds:
                zone = text_of_expression(target)
                kind = self.zones[name_of_place(target) or ""]
                instead = f"roll all {zone}" if self.is_filled else f"roll all {kind} into {zone}"
                hint = message("write `{instead}`", instead=instead)
                return self.refuse(line, message("expected a die, found a zone"), target.span, hint, instead)
            case ast.Move(what=what) | ast.Shuffle(what=what) if (name_of_place(what) or "") in self.kinds:
                fallen = line.target if isinstance(line, ast.Move) else line.into
                kind, zone = name_of_place(what) or "", (name_of_place(fallen) if fallen is not None else None) or "…"
                hint = message("write `roll all {kind} into {zone}`", kind=kind, zone=zone)
                instead = "" if zone == "…" else f"roll all {kind} into {zone}"
                return self.refuse(line, message("dice reach the table only by being rolled"), line.span, hint, instead)
            case _:
                return line

    # ---- one throw

    def spell_throw(self, thrown: ast.Throw) -> ast.Statement:
        what, amount = self.split_amount(thrown)
        into = thrown.into or self.find_place(what)
        kind = self.find_kind(what) or self.find_kind(into)
        if kind is None or into is None:
            return self.refuse_throw(thrown, kind)
        if self.is_whole_kind(what):
            return self.spell_throw_of_kind(thrown, what, kind, amount, into)
        if thrown.all:
            amount = ast.Of(ast.Name("count", span=what.span), copy_node(what), span=what.span)
            return self.join_throw(thrown, kind, amount, what, into)
        if amount is None:
            return self.join_throw(thrown, kind, ast.Number(1, span=what.span), what, into)
        return self.join_throw(thrown, kind, amount, ast.Of(make_register(amount.span), what, span=what.span), into)

    def split_amount(self, thrown: ast.Throw) -> tuple[ast.Expr, ast.Expr | None]:
        """`2 of cup`: the cup, and 2; `cup of p` is a place."""
        what = thrown.what
        if thrown.all or not isinstance(what, ast.Of) or (name_of_place(what) or "") in self.zones:
            return what, None
        return what.owner, what.subject

    def spell_throw_of_kind(
        self, thrown: ast.Throw, what: ast.Expr, kind: ast.Components, amount: ast.Expr | None, into: ast.Expr
    ) -> ast.Statement:
        """`roll all Die into cup`: wherever they are. `roll 2 of Die into cup`: of those that are nowhere."""
        if not isinstance(what, ast.Name):
            hint = message("write the zone: `roll all ({zone} where …)`", zone=self.name_some_place())
            return self.refuse(thrown, message("dice have faces only where they lie"), what.span, hint)
        if amount is not None:
            return draw_faces(thrown, kind, amount, into)
        count = copy_node(kind.copies) if kind.copies is not None else ast.Number(1, span=what.span)
        return self.join_throw(thrown, kind, evolve(count, span=what.span), what, into)

    def join_throw(
        self, thrown: ast.Throw, kind: ast.Components, amount: ast.Expr, what: ast.Expr, into: ast.Expr
    ) -> ast.ForEach:
        """How many they are is settled before they are taken up."""
        each = ast.Each(make_register(amount.span), wrap_single_value(amount), span=amount.span)
        back = ast.Move(thrown.all, what, name_box_of(kind, what.span), None, span=thrown.span)
        body = (back, draw_faces(thrown, kind, make_register(amount.span), into))
        return ast.ForEach(each, None, body, "roll", called=thrown, span=thrown.span)

    # ---- which dice

    def is_whole_kind(self, what: ast.Expr) -> bool:
        return (name_of_place(what) or "") in self.kinds

    def find_place(self, what: ast.Expr | None) -> ast.Expr | None:
        """Where they lie, and fall again."""
        while isinstance(what, ast.Filter):
            what = what.collection
        name = name_of_place(what) if what is not None else None
        if name is None or name in self.zones:
            return what if name is not None else None
        return self.find_place(self.named.get(name))

    def find_kind(self, what: ast.Expr | None) -> ast.Components | None:
        if what is not None and (name_of_place(what) or "") in self.kinds:
            return self.kinds[name_of_place(what) or ""]
        place = self.find_place(what)
        return self.kinds.get(self.zones.get(name_of_place(place) or "", "")) if place is not None else None

    # ---- what is wrong

    def refuse_throw(self, thrown: ast.Throw, kind: ast.Components | None) -> ast.Statement:
        what = thrown.what
        if kind is not None:
            zones = [name for name, lies_there in self.zones.items() if lies_there == kind.name.text]
            hint = message("write `roll … into {zone}`", zone=zones[0] if zones else "…")
            return self.refuse(thrown, message("say where these dice land"), what.span, hint)
        hint = message("declare them: `die Die: 1..6, 5 of each`, and where they lie: `zone cup: set of Die, public`")
        place = self.find_place(what)
        lies_there = self.zones.get(name_of_place(place) or "") if place is not None else None
        if lies_there is not None and lies_there not in self.components:
            return ast.Throw(False, ast.Nothing(span=what.span), None, span=thrown.span)  # told where it is declared
        if self.kinds:
            zone = self.name_some_place()
            hint = message("write the zone or choice where they lie: `roll all {zone}`", zone=zone)
        return self.refuse(thrown, message("only dice can be rolled"), what.span, hint)

    def name_some_place(self) -> str:
        return next((name for name, lies_there in self.zones.items() if lies_there in self.kinds), "…")

    def refuse(
        self, line: ast.Statement, sentence: Message, span: Span, hint: Message, instead: str = ""
    ) -> ast.Throw:
        """What is wrong is said once: nobody looks at the line any more. `instead`: the line, as it is written."""
        edits = (Edit(line.span.start, line.span.end, instead),) if instead else ()
        self.found.append(Diagnostic("wrong-type", sentence, span, hint, edits=edits))
        return ast.Throw(False, ast.Nothing(span=span), None, span=line.span)


def draw_faces(thrown: ast.Throw, kind: ast.Components, amount: ast.Expr, into: ast.Expr) -> ast.Deal:
    box = name_box_of(kind, into.span)
    target = into if into is thrown.into else copy_node(into)
    return ast.Deal("roll", False, amount, box, None, False, target, None, span=thrown.span)


def name_box_of(kind: ast.Components, span: Span) -> ast.Name:
    return ast.Name(BOX + kind.name.text, span=span)


def make_register(span: Span) -> ast.Name:
    """How many are thrown; no name that an author writes."""
    return ast.Name("how many dice", span=span)
