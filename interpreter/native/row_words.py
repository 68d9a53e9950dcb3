"""Loops over the options of a position, in LLVM: what each option says, read from the position after it was taken up.

Takes the numbers of bytes where the values lie, and how far each is shifted to be read with its sign.
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


def option_loops() -> str:
    return STEP
