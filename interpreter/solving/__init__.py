"""Exact answers for small games of two players who can only win from each other."""
