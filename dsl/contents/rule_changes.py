"""What a house rule says otherwise than its base, and what would have to happen at a table that says anything of it.

Takes the base and the game; gives the pieces that were changed, and for the rules of a table what each of them asks of
the games played there: a definition that is asked for, an entry that is looked up, a range whose new end is come to.
A kind of piece that is not named here is never met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from difflib import SequenceMatcher
from typing import Any

import attrs
from attrs import evolve, frozen

from rulesrun.dsl import ast
from rulesrun.dsl.ast.footprint import footprint_of
from rulesrun.dsl.ast.pieces import PieceKey, key_of, kind_of
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.check import check_game
from rulesrun.dsl.contents.rule_parts import CONDITION, DONE, FIXED, VALUE, find_helpers_in_use, parts_of_piece
from rulesrun.dsl.expansion.rewriting import replace_nodes
from rulesrun.dsl.expansion.step_calls import is_pattern
from rulesrun.dsl.text.source import Located, Span
from rulesrun.dsl.typing.program import Program
from rulesrun.dsl.variants.differences import changed_pieces, find_differences

# ---- removed rules
# What a house rule leaves out of its base, and the base at the sizes of a small table.
#
# A small table of which every position was looked at proves nothing of a rule that is gone, where the base would never
# have followed that rule there. So the base is made as small, for whoever plays it; then games must follow what is
# left out.


ENDINGS = ast.Rounds | ast.Ranking | ast.Result

Pieces = Mapping[PieceKey, ast.AnyDeclaration]


@frozen(eq=False)
class RemovedRule:
    """`node`: a statement, an action, a phase or the value of a score line, as the base says it."""

    node: ast.Node
    what: str
    span: Span


def list_removed_rules(base: ast.Game, game: ast.Game) -> Iterator[RemovedRule]:
    now = pieces_by_key(game)
    actions = {one.name.text: one for one in base.actions}
    for piece in base.declarations:
        key = key_of(piece)
        if key is None:
            continue
        new = now.get(key)
        what = f"{kind_of(piece)} {key.name}".strip()
        if new is None:
            yield from removed_with_piece(piece, what)
        elif repr(piece) != repr(new):
            yield from lines_removed(piece, new, what, counted_lines(new), actions)


def pieces_by_key(game: ast.Game) -> dict[PieceKey, ast.AnyDeclaration]:
    return {key: piece for piece in game.declarations if (key := key_of(piece)) is not None}


def removed_with_piece(piece: ast.AnyDeclaration, what: str) -> Iterator[RemovedRule]:
    """Of a piece that is gone. Steps, definitions and what holds something are missed by what asked for them, which is
    gone or changed too."""
    match piece:
        case ast.Phase() | ast.Action():
            yield RemovedRule(piece, what, piece.name.span)
        case ast.Setup():
            yield from (removed_line(one, what) for one in effects_of(piece.body))
        case ast.Score():
            yield from (RemovedRule(one.value, what, one.name.span) for one in piece.lines)
        case (
            ast.Step() | ast.Define() | ast.Table() | ast.Components() | ast.Option() | ast.Zone() | ast.Variable()
            | ast.Memory() | ast.Values() | ast.Players() | ast.Teams() | ast.Title() | ast.Figure() | ast.Property()
            | ast.Example() | ast.Small() | ast.Persona() | ast.Words()
        ):  # fmt: skip
            return
        case _:  # how a game ends; of another kind nothing is known
            yield RemovedRule(piece, what, piece.span)


def counted_lines(piece: ast.Node) -> Counter[str]:
    return Counter(repr(node) for node in walk(piece) if isinstance(node, ast.Statement | ast.ScoreLine))


def lines_removed(
    old: ast.Node, new: ast.Node, what: str, kept: Counter[str], actions: Mapping[str, ast.Action]
) -> Iterator[RemovedRule]:
    """`kept`: the lines of the new piece; one that stands elsewhere in it is not left out."""
    if type(old) is not type(new) or repr(old) == repr(new):
        return
    if isinstance(old, ast.Choose) and isinstance(new, ast.Choose):
        names = {one.text for one in new.actions}
        for name in old.actions:
            if name.text not in names and name.text in actions:
                yield RemovedRule(actions[name.text], what, name.span)
    for name in (one.name for one in attrs.fields(type(new)) if one.name != "span"):
        before, now = getattr(old, name), getattr(new, name)
        if isinstance(before, tuple) and isinstance(now, tuple):
            for one in lines_without_counterpart(before, now):
                yield from (line for line in rules_of_line(one, what) if not kept[repr(line_of_rule(line, one))])
            for first, second in paired_lines(before, now):
                yield from lines_removed(first, second, what, kept, actions)
        elif isinstance(before, ast.Node) and isinstance(now, ast.Node):
            yield from lines_removed(before, now, what, kept, actions)


def lines_without_counterpart(old: Sequence[Any], new: Sequence[Any]) -> Iterator[ast.Node]:
    for first, last, begin, end in differing_stretches(old, new):
        if last - first > end - begin:
            yield from (one for one in old[first:last] if isinstance(one, ast.Statement | ast.Branch | ast.ScoreLine))


def paired_lines(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[ast.Node, ast.Node]]:
    for first, last, begin, end in differing_stretches(old, new):
        if last - first == end - begin:
            pairs = zip(old[first:last], new[begin:end], strict=True)
            yield from ((one, two) for one, two in pairs if isinstance(one, ast.Node) and isinstance(two, ast.Node))


def differing_stretches(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int, int, int, int]]:
    matcher = SequenceMatcher(None, [repr(one) for one in old], [repr(one) for one in new], autojunk=False)
    yield from ((first, last, begin, end) for word, first, last, begin, end in matcher.get_opcodes() if word != "equal")


def rules_of_line(line: ast.Node, what: str) -> Iterator[RemovedRule]:
    if isinstance(line, ast.ScoreLine):
        yield RemovedRule(line.value, what, line.name.span)
        return
    yield from (removed_line(one, what) for one in effects_of((line,)))


def line_of_rule(rule: RemovedRule, line: ast.Node) -> ast.Node:
    return line if isinstance(line, ast.ScoreLine) else rule.node


def removed_line(node: ast.Node, what: str) -> RemovedRule:
    return RemovedRule(node, what, node.span)


def effects_of(lines: Iterable[ast.Node]) -> Iterator[ast.Node]:
    """The innermost statements: what they stand in only says whether, and how often."""
    for line in lines:
        inside = [node for node in walk(line) if isinstance(node, ast.Statement) and node is not line]
        if inside:
            yield from (node for node in inside if not any(isinstance(one, ast.Statement) for one in parts_below(node)))
        elif isinstance(line, ast.Statement):
            yield line


def parts_below(node: ast.Node) -> Iterator[ast.Node]:
    return (one for one in walk(node) if one is not node)


# ---- the base at a small table


@frozen(eq=False)
class SmallBase:
    """The base where a table of the game is small, and where everything stands that games may follow. `parts`: by the
    identity of a part; `roles`: how that is noticed, but for what is done; `endings`: followed when a game is over."""

    program: Program
    roles: Mapping[int, str]
    parts: Mapping[int, Span]
    endings: tuple[Span, ...]

    def choose_options(self, options: Mapping[str, object]) -> dict[str, object]:
        """Those that the base has, too."""
        known = {one.name.text for one in self.program.game.options}
        return {name: value for name, value in options.items() if name in known}


def make_small_base(here: Program, base: ast.Game, game: ast.Game) -> SmallBase | None:
    """`here`: the rules of the small table; `base`: in the words of the game. None where the base is no rules there."""
    changed = evolve(base, declarations=base_at_table(here, base, game), smalls=())
    program = check_game(changed, here.sources)
    if not isinstance(program, Program):
        return None
    parts = [part for piece in program.game.declarations for part in parts_of_piece(program, piece)]
    roles = {id(part.node): part.role for part in parts if part.role != DONE}
    places = {id(part.node): part.node.span for part in parts}
    endings = tuple(piece.span for piece in program.game.declarations if isinstance(piece, ENDINGS))
    return SmallBase(program, roles, places, endings)


def base_at_table(small: Program, base: ast.Game, game: ast.Game) -> tuple[ast.AnyDeclaration, ...]:
    """The pieces of the base; in the place of those that the table words anew, and added to them, the table's own."""
    here, whole = pieces_by_key(small.written), pieces_by_key(game)
    old = pieces_by_key(base)
    kept: list[ast.AnyDeclaration] = []
    for piece in base.declarations:
        key = key_of(piece)
        if isinstance(piece, ast.Example | ast.Words | ast.Small | ast.Property):
            continue
        if key is None:
            kept.append(piece)
        elif key in here and (key not in whole or repr(here[key]) != repr(whole[key])):
            kept.append(with_lines_of_base(here[key], whole.get(key), piece))
        else:
            kept.append(piece)
    kept += [piece for key, piece in here.items() if key not in old and key not in whole]
    return tuple(kept)


