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
    X,
    as_number,
    bit,
    both,
    compare,
    how_many,
    is_empty,
    known,
    logic,
    mix_sets,
    number,
    set_constant,
)
from rulesrun.interpreter.model.components import Kinds
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Scope, Store

Body = Callable[[X], None]
SpotBody = Callable[[X, X], None]
Test = Callable[..., X]  # of the scope, the element, and where it lies if that matters


@define(eq=False)
class Several:
    """`limit`: how many there are at most. `kinds`: of which set type, for components that are all different."""

    limit: int = field(kw_only=True)
    set_type: str | None = field(kw_only=True, default=None)

    def each(self, scope: Scope, body: Body) -> None:
        raise NotImplementedError

    def each_spot(self, scope: Scope, body: SpotBody) -> None:
        """The same, with where each of them lies."""
        self.each(scope, lambda one: body(one, number(containers.NOWHERE)))

    def members(self, scope: Scope) -> X | None:
        """All of them as a set of bits, where that can be had without going through them."""
        return None

    def size(self, scope: Scope) -> X:
        members = self.members(scope)
        if members is not None:
            return known(how_many(members), 0, self.limit)
        total = scope.lines.variable(number(0), "n")
        self.each(scope, lambda _: scope.lines.add_to(total, number(1)))
        return known(total, 0, self.limit)

    def is_empty(self, scope: Scope) -> X:
        members = self.members(scope)
        if members is not None:
            return is_empty(members)
        return compare("=", self.size(scope), number(0))

    def contains(self, scope: Scope, value: X) -> X:
        lines = scope.lines
        found, value = lines.variable(NO, "f"), lines.kept(as_number(value))
        with lines.block() as done:
            def look(one: X) -> None:
                with lines.when(compare("=", as_number(one), value)):
                    lines.set(found, YES)
                    lines.leave(done)

            self.each(scope, look)
        return found

    def end(self, scope: Scope, last: bool) -> X | None:
        """The last or first, of several that are not empty; None: to be found by going through them."""
        return None


@define(eq=False)
class Stretch(Several):
    """Every whole number from `first` to `last`."""

    first: X
    last: X

    def each(self, scope: Scope, body: Body) -> None:
        scope.lines.count_through(self.first, self.last, body)

    def size(self, scope: Scope) -> X:
        amount = both("add", both("sub", self.last, self.first), number(1))
        return both("max", amount, number(0))

    def contains(self, scope: Scope, value: X) -> X:
        value = scope.lines.kept(value)
        return logic("and", compare(">=", value, self.first), compare("<=", value, self.last))


@define(eq=False)
class Fixed(Several):
    """Values known before the game."""

    values: tuple[int, ...]

    def each(self, scope: Scope, body: Body) -> None:
        values, lines = self.values, scope.lines
        if values == tuple(range(values[0], values[0] + len(values))) if values else False:
            lines.count_through(number(values[0]), number(values[-1]), body)
            return
        if values:
            table = scope.plan.table_of("values", values)
            last = number(len(values) - 1)
            lines.count_through(number(0), last, lambda at: body(lines.kept(lines.look_up(table, at))))

    def members(self, scope: Scope) -> X | None:
        if self.set_type is None or len(set(self.values)) != len(self.values):
            return None
        return set_constant(self.set_type, sum(1 << value for value in self.values))

    def size(self, scope: Scope) -> X:
        return number(len(self.values))

    def contains(self, scope: Scope, value: X) -> X:
        values = sorted(set(self.values))
        if not values:
            return NO
        value = scope.lines.kept(value)
        if values == list(range(values[0], values[-1] + 1)):
            return logic("and", compare(">=", value, number(values[0])), compare("<=", value, number(values[-1])))
        found: X = NO
        for one in values:
            found = logic("or", found, compare("=", value, number(one)))
        return found


@define(eq=False)
class Written(Several):
    """`{a, b}`."""

    values: tuple[X, ...]

    def each(self, scope: Scope, body: Body) -> None:
        for value in self.values:
            body(value)

    def size(self, scope: Scope) -> X:
        return number(len(self.values))

    def members(self, scope: Scope) -> X | None:
        return None

    def contains(self, scope: Scope, value: X) -> X:
        value = scope.lines.kept(as_number(value))
        found: X = NO
        for one in self.values:
            found = logic("or", found, compare("=", value, as_number(one)))
        return found


