"""Expressions over several values: `some … has`, `sum of … over`, `the … with highest`, filters and lists."""

from __future__ import annotations

from rulesrun.dsl import ast
from rulesrun.dsl.program import AllOf, BuiltinMeaning
from rulesrun.dsl.types import CollectionOf, ComponentOf, OrderOf
from rulesrun.interpreter.components import Kinds
from rulesrun.interpreter.native import masks, naming, places
from rulesrun.interpreter.native.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    X,
    as_number,
    bit,
    both,
    compare,
    inverted,
    known,
    logic,
    mix_sets,
    number,
    set_constant,
    set_type,
)
from rulesrun.interpreter.native.plan import Scope, bounds
from rulesrun.interpreter.native.several import (
    Fitting,
    Fixed,
    Listed,
    Lying,
    Ordered,
    Seats,
    Several,
    Stretch,
    Written,
    compare_listed,
    item_of,
    listed,
    sort_listed,
)

MOST_STRETCH = 4096


def several(scope: Scope, node: ast.Expr) -> Several:
    """The collection an expression means."""
    fixed = before_the_game(scope, node)
    if fixed is not None:
        return fixed
    match node:
        case ast.Filter():
            return filtered(scope, node)
        case ast.Range(low, high):
            return stretch(scope, low, high)
        case ast.SetOf(items):
            return Written(tuple(naming.literal(scope, item) for item in items), limit=len(items))
        case ast.Aggregate(word="list" | "sorted"):
            return list_of(scope, node)
        case ast.Best(word="those"):
            return those(scope, node)
        case ast.Name() | ast.Of() | ast.Index():
            return named(scope, node)
        case ast.Call():
            return asked(scope, node)
        case ast.Before(value):
            items, length, limit = scope.plan.made[("before", id(value))]
            return Listed(items, scope.lines.kept(scope.lines.load(length)), limit=limit)
        case _:
            raise CannotCompile("a collection of this form is not compiled")


def before_the_game(scope: Scope, node: ast.Expr) -> Several | None:
    ready = scope.bench.ready.get(id(node))
    if ready is None or not ready[1].is_constant:
        return None
    values = ready[1].value
    if not isinstance(values, (tuple, range)) or not all(isinstance(one, int) for one in values):
        return None
    kinds = kinds_of(scope, node)
    is_set = kinds is not None and len(kinds) <= 256
    return Fixed(tuple(int(one) for one in values), limit=len(values),
                 set_type=set_type(len(kinds)) if kinds is not None and is_set else None)


def kinds_of(scope: Scope, node: ast.Expr) -> Kinds | None:
    found = scope.bench.type_of(node)
    item = found.item if isinstance(found, CollectionOf) else None
    if not isinstance(item, ComponentOf):
        return None
    return next((one for one in scope.bench.kinds.values() if one.declaration.name.text == item.kind), None)


def stretch(scope: Scope, low: ast.Expr, high: ast.Expr) -> Several:
    first, last = scope.needed(low), scope.needed(high)
    if first.low is None or last.high is None or last.high - first.low > MOST_STRETCH:
        raise CannotCompile("a range here is too long or has no bounds")
    return Stretch(scope.lines.kept(first), scope.lines.kept(last), limit=max(last.high - first.low + 1, 0))


def named(scope: Scope, node: ast.Name | ast.Of | ast.Index) -> Several:
    store = places.store_of(scope, node)
    if store is not None:
        index = scope.lines.kept(places.index_of(scope, node))
        return Lying(store, index, limit=store.capacity, set_type=store.set if store.shape == "bits" else None)
    room = places.room_of(scope, node)
    if room is not None:
        return ordered(scope, node)
    meaning = scope.bench.meaning(node) if isinstance(node, ast.Name) else None
    if isinstance(meaning, BuiltinMeaning):
        return of_the_language(scope, meaning.name)
    if isinstance(meaning, ast.Define):
        return several(Scope(scope.plan, scope.lines, scope.player), meaning.body)
    if isinstance(node, ast.Of):
        if isinstance(node.subject, ast.Name) and isinstance(scope.bench.meaning(node.subject), BuiltinMeaning):
            return of_word(scope, node)
        owner = scope.lines.kept(places.player_value(scope, node.owner))
        return several(scope.asked_of(owner), node.subject)
    if isinstance(meaning, (ast.Components, ast.Values, AllOf)):
        raise CannotCompile("all of a type are not known before the game")
    raise CannotCompile("a collection of this name is not compiled")


def of_word(scope: Scope, node: ast.Of) -> Several:
    """`sorted of x`, `list of x`."""
    assert isinstance(node.subject, ast.Name)
    if node.subject.text not in {"sorted", "list"}:
        raise CannotCompile("a collection of this form is not compiled")
    found = listed(scope, several(scope, node.owner))
    if node.subject.text == "sorted":
        sort_listed(scope, found)
    return found