def with_lines_of_base(
    own: ast.AnyDeclaration, new: ast.AnyDeclaration | None, old: ast.AnyDeclaration
) -> ast.AnyDeclaration:
    """Of a phase, a small table may say how often alone; what happens in it stays that of the base."""
    match own, new, old:
        case ast.Phase(), ast.Phase(), ast.Phase() if repr(own.body) == repr(new.body):
            return evolve(own, body=old.body)
        case _:
            return own


# ---- changed expressions
# Expressions that a house rule words otherwise than its base, and the rules in which both are asked in one place.
#
# `needs rank of given < 15` instead of `< 14` is the same rule where ranks go to seven: that table proves nothing of
# it. So rules are made that ask both, in the place of the one that was changed, for whoever plays them. Where the
# words of the base mean nothing at a table, there are no such rules.


UNWRITTEN = {  # what holds where such a condition is not written
    (ast.Phase, "when"): True, (ast.Turns, "skipping"): False, (ast.Turns, "until"): False,
    (ast.Repeat, "until"): False, (ast.Rounds, "until"): False, (ast.Criterion, "when"): True,
    (ast.Deal, "condition"): True, (ast.Choose, "condition"): True, (ast.EachPlayer, "condition"): True,
    (ast.Branch, "condition"): True,
}  # fmt: skip


