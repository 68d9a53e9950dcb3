"""Statements, turns, chance, decisions and scoring as lines of the small form, and the loops that play
random games or stop at every question.
"""
