"""Names as numbers in machine code: the reference's `hash_name` of words, numbers and blanks put together.

A name grows from the left: a number stands for what has been read, every byte more makes another one of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesrun.interpreter.form.form import NUMBER, Constants, Function, Value, binary, compare, narrow, number
from rulesrun.interpreter.model.random import MASK, hash_name
from rulesrun.interpreter.native.flow.random_games import to_signed
from rulesrun.interpreter.native.layout.plan import Plan, Scope, call_for_player, position_function

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
