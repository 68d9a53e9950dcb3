"""Exact answers for small games of two players whose interests are opposed: backward induction where
nothing is hidden, CFR+ with a bound on exploitability where something is.
"""
