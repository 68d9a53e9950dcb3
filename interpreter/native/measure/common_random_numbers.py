"""The reference's `CoupledLuck` in machine code: chance that two tables share, keyed by names, for pairs of games.

An option, a component, a roll is found by words that hang on the seed of the deal and on a name: where, when, who.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf, item_of
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Constants,
    Field,
    Function,
    Value,
    as_number,
    binary,
    compare,
    logic,
    narrow,
    number,
)
from rulesrun.interpreter.measure.common_random_numbers import OptionLots
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.domains import typed_to_external
from rulesrun.interpreter.model.random import GOLDEN, MASK, hash_name
from rulesrun.interpreter.native.expressions import locations, options
from rulesrun.interpreter.native.flow.chance import DrawRoute
from rulesrun.interpreter.native.flow.random_games import mix_word, to_signed
from rulesrun.interpreter.native.layout import containers
from rulesrun.interpreter.native.layout.plan import (
    LEFT,
    Plan,
    Scope,
    Store,
    call_for_player,
    position_function,
    type_bounds,
)
from rulesrun.interpreter.play.game_loop import player_stream_name

# ---- stream names
# Names as numbers in machine code: the reference's `hash_name` of words, numbers and blanks put together.
#
# A name grows from the left: a number stands for what has been read, every byte more makes another one of it.


PRIME = 0x100000001B3
BLANK = 32
DIGIT_0 = 48


def begin_name(text: str) -> int:
    """What stands for the beginning of a name."""
    return to_signed(hash_name(text))


def append_byte(so_far: Value, byte: Value) -> Value:
    return Value("mul", NUMBER, (Value("xor", NUMBER, (so_far, byte)), number(PRIME)))


def append_blank(scope: Scope, so_far: Value) -> Value:
    return scope.lines.bind(append_byte(so_far, number(BLANK)))


@define(eq=False)
class WordTable:
    """All words of a table, one after the other; a word is spoken of by its number."""

    plan: Plan
    words: dict[str, int] = field(factory=dict)
    letters: list[int] = field(factory=list)
    ends: list[int] = field(factory=lambda: [0])
    _letters: Constants = field(init=False)
    _ends: Constants = field(init=False)

    def __attrs_post_init__(self) -> None:
        # They are read when everything has been written: until then they may grow.
        self._letters = Constants("letters", 16, self.letters)
        self._ends = Constants("ends of words", 32, self.ends)

    def word_number(self, word: str) -> int:
        if word not in self.words:
            self.words[word] = len(self.words)
            self.letters.extend(word.encode())
            self.ends.append(len(self.letters))
        return self.words[word]

    def word_numbers(self, words: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.word_number(word) for word in words)

    def append_word(self, scope: Scope, so_far: Value, word: Value | str) -> Value:
        """The name with a word behind it."""
        which = number(self.word_number(word)) if isinstance(word, str) else word
        return scope.lines.bind(call_for_player(self.append_word_function(), scope, so_far, which))

    def append_word_function(self) -> Function:
        def write(scope: Scope, given: list[Value]) -> Value:
            lines = scope.lines
            name = lines.variable(given[0], "name")
            at = lines.variable(Value("table", NUMBER, (given[1],), self._ends), "i")
            end = lines.bind(Value("table", NUMBER, (binary("add", given[1], number(1)),), self._ends))
            with lines.loop() as over:
                lines.leave(over, compare(">=", at, end))
                lines.set(name, append_byte(name, Value("table", NUMBER, (at,), self._letters)))
                lines.add_to(at, number(1))
            return name

        return position_function(self.plan, "more of a name", "a word more", ("name", "word"), NUMBER, write)


def append_number(scope: Scope, so_far: Value, value: Value) -> Value:
    """The name with the digits of a number, which is not negative, behind it."""
    def write(inner: Scope, given: list[Value]) -> Value:
        lines = inner.lines
        name, step = lines.variable(given[0], "name"), lines.variable(number(1), "step")
        left = lines.bind(narrow(given[1], 0, 1 << 40))
        with lines.loop() as found:
            lines.leave(found, compare("<", binary("div", left, narrow(step, 1, 1 << 40)), number(10)))
            lines.set(step, binary("mul", step, number(10)))
        with lines.loop() as over:
            lines.leave(over, compare("=", step, number(0)))
            digit = binary("mod", narrow(binary("div", left, narrow(step, 1, 1 << 40)), 0, 1 << 40), number(10))
            lines.set(name, append_byte(name, binary("add", digit, number(DIGIT_0))))
            lines.set(step, binary("div", narrow(step, 1, 1 << 40), number(10)))
        return name

    function = position_function(scope.plan, "number in a name", "a number more", ("name", "value"), NUMBER, write)
    return scope.lines.bind(call_for_player(function, scope, so_far, value))


def is_unsigned_less(one: Value, other: Value) -> Value:
    """Words of 64 bits are compared as numbers that are never negative."""
    half = number(to_signed(1 << 63 & MASK))
    return compare("<", Value("xor", NUMBER, (one, half)), Value("xor", NUMBER, (other, half)))


# ---- shared options
# Which option is drawn when two tables share their luck: each has a lot that hangs on its own name; the highest wins.
#
# As the reference's `OptionLots`: an option that was beaten keeps its lot for the turn.


MOST_OPTIONS = 1024
MOST_TOLD = 4096  # values of one choice


@define(eq=False)
class OptionDraw:
    luck: NativeCoupledLuck

    def pick_option(self, scope: Scope, actions: list[core.Action], total: Value, chooser: Value) -> Value:
        """The number of the option with the highest lot."""
        lines = scope.lines
        found = lines.variable(number(0), "w")
        lines.emit("do", call_for_player(self.new_lots_function(), scope, chooser))
        with lines.when(compare(">", total, number(1))):
            lines.store(self.luck.fields["lots listed"], number(0))
            for action in actions:
                lines.emit("do", call_for_player(self.list_options_function(action), scope))
            lines.set(found, call_for_player(self.pick_highest_lot_function(), scope, chooser))
        return found

    def new_lots_function(self) -> Function:
        """New lots for a new turn of the seat."""
        def write(scope: Scope, given: list[Value]) -> None:
            lines, seat = scope.lines, given[0]
            sources = tuple(
                begin_name(f"{player_stream_name(one)} ") for one in range(self.luck.plan.bench.players + 1)
            )
            name = lines.bind(
                Value("table", NUMBER, (seat,), self.luck.plan.add_constants("names of players", sources))
            )
            name = append_blank(scope, self.luck.append_time(scope, name))
            place = append_number(scope, name, self.luck.turn_number(scope, seat))
            is_new = logic(
                "or",
                compare("is not", place, self.luck.load_luck_field(scope, "cast place", seat)),
                compare("is not", self.luck.turns(scope), self.luck.load_luck_field(scope, "cast turn", seat)),
            )
            with lines.when(is_new):
                lines.store(self.luck.fields["cast place"], place, seat)
                lines.store(self.luck.fields["cast turn"], self.luck.turns(scope), seat)
                self.cast_lots(scope, seat, number(0))

        return position_function(self.luck.plan, "lots of a turn", "lots of a turn", ("seat",), None, write)

    def cast_lots(self, scope: Scope, seat: Value, again: Value) -> None:
        """Lots for all that may come; the place and turn are known."""
        lines, fields = scope.lines, self.luck.fields
        name = append_number(scope, append_blank(scope, self.luck.load_luck_field(scope, "cast place", seat)), again)
        for field_name, value in (("cast again", again), ("cast word", self.luck.random_word(scope, name)),
                                  ("seen lots", number(0)), ("beaten lots", number(0))):
            lines.store(fields[field_name], value, seat)

    def list_options_function(self, action: core.Action) -> Function:
        """What stands for every option of an action, in their order."""
        def write(scope: Scope, given: list[Value]) -> None:
            if options.is_left_out(self.luck.plan, action):
                return
            first = number(begin_name(self.luck.lots.renamed(action.name.text)))
            if not action.choices and not action.needs:
                self.list_option(scope, first)
                return

            def each(inner: Scope) -> None:
                self.list_option(inner, self.append_choices(inner, first, action.choices))

            def among(inner: Scope, members: Value, kinds: int) -> None:
                so_far = self.append_choices(inner, first, action.choices[:-1])
                inner.lines.for_each_bit(members, lambda one: self.list_option(
                    inner, self.append_choice(inner, so_far, action.choices[-1], one)
                ), kinds)

            options.OptionWalk(scope, self.luck.plan.table.actions.compiled_action(action)).walk_all(each, among)

        return position_function(self.luck.plan, ("lots", id(action)), f"lots of {action.name.text}", (), None, write)

    def append_choices(self, scope: Scope, name: Value, choices: tuple[core.Choice, ...]) -> Value:
        for choice in choices:
            name = self.append_choice(scope, name, choice, scope.names[id(choice)])
        return name

    def append_choice(self, scope: Scope, name: Value, choice: core.Choice, value: Value) -> Value:
        item = item_of(self.luck.plan.bench.type_of(choice.domain))
        low, high = type_bounds(self.luck.plan, item)
        if (
            choice.count is not None or low is None or high is None or high - low > MOST_TOLD
            or isinstance(item, OptionalOf)
        ):  # fmt: skip
            raise CannotCompile(message("options are not told apart by `{choice}`", choice=choice.name.text))
        bench, renamed = self.luck.plan.bench, self.luck.lots.renamed
        words = [renamed(str(typed_to_external(bench, item, one))) for one in range(low, high + 1)]
        table = self.luck.plan.add_constants(f"words of {choice.name.text}", self.luck.texts.word_numbers(words))
        which = scope.lines.look_up(table, binary("sub", as_number(value), number(low)))
        return self.luck.texts.append_word(scope, scope.lines.bind(append_byte(name, number(BLANK))), which)

    def list_option(self, scope: Scope, name: Value) -> None:
        lines, fields = scope.lines, self.luck.fields
        at = self.luck.load_luck_field(scope, "lots listed")
        is_full = compare(">=", at, number(MOST_OPTIONS))
        scope.emit_fault_if(is_full, LEFT, self.luck.plan.bench.program.game)
        with lines.when(compare("<", at, number(MOST_OPTIONS))):
            lines.store(fields["lots"], mix_word(name), at)
            lines.store(fields["lots listed"], binary("add", at, number(1)))

    def pick_highest_lot_function(self) -> Function:
        """Which of the options that were listed has the highest lot; notes which were beaten."""
        def write(scope: Scope, given: list[Value]) -> Value:
            lines, fields, seat = scope.lines, self.luck.fields, given[0]
            base, many = (
                lines.bind(binary("mul", seat, number(MOST_OPTIONS))),
                self.luck.load_luck_field(scope, "lots listed"),
            )
            with lines.when(Value("not", TRUTH, (self.can_serve(scope, seat, base, many),))):
                self.cast_lots(
                    scope,
                    seat,
                    lines.bind(binary("add", self.luck.load_luck_field(scope, "cast again", seat), number(1))),
                )
            word = self.luck.load_luck_field(scope, "cast word", seat)
            best, most = lines.variable(number(0), "b"), lines.variable(number(0), "l")

            def visit(at: Value) -> None:
                lot = lines.bind(mix_word(Value("xor", NUMBER, (word, lines.load(fields["lots"], at)))))
                with lines.when(logic("or", compare("=", at, number(0)), is_unsigned_less(most, lot))):
                    lines.set(best, at)
                    lines.set(most, lot)

            lines.for_range(number(0), binary("sub", many, number(1)), visit)
            self.note_drawn(scope, seat, base, many, best)
            return best

        return position_function(self.luck.plan, "draw lots", "the highest lot", ("seat",), NUMBER, write)

    def note_drawn(self, scope: Scope, seat: Value, base: Value, many: Value, best: Value) -> None:
        lines, fields = scope.lines, self.luck.fields
        chosen = lines.bind(lines.load(fields["lots"], best))
        beaten = lines.variable(number(0), "n")

        seen = self.luck.load_luck_field(scope, "seen lots", seat)
        is_new = lines.bind(Value("not", TRUTH, (self.is_lot_among(scope, chosen, "seen", base, seen),)))
        is_full = logic("and", is_new, compare(">", binary("add", seen, many), number(MOST_OPTIONS)))
        scope.emit_fault_if(is_full, LEFT, self.luck.plan.bench.program.game)
        is_noted = lines.bind(logic("and", is_new, compare("<=", binary("add", seen, many), number(MOST_OPTIONS))))

        def keep(at: Value) -> None:
            lot = lines.bind(lines.load(fields["lots"], at))
            with lines.when(is_noted):
                lines.store(fields["seen"], lot, binary("add", base, binary("add", seen, at)))
            with lines.when(compare("is not", lot, chosen)):
                lines.store(fields["beaten"], lot, binary("add", base, beaten))
                lines.add_to(beaten, number(1))

        lines.for_range(number(0), binary("sub", many, number(1)), keep)
        lines.store(fields["beaten lots"], beaten, seat)
        with lines.when(is_noted):
            lines.store(fields["seen lots"], binary("add", seen, many), seat)

    def can_serve(self, scope: Scope, seat: Value, base: Value, many: Value) -> Value:
        """Whether all options were beaten, or none was seen."""
        lines, fields = scope.lines, self.luck.fields
        all_beaten, none_seen = lines.variable(YES, "a"), lines.variable(YES, "s")

        def visit(at: Value) -> None:
            lot = lines.bind(lines.load(fields["lots"], at))
            for name, amount in (("seen", "seen lots"), ("beaten", "beaten lots")):
                is_there = self.is_lot_among(scope, lot, name, base, self.luck.load_luck_field(scope, amount, seat))
                if name == "seen":
                    with lines.when(is_there):
                        lines.set(none_seen, NO)
                else:
                    with lines.when(Value("not", TRUTH, (is_there,))):
                        lines.set(all_beaten, NO)

        lines.for_range(number(0), binary("sub", many, number(1)), visit)
        return lines.bind(logic("or", all_beaten, none_seen))

    def is_lot_among(self, scope: Scope, lot: Value, name: str, base: Value, many: Value) -> Value:
        lines, found = scope.lines, scope.lines.variable(NO, "f")
        at = lines.variable(number(0), "i")
        with lines.loop() as over:
            lines.leave(over, compare(">=", at, many))
            with lines.when(compare("=", lines.load(self.luck.fields[name], binary("add", base, at)), lot)):
                lines.set(found, YES)
                lines.leave(over)
            lines.add_to(at, number(1))
        return found


# ---- common random numbers


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
