"""Loops in LLVM: one answer followed, all options of a position written down, an answer at random for many rows, an
answer and all chance behind it, the fixed numbers of all options.

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


PICK = """
define internal i64 @pick(ptr %S, i64 %amount, i64 %word, i64 %kind, ptr %faces, i64 %told) nounwind {
  %is.drawn = icmp eq i64 %kind, -1
  %is.even = icmp eq i64 %kind, -2
  %telling = getelementptr i8, ptr %S, i64 %told
  %faces.own = getelementptr i64, ptr %faces, i64 %kind
  %weights = select i1 %is.drawn, ptr %telling, ptr %faces.own
  %stride = select i1 %is.drawn, i64 2, i64 1
  br label %sum
sum:
  %j = phi i64 [ 0, %0 ], [ %j.next, %add ]
  %total = phi i64 [ 0, %0 ], [ %total.next, %add ]
  %j.more = icmp slt i64 %j, %amount
  %go = xor i1 %is.even, true
  %go.on = and i1 %j.more, %go
  br i1 %go.on, label %add, label %choose
add:
  %j.at = mul i64 %j, %stride
  %j.ptr = getelementptr i64, ptr %weights, i64 %j.at
  %j.weight = load i64, ptr %j.ptr
  %total.next = add i64 %total, %j.weight
  %j.next = add i64 %j, 1
  br label %sum
choose:
  %limit = select i1 %is.even, i64 %amount, i64 %total
  %w.wide = zext i64 %word to i128
  %l.wide = zext i64 %limit to i128
  %product = mul i128 %w.wide, %l.wide
  %upper = lshr i128 %product, 64
  %number = trunc i128 %upper to i64
  br i1 %is.even, label %even, label %walk
even:
  ret i64 %number
walk:
  %k = phi i64 [ 0, %choose ], [ %k.next, %step ]
  %left = phi i64 [ %number, %choose ], [ %less, %step ]
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
  ret i64 %k
none:
  ret i64 0
}
define internal i64 @field_of(ptr %S, i64 %at, i64 %shift) nounwind {
  %from = getelementptr i8, ptr %S, i64 %at
  %raw = load i64, ptr %from, align 1
  %up = shl i64 %raw, %shift
  %value = ashr i64 %up, %shift
  ret i64 %value
}
"""


AT_RANDOM = """
define void @answers_at_random(ptr %S, ptr %rows, i64 %size, i64 %n, ptr %words, i64 %pc.at, i64 %pc.shift,
                               ptr %kinds, ptr %faces, i64 %told, ptr %found) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %offset = mul i64 %i, %size
  %row = getelementptr i8, ptr %rows, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %row, i64 %size, i1 0)
  %amount = call i64 @amount(ptr %S)
  %pc = call i64 @field_of(ptr %S, i64 %pc.at, i64 %pc.shift)
  %kind.ptr = getelementptr i64, ptr %kinds, i64 %pc
  %kind = load i64, ptr %kind.ptr
  %word.ptr = getelementptr i64, ptr %words, i64 %i
  %word = load i64, ptr %word.ptr
  %to = getelementptr i64, ptr %found, i64 %i
  %answer = call i64 @pick(ptr %S, i64 %amount, i64 %word, i64 %kind, ptr %faces, i64 %told)
  store i64 %answer, ptr %to
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""