def of_the_language(scope: Scope, word: str) -> Several:
    n = scope.bench.players
    if word == "players":
        return Seats(n, None, limit=n)
    if word == "opponents":
        return Seats(n, scope.player, limit=n - 1)
    raise CannotCompile(f"`{word}` is no collection that is compiled")


def asked(scope: Scope, node: ast.Call) -> Several:
    meaning = scope.bench.meaning(node.name)
    if not isinstance(meaning, ast.Define):
        raise CannotCompile("a collection of this form is not compiled")
    inner = Scope(scope.plan, scope.lines, scope.player)
    for parameter, argument in zip(meaning.parameters, node.arguments, strict=True):
        inner.names[id(parameter)] = scope.lines.kept(as_number(scope.value(argument)))
    return several(inner, meaning.body)


def ordered(scope: Scope, node: ast.Expr) -> Several:
    room = places.room_of(scope, node)
    assert room is not None
    if not isinstance(scope.bench.type_of(node), OrderOf):
        raise CannotCompile("a variable stands where several values are needed")
    length = len(scope.bench.blank[room.base])
    base = both("mul", places.index_of(scope, node), number(length))
    return Ordered(scope.plan.variables[id(room.declaration)], scope.lines.kept(base), limit=length)


# ---- filters and binders


def filtered(scope: Scope, node: ast.Filter, binder: ast.Each | None = None) -> Several:
    """Those for which the condition holds; it may speak of the name of the binder outside, too."""
    collection = node.collection
    base = filtered(scope, collection, binder) if isinstance(collection, ast.Filter) else several(scope, collection)
    kinds, binders = kinds_of(scope, node), {id(node)} | ({id(binder)} if binder is not None else set())
    mask = None
    if base.set_type is not None and kinds is not None:
        mask = masks.mask_of(scope, node.condition, masks.element(kinds, *binders), kinds)
    kept = scope.inner()

    def test(now: Scope, one: X) -> X:
        inner = Scope(now.plan, now.lines, kept.player, dict(kept.names), list(kept.elements))
        if binder is not None:
            inner.names[id(binder)] = one
        with inner.element(node, one):
            return inner.condition(node.condition)

    is_masked = mask is not None and base.set_type is not None
    return Fitting(base, test, mask, len(kinds) if kinds else 0, limit=base.limit,
                   set_type=base.set_type if is_masked else None)


def bound(scope: Scope, each: ast.Each) -> Several:
    """The collection of a binder."""
    if isinstance(each.collection, ast.Filter):
        return filtered(scope, each.collection, each)
    return several(scope, each.collection)


def within(scope: Scope, each: ast.Node, value: X) -> Scope:
    inner = scope.inner()
    inner.names[id(each)] = value
    inner.elements.append((id(each), value, None))
    return inner


def quantified(scope: Scope, node: ast.Quantified) -> X:
    collection, lines = bound(scope, node.each), scope.lines
    quick = by_mask(scope, node, collection)
    if quick is not None:
        return quick
    is_every = node.word == "every"
    found = lines.variable(YES if is_every else NO, "q")
    with lines.block() as done:
        def look(one: X) -> None:
            test = within(scope, node.each, one).condition(node.body)
            with lines.when(inverted(test) if is_every else test):
                lines.set(found, NO if is_every else YES)
                lines.leave(done)

        collection.each(scope, look)
    return inverted(found) if node.word == "no" else found


def by_mask(scope: Scope, node: ast.Quantified, collection: Several) -> X | None:
    kinds = kinds_of(scope, node.each.collection)
    if collection.set_type is None or kinds is None:
        return None
    mask = masks.mask_of(scope, node.body, masks.element(kinds, id(node.each)), kinds)
    members = collection.members(scope) if mask is not None else None
    if mask is None or members is None:
        return None
    if node.word == "every":
        mask = masks.inverted_set(mask)
    meeting = mix_sets("and", members, mask)
    is_any = X("is not", TRUTH, (meeting, set_constant(meeting.type, 0)))
    return is_any if node.word == "some" else inverted(is_any)


# ---- one value of several


def aggregate(scope: Scope, node: ast.Aggregate) -> X:
    collection, lines = bound(scope, node.each), scope.lines
    if node.word == "count" and not node.distinct:
        return collection.size(scope)
    gather = Gatherer(scope, node.word, node)
    seen = seen_already(scope, node) if node.distinct else None

    def look(one: X) -> None:
        value = within(scope, node.each, one).needed(node.body)
        if seen is None:
            gather.add(value)
            return
        low, members = seen
        value = lines.kept(value)
        mask = lines.kept(bit(members.type, both("sub", value, number(low))), "m")
        is_new = X("=", TRUTH, (X("and", members.type, (members, mask)), set_constant(members.type, 0)))
        with lines.when(is_new):
            lines.set(members, X("or", members.type, (members, mask)))
            gather.add(value)

    collection.each(scope, look)
    return gather.result()


