"""What may be chosen: for an action, how many legal ways there are, and which values its choices have in the k-th.

Options are counted without being listed; where the last choice is among components that are all
different and its conditions are masks, they are counted without being gone through.
"""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import item_of
from rulesrun.interpreter.form.form import (
    NUMBER,
    Field,
    Function,
    X,
    as_number,
    both,
    compare,
    how_many,
    known,
    mix_sets,
    number,
)
from rulesrun.interpreter.native.expressions import (
    combinations,
    component_masks,
    gathering,
    kept_lists,
    list_values,
    scales,
)
from rulesrun.interpreter.native.expressions.collections import Fitting, Fixed, Lying, Members, Seats, Several, Stretch
from rulesrun.interpreter.native.expressions.lists import Different, listed, sort_listed
from rulesrun.interpreter.native.expressions.option_counts import Crossed, Grid, quick_ways
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import Plan, Scope, bounds, position_function
from rulesrun.interpreter.reference.options import ReadyAction

Done = Callable[[Scope], None]
Many = Callable[[Scope, X, int], None]


def registers(plan: Plan, action: ast.Action) -> list[Field]:
    """Where the values of the choices are kept while the effects happen."""
    found: list[Field] = []
    for choice in action.choices:
        scales.refuse_fractions(plan, choice.domain, "a choice")
        if choice.count is not None:
            found.extend(combinations.fields_of(plan, choice))
            continue
        if id(choice) not in plan.fixed_names:
            lay_out_choice(plan, choice, f"{action.name.text}.{choice.name.text}")
        found.append(plan.fixed_names[id(choice)])
    return found


def lay_out_choice(plan: Plan, choice: ast.Choice, name: str) -> None:
    levels = list_values.depth(plan.bench.type_of(choice.domain))
    if levels > 1:
        kept_lists.register_of(plan, choice, name, choice.domain, levels - 1)
        return
    low, high = choice_bounds(plan, choice)
    plan.fixed_names[id(choice)] = plan.number_field(name, low or 0, 1 << 30 if high is None else high, 1, low or 0)


def choice_bounds(plan: Plan, choice: ast.Choice) -> tuple[int | None, int | None]:
    return bounds(plan, item_of(plan.bench.type_of(choice.domain)))


def is_left_out(plan: Plan, action: ast.Action) -> bool:
    """Whether the rules are played without it: then nobody can do it."""
    return id(action) in plan.bench.left_out


def counting(plan: Plan, action: ast.Action) -> Function:
    """How many ways `player` has."""
    def write(scope: Scope, given: list[X]) -> X:
        if is_left_out(plan, action):
            return number(0)
        quick = quick_ways(scope, plan.table.actions.of(action))
        if isinstance(quick, (Grid, Crossed)):
            return quick.count()
        if quick is not None:
            with scope.lines.when(quick.are_apart()):
                scope.lines.add("return", quick.count())
        total = scope.lines.variable(number(0), "n")
        Walk(scope, plan.table.actions.of(action)).all(
            lambda inner: inner.lines.add_to(total, number(1)),
            lambda inner, members, kinds: inner.lines.add_to(total, how_many(members)),
        )
        return total

    return position_function(plan, ("count", id(action)), f"ways to {action.name.text}", (), NUMBER, write)


def taking(plan: Plan, action: ast.Action) -> Function:
    """Puts the values of the k-th way into the registers of the choices."""
    fields = registers(plan, action)

    def write(scope: Scope, given: list[X]) -> None:
        lines = scope.lines
        quick = quick_ways(scope, plan.table.actions.of(action))
        if isinstance(quick, (Grid, Crossed)):
            store_all(scope, fields, quick.chosen(scope, given[0]))
            return
        if quick is not None:
            with lines.when(quick.are_apart()):
                store_all(scope, fields, quick.chosen(scope, given[0]))
                lines.add("return")
        left = lines.variable(given[0], "n")
        with lines.block() as done:
            def chosen(inner: Scope) -> None:
                with lines.when(compare("=", left, number(0))):
                    keep_all(inner, action)
                    lines.leave(done)
                lines.add_to(left, number(-1))

            def among(inner: Scope, members: X, kinds: int) -> None:
                amount = lines.kept(how_many(members))
                with lines.when(compare("<", left, amount)):
                    kind = known(X("kth", NUMBER, (members, left)), 0, kinds - 1)
                    inner.names[id(action.choices[-1])] = kind
                    keep_all(inner, action)
                    lines.leave(done)
                lines.set(left, both("sub", left, amount))

            Walk(scope, plan.table.actions.of(action)).all(chosen, among)

    return position_function(plan, ("choose", id(action)), f"choose {action.name.text}", ("which",), None, write)


def store_all(scope: Scope, fields: list[Field], values: list[X]) -> None:
    for place, value in zip(fields, values, strict=True):
        scope.lines.store(place, value)


