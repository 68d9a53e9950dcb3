"""Loops in LLVM for one position at a time, the same for every table: an answer and what comes of it, with its chance.

The functions of a table come as addresses. Code of a table stays as it is; this is compiled once, apart from it.
"""

from __future__ import annotations

# Numbers of the plan, by their place: what the loops must know of a table.
SIZE, AMOUNT, SETTLE, RUN, WHERE, FAULT, FAULT_UP, TOLD, OUT, PC, PC_UP, TELLING, CHANCES, FACES, SOURCES = range(15)
PLAN = 15

# What a step gives instead of the number of answers; that points were counted is one bit more.
STUCK, BY_HAND = -1, -2
COUNTED = 1 << 62
MOST_ANSWERS = 4096  # of chance, in one call
MOST_NOTED = 1 << 13  # words of points, after which a call gives back what there is

# How chance weighs at a question; else where its weights stand among the faces.
NO_CHANCE, DRAWN, EVENLY = -3, -1, -2
SMALL = 1 << 32  # a total from here on takes several random words


def load_plan_number(name: str, place: int) -> str:
    return f"  %{name}.at = getelementptr i64, ptr %plan, i64 {place}\n  %{name} = load i64, ptr %{name}.at\n"


def load_plan_pointer(name: str, place: int) -> str:
    return load_plan_number(f"{name}.address", place) + f"  %{name} = inttoptr i64 %{name}.address to ptr\n"


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

READ = """
  %fault.ptr = getelementptr i8, ptr %S, i64 %fault
  %told.ptr = getelementptr i8, ptr %S, i64 %told
  %out.ptr = getelementptr i8, ptr %S, i64 %out
"""

# From a position, by an answer, to the next question: how many answers that has. The position lies at `out` then.
STEP = f"""
define i64 @step_alone(ptr %S, ptr %from, i64 %answer, ptr %plan) nounwind {{
{load_plan_number("size", SIZE)}{load_plan_pointer("amount", AMOUNT)}{load_plan_pointer("settle", SETTLE)}
{load_plan_pointer("run", RUN)}{load_plan_number("fault", FAULT)}{load_plan_number("fault.up", FAULT_UP)}
{load_plan_number("told", TOLD)}{load_plan_number("out", OUT)}{READ}
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %from, i64 %size, i1 0)
  store i64 0, ptr %told.ptr
  call void %settle(ptr %S, i64 %answer)
  %asked = call i64 %run(ptr %S)
  %wrong = load i64, ptr %fault.ptr, align 1
  %wrong.up = shl i64 %wrong, %fault.up
  %is.wrong = icmp ne i64 %wrong.up, 0
  %is.stuck = icmp slt i64 %asked, 0
  %is.over = or i1 %is.wrong, %is.stuck
  br i1 %is.over, label %stuck, label %fine
stuck:
  ret i64 {STUCK}
fine:
  call void @llvm.memcpy.p0.p0.i64(ptr %out.ptr, ptr %S, i64 %size, i1 0)
  %answers = call i64 %amount(ptr %S)
  %noted = load i64, ptr %told.ptr
  %is.counted = icmp ne i64 %noted, 0
  %more = select i1 %is.counted, i64 {COUNTED}, i64 0
  %found = or i64 %answers, %more
  ret i64 %found
}}
"""

