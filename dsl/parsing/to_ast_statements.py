"""Lark's tree of a statement → a node, still without what stands below it. One method for each rule, in order; none
for a rule that has the name of its node and the same parts.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import wrap_single_value
from rulesrun.dsl.ast.turn_order import is_to_the_right, make_right_of_player
from rulesrun.dsl.diagnostics.diagnostic import Edit
from rulesrun.dsl.parsing.to_ast_expressions import ExpressionsToAst
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Span

LoopWord = tuple[str, ast.Expr | None, Span, tuple[ast.Name, ...]]


class StatementsToAst(ExpressionsToAst):
    def because(self, span: Span, text: Token) -> str:
        return unquote_token(text)

    def needs(self, span: Span, condition: ast.Expr, because: str | None) -> ast.Needs:
        return ast.Needs(condition, because, span=span)

    def if_line(self, span: Span, condition: ast.Expr) -> ast.If:
        return ast.If((ast.Branch(condition, (), span=span),), span=span)

    def otherwise_line(self, span: Span, condition: ast.Expr | None) -> ast.Branch:
        return ast.Branch(condition, (), span=span)

    def for_each(self, span: Span, name: ast.Name, collection: ast.Expr, order: ast.Order | None) -> ast.ForEach:
        return ast.ForEach(self._make_each(name, collection), order, (), span=span)

    def let(self, span: Span, name: ast.Name, value: ast.Expr) -> ast.ForEach:
        """The lines that follow are read into it."""
        each = ast.Each(name, wrap_single_value(value), span=Span(span.file, name.span.start, span.end))
        return ast.ForEach(each, None, (), "let", span=span)

    def each_player(
        self, span: Span, start: ast.Expr | None, condition: ast.Expr | None, order: ast.Order | None
    ) -> ast.EachPlayer:
        return ast.EachPlayer(start, condition, order, (), span=span)

    def shuffle(self, span: Span, all_: Token | None, what: ast.Expr, into: ast.Expr | None) -> ast.Shuffle:
        return ast.Shuffle(what, all_ is not None, into, span=span)

    def deal(
        self, span: Span, word: Token, up_to: Token | None, count: ast.Expr, origin: ast.Expr,
        condition: ast.Expr | None, each: Token | None, target: ast.Expr, alias: ast.Name | None,
    ) -> ast.Deal:  # fmt: skip
        return ast.Deal(
            str(word), up_to is not None, count, origin, condition, each is not None, target, alias, span=span
        )

    def lots(self, span: Span, words: Token, target: ast.Expr) -> ast.Lots:
        return ast.Lots(target, span=span)

    def move(
        self, span: Span, all_: Token | None, what: ast.Expr, target: ast.Expr, order: ast.Order | None
    ) -> ast.Move:
        return ast.Move(all_ is not None, what, target, order, span=span)

    def clear(self, span: Span, all_: Token | None, what: ast.Expr) -> ast.Clear:
        return ast.Clear(all_ is not None, what, span=span)

    def increases(self, span: Span, target: ast.Expr, word: Token, amount: ast.Expr) -> ast.Increases:
        return ast.Increases(target, 1 if word == "increases" else -1, amount, span=span)

    def roll(self, span: Span, target: ast.Expr, chances: tuple[ast.Expr, ...] | None) -> ast.Roll:
        return ast.Roll(target, chances or (), span=span)

    def throw(self, span: Span, all_: Token, what: ast.Expr, into: ast.Expr | None) -> ast.Throw:
        return ast.Throw(True, what, into, span=span)

    def throw_some(self, span: Span, what: ast.Expr, into: ast.Expr) -> ast.Throw:
        return ast.Throw(False, what, into, span=span)

    def throw_number(self, span: Span, amount: Token | ast.Expr, what: ast.Expr, into: ast.Expr) -> ast.Throw:
        counted = self.number(self.span(amount), amount) if isinstance(amount, Token) else amount
        some = ast.Of(counted, what, span=Span(span.file, counted.span.start, what.span.end))
        return ast.Throw(False, some, into, span=span)

    def choose(self, span: Span, actions: tuple[ast.Name, ...], *rest: Any) -> ast.Choose:
        return self._make_choose(span, "player", None, None, actions, *rest)

    def all_choose(
        self, span: Span, actions: tuple[ast.Name, ...], condition: ast.Expr | None, *rest: Any
    ) -> ast.Choose:
        return self._make_choose(span, "all", None, condition, actions, *rest)

    def team_chooses(self, span: Span, actions: tuple[ast.Name, ...], *rest: Any) -> ast.Choose:
        return self._make_choose(span, "team", None, None, actions, *rest)

    def named_chooses(self, span: Span, chooser: ast.Expr, actions: tuple[ast.Name, ...], *rest: Any) -> ast.Choose:
        return self._make_choose(span, "named", chooser, None, actions, *rest)

    def _make_choose(
        self, span: Span, who: str, chooser: ast.Expr | None, condition: ast.Expr | None, actions: tuple[ast.Name, ...],
        possible: Token | None, or_else: Token | None = None, otherwise: ast.Statement | None = None,
    ) -> ast.Choose:  # fmt: skip
        if_possible = possible is not None and possible.type == "IF_POSSIBLE"
        is_promised = possible is not None and possible.type == "ALWAYS_POSSIBLE"
        return ast.Choose(who, chooser, condition, actions, if_possible, otherwise, is_promised, span=span)

    def do(self, span: Span, step: ast.Name, arguments: tuple[ast.Expr, ...] | None) -> ast.Do:
        return ast.Do(step, arguments or (), span=span)

    def do_effect(self, span: Span, column: ast.Name, owner: ast.Expr) -> ast.DoEffect:
        return ast.DoEffect(column, owner, span=span)

    def show(self, span: Span, what: ast.Expr, to: ast.Expr | None) -> ast.Show | ast.LookAt:
        """`show hand of p to player` is `look at hand of p`."""
        if isinstance(to, ast.Name) and to.text == "player":
            return ast.LookAt(False, what, span=span)
        return ast.Show(what, to, span=span)

    def look_at(self, span: Span, _: Token, up_to: Token | None, what: ast.Expr) -> ast.LookAt:
        return ast.LookAt(up_to is not None, what, span=span)

    def asked_player(self, span: Span) -> str:
        return "player"

    def asked_opponent(self, span: Span) -> str:
        return "opponent"

    def ask(
        self, span: Span, who: str, start: ast.Expr | None, condition: ast.Expr | None, actions: tuple[ast.Name, ...],
        _: Token | None, until: ast.Expr | None,
    ) -> ast.Ask:  # fmt: skip
        """`from left` is from the left neighbour."""
        if isinstance(start, ast.Name) and start.text in ("left", "right"):
            start = ast.Of(start, ast.Name("player", span=start.span), span=start.span)
        return ast.Ask(who, start, condition, actions, until, span=span)

    def end(self, span: Span, part: Token) -> ast.End:
        return ast.End(str(part), span=span)

    def wins(self, span: Span, who: ast.Expr) -> ast.Wins:
        return ast.Wins(who, False, span=span)

    def loses(self, span: Span, who: ast.Expr) -> ast.Wins:
        return ast.Wins(who, True, span=span)

    def nobody_wins(self, span: Span) -> ast.Wins:
        return ast.Wins(None, False, span=span)

    def turns(self, span: Span, start: ast.Expr, *words: LoopWord) -> ast.Turns:
        return self._make_turns(span, False, start, words)

    def one_turn_each(self, span: Span, start: ast.Expr, *words: LoopWord) -> ast.Turns:
        return self._make_turns(span, True, start, words)

    def _make_turns(self, span: Span, once: bool, start: ast.Expr, words: tuple[LoopWord, ...]) -> ast.Turns:
        said: dict[str, ast.Expr | None] = {}
        for at, (word, value, place, _) in enumerate(words):
            if word in said:
                self._report_said_twice(word, words[at - 1], words[at])
            if word == "except" and not once:
                hint = message("`except` goes with `one turn each`; here write `skipping player = …`")
                instead = Edit(place.start, place.start + len(word), "skipping player =")
                self.report("misplaced-except", message("`turns` cannot leave a player out"), place, hint, instead)
            if word == "next" and once and value is not None and not is_to_the_right(value):
                hint = message("write `turns from … , next …`, and `until` when they are over")
                self.report("misplaced-next", message("`one turn each` already goes round the table"), place, hint)
            said[word] = value
        return ast.Turns(
            once, start, said.get("except"), said.get("skipping"), said.get("until"), (), said.get("next"),
            said.get("at most"), next((without for word, *_, without in words if word == "at most"), ()), span=span,
        )  # fmt: skip

    def _report_said_twice(self, word: str, before: LoopWord, again: LoopWord) -> None:
        """`until` and `skipping` can be joined where they stand side by side."""
        sentence, place = message("`{word}` is written twice", word=word), again[2]
        if word not in ("until", "skipping"):
            hint, edits = message("remove one of the two"), (Edit(before[2].end, place.end, ""),)
            self.report("said-twice", sentence, place, hint, *edits)
            return
        first, second = before[1], again[1]
        joined: tuple[Edit, ...] = ()
        if before[0] == word and first is not None and second is not None:
            joined = (
                Edit(first.span.start, first.span.start, "("), Edit(first.span.end, second.span.start, ") or ("),
                Edit(second.span.end, second.span.end, ")"),
            )  # fmt: skip
        self.report("said-twice", sentence, place, message("join the two with `or`"), *joined)

    def repeat_times(self, span: Span, times: ast.Expr) -> ast.Repeat:
        return ast.Repeat(times, None, (), span=span)

    def repeat_until(self, span: Span, until: ast.Expr) -> ast.Repeat:
        return ast.Repeat(None, until, (), span=span)

    def except_word(self, span: Span, value: ast.Expr) -> LoopWord:
        return ("except", value, span, ())

    def next_word(self, span: Span, _: Token, value: ast.Expr) -> LoopWord:
        return ("next", value, span, ())

    def side_word(self, span: Span, side: Token) -> LoopWord:
        """To the left is where turns go when nothing is said."""
        return ("next", make_right_of_player(span) if "right" in side else None, span, ())

    def skipping_word(self, span: Span, value: ast.Expr) -> LoopWord:
        return ("skipping", value, span, ())

    def until_word(self, span: Span, value: ast.Expr) -> LoopWord:
        return ("until", value, span, ())

    def limit_word(self, span: Span, _: Token, value: ast.Expr, without: tuple[ast.Name, ...] | None) -> LoopWord:
        return ("at most", value, span, without or ())

    def order(self, span: Span, words: Token, key: ast.Expr) -> ast.Order:
        return ast.Order("reverse" in words, key, span=span)

    def target(self, span: Span, place: ast.Expr) -> ast.Expr:
        return place

    def target_of(self, span: Span, place: ast.Expr, owner: ast.Expr) -> ast.Of:
        return ast.Of(place, owner, span=span)

    def action_names(self, span: Span, *names: ast.Name) -> tuple[ast.Name, ...]:
        return names

    def sums(self, span: Span, *values: ast.Expr) -> tuple[ast.Expr, ...]:
        return values


def unquote_token(token: Token) -> str:
    """What stands between the quotes."""
    return str(token)[1:-1]
