"""Loops in LLVM: one answer followed, all options of a position written down, an answer at random for many rows.

Values are read from the bytes where they lie, shifted up and down to have their sign. Chance takes a random word a
row: times the sum of the weights, of which the upper half counts.
"""

from __future__ import annotations

STEP = """
define i64 @step(ptr %S, i64 %answer) nounwind {
  %amount = call i64 @amount(ptr %S)
  %legal = icmp ult i64 %answer, %amount
  br i1 %legal, label %follow, label %refuse
follow:
  call void @settle(ptr %S, i64 %answer)
  %asked = call i64 @run(ptr %S)
  ret i64 %asked
refuse:
  ret i64 -2
}
define void @list_options(ptr %S, i64 %n, ptr %places, i64 %k, ptr %found) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %done ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  call void @settle(ptr %S, i64 %i)
  %base = mul i64 %i, %k
  br label %value
value:
  %j = phi i64 [ 0, %one ], [ %j.next, %read ]
  %left = icmp slt i64 %j, %k
  br i1 %left, label %read, label %done
read:
  %at.place = shl i64 %j, 1
  %at.ptr = getelementptr i64, ptr %places, i64 %at.place
  %shift.ptr = getelementptr i64, ptr %at.ptr, i64 1
  %at = load i64, ptr %at.ptr
  %shift = load i64, ptr %shift.ptr
  %from = getelementptr i8, ptr %S, i64 %at
  %raw = load i64, ptr %from, align 1
  %up = shl i64 %raw, %shift
  %number = ashr i64 %up, %shift
  %to = add i64 %base, %j
  %to.ptr = getelementptr i64, ptr %found, i64 %to
  store i64 %number, ptr %to.ptr
  %j.next = add i64 %j, 1
  br label %value
done:
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""


AT_RANDOM = """
define void @answers_at_random(ptr %S, ptr %rows, i64 %size, i64 %n, ptr %words, i64 %pc.at, i64 %pc.shift,
                               ptr %kinds, ptr %faces, i64 %told, ptr %found) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %done ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %offset = mul i64 %i, %size
  %row = getelementptr i8, ptr %rows, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %row, i64 %size, i1 0)
  %amount = call i64 @amount(ptr %S)
  %pc.ptr = getelementptr i8, ptr %S, i64 %pc.at
  %pc.raw = load i64, ptr %pc.ptr, align 1
  %pc.up = shl i64 %pc.raw, %pc.shift
  %pc = ashr i64 %pc.up, %pc.shift
  %kind.ptr = getelementptr i64, ptr %kinds, i64 %pc
  %kind = load i64, ptr %kind.ptr
  %word.ptr = getelementptr i64, ptr %words, i64 %i
  %word = load i64, ptr %word.ptr
  %to = getelementptr i64, ptr %found, i64 %i
  %is.drawn = icmp eq i64 %kind, -1
  %is.even = icmp eq i64 %kind, -2
  %telling = getelementptr i8, ptr %S, i64 %told
  %faces.own = getelementptr i64, ptr %faces, i64 %kind
  %weights = select i1 %is.drawn, ptr %telling, ptr %faces.own
  %stride = select i1 %is.drawn, i64 2, i64 1
  br label %sum
sum:
  %j = phi i64 [ 0, %one ], [ %j.next, %add ]
  %total = phi i64 [ 0, %one ], [ %total.next, %add ]
  %j.more = icmp slt i64 %j, %amount
  %go = xor i1 %is.even, true
  %go.on = and i1 %j.more, %go
  br i1 %go.on, label %add, label %pick
add:
  %j.at = mul i64 %j, %stride
  %j.ptr = getelementptr i64, ptr %weights, i64 %j.at
  %j.weight = load i64, ptr %j.ptr
  %total.next = add i64 %total, %j.weight
  %j.next = add i64 %j, 1
  br label %sum
pick:
  %limit = select i1 %is.even, i64 %amount, i64 %total
  %w.wide = zext i64 %word to i128
  %l.wide = zext i64 %limit to i128
  %product = mul i128 %w.wide, %l.wide
  %upper = lshr i128 %product, 64
  %number = trunc i128 %upper to i64
  br i1 %is.even, label %even, label %walk
even:
  store i64 %number, ptr %to
  br label %done
walk:
  %k = phi i64 [ 0, %pick ], [ %k.next, %step ]
  %left = phi i64 [ %number, %pick ], [ %less, %step ]
  %k.more = icmp slt i64 %k, %amount
  br i1 %k.more, label %look, label %none
look:
  %k.at = mul i64 %k, %stride
  %k.ptr = getelementptr i64, ptr %weights, i64 %k.at
  %k.weight = load i64, ptr %k.ptr
  %less = sub i64 %left, %k.weight
  %is.here = icmp slt i64 %less, 0
  br i1 %is.here, label %here, label %step
step:
  %k.next = add i64 %k, 1
  br label %walk
here:
  store i64 %k, ptr %to
  br label %done
none:
  store i64 0, ptr %to
  br label %done
done:
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""


def option_loops_text() -> str:
    return STEP + AT_RANDOM
