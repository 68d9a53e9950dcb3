"""Which option is drawn when two tables share their luck: each has a lot that hangs on its own name; the highest wins.

As the reference's `Lots`: an option that was beaten keeps its lot for the turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from rulesrun.dsl import ast
from rulesrun.dsl.typing.types import OptionalOf, item_of
from rulesrun.interpreter.form.form import (
    NO,
    NUMBER,
    TRUTH,
    YES,
    CannotCompile,
    Function,
    X,
    as_number,
    both,
    compare,
    logic,
    number,
)
from rulesrun.interpreter.model.domains import spoken
from rulesrun.interpreter.native.expressions import options
from rulesrun.interpreter.native.flow.random_games import mix
from rulesrun.interpreter.native.layout.plan import LEFT, Scope, ask, bounds, position_function
from rulesrun.interpreter.native.measure.stream_names import (
    BLANK,
    begun,
    blank_more,
    number_more,
    one_more,
    unsigned_less,
)
from rulesrun.interpreter.play.game_loop import player_source

if TYPE_CHECKING:
    from rulesrun.interpreter.native.measure.common_random_numbers import NativeLuck

MOST_OPTIONS = 1024
MOST_TOLD = 4096  # values of one choice


@define(eq=False)
class OptionsDrawn:
    luck: NativeLuck

    def choice(self, scope: Scope, actions: list[ast.Action], total: X, chooser: X) -> X:
        """The number of the option with the highest lot."""
        lines = scope.lines
        found = lines.variable(number(0), "w")
        lines.add("do", ask(self.beginning(), scope, chooser))
        with lines.when(compare(">", total, number(1))):
            lines.store(self.luck.fields["lots listed"], number(0))
            for action in actions:
                lines.add("do", ask(self.listing(action), scope))
            lines.set(found, ask(self.drawing(), scope, chooser))
        return found

    def beginning(self) -> Function:
        """New lots for a new turn of the seat."""
        def write(scope: Scope, given: list[X]) -> None:
            lines, seat = scope.lines, given[0]
            sources = tuple(begun(f"{player_source(one)} ") for one in range(self.luck.plan.bench.players + 1))
            name = lines.kept(X("table", NUMBER, (seat,), self.luck.plan.table_of("names of players", sources)))
            name = blank_more(scope, self.luck.time_more(scope, name))
            place = number_more(scope, name, self.luck.number(scope, seat))
            is_new = logic("or", compare("is not", place, self.luck.load(scope, "cast place", seat)),
                           compare("is not", self.luck.turns(scope), self.luck.load(scope, "cast turn", seat)))
            with lines.when(is_new):
                lines.store(self.luck.fields["cast place"], place, seat)
                lines.store(self.luck.fields["cast turn"], self.luck.turns(scope), seat)
                self.cast(scope, seat, number(0))

        return position_function(self.luck.plan, "lots of a turn", "lots of a turn", ("seat",), None, write)

    def cast(self, scope: Scope, seat: X, again: X) -> None:
        """Lots for all that may come; the place and turn are known."""
        lines, fields = scope.lines, self.luck.fields
        name = number_more(scope, blank_more(scope, self.luck.load(scope, "cast place", seat)), again)
        for field_name, value in (("cast again", again), ("cast word", self.luck.word(scope, name)),
                                  ("seen lots", number(0)), ("beaten lots", number(0))):
            lines.store(fields[field_name], value, seat)

    def listing(self, action: ast.Action) -> Function:
        """What stands for every option of an action, in their order."""
        def write(scope: Scope, given: list[X]) -> None:
            if options.is_left_out(self.luck.plan, action):
                return
            first = number(begun(self.luck.lots.renamed(action.name.text)))
            if not action.choices and not action.needs:
                self.list_one(scope, first)
                return

            def each(inner: Scope) -> None:
                self.list_one(inner, self.told(inner, first, action.choices))

            def among(inner: Scope, members: X, kinds: int) -> None:
                so_far = self.told(inner, first, action.choices[:-1])
                inner.lines.each_bit(members, lambda one: self.list_one(
                    inner, self.one_told(inner, so_far, action.choices[-1], one)
                ), kinds)

            options.Walk(scope, self.luck.plan.table.actions.of(action)).all(each, among)

        return position_function(self.luck.plan, ("lots", id(action)), f"lots of {action.name.text}", (), None, write)

    def told(self, scope: Scope, name: X, choices: tuple[ast.Choice, ...]) -> X:
        for choice in choices:
            name = self.one_told(scope, name, choice, scope.names[id(choice)])
        return name

    def one_told(self, scope: Scope, name: X, choice: ast.Choice, value: X) -> X:
        item = item_of(self.luck.plan.bench.type_of(choice.domain))
        low, high = bounds(self.luck.plan, item)
        if (
            choice.count is not None or low is None or high is None or high - low > MOST_TOLD
            or isinstance(item, OptionalOf)
        ):  # fmt: skip
            raise CannotCompile(f"options are not told apart by `{choice.name.text}`")
        bench, renamed = self.luck.plan.bench, self.luck.lots.renamed
        words = [renamed(str(spoken(bench, item, one))) for one in range(low, high + 1)]
        table = self.luck.plan.table_of(f"words of {choice.name.text}", self.luck.texts.table(words))
        which = scope.lines.look_up(table, both("sub", as_number(value), number(low)))
        return self.luck.texts.more(scope, scope.lines.kept(one_more(name, number(BLANK))), which)

    def list_one(self, scope: Scope, name: X) -> None:
        lines, fields = scope.lines, self.luck.fields
        at = self.luck.load(scope, "lots listed")
        is_full = compare(">=", at, number(MOST_OPTIONS))
        scope.fault_when(is_full, LEFT, self.luck.plan.bench.program.game)
        with lines.when(compare("<", at, number(MOST_OPTIONS))):
            lines.store(fields["lots"], mix(name), at)
            lines.store(fields["lots listed"], both("add", at, number(1)))

    def drawing(self) -> Function:
        """Which of the options that were listed has the highest lot; notes which were beaten."""
        def write(scope: Scope, given: list[X]) -> X:
            lines, fields, seat = scope.lines, self.luck.fields, given[0]
            base, many = lines.kept(both("mul", seat, number(MOST_OPTIONS))), self.luck.load(scope, "lots listed")
            with lines.when(X("not", TRUTH, (self.may_serve(scope, seat, base, many),))):
                self.cast(scope, seat, lines.kept(both("add", self.luck.load(scope, "cast again", seat), number(1))))
            word = self.luck.load(scope, "cast word", seat)
            best, most = lines.variable(number(0), "b"), lines.variable(number(0), "l")

            def look(at: X) -> None:
                lot = lines.kept(mix(X("xor", NUMBER, (word, lines.load(fields["lots"], at)))))
                with lines.when(logic("or", compare("=", at, number(0)), unsigned_less(most, lot))):
                    lines.set(best, at)
                    lines.set(most, lot)

            lines.count_through(number(0), both("sub", many, number(1)), look)
            self.note(scope, seat, base, many, best)
            return best

        return position_function(self.luck.plan, "draw lots", "the highest lot", ("seat",), NUMBER, write)

    def note(self, scope: Scope, seat: X, base: X, many: X, best: X) -> None:
        lines, fields = scope.lines, self.luck.fields
        chosen = lines.kept(lines.load(fields["lots"], best))
        beaten = lines.variable(number(0), "n")

        seen = self.luck.load(scope, "seen lots", seat)
        is_new = lines.kept(X("not", TRUTH, (self.is_among(scope, chosen, "seen", base, seen),)))
        is_full = logic("and", is_new, compare(">", both("add", seen, many), number(MOST_OPTIONS)))
        scope.fault_when(is_full, LEFT, self.luck.plan.bench.program.game)
        is_noted = lines.kept(logic("and", is_new, compare("<=", both("add", seen, many), number(MOST_OPTIONS))))

        def keep(at: X) -> None:
            lot = lines.kept(lines.load(fields["lots"], at))
            with lines.when(is_noted):
                lines.store(fields["seen"], lot, both("add", base, both("add", seen, at)))
            with lines.when(compare("is not", lot, chosen)):
                lines.store(fields["beaten"], lot, both("add", base, beaten))
                lines.add_to(beaten, number(1))

        lines.count_through(number(0), both("sub", many, number(1)), keep)
        lines.store(fields["beaten lots"], beaten, seat)
        with lines.when(is_noted):
            lines.store(fields["seen lots"], both("add", seen, many), seat)

    def may_serve(self, scope: Scope, seat: X, base: X, many: X) -> X:
        """Whether all options were beaten, or none was seen."""
        lines, fields = scope.lines, self.luck.fields
        all_beaten, none_seen = lines.variable(YES, "a"), lines.variable(YES, "s")

        def look(at: X) -> None:
            lot = lines.kept(lines.load(fields["lots"], at))
            for name, amount in (("seen", "seen lots"), ("beaten", "beaten lots")):
                is_there = self.is_among(scope, lot, name, base, self.luck.load(scope, amount, seat))
                if name == "seen":
                    with lines.when(is_there):
                        lines.set(none_seen, NO)
                else:
                    with lines.when(X("not", TRUTH, (is_there,))):
                        lines.set(all_beaten, NO)

        lines.count_through(number(0), both("sub", many, number(1)), look)
        return lines.kept(logic("or", all_beaten, none_seen))

    def is_among(self, scope: Scope, lot: X, name: str, base: X, many: X) -> X:
        lines, found = scope.lines, scope.lines.variable(NO, "f")
        at = lines.variable(number(0), "i")
        with lines.loop() as over:
            lines.leave(over, compare(">=", at, many))
            with lines.when(compare("=", lines.load(self.luck.fields[name], both("add", base, at)), lot)):
                lines.set(found, YES)
                lines.leave(over)
            lines.add_to(at, number(1))
        return found
