"""Lark's tree of a piece's first line → a node, still without what stands below it. One method a rule, in order."""

from __future__ import annotations

from typing import Any

from attrs import evolve
from lark import Token

from rulesrun.dsl import ast
from rulesrun.dsl.ast.boards import make_grid, make_rings
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.parsing.statements import StatementsToAst, unquote_token
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span

Names = tuple[ast.Name, ...]
Keys = tuple[ast.TypeExpr, ...]
Said = tuple[str, Any, Span]


AnyLine = ast.Statement | ast.Needs | ast.Branch


class DeclarationsToAst(StatementsToAst):
    def edition(self, span: Span, number: Token) -> ast.Edition:
        return ast.Edition(self.number(self.span(number), number).value, span=span)

    def title(self, span: Span, text: Token) -> ast.Title:
        return ast.Title(unquote_token(text), span=span)

    def variant_of(self, span: Span, title: Token, base: Token) -> ast.VariantOf:
        return ast.VariantOf(unquote_token(title), ast.Text(unquote_token(base), span=self.span(base)), span=span)

    def players(self, span: Span, low: ast.Expr, dots: Token | None, high: ast.Expr | None) -> ast.Players:
        if high is None and isinstance(low, ast.Arithmetic):
            ends = low.left, low.right
            said = [str(end.value) for end in ends if isinstance(end, ast.Number)]
            hint = message(
                "write `{listed}`", listed="..".join(sorted(said, key=int)) if len(said) == len(ends) else "2..5"
            )
            self.report("wrong-sign", message("the number of players is one number or a range"), low.span, hint)
        return ast.Players(low, high or low, span=span)

    def team(self, span: Span, *seats: Token) -> tuple[int, ...]:
        return tuple(int(seat) for seat in seats)

    def teams(self, span: Span, *teams: tuple[int, ...]) -> ast.Teams:
        return ast.Teams(None, teams, span=span)

    def teams_for(self, span: Span, _: Token, number: Token, *teams: tuple[int, ...]) -> ast.Teams:
        return ast.Teams(int(number), teams, span=span)

    def rounds(self, span: Span, count: ast.Expr, moves: str | None) -> ast.Rounds:
        return ast.Rounds(count, None, moves, span=span)

    def rounds_until(self, span: Span, until: ast.Expr, moves: str | None) -> ast.Rounds:
        return ast.Rounds(None, until, moves, span=span)

    def values(self, span: Span, name: ast.Name, items: tuple[ast.Enumerator, ...]) -> ast.Values:
        return ast.Values(name, items, None, span=span)

    def values_range(self, span: Span, name: ast.Name, values: ast.Range) -> ast.Values:
        return ast.Values(name, (), self.range_type(values.span, values), span=span)

    def components(self, span: Span, noun: Token, name: ast.Name, form: tuple[Any, ...]) -> ast.Components:
        attributes, condition, copies = form
        return ast.Components(str(noun), name, attributes, (), (), copies, condition, span=span)

    def plain_components(self, span: Span, noun: Token, name: ast.Name, count: ast.Expr) -> ast.Components:
        """`token Seed: 48`: one row, which is called as the kind is."""
        match count:
            case ast.Of(amount, ast.Name(text="each") as each):
                hint = message("write `{noun} {name}: …`, the number alone", noun=noun, name=name.text)
                sentence = message("`… of each` needs attributes to count")
                words = Span(span.file, amount.span.end, each.span.end)
                self.report("unexpected-word", sentence, words, hint, Edit(words.start, words.end, ""))
        row = ast.RowDecl(name, (), count, span=span)
        return ast.Components(str(noun), name, (), (), (row,), None, span=span)

    def dice(self, span: Span, name: ast.Name, faces: ast.TypeExpr, copies: ast.Expr | None) -> ast.Components:
        """`die Die: 1..6, 5 of each`: what a die shows is its `face`."""
        face = ast.AttributeDecl(ast.Name("face", span=faces.span), faces, None, span=faces.span)
        return ast.Components("die", name, (face,), (), (), copies, span=span)

    def plain_components_by_call(
        self, span: Span, noun: Token, name: ast.Name, called: ast.Name, *arguments: ast.Expr
    ) -> ast.Components:
        count = ast.Call(called, arguments, span=Span(span.file, called.span.start, span.end))
        return self.plain_components(span, noun, name, count)

    def board(
        self, span: Span, name: ast.Name, rows: ast.Expr, columns: ast.Expr, hexagonal: Token | None,
        condition: ast.Expr | None,
    ) -> ast.Components:  # fmt: skip
        return make_grid(span, name, rows, columns, condition, is_hexagonal=hexagonal is not None)

    def board_of_rings(self, span: Span, name: ast.Name, rings: ast.Expr) -> ast.Components:
        return make_rings(span, name, rings)

    def board_of_lines(self, span: Span, name: ast.Name) -> ast.Components:
        return ast.Components("board", name, (), (), (), None, None, ast.Board(False, (), span=span), span=span)

    def option(self, span: Span, name: ast.Name, type_: ast.TypeExpr, default: ast.Expr) -> ast.Option:
        return ast.Option(name, type_, default, False, None, span=span)

    def reading(self, span: Span, name: ast.Name, type_: ast.TypeExpr, default: ast.Expr) -> ast.Option:
        return ast.Option(name, type_, default, True, None, span=span)

    def require(self, span: Span, condition: ast.Expr, because: str | None) -> ast.Require:
        return ast.Require(condition, because, span=span)

    def zone(
        self, span: Span, name: ast.Name, keys: Keys | None, per_player: bool | None, kind: Token,
        kinds: tuple[ast.Name, ...], words: tuple[Said, ...],
    ) -> ast.Zone:  # fmt: skip
        said, (component, *further) = self._collect_said_once(words), kinds
        others = ast.EitherType(tuple(further), span=further[-1].span) if further else None
        return ast.Zone(
            name, keys or (), bool(per_player), str(kind), component, name_visibility(said),
            said.get("capacity"), said.get("sorted"), find_seen_by(said), others, span=span,
        )  # fmt: skip

    def kinds(self, span: Span, *names: ast.Name) -> tuple[ast.Name, ...]:
        return names

    def number_variable(
        self, span: Span, name: ast.Name, keys: Keys | None, per_player: bool | None, values: ast.Range,
        start: ast.Expr | None, words: tuple[Said, ...],
    ) -> ast.Variable:  # fmt: skip
        type_ = self.range_type(values.span, values)
        return self._make_variable(span, "number", name, keys, per_player, type_, start, words)

    def marker_variable(
        self, span: Span, name: ast.Name, keys: Keys | None, per_player: bool | None, type_: ast.TypeExpr,
        start: ast.Expr | None, words: tuple[Said, ...],
    ) -> ast.Variable:  # fmt: skip
        return self._make_variable(span, "marker", name, keys, per_player, type_, start, words)

    def number_of_kind(
        self, span: Span, name: ast.Name, kind: ast.Name, values: ast.Range, start: ast.Expr | None,
        words: tuple[Said, ...],
    ) -> ast.Variable:  # fmt: skip
        whole = self.number_variable(span, name, (ast.NamedType(kind, span=kind.span),), None, values, start, words)
        return evolve(whole, of_kind=True)

    def marker_of_kind(
        self, span: Span, name: ast.Name, kind: ast.Name, type_: ast.TypeExpr, start: ast.Expr | None,
        words: tuple[Said, ...],
    ) -> ast.Variable:  # fmt: skip
        whole = self.marker_variable(span, name, (ast.NamedType(kind, span=kind.span),), None, type_, start, words)
        return evolve(whole, of_kind=True)

    def _make_variable(
        self, span: Span, word: str, name: ast.Name, keys: Keys | None, per_player: bool | None, type_: ast.TypeExpr,
        start: ast.Expr | None, words: tuple[Said, ...],
    ) -> ast.Variable:  # fmt: skip
        said = self._collect_said_once(words)
        return ast.Variable(
            word, name, keys or (), bool(per_player), type_, start,
            said.get("each"), name_visibility(said) or "public", said.get("clamped", False), find_seen_by(said),
            span=span,
        )  # fmt: skip

    def _collect_said_once(self, words: tuple[Said, ...]) -> dict[str, Any]:
        said: dict[str, Any] = {}
        for at, (word, value, span) in enumerate(words):
            if word in said:
                sentence = message("the {word} is written twice", word=word)
                instead = Edit(words[at - 1][2].end, span.end, "")
                self.report("said-twice", sentence, span, message("keep one of the two"), instead)
            said[word] = value
        return said

    def memory(self, span: Span, name: ast.Name, reset: Token | None) -> ast.Memory:
        return ast.Memory(name, str(reset) if reset else None, span=span)

    def table(
        self, span: Span, name: ast.Name, parameters: tuple[ast.Parameter, ...], entries: tuple[ast.Entry, ...] | None
    ) -> ast.Table:
        return ast.Table(name, parameters, entries or (), span=span)

    def define(
        self, span: Span, name: ast.Name, parameters: tuple[ast.Parameter, ...] | None, body: ast.Expr
    ) -> ast.Define:
        return ast.Define(name, parameters or (), body, span=span)

    def setup(self, span: Span, each_round: Token | None) -> ast.Setup:
        return ast.Setup(each_round is not None, (), span=span)

    def phase(
        self, span: Span, name: ast.Name, when: ast.Expr | None, loop: ast.Turns | ast.Repeat | None
    ) -> ast.Phase:
        return ast.Phase(name, when, loop, (), span=span)

    def step(self, span: Span, name: ast.Name, parameters: tuple[ast.Parameter, ...] | None) -> ast.Step:
        return ast.Step(name, (), parameters or (), span=span)

    def action(
        self, span: Span, name: ast.Name, choices: tuple[ast.Choice, ...] | None, secret: Token | None
    ) -> ast.Action:
        return ast.Action(name, choices or (), (), secret is not None, (), span=span)

    def score_told(self, span: Span) -> ast.Score:
        return ast.Score("told", (), span=span)

    def score_round(self, span: Span) -> ast.Score:
        return ast.Score("round", (), span=span)

    def score_end(self, span: Span) -> ast.Score:
        return ast.Score("end", (), span=span)

    def ranking(self, span: Span, *parts: ast.Criterion | Token | None) -> ast.Ranking:
        criteria = tuple(part for part in parts if isinstance(part, ast.Criterion))
        return ast.Ranking(criteria, parts[-1] is not None, span=span)

    def result(self, span: Span, outcomes: tuple[Any, ...]) -> ast.Result:
        return ast.Result(outcomes[:-1], outcomes[-1], span=span)

    def property(self, span: Span, word: Token, title: Token, condition: ast.Expr) -> ast.Property:
        return ast.Property(str(word), None, None, unquote_token(title), condition, span=span)

    def at_end(self, span: Span, moment: Token, title: Token, condition: ast.Expr) -> ast.Property:
        return ast.Property(message("at end"), str(moment), None, unquote_token(title), condition, span=span)

    def after(self, span: Span, action: ast.Name, title: Token, condition: ast.Expr) -> ast.Property:
        return ast.Property("after", None, action, unquote_token(title), condition, span=span)

    def ends_within(self, span: Span, word: Token, bound: ast.Expr, unit: Token, title: Token) -> ast.Property:
        condition = ast.Truth(True, span=span)
        return ast.Property(message("ends within"), str(unit), None, unquote_token(title), condition, bound, span=span)

    def share(
        self, span: Span, word: Token, part: Token, sign: Token, whole: Token, title: Token, condition: ast.Expr
    ) -> ast.Property:
        share = (self.number(self.span(part), part).value, self.number(self.span(whole), whole).value)
        if sign != "/" or not 0 <= share[0] <= share[1] or not share[1]:
            hint = message("as in `at most 1/10 of games`")
            self.report("not-a-share", message("this is no share of all games"), self.span(part), hint)
        return ast.Property(str(word), None, None, unquote_token(title), condition, None, share, span=span)

    def figure(
        self, span: Span, name: ast.Name, word: Token | None, value: ast.Expr, looked: str | ast.Name | None
    ) -> ast.Figure:
        """`how often reshuffle` looks at `yes` whenever it begins."""
        if looked is None and word == "how often" and isinstance(value, ast.Name):
            return ast.Figure(name, "how often", ast.Truth(True, span=value.span), None, value, span=span)
        begins = looked if isinstance(looked, ast.Name) else None
        moment = looked if isinstance(looked, str) else None
        return ast.Figure(name, str(word) if word is not None else None, value, moment, begins, span=span)

    def figure_at_end(self, span: Span, moment: Token) -> str:
        return str(moment)

    def figure_at(self, span: Span, begins: ast.Name) -> ast.Name:
        return begins

    def figure_word(self, span: Span, word: Token) -> Token:
        return word

    def example(self, span: Span, title: Token) -> ast.Example:
        return ast.Example(unquote_token(title), (), span=span)

    def small(self, span: Span, title: Token) -> ast.Small:
        return ast.Small(unquote_token(title), (), span=span)

    def persona(self, span: Span, name: ast.Name) -> ast.Persona:
        return ast.Persona(name, (), span=span)

    def words(self, span: Span, language: ast.Name) -> ast.Words:
        return ast.Words(language, (), span=span)

    def look(self, span: Span, aspect: ast.Name) -> ast.Look:
        return ast.Look(aspect, (), span=span)

    def change(self, span: Span, declaration: ast.AnyDeclaration) -> ast.ChangePiece:
        edits = ast.ChangePiece | ast.RemovePiece | ast.ChangeRow | ast.ChangeLine | ast.ChangeLines | ast.Fix
        if isinstance(declaration, edits):
            hint = message("remove the first `change`")
            first = Edit(span.start, declaration.span.start, "")
            self.report("unexpected-word", message("`change` stands before a piece of the base"), span, hint, first)
        return ast.ChangePiece(declaration, True, span=span)

    def edit_row(self, span: Span, words: Token, name: ast.Name, of: ast.Name, cells: tuple[Any, ...]) -> ast.ChangeRow:
        row = ast.RowDecl(name, cells[:-1], cells[-1], span=Span(self.file, name.span.start, span.end))
        return ast.ChangeRow(words.startswith("add"), row, of, span=span)

    def edit_line(self, span: Span, words: Token, name: ast.Name, value: ast.Expr) -> ast.ChangeLine:
        line = ast.ScoreLine(name, value, span=Span(self.file, name.span.start, span.end))
        return ast.ChangeLine(words.startswith("add"), line, span=span)

    def change_lines_of_action(self, span: Span, name: ast.Name, place: Token, line: AnyLine) -> ast.ChangeLines:
        return ast.ChangeLines("action", name, place.removeprefix(", "), line, span=span)

    def change_lines_of_step(self, span: Span, name: ast.Name, place: Token, line: AnyLine) -> ast.ChangeLines:
        return ast.ChangeLines("step", name, place.removeprefix(", "), line, span=span)

    def change_lines_of_phase(self, span: Span, name: ast.Name, place: Token, line: AnyLine) -> ast.ChangeLines:
        return ast.ChangeLines("phase", name, place.removeprefix(", "), line, span=span)

    def change_lines_of_setup(
        self, span: Span, each: Token | None, place: Token, line: AnyLine
    ) -> ast.ChangeLines:
        return ast.ChangeLines("setup round" if each else "setup", None, place.removeprefix(", "), line, span=span)

    def remove(self, span: Span, piece: Token, name: ast.Name | Token | None, of: ast.Name | None) -> ast.RemovePiece:
        if isinstance(name, ast.Name):
            return ast.RemovePiece(str(piece), name.text, of, span=span)
        return ast.RemovePiece(str(piece), unquote_token(name) if name else "", of, span=span)

    def remove_after(self, span: Span, action: ast.Name | None, title: Token) -> ast.RemovePiece:
        return ast.RemovePiece(
            "after" if action is None else f"after {action.text}", unquote_token(title), None, span=span
        )

    def remove_bound(
        self, span: Span, word: Token, bound: ast.Expr | None, unit: Token | None, title: Token
    ) -> ast.RemovePiece:
        """Of `ends within 9 turns "…"` the title is enough."""
        return ast.RemovePiece(str(word), unquote_token(title), None, span=span)

    def remove_share(
        self, span: Span, word: Token, part: Token | None, sign: Token | None, whole: Token | None, title: Token
    ) -> ast.RemovePiece:
        return ast.RemovePiece(str(word), unquote_token(title), None, span=span)

    def fix(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.Fix:
        return ast.Fix(name, value, span=span)

    # ---- parts of a first line

    def moves(self, span: Span, side: Token) -> str:
        return str(side)

    def enumerators(self, span: Span, *items: ast.Enumerator) -> tuple[ast.Enumerator, ...]:
        return items

    def enumerator(self, span: Span, name: ast.Name, label: Token | None) -> ast.Enumerator:
        return ast.Enumerator(name, unquote_token(label) if label else None, span=span)

    def attributes(self, span: Span, *parts: Any) -> tuple[Any, ...]:
        *attributes, condition, copies = parts
        return (tuple(attributes), condition, copies)

    def attribute(self, span: Span, name: ast.Name, type_: ast.TypeExpr) -> ast.AttributeDecl:
        return ast.AttributeDecl(name, type_, None, span=span)

    def rule_attribute(self, span: Span, name: ast.Name) -> ast.AttributeDecl:
        return ast.AttributeDecl(name, None, None, span=span)

    def step_attribute(self, span: Span, name: ast.Name) -> ast.AttributeDecl:
        step = ast.Name("step", span=Span(span.file, span.start, span.start + 4))
        return ast.AttributeDecl(name, ast.NamedType(step, span=step.span), None, span=span)

    def copies(self, span: Span, count: ast.Expr, words: Token) -> ast.Expr:
        return count

    def copies_by_call(self, span: Span, name: ast.Name, *arguments: Any) -> ast.Call:
        *told, words = arguments
        return ast.Call(name, tuple(told), span=Span(span.file, span.start, words.start_pos - 1))

    def per_player(self, span: Span) -> bool:
        return True

    def keys(self, span: Span, *types: ast.TypeExpr) -> Keys:
        return types

    def zone_words(self, span: Span, *words: Said) -> tuple[Said, ...]:
        return words

    def visibility(self, span: Span, word: Token, top: Token | None = None) -> Said:
        if top is not None and word != "public":
            seen = Edit(span.start, span.end, "public top")
            self.report(
                "bad-visibility",
                message("there is no `{word} top`", word=word),
                span,
                message("only `public top` is possible"),
                seen,
            )
        return ("visibility", message("public top") if top is not None else str(word), span)

    def zone_word(self, span: Span, said: Said) -> Said:
        return said

    def variable_word(self, span: Span, said: Said) -> Said:
        return said

    def seats_that_see(self, span: Span, words: Token, *seats: ast.Expr) -> Said:
        return ("visibility", ast.SeenBy(words != "seen by", seats, span=span), span)

    def capacity(self, span: Span, up_to: Token, capacity: ast.Expr) -> Said:
        return ("capacity", capacity, span)

    def sorted_by(self, span: Span, key: ast.Expr) -> Said:
        return ("sorted", key, span)

    def variable_words(self, span: Span, *words: Said) -> tuple[Said, ...]:
        return words

    def reset(self, span: Span, moment: Token) -> Said:
        return ("each", str(moment), span)

    def clamped(self, span: Span, word: Token) -> Said:
        return ("clamped", True, span)

    def parameters(self, span: Span, *parameters: ast.Parameter) -> tuple[ast.Parameter, ...]:
        return parameters

    def parameter(self, span: Span, name: ast.Name, type_: ast.TypeExpr) -> ast.Parameter:
        return ast.Parameter(name, type_, span=span)

    def choices(self, span: Span, *choices: ast.Choice) -> tuple[ast.Choice, ...]:
        return choices

    def choice(
        self, span: Span, amount: ast.RangeType | None, name: ast.Name, word: Token, domain: ast.Expr
    ) -> ast.Choice:
        return ast.Choice(name, str(word), amount, domain, span=span)

    def amount(self, span: Span, low: ast.Expr, dots: Token | None, high: ast.Expr | None) -> ast.RangeType:
        return ast.RangeType(low, high or low, span=span)

    def criterion(self, span: Span, direction: Token, value: ast.Expr, when: ast.Expr | None) -> ast.Criterion:
        return ast.Criterion(str(direction), value, when, span=span)

    def outcomes(self, span: Span, *parts: ast.Outcome | ast.Name) -> tuple[ast.Outcome | ast.Name, ...]:
        return parts

    def outcome(self, span: Span, word: ast.Name, when: ast.Expr) -> ast.Outcome:
        return ast.Outcome(word, when, span=span)


def name_visibility(said: dict[str, Any]) -> str | None:
    found = said.get("visibility")
    return "seen by" if isinstance(found, ast.SeenBy) else found


def find_seen_by(said: dict[str, Any]) -> ast.SeenBy | None:
    found = said.get("visibility")
    return found if isinstance(found, ast.SeenBy) else None


# ---- to ast
# Lark's tree of a line below a piece → a node: rows, entries, lines of a sheet, of an example, of a word list.


class ToAst(DeclarationsToAst):
    """Every rule of the grammar has its method here or in what this is built on."""

    def row(self, span: Span, name: ast.Name, cells: tuple[Any, ...]) -> ast.RowDecl:
        *values, copies = cells
        if copies is None and values and _is_of_each(values[-1]):
            hint = message("put brackets around it, as in `(2 * players) of each`")
            place = values[-1].span
            end = place.end - len(message(" of each"))
            around = Edit(place.start, place.start, "("), Edit(end, end, ")")
            self.report("missing-brackets", message("the number of each is a formula"), place, hint, *around)
        return ast.RowDecl(name, tuple(values), copies, span=span)

    def computed(self, span: Span, name: ast.Name, type_: ast.TypeExpr, value: ast.Expr) -> ast.AttributeDecl:
        return ast.AttributeDecl(name, type_, value, span=span)

    def computed_rule(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.AttributeDecl:
        return ast.AttributeDecl(name, None, value, span=span)

    def line_of_places(self, span: Span, *names: ast.Name) -> ast.PlaceLine:
        return ast.PlaceLine(names, span=span)

    def cells(self, span: Span, *parts: ast.Expr | None) -> tuple[ast.Expr | None, ...]:
        return parts

    def entries(self, span: Span, *entries: ast.Entry) -> tuple[ast.Entry, ...]:
        return entries

    def bare_entry(self, span: Span, value: ast.Expr) -> ast.Entry:
        return ast.Entry(None, False, value, span=span)

    def keyed_entry(self, span: Span, keys: ast.Expr | tuple[ast.Expr, ...], value: ast.Expr) -> ast.Entry:
        return ast.Entry(keys if isinstance(keys, tuple) else (keys,), False, value, span=span)

    def other_entry(self, span: Span, value: ast.Expr) -> ast.Entry:
        return ast.Entry(None, True, value, span=span)

    def keys_side_by_side(self, span: Span, *keys: ast.Expr) -> tuple[ast.Expr, ...]:
        return keys

    def score_line(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.ScoreLine:
        return ast.ScoreLine(name, value, span=span)

    def sentence(self, span: Span, text: Token) -> str:
        return unquote_token(text)

    def persona_line(self, span: Span, word: Token, action: ast.Name, when: ast.Expr | None) -> ast.Preference:
        return ast.Preference(str(word), action, when, span=span)

    def words_line(self, span: Span, name: ast.Name, text: Token) -> ast.Word:
        return ast.Word(name, unquote_token(text), span=span)

    # ---- examples

    def for_players(self, span: Span, count: ast.Expr) -> ast.ForPlayers:
        return ast.ForPlayers(count, span=span)

    def set_option(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.Set:
        return ast.Set(name, value, span=span)

    def given_cards(self, span: Span, zone: ast.Expr, items: tuple[ast.Literal, ...] | None) -> ast.GivenCards:
        return ast.GivenCards(zone, items or (), span=span)

    def given_value(self, span: Span, target: ast.Expr, value: ast.Expr) -> ast.GivenValue:
        return ast.GivenValue(target, value, span=span)

    def given_component(self, span: Span, target: ast.Expr, *parts: ast.Expr) -> ast.GivenValue:
        first, last = parts[0].span, parts[-1].span
        return ast.GivenValue(target, ast.Literal(parts, span=Span(first.file, first.start, last.end)), span=span)

    def given_turn(self, span: Span, player: ast.Expr) -> ast.GivenTurn:
        return ast.GivenTurn(player, span=span)

    def given_phase(self, span: Span, phase: ast.Name) -> ast.GivenPhase:
        return ast.GivenPhase(phase, span=span)

    def next_chance(self, span: Span, items: tuple[ast.Literal, ...]) -> ast.NextChance:
        return ast.NextChance(items, span=span)

    def when(
        self, span: Span, player: ast.Expr, action: ast.Name, arguments: tuple[ast.Literal, ...] | None,
        if_possible: Token | None,
    ) -> ast.When:  # fmt: skip
        return ast.When(_player_or_team(player), action, arguments or (), if_possible is not None, span=span)

    def then(self, span: Span, condition: ast.Expr) -> ast.Then:
        return ast.Then(condition, span=span)

    def then_still(self, span: Span, title: Token) -> ast.ThenStill:
        return ast.ThenStill(unquote_token(title), span=span)

    def then_over(self, span: Span, state: Token) -> ast.ThenOver:
        return ast.ThenOver(str(state).split()[-1] == "over", span=span)

    def then_can(
        self, span: Span, player: ast.Expr, can: Token, action: ast.Name,
        arguments: tuple[ast.Literal, ...] | None,
    ) -> ast.ThenCan:  # fmt: skip
        return ast.ThenCan(_player_or_team(player), can == "can", action, arguments, span=span)

    def todo(self, span: Span) -> ast.Todo:
        return ast.Todo(span=span)


def _is_of_each(cell: ast.Expr) -> bool:
    """`players * 2 of each`: `of` took the last part alone."""
    while isinstance(cell, ast.Arithmetic):
        cell = cell.right
    return isinstance(cell, ast.Of) and isinstance(cell.owner, ast.Name) and cell.owner.text == "each"


def _player_or_team(player: ast.Expr) -> ast.Expr | None:
    """None for the team: all players."""
    return None if isinstance(player, ast.Name) and player.text == "team" else player
