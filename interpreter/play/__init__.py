"""A game seen from outside: what is asked at a position, what follows an answer, what each player
sees and remembers, and the loops that drive whole games and whole trees.
"""
