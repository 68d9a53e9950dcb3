"""Expressions of the rules as lines of the small form: one value, several values, conditions on sets
of components as bit masks.
"""
