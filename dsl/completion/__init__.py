"""What may stand at a place in a rules file: names to be written there, and what the checker says of each.

A line is made whole around a hole; the piece with the hole is read and typed in its game (a trial). Candidates are
gathered by what the hole is to its node, and the checker judges them. What nobody has declared yet is proposed, too.
"""