@define(eq=False)
class Seats(Several):
    """The players, without one of them."""

    players: int
    without: X | None

    def each(self, scope: Scope, body: Body) -> None:
        lines, without = scope.lines, self.without
        if without is None:
            lines.count_through(number(1), number(self.players), body)
            return

        def other(one: X) -> None:
            with lines.when(compare("is not", one, without)):
                body(one)

        lines.count_through(number(1), number(self.players), other)

    def size(self, scope: Scope) -> X:
        return number(self.players - (self.without is not None))


def kind_meant(scope: Scope, value: X, kinds: int) -> tuple[X, X]:
    """A component that may be `nothing`: a kind to look for, and whether it is one."""
    if value.low is not None and value.high is not None and value.low >= 0 and value.high < kinds:
        return value, YES
    value = scope.lines.kept(value)
    is_kind = scope.lines.kept(logic("and", compare(">=", value, number(0)), compare("<", value, number(kinds))))
    return scope.lines.kept(known(X("select", NUMBER, (is_kind, value, number(0))), 0, kinds - 1)), is_kind


@define(eq=False)
class Lying(Several):
    """What lies in a zone."""

    store: Store
    index: X

    def each(self, scope: Scope, body: Body) -> None:
        containers.each_member(scope, self.store, self.index, body)

    def each_spot(self, scope: Scope, body: SpotBody) -> None:
        containers.each_spot(scope, self.store, self.index, body)

    def members(self, scope: Scope) -> X | None:
        if self.store.shape == "bits":
            return containers.set_of(scope, self.store, self.index)
        return None

    def size(self, scope: Scope) -> X:
        return containers.size(scope, self.store, self.index)

    def is_empty(self, scope: Scope) -> X:
        return containers.is_nothing_there(scope, self.store, self.index)

    def contains(self, scope: Scope, value: X) -> X:
        kind, is_kind = kind_meant(scope, value, len(self.store.kinds))
        return logic("and", is_kind, containers.holds(scope, self.store, self.index, kind))

    def end(self, scope: Scope, last: bool) -> X | None:
        store, index, lines = self.store, self.index, scope.lines
        if store.shape == "bits":
            op = "highest" if last else "lowest"
            return known(X(op, NUMBER, (containers.set_of(scope, store, index),)), 0, len(store.kinds) - 1)
        if store.shape == "row":
            length = containers.length_of(scope, store, index)
            at = lines.kept(both("sub", length, number(1))) if last else number(0)
            return containers.item_at(scope, store, index, at)
        return None


@define(eq=False)
class Everywhere(Several):
    """Every component of a declaration wherever it lies, kind by kind; or those of kinds that fit."""

    kinds: Kinds
    fitting: Several | None

    def each(self, scope: Scope, body: Body) -> None:
        self.each_spot(scope, lambda one, _place: body(one))

    def each_spot(self, scope: Scope, body: SpotBody) -> None:
        lines = scope.lines

        def in_instance(store: Store, look: SpotBody, index: X) -> None:
            containers.each_spot(scope, store, lines.kept(known(index, 0, store.amount - 1)), look)

        def of_kind(kind: X) -> None:
            kind = lines.kept(kind)

            def look(one: X, place: X) -> None:
                with lines.when(compare("=", one, kind)):
                    body(kind, place)

            for store in containers.stores_of(scope, self.kinds):
                lines.count_through(number(0), number(store.amount - 1), partial(in_instance, store, look))

        if self.fitting is None:
            lines.count_through(number(0), number(len(self.kinds) - 1), of_kind)
            return
        self.fitting.each(scope, of_kind)


@define(eq=False)
class Somewhere(Several):
    """Components of which it matters where each of them lies."""

    base: Several
    spots: Callable[[Scope, SpotBody], None]

    def each(self, scope: Scope, body: Body) -> None:
        self.base.each(scope, body)

    def each_spot(self, scope: Scope, body: SpotBody) -> None:
        self.spots(scope, body)

    def size(self, scope: Scope) -> X:
        return self.base.size(scope)

    def contains(self, scope: Scope, value: X) -> X:
        return self.base.contains(scope, value)

    def end(self, scope: Scope, last: bool) -> X | None:
        return self.base.end(scope, last)


