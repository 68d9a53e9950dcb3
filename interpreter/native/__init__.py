"""The second engine: a table compiled to machine code, with the meaning of the reference.

The same questions in the same order, the same numbers from the same seeds, the same faults. It never explains: what is
to be told is played again by the reference. A construct it cannot compile raises `CannotCompile` with a reason, and the
table is left to the reference as a whole.
"""
