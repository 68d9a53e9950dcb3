"""One random game in LLVM that writes its record down, the same for every table: each moment in whole numbers.

What is written is what the reference's contrast compares. The functions of a table come as addresses; what its
questions are, as rows of numbers.
"""

from __future__ import annotations

from rulesrun.interpreter.native.measure.record_kernel_parts import (
    MIX,
    OPTIONS,
    PARTS,
    load_plan_number,
    load_plan_pointer,
)
from rulesrun.interpreter.native.positions.block_kernels import DRAWN, EVENLY, SMALL

# Numbers of the plan, by their place.
(SIZE, AMOUNT, SETTLE, RUN, WHERE, FAULT, FAULT_UP, TOLD, SHEETS, TELLING, PC, PC_UP, PLAYER, PLAYER_UP, QUESTIONS,
 NAMES, STREAMS, PLACES, PLACE_UP, SEATS, RESULT, RESULT_UP, BEFORE, LUCK, MOST_DECISIONS) = range(25)  # fmt: skip
PLAN = 25

# Numbers of a question, by their place.
(IS_CHANCE, WEIGHING, STREAM, TELLS, WHAT, ORIGINS, TARGETS, VALUES, WEIGHTS, TOTAL, COLUMNS, WIDTH, ACTIONS, IS_TEAM,
 SEATS_AT, SEAT_BYTES, SEAT_UP, ASKED_AT, ASKED_UP, GUARDS) = range(20)  # fmt: skip
WIDE = 20  # of one question

OVER, BY_REFERENCE = 0, -1
MOST_COUNTED = 1 << 13  # words of points at once
AT_CHANCE, AT_DECISION, AT_THE_END = 1, 2, 3


def load_question_number(name: str, place: int) -> str:
    return f"  %{name}.at = getelementptr i64, ptr %question, i64 {place}\n  %{name} = load i64, ptr %{name}.at\n"


def load_question_array(name: str, place: int) -> str:
    return load_question_number(f"{name}.address", place) + f"  %{name} = inttoptr i64 %{name}.address to ptr\n"


HEAD = f"""
define i64 @record(ptr %S, ptr %start, ptr %plan, i64 %key, ptr %words, i64 %room, ptr %moments, i64 %most) nounwind {{
{load_plan_number("size", SIZE)}{load_plan_pointer("amount", AMOUNT)}{load_plan_pointer("settle", SETTLE)}
{load_plan_pointer("run", RUN)}{load_plan_pointer("where", WHERE)}{load_plan_number("fault", FAULT)}
{load_plan_number("fault.up", FAULT_UP)}\
{load_plan_number("told.offset", TOLD)}{load_plan_number("sheets.offset", SHEETS)}
{load_plan_number("telling.offset", TELLING)}{load_plan_number("pc", PC)}{load_plan_number("pc.up", PC_UP)}
{load_plan_number("player", PLAYER)}\
{load_plan_number("player.up", PLAYER_UP)}{load_plan_pointer("questions", QUESTIONS)}
{load_plan_pointer("names", NAMES)}{load_plan_number("streams", STREAMS)}{load_plan_number("places", PLACES)}
{load_plan_number("place.up", PLACE_UP)}{load_plan_number("everybody", SEATS)}{load_plan_number("result", RESULT)}
{load_plan_number("result.up", RESULT_UP)}{load_plan_pointer("before", BEFORE)}{load_plan_pointer("luck", LUCK)}
{load_plan_number("most.decisions", MOST_DECISIONS)}
  %told.ptr = getelementptr i8, ptr %S, i64 %told.offset
  %sheets.ptr = getelementptr i8, ptr %S, i64 %sheets.offset
  %telling = getelementptr i8, ptr %S, i64 %telling.offset
  %told.weights = getelementptr i8, ptr %telling, i64 8
  call void @begin(ptr %luck, ptr %names, i64 %streams, i64 %key)
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %start, i64 %size, i1 0)
  store i64 0, ptr %told.ptr
  br label %go.on
"""

