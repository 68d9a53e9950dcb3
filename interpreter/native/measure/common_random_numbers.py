"""The reference's `CoupledLuck` in machine code: chance that two tables share, keyed by names, for pairs of games.

An option, a component, a roll is found by words that hang on the seed of the deal and on a name: where, when, who.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    Constants,
    Field,
    Value,
    binary,
    compare,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.random import GOLDEN
from rulesrun.interpreter.native.expressions import locations
from rulesrun.interpreter.native.flow.chance import DrawRoute
from rulesrun.interpreter.native.flow.random_games import mix_word, to_signed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import LEFT, Plan, Scope, Store, call_for_player, position_function
from rulesrun.interpreter.native.measure.shared_options import MOST_OPTIONS, OptionDraw
from rulesrun.interpreter.native.measure.stream_names import (
    WordTable,
    append_blank,
    append_number,
    begin_name,
    is_unsigned_less,
)

NAMES = 4096  # names that are kept in a game; where there are more, the reference plays
MOST_NAMES = 3000
MOMENT = ("round", "phase", "turn", "number")

Fits = Callable[[Scope, Value], Value]


@define(eq=False)
class NativeCoupledLuck:
    """`turns`: how many turns there have been in the game."""

    plan: Plan
    lots: OptionLots
    turns: Callable[[Scope], Value]
    texts: WordTable = field(init=False)
    fields: dict[str, Field] = field(init=False, factory=dict)
    options: OptionDraw = field(init=False)
    _sources: list[int] = field(init=False, factory=list)  # by stream: what stands for its name and a blank
    _source_table: Constants = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan, seats = self.plan, self.plan.bench.players + 1
        self.texts = WordTable(plan)
        self._source_table = Constants("names of sources", 64, self._sources)
        for name, amount in (
            ("key", 1), ("deal", 1), ("names used", 1), ("name", NAMES), ("name of deal", NAMES),
            ("kept by name", NAMES), *((f"moment {word}", seats) for word in MOMENT),
            ("cast place", seats), ("cast turn", seats), ("cast word", seats), ("cast again", seats),
            ("seen lots", seats), ("beaten lots", seats), ("seen", seats * MOST_OPTIONS),
            ("beaten", seats * MOST_OPTIONS), ("lots", MOST_OPTIONS), ("lots listed", 1),
        ):
            self.fields[name] = plan.add_scratch(f"luck {name}", 64, amount)
        self.options = OptionDraw(self)

    def finish(self) -> None:
        """When all is written, all sources are known."""
        self._sources.extend(begin_name(f"{self.rename_source(name)} ") for name in self.plan.streams)

    def begin(self, scope: Scope) -> None:
        """A game begins."""
        lines, fields = scope.lines, self.fields
        lines.store(fields["deal"], binary("add", lines.load(fields["deal"]), number(1)))
        lines.store(fields["names used"], number(0))
        for seat in range(self.plan.bench.players + 1):
            lines.store(fields["moment round"], number(-1), number(seat))
            lines.store(fields["cast turn"], number(-1), number(seat))

    # ---- names

    def rename_source(self, source: str) -> str:
        name, bracket, rest = source.partition("[")
        return f"{self.lots.renamed(name)}{bracket}{rest}"

    def load_luck_field(self, scope: Scope, name: str, at: Value | None = None) -> Value:
        return scope.lines.bind(scope.lines.load(self.fields[name], at))

    def load_current(self, scope: Scope, name: str) -> Value:
        """The round, the phase, the player of this moment."""
        return scope.lines.bind(scope.lines.load(self.plan.fields[name]))

    def random_word(self, scope: Scope, name: Value) -> Value:
        """As the reference's `Streams.random_word`."""
        first = mix_word(Value("xor", NUMBER, (self.load_luck_field(scope, "key"), name)))
        return scope.lines.bind(mix_word(Value("add", NUMBER, (first, number(to_signed(GOLDEN))))))

    def append_time(self, scope: Scope, name: Value) -> Value:
        """The round and the phase."""
        name = append_blank(scope, append_number(scope, name, self.load_current(scope, "round")))
        phases = self.lots.phases
        if not phases:
            return name
        table = self.plan.add_constants("words of phases", self.texts.word_numbers(phases))
        phase = narrow(scope.lines.load(self.plan.fields["phase"]), 0, len(phases) - 1)
        return self.texts.append_word(scope, name, scope.lines.look_up(table, phase))

    def name_chance_place(self, scope: Scope, stream: Value) -> Value:
        """Of a source: the round, the phase, in phases of turns whose turn it is."""
        lines = scope.lines
        name = self.append_time(scope, lines.bind(Value("table", NUMBER, (stream,), self._source_table)))
        if not any(self.lots.with_turns):
            return name
        table = self.plan.add_constants("phases of turns", tuple(int(one) for one in self.lots.with_turns))
        phase = narrow(lines.load(self.plan.fields["phase"]), 0, len(self.lots.with_turns) - 1)
        found = lines.variable(name, "name")
        with lines.when(compare("=", lines.look_up(table, phase), number(1))):
            player = self.load_current(scope, "player")
            longer = append_number(scope, self.texts.append_word(scope, name, " player "), player)
            lines.set(found, append_number(scope, append_blank(scope, longer), self.turn_number(scope, player)))
        return found

    def turn_number(self, scope: Scope, seat: Value) -> Value:
        """Which turn of the seat in this phase of this round it is; kept, for the next time it is asked."""
        def write(inner: Scope, given: list[Value]) -> Value:
            lines, whose = inner.lines, given[0]
            now = {
                "round": self.load_current(inner, "round"),
                "phase": self.load_current(inner, "phase"),
                "turn": self.turns(inner),
            }
            had = {word: self.load_luck_field(inner, f"moment {word}", whose) for word in MOMENT}
            same = lines.bind(logic("and", compare("=", now["round"], had["round"]),
                                    compare("=", now["phase"], had["phase"])))
            found = lines.variable(had["number"], "n")
            with lines.when(logic("or", Value("not", TRUTH, (same,)), compare("is not", now["turn"], had["turn"]))):
                lines.set(found, number(0))
                with lines.when(same):
                    lines.set(found, binary("add", had["number"], number(1)))
                for word, value in (*now.items(), ("number", found)):
                    lines.store(self.fields[f"moment {word}"], value, whose)
            return found

        function = position_function(self.plan, "turn of a seat", "which turn", ("seat",), NUMBER, write)
        return scope.lines.bind(call_for_player(function, scope, seat))

    def find_kept_place(self, scope: Scope, name: Value) -> Value:
        """Where a number is kept by this name, in this game; a new one is 0."""
        def write(inner: Scope, given: list[Value]) -> Value:
            lines, fields = inner.lines, self.fields
            at = lines.variable(Value("and", NUMBER, (given[0], number(NAMES - 1))), "at")
            deal, used = self.load_luck_field(inner, "deal"), self.load_luck_field(inner, "names used")
            inner.emit_fault_if(compare(">", used, number(MOST_NAMES)), LEFT, self.plan.bench.program.game)
            with lines.loop() as found:
                with lines.when(compare("is not", lines.load(fields["name of deal"], at), deal)):
                    for field_name, value in (("name of deal", deal), ("name", given[0]), ("kept by name", number(0))):
                        lines.store(fields[field_name], value, at)
                    with lines.when(compare("<=", used, number(MOST_NAMES))):
                        lines.store(fields["names used"], binary("add", used, number(1)))
                    lines.leave(found)
                lines.leave(found, compare("=", lines.load(fields["name"], at), given[0]))
                lines.leave(found, compare(">", used, number(MOST_NAMES)))
                lines.set(at, Value("and", NUMBER, (binary("add", at, number(1)), number(NAMES - 1))))
            return at

        function = position_function(self.plan, "kept by name", "by name", ("name",), NUMBER, write)
        return scope.lines.bind(narrow(call_for_player(function, scope, name), 0, NAMES - 1))

    # ---- chance

    def below(self, scope: Scope, limit: Value, stream: Value) -> Value:
        """A roll, a lot, an order: the streams are those of a source at a time."""
        lines, place = scope.lines, self.fields["kept by name"]
        name = self.name_chance_place(scope, stream)
        at = self.find_kept_place(scope, name)
        with lines.when(compare("=", lines.load(place, at), number(0))):
            lines.store(place, mix_word(Value("xor", NUMBER, (self.load_luck_field(scope, "key"), name))), at)
        high = limit.high - 1 if limit.high is not None else None
        return lines.bind(Value("below", NUMBER, (at, limit), place, 0, high), "r")

    def next_draw_word(self, scope: Scope, way: DrawRoute) -> Value:
        """The word of the next component that goes this way."""
        lines, place = scope.lines, self.fields["kept by name"]
        name = self.texts.append_word(scope, self.name_chance_place(scope, way.stream), " to ")
        names = self.plan.add_constants(
            "words of places", self.texts.word_numbers([self.rename_source(one) for one in way.room.names])
        )
        name = self.texts.append_word(scope, name, lines.look_up(names, narrow(way.index(), 0, way.room.amount - 1)))
        at = self.find_kept_place(scope, name)
        many = lines.bind(binary("add", lines.load(place, at), number(1)))
        lines.store(place, many, at)
        return self.random_word(scope, append_number(scope, append_blank(scope, name), many))

    def draw(
        self, scope: Scope, part: Store, index: Value, fits: Fits, way: DrawRoute, kind: Value, found: str,
        is_thrown: bool,
    ) -> None:  # fmt: skip
        """The component with the highest lot, where one of this part may come; then leaves `found`. Of dice each face
        has one lot, however many of it the box has."""
        lines = scope.lines
        if part.shape == "row":
            self.draw_from_row(scope, part, index, fits, way, kind, found)
            return
        some, most = lines.variable(NO, "f"), lines.variable(number(0), "l")
        chance = lines.variable(number(0), "w")

        def visit(one: Value, amount: Value) -> None:
            with lines.when(compare(">", amount, number(0))), lines.when(fits(scope, one)):
                with lines.when(Value("not", TRUTH, (some,))):
                    lines.set(chance, self.next_draw_word(scope, way))
                lines.for_range(number(1), number(1) if is_thrown else amount, lambda copy: self.keep_highest_lot(
                    scope, part, one, copy, chance, some, most, kind
                ))

        self.for_each_kind(scope, part, index, visit)
        with lines.when(some):
            locations.take_drawn(scope, part, index, narrow(kind, 0, len(part.kinds) - 1))
            lines.leave(found)

    def for_each_kind(self, scope: Scope, part: Store, index: Value, look: Callable[[Value, Value], None]) -> None:
        if part.shape == "bits":
            containers.for_each_member(scope, part, index, lambda one: look(one, number(1)))
            return
        scope.lines.for_range(number(0), number(len(part.kinds) - 1), lambda one: look(
            one, scope.lines.bind(containers.amount_of(scope, part, index, one))
        ))

    def keep_highest_lot(
        self, scope: Scope, part: Store, one: Value, copy: Value, chance: Value, some: Value, most: Value, kind: Value
    ) -> None:
        """Keeps the component whose lot is the highest so far."""
        lines, kinds = scope.lines, part.kinds
        copies = max(kinds.copies, default=1)
        numbers = tuple(
            to_signed(self.lots.lot_of_component(name, many)) for name in kinds.names for many in range(1, copies + 1)
        )
        table = self.plan.add_constants("lots of components", numbers)
        at = binary("add", binary("mul", one, number(copies)), binary("sub", copy, number(1)))
        lot = lines.bind(mix_word(Value("xor", NUMBER, (chance, Value("table", NUMBER, (at,), table)))))
        with lines.when(logic("or", Value("not", TRUTH, (some,)), is_unsigned_less(most, lot))):
            for target, value in ((some, YES), (most, lot), (kind, one)):
                lines.set(target, value)

    def draw_from_row(
        self, scope: Scope, part: Store, index: Value, fits: Fits, way: DrawRoute, kind: Value, found: str
    ) -> None:
        """Where the order is known, the topmost that fits comes."""
        lines = scope.lines
        at = lines.variable(binary("sub", containers.length_of(scope, part, index), number(1)), "i")
        with lines.loop() as over:
            lines.leave(over, compare("<", at, number(0)))
            one = lines.bind(containers.item_at(scope, part, index, at), "k")
            with lines.when(fits(scope, one)):
                self.next_draw_word(scope, way)  # it counts as drawn there
                lines.set(kind, one)
                locations.take_at_place(scope, part, index, at, one, number(0), locations.follows_draws(scope, part))
                lines.leave(found)
            lines.add_to(at, number(-1))

    def choice(self, scope: Scope, actions: list[core.Action], total: Value, chooser: Value) -> Value:
        return self.options.pick_option(scope, actions, total, chooser)
