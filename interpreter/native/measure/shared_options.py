"""Which option is drawn when two tables share their luck: each has a lot that hangs on its own name; the highest wins.

As the reference's `OptionLots`: an option that was beaten keeps its lot for the turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from rulesrun.dsl.text.messages import message
from rulesrun.dsl.typing.types import OptionalOf, item_of
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Function,
    Value,
    as_number,
    binary,
    compare,
    logic,
    number,
)
from rulesrun.interpreter.model import core
from rulesrun.interpreter.model.domains import typed_to_external
from rulesrun.interpreter.native.expressions import options
from rulesrun.interpreter.native.flow.random_games import mix_word
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, call_for_player, position_function, type_bounds
from rulesrun.interpreter.native.measure.stream_names import (
    BLANK,
    append_blank,
    append_byte,
    append_number,
    begin_name,
    is_unsigned_less,
)
from rulesrun.interpreter.play.game_loop import player_stream_name

if TYPE_CHECKING:
    from rulesrun.interpreter.native.measure.common_random_numbers import NativeCoupledLuck

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
