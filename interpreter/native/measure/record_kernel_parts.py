"""Parts of `record_kernels` in LLVM: what is read, what is drawn, and all options of a decision, written down."""

from __future__ import annotations

MIX = """
define internal i64 @mix(i64 %a) nounwind {
  %b = lshr i64 %a, 30
  %c = xor i64 %a, %b
  %d = mul i64 %c, 13787848793156543929
  %e = lshr i64 %d, 27
  %f = xor i64 %d, %e
  %g = mul i64 %f, 10723151780598845931
  %h = lshr i64 %g, 31
  %i = xor i64 %g, %h
  ret i64 %i
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def load_plan_number(name: str, place: int) -> str:
    return f"  %{name}.at = getelementptr i64, ptr %plan, i64 {place}\n  %{name} = load i64, ptr %{name}.at\n"


def load_plan_pointer(name: str, place: int) -> str:
    return load_plan_number(f"{name}.address", place) + f"  %{name} = inttoptr i64 %{name}.address to ptr\n"


# A number of so few bits at a byte of the position; a random number; streams at their beginning; some words, and the
# numbers of some fields, written down with how many there are.
PARTS = """
define internal i64 @signed(ptr %S, i64 %at, i64 %up) nounwind alwaysinline {
  %from = getelementptr i8, ptr %S, i64 %at
  %raw = load i64, ptr %from, align 1
  %high = shl i64 %raw, %up
  %found = ashr i64 %high, %up
  ret i64 %found
}
define internal i64 @below(ptr %stream, i64 %limit) nounwind {
  %was = load i64, ptr %stream
  %is = add i64 %was, 11400714819323198485
  store i64 %is, ptr %stream
  %random = call i64 @mix(i64 %is)
  %r.wide = zext i64 %random to i128
  %l.wide = zext i64 %limit to i128
  %product = mul i128 %r.wide, %l.wide
  %upper = lshr i128 %product, 64
  %number = trunc i128 %upper to i64
  ret i64 %number
}
define internal void @begin(ptr %luck, ptr %names, i64 %n, i64 %key) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %name.ptr = getelementptr i64, ptr %names, i64 %i
  %name = load i64, ptr %name.ptr
  %both = xor i64 %name, %key
  %first = call i64 @mix(i64 %both)
  %to = getelementptr i64, ptr %luck, i64 %i
  store i64 %first, ptr %to
  %next = add i64 %i, 1
  br label %again
over:
  ret void
}
define internal i64 @copied(ptr %to, ptr %from, i64 %n) nounwind {
  store i64 %n, ptr %to
  %behind = getelementptr i64, ptr %to, i64 1
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %from, i64 %bytes, i1 0)
  %used = add i64 %n, 1
  ret i64 %used
}
define internal i64 @seats(ptr %S, ptr %to, i64 %n, i64 %at, i64 %bytes, i64 %up) nounwind {
  store i64 %n, ptr %to
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %next = add i64 %i, 1
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %offset = mul i64 %i, %bytes
  %here = add i64 %at, %offset
  %seat = call i64 @signed(ptr %S, i64 %here, i64 %up)
  %place = getelementptr i64, ptr %to, i64 %next
  store i64 %seat, ptr %place
  br label %again
over:
  ret i64 %next
}
"""

# All options, each a row: the action, then its own values, and 0 where others have theirs, and behind several that are
# chosen at once: the guard of a column says where it stands how many they are, and which of them this is.
OPTIONS = """
define internal void @options(ptr %S, ptr %settle, i64 %n, ptr %columns, i64 %k, ptr %actions, ptr %guards,
                               ptr %to) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %done ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  call void %settle(ptr %S, i64 %i)
  %base = mul i64 %i, %k
  %row = getelementptr i64, ptr %to, i64 %base
  %e.at = load i64, ptr %columns
  %e.up.ptr = getelementptr i64, ptr %columns, i64 1
  %e.up = load i64, ptr %e.up.ptr
  %entry = call i64 @signed(ptr %S, i64 %e.at, i64 %e.up)
  %three = mul i64 %entry, 3
  %action.ptr = getelementptr i64, ptr %actions, i64 %three
  %first.ptr = getelementptr i64, ptr %action.ptr, i64 1
  %last.ptr = getelementptr i64, ptr %action.ptr, i64 2
  %action = load i64, ptr %action.ptr
  %first = load i64, ptr %first.ptr
  %last = load i64, ptr %last.ptr
  store i64 %action, ptr %row
  br label %value
value:
  %j = phi i64 [ 1, %one ], [ %j.next, %read ]
  %left = icmp slt i64 %j, %k
  br i1 %left, label %read, label %done
read:
  %two = shl i64 %j, 1
  %c.ptr = getelementptr i64, ptr %columns, i64 %two
  %u.ptr = getelementptr i64, ptr %c.ptr, i64 1
  %c = load i64, ptr %c.ptr
  %u = load i64, ptr %u.ptr
  %number = call i64 @signed(ptr %S, i64 %c, i64 %u)
  %is.behind = icmp sge i64 %j, %first
  %is.before = icmp slt i64 %j, %last
  %guard.ptr = getelementptr i64, ptr %guards, i64 %two
  %which.ptr = getelementptr i64, ptr %guard.ptr, i64 1
  %guard = load i64, ptr %guard.ptr
  %which = load i64, ptr %which.ptr
  %many.ptr = getelementptr i64, ptr %row, i64 %guard
  %many = load i64, ptr %many.ptr
  %is.free = icmp eq i64 %guard, 0
  %is.one.of = icmp slt i64 %which, %many
  %is.there = or i1 %is.free, %is.one.of
  %is.inside = and i1 %is.behind, %is.before
  %is.own = and i1 %is.inside, %is.there
  %told = select i1 %is.own, i64 %number, i64 0
  %place = getelementptr i64, ptr %row, i64 %j
  store i64 %told, ptr %place
  %j.next = add i64 %j, 1
  br label %value
done:
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""
