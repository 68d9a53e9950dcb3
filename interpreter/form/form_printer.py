"""The small form as text for people: `rulesrun compile --show`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulesrun.interpreter.form.form import NOTHING, NUMBER, TRUTH, Field, Function, Lanes, Line, Value

SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "and": "and", "or": "or", "div": "div", "mod": "mod", "xor": "xor",
    "=": "=", "is not": "is not", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}


def format_form(fields: Iterable[Field], functions: Iterable[Function], size: int) -> str:
    """The fields of a position, then every function."""
    inner = [one for one in fields if one.at < size]
    lines = [f"position: {size} bytes"]
    lines += [f"  {one.at:>5}  {one.name}: {one.amount} x {one.bits} bits" for one in inner]
    for function in functions:
        lines.append("")
        lines.extend(format_function(function))
    return "\n".join(lines) + "\n"


def format_function(function: Function) -> Iterator[str]:
    gives = {None: "", TRUTH: " gives truth", NUMBER: " gives number"}.get(function.gives, " gives set")
    yield f"{function.name}({', '.join(function.parameters)}){gives}"
    yield from format_lines(function.body, "  ")


def format_lines(lines: list[Line], indent: str) -> Iterator[str]:
    for line in lines:
        values = [format_value(one) for one in line.args]
        match line.op:
            case "set":
                yield f"{indent}{line.extra} becomes {values[0]}"
            case "store":
                yield f"{indent}{format_field(line.extra, line.args[0])} becomes {values[1]}"
            case "if":
                yield f"{indent}if {values[0]}"
                yield from format_lines(line.body, indent + "  ")
                if line.otherwise:
                    yield f"{indent}otherwise"
                    yield from format_lines(line.otherwise, indent + "  ")
            case "loop" | "block":
                yield f"{indent}{line.op} {line.extra}"
                yield from format_lines(line.body, indent + "  ")
            case "label":
                yield f"{indent[2:]}{line.extra}:"
            case "goto":
                yield f"{indent}go to {line.extra}"
            case "copy":
                yield f"{indent}begin a new position"
            case "switch":
                targets = ", ".join(f"{number}: {label}" for number, label in line.extra)
                yield f"{indent}go by {values[0]} to {targets}"
            case _:
                what = f" {line.extra}" if line.extra is not None else ""
                yield f"{indent}{line.op}{what} {' '.join(values)}".rstrip()


def format_field(field: Field, index: Value) -> str:
    return field.name if field.amount == 1 else f"{field.name}[{format_value(index)}]"


def format_value(x: Value) -> str:
    values = [format_value(one) for one in x.args]
    match x.op:
        case "const":
            return format_constant(x)
        case "local":
            return str(x.extra)
        case "load":
            return format_field(x.extra, x.args[0])
        case "table":
            return f"table {x.extra.name}[{values[0]}]"
        case "call":
            return f"{x.extra.name}({', '.join(values)})"
        case "lanes":
            lanes: Lanes = x.extra
            several = f"{lanes.amount} of {lanes.place.name} from {values[0]}"
            return f"those({several} {SIGNS[lanes.operator]} {values[1]})"
        case "select":
            return f"(if {values[0]} then {values[1]} else {values[2]})"
        case "below":
            return f"random below {values[1]} from stream {values[0]}"
        case _:
            if x.op in SIGNS:
                return f"({values[0]} {SIGNS[x.op]} {values[1]})"
            return f"{x.op}({', '.join(values)})"


def format_constant(x: Value) -> str:
    if x.type == TRUTH:
        return "yes" if x.extra else "no"
    if x.extra == NOTHING:
        return "nothing"
    return str(x.extra) if abs(x.extra) < 1 << 20 else hex(x.extra)