def seen_already(scope: Scope, node: ast.Aggregate) -> tuple[int, X]:
    low, high = bounds(scope.plan, scope.bench.type_of(node.body))
    if low is None or high is None or high - low >= 256:
        raise CannotCompile("`distinct` of values without narrow bounds is not compiled")
    kind = set_type(high - low + 1)
    return low, scope.lines.variable(set_constant(kind, 0), "d")


class Gatherer:
    """`sum`, `count`, `highest`, `lowest` of values as they come."""

    def __init__(self, scope: Scope, word: str, node: ast.Node) -> None:
        if word not in {"sum", "count", "highest", "lowest"}:
            raise CannotCompile("a list stands where one value is needed")
        self.scope, self.word, self.node = scope, word, node
        self.total = scope.lines.variable(number(0), "n")
        self.some = scope.lines.variable(NO, "f") if word in {"highest", "lowest"} else None

    def add(self, value: X) -> None:
        lines = self.scope.lines
        if self.word in {"sum", "count"}:
            lines.add_to(self.total, as_number(value) if self.word == "sum" else number(1))
            return
        assert self.some is not None
        value = lines.kept(as_number(value))
        better = compare(">" if self.word == "highest" else "<", value, self.total)
        with lines.when(logic("or", inverted(self.some), better)):
            lines.set(self.total, value)
            lines.set(self.some, YES)

    def result(self) -> X:
        if self.some is not None:
            self.scope.fault_when(inverted(self.some), "of-nothing", self.node)
        return self.total


def gathered(scope: Scope, word: str, collection: Several, node: ast.Node) -> X:
    """`sum of S`, `highest of S` for numbers."""
    gather = Gatherer(scope, word, node)
    collection.each(scope, gather.add)
    return gather.result()


def list_of(scope: Scope, node: ast.Aggregate) -> Several:
    if node.distinct:
        raise CannotCompile("a list of distinct values is not compiled")
    found = listed(
        scope, bound(scope, node.each),
        lambda one: as_number(within(scope, node.each, one).value(node.body)),
    )
    if node.word == "sorted":
        sort_listed(scope, found)
    found.low, found.high = bounds(scope.plan, scope.bench.type_of(node.body))
    return found


def best_key(scope: Scope, node: ast.Best, collection: Several) -> tuple[X, X, X]:
    """The best key, the first that has it, and whether there is any."""
    lines = scope.lines
    best, first, some = lines.variable(number(0), "n"), lines.variable(number(0), "f"), lines.variable(NO, "f")

    def look(one: X) -> None:
        one = lines.kept(one)
        key = lines.kept(within(scope, node.each, one).needed(node.key))
        better = compare(">" if node.direction == "highest" else "<", key, best)
        with lines.when(logic("or", inverted(some), better)):
            lines.set(best, key)
            lines.set(first, as_number(one))
            lines.set(some, YES)

    collection.each(scope, look)
    return best, first, some


def the_best(scope: Scope, node: ast.Best) -> X:
    if node.word != "the":
        raise CannotCompile("a list stands where one value is needed")
    _, first, some = best_key(scope, node, bound(scope, node.each))
    scope.fault_when(inverted(some), "of-nothing", node)
    found = scope.bench.type_of(node)
    low, high = bounds(scope.plan, found)
    if low:
        first = scope.lines.kept(X("select", NUMBER, (some, first, number(low))))
    return known(first, low, high)


def those(scope: Scope, node: ast.Best) -> Several:
    collection = bound(scope, node.each)
    best, _, _ = best_key(scope, node, collection)
    best, kept = scope.lines.kept(best), scope.inner()

    def test(now: Scope, one: X) -> X:
        inner = within(Scope(now.plan, now.lines, kept.player, kept.names, kept.elements), node.each, one)
        return compare("=", inner.needed(node.key), best)

    return Fitting(collection, test, limit=collection.limit)


def item(scope: Scope, node: ast.Node, position: ast.Expr, collection: ast.Expr) -> X:
    place = scope.needed(position)
    return item_of(scope, several(scope, collection), place, node)


# ---- comparing


def compare_several(scope: Scope, node: ast.Compare) -> X:
    left, right = several(scope, node.left), several(scope, node.right)
    operator = "=" if node.operator == "is" else node.operator
    if left.set_type is not None and left.set_type == right.set_type and operator in {"=", "is not"}:
        one, other = left.members(scope), right.members(scope)
        if one is not None and other is not None:
            return X(operator, TRUTH, (one, other))
    first, second = listed(scope, left), listed(scope, right)
    if isinstance(node.left, ast.SetOf) or isinstance(node.right, ast.SetOf):
        sort_listed(scope, first)
        sort_listed(scope, second)
    return compare(operator, compare_listed(scope, first, second), number(0))