# A moment: what kind it is, the points counted since the last one, then what is asked. Where it begins is noted, with
# one bit for decisions.
MOMENT = f"""
go.on:
  %m = phi i64 [ 0, %0 ], [ %m.next, %answered ]
  %d = phi i64 [ 0, %0 ], [ %d.now, %answered ]
  %used = phi i64 [ 0, %0 ], [ %used.now, %answered ]
  %asked = call i64 %run(ptr %S)
  %wrong = call i64 @signed(ptr %S, i64 %fault, i64 %fault.up)
  %is.wrong = icmp ne i64 %wrong, 0
  %is.stuck = icmp slt i64 %asked, 0
  %counted = load i64, ptr %told.ptr
  %is.much = icmp sgt i64 %counted, {MOST_COUNTED}
  %with.points = add i64 %used, %counted
  %with.more = add i64 %with.points, 256
  %is.full = icmp sgt i64 %with.more, %room
  %is.long = icmp sge i64 %m, %most
  %bad.1 = or i1 %is.wrong, %is.stuck
  %bad.2 = or i1 %is.much, %is.full
  %bad.3 = or i1 %bad.1, %bad.2
  %bad = or i1 %bad.3, %is.long
  br i1 %bad, label %left, label %fine
left:
  ret i64 {BY_REFERENCE}
fine:
  %here = call i64 @signed(ptr %S, i64 %pc, i64 %pc.up)
  %question.at = mul i64 %here, {WIDE}
  %question = getelementptr i64, ptr %questions, i64 %question.at
  %head = getelementptr i64, ptr %words, i64 %used
  %behind = getelementptr i64, ptr %head, i64 1
  %points = call i64 @copied(ptr %behind, ptr %sheets.ptr, i64 %counted)
  store i64 0, ptr %told.ptr
  %used.points = add i64 %used, %points
  %used.1 = add i64 %used.points, 1
  %to = getelementptr i64, ptr %words, i64 %used.1
  %m.next = add i64 %m, 1
  %m.ptr = getelementptr i64, ptr %moments, i64 %m
  %m.twice = shl i64 %used, 1
  store i64 %m.twice, ptr %m.ptr
  %is.over = icmp eq i64 %asked, 0
  br i1 %is.over, label %over, label %asks
over:
  store i64 {AT_THE_END}, ptr %head
  %place.bits = sub i64 64, %place.up
  %place.bytes = lshr i64 %place.bits, 3
  %n.places = call i64 @seats(ptr %S, ptr %to, i64 %everybody, i64 %places, i64 %place.bytes, i64 %place.up)
  %result.ptr = getelementptr i64, ptr %to, i64 %n.places
  %result.word = call i64 @signed(ptr %S, i64 %result, i64 %result.up)
  store i64 %result.word, ptr %result.ptr
  %m.last = getelementptr i64, ptr %moments, i64 %m.next
  %used.end = add i64 %used.1, %n.places
  %used.all = add i64 %used.end, 1
  %end.twice = shl i64 %used.all, 1
  store i64 %end.twice, ptr %m.last
  ret i64 %m.next
asks:
{load_question_number("is.chance", IS_CHANCE)}{load_question_number("weighing", WEIGHING)}
{load_question_number("stream", STREAM)}{load_question_number("tells", TELLS)}{load_question_number("what", WHAT)}
{load_question_array("origins", ORIGINS)}\
{load_question_array("targets", TARGETS)}{load_question_array("values", VALUES)}
{load_question_array("weights", WEIGHTS)}{load_question_number("whole", TOTAL)}{load_question_array("columns", COLUMNS)}
{load_question_number("width", WIDTH)}\
{load_question_array("actions", ACTIONS)}{load_question_number("is.team", IS_TEAM)}
{load_question_number("seats.at", SEATS_AT)}{load_question_number("seat.bytes", SEAT_BYTES)}
{load_question_number("seat.up", SEAT_UP)}{load_question_number("asked.at", ASKED_AT)}
{load_question_number("asked.up", ASKED_UP)}{load_question_array("guards", GUARDS)}
  %chance = icmp ne i64 %is.chance, 0
  br i1 %chance, label %drawing, label %choosing
"""

CHOICE = f"""
choosing:
  store i64 {AT_DECISION}, ptr %head
  %d.twice = or i64 %m.twice, 1
  store i64 %d.twice, ptr %m.ptr
  %d.next = add i64 %d, 1
  %is.endless = icmp sgt i64 %d.next, %most.decisions
  %player.now = call i64 @signed(ptr %S, i64 %player, i64 %player.up)
  %team = icmp ne i64 %is.team, 0
  %chooser = select i1 %team, i64 0, i64 %player.now
  store i64 %chooser, ptr %to
  %is.alone = icmp slt i64 %seats.at, 0
  %asked.many = call i64 @signed(ptr %S, i64 %asked.at, i64 %asked.up)
  %many.seats = select i1 %is.alone, i64 0, i64 %asked.many
  %seats.to = getelementptr i64, ptr %to, i64 1
  %n.seats = call i64 @seats(ptr %S, ptr %seats.to, i64 %many.seats, i64 %seats.at, i64 %seat.bytes, i64 %seat.up)
  call void @llvm.memcpy.p0.p0.i64(ptr %before, ptr %S, i64 %size, i1 0)
  %n = call i64 %amount(ptr %S)
  %n.ptr = getelementptr i64, ptr %seats.to, i64 %n.seats
  store i64 %n, ptr %n.ptr
  %rows = getelementptr i64, ptr %n.ptr, i64 1
  %rows.words = mul i64 %n, %width
  %used.2 = add i64 %used.1, %n.seats
  %used.3 = add i64 %used.2, 2
  %used.rows = add i64 %used.3, %rows.words
  %is.too.much = icmp sgt i64 %used.rows, %room
  %is.none = icmp slt i64 %n, 1
  %gives.up.1 = or i1 %is.too.much, %is.none
  %gives.up = or i1 %gives.up.1, %is.endless
  br i1 %gives.up, label %left, label %lists
lists:
  call void @options(ptr %S, ptr %settle, i64 %n, ptr %columns, i64 %width, ptr %actions, ptr %guards, ptr %rows)
  %own.ptr = getelementptr i64, ptr %luck, i64 %chooser
  %option = call i64 @below(ptr %own.ptr, i64 %n)
  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %before, i64 %size, i1 0)
  br label %answered
"""