PLAY_ON = """
define void @play_on(ptr %S, ptr %rows, i64 %size, i64 %n, ptr %answers, ptr %streams, i64 %pc.at, i64 %pc.shift,
                     ptr %choosers, ptr %kinds, ptr %faces, i64 %told, i64 %most, ptr %found) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %put ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %offset = mul i64 %i, %size
  %row = getelementptr i8, ptr %rows, i64 %offset
  %answer.ptr = getelementptr i64, ptr %answers, i64 %i
  %answer = load i64, ptr %answer.ptr
  %stream = getelementptr i64, ptr %streams, i64 %i
  %to = getelementptr i64, ptr %found, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %row, i64 %size, i1 0)
  %is.asked = icmp sge i64 %answer, 0
  br i1 %is.asked, label %check, label %begin
check:
  %options = call i64 @amount(ptr %S)
  %legal = icmp ult i64 %answer, %options
  br i1 %legal, label %follow, label %put
follow:
  call void @settle(ptr %S, i64 %answer)
  %asked.first = call i64 @run(ptr %S)
  br label %look
begin:
  %asked.now = call i64 @field_of(ptr %S, i64 %pc.at, i64 %pc.shift)
  br label %look
look:
  %asked = phi i64 [ %asked.first, %follow ], [ %asked.now, %begin ], [ %asked.next, %chance ]
  %step = phi i64 [ 0, %follow ], [ 0, %begin ], [ %step.next, %chance ]
  %goes.on = icmp sgt i64 %asked, 0
  br i1 %goes.on, label %who, label %keep
who:
  %chooser.ptr = getelementptr i64, ptr %choosers, i64 %asked
  %chooser = load i64, ptr %chooser.ptr
  %is.chance = icmp eq i64 %chooser, -1
  br i1 %is.chance, label %may, label %keep
may:
  %is.short = icmp slt i64 %step, %most
  br i1 %is.short, label %chance, label %keep
chance:
  %amount = call i64 @amount(ptr %S)
  %kind.ptr = getelementptr i64, ptr %kinds, i64 %asked
  %kind = load i64, ptr %kind.ptr
  %before = load i64, ptr %stream
  %state = add i64 %before, -7046029254386353131
  store i64 %state, ptr %stream
  %a = lshr i64 %state, 30
  %b = xor i64 %state, %a
  %c = mul i64 %b, -4658895280553007687
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, -7723592293110705685
  %g = lshr i64 %f, 31
  %word = xor i64 %f, %g
  %outcome = call i64 @pick(ptr %S, i64 %amount, i64 %word, i64 %kind, ptr %faces, i64 %told)
  call void @settle(ptr %S, i64 %outcome)
  %asked.next = call i64 @run(ptr %S)
  %step.next = add i64 %step, 1
  br label %look
keep:
  %result = phi i64 [ %asked, %look ], [ %asked, %who ], [ -1, %may ]
  call void @llvm.memcpy.p0.p0.i64(ptr %row, ptr %S, i64 %size, i1 0)
  br label %put
put:
  %told.now = phi i64 [ -2, %check ], [ %result, %keep ]
  store i64 %told.now, ptr %to
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""


NUMBER_OPTIONS = """
define internal i64 @option_number(ptr %S, ptr %record, ptr %columns, ptr %worths) nounwind {
  %first.ptr = getelementptr i64, ptr %record, i64 1
  %end.ptr = getelementptr i64, ptr %record, i64 2
  %id.first = load i64, ptr %record
  %c.first = load i64, ptr %first.ptr
  %c.end = load i64, ptr %end.ptr
  br label %column
column:
  %c = phi i64 [ %c.first, %0 ], [ %c.next, %read ]
  %id = phi i64 [ %id.first, %0 ], [ %id.next, %read ]
  %c.more = icmp slt i64 %c, %c.end
  br i1 %c.more, label %read, label %over
read:
  %column.at = mul i64 %c, 7
  %col = getelementptr i64, ptr %columns, i64 %column.at
  %col1 = getelementptr i64, ptr %col, i64 1
  %col2 = getelementptr i64, ptr %col, i64 2
  %col3 = getelementptr i64, ptr %col, i64 3
  %col4 = getelementptr i64, ptr %col, i64 4
  %col5 = getelementptr i64, ptr %col, i64 5
  %col6 = getelementptr i64, ptr %col, i64 6
  %at = load i64, ptr %col
  %shift = load i64, ptr %col1
  %low = load i64, ptr %col2
  %table = load i64, ptr %col3
  %gate.at = load i64, ptr %col4
  %gate.shift = load i64, ptr %col5
  %gate.index = load i64, ptr %col6
  %gate = call i64 @field_of(ptr %S, i64 %gate.at, i64 %gate.shift)
  %is.there = icmp slt i64 %gate.index, %gate
  %value = call i64 @field_of(ptr %S, i64 %at, i64 %shift)
  %place = sub i64 %value, %low
  %place.safe = select i1 %is.there, i64 %place, i64 0
  %worth.at = add i64 %table, %place.safe
  %worth.ptr = getelementptr i64, ptr %worths, i64 %worth.at
  %worth = load i64, ptr %worth.ptr
  %adds = select i1 %is.there, i64 %worth, i64 0
  %id.next = add i64 %id, %adds
  %c.next = add i64 %c, 1
  br label %column
over:
  ret i64 %id
}
define internal i32 @option_number_at(ptr %S, i64 %o, ptr %record, ptr %columns, ptr %worths) nounwind {
  call void @settle(ptr %S, i64 %o)
  %id = call i64 @option_number(ptr %S, ptr %record, ptr %columns, ptr %worths)
  %small = trunc i64 %id to i32
  ret i32 %small
}
define internal void @number_grid(ptr %S, i64 %o, i64 %high, i64 %wide, ptr %record, ptr %columns, ptr %worths,
                                  ptr %ids) nounwind {
  %corner = load i32, ptr %ids
  br label %across
across:
  %j = phi i64 [ 1, %0 ], [ %j.next, %cell ]
  %j.more = icmp slt i64 %j, %wide
  br i1 %j.more, label %cell, label %down
cell:
  %o.j = add i64 %o, %j
  %id.j = call i32 @option_number_at(ptr %S, i64 %o.j, ptr %record, ptr %columns, ptr %worths)
  %to.j = getelementptr i32, ptr %ids, i64 %j
  store i32 %id.j, ptr %to.j
  %j.next = add i64 %j, 1
  br label %across
down:
  %i = phi i64 [ 1, %across ], [ %i.next, %row.done ]
  %i.more = icmp slt i64 %i, %high
  br i1 %i.more, label %line, label %over
line:
  %skip = mul i64 %i, %wide
  %o.i = add i64 %o, %skip
  %id.i = call i32 @option_number_at(ptr %S, i64 %o.i, ptr %record, ptr %columns, ptr %worths)
  %more = sub i32 %id.i, %corner
  %row = getelementptr i32, ptr %ids, i64 %skip
  br label %along
along:
  %k = phi i64 [ 0, %line ], [ %k.next, %put ]
  %k.more = icmp slt i64 %k, %wide
  br i1 %k.more, label %put, label %row.done
put:
  %above.ptr = getelementptr i32, ptr %ids, i64 %k
  %above = load i32, ptr %above.ptr
  %here = add i32 %above, %more
  %to.k = getelementptr i32, ptr %row, i64 %k
  store i32 %here, ptr %to.k
  %k.next = add i64 %k, 1
  br label %along
row.done:
  %i.next = add i64 %i, 1
  br label %down
over:
  ret void
}
define void @number_options(ptr %S, ptr %rows, i64 %size, i64 %n, i64 %pc.at, i64 %pc.shift, i64 %entry.at,
                            i64 %entry.shift, i64 %told, ptr %questions, ptr %entries, ptr %columns, ptr %worths,
                            ptr %ids, i64 %width, ptr %amounts) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %next ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %offset = mul i64 %i, %size
  %row = getelementptr i8, ptr %rows, i64 %offset
  %amount.ptr = getelementptr i64, ptr %amounts, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %row, i64 %size, i1 0)
  %pc = call i64 @field_of(ptr %S, i64 %pc.at, i64 %pc.shift)
  %question.ptr = getelementptr i64, ptr %questions, i64 %pc
  %question = load i64, ptr %question.ptr
  %is.decision = icmp sge i64 %question, 0
  br i1 %is.decision, label %count, label %none