@frozen(eq=False)
class ChangedExpression:
    """`parent`, `field`, `number`: where the new one stands, in a tuple at that number. `lines`: those of the base
    under the old one; before that number the question is asked in an `if` of its own, whose lines are never done."""

    old: ast.Expr
    new: ast.Expr
    parent: ast.Node
    field: str
    number: int | None = None
    lines: tuple[ast.Statement, ...] = ()

    def put_in_place(self, piece: ast.AnyDeclaration, put: ast.Expr) -> ast.AnyDeclaration:
        def change(node: ast.Node) -> ast.Node:
            if node is not self.parent:
                return node
            value: Any = put
            if self.field == "needs":
                value = (ast.Needs(put, None, span=put.span),)
            elif self.lines and self.number is not None:
                asked = ast.Not(put, span=put.span) if repr(self.new) == repr(say(True, put)) else put
                question = ast.If((ast.Branch(asked, self.lines, span=put.span),), span=put.span)
                before = getattr(node, self.field)
                value = (*before[: self.number], question, *before[self.number :])
            elif self.number is not None:
                parts = getattr(node, self.field)
                value = (*parts[: self.number], put, *parts[self.number + 1 :])
            return evolve(node, **{self.field: value})

        changed: ast.AnyDeclaration = replace_nodes(piece, change)
        return changed


def find_changed_expressions(old: ast.Node, new: ast.Node) -> Iterator[ChangedExpression]:
    """As whole as they stand in a line of the rules. Lines that only one of the two has are no expressions."""
    if type(old) is not type(new) or repr(old) == repr(new):
        return
    for name in (one.name for one in attrs.fields(type(new)) if one.name not in {"span", "notes", "name"}):
        before, now = getattr(old, name), getattr(new, name)
        if repr(before) == repr(now) or is_acted_on(new, name):
            continue
        if name == "needs":
            yield from compare_needs(before, now, new)
        elif isinstance(now, tuple) and isinstance(before, tuple):
            for first, second in pair_parts(before, now):
                yield from compare_parts(before[first], now[second], new, name, second)
            yield from find_new_conditions(before, now)
            yield from find_lost_conditions(before, now, new, name)
        else:
            yield from compare_parts(before, now, new, name, None)


