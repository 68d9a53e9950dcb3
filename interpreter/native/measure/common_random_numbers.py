"""The reference's `CoupledLuck` in machine code: chance that two tables share, keyed by names, for pairs of games.

An option, a component, a roll is found by words that hang on the seed of the deal and on a name: where, when, who.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulesrun.dsl import ast
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    Constants,
    Field,
    X,
    both,
    compare,
    known,
    logic,
    number,
)
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.model.random import GOLDEN
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.flow.chance import Way
from rulesrun.interpreter.native.flow.random_games import mix, signed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, Store, ask, position_function
from rulesrun.interpreter.native.measure.shared_options import MOST_OPTIONS, OptionsDrawn
from rulesrun.interpreter.native.measure.stream_names import Texts, begun, blank_more, number_more, unsigned_less

NAMES = 4096  # names that are kept in a game; where there are more, the reference plays
MOST_NAMES = 3000
MOMENT = ("round", "phase", "turn", "number")

Fits = Callable[[Scope, X], X]


@define(eq=False)
class NativeLuck:
    """`turns`: how many turns there have been in the game."""

    plan: Plan
    lots: OptionLots
    turns: Callable[[Scope], X]
    texts: Texts = field(init=False)
    fields: dict[str, Field] = field(init=False, factory=dict)
    options: OptionsDrawn = field(init=False)
    _sources: list[int] = field(init=False, factory=list)  # by stream: what stands for its name and a blank
    _source_table: Constants = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan, seats = self.plan, self.plan.bench.players + 1
        self.texts = Texts(plan)
        self._source_table = Constants("names of sources", 64, self._sources)
        for name, amount in (
            ("key", 1), ("deal", 1), ("names used", 1), ("name", NAMES), ("name of deal", NAMES),
            ("kept by name", NAMES), *((f"moment {word}", seats) for word in MOMENT),
            ("cast place", seats), ("cast turn", seats), ("cast word", seats), ("cast again", seats),
            ("seen lots", seats), ("beaten lots", seats), ("seen", seats * MOST_OPTIONS),
            ("beaten", seats * MOST_OPTIONS), ("lots", MOST_OPTIONS), ("lots listed", 1),
        ):
            self.fields[name] = plan.scratch(f"luck {name}", 64, amount)
        self.options = OptionsDrawn(self)

    def finish(self) -> None:
        """When all is written, all sources are known."""
        self._sources.extend(begun(f"{self.named(name)} ") for name in self.plan.streams)

    def begin(self, scope: Scope) -> None:
        """A game begins."""
        lines, fields = scope.lines, self.fields
        lines.store(fields["deal"], both("add", lines.load(fields["deal"]), number(1)))
        lines.store(fields["names used"], number(0))
        for seat in range(self.plan.bench.players + 1):
            lines.store(fields["moment round"], number(-1), number(seat))
            lines.store(fields["cast turn"], number(-1), number(seat))

    # ---- names

    def named(self, source: str) -> str:
        name, bracket, rest = source.partition("[")
        return f"{self.lots.renamed(name)}{bracket}{rest}"

    def load(self, scope: Scope, name: str, at: X | None = None) -> X:
        return scope.lines.kept(scope.lines.load(self.fields[name], at))

    def now(self, scope: Scope, name: str) -> X:
        """The round, the phase, the player of this moment."""
        return scope.lines.kept(scope.lines.load(self.plan.fields[name]))

    def word(self, scope: Scope, name: X) -> X:
        """As the reference's `Streams.word`."""
        first = mix(X("xor", NUMBER, (self.load(scope, "key"), name)))
        return scope.lines.kept(mix(X("add", NUMBER, (first, number(signed(GOLDEN))))))

    def time_more(self, scope: Scope, name: X) -> X:
        """The round and the phase."""
        name = blank_more(scope, number_more(scope, name, self.now(scope, "round")))
        phases = self.lots.phases
        if not phases:
            return name
        table = self.plan.table_of("words of phases", self.texts.table(phases))
        phase = known(scope.lines.load(self.plan.fields["phase"]), 0, len(phases) - 1)
        return self.texts.more(scope, name, scope.lines.look_up(table, phase))

    def place_of_chance(self, scope: Scope, stream: X) -> X:
        """Of a source: the round, the phase, in phases of turns whose turn it is."""
        lines = scope.lines
        name = self.time_more(scope, lines.kept(X("table", NUMBER, (stream,), self._source_table)))
        if not any(self.lots.with_turns):
            return name
        table = self.plan.table_of("phases of turns", tuple(int(one) for one in self.lots.with_turns))
        phase = known(lines.load(self.plan.fields["phase"]), 0, len(self.lots.with_turns) - 1)
        found = lines.variable(name, "name")
        with lines.when(compare("=", lines.look_up(table, phase), number(1))):
            player = self.now(scope, "player")
            longer = number_more(scope, self.texts.more(scope, name, " player "), player)
            lines.set(found, number_more(scope, blank_more(scope, longer), self.number(scope, player)))
        return found

    def number(self, scope: Scope, seat: X) -> X:
        """Which turn of the seat in this phase of this round it is; kept, for the next time it is asked."""
        def write(inner: Scope, given: list[X]) -> X:
            lines, whose = inner.lines, given[0]
            now = {"round": self.now(inner, "round"), "phase": self.now(inner, "phase"), "turn": self.turns(inner)}
            had = {word: self.load(inner, f"moment {word}", whose) for word in MOMENT}
            same = lines.kept(logic("and", compare("=", now["round"], had["round"]),
                                    compare("=", now["phase"], had["phase"])))
            found = lines.variable(had["number"], "n")
            with lines.when(logic("or", X("not", TRUTH, (same,)), compare("is not", now["turn"], had["turn"]))):
                lines.set(found, number(0))
                with lines.when(same):
                    lines.set(found, both("add", had["number"], number(1)))
                for word, value in (*now.items(), ("number", found)):
                    lines.store(self.fields[f"moment {word}"], value, whose)
            return found

        function = position_function(self.plan, "turn of a seat", "which turn", ("seat",), NUMBER, write)
        return scope.lines.kept(ask(function, scope, seat))

    def kept_at(self, scope: Scope, name: X) -> X:
        """Where a number is kept by this name, in this game; a new one is 0."""
        def write(inner: Scope, given: list[X]) -> X:
            lines, fields = inner.lines, self.fields
            at = lines.variable(X("and", NUMBER, (given[0], number(NAMES - 1))), "at")
            deal, used = self.load(inner, "deal"), self.load(inner, "names used")
            inner.fault_when(compare(">", used, number(MOST_NAMES)), LEFT, self.plan.bench.program.game)
            with lines.loop() as found:
                with lines.when(compare("is not", lines.load(fields["name of deal"], at), deal)):
                    for field_name, value in (("name of deal", deal), ("name", given[0]), ("kept by name", number(0))):
                        lines.store(fields[field_name], value, at)
                    with lines.when(compare("<=", used, number(MOST_NAMES))):
                        lines.store(fields["names used"], both("add", used, number(1)))
                    lines.leave(found)
                lines.leave(found, compare("=", lines.load(fields["name"], at), given[0]))
                lines.leave(found, compare(">", used, number(MOST_NAMES)))
                lines.set(at, X("and", NUMBER, (both("add", at, number(1)), number(NAMES - 1))))
            return at

        function = position_function(self.plan, "kept by name", "by name", ("name",), NUMBER, write)
        return scope.lines.kept(known(ask(function, scope, name), 0, NAMES - 1))

    # ---- chance

    def below(self, scope: Scope, limit: X, stream: X) -> X:
        """A roll, a lot, an order: the streams are those of a source at a time."""
        lines, place = scope.lines, self.fields["kept by name"]
        name = self.place_of_chance(scope, stream)
        at = self.kept_at(scope, name)
        with lines.when(compare("=", lines.load(place, at), number(0))):
            lines.store(place, mix(X("xor", NUMBER, (self.load(scope, "key"), name))), at)
        high = limit.high - 1 if limit.high is not None else None
        return lines.kept(X("below", NUMBER, (at, limit), place, 0, high), "r")

    def drawn_word(self, scope: Scope, way: Way) -> X:
        """The word of the next component that goes this way."""
        lines, place = scope.lines, self.fields["kept by name"]
        name = self.texts.more(scope, self.place_of_chance(scope, way.stream), " to ")
        names = self.plan.table_of("words of places", self.texts.table([self.named(one) for one in way.room.names]))
        name = self.texts.more(scope, name, lines.look_up(names, known(way.index(), 0, way.room.amount - 1)))
        at = self.kept_at(scope, name)
        many = lines.kept(both("add", lines.load(place, at), number(1)))
        lines.store(place, many, at)
        return self.word(scope, number_more(scope, blank_more(scope, name), many))

    def draw(self, scope: Scope, part: Store, index: X, fits: Fits, way: Way, kind: X, found: str) -> None:
        """The component with the highest lot, where one of this part may come; then leaves `found`."""
        lines = scope.lines
        if part.shape == "row":
            self.draw_from_row(scope, part, index, fits, way, kind, found)
            return
        some, most = lines.variable(NO, "f"), lines.variable(number(0), "l")
        chance = lines.variable(number(0), "w")

        def look(one: X, amount: X) -> None:
            with lines.when(compare(">", amount, number(0))), lines.when(fits(scope, one)):
                with lines.when(X("not", TRUTH, (some,))):
                    lines.set(chance, self.drawn_word(scope, way))
                lines.count_through(number(1), amount, lambda copy: self.hold(
                    scope, part, one, copy, chance, some, most, kind
                ))

        self.each_kind(scope, part, index, look)
        with lines.when(some):
            locations.take_drawn(scope, part, index, known(kind, 0, len(part.kinds) - 1))
            lines.leave(found)

    def each_kind(self, scope: Scope, part: Store, index: X, look: Callable[[X, X], None]) -> None:
        if part.shape == "bits":
            containers.each_member(scope, part, index, lambda one: look(one, number(1)))
            return
        scope.lines.count_through(number(0), number(len(part.kinds) - 1), lambda one: look(
            one, scope.lines.kept(containers.amount_of(scope, part, index, one))
        ))

    def hold(self, scope: Scope, part: Store, one: X, copy: X, chance: X, some: X, most: X, kind: X) -> None:
        """Keeps the component whose lot is the highest so far."""
        lines, kinds = scope.lines, part.kinds
        copies = max(kinds.copies, default=1)
        numbers = tuple(
            signed(self.lots.of_component(name, many)) for name in kinds.names for many in range(1, copies + 1)
        )
        table = self.plan.table_of("lots of components", numbers)
        at = both("add", both("mul", one, number(copies)), both("sub", copy, number(1)))
        lot = lines.kept(mix(X("xor", NUMBER, (chance, X("table", NUMBER, (at,), table)))))
        with lines.when(logic("or", X("not", TRUTH, (some,)), unsigned_less(most, lot))):
            for target, value in ((some, YES), (most, lot), (kind, one)):
                lines.set(target, value)

    def draw_from_row(self, scope: Scope, part: Store, index: X, fits: Fits, way: Way, kind: X, found: str) -> None:
        """Where the order is known, the topmost that fits comes."""
        lines = scope.lines
        at = lines.variable(both("sub", containers.length_of(scope, part, index), number(1)), "i")
        with lines.loop() as over:
            lines.leave(over, compare("<", at, number(0)))
            one = lines.kept(containers.item_at(scope, part, index, at), "k")
            with lines.when(fits(scope, one)):
                self.drawn_word(scope, way)  # it counts as drawn there
                lines.set(kind, one)
                locations.take_one(scope, part, index, at, one, number(0), locations.follows_draws(scope, part))
                lines.leave(found)
            lines.add_to(at, number(-1))

    def choice(self, scope: Scope, actions: list[ast.Action], total: X, chooser: X) -> X:
        return self.options.choice(scope, actions, total, chooser)
