"""Names as numbers in machine code: the reference's `name_number` of words, numbers and blanks put together.

A name grows from the left: a number stands for what has been read, every byte more makes another one of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Constants, Function, X, both, compare, known, number
from rulesrun.interpreter.model.random import MASK, name_number
from rulesrun.interpreter.native.flow.random_games import signed
from rulesrun.interpreter.native.layout.plan import Plan, Scope, ask, position_function

PRIME = 0x100000001B3
BLANK = 32
DIGIT_0 = 48


def begun(text: str) -> int:
    """What stands for the beginning of a name."""
    return signed(name_number(text))


def one_more(so_far: X, byte: X) -> X:
    return X("mul", NUMBER, (X("xor", NUMBER, (so_far, byte)), number(PRIME)))


def blank_more(scope: Scope, so_far: X) -> X:
    return scope.lines.kept(one_more(so_far, number(BLANK)))


@define(eq=False)
class Texts:
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

    def at(self, word: str) -> int:
        if word not in self.words:
            self.words[word] = len(self.words)
            self.letters.extend(word.encode())
            self.ends.append(len(self.letters))
        return self.words[word]

    def table(self, words: Sequence[str]) -> tuple[int, ...]:
        return tuple(self.at(word) for word in words)

    def more(self, scope: Scope, so_far: X, word: X | str) -> X:
        """The name with a word behind it."""
        which = number(self.at(word)) if isinstance(word, str) else word
        return scope.lines.kept(ask(self.reading(), scope, so_far, which))

    def reading(self) -> Function:
        def write(scope: Scope, given: list[X]) -> X:
            lines = scope.lines
            name = lines.variable(given[0], "name")
            at = lines.variable(X("table", NUMBER, (given[1],), self._ends), "i")
            end = lines.kept(X("table", NUMBER, (both("add", given[1], number(1)),), self._ends))
            with lines.loop() as over:
                lines.leave(over, compare(">=", at, end))
                lines.set(name, one_more(name, X("table", NUMBER, (at,), self._letters)))
                lines.add_to(at, number(1))
            return name

        return position_function(self.plan, "more of a name", "a word more", ("name", "word"), NUMBER, write)


def number_more(scope: Scope, so_far: X, value: X) -> X:
    """The name with the digits of a number, which is not negative, behind it."""
    def write(inner: Scope, given: list[X]) -> X:
        lines = inner.lines
        name, step = lines.variable(given[0], "name"), lines.variable(number(1), "step")
        left = lines.kept(known(given[1], 0, 1 << 40))
        with lines.loop() as found:
            lines.leave(found, compare("<", both("div", left, known(step, 1, 1 << 40)), number(10)))
            lines.set(step, both("mul", step, number(10)))
        with lines.loop() as over:
            lines.leave(over, compare("=", step, number(0)))
            digit = both("mod", known(both("div", left, known(step, 1, 1 << 40)), 0, 1 << 40), number(10))
            lines.set(name, one_more(name, both("add", digit, number(DIGIT_0))))
            lines.set(step, both("div", known(step, 1, 1 << 40), number(10)))
        return name

    function = position_function(scope.plan, "number in a name", "a number more", ("name", "value"), NUMBER, write)
    return scope.lines.kept(ask(function, scope, so_far, value))


def unsigned_less(one: X, other: X) -> X:
    """Words of 64 bits are compared as numbers that are never negative."""
    half = number(signed(1 << 63 & MASK))
    return compare("<", X("xor", NUMBER, (one, half)), X("xor", NUMBER, (other, half)))
