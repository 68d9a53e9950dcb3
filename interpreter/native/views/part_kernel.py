"""A loop in LLVM that copies what seats see of many positions into rows of numbers, part by part. Of each row it is
said whose eyes it is seen with, and of each seat where its parts begin.

A part is twelve numbers: what is done, where the numbers go, how many, where they are read, how far apart, how far
shifted, what stands for nothing, where the gate is read (so many are there), how far it is shifted, whether there is
one, by how many seats a seat is turned, and how many seats there are.
"""

from __future__ import annotations

COPY, BITS, ADD, COUNT_BITS, TALLY, TURN = range(6)
WIDTH = 12
Record = tuple[int, ...]


def join_copies(records: list[Record]) -> list[Record]:
    """Copies of which one goes on where the one before it ends are one: a loop over numbers, not over parts."""
    found: list[Record] = []
    for record in records:
        if found and goes_on(found[-1], record):
            what, to, amount, *rest = found[-1]
            found[-1] = (what, to, amount + record[2], *rest)
        else:
            found.append(record)
    return found


def goes_on(one: Record, other: Record) -> bool:
    what, to, amount, at, apart, *rest = one
    has_gate = rest[4]
    is_next = other[1] == to + amount and other[3] == at + amount * apart
    return what == other[0] == COPY and not has_gate and is_next and list(other[4:]) == [apart, *rest]

COPY_PARTS = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal i64 @number_at(ptr %row, i64 %at, i64 %shift) alwaysinline nounwind {
  %from = getelementptr i8, ptr %row, i64 %at
  %raw = load i64, ptr %from, align 1
  %up = shl i64 %raw, %shift
  %value = ashr i64 %up, %shift
  ret i64 %value
}
define internal i64 @turned(i64 %value, i64 %by, i64 %seats) alwaysinline nounwind {
  %is.seat = icmp sgt i64 %value, 0
  %is.turned = icmp sgt i64 %seats, 0
  %both = and i1 %is.seat, %is.turned
  %less = sub i64 %value, %by
  %below = icmp slt i64 %less, 0
  %more = add i64 %less, %seats
  %round = select i1 %below, i64 %more, i64 %less
  %from.one = add i64 %round, 1
  %found = select i1 %both, i64 %from.one, i64 %value
  ret i64 %found
}
define void @copy_parts(ptr %rows, i64 %size, i64 %n, ptr %whose, ptr %starts, ptr %parts, i64 %pc.at, i64 %pc.shift,
                        ptr %together, ptr %found, i64 %wide) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %row.done ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %offset = mul i64 %i, %size
  %row = getelementptr i8, ptr %rows, i64 %offset
  %out.at = mul i64 %i, %wide
  %out = getelementptr i32, ptr %found, i64 %out.at
  %out.bytes = shl i64 %wide, 2
  call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 %out.bytes, i1 0)
  %whose.ptr = getelementptr i64, ptr %whose, i64 %i
  %who = load i64, ptr %whose.ptr
  %first.ptr = getelementptr i64, ptr %starts, i64 %who
  %first = load i64, ptr %first.ptr
  %end.ptr = getelementptr i64, ptr %first.ptr, i64 1
  %end = load i64, ptr %end.ptr
  br label %part
part:
  %p = phi i64 [ %first, %one ], [ %p.next, %part.done ]
  %p.more = icmp slt i64 %p, %end
  br i1 %p.more, label %read, label %row.done
read:
  %record.at = mul i64 %p, 12
  %r0 = getelementptr i64, ptr %parts, i64 %record.at
  %r1 = getelementptr i64, ptr %r0, i64 1
  %r2 = getelementptr i64, ptr %r0, i64 2
  %r3 = getelementptr i64, ptr %r0, i64 3
  %r4 = getelementptr i64, ptr %r0, i64 4
  %r5 = getelementptr i64, ptr %r0, i64 5
  %r6 = getelementptr i64, ptr %r0, i64 6
  %r7 = getelementptr i64, ptr %r0, i64 7
  %r8 = getelementptr i64, ptr %r0, i64 8
  %r9 = getelementptr i64, ptr %r0, i64 9
  %r10 = getelementptr i64, ptr %r0, i64 10
  %r11 = getelementptr i64, ptr %r0, i64 11
  %what = load i64, ptr %r0
  %to = load i64, ptr %r1
  %amount = load i64, ptr %r2
  %at = load i64, ptr %r3
  %apart = load i64, ptr %r4
  %shift = load i64, ptr %r5
  %none = load i64, ptr %r6
  %gate.at = load i64, ptr %r7
  %gate.shift = load i64, ptr %r8
  %has.gate = load i64, ptr %r9
  %by = load i64, ptr %r10
  %seats = load i64, ptr %r11
  %target = getelementptr i32, ptr %out, i64 %to
  %gate.read = call i64 @number_at(ptr %row, i64 %gate.at, i64 %gate.shift)
  %is.gated = icmp ne i64 %has.gate, 0
  %gate = select i1 %is.gated, i64 %gate.read, i64 9223372036854775807
  switch i64 %what, label %copy [ i64 1, label %bits
                                  i64 2, label %add
                                  i64 3, label %popcount
                                  i64 4, label %tally
                                  i64 5, label %turn ]
copy:
  %c = phi i64 [ 0, %read ], [ %c.next, %c.put ]
  %c.more = icmp slt i64 %c, %amount
  br i1 %c.more, label %c.put, label %part.done