# The same, and then all that chance decides, by its streams: each answer is written down, the streams lie behind the
# position. A first answer below zero: none. Gives `BY_HAND` where chance must be asked outside, and begins there.
STEP_WITH_LUCK = f"""
define i64 @step_with_luck(ptr %S, ptr %from, i64 %answer, ptr %plan, ptr %luck, i64 %streams, ptr %answers) nounwind {{
{load_plan_number("size", SIZE)}{load_plan_pointer("amount", AMOUNT)}{load_plan_pointer("settle", SETTLE)}
{load_plan_pointer("run", RUN)}{load_plan_pointer("where", WHERE)}{load_plan_number("fault", FAULT)}
{load_plan_number("fault.up", FAULT_UP)}{load_plan_number("told", TOLD)}{load_plan_number("out", OUT)}
{load_plan_number("pc", PC)}{load_plan_number("pc.up", PC_UP)}{load_plan_number("telling", TELLING)}
{load_plan_pointer("chances", CHANCES)}{load_plan_pointer("faces", FACES)}{load_plan_pointer("sources", SOURCES)}{READ}
  %pc.ptr = getelementptr i8, ptr %S, i64 %pc
  %telling.ptr = getelementptr i8, ptr %S, i64 %telling
  %weight.first = getelementptr i8, ptr %telling.ptr, i64 8
  %own = getelementptr i8, ptr %out.ptr, i64 %size
  %luck.size = shl i64 %streams, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %from, i64 %size, i1 0)
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %luck, i64 %luck.size, i1 0)
  store i64 0, ptr %told.ptr
  %has.none = icmp slt i64 %answer, 0
  br i1 %has.none, label %look, label %settle.it
settle.it:
  %n = phi i64 [ 0, %0 ], [ %n.next, %chosen ]
  %which = phi i64 [ %answer, %0 ], [ %number.found, %chosen ]
  call void %settle(ptr %S, i64 %which)
  %asked = call i64 %run(ptr %S)
  %wrong = load i64, ptr %fault.ptr, align 1
  %wrong.up = shl i64 %wrong, %fault.up
  %is.wrong = icmp ne i64 %wrong.up, 0
  %is.stuck = icmp slt i64 %asked, 0
  %is.over = or i1 %is.wrong, %is.stuck
  br i1 %is.over, label %stuck, label %look
stuck:
  ret i64 {STUCK}
look:
  %many = phi i64 [ 0, %0 ], [ %n, %settle.it ]
  %here.raw = load i64, ptr %pc.ptr, align 1
  %here.up = shl i64 %here.raw, %pc.up
  %here = ashr i64 %here.up, %pc.up
  %kind.ptr = getelementptr i64, ptr %chances, i64 %here
  %kind = load i64, ptr %kind.ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %out.ptr, ptr %S, i64 %size, i1 0)
  %is.decided = icmp eq i64 %kind, {NO_CHANCE}
  br i1 %is.decided, label %fine, label %place
fine:
  %last = call i64 %amount(ptr %S)
  %noted = load i64, ptr %told.ptr
  %is.counted = icmp ne i64 %noted, 0
  %more = select i1 %is.counted, i64 {COUNTED}, i64 0
  %found = or i64 %last, %more
  store i64 %many, ptr %answers
  ret i64 %found
by.hand:
  store i64 %many, ptr %answers
  ret i64 {BY_HAND}
place:
  %noted.now = load i64, ptr %told.ptr
  %is.much = icmp sgt i64 %noted.now, {MOST_NOTED}
  %is.many = icmp sge i64 %many, {MOST_ANSWERS}
  %is.enough = or i1 %is.much, %is.many
  br i1 %is.enough, label %by.hand, label %source
source:
  store i64 0, ptr %telling.ptr
  store i64 0, ptr %weight.first
  call void %where(ptr %S)
  %source.at = shl i64 %here, 1
  %base.ptr = getelementptr i64, ptr %sources, i64 %source.at
  %step.ptr = getelementptr i64, ptr %base.ptr, i64 1
  %base = load i64, ptr %base.ptr
  %step = load i64, ptr %step.ptr
  %instance.ptr = getelementptr i64, ptr %telling.ptr, i64 %step
  %instance = load i64, ptr %instance.ptr
  %stream = add i64 %base, %instance
  %stream.ptr = getelementptr i64, ptr %own, i64 %stream
  %amount.now = call i64 %amount(ptr %S)
  %is.drawn = icmp eq i64 %kind, {DRAWN}
  %is.even = icmp eq i64 %kind, {EVENLY}
  %faces.own = getelementptr i64, ptr %faces, i64 %kind
  %weights = select i1 %is.drawn, ptr %weight.first, ptr %faces.own
  %stride = select i1 %is.drawn, i64 2, i64 1
  br label %sum
sum:
  %j = phi i64 [ 0, %source ], [ %j.next, %add ]
  %total = phi i64 [ 0, %source ], [ %total.next, %add ]
  %j.more = icmp slt i64 %j, %amount.now
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
  %limit = select i1 %is.even, i64 %amount.now, i64 %total
  %is.large = icmp uge i64 %limit, {SMALL}
  br i1 %is.large, label %by.hand, label %word
word:
  %was = load i64, ptr %stream.ptr
  %is = add i64 %was, 11400714819323198485
  store i64 %is, ptr %stream.ptr
  %random = call i64 @mix(i64 %is)
  %r.wide = zext i64 %random to i128
  %l.wide = zext i64 %limit to i128
  %product = mul i128 %r.wide, %l.wide
  %upper = lshr i128 %product, 64
  %number = trunc i128 %upper to i64
  br i1 %is.even, label %chosen, label %walk
walk:
  %k = phi i64 [ 0, %word ], [ %k.next, %walk ]
  %left = phi i64 [ %number, %word ], [ %less, %walk ]
  %k.at = mul i64 %k, %stride
  %k.ptr = getelementptr i64, ptr %weights, i64 %k.at
  %k.weight = load i64, ptr %k.ptr
  %less = sub i64 %left, %k.weight
  %k.next = add i64 %k, 1
  %is.here = icmp slt i64 %less, 0
  br i1 %is.here, label %chosen, label %walk
chosen:
  %number.found = phi i64 [ %number, %word ], [ %k, %walk ]
  %n.next = add i64 %many, 1
  %to = getelementptr i64, ptr %answers, i64 %n.next
  store i64 %number.found, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %out.ptr, i64 %size, i1 0)
  br label %settle.it
}}
"""

SINGLE = MIX + STEP + STEP_WITH_LUCK
