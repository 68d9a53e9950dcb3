"""Referees of the bundled rulebooks: each knows the rules of one game and reads a trace of it line by line."""