def is_acted_on(node: ast.Node, name: str) -> bool:
    """Whether this part names what is acted on: acted on another one, the rule is another one."""
    if not isinstance(node, ast.Statement):
        return isinstance(node, ast.Entry) and name == "keys"
    done, part = footprint_of(node), getattr(node, name)
    places = (*done.writes, *done.puts, *done.mixes, *(done.takes if done.mixes or done.draws else ()))
    return any(part is place for place in places)


def compare_parts(old: Any, new: Any, parent: ast.Node, name: str, number: int | None) -> Iterator[ChangedExpression]:
    unwritten = UNWRITTEN.get((type(parent), name))
    if unwritten is not None:
        old = ast.Truth(unwritten, span=parent.span) if old is None else old
        new = ast.Truth(unwritten, span=parent.span) if new is None else new
    if isinstance(old, ast.Expr) and isinstance(new, ast.Expr):
        yield ChangedExpression(old, new, parent, name, number)
    elif isinstance(old, ast.Node) and isinstance(new, ast.Node):
        yield from find_changed_expressions(old, new)


def compare_needs(old: Sequence[ast.Needs], new: Sequence[ast.Needs], action: ast.Node) -> Iterator[ChangedExpression]:
    """What an action needs is needed together, in whatever lines it stands."""
    wholes = [
        ast.And(tuple(one.condition for one in (*needs, *[always_met(action)] * (2 - len(needs)))), span=action.span)
        for needs in (old, new)
    ]
    if repr([one.condition for one in old]) != repr([one.condition for one in new]):
        yield ChangedExpression(wholes[0], evolve(wholes[1], span=span_of_needs(old, new, action)), action, "needs")


def always_met(action: ast.Node) -> ast.Needs:
    return ast.Needs(ast.Truth(True, span=action.span), None, span=action.span)


def span_of_needs(old: Sequence[ast.Needs], new: Sequence[ast.Needs], action: ast.Node) -> Span:
    """The first one that the base does not have."""
    known = {repr(one.condition) for one in old}
    return next((one.condition.span for one in new if repr(one.condition) not in known), action.span)