none:
  store i64 0, ptr %amount.ptr
  br label %next
count:
  %amount = call i64 @amount(ptr %S)
  store i64 %amount, ptr %amount.ptr
  %fits = icmp sle i64 %amount, %width
  %limit = select i1 %fits, i64 %amount, i64 %width
  %base = mul i64 %i, %width
  br label %option
option:
  %o = phi i64 [ 0, %count ], [ %o.next, %put ], [ %o.end, %grid ]
  %last = phi i64 [ -1, %count ], [ %entry, %put ], [ %entry, %grid ]
  %o.more = icmp slt i64 %o, %limit
  br i1 %o.more, label %settle, label %next
settle:
  call void @settle(ptr %S, i64 %o)
  %entry = call i64 @field_of(ptr %S, i64 %entry.at, i64 %entry.shift)
  %entry.number = add i64 %question, %entry
  %record.at = mul i64 %entry.number, 3
  %record = getelementptr i64, ptr %entries, i64 %record.at
  %id = call i64 @option_number(ptr %S, ptr %record, ptr %columns, ptr %worths)
  %to.at = add i64 %base, %o
  %to = getelementptr i32, ptr %ids, i64 %to.at
  %id.small = trunc i64 %id to i32
  store i32 %id.small, ptr %to
  %is.new = icmp ne i64 %entry, %last
  br i1 %is.new, label %new, label %put
