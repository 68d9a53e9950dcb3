"""Positions in machine code that Python holds: one at a time as blocks of bytes, many as rows of an array."""