def keep_all(scope: Scope, action: ast.Action) -> None:
    """The way that is being looked at is the one that is chosen."""
    for choice in action.choices:
        if choice.count is not None:
            combinations.keep(scope, choice)
        elif id(choice) in scope.plan.lists:
            kept_lists.keep(scope, scope.names[id(choice)], scope.plan.lists[id(choice)], choice)
        else:
            scope.lines.store(scope.plan.fixed_names[id(choice)], scope.names[id(choice)])


class Walk:
    """Goes through all legal ways to do an action, in their order."""

    def __init__(self, scope: Scope, ready: ReadyAction) -> None:
        self.scope, self.ready = scope, ready

    def all(self, each: Done, among: Many) -> None:
        self.level(self.scope.inner(), 0, each, among)

    def needs(self, level: int) -> list[ast.Expr]:
        return [need.condition for at, need, _ in self.ready.needs if at == level]

    def level(self, scope: Scope, level: int, each: Done, among: Many) -> None:
        """Tests what can be tested so far, then the next choice."""
        self.tested(scope, self.needs(level), lambda: self.choose(scope, level, each, among))

    def tested(self, scope: Scope, needs: list[ast.Expr], then: Callable[[], None]) -> None:
        if not needs:
            then()
            return
        with scope.lines.when(scope.condition(needs[0])):
            self.tested(scope, needs[1:], then)

    def choose(self, scope: Scope, level: int, each: Done, among: Many) -> None:
        choices = self.ready.action.choices
        if level == len(choices):
            each(scope)
            return
        choice = choices[level]
        if choice.count is not None:
            self.choose_several(scope, choice, level, each, among)
            return
        collection = in_order(scope.several(choice.domain))
        if level + 1 == len(choices) and self.by_mask(scope, choice, collection, level, among):
            return
        low, high = choice_bounds(scope.plan, choice)

        def chosen(one: X) -> None:
            inner = scope.inner()
            inner.names[id(choice)] = scope.lines.kept(known(as_number(one), low, high), "c")
            if choice.name.text == "player":
                inner.player = inner.names[id(choice)]
            self.level(inner, level + 1, each, among)

        each_once(scope, collection, chosen, list_values.depth_of(scope, choice.domain) - 1)

    def choose_several(self, scope: Scope, choice: ast.Choice, level: int, each: Done, among: Many) -> None:
        def looked_at(selection: X) -> None:
            inner = scope.inner()
            inner.names[id(choice)] = selection
            self.level(inner, level + 1, each, among)

        combinations.each_selection(scope, choice, looked_at)

    def by_mask(self, scope: Scope, choice: ast.Choice, collection: Several, level: int, among: Many) -> bool:
        kinds = gathering.kinds_of(scope, choice.domain)
        if kinds is None or choice.name.text == "player" or collection.set_type is None:
            return False
        members = collection.members(scope)
        if members is None:
            return False
        lines = list(scope.lines.lines)
        for need in self.needs(level + 1):
            mask = component_masks.mask_of(scope, need, component_masks.element(kinds, id(choice)), kinds)
            if mask is None:
                scope.lines.lines[:] = lines
                return False
            members = mix_sets("and", members, mask)
        among(scope, scope.lines.kept(members, "m"), len(kinds))
        return True


def in_order(collection: Several) -> Several:
    """Values without doubles, in their order."""
    if isinstance(collection, Fixed):
        return Fixed(tuple(sorted(set(collection.values))), limit=collection.limit, set_type=collection.set_type)
    return collection


def each_once(scope: Scope, collection: Several, body: Callable[[X], None], levels: int) -> None:
    """Those of a zone with equal components: each kind once. `levels`: how many times each is a list."""
    if isinstance(collection, Lying) and collection.store.shape == "counts":
        store, index, lines = collection.store, collection.index, scope.lines

        def of_kind(kind: X) -> None:
            with lines.when(compare(">", containers.amount_of(scope, store, index, kind), number(0))):
                body(kind)

        lines.count_through(number(0), number(len(store.kinds) - 1), of_kind)
        return
    if is_in_order(collection):
        collection.each(scope, body)
        return
    sorted_once(scope, collection, body, levels)


def is_in_order(collection: Several) -> bool:

    if isinstance(collection, Fitting):
        return is_in_order(collection.base)
    if isinstance(collection, Lying):
        return collection.store.shape == "bits"
    return isinstance(collection, (Fixed, Stretch, Seats, Members))


def sorted_once(scope: Scope, collection: Several, body: Callable[[X], None], levels: int) -> None:

    lines = scope.lines
    values = listed(scope, collection)
    sort_listed(scope, values, levels=levels)
    if levels > 0:
        Different(values, levels, limit=values.limit).each(scope, body)
        return
    last = lines.variable(number(-(1 << 40)), "l")

    def look(one: X) -> None:
        with lines.when(compare("is not", one, last)):
            lines.set(last, one)
            body(one)

    values.each(scope, look)