new:
  %wide = call i64 @grid(ptr %S, i64 %entry)
  %is.wide = icmp sgt i64 %wide, 1
  br i1 %is.wide, label %measure, label %put
measure:
  %high.ptr = getelementptr i8, ptr %S, i64 %told
  %high = load i64, ptr %high.ptr
  %cells = mul i64 %high, %wide
  %o.end = add i64 %o, %cells
  %is.room = icmp sle i64 %o.end, %limit
  br i1 %is.room, label %grid, label %put
grid:
  call void @number_grid(ptr %S, i64 %o, i64 %high, i64 %wide, ptr %record, ptr %columns, ptr %worths, ptr %to)
  br label %option
put:
  %o.next = add i64 %o, 1
  br label %option
next:
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""


FIND_NUMBERS = """
define void @find_numbers(ptr %ids, i64 %width, ptr %amounts, i64 %n, ptr %wanted, ptr %found) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %put ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %amount.ptr = getelementptr i64, ptr %amounts, i64 %i
  %amount = load i64, ptr %amount.ptr
  %wanted.ptr = getelementptr i64, ptr %wanted, i64 %i
  %number = load i64, ptr %wanted.ptr
  %base = mul i64 %i, %width
  br label %option
option:
  %o = phi i64 [ 0, %one ], [ %o.next, %next ]
  %left = icmp slt i64 %o, %amount
  br i1 %left, label %look, label %put
look:
  %at = add i64 %base, %o
  %id.ptr = getelementptr i32, ptr %ids, i64 %at
  %id.small = load i32, ptr %id.ptr
  %id = sext i32 %id.small to i64
  %is.it = icmp eq i64 %id, %number
  br i1 %is.it, label %put, label %next
next:
  %o.next = add i64 %o, 1
  br label %option
put:
  %answer = phi i64 [ -2, %option ], [ %o, %look ]
  %to = getelementptr i64, ptr %found, i64 %i
  store i64 %answer, ptr %to
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
define internal void @write_marks(ptr %ids, i64 %amount, ptr %mask, i8 %sign) nounwind {
  br label %option
option:
  %o = phi i64 [ 0, %0 ], [ %o.next, %mark ]
  %left = icmp slt i64 %o, %amount
  br i1 %left, label %mark, label %over
mark:
  %id.ptr = getelementptr i32, ptr %ids, i64 %o
  %id.small = load i32, ptr %id.ptr
  %id = sext i32 %id.small to i64
  %to = getelementptr i8, ptr %mask, i64 %id
  store i8 %sign, ptr %to
  %o.next = add i64 %o, 1
  br label %option
over:
  ret void
}
define void @move_marks(ptr %before, i64 %before.width, ptr %before.amounts, ptr %ids, i64 %width, ptr %amounts, i64 %n,
                        ptr %mask, i64 %actions) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %i.next, %one ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %one, label %over
one:
  %row.at = mul i64 %i, %actions
  %row = getelementptr i8, ptr %mask, i64 %row.at
  %old.amount.ptr = getelementptr i64, ptr %before.amounts, i64 %i
  %old.amount = load i64, ptr %old.amount.ptr
  %old.at = mul i64 %i, %before.width
  %old = getelementptr i32, ptr %before, i64 %old.at
  call void @write_marks(ptr %old, i64 %old.amount, ptr %row, i8 0)
  %amount.ptr = getelementptr i64, ptr %amounts, i64 %i
  %amount = load i64, ptr %amount.ptr
  %new.at = mul i64 %i, %width
  %new = getelementptr i32, ptr %ids, i64 %new.at
  call void @write_marks(ptr %new, i64 %amount, ptr %row, i8 1)
  %i.next = add i64 %i, 1
  br label %again
over:
  ret void
}
"""


def option_loops_text() -> str:
    return STEP + PICK + AT_RANDOM + PLAY_ON + NUMBER_OPTIONS + FIND_NUMBERS
