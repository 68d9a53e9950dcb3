"""Looking for games that break the rules' own promises, and making them short.

A game is the list of answers to its questions. Biased search prefers answers that were given rarely so far; shrinking
deletes and simplifies answers as long as the same promise is broken. Both are bounded by work, never by the clock, so
every machine finds the same games.
"""
