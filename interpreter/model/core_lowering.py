"""Lowers expressions and statements of a checked program to the core: what names mean at this table, decided once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from rulesrun.dsl import ast
from rulesrun.dsl.ast.named_values import is_told_set, single_literal, single_value
from rulesrun.dsl.ast.pieces import list_rule_cells
from rulesrun.dsl.ast.walk import walk
from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.program import (
    AllOf,
    AttributeMeaning,
    BuiltinMeaning,
    ItMeaning,
    RowMeaning,
    WordMeaning,
)
from rulesrun.dsl.typing.types import CollectionOf, ComponentOf, OptionalOf, OrderOf
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.compile_context import VariableRoom, Workbench, ZoneRoom
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.model.domains import list_declared_values, list_values
from rulesrun.interpreter.model.places import find_place, refuse_too_early, require_place
from rulesrun.interpreter.model.values import RefusedTable

OfSeveral = (
    ast.Filter | ast.Joined | ast.Combinations | ast.Range | ast.Literal | ast.SetOf | ast.Quantified | ast.Aggregate
    | ast.Best
)
WithoutName = (
    OfSeveral | ast.Compare | ast.In | ast.IsEmpty | ast.Arithmetic | ast.Negate | ast.Not | ast.And | ast.Or
    | ast.IfElse | ast.Can | ast.Before
)


def lower_expression(bench: Workbench, node: core.Operand) -> core.Core:
    """The operation of an operand: made once at a table."""
    known = bench.core.get(id(node))
    if known is None:
        assert isinstance(node, ast.Expr)
        known = bench.core[id(node)] = (node, lower_new_expression(bench, node))
    return known[1]


def find_operation(bench: Workbench, node: core.Operand) -> core.Core | None:
    """None: it has no meaning at this table."""
    try:
        return lower_expression(bench, node)
    except RefusedTable:
        return None


def lower_new_expression(bench: Workbench, node: ast.Expr) -> core.Core:
    match node:
        case ast.Number(value) | ast.Text(value) | ast.Truth(value):
            return core.Constant(node, value)
        case ast.Nothing():
            return core.Constant(node, None)
        case ast.Name():
            return lower_name(bench, node)
        case ast.Index(name, keys):
            meaning = bench.meaning(name)
            is_place = isinstance(meaning, ast.Zone | ast.Variable) and bool(meaning.keys)
            return require_place(bench, node) if is_place else core.ItemAt(node, keys[-1], name, True)
        case ast.Item(position, collection):
            return core.ItemAt(node, position, collection, False)
        case ast.Call():
            return lower_call(bench, node)
        case ast.Of():
            return lower_of(bench, node)
        case _:
            return lower_form(bench, node)


def lower_form(bench: Workbench, node: WithoutName) -> core.Form:
    """There is one meaning to each."""
    match node:
        case ast.Compare(operator, left, right):
            return core.Compare(node, "=" if operator == "is" else operator, left, right)
        case ast.In(item, collection, negated):
            return core.In(node, item, collection, negated)
        case ast.IsEmpty(collection, negated):
            return core.IsEmpty(node, collection, negated)
        case ast.Arithmetic(operator, left, right):
            return core.Arithmetic(node, operator, left, right)
        case ast.Negate(value):
            return core.Negate(node, value)
        case ast.Not(value):
            return core.Not(node, value)
        case ast.And(parts):
            return core.Logic(node, "and", parts)
        case ast.Or(parts):
            return core.Logic(node, "or", parts)
        case ast.IfElse(condition, then, otherwise):
            return core.IfElse(node, condition, then, otherwise)
        case ast.Can(name):
            action = bench.meaning(name)
            assert isinstance(action, ast.Action)
            return core.Can(node, action)
        case ast.Before(value):
            return core.Before(node, value)
        case _:
            return lower_form_of_several(node)


def lower_form_of_several(node: OfSeveral) -> core.Form:
    match node:
        case ast.Filter(collection, condition):
            return core.Filter(node, collection, condition)
        case ast.Joined(parts):
            return core.Joined(node, parts)
        case ast.Combinations(low, high, collection):
            return core.Combinations(node, low, high, collection)
        case ast.Range(low, high):
            return core.Range(node, low, high)
        case ast.Literal(parts):
            return core.Literal(node, parts)
        case ast.SetOf(items):
            return core.SetOf(node, tuple(core.Literal(item, item.parts) for item in items))
        case ast.Quantified("some" | "every" | "no" as word, each, body):
            return core.Quantified(node, word, each, body)
        case ast.Quantified(word):
            raise AssertionError(word)
        case ast.Aggregate(word, distinct, body, each):
            return core.Aggregate(node, word, distinct, body, each)
        case ast.Best(word, each, direction, key):
            return core.Best(node, word, each, direction, key)
        case _:
            assert_never(node)


def lower_name(bench: Workbench, node: ast.Name) -> core.Operation:
    meaning = bench.meaning(node)
    match meaning:
        case ast.Zone() | ast.Variable():
            return require_place(bench, node)
        case ast.Option():
            if id(meaning) not in bench.option_values:
                refuse_too_early(bench, node)
            return core.Constant(node, bench.option_values[id(meaning)], meaning)
        case ast.Define() | ast.ScoreLine():
            return core.Definition(node, meaning, ())
        case ast.Parameter() | ast.Choice() | ast.Each() | ast.Deal():
            return core.Register(node, meaning)
        case ast.Values() | ast.Components():
            return core.Constant(node, list_declared_values(bench, meaning), meaning)
        case AllOf(declaration):
            return core.Constant(node, list_declared_values(bench, declaration), meaning)
        case WordMeaning(index=index):
            return core.Constant(node, index, meaning)
        case AttributeMeaning():
            return lower_attribute(bench, node, meaning, core.Element(node, meaning.element))
        case ItMeaning(element):
            return core.Element(node, element)
        case RowMeaning(components, row):
            return core.Constant(node, find_named_kind(bench, node, components, row.name.text), meaning)
        case ast.Phase():
            return core.Constant(node, bench.phases.index(meaning), meaning)
        case BuiltinMeaning(word):
            return lower_word(bench, node, word)
        case ast.Table() | ast.Memory() | ast.Step() | ast.Action() | None:
            raise bench.refusal("no-value", message("`{text}` is not a value", text=node.text), node)
        case _:
            assert_never(meaning)


def find_named_kind(bench: Workbench, node: ast.Name, components: ast.Components, text: str) -> int:
    """The number of a row; of a place, where the board is large enough at this table."""
    names = bench.kinds_of(components).names
    if text not in names:
        sentence = message("there is no {kind} `{name}` at this table", kind=components.name.text, name=text)
        raise bench.refusal("no-such-component", sentence, node)
    return names.index(text)


def lower_attribute(
    bench: Workbench, node: ast.Expr, meaning: AttributeMeaning, owner: core.Element | ast.Expr
) -> core.Attribute:
    is_rule = id(meaning.attribute) not in bench.kinds_of(meaning.components).attributes
    return core.Attribute(node, meaning, owner, is_rule)


def lower_word(bench: Workbench, node: ast.Name, word: str) -> core.Operation:
    match word:
        case "player" | "starter" | "round" | "phase":
            return core.Current(node, word)
        case "players":
            everyone = tuple(range(1, bench.players + 1))
            value = everyone if isinstance(bench.type_of(node), CollectionOf) else bench.players
            return core.Constant(node, value, bench.meaning(node))
        case "opponents":
            return core.Opponents(node)
        case "it":
            return core.Element(node, None)
        case "total":
            return core.Points(node, False, None)
        case "place":
            return core.Standing(node)
        case _:
            raise bench.refusal("no-value", message("`{word}` is not a value", word=word), node)


def lower_of(bench: Workbench, node: ast.Of) -> core.Operation:
    subject, owner = node.subject, node.owner
    meaning = bench.meaning(subject)
    if isinstance(meaning, BuiltinMeaning):
        found = lower_word_of(node, meaning.name)
        if found is not None:
            return found
    if isinstance(meaning, AttributeMeaning):
        return lower_attribute(bench, node, meaning, owner)
    name = subject.name if isinstance(subject, ast.Index) else subject
    named = bench.meaning(name)
    if isinstance(named, ast.Zone | ast.Variable) and named.per_player:
        return require_place(bench, node)
    return core.ForPlayer(node, subject, owner)


def lower_word_of(node: ast.Of, word: str) -> core.Operation | None:
    match word:
        case "count":
            return core.Count(node, node.owner)
        case "sum" | "highest" | "lowest" | "list" | "sorted":
            return core.Fold(node, word, node.owner)
        case "top" | "last" | "bottom" | "first":
            return core.EndOf(node, word, node.owner)
        case "left" | "right":
            return core.Neighbour(node, word == "left", node.owner)
        case _:
            return None  # something of somebody: `total of p`


def lower_call(bench: Workbench, node: ast.Call) -> core.Operation:
    meaning, arguments = bench.meaning(node.name), node.arguments
    match meaning:
        case ast.Define():
            return core.Definition(node, meaning, arguments)
        case ast.Table():
            return core.CaseLookup(node, meaning, arguments)
        case BuiltinMeaning("counted" | "latest" as word):
            return lower_points(bench, node, word == "latest")
        case BuiltinMeaning("times"):
            return lower_times(bench, node)
        case BuiltinMeaning("seat"):
            return lower_option_seat(bench, node)
        case BuiltinMeaning("seats_from"):
            return core.SeatsFrom(node, *arguments)
        case BuiltinMeaning("position"):
            return core.PositionOf(node, arguments[0], arguments[1])
        case BuiltinMeaning(
            "neighbours" | "rays" | "between" | "distance" | "lines" | "lines_through" | "connected" as word
        ):
            return lower_board_call(bench, node, word)
        case BuiltinMeaning("smallest" | "largest" as word):
            return core.Extreme(node, word == "smallest", arguments)
        case _:
            raise bench.refusal("no-value", message("`{name}` cannot be used like this", name=node.name.text), node)


def lower_board_call(bench: Workbench, node: ast.Call, word: str) -> core.Operation:
    first, *others = node.arguments
    found = bench.type_of(first)
    place = found.item if isinstance(found, CollectionOf) else found.item if isinstance(found, OptionalOf) else found
    kinds = next(one for one in bench.components if place == ComponentOf(one.name.text))
    board = bench.kinds_of(kinds)
    match word:
        case "distance":
            return core.Distance(node, board, first, others[0])
        case "connected":
            return core.Connected(node, board, first, others[0])
        case "lines":
            return core.Lines(node, board, None, bench.constant_number(others[0]))
        case "lines_through":
            return core.Lines(node, board, first, bench.constant_number(others[0]))
        case "neighbours" | "rays":
            return core.PlacesNear(node, board, word, first, bench.constant_number(others[0]) if others else 1)
        case _:
            return core.PlacesBetween(node, board, first, others[0])


def argument_meaning(bench: Workbench, node: ast.Call) -> object:
    name = node.arguments[0]
    return bench.meaning(name)


def lower_points(bench: Workbench, node: ast.Call, is_latest: bool) -> core.Points:
    """`counted(points)`: in all countings together; `latest(points)`: in the last one alone."""
    meaning = argument_meaning(bench, node)
    if isinstance(meaning, BuiltinMeaning):
        return core.Points(node, is_latest, None)
    for number, score in enumerate(bench.scores):
        for column, one in enumerate(score.lines):
            if one is meaning:
                return core.Points(node, is_latest, (number, column))
    raise bench.refusal("no-value", message("this needs a line of the score"), node)


def lower_times(bench: Workbench, node: ast.Call) -> core.Times:
    meaning = argument_meaning(bench, node)
    if not isinstance(meaning, ast.Memory):
        raise bench.refusal("no-value", message("`times` needs a memory"), node)
    if id(meaning) not in bench.memories:
        refuse_too_early(bench, node)
    return core.Times(node, meaning)


def lower_option_seat(bench: Workbench, node: ast.Call) -> core.Constant:
    """The player of a `… or player` option: its seats come after its words; a word leaves seat 1."""
    option = argument_meaning(bench, node)
    if not isinstance(option, ast.Option) or not isinstance(option.type, ast.WordsType):
        raise bench.refusal("no-value", message("`seat` needs an option"), node)
    value: int = bench.option_values[id(option)]
    return core.Constant(node, max(1, value - len(option.type.words) + 1), bench.meaning(node.name))


# ---- going through operands


def list_filters(bench: Workbench, several: core.Operand) -> Iterator[core.Filter]:
    """The conditions behind one another that a collection is filtered by, the last first."""
    while isinstance(lowered := lower_expression(bench, several), core.Filter):
        yield lowered
        several = lowered.collection


def base_of_filters(bench: Workbench, several: core.Operand) -> core.Operand:
    """What is filtered."""
    for one in list_filters(bench, several):
        several = one.collection
    return several


def walk_operations(bench: Workbench, node: core.Operand) -> Iterator[core.Core]:
    """The operation of an operand, then those of its own operands, and so on; not what definitions say."""
    waiting = [node]
    while waiting:
        yield (lowered := lower_expression(bench, waiting.pop()))
        waiting.extend(reversed(core.list_operands(lowered)))


def list_operands_behind(bench: Workbench, operation: core.Core) -> list[core.Operand]:
    """Where to look on for what an operation depends on besides its operands: what a definition says, what stands in
    a table or a rule of a component, what an action asks for, what alone has this name."""
    match operation:
        case core.Definition():
            return [operation.body]
        case core.CaseLookup(table=table):
            return [one for entry in table.entries for one in (*(entry.keys or ()), entry.value)]
        case core.Attribute(meaning=meaning, is_rule=is_rule):
            cells = list_rule_cells(meaning.components) if is_rule or meaning.attribute.type is None else ()
            return [cell for _, _, cell in cells]
        case core.Can(action=action):
            return list_operands_of_action(action)
        case core.Register(binder=ast.Each(collection=ast.SetOf(items=(ast.Literal(parts=(value,)),)))):
            return [value]
        case (
            core.Constant() | core.Register() | core.Element() | core.Contents() | core.ForPlayer() | core.Current()
            | core.Opponents() | core.Points() | core.Standing() | core.Count() | core.Fold() | core.EndOf()
            | core.ItemAt() | core.Neighbour() | core.SeatsFrom() | core.Extreme() | core.PositionOf() | core.Times()
            | core.PlacesNear() | core.PlacesBetween() | core.Distance() | core.Lines() | core.Connected()
            | core.Filter() | core.Joined() | core.Combinations() | core.Range() | core.SetOf() | core.Literal()
            | core.Quantified() | core.Aggregate() | core.Best() | core.Compare() | core.In() | core.IsEmpty()
            | core.Arithmetic() | core.Negate() | core.Not() | core.Logic() | core.IfElse() | core.Before()
        ):
            return []  # all that it depends on are its operands
        case _:
            assert_never(operation)


def list_operands_of_action(action: core.Action) -> list[core.Operand]:
    """What decides whether it can be chosen, and how."""
    counts = [one.count for one in action.choices if one.count is not None]
    bounds = [bound for one in counts for bound in (one.low, one.high)]
    return [*(one.domain for one in action.choices), *bounds, *(one.condition for one in action.needs)]


def walk_dependencies(bench: Workbench, roots: Iterable[core.Operand]) -> Iterator[core.Core]:
    """All operations that these are worked out from, also behind definitions, tables and actions; each once."""
    waiting, seen = [*roots], set[int]()
    while waiting:
        lowered = lower_expression(bench, waiting.pop())
        if id(lowered) not in seen:
            seen.add(id(lowered))
            yield lowered
            waiting += [*core.list_operands(lowered), *list_operands_behind(bench, lowered)]


# ---- statements


def walk_lines(bench: Workbench, lines: Iterable[core.Line]) -> Iterator[core.Statement]:
    """Each statement, then those that stand in it; not those of steps that are done."""
    for line in lines:
        yield (done := lower_statement(bench, line))
        for body in core.list_bodies(done):
            yield from walk_lines(bench, body)


def lower_statement(bench: Workbench, node: ast.Statement) -> core.Statement:
    known = bench.effects.get(id(node))
    if known is None:
        known = bench.effects[id(node)] = (node, lower_new_statement(bench, node))
    return known[1]


def list_pieces(bench: Workbench) -> Iterator[core.Piece]:
    """What is played, in the order of the rules. Changes of a variant have been carried out."""
    for piece in bench.program.game.declarations:
        match piece:
            case ast.Setup() | ast.Phase() | ast.Step() | ast.Action() | ast.Define() | ast.Table() | ast.Rounds():
                yield piece
            case ast.Components() | ast.Zone() | ast.Variable() | ast.Memory() | ast.Score() | ast.Ranking():
                yield piece
            case ast.Result() | ast.Property():
                yield piece
            case ast.Edition() | ast.Title() | ast.VariantOf() | ast.Players() | ast.Teams() | ast.Values():
                pass
            case ast.Option() | ast.Require() | ast.Small() | ast.Fix():
                pass
            case ast.Example() | ast.Words() | ast.Look() | ast.Figure() | ast.Persona():
                pass
            case ast.ChangePiece() | ast.RemovePiece() | ast.ChangeRow() | ast.ChangeLine() | ast.ChangeLines():
                pass
            case _:
                assert_never(piece)


def lower_statements(bench: Workbench) -> Iterator[core.Statement]:
    """Every statement of the rules, reached or not; those of examples are none."""
    for piece in bench.program.game.declarations:
        if not isinstance(piece, ast.Example):
            yield from (lower_statement(bench, node) for node in walk(piece) if isinstance(node, ast.Statement))


def lower_new_statement(bench: Workbench, node: ast.Statement) -> core.Statement:
    match node:
        case ast.Move(is_all, what, target, order):
            transfer = core.Transfer(lower_taken(bench, what, is_all), lower_target(bench, target), order)
            return core.Move(node, (transfer,))
        case ast.Swap(one, other):
            ways = ((one, other), (other, one))
            return core.Move(node, tuple(
                core.Transfer(lower_taken(bench, zone, True), lower_target(bench, to), None) for zone, to in ways
            ))
        case ast.Shuffle():
            return lower_shuffle(bench, node)
        case ast.Deal():
            return lower_deal(bench, node)
        case ast.Becomes(target, value):
            return core.Assign(node, lower_assigned(bench, target), value)
        case ast.Increases(target, sign, amount):
            return core.Adjust(node, lower_assigned(bench, target), sign, amount)
        case ast.Roll(target, chances):
            return core.DrawValue(node, lower_assigned(bench, target), "roll", chances)
        case ast.Throw() | ast.DoEffect() | ast.Ask() | ast.LookAt() | ast.Wins() | ast.Clear():
            raise AssertionError("spelled out before anybody plays it")
        case ast.Lots(target):
            return core.DrawValue(node, lower_assigned(bench, target), "lot", ())
        case ast.Show(what, to):
            place = find_place(bench, what)
            is_zone = place is not None and isinstance(place.room, ZoneRoom)
            is_value = shows_value(bench, what, place)
            return core.Show(node, what, place if is_zone else None, to, place if is_value else None)
        case ast.Record(values, memory):
            meaning = bench.meaning(memory)
            assert isinstance(meaning, ast.Memory)
            return core.Record(node, values, meaning)
        case ast.CountPoints():
            return core.CountPoints(node)
        case ast.End("turn" | "phase" | "round" | "game" as what):
            return core.End(node, what)
        case ast.End(what):
            raise AssertionError(what)
        case (
            ast.Choose() | ast.If() | ast.ForEach() | ast.EachPlayer() | ast.Turns() | ast.Repeat() | ast.Do()
        ):
            return lower_flow_form(bench, node)
        case _:
            assert_never(node)


def lower_flow_form(
    bench: Workbench, node: ast.Choose | ast.If | ast.ForEach | ast.EachPlayer | ast.Turns | ast.Repeat | ast.Do
) -> core.FlowForm:
    match node:
        case ast.Choose(who, chooser, condition, names, if_possible, otherwise, is_promised):
            actions = tuple(meaning for meaning in map(bench.meaning, names) if isinstance(meaning, ast.Action))
            assert len(actions) == len(names)
            return core.Choose(node, who, chooser, condition, actions, if_possible, otherwise, is_promised)
        case ast.If(branches):
            return core.If(node, branches)
        case ast.ForEach(each, order, body, word):
            named = single_value(node) if word != "each" else None
            ordered = single_literal(node).parts[0] if is_told_set(node) else None
            called = node.called.name.text if isinstance(node.called, ast.Call) else None
            return core.ForEach(node, each, order, body, word, named, ordered, called)
        case ast.EachPlayer(start, condition, order, body):
            return core.EachPlayer(node, start, condition, order, body)
        case ast.Turns(once, start, excluded, skipping, until, body, following):
            return core.Turns(node, once, start, excluded, following, skipping, until, body)
        case ast.Repeat(times, until, body):
            return core.Repeat(node, times, until, body)
        case ast.Do(step):
            meaning = bench.meaning(step)
            assert isinstance(meaning, ast.Step)
            return core.Do(node, meaning)
        case _:
            assert_never(node)


def lower_assigned(bench: Workbench, target: ast.Expr) -> core.Assigned:
    lowered = lower_expression(bench, target)
    if isinstance(lowered, core.Current):
        return lowered
    assert isinstance(lowered, core.Contents)
    assert isinstance(lowered.room, VariableRoom)
    return lowered


def list_chances(bench: Workbench, drawn: core.DrawValue) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """What may come, in declared order, and the chance of each."""
    if drawn.what == "lot":
        return tuple(range(1, bench.players + 1)), (1,) * bench.players
    assert isinstance(drawn.place, core.Contents)
    assert isinstance(drawn.place.room, VariableRoom)
    written = drawn.place.room.declaration.type
    values = list_values(bench, written.item if isinstance(written, ast.Optional) else written)  # never `nothing`
    weights = tuple(bench.constant_number(one) for one in drawn.chances) or (1,) * len(values)
    if not values:
        raise bench.refusal("no-values", message("there is no value to roll at this table"), drawn.node)
    if len(weights) != len(values) or min(weights) < 0 or sum(weights) == 0:
        sentence = message("there must be one chance for each of the {values} values", values=len(values))
        raise bench.refusal("wrong-chances", sentence, drawn.node)
    return values, weights


def shows_value(bench: Workbench, what: ast.Expr, place: core.Contents | None) -> bool:
    """Whether it is the value of a number or marker that is told, no component that a marker names."""
    shown = bench.type_of(what)
    shown = shown.item if isinstance(shown, OptionalOf) else shown
    return place is not None and isinstance(place.room, VariableRoom) and not isinstance(shown, ComponentOf)


def lower_shuffle(bench: Workbench, node: ast.Shuffle) -> core.Mix | core.DrawOrder:
    place = find_place(bench, node.what)
    if node.into is None and place is not None and isinstance(place.room, VariableRoom):
        if not place.room.is_order:
            raise bench.refusal("wrong-type", message("only a pile or an `order` can be shuffled"), node)
        return core.DrawOrder(node, place, place.room)
    target = lower_target(bench, node.into or node.what)
    return core.Mix(node, target.place, target.room, lower_mixed_in(bench, node) if node.into is not None else None)


def lower_deal(bench: Workbench, node: ast.Deal) -> core.Draw:
    origin, target = find_place(bench, node.origin), lower_target(bench, node.target)
    if origin is None or not isinstance(origin.room, ZoneRoom):
        raise bench.refusal("not-a-place", message("this is not a place for components"), node.origin)
    if target.is_bottom:
        raise bench.refusal("not-a-place", message("drawn components go on top"), node.target)
    return core.Draw(
        node, node.count, node.up_to, origin, origin.room, node.condition, target, node.each, node.alias,
        node.word == "roll",
    )


# ---- what statements move


def lower_taken(bench: Workbench, what: ast.Expr, is_all: bool) -> core.Taken:
    """What `move` takes out of its places."""
    if is_all:
        inner = base_of_filters(bench, what)
        kinds, place = find_kinds(bench, inner), find_place(bench, inner)
        if kinds is not None:
            return core.TakeEverywhere(what, kinds, isinstance(what, ast.Filter) or bool(kinds.joined))
        if place is not None and isinstance(place.room, ZoneRoom):
            return core.TakeFrom(what, place, isinstance(what, ast.Filter))
        return core.TakeListed(what)
    if isinstance(what, ast.Of) and is_amount(bench, what):
        return core.TakeSome(what, what.subject, what.owner)
    return core.TakeListed(what) if isinstance(bench.type_of(what), CollectionOf | OrderOf) else core.TakeOne(what)


def lower_mixed_in(bench: Workbench, node: ast.Shuffle) -> core.Taken:
    """What `shuffle` adds: all of a place without being told so."""
    found = lower_taken(bench, node.what, True)
    return lower_taken(bench, node.what, node.all) if isinstance(found, core.TakeListed) else found


def lower_target(bench: Workbench, node: ast.Expr) -> core.Target:
    """`bottom of stock`, `top of stock`, `stock`."""
    lowered = lower_expression(bench, node)
    end, zone = (lowered.word, lowered.collection) if isinstance(lowered, core.EndOf) else ("", node)
    place = find_place(bench, zone if end in {"top", "bottom"} else node)
    if place is None or not isinstance(place.room, ZoneRoom):
        raise bench.refusal("not-a-place", "this is not a place for components", node)
    return core.Target(place, place.room, end == "bottom")


def is_amount(bench: Workbench, what: ast.Of) -> bool:
    """`3 of hand`: a number stands before `of`."""
    if isinstance(what.subject, (ast.Number, ast.Arithmetic)):
        return True
    return bench.bounds_of(what.subject) is not None


def find_kinds(bench: Workbench, node: core.Operand) -> Kinds | None:
    """`Card` as a collection: every Card."""
    meaning = bench.meaning(node)
    declaration = meaning.declaration if isinstance(meaning, AllOf) else meaning
    return bench.kinds_of(declaration) if isinstance(declaration, ast.Components) else None
