"""The small form → the text of LLVM. Takes functions, gives one module; knows nothing of rules."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from rulesrun.interpreter.form.form import (
    POINTER,
    Constants,
    Field,
    Function,
    Lanes,
    Line,
    Value,
    bit_width,
    constant_of,
    number,
    vector_length,
)
from rulesrun.interpreter.form.llvm_prelude import KTH_PDEP, KTH_PLAIN, MANY_WORDS, PRELUDE, wide_kth_text

COMPARISONS = {"=": "eq", "is not": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
PLAIN = {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"}


@define(eq=False)
class ModuleText:
    has_pdep: bool
    tables: dict[str, Constants] = field(factory=dict)
    declared: set[str] = field(factory=set)
    parts: list[str] = field(factory=list)

    def format_module(self, functions: Iterable[Function]) -> str:
        for function in functions:
            self.parts.append(FunctionText(self, function).format_function())
        tables = [self.format_constants(one) for one in self.tables.values()]
        return "\n".join([*PRELUDE, *sorted(self.declared), *tables, *self.parts])

    def format_constants(self, one: Constants) -> str:
        kind = f"i{one.bits}"
        values = ", ".join(f"{kind} {value}" for value in one.values)
        return f'@"{one.name}" = internal constant [{len(one.values)} x {kind}] [{values}]'

    def require_prelude(self, name: str, text: str) -> None:
        """A function of the prelude that few games need."""
        if f"; {name}" not in self.declared:
            self.declared.add(f"; {name}")
            self.parts.append(text)

    def require_kth(self, bits: int) -> str:
        """The function that finds the k-th member of a set."""
        if f"; kth {bits}" not in self.declared:
            self.declared.add(f"; kth {bits}")
            self.declared.add("declare i64 @llvm.cttz.i64(i64, i1)")
            if self.has_pdep:
                self.declared.add("declare i64 @llvm.x86.bmi.pdep.64(i64, i64)")
            if bits > 64:
                self.require_kth(64)
                self.declared.add("declare i64 @llvm.ctpop.i64(i64)")
            self.parts.append(wide_kth_text(bits) if bits > 64 else KTH_PDEP if self.has_pdep else KTH_PLAIN)
        return f"@kth_{bits}"


@define(eq=False)
class FunctionText:
    module: ModuleText
    function: Function
    lines: list[str] = field(factory=list)
    locals: dict[str, str] = field(factory=dict)
    ends: dict[str, str] = field(factory=dict)
    number: int = 0

    def format_function(self) -> str:
        function = self.function
        for name in function.parameters:
            self.locals[name] = "i64"
        self.emit_lines(function.body)
        gives = function.gives or "void"
        self.lines.append("ret void" if gives == "void" else f"ret {gives} 0")
        position = ["ptr noalias %S"] if function.has_position else []
        arguments = ", ".join([*position, *(f'i64 %"p {name}"' for name in function.parameters)])
        head = [f'%"{name}" = alloca {kind}' for name, kind in self.locals.items()]
        head += [f'store i64 %"p {name}", ptr %"{name}"' for name in function.parameters]
        linkage = "internal " if function.is_inner else ""
        hint = " alwaysinline" if function.inline else ""
        text = "\n  ".join([*head, *self.lines])
        return f'define {linkage}{gives} @"{function.name}"({arguments}) nounwind{hint} {{\n  {text}\n}}'

    def fresh_name(self, stem: str = "t") -> str:
        self.number += 1
        return f"%{stem}.{self.number}"

    def emit(self, text: str, stem: str = "t") -> str:
        name = self.fresh_name(stem)
        self.lines.append(f"{name} = {text}")
        return name

    def new_label(self) -> str:
        self.number += 1
        return f"L.{self.number}"

    def emit_branch(self, label: str) -> None:
        self.lines.append(f'br label %"{label}"')

    def emit_label(self, label: str) -> None:
        self.emit_branch(label)
        self.lines.append(f'"{label}":')

    def open_block(self, label: str) -> None:
        self.lines.append(f'"{label}":')

    # ---- lines

    def emit_lines(self, lines: list[Line]) -> None:
        for line in lines:
            self.emit_line(line)

    def emit_line(self, line: Line) -> None:
        match line.op:
            case "set":
                value = self.emit_value(line.args[0])
                self.locals[line.extra] = line.args[0].type
                self.lines.append(f'store {line.args[0].type} {value}, ptr %"{line.extra}"')
            case "store":
                self.emit_store(line)
            case "if":
                self.emit_if(line)
            case "loop" | "block":
                self.emit_nested(line)
            case "leave" | "goto":
                self.emit_branch(self.ends[line.extra] if line.op == "leave" else f"at {line.extra}")
                self.open_block(self.new_label())
            case "return":
                given = line.args[0] if line.args else None
                self.lines.append(f"ret {given.type} {self.emit_value(given)}" if given is not None else "ret void")
                self.open_block(self.new_label())
            case "do":
                self.emit_value(line.args[0])
            case "label":
                self.emit_label(f"at {line.extra}")
            case "switch":
                self.emit_switch(line)
            case "copy":
                self.emit_copy(line)
            case "poke" | "move bytes" | "clear bytes" | "expect":
                self.emit_memory_access(line)
            case _:
                raise AssertionError(line.op)

    def emit_switch(self, line: Line) -> None:
        value, rest = self.emit_value(line.args[0]), self.new_label()
        cases = " ".join(f'i64 {number}, label %"at {label}"' for number, label in line.extra)
        self.lines.append(f'switch i64 {value}, label %"{rest}" [ {cases} ]')
        self.open_block(rest)

    def emit_copy(self, line: Line) -> None:
        """A stretch of the position from a table of bytes, from another part of it, or zeroes."""
        at, amount, source = line.extra
        target = self.emit(f"getelementptr i8, ptr %S, i64 {at}")
        self.module.tables[source.name] = source
        self.emit_memcpy(f"align 16 {target}", f'align 16 @"{source.name}"', amount)

    def emit_memcpy(self, target: str, source: str, amount: int | str) -> None:
        self.module.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        self.lines.append(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {amount}, i1 0)")

    def emit_memory_access(self, line: Line) -> None:
        """Memory that is no part of a position, by its address."""
        place = self.emit_pointer(line.args[0])
        match line.op:
            case "expect":
                self.module.declared.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
                self.lines.append(f"call void @llvm.prefetch.p0(ptr {place}, i32 {line.extra}, i32 3, i32 1)")
            case "poke":
                kind, value = line.args[1].type, self.emit_value(line.args[1])
                if line.extra < 64:
                    kind, value = f"i{line.extra}", self.emit(f"trunc i64 {value} to i{line.extra}")
                self.lines.append(f"store {kind} {value}, ptr {place}, align {line.extra // 8}")
            case "clear bytes":
                self.module.declared.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
                amount = self.emit_value(line.args[1])
                self.lines.append(f"call void @llvm.memset.p0.i64(ptr {place}, i8 0, i64 {amount}, i1 0)")
            case _:
                self.emit_memcpy(place, self.emit_pointer(line.args[1]), self.emit_value(line.args[2]))

    def emit_pointer(self, address: Value) -> str:
        """Of a pointer a sum is a step: that costs nothing where memory is read and written."""
        if address.type != POINTER:
            return "%S" if address.op == "here" else self.emit(f"inttoptr i64 {self.emit_value(address)} to ptr")
        if address.op == "pointer":
            return self.emit_pointer(address.args[0])
        if address.op != "add":
            return self.emit_value(address)
        base, step = self.emit_pointer(address.args[0]), address.args[1]
        size = constant_of(step.args[1]) if step.op == "mul" else None
        kind, amount = (f"i{8 * size}", step.args[0]) if size in {2, 4, 8} else ("i8", step)
        return self.emit(f"getelementptr {kind}, ptr {base}, i64 {self.emit_value(amount)}", "a")

    def emit_if(self, line: Line) -> None:
        test = self.emit_value(line.args[0])
        yes, no, after = self.new_label(), self.new_label(), self.new_label()
        self.lines.append(f'br i1 {test}, label %"{yes}", label %"{no if line.otherwise else after}"')
        self.open_block(yes)
        self.emit_lines(line.body)
        self.emit_branch(after)
        if line.otherwise:
            self.open_block(no)
            self.emit_lines(line.otherwise)
            self.emit_branch(after)
        self.open_block(after)

    def emit_nested(self, line: Line) -> None:
        begin, end = self.new_label(), self.new_label()
        self.ends[line.extra] = end
        self.emit_label(begin)
        self.emit_lines(line.body)
        self.emit_branch(begin if line.op == "loop" else end)
        self.open_block(end)

    def emit_address(self, place: Field, index: Value) -> str:
        size = max(place.bits // 8, 1)
        if index.op == "const":
            return self.emit(f"getelementptr i8, ptr %S, i64 {place.at + size * int(index.extra)}", "a")
        at = self.emit_value(index)
        base = self.emit(f"getelementptr i8, ptr %S, i64 {place.at}", "a")
        return self.emit(f"getelementptr i{place.bits}, ptr {base}, i64 {at}", "a")

    def emit_store(self, line: Line) -> None:
        place: Field = line.extra
        index, value = line.args
        at, stored = self.emit_address(place, index), self.emit_value(value)
        bits = bit_width(value.type)
        if bits > place.bits:
            stored = self.emit(f"trunc {value.type} {stored} to i{place.bits}")
        elif bits < place.bits:
            stored = self.emit(f"zext {value.type} {stored} to i{place.bits}")
        self.lines.append(f"store i{place.bits} {stored}, ptr {at}, align {min(place.bits // 8, 8)}")

    # ---- values

    def emit_value(self, x: Value) -> str:
        if x.op == "const":
            return str(x.extra) if vector_length(x.type) == 1 else "zeroinitializer"
        if x.op == "local":
            self.locals.setdefault(x.extra, x.type)
            return self.emit(f'load {x.type}, ptr %"{x.extra}"')
        if x.op == "load":
            return self.emit_load(x)
        if x.op == "table":
            return self.emit_look_up(x)
        if x.op == "call":
            return self.emit_call(x)
        if x.type == POINTER and x.op in {"pointer", "add"}:
            return self.emit_pointer(x)
        if x.op == "here":
            return self.emit("ptrtoint ptr %S to i64")
        if x.op == "lanes":
            return self.emit_lanes(x)
        if x.op in {"peek", "peek anywhere"}:
            return self.emit_peek(x)
        values = [self.emit_value(one) for one in x.args]
        return self.emit_operation(x, values)

    def emit_load(self, x: Value) -> str:
        place: Field = x.extra
        at = self.emit_address(place, x.args[0])
        found = self.emit(f"load i{place.bits}, ptr {at}, align {min(place.bits // 8, 8)}")
        if place.bits < bit_width(x.type):
            return self.emit(f"sext i{place.bits} {found} to {x.type}")
        return found

    def emit_peek(self, x: Value) -> str:
        place, align = self.emit_pointer(x.args[0]), x.extra // 8 if x.op == "peek" else 1
        if x.extra == 64:
            return self.emit(f"load {x.type}, ptr {place}, align {align}")
        return self.emit(f"zext i{x.extra} {self.emit(f'load i{x.extra}, ptr {place}, align {align}')} to i64")

    def emit_look_up(self, x: Value) -> str:
        table: Constants = x.extra
        self.module.tables[table.name] = table
        at = self.emit_value(x.args[0])
        kind = f"[{len(table.values)} x i{table.bits}]"
        place = self.emit(f'getelementptr {kind}, ptr @"{table.name}", i64 0, i64 {at}')
        found = self.emit(f"load i{table.bits}, ptr {place}")
        if table.bits < bit_width(x.type):
            return self.emit(f"sext i{table.bits} {found} to {x.type}")
        return found

    def emit_lanes(self, x: Value) -> str:
        """The values of a field that stand side by side, all compared at once: a bit for each."""
        lanes: Lanes = x.extra
        first, wanted = x.args
        many, one = lanes.width, f"i{lanes.place.bits}"
        vector = f"<{many} x {one}>"
        at = self.emit_address(lanes.place, first)
        values = self.emit(f"load {vector}, ptr {at}, align {min(lanes.place.bits // 8, 8)}")
        value = self.emit_value(wanted)
        value = value if one == "i64" else self.emit(f"trunc i64 {value} to {one}")
        single = self.emit(f"insertelement {vector} poison, {one} {value}, i64 0")
        spread = self.emit(f"shufflevector {vector} {single}, {vector} poison, <{many} x i32> zeroinitializer")
        tests = self.emit(f"icmp {COMPARISONS[lanes.operator]} {vector} {values}, {spread}")
        found = self.emit(f"bitcast <{many} x i1> {tests} to i{many}")
        wide = found if f"i{many}" == x.type else self.emit(f"zext i{many} {found} to {x.type}")
        return wide if many == lanes.amount else self.emit(f"and {x.type} {wide}, {(1 << lanes.amount) - 1}")

    def emit_call(self, x: Value) -> str:
        function: Function = x.extra
        given = [f"i64 {self.emit_value(one)}" for one in x.args]
        values = ", ".join(["ptr %S", *given] if function.has_position else given)
        return self.emit_call_of(f'@"{function.name}"', function.gives or "void", values)

    def emit_call_of(self, function: str, gives: str, values: str) -> str:
        if gives == "void":
            self.lines.append(f"call void {function}({values})")
            return "0"
        return self.emit(f"call {gives} {function}({values})")

    def emit_operation(self, x: Value, values: list[str]) -> str:
        kind = x.args[0].type
        match x.op:
            case op if op in PLAIN:
                return self.emit(f"{op} {kind} {values[0]}, {values[1]}")
            case "=" | "is not" | "<" | "<=" | ">" | ">=":
                return self.emit(f"icmp {COMPARISONS[x.op]} {kind} {values[0]}, {values[1]}")
            case "not":
                return self.emit(f"xor {kind} {values[0]}, -1")
            case "select":
                return self.emit(f"select i1 {values[0]}, {x.type} {values[1]}, {x.type} {values[2]}")
            case "min" | "max":
                order = "slt" if x.op == "min" else "sgt"
                test = self.emit(f"icmp {order} {kind} {values[0]}, {values[1]}")
                return self.emit(f"select i1 {test}, {kind} {values[0]}, {kind} {values[1]}")
            case "div" | "mod":
                return self.emit_division(x, values)
            case "widen":
                return self.emit(f"zext i1 {values[0]} to i64")
            case "call at":
                given = ", ".join(["ptr %S", *(f"i64 {one}" for one in values[1:])])
                return self.emit_call_of(self.emit(f"inttoptr i64 {values[0]} to ptr"), x.type, given)
            case "sign extend" | "nonzero lanes" | "mul high" | "root":
                return self.emit_arithmetic(x, values)
            case _:
                return self.emit_set_operation(x, values)

    def emit_arithmetic(self, x: Value, values: list[str]) -> str:
        kind, amount = x.args[0].type, vector_length(x.args[0].type)
        match x.op:
            case "sign extend":
                part = f"i{x.extra}" if amount == 1 else f"<{amount} x i{x.extra}>"
                return self.emit(f"sext {part} {self.emit(f'trunc {kind} {values[0]} to {part}')} to {kind}")
            case "nonzero lanes":
                test = self.emit(f"icmp ne {kind} {values[0]}, zeroinitializer")
                return self.emit(f"zext <{amount} x i1> {test} to {kind}")
            case "mul high":
                one, other = (self.emit(f"zext i64 {value} to i128") for value in values)
                upper = self.emit(f"lshr i128 {self.emit(f'mul i128 {one}, {other}')}, 64")
                return self.emit(f"trunc i128 {upper} to i64")
            case _:  # of numbers below 2 to the 52nd
                self.module.declared.add("declare double @llvm.sqrt.f64(double)")
                root = self.emit(f"call double @llvm.sqrt.f64(double {self.emit(f'uitofp i64 {values[0]} to double')})")
                return self.emit(f"fptoui double {root} to i64")

    def emit_set_operation(self, x: Value, values: list[str]) -> str:
        kind = x.args[0].type
        match x.op:
            case "bit":
                place = values[0] if x.type == "i64" else self.emit(f"zext i64 {values[0]} to {x.type}")
                masked = (
                    self.emit(f"and {x.type} {place}, {bit_width(x.type) - 1}") if x.type in {"i64", "i128"} else place
                )
                return self.emit(f"shl {x.type} 1, {masked}")
            case "popcount":
                return self.emit_resize(self.emit_intrinsic("ctpop", kind, values[0]), kind)
            case "lowest":
                return self.emit_resize(self.emit_intrinsic("cttz", kind, values[0], ", i1 0"), kind)
            case "highest":
                zeroes = self.emit_resize(self.emit_intrinsic("ctlz", kind, values[0], ", i1 0"), kind)
                return self.emit(f"sub i64 {bit_width(kind) - 1}, {zeroes}")
            case "drop_lowest":
                less = self.emit(f"sub {kind} {values[0]}, 1")
                return self.emit(f"and {kind} {values[0]}, {less}")
            case "kth":
                bits = bit_width(kind)
                return self.emit(f"call i64 {self.module.require_kth(bits)}({kind} {values[0]}, i64 {values[1]})")
            case "below":
                at = self.emit_address(x.extra, x.args[0])
                return self.emit(f"call i64 @below(ptr {at}, i64 {values[1]})")
            case "below many" | "next word" | "order digit":
                return self.emit_many_words(x, values)
            case "mix":
                return self.emit(f"call i64 @mix(i64 {values[0]})")
            case "shift_set":
                amount = values[1] if kind == "i64" else self.emit(f"zext i64 {values[1]} to {kind}")
                return self.emit(f"lshr {kind} {values[0]}, {amount}")
            case "mix_sum":
                return self.emit(f"call i64 @mix_sum(i64 {values[0]}, i64 {values[1]})")
            case _:
                raise AssertionError(x.op)

    def emit_many_words(self, x: Value, values: list[str]) -> str:
        """Chance with limits that are too large for one word."""
        self.module.require_prelude(x.op, MANY_WORDS[x.op])
        place = number(0) if x.op == "order digit" else x.args[0]
        at = self.emit_address(x.extra, place)
        more = values if x.op == "order digit" else values[1:]
        given = ", ".join([f"ptr {at}", *(f"i64 {one}" for one in more)])
        return self.emit(f'call i64 @"{x.op}"({given})')

    def emit_intrinsic(self, name: str, kind: str, value: str, more: str = "") -> str:
        flag = ", i1" if more else ""
        self.module.declared.add(f"declare {kind} @llvm.{name}.{kind}({kind}{flag})")
        return self.emit(f"call {kind} @llvm.{name}.{kind}({kind} {value}{more})")

    def emit_resize(self, value: str, kind: str) -> str:
        return value if kind == "i64" else self.emit(f"trunc {kind} {value} to i64")

    def emit_division(self, x: Value, values: list[str]) -> str:
        """Rounded down; a divisor is never zero here."""
        a, b = values
        low, divisor = x.args[0].low, x.args[1].low
        if low is not None and low >= 0 and divisor is not None and divisor > 0:
            return self.emit(f"{'udiv' if x.op == 'div' else 'urem'} i64 {a}, {b}")
        rest = self.emit(f"srem i64 {a}, {b}")
        some = self.emit(f"icmp ne i64 {rest}, 0")
        signs = self.emit(f"xor i64 {rest}, {b}")
        apart = self.emit(f"icmp slt i64 {signs}, 0")
        wrong = self.emit(f"and i1 {some}, {apart}")
        if x.op == "mod":
            more = self.emit(f"select i1 {wrong}, i64 {b}, i64 0")
            return self.emit(f"add i64 {rest}, {more}")
        quotient = self.emit(f"sdiv i64 {a}, {b}")
        less = self.emit(f"zext i1 {wrong} to i64")
        return self.emit(f"sub i64 {quotient}, {less}")
