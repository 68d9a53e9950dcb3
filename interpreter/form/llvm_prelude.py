"""Small functions in LLVM that the others call: mixing, random numbers, the k-th member of a set."""

from __future__ import annotations

PRELUDE = [
    """define internal i64 @mix(i64 %a) nounwind {
  %b = lshr i64 %a, 30
  %c = xor i64 %a, %b
  %d = mul i64 %c, 13787848793156543929
  %e = lshr i64 %d, 27
  %f = xor i64 %d, %e
  %g = mul i64 %f, 10723151780598845931
  %h = lshr i64 %g, 31
  %i = xor i64 %g, %h
  ret i64 %i
}""",
    # The sum is not cut to a word before it is mixed, as in the reference.
    """define internal i64 @mix_sum(i64 %a, i64 %n) nounwind {
  %b = zext i64 %a to i128
  %c = zext i64 %n to i128
  %d = mul i128 %c, 11400714819323198485
  %e = add i128 %b, %d
  %f = lshr i128 %e, 30
  %g = xor i128 %e, %f
  %h = trunc i128 %g to i64
  %i = mul i64 %h, 13787848793156543929
  %j = lshr i64 %i, 27
  %k = xor i64 %i, %j
  %l = mul i64 %k, 10723151780598845931
  %m = lshr i64 %l, 31
  %o = xor i64 %l, %m
  ret i64 %o
}""",
    """define internal i64 @below(ptr %p, i64 %limit) nounwind {
  %a = load i64, ptr %p, align 8
  %b = add i64 %a, 11400714819323198485
  store i64 %b, ptr %p, align 8
  %c = call i64 @mix(i64 %b)
  %d = zext i64 %c to i128
  %e = zext i64 %limit to i128
  %f = mul i128 %d, %e
  %g = lshr i128 %f, 64
  %h = trunc i128 %g to i64
  ret i64 %h
}""",
]

MANY_WORDS = {
    "next word": """define internal i64 @"next word"(ptr %p) nounwind {
  %a = load i64, ptr %p, align 8
  %b = add i64 %a, 11400714819323198485
  store i64 %b, ptr %p, align 8
  %c = call i64 @mix(i64 %b)
  ret i64 %c
}""",
    "below many": """define internal i64 @"below many"(ptr %p, i64 %limit) nounwind {
  %a = load i64, ptr %p, align 8
  %b = add i64 %a, 11400714819323198485
  %c = add i64 %b, 11400714819323198485
  store i64 %c, ptr %p, align 8
  %high = call i64 @mix(i64 %b)
  %low = call i64 @mix(i64 %c)
  %h = zext i64 %high to i192
  %l = zext i64 %low to i192
  %s = shl i192 %h, 64
  %w = or i192 %s, %l
  %n = zext i64 %limit to i192
  %m = mul i192 %w, %n
  %f = lshr i192 %m, 128
  %r = trunc i192 %f to i64
  ret i64 %r
}""",
    # A fraction of some words, the least first, times a number: the whole part is given, the rest stays.
    "order digit": """define internal i64 @"order digit"(ptr %p, i64 %n, i64 %by) nounwind {
  br label %again
again:
  %i = phi i64 [ 0, %0 ], [ %next, %one ]
  %carry = phi i64 [ 0, %0 ], [ %more, %one ]
  %left = icmp slt i64 %i, %n
  br i1 %left, label %one, label %over
one:
  %at = getelementptr i64, ptr %p, i64 %i
  %a = load i64, ptr %at, align 8
  %b = zext i64 %a to i128
  %c = zext i64 %by to i128
  %d = mul i128 %b, %c
  %e = zext i64 %carry to i128
  %f = add i128 %d, %e
  %g = trunc i128 %f to i64
  store i64 %g, ptr %at, align 8
  %h = lshr i128 %f, 64
  %more = trunc i128 %h to i64
  %next = add i64 %i, 1
  br label %again
over:
  ret i64 %carry
}""",
}

KTH_PDEP = """define internal i64 @kth_64(i64 %set, i64 %k) nounwind {
  %a = shl i64 1, %k
  %b = call i64 @llvm.x86.bmi.pdep.64(i64 %a, i64 %set)
  %c = call i64 @llvm.cttz.i64(i64 %b, i1 0)
  ret i64 %c
}"""

KTH_PLAIN = """define internal i64 @kth_64(i64 %set, i64 %k) nounwind {
  br label %again
again:
  %left = phi i64 [ %set, %0 ], [ %next, %more ]
  %n = phi i64 [ %k, %0 ], [ %m, %more ]
  %done = icmp sle i64 %n, 0
  br i1 %done, label %found, label %more
more:
  %less = sub i64 %left, 1
  %next = and i64 %left, %less
  %m = sub i64 %n, 1
  br label %again
found:
  %c = call i64 @llvm.cttz.i64(i64 %left, i1 0)
  ret i64 %c
}"""


def wide_kth_text(bits: int) -> str:
    """Word by word."""
    parts = [f"define internal i64 @kth_{bits}(i{bits} %set, i64 %k) nounwind {{"]
    counter = "%k"
    for word in range(bits // 64):
        parts.append(f"  %s{word} = lshr i{bits} %set, {word * 64}")
        parts.append(f"  %w{word} = trunc i{bits} %s{word} to i64")
        if word == bits // 64 - 1:
            parts.append(f"  br label %in{word}")
        else:
            parts.append(f"  %c{word} = call i64 @llvm.ctpop.i64(i64 %w{word})")
            parts.append(f"  %l{word} = sub i64 {counter}, %c{word}")
            parts.append(f"  %t{word} = icmp slt i64 %l{word}, 0")
            parts.append(f"  br i1 %t{word}, label %in{word}, label %after{word}")
        parts.append(f"in{word}:")
        parts.append(f"  %r{word} = call i64 @kth_64(i64 %w{word}, i64 {counter})")
        parts.append(f"  %a{word} = add i64 %r{word}, {word * 64}")
        parts.append(f"  ret i64 %a{word}")
        if word < bits // 64 - 1:
            parts.append(f"after{word}:")
            counter = f"%l{word}"
    return "\n".join([*parts, "}"])
