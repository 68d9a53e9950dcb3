"""Exploring every reachable position in machine code, with the reference's numbers, counts and findings.

A position is packed into a row of words that holds only what tells it from others. The *visited set* is one table of
hashes with open addressing, split among threads by a part of the hash, so no thread waits for another; rows themselves
are compared, so equal hashes never merge two positions. What memories hold grows without bound and therefore lies
outside the rows, in chains of shared nodes. Each layer is expanded whole and numbered in the reference's order, so the
result does not depend on the number of threads.
"""
