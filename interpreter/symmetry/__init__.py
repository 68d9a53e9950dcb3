"""Positions that differ only in names nobody looks at, proved from the rules.

A permutation of seats, of the words of a `values` type or of equal places is a symmetry of a table when the rules read
the same after it. Proof is by *canonical terms*: the rules are written out with everything that is known at the start
of a game put in, commutative parts are sorted, and a permutation is accepted if the written rules map to themselves.
A construct the proof was not written for is refused, never assumed harmless.

Of all positions a group makes equal, `canonical_positions` keeps the least in a fixed order, so exploring counts each
orbit once, and tells how many positions it stands for.
"""
