"""Every reachable position of a small table: how many there are, what is broken in any of them, what
never happens, whether every game can end.

Breadth first, so the first position that breaks a property is one of the nearest. Games that need not end show as
positions from which no end can be reached, or as cycles. `growing` proposes a smaller table where the rules declare
none; a proof for a small table speaks of that table alone, and only of rules it reached.
"""