c.put:
  %c.off = mul i64 %c, %apart
  %c.at = add i64 %at, %c.off
  %c.value = call i64 @number_at(ptr %row, i64 %c.at, i64 %shift)
  %c.turned = call i64 @turned(i64 %c.value, i64 %by, i64 %seats)
  %c.nothing = icmp eq i64 %c.value, -2147483648
  %c.there = icmp slt i64 %c, %gate
  %c.not = xor i1 %c.there, true
  %c.none = or i1 %c.nothing, %c.not
  %c.told = select i1 %c.none, i64 %none, i64 %c.turned
  %c.big = icmp sgt i64 %c.told, 2147483647
  %c.top = select i1 %c.big, i64 2147483647, i64 %c.told
  %c.small = icmp slt i64 %c.top, -2147483647
  %c.last = select i1 %c.small, i64 -2147483647, i64 %c.top
  %c.word = trunc i64 %c.last to i32
  %c.to = getelementptr i32, ptr %target, i64 %c
  store i32 %c.word, ptr %c.to
  %c.next = add i64 %c, 1
  br label %copy
bits:
  %b = phi i64 [ 0, %read ], [ %b.next, %b.put ]
  %b.more = icmp slt i64 %b, %amount
  br i1 %b.more, label %b.put, label %part.done
b.put:
  %b.byte = lshr i64 %b, 3
  %b.at = add i64 %at, %b.byte
  %b.ptr = getelementptr i8, ptr %row, i64 %b.at
  %b.raw = load i8, ptr %b.ptr
  %b.place = and i64 %b, 7
  %b.shift = trunc i64 %b.place to i8
  %b.down = lshr i8 %b.raw, %b.shift
  %b.bit = and i8 %b.down, 1
  %b.word = zext i8 %b.bit to i32
  %b.to = getelementptr i32, ptr %target, i64 %b
  %b.had = load i32, ptr %b.to
  %b.sum = add i32 %b.had, %b.word
  store i32 %b.sum, ptr %b.to
  %b.next = add i64 %b, 1
  br label %bits
add:
  %a = phi i64 [ 0, %read ], [ %a.next, %a.put ]
  %a.more = icmp slt i64 %a, %amount
  br i1 %a.more, label %a.put, label %part.done
a.put:
  %a.off = mul i64 %a, %apart
  %a.at = add i64 %at, %a.off
  %a.value = call i64 @number_at(ptr %row, i64 %a.at, i64 %shift)
  %a.word = trunc i64 %a.value to i32
  %a.to = getelementptr i32, ptr %target, i64 %a
  %a.had = load i32, ptr %a.to
  %a.sum = add i32 %a.had, %a.word
  store i32 %a.sum, ptr %a.to
  %a.next = add i64 %a, 1
  br label %add
popcount:
  %q = phi i64 [ 0, %read ], [ %q.next, %q.add ]
  %q.sum = phi i32 [ 0, %read ], [ %q.more.sum, %q.add ]
  %q.more = icmp slt i64 %q, %amount
  br i1 %q.more, label %q.add, label %q.done
q.add:
  %q.byte = lshr i64 %q, 3
  %q.at = add i64 %at, %q.byte
  %q.ptr = getelementptr i8, ptr %row, i64 %q.at
  %q.raw = load i8, ptr %q.ptr
  %q.place = and i64 %q, 7
  %q.shift = trunc i64 %q.place to i8
  %q.down = lshr i8 %q.raw, %q.shift
  %q.bit = and i8 %q.down, 1
  %q.word = zext i8 %q.bit to i32
  %q.more.sum = add i32 %q.sum, %q.word
  %q.next = add i64 %q, 1
  br label %popcount
q.done:
  %q.had = load i32, ptr %target
  %q.all = add i32 %q.had, %q.sum
  store i32 %q.all, ptr %target
  br label %part.done
tally:
  %t = phi i64 [ 0, %read ], [ %t.next, %t.put ]
  %t.more = icmp slt i64 %t, %amount
  %t.there = icmp slt i64 %t, %gate
  %t.go = and i1 %t.more, %t.there
  br i1 %t.go, label %t.put, label %part.done
t.put:
  %t.off = mul i64 %t, %apart
  %t.at = add i64 %at, %t.off
  %t.value = call i64 @number_at(ptr %row, i64 %t.at, i64 %shift)
  %t.to = getelementptr i32, ptr %target, i64 %t.value
  %t.had = load i32, ptr %t.to
  %t.sum = add i32 %t.had, 1
  store i32 %t.sum, ptr %t.to
  %t.next = add i64 %t, 1
  br label %tally
turn:
  %pc = call i64 @number_at(ptr %row, i64 %pc.at, i64 %pc.shift)
  %hidden.ptr = getelementptr i64, ptr %together, i64 %pc
  %hidden = load i64, ptr %hidden.ptr
  %is.hidden = icmp ne i64 %hidden, 0
  %mover = call i64 @number_at(ptr %row, i64 %at, i64 %shift)
  %who.turned = call i64 @turned(i64 %mover, i64 %by, i64 %seats)
  %who.told = select i1 %is.hidden, i64 0, i64 %who.turned
  %who.word = trunc i64 %who.told to i32
  store i32 %who.word, ptr %target
  br label %part.done
part.done:
  %p.next = add i64 %p, 1
  br label %part
row.done:
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""
