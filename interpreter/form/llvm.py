"""The small form → the text of LLVM. Takes functions, gives one module; knows nothing of rules."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from rulesrun.interpreter.form.form import Constants, Field, Function, Line, X, number, width
from rulesrun.interpreter.form.llvm_prelude import KTH_PDEP, KTH_PLAIN, MANY_WORDS, PRELUDE, kth_wide

COMPARISONS = {"=": "eq", "is not": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
PLAIN = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor", "shl": "shl", "lshr": "lshr"}


@define(eq=False)
class ModuleText:
    has_pdep: bool
    tables: dict[str, Constants] = field(factory=dict)
    declared: set[str] = field(factory=set)
    parts: list[str] = field(factory=list)

    def whole(self, functions: Iterable[Function]) -> str:
        for function in functions:
            self.parts.append(FunctionText(self, function).whole())
        tables = [self.table(one) for one in self.tables.values()]
        return "\n".join([*PRELUDE, *sorted(self.declared), *tables, *self.parts])

    def table(self, one: Constants) -> str:
        kind = f"i{one.bits}"
        values = ", ".join(f"{kind} {value}" for value in one.values)
        return f'@"{one.name}" = internal constant [{len(one.values)} x {kind}] [{values}]'

    def needs(self, name: str, text: str) -> None:
        """A function of the prelude that few games need."""
        if f"; {name}" not in self.declared:
            self.declared.add(f"; {name}")
            self.parts.append(text)

    def kth(self, bits: int) -> str:
        """The function that finds the k-th member of a set."""
        if f"; kth {bits}" not in self.declared:
            self.declared.add(f"; kth {bits}")
            self.declared.add("declare i64 @llvm.cttz.i64(i64, i1)")
            if self.has_pdep:
                self.declared.add("declare i64 @llvm.x86.bmi.pdep.64(i64, i64)")
            if bits > 64:
                self.kth(64)
                self.declared.add("declare i64 @llvm.ctpop.i64(i64)")
            self.parts.append(kth_wide(bits) if bits > 64 else KTH_PDEP if self.has_pdep else KTH_PLAIN)
        return f"@kth_{bits}"


@define(eq=False)
class FunctionText:
    module: ModuleText
    function: Function
    lines: list[str] = field(factory=list)
    locals: dict[str, str] = field(factory=dict)
    ends: dict[str, str] = field(factory=dict)
    number: int = 0

    def whole(self) -> str:
        function = self.function
        for name in function.parameters:
            self.locals[name] = "i64"
        self.body(function.body)
        gives = function.gives or "void"
        self.lines.append("ret void" if gives == "void" else f"ret {gives} 0")
        arguments = ", ".join(["ptr noalias %S", *(f'i64 %"p {name}"' for name in function.parameters)])
        head = [f'%"{name}" = alloca {kind}' for name, kind in self.locals.items()]
        head += [f'store i64 %"p {name}", ptr %"{name}"' for name in function.parameters]
        linkage = "internal " if function.is_inner else ""
        hint = " alwaysinline" if function.inline else ""
        text = "\n  ".join([*head, *self.lines])
        return f'define {linkage}{gives} @"{function.name}"({arguments}) nounwind{hint} {{\n  {text}\n}}'

    def fresh(self, stem: str = "t") -> str:
        self.number += 1
        return f"%{stem}.{self.number}"

    def add(self, text: str, stem: str = "t") -> str:
        name = self.fresh(stem)
        self.lines.append(f"{name} = {text}")
        return name

    def new_label(self) -> str:
        self.number += 1
        return f"L.{self.number}"

    def to(self, label: str) -> None:
        self.lines.append(f'br label %"{label}"')

    def put(self, label: str) -> None:
        self.to(label)
        self.lines.append(f'"{label}":')

    def start(self, label: str) -> None:
        self.lines.append(f'"{label}":')

    # ---- lines

    def body(self, lines: list[Line]) -> None:
        for line in lines:
            self.line(line)

    def line(self, line: Line) -> None:
        match line.op:
            case "set":
                value = self.value(line.args[0])
                self.locals[line.extra] = line.args[0].type
                self.lines.append(f'store {line.args[0].type} {value}, ptr %"{line.extra}"')
            case "store":
                self.store(line)
            case "if":
                self.condition(line)
            case "loop" | "block":
                self.nested(line)
            case "leave" | "goto":
                self.to(self.ends[line.extra] if line.op == "leave" else f"at {line.extra}")
                self.start(self.new_label())
            case "return":
                given = line.args[0] if line.args else None
                self.lines.append(f"ret {given.type} {self.value(given)}" if given is not None else "ret void")
                self.start(self.new_label())
            case "do":
                self.value(line.args[0])
            case "label":
                self.put(f"at {line.extra}")
            case "switch":
                self.switch(line)
            case "copy":
                self.copy(line)
            case "poke" | "move bytes" | "expect":
                self.outside(line)
            case _:
                raise AssertionError(line.op)

    def switch(self, line: Line) -> None:
        value, rest = self.value(line.args[0]), self.new_label()
        cases = " ".join(f'i64 {number}, label %"at {label}"' for number, label in line.extra)
        self.lines.append(f'switch i64 {value}, label %"{rest}" [ {cases} ]')
        self.start(rest)

    def copy(self, line: Line) -> None:
        """A stretch of the position from a table of bytes, from another part of it, or zeroes."""
        at, amount, source = line.extra
        target = self.add(f"getelementptr i8, ptr %S, i64 {at}")
        self.module.tables[source.name] = source
        self.move(f"align 16 {target}", f'align 16 @"{source.name}"', amount)

    def move(self, target: str, source: str, amount: int) -> None:
        self.module.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        self.lines.append(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {amount}, i1 0)")

    def outside(self, line: Line) -> None:
        """Memory that is no part of a position, by its address."""
        target, *given = (self.value(one) for one in line.args)
        place = self.add(f"inttoptr i64 {target} to ptr")
        if line.op == "expect":
            self.module.declared.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
            self.lines.append(f"call void @llvm.prefetch.p0(ptr {place}, i32 {line.extra}, i32 3, i32 1)")
        elif line.op == "poke":
            stored = given[0] if line.extra == 64 else self.add(f"trunc i64 {given[0]} to i{line.extra}")
            self.lines.append(f"store i{line.extra} {stored}, ptr {place}")
        else:
            self.move(place, self.add(f"inttoptr i64 {given[0]} to ptr"), line.extra)

    def condition(self, line: Line) -> None:
        test = self.value(line.args[0])
        yes, no, after = self.new_label(), self.new_label(), self.new_label()
        self.lines.append(f'br i1 {test}, label %"{yes}", label %"{no if line.otherwise else after}"')
        self.start(yes)
        self.body(line.body)
        self.to(after)
        if line.otherwise:
            self.start(no)
            self.body(line.otherwise)
            self.to(after)
        self.start(after)

    def nested(self, line: Line) -> None:
        begin, end = self.new_label(), self.new_label()
        self.ends[line.extra] = end
        self.put(begin)
        self.body(line.body)
        self.to(begin if line.op == "loop" else end)
        self.start(end)

    def address(self, place: Field, index: X) -> str:
        size = max(place.bits // 8, 1)
        if index.op == "const":
            return self.add(f"getelementptr i8, ptr %S, i64 {place.at + size * int(index.extra)}", "a")
        at = self.value(index)
        base = self.add(f"getelementptr i8, ptr %S, i64 {place.at}", "a")
        return self.add(f"getelementptr i{place.bits}, ptr {base}, i64 {at}", "a")

    def store(self, line: Line) -> None:
        place: Field = line.extra
        index, value = line.args
        at, stored = self.address(place, index), self.value(value)
        bits = width(value.type)
        if bits > place.bits:
            stored = self.add(f"trunc {value.type} {stored} to i{place.bits}")
        elif bits < place.bits:
            stored = self.add(f"zext {value.type} {stored} to i{place.bits}")
        self.lines.append(f"store i{place.bits} {stored}, ptr {at}, align {min(place.bits // 8, 8)}")

    # ---- values

    def value(self, x: X) -> str:
        if x.op == "const":
            return str(x.extra)
        if x.op == "local":
            self.locals.setdefault(x.extra, x.type)
            return self.add(f'load {x.type}, ptr %"{x.extra}"')
        if x.op == "load":
            return self.load(x)
        if x.op == "table":
            return self.table(x)
        if x.op == "call":
            return self.call(x)
        if x.op == "here":
            return self.add("ptrtoint ptr %S to i64")
        values = [self.value(one) for one in x.args]
        return self.operation(x, values)

    def load(self, x: X) -> str:
        place: Field = x.extra
        at = self.address(place, x.args[0])
        found = self.add(f"load i{place.bits}, ptr {at}, align {min(place.bits // 8, 8)}")
        if place.bits < width(x.type):
            return self.add(f"sext i{place.bits} {found} to {x.type}")
        return found

    def table(self, x: X) -> str:
        table: Constants = x.extra
        self.module.tables[table.name] = table
        at = self.value(x.args[0])
        kind = f"[{len(table.values)} x i{table.bits}]"
        place = self.add(f'getelementptr {kind}, ptr @"{table.name}", i64 0, i64 {at}')
        found = self.add(f"load i{table.bits}, ptr {place}")
        if table.bits < width(x.type):
            return self.add(f"sext i{table.bits} {found} to {x.type}")
        return found

    def call(self, x: X) -> str:
        function: Function = x.extra
        values = ", ".join(["ptr %S", *(f"i64 {self.value(one)}" for one in x.args)])
        if function.gives is None:
            self.lines.append(f'call void @"{function.name}"({values})')
            return "0"
        return self.add(f'call {function.gives} @"{function.name}"({values})')

    def operation(self, x: X, values: list[str]) -> str:
        kind = x.args[0].type
        match x.op:
            case "add" | "sub" | "mul" | "and" | "or" | "xor" | "shl" | "lshr":
                return self.add(f"{PLAIN[x.op]} {kind} {values[0]}, {values[1]}")
            case "=" | "is not" | "<" | "<=" | ">" | ">=":
                return self.add(f"icmp {COMPARISONS[x.op]} {kind} {values[0]}, {values[1]}")
            case "not":
                return self.add(f"xor {kind} {values[0]}, -1")
            case "select":
                return self.add(f"select i1 {values[0]}, {x.type} {values[1]}, {x.type} {values[2]}")
            case "min" | "max":
                order = "slt" if x.op == "min" else "sgt"
                test = self.add(f"icmp {order} {kind} {values[0]}, {values[1]}")
                return self.add(f"select i1 {test}, {kind} {values[0]}, {kind} {values[1]}")
            case "div" | "mod":
                return self.division(x, values)
            case "widen":
                return self.add(f"zext i1 {values[0]} to i64")
            case "peek":
                place = self.add(f"inttoptr i64 {values[0]} to ptr")
                found = self.add(f"load i{x.extra}, ptr {place}")
                return found if x.extra == 64 else self.add(f"zext i{x.extra} {found} to i64")
            case _:
                return self.of_set(x, values)

    def of_set(self, x: X, values: list[str]) -> str:
        kind = x.args[0].type
        match x.op:
            case "bit":
                place = values[0] if x.type == "i64" else self.add(f"zext i64 {values[0]} to {x.type}")
                masked = self.add(f"and {x.type} {place}, {width(x.type) - 1}") if x.type in {"i64", "i128"} else place
                return self.add(f"shl {x.type} 1, {masked}")
            case "popcount":
                return self.resized(self.intrinsic("ctpop", kind, values[0]), kind)
            case "lowest":
                return self.resized(self.intrinsic("cttz", kind, values[0], ", i1 0"), kind)
            case "highest":
                zeroes = self.resized(self.intrinsic("ctlz", kind, values[0], ", i1 0"), kind)
                return self.add(f"sub i64 {width(kind) - 1}, {zeroes}")
            case "drop_lowest":
                less = self.add(f"sub {kind} {values[0]}, 1")
                return self.add(f"and {kind} {values[0]}, {less}")
            case "kth":
                bits = width(kind)
                return self.add(f"call i64 {self.module.kth(bits)}({kind} {values[0]}, i64 {values[1]})")
            case "below":
                at = self.address(x.extra, x.args[0])
                return self.add(f"call i64 @below(ptr {at}, i64 {values[1]})")
            case "below many" | "next word" | "order digit":
                return self.of_many_words(x, values)
            case "mix":
                return self.add(f"call i64 @mix(i64 {values[0]})")
            case "shift_set":
                amount = values[1] if kind == "i64" else self.add(f"zext i64 {values[1]} to {kind}")
                return self.add(f"lshr {kind} {values[0]}, {amount}")
            case "mix_sum":
                return self.add(f"call i64 @mix_sum(i64 {values[0]}, i64 {values[1]})")
            case _:
                raise AssertionError(x.op)

    def of_many_words(self, x: X, values: list[str]) -> str:
        """Chance with limits that are too large for one word."""
        self.module.needs(x.op, MANY_WORDS[x.op])
        place = number(0) if x.op == "order digit" else x.args[0]
        at = self.address(x.extra, place)
        more = values if x.op == "order digit" else values[1:]
        given = ", ".join([f"ptr {at}", *(f"i64 {one}" for one in more)])
        return self.add(f'call i64 @"{x.op}"({given})')

    def intrinsic(self, name: str, kind: str, value: str, more: str = "") -> str:
        flag = ", i1" if more else ""
        self.module.declared.add(f"declare {kind} @llvm.{name}.{kind}({kind}{flag})")
        return self.add(f"call {kind} @llvm.{name}.{kind}({kind} {value}{more})")

    def resized(self, value: str, kind: str) -> str:
        return value if kind == "i64" else self.add(f"trunc {kind} {value} to i64")

    def division(self, x: X, values: list[str]) -> str:
        """Rounded down; a divisor is never zero here."""
        a, b = values
        low, divisor = x.args[0].low, x.args[1].low
        if low is not None and low >= 0 and divisor is not None and divisor > 0:
            return self.add(f"{'udiv' if x.op == 'div' else 'urem'} i64 {a}, {b}")
        rest = self.add(f"srem i64 {a}, {b}")
        some = self.add(f"icmp ne i64 {rest}, 0")
        signs = self.add(f"xor i64 {rest}, {b}")
        apart = self.add(f"icmp slt i64 {signs}, 0")
        wrong = self.add(f"and i1 {some}, {apart}")
        if x.op == "mod":
            more = self.add(f"select i1 {wrong}, i64 {b}, i64 0")
            return self.add(f"add i64 {rest}, {more}")
        quotient = self.add(f"sdiv i64 {a}, {b}")
        less = self.add(f"zext i1 {wrong} to i64")
        return self.add(f"sub i64 {quotient}, {less}")
