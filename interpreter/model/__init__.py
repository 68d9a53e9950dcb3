"""What a position is made of, what expressions and statements mean, and the flow of a game as a list of instructions.

A position is one flat row of immutable values; this folder hands out the slots, names the kinds of components and the
values of types, and says where components lie.

Equal components are one kind, and a zone holds kinds, not copies, so positions that differ in copies alone are equal.
Where a name must mean the copy that lies in one place, `located_names` finds the name, `followed_names` says during
which statements that must be known, `locations` where its component lies, and `location_updates` follows it while
other components move.
"""
