"""Figures of many games, with their intervals.

A game is played and gives a record: a number for every figure. Totals of records are exact whole numbers, so any split
of the games over processes adds up to the same result. Estimates are made from totals at the very end.

Two rulebooks are compared on *common random numbers*: chance has a stream for every source, keyed by names, so a house
rule that draws in one place leaves the other draws as they are, and a difference between paired games is narrower than
the difference of two means.
"""
