"""Lark's tree of a statement → a node, still without what stands below it. One method for each rule, in order; none
for a rule that has the name of its node and the same parts.
"""

from __future__ import annotations

from re import sub
from typing import Any, get_args

from lark import Token, Tree
from lark.tree import Meta

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import is_to_the_right, make_right_of_player, wrap_single_value
from rulesrun.dsl.diagnostics.diagnostic import Diagnostic, Edit
from rulesrun.dsl.text.keywords import RESERVED
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.text.source import Source, Span

# ---- to ast expressions
# Lark's tree of an expression or a type → nodes. One method for each rule, in the grammar's order.


LARGEST_NUMBER = 10**15
NO_WORDS = ("none", "null", "nobody", "nil")  # and `no`
# By the name of the rule: `count_points` is the rule of `CountPoints`.
PLAIN_STATEMENTS: dict[str, Any] = {
    sub(r"(?<=.)([A-Z])", r"_\1", one.__name__).lower(): one for one in get_args(ast.Statement)
}


class ExpressionsToAst:
    """Children are converted first, so each method gets nodes, and tokens where the grammar keeps a word."""

    def __init__(self, source: Source) -> None:
        self.file = source.file
        self.text = source.text
        self.diagnostics: list[Diagnostic] = []
        self.refused_names: set[str] = set()

    def convert_tree(self, tree: Tree[Token]) -> Any:
        children = [self.convert_tree(child) if isinstance(child, Tree) else child for child in tree.children]
        convert = getattr(self, tree.data, None)
        if convert is None:  # a statement whose parts are those of its node
            return PLAIN_STATEMENTS[tree.data](*children, span=self.span(tree.meta))
        return convert(self.span(tree.meta), *children)

    def span(self, meta: Meta | Token) -> Span:
        return Span(self.file, getattr(meta, "start_pos", 0) or 0, getattr(meta, "end_pos", 0) or 0)

    def report(self, code: str, sentence: str, span: Span, hint: str | None = None, *edits: Edit) -> None:
        self.diagnostics.append(Diagnostic(code, sentence, span, hint, edits=edits))

    # ---- types

    def words_type(self, span: Span, *words: ast.Name) -> ast.WordsType:
        return ast.WordsType(words, span=span)

    def words_or_player_type(self, span: Span, *words: ast.Name) -> ast.WordsType:
        return ast.WordsType(words, True, span=span)

    def optional(self, span: Span, item: ast.TypeExpr) -> ast.Optional:
        return ast.Optional(item, span=span)

    def either_type(self, span: Span, *names: ast.Name | ast.Nothing | ast.Truth) -> ast.TypeExpr:
        """`Card or Coin`, `Colour or nothing`, `Card or Coin or nothing`."""
        kinds = tuple(one for one in names if isinstance(one, ast.Name))
        self._refuse_other_words(span, names)
        whole = Span(span.file, kinds[0].span.start, kinds[-1].span.end)
        found: ast.TypeExpr = ast.EitherType(kinds, span=whole)
        if len(kinds) == 1:
            found = ast.NamedType(kinds[0], span=whole)
        return found if isinstance(names[-1], ast.Name) else ast.Optional(found, span=span)

    def _refuse_other_words(self, span: Span, names: tuple[ast.Name | ast.Nothing | ast.Truth, ...]) -> None:
        """`true or false`, `Colour or no`, `nothing` where more follows."""
        first, last = (getattr(one, "text", "") for one in (names[0], names[-1]))
        if {first, last} == {"true", "false"}:
            hint, edit = message("write `yes or no`"), Edit(span.start, span.end, "yes or no")
            sentence = message("`{first} or {last}` is not a type", first=first, last=last)
            self.report("wrong-word", sentence, span, hint, edit)
        for one in names:
            is_no = isinstance(one, ast.Truth) or getattr(one, "text", "").casefold() in NO_WORDS
            if is_no:
                hint, edit = message("write `or nothing`"), Edit(one.span.start, one.span.end, "nothing")
                found = self.text[one.span.start : one.span.end]
                self.report("wrong-word", message("`{found}` cannot stand here", found=found), one.span, hint, edit)
        for one in names[:-1]:
            if isinstance(one, ast.Nothing):
                self.report("unexpected-word", message("`or nothing` comes last"), one.span)

    def listed_type(self, span: Span, *digits: Token) -> ast.RangeType:
        """Written in any order, they are in theirs."""
        numbers = [self.number(Span(span.file, span.start, span.end), one) for one in digits]
        values = tuple(sorted({one.value for one in numbers}))
        low, high = (ast.Number(value, span=span) for value in (values[0], values[-1]))
        return ast.RangeType(low, high, values if len(values) > 1 else (), span=span)

    def range_type(self, span: Span, values: ast.Range) -> ast.RangeType:
        return ast.RangeType(values.low, values.high, span=span)

    def named_type(self, span: Span, name: ast.Name) -> ast.NamedType:
        return ast.NamedType(name, span=span)

    def truth_type(self, span: Span, yes: Token, no: Token) -> ast.TruthType:
        return ast.TruthType(span=span)

    def player_type(self, span: Span) -> ast.PlayerType:
        return ast.PlayerType(span=span)

    def order_type(self, span: Span, word: Token, item: ast.TypeExpr) -> ast.OrderType:
        return ast.OrderType(item, span=span)

    def set_type(self, span: Span, words: Token, item: ast.TypeExpr) -> ast.SetType:
        return ast.SetType(item, span=span)

    def set_of_either(self, span: Span, words: Token, *kinds: ast.Name) -> ast.SetType:
        whole = Span(span.file, kinds[0].span.start, kinds[-1].span.end)
        return ast.SetType(ast.EitherType(kinds, span=whole), span=span)

    def row_type(self, span: Span, word: Token, item: ast.TypeExpr, up_to: Token, capacity: ast.Expr) -> ast.RowType:
        return ast.RowType(item, capacity, span=span)

    # ---- literals

    def literals(self, span: Span, *items: ast.Literal) -> tuple[ast.Literal, ...]:
        return items

    def literal(self, span: Span, *parts: ast.Expr) -> ast.Literal:
        return ast.Literal(parts, span=span)

    def negative(self, span: Span, minus: Token, digits: Token) -> ast.Negate:
        return ast.Negate(self.number(self.span(digits), digits), span=span)

    # ---- expressions, the weakest first

    def filter(self, span: Span, collection: ast.Expr, condition: ast.Expr) -> ast.Filter:
        return ast.Filter(collection, condition, span=span)

    def combinations(
        self, span: Span, words: Token, count: ast.RangeType, collection: ast.Expr
    ) -> ast.Combinations:
        return ast.Combinations(count.low, count.high, collection, span=span)

    def range(self, span: Span, low: ast.Expr, dots: Token, high: ast.Expr) -> ast.Range:
        return ast.Range(low, high, span=span)

    def any_of(self, span: Span, *parts: ast.Expr) -> ast.Or:
        return ast.Or(parts, span=span)

    def all_of(self, span: Span, *parts: ast.Expr) -> ast.And:
        return ast.And(parts, span=span)

    def negated(self, span: Span, value: ast.Expr) -> ast.Not:
        return ast.Not(value, span=span)

    def if_else(self, span: Span, condition: ast.Expr, then: ast.Expr, otherwise: ast.Expr) -> ast.IfElse:
        return ast.IfElse(condition, then, otherwise, span=span)

    def quantified(
        self, span: Span, word: Token, name: ast.Name, collection: ast.Expr, body: ast.Expr
    ) -> ast.Quantified:
        return ast.Quantified(str(word), self._make_each(name, collection), body, span=span)

    def line_in(
        self, span: Span, word: Token, line: Token, length: ast.Expr, board: ast.Name, body: ast.Expr
    ) -> ast.Quantified:
        return self._make_line(span, word, line, "lines", (board, length), body)

    def line_through(
        self, span: Span, word: Token, line: Token, length: ast.Expr, place: ast.Expr, body: ast.Expr
    ) -> ast.Quantified:
        return self._make_line(span, word, line, "lines_through", (place, length), body)

    def _make_line(
        self, span: Span, word: Token, line: Token, called: str, arguments: tuple[ast.Expr, ...], body: ast.Expr
    ) -> ast.Quantified:
        """`some line of 3 in Square has …`: some of `lines(Square, 3)`, of which it holds for every place."""
        at = self.span(line)
        lines = ast.Call(ast.Name(called, span=at), arguments, span=at)
        places = ast.Each(None, ast.Name("it", span=at), span=at)
        whole = ast.Quantified("every", places, body, span=body.span)
        return ast.Quantified(str(word), ast.Each(None, lines, span=at), whole, span=span)

    def equals(self, span: Span, left: ast.Expr, right: ast.Expr) -> ast.Compare:
        self._require_closed(left)
        return ast.Compare("=", left, right, span=span)

    def compare(self, span: Span, left: ast.Expr, operator: Token, right: ast.Expr) -> ast.Compare:
        self._require_closed(left)
        return ast.Compare(str(operator), left, right, span=span)

    def is_nothing(self, span: Span, left: ast.Expr) -> ast.Compare:
        self._require_closed(left)
        word = Span(self.file, span.end - len("nothing"), span.end)
        return ast.Compare("=", left, ast.Nothing(span=word), span=span)

    def is_not(self, span: Span, left: ast.Expr, right: ast.Expr) -> ast.Compare:
        self._require_closed(left)
        return ast.Compare(message("is not"), left, right, span=span)

    def is_empty(self, span: Span, collection: ast.Expr) -> ast.IsEmpty:
        self._require_closed(collection)
        return ast.IsEmpty(collection, False, span=span)

    def is_not_empty(self, span: Span, collection: ast.Expr) -> ast.IsEmpty:
        self._require_closed(collection)
        return ast.IsEmpty(collection, True, span=span)

    def is_in(self, span: Span, item: ast.Expr, collection: ast.Expr) -> ast.In:
        self._require_closed(item)
        return ast.In(item, collection, False, span=span)

    def is_not_in(self, span: Span, item: ast.Expr, collection: ast.Expr) -> ast.In:
        self._require_closed(item)
        return ast.In(item, collection, True, span=span)

    def is_kind(self, span: Span, item: ast.Expr, words: Token, kind: ast.Name) -> ast.In:
        self._require_closed(item)
        return ast.In(item, kind, "not" in words.split(), True, span=span)

    def joined(self, span: Span, *parts: ast.Expr) -> ast.Joined:
        return ast.Joined(parts, span=span)

    def arithmetic(self, span: Span, left: ast.Expr, operator: Token, right: ast.Expr) -> ast.Arithmetic:
        return ast.Arithmetic(str(operator), left, right, span=span)

    def negate(self, span: Span, minus: Token, value: ast.Expr) -> ast.Negate:
        return ast.Negate(value, span=span)

    def of(self, span: Span, subject: ast.Expr, owner: ast.Expr) -> ast.Of:
        return ast.Of(subject, owner, span=span)

    def of_component(self, span: Span, subject: ast.Expr, *parts: ast.Expr) -> ast.Of:
        """`told of (red 3)`."""
        at = Span(span.file, parts[0].span.start, parts[-1].span.end)
        return ast.Of(subject, ast.Literal(parts, span=at), span=span)

    def of_word(self, span: Span, word: Token, owner: ast.Expr) -> ast.Of:
        return ast.Of(ast.Name(str(word), span=self.span(word)), owner, span=span)

    def aggregate(
        self, span: Span, word: Token, distinct: Token | None, body: ast.Expr, each: ast.Each
    ) -> ast.Aggregate:
        if isinstance(each.collection, ast.Arithmetic):
            hint = message(
                "put brackets around the whole: `({word} of … over …) {operator} …`",
                word=word,
                operator=each.collection.operator,
            )
            self.report("missing-brackets", message(
                "`over` takes in everything that follows"
            ), each.collection.span, hint)
        return ast.Aggregate(str(word), distinct is not None, body, each, span=span)

    def item(self, span: Span, position: ast.Expr, collection: ast.Expr) -> ast.Item:
        return ast.Item(position, collection, span=span)

    def best(
        self, span: Span, word: Token, name: ast.Name, collection: ast.Expr, direction: Token | None,
        key: ast.Expr | None,
    ) -> ast.Best:  # fmt: skip
        """Without `with` it is the only one."""
        each = self._make_each(name, collection)
        if direction is not None and key is not None:
            return ast.Best(str(word), each, str(direction), key, span=span)
        if word == "those":
            sentence = message("`those` needs a choice: with the highest, the lowest …")
            hint = message("for all that satisfy a condition, write `… where …`")
            self.report("unfinished-line", sentence, span, hint)
        return ast.Best("the", each, "only", ast.Number(1, span=span), span=span)

    def best_called_first(
        self, span: Span, word: Token, collection: ast.Expr, direction: Token | None, key: ast.Expr | None
    ) -> ast.Best:
        """`the first in hand with …`: the element is called so."""
        start = span.start + len(word) - len("first")
        name = ast.Name("first", span=Span(span.file, start, start + len("first")))
        return self.best(span, Token("BEST", "the"), name, collection, direction, key)

    def first_from(
        self, span: Span, words: Token, name: ast.Name, start: ast.Expr, condition: ast.Expr | None
    ) -> ast.Best:
        """The one who sits nearest, clockwise."""
        players: ast.Expr = ast.Name("players", span=name.span)
        if condition is not None:
            players = ast.Filter(players, condition, span=Span(span.file, name.span.start, condition.span.end))
        key = ast.Call(ast.Name("seats_from", span=start.span), (start, name), span=start.span)
        return ast.Best("the", self._make_each(name, players), "lowest", key, span=span)

    def named_element(self, span: Span, name: ast.Name, collection: ast.Expr) -> ast.Each:
        return self._make_each(name, collection)

    def unnamed_element(self, span: Span, collection: ast.Expr) -> ast.Each:
        return ast.Each(None, collection, span=span)

    def number(self, span: Span, digits: Token) -> ast.Number:
        value = int(digits) if len(digits) < len(str(LARGEST_NUMBER)) else LARGEST_NUMBER
        if value == LARGEST_NUMBER:
            self.report(
                "number-too-large",
                message("this number is too large"),
                span,
                message("the largest is {largest_number}", largest_number=LARGEST_NUMBER - 1),
            )
        return ast.Number(value, span=span)

    def yes(self, span: Span, word: Token) -> ast.Truth:
        return ast.Truth(True, span=span)

    def no(self, span: Span, word: Token) -> ast.Truth:
        return ast.Truth(False, span=span)

    def nothing(self, span: Span) -> ast.Nothing:
        return ast.Nothing(span=span)

    def call(self, span: Span, name: ast.Name, arguments: tuple[ast.Expr, ...]) -> ast.Call:
        return ast.Call(name, arguments, span=span)

    def can(self, span: Span, word: Token, action: ast.Name) -> ast.Can:
        return ast.Can(action, span=span)

    def before(self, span: Span, value: ast.Expr) -> ast.Before:
        return ast.Before(value, span=span)

    def index(self, span: Span, name: ast.Name, keys: tuple[ast.Expr, ...]) -> ast.Index:
        return ast.Index(name, keys, span=span)

    def arguments(self, span: Span, *values: ast.Expr) -> tuple[ast.Expr, ...]:
        return values

    def set(self, span: Span, *items: ast.Expr | None) -> ast.SetOf:
        return ast.SetOf(tuple(self._make_element(item) for item in items if item is not None), span=span)

    def name(self, span: Span, token: Token) -> ast.Name:
        if token in RESERVED and token not in self.refused_names:
            self.refused_names.add(str(token))
            hint = message("choose another name, or add another word to it, as in `first_count`")
            self.report(
                "reserved-word",
                message("`{token}` is a word of the language and cannot be a name", token=token),
                span,
                hint,
            )
        return ast.Name(str(token), span=span)

    def _make_each(self, name: ast.Name, collection: ast.Expr) -> ast.Each:
        return ast.Each(name, collection, span=Span(self.file, name.span.start, collection.span.end))

    def _require_closed(self, left: ast.Expr) -> None:
        """`where` reaches as far as it can, so a comparison cannot follow one without brackets."""
        end = left.span.end
        last: ast.Expr | None = left
        while last is not None and last.span.end == end:
            if isinstance(last, ast.Filter) and not self.text[end:].lstrip().startswith(")"):
                hint = message("put brackets around it: `(count of … where …) >= …`")
                self.report("missing-brackets", message("`where` reaches to the end of the line"), last.span, hint)
            last = _last_part(last)

    def _make_element(self, item: ast.Expr) -> ast.Literal:
        return item if isinstance(item, ast.Literal) else ast.Literal((item,), span=item.span)


def _last_part(expression: ast.Expr) -> ast.Expr | None:
    """Where a `where` could hide at the end of what a comparison starts with."""
    match expression:
        case ast.Arithmetic(right=last) | ast.Of(owner=last) | ast.Negate(value=last) | ast.Item(collection=last):
            return last
        case ast.Aggregate(each=each):
            return each.collection
        case _:
            return None


# ---- to ast statements


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
