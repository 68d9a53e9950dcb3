"""Several values: what lies in a zone, a range, a list, those that fit. How to go through them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import define, field

from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    Field,
    Value,
    as_number,
    binary,
    bit_width,
    combine_sets,
    compare,
    constant_set,
    count_bits,
    is_empty,
    logic,
    narrow,
    number,
    singleton,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope, Store

Body = Callable[[Value], None]
SpotBody = Callable[[Value, Value], None]
Test = Callable[..., Value]  # of the scope, the element, and where it lies if that matters


@define(eq=False)
class Collection:
    """`limit`: how many there are at most. `kinds`: of which set type, for components that are all different."""

    limit: int = field(kw_only=True)
    set_type: str | None = field(kw_only=True, default=None)

    def for_each(self, scope: Scope, body: Body) -> None:
        raise NotImplementedError

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        """The same, with where each of them lies."""
        self.for_each(scope, lambda one: body(one, number(containers.NOWHERE)))

    def members(self, scope: Scope) -> Value | None:
        """All of them as a set of bits, where that can be had without going through them."""
        return None

    def size(self, scope: Scope) -> Value:
        members = self.members(scope)
        if members is not None:
            return narrow(count_bits(members), 0, self.limit)
        total = scope.lines.variable(number(0), "n")
        self.for_each(scope, lambda _: scope.lines.add_to(total, number(1)))
        return narrow(total, 0, self.limit)

    def is_empty(self, scope: Scope) -> Value:
        members = self.members(scope)
        if members is not None:
            return is_empty(members)
        return compare("=", self.size(scope), number(0))

    def contains(self, scope: Scope, value: Value) -> Value:
        lines = scope.lines
        found, value = lines.variable(NO, "f"), lines.bind(as_number(value))
        with lines.block() as done:
            def visit(one: Value) -> None:
                with lines.when(compare("=", as_number(one), value)):
                    lines.set(found, YES)
                    lines.leave(done)

            self.for_each(scope, visit)
        return found

    def first_or_last(self, scope: Scope, last: bool) -> Value | None:
        """The last or first, of several that are not empty; None: to be found by going through them."""
        return None


@define(eq=False)
class IntegerRange(Collection):
    """Every whole number from `first` to `last`."""

    first: Value
    last: Value

    def for_each(self, scope: Scope, body: Body) -> None:
        scope.lines.for_range(self.first, self.last, body)

    def size(self, scope: Scope) -> Value:
        amount = binary("add", binary("sub", self.last, self.first), number(1))
        return binary("max", amount, number(0))

    def contains(self, scope: Scope, value: Value) -> Value:
        value = scope.lines.bind(value)
        return logic("and", compare(">=", value, self.first), compare("<=", value, self.last))


@define(eq=False)
class ConstantValues(Collection):
    """Values known before the game."""

    values: tuple[int, ...]

    def for_each(self, scope: Scope, body: Body) -> None:
        values, lines = self.values, scope.lines
        if values == tuple(range(values[0], values[0] + len(values))) if values else False:
            lines.for_range(number(values[0]), number(values[-1]), body)
            return
        if values:
            table = scope.plan.add_constants("values", values)
            last = number(len(values) - 1)
            lines.for_range(number(0), last, lambda at: body(lines.bind(lines.look_up(table, at))))

    def members(self, scope: Scope) -> Value | None:
        if self.set_type is None or len(set(self.values)) != len(self.values):
            return None
        return constant_set(self.set_type, sum(1 << value for value in self.values))

    def size(self, scope: Scope) -> Value:
        return number(len(self.values))

    def contains(self, scope: Scope, value: Value) -> Value:
        values = sorted(set(self.values))
        if not values:
            return NO
        value = scope.lines.bind(value)
        if values == list(range(values[0], values[-1] + 1)):
            return logic("and", compare(">=", value, number(values[0])), compare("<=", value, number(values[-1])))
        found: Value = NO
        for one in values:
            found = logic("or", found, compare("=", value, number(one)))
        return found


@define(eq=False)
class WrittenValues(Collection):
    """`{a, b}`."""

    values: tuple[Value, ...]

    def for_each(self, scope: Scope, body: Body) -> None:
        for value in self.values:
            body(value)

    def size(self, scope: Scope) -> Value:
        return number(len(self.values))

    def members(self, scope: Scope) -> Value | None:
        return None

    def contains(self, scope: Scope, value: Value) -> Value:
        value = scope.lines.bind(as_number(value))
        found: Value = NO
        for one in self.values:
            found = logic("or", found, compare("=", value, as_number(one)))
        return found


@define(eq=False)
class Seats(Collection):
    """The players, without one of them."""

    players: int
    without: Value | None

    def for_each(self, scope: Scope, body: Body) -> None:
        lines, without = scope.lines, self.without
        if without is None:
            lines.for_range(number(1), number(self.players), body)
            return

        def other(one: Value) -> None:
            with lines.when(compare("is not", one, without)):
                body(one)

        lines.for_range(number(1), number(self.players), other)

    def size(self, scope: Scope) -> Value:
        return number(self.players - (self.without is not None))


def split_optional_kind(scope: Scope, value: Value, kinds: int) -> tuple[Value, Value]:
    """A component that may be `nothing`: a kind to look for, and whether it is one."""
    if value.low is not None and value.high is not None and value.low >= 0 and value.high < kinds:
        return value, YES
    value = scope.lines.bind(value)
    is_kind = scope.lines.bind(logic("and", compare(">=", value, number(0)), compare("<", value, number(kinds))))
    return scope.lines.bind(narrow(Value("select", NUMBER, (is_kind, value, number(0))), 0, kinds - 1)), is_kind


@define(eq=False)
class ZoneContents(Collection):
    """What lies in a zone."""

    store: Store
    index: Value

    def for_each(self, scope: Scope, body: Body) -> None:
        containers.for_each_member(scope, self.store, self.index, body)

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        containers.for_each_located(scope, self.store, self.index, body)

    def members(self, scope: Scope) -> Value | None:
        if self.store.shape == "bits":
            return containers.members_of(scope, self.store, self.index)
        return None

    def size(self, scope: Scope) -> Value:
        return containers.size_of(scope, self.store, self.index)

    def is_empty(self, scope: Scope) -> Value:
        return containers.is_store_empty(scope, self.store, self.index)

    def contains(self, scope: Scope, value: Value) -> Value:
        kind, is_kind = split_optional_kind(scope, value, len(self.store.kinds))
        return logic("and", is_kind, containers.holds_kind(scope, self.store, self.index, kind))

    def first_or_last(self, scope: Scope, last: bool) -> Value | None:
        store, index, lines = self.store, self.index, scope.lines
        if store.shape == "bits":
            op = "highest" if last else "lowest"
            return narrow(Value(op, NUMBER, (containers.members_of(scope, store, index),)), 0, len(store.kinds) - 1)
        if store.shape == "row":
            length = containers.length_of(scope, store, index)
            at = lines.bind(binary("sub", length, number(1))) if last else number(0)
            return containers.item_at(scope, store, index, at)
        return None


@define(eq=False)
class JoinedZones(Collection):
    """What lies in one zone after the other."""

    parts: tuple[ZoneContents, ...]

    def for_each(self, scope: Scope, body: Body) -> None:
        members = self.members(scope)
        if members is not None:
            scope.lines.for_each_bit(members, body, bit_width(members.type))
            return
        self.for_each_part(scope, lambda part: part.for_each(scope, body))

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        self.for_each_part(scope, lambda part: part.for_each_located(scope, body))

    def for_each_part(self, scope: Scope, body: Callable[[ZoneContents], None]) -> None:
        """Each zone once, though it may be named twice."""
        for at, part in enumerate(self.parts):
            is_new: Value = YES
            for earlier in self.parts[:at]:
                if earlier.store is part.store:
                    is_new = logic("and", is_new, compare("is not", earlier.index, part.index))
            with scope.lines.when(is_new):
                body(part)

    def members(self, scope: Scope) -> Value | None:
        """All are different, so none lies in two places."""
        found = [part.members(scope) for part in self.parts]
        whole = found[0]
        for one in found[1:]:
            whole = combine_sets("or", whole, one) if whole is not None and one is not None else None
        return whole

    def contains(self, scope: Scope, value: Value) -> Value:
        value, found = scope.lines.bind(value), NO
        for part in self.parts:
            found = logic("or", found, part.contains(scope, value))
        return found


@define(eq=False)
class Everywhere(Collection):
    """Every component of a declaration wherever it lies, kind by kind; or those of kinds that fit."""

    kinds: Kinds
    fitting: Collection | None

    def for_each(self, scope: Scope, body: Body) -> None:
        self.for_each_located(scope, lambda one, _place: body(one))

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        lines = scope.lines

        def in_instance(store: Store, look: SpotBody, index: Value) -> None:
            containers.for_each_located(scope, store, lines.bind(narrow(index, 0, store.amount - 1)), look)

        def of_kind(kind: Value) -> None:
            kind = lines.bind(kind)

            def visit(one: Value, place: Value) -> None:
                with lines.when(compare("=", one, kind)):
                    body(kind, place)

            for store in containers.stores_of(scope, self.kinds):
                lines.for_range(number(0), number(store.amount - 1), partial(in_instance, store, visit))

        if self.fitting is None:
            lines.for_range(number(0), number(len(self.kinds) - 1), of_kind)
            return
        self.fitting.for_each(scope, of_kind)


@define(eq=False)
class Somewhere(Collection):
    """Components of which it matters where each of them lies."""

    base: Collection
    spots: Callable[[Scope, SpotBody], None]

    def for_each(self, scope: Scope, body: Body) -> None:
        self.base.for_each(scope, body)

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        self.spots(scope, body)

    def size(self, scope: Scope) -> Value:
        return self.base.size(scope)

    def contains(self, scope: Scope, value: Value) -> Value:
        return self.base.contains(scope, value)

    def first_or_last(self, scope: Scope, last: bool) -> Value | None:
        return self.base.first_or_last(scope, last)


@define(eq=False)
class ComponentSet(Collection):
    """Components all different, as a set of bits."""

    value: Value
    kinds: int

    def for_each(self, scope: Scope, body: Body) -> None:
        scope.lines.for_each_bit(self.value, body, self.kinds)

    def members(self, scope: Scope) -> Value | None:
        return self.value

    def contains(self, scope: Scope, value: Value) -> Value:
        kind, is_kind = split_optional_kind(scope, value, self.kinds)
        mask = Value("and", self.value.type, (self.value, singleton(self.value.type, kind)))
        return logic("and", is_kind, Value("is not", TRUTH, (mask, constant_set(self.value.type, 0))))

    def first_or_last(self, scope: Scope, last: bool) -> Value | None:
        return narrow(Value("highest" if last else "lowest", NUMBER, (self.value,)), 0, self.kinds - 1)


@define(eq=False)
class FilteredCollection(Collection):
    """Those of others for which a test holds."""

    base: Collection
    test: Test
    among: Value | None = None  # a set in which all of them are
    is_exact: bool = False  # it holds no others
    kinds: int = 0
    by_place: bool = False  # the test asks where the element lies

    def for_each(self, scope: Scope, body: Body) -> None:
        if self.by_place:
            self.for_each_located(scope, lambda one, _place: body(one))
            return
        lines = scope.lines

        def looked_at(one: Value) -> None:
            one = lines.bind(one)
            with lines.when(self.test(scope, one)):
                body(one)

        if self.among is not None:
            lines.for_each_bit(self.among, body if self.is_exact else looked_at, self.kinds)
        else:
            self.base.for_each(scope, looked_at)

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        lines = scope.lines

        def looked_at(one: Value, place: Value) -> None:
            one = lines.bind(one)
            with lines.when(self.test(scope, one, place)):
                body(one, place)

        self.base.for_each_located(scope, looked_at)

    def members(self, scope: Scope) -> Value | None:
        return self.among if self.is_exact else None

    def contains(self, scope: Scope, value: Value) -> Value:
        if self.by_place:
            return super().contains(scope, value)
        lines = scope.lines
        value = lines.bind(value)
        found = lines.variable(NO, "f")
        with lines.when(self.base.contains(scope, value)):
            lines.set(found, self.test(scope, value))
        return found


@define(eq=False)
class ValueList(Collection):
    """Values put down one after the other in a stretch of memory, with their number."""

    items: Field
    amount: Value
    low: int | None = None
    high: int | None = None
    where: Field | None = None  # for components of which it matters where they lie

    def item_at(self, scope: Scope, place: Value) -> Value:
        return narrow(scope.lines.load(self.items, place), self.low, self.high)

    def for_each_located(self, scope: Scope, body: SpotBody) -> None:
        where, lines = self.where, scope.lines
        if where is None:
            super().for_each_located(scope, body)
            return
        last = binary("sub", self.amount, number(1))
        lines.for_range(
            number(0), last, lambda at: body(lines.bind(self.item_at(scope, at)), lines.bind(lines.load(where, at)))
        )

    def for_each(self, scope: Scope, body: Body) -> None:
        last = binary("sub", self.amount, number(1))
        scope.lines.for_range(number(0), last, lambda at: body(scope.lines.bind(self.item_at(scope, at))))

    def size(self, scope: Scope) -> Value:
        return narrow(self.amount, 0, self.limit)

    def first_or_last(self, scope: Scope, last: bool) -> Value | None:
        return self.item_at(scope, scope.lines.bind(binary("sub", self.amount, number(1))) if last else number(0))


@define(eq=False)
class OrderValues(Collection):
    """The values of an `order`, in a variable."""

    items: Field
    base: Value

    def item_at(self, scope: Scope, place: Value) -> Value:
        return scope.lines.load(self.items, binary("add", self.base, place))

    def for_each(self, scope: Scope, body: Body) -> None:
        lines = scope.lines
        lines.for_range(number(0), number(self.limit - 1), lambda at: body(lines.bind(self.item_at(scope, at))))

    def size(self, scope: Scope) -> Value:
        return number(self.limit)

    def first_or_last(self, scope: Scope, last: bool) -> Value | None:
        return self.item_at(scope, number(self.limit - 1 if last else 0))
