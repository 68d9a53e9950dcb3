"""Biased games and the candidates of shrinking in machine code, answer for answer as the reference."""