@define(eq=False)
class Members(Several):
    """Components all different, as a set of bits."""

    value: X
    kinds: int

    def each(self, scope: Scope, body: Body) -> None:
        scope.lines.each_bit(self.value, body, self.kinds)

    def members(self, scope: Scope) -> X | None:
        return self.value

    def contains(self, scope: Scope, value: X) -> X:
        kind, is_kind = kind_meant(scope, value, self.kinds)
        mask = X("and", self.value.type, (self.value, bit(self.value.type, kind)))
        return logic("and", is_kind, X("is not", TRUTH, (mask, set_constant(self.value.type, 0))))

    def end(self, scope: Scope, last: bool) -> X | None:
        return known(X("highest" if last else "lowest", NUMBER, (self.value,)), 0, self.kinds - 1)


@define(eq=False)
class Fitting(Several):
    """Those of others for which a test holds."""

    base: Several
    test: Test
    mask: X | None = None  # the test as a set of kinds
    kinds: int = 0
    by_place: bool = False  # the test asks where the element lies

    def each(self, scope: Scope, body: Body) -> None:
        if self.by_place:
            self.each_spot(scope, lambda one, _place: body(one))
            return
        members = self.members(scope)
        if members is not None:
            scope.lines.each_bit(members, body, self.kinds)
            return
        lines = scope.lines

        def looked_at(one: X) -> None:
            one = lines.kept(one)
            with lines.when(self.test(scope, one)):
                body(one)

        self.base.each(scope, looked_at)

    def each_spot(self, scope: Scope, body: SpotBody) -> None:
        lines = scope.lines

        def looked_at(one: X, place: X) -> None:
            one = lines.kept(one)
            with lines.when(self.test(scope, one, place)):
                body(one, place)

        self.base.each_spot(scope, looked_at)

    def members(self, scope: Scope) -> X | None:
        base = self.base.members(scope)
        return mix_sets("and", base, self.mask) if base is not None and self.mask is not None else None

    def contains(self, scope: Scope, value: X) -> X:
        if self.by_place:
            return super().contains(scope, value)
        lines = scope.lines
        value = lines.kept(value)
        found = lines.variable(NO, "f")
        with lines.when(self.base.contains(scope, value)):
            lines.set(found, self.test(scope, value))
        return found


@define(eq=False)
class Listed(Several):
    """Values put down one after the other in a stretch of memory, with their number."""

    items: Field
    amount: X
    low: int | None = None
    high: int | None = None
    where: Field | None = None  # for components of which it matters where they lie

    def at(self, scope: Scope, place: X) -> X:
        return known(scope.lines.load(self.items, place), self.low, self.high)

    def each_spot(self, scope: Scope, body: SpotBody) -> None:
        where, lines = self.where, scope.lines
        if where is None:
            super().each_spot(scope, body)
            return
        last = both("sub", self.amount, number(1))
        lines.count_through(
            number(0), last, lambda at: body(lines.kept(self.at(scope, at)), lines.kept(lines.load(where, at)))
        )

    def each(self, scope: Scope, body: Body) -> None:
        last = both("sub", self.amount, number(1))
        scope.lines.count_through(number(0), last, lambda at: body(scope.lines.kept(self.at(scope, at))))

    def size(self, scope: Scope) -> X:
        return known(self.amount, 0, self.limit)

    def end(self, scope: Scope, last: bool) -> X | None:
        return self.at(scope, scope.lines.kept(both("sub", self.amount, number(1))) if last else number(0))


@define(eq=False)
class Ordered(Several):
    """The values of an `order`, in a variable."""

    items: Field
    base: X

    def at(self, scope: Scope, place: X) -> X:
        return scope.lines.load(self.items, both("add", self.base, place))

    def each(self, scope: Scope, body: Body) -> None:
        lines = scope.lines
        lines.count_through(number(0), number(self.limit - 1), lambda at: body(lines.kept(self.at(scope, at))))

    def size(self, scope: Scope) -> X:
        return number(self.limit)

    def end(self, scope: Scope, last: bool) -> X | None:
        return self.at(scope, number(self.limit - 1 if last else 0))
