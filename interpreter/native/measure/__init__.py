"""Measured games, pairs of games and the same deal at two tables in machine code; totals the reference's to
the digit.
"""
