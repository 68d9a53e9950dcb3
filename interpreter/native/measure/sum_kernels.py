"""The adding up of rows of figures in LLVM, the same for every table: what it works on is said by a desk of addresses.

A row is a game, a column a figure. Eight columns at a time are added up over all rows: totals, squares, games with it.
Products of two columns follow, then how often each value of some columns comes. Where a value is counted hangs on
how large it is: exactly to `FINE`, above that as `round_to_digits` rounds it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.interpreter.measure.totals import FINE

TOGETHER = 8  # columns that are added up at once
OCTAVE = 2 * FINE  # places for the values of one roundness: from -FINE up to FINE
EXACT_BITS = FINE.bit_length() - 1

DESK = (
    "rows", "width", "stripes", "sums", "stride", "measured", "own", "against", "products", "spread", "columns",
    "places", "counts", "reach",
)  # fmt: skip


def stripe_text() -> str:
    kind = f"<{TOGETHER} x i64>"
    begun = f"{kind} [ zeroinitializer, %entry ]"
    ends = "\n".join(
        f"""  %{name}.at = getelementptr i64, ptr %sums, i64 {"0" if part == 0 else f"%{name}.first"}
  %{name}.old = load {kind}, ptr %{name}.at, align 8
  %{name}.new = add {kind} %{name}.old, %{name}.2
  store {kind} %{name}.new, ptr %{name}.at, align 8"""
        for part, name in enumerate(("total", "square", "game"))
    )
    return f"""define internal void @stripe(ptr noalias %rows, i64 %width, i64 %amount, ptr noalias %sums,
  i64 %stride) nounwind {{
entry:
  br label %row
row:
  %at = phi i64 [ 0, %entry ], [ %at.2, %row ]
  %place = phi ptr [ %rows, %entry ], [ %place.2, %row ]
  %total = phi {begun}, [ %total.2, %row ]
  %square = phi {begun}, [ %square.2, %row ]
  %game = phi {begun}, [ %game.2, %row ]
  %value = load {kind}, ptr %place, align 8
  %total.2 = add {kind} %total, %value
  %narrow = trunc {kind} %value to <{TOGETHER} x i32>
  %wide = sext <{TOGETHER} x i32> %narrow to {kind}
  %squared = mul {kind} %wide, %wide
  %square.2 = add {kind} %square, %squared
  %is.some = icmp ne {kind} %value, zeroinitializer
  %some = sext <{TOGETHER} x i1> %is.some to {kind}
  %game.2 = sub {kind} %game, %some
  %place.2 = getelementptr i64, ptr %place, i64 %width
  %at.2 = add i64 %at, 1
  %more = icmp slt i64 %at.2, %amount
  br i1 %more, label %row, label %end
end:
  %square.first = add i64 %stride, 0
  %game.first = add i64 %stride, %stride
{ends}
  ret void
}}"""


PRODUCT = """define internal i64 @product(ptr noalias %rows, i64 %width, i64 %amount, i64 %one, i64 %other) nounwind {
entry:
  %first = getelementptr i64, ptr %rows, i64 %one
  %second = getelementptr i64, ptr %rows, i64 %other
  br label %row
row:
  %at = phi i64 [ 0, %entry ], [ %at.2, %row ]
  %sum = phi i64 [ 0, %entry ], [ %sum.2, %row ]
  %step = mul i64 %at, %width
  %a.at = getelementptr i64, ptr %first, i64 %step
  %b.at = getelementptr i64, ptr %second, i64 %step
  %a = load i64, ptr %a.at, align 8
  %b = load i64, ptr %b.at, align 8
  %both = mul i64 %a, %b
  %sum.2 = add i64 %sum, %both
  %at.2 = add i64 %at, 1
  %more = icmp slt i64 %at.2, %amount
  br i1 %more, label %row, label %end
end:
  ret i64 %sum.2
}"""

# `reach`: the first and the last place that was counted at.
SPREAD = f"""define internal void @spread(ptr noalias %rows, i64 %width, i64 %amount, i64 %column, ptr noalias %counts,
  ptr noalias %reach) nounwind {{
entry:
  %first = getelementptr i64, ptr %rows, i64 %column
  %last.at = getelementptr i64, ptr %reach, i64 1
  %low.1 = load i64, ptr %reach, align 8
  %high.1 = load i64, ptr %last.at, align 8
  br label %row
row:
  %at = phi i64 [ 0, %entry ], [ %at.2, %row ]
  %low = phi i64 [ %low.1, %entry ], [ %low.2, %row ]
  %high = phi i64 [ %high.1, %entry ], [ %high.2, %row ]
  %step = mul i64 %at, %width
  %value.at = getelementptr i64, ptr %first, i64 %step
  %value = load i64, ptr %value.at, align 8
  %size = call i64 @llvm.abs.i64(i64 %value, i1 0)
  %zeroes = call i64 @llvm.ctlz.i64(i64 %size, i1 0)
  %over = sub i64 {64 - EXACT_BITS}, %zeroes
  %shift = call i64 @llvm.smax.i64(i64 %over, i64 0)
  %cut = ashr i64 %value, %shift
  %octave = mul i64 %shift, {OCTAVE}
  %middle = add i64 %octave, {FINE}
  %which = add i64 %middle, %cut
  %count.at = getelementptr i32, ptr %counts, i64 %which
  %count = load i32, ptr %count.at, align 4
  %count.2 = add i32 %count, 1
  store i32 %count.2, ptr %count.at, align 4
  %low.2 = call i64 @llvm.smin.i64(i64 %low, i64 %which)
  %high.2 = call i64 @llvm.smax.i64(i64 %high, i64 %which)
  %at.2 = add i64 %at, 1
  %more = icmp slt i64 %at.2, %amount
  br i1 %more, label %row, label %end
end:
  store i64 %low.2, ptr %reach, align 8
  store i64 %high.2, ptr %last.at, align 8
  ret void
}}"""


def load_desk_word(name: str, kind: str = "i64", desk: Sequence[str] = DESK) -> str:
    """A word of the desk, by its name."""
    return (f"  %{name}.on = getelementptr i64, ptr %desk, i64 {desk.index(name)}\n"
            f"  %{name} = load {kind}, ptr %{name}.on, align 8")


NUMBERS_READ = "\n".join(
    load_desk_word(name) for name in ("width", "stripes", "stride", "measured", "spread", "places")
)
ARRAYS_READ = "\n".join(
    load_desk_word(name, "ptr") for name in ("sums", "own", "against", "products", "columns", "counts", "reach")
)

ADDED = f"""define void @"add rows"(ptr %desk, ptr %rows, i64 %amount) nounwind {{
entry:
{NUMBERS_READ}
{ARRAYS_READ}
  %any = icmp sgt i64 %amount, 0
  br i1 %any, label %stripes.head, label %end
stripes.head:
  %s = phi i64 [ 0, %entry ], [ %s.2, %stripes.body ]
  %s.more = icmp slt i64 %s, %stripes
  br i1 %s.more, label %stripes.body, label %products.head
stripes.body:
  %s.first = mul i64 %s, {TOGETHER}
  %s.rows = getelementptr i64, ptr %rows, i64 %s.first
  %s.sums = getelementptr i64, ptr %sums, i64 %s.first
  call void @stripe(ptr %s.rows, i64 %width, i64 %amount, ptr %s.sums, i64 %stride)
  %s.2 = add i64 %s, 1
  br label %stripes.head
products.head:
  %p = phi i64 [ 0, %stripes.head ], [ %p.2, %products.body ]
  %p.more = icmp slt i64 %p, %measured
  br i1 %p.more, label %products.body, label %spread.head
products.body:
  %p.own.at = getelementptr i64, ptr %own, i64 %p
  %p.own = load i64, ptr %p.own.at, align 8
  %p.against.at = getelementptr i64, ptr %against, i64 %p
  %p.against = load i64, ptr %p.against.at, align 8
  %p.found = call i64 @product(ptr %rows, i64 %width, i64 %amount, i64 %p.own, i64 %p.against)
  %p.at = getelementptr i64, ptr %products, i64 %p
  %p.old = load i64, ptr %p.at, align 8
  %p.new = add i64 %p.old, %p.found
  store i64 %p.new, ptr %p.at, align 8
  %p.2 = add i64 %p, 1
  br label %products.head
spread.head:
  %c = phi i64 [ 0, %products.head ], [ %c.2, %spread.body ]
  %c.more = icmp slt i64 %c, %spread
  br i1 %c.more, label %spread.body, label %end
spread.body:
  %c.column.at = getelementptr i64, ptr %columns, i64 %c
  %c.column = load i64, ptr %c.column.at, align 8
  %c.first = mul i64 %c, %places
  %c.counts = getelementptr i32, ptr %counts, i64 %c.first
  %c.two = mul i64 %c, 2
  %c.reach = getelementptr i64, ptr %reach, i64 %c.two
  call void @spread(ptr %rows, i64 %width, i64 %amount, i64 %c.column, ptr %c.counts, ptr %c.reach)
  %c.2 = add i64 %c, 1
  br label %spread.head
end:
  ret void
}}"""


# Plays games, a few at a time, and adds them up; ends where the games do not go on. Gives how many were played.
PLAYED = f"""define i64 @"play and add"(ptr %desk, ptr %block, ptr %games, i64 %first, i64 %amount,
  i64 %few) nounwind {{
entry:
{load_desk_word("rows", "ptr")}
  br label %head
head:
  %done = phi i64 [ 0, %entry ], [ %done.2, %body ]
  %left = sub i64 %amount, %done
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %body, label %end
body:
  %share = call i64 @llvm.smin.i64(i64 %left, i64 %few)
  %from = add i64 %first, %done
  %played = call i64 %games(ptr %block, i64 %from, i64 %share)
  call void @"add rows"(ptr %desk, ptr %rows, i64 %played)
  %done.2 = add i64 %done, %played
  %whole = icmp eq i64 %played, %share
  br i1 %whole, label %head, label %short
short:
  ret i64 %done.2
end:
  ret i64 %done
}}"""


def sum_kernels_text() -> str:
    return "\n".join([
        "declare i64 @llvm.abs.i64(i64, i1)", "declare i64 @llvm.ctlz.i64(i64, i1)",
        "declare i64 @llvm.smax.i64(i64, i64)", "declare i64 @llvm.smin.i64(i64, i64)",
        stripe_text(), PRODUCT, SPREAD, ADDED, PLAYED,
    ])  # fmt: skip