def pair_parts(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """What stands for what: as many in the place of as many."""
    matcher = SequenceMatcher(None, [repr(one) for one in old], [repr(one) for one in new], autojunk=False)
    for word, first, last, begin, end in matcher.get_opcodes():
        if word == "replace" and last - first == end - begin:
            yield from zip(range(first, last), range(begin, end), strict=True)


def find_new_conditions(old: Sequence[Any], new: Sequence[Any]) -> Iterator[ChangedExpression]:
    """An `if` around lines that the base carries out always."""
    known = [repr(one) for one in old]
    for one in new:
        if isinstance(one, ast.If) and len(one.branches) == 1 and repr(one) not in known:
            branch = one.branches[0]
            inside = [repr(line) for line in branch.body]
            if branch.condition is not None and find_lines(known, inside) is not None:
                yield ChangedExpression(say(True, branch), branch.condition, branch, "condition")


def find_lost_conditions(
    old: Sequence[Any], new: Sequence[Any], parent: ast.Node, name: str
) -> Iterator[ChangedExpression]:
    """An `if` of the base whose lines are done always, or that is gone with its lines."""
    if not any(isinstance(one, ast.If) for one in old):
        return
    known = [repr(one) for one in new]
    matcher = SequenceMatcher(None, [repr(one) for one in old], known, autojunk=False)
    for word, first, last, begin, end in matcher.get_opcodes():
        if word not in {"delete", "replace"} or any(isinstance(one, ast.If) for one in new[begin:end]):
            continue  # an `if` in its place is compared with it
        for one in old[first:last]:
            if isinstance(one, ast.If) and len(one.branches) == 1 and one.branches[0].condition is not None:
                branch = one.branches[0]
                at = find_lines(known, [repr(line) for line in branch.body])
                truth = say(at is not None, new[begin] if begin < len(new) else parent)
                put = begin if at is None else at
                yield ChangedExpression(one.branches[0].condition, truth, parent, name, put, branch.body)


def find_lines(known: Sequence[str], inside: Sequence[str]) -> int | None:
    starts = range(len(known) - len(inside) + 1)
    return next((at for at in starts if list(known[at : at + len(inside)]) == list(inside)), None)


def say(truth: bool, where: ast.Node) -> ast.Truth:
    return ast.Truth(truth, span=where.span)


# ---- both in one place


@frozen(eq=False)
class Comparison:
    """A change as it stands in the rules of one table, `number` among those of its piece. `piece`: the one that stands
    for the new one there; what a small table words anew itself is not the house rule's."""

    number: int
    program: Program
    piece: ast.AnyDeclaration
    changed: ChangedExpression

    def ask_both(self) -> BothAsked | None:
        """None where the words of the base mean nothing."""
        asked = ask_both(self.changed)
        program = check_with(self.program, self.piece, self.changed, asked)
        return BothAsked(program, asked.condition) if program is not None else None

    def split(self) -> list[Comparison]:
        """What cannot be compared as a whole, as a collection, is compared in the parts in which it differs."""
        changed = self.changed
        if changed.field == "needs" or check_with(self.program, self.piece, changed, changed.old) is None:
            return []
        return [evolve(self, changed=part) for part in find_changed_expressions(changed.old, changed.new)]


@frozen(eq=False)
class BothAsked:
    """Rules that ask, wherever the new expression is asked for, whether the old one is the same. `question`: what
    says so."""

    program: Program
    question: Located


def compare_in(
    program: Program, old: ast.AnyDeclaration, new: ast.AnyDeclaration, own: ast.AnyDeclaration
) -> Iterator[Comparison]:
    """The changes of a piece that stand in these rules, with the numbers that they have in the whole rules."""
    here, is_alike = list_compared(old, own), repr(own) == repr(new)
    for number, one in enumerate(list_compared(old, new)):
        same = here[number : number + 1] if is_alike else [each for each in here if each.new.span == one.new.span]
        yield from (Comparison(number, program, own, each) for each in same)


def list_compared(old: ast.AnyDeclaration, new: ast.AnyDeclaration) -> list[ChangedExpression]:
    """Of components, the rules that stand in their rows: the other cells say which components there are."""
    if isinstance(new, ast.Components):
        columns = {
            number for number, one in enumerate(new.attributes) if one.type is None and one.value is None
        }
        return [one for one in find_changed_expressions(old, new) if one.field == "cells" and one.number in columns]
    return list(find_changed_expressions(old, new))


def ask_both(changed: ChangedExpression) -> ast.IfElse:
    """The new expression, and before it the question whether the old one is the same."""
    new, span = changed.new, changed.new.span
    asked = ast.Compare("=", deepcopy(new), deepcopy(changed.old), span=span)
    return ast.IfElse(asked, deepcopy(new), deepcopy(new), span=span)


def check_with(
    program: Program, piece: ast.AnyDeclaration, changed: ChangedExpression, put: ast.Expr
) -> Program | None:
    """The rules with another expression in that place; None where it means nothing there."""
    own = changed.put_in_place(piece, put)
    declarations = tuple(own if one is piece else one for one in program.game.declarations)
    patterns = tuple(one for one in program.written.declarations if is_pattern(one))
    checked = check_game(evolve(program.game, declarations=(*declarations, *patterns)), program.sources)
    return checked if isinstance(checked, Program) else None


# ---- rule changes


COMPARED = (
    ast.Setup | ast.Phase | ast.Step | ast.Action | ast.Define | ast.Table | ast.Score | ast.Components | ast.Rounds
    | ast.Ranking | ast.Result
)  # what happens in a game; of other pieces it is enough that they are met
SAYS_NO_RULE = (
    ast.Edition | ast.Title | ast.VariantOf | ast.Property | ast.Figure | ast.Example | ast.Persona
    | ast.Small | ast.Words | ast.Players | ast.Teams | ast.Require
)  # also not what says which tables there are
ASKED_INSIDE = ast.Setup | ast.Phase | ast.Step | ast.Action | ast.Score | ast.Values | ast.Memory


@frozen(eq=False)
class Demand:
    """What games of a table must show before it says anything of a changed piece. Told by `kind`, `name`, `span` where
    they do not. `is_possible`: no game can show it here. `parts`: the identities of rule parts that must be reached."""

    kind: str
    name: str
    span: Span
    is_possible: bool = True
    parts: tuple[int, ...] = ()
    needs_end: bool = False  # a game must come to its end
    used_zone: int | None = None  # the identity of a zone in which something must lie
    variable: NewRange | None = None


@frozen(eq=False)
class NewRange:
    """A variable, by its identity, that must come to the ends of its range that are new; without a range, to every
    value."""

    variable: int
    is_low_new: bool = True
    is_high_new: bool = True


@frozen(eq=False)
class ChangedPiece:
    """`changes`: where the expressions stand that are worded otherwise."""

    piece: ast.AnyDeclaration
    key: PieceKey
    changes: tuple[Span, ...]

    @property
    def title(self) -> str:
        return f"{kind_of(self.piece)} {self.key.name}".strip()

    @property
    def span(self) -> Span:
        return self.piece.span

    @property
    def is_definition(self) -> bool:
        return isinstance(self.piece, ast.Define)


@frozen(eq=False)
class RuleChanges:
    """`renamed`: the base in the words of the game. `before`: its pieces."""

    renamed: ast.Game
    game: ast.Game
    before: Pieces
    changed: tuple[ast.AnyDeclaration, ...]
    removed: tuple[RemovedRule, ...]

    def list_demands(self, here: Program) -> list[Demand]:
        """Of the rules of a table."""
        own = pieces_by_key(here.written)
        demands = DemandFinder(here, self.before)
        pieces = [(piece, own.get(key)) for piece in self.changed if (key := key_of(piece)) is not None]
        return [one for piece, there in pieces for one in demands.list_for(piece, there)]

    def list_roles(self, here: Program) -> dict[int, str]:
        """Of the changed pieces in these rules, by the identity of each part how it is noticed that it is reached."""
        meant = {key_of(piece) for piece in self.changed} - {None}
        there = [piece for key, piece in pieces_by_key(here.game).items() if key in meant]
        parts = [part for piece in there for part in parts_of_piece(here, piece)]
        return {id(part.node): part.role for part in parts if part.role in {VALUE, CONDITION, FIXED}}

    def list_worded_otherwise(self) -> Iterator[ChangedPiece]:
        """The changed pieces that the base has, too, and that say what happens in a game."""
        for piece in self.changed:
            key = key_of(piece)
            old = self.before.get(key) if key is not None else None
            if key is not None and old is not None and isinstance(piece, COMPARED):
                yield ChangedPiece(piece, key, tuple(one.new.span for one in list_compared(old, piece)))

    def compare_at(self, here: Program, changed: ChangedPiece) -> list[Comparison] | None:
        """The changes of a piece that these rules have; None where they do not have the piece as it is written. What
        properties alone ask for is no rule."""
        own = pieces_by_key(here.game).get(changed.key)
        if own is None or own is not pieces_by_key(here.written).get(changed.key):
            return None
        if changed.is_definition and id(own) not in find_helpers_in_use(here):
            return None
        return list(compare_in(here, self.before[changed.key], changed.piece, own))

    def make_small_base(self, here: Program) -> SmallBase | None:
        """The base at the sizes of a table; None where it is no rules there."""
        return make_small_base(here, self.renamed, self.game)


def find_rule_changes(base: ast.Game, game: ast.Game) -> RuleChanges:
    renamed = rename_all(base, find_differences(base, game).renamed)
    removed = tuple(list_removed_rules(renamed, game))
    return RuleChanges(renamed, game, pieces_by_key(renamed), changed_pieces(base, game), removed)


def rename_all(base: ast.Game, names: Mapping[str, str]) -> ast.Game:
    """The base in the words of the game, where it has other names for the same."""

    def rename(node: ast.Node) -> ast.Node:
        return evolve(node, text=names[node.text]) if isinstance(node, ast.Name) and node.text in names else node

    renamed: ast.Game = replace_nodes(base, rename) if names else base
    return renamed


# ---- what must be met


@frozen(eq=False)
class DemandFinder:
    program: Program
    before: Pieces

    def list_for(self, piece: ast.AnyDeclaration, own: ast.AnyDeclaration | None) -> Iterator[Demand]:
        """`own`: the piece that stands for it at this table."""
        plain = demand_of(piece)
        match piece:
            case _ if isinstance(piece, SAYS_NO_RULE):
                return
            case _ if own is None or not stands(piece, own):
                yield evolve(plain, is_possible=False)
            case _ if isinstance(piece, ASKED_INSIDE):
                return  # their statements, lines and conditions are asked for on their own
            case ast.Define():
                if id(own) in find_helpers_in_use(self.program):  # what properties alone ask for is no rule
                    yield evolve(plain, parts=self.list_parts(own))
            case ast.Table():
                yield from self.list_entries(piece, own)
            case ast.Components():
                yield from self.list_rows(piece, own)
            case ast.Rounds() | ast.Ranking() | ast.Result():
                yield evolve(plain, parts=self.list_parts(own), needs_end=True)
            case ast.Variable():
                yield from self.list_ranges(piece, own)
            case ast.Zone():
                yield evolve(plain, used_zone=id(own))
            case ast.Option():
                yield from self.list_options(piece)
            case _:
                yield evolve(plain, is_possible=False)

    def list_parts(self, own: ast.AnyDeclaration) -> tuple[int, ...]:
        """All of it that can be met; a condition that the options decide is no longer asked."""
        return tuple(id(part.node) for part in parts_of_piece(self.program, own))

    def find_old(self, piece: ast.AnyDeclaration) -> ast.AnyDeclaration | None:
        key = key_of(piece)
        return self.before.get(key) if key is not None else None

    def list_entries(self, piece: ast.Table, own: ast.AnyDeclaration) -> Iterator[Demand]:
        old = self.find_old(piece)
        known = {repr(entry) for entry in old.entries} if isinstance(old, ast.Table) else set()
        for number, part in enumerate(self.list_parts(own)):
            entry = piece.entries[number]
            if repr(entry) not in known:
                yield Demand("entry", f"{number + 1} of {piece.name.text}", entry.span, parts=(part,))

    def list_rows(self, piece: ast.Components, own: ast.AnyDeclaration) -> Iterator[Demand]:
        """Rules that stand in rows; the components themselves are there where the kind is."""
        old = self.find_old(piece)
        known = {repr(row) for row in old.rows} if isinstance(old, ast.Components) else set()
        assert isinstance(own, ast.Components)
        rules = set(self.list_parts(own))
        for row in own.rows:
            if repr(row) not in known:
                parts = tuple(id(node) for node in walk(row) if id(node) in rules)
                yield Demand("row", row.name.text, row.span, parts=parts)

    def list_ranges(self, piece: ast.Variable, own: ast.AnyDeclaration) -> Iterator[Demand]:
        """Every value that a new range begins or ends with; of other values, all."""
        old = self.find_old(piece)
        was, now = old.type if isinstance(old, ast.Variable) else None, piece.type
        if was is not None and said_alike(was, now):
            return
        new = NewRange(id(own))
        if isinstance(was, ast.RangeType) and isinstance(now, ast.RangeType):
            new = NewRange(id(own), not said_alike(was.low, now.low), not said_alike(was.high, now.high))
        yield evolve(demand_of(piece), variable=new)

    def list_options(self, piece: ast.Option) -> Iterator[Demand]:
        """An option that is new is told by what asks for it; of one that was there, a value that was none or a default
        that was another."""
        old = self.find_old(piece)
        if isinstance(old, ast.Option) and not said_alike(old.type, piece.type):
            yield evolve(demand_of(piece), is_possible=False)


def demand_of(piece: ast.AnyDeclaration) -> Demand:
    key = key_of(piece)
    return Demand(kind_of(piece), key.name if key is not None else "", piece.span)


def said_alike(one: ast.Node | None, other: ast.Node | None) -> bool:
    """Apart from where it stands."""
    return repr(one) == repr(other)


def stands(piece: ast.AnyDeclaration, own: ast.AnyDeclaration) -> bool:
    """Whether it is said at a small table as in the game; of a phase, what happens in it, not how often."""
    if isinstance(piece, ast.Phase) and isinstance(own, ast.Phase):
        return repr(piece.body) == repr(own.body)
    return said_alike(piece, own)