CHANCE = f"""
drawing:
  store i64 {AT_CHANCE}, ptr %head
  store i64 0, ptr %telling
  store i64 0, ptr %told.weights
  call void %where(ptr %S)
  %instance.ptr = getelementptr i64, ptr %telling, i64 %tells
  %instance = load i64, ptr %instance.ptr
  %origin.at = load i64, ptr %telling
  %target.at = load i64, ptr %told.weights
  %origin.ptr = getelementptr i64, ptr %origins, i64 %origin.at
  %target.ptr = getelementptr i64, ptr %targets, i64 %target.at
  %origin = load i64, ptr %origin.ptr
  %target = load i64, ptr %target.ptr
  %stream.now = add i64 %stream, %instance
  %stream.ptr = getelementptr i64, ptr %luck, i64 %stream.now
  %ways = call i64 %amount(ptr %S)
  %is.drawn = icmp eq i64 %weighing, {DRAWN}
  %is.even = icmp eq i64 %weighing, {EVENLY}
  %weighed = select i1 %is.drawn, ptr %told.weights, ptr %weights
  %stride = select i1 %is.drawn, i64 2, i64 1
  br label %sum
sum:
  %j = phi i64 [ 0, %drawing ], [ %j.next, %add ]
  %total = phi i64 [ 0, %drawing ], [ %total.next, %add ]
  %j.more = icmp slt i64 %j, %ways
  %go = xor i1 %is.even, true
  %again = and i1 %j.more, %go
  br i1 %again, label %add, label %pick
add:
  %j.at = mul i64 %j, %stride
  %j.ptr = getelementptr i64, ptr %weighed, i64 %j.at
  %j.weight = load i64, ptr %j.ptr
  %total.next = add i64 %total, %j.weight
  %j.next = add i64 %j, 1
  br label %sum
pick:
  %limit = select i1 %is.even, i64 %whole, i64 %total
  %is.large = icmp uge i64 %limit, {SMALL}
  %is.nothing = icmp slt i64 %limit, 1
  %no.way = or i1 %is.large, %is.nothing
  br i1 %no.way, label %left, label %word
word:
  %number = call i64 @below(ptr %stream.ptr, i64 %limit)
  br i1 %is.even, label %chosen, label %walk
walk:
  %k = phi i64 [ 0, %word ], [ %k.next, %walk ]
  %rest = phi i64 [ %number, %word ], [ %less, %walk ]
  %k.at = mul i64 %k, %stride
  %k.ptr = getelementptr i64, ptr %weighed, i64 %k.at
  %k.weight = load i64, ptr %k.ptr
  %less = sub i64 %rest, %k.weight
  %k.next = add i64 %k, 1
  %is.here = icmp slt i64 %less, 0
  br i1 %is.here, label %chosen, label %walk
chosen:
  %which = phi i64 [ %number, %word ], [ %k, %walk ]
  %weight = phi i64 [ 1, %word ], [ %k.weight, %walk ]
  %kind.at = shl i64 %which, 1
  %kind.ptr = getelementptr i64, ptr %telling, i64 %kind.at
  %value.ptr = getelementptr i64, ptr %values, i64 %which
  %from.1 = select i1 %is.drawn, ptr %kind.ptr, ptr %value.ptr
  %from = select i1 %is.even, ptr %m.ptr, ptr %from.1
  %value.read = load i64, ptr %from
  %value = select i1 %is.even, i64 %which, i64 %value.read
  %w.1 = getelementptr i64, ptr %to, i64 1
  %w.2 = getelementptr i64, ptr %to, i64 2
  %w.3 = getelementptr i64, ptr %to, i64 3
  %w.4 = getelementptr i64, ptr %to, i64 4
  %w.5 = getelementptr i64, ptr %to, i64 5
  store i64 %what, ptr %to
  store i64 %origin, ptr %w.1
  store i64 %target, ptr %w.2
  store i64 %value, ptr %w.3
  store i64 %weight, ptr %w.4
  store i64 %limit, ptr %w.5
  %used.chance = add i64 %used.1, 6
  br label %answered
answered:
  %answer = phi i64 [ %option, %lists ], [ %which, %chosen ]
  %d.now = phi i64 [ %d.next, %lists ], [ %d, %chosen ]
  %used.now = phi i64 [ %used.rows, %lists ], [ %used.chance, %chosen ]
  call void %settle(ptr %S, i64 %answer)
  br label %go.on
}}
"""

RECORD = MIX + PARTS + OPTIONS + HEAD + MOMENT + CHOICE + CHANCE
