"""Products over pairs of rows in LLVM, the same for all tables: figure by figure, and each with the other's measure.

Both rows are laid out by the figures that either table has; a figure that a table does not have is zero. What it works
on is said by a desk of addresses.
"""

from __future__ import annotations

from rulesrun.interpreter.native.measure.sum_kernels import load_desk_word

CROSS_DESK = (
    "left.width", "right.width", "left.places", "right.places", "left.row", "right.row", "keys", "both", "moved",
    "seen", "measured", "own", "against", "own.by.other", "other.by.own", "differing",
)  # fmt: skip

# `places`: of each figure its column, or -1.
LAID_OUT = """define internal void @"lay out"(ptr noalias %row, ptr noalias %places, i64 %keys,
  ptr noalias %out) nounwind {
entry:
  br label %key
key:
  %at = phi i64 [ 0, %entry ], [ %at.2, %key ]
  %place.at = getelementptr i64, ptr %places, i64 %at
  %place = load i64, ptr %place.at, align 8
  %has = icmp sge i64 %place, 0
  %column = select i1 %has, i64 %place, i64 0
  %value.at = getelementptr i64, ptr %row, i64 %column
  %value = load i64, ptr %value.at, align 8
  %figure = select i1 %has, i64 %value, i64 0
  %out.at = getelementptr i64, ptr %out, i64 %at
  store i64 %figure, ptr %out.at, align 8
  %at.2 = add i64 %at, 1
  %more = icmp slt i64 %at.2, %keys
  br i1 %more, label %key, label %end
end:
  ret void
}"""

# Gives 1 where any figure differs.
CROSSED = """define internal i64 @crossed(ptr noalias %left, ptr noalias %right, i64 %keys, ptr noalias %both,
  ptr noalias %moved, ptr noalias %seen) nounwind {
entry:
  br label %key
key:
  %at = phi i64 [ 0, %entry ], [ %at.2, %key ]
  %any = phi i64 [ 0, %entry ], [ %any.2, %key ]
  %l.at = getelementptr i64, ptr %left, i64 %at
  %r.at = getelementptr i64, ptr %right, i64 %at
  %l = load i64, ptr %l.at, align 8
  %r = load i64, ptr %r.at, align 8
  %both.at = getelementptr i64, ptr %both, i64 %at
  %moved.at = getelementptr i64, ptr %moved, i64 %at
  %seen.at = getelementptr i64, ptr %seen, i64 %at
  %product = mul i64 %l, %r
  %b = load i64, ptr %both.at, align 8
  %b.2 = add i64 %b, %product
  store i64 %b.2, ptr %both.at, align 8
  %differs = icmp ne i64 %l, %r
  %one = zext i1 %differs to i64
  %m = load i64, ptr %moved.at, align 8
  %m.2 = add i64 %m, %one
  store i64 %m.2, ptr %moved.at, align 8
  %either = or i64 %l, %r
  %s = load i64, ptr %seen.at, align 8
  %s.2 = or i64 %s, %either
  store i64 %s.2, ptr %seen.at, align 8
  %any.2 = or i64 %any, %one
  %at.2 = add i64 %at, 1
  %more = icmp slt i64 %at.2, %keys
  br i1 %more, label %key, label %end
end:
  ret i64 %any.2
}"""

MEASURED = """define internal void @"cross measured"(ptr noalias %left, ptr noalias %right, i64 %measured,
  ptr noalias %own, ptr noalias %against, ptr noalias %own.by.other, ptr noalias %other.by.own) nounwind {
entry:
  %none = icmp eq i64 %measured, 0
  br i1 %none, label %end, label %one
one:
  %at = phi i64 [ 0, %entry ], [ %at.2, %one ]
  %own.at = getelementptr i64, ptr %own, i64 %at
  %figure = load i64, ptr %own.at, align 8
  %against.at = getelementptr i64, ptr %against, i64 %at
  %measure = load i64, ptr %against.at, align 8
  %l.at = getelementptr i64, ptr %left, i64 %figure
  %l = load i64, ptr %l.at, align 8
  %l.by.at = getelementptr i64, ptr %left, i64 %measure
  %l.by = load i64, ptr %l.by.at, align 8
  %r.at = getelementptr i64, ptr %right, i64 %figure
  %r = load i64, ptr %r.at, align 8
  %r.by.at = getelementptr i64, ptr %right, i64 %measure
  %r.by = load i64, ptr %r.by.at, align 8
  %x = mul i64 %l, %r.by
  %y = mul i64 %l.by, %r
  %x.at = getelementptr i64, ptr %own.by.other, i64 %at
  %x.old = load i64, ptr %x.at, align 8
  %x.new = add i64 %x.old, %x
  store i64 %x.new, ptr %x.at, align 8
  %y.at = getelementptr i64, ptr %other.by.own, i64 %at
  %y.old = load i64, ptr %y.at, align 8
  %y.new = add i64 %y.old, %y
  store i64 %y.new, ptr %y.at, align 8
  %at.2 = add i64 %at, 1
  %more = icmp slt i64 %at.2, %measured
  br i1 %more, label %one, label %end
end:
  ret void
}"""

READ = "\n".join(
    load_desk_word(name, "i64" if name in {"left.width", "right.width", "keys", "measured"} else "ptr", CROSS_DESK)
    for name in CROSS_DESK
)

ADDED_PAIRS = f"""define void @"add pairs"(ptr %desk, ptr %left.rows, ptr %right.rows, i64 %amount) nounwind {{
entry:
{READ}
  br label %head
head:
  %at = phi i64 [ 0, %entry ], [ %at.2, %pair ]
  %more = icmp slt i64 %at, %amount
  br i1 %more, label %pair, label %end
pair:
  %left.step = mul i64 %at, %left.width
  %left.now = getelementptr i64, ptr %left.rows, i64 %left.step
  %right.step = mul i64 %at, %right.width
  %right.now = getelementptr i64, ptr %right.rows, i64 %right.step
  call void @"lay out"(ptr %left.now, ptr %left.places, i64 %keys, ptr %left.row)
  call void @"lay out"(ptr %right.now, ptr %right.places, i64 %keys, ptr %right.row)
  %any = call i64 @crossed(ptr %left.row, ptr %right.row, i64 %keys, ptr %both, ptr %moved, ptr %seen)
  call void @"cross measured"(ptr %left.row, ptr %right.row, i64 %measured, ptr %own, ptr %against,
    ptr %own.by.other, ptr %other.by.own)
  %old = load i64, ptr %differing, align 8
  %new = add i64 %old, %any
  store i64 %new, ptr %differing, align 8
  %at.2 = add i64 %at, 1
  br label %head
end:
  ret void
}}"""


def product_kernels_text() -> str:
    return "\n".join([LAID_OUT, CROSSED, MEASURED, ADDED_PAIRS])
